"""creel's evidence, which is one record for each element, told apart by attribute.

creel's record names the match, the row or the record an element came from. What of it an attribute
stands on follows from the binding: a pattern's match holds all its groups; of a row it is the
attribute's own column; of a JSON record its own key. Where that is not known (an attribute that
came from an earlier extractor of a merged node, a value that a model gave without a quote) the
attribute has no record, since one that points elsewhere would be false.

Each record's ``generated_by`` is creel's, with ``creel:`` before it: it says less than creel's own,
which stands for a whole element.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from creel.evidence import Evidence, JsonPathSelector
from creel.extract.query import _json_select  # private, hence the bound on creel's version
from creel.graph.model import Graph
from creel.sources import TABLE, Source, SourceBundle

Record = dict[str, Any]
_INDEX = re.compile(r"\[([0-9]{1,9})\]\Z")
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,199}\Z")
_LONGEST_KEY = 200


def evidence_by_attribute(
    graph: Graph, bindings: Mapping[str, Any], sources: SourceBundle
) -> dict[str, dict[str, Record]]:
    """Element id -> attribute -> creel evidence record, for each attribute that has one."""
    reader = _Reader(bindings, sources)
    found: dict[str, dict[str, Record]] = {}
    for element in (*graph.nodes(), *graph.edges()):
        evidence = graph.evidence.get(element.id)
        if isinstance(evidence, Evidence):
            records = {
                name: _narrowed(record)
                for name, value in element.attributes.items()
                if (record := reader.record(evidence, name, value)) is not None
            }
            if records:
                found[element.id] = records
    return found


def _narrowed(record: Record) -> Record:
    provenance = record["provenance"]
    by = f"creel:{provenance['generated_by']}"
    return {**record, "provenance": {**provenance, "generated_by": by}}


class _Reader:
    def __init__(self, bindings: Mapping[str, Any], sources: SourceBundle) -> None:
        self._bindings, self._sources = bindings, sources
        self._places: dict[str, list[tuple[int | str | None, Any]]] = {}

    def record(self, evidence: Evidence, attribute: str, value: Any) -> Record | None:
        family, _, rest = evidence.provenance.generated_by.partition(":")
        if family == "llm":
            return self._quoted(evidence, value)
        if family == "pattern":
            _, _, step = rest.partition(":")
            return self._matched(evidence, self._config(step), attribute, value)
        config = self._config(rest)
        column = config.get("attributes", {}).get(attribute)
        return None if column is None else self._cell(evidence, rest, config, column)

    def _config(self, step: str) -> Mapping[str, Any]:
        config: Mapping[str, Any] = self._bindings[step]["config"]
        return config

    def _matched(
        self, evidence: Evidence, config: Mapping[str, Any], attribute: str, value: Any
    ) -> Record | None:
        record = evidence.to_dict()
        if attribute not in re.compile(config["pattern"]).groupindex:
            return None
        # Of a node that was matched twice, the second match need not have every group.
        if isinstance(value, str) and value not in record["grounding"][0]["exact"]:
            return None
        return record

    def _cell(
        self, evidence: Evidence, step: str, config: Mapping[str, Any], column: str
    ) -> Record | None:
        """The cell or JSON value that one attribute was read from."""
        name = config["records_source"]
        source = self._sources.get(name)
        [selector] = evidence.grounding
        if source is None:
            return None
        queried = isinstance(selector, JsonPathSelector)
        if step not in self._places:
            self._places[step] = _places(source, config, queried=queried)
        # creel numbers the records it made elements of; a query's expression ends in the number.
        number = int(_INDEX.findall(selector.expression)[0]) if queried else selector.row
        place, record = self._places[step][number]
        if place is None or column not in record:
            return None
        exact: Record
        if source.kind == TABLE:
            exact = {"type": "CellSelector", "source": name, "row": place, "column": column}
        else:
            last = _step(column)
            if last is None:
                return None
            exact = {"type": "JsonPathSelector", "expression": f"{place}{last}", "source": name}
        return {**evidence.to_dict(), "grounding": [exact]}

    def _quoted(self, evidence: Evidence, value: Any) -> Record | None:
        """A model's item has one quote, of the first of its texts that is in the sources."""
        record = evidence.to_dict()
        quotes = [one for one in record["grounding"] if one["type"] == "TextQuoteSelector"]
        if not quotes or quotes[0]["exact"] != value:
            return None
        for one in record["grounding"]:
            if one["type"] == "TextPositionSelector":
                # creel counts over all the texts together, and names the first.
                name, before = self._text_at(one["start"])
                if one["end"] - before > len(self._sources.get(name).content):
                    return None  # it reaches from one text into the next
                one.update(source=name, start=one["start"] - before, end=one["end"] - before)
                record["provenance"]["derived_from"] = name
        return record

    def _text_at(self, offset: int) -> tuple[str, int]:
        before = 0
        found = ("", 0)
        for source in self._sources.texts():
            if before > offset:
                break
            found = (source.id, before)
            before += len(source.content) + len("\n\n")
        return found


def _places(
    source: Source, config: Mapping[str, Any], *, queried: bool
) -> list[tuple[int | str | None, Any]]:
    """Each record, and where it is: its row in a table, its JSONPath elsewhere; None if made up.

    JMESPath hands out the source's own objects, unless an expression builds new ones.
    """
    content = source.content
    if source.kind == TABLE:
        known: dict[int, int | str] = {id(row): number for number, row in enumerate(content)}
    else:
        known = {id(one): path for path, one in _containers(content)}
    select, where = config.get("select"), config.get("where")
    picked = _json_select(content, select, where) if queried else content
    return [(known.get(id(one)), one) for one in picked]


def _containers(content: Any) -> Iterator[tuple[str, Any]]:
    """Each mapping and list in a JSON value, with its JSONPath, as far as one can be written."""
    left = [("$", content)]
    while left:
        path, one = left.pop()
        if isinstance(one, Mapping):
            steps = ((_step(key), inner) for key, inner in one.items())
            left.extend((path + step, inner) for step, inner in steps if step is not None)
        elif isinstance(one, list):
            left.extend((f"{path}[{number}]", inner) for number, inner in enumerate(one))
        else:
            continue
        yield path, one


def _step(key: str) -> str | None:
    """A key as a step of a path; None where it would have to be escaped, which few readers undo."""
    if _PLAIN_KEY.match(key):
        return f".{key}"
    if "\\" in key or not 0 < len(key) <= _LONGEST_KEY:
        return None
    quote = next((mark for mark in "'\"" if mark not in key), None)
    return quote and f"[{quote}{key}{quote}]"
