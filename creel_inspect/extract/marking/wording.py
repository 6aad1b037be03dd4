"""Whether words stand in a text, whole: "art" is not in "party", nor 12 in 12.5.

Texts are compared in NFKC with one kind of quotes and dashes, without invisible characters and
Markdown's emphasis, with single spaces; and without regard to case, except that a word of a few
capitals ("WHO") is only the same in capitals.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cached_property

from creel_inspect.extract.corpus.passages import Passage
from creel_inspect.verify.values.text import DEFAULT_STEPS, normalize, step

MOST_CHARACTERS = 20_000
"""Of words that are looked up."""

_STEPS = tuple(name for name in DEFAULT_STEPS if name != "casefold")
_BETWEEN = "\ue000"
"""Stands between two passages; no text is looked up that holds it."""
_EMPHASIS = re.compile(r"(?<!\w)(?:\*{1,3}|__?|`)(?=\w)|(?<=[\w.,;:!?)])(?:\*{1,3}|__?|`)(?!\w)")
_EDGES = " .,;:!?\"'()[]"
_CAPITALS = re.compile(r"[A-Z][A-Z0-9&]{1,4}")


def plain(text: str) -> str:
    """The text with all that is no difference gone, but for case."""
    return normalize(_EMPHASIS.sub("", text), _STEPS)


class Wording:
    """Passages in which words are looked up."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        texts = [(_picked(one).replace(_BETWEEN, " "), one.label) for one in passages]
        self._passages = [text for text, _ in texts]
        self._values = [text for text, label in texts if not label]

    @cached_property
    def _kept(self) -> str:
        joined = f" {_BETWEEN} ".join(self._passages)
        return f"{_BETWEEN} {plain(joined)} {_BETWEEN}"

    @cached_property
    def _folded(self) -> str:
        return step("casefold", self._kept)

    @cached_property
    def _whole(self) -> frozenset[str]:
        return frozenset(one.strip(_EDGES) for one in self._kept.split(_BETWEEN))

    def is_all(self, words: frozenset[str]) -> bool:
        """Whether one of these words is all of a passage, headers and keys apart."""
        values = (one for one in self._values if len(one) <= 40)
        return any(plain(one).strip(_EDGES).casefold() in words for one in values)

    def has(self, words: str) -> bool:
        """Whether the words stand in one passage, beginning and ending where words do.

        Nothing is in any text that has no letter and no digit. A single letter is a word of its
        own or nothing; and "a" and "I", which are words of English, only where they are all of a
        passage.
        """
        if len(words) > MOST_CHARACTERS or _BETWEEN in words:
            return False
        sought = plain(words).strip()
        sought = sought.strip(_EDGES) or sought
        if not any(character.isalnum() for character in sought):
            return False
        if len(sought) == 1 and sought.isalpha():
            if sought in ("a", "A", "I"):
                return sought in self._whole
            return any(_alone(self._kept, at) for at in _places(self._kept, sought))
        text = self._kept
        if not _CAPITALS.fullmatch(sought):
            text, sought = self._folded, step("casefold", sought)
        return any(_bounded(text, at, at + len(sought)) for at in _places(text, sought))


def _picked(passage: Passage) -> str:
    """What a passage picks, out to where its first and last words begin and end."""
    text = passage.text
    start, end = passage.start, len(text) if passage.end is None else passage.end
    while start > 0 and _joins(text, start):
        start -= 1
    while end < len(text) and _joins(text, end):
        end += 1
    return text[start:end]


def _joins(text: str, place: int) -> bool:
    """Whether what stands on the two sides of a place is one word, or one number."""
    before, after = text[place - 1], text[place]
    if _in_word(before) and _in_word(after):
        return not (_spaceless(before) or _spaceless(after))
    around = text[max(0, place - 2) : place + 2]
    return bool(_SEPARATED.search(around)) and not before.isspace() and not after.isspace()


_SEPARATED = re.compile(r"\w[.,'’/-]\w")


def _places(text: str, sought: str) -> Iterator[int]:
    place = text.find(sought)
    while place >= 0:
        yield place
        place = text.find(sought, place + 1)


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_" or unicodedata.category(character)[0] == "M"


def _spaceless(character: str) -> bool:
    """Whether a character's script writes words without spaces between: Han, kana, Thai …"""
    return (
        "\u0e00" <= character <= "\u0eff"
        or "\u1000" <= character <= "\u109f"
        or "\u1780" <= character <= "\u17ff"
        or "\u2e80" <= character <= "\u9fff"
        or "\U00020000" <= character <= "\U0003ffff"
    )


_LAST_DIGITS = re.compile(r"\d{1,3}\Z")
_GROUP = re.compile(r" \d{3}(?!\d)")


def _bounded(text: str, start: int, end: int) -> bool:
    before, first, last, after = text[start - 1], text[start], text[end - 1], text[end]
    if _one_word(before, first) or _one_word(last, after):
        return False
    # What begins or ends with a hyphen was cut from a longer word, or is a sign: 0-|4, R|-134a.
    if (first in "-/" and _in_word(before)) or (last in "-/" and _in_word(after)):
        return False
    if first.isdigit() and _number_before(text, start):
        return False
    return not (last.isdigit() and _number_after(text, start, end))


def _one_word(left: str, right: str) -> bool:
    """Whether two neighbours are of one word, in a script that puts spaces between words."""
    return _in_word(left) and _in_word(right) and not (_spaceless(left) or _spaceless(right))


def _number_before(text: str, start: int) -> bool:
    """Whether a number or code goes on to the left: 12.|5, 12 |500, R-|134a."""
    sign, earlier = text[start - 1], text[start - 2]
    if (earlier.isdigit() and sign in ".,'") or (earlier.isalpha() and sign == "-"):
        return True
    if not _GROUP.match(" " + text[start : start + 4]) or text[start - 1] != " ":
        return False
    digits = _LAST_DIGITS.search(text[max(0, start - 5) : start - 1])
    return digits is not None and not text[start - 2 - len(digits[0])].isdigit()


def _number_after(text: str, start: int, end: int) -> bool:
    """Whether a number goes on to the right: 12|.5, 12| 500."""
    if text[end] in ".,'" and text[end + 1 : end + 2].isdigit():
        return True
    digits = _LAST_DIGITS.search(text[max(start, end - 4) : end])
    if not digits or text[end - len(digits[0]) - 1].isdigit():
        return False
    return bool(_GROUP.match(text, end))


_LETTER_ALONE = frozenset(' "()[]{},;:!?|/=*')


def _alone(text: str, place: int) -> bool:
    """Whether a single letter is a word of its own, and no part of U.S., O'Neil, X-ray or C++."""
    before, after = text[place - 1], text[place + 1]
    if before not in _LETTER_ALONE:
        return False
    return after in _LETTER_ALONE or (after == "." and not _in_word(text[place + 2]))
