"""How often does ``graph_match`` say rightly which node is which, and how fast?

On the graphs of ``benchmarks/graphs.py``, whose right alignment is known. One run measures

- the share of the surviving nodes aligned right, and the seconds it took, for attribute assignment
  alone, the same with the neighbours' vote (``alignment_baselines.py``), and this package, ungated;
- the edge F1 of unrelated graphs: by the best alignment, which is chance, and after the gate;
- the same objective solved by HiGHS, and the same graphs aligned by smatchpp (ILP and hill climber)
  and by networkx's edit distance: accuracy, seconds, and what share of each solver's objective this
  package's alignment has;
- the seconds ``graph_match`` takes for 2,000 nodes, from JSON to verdict.

The peers run in a virtual environment of their own, made on first use and kept in the user's cache
(``--environment`` names another folder). Every solver has a limit of time. Where one reached it,
the seconds and the ratio are marked ``>``: it would have taken longer.

    python benchmarks/alignment.py [--quick] [--no-peers] [--environment FOLDER]

Exits with 1 where a limit is missed. The whole takes about a quarter of an hour on two cores, and
``--quick`` about a minute.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import platformdirs
from alignment_baselines import Json, adjacency, assigned, attribute_similarity, hard_refined
from alignment_solvers import PEERS, Ours, Run, accuracy, edge_f1, highs, named, ours, peer, peers
from graphs import NOISE, pair, unrelated
from rich.console import Console
from rich.table import Table

from creel_inspect.verify import Context, build_verifier

LARGEST = 2000
MOST_SECONDS = 5.0
MOST_CHANCE_F1 = 0.08


@dataclass(frozen=True)
class Plan:
    """How much to measure."""

    accuracy: dict[int, int]
    """Nodes → seeds per difficulty."""
    chance: dict[int, int]
    """Nodes → seeds."""
    programs: dict[int, tuple[int, float]]
    """Nodes → seeds per difficulty, and the limit in seconds of each integer program."""


FULL = Plan(
    accuracy={100: 10, 500: 5, 2000: 2},
    chance={20: 10, 100: 10, 500: 5, 2000: 2},
    programs={20: (3, 25), 100: (2, 25), 500: (1, 40)},
)
QUICK = Plan(
    accuracy={100: 3, 500: 1},
    chance={20: 5, 100: 3, 500: 1},
    programs={20: (1, 5)},
)


def _spread(values: Sequence[float], form: str = ".3f") -> str:
    """Mean and range."""
    return f"{statistics.fmean(values):{form}} ({min(values):{form}}–{max(values):{form}})"


def _middle(values: Sequence[float], form: str, mark: str = "") -> str:
    """Median and range."""
    middle = statistics.median(values)
    return f"{mark}{middle:{form}} ({min(values):{form}}–{max(values):{form}})"


def measure_accuracy(plan: Plan, console: Console) -> None:
    """Prints the share of nodes aligned right, and the seconds, per size and difficulty."""
    titles = ("attributes only", "+ neighbours' vote", "this package")
    heads = (f"{title}\nright, seconds" for title in titles)
    table = Table("nodes", "difficulty", "seeds", "no trace left", *heads)
    for nodes, seeds in plan.accuracy.items():
        for difficulty in NOISE:
            right: list[list[float]] = [[], [], []]
            seconds: list[list[float]] = [[], [], []]
            untold: list[float] = []
            for seed in range(seeds):
                expected, actual, truth = pair(nodes, difficulty, seed)
                untold.append(without_trace(expected, actual, truth) / len(truth))
                for number, run in enumerate((_by_attributes, _by_votes, _by_package)):
                    partner, took = run(expected, actual)
                    seconds[number].append(took)
                    right[number].append(accuracy(partner, expected, actual, truth))
            cells = (
                f"{_spread(share)}\n{_spread(took, '.2f')} s"
                for share, took in zip(right, seconds, strict=True)
            )
            lost = f"{statistics.fmean(untold):.3f}"
            table.add_row(f"{nodes:,}", difficulty, str(seeds), lost, *cells)
        table.add_section()
    console.print("Surviving nodes aligned right, and seconds: mean (range)")
    console.print(
        "No trace left: surviving nodes that have only a status and a priority, and none of whose "
        "edges survived with its relation and both ends. No aligner can tell which they are."
    )
    console.print(table)


def without_trace(expected: Json, actual: Json, truth: dict[str, str]) -> int:
    """How many surviving nodes nothing tells apart: anonymous, and without an edge in common."""
    arcs = [(edge["source"], edge["type"], edge["target"]) for edge in expected["edges"]]
    there = {(edge["source"], edge["type"], edge["target"]) for edge in actual["edges"]}
    held = {
        end
        for source, relation, target in arcs
        if (truth.get(source), relation, truth.get(target)) in there
        for end in (source, target)
    }
    return sum(
        name not in held and expected["nodes"][name]["attributes"].keys() <= {"status", "priority"}
        for name in truth
    )


def _same_objective(found: Ours, stated: float) -> None:
    """Ties may fall either way. More of a difference would be another alignment than the verdict's.

    Raises:
        RuntimeError: If ``alignment_solvers.ours`` no longer aligns as ``graph_match`` does.
    """
    if abs(found.objective - stated) > 0.01 * stated:
        raise RuntimeError(f"graph_match states {stated} as its objective, not {found.objective}")


def _by_attributes(expected: Json, actual: Json) -> tuple[np.ndarray, float]:
    started = time.perf_counter()
    partner = assigned(attribute_similarity(expected, actual))
    return partner, time.perf_counter() - started


def _by_votes(expected: Json, actual: Json) -> tuple[np.ndarray, float]:
    started = time.perf_counter()
    alike = attribute_similarity(expected, actual)
    partner = hard_refined(alike, adjacency(expected), adjacency(actual))
    return partner, time.perf_counter() - started


def _by_package(expected: Json, actual: Json) -> tuple[np.ndarray, float]:
    found = ours(expected, actual)
    return found.partner, found.seconds


def measure_chance(plan: Plan, console: Console) -> bool:
    """Prints the edge F1 that unrelated graphs reach; False where the limit is missed."""
    table = Table("nodes", "seeds", "best alignment", "after the gate", "pairs kept")
    verifier = build_verifier("graph_match")
    kept = True
    for nodes, seeds in plan.chance.items():
        floor, gated, pairs = [], [], []
        for seed in range(seeds):
            expected, actual = unrelated(nodes, seed)
            best = ours(expected, actual)
            floor.append(edge_f1(named(best.partner, expected, actual), expected, actual))
            verdict = verifier.verify(actual, expected, context=Context())
            _same_objective(best, verdict.details["objective"])
            names = verdict.details["alignment"]
            gated.append(edge_f1(names, expected, actual))
            pairs.append(len(names) / nodes)
        kept &= statistics.fmean(gated) < MOST_CHANCE_F1
        table.add_row(
            *(f"{nodes:,}", str(seeds), _spread(floor), _spread(gated)),
            f"{statistics.fmean(pairs):.3f}",
        )
    console.print(
        f"Edge F1 of unrelated graphs: mean (range); the limit of the mean is {MOST_CHANCE_F1}"
    )
    console.print(table)
    return kept


def measure_programs(plan: Plan, console: Console, python: Path | None) -> None:
    """Prints what the integer programs and the peers find, against this package's alignment."""
    table = Table(
        *("nodes", "solver", "runs", "found", "proven", "right", "here right"),
        *("seconds", "here faster by", "here has of its objective"),
    )
    solvers: list[tuple[str, Callable[..., Run]]] = [("HiGHS, same objective", highs)]
    if python is not None:
        solvers += [
            (name, lambda *args, name=name: peer(name, python, *args))
            for name in ("smatchpp-ilp", "smatchpp-climber", "networkx")
        ]
    for nodes, (seeds, limit) in plan.programs.items():
        for name, solver in solvers:
            slow = name in {"smatchpp-climber", "networkx"} and nodes > min(plan.programs)
            graphs = [
                (difficulty, seed)
                for difficulty in (["medium"] if slow else NOISE)
                for seed in range(1 if slow or name == "networkx" else seeds)
            ]
            runs = [solver(nodes, difficulty, seed, limit) for difficulty, seed in graphs]
            table.add_row(f"{nodes:,}", name, *_summary(runs, limit))
        table.add_section()
    console.print("The same graphs by other solvers; seconds, ratio and share: median (range)")
    limits = ", ".join(f"{limit:g} s at {nodes:,}" for nodes, (_, limit) in plan.programs.items())
    console.print(
        f"Each solver's limit: {limits} nodes. `>`: it reached its limit at least once. Accuracies"
        " and shares are of the runs where it found something, and of what it found by then."
    )
    console.print(table)


