"""What numbers, units and dates a passage may mean, under every reading of how it is written.

An answer is looked up here, so all readings count: 1.234 is 1234 and 1.234, and 03/12/2024 is a
day in March and one in December. The numbers of a text are those that the guard of the
similarity verifier finds, each read whole: no 3 stands in 2023, 13 or 3.5.
"""

import re
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from functools import lru_cache

from creel_inspect.extract.corpus.passages import Passage, flowing
from creel_inspect.verify.semantic.guard_numbers import Mention, mentions, plain_text
from creel_inspect.verify.values.dates import date_readings
from creel_inspect.verify.values.money import is_currency
from creel_inspect.verify.values.quantity import MOST_CHARACTERS, read_quantity
from creel_inspect.verify.values.reading import converted
from creel_inspect.verify.values.units import is_dimensionless

MOST_NUMBERS = 30_000
"""And as many dates: that are read of one source."""

_BARE = "dimensionless"


@dataclass
class Readings:
    """The numbers and dates of passages.

    Attributes:
        numbers: Each with its unit's token; None where none is written.
        values: The numbers, whatever their units.
        units: The units among them.
        dates: In ISO 8601, each also less precisely: the month, quarter, week and year of a day.
        cut: Whether passages were left unread, since there were more than ``MOST_NUMBERS``.
    """

    numbers: set[tuple[Fraction, str | None]] = field(default_factory=set)
    values: set[Fraction] = field(default_factory=set)
    units: set[str] = field(default_factory=set)
    dates: set[str] = field(default_factory=set)
    cut: bool = False

    def has_quantity(self, value: Fraction, unit: str | None) -> bool:
        """Whether a number of this value is there, in a unit that converts to its own, or in none.

        Without a unit, any number of this value; and a share of one as a percentage, or a year.
        """
        if unit is None:
            shares = ((one, converted(_BARE, one)) for one in self.units if is_dimensionless(one))
            year = value.denominator == 1 and 1000 <= value < 3000 and str(value) in self.dates
            return (
                value in self.values
                or year
                or any(
                    way and (value * way[0] + way[1], one) in self.numbers for one, way in shares
                )
            )
        if (value, unit) in self.numbers or (value, None) in self.numbers:
            return True
        ways = ((one, converted(unit, one)) for one in self.units)
        return any(way and (value * way[0] + way[1], one) in self.numbers for one, way in ways)

    def has_date(self, iso: str) -> bool:
        """Whether this date, or one within it that says more, is there."""
        return not _timeless(iso).isdisjoint(self.dates)

    def add(self, value: Fraction, unit: str | None) -> None:
        """Adds one reading of a number."""
        unit = None if unit == _BARE else unit
        self.numbers.add((value, unit))
        self.values.add(value)
        if unit:
            self.units.add(unit)


def readings_of(passages: Iterable[Passage], *, weak: bool) -> Readings:
    """The readings of what the passages pick.

    Args:
        passages: Texts that are read each for itself.
        weak: Whether ordinals in words, Roman numerals and the word "one" count as numbers, as
            where a quote points to them.
    """
    found = Readings()
    left = MOST_NUMBERS
    for passage in passages:
        if left <= 0:
            found.cut = True
            break
        left -= _read(passage, found, weak, left)
    return found


_MAY_HOLD_NUMBER = re.compile(
    r"\d|(?<![^\W_])(?:zero|nought|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twent|thirt|fort|fourt|fift"
    r"|sixt|sevent|eight|ninet|hundred|thousand|million|billion|trillion|dozen|half|halv|third"
    r"|quarter|first|second|fourth|sixth|ninth|tenth|(?-i:[IVX]+)(?!\w))",
    re.IGNORECASE,
)
_PLAIN_DIGITS = re.compile(r"[0-9]{1,9}")


def _read(passage: Passage, found: Readings, weak: bool, most: int) -> int:
    """Adds a passage's readings, and says how many numbers that were."""
    text = passage.text
    if passage.number is not None:
        for exact in read_quantity(passage.number).readings:
            found.add(exact.value, None)
        _add_dates(text, 0, len(text), found)
        return 1
    if _PLAIN_DIGITS.fullmatch(text) and not passage.label and passage.end is None:
        found.add(Fraction(int(text)), None)  # as most cells of a large table are
        _add_dates(text, 0, len(text), found)
        return 0
    whole = text if text.isascii() else _line(text)
    if not _MAY_HOLD_NUMBER.search(whole):
        return 0
    if text.isascii():
        whole = _line(text)
    start = len(_line(text[: passage.start])) if passage.start else 0
    end = len(whole) if passage.end is None else len(_line(text[: passage.end]))
    return _read_line(whole, start, end, found, weak, 0 if passage.label else most)


def _line(text: str) -> str:
    return plain_text(flowing(text))


