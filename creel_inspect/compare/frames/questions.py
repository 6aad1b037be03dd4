"""Whether runs were asked the same: one id does not mean one question.

Inspect numbers the samples of any dataset that has no ids from 1.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from creel_inspect.compare.frames.runs import digest
from creel_inspect.compare.frames.samples import Row

Contents = Mapping[str, set[str]]
"""By case, the digests of what was asked under its id, as far as it is known."""


@dataclass
class Part:
    """Runs that were asked nothing else under any id.

    Attributes:
        asked: By case, all of them.
        numbers: Which runs.
        questions: Six hex digits that tell this part from others; empty where there are none.
    """

    asked: dict[str, set[str]]
    numbers: list[int] = field(default_factory=list)
    questions: str = ""


def contents(rows: Iterable[Row]) -> dict[str, set[str]]:
    """What was asked in some samples."""
    found: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row.content:
            found[row.case].add(row.content)
    return dict(found)


def clashing(one: Contents, other: Contents) -> list[str]:
    """The ids under which two were asked other things."""
    return [case for case, asked in one.items() if case in other and asked.isdisjoint(other[case])]


def kept_apart(runs: Sequence[Contents]) -> tuple[list[Part], list[str]]:
    """Runs put together with the first that they do not clash with; and the ids that clash."""
    parts: list[Part] = []
    clash: set[str] = set()
    for number, asked in enumerate(runs):
        home: Part | None = None
        for part in parts:
            found = clashing(asked, part.asked)
            clash.update(found)
            if not found and home is None:
                home = part
        if home is None:
            home = Part({})
            parts.append(home)
        home.numbers.append(number)
        for case, digests in asked.items():
            home.asked.setdefault(case, set()).update(digests)
    if len(parts) > 1:
        for part in parts:
            told = [[case, *sorted(part.asked[case])] for case in clash if case in part.asked]
            part.questions = digest(sorted(told))[:6]
    return parts, sorted(clash) if len(parts) > 1 else []
