"""Marking an extracted graph: one mark for every single thing that gold or candidate says.

A node says its type and its attributes; an edge its head, its relation, its tail and its
attributes. Nodes are aligned as ``graph_match`` aligns them, ids not trusted, and an attribute is
only right on an aligned element.
"""

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from creel_inspect.extract.corpus.sources import Source
from creel_inspect.extract.grammar.model import Grammar
from creel_inspect.extract.marking.comparable import comparable_candidate, comparable_gold
from creel_inspect.extract.marking.gating import Lookup
from creel_inspect.extract.marking.judge_watch import JudgeCounts, WatchedResolution
from creel_inspect.extract.marking.misfits import with_misfits_wrong
from creel_inspect.extract.marking.second_look import second_look
from creel_inspect.extract.policy.resolution import PolicyResolution
from creel_inspect.verify.graph.attributes import Compared
from creel_inspect.verify.graph.comparing import compare_graphs, too_large
from creel_inspect.verify.graph.edges import EdgePair
from creel_inspect.verify.graph.gate import Gate as ChanceGate
from creel_inspect.verify.graph.model import Edge, Graph, Node
from creel_inspect.verify.graph.pairing import pair_nodes
from creel_inspect.verify.graph.resolution import Chosen, Side
from creel_inspect.verify.graph.scoring import Found
from creel_inspect.verify.protocol import Context, VerifierError

State = Literal["right", "wrong", "missing", "invented", "unscored"]
GateMode = Literal["off", "report", "enforce"]
GATES: tuple[GateMode, ...] = ("off", "report", "enforce")
ENDS = ("head", "relation", "tail")
_NO_TYPE = "(no type)"


@dataclass(frozen=True, kw_only=True)
class Mark:
    """What became of one thing that gold or candidate says.

    Attributes:
        path: Its taxonomy path, by the expected element's id, or an invented one's own:
            ``node.project[prj-1].title``; ``edge.funds[f-1] head`` for an end of an edge.
        type: What it is counted under: ``node.project``. An aligned element counts under its
            expected type.
        part: ``node_type``, ``node_attributes``, ``edge_head``, ``edge_relation``, ``edge_tail``,
            ``edge_attributes``; or ``graph``, for the verdict on the whole, which counts in no F1.
        state: ``right``, ``wrong``, ``missing`` (only gold says it), ``invented`` (only the
            candidate does) or ``unscored`` (nobody can tell).
        expected: The gold's value, where it has one.
        actual: The candidate's, where it has one.
        verifier: The kind that decided; empty where no verifier was asked.
        origin: Where that verifier was named.
        reason: The verifier's words, or what is wrong.
        code: Why it is unscored, or ``ungrounded`` where the gate took a right value away.
        element: The expected element's id, or an invented one's own.
        actual_element: The candidate's id of it, where it has one.
        attribute: The attribute's name, for attributes.
        lone: Whether the whole element is missing, or invented.
        grounding: Whether the candidate's value stands in its evidence or in a source;
            ``unchecked`` for what sources need not spell, None where nothing was looked up.
        grounding_reason: Why.
    """

    path: str
    type: str
    part: str
    state: State
    expected: Any = None
    actual: Any = None
    verifier: str = ""
    origin: str = ""
    reason: str = ""
    code: str | None = None
    element: str = ""
    actual_element: str | None = None
    attribute: str | None = None
    lone: bool = False
    grounding: Literal["grounded", "ungrounded", "unchecked"] | None = None
    grounding_reason: str = ""


@dataclass(frozen=True)
class Marking:
    """A marked candidate.

    Attributes:
        marks: In the order of the gold: its nodes, what is invented beside them, its edges, what
            is invented beside them, and the verdict on the whole.
        alignment: Expected node id → actual node id.
        chance_floor: The edge F1 that chance reaches; see ``graph_match``.
        judge: The calls to a judge, made and saved.
        refused: Why the candidate was not compared at all; then everything is missing, and the
            verdict on the whole, where one is asked.
    """

    marks: tuple[Mark, ...]
    alignment: Mapping[str, str] = field(default_factory=dict)
    chance_floor: Mapping[str, float] = field(default_factory=dict)
    judge: JudgeCounts = field(default_factory=JudgeCounts)
    refused: str = ""