def _read_line(text: str, start: int, end: int, found: Readings, weak: bool, most: int) -> int:
    """Adds what overlaps a stretch of one line, and says how many numbers that were."""
    dates = _add_dates(text, start, end, found)
    count, before = 0, end
    for mention in _mentions(text, start, end) if most else ():
        if count == most:
            found.cut = True
            break
        count += 1
        if not _within(mention.span, dates):  # the 05 of 2024-05 is no five
            _add(mention, text, found, weak)
            _add_range(text, before, mention.span, found)
        before = mention.span[0]
    if most and (start, end) == (0, len(text)) and end <= MOST_CHARACTERS:
        for one in read_quantity(text).readings:  # (1,234) as accountants write -1,234
            if one.high is None:
                found.add(one.value, one.unit)
    return count


def _within(span: tuple[int, int], places: list[tuple[int, int]]) -> bool:
    number = bisect_right(places, (span[0], sys.maxsize)) - 1
    return number >= 0 and span[1] <= places[number][1]


_STEP, _OVERLAP = 400, 90


def _mentions(text: str, start: int, end: int) -> Iterator[Mention]:
    """The mentions that overlap a stretch, with their places in the whole text.

    Read through windows, which overlap: ``mentions`` reads a limited number from any one text, and
    what begins in a window's margins is another window's.
    """
    if len(text) <= _STEP + 2 * _OVERLAP:
        for one in mentions(text):
            if one.span[0] < end and start < one.span[1]:
                yield one
        return
    place = max(0, start - _OVERLAP)
    while place < end:
        low = max(0, place - _OVERLAP)
        window = text[low : place + _STEP + _OVERLAP]
        for one in mentions(window):
            first, last = one.span[0] + low, one.span[1] + low
            if place <= first < place + _STEP and first < end and start < last:
                yield Mention(one.written, one.readings, one.weak, (first, last))
        place += _STEP


_MONEY_AFTER = re.compile(r"(?: ?(?:MM|[kKmMbB])(?![\w./]))?(?: ?(?:[A-Z]{3}\b|[€$£¥]))?")
_RATE_AFTER = re.compile(r" ?[^\s\d/]{1,12}(?:/| per )[^\s/,;:()]{1,12}(?<!\.)")
_NUMBER_EDGE = frozenset(".,'_")


def _add(mention: Mention, text: str, found: Readings, weak: bool) -> None:
    start, end = mention.span
    numbers = [(value, unit) for value, unit in mention.readings if isinstance(value, Fraction)]
    if _inside_number(text, start, end):
        return
    worded = mention.weak and mention.written[:1].isalpha()
    if worded and not weak:
        return
    written = text[start:end]
    sign = -1 if any(value < 0 for value, _ in numbers) else 1
    if longer := _longer(written, text, end):
        written, numbers = longer, []
    for value, unit in numbers:
        if "|" not in unit:
            found.add(value, unit)
    kinds = {unit for value, unit in mention.readings if isinstance(value, str)}
    if _PLAIN_DIGITS.fullmatch(written) or not kinds <= {"digits", "multiple"} or worded:
        return
    if len(written) <= MOST_CHARACTERS:
        for one in read_quantity(written).readings:
            if one.high is None:
                found.add(sign * one.value, one.unit)


_BETWEEN = re.compile(r"[^-]{1,40}?(?:-| - | to | and )[0-9][^-]{0,60}")


def _add_range(text: str, start: int, last: tuple[int, int], found: Readings) -> None:
    """Two numbers that share a scale: the 3 of €3-4 million is three million too."""
    second = text[last[0] : last[1]]
    second = _longer(second, text, last[1]) or second
    if second.isdigit() or not start < last[0] < start + 40:
        return
    written = text[start : last[0]] + second
    if not _BETWEEN.fullmatch(written):
        return
    for one in read_quantity(written.replace(" and ", " to ")).readings:
        if one.high is not None:
            found.add(one.value, one.unit)
            found.add(one.high, one.unit)


