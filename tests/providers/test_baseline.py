"""The baseline translator: right queries for plain questions, refusals for the rest.

Every expectation was written by hand from the search schema and the grammar.
"""

import ast
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ord_schema.search import query as grammar

import creel_inspect.providers.baseline as baseline
from creel_inspect.providers.baseline import (
    Translation,
    chemistry,
    enums,
    fields,
    refusals,
    translate,
    words,
)
from creel_inspect.providers.baseline.scan import _lexicon
from creel_inspect.providers.baseline.schema import column
from creel_inspect.providers.baseline.units import comparisons

Query = dict[str, Any]

COMPONENTS = "inputs.components"
PRODUCTS = "outcomes.products"
MEASUREMENTS = "outcomes.products.measurements"
TEMPERATURE = "conditions.temperature.setpoint_kelvin"
YIELDS = f"{MEASUREMENTS}.percentage.value"
DATASET = "ord_dataset-" + "0123456789abcdef" * 2


def is_(path: str, literal: Any, op: str = "eq") -> Query:
    return {"op": op, "path": path, "value": {"literal": literal}}


def all_of(*clauses: Query) -> Query:
    return clauses[0] if len(clauses) == 1 else {"op": "and", "clauses": list(clauses)}


def any_of(*clauses: Query) -> Query:
    return {"op": "or", "clauses": list(clauses)}


def not_(clause: Query) -> Query:
    return {"op": "not", "clause": clause}


def some(path: str, *clauses: Query) -> Query:
    return {"op": "exists", "path": path, "where": all_of(*clauses)}


def same(name: str) -> Query:
    return {"op": "same_compound", "path": "smiles", "compound": name}


def pattern(smarts: str) -> Query:
    return {"op": "substructure", "path": "smiles", "smarts": smarts}


def role(name: str) -> Query:
    return is_("reaction_role", name)


def measured(kind: str, *clauses: Query) -> Query:
    return some(MEASUREMENTS, is_("type", kind), *clauses)


def percent(op: str, value: float) -> Query:
    return is_("percentage.value", value, op)


COUNT = {"fn": "count", "name": "reactions"}
COUNT_OVER = {"fn": "count_distinct", "path": "reaction_id", "name": "reactions"}
BEST_YIELD = {"reduce": "max", "path": YIELDS, "where": is_("type", "YIELD")}
CREATED = "provenance.record_created.time.timestamp"
STARTED = "provenance.experiment_start.timestamp"
ADDED = "first_commit.timestamp"

