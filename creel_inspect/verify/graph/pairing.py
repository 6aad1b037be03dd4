"""Two graphs in, who is who out: canonical order, alignment, gate, and what chance would reach."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import breadth_first_order

from creel_inspect.verify.graph.align import ATTRIBUTES, TYPES, Alignment, align
from creel_inspect.verify.graph.canonical import Component, components, exact_pairs
from creel_inspect.verify.graph.gate import Gate, accepted, matched
from creel_inspect.verify.graph.model import Graph
from creel_inspect.verify.graph.similarity import Similarity, similarity, taken
from creel_inspect.verify.graph.structure import Arcs, Floats, Ints, Links, Structure, links

_MOST_CHANCE_ITERATIONS = 5
_MOST_CHANCE_NODES = 500


@dataclass(frozen=True)
class Pairing:
    """Who is who.

    Attributes:
        partner: Expected node id → actual node id, for the pairs that passed the gate.
        aligned: How many pairs the alignment made before the gate.
        exact: How many of the pairs lie in components that are the same in both graphs.
        objective: What the alignment is worth; see ``align``.
        iterations: Frank–Wolfe steps; 0 where all was exact, or all alignments were tried.
        expected_order: All expected node ids in canonical order.
        actual_order: All actual node ids in canonical order.
        chance: The edge F1 that chance reaches, ``gated`` and ``ungated``; see ``pair_nodes``.
    """

    partner: Mapping[str, str]
    aligned: int
    exact: int
    objective: float
    iterations: int
    expected_order: tuple[str, ...]
    actual_order: tuple[str, ...]
    chance: Mapping[str, float]


def pair_nodes(expected: Graph, actual: Graph, gate: Gate, seed: int) -> Pairing:
    """Aligns two graphs.

    Components that are the same in both, content and structure alike, are paired off: no alignment
    is better than that. The others are aligned by attributes and structure, and the pairs that the
    gate does not accept are dropped.

    The chance floor is the edge F1 of an alignment that cannot be right: in the candidate the
    targets of each relation's edges are dealt out anew (by ``seed``), every pair just aligned is
    struck out of the similarities, and the rest is aligned and gated in the same way, with at most
    five steps from one start. Of graphs of over 500 nodes a part of 500 is taken, found breadth
    first. It is an estimate, and no part of any score.
    """
    first, second = components(expected, actual)
    pinned, left, others = exact_pairs(first, second)
    orders, places, alike, (ours, theirs) = _put_side_by_side(expected, actual, first, second)
    rows = np.array([places[0][name] for name in left], dtype=np.int64)
    columns = np.array([places[1][name] for name in others], dtype=np.int64)
    found = _align_rest(alike, ours.weighted, theirs.weighted, rows, columns)
    partner = np.full(len(orders[0]), -1, dtype=np.int64)
    kept = found.partner >= 0
    partner[rows[kept]] = columns[found.partner[kept]]
    believed = accepted(partner, alike, ours.plain, theirs.plain, gate)
    whole = partner.copy()
    for name, other in pinned.items():
        whole[places[0][name]] = places[1][other]
    gated = np.where(believed | (partner != whole), whole, -1)
    return Pairing(
        partner={
            name: orders[1][gated[place]]
            for place, name in enumerate(orders[0])
            if gated[place] >= 0
        },
        aligned=int((whole >= 0).sum()),
        exact=len(pinned),
        objective=found.objective + _worth(whole, partner, alike, ours.weighted),
        iterations=found.iterations,
        expected_order=orders[0],
        actual_order=orders[1],
        chance=_chance(alike, whole, (ours.plain, theirs.plain), gate, seed),
    )


@dataclass(frozen=True)
class Ungated:
    """The alignment of two whole graphs before any gate, and what it was made from.

    Attributes:
        partner: The partner of each expected node, -1 for none: the place of its id in the actual
            graph. Nodes are in the order of ``Graph.nodes``.
        objective: What the alignment is worth; see ``align``.
        likeness: What pairing two nodes is worth by itself, shape (expected, actual).
        links: The edges of both graphs.
    """

    partner: Ints
    objective: float
    likeness: Floats
    links: tuple[Links, Links]


def align_graphs(expected: Graph, actual: Graph) -> Ungated:
    """Aligns two graphs as ``pair_nodes`` does, without a gate and without a chance floor.

    Components that are the same in both are aligned with all the rest.
    """
    orders, _, alike, arcs = _put_side_by_side(expected, actual, *components(expected, actual))
    likeness = _likeness(alike)
    found = align(likeness, Structure(arcs[0].weighted, arcs[1].weighted, likeness.shape))
    # Alignment goes by canonical order, so that ties fall the same way; the answer by the graphs'.
    given = [{name: number for number, name in enumerate(one.nodes)} for one in (expected, actual)]
    rows, columns = (
        np.array([place[name] for name in order], dtype=np.int64)
        for place, order in zip(given, orders, strict=True)
    )
    partner = np.full(len(rows), -1, dtype=np.int64)
    kept = found.partner >= 0
    partner[rows[kept]] = columns[found.partner[kept]]
    by_place = np.empty_like(likeness)
    by_place[np.ix_(rows, columns)] = likeness
    return Ungated(
        partner, found.objective, by_place, links((expected, actual), (given[0], given[1]))
    )


def _put_side_by_side(
    expected: Graph, actual: Graph, first: list[Component], second: list[Component]
) -> tuple[list[tuple[str, ...]], list[dict[str, int]], Similarity, tuple[Links, Links]]:
    """Both graphs' nodes in canonical order, their places in it, similarities, and edges."""
    orders = [tuple(name for one in side for name in one.nodes) for side in (first, second)]
    places = [{name: number for number, name in enumerate(order)} for order in orders]
    alike = similarity(
        [expected.nodes[name] for name in orders[0]], [actual.nodes[name] for name in orders[1]]
    )
    return orders, places, alike, links((expected, actual), (places[0], places[1]))


