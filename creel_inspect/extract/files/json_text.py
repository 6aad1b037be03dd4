"""JSON without what its readers disagree about: repeated keys, NaN, numbers without bounds."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any

from creel_inspect.extract.files.documents import (
    MOST_DEPTH,
    MOST_DIGITS,
    CorpusError,
    Document,
    Place,
)
from creel_inspect.verify.plain import shown

_HALVES = re.compile("[\ud800-\udfff]")
# Of a file of millions of values the first ones' lines will do: the nearest known one is named.
_MOST_LINES = 200_000


def json_document(text: str, name: str) -> Document:
    """What ``reading.read_json`` reads, of a text that is at hand; ``name`` is for messages."""
    lines = _JsonLines(text)
    _check_depth(text, name)
    try:
        value = json.loads(
            text,
            object_pairs_hook=_unrepeated,
            parse_constant=_constant,
            parse_int=_whole,
            parse_float=_real,
        )
    except json.JSONDecodeError as error:
        raise CorpusError(
            f"{name}:{error.lineno} is no JSON: {error.msg} at column {error.colno}"
        ) from error
    except _Refused as error:
        at = lines.line_of(error.token, error.repeated)
        raise CorpusError(f"{name}:{at}: {error}") from error
    if (_HALVES.search(text) or "\\u" in text) and (line := lines.half()):
        raise CorpusError(f"{name}:{line}: a text holds half of a surrogate pair")
    return Document(value, lines, name)


class _Refused(Exception):
    def __init__(self, message: str, token: str, repeated: bool = False) -> None:
        super().__init__(message)
        self.token, self.repeated = token, repeated


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        last = {key: number for number, (key, _) in enumerate(pairs)}
        key = next(key for number, (key, _) in enumerate(pairs) if last[key] != number)
        raise _Refused(f"the key {shown(key, 40)} is there already", key, repeated=True)
    return value


def _constant(text: str) -> Any:
    raise _Refused(f"{text} is no number that JSON has: expected a finite one", text)


def _whole(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise _Refused(f"a number has more than {MOST_DIGITS} digits", text)
    return int(text)


def _real(text: str) -> float:
    if len(text) > MOST_DIGITS:
        raise _Refused(f"a number has more than {MOST_DIGITS} digits", text)
    value = float(text)
    if not math.isfinite(value):
        raise _Refused(f"{text} is too large for a number", text)
    return value


# A text without its end reaches to the end of the file, so that none is scanned twice. What is
# matched cannot match in another way: the possessive signs only say so.
_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)'
_TOKEN = re.compile(rf"{_STRING}|[\[\]{{}},:]|[^\s\[\]{{}},:\"]+", re.DOTALL)
_BRACKET = re.compile(rf"{_STRING}|[\[\]{{}}]", re.DOTALL)


def _check_depth(text: str, name: str) -> None:
    """Before the parser, which recurses, sees it."""
    depth = 0
    for found in _BRACKET.finditer(text):
        bracket = found[0]
        if bracket in "[{":
            depth += 1
            if depth > MOST_DEPTH:
                line = text.count("\n", 0, found.start()) + 1
                raise CorpusError(f"{name}:{line}: it is nested more than {MOST_DEPTH} levels deep")
        elif bracket in "]}":
            depth -= 1


class _JsonLines(Mapping[Place, int]):
    """The line of each value of a JSON text that can be parsed, found when first asked for."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __getitem__(self, place: Place) -> int:
        return self._found[place]

    def __iter__(self) -> Iterator[Place]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    @cached_property
    def _found(self) -> dict[Place, int]:
        found: dict[Place, int] = {}
        for place, line, _, _ in islice(self._steps(), _MOST_LINES):
            found.setdefault(place, line)
        return found

    def line_of(self, token: str, repeated: bool) -> int:
        """The line of a number, or of a key the second time that its mapping has it."""
        seen: set[Place] = set()
        line = 1
        for place, line, said, is_key in self._steps():  # noqa: B007 - the last line serves too
            if repeated and is_key and place[-1] == token:
                if place in seen:
                    break
                seen.add(place)
            elif not repeated and said == token:
                break
        return line

    def half(self) -> int | None:
        """The line of the first text that is no characters."""
        for _, line, said, _ in self._steps():
            if said[0] == '"' and _HALVES.search(json.loads(said) if "\\" in said else said):
                return line
        return None

    def _steps(self) -> Iterator[tuple[Place, int, str, bool]]:
        """Place, line and token of each key and value, and whether it is a key.

        A key counts as its value's place: whoever looks for a value finds its key's line.
        """
        text, line, last = self._text, 1, 0
        place: list[str | int] = []
        open_now: list[str] = []
        is_key = False
        for found in _TOKEN.finditer(text):
            line += text.count("\n", last, found.start())
            last = found.start()
            said = found[0]
            if said in "]}":
                open_now.pop()
                place.pop()
                is_key = False
            elif said == ",":
                if open_now[-1] == "[":
                    place[-1] = int(place[-1]) + 1
                is_key = open_now[-1] == "{"
            elif said == ":":
                is_key = False
            elif is_key:
                place[-1] = json.loads(said)
                yield tuple(place), line, said, True
            else:
                yield tuple(place), line, said, False
                if said in "[{":
                    open_now.append(said)
                    place.append(0 if said == "[" else "")
                    is_key = said == "{"
