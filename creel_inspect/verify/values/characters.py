"""One spelling for characters that mean the same in a written number."""

import re
import unicodedata

_DASHES = dict.fromkeys(
    map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"), "-"
)
_SAME = _DASHES | {
    ord("\u2018"): "'",
    ord("\u2019"): "'",
    ord("\u02bc"): "'",
    ord("\u2044"): "/",  # fraction slash
    ord("\u2215"): "/",  # division slash
    ord("\u066a"): "%",  # Arabic percent sign
    ord("\u0609"): "‰",
    ord("\u060a"): "‱",
    ord("\u223c"): "~",
    ord("\u2248"): "~",
    ord("\u301c"): "~",
    ord("\u00d7"): "×",
    ord("\u22c5"): "·",
    ord("\u2219"): "·",
    ord("\u00b5"): "μ",
    ord("\u00ba"): "°",  # the ordinal sign and the ring, which stand where a degree is meant
    ord("\u02da"): "°",
    ord("\u212b"): "Å",
    ord("\u2264"): "<=",
    ord("\u2265"): ">=",
    ord("\u2a7d"): "<=",
    ord("\u2a7e"): ">=",
}
_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"), None)
_LINES = re.compile(r"\d ?[\t\n\r\x0b\x0c\x1c-\x1f\x85\u2028\u2029]\s{0,9}\d")


def plain_characters(text: str) -> str | None:
    """The text in NFKC, with ASCII digits, dashes, signs and single spaces.

    None if it is no one number to look at: digits on two lines, or a character that compatibility
    forms would turn into another number (a circled ten, the two of H₂O).

    Superscripts become ``^`` and the digits, so that 10⁻⁵ is not 10-5; vulgar fractions become
    `` 1/2`` with a space before, so that 1½ is not 11/2.
    """
    if _LINES.search(text):
        return None
    if text.isascii():
        return " ".join(text.split())
    parts: list[str] = []
    raised = False
    for character in text.translate(_UNSEEN):
        form = "" if character == "º" else unicodedata.decomposition(character)
        if form.startswith("<super>"):
            parts.append("" if raised else "^")
            raised = True
            parts.append(_same(character))
            continue
        raised = False
        if form.startswith(("<circle>", "<sub>")):
            return None
        if form.startswith("<fraction>"):
            parts.append(" ")
        parts.append(_same(character))
    return " ".join("".join(parts).split())


def _same(character: str) -> str:
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    folded = unicodedata.normalize("NFKC", character.translate(_SAME))
    if len(folded) == 1 and (digit := unicodedata.decimal(folded, None)) is not None:
        return str(digit)
    return folded.translate(_SAME)
