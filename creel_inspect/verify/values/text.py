"""Texts written differently that say the same: normal forms, and named steps towards one spelling.

Every step is a function from text to text that changes nothing the second time. The steps are
applied in the order of ``STEPS`` whatever the order they are named in, since units must be seen
before case is folded and dates before punctuation goes.
"""

import re
import unicodedata
from collections.abc import Callable, Collection
from functools import cache
from typing import Literal, TypeAlias

from creel_inspect.verify.values.dates import Order, read_date
from creel_inspect.verify.values.spelling import is_formula, is_structure, unit_spelling

Form: TypeAlias = Literal["NFC", "NFD", "NFKC", "NFKD"]

_LONG_RUN = 32


def normal_form(form: Form, text: str) -> str:
    """The text in a Unicode normal form (UAX #15), in time linear in its length.

    Python sorts a run of combining marks by insertion, which takes hours for a hostile one; such
    runs are put in canonical order first.
    """
    if text.isascii():
        return text
    marks = "".join(one for one in set(text) if _is_mark(one))
    if marks:
        run = re.compile(f"[{re.escape(marks)}]{{{_LONG_RUN},}}")
        text = run.sub(_in_canonical_order, text)
    return unicodedata.normalize(form, text)


@cache
def _is_mark(character: str) -> bool:
    return bool(unicodedata.combining(unicodedata.normalize("NFD", character)[0]))


def _in_canonical_order(run: re.Match[str]) -> str:
    marks = "".join(unicodedata.normalize("NFD", mark) for mark in run[0])
    return "".join(sorted(marks, key=unicodedata.combining))


# Removed wherever they stand: soft hyphen, grapheme joiner, Arabic letter mark, fillers, Mongolian
# vowel separator, zero-width space, bidirectional controls, word joiner, deprecated format
# characters, variation selectors, byte order mark, annotation marks.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0100-\U000e01ef]+"
)
# A flag of a region is a black flag and a run of tags.
_TAGS = re.compile("(?<![\U0001f3f4\U000e0001-\U000e007f])[\U000e0001\U000e0020-\U000e007f]++")
# Joiners are spelling between letters of these scripts (Arabic to Myanmar, Khmer, Mongolian …),
# and make one emoji of several.
_JOINING = (
    "\u0600-\u109f\u1780-\u18af\u1900-\u1cff\ua800-\uabff\ufb50-\ufdff\ufe70-\ufefc"
    "\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_JOINERS = re.compile(
    f"(?<![{_JOINING}\u200c\u200d])[\u200c\u200d]++|[\u200c\u200d]++(?![{_JOINING}])"
)
# Invisible times, plus and separators mean something between two digits.
_OPERATORS = re.compile(r"(?<![\d\u2061-\u2064])[\u2061-\u2064]++|[\u2061-\u2064]++(?!\d)")


def _invisible(text: str) -> str:
    if text.isascii():
        return text
    for hidden in (_INVISIBLE, _TAGS, _JOINERS, _OPERATORS):
        text = hidden.sub("", text)
    return normal_form("NFC", text)


_PUNCTUATION = {
    **dict.fromkeys("‘’‚‛′‵´`＇‹›ʹʻʼ", "'"),
    **dict.fromkeys("“”„‟″‶«»〝〞〟＂ʺ", '"'),
    **dict.fromkeys("‐‑‒–—―−⁃﹘﹣－", "-"),
    **dict.fromkeys("∕⁄", "/"),
    **{"‴": "'''", "⁗": "''''"},
}
_VARIANT = re.compile(f"[{re.escape(''.join(_PUNCTUATION))}]")
_VARIANTS = str.maketrans(_PUNCTUATION)


def _punctuation(text: str) -> str:
    return text.translate(_VARIANTS) if _VARIANT.search(text) else text


_ORDINAL_ENDINGS = frozenset(["st", "nd", "rd", "th", "er", "re", "e"])
_RAISED_AS_WRITTEN = frozenset(["™", "℠", "ª", "º"])


def _nfkc(text: str) -> str:
    if text.isascii():
        return text
    kinds = {one: _compatibility(one) for one in set(text) if ord(one) > 0x9F}
    opened = {
        ord(one): unicodedata.decomposition(one) for one, kind in kinds.items() if kind == "³"
    }
    if opened:  # ㎡ is m and a raised 2
        text = text.translate({place: _characters(how) for place, how in opened.items()})
        kinds |= {"²": "super", "³": "super"}
    numbers = "".join(one for one, kind in kinds.items() if kind == "number")
    if numbers:
        numbers = re.escape(numbers)
        text = re.sub(rf"(?<=[\d{numbers}])(?=[{numbers}])|(?<=[{numbers}])(?=\d)", " ", text)
    for name, written in (("super", _raised), ("sub", _lowered)):
        members = "".join(one for one, kind in kinds.items() if kind == name)
        if members:
            text = re.sub(f"[{re.escape(members)}]+", written, text)
    return normal_form("NFKC", text).replace("\u2044", "/")


@cache
def _compatibility(character: str) -> str:
    """What NFKC would lose of a character: its height, or that it is a number of its own."""
    how = unicodedata.decomposition(character)
    tag = how[1 : how.find(">")] if how.startswith("<") else ""
    if tag in ("super", "sub"):
        return tag
    if tag == "square" and any(one in "²³" for one in _characters(how)):
        return "³"
    plain = unicodedata.normalize("NFKC", character)
    if tag in ("fraction", "circle", "compat", "square"):
        return "number" if plain[0].isdecimal() or plain[-1].isdecimal() else ""
    return ""


