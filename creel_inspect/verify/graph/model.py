"""Typed property multigraphs, as creel's graph-v1 JSON writes them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from creel_inspect.verify.plain import shown

SCHEMA = "https://creel.dev/schema/graph/v1"
_KEYS = {"$schema", "version", "nodes", "edges", "directed", "spec"}


class InvalidGraph(ValueError):
    """A value that is no graph-v1 graph: where, what was expected, and what came."""


@dataclass(frozen=True)
class Node:
    """One node: its types, in the order given, and its attributes (plain values by name)."""

    types: tuple[str, ...] = ()
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Edge:
    """One edge. Several may join the same two nodes."""

    id: str
    type: str
    source: str
    target: str
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Graph:
    """A directed multigraph. Every edge joins two nodes that are there, and edge ids are unique.

    Raises:
        InvalidGraph: If an edge hangs in the air, or an id is used twice.
    """

    nodes: Mapping[str, Node] = field(default_factory=dict)
    edges: tuple[Edge, ...] = ()
    directed: bool = True

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for number, edge in enumerate(self.edges):
            for end in ("source", "target"):
                if getattr(edge, end) not in self.nodes:
                    raise InvalidGraph(
                        f"edges[{number}].{end}: no node is called {shown(getattr(edge, end))}"
                    )
            if edge.id in seen:
                raise InvalidGraph(f"edges[{number}].id: {shown(edge.id)} is used twice")
            seen.add(edge.id)

    @classmethod
    def from_json(cls, value: Any) -> "Graph":
        """Reads a graph-v1 JSON object. ``$schema`` and ``version`` may be left out.

        Raises:
            InvalidGraph: If it is none.
        """
        top = _mapping(value, "the graph")
        _only(top, _KEYS, "the graph")
        if "nodes" not in top or "edges" not in top:
            raise InvalidGraph("the graph: expected `nodes` and `edges`")
        if top.get("$schema", SCHEMA) != SCHEMA:
            raise InvalidGraph(f"$schema: expected {SCHEMA}, came {shown(top['$schema'])}")
        directed = top.get("directed", True)
        if not isinstance(directed, bool):
            raise InvalidGraph(f"directed: expected true or false, came {shown(directed)}")
        nodes = {
            name: _node(node, f"nodes[{shown(name)}]")
            for name, node in _mapping(top["nodes"], "nodes").items()
        }
        if not isinstance(top["edges"], list | tuple):
            raise InvalidGraph(f"edges: expected a list, came {shown(top['edges'])}")
        edges = tuple(_edge(edge, f"edges[{n}]") for n, edge in enumerate(top["edges"]))
        return cls(nodes, edges, directed)

    def to_json(self) -> dict[str, Any]:
        """The graph-v1 JSON object."""
        return {
            "$schema": SCHEMA,
            "version": "1",
            "directed": self.directed,
            "nodes": {
                name: {"types": list(node.types), "attributes": dict(node.attributes)}
                for name, node in self.nodes.items()
            },
            "edges": [
                {
                    "id": edge.id,
                    "type": edge.type,
                    "source": edge.source,
                    "target": edge.target,
                    "attributes": dict(edge.attributes),
                }
                for edge in self.edges
            ],
        }

    __graph_v1__ = to_json


def _mapping(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise InvalidGraph(f"{where}: expected an object, came {shown(value)}")
    return value


def _only(value: Mapping[str, Any], keys: set[str], where: str) -> None:
    unknown = [key for key in value if key not in keys]
    if unknown:
        raise InvalidGraph(
            f"{where}: no key is called {', '.join(map(shown, unknown[:5]))}; "
            f"expected {', '.join(sorted(keys))}"
        )


def _node(value: Any, where: str) -> Node:
    node = _mapping(value, where)
    _only(node, {"types", "attributes"}, where)
    types = node.get("types")
    if not isinstance(types, list | tuple) or not all(isinstance(one, str) for one in types):
        raise InvalidGraph(f"{where}.types: expected a list of texts, came {shown(types)}")
    return Node(tuple(types), _mapping(node.get("attributes"), f"{where}.attributes"))


def _edge(value: Any, where: str) -> Edge:
    edge = _mapping(value, where)
    _only(edge, {"id", "type", "source", "target", "attributes"}, where)
    for key in ("id", "type", "source", "target"):
        if not isinstance(edge.get(key), str):
            raise InvalidGraph(f"{where}.{key}: expected text, came {shown(edge.get(key))}")
    attributes = _mapping(edge.get("attributes"), f"{where}.attributes")
    return Edge(edge["id"], edge["type"], edge["source"], edge["target"], attributes)
