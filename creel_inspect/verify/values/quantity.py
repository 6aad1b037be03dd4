"""Reading a quantity as a person would: a number, its scale, its unit or currency, its relation.

Everything that is written must be understood: an unknown word makes a text unreadable, since it
may be "not", "per" or "thousand". What has two meanings gets two readings:

- 1,234 and 1.234: three digits after the only separator may be a group or decimals. A locale, or
  another number in the same text (1,234 ± 0.005), settles it; and so does a currency of at most
  two decimals for a comma ($5,000).
- 3m, 3M, 5K, 5B, with no space: a unit or a scale. With a currency, or a space, one is meant.
- $, ¥, kr, pounds, tons, gallons, degrees: several currencies or units.

A declared unit settles the last two where one reading fits it.
"""

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from creel_inspect.verify.plain import shown
from creel_inspect.verify.values.characters import plain_characters
from creel_inspect.verify.values.money import (
    currency_at,
    currency_codes,
    is_currency,
    most_decimals,
)
from creel_inspect.verify.values.numbers import (
    COMMA,
    POINT,
    LocaleSigns,
    Separators,
    TooLarge,
    locale_signs,
    numeral_at,
)
from creel_inspect.verify.values.reading import Read, Reading, converted, is_finite
from creel_inspect.verify.values.terms import Term, Way, sign_at, terms_of
from creel_inspect.verify.values.units import is_dimensionless
from creel_inspect.verify.values.words import number_in_words

MOST_CHARACTERS = 200
_MOST_SPLITS = 12

_ABOUT = re.compile(
    r"~ ?|(?:about|approximately|approx\.?|circa|ca\.?|c\.|around|roughly)(?=[ \d]) ?", re.I
)
_RELATIONS = (
    (">=", r">=|=>|at least|no less than|not less than|no fewer than|min\.?|minimum(?: of)?"),
    ("<=", r"<=|=<|at most|no more than|not more than|up to|max\.?|maximum(?: of)?"),
    (">=", r"greater than or equal to|more than or equal to"),
    ("<=", r"less than or equal to"),
    (">", r">|more than|greater than|over|above|exceeding"),
    ("<", r"<|less than|fewer than|under|below"),
    ("=", r"=|equals|equal to"),
)
_BEFORE = re.compile(
    "|".join(
        f"(?P<r{place}>(?:{words})(?![a-z]))"
        for place, (_, words) in sorted(
            enumerate(_RELATIONS), key=lambda one: -("or equal" in one[1][1])
        )
    ),
    re.I,
)
_AFTER = (
    (re.compile(r"(?<=[\w%.])(?: or (?:more|greater|higher|above)| and above|\+)", re.I), ">="),
    (re.compile(r"(?<=[\w%.]) (?:or (?:less|fewer|lower|below)|and below)", re.I), "<="),
)
_PARTS = re.compile(r"(?<=[A-Za-z])(?:,? and |, | )(?=\d)")
_MOST_PARTS = 4
_PLUS_MINUS = re.compile(r" ?(?:±|\+/-|\+-) ?")


@dataclass(frozen=True)
class _Found:
    """A reading, and the signs that its numbers were written with."""

    reading: Reading
    separated: bool
    groups: frozenset[str]
    decimals: frozenset[int] = frozenset()
    """How many decimals its numbers have, where they have any."""
    scaled: bool = False


def read_quantity(value: Any, *, locale: str | None = None, unit: str | None = None) -> Read:
    """All readings of a text or JSON number.

    Args:
        value: Text of at most 200 characters, or a number. A truth value is no number.
        locale: Whose separators the text uses, such as ``de_CH``.
        unit: The token of the unit that is declared for it; bare numbers stay bare.

    Returns:
        The readings; none, and the problem, where it is unreadable.

    Raises:
        ValueError: If there is no such locale.
    """
    if isinstance(value, str):
        if len(value) > MOST_CHARACTERS:
            return Read(problem=f"it has more than {MOST_CHARACTERS} characters")
        return _read_text(str(value), locale, unit)
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return Read(problem="it is not a number" if value is not None else "nothing is there")
    if not is_finite(value):
        return Read(problem="it is not a finite number")
    if isinstance(value, float):
        return _read_float(float(value))
    return Read((Reading(Fraction(value)),))


@lru_cache(maxsize=8192)
def _read_float(value: float) -> Read:
    # 0.1 is meant where 0.1 is written, and not the binary fraction that is nearest to it.
    return Read((Reading(Fraction(Decimal(repr(value)))),))


