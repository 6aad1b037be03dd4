"""Alignments to compare with: by attributes alone, with the neighbours' vote, and the best one.

None of them uses this package. Each gives, for every expected node, the number of an actual node or
-1.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, linear_sum_assignment, milp

Json = dict[str, Any]


def attribute_similarity(expected: Json, actual: Json) -> np.ndarray:
    """How alike each expected node's own values are to each actual node's, in [0, 1].

    The type and each attribute is compared by itself: texts by the Jaccard coefficient of their
    sets of letter trigrams, numbers by 1 - |a - b| / max(|a|, |b|). The mean is taken over the
    attributes that either node has, so that one which the other lacks counts 0.

    Returns:
        An array of shape (expected nodes, actual nodes).
    """
    left, right = _values(expected), _values(actual)
    total = np.zeros((len(expected["nodes"]), len(actual["nodes"])))
    union = np.zeros_like(total)
    for name in sorted(left.keys() | right.keys()):
        ours, theirs = left.get(name, {}), right.get(name, {})
        has, other = (
            np.isin(np.arange(n), list(side))
            for n, side in zip(total.shape, (ours, theirs), strict=True)
        )
        union += has[:, None] | other[None, :]
        if ours and theirs:
            total[np.ix_(list(ours), list(theirs))] += _alike([*ours.values()], [*theirs.values()])
    return total / np.maximum(union, 1)


def _values(graph: Json) -> dict[str, dict[int, Any]]:
    """Attribute → node number → value; the type counts as one more attribute."""
    found: dict[str, dict[int, Any]] = {}
    for number, node in enumerate(graph["nodes"].values()):
        for name, value in [("type", " ".join(node["types"])), *node["attributes"].items()]:
            found.setdefault(name, {})[number] = value
    return found


def _alike(left: list[Any], right: list[Any]) -> np.ndarray:
    if all(isinstance(value, int | float) for value in left + right):
        a, b = np.array(left, float)[:, None], np.array(right, float)[None, :]
        return 1 - np.abs(a - b) / np.maximum(np.maximum(abs(a), abs(b)), 1e-12)
    places: dict[str, int] = {}
    a, b = (_trigrams([str(value) for value in side], places) for side in (left, right))
    b.resize(b.shape[0], len(places))
    a.resize(a.shape[0], len(places))
    common = (a @ b.T).toarray()
    sizes = a.sum(axis=1).A1[:, None] + b.sum(axis=1).A1[None, :]
    return common / np.maximum(sizes - common, 1)


def _trigrams(texts: list[str], places: dict[str, int]) -> sparse.csr_matrix:
    """One row per text, one column per trigram, ones where the text holds it."""
    rows, columns = [], []
    for row, text in enumerate(texts):
        padded = f"  {text.lower()}  "
        for gram in sorted({padded[at : at + 3] for at in range(len(padded) - 2)}):
            rows.append(row)
            columns.append(places.setdefault(gram, len(places)))
    return sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), (len(texts), len(places)))


def adjacency(graph: Json) -> dict[str, sparse.csr_matrix]:
    """For each relation, how many of its edges lead from each node (row) to each (column)."""
    place = {name: number for number, name in enumerate(graph["nodes"])}
    ends: dict[str, tuple[list[int], list[int]]] = {}
    for edge in graph["edges"]:
        sources, targets = ends.setdefault(edge["type"], ([], []))
        sources.append(place[edge["source"]])
        targets.append(place[edge["target"]])
    shape = (len(place), len(place))
    return {
        relation: sparse.csr_matrix((np.ones(len(sources)), (sources, targets)), shape)
        for relation, (sources, targets) in ends.items()
    }


def assigned(similarity: np.ndarray) -> np.ndarray:
    """The one-to-one assignment with the largest sum; -1 where there were too few actual nodes."""
    rows, columns = linear_sum_assignment(similarity, maximize=True)
    found = np.full(similarity.shape[0], -1)
    found[rows] = columns
    return found


def hard_refined(
    similarity: np.ndarray,
    left: Mapping[str, sparse.csr_matrix],
    right: Mapping[str, sparse.csr_matrix],
    rounds: int = 10,
) -> np.ndarray:
    """Attribute assignment, then rounds in which every node's neighbours vote on its partner.

    A pair gains one vote for each edge it shares under the last assignment (same relation, same
    direction), divided by the larger of the two degrees. The next assignment maximises similarity
    plus vote. It ends when nothing changes, or after ``rounds``.
    """
    found = assigned(similarity)
    rows, columns = similarity.shape
    degrees = np.maximum.outer(_degrees(left, rows), _degrees(right, columns))
    for _ in range(rounds):
        keep = np.flatnonzero(found >= 0)
        shape = similarity.shape
        chosen = sparse.csr_matrix((np.ones(len(keep)), (keep, found[keep])), shape)
        votes = sparse.csr_matrix(shape)
        for relation in sorted(left.keys() & right.keys()):
            a, b = left[relation], right[relation]
            votes = votes + a @ chosen @ b.T + a.T @ chosen @ b
        again = assigned(similarity + votes.toarray() / np.maximum(degrees, 1))
        if np.array_equal(again, found):
            break
        found = again
    return found


def _degrees(relations: Mapping[str, sparse.csr_matrix], nodes: int) -> np.ndarray:
    degrees = np.zeros(nodes)
    for matrix in relations.values():
        degrees += matrix.sum(axis=0).A1 + matrix.sum(axis=1).A1
    return degrees


@dataclass(frozen=True)
class Problem:
    """What an alignment is worth: a value per pair of nodes, and one per pair of arcs it matches.

    Attributes:
        likeness: What pairing two nodes is worth, shape (expected nodes, actual nodes).
        left: Source and target of each expected arc, shape (arcs, 2), no two alike.
        right: The same of the actual graph.
        worth: What matching two arcs is worth, shape (expected arcs, actual arcs).
    """

    likeness: np.ndarray
    left: np.ndarray
    right: np.ndarray
    worth: np.ndarray

    def objective(self, partner: np.ndarray) -> float:
        """The value of all pairs of nodes, and of all arcs whose two ends are partners."""
        there = {(source, target): number for number, (source, target) in enumerate(self.right)}
        rows = np.flatnonzero(partner >= 0)
        total = float(self.likeness[rows, partner[rows]].sum())
        for number, (source, target) in enumerate(self.left):
            other = there.get((partner[source], partner[target]))
            if other is not None:
                total += float(self.worth[number, other])
        return total


@dataclass(frozen=True)
class Optimum:
    """What an integer program found: the alignment, its value and the bound on any value."""

    partner: np.ndarray | None
    objective: float
    bound: float
    proven: bool


def best(problem: Problem, seconds: float) -> Optimum:
    """The alignment of the largest objective, by HiGHS (``scipy.optimize.milp``).

    One binary variable per pair of nodes; one in [0, 1] per pair of arcs, which is whole by itself
    once the others are. For each arc and each node, the arcs that start there share what the pair
    of the two sources has, and likewise for targets: far tighter than a constraint per pair of
    arcs.
    """
    n, m = problem.likeness.shape
    e, f = (arcs.reshape(-1) for arcs in np.indices(problem.worth.shape))
    used = problem.worth[e, f] > 0
    e, f = e[used], f[used]
    arcs = np.arange(len(e)) + n * m
    blocks = []
    for number, node in enumerate((np.repeat(np.arange(n), m), np.tile(np.arange(m), n))):
        ones = sparse.csr_matrix(
            (np.ones(n * m), (node, np.arange(n * m))), ((n, m)[number], n * m)
        )
        blocks.append(sparse.hstack([ones, sparse.csr_matrix((ones.shape[0], len(e)))]))
    for end in (0, 1):
        keys, rows = np.unique(e * m + problem.right[f, end], return_inverse=True)
        pair = problem.left[keys // m, end] * m + keys % m
        blocks.append(
            sparse.csr_matrix(
                (
                    np.concatenate([np.ones(len(e)), -np.ones(len(keys))]),
                    (np.concatenate([rows, np.arange(len(keys))]), np.concatenate([arcs, pair])),
                ),
                (len(keys), n * m + len(e)),
            )
        )
    limits = np.concatenate([np.ones(n + m), np.zeros(sum(block.shape[0] for block in blocks[2:]))])
    found = milp(
        -np.concatenate([problem.likeness.reshape(-1), problem.worth[e, f]]),
        integrality=np.concatenate([np.ones(n * m), np.zeros(len(e))]),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(sparse.vstack(blocks, format="csc"), -np.inf, limits),
        options={"time_limit": seconds},
    )
    bound = -found.mip_dual_bound if found.mip_dual_bound is not None else np.inf
    if found.x is None:
        return Optimum(None, 0.0, bound, False)
    chosen = found.x[: n * m].reshape(n, m) > 0.5
    partner = np.where(chosen.any(axis=1), chosen.argmax(axis=1), -1)
    return Optimum(partner, problem.objective(partner), bound, found.status == 0)
