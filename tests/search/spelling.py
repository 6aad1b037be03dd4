"""Short spellings of the grammar, for tests that write many queries."""

import importlib.resources
import json

KELVIN = "conditions.temperature.setpoint_kelvin"
RPM = "conditions.stirring.rate.rpm"
AUTOMATED = "setup.is_automated"
PLATFORM = "setup.automation_platform"
CREATED = "provenance.record_created.time.timestamp"
COMPONENTS = "inputs.components"
MEASURED = "outcomes.products.measurements"
PERCENT = f"{MEASURED}.percentage.value"


def is_(op, path, value=None):
    if op in ("is_null", "not_null"):
        return {"op": op, "path": path}
    return {"op": op, "path": path, "value": {"literal": value}}


def all_of(*clauses):
    return {"op": "and", "clauses": list(clauses)}


def any_of(*clauses):
    return {"op": "or", "clauses": list(clauses)}


def no(clause):
    return {"op": "not", "clause": clause}


def some(path, where):
    return {"op": "exists", "path": path, "where": where}


def every(path, where):
    return {"op": "forall", "path": path, "where": where}


def drawn(op, smiles, **more):
    key = "smarts" if op == "substructure" else "smiles"
    return {"op": op, "path": "smiles", key: smiles, **more}


def where(predicate):
    return {"where": predicate}


def measured(fn, path=None, **query):
    measure = {"fn": fn, "name": "it"} | ({} if path is None else {"path": path})
    inner = {key: query.pop(key) for key in ("over", "group_by") if key in query}
    inner |= {"where": query.pop("elements")} if "elements" in query else {}
    return {**query, "aggregate": {**inner, "measures": [measure]}}


ROLE = is_("eq", "reaction_role", "SOLVENT")
PYRIDINE = drawn("same_compound", "c1ccncc1")
YIELD = is_("eq", "type", "YIELD")
HIGH = is_("gt", "percentage.value", 50)


def upstream():
    """The reference queries of the cases that ord-schema ships."""
    text = importlib.resources.files("ord_schema.search").joinpath("nl_cases.json").read_text()
    return [case["reference"] for case in json.loads(text) if "reference" in case]
