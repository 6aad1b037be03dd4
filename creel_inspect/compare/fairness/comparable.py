"""Whether a difference between runs can be one between models: if not, it is refused.

Two scores can be compared where the same cases were asked, over the same corpus, and scored by the
same scorer under the same policy. Cases can be cut to what is common. The rest cannot be mended
here.
"""

from collections.abc import Mapping, Sequence

import pandas as pd

from creel_inspect.compare.fairness.common import common_cases
from creel_inspect.compare.fairness.tasks import TaskRows, contents
from creel_inspect.compare.fairness.yardsticks import (
    by_value,
    corpus_of,
    digest_of,
    scorer_params,
)
from creel_inspect.compare.refusing import CompareError
from creel_inspect.compare.results import LeftOut
from creel_inspect.compare.wording import many, one_line, some

_TOGETHER = "name only the logs that belong together"
_SCORERS = {
    "search": "creel_inspect/search_answer -S wrong_penalty=P -S timeout_seconds=T",
    "extraction": "creel_inspect/extraction -S policy=NAME -S gate=MODE",
}
_MOST_VALUES = 12


def comparable(task: TaskRows, *, common: bool = False) -> tuple[TaskRows, list[LeftOut]]:
    """The task's samples that may be compared, and what is left out.

    Args:
        task: The samples of all runs.
        common: Cut cases to those that every run was asked, with the same question and answer,
            where they are not the same.

    Raises:
        CompareError: If the runs differ in more than what is compared. It says which run has what,
            and what to do.
    """
    left_out: list[LeftOut] = []
    faults = _beyond_mending(task) if task.kind != "extraction" else []
    if common and not faults:
        task, left_out = common_cases(task)
    if task.kind == "extraction":
        faults = _beyond_mending(task)
    if faults and common:
        faults.append("--common cuts cases to those in common; it does not help here")
    if not common:
        faults += _cases(task)
    if faults:
        raise CompareError(
            f"{one_line(task.task)}: these runs cannot be compared fairly.\n" + "\n".join(faults)
        )
    return task, left_out


def _beyond_mending(task: TaskRows) -> list[str]:
    """What no choice of cases makes equal."""
    rows = task.rows
    again = f"score the logs again in one way (`inspect score LOG --scorer {{}}`), or {_TOGETHER}"
    score_again = again.format(_SCORERS.get(task.kind, "NAME"))
    found = [
        _unlike(
            "different scores were taken",
            by_value(rows, rows["scorer"]),
            f"say which one with --score, {again.format('NAME')}",
        ),
        _unlike(
            "the scorers had other parameters", by_value(rows, scorer_params(task)), score_again
        ),
    ]
    if task.kind != "other":
        found.append(
            _unlike(
                "the scorers are of different versions",
                by_value(rows, rows["scorer_version"]),
                score_again,
            )
        )
    if task.kind == "search":
        found += [
            _unlike(
                "the corpora differ (corpus fingerprint)",
                by_value(rows, rows["corpus_fingerprint"]),
                f"run again over one corpus, or {_TOGETHER}",
            ),
        ]
    if task.kind != "extraction":
        found.append(
            _unlike(
                "the policies differ (policy fingerprint)",
                by_value(rows, rows["policy_fingerprint"]),
                score_again,
            )
        )
    else:
        policies = digest_of(rows, "policy_fingerprint")
        for corpus, part in rows.groupby(corpus_of(rows), sort=True):
            found.append(
                _unlike(
                    f"the policies for {one_line(str(corpus))} differ (policy fingerprint)",
                    by_value(part, policies[part.index]),
                    score_again,
                )
            )
    return [one for one in found if one]


def _cases(task: TaskRows) -> list[str]:
    """How the cases differ: what ``common`` can mend, if there are any in common."""
    rows = task.rows
    asked = {run: set(part["case"]) for run, part in task.runs.items()}
    shared = set.intersection(*asked.values())
    help_of_common = (
        f", or add --common to compare those of the {many(len(shared), 'common case')} "
        "that are the same in all runs"
        if shared
        else " (no case is common to all runs, so that --common does not help)"
    )
    remedy = f"run all of them over the same cases, {_TOGETHER}{help_of_common}"
    found = []
    if task.kind == "search":
        found.append(
            _unlike(
                "the case files differ (case fingerprint)",
                by_value(rows, rows["case_fingerprint"]),
                remedy,
            )
        )
    elif task.kind == "extraction":
        digests = digest_of(rows, "corpora")
        for corpus, part in rows.groupby(corpus_of(rows), sort=True):
            found.append(
                _unlike(
                    f"the corpus {one_line(str(corpus))} differs (its digest)",
                    by_value(part, digests[part.index]),
                    remedy,
                )
            )
    found.append(_other_cases(task, asked, shared, remedy))
    if not any(found):
        found.append(_other_questions(rows, remedy))
    return [one for one in found if one]


def _other_cases(
    task: TaskRows, asked: Mapping[str, set[str]], shared: set[str], remedy: str
) -> str:
    if all(cases == shared for cases in asked.values()):
        return ""
    lines = [
        f"    {one_line(task.labels[run])}: {many(len(cases), 'case')}"
        + (f", {len(cases - shared):,} of them not in all runs" if cases != shared else "")
        + (f" ({some(sorted(cases - shared), 3)})" if cases != shared else "")
        for run, cases in sorted(asked.items(), key=lambda item: task.labels[item[0]])
    ]
    return _told("not all runs were asked the same cases", lines, remedy)


def _other_questions(rows: pd.DataFrame, remedy: str) -> str:
    other = [case for case, found in contents(rows).items() if len(found) > 1]
    if not other:
        return ""
    lines = [f"    {some(other)}"]
    return _told(
        f"the input or the target of {many(len(other), 'case')} is another in another run",
        lines,
        remedy,
    )


def _unlike(what: str, runs: Mapping[str, Sequence[str]], remedy: str) -> str:
    if len(runs) < 2:
        return ""
    lines = [
        f"    {one_line(value) or 'none'}: {some(labels)}"
        for value, labels in list(runs.items())[:_MOST_VALUES]
    ]
    if len(runs) > _MOST_VALUES:
        lines.append(f"    and {len(runs) - _MOST_VALUES} more")
    return _told(what, lines, remedy)


def _told(what: str, lines: Sequence[str], remedy: str) -> str:
    return "\n".join([f"- {what}:", *lines, f"  To do: {remedy}."])
