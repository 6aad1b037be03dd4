"""Simulated with the package's own bootstrap: scores between 0 and 1, in steps of 0.05."""

from itertools import product

import numpy as np
from interval_grids import BOOTSTRAP_DRAWS, MATCHED, Grid, Line
from scipy import stats

from creel_inspect.compare.statistics import intervals
from creel_inspect.compare.statistics.intervals import difference_estimate, mean_estimate
from creel_inspect.compare.statistics.observations import Observations
from creel_inspect.compare.statistics.significance import no_difference

SCORES = np.arange(21) / 20


def beta_scores(one: float, other: float):
    """Chances of 0, 0.05, ... 1."""
    return np.diff(stats.beta.cdf(np.linspace(0, 1, 22), one, other))


def scores(zeros: float, ones: float, one: float, other: float):
    """Some 0, some 1 and the rest from a beta distribution."""
    chances = (1 - zeros - ones) * beta_scores(one, other)
    chances[0] += zeros
    chances[-1] += ones
    return chances / chances.sum()


MEANS = {
    "uniform": scores(0, 0, 1, 1),
    "beta(2, 5)": scores(0, 0, 2, 5),
    "beta(8, 2)": scores(0, 0, 8, 2),
    "50 % are 1": scores(0, 0.5, 3, 3),
    "80 % are 1": scores(0, 0.8, 3, 3),
    "90 % are 1": scores(0, 0.9, 4, 2),
    "70 % are 0": scores(0.7, 0, 3, 3),
    "20 % are 0, 60 % are 1": scores(0.2, 0.6, 3, 3),
    "5 % are 0, 85 % are 1": scores(0.05, 0.85, 4, 2),
    "0, 1/2 or 1": np.bincount([0, 10, 20], weights=[0.2, 0.3, 0.5], minlength=21),
}

SIZES = {"any": (1, 1), "middling": (2, 3), "small": (2, 8), "large": (8, 1.5)}


def difference_scores(equal: float, size: str, better: float):
    """Chances of -1, -0.95, ... 1: some cases equal, others better or worse by so much."""
    chances = beta_scores(*SIZES[size])
    chances[0] = 0
    chances /= chances.sum()
    found = np.zeros(41)
    found[20:] += better * chances
    found[:21] += (1 - better) * chances[::-1]
    found *= 1 - equal
    found[20] += equal
    return found


DIFFERENCES = {
    f"{equal:.0%} equal, else {size}, {better:.0%} up": difference_scores(equal, size, better)
    for equal, (size, better) in product(
        (0.0, 0.3, 0.6, 0.8, 0.9),
        (
            ("any", 0.5),
            ("any", 0.75),
            ("middling", 0.95),
            ("small", 0.75),
            ("large", 0.5),
            ("large", 0.95),
        ),
    )
}


def named(n: int, size: int) -> tuple[list[str], list[str]]:
    """Cases and their clusters."""
    return [f"{case:03}" for case in range(n)], [f"{case // size:03}" for case in range(n)]


def drawn(rng, chances, values, n: int, size: int):
    """Values of cases; those of a matched pair are the same now and then."""
    found = rng.choice(values, p=chances, size=(n // size, size))
    return np.where(rng.random((n // size, 1)) < MATCHED, found[:, :1], found).ravel()


def score_mean(size: int, n: int, draws: int) -> Line:
    """Scores between 0 and 1."""
    intervals.DRAWS = BOOTSTRAP_DRAWS
    rng = np.random.default_rng([3, size, n])
    cases, clusters = named(n, size)
    grid = Grid()
    for name, chances in MEANS.items():
        found = [
            mean_estimate(Observations(cases, clusters, drawn(rng, chances, SCORES, n, size)))
            for _ in range(draws)
        ]
        low, high = np.array([(one.low, one.high) for one in found]).T
        grid.add(name, low, high, float(chances @ SCORES))
    what = ", matched pairs" if size > 1 else ""
    return grid.line(f"mean score{what}: bootstrap", n, f"{draws:,} a cell")


def score_difference(size: int, n: int, draws: int) -> Line:
    """The difference of two such."""
    intervals.DRAWS = BOOTSTRAP_DRAWS
    rng = np.random.default_rng([4, size, n])
    cases, clusters = named(n, size)
    steps = np.arange(-20, 21) / 20
    grid = Grid()
    for name, chances in DIFFERENCES.items():
        ends = []
        for _ in range(draws):
            seen = drawn(rng, chances, steps, n, size)
            # Scores in [0, 1] that differ by so much.
            a = (1 - seen) / 2
            found = difference_estimate(
                Observations(cases, clusters, a), Observations(cases, clusters, a + seen)
            )
            ends.append((found.low, found.high))
        low, high = np.array(ends).T
        grid.add(name, low, high, float(chances @ steps))
    what = ", matched pairs" if size > 1 else ""
    return grid.line(f"paired difference of scores{what}: bootstrap", n, f"{draws:,} a cell")


UNEVEN = {
    "60% +.02, 2% -.6": ((0.02, 0.6), (-0.6, 0.02)),
    "30% +.05, 2% -.75": ((0.05, 0.3), (-0.75, 0.02)),
    "50% +.01, 3% -.8": ((0.01, 0.5), (-0.8, 0.03)),
    "20% +.05, 5% -.9": ((0.05, 0.2), (-0.9, 0.05)),
}
"""Most cases gain a little, or nothing, and a few lose a lot: by how much, and how often."""


def uneven(n: int, draws: int) -> str:
    """Coverage, and how often the winner of many small gains is called better, by one cell each."""
    intervals.DRAWS = BOOTSTRAP_DRAWS
    rng = np.random.default_rng([7, n])
    cases, clusters = named(n, 1)
    told = []
    for name, parts in UNEVEN.items():
        values = np.array([0.0, *(value for value, _ in parts)])
        chances = [1 - sum(chance for _, chance in parts), *(chance for _, chance in parts)]
        truth, covered, better = float(values @ chances), 0, 0
        for _ in range(draws):
            seen = rng.choice(values, p=chances, size=n)
            a = Observations(cases, clusters, (1 - seen) / 2)
            b = Observations(cases, clusters, (1 + seen) / 2)
            found = difference_estimate(a, b)
            covered += found.low <= truth + 1e-9 and truth - 1e-9 <= found.high
            better += no_difference(a, b).p <= 0.05 and seen.mean() > 0
        told.append(f"{name}: {truth:+.3f} {covered / draws:.0%} {better / draws:.0%}")
    return f"{'uneven differences of scores: bootstrap':52} {n:5}  " + ", ".join(told)
