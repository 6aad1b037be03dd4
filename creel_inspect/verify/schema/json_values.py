"""JSON values as the schema and expression checks see them: copied, bounded, compared exactly."""

import math
import re
from collections.abc import Iterator, Sequence
from datetime import date, time
from decimal import Decimal
from fractions import Fraction
from typing import Any

from creel_inspect.verify.plain import shown

_SHORT = 60
_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_-]{0,60}\Z")

_SCALARS = {int, float, bool, type(None)}
_ALWAYS_FINITE = {int, bool, str, type(None)}

# The library writes the whole value into each of its messages, at every level of nesting. These
# show themselves in brief, so that a message costs the same whatever the value's size.


class _Text(str):
    __slots__ = ()

    def __repr__(self) -> str:
        return shown(str(self), _SHORT)


class _List(list[Any]):
    __slots__ = ()

    def __repr__(self) -> str:
        return shown(self, _SHORT)


class _Object(dict[str, Any]):
    __slots__ = ()

    def __repr__(self) -> str:
        return shown(self, _SHORT)


def json_copy(value: Any) -> Any:
    """A copy in JSON's types: tuples and sets as lists (sets in a fixed order), dates and times as
    ISO 8601 text, whole ``Decimal`` as int. It shows itself in brief.

    The value is bounded and without cycles already, so recursion is at most 100 levels deep.
    """
    kind = type(value)
    if kind is str:
        return value if len(value) <= _SHORT else _Text(value)
    if kind is int or kind is float or kind is bool or value is None:
        return value
    if isinstance(value, dict):
        return _Object(
            {
                key: inner if type(inner) in _SCALARS else json_copy(inner)
                for key, inner in value.items()
            }
        )
    if isinstance(value, list | tuple):
        return _List(value if set(map(type, value)) <= _SCALARS else map(json_copy, value))
    if isinstance(value, set | frozenset):
        return _List(sorted(map(json_copy, value), key=lambda one: repr(key_of(one))))
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, Decimal):
        whole = value.is_finite() and value == value.to_integral_value()
        return int(value) if whole else value
    return json_copy(str(value)) if isinstance(value, str) else value


def weight_of(value: Any) -> int:
    """How many values it holds, itself included; a long text counts as several."""
    return sum(weights_of(value))


def weights_of(value: Any) -> tuple[int, int]:
    """How many values it holds in plain lists of numbers, and how many beside them."""
    plain, parts, stack = 0, 0, [value]
    while stack:
        one = stack.pop()
        parts += 1
        if isinstance(one, dict):
            parts += len(one)
            inner = [part for part in one.values() if type(part) not in _SCALARS]
            parts += len(one) - len(inner)
            stack.extend(inner)
        elif isinstance(one, list | tuple | set | frozenset):
            if set(map(type, one)) <= _SCALARS:
                plain += len(one)
            else:
                stack.extend(one)
        elif isinstance(one, str):
            parts += len(one) // 500
    return plain, parts


def not_finite(value: Any) -> Iterator[tuple[str | int, ...]]:
    """Where a value holds NaN or infinities, which are no JSON numbers."""
    if _all_finite(value):  # places are costly to keep
        return
    stack: list[tuple[Any, tuple[str | int, ...]]] = [(value, ())]
    while stack:
        one, place = stack.pop()
        if isinstance(one, dict):
            stack.extend((inner, (*place, key)) for key, inner in reversed(one.items()))
        elif isinstance(one, list):
            if not set(map(type, one)) <= {int, bool, str}:
                stack.extend((one[n], (*place, n)) for n in reversed(range(len(one))))
        elif isinstance(one, float | Decimal) and not math.isfinite(one):
            yield place


def _all_finite(value: Any) -> bool:
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, dict):
            stack.extend(part for part in one.values() if type(part) not in _ALWAYS_FINITE)
        elif isinstance(one, list):
            if not set(map(type, one)) <= _ALWAYS_FINITE:
                stack.extend(one)
        elif isinstance(one, float | Decimal) and not math.isfinite(one):
            return False
    return True


def json_path(place: Sequence[str | int], root: str = "$") -> str:
    """``$.a[3].b``: at most 200 characters."""
    parts = []
    for one in place:
        if isinstance(one, int):
            parts.append(f"[{one}]")
        else:
            parts.append(f".{one}" if _NAME.match(one) else f"[{shown(one, 40)}]")
    text = root + "".join(parts)
    return text if len(text) <= 200 else f"{text[:99]}…{text[-100:]}"


def exact(number: int | float | Decimal | Fraction) -> Fraction | int:
    """A number as it is written: the float 0.1 is one tenth, not the binary fraction nearest it."""
    if isinstance(number, int | Fraction):
        return number
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


def order(one: Any, other: Any) -> int:
    """-1, 0 or 1: how two finite numbers are ordered, as they are written."""
    if type(one) is not type(other):
        one, other = exact(one), exact(other)
    return (one > other) - (one < other)


def key_of(value: Any) -> Any:
    """A key that two values share exactly when they are the same JSON value (1 is 1.0, not true).

    Numbers become text: the hash of a whole number can be chosen by whoever writes it, and a set
    of numbers with one hash takes quadratic time.
    """
    if isinstance(value, str):
        return "s" + value
    if value is None or isinstance(value, bool):
        return f"b{value}"
    if isinstance(value, dict):
        return frozenset((key, key_of(inner)) for key, inner in value.items())
    if isinstance(value, list):
        return ("l", *map(key_of, value))
    if isinstance(value, float) and not math.isfinite(value):
        return f"n{value}"
    return f"n{exact(value)}" if not isinstance(value, int) else f"n{value}"
