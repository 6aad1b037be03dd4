import time
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from creel_inspect.verify import VerifierConfigError, VerifierError, build_verifier
from creel_inspect.verify.values.text import STEPS

QUICKLY = settings(max_examples=60, deadline=None)
US = {"US": ["USA", "United States"]}


def verdict(actual, expected, **config):
    return build_verifier("normalized", **config).verify(actual, expected)


def test_the_verdict_names_the_steps_that_made_the_difference_and_no_other():
    came = verdict("  “Two”  WORDS", '"two" words')
    assert came.passed and came.score == 1
    assert came.details["steps"] == ["punctuation", "whitespace", "casefold"]
    assert "punctuation, whitespace, casefold" in came.reason
    assert verdict("same", "same").details["steps"] == []


def test_the_steps_of_a_list_are_those_of_its_parts():
    came = verdict(["A", "b  c", {"d": "e"}], ["a", "b c", {"d": "e"}])
    assert came.details["steps"] == ["whitespace", "casefold"]


def test_the_order_in_which_steps_are_named_does_not_matter():
    for steps in (["casefold", "units"], ["units", "casefold"]):
        assert verdict("5 MIN", "5 minutes", steps=steps).passed
        assert not verdict("5mM", "5 MM", steps=steps).passed


@pytest.mark.parametrize(
    ("actual", "expected"),
    [("1", 1), (1, "1"), (True, "true"), (None, ""), (None, "null"), (1, 1.0)],
)
def test_nothing_is_made_a_text_that_is_none(actual, expected):
    came = verdict(actual, expected, steps=list(STEPS))
    assert not came.passed
    assert "expected the " in came.reason or "nothing" in came.reason


def test_values_that_are_no_texts_are_compared_as_they_are():
    assert verdict([1, 2.5, True, None], [1, 2.5, True, None]).passed
    assert not verdict([1, True], [1, 1]).passed


@pytest.mark.parametrize(
    ("actual", "expected", "passes"),
    [
        ("", "", True),
        (" ", "", True),
        ("\u200b", "", True),
        ("!!!", "???", False),
        ("!!!", "", False),
        ("!!!", "!!!", True),
        ("\u0301", "", False),
        ("-", "", False),
    ],
)
def test_two_texts_are_not_equal_because_nothing_is_left_of_them(actual, expected, passes):
    assert verdict(actual, expected, steps=list(STEPS)).passed is passes


def test_keys_are_compared_as_they_are():
    assert not verdict({"A": "x"}, {"a": "x"}).passed
    assert verdict({"e\u0301": "X"}, {"é": "x"}).passed


def test_sets_are_compared_by_their_parts_and_two_alike_stay_two():
    assert verdict({"A", "b"}, {"a", "B"}).passed
    assert not verdict({"A", "a"}, {"a"}).passed
    assert not verdict({"CO2"}, {"Co2"}).passed


@pytest.mark.parametrize("aliases", [US, {"USA": "US", "United States": "US"}])
def test_aliases_are_written_either_way(aliases):
    names = ["US", "usa", " united  STATES "]
    for one in names:
        for other in names:
            assert verdict(one, other, aliases=aliases).passed
    assert not verdict("UK", "US", aliases=aliases).passed
    assert verdict("USA", "US", aliases=aliases).details["steps"] == ["aliases"]


