import importlib.util
import itertools
import sys
from pathlib import Path

import numpy as np
import pytest

from creel_inspect.verify import build_verifier
from creel_inspect.verify.graph.align import _nearly_assign, align, assign
from creel_inspect.verify.graph.canonical import components, exact_pairs
from creel_inspect.verify.graph.gate import Gate, accepted
from creel_inspect.verify.graph.model import Graph
from creel_inspect.verify.graph.pairing import align_graphs
from creel_inspect.verify.graph.similarity import Similarity
from creel_inspect.verify.graph.structure import Arcs, Structure

from .graphs import graph, renamed


def arcs(rows):
    table = np.array(sorted(set(rows)), dtype=np.int64).reshape(-1, 3)
    worth = np.where(table[:, 2] == 0, 1.0, 0.5)
    return Arcs(table[:, 0], table[:, 1], table[:, 2], worth)


def worth_of(partner, likeness, expected, actual):
    """The objective in plain Python: likeness of pairs, and the worth of edges both graphs have."""
    there = set(zip(actual.source, actual.target, actual.relation, strict=True))
    total = sum(likeness[one, other] for one, other in enumerate(partner) if other >= 0)
    for source, target, relation, worth in zip(
        expected.source, expected.target, expected.relation, expected.worth, strict=True
    ):
        if partner[source] >= 0 and partner[target] >= 0:
            total += worth * ((partner[source], partner[target], relation) in there)
    return float(total)


def drawn(rng, nodes, edges):
    return arcs([(rng.integers(nodes), rng.integers(nodes), rng.integers(2)) for _ in range(edges)])


@pytest.mark.parametrize(("tried", "reached"), [(0, 0.9), (7, 1.0)])
def test_the_alignment_is_never_better_than_the_best_and_nearly_always_as_good(
    monkeypatch, tried, reached
):
    # Of at most so many nodes all alignments are tried; of others steps are taken.
    monkeypatch.setattr("creel_inspect.verify.graph.align._MOST_NODES_TRIED", tried)
    rng = np.random.default_rng(7)
    best_reached, shares = 0, []
    for _ in range(60):
        ours, theirs = int(rng.integers(1, 6)), int(rng.integers(1, 6))
        expected, actual = drawn(rng, ours, 2 * ours), drawn(rng, theirs, 2 * theirs)
        likeness = rng.random((ours, theirs))
        columns = [*range(theirs), *[-1] * max(0, ours - theirs)]
        best = max(
            worth_of(partner, likeness, expected, actual)
            for partner in set(itertools.permutations(columns, ours))
        )
        found = align(likeness, Structure(expected, actual, (ours, theirs)))
        said = worth_of(found.partner, likeness, expected, actual)
        assert found.objective == pytest.approx(said)
        assert said <= best + 1e-9
        best_reached += said >= best - 1e-9
        shares.append(said / best)
    assert best_reached >= reached * 60
    assert np.mean(shares) >= 0.99


def test_the_gradient_is_what_each_pair_adds_and_a_swap_is_worth_slope_and_bend(monkeypatch):
    rng = np.random.default_rng(3)
    nothing = np.zeros((7, 7))
    for _ in range(20):
        expected, actual = drawn(rng, 7, 25), drawn(rng, 7, 25)
        structure = Structure(expected, actual, (7, 7))
        partner = rng.permutation(7)
        slope = structure.gradient(partner)
        before = worth_of(partner, nothing, expected, actual)
        # Every matched edge is counted at both of its ends.
        assert slope[np.arange(7), partner].sum() == pytest.approx(2 * before)
        for one, other in itertools.combinations(range(7), 2):
            swapped = partner.copy()
            swapped[[one, other]] = partner[[other, one]]
            linear = (
                slope[one, partner[other]]
                + slope[other, partner[one]]
                - slope[one, partner[one]]
                - slope[other, partner[other]]
            )
            gain = worth_of(swapped, nothing, expected, actual) - before
            assert linear + structure.bend(one, other, partner) == pytest.approx(gain)
        with monkeypatch.context() as patch:
            for name in ("_MOST_TERMS", "_FEW_TERMS"):
                patch.setattr(f"creel_inspect.verify.graph.structure.{name}", 0)
            assert structure.gradient(partner) == pytest.approx(slope)


def test_pairs_that_stand_out_are_assigned_first_and_the_others_among_what_is_left(monkeypatch):
    monkeypatch.setattr("creel_inspect.verify.graph.align._MANY", 0)
    worth = np.array([[9.0, 1, 1, 1], [1, 4, 4, 0], [2, 4, 3, 0]])
    # 0–0 stands out. The rest is tied: 1–2 and 2–1 are worth 8, 1–1 and 2–2 are worth 7.
    assert _nearly_assign(worth).tolist() == [0, 2, 1]
    assert worth[0, 0] == 9.0