def _summary(runs: list[Run], limit: float) -> tuple[str, ...]:
    found = [run for run in runs if run.partner is not None]
    late = ">" if any(run.seconds >= limit and not run.proven for run in runs) else ""
    return (
        str(len(runs)),
        str(len(found)),
        str(sum(run.proven for run in runs)),
        f"{statistics.fmean(run.right for run in found):.3f}" if found else "–",
        f"{statistics.fmean(run.ours_right for run in found or runs):.3f}",
        _middle([run.seconds for run in runs], ".2f", late),
        _middle([run.faster for run in runs], ",.0f", late),
        _middle([run.ours / run.objective for run in found], ".4f") if found else "–",
    )


def measure_largest(console: Console, nodes: int) -> bool:
    """Prints the seconds of a whole verdict; False where the limit is missed."""
    verifier = build_verifier("graph_match")
    table = Table(
        "nodes", "graphs", "seconds", "CPU seconds", "score", "gated pairs right", "gated recall"
    )
    slowest = 0.0
    for difficulty in (*NOISE, "unrelated"):
        truth: dict[str, str] = {}
        if difficulty == "unrelated":
            expected, actual = unrelated(nodes, 0)
        else:
            expected, actual, truth = pair(nodes, difficulty, 0)
        started, used = time.perf_counter(), time.process_time()
        verdict = verifier.verify(actual, expected, context=Context())
        seconds, used = time.perf_counter() - started, time.process_time() - used
        slowest = max(slowest, seconds)
        names = verdict.details["alignment"]
        right = sum(truth.get(name) == other for name, other in names.items())
        table.add_row(
            *(f"{nodes:,}", difficulty, f"{seconds:.2f}", f"{used:.2f}"),
            f"{verdict.score:.3f}",
            f"{right / len(names):.3f}" if truth and names else "–",
            f"{right / len(truth):.3f}" if truth else "–",
        )
    console.print(
        f"A whole verdict, from JSON; the limit is {MOST_SECONDS:g} s for {LARGEST:,} nodes"
    )
    console.print(table)
    return slowest < MOST_SECONDS


