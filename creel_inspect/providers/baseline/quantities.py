"""Comparisons: runs of items joined into one bound each."""

from __future__ import annotations

from dataclasses import dataclass, replace

from creel_inspect.providers.baseline.scan import CannotAnswer, Item, joined
from creel_inspect.providers.baseline.units import UNITS

Comparisons = list[tuple[str, float]]


@dataclass(frozen=True)
class Bound:
    """What a quantity is held to.

    Attributes:
        dimension: Of the values ("temperature", "percent", …); None for a bare number.
        alternatives: Any one of these has to hold; each is comparisons that all hold.
        explicit: Whether a comparison word was there; "350 K" alone is an implicit ``eq``.
    """

    dimension: str | None
    alternatives: list[Comparisons]
    explicit: bool = True

    def negated(self) -> Bound:
        """Returns the bound that holds where this single comparison does not."""
        opposite = {"gt": "le", "le": "gt", "lt": "ge", "ge": "lt", "eq": "ne", "ne": "eq"}
        if len(self.alternatives) != 1 or len(self.alternatives[0]) != 1:
            raise CannotAnswer("it negates a range, which this translator does not read")
        ((op, value),) = self.alternatives[0]
        return replace(self, alternatives=[[(opposite[op], value)]], explicit=True)


_ARTICLES = frozenset(("a", "an", "the", "of", "to", "is"))
_RANGE_MARKS = ("-", "–", "—", "to", "−")
_LOWER, _UPPER = ("gt", "ge"), ("lt", "le")


def _value(items: list[Item], index: int) -> tuple[str | None, float] | None:
    """Returns the dimension and value of a number or quantity at an index, if there is one."""
    if 0 <= index < len(items):
        item = items[index]
        if "qty" in item:
            dimension, value = item["qty"]
            return dimension, value
        if "num" in item:
            return None, float(item["num"])
    return None


def _in_unit(items: list[Item], low: int, high: int) -> tuple[str | None, float, float] | None:
    """Returns two values in one dimension; a bare first number takes the second's unit."""
    first, second = _value(items, low), _value(items, high)
    if first is None or second is None:
        return None
    if first[0] is None and second[0] is not None:
        first = (second[0], UNITS[items[high]["unit"]].convert(first[1]))
    if first[0] != second[0]:
        return None
    return first[0], first[1], second[1]


def _skip(items: list[Item], index: int) -> int:
    while index < len(items) and items[index].text.lower() in _ARTICLES:
        index += 1
    return index


def _range_at(items: list[Item], index: int) -> tuple[Bound, int] | None:
    """Reads "between 20 and 40 °C", "from 20 to 40 °C", "20-40 °C"."""
    item = items[index]
    opened = "between" in item or item.text.lower() == "from"
    low = _skip(items, index + 1) if opened else index
    joiners = ("and", "to", "-", "–", "through", "up to", "&") if opened else _RANGE_MARKS
    if low + 2 >= len(items) or items[low + 1].text.lower() not in joiners:
        return None
    pair = _in_unit(items, low, low + 2)
    if pair is None or (not opened and pair[1] >= pair[2]):
        return None
    end, ops = low + 3, ("ge", "le")
    if end < len(items) and items[end].text.lower() in ("inclusive", "exclusive"):
        ops = ("gt", "lt") if items[end].text.lower() == "exclusive" else ops
        end += 1
    low_value, high_value = sorted(pair[1:])
    return Bound(pair[0], [[(ops[0], low_value), (ops[1], high_value)]]), end


def _compared_at(items: list[Item], index: int) -> tuple[Bound, int] | None:
    """Reads "at least 20 °C"."""
    item, at = items[index], _skip(items, index + 1)
    if at < len(items) and "approx" in items[at] and _value(items, at + 1) is not None:
        raise _approximate(items[at])
    found = _value(items, at)
    if found is None:
        return None
    op = item["cmp"]
    follows = items[at + 1] if at + 1 < len(items) else None
    if item.text.lower() == "under" and found[0] == "pressure" and follows and "of" in follows:
        op = "eq"  # "under 3 bar of hydrogen"
    return Bound(found[0], [[(op, found[1])]]), at + 1


