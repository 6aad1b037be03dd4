"""Measurements of products, and the presence or absence of anything that can be named."""

from __future__ import annotations

from creel_inspect.providers.baseline import recorded
from creel_inspect.providers.baseline.clauses import (
    MEASUREMENTS,
    PRODUCTS,
    Clause,
    Cursor,
    Predicate,
    bounded,
)
from creel_inspect.providers.baseline.recorded import absence, fits, stands_recorded, to_bound
from creel_inspect.providers.baseline.structures import structure
from creel_inspect.providers.baseline.units import compare


def presence(cursor: Cursor) -> list[Clause] | None:
    """Reads "no recorded temperature", "a recorded yield": a column, or a level, there or not."""
    start = cursor.index
    missing = cursor.at("missing")
    if not (missing or cursor.at("recorded")):
        return None
    cursor.index += 1
    cursor.skip("of", "with")
    found = _absent_thing(cursor, missing)
    if found is None or cursor.at("bound") or cursor.at("cmp"):
        cursor.index = start
        return None
    if cursor.negated:
        cursor.negated = False
        found = _opposite(found)
    return [found]


def _opposite(clause: Clause) -> Clause:
    if clause.level:
        clause.negated = not clause.negated
        return clause
    flipped = {"is_null": "not_null", "not_null": "is_null"}
    clause.predicates = [{**p, "op": flipped[p["op"]]} for p in clause.predicates]
    return clause


def _absent_thing(cursor: Cursor, missing: bool) -> Clause | None:
    item = cursor.peek()
    if item is None:
        return None
    if "measure" in item:
        cursor.index += 1
        return _nested(_whose(cursor), _measure(item["measure"]), missing)
    for kind, path in (
        ("number_field", item.means.get("number_field", ("",))[0]),
        ("noun", item.means.get("noun")),
        ("level", None),
        ("text", item.means.get("text")),
        ("date_field", None if "filler" in item else item.means.get("date_field")),
        ("bool", item.means.get("bool", ("",))[0]),
        ("role", None),
    ):
        if kind not in item:
            continue
        if kind == "level":
            return recorded.level(cursor, missing)
        if kind == "role":
            return recorded.role(cursor, missing)
        if path:
            cursor.index += 1
            return absence(path, missing)
    return None


def _measure(meaning: tuple[str, str | None]) -> list[Predicate]:
    kind, selectivity = meaning
    found = [compare("eq", "type", kind)]
    if selectivity:
        found.append(compare("eq", "selectivity.type", selectivity))
    return found


def measurement(cursor: Cursor) -> list[Clause] | None:
    """Reads a yield, purity or selectivity with its bound, either way round, or its absence."""
    start = cursor.index
    bound = None
    if cursor.at("bound") and cursor.value("bound").dimension in ("percent", None):
        bound = cursor.value("bound")
        cursor.index += 1
        cursor.skip("of", "in")
    if not cursor.at("measure"):
        cursor.index = start
        return None
    meaning = cursor.value("measure")
    cursor.index += 1
    product: list[Predicate] = []
    if bound is None:
        product = _whose(cursor)
        missing = stands_recorded(cursor)
        if missing is not None and not cursor.at("bound"):
            return [_nested(product, _measure(meaning), missing)]
        negated = to_bound(cursor)
        if cursor.at("bound"):
            bound = cursor.value("bound")
            cursor.index += 1
            bound = bound.negated() if negated else bound
    if bound is not None:
        fits(bound, "percent", "measurement")
        return [_nested(product, [*_measure(meaning), bounded("percentage.value", bound)], False)]
    cursor.index = start + 1
    if any(i.means.get("bool", ("",))[0].startswith(MEASUREMENTS) for i in cursor.items):
        return [_nested(product, _measure(meaning), False)]  # "... with an internal standard"
    if cursor.negated:
        product = _whose(cursor)
        cursor.negated = not product
        return [_nested(product, _measure(meaning), bool(product))]
    if cursor.at("with", -2) or cursor.at("recorded", -2) or cursor.text(-2) in ("a", "any"):
        return [_nested([], _measure(meaning), False)]
    cursor.index = start
    return None


def _whose(cursor: Cursor) -> list[Predicate]:
    """Reads "of the desired product", "for aspirin" between a measurement and its bound."""
    start = cursor.index
    cursor.skip("of")
    if cursor.index > start:
        if cursor.at("bool") and cursor.value("bool")[0].endswith("is_desired_product"):
            cursor.index += 1
            return [compare("eq", "is_desired_product", cursor.value("bool", -1)[1])]
        if cursor.at("role") and cursor.value("role").endswith("PRODUCT"):
            role = cursor.value("role")
            cursor.index += 1
            if role != "PRODUCT":
                return [compare("eq", "reaction_role", role)]
            return []
        found = structure(cursor)
        if found is not None:
            return [found]
    cursor.index = start
    return []


def _nested(product: list[Predicate], measure: list[Predicate], missing: bool) -> Clause:
    if not product:
        return Clause(MEASUREMENTS, measure, negated=missing)
    inner: Predicate = {"op": "and", "clauses": measure} if len(measure) > 1 else measure[0]
    nested: Predicate = {"op": "exists", "path": "measurements", "where": inner}
    if missing:
        nested = {"op": "not", "clause": nested}
    return Clause(PRODUCTS, [*product, nested])
