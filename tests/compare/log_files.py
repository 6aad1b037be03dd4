"""Small Inspect logs, written as Inspect writes them, for the tests of comparing.

``write_log`` makes a log of anybody's task, ``search_log`` and ``extraction_log`` ones that look
like this package's. Each case ends as it is told: see ``Ending``.
"""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalError,
    EvalLog,
    EvalMetric,
    EvalPlan,
    EvalPlanStep,
    EvalResults,
    EvalSample,
    EvalScore,
    EvalSpec,
    EvalStats,
    HeadlineMetric,
    write_eval_log,
)
from inspect_ai.model import GenerateConfig, ModelOutput, ModelUsage
from inspect_ai.scorer import Score


class _Mark:
    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


ERRORED = _Mark("ERRORED")
UNSCORED = _Mark("UNSCORED")
NO_SCORE = _Mark("NO_SCORE")  # the sample ended, and was never handed to a scorer
NOT_RUN = _Mark("NOT_RUN")

Ending = Any
"""How a sample ends: a score's value, a ``Score``, one of the marks above, ``{scorer: Score}``
where every value is a ``Score``, a whole ``EvalSample``'s fields as ``fields(...)``, or a list with
one ending for each epoch."""

_numbers = count()
_FIRST = datetime(2026, 1, 1, tzinfo=UTC)


def fields(ending: Ending = None, **changes: Any) -> tuple[Ending, dict[str, Any]]:
    """An ending with further fields of ``EvalSample``, such as ``total_time=3.0``."""
    return ending, changes


def write_log(
    folder: Path,
    cases: Mapping[str | int, Ending],
    *,
    model: str = "mockllm/model",
    task: str = "quiz",
    task_id: str | None = None,
    task_args: Mapping[str, Any] | None = None,
    task_args_passed: Mapping[str, Any] | None = None,
    metadata: Mapping[str, Any] | None = None,
    about: Mapping[str | int, Mapping[str, Any]] | None = None,
    questions: Mapping[str | int, str] | None = None,
    targets: Mapping[str | int, str] | None = None,
    epochs: int | None = None,
    scorer: str = "match",
    scorer_params: Mapping[str, Any] | None = None,
    metric: str = "accuracy",
    headline: HeadlineMetric | None = None,
    status: str = "success",
    error: str | None = None,
    created: datetime | str | None = None,
    sample_ids: Sequence[str | int] | None = None,
    plan: EvalPlan | None = None,
    name: str | None = None,
    suffix: str = ".eval",
    uuids: Mapping[tuple[str | int, int], str] | None = None,
    usage: ModelUsage | None = None,
    packages: Mapping[str, str] | None = None,
    **spec: Any,
) -> Path:
    """Writes a log and says where.

    Args:
        folder: Made where it is not there.
        cases: How each case ends.
        model: The model's name.
        task: The task's name.
        task_id: What Inspect tells runs of a task apart by; new by default.
        task_args: The task's arguments, defaults included.
        task_args_passed: Those that were passed; all by default.
        metadata: The task's.
        about: Metadata of samples, by case.
        questions: Inputs, by case; by default ``Question CASE?``.
        targets: Targets, by case; by default ``Answer CASE``.
        epochs: How many were asked for; by default as many as ``cases`` has.
        scorer: The scorer's name.
        scorer_params: What it was made with.
        metric: The one metric in the results.
        headline: The headline in the results; by default ``scorer`` and ``metric``.
        status: The log's; anything but ``success`` leaves it without results, as a crash does.
        error: Why the log ended, with the status ``error``.
        created: When; each log is a minute younger than the one before by default.
        sample_ids: What was asked for; by default every case.
        plan: The solvers; one called ``generate`` by default.
        name: The file's name without suffix.
        suffix: ``.eval`` or ``.json``.
        uuids: Of samples, by case and epoch; new by default.
        usage: What each sample took of the model under test.
        packages: Package versions.
        spec: Further fields of ``EvalSpec``.
    """
    number = next(_numbers)
    created = created or _FIRST + timedelta(minutes=number)
    when = created if isinstance(created, str) else created.isoformat()
    task_id = task_id or f"task{number:06d}"
    samples = []
    for case, ending in cases.items():
        for epoch, one in enumerate(ending if isinstance(ending, list) else [ending], start=1):
            if one is not NOT_RUN:
                sample = _sample(case, epoch, one, scorer, model, usage)
                sample.input = (questions or {}).get(case, f"Question {case}?")
                sample.target = (targets or {}).get(case, f"Answer {case}")
                sample.metadata = dict((about or {}).get(case, {}))
                sample.uuid = (uuids or {}).get((case, epoch), f"uuid{number:06d}-{case}-{epoch}")
                samples.append(sample)
    most = max((len(one) if isinstance(one, list) else 1 for one in cases.values()), default=1)
    scorers = list(dict.fromkeys(name for one in samples for name in one.scores or {})) or [scorer]
    params = dict(scorer_params or {})
    results = EvalResults(
        total_samples=len(samples),
        completed_samples=sum(one.error is None for one in samples),
        scores=[
            EvalScore(
                name=one,
                scorer=one,
                params=params if one == scorer else {},
                metrics={metric: EvalMetric(name=metric, value=0.0)},
            )
            for one in scorers
        ],
        headline=headline or HeadlineMetric(scorer=scorer, score=scorer, metric=metric),
    )
    log = EvalLog(
        status=status,
        error=EvalError(message=error, traceback="", traceback_ansi="") if error else None,
        eval=EvalSpec(
            **{
                "run_id": f"run{number:06d}",
                "eval_id": f"eval{number:06d}",
                "created": when,
                "task": task,
                "task_id": task_id,
                "task_args": dict(task_args or {}),
                "task_args_passed": dict(
                    task_args_passed if task_args_passed is not None else task_args or {}
                ),
                "model": model,
                "dataset": EvalDataset(
                    name="cases",
                    samples=len(cases),
                    sample_ids=list(sample_ids if sample_ids is not None else cases),
                ),
                "config": EvalConfig(epochs=epochs or most),
                "packages": dict(packages or {"inspect_ai": "0.3.285"}),
                "metadata": dict(metadata) if metadata is not None else None,
                "scorers": [{"name": one, "options": params} for one in scorers],
                **spec,
            }
        ),
        plan=plan or EvalPlan(steps=[EvalPlanStep(solver="generate")]),
        results=results if status == "success" else None,
        stats=EvalStats(started_at=when, completed_at=when),
        samples=samples,
    )
    folder.mkdir(parents=True, exist_ok=True)
    stamp = when[:19].replace(":", "-")
    path = folder / f"{name or f'{stamp}-00-00_{Path(task).name}_{task_id}-{number}'}{suffix}"
    write_eval_log(log, str(path))
    return path


