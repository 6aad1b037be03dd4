"""The values of JSON Schema's ``format`` keyword that are checked, each in linear time.

A format that is not here is refused when the schema is read: the standard lets a checker ignore
it, and then it would hold for anything.
"""

import ipaddress
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

from creel_inspect.verify.protocol import VerifierConfigError
from creel_inspect.verify.schema.patterns import pattern

_LONGEST = 4_000
_OFFSET = r"(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
_TIME = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\.[0-9]{1,12})?"
_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_HOST = rf"{_LABEL}(?:\.{_LABEL})*"
_ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_DAY = pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}$")
_CLOCK = pattern(f"^{_TIME}{_OFFSET}$")


def is_date(value: Any) -> bool:
    """Whether it is a day of the calendar, written YYYY-MM-DD (RFC 3339 full-date)."""
    if not isinstance(value, str) or len(value) != 10 or not _DAY.found_in(value):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def is_time(value: str) -> bool:
    """RFC 3339 full-time: an offset is required, and a leap second is at 23:59:60 UTC."""
    if not _CLOCK.found_in(value):
        return False
    if value[6:8] != "60":
        return True
    moment = datetime.fromisoformat(f"2000-01-02T{value[:5]}:59{_offset(value)}")
    return moment.utctimetuple()[3:5] == (23, 59)


def _offset(value: str) -> str:
    return "+00:00" if value[-1] in "Zz" else value[-6:]


def is_date_time(value: str) -> bool:
    """RFC 3339 date-time."""
    return is_date(value[:10]) and value[10:11] in {"T", "t"} and is_time(value[11:])


def _address(kind: Callable[[str], object]) -> Callable[[str], bool]:
    def check(value: str) -> bool:
        try:
            kind(value)
        except ValueError:
            return False
        return "%" not in value  # a zone is no part of an address in RFC 4291

    return check


def _written(text: str) -> Callable[[str], bool]:
    return pattern(f"^(?:{text})$").found_in


def _is_pattern(value: str) -> bool:
    try:
        pattern(value)
    except VerifierConfigError:
        return False
    return True


_HEX = "[0-9A-Fa-f]"
FORMATS: Mapping[str, Callable[[str], bool]] = {
    "date": is_date,
    "time": is_time,
    "date-time": is_date_time,
    "duration": _written(
        r"P(?:[0-9]+W|(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)"
        r"(?:T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))?"
        r"|T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))"
    ),
    "email": _written(rf"""(?:{_ATOM}(?:\.{_ATOM})*|"(?:[^"\\]|\\.)*")@{_HOST}"""),
    "hostname": _written(_HOST),
    "ipv4": _address(ipaddress.IPv4Address),
    "ipv6": _address(ipaddress.IPv6Address),
    "uri": _written(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20\x7f-\x{10ffff}<>\"{}|\\^`]+"),
    "uuid": _written(f"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}"),
    "regex": _is_pattern,
}


def in_format(value: str, name: str) -> bool:
    """Whether a text is in a format of ``FORMATS``. Texts of over 4,000 characters are in none."""
    return len(value) <= _LONGEST and FORMATS[name](value)
