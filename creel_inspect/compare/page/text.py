"""How figures and words stand on the page.

Every text passes ``visible`` before it is escaped: what a browser would act on without showing it
(control characters, what turns the direction of text) is written out.
"""

import re
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup, escape

from creel_inspect.compare.results import Cell, Estimate

NOTHING = "–"

_INVISIBLE = re.compile(
    # Control characters but tab and newline, what turns the direction of text, what has no width,
    # lone surrogates (no encoding takes them), characters of language tags.
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff"
    "\U000e0000-\U000e007f]"
)

_SYMBOLS: Mapping[str, str] = {
    "right": "✓",
    "wrong": "✗",
    "partly right": "◐",
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
    "mixed": "partly",
    "unscored": "missing",
    "errored": "missing",
    "not run": "missing",
}
# The variation selector keeps the sign a letter, not a picture in a font's own colours.
_ODD = "⚠\ufe0e"


def visible(value: Any) -> Any:
    """The text with what would act without being seen written out; markup stays as it is."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return _INVISIBLE.sub(_written_out, value)
    return value


def _written_out(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def breakable(name: str) -> Markup:
    """A name that may be broken behind a slash rather than anywhere."""
    # Safe: escaped first, and no entity holds a slash.
    return Markup(str(escape(visible(name))).replace("/", "/<wbr>"))  # noqa: S704


def number(value: float | None) -> str:
    """A score: three decimals, or four figures where it is large."""
    if value is None:
        return NOTHING
    text = f"{value:.3f}" if abs(value) < 1000 else f"{value:.4g}"
    return text.replace("-0.000", "0.000").replace("-", "−")


def signed(value: float | None) -> str:
    """A difference: a score with its sign."""
    text = number(value)
    return f"+{text}" if value is not None and value > 0 and text != "0.000" else text


def span(low: float | None, high: float | None, *, sign: bool = False) -> str:
    """Two ends of an interval; a dash where there is none."""
    if low is None or high is None:
        return NOTHING
    form = signed if sign else number
    return f"{form(low)} to {form(high)}"


def estimate(value: Estimate | None, *, sign: bool = False) -> str:
    """A figure with its interval in brackets."""
    if value is None:
        return NOTHING
    form = signed if sign else number
    if value.low is None or value.high is None:
        return f"{form(value.value)} [no interval]"
    return f"{form(value.value)} [{span(value.low, value.high, sign=sign)}]"


def dollars(value: float | None) -> str:
    """US dollars a sample, with as many decimals as it takes to see two figures."""
    if value is None:
        return NOTHING
    return f"${value:.2f}" if value >= 1 or value == 0 else f"${value:.2g}"


def seconds(value: float | None) -> str:
    """Seconds, to a tenth below a hundred and to a hundredth below one."""
    if value is None:
        return NOTHING
    if abs(value) < 1:
        return f"{value:.2f} s"
    return f"{value:.1f} s" if abs(value) < 100 else f"{value:,.0f} s"


def count(value: float | None) -> str:
    """A whole number with its thousands set apart."""
    return NOTHING if value is None else f"{value:,.0f}"


def chance(p: float | None) -> str:
    """A p-value: three decimals, never zero."""
    if p is None:
        return NOTHING
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def symbol(result: str) -> str:
    """One sign for a result; a warning sign for any that is out of the ordinary."""
    return _SYMBOLS.get(result, _ODD)


def kind(result: str) -> str:
    """Which of five tints a result has; each has its sign and its word besides."""
    return _KINDS.get(result, "odd")


def short(cell: Cell) -> str:
    """A result in a word or two, with the share where it is neither right nor wrong."""
    if cell.result == "partly right":
        return f"partly {number(cell.score)}" if cell.score is not None else "partly"
    if cell.result != "mixed":
        return cell.result
    right = cell.epochs.count("right")
    if right or cell.score is None:
        return f"mixed {right}/{len(cell.epochs)}"
    return f"mixed {number(cell.score)}"


def letter(position: int) -> str:
    """A short name for the run at this position: A, B, … Z, AA, AB, …"""
    name = ""
    position += 1
    while position:
        position, rest = divmod(position - 1, 26)
        name = chr(ord("A") + rest) + name
    return name
