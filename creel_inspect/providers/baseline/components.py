"""Compounds in a question: in which role, on which side of the reaction, how much of them."""

from __future__ import annotations

from creel_inspect.providers.baseline.clauses import (
    COMPONENTS,
    PRODUCTS,
    WORKUPS,
    Clause,
    Cursor,
    Predicate,
    amount,
    refuse,
)
from creel_inspect.providers.baseline.schema import disjunction
from creel_inspect.providers.baseline.structures import CORES, at_structure, opens, several
from creel_inspect.providers.baseline.units import compare

_PRODUCT_ROLES = ("PRODUCT", "BYPRODUCT", "SIDE_PRODUCT")
_ONLY = ("only", "sole", "exclusively", "solely", "entirely")


def _next(cursor: Cursor) -> int:
    """Returns the offset of the next item that is not a filler."""
    offset = 1
    while (item := cursor.peek(offset)) is not None and item.empty:
        offset += 1
    return offset


def _desired(cursor: Cursor) -> Predicate | None:
    """Returns the predicate of "desired product" at the cursor, if that is what stands there."""
    if cursor.at("bool") and cursor.value("bool")[0].endswith("is_desired_product"):
        return compare("eq", "is_desired_product", cursor.value("bool")[1])
    return None


def _role_after(cursor: Cursor) -> tuple[str, bool] | None:
    """Reads "as the solvent", "solvent", "catalyzed" after structures; returns role, singular."""
    start = cursor.index
    while cursor.text() in ("(", ")"):
        cursor.index += 1
    cursor.skip("as", "is")
    if cursor.at("every") or cursor.text() in ("only", "sole"):
        cursor.every = cursor.text()
        cursor.index += 1
    if cursor.at("bool") and cursor.value("bool")[0].endswith("is_limiting"):
        cursor.index = start
        return None
    if (desired := _desired(cursor)) is not None and desired["value"]["literal"]:
        cursor.index += 1
        return "DESIRED", True
    if cursor.text() == "neither" and cursor.at("role", _next(cursor)):
        raise refuse("which roles a compound does not have is not understood")
    if cursor.at("not") and cursor.at("is", -1) and cursor.at("role", _next(cursor)):
        cursor.index += _next(cursor)  # "DMF is not the solvent"
        cursor.negated = not cursor.negated
    if cursor.at("in") and cursor.at("role", _next(cursor)):
        role = cursor.value("role", _next(cursor))
        if role.removesuffix("*") in ("REACTANT", *_PRODUCT_ROLES):
            cursor.index += _next(cursor)  # "a nitro group in the product"
    if cursor.at("role"):
        role, said = cursor.value("role"), cursor.text()
        cursor.index += 1
        if cursor.text() == ")":
            cursor.index += 1
        return role, not said.endswith("s")
    if cursor.at("catalyzed") and " by" not in cursor.text():
        cursor.index += 1
        return "CATALYST", True
    cursor.index = start
    return None


_LOOSE = frozenset(("filler", "with", "in", "is", "of", "as", "at"))
_FIRM = (*CORES, "role", "bool", "bound", "number_field", "when", "reactions")


def _to_detail(cursor: Cursor) -> None:
    """Passes brackets, commas and small words that may stand between a compound and a detail."""
    while (item := cursor.peek()) is not None and (
        item.text in ("(", ",", ")")
        or (set(item.means) & _LOOSE and not any(kind in item for kind in _FIRM))
    ):
        cursor.index += 1
    if cursor.at("number_field") and cursor.value("number_field")[1] in ("mass", "moles", "volume"):
        cursor.index += 1
        cursor.skip("is", "of")


def _details(cursor: Cursor, *, leading: bool = False) -> list[Predicate]:
    """Reads amounts and the limiting flag around a component; ``leading`` ones stand before it."""
    found: list[Predicate] = []
    while True:
        start = cursor.index
        _to_detail(cursor)
        follows = cursor.peek(2)
        opens_next = (
            cursor.at("bound")
            and cursor.at("of", 1)
            and follows is not None
            and any(kind in follows for kind in (*CORES, "role"))
        )
        detail = _prepared(cursor)
        if cursor.at("bound") and (leading or not opens_next):  # "... and 2 g of aniline"
            detail = amount(cursor.value("bound"))
        elif cursor.at("bool") and cursor.value("bool")[0].endswith("is_limiting"):
            detail = compare("eq", "is_limiting", cursor.value("bool")[1])
        if detail is None:
            cursor.index = start
            return found
        found.append(detail)
        cursor.index += 1


def _prepared(cursor: Cursor) -> Predicate | None:
    """Reads "a catalytic amount", and "dried" or "degassed" right before a compound."""
    for path, member in cursor.value("enum") if cursor.at("enum") else ():
        if path == "inputs.components.amount.unmeasured.type":
            if cursor.text() == "catalytic" and not cursor.at("role", -1):
                continue
            return compare("eq", "amount.unmeasured.type", member)
        follows = cursor.peek(1)
        named = follows is not None and any(kind in follows for kind in (*CORES, "role"))
        if path == "inputs.components.preparations.type" and named:
            where = compare("eq", "type", member)
            return {"op": "exists", "path": "preparations", "where": where}
    return None


