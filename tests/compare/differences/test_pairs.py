"""Differences of two runs: figures by hand, and words that say no more than the figures."""

import pytest
from scipy.stats import binomtest

from creel_inspect.compare.comparing import compare
from creel_inspect.compare.differences import pairs
from creel_inspect.compare.statistics.observations import Observations
from creel_inspect.compare.statistics.power import detectable
from creel_inspect.compare.wording import amount, probability
from tests.compare.hand_frames import cases, frame, samples


def comparison(*runs):
    return compare(frame(*runs), details=False).comparisons[0]


def only(*runs):
    (pair,) = comparison(*runs).pairs
    return pair


def test_the_difference_is_over_the_cases_that_both_have_scored():
    # Common: a, b, c. One: 1, 0, 1. Two: 0, 0, 1. One is the better run, so b.
    pair = only(
        samples("one", {"a": "right", "b": "wrong", "c": "right", "d": "right"}),
        samples("two", {"a": "wrong", "b": "wrong", "c": "right", "d": "errored"}),
    )
    assert (pair.a, pair.b) == ("id--two", "id--one")
    assert pair.difference.value == pytest.approx(1 / 3)
    assert pair.difference.cases == 3
    assert (pair.test.only_a, pair.test.only_b) == (0, 1)


def test_the_bounds_put_what_is_missing_against_one_and_the_other():
    # One: 1 1 ? of three, 2/3 to 1. Two: 0 ? 1, 1/3 to 2/3.
    pair = only(
        samples("one", {"a": "right", "b": "right", "c": "unscored"}),
        samples("two", {"a": "wrong", "b": "not run", "c": "right"}),
    )
    assert pair.bounds.low == pytest.approx(0)
    assert pair.bounds.high == pytest.approx(2 / 3)


def test_bounds_of_epochs_are_of_case_means():
    # One: (1 + ?)/2 is .5 to 1. Two: 0.
    pair = only(samples("one", {"a": ["right", "errored"]}), samples("two", {"a": "wrong"}))
    assert (pair.bounds.low, pair.bounds.high) == (0.5, 1.0)


def test_a_clear_difference_is_told_with_its_interval_and_p():
    one, two = samples("one", cases(20, 20)), samples("two", cases(20, 8))
    pair = only(one, two)
    assert pair.verdict == "b_better"
    assert pair.difference.value == pytest.approx(12 / 20)
    # All of 12 cases to one side: exact 2 * 2**-12, or half of it.
    assert 2**-12 * 0.999 <= pair.test.p <= binomtest(12, 12, 0.5).pvalue * 1.001
    assert pair.test.p_holm == pair.test.p
    assert pair.words.startswith("one is better than two by 60.0 points (95 % interval ")
    assert pair.words.endswith("p < 0.001)")


def test_p_values_are_adjusted_over_all_pairs():
    runs = [samples(name, cases(20, right)) for name, right in (("x", 20), ("y", 13), ("z", 12))]
    found = comparison(*runs).pairs
    p = {(pair.a[-1], pair.b[-1]): pair.test for pair in found}
    # 8, 7 and 1 cases differ, all to one side, so p rises. Holm: 3 p, 2 p, p, none falling.
    small, middle, large = p["z", "x"], p["y", "x"], p["z", "y"]
    assert small.p < middle.p < large.p
    assert small.p_holm == pytest.approx(3 * small.p)
    assert middle.p_holm == pytest.approx(2 * middle.p)
    assert large.p_holm == pytest.approx(large.p)
    assert "after Holm over 3 pairs" in found[0].words


def test_a_difference_that_holm_leaves_undecided_says_why_where_its_interval_is_clear_of_0():
    # Eight of 40 cases differ, all to one side: p is 2/256 at most, before 28 pairs are counted.
    runs = [samples(f"w{n}", cases(40, 20 if n < 4 else 12)) for n in range(8)]
    unlike = [pair for pair in comparison(*runs).pairs if pair.difference.value]
    assert len(unlike) == 16
    for pair in unlike:
        assert pair.test.p < 0.01
        assert pair.verdict == "not_distinguishable"
        assert pair.difference.low > 0.0005
        assert "its own interval leaves 0 out, but one of 28 pairs may well look" in pair.words


