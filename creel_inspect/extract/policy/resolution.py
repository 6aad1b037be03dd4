"""Which verifier compares an attribute of an expected element, and where it was named.

For the attribute ``a`` of an element ``id`` whose most specific type is ``T``, the first of these
that is written somewhere:

1. ``node.T[id].a``, then the same for the types above ``T``; then ``node.T[id]``, and so on up.
   What a case's ``verifiers.yaml`` says of a path comes before what the policy says of it.
2. ``node.T.a``, then ``node.PARENT.a`` and so on up.
3. ``node.T``, then ``node.PARENT`` and so on up.
4. ``node`` (or ``edge``).
5. ``defaults.<range>`` of the policy (``defaults.enum`` for an enumeration), then ``defaults.any``.
6. A rubric made from the attribute's description, behind a cheap check (``default_verifier``).

Whatever is named, a judge never overrules a deterministic fail of a number, a date, a truth value,
an enumeration or a code (``default_verifier.judged_last``).

The types above ``T`` are the grammar's lineage: ``is_a`` upwards, then mixins as they are listed.
Two mixins that name different verifiers for one attribute are no tie: the first listed wins.

A verifier that is named for the attribute itself gets the value as it is. One named for a whole
type, an element, a side or a range compares single values: of a multivalued attribute, its items.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from typing import Any

from creel_inspect.extract.grammar.model import Attribute, Grammar
from creel_inspect.extract.policy.default_verifier import (
    as_spec,
    for_items,
    from_description,
    judged_last,
)
from creel_inspect.extract.policy.paths import Place, places
from creel_inspect.extract.policy.policy import LONGEST_PATH, MOST_PATHS, Policy
from creel_inspect.verify.graph.model import Graph
from creel_inspect.verify.graph.resolution import Chosen, Side
from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import Verifier, VerifierConfigError, VerifierError
from creel_inspect.verify.registry import verifier_from

OVERRIDES = "verifiers.yaml"
FROM_DESCRIPTION = "description (llm_rubric)"
BY_VALUE = "the value's own kind (not in the grammar)"
NOT_WRITTEN = "not written"

_MOST_FAULTS = 5


@dataclass(frozen=True)
class Row:
    """One line of an explanation.

    Attributes:
        path: A taxonomy path, or ``defaults.<range>``, or ``description``.
        kind: The verifier's kind; empty where nothing is written under that path.
        spec: The verifier as it is written; None where nothing is.
        origin: Where it is named, or ``not written``.
        won: Whether it is the one that counts.
    """

    path: str
    kind: str
    spec: Any
    origin: str
    won: bool = True


@dataclass(frozen=True)
class _Entry:
    """A verifier under a path of a policy, or of a case's overrides."""

    path: str
    verifier: Verifier
    spec: Any
    source: str


@dataclass(frozen=True)
class _Candidate:
    """One step of the chain; ``verifier`` is None where nothing is written there."""

    path: str
    verifier: Verifier | None = None
    spec: Any = None
    origin: str = NOT_WRITTEN


