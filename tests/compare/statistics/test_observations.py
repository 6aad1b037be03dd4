"""Scored samples, in an order of their own."""

import pytest

from creel_inspect.compare.statistics.observations import Observations, pair

from .by_hand import observed


def test_a_mean_is_over_cases_of_the_mean_over_epochs():
    seen = observed({"b": [1, 0, 0, 1], "a": [1]})
    assert seen.cases == ["a", "b"]
    assert seen.case_means.tolist() == [1, 0.5]
    assert (seen.binary, seen.single, seen.within_unit) == (True, False, True)
    assert not observed({"a": [0.5]}).binary
    assert not observed({"a": [1.5]}).within_unit


def test_epochs_of_a_case_need_not_stand_together():
    apart = Observations(["a", "b", "a"], ["a", "b", "a"], [1, 0, 0])
    assert apart.case_means.tolist() == [0.5, 0]
    assert apart.counts.tolist() == [2, 1]


@pytest.mark.parametrize(
    ("cases", "clusters", "values", "told"),
    [
        ([], [], [], "at least one scored sample"),
        (["a"], ["a"], [1, 0], "equally long; got 1, 1 and shape"),
        (["a"], [], [1], "equally long; got 1, 0 and shape"),
        (["a"], ["a"], [[1]], "flat"),
        (["a", "b"], ["a", "b"], [1, float("nan")], "case 'b' has nan"),
        (["a"], ["a"], [float("inf")], "case 'a' has inf"),
        (["a", "a"], ["x", "y"], [1, 0], "'a' is in 'x' and 'y'"),
    ],
)
def test_what_cannot_be_used_is_refused_with_the_case(cases, clusters, values, told):
    with pytest.raises(ValueError, match=told):
        Observations(cases, clusters, values)


def test_runs_are_paired_over_the_cases_that_both_have():
    both = pair(
        observed({"a": [0], "b": [0, 1], "c": [1]}), observed({"d": [1], "b": [1], "a": [0]})
    )
    assert both.a.cases == both.b.cases == ["a", "b"]
    assert both.differences.values.tolist() == [0, 0.5]
    assert (both.only_a, both.only_b, both.observations) == (0, 1, 5)
    assert pair(observed({"a": [1]}), observed({"b": [1]})) is None


def test_both_runs_must_cluster_a_case_alike():
    with pytest.raises(ValueError, match="'a' is in 'x' and in 'a'"):
        pair(observed({"a": [1]}, {"a": "x"}), observed({"a": [1]}))


def test_thirds_that_are_equal_do_not_differ():
    # 0.1 + 0.2 + 0.3 and 0.3 + 0.3 + 0.0 are not the same float.
    both = pair(observed({"a": [0.1, 0.2, 0.3]}), observed({"a": [0.3, 0.3, 0.0]}))
    assert both.differences.values.tolist() == [0]
    assert both.only_a == both.only_b == 0


def test_clusters_are_told_apart_to_the_last_character():
    both = pair(
        observed({"a": [1], "b": [1]}, {"a": "x", "b": "x\0"}),
        observed({"a": [0], "b": [1]}, {"a": "x", "b": "x\0"}),
    )
    assert not both.differences.shared
