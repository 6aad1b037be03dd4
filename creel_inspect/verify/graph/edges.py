"""Which edge is which, once it is known which node is which."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from creel_inspect.verify.graph.attributes import Compared, Comparison
from creel_inspect.verify.graph.canonical import digest
from creel_inspect.verify.graph.model import Edge, Graph
from creel_inspect.verify.sets.assignment import MOST_PAIRS, assign

_MOST_COMPARISONS = 20_000
"""Pairs of parallel edges compared by their verifiers; past that, by equality."""

End = tuple[int, int]


@dataclass(frozen=True)
class Placed:
    """An edge between places: (0, n) is the n-th expected node or its partner, (1, n) no one's."""

    edge: Edge
    head: End
    tail: End
    content: str


@dataclass(frozen=True)
class EdgePair:
    """Two edges taken for one, what they have in common, and how their attributes compare."""

    expected: Edge
    actual: Edge
    head: bool
    relation: bool
    tail: bool
    attributes: Compared

    @property
    def whole(self) -> bool:
        """Whether head, relation and tail are all right."""
        return self.head and self.relation and self.tail


_Keys = Callable[[Placed], Sequence[Hashable]]


def _levels(directed: bool) -> Iterator[tuple[_Keys, _Keys]]:
    """What two edges must have in common to be taken for one: the most first."""

    def whole(edge: Placed) -> Sequence[Hashable]:
        return [(edge.head, edge.edge.type, edge.tail)]

    def ends(edge: Placed) -> Sequence[Hashable]:
        return [(edge.head, edge.tail)]

    def head(edge: Placed) -> Sequence[Hashable]:
        return [(edge.head, edge.edge.type)]

    def tail(edge: Placed) -> Sequence[Hashable]:
        return [(edge.tail, edge.edge.type)]

    def either(edge: Placed) -> Sequence[Hashable]:
        return [*head(edge), *tail(edge)]

    def reverse(edge: Placed) -> Sequence[Hashable]:
        return [(edge.tail, edge.edge.type, edge.head)]

    yield whole, whole
    yield ends, ends
    if directed:
        yield head, head
        yield tail, tail
        yield whole, reverse
    else:
        yield either, either


def place(graph: Graph, places: Mapping[str, End]) -> list[Placed]:
    """A graph's edges by place. Ends of undirected edges are sorted."""
    found = []
    for edge in graph.edges:
        ends = [places[edge.source], places[edge.target]]
        if not graph.directed:
            ends.sort()
        content = digest([edge.type, dict(edge.attributes)])
        found.append(Placed(edge, ends[0], ends[1], content))
    return sorted(found, key=lambda one: (one.head, one.tail, one.content))


