"""The numbers, quantities, dates and labels that a text mentions, in any order.

One number has one reading where a text decides it: the point is the decimal sign, since the guard
reads English ("1,234" is 1234, "1.234" is not), and a comma before other than three digits is.
What stays open ("5M": five million, five molar; "$": several dollars) keeps all its readings, and
agrees with a text that shares one.
"""

import re
import unicodedata
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TypeAlias

from creel_inspect.verify.values.dates import date_readings
from creel_inspect.verify.values.money import currency_at, currency_codes, is_currency
from creel_inspect.verify.values.numbers import COMMA, POINT, Numeral, TooLarge, numeral_at
from creel_inspect.verify.values.units import conversion, unit_tokens
from creel_inspect.verify.values.words import letter_scale, number_in_words, scale_of

Reading: TypeAlias = tuple[Fraction | str, str]
"""A value and its unit; or a text and what it is: a date, a time, a label, digits."""

_NO_UNIT = "dimensionless"


@dataclass(frozen=True)
class Mention:
    """One number, date or label in a text.

    Attributes:
        written: As it is written.
        readings: What it may mean.
        weak: Whether a text may leave it out without saying something else: an ordinal, a label,
            the word "one".
        span: Where it begins and ends in the text.
    """

    written: str
    readings: frozenset[Reading]
    weak: bool = False
    span: tuple[int, int] = field(default=(0, 0), compare=False)

    @property
    def sort(self) -> str:
        """``label``, ``month``, ``weekday``, ``date``…, or ``number``."""
        return next((unit for value, unit in self.readings if isinstance(value, str)), "number")


def agree(one: Mention, other: Mention) -> bool:
    """Whether the two may mean the same: in one unit, or after exact conversion."""
    return any(_same(*reading, *against) for reading in one.readings for against in other.readings)


def _same(value: Fraction | str, unit: str, other: Fraction | str, into: str) -> bool:
    if isinstance(value, str) or isinstance(other, str) or unit == into:
        return value == other and unit == into
    if "|" in unit + into or is_currency(unit) or is_currency(into):
        return False
    turned = conversion(unit, into)
    return turned is not None and value * turned[0] + turned[1] == other


_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣－"), "-")
_SIGNS = _DASHES | {ord("’"): "'", ord("‘"): "'", ord("ʼ"): "'", ord("µ"): "μ", ord("⁄"): "/"}


def plain_text(text: str) -> str:
    """The text in NFKC, with ASCII digits, dashes and apostrophes, without invisible characters.

    Superscripts are written with ``^`` (10⁵ is not 105), and vulgar fractions after a space (1½ is
    not 11/2). Line breaks stay, and other space becomes single spaces.
    """
    if not text.isascii():
        parts: list[str] = []
        raised = False
        for character in text:
            if unicodedata.category(character) in ("Cf", "Cs"):
                continue
            form = unicodedata.decomposition(character)
            now = form.startswith("<super>") and character not in "ªº™"
            if now and not raised:
                parts.append("^")
            raised = now
            if form.startswith("<fraction>"):
                parts.append(" ")
            digit = unicodedata.decimal(character, None)
            same = unicodedata.normalize("NFKC", character.translate(_SIGNS))
            parts.append(str(digit) if digit is not None else same.translate(_SIGNS))
        text = unicodedata.normalize("NFC", "".join(parts))
    return "\n".join(" ".join(line.split()) for line in text.splitlines())


def _listed(words: str) -> list[str]:
    return words.split()


_MONTHS = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DATE = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}(?![\d-])"
    r"|\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d{2})(?![\d/-])"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?(?: of)?[ -]{_MONTHS},?[ -]\d{{4}}(?!\d)"
    rf"|{_MONTHS} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}(?!\d)"
    rf"|{_MONTHS},? \d{{4}}(?!\d)",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(\d{1,2})(?::(\d{2})(?::(\d{2}))?)? ?(?:([ap])\.?m\b\.?)"
    r"|(\d{1,2}):(\d{2})(?::(\d{2}))?(?!\d)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"(?!(?:under|over|pre|post|sub|mid|non)-)[^\W\d_]{1,40}-?\d[\w-]{0,60}", re.IGNORECASE
)
_NUMBERING = re.compile(r"\d{1,3}[.)] (?=[^\W\d_])")
_BEFORE_NUMBER = re.compile(r"[^\s\d]{1,4} ?\d")
_DIGIT_RUN = re.compile(r"[\d.,'_/]{1,80}")
_WORD = re.compile(r"[^\W\d_]+")
_ORDINAL = re.compile(r"(\d{1,9})(?:st|nd|rd|th)\b", re.IGNORECASE)
_AFTER = re.compile(r"[ -]?(\S{1,30}(?: \S{1,20}){0,3})")
_JOINT = re.compile(r" ?- ?| ?/ ?|, | (?:to|and|or) ")
_SCALE = re.compile(r"[ -]?([A-Za-z]{1,11})\b\.?")
_LONG_DIGITS = re.compile(r"\d{41,}")
_SIGN = re.compile(r"(?:minus|negative) $", re.IGNORECASE)

