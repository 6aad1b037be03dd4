"""The scores of a task's runs, as statistics take them."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from creel_inspect.compare.fairness.tasks import TaskRows
from creel_inspect.compare.results import Bounds, Estimate
from creel_inspect.compare.statistics.intervals import mean_estimate
from creel_inspect.compare.statistics.observations import Observations
from creel_inspect.compare.wording import RANGE_SEEN


@dataclass(frozen=True)
class Measured:
    """One task's samples, looked at run by run.

    Attributes:
        task: The samples.
        seed: For everything that is drawn.
    """

    task: TaskRows
    seed: int = 0

    @cached_property
    def runs(self) -> dict[str, pd.DataFrame]:
        """The rows of each run, by its id."""
        return self.task.runs

    @cached_property
    def labels(self) -> dict[str, str]:
        """What each run is called, by its id."""
        return self.task.labels

    @cached_property
    def cases(self) -> list[str]:
        """Every case, sorted."""
        return sorted(self.task.rows["case"].unique())

    @cached_property
    def clusters(self) -> dict[str, str]:
        """The cluster of each case. A sample that never ran does not know its pair; others do."""
        return self.task.rows.groupby("case")["cluster"].min().to_dict()

    @cached_property
    def scored(self) -> dict[str, pd.DataFrame]:
        """The scored samples of each run."""
        return {
            run: rows[(rows["state"] == "scored") & rows["score"].notna()]
            for run, rows in self.runs.items()
        }

    @cached_property
    def observations(self) -> dict[str, Observations | None]:
        """Each run's scores; None where it has none."""
        return {run: self._observed(rows) for run, rows in self.scored.items()}

    def _observed(self, rows: pd.DataFrame) -> Observations | None:
        if rows.empty:
            return None
        cases = rows["case"].tolist()
        clusters = [self.clusters[case] for case in cases]
        return Observations(cases, clusters, rows["score"].to_numpy(dtype=float))

    @cached_property
    def scores(self) -> dict[str, Estimate | None]:
        """Each run's mean score."""
        return {
            run: mean_estimate(one, seed=self.seed) if one else None
            for run, one in self.observations.items()
        }

    def score_over(self, run: str, cases: Collection[str]) -> Estimate | None:
        """A run's mean score over some of the cases."""
        rows = self.scored[run]
        observed = self._observed(rows[rows["case"].isin(cases)])
        return mean_estimate(observed, seed=self.seed) if observed else None

    @cached_property
    def extremes(self) -> dict[str, pd.DataFrame]:
        """By run, the least and the most that each case's mean over epochs could have been."""
        return {
            run: rows.groupby("case")[["score_low", "score_high"]].agg(
                lambda column: column.mean(skipna=False)
            )
            for run, rows in self.runs.items()
        }

    def bounds(self, run: str) -> Bounds | None:
        """What a run's mean could have been; None where a sample's score has no known range."""
        means = self.extremes[run].mean(skipna=False)
        return _bounds(means["score_low"], means["score_high"])

    def difference_bounds(self, a: str, b: str) -> Bounds | None:
        """What ``b`` minus ``a`` could have been, over the cases asked of either."""
        cases = self.extremes[a].index.union(self.extremes[b].index)
        one, other = (self.extremes[run].reindex(cases).mean(skipna=False) for run in (a, b))
        return _bounds(
            other["score_low"] - one["score_high"], other["score_high"] - one["score_low"]
        )

    @cached_property
    def binary(self) -> bool:
        """Whether every score is 0 or 1."""
        return all(one.binary for one in self.observations.values() if one)

    @cached_property
    def points(self) -> bool:
        """Whether every score lies in [0, 1], so that differences are told in points of 100."""
        return all(one.within_unit for one in self.observations.values() if one)

    @property
    def range_known(self) -> str:
        """What to say after a bound whose range is no more than seen."""
        return RANGE_SEEN if self.task.kind == "other" else ""

    @cached_property
    def order(self) -> list[str]:
        """The runs' ids, best first; those without a score last."""

        def place(run: str) -> tuple[float, str, str]:
            score = self.scores[run]
            # Sums of equal scores may differ in the last digits.
            return (-round(score.value, 12) if score else np.inf, self.labels[run], run)

        return sorted(self.runs, key=place)


def _bounds(low: float, high: float) -> Bounds | None:
    if not (np.isfinite(low) and np.isfinite(high)):
        return None
    return Bounds(low=float(low), high=float(high))