WHERE: dict[str, Query] = {
    # --- numbers with units, in the schema's unit
    "Reactions run above 350 K": is_(TEMPERATURE, 350, "gt"),
    "Which reactions ran at no more than 2 bar?": is_(
        "conditions.pressure.setpoint_kilopascals", 200, "le"
    ),
    "Reactions at pressures of 500 kPa or higher": is_(
        "conditions.pressure.setpoint_kilopascals", 500, "ge"
    ),
    "Show experiments between 300 K and 320 K": all_of(
        is_(TEMPERATURE, 300, "ge"), is_(TEMPERATURE, 320, "le")
    ),
    "Reactions above 300 but below 320 K": all_of(
        is_(TEMPERATURE, 300, "gt"), is_(TEMPERATURE, 320, "lt")
    ),
    "Reactions hotter than 400 K or colder than 200 K": any_of(
        is_(TEMPERATURE, 400, "gt"), is_(TEMPERATURE, 200, "lt")
    ),
    "Reactions longer than 24 hours": some("outcomes", is_("reaction_time_seconds", 86400, "gt")),
    "Reactions stirred at over 500 rpm": is_("conditions.stirring.rate.rpm", 500, "gt"),
    "Reactions with a pH below 7": is_("conditions.ph", 7, "lt"),
    "Reactions with conversion of at least 95%": some(
        "outcomes", is_("conversion.value", 95, "ge")
    ),
    # --- compounds, their roles and amounts on one element
    "Which reactions use pyridine?": some(COMPONENTS, same("pyridine")),
    "Which reactions use pyridine as a solvent?": some(
        COMPONENTS, role("SOLVENT"), same("pyridine")
    ),
    "Reactions in DMF or DMSO": some(
        COMPONENTS, role("SOLVENT"), any_of(same("DMF"), same("DMSO"))
    ),
    "Reactions with both aniline and benzyl bromide": all_of(
        some(COMPONENTS, same("aniline")), some(COMPONENTS, same("benzyl bromide"))
    ),
    "Reactions with at least 2 g of aniline as the reactant": some(
        COMPONENTS, role("REACTANT"), same("aniline"), is_("amount.mass_grams", 2, "ge")
    ),
    "Reactions without water": not_(some(COMPONENTS, same("water"))),
    "Reactions with neither water nor methanol": not_(
        some(COMPONENTS, any_of(same("water"), same("methanol")))
    ),
    "Reactions with a solvent other than water": some(
        COMPONENTS, role("SOLVENT"), not_(same("water"))
    ),
    "Solvent-free reactions": not_(some(COMPONENTS, role("SOLVENT"))),
    "Reactions where every solvent is water": {
        "op": "forall",
        "path": COMPONENTS,
        "where": any_of(not_(role("SOLVENT")), same("water")),
    },
    "Palladium-catalyzed reactions": some(COMPONENTS, role("CATALYST"), pattern("[Pd]")),
    "Reactions with no palladium catalyst": not_(
        some(COMPONENTS, role("CATALYST"), pattern("[Pd]"))
    ),
    "Reactions with a catalyst that is not palladium": some(
        COMPONENTS, role("CATALYST"), not_(pattern("[Pd]"))
    ),
    "Reactions with an aryl bromide as reactant": some(
        COMPONENTS, role("REACTANT"), pattern("cBr")
    ),
    "Reactions with any salt of triethylamine": some(
        COMPONENTS, {"op": "same_parent", "path": "smiles", "compound": "triethylamine"}
    ),
    "Reactants similar to morpholine with a Tanimoto coefficient of at least 0.7": some(
        COMPONENTS,
        role("REACTANT"),
        {"op": "similarity", "path": "smiles", "compound": "morpholine", "threshold": 0.7},
    ),
    "Reactions where aniline is the limiting reagent": some(
        COMPONENTS, same("aniline"), is_("is_limiting", True)
    ),
    "Reactions with pyridine from Sigma-Aldrich": some(
        COMPONENTS, same("pyridine"), is_("source.vendor", "Sigma-Aldrich")
    ),
    # --- products and what was measured of them
    "Reactions with a yield above 80%": measured("YIELD", percent("gt", 80)),
    "Over 80% yield": measured("YIELD", percent("gt", 80)),
    "Reactions with a desired product with a yield above 50%": some(
        PRODUCTS,
        is_("is_desired_product", True),
        some("measurements", is_("type", "YIELD"), percent("gt", 50)),
    ),
    "Which reactions give aspirin in at least 60% yield?": some(
        PRODUCTS, same("aspirin"), some("measurements", is_("type", "YIELD"), percent("ge", 60))
    ),
    "Reactions with a yield above 50% and a desired product": all_of(
        measured("YIELD", percent("gt", 50)), some(PRODUCTS, is_("is_desired_product", True))
    ),
    "Reactions in which all products have a yield above 50%": {
        "op": "forall",
        "path": PRODUCTS,
        "where": some("measurements", is_("type", "YIELD"), percent("gt", 50)),
    },
    "Reactions where the product contains a nitro group": some(
        PRODUCTS, pattern("[$([N+](=O)[O-]),$(N(=O)=O)]")
    ),
    "Reactions with purity over 95% but yield below 20%": all_of(
        measured("PURITY", percent("gt", 95)), measured("YIELD", percent("lt", 20))
    ),
    "Reactions with an ee above 90%": measured(
        "SELECTIVITY", is_("selectivity.type", "EE"), percent("gt", 90)
    ),
    "Which reactions do not report a yield?": not_(measured("YIELD")),
    # --- enums, by the words around them
    "Reactions run under argon in a glove box": all_of(
        is_("conditions.pressure.atmosphere.type", "ARGON"),
        is_("setup.environment.type", "GLOVE_BOX"),
    ),
    "Reactions heated in an oil bath in a round-bottom flask": all_of(
        is_("conditions.temperature.control.type", "OIL_BATH"),
        is_("setup.vessel.type", "ROUND_BOTTOM_FLASK"),
    ),
    "Reactions in a vial, a well plate or a tube": any_of(
        is_("setup.vessel.type", "VIAL"),
        is_("setup.vessel.type", "WELL_PLATE"),
        is_("setup.vessel.type", "TUBE"),
    ),
    "Reactions with a filtration workup lasting at least 5 minutes": some(
        "workups", is_("type", "FILTRATION"), is_("duration_seconds", 300, "ge")
    ),
    "Reactions extracted with ethyl acetate": some(
        "workups", is_("type", "EXTRACTION"), some("input.components", same("ethyl acetate"))
    ),
    "Reactions analyzed by LCMS": some("outcomes.analyses", is_("type", "LCMS")),
    "Reactions where triethylamine was added dropwise over 30 minutes": some(
        "inputs",
        some("components", same("triethylamine")),
        is_("addition_speed.type", "DROPWISE"),
        is_("addition_duration_seconds", 1800),
    ),
    # --- booleans, absence, text
    "Which reactions were automated and heterogeneous?": all_of(
        is_("setup.is_automated", True), is_("notes.is_heterogeneous", True)
    ),
    "Reactions either automated or exothermic": any_of(
        is_("setup.is_automated", True), is_("notes.is_exothermic", True)
    ),
    "Manual reactions": is_("setup.is_automated", False),
    "Reactions with no recorded temperature": {"op": "is_null", "path": TEMPERATURE},
    "Reactions with a recorded pressure": {
        "op": "not_null",
        "path": "conditions.pressure.setpoint_kilopascals",
    },
    "Reactions with no workups": not_(some("workups", {"op": "not_null", "path": "type"})),
    'The procedure mentions "ice bath"': is_("notes.procedure_details", "ice bath", "contains"),
    'Reactions with a patent number starting with "US2015"': is_(
        "provenance.patent", "US2015", "starts_with"
    ),
    "Reactions with DOI 10.1021/acs.joc.9b00001": is_("provenance.doi", "10.1021/acs.joc.9b00001"),
    f"Reactions in {DATASET}": is_("dataset_id", DATASET),
    # --- dates
    "Reactions carried out in 2019": all_of(
        is_(STARTED, "2019-01-01", "ge"), is_(STARTED, "2020-01-01", "lt")
    ),
    "Reactions added to ORD before 2021": is_(ADDED, "2021-01-01", "lt"),
    "Reactions recorded after 2018": is_(CREATED, "2019-01-01", "ge"),
    "Reactions recorded between 2018 and 2020": all_of(
        is_(CREATED, "2018-01-01", "ge"), is_(CREATED, "2021-01-01", "lt")
    ),
    "Reactions performed in the second quarter of 2020": all_of(
        is_(STARTED, "2020-04-01", "ge"), is_(STARTED, "2020-07-01", "lt")
    ),
    "Reactions recorded on 4 March 2021": is_(CREATED, "2021-03-04"),
    "Reactions modified after 2020-06-01": some(
        "provenance.record_modified", is_("time.timestamp", "2020-06-01", "gt")
    ),
    # --- transformations
    "Reactions turning an aryl bromide into a biaryl": {
        "op": "reaction_smarts",
        "smarts": "cBr>>c-c",
    },
}


