"""Exact: one rate, and two paired rates, one epoch of cases that stand alone."""

from itertools import product

import numpy as np
from interval_grids import LIKENESS, RATES, Grid, Line, Z, same
from scipy import stats
from scipy.special import gammaln

from creel_inspect.compare.statistics.intervals import difference_estimate, mean_estimate
from creel_inspect.compare.statistics.observations import Observations


def wilson(rate, n):
    """Wilson's interval, for many at once."""
    centre = (rate + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z / (1 + Z**2 / n) * np.sqrt(rate * (1 - rate) / n + Z**2 / (4 * n**2))
    return np.maximum(centre - half, 0), np.minimum(centre + half, 1)


def one_rate(n: int) -> Line:
    """Wilson's interval of right-or-wrong scores, once a case."""
    names = [str(case) for case in range(n)]
    ends = []
    for right in range(n + 1):
        found = mean_estimate(Observations(names, names, [1.0] * right + [0.0] * (n - right)))
        ends.append((found.low, found.high))
    low, high = np.array(ends).T
    grid = Grid()
    for rate in RATES:
        chance = stats.binom.pmf(np.arange(n + 1), n, rate)
        covered = (low <= rate) & (rate <= high)
        grid.cells.append((f"rate {rate}", chance @ covered, chance @ (high - low)))
    return grid.line("one rate: Wilson", n, "exact")


def every_table(n: int):
    """All counts of (both, only a, only b, neither) that add up to ``n``."""
    rows = []
    for both in range(n + 1):
        for only_a in range(n + 1 - both):
            only_b = np.arange(n + 1 - both - only_a)
            rows.append(
                np.stack(
                    [
                        np.full_like(only_b, both),
                        np.full_like(only_b, only_a),
                        only_b,
                        n - both - only_a - only_b,
                    ],
                    axis=1,
                )
            )
    return np.concatenate(rows).astype(float)


def square_and_add(a, of_a, b, of_b, correlation):
    """As ``intervals._square_and_add``, for many at once."""

    def reach(one, other):
        return np.sqrt(np.maximum(one**2 - 2 * correlation * one * other + other**2, 0))

    low = b - a - reach(b - of_b[0], of_a[1] - a)
    high = b - a + reach(of_b[1] - b, a - of_a[0])
    return np.maximum(low, -1), np.minimum(high, 1)


def newcombe(tables):
    """Newcombe's method 10 for many tables."""
    both, only_a, only_b, neither = tables.T
    n = tables.sum(axis=1)
    a, b = (both + only_a) / n, (both + only_b) / n
    signed = both * neither - only_a * only_b
    signed = np.where(signed > 0, np.maximum(signed - n / 2, 0), signed)
    margins = (both + only_a) * (only_b + neither) * (both + only_b) * (only_a + neither)
    phi = np.where(margins > 0, signed / np.sqrt(np.where(margins > 0, margins, 1)), 0)
    return square_and_add(a, wilson(a, n), b, wilson(b, n), phi)


def from_table(table) -> tuple[Observations, Observations]:
    """Two runs with these counts."""
    both, only_a, only_b, neither = (int(count) for count in table)
    names = [str(case) for case in range(both + only_a + only_b + neither)]
    a = [1.0] * (both + only_a) + [0.0] * (only_b + neither)
    b = [1.0] * both + [0.0] * only_a + [1.0] * only_b + [0.0] * neither
    return Observations(names, names, a), Observations(names, names, b)


def paired_rates(n: int) -> Line:
    """The difference of right-or-wrong scores, once a case."""
    tables = every_table(n)
    low, high = newcombe(tables)
    for index in np.random.default_rng(n).choice(len(tables), 40):
        found = difference_estimate(*from_table(tables[index]))
        same(found, low[index], high[index])
    cells = []
    for (first, a), b, like in product(enumerate(RATES), RATES, LIKENESS):
        if b >= RATES[first]:
            both = (1 - like) * a * b + like * min(a, b)
            cells.append((a, b, like, both, a - both, b - both, 1 - a - b + both))
    grid = np.array(cells)
    logs = np.log(np.maximum(grid[:, 3:], 1e-300)).T
    truth = grid[:, 1] - grid[:, 0]
    coefficient = gammaln(n + 1) - gammaln(tables + 1).sum(axis=1)
    covered, width = np.zeros(len(grid)), np.zeros(len(grid))
    for start in range(0, len(tables), 8_000):
        part = slice(start, start + 8_000)
        chance = np.exp(coefficient[part, None] + tables[part] @ logs)
        inside = (low[part, None] <= truth + 1e-12) & (truth - 1e-12 <= high[part, None])
        covered += (chance * inside).sum(axis=0)
        width += (high[part] - low[part]) @ chance
    found = Grid()
    for cell, share, reach in zip(cells, covered, width, strict=True):
        found.cells.append((f"rates {cell[0]}, {cell[1]}, likeness {cell[2]}", share, reach))
    return found.line("paired difference: Newcombe method 10", n, "exact")
