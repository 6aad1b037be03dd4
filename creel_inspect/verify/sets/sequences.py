"""The longest common subsequence of two sequences."""

from bisect import bisect_left
from collections.abc import Sequence

MOST_MATCHES = 2_000_000
"""Equal pairs, where the sequences are too long for ``MOST_CELLS``."""
MOST_CELLS = 400_000_000
"""Length times length: 20,000 by 20,000."""


class TooLong(ValueError):
    """The sequences are too long and too repetitive to be compared in bounded time."""


def longest_common_subsequence(
    matches: Sequence[Sequence[int]], width: int
) -> list[tuple[int, int]]:
    """The most pairs of equal items that keep the order of both sequences.

    Where few items are equal it follows the equal pairs (J. W. Hunt and T. G. Szymanski,
    Communications of the ACM 20(5), 1977), otherwise it fills the table of lengths one row of bits
    at a time (H. Hyyrö, Australasian Workshop on Combinatorial Algorithms, 2004).

    Args:
        matches: For each item of the first sequence, the places of the items of the second that
            it equals, ascending.
        width: The length of the second sequence.

    Returns:
        ``(place in the first, place in the second)``, ascending.

    Raises:
        TooLong: Over ``MOST_MATCHES`` and ``MOST_CELLS``.
    """
    pairs, cells = sum(map(len, matches)), len(matches) * width
    few = pairs <= 4 * (len(matches) + width)
    if not few and cells <= MOST_CELLS:
        return _by_rows_of_bits(matches, width)
    if pairs > max(MOST_MATCHES, 4 * (len(matches) + width)):
        raise TooLong(f"{len(matches):,} × {width:,} items, of which {pairs:,} pairs are equal")
    return _by_equal_pairs(matches)


def _by_equal_pairs(matches: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    ends: list[int] = []  # the first place where a chain of each length can end
    last: list[int] = []  # and its last pair
    pairs: list[tuple[int, int, int]] = []  # row, column and the pair before it
    for row, columns in enumerate(matches):
        # Backwards, so that no pair follows another of its own row.
        for column in reversed(columns):
            length = bisect_left(ends, column)
            if length == len(ends):
                ends.append(column)
                last.append(len(pairs))
            elif ends[length] == column:
                continue
            else:
                ends[length], last[length] = column, len(pairs)
            pairs.append((row, column, last[length - 1] if length else -1))
    chain = []
    at = last[-1] if last else -1
    while at >= 0:
        row, column, at = pairs[at]
        chain.append((row, column))
    return chain[::-1]


def _by_rows_of_bits(matches: Sequence[Sequence[int]], width: int) -> list[tuple[int, int]]:
    full = (1 << width) - 1
    masks: dict[int, int] = {}
    flat = full  # bit c is 0 where the length grows from column c to column c + 1
    table = [flat]
    for columns in matches:
        mask = masks.get(id(columns))
        if mask is None:
            mask = masks[id(columns)] = _mask(columns, width)
        both = flat & mask
        flat = ((flat + both) | (flat - both)) & full
        table.append(flat)
    size = width // 8 + 1
    row, column = len(matches), width
    here, above = table[row].to_bytes(size, "little"), table[row - 1].to_bytes(size, "little")
    chain = []
    while row and column:
        at = column - 1
        if here[at >> 3] >> (at & 7) & 1:  # the last item of the second adds nothing
            column -= 1
            continue
        if above[at >> 3] >> (at & 7) & 1:  # without the last item of the first it would not grow
            column -= 1
            chain.append((row - 1, column))
        row -= 1
        here, above = above, table[max(row - 1, 0)].to_bytes(size, "little")
    return chain[::-1]


def _mask(columns: Sequence[int], width: int) -> int:
    bits = bytearray(width // 8 + 1)
    for column in columns:
        bits[column >> 3] |= 1 << (column & 7)
    return int.from_bytes(bits, "little")
