"""Rules over typed property graphs, as they are written; ``graph_checks`` applies them.

They cover types, attributes, endpoints, links and expressions.

The rules of a type hold for its subtypes too (``is_a``, ``mixins``), all of them at once: a
subtype can narrow what it inherits, never widen it. A node of several types keeps the rules of
each. Elements are named by taxonomy path: ``node.project[prj-001].title``.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field as plain_field
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field, StrictBool, StrictInt
from pydantic.dataclasses import dataclass

from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import VerifierConfigError
from creel_inspect.verify.schema.expressions import Expression
from creel_inspect.verify.schema.json_schema import JsonSchema

_STRICT = ConfigDict(extra="forbid", arbitrary_types_allowed=True, populate_by_name=True)
_ENDS = ("source", "target")
MOST_TYPES = 1_000


def _names(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Names = Annotated[tuple[str, ...], BeforeValidator(_names)]
"""One name, or a list of names."""
Count = Annotated[StrictInt, Field(ge=0)]


@dataclass(frozen=True, kw_only=True, config=_STRICT)
class Link:
    """How many edges a node has: the edges are counted, so that parallel ones count each.

    Attributes:
        edge: The edge type; its subtypes count too.
        to: The node type, or types, at the other end; any when left out.
        min: At least so many.
        max: At most so many.
        direction: ``out`` for edges that leave the node, ``in`` for those that reach it, ``any``
            for both. In an undirected graph it is always ``any``.
    """

    edge: str
    to: Names = ()
    min: Count | None = None
    max: Count | None = None
    direction: Literal["out", "in", "any"] = "out"

    def __post_init__(self) -> None:
        if self.min is None and self.max is None:
            raise VerifierConfigError("a link needs `min` or `max`")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise VerifierConfigError(f"`min` {self.min} is more than `max` {self.max}")


@dataclass(frozen=True, kw_only=True, config=_STRICT)
class TypeRules:
    """What holds for nodes, or edges, of one type and of its subtypes.

    Attributes:
        is_a: The type above it.
        mixins: Further types whose rules it takes on.
        abstract: Whether only its subtypes may be used.
        attributes: Each attribute's JSON Schema; an empty one only declares it.
        required: The attributes that must be there, and not be null.
        closed: Whether other attributes are mistakes; left out, as the whole graph says.
        where: A boolean expression over the attributes (see ``expressions``). In an edge's,
            ``source`` and ``target`` are the attributes of the nodes it joins.
    """

    is_a: str | None = None
    mixins: Names = ()
    abstract: StrictBool = False
    attributes: Mapping[str, Any] = plain_field(default_factory=dict)
    required: Names = ()
    closed: StrictBool | None = None
    where: str | None = None


@dataclass(frozen=True, kw_only=True, config=_STRICT)
class NodeRules(TypeRules):
    """What holds for nodes of one type.

    Attributes:
        links: How many edges each such node has.
        min: The graph holds at least so many nodes of this type.
        max: At most so many.
    """

    links: tuple[Link, ...] = ()
    min: Count | None = None
    max: Count | None = None


@dataclass(frozen=True, kw_only=True, config=_STRICT)
class EdgeRules(TypeRules):
    """What holds for edges of one type.

    Attributes:
        from_: Written ``from``: the node type, or types, they leave; any when left out.
        to: The node type, or types, they reach. In an undirected graph either way round will do.
    """

    from_: Names = Field(default=(), alias="from")
    to: Names = ()


class Types:
    """The rules of one family, nodes or edges, with what each type inherits."""

    def __init__(self, family: str, rules: Mapping[str, Any], closed: bool) -> None:
        self.family, self.rules, self.default_closed = family, rules, closed
        self.lines = {name: self._line(name) for name in rules}
        self.above = {name: frozenset(line) for name, line in self.lines.items()}
        self.declared = {
            name: {key for one in line for key in rules[one].attributes}
            for name, line in self.lines.items()
        }
        self.closed = {
            name: next((rules[one].closed for one in line if rules[one].closed is not None), closed)
            for name, line in self.lines.items()
        }
        self.schemas = {
            (name, key): _built(f"{family}.{name}.{key}", JsonSchema, schema)
            for name, one in rules.items()
            for key, schema in one.attributes.items()
        }
        self.wheres: dict[str, Expression] = {}
        self._check_names()

    def _line(self, name: str) -> list[str]:
        """The type, then all that it inherits from, nearest first."""
        line, wave = {name: None}, [name]
        while wave:
            above: dict[str, None] = {}
            for one in wave:
                rules = self.rules[one]
                above |= dict.fromkeys([*([rules.is_a] if rules.is_a else []), *rules.mixins])
            for one in above:
                if one not in self.rules:
                    raise VerifierConfigError(
                        f"{self.family}.{name} inherits from {shown(one)}, which is not there"
                    )
                if one == name:
                    raise VerifierConfigError(f"{self.family}.{name} inherits from itself")
            wave = [one for one in above if one not in line]
            line |= dict.fromkeys(wave)
        return list(line)

    def fits(self, name: str, wanted: Sequence[str]) -> bool:
        """Whether a type is one of those wanted, or inherits from one."""
        above = self.above.get(name)
        return name in wanted if above is None else not above.isdisjoint(wanted)

    def _check_names(self) -> None:
        """Required attributes are declared, and expressions parse.

        Raises:
            VerifierConfigError: If not.
        """
        for name, rules in self.rules.items():
            names = self.declared[name] if self.closed[name] else None
            for key in rules.required:
                if names is not None and key not in names:
                    raise VerifierConfigError(
                        f"{self.family}.{name}.required: {shown(key)} is not declared"
                    )
            if rules.where is not None:
                reserved = _ENDS if self.family == "edge" else ()
                self.wheres[name] = _built(
                    f"{self.family}.{name}.where",
                    lambda text, names=names, reserved=reserved: Expression(
                        text, names=names, reserved=reserved
                    ),
                    rules.where,
                )


def _built(where: str, make: Any, given: Any) -> Any:
    try:
        return make(given)
    except VerifierConfigError as error:
        raise VerifierConfigError(f"{where}: {error}") from error


@dataclass(frozen=True, kw_only=True, config=_STRICT)
class GraphRules:
    """Rules over the graph-v1 graph that a candidate is.

    Attributes:
        nodes: The node types, by name.
        edges: The edge types, by name.
        closed: Whether types and attributes that are not declared are mistakes.
    """

    nodes: Mapping[str, NodeRules] = plain_field(default_factory=dict)
    edges: Mapping[str, EdgeRules] = plain_field(default_factory=dict)
    closed: StrictBool = True

    def __post_init__(self) -> None:
        if len(self.nodes) + len(self.edges) > MOST_TYPES:
            raise VerifierConfigError(f"more than {MOST_TYPES:,} types")
        self.node_types, self.edge_types  # noqa: B018 - built here, so that mistakes show now
        for name, rules in self.nodes.items():
            for link in rules.links:
                where = f"node.{name}.links"
                _known(where, "edge", [link.edge], self.edges)
                _known(where, "node", link.to, self.nodes)
        for name, edge_rules in self.edges.items():
            ends = (*edge_rules.from_, *edge_rules.to)
            _known(f"edge.{name}", "node", ends, self.nodes)

    @cached_property
    def node_types(self) -> "Types":
        """The node types with what they inherit."""
        return Types("node", self.nodes, self.closed)

    @cached_property
    def edge_types(self) -> "Types":
        """The edge types with what they inherit."""
        return Types("edge", self.edges, self.closed)


def _known(where: str, family: str, names: Sequence[str], rules: Mapping[str, Any]) -> None:
    for name in names:
        if name not in rules:
            raise VerifierConfigError(
                f"{where}: no {family} type is called {shown(name)}; expected one of {few(rules)}"
            )


def few(names: Collection[str]) -> str:
    """The first names of many, for a message."""
    first = ", ".join(shown(one, 40)[1:-1] for one, _ in zip(names, range(12), strict=False))
    return (
        first + (f" and {len(names) - 12:,} more" if len(names) > 12 else "") if first else "none"
    )
