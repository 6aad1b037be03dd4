"""What many cases can find, against power by enumeration and by quadrature."""

import numpy as np
import pytest

from creel_inspect.compare.statistics.power import _mcnemar_power, detectable, more_cases

from . import by_hand
from .by_hand import observed, once, table

CLOSE = pytest.approx


@pytest.mark.parametrize(
    ("n", "differing", "difference", "alpha"),
    [(12, 0.5, 0.3, 0.05), (20, 0.3, 0.3, 0.05), (9, 1.0, 0.6, 0.05), (25, 0.4, 0.2, 0.005)],
)
def test_mcnemars_power_adds_up_every_outcome(n, differing, difference, alpha):
    expected = by_hand.mcnemar_power(n, differing, difference, alpha)
    assert _mcnemar_power(n, differing, difference, alpha) == CLOSE(expected, abs=1e-9)


@pytest.mark.parametrize("counts", [(4, 3, 3, 4), (6, 0, 0, 6), (10, 1, 2, 7)])
def test_the_detectable_difference_is_found_in_four_of_five_tries(counts):
    n = sum(counts)
    found = detectable(*table(*counts), alpha=0.05)
    # As many cases differ as did, and no fewer than it takes.
    differing = max(found, (counts[1] + counts[2]) / n)
    assert by_hand.mcnemar_power(n, differing, found, 0.05) == CLOSE(0.8, abs=1e-9)


def test_too_few_cases_find_nothing_at_all():
    # Four cases that all go one way have p = 1/16, five 1/32.
    assert detectable(*table(2, 0, 0, 2), alpha=0.05) is None
    assert 0.9 < detectable(*table(2, 0, 0, 3), alpha=0.05) < 1
    assert detectable(*table(2, 0, 0, 3), alpha=0.02) is None
    assert detectable(*table(1, 0, 0, 0), alpha=0.05) is None
    assert more_cases(*table(0, 0, 1, 0), alpha=0.05) is None
    # Sign flips that are not mid-p need one more.
    five = once([0.1, 0.2, 0.3, 0.4, 0.5]), once([0.1, 0.3, 0.3, 0.6, 0.4])
    assert detectable(*five, alpha=0.05) is None


def test_more_cases_are_the_fewest_that_find_the_difference_seen():
    for counts in ((3, 1, 5, 3), (10, 0, 3, 7)):
        n, (only_a, only_b) = sum(counts), counts[1:3]
        added = more_cases(*table(*counts), alpha=0.05)
        given = (only_a + only_b) / n, (only_b - only_a) / n, 0.05
        assert added > 0
        assert by_hand.mcnemar_power(n + added, *given) >= 0.8
        assert by_hand.mcnemar_power(n + added - 1, *given) < 0.8


def test_no_more_cases_are_asked_for_where_there_are_enough_or_nothing_was_seen():
    assert more_cases(*table(5, 0, 20, 5), alpha=0.05) == 0
    assert more_cases(*table(5, 4, 4, 5), alpha=0.05) is None
    assert more_cases(observed({"a": [1]}), observed({"b": [1]}), alpha=0.05) is None
    assert detectable(observed({"a": [1]}), observed({"b": [1]}), alpha=0.05) is None


RNG = np.random.default_rng(8)
BEFORE = RNG.random(24)
AFTER = np.clip(BEFORE + RNG.normal(0.1, 0.2, 24), 0, 1)


@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("alpha", [0.05, 0.005])
def test_scores_have_the_power_of_the_paired_t_test(size, alpha):
    clusters = {f"{i:02}": f"{i // size:02}" for i in range(24)}
    a = observed({f"{i:02}": [one] for i, one in enumerate(BEFORE)}, clusters)
    b = observed({f"{i:02}": [one] for i, one in enumerate(AFTER)}, clusters)
    means = (AFTER - BEFORE).reshape(-1, size).mean(axis=1)
    spread = means.std(ddof=1)
    found = detectable(a, b, alpha=alpha)
    assert by_hand.t_power(found / spread, 24 // size, alpha) == CLOSE(0.8, abs=1e-9)
    added = more_cases(a, b, alpha=alpha, power=0.95)
    effect = abs(means.mean()) / spread
    enough = (24 + added) // size
    assert added > 0
    assert added % size == 0
    assert by_hand.t_power(effect, enough, alpha) >= 0.95
    assert by_hand.t_power(effect, enough - 1, alpha) < 0.95


def test_runs_that_hardly_differ_would_have_to_differ_more_often():
    # Forty cases in epochs, none of which differs: a true difference of x needs as many as x of
    # them to go from wrong to right, and their variance is then x - x**2.
    same = observed({f"{i:02}": [1, 0] for i in range(40)})
    found = detectable(same, same, alpha=0.05)
    spread = (found - found**2) ** 0.5
    assert spread > (2 / 42) ** 0.5
    assert by_hand.t_power(found / spread, 40, 0.05) == CLOSE(0.8, abs=1e-9)
    # Two that go from one of two right to both, in forty: each further one counts a half.
    more = observed({f"{i:02}": [1, float(i < 2)] for i in range(40)})
    found = detectable(same, more, alpha=0.05)
    spread = (found / 2 - found**2) ** 0.5
    assert by_hand.t_power(found / spread, 40, 0.05) == CLOSE(0.8, abs=1e-9)


def test_runs_of_which_nothing_is_known_are_given_a_case_each_way():
    # Two runs that differ by one case of forty in half a point: the spread of one 1/2, one 1, one
    # -1 and 39 times 0 is more than the difference needs.
    same = observed({f"{i:02}": [1, 0] for i in range(40)})
    one = observed({f"{i:02}": [1, float(i < 1)] for i in range(40)})
    spread = float(np.std([0.5, 1, -1] + [0] * 39))
    found = detectable(same, one, alpha=0.05)
    assert spread > (max(found / 2 - found**2, 0)) ** 0.5
    assert by_hand.t_power(found / spread, 40, 0.05) == CLOSE(0.8, abs=1e-9)


def test_scores_without_a_range_that_never_vary_tell_nothing():
    assert detectable(once([2, 3]), once([3, 4]), alpha=0.05) is None
    assert more_cases(once([2, 3]), once([3, 4]), alpha=0.05) is None


def test_no_difference_beyond_the_range_of_scores_is_promised():
    clusters = {"b": "a", "d": "c", "f": "e", "h": "g", "j": "i"}
    a = observed({name: [float(i % 2)] for i, name in enumerate("abcdefghij")}, clusters)
    b = observed({name: [float(i % 3 == 0)] for i, name in enumerate("abcdefghij")}, clusters)
    found = detectable(a, b, alpha=0.05)
    assert found is None or found <= 1
    assert detectable(a, b, alpha=0.04) is None or detectable(a, b, alpha=0.04) >= found


@pytest.mark.parametrize(("alpha", "power"), [(0, 0.8), (1, 0.8), (0.05, 0.05), (0.05, 1)])
def test_levels_that_are_none_are_refused(alpha, power):
    with pytest.raises(ValueError, match="alpha should lie between 0 and 1"):
        detectable(*table(1, 2, 3, 4), alpha=alpha, power=power)
    with pytest.raises(ValueError, match="alpha should lie between 0 and 1"):
        more_cases(*table(1, 2, 3, 4), alpha=alpha, power=power)
