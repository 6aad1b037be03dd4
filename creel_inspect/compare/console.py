"""A report in brief, for a terminal of any width or for a file."""

import textwrap
from collections.abc import Iterable, Mapping, Sequence

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from creel_inspect.compare.results import (
    Bounds,
    Comparison,
    Estimate,
    Report,
    Slice,
)
from creel_inspect.compare.wording import RANGE_SEEN, amount, many, one_line, some

_MOST_PAIRS = 15
_MOST_TRANSITIONS = 10
_MOST_MISREADINGS = 10
_MOST_SLICES = 8
_LEAST_IN_A_SLICE = 3
_SLICES = {
    "tag": "tag {}",
    "operator": "queries that use {}",
    "corpus": "corpus {}",
    "answerable": "{} questions",
}
_MOST_OF_A_REASON = 200
_WIDEST = 10_000


def print_report(report: Report, console: Console) -> None:
    """Prints what a report says, in brief. Nothing of a log reaches the terminal as it stands."""
    for comparison in report.comparisons:
        _print_comparison(comparison, console)
    if report.refused:
        _heading(console, "Not compared")
        for refusal in report.refused:
            for line in refusal.splitlines():
                text = line.lstrip()
                _say(console, text, lead="  " + line[: len(line) - len(text)])
    if report.warnings:
        _heading(console, "About the logs")
        _items(console, report.warnings)


def _print_comparison(comparison: Comparison, console: Console) -> None:
    title = f"{comparison.task}, {comparison.score}: {many(comparison.cases, 'case')}"
    if comparison.clusters < comparison.cases:
        title += f" in {many(comparison.clusters, 'cluster')}"
    _say(console, "")
    _say(console, title, style="bold")
    points = comparison.points
    numbers = {run.id: str(number) for number, run in enumerate(comparison.runs, 1)}
    for run in comparison.runs:
        _say(console, run.label, lead=f"{numbers[run.id]:>3}  ")
    _tables(comparison, numbers, console, points=points)
    _pairs(comparison, console)
    _transitions(comparison, numbers, console)
    _misreadings(comparison, numbers, console)
    _slices(comparison, numbers, console, points=points)
    if comparison.left_out:
        _heading(console, "Left out")
        _items(
            console,
            [
                f"{many(one.count, one.what.removesuffix('s'))}: {one.why} ({some(one.examples)})"
                for one in comparison.left_out
            ],
        )
    if comparison.warnings:
        _heading(console, "Warnings")
        _items(console, comparison.warnings)


def _tables(
    comparison: Comparison, numbers: dict[str, str], console: Console, *, points: bool
) -> None:
    runs = comparison.runs
    columns = ["run", "score", "95 % interval"]
    missing = any(_open(run.bounds) for run in runs)
    if missing:
        columns.append("if all were measured")
    several = sorted({k for run in runs for k in run.pass_hat if k > 1})
    ks = sorted({several[0], several[-1]}) if several else []
    columns += [f"pass^{k}" for k in ks]
    columns += ["seconds", "cost"] if any(run.use.cost is not None for run in runs) else ["seconds"]
    front = next((run.use.front_axis for run in runs if run.use.front_axis), None)
    if front and len(runs) > 1:
        columns.append("front")
    rows = []
    for run in runs:
        cells = [numbers[run.id], *_score(run.score, points=points)]
        if missing:
            cells.append(_range(run.bounds, points=points))
        cells += [amount(run.pass_hat[k], points=points) if k in run.pass_hat else "" for k in ks]
        cells.append("" if run.use.seconds is None else f"{run.use.seconds:.3g}")
        if "cost" in columns:
            cells.append("" if run.use.cost is None else f"{run.use.cost:.3g}")
        if "front" in columns:
            cells.append("yes" if run.use.on_front else "no")
        rows.append(cells)
    _table(console, columns, rows)
    notes = ["scores and differences in points of 100"] if points else []
    notes.append("higher counts as better")
    notes.append("seconds: median of a sample")
    if "cost" in columns:
        notes.append("cost: mean US dollars a sample")
    if "front" in columns:
        notes.append(f"front: no other run scores as much for less ({front})")
    if missing:
        seen = RANGE_SEEN if comparison.kind == "other" else ""
        notes.append(
            f"if all were measured: the least and the most, had what is missing or not judged all "
            f"gone one way{seen}"
        )
    _say(console, "; ".join(notes), style="dim", lead="  ")
    _table(
        console,
        ["run", "asked", "scored", "unscored", "errored", "not run"],
        [
            [
                numbers[run.id],
                *(
                    f"{number:,}"
                    for number in (
                        run.counts.requested,
                        run.counts.scored,
                        run.counts.unscored,
                        run.counts.errored,
                        run.counts.not_run,
                    )
                ),
            ]
            for run in runs
        ],
    )
    for run in runs:
        _why(console, f"run {numbers[run.id]}, unscored", run.counts.reasons)
        _why(console, f"run {numbers[run.id]}, errored", run.counts.errors)


def _why(console: Console, what: str, counted: Mapping[str, int]) -> None:
    if counted:
        told = "; ".join(
            f"{number:,} {one_line(reason)[:_MOST_OF_A_REASON]}"
            for reason, number in counted.items()
        )
        _say(console, f"{what}: {told}", lead="  ")


def _open(bounds: Bounds | None) -> bool:
    return bounds is None or bounds.high - bounds.low > 1e-9


def _score(score: Estimate | None, *, points: bool) -> list[str]:
    if score is None:
        return ["not measured", ""]
    if score.low is None or score.high is None:
        return [amount(score.value, points=points), "none"]
    low, high = amount(score.low, points=points), amount(score.high, points=points)
    return [amount(score.value, points=points), f"{low} to {high}"]


