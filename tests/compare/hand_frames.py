"""Small frames by hand, with the columns of ``load_frame``; no log is needed."""

import json
import math

import pandas as pd

STATES = {"unscored": "unscored", "errored": "errored", "not run": "not_run"}
SCORES = {"right": 1.0, "partly right": 0.5}


def samples(run, results, *, task="nl_search", kind="search", side="", unit=True, **columns):
    """One run's rows.

    ``results`` is by case: a result, a score, or a list of either, one an epoch. ``columns``
    replace what a row has otherwise; a dict in them is by case.
    """
    rows = []
    for case, epochs in results.items():
        for epoch, one in enumerate(epochs if isinstance(epochs, list) else [epochs], 1):
            rows.append(_row(run, case, epoch, one, unit=unit, task=task, kind=kind, side=side))
    for row in rows:
        for name, value in columns.items():
            row[name] = value.get(row["case"], row[name]) if isinstance(value, dict) else value
    return rows


def _row(run, case, epoch, one, *, unit, task, kind, side):
    score = float(one) if isinstance(one, int | float) else SCORES.get(one, 0.0)
    result = one if isinstance(one, str) else result_of(one)
    state = STATES.get(result, "scored")
    missing = state != "scored"
    low, high = (0.0, 1.0) if unit else (math.nan, math.nan)
    return {
        "run_id": f"id-{side}-{run}",
        "run": run,
        "side": side,
        "task": task,
        "kind": kind,
        "model": run.split(" ")[0],
        "settings": "{}",
        "prompt_fingerprint": "prompt",
        "case_fingerprint": "" if kind == "other" else "cases",
        "corpus_fingerprint": "corpus" if kind == "search" else "",
        "scorer_version": "" if kind == "other" else "1",
        "policy_fingerprint": "",
        "corpora": "",
        "scorer": "search_answer.correct" if kind == "search" else "match",
        "scorer_package": "",
        "scorer_params": "{}",
        "versions": "{}",
        "case": case,
        "epoch": epoch,
        "log": "" if state == "not_run" else f"/nowhere/{run}.eval",
        "task_id": run,
        "log_epoch": epoch,
        "uuid": f"{run}-{case}-{epoch}",
        "created": "2026-01-01T00:00:00+00:00",
        "cluster": case,
        "state": state,
        "reason": "",
        "score": math.nan if missing else score,
        "score_low": low if missing else score,
        "score_high": high if missing else score,
        "outcome": "",
        "result": result,
        "attempts": 1,
        "first_try": True,
        "total_seconds": 2.0,
        "working_seconds": 1.0,
        "input_tokens": 10.0,
        "output_tokens": 5.0,
        "total_tokens": 15.0,
        "cost": math.nan,
        "misreading": "",
        "feasible": None,
        "corpus": "",
        "tags": [],
        "why": f"why {case}",
        "content": "" if state == "not_run" else f"content of {case}",
    }


def result_of(score):
    return {0: "wrong", 1: "right"}.get(score, "partly right")


def frame(*runs, notes=(), sources=("logs",)):
    """A frame of runs' rows, as ``samples`` makes them."""
    made = pd.DataFrame([row for rows in runs for row in rows])
    made.attrs["notes"] = list(notes)
    made.attrs["sources"] = list(sources)
    return made


def of(**settings):
    """A column of JSON."""
    return json.dumps(settings)


def cases(number, right=0, *, other="wrong"):
    """``number`` cases, of which the first ``right`` are right."""
    return {f"case-{n:03}": "right" if n < right else other for n in range(number)}
