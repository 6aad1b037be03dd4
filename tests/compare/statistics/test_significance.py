"""Tests of no difference, against enumeration."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from creel_inspect.compare.statistics.significance import _sign_flip, holm, no_difference

from . import by_hand
from .by_hand import observed, once, table

CLOSE = pytest.approx


def test_mcnemars_mid_p_is_that_of_the_book():
    # Fagerland, Lydersen and Laake 2017, chapter 8: P = 0.034690; its exact P is 0.052479.
    found = no_difference(*table(59, 6, 16, 80))
    assert round(found.p, 6) == 0.034690
    assert (found.name, found.only_a, found.only_b) == ("McNemar's mid-p test", 6, 16)
    assert round(by_hand.mcnemar(6, 16)[0], 6) == 0.052479


def test_mcnemars_mid_p_adds_up_the_chances_of_every_split():
    for only_a in range(12):
        for only_b in range(12):
            if only_a + only_b:
                found = no_difference(*table(3, only_a, only_b, 2))
                assert found.p == CLOSE(by_hand.mcnemar(only_a, only_b)[1], abs=1e-9)


def test_nothing_that_differs_is_no_evidence():
    assert no_difference(*table(3, 0, 0, 2)).p == 1
    same = observed({"a": [0, 1], "b": [1, 1]})
    assert no_difference(same, same).p == 1
    assert no_difference(once([0.3, 0.4]), once([0.3, 0.4])).p == 1
    assert no_difference(observed({"a": [1]}), observed({"b": [1]})) is None


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(*[st.lists(st.sampled_from([0, 1]), min_size=3, max_size=3)] * 2),
        min_size=2,
        max_size=10,
    ),
    st.booleans(),
)
def test_right_or_wrong_in_epochs_flips_every_sign(cases, matched):
    clusters = {f"{i:02}": f"{i // 2:02}" for i in range(len(cases))} if matched else {}
    a = observed({f"{i:02}": x for i, (x, _) in enumerate(cases)}, clusters)
    b = observed({f"{i:02}": y for i, (_, y) in enumerate(cases)}, clusters)
    sums: dict[str, float] = {}
    for i, (x, y) in enumerate(cases):
        name = clusters.get(f"{i:02}", f"{i:02}")
        sums[name] = sums.get(name, 0) + (sum(y) - sum(x)) / 3
    moved = [one for one in sums.values() if abs(one) > 1e-9]
    expected = by_hand.flips(moved)[1] if moved else 1
    found = no_difference(a, b)
    assert found.p == CLOSE(expected, abs=1e-9)
    assert no_difference(b, a).p == CLOSE(expected, abs=1e-9)
    assert "every arrangement" in found.name
    assert (found.only_a, found.only_b) == (None, None)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(*[st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.7, 1.5])] * 2), min_size=1, max_size=9
    )
)
def test_other_scores_flip_every_sign_and_count_ties_in_full(cases):
    a, b = once([0.5, *(x for x, _ in cases)]), once([0.5, *(y for _, y in cases)])
    moved = [y - x for x, y in cases if abs(y - x) > 1e-9]
    expected = by_hand.flips(moved)[0] if moved else 1
    if not (a.binary and b.binary):
        assert no_difference(a, b).p == CLOSE(expected, abs=1e-9)


def test_flipping_signs_of_single_right_or_wrong_scores_is_mcnemars_test():
    for only_a, only_b in ((0, 1), (0, 5), (1, 6), (4, 4), (3, 9)):
        signs = np.array([-1.0] * only_a + [1.0] * only_b)
        exact, mid = by_hand.mcnemar(only_a, only_b)
        assert _sign_flip(signs, mid=False, seed=0) == (CLOSE(exact, abs=1e-9), True)
        assert _sign_flip(signs, mid=True, seed=0) == (CLOSE(mid, abs=1e-9), True)


def test_epochs_that_only_repeat_themselves_change_no_p_value():
    once_a, once_b = table(5, 1, 8, 4)
    a = observed({case: [v] * 3 for case, v in zip(once_a.cases, once_a.values, strict=True)})
    b = observed({case: [v] * 3 for case, v in zip(once_b.cases, once_b.values, strict=True)})
    assert no_difference(a, b).p == CLOSE(no_difference(once_a, once_b).p, abs=1e-9)


def test_arrangements_that_are_drawn_come_near_all_of_them():
    for mid in (False, True):
        signs = np.array([-1.0] * 12 + [1.0] * 28)
        found, every = _sign_flip(signs, mid=mid, seed=0)
        expected = by_hand.mcnemar(12, 28)[mid]
        assert not every
        # Four standard errors of 9,999 draws.
        assert abs(found - expected) < 4 * sqrt(expected * (1 - expected) / 9_999)


def test_a_drawn_p_value_is_never_0():
    a, b = once([0.1] * 40), once([0.1 + 0.01 * (i + 1) for i in range(40)])
    assert no_difference(a, b).p == 1 / 10_000
    assert no_difference(a, b, seed=3) == no_difference(a, b, seed=3)


def test_the_last_digits_of_a_sum_do_not_break_ties():
    # 0.1 + 0.2 - 0.3 is 0 but for rounding, as are all sums of this kind.
    sums = np.array([0.1, 0.2, -0.3])
    assert _sign_flip(sums, mid=False, seed=0)[0] == 1
    assert _sign_flip(sums, mid=True, seed=0)[0] == CLOSE(by_hand.flips(sums)[1])
    assert by_hand.flips(sums)[1] == 1 - 2 / 8 / 2


def test_holm_multiplies_by_how_many_are_left():
    # Smallest times 4, next times 3, ...; never below one before: 0.04, 0.06, 0.06, 0.06.
    assert holm([0.01, 0.02, 0.03, 0.04]) == CLOSE([0.04, 0.06, 0.06, 0.06], abs=1e-9)
    # In the order given: 0.005 * 3, 0.03 * 2, 0.2.
    assert holm([0.2, 0.005, 0.03]) == CLOSE([0.2, 0.015, 0.06], abs=1e-9)
    assert holm([0.7, 0.6]) == [1, 1]
    assert holm([0.03]) == [0.03]
    assert holm([]) == []


@pytest.mark.parametrize("bad", [float("nan"), -0.1, 1.1])
def test_holm_takes_p_values_alone(bad):
    with pytest.raises(ValueError, match=r"should lie in \[0, 1\]"):
        holm([0.5, bad])


@settings(max_examples=12, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.randoms())
def test_holm_does_not_depend_on_the_order(ps, random):
    found = dict(zip(ps, holm(ps), strict=True))
    others = ps[:]
    random.shuffle(others)
    assert holm(others) == CLOSE([found[p] for p in others], abs=1e-9)
    expected, least = {}, 0.0
    for index, p in enumerate(sorted(ps)):
        least = max(least, min(1.0, p * (len(ps) - index)))
        # Of equal ones the first has the most left, and carries over to the others.
        expected[p] = least
    assert found == CLOSE(expected, abs=1e-9)
