"""Intervals, against published figures and other ways to work them out."""

import os
import subprocess
import sys
from itertools import product
from math import pi, sqrt, tan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from creel_inspect.compare.statistics import intervals
from creel_inspect.compare.statistics.intervals import difference_estimate, mean_estimate
from creel_inspect.compare.statistics.significance import no_difference

from . import by_hand
from .by_hand import NORMAL, observed, once, table

CLOSE = pytest.approx


def close(found, low, high):
    assert found.low == CLOSE(float(low), abs=1e-9)
    assert found.high == CLOSE(float(high), abs=1e-9)


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    # Newcombe 1998, Statistics in Medicine 17:857, table I, method 3; it gives four digits.
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_one_rate_has_the_wilson_interval_of_the_paper(right, n, low, high):
    found = mean_estimate(once([1] * right + [0] * (n - right)))
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)
    close(found, *by_hand.wilson(right / n, n))
    assert (found.method, found.cases, found.clusters, found.observations) == ("Wilson", n, n, n)
    assert found.value == CLOSE(right / n, abs=1e-12)


def test_wilson_is_the_root_of_its_equation_for_every_count():
    for n in (1, 2, 12, 30):
        for right in range(n + 1):
            found = mean_estimate(once([1] * right + [0] * (n - right)))
            close(found, *by_hand.wilson(right / n, n))


UNEVEN = {
    "a": [1, 0, 1],
    "b": [1, 1, 1],
    "c": [0, 0],
    "d": [1, 0, 0, 0],
    "e": [0, 1, 1],
    "f": [1],
    "g": [0, 0, 0],
}
OTHER = {
    "a": [1, 1, 1],
    "b": [1, 0],
    "c": [0, 1],
    "d": [1, 1, 0],
    "e": [1, 1, 1],
    "f": [1],
    "g": [0, 1, 0],
}
MATCHED = {"c": "b", "e": "d"}


@pytest.mark.parametrize(
    ("scores", "clusters", "between"),
    [(UNEVEN, {}, False), (UNEVEN, MATCHED, True), (OTHER, {}, True), (OTHER, MATCHED, True)],
)
def test_epochs_and_matched_pairs_count_as_fewer_cases(scores, clusters, between):
    effective = by_hand.effective_cases(scores, clusters)
    rate = np.mean([np.mean(values) for values in scores.values()])
    # All epochs of a case alike, or somewhere between that and all of them independent.
    assert (7 - len(clusters) + 0.1 < effective < 14) == between
    found = mean_estimate(observed(scores, clusters))
    close(found, *by_hand.wilson(float(rate), effective))
    assert f"Wilson over {effective:.1f} effective cases" in found.method
    samples = sum(map(len, scores.values()))
    assert (found.cases, found.clusters, found.observations) == (7, 7 - len(clusters), samples)


def test_epochs_that_are_all_alike_add_nothing():
    single = mean_estimate(once([1, 1, 0, 1, 0, 0, 1, 1, 1, 1]))
    repeated = mean_estimate(
        observed(
            {f"{index}": [one] * 4 for index, one in enumerate([1, 1, 0, 1, 0, 0, 1, 1, 1, 1])}
        )
    )
    close(repeated, single.low, single.high)
    # Likewise where everything is right.
    close(mean_estimate(observed({f"{i}": [1] * 4 for i in range(10)})), *by_hand.wilson(1, 10))


def test_epochs_never_count_as_more_than_independent_cases():
    # Every case has one of two right: no spread between cases at all.
    found = mean_estimate(observed({f"{index}": [0, 1] for index in range(10)}))
    close(found, *by_hand.wilson(0.5, 20))


def test_one_case_in_epochs_is_one_case():
    close(mean_estimate(observed({"a": [0, 1, 1, 0]})), *by_hand.wilson(0.5, 1))


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        # Newcombe 1998, Statistics in Medicine 17:2635, table III, method 10.
        ((36, 2, 12, 0), 0.0569, 0.3404),
        # Fagerland, Lydersen and Laake 2017, "Statistical Analysis of Contingency Tables",
        # chapter 8, complete response before and after consolidation therapy; four digits.
        ((59, 16, 6, 80), -0.1186, -0.0046),
    ],
)
def test_paired_rates_have_newcombes_interval_of_the_papers(counts, low, high):
    found = difference_estimate(*table(*counts))
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)
    assert found.method == "Newcombe (1998) method 10, paired"


