"""Tests of "there is no difference", and their adjustment for many pairs."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from scipy.stats import binom, permutation_test
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from creel_inspect.compare.statistics.observations import (
    ROUNDING,
    Floats,
    Observations,
    pair,
)

DRAWS = 9_999

# Numbers that one batch of sign flips may hold: 16 MB.
_BATCH = 2_000_000


@dataclass(frozen=True)
class RawTest:
    """A test, not yet adjusted for others.

    Attributes:
        name: Which test, in words.
        p: Two-sided p-value, above 0.
        only_a: Cases that only the first run has right; None unless each is right or wrong, once.
        only_b: Likewise the second.
    """

    name: str
    p: float
    only_a: int | None = None
    only_b: int | None = None


def _mcnemar(only_a: int, only_b: int) -> float:
    """McNemar's mid-p: the exact p less half the chance of tables just as extreme as the one seen.

    That is the whole chance of one of them, in either tail, or half of it where the two tails share
    it (Fagerland, Lydersen and Laake 2013, BMC Medical Research Methodology 13:91).
    """
    differing = only_a + only_b
    if not differing:
        return 1.0
    exact = float(mcnemar([[0, only_a], [only_b, 0]], exact=True).pvalue)
    point = float(binom.pmf(only_a, differing, 0.5))
    return 1 - point / 2 if only_a == only_b else exact - point


def _total(sums: Floats, axis: int = -1) -> Floats:
    return np.asarray(np.sum(sums, axis=axis))


def _sign_flip(
    sums: Floats, *, mid: bool, seed: int, draws: int | None = None
) -> tuple[float, bool]:
    """P-value of a test that each cluster's difference is as likely with the other sign.

    Args:
        sums: Differences of each cluster's cases, added up.
        mid: Count arrangements just as extreme as the one seen by half.
        seed: Of the draws, where there are too many arrangements to take all.
        draws: How many are too many; ``DRAWS`` by default.

    Returns:
        The two-sided p-value, and whether every arrangement was taken.
    """
    # A cluster without a difference is the same under either sign.
    sums = sums[np.abs(sums) > ROUNDING]
    draws = DRAWS if draws is None else draws
    every = 2 ** len(sums) <= draws
    if not len(sums):
        return 1.0, every
    totals = np.abs(sums)
    if len(sums) > 1:
        totals = np.abs(
            permutation_test(
                # Sizes in their own order: neither what a case is called nor which run comes first
                # tells which signs are drawn for it.
                (np.sort(np.abs(sums)),),
                _total,
                permutation_type="samples",
                vectorized=True,
                n_resamples=np.inf if every else draws,
                batch=max(1, _BATCH // len(sums)),
                rng=np.random.default_rng(seed),
            ).null_distribution
        )
    seen = abs(float(sums.sum()))
    # Sums of the same numbers in another order may differ in their last digits: those are ties.
    rounding = ROUNDING * float(np.abs(sums).sum())
    beyond = int((totals > seen + rounding).sum())
    tied = int((totals >= seen - rounding).sum()) - beyond
    count = len(totals)
    if not every:
        # The arrangement seen is one of those that could be drawn (Phipson and Smyth 2010).
        tied, count = tied + 1, count + 1
    return (beyond + (tied / 2 if mid else tied)) / count, every


def no_difference(
    a: Observations, b: Observations, *, seed: int = 0, level: float = 0.05
) -> RawTest | None:
    """Tests that neither run scores more than the other, over the cases that both have scored.

    - Right or wrong, once a case, cases standing alone: McNemar's mid-p test. The exact test, which
      promises at most 5 % false alarms, has under 3 % for 30 cases, and so calls differences
      indistinguishable that Newcombe's interval tells from 0; mid-p agrees with it.
    - Right or wrong otherwise: the sign of each cluster's difference is flipped, all ways where
      clusters that differ are few, else at random; mid-p, by which this is McNemar's test on data
      of the former kind, and on such data repeated in several epochs.
    - Other scores: the same, but exact. Totals hardly ever tie there, and mid-p would only promise
      too much of five clusters.

    ``benchmarks/intervals.py`` prints the rates of false alarms.

    Args:
        a: The scored samples of one run.
        b: Of the other.
        seed: Of the random arrangements.
        level: The p-value that counts. So many arrangements are drawn that p can fall to half of
            it: of very many pairs none could be told apart otherwise.

    Returns:
        None where no case was scored in both.

    Raises:
        ValueError: The runs put one case in different clusters.
    """
    paired = pair(a, b)
    if paired is None:
        return None
    if paired.plain:
        only_a, only_b = paired.only_a, paired.only_b
        return RawTest("McNemar's mid-p test", _mcnemar(only_a, only_b), only_a, only_b)
    draws = max(DRAWS, ceil(2 / level))
    p, every = _sign_flip(paired.differences.sums, mid=paired.binary, seed=seed, draws=draws)
    kind = "mid-p sign-flip" if paired.binary else "sign-flip"
    how = "every arrangement" if every else f"{draws:,} arrangements drawn with seed {seed}"
    return RawTest(f"{kind} permutation test over {paired.differences.unit}, {how}", p)


def holm(ps: Sequence[float]) -> list[float]:
    """P-values adjusted for their number, in the order given (Holm 1979).

    Raises:
        ValueError: One is not in [0, 1].
    """
    for p in ps:
        if not 0 <= p <= 1:
            raise ValueError(f"a p-value should lie in [0, 1]; got {p}")
    if not len(ps):
        return []
    return [float(p) for p in multipletests(ps, method="holm")[1]]
