"""Aligns two graphs with smatchpp or networkx, inside an environment that has them.

``alignment.py`` runs this file with the Python of a virtual environment of its own and speaks with
it in JSON only: smatchpp is under the GPL, so that nothing here may import it or depend on it.

    python alignment_peers.py smatchpp-ilp|smatchpp-climber|networkx < problem.json > answer.json

The problem holds ``seconds`` (the solver's own time limit) and, for smatchpp, ``triples``: the two
graphs as lists of (subject, relation, object); for networkx, ``edges``: the two graphs as lists of
(source, relation, target) with nodes as numbers, and ``cost``: what it costs to turn each node of
the one into each of the other. The answer holds ``pairs`` (of nodes), ``objective``, ``bound`` or
null, and ``seconds`` from the problem to the pairs, imports not counted.

smatchpp is called as its own command does it: ``BasicGraphPairPreparer`` (no compression: it
merges nodes by their label, and a type is a label that many nodes share), ``IDTripleMatcher``, and
its ``GraphAligner`` over the solver, exact (``ILP``, on CBC) or not (``HillClimber``, four
starts). networkx is ``optimize_edit_paths`` on two ``MultiDiGraph``: the last path it has found
when time is up counts. Removing or adding a node or an edge costs a half, so that two nodes are
matched when they are more alike than not; an edge matches one of its relation at no cost.
"""

import json
import os
import random
import sys
import time
from typing import Any

import networkx as nx
from smatchpp import solvers
from smatchpp.align import GraphAligner
from smatchpp.preprocess import BasicGraphPairPreparer
from smatchpp.score import IDTripleMatcher

_ALONE = 0.5


def smatch(problem: dict[str, Any], solver: Any) -> dict[str, Any]:
    """Aligns with a solver of smatchpp's."""
    started = time.perf_counter()
    left, right = ([tuple(triple) for triple in side] for side in problem["triples"])
    first, second, ours, theirs = BasicGraphPairPreparer().prepare_get_vars(left, right)
    aligner = GraphAligner(IDTripleMatcher(), solver)
    found, places, (objective, bound) = aligner.align(first, second, ours, theirs)
    names = {name: place for name, place in places.items() if name.startswith("aa_")}
    others = {place: name for name, place in places.items() if name.startswith("bb_")}
    # The prefixes are the preparer's. An index past the last node of the smaller graph is nobody.
    pairs = [
        (name.removeprefix("aa_"), others[int(found[place])].removeprefix("bb_"))
        for name, place in names.items()
        if int(found[place]) in others
    ]
    return {
        "pairs": pairs if objective > 0 else [],
        "objective": float(objective),
        "bound": None if bound is None or bound >= 10_000_000 else float(bound),
        "seconds": time.perf_counter() - started,
    }


def edit_distance(problem: dict[str, Any]) -> dict[str, Any]:
    """Aligns with networkx's edit distance."""
    started = time.perf_counter()
    cost = problem["cost"]
    sizes = len(cost), len(cost[0])
    graphs = []
    for size, edges in zip(sizes, problem["edges"], strict=True):
        graph = nx.MultiDiGraph()
        graph.add_nodes_from((number, {"number": number}) for number in range(size))
        for source, relation, target in edges:
            graph.add_edge(source, target, relation=relation)
        graphs.append(graph)
    sys.setrecursionlimit(20 * sum(sizes) + 1000)
    paths = nx.optimize_edit_paths(
        *graphs,
        node_subst_cost=lambda a, b: cost[a["number"]][b["number"]],
        edge_subst_cost=lambda a, b: float(a["relation"] != b["relation"]),
        node_del_cost=lambda _: _ALONE,
        node_ins_cost=lambda _: _ALONE,
        edge_del_cost=lambda _: _ALONE,
        edge_ins_cost=lambda _: _ALONE,
        timeout=problem["seconds"],
    )
    pairs, objective = [], None
    for nodes, _, total in paths:
        objective = total
        pairs = [(a, b) for a, b in nodes if a is not None and b is not None]
    seconds = time.perf_counter() - started
    return {"pairs": pairs, "objective": objective, "bound": None, "seconds": seconds}


def main() -> None:
    """Reads a problem from standard input and writes its answer to standard output."""
    answer_to = os.dup(1)
    os.dup2(2, 1)  # CBC writes to standard output as it pleases
    problem = json.load(sys.stdin)
    if sys.argv[1] == "networkx":
        answer = edit_distance(problem)
    else:
        random.seed(0)  # the hill climber's starts
        ilp = sys.argv[1] == "smatchpp-ilp"
        solver = solvers.ILP(max_seconds=problem["seconds"]) if ilp else solvers.HillClimber()
        answer = smatch(problem, solver)
    with os.fdopen(answer_to, "w", encoding="utf-8") as file:
        json.dump(answer, file)


if __name__ == "__main__":
    main()