_TIMES = re.compile(r"[- ]?(?:fold|times)\b|[x×](?![\w])", re.IGNORECASE)
_FOLD = re.compile(r"([^\W\d_]{2,12})-?fold\b", re.IGNORECASE)
_MULTIPLES = {
    **{"once": "1", "twice": "2", "thrice": "3"},
    **dict.fromkeys(["double", "doubles", "doubled", "doubling"], "2"),
    **dict.fromkeys(["triple", "triples", "tripled", "tripling", "treble", "trebled"], "3"),
    **dict.fromkeys(["quadruple", "quadruples", "quadrupled"], "4"),
    **dict.fromkeys(["halve", "halves", "halved", "halving"], "1/2"),
}
_MULTIPLE = "multiple"
_ROMAN = re.compile(r"(X{0,3})(IX|IV|V?I{0,3})(?![\w])")
_NUMBERED = re.compile(
    r"(?:phase|stage|type|class|grade|level|part|chapter|volume|section|article|tier|annex|"
    r"appendix|category|group|factor|war) \Z",
    re.IGNORECASE,
)

_ORDINALS = {
    word: Fraction(number)
    for number, word in enumerate(
        _listed("first second third fourth fifth sixth seventh eighth ninth tenth"), start=1
    )
}
_NUMBER_WORDS = frozenset(
    _listed(
        "zero nought one two three four five six seven eight nine ten eleven twelve thirteen "
        "fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty "
        "seventy eighty ninety hundred thousand million billion trillion dozen half "
    )
)
_ARTICLE = re.compile(r"an? (?:hundred|thousand|million|billion|dozen|half|third|quarter)\b", re.I)
_PLAIN_WORDS = ("in", "a", "at", "as", "u", "am", "pm", "B")
"""Units only where they touch their number: "in" and "a" are words, "vitamin 5 B" a label."""


@dataclass(frozen=True)
class _Found:
    start: int
    end: int
    mention: Mention
    bare: Fraction | None = None
    """The value of a number without a unit, which may share the next one's: 10-20 mg."""


MOST_MENTIONS = 300


def mentions(text: str) -> list[Mention]:
    """What a text mentions, from left to right; ``plain_text`` gave it.

    Reading ends after ``MOST_MENTIONS``: a text of so many numbers is a table.
    """
    found: list[_Found] = []
    place, end = 0, len(text)
    while place < end and len(found) < MOST_MENTIONS:
        if (not place or text[place - 1] == "\n") and (item := _NUMBERING.match(text, place)):
            place = item.end()  # "2. " counts the lines of a list
        one = _at(text, place)
        if one:
            found.append(one)
            place = max(one.end, place + 1)
        else:
            place = _next(text, place)
    shared: list[Mention] = []
    units: tuple[str, ...] = ()
    for number in range(len(found) - 1, -1, -1):
        one = found[number]
        after = found[number + 1] if number + 1 < len(found) else None
        if one.bare is not None and after and _JOINT.fullmatch(text, one.end, after.start):
            more = {(one.bare, unit) for unit in units}
            one = _Found(
                one.start,
                one.end,
                Mention(one.mention.written, one.mention.readings | more, one.mention.weak),
            )
        else:
            units = tuple(unit for _, unit in one.mention.readings if unit != _NO_UNIT)
        shared.append(replace(one.mention, span=(one.start, one.end)))
    return shared[::-1]


def _next(text: str, place: int) -> int:
    word = _WORD.match(text, place)
    return word.end() if word else place + 1


