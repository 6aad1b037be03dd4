"""The real engine on the demo corpus: whose fault is what, and what a query asks for."""

import json
from importlib import resources

import pytest
from ord_schema.search import nl
from ord_schema.search import query as grammar

from creel_inspect.search import compounds
from creel_inspect.search import ord as ord_engine
from creel_inspect.search.answers import compare
from creel_inspect.search.engine import (
    EngineError,
    InvalidQuery,
    SearchFailed,
    SearchTimeout,
    Structure,
    open_engine,
)
from creel_inspect.search.running import runner_for

ABOVE_350 = {
    "where": {
        "op": "gt",
        "path": "conditions.temperature.setpoint_kelvin",
        "value": {"literal": 350},
    }
}


def using(predicate):
    return {"where": {"op": "exists", "path": "inputs.components", "where": predicate}}


def named(compound):
    return using({"op": "same_compound", "path": "smiles", "compound": compound})


def drawn(smiles):
    return using({"op": "same_compound", "path": "smiles", "smiles": smiles})


@pytest.fixture(scope="module")
def engine():
    return open_engine("ord", corpus="demo")


def ids(engine, query, timeout_seconds=60):
    return {row[0] for row in engine.search(query, timeout_seconds=timeout_seconds).rows}


def test_the_schema_is_the_grammars_own_and_recursive(engine):
    schema = engine.query_schema()
    assert schema == grammar.Query.model_json_schema()
    assert "$defs" in schema


def test_upstreams_prompt_is_upstreams_to_the_letter(engine):
    assert f"{engine.guides()['ord-schema']}\n{engine.schema()}" == nl.SYSTEM_PROMPT


def test_a_name_and_a_structure_find_the_same_reactions(engine):
    assert ids(engine, named("pyridine")) == ids(engine, drawn("c1ccncc1")) != set()


def test_a_query_that_does_not_compile_says_what_to_mend(engine):
    wrong = {"where": {"op": "gt", "path": "conditions.temperature.setpoint_kelvim",
                       "value": {"literal": 1}}}  # fmt: skip
    with pytest.raises(InvalidQuery, match="setpoint_kelvin"):
        engine.compile(wrong, {})


@pytest.mark.parametrize("nothing", [{}, {"order_by": [{"key": "reaction_id"}]}])
def test_a_query_that_asks_nothing_is_refused(engine, nothing):
    with pytest.raises(InvalidQuery, match="asks nothing"):
        engine.compile(nothing, {})


def test_nesting_without_end_is_refused_and_not_a_crash(engine):
    deep = {"op": "is_null", "path": "smiles"}
    for _ in range(3_000):
        deep = {"op": "not", "clause": deep}
    with pytest.raises(InvalidQuery):
        engine.compile({"where": deep}, {})


def test_a_placeholder_is_filled_in_where_a_structure_goes(engine):
    structures = {"@A": Structure("compound_smiles", "c1ccncc1")}
    assert engine.compile(named("@A"), structures) == drawn("c1ccncc1")


def test_a_rejection_never_quotes_a_placeholders_text(engine):
    secret = "OC(=O)c1ccncc1"
    structures = {"@A": Structure("compound_smiles", secret)}
    wrong = using({"op": "same_compound", "path": "smiles", "compound": "@A", "thershold": 1})
    with pytest.raises(InvalidQuery) as caught:
        engine.compile(wrong, structures)
    assert secret not in str(caught.value)
    assert "thershold" in str(caught.value)


def test_a_compiled_query_compiles_to_itself(engine):
    cases = json.loads((resources.files("ord_schema.search") / "nl_cases.json").read_text())
    for case in cases:
        if "reference" in case:
            once = engine.compile(case["reference"], {})
            assert engine.compile(once, {}) == once
            assert grammar.Query.model_validate(once) == grammar.Query.model_validate(
                case["reference"]
            )


def test_an_unknown_compound_is_the_querys_fault(engine):
    with pytest.raises(SearchFailed) as caught:
        engine.search(named("unobtainium"), timeout_seconds=60)
    assert caught.value.detail == "unresolved_compound"


def test_a_broken_resolver_is_the_instruments_fault(monkeypatch):
    def broken(name):
        raise OSError("the table is gone")

    monkeypatch.setitem(ord_engine._RESOLVERS, "local", ord_engine._guarded(broken))
    engine = ord_engine.OrdEngine(corpus="demo")
    with pytest.raises(EngineError, match="the table is gone"):
        engine.search(named("pyridine"), timeout_seconds=60)
    engine.close()


