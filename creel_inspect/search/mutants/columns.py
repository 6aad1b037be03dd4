"""What a path of a query reaches, read from the schema of the installed grammar.

A path inside a quantifier is relative to the element bound there. Everything here takes the
*absolute* path, the quantifiers' paths joined in front of it, so that one cached lookup serves
every scope.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import pyarrow as pa
from ord_schema.artifacts import projection
from ord_schema.search import query as grammar


@dataclass(frozen=True)
class Column:
    """A field of the projection.

    Attributes:
        type: the Arrow type a query reads it as; a timestamp is read as its day.
        vocabulary: every value it may hold besides NULL, for a boolean or an enumeration;
            None where that is not a closed list. An enumeration's unspecified member is not
            among them: a field set to it is a field not set, which is stored as NULL.
        levels: the repeated levels its path crosses, outermost first, as absolute paths.
            A path that *is* a repeated level ends with itself.
        single: whether every value it may hold is a 32-bit floating-point number. That is so
            of FLOAT columns, and of quantities in DOUBLE columns: each is read from a message
            with a 32-bit value, after any conversion of its unit.
    """

    type: pa.DataType
    vocabulary: tuple[bool | str, ...] | None
    levels: tuple[str, ...]
    single: bool

    @property
    def level(self) -> str:
        """The deepest repeated level the path crosses; empty where it crosses none."""
        return self.levels[-1] if self.levels else ""

    @property
    def is_enum(self) -> bool:
        """Whether the column holds names of an enumeration."""
        return self.vocabulary is not None and not pa.types.is_boolean(self.type)

    @property
    def is_number(self) -> bool:
        """Whether the column holds integers or floating-point numbers."""
        return bool(pa.types.is_integer(self.type) or pa.types.is_floating(self.type))

    @property
    def is_text(self) -> bool:
        """Whether the column holds text that is not an enumeration's name."""
        return bool(pa.types.is_string(self.type)) and not self.is_enum


def join(prefix: str, path: str) -> str:
    """Returns ``path`` as an absolute one, given the absolute path it is relative to."""
    return f"{prefix}.{path}" if prefix else path


def relative(prefix: str, path: str) -> str | None:
    """Returns an absolute ``path`` relative to ``prefix``, or None if it lies elsewhere."""
    if not prefix:
        return path
    return path[len(prefix) + 1 :] if path.startswith(f"{prefix}.") else None


@cache
def column(path: str) -> Column | None:
    """Returns what an absolute path reaches, or None if the schema has no such path."""
    current: pa.Schema | pa.DataType = grammar.SCHEMA
    levels: list[str] = []
    reached = ""
    field: pa.Field | None = None
    parent = current
    for part in path.split("."):
        if not isinstance(current, pa.Schema) and not pa.types.is_struct(current):
            return None
        if current.get_field_index(part) < 0:
            return None
        parent, field = current, current.field(part)
        if projection.is_internal(field):
            return None
        reached = join(reached, part)
        current = field.type
        if pa.types.is_map(current):
            current = current.item_type
            levels.append(reached)
        elif pa.types.is_list(current):
            current = current.value_type
            levels.append(reached)
    if field is None or isinstance(current, pa.Schema):
        return None
    members = projection.enum_members(field)
    vocabulary: tuple[bool | str, ...] | None = members and members[1:]
    if pa.types.is_boolean(current):
        vocabulary = (False, True)
    single = pa.types.is_float32(current) or (
        pa.types.is_float64(current) and field.name in _quantities(parent)
    )
    return Column(grammar.queried_type(current), vocabulary, tuple(levels), single)


def _quantities(parent: pa.Schema | pa.DataType) -> set[str]:
    """Returns the fields projected from a quantity: each comes with its precision's column."""
    names = {field.name for field in parent}
    precisions = {name for name in names if "_precision_" in name}
    return precisions | {name.replace("_precision_", "_") for name in precisions}
