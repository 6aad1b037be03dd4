"""Bindings are checked before creel sees them: by strategy, by setting, and against the grammar."""

import re
from pathlib import Path

import pytest
from creel.extract.llm import ClusterLLMExtractor, LLMExtractor
from creel.extract.pattern import RegexEdgeExtractor, RegexNodeExtractor

from creel_inspect.extract.extractors.bindings import bindings_from, load_bindings
from creel_inspect.extract.extractors.strategies import STRATEGIES
from creel_inspect.extract.files.reading import CorpusError
from creel_inspect.extract.grammar.model import Grammar

GRAMMAR = Grammar.from_json(
    {
        "id": "aid",
        "nodes": {
            "party": {"abstract": True, "attributes": {"name": {}}},
            "donor": {"is_a": "party", "attributes": {"city": {}}},
            "project": {"attributes": {"title": {}, "budget": {"range": "decimal"}}},
        },
        "edges": {
            "funds": {
                "from": ["donor"],
                "to": ["project"],
                "attributes": {"amount": {"range": "decimal"}},
            }
        },
    }
)

NODE = {"strategy": "regex_node", "config": {"pattern": "Donor: (?P<name>.+)"}}
EDGE = {
    "strategy": "regex_edge",
    "config": {
        "pattern": r"(?P<who>\w+) gives (?P<amount>\d+) to (?P<what>\w+)",
        "source_id_template": "donor:{who}",
        "target_id_template": "project:{what}",
        "exclude_groups": ["who", "what"],
    },
}
TABLE = {
    "strategy": "table_map",
    "config": {
        "records_source": "projects.csv",
        "id_template": "project:{project code}",
        "attributes": {"title": "Title", "budget": "Budget"},
        "casts": {"budget": "number"},
    },
}
QUERY = {
    "strategy": "json_query",
    "config": {
        "records_source": "funding.json",
        "select": "grants[].lines[]",
        "where": {"status": "firm", "amount": {"$gt": 0, "$in": [5, 6]}},
        "kind": "edge",
        "source_template": "donor:{donor}",
        "target_template": "project:{project}",
        "attributes": {"amount": "amount"},
    },
}
CLUSTER = {"strategy": "cluster_llm", "elements": ["donor", "funds"], "config": {}}


def refusal(value) -> str:
    with pytest.raises(CorpusError) as raised:
        bindings_from(value, GRAMMAR)
    return str(raised.value)


def changed(binding, **config):
    settings = {**binding["config"], **config}
    return {**binding, "config": {k: v for k, v in settings.items() if v is not ...}}


def test_what_is_right_is_handed_to_creel_as_it_was_written():
    bindings = bindings_from({"donor": NODE, "funds": EDGE, "project": TABLE}, GRAMMAR)
    assert bindings.steps == {"donor": NODE, "funds": EDGE, "project": TABLE}
    assert bindings.model_types == ()
    assert bindings.populated == {"donor", "funds", "project"}
    assert bindings.records == {"projects.csv": ("project",)}


def test_the_digest_changes_with_the_bindings_and_not_with_their_order():
    one = bindings_from({"donor": NODE, "project": TABLE}, GRAMMAR)
    same = bindings_from({"project": TABLE, "donor": NODE}, GRAMMAR)
    other = bindings_from({"project": changed(TABLE, casts=...), "donor": NODE}, GRAMMAR)
    assert one.digest == same.digest
    assert re.fullmatch("[0-9a-f]{12}", one.digest)
    assert one.digest != other.digest


def test_steps_that_need_a_model_are_told_apart():
    bindings = bindings_from(
        {"people": CLUSTER, "project": {"strategy": "llm", "config": {"max_retries": 0}}}, GRAMMAR
    )
    assert bindings.model_types == ("donor", "funds", "project")
    assert bindings.without_model().steps == {}
    assert bindings_from({"people": CLUSTER, "project": TABLE}, GRAMMAR).without_model().steps == {
        "project": TABLE
    }


