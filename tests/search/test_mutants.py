"""The wrong queries made of a right one."""

import json

import pytest

from creel_inspect.search.mutants import MOST, OPERATORS, mutants
from tests.search.spelling import (
    COMPONENTS,
    CREATED,
    HIGH,
    KELVIN,
    MEASURED,
    PLATFORM,
    PYRIDINE,
    ROLE,
    YIELD,
    all_of,
    drawn,
    every,
    is_,
    measured,
    no,
    some,
    upstream,
    where,
)

SOLVENT = where(some(COMPONENTS, all_of(ROLE, PYRIDINE)))
OTHERS = [
    where(some(COMPONENTS, drawn("substructure", "C/C=C/C"))),
    where(all_of(no(some(COMPONENTS, ROLE)), is_("eq", PLATFORM, "Mosquito"))),
    where(is_("eq", PLATFORM, "Mosquito")),
    {
        "where": is_("gt", KELVIN, 300),
        "order_by": [{"key": KELVIN, "descending": True}],
        "limit": 2,
    },
    measured("count_distinct", "reaction_id", over=COMPONENTS, elements=ROLE, group_by=["smiles"]),
]


def _of(query, operator):
    return [mutant.query for mutant in mutants(query, operators=[operator], most=1000)]


def test_the_upstream_references_make_at_least_nine_hundred_mutants():
    made = [mutants(reference) for reference in upstream()]
    assert sum(map(len, made)) >= 900
    assert max(map(len, made)) <= MOST


def test_every_operator_makes_a_mutant_of_something():
    made = {m.operator for query in [*upstream(), *OTHERS] for m in mutants(query, most=1000)}
    assert made == set(OPERATORS)


def test_the_order_of_mutants_depends_on_nothing_but_the_query():
    query = upstream()[2]
    before = json.dumps(query)
    assert mutants(query) == mutants(json.loads(before))
    assert json.dumps(query) == before
    named = [mutant.operator for mutant in mutants(query)]
    assert named == sorted(named, key=list(OPERATORS).index)


def test_every_mutant_is_another_query_than_every_other():
    for reference in upstream():
        spelled = [json.dumps(mutant.query, sort_keys=True) for mutant in mutants(reference)]
        assert len(set(spelled)) == len(spelled)
        assert json.dumps(reference, sort_keys=True) not in spelled


def test_a_long_list_keeps_the_first_of_every_operator():
    query = upstream()[2]
    everything = mutants(query, most=1000)
    kept = mutants(query, most=len({mutant.operator for mutant in everything}))
    assert [m.operator for m in kept] == list(dict.fromkeys(m.operator for m in everything))


def test_a_condition_is_dropped():
    assert _of(SOLVENT, "drop-condition") == [
        where(some(COMPONENTS, PYRIDINE)),
        where(some(COMPONENTS, ROLE)),
    ]


def test_a_quantifier_over_two_conditions_is_split():
    assert _of(SOLVENT, "split-quantifier") == [
        where(all_of(some(COMPONENTS, ROLE), some(COMPONENTS, PYRIDINE)))
    ]


def test_two_quantifiers_on_one_path_are_merged():
    two = where(all_of(some(COMPONENTS, ROLE), some(COMPONENTS, PYRIDINE)))
    assert _of(two, "merge-quantifiers") == [SOLVENT]


def test_some_and_every_are_exchanged():
    assert _of(where(some(COMPONENTS, ROLE)), "swap-quantifier") == [where(every(COMPONENTS, ROLE))]


def test_a_negation_is_moved_across_a_quantifier():
    assert where(some(COMPONENTS, is_("ne", "reaction_role", "SOLVENT"))) in _of(
        where(no(some(COMPONENTS, ROLE))), "move-not"
    )


def test_a_boundary_is_moved():
    assert where(is_("ge", KELVIN, 350)) in _of(where(is_("gt", KELVIN, 350)), "move-boundary")
    assert _of(where(is_("gt", KELVIN, 350)), "flip-direction") == [
        where(is_("lt", KELVIN, 350)),
        where(is_("le", KELVIN, 350)),
    ]


@pytest.mark.parametrize(
    ("path", "right", "wrong"),
    [
        (KELVIN, 195.15, {-78, 195, -108.4}),
        ("conditions.pressure.setpoint_kilopascals", 6000, {60, 870.226, 59.2154, 6_000_000}),
        ("setup.vessel.volume_liters", 0.5, {500, 500_000}),
    ],
)
def test_a_number_is_left_in_another_unit(path, right, wrong):
    told = _of(where(is_("gt", path, right)), "wrong-unit")
    assert {query["where"]["value"]["literal"] for query in told} == wrong


def test_percent_is_written_as_a_fraction():
    assert where(some(MEASURED, is_("gt", "percentage.value", 0.5))) in _of(
        where(some(MEASURED, HIGH)), "wrong-unit"
    )


