"""Every pair of runs: the difference, its test, and both in words."""

from collections.abc import Sequence

from creel_inspect.compare.differences.measured import Measured
from creel_inspect.compare.results import DifferenceTest, Estimate, Pair, Verdict
from creel_inspect.compare.statistics.intervals import difference_estimate
from creel_inspect.compare.statistics.power import detectable, more_cases
from creel_inspect.compare.statistics.significance import RawTest, holm, no_difference
from creel_inspect.compare.wording import (
    amount,
    many,
    one_line,
    percent,
    probability,
    with_unit,
)

LEVEL = 0.05
"""Below it, after Holm, a difference is told from none."""
_MOST_WARNINGS = 10


def compared(measured: Measured, pairs: Sequence[tuple[str, str]]) -> tuple[list[Pair], list[str]]:
    """Each pair of run ids, compared; and what to know of verdicts that missing samples could turn.

    p-values are adjusted over all pairs given.
    """
    raw: list[tuple[str, str, Estimate | None, RawTest | None]] = []
    for a, b in pairs:
        one, other = measured.observations[a], measured.observations[b]
        if one is None or other is None:
            raw.append((a, b, None, None))
            continue
        raw.append(
            (
                a,
                b,
                difference_estimate(one, other, seed=measured.seed),
                no_difference(one, other, seed=measured.seed, level=LEVEL / len(pairs)),
            )
        )
    tested = [test for *_, test in raw if test is not None]
    adjusted = iter(holm([test.p for test in tested]))
    found, warnings = [], []
    for a, b, difference, test in raw:
        told = (
            None
            if test is None
            else DifferenceTest(
                name=test.name,
                p=test.p,
                p_holm=next(adjusted),
                only_a=test.only_a,
                only_b=test.only_b,
            )
        )
        pair = _pair(measured, a, b, difference, told, len(tested))
        found.append(pair)
        warnings += _turned(measured, pair)
    if len(warnings) > _MOST_WARNINGS:
        more = len(warnings) - _MOST_WARNINGS
        warnings = [*warnings[:_MOST_WARNINGS], f"the same is true of {many(more, 'more pair')}"]
    return found, warnings


def _pair(
    measured: Measured,
    a: str,
    b: str,
    difference: Estimate | None,
    test: DifferenceTest | None,
    tests: int,
) -> Pair:
    one, other = measured.observations[a], measured.observations[b]
    bounds = measured.difference_bounds(a, b)
    if difference is None or test is None or one is None or other is None:
        return Pair(
            a=a,
            b=b,
            difference=None,
            bounds=bounds,
            test=None,
            detectable=None,
            more_cases=None,
            verdict="not_measured",
            words=f"{_names(measured, a, b)}: not measured: no case was scored in both",
        )
    alpha = LEVEL / max(tests, 1)
    verdict = _verdict(difference.value, test.p_holm)
    found = detectable(one, other, alpha=alpha)
    more = more_cases(one, other, alpha=alpha)
    return Pair(
        a=a,
        b=b,
        difference=difference,
        bounds=bounds,
        test=test,
        detectable=found,
        more_cases=more,
        verdict=verdict,
        words=_words(measured, (a, b), difference, test, tests, verdict, found, more),
    )


def _verdict(difference: float, p: float) -> Verdict:
    if p >= LEVEL or difference == 0:
        return "not_distinguishable"
    return "b_better" if difference > 0 else "a_better"


def _names(measured: Measured, a: str, b: str) -> str:
    return f"{one_line(measured.labels[b])} and {one_line(measured.labels[a])}"