@pytest.mark.parametrize(("question", "where"), WHERE.items())
def test_a_question_becomes_the_condition_it_states(question: str, where: Query) -> None:
    translation = translate(question)
    assert translation.query == {"where": where}, translation.reason


SOLVENTS = {"over": COMPONENTS, "where": role("SOLVENT"), "group_by": ["smiles"]}
WHOLE: dict[str, Query] = {
    "How many reactions were automated?": {
        "where": is_("setup.is_automated", True),
        "aggregate": {"measures": [COUNT]},
    },
    "What are the three most common solvents?": {
        "aggregate": {**SOLVENTS, "measures": [COUNT_OVER]},
        "order_by": [{"key": "reactions", "descending": True}],
        "limit": 3,
    },
    "Which solvent is most common in reactions above 350 K?": {
        "where": is_(TEMPERATURE, 350, "gt"),
        "aggregate": {**SOLVENTS, "measures": [COUNT_OVER]},
        "order_by": [{"key": "reactions", "descending": True}],
        "limit": 1,
    },
    "How many reactions use each solvent?": {"aggregate": {**SOLVENTS, "measures": [COUNT_OVER]}},
    "How many different catalysts are used?": {
        "aggregate": {
            "over": COMPONENTS,
            "where": role("CATALYST"),
            "measures": [
                {"fn": "count_distinct", "path": "smiles", "name": "count_distinct_catalysts"}
            ],
        }
    },
    "What is the average temperature per dataset?": {
        "aggregate": {
            "group_by": ["dataset_id"],
            "measures": [{"fn": "avg", "path": TEMPERATURE, "name": "avg_temperature"}],
        }
    },
    "What is the highest yield for each dataset?": {
        "aggregate": {
            "group_by": ["dataset_id"],
            "measures": [{"fn": "max", "path": BEST_YIELD, "name": "max_yield"}],
        }
    },
    "Which dataset has the most reactions?": {
        "aggregate": {"group_by": ["dataset_id"], "measures": [COUNT]},
        "order_by": [{"key": "reactions", "descending": True}],
        "limit": 1,
    },
    "What is the total volume of solvent used?": {
        "aggregate": {
            "measures": [
                {
                    "fn": "sum",
                    "path": {
                        "reduce": "sum",
                        "path": "inputs.components.amount.volume_liters",
                        "where": role("SOLVENT"),
                    },
                    "name": "sum_volume",
                }
            ]
        }
    },
    "The ten highest-yielding reactions": {
        "order_by": [{"key": BEST_YIELD, "descending": True}],
        "limit": 10,
    },
    "The five coldest reactions in toluene": {
        "where": some(COMPONENTS, role("SOLVENT"), same("toluene")),
        "order_by": [{"key": TEMPERATURE}],
        "limit": 5,
    },
    "What is the average number of components per reaction?": {
        "aggregate": {
            "measures": [
                {
                    "fn": "avg",
                    "path": {"reduce": "count", "path": "inputs.components.smiles"},
                    "name": "avg_components",
                }
            ]
        }
    },
    "Minimum and maximum temperature": {
        "aggregate": {
            "measures": [
                {"fn": "min", "path": TEMPERATURE, "name": "min_temperature"},
                {"fn": "max", "path": TEMPERATURE, "name": "max_temperature"},
            ]
        }
    },
    "When was the most recent reaction added to ORD?": {
        "aggregate": {"measures": [{"fn": "max", "path": ADDED, "name": "max_day"}]}
    },
    "Which solvents are used in automated reactions?": {
        "where": is_("setup.is_automated", True),
        "aggregate": {**SOLVENTS, "measures": [COUNT_OVER]},
    },
    "Reactions in DMF sorted by temperature, highest first": {
        "where": some(COMPONENTS, role("SOLVENT"), same("DMF")),
        "order_by": [{"key": TEMPERATURE, "descending": True}],
    },
    "Show me 20 reactions with pyridine": {
        "where": some(COMPONENTS, same("pyridine")),
        "limit": 20,
    },
}


