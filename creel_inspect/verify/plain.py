"""Values as verifiers take them: plain data, bounded, without cycles; and how they are shown."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from typing import Any

MOST_ITEMS = 2_000_000
MOST_LEVELS = 100
MOST_CHARACTERS = 50_000_000
MOST_BITS = 14_000
"""About 4,200 digits: Python refuses to print longer integers."""
MOST_EXPONENT = 4_200

_DETAIL_LEVELS = 50
_CONTAINERS = (list, tuple, dict, set, frozenset)
_QUICK = {str, int, float, bool, type(None)}


@dataclass(frozen=True)
class Fault:
    """Why a value cannot be compared. ``foreign``: it is not data at all, but an object."""

    text: str
    foreign: bool = False


def fault_of(value: Any, *, finite: bool = False) -> Fault | None:
    """What is wrong with a value, or None. Walks it once, without recursion.

    Args:
        value: JSON data, or Python's tuples, sets, ``Decimal``, dates and times.
        finite: Whether NaN and infinities are faults too.
    """
    if isinstance(value, _CONTAINERS):
        return _fault_inside(value, finite)
    return _fault_of_leaf(value, finite)


def _fault_inside(value: Any, finite: bool) -> Fault | None:
    items, characters = 0, 0
    open_now: set[int] = set()
    # Each container is left behind as a marker, so that a cycle is told from a value met twice.
    stack: list[tuple[Any, int]] = [(value, 0)]
    fault: Fault | None
    while stack:
        one, level = stack.pop()
        if level < 0:
            open_now.discard(one)
            continue
        if not isinstance(one, _CONTAINERS):
            characters += len(one) if isinstance(one, str) else 0
            fault = _fault_of_leaf(one, finite)
        elif id(one) in open_now:
            fault = Fault("it contains itself")
        elif level >= MOST_LEVELS:
            fault = Fault(f"it is nested more than {MOST_LEVELS} levels deep")
        else:
            items += len(one)
            open_now.add(id(one))
            stack.append((id(one), -1))
            inside, characters_here, fault = _opened(one, finite)
            characters += characters_here
            stack.extend((inner, level + 1) for inner in inside)
        if items > MOST_ITEMS:
            fault = Fault(f"it holds more than {MOST_ITEMS:,} items")
        if characters > MOST_CHARACTERS:
            fault = Fault(f"it holds more than {MOST_CHARACTERS:,} characters")
        if fault:
            return fault
    return None


def _opened(one: Any, finite: bool) -> tuple[Iterable[Any], int, Fault | None]:
    """What of a container is still to be looked at, the characters that are not, and a fault."""
    characters = 0
    inside: Any = one
    if isinstance(one, dict):
        for key in one:
            if not isinstance(key, str):
                fault = Fault(f"a key is {type(key).__name__}, not text", foreign=True)
                return (), 0, fault
            characters += len(key)
        inside = one.values()
    kinds = set(map(type, inside))
    if not kinds <= _QUICK:
        return inside, characters, None
    # A million of simple kinds, without a step for each.
    if str in kinds:
        characters += sum(len(text) for text in inside if type(text) is str)
    worst = [_worst(inside, kind) for kind in kinds & {int, float}]
    faults = filter(None, (_fault_of_leaf(value, finite) for value in worst))
    return (), characters, next(faults, None)


def _worst(values: Iterable[Any], kind: type) -> Any:
    """Of the values of one number type, one that has a fault if any has."""
    chosen: list[Any] = [value for value in values if type(value) is kind]
    if kind is int:
        return max(chosen, key=int.bit_length)
    return next((value for value in chosen if not math.isfinite(value)), 0.0)


def _fault_of_leaf(value: Any, finite: bool) -> Fault | None:
    if value is None or isinstance(value, bool | date | time):
        return None
    if isinstance(value, str):
        if len(value) > MOST_CHARACTERS:
            return Fault(f"it holds more than {MOST_CHARACTERS:,} characters")
        return None
    if isinstance(value, int):
        if value.bit_length() > MOST_BITS:
            return Fault("it is a whole number of thousands of digits")
        return None
    if isinstance(value, float):
        if finite and not math.isfinite(value):
            return Fault(f"{value} is not a value")
        return None
    if isinstance(value, Decimal):
        if not value.is_finite():
            return Fault(f"{value} is not a value") if finite or value.is_snan() else None
        if abs(value.adjusted()) > MOST_EXPONENT or len(value.as_tuple().digits) > MOST_EXPONENT:
            return Fault("it is a number of thousands of digits")
        return None
    return Fault(
        f"{type(value).__module__}.{type(value).__name__} is no plain value: expected text, "
        "a number, a truth value, None, a date, or a list, set or mapping of these",
        foreign=True,
    )


def readable(text: str) -> str:
    """The text, with halves of surrogate pairs, which no encoder takes, written as escapes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()
    return text


def shown(value: Any, limit: int = 80) -> str:
    """A value for a reason: on one line, at most ``limit`` characters, whatever it is."""
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return "a whole number of thousands of digits"
    if isinstance(value, str):
        text = repr(value[: limit + 1])
    elif isinstance(value, _CONTAINERS):
        text = _container_shown(value, limit)
    else:
        try:
            text = str(value) if isinstance(value, Decimal | date) else repr(value)
        except Exception:
            text = f"<{type(value).__name__}>"
    text = readable(" ".join(text.split()))
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _container_shown(value: Any, limit: int, level: int = 0) -> str:
    if level > 3:
        return "…"
    few = 8
    parts = []
    for number, one in enumerate(value):
        if number == few:
            parts.append(f"… {len(value) - few:,} more")
            break
        inner = value[one] if isinstance(value, dict) else one
        nested = isinstance(inner, _CONTAINERS)
        text = _container_shown(inner, limit, level + 1) if nested else shown(inner, limit)
        parts.append(f"{shown(one, limit)}: {text}" if isinstance(value, dict) else text)
    ends = "{}" if isinstance(value, dict | set | frozenset) else "[]"
    return ends[0] + ", ".join(parts) + ends[1]


def json_safe(details: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of ``details`` that any JSON log can hold.

    Raises:
        ValueError: For NaN, infinities, keys that are not text, other types, or over 50 levels.
    """
    return {readable(key): _json_safe(value, 1) for key, value in details.items()}


def _json_safe(value: Any, level: int) -> Any:
    if level > _DETAIL_LEVELS:
        raise ValueError(f"details are nested more than {_DETAIL_LEVELS} levels deep")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return readable(str(value))
    if isinstance(value, int):
        if value.bit_length() > MOST_BITS:
            raise ValueError("details hold a whole number of thousands of digits")
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"details hold {value}, which JSON cannot")
        return float(value)
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise ValueError("details have keys that are not text")
        return {readable(key): _json_safe(inner, level + 1) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_json_safe(inner, level + 1) for inner in value]
    raise ValueError(f"details hold {type(value).__name__}, which JSON cannot")
