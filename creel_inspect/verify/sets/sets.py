"""Lists compared as sets, as multisets or in order: precision, recall and F1."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass as plain_dataclass
from textwrap import shorten
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, InstanceOf, StrictBool
from pydantic.dataclasses import dataclass

from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import (
    Code,
    Context,
    Example,
    VerdictScore,
    Verifier,
    VerifierError,
    failing,
    passing,
)
from creel_inspect.verify.registry import CONFIG, verifier, verifier_from
from creel_inspect.verify.sets.canonical import canonical
from creel_inspect.verify.sets.pairing import OversizedCandidate, Pairing, Side, pair_by_verdict
from creel_inspect.verify.sets.sequences import TooLong, longest_common_subsequence

MOST_LISTED = 50


def _names(key: Any) -> Any:
    names = [key] if isinstance(key, str) else key
    if key is None:
        return None
    if not isinstance(names, list | tuple) or not all(isinstance(one, str) for one in names):
        raise ValueError("expected the name of a field, or a list of names")
    if not names or len(set(names)) < len(names):
        raise ValueError("expected at least one name, and none twice")
    return tuple(names)


def _item(spec: Any) -> Verifier | None:
    return None if spec is None else verifier_from(spec)


@verifier("set_match")
@dataclass(frozen=True, kw_only=True, config=CONFIG)
class SetMatch(Verifier):
    """How much of a list was found, and how much of what was found belongs there.

    With ``n`` candidate items, ``m`` expected ones and ``k`` matched pairs, precision is k / n,
    recall is k / m, and F1, their harmonic mean, is 2k / (n + m) (C. J. van Rijsbergen, Information
    Retrieval, 1979). The score is F1. Two empty lists are equal and score 1; if one is empty, all
    three are 0. A candidate that is no list fails.

    Items are equal as they are for the kind ``exact``: ``True`` is not 1, 1 is not 1.0, NaN equals
    nothing; text is compared in Unicode normal form C, objects without regard to the order of
    their keys.

    Keys:
        multiset: Whether repeated items count (the default): of ``[a, a]`` for ``[a]`` the second
            is extra. When off, items that are equal collapse to the first, on both sides;
            ``details["duplicates"]`` still counts them. Not together with ``item``, by which other
            items are equal than these.
        ordered: Whether the order counts. The matched pairs are then a longest common
            subsequence, as in ROUGE-L (C.-Y. Lin, 2004). An item out of its place is both missing
            and extra: it costs as much as a wrong one. A Python set has no order and is refused.
        threshold: The least F1 that passes, over 0 and up to 1 (the default: nothing missing,
            nothing extra).
        item: Another verifier that compares item with item. A pair matches when it passes. The
            pairs are assigned so that as many as possible match, then so that the sum of all
            scores is greatest (never greedily); in order, so that as many as possible match. It
            makes a verdict on each distinct pair, which is dear where each asks a model. Unless the
            order counts, ``details["soft_f1"]`` has the sum of the scores of the assigned pairs,
            matched or not, in place of k.
        key: The name of a field, or several. Items are then objects, and only objects with the
            same key can match: by ``item``, which gets them without the key, or else if the rest
            is equal. A candidate item without the key matches nothing.

    Raises:
        VerifierError: ``expected_invalid`` if what is expected is no list (or an item has no key);
            ``part_not_measured`` if ``item`` could not measure a pair on which the score depends;
            ``too_large`` if what is expected is longer than can be compared in bounded time: with
            ``item``, over some 150 distinct items (numbers or short texts; larger ones count
            more) in one list, or with one key, whatever the candidate; in order, where long
            sequences are very repetitive. If only the candidate is too long, or has too large
            items, it fails with score 0.
    """

    multiset: StrictBool = True
    ordered: StrictBool = False
    threshold: Annotated[float, Field(strict=True, gt=0, le=1, allow_inf_nan=False)] = 1.0
    item: Annotated[InstanceOf[Verifier] | None, BeforeValidator(_item)] = None
    key: Annotated[tuple[str, ...] | None, BeforeValidator(_names)] = None

    def __post_init__(self) -> None:
        if self.item is not None and not self.multiset:
            raise ValueError(
                "`multiset: false` collapses items that are exactly equal, and `item` says "
                "otherwise which are: leave one of the two out"
            )

    def inner(self) -> Sequence[Verifier]:
        return () if self.item is None else (self.item,)

    async def acompare(self, actual: Any, expected: Any, context: Context) -> VerdictScore:
        wrong = self._wrong(expected)
        if wrong:
            raise VerifierError(f"what is expected is no list: {wrong}", code=Code.EXPECTED_INVALID)
        wrong = self._wrong(actual)
        if wrong:
            return failing(wrong)
        found, gold = self._read(actual), self._read(expected)
        for item, group in zip(gold.items, gold.groups, strict=True):
            if group is None:
                raise VerifierError(
                    f"what is expected has an item without the key {', '.join(self.key or ())}: "
                    f"{shown(item)}",
                    code=Code.EXPECTED_INVALID,
                )
        try:
            return self._verdict(found, gold, await self._pairing(found, gold, context))
        except OversizedCandidate as told:
            return failing(str(told))

    def _wrong(self, value: Any) -> str | None:
        if isinstance(value, list | tuple):
            return None
        if isinstance(value, set | frozenset):
            return "expected a list, came a set, which has no order" if self.ordered else None
        return f"expected a list, came {shown(value)}"

    def _read(self, value: Any) -> "_List":
        # A Python set comes in another order in each process.
        items = sorted(value, key=repr) if isinstance(value, set | frozenset) else value
        keys = [canonical(item) for item in items]
        duplicates = len(keys) - len(set(keys))
        if duplicates and not self.multiset:
            first: dict[str | bytes, Any] = {}
            for key, item in zip(keys, items, strict=True):
                first.setdefault(key, item)
            keys, items = list(first), list(first.values())
        groups = [self._group(item) for item in items] if self.key else [()] * len(items)
        return _List(items, keys, groups, duplicates)

    def _group(self, item: Any) -> Hashable | None:
        """What the items it may match have in common with it; None if it can match nothing."""
        names = self.key or ()
        if not isinstance(item, dict) or not all(name in item for name in names):
            return None
        return canonical([item[name] for name in names])

    async def _pairing(self, found: "_List", gold: "_List", context: Context) -> Pairing:
        if self.item:
            return await pair_by_verdict(
                self.item,
                self._side(found),
                self._side(gold),
                context,
                ordered=self.ordered,
                threshold=self.threshold,
            )
        if not self.ordered:
            return _equal_items(found.keys, gold.keys)
        try:
            pairs = _equal_in_order(found.keys, gold.keys)
            return Pairing.of(pairs, len(found.items), len(gold.items))
        except TooLong as error:
            most = (Counter(found.keys) & Counter(gold.keys)).total()
            if _f1(most, found, gold) < self.threshold:
                raise OversizedCandidate(
                    f"too few items are equal, in any order: {error}"
                ) from None
            raise VerifierError(
                f"too long and too repetitive to compare in order: {error}", code=Code.TOO_LARGE
            ) from None

    def _side(self, items: "_List") -> Side:
        if not self.key:
            return Side(items.items, items.groups)
        rest = [
            {name: inner for name, inner in item.items() if name not in self.key}
            if isinstance(item, dict)
            else item
            for item in items.items
        ]
        return Side(rest, items.groups)

    def _verdict(self, found: "_List", gold: "_List", pairing: Pairing) -> VerdictScore:
        n, m, matched = len(found.items), len(gold.items), pairing.matched
        f1 = _f1(matched, found, gold)
        extra, missing = pairing.extra, pairing.missing
        moved = 0
        if self.ordered and not self.item:
            left = Counter(found.keys[place] for place in extra)
            moved = (left & Counter(gold.keys[place] for place in missing)).total()
        details: dict[str, Any] = {
            "precision": matched / n if n else float(not m),
            "recall": matched / m if m else float(not n),
            "f1": f1,
            "matched": matched,
            "missing": [shown(gold.items[place]) for place in missing[:MOST_LISTED]],
            "missing_more": max(0, len(missing) - MOST_LISTED),
            "extra": [shown(found.items[place]) for place in extra[:MOST_LISTED]],
            "extra_more": max(0, len(extra) - MOST_LISTED),
            "duplicates": {"actual": found.duplicates, "expected": gold.duplicates},
        }
        if self.ordered and not self.item:
            details["out_of_order"] = moved
        if pairing.soft is not None:
            details["soft_f1"] = min(1.0, _f1(pairing.soft, found, gold))
        said = [
            f"{matched:,} of {m:,} expected items found",
            f"missing {_few(gold, missing)}" if missing else "",
            f"{len(extra):,} extra {_few(found, extra)}" if extra else "nothing extra",
            f"{moved:,} of these out of order" if moved else "",
            f"{found.duplicates:,} repeated by the candidate" if found.duplicates else "",
        ]
        differing = _nearest(found, gold, pairing) if self.item else []
        if self.key and not self.item:
            differing = _differing(found, gold, extra, missing)
        if differing:
            details["differing"] = differing
            first = differing[0]
            said.append(f"{first['actual']} is no {first['expected']}: {first['reason']}")
        passed = f1 >= self.threshold
        if not passed:
            said.insert(0, f"F1 {_number(f1, self.threshold)}, expected {self.threshold:g} or more")
        reason = "; ".join(filter(None, said)) if n or m else "both are empty"
        return (passing if passed else failing)(reason, score=f1, **details)

    @classmethod
    def self_test(cls) -> Sequence[Example]:
        tolerant = {"kind": "numeric_tolerance", "abs": 1}
        return [
            Example(actual=["b", "a"], expected=["a", "b"], passes=True),
            Example(actual=["a", "a"], expected=["a"], passes=False),
            Example(actual=["a", "a"], expected=["a"], passes=True, config={"multiset": False}),
            Example(actual=["b", "a"], expected=["a", "b"], passes=False, config={"ordered": True}),
            Example(actual=["a", "x"], expected=["a", "b"], passes=True, config={"threshold": 0.5}),
            Example(actual=[True], expected=[1], passes=False),
            Example(actual=[], expected=[], passes=True),
            Example(actual=[], expected=["a"], passes=False),
            Example(actual="a", expected=["a"], passes=False),
            Example(actual=["a"], expected="a", passes=None, code=Code.EXPECTED_INVALID),
            Example(actual=[11, 12], expected=[10, 11], passes=True, config={"item": tolerant}),
            Example(actual=[11, 13], expected=[10, 11], passes=False, config={"item": tolerant}),
            Example(
                actual=[{"id": "x", "of": [1, 2]}],
                expected=[{"id": "x", "of": [1, 2]}],
                passes=True,
                config={"key": "id"},
            ),
        ]


@plain_dataclass(frozen=True)
class _List:
    """One of the two lists, as read: items, their hashable keys and groups, and the repeats."""

    items: Sequence[Any]
    keys: Sequence[Hashable]
    groups: Sequence[Hashable | None]
    duplicates: int


def _equal_items(found: Sequence[Hashable], gold: Sequence[Hashable]) -> Pairing:
    """Each candidate item takes an equal one, as long as there are any."""
    wanted = Counter(gold)
    extra, missing = [], []
    for place, key in enumerate(found):
        left = wanted.get(key, 0)
        if left:
            wanted[key] = left - 1
        else:
            extra.append(place)
    for place in range(len(gold) - 1, -1, -1):  # the first ones have been taken
        if wanted[gold[place]]:
            wanted[gold[place]] -= 1
            missing.append(place)
    return Pairing(len(found) - len(extra), extra, missing[::-1])


def _equal_in_order(found: Sequence[Hashable], gold: Sequence[Hashable]) -> list[tuple[int, int]]:
    places: dict[Hashable, list[int]] = {}
    for place, key in enumerate(gold):
        places.setdefault(key, []).append(place)
    nowhere: list[int] = []
    return longest_common_subsequence([places.get(key, nowhere) for key in found], len(gold))


def _f1(matched: float, found: _List, gold: _List) -> float:
    both = len(found.items) + len(gold.items)
    return 2 * matched / both if both else 1.0


def _few(items: _List, places: Sequence[int]) -> str:
    few = [items.items[place] for place in places[:5]]
    more = f" and {len(places) - len(few):,} more" if len(places) > len(few) else ""
    return shown(few) + more


def _number(f1: float, threshold: float) -> str:
    """Three digits, unless these would look like enough."""
    text = f"{f1:.3f}"
    return repr(f1) if float(text) >= threshold else text


def _nearest(found: _List, gold: _List, pairing: Pairing) -> list[dict[str, Any]]:
    return [
        {
            "actual": shown(found.items[one.row]),
            "expected": shown(gold.items[one.column]),
            "score": one.score,
            "reason": shorten(one.reason, 200, placeholder=" …"),
        }
        for one in pairing.nearest
    ]


def _differing(
    found: _List, gold: _List, extra: Sequence[int], missing: Sequence[int]
) -> list[dict[str, Any]]:
    """Extra items whose key is that of a missing one, and the fields in which they differ."""
    waiting: dict[Hashable, list[int]] = {}
    for place in reversed(missing):
        waiting.setdefault(gold.groups[place], []).append(place)
    pairs: list[tuple[Any, Any]] = []
    for row in extra:
        columns = waiting.get(found.groups[row])
        if columns and len(pairs) < MOST_LISTED:
            pairs.append((found.items[row], gold.items[columns.pop()]))
    return [
        {"actual": shown(ours), "expected": shown(theirs), "reason": _fields(ours, theirs)}
        for ours, theirs in pairs
    ]


def _fields(ours: dict[str, Any], theirs: dict[str, Any]) -> str:
    names = [
        name
        for name in dict.fromkeys((*theirs, *ours))
        if name not in ours
        or name not in theirs
        or canonical(ours[name]) != canonical(theirs[name])
    ]
    return f"they differ in {shown(names)}"