def search_log(
    folder: Path,
    cases: Mapping[str, Ending],
    *,
    pairs: Mapping[str, str] | None = None,
    tags: Mapping[str, Sequence[str]] | None = None,
    prompt: str = "prompt000001",
    corpus: str = "corpus000001",
    case_file: str = "cases0000001",
    about: Mapping[str, Mapping[str, Any]] | None = None,
    **more: Any,
) -> Path:
    """A log that looks like ``nl_search``'s.

    An ending may also be ``right``, or an outcome of search, such as ``answered`` (a wrong query)
    or ``declined``.

    Args:
        folder: See ``write_log``.
        cases: See above.
        pairs: The other half of each case's pair.
        tags: The tags of each case.
        prompt: The prompt's fingerprint.
        corpus: The corpus's.
        case_file: The case file's.
        about: Further metadata of samples.
        more: See ``write_log``.
    """
    known = {}
    for case in cases:
        feasible = not case.startswith("infeasible")
        known[case] = {
            "why": f"Why {case}.",
            "tags": list((tags or {}).get(case, [])),
            "feasible": feasible,
            "pair": (pairs or {}).get(case),
            "corpus_fingerprint": None,
            "adequate": True,
            "searched": {"engine": "ord", "engine_args": {}, "corpus_fingerprint": corpus},
            **(about or {}).get(case, {}),
        }
    opening = {"engine": "ord", "engine_args": {"corpus": "demo"}}
    given = more.get("task_args") or {}
    steps = [
        EvalPlanStep(
            solver="creel_inspect/translate",
            params={
                **opening,
                "prompt": given.get("prompt"),
                "repair": given.get("repair", 1),
            },
        )
    ]
    told = {
        "task": "creel_inspect/nl_search",
        "task_args": {"prompt": None, "repair": 1},
        "scorer": "search_answer",
        "scorer_params": {**opening, "timeout_seconds": 300, "wrong_penalty": 1.0},
        "metadata": {
            "case_fingerprint": case_file,
            "corpus_fingerprint": corpus,
            "prompt_fingerprint": prompt,
            "scorer_fingerprint": "scorer000001",
            "engine": "ord-schema 0.9.6, rdkit 2026.9.1, duckdb 1.5.6",
        },
        "plan": EvalPlan(steps=steps),
        **more,
    }
    endings = {
        case: [search_ending(one, known[case]["feasible"]) for one in ending]
        if isinstance(ending, list)
        else search_ending(ending, known[case]["feasible"])
        for case, ending in cases.items()
    }
    return write_log(folder, endings, about=known, **told)


def search_ending(ending: Ending, feasible: bool = True, attempts: int = 1, **more: Any) -> Ending:
    """What ``search_answer`` scores: ``right``, or an outcome that is not right."""
    if not isinstance(ending, str):
        return ending
    right = ending == "right"
    outcome = ("answered" if feasible else "declined") if right else ending
    query = {"where": {"op": "eq", "path": "id", "value": {"literal": "x"}}}
    return Score(
        value={
            "correct": int(right),
            "feasible": int(feasible),
            "refused": int(outcome == "declined"),
            "first_try": int(right and attempts == 1),
            "malformed": int(outcome == "malformed"),
            "no_call": int(outcome == "no_call"),
            "points": 1.0 if right else 0.0 if outcome == "declined" and feasible else -1.0,
        },
        answer=json.dumps(query) if outcome == "answered" else outcome,
        explanation=f"**{'Right' if right else 'Wrong'}**: {outcome}",
        reason=None if outcome == "answered" else outcome,
        metadata={
            "outcome": outcome,
            "correct": right,
            "attempts": [{"outcome": outcome, "calls": [], "rejection": None}] * attempts,
            "first_try": right and attempts == 1,
            "query": query if outcome == "answered" else None,
            "reference": query,
            **more,
        },
    )