def test_what_may_be_chance_is_told_with_what_it_would_take():
    pair = only(samples("one", cases(30, 12)), samples("two", cases(30, 10)))
    assert pair.verdict == "not_distinguishable"
    assert pair.test.p >= 0.25
    assert pair.words.startswith(
        "one and two: not distinguishable: one scores 6.7 points more (95 % interval "
    )
    assert "which may be chance" in pair.words
    assert "with these 30 cases, a true difference has to be" in pair.words
    assert "in four of five tries" in pair.words
    assert "if it were the one seen, it would take about" in pair.words


def test_a_verdict_whose_interval_reaches_0_is_told_as_weak(monkeypatch):
    real = pairs.difference_estimate
    monkeypatch.setattr(
        pairs,
        "difference_estimate",
        lambda *of, **more: real(*of, **more).model_copy(update={"low": -0.01}),
    )
    pair = only(samples("one", cases(20, 20)), samples("two", cases(20, 8)))
    assert pair.verdict == "b_better"
    assert pair.words.endswith("the interval reaches 0 all the same, so take it as weak")


def test_equal_runs_are_not_said_to_differ():
    pair = only(samples("one", cases(10, 5)), samples("two", cases(10, 5)))
    assert pair.verdict == "not_distinguishable"
    assert "no difference was seen" in pair.words
    assert pair.more_cases is None


def test_runs_without_a_case_in_common_that_is_scored_are_not_measured():
    pair = only(
        samples("one", {"a": "right", "b": "errored"}),
        samples("two", {"a": "errored", "b": "right"}),
    )
    assert pair.verdict == "not_measured"
    assert pair.difference is pair.test is None
    assert "no case was scored in both" in pair.words
    assert (pair.bounds.low, pair.bounds.high) == (-0.5, 0.5)


def test_one_case_is_compared_and_decides_nothing():
    pair = only(samples("one", {"a": "right"}), samples("two", {"a": "wrong"}))
    assert pair.verdict == "not_distinguishable"
    assert pair.difference.value == 1.0
    assert "this 1 case" in pair.words


def test_a_verdict_that_missing_samples_could_turn_is_warned_of():
    # Of 12 scored in both, 8 to 0. Bounds: one 12/40 to 1, two 4/40 to 32/40.
    one = {**cases(12, 12), **{f"more-{n}": "errored" for n in range(28)}}
    two = {**cases(12, 4), **{f"more-{n}": "not run" for n in range(28)}}
    found = comparison(samples("one", one), samples("two", two))
    assert found.pairs[0].verdict == "b_better"
    (told,) = found.warnings
    assert "one is better than two rests on what is missing or not judged" in told
    assert f"{amount(12 / 40 - 32 / 40, points=True)} points" in told


def test_a_verdict_that_survives_the_bounds_is_not_warned_of():
    one = {**cases(20, 20), "more": "errored"}
    two = {**cases(20, 4), "more": "errored"}
    assert comparison(samples("one", one), samples("two", two)).warnings == []


def test_bounds_of_anybody_elses_score_are_told_to_rest_on_a_range_that_was_only_seen():
    gone = {f"more-{n}": "errored" for n in range(28)}
    for kind, guessed in (("other", True), ("search", False)):
        one = samples("one", {**cases(12, 12), **gone}, kind=kind)
        two = samples("two", {**cases(12, 4), **gone}, kind=kind)
        told = comparison(one, two).warnings[-1]
        assert ("if every score lies in 0 to 1, as all seen do" in told) == guessed


def test_what_was_not_judged_is_no_sample_that_is_missing():
    about = {"kind": "extraction", "score_low": 0.0, "score_high": 1.0}
    one = samples("one", dict.fromkeys(cases(12), 0.9), **about)
    two = samples("two", dict.fromkeys(cases(12), 0.1), **about)
    told = comparison(one, two).warnings[-1]
    assert "rests on what is missing or not judged being like the rest" in told
    assert "-100.0 points" in told


