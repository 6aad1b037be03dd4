"""Where the marks of a plot stand, as shares of its width: the template draws them.

All positions along a scale are percentages, so that a plot is as wide as its column while text and
marks keep their size.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from creel_inspect.compare.page import text
from creel_inspect.compare.page.text import Unit
from creel_inspect.compare.results import Bounds, Estimate, Run

_MARGIN = 6.0
_HUGE = 1e300
"""Beyond this the distance between two values may be more than a float can hold."""
_LOG_FROM = 20
"""The ratio of the largest to the smallest cost from which its axis is logarithmic."""
_MOST_DECADES = 8


@dataclass(frozen=True)
class Tick:
    """A labelled place on an axis; where there is little room, only the major ones are labelled."""

    at: str
    label: str
    major: bool = True


@dataclass(frozen=True)
class Scale:
    """A range of values laid over a width of 100 %; ``low`` and ``high`` are in ``one``'s."""

    low: float
    high: float
    ticks: list[Tick]
    logarithmic: bool = False
    one: float = 1.0

    def at(self, value: float) -> str:
        """The place of a value; one beyond the range stands at its edge."""
        return f"{self._percent(value):.2f}%"

    def below(self, value: float) -> str:
        """The same from the top down, for an upright axis."""
        return f"{100 - self._percent(value):.2f}%"

    def _percent(self, value: float) -> float:
        low, high, value = self.low, self.high, value / self.one
        if self.logarithmic:
            low, high, value = math.log10(low), math.log10(high), math.log10(value)
        share = min(1.0, max(0.0, (value - low) / (high - low)))
        return _MARGIN + share * (100 - 2 * _MARGIN)


def linear(
    low: float, high: float, *, steps: int = 4, sign: bool = False, points: bool = False
) -> Scale:
    """A scale with about so many round steps, which begins and ends at a tick.

    With ``points`` its labels are in points of 100.
    """
    one = _HUGE if max(abs(low), abs(high)) > _HUGE else 1.0
    low, high = low / one, high / one
    near = 1e-9 * max(abs(low), abs(high), 1e-200)
    if not high - low > near:
        wide = max(0.5, abs(low) * 1e-3)
        low, high = low - wide, low + wide
    step = _step((high - low) / steps)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    scale = Scale(first * step, last * step, [], one=one)
    factor = 100 if points else 1
    major = (first, (first + last) // 2, last)
    ticks = []
    for n in range(first, last + 1):
        label = _tick(n, step * factor, one)
        place = scale.at(min(n * step, 1e308 / one) * one)
        ticks.append(Tick(place, f"+{label}" if sign and n > 0 else label, n in major))
    return Scale(scale.low, scale.high, ticks, one=one)


def _step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough * 0.999)


def _tick(n: int, step: float, one: float) -> str:
    value = Decimal(repr(step)) * n * Decimal(one)
    if value and not Decimal("1e-6") <= abs(value) < Decimal("1e6"):
        return f"{Decimal(f'{value:.3g}').normalize()}".lower().replace("-", "−")
    decimals = max(0, 2 - math.floor(math.log10(step))) if step < 1 else 1 if step % 1 else 0
    rounded = f"{value:.{decimals}f}"
    if "." in rounded:
        rounded = rounded.rstrip("0").rstrip(".")
    return rounded.replace("-", "−")


@dataclass(frozen=True)
class Strip:
    """One row of an interval plot: a mark, its interval, and what might have been."""

    mark: str | None
    interval: tuple[str, str] | None
    bounds: tuple[str, str] | None
    words: str


def run_scale(runs: Sequence[Run], *, points: bool) -> Scale:
    """From 0 to 1 where all lies in it, else as far as the values reach."""
    ends = list(_ends((run.score, run.bounds) for run in runs))
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    unit = low >= 0 and high <= 1
    return linear(0 if unit else low, 1 if unit else high, points=points)


def difference_scale(
    rows: Iterable[tuple[Estimate | None, Bounds | None]], *, points: bool
) -> Scale:
    """As far to the left of zero as to the right."""
    reach = max((abs(end) for end in _ends(rows)), default=0.0) or 0.1
    return linear(-reach, reach, steps=6, sign=True, points=points)


def _ends(rows: Iterable[tuple[Estimate | None, Bounds | None]]) -> Iterable[float]:
    for figure, bounds in rows:
        if figure is not None:
            yield from (e for e in (figure.value, figure.low, figure.high) if e is not None)
        if bounds is not None:
            yield from (bounds.low, bounds.high)