def _at(text: str, place: int) -> _Found | None:
    """What begins at a place, where a word or a number may begin; None if it is no mention."""
    first = text[place]
    if first.isalnum():
        if date := _DATE.match(text, place):
            return _dated(text, place, date.end(), date[0])
        if first.isdigit() and (clock := _CLOCK.match(text, place)):
            return _timed(text, place, clock)
    if first.isdigit() or (first == "." and text[place + 1 : place + 2].isdigit()):
        return _digits(text, place)
    if _BEFORE_NUMBER.match(text, place) and (currency := currency_at(text, place)):
        start = currency[1] + (text[currency[1] : currency[1] + 1] == " ")
        if text[start : start + 1].isdigit():
            return _digits(text, place, start, currency[0])
    if first.isalpha():
        if label := _LABEL.match(text, place):
            name = label[0].rstrip("-").casefold().replace("-", "")
            return _found(text, place, label.end(), (name, "label"), weak=True)
        return _in_words(text, place)
    return None


def _found(text: str, start: int, end: int, *readings: Reading, weak: bool = False) -> _Found:
    return _Found(start, end, Mention(text[start:end].strip(), frozenset(readings), weak))


def _dated(text: str, place: int, end: int, written: str) -> _Found | None:
    readings = date_readings(written.replace(".", " ") if written[0].isalpha() else written)
    if not readings:
        return _digits(text, place) if text[place].isdigit() else None
    if len(readings) > 1:  # 01/05/2024: only the same writing is surely the same day
        return _found(text, place, end, (written, "ambiguous date"))
    return _found(text, place, end, (readings[0].iso, "date"))


def _timed(text: str, place: int, clock: re.Match[str]) -> _Found:
    hour, minute, second = (clock[1], clock[2], clock[3]) if clock[1] else clock.group(5, 6, 7)
    number = int(hour)
    if clock[4]:
        number = number % 12 + (12 if clock[4].lower() == "p" else 0)
    at = f"{number:02}:{minute or '00'}:{second or '00'}"
    return _found(text, place, clock.end(), (at, "time"))


def _digits(
    text: str, place: int, start: int | None = None, currency: tuple[str, ...] = ()
) -> _Found:
    start = place if start is None else start
    if long := _LONG_DIGITS.match(text, start):
        return _found(text, place, long.end(), (long[0], "digits"))
    if ordinal := _ORDINAL.match(text, start):
        return _found(text, place, ordinal.end(), (Fraction(ordinal[1]), _NO_UNIT), weak=True)
    window = text[start : start + 64]
    try:
        number = numeral_at(window, 0, POINT) or numeral_at(window, 0, COMMA)
    except TooLarge:
        number = None
    if number is None:
        run = _DIGIT_RUN.match(text, start)
        end = max(run.end() if run else 0, start + 1)
        return _found(text, place, end, (text[start:end], "digits"))
    return _quantity(text, place, start, number, currency)


def _quantity(
    text: str, place: int, start: int, number: Numeral, currency: tuple[str, ...]
) -> _Found:
    end = start + number.end
    value = number.value
    before = text[place - 1 : place]
    minus = before == "-" and not text[max(place - 2, 0) : place - 1].strip()[-1:]
    if minus or _SIGN.search(text[max(0, place - 9) : place]):
        value = -value
    readings: set[Reading] = set()
    attached = text[end : end + 1].isalpha()
    letter = text[end] if attached and not text[end + 1 : end + 2].isalpha() else ""
    scale = _SCALE.match(text, end)
    if scale and (scales := scale_of(scale[1])):
        value, end = value * scales[0], scale.end()
    elif letter and (factor := letter_scale(letter)):
        readings |= _with_units(value * factor, currency)
        if currency or letter in "kK":
            return _Found(place, end + 1, Mention(text[place : end + 1], frozenset(readings)))
    unit_end, units = (end, currency) if currency else _unit_at(text, end)
    readings |= _with_units(value, units)
    end = max(unit_end, end + len(letter) if readings and letter and units else end)
    if not units and (times := _TIMES.match(text, end)):
        readings.add((str(value), _MULTIPLE))
        end = times.end()
    bare = value if not units and len(readings) == 1 else None
    # "0 defects" and "no defects" are one; that a text has no such zero is seen as negation.
    weak = bare == 0
    return _Found(place, end, Mention(text[place:end], frozenset(readings), weak), bare)


