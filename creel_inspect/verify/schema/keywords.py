"""JSON Schema keywords as ``jsonschema`` applies them, with every cost counted.

The library resolves references and walks the schema. Replaced here are the keywords that it
checks in more than linear time (``uniqueItems``, ``unevaluatedItems``…), with Python's
backtracking regular expressions, or in binary floating point (19.99 is a multiple of 0.01).
Every other keyword is the library's own, and counts its steps first.
"""

from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from jsonschema import validators
from jsonschema.exceptions import ValidationError
from referencing.jsonschema import lookup_recursive_ref, specification_with

from creel_inspect.verify.schema.budget import Budget
from creel_inspect.verify.schema.formats import in_format
from creel_inspect.verify.schema.implied import IMPLYING, SAME, STANDARD, Implied
from creel_inspect.verify.schema.json_values import exact, key_of, order, weight_of
from creel_inspect.verify.schema.patterns import pattern


@dataclass
class Run:
    """One check of one value: what it may still cost, and the validators it has made."""

    budget: Budget
    formats: bool = True
    made: dict[tuple[int, int, int], tuple[Any, ...]] = field(default_factory=dict)
    implied: Implied = field(default_factory=Implied)
    applied: dict[int, int] = field(default_factory=dict)
    """How the schemas of validators are applied; as the standard says where nothing is noted."""

    def spend(self, steps: int) -> None:
        """Counts microseconds, which are two steps each."""
        self.budget.spend(2 * steps)


running: ContextVar[Run] = ContextVar("running")
"""The check that runs; the library's validators have no place to carry it."""

Errors = Iterator[ValidationError]
Keyword = Callable[[Any, Any, Any, Any], Any]

DRAFTS = {
    "http://json-schema.org/draft-04/schema": validators.Draft4Validator,
    "http://json-schema.org/draft-06/schema": validators.Draft6Validator,
    "http://json-schema.org/draft-07/schema": validators.Draft7Validator,
    "https://json-schema.org/draft/2019-09/schema": validators.Draft201909Validator,
    "https://json-schema.org/draft/2020-12/schema": validators.Draft202012Validator,
}


@cache
def bounded(draft: Any) -> Any:
    """The library's validator class of a draft, with the keywords below."""
    keywords = {
        name: _counted(_OWN.get(name, library)) for name, library in draft.VALIDATORS.items()
    }
    made: Any = validators.extend(draft, keywords)  # type: ignore[no-untyped-call]
    made.descend = _descend
    return made


def _descend(
    self: Any,
    instance: Any,
    schema: Any,
    path: Any = None,
    schema_path: Any = None,
    resolver: Any = None,
) -> Errors:
    """As the library's, but a validator for the same part of a schema is made only once: making
    one for every item takes five times longer than checking the item."""
    if schema is True:
        return
    if schema is False:
        error: Any = ValidationError(
            f"nothing is allowed here, came {instance!r}", validator="false", schema=schema
        )
        if path is not None:
            error.path.appendleft(path)
        yield error
        return
    child, types = _child(self, schema, resolver)
    if types and not any(child.is_type(instance, one) for one in types):
        error = _of_no_type(types, instance, schema)
        if path is not None:
            error.path.appendleft(path)
        yield error
        return
    for keyword, name, value in child._validators:
        for error in keyword(child, value, instance, schema) or ():
            running.get().spend(15)
            error._set(
                validator=name,
                validator_value=value,
                instance=instance,
                schema=schema,
                type_checker=child.TYPE_CHECKER,
            )
            if path is not None:
                error.path.appendleft(path)
            yield error


def checked(validator: Any, schema: Any, instance: Any) -> Errors:
    """What is wrong with a value, the type that the schema implies looked at first."""
    run = running.get()
    run.applied[id(validator)] = IMPLYING
    types = run.implied.types.get(id(schema), ())
    if types and not any(validator.is_type(instance, one) for one in types):
        yield _of_no_type(types, instance, schema)
    else:
        yield from validator.iter_errors(instance)


def _of_no_type(types: tuple[str, ...], instance: Any, schema: Any) -> Any:
    return ValidationError(
        f"{instance!r} is not of type {', '.join(map(repr, types))}, which the schema speaks of",
        validator="type",
        validator_value=list(types),
        instance=instance,
        schema=schema,
    )