def strip(
    scale: Scale, figure: Estimate | None, bounds: Bounds | None, unit: Unit, *, sign: bool = False
) -> Strip:
    """The marks of one row. Bounds are drawn where they say more than the figure does."""
    form = unit.signed if sign else unit.number
    words = ["nothing measured"] if figure is None else [form(figure.value)]
    interval = reach = None
    if figure is not None:
        if figure.low is not None and figure.high is not None:
            interval = (scale.at(figure.low), scale.at(figure.high))
            words.append(f"interval {unit.span(figure.low, figure.high, sign=sign)}")
        else:
            words.append("no interval")
    if wide(figure, bounds) and bounds is not None:
        reach = (scale.at(bounds.low), scale.at(bounds.high))
        words.append(f"worst-case bounds {unit.span(bounds.low, bounds.high, sign=sign)}")
    return Strip(
        None if figure is None else scale.at(figure.value), interval, reach, "; ".join(words)
    )


def wide(figure: Estimate | None, bounds: Bounds | None) -> bool:
    """Whether something is missing or not judged, so that the bounds are apart."""
    return bounds is not None and (figure is None or bounds.high - bounds.low > 1e-9)


@dataclass(frozen=True)
class Point:
    """A run in the scatter. ``nudge`` moves its letter clear of its neighbours', in pixels."""

    run: str
    x: str
    y: str
    interval: tuple[str, str] | None
    front: bool
    nudge: int
    words: str


@dataclass(frozen=True)
class Line:
    """A stretch of the front."""

    x1: str
    y1: str
    x2: str
    y2: str


@dataclass(frozen=True)
class Scatter:
    """Score against what it takes: ``what`` is \"cost\" or \"time\"."""

    what: str
    axis: str
    x: list[Tick]
    y: list[Tick]
    logarithmic: bool
    points: list[Point]
    front: list[Line]
    missing: list[str]


def scatter(runs: Sequence[Run], *, points: bool) -> Scatter | None:
    """The scatter of all runs with a known score and use; None where there is nothing to compare.

    With ``points`` scores are in points of 100.
    """
    if len(runs) < 2:
        return None
    axis = next((run.use.front_axis for run in runs if run.use.front_axis), None)
    if axis is None:
        return None
    known = [
        (run, figure, run.score)
        for run in runs
        if (figure := getattr(run.use, axis)) is not None and run.score is not None
    ]
    if not known:
        return None
    xs = [figure for _, figure, _ in known]
    across = _use_scale(xs, axis)
    ends = list(_ends((score, None) for _, _, score in known))
    upright = linear(min(ends), max(ends), points=points)
    drawn_points = _points(known, across, upright, axis, Unit(points))
    front = sorted(
        (figure, run.score.value) for run, figure, _ in known if run.use.on_front and run.score
    )
    lines = []
    for (x1, y1), (x2, y2) in pairwise(front):
        lines.append(Line(across.at(x1), upright.below(y1), across.at(x2), upright.below(y1)))
        lines.append(Line(across.at(x2), upright.below(y1), across.at(x2), upright.below(y2)))
    drawn = {run.id for run, _, _ in known}
    return Scatter(
        what="cost" if axis == "cost" else "time",
        axis="US dollars a sample" if axis == "cost" else "median seconds a sample",
        x=across.ticks,
        y=[Tick(f"{100 - float(tick.at[:-1]):.2f}%", tick.label) for tick in upright.ticks],
        logarithmic=across.logarithmic,
        points=drawn_points,
        front=lines,
        missing=[run.id for run in runs if run.id not in drawn],
    )


def _use_scale(xs: Sequence[float], axis: str) -> Scale:
    low, high = min(xs), max(xs)
    if low <= 0 or high / low < _LOG_FROM:
        return linear(0, high or 1)
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    # Ten to the 309 is no float; a value beyond stands at the edge.
    first, last = max(first, -300), min(last, 308)
    scale = Scale(10.0**first, 10.0**last, [], logarithmic=True)
    form = text.dollars if axis == "cost" else text.count if first >= 0 else "{:g}".format
    every = 1 + (last - first) // _MOST_DECADES
    ticks = [Tick(scale.at(10.0**n), form(10.0**n)) for n in range(first, last + 1, every)]
    return Scale(scale.low, scale.high, ticks, logarithmic=True)


def _points(
    known: Sequence[tuple[Run, float, Estimate]],
    across: Scale,
    upright: Scale,
    axis: str,
    unit: Unit,
) -> list[Point]:
    taken: list[tuple[float, float]] = []
    points = []
    form = text.dollars if axis == "cost" else text.seconds
    for run, figure, score in known:
        x, y = across.at(figure), upright.below(score.value)
        # In the 300 pixels of height a letter takes 14, and in some 600 of width about 3 %.
        height, nudge = float(y[:-1]) * 3, 0
        while any(abs(float(x[:-1]) - a) < 4 and abs(height + nudge - b) < 14 for a, b in taken):
            nudge += 14
        taken.append((float(x[:-1]), height + nudge))
        interval = (
            (upright.below(score.low), upright.below(score.high))
            if score.low is not None and score.high is not None
            else None
        )
        words = f"{unit.estimate(score)} for {form(figure)}"
        points.append(Point(run.id, x, y, interval, bool(run.use.on_front), nudge, words))
    return points
