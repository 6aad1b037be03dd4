"""What is wrong with one case, file by file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from creel_inspect.extract.checks.evidence import Known, check_evidence_file
from creel_inspect.extract.checks.findings import Finding, Problem, finding, findings_of, plain
from creel_inspect.extract.corpus import case_files, layout
from creel_inspect.extract.corpus.sources import MOST_SOURCES, Source, source_from
from creel_inspect.extract.files.reading import CorpusError, inside, read_text
from creel_inspect.extract.grammar.model import Grammar
from creel_inspect.extract.policy.paths import path_fault
from creel_inspect.extract.policy.policy import MOST_PATHS, policy_from
from creel_inspect.extract.policy.resolution import PolicyResolution
from creel_inspect.verify.graph.canonical import digest
from creel_inspect.verify.graph.comparing import MOST_EDGES, MOST_NODES, too_large
from creel_inspect.verify.graph.model import Edge, Graph, InvalidGraph, Node
from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import VerifierConfigError, VerifierError
from creel_inspect.verify.schema.budget import Budget
from creel_inspect.verify.schema.graph_checks import broken_rules
from creel_inspect.verify.schema.graph_rules import GraphRules
from creel_inspect.verify.schema.json_values import json_copy, weights_of

_READ = {layout.ABOUT, layout.SOURCES, layout.GOLD, layout.EVIDENCE, layout.OVERRIDES}
_UNREAD = object()
_BARE: dict[str, Any] = {"types": [], "attributes": {}}


@dataclass(frozen=True)
class CheckedCase:
    """What could be read of a case, whole.

    Attributes:
        id: Its folder's name.
        sources: Empty where one of them could not be read.
        gold: None where it is no graph.
        overrides: Specs for single elements; empty where they could not be read.
    """

    id: str
    sources: Mapping[str, Source]
    gold: Graph | None
    overrides: Mapping[str, Any] = field(default_factory=dict)


def check_case(
    folder: Path, corpus: Path, grammar: Grammar | None, rules: GraphRules | None
) -> tuple[CheckedCase, list[Finding]]:
    """What is wrong with a case, in the order of its files, and what could be read of it.

    Args:
        folder: The case.
        corpus: The corpus it is in.
        grammar: None where there is none in order; then what needs one is left out.
        rules: The grammar's rules over a graph.
    """
    found: list[Finding] = []
    name = shown(folder.name, 200)[1:-1]

    def tried(problem: Problem, file: str, read: Any) -> Any:
        try:
            return read(folder, corpus)
        except CorpusError as error:
            found.extend(findings_of(error, f"{name}/{file}", problem))
            return _UNREAD

    try:
        layout.refuse_odd_name(folder)
    except CorpusError as error:
        found.extend(findings_of(error, name, Problem.CASE_NAME))
    if not folder.resolve().is_relative_to(corpus):
        return CheckedCase(folder.name, {}, None), [
            *found,
            finding(name, Problem.CASE_INVALID, "leads out of the corpus: put the files there"),
        ]
    tried(Problem.CASE_INVALID, layout.ABOUT, case_files.read_about)
    sources, unread, faults = _check_sources(folder, corpus, name)
    found.extend(faults)
    value = tried(Problem.GOLD_INVALID, layout.GOLD, case_files.read_gold_json)
    known = Known(sources, unread)
    gold = None
    if value is not _UNREAD:
        gold, faults = check_gold(value, f"{name}/{layout.GOLD}", grammar, rules)
        found.extend(faults)
    found.extend(check_evidence_file(folder, corpus, name, gold, known, grammar))
    overrides = tried(Problem.OVERRIDE_INVALID, layout.OVERRIDES, case_files.read_overrides)
    if overrides is not _UNREAD and grammar is not None:
        where = f"{name}/{layout.OVERRIDES}"
        found.extend(check_overrides(overrides, where, gold, grammar))
    found.extend(_unread(folder, name))
    # What is left of a broken gold says nothing about the whole one.
    broken = any(one.problem == Problem.GOLD_INVALID for one in found)
    held = overrides if isinstance(overrides, Mapping) else {}
    read = {} if unread else sources
    return CheckedCase(folder.name, read, None if broken else gold, held), found


def _check_sources(
    folder: Path, corpus: Path, name: str
) -> tuple[dict[str, Source], list[str], list[Finding]]:
    """The sources that can be read, the names of those that cannot, and what is wrong."""
    where = f"{name}/{layout.SOURCES}"
    try:
        sources = case_files.read_case_sources(folder, corpus)
    except CorpusError as error:
        whole = findings_of(error, where, Problem.SOURCES_INVALID)
    else:
        empty = [] if sources else [finding(where, Problem.NO_SOURCES, case_files.NO_SOURCES)]
        return sources, [], empty
    found: list[Finding] = []
    read, unread = {}, []
    try:
        held = layout.visible(folder / layout.SOURCES)[:MOST_SOURCES]
    except CorpusError:
        held = []  # told already
    for path in held:
        try:
            text = read_text(inside(corpus, folder.name, layout.SOURCES, path.name), corpus)
            read[path.name] = source_from(path.name, text)
        except CorpusError as error:
            unread.append(path.name)
            found.extend(findings_of(error, f"{where}/{plain(path.name)}", Problem.SOURCES_INVALID))
    return read, unread, found or whole


def check_gold(
    value: Any, where: str, grammar: Grammar | None, rules: GraphRules | None
) -> tuple[Graph | None, list[Finding]]:
    """What is wrong with a gold graph, and the part of it that is one.

    Args:
        value: What the file holds.
        where: The file.
        grammar: What the graph is to be made of, if that could be read.
        rules: The grammar's rules over a graph.
    """
    graph, faults = _parts_in_order(value)
    problem = too_large(graph) if graph is not None else ""
    if problem:
        return None, [finding(where, Problem.GOLD_TOO_LARGE, problem)]
    found = [finding(where, Problem.GOLD_INVALID, fault) for fault in faults]
    if graph is None:
        return None, found
    shared = sorted(set(graph.nodes) & {edge.id for edge in graph.edges})
    for one in shared:
        message = "a node and an edge have this id, and evidence is found by it; rename one"
        found.append(finding(f"{where}: {plain(one)}", Problem.ID_SHARED, message))
    if grammar is not None:
        for name, message in case_files.without_one_type(graph, grammar):
            found.append(finding(f"{where}: {plain(name)}", Problem.TYPES_TIE, message))
    if rules is not None:
        found.extend(_broken(graph, where, rules))
    return graph, found


def _parts_in_order(value: Any) -> tuple[Graph | None, list[str]]:
    """The graph that the parts in order make, and what is wrong with the others."""
    try:
        return Graph.from_json(value), []
    except InvalidGraph as error:
        whole = str(error)
    nodes, edges = (
        (value.get(k) for k in ("nodes", "edges")) if isinstance(value, dict) else 2 * [0]
    )
    if not isinstance(nodes, dict) or not isinstance(edges, list):
        return None, [whole]
    if len(nodes) > MOST_NODES or len(edges) > MOST_EDGES:
        return None, [f"{whole}; no more was looked at, since it is too large to be scored"]
    try:
        Graph.from_json({**value, "nodes": {}, "edges": []})
    except InvalidGraph as error:
        return None, [str(error)]
    faults: list[str] = []
    good: dict[str, Node] = {}
    kept: list[Edge] = []
    for name, node in nodes.items():
        try:
            good |= Graph.from_json({"nodes": {name: node}, "edges": []}).nodes
        except InvalidGraph as error:
            faults.append(str(error))
    seen: set[str] = set()
    for number, edge in enumerate(edges):
        ends = [edge.get(end) for end in ("source", "target")] if isinstance(edge, dict) else []
        there: dict[Any, Any] = {
            end: {"types": [], "attributes": {}} for end in ends if _is_in(end, nodes)
        }
        try:
            one = Graph.from_json({"nodes": there, "edges": [edge]}).edges[0]
        except InvalidGraph as error:
            faults.append(str(error).replace("edges[0]", f"edges[{number}]", 1))
            continue
        if one.id in seen:
            faults.append(f"edges[{number}].id: {shown(one.id)} is used twice")
        elif one.source in good and one.target in good:
            kept.append(one)
        seen.add(one.id)
    return Graph(good, tuple(kept), value.get("directed", True)), faults or [whole]


def _is_in(end: Any, nodes: Mapping[str, Any]) -> bool:
    return isinstance(end, str) and end in nodes


def _broken(graph: Graph, where: str, rules: GraphRules) -> Iterator[Finding]:
    value = graph.to_json()
    plain, parts = weights_of(value)
    copied = Graph.from_json(json_copy(value))
    try:
        for _, violation in broken_rules(rules, copied, Budget(plain + parts, parts)):
            if violation is not None:
                place = f"{where}: {violation.path}"
                yield finding(place, Problem.GOLD_BREAKS_GRAMMAR, violation.message)
    except VerifierError as error:
        yield finding(where, Problem.GOLD_TOO_LARGE, f"the rest is unchecked: {error}")


def check_overrides(
    overrides: Mapping[str, Any], where: str, gold: Graph | None, grammar: Grammar
) -> Iterator[Finding]:
    """What is wrong with each of a case's own verifiers."""
    policy = policy_from(None)
    good = {}
    for path, spec in list(overrides.items())[:MOST_PATHS]:
        place = f"{where}: {plain(path)}"
        fault = path_fault(path, grammar)
        if fault:
            yield finding(place, Problem.OVERRIDE_MATCHES_NOTHING, fault)
            continue
        try:
            PolicyResolution(grammar, policy, {path: spec})
            good[path] = spec
        except VerifierConfigError as error:
            message = str(error).removeprefix(f"{layout.OVERRIDES}: ")
            yield finding(place, Problem.OVERRIDE_INVALID, message)
    if len(overrides) > MOST_PATHS:
        message = f"expected at most {MOST_PATHS:,} verifiers, came {len(overrides):,}"
        yield finding(where, Problem.OVERRIDE_INVALID, message)
    if gold is None:
        return
    for path in PolicyResolution(grammar, policy, good).unmatched(gold):
        message = "the gold of this case has no such element, or not this attribute on it"
        yield finding(f"{where}: {plain(path)}", Problem.OVERRIDE_MATCHES_NOTHING, message)


def _unread(folder: Path, name: str) -> Iterator[Finding]:
    try:
        held = layout.visible(folder)
    except CorpusError as error:
        yield from findings_of(error, name, Problem.FILE_UNREAD)
        return
    for path in held:
        if path.name not in _READ:
            message = f"nothing reads it; a case has {', '.join(sorted(_READ))}"
            yield finding(f"{name}/{plain(path.name)}", Problem.FILE_UNREAD, message)


def fingerprint(gold: Graph) -> str:
    """What a graph says, its ids apart: equal for graphs that differ in nothing else.

    Two graphs whose elements and ends of edges say the same count as equal even where the edges
    join other ones of equal nodes.
    """
    nodes = {
        name: digest([sorted(node.types), dict(node.attributes)])
        for name, node in gold.nodes.items()
    }
    edges = (
        digest([edge.type, dict(edge.attributes), nodes[edge.source], nodes[edge.target]])
        for edge in gold.edges
    )
    return digest([sorted(nodes.values()), sorted(edges)])
