"""The tool's schema, and what a call amounts to."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from inspect_ai.tool import ToolCall
from jsonschema import Draft202012Validator

from creel_inspect.extract.corpus.evidence import check_evidence, spans
from creel_inspect.extract.corpus.sources import source_from
from creel_inspect.extract.extractors.merging import merged
from creel_inspect.extract.extractors.submission import (
    BadGraph,
    Element,
    Submission,
    SubmittedEdge,
    read_submission,
    rule_faults,
)
from creel_inspect.extract.extractors.submission_schema import submission_schema, submit_graph
from creel_inspect.extract.grammar.model import Grammar
from tests.extract.scripted import (
    BRUNO,
    DIARY,
    EMPTY,
    FEEDS,
    OLA,
    RIGHT,
    ZOO,
    call,
    edge,
    graph,
    node,
)
from tests.extract.scripted import given as quoted

SOURCES = {
    "diary.md": source_from("diary.md", DIARY),
    "rota.csv": source_from("rota.csv", "keeper,shift\nOla Berg,early\nOla Berg,late\n"),
}


def read(arguments, known=(), **extra):
    made = call("submit_graph", {}, **extra)
    made.arguments = arguments
    return read_submission(made, ZOO, SOURCES, known)


def problems(arguments, known=(), **extra):
    with pytest.raises(BadGraph) as caught:
        read(arguments, known, **extra)
    return list(caught.value.problems)


def test_the_schema_is_the_grammar_written_out():
    text = {"type": "string"}
    quote = {"anyOf": [text, {"type": "array", "items": text}]}

    def attribute(value, description):
        return {
            "type": "object",
            **({"description": description} if description else {}),
            "properties": {"value": value, "quote": quote, "source": text},
            "required": ["value", "quote", "source"],
            "additionalProperties": False,
        }

    schema = submission_schema(ZOO)
    assert set(schema["properties"]) == {"nodes", "edges"}
    assert schema["required"] == ["nodes", "edges"]
    keeper, bear, cub, crane = schema["properties"]["nodes"]["items"]["anyOf"]
    assert [one["properties"]["type"]["enum"] for one in (keeper, bear, cub, crane)] == [
        ["keeper"],
        ["bear"],
        ["cub"],
        ["crane"],
    ]
    assert keeper == {
        "type": "object",
        "description": "A person who keeps animals.",
        "properties": {
            "id": text,
            "type": {"type": "string", "enum": ["keeper"]},
            "attributes": {
                "type": "object",
                "properties": {
                    "name": attribute(text, "The full name."),
                    "shifts": attribute({"type": "array", "items": text}, "When they work."),
                },
                "required": ["name"],
                "additionalProperties": False,
            },
        },
        "required": ["id", "type", "attributes"],
        "additionalProperties": False,
    }
    inherited = cub["properties"]["attributes"]["properties"]
    assert inherited["weight"] == attribute(
        {"type": "number", "minimum": 0}, "How heavy it is. In kg."
    )
    assert inherited["diet"] == attribute({"type": "string", "enum": ["plants", "meat"]}, "")
    [feeds] = schema["properties"]["edges"]["items"]["anyOf"]
    assert set(feeds["properties"]) == {"source", "target", "type", "attributes"}
    times = feeds["properties"]["attributes"]["properties"]["times"]["properties"]["value"]
    assert times == {"type": "integer", "minimum": 1, "maximum": 9}


def test_the_schema_takes_what_is_read_and_nothing_that_is_not():
    schema = submission_schema(ZOO)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    assert validator.is_valid(RIGHT)
    assert validator.is_valid(EMPTY)
    assert not validator.is_valid({"nodes": []})
    assert not validator.is_valid(graph(node("a", "animal")))
    assert not validator.is_valid(graph({**OLA, "note": "x"}))


def test_the_schema_of_a_grammar_without_edges_allows_none():
    validator = Draft202012Validator(
        submission_schema(Grammar.from_json({"id": "g", "nodes": {"a": {}}}))
    )
    assert validator.is_valid(graph(node("x", "a")))
    assert not validator.is_valid({"nodes": [], "edges": [{}]})


def test_another_grammar_has_another_description_since_the_cache_sees_nothing_else():
    other = Grammar.from_json({"id": "zoo", "nodes": {"keeper": {}}})
    assert submit_graph(ZOO).description != submit_graph(other).description


def test_a_graph_and_its_evidence_are_read():
    found = read(RIGHT)
    assert found.graph().to_json() == {
        "$schema": "https://creel.dev/schema/graph/v1",
        "version": "1",
        "directed": True,
        "nodes": {
            "ola": {"types": ["keeper"], "attributes": {"name": "Ola Berg"}},
            "bruno": {"types": ["bear"], "attributes": {"name": "Bruno", "weight": 210}},
        },
        "edges": [
            {
                "id": "edge-1",
                "type": "feeds",
                "source": "ola",
                "target": "bruno",
                "attributes": {"times": 2},
            }
        ],
    }
    assert found.evidence() == {
        "ola": {
            "name": {
                "provenance": {"derived_from": "diary.md"},
                "grounding": [{"type": "TextQuoteSelector", "exact": "Ola Berg"}],
            }
        },
        "bruno": {
            "name": {
                "provenance": {"derived_from": "diary.md"},
                "grounding": [{"type": "TextQuoteSelector", "exact": "Bruno"}],
            },
            "weight": {
                "provenance": {"derived_from": "diary.md"},
                "grounding": [{"type": "TextQuoteSelector", "exact": "210 kg"}],
            },
        },
        "edge-1": {
            "times": {
                "provenance": {"derived_from": "diary.md"},
                "grounding": [{"type": "TextQuoteSelector", "exact": "twice a day"}],
            }
        },
    }
    assert found.problems == ()
    assert rule_faults(found.graph(), ZOO) == []


def test_an_empty_graph_is_a_graph_and_missing_lists_are_none():
    assert read(EMPTY) == Submission()
    assert problems({"nodes": []}) == [
        "`edges` is missing: give a list, an empty one if there are none"
    ]
    assert len(problems({})) == 2


def test_several_quotes_are_several_selectors():
    shifts = quoted(["early", "late"], ["early", "late"], "rota.csv")
    found = read(graph(node("ola", "keeper", name=quoted("Ola", "Ola"), shifts=shifts)))
    assert found.problems == ()
    assert found.evidence()["ola"]["shifts"] == {
        "provenance": {"derived_from": "rota.csv"},
        "grounding": [
            {"type": "TextQuoteSelector", "exact": "early"},
            {"type": "TextQuoteSelector", "exact": "late"},
        ],
    }


@pytest.mark.parametrize(
    "arguments",
    [
        {"graph": RIGHT},
        {"graph": json.dumps(RIGHT)},
        {"graph": json.dumps(RIGHT) + "}"},
        {"nodes": json.dumps(RIGHT["nodes"]), "edges": json.dumps(RIGHT["edges"]) + "\n"},
        {"nodes": [json.dumps(OLA), BRUNO], "edges": [json.dumps(FEEDS)]},
        graph({**OLA, "attributes": json.dumps(OLA["attributes"])}, BRUNO, edges=[FEEDS]),
        graph(
            {**OLA, "attributes": {"name": json.dumps(OLA["attributes"]["name"])}},
            BRUNO,
            edges=[FEEDS],
        ),
        graph(OLA, BRUNO, edges=[{"id": "e1", **FEEDS}]),
    ],
)
def test_what_a_model_wraps_or_encodes_is_read_as_what_it_can_only_mean(arguments):
    assert read(arguments) == read(RIGHT)


def test_no_value_or_quote_is_taken_for_json():
    text = '{"nodes": [], "value": 1}'
    named = node("a", "keeper", name=quoted(text, '[{"a": 1}]'))
    found = read(graph(named))
    assert found.nodes["a"].attributes == {"name": text}
    assert found.nodes["a"].evidence["name"]["grounding"][0]["exact"] == '[{"a": 1}]'


def test_null_is_an_attribute_that_is_not_said():
    one = node("ola", "keeper", name=quoted("Ola", "Ola"), shifts=quoted(None, None, None))
    assert dict(read(graph(one)).nodes["ola"].attributes) == {"name": "Ola"}
    bare = node("ola", "keeper", name=quoted("Ola", "Ola"), shifts=None)
    assert read(graph(bare)) == read(graph(one))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"nodes": {}, "edges": []}, "`nodes`: expected a list, came {}"),
        ({"nodes": "none", "edges": []}, "`nodes`: expected a list, came 'none'"),
        ({**EMPTY, "score": 1.0}, "the graph: no key is called 'score'; expected edges, nodes"),
        (
            {"graph": "It is all about bears."},
            "expected an object with `nodes` and `edges`, came 'It",
        ),
        ({"graph": [OLA]}, "expected an object with `nodes` and `edges`"),
        (graph("ola"), "nodes[0]: expected an object, came 'ola'"),
        (graph({"type": "keeper", "attributes": {}}), "nodes[0].id: expected text of at most 200"),
        (graph(node(1, "keeper")), "nodes[0].id: expected text of at most 200 characters, came 1"),
        (graph(node(" ", "keeper")), "nodes[0].id"),
        (graph(node("x" * 201, "keeper")), "nodes[0].id"),
        (
            graph(node("a", "lion")),
            "nodes[0].type: expected one of keeper, bear, cub, crane; came 'lion'",
        ),
        (graph(node("a", ["bear"])), "nodes[0].type"),
        (graph({"id": "a", "attributes": {}}), "came nothing"),
        (graph({**OLA, "types": ["keeper"]}), "nodes[0]: no key is called 'types'"),
        (graph({**OLA, "attributes": ["name"]}), "nodes[0] ('ola').attributes: expected an object"),
        (graph(node("a", "keeper", name={"text": "Ola"})), "nodes[0] ('a').name"),
        (
            graph(node("a", "keeper", name={**quoted("O", "O"), "sure": 1})),
            "no key is called 'sure'",
        ),
        (graph(OLA, BRUNO, OLA), "nodes[2].id: 'ola' is used twice"),
        (graph(OLA, edges=[FEEDS]), "edges[0].target: no node is called 'bruno'"),
        (
            graph(OLA, BRUNO, edges=[edge("eats", "ola", "bruno")]),
            "edges[0].type: expected one of feeds",
        ),
        (graph(OLA, BRUNO, edges=[edge("feeds", None, "bruno")]), "edges[0].source"),
        (graph(node("a", "bear", weight=quoted(float("nan"), "x"))), "nan is not a JSON number"),
        (graph(node("a", "bear", weight=quoted(float("inf"), "x"))), "inf is not a JSON number"),
        (graph(node("a", "bear", weight=quoted(10**400, "x"))), "a number of hundreds of digits"),
        (graph(node("a", "keeper", name=quoted("half \ud800", "x"))), "half a character"),
        ({"nodes": '[{"id": "a", "x": NaN}]', "edges": []}, "nan is not a JSON number"),
        ({"nodes": [{}] * 1_000_000, "edges": []}, "longer than 1000000"),
        ({"nodes": [{}] * 10_001, "edges": []}, "10,001 nodes and edges are more than the 10,000"),
        ({"nodes": ["x" * 1_000_001], "edges": []}, "longer than 1000000"),
        ("a graph", "expected an object"),
        (None, "expected an object"),
    ],
)
def test_what_is_no_graph_is_malformed_and_told_where(arguments, said):
    assert any(said in one for one in problems(arguments)), problems(arguments)


def test_depth_is_bounded():
    deep = value = {}
    for _ in range(5_000):
        value["a"] = value = {}
    assert problems({"nodes": [deep], "edges": []}) == [
        "the arguments are nested deeper than 100 levels"
    ]
    hidden = "[" * 5_000 + "]" * 5_000
    assert problems({"nodes": '[{"a":' + hidden + "}]", "edges": []})


def test_arguments_that_could_not_be_parsed_are_no_empty_graph():
    [said] = problems({}, parse_error="Expecting ',' delimiter: line 1")
    assert said == "the arguments cannot be read: Expecting ',' delimiter: line 1"
    assert problems(EMPTY, parse_error="cut short")


def test_all_that_is_wrong_is_told_and_nothing_that_follows_from_it():
    lion = node("lion", "lion")
    found = problems(graph(lion, OLA, OLA, edges=[edge("feeds", "ola", "lion")]))
    assert len(found) == 2
    assert "'lion'" in found[0]
    assert found[1] == "nodes[2].id: 'ola' is used twice"


def test_no_more_than_twenty_problems_are_listed():
    with pytest.raises(BadGraph, match="and 30 more") as caught:
        read(graph(*(node(f"n{number}", "lion") for number in range(50))))
    assert str(caught.value).count("nodes[") == 20
    assert len(caught.value.problems) == 50


def test_edges_may_join_nodes_of_earlier_parts_that_were_told():
    only = {"nodes": [], "edges": [FEEDS]}
    assert len(read(only, {"ola", "bruno"}).edges) == 1
    assert problems(only, {"ola"}) == ["edges[0].target: no node is called 'bruno'"]


@pytest.mark.parametrize(
    ("given_name", "said"),
    [
        ("Ola Berg", "it has no quote and no source"),
        (["Ola Berg"], "it has no quote and no source"),
        ({"value": "Ola Berg"}, "it names no source"),
        (quoted("Ola Berg", ""), "it has no quote"),
        (quoted("Ola Berg", []), "it has no quote"),
        (quoted("Ola Berg", 7), "it has no quote"),
        (
            quoted("Ola Berg", "Ola Berg", "notes.md"),
            "there is no source 'notes.md'; there are 'diary.md', 'rota.csv'",
        ),
        (quoted("Ola Berg", "Ola  B."), "the quote 'Ola B.' is not in diary.md"),
        (quoted("Ola Berg", "early"), "is not in diary.md"),
        (
            quoted("Ola Berg", ["Ola", "early"]),
            "the quote 'early' is not in diary.md",
        ),
    ],
)
def test_evidence_that_does_not_hold_is_a_problem_of_a_graph_that_stands(given_name, said):
    found = read(graph(node("ola", "keeper", name=given_name)))
    assert found.nodes["ola"].attributes["name"] in ("Ola Berg", ["Ola Berg"])
    [problem] = found.problems
    assert problem.startswith("nodes[0] ('ola').name: ")
    assert said in problem


@pytest.mark.parametrize(
    ("one", "rule", "said"),
    [
        (
            node("b", "bear", fur=quoted("brown", "b")),
            "undeclared",
            "node.bear[b].fur: is not declared",
        ),
        (node("b", "bear", weight=quoted("210", "b")), "type", "node.bear[b].weight"),
        (node("b", "bear", weight=quoted(-1, "b")), "minimum", "node.bear[b].weight"),
        (node("b", "bear", diet=quoted("fish", "b")), "enum", "node.bear[b].diet"),
        (node("k", "keeper"), "required", "node.keeper[k].name: is missing"),
        (node("a", "animal"), "abstract", "node.animal[a]: animal is abstract"),
    ],
)
def test_what_breaks_the_grammar_is_a_fault_of_a_graph_that_stands(one, rule, said):
    [fault] = rule_faults(read(graph(one)).graph(), ZOO)
    assert fault.rule == rule
    assert said in fault.message


def test_an_edge_between_the_wrong_types_is_a_fault():
    turned = graph(OLA, BRUNO, edges=[edge("feeds", "bruno", "ola")])
    faults = rule_faults(read(turned).graph(), ZOO)
    assert {fault.rule for fault in faults} == {"endpoint"}
    assert "the other way round it would fit" in faults[0].message


def test_faults_past_the_first_twenty_are_counted():
    many = graph(*[node(f"k{n}", "keeper") for n in range(30)])
    faults = rule_faults(read(many).graph(), ZOO)
    assert len(faults) == 21
    assert faults[-1].message == "10 more that break the grammar"


def test_edge_ids_never_clash_with_a_nodes():
    one = Submission(
        {"edge-1": Element("keeper"), "b": Element("bear")},
        (SubmittedEdge("feeds", source="edge-1", target="b"),),
    )
    assert one.edge_ids() == ["edge-edge-1"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "nodes",
                    "edges",
                    "id",
                    "type",
                    "attributes",
                    "source",
                    "target",
                    "name",
                    "value",
                    "quote",
                    "graph",
                ]
            )
            | st.text(max_size=4),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(JSON, st.sampled_from(["whole", "node", "attributes", "text"]))
def test_no_arguments_crash_the_reader(value, place):
    arguments = {
        "whole": value,
        "node": graph(value),
        "attributes": graph({"id": "a", "type": "bear", "attributes": value}),
        "text": {"nodes": json.dumps(value), "edges": "[]"},
    }[place]
    made = ToolCall(id="1", function="submit_graph", arguments={})
    made.arguments = arguments
    try:
        found = read_submission(made, ZOO, SOURCES)
    except BadGraph as error:
        assert error.problems
    else:
        assert isinstance(arguments, dict)
        rule_faults(found.graph(), ZOO)


# Merging ---------------------------------------------------------------------------------------


def joined(earlier, later, known=None):
    known = set(earlier.nodes) if known is None else known
    return merged(earlier, later, known=known, label="part 2", grammar=ZOO)


def record(exact, source="diary.md"):
    return {
        "provenance": {"derived_from": source},
        "grounding": [{"type": "TextQuoteSelector", "exact": exact}],
    }


def test_the_attributes_of_one_node_are_united():
    earlier = Submission({"b": Element("bear", {"name": "Bruno"}, {"name": record("Bruno")})})
    later = Submission(
        {
            "b": Element(
                "bear",
                {"name": "Bruno", "weight": 210},
                {"name": record("B."), "weight": record("210 kg")},
            )
        }
    )
    found, notes = joined(earlier, later)
    assert notes == []
    assert found.nodes["b"] == Element(
        "bear",
        {"name": "Bruno", "weight": 210},
        {"name": record("Bruno"), "weight": record("210 kg")},
    )


def test_of_two_values_the_later_is_kept_with_its_evidence_and_noted():
    earlier = Submission({"b": Element("bear", {"weight": 210}, {"weight": record("210 kg")})})
    later = Submission({"b": Element("bear", {"weight": 190})})
    found, notes = joined(earlier, later)
    assert found.nodes["b"] == Element("bear", {"weight": 190}, {})
    assert notes == [
        "part 2: node.bear[b].weight was 210 before, and is 190 here: the later is kept"
    ]


def test_true_and_one_are_two_values():
    _, notes = joined(
        Submission({"b": Element("bear", {"weight": 1})}),
        Submission({"b": Element("bear", {"weight": True})}),
    )
    assert len(notes) == 1


def test_lists_are_joined_with_their_evidence():
    def part(value, exact, source):
        return Submission(
            {"o": Element("keeper", {"shifts": value}, {"shifts": record(exact, source)})}
        )

    found, notes = joined(
        part(["early"], "early", "rota.csv"), part(["early", "late"], "late", "rota.csv")
    )
    assert notes == []
    assert found.nodes["o"].attributes == {"shifts": ["early", "late"]}
    assert found.nodes["o"].evidence["shifts"] == {
        "provenance": {"derived_from": "rota.csv"},
        "grounding": [
            {"type": "TextQuoteSelector", "exact": "early", "source": "rota.csv"},
            {"type": "TextQuoteSelector", "exact": "late", "source": "rota.csv"},
        ],
    }
    found, _ = joined(part(["twice"], "twice", "diary.md"), part(["late"], "late", "rota.csv"))
    found, _ = joined(found, part(["fed"], "feeds", "diary.md"))
    both = found.nodes["o"].evidence["shifts"]
    assert both == {
        "provenance": {"derived_from": "diary.md, rota.csv"},
        "grounding": [
            {"type": "TextQuoteSelector", "exact": "twice", "source": "diary.md"},
            {"type": "TextQuoteSelector", "exact": "late", "source": "rota.csv"},
            {"type": "TextQuoteSelector", "exact": "feeds", "source": "diary.md"},
        ],
    }
    assert [span.found for span in spans(both, SOURCES)] == [True, True, True]
    assert check_evidence(found.evidence()) == []


@pytest.mark.parametrize(
    ("before", "after", "kept", "noted"),
    [
        ("bear", "bear", "bear", 0),
        ("bear", "cub", "cub", 0),
        ("cub", "bear", "cub", 0),
        ("crane", "bear", "bear", 1),
    ],
)
def test_of_two_types_the_more_specific_is_kept_else_the_later(before, after, kept, noted):
    found, notes = joined(Submission({"b": Element(before)}), Submission({"b": Element(after)}))
    assert found.nodes["b"].type == kept
    assert len(notes) == noted


def feeds(times):
    return SubmittedEdge("feeds", {"times": times}, {}, "o", "b")


def test_an_edge_that_two_parts_give_is_one_and_those_of_one_part_stay_several():
    nodes = {"o": Element("keeper"), "b": Element("bear")}
    earlier = Submission(nodes, (feeds(2), feeds(2)))
    assert joined(earlier, Submission({}, (feeds(2),)))[0].edges == (feeds(2), feeds(2))
    assert joined(earlier, Submission({}, (feeds(2),) * 3))[0].edges == (feeds(2),) * 3
    assert joined(earlier, Submission({}, (feeds(3),)))[0].edges == (feeds(2), feeds(2), feeds(3))


def test_an_id_the_model_was_not_told_of_is_another_node():
    earlier = Submission({"a": Element("bear", {"name": "Bruno"})})
    later = Submission(
        {"a": Element("keeper", {"name": "Ola"}), "b": Element("bear")},
        (SubmittedEdge("feeds", {}, {}, "a", "b"),),
    )
    found, notes = joined(earlier, later, known=())
    assert notes == []
    assert list(found.nodes) == ["a", "a (part 2)", "b"]
    assert found.nodes["a"].attributes == {"name": "Bruno"}
    assert found.edges == (SubmittedEdge("feeds", {}, {}, "a (part 2)", "b"),)
