"""What a verdict on two graphs says: the line for a person, and the bounded lists behind it."""

from collections.abc import Iterable, Mapping
from typing import Any

from creel_inspect.verify.graph.model import Edge, Graph
from creel_inspect.verify.graph.scoring import MOST_LISTED, Found, Tally
from creel_inspect.verify.plain import shown


def lists(found: Found) -> dict[str, Any]:
    """What is missing, extra, wrong and not measured, by name: fifty of each, and how many more."""
    expected, actual = found.expected, found.actual
    partners = set(found.partner.values())
    ours = {pair.expected.id for pair in found.edges}
    theirs = {pair.actual.id for pair in found.edges}
    compared = [
        *((f"node[{shown(name, 60)}]", one) for name, one in sorted(found.attributes.items())),
        *((f"edge[{shown(pair.expected.id, 60)}]", pair.attributes) for pair in found.edges),
    ]
    said: dict[str, Any] = {}
    _list(said, "missing_nodes", _nodes(expected, found.partner.keys()))
    _list(said, "extra_nodes", _nodes(actual, partners))
    _list(said, "missing_edges", (_edge(one) for one in expected.edges if one.id not in ours))
    _list(said, "extra_edges", (_edge(one) for one in actual.edges if one.id not in theirs))
    _list(said, "wrong_types", _wrong_types(found))
    _list(said, "wrong_edges", _wrong_edges(found))
    _list(
        said,
        "wrong_attributes",
        ({"path": bad.path, "reason": bad.reason} for _, one in compared for bad in one.wrong),
    )
    for key in ("missing", "extra"):
        _list(
            said,
            f"{key}_attributes",
            (f"{where}.{name[:80]}" for where, one in compared for name in getattr(one, key)),
        )
    _list(
        said,
        "unmeasured",
        (
            {"path": bad.path, "reason": bad.reason, "code": bad.code}
            for _, one in compared
            for bad in one.unmeasured
        ),
    )
    return said


def _list(said: dict[str, Any], name: str, items: Iterable[Any]) -> None:
    shown_ones: list[Any] = []
    more = 0
    for item in items:
        if len(shown_ones) < MOST_LISTED:
            shown_ones.append(item)
        else:
            more += 1
    said[name] = shown_ones
    if more:
        said[f"{name}_more"] = more


def _nodes(graph: Graph, known: Iterable[str]) -> Iterable[dict[str, Any]]:
    having = set(known)
    for name in sorted(graph.nodes):
        if name not in having:
            node = graph.nodes[name]
            yield {
                "id": name[:200],
                "types": [one[:200] for one in node.types[:5]],
                "attributes": shown(dict(node.attributes), 200),
            }


def _edge(edge: Edge) -> dict[str, str]:
    return {
        "id": edge.id[:200],
        "type": edge.type[:200],
        "source": edge.source[:200],
        "target": edge.target[:200],
        "attributes": shown(dict(edge.attributes), 200),
    }


def _wrong_types(found: Found) -> Iterable[dict[str, Any]]:
    for name in sorted(found.partner):
        ours = sorted(found.expected.nodes[name].types)
        theirs = sorted(found.actual.nodes[found.partner[name]].types)
        if ours != theirs:
            yield {
                "expected_node": name[:200],
                "actual_node": found.partner[name][:200],
                "expected": [one[:200] for one in ours[:5]],
                "actual": [one[:200] for one in theirs[:5]],
            }


def _wrong_edges(found: Found) -> Iterable[dict[str, Any]]:
    for pair in found.edges:
        if not pair.whole:
            wrong = [part for part in ("head", "relation", "tail") if not getattr(pair, part)]
            yield {
                "wrong": wrong,
                "expected": _edge(pair.expected),
                "actual": _edge(pair.actual),
            }


def sentence(
    score: float,
    threshold: float,
    passed: bool,
    elements: Mapping[str, Tally],
    said: Mapping[str, Any],
) -> str:
    """One line: the score, what was found of what, and the first of each kind of fault."""
    counts = "; ".join(
        f"{name} {one.matched} of {one.expected}"
        + (f" ({one.actual} came)" if one.actual != one.expected else "")
        for name, one in elements.items()
    )
    if score == 1:
        return f"the graphs are the same: {counts}"
    faults = "; ".join(_first_faults(said))
    relation = "reaches" if passed else "is below"
    figure = f"{score:.3f}" if f"{score:.3f}" != f"{threshold:.3f}" else repr(score)
    line = f"F1 {figure} {relation} {threshold:g}: {counts}"
    return f"{line}. First: {faults}" if faults else line


def _first_faults(said: Mapping[str, Any]) -> Iterable[str]:
    for key in ("missing_nodes", "extra_nodes"):
        for node in said[key][:1]:
            types = ", ".join(node["types"]) or "no type"
            yield f"{key[:-6]} node {shown(node['id'], 40)} ({shown(types, 40)[1:-1]})"
    for fault in said["wrong_types"][:1]:
        yield (
            f"node {shown(fault['expected_node'], 40)} is {shown(fault['actual'], 60)}, "
            f"not {shown(fault['expected'], 60)}"
        )
    for key in ("missing_edges", "extra_edges"):
        for edge in said[key][:1]:
            yield f"{key[:-6]} edge {_arrow(edge)}"
    for fault in said["wrong_edges"][:1]:
        parts = " and ".join(fault["wrong"])
        how = "is reversed" if parts == "head and tail" else f"has another {parts}"
        yield f"edge {_arrow(fault['expected'])} {how}: {_arrow(fault['actual'])}"
    for fault in said["wrong_attributes"][:1]:
        yield f"{fault['path']}: {fault['reason']}"
    for key in ("missing_attributes", "extra_attributes"):
        for name in said[key][:1]:
            yield f"{key[:-11]} attribute {name}"


def _arrow(edge: Mapping[str, str]) -> str:
    ends = shown(edge["source"], 40), shown(edge["type"], 40)[1:-1], shown(edge["target"], 40)
    return f"{ends[0]} -{ends[1]}-> {ends[2]}"
