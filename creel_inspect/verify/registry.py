"""Verifier kinds by name: the package's own, and those that others add.

A kind is added by the decorator, or by an entry point of the group ``creel_inspect.verifiers``
whose name is the kind and whose value is its class.
"""

import dataclasses
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

from pydantic import BeforeValidator, ConfigDict, InstanceOf, ValidationError

from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import Verifier, VerifierConfigError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "creel_inspect.verifiers"

_HOMES = {
    "exact": "creel_inspect.verify.exact:Exact",
    "normalized": "creel_inspect.verify.normalized:Normalized",
    "numeric_tolerance": "creel_inspect.verify.numeric:NumericTolerance",
    "set_match": "creel_inspect.verify.sets.sets:SetMatch",
    "graph_match": "creel_inspect.verify.graph.match:GraphMatch",
    "schema_constraint": "creel_inspect.verify.schema.schema:SchemaConstraint",
    "semantic_similarity": "creel_inspect.verify.semantic.semantic:SemanticSimilarity",
    "llm_rubric": "creel_inspect.verify.rubric.rubric:LlmRubric",
    "composite": "creel_inspect.verify.composite:Composite",
}
_added: dict[str, type[Verifier]] = {}
_MOST_NESTED = 20

CONFIG = ConfigDict(extra="forbid", arbitrary_types_allowed=True)
"""For a kind's ``pydantic.dataclasses.dataclass``: its fields are its configuration keys."""

Kind = TypeVar("Kind", bound=type[Any])


def verifier(kind: str) -> Callable[[Kind], Kind]:
    """Registers a verifier class under a name.

    Raises:
        VerifierConfigError: If the name is taken by another class.
    """

    def register(made: Kind) -> Kind:
        home = f"{made.__module__}:{made.__qualname__}"
        taken = _added.get(kind)
        other = taken and f"{taken.__module__}:{taken.__qualname__}" != home
        if other or (kind in _HOMES and _HOMES[kind] != home):
            raise VerifierConfigError(f"a verifier kind is already called {kind!r}")
        made.kind = kind
        _added[kind] = made
        return made

    return register


@cache
def _from_others() -> dict[str, "EntryPoint"]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - not needed to import the package

    return {found.name: found for found in entry_points(group=GROUP)}


def verifier_kinds() -> tuple[str, ...]:
    """The names of all kinds: the package's own first, the cheapest first, then others'."""
    others = sorted(({*_added, *_from_others()}) - set(_HOMES))
    return (*_HOMES, *others)


def verifier_class(kind: str) -> type[Verifier]:
    """The class of a kind.

    Raises:
        VerifierConfigError: If there is no such kind, or another package's cannot be loaded.
    """
    if kind in _added:
        return _added[kind]
    if kind in _HOMES:
        module, name = _HOMES[kind].split(":")
        return getattr(import_module(module), name)
    if kind not in _from_others():
        raise VerifierConfigError(
            f"no verifier kind is called {shown(kind)}: "
            f"expected one of {', '.join(verifier_kinds())}"
        )
    point = _from_others()[kind]
    try:
        found = point.load()
    except Exception as error:
        raise VerifierConfigError(
            f"the verifier kind {kind!r} ({point.value}) does not load: {error}"
        ) from error
    if not (isinstance(found, type) and issubclass(found, Verifier)):
        raise VerifierConfigError(f"{point.value} is not a subclass of Verifier")
    made: type[Verifier] = verifier(kind)(found)
    return made


def build_verifier(kind: str, /, **config: Any) -> Verifier:
    """A verifier of a kind, configured.

    Raises:
        VerifierConfigError: For an unknown kind, unknown keys or values that do not fit.
    """
    made = verifier_class(kind)
    if _levels(config) > _MOST_NESTED:
        raise VerifierConfigError(f"{kind}: verifiers are nested over {_MOST_NESTED} levels deep")
    if not dataclasses.is_dataclass(made):
        return made(**config)
    keys = [one.name for one in dataclasses.fields(made) if one.init]
    unknown = [key for key in config if key not in keys]
    if unknown:
        raise VerifierConfigError(
            f"{kind} has no key {', '.join(map(shown, unknown))}: "
            + (f"its keys are {', '.join(keys)}" if keys else "it has no keys")
        )
    try:
        return made(**config)
    except ValidationError as error:
        said = "; ".join(_told(kind, one) for one in error.errors()[:5])
        raise VerifierConfigError(said) from error


def _told(kind: str, error: Any) -> str:
    place = ".".join(str(part) for part in error["loc"])
    message = error["msg"].removeprefix("Value error, ").replace("Input should be", "expected")
    message = message.replace("a valid tuple", "a list").replace("a valid dictionary", "a mapping")
    # What concerns several keys at once has no place, and its input is the library's own.
    came = f" (came: {shown(error['input'])})" if place and error["type"] != "missing" else ""
    return f"{kind}: {place + ': ' if place else ''}{message}{came}"


def _levels(config: Any) -> int:
    """How deep the containers of a configuration are nested, up to one more than is allowed.

    A JSON Schema may be deep, and is bounded where it is read; what counts here are verifiers.
    """
    deepest, stack = 0, [(config, 0)]
    while stack and deepest <= _MOST_NESTED:
        one, level = stack.pop()
        if isinstance(one, Mapping):
            level += "kind" in one
            stack.extend((inner, level) for inner in one.values())
        elif isinstance(one, list | tuple):
            stack.extend((inner, level) for inner in one)
        deepest = max(deepest, level)
    return deepest


def verifier_from(spec: Any) -> Verifier:
    """A verifier from how a file writes one: ``exact``, or ``{"kind": "exact", …}``.

    Raises:
        VerifierConfigError: If it is neither, or the kind refuses it.
    """
    if isinstance(spec, Verifier):
        return spec
    if isinstance(spec, str):
        return build_verifier(spec)
    if isinstance(spec, Mapping) and isinstance(spec.get("kind"), str):
        if not all(isinstance(key, str) for key in spec):
            raise VerifierConfigError(f"a verifier's keys are text: {shown(dict(spec))}")
        return build_verifier(spec["kind"], **{k: v for k, v in spec.items() if k != "kind"})
    raise VerifierConfigError(
        f"a verifier is written as its kind, or as a mapping with a `kind`, not as {shown(spec)}"
    )


VerifierSpec: TypeAlias = Annotated[InstanceOf[Verifier], BeforeValidator(verifier_from)]
"""A configuration field that holds another verifier."""
