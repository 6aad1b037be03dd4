"""How often the intervals and tests of ``creel_inspect.compare`` are right.

For each interval and 10, 30, 60 and 200 cases, over a fixed grid: the mean coverage, the worst cell
and the mean width. Coverage of the plain intervals is exact, by adding up the chance of every
outcome; that of the others is simulated, with seeds. Ends with 1 if a grid mean lies outside 93 to
97.5 %. Then how often each test rejects a true null hypothesis at 0.05, and how often tests find
the difference that ``detectable`` promises to find in four of five tries.

    python benchmarks/intervals.py

Where a formula is written once more here, to run over thousands of data sets at once, it is first
compared with the package's own answer. The bootstrap is the package's own, with fewer draws.
"""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from time import perf_counter

import numpy as np
from scipy import stats
from scipy.special import gammaln

from creel_inspect.compare.statistics import intervals, significance
from creel_inspect.compare.statistics.intervals import difference_estimate, mean_estimate
from creel_inspect.compare.statistics.observations import Observations
from creel_inspect.compare.statistics.power import detectable
from creel_inspect.compare.statistics.significance import no_difference

CASES = (10, 30, 60, 200)
LEAST, MOST = 0.93, 0.975
Z = stats.norm.ppf(0.975)

RATES = [round(0.05 * step, 2) for step in range(1, 20)]
# What part of the way from independent to as alike as the two rates allow.
LIKENESS = (0.0, 0.5, 0.9)

# Coarser, where each cell is simulated.
FEW_RATES = (0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95)
PAIR_RATES = (0.05, 0.2, 0.5, 0.8, 0.95)
# Correlation of a case's epochs: right at random, or always as the first time.
SAMENESS = (0.1, 0.5, 0.9)
# How often both runs find the same case as hard.
SHARED = (0.0, 0.5, 0.9)
# How often the two cases of a matched pair are equally hard.
MATCHED = 0.6

BOOTSTRAP_DRAWS = 999
# Enough for every arrangement of ten cases.
FLIP_DRAWS = 1_999


@dataclass(frozen=True)
class Line:
    """One line of the table."""

    name: str
    cases: int
    mean: float
    worst: float
    where: str
    width: float
    cells: int
    how: str

    def __str__(self) -> str:
        return (
            f"{self.name:52} {self.cases:5} {self.mean:8.2%} {self.worst:8.2%}  "
            f"{self.where:52} {self.width:6.3f} {self.cells:5}  {self.how}"
        )


class Grid:
    """Coverage and width by cell."""

    def __init__(self) -> None:
        self.cells: list[tuple[str, float, float]] = []

    def add(self, where: str, low, high, truth: float) -> None:
        """Adds a simulated cell, of one interval per data set."""
        covered = (low <= truth + 1e-9) & (truth - 1e-9 <= high)
        self.cells.append((where, float(np.mean(covered)), float(np.mean(high - low))))

    def line(self, name: str, cases: int, how: str) -> Line:
        where, worst, _ = min(self.cells, key=lambda cell: cell[1])
        return Line(
            name,
            cases,
            float(np.mean([cell[1] for cell in self.cells])),
            worst,
            where,
            float(np.mean([cell[2] for cell in self.cells])),
            len(self.cells),
            how,
        )


# Exact: one rate, and two paired rates.


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


def same(found, low: float, high: float) -> None:
    """Stops where this script and the package do not agree."""
    if abs(found.low - low) > 1e-9 or abs(found.high - high) > 1e-9:
        raise AssertionError(f"({low}, {high}) here, but {found!r} in the package")


# Simulated: right or wrong, in epochs and matched pairs.

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


# Simulated with the package's own bootstrap: scores between 0 and 1, in steps of 0.05.

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


# Tests where there is no difference, and where there is.


def mcnemar_p(n: int):
    """Of the package, by [differing cases][of which only b]."""
    return [
        np.array([significance._mcnemar(differing - up, up) for up in range(differing + 1)])
        for differing in range(n + 1)
    ]


def rejecting(n: int, differing: float, difference: float, p) -> float:
    """How often McNemar's test rejects at 0.05, exactly."""
    found = 0.0
    for count, chance in enumerate(stats.binom.pmf(np.arange(n + 1), n, differing)):
        up = stats.binom.pmf(np.arange(count + 1), count, (1 + difference / differing) / 2)
        found += chance * float(up[p[count] <= 0.05].sum())
    return found


def mcnemar_size(n: int) -> str:
    """False alarms of McNemar's test, over shares of cases that differ."""
    p = mcnemar_p(n)
    found = {share: rejecting(n, share, 0, p) for share in RATES}
    worst = max(found, key=lambda share: found[share])
    return (
        f"{'McNemar mid-p':52} {n:5} {np.mean(list(found.values())):8.2%} {found[worst]:8.2%}  "
        f"{worst:.0%} of cases differ (exact)"
    )


