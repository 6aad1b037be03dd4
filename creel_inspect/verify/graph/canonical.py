"""A graph in an order that its content and structure alone decide: ids and positions do not.

Each connected component is ordered by colour refinement (an ordered partition of its nodes, split
until equal nodes have equal neighbours) with individualisation where that leaves ties (McKay and
Piperno 2014, "Practical graph isomorphism, II", without its search tree). Of tied nodes the one
whose refinement comes first is taken; where that ties again, any. Such nodes are automorphic
except in rare, highly regular graphs; there, and where the effort is bounded, two spellings of one
graph may get two orders.
"""

import json
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from hashlib import blake2b
from typing import Any

from creel_inspect.verify.graph.model import Graph

Neighbours = list[list[tuple[int, int]]]


@dataclass(frozen=True)
class Component:
    """A connected part: its node ids in canonical order, and what it is, ids apart."""

    nodes: tuple[str, ...]
    certificate: str


def digest(value: Any) -> str:
    """The same for values of the same content and type (1 is neither True nor 1.0)."""
    return blake2b(_ENCODER.encode(value).encode(), digest_size=16).hexdigest()


def _written(value: Any) -> Any:
    if isinstance(value, set | frozenset):
        return {"set": sorted(digest(one) for one in value)}
    if isinstance(value, Decimal | date | time):
        return {type(value).__name__: str(value)}
    raise TypeError(type(value).__name__)


_ENCODER = json.JSONEncoder(sort_keys=True, default=_written)


def components(expected: Graph, actual: Graph) -> tuple[list[Component], list[Component]]:
    """The components of both graphs, in canonical order; equal certificates: the same content."""
    contents = [_node_contents(graph) for graph in (expected, actual)]
    labels = [[_edge_content(edge) for edge in graph.edges] for graph in (expected, actual)]
    ranks = _ranks(content for side in contents for content in side.values())
    label_ranks = _ranks(label for side in labels for label in side)
    first, second = (
        _components(
            graph,
            {name: ranks[content] for name, content in side.items()},
            [label_ranks[label] for label in these],
        )
        for graph, side, these in zip((expected, actual), contents, labels, strict=True)
    )
    return first, second


def _node_contents(graph: Graph) -> dict[str, str]:
    return {
        name: digest([sorted(node.types), dict(node.attributes)])
        for name, node in graph.nodes.items()
    }


def _edge_content(edge: Any) -> str:
    return digest([edge.type, dict(edge.attributes)])


def _ranks(contents: Iterable[str]) -> dict[str, int]:
    return {content: rank for rank, content in enumerate(sorted(set(contents)))}


def _components(graph: Graph, colours: Mapping[str, int], labels: Sequence[int]) -> list[Component]:
    around: dict[str, list[tuple[int, str]]] = {name: [] for name in graph.nodes}
    for edge, label in zip(graph.edges, labels, strict=True):
        # Ends are told apart by the label, unless the graph has no directions.
        around[edge.source].append((2 * label, edge.target))
        around[edge.target].append((2 * label + graph.directed, edge.source))
    found = []
    for names in _connected(around):
        place = {name: number for number, name in enumerate(names)}
        neighbours = [[(label, place[other]) for label, other in around[name]] for name in names]
        own = [colours[name] for name in names]
        order = _Partition(own, neighbours).order()
        found.append(
            Component(tuple(names[one] for one in order), _certificate(own, neighbours, order))
        )
    return sorted(found, key=lambda one: (len(one.nodes), one.certificate))


def _connected(around: Mapping[str, list[tuple[int, str]]]) -> list[list[str]]:
    seen: set[str] = set()
    parts = []
    for start in around:
        if start in seen:
            continue
        seen.add(start)
        part = [start]
        for name in part:
            for _, other in around[name]:
                if other not in seen:
                    seen.add(other)
                    part.append(other)
        parts.append(part)
    return parts


def _certificate(colours: Sequence[int], neighbours: Neighbours, order: Sequence[int]) -> str:
    position = {node: number for number, node in enumerate(order)}
    rows = [
        [colours[node], sorted([label, position[other]] for label, other in neighbours[node])]
        for node in order
    ]
    return digest(rows)


