"""The exact edit distance of two small graphs, by networkx, which is optional."""

from typing import Any

from creel_inspect.verify.graph.canonical import digest
from creel_inspect.verify.graph.model import Graph
from creel_inspect.verify.protocol import VerifierConfigError

MOST_NODES = 5
"""Of either graph: the search takes time exponential in them."""


def require_networkx() -> Any:
    """networkx.

    Raises:
        VerifierConfigError: If it is not installed.
    """
    try:
        import networkx  # noqa: PLC0415 - optional
    except ImportError as error:
        raise VerifierConfigError(
            "edit_distance needs networkx, which is not installed: pip install 'networkx>=3.2'"
        ) from error
    return networkx


def edit_distance(expected: Graph, actual: Graph) -> float | None:
    """The least number of edits that make one graph the other, or None for larger graphs.

    An edit inserts, deletes or changes one node (types and attributes as a whole), or all edges
    between two nodes in one direction together.
    """
    if max(len(expected.nodes), len(actual.nodes)) > MOST_NODES:
        return None
    networkx = require_networkx()
    graphs = [_simple(networkx, graph) for graph in (expected, actual)]
    same = networkx.graph_edit_distance(
        *graphs,
        node_match=lambda one, other: one["content"] == other["content"],
        edge_match=lambda one, other: one["content"] == other["content"],
    )
    return float(same)


def _simple(networkx: Any, graph: Graph) -> Any:
    simple = networkx.DiGraph() if graph.directed else networkx.Graph()
    for name, node in graph.nodes.items():
        simple.add_node(name, content=digest([sorted(node.types), dict(node.attributes)]))
    bundles: dict[tuple[str, str], list[str]] = {}
    for edge in graph.edges:
        ends = (edge.source, edge.target)
        if not graph.directed:
            ends = (min(ends), max(ends))
        bundles.setdefault(ends, []).append(digest([edge.type, dict(edge.attributes)]))
    for (source, target), contents in bundles.items():
        simple.add_edge(source, target, content=sorted(contents))
    return simple
