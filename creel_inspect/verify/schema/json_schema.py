"""Checking a value against a JSON Schema that anyone may have written: offline and bounded.

Draft 2020-12 unless ``$schema`` names another (2019-09, 7, 6 or 4). References stay within the
schema: nothing is fetched. Numbers are compared as they are written, patterns are matched in
linear time, and formats are checked, not only noted. Keywords imply their type (see ``implied``),
and a keyword that the draft does not know is refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from jsonschema.exceptions import ValidationError
from jsonschema_specifications import REGISTRY
from referencing.exceptions import Unresolvable
from referencing.jsonschema import EMPTY_REGISTRY, lookup_recursive_ref, specification_with

from creel_inspect.verify.plain import fault_of, shown
from creel_inspect.verify.protocol import Code, VerifierConfigError, VerifierError
from creel_inspect.verify.schema.budget import Budget
from creel_inspect.verify.schema.formats import FORMATS
from creel_inspect.verify.schema.implied import Implied
from creel_inspect.verify.schema.json_values import json_copy, json_path, not_finite
from creel_inspect.verify.schema.keywords import DRAFTS, Run, bounded, checked, running
from creel_inspect.verify.schema.patterns import pattern
from creel_inspect.verify.schema.vocabulary import check_keywords

MOST_SHOWN = 20
MOST_NODES = 10_000
MOST_LEVELS = 50
_DEFAULT = "https://json-schema.org/draft/2020-12/schema"

_IN_PLACE = {"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"}
_IN_PLACE |= {"dependencies"}
_ONE = {"not", "if", "then", "else", "additionalProperties", "unevaluatedProperties"}
_ONE |= {"propertyNames", "items", "additionalItems", "unevaluatedItems", "contains"}
_LIST = {"allOf", "anyOf", "oneOf", "prefixItems", "items"}
_MAP = {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
_MAP |= {"dependencies"}
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


@dataclass(frozen=True)
class Violation:
    """One thing that is wrong: where, by which rule, and what."""

    path: str
    rule: str
    message: str

    def as_dict(self) -> dict[str, str]:
        return {"path": self.path, "rule": self.rule, "message": self.message}

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


class JsonSchema:
    """A JSON Schema that has been checked itself.

    Keywords imply their type: ``{"required": ["a"]}`` holds for objects only, and
    ``{"minimum": 0, "minLength": 1}`` for numbers and texts only.

    Args:
        schema: An object or a truth value; at most 10,000 values, 50 levels deep.

    Raises:
        VerifierConfigError: If it is no schema, refers to something outside itself, refers to
            itself without end, or has a keyword, pattern or format that cannot be checked.
    """

    def __init__(self, schema: Any) -> None:
        _check_size(schema)
        self._root = json_copy(schema)
        _check_finite(self._root)
        draft = self._draft()
        _check_by_metaschema(draft, self._root)
        if isinstance(self._root, dict):
            # The library would go back to its own, unbounded validator wherever it is named.
            self._root.pop("$schema", None)
        self._implied = _Reader(draft, self._root).read()
        self._validator = _validator(draft, self._root, EMPTY_REGISTRY)

    def _draft(self) -> Any:
        named = self._root.get("$schema", _DEFAULT) if isinstance(self._root, dict) else _DEFAULT
        draft = DRAFTS.get(named.rstrip("#")) if isinstance(named, str) else None
        if draft is None:
            raise VerifierConfigError(
                f"$schema: expected one of {', '.join(DRAFTS)}, came {shown(named)}"
            )
        return draft

    def violations(self, value: Any, *, budget: Budget, root: str = "$") -> Iterator[Violation]:
        """What is wrong with a value (in JSON's types), in the order of the schema.

        Raises:
            VerifierError: ``too_large``, if it is too costly or nested too deep to be checked.
        """
        # A generator sees its caller's context, so the run is set for each of its steps.
        budget.spend(10)
        run = Run(budget, implied=self._implied)
        errors = checked(self._validator, self._root, value)
        while True:
            token = running.set(run)
            try:
                error = next(errors, None)
            except RecursionError as deep:
                raise VerifierError(
                    "the value is nested too deep to be checked against a schema that refers to "
                    "itself",
                    code=Code.TOO_LARGE,
                ) from deep
            finally:
                running.reset(token)
            if error is None:
                return
            yield _violation(error, root)


def _violation(error: ValidationError, root: str) -> Violation:
    message = error.message
    nearest = _nearest(error)
    if nearest is not error:
        message += f" (nearest: {json_path(nearest.absolute_path, root)}: {nearest.message})"
    text = " ".join(message.split())
    text = text if len(text) <= 300 else f"{text[:299]}…"
    rule = error.validator if isinstance(error.validator, str) else "false"
    return Violation(json_path(error.absolute_path, root), rule, text)


def _nearest(error: ValidationError) -> ValidationError:
    """Of the branches of ``anyOf`` and ``oneOf``, the error furthest inside the value."""
    for _ in range(500):
        if not error.context:
            break
        error = max(error.context, key=lambda one: len(one.path))
    return error


def _check_size(schema: Any) -> None:
    if not isinstance(schema, Mapping | bool):
        raise VerifierConfigError(
            f"a JSON Schema is an object, or true or false, not {shown(schema)}"
        )
    nodes, stack = 0, [(schema, 0)]
    while stack:
        one, level = stack.pop()
        nodes += 1 + len(one) // 100 if isinstance(one, str) else 1
        if nodes > MOST_NODES:
            raise VerifierConfigError(f"the schema holds more than {MOST_NODES:,} values")
        if level > MOST_LEVELS:
            raise VerifierConfigError(f"the schema is nested more than {MOST_LEVELS} levels deep")
        if isinstance(one, Mapping):
            stack.extend((inner, level + 1) for inner in one.values())
        elif isinstance(one, list | tuple):
            stack.extend((inner, level + 1) for inner in one)
    fault = fault_of(schema)
    if fault:
        raise VerifierConfigError(f"the schema is no JSON: {fault.text}")


def _check_finite(schema: Any) -> None:
    place = next(not_finite(schema), None)
    if place is not None:
        raise VerifierConfigError(f"{json_path(place)}: NaN and infinity are no JSON numbers")


@cache
def _metaschemas(draft: Any) -> Any:
    """A bounded validator of schemas: the library's metaschemas, without the ``$schema`` by which
    it would find its own validators."""
    resources = []
    for uri in REGISTRY:
        contents = dict(REGISTRY[uri].contents)
        specification = specification_with(contents.pop("$schema", _DEFAULT))
        resources.append((uri, specification.create_resource(contents)))
    own = {key: inner for key, inner in draft.META_SCHEMA.items() if key != "$schema"}
    return _validator(draft, own, EMPTY_REGISTRY.with_resources(resources).crawl())


def _validator(draft: Any, schema: Any, registry: Any) -> Any:
    """A bounded validator that knows only what is in the registry: the library would add its
    metaschemas, by which it would find its own validators."""
    resource = _specification(draft).create_resource(schema)
    return bounded(draft)(schema, _resolver=registry.resolver_with_root(resource))


def _specification(draft: Any) -> Any:
    return specification_with(draft.ID_OF(draft.META_SCHEMA))


def _check_by_metaschema(draft: Any, schema: Any) -> None:
    token = running.set(Run(Budget(MOST_NODES), formats=False))
    try:
        error = next(_metaschemas(draft).iter_errors(schema), None)
    except RecursionError as deep:
        raise VerifierConfigError("the schema is nested too deep") from deep
    except VerifierError as costly:
        raise VerifierConfigError("the schema is too large") from costly
    finally:
        running.reset(token)
    if error is not None:
        raise VerifierConfigError(f"the schema is not valid: {_violation(error, '$')}")


class _Reader:
    """Walks a schema and all it refers to, once, and refuses what could not be checked."""

    def __init__(self, draft: Any, root: Any) -> None:
        self._draft = draft
        self._implied = Implied()
        self._parts: list[Mapping[str, Any]] = []
        self._specification = _specification(draft)
        resource = self._specification.create_resource(root)
        resolver = EMPTY_REGISTRY.resolver_with_root(resource)
        self._stack: list[tuple[Any, Any, tuple[str | int, ...]]] = [(root, resolver, ())]
        self._seen: set[int] = set()
        self._leads_to: dict[int, list[int]] = {}
        self._places: dict[int, str] = {}

    def read(self) -> Implied:
        while self._stack:
            schema, resolver, place = self._stack.pop()
            if isinstance(schema, bool) or id(schema) in self._seen:
                continue
            if not isinstance(schema, dict):
                raise VerifierConfigError(f"{json_path(place)}: a $ref leads to no schema")
            self._seen.add(id(schema))
            self._places[id(schema)] = json_path(place)
            self._read_one(schema, resolver, place)
        self._refuse_circles()
        for schema in self._parts:
            self._implied.finish(schema)
        return self._implied

    def _read_one(self, schema: Any, resolver: Any, place: tuple[str | int, ...]) -> None:
        if "$schema" in schema:
            raise VerifierConfigError(f"{json_path(place)}.$schema: only the top may name a draft")
        if place:
            try:
                resource = self._specification.create_resource(schema)
                resolver = resolver.in_subresource(resource)
            except Exception as error:
                raise VerifierConfigError(f"{json_path(place)}.$id: {error}") from error
        check_keywords(self._draft, schema, place)
        _check_words(schema, place)
        self._parts.append(schema)
        for word in _REFERENCES:
            if word in schema:
                found = _looked_up(resolver, word, schema[word], place)
                self._stack.append((found.contents, found.resolver, (*place, word)))
                self._lead(schema, found.contents)
                self._implied.targets.setdefault(id(schema), []).append(found.contents)
        for word, inner, where in _subschemas(schema):
            self._stack.append((inner, resolver, (*place, *where)))
            self._implied.place(word, inner, schema)
            if word in _IN_PLACE:
                self._lead(schema, inner)

    def _lead(self, schema: Any, to: Any) -> None:
        self._leads_to.setdefault(id(schema), []).append(id(to))

    def _refuse_circles(self) -> None:
        """A schema that applies itself to the same value would never end."""
        done: set[int] = set()
        for start in self._leads_to:
            open_now: set[int] = set()
            stack = [(start, False)]
            while stack:
                one, leaving = stack.pop()
                if leaving:
                    open_now.discard(one)
                    done.add(one)
                elif one in open_now:
                    raise VerifierConfigError(
                        f"{self._places.get(one, '$')}: the schema refers to itself without end"
                    )
                elif one not in done:
                    open_now.add(one)
                    stack.append((one, True))
                    stack.extend((to, False) for to in self._leads_to.get(one, ()))


def _looked_up(resolver: Any, word: str, reference: Any, place: Sequence[str | int]) -> Any:
    try:
        if word == "$recursiveRef":
            return lookup_recursive_ref(resolver)
        return resolver.lookup(reference)
    except (Unresolvable, ValueError, TypeError, KeyError, AttributeError) as error:
        raise VerifierConfigError(
            f"{json_path(place)}.{word}: {shown(reference)} is not in this schema, and nothing "
            "is fetched: put what it refers to under `$defs`"
        ) from error


def _check_words(schema: Mapping[str, Any], place: Sequence[str | int]) -> None:
    name = schema.get("format")
    if isinstance(name, str) and name not in FORMATS:
        raise VerifierConfigError(
            f"{json_path(place)}.format: {shown(name)} is not checked here, and would hold for "
            f"anything: expected one of {', '.join(FORMATS)}; or use `pattern`"
        )
    patterns = [schema["pattern"]] if isinstance(schema.get("pattern"), str) else []
    patterns += list(schema.get("patternProperties") or ())
    for text in patterns:
        try:
            pattern(text)
        except VerifierConfigError as error:
            raise VerifierConfigError(f"{json_path(place)}: {error}") from error


def _subschemas(schema: Mapping[str, Any]) -> Iterator[tuple[str, Any, tuple[str | int, ...]]]:
    for word, inner in schema.items():
        if word in _ONE and isinstance(inner, dict):
            yield word, inner, (word,)
        elif word in _LIST and isinstance(inner, list):
            yield from ((word, one, (word, n)) for n, one in enumerate(inner))
        elif word in _MAP and isinstance(inner, dict):
            # A dependency may be a list of names instead of a schema.
            yield from (
                (word, one, (word, key)) for key, one in inner.items() if not isinstance(one, list)
            )
