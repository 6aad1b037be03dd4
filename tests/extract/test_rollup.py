"""From marks to figures, against fractions worked out by hand."""

from fractions import Fraction as F

import pytest

from creel_inspect.extract.marking.marking import Mark
from creel_inspect.extract.marking.rollup import f1, figures, precision, recall, roll_up
from creel_inspect.verify.graph.scoring import Tally
from tests.extract.aid import gold, marked


def marks(*counted):
    """Marks of (type, part, state, how many)."""
    return [
        Mark(path=kind, type=kind, part=part, state=state)
        for kind, part, state, count in counted
        for _ in range(count)
    ]


MIXED = marks(
    ("node.donor", "node_type", "right", 2),
    ("node.donor", "node_attributes", "right", 1),
    ("node.donor", "node_attributes", "wrong", 1),
    ("node.donor", "node_attributes", "unscored", 2),
    ("node.project", "node_type", "missing", 1),
    ("node.project", "node_attributes", "missing", 2),
    ("edge.funds", "edge_head", "right", 1),
    ("edge.funds", "edge_relation", "right", 1),
    ("edge.funds", "edge_tail", "wrong", 1),
    ("edge.funds", "edge_attributes", "invented", 1),
    ("node.ghost", "node_type", "invented", 1),
    ("graph", "graph", "right", 1),
)
"""
=============  =====  =====  =======  ========  ========  =======  ========  ====
               right  wrong  missing  invented  unscored  matched  expected  came
=============  =====  =====  =======  ========  ========  =======  ========  ====
node.donor         3      1                            2        3         4     4
node.project                       3                            0         3     0
edge.funds         2      1                  1                  2         3     4
node.ghost                                   1                  0         0     1
all                5      2        3         2         2        5        10     9
=============  =====  =====  =======  ========  ========  =======  ========  ====
nodes: type marks:  2 right, 1 missing, 1 invented                2 of 3, 3 came
edges: 2 right, 1 wrong                                           2 of 3, 3 came
attributes: 1 right, 1 wrong, 2 missing, 1 invented, 2 unscored   1 of 4, 3 came
"""


def test_the_figures_are_those_of_the_table():
    found = roll_up(MIXED)
    assert found.total == Tally(5, 10, 9, 2)
    assert found.types == {
        "edge.funds": Tally(2, 3, 4),
        "node.donor": Tally(3, 4, 4, 2),
        "node.ghost": Tally(0, 0, 1),
        "node.project": Tally(0, 3, 0),
    }
    assert found.elements == {
        "nodes": Tally(2, 3, 3),
        "edges": Tally(2, 3, 3),
        "attributes": Tally(1, 4, 3, 2),
    }
    assert found.states == {"right": 5, "wrong": 2, "missing": 3, "invented": 2, "unscored": 2}
    assert precision(found.total) == pytest.approx(float(F(5, 9)))
    assert recall(found.total) == pytest.approx(float(F(5, 10)))
    assert f1(found.total) == pytest.approx(float(F(10, 19)))


def test_macro_is_the_mean_of_the_types_what_is_invented_among_them():
    # 4/7, 6/8, 0 and 0.
    assert roll_up(MIXED).macro_f1 == pytest.approx(float((F(4, 7) + F(6, 8)) / 4))


def test_a_type_of_which_nothing_was_measured_is_no_part_of_macro():
    some = marks(("node.a", "node_type", "right", 1), ("node.b", "node_type", "unscored", 3))
    assert roll_up(some).macro_f1 == 1
    assert roll_up(some).coverage == 0.25


def test_coverage_is_the_share_of_marks_that_are_not_unscored():
    assert roll_up(MIXED).coverage == pytest.approx(float(F(12, 14)))


def test_types_and_elements_each_sum_up_to_the_total():
    candidate = gold()
    candidate["nodes"]["p"]["attributes"]["budget"] = 5
    candidate["edges"][0]["target"] = "q"
    del candidate["nodes"]["d"]["attributes"]["country"]
    for some in (MIXED, marked(candidate, policy={"defaults": {}}).marks):
        found = roll_up(some)
        assert sum(found.types.values(), Tally()) == found.total
        assert sum(found.elements.values(), Tally()) == found.total


def test_nothing_out_of_nothing_is_all_of_it():
    found = roll_up([])
    assert (f1(found.total), found.macro_f1, found.coverage) == (1, 1, 1)
    assert (precision(found.total), recall(found.total), found.graph_passed) == (1, 1, None)


def test_nothing_for_something_and_something_for_nothing_are_0():
    for state in ("missing", "invented"):
        found = roll_up(marks(("node.a", "node_type", state, 3)))
        assert (f1(found.total), found.macro_f1, found.coverage) == (0, 0, 1)
        assert (precision(found.total), recall(found.total)) == (0, 0)


@pytest.mark.parametrize(
    ("state", "passed"),
    [("right", True), ("wrong", False), ("missing", False), ("unscored", None)],
)
def test_the_verdict_on_the_whole_counts_in_no_figure(state, passed):
    alone = marks(("graph", "graph", state, 1))
    found = roll_up([*MIXED[:-1], *alone])
    assert found.graph_passed is passed
    assert found.total == Tally(5, 10, 9, 2)
    assert sum(found.states.values()) == 14


def test_the_json_has_micro_and_macro_by_element_and_by_type():
    told = figures(roll_up(MIXED))
    assert told["micro"] == {
        "precision": 5 / 9,
        "recall": 0.5,
        "f1": 10 / 19,
        "matched": 5,
        "expected": 10,
        "actual": 9,
        "unmeasured": 2,
    }
    assert list(told["types"]) == ["edge.funds", "node.donor", "node.ghost", "node.project"]
    assert list(told["elements"]) == ["nodes", "edges", "attributes"]
    assert told["graph_passed"] is True
