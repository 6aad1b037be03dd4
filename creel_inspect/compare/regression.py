"""Is the new state worse than the base? A stated rule for CI, and a summary for a pull request.

A pair is **worse** where the whole 95 % interval of new minus base lies below minus the margin. It
is **not measured** where there are too few cases for an interval, or where less than four fifths of
the cases were scored in both runs, or of the samples (epochs counted) in either: a model that fails
on the hard cases must not pass for want of them. Otherwise it is **not shown to be worse**, which
is not to say that it is no worse: the summary says which loss is still compatible, and how much
less new could have scored, had what is missing gone against it.

Each pair is judged by its own interval. Of many pairs without a difference, about one in forty is
found worse by chance; of graded scores more, where most cases gain a little and a few lose a lot.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

from creel_inspect.compare.refusing import CompareError
from creel_inspect.compare.results import Cell, Comparison, Counts, Estimate, Pair, Report, Run
from creel_inspect.compare.wording import (
    RANGE_SEEN,
    amount,
    many,
    one_line,
    percent,
    probability,
    with_unit,
)
from creel_inspect.markdown import prose, table

LEAST_SCORED = 0.8
"""The smallest share of the cases that both must have scored, and each of its samples."""
_MOST_CASES = 10
_MOST_OF_A_REASON = 50  # of five, so that a cell has room for all
_ROUNDING = 1e-9
_LIVELY = re.compile(
    # A name, a link, an issue by number (#12, GH-12), an emoji (:bug:), a commit.
    r"@|(?<=:)(?=//)|(?i:www)(?=\.)|#(?=\d)|(?i:\bGH)(?=-\d)|:(?=[\w+-]+:)"
    r"|\b[0-9a-f](?=[0-9a-f]{39}\b)"
)
_MOST_TRANSITIONS = 10
_MOST_WARNINGS = 20

Status = Literal["worse", "not_shown_worse", "not_measured"]
_EXIT: dict[Status, int] = {"worse": 1, "not_measured": 2, "not_shown_worse": 0}
_WORDS: dict[Status, str] = {
    "worse": "Worse",
    "not_measured": "Not measured",
    "not_shown_worse": "Not shown to be worse",
}


class _Found(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Judged(_Found):
    """One pair, judged.

    Attributes:
        task: Its task.
        base: The id of the base's run.
        new: That of the new one; empty where none goes with the base.
        status: See the module.
        words: The same for a person, with the figures.
    """

    task: str
    base: str
    new: str
    status: Status
    words: str


class Regression(_Found):
    """All pairs, judged.

    Attributes:
        status: ``worse`` if one of them is; else ``not_measured`` if one of them is, there is
            none, or the runs of a task could not be compared; else ``not_shown_worse``.
        margin: How much worse new may be, in the unit of the score.
        pairs: Each pair, and each run of the base that has none to go with.
    """

    status: Status
    margin: float
    pairs: list[Judged]

    @property
    def exit_status(self) -> int:
        """0: not shown to be worse. 1: worse. 2: not measured."""
        return _EXIT[self.status]


def regression(report: Report, margin: float = 0.0) -> Regression:
    """Judges every pair of a report on a base and a new state.

    Args:
        report: On two paths, base and new.
        margin: How much worse new may be, in the unit of the score: 0.02 is two points.

    Raises:
        CompareError: If the margin is negative, no number, or so large that scores in [0, 1] could
            never fall by it; or if the report is not on base and new.
    """
    if any(not run.side for one in report.comparisons for run in one.runs):
        raise CompareError(
            "a regression is judged between a base and a new state; name two paths, base first"
        )
    if not math.isfinite(margin) or margin < 0:
        raise CompareError(f"margin: expected a number, 0 or more, came {margin}")
    if margin >= 1 and any(one.points for one in report.comparisons):
        raise CompareError(
            f"margin: expected less than 1, for scores from 0 to 1, came {margin:g}; two points "
            "are 0.02"
        )
    judged = [one for comparison in report.comparisons for one in _judged(comparison, margin)]
    statuses = {one.status for one in judged}
    status: Status = "not_shown_worse"
    if "not_measured" in statuses or report.refused or not judged:
        status = "not_measured"
    if "worse" in statuses:
        status = "worse"
    return Regression(status=status, margin=margin, pairs=judged)


def _judged(comparison: Comparison, margin: float) -> Iterator[Judged]:
    for pair in comparison.pairs:
        status, words = _status(comparison, pair, margin)
        yield Judged(task=comparison.task, base=pair.a, new=pair.b, status=status, words=words)
    paired = {run for pair in comparison.pairs for run in (pair.a, pair.b)}
    for run in comparison.runs:
        # A run that is only new takes nothing away; the warnings name it.
        if run.side == "base" and run.id not in paired:
            yield Judged(
                task=comparison.task,
                base=run.id,
                new="",
                status="not_measured",
                words="there is no new run to compare with it",
            )


def _status(comparison: Comparison, pair: Pair, margin: float) -> tuple[Status, str]:
    points = comparison.points
    difference = pair.difference
    if difference is None:
        return "not_measured", "no case was scored in both"
    if difference.low is None or difference.high is None:
        return "not_measured", f"{many(difference.cases, 'case')} gives no interval"
    allowed = f" (margin {with_unit(margin, points=points)})" if margin else ""
    told = f"new minus base is {_estimate(difference, points=points)}"
    if difference.cases < len(comparison.rows):
        told += f" on the {difference.cases} of {len(comparison.rows)} cases scored in both"
    if difference.high < -margin - _ROUNDING:
        return "worse", f"{told}: all of it below {amount(-margin, points=points)}{allowed}"
    short = _short(comparison, pair)
    if short:
        return "not_measured", f"{short}; at least {percent(LEAST_SCORED)} have to be"
    least = (
        f"a loss of {with_unit(-difference.low, points=points)} is still compatible"
        if difference.low < 0
        else "no loss is compatible"
    )
    return "not_shown_worse", f"{told}{allowed}; {least}{_had_it_gone_against(comparison, pair)}"


def _short(comparison: Comparison, pair: Pair) -> str:
    """Of what too little was measured; empty where enough was."""
    cells = [(row.cells[pair.a], row.cells[pair.b]) for row in comparison.rows]
    asked = [both for both in cells if any(cell.epochs for cell in both)]
    scored = sum(all(cell.score is not None for cell in both) for both in asked)
    if scored < LEAST_SCORED * len(asked) - _ROUNDING:
        return f"{scored:,} of {many(len(asked), 'case')} were scored in both"
    runs = {run.id: run.counts for run in comparison.runs}
    for name, counts in (("base", runs[pair.a]), ("new", runs[pair.b])):
        if counts.scored < LEAST_SCORED * counts.requested - _ROUNDING:
            asked_for = many(counts.requested, "sample")
            return f"{counts.scored:,} of {asked_for} of {name} were scored, epochs counted"
    return ""


def _had_it_gone_against(comparison: Comparison, pair: Pair) -> str:
    """The least that the difference could have been, where something is missing."""
    if pair.bounds is None:
        return "; what is missing or not judged may be anything, as the score has no known range"
    if pair.bounds.high - pair.bounds.low < _ROUNDING:
        return ""
    least = with_unit(pair.bounds.low, points=comparison.points)
    seen = RANGE_SEEN if comparison.kind == "other" else ""
    return f"; had all that is missing or not judged gone against new, it would be {least}{seen}"


def _estimate(one: Estimate, *, points: bool) -> str:
    if one.low is None or one.high is None:
        return with_unit(one.value, points=points)
    low, high = amount(one.low, points=points), amount(one.high, points=points)
    return f"{with_unit(one.value, points=points)} (95 % interval {low} to {high})"


def markdown(report: Report, regression: Regression) -> str:
    """A short summary for a pull request. Whatever comes from a log is escaped."""
    parts = [f"## {_WORDS[regression.status]}"]
    if not regression.pairs:
        parts.append("No run of the base goes with a new one.")
    for comparison in report.comparisons:
        judged = [
            one
            for one in regression.pairs
            if one.task == comparison.task and one.base in {run.id for run in comparison.runs}
        ]
        parts.append(f"### {prose(_said(comparison.task))}, {prose(_said(comparison.score))}")
        runs = {run.id: run for run in comparison.runs}
        parts += _task(comparison, judged, runs)
    if report.refused:
        parts.append(_list("Not compared:", report.refused))
    if report.warnings:
        parts.append(_list("About the logs:", report.warnings))
    parts.append(_rule(regression))
    return "\n\n".join(parts) + "\n"


def _task(comparison: Comparison, judged: Sequence[Judged], runs: dict[str, Run]) -> Iterator[str]:
    points = comparison.points
    for one in judged:
        names = [_name(runs[run]) for run in (one.base, one.new) if run]
        named = " → ".join(dict.fromkeys(names))
        yield f"**{_WORDS[one.status]}**: {prose(named)}: {prose(_said(one.words))}."
    pairs = {(pair.a, pair.b): pair for pair in comparison.pairs}
    if pairs:
        yield table(
            ["run", "base", "new", "new − base", "p (Holm)"],
            [_pair_cells(runs, pair, points=points) for pair in pairs.values()],
        )
    yield table(
        ["side", "run", "scored", "unscored", "errored", "not run", "asked"],
        [[run.side, _name(run), *_count_cells(run.counts)] for run in comparison.runs],
    )
    for pair in pairs.values():
        yield from _worse(comparison, pair, runs)
    if comparison.left_out:
        yield _list(
            "Left out:",
            [
                f"{many(one.count, one.what.removesuffix('s'))}: {one.why}"
                for one in comparison.left_out
            ],
        )
    if comparison.warnings:
        yield _list("Warnings:", comparison.warnings)


def _name(run: Run) -> str:
    return _said(run.label)


def _said(text: str) -> str:
    """A stranger's text on one line, in which no site finds a name to notify, a link or an emoji.

    A word joiner, which is not seen, stands after what one begins with. The rest of what could be
    markup is escaped by ``prose`` and ``table``.
    """
    return _LIVELY.sub(lambda match: f"{match[0]}\u2060", one_line(text))


def _pair_cells(runs: dict[str, Run], pair: Pair, *, points: bool) -> list[str]:
    def mean(run: Run) -> str:
        return "not measured" if run.score is None else amount(run.score.value, points=points)

    a, b = runs[pair.a], runs[pair.b]
    return [
        _name(b),
        mean(a),
        mean(b),
        _estimate(pair.difference, points=points) if pair.difference else "not measured",
        probability(pair.test.p_holm).removeprefix("p ").removeprefix("= ") if pair.test else "",
    ]


def _count_cells(counts: Counts) -> list[str]:
    return [
        f"{counts.scored:,}",
        f"{counts.unscored:,}{_inside(counts.reasons)}",
        f"{counts.errored:,}{_inside(counts.errors)}",
        f"{counts.not_run:,}",
        f"{counts.requested:,}",
    ]


def _inside(counted: Mapping[str, int]) -> str:
    told = "; ".join(
        f"{number:,} {_said(one[:_MOST_OF_A_REASON])}" for one, number in counted.items()
    )
    return f" ({told})" if told else ""


def _worse(comparison: Comparison, pair: Pair, runs: dict[str, Run]) -> Iterator[str]:
    """The cases that lost, and how."""
    lost = []
    for row in comparison.rows:
        before, after = row.cells[pair.a], row.cells[pair.b]
        if before.score is None:
            continue
        loss = before.score - after.score if after.score is not None else None
        if loss is None or loss > 1e-9:
            rank = math.inf if loss is None else loss
            lost.append((-rank, row.case, before, after, row.why))
    if not lost:
        return
    # Losses that were measured first: what is missing may be no loss.
    lost.sort(key=lambda one: (one[0] == -math.inf, one[0], one[1]))
    cases = {one[1] for one in lost}
    moved = [
        (_said(one.before), _said(one.after), len(cases & set(one.cases)))
        for one in comparison.transitions
        if (one.a, one.b) == (pair.a, pair.b) and cases & set(one.cases)
    ]
    yield (
        f"**{prose(_name(runs[pair.b]))}**: got worse, or lost the score: {many(len(lost), 'case')}"
    )
    if moved:
        yield table(["base", "new", "cases"], moved[:_MOST_TRANSITIONS])
    yield table(
        ["case", "base", "new", "what it is there to catch"],
        [
            [_said(case), _cell(before), _cell(after), _said(why)]
            for _, case, before, after, why in lost[:_MOST_CASES]
        ],
    )
    if len(lost) > _MOST_CASES:
        yield f"and {len(lost) - _MOST_CASES:,} more"


def _cell(cell: Cell) -> str:
    if cell.score is None or cell.score in (0, 1):
        return _said(cell.result)
    return f"{_said(cell.result)} ({cell.score:.4g})"


def _list(title: str, items: Iterable[str]) -> str:
    told = list(items)
    lines = [f"- {prose(_said(one))}" for one in told[:_MOST_WARNINGS]]
    if len(told) > _MOST_WARNINGS:
        lines.append(f"- and {len(told) - _MOST_WARNINGS:,} more")
    return "\n".join([title, "", *lines])


def _rule(regression: Regression) -> str:
    margin = f"{regression.margin:g}"
    return (
        "The rule: worse, if the whole 95 % interval of new minus base lies below "
        f"{'0' if not regression.margin else '−' + margin}; not measured, if there are too few "
        f"cases for an interval, or less than {percent(LEAST_SCORED)} of the cases were scored in "
        "both, or of the samples in either."
    )