def test_the_star_is_written_out_for_each_concrete_type_without_a_binding():
    bindings = bindings_from({"*": {"strategy": "llm"}, "project": TABLE}, GRAMMAR)
    llm = {"strategy": "llm", "config": {}}
    assert bindings.steps == {"project": TABLE, "donor": llm, "funds": llm}


def test_the_star_is_for_a_model_alone():
    assert "`*` may be llm alone" in refusal({"*": NODE})
    assert "`*` may be llm alone" in refusal({"*": TABLE})
    assert "`*` binds one strategy" in refusal({"*": CLUSTER})
    assert "`*` stands for every type" in refusal(
        {"*": {"strategy": "llm", "config": {"id_attribute": "name"}}}
    )


@pytest.mark.parametrize(
    ("strategy", "why"),
    [
        ("sql", "can read any file"),
        ("function", "runs Python code"),
        ("someones_plugin", "run code of installed packages"),
        ("Regex_Node", "none of the strategies"),
        (None, "none of the strategies"),
        (["llm"], "none of the strategies"),
        ({"llm": 1}, "none of the strategies"),
    ],
)
def test_other_strategies_are_refused_with_the_reason(strategy, why):
    said = refusal({"project": {"strategy": strategy, "config": {}}})
    assert why in said
    assert "regex_node, regex_edge, table_map, json_query, llm, cluster_llm" in said


@pytest.mark.parametrize(
    "key", ["extractor", "func", "Config", "__class__"], ids=["callable", "func", "case", "dunder"]
)
def test_other_keys_of_a_binding_are_refused(key):
    assert "no key is called" in refusal({"donor": {**NODE, key: "os:system"}})


@pytest.mark.parametrize(
    ("strategy", "extractor"),
    [
        ("regex_node", RegexNodeExtractor),
        ("regex_edge", RegexEdgeExtractor),
        ("llm", LLMExtractor),
        ("cluster_llm", ClusterLLMExtractor),
    ],
)
def test_every_setting_is_one_that_creel_takes(strategy, extractor):
    assert set(STRATEGIES[strategy].model_fields) <= set(extractor.__dataclass_fields__)


