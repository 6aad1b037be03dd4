"""The rule for CI, each way it can end, and the summary for a pull request."""

import pytest
from markdown_it import MarkdownIt

from creel_inspect.compare.comparing import compare
from creel_inspect.compare.refusing import CompareError
from creel_inspect.compare.regression import MOST_LOST, markdown, regression
from tests.compare.hand_frames import cases, frame, samples


def reported(base, new, **options):
    sides = {"base": base, "new": new}
    runs = [
        samples(name, results, side=side, **options)
        for side, of_side in sides.items()
        for name, results in of_side.items()
    ]
    return compare(frame(*runs), details=False)


def judged(base, new, margin=0.0, **options):
    return regression(reported({"m": base}, {"m": new}, **options), margin)


@pytest.mark.parametrize(
    ("before", "after", "margin", "status", "exit_status"),
    [
        (20, 20, 0.0, "not_shown_worse", 0),
        (10, 20, 0.0, "not_shown_worse", 0),
        (20, 19, 0.0, "not_shown_worse", 0),
        (20, 5, 0.0, "worse", 1),
        (20, 5, 0.1, "worse", 1),
        (20, 5, 0.9, "not_shown_worse", 0),
    ],
)
def test_new_is_worse_where_the_whole_interval_lies_below_the_margin(
    before, after, margin, status, exit_status
):
    found = judged(cases(25, before), cases(25, after), margin)
    assert (found.status, found.exit_status) == (status, exit_status)


def test_the_margin_is_held_against_the_end_of_the_interval():
    report = reported({"m": cases(25, 20)}, {"m": cases(25, 5)})
    high = report.comparisons[0].pairs[0].difference.high
    assert high < 0
    assert regression(report, -high - 0.001).status == "worse"
    assert regression(report, -high + 0.001).status == "not_shown_worse"


def test_a_loss_that_is_still_compatible_is_told():
    report = reported({"m": cases(25, 20)}, {"m": cases(25, 19)})
    low = report.comparisons[0].pairs[0].difference.low
    words = regression(report, 0.02).pairs[0].words
    assert f"a loss of {-100 * low:.1f} points is still compatible" in words
    assert "(margin 2.0 points)" in words


def test_where_nothing_was_scored_in_both_nothing_was_measured():
    found = judged({"a": "right", "b": "errored"}, {"a": "errored", "b": "right"})
    assert (found.status, found.exit_status) == ("not_measured", 2)
    assert "no case was scored in both" in found.pairs[0].words


@pytest.mark.parametrize(("lost", "status"), [(4, "not_shown_worse"), (5, "not_measured")])
def test_a_new_run_must_not_pass_for_want_of_the_cases_it_lost(lost, status):
    assert MOST_LOST == 0.2
    results = [*["errored"] * lost, *["right"] * (20 - lost)]
    found = judged(cases(20, 20), {f"case-{n:03}": one for n, one in enumerate(results)})
    assert found.status == status


def test_cases_that_the_base_has_not_scored_are_not_lost():
    gone = dict.fromkeys(cases(20), "errored")
    both = {f"more-{n}": "right" for n in range(5)}
    assert judged({**gone, **both}, {**gone, **both}).status == "not_shown_worse"


def test_a_loss_is_told_though_much_was_lost_too():
    new = {**cases(20, 0), **{f"case-{n:03}": "errored" for n in range(6)}}
    assert judged(cases(20, 20), new).status == "worse"


def test_one_worse_pair_is_enough_and_one_unmeasured_pair_is_no_success():
    good, bad = cases(25, 20), cases(25, 2)
    gone = dict.fromkeys(good, "errored")
    for new, status in [
        ({"x": good, "y": bad, "z": gone}, "worse"),
        ({"x": good, "y": good, "z": gone}, "not_measured"),
        ({"x": good, "y": good, "z": good}, "not_shown_worse"),
    ]:
        report = reported({"x": good, "y": good, "z": good}, new)
        assert regression(report).status == status