def flips_size(design: Design | None, n: int, draws: int) -> str:
    """Size of the sign-flip test; of scores between 0 and 1 where there is no design."""
    size = design.size if design else 1
    rng = np.random.default_rng([5, design.epochs if design else 0, size, n])
    clusters = n // size
    if clusters <= 13:
        signs = np.array(list(product((-1.0, 1.0), repeat=clusters))).T
    cells: list[tuple[float, str]] = []
    grid: Iterator[tuple[object, ...]]
    if design:
        grid = product((0.05, 0.2, 0.5), SAMENESS, SHARED)
    else:
        grid = product((0.0, 0.3, 0.6, 0.8, 0.9), ("any", "small", "large"), (None,))
    for cell in grid:
        if design:
            rate, sameness, shared = cell
            a, b = design.two(rng, draws, n, (rate, rate), sameness, shared)
            sums = (b - a).sum(axis=2).astype(float)
            where = f"rates {rate}, sameness {sameness}, shared {shared}"
        else:
            equal, kind, _ = cell
            sums = rng.choice(
                np.arange(-20.0, 21), p=difference_scores(equal, kind, 0.5), size=(draws, n)
            )
            where = f"{equal:.0%} equal, else {kind}"
        if clusters > 13:
            signs = rng.choice((-1.0, 1.0), size=(clusters, BOOTSTRAP_DRAWS))
        totals, seen = np.abs(sums @ signs), np.abs(sums.sum(axis=1))[:, None]
        beyond, tied = (
            (totals > seen + 1e-9).sum(axis=1),
            (np.abs(totals - seen) < 1e-9).sum(axis=1),
        )
        drawn_too = 0 if clusters <= 13 else 1
        p = (beyond + (tied + drawn_too) * (0.5 if design else 1)) / (signs.shape[1] + drawn_too)
        if clusters <= 13 and design:
            mine = no_difference(design.observations(a[0]), design.observations(b[0])).p
            if sums[0].any() and abs(mine - p[0]) > 1e-9:
                raise AssertionError(f"p {p[0]} here, but {mine} in the package")
        cells.append((float((p <= 0.05).mean()), where))
    worst, where = max(cells)
    name = f"sign flips{' mid-p, ' + design.name if design else ', scores'}"
    return (
        f"{name:52} {n:5} {np.mean([cell[0] for cell in cells]):8.2%} {worst:8.2%}  "
        f"{where} ({draws:,} a cell)"
    )


def promised(n: int) -> str:
    """How often McNemar's test finds what ``detectable`` says it finds in 80 %."""
    p = mcnemar_p(n)
    found = []
    for share in (0.0, 0.1, 0.2, 0.3, 0.5):
        differing = round(share * n)
        table = (n // 2, differing // 2, differing - differing // 2, n - n // 2 - differing)
        least = detectable(*from_table(table), alpha=0.05)
        if least is None:
            found.append(f"{share:.0%}: none")
        else:
            power = rejecting(n, max(least, differing / n), least, p)
            found.append(f"{share:.0%}: {least:.3f} {power:.0%}")
    return f"{'McNemar power, by the share of cases seen to differ':52} {n:5}  " + ", ".join(found)


def promised_with(design: Design, n: int, draws: int) -> str:
    """How often sign flips find what ``detectable`` says they find in 80 %, median over data."""
    significance.DRAWS = FLIP_DRAWS
    rng = np.random.default_rng([6, design.epochs, design.size, n])
    found = []
    for sameness, shared in ((0.5, 0.5), (0.9, 0.9)):
        a, b = design.two(rng, 50, n, (0.5, 0.5), sameness, shared)
        least = [
            detectable(design.observations(one), design.observations(other), alpha=0.05)
            for one, other in zip(a, b, strict=True)
        ]
        known = [one for one in least if one is not None]
        middle = round(float(np.median(known)), 3) if known else 1.0
        if middle >= 0.9:
            found.append(f"{sameness}/{shared}: none")
            continue
        rates = (0.5 - middle / 2, 0.5 + middle / 2)
        a, b = design.two(rng, draws, n, rates, sameness, shared)
        sums = (b - a).sum(axis=2).astype(float)
        p = np.array([significance._sign_flip(one, mid=True, seed=0)[0] for one in sums])
        found.append(f"{sameness}/{shared}: {middle:.3f} {(p <= 0.05).mean():.0%}")
    name = f"sign flips' power, {design.name}, sameness/shared"
    return f"{name:52} {n:5}  " + ", ".join(found)


def jobs() -> Iterator[tuple[Callable[..., object], tuple[object, ...]]]:
    """Longest first, so that two workers end together."""
    for n in reversed(CASES):
        yield score_difference, (1, n, 600)
        yield score_mean, (1, n, 1_500)
        yield score_difference, (2, n, 300)
        yield score_mean, (2, n, 600)
        yield paired_rates, (n,)
        for design in DESIGNS:
            yield difference_with, (design, n, 2_000)
            yield rate_with, (design, n, 4_000)
            yield flips_size, (design, n, 2_000)
            yield promised_with, (design, n, 300)
        yield flips_size, (None, n, 2_000)
        yield one_rate, (n,)
        yield mcnemar_size, (n,)
        yield promised, (n,)


def main() -> int:
    """Runs all, on two cores."""
    began = perf_counter()
    with ProcessPoolExecutor(max_workers=2) as pool:
        running = [pool.submit(run, *given) for run, given in jobs()]
        found = [one.result() for one in running]
    lines = sorted(
        (one for one in found if isinstance(one, Line)), key=lambda one: (one.name, one.cases)
    )
    print(
        f"{'interval, nominal 95 %':52} {'cases':>5} {'mean':>8} {'worst':>8}  "
        f"{'worst cell':52} {'width':>6} {'cells':>5}"
    )
    print(*lines, sep="\n")
    print(f"\n{'false alarms at 0.05':52} {'cases':>5} {'mean':>8} {'worst':>8}  worst cell")
    print(*sorted(one for one in found if isinstance(one, str) and "power" not in one), sep="\n")
    print("\nthe difference that is called detectable, and how often it is found")
    print(*sorted(one for one in found if isinstance(one, str) and "power" in one), sep="\n")
    outside = [one for one in lines if not LEAST <= one.mean <= MOST]
    print(f"\n{perf_counter() - began:.0f} s; bootstrap with {BOOTSTRAP_DRAWS} draws")
    for one in outside:
        print(f"outside {LEAST:.1%} to {MOST:.1%}: {one.name}, {one.cases} cases, {one.mean:.2%}")
    return 1 if outside else 0


if __name__ == "__main__":
    sys.exit(main())
