"""Rules over graphs: each is broken once, and the element that breaks it is named."""

import copy
from typing import Any

import pytest

from creel_inspect.verify import VerdictScore, VerifierError, build_verifier
from creel_inspect.verify.graph.model import Graph
from creel_inspect.verify.protocol import Code, VerifierConfigError

RULES: dict[str, Any] = {
    "nodes": {
        "thing": {
            "abstract": True,
            "attributes": {"title": {"type": "string", "minLength": 1}},
            "required": ["title"],
        },
        "dated": {
            "abstract": True,
            "attributes": {"start": {"format": "date"}, "end": {"format": "date"}},
            "where": "!has(start) || !has(end) || start <= end",
        },
        "project": {
            "is_a": "thing",
            "mixins": ["dated"],
            "links": [
                {"edge": "pursues", "to": "objective", "min": 1},
                {"edge": "funds", "to": "donor", "direction": "in", "max": 2},
            ],
        },
        "pilot": {"is_a": "project", "attributes": {"site": {}}},
        "objective": {"is_a": "thing"},
        "donor": {"is_a": "thing", "min": 1},
    },
    "edges": {
        "link": {"abstract": True},
        "pursues": {"is_a": "link", "from": "project", "to": "objective"},
        "funds": {
            "is_a": "link",
            "from": ["donor"],
            "to": "project",
            "attributes": {"amount": {"type": "number", "exclusiveMinimum": 0}},
            "required": ["amount"],
            "where": "source.title != target.title",
        },
    },
}


def node(kind: str, **attributes: Any) -> dict[str, Any]:
    return {"types": [kind], "attributes": {"title": kind.title(), **attributes}}


def edge(name: str, kind: str, source: str, target: str, **attributes: Any) -> dict[str, Any]:
    return {
        "id": name, "type": kind, "source": source, "target": target, "attributes": attributes
    }  # fmt: skip


def good() -> dict[str, Any]:
    """Four nodes and three edges; with the number of donors, eight things are checked."""
    return {
        "nodes": {
            "prj-001": node("project", start="2024-01-01", end="2024-12-31"),
            "p2": node("pilot", site="north"),
            "o": node("objective"),
            "d": node("donor"),
        },
        "edges": [
            edge("e1", "pursues", "prj-001", "o"),
            edge("e2", "pursues", "p2", "o"),
            edge("e3", "funds", "d", "prj-001", amount=5),
        ],
    }


def verdict(graph: Any, rules: Any = None) -> VerdictScore:
    return build_verifier("schema_constraint", graph=rules or RULES).verify(graph)


def found(graph: Any, rules: Any = None) -> list[tuple[str, str]]:
    details = verdict(graph, rules).details
    return [(one["path"], one["rule"]) for one in details["violations"]]


def test_a_graph_that_keeps_its_rules_passes() -> None:
    result = verdict(good())
    assert result.passed and result.score == 1
    assert (result.details["elements"], result.details["elements_broken"]) == (8, 0)
    assert verdict(Graph.from_json(good())).passed


def test_a_project_without_an_objective_is_named() -> None:
    graph = good()
    del graph["edges"][0]
    result = verdict(graph)
    assert not result.passed
    assert result.details["violations"] == [
        {
            "path": "node.project[prj-001]",
            "rule": "cardinality",
            "message": "no edge pursues to objective; at least 1 expected",
        }
    ]
    assert (
        "node.project[prj-001]: no edge pursues to objective; at least 1 expected" in result.reason
    )
    # Four nodes, two edges, and the number of donors: one of seven breaks a rule.
    assert result.score == pytest.approx(6 / 7)


def broken(change: Any) -> list[tuple[str, str]]:
    graph = good()
    change(graph)
    return found(graph)


