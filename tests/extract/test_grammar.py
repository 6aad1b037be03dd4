"""A grammar is read as it is written, or each mistake is named with its line."""

import copy
from pathlib import Path
from typing import Any

import pytest

from creel_inspect.extract.files.reading import CorpusError
from creel_inspect.extract.grammar.file import load_grammar
from creel_inspect.extract.grammar.model import Attribute, Grammar
from creel_inspect.verify import build_verifier

RBM = """\
id: rbm
version: "1"
description: Who pays for what, and what comes of it.
enums:
  Currency: {values: [USD, EUR], description: ISO 4217.}
nodes:
  party:
    abstract: true
    attributes:
      name: {range: string, required: true, description: The official name.}
      aliases: {multivalued: true}
  located:
    abstract: true
    attributes:
      country: {pattern: "^[A-Z]{2}$"}
  donor:
    description: Who pays.
    is_a: party
    mixins: [located]
  project:
    attributes:
      title: {required: true}
      start: {range: date}
      seen: {range: datetime}
      share: {range: float, unit: percent, minimum: 0, maximum: 100}
      sites: {range: integer, minimum: 1}
      active: {range: boolean}
      stage: {enum: [planned, running, NO]}
      tags: {enum: [a, b], multivalued: true, required: true}
  result.outcome: {}
edges:
  funds:
    from: donor
    to: [project, result.outcome]
    attributes:
      amount: {range: decimal, minimum: 0, required: true, unit: USD}
      currency: {range: Currency}
"""


def written(folder: Path, text: str) -> Grammar:
    (folder / "grammar.yaml").write_text(text)
    return load_grammar(folder / "grammar.yaml", folder)


@pytest.fixture
def rbm(tmp_path: Path) -> Grammar:
    return written(tmp_path, RBM)


def with_nodes(**nodes: Any) -> Any:
    return {"id": "g", "nodes": nodes}


def lined(**types: str) -> Grammar:
    """Node types from `is_a + mixin mixin`."""
    nodes = {}
    for name, above in types.items():
        parent, _, mixins = above.partition("+")
        nodes[name] = {"is_a": parent.strip() or None, "mixins": mixins.split()}
    return Grammar.from_json(with_nodes(**nodes))


def faults(value: Any) -> list[tuple[str, str]]:
    """Place and message of each mistake."""
    with pytest.raises(CorpusError) as caught:
        Grammar.from_json(value)
    assert str(caught.value).isprintable()
    return [(".".join(map(str, one.place)), one.message) for one in caught.value.faults]


def test_a_grammar_file_is_read_as_it_is_written(rbm: Grammar) -> None:
    assert (rbm.id, rbm.version) == ("rbm", "1")
    assert list(rbm.nodes) == ["party", "located", "donor", "project", "result.outcome"]
    funds = rbm.edges["funds"]
    assert (funds.from_, funds.to) == (("donor",), ("project", "result.outcome"))
    assert funds.attributes["amount"] == Attribute(
        range="decimal", minimum=0, required=True, unit="USD"
    )
    assert rbm.enums["Currency"].values == ("USD", "EUR")
    assert rbm.nodes["project"].attributes["stage"].enum == ("planned", "running", "NO")
    assert rbm.types("edge") == rbm.edges and rbm.types("node") == rbm.nodes


def test_json_holds_all_of_a_grammar(rbm: Grammar) -> None:
    again = Grammar.from_json(copy.deepcopy(rbm.to_json()))
    assert again == rbm and again.digest == rbm.digest
    assert rbm.to_json()["edges"]["funds"]["from"] == ["donor"]


def test_the_digest_changes_with_what_the_grammar_says(rbm: Grammar) -> None:
    assert len(rbm.digest) == 12 and set(rbm.digest) <= set("0123456789abcdef")
    value = rbm.to_json()
    value["nodes"]["project"]["attributes"]["sites"]["minimum"] = 2
    assert Grammar.from_json(value).digest != rbm.digest


