"""The committed table of written quantities, and what has two readings."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from creel_inspect.verify.numeric import unit_token
from creel_inspect.verify.values.quantity import read_quantity

TABLE = json.loads(Path(__file__).with_name("quantities.json").read_text(encoding="utf-8"))


def meaning(row):
    low = Fraction(row["low"] if "low" in row else row["value"])
    high = Fraction(row["high"]) if "high" in row else None
    return low, high, row.get("in"), row.get("relation", "=")


def read(row):
    unit = unit_token(row["unit"]) if "unit" in row else None
    found = read_quantity(row["text"], locale=row.get("locale"), unit=unit)
    return {(one.value, one.high, one.unit or unit, one.relation) for one in found.readings}, found


@pytest.mark.parametrize("row", TABLE, ids=lambda row: ascii(row["text"]))
def test_every_written_quantity_of_the_table_is_read_right(row):
    meanings, found = read(row)
    if row.get("unreadable"):
        assert not meanings
        assert found.problem
    elif row.get("ambiguous"):
        assert meanings == {meaning(one) for one in row["readings"]}
    else:
        assert meanings == {meaning(row)}
        assert all(one.about == row.get("about", False) for one in found.readings)


def test_the_table_is_long_and_at_most_a_tenth_of_it_is_ambiguous():
    assert len(TABLE) >= 220
    assert sum(row.get("ambiguous", False) for row in TABLE) <= len(TABLE) / 10
    assert len({(row["text"], row.get("locale"), row.get("unit")) for row in TABLE}) == len(TABLE)


@pytest.mark.parametrize("value", [True, False, None, [], [5], {}, {"value": 5}, "5\n6", "5\t000"])
def test_what_is_no_one_number_is_unreadable(value):
    found = read_quantity(value)
    assert not found.readings
    assert found.problem


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("5 apples", "'apples'"),
        ("3 million people", "'million people'"),
        ("$5 per share", "'per share'"),
        ("5 km per fortnight", "'km per fortnight'"),
        ("5MM", "'MM'"),
    ],
)
def test_the_words_that_were_not_understood_are_named(text, named):
    assert named in read_quantity(text).problem


def test_a_float_is_the_decimal_that_it_prints_as():
    assert read_quantity(0.1).readings[0].value == Fraction(1, 10)
    assert read_quantity(1e23).readings[0].value == 10**23


def test_a_dollar_sign_alone_is_of_several_currencies_and_a_declared_one_settles_it():
    units = {one.unit for one in read_quantity("$5").readings}
    assert {"USD", "CAD", "AUD"} <= units
    assert [one.unit for one in read_quantity("$5", unit="CAD").readings] == ["CAD"]
    assert len(read_quantity("$5", unit="EUR").readings) == len(units)


def test_invisible_marks_do_not_hide_a_number_and_bidirectional_overrides_do():
    assert read_quantity("\u200e−5\u200f").readings[0].value == -5
    assert not read_quantity("\u202e123").readings


@pytest.mark.parametrize(
    ("text", "locale"),
    [("1,234.5", "de"), ("12,50", "en_US"), ("1.5 kg", "fr"), ("€1.234", "fr"), ("5 ± 0,1", "en")],
)
def test_what_does_not_fit_a_declared_locale_is_unreadable_and_names_it(text, locale):
    found = read_quantity(text, locale=locale)
    assert not found.readings
    assert f"the locale {locale}" in found.problem


@pytest.mark.parametrize("locale", ["en", "de", "fr", "de_CH", "de_AT", "sv", "en_IN"])
@pytest.mark.parametrize("text", ["1,234,567", "1.234.567", "1 234 567", "1'234'567", "1_234_567"])
def test_two_groups_mean_one_thing_in_every_locale(text, locale):
    assert [one.value for one in read_quantity(text, locale=locale).readings] == [1234567]


@pytest.mark.parametrize(
    ("text", "unit"), [("£5,000", None), ("5,000", "USD"), ("JPY 5,000", None)]
)
def test_that_a_currency_settled_a_comma_is_noted(text, unit):
    found = read_quantity(text, unit=unit)
    assert [one.value for one in found.readings] == [5000]
    assert "comma groups thousands" in found.notes[0]
    assert not read_quantity("£5,000.50").notes
    assert not read_quantity("£5,000", locale="en").notes


@pytest.mark.parametrize("name", ["xx", "", "../../etc/passwd", "e" * 500, "de_XX_YY"])
def test_an_unknown_locale_is_an_error(name):
    if not name:  # no locale is declared
        assert read_quantity("1.5", locale=name).readings
        return
    with pytest.raises(ValueError, match="locale"):
        read_quantity("1.5", locale=name)


@pytest.mark.parametrize(
    "text",
    [
        "-" * 200,
        "5-" * 100,
        "1 " * 100,
        "$" * 200,
        "(" * 100 + ")" * 100,
        "between " + "5 and " * 32,
        "one hundred and " * 12,
        "a " * 100,
        "1,234" * 40,
        "1.2e5" * 40,
        "m·" * 99 + "m",
        "5 " + "m/" * 98,
        "~" * 200,
        "9**" * 66,
        "5 ± " * 50,
        "½" * 200,
        "⁵" * 200,
        "\u0301" * 200,
        "5 to " * 40,
        "٣" * 200,
        "9" * 200,
        "\ud800" * 200,
        "\ufdfa" * 200,
        "5" * 10_000_000,
    ],
    ids=range(24),
)
def test_hostile_texts_are_read_or_refused_at_once(text):
    read_quantity(text)