def test_a_period_is_a_day_or_a_year_off():
    told = _of(where(is_("lt", CREATED, "2026-04-01")), "shift-date")
    days = {query["where"]["value"]["literal"] for query in told}
    assert days == {"2026-03-31", "2026-04-02", "2026-03-01", "2025-04-01", "2027-04-01"}


def test_a_leap_day_has_no_day_a_year_later():
    told = _of(where(is_("eq", CREATED, "2024-02-29")), "shift-date")
    days = {query["where"]["value"]["literal"] for query in told}
    assert days == {"2024-02-28", "2024-03-01"}


def test_a_solvent_is_taken_for_a_reagent():
    assert where(some(COMPONENTS, is_("eq", "reaction_role", "REAGENT"))) in _of(
        where(some(COMPONENTS, ROLE)), "wrong-role"
    )


def test_a_column_elsewhere_is_read_inside_its_own_quantifier():
    assert where(some("workups", is_("gt", "temperature.setpoint_kelvin", 350))) in _of(
        where(is_("gt", KELVIN, 350)), "sibling-column"
    )


def test_both_bounds_of_a_period_are_read_elsewhere():
    started = "provenance.experiment_start.timestamp"
    days = ("ge", "2025-01-01"), ("lt", "2026-01-01")
    stated = where(all_of(*(is_(op, CREATED, day) for op, day in days)))
    assert where(all_of(*(is_(op, started, day) for op, day in days))) in _of(
        stated, "sibling-column"
    )


def test_a_conversion_is_taken_for_a_yield():
    conversion = where(some("outcomes", is_("gt", "conversion.value", 90)))
    told = all_of(YIELD, is_("gt", "percentage.value", 90))
    assert where(some(MEASURED, told)) in _of(conversion, "sibling-column")


def test_an_absent_value_is_taken_for_none():
    path = "conditions.stirring.type"
    assert where(is_("is_null", path)) in _of(where(is_("eq", path, "NONE")), "null-check")
    assert where(is_("eq", path, "NONE")) in _of(where(is_("is_null", path)), "null-check")


def test_stereo_is_inverted_forgotten_and_ignored():
    query = where(some(COMPONENTS, drawn("substructure", "C[C@H](N)C(=O)O")))
    told = [one["where"]["where"]["smarts"] for one in _of(query, "wrong-stereo")]
    assert told == ["C[CH](N)C(=O)O", "C[C@@H](N)C(=O)O"]
    assert _of(query, "chirality-flag") == [
        where(some(COMPONENTS, drawn("substructure", "C[C@H](N)C(=O)O", chirality=False)))
    ]


def test_a_salt_is_taken_for_its_base_and_is_no_mistake_for_the_parent():
    salt, base = "CCN(CC)CC.Cl", "CCN(CC)CC"
    for op, expected in (("same_compound", None), ("same_parent", "same-molecule")):
        told = mutants(where(some(COMPONENTS, drawn(op, salt))), operators=["wrong-compound"])
        found = {m.query["where"]["where"]["smiles"]: m.equivalent for m in told}
        assert found[base] == expected


def test_a_compound_that_is_named_keeps_its_name():
    named = {"op": "same_compound", "path": "smiles", "compound": "pyridine", "smiles": None}
    told = mutants(where(some(COMPONENTS, all_of(ROLE, named))))
    assert {"drop-condition", "split-quantifier", "wrong-role"} <= {m.operator for m in told}
    assert all("pyridine" in json.dumps(m.query) for m in told if m.operator == "wrong-role")


def test_templates_of_a_reaction_are_dropped_and_exchanged():
    told = _of(where({"op": "reaction_smarts", "smarts": "cBr.[NH2]>>c-[NH]"}), "wrong-template")
    patterns = {one["where"].get("smarts") for one in told}
    assert {"[NH2]>>c-[NH]", "cBr>>c-[NH]", "c-[NH]>>cBr.[NH2]"} <= patterns


def test_reactions_are_taken_for_elements():
    query = measured("count_distinct", "reaction_id", over="workups", group_by=["type"])
    assert measured("count", over="workups", group_by=["type"]) in _of(query, "wrong-measure")


def test_an_order_and_a_limit_are_missed():
    query = OTHERS[3]
    flipped = {**query, "order_by": [{"key": KELVIN, "descending": False}]}
    assert flipped in _of(query, "wrong-order")
    assert {one.get("limit") for one in _of(query, "wrong-limit")} == {None, 1, 3}


def test_an_unknown_operator_is_refused_by_name():
    with pytest.raises(ValueError, match="unknown operator 'drop-it'; expected some of: drop-c"):
        mutants(SOLVENT, operators=["drop-it"])


def test_nothing_is_made_of_a_reference_that_does_not_compile():
    with pytest.raises(ValueError, match=r"reference does not compile.*no field named 'heat'"):
        mutants(where(is_("gt", "conditions.heat", 1)))
