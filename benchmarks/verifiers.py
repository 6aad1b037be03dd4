"""How many pairs a second does each kind that asks no model compare?

Each kind gets pairs of the sort it is for, half of which it should pass. Beside its rate stands
that of ``==`` on the same pairs: what a hardcoded comparison costs, which is wrong on many of them.
The last lines have the time of ``set_match`` on two lists of 10,000 items each, and that of
importing ``creel_inspect.verify`` in a new process, beside pydantic's alone.

    python benchmarks/verifiers.py [--kinds KIND ...] [--seconds 1] [--json]
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from creel_inspect.verify import build_verifier

SEED = 20
REPEATS = 5
MOST_SECONDS_OF_A_LARGE_SET = 1.0
MOST_SECONDS_OF_IMPORTING = 0.3
LARGE = 10_000

Pair = tuple[Any, Any]


@dataclass(frozen=True)
class Workload:
    """What one kind compares: its configuration, and pairs of (actual, expected)."""

    config: dict[str, Any]
    pairs: list[Pair]


@dataclass(frozen=True)
class Rate:
    """Pairs per second: the median of the repeats, their range, and that of ``==``."""

    kind: str
    median: float
    least: float
    most: float
    equals: float
    passed: float


def main() -> int:
    """Prints the rates; exits 1 if the large set takes longer than it may."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kinds", nargs="*", default=list(WORKLOADS), choices=WORKLOADS)
    parser.add_argument("--seconds", type=float, default=1, help="per kind")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args()
    load = os.getloadavg()[0]
    rates = [measured(kind, args.seconds) for kind in args.kinds]
    large = {name: large_set(make) for name, make in LARGE_ITEMS.items()}
    imports = {name: importing(name) for name in ("creel_inspect.verify", "pydantic.main")}
    if args.json:
        found = {"large_set_seconds": large, "import_seconds": imports}
        print(json.dumps({"rates": [asdict(rate) for rate in rates], **found}))
    else:
        print(f"{os.cpu_count()} cores; load before {load:.1f}; pairs per second")
        print(f"{'kind':<18}{'median':>10}{'range':>22}{'==':>13}{'times':>11}{'passed':>8}")
        for rate in rates:
            span = f"{rate.least:,.0f} to {rate.most:,.0f}"
            print(
                f"{rate.kind:<18}{rate.median:>10,.0f}{span:>22}{rate.equals:>13,.0f}"
                f"{rate.equals / rate.median:>11,.0f}{rate.passed:>8.0%}"
            )
        times = ", ".join(f"{name} {seconds:.3f} s" for name, seconds in large.items())
        print(f"set_match, {LARGE:,} × {LARGE:,} items (at most 1 s): {times}")
        times = ", ".join(f"{name} {seconds:.3f} s" for name, seconds in imports.items())
        print(f"import (at most {MOST_SECONDS_OF_IMPORTING} s): {times}")
    quick = imports["creel_inspect.verify"] < MOST_SECONDS_OF_IMPORTING
    return 0 if quick and max(large.values()) < MOST_SECONDS_OF_A_LARGE_SET else 1


def importing(name: str) -> float:
    """Seconds to import a module in a process that has imported nothing: the median of nine."""
    script = f"import time; t = time.perf_counter(); import {name}; print(time.perf_counter() - t)"
    command = [sys.executable, "-c", script]
    runs = [subprocess.run(command, capture_output=True, check=True) for _ in range(9)]
    return statistics.median(float(run.stdout) for run in runs)


def measured(kind: str, seconds: float) -> Rate:
    """The rate of one kind, after one round that loads and warms what it needs."""
    work = WORKLOADS[kind](seeded())
    verify = build_verifier(kind, **work.config).verify
    passed = sum(verify(*pair).passed for pair in work.pairs) / len(work.pairs)
    rates = [rate_of(verify, work.pairs, seconds / REPEATS) for _ in range(REPEATS)]
    equals = rate_of(lambda actual, expected: actual == expected, work.pairs, seconds / REPEATS)
    return Rate(kind, statistics.median(rates), min(rates), max(rates), equals, passed)


def seeded() -> random.Random:
    """The same draws in each run."""
    return random.Random(SEED)  # noqa: S311 - nothing secret


def rate_of(compare: Callable[[Any, Any], Any], pairs: list[Pair], seconds: float) -> float:
    """Calls per second, over whole rounds of the pairs for at least as long as is given."""
    done, started = 0, time.perf_counter()
    while (spent := time.perf_counter() - started) < seconds:
        for actual, expected in pairs:
            compare(actual, expected)
        done += len(pairs)
    return done / spent


