"""Figures and strangers' texts as a person reads them, on a terminal or in a message."""

from collections.abc import Iterable, Sequence

from creel_inspect.verify.plain import readable

MOST_NAMED = 5
RANGE_SEEN = ", if every score lies in 0 to 1, as all seen do"
"""What to say after bounds of anybody else's score: that it lies there is a guess."""


def one_line(text: str) -> str:
    """A stranger's text on one line, with what a terminal would act on written out."""
    flat = " ".join(text.split())
    return readable(
        "".join(
            char if char.isprintable() else char.encode("unicode_escape").decode() for char in flat
        )
    )


def many(number: int, thing: str) -> str:
    """``1 case``, ``1,200 cases``."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def some(names: Iterable[str], most: int = MOST_NAMED) -> str:
    """The first few, and how many more there are."""
    listed = [one_line(name) for name in names]
    more = len(listed) - most
    return ", ".join(listed[:most]) + (f" and {more:,} more" if more > 0 else "")


def amount(value: float, *, points: bool) -> str:
    """A score or a difference, bare: in points of 100, or in the score's own unit.

    Never ``-0.0``.
    """
    if points:
        return f"{round(100 * value, 1) + 0.0:.1f}"
    return f"{float(f'{value:.3g}') + 0.0:g}"


def with_unit(value: float, *, points: bool) -> str:
    """The same with its unit, where it has one."""
    return amount(value, points=points) + (" points" if points else "")


def percent(share: float) -> str:
    """``80 %``."""
    return f"{100 * share:.0f} %"


def probability(p: float) -> str:
    """``p = 0.010``, or ``p < 0.001``; never rounded across 0.05."""
    if p < 0.001:
        return "p < 0.001"
    digits = 3
    while (float(f"{p:.{digits}f}") < 0.05) != (p < 0.05):
        digits += 1
    return f"p = {p:.{digits}f}"


def listed(parts: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]])) if parts else ""
