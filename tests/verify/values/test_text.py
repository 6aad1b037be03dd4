import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from creel_inspect.verify import build_verifier
from creel_inspect.verify.values.spelling import case_carries_meaning, unit_spelling
from creel_inspect.verify.values.text import (
    DEFAULT_STEPS,
    STEPS,
    is_blank,
    normal_form,
    normalize,
    step,
)

TABLE = json.loads((Path(__file__).parent / "texts.json").read_text("utf-8"))
ROWS = TABLE["rows"]
QUICKLY = settings(max_examples=60, deadline=None)
WRITTEN = st.text(max_size=30) | st.text(
    alphabet="aAß5²₂½①㎡µμ°%/.,-–—’'\"“ \u00a0\u200b\u200d\u0301\u0327\u0345İıΣςkgmM℃ªⁿ()",
    max_size=20,
)


def named(row):
    return f"{row['one']!a:.30}-{row['other']!a:.30}"


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_two_texts_are_equal_where_the_table_says_so_and_by_the_steps_that_it_names(row):
    verifier = build_verifier("normalized")
    for one, other in ((row["one"], row["other"]), (row["other"], row["one"])):
        verdict = verifier.verify(one, other)
        assert verdict.passed is row["equal"]
        if row["equal"]:
            assert verdict.details["steps"] == row["steps"]


@pytest.mark.parametrize("row", [row for row in ROWS if "add" in row], ids=named)
def test_a_step_more_makes_two_texts_equal_where_the_table_says_so(row):
    verdict = build_verifier("normalized", steps=[*DEFAULT_STEPS, *row["add"]]).verify(
        row["one"], row["other"]
    )
    assert verdict.passed
    assert verdict.details["steps"] == row["steps"]


@pytest.mark.parametrize("row", [row for row in ROWS if "never_with" in row], ids=named)
def test_two_different_things_stay_different_whatever_the_steps(row):
    verifier = build_verifier("normalized", steps=[*DEFAULT_STEPS, *row["never_with"]])
    assert not verifier.verify(row["one"], row["other"]).passed
    assert not verifier.verify(row["other"], row["one"]).passed


def test_the_table_is_long_enough_and_holds_no_ambiguous_pair():
    assert len(ROWS) == TABLE["rows_in_all"] >= 50
    assert TABLE["ambiguous_rows"] == 0


@pytest.mark.parametrize("name", STEPS)
@given(text=WRITTEN)
@QUICKLY
def test_a_step_changes_nothing_the_second_time(name, text):
    once = step(name, normal_form("NFC", text))
    assert step(name, once) == once


@pytest.mark.parametrize("name", STEPS)
@given(text=WRITTEN)
@QUICKLY
def test_no_step_empties_a_text_that_has_something_to_see(name, text):
    assert step(name, text) or is_blank(text)


def test_a_sign_after_a_mark_that_goes_stays_a_sign():
    once = step("strip_punctuation", "loss.—5 'x'-5")
    assert once == "loss —5 x -5" == step("strip_punctuation", once)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("(-)-menthol", "(-) menthol"),
        ("(menthol)", "menthol"),
        ("Cl-", "Cl-"),
        ("Cl-.", "Cl-"),
        ("[Cl-]", "Cl-"),
        ("SO4 2-", "SO4 2-"),
        ("pre- and post-war", "pre and post war"),
        ("WORLD- wide", "WORLD wide"),
        ("CC(C)O", "CC(C)O"),
    ],
)
def test_a_charge_and_a_sign_in_brackets_are_no_punctuation(text, left):
    assert step("strip_punctuation", text) == left == step("strip_punctuation", left)


@given(WRITTEN)
@QUICKLY
def test_canonically_equivalent_texts_have_one_normal_text(text):
    for form in ("NFC", "NFD"):
        assert normalize(unicodedata.normalize(form, text), STEPS) == normalize(text, STEPS)


@given(st.text(max_size=40), st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
@QUICKLY
def test_a_normal_form_is_the_one_of_the_standard_library(text, form):
    assert normal_form(form, text) == unicodedata.normalize(form, text)


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC"])
def test_a_normal_form_of_a_long_run_of_marks_is_right(form):
    text = "e" + "\u0301\u0327\u0f73\u0344" * 20 + "x"
    assert normal_form(form, text) == unicodedata.normalize(form, text)


def test_a_run_of_a_million_marks_is_put_in_order_quickly():
    found = normal_form("NFD", "a" + "\u0301\u0327" * 200_000)
    assert found == "a" + "\u0327" * 200_000 + "\u0301" * 200_000


@pytest.mark.parametrize(
    ("written", "spelled"),
    [
        ("5kg", "5 kg"),
        ("5 Kilogrammes", "5 kg"),
        ("37.5°C", "37.5 °C"),
        ("5 MG", "5 MG"),
        ("10 mL/min", "10 mL/min"),
        ("10 ml per minute", "10 mL/min"),
        ("5 m/s²", "5 m/s^2"),
        ("5 s⁻¹", "5 s^-1"),
        ("9 cubic centimetres", "9 cm^3"),
        ("from 5mg to 10mg, twice", "from 5 mg to 10 mg, twice"),
        ("CO2 kg", "CO2 kg"),
        ("litres", "L"),
        ("12 percentage points", "12 percentage points"),
        ("5 patients", "5 patients"),
    ],
)
def test_a_unit_has_one_spelling(written, spelled):
    assert unit_spelling(written) == spelled


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("take 5 mM now", "Take 5 MM now", ("mM", "MM")),
        ("5 s", "5 S", ("s", "S")),
        ("the 1980s", "THE 1980S", None),
        ("M", "m", None),
        ("CO2 rises", "Co2 rises", ("CO2", "Co2")),
        ("co2 rises", "CO2 rises", None),
        ("No", "NO", None),
        ("CNC101", "cnc101", None),
        ("c1ccncc1", "C1CCNCC1", ("c1ccncc1", "C1CCNCC1")),
        ("catalyst: CO", "catalyst: Co", ("CO", "Co")),
        ("NaCl in CO", "NaCl in Co", ("CO", "Co")),
        ("THE WORLD BANK", "The World Bank", None),
        ("Bank Of Japan", "BANK OF JAPAN", None),
        ("IN 2024", "In 2024", None),
        ("Smith & Co", "Smith & CO", None),
        ("CO in air", "CO IN AIR", None),
        ("CCO", "cco", ("CCO", "cco")),
        ("C=C", "c=c", ("C=C", "c=c")),
        ("CC(C)O", "cc(c)o", ("CC(C)O", "cc(c)o")),
        ("COOP", "coop", None),
        ("P=0.05", "p=0.05", None),
        ("no(s)", "No(s)", None),
        ("(NO)", "(no)", None),
        ("alpha", "beta", None),
    ],
)
def test_case_carries_meaning_in_units_formulas_and_line_notations(one, other, apart):
    assert case_carries_meaning(one, other) == apart


@pytest.mark.parametrize("text", ["", " ", "\u200b", "\ufeff \u00ad", "\u3164"])
def test_a_text_without_anything_to_see_is_blank(text):
    assert is_blank(text)


HOSTILE = {
    "marks": "a" + "\u0301\u0327" * 10_000,
    "expanding": "ﷺ" * 10_000,
    "powers": "x²3" * 7_000,
    "quantities": "5 m/" * 5_000,
    "brackets": "(" * 20_000,
    "digits": "1," * 10_000,
    "halves of surrogate pairs": "\ud800" * 20_000,
    "joiners": "a\u200d" * 10_000,
}


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_text_takes_no_step_long(name, hostile):
    step(name, HOSTILE[hostile])
