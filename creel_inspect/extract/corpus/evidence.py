"""Evidence as ``creel`` records it: where a value comes from, and which text it stands on.

A record holds ``provenance`` (``derived_from``: the source, or several with commas between) and
``grounding``: selectors, after the Web Annotation data model of the W3C, each of which picks text
in a source. ``creel`` keeps one record for each element, not for each attribute; its table and
JSON extractors name one cell, or the record's place, for all that they read from the record. Such
a record (``generated_by`` begins with ``query:``) picks the whole row.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

from creel_inspect.extract.corpus.passages import Passage, leaves
from creel_inspect.extract.corpus.quoting import passages_between, quoted
from creel_inspect.extract.corpus.sources import Source
from creel_inspect.extract.files.json_places import NoSuchPlace, values_at
from creel_inspect.verify.plain import shown

Record: TypeAlias = Mapping[str, Any]
Evidence: TypeAlias = dict[str, dict[str, Record]]
"""Records by element and attribute."""

MOST_SELECTORS = 100
"""In one record."""
MOST_PICKED = 10_000
"""Characters, cells or JSON values that one selector picks: more point to nothing in particular."""
_MOST_FAULTS = 100


@dataclass(frozen=True)
class Span:
    """The text that one selector picks.

    Attributes:
        source: The source's name; all that were looked in where the text is in none.
        text: What is picked, or what was looked for.
        found: Whether it is there.
        place: The selector in words, as in "the quote in report.md".
        problem: Why nothing is picked.
        passages: What is picked, in pieces that are each read for itself, with what stands
            round it where that says how to read it.
    """

    source: str
    text: str
    found: bool
    place: str = ""
    problem: str = ""
    passages: tuple[Passage, ...] = ()


_KEYS: dict[str, tuple[dict[str, type], dict[str, type]]] = {
    "TextQuoteSelector": ({"exact": str}, {"prefix": str, "suffix": str, "source": str}),
    "TextPositionSelector": ({"start": int, "end": int}, {"source": str}),
    "CellSelector": ({"source": str, "row": int, "column": str}, {}),
    "JsonPathSelector": ({"expression": str}, {"source": str}),
}
"""The keys of each selector: those that it must have, and those that it may."""
_CALLED = {str: "text", int: "a whole number"}


def check_evidence(value: Any) -> list[str]:
    """What is wrong with the shape of evidence, as sentences; at most 100. Empty if nothing is.

    Whether a source is there, and holds what is quoted, ``spans`` says.
    """
    return list(islice(_faults(value), _MOST_FAULTS))


def _faults(value: Any) -> Iterator[str]:
    if not isinstance(value, Mapping):
        yield f"evidence is a mapping of elements, came {shown(value)}"
        return
    for element, attributes in value.items():
        if not isinstance(attributes, Mapping):
            yield (
                f"{shown(element)}: expected a mapping of attributes to their records, came "
                f"{shown(attributes)}"
            )
            continue
        for attribute, record in attributes.items():
            where = f"{shown(element)[1:-1]}.{shown(attribute)[1:-1]}"
            yield from (f"{where}: {fault}" for fault in _record_faults(record))


def _record_faults(record: Any) -> Iterator[str]:
    if not isinstance(record, Mapping):
        yield f"a record has `provenance` and `grounding`, came {shown(record)}"
        return
    provenance, grounding = record.get("provenance"), record.get("grounding")
    if not isinstance(provenance, Mapping):
        yield f"expected `provenance` with `derived_from`, came {shown(provenance)}"
    elif not isinstance(provenance.get("derived_from"), str) or not provenance["derived_from"]:
        yield (
            "expected the name of a source, or several with commas between, at "
            f"`provenance.derived_from`, came {shown(provenance.get('derived_from'))}"
        )
    if not isinstance(grounding, list | tuple):
        yield f"expected a list of selectors at `grounding`, came {shown(grounding)}"
        return
    if len(grounding) > MOST_SELECTORS:
        yield f"it has {len(grounding):,} selectors; a record has at most {MOST_SELECTORS}"
        return
    for number, selector in enumerate(grounding):
        yield from (f"`grounding[{number}]`: {fault}" for fault in _selector_faults(selector))


def _selector_faults(selector: Any) -> Iterator[str]:
    kind = selector.get("type") if isinstance(selector, Mapping) else None
    if not isinstance(kind, str) or kind not in _KEYS:
        yield (
            f"expected a selector with `type` one of {', '.join(_KEYS)}, came "
            f"{shown(kind if isinstance(selector, Mapping) else selector)}"
        )
        return
    required, optional = _KEYS[kind]
    for key, sort in {**required, **optional}.items():
        given: Any = selector.get(key)
        if given is None and (key in optional or key not in selector):
            if key in required:
                yield f"a {kind} has `{key}`, {_CALLED[sort]}: it is missing"
        elif not isinstance(given, sort) or isinstance(given, bool):
            yield f"`{key}` of a {kind} is {_CALLED[sort]}, came {shown(given)}"
        elif key == "exact" and isinstance(given, str) and not given.strip():
            yield "`exact` quotes nothing"
        elif isinstance(given, int) and given < 0:
            yield f"`{key}` counts from 0, came {shown(given)}"
    start, end = selector.get("start"), selector.get("end")
    if type(start) is type(end) is int and start >= end:
        yield f"`start` is before `end`, came {shown(start)} and {shown(end)}"


def spans(record: Record, sources: Mapping[str, Source]) -> list[Span]:
    """The text that each selector of a record picks, in order.

    A quote is in a source if it is there as written, except that any white space stands for any
    other; where it is there several times, those that fit ``prefix`` and ``suffix`` best count.
    What cannot be found, or has a fault of shape, is a span with ``found`` false and its problem.
    """
    if not isinstance(record, Mapping):
        return []
    provenance, grounding = record.get("provenance"), record.get("grounding")
    said = provenance if isinstance(provenance, Mapping) else {}
    derived = said.get("derived_from")
    derived = derived if isinstance(derived, str) else ""
    by = said.get("generated_by")
    whole = isinstance(by, str) and by.startswith("query:")
    named = [one.strip() for one in derived[:MOST_PICKED].split(",") if one.strip()]
    if derived in sources:  # a file's name may hold a comma
        named = [derived]
    found = []
    for selector in grounding[:MOST_SELECTORS] if isinstance(grounding, list | tuple) else ():
        fault = next(_selector_faults(selector), None)
        if fault:
            found.append(Span(derived, "", found=False, problem=fault))
            continue
        name = selector.get("source")
        found.append(_span(selector, [name] if name else named, sources, whole))
    return found


class _NotPicked(Exception):
    """A selector picks nothing; the message says why."""


def _span(
    selector: Mapping[str, Any], names: list[str], sources: Mapping[str, Source], whole: bool
) -> Span:
    """What a selector picks in the first of the named sources that has it."""
    kind = selector["type"]
    text = str(selector.get("exact") or selector.get("expression") or "")
    if not names:
        return Span("", text, found=False, problem="no source is named")
    problems = []
    for name in names[:MOST_SELECTORS]:
        source = sources.get(name)
        if source is None:
            problems.append(f"there is no source {shown(name)}")
            continue
        if kind == "TextPositionSelector" and len(names) > 1:
            problems.append("several sources are named, and not which of them has these places")
            break
        try:
            return _PICK[kind](selector, source, whole)
        except _NotPicked as problem:
            problems.append(str(problem))
    return Span(", ".join(names), text, found=False, problem="; ".join(problems[:5]))


def _quoted(selector: Mapping[str, Any], source: Source, whole: bool) -> Span:
    if len(selector["exact"]) > MOST_PICKED:
        raise _NotPicked(f"the quote has more than {MOST_PICKED:,} characters")
    quote = quoted(
        source, selector["exact"], selector.get("prefix") or "", selector.get("suffix") or ""
    )
    if quote is None:
        raise _NotPicked(f"the quote {shown(selector['exact'])} is not in {source.name}")
    where = f"the quote in {source.name}"
    return Span(source.name, quote.text, True, where, passages=quote.passages)


def _positioned(selector: Mapping[str, Any], source: Source, whole: bool) -> Span:
    start, end = selector["start"], selector["end"]
    if source.kind != "text":
        raise _NotPicked(f"{source.name} is no text: name a cell or a JSON path")
    if end > len(source.text):
        raise _NotPicked(
            f"{source.name} has {len(source.text):,} characters, and the place ends at {shown(end)}"
        )
    if end - start > MOST_PICKED:
        raise _NotPicked(f"the place has more than {MOST_PICKED:,} characters")
    passages = passages_between(source, start, end)
    where = f"characters {start} to {end} of {source.name}"
    return Span(source.name, source.text[start:end], True, where, passages=passages)


def _cell(selector: Mapping[str, Any], source: Source, whole: bool) -> Span:
    row, column = selector["row"], selector["column"]
    if source.kind != "table":
        raise _NotPicked(f"{source.name} is no table")
    if row >= len(source.content):
        raise _NotPicked(
            f"{source.name} has {len(source.content):,} rows, counted from 0, and not row "
            f"{shown(row)}"
        )
    cells: dict[str, str] = source.content[row]
    if whole:
        text = ", ".join(f"{name}: {cell}" for name, cell in islice(cells.items(), MOST_PICKED))
        passages = tuple(Passage(cell) for cell in islice(cells.values(), MOST_PICKED))
        return Span(source.name, text, True, f"row {row} of {source.name}", passages=passages)
    if column not in cells:
        columns = ", ".join(islice(source.columns, 20))
        raise _NotPicked(
            f"{source.name} has no column {shown(column)}: its columns are {shown(columns, 200)}"
        )
    where = f"row {row}, column {shown(column)} of {source.name}"
    passages = (Passage(cells[column]), Passage(column, label=True))
    return Span(source.name, cells[column], True, where, passages=passages)


def _json(selector: Mapping[str, Any], source: Source, whole: bool) -> Span:
    if source.kind != "json":
        raise _NotPicked(f"{source.name} is no JSON document")
    try:
        key, values = values_at(source.content, selector["expression"])
    except NoSuchPlace as problem:
        raise _NotPicked(f"{problem} in {source.name}") from problem
    passages = tuple(islice(leaves(values), MOST_PICKED + 1))
    if len(passages) > MOST_PICKED:
        raise _NotPicked(f"the path picks more than {MOST_PICKED:,} values")
    if key is not None:
        passages += (Passage(key, label=True),)
    alone = values[0] if len(values) == 1 else values
    text = alone if isinstance(alone, str) else json.dumps(alone, ensure_ascii=False)
    where = f"{shown(selector['expression'])[1:-1]} of {source.name}"
    return Span(source.name, text, True, where, passages=passages)


_PICK = {
    "TextQuoteSelector": _quoted,
    "TextPositionSelector": _positioned,
    "CellSelector": _cell,
    "JsonPathSelector": _json,
}
