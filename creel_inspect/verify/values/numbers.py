"""Numerals as people write them, read exactly under one reading of the separators.

What a point or a comma means is a property of a whole text. So a text is read twice, once with
the point as the decimal sign and once with the comma; where both fit, it has two readings.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from babel import Locale, UnknownLocaleError
from babel.numbers import get_decimal_symbol, get_group_symbol

MOST_EXPONENT = 400
"""The largest power of ten that is read from a text."""

# Each alternative is one run of digits after another, so that matching is linear.
_SPACED = re.compile(r"\d{1,3}(?: \d{3})+(?:[.,٫]\d+)?(?![\d/])(?![.,'_٫٬]\d)(?! \d)")
_PLAIN = re.compile(r"\d+(?:[.,'_٫٬]\d+)*|[.,٫]\d+")
_FRACTION = re.compile(r"/ ?(\d{1,15})(?![\d/.,'_^])")
_MIXED = re.compile(r" (\d{1,2})/(\d{1,4})(?![\d/.,'_^])")
_DIGITS = re.compile(r"\d{1,200}")
_EXPONENT = re.compile(r"[eE]([+-]?\d{1,6})(?![\d.,_])")
_LOCALE = re.compile(r"[A-Za-z]{2,3}(?:[_-][A-Za-z0-9]{2,8}){0,3}")
_TIMES_TEN = re.compile(r" ?(?:×|x|X|\*|·|\\times) ?10 ?\^ ?(?:(\{)|(\())? ?([+-]?\d{1,6})")
_POWER = re.compile(r"\^(?:(\{)|(\())?([+-]?\d{1,6})")
_GROUPS = re.compile(r"[1-9]\d{0,2}(?:\d{3})+")
_INDIAN = re.compile(r"[1-9]\d?(?:,\d\d)+,\d{3}")


@dataclass(frozen=True)
class Separators:
    """One way of reading separators: which sign begins the decimals."""

    decimal: str
    """``.`` or ``,``; the Arabic ``٫`` and ``٬`` mean one thing under both."""


POINT, COMMA = Separators("."), Separators(",")


@dataclass(frozen=True)
class LocaleSigns:
    """The decimal and grouping signs of a locale, from CLDR, and whether it says milliard."""

    decimals: frozenset[str]
    groups: frozenset[str]
    long_scale: bool

    def groups_by(self, groups: frozenset[str]) -> bool:
        """Whether these grouping signs are the locale's, or mean nothing else anywhere."""
        return groups <= self.groups | {" ", "'", "_"}


@cache
def locale_signs(name: str) -> LocaleSigns:
    """The signs of a locale such as ``de``, ``de_CH`` or ``pt-BR``.

    Raises:
        ValueError: If CLDR knows no such locale.
    """
    try:
        locale = Locale.parse(name.replace("-", "_") if _LOCALE.fullmatch(name) else "")
    except (UnknownLocaleError, ValueError, TypeError) as error:
        raise ValueError(
            f"no locale is called {name!r}: expected one such as de, en_GB or pt-BR"
        ) from error
    systems = ("latn", "default")
    decimals = {get_decimal_symbol(locale, numbering_system=one) for one in systems}
    groups = {get_group_symbol(locale, numbering_system=one) for one in systems}
    return LocaleSigns(
        decimals=frozenset(decimals),
        groups=frozenset("'" if one == "’" else one for one in groups),
        long_scale=locale.language != "en" and str(locale) != "pt_BR",
    )


@dataclass(frozen=True)
class Numeral:
    """A number read from digits: its value, where it ends, and the signs that it used."""

    value: Fraction
    end: int
    groups: frozenset[str] = frozenset()
    separated: bool = False
    """Whether it holds a point or a comma, so that the other reading may differ."""
    decimals: int = 0
    """How many digits stand after a point or comma that is its decimal sign."""


class TooLarge(ValueError):
    """The exponent is beyond what is read."""


def numeral_at(text: str, start: int, separators: Separators) -> Numeral | None:
    """The number in digits that begins at ``start``, or None if it fits no rule.

    Grouping is by three, or the Indian way with commas (12,34,567); one grouping sign per number.
    A fraction is of whole numbers: 3/4, 1 1/2.

    Raises:
        TooLarge: If its exponent is beyond ``MOST_EXPONENT``.
    """
    found = _SPACED.match(text, start) or _PLAIN.match(text, start)
    if not found:
        return None
    chunk, end = found[0], found.end()
    if chunk == "10" and (power := _POWER.match(text, end)):
        after = _closed(text, power)
        return None if after is None else Numeral(_power(power[3]), after)
    if _DIGITS.fullmatch(chunk):
        if part := _FRACTION.match(text, end):
            return _ratio(Fraction(0), chunk, part[1], part.end())
        if part := _MIXED.match(text, end):
            return _ratio(Fraction(int(chunk)), part[1], part[2], part.end())
    read = _plain(chunk, separators)
    if read is None:
        return None
    value, groups, decimals = read
    separated = "." in chunk or "," in chunk
    exponent, end = _exponent(text, end)
    if exponent is not None:
        if "." in groups:  # in scientific notation a point is the decimal sign
            return None
        value *= exponent
    return Numeral(value, end, groups, separated, decimals if separated else 0)


def _ratio(whole: Fraction, over: str, under: str, end: int) -> Numeral | None:
    return Numeral(whole + Fraction(int(over), int(under)), end) if int(under) else None


def _plain(chunk: str, separators: Separators) -> tuple[Fraction, frozenset[str], int] | None:
    decimal = "٫" if "٫" in chunk else separators.decimal
    whole, _, decimals = chunk.partition(decimal)
    if decimals and not decimals.isdecimal():
        return None
    signs = frozenset(one for one in whole if not one.isdecimal())
    if len(signs) > 1 or (signs and signs <= {"٫", separators.decimal}):
        return None
    digits = whole
    if signs:
        (sign,) = signs
        pieces = whole.split(sign)
        digits = "".join(pieces)
        by_three = 0 < len(pieces[0]) <= 3 and all(len(one) == 3 for one in pieces[1:])
        if not (by_three and _GROUPS.fullmatch(digits)) and not (
            sign == "," and _INDIAN.fullmatch(whole)
        ):
            return None
    value = Fraction(int(digits + decimals or "0"), 10 ** len(decimals))
    return value, signs, 0 if decimal == "٫" else len(decimals)


def _exponent(text: str, end: int) -> tuple[Fraction | None, int]:
    if found := _EXPONENT.match(text, end):
        return _power(found[1]), found.end()
    if found := _TIMES_TEN.match(text, end):
        after = _closed(text, found)
        if after is not None:
            return _power(found[3]), after
    return None, end


def _closed(text: str, found: re.Match[str]) -> int | None:
    """Where an exponent ends whose bracket, if it has one, must be closed."""
    end = found.end()
    wanted = "}" if found[1] else ")" if found[2] else ""
    if wanted:
        return end + 1 if text[end : end + 1] == wanted else None
    return None if text[end : end + 1].isdecimal() else end


def _power(exponent: str) -> Fraction:
    if abs(int(exponent)) > MOST_EXPONENT:
        raise TooLarge(f"its exponent {int(exponent)} is beyond ±{MOST_EXPONENT}")
    return Fraction(10) ** int(exponent)