def _inside_number(text: str, start: int, end: int) -> bool:
    """Whether digits go on beside it: it was cut from a number too long to read."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    return (
        before[-1:].isdigit()
        or after[:1].isdigit()
        or (before[:1].isdigit() and before[-1:] in _NUMBER_EDGE)
        or (len(after) == 2 and after[0] in _NUMBER_EDGE and after[1].isdigit())
    )


def _longer(written: str, text: str, end: int) -> str | None:
    """A number with more behind it than the guard takes for its own: 5 m USD, 500 EUR/t."""
    if rate := _RATE_AFTER.match(text, end):
        longer = written + rate[0]
        if any(one.unit for one in read_quantity(longer).readings):
            return longer
    money = _MONEY_AFTER.match(text, end)
    if money and money[0]:
        longer = written + money[0]
        units = {one.unit for one in read_quantity(longer).readings}
        if units and all(unit and is_currency(unit) for unit in units):
            return longer
    return None


_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_CLOCK = (
    r"(?:(?:T|,? at | ?, ?| )\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?[ap]\.?m\b\.?)?"
    r"(?: ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})\b)?)?"
)
_DATE = re.compile(
    r"(?<![\w.,/])(?:"
    rf"(?P<exact>{_DAY}(?: of)?[ -]{_MONTH},?[ -]\d{{4}}(?!\d)|{_MONTH} {_DAY},? \d{{4}}(?!\d)"
    rf"|\d{{1,2}}-{_MONTH}-\d{{2}}(?!\w)"
    rf"|(?<!-)(?:\d{{4}}([-/.])\d{{1,2}}\2\d{{1,2}}(?!\d)|\d{{4}} {_MONTH} \d{{1,2}}(?!\d)"
    r"|\d{1,2}([./-])\d{1,2}\3(?:\d{4}|\d{2})(?![\d/-])|(?:19|20)\d{6}(?!\d)"
    rf"|\d{{4}} ?年 ?\d{{1,2}} ?月 ?\d{{1,2}} ?日)){_CLOCK}"
    rf"|{_MONTH},? \d{{4}}(?!\d)"
    rf"|(?<!-)(?:\d{{4}} {_MONTH}|\d{{4}}[-/]\d{{2}}(?![\d/-])|\d{{1,2}}[/-]\d{{4}}(?![\d/-])"
    r"|Q[1-4][ /-]\d{4}(?!\d)|\d{4}[ -]?Q[1-4]\b|\d{4}-?W\d{2}\b)"
    r")",
    re.IGNORECASE,
)
_TIME_AFTER = re.compile(r"(?:T|,? at | ?, ?| )\d{1,2}:\d{2}", re.IGNORECASE)
_YEAR = re.compile(
    r"(?<!\w)(?<!\d[.,])(?:FY ?|CY ?)?([12]\d{3})(?!\w|[.,]\d)|(?<=[12]\d{3}[-/])([12]\d{3})(?!\w)"
)
_SHARED = re.compile(
    rf"(?<![\w.,/-])(?:({_DAY})(?: of)?(?:[ -]({_MONTH}))?|({_MONTH})(?: ({_DAY}))?)"
    r" ?(?:-|,|to|and|until|till|through|&) ?(?:the )?\Z",
    re.IGNORECASE,
)
_LOOK_BACK = 40
_OF_ITS_MONTH = re.compile(rf"(?:{_DAY}(?: of)?[ -])?({_MONTH})(?: {_DAY})?,?[ -](\d{{4}})", re.I)


def _add_dates(text: str, start: int, end: int, found: Readings) -> list[tuple[int, int]]:
    """Adds the dates that overlap a stretch of a text; where those stand that are no numbers."""
    places = []
    for number, one in enumerate(_DATE.finditer(text)):
        if number == MOST_NUMBERS:
            found.cut = True
            break
        _add_shared(text, one, start, end, found)
        if one.start() >= end or one.end() <= start:
            continue
        if _add_date(one[0], found) and not one[0].isdigit():
            places.append(one.span())
        if clock := _TIME_AFTER.search(one[0]):
            _add_date(one[0][: clock.start()], found)
    for one in _YEAR.finditer(text):
        if one.start() < end and start < one.end():
            found.dates.add(one[1] or one[2])
    return places


def _add_date(written: str, found: Readings) -> bool:
    dates = _dates_of(written)
    found.dates |= dates
    return bool(dates)


@lru_cache(maxsize=8192)
def _dates_of(written: str) -> frozenset[str]:
    readings = date_readings(written.replace(".", " ") if written[0].isalpha() else written)
    return frozenset[str]().union(*(_coarser(one.iso) for one in readings))


def _add_shared(text: str, one: re.Match[str], start: int, end: int, found: Readings) -> None:
    """1 March to 30 June 2024, March-June 2024, 12 and 14 March 2024: the year belongs to both."""
    named = _OF_ITS_MONTH.match(one[0])
    low = max(0, one.start() - _LOOK_BACK)
    before = _SHARED.search(text[low : one.start()]) if named else None
    if not named or not before or low + before.start() >= end or one.end() <= start:
        return
    month = before[2] or before[3]
    day = before[1] or before[4]
    if day is None:
        _add_date(f"{month} {named[2]}", found)
    else:
        _add_date(f"{day} {month or named[1]} {named[2]}", found)


def _coarser(iso: str) -> set[str]:
    """A date and all that it is part of: 2024-03-12 is in 2024-03, 2024-Q1, 2024-W11 and 2024."""
    found = _timeless(iso)
    if iso.endswith("Z"):  # the day is another one in other places
        return found
    if "T" in iso:
        found |= {iso[:10], iso[:16]}
    day = iso[:10]
    if "Q" in day or "W" in day or len(day) == 4:
        return found | {day[:4]}
    if len(day) == 10:
        year, week, _ = date.fromisoformat(day).isocalendar()
        found.add(f"{year}-W{week:02}")
    return found | {day[:7], f"{day[:4]}-Q{(int(day[5:7]) + 2) // 3}", day[:4]}


def _timeless(iso: str) -> set[str]:
    """A date; a time of whole minutes also without its seconds."""
    bare, zone = (iso[:-1], "Z") if iso.endswith("Z") else (iso, "")
    if "T" in bare and bare.count(":") == 2 and bare.endswith(":00"):
        return {iso, bare[:-3] + zone}
    return {iso}
