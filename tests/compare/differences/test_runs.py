"""Each run for itself, with figures worked out by hand."""

import pytest

from creel_inspect.compare.comparing import compare
from tests.compare.hand_frames import cases, frame, of, samples


def runs_of(*runs):
    (comparison,) = compare(frame(*runs), details=False).comparisons
    return {run.label: run for run in comparison.runs}


def test_what_was_requested_is_the_sum_of_what_became_of_it():
    results = {"a": ["right", "unscored", "not run"], "b": ["errored", "wrong", "unscored"]}
    rows = samples("one", results)
    rows[1]["reason"] = "timeout"
    counts = runs_of(rows)["one"].counts
    assert (counts.requested, counts.scored, counts.unscored) == (6, 2, 2)
    assert (counts.errored, counts.not_run) == (1, 1)
    assert counts.reasons == {"no reason given": 1, "timeout": 1}


def test_the_most_frequent_errors_are_counted():
    rows = samples("one", {f"c{n:02}": "errored" for n in range(13)})
    for n, row in enumerate(rows):
        row["reason"] = "RateLimitError: slow down" if n < 7 else f"Error {n}"
    errors = runs_of(rows)["one"].counts.errors
    # Of those that are as frequent, the first by name.
    assert list(errors.items()) == [
        ("RateLimitError: slow down", 7),
        ("Error 10", 1),
        ("Error 11", 1),
        ("Error 12", 1),
        ("Error 7", 1),
    ]


def test_the_score_is_the_mean_over_cases_of_the_mean_over_epochs():
    # a: 1 of 3, b: 1 of 1: (1/3 + 1) / 2, not 2 of 4.
    run = runs_of(samples("one", {"a": ["right", "wrong", "wrong"], "b": "right"}))["one"]
    assert run.score.value == pytest.approx(2 / 3)
    assert run.epochs == 3
    assert run.score.observations == 4


def test_bounds_put_every_missing_epoch_at_its_worst_and_its_best():
    # a: 1, and one unknown: .5 to 1. b: never ran: 0 to 1. c: 0.
    run = runs_of(samples("one", {"a": ["right", "errored"], "b": "not run", "c": "wrong"}))["one"]
    assert run.bounds.low == pytest.approx(0.5 / 3)
    assert run.bounds.high == pytest.approx(2 / 3)
    assert run.score.value == pytest.approx(0.5)


def test_a_score_without_a_known_range_has_no_bounds_where_something_is_missing():
    missing = samples("one", {"a": 3.5, "b": "errored"}, kind="other", unit=False)
    whole = samples("two", {"a": 3.5, "b": 7.0}, kind="other", unit=False)
    runs = runs_of(missing, whole)
    assert runs["one"].bounds is None
    assert (runs["two"].bounds.low, runs["two"].bounds.high) == (5.25, 5.25)


def test_a_run_without_a_score_is_last_and_has_none():
    runs = runs_of(samples("a", {"x": "errored"}), samples("b", {"x": "wrong"}))
    assert list(runs) == ["b", "a"]
    assert runs["a"].score is None
    assert runs["a"].pass_hat == {}
    assert (runs["a"].bounds.low, runs["a"].bounds.high) == (0, 1)


def test_runs_come_best_first_and_by_label_where_they_are_equal():
    runs = runs_of(samples("z", cases(4, 2)), samples("y", cases(4, 2)), samples("x", cases(4, 1)))
    assert list(runs) == ["y", "z", "x"]


def test_pass_hat_and_flips_are_those_of_the_epochs():
    # a: 2 of 2; b: 1 of 2. pass^1 = (1 + .5)/2, pass^2 = (1 + 0)/2; one of two cases flips.
    run = runs_of(samples("one", {"a": ["right", "right"], "b": ["right", "wrong"]}))["one"]
    assert run.pass_hat == pytest.approx({1: 0.75, 2: 0.5})
    assert run.flip_rate == pytest.approx(0.5)


