"""Finding a quote in a source: as it is written, but for white space."""

import csv
import io
import json
import re
from bisect import bisect_right
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from creel_inspect.extract.corpus.passages import Passage, around, leaves, paragraphs
from creel_inspect.extract.corpus.sources import Source

_MOST_OCCURRENCES = 1_000
_MOST_USED = 20


@dataclass(frozen=True)
class Quote:
    """A quote that was found: as the source has it, and the passages that it picks."""

    text: str
    passages: tuple[Passage, ...]


def quoted(source: Source, exact: str, prefix: str = "", suffix: str = "") -> Quote | None:
    """Where a quote stands in a source; None if it does not.

    In a text, the places that fit prefix and suffix best count, up to twenty. In a table or a JSON
    document a quote is part of a cell or leaf; or else of the file as it is written, and then
    picks each cell or leaf that it holds wholly.

    Raises:
        CorpusError: If the source is no such table or document.
    """
    flat_quote = " ".join(exact.split())
    if not flat_quote:
        return None
    if source.kind != "text":
        passages = _quoted_cells(flat_quote, source)
        return None if passages is None else Quote(exact, passages)
    flat = _flat(source)
    places = _chosen(flat.text, flat_quote, prefix, suffix)
    ends = [
        (flat.place_of(place), flat.place_of(place + len(flat_quote) - 1) + 1) for place in places
    ]
    if not ends:
        return None
    found = [one for start, end in ends for one in around(source.text, flat.paragraphs, start, end)]
    return Quote(source.text[slice(*ends[0])], tuple(found))


def passages_between(source: Source, start: int, end: int) -> tuple[Passage, ...]:
    """What of each paragraph of a text lies between two places, with what stands round it."""
    return tuple(around(source.text, _flat(source).paragraphs, start, end))


def _chosen(text: str, exact: str, prefix: str, suffix: str) -> list[int]:
    """Where a quote stands: the places that fit its prefix and suffix best, the first twenty."""
    prefix = " ".join(prefix[-200:].split())
    suffix = " ".join(suffix[:200].split())
    best, places, place = -1, list[int](), text.find(exact)
    for _ in range(_MOST_OCCURRENCES):
        if place < 0:
            break
        before = text[max(0, place - len(prefix) - 1) : place].rstrip()
        after = text[place + len(exact) : place + len(exact) + len(suffix) + 1].lstrip()
        fit = bool(prefix and before.endswith(prefix)) + bool(suffix and after.startswith(suffix))
        if fit > best:
            best, places = fit, []
        if fit == best and len(places) < _MOST_USED:
            places.append(place)
        place = text.find(exact, place + 1)
    return places


_SPACE = re.compile(r"\s+")


class _Flat:
    """A text with single spaces, and where in the text each of its characters stands."""

    def __init__(self, text: str) -> None:
        self.paragraphs = paragraphs(text)
        parts: list[str] = []
        self._flat, self._whole = [0], [0]
        done = length = 0
        for run in _SPACE.finditer(text):
            if run[0] == " ":
                continue
            parts.append(text[done : run.start()] + " ")
            length += run.start() - done + 1
            done = run.end()
            self._flat.append(length)
            self._whole.append(done)
        self.text = "".join(parts) + text[done:]

    def place_of(self, place: int) -> int:
        """The place in the text of a character that is no space."""
        number = bisect_right(self._flat, place) - 1
        return self._whole[number] + place - self._flat[number]


class _Cells:
    """The cells of a table, or the leaves of a JSON document, as one text to search."""

    def __init__(self, source: Source) -> None:
        if source.kind == "table":
            cells = [Passage(cell) for row in source.content for cell in row.values()]
            cells = [*(Passage(column, label=True) for column in source.columns), *cells]
        else:
            cells = list(leaves(source.content))
        self.cells = list(dict.fromkeys(cells))
        self.flat = [" ".join(one.text.split()) for one in self.cells]
        self.known = dict(zip(self.flat, self.cells, strict=True))
        self.starts: list[int] = []
        length = 0
        for text in self.flat:
            self.starts.append(length)
            length += len(text) + 1
        self.text = "\0".join(self.flat)
        self.whole = " ".join(source.text.split())


_FLAT: WeakKeyDictionary[Source, _Flat] = WeakKeyDictionary()
_CELLS: WeakKeyDictionary[Source, _Cells] = WeakKeyDictionary()


def _flat(source: Source) -> _Flat:
    # Held by name: an equal source of another sample that dies takes its entry with it.
    found = _FLAT.get(source)
    if found is None:
        found = _FLAT[source] = _Flat(source.text)
    return found


def _quoted_cells(exact: str, source: Source) -> tuple[Passage, ...] | None:
    """The cells that a quote is in, or that it spans: of a row as it is written."""
    cells = _CELLS.get(source)
    if cells is None:
        cells = _CELLS[source] = _Cells(source)
    passages: list[Passage] = []
    place = cells.text.find(exact)
    while place >= 0 and len(passages) < _MOST_USED:
        number = bisect_right(cells.starts, place) - 1
        cell, low = cells.cells[number], place - cells.starts[number]
        whole = low == 0 and len(exact) == len(cells.flat[number])
        passages.append(
            cell if whole else Passage(cells.flat[number], low, low + len(exact), cell.label)
        )
        place = cells.text.find(exact, place + 1)
    if passages:
        return tuple(passages)
    place = cells.whole.find(exact)
    if place < 0:
        return None
    before = cells.whole[place - 1 : place]
    after = cells.whole[place + len(exact) : place + len(exact) + 1]
    pieces = _csv_pieces if source.kind == "table" else _json_pieces
    known = (cells.known.get(" ".join(one.split())) for one in pieces(exact, before, after))
    return tuple(one for one in known if one)


def _csv_pieces(exact: str, before: str, after: str) -> list[str]:
    try:
        pieces = next(csv.reader(io.StringIO(exact.replace("\0", " "))), [])
    except csv.Error:
        return []
    # A cell that the quote cuts is none of its own.
    low = 0 if before in ("", ",", " ", '"') else 1
    high = len(pieces) - (0 if after in ("", ",", " ", '"') else 1)
    return pieces[low:high]


_JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[\w.+-]++')


def _json_pieces(exact: str, before: str, after: str) -> list[str]:
    pieces = []
    for token in _JSON_TOKEN.finditer(exact):
        cut = (token.start() == 0 and re.match(r"[\w.+-]", before)) or (
            token.end() == len(exact) and re.match(r"[\w.+-]", after)
        )
        if cut:
            continue
        try:
            value = json.loads(token[0])
        except ValueError:
            continue
        pieces += [one.text for one in leaves(value)]
    return pieces
