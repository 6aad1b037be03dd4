"""The settings of creel's extractors that a corpus may use, as creel 0.1.6 takes them."""

import re
import string
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Annotated, Any, Literal

import jmespath
from jmespath.exceptions import JMESPathError
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from creel_inspect.extract.files.reading import Place
from creel_inspect.extract.grammar.model import Grammar
from creel_inspect.verify.graph.resolution import Side
from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import VerifierConfigError
from creel_inspect.verify.schema.patterns import pattern as linear_pattern

_FLAGS = {re.IGNORECASE: "i", re.MULTILINE: "m", re.DOTALL: "s"}
_MOST_NESTING = 30


def _pattern(text: str) -> str:
    try:
        linear_pattern(text)
        re.compile(text)
    except VerifierConfigError as error:
        raise ValueError(str(error)) from error
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(
            f"the pattern {shown(text)} is none for Python's re, which creel uses: {error}"
        ) from error
    return text


def _flags(value: int) -> int:
    if value & ~sum(_FLAGS):
        known = ", ".join(f"{int(flag)} ({letter})" for flag, letter in _FLAGS.items())
        raise ValueError(f"expected a sum of the flags {known}, came {shown(value)}")
    return value


def fields_of(template: str) -> tuple[str, ...]:
    """The names that a template fills in: ``donor:{name}`` has ``name``.

    creel fills templates by ``str.format``, which also reads attributes (``{a.__class__}``) and
    pads to any width (``{a:>999999999}``), so a field must be a name and nothing else.

    Raises:
        ValueError: If a field is more than a name, or the braces do not match.
    """
    try:
        parts = list(string.Formatter().parse(template))
    except ValueError as error:
        raise ValueError(f"{shown(template)} is no template: {error}") from error
    names = []
    for _, name, spec, conversion in parts:
        if name is None:
            continue
        if not name or name.isdigit() or spec or conversion or set(name) & set(".[]{}"):
            raise ValueError(
                f"{shown(template)}: expected {{name}} with the name of a group or column and "
                "nothing else in the braces"
            )
        names.append(name)
    return tuple(names)


def _template(text: str) -> str:
    fields_of(text)
    return text


def _source_name(text: str) -> str:
    if PurePath(text).name != text or "\\" in text or text in (".", ".."):
        raise ValueError(f"expected the name of a file in the case's sources, came {shown(text)}")
    if not text.lower().endswith((".csv", ".json")):
        raise ValueError(f"expected a .csv or .json source, which has records; came {shown(text)}")
    return text


def _select(text: str) -> str:
    depth = deepest = 0
    for mark in text:
        depth += (mark in "([{") - (mark in ")]}")
        deepest = max(deepest, depth)
    if deepest > _MOST_NESTING:
        raise ValueError(f"the expression is nested more than {_MOST_NESTING} levels deep")
    try:
        jmespath.compile(text)
    except (JMESPathError, RecursionError, ValueError) as error:
        said = " ".join(str(error).split())
        raise ValueError(f"{shown(text)} is no JMESPath expression: {said}") from error
    return text