def _align_rest(
    alike: Similarity, expected: Arcs, actual: Arcs, rows: Ints, columns: Ints
) -> Alignment:
    structure = Structure(
        expected.among(rows, alike.types.shape[0]),
        actual.among(columns, alike.types.shape[1]),
        (len(rows), len(columns)),
    )
    return align(taken(_likeness(alike), rows, columns), structure)


def _likeness(alike: Similarity) -> Floats:
    worth = ATTRIBUTES * alike.evidence
    worth += TYPES * alike.types
    return worth


def _worth(whole: Ints, aligned: Ints, alike: Similarity, expected: Arcs) -> float:
    """What the exactly paired components add to the objective: all of their edges match."""
    rows = np.flatnonzero(whole != aligned)
    matched_worth = expected.worth[np.isin(expected.source, rows)].sum()
    pairs = rows, whole[rows]
    likeness = ATTRIBUTES * alike.evidence[pairs] + TYPES * alike.types[pairs]
    return float(likeness.sum() + matched_worth)


def _chance(
    alike: Similarity, partner: Ints, arcs: tuple[Arcs, Arcs], gate: Gate, seed: int
) -> dict[str, float]:
    random = np.random.default_rng(seed)
    expected, actual = arcs
    rows, columns = (
        _some(side, count, random) for side, count in zip(arcs, alike.types.shape, strict=True)
    )
    expected = expected.among(rows, alike.types.shape[0])
    actual = _rewired(actual.among(columns, alike.types.shape[1]), random)
    place = np.full(alike.types.shape[1] + 1, -1, dtype=np.int64)  # the last: of no partner
    place[columns] = np.arange(len(columns))
    near = place[partner[rows]]
    whole = np.flatnonzero(near >= 0)
    unlike = alike.among(rows, columns)
    for matrix in (unlike.attributes, unlike.evidence):
        matrix[whole, near[whole]] = 0.0
    structure = Structure(expected, actual, (len(rows), len(columns)))
    found = align(_likeness(unlike), structure, most=_MOST_CHANCE_ITERATIONS, once=True).partner
    gated = np.where(accepted(found, unlike, expected, actual, gate), found, -1)
    return {
        "ungated": _edge_f1(found, expected, actual),
        "gated": _edge_f1(gated, expected, actual),
    }


def _some(arcs: Arcs, count: int, random: np.random.Generator) -> Ints:
    """All nodes, or as many as chance is measured on: a part that hangs together."""
    if count <= _MOST_CHANCE_NODES:
        return np.arange(count)
    ones = np.ones(len(arcs.source), dtype=np.int8)
    linked = sparse.csr_array((ones, (arcs.source, arcs.target)), shape=(count, count))
    start = int(random.integers(count))
    near = breadth_first_order(linked, start, directed=False, return_predecessors=False)
    far = np.setdiff1d(np.arange(count), near)
    return np.sort(np.concatenate([near, far])[:_MOST_CHANCE_NODES]).astype(np.int64)


def _rewired(arcs: Arcs, random: np.random.Generator) -> Arcs:
    """The targets of each relation's edges dealt out anew."""
    target = arcs.target.copy()
    for relation in np.unique(arcs.relation):
        these = np.flatnonzero(arcs.relation == relation)
        target[these] = random.permutation(target[these])
    return Arcs(arcs.source, target, arcs.relation, arcs.worth)


def _edge_f1(partner: Ints, expected: Arcs, actual: Arcs) -> float:
    """Of parallel edges of one relation, one is counted."""
    total = len(expected.source) + len(actual.source)
    return 2 * int(matched(partner, expected, actual).sum()) / total if total else 0.0
