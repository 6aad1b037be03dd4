"""From marks to figures: element by element, by part, by type, and for the whole graph."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from creel_inspect.extract.marking.marking import Mark, State
from creel_inspect.verify.graph.scoring import Tally

_COUNTS_AS: Mapping[State, Tally] = {
    "right": Tally(matched=1, expected=1, actual=1),
    "wrong": Tally(expected=1, actual=1),
    "missing": Tally(expected=1),
    "invented": Tally(actual=1),
    "unscored": Tally(unmeasured=1),
}
_ELEMENT_OF = {
    "node_type": "nodes",
    "edge_head": "edges",
    "edge_relation": "edges",
    "edge_tail": "edges",
    "node_attributes": "attributes",
    "edge_attributes": "attributes",
}
ELEMENTS = ("nodes", "edges", "attributes")


@dataclass(frozen=True)
class Rollup:
    """The figures of one marked graph.

    Everything that gold or candidate says counts once: ``matched`` of ``expected`` and ``actual``,
    with what is unscored in none of the three::

        precision = matched / actual      recall = matched / expected
        F1 = 2 · matched / (expected + actual)

    Where neither says anything, each of them is 1.

    Attributes:
        total: Over everything (micro).
        types: By type, ``node.project``, in alphabetical order.
        elements: By ``nodes``, ``edges`` (heads, relations and tails) and ``attributes``.
        states: How many marks there are of each state.
        graph_passed: The verdict on the whole; None where there is none, or it is unscored.
    """

    total: Tally
    types: Mapping[str, Tally]
    elements: Mapping[str, Tally]
    states: Mapping[str, int]
    graph_passed: bool | None

    @property
    def macro_f1(self) -> float:
        """The mean F1 of the types of which something was measured; 1 where there are none."""
        found = [f1(one) for one in self.types.values() if one.expected or one.actual]
        return fmean(found) if found else 1.0

    @property
    def bounds(self) -> tuple[float, float]:
        """F1 if everything unscored were wrong, and if all of it were right."""
        low, high = (f1(self.total.settled(right=right)) for right in (False, True))
        return low, high

    @property
    def coverage(self) -> float:
        """The share of all marks that are not unscored; 1 where there are no marks."""
        total = sum(self.states.values())
        return 1 - self.states.get("unscored", 0) / total if total else 1.0


def precision(tally: Tally) -> float:
    """The share of what came that is right."""
    return float(tally.figures()["precision"])


def recall(tally: Tally) -> float:
    """The share of what was expected that came, and is right."""
    return float(tally.figures()["recall"])


def f1(tally: Tally) -> float:
    """The harmonic mean of both."""
    return float(tally.figures()["f1"])


def roll_up(marks: Sequence[Mark]) -> Rollup:
    """The figures of a marking's marks. The verdict on the whole graph counts in none of them."""
    elements = [one for one in marks if one.part != "graph"]
    whole = [one.state for one in marks if one.part == "graph" and one.state != "unscored"]
    by_type = _tallies((one.type, one) for one in elements)
    by_element = _tallies((_ELEMENT_OF[one.part], one) for one in elements)
    return Rollup(
        total=sum(by_type.values(), Tally()),
        types=dict(sorted(by_type.items())),
        elements={name: by_element.get(name, Tally()) for name in ELEMENTS},
        states=Counter(one.state for one in elements),
        graph_passed=all(state == "right" for state in whole) if whole else None,
    )


def _tallies(marks: Iterable[tuple[str, Mark]]) -> dict[str, Tally]:
    found: dict[str, Tally] = {}
    for key, one in marks:
        found[key] = found.get(key, Tally()) + _COUNTS_AS[one.state]
    return found


def figures(rollup: Rollup) -> dict[str, Any]:
    """The roll-up as JSON: micro and macro, by element and by type, and what is unscored."""
    return {
        "micro": rollup.total.figures(),
        "macro_f1": rollup.macro_f1,
        "bounds": list(rollup.bounds),
        "coverage": rollup.coverage,
        "states": dict(rollup.states),
        "graph_passed": rollup.graph_passed,
        "elements": {name: one.figures() for name, one in rollup.elements.items()},
        "types": {name: one.figures() for name, one in rollup.types.items()},
    }