def large_set(make: Callable[[int], Any]) -> float:
    """Seconds for two lists of the same items in another order: the median of the repeats."""
    made = build_verifier("set_match")
    expected = [make(number) for number in range(LARGE)]
    actual = seeded().sample([make(number) for number in range(LARGE)], LARGE)
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        assert made.verify(actual, expected).passed
        times.append(time.perf_counter() - started)
    return statistics.median(times)


LARGE_ITEMS: dict[str, Callable[[int], Any]] = {
    "texts": lambda number: f"item {number}",
    "numbers": lambda number: number / 4,
    "objects": lambda number: {"id": number, "name": f"item {number}"},
}


def exact(drawn: random.Random) -> Workload:
    """Identifiers."""
    return Workload({}, [(f"prj-{n}", f"prj-{n + n % 2}") for n in range(200)])


def normalized(drawn: random.Random) -> Workload:
    """Titles, written with other case and spacing."""
    titles = [f"Phase {n}: supply of clean water" for n in range(100)]
    pairs = [(title.upper().replace(" ", "  "), title) for title in titles]
    return Workload({}, pairs + [(title.replace("clean", "new"), title) for title in titles])


def numeric_tolerance(drawn: random.Random) -> Workload:
    """Amounts of money, with the number written out and grouped."""
    pairs = []
    for _ in range(100):
        millions = drawn.randint(1, 900)
        amount = f"USD {millions},000,000"
        pairs += [(f"{millions} million USD", amount), (f"{millions} million EUR", amount)]
    return Workload({"rel": 0.01}, pairs)


def set_match(drawn: random.Random) -> Workload:
    """Ten countries in another order, every second time with one wrong."""
    pairs = []
    for number in range(200):
        expected = [f"country {drawn.randint(1, 10_000)}" for _ in range(10)]
        actual = drawn.sample(expected, 10)
        pairs.append(([*actual[:9], "nowhere"] if number % 2 else actual, expected))
    return Workload({}, pairs)


def schema_constraint(drawn: random.Random) -> Workload:
    """A record with a number in a range."""
    schema = {
        "type": "object",
        "required": ["name", "share"],
        "properties": {
            "name": {"type": "string", "minLength": 1},
            "share": {"type": "number", "minimum": 0, "maximum": 1},
        },
    }
    pairs = [({"name": f"part {n}", "share": n % 2 * 1.5}, None) for n in range(200)]
    return Workload({"schema": schema}, pairs)


def composite(drawn: random.Random) -> Workload:
    """A record of a text and an amount, each by its own kind."""
    parts = {
        "name": {"verifier": "normalized", "field": "name", "gate": True},
        "amount": {"verifier": {"kind": "numeric_tolerance", "rel": 0.01}, "field": "amount"},
    }
    pairs = []
    for number in range(200):
        millions = drawn.randint(1, 900)
        expected = {"name": f"Loan {number}", "amount": f"USD {millions},000,000"}
        came = millions * (2 if number % 2 else 1)
        pairs.append(({"name": f"loan {number}", "amount": f"{came} million USD"}, expected))
    return Workload({"parts": parts}, pairs)


def graph_match(drawn: random.Random) -> Workload:
    """Graphs of 20 nodes and 30 edges under other ids; every second one has two other titles."""
    pairs = []
    for number in range(10):
        titles = [f"objective {drawn.randint(1, 10**6)}" for _ in range(20)]
        links = [drawn.sample(range(20), 2) for _ in range(30)]
        other = ["something else"] * 2 + titles[2:] if number % 2 else titles
        pairs.append((graph(other, links, "x"), graph(titles, links, "n")))
    return Workload({}, pairs)


def graph(titles: list[str], links: list[list[int]], prefix: str) -> dict[str, Any]:
    """A graph-v1 JSON object with a node for each title."""
    return {
        "nodes": {
            f"{prefix}{place}": {"types": ["objective"], "attributes": {"title": title}}
            for place, title in enumerate(titles)
        },
        "edges": [
            {
                "id": f"{prefix}e{place}",
                "type": "supports",
                "source": f"{prefix}{source}",
                "target": f"{prefix}{target}",
                "attributes": {},
            }
            for place, (source, target) in enumerate(links)
        ],
    }


WORKLOADS: dict[str, Callable[[random.Random], Workload]] = {
    made.__name__: made
    for made in (
        exact,
        normalized,
        numeric_tolerance,
        set_match,
        schema_constraint,
        composite,
        graph_match,
    )
}


if __name__ == "__main__":
    sys.exit(main())
