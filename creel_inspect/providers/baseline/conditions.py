"""Conditions on numbers, booleans and enums."""

from __future__ import annotations

from creel_inspect.providers.baseline import enums, fields
from creel_inspect.providers.baseline.clauses import (
    COMPONENTS,
    INPUTS,
    MEASUREMENTS,
    WORKUPS,
    Clause,
    Cursor,
    Predicate,
    bounded,
    reads_as_enum,
)
from creel_inspect.providers.baseline.recorded import absence, fits, stands_recorded, to_bound
from creel_inspect.providers.baseline.schema import column, disjunction
from creel_inspect.providers.baseline.units import compare

DEFAULTS = {dimension: path for path, (dimension, _) in reversed(fields.NUMBERS.items())}
"""What a quantity without a named column is taken to be, by dimension."""


def _on(cursor: Cursor, path: str, predicate: Predicate) -> list[Clause]:
    """Returns a clause for a column's predicate, or adds it to the element being described."""
    where = column(path)
    if cursor.frame is not None and cursor.frame.level == where.level and where.level:
        cursor.frame.predicates.append(predicate)
        return []
    last = cursor.last(where.level)
    if where.level == COMPONENTS and last is not None:
        last.predicates.append(predicate)
        return []
    return [Clause(where.level, [predicate])]


def number(cursor: Cursor) -> list[Clause] | None:
    """Reads a named number with its bound, either way round, or its absence."""
    start = cursor.index
    if cursor.at("bound"):
        bound, offset = cursor.value("bound"), 1
        while cursor.at("of", offset) or cursor.at("in", offset):
            offset += 1
        if not cursor.at("number_field", offset) or cursor.at("bound", offset + 1):
            return None
        path, dimension = cursor.value("number_field", offset)
        if bound.dimension not in (dimension, None):
            return None
        fits(bound, dimension, cursor.text(offset))
        cursor.index += offset + 1
        return _on(cursor, path, bounded(column(path).leaf, bound))
    if not cursor.at("number_field"):
        return None
    path, dimension = cursor.value("number_field")
    said = cursor.text()
    cursor.index += 1
    path = _narrowed(cursor, path, dimension)
    missing = stands_recorded(cursor)
    if missing is not None and not cursor.at("bound"):
        return [absence(path, missing)]
    negated = to_bound(cursor)
    if not cursor.at("bound"):
        cursor.index = start + 1
        if cursor.negated:
            cursor.negated = False
            return [absence(path, True)]
        if cursor.text(-3) in ("with", "has", "have", "had") and cursor.text(-2) in ("a", "an"):
            return [absence(path, False)]
        cursor.index = start
        return None
    bound = cursor.value("bound")
    fits(bound, dimension, said)
    cursor.index += 1
    return _on(cursor, path, bounded(column(path).leaf, bound.negated() if negated else bound))


def _narrowed(cursor: Cursor, path: str, dimension: str) -> str:
    """Returns the column meant when a plain name stands in a workup, an addition or a vessel."""
    frame = cursor.frame.level if cursor.frame is not None else ""
    if path == DEFAULTS["time"] and frame == WORKUPS:
        return "workups.duration_seconds"
    if path == DEFAULTS["time"] and frame == INPUTS:
        return "inputs.addition_duration_seconds"
    if path == DEFAULTS["temperature"] and frame == WORKUPS:
        return "workups.temperature.setpoint_kelvin"
    if path == DEFAULTS["temperature"] and frame == INPUTS:
        return "inputs.addition_temperature_kelvin"
    del dimension
    return path


def bare_quantity(cursor: Cursor) -> list[Clause] | None:
    """Reads a quantity whose unit alone says what it is of: "above 80 °C", "for 2 h"."""
    if not cursor.at("bound"):
        return None
    bound = cursor.value("bound")
    path = DEFAULTS.get(bound.dimension or "")
    if bound.dimension in (None, "percent", "number", "mass", "moles", "length") or path is None:
        return None
    if bound.dimension == "volume":
        vessel = any(
            cursor.at("level", o) and cursor.value("level", o) == "setup.vessel" for o in (-1, 1)
        )
        near = [cursor.peek(o) for o in (-3, -2, -1, 1)]
        vessel = vessel or any(
            i is not None
            and any(p.startswith("setup.vessel.type") for p, _ in i.means.get("enum", ()))
            for i in near
        )
        if not vessel:
            return None
        path = "setup.vessel.volume_liters"
    path = _narrowed(cursor, path, bound.dimension or "")
    cursor.index += 1
    return _on(cursor, path, bounded(column(path).leaf, bound))