@pytest.mark.parametrize(("question", "query"), WHOLE.items())
def test_a_question_for_more_than_reactions_becomes_a_whole_query(
    question: str, query: Query
) -> None:
    translation = translate(question)
    assert translation.query == query, translation.reason


SMILES, SMARTS, REACTION = "compound SMILES", "compound SMARTS", "reaction SMARTS"


@pytest.mark.parametrize(
    ("question", "label", "where"),
    [
        ("Reactions using @A", SMILES, some(COMPONENTS, same("@A"))),
        (
            "Reactions containing @A as a reactant",
            SMILES,
            some(
                COMPONENTS,
                role("REACTANT"),
                {"op": "substructure", "path": "smiles", "compound": "@A"},
            ),
        ),
        (
            "Which reactions use @A, whichever salt?",
            SMILES,
            some(COMPONENTS, {"op": "same_parent", "path": "smiles", "compound": "@A"}),
        ),
        (
            "Products similar to @A, with a similarity of at least 0.6",
            SMILES,
            some(
                PRODUCTS,
                {"op": "similarity", "path": "smiles", "compound": "@A", "threshold": 0.6},
            ),
        ),
        (
            "Reactions whose product matches @A, ignoring stereochemistry",
            SMARTS,
            some(
                PRODUCTS,
                {"op": "substructure", "path": "smiles", "compound": "@A", "chirality": False},
            ),
        ),
        ("Reactions matching @A", REACTION, {"op": "reaction_smarts", "smarts": "@A"}),
    ],
)
def test_a_placeholder_is_used_as_its_format_allows(
    question: str, label: str, where: Query
) -> None:
    translation = translate(question, {"@A": label})
    assert translation.query == {"where": where}, translation.reason


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("Reactions with reactants similar to @A, threshold 0.5", SMARTS),
        ("Reactions with any salt of @A", SMARTS),
        ("Reactions with @A as the solvent", REACTION),
        ("Reactions with @A", "drawing"),
    ],
)
def test_a_placeholder_asked_for_what_its_format_cannot_do_is_refused(
    question: str, label: str
) -> None:
    assert translate(question, {"@A": label}).refused


