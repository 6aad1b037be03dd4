"""Every verifier kind as an Inspect scorer.

Each takes its kind's own configuration, and two places in the sample (``scoring/places.py``):
``actual``, such as ``completion`` or ``$.budget.amount``, and ``expected``, such as ``target``,
``target$.amount`` or ``metadata$.gold``. Of several targets the best verdict counts.

A candidate that is missing or malformed is wrong. What could not be measured, for want of a
target, a judge's readable answer or anything else that is not the model's doing, is unscored, with
a reason code.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import anyio.to_thread
from click import ClickException
from inspect_ai.scorer import Score, Scorer, Target, Value, accuracy, scorer, stderr
from inspect_ai.solver import TaskState

from creel_inspect.markdown import prose
from creel_inspect.scoring.explain import explanation
from creel_inspect.scoring.judge import grader
from creel_inspect.scoring.metrics import PASSED, verdicts
from creel_inspect.scoring.places import (
    ACTUAL,
    EXPECTED,
    NotThere,
    Place,
    actual_in,
    expected_in,
    read_json,
)
from creel_inspect.verify import (
    Context,
    VerdictScore,
    Verifier,
    VerifierConfigError,
    VerifierError,
    build_verifier,
)
from creel_inspect.verify.plain import shown

_MOST_SHOWN = 500


class ScorerRefusedError(ClickException):
    """A scorer cannot be made of this configuration: told before anything is spent.

    Not a ValueError, which ``inspect score`` takes for a scorer that is not there.
    """


__all__ = [
    "composite",
    "exact",
    "graph_match",
    "llm_rubric",
    "normalized",
    "numeric_tolerance",
    "schema_constraint",
    "semantic_similarity",
    "set_match",
    "verdict_scorer",
]


@scorer(metrics=[accuracy(), stderr()])
def exact(
    numbers: Literal["typed", "value"] = "typed",
    unicode: str = "NFC",
    actual: str = "completion",
    expected: str = "target",
) -> Scorer:
    """Scores 1 for the same value of the same type. See ``verify.exact.Exact``."""
    return verdict_scorer(_built("exact", numbers=numbers, unicode=unicode), actual, expected)


@scorer(metrics=[accuracy(), stderr()])
def normalized(
    steps: str | Sequence[str] | None = None,
    aliases: Mapping[str, str | Sequence[str]] | None = None,
    date_order: Literal["DMY", "MDY", "YMD"] | None = None,
    actual: str = "completion",
    expected: str = "target",
) -> Scorer:
    """Scores 1 for the same text once both are normalised. See ``verify.normalized.Normalized``."""
    named = [steps] if isinstance(steps, str) else steps  # as a command line writes a single one
    config = _given(steps=named, aliases=aliases, date_order=date_order)
    return verdict_scorer(_built("normalized", **config), actual, expected)


@scorer(metrics=[accuracy(), stderr()])
def numeric_tolerance(
    abs: float = 0.0,
    rel: float = 0.0,
    unit: str | None = None,
    locale: str | None = None,
    actual: str = "completion",
    expected: str = "target",
) -> Scorer:
    """Scores 1 for a quantity close enough. See ``verify.numeric.NumericTolerance``."""
    config = _given(abs=abs, rel=rel, unit=unit, locale=locale)
    return verdict_scorer(_built("numeric_tolerance", **config), actual, expected)


@scorer(metrics=[verdicts()])
def set_match(
    multiset: bool = True,
    ordered: bool = False,
    threshold: float = 1.0,
    item: str | Mapping[str, Any] | None = None,
    key: str | Sequence[str] | None = None,
    actual: str = "$",
    expected: str = "target",
    allow_related_judge: bool = False,
) -> Scorer:
    """Scores F1 over the items of a list. See ``verify.sets.SetMatch``.

    With ``expected="target"`` the sample's targets together are the list; a lone target may be the
    list as JSON. No target at all is no gold: an empty list is written ``[]``.
    """
    config = _given(multiset=multiset, ordered=ordered, threshold=threshold, item=item, key=key)

    def parts(verdict: VerdictScore) -> dict[str, float]:
        return {name: verdict.details.get(name, 0.0) for name in ("precision", "recall")}

    return verdict_scorer(
        _built("set_match", **config),
        actual,
        expected,
        value=_dict_value("set_match", parts),
        targets_are_one=True,
        allow_related_judge=allow_related_judge,
    )


@scorer(metrics=[verdicts()])
def graph_match(
    threshold: float = 1.0,
    weights: Mapping[str, float] | None = None,
    gate: Mapping[str, float] | None = None,
    verifiers: Mapping[str, Any] | None = None,
    edit_distance: bool = False,
    actual: str = "$",
    expected: str = "target$",
    allow_related_judge: bool = False,
) -> Scorer:
    """Scores how alike two graphs are, ids aside. See ``verify.graph.match.GraphMatch``."""
    config = _given(
        threshold=threshold,
        weights=weights,
        gate=gate,
        verifiers=verifiers,
        edit_distance=edit_distance,
    )

    def parts(verdict: VerdictScore) -> dict[str, float]:
        return {
            f"{part}_{name}": verdict.details.get(part, {}).get(name, 0.0)
            for part in ("nodes", "edges", "attributes")
            for name in ("precision", "recall", "f1")
        }

    return verdict_scorer(
        _built("graph_match", **config),
        actual,
        expected,
        value=_dict_value("graph_match", parts),
        allow_related_judge=allow_related_judge,
    )


@scorer(metrics=[verdicts()])
def schema_constraint(
    schema: Mapping[str, Any] | None = None,
    where: str | None = None,
    graph: Mapping[str, Any] | None = None,
    actual: str = "$",
) -> Scorer:
    """Scores whether a value keeps to rules; no gold. See ``verify.schema.SchemaConstraint``."""
    config = _given(schema=schema, where=where, graph=graph)
    return verdict_scorer(
        _built("schema_constraint", **config),
        actual,
        None,
        value=_dict_value("schema_constraint"),
    )


@scorer(metrics=[verdicts()])
def semantic_similarity(
    threshold: float,
    embedder: str = "minilm",
    mode: Literal["cosine", "nli"] = "cosine",
    actual: str = "completion",
    expected: str = "target",
) -> Scorer:
    """Scores likeness of meaning, which is not equivalence. See ``verify.semantic``."""
    config = {"threshold": threshold, "embedder": embedder, "mode": mode}
    return verdict_scorer(
        _built("semantic_similarity", **config),
        actual,
        expected,
        value=_dict_value("semantic_similarity"),
    )


@scorer(metrics=[verdicts()])
def llm_rubric(
    criterion: str | None = None,
    steps: Sequence[str] | None = None,
    scale: tuple[int, int] = (1, 5),
    levels: Mapping[int, str] | None = None,
    threshold: float = 0.6,
    permutations: int = 3,
    samples: int = 1,
    mode: Literal["auto", "logprobs", "sampled"] = "auto",
    seed: int = 0,
    actual: str = "completion",
    expected: str | None = "target",
    allow_related_judge: bool = False,
) -> Scorer:
    """Scores by a judge, the ``grader`` role, against a criterion. See ``verify.rubric.LlmRubric``.

    ``expected=None`` judges without a reference.
    """
    config = _given(
        criterion=criterion,
        steps=steps,
        scale=scale,
        levels=levels,
        threshold=threshold,
        permutations=permutations,
        samples=samples,
        mode=mode,
        seed=seed,
    )
    return verdict_scorer(
        _built("llm_rubric", **config),
        actual,
        expected,
        value=_dict_value("llm_rubric"),
        allow_related_judge=allow_related_judge,
    )


@scorer(metrics=[verdicts()])
def composite(
    parts: Mapping[str, Any],
    mode: Literal["all", "any", "weighted", "cascade"] = "all",
    threshold: float | None = None,
    actual: str = "completion",
    expected: str | None = "target",
    allow_related_judge: bool = False,
) -> Scorer:
    """Scores by several verifiers together. See ``verify.composite.Composite``."""
    config = _given(parts=parts, mode=mode, threshold=threshold)

    verifier = _built("composite", **config)

    def scores(verdict: VerdictScore) -> dict[str, float]:
        # A candidate that could not even be read has no parts: none of them is right.
        # Every part in every sample, or Inspect cannot reduce epochs: NaN where it was not asked.
        found = verdict.details.get("parts")
        unread = 0.0 if found is None else math.nan
        return {f"part_{name}": (found or {}).get(name, {}).get("score", unread) for name in parts}

    return verdict_scorer(
        verifier,
        actual,
        expected,
        value=_dict_value("composite", scores),
        allow_related_judge=allow_related_judge,
    )


def verdict_scorer(
    verifier: Verifier,
    actual: str = "completion",
    expected: str | None = "target",
    *,
    value: Callable[[VerdictScore], Value] | None = None,
    targets_are_one: bool = False,
    allow_related_judge: bool = False,
) -> Scorer:
    """Any verifier as the body of a scorer, for kinds that others add.

    Args:
        verifier: The verifier.
        actual: Where the candidate stands.
        expected: Where the gold stands; None for a verifier that needs none.
        value: The score's value; the verdict's score by default.
        targets_are_one: Whether several targets are one list, and not alternatives.
        allow_related_judge: Whether the judge may be of the subject's own family.

    Raises:
        ScorerRefusedError: If a place is none.
    """
    try:
        here = Place.of(actual, ACTUAL)
        there = None if expected is None else Place.of(expected, EXPECTED)
    except VerifierConfigError as error:
        raise ScorerRefusedError(str(error)) from error
    to_value = value or (lambda verdict: verdict.score)

    async def score(state: TaskState, target: Target) -> Score:
        if not state.output.choices:
            return Score.unscored(
                reason="no_output", explanation="Not measured: the model was never heard."
            )
        judge = None
        if verifier.needs_judge:
            subject = f"{state.model.api}/{state.model.name}"
            judge = grader(subject, allow_related=allow_related_judge)
        # Only what asks a model reads it: the others compare nothing but the two values.
        question = {"question": state.input_text} if verifier.asks else {}
        context = Context(judge=judge, sources=question)
        try:
            golds = [None] if there is None else expected_in(state, target, there)
            if targets_are_one and there is not None and there.text == "target":
                golds = [_one_list(golds)]
        except NotThere as missing:
            return _unscored(missing.code, str(missing))
        try:
            candidate = actual_in(state, here)
        except NotThere as missing:
            failed = VerdictScore(score=0.0, passed=False, reason=str(missing))
            return _scored(failed, to_value, None, missing.code)
        answer = candidate if isinstance(candidate, str) else shown(candidate, _MOST_SHOWN)
        answer = answer if len(answer) <= _MOST_SHOWN else f"{answer[:_MOST_SHOWN]}…"
        found, errors = [], []
        for gold in golds:
            try:
                found.append(await _verdict(verifier, candidate, gold, context))
            except VerifierError as error:
                errors.append(error)
        best = max(found, key=lambda one: (one.passed, one.score), default=None)
        if best is None or (errors and not best.passed):  # the unmeasured one could have passed
            return _unscored(errors[0].code, str(errors[0]), answer)
        return _scored(best, to_value, answer, None)

    return score


def _one_list(targets: Sequence[Any]) -> list[Any]:
    """The list that the targets are together, or that a lone one writes as JSON.

    Raises:
        NotThere: If a lone target begins like a list and is none.
    """
    if len(targets) == 1 and str(targets[0]).lstrip().startswith("["):
        found = read_json(targets[0], "the target", "expected_invalid")
        if isinstance(found, list):
            return found
    return list(targets)


def _built(kind: str, **config: Any) -> Verifier:
    try:
        return build_verifier(kind, **config)
    except VerifierConfigError as error:
        raise ScorerRefusedError(str(error)) from error


async def _verdict(verifier: Verifier, candidate: Any, gold: Any, context: Context) -> VerdictScore:
    if verifier.asks:
        return await verifier.averify(candidate, gold, context=context)
    # On a thread: aligning a large graph takes seconds, and other samples have to go on.
    return await anyio.to_thread.run_sync(lambda: verifier.verify(candidate, gold, context=context))


def _scored(
    verdict: VerdictScore,
    to_value: Callable[[VerdictScore], Value],
    answer: str | None,
    code: str | None,
) -> Score:
    return Score(
        value=to_value(verdict),
        answer=answer,
        explanation=explanation(verdict),
        reason=code,
        metadata={"verdict": verdict.model_dump()},
    )


def _unscored(code: str, message: str, answer: str | None = None) -> Score:
    return Score.unscored(
        reason=code,
        answer=answer,
        explanation=f"Not measured: {prose(message)}",
        metadata={"verdict": None, "code": code, "reason": message},
    )


def _given(**config: Any) -> dict[str, Any]:
    """The configuration without what was left to the kind's own default."""
    return {name: value for name, value in config.items() if value is not None}


def _dict_value(
    kind: str, parts: Callable[[VerdictScore], Mapping[str, float]] | None = None
) -> Callable[[VerdictScore], Value]:
    """A score's value with entries of its own for the kind's parts, each named after the kind."""

    def value(verdict: VerdictScore) -> Value:
        own = {kind: verdict.score, f"{kind}{PASSED}": int(verdict.passed)}
        of_parts = parts(verdict) if parts else {}
        return {**own, **{f"{kind}_{name}": score for name, score in of_parts.items()}}

    return value
