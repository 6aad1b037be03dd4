import math
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from creel_inspect.verify import VerifierConfigError, VerifierError, build_verifier

QUICKLY = settings(max_examples=60, deadline=None)
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


def verdict(actual, expected, **config):
    return build_verifier("exact", **config).verify(actual, expected)


def equal(actual, expected, **config):
    there, back = (verdict(*pair, **config) for pair in ((actual, expected), (expected, actual)))
    assert there.passed is back.passed
    assert there.score == float(there.passed)
    return there.passed


@pytest.mark.parametrize(
    ("one", "other", "typed", "value"),
    [
        (True, 1, False, False),
        (False, 0, False, False),
        (True, 1.0, False, False),
        (1, 1.0, False, True),
        (1, Decimal(1), False, True),
        (0.1, Decimal("0.1"), False, True),
        (0.1, Decimal("0.1000000000000000055511151231257827"), False, False),
        (0.1 + 0.2, 0.3, False, False),
        (10**23, 1e23, False, True),
        (2**53 + 1, float(2**53), False, False),
        (0.0, -0.0, True, True),
        (Decimal("1.0"), Decimal("1.00"), True, True),
        (1, "1", False, False),
        (0, None, False, False),
        (0, "", False, False),
        (0, False, False, False),
        (Decimal("1e4000"), 1.0, False, False),
    ],
)
def test_numbers_are_equal_by_type_or_by_value(one, other, typed, value):
    assert equal(one, other) is typed
    assert equal(one, other, numbers="value") is value


@pytest.mark.parametrize("numbers", ["typed", "value"])
@pytest.mark.parametrize("nan", [math.nan, Decimal("nan")])
def test_nan_equals_nothing_in_a_candidate_and_is_no_expected_value(nan, numbers):
    assert not verdict(nan, 1.0, numbers=numbers).passed
    assert not verdict([nan], [1.0], numbers=numbers).passed
    assert not verdict({nan}, {1.0}, numbers=numbers).passed
    with pytest.raises(VerifierError) as caught:
        verdict(nan, nan, numbers=numbers)
    assert caught.value.code == "expected_invalid"


def test_an_infinity_is_no_number_that_was_expected():
    assert not verdict(math.inf, 1e308).passed
    assert not verdict(math.inf, 10**400, numbers="value").passed


def test_none_equals_only_none():
    assert equal(None, None)
    for other in ("", 0, False, [], {}, "None", "null"):
        assert not equal(None, other)


def test_a_missing_key_is_no_key_that_holds_none():
    assert not equal({"a": None}, {})


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ((1, 2), [1, 2], True),
        ([1, 2], [2, 1], False),
        ([1], [1, 1], False),
        ({1, 2}, frozenset([2, 1]), True),
        ({1, 2}, [1, 2], False),
        ({True}, {1}, False),
        ({1}, {1.0}, False),
        ({(1, "a"), frozenset([2])}, {frozenset([2]), (1, "a")}, True),
        ({"é"}, {"e\u0301"}, True),
        ({"é", "e\u0301"}, {"é"}, False),
        ({}, [], False),
        ([], "", False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
    ],
)
def test_lists_are_compared_in_order_mappings_by_key_and_sets_as_sets(one, other, same):
    assert equal(one, other) is same


def test_a_date_is_no_text_no_moment_and_no_other_date():
    day = date(2024, 5, 5)
    assert equal(day, date(2024, 5, 5))
    assert not equal(day, "2024-05-05")
    assert not equal(day, datetime(2024, 5, 5))
    east = datetime(2024, 5, 5, 12, tzinfo=timezone(timedelta(hours=2)))
    assert not equal(east, east.astimezone(UTC))
    assert not equal(east, east.replace(tzinfo=None))


@pytest.mark.parametrize(
    ("one", "other", "forms"),
    [
        ("café", "cafe\u0301", {"NFC", "NFD", "NFKC"}),
        ("\u212b", "Å", {"NFC", "NFD", "NFKC"}),
        ("ﬁ", "fi", {"NFKC"}),
        ("a", "A", set()),
        ("a", "a ", set()),
        ("same", "same", {"NFC", "NFD", "NFKC", "none"}),
    ],
)
def test_the_normal_form_is_chosen_and_holds_for_keys_too(one, other, forms):
    for form in ("NFC", "NFD", "NFKC", "none"):
        assert equal(one, other, unicode=form) is (form in forms)
        assert equal({one: 1}, {other: 1}, unicode=form) is (form in forms)


