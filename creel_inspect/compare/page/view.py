"""What the template needs beside the results themselves: names, anchors, tables turned round."""

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from creel_inspect.compare.page import plots, text
from creel_inspect.compare.results import (
    Answer,
    CaseRow,
    Comparison,
    Disagreement,
    Pair,
    Report,
    Run,
    Slice,
    Transition,
)
from creel_inspect.compare.wording import RANGE_SEEN

MOST_PAIRS_IN_WORDS = 8

# In a method's words: slices differ in size, and one method would be named once for each.
_SIZE = re.compile(r"\b[\d.,]+(?= (?:effective )?(?:cases|clusters)\b)")


@dataclass(frozen=True)
class PairView:
    """A pair with its strip in the plot and its transitions."""

    pair: Pair
    anchor: str
    strip: plots.Strip
    transitions: "Transitions | None"

    @property
    def decided(self) -> bool:
        """Whether one of the two is better."""
        return self.pair.verdict in ("a_better", "b_better")


@dataclass(frozen=True)
class Transitions:
    """A pair's transitions as a square, and those that are changes one by one."""

    before: list[str]
    after: list[str]
    counts: Mapping[tuple[str, str], int]
    changes: list[Transition]
    changed: int
    same: int


@dataclass(frozen=True)
class RowView:
    """A case in the matrix."""

    row: CaseRow
    anchor: str | None
    tags: str
    spread: float | None


class ComparisonView:
    """One comparison, prepared.

    Attributes:
        found: The results.
        anchor: A prefix of all of its ids on the page.
        letters: A letter for each run, by id.
        labels: The labels by id.
        anchors: The ids of the disagreements, by case.
        tags: Every tag of its cases, sorted.
        unit: How its scores are written.
    """

    def __init__(self, found: Comparison, position: int) -> None:
        """Names what the page has to refer to."""
        self.found = found
        self.anchor = f"t{position}"
        self.letters = {run.id: text.letter(n) for n, run in enumerate(found.runs)}
        self.unit = text.Unit(found.points)
        self.labels = {run.id: run.label for run in found.runs}
        # The position makes an anchor unique, and the slug makes it readable; nothing else of an id
        # could be trusted in an address.
        self.anchors = {
            entry.case: f"case-{position}-{n}{_slug(entry.case)}"
            for n, entry in enumerate(found.disagreements, start=1)
        }
        self.tags = sorted({tag for row in found.rows for tag in row.tags})

    @cached_property
    def run_scale(self) -> plots.Scale:
        """The scale of the runs' plot."""
        return plots.run_scale(self.found.runs, points=self.found.points)

    @cached_property
    def difference_scale(self) -> plots.Scale:
        """The scale of the pairs' plot."""
        rows = ((pair.difference, pair.bounds) for pair in self.found.pairs)
        return plots.difference_scale(rows, points=self.found.points)

    def run_strip(self, run: Run) -> plots.Strip:
        """The run's row in the plot."""
        return plots.strip(self.run_scale, run.score, run.bounds, self.unit)

    @cached_property
    def scatter(self) -> plots.Scatter | None:
        """Score against use."""
        return plots.scatter(self.found.runs, points=self.found.points)

    @cached_property
    def pairs(self) -> list[PairView]:
        """Every pair."""
        by_pair: dict[tuple[str, str], list[Transition]] = {}
        for transition in self.found.transitions:
            by_pair.setdefault((transition.a, transition.b), []).append(transition)
        return [
            PairView(
                pair,
                f"{self.anchor}-pair-{n}",
                plots.strip(
                    self.difference_scale, pair.difference, pair.bounds, self.unit, sign=True
                ),
                _transitions(by_pair.get((pair.a, pair.b), [])),
            )
            for n, pair in enumerate(self.found.pairs, start=1)
        ]

    @cached_property
    def in_words(self) -> tuple[list[Pair], list[Pair]]:
        """The pairs whose words open the page, and those that are folded away."""
        pairs = self.found.pairs
        if len(pairs) <= MOST_PAIRS_IN_WORDS:
            return pairs, []
        decided = [pair.pair for pair in self.pairs if pair.decided][:MOST_PAIRS_IN_WORDS]
        return decided, [pair for pair in pairs if pair not in decided]

    @cached_property
    def tally(self) -> Counter[str]:
        """How many pairs have which verdict, in words."""
        words = {"not_distinguishable": "not distinguishable", "not_measured": "not measured"}
        return Counter(words.get(pair.verdict, "different") for pair in self.found.pairs)

    @cached_property
    def incomplete(self) -> list[Run]:
        """Runs of which something is missing or not judged."""
        return [
            run
            for run in self.found.runs
            if run.counts.scored < run.counts.requested or plots.wide(run.score, run.bounds)
        ]

    @cached_property
    def apart(self) -> bool:
        """Whether the bounds of some run or pair say more than its figure does."""
        return bool(self.incomplete) or any(
            plots.wide(pair.difference, pair.bounds) for pair in self.found.pairs
        )

    @property
    def range_known(self) -> str:
        """What to say after bounds whose range is no more than seen."""
        return RANGE_SEEN if self.found.kind == "other" else ""

    @cached_property
    def results(self) -> list[str]:
        """Every way a sample ended, the usual ones first."""
        seen = dict.fromkeys(result for run in self.found.runs for result in run.results)
        return _ordered(list(seen))

    @cached_property
    def rows(self) -> list[RowView]:
        """The matrix."""
        position = {tag: str(n) for n, tag in enumerate(self.tags)}
        return [
            RowView(
                row,
                self.anchors.get(row.case),
                " ".join(position[tag] for tag in dict.fromkeys(row.tags)),
                _spread(row),
            )
            for row in self.found.rows
        ]

    def answers(self, entry: Disagreement) -> list[Answer]:
        """The answers to one case, in the order of the runs."""
        place = {id: n for n, id in enumerate(self.letters)}
        return sorted(entry.answers, key=lambda one: place.get(one.run, len(place)))

    @cached_property
    def slices(self) -> dict[str, list[Slice]]:
        """The slices by kind."""
        kinds: dict[str, list[Slice]] = {}
        for one in self.found.slices:
            kinds.setdefault(one.kind, []).append(one)
        return kinds

    @cached_property
    def methods(self) -> dict[str, list[str]]:
        """How the figures were made: for each use, the distinct methods."""
        found = self.found
        sliced = (e for one in found.slices for e in one.scores.values())
        uses: dict[str, Iterator[str]] = {
            "Interval of a score": (run.score.method for run in found.runs if run.score),
            "Interval of a difference": (p.difference.method for p in found.pairs if p.difference),
            "Test of no difference": (pair.test.name for pair in found.pairs if pair.test),
            "Interval of a slice's score": (_SIZE.sub("n", e.method) for e in sliced if e),
        }
        listed = {use: list(dict.fromkeys(methods)) for use, methods in uses.items()}
        return {use: methods for use, methods in listed.items() if methods}

    @cached_property
    def confidence(self) -> str:
        """The nominal coverage of all intervals, as \"95 %\", or \"\" where they differ."""
        figures = [run.score for run in self.found.runs] + [p.difference for p in self.found.pairs]
        levels = {f"{100 * figure.confidence:g} %" for figure in figures if figure}
        return levels.pop() if len(levels) == 1 else ""

    @property
    def priced(self) -> bool:
        """Whether some run's price is known."""
        return any(run.use.cost is not None for run in self.found.runs)

    @property
    def flips(self) -> bool:
        """Whether some run has epochs that could flip."""
        return any(run.flip_rate is not None for run in self.found.runs)

    @cached_property
    def ks(self) -> list[int]:
        """Every k for which some run has a pass^k; k = 1 is the score."""
        return sorted({k for run in self.found.runs for k in run.pass_hat if k > 1})


