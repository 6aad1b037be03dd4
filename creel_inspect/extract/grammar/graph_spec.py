"""A grammar as creel's ``GraphSpec``, and back, with what is lost on the way."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from creel_inspect.extract.files.documents import CorpusError
from creel_inspect.extract.grammar.model import Attribute, EdgeType, Grammar, NodeType
from creel_inspect.verify.graph.resolution import Side
from creel_inspect.verify.plain import shown

if TYPE_CHECKING:
    from creel import AttrSchema, ElementType, GraphSpec


def to_graph_spec(grammar: Grammar) -> "tuple[GraphSpec, tuple[str, ...]]":
    """The spec that says what creel can be told of a grammar, and a sentence for each thing that
    it cannot, with the taxonomy path of what loses by it.

    Left out are units, ends of several types, and patterns that only RE2 reads. The other losses
    are in how creel reads what it is told: it inherits no ends, lets the last of several types
    above decide about an attribute, and confuses a node type with an edge type of the same id.
    """
    from creel.spec import AttrSchema, EnumDef, GraphSpec  # noqa: PLC0415 - heavy, rarely needed
    from creel.spec import EdgeType as CreelEdge  # noqa: PLC0415
    from creel.spec import NodeType as CreelNode  # noqa: PLC0415

    def schema(name: str, one: Attribute) -> AttrSchema:
        return AttrSchema(
            name=name,
            range=one.range,
            required=one.required,
            multivalued=one.multivalued,
            enum=one.enum,
            minimum=one.minimum,
            maximum=one.maximum,
            pattern=one.pattern if _python_reads(one.pattern) else None,
            description=one.description or None,
        )

    def common(type_id: str, one: NodeType) -> dict[str, Any]:
        return {
            "id": type_id,
            "description": one.description or None,
            "is_a": one.is_a,
            "mixins": one.mixins,
            "abstract": one.abstract,
            "attributes": tuple(schema(name, it) for name, it in one.attributes.items()),
        }

    spec = GraphSpec(
        id=grammar.id,
        version=grammar.version,
        description=grammar.description or None,
        enums=tuple(
            EnumDef(name, one.values, one.description or None)
            for name, one in grammar.enums.items()
        ),
        node_types=tuple(CreelNode(**common(key, one)) for key, one in grammar.nodes.items()),
        edge_types=tuple(
            CreelEdge(
                **common(key, one), subject_type=_single(one.from_), object_type=_single(one.to)
            )
            for key, one in grammar.edges.items()
        ),
    )
    return spec, tuple(_losses(grammar))


def _single(names: Sequence[str]) -> str | None:
    return names[0] if len(names) == 1 else None


def _python_reads(text: str | None) -> bool:
    """Whether ``re``, which creel searches with, takes a pattern that RE2 takes."""
    try:
        re.compile(text or "")
    except (re.error, RecursionError, OverflowError):
        return False
    return True


def _losses(grammar: Grammar) -> Iterator[str]:
    sides: tuple[tuple[Side, Mapping[str, NodeType]], ...] = (
        ("node", grammar.nodes),
        ("edge", grammar.edges),
    )
    for side, types in sides:
        for type_id, one in types.items():
            path = f"{side}.{type_id}"
            for name, attribute in one.attributes.items():
                yield from _attribute_losses(f"{path}.{name}", attribute)
            yield from _order_losses(grammar, side, type_id)
    for type_id, edge in grammar.edges.items():
        yield from _edge_losses(grammar, type_id, edge)


def _attribute_losses(path: str, attribute: Attribute) -> Iterator[str]:
    if attribute.unit is not None:
        yield f"{path}: a GraphSpec has no units, so that {shown(attribute.unit, 40)} is left out"
    if not _python_reads(attribute.pattern):
        yield (
            f"{path}: creel matches patterns with Python's re, which cannot read "
            f"{shown(attribute.pattern, 60)}, so that it is left out"
        )


def _order_losses(grammar: Grammar, side: Side, type_id: str) -> Iterator[str]:
    types = grammar.types(side)
    if len(types[type_id].parents) < 2:
        return
    ours, theirs = grammar.attributes(side, type_id), _as_creel_inherits(types, type_id)
    for name, attribute in ours.items():
        if theirs[name] != attribute:
            yield (
                f"{side}.{type_id}.{name}: where several types above declare an attribute creel "
                "takes the last one's, and not the nearest: what it says here differs"
            )


def _as_creel_inherits(types: Mapping[str, NodeType], type_id: str) -> dict[str, Attribute]:
    """As ``creel.spec.model.effective_attributes``: depth first, the last one wins."""
    found: dict[str, Attribute] = {}
    for parent in types[type_id].parents:
        found |= _as_creel_inherits(types, parent)
    return found | types[type_id].attributes


def _edge_losses(grammar: Grammar, type_id: str, edge: EdgeType) -> Iterator[str]:
    path = f"edge.{type_id}"
    leaves, reaches = grammar.ends(type_id)
    for key, own, ends in (("from", edge.from_, leaves), ("to", edge.to, reaches)):
        if len(own) > 1:
            yield (
                f"{path}: a GraphSpec holds one type for each end of an edge, so that `{key}` "
                f"({', '.join(own)}) is left out and any node type will do"
            )
        elif not own and ends:
            yield (
                f"{path}: creel inherits no ends, so that any node type will do for `{key}`, "
                f"which would be {', '.join(ends)}"
            )
    for above in grammar.lineage("edge", type_id):
        if above in grammar.nodes:
            yield (
                f"{path}: creel looks an id up among the node types first, so that it takes the "
                f"attributes of node.{above} for those of edge.{above}"
            )


def from_graph_spec(spec: "GraphSpec") -> Grammar:
    """The grammar that a spec describes; one without an id is called ``graph``.

    Raises:
        CorpusError: If it describes none: names declared twice, or what ``Grammar.from_json``
            refuses, such as a type above that is not there.
    """
    enums = {
        name: {"values": list(one.permissible_values), "description": one.description or ""}
        for name, one in _by_name("enums", [(one.name, one) for one in spec.enums]).items()
    }
    families: dict[str, dict[str, Any]] = {}
    for family, types in (("nodes", spec.node_types), ("edges", spec.edge_types)):
        named = _by_name(family, [(one.id, one) for one in types])
        families[family] = {key: _type_json(f"{family}.{key}", one) for key, one in named.items()}
    for edge in spec.edge_types:
        for key, end in (("from", edge.subject_type), ("to", edge.object_type)):
            if end is not None:
                families["edges"][edge.id][key] = [end]
    return Grammar.from_json(
        {
            "id": "graph" if spec.id is None else spec.id,
            "version": spec.version,
            "description": spec.description or "",
            "enums": enums,
            **families,
        }
    )


def _type_json(where: str, one: "ElementType") -> dict[str, Any]:
    attributes = _by_name(where, [(it.name, it) for it in one.attributes])
    return {
        "description": one.description or "",
        "is_a": one.is_a,
        "mixins": list(one.mixins),
        "abstract": one.abstract,
        "attributes": {name: _attribute_json(it) for name, it in attributes.items()},
    }


def _attribute_json(one: "AttrSchema") -> dict[str, Any]:
    return {
        "range": one.range,
        "required": one.required,
        "multivalued": one.multivalued,
        "enum": None if one.enum is None else list(one.enum),
        "minimum": one.minimum,
        "maximum": one.maximum,
        "pattern": one.pattern,
        "description": one.description or "",
    }


def _by_name(where: str, pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    named: dict[str, Any] = {}
    for name, one in pairs:
        if name in named:
            raise CorpusError(f"{where}: {shown(name, 60)} is declared twice")
        named[name] = one
    return named
