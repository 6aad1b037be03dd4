"""How two texts are ordered: by code points, but dates in ISO 8601 by the calendar.

By code points "2024-12-01" stands before "unknown", and ten o'clock in Lima before eleven in Oslo.
"""

import re
from functools import lru_cache

from creel_inspect.verify.plain import shown
from creel_inspect.verify.schema.budget import Budget
from creel_inspect.verify.values.dates import DateReading, read_date

_ISO = re.compile(
    r"[0-9]{4}(?:-[0-9]{2}|-W[0-9]{2}(?:-[1-7])?|(?P<day>-[0-9]{2}-[0-9]{2})"
    r"(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?"
    r"(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?)?",
    re.IGNORECASE | re.ASCII,
)
_LONGEST = 40


class NotComparable(Exception):
    """Neither of two texts comes first, and why."""


def order_of_texts(one: str, other: str, budget: Budget) -> int:
    """-1, 0 or 1.

    Raises:
        NotComparable: If only one is a date, or one is impossible, or they differ in precision, or
            only one has an offset from UTC.
    """
    first, second = _date(one, budget), _date(other, budget)
    if first is None and second is None:
        return (one > other) - (one < other)
    if first is None or second is None:
        text, day = (one, other) if first is None else (other, one)
        raise NotComparable(f"{shown(day, 60)} is a date and {shown(text, 60)} is none in ISO 8601")
    pair = f"{shown(one, 60)} and {shown(other, 60)}"
    if first.precision != second.precision:
        raise NotComparable(f"{pair} differ in precision, {first.precision} and {second.precision}")
    if first.iso.endswith("Z") != second.iso.endswith("Z"):
        raise NotComparable(f"only one of {pair} has an offset from UTC")
    # Without the Z, a moment without a fraction of a second stands before one with it.
    left, right = first.iso.rstrip("Z"), second.iso.rstrip("Z")
    return (left > right) - (left < right)


def _date(text: str, budget: Budget) -> DateReading | None:
    found = _ISO.fullmatch(text) if len(text) <= _LONGEST else None
    if not found:
        return None
    budget.spend(20)
    reading = _read(text)
    if reading is None and found["day"]:
        raise NotComparable(f"{shown(text, 60)} is no possible date")
    return reading


@lru_cache(maxsize=4_096)
def _read(text: str) -> DateReading | None:
    return read_date(text.upper())
