"""A small world of donors and projects, in which every mark can be counted by hand."""

from collections.abc import Mapping
from copy import deepcopy
from functools import partial
from typing import Any

import anyio

from creel_inspect.extract.corpus.sources import source_from
from creel_inspect.extract.grammar.model import Grammar
from creel_inspect.extract.marking.marking import Marking, mark
from creel_inspect.extract.policy.policy import policy_from
from creel_inspect.extract.policy.resolution import PolicyResolution
from creel_inspect.verify.graph.model import Graph
from creel_inspect.verify.protocol import Context

GRAMMAR = Grammar.from_json(
    {
        "id": "aid",
        "nodes": {
            "party": {"abstract": True, "attributes": {"name": {"description": "Its full name."}}},
            "donor": {"is_a": "party", "attributes": {"country": {}}},
            "agency": {"is_a": "party"},
            "project": {
                "attributes": {
                    "title": {},
                    "budget": {"range": "decimal"},
                    "years": {"range": "integer", "multivalued": True},
                }
            },
        },
        "edges": {
            "funds": {
                "from": "party",
                "to": "project",
                "attributes": {
                    "amount": {"range": "decimal"},
                    "currency": {"enum": ["USD", "EUR"]},
                },
            },
            "runs": {"from": "party", "to": "project"},
        },
    }
)


def node(types: str | list[str], /, **attributes: Any) -> dict[str, Any]:
    return {"types": [types] if isinstance(types, str) else types, "attributes": attributes}


def edge(name: str, kind: str, source: str, target: str, /, **attributes: Any) -> dict[str, Any]:
    ends = {"source": source, "target": target}
    return {"id": name, "type": kind, **ends, "attributes": attributes}


GOLD: dict[str, Any] = {
    "nodes": {
        "d": node("donor", name="Northern Water Fund", country="Norway"),
        "p": node("project", title="Clean Wells for Lira", budget=4600),
        "q": node("project", title="School Meals in Gulu", budget=900),
    },
    "edges": [
        edge("f1", "funds", "d", "p", amount=3000, currency="USD"),
        edge("f2", "funds", "d", "q", amount=500),
    ],
}
"""It says 18 things:

==================  ======  ==========  =====
element             itself  attributes  total
==================  ======  ==========  =====
d                        1           2      3
p                        1           2      3
q                        1           2      3
f1 (head, rel, tail)     3           2      5
f2                       3           1      4
==================  ======  ==========  =====
"""
ALL = 18


def gold() -> dict[str, Any]:
    """A copy to change."""
    return deepcopy(GOLD)


def marked(
    actual: Any,
    expected: Any = GOLD,
    policy: Any = None,
    *,
    overrides: Mapping[str, Any] | None = None,
    sources: Mapping[str, str] | None = None,
    grammar: Grammar = GRAMMAR,
    judge: Any = None,
    **more: Any,
) -> Marking:
    """The marking of a candidate, given as graph-v1 objects."""
    graphs = [one if isinstance(one, Graph) else Graph.from_json(one) for one in (expected, actual)]
    resolution = PolicyResolution(grammar, policy_from(policy), overrides)
    documents = {name: source_from(name, text) for name, text in (sources or {}).items()}
    context = Context(sources=sources or {}, judge=judge)
    about = {"context": context, "sources": documents, **more}
    return anyio.run(partial(mark, *graphs, grammar, resolution, **about))


def lost(marking: Marking) -> list[str]:
    """Every mark that is not right, as ``state path``, in its order."""
    return [f"{one.state} {one.path}" for one in marking.marks if one.state != "right"]


def counted(marking: Marking) -> dict[str, int]:
    """How many marks there are of each state, the verdict on the whole apart."""
    found: dict[str, int] = {}
    for one in marking.marks:
        if one.part != "graph":
            found[one.state] = found.get(one.state, 0) + 1
    return found
