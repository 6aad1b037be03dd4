"""The rows of a frame, in one order, by the task they measure."""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pandas as pd

from creel_inspect.compare.refusing import CompareError
from creel_inspect.compare.results import Kind
from creel_inspect.compare.wording import listed, one_line, some
from creel_inspect.verify.plain import readable

_TEXTS = [
    *("run_id", "run", "side", "task", "kind", "model", "settings"),
    *("scorer", "scorer_package", "scorer_params"),
    *("prompt_fingerprint", "case_fingerprint", "corpus_fingerprint", "scorer_version"),
    *("policy_fingerprint", "corpora", "versions", "case", "log", "cluster", "state", "reason"),
    *("outcome", "result", "misreading", "corpus", "why", "content"),
]
_FLOATS = [
    *("score", "score_low", "score_high", "total_seconds", "working_seconds", "input_tokens"),
    *("output_tokens", "total_tokens", "cost"),
]
_WHOLE = ["epoch", "log_epoch"]
_NEEDED = ["run_id", "run", "task", "kind", "model", "scorer", "case", "epoch", "state", "score"]


@dataclass(frozen=True)
class TaskRows:
    """The samples of every run of one task.

    Attributes:
        task: Its name; of a renamed one, its names.
        kind: Whose it is.
        rows: As ``load_frame`` gives them, texts and figures never of another type, ordered by
            run, case and epoch.
        warnings: What a careful reader should know.
    """

    task: str
    kind: Kind
    rows: pd.DataFrame
    warnings: tuple[str, ...] = field(default=())

    @property
    def runs(self) -> dict[str, pd.DataFrame]:
        """The rows of each run, by its id."""
        return {str(run): rows for run, rows in self.rows.groupby("run_id", sort=True)}

    def texts(self, column: str) -> dict[str, str]:
        """What a run-level column says of each run; values of one run that differ are joined."""
        return {
            run: " / ".join(sorted(set(rows[column]) - {""})) for run, rows in self.runs.items()
        }

    @property
    def labels(self) -> dict[str, str]:
        """What each run is called."""
        return self.texts("run")

    def only(self, cases: Iterable[str]) -> "TaskRows":
        """The same, of some of the cases."""
        kept = self.rows[self.rows["case"].isin(list(cases))]
        return replace(self, rows=kept.reset_index(drop=True))

    def warned(self, *warnings: str) -> "TaskRows":
        """The same, with more said."""
        return replace(self, warnings=(*self.warnings, *warnings))


def by_task(frame: pd.DataFrame) -> list[TaskRows]:
    """The tasks of a frame, by name.

    Tasks of this package of one kind are one task, whatever each is called. Those of others are
    one that was renamed where they have the same scorer and ask the same questions.

    Raises:
        CompareError: If it is no frame of ``load_frame``, or holds no samples.
    """
    rows = _ordered(frame)
    groups = [
        TaskRows(str(task), cast(Kind, kind), part.reset_index(drop=True))
        for (kind, task), part in rows.groupby(["kind", "task"], sort=True)
    ]
    merged: list[list[TaskRows]] = []
    for group in groups:
        same = next((one for one in merged if all(_renamed(each, group) for each in one)), None)
        if same is None:
            merged.append([group])
        else:
            same.append(group)
    return sorted((_joined(one) for one in merged), key=lambda one: (one.task, one.kind))


def _joined(groups: list[TaskRows]) -> TaskRows:
    if len(groups) == 1:
        return groups[0]
    names = [group.task for group in groups]
    rows = pd.concat([group.rows for group in groups], ignore_index=True)
    rows = rows.sort_values(["run_id", "case", "epoch"], kind="stable", ignore_index=True)
    labels = rows.groupby("run")["run_id"].nunique()
    twice = rows["run"].isin(labels[labels > 1].index)
    rows.loc[twice, "run"] = rows["run"][twice] + " (" + rows["task"][twice] + ")"
    told = f"the tasks {listed([one_line(name) for name in names])} " + (
        "have the same scorer and ask the same questions, so they are compared as one task that "
        "was renamed"
        if groups[0].kind == "other"
        else "are of one kind, so they are compared as one task under several names"
    )
    return TaskRows(" = ".join(names), groups[0].kind, rows, (told,))


