"""What is asked of the matching reactions, and the line of items it is read from."""

from __future__ import annotations

from dataclasses import dataclass, field

from creel_inspect.providers.baseline.scan import Item
from creel_inspect.providers.baseline.targets import Target

STATISTICS = ("avg", "max", "min", "sum")
SINGULAR = ("reaction", "experiment", "run")


@dataclass
class Intent:
    """What to do with the matching reactions; empty means: return them."""

    measures: list[tuple[str, Target | None]] = field(default_factory=list)
    groups: list[Target] = field(default_factory=list)
    order: list[tuple[Target | None, bool]] = field(default_factory=list)
    limit: int | None = None

    @property
    def aggregated(self) -> bool:
        """Whether the answer is a table of measures rather than reactions."""
        return bool(self.measures or self.groups)


class Line:
    """The items of a question, with the ones an intent has used taken out."""

    def __init__(self, items: list[Item]) -> None:
        self.items = items

    def at(self, index: int, kind: str) -> bool:
        return 0 <= index < len(self.items) and kind in self.items[index]

    def skip(self, index: int, *kinds: str) -> int:
        while index < len(self.items) and (
            self.items[index].empty or any(kind in self.items[index] for kind in kinds)
        ):
            index += 1
        return index

    def take(self, start: int, end: int) -> None:
        del self.items[start:end]


def number_before(line: Line, index: int) -> int | None:
    """Takes a bare number standing before an index, as in "the five most common solvents"."""
    at = index - 1
    while at >= 0 and line.items[at].empty:
        at -= 1
    if at < 0:
        return None
    item = line.items[at]
    if "num" in item and "qty" not in item and "when" not in item and item["num"] >= 1:
        value = int(item["num"])
        before = at - 1
        top = before >= 0 and line.items[before].text.lower() in ("top", "first", "the top")
        line.items[at] = Item(item.text, item.start, item.end, {"filler": True})
        if top:
            used = line.items[before]
            line.items[before] = Item(used.text, used.start, used.end, {"filler": True})
        return value
    return None
