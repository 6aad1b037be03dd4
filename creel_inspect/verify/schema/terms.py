"""The operations of the expression language: each a function that counts its steps.

The language is described in ``expressions``.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

from creel_inspect.verify.plain import MOST_BITS, shown
from creel_inspect.verify.schema.budget import Budget
from creel_inspect.verify.schema.date_order import NotComparable, order_of_texts
from creel_inspect.verify.schema.formats import is_date
from creel_inspect.verify.schema.json_values import exact, key_of, order, weight_of

_LONGEST_TEXT = 1_000_000


class CannotEvaluate(Exception):
    """The expression has no value for this candidate, and why: the candidate fails."""


@dataclass
class Scope:
    """What an expression's names stand for, and what evaluating it may still cost."""

    names: Mapping[str, Any]
    budget: Budget
    bound: dict[str, Any] = field(default_factory=dict)
    """The variables of ``all``, ``exists`` and the like, and reserved names such as ``value``."""


Run = Callable[[Scope], Any]


@dataclass(frozen=True, slots=True)
class Term:
    """A part of an expression: how it is evaluated, and what is known of it beforehand."""

    run: Run
    type: str | None = None
    """The type of its value, where that does not depend on the candidate."""
    height: int = 1
    from_candidate: bool = False
    """Whether its value is a field's, so that its type is the candidate's doing."""
    present: Run | None = None
    """For fields: whether it is there."""
    literal: str | None = None
    """The text itself, for a text that is written out."""
    name: str | None = None
    """The name itself, for a name that stands alone."""


