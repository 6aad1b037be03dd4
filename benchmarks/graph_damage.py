"""A graph with one thing wrong, and the F1 that is left of it: by counting, without the package.

Everything that a graph says counts once: of a node its type and each attribute, of an edge its
head, its relation, its tail and each attribute. F1 is 2 · matched / (expected + came).
"""

import copy
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

JsonGraph = dict[str, Any]
KINDS = ("node dropped", "edge dropped", "node invented", "value changed", "edge reversed")
KINDS += ("type swapped",)
_DATE = re.compile(r"[0-9]{4}(-[0-9]{2}){0,2}")
_LEAST_LEFT = 2
"""A node is still known for the same by this many attributes that are as they were."""


@dataclass(frozen=True)
class Damaged:
    """One damaged graph.

    Attributes:
        kind: One of ``KINDS``.
        element: What was damaged.
        graph: The graph after it.
        matched: How many things in it are still right.
        expected: How many the whole graph says.
        came: How many this one says.
        doubtful: Whether a node may be taken for another one than before: where fewer than two of
            its attributes are as they were, or where no edge is left of a node that says only
            what no other node says the like of. Counting then gives the least that it costs.
    """

    kind: str
    element: str
    graph: JsonGraph
    matched: int
    expected: int
    came: int
    doubtful: bool = False

    @property
    def f1(self) -> Fraction:
        """What counting gives."""
        return Fraction(2 * self.matched, self.expected + self.came)


def said(graph: JsonGraph) -> int:
    """How many things a graph says."""
    return sum(map(of_node, graph["nodes"].values())) + sum(map(of_edge, graph["edges"]))


def of_node(node: Mapping[str, Any]) -> int:
    """How many things a node says."""
    return 1 + len(node["attributes"])


def of_edge(edge: Mapping[str, Any]) -> int:
    """How many things an edge says."""
    return 3 + len(edge["attributes"])


def damages(
    graph: JsonGraph, types: Mapping[str, str], judged: Collection[str] = ()
) -> Iterator[Damaged]:
    """Every graph with one thing wrong.

    Args:
        graph: The whole graph, as graph-v1 JSON.
        types: Another type for a node of each type.
        judged: The attributes, ``type.name``, that are left alone, since only a judge could say
            whether another text is another value.
    """
    yield from _dropped(graph)
    yield from _invented(graph)
    yield from _changed(graph, judged)
    yield from _reversed(graph)
    yield from _swapped(graph, types)


def other_types(graphs: Sequence[JsonGraph]) -> dict[str, str]:
    """For each type of node the one that says the most of the same attributes, by name if equal."""
    names: dict[str, set[str]] = {}
    for node in (node for graph in graphs for node in graph["nodes"].values()):
        names.setdefault(node["types"][0], set()).update(node["attributes"])
    return {
        one: min(
            (other for other in names if other != one),
            key=lambda other: (-len(names[one] & names[other]), other),
        )
        for one in names
    }


def renamed(graph: JsonGraph) -> JsonGraph:
    """The same graph under other ids, with nodes, attributes and edges the other way round."""
    names = {name: f"x{number}" for number, name in enumerate(sorted(graph["nodes"]))}
    nodes = {
        names[name]: {**node, "attributes": _backwards(node["attributes"])}
        for name, node in reversed(graph["nodes"].items())
    }
    edges = [
        {
            **edge,
            "id": f"y{number}",
            "source": names[edge["source"]],
            "target": names[edge["target"]],
            "attributes": _backwards(edge["attributes"]),
        }
        for number, edge in enumerate(reversed(graph["edges"]))
    ]
    return {**graph, "nodes": nodes, "edges": edges}


def _backwards(attributes: Mapping[str, Any]) -> dict[str, Any]:
    return dict(reversed(list(attributes.items())))


def _dropped(graph: JsonGraph) -> Iterator[Damaged]:
    whole = said(graph)
    for name in graph["nodes"]:
        left = _without(graph, name)
        doubt = bool(_alone(left) - _alone(graph))
        yield Damaged("node dropped", name, left, said(left), whole, said(left), doubt)
    for edge in graph["edges"]:
        left = {**graph, "edges": [one for one in graph["edges"] if one["id"] != edge["id"]]}
        doubt = bool(_alone(left) - _alone(graph))
        yield Damaged("edge dropped", edge["id"], left, said(left), whole, said(left), doubt)