@lru_cache(maxsize=8192)
def _read_text(written: str, locale: str | None, unit: str | None) -> Read:
    signs = locale_signs(locale) if locale else None
    text = plain_characters(written)
    if text is None:
        return Read(problem="it holds characters that do not spell a plain number")
    text = text.removesuffix(".")
    if not text:
        return Read(problem="it is empty")
    ways = (POINT, COMMA) if "." in text or "," in text else (POINT,)
    found: list[tuple[Separators, _Found]] = []
    try:
        for way in ways:
            reads = Way(way, bool(signs and signs.long_scale), bool(unit and is_currency(unit)))
            found += [(way, one) for one in _whole(text, reads)]
    except TooLarge as error:
        return Read(problem=str(error))
    if not found:
        return Read(problem=_problem(text))
    notes: tuple[str, ...] = ()
    if signs:
        found = _of_locale(found, signs)
        if not found:
            return Read(problem=f"its separators are not those of the locale {locale}")
    else:
        kept = _of_money(found, unit)
        if len(kept) < len(found):
            notes = ("the comma groups thousands, since the currency has at most two decimals",)
        found = kept
    readings = tuple(dict.fromkeys(one.reading for _, one in found))
    return Read(_preferred(readings, unit), notes=notes)


def _of_locale(
    found: list[tuple[Separators, _Found]], signs: LocaleSigns
) -> list[tuple[Separators, _Found]]:
    """The readings whose decimal sign is the locale's, and whose grouping sign may be."""
    one_way = len({way for way, _ in found}) == 1
    return [
        (way, one)
        for way, one in found
        if not one.separated
        or (
            (not one.decimals or way.decimal in signs.decimals)
            # 1,234,567 can be nothing else anywhere
            and (one_way or signs.groups_by(one.groups))
        )
    ]


def _of_money(
    found: list[tuple[Separators, _Found]], unit: str | None
) -> list[tuple[Separators, _Found]]:
    """Without amounts of three decimals, $5,000, where the comma may group and no one has them.

    Not so for a price per unit (1,859 €/L) nor for 1,234 million, which may have any decimals,
    nor for a point: €1.234 is as usual with groups as 1.234 is with decimals.
    """
    grouped = {one.reading.unit for way, one in found if way == POINT and "," in one.groups}
    return [
        (way, one)
        for way, one in found
        if not (
            way == COMMA
            and 3 in one.decimals
            and not one.scaled
            and one.reading.unit in grouped
            and (code := one.reading.unit or unit)
            and is_currency(code)
            and most_decimals(code) < 3
        )
    ]


def _whole(text: str, way: Way) -> list[_Found]:
    """The readings of a text with its approximation and relation."""
    about, relation = False, ""
    for _ in range(3):
        if not about and (start := _ABOUT.match(text)):
            about = True
        elif not relation and (start := _BEFORE.match(text)):
            relation = _RELATIONS[int((start.lastgroup or "r0")[1:])][0]
        else:
            break
        text = text[start.end() :].lstrip()
    for pattern, meant in _AFTER:
        for end in pattern.finditer(text):
            if end.end() == len(text) and not relation:
                text, relation = text[: end.start()], meant
                break
    found = _without_relation(text, way)
    if not (about or relation):
        return found
    return [
        replace(one, reading=replace(one.reading, relation=relation or "=", about=about))
        for one in found
        if one.reading.high is None or relation in ("", "=")
    ]


def _without_relation(text: str, way: Way) -> list[_Found]:
    if terms := terms_of(text, way):
        return [_single(one) for one in terms]
    return (
        _bracketed(text, way)
        or _uncertain(text, text, way)
        or _ranges(text, way)
        or _compound(text, way)
    )


def _single(term: Term, uncertainty: str | None = None) -> _Found:
    return _found(Reading(term.value, unit=term.unit, uncertainty=uncertainty), term)


def _found(reading: Reading, *terms: Term) -> _Found:
    """A reading that is made of these numbers."""
    return _Found(
        reading,
        separated=any(one.separated for one in terms),
        groups=frozenset[str]().union(*(one.groups for one in terms)),
        decimals=frozenset(one.decimals for one in terms if one.decimals),
        scaled=any(one.scale != 1 for one in terms),
    )


def _bracketed(text: str, way: Way) -> list[_Found]:
    """(1,234) as accountants write −1,234; and (5.0 ± 0.1) kg."""
    start = text.find("(")
    before = text[:start].strip()
    if start < 0 or text.count("(") != 1 or text.count(")") != 1:
        return []
    if before and currency_at(before, 0) != (currency_codes(before), len(before)):
        return []
    inner, _, after = text[start + 1 :].partition(")")
    joined = f"{before}{inner.strip()} {after.strip()}".strip()
    if _PLUS_MINUS.search(inner):
        return _uncertain(joined, text, way)
    found = []
    for term in terms_of(joined, way):
        if term.signed:
            return []
        found.append(_single(replace(term, value=-term.value)))
        if term.unit and not is_dimensionless(term.unit) and not is_currency(term.unit):
            found.append(_single(term))  # (5 kg) is no account
    return found


