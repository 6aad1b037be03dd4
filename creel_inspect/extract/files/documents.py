"""A document's value with its lines, and the error that names them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

MOST_DEPTH = 50
MOST_DIGITS = 300

Place = tuple[str | int, ...]
"""Keys and indexes that lead to a value."""


@dataclass(frozen=True)
class Fault:
    """One mistake, and where in the document it is."""

    place: Place
    message: str


class CorpusError(ValueError):
    """A corpus, or a file of one, that cannot be used.

    Attributes:
        faults: What is wrong, by place, where the mistakes are in a document's values.
    """

    def __init__(self, message: str, faults: tuple[Fault, ...] = ()) -> None:
        super().__init__(message)
        self.faults = faults


@dataclass(frozen=True)
class Document:
    """A file's value, and the line each part of it is on.

    Attributes:
        value: What the file holds, as JSON has it: mappings, lists, text, numbers, truth values
            and None.
        lines: The line, from 1, of each value, by its keys and indexes.
        name: The file, relative to its corpus.
    """

    value: Any
    lines: Mapping[Place, int] = field(repr=False)
    name: str

    def where(self, *path: str | int) -> str:
        """``grammar.yaml:12``: the line of a value, or of the nearest one that it would be in."""
        for length in range(len(path), -1, -1):
            line = self.lines.get(path[:length])
            if line is not None:
                return f"{self.name}:{line}"
        return self.name