def test_two_keys_of_a_candidate_that_are_one_text_do_not_pass():
    came = verdict({"\u212b": 1, "A\u030a": 1}, {"Å": 1})
    assert not came.passed
    assert "came 2 times" in came.reason


def test_two_expected_keys_that_are_one_text_are_ambiguous_unless_the_candidate_has_them_too():
    expected = {"\u212b": 1, "A\u030a": 2}
    assert verdict(dict(expected), expected).passed
    assert not verdict({"\u212b": 2, "A\u030a": 1}, expected).passed
    with pytest.raises(VerifierError) as caught:
        verdict({"Å": 1}, expected)
    assert caught.value.code == "expected_ambiguous"


def test_the_reason_names_the_first_difference_by_its_path_and_counts_the_rest():
    expected = {"a": [{"b": 1}, {"b": 2}], "c d": "x"}
    came = verdict({"c d": "y", "a": [{"b": 1}, {"b": "2"}, 3]}, expected)
    assert came.reason == (
        "$.a[1].b: expected the whole number 2, came the text '2' (and 2 more differences)"
    )
    assert [one["path"] for one in came.details["differences"]] == [
        "$.a[1].b",
        "$.a[2]",
        "$['c d']",
    ]


def test_a_missing_and_an_added_key_are_named():
    said = verdict({"b": 1}, {"a": 1}).details["differences"]
    assert said == [
        {"path": "$.a", "difference": "expected 1, but it is missing"},
        {"path": "$.b", "difference": "not expected, came 1"},
    ]


def test_texts_that_look_alike_are_shown_escaped():
    reason = verdict("e\u0301", "é", unicode="none").reason
    assert reason == r"expected '\xe9', came 'e\u0301'"


def test_a_difference_late_in_a_long_text_is_shown_where_it_is():
    reason = verdict("a" * 1_000_000 + "right", "a" * 1_000_000 + "wrong").reason
    assert "wrong" in reason and "right" in reason
    assert len(reason) < 200


def test_the_details_are_bounded():
    came = verdict(list(range(1000)), list(range(1, 1001)))
    assert len(came.details["differences"]) == 50
    assert came.details["differences_more"] == 950
    deep = {"k" * 100: 1}
    for _ in range(90):
        deep = {"k" * 100: deep}
    assert len(verdict({}, deep).reason) < 600


def test_values_nested_a_hundred_deep_are_compared():
    one, other = 1, 2
    for _ in range(99):
        one, other = [one], [other]
    assert verdict(one, one).passed
    assert not verdict(one, other).passed
    nested = frozenset([1])
    for _ in range(98):
        nested = frozenset([nested])
    assert verdict(nested, nested).passed


@pytest.mark.parametrize("config", [{"numbers": "loose"}, {"unicode": "nfc"}, {"case": "any"}])
def test_an_unknown_setting_is_refused(config):
    with pytest.raises(VerifierConfigError):
        build_verifier("exact", **config)


def test_a_million_items_take_no_long_time():
    items = [f"item {number}" for number in range(1_000_000)]
    assert verdict(items, list(items)).passed


@pytest.mark.parametrize("other", ["a" * 10_000_000, "a" * 9_999_999 + "b", "é" * 1_000_000])
def test_a_huge_text_takes_no_long_time(other):
    verdict(other, "a" * 10_000_000)
    verdict("a" + "\u0301\u0327" * 50_000, "a" + "\u0327\u0301" * 50_000)


@given(PLAIN)
@QUICKLY
def test_every_value_equals_itself_and_a_value_wrapped_is_another(value):
    assert verdict(value, value).passed
    assert not verdict([value], value).passed


@given(PLAIN, PLAIN)
@QUICKLY
def test_equality_is_symmetric(one, other):
    equal(one, other)
    equal(one, other, numbers="value", unicode="NFKC")
