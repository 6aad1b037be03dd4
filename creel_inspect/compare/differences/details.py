"""Disagreements with every answer side by side, and what else only whole samples hold."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import pandas as pd
from inspect_ai.log import EvalSample

from creel_inspect.compare.differences.measured import Measured
from creel_inspect.compare.differences.slices import operators_of
from creel_inspect.compare.differences.whole import (
    Place,
    plain_text,
    pretty,
    read_whole,
    search_case,
)
from creel_inspect.compare.frames.secrets import plain_place
from creel_inspect.compare.results import Answer, CaseRow, Disagreement
from creel_inspect.compare.wording import one_line
from creel_inspect.verify.plain import readable

MOST_DISAGREEMENTS = 300
"""How many cases are shown in full; the rest are counted, and in the matrix."""
MOST_CHARACTERS = 4_000
"""Where an explanation, an answer, a question or a reference is cut."""


@dataclass(frozen=True)
class Details:
    """What whole samples told.

    Attributes:
        disagreements: The cases that runs disagree on, most spread first.
        left_out: How many more there are.
        operators: By case of the search task, the operators of its reference query.
        near_misses: By case of the search task, what leads to each of its near-misses.
        warnings: Of logs that cannot be read any more.
    """

    disagreements: list[Disagreement]
    left_out: int
    operators: dict[str, list[str]]
    near_misses: dict[str, list[str]]
    warnings: list[str]


def details(measured: Measured, rows: Sequence[CaseRow]) -> Details:
    """Reads what the disagreements and the operators need, each sample once."""
    wanted = sorted((row for row in rows if row.disagree), key=_spread)
    shown = wanted[:MOST_DISAGREEMENTS]
    epochs = _epochs_shown(measured, shown)
    first = _first_that_ran(measured) if measured.task.kind == "search" else {}
    places = [place for _, place in epochs.values() if place] + list(first.values())
    samples = read_whole(places)
    asked = {case: samples[place] for case, place in first.items()}
    lost = sorted({place.log for place, one in samples.items() if isinstance(one, str)})
    return Details(
        disagreements=[_disagreement(measured, row, epochs, samples) for row in shown],
        left_out=len(wanted) - len(shown),
        operators={case: _operators(sample) for case, sample in asked.items()},
        near_misses={case: _near_misses(sample) for case, sample in asked.items()},
        warnings=[
            f"whole samples cannot be read from {len(lost)} of the logs any more, such as "
            f"{one_line(plain_place(lost[0]))}: their answers and explanations are left out"
        ]
        if lost
        else [],
    )


def _spread(row: CaseRow) -> tuple[float, int, str]:
    scores = [cell.score for cell in row.cells.values() if cell.score is not None]
    spread = max(scores) - min(scores) if scores else 0.0
    return (-round(spread, 9), -len({cell.result for cell in row.cells.values()}), row.case)


Epochs = dict[tuple[str, str], tuple[Mapping[str, Any], Place | None]]


def _epochs_shown(measured: Measured, rows: Sequence[CaseRow]) -> Epochs:
    """By case and run, the epoch that is shown, and where its sample stands."""
    cells = {row.case: row.cells for row in rows}
    found: Epochs = {}
    for run, samples in measured.runs.items():
        kept = samples[samples["case"].isin(cells)].to_dict("records")
        for case, group in groupby(kept, key=lambda one: one["case"]):
            epochs = list(group)
            result = cells[case][run].result
            one = next((each for each in epochs if each["result"] == result), epochs[0])
            there = one["log"] and one["state"] != "not_run"
            place = Place(one["log"], case, int(one["log_epoch"])) if there else None
            found[case, run] = (one, place)
    return found


def _first_that_ran(measured: Measured) -> dict[str, Place]:
    rows = measured.task.rows
    ran = rows[(rows["log"] != "") & (rows["state"] != "not_run")].drop_duplicates("case")
    return {
        case: Place(log, case, int(epoch))
        for case, log, epoch in ran[["case", "log", "log_epoch"]].itertuples(index=False)
    }


def _operators(sample: EvalSample | str) -> list[str]:
    case = None if isinstance(sample, str) else search_case(sample)
    return operators_of(case.get("reference")) if case else []


def _near_misses(sample: EvalSample | str) -> list[str]:
    case = None if isinstance(sample, str) else search_case(sample)
    near = case.get("near_misses") if case else None
    return [
        cut(str(one.get("why", ""))) if isinstance(one, dict) else ""
        for one in (near if isinstance(near, list | tuple) else [])
    ]


def _disagreement(
    measured: Measured,
    row: CaseRow,
    epochs: Epochs,
    samples: Mapping[Place, EvalSample | str],
) -> Disagreement:
    answers, whole = [], None
    for run in measured.order:
        one, place = epochs.get((row.case, run), ({}, None))
        sample = samples[place] if place else "not run: no log holds it"
        if whole is None and not isinstance(sample, str):
            whole = sample
        answers.append(_answer(run, one, sample))
    question, why, reference = _asked(whole)
    return Disagreement(
        case=row.case,
        question=cut(question),
        why=cut(why or row.why),
        tags=row.tags,
        reference=cut(reference),
        answers=answers,
    )


def _asked(sample: EvalSample | None) -> tuple[str, str, str]:
    """The question, what it is there to catch, and the reference."""
    if sample is None:
        return "", "", ""
    case = search_case(sample)
    why = (sample.metadata or {}).get("why")
    reference = plain_text(sample.target)
    if case and case.get("reference") is not None:
        reference = pretty(case["reference"])
    return plain_text(sample.input), why if isinstance(why, str) else "", reference


def _answer(run: str, row: Mapping[str, Any], sample: EvalSample | str) -> Answer:
    answer, explanation = "", ""
    if isinstance(sample, str):
        explanation = f"Not shown: {sample}."
    else:
        score = _score(sample, str(row["scorer"]))
        if score is not None:
            answer, explanation = score.answer or "", score.explanation or ""
        elif sample.error is not None:
            explanation = f"It ended in an error: {row.get('reason', '')}"
    value = row.get("score")
    return Answer(
        run=run,
        epoch=int(row.get("epoch", 1)),
        result=str(row.get("result", "not run")),
        score=None if value is None or pd.isna(value) else float(value),
        answer=cut(answer),
        explanation=cut_markdown(explanation),
        log=plain_place(str(row.get("log", ""))),
        sample=str(row.get("case", "")),
        log_epoch=int(row.get("log_epoch", 1)),
    )


def _score(sample: EvalSample, scorer: str) -> Any:
    """The score that a row was made of: ``scorer`` is its name, perhaps with an entry."""
    scores = sample.scores or {}
    names = [name for name in scores if scorer == name or scorer.startswith(f"{name}.")]
    return scores[max(names, key=len)] if names else None


def cut(text: str) -> str:
    """A text of at most ``MOST_CHARACTERS``, which says so where it was longer."""
    text = readable(text)
    if len(text) <= MOST_CHARACTERS:
        return text
    return f"{text[:MOST_CHARACTERS]} … (cut: {len(text):,} characters in all)"


def cut_markdown(text: str) -> str:
    """The same of Markdown: between two lines, and no block of code is left open."""
    text = readable(text)
    if len(text) <= MOST_CHARACTERS:
        return text
    whole = text[:MOST_CHARACTERS].rpartition("\n")[0] or text[:MOST_CHARACTERS]
    fence = _open_fence(whole.splitlines())
    end = f"\n{fence}" if fence else ""
    return f"{whole}{end}\n\n… (cut: {len(text):,} characters in all)"


def _open_fence(lines: Iterable[str]) -> str:
    fence = ""
    for line in lines:
        match = re.match(r" {0,3}(`{3,}|~{3,})(.*)", line)
        if not match:
            continue
        if not fence:
            fence = match[1]
        elif match[1].startswith(fence) and not match[2].strip():
            fence = ""
    return fence