def _range(bounds: Bounds | None, *, points: bool) -> str:
    if bounds is None:
        return "unknown"
    return f"{amount(bounds.low, points=points)} to {amount(bounds.high, points=points)}"


def _pairs(comparison: Comparison, console: Console) -> None:
    if not comparison.pairs:
        return
    _heading(console, "Differences")
    # Of many pairs, those that can be told apart first.
    told = sorted(comparison.pairs, key=lambda pair: pair.verdict not in ("a_better", "b_better"))
    kept = told if len(told) <= _MOST_PAIRS else told[:_MOST_PAIRS]
    _items(console, [pair.words for pair in kept])
    if len(told) > len(kept):
        rest = told[len(kept) :]
        apart = sum(pair.verdict in ("a_better", "b_better") for pair in rest)
        _say(
            console,
            f"and {many(len(rest), 'more pair')}, {apart:,} of them told apart; --html or --json "
            "has them all",
            lead="  ",
        )


def _transitions(comparison: Comparison, numbers: dict[str, str], console: Console) -> None:
    changes = [one for one in comparison.transitions if one.before != one.after]
    if not changes:
        return
    _heading(console, "How cases went from one run to another")
    top = sorted(changes, key=lambda one: -one.count)
    _items(
        console,
        [
            f"{numbers[one.a]} -> {numbers[one.b]}: {many(one.count, 'case')} {one.before} -> "
            f"{one.after}: {some(one.cases, 3)}"
            for one in top[:_MOST_TRANSITIONS]
        ],
        left=len(top) - _MOST_TRANSITIONS,
    )


def _misreadings(comparison: Comparison, numbers: dict[str, str], console: Console) -> None:
    if not comparison.misreadings:
        return
    _heading(console, "Misreadings")
    _items(
        console,
        [
            f"{one.case}: {one.misreading} ("
            + ", ".join(f"run {numbers[run]}: {number}" for run, number in one.runs.items())
            + ")"
            for one in comparison.misreadings[:_MOST_MISREADINGS]
        ],
        left=len(comparison.misreadings) - _MOST_MISREADINGS,
    )


def _slices(
    comparison: Comparison, numbers: dict[str, str], console: Console, *, points: bool
) -> None:
    """The slices that runs differ in most, those of a few cases left out."""
    if len(comparison.runs) < 2:
        return
    spread = [(_spread(one), one) for one in comparison.slices if one.cases >= _LEAST_IN_A_SLICE]
    top = sorted(
        (pair for pair in spread if pair[0] > 0),
        key=lambda pair: (-pair[0], pair[1].kind, pair[1].name),
    )
    if not top:
        return
    _heading(console, "Where runs differ most (unadjusted: of many slices some differ by chance)")
    _items(
        console,
        [
            f"{_SLICES[one.kind].format(one.name)}, {many(one.cases, 'case')}: "
            + ", ".join(
                f"run {numbers[run]}: {amount(score.value, points=points)}"
                for run, score in one.scores.items()
                if score is not None
            )
            for _, one in top[:_MOST_SLICES]
        ],
        left=len(top) - _MOST_SLICES,
    )


def _spread(one: Slice) -> float:
    values = [score.value for score in one.scores.values() if score is not None]
    return round(max(values) - min(values), 9) if values else 0.0


def _heading(console: Console, title: str) -> None:
    _say(console, "")
    _say(console, title, style="bold")


def _items(console: Console, items: Iterable[str], *, left: int = 0) -> None:
    for item in items:
        _say(console, item, lead="  - ")
    if left > 0:
        _say(console, f"and {left:,} more", lead="  ")


def _say(
    console: Console, text: str, *, lead: str = "", style: str = "", least_width: int = 20
) -> None:
    """Prints a text, wrapped between words under its lead. A long word, maybe an id, stays whole.

    ``Text`` is never read for markup, and ``one_line`` writes out what a terminal would act on.
    """
    lines = textwrap.wrap(
        _encodable(console, one_line(text)),
        max(console.width - len(lead), least_width),
        break_long_words=False,
        break_on_hyphens=False,
    )
    for number, line in enumerate(lines or [""]):
        start = lead if number == 0 else " " * len(lead)
        console.print(
            Text(start) + Text(line, style), soft_wrap=True, overflow="ignore", crop=False
        )


def _encodable(console: Console, text: str) -> str:
    """The text as the console's file can take it: not every pipe is UTF-8."""
    return text.encode(console.encoding, "backslashreplace").decode(console.encoding)


def _table(console: Console, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table of short cells; its runs are numbered, since a label is not short.

    Figures are never broken or cut: where they do not fit, columns are told one below the other.
    """
    console.print()
    for heads in (columns, [column.replace(" ", "\n") for column in columns]):
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
        for head in heads:
            table.add_column(Text(head), justify="right", vertical="bottom", no_wrap=True)
        for row in rows:
            table.add_row(*(Text(cell) for cell in row))
        padded = Padding(table, (0, 0, 0, 2), expand=False)
        wide = console.options.update(width=_WIDEST, max_width=_WIDEST)
        if Measurement.get(console, wide, padded).maximum <= console.width:
            console.print(padded, soft_wrap=False)
            return
    for row in rows:
        for number, (column, cell) in enumerate(zip(columns, row, strict=True)):
            if number == 0:
                _say(console, f"{column} {cell}", lead="  ")
            elif cell:
                _say(console, f"{column}: {cell}", lead="    ")
