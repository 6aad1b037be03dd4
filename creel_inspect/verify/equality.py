"""Comparing two plain values to their depths: where they differ, by path, counted and bounded."""

import heapq
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from creel_inspect.verify.plain import readable, shown
from creel_inspect.verify.protocol import Code, VerifierError
from creel_inspect.verify.values.text import normal_form

MOST_LISTED = 50
_LONGEST_PATH = 200
_NAME = re.compile(r"[^\W\d]\w{0,60}")
_ABSENT = object()


@dataclass(frozen=True)
class Path:
    """Where a value stands, kept as a chain and written only when it is shown."""

    parent: "Path | None" = None
    key: int | str = ""

    def __str__(self) -> str:
        steps: list[str] = []
        here = self
        while here.parent is not None:
            named = isinstance(here.key, str) and _NAME.fullmatch(here.key)
            steps.append(f".{here.key}" if named else f"[{shown(here.key, 60)}]")
            here = here.parent
        text = "$" + "".join(reversed(steps))
        half = _LONGEST_PATH // 2
        return text if len(text) <= _LONGEST_PATH else f"{text[:half]}…{text[-half:]}"


@dataclass
class Differences:
    """The first differences, in the order of what is expected, and how many there are in all.

    Attributes:
        most: No more are counted: the comparison ends there.
        listed: The first ones: where, and how the two differ there.
    """

    most: int
    listed: list[tuple[Path, str]] = field(default_factory=list)
    count: int = 0

    @property
    def ended(self) -> bool:
        """Whether there may be more than were counted."""
        return self.count >= self.most

    @property
    def listing(self) -> bool:
        """Whether the next one would be listed."""
        return len(self.listed) < MOST_LISTED

    def add(self, path: Path, text: str, *values: Any) -> None:
        """Counts one, and lists it while there is room; ``{}`` in the text are the values."""
        self.count += 1
        if self.listing:
            self.listed.append((path, text.format(*map(shown, values)) if values else text))

    def reason(self) -> str:
        """The first difference, and how many more there are."""
        path, text = self.listed[0]
        more = self.count - 1
        place = "" if path.parent is None else f"{path}: "
        least = "at least " if self.ended else ""
        s = "" if more == 1 else "s"
        return f"{place}{text}" + (f" (and {least}{more:,} more difference{s})" if more else "")

    def details(self) -> dict[str, Any]:
        """The differences for a log: at most 50, and how many more."""
        rows = [{"path": str(path), "difference": text} for path, text in self.listed]
        more = self.count - len(rows)
        return {"differences": rows} | ({"differences_more": more} if more else {})


