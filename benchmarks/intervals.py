"""How often the intervals and tests of ``creel_inspect.compare`` are right.

For each interval and 10, 30, 60 and 200 cases, over a fixed grid: the mean coverage, the worst cell
and the mean width. Coverage of the plain intervals is exact, by adding up the chance of every
outcome; that of the others is simulated, with seeds. Ends with 1 if a grid mean lies outside 93 to
97.5 %. Then how often each test rejects a true null hypothesis at 0.05, and how often tests find
the difference that ``detectable`` promises to find in four of five tries.

    python benchmarks/intervals.py

Where a formula is written once more here, to run over thousands of data sets at once, it is first
compared with the package's own answer. The bootstrap is the package's own, with fewer draws.
"""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from time import perf_counter

from interval_clusters import DESIGNS, difference_with, rate_with
from interval_grids import BOOTSTRAP_DRAWS, CASES, LEAST, MOST, Line
from interval_plain import one_rate, paired_rates
from interval_scores import score_difference, score_mean, uneven
from interval_tests import flips_size, mcnemar_size, promised, promised_with


def jobs() -> Iterator[tuple[Callable[..., object], tuple[object, ...]]]:
    """Longest first, so that two workers end together."""
    for n in reversed(CASES):
        yield score_difference, (1, n, 600)
        yield score_mean, (1, n, 1_500)
        yield score_difference, (2, n, 300)
        yield score_mean, (2, n, 600)
        yield paired_rates, (n,)
        for design in DESIGNS:
            yield difference_with, (design, n, 2_000)
            yield rate_with, (design, n, 4_000)
            yield flips_size, (design, n, 2_000)
            yield promised_with, (design, n, 300)
        yield flips_size, (None, n, 2_000)
        yield uneven, (n, 200)
        yield one_rate, (n,)
        yield mcnemar_size, (n,)
        yield promised, (n,)


def main() -> int:
    """Runs all, on two cores."""
    began = perf_counter()
    with ProcessPoolExecutor(max_workers=2) as pool:
        running = [pool.submit(run, *given) for run, given in jobs()]
        found = [one.result() for one in running]
    lines = sorted(
        (one for one in found if isinstance(one, Line)), key=lambda one: (one.name, one.cases)
    )
    print(
        f"{'interval, nominal 95 %':52} {'cases':>5} {'mean':>8} {'worst':>8}  "
        f"{'worst cell':52} {'width':>6} {'cells':>5}"
    )
    print(*lines, sep="\n")
    print(f"\n{'false alarms at 0.05':52} {'cases':>5} {'mean':>8} {'worst':>8}  worst cell")
    texts = sorted(one for one in found if isinstance(one, str))
    rare = [one for one in texts if one.startswith("uneven")]
    print(*(one for one in texts if "power" not in one and one not in rare), sep="\n")
    print("\nthe difference that is called detectable, and how often it is found")
    print(*(one for one in texts if "power" in one), sep="\n")
    print(
        "\noutside the grid, where no interval can know of what it has not seen: many small gains "
        "and a few large losses\n(true difference, coverage, share called better)"
    )
    print(*rare, sep="\n")
    outside = [one for one in lines if not LEAST <= one.mean <= MOST]
    print(f"\n{perf_counter() - began:.0f} s; bootstrap with {BOOTSTRAP_DRAWS} draws")
    for one in outside:
        print(f"outside {LEAST:.1%} to {MOST:.1%}: {one.name}, {one.cases} cases, {one.mean:.2%}")
    return 1 if outside else 0


if __name__ == "__main__":
    sys.exit(main())
