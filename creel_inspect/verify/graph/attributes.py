"""Comparing the attributes of two elements that are thought to be one."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from creel_inspect.verify.graph.canonical import digest
from creel_inspect.verify.graph.resolution import Resolution, Side, natural
from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import Context, VerifierError


@dataclass(frozen=True)
class Wrong:
    """An attribute whose verifier did not let it pass, or (``code``) could not tell."""

    path: str
    reason: str
    code: str | None = None


@dataclass(frozen=True)
class Compared:
    """The attributes of one pair of elements.

    Attributes:
        right: How many of the shared ones pass.
        wrong: Those that do not.
        unmeasured: Those whose verifier could not tell.
        missing: Names that only the expected element has.
        extra: Names that only the actual element has.
    """

    right: int
    wrong: tuple[Wrong, ...]
    unmeasured: tuple[Wrong, ...]
    missing: tuple[str, ...]
    extra: tuple[str, ...]


class Comparison:
    """Compares attributes with the verifiers of a resolution, each told where it is."""

    def __init__(self, resolution: Resolution, context: Context) -> None:
        self._resolution, self._context = resolution, context

    async def compare(
        self,
        side: Side,
        types: tuple[str, ...],
        element: str,
        expected: Mapping[str, Any],
        actual: Mapping[str, Any],
    ) -> Compared:
        """Compares what one expected element says with what an actual one does."""
        right = 0
        wrong: list[Wrong] = []
        unmeasured: list[Wrong] = []
        for name in sorted(expected.keys() & actual.keys()):
            found = await self._one(side, types, element, name, expected[name], actual[name])
            if found is None:
                right += 1
            elif found.code is None:
                wrong.append(found)
            else:
                unmeasured.append(found)
        return Compared(
            right,
            tuple(wrong),
            tuple(unmeasured),
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
    ) -> Wrong | None:
        chosen = self._resolution.choose(side, types, element, name)
        # A configured verifier may want more than equality (that it is grounded, or valid).
        if chosen.verifier is None and same(expected, actual):
            return None
        # What the context says of unit and description, it says of the graph.
        context = dataclasses.replace(self._context, path=chosen.path, unit=None, description=None)
        try:
            comparing = chosen.verifier or natural(expected)
            verdict = await comparing.averify(actual, expected, context=context)
        except VerifierError as error:
            return Wrong(shown_path(chosen.path), str(error)[:300], error.code)
        return None if verdict.passed else Wrong(shown_path(chosen.path), verdict.reason[:300])


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
