"""``numeric_tolerance``: verdicts with the right value for each pitfall."""

import json
import math
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from creel_inspect.verify import Context, VerifierConfigError, VerifierError, build_verifier


def verdict(actual, expected, context=None, **config):
    made = build_verifier("numeric_tolerance", **config)
    return made.verify(actual, expected, context=context or Context())


@pytest.mark.parametrize(
    ("actual", "expected", "config"),
    [
        ("3 million USD", "3,000,000 USD", {}),
        ("USD 3,000,000", "3m USD", {}),
        ("$3 million", "3 million USD", {"unit": "USD"}),
        ("3,000,000", 3_000_000, {}),
        ("€3-4 million", "3,000,000 to 4,000,000 EUR", {}),
        ("5 %", 0.05, {}),
        (0.05, "5 %", {}),
        (5, "5 %", {"unit": "percent"}),
        ("5 %", 5, {"unit": "%"}),
        ("500 ppm", "0.05 %", {}),
        ("5 kg", "5000 g", {}),
        (5, "5000 g", {"unit": "kg"}),
        ("5 kg", 5000, {"unit": "g"}),
        ("453.59237 g", "1 lb", {}),
        ("298.15 K", "25 °C", {}),
        ("77 °F", "25 °C", {}),
        ("1 mol/L", "1 M", {}),
        ("5-10 kg", "5000 to 10000 g", {}),
        ("> 5", "more than five", {}),
        ("about 5", 5, {}),
        ("5 ± 0.1", 5, {}),
        (Decimal("0.1"), 0.1, {}),
        (0.1 + 0.2, 0.3, {"abs": 1e-15}),
        ("(1,234.00)", -1234, {}),
        ("1/3", "⅓", {}),
        ("1.234", 1234, {"locale": "de"}),
        ("twenty-five", 25.0, {}),
        ("2 h 30 min", "150 min", {}),
        ("25 basis points", "0.25 percentage points", {}),
        (1e308, 10**308, {}),
        (10**4000, 10**4000, {}),
        (Decimal("1e-4000"), 0, {"abs": 0.001}),
        ("60 rpm", "1 Hz", {}),
        ("$5,000", 5000, {"unit": "USD"}),
        ("5,000", "$5,000", {"unit": "USD"}),
        ("USD 1,250", "1250 USD", {}),
        ("US $5MM", "5 M", {"unit": "USD", "locale": "en"}),
        ("5 USD/t", "5 USD/t", {}),
        ("$5/kg", "5000 USD/t", {"unit": "USD/kg"}),
        ("3 per hour", "0.05 1/min", {}),
    ],
)
def test_the_same_quantity_passes_however_it_is_written(actual, expected, config):
    found = verdict(actual, expected, **config)
    assert found.passed, found.reason
    assert found.score == 1.0


@pytest.mark.parametrize(
    ("actual", "expected", "config", "why"),
    [
        ("3 million USD", "3,000,000 EUR", {}, "USD is not EUR"),
        ("3,000,000 EUR", "3 million USD", {"rel": 1}, "EUR is not USD"),
        ("$3 million", "3 million USD", {}, "ambiguous"),
        ("$3 million", "3 million EUR", {"unit": "EUR"}, "is not EUR"),
        ("3 thousand", "3 million", {}, "beyond the tolerance"),
        ("5 kg", "5 m", {}, "kilogram is not meter"),
        (5, "5 kg", {}, "no unit"),
        ("5-10", 5, {}, "a number is meant"),
        (5, "5-10", {}, "a range is meant"),
        ("5-11", "5-10", {}, "beyond"),
        ("4-10", "5-10", {}, "beyond"),
        ("> 5", 5, {}, "another relation"),
        ("5", ">= 5", {}, "another relation"),
        ("by 90%", "10%", {}, "no quantity"),
        ("90%", "10%", {}, "beyond"),
        ("5 percentage points", "5 %", {}, "is not percent"),
        (5, 0.05, {"unit": "percent"}, "beyond"),
        ("1,234", 1234, {}, "1234 or 1.234"),
        ("60 rpm", "6.28 Hz", {"rel": 0.01}, "beyond"),
        ("1 rad/s", "1 Hz", {}, "radian/second is not hertz"),
        ("5 rad", "5 dimensionless", {}, "radian is not dimensionless"),
        ("5 bit/s", "5 Hz", {}, "bit/second is not hertz"),
        ("€1.234", "1234 EUR", {}, "ambiguous"),
        ("5 USD/t", "5 EUR/t", {}, "is not EUR/metric_ton"),
        ("12,50", "12.50", {"locale": "en_US"}, "not those of the locale en_US"),
        ("500-1 million", "500 thousand to 1 million", {}, "ambiguous"),
        (True, 1, {}, "not a number"),
        (False, 0, {}, "not a number"),
        (None, 0, {}, "nothing is there"),
        ([], 0, {}, "not a number"),
        ({"value": 5}, 5, {}, "not a number"),
        ("", 0, {}, "empty"),
        (math.nan, 0, {"abs": 10**9}, "finite"),
        (math.inf, 0, {"abs": 10**9}, "finite"),
        (Decimal("NaN"), 0, {}, "finite"),
        ("NaN", 0, {}, "no quantity"),
        ("not 5", 5, {}, "no quantity"),
        ("5" * 1000, 5, {}, "200 characters"),
        ("1e401", 5, {}, "exponent"),
        (2**53 + 1, 2**53, {}, "beyond"),
        (0.1 + 0.2, 0.3, {}, "beyond"),
        (1.01 + 1e-12, 1, {"rel": 0.01}, "beyond"),
    ],
)
def test_what_differs_or_cannot_be_decided_fails_and_says_why(actual, expected, config, why):
    found = verdict(actual, expected, **config)
    assert not found.passed
    assert found.score == 0.0
    assert why in found.reason
    assert "\n" not in found.reason
    json.dumps(found.details, allow_nan=False)


