"""What is known of samples from others of their run or task: bounds, words and clusters."""

import math
from collections.abc import Iterable, Sequence

from creel_inspect.compare.frames.runs import Kind
from creel_inspect.compare.frames.samples import Row, result


def bound(rows: Iterable[Row], kind: Kind, *, within: bool | None = None) -> None:
    """Gives samples without a score its range, where that is known to be 0 to 1; where it is not,
    1 is not right and 0 is not wrong: of such scores it is said only that there is one.

    Args:
        rows: All samples of a task that have one kind of score.
        kind: Whose task it is.
        within: Whether it is known to be so; by default if all scores seen are.
    """
    rows = list(rows)
    scored = [row for row in rows if not math.isnan(row.score)]
    if within is None:
        within = bool(scored) and all(0 <= row.score <= 1 for row in scored)
    if within:
        for row in rows:
            if math.isnan(row.score):
                row.score_low, row.score_high = 0.0, 1.0
        return
    for row in scored:
        # A search is right or wrong, however many points it is given for that.
        correct = row.entries.get("correct") if kind == "search" else None
        row.result = result(math.nan if correct is None else correct, row.outcome)


def cluster(rows: Sequence[Row]) -> None:
    """Cases that are twins, or twins of one's twin, are one cluster, named by its first case."""
    first = {row.case: row.case for row in rows}

    def of(case: str) -> str:
        while first[case] != case:
            case = first[case]
        return case

    for row in rows:
        if row.pair in first:
            low, high = sorted((of(row.case), of(row.pair)))
            first[high] = low
    for row in rows:
        row.cluster = of(row.case)