def test_a_placeholder_without_a_structure_is_refused() -> None:
    assert "@A" in (translate("Reactions using @A").reason or "")


REFUSED = {
    "Reactions above 400 K under argon or below 300 K under air": "which conditions",
    "Reactions where both reactants are aryl bromides": "count of a reaction's elements",
    "What is the median yield?": "order statistic",
    "Reactions whose yield is higher than their conversion": "two columns",
    "Reactions with a yield above the average": "aggregate",
    "Reactions from the last five years": "relative to today",
    "How many reactions were recorded per year?": "part of a date",
    "Reactions started at 3 pm": "time of day",
    "Reactions with more than three solvents": "count of a reaction's elements",
    "Reactions with two catalysts": "count of a reaction's elements",
    "Reactions with 5 mol% palladium acetate": "relative to another component",
    "Reactions using 2 equivalents of triethylamine": "relative to another component",
    "What fraction of reactions was automated?": "share of a total",
    "What is the price of HATU?": "price",
    "Why does the Suzuki coupling need a base?": "advice",
    "Datasets with more than 100 reactions": "group's total",
    "Filtration followed by an extraction": "order of events",
    "Reactions 80% similar to aspirin": "similarity",
    "Reactions with high yields": "no number behind it",
    "Reactions at about 350 K": "no limits",
    "Reactants similar to aspirin": "threshold",
    "Reactions above 350 degrees": "not understood",
    "Reactions in 2019 with pyridine": "carried out, recorded, or added",
    "Reactions with a base": "does not record which component is the base",
    "Reactions with a sparkling personality": "not understood",
    "Which catalyst gives the highest average yield?": "its parts",
    "Reactions with a temperature above 300": "without a unit",
    "Reactions where water is used but not as a solvent": "not understood",
    "Reactions finished within half a day": "not understood",
    "Reactions": "nothing in the question",
    "Hello!": "not understood",
    "": "nothing in the question",
    "   \n ": "nothing in the question",
    "x" * 5000: "longer than",
}


@pytest.mark.parametrize(("question", "because"), REFUSED.items(), ids=lambda text: text[:40])
def test_what_cannot_be_asked_or_read_is_refused_with_the_reason(
    question: str, because: str
) -> None:
    translation = translate(question)
    assert translation.query is None
    assert because in (translation.reason or "")


def test_one_unknown_word_refuses_an_otherwise_plain_question() -> None:
    assert not translate("Reactions in DMF above 350 K").refused
    assert "'glacial'" in (translate("Reactions in glacial DMF above 350 K").reason or "")