def test_newcombes_interval_agrees_in_decimals_for_every_table():
    for n in (2, 7, 12):
        for both, only_a, only_b in product(range(n + 1), repeat=3):
            if both + only_a + only_b <= n:
                counts = both, only_a, only_b, n - both - only_a - only_b
                found = difference_estimate(*table(*counts))
                low, high = by_hand.newcombe(*counts)
                close(found, max(low, -1), min(high, 1))
                assert found.value == CLOSE((only_b - only_a) / n, abs=1e-12)
                assert found.low < found.value or found.value == -1
                assert found.low < found.high


@pytest.mark.parametrize("clusters", [{}, MATCHED])
def test_paired_rates_over_epochs_add_squares_of_clustered_intervals(clusters):
    a = {case: float(np.mean(values)) for case, values in UNEVEN.items()}
    b = {case: float(np.mean(values)) for case, values in OTHER.items()}
    of_a, of_b, of_both = (
        by_hand.cluster_error(values, clusters)
        for values in (a, b, {case: b[case] - a[case] for case in a})
    )
    correlation = (of_a**2 + of_b**2 - of_both**2) / (2 * of_a * of_b)
    assert 0 < correlation < 1
    rates = float(np.mean(list(a.values()))), float(np.mean(list(b.values())))
    expected = by_hand.square_and_add(
        rates[0],
        by_hand.wilson(rates[0], by_hand.effective_cases(UNEVEN, clusters)),
        rates[1],
        by_hand.wilson(rates[1], by_hand.effective_cases(OTHER, clusters)),
        correlation,
    )
    found = difference_estimate(observed(UNEVEN, clusters), observed(OTHER, clusters))
    close(found, *expected)
    assert found.value == CLOSE(rates[1] - rates[0], abs=1e-12)
    assert found.observations == 19 + 17


def test_runs_that_never_differ_are_not_known_to_be_equal():
    same = observed({f"{index:02}": [1, 0, index % 2] for index in range(10)})
    found = difference_estimate(same, same)
    # Had more than this share of cases differed, one of ten would have, 19 times in 20.
    share = found.high
    assert (1 - share) ** 10 == CLOSE(0.05, abs=1e-9)
    assert (found.value, found.low) == (0, CLOSE(-share, abs=1e-12))
    assert "at most 25.9% of all would not" in found.method
    single = once([1, 0] * 5)
    close(difference_estimate(single, single), *by_hand.newcombe(5, 0, 0, 5))
    assert difference_estimate(single, single).high > 0.1


def test_scores_that_are_all_the_same_leave_room_for_others():
    found = mean_estimate(once([0.5] * 12))
    share = 1 - 0.05 ** (1 / 12)
    close(found, 0.5 - 0.5 * share, 0.5 + 0.5 * share)
    beyond = mean_estimate(once([2.5] * 12))
    assert (beyond.value, beyond.low, beyond.high) == (2.5, None, None)
    assert beyond.method == "none: all 12 cases score the same"
    moved = difference_estimate(once([2.5] * 12), once([3.5] * 12))
    assert (moved.value, moved.low, moved.high) == (1, None, None)


def test_a_single_case_does_not_tell_how_far_others_vary():
    one = mean_estimate(once([0.3]))
    assert (one.value, one.low, one.high) == (0.3, None, None)
    moved = difference_estimate(once([0]), once([1]))
    assert (moved.value, moved.low, moved.high) == (1, None, None)
    pairs = {"b": "a"}
    both = difference_estimate(
        observed({"a": [0], "b": [1]}, pairs), observed({"a": [1], "b": [1]}, pairs)
    )
    assert (both.value, both.low, both.high, both.clusters) == (0.5, None, None, 1)
    assert difference_estimate(observed({"a": [1]}), observed({"b": [1]})) is None