def test_each_rule_is_broken_once() -> None:
    nodes, edges = "nodes", "edges"
    project = "node.project[prj-001]"
    assert broken(lambda g: g[nodes]["o"].update(types=["thing"])) == [
        (project, "cardinality"),
        ("node.pilot[p2]", "cardinality"),
        ("node.thing[o]", "abstract"),
        ("edge.pursues[e1]", "endpoint"),
        ("edge.pursues[e2]", "endpoint"),
    ]
    assert broken(lambda g: g[nodes].update(x=node("planet"))) == [("node.planet[x]", "type")]
    assert broken(lambda g: g[nodes].update(x={"types": [], "attributes": {}})) == [
        ("node[x]", "type")
    ]
    assert broken(lambda g: g[edges].append(edge("e9", "owns", "d", "o"))) == [
        ("edge.owns[e9]", "type")
    ]
    assert broken(lambda g: g[edges].append(edge("e9", "link", "d", "o"))) == [
        ("edge.link[e9]", "abstract")
    ]
    assert broken(lambda g: g[nodes]["d"]["attributes"].update(phone="1")) == [
        ("node.donor[d].phone", "undeclared")
    ]
    assert broken(lambda g: g[nodes]["prj-001"]["attributes"].update(site="x")) == [
        (f"{project}.site", "undeclared")
    ]
    assert broken(lambda g: g[nodes]["d"].update(attributes={})) == [
        ("node.donor[d].title", "required"),
        ("edge.funds[e3]", "where"),
    ]
    assert broken(lambda g: g[nodes]["o"]["attributes"].update(title=None)) == [
        ("node.objective[o].title", "required")
    ]
    assert broken(lambda g: g[nodes]["o"]["attributes"].update(title="")) == [
        ("node.objective[o].title", "minLength")
    ]
    assert broken(lambda g: g[nodes]["p2"]["attributes"].update(start="2024-02-30")) == [
        ("node.pilot[p2].start", "format")
    ]
    assert broken(lambda g: g[nodes]["prj-001"]["attributes"].update(end="2023-01-01")) == [
        (project, "where")
    ]
    assert broken(lambda g: g[edges][2]["attributes"].update(amount=0)) == [
        ("edge.funds[e3].amount", "exclusiveMinimum")
    ]
    assert broken(lambda g: g[edges][2]["attributes"].update(amount=float("nan"))) == [
        ("edge.funds[e3].amount", "number")
    ]
    assert broken(lambda g: g[edges][2]["attributes"].update(amount=True)) == [
        ("edge.funds[e3].amount", "type")
    ]
    assert broken(lambda g: g[nodes]["d"]["attributes"].update(title="Project")) == [
        ("edge.funds[e3]", "where")
    ]


def test_a_reversed_edge_says_that_it_would_fit_the_other_way_round() -> None:
    graph = good()
    graph["edges"][2].update(source="prj-001", target="d")
    messages = [one["message"] for one in verdict(graph).details["violations"]]
    assert messages == [
        "its source 'prj-001' is project; expected donor (the other way round it would fit)",
        "its target 'd' is donor; expected project (the other way round it would fit)",
    ]
    graph["directed"] = False
    assert verdict(graph).passed


def test_parallel_edges_count_each() -> None:
    graph = good()
    graph["edges"] += [edge(f"x{n}", "funds", "d", "prj-001", amount=n + 1) for n in range(2)]
    assert found(graph) == [("node.project[prj-001]", "cardinality")]
    assert "3 edges funds from donor; at most 2 expected" in verdict(graph).reason


def test_the_number_of_nodes_of_a_type_counts() -> None:
    graph = good()
    del graph["nodes"]["d"], graph["edges"][2]
    assert found(graph) == [("node.donor", "cardinality")]
    assert found({"nodes": {}, "edges": []}) == [("node.donor", "cardinality")]
    assert verdict({"nodes": {}, "edges": []}).score == 0


def test_the_most_specific_type_names_a_node_of_several() -> None:
    graph = good()
    graph["nodes"]["p2"]["types"] = ["project", "thing", "pilot"]
    assert verdict(graph).passed
    graph["edges"].pop(1)
    assert found(graph) == [("node.pilot[p2]", "cardinality")]


def test_an_open_graph_allows_what_is_not_declared() -> None:
    rules = {**copy.deepcopy(RULES), "closed": False}
    graph = good()
    graph["nodes"]["x"] = node("planet", size=3)
    graph["nodes"]["d"]["attributes"]["phone"] = "1"
    assert verdict(graph, rules).passed
    rules["nodes"]["thing"]["closed"] = True
    assert found(graph, rules) == [("node.donor[d].phone", "undeclared")]