def test_attributes_are_inherited_and_the_nearest_declaration_counts() -> None:
    grammar = Grammar.from_json(
        with_nodes(
            thing={"attributes": {"size": {"range": "decimal"}, "name": {}}},
            dated={"attributes": {"day": {"range": "date"}}},
            box={
                "is_a": "thing",
                "mixins": ["dated"],
                "attributes": {"size": {"range": "integer", "description": "How many."}},
            },
            crate={"is_a": "box"},
        )
    )
    assert {name: one.range for name, one in grammar.attributes("node", "crate").items()} == {
        "size": "integer", "name": "string", "day": "date"
    }  # fmt: skip
    size = grammar.attribute("node", "crate", "size")
    assert size is not None and size.description == "How many."
    assert grammar.attribute("node", "crate", "weight") is None
    assert grammar.attributes("node", "planet") == {}
    assert grammar.attribute("node", "planet", "size") is None
    assert grammar.attributes("edge", "crate") == {}


def test_a_lineage_goes_up_is_a_first_and_then_to_the_mixins_of_each() -> None:
    grammar = lined(a="", b="a + m", c="b + n o", m="k", n="", o="", k="")
    assert grammar.lineage("node", "c") == ("c", "b", "a", "n", "o", "m", "k")
    assert grammar.lineage("node", "a") == ("a",)
    assert grammar.lineage("node", "planet") == ("planet",)
    assert grammar.lineage("edge", "c") == ("c",)


def test_no_type_comes_before_one_that_inherits_from_it() -> None:
    # d is a b, and mixes in c; both inherit from a: c says more about d than a does.
    assert lined(a="", b="a", c="a", d="b + c").lineage("node", "d") == ("d", "b", "c", "a")
    grammar = Grammar.from_json(
        with_nodes(
            a={"attributes": {"x": {"range": "decimal"}}},
            b={"is_a": "a"},
            c={"is_a": "a", "attributes": {"x": {"range": "integer"}}},
            d={"is_a": "b", "mixins": ["c"]},
        )
    )
    x = grammar.attribute("node", "d", "x")
    assert x is not None and x.range == "integer"
    assert grammar.attributes("node", "d") == {"x": x}


def test_the_most_specific_types_are_those_that_no_other_inherits_from() -> None:
    grammar = lined(a="", b="a", c="b + m", m="")
    assert grammar.most_specific("node", ("a", "c", "m", "c")) == ("c",)
    assert grammar.most_specific("node", ("m", "b", "a")) == ("m", "b")
    assert grammar.most_specific("node", ("planet", "a")) == ("planet", "a")
    assert grammar.most_specific("node", ()) == ()


def test_an_edge_inherits_its_ends() -> None:
    grammar = Grammar.from_json(
        with_nodes(a={}, b={"is_a": "a"})
        | {"edges": {"x": {"from": "a", "to": ["a"]}, "y": {"is_a": "x", "from": "b"}, "z": {}}}
    )
    assert grammar.ends("y") == (("b",), ("a",))
    assert grammar.ends("z") == ((), ())
    assert grammar.ends("w") == ((), ())


