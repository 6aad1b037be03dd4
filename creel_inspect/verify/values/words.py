"""Numbers written in English words, and the words and letters that scale a number.

``text2num`` was tried: it has no trillion, lakh, dozen, half or "a hundred", and reads
"million three" as 1,000,003.
"""

import re
from fractions import Fraction

_UNITS = {
    "zero": 0, "nought": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13,
    "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60,
    "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_LARGE = {
    "thousand": 10**3,
    "lakh": 10**5,
    "million": 10**6,
    "crore": 10**7,
    "billion": 10**9,
    "trillion": 10**12,
    "quadrillion": 10**15,
}
_PARTS = {
    "half": Fraction(1, 2),
    "halves": Fraction(1, 2),
    "third": Fraction(1, 3),
    "thirds": Fraction(1, 3),
    "quarter": Fraction(1, 4),
    "quarters": Fraction(1, 4),
}
_VOCABULARY = {
    *_UNITS, *_TENS, *_LARGE, *_PARTS, "hundred", "dozen", "and", "a", "an", "point",
}  # fmt: skip

_SPELLINGS = {
    "hundred": 10**2,
    "dozen": 12,
    **_LARGE,
    **{f"{word}s": scale for word, scale in _LARGE.items()},
    "lac": 10**5,
    "lacs": 10**5,
    "cr": 10**7,
    "mn": 10**6,
    "mln": 10**6,
    "mio": 10**6,
    "million(s)": 10**6,
    "milliard": 10**9,
    "milliards": 10**9,
    "mrd": 10**9,
    "tsd": 10**3,
    "bn": 10**9,
    "bln": 10**9,
    "tn": 10**12,
    "trn": 10**12,
}
_LETTERS = {"k": 10**3, "m": 10**6, "b": 10**9, "t": 10**12}
_LONG = {10**9: 10**12, 10**12: 10**18, 10**15: 10**24}
_LONG_WORDS = ("billion", "trillion", "quadrillion")

_WORD = re.compile(r"[a-z]{1,12}")
_GAP = re.compile(r", |[ -]")
_MOST_WORDS = 40


def scale_of(word: str, *, long_scale: bool = False) -> tuple[Fraction, ...]:
    """What a scale word multiplies by; two readings for "billion" where the long scale lives."""
    low = word.lower()
    low = low[:-1] if low in ("mio.", "mrd.", "tsd.", "mn.", "bn.", "mln.", "cr.") else low
    scale = _SPELLINGS.get(low)
    if scale is None:
        return ()
    if long_scale and low.startswith(_LONG_WORDS):
        return Fraction(scale), Fraction(_LONG[scale])
    return (Fraction(scale),)


def letter_scale(letter: str) -> Fraction | None:
    """What a single letter multiplies by, where it is not a unit: k, m, b, t of either case.

    MM is a million as bankers write it, in capitals only: mm is a length.
    """
    scale = 10**6 if letter == "MM" else _LETTERS.get(letter.lower())
    return None if scale is None else Fraction(scale)


def number_in_words(text: str, start: int) -> tuple[Fraction, int, Fraction] | None:
    """The longest number in words that begins at ``start``.

    Gives its value, where it ends, and the scale of its last word ("ten million": a million).
    """
    words: list[str] = []
    ends: list[int] = []
    place = start
    low = text.lower()
    if len(low) != len(text):  # a letter whose lower case is longer: no English number has one
        return None
    while len(words) < _MOST_WORDS:
        found = _WORD.match(low, place)
        if not found or not {found[0], found[0].rstrip("s")} & _VOCABULARY:
            break
        words.append(found[0])
        ends.append(found.end())
        gap = _GAP.match(low, found.end())
        if not gap or (gap[0] == ", " and found[0] not in _LARGE):
            break
        place = gap.end()
    if ends and low[ends[-1] : ends[-1] + 1].isalnum():
        return None
    for many in range(len(words), 0, -1):
        value = _value(words[:many])
        if value is not None:
            return value, ends[many - 1], Fraction(_LARGE.get(words[many - 1], 1))
    return None


def _value(words: list[str]) -> Fraction | None:
    if words[-1] in ("a", "an"):
        # "half a litre": the article belongs to the unit.
        return Fraction(1, 2) if words[:-1] == ["half"] else None
    if "point" in words:
        return _with_point(words)
    for place, word in enumerate(words):
        if word in _PARTS:
            return _with_part(words, place)
    whole = _whole(words)
    return None if whole is None else Fraction(whole)