def type_of(value: Any) -> str:
    """A value's type, as messages call it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float | Decimal | Fraction):
        return "number"
    if isinstance(value, str):
        return "text"
    return "list" if isinstance(value, list) else "object"


def told(value: Any) -> str:
    """A value in a reason."""
    if isinstance(value, Fraction):
        return f"{float(value)!r}" if abs(value) < 1 << 64 else "a large fraction"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else shown(value, 60)


def _kind(value: Any) -> str:
    return "null" if value is None else f"{type_of(value)} ({told(value)})"


def finite(value: Any) -> Any:
    """The number.

    Raises:
        CannotEvaluate: If it is no number, or not a finite one.
    """
    if type_of(value) != "number":
        raise CannotEvaluate(f"expected a number, came {_kind(value)}")
    if isinstance(value, float | Decimal) and not math.isfinite(value):
        raise CannotEvaluate(f"{value} is no number")
    return value


def look_up(name: str) -> Run:
    """The value of a name."""

    def run(scope: Scope) -> Any:
        scope.budget.spend(1)
        if name in scope.bound:
            return scope.bound[name]
        if name in scope.names:
            return scope.names[name]
        fields = ", ".join(shown(one, 30) for one, _ in zip(scope.names, range(8), strict=False))
        has = f"its fields are {fields}" if fields else "the value has no fields"
        raise CannotEvaluate(f"there is no field `{name}`: {has}")

    return run


def is_there(name: str) -> Run:
    """Whether a name is a field of the value."""
    return lambda scope: name in scope.bound or name in scope.names


def select(base: Run, name: str) -> Run:
    """A field of an object."""

    def run(scope: Scope) -> Any:
        scope.budget.spend(1)
        found = base(scope)
        if not isinstance(found, dict):
            raise CannotEvaluate(f"`.{name}` needs an object, came {_kind(found)}")
        if name not in found:
            raise CannotEvaluate(f"there is no field `{name}` in {shown(found, 60)}")
        return found[name]

    return run


def has_field(base: Run, name: str) -> Run:
    """Whether an object has a field."""

    def run(scope: Scope) -> bool:
        scope.budget.spend(1)
        found = base(scope)
        if not isinstance(found, dict):
            raise CannotEvaluate(f"`has(….{name})` needs an object, came {_kind(found)}")
        return name in found

    return run


def index(base: Run, at: Run) -> Run:
    """An item of a list by its number from 0, or of an object by its key."""

    def run(scope: Scope) -> Any:
        scope.budget.spend(1)
        found, place = base(scope), at(scope)
        if isinstance(found, dict) and isinstance(place, str):
            if place not in found:
                raise CannotEvaluate(f"there is no key {shown(place, 40)} in {shown(found, 60)}")
            return found[place]
        if isinstance(found, list) and type_of(place) == "number":
            whole = exact(finite(place))
            if whole.denominator != 1 or not 0 <= whole < len(found):
                raise CannotEvaluate(f"there is no item {told(place)} in a list of {len(found):,}")
            return found[int(whole)]
        raise CannotEvaluate(f"{_kind(found)} has no item {told(place)}")

    return run


def equal(one: Any, other: Any, budget: Budget) -> bool:
    """Whether two values of one type are equal.

    Raises:
        CannotEvaluate: If they are of different types, or not numbers.
    """
    stack = [(one, other)]
    while stack:
        left, right = stack.pop()
        budget.spend(2)
        if left is None or right is None:
            if left is not right:
                return False
        elif type_of(left) != type_of(right):
            raise CannotEvaluate(f"cannot compare {_kind(left)} with {_kind(right)}")
        elif isinstance(left, list):
            if len(left) != len(right):
                return False
            budget.spend(len(left))
            stack.extend(reversed(list(zip(left, right, strict=True))))
        elif isinstance(left, dict):
            if left.keys() != right.keys():
                return False
            budget.spend(len(left))
            stack.extend((left[key], right[key]) for key in left)
        elif not _same(left, right, budget):
            return False
    return True


def _same(one: Any, other: Any, budget: Budget) -> bool:
    if type_of(one) == "number":
        return not order(finite(one), finite(other))
    if isinstance(one, str):
        budget.spend(min(len(one), len(other)) // 2_000)
    return bool(one == other)


def compare(sign: str, left: Run, right: Run) -> Run:
    """``<``, ``<=``, ``>``, ``>=``: numbers with numbers, texts with texts by code points, dates
    with dates."""
    wanted = {"<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (1, 0)}[sign]

    def run(scope: Scope) -> bool:
        scope.budget.spend(1)
        one, other = left(scope), right(scope)
        if type(one) is int and type(other) is int:  # by far the commonest
            return ((one > other) - (one < other)) in wanted
        kinds = type_of(one), type_of(other)
        if kinds == ("number", "number"):
            return order(finite(one), finite(other)) in wanted
        if kinds == ("text", "text"):
            scope.budget.spend(2 + min(len(one), len(other)) // 2_000)
            try:
                return order_of_texts(one, other, scope.budget) in wanted
            except NotComparable as error:
                raise CannotEvaluate(f"{error}, so that `{sign}` has no answer") from error
        raise CannotEvaluate(f"cannot compare {_kind(one)} with {_kind(other)} by `{sign}`")

    return run


def equals(sign: str, left: Run, right: Run) -> Run:
    """``==`` and ``!=``."""
    return lambda scope: equal(left(scope), right(scope), scope.budget) is (sign == "==")


def contained(left: Run, right: Run) -> Run:
    """``in``: an item of a list, or a key of an object."""

    def run(scope: Scope) -> bool:
        scope.budget.spend(1)
        one, inside = left(scope), right(scope)
        if isinstance(inside, dict):
            if not isinstance(one, str):
                raise CannotEvaluate(f"the keys of an object are text, not {_kind(one)}")
            return one in inside
        if not isinstance(inside, list):
            hint = ": `contains` finds a text in a text" if isinstance(inside, str) else ""
            raise CannotEvaluate(f"`in` needs a list or an object, came {_kind(inside)}{hint}")
        same = [item for item in inside if one is None or type_of(item) == type_of(one)]
        scope.budget.spend(len(inside))
        if inside and not same:
            raise CannotEvaluate(f"{_kind(one)} is of another type than all of {shown(inside, 60)}")
        return any(equal_or_not(one, item, scope.budget) for item in same)

    return run


def equal_or_not(one: Any, other: Any, budget: Budget) -> bool:
    """Whether a list holds a value: parts of other types are simply different."""
    try:
        return equal(one, other, budget)
    except CannotEvaluate:
        return False


def calculate(sign: str, left: Run, right: Run) -> Run:
    """``+ - * / %`` on exact numbers; ``+`` also joins two texts or two lists."""

    def run(scope: Scope) -> Any:
        scope.budget.spend(2)
        one, other = left(scope), right(scope)
        kinds = {type_of(one), type_of(other)}
        if sign == "+" and len(kinds) == 1 and kinds <= {"text", "list"}:
            size = len(one) + len(other)
            scope.budget.spend(size // 50)
            if isinstance(one, str) and size > _LONGEST_TEXT:
                raise CannotEvaluate(f"a text of {size:,} characters is too long to join")
            return one + other
        if kinds != {"number"}:
            raise CannotEvaluate(f"cannot calculate {_kind(one)} {sign} {_kind(other)}")
        return _calculated(sign, exact(finite(one)), exact(finite(other)), scope.budget)

    return run


def _calculated(sign: str, one: Fraction | int, other: Fraction | int, budget: Budget) -> Any:
    if sign in "/%" and not other:
        raise CannotEvaluate(f"division by zero: {told(one)} {sign} 0")
    if sign == "+":
        result: Fraction | int = one + other
    elif sign == "-":
        result = one - other
    elif sign == "*":
        result = one * other
    elif sign == "/":
        result = Fraction(one) / other
    else:
        if one.denominator != 1 or other.denominator != 1:
            raise CannotEvaluate(f"`%` needs whole numbers, came {told(one)} % {told(other)}")
        result = abs(int(one)) % abs(int(other)) * (-1 if one < 0 else 1)
    bits = max(result.numerator.bit_length(), result.denominator.bit_length())
    budget.spend(bits // 100)
    if bits > MOST_BITS:
        raise CannotEvaluate("the number became too large")
    return result.numerator if result.denominator == 1 else result


def negative(of: Run) -> Run:
    """``-x``."""
    return lambda scope: -exact(finite(of(scope)))


def truth(value: Any, where: str) -> bool:
    """The truth value.

    Raises:
        CannotEvaluate: If it is none.
    """
    if not isinstance(value, bool):
        raise CannotEvaluate(f"{where} needs true or false, came {_kind(value)}")
    return value


def either(terms: list[Run], sign: str) -> Run:
    """``a && b && c`` or ``a || b || c``."""
    ends = sign == "||"

    def run(scope: Scope) -> bool:
        for term in terms:
            scope.budget.spend(1)
            if truth(term(scope), f"`{sign}`") is ends:
                return ends
        return not ends

    return run


def negated(of: Run) -> Run:
    """``!x``."""
    return lambda scope: not truth(of(scope), "`!`")


def choice(test: Run, yes: Run, no: Run) -> Run:
    """``test ? yes : no``."""
    return lambda scope: yes(scope) if truth(test(scope), "`? :`") else no(scope)


def size(of: Run) -> Run:
    """``size(x)``: characters of a text, items of a list, fields of an object."""

    def run(scope: Scope) -> int:
        found = of(scope)
        if not isinstance(found, str | list | dict):
            raise CannotEvaluate(f"`size` needs a text, a list or an object, came {_kind(found)}")
        return len(found)

    return run


def total(of: Run) -> Run:
    """``sum(list)``: exact; 0 for an empty list."""

    def run(scope: Scope) -> Any:
        found = of(scope)
        if not isinstance(found, list):
            raise CannotEvaluate(f"`sum` needs a list, came {_kind(found)}")
        result: Fraction | int = 0
        for one in found:
            scope.budget.spend(4)
            result = _calculated("+", result, exact(finite(one)), scope.budget)
        return result

    return run


def calendar_date(of: Run) -> Run:
    """``date(text)``: the text itself, which must be a day of the calendar, YYYY-MM-DD."""

    def run(scope: Scope) -> str:
        scope.budget.spend(2)
        found = of(scope)
        if not is_date(found):
            raise CannotEvaluate(f"expected a date YYYY-MM-DD, came {_kind(found)}")
        return str(found)

    return run


def on_text(name: str, of: Run, argument: Run, test: Callable[[str, Any], bool]) -> Run:
    """``x.startsWith("a")`` and its like."""

    def run(scope: Scope) -> bool:
        found, part = of(scope), argument(scope)
        for one in (found, part):
            if not isinstance(one, str):
                raise CannotEvaluate(f"`{name}` needs text, came {_kind(one)}")
        scope.budget.spend(2 + len(found) // 100)
        return test(found, part)

    return run


def quantified(name: str, of: Run, variable: str, condition: Run) -> Run:
    """``all``, ``exists``, ``exists_one``, ``filter``, ``map`` over a list, or an object's keys."""

    def run(scope: Scope) -> Any:
        found = of(scope)
        if not isinstance(found, list | dict):
            raise CannotEvaluate(f"`{name}` needs a list or an object, came {_kind(found)}")
        outer = scope.bound
        inner = Scope(scope.names, scope.budget, dict(outer))
        kept: list[Any] = []
        # All of them are looked at: where it cannot be told for one, no order of the items helps.
        for item in found:
            scope.budget.spend(1)
            inner.bound[variable] = item
            result = condition(inner)
            if name == "map":
                kept.append(result)
                continue
            if truth(result, f"`{name}`"):
                kept.append(item)
        if name == "all":
            return len(kept) == len(found)
        return {"exists": bool(kept), "exists_one": len(kept) == 1}.get(name, kept)

    return run


def distinct(of: Run) -> Run:
    """``unique(list)``: whether no two items are equal."""

    def run(scope: Scope) -> bool:
        found = of(scope)
        if not isinstance(found, list):
            raise CannotEvaluate(f"`unique` needs a list, came {_kind(found)}")
        scope.budget.spend(4 * weight_of(found))
        return len({key_of(one) for one in found}) == len(found)

    return run
