"""The headline numbers of a search eval, in one table."""

import math
from collections.abc import Sequence
from statistics import fmean
from typing import cast

from inspect_ai.scorer import Metric, MetricProtocol, SampleScore, Score, Value, ci_wilson, metric

from creel_inspect.search.judging import Judgement
from creel_inspect.search.outcomes import Outcome


def values(judgement: Judgement, *, feasible: bool, attempts: int, wrong_penalty: float) -> Value:
    """One sample's score value: what the metrics need, since they see nothing else.

    Every entry is 1 or 0 but ``points``, which is +1 for a right answer or a right refusal, 0 for
    a needless refusal, and minus ``wrong_penalty`` for anything else.
    """
    correct = bool(judgement.correct)
    refused = judgement.outcome is Outcome.DECLINED
    needless = refused and feasible
    return {
        "correct": int(correct),
        "feasible": int(feasible),
        "refused": int(refused),
        "first_try": int(correct and attempts == 1),
        "malformed": int(judgement.outcome is Outcome.MALFORMED),
        "no_call": int(judgement.outcome is Outcome.NO_CALL),
        "points": 1.0 if correct else 0.0 if needless else -float(wrong_penalty),
    }


@metric
def search_metrics() -> Metric:
    """Accuracy and its company, over the scored samples.

    - ``accuracy``: share right, feasible and infeasible together; ``accuracy_low`` and
      ``accuracy_high`` are its 95 % Wilson interval over cases (epochs are averaged first).
    - ``accuracy_feasible``: share of feasible cases answered right.
    - ``refused_infeasible``: share of infeasible cases declined as the first move.
    - ``over_refusal``: share of feasible cases declined as the first move.
    - ``first_try``: accuracy before any repair turn.
    - ``malformed``, ``no_call``: share that ended without a well-formed call, or without any.
    - ``reliability``: mean of +1 right or rightly refused, 0 needlessly refused, and minus
      ``wrong_penalty`` otherwise.
    - ``always_refusing``: what a model that declines everything would score; the floor to beat.

    A number with nothing to count, such as ``over_refusal`` without feasible cases, is left out;
    where no sample was scored, ``accuracy`` is NaN and stands alone.
    """
    wilson = cast(MetricProtocol, ci_wilson())

    def compute(scores: list[SampleScore]) -> Value:
        # An epoch reducer that needs more epochs than were scored leaves NaN in every entry.
        scores = [score for score in scores if _is_scored(score)]
        if not scores:
            return {"accuracy": math.nan}
        rows = [score.score.as_dict() for score in scores]

        def mean(key: str, feasible: bool | None = None) -> float | None:
            # An epoch-reduced `feasible` is still 0 or 1: it is the case's, not the run's.
            kept = [
                float(row[key] or 0)
                for row in rows
                if feasible is None or bool(row["feasible"]) is feasible
            ]
            return fmean(kept) if kept else None

        interval = wilson(_scalars(scores, "correct"))
        assert isinstance(interval, dict)  # ci_wilson's documented shape
        infeasible = mean("feasible")
        return {
            "accuracy": mean("correct"),
            "accuracy_low": interval["lower"],
            "accuracy_high": interval["upper"],
            "accuracy_feasible": mean("correct", feasible=True),
            "refused_infeasible": mean("refused", feasible=False),
            "over_refusal": mean("refused", feasible=True),
            "first_try": mean("first_try"),
            "malformed": mean("malformed"),
            "no_call": mean("no_call"),
            "reliability": mean("points"),
            "always_refusing": None if infeasible is None else 1.0 - infeasible,
        }

    return compute


def _is_scored(score: SampleScore) -> bool:
    value = score.score.as_dict()["correct"]
    return isinstance(value, int | float) and math.isfinite(value)


def _scalars(scores: Sequence[SampleScore], key: str) -> list[SampleScore]:
    found = []
    for score in scores:
        value = score.score.as_dict()[key]
        assert isinstance(value, int | float) and math.isfinite(value)  # ``values`` wrote it
        found.append(SampleScore(score=Score(value=value), sample_id=score.sample_id))
    return found
