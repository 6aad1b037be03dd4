"""A predicate as a classical formula over what is *known true* of a row or an element.

SQL evaluates a predicate to true, false or unknown, and everything that selects (a query's
``where``, a quantifier's body, an element filter) keeps what is true. Two questions therefore
say all there is to say about a predicate P: where is P true, and where is P false? Each answer
is an ordinary set, so ordinary two-valued logic applies to it once the translation has been
made, and the translation is where absent values are accounted for:

* true(not P) = false(P) and false(not P) = true(P);
* true(A and B) = true(A) and true(B); false(A and B) = false(A) or false(B); dually for ``or``;
* true(x < 5) holds where x is recorded and below 5, false(x < 5) where it is recorded and not
  below 5: that is true(x >= 5), and *not* the complement of true(x < 5);
* ``exists`` is true where some element makes its body true, and false everywhere else: the
  compiler folds an absent level to no elements, so a quantifier is never unknown;
* ``forall`` is compiled as "no element makes its body false";
* a structure predicate is guarded by IS NOT NULL, so it is never unknown either.

A formula is a tuple whose head names its kind:

    ("atom", path, operator, value)     true where the column is recorded and satisfies it
    ("in", path, values)                true where the column holds one of the values
    ("structure", operator, path, key, …) and ("reaction", smarts, chirality)
    ("exists", path, formula)           some element of the level satisfies the formula
    ("not", formula)                    complement; only of formulas that are never unknown
    ("and" | "or", formulas)            sorted by their text

Each rewriting belongs to a named rule and happens only where that rule is enabled; otherwise
the construct is kept under a head of its own, as an opaque function of its parts. Two
predicates with one formula therefore select the same rows by the enabled rules alone.
"""

from __future__ import annotations

import datetime as dt
import math
import operator
import struct
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Any

import pyarrow as pa
from ord_schema.artifacts import structures
from rdkit import Chem, rdBase

from creel_inspect.search.mutants.columns import Column, column, join
from creel_inspect.search.mutants.simplify import (
    DUAL,
    Formula,
    Rules,
    complement,
    connect,
    exists,
    ordered,
)

NEGATED = {
    "eq": "ne",
    "ne": "eq",
    "lt": "ge",
    "ge": "lt",
    "gt": "le",
    "le": "gt",
    "is_null": "not_null",
    "not_null": "is_null",
}
_ACCEPTS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "not_null": lambda _member, _value: True,
    "contains": operator.contains,
    "starts_with": str.startswith,
    "ends_with": str.endswith,
}
STRUCTURAL = ("substructure", "similarity", "same_compound", "same_parent")


def formula(node: dict[str, Any], prefix: str, rules: Rules, *, wanted: bool = True) -> Formula:
    """Returns where a predicate is true, or with ``wanted=False`` where it is false.

    Args:
        node: a predicate that the grammar accepts.
        prefix: absolute path of the element its paths are relative to; empty at the row.
        rules: names of the rules that may be used.
        wanted: the truth value asked about.
    """
    op = node["op"]
    if op in DUAL:
        parts = [formula(clause, prefix, rules, wanted=wanted) for clause in node["clauses"]]
        if wanted:
            return connect(op, parts, rules)
        if "de-morgan" in rules:
            return connect(DUAL[op], parts, rules)
        return (f"false-{op}", ordered(parts))
    if op == "not":
        if wanted:
            return formula(node["clause"], prefix, rules, wanted=False)
        inner = formula(node["clause"], prefix, rules)
        return inner if "double-negation" in rules else ("not-not", inner)
    if op in ("exists", "forall"):
        return _quantifier(node, prefix, rules, wanted=wanted)
    if op == "reaction_smarts":
        found = _reaction(node, rules)
        return found if wanted else complement(found, rules)
    if op in STRUCTURAL:
        found = _structure(node, rules)
        return found if wanted else ("not", found)
    return _leaf(node, column(join(prefix, node["path"])), rules, wanted=wanted)


def _quantifier(node: dict[str, Any], prefix: str, rules: Rules, *, wanted: bool) -> Formula:
    path, within = node["path"], join(prefix, node["path"])
    if node["op"] == "exists":
        found = exists(path, formula(node["where"], within, rules), rules)
        return found if wanted else complement(found, rules)
    counterexample = formula(node["where"], within, rules, wanted=False)
    if "quantifier-duality" in rules:
        found = exists(path, counterexample, rules)
        return complement(found, rules) if wanted else found
    every = ("forall", path, counterexample)
    return every if wanted else ("not", every)


# ---------------------------------------------------------------- comparisons


def _leaf(node: dict[str, Any], at: Column | None, rules: Rules, *, wanted: bool) -> Formula:
    path, op = node["path"], node["op"]
    value = node["value"]["literal"] if "value" in node else None
    if not wanted:
        op = NEGATED[op] if op in NEGATED and "negated-comparison" in rules else f"not {op}"
    if at is None:
        return ("atom", path, op, value)
    if at.is_number and isinstance(value, int | float):
        op, value = _number(op, value, at, rules)
    elif pa.types.is_date(at.type) and isinstance(value, str) and "discrete-boundary" in rules:
        op, value = _day(op, value)
    elif at.vocabulary is not None and "closed-vocabulary" in rules:
        values = _selected(op, value, at.vocabulary)
        if values is not None:
            return ("in", path, values)
    return ("atom", path, op, value)


