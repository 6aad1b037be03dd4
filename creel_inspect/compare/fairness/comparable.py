"""Whether a difference between runs can be one between models: if not, it is refused.

Two scores can be compared where the same cases were asked, over the same corpus, and scored by the
same scorer under the same policy. Cases can be cut to what is common. The rest cannot be mended
here.
"""

from collections.abc import Collection, Mapping, Sequence

import pandas as pd

from creel_inspect.compare.fairness.common import common_cases, without
from creel_inspect.compare.fairness.judges import graders, may_be_judged
from creel_inspect.compare.fairness.questions import Whole, whole_questions
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
_MIXED = " + "
"""Between the values of one run, where it has several."""
MOST_SCORE = 1e50


def comparable(
    task: TaskRows, *, common: bool = False, whole: bool = True
) -> tuple[TaskRows, list[LeftOut]]:
    """The task's samples that may be compared, and what is left out.

    Args:
        task: The samples of all runs.
        common: Cut cases to those that every run was asked, with the same question and answer,
            where they are not the same.
        whole: Read whole samples where the logs' summaries cut questions.

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
    if whole and not faults and task.kind == "other":
        found = whole_questions(task.rows)
        if found.other and not common:
            faults.append(_other_questions(found.other, _remedy(task, found.other)))
        elif found.other:
            task, gone = without(task, found.other)
            left_out.append(gone)
        task = task.warned(*_not_seen(found))
    if faults:
        raise CompareError(
            f"{one_line(task.task)}: these runs cannot be compared fairly.\n" + "\n".join(faults)
        )
    return task, left_out


def _beyond_mending(task: TaskRows) -> list[str]:
    """What no choice of cases makes equal. What has no score was measured with nothing."""
    rows = task.rows
    scored = rows[rows["state"] == "scored"]
    again = (
        "score the logs again in one way (each with `inspect score LOG --scorer {} --action "
        f"overwrite --output-file NEW`) and compare the new logs, or {_TOGETHER}"
    )
    score_again = again.format(_SCORERS.get(task.kind, "NAME"))
    known = scored[scored["scorer_package"] != ""]
    found = [
        _too_large(scored),
        _unlike(
            "different scores were taken",
            by_value(rows, rows["scorer"]),
            f"say which one with --score, {again.format('NAME')}",
        ),
        _unlike(
            "the scorers are of different packages",
            by_value(known, known["scorer_package"]),
            again.format("PACKAGE/NAME"),
        ),
        _unlike(
            "the scorers had other parameters",
            by_value(scored, scorer_params(task)[scored.index]),
            score_again,
        ),
    ]
    if may_be_judged(task):
        found.append(
            _unlike(
                "other models were in the role of grader, which may have judged the answers",
                by_value(scored, graders(scored)),
                # Scoring again does not help: the log goes on naming the grader of its run.
                f"run again with the same --model-role grader=MODEL, or {_TOGETHER}",
            )
        )
    if task.kind != "other":
        found.append(
            _unlike(
                "the scorers are of different versions",
                by_value(scored, scored["scorer_version"]),
                score_again,
            )
        )
    if task.kind == "search":
        found.append(
            _unlike(
                "the corpora differ (corpus fingerprint)",
                by_value(scored, scored["corpus_fingerprint"]),
                f"run again over one corpus, or {_TOGETHER}",
            )
        )
    if task.kind != "extraction":
        found.append(
            _unlike(
                "the policies differ (policy fingerprint)",
                by_value(scored, scored["policy_fingerprint"]),
                score_again,
            )
        )
    else:
        policies = digest_of(scored, "policy_fingerprint")
        for corpus, part in scored.groupby(corpus_of(scored), sort=True):
            found.append(
                _unlike(
                    f"the policies for {one_line(str(corpus))} differ (policy fingerprint)",
                    by_value(part, policies[part.index]),
                    score_again,
                )
            )
    return [one for one in found if one]


def _too_large(scored: pd.DataFrame) -> str:
    """Scores whose squares, or sums of these, a float may not hold."""
    large = scored[scored["score"].abs() > MOST_SCORE]
    if large.empty:
        return ""
    first = large.iloc[0]
    return _told(
        f"{many(len(large), 'score')} beyond {MOST_SCORE:g}, more than can be reckoned with",
        [
            f"    {one_line(first['run'])}, case {one_line(first['case'])}, epoch "
            f"{first['epoch']}: {first['score']:g}"
        ],
        f"name another score with --score, or {_TOGETHER}",
    )


def _remedy(task: TaskRows, other: Collection[str] = ()) -> str:
    """What to do where cases differ; ``other`` are asked in all runs, and not the same."""
    asked = [set(part["case"]) for part in task.runs.values()]
    unlike = {case for case, found in contents(task.rows).items() if len(found) > 1}
    shared = set.intersection(*asked) - unlike - set(other)
    help_of_common = (
        f", or add --common to compare those of the {many(len(shared), 'common case')} "
        "that are the same in all runs"
        if shared
        else " (no case is common to all runs, so that --common does not help)"
    )
    return f"run all of them over the same cases, {_TOGETHER}{help_of_common}"


def _not_seen(found: Whole) -> list[str]:
    told = []
    if found.unseen:
        told.append(
            f"the input or the target of {many(len(found.unseen), 'case')} is longer than the "
            "logs' summaries hold, and could not be read whole in every run: only the beginnings "
            f"were seen to be the same ({some(found.unseen, 3)})"
        )
    if found.unread:
        told.append(
            f"{many(len(found.unread), 'case')} are too many to read one sample of each: where an "
            "input or a target is longer than the logs' summaries hold, only the beginnings were "
            "seen to be the same"
        )
    return told


def _cases(task: TaskRows) -> list[str]:
    """How the cases differ: what ``common`` can mend, if there are any in common."""
    rows = task.rows
    asked = {run: set(part["case"]) for run, part in task.runs.items()}
    shared = set.intersection(*asked.values())
    remedy = _remedy(task)
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
        # Other case files do have other questions: that need not be told twice.
        other = [case for case, one in contents(rows).items() if len(one) > 1]
        found.append(_other_questions(other, remedy))
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


def _other_questions(other: Sequence[str], remedy: str) -> str:
    if not other:
        return ""
    lines = [f"    {some(other)}"]
    return _told(
        f"the input or the target of {many(len(other), 'case')} is another in another run",
        lines,
        remedy,
    )


def _unlike(what: str, runs: Mapping[str, Sequence[str]], remedy: str) -> str:
    mixed = [value for value in runs if _MIXED in value]
    if len(runs) < 2 and not mixed:
        return ""
    if mixed:
        # Two mixtures of one name need not be the same mixture, so that none equals another.
        what += ", and one run was scored in more than one way"
    lines = [
        f"    {one_line(value) or 'none'}: {some(labels)}"
        for value, labels in list(runs.items())[:_MOST_VALUES]
    ]
    if len(runs) > _MOST_VALUES:
        lines.append(f"    and {len(runs) - _MOST_VALUES} more")
    return _told(what, lines, remedy)


def _told(what: str, lines: Sequence[str], remedy: str) -> str:
    return "\n".join([f"- {what}:", *lines, f"  To do: {remedy}."])