def test_a_translation_holds_a_query_or_a_reason_and_never_both() -> None:
    for arguments in ({}, {"query": {}, "reason": "no"}, {"reason": ""}):
        with pytest.raises(ValueError, match="either a query or a non-empty reason"):
            Translation(**arguments)


# --- boundaries ----------------------------------------------------------------------------------


def holds(predicates: list[dict[str, Any]], value: float) -> bool:
    ops = {
        "gt": value.__gt__, "ge": value.__ge__, "lt": value.__lt__, "le": value.__le__,
        "eq": value.__eq__,
    }  # fmt: skip
    return all(ops[p["op"]](p["value"]["literal"]) for p in predicates)


@pytest.mark.parametrize(
    ("op", "at_the_boundary"), [("ge", True), ("gt", False), ("le", True), ("lt", False)]
)
def test_a_boundary_stored_as_a_32_bit_float_is_judged_as_written(
    op: str, at_the_boundary: bool
) -> None:
    # 195.15 K and 0.1 mmol as records hold them
    for written, stored in ((195.15, 195.1499938964844), (1e-4, 9.999999747378752e-05)):
        predicates = comparisons("x", [(op, written)])
        assert holds(predicates, stored) is at_the_boundary
        assert holds(predicates, written) is at_the_boundary


def test_a_boundary_that_a_float_holds_exactly_is_written_as_it_is() -> None:
    assert comparisons("x", [("ge", 350.0)]) == [is_("x", 350, "ge")]


@pytest.mark.parametrize(
    ("written", "kelvin"),
    [("80 °C", 353.15), ("-78 °C", 195.15), ("minus 20 °C", 253.15), ("32 °F", 273.15)],
)
def test_temperatures_are_compared_in_kelvin(written: str, kelvin: float) -> None:
    query = translate(f"Reactions above {written}").query
    assert query is not None
    assert query["where"]["path"] == TEMPERATURE
    assert query["where"]["value"]["literal"] == pytest.approx(kelvin, rel=3e-6)


@pytest.mark.parametrize(
    ("written", "path", "value"),
    [
        ("1 atm", "conditions.pressure.setpoint_kilopascals", 101.325),
        ("100 psi", "conditions.pressure.setpoint_kilopascals", 689.4757),
        ("760 torr", "conditions.pressure.setpoint_kilopascals", 101.325),
        ("2 MPa", "conditions.pressure.setpoint_kilopascals", 2000),
        ("450 nm", "conditions.illumination.peak_wavelength_nanometers", 450),
        ("5 mA", "conditions.electrochemistry.current_amperes", 0.005),
        ("2.5 V", "conditions.electrochemistry.voltage_volts", 2.5),
    ],
)
def test_quantities_are_compared_in_the_columns_unit(written: str, path: str, value: float) -> None:
    query = translate(f"Reactions above {written}").query
    assert query is not None
    assert query["where"]["path"] == path
    assert query["where"]["value"]["literal"] == pytest.approx(value, rel=3e-6)


# --- what it knows -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "table",
    [fields.NUMBERS, fields.BOOLEANS, fields.TEXTS, fields.DATES, fields.MODES, enums.ENUMS],
)
def test_every_column_it_knows_is_in_the_live_schema(table: dict[str, Any]) -> None:
    for path in table:
        assert column(path).leaf


def test_every_enum_word_it_adds_is_a_value_of_the_live_schema() -> None:
    for path, synonyms in enums.SYNONYMS.items():
        assert set(synonyms) <= set(column(path).members), path
    for path in {*enums.ENUMS, *enums.NOUNS.values()} - {"setup.is_automated"}:
        kind = column(path)
        assert kind.members or str(kind.type) == "string", path


@pytest.mark.parametrize("path", enums.ENUMS)
def test_every_value_of_an_enum_column_can_be_said_somehow(path: str) -> None:
    said = {m for means in _lexicon().values() for p, m in means.get("enum", ()) if p == path}
    silent = {"UNSPECIFIED", "CUSTOM", "NONE"}  # "custom" and "none" alone say too little
    assert set(column(path).members) - said <= silent