SCORES = [0.1, 0.35, 0.4, 0.45, 0.8, 0.85, 0.9, 1.0, 1.0, 1.0, 0.0, 0.7]


def resampled(values, clusters, seed=0):
    """Means of draws of clusters, with the same random numbers."""
    names = sorted(set(clusters))
    sums = np.array(
        [sum(v for v, c in zip(values, clusters, strict=True) if c == n) for n in names]
    )
    sizes = np.array([clusters.count(name) for name in names])
    # Drawn from in an order that no name of a case can change: by size, then by how much.
    order = sorted(range(len(names)), key=lambda one: (sizes[one], abs(sums[one]), sums[one]))
    sums, sizes = sums[order], sizes[order]
    at = np.random.default_rng(seed).integers(len(names), size=(9_999, len(names)))
    means = sums[at].sum(axis=1) / sizes[at].sum(axis=1)
    n = len(names)
    tail = NORMAL.cdf(-sqrt(n / (n - 1)) * by_hand.t_quantile(n - 1))
    return sums, sizes, means, tail


@pytest.mark.parametrize("size", [1, 2])
def test_a_mean_score_has_the_bca_bootstrap_interval(size):
    clusters = [f"{index // size:02}" for index in range(12)]
    named = [f"{index:02}" for index in range(12)]
    own = dict(zip(named, clusters, strict=True))
    sums, sizes, means, tail = resampled(SCORES, clusters)
    mean = sum(SCORES) / 12
    # Efron 1987.
    z = NORMAL.inv_cdf(((means < mean - 1e-9).mean() + (means < mean + 1e-9).mean()) / 2)
    left = (sums.sum() - sums) / (sizes.sum() - sizes)
    far = left.mean() - left
    bend = (far**3).sum() / (6 * (far**2).sum() ** 1.5)
    ends = []
    for level in (tail, 1 - tail):
        moved = z + NORMAL.inv_cdf(level)
        ends.append(np.quantile(means, NORMAL.cdf(z + moved / (1 - bend * moved))))
    reach = by_hand.t_quantile(len(sums) - 1) * by_hand.cluster_error(
        dict(zip(named, SCORES, strict=True)), own
    )
    found = mean_estimate(
        observed({name: [one] for name, one in zip(named, SCORES, strict=True)}, own)
    )
    close(found, min(ends[0], mean - reach), max(ends[1], mean + reach))
    assert (ends[0] < mean - reach) == (size == 1)
    assert f"over {12 // size} " in found.method


@pytest.mark.parametrize("size", [1, 2])
def test_a_difference_of_scores_has_the_percentile_interval(size):
    clusters = [f"{index // size:02}" for index in range(12)]
    named = [f"{index:02}" for index in range(12)]
    own = dict(zip(named, clusters, strict=True))
    changes = [0, 0.02, 0, 0.1, 0, -0.03, 0, -0.05, 0.04, 0, 0.9, 0.3]
    before = [0.05] * 12
    _, _, means, tail = resampled(changes, clusters, seed=5)
    reach = by_hand.t_quantile(12 // size - 1) * by_hand.cluster_error(
        dict(zip(named, changes, strict=True)), own
    )
    found = difference_estimate(
        observed({name: [one] for name, one in zip(named, before, strict=True)}, own),
        observed(
            {
                name: [one + change]
                for name, one, change in zip(named, before, changes, strict=True)
            },
            own,
        ),
        seed=5,
    )
    mean = sum(changes) / 12
    ends = np.quantile(means, [tail, 1 - tail])
    close(found, min(ends[0], mean - reach), max(ends[1], mean + reach))
    assert "seed 5" in found.method