def boolean(cursor: Cursor) -> list[Clause] | None:
    """Reads a yes-or-no column."""
    if not cursor.at("bool"):
        return None
    path, truth = cursor.value("bool")
    if path.endswith("is_desired_product"):
        return None  # opens a product, as the noun alone would
    where = column(path)
    if path.endswith("is_limiting") and cursor.last(COMPONENTS) is None:
        return None  # "the limiting reagent is aniline" opens a component
    cursor.index += 1
    predicate = compare("eq", where.leaf, truth)
    if where.level == MEASUREMENTS:
        for clause in reversed(cursor.found[-3:]):
            if clause.level == MEASUREMENTS and not clause.negated and not cursor.negated:
                clause.predicates.append(predicate)
                return []
    last = cursor.last(where.level)
    if last is not None and where.level == COMPONENTS and not cursor.negated:
        last.predicates.append(predicate)
        return []
    return [Clause(where.level, [predicate])]


def _neighbours(cursor: Cursor, reach: int = 4) -> set[str]:
    said: set[str] = set()
    for offset in range(-reach, reach + 1):
        if offset:
            said.update(cursor.text(offset).replace("-", " ").split())
    return said


def _choose(cursor: Cursor) -> tuple[str, list[str]] | None:
    """Returns the column an enum word belongs to here, and its members; None if to none."""
    item = cursor.peek()
    assert item is not None
    near, everywhere = (
        _neighbours(cursor),
        {w for i in cursor.items for w in i.text.lower().split()},
    )
    frame = cursor.frame.level if cursor.frame is not None else None
    said = item.text.lower()
    best: tuple[float, str, list[str]] | None = None
    for order, path in enumerate(enums.ENUMS):
        members = [member for where, member in item["enum"] if where == path]
        if not members:
            continue
        context = set(enums.ENUMS[path].split())
        hits = len(context & near) + (2 if frame and frame == column(path).level else 0)
        acronym = item.text.isupper() and len(item.text) > 1
        shy = said.removesuffix("s") in enums.SHY or said in enums.SHY
        if shy and not hits and not acronym:
            continue
        score = 2 * hits + 0.5 * len(context & everywhere) - 0.01 * order
        if best is None or score > best[0]:
            best = (score, path, members)
    return None if best is None else best[1:]


def _alternatives(cursor: Cursor, path: str) -> list[str]:
    """Reads ", a well plate or a tube" after one value of a column: the others."""
    start, found, either = cursor.index, [], False
    end = start
    while cursor.at("or") or cursor.text() == ",":
        either = either or cursor.at("or")
        while cursor.at("or") or cursor.text() == ",":
            either = either or cursor.at("or")
            cursor.index += 1
        cursor.skip("under", "in", "by")
        more = cursor.value("enum") if cursor.at("enum") else []
        members = [member for where, member in more if where == path]
        if not members:
            break
        found += members
        cursor.index += 1
        end = cursor.index
    cursor.index = end if either else start
    return found if either else []


def enum(cursor: Cursor) -> list[Clause] | None:
    """Reads values of an enum column, alternatives included."""
    if not cursor.at("enum"):
        return None
    choice = _choose(cursor)
    if choice is None:
        return None
    path, members = choice
    if not reads_as_enum(cursor):
        return None
    cursor.index += 1
    members = members + _alternatives(cursor, path)
    where = column(path)
    predicate = disjunction([compare("eq", where.leaf, member) for member in members])
    found = (
        _on(cursor, path, predicate) if not cursor.negated else [Clause(where.level, [predicate])]
    )
    if found and where.level in (WORKUPS, INPUTS):
        cursor.frame = found[0]
    return found