def test_the_tolerance_is_the_larger_of_the_two_and_its_edge_is_inside():
    assert verdict(101, 100, rel=0.01).passed
    assert not verdict("101.0000000001", 100, rel=0.01).passed
    assert verdict(105, 100, abs=5, rel=0.01).passed
    assert verdict(-99, -100, rel=0.01).passed
    assert not verdict(0.001, 0, rel=0.5).passed  # a share of nothing is nothing
    assert verdict("0.3", "0.1", abs=Decimal("0.2")).passed


def test_an_absolute_tolerance_is_in_the_declared_unit_or_in_that_of_what_is_expected():
    assert verdict("5.01 kg", "5000 g", abs=10).passed
    assert not verdict("5.011 kg", "5000 g", abs=10).passed
    assert verdict("5.9 kg", "5000 g", abs=1, unit="kg").passed
    found = verdict("5.01 kg", "5000 g", abs=10)
    assert (found.details["difference"], found.details["tolerance"]) == ("10", "10")
    assert found.details["unit"] == "gram"


def test_both_ends_of_a_range_are_within_the_tolerance():
    assert verdict("5-10", "5.1-10.2", rel=0.02).passed
    assert not verdict("5-10", "5-10.3", rel=0.02).passed


def test_the_unit_of_the_context_counts_where_none_is_declared():
    assert verdict("$5", "5 USD", Context(unit="USD")).passed
    assert verdict(5, "5 kg", Context(unit="kg")).passed
    assert verdict("3m", 3, Context(unit="m")).passed
    assert verdict("3m", 3_000_000, Context(unit="EUR")).passed
    assert verdict(5, "5 g", Context(unit="kg"), unit="g").passed  # what is declared comes first


def test_an_ambiguous_candidate_fails_if_every_reading_does():
    found = verdict("1,234", 99)
    assert not found.passed
    assert "however it is read" in found.reason
    assert found.details["ambiguous"] == ["actual"]


def test_an_ambiguous_candidate_passes_if_every_reading_does():
    assert verdict("5 ± 2 %", 5, unit="percent").passed
    assert verdict("1,234", 0, abs=2000).passed


@pytest.mark.parametrize(
    ("expected", "config", "code"),
    [
        ("five-ish", {}, "expected_invalid"),
        (None, {}, "expected_invalid"),
        (True, {}, "expected_invalid"),
        ([5], {}, "expected_invalid"),
        (math.nan, {}, "expected_invalid"),
        ("5 kg", {"unit": "m"}, "expected_invalid"),
        ("5 EUR", {"unit": "USD"}, "expected_invalid"),
        ("1,234", {}, "expected_ambiguous"),
        ("12,50", {"locale": "en"}, "expected_invalid"),
    ],
)
def test_nothing_is_measured_where_what_is_expected_is_no_quantity(expected, config, code):
    with pytest.raises(VerifierError) as caught:
        verdict(1234, expected, **config)
    assert caught.value.code == code


def test_what_is_expected_may_be_ambiguous_where_it_makes_no_difference():
    assert not verdict(99, "1,234").passed


@pytest.mark.parametrize("actual", ["25 °C", "$25", "25 EUR", "77 °F", "25 USD/t", "25 rad"])
@pytest.mark.parametrize("expected", [25, 25.0, "25", "1,234"])
def test_an_expected_number_without_a_unit_does_not_judge_a_candidate_with_one(actual, expected):
    with pytest.raises(VerifierError, match="carries no unit") as caught:
        verdict(actual, expected)
    assert caught.value.code == "expected_invalid"