def test_loops_count_once_in_either_direction() -> None:
    def rules(direction: str) -> Any:
        link = {"edge": "knows", "min": 1, "max": 1, "direction": direction}
        return {"nodes": {"person": {"links": [link]}}, "edges": {"knows": {}}}

    graph = {
        "nodes": {"a": {"types": ["person"], "attributes": {}}},
        "edges": [edge("e", "knows", "a", "a")],
    }
    for direction in ("in", "out", "any"):
        assert verdict(graph, rules(direction)).passed


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "it is no graph"),
        ([], "it is no graph"),
        ("{}", "it is no graph"),
        ({"nodes": {}}, "expected `nodes` and `edges`"),
        ({"nodes": [], "edges": []}, "nodes: expected an object"),
        (
            {"nodes": {"a": {"types": "x", "attributes": {}}}, "edges": []},
            "expected a list of texts",
        ),
        ({"nodes": {}, "edges": [edge("e", "funds", "a", "b")]}, "no node is called 'a'"),
    ],
)
def test_a_candidate_that_is_no_graph_fails(value: Any, said: str) -> None:
    result = verdict(value)
    assert not result.passed and result.score == 0
    assert said in result.reason


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"nodes": {"a": {"is_a": "a"}}}, "node.a inherits from itself"),
        ({"nodes": {"a": {"is_a": "b"}, "b": {"mixins": ["a"]}}}, "inherits from itself"),
        ({"nodes": {"a": {"is_a": "b"}}}, "inherits from 'b', which is not there"),
        ({"nodes": {"a": {"color": 1}}}, "nodes.a.color"),
        ({"nodes": {"a": {"abstract": "yes"}}}, "nodes.a.abstract"),
        ({"nodes": {"a": {"attributes": {"t": {"type": "x"}}}}}, "node.a.t: the schema is not"),
        ({"nodes": {"a": {"attributes": {"t": {"$ref": "file:///x"}}}}}, "nothing is fetched"),
        ({"nodes": {"a": {"required": ["t"]}}}, "'t' is not declared"),
        ({"nodes": {"a": {"where": "t > 1"}}}, "node.a.where: expression, column 1"),
        ({"nodes": {"a": {"where": "source != null"}}}, "no field `source`"),
        ({"nodes": {"a": {"links": [{"edge": "e"}]}}, "edges": {"e": {}}}, "needs `min` or `max`"),
        ({"nodes": {"a": {"links": [{"edge": "e", "min": 1}]}}}, "no edge type is called 'e'"),
        ({"nodes": {"a": {"links": [{"edge": "e", "min": -1}]}}, "edges": {"e": {}}}, "min"),
        ({"nodes": {"a": {"links": [{"edge": "e", "min": True}]}}, "edges": {"e": {}}}, "min"),
        (
            {"nodes": {"a": {"links": [{"edge": "e", "min": 2, "max": 1}]}}, "edges": {"e": {}}},
            "more",
        ),
        ({"edges": {"e": {"from": "b"}}}, "no node type is called 'b'"),
        ({"nodes": {f"t{n}": {} for n in range(1_001)}}, "more than 1,000 types"),
        ([], "graph"),
    ],
)
def test_rules_that_cannot_be_used_are_refused(rules: Any, said: str) -> None:
    with pytest.raises(VerifierConfigError, match="schema_constraint") as raised:
        build_verifier("schema_constraint", graph=rules)
    assert said in str(raised.value)


def test_hostile_ids_and_large_graphs_end_soon() -> None:
    graph = good()
    graph["nodes"]["\ud800\n" * 1_000] = node("planet")
    assert len(verdict(graph).details["violations"][0]["path"]) < 100
    count = 3_000
    hub = {
        "nodes": {"o": node("objective"), "d": node("donor")},
        "edges": [edge(f"e{n}", "pursues", f"p{n}", "o") for n in range(count)],
    }
    hub["nodes"].update((f"p{n}", node("project")) for n in range(count))
    assert verdict(hub).passed


def test_a_long_line_of_types_and_many_types_per_node_end_soon() -> None:
    line: dict[str, Any] = {"t0": {}}
    line.update((f"t{n}", {"is_a": f"t{n - 1}"}) for n in range(1, 900))
    graph = {
        "nodes": {f"n{k}": {"types": list(line)[k:], "attributes": {}} for k in range(100)},
        "edges": [],
    }
    try:
        verdict(graph, {"nodes": line})
    except VerifierError as error:
        assert error.code == Code.TOO_LARGE
