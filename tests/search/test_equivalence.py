"""Proofs that two queries answer alike on every corpus, and pairs that only look like it."""

import copy
import itertools
import json
import random

import pytest

from creel_inspect.search.mutants import RULES, equivalence, mutants
from creel_inspect.search.mutants.equivalence import normal_form
from tests.search.random_corpus import answer, opened
from tests.search.spelling import (
    AUTOMATED,
    COMPONENTS,
    CREATED,
    HIGH,
    KELVIN,
    MEASURED,
    PERCENT,
    PLATFORM,
    PYRIDINE,
    ROLE,
    RPM,
    YIELD,
    all_of,
    any_of,
    drawn,
    every,
    is_,
    measured,
    no,
    some,
    upstream,
    where,
)


@pytest.fixture(scope="module")
def corpora(tmp_path_factory):
    """The same corpus read from its pivots and from its lists."""
    with opened(tmp_path_factory.mktemp("random")) as found:
        yield found


UNKNOWN = is_("is_null", KELVIN)

# Each rule beside two queries that it makes equal and that no other rule does.
PROVED = {
    "associativity": (
        where(
            all_of(is_("gt", KELVIN, 300), all_of(is_("gt", RPM, 1), is_("eq", AUTOMATED, True)))
        ),
        where(all_of(is_("gt", KELVIN, 300), is_("gt", RPM, 1), is_("eq", AUTOMATED, True))),
    ),
    "single-clause": (where(any_of(is_("gt", KELVIN, 300))), where(is_("gt", KELVIN, 300))),
    "idempotence": (
        where(any_of(some(COMPONENTS, PYRIDINE), some(COMPONENTS, PYRIDINE))),
        where(some(COMPONENTS, PYRIDINE)),
    ),
    "double-negation": (
        where(no(no(is_("contains", PLATFORM, "osq")))),
        where(is_("contains", PLATFORM, "osq")),
    ),
    "de-morgan": (
        where(no(all_of(is_("contains", PLATFORM, "osq"), some(COMPONENTS, PYRIDINE)))),
        where(any_of(no(is_("contains", PLATFORM, "osq")), no(some(COMPONENTS, PYRIDINE)))),
    ),
    "negated-comparison": (where(no(is_("lt", KELVIN, 350))), where(is_("ge", KELVIN, 350))),
    "quantifier-duality": (
        where(every(COMPONENTS, PYRIDINE)),
        where(no(some(COMPONENTS, no(PYRIDINE)))),
    ),
    "exists-over-or": (
        where(some(COMPONENTS, any_of(PYRIDINE, is_("gt", "amount.mass_grams", 5)))),
        where(
            any_of(some(COMPONENTS, PYRIDINE), some(COMPONENTS, is_("gt", "amount.mass_grams", 5)))
        ),
    ),
    "nested-exists": (
        where(some("outcomes.products", some("measurements", all_of(YIELD, HIGH)))),
        where(some(MEASURED, all_of(YIELD, HIGH))),
    ),
    "implied-clause": (
        where(all_of(is_("gt", KELVIN, 349), is_("gt", KELVIN, 300), is_("not_null", KELVIN))),
        where(is_("gt", KELVIN, 349)),
    ),
    "excluded-alternative": (
        where(
            all_of(is_("gt", KELVIN, 300), any_of(is_("le", KELVIN, 350), is_("is_null", KELVIN)))
        ),
        where(all_of(is_("gt", KELVIN, 300), is_("le", KELVIN, 350))),
    ),
    "discrete-boundary": (where(is_("gt", RPM, 10)), where(is_("ge", RPM, 11))),
    "unstorable-boundary": (where(is_("le", KELVIN, 195.15)), where(is_("lt", KELVIN, 195.15))),
    "closed-vocabulary": (
        where(is_("eq", AUTOMATED, True)),
        where(is_("ne", AUTOMATED, False)),
    ),
    "chirality-without-stereo": (
        where(some(COMPONENTS, drawn("substructure", "CN"))),
        where(some(COMPONENTS, drawn("substructure", "CN", chirality=False))),
    ),
    "same-molecule": (
        where(some(COMPONENTS, PYRIDINE)),
        where(some(COMPONENTS, drawn("same_compound", "C1=CC=[NH+]C=C1"))),
    ),
    "reaction-smarts-expands": (
        where({"op": "reaction_smarts", "smarts": ">>ccO"}),
        where(some("outcomes.products", drawn("substructure", "ccO"))),
    ),
    "one-row": (
        measured("count", order_by=[{"key": "it"}], limit=5),
        measured("count"),
    ),
    "count-of-recorded": (measured("count", "reaction_id"), measured("count")),
    "unique-reactions": (
        measured("count_distinct", "reaction_id", group_by=[AUTOMATED]),
        measured("count", group_by=[AUTOMATED]),
    ),
    "aggregates-skip-absent": (
        measured("avg", KELVIN, where=is_("not_null", KELVIN)),
        measured("avg", KELVIN),
    ),
    "absent-groups": (
        measured("avg", KELVIN, where=is_("not_null", KELVIN), group_by=["reaction_id"]),
        measured("avg", KELVIN, group_by=["reaction_id"]),
    ),
    "filter-implies-exists": (
        measured("count", over=COMPONENTS, elements=ROLE, where=some(COMPONENTS, ROLE)),
        measured("count", over=COMPONENTS, elements=ROLE),
    ),
    "extremes-regroup": (
        measured("max", {"reduce": "max", "path": PERCENT, "where": YIELD}),
        measured("max", "percentage.value", over=MEASURED, elements=YIELD),
    ),
}