def test_the_bootstrap_ends_where_every_draw_of_six_puts_them():
    changes = [0.05] * 5 + [0.9]
    draws = sorted(sum(draw) / 6 for draw in product(changes, repeat=6))
    tail = NORMAL.cdf(-sqrt(6 / 5) * by_hand.t_quantile(5))
    high = draws[int((1 - tail) * len(draws))]
    assert high == CLOSE((4 * 0.9 + 2 * 0.05) / 6)
    # Downwards the t interval reaches further: no draw is below 0.05. One of six values lies 0.85
    # beyond the others, so that the error is 0.85 / 6.
    low = (5 * 0.05 + 0.9) / 6 - by_hand.t_quantile(5) * 0.85 / 6
    found = difference_estimate(once([0.05] * 6), once([0.05 + one for one in changes]))
    close(found, low, high)


@pytest.mark.parametrize("others", [0, 1, 4])
def test_where_hardly_any_differ_there_is_room_for_others_that_do(others):
    changes = [0.001] * (1 + others) + [0.0] * (14 - others)
    # One more cluster won by 1 and one lost: 17 values, of which two are 1 and -1.
    mean = sum(changes) / 17
    squares = sum((one - mean) ** 2 for one in [*changes, 1, -1])
    reach = by_hand.t_quantile(16) * sqrt(squares / 16 / 17)
    found = difference_estimate(once([0.5] * 15), once([0.5 + one for one in changes]))
    close(found, sum(changes) / 15 - reach, sum(changes) / 15 + reach)
    assert "fewer than 6 cases differ" in found.method
    # Much as where none does: 1 - 0.05 ** (1 / 15) is 0.181.
    assert reach == CLOSE(0.181, abs=0.002)


def test_what_is_left_by_rounding_is_no_difference():
    for scale in (1e-3, 1.0, 1e6):
        scores = [scale / 7 * (index + 1) for index in range(20)]
        noise = difference_estimate(once(scores), once([one * (1 + 3e-16) for one in scores]))
        assert noise.value == 0
        shifted = difference_estimate(once(scores), once([one + 0.1 * scale for one in scores]))
        if scale > 1:
            assert shifted.value == CLOSE(0.1 * scale)
            assert (shifted.low, shifted.high) == (None, None)


def test_an_interval_stays_where_scores_can_lie():
    low = mean_estimate(once([0, 0, 0, 0.1]))
    assert low.low == 0
    assert low.high > 0.1
    wide = difference_estimate(once([0, 0.1]), once([1, 0.2]))
    assert (wide.low, wide.high) == (-1, 1)
    free = difference_estimate(once([0, 10]), once([100, 20]))
    assert free.high > 100


def shuffled(data, scores, clusters):
    rows = [(case, value) for case, values in scores.items() for value in values]
    order = data.draw(st.permutations(rows))
    return by_hand.Observations(
        [case for case, _ in order],
        [clusters.get(case, case) for case, _ in order],
        [value for _, value in order],
    )


@settings(max_examples=25, deadline=None)
@given(st.data(), st.sampled_from([{}, MATCHED]), st.booleans())
def test_no_order_of_samples_changes_an_interval(data, clusters, binary):
    part = 1 if binary else 1 / 3
    a = {case: [one * part for one in values] for case, values in UNEVEN.items()}
    b = {case: [one * part for one in values] for case, values in OTHER.items()}
    first, other = shuffled(data, a, clusters), shuffled(data, b, clusters)
    assert mean_estimate(first) == mean_estimate(observed(a, clusters))
    assert difference_estimate(first, other) == difference_estimate(
        observed(a, clusters), observed(b, clusters)
    )


