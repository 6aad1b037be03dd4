"""Two graphs whose nodes are paired: what each pair says, and which edge is which."""

from creel_inspect.verify.graph.attributes import Choosing, Comparison
from creel_inspect.verify.graph.edges import EdgeMatching, place
from creel_inspect.verify.graph.model import Graph
from creel_inspect.verify.graph.pairing import Pairing
from creel_inspect.verify.graph.scoring import Found
from creel_inspect.verify.protocol import Context

MOST_NODES = 5_000
MOST_EDGES = 50_000
MOST_ATTRIBUTES = 200_000


def too_large(graph: Graph) -> str:
    """What a graph has too much of to be aligned, in words; empty where it is small enough."""
    attributes = sum(len(node.attributes) for node in graph.nodes.values())
    attributes += sum(len(edge.attributes) for edge in graph.edges)
    for count, most, name in (
        (len(graph.nodes), MOST_NODES, "nodes"),
        (len(graph.edges), MOST_EDGES, "edges"),
        (attributes, MOST_ATTRIBUTES, "attributes"),
    ):
        if count > most:
            return f"{count:,} {name}; at most {most:,} can be compared"
    return ""


async def compare_graphs(
    expected: Graph,
    actual: Graph,
    pairing: Pairing,
    resolution: Choosing,
    context: Context,
    *,
    asks: bool,
) -> Found:
    """Compares the attributes of paired nodes, pairs off the edges and compares theirs.

    Args:
        expected: The gold.
        actual: The candidate; as directed as the gold is.
        pairing: Who is who in them.
        resolution: Names the verifier of each attribute.
        context: What the verifiers are told.
        asks: Whether a verifier may ask a model: equal parallel edges are then paired unasked.
    """
    comparison = Comparison(resolution, context)
    attributes = {
        name: await comparison.compare(
            "node",
            expected.nodes[name].types,
            name,
            expected.nodes[name].attributes,
            actual.nodes[other].attributes,
        )
        for name, other in pairing.partner.items()
    }
    ours = {name: (0, number) for number, name in enumerate(pairing.expected_order)}
    theirs = {name: (1, number) for number, name in enumerate(pairing.actual_order)}
    theirs |= {other: ours[name] for name, other in pairing.partner.items()}
    edges = await EdgeMatching(comparison, asks).match(
        place(expected, ours), place(actual, theirs), expected.directed
    )
    return Found(expected, actual, pairing.partner, attributes, edges)
