"""Other people's judgements as verifiers: an Inspect scorer's, or a DeepEval metric's."""

import importlib.util
import json
import math
import os
from collections.abc import Sequence
from copy import copy
from typing import Any

from inspect_ai.model import ChatMessageUser, ModelName, ModelOutput
from inspect_ai.scorer import Score, Scorer, Target, value_to_float
from inspect_ai.solver import TaskState

from creel_inspect.verify import (
    Code,
    Context,
    Example,
    VerdictScore,
    Verifier,
    VerifierConfigError,
    VerifierError,
)
from creel_inspect.verify.plain import shown


def from_scorer(
    scorer: Scorer,
    *,
    threshold: float = 1.0,
    key: str | None = None,
    asks_grader: bool = False,
) -> Verifier:
    """A verifier that asks an Inspect scorer.

    The candidate is the scorer's completion, what is expected its target, and the context's
    ``description``, or in an eval the sample's input, its input. Values that are not text are given
    as JSON.

    Args:
        scorer: Any Inspect scorer, such as ``match()`` or ``model_graded_qa()``.
        threshold: The least value that passes, above 0 and at most 1.
        key: Which entry of the value counts, where the scorer's value is a mapping.
        asks_grader: Whether the scorer asks the ``grader`` role, as ``model_graded_qa()`` does.
            Then that role must be bound, to a model independent of the subject: without it
            Inspect would let the subject grade itself.

    Raises:
        VerifierConfigError: If the threshold is not a share.
    """
    return _FromScorer(scorer, _share(threshold), key, asks_grader)


def from_deepeval(metric: Any) -> Verifier:
    """A verifier that asks a DeepEval metric (``pip install 'creel-inspect[deepeval]'``).

    The candidate is the test case's actual output, what is expected its expected output, the
    context's ``description`` its input and its ``sources`` its context. The metric's own threshold
    decides. DeepEval's telemetry is switched off.

    Raises:
        VerifierConfigError: If DeepEval is not installed, or this is none of its metrics.
    """
    if importlib.util.find_spec("deepeval") is None:
        raise VerifierConfigError(
            "DeepEval is not installed: pip install 'creel-inspect[deepeval]'"
        )
    os.environ.setdefault("DEEPEVAL_TELEMETRY_OPT_OUT", "YES")  # read when it is imported
    from deepeval.metrics import BaseMetric  # noqa: PLC0415 - optional, and slow to import

    if not isinstance(metric, BaseMetric):
        raise VerifierConfigError(f"expected a DeepEval metric, came {shown(metric)}")
    return _FromDeepEval(metric)


class _FromScorer(Verifier):
    kind = "from_scorer"

    def __init__(
        self, scorer: Scorer, threshold: float, key: str | None, asks_grader: bool
    ) -> None:
        self.scorer, self.threshold, self.key = scorer, threshold, key
        self.asks_grader = asks_grader

    @property
    def needs_judge(self) -> bool:
        return self.asks_grader

    @property
    def asks(self) -> bool:
        return True

    async def acompare(self, actual: Any, expected: Any, context: Context) -> VerdictScore:
        question = _question(context)
        state = TaskState(
            model=ModelName("none/none"),
            sample_id=context.path or "value",
            epoch=1,
            input=question,
            messages=[ChatMessageUser(content=question)],
            target=_target(expected),
            output=ModelOutput.from_content("none/none", _text(actual)),
            completed=True,
        )
        try:
            score = await self.scorer(state, state.target)
        except Exception as error:
            raise VerifierError(
                f"the scorer failed: {type(error).__name__}: {error}", code=Code.BACKEND_FAILED
            ) from error
        if score is None:
            raise VerifierError("the scorer returned nothing", code=Code.BACKEND_FAILED)
        value = self._value(score)
        passed = value >= self.threshold
        said = (score.explanation or "").strip() or f"the scorer says {shown(score.value)}"
        return VerdictScore(
            score=value, passed=passed, reason=said, details={"threshold": self.threshold}
        )

    def _value(self, score: Score) -> float:
        value = score.value
        if isinstance(value, dict):
            if self.key not in value:
                raise VerifierError(
                    f"the scorer's value has the entries {shown(list(value))}: name one as `key`",
                    code=Code.BACKEND_FAILED,
                )
            value = value[self.key]
        if isinstance(value, float) and math.isnan(value):
            why = score.reason or score.explanation or "no reason given"
            raise VerifierError(f"the scorer did not measure: {why}", code=Code.BACKEND_FAILED)
        if isinstance(value, str) and value not in _LETTERS:
            raise VerifierError(
                f"the scorer's value {shown(value)} is no grade: expected a number from 0 to 1, "
                f"or one of {', '.join(_LETTERS)}",
                code=Code.BACKEND_FAILED,
            )
        if not isinstance(value, str | int | float):
            raise VerifierError(
                f"the scorer's value {shown(value)} is no number", code=Code.BACKEND_FAILED
            )
        return _in_range(value_to_float()(value), "the scorer's value")

    @classmethod
    def self_test(cls) -> Sequence[Example]:
        return ()


class _FromDeepEval(Verifier):
    kind = "from_deepeval"

    def __init__(self, metric: Any) -> None:
        self.metric = metric

    @property
    def asks(self) -> bool:
        return True

    async def acompare(self, actual: Any, expected: Any, context: Context) -> VerdictScore:
        from deepeval.test_case import LLMTestCase  # noqa: PLC0415 - as above

        case = LLMTestCase(
            input=_question(context),
            actual_output=_text(actual),
            expected_output=None if expected is None else _text(expected),
            context=list(context.sources.values()) or None,
        )
        metric = copy(self.metric)  # a metric keeps its last score and reason on itself
        try:
            # Without its own progress bar, which would draw over Inspect's display.
            score = await metric.a_measure(case, _show_indicator=False)
        except Exception as error:
            raise VerifierError(
                f"the DeepEval metric failed: {error}", code=Code.BACKEND_FAILED
            ) from error
        if not isinstance(score, int | float):
            raise VerifierError(
                f"the DeepEval metric returned {shown(score)}", code=Code.BACKEND_FAILED
            )
        value = _in_range(float(score), "the DeepEval metric's score")
        reason = (metric.reason or "").strip() or f"the metric says {value:.3f}"
        return VerdictScore(score=value, passed=bool(metric.is_successful()), reason=reason)

    @classmethod
    def self_test(cls) -> Sequence[Example]:
        return ()


_LETTERS = ("C", "I", "P", "N")
"""Inspect's grades; its own conversion takes anything else for a wrong answer."""


def _question(context: Context) -> str:
    """What the candidate answers: the description, or the sample's question."""
    return context.description or context.sources.get("question", "")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _target(expected: Any) -> Target:
    if isinstance(expected, list) and all(isinstance(one, str) for one in expected):
        return Target(expected)
    return Target("" if expected is None else _text(expected))


def _in_range(value: float, what: str) -> float:
    if not 0 <= value <= 1:
        raise VerifierError(f"{what} is {value}, not from 0 to 1", code=Code.BACKEND_FAILED)
    return value


def _share(threshold: float) -> float:
    if isinstance(threshold, bool) or not isinstance(threshold, int | float):
        raise VerifierConfigError(f"threshold: expected a number, came {shown(threshold)}")
    if not 0 < threshold <= 1:
        raise VerifierConfigError(f"threshold: expected over 0 and at most 1, came {threshold}")
    return float(threshold)