class EdgeMatching:
    """Pairs off two graphs' edges, those that have the most in common first.

    First edges with the same head, relation and tail; then with the same ends; then with the same
    head and relation; with the same relation and tail; and last reversed edges of one relation. An
    end is the same when its nodes are partners. Where several edges qualify, they are assigned so
    that as many attributes as possible pass their verifiers, as far as these ask no model.
    """

    def __init__(self, comparison: Comparison, asks: bool) -> None:
        self._comparison, self._asks = comparison, asks
        self._unasked = comparison.unasked()
        self._room = _MOST_COMPARISONS
        self._pairs: list[tuple[Placed, Placed]] = []
        self._compared: dict[tuple[str, str], Compared] = {}

    async def match(
        self, expected: list[Placed], actual: list[Placed], directed: bool
    ) -> list[EdgePair]:
        """The pairs, in the order of the expected edges' places."""
        for left_keys, right_keys in _levels(directed):
            left, right = _buckets(expected, left_keys), _buckets(actual, right_keys)
            used, gone = set[str](), set[str]()
            for key, some in left.items():
                ours = [one for one in some if one.edge.id not in used]
                theirs = [one for one in right.get(key, ()) if one.edge.id not in gone]
                for one, other in await self._assigned(ours, theirs):
                    used.add(one.edge.id)
                    gone.add(other.edge.id)
                    self._pairs.append((one, other))
            expected = [one for one in expected if one.edge.id not in used]
            actual = [one for one in actual if one.edge.id not in gone]
        return [await self._pair(one, other, directed) for one, other in self._pairs]

    async def _pair(self, one: Placed, other: Placed, directed: bool) -> EdgePair:
        head, tail = one.head == other.head, one.tail == other.tail
        if not directed and not (head or tail):
            head, tail = one.head == other.tail, one.tail == other.head
        return EdgePair(
            one.edge,
            other.edge,
            head,
            one.edge.type == other.edge.type,
            tail,
            await self._attributes(one.edge, other.edge),
        )

    async def _attributes(self, one: Edge, other: Edge) -> Compared:
        key = (one.id, other.id)
        if key not in self._compared:
            self._compared[key] = await self._compare(self._comparison, one, other)
        return self._compared[key]

    async def _compare(self, comparison: Comparison, one: Edge, other: Edge) -> Compared:
        return await comparison.compare(
            "edge", (one.type,), one.id, one.attributes, other.attributes
        )

    async def _assigned(
        self, ours: list[Placed], theirs: list[Placed]
    ) -> list[tuple[Placed, Placed]]:
        if not ours or not theirs:
            return []
        if len(ours) == len(theirs) == 1:
            return [(ours[0], theirs[0])]
        cells = len(ours) * len(theirs)
        pairs: list[tuple[Placed, Placed]] = []
        if self._asks or cells > self._room:  # asking is dear: what is equal is paired unasked
            pairs, ours, theirs = _equal(ours, theirs)
            cells = len(ours) * len(theirs)
        if not cells:
            return pairs
        if cells <= self._room:
            self._room -= cells
            scores = np.array([[await self._score(one, two) for two in theirs] for one in ours])
        elif cells <= MOST_PAIRS:
            scores = _agreement(ours, theirs)
        else:
            return [*pairs, *zip(ours, theirs, strict=False)]
        return [*pairs, *((ours[row], theirs[column]) for row, column in assign(scores))]

    async def _score(self, one: Placed, other: Placed) -> float:
        if self._asks:  # a model is asked about the pairs that are made, and not to make them
            compared = await self._compare(self._unasked, one.edge, other.edge)
        else:
            compared = await self._attributes(one.edge, other.edge)
        same = one.content == other.content
        relation = one.edge.type == other.edge.type
        # An attribute that could not be measured may be right. Equality only breaks ties.
        return compared.right + len(compared.unmeasured) / 2 + (2 * same + relation) / 1_000


def _buckets(edges: list[Placed], keys: _Keys) -> dict[Hashable, list[Placed]]:
    found: dict[Hashable, list[Placed]] = {}
    for edge in edges:
        for key in keys(edge):
            found.setdefault(key, []).append(edge)
    return found


def _equal(
    ours: list[Placed], theirs: list[Placed]
) -> tuple[list[tuple[Placed, Placed]], list[Placed], list[Placed]]:
    """Pairs off edges of the same content, and gives those left."""
    waiting: dict[str, list[Placed]] = {}
    for other in reversed(theirs):
        waiting.setdefault(other.content, []).append(other)
    pairs, left = [], []
    for one in ours:
        if waiting.get(one.content):
            pairs.append((one, waiting[one.content].pop()))
        else:
            left.append(one)
    taken = {other.edge.id for _, other in pairs}
    return pairs, left, [other for other in theirs if other.edge.id not in taken]


def _agreement(ours: list[Placed], theirs: list[Placed]) -> np.ndarray:
    """On how many attributes edges agree exactly."""
    places: dict[tuple[str, str], list[list[int]]] = {}
    for side, edges in enumerate((ours, theirs)):
        for number, one in enumerate(edges):
            for name, value in one.edge.attributes.items():
                places.setdefault((name, digest(value)), [[], []])[side].append(number)
    scores = np.zeros((len(ours), len(theirs)))
    for rows, columns in places.values():
        if rows and columns:
            scores[np.ix_(rows, columns)] += 1
    return scores
