"""Reading a ``submit_graph`` call: a graph and its evidence, or all that is wrong with it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspect_ai.tool import ToolCall

from creel_inspect.extract.corpus.evidence import MOST_SELECTORS, spans
from creel_inspect.extract.corpus.sources import Source
from creel_inspect.extract.extractors.submission_schema import WRAPPER
from creel_inspect.extract.grammar.model import Grammar
from creel_inspect.toolcall import BadCall, decoded, problem_of
from creel_inspect.verify import Code, VerifierError, build_verifier
from creel_inspect.verify.graph.model import Edge, Graph, Node
from creel_inspect.verify.graph.resolution import Side
from creel_inspect.verify.plain import shown

MOST_CHARACTERS = 1_000_000
MOST_ELEMENTS = 10_000
"""Nodes and edges together."""
MOST_LISTED = 20
"""Problems told to the model; the rest are counted."""
_MOST_ID = 200


class BadGraph(BadCall):
    """A call that holds no graph, with everything that is wrong with it."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(listed(problems))
        self.problems = tuple(problems)


def listed(problems: Sequence[str]) -> str:
    """Problems for a model: at most twenty, the rest counted."""
    more = len(problems) - MOST_LISTED
    tail = f"; and {more:,} more" if more > 0 else ""
    return "; ".join(problems[:MOST_LISTED]) + tail


@dataclass(frozen=True)
class Element:
    """What nodes and edges have: a type, attributes (values by name), and evidence for them."""

    type: str
    attributes: Mapping[str, Any] = field(default_factory=dict)
    evidence: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class SubmittedEdge(Element):
    """An edge, which has no id yet."""

    source: str = ""
    target: str = ""


@dataclass(frozen=True)
class Submission:
    """A graph as it was given, not yet held against its grammar.

    Attributes:
        nodes: By id.
        edges: In the order given.
        problems: What is wrong with its evidence: quotes that are missing, or not in the source.
    """

    nodes: Mapping[str, Element] = field(default_factory=dict)
    edges: tuple[SubmittedEdge, ...] = ()
    problems: tuple[str, ...] = ()

    def edge_ids(self) -> list[str]:
        """``edge-1`` and so on: ids that no node has."""
        prefix = "edge"
        while any(name.startswith(f"{prefix}-") for name in self.nodes):
            prefix += "-edge"
        return [f"{prefix}-{number}" for number, _ in enumerate(self.edges, 1)]

    def graph(self) -> Graph:
        """As a graph.

        Raises:
            InvalidGraph: If an edge joins a node that is not there.
        """
        return Graph(
            {name: Node((one.type,), one.attributes) for name, one in self.nodes.items()},
            tuple(
                Edge(name, one.type, one.source, one.target, one.attributes)
                for name, one in zip(self.edge_ids(), self.edges, strict=True)
            ),
        )

    def evidence(self) -> dict[str, dict[str, Any]]:
        """Its evidence, by element id and attribute, in creel's shapes."""
        edges = zip(self.edge_ids(), self.edges, strict=True)
        elements: Iterable[tuple[str, Element]] = [*self.nodes.items(), *edges]
        return {name: dict(one.evidence) for name, one in elements if one.evidence}


def read_submission(
    call: ToolCall, grammar: Grammar, sources: Mapping[str, Source], known: Collection[str] = ()
) -> Submission:
    """The graph that a ``submit_graph`` call holds.

    Lists and objects may come as strings of JSON, and the whole inside ``graph``. A value may
    come without evidence, which is then a problem. ``null`` is an attribute that is not said, and
    an element without ``attributes`` has none; an edge's ``id`` is passed over. Nothing else is
    mended, and no value or quote is looked into.

    Args:
        call: The call.
        grammar: For the names of its types; attributes are not checked.
        sources: The sources that quotes must stand in.
        known: Ids of nodes from earlier parts, which edges may join.

    Raises:
        BadGraph: If it holds no graph: other shapes, unknown types, ids used twice, edges that
            hang in the air, NaN, or too much of anything.
    """
    arguments = _arguments(call)
    reader = _Reader(grammar, sources)
    lists = {}
    for key in ("nodes", "edges"):
        if key not in arguments:
            reader.fatal.append(f"`{key}` is missing: give a list, an empty one if there are none")
            continue
        items = _opened(arguments[key])
        if not isinstance(items, list):
            reader.fatal.append(f"`{key}`: expected a list, came {shown(items)}")
            continue
        lists[key] = items
    reader.only(arguments, {"nodes", "edges"}, "the graph")
    count = sum(len(items) for items in lists.values())
    if count > MOST_ELEMENTS:
        raise BadGraph([f"{count:,} nodes and edges are more than the {MOST_ELEMENTS:,} allowed"])
    nodes = reader.nodes(lists.get("nodes", []))
    edges = reader.edges(lists.get("edges", []), known if "nodes" in lists else None)
    if reader.fatal:
        raise BadGraph(reader.fatal)
    return Submission(nodes, edges, tuple(reader.problems))


