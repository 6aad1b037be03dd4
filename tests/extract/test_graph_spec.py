"""A grammar goes to creel's GraphSpec and comes back, but for the losses that are listed."""

from typing import Any

import pytest
from creel.spec import AttrSchema, EdgeType, EnumDef, GraphSpec, NodeType, effective_attributes
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from creel_inspect.extract.files.reading import CorpusError
from creel_inspect.extract.grammar.graph_spec import from_graph_spec, to_graph_spec
from creel_inspect.extract.grammar.model import Grammar

FULL: dict[str, Any] = {
    "id": "rbm",
    "version": "2",
    "description": "Who pays for what.",
    "enums": {"Currency": {"values": ["USD", "EUR"], "description": "ISO 4217."}},
    "nodes": {
        "party": {
            "abstract": True,
            "description": "Anyone.",
            "attributes": {"name": {"required": True, "description": "Official."}},
        },
        "placed": {"attributes": {"country": {"pattern": "^[A-Z]{2}$"}}},
        "donor": {"is_a": "party", "mixins": ["placed"]},
        "result.outcome": {
            "attributes": {
                "share": {"range": "float", "minimum": 0, "maximum": 100.5},
                "stage": {"enum": ["planned", "NO"], "multivalued": True},
                "day": {"range": "date"},
            }
        },
    },
    "edges": {
        "funds": {
            "from": ["donor"],
            "to": ["result.outcome"],
            "attributes": {"amount": {"range": "decimal"}, "currency": {"range": "Currency"}},
        }
    },
}


def test_a_grammar_within_what_a_spec_holds_comes_back_whole() -> None:
    grammar = Grammar.from_json(FULL)
    spec, losses = to_graph_spec(grammar)
    assert losses == ()
    assert from_graph_spec(spec) == grammar
    assert (spec.id, spec.version, spec.description) == ("rbm", "2", "Who pays for what.")
    assert spec.enums == (EnumDef("Currency", ("USD", "EUR"), "ISO 4217."),)
    assert spec.node_type("donor") == NodeType("donor", is_a="party", mixins=("placed",))
    assert spec.edge_type("funds") == EdgeType(
        "funds",
        subject_type="donor",
        object_type="result.outcome",
        attributes=(AttrSchema("amount", range="decimal"), AttrSchema("currency", "Currency")),
    )
    outcome = spec.node_type("result.outcome")
    assert outcome is not None
    assert outcome.attribute("stage") == AttrSchema(
        "stage", multivalued=True, enum=("planned", "NO")
    )


def losses_of(value: Any) -> list[str]:
    return list(to_graph_spec(Grammar.from_json({"id": "g"} | value))[1])


def test_each_loss_is_a_sentence_with_its_path() -> None:
    assert losses_of({"nodes": {"a": {"attributes": {"x": {"range": "float", "unit": "kg"}}}}}) == [
        "node.a.x: a GraphSpec has no units, so that 'kg' is left out"
    ]
    assert losses_of({"nodes": {"a": {"attributes": {"x": {"pattern": r"^\pL+$"}}}}}) == [
        r"node.a.x: creel matches patterns with Python's re, which cannot read '^\\pL+$', so that "
        "it is left out"
    ]
    nodes: dict[str, Any] = {"a": {}, "b": {}}
    assert losses_of({"nodes": nodes, "edges": {"e": {"from": ["a", "b"], "to": "a"}}}) == [
        "edge.e: a GraphSpec holds one type for each end of an edge, so that `from` (a, b) is left "
        "out and any node type will do"
    ]
    edges = {"e": {"from": "a", "to": "b"}, "f": {"is_a": "e", "from": "a"}}
    assert losses_of({"nodes": nodes, "edges": edges}) == [
        "edge.f: creel inherits no ends, so that any node type will do for `to`, which would be b"
    ]
    assert losses_of({"nodes": nodes, "edges": {"a": {}}}) == [
        "edge.a: creel looks an id up among the node types first, so that it takes the attributes "
        "of node.a for those of edge.a"
    ]
    nodes = {
        "a": {"attributes": {"x": {"range": "decimal"}}},
        "b": {"is_a": "a", "attributes": {"x": {"range": "integer"}}},
        "c": {"is_a": "b", "mixins": ["d"]},
        "d": {"is_a": "a"},
    }
    assert losses_of({"nodes": nodes}) == [
        "node.c.x: where several types above declare an attribute creel takes the last one's, and "
        "not the nearest: what it says here differs"
    ]


