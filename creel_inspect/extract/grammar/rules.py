"""A grammar as rules that the ``schema_constraint`` verifier checks a graph by."""

from collections.abc import Mapping
from typing import Any

from creel_inspect.extract.grammar.model import Attribute, EdgeType, Grammar, NodeType

_DAY = {"format": "date"}
_MONTH = {"pattern": "^[0-9]{4}-(0[1-9]|1[0-2])$"}
_YEAR = {"pattern": "^[0-9]{4}$"}
# RFC 3339's format asks for seconds and an offset from UTC, which a source seldom gives. The first
# pattern is the one a person reads when a value breaks it; the second knows hours and months.
_MOMENT = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?(Z|[+-][0-9:]{5})?$"
_CALENDAR = (
    # Days that each month has, those that only some have, and 29 February of leap years.
    "^(?:[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
    "|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)"
    "|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)"
    "T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]+)?)?"
    "(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])?$"
)

_SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    "string": {"type": "string"},
    "integer": {"type": "integer"},
    "decimal": {"type": "number"},
    "float": {"type": "number"},
    "boolean": {"type": "boolean"},
    "date": {"type": "string", "anyOf": [_DAY, _MONTH, _YEAR]},
    "datetime": {"type": "string", "allOf": [{"pattern": _MOMENT}, {"pattern": _CALENDAR}]},
}


def value_schema(grammar: Grammar, attribute: Attribute) -> dict[str, Any]:
    """The JSON Schema (2020-12) of an attribute's value: of the list, where it is multivalued."""
    values = grammar.values_of(attribute)
    schema: dict[str, Any]
    if values is not None:
        schema = {"type": "string", "enum": list(values)}
    else:
        schema = dict(_SCHEMAS[attribute.range])
    for key in ("pattern", "minimum", "maximum"):
        if (said := getattr(attribute, key)) is not None:
            schema[key] = said
    if not attribute.multivalued:
        return schema
    return {"type": "array", "items": schema} | ({"minItems": 1} if attribute.required else {})


def graph_rules(grammar: Grammar) -> dict[str, Any]:
    """The ``graph`` configuration of ``schema_constraint``: see ``verify.schema.graph_rules``.

    Types and attributes that the grammar does not declare are mistakes.
    """
    edges = {}
    for name, edge in grammar.edges.items():
        ends = {"from": list(edge.from_), "to": list(edge.to)}
        edges[name] = _type_rules(grammar, edge) | {key: one for key, one in ends.items() if one}
    nodes = {name: _type_rules(grammar, one) for name, one in grammar.nodes.items()}
    return {"nodes": nodes, "edges": edges, "closed": True}


def _type_rules(grammar: Grammar, one: NodeType | EdgeType) -> dict[str, Any]:
    rules = {
        "is_a": one.is_a,
        "mixins": list(one.mixins),
        "abstract": one.abstract,
        "attributes": {name: value_schema(grammar, it) for name, it in one.attributes.items()},
        "required": [name for name, it in one.attributes.items() if it.required],
    }
    return {key: said for key, said in rules.items() if said}
