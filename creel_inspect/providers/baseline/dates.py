"""Dates: a date and its preposition joined into one comparison with days."""

from __future__ import annotations

import datetime

from creel_inspect.providers.baseline import words
from creel_inspect.providers.baseline.scan import CannotAnswer, Item, joined

_ORDINALS = ("st", "nd", "rd", "th", "of")
Days = tuple[datetime.date, datetime.date]


def _month_span(year: int, month: int, months: int = 1) -> Days:
    last = year * 12 + month - 1 + months
    return datetime.date(year, month, 1), datetime.date(last // 12, last % 12 + 1, 1)


def _year(item: Item | None) -> int | None:
    if item is None or "num" not in item or "qty" in item or not item.text.isdigit():
        return None
    number = int(item["num"])
    return number if 1900 <= number <= 2100 and len(item.text) == 4 else None


def _named(item: Item, table: dict[str, int]) -> int | None:
    return table.get(item.text.lower().rstrip("."))


def _days_at(items: list[Item], index: int) -> tuple[Days, int] | None:
    """Reads one date at an index: a day, month, quarter, half or year, as a half-open span."""
    try:
        for read in (_iso, _part_of_year, _month_first, _day_first):
            found = read(items, index)
            if found is not None:
                return found
    except ValueError as error:
        raise CannotAnswer(f"{items[index].text!r} is not a date: {error}") from None
    year = _year(items[index])
    return None if year is None else (_month_span(year, 1, 12), index + 1)


def _iso(items: list[Item], index: int) -> tuple[Days, int] | None:
    if "iso" not in items[index]:
        return None
    parts = [int(part) for part in items[index]["iso"].split("-")]
    if len(parts) == 2:
        return _month_span(parts[0], parts[1]), index + 1
    return _one_day(*parts), index + 1


def _one_day(year: int, month: int, number: int) -> Days:
    day = datetime.date(year, month, number)
    return day, day + datetime.timedelta(1)


def _part_of_year(items: list[Item], index: int) -> tuple[Days, int] | None:
    """Reads "Q1 2020", "the first half of 2019"."""
    for table, months in ((words.QUARTERS, 3), (words.HALVES, 6)):
        for length in (2, 1):
            said = " ".join(i.text.lower() for i in items[index : index + length])
            after = index + length
            while after < len(items) and items[after].text.lower() in ("of", ",", "the"):
                after += 1
            year = _year(items[after] if after < len(items) else None)
            if said in table and year is not None:
                return _month_span(year, 1 + months * (table[said] - 1), months), after + 1
    return None


def _day_first(items: list[Item], index: int) -> tuple[Days, int] | None:
    """Reads "4 March 2021", "4th of March 2021"."""
    item, at = items[index], index + 1
    if "num" not in item or "qty" in item or not 1 <= item["num"] <= 31:
        return None
    while at < len(items) and items[at].text.lower() in _ORDINALS:
        at += 1
    if at + 1 >= len(items):
        return None
    month, year = _named(items[at], words.MONTHS), _year(items[at + 1])
    if month is None or year is None:
        return None
    return _one_day(year, month, int(item["num"])), at + 2


def _month_first(items: list[Item], index: int) -> tuple[Days, int] | None:
    """Reads "March 2021", "March 4, 2021"."""
    month = _named(items[index], words.MONTHS)
    if month is None:
        return None
    rest, position = items[index + 1 : index + 6], 0
    number: int | None = None
    if rest and "num" in rest[0] and rest[0].text.isdigit() and len(rest[0].text) <= 2:
        number, position = int(rest[0]["num"]), 1
    while position < len(rest) and rest[position].text.lower() in (",", *_ORDINALS):
        position += 1
    year = _year(rest[position] if position < len(rest) else None)
    if year is None:
        return None
    end = index + position + 2
    return (_month_span(year, month) if number is None else _one_day(year, month, number)), end


def _comparisons(op: str, days: Days) -> list[tuple[str, str]]:
    start, end = days[0].isoformat(), days[1].isoformat()
    last = (days[1] - datetime.timedelta(1)).isoformat()
    one_day = start == last
    match op:
        case "before":
            return [("lt", start)]
        case "after":
            return [("gt", start)] if one_day else [("ge", end)]
        case "since":
            return [("ge", start)]
        case "through":
            return [("le", start)] if one_day else [("lt", end)]
    return [("eq", start)] if one_day else [("ge", start), ("lt", end)]


Comparisons = list[tuple[str, str]]
_JOINERS = frozenset(("and", "to", "-", "–", "through", "until", "&"))
_PREPOSITIONS = ("before", "since", "after", "through", "inside")


def dates(items: list[Item]) -> list[Item]:
    """Returns the items with each date and its preposition joined as one ``when`` item.

    A ``when`` is alternatives of comparisons with ISO days, years and the like as half-open spans:
    "in 2019" is ``ge 2019-01-01`` and ``lt 2020-01-01``.
    """
    found: list[Item] = []
    index = 0
    while index < len(items):
        read = _when_at(items, index)
        if read is None:
            found.append(items[index])
            index += 1
        else:
            alternatives, end = read
            found.append(joined(items, index, end, "when", alternatives))
            index = end
    return found


def _between_at(items: list[Item], index: int) -> tuple[list[Comparisons], int] | None:
    """Reads "between 2018 and 2020", "from March 2019 to June 2020", "2018-2020"."""
    opened = "between" in items[index] or items[index].text.lower() == "from"
    if opened and index + 1 >= len(items):
        return None
    low = _days_at(items, index + 1 if opened else index)
    if low is None or low[1] + 1 >= len(items):
        return None
    joiners = _JOINERS if opened else _JOINERS - {"and", "&"}
    high = _days_at(items, low[1] + 1)
    if items[low[1]].text.lower() not in joiners or high is None:
        return None
    return [[("ge", low[0][0].isoformat()), *_comparisons("through", high[0])]], high[1]


def _after_date(items: list[Item], end: int, op: str) -> tuple[str, int]:
    """Reads "onwards", "or later" after a date; returns the comparison and the index after."""
    if end < len(items) and "onward" in items[end] and items[end].text.lower() != "on":
        return "since", end + 1
    if end + 1 < len(items) and items[end].text.lower() == "or":
        follow = items[end + 1].text.lower()
        if follow in ("later", "after", "newer"):
            return "since", end + 2
        if follow in ("earlier", "before", "older"):
            return "through", end + 2
    return op, end


def _when_at(items: list[Item], index: int) -> tuple[list[Comparisons], int] | None:
    between = _between_at(items, index)
    if between is not None:
        return between
    item = items[index]
    said = item.text.lower()
    kinds = [kind for kind in _PREPOSITIONS if kind in item]
    if said == "on" or (kinds and said in ("in", "during", "within")):
        kinds = ["inside"]
    start = index + 1 if kinds else index
    while start < len(items) and items[start].text.lower() in ("the", "a", "of", "date"):
        start += 1
    days = _days_at(items, start) if start < len(items) else None
    if days is None or (not kinds and _looks_like_a_count(items, start, days[1])):
        return None
    op = (kinds or ["inside"])[0]
    if said in ("until", "till", "by") or ("up to" in said and "before" in item):
        op = "through"
    op, end = _after_date(items, days[1], op)
    alternatives = [_comparisons(op, days[0])]
    span = _between_at(items, start) if op == "inside" else None
    if span is not None:
        return span
    while op == "inside" and end + 1 < len(items) and items[end].text.lower() in ("or", ","):
        another = _days_at(items, end + 1)
        if another is None:
            break
        alternatives.append(_comparisons(op, another[0]))
        end = another[1]
    return alternatives, end


def _looks_like_a_count(items: list[Item], start: int, end: int) -> bool:
    """Says whether a bare number is rather a count ("2000 reactions") than a year."""
    if end - start > 1 or "iso" in items[start]:
        return False
    after = items[end] if end < len(items) else None
    return after is not None and ("reactions" in after or "datasets" in after)
