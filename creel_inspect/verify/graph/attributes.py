"""Comparing the attributes of two elements that are thought to be one."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from creel_inspect.verify.graph.canonical import digest
from creel_inspect.verify.graph.resolution import Chosen, Side, natural
from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import Context, VerifierError

_MOST_REASON = 300


@dataclass(frozen=True)
class Asked:
    """An attribute that both elements have, and what its verifier said.

    Attributes:
        name: The attribute.
        chosen: The verifier configured for it, and where that was said.
        kind: The kind of the verifier that was asked; empty where equality was enough.
        passed: None where the verifier could not tell; ``code`` then says why.
        reason: The verifier's words, shortened.
        score: What the verifier gave, 0 to 1; None where it could not tell.
    """

    name: str
    chosen: Chosen
    kind: str
    passed: bool | None
    reason: str
    code: str | None = None
    score: float | None = None

    @property
    def path(self) -> str:
        """The taxonomy path, for a message."""
        return shown_path(self.chosen.path)


@dataclass(frozen=True)
class Compared:
    """The attributes of one pair of elements.

    Attributes:
        asked: Those that both have, by name.
        missing: Names that only the expected element has.
        extra: Names that only the actual element has.
    """

    asked: tuple[Asked, ...]
    missing: tuple[str, ...]
    extra: tuple[str, ...]

    @cached_property
    def right(self) -> int:
        """How many of the shared ones pass."""
        return sum(one.passed is True for one in self.asked)

    @cached_property
    def wrong(self) -> tuple[Asked, ...]:
        """Those that do not pass."""
        return tuple(one for one in self.asked if one.passed is False)

    @cached_property
    def unmeasured(self) -> tuple[Asked, ...]:
        """Those whose verifier could not tell."""
        return tuple(one for one in self.asked if one.passed is None)


class Choosing(Protocol):
    """What names the verifier of one attribute of one expected element."""

    def choose(
        self, side: Side, types: tuple[str, ...], element: str, attribute: str
    ) -> Chosen: ...


class Comparison:
    """Compares attributes with the verifiers of a resolution, each told where it is."""

    def __init__(self, resolution: Choosing, context: Context, *, asks: bool = True) -> None:
        self._resolution, self._context, self._asks = resolution, context, asks

    def unasked(self) -> "Comparison":
        """The same without a model: what only one could tell is unmeasured, unless it is equal."""
        without = dataclasses.replace(self._context, judge=None)
        return Comparison(self._resolution, without, asks=False)

    async def compare(
        self,
        side: Side,
        types: tuple[str, ...],
        element: str,
        expected: Mapping[str, Any],
        actual: Mapping[str, Any],
    ) -> Compared:
        """Compares what one expected element says with what an actual one does."""
        asked = [
            await self._one(side, types, element, name, expected[name], actual[name])
            for name in sorted(expected.keys() & actual.keys())
        ]
        return Compared(
            tuple(asked),
            tuple(sorted(expected.keys() - actual.keys())),
            tuple(sorted(actual.keys() - expected.keys())),
        )

    async def _one(
        self,
        side: Side,
        types: tuple[str, ...],
        element: str,
        name: str,
        expected: Any,
        actual: Any,
    ) -> Asked:
        chosen = self._resolution.choose(side, types, element, name)
        # A configured verifier may want more than equality (that it is grounded, or valid).
        if chosen.verifier is None and same(expected, actual):
            return Asked(name, chosen, "", True, "the same", score=1.0)
        # Without a model: one that asks a judge may decide all the same, another kind may not.
        named = chosen.verifier
        if not self._asks and named and named.asks and not named.needs_judge:
            passed = True if same(expected, actual) else None
            return Asked(name, chosen, named.kind, passed, "not asked", "skipped")
        # What the context says of unit and description, it says of the graph.
        context = dataclasses.replace(
            self._context, path=chosen.path, unit=chosen.unit, description=chosen.description
        )
        kind = chosen.verifier.kind if chosen.verifier else ""
        try:
            comparing = chosen.verifier or natural(expected)
            kind = comparing.kind
            verdict = await comparing.averify(actual, expected, context=context)
        except VerifierError as error:
            return Asked(name, chosen, kind, None, str(error)[:_MOST_REASON], error.code)
        reason = verdict.reason[:_MOST_REASON]
        return Asked(name, chosen, kind, verdict.passed, reason, score=verdict.score)


def shown_path(path: str) -> str:
    """A taxonomy path for a message: ids and names may be of any length."""
    return shown(path, 160)[1:-1]


def same(expected: Any, actual: Any) -> bool:
    """Whether two values are the same, type and all."""
    if type(expected) is not type(actual):
        return False
    if isinstance(expected, str | int):
        return bool(expected == actual)
    return digest(expected) == digest(actual)