def test_points_are_told_by_every_score_and_not_by_means():
    # Two epochs of 2 and 0 have a mean within 0 to 1.
    assert not comparison(samples("one", {"a": [2.0, 0.0]}, kind="other")).points
    assert comparison(samples("one", {"a": [1.0, 0.0]}, kind="other")).points
    assert comparison(samples("one", {"a": "errored"})).points


def test_scores_beyond_one_are_told_in_their_own_unit():
    one = samples("one", {f"c{n}": 10.0 + n % 3 for n in range(30)}, kind="other", unit=False)
    two = samples("two", {f"c{n}": 4.0 + n % 2 for n in range(30)}, kind="other", unit=False)
    pair = only(one, two)
    # Means 11 and 4.5.
    assert pair.words.startswith("one is better than two by 6.5 (95 % interval ")
    assert "points" not in pair.words


def test_a_name_from_a_log_stays_on_its_line():
    pair = only(samples("evil\n\x1b[31m", cases(4, 1)), samples("two", cases(4, 2)))
    assert "\n" not in pair.words
    assert "\x1b" not in pair.words


@pytest.mark.parametrize(
    ("p", "told"),
    [
        (0.0001, "p < 0.001"),
        (0.0104, "p = 0.010"),
        (0.0496, "p = 0.0496"),
        (0.04996, "p = 0.04996"),
        (0.05, "p = 0.050"),
        (0.0504, "p = 0.050"),
        (1.0, "p = 1.000"),
    ],
)
def test_a_p_value_is_never_rounded_across_the_level(p, told):
    assert probability(p) == told


@pytest.mark.parametrize(
    ("value", "points", "told"),
    [(0.0834, True, "8.3"), (-0.0001, True, "0.0"), (-0.5, True, "-50.0"), (1234.5, False, "1230")],
)
def test_amounts_are_short_and_never_minus_nothing(value, points, told):
    assert amount(value, points=points) == told


def test_what_is_detectable_is_told_at_the_level_that_all_pairs_leave():
    runs = [samples(name, cases(30, right)) for name, right in (("a", 20), ("b", 17), ("c", 15))]
    found = comparison(*runs).pairs
    ids = {one.a: one for one in found} | {one.b: one for one in found}
    assert len(found) == 3
    assert len(ids) == 3
    for one in found:
        right = {run: int(run[-1] == "a") * 20 + int(run[-1] == "b") * 17 for run in ids}
        right = {run: number or 15 for run, number in right.items()}
        a, b = (
            Observations(
                [f"{n:02}" for n in range(30)],
                [f"{n:02}" for n in range(30)],
                [float(n < right[run]) for n in range(30)],
            )
            for run in (one.a, one.b)
        )
        assert one.detectable == pytest.approx(detectable(a, b, alpha=0.05 / 3), abs=1e-12)
        assert one.detectable > detectable(a, b, alpha=0.05)


def test_of_very_many_pairs_one_that_is_always_far_behind_is_told_apart():
    # 561 pairs: below 0.05 / 561 is less than one in 10,000 drawn arrangements.
    runs = [
        samples(
            f"run-{n:02}", {f"{c:02}": 0.5 + (c + n) % 3 / 100 for c in range(20)}, kind="other"
        )
        for n in range(33)
    ]
    last = {f"{c:02}": 0.1 + c % 5 / 100 for c in range(20)}
    found = comparison(*runs, samples("behind", last, kind="other")).pairs
    behind = [one for one in found if "id--behind" in (one.a, one.b)]
    assert len(behind) == 33
    assert {one.verdict for one in behind} == {"b_better"}


def test_no_difference_is_promised_that_was_just_seen_and_not_told_apart():
    # Five of six cases gain half: sixteen of 64 arrangements... two are as extreme, 2 / 32 = 0.062.
    one = {f"{n}": 0.2 for n in range(6)}
    two = {f"{n}": 0.7 if n else 0.2 for n in range(6)}
    pair = only(samples("one", one, kind="other"), samples("two", two, kind="other"))
    assert pair.test.p == pytest.approx(2 / 32)
    assert pair.verdict == "not_distinguishable"
    if pair.detectable is not None and pair.detectable <= pair.difference.value:
        assert "do not reliably find one like it" in pair.words
        assert "four of five" not in pair.words
