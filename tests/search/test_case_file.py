"""The bundled case file: what it covers, and that it can tell right from wrong."""

from collections import Counter
from typing import get_args

import pytest
from inspect_ai import eval as inspect_eval
from ord_schema.search import query as grammar

from creel_inspect import nl_search
from creel_inspect.search import adequacy
from creel_inspect.search.cases import load_cases
from creel_inspect.search.engine import open_engine
from creel_inspect.search.running import runner_for

FILE = load_cases()
FEASIBLE = [case for case in FILE.cases if case.compiles]
INFEASIBLE = [case for case in FILE.cases if not case.compiles]
STRUCTURAL = {"substructure", "similarity", "same_compound", "same_parent", "reaction_smarts"}


def literals(model, field):
    """The values a field of one of ord-schema's models may take, read from the model."""
    return set(get_args(model.model_fields[field].annotation))


def operators():
    """Every predicate operator of the installed grammar."""
    union = get_args(grammar.Predicate)[0]
    return set().union(*(literals(model, "op") for model in get_args(union)))


def constructs():
    """Everything else that the grammar's models let a query say, as names for ``used``."""
    found = {f"query.{name}" for name in grammar.Query.model_fields}
    found |= {f"aggregate.{name}" for name in grammar.Aggregate.model_fields}
    found |= {f"fn.{one}" for one in literals(grammar.Measure, "fn")}
    found |= {f"reduce.{one}" for one in literals(grammar.Reduction, "reduce")}
    found |= {"reduce.where", "order.column", "order.reduction", "order.descending"}
    return found | {"chirality", "threshold"}


def used(value, seen):
    """Notes every operator and construct of a query in ``seen``, walking all of it."""
    if isinstance(value, list):
        for item in value:
            used(item, seen)
    if not isinstance(value, dict):
        return
    if "op" in value:
        seen[value["op"]] += 1
    if "fn" in value:
        seen[f"fn.{value['fn']}"] += 1
    if "reduce" in value:
        seen[f"reduce.{value['reduce']}"] += 1
        seen["reduce.where"] += "where" in value
    if "key" in value:
        kind = "column" if isinstance(value["key"], str) else "reduction"
        seen[f"order.{kind}"] += 1
        seen["order.descending"] += bool(value.get("descending"))
    for key in ("chirality", "threshold"):
        seen[key] += key in value
    for item in value.values():
        used(item, seen)


def coverage():
    seen = Counter()
    for case in FEASIBLE:
        seen.update(f"query.{key}" for key in case.reference)
        seen.update(f"aggregate.{key}" for key in case.reference.get("aggregate", {}))
        used(case.reference, seen)
    return seen


def test_every_operator_of_the_installed_grammar_is_in_a_reference():
    seen = coverage()
    assert operators() >= {"and", "exists", "reaction_smarts"}  # the walk of the models works
    assert {one for one in operators() if not seen[one]} == set()


def test_every_query_level_construct_is_in_a_reference():
    seen = coverage()
    assert {one for one in constructs() if not seen[one]} == set()


def test_there_are_enough_cases_of_each_kind():
    assert len(FILE.cases) >= 60
    assert len(INFEASIBLE) >= 12
    pairs = {frozenset((case.id, case.pair)) for case in FILE.cases if case.pair}
    assert len(pairs) >= 8
    assert sum(bool(case.structures) for case in FILE.cases) >= 6


def test_twins_differ_by_a_few_words():
    by_id = {case.id: case for case in FILE.cases}
    for case in FILE.cases:
        if case.pair and case.compiles:
            ours = Counter(case.question.lower().split())
            theirs = Counter(by_id[case.pair].question.lower().split())
            apart = (ours - theirs).total() + (theirs - ours).total()
            assert apart <= 12, (case.id, apart)


def test_every_structural_case_names_a_near_miss_and_every_infeasible_one_a_fudge():
    for case in FILE.cases:
        seen = Counter()
        used(case.reference, seen)
        if not case.compiles or STRUCTURAL & set(seen):
            assert case.near_misses, case.id


def test_no_question_is_upstreams():
    theirs = {case.question.lower() for case in load_cases("ord-schema").cases}
    assert not [case.id for case in FILE.cases if case.question.lower() in theirs]


def test_nothing_is_wrong_with_any_case_on_its_own_corpus():
    runner = runner_for(open_engine("ord", corpus="demo"))
    assert [str(finding) for finding in adequacy.check(FILE, runner)] == []


@pytest.mark.parametrize("cases", [None, "ord-schema"])
@pytest.mark.parametrize(("model", "accuracy"), [("reference", 1.0), ("near-miss", 0.0)])
def test_the_model_that_knows_is_always_right_and_the_one_that_errs_never(cases, model, accuracy):
    [log] = inspect_eval(nl_search(cases=cases), model=f"creel/{model}")
    assert log.status == "success", log.error
    [score] = log.results.scores
    assert score.metrics["accuracy"].value == accuracy
    assert log.results.completed_samples == log.results.total_samples
    if cases is None:
        assert score.unscored_samples == 0
