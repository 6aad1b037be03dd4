"""One pair of graphs, aligned by this package, by an integer program, or by a peer.

A peer is run by ``alignment_peers.py`` in an environment of its own. Whatever solved a pair, the
value of its alignment is worked out here, in the same way as that of this package's alignment.
"""

import json
import multiprocessing
import os
import subprocess
import time
import venv
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from alignment_baselines import Json, Optimum, Problem, attribute_similarity, best
from graphs import pair
from scipy import sparse

from creel_inspect.verify.graph.model import Graph
from creel_inspect.verify.graph.pairing import align_graphs
from creel_inspect.verify.graph.structure import Arcs, Links

PEERS = ("smatchpp==1.8.0", "networkx==3.6.1")
PEER_SECONDS = 20
"""For what a peer does outside its own limit: starting, and building its problem."""


@dataclass(frozen=True)
class Ours:
    """This package's alignment, ungated: partners by number, what it is worth, and its seconds."""

    partner: np.ndarray
    objective: float
    seconds: float
    likeness: np.ndarray
    links: tuple[Links, Links]

    def problem(self) -> Problem:
        """What was maximised, as an integer program is given it.

        Raises:
            RuntimeError: If that gives this alignment another value than the aligner states.
        """
        found = _problem(self.likeness, self.links[0].weighted, self.links[1].weighted)
        value = found.objective(self.partner)
        if abs(value - self.objective) > 1e-6 * max(1, value):
            raise RuntimeError(f"the aligner states {self.objective}, and its objective is {value}")
        return found


def ours(expected: Json, actual: Json) -> Ours:
    """Aligns as ``graph_match`` does before its gate."""
    started = time.perf_counter()
    found = align_graphs(Graph.from_json(expected), Graph.from_json(actual))
    seconds = time.perf_counter() - started
    return Ours(found.partner, found.objective, seconds, found.likeness, found.links)


def _problem(likeness: np.ndarray, left: Arcs, right: Arcs) -> Problem:
    """The objective of ``align``, with one arc between two nodes, whatever speaks for it.

    Two arcs are worth the sum of what their common relations are worth; to the aligner an edge
    attribute's value is a relation too, and so is the one that stands for any.
    """
    count = 1 + max([*left.relation, *right.relation], default=0)
    worth = np.zeros(count)
    ends, has = [], []
    for arcs in (left, right):
        worth[arcs.relation] = arcs.worth
        both, rows = np.unique(
            np.stack([arcs.source, arcs.target], axis=1), axis=0, return_inverse=True
        )
        ends.append(both)
        ones = np.ones(len(rows))
        has.append(sparse.csr_matrix((ones, (rows.reshape(-1), arcs.relation)), (len(both), count)))
    return Problem(likeness, *ends, (has[0] @ sparse.diags(worth) @ has[1].T).toarray())


def accuracy(
    partner: Sequence[int] | np.ndarray, expected: Json, actual: Json, truth: Mapping[str, str]
) -> float:
    """The share of the nodes which the copy kept that have the right partner."""
    others = list(actual["nodes"])
    right = sum(
        name in truth and partner[number] >= 0 and others[partner[number]] == truth[name]
        for number, name in enumerate(expected["nodes"])
    )
    return right / len(truth)


def edge_f1(names: dict[str, str], expected: Json, actual: Json) -> float:
    """F1 of the edges: one matches one of its relation between the partners of its ends."""
    moved = Counter(
        (names.get(edge["source"]), edge["type"], names.get(edge["target"]))
        for edge in expected["edges"]
    )
    there = Counter((edge["source"], edge["type"], edge["target"]) for edge in actual["edges"])
    return 2 * (moved & there).total() / max(1, len(expected["edges"]) + len(actual["edges"]))


def named(partner: np.ndarray, expected: Json, actual: Json) -> dict[str, str]:
    """An alignment by number as one by id."""
    others = list(actual["nodes"])
    pairs = zip(expected["nodes"], partner, strict=True)
    return {name: others[number] for name, number in pairs if number >= 0}


@dataclass(frozen=True)
class Run:
    """One solver on one pair of graphs. Without a partner it had found nothing when time was up."""

    partner: np.ndarray | None
    seconds: float
    proven: bool
    objective: float
    ours: float
    """What this package's alignment is worth to this solver."""
    faster: float
    """Its seconds over this package's."""
    right: float
    ours_right: float


def highs(nodes: int, difficulty: str, seed: int, limit: float) -> Run:
    """HiGHS, given the objective of this package's alignment.

    Its seconds are of writing the program and solving it; the likenesses and worths are given.
    """
    expected, actual, truth = pair(nodes, difficulty, seed)
    here = ours(expected, actual)
    problem = here.problem()
    # A process of its own: HiGHS looks at the clock only between its steps.
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        pool.apply(len, ("",))
        started = time.perf_counter()
        try:
            found = pool.apply_async(best, (problem, limit)).get(limit + PEER_SECONDS)
        except multiprocessing.TimeoutError:
            found = Optimum(None, 0.0, np.inf, False)
    seconds = time.perf_counter() - started
    right = 0.0 if found.partner is None else accuracy(found.partner, expected, actual, truth)
    # Nothing aligned is an alignment too, of no use to anyone.
    empty = found.partner is None or found.objective <= 0
    return Run(
        None if empty else found.partner,
        seconds,
        found.proven,
        found.objective,
        here.objective,
        seconds / here.seconds,
        right,
        accuracy(here.partner, expected, actual, truth),
    )


