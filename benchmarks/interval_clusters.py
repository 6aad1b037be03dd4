"""Simulated: right or wrong, in epochs and matched pairs."""

from dataclasses import dataclass
from itertools import product

import numpy as np
from interval_grids import FEW_RATES, MATCHED, PAIR_RATES, SAMENESS, SHARED, Grid, Line, same
from interval_plain import square_and_add, wilson
from scipy import stats

from creel_inspect.compare.statistics.intervals import difference_estimate, mean_estimate
from creel_inspect.compare.statistics.observations import Observations

STEPS = 4_000
_TABLES: dict[tuple[float, float], np.ndarray] = {}


def chance_right(rate: float, sameness: float, hardness):
    """A case's chance of being right: beta-distributed over cases, by its rank in hardness."""
    if (rate, sameness) not in _TABLES:
        total = 1 / sameness - 1
        middles = (np.arange(STEPS) + 0.5) / STEPS
        _TABLES[rate, sameness] = stats.beta.ppf(middles, rate * total, (1 - rate) * total)
    return _TABLES[rate, sameness][np.minimum((hardness * STEPS).astype(int), STEPS - 1)]


@dataclass(frozen=True)
class Design:
    """How cases are asked: so many epochs, in clusters of one or two."""

    name: str
    epochs: int
    size: int

    def hardness(self, rng, draws: int, n: int):
        """Shape (draws, clusters, cases of a cluster)."""
        shape = (draws, n // self.size, self.size)
        found = rng.random(shape)
        alike = rng.random((*shape[:2], 1)) < MATCHED
        return np.where(alike, found[..., :1], found)

    def one(self, rng, draws: int, n: int, rate: float, sameness: float):
        chance = chance_right(rate, sameness, self.hardness(rng, draws, n))
        return rng.binomial(self.epochs, chance)

    def two(self, rng, draws: int, n: int, rates, sameness: float, shared: float):
        of_a = self.hardness(rng, draws, n)
        of_b = self.hardness(rng, draws, n)
        of_b = np.where(rng.random((*of_a.shape[:2], 1)) < shared, of_a, of_b)
        return tuple(
            rng.binomial(self.epochs, chance_right(rate, sameness, hard))
            for rate, hard in zip(rates, (of_a, of_b), strict=True)
        )

    def observations(self, rights) -> Observations:
        """Of one data set, as the package takes them."""
        cases, clusters, values = [], [], []
        for (cluster, index), right in np.ndenumerate(rights):
            cases += [f"{cluster}-{index}"] * self.epochs
            clusters += [str(cluster)] * self.epochs
            values += [1.0] * right + [0.0] * (self.epochs - right)
        return Observations(cases, clusters, values)


DESIGNS = (
    Design("3 epochs", 3, 1),
    Design("matched pairs", 1, 2),
    Design("matched pairs, 3 epochs", 3, 2),
)


def clustered(means, epochs: int):
    """Rate, squared error and effective cases of means of shape (draws, clusters, cases)."""
    _, clusters, size = means.shape
    groups = means.mean(axis=2)
    rate, square = groups.mean(axis=1), groups.var(axis=1, ddof=1) / clusters
    samples = clusters * size * epochs
    factor = (stats.t.ppf(0.975, samples - 1) / stats.t.ppf(0.975, clusters - 1)) ** 2
    spread = rate * (1 - rate)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(square > 1e-20, spread / square * factor, samples)
    found = np.where(spread < 1e-12, clusters, np.clip(found, clusters, samples))
    return rate, square, found


def rate_with(design: Design, n: int, draws: int) -> Line:
    """Right-or-wrong scores in epochs or pairs."""
    rng = np.random.default_rng([1, design.epochs, design.size, n])
    grid = Grid()
    for rate, sameness in product(FEW_RATES, SAMENESS):
        rights = design.one(rng, draws, n, rate, sameness)
        mean, _, effective = clustered(rights / design.epochs, design.epochs)
        low, high = wilson(mean, effective)
        for index in range(2):
            found = mean_estimate(design.observations(rights[index]))
            same(found, low[index], high[index])
        grid.add(f"rate {rate}, sameness {sameness}", low, high, rate)
    return grid.line(f"one rate, {design.name}: Wilson", n, f"{draws:,} a cell")


def clustered_difference(a, b, epochs: int):
    """The package's interval for right-or-wrong scores in clusters, for many data sets."""
    rate_a, square_a, of_a = clustered(a, epochs)
    rate_b, square_b, of_b = clustered(b, epochs)
    differences = (b - a).mean(axis=2)
    clusters = differences.shape[1]
    square = differences.var(axis=1, ddof=1) / clusters
    known = (square_a > 1e-20) & (square_b > 1e-20)
    scale = np.where(known, np.sqrt(square_a * square_b), 1)
    correlation = np.where(known, (square_a + square_b - square) / (2 * scale), 0)
    low, high = square_and_add(
        rate_a, wilson(rate_a, of_a), rate_b, wilson(rate_b, of_b), np.clip(correlation, -1, 1)
    )
    # On a line: no narrower than cluster-robust t.
    reach = stats.t.ppf(0.975, clusters - 1) * np.sqrt(square)
    line, middle = np.abs(correlation) > 1 - 1e-9, differences.mean(axis=1)
    low = np.where(line, np.maximum(np.minimum(low, middle - reach), -1), low)
    high = np.where(line, np.minimum(np.maximum(high, middle + reach), 1), high)
    even = np.ptp(differences, axis=1) < 1e-12
    seen, share = differences.mean(axis=1), 1 - 0.05 ** (1 / clusters)
    return (
        np.where(even, seen - (seen + 1) * share, low),
        np.where(even, seen + (1 - seen) * share, high),
    )


def difference_with(design: Design, n: int, draws: int) -> Line:
    """The difference of two such."""
    rng = np.random.default_rng([2, design.epochs, design.size, n])
    grid = Grid()
    rates = [(a, b) for a, b in product(PAIR_RATES, PAIR_RATES) if a <= b]
    for (a, b), sameness, shared in product(rates, SAMENESS, SHARED):
        right_a, right_b = design.two(rng, draws, n, (a, b), sameness, shared)
        low, high = clustered_difference(
            right_a / design.epochs, right_b / design.epochs, design.epochs
        )
        found = difference_estimate(
            design.observations(right_a[0]), design.observations(right_b[0])
        )
        same(found, low[0], high[0])
        grid.add(f"rates {a}, {b}, sameness {sameness}, shared {shared}", low, high, b - a)
    return grid.line(f"paired difference, {design.name}: Newcombe", n, f"{draws:,} a cell")