class Equality:
    """How two plain values are compared. Subclasses say when two texts are equal.

    Lists and tuples are compared in order, mappings by key, sets as sets; a set is no list.
    Values of two types are never equal.
    """

    by_value = False
    """Whether 1, 1.0 and ``Decimal("1")`` are one number."""
    most_counted = 10_000_000
    """Differences after which the comparison ends."""

    def text_of(self, text: str) -> str:
        """What stands for a text: two equal ones have the same."""
        return text

    def key_of(self, key: str) -> str:
        """What stands for the key of a mapping."""
        return key

    def same_text(self, actual: str, expected: str) -> bool:
        """Whether two texts are equal."""
        return actual == expected or self.text_of(actual) == self.text_of(expected)

    def explained(self, actual: str, expected: str) -> str:
        """How two texts differ."""
        return f"expected {quoted(expected, actual)}, came {quoted(actual, expected)}"

    def same_leaf(self, actual: Any, expected: Any) -> bool:
        """Whether two values that are no containers are equal."""
        kind = self.kind_of(expected)
        if kind != self.kind_of(actual):
            return False
        if kind == "text":
            return self.same_text(actual, expected)
        return bool(self._stands_for(actual) == self._stands_for(expected))

    def kind_of(self, value: Any) -> str:
        """The type of a value, by which it is never equal to one of another."""
        name = _BY_TYPE.get(type(value)) or _by_base(value)
        return "number" if self.by_value and name in _NUMBERS else name

    def _stands_for(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text_of(value)
        if isinstance(value, float):
            if not math.isfinite(value):  # NaN equals nothing, itself included
                return object() if math.isnan(value) else value
            # A float is the number that it is written as: 0.1 is Decimal("0.1").
            return Decimal(float.__repr__(value)) if self.by_value else value
        if isinstance(value, Decimal) and not value.is_finite():
            return object() if value.is_nan() else float(value)
        if isinstance(value, date | time):
            try:
                return value.isoformat()
            except Exception as error:  # a time zone may be anyone's code
                raise VerifierError(
                    f"a time cannot be written: {shown(str(error))}", code=Code.NOT_A_VALUE
                ) from error
        return value

    def frozen(self, value: Any) -> Any:
        """What stands for a value in a set: hashable, and equal for equal values only."""
        kind = self.kind_of(value)
        if kind == "list":
            return (kind, tuple(self.frozen(one) for one in value))
        if kind == "set":
            return (kind, frozenset(Counter(self.frozen(one) for one in value).items()))
        return (kind, self._stands_for(value))

    def differences(self, actual: Any, expected: Any) -> Differences:
        """Where two values differ. Walks both once, without recursion."""
        found = Differences(self.most_counted)
        # A pair of its own, so that the values themselves are met like any inside them.
        stack: list[tuple[Path | None, Iterator[tuple[Any, Any, Any]]]] = [
            (None, iter([("", actual, expected)]))
        ]
        while stack and not found.ended:
            path, pairs = stack[-1]
            for key, came, wanted in pairs:
                if type(came) is type(wanted) and type(came) in _FAST and came == wanted:
                    continue
                if (came is _ABSENT or wanted is _ABSENT) and not found.listing:
                    found.count += 1
                    continue
                here = Path(path, key)
                inner = self._inside(came, wanted, here, found)
                if inner is not None:
                    stack.append((here, inner))
                if inner is not None or found.ended:
                    break
            else:
                stack.pop()
        return found

    def _inside(
        self, actual: Any, expected: Any, here: Path, found: Differences
    ) -> Iterator[tuple[Any, Any, Any]] | None:
        """The pairs inside two containers of a kind; None if all there is to say is noted."""
        if actual is _ABSENT:
            found.add(here, "expected {}, but it is missing", expected)
            return None
        if expected is _ABSENT:
            found.add(here, "not expected, came {}", actual)
            return None
        kinds = self.kind_of(actual), self.kind_of(expected)
        if kinds == ("list", "list"):
            return _side_by_side(actual, expected)
        if kinds == ("mapping", "mapping"):
            return self._by_key(actual, expected, here, found)
        if kinds == ("set", "set"):
            self._as_sets(actual, expected, here, found)
        elif not self.same_leaf(actual, expected):
            found.add(here, self._told(actual, expected, kinds) if found.listing else "")
        return None

    def _told(self, actual: Any, expected: Any, kinds: tuple[str, str]) -> str:
        if kinds == ("text", "text"):
            return self.explained(actual, expected)
        if kinds[0] == kinds[1]:
            return f"expected {shown(expected)}, came {shown(actual)}"
        return f"expected {_named(kinds[1], expected)}, came {_named(kinds[0], actual)}"

    def _by_key(
        self, actual: dict[str, Any], expected: dict[str, Any], here: Path, found: Differences
    ) -> Iterator[tuple[Any, Any, Any]]:
        # Keys that are the same code points belong together; only the rest goes by normal form.
        came = self._by_form(actual, expected)
        wanted = self._by_form(expected, actual)
        for key, value in expected.items():
            if key in actual:
                yield key, actual[key], value
                continue
            form = self.key_of(key)
            like = came.pop(form, [])
            if like and len(wanted[form]) > 1:
                raise VerifierError(
                    f"{here}: what is expected has {len(wanted[form])} keys that are the same "
                    f"text {quoted(form, '')}: it takes `unicode: none` to tell them apart",
                    code=Code.EXPECTED_AMBIGUOUS,
                )
            if len(like) > 1:
                found.add(Path(here, key), "came {} times, as keys that are one text", len(like))
            else:
                yield key, actual[like[0]] if like else _ABSENT, value
        for keys in came.values():
            yield from ((key, actual[key], _ABSENT) for key in keys)

    def _by_form(self, one: dict[str, Any], other: dict[str, Any]) -> dict[str, list[str]]:
        """The keys that only one has, by what stands for them."""
        found: dict[str, list[str]] = defaultdict(list)
        if one.keys() != other.keys():
            for key in one:
                if key not in other:
                    found[self.key_of(key)].append(key)
        return found

    def _as_sets(self, actual: Any, expected: Any, here: Path, found: Differences) -> None:
        if all(type(one) is str for both in (actual, expected) for one in both):
            actual, expected = actual - expected, expected - actual
        # Counted, so that two members which are one text stay two.
        came: dict[Any, list[Any]] = defaultdict(list)
        for one in actual:
            came[self.frozen(one)].append(one)
        missing: list[Any] = []
        for one in expected:
            like = came.get(self.frozen(one))
            if not like or (isinstance(one, str) and not self.same_text(like[-1], one)):
                missing.append(one)
            else:
                like.pop()
        extra = [one for rest in came.values() for one in rest]
        for said, ones in (
            ("expected {} in the set", missing),
            ("not expected in the set: {}", extra),
        ):
            for one in heapq.nsmallest(MOST_LISTED, ones, key=shown):
                found.add(here, said, one)
            found.count += max(0, len(ones) - MOST_LISTED)


_KINDS: tuple[tuple[Any, str], ...] = (
    (bool, "truth value"),
    (str, "text"),
    (int, "whole number"),
    (float, "float"),
    (Decimal, "Decimal"),
    ((list, tuple), "list"),
    (dict, "mapping"),
    ((set, frozenset), "set"),
    (datetime, "date and time"),
    (date, "date"),
    (time, "time"),
)
_NUMBERS = frozenset(["whole number", "float", "Decimal"])
_FAST = frozenset([str, int, bool, float, type(None)])
_BY_TYPE: dict[type, str] = {
    **{
        one: name
        for types, name in _KINDS
        for one in (types if isinstance(types, tuple) else [types])
    },
    type(None): "nothing",
}


def _by_base(value: Any) -> str:
    return next((name for types, name in _KINDS if isinstance(value, types)), "value")


def _side_by_side(actual: Any, expected: Any) -> Iterator[tuple[int, Any, Any]]:
    yield from zip(range(len(expected)), actual, expected, strict=False)
    for place in range(len(actual), len(expected)):
        yield place, _ABSENT, expected[place]
    for place in range(len(expected), len(actual)):
        yield place, actual[place], _ABSENT


def _named(kind: str, value: Any) -> str:
    return "nothing (null)" if value is None else f"the {kind} {shown(value)}"


def quoted(text: str, other: str) -> str:
    """A text as a reader can tell it from another.

    It begins a little before the place where the two part, and is escaped if they look alike.
    """
    start = max(0, _common(text, other) - 20) if len(text) > 60 else 0
    piece, like = text[start : start + 200], other[start : start + 200]
    alike = normal_form("NFKC", piece) == normal_form("NFKC", like)
    written = ascii(piece) if alike else readable(repr(piece))
    return ("…" if start else "") + (written if len(written) <= 80 else written[:79] + "…")


def _common(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
