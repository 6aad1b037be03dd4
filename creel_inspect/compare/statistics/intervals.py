"""95 % intervals for a mean score and for the difference of two.

Which interval is used where was chosen by coverage over a fixed grid for 10, 30, 60 and 200 cases;
``benchmarks/intervals.py`` prints it. None is a plain normal interval, and none has width 0.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Literal, NamedTuple

import numpy as np
from scipy import stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.proportion import proportion_confint

from creel_inspect.compare.results import Estimate
from creel_inspect.compare.statistics.observations import (
    ROUNDING,
    Floats,
    Grouped,
    Observations,
    Paired,
    pair,
)

CONFIDENCE = 0.95
DRAWS = 9_999

# Numbers that one batch of bootstrap draws may hold: 16 MB for each of its two arrays.
_BATCH = 2_000_000

_UPPER = 1 - (1 - CONFIDENCE) / 2
_TELLING = 6
"""Clusters that have to differ for a bootstrap of differences to tell how far others might; half of
them, where there are fewer than twice as many."""
_ON_A_LINE = 1e-9
"""How near to 1 a correlation is 1: it is worked out of errors that are rounded."""
_ALONE = "none: a single case or cluster does not tell how far others vary"


class _Interval(NamedTuple):
    low: float | None
    high: float | None
    method: str


def _wilson(rate: float, n: float) -> tuple[float, float]:
    low, high = proportion_confint(rate * n, n, alpha=1 - CONFIDENCE, method="wilson")
    return float(low), float(high)


def _standard_error(values: Floats, grouped: Grouped) -> float:
    """Cluster-robust standard error of the mean of one value a case, with G / (G - 1)."""
    fit = OLS(values, np.ones(len(values))).fit(
        cov_type="cluster", cov_kwds={"groups": grouped.labels}, use_t=True
    )
    error = float(fit.bse[0])
    return error if error > ROUNDING else 0.0


def _effective_cases(observations: Observations, grouped: Grouped, error: float) -> float:
    """As many independent cases as would give this rate the same standard error.

    ``p (1 - p) / error**2``, times ``(t_{N-1} / t_{G-1})**2`` for ``N`` samples in ``G`` clusters,
    since the error is itself estimated (Korn and Graubard 1998, Survey Methodology 24:193; Dean and
    Pagano 2015, Journal of Survey Statistics and Methodology 3:484, for Wilson's interval). It is
    kept between what there would be if the samples of a cluster were all alike, and if all
    samples were independent. A rate of 0 or 1 has no error to go by: all alike is assumed.
    """
    samples, clusters = len(observations.values), len(grouped.sizes)
    # Kish's numbers: 1 over the sum of squared weights, of clusters and of samples.
    least = float(grouped.sizes.sum() ** 2 / (grouped.sizes**2).sum())
    most = float(len(observations.cases) ** 2 / (1 / observations.counts).sum())
    rate = float(observations.case_means.mean())
    spread = rate * (1 - rate)
    if clusters < 2 or spread < ROUNDING:
        return least
    if not error:
        return most
    t_samples, t_clusters = stats.t.ppf(_UPPER, [samples - 1, clusters - 1])
    return min(max(float(spread / error**2 * (t_samples / t_clusters) ** 2), least), most)


def _ratio(sums: Floats, sizes: Floats, axis: int = -1) -> Floats:
    # BCa counts the draws that equal the mean seen: the order of a sum should not tell them apart.
    return np.round(sums.sum(axis=axis) / sizes.sum(axis=axis), 12)


def _sign(sums: Floats) -> int:
    """1 or -1, another for the same sums with other signs; 0 where those are the same sums."""
    differing = np.sort(sums) - np.sort(-sums)
    apart = differing[np.abs(differing) > ROUNDING]
    return int(np.sign(apart[0])) if len(apart) else 0


def _bootstrap(grouped: Grouped, seed: int, method: Literal["percentile", "BCa"]) -> _Interval:
    """Bootstrap over clusters, no narrower than the cluster-robust t interval.

    A percentile interval is too short by about what tells a t interval from a normal one, and the
    missing ``n / (n - 1)``; Hesterberg (2015, The American Statistician 69:371) takes its ends at
    ``Phi(-sqrt(n / (n - 1)) t_{n-1})``. BCa (Efron 1987) is taken at that level too.

    No draw lies beyond the clusters seen. Where few differ, all on one side, or there are hardly
    any, the t interval reaches further; the wider end of the two covers best.
    """
    n = len(grouped.sizes)
    # Turned one way and in an order of their own, or which run comes first and what a case is
    # called would tell what is drawn.
    sign = _sign(grouped.sums)
    turned = grouped.sums * (sign or 1)
    order = np.lexsort((turned, np.abs(turned), grouped.sizes))
    tail = stats.norm.cdf(-sqrt(n / (n - 1)) * stats.t.ppf(_UPPER, n - 1))
    if n < 3:
        # BCa has no ends at the level of two clusters, which is 1 to the last digit.
        method = "percentile"
    low, high = stats.bootstrap(
        (turned[order], grouped.sizes[order]),
        _ratio,
        n_resamples=DRAWS,
        batch=max(1, _BATCH // n),
        vectorized=True,
        paired=True,
        confidence_level=float(1 - 2 * tail),
        method=method,
        rng=np.random.default_rng(seed),
    ).confidence_interval
    if sign < 0:
        low, high = -high, -low
    elif not sign:
        low, high = min(low, -high), max(high, -low)
    reach = float(stats.t.ppf(_UPPER, n - 1)) * _standard_error(grouped.values, grouped)
    return _Interval(
        min(float(low), grouped.mean - reach),
        max(float(high), grouped.mean + reach),
        f"cluster bootstrap over {n} {grouped.unit}, {DRAWS:,} draws, seed {seed}, {method} at "
        "Hesterberg's level, no narrower than cluster-robust t",
    )


def _unseen(grouped: Grouped, floor: float, what: str) -> _Interval:
    """An interval where every cluster came out the same.

    With 95 % confidence, at most a share ``u = 1 - 0.05**(1/n)`` of clusters comes out otherwise
    when ``n`` did not (Clopper and Pearson's upper limit for 0 of n; Hanley and Lippman-Hand 1983,
    "rule of three"); those cannot lie beyond ``floor`` and 1.
    """
    n = len(grouped.sizes)
    # Two-sided at 0.1: all of 0.05 lies above.
    share = float(proportion_confint(0, n, alpha=2 * (1 - CONFIDENCE), method="beta")[1])
    value = grouped.mean
    return _Interval(
        value - (value - floor) * share,
        value + (1 - value) * share,
        f"all {n} {grouped.unit} {what}; at most {share:.1%} of all would not "
        "(Clopper-Pearson, 95 %)",
    )


def _within(interval: _Interval, least: float) -> _Interval:
    """The part of an interval that a score, or a difference of scores, can lie in."""
    if interval.low is None or interval.high is None:
        return interval
    return _Interval(max(interval.low, least), min(interval.high, 1.0), interval.method)


def _mean_interval(observations: Observations, grouped: Grouped, seed: int) -> _Interval:
    n = len(grouped.sizes)
    if observations.binary:
        if observations.single and not grouped.shared:
            return _Interval(*_wilson(grouped.mean, n), "Wilson")
        error = _standard_error(grouped.values, grouped) if n > 1 else 0.0
        effective = _effective_cases(observations, grouped, error)
        return _Interval(
            *_wilson(grouped.mean, effective),
            f"Wilson over {effective:.1f} effective cases (cluster-robust over {n} {grouped.unit})",
        )
    if n < 2:
        return _Interval(None, None, _ALONE)
    if not grouped.even:
        return _bootstrap(grouped, seed, "BCa")
    if observations.within_unit:
        return _unseen(grouped, 0.0, "score the same")
    return _Interval(None, None, f"none: all {n} {grouped.unit} score the same")


def _square_and_add(
    a: float,
    of_a: Sequence[float],
    b: float,
    of_b: Sequence[float],
    correlation: float,
) -> tuple[float, float]:
    """An interval for ``b - a`` from one for each and the correlation of the two.

    Newcombe (1998, Statistics in Medicine 17:2635, method 10); for any two intervals, MOVER (Zou
    and Donner 2008, Statistics in Medicine 27:1693).
    """

    def reach(one: float, other: float) -> float:
        return sqrt(max(one**2 - 2 * correlation * one * other + other**2, 0.0))

    return (
        b - a - reach(b - of_b[0], of_a[1] - a),
        b - a + reach(of_b[1] - b, a - of_a[0]),
    )


def _newcombe(both: int, only_a: int, only_b: int, neither: int) -> tuple[float, float]:
    """Newcombe's method 10 for the difference of paired proportions, ``b - a``."""
    n = both + only_a + only_b + neither
    rate_a, rate_b = (both + only_a) / n, (both + only_b) / n
    product = float(both * neither - only_a * only_b)
    # Continuity correction of phi, only ever towards 0.
    if product > 0:
        product = max(product - n / 2, 0.0)
    margins = (both + only_a) * (only_b + neither) * (both + only_b) * (only_a + neither)
    phi = product / sqrt(margins) if margins else 0.0
    return _square_and_add(rate_a, _wilson(rate_a, n), rate_b, _wilson(rate_b, n), phi)


def _clustered_difference(paired: Paired) -> tuple[float, float]:
    """Square-and-add over Wilson intervals that allow for clusters.

    Clusters that lie on a line, as any two of them do, say nothing of how far from it others may
    lie: there the interval is no narrower than cluster-robust t.
    """
    grouped = paired.differences
    means = paired.a.case_means, paired.b.case_means
    error_a, error_b = (_standard_error(values, grouped) for values in means)
    error = _standard_error(grouped.values, grouped)
    correlation = 0.0
    if error_a and error_b:
        # Var(b - a) = Var(a) + Var(b) - 2 Cov(a, b), which holds for these estimates exactly.
        correlation = (error_a**2 + error_b**2 - error**2) / (2 * error_a * error_b)
        correlation = min(max(correlation, -1.0), 1.0)
    rates = [float(values.mean()) for values in means]
    intervals = [
        _wilson(rate, _effective_cases(observations, grouped, spread))
        for rate, observations, spread in zip(
            rates, (paired.a, paired.b), (error_a, error_b), strict=True
        )
    ]
    low, high = _square_and_add(rates[0], intervals[0], rates[1], intervals[1], correlation)
    if abs(correlation) > 1 - _ON_A_LINE:
        reach = float(stats.t.ppf(_UPPER, len(grouped.sizes) - 1)) * error
        low, high = min(low, grouped.mean - reach), max(high, grouped.mean + reach)
    return low, high


def _difference_interval(paired: Paired, seed: int) -> _Interval:
    grouped = paired.differences
    n = len(grouped.sizes)
    if n < 2:
        return _Interval(None, None, _ALONE)
    if paired.plain:
        both = round(float((paired.a.totals * paired.b.totals).sum()))
        only_a, only_b = paired.only_a, paired.only_b
        return _Interval(
            *_newcombe(both, only_a, only_b, n - both - only_a - only_b),
            "Newcombe (1998) method 10, paired",
        )
    if grouped.even:
        if paired.within_unit:
            return _unseen(grouped, -1.0, "differ by the same")
        return _Interval(None, None, f"none: all {n} {grouped.unit} differ by the same")
    if paired.binary:
        return _Interval(
            *_clustered_difference(paired),
            "Newcombe's square-and-add of Wilson intervals, cluster-robust over "
            f"{n} {grouped.unit}",
        )
    drawn = _bootstrap(grouped, seed, "percentile")
    telling = min(_TELLING, (n + 1) // 2)
    if paired.within_unit and np.count_nonzero(grouped.sums) < telling:
        return _augmented(grouped, drawn, telling)
    return drawn


def _augmented(grouped: Grouped, drawn: _Interval, telling: int) -> _Interval:
    """No narrower than cluster-robust t with one more cluster won, and one lost, by everything.

    Draws of clusters of which hardly any differ hardly differ themselves, however far others might
    (Bonett and Price 2012, Journal of Educational and Behavioral Statistics 37:479, add as much).
    """
    values = np.append(grouped.sums / grouped.sizes.mean(), [1.0, -1.0])
    error = float(values.std(ddof=1)) / sqrt(len(values))
    reach = float(stats.t.ppf(_UPPER, len(values) - 1)) * error
    assert drawn.low is not None and drawn.high is not None  # a bootstrap has both
    return _Interval(
        min(drawn.low, grouped.mean - reach),
        max(drawn.high, grouped.mean + reach),
        f"{drawn.method}; fewer than {telling} {grouped.unit} differ, so no narrower than with "
        "one more won and one more lost by everything (Bonett-Price)",
    )


def mean_estimate(observations: Observations, *, seed: int = 0) -> Estimate:
    """A run's mean score, with its 95 % interval.

    - Right or wrong, once a case: Wilson.
    - Right or wrong, with epochs or shared clusters: Wilson over an effective number of cases
      (``_effective_cases``).
    - Other scores: BCa bootstrap over clusters (``_bootstrap``). Where all score the same, by how
      many others that leaves room for (``_unseen``), if scores lie in [0, 1].

    Args:
        observations: The scored samples.
        seed: Of the bootstrap.

    Returns:
        ``low`` and ``high`` are None where nothing bounds the mean: for a single case that is not
        right or wrong, or where all score the same outside [0, 1].
    """
    grouped = Grouped.of(observations.case_means, observations.clusters)
    interval = _mean_interval(observations, grouped, seed)
    if observations.within_unit:
        interval = _within(interval, 0.0)
    if interval.low is not None and interval.high is not None:
        # Where all is right the upper end is 1, but for its last digit.
        low, high = min(interval.low, grouped.mean), max(interval.high, grouped.mean)
        interval = _Interval(low, high, interval.method)
    return Estimate(
        value=grouped.mean,
        low=interval.low,
        high=interval.high,
        confidence=CONFIDENCE,
        method=interval.method,
        cases=len(observations.cases),
        clusters=len(grouped.sizes),
        observations=len(observations.values),
    )


def difference_estimate(a: Observations, b: Observations, *, seed: int = 0) -> Estimate | None:
    """Mean score of ``b`` minus that of ``a``, paired by case, with its 95 % interval.

    - Right or wrong, once a case: Newcombe's (1998) method 10.
    - Right or wrong, with epochs or shared clusters: the same sum of squares over cluster-robust
      Wilson intervals.
    - Other scores: percentile bootstrap over clusters (``_bootstrap``), and wider where fewer than
      six, or than half, differ (``_augmented``). It cannot know of what it has not seen: where most
      cases gain a little and a few lose a lot, it covers far less than 95 % until some of the few
      are among the cases (``benchmarks/intervals.py`` prints how much less).
    - Where all clusters differ by the same, by how many others that leaves room for (``_unseen``),
      if scores lie in [0, 1].

    Args:
        a: The scored samples of one run.
        b: Of the other.
        seed: Of the bootstrap.

    Returns:
        None where no case was scored in both. ``low`` and ``high`` are None for a single cluster,
        or where all differ by the same outside [0, 1].

    Raises:
        ValueError: The runs put one case in different clusters.
    """
    paired = pair(a, b)
    if paired is None:
        return None
    interval = _difference_interval(paired, seed)
    if paired.within_unit:
        interval = _within(interval, -1.0)
    return Estimate(
        value=paired.differences.mean,
        low=interval.low,
        high=interval.high,
        confidence=CONFIDENCE,
        method=interval.method,
        cases=len(paired.differences.values),
        clusters=len(paired.differences.sizes),
        observations=paired.observations,
    )
