"""The ``submit_graph`` tool, with a schema derived from a grammar.

A node is given as ``{"id", "type", "attributes"}``, an edge as ``{"type", "source", "target",
"attributes"}``, and each attribute as ``{"value", "quote", "source"}``: the value, the words that
say so, and the file they stand in. Edges need no ids: ``submission`` numbers them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.tool import ToolInfo

from creel_inspect.extract.grammar.model import NUMBERS, Attribute, Grammar
from creel_inspect.toolcall import RawToolParams, schema_digest
from creel_inspect.verify.graph.resolution import Side

SUBMIT_GRAPH = "submit_graph"
WRAPPER = "graph"
"""The key that a model may wrap the whole in."""

_VALUES: Mapping[str, Mapping[str, Any]] = {
    "string": {"type": "string"},
    "integer": {"type": "integer"},
    "decimal": {"type": "number"},
    "float": {"type": "number"},
    "boolean": {"type": "boolean"},
    "date": {"type": "string", "description": "YYYY-MM-DD; YYYY-MM or YYYY if no more is said."},
    "datetime": {"type": "string", "description": "ISO 8601: YYYY-MM-DDTHH:MM:SS."},
}


def submit_graph(grammar: Grammar) -> ToolInfo:
    """The tool, as it is offered to a model."""
    schema = submission_schema(grammar)
    return ToolInfo(
        name=SUBMIT_GRAPH,
        description=(
            "Submit the whole graph that the sources state. `nodes` and `edges` may be empty. "
            f"(grammar {schema_digest(schema)})"
        ),
        parameters=RawToolParams.of(schema, stray=WRAPPER),
    )


def submission_schema(grammar: Grammar) -> dict[str, Any]:
    """The JSON schema of the tool's arguments.

    Everything is written out in place, without ``$ref`` and ``const``, which not every provider
    follows. Patterns are left to the prompt and to validation: dialects differ.
    """
    return _object(
        {
            "nodes": _list_of(grammar, "node", ("id",), "What the sources speak of."),
            "edges": _list_of(grammar, "edge", ("source", "target"), "How the nodes are related."),
        }
    )


def _list_of(grammar: Grammar, side: Side, ids: Sequence[str], described: str) -> dict[str, Any]:
    variants = [
        _object(
            {
                **{key: {"type": "string"} for key in ids},
                "type": {"type": "string", "enum": [name]},
                "attributes": _object(
                    {
                        key: _given(grammar, attribute)
                        for key, attribute in grammar.attributes(side, name).items()
                    },
                    required=[
                        key
                        for key, attribute in grammar.attributes(side, name).items()
                        if attribute.required
                    ],
                ),
            },
            description=declared.description,
        )
        for name, declared in grammar.types(side).items()
        if not declared.abstract
    ]
    if not variants:
        return {"type": "array", "description": described, "items": _object({}), "maxItems": 0}
    return {"type": "array", "description": described, "items": {"anyOf": variants}}


def _object(
    properties: dict[str, Any],
    *,
    required: Sequence[str] | None = None,
    description: str | None = None,
) -> dict[str, Any]:
    return {
        "type": "object",
        **({"description": description} if description else {}),
        "properties": properties,
        "required": list(properties if required is None else required),
        "additionalProperties": False,
    }


def _given(grammar: Grammar, attribute: Attribute) -> dict[str, Any]:
    text = {"type": "string"}
    unit = f"In {attribute.unit}." if attribute.unit else ""
    described = " ".join(part for part in (attribute.description, unit) if part)
    return _object(
        {
            "value": _value(grammar, attribute),
            "quote": {
                "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]
            },
            "source": text,
        },
        description=described,
    )


def _value(grammar: Grammar, attribute: Attribute) -> dict[str, Any]:
    permitted = grammar.values_of(attribute)
    if permitted is not None:
        one: dict[str, Any] = {"type": "string", "enum": list(permitted)}
    else:
        one = dict(_VALUES[attribute.range])
    for bound in ("minimum", "maximum"):
        limit = getattr(attribute, bound)
        if limit is not None and attribute.range in NUMBERS:
            one[bound] = limit
    return {"type": "array", "items": one} if attribute.multivalued else one