def _with_point(words: list[str]) -> Fraction | None:
    place = words.index("point")
    whole = _whole(words[:place])
    digits = words[place + 1 :]
    scale = _LARGE.get(digits[-1], 1) if digits else 1
    if scale != 1:
        digits = digits[:-1]
    if whole is None or not digits or not all(_UNITS.get(one, 10) < 10 for one in digits):
        return None
    text = "".join(str(_UNITS[one]) for one in digits)
    return (whole + Fraction(int(text), 10 ** len(text))) * scale


def _with_part(words: list[str], place: int) -> Fraction | None:
    """Half, three quarters, two and a half, half a million, two and a half million."""
    part, before, after = _PARTS[words[place]], words[:place], words[place + 1 :]
    scale = Fraction(1)
    if after:
        if after[0] in ("a", "an"):
            if before:
                return None
            after = after[1:]
        if len(after) != 1 or after[0] not in _LARGE | {"dozen": 12, "hundred": 100}:
            return None
        scale = scale_of(after[0])[0]
    several = words[place] in ("halves", "thirds", "quarters")
    whole, times = 0, 1
    if "and" in before:
        joint = len(before) - 1 - before[::-1].index("and")
        head = _whole(before[:joint])
        if head is None or head >= 1000:
            return None
        whole, before = head, before[joint + 1 :]
    if before in (["a"], ["an"], ["one"]) or not before:
        if several:
            return None
    elif len(before) == 1 and several and 1 < _UNITS.get(before[0], 0) < 10:
        times = _UNITS[before[0]]
    else:
        return None
    if not before and words[place] != "half":
        return None
    return (whole + times * part) * scale


def _whole(words: list[str]) -> int | None:
    """A whole number: below a thousand, times a scale, plus the same with smaller scales."""
    if words and words[0] in ("a", "an"):
        if len(words) < 2 or words[1] not in ("hundred", "dozen", *_LARGE):
            return None
        words = ["one", *words[1:]]
    if words and words[-1] in ("dozen", "dozens"):
        few = _UNITS.get(words[0], _TENS.get(words[0])) if len(words) == 2 else None
        return 12 if words == ["dozen"] else few and 12 * few
    number = _Whole()
    return number.value if words and all(map(number.takes, words)) and number.ended else None


class _Whole:
    """A whole number, taken word by word."""

    def __init__(self) -> None:
        self._pieces: list[tuple[int, int]] = []  # a value, and the scale that it ended with
        self._current: int | None = None
        self._room = 1000  # what is still added to the current value is smaller than this
        self._previous = ""

    @property
    def value(self) -> int:
        return sum(value for value, _ in self._pieces) + (self._current or 0)

    @property
    def ended(self) -> bool:
        """Whether the number may end here."""
        return self._previous != "and" and not (self._current == 0 and self._pieces)

    def takes(self, word: str) -> bool:
        """Adds a word; False if it cannot stand here."""
        if word in _UNITS or word in _TENS:
            taken = self._adds(_UNITS.get(word, _TENS.get(word, 0)), 10 if word in _TENS else 1)
        elif word == "and":
            # "one hundred and five", "two thousand and one": only after a hundred or a scale
            taken = self._previous == "hundred" or self._previous in _LARGE
        elif self._previous == "and":
            taken = False
        elif word == "hundred":
            taken = 0 < (self._current or 0) < 100
            self._current, self._room = (self._current or 0) * 100, 100
        else:
            taken = word in _LARGE and _scaled(self._pieces, self._current, _LARGE[word])
            self._current, self._room = None, 1000
        self._previous = word
        return taken

    def _adds(self, number: int, room: int) -> bool:
        if self._current is not None and (number == 0 or number >= self._room):
            return False
        self._current, self._room = (self._current or 0) + number, room
        return True


def _scaled(pieces: list[tuple[int, int]], current: int | None, scale: int) -> bool:
    """Multiplies by ``scale`` what came since the last larger scale: "one thousand million"."""
    value = current or 0
    while pieces and pieces[-1][1] < scale:
        value += pieces.pop()[0]
    if not value or (pieces and pieces[-1][1] <= scale):
        return False
    pieces.append((value * scale, scale))
    return True