Pattern = Annotated[str, Field(min_length=1, max_length=2_000), AfterValidator(_pattern)]
Flags = Annotated[int, AfterValidator(_flags)]
Template = Annotated[str, Field(min_length=1, max_length=500), AfterValidator(_template)]
SourceName = Annotated[str, Field(min_length=1, max_length=255), AfterValidator(_source_name)]
Select = Annotated[str, Field(min_length=1, max_length=500), AfterValidator(_select)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Cast = Literal["int", "float", "number"]
Plain = str | int | float | bool | None
Condition = dict[Literal["$gt", "$lt", "$ne", "$in"], Plain | list[Plain]]
Retries = Annotated[int, Field(ge=0, le=5)]

Said = tuple[Place, str]
"""Where inside a config a fault is, and the sentence about it."""


@dataclass(frozen=True)
class Bound:
    """What a binding is for: the element type it stands under, and the type's side.

    ``side`` is None for ``*``, which stands for every type.
    """

    element: str
    side: Side | None
    grammar: Grammar

    def unfit(self, type_id: str, side: Side, place: Place) -> Iterator[Said]:
        """Why elements of a type cannot come of this binding, if they cannot."""
        types = self.grammar.types(side)
        if type_id not in types:
            known = ", ".join([*types][:20])
            yield place, f"the grammar has no {side} type {shown(type_id)}; it has {known}"
        elif types[type_id].abstract:
            yield place, f"{shown(type_id)} is abstract: nothing is of that type alone"

    def unknown(self, names: Mapping[str, Place], side: Side, type_id: str) -> Iterator[Said]:
        """Names that are no attribute of the type."""
        known = self.grammar.attributes(side, type_id)
        for name, place in names.items():
            if name not in known:
                said = ", ".join([*known][:20]) or "none"
                yield (
                    place,
                    f"{shown(name)} is no attribute of {side}.{type_id}; its attributes: {said}",
                )


class Config(BaseModel):
    """Settings of one strategy. Unknown ones are errors: creel would pass over most of them."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @abstractmethod
    def faults(self, bound: Bound) -> Iterator[Said]:
        """What does not fit the grammar, or itself."""


@dataclass(frozen=True)
class Step:
    """One binding, checked."""

    strategy: str
    config: Config
    elements: tuple[str, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        """As creel takes it."""
        step: dict[str, Any] = {
            "strategy": self.strategy,
            "config": self.config.model_dump(mode="json", exclude_unset=True),
        }
        return step | ({"elements": list(self.elements)} if self.elements else {})


def _only_one_type(bound: Bound, side: Side, strategy: str) -> str | None:
    if bound.side is None:
        return f"`*` may be llm alone: {strategy} reads one type"
    if bound.side != side:
        return (
            f"{strategy} finds {side}s, and {shown(bound.element)} is one of the {bound.side} types"
        )
    return None


class _Regex(Config):
    pattern: Pattern
    flags: Flags = 0
    casts: dict[Name, Cast] = {}

    def _groups(self) -> tuple[str, ...]:
        return tuple(re.compile(self.pattern).groupindex)

    def _cast_faults(self, groups: tuple[str, ...]) -> Iterator[Said]:
        for name in self.casts:
            if name not in groups:
                yield ("casts", name), f"the pattern has no group {shown(name)}"


class RegexNode(_Regex):
    """``regex_node``: each match in a text source is a node, its named groups the attributes."""

    node_type: Name | None = None
    id_attribute: Name | None = None

    def faults(self, bound: Bound) -> Iterator[Said]:
        if wrong := _only_one_type(bound, "node", "regex_node"):
            yield (), wrong
            return
        type_id = self.node_type or bound.element
        yield from bound.unfit(type_id, "node", ("node_type",) if self.node_type else ())
        groups = self._groups()
        yield from bound.unknown(dict.fromkeys(groups, ("pattern",)), "node", type_id)
        if self.id_attribute is not None and self.id_attribute not in groups:
            yield ("id_attribute",), f"the pattern has no group {shown(self.id_attribute)}"
        yield from self._cast_faults(groups)


class RegexEdge(_Regex):
    """``regex_edge``: each match is an edge, between the nodes that two templates name."""

    source_id_template: Template
    target_id_template: Template
    edge_type: Name | None = None
    exclude_groups: list[Name] = []

    def faults(self, bound: Bound) -> Iterator[Said]:
        if wrong := _only_one_type(bound, "edge", "regex_edge"):
            yield (), wrong
            return
        type_id = self.edge_type or bound.element
        yield from bound.unfit(type_id, "edge", ("edge_type",) if self.edge_type else ())
        groups = self._groups()
        kept = dict.fromkeys((g for g in groups if g not in self.exclude_groups), ("pattern",))
        for place, said in bound.unknown(kept, "edge", type_id):
            yield place, f"{said}; a group for an endpoint alone goes into exclude_groups"
        for number, name in enumerate(self.exclude_groups):
            if name not in groups:
                yield ("exclude_groups", number), f"the pattern has no group {shown(name)}"
        for key in ("source_id_template", "target_id_template"):
            for name in fields_of(getattr(self, key)):
                if name not in groups:
                    yield (key,), f"the pattern has no group {shown(name)}"
        yield from self._cast_faults(groups)


class _Records(Config):
    records_source: SourceName
    kind: Literal["node", "edge"] = "node"
    type: Name | None = None
    id_template: Template | None = None
    id_from: Name | None = None
    source_template: Template | None = None
    target_template: Template | None = None
    attributes: dict[Name, Name] = {}
    casts: dict[Name, Cast] = {}

    def faults(self, bound: Bound) -> Iterator[Said]:
        if wrong := _only_one_type(bound, self.kind, f"kind: {self.kind}"):
            yield ("kind",), wrong
            return
        type_id = self.type or bound.element
        yield from bound.unfit(type_id, self.kind, ("type",) if self.type else ())
        names: dict[str, Place] = {name: ("attributes", name) for name in self.attributes}
        yield from bound.unknown(names, self.kind, type_id)
        for name in self.casts:
            if name not in self.attributes:
                yield ("casts", name), f"{shown(name)} is not among the attributes here"
        ends = ("source_template", "target_template")
        # creel has no use for these, and would pass over them.
        idle = ends if self.kind == "node" else ("id_from",)
        for key in idle:
            if getattr(self, key) is not None:
                yield (key,), f"this has no meaning for a {self.kind}"
        for key in ends if self.kind == "edge" else ():
            if getattr(self, key) is None:
                yield (key,), "an edge needs this setting"
        if self.id_from is not None and self.id_template is not None:
            yield ("id_from",), "id_template is given too, and creel uses that alone: keep one"


class TableMap(_Records):
    """``table_map``: each row of a table is a node or an edge."""


class JsonQuery(_Records):
    """``json_query``: each record that a JMESPath expression picks is a node or an edge."""

    select: Select | None = None
    where: dict[Name, Plain | Condition] | None = None

    def faults(self, bound: Bound) -> Iterator[Said]:
        yield from super().faults(bound)
        for field, condition in (self.where or {}).items():
            for operator, operand in condition.items() if isinstance(condition, dict) else ():
                if (operator == "$in") is not isinstance(operand, list):
                    said = "a list" if operator == "$in" else "one value"
                    yield (
                        ("where", field, operator),
                        f"expected {said}, came {shown(operand)}",
                    )


class Llm(Config):
    """``llm``: a model reads the text sources for one type.

    creel's ``policy`` is an object, and its ``node_type`` unused; neither can stand in a file.
    """

    max_retries: Retries = 2
    instruction: Annotated[str, Field(min_length=1, max_length=20_000)] | None = None
    model: Name | None = None
    id_attribute: Name | None = None

    def faults(self, bound: Bound) -> Iterator[Said]:
        if bound.side is None:
            if self.id_attribute is not None or self.instruction is not None:
                yield (), "`*` stands for every type: id_attribute and instruction fit one"
            return
        yield from bound.unfit(bound.element, bound.side, ())
        if self.id_attribute is not None:
            at: dict[str, Place] = {self.id_attribute: ("id_attribute",)}
            yield from bound.unknown(at, bound.side, bound.element)


class Cluster(Config):
    """``cluster_llm``: a model reads the text sources for several types in one pass."""

    max_retries: Retries = 2
    model: Name | None = None

    def faults(self, bound: Bound) -> Iterator[Said]:
        yield from ()


STRATEGIES: Mapping[str, type[Config]] = {
    "regex_node": RegexNode,
    "regex_edge": RegexEdge,
    "table_map": TableMap,
    "json_query": JsonQuery,
    "llm": Llm,
    "cluster_llm": Cluster,
}