def _selected(
    op: str, value: Any, vocabulary: Collection[bool | str]
) -> tuple[bool | str, ...] | None:
    """Returns the members a condition on a closed column accepts, or None if it asks less."""
    negative, op = op.startswith("not "), op.removeprefix("not ")
    # "not eq" is left alone: it is spelled "ne" as soon as negated comparisons are allowed.
    if op not in _ACCEPTS or (negative and op in NEGATED):
        return None
    accepts = _ACCEPTS[op]
    return tuple(sorted(member for member in vocabulary if accepts(member, value) != negative))


def _number(op: str, value: int | float, at: Column, rules: Rules) -> tuple[str, Any]:
    """Returns a numeric condition in its plainest spelling."""
    if isinstance(value, int) and abs(value) >= (2**24 if pa.types.is_float32(at.type) else 2**53):
        # The engine may round such an integer to the column's type before comparing.
        return f"rounded {op}", value
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**24:
        value = int(value)
    if op not in ("lt", "le", "gt", "ge"):
        return op, value
    if pa.types.is_integer(at.type) and "discrete-boundary" in rules:
        bounds = {
            "gt": ("ge", math.floor(value) + 1),
            "ge": ("ge", math.ceil(value)),
            "lt": ("le", math.ceil(value) - 1),
            "le": ("le", math.floor(value)),
        }
        return bounds[op]
    if at.single and isinstance(value, float) and "unstorable-boundary" in rules:
        stored = struct.unpack("f", struct.pack("f", value))[0] if abs(value) < 1e38 else value
        if stored != value:
            return {"gt": "ge", "lt": "le"}.get(op, op), value
    return op, value


def _day(op: str, value: str) -> tuple[str, str]:
    """Returns a condition on a day with an inclusive boundary."""
    step = {"gt": 1, "lt": -1}.get(op)
    if step is None:
        return op, value
    try:
        moved = dt.date.fromisoformat(value) + dt.timedelta(days=step)
    except (ValueError, OverflowError):
        return op, value
    return {"gt": "ge", "lt": "le"}[op], moved.isoformat()


# ------------------------------------------------------------------ chemistry


def _structure(node: dict[str, Any], rules: Rules) -> Formula:
    op, path = node["op"], node["path"]
    text = node.get("smarts") or node.get("smiles")
    if text is None:
        named = node.get("compound")
        return ("structure", op, path, f"compound {named}", *_extra(node, None, rules))
    key = _identity(op, text) if "same-molecule" in rules else text
    return ("structure", op, path, key, *_extra(node, text, rules))


def _extra(node: dict[str, Any], text: str | None, rules: Rules) -> tuple[Any, ...]:
    if node["op"] == "similarity":
        return (node["threshold"],)
    if node["op"] == "substructure":
        return (_chirality(node, text, rules),)
    return ()


def _chirality(node: dict[str, Any], text: str | None, rules: Rules) -> bool:
    drawn = text is None or any(mark in text for mark in "@/\\|")
    if not drawn and "chirality-without-stereo" in rules:
        return False
    return bool(node.get("chirality", True))


@lru_cache(maxsize=4096)
def _identity(op: str, text: str) -> str:
    """Returns what the engine makes of a drawn molecule: its hash, or the molecule itself."""
    if op == "substructure" or "|" in text:
        return text
    with rdBase.BlockLogs():
        molecule = Chem.MolFromSmiles(text)
        if molecule is None:
            return text
        hashed: str | None = None
        if op == "same_compound":
            hashed = structures.mol_hash(molecule)
        elif op == "same_parent":
            hashed = structures.parent_hash(molecule)
        return hashed or str(Chem.MolToSmiles(molecule))


def _reaction(node: dict[str, Any], rules: Rules) -> Formula:
    text = node["smarts"]
    chirality = _chirality(node, text, rules)
    sides = text.split(">")
    # Written out only where each side is one plain template: two on a side must match
    # different molecules, which the grammar has no other way to say, and clearing atom maps
    # or grouping parentheses would respell the template.
    plain = len(sides) == 3 and not any(mark in text for mark in ".:|")
    grouped = any(side.startswith("(") for side in sides)
    if not plain or grouped or "reaction-smarts-expands" not in rules:
        return ("reaction", text, chirality)
    found = []
    for side, path, op in (
        (sides[0], "inputs.components", "eq"),
        (sides[1], "inputs.components", "ne"),
        (sides[2], "outcomes.products", None),
    ):
        if not side:
            continue
        drawn = {"op": "substructure", "path": "smiles", "smarts": side}
        parts = [_structure({**drawn, "chirality": chirality}, rules)]
        if op is not None:
            role = {"op": op, "path": "reaction_role", "value": {"literal": "REACTANT"}}
            parts.append(_leaf(role, column(f"{path}.reaction_role"), rules, wanted=True))
        found.append(exists(path, connect("and", parts, rules | {"single-clause"}), rules))
    return connect("and", found, rules | {"single-clause"})
