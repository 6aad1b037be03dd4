"""Optimal assignment, and longest common subsequences."""

from itertools import combinations, pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from creel_inspect.verify.sets import sequences
from creel_inspect.verify.sets.assignment import assign
from creel_inspect.verify.sets.sequences import TooLong, longest_common_subsequence

few = settings(max_examples=60, deadline=None)
scores = st.integers(1, 4).flatmap(
    lambda rows: st.integers(1, 4).flatmap(
        lambda columns: st.lists(
            st.lists(
                st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=columns, max_size=columns
            ),
            min_size=rows,
            max_size=rows,
        )
    )
)


def best_total(matrix, floor):
    """By trying every assignment."""
    rows, columns = len(matrix), len(matrix[0])
    if rows > columns:
        return best_total([list(column) for column in zip(*matrix, strict=True)], floor)
    return max(
        sum(
            matrix[row][column] for row, column in enumerate(chosen) if matrix[row][column] >= floor
        )
        for chosen in permutations(range(columns), rows)
    )


def test_the_best_pair_is_not_taken_where_it_costs_more_than_it_brings():
    # Greedily: 0.9 and then 0.1, in all 1.0. The other way round: 0.8 + 0.8.
    assert assign([[0.9, 0.8], [0.8, 0.1]]) == [(0, 1), (1, 0)]


@few
@given(scores, st.sampled_from([0.0, 0.3, 0.6]))
def test_no_other_assignment_has_a_greater_total(matrix, floor):
    pairs = assign(matrix, floor=floor)
    assert len({row for row, _ in pairs}) == len(pairs) == len({column for _, column in pairs})
    assert all(matrix[row][column] >= floor for row, column in pairs)
    assert sum(matrix[row][column] for row, column in pairs) == best_total(matrix, floor)


def test_pairs_below_the_floor_stay_alone():
    assert assign([[0.9, 0.0], [0.0, 0.4]], floor=0.5) == [(0, 0)]
    assert assign([[0.4]], floor=0.5) == []


def test_a_forbidden_pair_is_not_forced_on_the_last_two():
    # 0.4 is below the floor: the two at 0.6 would be worth more than 0.9 alone.
    assert assign([[0.9, 0.6], [0.6, 0.4]], floor=0.5) == [(0, 1), (1, 0)]
    assert assign([[0.9, 0.0], [0.6, 0.4]], floor=0.5) == [(0, 0)]


@pytest.mark.parametrize(
    ("shape", "pairs"),
    [
        ((3, 3), [(0, 0), (1, 1), (2, 2)]),
        ((2, 4), [(0, 0), (1, 1)]),
        ((4, 2), [(0, 0), (1, 1)]),
        ((0, 3), []),
        ((3, 0), []),
    ],
)
def test_equal_scores_are_paired_in_order(shape, pairs):
    assert assign(np.full(shape, 0.5)) == pairs


def test_a_tie_between_two_pairs_goes_to_the_one_in_order():
    # 0.25 + 0.5 both ways.
    assert assign([[0.25, 0.25], [0.5, 0.5]]) == [(0, 0), (1, 1)]
    assert assign([[0.0, 0.5, 0.5], [1.0, 0.0, 0.0]]) == [(0, 1), (1, 0)]


def test_the_same_scores_give_the_same_pairs():
    matrix = np.random.default_rng(3).integers(0, 3, (30, 30)) / 2
    assert assign(matrix) == assign(matrix.copy())


@pytest.mark.parametrize(
    "matrix", [[[float("nan")]], [[float("inf")]], [[-0.1]], [1.0], np.ones((1001, 1000))]
)
def test_what_is_no_matrix_of_scores_is_refused(matrix):
    with pytest.raises(ValueError, match="expected"):
        assign(matrix)


def places(first, second):
    return [[at for at, other in enumerate(second) if one == other] for one in first]


def longest(first, second):
    """By trying every subsequence of the first."""

    def within(chosen):
        rest = iter(second)
        return all(one in rest for one in chosen)

    lengths = range(len(first), -1, -1)
    return next(n for n in lengths if any(within(c) for c in combinations(first, n)))


words = st.text("abc", max_size=8)


@few
@given(words, words)
def test_a_common_subsequence_is_the_longest_by_both_ways(first, second):
    matches = places(first, second)
    ways = [longest_common_subsequence(matches, len(second))]
    ways.append(sequences._by_equal_pairs(matches))
    if first and second:
        ways.append(sequences._by_rows_of_bits(matches, len(second)))
    for pairs in ways:
        assert len(pairs) == longest(first, second)
        assert all(first[row] == second[column] for row, column in pairs)
        assert all(a < c and b < d for (a, b), (c, d) in pairwise(pairs))


def test_a_common_subsequence_of_long_repetitive_sequences_is_found():
    # aaa… (5,000) within abab… (10,000): 5,000.
    matches = [range(0, 10_000, 2)] * 5_000
    assert len(longest_common_subsequence(matches, 10_000)) == 5_000


def test_sequences_that_are_too_long_and_too_repetitive_are_refused():
    with pytest.raises(TooLong, match="30,000 × 30,000"):
        longest_common_subsequence([range(30_000)] * 30_000, 30_000)