def _characters(decomposition: str) -> str:
    return "".join(chr(int(one, 16)) for one in decomposition.split() if one[0] != "<")


def _raised(run: re.Match[str]) -> str:
    """An exponent or an index must not become a digit of the number beside it: 10² is not 102."""
    plain = unicodedata.normalize("NFKC", run[0]).replace("\u2212", "-")
    before = run.string[run.start() - 1 : run.start()]
    if run[0] in _RAISED_AS_WRITTEN or (plain in _ORDINAL_ENDINGS and before.isdecimal()):
        return plain
    return f"^({plain})" if _followed_by_digit(run) else f"^{plain}"


def _lowered(run: re.Match[str]) -> str:
    plain = unicodedata.normalize("NFKC", run[0]).replace("\u2212", "-")
    before = run.string[run.start() - 1 : run.start()]
    return f"_({plain})" if before.isdecimal() or _followed_by_digit(run) else plain


def _followed_by_digit(run: re.Match[str]) -> bool:
    return run.string[run.end() : run.end() + 1].isdecimal()


def _whitespace(text: str) -> str:
    return normal_form("NFC", " ".join(text.split()))


# Marks on Latin and Greek letters. Elsewhere a mark may be a vowel, or the stroke of ≠.
_DIACRITICS = re.compile(
    "(?<=[A-Za-z\u00c0-\u024f\u0250-\u02af\u0370-\u03ff\u1e00-\u1fff])[\u0300-\u036f\u1dc0-\u1dff]++"
)


def _diacritics(text: str) -> str:
    if text.isascii():
        return text
    return normal_form("NFC", _DIACRITICS.sub("", normal_form("NFD", text)))


_DASHES = r"\-‐‑‒–—―"
_KEPT = frozenset("%‰‱#&@*§_\\/")
_ONLY_A_NUMBER = re.compile(r"[^\w\s]{0,9}\s?\d[\d.,]{0,60}\s?[^\w\s]{0,9}")
_ENDS = r"(?=[.,;:!?]{0,9}(?:\s|\Z|\]))"  # of a word
_IN_NUMBERS = (
    r"\([^\w\s]?\d[\d.,]{0,30}[^\w\s()]?\)"  # (5) is -5 in accounts
    rf"|[(\[][{_DASHES}][)\]]"  # (-)-menthol
    rf"|(?<=\d)[{_DASHES}]++{_ENDS}"  # SO4 2-
    rf"|(?<=\d)[.,:/'{_DASHES}](?=\d)|(?<!\w)[{_DASHES}](?= ?[.,$€£]?\d)|[.,](?=\d)"
)


# Cl- and [Cl-], where what stands before the sign is a formula.
_CHARGED = rf"(?<![^\s\[(])(?P<formula>[A-Z][A-Za-z0-9]{{0,19}})[{_DASHES}]++{_ENDS}"


def _strip_punctuation(text: str) -> str:
    if _ONLY_A_NUMBER.fullmatch(text.strip()) or is_structure(text):
        return text
    marks = "".join(
        one for one in set(text) if unicodedata.category(one)[0] == "P" and one not in _KEPT
    )
    if not marks:
        return text
    pattern = re.compile(rf"{_CHARGED}|(?P<number>{_IN_NUMBERS})|(?P<mark>[{re.escape(marks)}])")
    without = pattern.sub(_stripped, text)
    return normal_form("NFC", " ".join(without.split()))


def _stripped(found: re.Match[str]) -> str:
    if found["number"]:
        return found["number"]
    if formula := found["formula"]:
        return found[0] if is_formula(formula) else formula
    # A sign must not come to stand against a word, where it would be a hyphen.
    before_sign = found.string[found.end() : found.end() + 1] in tuple(_DASHES)
    return "" if found["mark"] in ".'’" and not before_sign else " "


def _casefold(text: str) -> str:
    if text.isascii():
        return text.lower()
    return normal_form("NFC", normal_form("NFD", text).casefold())


_FUNCTIONS: dict[str, Callable[[str], str]] = {
    "invisible": _invisible,
    "punctuation": _punctuation,
    "nfkc": _nfkc,
    "whitespace": _whitespace,
    "dates": lambda text: text,  # takes the order: see `step`
    "units": unit_spelling,
    "diacritics": _diacritics,
    "strip_punctuation": _strip_punctuation,
    "casefold": _casefold,
}
STEPS = tuple(_FUNCTIONS)
"""Every step, in the order in which they are applied."""
DEFAULT_STEPS = ("invisible", "punctuation", "nfkc", "whitespace", "casefold")
"""The steps that a reader would not call a difference."""
_DIGIT = re.compile(r"[0-9]")


def step(name: str, text: str, *, order: Order | None = None) -> str:
    """The text after one step. A text with something to see is never emptied: it stays as it was.

    Args:
        name: One of ``STEPS``.
        text: Any text.
        order: How dates of digits are ordered, for ``dates``.
    """
    if name == "dates":
        reading = read_date(text, order=order) if _DIGIT.search(text[:80]) else None
        return reading.iso if reading else text
    after = _FUNCTIONS[name](text)
    return text if not after and not is_blank(text) else after


def normalize(text: str, steps: Collection[str], *, order: Order | None = None) -> str:
    """The text in NFC, after the steps named, in the order of ``STEPS``."""
    text = normal_form("NFC", text)
    for name in STEPS:
        if name in steps:
            text = step(name, text, order=order)
    return text


def is_blank(text: str) -> bool:
    """Whether there is nothing to see: only spaces and invisible characters."""
    return not text or text.isspace() or not _invisible(text).strip()