def _arguments(call: ToolCall) -> dict[str, Any]:
    if call.parse_error:
        raise BadGraph([f"the arguments cannot be read: {shown(call.parse_error, 300)[1:-1]}"])
    arguments: Any = call.arguments
    problem = problem_of(arguments, MOST_CHARACTERS)
    if problem:
        raise BadGraph([problem])
    if isinstance(arguments, dict) and set(arguments) == {WRAPPER}:
        arguments = _opened(arguments[WRAPPER])
    if not isinstance(arguments, dict):
        raise BadGraph([f"expected an object with `nodes` and `edges`, came {shown(arguments)}"])
    return arguments


def _opened(value: Any) -> Any:
    """A list or object that may stand in a string of JSON.

    Raises:
        BadGraph: If what the string holds is as no arguments may be.
    """
    if not isinstance(value, str):
        return value
    inner = decoded(value)
    problem = problem_of(inner, MOST_CHARACTERS)
    if problem:
        raise BadGraph([problem])
    return inner


class _Reader:
    """Reads elements, and gathers everything that is wrong with them."""

    def __init__(self, grammar: Grammar, sources: Mapping[str, Source]) -> None:
        self.grammar, self.sources = grammar, sources
        self.fatal: list[str] = []
        self.problems: list[str] = []
        self.names: set[str] = set()
        """The ids of all nodes, of those too that are of no use."""

    def only(self, value: Mapping[str, Any], keys: set[str], where: str) -> None:
        unknown = [key for key in value if key not in keys]
        if unknown:
            names = ", ".join(shown(key, 40) for key in unknown[:5])
            expected = ", ".join(sorted(keys))
            self.fatal.append(f"{where}: no key is called {names}; expected {expected}")

    def nodes(self, items: Sequence[Any]) -> dict[str, Element]:
        nodes: dict[str, Element] = {}
        for number, item in enumerate(items):
            where = f"nodes[{number}]"
            node = self.element(item, {"id", "type", "attributes"}, where)
            if node is None:
                continue
            name, kind = self.name(node, "id", where), self.kind(node, "node", where)
            if name in self.names:
                self.fatal.append(f"{where}.id: {shown(name)} is used twice")
                continue
            if name is not None:
                self.names.add(name)
            if name is None or kind is None:
                continue
            nodes[name] = Element(kind, *self.attributes(node, f"{where} ({shown(name, 40)})"))
        return nodes

    def edges(
        self, items: Sequence[Any], known: Collection[str] | None
    ) -> tuple[SubmittedEdge, ...]:
        """The edges. ``known``: nodes of earlier parts; None if the nodes could not be read."""
        edges = []
        for number, item in enumerate(items):
            where = f"edges[{number}]"
            # Graphs elsewhere have edge ids; one that is given says nothing, and does no harm.
            edge = self.element(item, {"id", "type", "source", "target", "attributes"}, where)
            if edge is None:
                continue
            kind = self.kind(edge, "edge", where)
            source, target = (self.name(edge, end, where) for end in ("source", "target"))
            for end, name in (("source", source), ("target", target)):
                if known is None or name is None or name in self.names or name in known:
                    continue
                self.fatal.append(f"{where}.{end}: no node is called {shown(name)}")
            if kind is None or source is None or target is None:
                continue
            attributes, evidence = self.attributes(edge, where)
            edges.append(SubmittedEdge(kind, attributes, evidence, source, target))
        return tuple(edges)

    def element(self, item: Any, keys: set[str], where: str) -> dict[str, Any] | None:
        value = _opened(item)
        if not isinstance(value, dict):
            self.fatal.append(f"{where}: expected an object, came {shown(value)}")
            return None
        self.only(value, keys, where)
        return value

    def name(self, element: Mapping[str, Any], key: str, where: str) -> str | None:
        name = element.get(key)
        if isinstance(name, str) and name.strip() and len(name) <= _MOST_ID:
            return name
        came = "nothing" if key not in element else shown(name)
        self.fatal.append(
            f"{where}.{key}: expected text of at most {_MOST_ID} characters, came {came}"
        )
        return None

    def kind(self, element: Mapping[str, Any], side: Side, where: str) -> str | None:
        types, kind = self.grammar.types(side), element.get("type")
        if isinstance(kind, str) and kind in types:
            return kind
        came = "nothing" if "type" not in element else shown(kind)
        usable = [name for name, declared in types.items() if not declared.abstract]
        expected = ", ".join(usable[:MOST_LISTED]) or f"none: the grammar has no {side} types"
        self.fatal.append(f"{where}.type: expected one of {expected}; came {came}")
        return None

    def attributes(
        self, element: Mapping[str, Any], where: str
    ) -> tuple[dict[str, Any], dict[str, Mapping[str, Any]]]:
        """The values and the evidence of an element, by attribute."""
        given = _opened(element.get("attributes", {}))
        values: dict[str, Any] = {}
        evidence: dict[str, Mapping[str, Any]] = {}
        if not isinstance(given, dict):
            self.fatal.append(f"{where}.attributes: expected an object, came {shown(given)}")
            return values, evidence
        for key, item in given.items():
            place = f"{where}.{shown(key, 60)[1:-1]}"
            one = _attribute(item)
            if not isinstance(one, dict):
                if one is not None:
                    values[key] = one
                    self.problems.append(f"{place}: it has no quote and no source")
                continue
            self.only(one, {"value", "quote", "source"}, place)
            if "value" not in one:
                self.fatal.append(f"{place}: expected `value`, `quote` and `source`")
            elif one["value"] is not None:
                values[key] = one["value"]
                record = self.record(one, place)
                if record is not None:
                    evidence[key] = record
        return values, evidence

    def record(self, given: Mapping[str, Any], where: str) -> Mapping[str, Any] | None:
        """The evidence record of one attribute, whether or not it holds."""
        source, quote = given.get("source"), given.get("quote")
        quotes = [quote] if isinstance(quote, str) else quote
        if not isinstance(quotes, list) or not all(isinstance(one, str) for one in quotes):
            quotes = []
        quotes = [one for one in quotes if one.strip()]
        if not isinstance(source, str) or not source:
            self.problems.append(f"{where}: it names no source")
            return None
        if not quotes:
            self.problems.append(f"{where}: it has no quote")
            return None
        if len(quotes) > MOST_SELECTORS:
            self.problems.append(f"{where}: it has more than {MOST_SELECTORS} quotes")
            quotes = quotes[:MOST_SELECTORS]
        record = {
            "provenance": {"derived_from": source},
            "grounding": [{"type": "TextQuoteSelector", "exact": one} for one in quotes],
        }
        if source in self.sources:
            found = spans(record, self.sources)
            self.problems += [f"{where}: {one.problem}" for one in found if not one.found]
        else:
            known = ", ".join(shown(name, 60) for name in list(self.sources)[:MOST_LISTED])
            self.problems.append(f"{where}: there is no source {shown(source)}; there are {known}")
        return record


