"""pass^k and flip rates, by going through subsets and pairs of epochs."""

from itertools import combinations
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from creel_inspect.compare.statistics.epochs import flip_rate, pass_hat

from .by_hand import observed

CLOSE = pytest.approx
EPOCHS = st.lists(st.lists(st.sampled_from([0, 1]), min_size=2, max_size=6), min_size=1, max_size=6)


@given(EPOCHS)
def test_pass_hat_is_the_share_of_subsets_that_are_all_right(cases):
    found = pass_hat(observed({f"{i}": values for i, values in enumerate(cases)}))
    assert list(found) == list(range(1, min(map(len, cases)) + 1))
    for k, share in found.items():
        expected = mean(mean(map(all, map(list, combinations(c, k)))) for c in cases)
        assert share == CLOSE(expected, abs=1e-9)


@given(EPOCHS)
def test_the_flip_rate_is_the_share_of_pairs_that_differ(cases):
    expected = mean(mean(x != y for x, y in combinations(c, 2)) for c in cases)
    found = flip_rate(observed({f"{i}": values for i, values in enumerate(cases)}))
    assert found == CLOSE(expected, abs=1e-9)


def test_two_of_three_right_pass_once_in_two_of_three_and_twice_in_one():
    seen = observed({"a": [1, 1, 0]})
    assert pass_hat(seen) == CLOSE({1: 2 / 3, 2: 1 / 3, 3: 0}, abs=1e-12)
    assert flip_rate(seen) == CLOSE(2 / 3, abs=1e-12)


def test_cases_with_one_epoch_have_no_part_in_the_flip_rate():
    seen = observed({"a": [1, 0], "b": [1]})
    assert flip_rate(seen) == 1
    assert pass_hat(seen) == {1: 0.75}
    assert flip_rate(observed({"a": [1], "b": [0]})) is None


def test_scores_that_are_not_right_or_wrong_have_neither():
    assert pass_hat(observed({"a": [0.5, 1]})) == {}
    assert flip_rate(observed({"a": [0.5, 1]})) is None