# Pairs that look as equal as those above and are not, mostly because something is absent.
NOT_PROVED = {
    "a negated comparison does not bring in what is absent": (
        where(no(is_("lt", KELVIN, 350))),
        where(any_of(is_("ge", KELVIN, 350), is_("is_null", KELVIN))),
    ),
    "a negated text condition does not bring in what is absent": (
        where(no(is_("contains", PLATFORM, "LV"))),
        where(any_of(no(is_("contains", PLATFORM, "LV")), is_("is_null", PLATFORM))),
    ),
    "what does not contain a text need not lack its beginning only": (
        where(no(is_("contains", PLATFORM, "Mosquito"))),
        where(no(is_("eq", PLATFORM, "Mosquito"))),
    ),
    "an alternative may be excluded for one value only": (
        where(
            all_of(is_("ge", KELVIN, 300), any_of(is_("gt", KELVIN, 350), is_("le", KELVIN, 300)))
        ),
        where(all_of(is_("ge", KELVIN, 300), is_("gt", KELVIN, 350))),
    ),
    "what is absent is not recorded": (
        where(all_of(is_("is_null", KELVIN), is_("not_null", KELVIN))),
        where(is_("is_null", KELVIN)),
    ),
    "not_null is superfluous in a selection and not inside a negation": (
        where(no(all_of(is_("gt", KELVIN, 300), is_("not_null", KELVIN)))),
        where(no(is_("gt", KELVIN, 300))),
    ),
    "not_null is not superfluous under forall": (
        where(every(COMPONENTS, all_of(ROLE, is_("not_null", "reaction_role")))),
        where(every(COMPONENTS, ROLE)),
    ),
    "forall is not exists": (where(every(COMPONENTS, ROLE)), where(some(COMPONENTS, ROLE))),
    "forall is not `not exists` without the inner not": (
        where(every(COMPONENTS, ROLE)),
        where(no(some(COMPONENTS, ROLE))),
    ),
    "a negation does not pass an exists": (
        where(no(some(COMPONENTS, ROLE))),
        where(some(COMPONENTS, no(ROLE))),
    ),
    "an exists of two conditions is not two": (
        where(some(COMPONENTS, all_of(ROLE, PYRIDINE))),
        where(all_of(some(COMPONENTS, ROLE), some(COMPONENTS, PYRIDINE))),
    ),
    "a missing measurement is missed at its own product": (
        where(some("outcomes.products", no(some("measurements", YIELD)))),
        where(no(some(MEASURED, YIELD))),
    ),
    "a boundary that can be stored is a boundary": (
        where(is_("gt", KELVIN, 350)),
        where(is_("ge", KELVIN, 350)),
    ),
    "a column of reals has no next number": (
        where(is_("gt", KELVIN, 349)),
        where(is_("ge", KELVIN, 350)),
    ),
    "true or false leaves out what is absent": (
        where(any_of(is_("eq", AUTOMATED, True), is_("eq", AUTOMATED, False), is_("gt", RPM, 0))),
        where(any_of(is_("not_null", AUTOMATED), is_("is_null", AUTOMATED), is_("gt", RPM, 0))),
    ),
    "stereo that is drawn counts": (
        where(some(COMPONENTS, drawn("substructure", "C[C@H](N)C(=O)O"))),
        where(some(COMPONENTS, drawn("substructure", "C[C@H](N)C(=O)O", chirality=False))),
    ),
    "a group that counts nothing is a group": (
        measured("count_distinct", KELVIN, where=is_("not_null", KELVIN), group_by=["reaction_id"]),
        measured("count_distinct", KELVIN, group_by=["reaction_id"]),
    ),
    "counting a column is not counting rows": (
        measured("count", KELVIN, where=is_("not_null", KELVIN)),
        measured("count"),
    ),
    "a bare count counts what a filter leaves": (
        measured("count", where=is_("not_null", KELVIN)),
        measured("count"),
    ),
    "reactions are not unique among elements": (
        measured("count_distinct", "reaction_id", over=COMPONENTS),
        measured("count", over=COMPONENTS),
    ),
    "an average of averages is not the average": (
        measured("avg", {"reduce": "avg", "path": PERCENT}),
        measured("avg", "percentage.value", over=MEASURED),
    ),
    "a count that may be zero takes part in an average": (
        measured(
            "avg", {"reduce": "count", "path": f"{MEASURED}.type"}, where=some(MEASURED, YIELD)
        ),
        measured("avg", {"reduce": "count", "path": f"{MEASURED}.type"}),
    ),
    "a filter on elements is not one on reactions": (
        measured("count", over=COMPONENTS, elements=ROLE),
        measured("count", over=COMPONENTS, where=some(COMPONENTS, ROLE)),
    ),
}