def main() -> int:
    """Runs the benchmark; 1 where a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer and smaller graphs: a minute")
    parser.add_argument("--no-peers", action="store_true", help="without smatchpp and networkx")
    parser.add_argument(
        "--environment",
        type=Path,
        default=platformdirs.user_cache_path("creel-inspect") / "benchmark-peers",
        help="where the peers' virtual environment is kept",
    )
    args = parser.parse_args()
    plan = QUICK if args.quick else FULL
    console = Console(width=150, soft_wrap=True)
    python = None if args.no_peers else peers(args.environment)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    console.print(f"{os.cpu_count()} cores, load before {load:.1f}; peers: {', '.join(PEERS)}")
    started = time.perf_counter()
    measure_accuracy(plan, console)
    few = measure_chance(plan, console)
    fast = measure_largest(console, max(plan.accuracy))
    measure_programs(plan, console, python)
    console.print(f"{time.perf_counter() - started:.0f} s in all")
    largest = f"seconds of a verdict at {max(plan.accuracy):,} nodes"
    for kept, what in ((few, "unrelated graphs"), (fast, largest)):
        console.print(f"{what}: {'within the limit' if kept else 'LIMIT MISSED'}")
    return 0 if few and fast else 1


if __name__ == "__main__":
    sys.exit(main())
