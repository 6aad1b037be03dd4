"""The graphs of several parts made one."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from creel_inspect.extract.corpus.evidence import MOST_SELECTORS
from creel_inspect.extract.extractors.submission import Element, Submission, SubmittedEdge
from creel_inspect.extract.grammar.model import Grammar
from creel_inspect.verify.plain import shown


def merged(
    earlier: Submission,
    later: Submission,
    *,
    known: Collection[str],
    label: str,
    grammar: Grammar,
) -> tuple[Submission, list[str]]:
    """Both graphs as one, and where they contradict each other.

    A node whose id was known means the earlier node: their attributes are united. Where both have
    a value, lists are joined; of single values that differ, the later one is kept and noted. Edges
    that are alike in type, ends and attributes are one if they come from both; within one graph
    they are as many as were given.

    Args:
        earlier: The graph so far.
        later: What a model gave for the next part. Its edges may join nodes of the earlier graph.
        known: The ids the model was told of. Another node of the same id is another thing: the
            later one gets an id of its own.
        label: What the part is called, for notes and new ids.
        grammar: For the lineage of types, and to know lists.
    """
    taken = {*earlier.nodes, *later.nodes}
    renamed = {
        name: _free_id(name, label, taken)
        for name in later.nodes
        if name in earlier.nodes and name not in known
    }
    nodes, notes = dict(earlier.nodes), list[str]()
    for name, node in later.nodes.items():
        own = renamed.get(name, name)
        if own in nodes:
            nodes[own], said = _united(nodes[own], node, own, grammar)
            notes += [f"{label}: {one}" for one in said]
        else:
            nodes[own] = node
    edges = [
        replace(
            edge,
            source=renamed.get(edge.source, edge.source),
            target=renamed.get(edge.target, edge.target),
        )
        for edge in later.edges
    ]
    return Submission(nodes, (*earlier.edges, *_new(earlier.edges, edges))), notes


def _free_id(name: str, label: str, taken: Collection[str]) -> str:
    new = f"{name} ({label})"
    while new in taken:
        new += "'"
    return new


def _new(earlier: Iterable[SubmittedEdge], later: Iterable[SubmittedEdge]) -> list[SubmittedEdge]:
    there = Counter(map(_identity, earlier))
    new = []
    for edge in later:
        identity = _identity(edge)
        if there[identity]:
            there[identity] -= 1
        else:
            new.append(edge)
    return new


def _united(
    earlier: Element, later: Element, name: str, grammar: Grammar
) -> tuple[Element, list[str]]:
    notes = []
    specific = grammar.most_specific("node", (earlier.type, later.type))
    kind = specific[-1]
    if len(specific) > 1:
        notes.append(
            f"{shown(name)} was {earlier.type} before, and is {later.type} here: the later is kept"
        )
    attributes, evidence = dict(earlier.attributes), dict(earlier.evidence)
    for key, value in later.attributes.items():
        record = later.evidence.get(key)
        if key in attributes and _same(attributes[key], value):
            # Said twice: the evidence there is stays, if there is any.
            if record is not None:
                evidence.setdefault(key, record)
            continue
        before = attributes.get(key)
        declared = grammar.attribute("node", kind, key)
        several = declared is not None and declared.multivalued
        if several and isinstance(before, list) and isinstance(value, list):
            attributes[key] = [*before, *(one for one in value if one not in before)]
            record = _joined(evidence.get(key), record)
        else:
            attributes[key] = value
            if before is not None:  # no attribute that was read is None
                notes.append(
                    f"node.{kind}[{shown(name)[1:-1]}].{shown(key)[1:-1]} was {shown(before)} "
                    f"before, and is {shown(value)} here: the later is kept"
                )
        evidence.pop(key, None)
        if record is not None:
            evidence[key] = record
    return Element(kind, attributes, evidence), notes


def _joined(
    earlier: Mapping[str, Any] | None, later: Mapping[str, Any] | None
) -> Mapping[str, Any] | None:
    """One record for a list whose values stand in two places."""
    if earlier is None or later is None:
        return later or earlier
    grounding: list[Mapping[str, Any]] = []
    for record in (earlier, later):
        # A quote stands in the record's source; here each names its own.
        name = record["provenance"]["derived_from"]
        grounding += [{"source": name, **selector} for selector in record["grounding"]]
    derived = ", ".join(dict.fromkeys(selector["source"] for selector in grounding))
    return {"provenance": {"derived_from": derived}, "grounding": grounding[:MOST_SELECTORS]}


def _same(one: Any, other: Any) -> bool:
    return _canonical(one) == _canonical(other)


def _identity(edge: SubmittedEdge) -> tuple[str, ...]:
    return edge.type, edge.source, edge.target, _canonical(edge.attributes)


def _canonical(value: Any) -> str:
    """One text for equal JSON values: ``true`` is not ``1``."""
    return json.dumps(value, sort_keys=True)