def test_aliases_that_differ_in_a_case_with_a_meaning_are_kept_apart():
    aliases = {"millimolar": ["mM"], "millimetre": ["mm"]}
    assert verdict("mM", "millimolar", aliases=aliases).passed
    assert not verdict("mm", "millimolar", aliases=aliases).passed
    assert not verdict("MM", "millimolar", aliases=aliases).passed


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"steps": ["lowercase"]}, "the steps are invisible, punctuation"),
        ({"steps": ["nfkc", "nfkc"]}, "named twice"),
        ({"steps": "nfkc"}, "steps"),
        ({"steps": ["aliases"]}, "no `aliases`"),
        ({"aliases": {"a": ["x"], "b": ["x"]}}, "in two groups"),
        ({"aliases": {"a": ["x"], "b": [" X "]}}, "in two groups"),
        ({"aliases": {"a": ["b"], "b": ["c"]}}, "in two groups"),
        ({"aliases": {"a": [" "]}}, "blank"),
        ({"aliases": {"a": [1]}}, "aliases"),
        ({"date_order": "DYM"}, "date_order"),
        ({"fold": True}, "no key"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused_and_said_so(config, said):
    with pytest.raises(VerifierConfigError, match="normalized") as caught:
        build_verifier("normalized", **config)
    assert said in str(caught.value)


def test_no_steps_leave_canonical_equivalence_only():
    assert verdict("e\u0301", "é", steps=[]).passed
    assert not verdict("E", "e", steps=[]).passed


def test_an_ambiguous_date_fails_in_a_candidate_and_is_an_error_in_what_is_expected():
    came = verdict("01/05/2024", "2024-05-01", steps=["dates"])
    assert not came.passed
    assert "2024-01-05 or 2024-05-01" in came.reason
    assert came.details["ambiguous_dates"] == ["'01/05/2024'"]
    with pytest.raises(VerifierError) as caught:
        verdict("2024-05-01", "01/05/2024", steps=["dates"])
    assert caught.value.code == "expected_ambiguous"
    assert verdict("01/05/2024", "2024-05-01", steps=["dates"], date_order="DMY").passed
    assert not verdict("01/05/2024", "2024-05-01", steps=["dates"], date_order="MDY").passed


def test_an_ambiguous_date_is_no_trouble_where_no_reading_fits():
    assert not verdict("2023-05-01", "01/05/2024", steps=["dates"]).passed
    assert verdict("01/05/2024", "01/05/2024", steps=["dates"]).passed


def test_a_date_that_is_no_text_is_read_as_one_by_the_step_for_dates():
    assert verdict("May 5, 2024", date(2024, 5, 5), steps=["dates"]).passed
    assert not verdict("May 2024", date(2024, 5, 5), steps=["dates"]).passed
    assert not verdict("2024-05-05", date(2024, 5, 5)).passed


def test_the_reason_says_where_case_matters():
    assert "'mM' is not 'MM'" in verdict("5 MM", "5 mM").reason


def test_the_reason_of_a_difference_shows_what_the_steps_left():
    came = verdict({"a": ["Two  WORDS"]}, {"a": ["three words"]})
    assert came.reason == (
        "$.a[0]: expected 'three words', came 'Two  WORDS' "
        "(after the steps: 'three words' and 'two words')"
    )


def test_a_text_too_long_for_the_steps_fails_or_is_an_error_by_whose_it_is():
    assert not verdict("A" * 10_000_000, "a").passed
    with pytest.raises(VerifierError) as caught:
        verdict("a", "A" * 10_000_000)
    assert caught.value.code == "too_large"
    assert "10,000,000 characters, and the limit is 100,000" in str(caught.value)
    assert verdict("a" * 10_000_000, "a" * 10_000_000).passed


@pytest.mark.parametrize(
    "hostile", ["a" + "\u0301\u0327" * 35_000, "ﷺ" * 20_000, "5 m/" * 25_000, "x²3" * 10_000]
)
def test_a_hostile_text_takes_no_long_time(hostile):
    started = time.process_time()
    verdict(hostile, "x")
    verdict(hostile, hostile[:-1] + "z")
    assert time.process_time() - started < 3


def test_many_items_end_in_a_verdict_or_an_error():
    started = time.process_time()
    items = [f"item {number}" for number in range(120_000)]
    assert verdict(items, list(items)).passed
    with pytest.raises(VerifierError, match=r"in all, and the limit is 10,000,000"):
        verdict([one.upper() for one in items], items)
    assert not verdict([one + "x" for one in items], items).passed
    assert time.process_time() - started < 30


@given(st.text(max_size=20), st.text(max_size=20))
@QUICKLY
def test_equality_is_symmetric_and_every_text_equals_itself(one, other):
    verifier = build_verifier("normalized", steps=[name for name in STEPS if name != "dates"])
    assert verifier.verify(one, one).passed
    assert verifier.verify(one, other).passed is verifier.verify(other, one).passed


@given(st.text(alphabet="abcXQZ éß-'’“ \u00a0\u200b", max_size=12))
@QUICKLY
def test_a_text_written_differently_is_the_same(text):
    written = "\ufeff " + text.replace("'", "’").replace(" ", "\u2003 ") + "\u00ad\n"
    assert verdict(written, text).passed
    assert verdict(text.upper(), text).passed


@given(st.text(alphabet="0123456789.,-²½%", min_size=1, max_size=8))
@QUICKLY
def test_no_step_makes_two_whole_numbers_one(text):
    if text.isdecimal() and text.isascii():
        for other in (text + "0", "-" + text, text + "²", text + "%"):
            assert not verdict(text, other, steps=list(STEPS)).passed
