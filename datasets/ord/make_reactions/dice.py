"""Choices that depend on a key alone, so adding a reaction never moves another one's choices."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

SEED = "creel-inspect demo reactions, 1"

T = TypeVar("T")


def digest(*parts: str) -> str:
    """Return 32 hexadecimal digits that are a function of the seed and ``parts``."""
    text = "\x1f".join((SEED, *parts))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Dice:
    """Draws for one reaction. Each draw is named, and its name decides it with ``key``.

    A hash rather than ``random``: the stream of a generator shifts when a draw is added in the
    middle, which would change every reaction after it.
    """

    key: str

    def fraction(self, name: str) -> float:
        """Return a number in [0, 1)."""
        return int(digest(self.key, name)[:13], 16) / 16**13

    def chance(self, name: str, probability: float) -> bool:
        """Return True for about ``probability`` of all keys."""
        return self.fraction(name) < probability

    def choice(self, name: str, options: Sequence[T]) -> T:
        """Return one of ``options``; repeat an option to make it likelier."""
        return options[int(self.fraction(name) * len(options))]

    def integer(self, name: str, low: int, high: int) -> int:
        """Return a whole number from ``low`` to ``high``, both included."""
        return low + int(self.fraction(name) * (high - low + 1))