def test_a_pattern_that_creel_cannot_read_is_not_given_to_it() -> None:
    value = {"id": "g", "nodes": {"a": {"attributes": {"x": {"pattern": r"^\pL+$"}}}}}
    spec, _ = to_graph_spec(Grammar.from_json(value))
    assert spec.node_types[0].attributes[0].pattern is None


def test_a_spec_written_for_creel_is_read() -> None:
    spec = GraphSpec(
        node_types=(
            NodeType("donor", attributes=(AttrSchema("name"),)),
            NodeType("project", description="Work.", attributes=(AttrSchema("title"),)),
        ),
        edge_types=(
            EdgeType(
                "funds",
                subject_type="donor",
                attributes=(AttrSchema("amount", range="decimal", minimum=0),),
            ),
        ),
    )
    assert from_graph_spec(spec) == Grammar.from_json(
        {
            "id": "graph",
            "version": "0.1.0",
            "nodes": {
                "donor": {"attributes": {"name": {}}},
                "project": {"description": "Work.", "attributes": {"title": {}}},
            },
            "edges": {
                "funds": {
                    "from": "donor",
                    "attributes": {"amount": {"range": "decimal", "minimum": 0}},
                }
            },
        }
    )


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (GraphSpec(node_types=(NodeType("a"), NodeType("a"))), "nodes: 'a' is declared twice"),
        (GraphSpec(edge_types=(EdgeType("a"), EdgeType("a"))), "edges: 'a' is declared twice"),
        (
            GraphSpec(enums=(EnumDef("E", ("a",)), EnumDef("E", ("b",)))),
            "enums: 'E' is declared twice",
        ),
        (
            GraphSpec(node_types=(NodeType("a", attributes=(AttrSchema("x"), AttrSchema("x"))),)),
            "nodes.a: 'x' is declared twice",
        ),
        (
            GraphSpec(node_types=(NodeType("a", is_a="b"),)),
            "nodes.a.is_a: no node type is called 'b'; expected one of a",
        ),
        (
            GraphSpec(edge_types=(EdgeType("a", subject_type="b"),)),
            "edges.a.from: no node type is called 'b'; expected one of none",
        ),
        (
            GraphSpec(node_types=(NodeType("a", attributes=(AttrSchema("x", range="a"),)),)),
            "nodes.a.attributes.x.range: 'a' is a node type: use an edge; expected one of string, "
            "integer, decimal, float, boolean, date, datetime",
        ),
        (
            GraphSpec(enums=(EnumDef("E", (1, 2)),)),  # type: ignore[arg-type]
            "enums.E.values.0: expected text (put it in quotes if it looks like something else), "
            "came 1; enums.E.values.1: expected text (put it in quotes if it looks like something "
            "else), came 2",
        ),
    ],
)
def test_a_spec_that_is_no_grammar_is_refused_with_the_place(spec: GraphSpec, message: str) -> None:
    with pytest.raises(CorpusError) as caught:
        from_graph_spec(spec)
    assert str(caught.value) == message


WORDS = st.sampled_from(["", "The official name.", "Häuser", "a: b # c", "x" * 50])
NUMBERS = st.one_of(st.integers(-(10**20), 10**20), st.floats(-1e9, 1e9))
MEMBERS = st.lists(st.sampled_from(["USD", "EUR", "NO", "on", "012", "é"]), min_size=1, unique=True)


