"""``numeric_tolerance``: numbers and quantities, equal within a tolerance."""

from builtins import abs as size_of
from collections.abc import Sequence
from dataclasses import dataclass as plain_dataclass
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Annotated, Any

from pydantic import BeforeValidator, field_validator
from pydantic.dataclasses import dataclass

from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import (
    Code,
    Context,
    Example,
    VerdictScore,
    Verifier,
    VerifierError,
    failing,
    passing,
)
from creel_inspect.verify.registry import CONFIG, verifier
from creel_inspect.verify.values.characters import plain_characters
from creel_inspect.verify.values.money import currency_codes
from creel_inspect.verify.values.numbers import locale_signs
from creel_inspect.verify.values.quantity import read_quantity
from creel_inspect.verify.values.reading import Read, Reading, converted, is_finite, number_text
from creel_inspect.verify.values.terms import rate_tokens
from creel_inspect.verify.values.units import is_dimensionless, unit_tokens

_MOST_SHOWN = 8


def _tolerance(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise ValueError("a tolerance is a number")
    if not is_finite(value) or value < 0:
        raise ValueError("a tolerance is finite and not negative")
    return value


Tolerance = Annotated[int | float | Decimal, BeforeValidator(_tolerance)]


@lru_cache(maxsize=1024)
def unit_token(unit: str) -> str:
    """The one token of a declared unit.

    Raises:
        ValueError: If it is unknown, or may mean several.
    """
    tokens = unit_tokens(unit)
    # In a declaration a unit comes before a currency only where it is no currency as well.
    money = currency_codes(unit.strip()) or rate_tokens(unit.strip())
    tokens = tuple(dict.fromkeys((*tokens, *money)))
    if len(tokens) == 1:
        return tokens[0]
    if tokens:
        raise ValueError(f"the unit {shown(unit)} may mean {', '.join(tokens)}: declare one")
    raise ValueError(
        f"no unit is called {shown(unit)}: expected one such as kg, mg/L, °C, percent, or an "
        "ISO 4217 currency code"
    )


@plain_dataclass(frozen=True)
class _Outcome:
    """What came of one reading of the candidate against one of what was expected."""

    passed: bool
    reason: str
    unit: str | None = None
    difference: Fraction | None = None
    tolerance: Fraction | None = None
    unit_missing: bool = False
    """Whether what is expected says no unit, so that nothing tells what the candidate's means."""


@verifier("numeric_tolerance")
@dataclass(frozen=True, kw_only=True, config=CONFIG)
class NumericTolerance(Verifier):
    """Equal numbers or quantities, within a tolerance: ``|a - e| <= max(abs, rel * |e|)``.

    Takes JSON numbers and texts as people write them: ``1,234,567``, ``three million``,
    ``€1.2bn``, ``5-10 kg``, ``(1,234)``, ``1.2 × 10^-5``, ``5 %``. Arithmetic is exact. A truth
    value, a list, or a text with a word that is not understood is no number, and fails.

    - Units convert (``5 kg`` is ``5000 g``, ``25 °C`` is ``298.15 K``); currencies do not.
    - A number expected without a unit, where none is declared, does not say whether ``25 °C`` is
      right: nothing is measured (``expected_invalid``). Declare the unit.
    - ``5 %`` is 0.05. A percentage point is not a percent.
    - A range equals a range, end by end. ``> 5`` equals ``> 5`` and is not 5. ``about 5`` is 5,
      and ``5 ± 0.1`` is 5, which ``details`` tell.
    - What can be read in two ways (``1,234`` without a locale, ``$5``) passes only if every
      reading does, or if both texts are the same, which ``details`` tell.
    - ``$5,000`` is five thousand, since no amount in dollars has three decimals, which
      ``details`` tell; ``€1.234`` stays ambiguous.
    - With a ``locale``, a decimal sign must be the locale's, and a grouping sign that is not the
      locale's counts only where the text has no other reading. So ``12,50`` is unreadable
      under ``en``, and a candidate that is unreadable fails; ``1,234,567`` is the same everywhere.

    Attributes:
        abs: The tolerance in the declared unit, or else in the unit of what is expected.
        rel: The tolerance as a share of what is expected.
        unit: The unit of a bare number on either side: a unit such as ``mg/L``, ``percent``, or
            an ISO 4217 code. It also settles signs with several meanings (``$``, ``3m``). Else
            the unit of the context counts.
        locale: Whose decimal and grouping signs the texts use, such as ``de`` or ``en_IN``.
    """

    abs: Tolerance = 0
    rel: Tolerance = 0
    unit: str | None = None
    locale: str | None = None

    @field_validator("unit")
    @classmethod
    def _known_unit(cls, unit: str | None) -> str | None:
        if unit is not None:
            unit_token(unit)
        return unit

    @field_validator("locale")
    @classmethod
    def _known_locale(cls, locale: str | None) -> str | None:
        if locale is not None:
            locale_signs(locale)
        return locale

    @cached_property
    def _limits(self) -> tuple[Fraction, Fraction]:
        return _exact(self.abs), _exact(self.rel)

    def compare(self, actual: Any, expected: Any, context: Context) -> VerdictScore:
        declared = self._declared(context)
        gold = read_quantity(expected, locale=self.locale, unit=declared)
        if not gold.readings:
            raise VerifierError(
                f"what is expected, {shown(expected)}, is no quantity: {gold.problem}",
                code=Code.EXPECTED_INVALID,
            )
        if declared:
            _gold_fits(gold, declared, expected)
        found = read_quantity(actual, locale=self.locale, unit=declared)
        if not found.readings:
            return failing(
                f"expected {gold}, and {shown(actual)} is no quantity: {found.problem}",
                expected=_details(gold),
            )
        if len(gold.readings) > 1 and (
            alike := self._alike(actual, expected, found, gold, declared)
        ):
            note = "both texts are the same, and so of one convention"
            return _verdict(alike, replace(found, notes=(*found.notes, note)), gold)
        rows = [
            [self._outcome(mine, theirs, declared) for mine in found.readings]
            for theirs in gold.readings
        ]
        outcomes = [one for row in rows for one in row]
        if all(one.unit_missing for one in outcomes):
            raise VerifierError(
                f"what is expected, {shown(expected)}, carries no unit, and {shown(actual)} came: "
                "declare its `unit`",
                code=Code.EXPECTED_INVALID,
            )
        if len(outcomes) == 1:
            return _verdict(outcomes[0], found, gold)
        same = len({one.passed for one in outcomes}) == 1
        if len(rows) > 1 and not same:
            raise VerifierError(
                f"what is expected, {shown(expected)}, may mean {gold}: "
                f"{self._missing(gold, str(expected), declared)}",
                code=Code.EXPECTED_AMBIGUOUS,
            )
        if same:  # however it is read
            said = f"{outcomes[0].reason}; and likewise however it is read"
            return _verdict(replace(outcomes[0], reason=said), found, gold)
        return failing(
            f"expected {gold}, and {shown(actual)} is ambiguous: it may mean {found}",
            **_both(found, gold),
        )

    def _declared(self, context: Context) -> str | None:
        unit = self.unit if self.unit is not None else context.unit
        if unit is None:
            return None
        try:
            return unit_token(unit)
        except (ValueError, TypeError, AttributeError) as error:
            raise VerifierError(f"the context's unit: {error}", code=Code.BAD_CONFIG) from error

    def _alike(
        self, actual: Any, expected: Any, found: Read, gold: Read, declared: str | None
    ) -> _Outcome | None:
        """A pass where both sides are one text, so that whatever it means, both mean it."""
        if not (isinstance(actual, str) and isinstance(expected, str)):
            return None
        texts = {
            "".join((plain_characters(one) or one).split()).casefold() for one in (actual, expected)
        }
        if len(texts) > 1 or set(gold.readings) != set(found.readings):
            return None
        outcomes = [self._outcome(one, one, declared) for one in found.readings]
        if not all(one.passed for one in outcomes):
            return None
        reason = f"both are written {shown(actual)}, whichever of {found} it means"
        return _Outcome(True, reason, outcomes[0].unit, Fraction(0), outcomes[0].tolerance)

    def _missing(self, gold: Read, expected: str, declared: str | None) -> str:
        """What to do about an ambiguous gold."""
        units = {one.unit for one in gold.readings}
        missing = ["`unit`"] if declared is None and len(units) > 1 else []
        separated = "," in expected or "." in expected
        if self.locale is None and separated and len(gold.readings) > len(units):
            missing.append("`locale`")
        return f"declare {' or '.join(missing)}, or write it out" if missing else "write it out"

    def _outcome(self, mine: Reading, theirs: Reading, declared: str | None) -> _Outcome:
        if mine.relation != theirs.relation:
            return _Outcome(False, f"expected {theirs}, came {mine}: another relation")
        if (mine.high is None) != (theirs.high is None):
            what = "a number" if theirs.high is None else "a range"
            return _Outcome(False, f"expected {theirs}, came {mine}: {what} is meant")
        unit, other = theirs.unit or declared, mine.unit or declared
        if unit is None and other and is_dimensionless(other):
            unit = "dimensionless"
        if other is None and unit and is_dimensionless(unit):
            other = "dimensionless"
        if unit is None and other:
            return _Outcome(
                False,
                f"came {mine}, and {theirs} is expected without a unit",
                unit_missing=True,
            )
        if unit and other is None:
            return _Outcome(False, f"expected {theirs}, came {mine}: it has no unit")
        into = declared or unit
        if into is None or unit is None or other is None or unit == other == into:
            return self._compared(mine, theirs, None, None, into)
        change, target = converted(other, into), converted(unit, into)
        if change is None or target is None:
            return _Outcome(False, f"expected {theirs}, came {mine}: {other} is not {unit}")
        return self._compared(mine, theirs, change, target, into)

    def _compared(
        self,
        mine: Reading,
        theirs: Reading,
        change: tuple[Fraction, Fraction] | None,
        target: tuple[Fraction, Fraction] | None,
        unit: str | None,
    ) -> _Outcome:
        least, share = self._limits
        worst, allowed, passed = Fraction(0), Fraction(0), True
        ends = [(mine.value, theirs.value)]
        if mine.high is not None and theirs.high is not None:
            ends.append((mine.high, theirs.high))
        for number, (came, written) in enumerate(ends):
            wanted = _changed(written, target)
            difference = size_of(_changed(came, change) - wanted)
            limit = max(least, share * size_of(wanted)) if share else least
            if number == 0 or difference - limit > worst - allowed:
                worst, allowed = difference, limit
            passed = passed and difference <= limit
        if passed and not worst:
            reason = f"{mine} equals {theirs}"
        else:
            within = "within" if passed else "beyond"
            reason = (
                f"{mine} differs from {theirs} by {number_text(worst)}, {within} the tolerance "
                f"of {number_text(allowed)}{' ' + unit if unit else ''}"
            )
        return _Outcome(passed, reason, unit, worst, allowed)

    @classmethod
    def self_test(cls) -> Sequence[Example]:
        usd = {"unit": "USD"}
        return (
            Example(actual=1.0, expected=1, passes=True),
            Example(actual="1,234,567", expected=1234567, passes=True),
            Example(actual="3 million USD", expected="USD 3,000,000", passes=True),
            Example(actual="3 million USD", expected="3,000,000 EUR", passes=False),
            Example(actual="$3 million", expected="3 million USD", passes=True, config=usd),
            Example(actual="$3 million", expected="3 million USD", passes=False),
            Example(actual="5 kg", expected="5000 g", passes=True),
            Example(actual="77 °F", expected="25 °C", passes=True),
            Example(actual="5 %", expected=0.05, passes=True),
            Example(actual="rose to 90", expected=90, passes=False),
            Example(actual=101, expected=100, passes=True, config={"rel": 0.01}),
            Example(actual=101.01, expected=100, passes=False, config={"rel": 0.01}),
            Example(actual=True, expected=1, passes=False),
            Example(actual="1,234", expected=1234, passes=False),
            Example(actual="1,234", expected=1234, passes=True, config={"locale": "en"}),
            Example(actual="$5,000", expected=5000, passes=True, config=usd),
            Example(actual="12,50", expected=12.5, passes=False, config={"locale": "en"}),
            Example(actual="25 °C", expected=25, passes=None, code=Code.EXPECTED_INVALID),
            Example(actual=5, expected="five-ish", passes=None, code=Code.EXPECTED_INVALID),
            Example(actual=1234, expected="1.234", passes=None, code=Code.EXPECTED_AMBIGUOUS),
        )


def _changed(value: Fraction, change: tuple[Fraction, Fraction] | None) -> Fraction:
    return value if change is None else value * change[0] + change[1]


def _exact(number: int | float | Decimal) -> Fraction:
    return Fraction(float.__repr__(number)) if isinstance(number, float) else Fraction(number)


def _gold_fits(gold: Read, declared: str, expected: Any) -> None:
    for one in gold.readings:
        if one.unit is None or converted(one.unit, declared) is not None:
            return
    raise VerifierError(
        f"what is expected, {shown(expected)}, is not in the declared unit {declared}",
        code=Code.EXPECTED_INVALID,
    )


def _verdict(outcome: _Outcome, found: Read, gold: Read) -> VerdictScore:
    details = _both(found, gold)
    if outcome.difference is not None and outcome.tolerance is not None:
        details["difference"] = number_text(outcome.difference)
        details["tolerance"] = number_text(outcome.tolerance)
    if outcome.unit:
        details["unit"] = outcome.unit
    return (passing if outcome.passed else failing)(outcome.reason, **details)


def _both(found: Read, gold: Read) -> dict[str, Any]:
    details: dict[str, Any] = {"actual": _details(found), "expected": _details(gold)}
    for name, one in (("actual", found), ("expected", gold)):
        if len(one.readings) > 1:
            details.setdefault("ambiguous", []).append(name)
        if one.notes:
            details.setdefault("notes", []).extend(f"{name}: {note}" for note in one.notes)
    return details


def _details(read: Read) -> Any:
    if len(read.readings) == 1:
        return read.readings[0].as_details()
    return [one.as_details() for one in read.readings[:_MOST_SHOWN]]