@pytest.mark.parametrize("actual", ["5 %", "500 ppm", "5-10 kg", "> 5 kg", "5 apples", "3m", "7"])
def test_an_expected_number_without_a_unit_judges_all_else(actual):
    assert not verdict(actual, 5).passed


@pytest.mark.parametrize(
    ("actual", "expected", "config"),
    [
        ("1.234 g", "1.234 g", {}),
        ("5,000", "5,000", {}),
        ("5.000", " 5.000 ", {"unit": "USD"}),
        ("1,234KG", "1,234 kg", {}),
        ("$5", "$5", {}),
        ("3m", "3m", {}),
        ("2 tons", "2 Tons", {}),
        ("500-1 million", "500–1 million", {}),
    ],
)
def test_the_same_ambiguous_text_passes_and_says_so(actual, expected, config):
    found = verdict(actual, expected, **config)
    assert found.passed
    assert any("both texts are the same" in note for note in found.details["notes"])
    assert found.details["ambiguous"] == ["actual", "expected"]


@pytest.mark.parametrize(
    ("actual", "expected"),
    [("5,000", "5.000"), ("3m", "3M"), (1.234, "1.234"), ("1.234", "1.2340 or so")],
)
def test_different_texts_or_unreadable_ones_are_of_no_one_convention(actual, expected):
    with pytest.raises(VerifierError):
        verdict(actual, expected)


@pytest.mark.parametrize(
    ("actual", "expected", "config", "advice"),
    [
        (5000, "5.000", {"unit": "USD"}, "declare `locale`, or write it out"),
        (5000, "5,000", {}, "declare `locale`, or write it out"),
        ("5 USD", "$5", {}, "declare `unit`, or write it out"),
        ("5000 USD", "$5.000", {}, "declare `unit` or `locale`, or write it out"),
        ("2000 kg", "2 tons", {"unit": "kg", "rel": 0.01}, ": write it out"),
        (2e9, "2 billion", {"locale": "de"}, ": write it out"),
    ],
)
def test_an_ambiguous_gold_names_only_what_is_missing(actual, expected, config, advice):
    with pytest.raises(VerifierError) as caught:
        verdict(actual, expected, **config)
    assert caught.value.code == "expected_ambiguous"
    assert str(caught.value).endswith(advice)


@pytest.mark.parametrize("unit", ["furlongish", "", "$", "tons", "9**9**9", 5, ["kg"]])
def test_a_unit_of_the_context_that_is_unknown_is_not_the_candidates_fault(unit):
    with pytest.raises(VerifierError) as caught:
        verdict(5, 5, Context(unit=unit))
    assert caught.value.code == "bad_config"


@pytest.mark.parametrize(
    "config",
    [
        {"abs": -1}, {"rel": -0.1}, {"abs": math.nan}, {"rel": math.inf}, {"abs": True},
        {"rel": "0.1"}, {"abs": None}, {"abs": Decimal("NaN")}, {"unit": "furlongish"},
        {"unit": "$"}, {"unit": "tons"}, {"unit": 5}, {"locale": "klingon"}, {"locale": "../de"},
        {"locale": 5}, {"tolerance": 1},
    ],
)  # fmt: skip
def test_a_configuration_that_does_not_fit_is_refused(config):
    with pytest.raises(VerifierConfigError):
        build_verifier("numeric_tolerance", **config)


def test_what_was_approximate_or_uncertain_is_in_the_details():
    found = verdict("about 5.0 ± 0.1 kg", "5 kg")
    assert found.passed
    assert found.details["actual"] == {
        "value": "5",
        "unit": "kilogram",
        "about": True,
        "uncertainty": "± 0.1 kg",
    }


NUMBERS = st.decimals(
    min_value=-(10**15), max_value=10**15, allow_nan=False, allow_infinity=False, places=3
)


@settings(max_examples=60, deadline=None)
@given(NUMBERS, NUMBERS)
def test_different_numbers_never_pass_without_a_tolerance(one, other):
    for left, right in ((one, other), (f"{one:,f} USD", f"USD {other:f}"), (f"{one:,.4f}", other)):
        assert verdict(left, right, locale="en").passed == (one == other)


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        ),
        max_leaves=6,
    )
)
def test_any_candidate_gets_a_verdict(actual):
    found = verdict(actual, 123456.789, rel=0.001)
    assert found.score in (0.0, 1.0)
    if isinstance(actual, bool) or not isinstance(actual, int | float | str):
        assert not found.passed


@pytest.mark.parametrize(
    "actual", ["9" * 10_000_000, 10**4200, [[1]] * 100_000, "\ud800", "½" * 200]
)
def test_hostile_candidates_fail_at_once(actual):
    found = verdict(actual, "5 kg", unit="kg")
    assert not found.passed
    assert len(found.reason) < 1000
