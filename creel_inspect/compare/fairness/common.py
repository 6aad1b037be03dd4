"""The cases that runs have in common: the same id, the same question and the same answer."""

import hashlib
import json
from collections.abc import Callable, Iterable
from typing import Any

import pandas as pd
from inspect_ai.log import EvalSample

from creel_inspect.compare.differences.whole import Place, plain_text, read_whole, search_case
from creel_inspect.compare.fairness.tasks import TaskRows, contents
from creel_inspect.compare.fairness.yardsticks import digest_of
from creel_inspect.compare.refusing import CompareError
from creel_inspect.compare.results import LeftOut
from creel_inspect.compare.wording import one_line

_EXAMPLES = 5
# What a score of the extraction task depends on, besides the policy.
_EXTRACTION_PARTS = ("sources", "grammar", "verifiers", "evidence")
_OTHERWISE = "the input or the target is another in another run"
# Said for people; no score depends on it.
_SAID = ("why", "tags")


def common_cases(task: TaskRows) -> tuple[TaskRows, list[LeftOut]]:
    """The samples of the cases that all runs have in common, and what is left out.

    Where fingerprints of the case file (of the corpus, for extraction) are equal, equal ids are
    equal cases. Where they differ, what the logs hold of each case is compared, read from one whole
    sample for each fingerprint.

    Raises:
        CompareError: If nothing is in common.
    """
    rows = task.rows
    runs = rows["run_id"].nunique()
    asked_of = rows.groupby("case")["run_id"].nunique()
    left_out: list[LeftOut] = []

    def leave(what: str, cases: Iterable[str], why: str) -> None:
        nonlocal rows
        gone = sorted(cases)
        if gone:
            rows = rows[~rows["case"].isin(gone)]
            left_out.append(LeftOut(what=what, count=len(gone), why=why, examples=gone[:_EXAMPLES]))

    leave("cases", asked_of.index[asked_of < runs], "not every run was asked them")
    leave(
        "cases",
        [case for case, found in contents(rows).items() if len(found) > 1],
        _OTHERWISE,
    )
    other, unknown = _redefined(task.kind, rows)
    leave("cases", other, "the case was changed from one run to another")
    leave(
        "cases",
        unknown,
        "the case files differ, and no sample of one of them can be read to see whether this case "
        "does",
    )
    if rows.empty:
        why = "; ".join(f"{one.count:,}: {one.why}" for one in left_out)
        raise CompareError(
            f"{one_line(task.task)}: the runs have no case in common ({why}); run them over the "
            "same cases, or name only the logs that belong together"
        )
    return task.only(rows["case"].unique()), left_out


def without(task: TaskRows, cases: Iterable[str]) -> tuple[TaskRows, LeftOut]:
    """The samples of the other cases; those named are asked otherwise in another run.

    Raises:
        CompareError: If no other is left.
    """
    gone = sorted(cases)
    rest = set(task.rows["case"]) - set(gone)
    if not rest:
        raise CompareError(
            f"{one_line(task.task)}: the runs have no case in common ({len(gone):,}: "
            f"{_OTHERWISE}); run them over the same cases, or name only the logs that belong "
            "together"
        )
    return task.only(rest), LeftOut(
        what="cases", count=len(gone), why=_OTHERWISE, examples=gone[:_EXAMPLES]
    )


def _redefined(kind: str, rows: pd.DataFrame) -> tuple[list[str], list[str]]:
    """Cases that are another under another fingerprint, and those of which that is not known."""
    if kind == "other" or rows.empty:
        return [], []
    defining: Callable[[EvalSample], Any] = _search if kind == "search" else _extraction
    prints = rows["case_fingerprint"] if kind == "search" else digest_of(rows, "corpora")
    keyed = rows.assign(_print=prints)
    several = keyed.groupby("case")["_print"].nunique()
    keyed = keyed[keyed["case"].isin(several.index[several > 1])]
    ran = keyed[(keyed["log"] != "") & (keyed["state"] != "not_run")]
    places = {
        key: Place(str(part["log"].iloc[0]), str(key[0]), int(part["log_epoch"].iloc[0]))
        for key, part in ran.groupby(["case", "_print"], sort=True)
    }
    samples = read_whole(places.values())
    other, unknown = [], []
    for case, part in keyed.groupby("case", sort=True):
        found = set()
        for fingerprint in part["_print"].unique():
            place = places.get((case, fingerprint))
            sample = samples[place] if place else ""
            found.add(None if isinstance(sample, str) else _digest(defining(sample)))
        if None in found:
            unknown.append(str(case))
        elif len(found) > 1:
            other.append(str(case))
    return other, unknown


def _search(sample: EvalSample) -> Any:
    case = search_case(sample)
    return case and {name: value for name, value in case.items() if name not in _SAID}


def _extraction(sample: EvalSample) -> Any:
    said = sample.metadata or {}
    if not all(name in said for name in _EXTRACTION_PARTS):
        return None
    return [plain_text(sample.target), *(said[name] for name in _EXTRACTION_PARTS)]


def _digest(definition: Any) -> str | None:
    if definition is None:
        return None
    try:
        text = json.dumps(definition, sort_keys=True, default=str)
    except (ValueError, RecursionError):
        return None
    return hashlib.sha256(text.encode(errors="backslashreplace")).hexdigest()
