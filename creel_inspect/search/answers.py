"""Are two answers the same answer?

Where a question asks *which*, the answer is a set of IDs. Where it asks *how many* or *how much*,
it is a table, in which columns are known by what they hold and rows by what they are grouped by.
Where the reference sorts, the order of its keys is part of the answer and the order of ties is
not; where it bounds, any rows that the bound admits are right.

Two conventions, both for groups: a group whose key is absent (NULL) is a row like any other, and
a group whose every measure is absent states nothing, so it is left out on both sides. Where a bound
counts rows, leaving such groups in is right as well: the reference's own answer may hold them.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress, permutations
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
        measures = [column for column in self.whole.columns if column.role == "measure"]
        if not measures:
            return not self.whole.rows
        return all(
            value is None or (column.counts and value == 0)
            for row in self.whole.rows
            for value, column in zip(row, self.whole.columns, strict=True)
            if column.role == "measure"
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
    if expected.limit is not None and expected.limit >= len(expected.whole.rows):
        expected = replace(expected, limit=None)  # a bound that cuts nothing off
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
    if expected.limit is None:
        # The answer is a set: an ID that is returned twice is still the same answer.
        found, whole = list(dict.fromkeys(found)), list(dict.fromkeys(whole))
    count = len(whole) if expected.limit is None else expected.limit
    added = sorted(set(found) - right, key=str)
    # Any rows that a bound admits are right, so none of them in particular is missed.
    missed = sorted(right - set(found), key=str) if expected.limit is None else []
    hits = len(set(found) & right)
    precision = hits / len(set(found)) if found else math.nan
    recall = min(hits, count) / count if count else math.nan
    if missed or added:
        parts = [
            f"{verb} {len(ids)} ({_examples(ids)})"
            for verb, ids in (("missed", missed), ("wrongly returned", added))
            if ids
        ]
        summary = f"{count} expected; " + ", ".join(parts)
        return Comparison(False, summary, precision, recall, tuple(missed), tuple(added))
    repeated = list(Counter(found) - Counter(whole))
    if len(found) != count or repeated:
        again = f", {_examples(repeated)} more than once" if repeated else ""
        summary = f"{count} expected; returned {len(found)}{again}"
        return Comparison(False, summary, precision, recall)
    if expected.keys is not None:
        ids = [row[0] for row in expected.whole.rows]
        keys = dict(zip(reversed(ids), reversed(expected.keys), strict=True))
        problem = _order_problem([keys[one] for one in found], [keys[one] for one in whole])
        if problem:
            return Comparison(False, problem, precision, recall)
    return Comparison(True, f"{count} as expected", precision, recall)


def _compare_tables(returned: Answer, expected: Expected) -> Comparison:
    right, got = expected.whole.columns, returned.columns
    for role, name in (("group", "groups by"), ("measure", "measures")):
        wanted = sum(column.role == role for column in right)
        given = sum(column.role == role for column in got)
        if wanted != given:
            return Comparison(False, f"{name} {given} columns where the question asks for {wanted}")
    best: Comparison | None = None
    stated = _stated(expected)
    for order in _alignments(returned, stated.whole):
        rows = [tuple(row[i] for i in order) for row in returned.rows]
        found = _compare_rows([row for row in rows if _states(row, right)], stated)
        if not found.same and expected.limit is not None:
            as_it_is = _compare_rows(rows, expected)
            found = as_it_is if as_it_is.same else found
        if found.same:
            return found
        if best is None or len(found.missed) < len(best.missed):
            best = found
    assert best is not None  # there is always one alignment
    return best


def _alignments(returned: Answer, whole: Answer) -> Iterator[list[int]]:
    """For each column of the right answer, which returned column holds it.

    Columns of one meaning are paired. What is left has no common meaning — one average spelled
    two ways, say — and is paired by its values: groups in every order, measures with whichever
    agrees on most rows.
    """
    got, right = returned.columns, whole.columns
    paired: dict[int, int] = {}
    for wanted, column in enumerate(right):
        for given, other in enumerate(got):
            alike = (other.role, other.meaning) == (column.role, column.meaning)
            if alike and given not in paired.values():
                paired[wanted] = given
                break

    def loose(role: str) -> tuple[list[int], list[int]]:
        return (
            [i for i, column in enumerate(right) if column.role == role and i not in paired],
            [i for i, c in enumerate(got) if c.role == role and i not in paired.values()],
        )

    groups = [i for i, column in enumerate(right) if column.role == "group"]
    wanted_groups, given_groups = loose("group")
    wanted_measures, given_measures = loose("measure")
    index = {_key(row, groups): row for row in whole.rows}
    many = len(given_groups) > _MOST_PERMUTED
    for some in [tuple(given_groups)] if many else permutations(given_groups):
        match = paired | dict(zip(wanted_groups, some, strict=True))
        if len(wanted_measures) == 1:
            match[wanted_measures[0]] = given_measures[0]
        elif wanted_measures:
            places = [match[i] for i in groups]
            rows = [(row, index.get(_key(row, places))) for row in returned.rows]
            agreeing = {
                (wanted, given): sum(
                    right_row is not None and _same_value(row[given], right_row[wanted])
                    for row, right_row in rows
                )
                for wanted in wanted_measures
                for given in given_measures
            }
            for wanted, given in sorted(agreeing, key=lambda pair: (-agreeing[pair], pair)):
                if wanted not in match and given not in match.values():
                    match[wanted] = given
        yield [match[i] for i in range(len(right))]


def _compare_rows(rows: Sequence[Row], expected: Expected) -> Comparison:
    columns, whole = expected.whole.columns, expected.whole.rows
    count = len(whole) if expected.limit is None else min(len(whole), expected.limit)
    groups = [i for i, column in enumerate(columns) if column.role == "group"]
    by_group = {_key(row, groups): index for index, row in enumerate(whole)}
    seen: list[int] = []
    added: list[Row] = []
    for row in rows:
        index = by_group.get(_key(row, groups))
        if index is None or not _same_row(row, whole[index]):
            added.append(row)
        else:
            seen.append(index)
    times = Counter(seen)
    added.extend(whole[index] for index in times if times[index] > 1)
    missed = (
        [row for index, row in enumerate(whole) if index not in times]
        if expected.limit is None
        else []
    )
    hits = len(times)
    precision = hits / len(rows) if rows else math.nan
    recall = min(hits, count) / count if count else math.nan
    names = ", ".join(column.name for column in columns)
    if missed or added or len(rows) != count:
        parts = [
            f"{verb} {len(some)} ({_examples(some)})"
            for verb, some in (("missed", missed), ("wrongly returned", added))
            if some
        ]
        if not parts:
            parts = [f"returned {len(rows)}"]
        summary = f"{count} rows of ({names}) expected; " + ", ".join(parts)
        return Comparison(False, summary, precision, recall, tuple(missed), tuple(added))
    if expected.keys is not None:
        problem = _order_problem([expected.keys[index] for index in seen], expected.keys)
        if problem:
            return Comparison(False, problem, precision, recall)
    return Comparison(True, f"{count} rows of ({names}) as expected", precision, recall)


def _order_problem(keys: Sequence[Row], right: Sequence[Row]) -> str | None:
    """What is wrong with the order of rows with these keys; None for nothing."""
    for place, (got, want) in enumerate(zip(keys, right, strict=False), start=1):
        if not _same_row(got, want):
            return (
                f"the right rows in another order: place {place} is sorted by "
                f"{_shown(want)} and holds one of {_shown(got)}"
            )
    return None


def _key(row: Row, places: Sequence[int]) -> Row:
    """What a row is grouped by; NaN is one group, though it differs from itself."""
    return tuple("NaN" if row[i] != row[i] else row[i] for i in places)


def _states(row: Row, columns: Sequence[Column]) -> bool:
    """Whether a row states anything: it has no measures, or one that is not absent."""
    measures = [value for value, column in zip(row, columns, strict=True) if column.role != "group"]
    return not measures or any(value is not None for value in measures)


def _stating(answer: Answer) -> list[Row]:
    return [row for row in answer.rows if _states(row, answer.columns)]


def _stated(expected: Expected) -> Expected:
    """The expected answer without the rows that state nothing."""
    stating = [_states(row, expected.whole.columns) for row in expected.whole.rows]
    keys = None if expected.keys is None else tuple(compress(expected.keys, stating))
    whole = Answer(expected.whole.columns, tuple(compress(expected.whole.rows, stating)))
    return Expected(whole, keys, expected.limit)


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
