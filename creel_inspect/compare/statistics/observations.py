"""Scored samples of one run, and of two runs over the cases that both have scored.

What is estimated throughout is the mean over cases of each case's mean over its scored epochs: a
case with more epochs counts no more than another. Cases of one cluster, such as matched pairs, are
not taken as independent of each other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, log10

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]

# Means of equal scores may differ in the last digits; scores have nothing to say this far down.
ROUNDING = 1e-12


class Observations:
    """The scored samples of one run, in an order of their own.

    Args:
        cases: Each sample's case; one case's epochs share it.
        clusters: Each sample's cluster; the case itself where it stands alone.
        values: Each sample's score.

    Raises:
        ValueError: Lengths differ, there are none, a value is not finite, or one case is in two
            clusters.

    Attributes:
        cases: Case ids, sorted, each once.
        clusters: The cluster of each case.
        values: All scores, by case, sorted within it: results depend on no order of input.
        starts: Where in ``values`` each case begins.
        counts: How many scores each case has.
    """

    def __init__(
        self, cases: Sequence[str], clusters: Sequence[str], values: Sequence[float] | Floats
    ) -> None:
        numbers = np.asarray(values, dtype=np.float64)
        if numbers.ndim != 1 or not len(cases) == len(clusters) == len(numbers):
            raise ValueError(
                "cases, clusters and values should be flat and equally long; got "
                f"{len(cases)}, {len(clusters)} and shape {numbers.shape}"
            )
        if not len(numbers):
            raise ValueError("there should be at least one scored sample; got none")
        bad = np.flatnonzero(~np.isfinite(numbers))
        if len(bad):
            raise ValueError(
                f"every score should be a finite number; case {cases[bad[0]]!r} has "
                f"{numbers[bad[0]]} (leave unscored samples out)"
            )
        of: dict[str, str] = {}
        for case, cluster in zip(cases, clusters, strict=True):
            if of.setdefault(case, cluster) != cluster:
                raise ValueError(
                    f"a case should be in one cluster; {case!r} is in {of[case]!r} and {cluster!r}"
                )
        self.cases: list[str] = sorted(of)
        self.clusters: list[str] = [of[case] for case in self.cases]
        place = {case: index for index, case in enumerate(self.cases)}
        at = np.array([place[case] for case in cases], dtype=np.intp)
        self.values: Floats = numbers[np.lexsort((numbers, at))]
        self.counts: Ints = np.bincount(at, minlength=len(of))
        self.starts: Ints = np.concatenate([[0], np.cumsum(self.counts)[:-1]]).astype(np.intp)

    @cached_property
    def binary(self) -> bool:
        """Whether every score is 0 or 1."""
        return bool(np.isin(self.values, (0.0, 1.0)).all())

    @cached_property
    def within_unit(self) -> bool:
        """Whether every score lies in [0, 1]."""
        return bool(((self.values >= 0) & (self.values <= 1)).all())

    @cached_property
    def single(self) -> bool:
        """Whether every case was scored once."""
        return len(self.values) == len(self.cases)

    @cached_property
    def totals(self) -> Floats:
        """Each case's scores, added up; the number right where they are right or wrong."""
        return np.add.reduceat(self.values, self.starts)

    @cached_property
    def case_means(self) -> Floats:
        """Each case's mean over its scored epochs."""
        return self.totals / self.counts


@dataclass(frozen=True)
class Grouped:
    """Case values, with the clusters that they fall in.

    Attributes:
        values: One per case.
        labels: The number of each case's cluster, from 0.
        sums: The values of each cluster's cases, added up.
        sizes: How many cases each cluster has.
    """

    values: Floats
    labels: Ints
    sums: Floats
    sizes: Floats

    @classmethod
    def of(cls, values: Floats, clusters: Sequence[str]) -> "Grouped":
        """Groups values whose clusters are given one by one."""
        number = {name: index for index, name in enumerate(sorted(set(clusters)))}
        labels = np.array([number[name] for name in clusters], dtype=np.intp)
        return cls(
            values=values,
            labels=labels,
            sums=np.asarray(np.bincount(labels, weights=values), dtype=np.float64),
            sizes=np.bincount(labels).astype(np.float64),
        )

    @property
    def shared(self) -> bool:
        """Whether a cluster has several cases."""
        return len(self.sizes) < len(self.values)

    @property
    def mean(self) -> float:
        """The mean over cases; what is left of 0 by rounding is 0."""
        found = float(self.values.mean())
        return found if abs(found) > ROUNDING else 0.0

    @property
    def unit(self) -> str:
        """What its clusters are, for a sentence."""
        return "clusters of cases" if self.shared else "cases"

    @property
    def even(self) -> bool:
        """Whether every cluster has the same mean, so that nothing tells how far it may vary."""
        means = self.sums / self.sizes
        return bool(np.ptp(means) < ROUNDING * max(1.0, float(np.abs(means).max())))


@dataclass(frozen=True)
class Paired:
    """Two runs over the cases that both have scored.

    Attributes:
        a: The first run's observations of these cases.
        b: The second's.
        differences: Per case, mean of ``b`` minus mean of ``a``; grouped by cluster.
    """

    a: Observations
    b: Observations
    differences: Grouped

    @property
    def binary(self) -> bool:
        """Whether every score of both is 0 or 1."""
        return self.a.binary and self.b.binary

    @property
    def within_unit(self) -> bool:
        """Whether every score of both lies in [0, 1]."""
        return self.a.within_unit and self.b.within_unit

    @property
    def plain(self) -> bool:
        """Whether scores are right or wrong, one a case, and cases stand alone."""
        return self.binary and self.a.single and self.b.single and not self.differences.shared

    @property
    def observations(self) -> int:
        """Scored samples of both runs."""
        return len(self.a.values) + len(self.b.values)

    @property
    def only_a(self) -> int:
        """Cases in which the first run scores more."""
        return int((self.differences.values < 0).sum())

    @property
    def only_b(self) -> int:
        """Cases in which the second run scores more."""
        return int((self.differences.values > 0).sum())


def _only(observations: Observations, kept: list[str]) -> Observations:
    wanted = set(kept)
    names = np.repeat(np.asarray(observations.cases, dtype=object), observations.counts)
    groups = np.repeat(np.asarray(observations.clusters, dtype=object), observations.counts)
    mask = np.array([name in wanted for name in names], dtype=bool)
    return Observations(list(names[mask]), list(groups[mask]), observations.values[mask])


def pair(a: Observations, b: Observations) -> Paired | None:
    """Two runs over the cases that both have scored; None where there is none.

    Raises:
        ValueError: The runs put one case in different clusters.
    """
    theirs = dict(zip(b.cases, b.clusters, strict=True))
    kept = [case for case in a.cases if case in theirs]
    if not kept:
        return None
    for case, cluster in zip(a.cases, a.clusters, strict=True):
        if case in theirs and theirs[case] != cluster:
            raise ValueError(
                f"both runs should have a case in the same cluster; {case!r} is in {cluster!r} "
                f"and in {theirs[case]!r}"
            )
    left, right = _only(a, kept), _only(b, kept)
    differences = right.case_means - left.case_means
    # Scores of a million, taken from each other, are off by more than those of one.
    largest = max(1.0, float(np.abs(left.values).max()), float(np.abs(right.values).max()))
    if largest > 1:
        differences = np.round(differences, -ceil(log10(ROUNDING * largest)))
    differences[np.abs(differences) < ROUNDING * largest] = 0.0
    return Paired(left, right, Grouped.of(differences, left.clusters))