def test_a_run_that_is_gone_was_not_measured_and_one_that_came_takes_nothing_away():
    good = cases(10, 8)
    two, one = {"x": good, "y": good}, {"x": good, "z": good, "w": good}
    found = regression(reported(two, one))
    assert found.status == "not_measured"
    assert [each.status for each in found.pairs] == ["not_shown_worse", "not_measured"]
    assert "there is no new run" in found.pairs[1].words
    assert regression(reported({"x": good}, {"x": good, "y": good})).status == "not_shown_worse"


@pytest.mark.parametrize("margin", [-0.1, float("nan"), float("inf"), 1.0, 5])
def test_a_margin_that_makes_no_sense_is_refused(margin):
    with pytest.raises(CompareError, match="margin"):
        judged(cases(5, 5), cases(5, 5), margin)


def test_a_margin_is_in_the_unit_of_the_score():
    base = {f"c{n}": 100.0 + n % 3 for n in range(20)}
    new = {case: score - 10 - n % 2 for n, (case, score) in enumerate(base.items())}
    about = {"kind": "other", "unit": False}
    assert judged(base, new, 5, **about).status == "worse"
    assert judged(base, new, 15, **about).status == "not_shown_worse"


def test_runs_of_one_side_are_no_regression():
    report = compare(frame(samples("a", cases(3)), samples("b", cases(3))), details=False)
    with pytest.raises(CompareError, match="two paths"):
        regression(report)


def summary(report, margin=0.0):
    return markdown(report, regression(report, margin))


def test_the_summary_has_verdict_figures_counts_and_the_cases_that_lost():
    base = {**cases(20, 20), "gone": "right"}
    new = {**cases(20, 5, other="malformed"), "gone": "errored"}
    told = summary(reported({"m": base}, {"m": new}), 0.02)
    assert told.startswith("## Worse\n")
    assert "**Worse**: m: new minus base is -75.0 points (95 % interval" in told
    assert "| m | 100.0 | 25.0 | -75.0 points (95 % interval " in told
    assert "| new | m | 20 | 0 | 1 | 0 | 21 |" in told
    assert "**m**: got worse, or lost the score: 16 cases" in told
    assert "| right | malformed | 15 |" in told
    assert "| right | errored | 1 |" in told
    assert "| case-005 | right | malformed | why case-005 |" in told
    assert "and 6 more" in told
    assert "lies below −0.02" in told
    assert "more than 20 % of the cases" in told


def test_the_summary_of_nothing_worse_lists_no_cases():
    told = summary(reported({"m": cases(5, 5)}, {"m": cases(5, 5)}))
    assert told.startswith("## Not shown to be worse\n")
    assert "got worse" not in told
    assert "lies below 0;" in told


def test_warnings_are_in_the_summary():
    runs = [samples("m", cases(3, 2), side=side) for side in ("base", "new")]
    report = compare(frame(*runs, notes=["a log was skipped"]), details=False)
    assert "- a log was skipped" in summary(report)


EVIL = "</td><script>alert(1)</script> | cell\n\n# heading [a](javascript:x) ![i](http://x) \x1b[2J"


def test_nothing_of_a_log_becomes_markup_in_the_summary():
    report = reported(
        {EVIL: {EVIL: "right", "b": "right"}},
        {EVIL: {EVIL: EVIL, "b": "unscored"}},
        why=EVIL,
        task=EVIL,
        reason=EVIL,
    )
    told = summary(report)
    assert "\x1b" not in told
    html = MarkdownIt("commonmark").enable("table").render(told)
    assert "<script" not in html
    assert "<a " not in html
    assert "<img" not in html
    assert html.count("<h1>") == 0
    rows = [row for row in html.split("<tr>")[1:] if "<td>" in row]
    assert {row.count("<td>") for row in rows} <= {3, 4, 5, 7}


def test_nobody_is_notified_and_nothing_is_linked_by_what_a_log_says():
    evil = "@everyone http://x.example www.x.example a@x.example"
    report = reported({evil: {evil: "right"}}, {evil: {evil: evil}}, why=evil, task=evil)
    told = summary(report)
    for start in ("@e", "@x", "://", "www."):
        assert start not in told
    assert "everyone" in told
