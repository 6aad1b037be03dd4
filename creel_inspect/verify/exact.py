"""Equality that knows types: ``True`` is not 1, and "1" is not 1."""

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Literal

from pydantic.dataclasses import dataclass

from creel_inspect.verify.equality import Equality
from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import (
    Code,
    Context,
    Example,
    VerdictScore,
    Verifier,
    failing,
    passing,
)
from creel_inspect.verify.registry import CONFIG, verifier
from creel_inspect.verify.values.text import Form, normal_form


class _TypedEquality(Equality):
    def __init__(self, *, by_value: bool, form: Form | None) -> None:
        self.by_value = by_value
        self._form = form

    def text_of(self, text: str) -> str:
        return normal_form(self._form, text) if self._form else text

    def key_of(self, key: str) -> str:
        return self.text_of(key)


@verifier("exact")
@dataclass(frozen=True, kw_only=True, config=CONFIG)
class Exact(Verifier):
    """Equality that knows types, to any depth. For identifiers, codes, enums and whole records.

    ``True`` is not 1, "1" is not 1, and None equals only None; a key that is missing is not a key
    that holds None. Lists are compared in order, and a tuple is a list; mappings by key; sets as
    sets, and a set is no list. NaN equals nothing, itself included. A date is not its text, and
    a time at another offset is another value, even at the same instant. The verdict names the
    first difference by its path, such as ``$.steps[3].unit``, and counts the rest.

    Attributes:
        numbers: ``typed``: 1, 1.0 and ``Decimal("1")`` differ. ``value``: they are equal, and a
            float is the number that it is written as, so that 0.1 equals ``Decimal("0.1")``.
            Under both 0.0 is -0.0, and ``Decimal("1.0")`` is ``Decimal("1.00")``.
        unicode: The normal form (UAX #15) in which texts and keys are compared. ``NFC`` and
            ``NFD``: canonically equivalent texts are equal (é, and e with a combining accent).
            ``NFKC``: also compatible ones (ﬁ and fi; but also 10² and 102). ``none``: code point
            by code point. Keys that are the same code points always belong together. If a form
            makes two others of a mapping one, a candidate fails; what is expected is ambiguous.
    """

    numbers: Literal["typed", "value"] = "typed"
    unicode: Literal["NFC", "NFD", "NFKC", "none"] = "NFC"

    def compare(self, actual: Any, expected: Any, context: Context) -> VerdictScore:
        equality = _TypedEquality(
            by_value=self.numbers == "value",
            form=None if self.unicode == "none" else self.unicode,
        )
        found = equality.differences(actual, expected)
        if not found.count:
            return passing(f"equal: {shown(expected)}")
        return failing(found.reason(), **found.details())

    @classmethod
    def self_test(cls) -> Sequence[Example]:
        """Pairs for the registry's test."""
        record = {"id": "prj-001", "steps": [1, 2.5, None, True]}
        by_value = {"numbers": "value"}
        return (
            Example(actual=record, expected=dict(record), passes=True),
            Example(actual="cafe\u0301", expected="café", passes=True),
            Example(actual=(1, 2), expected=[1, 2], passes=True),
            Example(actual=None, expected=None, passes=True),
            Example(actual=1, expected=1.0, config=by_value, passes=True),
            Example(actual=0.1, expected=Decimal("0.1"), config=by_value, passes=True),
            Example(actual=True, expected=1, passes=False),
            Example(actual=True, expected=1, config=by_value, passes=False),
            Example(actual=1, expected=1.0, passes=False),
            Example(actual="1", expected=1, passes=False),
            Example(actual=None, expected="", passes=False),
            Example(actual=math.nan, expected=0.0, passes=False),
            Example(actual=[2, 1], expected=[1, 2], passes=False),
            Example(actual={"a": 1, "b": 2}, expected={"a": 1}, passes=False),
            Example(actual="cafe\u0301", expected="café", config={"unicode": "none"}, passes=False),
            Example(
                actual={"e\u0301": 1},
                expected={"é": 1, "e\u0341": 2},
                passes=None,
                code=Code.EXPECTED_AMBIGUOUS,
            ),
            Example(actual=1, expected=math.nan, passes=None, code=Code.EXPECTED_INVALID),
        )