def _renamed(one: TaskRows, other: TaskRows) -> bool:
    """Whether two tasks are one under two names.

    Ids alone would not do: Inspect numbers the samples of any dataset that has no ids from 1.
    """
    if one.kind == other.kind != "other":
        return True
    if one.kind != other.kind or set(one.rows["scorer"]) != set(other.rows["scorer"]):
        return False
    asked, also = contents(one.rows), contents(other.rows)
    if set(asked) != set(also):
        return False
    known = [case for case in asked if asked[case] and also[case]]
    return bool(known) and all(asked[case] == also[case] for case in known)


def contents(rows: pd.DataFrame) -> dict[str, frozenset[str]]:
    """By case, the digests of what was asked under its id; none for what never ran."""
    return {
        str(case): frozenset(found) - {""}
        for case, found in rows.groupby("case", sort=True)["content"].unique().items()
    }


def _ordered(frame: pd.DataFrame) -> pd.DataFrame:
    missing = [name for name in _NEEDED if name not in frame.columns]
    if missing:
        raise CompareError(
            f"expected a frame as load_frame makes it; this one has no column {some(missing)}"
        )
    if not len(frame):
        raise CompareError("there are no samples to compare; name logs that hold some")
    rows = pd.DataFrame(frame).reset_index(drop=True)
    rows = rows.assign(
        **{name: _texts(rows.get(name), len(rows)) for name in _TEXTS},
        **{name: _floats(rows.get(name), len(rows)) for name in _FLOATS},
        **{name: _whole(rows.get(name), len(rows)) for name in _WHOLE},
        tags=pd.Series([_tags(one) for one in rows.get("tags", [()] * len(rows))], dtype=object),
        feasible=pd.Series(
            [_truth(one) for one in rows.get("feasible", [None] * len(rows))], dtype=object
        ),
    )
    strange = sorted(set(rows["kind"]) - {"search", "extraction", "other"})
    if strange:
        raise CompareError(f"kind: expected search, extraction or other, came {some(strange)}")
    key = ["run_id", "case", "epoch"]
    twice = rows[rows.duplicated(key)]
    if len(twice):
        first = twice.sort_values(key).iloc[0]
        raise CompareError(
            f"two rows hold case {one_line(first['case'])}, epoch {first['epoch']} of the run "
            f"{one_line(first['run'])}; expected one each, as load_frame gives them"
        )
    unknown = rows["cluster"] == ""
    rows.loc[unknown, "cluster"] = rows["case"][unknown]
    return rows.sort_values(key, kind="stable", ignore_index=True)


def _texts(column: Any, length: int) -> pd.Series:
    values = [""] * length if column is None else column
    return pd.Series(
        ["" if _is_missing(one) else readable(str(one)) for one in values], dtype=object
    )


def _floats(column: Any, length: int) -> pd.Series:
    values = [math.nan] * length if column is None else column
    found = [math.nan if _is_missing(one) else float(one) for one in values]
    return pd.Series([one if math.isfinite(one) else math.nan for one in found], dtype=float)


def _whole(column: Any, length: int) -> pd.Series:
    values = [1] * length if column is None else column
    return pd.Series([1 if _is_missing(one) else int(one) for one in values], dtype=int)


def _tags(value: Any) -> tuple[str, ...]:
    # A list, or, from a Parquet file, an array.
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        return ()
    return tuple(dict.fromkeys(readable(str(one)) for one in value))


def _truth(value: Any) -> bool | None:
    return None if _is_missing(value) else bool(value)


def _is_missing(value: Any) -> bool:
    return value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value))


def texts_of(text: str) -> dict[str, str]:
    """A column's JSON object, with what is no text as JSON."""
    return {
        name: value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)
        for name, value in mapping(text).items()
    }


def mapping(text: str) -> Mapping[str, Any]:
    """A column's JSON object; empty where it holds none."""
    try:
        found = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
