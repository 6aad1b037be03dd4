"""Every case by every run, and how cases went from one run to another."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from creel_inspect.compare.differences.measured import Measured
from creel_inspect.compare.results import CaseRow, Cell, Misreading, Transition

_UNMEASURED = frozenset({"unscored", "errored", "not run"})
_ABSENT = Cell(result="not run", score=None, epochs=[])


def case_rows(measured: Measured) -> list[CaseRow]:
    """Every case, by id."""
    cells: dict[str, dict[str, Cell]] = defaultdict(dict)
    for run in measured.order:
        for case, cell in _cells(measured, run).items():
            cells[case][run] = cell
    whys = _first(measured.task.rows, "why")
    tags = _first(measured.task.rows, "tags")
    return [
        CaseRow(
            case=case,
            why=str(whys.get(case, "")),
            tags=list(tags.get(case, ())),
            cells={run: cells[case].get(run, _ABSENT) for run in measured.order},
            disagree=_disagree(cells[case].values()),
        )
        for case in measured.cases
    ]


def _first(rows: pd.DataFrame, column: str) -> dict[str, Any]:
    """By case, what the first run that knows it says."""
    known = rows[rows[column].map(bool)]
    return dict(known.drop_duplicates("case").set_index("case")[column])


def _cells(measured: Measured, run: str) -> dict[str, Cell]:
    rows = measured.runs[run]
    scores = measured.scored[run].groupby("case")["score"].mean()
    return {
        str(case): Cell(
            result=results[0] if len(set(results)) == 1 else "mixed",
            score=float(scores[case]) if case in scores.index else None,
            epochs=results,
        )
        for case, results in rows.groupby("case")["result"].agg(list).items()
    }


def _disagree(cells: Iterable[Cell]) -> bool:
    """Whether what was measured differs. A sample that is missing says nothing against another."""
    seen = [
        (frozenset(cell.epochs) - _UNMEASURED, None if cell.score is None else round(cell.score, 9))
        for cell in cells
    ]
    return len({one for one in seen if one[0]}) > 1


def transitions(rows: Sequence[CaseRow], pairs: Sequence[tuple[str, str]]) -> list[Transition]:
    """How cases ended in the first run of a pair, and how in the second; changes first.

    By cells, as everything else is told: where epochs differ, a case is ``mixed``.
    """
    found = []
    for a, b in pairs:
        moved: dict[tuple[str, str], list[str]] = defaultdict(list)
        for row in rows:
            moved[row.cells[a].result, row.cells[b].result].append(row.case)
        found += [
            Transition(a=a, b=b, before=before, after=after, count=len(cases), cases=cases)
            for (before, after), cases in sorted(
                moved.items(), key=lambda item: (item[0][0] == item[0][1], -len(item[1]), item[0])
            )
        ]
    return found


def misreadings(measured: Measured, near_misses: Mapping[str, Sequence[str]]) -> list[Misreading]:
    """The wrong queries that a case's author foresaw, most frequent first.

    Args:
        measured: The samples.
        near_misses: By case, what leads to each of its near-misses, for logs that only number them.
    """
    rows = measured.task.rows
    counted: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for case, text, run in rows[rows["misreading"] != ""][
        ["case", "misreading", "run_id"]
    ].itertuples(index=False):
        counted[case, _named(text, near_misses.get(case, ()))][run] += 1
    return [
        Misreading(
            case=case,
            misreading=text,
            runs={run: runs[run] for run in measured.order if run in runs},
        )
        for (case, text), runs in sorted(
            counted.items(), key=lambda item: (-item[1].total(), item[0])
        )
    ]


def _named(text: str, near_misses: Sequence[str]) -> str:
    match = re.fullmatch(r"near-miss ([0-9]{1,4})", text)
    if match is None or int(match[1]) >= len(near_misses):
        return text
    return near_misses[int(match[1])] or text
