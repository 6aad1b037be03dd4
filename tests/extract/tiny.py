"""A tiny corpus of people and books, written into a folder: two cases, one of them empty."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

GRAMMAR = """\
id: shelf
version: "1"
description: Who wrote and borrowed which books.
enums:
  Genre:
    values: [novel, manual, atlas]
    description: What sort of book it is.
nodes:
  agent:
    abstract: true
    description: Anyone who can hold a book.
    attributes:
      name: {range: string, required: true, description: The full name.}
  located:
    abstract: true
    description: Something with a place.
    attributes:
      city: {range: string, description: The city it is in.}
  person:
    is_a: agent
    mixins: [located]
    description: A human being.
  book:
    description: A published book.
    attributes:
      title: {range: string, required: true, description: "The title, without a subtitle."}
      pages: {range: integer, minimum: 1, description: How many pages it has.}
      published: {range: date, description: The day it came out.}
      genre: {range: Genre, description: What sort of book it is.}
edges:
  wrote:
    description: Someone is the author of a book.
    from: agent
    to: book
    attributes:
      share: {range: decimal, unit: percent, minimum: 0, maximum: 100, description: Of the rights.}
  borrowed:
    description: Someone has a book on loan.
    from: [person]
    to: book
    attributes:
      weeks: {range: integer, minimum: 1, description: For how long.}
"""

STRICT = """\
description: Values as they were written.
defaults:
  integer: numeric_tolerance
  decimal: numeric_tolerance
  date: normalized
  enum: exact
  boolean: exact
  any: exact
verifiers:
  node.book.title: normalized
  node.agent: normalized
"""

LENIENT = """\
description: Figures may be rounded.
defaults:
  integer: {kind: numeric_tolerance, rel: 0.1}
  decimal: {kind: numeric_tolerance, rel: 0.1}
  date: normalized
  enum: normalized
  any: normalized
verifiers:
  edge.wrote.share: {kind: numeric_tolerance, rel: 0.2}
"""

NOTE = """\
Ada Brown, who lives in Leeds, wrote Rain Gauges. The manual has 212 pages and was published on
5 March 2021. She keeps 60 % of the rights.
"""

LOANS = "title,borrower,weeks\nRain Gauges,Ada Brown,3\n"

EMPTY_NOTE = "The shelf was dusted on Monday. Nobody came in, and nothing was lent.\n"


def graph(nodes: Mapping[str, Any] | None = None, edges: Any = ()) -> dict[str, Any]:
    """A graph-v1 JSON object."""
    return {
        "$schema": "https://creel.dev/schema/graph/v1",
        "version": "1",
        "nodes": dict(nodes or {}),
        "edges": list(edges),
    }


def node(kind: str, **attributes: Any) -> dict[str, Any]:
    return {"types": [kind], "attributes": attributes}


def edge(name: str, kind: str, source: str, target: str, **attributes: Any) -> dict[str, Any]:
    return {
        "id": name,
        "type": kind,
        "source": source,
        "target": target,
        "attributes": attributes,
    }


def quote(exact: str, source: str = "note.md") -> dict[str, Any]:
    """An evidence record that quotes a source."""
    return {
        "provenance": {"derived_from": source},
        "grounding": [{"type": "TextQuoteSelector", "exact": exact}],
    }


def cell(row: int, column: str, source: str = "loans.csv") -> dict[str, Any]:
    """An evidence record that points at a cell of a table."""
    return {
        "provenance": {"derived_from": source},
        "grounding": [{"type": "CellSelector", "source": source, "row": row, "column": column}],
    }


def gold() -> dict[str, Any]:
    """The expected graph of ``one-book``."""
    return graph(
        {
            "ada": node("person", name="Ada Brown", city="Leeds"),
            "rain": node(
                "book", title="Rain Gauges", pages=212, published="2021-03-05", genre="manual"
            ),
        },
        [
            edge("ada-wrote-rain", "wrote", "ada", "rain", share=60),
            edge("ada-borrowed-rain", "borrowed", "ada", "rain", weeks=3),
        ],
    )


def evidence() -> dict[str, Any]:
    """Where each value of that graph stands."""
    return {
        "ada": {"name": quote("Ada Brown"), "city": quote("lives in Leeds")},
        "rain": {
            "title": quote("Rain Gauges"),
            "pages": quote("212 pages"),
            "published": quote("5 March 2021"),
            "genre": quote("The manual"),
        },
        "ada-wrote-rain": {"share": quote("60 % of the rights")},
        "ada-borrowed-rain": {"weeks": cell(0, "weeks")},
    }


def files() -> dict[str, str]:
    """Every file of the corpus: its text by its path."""
    return {
        "README.md": "# Shelf\n\nTwo notes of a small library.\n",
        "grammar.yaml": GRAMMAR,
        "policies/strict.yaml": STRICT,
        "policies/lenient.yaml": LENIENT,
        "one-book/case.yaml": "why: A value stands only in the table.\ntags: [table]\n",
        "one-book/sources/note.md": NOTE,
        "one-book/sources/loans.csv": LOANS,
        "one-book/expected_graph.json": json.dumps(gold(), indent=1),
        "one-book/expected_evidence.json": json.dumps(evidence(), indent=1),
        "one-book/verifiers.yaml": "node.book[rain].pages: {kind: numeric_tolerance, abs: 2}\n",
        "nothing-said/case.yaml": "why: Nothing is said, so nothing is made up.\ntags: [empty]\n",
        "nothing-said/sources/note.md": EMPTY_NOTE,
        "nothing-said/expected_graph.json": json.dumps(graph()),
        "nothing-said/expected_evidence.json": "{}",
    }


def write_corpus(folder: Path, changes: Mapping[str, Any] | None = None) -> Path:
    """Writes the corpus into ``folder`` and returns it.

    Args:
        folder: Where to; made if it is not there.
        changes: By path: another file's text or bytes, or None for no such file. What is neither
            is written as JSON.
    """
    for path, content in {**files(), **(changes or {})}.items():
        if content is None:
            continue
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str | bytes) else json.dumps(content)
        target.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder
