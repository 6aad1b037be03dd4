"""A grammar: the node and edge types that an extraction may use, and what their attributes hold.

The type above (``is_a``) and the mixins of a type pass on their attributes. A subtype may declare
an attribute anew, narrower: whatever holds for the type above holds for it too.
"""

import hashlib
import heapq
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    ValidationError,
)

from creel_inspect.extract.files.documents import CorpusError, Fault, Place
from creel_inspect.verify.graph.resolution import Side
from creel_inspect.verify.plain import shown

PRIMITIVES = ("string", "integer", "decimal", "float", "boolean", "date", "datetime")
NUMBERS = frozenset({"integer", "decimal", "float"})


def _names(value: Any) -> Any:
    """One name stands for a list of one; a list, as YAML and JSON have it, for a tuple."""
    return (value,) if isinstance(value, str) else _listed(value)


def _listed(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


Names = Annotated[tuple[StrictStr, ...], BeforeValidator(_names)]
Values = Annotated[tuple[StrictStr, ...], BeforeValidator(_listed)]
Bound = StrictInt | StrictFloat


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Attribute(_Model):
    """What one attribute of a type holds.

    Attributes:
        range: ``string``, ``integer``, ``decimal``, ``float``, ``boolean``, ``date``,
            ``datetime``, or the name of one of the grammar's enums.
        unit: Of a number: the unit it stands in, as ``numeric_tolerance`` takes it.
        enum: The permitted texts, where no named enum is the range.
        pattern: Of a text: what must be found in it (RE2; anchor it with ``^`` and ``$``).
        minimum: Of a number: at least so much.
        maximum: Of a number: at most so much.
        required: Whether every element of the type has it.
        multivalued: Whether it holds a list of such values.
        description: What it means, for whoever fills it in, and for a judge.
    """

    range: StrictStr = "string"
    unit: StrictStr | None = None
    enum: Values | None = None
    pattern: StrictStr | None = None
    minimum: Bound | None = None
    maximum: Bound | None = None
    required: StrictBool = False
    multivalued: StrictBool = False
    description: StrictStr = ""


class Enum(_Model):
    """A named list of permitted texts."""

    values: Values
    description: StrictStr = ""


class NodeType(_Model):
    """What holds for nodes of one type.

    Attributes:
        description: What such a node stands for.
        is_a: The type above it.
        mixins: Further types whose attributes it takes on.
        abstract: Whether only its subtypes may be used.
        attributes: Those it declares itself; ``Grammar.attributes`` has the inherited ones too.
    """

    description: StrictStr = ""
    is_a: StrictStr | None = None
    mixins: Names = ()
    abstract: StrictBool = False
    attributes: dict[StrictStr, Attribute] = Field(default_factory=dict)

    @property
    def parents(self) -> tuple[str, ...]:
        """The types right above it: ``is_a``, then the mixins."""
        return (() if self.is_a is None else (self.is_a,)) + self.mixins


class EdgeType(NodeType):
    """What holds for edges of one type.

    Attributes:
        from_: Written ``from``: the node types they leave; as the type above says, or any, when
            left out. Subtypes fit.
        to: The node types they reach, likewise.
    """

    from_: Names = Field(default=(), alias="from")
    to: Names = ()


class Grammar(_Model):
    """The node and edge types of a corpus. Read it with ``load_grammar`` or ``from_json``.

    Attributes:
        id: A slug.
        version: Which edition of the grammar this is.
        description: What it is a grammar of.
        enums: Named lists of permitted texts.
        nodes: The node types, by id.
        edges: The edge types, by id.
    """

    id: StrictStr
    version: StrictStr = "1"
    description: StrictStr = ""
    enums: dict[StrictStr, Enum] = Field(default_factory=dict)
    nodes: dict[StrictStr, NodeType] = Field(default_factory=dict)
    edges: dict[StrictStr, EdgeType] = Field(default_factory=dict)

    def types(self, side: Side) -> Mapping[str, NodeType]:
        """The node types, or the edge types, by id."""
        return self.nodes if side == "node" else self.edges

    def lineage(self, side: Side, type_id: str) -> tuple[str, ...]:
        """The type, then all that it inherits from: ``is_a`` upwards, then the mixins of each.

        Each once, and none before a type that inherits from it. An unknown type stands alone.
        """
        known = self._lineages[side]
        if type_id not in known:
            known[type_id] = _line(self.types(side), type_id)
        return known[type_id]

    def attributes(self, side: Side, type_id: str) -> dict[str, Attribute]:
        """The attributes of a type, with those it inherits; the nearest declaration counts."""
        types = self.types(side)
        found: dict[str, Attribute] = {}
        for one in self.lineage(side, type_id):
            if one in types:
                found = types[one].attributes | found
        return found

    def attribute(self, side: Side, type_id: str, name: str) -> Attribute | None:
        """One attribute of a type, its own or inherited; None if it has none of that name."""
        types = self.types(side)
        lines = (types[one].attributes for one in self.lineage(side, type_id) if one in types)
        return next((attributes[name] for attributes in lines if name in attributes), None)

    def ends(self, type_id: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The node types an edge type leaves and reaches, inherited where it says none itself.

        An empty tuple stands for any node type.
        """
        line = [self.edges[one] for one in self.lineage("edge", type_id) if one in self.edges]
        leaves = next((one.from_ for one in line if one.from_), ())
        return leaves, next((one.to for one in line if one.to), ())

    def values_of(self, attribute: Attribute) -> tuple[str, ...] | None:
        """The permitted texts of an attribute, inline or of its enum; None if any will do."""
        if attribute.enum is not None:
            return attribute.enum
        named = self.enums.get(attribute.range)
        return None if named is None else named.values

    def nature(self, attribute: Attribute) -> str:
        """An attribute's range, or ``enum`` when it has permitted values."""
        return attribute.range if self.values_of(attribute) is None else "enum"

    def most_specific(self, side: Side, types: Sequence[str]) -> tuple[str, ...]:
        """The types without repeats and without those that others of them inherit from."""
        above = {up for one in types for up in self.lineage(side, one)[1:]}
        return tuple(one for one in dict.fromkeys(types) if one not in above)

    def rules(self) -> dict[str, Any]:
        """The grammar as the ``graph`` configuration of the ``schema_constraint`` verifier."""
        from creel_inspect.extract.grammar.rules import graph_rules  # noqa: PLC0415 - a circle

        return graph_rules(self)

    def to_json(self) -> dict[str, Any]:
        """The grammar as JSON has it, without what is as it would be when left out."""
        return self.model_dump(mode="json", by_alias=True, exclude_defaults=True)

    @classmethod
    def from_json(cls, value: Any) -> Self:
        """The grammar that a JSON value, or YAML as it is read, describes.

        Raises:
            CorpusError: If it describes none. The message names each place, and its ``faults``
                tell them apart.
        """
        # The checks need the model, and it needs them.
        from creel_inspect.extract.grammar.checks import grammar_faults  # noqa: PLC0415

        faults: Iterable[Fault]
        try:
            grammar = cls.model_validate(value)
        except ValidationError as error:
            faults = _faults_of(error)
        else:
            faults = grammar_faults(grammar)
            if not faults:
                return grammar
        faults = tuple(faults)
        said = "; ".join(f"{place_text(one.place)}: {one.message}" for one in faults)
        raise CorpusError(said, faults)

    @cached_property
    def digest(self) -> str:
        """Twelve hexadecimal digits that change with what the grammar says."""
        text = json.dumps(self.to_json(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @cached_property
    def _lineages(self) -> dict[Literal["node", "edge"], dict[str, tuple[str, ...]]]:
        return {"node": {}, "edge": {}}


def _line(types: Mapping[str, NodeType], type_id: str) -> tuple[str, ...]:
    chain = _chain(types, [type_id], lambda one: (one.is_a,) if one.is_a is not None else ())
    literal = _chain(types, chain, lambda one: one.mixins + one.parents[:1])
    if len(literal) == len(chain):
        return tuple(chain)
    # Where a mixin inherits from a type of the chain, it is the nearer one of the two: among
    # those whose subtypes are all placed, the first comes next.
    waiting = dict.fromkeys(literal, 0)
    for one in literal:
        for parent in dict.fromkeys(types[one].parents if one in types else ()):
            waiting[parent] += 1
    rank = {one: number for number, one in enumerate(literal)}
    ready, order = [0], list[str]()
    while ready:
        one = literal[heapq.heappop(ready)]
        order.append(one)
        for parent in dict.fromkeys(types[one].parents if one in types else ()):
            waiting[parent] -= 1
            if not waiting[parent]:
                heapq.heappush(ready, rank[parent])
    return tuple(order)


def _chain(types: Mapping[str, NodeType], start: Sequence[str], above: Any) -> list[str]:
    found = dict.fromkeys(start)
    wave = list(start)
    while wave:
        wave = [up for one in wave if one in types for up in above(types[one])]
        wave = [one for one in dict.fromkeys(wave) if one not in found]
        found |= dict.fromkeys(wave)
    return list(found)


def place_text(place: Place) -> str:
    """``nodes.donor.attributes.name``: a place inside a document, for a message."""
    return ".".join(
        shown(one, 60)[1:-1] if isinstance(one, str) else str(one) for one in place
    ) or ("the grammar")


_EXPECTED = {
    "string_type": "text (put it in quotes if it looks like something else)",
    "bool_type": "true or false",
    "int_type": "a number",
    "float_type": "a number",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "invalid_key": "keys that are text",
    "model_attributes_type": "a mapping",
}
_MOST_FAULTS = 20


def _faults_of(error: ValidationError) -> list[Fault]:
    faults: dict[Place, Fault] = {}
    for one in error.errors(include_url=False, include_context=False):
        kind, place = one["type"], tuple(one["loc"])
        if kind in {"int_type", "float_type"}:
            place = place[:-1]  # the branch of a union is no place in the document
        if kind == "extra_forbidden":
            message = f"no such key; expected one of {_keys(place)}"
        elif kind == "missing":
            message = "is missing"
        else:
            message = f"expected {_EXPECTED.get(kind, one['msg'])}, came {shown(one['input'])}"
        faults.setdefault(place, Fault(place, message))
        if len(faults) == _MOST_FAULTS:
            break
    return list(faults.values())


def _keys(place: Place) -> str:
    """The keys that the mapping which holds a place may have."""
    if len(place) == 1:
        model: type[_Model] = Grammar
    elif place[0] == "enums":
        model = Enum
    elif "attributes" in place[2:3] and len(place) == 5:
        model = Attribute
    else:
        model = NodeType if place[0] == "nodes" else EdgeType
    return ", ".join(field.alias or name for name, field in model.model_fields.items())