def test_every_pattern_it_knows_is_one_the_grammar_takes() -> None:
    for smarts in chemistry.GROUPS:
        grammar.Substructure(op="substructure", path="smiles", smarts=smarts)
    for smarts in chemistry.TRANSFORMATIONS:
        grammar.ReactionSmarts(op="reaction_smarts", smarts=smarts)


def test_it_reads_no_file_but_its_own_word_lists() -> None:
    folder = Path(baseline.__file__).parent
    opened = set()
    for source in folder.glob("*.py"):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and text.endswith((".json", ".txt", ".tsv", ".md", ".yaml")):
                opened.add(text)
    assert opened == {"words.txt", "refusals.txt"}
    assert {path.name for path in (folder / "data").iterdir()} == opened


def test_importing_it_loads_neither_the_search_library_nor_the_compound_table() -> None:
    heavy = ["rdkit", "duckdb", "pyarrow", "ord_schema", "chemicals", "inspect_ai"]
    code = (
        # by path, so that what the package above it imports does not count
        "import importlib.util as u, sys;"
        f"spec = u.spec_from_file_location('alone', {baseline.__file__!r});"
        "sys.modules['alone'] = u.module_from_spec(spec);"
        "spec.loader.exec_module(sys.modules['alone']);"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60
    )
    assert ran.stdout.strip() == "[]"


# --- whatever the text ---------------------------------------------------------------------------


def compiles(query: Query) -> None:
    def filled(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                key: "C>>C" if key == "smarts" and str(item).startswith("@") else filled(item)
                for key, item in value.items()
            }
        return [filled(item) for item in value] if isinstance(value, list) else value

    model = grammar.Query.model_validate(filled(query))
    grammar.compile_query(model, pivot=lambda level: "pivot_" + level.replace(".", "_"))


def fragments() -> list[str]:
    questions = [*WHERE, *WHOLE, *(text for text in REFUSED if len(text) < 200)]
    known = [phrase for phrase, _ in words.KINDS] + list(words.ROLES) + list(words.COMPARE)
    values = ["350 K", "-78 °C", "5 mL", "80%", "2019", "0.7", "12", '"ice"', "@A", "@B", "(", ","]
    return [*(word for text in questions for word in text.split()), *known, *values]


FRAGMENTS = fragments()
STRUCTURES = {"@A": SMILES, "@B": REACTION}


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=12))
def test_any_jumble_of_known_words_compiles_or_is_refused(parts: list[str]) -> None:
    translation = translate(" ".join(parts), STRUCTURES)
    if translation.query is not None:
        compiles(translation.query)
    else:
        assert translation.reason


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text(max_size=300))
def test_any_text_at_all_compiles_or_is_refused(text: str) -> None:
    translation = translate(text)
    if translation.query is not None:
        compiles(translation.query)
    else:
        assert translation.reason


@pytest.mark.parametrize(
    "text",
    [
        "(" * 2000,
        "1 " * 1000,
        "not " * 500,
        "yield higher " * 150,
        "more than " * 200,
        "a-" * 1000,
        "1,000," * 330,
        '"' * 2000,
        "pyridine or " * 160,
        "between 1 and " * 140,
        "in 2019 or " * 180,
        "similar to " * 180,
        "@A" * 1000,
        "not a " * 110,
        "a-" * 240,
        "temperature of the " * 100,
    ],
    ids=lambda text: text[:15],
)
def test_hostile_repetition_takes_bounded_time(text: str) -> None:
    translate("Reactions in DMF")  # loads what has to be loaded
    started = time.process_time()
    translate(text[:2000], STRUCTURES)
    assert time.process_time() - started < 5


def test_a_question_is_translated_the_same_way_every_time() -> None:
    questions = [*WHERE, *WHOLE]
    assert [translate(q).query for q in questions] == [translate(q).query for q in questions]


def test_every_refusal_pattern_compiles_and_says_what_is_missing() -> None:
    patterns = refusals._patterns()
    assert len(patterns) > 100
    assert all(what for _, what in patterns)