def _where(role: str | None, predicates: list[Predicate]) -> tuple[str, list[Predicate]]:
    """Returns the level and the predicates of a component in a role."""
    if role in ("DESIRED", *_PRODUCT_ROLES) and any(
        str(p.get("path", "")).startswith(("amount.", "is_limiting", "preparations"))
        for p in predicates
    ):
        raise refuse("the schema holds no amount or preparation of a product")
    if role == "DESIRED":
        return PRODUCTS, [compare("eq", "is_desired_product", True), *predicates]
    if role in _PRODUCT_ROLES:
        extra = [] if role == "PRODUCT" else [compare("eq", "reaction_role", role)]
        return PRODUCTS, [*predicates, *extra]
    if role == "WORKUP":
        return f"{WORKUPS}.input.components", predicates
    plain = (role or "ANY").removesuffix("*")
    if plain == "ANY":
        return COMPONENTS, predicates
    return COMPONENTS, [compare("eq", "reaction_role", plain), *predicates]


def read(cursor: Cursor) -> list[Clause] | None:
    """Reads a component or product at the cursor, with its role, amount and alternatives.

    Returns:
        Its clauses, or None (with the cursor where it was) if no compound is spoken of here.
    """
    start, every = cursor.index, cursor.every
    before = _details(cursor, leading=True)
    if before:
        cursor.skip("of")
    role = _introduced(cursor)
    found = _by_role(cursor, before) if role is None else None
    if found is None:
        found = _by_structure(cursor, role, before)
    if found is None and any(p.get("path") == "is_limiting" for p in before):
        cursor.skip("is")
        found = _by_structure(cursor, None, before) or [Clause(COMPONENTS, before)]
    if found is None:
        cursor.index, cursor.every = start, every
        return None
    if cursor.text() == "free":
        cursor.index += 1
        for clause in found:
            clause.negated = True
    return found


def _introduced(cursor: Cursor) -> str | None:
    """Reads a preposition that gives the structures after it a role."""
    start = cursor.index
    cursor.skip()
    role = None
    if cursor.at("catalyzed") and ("by" in cursor.text() or cursor.text(1) in ("by", "with")):
        role = "CATALYST"
        cursor.index += 1 if " " in cursor.text() else 2
    elif cursor.at("produce"):
        role = "PRODUCT"
        cursor.index += 1
    elif cursor.at("in"):
        role = "SOLVENT"
        cursor.index += 1
    elif cursor.at("from") or (cursor.at("of") and cursor.at("reactions", -1)):
        role = "REACTANT"
        cursor.index += 1
    elif cursor.at("to") and any(clause.level == COMPONENTS for clause in cursor.found[-1:]):
        role = "PRODUCT"
        cursor.index += 1
    if role is not None and role != "PRODUCT" and cursor.at("role"):
        role = None  # "in the solvent DMF": the noun says it
    if role is None or (not opens(cursor) and not _details_ahead(cursor)):
        cursor.index = start
        return None
    return role


def _details_ahead(cursor: Cursor) -> bool:
    return cursor.at("bound") and cursor.at("of", 1)


def _by_structure(cursor: Cursor, role: str | None, before: list[Predicate]) -> list[Clause] | None:
    start = cursor.index
    if role is not None:
        before = before + _details(cursor, leading=True)
        cursor.skip("of")
    listed = several(cursor)
    if listed is None:
        cursor.index = start
        return None
    predicates, joiner = listed
    if role == "SOLVENT" and any(p["op"] == "substructure" and "smarts" in p for p in predicates):
        role = None  # "in an aryl bromide": where a group is, not what it is dissolved in
    after = _role_after(cursor)
    singular = True
    if after is not None:
        role, singular = after
    details = before + _details(cursor)
    if after is None and details:
        role, singular = _role_after(cursor) or (role, singular)
    if joiner == "or" or len(predicates) == 1:
        what = [disjunction(predicates)]
        level, where = _where(role, [*what, *details])
        return _quantified(cursor, level, role, what, where)
    clauses = []
    for index, predicate in enumerate(predicates):
        last = index == len(predicates) - 1
        own = role if last or after is None or not singular else None
        level, where = _where(own, [predicate])
        clauses.append(Clause(level, where + (details if last else [])))
    return clauses


def _quantified(
    cursor: Cursor, level: str, role: str | None, what: list[Predicate], where: list[Predicate]
) -> list[Clause]:
    """Returns the clause for one component; "only" and "every" ask it of all in the role."""
    word, cursor.every = cursor.every, ""
    if not word:
        return [Clause(level, where)]
    scope = [] if role is None else [p for p in where if p not in what]
    clauses = [Clause(level, what, every=True, scope=scope)]
    if word in _ONLY:
        clauses.insert(0, Clause(level, where))
    return clauses


