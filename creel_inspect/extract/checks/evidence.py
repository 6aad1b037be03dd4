"""What is wrong between a gold graph, the evidence for it, and the sources."""

import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from creel_inspect.extract.checks.findings import Finding, Problem, finding, findings_of, plain
from creel_inspect.extract.corpus import layout
from creel_inspect.extract.corpus.evidence import check_evidence, spans
from creel_inspect.extract.corpus.sources import Source
from creel_inspect.extract.files.reading import CorpusError, inside, read_json
from creel_inspect.extract.grammar.model import Attribute, Grammar
from creel_inspect.extract.marking.faithfulness import ground
from creel_inspect.verify.graph.model import Graph
from creel_inspect.verify.graph.resolution import Side
from creel_inspect.verify.plain import shown

_ELSEWHERE = "; its evidence"
"""How ``ground`` goes on about a value that is in a source and not where its evidence points."""


@dataclass(frozen=True)
class Known:
    """The sources of a case that could be read, and the names of those that could not."""

    read: Mapping[str, Source]
    unread: Collection[str] = ()


@dataclass(frozen=True)
class Element:
    """One element of a gold graph, by its id."""

    side: Side
    types: tuple[str, ...]
    label: str
    """Its most specific type."""
    id: str
    attributes: Mapping[str, Any]

    def path(self, attribute: str | None = None) -> str:
        """Its taxonomy path, or that of one of its attributes."""
        tail = f".{plain(attribute)}" if attribute is not None else ""
        return f"{self.side}.{plain(self.label)}[{plain(self.id)}]{tail}"


def check_evidence_file(
    folder: Path,
    corpus: Path,
    name: str,
    gold: Graph | None,
    sources: Known,
    grammar: Grammar | None,
) -> Iterator[Finding]:
    """What is wrong with a case's evidence.

    Args:
        folder: The case.
        corpus: The corpus it is in.
        name: The case, as messages call it.
        gold: The gold graph; None where it is none, and only shapes can be checked.
        sources: Those of the case.
        grammar: What the gold is made of; None where there is none in order.
    """
    where = f"{name}/{layout.EVIDENCE}"
    there = os.path.lexists(folder / layout.EVIDENCE)
    elements = elements_of(gold, grammar) if gold is not None else []
    if not there:
        values = sum(1 for _ in _values(elements))
        if values:
            message = f"is not there: the gold has {values:,} values, and none says where it stands"
            yield finding(where, Problem.EVIDENCE_MISSING, message)
        return
    try:
        value = read_json(inside(corpus, folder.name, layout.EVIDENCE), corpus).value
    except CorpusError as error:
        yield from findings_of(error, where, Problem.EVIDENCE_INVALID)
        return
    for fault in check_evidence(value):
        yield finding(where, Problem.EVIDENCE_INVALID, fault)
    if gold is not None and isinstance(value, dict):
        yield from check_gold_evidence(value, where, elements, sources, grammar)


def elements_of(gold: Graph, grammar: Grammar | None) -> list[Element]:
    """The elements of a graph: its nodes, then its edges."""
    found = []
    for name, node in gold.nodes.items():
        most = grammar.most_specific("node", node.types) if grammar else node.types
        label = most[0] if most else ""
        found.append(Element("node", tuple(node.types), label, name, node.attributes))
    for edge in gold.edges:
        found.append(Element("edge", (edge.type,), edge.type, edge.id, edge.attributes))
    return found


def _values(elements: list[Element]) -> Iterator[tuple[Element, str, Any]]:
    for element in elements:
        for attribute, value in element.attributes.items():
            if value is not None:
                yield element, attribute, value


def check_gold_evidence(
    evidence: Mapping[str, Any],
    where: str,
    elements: list[Element],
    sources: Known,
    grammar: Grammar | None,
) -> Iterator[Finding]:
    """What is wrong with evidence that could be read.

    Records whose shape is wrong are passed over: ``check_evidence`` tells of those.
    """
    by_id = {element.id: element for element in reversed(elements)}
    for name, records in evidence.items():
        element = by_id.get(name)
        if element is None:
            message = "the gold has no such element"
            yield finding(f"{where}: {plain(name)}", Problem.EVIDENCE_STRAY, message)
            continue
        for attribute in records if isinstance(records, dict) else ():
            if attribute not in element.attributes:
                message = "the gold's element has no such attribute"
                place = f"{where}: {element.path(attribute)}"
                yield finding(place, Problem.EVIDENCE_STRAY, message)
    for element, attribute, value in _values(elements):
        place = f"{where}: {element.path(attribute)}"
        records = evidence.get(element.id)
        record = records.get(attribute) if isinstance(records, dict) else None
        if record is None:
            message = f"nothing says where {shown(value)} stands"
            yield finding(place, Problem.EVIDENCE_MISSING, message)
        elif not check_evidence({element.id: {attribute: record}}):
            described = (
                grammar.attribute(element.side, element.label, attribute) if grammar else None
            )
            yield from _check_record(record, place, value, described, sources, grammar)


def _check_record(
    record: Mapping[str, Any],
    place: str,
    value: Any,
    described: Attribute | None,
    sources: Known,
    grammar: Grammar | None,
) -> Iterator[Finding]:
    stands_on = spans(record, sources.read)
    named = {one.strip() for one in record["provenance"]["derived_from"].split(",")}
    named.update(*(span.source.split(", ") for span in stands_on))
    if named & set(sources.unread):
        return  # told of the source itself
    if not stands_on:
        message = f"the record says nowhere in a source where {shown(value)} stands"
        yield finding(place, Problem.EVIDENCE_MISSING, message)
        return
    lost = [span.problem for span in stands_on if not span.found]
    if not lost and record["provenance"]["derived_from"] not in sources.read:
        unknown = sorted(named - {"", *sources.read})
        lost = [f"there is no source {shown(one)}" for one in unknown]
    for problem in lost:
        yield finding(place, Problem.EVIDENCE_NOT_FOUND, problem)
    if lost or grammar is None:
        return
    grounding = ground(value, described, grammar, record, sources.read)
    if grounding.state == "ungrounded":
        yield finding(place, Problem.VALUE_UNGROUNDED, grounding.reason)
    # A classification need not be spelled: its word may stand elsewhere and mean something else.
    elif not _classifies(described, grammar) and _ELSEWHERE in grounding.reason:
        yield finding(place, Problem.VALUE_ELSEWHERE, grounding.reason)


def _classifies(described: Attribute | None, grammar: Grammar) -> bool:
    return described is not None and grammar.nature(described) in {"enum", "boolean"}