class _Partition:
    """An ordered partition of nodes into cells. A cell is called by the place where it starts."""

    def __init__(self, colours: Sequence[int], neighbours: Neighbours) -> None:
        self._neighbours = neighbours
        self.cell_of = [0] * len(colours)
        self.cells: dict[int, list[int]] = {}
        size = len(colours) + sum(len(some) for some in neighbours)
        self._size, self._effort = size, 2_000 + 40 * size
        groups: dict[int, list[int]] = {}
        for node, colour in enumerate(colours):
            groups.setdefault(colour, []).append(node)
        start = 0
        for colour in sorted(groups):
            self._put(start, groups[colour])
            start += len(groups[colour])
        self._refine(sorted(self.cells))

    def _put(self, start: int, nodes: list[int]) -> None:
        self.cells[start] = nodes
        for node in nodes:
            self.cell_of[node] = start

    def order(self) -> list[int]:
        """Splits until every cell holds one node."""
        start = 0
        while start < len(self.cell_of):
            cell = self.cells[start]
            if len(cell) == 1:
                start += 1
            elif self._twins(cell):
                for place, node in enumerate(cell):
                    self._put(start + place, [node])
                self._refine(range(start, start + len(cell)))
            else:
                self._single_out(start, self._first_of(cell, start))
        return [self.cells[place][0] for place in range(len(self.cell_of))]

    def _twins(self, cell: list[int]) -> bool:
        """Whether all have the very same neighbours, so that any order is the same order."""
        first = sorted(self._neighbours[cell[0]])
        return all(sorted(self._neighbours[node]) == first for node in cell[1:])

    def _first_of(self, cell: list[int], start: int) -> int:
        """Of tied nodes, the one whose refinement comes first; any where that is too much work."""
        if len(cell) * self._size > self._effort:
            return cell[0]
        self._effort -= len(cell) * self._size
        return min(cell, key=lambda node: self._tried(start, node))

    def _tried(self, start: int, node: int) -> tuple[Any, ...]:
        trial = object.__new__(_Partition)
        trial._neighbours = self._neighbours
        trial.cell_of = self.cell_of.copy()
        trial.cells = {key: nodes.copy() for key, nodes in self.cells.items()}
        return trial._single_out(start, node)

    def _single_out(self, start: int, node: int) -> tuple[Any, ...]:
        rest = [other for other in self.cells[start] if other != node]
        self._put(start, [node])
        self._put(start + 1, rest)
        return self._refine([start])

    def _refine(self, starts: Iterable[int]) -> tuple[Any, ...]:
        """Splits cells by what leads to them from others, until nothing changes.

        Returns what was split how, which is the same for nodes that are.
        """
        queue = deque(starts)
        waiting = set(queue)
        trace = []
        while queue:
            splitter = queue.popleft()
            waiting.discard(splitter)
            reached: dict[int, list[int]] = {}
            for node in self.cells[splitter]:
                for label, other in self._neighbours[node]:
                    reached.setdefault(other, []).append(label)
            touched: dict[int, list[int]] = {}
            for node in reached:
                touched.setdefault(self.cell_of[node], []).append(node)
            for start in sorted(touched):
                parts = self._parts(start, touched[start], reached)
                trace.append((splitter, start, tuple((key, len(part)) for key, part in parts)))
                if len(parts) > 1:
                    self._split(start, [part for _, part in parts], queue, waiting)
        return tuple(trace)

    def _parts(
        self, start: int, nodes: list[int], reached: Mapping[int, list[int]]
    ) -> list[tuple[tuple[int, ...], list[int]]]:
        groups: dict[tuple[int, ...], list[int]] = {}
        for node in nodes:
            groups.setdefault(tuple(sorted(reached[node])), []).append(node)
        if len(nodes) < len(self.cells[start]):
            groups[()] = [node for node in self.cells[start] if node not in reached]
        return sorted(groups.items(), key=lambda one: one[0])

    def _split(
        self, start: int, parts: list[list[int]], queue: deque[int], waiting: set[int]
    ) -> None:
        sizes = [len(part) for part in parts]
        # The largest part need not split others, since the whole has (Hopcroft 1971).
        spared = None if start in waiting else sizes.index(max(sizes))
        place = start
        for number, part in enumerate(parts):
            self._put(place, part)
            if number != spared and place not in waiting:
                queue.append(place)
                waiting.add(place)
            place += len(part)


def exact_pairs(
    expected: Sequence[Component], actual: Sequence[Component]
) -> tuple[dict[str, str], list[str], list[str]]:
    """Pairs off components that are the same, content and structure alike.

    Returns:
        Expected node id → actual node id for those; and the nodes of all others, in order.
    """
    pairs: dict[str, str] = {}
    same: dict[str, list[Component]] = {}
    for one in actual:
        same.setdefault(one.certificate, []).append(one)
    left: list[str] = []
    used: Counter[str] = Counter()
    for one in expected:
        partners = same.get(one.certificate, [])
        if used[one.certificate] < len(partners):
            other = partners[used[one.certificate]]
            used[one.certificate] += 1
            pairs.update(zip(one.nodes, other.nodes, strict=True))
        else:
            left.extend(one.nodes)
    taken = set(pairs.values())
    return pairs, left, [name for one in actual for name in one.nodes if name not in taken]
