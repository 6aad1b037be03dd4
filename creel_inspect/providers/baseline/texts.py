"""Conditions on text columns, identifiers and dates."""

from __future__ import annotations

from creel_inspect.providers.baseline.clauses import (
    COMPONENTS,
    Clause,
    Cursor,
    Predicate,
    dated,
    refuse,
)
from creel_inspect.providers.baseline.recorded import absence, stands_recorded
from creel_inspect.providers.baseline.schema import column, disjunction
from creel_inspect.providers.baseline.units import compare

_ELECTRODES = ("anode", "cathode", "anodes", "cathodes")
_LIGHT = ("light", "lights", "irradiation", "leds light")
_IDS = {
    "dataset": "dataset_id",
    "reaction": "reaction_id",
    "doi": "provenance.doi",
    "orcid": "provenance.experimenter.orcid",
    "email": "provenance.experimenter.email",
    "patent": "provenance.patent",
}
_DATED_BY = {
    "provenance.record_created": "provenance.record_created.time.timestamp",
    "provenance.experimenter": "provenance.experiment_start.timestamp",
    "provenance.record_modified": "provenance.record_modified.time.timestamp",
}
_PROSE = frozenset({"notes.procedure_details", "notes.safety_notes", "observations.comment",
                    "conditions.details", "workups.details"})  # fmt: skip
# Words that are also said of other things, so that naming them alone asks for nothing.
_VAGUE = frozenset({"conditions.illumination.color", "outcomes.products.isolated_color",
                    "dataset_id", "workups.keep_phase", "provenance.experimenter.name",
                    "outcomes.analyses.instrument_manufacturer", "smiles"})  # fmt: skip


def _on(cursor: Cursor, path: str, predicate: Predicate) -> list[Clause]:
    where = column(path)
    last = cursor.last(where.level)
    if where.level == COMPONENTS and last is not None:
        last.predicates.append(predicate)
        return []
    if where.level and cursor.frame is not None and cursor.frame.level == where.level:
        cursor.frame.predicates.append(predicate)
        return []
    return [Clause(where.level, [predicate])]


def _operator(cursor: Cursor, path: str) -> tuple[str, bool]:
    """Reads what stands between a text column and its value: how to compare, and whether not."""
    op, negated = "contains" if path in _PROSE else "eq", False
    while cursor.peek() is not None:
        if cursor.at("quote") or cursor.at("id"):
            break
        if cursor.at("starts"):
            op = "starts_with"
        elif cursor.at("ends"):
            op = "ends_with"
        elif cursor.at("mention") or cursor.text().startswith(("contain", "includ")):
            op = "contains"
        elif cursor.at("not"):
            negated = True
        elif cursor.at("bound") or not any(
            cursor.at(k) for k in ("is", "of", "as", "with", "filler", "in", "from", "by", "cmp")
        ):
            break
        cursor.index += 1
    return op, negated


def _value(cursor: Cursor, path: str, op: str) -> str | None:
    """Reads a text column's value: quoted, an identifier, or a proper name."""
    if cursor.at("quote"):
        cursor.index += 1
        return str(cursor.value("quote", -1)).rstrip(".,")
    if cursor.at("id"):
        cursor.index += 1
        return str(cursor.value("id", -1)[1])
    start = cursor.index
    if path in _PROSE and op == "contains" and cursor.at("mention", -1):
        while cursor.peek() is not None and not any(
            cursor.at(k) for k in ("comma", "and", "or", "when", "bound")
        ):
            cursor.index += 1
        if 0 < cursor.index - start <= 3:
            last = cursor.items[cursor.index - 1]
            return cursor.question[cursor.items[start].start : last.end]
        cursor.index = start
    if path in _PROSE or op != "eq":
        return None
    while cursor.index < min(start + 4, len(cursor.items)):
        item = cursor.items[cursor.index]
        known = {kind for kind in item.means if kind not in ("filler", "num", "color")}
        named = item.text[:1].isupper() and "reactions" not in item and "bound" not in item
        hyphen = item.text in "-&" and cursor.index > start
        if not (not item.means or "color" in item or hyphen or (named and known <= {"compound"})):
            break
        cursor.index += 1
    if cursor.index == start:
        return None
    first, last = cursor.items[start], cursor.items[cursor.index - 1]
    return cursor.question[first.start : last.end]


