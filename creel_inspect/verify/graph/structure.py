"""The edges of two graphs, as an alignment sees them."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

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
_MOST_TERMS, _FEW_TERMS = 4, 10_000
"""A gradient is summed term by term up to so many for each of its cells, and so many more."""


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
    """The edges of two graphs, ready for what an alignment asks of them."""

    def __init__(self, expected: Arcs, actual: Arcs, nodes: tuple[int, int]) -> None:
        self.nodes = nodes
        self.expected, self.actual = expected, actual
        # Relation and end make one key, so that all relations are looked up at once.
        self._outgoing = _Ends(actual.relation * nodes[1] + actual.target, actual.source)
        self._incoming = _Ends(actual.relation * nodes[1] + actual.source, actual.target)

    def gradient(self, partner: Ints) -> Floats:
        """The gradient Σ_r A_r Q B_rᵀ + A_rᵀ Q B_r of the matched edges at an alignment.

        Args:
            partner: The partner of each expected node, -1 for none.

        Returns:
            What each pair would be worth beside all others, shape (expected, actual nodes).
        """
        edges = self.expected
        halves = [
            self._half(partner, edges.target, edges.source, self._outgoing),
            self._half(partner, edges.source, edges.target, self._incoming),
        ]
        size = self.nodes[0] * self.nodes[1]
        if sum(int(count.sum()) for _, _, _, count in halves) > _MOST_TERMS * size + _FEW_TERMS:
            # So many fall on one another that their sum is taken without writing them out.
            return sum(
                (
                    self._product(half, ends)
                    for half, ends in zip(halves, (self._outgoing, self._incoming), strict=True)
                ),
                start=np.zeros(self.nodes),
            )
        cells, worths = [], []
        for (rows, keys, worth, count), ends in zip(
            halves, (self._outgoing, self._incoming), strict=True
        ):
            cells.append(np.repeat(rows * self.nodes[1], count) + ends.listed(keys, count))
            worths.append(np.repeat(worth, count))
        flat = np.bincount(np.concatenate(cells), np.concatenate(worths), minlength=size)
        # (Of no terms at all it makes whole numbers.)
        return flat.astype(np.float64, copy=False).reshape(self.nodes)

    def _half(
        self, partner: Ints, end: Ints, other: Ints, ends: "_Ends"
    ) -> tuple[Ints, Ints, Floats, Ints]:
        """Expected nodes, the keys of the edges they might have a part in, worth, how many."""
        moved = partner[end]
        keys = ends.find(np.where(moved >= 0, self.expected.relation * self.nodes[1] + moved, -1))
        there = keys >= 0
        keys = keys[there]
        count = ends.starts[keys + 1] - ends.starts[keys]
        return other[there], keys, self.expected.worth[there], count

    def _product(self, half: tuple[Ints, Ints, Floats, Ints], ends: "_Ends") -> Floats:
        rows, keys, worth, _ = half
        shape = (self.nodes[0], len(ends.keys))
        left = sparse.csr_array((worth, (rows, keys)), shape=shape)
        ones = np.ones(len(ends.nodes))
        table = sparse.csr_array((ones, ends.nodes, ends.starts), (shape[1], self.nodes[1]))
        product: Floats = (left @ table).toarray()
        return product

    def bend(self, one: int, other: int, partner: Ints) -> float:
        """What exchanging the partners of two nodes is worth beyond its slope: ½⟨∇(D), D⟩.

        D is the step. A gradient is wrong about edges between the two: it says too little, or
        too much.
        """
        first, second = int(partner[one]), int(partner[other])
        step = {(one, first): -1, (one, second): 1, (other, first): 1, (other, second): -1}
        total = 0.0
        for source, target in {(one, one), (one, other), (other, one), (other, other)}:
            for relation, worth in self._between.get((source, target), ()):
                total += worth * sum(
                    step[source, head] * step[target, tail]
                    for head in (first, second)
                    for tail in (first, second)
                    if (head, tail, relation) in self._there
                )
        return total

    @cached_property
    def _between(self) -> dict[tuple[int, int], list[tuple[int, float]]]:
        found: dict[tuple[int, int], list[tuple[int, float]]] = {}
        columns = (self.expected.source, self.expected.target, self.expected.relation)
        rows = zip(*(one.tolist() for one in columns), self.expected.worth.tolist(), strict=True)
        for source, target, relation, worth in rows:
            found.setdefault((source, target), []).append((relation, worth))
        return found

    @cached_property
    def _there(self) -> set[tuple[int, int, int]]:
        columns = (self.actual.source, self.actual.target, self.actual.relation)
        return set(zip(*(one.tolist() for one in columns), strict=True))

    def matched_worth(self, partners: Ints) -> Floats:
        """What the edges are worth that alignments match, shape (alignments,).

        Args:
            partners: One alignment per row, with places past the actual nodes for no partner.
        """
        size = 1 + int(max(partners.max(initial=0), self.nodes[1]))
        edges = self.expected
        relations = 1 + int(max(edges.relation.max(initial=0), self.actual.relation.max(initial=0)))
        there = np.zeros((relations, size, size), dtype=bool)
        there[self.actual.relation, self.actual.source, self.actual.target] = True
        found = there[edges.relation, partners[:, edges.source], partners[:, edges.target]]
        worth: Floats = found @ edges.worth
        return worth


class _Ends:
    """The nodes at the other end of edges, by key."""

    def __init__(self, keys: Ints, nodes: Ints) -> None:
        order = np.argsort(keys, kind="stable")
        self.keys, first = np.unique(keys[order], return_index=True)
        self.starts = np.append(first, len(keys)).astype(np.int64)
        self.nodes = nodes[order]

    def find(self, wanted: Ints) -> Ints:
        """The places of keys, -1 for those that are not there."""
        if not len(self.keys):
            return np.full(len(wanted), -1, dtype=np.int64)
        place = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.where(self.keys[place] == wanted, place, -1)

    def listed(self, places: Ints, count: Ints) -> Ints:
        """The nodes of some keys, one key's after the other's; ``count`` is how many each has."""
        before = np.cumsum(count) - count
        return self.nodes[np.repeat(self.starts[places] - before, count) + np.arange(count.sum())]
