"""Who goes with whom: the assignment of rows to columns with the greatest total score."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

MOST_PAIRS = 1_000_000


def assign(scores: Any, *, floor: float = 0.0) -> list[tuple[int, int]]:
    """The one-to-one pairs with the greatest total score.

    Taking the best pair first, then the next best, can miss it: a pair that scores 0.9 may cost two
    that score 0.8. This is the linear sum assignment problem, solved exactly (``scipy``; D. F.
    Crouse, IEEE Transactions on Aerospace and Electronic Systems 52(4), 2016).

    Args:
        scores: Shape (rows, columns): finite, none below 0. At most a million.
        floor: A pair that scores less is never made, so that both stay alone.

    Returns:
        ``(row, column)`` pairs by row. Between equal totals the earlier comes first: no item of the
        shorter side could change partners with a later one, or take a free partner, to get an
        earlier partner at no loss.

    Raises:
        ValueError: For other shapes, too many scores, NaN, infinities or negative scores.
    """
    weights = np.asarray(scores, dtype=np.float64)
    if weights.size == 0:
        return []
    if weights.ndim != 2:
        raise ValueError(f"expected a matrix of scores, came {weights.ndim} dimension(s)")
    if weights.size > MOST_PAIRS:
        raise ValueError(f"expected at most {MOST_PAIRS:,} scores, came {weights.size:,}")
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise ValueError("expected finite scores of at least 0")
    # A pair below the floor adds nothing to a total, and is left out of the result.
    allowed = weights >= floor
    weights = np.where(allowed, weights, 0.0)
    flipped = weights.shape[0] > weights.shape[1]
    shorter_first = weights.T if flipped else weights
    _, partners = linear_sum_assignment(shorter_first, maximize=True)
    _in_order(shorter_first, partners)
    pairs = (
        (int(column), row) if flipped else (row, int(column)) for row, column in enumerate(partners)
    )
    return sorted(pair for pair in pairs if allowed[pair])


def _in_order(weights: NDArray[np.float64], partners: NDArray[np.intp]) -> None:
    """Gives each row in turn the earliest column it can have without loss, in place."""
    rows = np.arange(len(partners))
    taken = np.zeros(weights.shape[1], dtype=bool)
    taken[partners] = True
    free = np.flatnonzero(~taken)
    for row in rows:
        column, later = partners[row], rows[row + 1 :]
        theirs = partners[later]
        now = weights[row, column] + weights[later, theirs]
        swapped = weights[row, theirs] + weights[later, column]
        swaps = later[(swapped >= now) & (theirs < column)]
        spare = np.flatnonzero((weights[row, free] >= weights[row, column]) & (free < column))
        best = swaps[np.argmin(partners[swaps])] if swaps.size else None
        if spare.size and (best is None or free[spare[0]] < partners[best]):
            partners[row], free[spare[0]] = free[spare[0]], column
            free.sort()
        elif best is not None:
            partners[row], partners[best] = partners[best], column