MORE, UNFINISHED = "more", "unfinished"


@dataclass(frozen=True)
class RuleFault:
    """What breaks the grammar: the rule's name, and a message with the element's path.

    ``more`` and ``unfinished`` are no rules: that not all faults are listed, or were looked for.
    """

    rule: str
    message: str


def rule_faults(graph: Graph, grammar: Grammar, *, partial: bool = False) -> list[RuleFault]:
    """What of a graph breaks its grammar: the first twenty, and a line for the rest.

    ``partial``: other parts may say what is required and missing here.
    """
    rules = grammar.rules()
    for types in (rules["nodes"], rules["edges"]) if partial else ():
        for declared in types.values():
            declared.pop("required", None)
    verifier = build_verifier("schema_constraint", graph=rules)
    try:
        details = verifier.verify(graph.to_json()).details
    except VerifierError as error:
        if error.code != Code.TOO_LARGE:
            raise
        return [RuleFault(UNFINISHED, f"it was not held against the grammar: {error}")]
    # A graph whose values cannot be compared at all has no list; nothing that was read is such.
    faults = [
        RuleFault(one["rule"], f"{one['path']}: {one['message']}")
        for one in details.get("violations", [])
    ]
    more = details.get("violations_more", 0)
    if more:
        faults.append(RuleFault(MORE, f"{more:,} more that break the grammar"))
    return faults


def _attribute(item: Any) -> Any:
    """An attribute as it is given; only what plainly is one is taken out of a string."""
    if isinstance(item, str):
        inner = _opened(item)
        return inner if isinstance(inner, dict) and "value" in inner else item
    return item
