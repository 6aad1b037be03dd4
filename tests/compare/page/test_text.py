"""Figures are written as a reader expects them."""

import sys

import pytest

from creel_inspect.compare import wording
from creel_inspect.compare.page import text
from tests.compare.hand_reports import cell, estimate

PLAIN, POINTS = text.Unit(points=False), text.Unit(points=True)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.5, ("0.5", "50.0")),
        (None, ("–", "–")),
        (-0.0001, ("−0.0001", "0.0")),
        (-1.5, ("−1.5", "−150.0")),
        (2 / 3, ("0.667", "66.7")),
        (1e308, ("1e+308", "1e+308")),
        (-sys.float_info.max, ("−1.8e+308", "−1.8e+308")),
    ],
)
def test_a_score_is_written_in_its_own_unit_or_in_points(value, written):
    assert (PLAIN.number(value), POINTS.number(value)) == written


@pytest.mark.parametrize("value", [0.0, 0.00049, 0.1234, 1 / 3, 0.99951, 1.0, 7.25])
@pytest.mark.parametrize("points", [True, False])
def test_a_figure_is_the_same_on_the_page_as_in_the_words(value, points):
    assert text.Unit(points).number(value) == wording.amount(value, points=points)
    assert text.Unit(points).number(-value) == wording.amount(-value, points=points).replace(
        "-", "−"
    )


def test_a_difference_has_its_sign():
    assert [POINTS.signed(value) for value in (0.25, -0.25, 0.0, 0.0001, None)] == [
        *("+25.0", "−25.0", "0.0", "0.0", "–"),
    ]
    assert [PLAIN.signed(value) for value in (0.25, 0.0)] == ["+0.25", "0"]


def test_an_estimate_without_an_interval_says_so():
    assert POINTS.estimate(estimate(0.5)) == "50.0 [no interval]"
    assert PLAIN.estimate(estimate(0.5, 0.1, 0.9)) == "0.5 [0.1 to 0.9]"
    assert POINTS.estimate(estimate(0.5, -0.1, 0.9), sign=True) == "+50.0 [−10.0 to +90.0]"
    assert POINTS.estimate(None) == "–"


def test_a_p_value_is_not_rounded_across_the_level_that_counts():
    assert [text.chance(p) for p in (0.0498, 0.04996, 0.05, 0.0504)] == [
        *("0.0498", "0.04996", "0.050", "0.050"),
    ]


def test_a_long_reason_is_one_line_and_cut():
    assert text.reason("ab\n\x1b c") == "ab \\x1b c"
    assert text.reason("x" * 500) == "x" * 200 + "…"


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
        (cell("partly right", 0.73), "◐ partly 73.0"),
        (cell("partly right"), "◐ partly"),
        (cell("declined after attempt", 0.0), "⊘ declined after attempt"),
        (cell("malformed", 0.0), "⚠\ufe0e malformed"),
        (cell("what is new", 0.0), "⚠\ufe0e what is new"),
        (cell("scored", 4.0), "• 400.0"),
        (cell("scored"), "• scored"),
        (cell("unscored"), "? unscored"),
        (cell("errored"), "! errored"),
        (cell("not run"), "– not run"),
        (cell("mixed", 0.67, ["right", "wrong", "right"]), "± mixed 2/3"),
        (cell("mixed", 0.0, ["wrong", "declined"]), "± mixed 0.0"),
        (cell("mixed", None, ["unscored", "errored"]), "± mixed 0/2"),
    ],
)
def test_a_cell_is_a_sign_and_words(one, written):
    assert f"{text.symbol(one.result)} {POINTS.short(one)}" == written


def test_runs_have_letters_and_then_two():
    assert [text.letter(n) for n in (0, 25, 26, 27, 51, 52, 701, 702)] == [
        *("A", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA"),
    ]


def test_what_acts_unseen_is_written_out():
    assert text.visible("a\x00\u202e\ud800\U000e0041\tb\n") == (
        "a\\x00\\u202e\\ud800\\U000e0041\tb\n"
    )
    assert text.visible("né → ✓ עברית") == "né → ✓ עברית"


def test_unseen_is_what_the_messages_call_so_but_spaces_and_lines_stay():
    every = "".join(map(chr, range(0x3100))) + "\u3164\ufeff\ufff9\U000e0041"
    spaces = "\t\n\u00a0"
    for char in every:
        if char.isprintable() or char in spaces:
            assert text.visible(char) == char
        elif not char.isspace():
            assert text.visible(char) == wording.one_line(char)
    assert text.visible("a\u00a0b\u202fc") == "a\u00a0b\u202fc"
    assert text.visible("a\u200bb\u2066c\x85d") == "a\\u200bb\\u2066c\\x85d"