class PolicyResolution:
    """A grammar, a policy and a case's overrides, joined.

    Args:
        grammar: The types, their lineage, and what is declared of each attribute.
        policy: Verifiers by range and by path.
        overrides: Specs for single elements of a case, by path, as ``verifiers.yaml`` has them.

    Raises:
        VerifierConfigError: If a path names no type or attribute of the grammar, a spec of the
            overrides cannot be built, or an override is for more than one element. The message
            names the file and the path, and names that are near; up to five faults at once.
    """

    def __init__(
        self, grammar: Grammar, policy: Policy, overrides: Mapping[str, Any] | None = None
    ) -> None:
        self._grammar, self._policy = grammar, policy
        self._entries: dict[Place, _Entry] = {}
        self._overridden: dict[str, tuple[Place, ...]] = {}
        self._chosen: dict[tuple[Side, str | None, str | None, str], Chosen] = {}
        self._types: dict[tuple[Side, tuple[str, ...]], str | None] = {}
        if len(overrides or {}) > MOST_PATHS:
            raise VerifierConfigError(f"{OVERRIDES}: expected at most {MOST_PATHS:,} verifiers")
        steps: Iterator[Callable[[], None]] = chain(
            (partial(self._add_policy, path) for path in policy.verifiers if path != "graph"),
            (partial(self._override, path, spec) for path, spec in (overrides or {}).items()),
        )
        faults: list[str] = []
        for step in steps:
            try:
                step()
            except VerifierConfigError as error:
                faults.append(str(error))
            if len(faults) == _MOST_FAULTS:  # to look for near names takes its time
                faults.append("there may be more")
                break
        if faults:
            raise VerifierConfigError("; ".join(faults))
        self._elements = {(one.side, one.element) for one in self._entries if one.element}

    def _add_policy(self, path: str) -> None:
        policy = self._policy
        spec = policy.written.get(path)
        self._add(_Entry(path, policy.verifiers[path], spec, policy.source))

    def _override(self, path: Any, spec: Any) -> None:
        if not isinstance(path, str) or len(path) > LONGEST_PATH:
            raise VerifierConfigError(f"{OVERRIDES}: expected a taxonomy path, came {shown(path)}")
        try:
            verifier = verifier_from(spec)
        except VerifierError as error:
            raise VerifierConfigError(f"{OVERRIDES}: {shown(path)}: {error}") from error
        found = self._add(_Entry(path, verifier, spec, OVERRIDES))
        if any(place.element is None for place in found):
            raise VerifierConfigError(
                f"{OVERRIDES}: {shown(path)} is for more than one element: expected `[id]` after "
                "the type; what holds for a type is said in a policy"
            )
        self._overridden[path] = found

    def _add(self, entry: _Entry) -> tuple[Place, ...]:
        try:
            found = places(entry.path, self._grammar)
        except VerifierConfigError as error:
            raise VerifierConfigError(f"{entry.source}: {error}") from error
        self._entries.update(dict.fromkeys(found, entry))
        return found

    def choose(self, side: Side, types: tuple[str, ...], element: str, attribute: str) -> Chosen:
        """The verifier of one attribute of one expected element.

        Args:
            side: ``node`` or ``edge``.
            types: The expected element's types. The most specific counts; of several, the first.
            element: The expected element's id.
            attribute: The attribute's name.

        Returns:
            With the unit and description that the grammar gives the attribute. An attribute that
            the grammar does not declare, for which nothing is written, has no verifier: its
            value's own kind decides.
        """
        kind = self._type_of(side, types)
        own = element if (side, element) in self._elements else None
        key = (side, kind, own, attribute)
        if key not in self._chosen:
            self._chosen[key] = self._choose(Place(side, kind, own, attribute), attribute)
        chosen = self._chosen[key]
        path = str(Place(side, kind, element, attribute))
        return Chosen(chosen.verifier, path, chosen.unit, chosen.description, chosen.origin)

    def graph(self) -> Chosen | None:
        """The verifier of the whole candidate graph, if the policy names one."""
        verifier = self._policy.verifiers.get("graph")
        if verifier is None:
            return None
        described = self._grammar.description or None
        return Chosen(verifier, "graph", None, described, f"{self._policy.source}: graph")

    @cached_property
    def asks(self) -> bool:
        """Whether a model may be asked, about an attribute or the whole graph."""
        return any(one.asks for one in self._in_use())

    @cached_property
    def needs_judge(self) -> bool:
        """Whether a judge may be asked."""
        return any(one.needs_judge for one in self._in_use())

    def _in_use(self) -> Iterator[Verifier]:
        yield from (one.verifier for place, one in self._entries.items() if place.element)
        if "graph" in self._policy.verifiers:
            yield self._policy.verifiers["graph"]
        for place in self._declared():
            chosen = self._choose(place, str(place.attribute))
            if chosen.verifier:
                yield chosen.verifier

    def unmatched(self, expected: Graph) -> list[str]:
        """The overrides that are for nothing in an expected graph, in their order.

        An override applies if an element has its id and its type (or one below it), and, where it
        names an attribute, has that attribute.
        """
        held: dict[tuple[Side, str], tuple[tuple[str, ...], Mapping[str, Any]]] = {}
        for name, node in expected.nodes.items():
            held["node", name] = (node.types, node.attributes)
        for edge in expected.edges:
            held["edge", edge.id] = ((edge.type,), edge.attributes)

        def applies(place: Place) -> bool:
            if place.element is None or (place.side, place.element) not in held:
                return False
            types, attributes = held[place.side, place.element]
            within = place.type in self._lineage(place.side, self._type_of(place.side, types))
            return within and (place.attribute is None or place.attribute in attributes)

        return [path for path, found in self._overridden.items() if not any(map(applies, found))]

    def explain(self, path: str | None = None) -> list[Row]:
        """Which verifier counts for each path, and where it is named.

        Args:
            path: An attribute's path: every step of the chain in order, the one that counts marked
                as ``won``. A type's, an element's or a side's: a row for each of its attributes.
                Left out: the whole graph's verifier, if there is one; each declared attribute of
                each type that is not abstract; then every verifier that is for one element.

        Raises:
            VerifierConfigError: If the path names no type or attribute of the grammar.
        """
        if path == "graph" or path is None:
            rows = self._graph_rows()
            if path is None:
                rows += [self._row(place) for place in self._declared()]
                rows += [
                    Row(one.path, one.verifier.kind, one.spec, f"{one.source}: {one.path}")
                    for place, one in self._entries.items()
                    if place.element
                ]
            return rows
        return [row for place in places(path, self._grammar) for row in self._explained(place)]

    def _explained(self, place: Place) -> Iterator[Row]:
        if place.attribute is not None:
            yield from self._chain_rows(place, place.attribute)
        elif place.type is not None:
            for name in self._grammar.attributes(place.side, place.type):
                yield self._row(Place(place.side, place.type, place.element, name))
        else:
            yield from (self._row(one) for one in self._declared() if one.side == place.side)

    def _graph_rows(self) -> list[Row]:
        chosen = self.graph()
        if chosen is None or chosen.verifier is None:
            return []
        spec = self._policy.written["graph"]
        return [Row("graph", chosen.verifier.kind, spec, chosen.origin)]

    def _row(self, place: Place) -> Row:
        won = next(row for row in self._chain_rows(place, str(place.attribute)) if row.won)
        return Row(str(place), won.kind, won.spec, won.origin)

    def _chain_rows(self, place: Place, attribute: str) -> Iterator[Row]:
        before = False
        for one in self._chain(place, attribute):
            if one.verifier is None:
                yield Row(one.path, "", None, one.origin, won=False)
            else:
                yield Row(one.path, one.verifier.kind, one.spec, one.origin, won=not before)
                before = True

    def _declared(self) -> Iterator[Place]:
        sides: tuple[Side, ...] = ("node", "edge")
        for side in sides:
            for kind, declared in self._grammar.types(side).items():
                if not declared.abstract:
                    for name in self._grammar.attributes(side, kind):
                        yield Place(side, kind, None, name)

    def _choose(self, place: Place, attribute: str) -> Chosen:
        declared = self._attribute(place)
        won = next((one for one in self._chain(place, attribute) if one.verifier), None)
        verifier = won.verifier if won else None
        if verifier is not None and declared is not None:
            verifier = judged_last(verifier, self._grammar.nature(declared), declared)
        return Chosen(
            verifier,
            str(place),
            declared.unit if declared else None,
            _words(place, declared) if declared else None,
            won.origin if won else BY_VALUE,
        )

    def _chain(self, place: Place, attribute: str) -> Iterator[_Candidate]:
        """The steps in order, whether or not anything is written there."""
        side, declared = place.side, self._attribute(place)
        many = declared is not None and declared.multivalued
        lineage = self._lineage(side, place.type)
        holders = [one for one in lineage if self._grammar.attribute(side, one, attribute)]
        for element in (place.element, None) if place.element else (None,):
            for inner, kinds in ((attribute, holders), (None, lineage)):
                for kind in kinds:
                    one = Place(side, kind, element, inner)
                    yield self._written(one, place.type, many and inner is None)
        yield self._written(Place(side), place.type, many)
        if declared is not None:
            nature = self._grammar.nature(declared)
            yield self._by_default(nature, many)
            yield self._by_default("any", many)
            verifier = from_description(nature, declared, _described(place, declared))
            yield _Candidate("description", verifier, as_spec(verifier), FROM_DESCRIPTION)
        else:
            yield self._by_default("any", many)

    def _written(self, place: Place, kind: str | None, by_item: bool) -> _Candidate:
        entry = self._entries.get(place)
        if entry is None:
            return _Candidate(str(place))
        origin = f"{entry.source}: {entry.path}"
        if place.type is not None and place.type != kind:
            origin += f" (from {self._relation(place.side, kind, place.type)} {place.type})"
        verifier, spec = _for_items(entry.verifier, entry.spec, by_item)
        return _Candidate(str(place), verifier, spec, origin)

    def _by_default(self, nature: str, many: bool) -> _Candidate:
        key = f"defaults.{nature}"
        verifier = self._policy.defaults.get(nature)
        if verifier is None:
            return _Candidate(key)
        verifier, spec = _for_items(verifier, self._policy.written[key], many)
        return _Candidate(key, verifier, spec, f"{self._policy.source}: {key}")

    def _relation(self, side: Side, kind: str | None, above: str) -> str:
        """How a type comes by another that is above it: ``is_a`` all the way, or by a mixin."""
        types = self._grammar.types(side)
        for _ in types:  # at most so many steps, should a grammar that was not checked go round
            kind = types[kind].is_a if kind is not None and kind in types else None
            if kind == above:
                return "is_a"
        return "mixin"

    def _attribute(self, place: Place) -> Attribute | None:
        if place.type is None or place.attribute is None:
            return None
        return self._grammar.attribute(place.side, place.type, place.attribute)

    def _lineage(self, side: Side, kind: str | None) -> tuple[str, ...]:
        return () if kind is None else self._grammar.lineage(side, kind)

    def _type_of(self, side: Side, types: tuple[str, ...]) -> str | None:
        """The type that counts: the most specific that the grammar has, or else the first."""
        key = (side, types)
        if key not in self._types:
            known = [one for one in types if one in self._grammar.types(side)]
            specific = self._grammar.most_specific(side, known or types)
            self._types[key] = specific[0] if specific else None
        return self._types[key]


def _for_items(verifier: Verifier, spec: Any, many: bool) -> tuple[Verifier, Any]:
    """A verifier and how it is written: of single values, or of the items of a list."""
    adapted = for_items(verifier) if many else verifier
    if adapted is verifier:
        return verifier, spec
    return adapted, {"kind": adapted.kind, "item": spec}


def _words(place: Place, declared: Attribute) -> str:
    """An attribute's description, or its name and type: a judge must know what it judges."""
    said = (declared.description or "").strip()
    return said or f"`{place.attribute}` of `{place.type}`"


def _described(place: Place, declared: Attribute) -> str:
    said = (declared.description or "").strip()
    return f"`{place.attribute}` of `{place.type}`" + (f": {said}" if said else "")