def test_every_rule_has_two_queries_that_it_proves_equal():
    assert set(PROVED) == set(RULES)


@pytest.mark.parametrize("rule", PROVED)
def test_a_rule_is_named_where_it_proves_two_queries_equal(rule):
    one, other = PROVED[rule]
    assert equivalence(one, other) == rule
    assert equivalence(other, one) == rule


@pytest.mark.parametrize("rule", PROVED)
def test_queries_proved_equal_answer_alike(rule, corpora):
    one, other = (answer(corpora[0], query) for query in PROVED[rule])
    assert one == other


@pytest.mark.parametrize("trap", NOT_PROVED)
def test_queries_that_answer_differently_are_not_proved_equal(trap, corpora):
    one, other = NOT_PROVED[trap]
    assert answer(corpora[0], one) != answer(corpora[0], other)
    assert equivalence(one, other) is None


def test_a_limit_counts_groups_of_absent_values():
    bounded = {"group_by": ["reaction_id"], "limit": 90}
    filtered = measured("avg", KELVIN, where=is_("not_null", KELVIN), **bounded)
    assert equivalence(filtered, measured("avg", KELVIN, **bounded)) is None


def test_several_rules_are_named_in_order_and_none_is_superfluous():
    stated = where(every(COMPONENTS, is_("ne", "reaction_role", "SOLVENT")))
    told = where(no(some(COMPONENTS, ROLE)))
    assert equivalence(stated, told) == "negated-comparison+quantifier-duality"


def test_spelling_alone_needs_no_rule():
    one = where(all_of(is_("gt", KELVIN, 350), is_("eq", AUTOMATED, True)))
    other = where(all_of(is_("eq", AUTOMATED, True), is_("gt", KELVIN, 350.0)))
    assert equivalence(one, other) == ""


def test_a_value_is_stored_in_32_bits_whatever_unit_it_was_recorded_in(corpora):
    # -78 °C is 195.15 K, and no stored temperature equals it.
    assert not answer(corpora[0], where(is_("eq", KELVIN, 195.15)))
    assert answer(corpora[0], where(is_("lt", KELVIN, 195.15)))


# ------------------------------------------------------ soundness, on random queries

