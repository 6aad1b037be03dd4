"""Whether something is recorded at all, and what stands between a name and its bound."""

from __future__ import annotations

from creel_inspect.providers.baseline.clauses import (
    COMPONENTS,
    MEASUREMENTS,
    PRODUCTS,
    WORKUPS,
    Clause,
    Cursor,
    refuse,
)
from creel_inspect.providers.baseline.quantities import Bound
from creel_inspect.providers.baseline.schema import column
from creel_inspect.providers.baseline.units import compare

_LINKS = ("of", "is", "with", "in", "recorded", "from", "by", "to")
_BARE_NUMBER = ("percent", "number", "speed")
_LEVEL_LEAVES = {
    WORKUPS: "type",
    "outcomes.analyses": "type",
    MEASUREMENTS: "type",
    "observations": "comment",
}


def absence(path: str, missing: bool) -> Clause:
    """Returns the clause that a column is recorded, or that it is not."""
    where = column(path)
    op = "is_null" if missing and not where.levels else "not_null"
    found = Clause(where.level, [{"op": op, "path": where.leaf}])
    found.negated = missing and bool(where.levels)
    return found


def stands_recorded(cursor: Cursor) -> bool | None:
    """Reads "was recorded" (False) or "was not recorded" (True: missing) at the cursor."""
    start = cursor.index
    cursor.skip("is")
    negated = False
    if cursor.at("not") and not cursor.at("missing"):
        negated = True
        cursor.index += 1
        cursor.skip("is", "with")
    for kind in ("missing", "recorded"):
        if cursor.at(kind) and not cursor.at("bound"):
            cursor.index += 1
            return (kind == "missing") != negated
    cursor.index = start
    return None


def role(cursor: Cursor, missing: bool) -> Clause | None:
    """Returns the clause that a component in the role at the cursor is there, or is not."""
    named = cursor.value("role")
    if named.endswith("*") or named == "WORKUP":
        return None
    cursor.index += 1
    if named == "PRODUCT":
        return Clause(PRODUCTS, [{"op": "not_null", "path": "smiles"}], negated=missing)
    side = PRODUCTS if named.endswith("PRODUCT") else COMPONENTS
    where = compare("eq", "reaction_role", named)
    return Clause(side, [where], negated=missing)


def level(cursor: Cursor, missing: bool) -> Clause | None:
    """Returns the clause that the level at the cursor has an element, or that it has none."""
    named = cursor.value("level")
    leaf = _LEVEL_LEAVES.get(named)
    if named == "setup.vessel":
        cursor.index += 1
        return absence("setup.vessel.type", missing)
    if leaf is None:
        return None
    cursor.index += 1
    return Clause(named, [{"op": "not_null", "path": leaf}], negated=missing)


def fits(bound: Bound, dimension: str, said: str) -> None:
    """Raises `CannotAnswer` unless a bound's unit suits what it is said of."""
    if bound.dimension == dimension or (bound.dimension is None and dimension in _BARE_NUMBER):
        return
    if bound.dimension is None:
        raise refuse(f"the {said} is given without a unit")
    if bound.dimension == "percent" and dimension == "number":
        return
    raise refuse(f"the {said} is compared with a {bound.dimension}")


def to_bound(cursor: Cursor) -> bool:
    """Passes what may stand between a name and its bound; says whether that negates it."""
    negated = False
    while cursor.peek() is not None and not cursor.at("bound"):
        if cursor.at("not") and cursor.at("bound", 1):
            negated = True
        elif not (
            any(cursor.at(kind) for kind in (*_LINKS, "filler", "under"))
            and not any(cursor.at(kind) for kind in ("compound", "enum", "role", "reactions"))
        ):
            break
        cursor.index += 1
    return negated
