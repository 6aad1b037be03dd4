"""Counting: how many, the most common, which kinds there are."""

from __future__ import annotations

from dataclasses import replace

from creel_inspect.providers.baseline.line import (
    SINGULAR,
    STATISTICS,
    Intent,
    Line,
    number_before,
)
from creel_inspect.providers.baseline.scan import CannotAnswer
from creel_inspect.providers.baseline.schema import column
from creel_inspect.providers.baseline.targets import element

_ASKING = ("which", "what", "list", "name", "show", "give", "tell", "find")


def kinds(line: Line, intent: Intent) -> None:
    """Reads "which solvents are used in ...": the kinds there are, with how often each occurs."""
    first = line.skip(0, "of")
    asking = {item.text.lower() for item in line.items[:first]}
    counted = intent.measures == [("count", None)] and not intent.groups
    if intent.order or first >= len(line.items) or not asking & {*_ASKING}:
        return
    if intent.aggregated and not counted:
        return
    target = element(line.items[first])
    follows = line.items[first + 1] if first + 1 < len(line.items) else None
    if target is None or (follows is not None and ("reactions" in follows or "id" in follows)):
        return
    if not target.plural and not asking & {"kinds", "types", "kind", "type"}:
        return
    intent.groups.append(target)
    intent.measures = [("count", None)]
    line.take(first, first + 1)
    said = line.skip(first, "is")
    if line.at(said, "recorded"):
        line.take(said, said + 1)


def count(line: Line, intent: Intent) -> None:
    """Reads "how many reactions", "the number of different solvents"."""
    for index, item in enumerate(line.items):
        if "howmany" not in item:
            continue
        noun = line.skip(index + 1, "of", "distinct")
        distinct = any("distinct" in i for i in line.items[index:noun])
        if _elements_counted(line, intent, index, noun):
            return
        if noun >= len(line.items):
            break
        named = line.items[noun]
        if "reactions" in named:
            intent.measures.append(("count", None))
            line.take(index, noun + 1)
            return
        target = element(named)
        if target is None and item.text.lower() in ("how often", "tally"):
            intent.measures.append(("count", None))
            line.take(index, index + 1)
            return
        if target is None:
            break
        if not distinct and column(target.path).levels and "level" not in named:
            raise CannotAnswer(
                f"{item.text!r} {named.text!r} could mean kinds or occurrences; neither was said"
            )
        intent.measures.append(("count_distinct" if "level" not in named else "count", target))
        line.take(index, noun + 1)
        return


def _elements_counted(line: Line, intent: Intent, index: int, noun: int) -> bool:
    """Reads "the average number of components (per reaction)": elements of each reaction."""
    before = index - 1
    while before >= 0 and line.items[before].empty:
        before -= 1
    spread = next((k for k in range(noun + 1, len(line.items)) if line.at(k, "avg")), None)
    fn = next((f for f in STATISTICS if line.at(before, f)), "avg" if spread else None)
    target = element(line.items[noun]) if noun < len(line.items) else None
    if fn is None or target is None or not column(target.path).levels:
        return False
    intent.measures.append((fn, replace(target, counted=True)))
    if spread:
        line.take(spread, spread + 1)
    end = line.skip(noun + 1)
    if line.at(end, "each") and line.at(line.skip(end + 1), "reactions"):
        line.take(end, line.skip(end + 1) + 1)
    line.take(index if spread else before, noun + 1)
    return True


def most_of(line: Line, intent: Intent) -> None:
    """Reads "which dataset has the most reactions"."""
    for index, item in enumerate(line.items):
        if not ("mostof" in item or "fewest" in item):
            continue
        noun = line.skip(index + 1)
        counted = element(line.items[noun]) if noun < len(line.items) else None
        owned = [i for i in line.items[max(0, index - 5) : index] if "reactions" in i]
        if owned and counted is not None and column(counted.path).levels:
            intent.order.append((replace(counted, counted=True), "mostof" in item))
            singular = owned[-1].text.lower() in SINGULAR
            intent.limit = number_before(line, index) or (1 if singular else None)
            line.take(index, noun + 1)
            return
        if not line.at(noun, "reactions"):
            continue
        for owner in range(index - 1, -1, -1):
            target = element(line.items[owner])
            if target is not None:
                descending = "mostof" in item
                intent.groups.append(target)
                intent.measures.append(("count", None))
                intent.order.append((None, descending))
                intent.limit = number_before(line, owner) or (None if target.plural else 1)
                line.take(owner, noun + 1)
                return
        return


def _top(line: Line, intent: Intent) -> None:
    """Reads "top 5 solvents" as the five most common."""
    for index, item in enumerate(line.items):
        if item.text.lower() != "top" or not line.at(index + 1, "num"):
            continue
        noun = line.skip(index + 2)
        target = element(line.items[noun]) if noun < len(line.items) else None
        if target is not None and "qty" not in line.items[index + 1]:
            intent.groups.append(target)
            intent.measures.append(("count", None))
            intent.order.append((None, True))
            intent.limit = int(line.items[index + 1]["num"]) or None
            line.take(index, noun + 1)
        return


def common(line: Line, intent: Intent) -> None:
    """Reads "the three most common solvents", "top 5 solvents"."""
    _top(line, intent)
    for index, item in enumerate(line.items):
        if not ("common" in item or "rare" in item):
            continue
        noun = line.skip(index + 1, "distinct")
        found, owner = None, noun
        if noun < len(line.items):
            found = element(line.items[noun])
        if found is None:
            for owner in range(index - 1, max(index - 6, -1), -1):
                found = element(line.items[owner])
                if found is not None:
                    break
        if found is None:
            raise CannotAnswer(f"it is not said what is {item.text!r}")
        wanted = number_before(line, min(index, owner))
        intent.groups.append(found)
        intent.measures.append(("count", None))
        intent.order.append((None, "common" in item))
        intent.limit = wanted or (None if found.plural else 1)
        low, high = sorted((index, owner))
        del line.items[high]
        del line.items[low]
        return