_ROW = [
    is_("gt", KELVIN, 350),
    is_("ge", KELVIN, 350),
    is_("lt", KELVIN, 350),
    is_("le", KELVIN, 349.0),
    is_("lt", KELVIN, 195.15),
    is_("is_null", KELVIN),
    is_("not_null", KELVIN),
    is_("gt", RPM, 10),
    is_("ge", RPM, 11),
    is_("le", RPM, 10),
    is_("eq", AUTOMATED, True),
    is_("ne", AUTOMATED, False),
    is_("eq", AUTOMATED, False),
    is_("not_null", AUTOMATED),
    is_("contains", PLATFORM, "osquito"),
    is_("starts_with", PLATFORM, "osquito"),
    is_("starts_with", PLATFORM, "Mosquito"),
    is_("eq", PLATFORM, "Mosquito"),
    is_("gt", CREATED, "2024-12-30"),
    is_("ge", CREATED, "2024-12-31"),
    is_("lt", "first_commit.timestamp", "1970-01-02"),
]
_ELEMENT = {
    COMPONENTS: [
        ROLE,
        is_("ne", "reaction_role", "SOLVENT"),
        is_("is_null", "reaction_role"),
        is_("not_null", "reaction_role"),
        is_("eq", "is_limiting", True),
        is_("gt", "amount.mass_grams", 0.1),
        is_("ge", "amount.mass_grams", 0.1),
        PYRIDINE,
        drawn("substructure", "CN", chirality=False),
    ],
    "outcomes.products": [is_("eq", "is_desired_product", True), is_("is_null", "smiles")],
    MEASURED: [YIELD, is_("ne", "type", "PURITY"), HIGH, is_("ge", "percentage.value", 50)],
}
_INNER = {"outcomes.products": ("measurements", MEASURED)}


def _predicate(chance, level="", depth=3):
    kinds = ["leaf", "leaf"] + (["and", "or", "not", "not", "quantifier"] if depth else [])
    kind = chance.choice(kinds)
    if kind in ("and", "or"):
        clauses = [_predicate(chance, level, depth - 1) for _ in range(chance.choice([1, 2, 2, 3]))]
        return {"op": kind, "clauses": clauses}
    if kind == "not":
        return no(_predicate(chance, level, depth - 1))
    inner = [_INNER[level]] if level in _INNER else []
    below = [(path, path) for path in _ELEMENT] if not level else inner
    if kind == "quantifier" and below:
        path, absolute = chance.choice(below)
        body = _predicate(chance, absolute, depth - 1)
        return {"op": chance.choice(["exists", "forall"]), "path": path, "where": body}
    return copy.deepcopy(chance.choice(_ELEMENT.get(level, _ROW)))


def _respelled(chance, node):
    """A query that ought to mean the same, by laws of logic applied at random."""
    op = node["op"]
    if op in ("and", "or"):
        clauses = [_respelled(chance, clause) for clause in node["clauses"]]
        chance.shuffle(clauses)
        node = {"op": op, "clauses": clauses}
        if chance.random() < 0.4:
            dual = {"and": "or", "or": "and"}[op]
            node = no({"op": dual, "clauses": [no(clause) for clause in clauses]})
    elif op == "not":
        node = no(_respelled(chance, node["clause"]))
    elif op in ("exists", "forall"):
        body = _respelled(chance, node["where"])
        node = {**node, "where": body}
        if chance.random() < 0.4:
            dual = {"exists": "forall", "forall": "exists"}[op]
            node = no({**node, "op": dual, "where": no(body)})
    elif op in ("lt", "ge", "gt", "le") and chance.random() < 0.4:
        node = no({**node, "op": {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}[op]})
    if chance.random() < 0.2:
        node = {"op": chance.choice(["and", "or"]), "clauses": [node, node]}
    return no(no(node)) if chance.random() < 0.15 else node


def test_respelled_queries_are_proved_equal_and_answer_alike(corpora):
    chance = random.Random(1)
    for _ in range(50):
        one = where(_predicate(chance))
        other = where(_respelled(chance, one["where"]))
        assert equivalence(one, other) is not None, (one, other)
        corpus = chance.choice(corpora)
        assert answer(corpus, one) == answer(corpus, other), (one, other)


