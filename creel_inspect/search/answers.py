"""Are two answers the same answer?

Where a question asks *which*, the answer is a set of IDs. Where it asks *how many* or *how much*,
it is a table, in which columns are known by what they hold and rows by what they are grouped by.
Where the reference sorts, the order of its keys is part of the answer and the order of ties is
not; where it bounds, any rows that the bound admits are right.

Two conventions, both for groups: a group whose key is absent (NULL) is a row like any other, and
a group whose every measure is absent states nothing, so it is left out on both sides.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from creel_inspect.search.engine import Answer, Column

RELATIVE_TOLERANCE = 1e-6
"""How far two reals may be apart and still be one: the corpus stores single precision (6e-8)."""
ABSOLUTE_TOLERANCE = 1e-9
_MOST_PERMUTED = 5

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Expected:
    """The right answer, with what makes more than one spelling of it right.

    Attributes:
        whole: The reference's answer without its limit.
        keys: One tuple of sorting keys per row of ``whole``, in the same order; None where the
            reference does not sort.
        limit: How many of those rows the reference asks for; None for all.
    """

    whole: Answer
    keys: tuple[Row, ...] | None = None
    limit: int | None = None

    @property
    def count(self) -> int:
        """How many rows a right answer has."""
        rows = len(_stating(self.whole))
        return rows if self.limit is None else min(rows, self.limit)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to get right: no rows, or every measure absent or a zero count.

        A query that asks for something quite different returns the same nothing.
        """
        measures = [i for i, column in enumerate(self.whole.columns) if column.role == "measure"]
        if not measures:
            return not self.whole.rows
        return all(
            row[i] is None or (isinstance(row[i], int) and row[i] == 0)
            for row in self.whole.rows
            for i in measures
        )


@dataclass(frozen=True)
class Comparison:
    """How a returned answer compares with the right one.

    Attributes:
        same: Whether it is the same answer.
        summary: What differs, in a line for a person; what agrees, where nothing does.
        precision: Share of what was returned that is right; NaN where nothing was returned.
        recall: Share of the right answer that was returned; NaN where it is empty.
        missed: Rows or IDs of the right answer that were not returned.
        added: Rows or IDs returned that the right answer does not have.
    """

    same: bool
    summary: str
    precision: float = math.nan
    recall: float = math.nan
    missed: tuple[Any, ...] = ()
    added: tuple[Any, ...] = ()


def compare(returned: Answer, expected: Expected) -> Comparison:
    """Whether ``returned`` is the expected answer, and if not, what it missed and what it added."""
    if expected.whole.is_ids:
        if not returned.is_ids:
            return Comparison(False, "measured something where the question asks which ones")
        return _compare_ids(returned, expected)
    if returned.is_ids:
        return Comparison(False, "returned IDs where the question asks for a measure")
    return _compare_tables(returned, expected)


def _compare_ids(returned: Answer, expected: Expected) -> Comparison:
    found = [row[0] for row in returned.rows]
    whole = [row[0] for row in expected.whole.rows]
    right = set(whole)
    added = sorted(set(found) - right)
    # Any rows that a bound admits are right, so none of them in particular is missed.
    missed = sorted(right - set(found)) if expected.limit is None else []
    hits = len(set(found) & right)
    precision = hits / len(set(found)) if found else math.nan
    recall = min(hits, expected.count) / expected.count if expected.count else math.nan
    if missed or added:
        parts = [
            f"{verb} {len(ids)} ({_examples(ids)})"
            for verb, ids in (("missed", missed), ("wrongly returned", added))
            if ids
        ]
        summary = f"{expected.count} expected; " + ", ".join(parts)
        return Comparison(False, summary, precision, recall, tuple(missed), tuple(added))
    if len(found) != expected.count:
        summary = f"{expected.count} expected; returned {len(found)}"
        return Comparison(False, summary, precision, recall)
    if expected.keys is not None:
        keys = dict(zip(whole, expected.keys, strict=True))
        problem = _order_problem([keys[one] for one in found], expected)
        if problem:
            return Comparison(False, problem, precision, recall)
    return Comparison(True, f"{expected.count} as expected", precision, recall)


def _compare_tables(returned: Answer, expected: Expected) -> Comparison:
    right, got = expected.whole.columns, returned.columns
    for role, name in (("group", "groups by"), ("measure", "measures")):
        wanted = sum(column.role == role for column in right)
        given = sum(column.role == role for column in got)
        if wanted != given:
            return Comparison(False, f"{name} {given} columns where the question asks for {wanted}")
    best: Comparison | None = None
    for order in _alignments(got, right):
        rows = _stating(Answer(right, tuple(tuple(row[i] for i in order) for row in returned.rows)))
        found = _compare_rows(rows, expected)
        if found.same:
            return found
        if best is None or len(found.missed) < len(best.missed):
            best = found
    assert best is not None  # there is always one alignment
    return best


