"""What a written quantity means: exact numbers, a unit, a relation; and how it is shown."""

import math
from dataclasses import dataclass, field
from decimal import Context, Decimal
from fractions import Fraction
from functools import cached_property

from creel_inspect.verify.values.money import is_currency
from creel_inspect.verify.values.units import conversion

_LONG = 10**30


@dataclass(frozen=True)
class Reading:
    """One meaning of a text or number.

    Attributes:
        value: The number, or the lower end of a range. Exact: a fraction, since 1/3 has no decimal.
        high: The upper end of a range; None for a single number.
        unit: A token such as ``milligram/liter``, ``percent`` or ``USD``; None if none is written.
        relation: ``=``, ``<``, ``<=``, ``>`` or ``>=``.
        about: Whether the text says that it is approximate.
        uncertainty: What follows ``±``, as it is written.
    """

    value: Fraction
    high: Fraction | None = None
    unit: str | None = None
    relation: str = "="
    about: bool = field(default=False, compare=False)
    uncertainty: str | None = field(default=None, compare=False)

    def __str__(self) -> str:
        text = self._low
        if self.high is not None:
            text += f" to {number_text(self.high)}"
        if self.relation != "=":
            text = f"{self.relation} {text}"
        return f"{text} {self.unit}" if self.unit else text

    @cached_property
    def _low(self) -> str:
        return number_text(self.value)

    def as_details(self) -> dict[str, str | bool]:
        """The reading as JSON, for a verdict's details."""
        found: dict[str, str | bool] = {"value": self._low}
        if self.high is not None:
            found = {"low": self._low, "high": number_text(self.high)}
        if self.unit:
            found["unit"] = self.unit
        if self.relation != "=":
            found["relation"] = self.relation
        if self.about:
            found["about"] = True
        if self.uncertainty:
            found["uncertainty"] = self.uncertainty
        return found


@dataclass(frozen=True)
class Read:
    """What became of a value: its readings, or the problem that left it with none.

    More than one reading means that it is ambiguous.
    """

    readings: tuple[Reading, ...] = ()
    problem: str = ""
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " or ".join(map(str, self.readings[:8]))


def converted(unit: str, into: str) -> tuple[Fraction, Fraction] | None:
    """Factor and offset from a unit to another; None across dimensions and between currencies."""
    if unit == into:
        return Fraction(1), Fraction(0)
    money, _, per = unit.partition("/")
    other, _, target = into.partition("/")
    if is_currency(money) or is_currency(other):
        change = conversion(target, per) if money == other and per and target else None
        return change if change and not change[1] else None  # 5 USD/t is 0.005 USD/kg
    return conversion(unit, into)


def is_finite(number: int | float | Decimal) -> bool:
    """Whether a number is neither NaN nor infinite, however large."""
    if isinstance(number, Decimal):
        return number.is_finite()
    return not isinstance(number, float) or math.isfinite(number)


def number_text(number: Fraction) -> str:
    """The number as a decimal where it has one of reasonable length; else as p/q, or rounded."""
    if number.denominator == 1 and -_LONG < number.numerator < _LONG:
        return str(number.numerator)
    rest, powers = number.denominator, {2: 0, 5: 0}
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
            powers[prime] += 1
    if rest == 1:
        places = max(powers.values())
        digits = number.numerator * 10**places // number.denominator
        if abs(digits) < 10**40:
            exact = Decimal(digits).scaleb(-places, Context(prec=60))
            if exact.adjusted() > -20:
                return format(exact, "f")
            return str(exact)
    elif number.denominator < 10**9 and abs(number.numerator) < 10**12:
        return f"{number.numerator}/{number.denominator}"
    short = Context(prec=17)
    rounded = short.divide(short.create_decimal(number.numerator), Decimal(number.denominator))
    return str(rounded.normalize(short))
