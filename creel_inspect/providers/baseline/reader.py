"""The reading of a question's conditions, item by item, from left to right.

At each item every kind of phrase is tried in a fixed order, and the first that reads something
moves on. What no phrase reads has to be a word that carries no condition; any other word refuses
the question. That is the translator's principle: a word it does not know may be the condition that
matters, and a query without it would answer a different question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from creel_inspect.providers.baseline import (
    components,
    conditions,
    measures,
    recorded,
    texts,
)
from creel_inspect.providers.baseline.clauses import (
    COMPONENTS,
    INPUTS,
    PRODUCTS,
    WORKUPS,
    Clause,
    Cursor,
    refuse,
)
from creel_inspect.providers.baseline.scan import Item
from creel_inspect.providers.baseline.schema import conjunction
from creel_inspect.providers.baseline.structures import structure

_TRANSPARENT = frozenset(
    ("filler", "comma", "of", "is", "with", "as", "by", "in", "to", "from", "under", "reactions",
     "inside", "between", "produce")
)  # fmt: skip
_WITH_COMPOUND = ("EXTRACTION", "WASH", "ADDITION", "DRY_WITH_MATERIAL", "DISSOLUTION",
                  "SCAVENGING", "PH_ADJUST", "FILTRATION")  # fmt: skip


def _transformation(cursor: Cursor) -> list[Clause] | None:
    while cursor.at("substructure") and cursor.at("placeholder", 1):
        if cursor.structures.get(cursor.value("placeholder", 1)) != "reaction SMARTS":
            return None
        cursor.index += 1
    if cursor.at("placeholder"):
        name = cursor.value("placeholder")
        if cursor.structures.get(name) != "reaction SMARTS":
            return None
        smarts = {"op": "reaction_smarts", "smarts": name}
        if cursor.at("as", 1) or cursor.at("role", 1):
            raise refuse(f"{name} is a reaction SMARTS, which says nothing about one compound")
    elif cursor.at("transformation"):
        smarts = {"op": "reaction_smarts", "smarts": cursor.value("transformation")}
    else:
        return None
    cursor.index += 1
    if cursor.at("anystereo") or (cursor.at("comma") and cursor.at("anystereo", 1)):
        cursor.index += 1 if cursor.at("anystereo") else 2
        smarts = {**smarts, "chirality": False}
    return [Clause("", [smarts])]


def _workup_compound(cursor: Cursor) -> list[Clause] | None:
    """Reads "with ethyl acetate" after a workup that takes a compound."""
    frame = cursor.frame
    said = cursor.text(-1).endswith((" over", " with"))
    if (
        frame is None
        or frame.level != WORKUPS
        or not (cursor.at("with") or cursor.at("by") or said)
    ):
        return None
    kinds = [p.get("value", {}).get("literal") for p in frame.predicates]
    if not any(kind in _WITH_COMPOUND for kind in kinds):
        return None
    start = cursor.index
    cursor.index += 0 if said else 1
    found = structure(cursor)
    if found is None:
        cursor.index = start
        return None
    where = {"op": "exists", "path": "input.components", "where": found}
    frame.predicates.append(where)
    return []


def _addition(cursor: Cursor) -> list[Clause] | None:
    """Reads "added" as opening the description of an input; what was added belongs to it."""
    if not (cursor.at("level") and cursor.value("level") == INPUTS):
        return None
    described = any(
        cursor.at("bound", o)
        or any(path.startswith("inputs.addition") for path, _ in _enum(cursor, o))
        for o in (1, 2, 3, -1)
    )
    if not described or cursor.at("when", 1):
        return None
    cursor.index += 1
    last = cursor.last(COMPONENTS)
    if last is not None:
        where = conjunction(last.predicates)
        last.level = INPUTS
        last.predicates = [{"op": "exists", "path": "components", "where": where}]
        cursor.frame = last
        return []
    if cursor.frame is not None and cursor.frame.level == INPUTS:
        return []
    cursor.frame = Clause(INPUTS)
    return [cursor.frame]


def _enum(cursor: Cursor, offset: int) -> list[tuple[str, str]]:
    return list(cursor.value("enum", offset)) if cursor.at("enum", offset) else []


def _over_duration(cursor: Cursor) -> list[Clause] | None:
    """Reads "added over 30 min": there "over" is how long, not more than."""
    if cursor.frame is None or cursor.frame.level != INPUTS or not cursor.at("bound"):
        return None
    bound = cursor.value("bound")
    if bound.dimension == "time" and cursor.text().startswith("over "):
        ((_, value),) = bound.alternatives[0]
        item = cursor.items[cursor.index]
        equal = type(bound)(bound.dimension, [[("eq", value)]])
        cursor.items[cursor.index] = Item(item.text, item.start, item.end, {"bound": equal})
    return None


def _level(cursor: Cursor) -> list[Clause] | None:
    """Reads a level named by itself: presence where it says so, else only a setting."""
    if not cursor.at("level"):
        return None
    level = cursor.value("level")
    if level == WORKUPS and not cursor.negated:
        ahead = [cursor.items[k] for k in range(cursor.index + 1, len(cursor.items))][:6]
        detailed = any("bound" in i or "enum" in i or "bool" in i for i in ahead)
        if detailed and (cursor.frame is None or cursor.frame.level != WORKUPS):
            cursor.frame = Clause(WORKUPS)
            cursor.index += 1
            return [cursor.frame]
    if any(
        clause.level == level or clause.level.startswith(level + ".") for clause in cursor.found
    ):
        cursor.index += 1
        return []
    ahead_enum = any(
        path.startswith(level) for o in (1, 2, 3, 4, 5) for path, _ in _enum(cursor, o)
    )
    if ahead_enum and not cursor.negated:
        cursor.index += 1
        return []
    if level == "setup.vessel" and not cursor.negated:
        near = [cursor.peek(o) for o in (-2, -1, 1, 2)]
        setting = any(clause.predicates and "setup.vessel" in str(clause.predicates)
                      for clause in cursor.found[-2:])  # fmt: skip
        if setting or any(i is not None and ("bound" in i or "enum" in i) for i in near):
            cursor.index += 1
            return []
    thing = recorded.level(cursor, missing=False)
    return None if thing is None else [thing]


def _mode(cursor: Cursor) -> list[Clause] | None:
    """Reads "electrochemical" and "in flow": the section is there, unless a detail says so."""
    if not cursor.at("mode"):
        return None
    path = cursor.value("mode")
    section = path.rsplit(".", 1)[0]
    cursor.index += 1
    for item in cursor.items:
        paths = [path for path, _ in item.means.get("enum", ())]
        paths += [item.means.get("text", ""), item.means.get("number_field", ("",))[0]]
        if any(each.startswith(section) for each in paths):
            return []
    return [Clause("", [{"op": "not_null", "path": path}])]


_READERS: tuple[Callable[[Cursor], list[Clause] | None], ...] = (
    texts.date,
    _workup_compound,
    _over_duration,
    _addition,
    measures.presence,
    _transformation,
    components.conversion,
    texts.text,
    texts.identifier,
    measures.measurement,
    conditions.number,
    conditions.boolean,
    components.read,
    conditions.enum,
    _mode,
    conditions.bare_quantity,
    _level,
)


def read(items: list[Item], structures: Mapping[str, str], question: str) -> list[Clause]:
    """Reads items as conditions.

    Args:
        items: What is left of the question once its intent has been taken out.
        structures: Placeholder names mapped to their format labels.
        question: The question as asked.

    Raises:
        CannotAnswer: At the first word that is not understood, or a condition that cannot be.
    """
    cursor = Cursor(list(items), structures, question)
    either, denied, linked = False, False, False
    while cursor.index < len(cursor.items):
        item = cursor.items[cursor.index]
        if "date_field" in item:
            cursor.dated = item["date_field"]
        found = _next(cursor)
        if found is None:
            either = _connect(cursor, item, either)
            linked = linked or item.text.lower() in ("and", "&")
            denied = denied or item.text.lower() == "neither"
            continue
        for clause in found:
            denied = _join(cursor, clause, either, denied)
            clause.linked = linked
            cursor.found.append(clause)
        if found:
            either, linked, cursor.negated = False, False, False
            if found[-1].level == PRODUCTS and not found[-1].negated:
                cursor.frame = found[-1]
    if cursor.negated or cursor.every:
        raise refuse("it negates or generalises something that is not understood")
    return cursor.found


def _connect(cursor: Cursor, item: Item, either: bool) -> bool:
    """Reads "and", "or", "not" and "every", or passes a word; says whether "or" is waiting."""
    if "or" in item or "and" in item:
        either = "or" in item
        cursor.frame = cursor.frame if either else None
    elif "not" in item:
        cursor.negated = not cursor.negated
    elif "all" in item:
        cursor.every = "" if cursor.at("reactions", 1) else item.text.lower()
    else:
        _pass(cursor, item)
    cursor.index += 1
    return either


def _next(cursor: Cursor) -> list[Clause] | None:
    for reader in _READERS:
        found = reader(cursor)
        if found is not None:
            return found
    return None


def _join(cursor: Cursor, clause: Clause, either: bool, denied: bool) -> bool:
    """Sets how a clause joins the one before and whether it is negated; says if that lasts."""
    previous = cursor.found[-1] if cursor.found else None
    if cursor.negated:
        clause.negated = not clause.negated
        if previous is not None and either and not previous.negated:
            clause.joiner = "or"
        return True
    # "without heating or stirring", "neither exothermic nor automated"
    if either and denied and previous is not None and previous.negated and not clause.negated:
        clause.negated = True
        return True
    clause.joiner = "or" if either and previous is not None else "and"
    return False


_HEAVY = frozenset(
    ("bool", "measure", "number_field", "compound", "pattern", "when", "quote", "enum")
)


def _pass(cursor: Cursor, item: Item) -> None:
    """Accepts an item that carries no condition, or refuses the question for it."""
    means = set(item.means)
    if item.text in (",", ";") and cursor.at("and", 1):
        cursor.frame = None
    heavy = means & (_HEAVY - {"enum"} if "filler" in means else _HEAVY)
    others = [other for other in cursor.items if other is not item]
    light = (
        (means & _TRANSPARENT and not heavy)
        or ("date_field" in means and any("when" in other for other in others))
        or (means <= {"role", "filler"} and item.means.get("role") in ("ANY", "PRODUCT"))
        or ("context" in means and any("enum" in other for other in others))
        or "substructure" in means
        or ("datasets" in means and cursor.at("id", 1))
    )
    if light:
        return
    if not means:
        raise refuse(f"the word {item.text!r} is not understood")
    raise refuse(f"{item.text!r} is not understood where it stands")