def _words(
    measured: Measured,
    pair: tuple[str, str],
    difference: Estimate,
    test: DifferenceTest,
    tests: int,
    verdict: Verdict,
    found: float | None,
    more: int | None,
) -> str:
    a, b = pair
    points = measured.points
    p = probability(test.p_holm) + (f" after Holm over {many(tests, 'pair')}" if tests > 1 else "")
    better, worse = (a, b) if difference.value < 0 else (b, a)
    turned = _negated(difference) if difference.value < 0 else difference
    inside = _interval(turned, points=points) + p
    if difference.cases < len(measured.cases):
        # Else the figures of the two runs do not subtract, and nobody is told why.
        inside += f"; on the {difference.cases} of {len(measured.cases)} cases scored in both"
    if verdict == "not_distinguishable":
        label = one_line(measured.labels[better])
        return (
            f"{_names(measured, a, b)}: not distinguishable: "
            + _undecided(label, turned, test, inside, tests, points=points)
            + _power(difference, found, more, points=points)
        )
    return (
        f"{one_line(measured.labels[better])} is better than {one_line(measured.labels[worse])} by "
        f"{with_unit(turned.value, points=points)} ({inside})"
        + (
            "; the interval reaches 0 all the same, so take it as weak"
            if turned.low is not None and turned.low <= 0
            else ""
        )
    )


def _negated(one: Estimate) -> Estimate:
    low = None if one.high is None else -one.high
    high = None if one.low is None else -one.low
    return one.model_copy(update={"value": -one.value, "low": low, "high": high})


def _interval(one: Estimate, *, points: bool) -> str:
    if one.low is None or one.high is None:
        return ""
    low, high = amount(one.low, points=points), amount(one.high, points=points)
    return f"{percent(one.confidence)} interval {low} to {high}; "


def _undecided(
    better: str, gain: Estimate, test: DifferenceTest, inside: str, tests: int, *, points: bool
) -> str:
    if gain.value == 0:
        return f"no difference was seen ({inside})"
    more = with_unit(gain.value, points=points)
    told = f"{better} scores {more} more ({inside}), which may be chance"
    # Not what would be shown as 0.
    if gain.low is None or gain.low < (0.0005 if points else 1e-9):
        return told
    why = (
        f"one of {tests} pairs may well look like that by chance"
        if test.p < LEVEL
        else "the test does not bear that out"
    )
    return f"{told}: its own interval leaves 0 out, but {why}"


def _power(difference: Estimate, found: float | None, more: int | None, *, points: bool) -> str:
    cases = many(difference.cases, "case")
    these = "this" if difference.cases == 1 else "these"
    if found is None:
        told = f"; {these} {cases} would find no difference reliably"
    elif found <= abs(difference.value):
        # What was promised of the cases at hand was not kept: few differ, or they differ unevenly.
        told = f"; {these} {cases} do not reliably find one like it"
    else:
        told = (
            f"; with {these} {cases}, a true difference has to be "
            f"{with_unit(found, points=points)} or more to be found in four of five tries"
        )
    if difference.value and more:
        told += (
            f"; if it were the one seen, it would take about {many(_rounded(more), 'more case')}"
        )
    return told


def _rounded(number: int) -> int:
    """To two digits: more would promise what no such figure holds."""
    return int(float(f"{number:.2g}"))


def _turned(measured: Measured, pair: Pair) -> list[str]:
    """What to know where the verdict would not survive the samples that are missing."""
    if pair.verdict not in ("a_better", "b_better"):
        return []
    better, worse = (pair.b, pair.a) if pair.verdict == "b_better" else (pair.a, pair.b)
    told = (
        f"that {one_line(measured.labels[better])} is better than "
        f"{one_line(measured.labels[worse])} rests on what is missing or not judged being like "
        "the rest"
    )
    if pair.bounds is None:
        missing = any((measured.runs[run]["state"] != "scored").any() for run in (better, worse))
        return [f"{told}: the score has no known range, so it may be anything"] if missing else []
    least = pair.bounds.low if pair.verdict == "b_better" else -pair.bounds.high
    if least > 0:
        return []
    return [
        f"{told}: had all of it gone against the better, the difference would be "
        f"{with_unit(least, points=measured.points)}{measured.range_known}"
    ]