def _alone(graph: JsonGraph) -> set[str]:
    """The nodes without an edge that share no attribute's name with any other node."""
    linked = {edge[end] for edge in graph["edges"] for end in ("source", "target")}
    names = Counter(name for node in graph["nodes"].values() for name in node["attributes"])
    return {
        one
        for one, node in graph["nodes"].items()
        if one not in linked and all(names[name] == 1 for name in node["attributes"])
    }


def _without(graph: JsonGraph, name: str) -> JsonGraph:
    nodes = {one: node for one, node in graph["nodes"].items() if one != name}
    edges = [one for one in graph["edges"] if name not in (one["source"], one["target"])]
    return {**graph, "nodes": nodes, "edges": edges}


def _invented(graph: JsonGraph) -> Iterator[Damaged]:
    """A node beside each, that says other things of the same names, and an edge like its first."""
    whole = said(graph)
    for name, node in graph["nodes"].items():
        near = [one for one in graph["edges"] if name in (one["source"], one["target"])]
        if not near:
            continue
        more = copy.deepcopy(graph)
        more["nodes"]["invented"] = {**node, "attributes": _others(node["attributes"])}
        edge = {**near[0], "id": "invented", "attributes": _others(near[0]["attributes"])}
        edge["source" if edge["source"] == name else "target"] = "invented"
        more["edges"].append(edge)
        yield Damaged("node invented", name, more, whole, whole, said(more))


def _changed(graph: JsonGraph, judged: Collection[str]) -> Iterator[Damaged]:
    whole = said(graph)
    for name, node in graph["nodes"].items():
        for attribute, value in node["attributes"].items():
            if f"{node['types'][0]}.{attribute}" not in judged:
                changed = copy.deepcopy(graph)
                changed["nodes"][name]["attributes"][attribute] = another(value)
                where, doubt = f"{name}.{attribute}", len(node["attributes"]) <= _LEAST_LEFT
                yield Damaged("value changed", where, changed, whole - 1, whole, whole, doubt)
    for number, edge in enumerate(graph["edges"]):
        for attribute, value in edge["attributes"].items():
            if f"{edge['type']}.{attribute}" not in judged:
                changed = copy.deepcopy(graph)
                changed["edges"][number]["attributes"][attribute] = another(value)
                where = f"{edge['id']}.{attribute}"
                yield Damaged("value changed", where, changed, whole - 1, whole, whole)


def _reversed(graph: JsonGraph) -> Iterator[Damaged]:
    """The relation stays right, head and tail are wrong."""
    whole = said(graph)
    for number, edge in enumerate(graph["edges"]):
        turned = copy.deepcopy(graph)
        ends = {"source": edge["target"], "target": edge["source"]}
        turned["edges"][number] = {**edge, **ends}
        left = {**graph, "edges": [one for one in graph["edges"] if one["id"] != edge["id"]]}
        doubt = bool(_alone(left) - _alone(graph))
        yield Damaged("edge reversed", edge["id"], turned, whole - 2, whole, whole, doubt)


def _swapped(graph: JsonGraph, types: Mapping[str, str]) -> Iterator[Damaged]:
    """The attributes stay right: a value is what its own name says, whatever it is a value of."""
    whole = said(graph)
    for name, node in graph["nodes"].items():
        swapped = copy.deepcopy(graph)
        swapped["nodes"][name]["types"] = [types[node["types"][0]]]
        yield Damaged("type swapped", name, swapped, whole - 1, whole, whole)


def _others(attributes: Mapping[str, Any]) -> dict[str, Any]:
    return {name: another(value) for name, value in attributes.items()}


def another(value: Any) -> Any:
    """A value of the same kind that no tolerance takes for this one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value * 3 + 1000
    if isinstance(value, list):
        return ["Zyzzyva"]
    if _DATE.fullmatch(value):
        return "1901-02-03"[: len(value)]
    return "Zyzzyva"
