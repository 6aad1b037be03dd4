"""Statistics: averages, extremes and totals, of all reactions or of groups."""

from __future__ import annotations

from dataclasses import replace

from creel_inspect.providers.baseline import components
from creel_inspect.providers.baseline.clauses import Cursor
from creel_inspect.providers.baseline.line import (
    SINGULAR,
    STATISTICS,
    Intent,
    Line,
    number_before,
)
from creel_inspect.providers.baseline.scan import CannotAnswer
from creel_inspect.providers.baseline.schema import column
from creel_inspect.providers.baseline.targets import (
    SUPERLATIVES,
    YIELD,
    Target,
    element,
    quantity,
)


def _day(line: Line, noun: int) -> Target | None:
    """Reads the date column in "the earliest date a reaction was added to ORD"."""
    named = line.items[noun]
    if "date_field" in named and "filler" not in named:
        return Target(named["date_field"], [], "day")
    asks_when = line.items[0].text.lower() == "when" and "reactions" in named
    if named.text.lower() not in ("date", "day", "time") and not asks_when:
        return None
    for position in range(noun + 1, len(line.items)):
        if "date_field" in line.items[position]:
            target = Target(line.items[position]["date_field"], [], "day")
            line.take(noun + 1, position + 1)
            return target
    return None


def _named_date(line: Line, start: int) -> str | None:
    """Takes the date column named after "the most recent reactions", if one is."""
    for position in range(start + 1, len(line.items)):
        item = line.items[position]
        if (
            "date_field" in item
            and "filler" not in item
            and not any("when" in other for other in line.items)
        ):
            line.take(position, position + 1)
            return str(item["date_field"])
    return None


def _ranked_groups(line: Line, intent: Intent, index: int) -> bool:
    """Reads "which dataset has the highest average yield": the best of several groups."""
    item, follows = line.items[index], line.skip(index + 1)
    if not ("max" in item or "min" in item) or follows >= len(line.items):
        return False
    if not any(kind in line.items[follows] for kind in (*STATISTICS, "howmany")):
        return False
    for owner in range(index - 1, -1, -1):
        target = element(line.items[owner])
        if target is not None:
            intent.groups.append(target)
            intent.order.append((None, "max" in item))
            intent.limit = number_before(line, owner) or (None if target.plural else 1)
            line.take(index, index + 1)
            line.take(owner, owner + 1)
            return True
    return False


def statistics(line: Line, intent: Intent) -> None:
    """Reads "the average temperature", "the ten highest-yielding reactions"."""
    index = 0
    while index < len(line.items):
        item = line.items[index]
        if "yieldmax" in item or "yieldmin" in item:
            target: Target | None = YIELD
            _place(line, intent, index, index + 1, "max" if "yieldmax" in item else "min", target)
            continue
        if _ranked_groups(line, intent, index):
            index = 0
            continue
        fn = next((fn for fn in STATISTICS if fn in item), None)
        if fn is None:
            index += 1
            continue
        noun = line.skip(index + 1, "recorded", "of") if item.text.lower() != "total" else index + 1
        if line.at(noun, "and") and any(line.at(noun + 1, each) for each in STATISTICS):
            # "minimum and maximum temperature": the first is of the same thing as the second
            then = line.skip(noun + 2, "recorded", "of")
            shared = quantity(line.items[then]) if then < len(line.items) else None
            if shared is not None:
                intent.measures.append((fn, shared))
                line.take(index, noun + 1)
                continue
        target = quantity(line.items[noun]) if noun < len(line.items) else None
        if target is None and noun < len(line.items) and fn in ("max", "min"):
            target = _day(line, noun)
        end = noun + 1
        if target is None:
            path = SUPERLATIVES.get(item.text.lower())
            if path is None or fn not in ("max", "min"):
                index += 1
                continue
            if path == SUPERLATIVES["latest"]:
                path = _named_date(line, index) or path
            target, end = Target(path, [], item.text.lower().replace(" ", "_")), index + 1
        target, end = _part(line, end, target)
        _place(line, intent, index, end, fn, target)
    if len(intent.measures) > 1 and intent.groups and intent.measures[0] == ("count", None):
        # "Which dataset has the highest average yield" ranks by the average alone.
        intent.measures = intent.measures[1:] if intent.order else intent.measures


def _part(line: Line, start: int, target: Target) -> tuple[Target, int]:
    """Reads "of THF" or "of solvent" after an amount; returns the narrowed target and the end."""
    at = line.skip(start, "of")
    if column(target.path).level != "inputs.components" or at == start:
        return target, start
    cursor = Cursor(line.items[at:], {}, "")
    read_as = components.read(cursor)
    if read_as is None or len(read_as) != 1 or read_as[0].level != "inputs.components":
        return target, start
    return replace(target, where=read_as[0].predicates), at + cursor.index


def _place(
    line: Line, intent: Intent, start: int, end: int, fn: str, target: Target | None
) -> None:
    """Decides whether a superlative ranks reactions, ranks groups, or is itself asked for."""
    after = line.skip(end)
    before = [i for i in line.items[max(0, start - 5) : start] if not i.empty]
    names_reactions = line.at(after, "reactions") or any(
        "reactions" in i or "transformation" in i for i in before[-4:]
    )
    if line.at(after, "transformation"):
        names_reactions = True
    count = number_before(line, start)
    asked = line.items[0].text.lower() if line.items else ""
    ranks = (
        fn in ("max", "min")
        and target is not None
        and (names_reactions or count is not None)
        and not (asked in ("what", "what's", "what is") and not line.at(after, "reactions"))
    )
    if ranks:
        if intent.aggregated:
            raise CannotAnswer("it both counts reactions and ranks them")
        singular = line.at(after, "reactions") and line.items[after].text.lower() in SINGULAR
        singular = singular or any(i.text.lower() in SINGULAR for i in before)
        intent.order.append((target, fn == "max"))
        intent.limit = count or (1 if singular else intent.limit)
        line.take(start, end)
        return
    intent.measures.append((fn, target))
    end = line.skip(end)
    end += line.at(end, "recorded") or line.at(end, "date_field")
    line.take(start, end)