def text(cursor: Cursor) -> list[Clause] | None:
    """Reads a condition on a text column."""
    found = _value_first(cursor)
    if found is not None:
        return found
    start = cursor.index
    if cursor.at("from") and cursor.last(COMPONENTS) is not None and not cursor.at("text"):
        path, follows = "inputs.components.source.vendor", cursor.peek(1)
        if follows is None or follows.means or not follows.text[:1].isupper():
            return None
    elif cursor.at("text"):
        path = cursor.value("text")
    else:
        return None
    cursor.index += 1
    op, negated = _operator(cursor, path)
    value = _value(cursor, path, op)
    if value is None:
        return _there(cursor, start, path)
    for prefix, day in _DATED_BY.items():
        if path.startswith(prefix):
            cursor.dated = day  # "recorded by alice in 2020"
    where = column(path)
    values = [value]
    while cursor.at("or") or cursor.text() == ",":
        again = cursor.index
        cursor.index += 1
        more = _value(cursor, path, op)
        if more is None:
            cursor.index = again
            break
        values.append(more)
    predicate = disjunction([compare(op, where.leaf, each) for each in values])
    if negated:
        predicate = (
            compare("ne", where.leaf, value)
            if op == "eq" and len(values) == 1
            else {"op": "not", "clause": predicate}
        )
    return _on(cursor, path, predicate)


def _there(cursor: Cursor, start: int, path: str) -> list[Clause] | None:
    """Reads a text column named without a value: "with a DOI", "no vendor"."""
    cursor.index = start + 1
    if cursor.negated and not cursor.at("bound"):
        cursor.negated = False
        return [absence(path, True)]
    missing = stands_recorded(cursor)
    if missing is not None:
        return [absence(path, missing)]
    if cursor.text(-2) in ("with", "has", "have", "a") and path not in _VAGUE:
        return [absence(path, False)]
    cursor.index = start
    return None


def _value_first(cursor: Cursor) -> list[Clause] | None:
    """Reads "a graphite anode", "blue light", "a white product"."""
    item, following = cursor.peek(), cursor.text(1)
    if item is None or "role" in item or "not" in item or "comma" in item:
        return None
    if following in _ELECTRODES and ("metal" in item or not item.means or "compound" in item):
        path = f"conditions.electrochemistry.{following.removesuffix('s')}_material"
        cursor.index += 2
        return [Clause("", [compare("eq", path, item.text.lower())])]
    if "color" not in item:
        return None
    if following in _LIGHT or following.startswith("led"):
        cursor.index += 2 if following in _LIGHT else 1  # "LED" is a condition of its own
        return [Clause("", [compare("eq", "conditions.illumination.color", item["color"])])]
    role = cursor.value("role", 1) if cursor.at("role", 1) else ""
    textures = cursor.value("enum", 1) if cursor.at("enum", 1) else ()
    if role.endswith("PRODUCT") or any("texture" in path for path, _ in textures):
        cursor.index += 1
        return [Clause("outcomes.products", [compare("eq", "isolated_color", item["color"])])]
    return None


def identifier(cursor: Cursor) -> list[Clause] | None:
    """Reads a dataset, reaction, DOI, ORCID, e-mail or patent number standing alone."""
    if not cursor.at("id"):
        return None
    kind, value = cursor.value("id")
    path = _IDS[kind]
    cursor.index += 1
    values = [value]
    while (cursor.at("or") or cursor.at("and")) and cursor.at("id", 1):
        other, more = cursor.value("id", 1)
        if other != kind:
            break
        values.append(more)
        cursor.index += 2
    predicate = disjunction([compare("eq", path, each) for each in values])
    return [Clause("", [predicate])]


def date(cursor: Cursor) -> list[Clause] | None:
    """Reads a date, on the column last spoken of or spoken of right after it."""
    if not cursor.at("when"):
        return None
    path = cursor.dated
    if path is None:
        later = [i["date_field"] for i in cursor.items[cursor.index :] if "date_field" in i]
        path = later[0] if later else None
    if path is None:
        raise refuse(
            f"it does not say whether {cursor.text()!r} is when the reaction was carried out, "
            "recorded, or added to ORD"
        )
    where = column(path)
    predicate = dated(where.leaf, cursor.value("when"))
    cursor.index += 1
    return [Clause(where.level, [predicate])]