@pytest.mark.parametrize("binding", [NODE, EDGE, TABLE, QUERY, CLUSTER])
def test_a_setting_that_creel_does_not_have_is_refused(binding):
    element = "project" if binding is TABLE else "donor" if binding is NODE else "funds"
    said = refusal({element: changed(binding, idd_template="x")})
    assert f"{element}.config.idd_template" in said
    assert "has no such setting" in said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], "expected a mapping"),
        ("donor", "expected a mapping"),
        (None, "expected a mapping"),
        ({"donor": "regex_node"}, "expected {strategy, config}"),
        ({"donor": {"strategy": "regex_node"}}, "needs this setting"),
        ({"donor": {"strategy": "regex_node", "config": []}}, "donor.config"),
        ({"nobody": NODE}, "the grammar has no type 'nobody'"),
        ({"party": NODE}, "abstract"),
        ({"donor": changed(NODE, node_type="nobody")}, "no node type 'nobody'"),
        ({"donor": changed(NODE, node_type="funds")}, "no node type 'funds'"),
        ({"donor": changed(NODE, node_type="party")}, "abstract"),
        ({"funds": NODE}, "regex_node finds nodes, and 'funds' is one of the edge types"),
        ({"donor": EDGE}, "regex_edge finds edges"),
        ({"funds": changed(EDGE, edge_type="gives")}, "no edge type 'gives'"),
        ({"donor": changed(NODE, pattern="(?P<nome>x)")}, "'nome' is no attribute of node.donor"),
        ({"funds": changed(EDGE, exclude_groups=["who"])}, "goes into exclude_groups"),
        ({"funds": changed(EDGE, exclude_groups=["who", "what", "z"])}, "no group 'z'"),
        ({"funds": changed(EDGE, source_id_template="donor:{whom}")}, "no group 'whom'"),
        ({"donor": changed(NODE, id_attribute="city")}, "no group 'city'"),
        ({"donor": changed(NODE, casts={"city": "int"})}, "no group 'city'"),
        ({"donor": changed(NODE, casts={"name": "decimal"})}, "donor.config.casts.name"),
        ({"project": changed(TABLE, attributes={"name": "Title"})}, "no attribute of node.project"),
        ({"project": changed(TABLE, type="donor")}, "no attribute of node.donor"),
        ({"project": changed(TABLE, id_from="Title")}, "keep one"),
        ({"project": changed(TABLE, source_template="{a}")}, "no meaning for a node"),
        ({"project": changed(TABLE, casts={"title": "int", "x": "int"})}, "'x' is not among"),
        ({"funds": changed(QUERY, target_template=...)}, "an edge needs this setting"),
        ({"funds": changed(QUERY, kind=...)}, "finds nodes, and 'funds'"),
        ({"funds": changed(QUERY, where={"a": {"$gte": 5}})}, "funds.config.where"),
        ({"funds": changed(QUERY, where={"a": {"$in": 5}})}, "expected a list"),
        ({"funds": changed(QUERY, where={"a": {"$gt": [5]}})}, "expected one value"),
        ({"donor": {"strategy": "llm", "config": {"max_retries": 9}}}, "less than or equal to 5"),
        ({"donor": {"strategy": "llm", "config": {"policy": {}}}}, "no such setting"),
        ({"donor": {"strategy": "llm", "config": {"id_attribute": "title"}}}, "no attribute of"),
        ({"donor": {"strategy": "llm", "elements": ["donor"]}}, "only cluster_llm takes elements"),
        ({"x": {"strategy": "cluster_llm"}}, "needs a list of element types"),
        ({"x": {**CLUSTER, "elements": []}}, "needs a list of element types"),
        ({"x": {**CLUSTER, "elements": "donor"}}, "needs a list of element types"),
        ({"x": {**CLUSTER, "elements": ["donor", "nobody"]}}, "x.elements.1: the grammar has no"),
        ({"x": {**CLUSTER, "elements": ["donor", "party"]}}, "x.elements.1: 'party' is abstract"),
        ({"x": {**CLUSTER, "elements": ["donor", "donor"]}}, "listed twice"),
        ({"x": CLUSTER, "donor": NODE}, "has a binding of its own"),
        ({"x": CLUSTER, "y": CLUSTER}, "is in 'x' already"),
        ({f"t{n}": NODE for n in range(501)}, "expected at most 500"),
    ],
)
def test_what_does_not_fit_is_said_in_a_sentence(value, said):
    assert said in refusal(value)


def test_a_binding_of_an_abstract_type_may_name_the_type_it_makes():
    bindings = bindings_from({"party": changed(NODE, node_type="donor")}, GRAMMAR)
    assert bindings.populated == {"party", "donor"}


def test_an_id_that_is_a_node_type_and_an_edge_type_is_refused():
    grammar = Grammar.from_json(
        {
            "id": "twice",
            "nodes": {"visit": {"attributes": {"name": {}}}},
            "edges": {"visit": {"from": ["visit"], "to": ["visit"]}},
        }
    )
    with pytest.raises(CorpusError, match="creel cannot tell them apart"):
        bindings_from({"visit": NODE}, grammar)


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?P<name>a)(?=b)",
        r"(?<!x)(?P<name>a)",
        r"(?P<name>a)(?P=name)",
        r"(?P<name>a)\1",
        r"(?P<name>(?:a{1000}){1000})",
        r"(?P<name>a",
        r"(?P<name>[\pL]+)",
        "(?P<name>" + "a" * 2_000 + ")",
        "",
    ],
    ids=["ahead", "behind", "named", "numbered", "million", "open", "re2 only", "long", "empty"],
)
def test_patterns_that_re2_or_creel_cannot_run_are_refused(pattern):
    assert "donor.config.pattern" in refusal({"donor": changed(NODE, pattern=pattern)})


