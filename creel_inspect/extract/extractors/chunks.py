"""Sources in parts that a model can read at once: whole ones packed, long ones cut where they may.

Nothing is lost: the pieces of a source, one after another, are its text.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from creel_inspect.extract.corpus.sources import Source

FEWEST_CHARACTERS = 1_000
"""Of a chunk: less leaves a model no context."""

_LINE = re.compile(r"\n")
_PARAGRAPH = re.compile(r"\n[ \t\r]{0,100}\n")
_SENTENCE = re.compile(r"[.!?][ \n]")
_SPACE = re.compile(r"\s")
_JSON_SIGN = re.compile(r'["\\\[\]{},]')
_JSON_LEVELS = 3


@dataclass(frozen=True)
class Piece:
    """A source, or a part of one.

    Attributes:
        source: The source's name.
        text: Its text from one cut to the next.
        number: Which part it is, from 1.
        total: How many parts the source has.
        header: A table's header line, repeated before its later parts.
    """

    source: str
    text: str
    number: int = 1
    total: int = 1
    header: str = ""

    @property
    def label(self) -> str:
        """``report.md``, or ``part 2 of 5 of report.md``; on one line, whatever it is called."""
        name = "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in self.source)
        return name if self.total == 1 else f"part {self.number} of {self.total} of {name}"

    @property
    def size(self) -> int:
        """Its characters, with the header's."""
        return len(self.header) + len(self.text)


Chunk = tuple[Piece, ...]


def chunks_of(sources: Iterable[Source], characters: int) -> list[Chunk]:
    """The sources, in order, in chunks of at most so many characters.

    A source that fits into a chunk is never cut. At least one chunk, if only an empty one.

    Raises:
        ValueError: If ``characters`` is less than 1.
    """
    if characters < 1:
        raise ValueError(f"a chunk of {characters} characters holds nothing; 1 is the least")
    chunks: list[list[Piece]] = [[]]
    room = characters
    for source in sources:
        for piece in _pieces(source, characters):
            if piece.size > room and chunks[-1]:
                chunks.append([])
                room = characters
            chunks[-1].append(piece)
            room -= piece.size
    return [tuple(chunk) for chunk in chunks]


def _pieces(source: Source, characters: int) -> list[Piece]:
    if len(source.text) <= characters:
        return [Piece(source.name, source.text)]
    text, header = source.text, ""
    if source.kind == "table":
        records = _records(text)
        first = next((text[:end] for end in records if text[:end].strip()), text)
        # A header that would fill the parts by itself is not worth repeating.
        header = first if len(first) <= characters // 2 else ""
        texts = _cut(text, [records, _ends(_LINE, text)], characters, len(header))
    elif source.kind == "json":
        texts = _cut(text, [*_items(text), _ends(_LINE, text), _ends(_SPACE, text)], characters)
    else:
        kinds = (_PARAGRAPH, _LINE, _SENTENCE, _SPACE)
        texts = _cut(text, [_ends(kind, text) for kind in kinds], characters)
    return [
        Piece(source.name, part, number, len(texts), header if number > 1 else "")
        for number, part in enumerate(texts, 1)
    ]


def _cut(text: str, cuts: Sequence[Sequence[int]], characters: int, header: int = 0) -> list[str]:
    """Parts of a text, each as long as may be.

    Args:
        text: More than ``characters`` long.
        cuts: Where it may be cut, best places first. A place counts if it leaves a part at least
            half full; where none does, the text is cut at the limit.
        characters: The most a part may hold.
        header: What of that is taken in all parts but the first.
    """
    parts, start, room = [], 0, characters
    while len(text) - start > room:
        end = start + room
        for places in cuts:
            before = bisect_right(places, end) - 1
            if before >= 0 and places[before] > start + room // 2:
                end = places[before]
                break
        parts.append(text[start:end])
        start, room = end, characters - header
    return [*parts, text[start:]]


def _ends(pattern: re.Pattern[str], text: str) -> list[int]:
    return [found.end() for found in pattern.finditer(text)]


def _records(text: str) -> list[int]:
    """Where the records of a CSV text end: at line ends that stand in no quoted cell."""
    ends, quotes, start = [], 0, 0
    for end in _ends(_LINE, text):
        quotes += text.count('"', start, end)
        start = end
        if quotes % 2 == 0:
            ends.append(end)
    return ends


def _items(text: str) -> list[list[int]]:
    """Behind the commas of a JSON text that stand in no string: shallow ones, then deeper ones."""
    levels: list[list[int]] = [[] for _ in range(_JSON_LEVELS)]
    depth, inside, skip = 0, False, -1
    for found in _JSON_SIGN.finditer(text):
        sign, at = found[0], found.start()
        if at == skip:
            continue
        if sign == "\\":
            skip = at + 1
        elif sign == '"':
            inside = not inside
        elif inside:
            continue
        elif sign == ",":
            for level in range(max(depth - 1, 0), _JSON_LEVELS):
                levels[level].append(at + 1)
        else:
            depth += 1 if sign in "[{" else -1
    return levels
