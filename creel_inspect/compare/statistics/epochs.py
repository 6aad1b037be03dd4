"""How steady a run is from one epoch of a case to the next."""

from math import comb

import numpy as np

from creel_inspect.compare.statistics.observations import Observations


def pass_hat(observations: Observations) -> dict[int, float]:
    """The chance that ``k`` epochs of a case are all right, mean over cases.

    Per case with ``n`` scored epochs of which ``c`` are right, C(c, k) / C(n, k) is unbiased
    (pass^k of Yao et al. 2024, "tau-bench", arXiv:2406.12045).

    Returns:
        By ``k``, from 1 to the epochs that every case has; empty where scores are not right or
        wrong.
    """
    if not observations.binary:
        return {}
    rights = [round(total) for total in observations.totals]
    counts = [int(count) for count in observations.counts]
    return {
        k: float(np.mean([comb(c, k) / comb(n, k) for c, n in zip(rights, counts, strict=True)]))
        for k in range(1, min(counts) + 1)
    }


def flip_rate(observations: Observations) -> float | None:
    """The chance that two epochs of one case differ, mean over the cases with two or more.

    Per case, the share of pairs of its epochs that differ: ``2 c (n - c) / (n (n - 1))``.

    Returns:
        None where no case has two scored epochs, or scores are not right or wrong.
    """
    if not observations.binary:
        return None
    several = observations.counts >= 2
    if not several.any():
        return None
    n = observations.counts[several].astype(np.float64)
    c = observations.totals[several]
    return float(np.mean(2 * c * (n - c) / (n * (n - 1))))