async def mark(
    expected: Graph,
    actual: Graph,
    grammar: Grammar,
    resolution: PolicyResolution,
    *,
    context: Context,
    evidence: Mapping[str, Mapping[str, Any]] | None = None,
    sources: Mapping[str, Source] | None = None,
    gate: GateMode = "report",
) -> Marking:
    """Marks a candidate.

    Where a node has several types, those that others of them inherit from are left out first, and
    so is an attribute that is null or a blank text: it says nothing.

    Args:
        expected: The gold.
        actual: The candidate.
        grammar: What both are written in.
        resolution: The verifier of each attribute, and of the whole.
        context: What the verifiers are told; its judge is asked where one is needed.
        evidence: What the candidate quotes: element id → attribute → record.
        sources: The documents, by name.
        gate: ``off`` looks no value up, ``report`` does and changes no state, ``enforce`` makes an
            ungrounded value wrong.

    Raises:
        VerifierError: If a value of the gold cannot be compared, or one of either graph is no
            data at all but an object.
    """
    fault = _incomparable(expected, actual)
    if fault:
        return dataclasses.replace(nothing_found(expected, grammar, resolution), refused=fault)
    gold, candidate = comparable_gold(expected, grammar), comparable_candidate(actual, grammar)
    watched = WatchedResolution(resolution, context)
    pairing = pair_nodes(gold, candidate, ChanceGate(), context.seed)
    pairing = await second_look(gold, candidate, pairing, grammar, resolution, context)
    found = await compare_graphs(
        gold, candidate, pairing, watched, watched.context, asks=watched.asks
    )
    found = await with_misfits_wrong(found, watched.context)
    marks = [*_node_marks(found), *_edge_marks(found)]
    if gate != "off":
        looking = Lookup(grammar, evidence or {}, sources or {}, gate == "enforce")
        marks = [looking.at(one) for one in marks]
    marks += await _graph_marks(resolution, gold, candidate, watched.context)
    return Marking(tuple(marks), pairing.partner, pairing.chance, watched.counts)


def nothing_found(expected: Graph, grammar: Grammar, resolution: PolicyResolution) -> Marking:
    """The marking of no candidate at all: whatever gold says is missing.

    So is a graph that passes the policy's verdict on the whole, where it asks for one.
    """
    gold = comparable_gold(expected, grammar)
    nothing = Found(gold, Graph(directed=gold.directed), {}, {}, [])
    marks = [*_node_marks(nothing), *_edge_marks(nothing)]
    told = _about_the_whole(resolution.graph())
    if told is not None:
        marks.append(Mark(**told, state="missing", reason="there is no graph to compare"))
    return Marking(tuple(marks))


def _incomparable(expected: Graph, actual: Graph) -> str:
    if too_large(actual):
        return f"the candidate has {too_large(actual)}"
    if expected.directed != actual.directed:
        kinds = ["an undirected", "a directed"]
        return f"expected {kinds[expected.directed]} graph, came {kinds[actual.directed]} one"
    return ""


def _node_marks(found: Found) -> Iterator[Mark]:
    partners = set(found.partner.values())
    for name, node in found.expected.nodes.items():
        kind, other = _kind(node), found.partner.get(name)
        if other is None:
            for one in node.types or (_NO_TYPE,):
                yield from _lone(f"node.{kind}", "node_type", one, name, "missing")
            yield from _lone_attributes("node", kind, name, node.attributes, "missing")
        else:
            yield from _types(name, node, other, found.actual.nodes[other])
            yield from _attributes(
                "node",
                (name, other),
                kind,
                (node.attributes, found.actual.nodes[other].attributes),
                found.attributes[name],
            )
    for name, node in found.actual.nodes.items():
        if name not in partners:
            kind = _kind(node)
            for one in node.types or (_NO_TYPE,):
                yield from _lone(f"node.{kind}", "node_type", one, name, "invented")
            yield from _lone_attributes("node", kind, name, node.attributes, "invented")


def _kind(node: Node) -> str:
    return node.types[0] if node.types else _NO_TYPE


def _types(name: str, node: Node, other: str, came: Node) -> Iterator[Mark]:
    """One mark for each expected type, and one for each type too many.

    Having no type is counted as one, so that a node without any is not left out.
    """
    kind = _kind(node)
    about: dict[str, Any] = {
        "path": f"node.{kind}[{name}]",
        "type": f"node.{kind}",
        "part": "node_type",
        "element": name,
        "actual_element": other,
    }
    ours, theirs = Counter(node.types or [_NO_TYPE]), Counter(came.types or [_NO_TYPE])
    extra = list((theirs - ours).elements())
    for one in (ours & theirs).elements():
        yield Mark(**about, state="right", expected=one, actual=one, reason="the same type")
    for one in (ours - theirs).elements():
        if extra:
            was = extra.pop(0)
            yield Mark(**about, state="wrong", expected=one, actual=was, reason="another type")
        else:
            yield Mark(**about, state="missing", expected=one, reason="the node has no such type")
    for one in extra:
        yield Mark(**about, state="invented", actual=one, reason="a type too many")


def _lone(
    type_path: str, part: str, says: Any, name: str, state: Literal["missing", "invented"]
) -> Iterator[Mark]:
    missing = state == "missing"
    side = type_path.partition(".")[0]
    yield Mark(
        path=f"{type_path}[{name}]" + (f" {part[5:]}" if side == "edge" else ""),
        type=type_path,
        part=part,
        state=state,
        expected=says if missing else None,
        actual=None if missing else says,
        reason=f"no {side} of the candidate is this one"
        if missing
        else f"no {side} is expected here",
        element=name,
        actual_element=None if missing else name,
        lone=True,
    )