def test_clusters_that_lie_on_a_line_leave_room_for_others():
    # Two clusters always do. Differences 1/6, 1/6 | 0: mean 1/9, residual totals 1/9 and -1/9, so
    # the error is sqrt(2/1 * 2/81) / 3 = 2/27, and t(0.975, 1) = tan(0.475 pi).
    clusters = {"0": "a", "1": "a", "2": "b"}
    a = observed({"0": [0, 0, 1], "1": [0, 0, 1], "2": [0, 1, 1]}, clusters)
    b = observed({"0": [0, 1], "1": [0, 1], "2": [0, 1, 1]}, clusters)
    found = difference_estimate(a, b)
    assert found.value == CLOSE(1 / 9, abs=1e-12)
    assert found.low == CLOSE(1 / 9 - tan(0.475 * pi) * 2 / 27, abs=1e-9)
    assert found.high == 1


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(*[st.lists(st.sampled_from([0, 1]), min_size=1, max_size=3)] * 2),
        min_size=2,
        max_size=12,
    ),
    st.booleans(),
    st.sampled_from([1.0, 0.4]),
)
def test_the_other_way_round_it_is_the_same_with_the_other_sign(cases, matched, part):
    clusters = {f"{i:02}": f"{i // 2:02}" for i in range(len(cases))} if matched else {}
    a = observed({f"{i:02}": [v * part for v in x] for i, (x, _) in enumerate(cases)}, clusters)
    b = observed({f"{i:02}": [v * part for v in y] for i, (_, y) in enumerate(cases)}, clusters)
    there, back = difference_estimate(a, b), difference_estimate(b, a)
    assert there.value == CLOSE(-back.value, abs=1e-9)
    if there.low is None:
        assert back.low is None
        return
    assert there.low == CLOSE(-back.high, abs=1e-9)
    assert there.high == CLOSE(-back.low, abs=1e-9)
    assert -1 <= there.low <= there.value + 1e-9
    assert there.value - 1e-9 <= there.high <= 1
    assert there.low < there.high


@settings(max_examples=25, deadline=None)
@given(st.permutations([*UNEVEN]))
def test_what_a_case_is_called_does_not_matter(names):
    renamed = dict(zip(UNEVEN, names, strict=True))
    clusters = {renamed[case]: renamed[cluster] for case, cluster in MATCHED.items()}
    found = mean_estimate(
        observed({renamed[case]: values for case, values in UNEVEN.items()}, clusters)
    )
    expected = mean_estimate(observed(UNEVEN, MATCHED))
    assert (found.low, found.high) == CLOSE((expected.low, expected.high), abs=1e-9)


@settings(max_examples=20, deadline=None)
@given(st.permutations(range(24)), st.booleans())
def test_no_name_of_a_case_changes_what_is_drawn(order, graded):
    part = 1 / 3 if graded else 1.0
    rng = np.random.default_rng(7)
    a, b = ((rng.random((24, 3)) < rate) * part for rate in (0.3, 0.6))
    found = []
    for names in (range(24), order):
        one, other = (
            observed({f"{name:02}": list(row) for name, row in zip(names, rows, strict=True)})
            for rows in (a, b)
        )
        found.append(
            (difference_estimate(one, other), mean_estimate(one), no_difference(one, other))
        )
    assert found[0][0].low == CLOSE(found[1][0].low, abs=1e-9)
    assert found[0][0].high == CLOSE(found[1][0].high, abs=1e-9)
    assert found[0][1].low == CLOSE(found[1][1].low, abs=1e-9)
    assert found[0][2].p == found[1][2].p


def test_batches_of_draws_do_not_change_an_interval(monkeypatch):
    whole = mean_estimate(once(SCORES))
    monkeypatch.setattr(intervals, "_BATCH", 12 * 1_000)
    assert mean_estimate(once(SCORES)) == whole


def test_another_process_finds_the_same_to_the_last_digit():
    program = (
        "from creel_inspect.compare.statistics.intervals import difference_estimate as d\n"
        "from creel_inspect.compare.statistics.observations import Observations as O\n"
        "from creel_inspect.compare.statistics.significance import no_difference as n\n"
        "c = [f'{i % 20}' for i in range(40)]\n"
        "k = [f'{i % 20 // 2}' for i in range(40)]\n"
        "a, b = O(c, k, [i % 7 / 7 for i in range(40)]), O(c, k, [i % 5 / 5 for i in range(40)])\n"
        "print(d(a, b), n(a, b))\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "OMP_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed, threads in (("1", "1"), ("2", "2"))
    }
    assert len(told) == 1
    assert "cluster bootstrap over 10 clusters of cases" in told.pop()
