"""Which node of one graph is which node of the other, by attributes and structure together."""

from dataclasses import dataclass
from functools import cache
from itertools import permutations

import numpy as np
from scipy.optimize import linear_sum_assignment

from creel_inspect.verify.graph.structure import Floats, Ints, Structure

ATTRIBUTES, TYPES = 3.0, 0.5
"""What a wholly similar pair, and a pair of one type, are worth; a matched edge is worth 1."""
MOST_ITERATIONS = 6
_LEAST_GAIN = 1e-4
"""As a share of the objective; past it nothing changes but the time it takes."""
_MOST_POLISHING = 3
_MOST_NODES_TRIED, _MOST_EDGES_TRIED = 7, 300
"""Of so few nodes all alignments are tried (5,040 at most), unless there are too many edges."""
_MORE_STARTS = ((8, 10), (30, 3))
"""More starts for graphs of at most so many nodes."""
_MOST_SWAPS_TRIED, _MOST_BEND = 100, 3.0
_ROWS_AT_ONCE = 256
_MANY = 600
"""Rows from which on pairs that stand out are assigned before the others."""


@dataclass(frozen=True)
class Alignment:
    """The partner of each expected node (-1: none), and what the alignment is worth."""

    partner: Ints
    objective: float
    iterations: int


def align(
    likeness: Floats, structure: Structure, *, most: int = MOST_ITERATIONS, once: bool = False
) -> Alignment:
    """Frank–Wolfe over the doubly (sub)stochastic matrices, then a polish.

    Maximises J(Q) = ⟨L, Q⟩ + Σ_r ⟨A_r Q B_rᵀ, Q⟩. Each step assigns by the gradient
    (Vogelstein et al. 2015, "Fast approximate quadratic programming for graph matching", with one
    term per relation) and goes along the line as far as is best, which a parabola tells exactly.
    Of graphs of at most seven nodes the best of all alignments is taken.

    Args:
        likeness: L, what pairing two nodes is worth by itself, shape (expected, actual), at
            least 0.
        structure: The edges.
        most: How many steps at most.
        once: Whether one start is enough for small graphs too.
    """
    if not min(likeness.shape):
        return Alignment(np.full(likeness.shape[0], -1, dtype=np.int64), 0.0, 0)
    size = max(likeness.shape)
    if size <= _MOST_NODES_TRIED and len(structure.expected.source) <= _MOST_EDGES_TRIED:
        return _best_of_all(likeness, structure)
    starts = [_standing_out(likeness)[0] if size > _MANY else assign(likeness)]
    # Small graphs have many local optima, and their steps cost next to nothing.
    more = 0 if once else next((count for nodes, count in _MORE_STARTS if size <= nodes), 0)
    random = np.random.default_rng(0)
    starts += [assign(random.random(likeness.shape)) for _ in range(more)]
    found = [_ascended(start, likeness, structure, most) for start in starts]
    return max(found, key=lambda one: one.objective)


def _best_of_all(likeness: Floats, structure: Structure) -> Alignment:
    ours, theirs = likeness.shape
    partners = _all_alignments(max(ours, theirs), ours)
    padded = np.zeros((ours, max(ours, theirs)))
    padded[:, :theirs] = likeness
    worth = padded[np.arange(ours), partners].sum(axis=1) + structure.matched_worth(partners)
    best = int(np.argmax(worth))
    partner = partners[best]
    return Alignment(np.where(partner < theirs, partner, -1), float(worth[best]), 0)


@cache
def _all_alignments(places: int, nodes: int) -> Ints:
    """All ways to give nodes places of their own, shape (ways, nodes)."""
    found = np.array(list(permutations(range(places), nodes)), dtype=np.int64)
    found.flags.writeable = False
    return found


def _ascended(start: Ints, likeness: Floats, structure: Structure, most: int) -> Alignment:
    parts = [(1.0, start)]
    slope = structure.gradient(start)
    linear, quadratic = _total(likeness, start), _total(slope, start)
    steps = 0
    while steps < most:
        steps += 1
        goal = _nearly_assign(likeness + slope)
        step = structure.gradient(goal)
        goal_linear = _total(likeness, goal)
        # J along the line is J(Q) + t·b + t²·a.
        mixed, goal_quadratic = _total(slope, goal), _total(step, goal)
        a = (quadratic - 2 * mixed + goal_quadratic) / 2
        b = goal_linear - linear + mixed - quadratic
        if b <= _LEAST_GAIN * (linear + quadratic / 2):
            break
        t = 1.0 if a >= -b / 2 else -b / (2 * a)
        if t == 1.0:
            parts, slope = [(1.0, goal)], step
        else:
            parts = [*((share * (1 - t), part) for share, part in parts), (t, goal)]
            slope *= 1 - t
            step *= t
            slope += step
        linear = (1 - t) * linear + t * goal_linear
        quadratic = (1 - t) ** 2 * quadratic + 2 * t * (1 - t) * mixed + t**2 * goal_quadratic
    return polish(_nearest(parts, likeness), likeness, structure, steps)


def _nearest(parts: list[tuple[float, Ints]], likeness: Floats) -> Ints:
    """The assignment that has most in common with a weighed sum of assignments."""
    if len(parts) == 1:
        return parts[0][1]
    at = np.zeros(likeness.shape)
    for share, part in parts:
        rows = np.flatnonzero(part >= 0)
        at[rows, part[rows]] += share
    return _nearly_assign(at)