def test_services_that_are_down_are_the_instruments_fault_and_an_unknown_name_is_not(monkeypatch):
    def down(kind, name):
        raise ValueError("no answer")

    def up(kind, name):
        if name == "water":
            return "O", "a service"
        raise ValueError("no answer")

    ask = ord_engine._RESOLVERS["network"]
    monkeypatch.setattr(ord_engine.resolvers, "resolve_name", down)
    with pytest.raises(EngineError):
        ask("unobtainium")
    monkeypatch.setattr(ord_engine.resolvers, "resolve_name", up)
    with pytest.raises(compounds.UnknownCompound):
        ask("unobtainium")


def test_a_search_past_its_time_says_so(engine):
    with pytest.raises(SearchTimeout):
        engine.search(ABOVE_350, timeout_seconds=1e-9)


def test_a_literal_too_large_for_its_column_is_the_querys_fault(engine):
    huge = {"where": {"op": "gt", "path": "conditions.temperature.setpoint_kelvin",
                      "value": {"literal": 10**400}}}  # fmt: skip
    with pytest.raises(SearchFailed, match="too large"):
        engine.search(engine.compile(huge, {}), timeout_seconds=60)


@pytest.mark.parametrize(
    "predicate",
    [
        {"op": "substructure", "path": "smiles", "smarts": "C" * 30_000},
        {"op": "same_compound", "path": "smiles", "smiles": "C" * 30_000},
        {"op": "substructure", "path": "smiles", "smarts": ".".join("*" * 8)},
    ],
    ids=["long pattern", "long molecule", "many pieces"],
)
def test_a_structure_that_would_crash_or_hang_the_matching_is_refused(engine, predicate):
    with pytest.raises(InvalidQuery, match=r"characters long|unconnected pieces"):
        engine.compile(using(predicate), {})


def test_pieces_within_one_template_are_bounded_and_templates_are_the_grammars_own_matter(engine):
    pieces = {"where": {"op": "reaction_smarts", "smarts": f"({'.'.join('*' * 8)})>>*"}}
    with pytest.raises(InvalidQuery, match="unconnected pieces"):
        engine.compile(pieces, {})
    engine.compile({"where": {"op": "reaction_smarts", "smarts": "(C(=O)O.N).C>>*"}}, {})


def test_naming_ids_returns_those_there_are(engine):
    some = sorted(ids(engine, ABOVE_350))[:3]
    assert ids(engine, engine.naming([*some, "ord-" + "0" * 32])) == set(some)
    assert ids(engine, engine.naming([])) == set()
    assert runner_for(engine).missing([*some, "ord-" + "0" * 32]) == ["ord-" + "0" * 32]


def test_ranked_reactions_may_tie_in_any_order(engine):
    best = {
        "order_by": [
            {
                "key": {
                    "reduce": "max",
                    "path": "outcomes.products.measurements.percentage.value",
                    "where": {"op": "eq", "path": "type", "value": {"literal": "YIELD"}},
                },
                "descending": True,
            }
        ],
        "limit": 5,
    }
    expected = runner_for(engine).expected(best, 60)
    assert expected.count == 5
    assert len(expected.whole.rows) == engine.size()
    values = [key[0] for key in expected.keys if key[0] is not None]
    assert values == sorted(values, reverse=True)
    assert compare(engine.search(best, timeout_seconds=60), expected).same
    other = {**best, "limit": 4}
    assert not compare(engine.search(other, timeout_seconds=60), expected).same
    worst = {"order_by": [{**best["order_by"][0], "descending": False}], "limit": 5}
    assert not compare(engine.search(worst, timeout_seconds=60), expected).same


def test_columns_are_known_by_what_they_measure(engine):
    def measured(*measures):
        return {"aggregate": {"group_by": ["setup.is_automated"], "measures": list(measures)}}

    count = {"fn": "count", "name": "n"}
    mean = {"fn": "avg", "path": "conditions.temperature.setpoint_kelvin", "name": "kelvin"}
    expected = runner_for(engine).expected(measured(count, mean), 60)
    swapped = measured({**mean, "name": "a"}, {**count, "name": "b"})
    assert compare(engine.search(swapped, timeout_seconds=60), expected).same
    fewer = measured(count)
    assert not compare(engine.search(fewer, timeout_seconds=60), expected).same


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"corpus": "demo", "projections": "x/*.parquet"}, "one or the other"),
        ({"projections": "x/*.parquet"}, "without structures"),
        ({"corpus": "no-such-corpus"}, "demo"),
        ({"corpus": "demo", "resolver": "guess"}, "local, network"),
    ],
)
def test_arguments_that_make_no_sense_are_refused_before_anything_is_opened(arguments, said):
    with pytest.raises(ValueError, match=said):
        ord_engine.OrdEngine(**arguments)
