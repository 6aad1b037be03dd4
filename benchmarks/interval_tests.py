"""Tests where there is no difference, and where there is."""

from collections.abc import Iterator
from itertools import product

import numpy as np
from interval_clusters import Design
from interval_grids import BOOTSTRAP_DRAWS, FLIP_DRAWS, RATES, SAMENESS, SHARED
from interval_plain import from_table
from interval_scores import difference_scores
from scipy import stats

from creel_inspect.compare.statistics import significance
from creel_inspect.compare.statistics.power import detectable
from creel_inspect.compare.statistics.significance import no_difference


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
