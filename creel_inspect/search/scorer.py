"""The answer scorer: a thin Inspect wrapper round ``judging``."""

import json
from collections.abc import Mapping
from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from creel_inspect.search.cases import Case
from creel_inspect.search.engine import open_engine
from creel_inspect.search.explain import explanation
from creel_inspect.search.judging import Judgement, judge
from creel_inspect.search.metrics import search_metrics, values
from creel_inspect.search.outcomes import Outcome
from creel_inspect.search.running import on_worker, runner_for
from creel_inspect.search.solver import Translation

SCORER_VERSION = 1
"""Rises when a change in scoring can change a score; the task's ``version`` is this number."""


@scorer(metrics=[search_metrics()])
def search_answer(
    engine: str | None = None,
    engine_args: Mapping[str, Any] | None = None,
    timeout_seconds: float = 300,
    wrong_penalty: float = 1.0,
) -> Scorer:
    """Scores a translation by the reactions it returns, against the reference's on one corpus.

    Args:
        engine: The search engine, by name; the one that the sample was run with by default, over
            the same corpus, so that a log is scored again on what it was about.
        engine_args: What to open it with.
        timeout_seconds: Bounds each search.
        wrong_penalty: What a wrong answer costs in ``reliability``.

    Raises:
        ValueError: If ``timeout_seconds`` is not positive, or ``wrong_penalty`` negative.
    """
    if not isinstance(timeout_seconds, int | float) or not timeout_seconds > 0:
        raise ValueError(
            f"timeout_seconds is {timeout_seconds!r}; it is a number of seconds above 0"
        )
    if not isinstance(wrong_penalty, int | float) or not 0 <= wrong_penalty < float("inf"):
        raise ValueError(f"wrong_penalty is {wrong_penalty!r}; it is a number, 0 or more")
    if engine is not None:
        open_engine(engine, **(engine_args or {}))  # a corpus that is not there is told now

    async def score(state: TaskState, target: Target) -> Score:
        translation = state.store_as(Translation)
        if translation.outcome is None:
            return Score.unscored(
                reason="not_translated",
                explanation="Not measured: the provider failed before the model had answered.",
                metadata={"outcome": None},
            )
        searched = state.metadata.get("searched", {})
        name = engine or str(searched.get("engine", "ord"))
        opening = engine_args if engine else searched.get("engine_args")
        searcher = open_engine(name, **(opening or {}))
        runner = runner_for(searcher)
        same_corpus = searched.get("corpus_fingerprint") == searcher.corpus_fingerprint
        if engine is None and not same_corpus:
            return Score.unscored(
                reason="other_corpus",
                explanation="Not measured: the corpus that the sample was run on has changed.",
                metadata={"outcome": translation.outcome, "correct": None},
            )
        case = Case.model_validate(state.metadata["case"])
        outcome, query = Outcome(translation.outcome), translation.query
        judgement: Judgement = await on_worker(
            lambda: judge(
                case,
                outcome,
                query,
                runner,
                timeout_seconds=timeout_seconds,
                corpus_fingerprint=state.metadata.get("corpus_fingerprint"),
                adequate=same_corpus and bool(state.metadata.get("adequate")),
            )
        )
        attempts = translation.attempts
        rejections = [turn["rejection"] for turn in attempts if turn.get("rejection")]
        told = explanation(case, judgement, query, translation.reason, rejections)
        metadata = {
            "outcome": judgement.outcome.value,
            "correct": judgement.correct,
            "attempts": attempts,
            "first_try": judgement.correct is True and len(attempts) == 1,
            "query": query,
            "reference": case.reference,
            "declined_reason": translation.reason,
            "tool_choice_degraded": translation.tool_choice_degraded,
            "corpus_fingerprint": searcher.corpus_fingerprint,
            "scorer_version": SCORER_VERSION,
            **judgement.details,
        }
        answer = json.dumps(query) if query is not None else translation.outcome
        if judgement.correct is None:
            return Score.unscored(
                reason=judgement.code, answer=answer, explanation=told, metadata=metadata
            )
        return Score(
            value=values(
                judgement,
                feasible=case.compiles,
                attempts=len(attempts),
                wrong_penalty=wrong_penalty,
            ),
            answer=answer,
            explanation=told,
            reason=judgement.code,
            metadata=metadata,
        )

    return score
