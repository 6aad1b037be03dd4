"""What is asked about the matching reactions: themselves, a count, a measure, a group, an order."""

from __future__ import annotations

from creel_inspect.providers.baseline import averages, counts
from creel_inspect.providers.baseline.line import Intent, Line
from creel_inspect.providers.baseline.scan import CannotAnswer, Item
from creel_inspect.providers.baseline.schema import column
from creel_inspect.providers.baseline.targets import Target, element, quantity


def read(items: list[Item]) -> tuple[Intent, list[Item]]:
    """Reads what is asked, and returns it with the items that remain to be read as conditions.

    Raises:
        CannotAnswer: If something is to be counted or grouped that cannot be.
    """
    line, intent = Line(list(items)), Intent()
    for reader in _READERS:
        reader(line, intent)
    return intent, line.items


def _groups(line: Line, intent: Intent) -> None:
    for index, item in enumerate(line.items):
        if "each" not in item:
            continue
        noun = line.skip(index + 1, "distinct", "of", "each")
        if noun >= len(line.items):
            continue
        target = element(line.items[noun])
        said = item.text.lower()
        if target is None or (said == "by" and not intent.measures) or "bound" in item:
            continue
        if not intent.measures:
            if said in ("in each", "at each", "each", "across", "under each", "with each"):
                continue
            raise CannotAnswer("it groups reactions but does not say what to measure in a group")
        if target not in intent.groups:
            intent.groups.append(target)
        line.take(index, noun + 1)
        if line.at(index, "and") and index + 1 < len(line.items):
            second = element(line.items[index + 1])
            if second is not None:
                intent.groups.append(second)
                line.take(index, index + 2)
        return


def _ranked(line: Line, intent: Intent) -> None:
    """Reads "the top 3 reactions by yield"."""
    top = any(item.text.lower() in ("top", "best") for item in line.items)
    for index, item in enumerate(line.items):
        at = line.skip(index + 1)
        if not top or item.text.lower() != "by" or intent.aggregated or at >= len(line.items):
            continue
        target = quantity(line.items[at])
        if target is not None:
            intent.order.append((target, True))
            line.take(index, at + 1)
            return


def _sort(line: Line, intent: Intent) -> None:
    _ranked(line, intent)
    index = 0
    while index < len(line.items):
        item = line.items[index]
        if "sort" in item:
            at = line.skip(index + 1, "of", "each")
            if line.at(at, "reactions"):
                by = next((k for k in range(at, len(line.items)) if line.items[k].text == "by"), at)
                at = line.skip(by + 1)
                if at < len(line.items) and quantity(line.items[at]) is not None:
                    line.take(index, index + 1)
                    index, at = by - 1, at - 1
            first = at
            descending: bool | None = None
            while at < len(line.items) and (
                any(k in line.items[at] for k in ("desc", "asc", "max", "min"))
            ):
                descending = "desc" in line.items[at] or "max" in line.items[at]
                at = line.skip(at + 1)
            target = quantity(line.items[at]) if at < len(line.items) else None
            if target is None and at < len(line.items):
                target = _sortable(line.items[at], intent)
            counted = at < len(line.items) and (
                "howmany" in line.items[at] or line.items[at].text.lower() in ("count", "number")
            )
            if target is None and not counted and descending is None and at == first:
                raise CannotAnswer(f"it is not said what is to be {item.text!r}")
            end = at + 1 if target is not None or counted else at
            for follow in range(end, min(end + 4, len(line.items))):
                if "desc" in line.items[follow] or "asc" in line.items[follow]:
                    descending = "desc" in line.items[follow]
                    end = follow + 1
                    break
            intent.order = [(None if intent.aggregated and target is None else target,
                             bool(descending))]  # fmt: skip
            line.take(index, end)
            continue
        at = line.skip(index + 1, "of")
        named = quantity(line.items[at]) if at < len(line.items) else None
        if ("desc" in item or "asc" in item) and named is not None and at > index + 1:
            intent.order = [(named, "desc" in item)]
            line.take(index, at + 1)
            continue
        if ("desc" in item or "asc" in item) and set(item.means) <= {"desc", "asc", "filler"}:
            intent.order = [(None, "desc" in item)] if not intent.order else intent.order
            line.take(index, index + 1)
            continue
        index += 1


def _sortable(item: Item, intent: Intent) -> Target | None:
    if "date_field" in item:
        return Target(item["date_field"], [], "day")
    target = element(item)
    if target is not None and target in intent.groups:
        return target
    if target is not None and not column(target.path).levels:
        return target
    return None


def _limit(line: Line, intent: Intent) -> None:
    for index, item in enumerate(line.items):
        bound = item.means.get("bound")
        plain = "num" in item and (bound is None or not bound.explicit) and "qty" not in item
        if not plain or "when" in item or item["num"] < 1:
            continue
        after = line.skip(index + 1)
        before = line.items[index - 1].text.lower() if index else ""
        ends = after >= len(line.items) or line.at(after, "comma")
        if line.at(after, "reactions") or (before in ("top", "first", "limit") and ends):
            if intent.aggregated and not intent.groups:
                raise CannotAnswer(f"{item.text!r} limits an answer that has one row")
            intent.limit = int(item["num"])
            start = index - 1 if before in ("top", "first", "limit") else index
            line.take(start, index + 1)
            return


_READERS = (
    counts.count,
    counts.most_of,
    counts.common,
    averages.statistics,
    _groups,
    _sort,
    _limit,
    counts.kinds,
)
