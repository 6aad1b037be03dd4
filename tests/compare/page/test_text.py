"""Figures are written as a reader expects them."""

import pytest

from creel_inspect.compare.page import text
from tests.compare.hand_reports import cell, estimate


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.5, "0.500"),
        (None, "–"),
        (-0.0001, "0.000"),
        (-1.5, "−1.500"),
        (12345.678, "1.235e+04"),
        (999.9, "999.900"),
    ],
)
def test_a_score_has_three_decimals(value, written):
    assert text.number(value) == written


def test_a_difference_has_its_sign():
    assert [text.signed(value) for value in (0.25, -0.25, 0.0, 0.0001, None)] == [
        *("+0.250", "−0.250", "0.000", "0.000", "–"),
    ]


def test_an_estimate_without_an_interval_says_so():
    assert text.estimate(estimate(0.5)) == "0.500 [no interval]"
    assert text.estimate(estimate(0.5, 0.1, 0.9)) == "0.500 [0.100 to 0.900]"
    assert text.estimate(estimate(0.5, -0.1, 0.9), sign=True) == "+0.500 [−0.100 to +0.900]"
    assert text.estimate(None) == "–"


def test_a_p_value_is_never_zero():
    assert [text.chance(p) for p in (0.0, 0.00099, 0.001, 0.25, None)] == [
        *("< 0.001", "< 0.001", "0.001", "0.250", "–"),
    ]


def test_money_time_and_counts():
    assert [text.dollars(value) for value in (0, 0.00123, 0.25, 12.0, None)] == [
        *("$0.00", "$0.0012", "$0.25", "$12.00", "–"),
    ]
    assert [text.seconds(value) for value in (0.0735, 9.96, 1234.5, None)] == [
        *("0.07 s", "10.0 s", "1,234 s", "–"),
    ]
    assert text.count(7319.8) == "7,320"


@pytest.mark.parametrize(
    ("one", "written"),
    [
        (cell("right", 1.0), "✓ right"),
        (cell("wrong", 0.0), "✗ wrong"),
        (cell("partly right", 0.73), "◐ partly 0.730"),
        (cell("partly right"), "◐ partly"),
        (cell("declined after attempt", 0.0), "⊘ declined after attempt"),
        (cell("malformed", 0.0), "⚠\ufe0e malformed"),
        (cell("what is new", 0.0), "⚠\ufe0e what is new"),
        (cell("unscored"), "? unscored"),
        (cell("errored"), "! errored"),
        (cell("not run"), "– not run"),
        (cell("mixed", 0.67, ["right", "wrong", "right"]), "± mixed 2/3"),
        (cell("mixed", 0.0, ["wrong", "declined"]), "± mixed 0.000"),
        (cell("mixed", None, ["unscored", "errored"]), "± mixed 0/2"),
    ],
)
def test_a_cell_is_a_sign_and_words(one, written):
    assert f"{text.symbol(one.result)} {text.short(one)}" == written


def test_runs_have_letters_and_then_two():
    assert [text.letter(n) for n in (0, 25, 26, 27, 51, 52, 701, 702)] == [
        *("A", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA"),
    ]


def test_what_acts_unseen_is_written_out():
    assert text.visible("a\x00\u202e\ud800\U000e0041\tb\n") == (
        "a\\u0000\\u202e\\ud800\\U000e0041\tb\n"
    )
    assert text.visible("né → ✓ עברית") == "né → ✓ עברית"
