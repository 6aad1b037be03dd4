"""The same statistics, worked out in other ways: by quadrature, by enumeration, in decimals."""

from collections.abc import Sequence
from decimal import Decimal, getcontext
from itertools import product
from math import comb, exp, inf, lgamma, log, pi, sqrt
from statistics import NormalDist

from scipy.integrate import quad
from scipy.optimize import brentq

from creel_inspect.compare.statistics.observations import Observations

getcontext().prec = 40
Z = Decimal("1.959963984540054235524594430520551527955550")
NORMAL = NormalDist()


def observed(scores: dict[str, Sequence[float]], clusters: dict[str, str] | None = None):
    """Epochs by case, as observations; a case is its own cluster unless said otherwise."""
    cases = [case for case, values in scores.items() for _ in values]
    return Observations(
        cases,
        [(clusters or {}).get(case, case) for case in cases],
        [value for values in scores.values() for value in values],
    )


def once(values: Sequence[float]):
    """One score a case."""
    return observed({f"case {index:03}": [value] for index, value in enumerate(values)})


def table(both: int, only_a: int, only_b: int, neither: int):
    """Two runs with these counts."""
    a = [1.0] * (both + only_a) + [0.0] * (only_b + neither)
    b = [1.0] * both + [0.0] * only_a + [1.0] * only_b + [0.0] * neither
    return once(a), once(b)


def wilson(rate: float | Decimal, n: float | Decimal) -> tuple[Decimal, Decimal]:
    """The roots in x of ``(rate - x)**2 = z**2 x (1 - x) / n``."""
    rate, n = Decimal(rate), Decimal(n)
    first, second, third = 1 + Z**2 / n, -(2 * rate + Z**2 / n), rate**2
    root = (second**2 - 4 * first * third).sqrt()
    return (-second - root) / (2 * first), (-second + root) / (2 * first)


def square_and_add(a, of_a, b, of_b, correlation):
    """Newcombe's sum of squares for ``b - a``."""

    def side(one, other):
        return (one * one - 2 * correlation * one * other + other * other).sqrt()

    a, b, correlation = Decimal(a), Decimal(b), Decimal(correlation)
    return (
        b - a - side(b - of_b[0], of_a[1] - a),
        b - a + side(of_b[1] - b, a - of_a[0]),
    )


def newcombe(both: int, only_a: int, only_b: int, neither: int):
    """Method 10, in decimals, with phi as the paper has it."""
    n = Decimal(both + only_a + only_b + neither)
    a, b = (both + only_a) / n, (both + only_b) / n
    signed = Decimal(both * neither - only_a * only_b)
    if signed > n / 2:
        signed -= n / 2
    elif signed >= 0:
        signed = Decimal(0)
    margins = Decimal((both + only_a) * (only_b + neither) * (both + only_b) * (only_a + neither))
    phi = signed / margins.sqrt() if margins else Decimal(0)
    return square_and_add(a, wilson(a, n), b, wilson(b, n), phi)


def t_quantile(df: int, at: float = 0.975) -> float:
    """By integrating the density."""
    scale = exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(df * pi)

    def below(end: float) -> float:
        density = quad(
            lambda x: scale * (1 + x * x / df) ** (-(df + 1) / 2), 0, end, epsabs=1e-14, limit=400
        )
        return 0.5 + density[0] - at

    return brentq(below, 0, 200, xtol=1e-13)


def t_power(effect: float, n: int, alpha: float) -> float:
    """Of the two-sided one-sample t test, by integrating over the standard deviation seen."""
    df, shift = n - 1, effect * sqrt(n)
    limit = t_quantile(df, 1 - alpha / 2)
    constant = log(2) + df / 2 * log(df / 2) - lgamma(df / 2)

    def weighed(ratio: float) -> float:
        density = exp(constant + (df - 1) * log(ratio) - df * ratio * ratio / 2)
        return density * (NORMAL.cdf(shift - limit * ratio) + NORMAL.cdf(-shift - limit * ratio))

    return quad(weighed, 1e-12, inf, epsabs=1e-13, limit=400)[0]


def mcnemar(only_a: int, only_b: int) -> tuple[float, float]:
    """Exact p and mid-p, by adding up binomial coefficients."""
    n = only_a + only_b
    chances = [comb(n, k) / 2**n for k in range(n + 1)]
    far = abs(2 * only_a - n)
    beyond = sum(chance for k, chance in enumerate(chances) if abs(2 * k - n) > far)
    tied = sum(chance for k, chance in enumerate(chances) if abs(2 * k - n) == far)
    return beyond + tied, beyond + tied / 2


def mcnemar_power(n: int, differing: float, difference: float, alpha: float) -> float:
    """By going through every outcome."""
    to_b = (differing + difference) / 2
    to_a = differing - to_b
    found = 0.0
    for a, b in product(range(n + 1), repeat=2):
        if a + b <= n and a + b > 0 and mcnemar(a, b)[1] <= alpha:
            ways = comb(n, a) * comb(n - a, b)
            found += ways * to_a**a * to_b**b * (1 - differing) ** (n - a - b)
    return found


def flips(sums: Sequence[float]) -> tuple[float, float]:
    """Exact p and mid-p of the sign-flip test, by going through every arrangement."""
    seen = abs(sum(sums))
    totals = [
        abs(sum(sign * one for sign, one in zip(signs, sums, strict=True)))
        for signs in product((1, -1), repeat=len(sums))
    ]
    beyond = sum(total > seen + 1e-9 for total in totals)
    tied = sum(abs(total - seen) <= 1e-9 for total in totals)
    return (beyond + tied) / len(totals), (beyond + tied / 2) / len(totals)


def cluster_error(values: dict[str, float], clusters: dict[str, str]) -> float:
    """``sqrt(G / (G - 1) sum of squared residual totals) / cases``."""
    mean = sum(values.values()) / len(values)
    totals: dict[str, float] = {}
    for case, value in values.items():
        cluster = clusters.get(case, case)
        totals[cluster] = totals.get(cluster, 0.0) + value - mean
    groups = len(totals)
    return sqrt(groups / (groups - 1) * sum(one**2 for one in totals.values())) / len(values)


def effective_cases(scores: dict[str, Sequence[float]], clusters: dict[str, str]) -> float:
    """Korn and Graubard's, between Kish's numbers for all alike and all independent."""
    means = {case: sum(values) / len(values) for case, values in scores.items()}
    rate = sum(means.values()) / len(means)
    samples = sum(len(values) for values in scores.values())
    sizes: dict[str, int] = {}
    for case in scores:
        sizes[clusters.get(case, case)] = sizes.get(clusters.get(case, case), 0) + 1
    least = 1 / sum((size / len(scores)) ** 2 for size in sizes.values())
    most = 1 / sum(
        (1 / (len(scores) * len(values))) ** 2 * len(values) for values in scores.values()
    )
    error = cluster_error(means, clusters)
    factor = (t_quantile(samples - 1) / t_quantile(len(sizes) - 1)) ** 2
    return min(max(rate * (1 - rate) / error**2 * factor, least), most)