def _approximate(item: Item) -> CannotAnswer:
    return CannotAnswer(
        f"{item.text!r} gives no limits to compare with, and the grammar has no approximation"
    )


def _bound_at(items: list[Item], index: int) -> tuple[Bound, int] | None:
    """Reads one bound at an index; returns it and the index after it."""
    item = items[index]
    if "approx" in item and _value(items, _skip(items, index + 1)) is not None:
        raise _approximate(item)
    found = _range_at(items, index)
    if found is not None:
        return found
    if "cmp" in item:
        return _compared_at(items, index)
    value = _value(items, index)
    if value is None:
        return None
    follows = items[index + 1] if index + 1 < len(items) else None
    if follows is not None and follows.text in ("±", "+/-"):
        raise CannotAnswer("a tolerance written with ± is not read")
    opens_next = _value(items, _skip(items, index + 2)) is not None
    if follows is not None and "cmp_after" in follows and not opens_next:
        return Bound(value[0], [[(follows["cmp_after"], value[1])]]), index + 2
    return Bound(value[0], [[("eq", value[1])]], explicit=False), index + 1


def bounds(items: list[Item]) -> list[Item]:
    """Returns the items with each comparison joined to its value as one ``bound`` item.

    Raises:
        CannotAnswer: For approximations ("about 50 °C"), which have no limits to compare with.
    """
    found: list[Item] = []
    units: list[str | None] = []
    index = 0
    while index < len(items):
        read = _bound_at(items, index)
        if read is None:
            found.append(items[index])
            units.append(None)
            index += 1
        else:
            bound, end = read
            found.append(joined(items, index, end, "bound", bound))
            unit = next((i["unit"] for i in items[index:end] if "unit" in i), None)
            units.append(unit)
            index = end
    return _merge(found, units)


def _merge(items: list[Item], units: list[str | None]) -> list[Item]:
    """Joins "above 50 and below 80 °C" and "60 or 80 °C" into one bound."""
    merged: list[Item] = []
    merged_units: list[str | None] = []
    for item, unit in zip(items, units, strict=True):
        joiner = merged[-1] if merged else None
        before = merged[-2] if len(merged) > 1 else None
        if (
            "bound" in item
            and joiner is not None
            and before is not None
            and "bound" in before
            and ("and" in joiner or "or" in joiner or joiner.text.lower() in ("but", ","))
            and len(joiner.text) < 5
        ):
            both = _one_bound(before["bound"], item["bound"], unit, "or" in joiner)
            if both is not None:
                text = f"{before.text} {joiner.text} {item.text}"
                merged[-2:] = [Item(text, before.start, item.end, {"bound": both})]
                merged_units[-2:] = [unit]
                continue
        merged.append(item)
        merged_units.append(unit)
    return merged


def _one_bound(first: Bound, second: Bound, unit: str | None, either: bool) -> Bound | None:
    if first.dimension is None and second.dimension is not None and unit is not None:
        first = replace(
            first,
            dimension=second.dimension,
            alternatives=[
                [(op, UNITS[unit].convert(v)) for op, v in a] for a in first.alternatives
            ],
        )
    if first.dimension != second.dimension or first.dimension is None:
        return None
    if either:
        if first.explicit != second.explicit:
            return None
        return replace(first, alternatives=first.alternatives + second.alternatives)
    if len(first.alternatives) == len(second.alternatives) == 1:
        ops = [op for op, _ in first.alternatives[0] + second.alternatives[0]]
        opposed = len(ops) == 2 and any(o in _LOWER for o in ops) and any(o in _UPPER for o in ops)
        if opposed:
            return replace(first, alternatives=[first.alternatives[0] + second.alternatives[0]])
    return None
