"""What the live schema offers the translator: levels, leaf types and the words of its enums."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pyarrow as pa


@dataclass(frozen=True)
class Column:
    """A column of the schema, taken apart at its repeated levels.

    Attributes:
        levels: The repeated levels crossed, each relative to the one before.
        leaf: The rest of the path, relative to the last level ("" if the path ends at a level).
        type: The Arrow type the path ends at.
        members: The values an enum column may hold; empty for any other.
    """

    levels: tuple[str, ...]
    leaf: str
    type: pa.DataType
    members: tuple[str, ...]

    @property
    def level(self) -> str:
        """The innermost repeated level as a whole path; "" for a column of the reaction itself."""
        return ".".join(self.levels)


@lru_cache(maxsize=512)
def column(path: str) -> Column:
    """Takes a dotted path of the search schema apart.

    Raises:
        KeyError: If the schema holds no such path.
    """
    # Imported here, so that importing the translator does not load the search library.
    from ord_schema.artifacts import projection  # noqa: PLC0415
    from ord_schema.search import query  # noqa: PLC0415

    current: Any = query.SCHEMA
    levels: list[str] = []
    since: list[str] = []
    members: tuple[str, ...] = ()
    for part in path.split("."):
        index = (
            current.get_field_index(part)
            if isinstance(current, pa.Schema) or pa.types.is_struct(current)
            else -1
        )
        if index < 0:
            raise KeyError(f"{path}: the search schema has no field {part!r} there")
        field = current.field(index)
        members = projection.enum_members(field) or ()
        since.append(part)
        current = field.type
        if pa.types.is_map(current) or pa.types.is_list(current):
            repeated_map = pa.types.is_map(current)
            levels.append(".".join(since))
            since = []
            current = current.item_type if repeated_map else current.value_type
    # `inputs` is a map of inputs whose components are a list: as one level, "inputs.components".
    merged = tuple(levels)
    if merged[:2] == ("inputs", "components"):
        merged = ("inputs.components", *merged[2:])
    return Column(merged, ".".join(since), current, members)


def phrase(member: str) -> str:
    """Returns an enum member as people write it: ``ROUND_BOTTOM_FLASK`` is "round bottom flask"."""
    return member.lower().replace("_", " ")


def bind(path: str, predicates: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns predicates on one element of the level a column lies under, quantified.

    Args:
        path: A column's or level's path; its innermost level is what is quantified over.
        predicates: Conditions relative to that element, all of which have to hold.
    """
    found = conjunction(predicates)
    level = column(path).level
    return {"op": "exists", "path": level, "where": found} if level else found


def conjunction(predicates: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns one predicate that holds where all do; nested conjunctions are flattened."""
    flat: list[dict[str, Any]] = []
    for predicate in predicates:
        parts = predicate["clauses"] if predicate["op"] == "and" else [predicate]
        flat += [part for part in parts if part not in flat]
    return flat[0] if len(flat) == 1 else {"op": "and", "clauses": flat}


def disjunction(predicates: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns one predicate that holds where any does; nested disjunctions are flattened."""
    flat: list[dict[str, Any]] = []
    for predicate in predicates:
        parts = predicate["clauses"] if predicate["op"] == "or" else [predicate]
        flat += [part for part in parts if part not in flat]
    return flat[0] if len(flat) == 1 else {"op": "or", "clauses": flat}