def _changed(chance, node):
    """A query with one comparison turned, which may or may not mean the same."""
    text = json.dumps(node)
    turned = [
        ('"gt"', '"ge"'),
        ('"lt"', '"le"'),
        ('"and"', '"or"'),
        ('"exists"', '"forall"'),
        ('"eq"', '"ne"'),
        ('"is_null"', '"not_null"'),
        ("true", "false"),
        ('"ge"', '"gt"'),
    ]
    one, other = chance.choice([pair for pair in turned if pair[0] in text] or [("", "")])
    return json.loads(text.replace(one, other, 1)) if one else node


def test_no_two_queries_with_one_normal_form_answer_differently(corpora):
    chance = random.Random(2)
    forms = {}
    for _ in range(400):
        first = _predicate(chance, depth=2)
        for predicate in (first, _changed(chance, first)):
            forms.setdefault(normal_form(where(predicate)), {})[json.dumps(predicate)] = predicate
    groups = [list(group.values()) for group in forms.values() if len(group) > 1]
    assert len(groups) > 30
    for group in groups:
        corpus = chance.choice(corpora)
        answers = [answer(corpus, where(predicate)) for predicate in group[:3]]
        assert all(found == answers[0] for found in answers), group


def _aggregate(chance):
    level = chance.choice(["", "", MEASURED, COMPONENTS])
    scalar = {"": KELVIN, MEASURED: "percentage.value", COMPONENTS: "amount.mass_grams"}[level]
    paths = [("count", None), ("count", "reaction_id"), ("count_distinct", "reaction_id")]
    paths += [(fn, scalar) for fn in ("count", "avg", "min", "max")]
    if not level:
        reduced = {"path": PERCENT} | chance.choice([{}, {"where": YIELD}, {"where": HIGH}])
        if chance.random() < 0.3:
            reduced["where"] = all_of(YIELD, is_("not_null", "percentage.value"))
        kinds = itertools.product(("avg", "max", "min"), ("max", "min", "count"))
        paths += [(fn, {"reduce": kind, **reduced}) for fn, kind in kinds]
    fn, path = chance.choice(paths)
    query = {"over": level} if level else {}
    filters = {
        "": [is_("not_null", KELVIN)],
        MEASURED: [YIELD, is_("not_null", "percentage.value"), HIGH],
        COMPONENTS: [ROLE, is_("not_null", "amount.mass_grams")],
    }[level]
    if level and chance.random() < 0.7:
        query["elements"] = chance.choice([*filters, all_of(*filters)])
    if chance.random() < 0.6:
        asked = [is_("not_null", KELVIN), some(MEASURED, YIELD), some(MEASURED, HIGH)]
        asked += [some(MEASURED, is_("not_null", "percentage.value")), some(COMPONENTS, ROLE)]
        query["where"] = chance.choice([*asked, all_of(*chance.sample(asked, 2))])
    if chance.random() < 0.3:
        groups = {"": [AUTOMATED, "reaction_id"], MEASURED: ["type"], COMPONENTS: ["smiles"]}
        query["group_by"] = [chance.choice(groups[level])]
    return measured(fn, path, **query)


def test_no_two_aggregates_with_one_normal_form_answer_differently(corpora):
    chance = random.Random(3)
    forms = {}
    for _ in range(600):
        query = _aggregate(chance)
        forms.setdefault(normal_form(query), {})[json.dumps(query)] = query
    groups = [list(group.values()) for group in forms.values() if len(group) > 1]
    assert len(groups) > 20
    for group in groups:
        answers = [answer(corpora[0], query) for query in group[:3]]
        assert all(found == answers[0] for found in answers), group


def test_mutants_marked_equivalent_answer_as_their_reference(corpora):
    pairs = [
        (query, mutant)
        for query in upstream()
        for mutant in mutants(query, most=1000)
        if mutant.equivalent is not None
    ]
    assert len(pairs) >= 10
    for query, mutant in pairs:
        assert set(mutant.equivalent.split("+")) <= set(RULES)
        # A level without a pivot here is not asked for by any of them.
        assert answer(corpora[0], query) == answer(corpora[0], mutant.query), mutant
