"""``load_elements``: what became of each element of each extraction, from whole samples."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from inspect_ai.log import EvalSample
from inspect_ai.scorer import Score

from creel_inspect.compare.differences.whole import Place, read_whole
from creel_inspect.compare.frames.secrets import plain_place
from creel_inspect.compare.refusing import CompareError
from creel_inspect.compare.wording import one_line

_KEYS = ("run_id", "run", "case", "epoch")
_TEXTS = (
    *("path", "type", "part", "state", "verifier", "origin", "reason", "code", "element"),
    *("actual_element", "attribute", "grounding", "grounding_reason"),
)
_VALUES = ("expected", "actual")


@dataclass(frozen=True)
class _Wanted:
    keys: tuple[Any, ...]
    case: str
    epoch: int
    scorer: str


def load_elements(frame: pd.DataFrame) -> pd.DataFrame:
    """Reads every marked element of the extraction samples of a frame.

    Whole samples are read, which takes time: narrow the frame first, if a part of it will do.

    Args:
        frame: As ``load_frame`` makes it, or some of its rows, or read back from Parquet.

    Returns:
        A row for each mark: ``run_id``, ``run``, ``case``, ``epoch``; the texts of
        ``marking.Mark`` (``path``, ``type``, ``part``, ``state``, ``verifier``, ``origin``,
        ``reason``, ``code``, ``element``, ``actual_element``, ``attribute``, ``grounding``,
        ``grounding_reason``), empty where there are none; ``lone``; and ``expected`` and
        ``actual`` as JSON, empty where one side has no such value.

    Raises:
        CompareError: If a log is no longer where the frame says, or a sample no longer in it.
    """
    measured = frame[(frame["kind"] == "extraction") & frame["state"].isin(["scored", "unscored"])]
    by_log: dict[str, list[_Wanted]] = {}
    columns = [*_KEYS, "log", "log_epoch", "scorer"]
    for run_id, run, case, epoch, log, log_epoch, scorer in zip(
        *(measured[name].tolist() for name in columns), strict=True
    ):
        wanted = _Wanted((run_id, run, case, epoch), case, int(log_epoch), scorer)
        by_log.setdefault(log, []).append(wanted)
    return _as_frame([row for log, each in by_log.items() for row in _read(log, each)])


def _read(log: str, wanted: Sequence[_Wanted]) -> list[dict[str, Any]]:
    places = [Place(log, one.case, one.epoch) for one in wanted]
    found = read_whole(places)
    rows = []
    for place, one in zip(places, wanted, strict=True):
        sample = found[place]
        if isinstance(sample, str):
            raise CompareError(
                f"{one_line(plain_place(log))}: its samples cannot be read again ({sample}); the "
                "frame names the log, which has to stay as it was: load the frame anew"
            )
        rows += _rows(sample, one)
    return rows


def _rows(sample: EvalSample, wanted: _Wanted) -> list[dict[str, Any]]:
    rows = []
    for mark in _elements(sample.scores or {}, wanted.scorer):
        row = dict(zip(_KEYS, wanted.keys, strict=True))
        for name in _TEXTS:
            value = mark.get(name)
            row[name] = value if isinstance(value, str) else "" if value is None else str(value)
        row["lone"] = mark.get("lone") is True
        for name in _VALUES:
            value = json.dumps(mark[name], ensure_ascii=False) if name in mark else ""
            row[name] = value
        rows.append(row)
    return rows


def _elements(scores: Mapping[str, Score], wanted: str) -> list[Mapping[str, Any]]:
    """The marks behind the score that the frame holds, whose name has the entry behind a dot."""
    for name, score in scores.items():
        if wanted == name or wanted.startswith(f"{name}."):
            marks = (score.metadata or {}).get("elements")
            return (
                [one for one in marks if isinstance(one, Mapping)]
                if isinstance(marks, list)
                else []
            )
    return []


def _as_frame(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    names = [*_KEYS, *_TEXTS, "lone", *_VALUES]
    frame = pd.DataFrame({name: [row[name] for row in rows] for name in names})
    return frame.astype({"epoch": "int64", "lone": "bool"})
