"""Scores over some of the cases."""

import pytest

from creel_inspect.compare.comparing import compare
from creel_inspect.compare.differences.slices import operators_of
from tests.compare.hand_frames import frame, samples


def slices_of(*runs):
    found = compare(frame(*runs), details=False).comparisons[0].slices
    return {
        (one.kind, one.name): (
            one.cases,
            {run[-3:]: score and score.value for run, score in one.scores.items()},
        )
        for one in found
    }


def test_a_slice_holds_the_cases_of_its_tag():
    tags = {"a": ["x", "y"], "b": ["x"], "c": []}
    one = samples("one", {"a": "right", "b": "wrong", "c": "right"}, tags=tags)
    two = samples("two", {"a": "errored", "b": "right", "c": "right"}, tags=tags)
    assert slices_of(one, two) == {
        ("tag", "x"): (2, {"two": 1.0, "one": 0.5}),
        ("tag", "y"): (1, {"two": None, "one": 1.0}),
    }


def test_answerable_questions_are_told_from_others_where_there_are_both():
    feasible = {"a": True, "b": True, "c": False}
    found = slices_of(
        samples("one", {"a": "right", "b": "wrong", "c": "declined"}, feasible=feasible)
    )
    assert found == {
        ("answerable", "answerable"): (2, {"one": 0.5}),
        ("answerable", "not answerable"): (1, {"one": 0.0}),
    }
    assert slices_of(samples("one", {"a": "right"}, feasible=True)) == {}


def test_corpora_are_slices_of_the_extraction_task():
    found = slices_of(samples("one", {"x/1": 0.5, "x/2": 1.0, "y/1": 0.0}, kind="extraction"))
    assert found == {("corpus", "x"): (2, {"one": 0.75}), ("corpus", "y"): (1, {"one": 0.0})}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"where": {"op": "and", "clauses": [{"op": "eq"}, {"op": "eq"}]}}, ["and", "eq"]),
        ({"op": 4, "where": [{"op": "not", "clause": {"op": "gt", "value": "op"}}]}, ["gt", "not"]),
        (None, []),
        ("op", []),
    ],
)
def test_operators_are_every_op_of_a_query(query, found):
    assert operators_of(query) == found


def test_a_query_nested_without_end_is_read_all_the_same():
    query = {"op": "leaf"}
    for _ in range(50_000):
        query = {"op": "not", "clause": query}
    assert operators_of(query) == ["leaf", "not"]
