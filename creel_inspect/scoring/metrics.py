"""The numbers of a verifier's scorer, in one table."""

import math
from statistics import fmean
from typing import cast

from inspect_ai.scorer import Metric, MetricProtocol, SampleScore, Score, Value, ci_wilson, metric

PASSED = "_passed"


@metric
def verdicts() -> Metric:
    """The mean of every entry of the score, over the samples in which it was measured.

    ``<kind>_passed`` also has its 95 % Wilson interval over samples, ``…_low`` and ``…_high``
    (epochs are reduced first). An entry that no sample measured is left out.
    """
    wilson = cast(MetricProtocol, ci_wilson())

    def compute(scores: list[SampleScore]) -> Value:
        rows = [_measured(score.score) for score in scores]
        # The kind's own entry stands first; a part that is called so is not the verdict.
        own = {f"{next(iter(row))}{PASSED}" for row in rows if row}
        found: dict[str, float] = {}
        for name in dict.fromkeys(name for row in rows for name in row):
            values = [row[name] for row in rows if name in row]
            found[name] = fmean(values)
            if name in own:
                samples = [SampleScore(score=Score(value=value)) for value in values]
                interval = wilson(samples)
                assert isinstance(interval, dict)  # ci_wilson's documented shape
                found[f"{name}_low"] = cast(float, interval["lower"])
                found[f"{name}_high"] = cast(float, interval["upper"])
        return dict(found) or {"measured": math.nan}

    return compute


def _measured(score: Score) -> dict[str, float]:
    """What was measured of one sample; a reducer that lacked epochs leaves NaN in an entry."""
    if not isinstance(score.value, dict):
        return {}
    return {
        name: float(value)
        for name, value in score.value.items()
        if isinstance(value, int | float) and math.isfinite(value)
    }
