"""What a log's samples were measured on and with, by its metadata and by its scores.

After ``inspect score`` the task's metadata still tell of the scores that were there first. A
score's own metadata tell under which policy, and over which corpus, that very score was made.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.log import EvalLog, EvalSampleSummary
from inspect_ai.scorer import Score

from creel_inspect.compare.frames.choosing import Chosen
from creel_inspect.compare.frames.runs import Kind, Under, bare, text_of
from creel_inspect.compare.frames.samples import as_json, policy_of, policy_text

_COVERED = {
    "search": frozenset({"engine", "engine_args"}),
    "extraction": frozenset({"policy", "gate", "allow_related_judge"}),
}
"""Parameters of this package's scorers that fingerprints stand for."""

_SEARCH_SCORING: Mapping[str, float] = {"wrong_penalty": 1.0, "timeout_seconds": 300.0}
"""Defaults of ``search_answer``, which a scorer appended later leaves out of its parameters."""


def under_of(
    log: EvalLog, samples: Sequence[EvalSampleSummary], kind: Kind, chosen: Chosen
) -> Under:
    """What the chosen score of a log was measured on and with."""
    metadata = log.eval.metadata or {}
    params = _params(log, chosen.scorer)
    told = {
        name: value
        for name, value in params.items()
        if value is not None and name not in _COVERED.get(kind, ())
    }
    if kind == "other":
        return Under(score=chosen.name, scorer_params=text_of(told))
    scores = [
        (sample, score)
        for sample in samples
        if sample.error is None and (score := (sample.scores or {}).get(chosen.scorer)) is not None
    ]
    if kind == "extraction":
        made: dict[str, set[str]] = defaultdict(set)
        for sample, score in scores:
            if policy := policy_of(score):
                made[str(sample.metadata.get("corpus", ""))].add(policy)
        policies = _policies(metadata, params)
        policies.update({corpus: " + ".join(sorted(found)) for corpus, found in made.items()})
        return Under(
            score=chosen.name,
            case_fingerprint=_text(metadata, "case_fingerprint"),
            scorer_version=_version(log, scores),
            policy_fingerprint=as_json(policies),
            corpora=as_json(_mapping(metadata, "corpora")),
            scorer_params=text_of(told),
        )
    searched = sorted(
        {
            str(score.metadata["corpus_fingerprint"])
            for _, score in scores
            if score.metadata and score.metadata.get("corpus_fingerprint")
        }
    )
    return Under(
        score=chosen.name,
        case_fingerprint=_text(metadata, "case_fingerprint"),
        corpus_fingerprint=" + ".join(searched) or _text(metadata, "corpus_fingerprint"),
        scorer_version=_version(log, scores),
        scorer_params=text_of({**_SEARCH_SCORING, **told}),
    )


def versions_of(log: EvalLog) -> dict[str, str]:
    """The versions of the packages and of the engine behind a log."""
    engine = (log.eval.metadata or {}).get("engine")
    return {
        **{name: str(one) for name, one in sorted(log.eval.packages.items())},
        **({"engine": engine} if isinstance(engine, str) else {}),
    }


def _params(log: EvalLog, scorer: str) -> dict[str, Any]:
    """A scorer's parameters; a run that did not end has no results to tell them."""
    for score in log.results.scores if log.results else []:
        if score.scorer == scorer:
            return dict(score.params)
    for one in log.eval.scorers or []:
        if bare(one.name) == scorer:
            return dict(one.options or {})
    return {}


def _policies(metadata: Mapping[str, Any], params: Mapping[str, Any]) -> dict[str, str]:
    gate = params.get("gate", "report")
    return {
        name: policy_text(str(one), gate) for name, one in _mapping(metadata, "policies").items()
    }


def _version(log: EvalLog, scores: Sequence[tuple[EvalSampleSummary, Score]]) -> str:
    """The version of the scorer, as its scores tell; older ones leave it to the task."""
    found = {
        text_of(score.metadata["scorer_version"])
        for _, score in scores
        if score.metadata and "scorer_version" in score.metadata
    }
    return " + ".join(sorted(found)) or text_of(log.eval.task_version)


def _text(metadata: Mapping[str, Any], name: str) -> str:
    value = metadata.get(name)
    return value if isinstance(value, str) else ""


def _mapping(metadata: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = metadata.get(name)
    return dict(value) if isinstance(value, Mapping) else {}
