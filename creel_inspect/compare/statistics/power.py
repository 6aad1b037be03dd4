"""How small a difference the cases at hand can find, and how many more it would take.

Each is for the test that ``significance.no_difference`` makes. Where that is McNemar's its power is
added up over every outcome; as many cases are taken to differ as did, and no fewer than the
difference asks for. Otherwise it is that of the paired t test over clusters, with the spread of the
differences seen, or what the difference asks for. That is close where some ten clusters or more
differ. It promises too much of fewer, and where epochs and runs were nearly all alike: there a
difference would add to the spread. ``benchmarks/intervals.py`` prints by how much.
"""

from collections.abc import Callable
from math import ceil, isnan, log2, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.stats import binom
from statsmodels.stats.power import TTestPower

from creel_inspect.compare.statistics.observations import ROUNDING, Observations, Paired, pair

# Beyond so many clusters McNemar's test has the power of the t test, and the sums grow long.
_EXACT = 5_000
# Beyond so many, "how many more" says nothing.
_MOST = 10**12


def _mcnemar_power(n: int, differing: float, difference: float, alpha: float) -> float:
    """How often McNemar's mid-p test of ``n`` cases comes to ``alpha`` or less.

    Args:
        n: Cases.
        differing: Chance that a case is right in one run alone.
        difference: Chance that it is right in ``b`` alone, less that of ``a`` alone.
        alpha: Level of the test.
    """
    counts = np.arange(n + 1)
    # The most of ``counts`` cases that may favour the other run. Mid-p of k is P(<= k) + P(< k).
    most = binom.ppf(alpha / 2, counts, 0.5)
    most -= binom.cdf(most, counts, 0.5) + binom.cdf(most - 1, counts, 0.5) > alpha
    up = min((1 + difference / differing) / 2, 1.0)
    rejected = binom.cdf(most, counts, up) + binom.cdf(most, counts, 1 - up)
    return float(binom.pmf(counts, n, differing) @ np.where(2 * most < counts, rejected, 0.0))


def _spread(paired: Paired, telling: int) -> float:
    """Standard deviation of the differences of clusters, each as a share of the mean.

    Where fewer clusters than ``telling`` differ, or all by the same, they do not tell how far
    others might: one case more that only ``a`` has right and one that only ``b`` has are then added
    (Bonett and Price 2012, Journal of Educational and Behavioral Statistics 37:479), if scores lie
    in [0, 1].
    """
    grouped = paired.differences
    values = grouped.sums / grouped.sizes.mean()
    spread = float(values.std(ddof=1))
    if spread <= ROUNDING or (np.abs(values) > ROUNDING).sum() < telling:
        return float(np.append(values, [1.0, -1.0]).std()) if paired.within_unit else 0.0
    return spread


def _size(paired: Paired) -> float:
    """How far apart the clusters are that differ; 1, the most in [0, 1], where none does."""
    values = paired.differences.sums / paired.differences.sizes.mean()
    far = float(np.abs(values).sum())
    return float((values**2).sum()) / far if far > ROUNDING else 1.0


def _t_power(difference: float, spread: float, clusters: float, alpha: float) -> float:
    found = float(TTestPower().power(difference / spread, clusters, alpha))
    # The noncentral t has no figure far out, where power is 1.
    return 1.0 if isnan(found) else found


def _least_clusters(paired: Paired, alpha: float) -> int:
    """So many must differ, all one way, before the test of ``significance`` can reach ``alpha``.

    Its least p-value is 2**-n by mid-p, else 2**(1 - n).
    """
    return ceil(-log2(alpha) - 1e-9) + (0 if paired.binary else 1)


def _least(enough: Callable[[int], bool], first: int) -> int | None:
    """The least number from ``first`` on that is enough; None beyond all reason."""
    low, high = first - 1, first
    while not enough(high):
        low, high = high, high * 2
        if high > _MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _check(alpha: float, power: float) -> None:
    if not 0 < alpha < 1 or not alpha < power < 1:
        raise ValueError(
            "alpha should lie between 0 and 1, and power between alpha and 1; "
            f"got alpha {alpha} and power {power}"
        )


def detectable(
    a: Observations, b: Observations, *, alpha: float, power: float = 0.8
) -> float | None:
    """The smallest true difference that this many cases find with the given power.

    Args:
        a: The scored samples of one run.
        b: Of the other.
        alpha: Two-sided level of the test, such as 0.05 over the number of pairs tested.
        power: How often the difference should be found.

    Returns:
        None where not even the largest difference that scores in [0, 1] allow would be found or
        the test cannot reach ``alpha``, for fewer than two clusters, and where differences of
        scores outside [0, 1] do not vary.

    Raises:
        ValueError: ``alpha`` or ``power`` is no such level; one case is in different clusters.
    """
    _check(alpha, power)
    paired = pair(a, b)
    if paired is None or len(paired.differences.sizes) < 2:
        return None
    n = len(paired.differences.sizes)
    spread = _spread(paired, telling=2)
    if not spread or n < _least_clusters(paired, alpha):
        return None
    share = float((paired.differences.values != 0).mean())
    size = _size(paired)

    def lacking(difference: float) -> float:
        if paired.plain and n <= _EXACT:
            differing = max(share, difference, ROUNDING)
            return _mcnemar_power(n, differing, difference, alpha) - power
        # To add up to the difference, clusters of the size seen must differ more often.
        needed = difference * size - difference**2
        return _t_power(difference, max(spread, sqrt(max(needed, 0.0))), n, alpha) - power

    top = 1.0 if paired.within_unit else spread
    while lacking(top) < 0:
        if paired.within_unit:
            return None
        top *= 2
    return float(brentq(lacking, 0.0, top))


def more_cases(a: Observations, b: Observations, *, alpha: float, power: float = 0.8) -> int | None:
    """How many more cases it would take to find the difference seen with the given power.

    Clusters are taken to stay as large as they are on average.

    Args:
        a: The scored samples of one run.
        b: Of the other.
        alpha: Two-sided level of the test.
        power: How often the difference should be found.

    Returns:
        0 where there are enough. None where no difference was seen, for fewer than two clusters,
        and where differences of scores outside [0, 1] do not vary.

    Raises:
        ValueError: ``alpha`` or ``power`` is no such level; one case is in different clusters.
    """
    _check(alpha, power)
    paired = pair(a, b)
    if paired is None or len(paired.differences.sizes) < 2:
        return None
    seen = abs(paired.differences.mean)
    spread = _spread(paired, telling=1)
    if seen < ROUNDING or not spread:
        return None
    share = float((paired.differences.values != 0).mean())

    def enough(clusters: int) -> bool:
        if paired.plain and clusters <= _EXACT:
            return _mcnemar_power(clusters, share, seen, alpha) >= power
        return _t_power(seen, spread, clusters, alpha) >= power

    high = _least(enough, max(2, _least_clusters(paired, alpha)))
    if high is None:
        return None
    cases, clusters = len(paired.differences.values), len(paired.differences.sizes)
    return max(0, ceil(high * cases / clusters) - cases)