def _named(cursor: Cursor) -> tuple[str, str, list[Predicate]] | None:
    """Reads a role's noun; returns the role, the noun, and what the noun itself asks for."""
    cursor.skip("in", "with", "of", "as", "is", "produce")
    desired = _desired(cursor)
    if desired is not None:
        cursor.index += 1
        cursor.index += cursor.at("role") and cursor.value("role") == "PRODUCT"
        return "PRODUCT", "product", [desired]
    if not cursor.at("role") or at_structure(cursor):
        return None
    cursor.index += 1
    return cursor.value("role", -1), cursor.text(-1), []


def _to_content(cursor: Cursor) -> bool:
    """Passes "is", "containing" and the like after a role; says whether it was containment."""
    contains = False
    while (item := cursor.peek()) is not None and item.means:
        loose = any(kind in item for kind in ("is", "of", "as", "with", "in")) or item.text == ":"
        if not loose and not item.empty:
            break
        contains = contains or "contain" in cursor.text() or cursor.text() in ("bearing", "bear")
        cursor.index += 1
    return contains


def _by_role(cursor: Cursor, before: list[Predicate]) -> list[Clause] | None:
    """Reads a component opened by its role: "the solvent is DMF", "a catalyst with palladium"."""
    start = cursor.index
    named = _named(cursor)
    if named is None:
        cursor.index = start
        return None
    role, said, own = named
    before = [*before, *own]
    if cursor.text() == "free":
        return [Clause(*_where(role, []))]
    place = cursor.index
    contains = _to_content(cursor)
    inner_not = cursor.at("not")
    if inner_not:
        cursor.index += 1
        cursor.skip("is", "with")
    listed = several(cursor)
    if listed is None:
        cursor.index = place
        return _role_alone(cursor, role, said, before + _details(cursor), start)
    predicates, joiner = listed
    if contains:
        predicates = [
            {**p, "op": "substructure"} if p["op"] == "same_compound" else p for p in predicates
        ]
    details = before + _details(cursor)
    if joiner == "and" and len(predicates) > 1 and not inner_not and not cursor.every:
        if role in _PRODUCT_ROLES and contains:
            level, where = _where(role, predicates)
            return [Clause(level, where + details)]
        return [Clause(*_where(role, [predicate, *before])) for predicate in predicates]
    what = [disjunction(predicates)]
    if inner_not:
        what = [{"op": "not", "clause": what[0]}]
    level, where = _where(role, [*what, *details])
    return _quantified(cursor, level, role, what, where)


_ELLIPSES = frozenset(("as", "as a", "as the", "neither", "nor", "in"))


def _speaks_of_a_structure(cursor: Cursor) -> bool:
    """Says whether the clause just read is of a compound: "water, but not as the solvent"."""
    last = cursor.found[-1] if cursor.found else None
    return last is not None and any("smiles" in str(p.get("path")) for p in last.predicates)


def _role_alone(
    cursor: Cursor, role: str, said: str, details: list[Predicate], start: int
) -> list[Clause] | None:
    if cursor.every and role == "ANY" and cursor.at("is") and cursor.at("role", _next(cursor)):
        other = cursor.value("role", _next(cursor))
        cursor.index += _next(cursor) + 1
        cursor.every = ""
        return [Clause(COMPONENTS, _where(other, [])[1], every=True)]
    if cursor.every:
        if role not in _PRODUCT_ROLES:
            cursor.index = start
            return None
        cursor.every = ""
        return [Clause(PRODUCTS, details, every=True, scope=_where(role, [])[1])]
    nearby = {item.text.lower() for item in cursor.items[max(0, start - 2) : cursor.index]}
    if cursor.negated and nearby & _ELLIPSES and _speaks_of_a_structure(cursor):
        raise refuse(f"which compound is not the {said} is not understood")
    if cursor.negated and role == "PRODUCT" and not details:
        return []  # "no product has a yield over 50%": what is denied comes next
    if role.endswith("*"):
        raise refuse(f"the schema does not record which component is the {said}")
    if role == "ANY" and not details:
        cursor.index = start
        return None
    return [Clause(*_where(role, details))]


def conversion(cursor: Cursor) -> list[Clause] | None:
    """Reads "turning an aryl bromide into a biaryl" as what goes in and what comes out."""
    start = cursor.index
    if not (cursor.at("convert") or (cursor.text() == "conversion" and cursor.at("of", 1))):
        return None
    cursor.index += 1
    cursor.skip("of")
    inward = several(cursor)
    cursor.skip("with", "as")
    if inward is None or not cursor.at("to"):
        cursor.index = start
        return None
    cursor.index += 1
    outward = several(cursor)
    if outward is None or inward[1] == "or" or outward[1] == "or":
        cursor.index = start
        return None
    both = [*inward[0], *outward[0]]
    if all("smarts" in p for p in both):
        sides = [".".join(p["smarts"] for p in side[0]) for side in (inward, outward)]
        return [Clause("", [{"op": "reaction_smarts", "smarts": ">>".join(sides)}])]
    found = [Clause(*_where("REACTANT", [predicate])) for predicate in inward[0]]
    return found + [Clause(*_where("PRODUCT", [predicate])) for predicate in outward[0]]