def logs_of(report: Report) -> Iterator[str]:
    """Every log that the page leads to."""
    for found in report.comparisons:
        for run in found.runs:
            yield from run.logs
        for entry in found.disagreements:
            yield from (answer.log for answer in entry.answers)


def _slug(case: str) -> str:
    slug = re.sub(r"[^a-z0-9]+", "-", case.lower()).strip("-")[:40].strip("-")
    return f"-{slug}" if slug else ""


def _spread(row: CaseRow) -> float | None:
    scores = [cell.score for cell in row.cells.values() if cell.score is not None]
    # The distance of two absurd scores may be more than a float holds.
    return min(max(scores) - min(scores), sys.float_info.max) if len(scores) > 1 else None


def _transitions(found: Sequence[Transition]) -> Transitions | None:
    if not found:
        return None
    changes = sorted((one for one in found if one.before != one.after), key=lambda one: -one.count)
    return Transitions(
        _ordered(list(dict.fromkeys(one.before for one in found))),
        _ordered(list(dict.fromkeys(one.after for one in found))),
        {(one.before, one.after): one.count for one in found},
        changes,
        sum(one.count for one in changes),
        sum(one.count for one in found if one.before == one.after),
    )


def _ordered(results: list[str]) -> list[str]:
    first = ["right", "partly right", "mixed", "wrong"]
    last = ["unscored", "errored", "not run"]

    def place(result: str) -> tuple[int, int, str]:
        if result in first:
            return 0, first.index(result), ""
        return (2, last.index(result), "") if result in last else (1, 0, result)

    return sorted(results, key=place)