def _child(parent: Any, schema: Any, resolver: Any) -> Any:
    """The validator of a part of the schema, and the types to look at first."""
    run = running.get()
    made = run.made
    key = (id(parent), id(schema), id(resolver))
    found = made.get(key)
    if found is None:
        run.spend(10)
        inner = resolver
        if inner is None:
            specification = specification_with(parent.ID_OF(parent.META_SCHEMA))
            inner = parent._resolver.in_subresource(specification.create_resource(schema))
        child = parent.evolve(schema=schema, _resolver=inner)
        # The parent and the resolver are kept with it, so that their ids stay theirs.
        applied = run.applied.get(id(parent), STANDARD)
        if applied:  # a resolver comes with a reference, whose value is the same
            applied = SAME if resolver is not None else run.implied.places.get(id(schema), STANDARD)
            run.applied[id(child)] = applied
        types = run.implied.types.get(id(schema), ()) if applied == IMPLYING else ()
        found = made[key] = ((child, types), parent, resolver, schema)
    return found[0]


def _reference(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """``$ref`` and ``$dynamicRef``, looked up once for each validator."""
    yield from _followed(validator, value, instance, validator._resolver.lookup)


def _recursive_reference(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    """``$recursiveRef`` of 2019-09, whose value is always ``#``."""
    yield from _followed(
        validator, value, instance, lambda _: lookup_recursive_ref(validator._resolver)
    )


def _followed(validator: Any, value: Any, instance: Any, look_up: Callable[[Any], Any]) -> Any:
    made = running.get().made
    key = (id(validator), id(value), -1)
    found = made.get(key)
    if found is None:
        found = made[key] = (look_up(value), validator, value)
    resolved = found[0]
    return validator.descend(instance, resolved.contents, resolver=resolved.resolver)


def _counted(keyword: Keyword) -> Keyword:
    def counted(validator: Any, value: Any, instance: Any, schema: Any) -> Any:
        loops = len(value) // 4 if isinstance(value, list | dict) else 0
        running.get().budget.spend(12 + 2 * loops)
        return keyword(validator, value, instance, schema)

    return counted


def _pattern(validator: Any, value: str, instance: Any, schema: Any) -> Errors:
    if isinstance(instance, str):
        running.get().spend(len(instance) // 100)
        if not pattern(value).found_in(instance):
            yield ValidationError(f"{instance!r} does not match {value!r}")


def _matching(patterns: Mapping[str, Any], key: str) -> Iterator[str]:
    for text in patterns:
        running.get().spend(2 + len(key) // 100)
        if pattern(text).found_in(key):
            yield text


def _pattern_properties(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    if isinstance(instance, dict):
        for key, inner in instance.items():
            for text in _matching(value, key):
                yield from validator.descend(inner, value[text], path=key, schema_path=text)


def _additional_properties(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    if not isinstance(instance, dict):
        return
    declared = schema.get("properties", {})
    patterns = schema.get("patternProperties", {})
    running.get().spend(len(instance) // 4)
    for key, inner in instance.items():
        if key in declared or next(_matching(patterns, key), None) is not None:
            continue
        if value is False:
            error = ValidationError("is not declared in the schema")
            error.path.appendleft(key)
            yield error
        else:
            yield from validator.descend(inner, value, path=key)


def _evaluated(validator: Any, instance: Any, schema: Any) -> set[Any]:
    """The keys of an object, or indices of a list, that a schema's keywords have looked at."""
    running.get().spend(5)
    if not isinstance(schema, dict):
        return set()
    found = set(_looked_at(validator, instance, schema))
    for resolved in _referred(validator, schema):
        inner = validator.evolve(schema=resolved.contents, _resolver=resolved.resolver)
        found |= _evaluated(inner, instance, resolved.contents)
    branches = [one for word in ("allOf", "anyOf", "oneOf") for one in schema.get(word, ())]
    if "if" in schema:
        holds = validator.evolve(schema=schema["if"]).is_valid(instance)
        branches += (
            [schema["if"], schema.get("then", True)] if holds else [schema.get("else", True)]
        )
    if isinstance(instance, dict):
        dependent = schema.get("dependentSchemas", {})
        branches += [dependent[key] for key in dependent if key in instance]
    for branch in branches:
        if isinstance(branch, dict) and validator.evolve(schema=branch).is_valid(instance):
            found |= _evaluated(validator, instance, branch)
    return found


def _referred(validator: Any, schema: Mapping[str, Any]) -> Iterator[Any]:
    for word in ("$ref", "$dynamicRef"):
        if word in schema:
            yield validator._resolver.lookup(schema[word])
    if "$recursiveRef" in schema:
        yield lookup_recursive_ref(validator._resolver)


def _looked_at(validator: Any, instance: Any, schema: Mapping[str, Any]) -> Iterator[Any]:
    running.get().spend(len(instance) // 4)
    if isinstance(instance, dict):
        yield from (key for key in schema.get("properties", ()) if key in instance)
        if {"additionalProperties", "unevaluatedProperties"} & schema.keys():
            yield from instance  # what is wrong there is reported there
        patterns = schema.get("patternProperties", {})
        for key in instance if patterns else ():
            if next(_matching(patterns, key), None) is not None:
                yield key
        return
    items = schema.get("items")
    listed = items if isinstance(items, list) else schema.get("prefixItems", ())
    rest = "unevaluatedItems" in schema
    if isinstance(items, list):
        rest = rest or "additionalItems" in schema
    if rest or (items is not None and not isinstance(items, list)):
        yield from range(len(instance))
    yield from range(min(len(listed), len(instance)))
    if "contains" in schema and "prefixItems" in validator.VALIDATORS:  # from 2020-12 on
        inner = validator.evolve(schema=schema["contains"])
        yield from (n for n, item in enumerate(instance) if inner.is_valid(item))


def _unevaluated(validator: Any, value: Any, instance: Any, schema: Any, word: str) -> Errors:
    evaluated = _evaluated(validator, instance, {k: v for k, v in schema.items() if k != word})
    running.get().spend(len(instance) // 4)
    for place in instance if isinstance(instance, dict) else range(len(instance)):
        if place in evaluated:
            continue
        if value is False:
            error = ValidationError("is not declared in the schema")
            error.path.appendleft(place)
            yield error
        else:
            yield from validator.descend(instance[place], value, path=place)


def _unevaluated_properties(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    if isinstance(instance, dict):
        yield from _unevaluated(validator, value, instance, schema, "unevaluatedProperties")


def _unevaluated_items(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    if isinstance(instance, list):
        yield from _unevaluated(validator, value, instance, schema, "unevaluatedItems")


def _contains(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    if not isinstance(instance, list):
        return
    running.get().spend(len(instance))
    found = sum(next(validator.descend(item, value), None) is None for item in instance)
    least, most = schema.get("minContains", 1), schema.get("maxContains", found)
    if found < least:
        yield ValidationError(
            f"{found} items of {instance!r} hold for `contains`, at least {least} are needed"
        )
    elif found > most:
        yield ValidationError(
            f"{found} items of {instance!r} hold for `contains`, at most {most} are allowed",
            validator="maxContains",
            validator_value=most,
        )


def _unique_items(validator: Any, value: bool, instance: Any, schema: Any) -> Errors:
    if not value or not isinstance(instance, list):
        return
    running.get().spend(2 * weight_of(instance))
    first: dict[Any, int] = {}
    for number, item in enumerate(instance):
        earlier = first.setdefault(key_of(item), number)
        if earlier != number:
            yield ValidationError(f"items {earlier} and {number} are equal: {item!r}")
            return


def _enum(validator: Any, value: list[Any], instance: Any, schema: Any) -> Errors:
    if not _is_one_of(value, instance):
        yield ValidationError(f"{instance!r} is not one of {value!r}")


def _const(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    if not _is_one_of([value], instance):
        yield ValidationError(f"{value!r} was expected, not {instance!r}")


def _is_one_of(values: list[Any], instance: Any) -> bool:
    like = [one for one in values if type(one) is type(instance) or not isinstance(one, str)]
    if isinstance(instance, str):
        return any(isinstance(one, str) and one == instance for one in values)
    running.get().spend(weight_of(instance) + 2 * weight_of(like))
    key = key_of(instance)
    return any(key_of(one) == key for one in like)


def _bound(word: str, sign: int, strict: bool) -> Keyword:
    """``minimum`` and its like. In draft 4 ``exclusiveMinimum: true`` makes ``minimum`` strict."""

    def check(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
        if not validator.is_type(instance, "number"):
            return
        exclusive = strict or schema.get(f"exclusive{word.capitalize()}") is True
        found = order(instance, value) * sign
        if found < 0 or (exclusive and not found):
            side = "less than" if sign > 0 else "greater than"
            also = " or equal to" if exclusive else ""
            yield ValidationError(f"{instance!r} is {side}{also} the {word} of {value!r}")

    return check


def _multiple_of(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    if validator.is_type(instance, "number") and exact(instance) % exact(value):
        yield ValidationError(f"{instance!r} is not a multiple of {value!r}")


def _format(validator: Any, value: str, instance: Any, schema: Any) -> Errors:
    checked = running.get().formats and isinstance(instance, str)
    if checked and not in_format(instance, value):
        yield ValidationError(f"{instance!r} is not a {value}")


_OWN: Mapping[str, Keyword] = {
    "$ref": _reference,
    "$dynamicRef": _reference,
    "$recursiveRef": _recursive_reference,
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
    "unevaluatedProperties": _unevaluated_properties,
    "unevaluatedItems": _unevaluated_items,
    "contains": _contains,
    "uniqueItems": _unique_items,
    "enum": _enum,
    "const": _const,
    "minimum": _bound("minimum", 1, False),
    "maximum": _bound("maximum", -1, False),
    "exclusiveMinimum": _bound("minimum", 1, True),
    "exclusiveMaximum": _bound("maximum", -1, True),
    "multipleOf": _multiple_of,
    "format": _format,
}
