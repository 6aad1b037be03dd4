"""Structures in a question, and how each is to be compared with what was recorded."""

from __future__ import annotations

from dataclasses import dataclass

from creel_inspect.providers.baseline.clauses import Cursor, Predicate, reads_as_enum, refuse
from creel_inspect.providers.baseline.quantities import Bound

CORES = ("compound", "pattern", "metal", "placeholder")
# Metals a chemist also weighs in as such; the others are named for their complexes.
_BARE_METALS = ("zinc", "magnesium", "iron", "tin", "manganese", "indium", "mercury")
_FORMATS_NOTE = "fits only a substructure search"


@dataclass
class _How:
    """How a structure is compared: as itself unless something is said."""

    similar: bool = False
    salt: bool = False
    anystereo: bool = False
    contains: bool = False
    threshold: Bound | None = None


def at_structure(cursor: Cursor) -> bool:
    """Says whether the item at the cursor is a compound, a group, a metal or a placeholder."""
    item = cursor.peek()
    if item is None or not any(kind in item for kind in CORES) or reads_as_enum(cursor):
        return False
    if "placeholder" in item:
        return cursor.structures.get(item["placeholder"]) != "reaction SMARTS"
    return "compound" in item or not set(item.means) & {"bool", "role"}


def opens(cursor: Cursor) -> bool:
    """Says whether a structure begins at the cursor, words like "similar to" before it included."""
    start = cursor.index
    _before(cursor)
    found = at_structure(cursor)
    cursor.index = start
    return found


def _before(cursor: Cursor) -> _How:
    """Reads what stands before a structure and says how it is compared."""
    how = _How()
    while True:
        cursor.skip()
        if at_structure(cursor):
            return how
        if cursor.at("threshold") and cursor.at("bound", 1):
            how.similar, how.threshold = True, cursor.value("bound", 1)
            cursor.index += 2
            cursor.skip("of")
            cursor.index += cursor.text() in ("to", "with")
            continue
        kind = next((k for k in ("similar", "anystereo", "salt") if cursor.at(k)), None)
        if kind is None and not cursor.at("substructure"):
            return how
        setattr(how, kind or "contains", True)
        cursor.index += 1
        if kind != "similar":
            cursor.skip("of")


def _after(cursor: Cursor, how: _How) -> None:
    """Reads what follows a structure and says how it is compared."""
    while True:
        start = cursor.index
        while (item := cursor.peek()) is not None and (
            "comma" in item or set(item.means) <= {"filler", "with", "in", "as", "is"} != set()
        ):
            if not item.means:
                break
            cursor.index += 1
        kind = next((k for k in ("salt", "anystereo") if cursor.at(k)), None)
        if kind is not None:
            setattr(how, kind, True)
            cursor.index += 1
        elif cursor.at("substructure") and not cursor.at("with"):
            how.contains = True
            cursor.index += 1
        elif cursor.text(-1) == "containing" and cursor.at("role"):
            how.contains = True  # "pyridine-containing compounds"
            return
        elif not (how.similar and how.threshold is None and _threshold(cursor, how)):
            cursor.index = start
            return


def _threshold(cursor: Cursor, how: _How) -> bool:
    start = cursor.index
    cursor.skip("threshold", "of", "is", "by", "similar")
    bound = cursor.value("bound") if cursor.at("bound") else None
    if bound is None or bound.dimension not in (None, "percent"):
        cursor.index = start
        return False
    how.threshold = bound
    cursor.index += 1
    cursor.skip("threshold")
    return True


def _similarity(name: str, bound: Bound | None) -> Predicate:
    if bound is None:
        raise refuse("it asks for similar structures without a similarity threshold")
    comparisons = [pair for alternative in bound.alternatives for pair in alternative]
    op, value = comparisons[0]
    usable = len(comparisons) == 1 and op in ("ge", "gt", "eq") and 0 < value <= 1
    if bound.dimension is not None or not usable:
        raise refuse("a similarity is a Tanimoto coefficient between 0 and 1, from below only")
    return {"op": "similarity", "path": "smiles", "compound": name, "threshold": value}


def _compare(name: str, how: _How) -> Predicate:
    if how.similar:
        return _similarity(name, how.threshold)
    named: Predicate = {"path": "smiles", "compound": name}
    if how.anystereo:
        return {"op": "substructure", **named, "chirality": False}
    if how.contains:
        return {"op": "substructure", **named}
    return {"op": "same_parent" if how.salt else "same_compound", **named}


def _placeholder(cursor: Cursor, name: str, how: _How) -> Predicate:
    label = cursor.structures.get(name)
    if label is None:
        raise refuse(f"{name} has no structure beside the question")
    how.contains = how.contains or "contain" in cursor.text(-2)
    _after(cursor, how)
    if label == "compound SMILES":
        return _compare(name, how)
    if how.similar or how.salt:
        raise refuse(f"{name} is a compound SMARTS, which {_FORMATS_NOTE}")
    found: Predicate = {"op": "substructure", "path": "smiles", "compound": name}
    return {**found, "chirality": False} if how.anystereo else found


def _pattern(smarts: str) -> Predicate:
    return {"op": "substructure", "path": "smiles", "smarts": smarts}


def structure(cursor: Cursor) -> Predicate | None:
    """Reads one structure; returns its predicate on an element, or None if there is none here.

    Raises:
        CannotAnswer: If a placeholder's format does not allow what is asked of it, or a
            similarity has no usable threshold.
    """
    start = cursor.index
    how = _before(cursor)
    if not at_structure(cursor):
        cursor.index = start
        return None
    item = cursor.items[cursor.index]
    cursor.index += 1
    if "placeholder" in item:
        return _placeholder(cursor, item["placeholder"], how)
    if "metal" in item and not how.similar:
        catalyst = cursor.at("catalyzed") or (
            cursor.at("role") and cursor.value("role")[:3] == "CAT"
        )
        if item.text.lower() not in _BARE_METALS or "compound" not in item or catalyst:
            return _pattern(f"[{item['metal']}]")
    _after(cursor, how)
    if "compound" in item:
        return _compare(item["compound"], how)
    if how.similar or how.salt:
        raise refuse(f"{item.text!r} is a pattern, which has no salts and no similarity")
    return _pattern(item["pattern"])


def several(cursor: Cursor) -> tuple[list[Predicate], str] | None:
    """Reads structures joined by "or" or "and"; returns their predicates and the joiner."""
    first = structure(cursor)
    if first is None:
        return None
    found, joiner = [first], ""
    while True:
        start, said = cursor.index, ""
        while cursor.text() == "," or cursor.at("or") or cursor.at("and"):
            either = cursor.at("or") and cursor.text() != "/"  # "dioxane/water" is a mixture
            said = "or" if either else said or "," if cursor.text() == "," else "and"
            cursor.index += 1
        another = structure(cursor) if said else None
        if another is None or (joiner and said not in (joiner, ",")):
            cursor.index = start
            return found, joiner or "and"
        joiner = said if said != "," else joiner
        found.append(another)