def polish(partner: Ints, likeness: Floats, structure: Structure, steps: int = 0) -> Alignment:
    """Assigns by the gradient as long as that helps, then exchanges partners two by two."""
    best, worth, slope = _measured(partner, likeness, structure)
    for _ in range(_MOST_POLISHING):
        tried = _measured(_nearly_assign(likeness + slope), likeness, structure)
        if tried[1] <= worth * (1 + _LEAST_GAIN):
            break
        best, worth, slope = tried
    for _ in range(_MOST_POLISHING):
        # Swaps that gain one by one can spoil each other: then the best one alone is made.
        swaps = _swaps(best, likeness + slope, structure)
        options = [_exchanged(best, some) for some in (swaps, swaps[:1]) if some]
        for option in options:
            tried = _measured(option, likeness, structure)
            if tried[1] > worth * (1 + _LEAST_GAIN):
                break
        else:
            break
        best, worth, slope = tried
    return Alignment(best, worth, steps)


def _exchanged(partner: Ints, swaps: list[tuple[int, int]]) -> Ints:
    changed = partner.copy()
    for one, other in swaps:
        changed[[one, other]] = partner[[other, one]]
    return changed


def _swaps(partner: Ints, worth: Floats, structure: Structure) -> list[tuple[int, int]]:
    """Pairs of nodes that gain by exchanging partners, the best first, each node at most once."""
    tried = []
    for slope, one, other in _tempted(partner, worth):
        exact = slope + structure.bend(one, other, partner)
        if exact > _LEAST_GAIN:
            tried.append((-exact, one, other))
    found, used = list[tuple[int, int]](), set[int]()
    for _, one, other in sorted(tried):
        if not used & {one, other}:
            used |= {one, other}
            found.append((one, other))
    return found


def _tempted(partner: Ints, worth: Floats) -> set[tuple[float, int, int]]:
    """The pairs of nodes whose exchange the slope speaks for most, or least against, and by what.

    Of two nodes that gain together one gains at least half. So only these cells are looked at.
    """
    owner = np.full(worth.shape[1], -1, dtype=np.int64)
    rows = np.flatnonzero(partner >= 0)
    owner[partner[rows]] = rows
    kept = np.full(len(partner), np.inf)
    kept[rows] = worth[rows, partner[rows]]
    found: set[tuple[float, int, int]] = set()
    for start in range(0, len(partner), _ROWS_AT_ONCE):
        block = worth[start : start + _ROWS_AT_ONCE]
        one, column = np.nonzero(block > kept[start : start + len(block), None] - _MOST_BEND / 2)
        one += start
        other = owner[column]
        real = (other >= 0) & (other != one)
        one, column, other = one[real], column[real], other[real]
        gain = worth[one, column] + worth[other, partner[one]] - kept[one] - kept[other]
        best = np.flatnonzero(gain > -_MOST_BEND)
        if len(best) > _MOST_SWAPS_TRIED:
            best = best[np.argpartition(-gain[best], _MOST_SWAPS_TRIED - 1)[:_MOST_SWAPS_TRIED]]
        pairs = np.sort(np.stack([one[best], other[best]], axis=1), axis=1)
        found.update(zip(gain[best].tolist(), *pairs.T.tolist(), strict=True))
    return set(sorted(found, reverse=True)[:_MOST_SWAPS_TRIED])


def _measured(partner: Ints, likeness: Floats, structure: Structure) -> tuple[Ints, float, Floats]:
    slope = structure.gradient(partner)
    return partner, _total(likeness, partner) + _total(slope, partner) / 2, slope


def assign(worth: Floats) -> Ints:
    """The best partner for each row, -1 where there are fewer columns."""
    rows, columns = linear_sum_assignment(worth, maximize=True)
    partner = np.full(worth.shape[0], -1, dtype=np.int64)
    partner[rows] = columns
    return partner


def _nearly_assign(worth: Floats) -> Ints:
    """``assign``; of many rows those first that stand out, which is nearly as good and faster."""
    if len(worth) <= _MANY:
        return assign(worth)
    partner, free = _standing_out(worth)
    rest = np.flatnonzero(partner < 0)
    if len(rest) and len(free):
        found = assign(worth[np.ix_(rest, free)])
        partner[rest] = np.where(found >= 0, free[found], -1)
    return partner


def _standing_out(worth: Floats) -> tuple[Ints, Ints]:
    """The pairs that are worth more than any other of their row and of their column.

    Returns:
        The partner of each row, -1 for none; and the columns that are no one's partner.
    """
    rows = np.arange(len(worth))
    best = worth.argmax(axis=1)
    value = worth[rows, best]
    worth[rows, best] = -np.inf
    second = worth.max(axis=1)
    # With each row's best taken out, a column holds only what the pairs must be better than.
    others = worth.max(axis=0)
    worth[rows, best] = value
    alone = np.bincount(best, minlength=worth.shape[1])[best] == 1
    out = alone & (value > second) & (value > others[best])
    partner = np.where(out, best, -1)
    free = np.ones(worth.shape[1], dtype=bool)
    free[best[out]] = False
    return partner, np.flatnonzero(free)


def _total(matrix: Floats, partner: Ints) -> float:
    rows = np.flatnonzero(partner >= 0)
    return float(matrix[rows, partner[rows]].sum())
