"""What stands around numbers: bounds, periods and order; and whether a text is English at all."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from creel_inspect.verify.plain import shown
from creel_inspect.verify.semantic.guard_numbers import Mention, agree
from creel_inspect.verify.semantic.guard_words import content_stem, word_set

Pair = tuple[str, str]
"""What the first text says, and what the second says instead."""

# --- Bounds ---------------------------------------------------------------------------------------

_MORE = "over|above|beyond|exceed(?:s|ed|ing)?|at least|minimum(?: of)?|[>≥]=?"
_LESS = "under|below|at most|up to|maximum(?: of)?|within|[<≤]=?"
_GREATER = "more|greater|higher|larger|bigger|older|later|longer"
_SMALLER = "less|fewer|lower|smaller|younger|earlier|shorter"
_BEFORE = re.compile(
    rf"(?:(?<!\w)(?:(?P<more>{_MORE}|(?:{_GREATER}) than)|(?P<less>{_LESS}|(?:{_SMALLER}) than)"
    r"|(?P<open>in|inside))[ -]?(?:an? )?)\Z",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    rf"(?: [^\W\d_]{{1,20}})? ?(?:(?P<more>\+|or (?:{_GREATER}|above|over)\b|at least\b)"
    rf"|(?P<less>or (?:{_SMALLER}|below|under)\b|at most\b))",
    re.IGNORECASE,
)
_DURATION = re.compile(r"(?:second|minute|hour|day|week|month|year|decade|centur)", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:no|not|never|cannot|without)\b|n't\b", re.IGNORECASE)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_RANGE = re.compile(r"\bfrom\b[^.;]{1,25}\Z", re.IGNORECASE)


def _bound(text: str, mention: Mention) -> str:
    """``more``, ``less``, ``bound`` (denied: either), ``open`` (may be one) or ``none``."""
    start, end = mention.span
    before = text[max(0, start - 40) : start]
    found = _BEFORE.search(before) or _BEHIND.match(text[end : end + 40])
    if not found:
        return "none"
    side = found.lastgroup or "none"
    word = found[0].strip().casefold()
    duration = _DURATION.search(mention.written) or _DURATION.match(text[end + 1 : end + 20])
    to = word == "up to" and (_RANGE.search(before) or _YEAR.fullmatch(mention.written))
    if (word == "over" and duration) or to:
        return "open"
    if side != "open" and _DENIED.search(before):
        return "bound"
    return side


def bounds(
    texts: tuple[str, str], ours: Sequence[Mention], theirs: Sequence[Mention]
) -> Iterator[Pair]:
    """A number that is exact in one text and a bound in the other: 500 and at least 500."""
    sides = [
        [(one, _bound(text, one)) for one in some]
        for text, some in zip(texts, (ours, theirs), strict=True)
    ]
    for side in (0, 1):
        for one, bound in sides[side]:
            if bound in ("none", "open"):
                continue
            others = [
                (other, against)
                for other, against in sides[1 - side]
                if one.readings & other.readings or agree(one, other)
            ]
            if others and not any(_fit(bound, against) for _, against in others):
                pair = _with_context(texts[side], one), _with_context(texts[1 - side], others[0][0])
                yield pair if side == 0 else pair[::-1]
                return


def _fit(bound: str, other: str) -> bool:
    return other in (bound, "open") or ("bound" in (bound, other) and other != "none")


def _with_context(text: str, one: Mention) -> str:
    start, end = one.span
    before = " ".join(text[max(0, start - 30) : start].split()[-2:])
    return shown(f"{before} {text[start:end]}".strip(), 60)


# --- Periods --------------------------------------------------------------------------------------

_ADVERBS = {
    **{"hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month"},
    **{"quarterly": "quarter", "yearly": "year", "annually": "year", "annual": "year"},
}
_PERIOD = re.compile(
    r"\b(?:per|an?|each|every) (second|minute|hour|day|week|month|quarter|year|annum)\b"
    r"|(?<=[\w%])/(second|minute|hour|day|week|month|quarter|year)\b"
    rf"|\b({'|'.join(_ADVERBS)})\b",
    re.IGNORECASE,
)
_LATER = re.compile(r" (?:later|ago|earlier|before|after|old|long|from)\b", re.IGNORECASE)


def _periods(text: str, numbers: Sequence[Mention]) -> set[str]:
    """The periods that rates are for, but those in a unit that can be converted: 5 mg/min."""
    inside = {place for one in numbers for place in range(*one.span)}
    found = set()
    for match in _PERIOD.finditer(text):
        if match.start() in inside or _LATER.match(text, match.end()):
            continue
        period = (match[1] or match[2] or _ADVERBS[match[3].casefold()]).casefold()
        found.add("year" if period == "annum" else period)
    return found


def periods(
    texts: tuple[str, str], ours: Sequence[Mention], theirs: Sequence[Mention]
) -> Iterator[Pair]:
    """What is said for one period in one text, and for another in the other."""
    one, other = _periods(texts[0], ours), _periods(texts[1], theirs)
    if one - other and other - one:
        yield f"per {min(one - other)}", f"per {min(other - one)}"


# --- Order ----------------------------------------------------------------------------------------

_MOST_ORDERED = 40
_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|[.;,:]")
_LISTING = frozenset([",", "and", "or", "&"])


def order(
    texts: tuple[str, str], ours: Sequence[Mention], theirs: Sequence[Mention]
) -> Iterator[Pair]:
    """The same numbers that have changed places, although what stands around them has not."""
    if not 2 <= len(ours) == len(theirs) <= _MOST_ORDERED:
        return
    gaps = _gaps(texts[0], ours), _gaps(texts[1], theirs)
    places = [_only(one, theirs) for one in ours]
    for first, (place, later) in enumerate(pairwise(places)):
        if place is None or later is None:
            continue
        mine, other = (first, first + 1), (place, later)
        if _changed(gaps, mine, other):
            yield (
                f"{shown(ours[first].written, 40)} before {shown(ours[first + 1].written, 40)}",
                "them the other way round",
            )
            return


def _only(one: Mention, others: Sequence[Mention]) -> int | None:
    """The place of the one mention that says the same."""
    found = [place for place, other in enumerate(others) if one.readings & other.readings] or [
        place for place, other in enumerate(others) if agree(one, other)
    ]
    return found[0] if len(found) == 1 else None


def _gaps(text: str, numbers: Sequence[Mention]) -> list[list[str]]:
    """The words before, between and after the numbers."""
    edges = [0, *(edge for one in numbers for edge in one.span), len(text)]
    return [
        [token.casefold() for token in _TOKEN.findall(text[start:end])]
        for start, end in zip(edges[::2], edges[1::2], strict=True)
    ]


def _changed(
    gaps: tuple[list[list[str]], list[list[str]]], mine: tuple[int, int], other: tuple[int, int]
) -> bool:
    behind = [_next(gaps[0], place) for place in mine], [_next(gaps[1], place) for place in other]
    if behind[0][0] != behind[0][1] and all(map(all, behind)):
        if behind[0] == behind[1]:
            return False  # 10 men and 20 women, 20 women and 10 men
        if behind[0] == behind[1][::-1]:
            return True
    if other[0] < other[1]:
        return False
    if gaps[0] == gaps[1]:
        listed = all(set(gap) <= _LISTING for gap in gaps[0][1:-1])
        return not listed or "respectively" in gaps[0][-1]
    around = _stems(gaps[0], mine), _stems(gaps[1], other[::-1])
    common = [bool(left & right) for left, right in zip(*around, strict=True)]
    return common[1] and (common[0] or common[2])


def _next(gaps: list[list[str]], place: int) -> str:
    """The stem of the first word with a content among the three after a number."""
    for word in gaps[place + 1][:3]:
        if word in (".", ";", ",", ":"):
            return ""
        if found := content_stem(word):
            return found
    return ""


def _stems(gaps: list[list[str]], places: tuple[int, int]) -> list[set[str]]:
    """The stems before the first number, between the two, and after the second; each once."""
    parts = [gaps[: places[0] + 1], gaps[places[0] + 1 : places[1] + 1], gaps[places[1] + 1 :]]
    found = [
        {content_stem(token) for gap in part for token in gap if token.isalpha()} - {""}
        for part in parts
    ]
    return [one - set().union(*(other for other in found if other is not one)) for one in found]


# --- Language -------------------------------------------------------------------------------------

_ENGLISH = word_set(
    "the and with that this these those from by were been have which would should could are not "
    "than there it its their has had does did of"
)
_SHARED = word_set("is in to on a an was for at no as be or he we will can may")
"""Words of English that are words of other languages as well."""
_FOREIGN = word_set(
    "der die das und ist ein eine nicht den dem von mit het een de la le les el los las il lo gli "
    "un une et y est en es los pour por para per och att det som er og på ikke niet van zijn que "
    "di da do os em não não è jest nie się w z na i ve bir için"
)


def is_english(*texts: str) -> bool:
    """Whether one of the texts has a common word that is English's, or may be."""
    for text in texts:
        words = {token.casefold() for token in _TOKEN.findall(text)}
        if words & _ENGLISH or (words & _SHARED and not words & _FOREIGN):
            return True
    return False
