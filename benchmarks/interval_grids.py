"""The grids over which intervals and tests are tried, and a line of the table."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

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


def same(found, low: float, high: float) -> None:
    """Stops where this script and the package do not agree."""
    if abs(found.low - low) > 1e-9 or abs(found.high - high) > 1e-9:
        raise AssertionError(f"({low}, {high}) here, but {found!r} in the package")
