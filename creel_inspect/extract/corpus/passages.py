"""A source as passages: texts that are read each for itself.

What stands in two of them is not one thing: no number is made of two cells of a table, and no
name of the end of one paragraph and the beginning of the next.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from creel_inspect.extract.corpus.sources import Source


@dataclass(frozen=True)
class Passage:
    """A paragraph or the like, a cell of a table, or a text or number of a JSON document.

    Attributes:
        text: What is written.
        start: Where in it begins what is meant; what stands before and after says how to read it.
        end: Where that ends; None for the end of the text.
        label: Whether it is a column's header or a JSON key: its numbers name things.
        number: The number, where the passage is a number of a JSON document.
    """

    text: str
    start: int = 0
    end: int | None = None
    label: bool = False
    number: int | float | None = None


def passages_of(source: Source) -> Iterator[Passage]:
    """Every passage of a source, each writing once for tables and JSON documents.

    Raises:
        CorpusError: If it is no such table or document.
    """
    if source.kind == "text":
        for start, end in paragraphs(source.text):
            yield Passage(source.text[start:end])
        return
    seen: set[Passage] = set()
    for passage in _of_table(source) if source.kind == "table" else leaves(source.content):
        if passage not in seen and passage.text:
            seen.add(passage)
            yield passage


def _of_table(source: Source) -> Iterator[Passage]:
    for column in source.columns:
        yield Passage(column, label=True)
    for row in source.content:
        for cell in row.values():
            yield Passage(cell)


def leaves(value: Any) -> Iterator[Passage]:
    """The texts, numbers and truth values in a JSON value, and its keys; without recursion."""
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, dict):
            for key in one:
                yield Passage(key, label=True)
            stack.extend(reversed(one.values()))
        elif isinstance(one, list):
            stack.extend(reversed(one))
        elif isinstance(one, bool):
            yield Passage("true" if one else "false")
        elif isinstance(one, int | float):
            yield Passage(repr(one), number=one)
        elif isinstance(one, str):
            yield Passage(one)


_MARKS = frozenset("-*+•◦▪–#|>`~0123456789")
_MARKER = re.compile(r"(?:[-*+•◦▪–] |#{1,6} |\||>|```|~~~)")
_NUMBERED = re.compile(r"(\d{1,3})[.)] ")
_ALONE = re.compile(r"(?:#{1,6} |\||```|~~~)")


def paragraphs(text: str) -> list[tuple[int, int]]:
    """Where the paragraphs, headings, items and table rows of a text begin and end.

    A line that begins with a number and a point is an item only where a list may begin or goes
    on: in "the projects are" / "12. They …" the number is the sentence's.
    """
    found: list[tuple[int, int]] = []
    start, open_now, numbered = 0, False, False
    place = 0
    for line in text.splitlines(keepends=True):
        written = line.lstrip()
        marked = written[:1] in _MARKS
        item = _NUMBERED.match(written) if marked else None
        begins = marked and (
            _MARKER.match(written) or (item and (numbered or not open_now or item[1] == "1"))
        )
        if open_now and (begins or not written):
            found.append((start, place))
            open_now = False
        if written and not open_now:
            start, open_now, numbered = place, True, bool(item)
        place += len(line)
        if marked and _ALONE.match(written):
            found.append((start, place))
            open_now = False
    if open_now:
        found.append((start, len(text)))
    return found


_AROUND = 120


def around(text: str, parts: list[tuple[int, int]], start: int, end: int) -> list[Passage]:
    """What of each paragraph lies between two places, with what stands round it.

    Args:
        text: The whole text.
        parts: Its ``paragraphs``.
        start: The first character.
        end: The character after the last.
    """
    found = []
    first = max(bisect_left(parts, (start + 1, 0)) - 1, 0)
    for begins, ends in parts[first:]:
        if begins >= end:
            break
        low, high = max(begins, start), min(ends, end)
        if low < high:
            left, right = max(begins, low - _AROUND), min(ends, high + _AROUND)
            # A window that opens inside a word would show a word that is not there.
            while left > begins and left < low and not text[left - 1].isspace():
                left += 1
            while right < ends and right > high and not text[right].isspace():
                right -= 1
            found.append(Passage(text[left:right], low - left, high - left))
    return found


_OPEN_SPACE = re.compile(r"(?<=\d)(?:\s{2,}|[^\S \u00a0\u2007\u2009\u202f])(?=\d)")


def flowing(text: str) -> str:
    """The text as one line; a line break stays where two numbers stand beside it or a wide space.

    "12" at the end of a line and "500" on the next, or in the next column of a typed table, are
    not 12 500.
    """
    return "\n".join(" ".join(part.split()) for part in _OPEN_SPACE.split(text))
