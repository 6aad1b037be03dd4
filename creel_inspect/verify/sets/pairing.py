"""Pairing the items of two lists by the verdicts of another verifier."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import Code, Context, Verifier, VerifierError
from creel_inspect.verify.sets.sequences import longest_common_subsequence

MOST_VERDICTS = 1_000_000
_ALWAYS_MADE = 5_000
_MOST_NEAREST = 10

FAILED, PASSED, UNKNOWN = 0, 1, 2


class OversizedCandidate(Exception):
    """The candidate is far larger than what is expected, too large to be compared with it."""


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

    Args:
        item: Compares two items.
        actual: The candidate's items.
        expected: What is expected.
        context: Handed on.
        ordered: Whether the pairs must keep the order of both lists.
        threshold: The F1 that passes.

    Raises:
        OversizedCandidate: If the candidate is too large, and is the cause of it: it would fail
            anyway, or is over four times the work of comparing the expected list with itself.
        VerifierError: ``too_large``; ``part_not_measured`` if a verdict is missing that could
            change how many pairs match.
    """
    places = _common_groups(actual, expected)
    _check_cost(places, actual, expected, threshold)
    blocks: list[_Block] = []
    unmeasured: list[_Unmeasured] = []
    for rows, columns in places:
        blocks.append(await _judged(item, actual, expected, rows, columns, context, unmeasured))
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
    item: Verifier,
    actual: Side,
    expected: Side,
    rows: list[int],
    columns: list[int],
    context: Context,
    unmeasured: list[_Unmeasured],
) -> _Block:
    block = _Block(rows, columns, [], [], [])
    for row in rows:
        states, scores, reasons = [], [], []
        for column in columns:
            try:
                # Both lists have been checked, so an item goes without a check of its own.
                verdict = await item.acompare(actual.items[row], expected.items[column], context)
            except VerifierError as error:
                unmeasured.append(_Unmeasured(row, column, error))
                states.append(UNKNOWN)
                scores.append(0.0)
                reasons.append("")
                continue
            states.append(PASSED if verdict.passed else FAILED)
            scores.append(verdict.score)
            reasons.append(verdict.reason)
        block.states.append(states)
        block.scores.append(scores)
        block.reasons.append(reasons)
    return block


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
    places: list[tuple[list[int], list[int]]], actual: Side, expected: Side, threshold: float
) -> None:
    """Bounds the work: the number of verdicts, times the size of what they compare.

    The bound that a candidate meets grows with what is expected: a million items in place of ten
    are no reason to compare ten million pairs, and no way to escape a verdict either.
    """
    ours, theirs = [_size(item) for item in actual.items], [_size(item) for item in expected.items]
    work = sum(
        len(columns) * sum(ours[row] for row in rows)
        + len(rows) * sum(theirs[column] for column in columns)
        for rows, columns in places
    )
    due = sum(
        len(columns) * sum(theirs[column] for column in columns)
        for columns in _places(expected.groups).values()
    )
    work //= 2  # a pair of numbers or short texts counts once
    if work <= min(MOST_VERDICTS, max(_ALWAYS_MADE, 2 * due)):
        return
    items = f"{len(ours):,} items for {len(theirs):,} expected"
    if due <= MOST_VERDICTS:
        most = sum(min(len(rows), len(columns)) for rows, columns in places)
        cannot = 2 * most / (len(ours) + len(theirs)) < threshold
        if cannot or work > max(MOST_VERDICTS, 4 * due):
            raise OversizedCandidate(f"{items}: too many, or too large, to compare pair by pair")
    if work > MOST_VERDICTS:
        raise VerifierError(
            f"{items}: comparing each with each takes the work of {work:,} verdicts, expected at "
            f"most {MOST_VERDICTS:,}: give a `key`, or leave `item` out",
            code=Code.TOO_LARGE,
        )


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
