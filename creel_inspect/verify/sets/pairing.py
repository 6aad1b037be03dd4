"""Pairing the items of two lists by the verdicts of another verifier."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import Code, Context, VerdictScore, Verifier, VerifierError
from creel_inspect.verify.sets.sequences import longest_common_subsequence

MOST_VERDICTS = 50_000
"""On distinct pairs of numbers or short texts: about 5 seconds. Larger items count more."""
MOST_CELLS = 1_000_000
"""Pairs of places, with those that share a verdict."""
_ALWAYS_MADE = 5_000
_MOST_NEAREST = 10

FAILED, PASSED, UNKNOWN = 0, 1, 2


class OversizedCandidate(Exception):
    """The candidate is too large to be compared with what is expected, which is not."""


@dataclass(frozen=True)
class Side:
    """One list: its items, and for each the group it may be paired in (None: in none)."""

    items: Sequence[Any]
    groups: Sequence[Hashable | None]


@dataclass(frozen=True)
class Nearest:
    """Two items that were paired although the verdict failed."""

    row: int
    column: int
    score: float
    reason: str


@dataclass(frozen=True)
class Pairing:
    """Which items match, and the places of those that match nothing.

    ``soft`` is the sum of the scores of all assigned pairs: None in order, and where a pair that
    does not change the matches was not measured.
    """

    matched: int
    extra: Sequence[int]
    missing: Sequence[int]
    soft: float | None = None
    nearest: Sequence[Nearest] = ()

    @classmethod
    def of(
        cls,
        pairs: Sequence[tuple[int, int]],
        rows: int,
        columns: int,
        soft: float | None = None,
        nearest: Sequence[Nearest] = (),
    ) -> "Pairing":
        """From the matching pairs of ``(place in the candidate, place in what is expected)``."""
        taken, found = {row for row, _ in pairs}, {column for _, column in pairs}
        extra = [row for row in range(rows) if row not in taken]
        missing = [column for column in range(columns) if column not in found]
        return cls(len(pairs), extra, missing, soft, nearest)


@dataclass(frozen=True)
class _Block:
    """The verdicts on the items of one group, by row (candidate) and column (expected)."""

    rows: list[int]
    columns: list[int]
    states: list[list[int]]
    scores: list[list[float]]
    reasons: list[list[str]]

    def add(self, verdicts: Sequence[VerdictScore | VerifierError]) -> None:
        """Adds the row of these verdicts."""
        measured = [one if isinstance(one, VerdictScore) else None for one in verdicts]
        self.states.append(
            [UNKNOWN if one is None else PASSED if one.passed else FAILED for one in measured]
        )
        self.scores.append([one.score if one else 0.0 for one in measured])
        self.reasons.append([one.reason if one else "" for one in measured])

    def repeat(self, row: int) -> None:
        """Adds a row once more; the two share their lists."""
        self.states.append(self.states[row])
        self.scores.append(self.scores[row])
        self.reasons.append(self.reasons[row])


@dataclass(frozen=True)
class _Unmeasured:
    row: int
    column: int
    error: VerifierError


async def pair_by_verdict(
    item: Verifier,
    actual: Side,
    expected: Side,
    context: Context,
    *,
    ordered: bool,
    threshold: float,
) -> Pairing:
    """The pairing with the most passing verdicts; among those, with the greatest sum of scores.

    Equal items are not paired beforehand: closeness is not transitive, so that could lose a pair.
    With a tolerance of 1, ``[11, 12]`` matches ``[10, 11]`` in both items, but not once 11 has been
    given to 11.

    Items that are written alike share a verdict: each distinct pair is judged once.

    Args:
        item: Compares two items.
        actual: The candidate's items.
        expected: What is expected.
        context: Handed on.
        ordered: Whether the pairs must keep the order of both lists.
        threshold: The F1 that passes.

    Raises:
        OversizedCandidate: If the candidate is too large, while the expected list is not.
        VerifierError: ``too_large`` if the expected list is, whatever the candidate;
            ``part_not_measured`` if a verdict is missing that could change how many pairs match.
    """
    places = _common_groups(actual, expected)
    ours, theirs = _written(actual.items), _written(expected.items)
    _check_cost(places, actual, expected, ours, theirs, threshold)
    blocks: list[_Block] = []
    unmeasured: list[_Unmeasured] = []
    verdicts: dict[tuple[str, str], VerdictScore | VerifierError] = {}
    for rows, columns in places:
        block = _Block(rows, columns, [], [], [])
        blocks.append(block)
        alike: dict[str, int] = {}
        for number, row in enumerate(rows):
            earlier = alike.setdefault(ours[row], number)
            if earlier < number:
                block.repeat(earlier)
            else:
                for column in columns:
                    pair = ours[row], theirs[column]
                    if pair not in verdicts:
                        verdicts[pair] = await _judged(
                            item, actual.items[row], expected.items[column], context
                        )
                block.add([verdicts[ours[row], theirs[column]] for column in columns])
            for column, state in zip(columns, block.states[number], strict=True):
                if state == UNKNOWN:
                    error = verdicts[ours[row], theirs[column]]
                    assert isinstance(error, VerifierError)
                    unmeasured.append(_Unmeasured(row, column, error))
    if ordered:
        pairs = _in_order(blocks, actual, expected, {PASSED})
        most = len(_in_order(blocks, actual, expected, {PASSED, UNKNOWN})) if unmeasured else 0
        soft, nearest = None, list[Nearest]()
    else:
        pairs, soft, nearest = _assigned(blocks)
        most = sum(map(_most, blocks)) if unmeasured else 0
    if most > len(pairs):
        first = unmeasured[0]
        raise VerifierError(
            f"{len(unmeasured):,} pairs of items were not measured, such as "
            f"{shown(actual.items[first.row])} for {shown(expected.items[first.column])} "
            f"({first.error.code}: {first.error}); between {len(pairs):,} and {most:,} match",
            code=Code.PART_NOT_MEASURED,
        )
    return Pairing.of(
        pairs, len(actual.items), len(expected.items), None if unmeasured else soft, nearest
    )


async def _judged(
    item: Verifier, actual: Any, expected: Any, context: Context
) -> VerdictScore | VerifierError:
    try:
        # Both lists have been checked, so an item goes without a check of its own.
        return await item.acompare(actual, expected, context)
    except VerifierError as error:
        return error


def _written(items: Sequence[Any]) -> list[str]:
    """How each item is written: what differs in any way that a verifier could tell differs here.

    Equality would be too coarse: text that is equal once normalised, or 1.5 and 1.50, may have
    other verdicts.
    """
    return [_one_written(item) for item in items]


def _one_written(item: Any) -> str:
    if type(item) is str:
        return "s" + item
    try:
        return "r" + repr(item)
    except Exception:  # a time zone may be anyone's code
        return f"i{id(item)}"


def _common_groups(actual: Side, expected: Side) -> list[tuple[list[int], list[int]]]:
    """The places of the items that may be paired: rows and columns of each group on both sides."""
    columns = _places(expected.groups)
    return [
        (rows, columns[group]) for group, rows in _places(actual.groups).items() if group in columns
    ]


def _places(groups: Sequence[Hashable | None]) -> dict[Hashable, list[int]]:
    places: dict[Hashable, list[int]] = {}
    for place, group in enumerate(groups):
        if group is not None:
            places.setdefault(group, []).append(place)
    return places


def _check_cost(
    places: list[tuple[list[int], list[int]]],
    actual: Side,
    expected: Side,
    ours: Sequence[str],
    theirs: Sequence[str],
    threshold: float,
) -> None:
    """Bounds the work: the number of distinct verdicts, times the size of what they compare.

    Whether the expected list is too large does not depend on the candidate: it must leave room for
    one of twice its work. So no candidate can make itself unmeasurable, and none that is only a
    little longer than the expected list is too large. The bound that a candidate meets grows with
    what is expected: 50,000 items in place of one are no reason to compare them all.
    """
    groups = list(_places(expected.groups).values())
    theirs_alone = [_distinct(columns, theirs, expected.items) for columns in groups]
    due = sum(count * size for count, size in theirs_alone)
    due_cells = sum(len(columns) ** 2 for columns in groups)
    items = f"{len(ours):,} items for {len(theirs):,} expected"
    if 2 * due > MOST_VERDICTS or 2 * due_cells > MOST_CELLS:
        raise VerifierError(
            f"{items}: what is expected is too large to compare each item with each: with itself "
            f"it takes the work of {due:,} verdicts on {due_cells:,} pairs, expected at most "
            f"{MOST_VERDICTS // 2:,} on {MOST_CELLS // 2:,}: give a `key`, or leave `item` out",
            code=Code.TOO_LARGE,
        )
    work = 0
    for rows, columns in places:
        our_count, our_size = _distinct(rows, ours, actual.items)
        their_count, their_size = _distinct(columns, theirs, expected.items)
        # A pair of numbers or short texts counts once.
        work += (their_count * our_size + our_count * their_size) // 2
    cells = sum(len(rows) * len(columns) for rows, columns in places)
    most = sum(min(len(rows), len(columns)) for rows, columns in places)
    cannot = 2 * most / (len(ours) + len(theirs)) < threshold if ours or theirs else False
    allowed = min(MOST_VERDICTS, max(_ALWAYS_MADE, (2 if cannot else 4) * due))
    if work > allowed or cells > MOST_CELLS:
        raise OversizedCandidate(
            f"{items}: the candidate is too large, or its items are, to be compared pair by pair: "
            f"it takes the work of {work:,} verdicts on {cells:,} pairs, at most {allowed:,} on "
            f"{MOST_CELLS:,} for what is expected; not compared, score 0"
        )


def _distinct(
    places: Sequence[int], written: Sequence[str], items: Sequence[Any]
) -> tuple[int, int]:
    """How many distinct items stand at these places, and their size together."""
    distinct = {written[place]: place for place in places}
    return len(distinct), sum(_size(items[place]) for place in distinct.values())


def _size(value: Any) -> int:
    size, stack = 0, [value]
    while stack:
        one = stack.pop()
        size += 1
        if isinstance(one, str):
            size += len(one) // 100
        elif isinstance(one, dict):
            stack.extend(one.values())
        elif isinstance(one, list | tuple | set | frozenset):
            stack.extend(one)
    return size


def _assigned(blocks: list[_Block]) -> tuple[list[tuple[int, int]], float, list[Nearest]]:
    """The matching pairs, the sum of the scores of all assigned ones, and those that came near."""
    matched, soft, nearest = [], [], []
    for block in blocks:
        alone = len(block.rows) == len(block.columns) == 1
        for row, column in [(0, 0)] if alone else _assign(_worth(block)):
            place = block.rows[row], block.columns[column]
            score, state = block.scores[row][column], block.states[row][column]
            soft.append(score)
            if state == PASSED:
                matched.append(place)
            elif state == FAILED and (score > 0 or alone):
                nearest.append(Nearest(*place, score, block.reasons[row][column]))
    nearest.sort(key=lambda one: (-one.score, one.column))
    return matched, math.fsum(soft), nearest[:_MOST_NEAREST]


def _worth(block: _Block) -> list[list[float]]:
    """Scores in which one more pass outweighs everything else."""
    step = min(len(block.rows), len(block.columns)) + 1
    return [
        [score + step * (state == PASSED) for score, state in zip(scores, states, strict=True)]
        for scores, states in zip(block.scores, block.states, strict=True)
    ]


def _assign(worth: list[list[float]], floor: float = 0.0) -> list[tuple[int, int]]:
    # scipy takes half a second to load, and a set of plain values does without.
    from creel_inspect.verify.sets.assignment import assign  # noqa: PLC0415

    return assign(worth, floor=floor)


def _most(block: _Block) -> int:
    """How many pairs of a block match if all that were not measured pass."""
    return len(
        _assign([[float(state != FAILED) for state in row] for row in block.states], floor=1)
    )


def _in_order(
    blocks: list[_Block], actual: Side, expected: Side, states: set[int]
) -> list[tuple[int, int]]:
    matches: list[list[int]] = [[] for _ in actual.items]
    for block in blocks:
        for row, found in zip(block.rows, block.states, strict=True):
            matches[row] = [
                column
                for column, state in zip(block.columns, found, strict=True)
                if state in states
            ]
    return longest_common_subsequence(matches, len(expected.items))
