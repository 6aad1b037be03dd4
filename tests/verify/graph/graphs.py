"""Small graphs, written short."""

import random
from typing import Any


def graph(nodes: dict[str, Any], edges: list[Any] = (), **more: Any) -> dict[str, Any]:
    """Nodes: id → (types, attributes). Edges: (source, type, target[, attributes])."""
    return {
        "nodes": {
            name: {"types": [types] if isinstance(types, str) else list(types), "attributes": said}
            for name, (types, said) in nodes.items()
        },
        "edges": [
            {
                "id": f"e{number}",
                "type": edge[1],
                "source": edge[0],
                "target": edge[2],
                "attributes": edge[3] if len(edge) > 3 else {},
            }
            for number, edge in enumerate(edges)
        ],
        **more,
    }


def renamed(value: dict[str, Any], seed: int = 0) -> dict[str, Any]:
    """The same graph with other ids, in another order."""
    rng = random.Random(seed)
    names = list(value["nodes"])
    others = [f"n{number}" for number in range(len(names))]
    rng.shuffle(others)
    new = dict(zip(names, others, strict=True))
    nodes = [
        (
            new[name],
            {
                "types": node["types"][::-1],
                "attributes": dict(reversed(node["attributes"].items())),
            },
        )
        for name, node in value["nodes"].items()
    ]
    rng.shuffle(nodes)
    edges = [
        {**edge, "id": f"x{number}", "source": new[edge["source"]], "target": new[edge["target"]]}
        for number, edge in enumerate(value["edges"])
    ]
    rng.shuffle(edges)
    return {**value, "nodes": dict(nodes), "edges": edges}