def _lone_attributes(
    side: Side,
    kind: str,
    name: str,
    attributes: Mapping[str, Any],
    state: Literal["missing", "invented"],
    other: str | None = None,
) -> Iterator[Mark]:
    missing = state == "missing"
    for attribute in sorted(attributes):
        yield Mark(
            path=f"{side}.{kind}[{name}].{attribute}",
            type=f"{side}.{kind}",
            part=f"{side}_attributes",
            state=state,
            expected=attributes[attribute] if missing else None,
            actual=None if missing else attributes[attribute],
            reason="not there" if missing else "not expected",
            element=name,
            actual_element=other if missing or other is not None else name,
            attribute=attribute,
            lone=other is None,
        )


def _attributes(
    side: Side,
    names: tuple[str, str],
    kind: str,
    values: tuple[Mapping[str, Any], Mapping[str, Any]],
    compared: Compared,
) -> Iterator[Mark]:
    (name, other), (expected, actual) = names, values
    for asked in compared.asked:
        yield Mark(
            path=f"{side}.{kind}[{name}].{asked.name}",
            type=f"{side}.{kind}",
            part=f"{side}_attributes",
            state=_STATES[asked.passed],
            expected=expected[asked.name],
            actual=actual[asked.name],
            verifier=asked.kind,
            origin=asked.chosen.origin,
            reason=asked.reason,
            code=asked.code,
            element=name,
            actual_element=other,
            attribute=asked.name,
        )
    for state, some in (("missing", compared.missing), ("invented", compared.extra)):
        held = expected if state == "missing" else actual
        picked = {one: held[one] for one in some}
        yield from _lone_attributes(side, kind, name, picked, state, other)  # type: ignore[arg-type]


_STATES: Mapping[bool | None, State] = {True: "right", False: "wrong", None: "unscored"}


def _edge_marks(found: Found) -> Iterator[Mark]:
    pairs = {pair.expected.id: pair for pair in found.edges}
    taken = {pair.actual.id for pair in found.edges}
    for edge in found.expected.edges:
        if edge.id in pairs:
            yield from _pair_marks(pairs[edge.id])
        else:
            yield from _lone_edge(edge, "missing")
    for edge in found.actual.edges:
        if edge.id not in taken:
            yield from _lone_edge(edge, "invented")


def _pair_marks(pair: EdgePair) -> Iterator[Mark]:
    gold, came = pair.expected, pair.actual
    for end in ENDS:
        right = getattr(pair, end)
        yield Mark(
            path=f"edge.{gold.type}[{gold.id}] {end}",
            type=f"edge.{gold.type}",
            part=f"edge_{end}",
            state="right" if right else "wrong",
            expected=_end(gold, end),
            actual=_end(came, end),
            reason=f"the same {end}" if right else f"another {end}",
            element=gold.id,
            actual_element=came.id,
        )
    yield from _attributes(
        "edge",
        (gold.id, came.id),
        gold.type,
        (gold.attributes, came.attributes),
        pair.attributes,
    )


def _lone_edge(edge: Edge, state: Literal["missing", "invented"]) -> Iterator[Mark]:
    for end in ENDS:
        yield from _lone(f"edge.{edge.type}", f"edge_{end}", _end(edge, end), edge.id, state)
    yield from _lone_attributes("edge", edge.type, edge.id, edge.attributes, state)


def _end(edge: Edge, end: str) -> str:
    return {"head": edge.source, "relation": edge.type, "tail": edge.target}[end]


async def _graph_marks(
    resolution: PolicyResolution, expected: Graph, actual: Graph, context: Context
) -> Iterable[Mark]:
    """The verdict on the whole candidate, where the policy names a verifier for it."""
    chosen = resolution.graph()
    told = _about_the_whole(chosen)
    if chosen is None or chosen.verifier is None or told is None:
        return []
    if expected.nodes and not actual.nodes:
        # Nothing breaks no rule: that is no merit of a graph that should have held something.
        return [Mark(**told, state="wrong", reason="the graph is empty, and was not to be")]
    about = dataclasses.replace(context, path="graph", description=chosen.description)
    try:
        verdict = await chosen.verifier.averify(actual.to_json(), expected.to_json(), context=about)
    except VerifierError as error:
        return [Mark(**told, state="unscored", reason=str(error), code=error.code)]
    return [Mark(**told, state="right" if verdict.passed else "wrong", reason=verdict.reason)]


def _about_the_whole(chosen: Chosen | None) -> dict[str, Any] | None:
    """What every mark on the whole graph says; None where the policy asks for none."""
    if chosen is None or chosen.verifier is None:
        return None
    return {
        "path": "graph",
        "type": "graph",
        "part": "graph",
        "verifier": chosen.verifier.kind,
        "origin": chosen.origin,
    }
