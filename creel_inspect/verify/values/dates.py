"""Reading a written date as a person would: what it says, how precisely, and whether it is certain.

Nothing is filled in: "May 2024" is a month, not the first of May. Nothing is guessed: "01/05/2024"
has two readings until the order is known, "5 May 24" has two until the century is. A reading
depends on the text alone, never on today, the time zone or the locale.

The grammar: ISO 8601 (calendar and week dates, times, offsets), English month names with an
ordinal or a weekday, digits with ``/``, ``.`` or ``-``, quarters, and ``2024年5月5日``.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import Literal, TypeAlias

LONGEST = 80
"""Characters: no date is written longer."""

Order: TypeAlias = Literal["DMY", "MDY", "YMD"]
"""In which order day, month and year stand in a date of digits."""


class Precision(StrEnum):
    """The smallest part that a date names."""

    YEAR = "year"
    QUARTER = "quarter"
    MONTH = "month"
    WEEK = "week"
    DAY = "day"
    MINUTE = "minute"
    SECOND = "second"


@dataclass(frozen=True, order=True)
class DateReading:
    """One reading of a written date.

    Attributes:
        iso: As ISO 8601 writes it, no more precise than it was: ``2024``, ``2024-Q2``,
            ``2024-05``, ``2024-W07``, ``2024-05-05``, ``2024-05-05T10:30``. A time with an offset
            is an instant, and is written in UTC: ``2024-05-05T08:30Z``.
        precision: The smallest part that it names. Two readings are equal only at equal precision.
    """

    iso: str
    precision: Precision


_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_ENDINGS = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}

_Y = r"(?P<y>[0-9]{4})"
_M = rf"(?P<mon>{'|'.join(one[:3] for one in _MONTHS)})(?P<rest>[a-z]{{0,6}})\.?"
_D = r"(?P<d>[0-9]{1,2})(?P<ending>st|nd|rd|th)?"
_Y_SHORT = r"(?P<y>[0-9]{4}|[0-9]{2})"
_WEEKDAY = rf"(?:(?P<wd>{'|'.join(one[:3] for one in _DAYS)})(?P<wdrest>[a-z]{{0,6}})\.?,? )?"


def _grammar(*forms: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(form, re.IGNORECASE | re.ASCII) for form in forms)


_WEEKS = _grammar(rf"{_Y}-?W(?P<w>[0-9]{{2}})(?:-?(?P<wd>[1-7]))?")
_QUARTERS = _grammar(rf"Q(?P<q>[1-4])[ /-]{_Y}", rf"{_Y}[ -]?Q(?P<q>[1-4])")
_IN_WORDS = _grammar(
    rf"{_WEEKDAY}(?:the )?{_D}(?: of)? {_M},? {_Y_SHORT}",
    rf"{_WEEKDAY}{_M} {_D}(?:, ?| ){_Y_SHORT}",
    rf"(?P<d>[0-9]{{1,2}})-{_M}-{_Y_SHORT}",
    rf"{_Y} {_M} {_D}",
)
_MONTH_IN_WORDS = _grammar(rf"{_M},? {_Y}", rf"{_Y} {_M}")
_MONTH_IN_DIGITS = _grammar(
    rf"{_Y}-(?P<m>[0-9]{{2}})", rf"{_Y}/(?P<m>[0-9]{{2}})", rf"(?P<m>[0-9]{{1,2}})[/-]{_Y}"
)
_YEAR_FIRST = _grammar(
    rf"{_Y}(?P<sep>[-/.])(?P<m>[0-9]{{1,2}})(?P=sep)(?P<d>[0-9]{{1,2}})",
    rf"{_Y}(?P<m>[0-9]{{2}})(?P<d>[0-9]{{2}})",
    rf"{_Y} ?年 ?(?P<m>[0-9]{{1,2}}) ?月 ?(?P<d>[0-9]{{1,2}}) ?日",
)
_THREE_NUMBERS = _grammar(
    r"(?P<one>[0-9]{1,2})(?P<sep>[-/.])(?P<two>[0-9]{1,2})(?P=sep)(?P<three>[0-9]{4}|[0-9]{2})"
)
_TIME = re.compile(
    r"(?:T|,? at | ?, ?| )(?P<h>[0-9]{1,2}):(?P<mi>[0-9]{2})(?::(?P<s>[0-9]{2})"
    r"(?:[.,](?P<f>[0-9]{1,9}))?)?(?: ?(?P<half>[ap])\.?m\.?)?"
    r"(?: ?(?P<off>Z|UTC|GMT|[+-][0-9]{2}(?::?[0-9]{2})?))?\Z",
    re.IGNORECASE | re.ASCII,
)
_BASIC_TIME = re.compile(
    r"T(?P<h>[0-9]{2})(?P<mi>[0-9]{2})(?P<s>[0-9]{2})?(?:[.,](?P<f>[0-9]{1,9}))?"
    r"(?P<half>(?!))?(?P<off>Z|[+-][0-9]{2}(?::?[0-9]{2})?)?\Z",
    re.ASCII,
)


def date_readings(text: str, *, order: Order | None = None) -> tuple[DateReading, ...]:
    """Every reading of a text that is wholly a date, in ISO order.

    Args:
        text: What is written. Spaces around and between its parts do not matter.
        order: How a date of digits is ordered, where that is known. It is binding: under
            ``MDY``, "13/05/2024" is no date. Dates that begin with a four-digit year, or name
            their month, need none.

    Returns:
        Nothing for a text that is no date, or an impossible one; several for an ambiguous one.
        A year of two digits is read in this century and in the last.
    """
    if len(text) > LONGEST:
        return ()
    text = " ".join(text.split())
    clock = _TIME.search(text) or _BASIC_TIME.search(text)
    written = text[: clock.start()] if clock else text
    found = set(_dates(written, order))
    if clock:
        at = _clock(clock)
        moments = [_at(reading, at, clock) for reading in found] if at else []
        found = {one for one in moments if one}
    return tuple(sorted(found))


def read_date(text: str, *, order: Order | None = None) -> DateReading | None:
    """The one reading of a text that is wholly a date; None if it has none, or several."""
    found = date_readings(text, order=order)
    return found[0] if len(found) == 1 else None


def is_date(text: str, *, order: Order | None = None) -> bool:
    """Whether a text is wholly a possible date, of any precision, certain or ambiguous."""
    return bool(date_readings(text, order=order))


def _dates(text: str, order: Order | None) -> Iterator[DateReading]:
    if re.fullmatch(r"[12][0-9]{3}", text):
        yield DateReading(text, Precision.YEAR)
    elif found := _match(_YEAR_FIRST, text):
        yield from _day(found["y"], int(found["m"]), int(found["d"]))
    elif found := _match(_THREE_NUMBERS, text):
        yield from _three_numbers(found["one"], found["two"], found["three"], order)
    elif found := _match(_MONTH_IN_DIGITS, text):
        month = int(found["m"])
        # 2011/12 is a season as often as a month.
        season = "/" in text and text.startswith(found["y"]) and month == int(found["y"][2:]) + 1
        if 1 <= month <= 12 and int(found["y"]) and not season:
            yield DateReading(f"{found['y']}-{month:02}", Precision.MONTH)
    elif found := _match(_IN_WORDS, text):
        yield from _in_words(found)
    elif found := _match(_MONTH_IN_WORDS, text):
        named = _named(found["mon"] + found["rest"], _MONTHS)
        if named and int(found["y"]):
            yield DateReading(f"{found['y']}-{named:02}", Precision.MONTH)
    elif found := _match(_QUARTERS, text):
        yield DateReading(f"{found['y']}-Q{found['q']}", Precision.QUARTER)
    elif found := _match(_WEEKS, text):
        yield from _week(found)


def _match(forms: tuple[re.Pattern[str], ...], text: str) -> re.Match[str] | None:
    return next((found for form in forms if (found := form.fullmatch(text))), None)


def _day(year: str, month: int, day: int) -> Iterator[DateReading]:
    for full in (year,) if len(year) == 4 else (f"19{year}", f"20{year}"):
        try:
            yield DateReading(date(int(full), month, day).isoformat(), Precision.DAY)
        except ValueError:
            continue


def _three_numbers(one: str, two: str, three: str, order: Order | None) -> Iterator[DateReading]:
    first, middle, last = int(one), int(two), int(three)
    # The year is written last, unless its two digits may as well stand first.
    year_may_be_first = len(three) == 2 and len(one) == 2
    known = order if order != "YMD" or year_may_be_first else None
    if known in (None, "DMY"):
        yield from _day(three, middle, first)
    if known in (None, "MDY"):
        yield from _day(three, first, middle)
    if known in (None, "YMD") and year_may_be_first:
        yield from _day(one, middle, last)


def _in_words(found: re.Match[str]) -> Iterator[DateReading]:
    parts = found.groupdict()
    month, day = _named(parts["mon"] + parts["rest"], _MONTHS), int(parts["d"])
    ending = parts.get("ending")
    if not month or (ending and ending.lower() != _ENDINGS.get(day, "th")):
        return
    weekday = None
    if parts.get("wd"):
        weekday = _named(parts["wd"] + parts["wdrest"], _DAYS)
        if not weekday:
            return
    for reading in _day(parts["y"], month, day):
        if weekday in (None, date.fromisoformat(reading.iso).isoweekday()):
            yield reading


def _named(word: str, names: list[str]) -> int | None:
    """Which name, from 1, a word is, or begins with three letters of or more."""
    word = word.lower()
    fits = [place for place, name in enumerate(names, 1) if name.startswith(word)]
    return fits[0] if fits else None


def _week(found: re.Match[str]) -> Iterator[DateReading]:
    year, week, day = int(found["y"]), int(found["w"]), found["wd"]
    try:
        on = date.fromisocalendar(year, week, int(day or 1))
    except ValueError:
        return
    if day:
        yield DateReading(on.isoformat(), Precision.DAY)
    else:
        yield DateReading(f"{found['y']}-W{week:02}", Precision.WEEK)


def _clock(found: re.Match[str]) -> time | None:
    hour, half = int(found["h"]), (found["half"] or "").lower()
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    try:
        return time(hour, int(found["mi"]), int(found["s"] or 0))
    except ValueError:
        return None


def _at(reading: DateReading, at: time, found: re.Match[str]) -> DateReading | None:
    if reading.precision != Precision.DAY:
        return None
    moment = datetime.combine(date.fromisoformat(reading.iso), at)
    ending = ""
    if found["off"]:
        offset = _offset(found["off"])
        if offset is None:
            return None
        try:
            moment -= offset
        except OverflowError:
            return None
        ending = "Z"
    precision = Precision.SECOND if found["s"] else Precision.MINUTE
    written = moment.isoformat(timespec=f"{precision}s")
    fraction = (found["f"] or "").rstrip("0")
    return DateReading(written + (f".{fraction}" if fraction else "") + ending, precision)


def _offset(text: str) -> timedelta | None:
    if text[0] not in "+-":
        return timedelta()
    digits = text[1:].replace(":", "")
    hours, minutes = int(digits[:2]), int(digits[2:] or 0)
    if minutes > 59 or hours * 60 + minutes > 14 * 60:  # the widest in use is +14:00
        return None
    size = timedelta(hours=hours, minutes=minutes)
    return size if text[0] == "+" else -size
