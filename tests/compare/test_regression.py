"""The rule for CI, each way it can end, and the summary for a pull request."""

import pytest
from markdown_it import MarkdownIt

from creel_inspect.compare.comparing import compare
from creel_inspect.compare.refusing import CompareError
from creel_inspect.compare.regression import LEAST_SCORED, markdown, regression
from tests.compare.hand_frames import cases, frame, samples


def reported(base, new, **options):
    sides = {"base": base, "new": new}
    runs = [
        samples(name, results, side=side, **options)
        for side, of_side in sides.items()
        for name, results in of_side.items()
    ]
    return compare(frame(*runs), details=False)


SIDES = ("base", "new")


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
    assert LEAST_SCORED == 0.8
    results = [*["errored"] * lost, *["right"] * (20 - lost)]
    found = judged(cases(20, 20), {f"case-{n:03}": one for n, one in enumerate(results)})
    assert found.status == status


def test_a_run_that_was_hardly_measured_is_no_success():
    # Base has 3 of 60 cases, which new has right too; new is wrong on all that base has not.
    base = {f"c{n:02}": "right" if n < 3 else "errored" for n in range(60)}
    new = {f"c{n:02}": "right" if n < 3 else "wrong" for n in range(60)}
    found = judged(base, new)
    assert (found.status, found.exit_status) == ("not_measured", 2)
    assert found.pairs[0].words == ("3 of 60 cases were scored in both; at least 80 % have to be")


@pytest.mark.parametrize(
    ("lost_of_five", "status"), [(1, "not_shown_worse"), (2, "not_measured"), (4, "not_measured")]
)
@pytest.mark.parametrize("side", ["base", "new"])
def test_epochs_that_were_lost_count_though_every_case_keeps_one(lost_of_five, status, side):
    whole = {f"c{n}": ["right"] * 5 for n in range(12)}
    lost = {case: ["right"] * (5 - lost_of_five) + ["errored"] * lost_of_five for case in whole}
    found = judged(lost, whole) if side == "base" else judged(whole, lost)
    assert found.status == status
    if status == "not_measured":
        told = f"{60 - 12 * lost_of_five} of 60 samples of {side} were scored, epochs counted"
        assert told in found.pairs[0].words


def test_what_is_missing_is_told_with_what_it_could_have_cost():
    new = {**cases(100, 100), **{f"case-{n:03}": "errored" for n in range(20)}}
    found = judged(cases(100, 100), new)
    assert found.status == "not_shown_worse"
    assert (
        "had all that is missing or not judged gone against new, it would be -20.0 points"
        in found.pairs[0].words
    )
    whole = judged(cases(100, 100), cases(100, 100)).pairs[0].words
    assert "missing" not in whole


def test_a_range_that_was_only_seen_and_one_that_is_not_known_are_told_so():
    base = {f"c{n}": 0.5 + n % 2 / 4 for n in range(20)}
    new = {**base, "c0": "errored"}
    words = judged(base, new, kind="other").pairs[0].words
    assert words.endswith("points, if every score lies in 0 to 1, as all seen do")
    words = judged(base, new, kind="other", unit=False).pairs[0].words
    assert words.endswith("may be anything, as the score has no known range")


def test_a_task_that_was_refused_is_no_success_and_is_in_the_summary():
    good = [samples("m", cases(25, 20), side=side, task="good", kind="other") for side in SIDES]
    bad = [
        samples("x", cases(5), side=side, corpus_fingerprint=f"corpus of {side}") for side in SIDES
    ]
    report = compare(frame(*good, *bad), details=False)
    found = regression(report)
    assert [one.status for one in found.pairs] == ["not_shown_worse"]
    assert (found.status, found.exit_status) == ("not_measured", 2)
    told = markdown(report, found)
    assert told.startswith("## Not measured\n")
    assert "Not compared:\n\n- nl\\_search: these runs cannot be compared fairly." in told
    assert "corpus of base" in told


def test_with_epochs_the_summary_lists_the_transitions_of_the_cases_it_names():
    base = {f"c{n}": ["right", "right"] for n in range(12)}
    new = {**base, "c0": ["right", "wrong"]}
    told = summary(reported({"m": base}, {"m": new}))
    assert "| right | mixed | 1 |" in told
    assert "| c0 | right | mixed (0.5) | why c0 |" in told


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
    assert "| new | m | 20 | 0 | 1 (1 no reason given) | 0 | 21 |" in told
    assert "**m**: got worse, or lost the score: 16 cases" in told
    assert "| right | malformed | 15 |" in told
    assert "| right | errored | 1 |" in told
    assert "| case-005 | right | malformed | why case-005 |" in told
    assert "and 6 more" in told
    assert "lies below −0.02" in told
    assert "less than 80 % of the cases" in told


def test_the_summary_of_nothing_worse_lists_no_cases():
    told = summary(reported({"m": cases(5, 5)}, {"m": cases(5, 5)}))
    assert told.startswith("## Not shown to be worse\n")
    assert "got worse" not in told
    assert "lies below 0;" in told


def test_why_samples_errored_is_in_the_summary():
    new = {**cases(19, 19), "gone": "errored"}
    base = {**cases(19, 19), "gone": "right"}
    told = summary(reported({"m": base}, {"m": new}, reason="RateLimitError: slow down"))
    assert "| new | m | 19 | 0 | 1 (1 RateLimitError: slow down) | 0 | 20 |" in told


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
    sha = "0123456789abcdef0123456789abcdef01234567"
    evil = f"@everyone http://x.example www.x.example a@x.example #12 GH-12 :bug: {sha}"
    report = reported({evil: {evil: "right"}}, {evil: {evil: evil}}, why=evil, task=evil)
    told = summary(report)
    for start in ("@e", "@x", "://", "www.", "#1", "GH-", ":bug", sha):
        assert start not in told
    assert "everyone" in told


def test_a_difference_over_fewer_cases_says_over_how_many():
    # Base has 4/5, new 3/4 of those it has a score for: the two do not subtract to the difference.
    base = {"a": "right", "b": "right", "c": "right", "d": "right", "e": "wrong"}
    found = judged(base, {**base, "a": "errored"})
    assert "on the 4 of 5 cases scored in both" in found.pairs[0].words