def test_permitted_values_are_inline_or_of_an_enum(rbm: Grammar) -> None:
    found = {
        name: (rbm.values_of(one), rbm.nature(one))
        for name, one in {
            **rbm.nodes["project"].attributes,
            **rbm.edges["funds"].attributes,
        }.items()
    }
    assert found["stage"] == (("planned", "running", "NO"), "enum")
    assert found["currency"] == (("USD", "EUR"), "enum")
    assert found["title"] == (None, "string")
    assert found["amount"] == (None, "decimal")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  donor:\n", "  doner:\n", "33: edges.funds.from: no node type is called "
         "'donor'; expected one of party, located, doner, project, result.outcome"),
        ("is_a: party", "is_a: partei", "18: nodes.donor.is_a: no node type is called "
         "'partei'; expected one of party, located, donor, project, result.outcome"),
        ("mixins: [located]", "mixins: [project, placed]", "19: nodes.donor.mixins: no "
         "node type is called 'placed'; expected one of party, located, donor, project, "
         "result.outcome"),
        ("abstract: true\n", "abstract: true\n    mixins: donor\n", "7: nodes.party: it "
         "inherits from itself: party → donor → party"),
        ("{range: Currency}", "{range: Money}", "37: edges.funds.attributes.currency."
         "range: 'Money' is no range; expected one of string, integer, decimal, float, boolean, "
         "date, datetime, Currency"),
        ("{range: Currency}", "{range: donor}", "37: edges.funds.attributes.currency."
         "range: 'donor' is a node type: use an edge; expected one of string, integer, decimal, "
         "float, boolean, date, datetime, Currency"),
        ("{range: Currency}", "{range: Currency, enum: [USD]}", "37: edges.funds."
         "attributes.currency.enum: the range is 'Currency': expected `range` or `enum`"),
        ("{range: boolean}", "{range: boolean, enum: ['true']}", "27: nodes.project."
         "attributes.active.enum: the range is 'boolean': expected `range` or `enum`"),
        ("maximum: 100", "maximum: -1", "25: nodes.project.attributes.share.minimum: "
         "the minimum 0 is more than the maximum -1"),
        ("{range: date}", "{range: date, minimum: 5}", "23: nodes.project.attributes."
         "start.minimum: belongs to numbers, and this is date"),
        ("title: {", "title: {maximum: 5, ", "22: nodes.project.attributes."
         "title.maximum: belongs to numbers, and this is string"),
        ("title: {", "title: {unit: kg, ", "22: nodes.project.attributes."
         "title.unit: belongs to numbers, and this is string"),
        ("{range: Currency}", "{range: Currency, unit: USD}", "37: edges.funds."
         "attributes.currency.unit: belongs to numbers, and this is enum"),
        ("sites: {", 'sites: {pattern: "^1", ', "26: nodes.project.attributes.sites."
         "pattern: belongs to text, and this is integer"),
        ("stage: {", 'stage: {pattern: "^p", ', "28: nodes.project.attributes.stage."
         "pattern: belongs to text, and this is enum"),
        ("[planned, running, NO]", "[]", "28: nodes.project.attributes.stage.enum: is "
         "empty; expected the permitted values"),
        ("[planned, running, NO]", "[a, b, a]", "28: nodes.project.attributes.stage."
         "enum: 'a' is there twice"),
        ("[USD, EUR]", "[USD, '']", "5: enums.Currency.values: one of the values is "
         "empty text: leave the attribute out instead"),
        ("[USD, EUR]", "[]", "5: enums.Currency.values: is empty; expected the "
         "permitted values"),
        ("[USD, EUR]", "[USD, 978]", "5: enums.Currency.values.1: expected text (put it "
         "in quotes if it looks like something else), came 978"),
        ("  Currency: {", "  date: {", "5: enums.date: this is a range of its own: call "
         "the enum something else"),
        ("to: [project, result.outcome]", "to: [project, project]", "34: edges.funds.to:"
         " 'project' is there twice"),
        ("id: rbm\n", "", "1: id: is missing"),
        ('"1"', "1", "2: version: expected text (put it in quotes if it looks like "
         "something else), came 1"),
        ("nodes:\n", "node:\n", "6: node: no such key; expected one of id, version, "
         "description, enums, nodes, edges"),
        ("    is_a: party", "    isa: party", "18: nodes.donor.isa: no such key; "
         "expected one of description, is_a, mixins, abstract, attributes"),
        ("    from: donor", "    from_: donor", "33: edges.funds.from_: no such key; "
         "expected one of description, is_a, mixins, abstract, attributes, from, to"),
        ("{values: [", "{vals: 1, values: [", "5: enums.Currency.vals: no such key; "
         "expected one of values, description"),
        ("sites: {", "sites: {min: 1, ", "26: nodes.project.attributes.sites.min: no "
         "such key; expected one of range, unit, enum, pattern, minimum, maximum, required, "
         "multivalued, description"),
        ("abstract: true\n", "abstract: yes\n", "8: nodes.party.abstract: expected true "
         "or false, came 'yes'"),
        ("{range: integer, minimum: 1}", "{range: integer, minimum: 012}", "26: nodes."
         "project.attributes.sites.minimum: expected a number, came '012'"),
        ("{range: integer, minimum: 1}", "{range: integer, minimum: true}", "26: nodes."
         "project.attributes.sites.minimum: expected a number, came True"),
        ("{range: integer, minimum: 1}", "integer", "26: nodes.project.attributes.sites:"
         " expected a mapping, came 'integer'"),
        ("result.outcome: {}", "result.outcome:", "30: nodes.result.outcome: expected a "
         "mapping, came None"),
        ("to: [project, result.outcome]", "to: {project: 1}", "34: edges.funds.to: "
         "expected a list, came {'project': 1}"),
    ],
)  # fmt: skip
def test_each_mistake_is_named_with_its_line_and_place(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in RBM
    with pytest.raises(CorpusError) as caught:
        written(tmp_path, RBM.replace(old, new, 1))
    assert str(caught.value).split("\n")[0] == f"grammar.yaml:{message}"


def test_several_mistakes_come_on_a_line_each(tmp_path: Path) -> None:
    text = RBM.replace("unit: percent", "unit: kilo").replace("[A-Z]{2}", "(?=a)")
    with pytest.raises(CorpusError) as caught:
        written(tmp_path, text)
    first, second = str(caught.value).split("\n")
    assert first.startswith(
        "grammar.yaml:15: nodes.located.attributes.country.pattern: the pattern '^(?=a)$' cannot "
        "be used: "
    )
    assert "RE2, which has no lookaround" in first
    assert second.startswith("grammar.yaml:25: nodes.project.attributes.share.unit: ")
    assert "no unit is called 'kilo'" in second


@pytest.mark.parametrize("text", ["", "- a\n", "5\n", "text\n"])
def test_a_grammar_that_is_no_mapping_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(CorpusError, match=r"grammar\.yaml(:1)?: the grammar: expected a mapping"):
        written(tmp_path, text)


@pytest.mark.parametrize("unit", ["$", "ton", "m**9**9**9", "", "x" * 1000, "kg; USD"])
def test_a_unit_that_the_numbers_verifier_refuses_is_refused(unit: str) -> None:
    attribute = {"range": "decimal", "unit": unit}
    ((place, _),) = faults(with_nodes(a={"attributes": {"b": attribute}}))
    assert place == "nodes.a.attributes.b.unit"


@pytest.mark.parametrize("unit", ["USD", "percent", "kg", "mg/L", "°C"])
@pytest.mark.parametrize("kind", ["integer", "decimal", "float"])
def test_a_unit_that_the_numbers_verifier_takes_is_taken(unit: str, kind: str) -> None:
    attribute = {"range": kind, "unit": unit}
    Grammar.from_json(with_nodes(a={"attributes": {"b": attribute}}))


@pytest.mark.parametrize(
    "text", ["", "a[b", "a]", "a\nb", "a\x00", "\ud800", " a", "a ", ".a", "a.", "a..b", "x" * 201]
)
def test_an_id_that_cannot_stand_in_a_path_is_refused(text: str) -> None:
    assert [place for place, _ in faults({"id": text})] == ["id"]
    for value in (
        with_nodes(**{text: {}}),
        with_nodes(a={"attributes": {text: {}}}),
        {"id": "g", "edges": {text: {}}},
        {"id": "g", "enums": {text: {"values": ["x"]}}},
    ):
        ((place, message),) = faults(value)
        assert place.endswith(text) and "id" in message


def test_a_type_called_default_is_refused_since_a_policy_has_that_word() -> None:
    said = "`default` is no type in a policy: call it something else"
    assert faults(with_nodes(default={})) == [("nodes.default", said)]
    assert faults({"id": "g", "edges": {"default": {}}}) == [("edges.default", said)]
    Grammar.from_json(with_nodes(**{"by.default": {}}))


def test_an_attribute_path_that_means_two_things_is_refused() -> None:
    value = with_nodes(**{"a": {"attributes": {"b.c": {}}}, "a.b": {"attributes": {"c": {}}}})
    assert faults(value) == [
        (
            "nodes.a.b.attributes.c",
            "the path node.a.b.c means the attribute c of a.b, and b.c of a: rename one",
        )
    ]
    # The same through inheritance.
    value = with_nodes(
        **{
            "top": {"attributes": {"b.c": {}, "c": {}}},
            "a": {"is_a": "top"},
            "a.b": {"is_a": "top"},
        }
    )
    assert [message for _, message in faults(value)] == [
        "the path node.a.b.c means the attribute c of a.b, and b.c of a: rename one"
    ]


def test_a_dotted_type_beside_an_attribute_of_the_same_path_is_allowed() -> None:
    Grammar.from_json(with_nodes(**{"a": {"attributes": {"b": {}}}, "a.b": {}}))


@pytest.mark.parametrize(
    ("above", "own", "fault"),
    [
        ({"range": "integer"}, {"range": "decimal"}, "range: this is decimal, and integer"),
        ({"range": "date"}, {}, "range: this is string, and date"),
        ({"enum": ["a"]}, {}, "range: this is string, and enum"),
        ({"enum": ["a"]}, {"enum": ["a", "b"]}, "enum: 'b' is not permitted"),
        ({"required": True}, {}, "required: it is required"),
        ({"multivalued": True}, {}, "multivalued: this is one value, and a list"),
        ({}, {"multivalued": True}, "multivalued: this is a list, and one value"),
        ({"range": "float", "unit": "kg"}, {"range": "float"}, "unit: the unit is 'kg'"),
        ({"range": "float", "unit": "kg"}, {"range": "float", "unit": "g"},
         "unit: the unit is 'kg'"),
        ({"range": "float", "minimum": 1}, {"range": "float"}, "minimum: the minimum is 1"),
        ({"range": "float", "minimum": 1}, {"range": "float", "minimum": 0},
         "minimum: the minimum is 1"),
        ({"range": "float", "maximum": 1}, {"range": "integer", "maximum": 2},
         "maximum: the maximum is 1"),
        ({"pattern": "^a"}, {}, "pattern: the pattern is '^a'"),
        ({"pattern": "^a"}, {"enum": ["ab", "b"]}, "enum: 'b' would not match the pattern"),
    ],
)  # fmt: skip
def test_a_subtype_does_not_widen_what_it_inherits(
    above: dict[str, Any], own: dict[str, Any], fault: str
) -> None:
    value = with_nodes(
        top={"attributes": {"x": above}},
        middle={"is_a": "top"},
        low={"is_a": "middle", "attributes": {"x": own}},
    )
    key, said = fault.split(": ", 1)
    said = said.replace("'b'", "b")
    assert faults(value) == [
        (
            f"nodes.low.attributes.x.{key}",
            f"{said} in middle, and a subtype may only narrow what it inherits",
        )
    ]


@pytest.mark.parametrize(
    ("above", "own"),
    [
        ({"range": "decimal"}, {"range": "integer"}),
        ({"range": "float"}, {"range": "decimal", "unit": "kg", "minimum": 0}),
        ({}, {"range": "date"}),
        ({}, {"enum": ["a"], "required": True}),
        ({"enum": ["a", "b"]}, {"enum": ["b"]}),
        ({"pattern": "^a"}, {"enum": ["a"]}),
        ({"range": "float", "minimum": 1, "maximum": 5}, {"range": "float", "minimum": 1,
         "maximum": 4}),
    ],
)  # fmt: skip
def test_a_subtype_may_narrow_what_it_inherits(above: dict[str, Any], own: dict[str, Any]) -> None:
    value = with_nodes(
        top={"attributes": {"x": above}}, low={"is_a": "top", "attributes": {"x": own}}
    )
    assert Grammar.from_json(value).attribute("node", "low", "x") == Attribute.model_validate(own)


def test_an_attribute_that_two_types_above_declare_differently_is_left_open_to_none() -> None:
    value = with_nodes(
        a={"attributes": {"x": {"description": "one"}}},
        b={"attributes": {"x": {"description": "two"}}},
        c={"is_a": "a", "mixins": ["b"]},
        d={"is_a": "c"},
        e={"is_a": "a", "mixins": ["c"]},
    )
    assert faults(value) == [
        (
            "nodes.c",
            "its attribute 'x' comes from a and from b, which differ: declare it here too, or "
            "rename one of the two",
        )
    ]
    settled = copy.deepcopy(value)
    settled["nodes"]["c"]["attributes"] = {"x": {"description": "three"}}
    assert Grammar.from_json(settled).attribute("node", "d", "x") == Attribute(description="three")
    agreeing = copy.deepcopy(value)
    agreeing["nodes"]["b"]["attributes"] = {"x": {"description": "one"}}
    Grammar.from_json(agreeing)


def test_an_edge_does_not_widen_the_ends_it_inherits() -> None:
    nodes = {"a": {}, "b": {"is_a": "a"}, "c": {}}
    edges: dict[str, Any] = {"x": {"from": "a"}, "y": {"is_a": "x", "from": ["b", "c"]}}
    assert faults({"id": "g", "nodes": nodes, "edges": edges}) == [
        (
            "edges.y.from",
            "c is not among a or their subtypes, as x, which it inherits from, demands",
        )
    ]


def test_types_that_inherit_without_end_or_measure_are_refused() -> None:
    assert faults(with_nodes(a={"is_a": "a"}))[0][1] == "it inherits from itself: a → a"
    assert faults(with_nodes(a={"is_a": "b"}, b={"mixins": ["c"]}, c={"mixins": ["a"]})) == [
        ("nodes.a", "it inherits from itself: a → b → c → a")
    ]
    assert faults(with_nodes(a={}, b={"is_a": "a", "mixins": ["a"]})) == [
        ("nodes.b", "it inherits from the same type twice: say it once")
    ]
    chain = {"t0": {}, **{f"t{n}": {"is_a": f"t{n - 1}"} for n in range(1, 60)}}
    for nodes in (chain, dict(reversed(chain.items()))):
        assert faults(with_nodes(**nodes))[0][1] == "it inherits over more than 50 levels"
    circle = chain | {"t0": {"is_a": "t59"}}
    assert faults(with_nodes(**circle))[0][1] == "it inherits over more than 50 levels"
    # Diamonds on top of one another: whoever follows each way takes 2**n steps.
    diamonds: dict[str, Any] = {"t0": {}}
    for n in range(1, 15):
        diamonds |= {
            f"l{n}": {"is_a": f"t{n - 1}"}, f"r{n}": {"is_a": f"t{n - 1}"},
            f"t{n}": {"is_a": f"l{n}", "mixins": [f"r{n}"]},
        }  # fmt: skip
    ((_, message),) = faults(with_nodes(**diamonds))
    assert message == "it inherits in more than 100 ways: use fewer mixins"


def test_a_grammar_of_too_many_types_or_attributes_is_refused() -> None:
    nodes = {f"t{n}": {} for n in range(1_001)}
    assert faults(with_nodes(**nodes)) == [("", "it has 1,001 types; expected at most 1,000")]
    del nodes["t0"]
    assert len(Grammar.from_json(with_nodes(**nodes)).nodes) == 1_000
    names = {f"a{n}": {} for n in range(301)}
    assert faults(with_nodes(a={"attributes": names}, b={"is_a": "a"}))[0] == (
        "nodes.a", "it has 301 attributes, with those it inherits; expected at most 300"
    )  # fmt: skip
    types = {f"t{n}": {"attributes": {f"a{m}": {} for m in range(250)}} for n in range(21)}
    assert faults(with_nodes(**types)) == [
        ("", "it declares 5,250 attributes; expected at most 5,000")
    ]


@pytest.mark.parametrize("bound", [float("nan"), float("inf"), 10**400, -(10**400)])
def test_a_bound_that_nothing_compares_with_is_refused(bound: float) -> None:
    value = with_nodes(a={"attributes": {"b": {"range": "decimal", "minimum": bound}}})
    ((place, message),) = faults(value)
    assert place == "nodes.a.attributes.b.minimum"
    assert message.endswith("is no number that can be compared")


def graph(**changes: Any) -> dict[str, Any]:
    """A donor who funds a project, with what is changed in it: attributes by element, or whole
    elements."""
    found: dict[str, Any] = {
        "d": {"types": ["donor"], "attributes": {"name": "GIZ", "country": "DE", "aliases": []}},
        "p": {
            "types": ["project"],
            "attributes": {
                "title": "Wells", "start": "2024-02-29", "seen": "2024-02-29T10:00", "share": 12.5,
                "sites": 3, "active": False, "stage": "NO", "tags": ["a", "b"],
            },
        },
        "f": {
            "id": "f", "type": "funds", "source": "d", "target": "p",
            "attributes": {"amount": 3_000_000, "currency": "EUR"},
        },
    }  # fmt: skip
    for name, change in changes.items():
        for key, value in change.items():
            target = found[name] if key in found[name] else found[name]["attributes"]
            target[key] = value
            if value is ...:
                del target[key]
    edge = found.pop("f")
    return {"nodes": found, "edges": [edge]}


def broken(grammar: Grammar, candidate: dict[str, Any]) -> list[tuple[str, str]]:
    verdict = build_verifier("schema_constraint", graph=grammar.rules()).verify(candidate)
    assert verdict.passed == (not verdict.details["violations"])
    return [(one["path"], one["rule"]) for one in verdict.details["violations"]]


def test_a_graph_that_keeps_to_the_grammar_breaks_no_rule(rbm: Grammar) -> None:
    assert broken(rbm, graph()) == []
    for day in ("2024", "2024-12", "2000-02-29"):
        assert broken(rbm, graph(p={"start": day})) == []
    for moment in ("2024-01-31T23:59:59.5+05:30", "2023-04-30T00:00:00Z"):
        assert broken(rbm, graph(p={"seen": moment})) == []
    assert broken(rbm, graph(d={"country": ..., "aliases": ["a", "b"]})) == []
    assert broken(rbm, graph(p={"types": ["result.outcome"], "attributes": {}})) == []


@pytest.mark.parametrize(
    ("changes", "path", "rule"),
    [
        ({"d": {"name": ...}}, "node.donor[d].name", "required"),
        ({"d": {"name": 5}}, "node.donor[d].name", "type"),
        ({"d": {"country": "de"}}, "node.donor[d].country", "pattern"),
        ({"d": {"aliases": "x"}}, "node.donor[d].aliases", "type"),
        ({"d": {"aliases": ["x", 1]}}, "node.donor[d].aliases[1]", "type"),
        ({"d": {"colour": "red"}}, "node.donor[d].colour", "undeclared"),
        ({"p": {"start": "2023-02-29"}}, "node.project[p].start", "anyOf"),
        ({"p": {"start": "2024-13"}}, "node.project[p].start", "anyOf"),
        ({"p": {"start": "1 May 2024"}}, "node.project[p].start", "anyOf"),
        ({"p": {"start": 2024}}, "node.project[p].start", "type"),
        ({"p": {"seen": "2024-02-29"}}, "node.project[p].seen", "pattern"),
        ({"p": {"seen": "2023-02-29T10:00"}}, "node.project[p].seen", "pattern"),
        ({"p": {"seen": "2024-02-29T24:00"}}, "node.project[p].seen", "pattern"),
        ({"p": {"share": 100.5}}, "node.project[p].share", "maximum"),
        ({"p": {"share": "12.5"}}, "node.project[p].share", "type"),
        ({"p": {"share": True}}, "node.project[p].share", "type"),
        ({"p": {"sites": 0}}, "node.project[p].sites", "minimum"),
        ({"p": {"sites": 1.5}}, "node.project[p].sites", "type"),
        ({"p": {"active": "yes"}}, "node.project[p].active", "type"),
        ({"p": {"stage": "stopped"}}, "node.project[p].stage", "enum"),
        ({"p": {"tags": ["a", "c"]}}, "node.project[p].tags[1]", "enum"),
        ({"p": {"tags": []}}, "node.project[p].tags", "minItems"),
        ({"f": {"currency": "GBP"}}, "edge.funds[f].currency", "enum"),
        ({"f": {"amount": -1}}, "edge.funds[f].amount", "minimum"),
        ({"f": {"amount": float("nan")}}, "edge.funds[f].amount", "number"),
        ({"f": {"source": "p", "target": "d"}}, "edge.funds[f]", "endpoint"),
        ({"f": {"type": "pays"}}, "edge.pays[f]", "type"),
        ({"f": {"source": "p"}}, "edge.funds[f]", "endpoint"),
    ],
)
def test_each_rule_of_the_grammar_is_broken_once(
    rbm: Grammar, changes: dict[str, Any], path: str, rule: str
) -> None:
    found = broken(rbm, graph(**changes))
    assert found and set(found) == {(path, rule)}


def test_an_abstract_type_is_not_used_itself(rbm: Grammar) -> None:
    assert broken(rbm, graph(d={"types": ["party"], "country": ...})) == [
        ("node.party[d]", "abstract"), ("edge.funds[f]", "endpoint"),
    ]  # fmt: skip


def test_rules_hold_for_subtypes_of_the_ends_and_narrowed_attributes() -> None:
    grammar = Grammar.from_json(
        {
            "id": "g",
            "nodes": {
                "a": {"attributes": {"x": {"range": "decimal", "minimum": 0}}},
                "b": {"is_a": "a", "attributes": {"x": {"range": "integer", "minimum": 5}}},
            },
            "edges": {"e": {"from": "a", "to": "a"}, "f": {"is_a": "e", "from": "b"}},
        }
    )

    def one(kind: str, source: str, x: Any) -> dict[str, Any]:
        nodes = {"s": {"types": [source], "attributes": {"x": x}},
                 "t": {"types": ["b"], "attributes": {}}}  # fmt: skip
        edge = {"id": "e", "type": kind, "source": "s", "target": "t", "attributes": {}}
        return {"nodes": nodes, "edges": [edge]}

    assert broken(grammar, one("e", "a", 0.5)) == []
    assert broken(grammar, one("f", "b", 5)) == []
    assert broken(grammar, one("f", "b", 4)) == [("node.b[s].x", "minimum")]
    assert broken(grammar, one("f", "a", 5)) == [("edge.f[e]", "endpoint")]