def extraction_log(
    folder: Path,
    cases: Mapping[str, Ending],
    *,
    tags: Mapping[str, Sequence[str]] | None = None,
    policy_digest: str = "policy000001",
    about: Mapping[str, Mapping[str, Any]] | None = None,
    **more: Any,
) -> Path:
    """A log that looks like ``extraction``'s; cases are called ``corpus/case``.

    A number, or a pair of lowest and highest, ends a case with that F1.

    Args:
        folder: See ``write_log``.
        cases: See above.
        tags: The tags of each case.
        policy_digest: The policy's digest.
        about: Further metadata of samples.
        more: See ``write_log``.
    """
    known = {
        case: {
            "corpus": case.split("/")[0],
            "case": case.split("/")[-1],
            "why": f"Why {case}.",
            "tags": list((tags or {}).get(case, [])),
            "corpus_digest": _digest(case.split("/")[0]),
            **(about or {}).get(case, {}),
        }
        for case in cases
    }
    corpora = {one["corpus"]: one["corpus_digest"] for one in known.values()}

    def ending(one: Ending) -> Ending:
        numbers = isinstance(one, float | int) or (
            isinstance(one, tuple) and all(isinstance(part, float | int) for part in one)
        )
        return extraction_ending(one, policy_digest=policy_digest) if numbers else one

    told = {
        "task": "creel_inspect/extraction",
        "task_args": {"policy": None, "gate": "report"},
        "scorer": "extraction",
        "scorer_params": {"policy": None, "gate": "report", "allow_related_judge": False},
        "metric": "f1",
        "metadata": {
            "corpora": corpora,
            "case_fingerprint": _digest(corpora),
            "policies": dict.fromkeys(corpora, policy_digest),
            "scorer_fingerprint": _digest([policy_digest, "report"]),
            "extractor": "by model",
            "prompt_fingerprint": "prompt000001",
            "engine": "creel 0.1.6",
        },
        **more,
    }
    endings = {
        case: [ending(each) for each in one] if isinstance(one, list) else ending(one)
        for case, one in cases.items()
    }
    return write_log(folder, endings, about=known, **told)


def extraction_ending(
    f1: float | tuple[float, float], *, policy_digest: str = "policy000001", **more: Any
) -> Score:
    """What the extraction scorer scores: F1, or its lowest and highest value."""
    low, high = f1 if isinstance(f1, tuple) else (f1, f1)
    return Score(
        value={
            "f1": (low + high) / 2,
            "f1_low": low,
            "f1_high": high,
            "precision": low,
            "recall": low,
            "coverage": 1.0 if low == high else 0.5,
            "extracted": 1.0,
            "node.building": math.nan,
        },
        answer="1 node, 0 edges",
        explanation=f"**F1 {low}**",
        metadata={
            "outcome": "extracted",
            "policy": "strict",
            "policy_digest": policy_digest,
            "gate": "report",
            "elements": [
                {
                    "path": "node.building[main].name",
                    "part": "attribute",
                    "state": "right" if low == 1 else "wrong",
                    "expected": "Sonnmatt",
                    "actual": {"text": "Sonnmatt"},
                }
            ],
            **more,
        },
    )


def _digest(content: object) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:12]


def _sample(
    case: str | int, epoch: int, ending: Ending, scorer: str, model: str, usage: ModelUsage | None
) -> EvalSample:
    changes: dict[str, Any] = {}
    if isinstance(ending, tuple):
        ending, changes = ending
    sample = EvalSample(
        id=case,
        epoch=epoch,
        input="",
        target="",
        output=ModelOutput.from_content(model, "An answer."),
        started_at="2026-01-01T00:00:00+00:00",
        completed_at="2026-01-01T00:00:02+00:00",
        total_time=2.0,
        working_time=1.0,
        model_usage={
            model: usage or ModelUsage(input_tokens=90, output_tokens=10, total_tokens=100)
        },
    )
    if ending is ERRORED:
        sample.error = EvalError(
            message="RuntimeError: it broke\nmore", traceback="", traceback_ansi=""
        )
    elif ending is UNSCORED:
        sample.scores = {scorer: Score.unscored(reason="not_measured")}
    elif ending is NO_SCORE:
        pass
    elif isinstance(ending, Score):
        sample.scores = {scorer: ending}
    elif isinstance(ending, dict) and all(isinstance(one, Score) for one in ending.values()):
        sample.scores = dict(ending)
    else:
        sample.scores = {scorer: Score(value=ending)}
    return sample.model_copy(update=changes)


def generate_config(**settings: Any) -> GenerateConfig:
    """Settings of a model, for ``model_generate_config``."""
    return GenerateConfig(**settings)
