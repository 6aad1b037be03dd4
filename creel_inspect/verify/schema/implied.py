"""Keywords imply their type: a schema that asks for ``budget`` is no schema for a text.

In JSON Schema ``required`` holds for everything that is no object, so that "no project was found"
would keep ``{"required": ["budget"]}``. Here a schema that names no type gets those that its
keywords speak of, wherever it must hold of the value: at the top, below ``properties``, ``items``
and the like, and through ``$ref`` and ``allOf``. Within ``not``, ``if``, ``anyOf`` and ``oneOf``,
where it need not hold, it means what the standard says.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

_OBJECT = {"properties", "patternProperties", "additionalProperties", "propertyNames", "required"}
_OBJECT |= {"minProperties", "maxProperties", "dependentRequired", "dependentSchemas"}
_OBJECT |= {"dependencies", "unevaluatedProperties"}
_ARRAY = {"items", "prefixItems", "additionalItems", "unevaluatedItems", "contains", "minItems"}
_ARRAY |= {"maxItems", "minContains", "maxContains", "uniqueItems"}
_NUMBER = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
_STRING = {"minLength", "maxLength", "pattern", "format"}
_SPEAK_OF = {
    word: kind
    for kind, words in (
        ("object", _OBJECT),
        ("array", _ARRAY),
        ("number", _NUMBER),
        ("string", _STRING),
    )
    for word in words
}

_BRANCHES = ("anyOf", "oneOf")
_CONDITION = ("if", "then", "else")
_SAME_VALUE = {"allOf", "then", "else", "dependentSchemas", "dependencies"}
"""Keywords below which a schema must hold of the same value."""
_INNER_VALUE = {"properties", "patternProperties", "additionalProperties", "propertyNames"}
_INNER_VALUE |= {"unevaluatedProperties", "items", "prefixItems", "additionalItems"}
_INNER_VALUE |= {"unevaluatedItems", "contains"}
"""Keywords below which a schema must hold of a part of the value."""

STANDARD, SAME, IMPLYING = 0, 1, 2
"""How a schema is applied: as the standard says; to a value whose type was looked at already; to a
value whose type is still to be looked at."""

_Said = tuple[frozenset[str], bool]


@dataclass
class Implied:
    """What was found while a schema was read, by the identity of its parts."""

    places: dict[int, int] = field(default_factory=dict)
    """How each part is applied, where the part above it must hold."""
    targets: dict[int, list[Any]] = field(default_factory=dict)
    """What the references of each part lead to."""
    types: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """The types each part implies, where it implies any."""
    _said: dict[int, _Said] = field(default_factory=dict)

    def place(self, word: str, inner: Any, schema: Mapping[str, Any]) -> None:
        """Notes the keyword of a schema that a part stands below."""
        if word == "contains" and "maxContains" in schema:
            return  # the fewer items hold, the better
        same = SAME if word in _SAME_VALUE else STANDARD
        self.places[id(inner)] = IMPLYING if word in _INNER_VALUE else same

    def finish(self, schema: Mapping[str, Any]) -> None:
        """Finds what a part implies; all references are known, and free of circles."""
        types, named = self._spoken_of(schema)
        if types and not named:
            self.types[id(schema)] = tuple(sorted(types))

    def _spoken_of(self, schema: Any) -> _Said:
        """The types that a schema speaks of, and whether it names them itself."""
        if not isinstance(schema, dict):
            return frozenset(), False
        if id(schema) not in self._said:
            self._said[id(schema)] = self._read(schema)
        return self._said[id(schema)]

    def _read(self, schema: Mapping[str, Any]) -> _Said:
        if "type" in schema:
            named = schema["type"]
            return frozenset([named] if isinstance(named, str) else named), True
        if "enum" in schema or "const" in schema:
            values = schema["enum"] if "enum" in schema else [schema["const"]]
            return frozenset(_type_of(one) for one in values), True
        types = {_SPEAK_OF[word] for word in schema if word in _SPEAK_OF}
        named = False
        for part in (*schema.get("allOf", ()), *self.targets.get(id(schema), ())):
            found, by_name = self._spoken_of(part)
            types |= found
            named = named or by_name
        own = bool(types)
        for branch_types in self._branches(schema, own):
            types |= branch_types
        return frozenset(types), named

    def _branches(self, schema: Mapping[str, Any], own: bool) -> Iterator[frozenset[str]]:
        for word in _BRANCHES:
            found = [self._spoken_of(one)[0] for one in schema.get(word, ())]
            # A branch that speaks of no type leaves them all open.
            if own or all(found):
                yield from found
        condition = [self._spoken_of(schema[word]) for word in _CONDITION if word in schema]
        # "If it is a text, it is not empty" does not ask for a text.
        if own or not any(named for _, named in condition):
            yield from (types for types, _ in condition)


def _type_of(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, list):
        return "array"
    return "object" if isinstance(value, dict) else "number"
