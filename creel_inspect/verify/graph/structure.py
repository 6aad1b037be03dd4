"""The edges of two graphs, as an alignment sees them."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from creel_inspect.verify.graph.canonical import digest
from creel_inspect.verify.graph.model import Graph

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

EDGE, ANY_RELATION, EDGE_ATTRIBUTE = 1.0, 0.25, 1.0
"""What matching an edge is worth; what it is worth whatever the relations are; and what is added
where the two have an attribute in common that is all their own."""


@dataclass(frozen=True)
class Arcs:
    """Edges by number, each once however many are parallel; shape (edges,) each.

    ``worth`` is what matching one is worth: the same for all of one relation.
    """

    source: Ints
    target: Ints
    relation: Ints
    worth: Floats

    def only(self, these: Ints | NDArray[np.bool_]) -> "Arcs":
        """Some of them."""
        return Arcs(self.source[these], self.target[these], self.relation[these], self.worth[these])

    def among(self, nodes: Ints, count: int) -> "Arcs":
        """Those among some of ``count`` nodes, which are numbered anew."""
        place = np.full(count, -1, dtype=np.int64)
        place[nodes] = np.arange(len(nodes))
        inside = self.only((place[self.source] >= 0) & (place[self.target] >= 0))
        return Arcs(place[inside.source], place[inside.target], inside.relation, inside.worth)


@dataclass(frozen=True)
class Links:
    """One graph's edges: by relation alone, and with all that may speak for a match."""

    plain: Arcs
    weighted: Arcs


def links(
    graphs: tuple[Graph, Graph], places: tuple[Mapping[str, int], Mapping[str, int]]
) -> tuple[Links, Links]:
    """Both graphs' edges, with their relations numbered alike.

    Beside the relations proper there is one that stands for any, and one for each value that an
    edge attribute has in both graphs: it weighs by the bits that agreeing on it by chance takes.
    """
    relations = sorted({edge.type for graph in graphs for edge in graph.edges})
    number = {name: place for place, name in enumerate(relations)}
    said = [
        [[(name, digest(value)) for name, value in edge.attributes.items()] for edge in graph.edges]
        for graph in graphs
    ]
    worth = _worth_of_values(said[0], said[1])
    values = {value: len(relations) + 1 + place for place, value in enumerate(sorted(worth))}
    first, second = (
        _links(
            graph,
            place,
            number,
            [[values[one] for one in some if one in values] for some in these],
            np.array([EDGE] * len(relations) + [ANY_RELATION] + [worth[one] for one in values]),
        )
        for graph, place, these in zip(graphs, places, said, strict=True)
    )
    return first, second


def _worth_of_values(
    expected: list[list[tuple[str, str]]], actual: list[list[tuple[str, str]]]
) -> dict[tuple[str, str], float]:
    counts = [Counter(one for some in side for one in some) for side in (expected, actual)]
    needed = math.log2(max(2, len(expected) * len(actual)))
    pairs = len(expected) * len(actual)
    return {
        one: EDGE_ATTRIBUTE * math.log2(pairs / (counts[0][one] * counts[1][one])) / needed
        for one in counts[0].keys() & counts[1].keys()
    }


def _links(
    graph: Graph,
    place: Mapping[str, int],
    number: Mapping[str, int],
    values: list[list[int]],
    worth: Floats,
) -> Links:
    any_relation = len(number)
    plain: set[tuple[int, int, int]] = set()
    more: set[tuple[int, int, int]] = set()
    for edge, some in zip(graph.edges, values, strict=True):
        ends = [(place[edge.source], place[edge.target])]
        if not graph.directed and edge.source != edge.target:
            ends.append((ends[0][1], ends[0][0]))
        for source, target in ends:
            plain.add((source, target, number[edge.type]))
            more.update((source, target, one) for one in (any_relation, *some))
    return Links(_arcs(plain, worth), _arcs(plain | more, worth))


def _arcs(rows: set[tuple[int, int, int]], worth: Floats) -> Arcs:
    table = np.array(sorted(rows), dtype=np.int64).reshape(len(rows), 3)
    return Arcs(table[:, 0], table[:, 1], table[:, 2], worth[table[:, 2]])


class Structure:
    """The edges of two graphs, ready for the gradient Σ_r A_r Q B_rᵀ + A_rᵀ Q B_r."""

    def __init__(self, expected: Arcs, actual: Arcs, nodes: tuple[int, int]) -> None:
        self.nodes = nodes
        self._edges = expected
        ends = zip(expected.source.tolist(), expected.target.tolist(), strict=True)
        self._linked = {(min(pair), max(pair)) for pair in ends}
        self._loops = {one for one, other in self._linked if one == other}
        # Relation and end make one column, so that all relations are one product.
        self._out_keys, self._outgoing = self._table(actual.relation, actual.target, actual.source)
        self._in_keys, self._incoming = self._table(actual.relation, actual.source, actual.target)

    def _table(self, relation: Ints, end: Ints, other: Ints) -> tuple[Ints, sparse.csr_array]:
        keys, rows = np.unique(relation * self.nodes[1] + end, return_inverse=True)
        shape = (max(1, len(keys)), self.nodes[1])
        return keys, sparse.csr_array((np.ones(len(rows)), (rows, other)), shape=shape)

    def linked(self, one: int, other: int) -> bool:
        """Whether an edge joins two expected nodes, or either to itself."""
        pair = (min(one, other), max(one, other))
        return pair in self._linked or one in self._loops or other in self._loops

    def gradient(self, assignment: sparse.csr_array) -> sparse.csr_array:
        """The gradient of the matched edges at Q, shape (expected nodes, actual nodes)."""
        edges = self._edges
        return self._half(
            assignment, edges.target, edges.source, self._out_keys, self._outgoing
        ) + self._half(assignment, edges.source, edges.target, self._in_keys, self._incoming)

    def _half(
        self,
        assignment: sparse.csr_array,
        end: Ints,
        other: Ints,
        keys: Ints,
        table: sparse.csr_array,
    ) -> sparse.csr_array:
        moved = assignment[end].tocoo()
        wanted = self._edges.relation[moved.row] * self.nodes[1] + moved.col
        column = np.minimum(np.searchsorted(keys, wanted), max(0, len(keys) - 1))
        found = keys[column] == wanted if len(keys) else np.zeros(len(wanted), dtype=bool)
        row = moved.row[found]
        left = sparse.csr_array(
            (moved.data[found] * self._edges.worth[row], (other[row], column[found])),
            shape=(self.nodes[0], table.shape[0]),
        )
        return left @ table
