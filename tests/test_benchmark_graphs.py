"""The graphs of the alignment benchmark: the same everywhere, and as noisy as they say."""

import importlib.util
import itertools
import json
import subprocess
import sys
from collections import Counter
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from creel_inspect.verify.graph.model import Graph

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"


def load(name):
    spec = importlib.util.spec_from_file_location(f"benchmark_{name}", BENCHMARKS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


alignment = load("alignment")
graphs = load("graphs")
baselines = load("alignment_baselines")

RATES = [field.name for field in fields(graphs.Noise)]
QUIET = dict.fromkeys(RATES, 0.0)


def noisy(monkeypatch, nodes=1500, **rates):
    monkeypatch.setattr(graphs, "NOISE", {"this": graphs.Noise(**{**QUIET, **rates})})
    return graphs.pair(nodes, "this", 0)


def values(pair, names):
    """Each value of these attributes of the surviving nodes, beside what became of it."""
    expected, actual, truth = pair
    return [
        (value, actual["nodes"][other]["attributes"].get(name))
        for node, other in truth.items()
        for name, value in expected["nodes"][node]["attributes"].items()
        if name in names
    ]


def arcs(graph, names, relation=True):
    return Counter(
        (names[edge["source"]], edge["type"] if relation else "", names[edge["target"]])
        for edge in graph["edges"]
    )


def both_arcs(pair, relation=True):
    expected, actual, truth = pair
    survivors = [
        edge for edge in expected["edges"] if edge["source"] in truth and edge["target"] in truth
    ]
    same = {name: name for name in actual["nodes"]}
    return arcs({"edges": survivors}, truth, relation), arcs(actual, same, relation)


def near(count, of, rate):
    """Within four standard deviations of what ``of`` trials give on average."""
    return abs(count - rate * of) <= 4 * (of * rate * (1 - rate)) ** 0.5


def test_the_same_arguments_give_the_same_graphs():
    assert graphs.pair(60, "hard", 7) == graphs.pair(60, "hard", 7)
    assert graphs.unrelated(60, 7) == graphs.unrelated(60, 7)
    assert graphs.pair(60, "hard", 7) != graphs.pair(60, "hard", 8)


def test_another_process_with_another_hash_seed_gives_the_same_graphs():
    code = "import json, graphs; print(json.dumps(graphs.pair(40, 'medium', 3)))"
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=BENCHMARKS,
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert texts == {json.dumps(graphs.pair(40, "medium", 3)) + "\n"}


@pytest.mark.parametrize("difficulty", ["easy", "medium", "hard"])
def test_both_graphs_are_graph_v1_and_the_truth_joins_their_nodes(difficulty):
    expected, actual, truth = graphs.pair(100, difficulty, 0)
    assert len(Graph.from_json(expected).nodes) == 100
    Graph.from_json(actual)
    assert set(truth) <= set(expected["nodes"])
    assert set(truth.values()) <= set(actual["nodes"])
    assert len(set(truth.values())) == len(truth)


@pytest.mark.parametrize("nodes", [8, 20])
def test_the_smallest_graphs_can_be_drawn_with_every_seed(nodes):
    for seed in range(150):
        expected, actual, truth = graphs.pair(nodes, "hard", seed)
        assert len(Graph.from_json(expected).nodes) == nodes
        assert set(truth.values()) <= set(Graph.from_json(actual).nodes)


def test_ids_and_order_say_nothing_of_who_is_who():
    expected, actual, truth = graphs.pair(500, "easy", 0)
    assert not set(expected["nodes"]) & set(actual["nodes"])
    places = {name: place for place, name in enumerate(actual["nodes"])}
    moved = [places[truth[name]] for name in expected["nodes"] if name in truth]
    assert abs(np.corrcoef(moved, range(len(moved)))[0, 1]) < 0.2


def test_three_nodes_in_ten_have_nothing_but_a_status_and_a_priority():
    expected, _, _ = graphs.pair(200, "easy", 0)
    names = [set(node["attributes"]) for node in expected["nodes"].values()]
    assert names.count({"status", "priority"}) == 60
    assert sum({"title", "date", "status", "priority"} <= found for found in names) == 140


def test_a_graph_has_two_edges_per_node_one_in_ten_parallel_and_skewed_degrees():
    expected, _, _ = graphs.pair(2000, "easy", 0)
    pairs = Counter((edge["source"], edge["target"]) for edge in expected["edges"])
    incoming = Counter(edge["target"] for edge in expected["edges"])
    assert len(expected["edges"]) == 4000
    assert 0.08 < sum(count - 1 for count in pairs.values()) / 4000 < 0.14
    assert {edge["source"] for edge in expected["edges"]} == set(expected["nodes"])
    # Dealt out evenly, two a node, one node in a thousand would have eight.
    assert sum(count > 8 for count in incoming.values()) > 40


def test_without_noise_the_copy_says_the_same(monkeypatch):
    pair = expected, actual, truth = noisy(monkeypatch, 200)
    assert len(truth) == len(actual["nodes"]) == 200
    assert all(expected["nodes"][name] == actual["nodes"][truth[name]] for name in truth)
    ours, theirs = both_arcs(pair)
    assert ours == theirs


def test_dropped_and_spurious_nodes_are_as_many_as_said(monkeypatch):
    _, actual, truth = noisy(monkeypatch, dropped_nodes=0.3)
    assert near(1500 - len(truth), 1500, 0.3)
    assert set(actual["nodes"]) == set(truth.values())
    _, actual, truth = noisy(monkeypatch, spurious_nodes=0.2)
    assert (len(truth), len(actual["nodes"])) == (1500, 1800)


def test_wrong_node_types_are_as_many_as_said(monkeypatch):
    expected, actual, truth = noisy(monkeypatch, wrong_node_types=0.2)
    wrong = [
        name
        for name in truth
        if expected["nodes"][name]["types"] != actual["nodes"][truth[name]]["types"]
    ]
    assert near(len(wrong), 1500, 0.2)


def test_dropped_attributes_are_as_many_as_said(monkeypatch):
    found = values(
        noisy(monkeypatch, dropped_attributes=0.3),
        {"title", "description", "date", "amount", "status", "priority"},
    )
    assert near(sum(after is None for _, after in found), len(found), 0.3)
    assert all(after in (before, None) for before, after in found)


@pytest.mark.parametrize(
    ("rate", "names"),
    [
        ("changed_numbers", {"amount", "date"}),
        ("changed_choices", {"status", "priority"}),
    ],
)
def test_changed_values_are_as_many_as_said_and_no_others(monkeypatch, rate, names):
    pair = noisy(monkeypatch, **{rate: 0.25})
    changed = [before != after for before, after in values(pair, names)]
    assert near(sum(changed), len(changed), 0.25)
    others = {"title", "description", "date", "amount", "status", "priority"} - names
    assert all(before == after for before, after in values(pair, others))


def test_typos_are_as_many_as_said(monkeypatch):
    found = values(noisy(monkeypatch, typos=0.4), {"title", "description"})
    words = [
        (one, other)
        for before, after in found
        for one, other in zip(before.split(" "), after.split(" "), strict=True)
    ]
    assert near(sum(one != other for one, other in words), len(words), 0.4)
    assert all(abs(len(one) - len(other)) <= 1 for one, other in words)


def test_dropped_and_spurious_edges_are_as_many_as_said(monkeypatch):
    ours, theirs = both_arcs(noisy(monkeypatch, dropped_edges=0.3))
    assert near((ours - theirs).total(), ours.total(), 0.3)
    assert not theirs - ours
    ours, theirs = both_arcs(noisy(monkeypatch, spurious_edges=0.2))
    assert theirs.total() == 1.2 * ours.total()
    assert not ours - theirs


def test_wrong_relations_are_as_many_as_said_between_the_same_nodes(monkeypatch):
    pair = noisy(monkeypatch, wrong_relations=0.2)
    ends, same_ends = both_arcs(pair, relation=False)
    ours, theirs = both_arcs(pair)
    assert ends == same_ends
    # Of parallel edges, one may take the other's relation by chance: fewer show than were changed.
    assert near((ours - theirs).total(), ours.total(), 0.195)


@pytest.mark.parametrize(("easier", "harder"), [("easy", "medium"), ("medium", "hard")])
def test_every_rate_rises_with_difficulty(easier, harder):
    for rate in RATES:
        assert getattr(graphs.NOISE[easier], rate) < getattr(graphs.NOISE[harder], rate)


def test_unrelated_graphs_share_types_relations_and_attributes_and_no_title():
    sides = graphs.unrelated(300, 0)
    types = [{node["types"][0] for node in side["nodes"].values()} for side in sides]
    relations = [{edge["type"] for edge in side["edges"]} for side in sides]
    names = [
        {name for node in side["nodes"].values() for name in node["attributes"]} for side in sides
    ]
    assert types[0] == types[1] == set(graphs.NODE_TYPES)
    assert relations[0] == relations[1] == set(graphs.RELATIONS)
    assert names[0] == names[1]
    assert Graph.from_json(sides[0]) != Graph.from_json(sides[1])


def test_the_integer_program_finds_what_trying_everything_finds():
    random = np.random.default_rng(0)
    for _ in range(3):
        left, right = (
            np.array(sorted({tuple(random.integers(0, size, 2)) for _ in range(7)}))
            for size in (4, 5)
        )
        worth = random.integers(0, 3, (len(left), len(right))).astype(float)
        problem = baselines.Problem(random.random((4, 5)), left, right, worth)
        most = max(
            problem.objective(np.array(partner)) for partner in itertools.permutations(range(5), 4)
        )
        found = baselines.best(problem, 20)
        assert found.proven
        assert found.objective == pytest.approx(most)


def test_attribute_similarity_is_the_mean_over_the_attributes_that_either_node_has():
    def graph(kind, **attributes):
        return {"nodes": {"n": {"types": [kind], "attributes": attributes}}, "edges": []}

    # Trigrams of "  ab  " and "  ac  ": "  a" is shared, of 4 + 4 - 1.
    left, right = graph("thing", name="ab", size=50, gone="x"), graph("thing", name="ac", size=100)
    [[found]] = baselines.attribute_similarity(left, right)
    assert found == pytest.approx((1 + 1 / 7 + 0.5 + 0) / 4)


def test_a_node_without_a_name_and_without_a_surviving_edge_has_left_no_trace():
    def graph(prefix, *edges):
        attributes = {"a": {"title": "Water"}, "b": {"status": "late"}, "c": {"priority": "low"}}
        return {
            "nodes": {
                prefix + name: {"types": ["risk"], "attributes": said}
                for name, said in attributes.items()
            },
            "edges": [
                {"source": prefix + source, "type": relation, "target": prefix + target}
                for source, relation, target in edges
            ],
        }

    expected = graph("e", ("a", "has", "b"), ("a", "has", "c"))
    truth = {f"e{name}": f"x{name}" for name in "abc"}
    both = graph("x", ("a", "has", "b"), ("a", "has", "c"))
    assert alignment.without_trace(expected, both, truth) == 0
    other = graph("x", ("a", "owns", "b"), ("c", "has", "a"))  # another relation; reversed
    assert alignment.without_trace(expected, other, truth) == 2
    assert alignment.without_trace(expected, graph("x", ("a", "has", "c")), truth) == 1
    gone = {name: truth[name] for name in ("eb", "ec")}  # the named node was dropped
    assert alignment.without_trace(expected, graph("x", ("a", "has", "c")), gone) == 2
