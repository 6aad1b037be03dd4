"""Mistakes about values and columns: boundaries, units, dates, enumerations, text, siblings."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pyarrow as pa

from creel_inspect.search.mutants.columns import Column, column, join, relative
from creel_inspect.search.mutants.confusions import ELSEWHERE, ROLES, SIBLINGS, UNITS, VALUES
from creel_inspect.search.mutants.formula import NEGATED
from creel_inspect.search.mutants.sites import (
    Edit,
    Node,
    Site,
    both,
    compare,
    literal,
    some,
    spell,
)

_INCLUSIVE = {"lt": "le", "le": "lt", "gt": "ge", "ge": "gt"}
_FLIPPED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}
_MATCHES = {
    "eq": ("contains", "starts_with"),
    "contains": ("eq", "starts_with", "ends_with"),
    "starts_with": ("contains", "eq"),
    "ends_with": ("contains", "eq"),
}


def boundaries(site: Site) -> Iterator[Edit]:
    """Moves a boundary: included for excluded, below for above, one bound for two."""
    node = site.node
    if node["op"] in _INCLUSIVE:
        for operator, table in (
            ("move-boundary", _INCLUSIVE),
            ("flip-direction", _FLIPPED),
            ("flip-direction", NEGATED),
        ):
            moved = {**node, "op": table[node["op"]]}
            yield site.edit(operator, moved, f"asks `{spell(moved)}` for `{spell(node)}`")
        told = {**node, "op": "eq"}
        yield site.edit("move-boundary", told, f"asks for the boundary itself, `{spell(told)}`")
    elif node["op"] == "eq" and _comparison(site) is not None:
        at = column(join(site.prefix, node["path"]))
        if at is not None and (at.is_number or pa.types.is_date(at.type)):
            moved = {**node, "op": "ge"}
            yield site.edit("move-boundary", moved, f"asks `{spell(moved)}` for an equality")
    if node["op"] == "eq":
        turned = {**node, "op": "ne"}
        yield site.edit("invert-equality", turned, f"asks `{spell(turned)}`")
    elif node["op"] == "ne":
        turned = {**node, "op": "eq"}
        yield site.edit("invert-equality", turned, f"asks `{spell(turned)}`")
    if node["op"] == "and":
        yield from _whole_range(site, node)


def units(site: Site) -> Iterator[Edit]:
    """Leaves a number in the question's unit, not the column's."""
    found = _comparison(site)
    if found is None or not found[0].is_number:
        return
    node, value = site.node, found[1]
    path = join(site.prefix, node["path"])
    for suffix, conversions in UNITS.items():
        if not path.endswith(suffix):
            continue
        for unit, factor, offset in conversions:
            wrong = _converted(value, factor, offset)
            if wrong == value or (offset == "-0.15" and Fraction(str(value)) % 1 == 0):
                continue  # whole kelvins were not made from degrees Celsius
            yield site.edit(
                "wrong-unit",
                compare(node["op"], node["path"], wrong),
                f"compares with {literal(wrong)} ({unit}) instead of {literal(value)}",
            )
        return


def dates(site: Site) -> Iterator[Edit]:
    """Misses the edge of a period by a day, a month or a year."""
    found = _comparison(site)
    if found is None or not pa.types.is_date(found[0].type):
        return
    node, value = site.node, found[1]
    for moved in _shifted(str(value)):
        yield site.edit(
            "shift-date", compare(node["op"], node["path"], moved), f"puts {moved} for {value}"
        )


def enumerations(site: Site) -> Iterator[Edit]:
    """Takes one member of an enumeration for another, or searches its free text instead."""
    found = _comparison(site)
    if found is None or not found[0].is_enum or site.node["op"] not in ("eq", "ne"):
        return
    node, (at, value) = site.node, found
    role = node["path"].split(".")[-1] == "reaction_role"
    wrong = ROLES.get(value, ()) if role else _neighbours(at, value)
    for other in wrong:
        yield site.edit(
            "wrong-role" if role else "sibling-value",
            compare(node["op"], node["path"], other),
            f"takes {other} for {value}",
        )
    stem, _, last = node["path"].rpartition(".")
    details, word = join(stem, "details"), _spoken(value)
    if last == "type" and node["op"] == "eq" and word and column(join(site.prefix, details)):
        told = compare("contains", details, word)
        yield site.edit("sibling-column", told, f"searches the free text: `{spell(told)}`")
    if role and value == "WORKUP":
        told = some("workups", {"op": "not_null", "path": "type"})
        if not site.prefix:
            yield site.edit("wrong-level", told, "takes a workup's input for a workup step")


def texts(site: Site) -> Iterator[Edit]:
    """Compares text by another operator, or in another case."""
    found = _comparison(site)
    if found is None or not found[0].is_text or site.node["op"] not in _MATCHES:
        return
    # Nobody writes part of a machine's identifier.
    if site.node["path"].split(".")[-1] in ("dataset_id", "reaction_id", "sha"):
        return
    node, value = site.node, found[1]
    for op in _MATCHES[node["op"]]:
        told = {**node, "op": op}
        yield site.edit("text-match", told, f"asks `{spell(told)}` for `{spell(node)}`")
    if node["path"].split(".")[-1] != "smiles":
        for wrong in (value.lower(), value.upper()):
            if wrong != value:
                told = compare(node["op"], node["path"], wrong)
                yield site.edit("text-match", told, f"writes {wrong!r}, and case counts")


def siblings(site: Site) -> Iterator[Edit]:
    """Reads a column that stands beside the right one, or elsewhere under a like name."""
    word = None if site.prefix else _word(site.node)
    if word is not None:
        told = compare("contains", "notes.procedure_details", word)
        yield site.edit("sibling-column", told, f"looks for {word!r} in the procedure's text")
    if site.node["op"] == "and":
        yield from _moved_range(site)
        return
    if _is_half_of_a_range(site):
        return
    for path, told, wrapped in _readings(site):
        shown = "" if not wrapped else " of some element"
        yield site.edit("sibling-column", told, f"reads `{path}`{shown}: `{spell(told)}`")


def alternatives(path: str) -> Iterator[str]:
    """Yields the columns taken for the one at an absolute path, as absolute paths."""
    for end, others in SIBLINGS.items():
        if path == end or path.endswith(f".{end}"):
            yield from (path[: len(path) - len(end)] + other for other in others)
    yield from ELSEWHERE.get(path, ())


def _comparison(site: Site) -> tuple[Column, Any] | None:
    """Returns the column and the literal of a comparison; None of any other predicate."""
    node = site.node
    at = column(join(site.prefix, node["path"])) if "value" in node else None
    return None if at is None else (at, node["value"]["literal"])


def _readings(site: Site) -> Iterator[tuple[str, Node, bool]]:
    node, prefix = site.node, site.prefix
    leaf, levels = node, ""
    while leaf["op"] == "exists":
        levels = join(levels, leaf["path"])
        leaf = leaf["where"]
    extra = leaf["clauses"] if leaf["op"] == "and" else [leaf]
    # A quantifier is moved as a whole where one numeric condition is all it asks, apart from
    # the kind of measurement: that is how a yield is taken for a conversion.
    numeric = [part for part in extra if "value" in part and part["op"] != "eq"]
    if levels and len(numeric) == 1 and all("value" in part for part in extra):
        leaf = numeric[0]
    elif levels and len(extra) > 1:
        return
    if "path" not in leaf or not ("value" in leaf or leaf["op"] in ("is_null", "not_null")):
        return
    here = join(prefix, levels)
    for target in alternatives(join(here, leaf["path"])):
        at, inside = column(target), relative(prefix, target)
        # Columns of the same element are read at the condition's own site.
        if at is None or inside is None or (levels and at.level == here):
            continue
        # A value that the other column's vocabulary lacks nobody would ask it for.
        known = at.vocabulary or ()
        if "value" in leaf and at.is_enum and leaf["value"]["literal"] not in known:
            continue
        level = relative(prefix, at.level) if at.level else ""
        if not level:
            told = {**leaf, "path": inside}
        else:
            told = {**leaf, "path": target[len(at.level) + 1 :]}
            if target.endswith("measurements.percentage.value"):
                told = both(compare("eq", "type", "YIELD"), told)
            told = some(level, told)
        yield target, told, bool(level)


def _bounded(clauses: list[Node]) -> list[Node]:
    """Returns the clauses that bound one column from two sides; none where there are none."""
    bounds = [clause for clause in clauses if clause["op"] in _INCLUSIVE]
    same = len(bounds) == 2 and bounds[0]["path"] == bounds[1]["path"]
    return bounds if same else []


def _is_half_of_a_range(site: Site) -> bool:
    """Whether a condition is one bound of two: who misreads the column misreads both."""
    if len(site.pointer) < 2 or site.pointer[-2] != "clauses":
        return False
    around: Any = site.query
    for key in site.pointer[:-1]:
        around = around[key]
    return site.node in _bounded(around)


def _moved_range(site: Site) -> Iterator[Edit]:
    """Yields two bounds on one column as bounds on another one."""
    bounds = _bounded(site.node["clauses"])
    if not bounds:
        return
    rest = [clause for clause in site.node["clauses"] if clause not in bounds]
    for target in alternatives(join(site.prefix, bounds[0]["path"])):
        at, inside = column(target), relative(site.prefix, target)
        if at is None or inside is None:
            continue
        level = relative(site.prefix, at.level) if at.level else ""
        if level:
            end = target[len(at.level) + 1 :]
            told = some(level, both(*({**bound, "path": end} for bound in bounds)))
        else:
            told = both(*({**bound, "path": inside} for bound in bounds))
        yield site.edit("sibling-column", both(told, *rest), f"reads `{target}`: `{spell(told)}`")


def _word(node: Node) -> str | None:
    """Returns the word a person would look for in a procedure instead of asking a column."""
    levels = ""
    while node["op"] == "exists":
        levels, node = join(levels, node["path"]), node["where"]
    if node["op"] != "eq":
        return None
    at, value = column(join(levels, node["path"])), node["value"]["literal"]
    if at is None or at.vocabulary is None or value is False:
        return None
    return _spoken(node["path"].split(".")[-1].removeprefix("is_") if value is True else value)


def _spoken(name: str) -> str | None:
    """Returns a name as it would stand in prose; None if it would not."""
    words = name.replace("_", " ").lower()
    return words if name not in ("NONE", "UNSPECIFIED") and not re.search(r"\d", name) else None


def _whole_range(site: Site, node: Node) -> Iterator[Edit]:
    """Yields a period in days as its first day, and as the period a year off."""
    bounds = [
        (index, clause)
        for index, clause in enumerate(node["clauses"])
        if clause["op"] in _INCLUSIVE and isinstance(clause["value"]["literal"], str)
    ]
    if len(bounds) != 2 or bounds[0][1]["path"] != bounds[1][1]["path"]:
        return
    rest = [clause for clause in node["clauses"] if clause["op"] not in _INCLUSIVE]
    for _, clause in bounds:
        if clause["op"] in ("gt", "ge"):
            told = {**clause, "op": "eq"}
            yield site.edit("shift-date", both(told, *rest), "asks for the first day alone")
    for years in (-1, 1):
        moved = [*node["clauses"]]
        for index, clause in bounds:
            day = _years(clause["value"]["literal"], years)
            if day is None:
                return
            moved[index] = compare(clause["op"], clause["path"], day)
        yield site.edit("shift-date", {**node, "clauses": moved}, "is a year off")


def _shifted(value: str) -> Iterator[str]:
    try:
        day = dt.date.fromisoformat(value)
        near = [day - dt.timedelta(days=1), day + dt.timedelta(days=1)]
    except (ValueError, OverflowError):
        return
    yield from (moved.isoformat() for moved in near)
    if day.day == 1 and day.month > 1:
        yield day.replace(month=day.month - 1).isoformat()
    for years in (-1, 1):
        moved = _years(value, years)
        if moved is not None:
            yield moved


def _years(value: str, years: int) -> str | None:
    try:
        day = dt.date.fromisoformat(value)
        return day.replace(year=day.year + years).isoformat()
    except ValueError:
        return None


def _converted(value: int | float, factor: str, offset: str) -> int | float:
    """Returns a number in another unit, without the noise of binary arithmetic."""
    moved = Fraction(Decimal(repr(value))) * Fraction(factor) + Fraction(offset)
    if moved.denominator == 1:
        return moved.numerator
    return float(f"{float(moved):.6g}")


def _neighbours(at: Column, value: Any) -> tuple[str, ...]:
    """Returns the members of an enumeration that one is taken for."""
    members = [str(member) for member in at.vocabulary or ()]
    listed = tuple(other for other in VALUES.get(value, ()) if other in members)
    if listed or value not in members:
        return listed
    index = members.index(value)
    beside = members[max(index - 1, 0) : index] + members[index + 1 : index + 2]
    return tuple(other for other in beside if other not in ("UNSPECIFIED", "CUSTOM"))
