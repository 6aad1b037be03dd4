"""How figures and words stand on the page.

Every text passes ``visible`` before it is escaped: what a browser would act on without showing it
(control characters, what turns the direction of text) is written out.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape

from creel_inspect.compare import wording
from creel_inspect.compare.results import Cell, Estimate

NOTHING = "–"

_ABSURD = 1e15
"""From here on a figure is written with its power of ten, whatever its unit."""
_MOST_OF_A_REASON = 200
_ZEROS = ("0", "0.0")

_SYMBOLS: Mapping[str, str] = {
    "right": "✓",
    "wrong": "✗",
    "partly right": "◐",
    "scored": "•",
    "mixed": "±",
    "declined": "⊘",
    "declined after attempt": "⊘",
    "safety refused": "⊘",
    "unscored": "?",
    "errored": "!",
    "not run": NOTHING,
}
_KINDS: Mapping[str, str] = {
    "right": "right",
    "wrong": "wrong",
    "partly right": "partly",
    "scored": "plain",
    "mixed": "partly",
    "unscored": "missing",
    "errored": "missing",
    "not run": "missing",
}
# The variation selector keeps the sign a letter, not a picture in a font's own colours.
_ODD = "⚠\ufe0e"


def visible(value: Any) -> Any:
    """The text with what would act without being seen written out; markup stays as it is.

    What that is, and how it is written, is as in ``wording.one_line``; but lines and spaces stay.
    """
    if isinstance(value, str) and not isinstance(value, Markup) and not value.isprintable():
        unseen = {char for char in value if not char.isprintable()}
        return value.translate({ord(char): _written_out(char) for char in unseen})
    return value


def _written_out(char: str) -> str:
    if char in "\t\n" or unicodedata.category(char) == "Zs":
        return char
    return char.encode("unicode_escape").decode()


def breakable(name: str) -> Markup:
    """A name that may be broken behind a slash rather than anywhere."""
    # Safe: escaped first, and no entity holds a slash.
    return Markup(str(escape(visible(name))).replace("/", "/<wbr>"))  # noqa: S704


@dataclass(frozen=True)
class Unit:
    """How scores and differences are written: as the words and the console have them.

    Attributes:
        points: In points of 100, with one decimal; else in the score's own unit, three figures.
    """

    points: bool

    def number(self, value: float | None) -> str:
        """A score."""
        if value is None:
            return NOTHING
        if abs(value) >= _ABSURD:
            return f"{value:.3g}".replace("-", "−")
        return wording.amount(value, points=self.points).replace("-", "−")

    def signed(self, value: float | None) -> str:
        """A difference: a score with its sign."""
        text = self.number(value)
        return f"+{text}" if value is not None and value > 0 and text not in _ZEROS else text

    def span(self, low: float | None, high: float | None, *, sign: bool = False) -> str:
        """Two ends of an interval; a dash where there is none."""
        if low is None or high is None:
            return NOTHING
        form = self.signed if sign else self.number
        return f"{form(low)} to {form(high)}"

    def estimate(self, value: Estimate | None, *, sign: bool = False) -> str:
        """A figure with its interval in brackets."""
        if value is None:
            return NOTHING
        form = self.signed if sign else self.number
        if value.low is None or value.high is None:
            return f"{form(value.value)} [no interval]"
        return f"{form(value.value)} [{self.span(value.low, value.high, sign=sign)}]"

    def short(self, cell: Cell) -> str:
        """A result in a word or two, with the score where the word does not say it."""
        if cell.result == "partly right":
            return f"partly {self.number(cell.score)}" if cell.score is not None else "partly"
        if cell.result == "scored":
            return self.number(cell.score) if cell.score is not None else "scored"
        if cell.result != "mixed":
            return cell.result
        right = cell.epochs.count("right")
        if right or cell.score is None:
            return f"mixed {right}/{len(cell.epochs)}"
        return f"mixed {self.number(cell.score)}"


def share(value: float | None) -> str:
    """A share, in percent."""
    return NOTHING if value is None else f"{100 * value:.1f} %"


def dollars(value: float | None) -> str:
    """US dollars a sample, with as many decimals as it takes to see two figures."""
    if value is None:
        return NOTHING
    return f"${value:.2f}" if 1 <= value < _ABSURD or value == 0 else f"${value:.2g}"


def seconds(value: float | None) -> str:
    """Seconds, to a tenth below a hundred and to a hundredth below one."""
    if value is None:
        return NOTHING
    if abs(value) < 1:
        return f"{value:.2f} s"
    return f"{value:.1f} s" if abs(value) < 100 else f"{count(value)} s"


def count(value: float | None) -> str:
    """A whole number with its thousands set apart."""
    if value is None:
        return NOTHING
    return f"{value:,.0f}" if abs(value) < _ABSURD else f"{value:.3g}"


def chance(p: float | None) -> str:
    """A p-value as the words have it, without the letter."""
    return NOTHING if p is None else wording.probability(p).removeprefix("p ").removeprefix("= ")


def reason(text: str) -> str:
    """Why a sample has no score, on one line; a long one is cut."""
    line = wording.one_line(text)
    return line if len(line) <= _MOST_OF_A_REASON else f"{line[:_MOST_OF_A_REASON]}…"


def symbol(result: str) -> str:
    """One sign for a result; a warning sign for any that is out of the ordinary."""
    return _SYMBOLS.get(result, _ODD)


def kind(result: str) -> str:
    """Which tint a result has, if any; each has its sign and its word besides."""
    return _KINDS.get(result, "odd")


def letter(position: int) -> str:
    """A short name for the run at this position: A, B, … Z, AA, AB, …"""
    name = ""
    position += 1
    while position:
        position, rest = divmod(position - 1, 26)
        name = chr(ord("A") + rest) + name
    return name
