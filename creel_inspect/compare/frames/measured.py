"""What a log's samples were measured on and with, by its metadata and by its scores.

After ``inspect score`` the task's metadata still tell of the scores that were there first. A
score's own metadata tell under which policy, and over which corpus, that very score was made.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.log import EvalLog, EvalSampleSummary
from inspect_ai.scorer import Score

from creel_inspect.compare.frames.choosing import Chosen, parts_of, scorers_of
from creel_inspect.compare.frames.runs import Kind, Under, text_of
from creel_inspect.compare.frames.samples import as_json, policy_of, policy_text
from creel_inspect.compare.frames.secrets import unsecret

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
        for name, value in unsecret(params).items()
        if value is not None and name not in _COVERED.get(kind, ())
    }
    if kind == "other":
        registered, _ = scorers_of(log).get(chosen.scorer, ("", {}))
        package, _, _ = registered.rpartition("/")
        return Under(score=chosen.name, scorer_package=package, scorer_params=text_of(told))
    scores = [
        (sample, score)
        for sample in samples
        if sample.error is None and (score := (sample.scores or {}).get(chosen.scorer)) is not None
    ]
    if kind == "extraction":
        policies = _policies(metadata, params)
        made: dict[str, set[str]] = defaultdict(set)
        for sample, score in scores:
            corpus = str(sample.metadata.get("corpus", ""))
            if policy := policy_of(score) or (_has_value(score) and policies.get(corpus)):
                made[corpus].add(policy)
        policies.update({corpus: " + ".join(sorted(found)) for corpus, found in made.items()})
        return Under(
            score=chosen.name,
            case_fingerprint=_text(metadata, "case_fingerprint"),
            scorer_version=_told(scores, "scorer_version", text_of(log.eval.task_version)),
            policy_fingerprint=as_json(policies),
            corpora=as_json(_mapping(metadata, "corpora")),
            scorer_params=text_of(told),
        )
    corpus = _text(metadata, "corpus_fingerprint")
    return Under(
        score=chosen.name,
        case_fingerprint=_text(metadata, "case_fingerprint"),
        corpus_fingerprint=_told(scores, "corpus_fingerprint", corpus),
        scorer_version=_told(scores, "scorer_version", text_of(log.eval.task_version)),
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
    _, options = scorers_of(log).get(scorer, ("", {}))
    return dict(options)


def _policies(metadata: Mapping[str, Any], params: Mapping[str, Any]) -> dict[str, str]:
    gate = params.get("gate", "report")
    return {
        name: policy_text(str(one), gate) for name, one in _mapping(metadata, "policies").items()
    }


def _told(scores: Sequence[tuple[EvalSampleSummary, Score]], name: str, by_task: str) -> str:
    """What scores tell of themselves; older ones leave it to the task. Several are joined."""
    found = set()
    for _, score in scores:
        told = (score.metadata or {}).get(name)
        if told is not None and told != "":
            found.add(text_of(told))
        elif _has_value(score):
            found.add(by_task)
    return " + ".join(sorted(found - {""})) or by_task


def _has_value(score: Score) -> bool:
    """Whether something was scored; one that was not tells nothing of how it would have been."""
    values = (parts_of(score.value) or {"": score.value}).values()
    return any(not (one is None or (isinstance(one, float) and math.isnan(one))) for one in values)


def _text(metadata: Mapping[str, Any], name: str) -> str:
    value = metadata.get(name)
    return value if isinstance(value, str) else ""


def _mapping(metadata: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = metadata.get(name)
    return dict(value) if isinstance(value, Mapping) else {}