def test_partners_are_never_shared():
    rng = np.random.default_rng(1)
    for shape in ((5, 3), (3, 5), (4, 4)):
        partner = align(
            rng.random(shape), Structure(drawn(rng, shape[0], 6), drawn(rng, shape[1], 6), shape)
        ).partner
        taken = partner[partner >= 0].tolist()
        assert len(taken) == len(set(taken)) == min(shape)


def test_an_assignment_leaves_rows_without_a_partner_where_columns_run_out():
    assert assign(np.array([[1.0], [3.0], [2.0]])).tolist() == [-1, 0, -1]


def alike(attributes, types=None, comparable=None):
    values = np.array(attributes, dtype=float)
    return Similarity(
        values,
        values,
        np.ones_like(values) if types is None else np.array(types, dtype=float),
        np.ones(values.shape, dtype=bool) if comparable is None else np.array(comparable),
    )


def test_the_gate_spreads_along_matched_edges_only():
    # 0 is an anchor; 1 is linked to it in both graphs; 2 in one only; 3 is too unlike.
    likeness = np.diag([0.5, 0.2, 0.4, 0.1])
    expected = arcs([(0, 1, 0), (0, 2, 0), (0, 3, 0)])
    actual = arcs([(0, 1, 0), (0, 2, 1), (0, 3, 0)])
    partner = np.arange(4)
    assert accepted(partner, alike(likeness), expected, actual, Gate()).tolist() == [
        True, True, False, False,
    ]  # fmt: skip
    other_types = 1 - np.diag([1.0, 0, 0, 0])
    assert not accepted(partner, alike(likeness, other_types), expected, actual, Gate()).any()


def test_a_pair_with_nothing_to_compare_needs_a_neighbour_and_a_type():
    comparable = [[True, True, True], [True, False, True], [True, True, False]]
    types = np.diag([1.0, 1.0, 0.0])
    both = arcs([(0, 1, 0), (0, 2, 0)])
    likeness = np.diag([0.9, 0.0, 0.0])
    partner = np.arange(3)
    found = accepted(partner, alike(likeness, types, comparable), both, both, Gate())
    assert found.tolist() == [True, True, False]
    none = arcs([])
    alone = accepted(partner, alike(likeness, types, comparable), none, none, Gate())
    assert alone.tolist() == [True, False, False]


def test_components_that_are_the_same_are_paired_off_and_others_left():
    ring = [("0", "r", "1"), ("1", "r", "2"), ("2", "r", "0")]
    expected = Graph.from_json(graph({n: ("x", {}) for n in "0123"}, ring))
    actual = Graph.from_json(
        renamed(graph({n: ("x", {}) for n in "01234"}, [*ring, ("3", "r", "4")]))
    )
    pairs, left, others = exact_pairs(*components(expected, actual))
    assert sorted(pairs) == ["0", "1", "2"]
    assert left == ["3"]
    assert len(others) == 2


def test_the_ungated_alignment_is_by_place_and_worth_what_the_verdict_says():
    expected, actual, _ = GRAPHS.pair(60, "medium", 4)
    found = align_graphs(Graph.from_json(expected), Graph.from_json(actual))
    value = worth_of(found.partner, found.likeness, *(side.weighted for side in found.links))
    assert found.objective == pytest.approx(value)
    verdict = build_verifier("graph_match", verifiers={"default": "exact"}).verify(actual, expected)
    assert verdict.details["objective"] == pytest.approx(value)
    names = dict(zip(expected["nodes"], found.partner, strict=True))
    others = list(actual["nodes"])
    believed = verdict.details["alignment"]
    assert all(others[names[name]] == other for name, other in believed.items())


def _benchmark():
    path = Path(__file__).parents[3] / "benchmarks" / "graphs.py"
    spec = importlib.util.spec_from_file_location("benchmark_graphs", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


GRAPHS = _benchmark()


@pytest.mark.parametrize("nodes", [20, 100])
def test_unrelated_graphs_share_almost_no_edges(nodes):
    verifier = build_verifier("graph_match", verifiers={"default": "exact"})
    scores = [
        verifier.verify(actual, expected).details["edges"]["f1"]
        for expected, actual in (GRAPHS.unrelated(nodes, seed) for seed in range(6))
    ]
    assert np.mean(scores) < 0.08


@pytest.mark.parametrize(("difficulty", "right"), [("easy", 0.99), ("medium", 0.96)])
def test_noisy_copies_are_aligned(difficulty, right):
    verifier = build_verifier("graph_match", verifiers={"default": "exact"})
    expected, actual, truth = GRAPHS.pair(100, difficulty, 1)
    found = verifier.verify(actual, expected).details["alignment"]
    said = [found[name] == truth.get(name) for name in found]
    assert np.mean(said) >= right


def test_a_sample_of_a_hundred_nodes_is_the_same_whatever_its_ids():
    verifier = build_verifier("graph_match", verifiers={"default": "exact"})
    expected, actual, _ = GRAPHS.pair(60, "medium", 3)
    first = verifier.verify(actual, expected)
    again = verifier.verify(renamed(actual, 1), renamed(expected, 2))
    assert again.score == first.score
    assert again.details["parts"] == first.details["parts"]