def _uncertain(text: str, written: str, way: Way) -> list[_Found]:
    """5.0 ± 0.1 kg: the value, and the uncertainty as a note."""
    halves = _PLUS_MINUS.split(text, maxsplit=2)
    if len(halves) != 2:
        return []
    note = f"± {halves[1]}"
    found: list[_Found] = []
    for left in terms_of(halves[0], way):
        for right in terms_of(halves[1], way):
            if right.signed:
                continue
            value = left.value * (right.scale if left.scale == 1 else 1)
            units: tuple[str | None, ...]
            if left.unit is None and right.unit == "percent":
                units = (None, "percent")  # two per cent of five, or two per cent
            elif left.unit is None:
                units = () if right.prefixed else (right.unit,)
            elif right.unit in (None, left.unit, "percent") or converted(right.unit, left.unit):
                units = (left.unit,)
            else:
                units = ()
            found += [
                _found(Reading(value, unit=unit, uncertainty=note), left, right) for unit in units
            ]
    return found


def _ranges(text: str, way: Way) -> list[_Found]:
    low = text.lower()
    if low.startswith("between "):
        halves = _splits(text[8:], " and ")
    elif low.startswith("from "):
        halves = _splits(text[5:], " to ")
    else:
        halves = [*_splits(text, " to "), *_splits(text, "-"), *_splits(text, "~")]
    found: list[_Found] = []
    for left, right in halves[:_MOST_SPLITS]:
        ends = terms_of(right, way)
        if ends:
            for start in terms_of(left, way):
                found += [made for end in ends for made in _range(start, end)]
    return found


def _compound(text: str, way: Way) -> list[_Found]:
    """2 h 30 min, 5 ft 10 in: each part less than one of the unit before; in the last unit."""
    parts = [terms_of(part, way) for part in _PARTS.split(text, maxsplit=_MOST_PARTS)]
    if not 1 < len(parts) <= _MOST_PARTS or any(len(part) != 1 for part in parts):
        return []
    total, unit = parts[0][0].value, parts[0][0].unit
    negative = total < 0
    for (part,) in parts[1:]:
        into = converted(unit, part.unit) if unit and part.unit else None
        if into is None or into[1] or part.signed or part.scale != 1 or part.value >= into[0]:
            return []
        total = total * into[0] + (-part.value if negative else part.value)
        unit = part.unit
    return [_found(Reading(total, unit=unit), *(part[0] for part in parts))]


def _splits(text: str, by: str) -> list[tuple[str, str]]:
    """The text cut at each place where the sign stands with a space on both sides or on none."""
    found, place = [], text.lower().find(by, 1)
    while place > 0:
        left, right = text[:place], text[place + len(by) :]
        if len(by) > 1 or left.endswith(" ") == right.startswith(" "):
            found.append((left, right))
        place = text.lower().find(by, place + 1)
    return found


def _range(start: Term, end: Term) -> list[_Found]:
    """The range between two terms; a unit or scale of the last belongs to both (3-4 million).

    Where the scale cannot belong to both (500-1 million), a second reading says what else may be
    meant, so that the text is ambiguous.
    """
    low, high, unit = start.value, end.value, end.unit
    if start.unit is None and end.unit is not None:
        if end.prefixed:
            return []
    elif end.unit is None and start.unit is not None:
        if not start.prefixed:
            return []
        unit = start.unit
    elif start.unit and end.unit and start.unit != end.unit:
        into = converted(start.unit, end.unit)
        if into is None:
            return []
        low = low * into[0] + into[1]
    ends = [(low, high)]
    # 3 kg to 4 million kg: the unit ends the first number
    if start.scale == 1 != end.scale and (start.unit is None or start.prefixed):
        if low * end.scale < high:
            ends = [(low * end.scale, high)]
        elif low >= 100 and end.scale > 1000:
            ends.append((low * end.scale / 1000, high))  # 500 thousand to 1 million
        else:
            ends.append((high, low * end.scale))  # 10-5 million
    return [
        _found(Reading(first, high=last, unit=unit), start, end)
        for first, last in ends
        if first <= last
    ]


def _preferred(readings: tuple[Reading, ...], unit: str | None) -> tuple[Reading, ...]:
    """The readings that fit the declared unit best: in it, convertible to it, or bare."""
    if unit is None or len(readings) == 1:
        return readings
    for fits in (
        lambda one: one.unit == unit,
        lambda one: one.unit is not None and converted(one.unit, unit) is not None,
        lambda one: one.unit is None,
    ):
        if kept := tuple(one for one in readings if fits(one)):
            return kept
    return readings


def _problem(text: str) -> str:
    """Why a text is unreadable, naming what was not understood."""
    _, place = sign_at(text, 0)
    if currency := currency_at(text, place):
        place = currency[1] + (text[currency[1] : currency[1] + 1] == " ")
    for way in (POINT, COMMA):
        found = numeral_at(text, place, way)
        words = None if found else number_in_words(text, place)
        end = found.end if found else words[1] if words else 0
        if end and (rest := text[end:].strip()):
            return f"{shown(rest)} after the number is not understood"
    return "it does not read as a number with a known unit"
