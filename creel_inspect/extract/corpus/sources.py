"""What a case is extracted from: texts, tables and JSON documents, read once and bounded."""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, Literal, TypeAlias

from creel_inspect.extract.files.reading import CorpusError, inside, json_document, read_text
from creel_inspect.verify.plain import shown

Kind: TypeAlias = Literal["text", "table", "json"]

MOST_CHARACTERS = 5_000_000
"""Of one source."""
MOST_CHARACTERS_OF_CASE = 20_000_000
MOST_SOURCES = 1_000
MOST_CELLS = 1_000_000
"""Of one table."""

KINDS: dict[str, Kind] = {".md": "text", ".txt": "text", ".csv": "table", ".json": "json"}


@dataclass(frozen=True)
class Source:
    """One document of a case.

    Attributes:
        name: Its file name, by which evidence names it.
        text: The whole file.
        kind: ``text``, ``table`` or ``json``.
    """

    name: str
    text: str
    kind: Kind

    @cached_property
    def content(self) -> Any:
        """A text as it is; a table's rows, by header, as texts; a JSON document's value.

        Raises:
            CorpusError: If it is no such table or document.
        """
        if self.kind == "table":
            columns, rows = self._table
            return [dict(zip(columns, row, strict=True)) for row in rows]
        if self.kind == "json":
            return json_document(self.text, self.name).value
        return self.text

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """A table's header; nothing for other kinds.

        Raises:
            CorpusError: If it is no table.
        """
        return self._table[0] if self.kind == "table" else ()

    @cached_property
    def _table(self) -> tuple[tuple[str, ...], list[list[str]]]:
        return _table(self.text, self.name)


def source_from(name: str, text: str) -> Source:
    """A source of this name and text, read as its suffix says.

    Raises:
        CorpusError: If the suffix is none of ``KINDS``, the text is longer than
            ``MOST_CHARACTERS`` or holds a NUL, or is no such table or JSON document.
    """
    kind = KINDS.get(PurePosixPath(name).suffix.lower())
    if kind is None:
        raise CorpusError(
            f"{shown(name)} is no source that can be read: expected a name that ends in "
            f"{', '.join(KINDS)}"
        )
    if len(text) > MOST_CHARACTERS:
        raise CorpusError(
            f"{name} has {len(text):,} characters; a source has at most {MOST_CHARACTERS:,}: "
            "split it, or leave out what the case does not need"
        )
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise CorpusError(f"{name}:{line} holds a NUL character: it is no text")
    source = Source(name, text, kind)
    _ = source.content
    return source


def read_sources(folder: Path, corpus: Path) -> dict[str, Source]:
    """The sources in a folder, by file name, sorted. Files that begin with a dot are passed over.

    Raises:
        CorpusError: If the folder is not there; if it holds anything but sources, more than
            ``MOST_SOURCES`` or more than ``MOST_CHARACTERS_OF_CASE``; or if one cannot be read.
    """
    try:
        names = sorted(one.name for one in folder.iterdir() if not one.name.startswith("."))
    except OSError as error:
        raise CorpusError(
            f"{folder.parent.name}/{folder.name} cannot be read: expected a folder of sources "
            f"({error.strerror or error})"
        ) from error
    if len(names) > MOST_SOURCES:
        raise CorpusError(
            f"{folder.parent.name}/{folder.name} holds {len(names):,} files; a case has at most "
            f"{MOST_SOURCES:,} sources"
        )
    found: dict[str, Source] = {}
    characters = 0
    for name in names:
        if PurePosixPath(name).suffix.lower() not in KINDS:
            source_from(name, "")  # says which are taken, before the file is read
        source = source_from(name, read_text(inside(folder, name), corpus))
        characters += len(source.text)
        if characters > MOST_CHARACTERS_OF_CASE:
            raise CorpusError(
                f"the sources in {folder.parent.name}/{folder.name} have more than "
                f"{MOST_CHARACTERS_OF_CASE:,} characters together: split the case"
            )
        found[name] = source
    return found


def _table(text: str, name: str) -> tuple[tuple[str, ...], list[list[str]]]:
    """Header and rows. Lines with nothing on them are no rows; a file of nothing has no columns."""
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise CorpusError(f"{name}:{line} holds a NUL character: it is no table")
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    columns: tuple[str, ...] = ()
    rows: list[list[str]] = []
    cells = 0
    line = 1  # that a row begins on, since a cell may hold line breaks
    try:
        for row in reader:
            if row and not columns:
                columns = _header(row, f"{name}:{line}")
            elif row:
                if len(row) != len(columns):
                    raise CorpusError(
                        f"{name}:{line} has {_many(len(row), 'cell')}, and the header has "
                        f"{_many(len(columns), 'column')}: quote a cell that holds a comma, "
                        "and leave empty cells empty"
                    )
                cells += len(row)
                if cells > MOST_CELLS:
                    raise CorpusError(f"{name} has more than {MOST_CELLS:,} cells: split it")
                rows.append(row)
            line = reader.line_num + 1
    except csv.Error as error:
        raise CorpusError(f"{name}:{line} is no row of a table: {error}") from error
    return columns, rows


def _header(row: list[str], where: str) -> tuple[str, ...]:
    for number, column in enumerate(row, start=1):
        if not column.strip():
            raise CorpusError(f"{where}: column {number} of the header has no name")
    if twice := _first_twice(row):
        raise CorpusError(f"{where}: the header names the column {shown(twice)} twice")
    return tuple(row)


def _first_twice(names: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _many(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
