"""One number with what belongs to it: its sign, scale and unit, in every way to read them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from creel_inspect.verify.values.money import currency_at, currency_codes
from creel_inspect.verify.values.numbers import Separators, numeral_at
from creel_inspect.verify.values.units import unit_tokens
from creel_inspect.verify.values.words import letter_scale, number_in_words, scale_of

_SIGN = re.compile(r"([+-]) ?|(minus|negative|plus) ", re.I)
_LETTERS = re.compile(r"[A-Za-z]{1,20}(?:\(s\)|\.)?")


@dataclass(frozen=True)
class Way:
    """How a text is read: its separators, and whether a billion may be 10**12."""

    separators: Separators
    long_scale: bool
    money: bool = False
    """Whether a currency is declared, so that the letter in "3 M" is a scale."""


@dataclass(frozen=True)
class Term:
    """One number with what belongs to it."""

    value: Fraction
    unit: str | None
    scale: Fraction = Fraction(1)
    prefixed: bool = False
    """Whether its currency stands before it, and so may belong to a range: €3-4."""
    signed: bool = False
    separated: bool = False
    groups: frozenset[str] = frozenset()
    decimals: int = 0
    """How many digits stand after a point or comma that is its decimal sign."""


@lru_cache(maxsize=4096)
def rate_tokens(text: str) -> tuple[str, ...]:
    """The tokens of a currency per unit, such as ``USD/metric_ton``; empty if it is none."""
    for sign in ("/", " per "):
        money, found, unit = text.partition(sign)
        units = unit_tokens(unit) if found else ()
        if units and "/" not in unit:
            return tuple(f"{code}/{one}" for code in currency_codes(money.strip()) for one in units)
    return ()


def terms_of(text: str, way: Way) -> list[Term]:
    """All meanings of a text that is one number with its sign, scale and unit."""
    text = text.strip()
    if text.startswith("pH"):
        bare = terms_of(text[2:].lstrip(" =:"), way)
        return [replace(one, unit="pH") for one in bare if one.unit is None and one.scale == 1]
    sign, place = sign_at(text, 0)
    codes: tuple[str, ...] = ()
    currency = None if text[place : place + 1].isdigit() else currency_at(text, place)
    if currency:
        codes, place = currency
        place += text[place : place + 1] == " "
        if not sign:
            sign, place = sign_at(text, place)
        more = currency_at(text, place)
        if more and text[: currency[1]][-3:].isalpha() and not text[place].isalpha():  # USD $5
            codes, place = tuple(one for one in codes if one in more[0]), more[1]
            place += text[place : place + 1] == " "
            if not codes:
                return []
    scale, groups, separated, in_words = Fraction(1), frozenset[str](), False, False
    decimals = 0
    if numeral := numeral_at(text, place, way.separators):
        value, end = numeral.value, numeral.end
        groups, separated, decimals = numeral.groups, numeral.separated, numeral.decimals
    elif words := number_in_words(text, place):
        value, end, scale = words
        in_words = True
    else:
        return []
    rest = text[end:]
    if rest == "-" and not sign:  # as accounting systems print it
        sign, rest = "-", ""
    tails = _tails(rest.strip(), not rest.startswith(" "), codes, way)
    return [
        Term(
            value=-value * times if sign == "-" else value * times,
            unit=unit,
            scale=times * scale,
            prefixed=bool(codes),
            signed=bool(sign),
            separated=separated,
            groups=groups,
            decimals=decimals,
        )
        for times, unit in tails
        # "three million four" million: words have had their scale already
        if times == 1 or not in_words or value < 1000
    ]


def sign_at(text: str, place: int) -> tuple[str, int]:
    """The sign at a place, ``+``, ``-`` or "", and where it ends."""
    found = _SIGN.match(text, place)
    if not found:
        return "", place
    sign = found[1] or ("+" if found[2].lower() == "plus" else "-")
    return sign, found.end()


def _tails(
    rest: str, attached: bool, codes: tuple[str, ...], way: Way
) -> list[tuple[Fraction, str | None]]:
    """What may follow a number: a scale, a unit, a currency; all ways to read it."""
    found: list[tuple[Fraction, str | None]] = []
    for scale, after, letter in _scales(rest, way.long_scale):
        later = currency_codes(after) or rate_tokens(after)
        if codes:
            found += [(scale, code) for code in codes if not after or code in later]
            if after.startswith(("/", "per ")):
                per = unit_tokens(after.removeprefix("/").removeprefix("per ").strip())
                found += [(scale, f"{code}/{one}") for code in codes for one in per]
            continue
        # 3 m is three metres and 3m may be a scale; before a currency it is one in any case
        # (but T€ is thousands in German accounts and trillions elsewhere)
        if not letter or attached or letter not in "tT":
            found += [(scale, code) for code in later]
        if letter and not (way.money and not after) and (not attached or letter == "MM"):
            continue
        if letter and letter in "tT":
            continue
        if not after:
            found.append((scale, None))
        else:
            found += [(scale, unit) for unit in unit_tokens(after)]
    return found


def _scales(rest: str, long_scale: bool) -> Iterator[tuple[Fraction, str, str]]:
    """Splits a scale off the front: what it multiplies by, what is left, and its single letter."""
    yield Fraction(1), rest, ""
    word = _LETTERS.match(rest)
    if not word:
        return
    after = rest[word.end() :].strip()
    for scale in scale_of(word[0], long_scale=long_scale):
        yield scale, after, ""
        if scale in (100, 1000) and (second := _LETTERS.match(after)):
            for larger in scale_of(second[0], long_scale=long_scale):
                if larger > scale:
                    yield scale * larger, after[second.end() :].strip(), ""
    if (len(word[0]) == 1 or word[0] == "MM") and (times := letter_scale(word[0])):
        yield times, after, word[0]