def _with_units(value: Fraction, units: tuple[str, ...]) -> set[Reading]:
    """The value in each unit; in the one unit that they are together where nobody can tell.

    Dollars are those of no country or of the United States; a ton is no tonne.
    """
    if len(units) > 1 and "GBP" not in units:
        alone = {(value, "USD")} if "USD" in units else set()
        return {(value, "|".join(units)), *alone}
    return {(value, unit) for unit in units or (_NO_UNIT,)}


def _unit_at(text: str, end: int) -> tuple[int, tuple[str, ...]]:
    """The longest unit or currency that follows a number, and where it ends."""
    after = _AFTER.match(text, end)
    if not after or after[1][0].isdigit():
        return end, ()
    pieces = after[1].split(" ")
    apart = text[end : end + 1] in (" ", "-")
    for many in range(len(pieces), 0, -1):
        written = " ".join(pieces[:many]).rstrip(".,;:!?)]'\"")
        if many == 1 and apart and written in _PLAIN_WORDS:
            break
        units = unit_tokens(written) or (currency_codes(written) if many < 3 else ())
        if written.lower() in ("pound", "pounds"):
            units = ("pound", "GBP")
        if units:
            return after.start(1) + len(written), units
    return end, ()


_MONTH_NAMES = _listed(
    "january february march april may june july august september october november december "
)
_DAY_NAMES = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_DAY_BESIDE = re.compile(r"\d{1,2}(?:st|nd|rd|th)?(?: of)? $", re.IGNORECASE)
_DAY_AFTER = re.compile(r" \d{1,2}\b")


def _named(text: str, place: int, end: int, word: str) -> Reading | None:
    """A weekday, or a month; "may" and "march" are words unless a day stands beside them."""
    if word in _DAY_NAMES:
        return word, "weekday"
    fits = [one for one in _MONTH_NAMES if len(word) > 2 and one.startswith(word)]
    if not fits or (len(word) < 4 and word != "may") or not text[place].isupper():
        return None
    beside = _DAY_BESIDE.search(text[max(0, place - 9) : place]) or _DAY_AFTER.match(text, end)
    return (fits[0], "month") if beside or word not in ("may", "march") else None


def _in_words(text: str, place: int) -> _Found | None:
    word = _WORD.match(text, place)
    low = word[0].casefold() if word else ""
    if word and (name := _named(text, place, word.end(), low)):
        return _found(text, place, word.end(), name, weak=True)
    if word and low in _ORDINALS:
        return _found(text, place, word.end(), (_ORDINALS[low], _NO_UNIT), weak=True)
    if word and (multiple := _multiple(text, place, word.end(), low)):
        return multiple
    if low not in _NUMBER_WORDS and not _ARTICLE.match(text, place):
        return None
    read = number_in_words(text[place : place + 90], 0)
    if read is None:
        return None
    value, length, _ = read
    if _SIGN.search(text[max(0, place - 9) : place]):
        value = -value
    end, units = _unit_at(text, place + length)
    weak = value in (0, 1) and low in ("one", "zero") and not units
    found = _with_units(value, units)
    end = max(end, place + length)
    if not units and (times := _TIMES.match(text, end)):
        found.add((str(value), _MULTIPLE))
        end = times.end()
    readings = frozenset(found)
    return _Found(
        place, end, Mention(text[place:end], readings, weak), None if units or weak else value
    )


def _multiple(text: str, place: int, end: int, low: str) -> _Found | None:
    """Twice, fivefold, halved; or a number in Roman numerals: II, and I in "phase I"."""
    if low in _MULTIPLES:
        value = _MULTIPLES[low]
        readings: list[Reading] = [(value, _MULTIPLE)]
        if value == "1/2":
            readings.append((Fraction(1, 2), _NO_UNIT))
        weak = low not in ("twice", "thrice")
        return _found(text, place, end, *readings, weak=weak)
    if fold := _FOLD.match(text, place):
        read = number_in_words(fold[1], 0)
        if read is not None and read[1] == len(fold[1]):
            return _found(text, place, fold.end(), (str(read[0]), _MULTIPLE))
    roman = _ROMAN.match(text, place)
    if not roman or not roman[0]:
        return None
    if len(roman[0]) == 1 and not _NUMBERED.search(text[max(0, place - 12) : place]):
        return None
    ones = {"": 0, "I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "IX": 9}
    unit = roman[2]
    value_of = ones[unit] if unit in ones else 5 + ones[unit[1:]]
    number = Fraction(10 * len(roman[1]) + value_of)
    return _found(text, place, roman.end(), (number, _NO_UNIT), weak=True)