@st.composite
def attributes(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(
        st.sampled_from(["string", "integer", "decimal", "float", "boolean", "date", "datetime",
                         "Money", "inline"])
    )  # fmt: skip
    one: dict[str, Any] = {
        "range": "string" if kind == "inline" else kind,
        "required": draw(st.booleans()),
        "multivalued": draw(st.booleans()),
        "description": draw(WORDS),
    }
    if kind == "inline":
        one["enum"] = draw(MEMBERS)
    if kind == "string":
        one["pattern"] = draw(st.sampled_from([None, "^a", r"\d{4}", r"^\pL+$", r"x\z"]))
    if kind in {"integer", "decimal", "float"}:
        one["unit"] = draw(st.sampled_from([None, "USD", "percent", "kg"]))
        bounds = sorted(draw(st.lists(NUMBERS, max_size=2)))
        one |= dict(zip(("minimum", "maximum"), bounds, strict=False))
    return one


@st.composite
def types(draw: st.DrawFn, side: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for number in range(draw(st.integers(1, 5))):
        name = f"{side}{number}" if draw(st.booleans()) else f"{side}.{number}.é"
        above = draw(st.lists(st.sampled_from([*found]), unique=True, max_size=3) if found
                     else st.just([]))  # fmt: skip
        direct = bool(above) and draw(st.booleans())
        own = draw(st.dictionaries(st.sampled_from([f"x{number}", "shared", "odd.name"]),
                                   attributes(), max_size=3))  # fmt: skip
        if above and draw(st.booleans()):
            own |= found[above[0]]["attributes"]
        found[name] = {
            "description": draw(WORDS),
            "is_a": above[0] if direct else None,
            "mixins": above[1:] if direct else above,
            "abstract": draw(st.booleans()),
            "attributes": own,
        }
    return found


@st.composite
def grammars(draw: st.DrawFn) -> Grammar:
    nodes, edges = draw(types("n")), draw(types(draw(st.sampled_from("ne"))))
    for edge in edges.values():
        for end in ("from", "to"):
            edge[end] = draw(st.lists(st.sampled_from([*nodes]), unique=True, max_size=3))
    value = {
        "id": draw(st.sampled_from(["g", "rbm.2"])),
        "version": draw(st.sampled_from(["1", "0.1.0"])),
        "description": draw(WORDS),
        "enums": {"Money": {"values": draw(MEMBERS), "description": draw(WORDS)}},
        "nodes": nodes,
        "edges": edges,
    }
    try:
        return Grammar.from_json(value)
    except CorpusError:  # a subtype that widens what it inherits, say
        reject()


def without_what_is_lost(grammar: Grammar) -> dict[str, Any]:
    """The grammar as JSON, less what the losses of ``to_graph_spec`` list."""
    value = grammar.to_json()
    for family in ("nodes", "edges"):
        for one in value.get(family, {}).values():
            for attribute in one.get("attributes", {}).values():
                attribute.pop("unit", None)
                if attribute.get("pattern") in {r"^\pL+$", r"x\z"}:
                    del attribute["pattern"]
            for end in ("from", "to"):
                if len(one.get(end, ())) > 1:
                    del one[end]
    return value


@settings(
    max_examples=60, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)  # fmt: skip
@given(grammars())
def test_a_grammar_comes_back_but_for_the_losses_that_are_listed(grammar: Grammar) -> None:
    spec, losses = to_graph_spec(grammar)
    kept = without_what_is_lost(grammar)
    assert from_graph_spec(spec) == Grammar.from_json(kept)
    declared = [
        (f"{side}.{type_id}.{name}", attribute)
        for side in ("node", "edge")
        for type_id, one in grammar.types(side).items()  # type: ignore[arg-type]
        for name, attribute in one.attributes.items()
    ]
    said = [loss.partition(": ") for loss in losses]
    assert [path for path, _, what in said if "has no units" in what] == [
        path for path, attribute in declared if attribute.unit is not None
    ]
    assert [path for path, _, what in said if "Python's re" in what] == [
        path for path, attribute in declared if attribute.pattern in {r"^\pL+$", r"x\z"}
    ]
    assert sum("holds one type for each end" in what for _, _, what in said) == sum(
        (len(edge.from_) > 1) + (len(edge.to) > 1) for edge in grammar.edges.values()
    )


@settings(
    max_examples=60, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)  # fmt: skip
@given(grammars())
def test_creel_inherits_what_the_grammar_does_where_no_loss_says_otherwise(
    grammar: Grammar,
) -> None:
    spec, losses = to_graph_spec(grammar)
    said = {loss.partition(": ")[0] for loss in losses if "takes the last one's" in loss}
    taken = {loss.partition(": ")[0] for loss in losses if "among the node types first" in loss}
    for side in ("node", "edge"):
        for type_id in grammar.types(side):  # type: ignore[arg-type]
            if f"{side}.{type_id}" in taken:
                assert set(grammar.lineage("edge", type_id)) & set(grammar.nodes)
                continue
            ours = grammar.attributes(side, type_id)  # type: ignore[arg-type]
            theirs = effective_attributes(spec, type_id)
            assert set(ours) == set(theirs)
            for name, one in ours.items():
                other = theirs[name]
                same = all(
                    getattr(one, key) == getattr(other, key)
                    for key in ("range", "required", "multivalued", "enum", "minimum", "maximum")
                )
                assert same or f"{side}.{type_id}.{name}" in said
