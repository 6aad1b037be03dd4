"""Conditions as they are read, and the cursor they are read with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from creel_inspect.providers.baseline.quantities import Bound
from creel_inspect.providers.baseline.scan import CannotAnswer, Item
from creel_inspect.providers.baseline.schema import conjunction, disjunction
from creel_inspect.providers.baseline.units import compare, comparisons

COMPONENTS = "inputs.components"
PRODUCTS = "outcomes.products"
MEASUREMENTS = "outcomes.products.measurements"
OUTCOMES = "outcomes"
INPUTS = "inputs"
WORKUPS = "workups"

Predicate = dict[str, Any]


@dataclass
class Clause:
    """Conditions on one element of a level, or on the reaction itself.

    Attributes:
        level: Path of the repeated level; "" for the reaction.
        predicates: All have to hold of the same element, which their paths are relative to.
        negated: Whether no element may satisfy them.
        every: Whether every element has to (of those that satisfy ``scope``).
        scope: For ``every``: which elements are meant.
        joiner: How it joins the clause before it: "and" or "or".
        linked: Whether the word "and" stood between the two.
    """

    level: str
    predicates: list[Predicate] = field(default_factory=list)
    negated: bool = False
    every: bool = False
    scope: list[Predicate] = field(default_factory=list)
    joiner: str = "and"
    linked: bool = False


@dataclass
class Cursor:
    """The items of a question, and the place reading has got to.

    Attributes:
        items: What remains after dates and bounds were joined and the intent was taken out.
        structures: Placeholder names mapped to their format labels.
        question: The question as asked.
        index: The item to be read next.
        negated: Whether "not", "no" or "without" is waiting for what follows.
        every: Whether "all", "every" or "only" is, and which word.
        frame: The clause that following details belong to ("a wash with water for 5 min").
        found: The clauses read so far.
        dated: The date column last spoken of.
    """

    items: list[Item]
    structures: Mapping[str, str]
    question: str
    index: int = 0
    negated: bool = False
    every: str = ""
    frame: Clause | None = None
    found: list[Clause] = field(default_factory=list)
    dated: str | None = None

    def at(self, kind: str, offset: int = 0) -> bool:
        """Says whether the item at an offset could mean a kind."""
        position = self.index + offset
        return 0 <= position < len(self.items) and kind in self.items[position]

    def peek(self, offset: int = 0) -> Item | None:
        """Returns the item at an offset, or None beyond either end."""
        position = self.index + offset
        return self.items[position] if 0 <= position < len(self.items) else None

    def text(self, offset: int = 0) -> str:
        """Returns the item's text in lower case; "" beyond either end."""
        item = self.peek(offset)
        return "" if item is None else item.text.lower()

    def value(self, kind: str, offset: int = 0) -> Any:
        """Returns what an item means as a kind."""
        item = self.peek(offset)
        assert item is not None
        return item[kind]

    def skip(self, *kinds: str) -> None:
        """Passes over fillers and items that could mean one of the kinds."""
        while self.index < len(self.items) and (
            self.items[self.index].empty or any(kind in self.items[self.index] for kind in kinds)
        ):
            self.index += 1

    def last(self, level: str) -> Clause | None:
        """Returns the clause just read, if it is a positive one of this level."""
        if self.found and self.found[-1].level == level and not self.found[-1].negated:
            return self.found[-1]
        return None


def reads_as_enum(cursor: Cursor) -> bool:
    """Says whether a word for a substance is here an atmosphere, a material or the like."""
    if not cursor.at("enum"):
        return False
    texts = [cursor.text(offset) for offset in (-3, -2, -1, 1, 2)]
    if not (cursor.at("compound") or cursor.at("metal")):
        return True
    before = cursor.peek(-2)
    if cursor.at("of", -1) and before is not None and "bound" in before:
        return bool(before["bound"].dimension == "pressure")
    return (
        cursor.at("under", -1)
        or any("atmosphere" in text for text in texts)
        or (cursor.at("or", -1) and (cursor.at("under", -3) or "atmosphere" in cursor.text(1)))
        or cursor.text(1) in ("gas", "blanket", "headspace", "tubing", "vessel", "reactor", "bath")
    )


def bounded(path: str, bound: Bound) -> Predicate:
    """Returns the predicate that holds a column to a bound."""
    return disjunction([conjunction(comparisons(path, each)) for each in bound.alternatives])


def dated(path: str, alternatives: list[list[tuple[str, str]]]) -> Predicate:
    """Returns the predicate that holds a date column to alternatives of day comparisons."""
    return disjunction(
        [conjunction([compare(op, path, day) for op, day in each]) for each in alternatives]
    )


AMOUNTS = {
    "mass": "amount.mass_grams",
    "moles": "amount.moles_moles",
    "volume": "amount.volume_liters",
}


def amount(bound: Bound) -> Predicate | None:
    """Returns an amount's predicate on a component, or None if the bound is no amount."""
    path = AMOUNTS.get(bound.dimension or "")
    return None if path is None else bounded(path, bound)


def refuse(message: str) -> CannotAnswer:
    """Returns the refusal to raise, for a question that is understood but cannot be asked."""
    return CannotAnswer(message)