def _alignments(got: Sequence[Column], right: Sequence[Column]) -> Iterator[tuple[int, ...]]:
    """For each column of the right answer, which returned column holds it.

    Columns of one meaning are paired. What is left has no common meaning — one average spelled
    two ways, say — and is tried in every order within its role, which the values then decide.
    """
    paired: dict[int, int] = {}
    for wanted, column in enumerate(right):
        for given, other in enumerate(got):
            alike = (other.role, other.meaning) == (column.role, column.meaning)
            if alike and given not in paired.values():
                paired[wanted] = given
                break
    loose = [i for i in range(len(right)) if i not in paired]
    spare = [i for i in range(len(got)) if i not in paired.values()]
    orders = permutations(spare) if len(spare) <= _MOST_PERMUTED else iter([tuple(spare)])
    for order in orders:
        match = paired | dict(zip(loose, order, strict=True))
        if all(right[i].role == got[match[i]].role for i in loose):
            yield tuple(match[i] for i in range(len(right)))


def _compare_rows(rows: Sequence[Row], expected: Expected) -> Comparison:
    columns = expected.whole.columns
    groups = [i for i, column in enumerate(columns) if column.role == "group"]
    whole = _stating(expected.whole)
    by_group = {tuple(row[i] for i in groups): index for index, row in enumerate(whole)}
    seen: list[int] = []
    added: list[Row] = []
    for row in rows:
        index = by_group.get(tuple(row[i] for i in groups))
        if index is None or not _same_row(row, whole[index]):
            added.append(row)
        else:
            seen.append(index)
    repeated = [whole[index] for index, times in Counter(seen).items() if times > 1]
    added.extend(repeated)
    missed = (
        [row for index, row in enumerate(whole) if index not in set(seen)]
        if expected.limit is None
        else []
    )
    hits = len(set(seen))
    precision = hits / len(rows) if rows else math.nan
    recall = min(hits, expected.count) / expected.count if expected.count else math.nan
    names = ", ".join(column.name for column in columns)
    if missed or added or len(rows) != expected.count:
        parts = [
            f"{verb} {len(some)} ({_examples(some)})"
            for verb, some in (("missed", missed), ("wrongly returned", added))
            if some
        ]
        if not parts:
            parts = [f"returned {len(rows)}"]
        summary = f"{expected.count} rows of ({names}) expected; " + ", ".join(parts)
        return Comparison(False, summary, precision, recall, tuple(missed), tuple(added))
    if expected.keys is not None:
        keys = [
            key
            for key, row in zip(expected.keys, expected.whole.rows, strict=True)
            if _states(row, columns)
        ]
        problem = _order_problem([keys[index] for index in seen], expected)
        if problem:
            return Comparison(False, problem, precision, recall)
    return Comparison(True, f"{expected.count} rows of ({names}) as expected", precision, recall)


def _order_problem(keys: Sequence[Row], expected: Expected) -> str | None:
    """What is wrong with the order of the returned rows, given their keys; None for nothing."""
    assert expected.keys is not None
    columns = expected.whole.columns
    right = [
        key
        for key, row in zip(expected.keys, expected.whole.rows, strict=True)
        if _states(row, columns)
    ]
    for place, (got, want) in enumerate(zip(keys, right, strict=False), start=1):
        if not _same_row(got, want):
            return (
                f"the right rows in another order: place {place} is sorted by "
                f"{_shown(want)} and holds one of {_shown(got)}"
            )
    return None


def _states(row: Row, columns: Sequence[Column]) -> bool:
    """Whether a row states anything: it has no measures, or one that is not absent."""
    measures = [value for value, column in zip(row, columns, strict=True) if column.role != "group"]
    return not measures or any(value is not None for value in measures)


def _stating(answer: Answer) -> list[Row]:
    return [row for row in answer.rows if _states(row, answer.columns)]


def _same_row(one: Row, other: Row) -> bool:
    return all(_same_value(a, b) for a, b in zip(one, other, strict=True))


def _same_value(one: Any, other: Any) -> bool:
    """Whether two cells hold one value: counts exactly, reals within the stated tolerance."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=RELATIVE_TOLERANCE, abs_tol=ABSOLUTE_TOLERANCE) or (
            math.isnan(one) and math.isnan(other)
        )
    return bool(one == other)


def _examples(values: Sequence[Any], most: int = 3) -> str:
    shown = ", ".join(_shown(value) for value in values[:most])
    rest = len(values) - most
    return f"{shown} and {rest} more" if rest > 0 else shown


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        inner = ", ".join("NULL" if cell is None else str(cell) for cell in value)
        return inner if len(value) == 1 else f"({inner})"
    return str(value)