@pytest.mark.parametrize("flags", [64, 4, 1024, -1, True, "i"])
def test_only_flags_that_mean_the_same_to_re2_are_taken(flags):
    assert "donor.config.flags" in refusal({"donor": changed(NODE, flags=flags)})


def test_the_three_flags_are_taken_together():
    flags = int(re.IGNORECASE | re.MULTILINE | re.DOTALL)
    steps = bindings_from({"donor": changed(NODE, flags=flags)}, GRAMMAR).steps
    assert steps["donor"]["config"]["flags"] == 26


@pytest.mark.parametrize(
    "template",
    [
        "{who.__class__.__mro__}",
        "{who[0]}",
        "{who!r}",
        "{who:>999999999}",
        "{who:{what}}",
        "{}",
        "{0}",
        "{who",
        "who}",
        "{" * 301,
        "x" * 501,
        "",
    ],
)
@pytest.mark.parametrize("key", ["source_id_template", "target_id_template"])
def test_templates_hold_names_alone(key, template):
    assert f"funds.config.{key}" in refusal({"funds": changed(EDGE, **{key: template})})


@pytest.mark.parametrize("key", ["id_template", "source_template", "target_template"])
def test_templates_over_records_hold_names_alone(key):
    assert f"funds.config.{key}" in refusal({"funds": changed(QUERY, **{key: "{a.b}"})})


def test_braces_that_stand_for_themselves_are_no_fields():
    templates = {"id_template": "{{x}}:{project code}"}
    assert bindings_from({"project": changed(TABLE, **templates)}, GRAMMAR).steps


@pytest.mark.parametrize(
    "source",
    [
        "../../etc/passwd.csv",
        "/etc/x.csv",
        "a/b.csv",
        r"..\x.csv",
        "..",
        "",
        "notes.md",
        "x.sqlite",
    ],
)
def test_records_come_from_a_file_name_with_records(source):
    assert "project.config.records_source" in refusal(
        {"project": changed(TABLE, records_source=source)}
    )


@pytest.mark.parametrize(
    "select",
    ["grants[", "[" * 31 + "]" * 31, "a." * 300 + "a", "unknown syntax", "", "(" * 400],
)
def test_expressions_that_jmespath_cannot_run_are_refused(select):
    assert "funds.config.select" in refusal({"funds": changed(QUERY, select=select)})


def test_every_fault_of_a_file_is_named_with_its_line(tmp_path: Path):
    (tmp_path / "bindings.yaml").write_text(
        "donor:\n"
        "  strategy: regex_node\n"
        "  config:\n"
        "    pattern: '(?P<name>a)(?!b)'\n"
        "project:\n"
        "  strategy: sql\n"
        "  config: {records_source: projects.csv, sql: select 1}\n",
        encoding="utf-8",
    )
    with pytest.raises(CorpusError) as raised:
        load_bindings(tmp_path / "bindings.yaml", tmp_path, GRAMMAR)
    first, second = str(raised.value).splitlines()
    assert first.startswith("bindings.yaml:4: donor.config.pattern: the pattern")
    assert second.startswith("bindings.yaml:6: project.strategy: the strategy sql is not allowed")
    assert [fault.place for fault in raised.value.faults] == [
        ("donor", "config", "pattern"),
        ("project", "strategy"),
    ]


def test_a_file_outside_the_corpus_is_not_read(tmp_path: Path):
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (tmp_path / "bindings.yaml").write_text("{}", encoding="utf-8")
    (corpus / "bindings.yaml").symlink_to(tmp_path / "bindings.yaml")
    with pytest.raises(CorpusError, match="leads out of"):
        load_bindings(corpus / "bindings.yaml", corpus, GRAMMAR)
