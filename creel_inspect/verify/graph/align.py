"""Which node of one graph is which node of the other, by attributes and structure together."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.optimize import linear_sum_assignment

from creel_inspect.verify.graph.structure import Floats, Ints, Structure

ATTRIBUTES, TYPES = 3.0, 0.5
"""What a wholly similar pair, and a pair of one type, are worth; a matched edge is worth 1."""
MOST_ITERATIONS = 6
_LEAST_GAIN = 1e-4
"""As a share of the objective; past it nothing changes but the time it takes."""
_MOST_POLISHING = 3
_MORE_STARTS = ((8, 10), (30, 3))
"""More starts for graphs of at most so many nodes."""
_MOST_SWAPS_TRIED, _MOST_BEND = 100, 3.0


@dataclass(frozen=True)
class Alignment:
    """The partner of each expected node (-1: none), and what the alignment is worth."""

    partner: Ints
    objective: float
    iterations: int


def align(likeness: Floats, structure: Structure, *, most: int = MOST_ITERATIONS) -> Alignment:
    """Frank–Wolfe over the doubly (sub)stochastic matrices, then a polish.

    Maximises J(Q) = ⟨L, Q⟩ + Σ_r ⟨A_r Q B_rᵀ, Q⟩. Each step assigns by the gradient
    (Vogelstein et al. 2015, "Fast approximate quadratic programming for graph matching", with one
    term per relation) and goes along the line as far as is best, which a parabola tells exactly.

    Args:
        likeness: L, what pairing two nodes is worth by itself, shape (expected, actual).
        structure: The edges.
        most: How many steps at most.
    """
    if not min(likeness.shape):
        return Alignment(np.full(likeness.shape[0], -1, dtype=np.int64), 0.0, 0)
    starts = [assign(likeness)]
    # Small graphs have many local optima, and their steps cost next to nothing.
    more = next((count for size, count in _MORE_STARTS if max(likeness.shape) <= size), 0)
    random = np.random.default_rng(0)
    starts += [assign(random.random(likeness.shape)) for _ in range(more)]
    found = [_ascended(start, likeness, structure, most) for start in starts]
    return max(found, key=lambda one: one.objective)


def _ascended(start: Ints, likeness: Floats, structure: Structure, most: int) -> Alignment:
    at = _matrix(start, likeness.shape)
    slope = structure.gradient(at).toarray()
    linear = _total(likeness, start)
    steps = 0
    while steps < most:
        steps += 1
        goal = assign(likeness + slope)
        towards = _matrix(goal, likeness.shape)
        step = structure.gradient(towards)
        goal_linear = _total(likeness, goal)
        # J along the line is J(Q) + t·b + t²·a.
        qq, qp, pp = at.multiply(slope).sum(), _total(slope, goal), towards.multiply(step).sum()
        a = (qq - 2 * qp + pp) / 2
        b = goal_linear - linear + qp - qq
        if b <= _LEAST_GAIN * (linear + qq / 2):
            break
        t = 1.0 if a >= -b / 2 else -b / (2 * a)
        at = ((1 - t) * at + t * towards).tocsr()
        slope *= 1 - t
        _add(slope, step, t)
        linear = (1 - t) * linear + t * goal_linear
    return polish(assign(at.toarray()), likeness, structure, steps)


def polish(partner: Ints, likeness: Floats, structure: Structure, steps: int = 0) -> Alignment:
    """Assigns by the gradient as long as that helps, then exchanges partners two by two."""
    best, worth, slope = _measured(partner, likeness, structure)
    for _ in range(_MOST_POLISHING):
        tried = _measured(assign(likeness + slope), likeness, structure)
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
    rows = np.flatnonzero(partner >= 0)
    moved = worth[np.ix_(rows, partner[rows])]
    kept = np.diagonal(moved)
    gain = moved + moved.T - kept[:, None] - kept
    gain[np.tril_indices(len(rows))] = -np.inf
    most = min(_MOST_SWAPS_TRIED, gain.size)
    best = np.sort(np.argpartition(-gain, most - 1, axis=None)[:most])
    tried = []
    for place in best[gain.flat[best] > -_MOST_BEND].tolist():
        one, other = int(rows[place // len(rows)]), int(rows[place % len(rows)])
        exact = float(gain.flat[place])
        # A gradient is wrong about edges between the two: it says too little or too much.
        if structure.linked(one, other):
            exact += _bend(one, other, partner, worth.shape, structure)
        if exact > _LEAST_GAIN:
            tried.append((-exact, one, other))
    found, used = list[tuple[int, int]](), set[int]()
    for _, one, other in sorted(tried):
        if not used & {one, other}:
            used |= {one, other}
            found.append((one, other))
    return found


def _bend(
    one: int, other: int, partner: Ints, shape: tuple[int, int], structure: Structure
) -> float:
    """What a swap gains beyond its slope: ½⟨∇(D), D⟩ for the step D."""
    columns = [partner[one], partner[other], partner[other], partner[one]]
    step = sparse.csr_array(
        ([-1.0, 1.0, -1.0, 1.0], ([one, one, other, other], columns)), shape=shape
    )
    return float(structure.gradient(step).multiply(step).sum()) / 2


def _measured(partner: Ints, likeness: Floats, structure: Structure) -> tuple[Ints, float, Floats]:
    slope = structure.gradient(_matrix(partner, likeness.shape)).toarray()
    return partner, _total(likeness, partner) + _total(slope, partner) / 2, slope


def assign(worth: Floats) -> Ints:
    """The best partner for each row, -1 where there are fewer columns."""
    rows, columns = linear_sum_assignment(worth, maximize=True)
    partner = np.full(worth.shape[0], -1, dtype=np.int64)
    partner[rows] = columns
    return partner


def _matrix(partner: Ints, shape: tuple[int, int]) -> sparse.csr_array:
    rows = np.flatnonzero(partner >= 0)
    return sparse.csr_array((np.ones(len(rows)), (rows, partner[rows])), shape=shape)


def _total(matrix: Floats, partner: Ints) -> float:
    rows = np.flatnonzero(partner >= 0)
    return float(matrix[rows, partner[rows]].sum())


def _add(dense: Floats, some: sparse.csr_array, factor: float) -> None:
    these = some.tocoo()
    dense[these.row, these.col] += factor * these.data