def peer(name: str, python: Path, nodes: int, difficulty: str, seed: int, limit: float) -> Run:
    """A solver of ``alignment_peers.py``, run by another Python, given nothing but the graphs.

    networkx is given the likeness of the nodes as well, by ``attribute_similarity``.

    Raises:
        RuntimeError: If it fails. To find nothing in time is no failure.
    """
    expected, actual, truth = pair(nodes, difficulty, seed)
    here = ours(expected, actual)
    sides = expected, actual
    problem: Json = {"seconds": limit}
    if name == "networkx":
        problem["cost"] = (1 - attribute_similarity(expected, actual)).tolist()
        problem["edges"] = [_numbered(side) for side in sides]
    else:
        problem["triples"] = [triples(side) for side in sides]
    command = [str(python), str(Path(__file__).with_name("alignment_peers.py")), name]
    started = time.perf_counter()
    try:
        done = subprocess.run(
            command,
            input=json.dumps(problem),
            capture_output=True,
            text=True,
            timeout=limit + PEER_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        answer = {"pairs": [], "seconds": time.perf_counter() - started, "bound": None}
    else:
        if done.returncode:
            raise RuntimeError(f"{name} failed:\n{done.stderr[-2000:]}")
        answer = json.loads(done.stdout)
    partner = _numbers(answer["pairs"], expected, actual, by_name=name != "networkx")
    value = _edit_similarity if name == "networkx" else _smatch
    scored = [value(side, expected, actual, problem) for side in (partner, here.partner)]
    return Run(
        partner if answer["pairs"] else None,
        answer["seconds"],
        answer["bound"] is not None and abs(answer["bound"] - answer["objective"]) < 1e-6,
        *scored,
        answer["seconds"] / here.seconds,
        accuracy(partner, expected, actual, truth),
        accuracy(here.partner, expected, actual, truth),
    )


def triples(graph: Json) -> list[tuple[str, str, str]]:
    """A graph as AMR writes one: instance, attribute and relation triples, no two alike.

    A node's type is its concept. An attribute gives one triple per word of its value, as AMR's
    ``:op1 "New" :op2 "York"`` do, so that a typo costs a word and not the whole text: smatchpp
    compares triples by equality. Constants are in quotes, which no node's id is. Edge attributes
    have no place there, and parallel edges of one relation are one triple.
    """
    found = []
    for name, node in graph["nodes"].items():
        found.append((name, ":instance", f'"{"+".join(node["types"])}"'))
        for attribute, value in node["attributes"].items():
            found += [(name, f":{attribute}", f'"{word}"') for word in str(value).lower().split()]
    found += [(edge["source"], f":{edge['type']}", edge["target"]) for edge in graph["edges"]]
    return list(dict.fromkeys(found))


def _smatch(partner: np.ndarray, expected: Json, actual: Json, problem: Json) -> float:
    """How many triples an alignment matches: smatchpp's objective."""
    names = named(partner, expected, actual)
    left, right = problem["triples"]
    moved = {
        (names.get(subject), relation, names.get(target) if target[0] != '"' else target)
        for subject, relation, target in left
    }
    return float(len(moved & set(right)))


def _edit_similarity(partner: np.ndarray, expected: Json, actual: Json, problem: Json) -> float:
    """What an alignment saves of the cost of removing all of one graph and adding all of the other.

    A pair of nodes costs what it costs (at most a removal and an addition); an edge between paired
    nodes costs nothing where it meets one of its relation. The larger, the better, as with the
    other objectives.
    """
    rows = np.flatnonzero(partner >= 0)
    cost = np.array(problem["cost"])
    saved = float(np.maximum(1 - cost[rows, partner[rows]], 0).sum())
    left, right = (Counter(map(tuple, side)) for side in problem["edges"])
    moved: Counter[tuple[int, str, int]] = Counter()
    for (source, relation, target), count in left.items():
        moved[int(partner[source]), relation, int(partner[target])] += count
    return saved + (moved & right).total()


def _numbered(graph: Json) -> list[tuple[int, str, int]]:
    place = {name: number for number, name in enumerate(graph["nodes"])}
    return [(place[edge["source"]], edge["type"], place[edge["target"]]) for edge in graph["edges"]]


def _numbers(pairs: list[list[Any]], expected: Json, actual: Json, *, by_name: bool) -> np.ndarray:
    partner = np.full(len(expected["nodes"]), -1)
    left, right = (
        {name: number for number, name in enumerate(side["nodes"])} for side in (expected, actual)
    )
    for one, other in pairs:
        partner[left[one] if by_name else one] = right[other] if by_name else other
    return partner


def peers(folder: Path) -> Path:
    """The Python of the environment that has the peers, which is made where it is missing.

    Raises:
        RuntimeError: If they cannot be installed.
    """
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    wanted = folder / "peers.txt"
    if not wanted.exists() or wanted.read_text(encoding="utf-8").split() != list(PEERS):
        venv.create(folder, with_pip=True, clear=True)
        command = [str(python), "-m", "pip", "install", "--quiet", *PEERS]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
        wanted.write_text("\n".join(PEERS), encoding="utf-8")
    return python
