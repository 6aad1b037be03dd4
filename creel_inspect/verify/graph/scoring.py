"""Counting what was found, part by part, and the one number made of it."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from creel_inspect.verify.graph.attributes import Compared
from creel_inspect.verify.graph.edges import EdgePair
from creel_inspect.verify.graph.model import Graph

PARTS = (
    *("node_type", "node_attributes"),
    *("edge_head", "edge_relation", "edge_tail", "edge_attributes"),
)
MOST_LISTED = 50


@dataclass(frozen=True)
class Tally:
    """How many things were expected, how many came, and how many of these match.

    ``unmeasured`` ones are in none of the three: nobody knows whether they match.
    """

    matched: int = 0
    expected: int = 0
    actual: int = 0
    unmeasured: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.matched + other.matched,
            self.expected + other.expected,
            self.actual + other.actual,
            self.unmeasured + other.unmeasured,
        )

    @property
    def perfect(self) -> bool:
        """Whether nothing is missing, extra or wrong."""
        return self.matched == self.expected == self.actual

    def settled(self, *, right: bool) -> "Tally":
        """As it would be if all that was not measured were right, or wrong."""
        more = self.unmeasured
        return Tally(self.matched + more * right, self.expected + more, self.actual + more)

    def figures(self) -> dict[str, Any]:
        """For the details. Of nothing, out of nothing, all was found."""
        nothing = not self.expected and not self.actual
        total = self.expected + self.actual
        found: dict[str, Any] = {
            "precision": self.matched / self.actual if self.actual else float(nothing),
            "recall": self.matched / self.expected if self.expected else float(nothing),
            "f1": 2 * self.matched / total if total else 1.0,
            "matched": self.matched,
            "expected": self.expected,
            "actual": self.actual,
        }
        return found | ({"unmeasured": self.unmeasured} if self.unmeasured else {})


def overall(parts: Mapping[str, Tally], weights: Mapping[str, float]) -> float:
    """F1 over all parts: 2·Σ w·matched / Σ w·(expected + actual); 1 where there is nothing.

    It is 1 only if every part that weighs anything is perfect, whatever rounding does.
    """
    most = max(weights.values())  # relative weights, so that no sum overflows
    share = {name: weights[name] / most for name in PARTS}
    total = math.fsum(share[name] * (parts[name].expected + parts[name].actual) for name in PARTS)
    if not total:
        return 1.0
    found = 2 * math.fsum(share[name] * parts[name].matched for name in PARTS) / total
    if all(parts[name].perfect for name in PARTS if weights[name]):
        return 1.0
    return min(found, math.nextafter(1.0, 0.0))


@dataclass(frozen=True)
class Found:
    """Two graphs, who is who in them, and how the attributes of the pairs compare.

    ``partner`` is expected node id → actual node id; ``attributes`` has the same keys.
    """

    expected: Graph
    actual: Graph
    partner: Mapping[str, str]
    attributes: Mapping[str, Compared]
    edges: Sequence[EdgePair]


def tallies(found: Found) -> dict[str, Tally]:
    """One tally per part. Every single thing said counts once.

    ``node_type``: each type of each node (a node without any counts as one of type "").
    ``node_attributes``, ``edge_attributes``: each attribute; it matches when its verifier passes.
    ``edge_head``, ``edge_relation``, ``edge_tail``: each edge.
    """
    pairs = found.partner.items()
    typed = sum(
        _shared(found.expected.nodes[one].types, found.actual.nodes[other].types)
        for one, other in pairs
    )
    sides = (found.expected, found.actual)
    type_counts = [sum(len(node.types) or 1 for node in side.nodes.values()) for side in sides]
    edge_counts = [len(side.edges) for side in sides]
    return {
        "node_type": Tally(typed, *type_counts),
        "node_attributes": _attributes(
            found.attributes.values(),
            [node.attributes for node in found.expected.nodes.values()],
            [node.attributes for node in found.actual.nodes.values()],
        ),
        "edge_head": Tally(sum(pair.head for pair in found.edges), *edge_counts),
        "edge_relation": Tally(sum(pair.relation for pair in found.edges), *edge_counts),
        "edge_tail": Tally(sum(pair.tail for pair in found.edges), *edge_counts),
        "edge_attributes": _attributes(
            (pair.attributes for pair in found.edges),
            [edge.attributes for edge in found.expected.edges],
            [edge.attributes for edge in found.actual.edges],
        ),
    }


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    return (Counter(one or [""]) & Counter(other or [""])).total()


def _attributes(
    compared: Iterable[Compared],
    expected: Iterable[Mapping[str, Any]],
    actual: Iterable[Mapping[str, Any]],
) -> Tally:
    right = unmeasured = 0
    for one in compared:
        right += one.right
        unmeasured += len(one.unmeasured)
    counts = [sum(map(len, side)) - unmeasured for side in (expected, actual)]
    return Tally(right, counts[0], counts[1], unmeasured)


def elements(found: Found, parts: Mapping[str, Tally]) -> dict[str, Tally]:
    """Over nodes (those with a partner), edges (head, relation and tail right), and attributes."""
    whole = sum(pair.whole for pair in found.edges)
    return {
        "nodes": Tally(len(found.partner), len(found.expected.nodes), len(found.actual.nodes)),
        "edges": Tally(whole, len(found.expected.edges), len(found.actual.edges)),
        "attributes": parts["node_attributes"] + parts["edge_attributes"],
    }


def by_type(found: Found) -> dict[str, Any]:
    """Tallies per node type and per edge type, of the elements and of their attributes.

    A node counts under each of its types, and so do its attributes: as expected under those it
    should have, as actual under those it has, as matched under those it has rightly. The fifty
    most frequent types are listed, and ``nodes_more`` and the like say how many more there are.
    """
    nodes, edges = _Table(), _Table()
    node_attributes, edge_attributes = _Table(), _Table()
    for number, graph in enumerate((found.expected, found.actual), start=1):
        for node in graph.nodes.values():
            for one in node.types or ("",):
                nodes.add(one, number, 1)
                node_attributes.add(one, number, len(node.attributes))
        for edge in graph.edges:
            edges.add(edge.type, number, 1)
            edge_attributes.add(edge.type, number, len(edge.attributes))
    for name, other in found.partner.items():
        ours, theirs = found.expected.nodes[name].types, found.actual.nodes[other].types
        for one, count in Counter(ours or [""]).items():
            both = min(count, Counter(theirs or [""])[one])
            nodes.add(one, 0, both)
            node_attributes.judged(one, count, Counter(theirs or [""])[one], found.attributes[name])
    for pair in found.edges:
        kind, same = pair.expected.type, pair.relation
        edges.add(kind, 0, int(pair.whole))
        edge_attributes.judged(kind, 1, int(same), pair.attributes)
    tables = {
        "nodes": nodes,
        "edges": edges,
        "node_attributes": node_attributes,
        "edge_attributes": edge_attributes,
    }
    figures: dict[str, Any] = {name: table.figures() for name, table in tables.items()}
    return figures | {f"{name}_more": table.more for name, table in tables.items() if table.more}


class _Table:
    def __init__(self) -> None:
        self._rows: dict[str, list[int]] = {}

    def add(self, kind: str, column: int, count: int) -> None:
        self._rows.setdefault(kind, [0, 0, 0, 0])[column] += count

    def judged(self, kind: str, ours: int, theirs: int, compared: Compared) -> None:
        """Attributes that pass count as matched; those not measured are taken out again."""
        both = min(ours, theirs)
        self.add(kind, 0, both * compared.right)
        self.add(kind, 1, -ours * len(compared.unmeasured))
        self.add(kind, 2, -both * len(compared.unmeasured))
        self.add(kind, 3, both * len(compared.unmeasured))

    def figures(self) -> dict[str, Any]:
        """The most frequent types, at most fifty."""
        order = sorted(self._rows, key=lambda kind: (-sum(self._rows[kind][1:3]), kind))
        found: dict[str, Any] = {
            kind[:200]: Tally(*self._rows[kind]).figures() for kind in order[:MOST_LISTED]
        }
        return found

    @property
    def more(self) -> int:
        """How many types the figures leave out."""
        return max(0, len(self._rows) - MOST_LISTED)
