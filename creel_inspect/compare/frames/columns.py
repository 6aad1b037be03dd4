"""The columns of the frame, in their order, and how each is held.

The same for all samples of a run:

- ``run_id``: twelve hex digits; ``run``: its label, unique within a task; ``side``: ``base`` or
  ``new`` where two paths were given, else empty.
- ``task``: the task's bare name; ``kind``: ``search``, ``extraction`` or ``other``; ``model``.
- ``settings``: JSON of every setting that makes it this run, by name.
- ``prompt_fingerprint``, ``case_fingerprint``, ``corpus_fingerprint``, ``scorer_version``:
  empty where the task has none; ``policy_fingerprint``, ``corpora``: JSON by corpus.
- ``scorer``: which score, as ``--score`` takes it; ``scorer_package``: where another's scorer is
  from, empty where that is not known; ``scorer_params``, ``versions``: JSON.
- A value that is mixed within a run, such as two policies, is joined by `` + ``.

Of each sample:

- ``case``, ``epoch``: which one; ``log``, ``task_id``, ``log_epoch``, ``uuid``, ``created``: where
  it stands, and when that log was begun.
- ``cluster``: the case, or the first of the cases that belong together as pairs (search).
- ``state``: ``scored``, ``unscored``, ``errored`` or ``not_run``; ``reason``: a code, or the first
  line of the error.
- ``score``: NaN where there is none; ``score_low``, ``score_high``: what it could have been.
- ``outcome``: how it ended, by our tasks; ``result``: the same for a person, ``scored`` where
  scores do not lie in 0 to 1.
- ``attempts``, ``first_try``; ``total_seconds``, ``working_seconds``; ``input_tokens`` (cached ones
  included), ``output_tokens``, ``total_tokens``, ``cost`` in US dollars, of the model under test.
- ``misreading``; ``feasible``; ``corpus``; ``tags``, a list; ``why``, cut at 1 KB.
- ``content``: twelve hex digits of question and target.
- ``score_NAME``: each other entry of the value whose name holds no dot.
"""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from creel_inspect.compare.frames.runs import Run
from creel_inspect.compare.frames.samples import Row

_SAMPLE = (
    *("case", "epoch", "log", "task_id", "log_epoch", "uuid", "created", "cluster", "state"),
    *("reason", "score", "score_low", "score_high", "outcome", "result", "attempts", "first_try"),
    *("total_seconds", "working_seconds", "input_tokens", "output_tokens", "total_tokens", "cost"),
    *("misreading", "feasible", "corpus", "tags", "why", "content"),
)

_MAY_BE_MISSING = {
    "attempts": "Int64",
    "first_try": "boolean",
    "input_tokens": "Int64",
    "output_tokens": "Int64",
    "total_tokens": "Int64",
    "feasible": "boolean",
}


def frame_of(
    rows: Sequence[tuple[Run, Sequence[Row]]],
    labels: Mapping[str, str],
    versions: Mapping[str, Mapping[str, str]],
) -> pd.DataFrame:
    """One row for each sample of each run.

    Args:
        rows: The samples of each run.
        labels: By run id.
        versions: Of packages and engine, by run id.
    """
    columns: dict[str, Any] = {}
    for name, values in _run_columns([run for run, _ in rows], labels, versions).items():
        columns[name] = [value for value, (_, each) in zip(values, rows, strict=True) for _ in each]
    samples = [row for _, each in rows for row in each]
    for name in _SAMPLE:
        values = [getattr(row, name) for row in samples]
        dtype = _MAY_BE_MISSING.get(name)
        columns[name] = pd.array(values, dtype=dtype) if dtype else values
    for name in sorted({name for row in samples for name in row.entries}):
        if f"score_{name}" in columns:
            continue  # an entry called `low` or `high`
        columns[f"score_{name}"] = [row.entries.get(name, math.nan) for row in samples]
    return pd.DataFrame(columns)


def _run_columns(
    runs: Sequence[Run],
    labels: Mapping[str, str],
    versions: Mapping[str, Mapping[str, str]],
) -> dict[str, list[str]]:
    def text(content: Mapping[str, str]) -> str:
        return json.dumps(dict(content), sort_keys=True)

    return {
        "run_id": [run.id for run in runs],
        "run": [labels[run.id] for run in runs],
        "side": [run.side for run in runs],
        "task": [run.identity.task for run in runs],
        "kind": [run.identity.kind for run in runs],
        "model": [run.identity.model for run in runs],
        "settings": [text(run.identity.settings) for run in runs],
        "prompt_fingerprint": [run.identity.prompt_fingerprint for run in runs],
        "case_fingerprint": [run.under.case_fingerprint for run in runs],
        "corpus_fingerprint": [run.under.corpus_fingerprint for run in runs],
        "scorer_version": [run.under.scorer_version for run in runs],
        "policy_fingerprint": [run.under.policy_fingerprint for run in runs],
        "corpora": [run.under.corpora for run in runs],
        "scorer": [run.under.score for run in runs],
        "scorer_package": [run.under.scorer_package for run in runs],
        "scorer_params": [run.under.scorer_params for run in runs],
        "versions": [text(versions[run.id]) for run in runs],
    }
