"""The laws of ordinary logic on formulas: `formula` says what those are and how they arise."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from creel_inspect.search.mutants.columns import join

Formula = tuple[Any, ...]
Rules = frozenset[str]

DUAL = {"and": "or", "or": "and"}
# What is true of a recorded value where the comparison is not.
_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}


def connect(op: str, parts: Iterable[Formula], rules: Rules) -> Formula:
    """Returns the conjunction or disjunction of formulas, simplified by the enabled rules."""
    given = list(parts)
    if "associativity" in rules:
        given = [clause for part in given for clause in (part[1] if part[0] == op else (part,))]
    if len(given) == 1:
        return given[0] if "single-clause" in rules else (op, tuple(given))
    kept = list(ordered(given))
    if "idempotence" in rules:
        kept = list(dict.fromkeys(kept))
    if "closed-vocabulary" in rules:
        kept = _merge_vocabularies(op, kept)
    if op == "and" and "excluded-alternative" in rules:
        kept = _without_excluded(kept, rules)
    if "implied-clause" in rules:
        kept = _without_implied(op, kept)
    return kept[0] if len(kept) == 1 else (op, tuple(kept))


def clauses(whole: Formula | None) -> tuple[Formula, ...]:
    """Returns the formulas that a formula is the conjunction of."""
    if whole is None:
        return ()
    return tuple(whole[1]) if whole[0] == "and" else (whole,)


def exists(path: str, body: Formula, rules: Rules) -> Formula:
    """Returns "some element of ``path`` satisfies ``body``"."""
    if body[0] == "or" and "exists-over-or" in rules:
        return connect("or", [exists(path, part, rules) for part in body[1]], rules)
    if body[0] == "exists" and "nested-exists" in rules:
        return exists(join(path, body[1]), body[2], rules)
    return ("exists", path, body)


def complement(found: Formula, rules: Rules) -> Formula:
    """Returns the complement of a formula made of quantifiers and whole reactions alone."""
    if found[0] == "not":
        return tuple(found[1])
    if found[0] in DUAL:
        return connect(DUAL[found[0]], [complement(part, rules) for part in found[1]], rules)
    return ("not", found)


def implies(one: Formula, other: Formula) -> bool:
    """Whether whatever satisfies ``one`` satisfies ``other``; False where it is not seen."""
    if one == other:
        return True
    if one[0] == "or":
        return all(implies(part, other) for part in one[1])
    if other[0] == "and":
        return all(implies(one, part) for part in other[1])
    if one[0] == "and" and any(implies(part, other) for part in one[1]):
        return True
    if other[0] == "or":
        return any(implies(one, part) for part in other[1])
    if one[0] == other[0] == "not":
        return implies(other[1], one[1])
    if one[0] == other[0] == "exists":
        return bool(one[1] == other[1]) and implies(one[2], other[2])
    if one[0] == other[0] == "structure":
        same = one[1:4] == other[1:4] and one[1] == "similarity"
        return same and bool(one[4] >= other[4])
    if one[0] not in ("atom", "in") or other[0] not in ("atom", "in") or one[1] != other[1]:
        return False
    if other[2] == "not_null":
        return one[0] == "in" or one[2] not in ("is_null", "not not_null")
    if one[0] == "in" or other[0] == "in":
        return one[0] == other[0] and set(one[2]) <= set(other[2])
    return _atom_implies(one[2], one[3], other[2], other[3])


def excludes(one: Formula, other: Formula) -> bool:
    """Whether nothing satisfies both of two conditions; False where it is not seen."""
    if one[0] not in ("atom", "in") or other[0] not in ("atom", "in") or one[1] != other[1]:
        return False
    recorded = ("atom", one[1], "not_null", None)
    for absent, present in ((one, other), (other, one)):
        if absent[2] == "is_null" and (present == recorded or implies(present, recorded)):
            return True
    if one[0] == other[0] == "in":
        return not set(one[2]) & set(other[2])
    if one[0] == other[0] == "atom" and other[2] in _OPPOSITE:
        return implies(one, ("atom", other[1], _OPPOSITE[other[2]], other[3]))
    return False


def ordered(parts: Iterable[Formula]) -> tuple[Formula, ...]:
    """Returns formulas in an order that depends on nothing but what they say."""
    return tuple(sorted(parts, key=repr))


def _merge_vocabularies(op: str, parts: list[Formula]) -> list[Formula]:
    """Joins the clauses on each closed column into the one set of values they leave."""
    found: dict[str, set[Any]] = {}
    others: list[Formula] = []
    for part in parts:
        if part[0] != "in":
            others.append(part)
        elif part[1] not in found:
            found[part[1]] = set(part[2])
        elif op == "and":
            found[part[1]] &= set(part[2])
        else:
            found[part[1]] |= set(part[2])
    merged = [("in", path, tuple(sorted(values))) for path, values in found.items()]
    return list(ordered([*others, *merged]))


def _without_excluded(parts: list[Formula], rules: Rules) -> list[Formula]:
    """Drops from each disjunction the alternatives that another clause rules out."""
    found = list(parts)
    for index, part in enumerate(parts):
        if part[0] != "or":
            continue
        others = [*parts[:index], *parts[index + 1 :]]
        left = [one for one in part[1] if not any(excludes(one, other) for other in others)]
        if left and len(left) < len(part[1]):
            found[index] = connect("or", left, rules | {"single-clause"})
    return list(ordered(found))


def _without_implied(op: str, parts: list[Formula]) -> list[Formula]:
    """Drops each clause that another one makes superfluous."""
    kept = list(parts)
    for part in parts:
        others = [other for other in kept if other is not part]
        superfluous = (
            any(implies(other, part) for other in others)
            if op == "and"
            else any(implies(part, other) for other in others)
        )
        if superfluous and others:
            kept = others
    return kept


def _atom_implies(op: str, value: Any, other_op: str, other: Any) -> bool:
    """Whether a condition on a column implies another one on it, both read as true."""
    if isinstance(value, bool) or isinstance(other, bool):
        return False
    if type(value) is str and type(other) is str:
        text = {
            "contains": other in value and op in ("eq", "contains", "starts_with", "ends_with"),
            "starts_with": value.startswith(other) and op in ("eq", "starts_with"),
            "ends_with": value.endswith(other) and op in ("eq", "ends_with"),
        }
        if other_op in text:
            return text[other_op]
    elif not (isinstance(value, int | float) and isinstance(other, int | float)):
        return False
    # What is left compares two numbers, two days or two texts, in the column's own order.
    within = {
        "eq": {
            "eq": value == other,
            "ne": value != other,
            "lt": value < other,
            "le": value <= other,
            "gt": value > other,
            "ge": value >= other,
        },
        "lt": {"lt": value <= other, "le": value <= other, "ne": value <= other},
        "le": {"lt": value < other, "le": value <= other, "ne": value < other},
        "gt": {"gt": value >= other, "ge": value >= other, "ne": value >= other},
        "ge": {"gt": value > other, "ge": value >= other, "ne": value > other},
    }
    return within.get(op, {}).get(other_op, False)