def test_only_arguments_in_which_runs_differ_are_settings():
    runs = runs_of(
        samples("one", cases(2), settings=of(repair="1", effort="low")),
        samples("two", cases(2), settings=of(repair="1", effort="high", seed="4")),
    )
    assert runs["one"].settings == {"effort": "low"}
    assert runs["two"].settings == {"effort": "high", "seed": "4"}


def test_use_is_over_the_samples_that_ran_and_are_known():
    rows = samples("one", {"a": "right", "b": "wrong", "c": "errored", "d": "not run"})
    known = [(1.0, 0.2, 100), (3.0, float("nan"), 300), (8.0, 0.4, float("nan"))]
    for row, (seconds, cost, tokens) in zip(rows, known, strict=False):
        row |= {"working_seconds": seconds, "cost": cost, "total_tokens": tokens}
    rows[3] |= {"working_seconds": float("nan"), "total_tokens": float("nan")}
    use = runs_of(rows)["one"].use
    assert (use.samples, use.cost_known) == (3, 2)
    assert use.cost == pytest.approx(0.3)
    assert use.seconds == 3.0
    assert use.seconds_p90 == pytest.approx(7.0)  # 3 + .8 * (8 - 3)
    assert use.tokens == 200


def fronts(*points):
    """Which of some runs, each a number of right cases of ten and a cost, are on the front."""
    runs = runs_of(
        *(
            samples(f"run-{n}", cases(10, right), cost=cost)
            for n, (right, cost) in enumerate(points)
        )
    )
    return [runs[f"run-{n}"].use.on_front for n in range(len(points))]


@pytest.mark.parametrize(
    ("points", "front"),
    [
        ([(9, 3.0), (5, 1.0)], [True, True]),
        ([(9, 1.0), (5, 3.0)], [True, False]),
        ([(9, 1.0), (9, 1.0)], [True, True]),
        ([(9, 1.0), (9, 2.0)], [True, False]),
        ([(9, 1.0), (8, 1.0)], [True, False]),
        ([(9, 3.0), (5, 1.0), (7, 2.0), (6, 2.5)], [True, True, True, False]),
    ],
)
def test_the_front_holds_the_runs_that_no_other_beats(points, front):
    assert fronts(*points) == front


def test_the_front_is_by_time_where_a_cost_is_not_known():
    runs = runs_of(
        samples("one", cases(4, 2), cost=1.0, working_seconds=9.0),
        samples("two", cases(4, 2), working_seconds=3.0),
    )
    assert {run.use.front_axis for run in runs.values()} == {"seconds"}
    assert (runs["one"].use.on_front, runs["two"].use.on_front) == (False, True)


def test_a_cost_that_is_known_of_some_samples_decides_no_front():
    partly = samples("one", cases(4, 2), cost={"case-000": 0.01}, working_seconds=9.0)
    runs = runs_of(partly, samples("two", cases(4, 2), cost=1.0, working_seconds=3.0))
    assert {run.use.front_axis for run in runs.values()} == {"seconds"}
    assert (runs["one"].use.cost_known, runs["one"].use.samples) == (1, 4)
    assert (runs["one"].use.on_front, runs["two"].use.on_front) == (False, True)


def test_a_run_without_a_score_is_never_on_the_front_nor_decides_its_axis():
    runs = runs_of(
        samples("one", cases(4, 2), cost=1.0), samples("two", dict.fromkeys(cases(4), "errored"))
    )
    assert runs["one"].use.front_axis == "cost"
    assert (runs["one"].use.on_front, runs["two"].use.on_front) == (True, False)


def test_where_neither_cost_nor_time_is_known_there_is_no_front():
    nan = float("nan")
    use = runs_of(samples("one", cases(2), working_seconds=nan, total_tokens=nan))["one"].use
    assert (use.on_front, use.front_axis, use.seconds, use.cost, use.tokens) == (None,) * 5
