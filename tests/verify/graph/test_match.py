import copy
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from creel_inspect.verify import Context, Verifier, VerifierError, build_verifier
from creel_inspect.verify.graph.model import Graph
from creel_inspect.verify.protocol import failing, passing

from .graphs import graph, renamed


class Same(Verifier):
    """Passes what is the same, when asked by the context's path or not."""

    kind = "same"

    def __init__(self, tolerance=0.0, asks=False):
        self.tolerance, self._asks, self.paths = tolerance, asks, []

    @property
    def asks(self):
        return self._asks

    def compare(self, actual, expected, context):
        self.paths.append(context.path)
        near = isinstance(actual, int | float) and abs(actual - expected) <= self.tolerance
        return passing("same") if near or actual == expected else failing("other")

    @classmethod
    def self_test(cls):
        return []


class Broken(Same):
    """Can measure nothing."""

    kind = "broken"

    def compare(self, actual, expected, context):
        raise VerifierError("the instrument is broken", code="no_judge")


def match(actual, expected, **config):
    config.setdefault("verifiers", {"default": Same()})
    return build_verifier("graph_match", **config).verify(actual, expected)


AMINA = ("person", {"name": "Amina Okello", "age": 40})
WATER = ("project", {"title": "Clean water for Gulu"})
ROADS = ("project", {"title": "Rural roads survey"})
GOLD = graph(
    {"a": AMINA, "w": WATER, "r": ROADS},
    [("a", "leads", "w", {"since": 2019}), ("a", "leads", "r", {"since": 2021})],
)
# What GOLD says: 3 types, 4 node attributes, 2 heads, 2 relations, 2 tails, 2 edge attributes: 15.


def test_a_perfect_extraction_with_other_ids_scores_exactly_one():
    verdict = match(renamed(GOLD, 3), GOLD)
    assert verdict.score == 1.0
    assert verdict.passed
    assert len(verdict.details["alignment"]) == 3


def test_the_alignment_gives_actual_ids_for_expected_ones():
    actual = graph(
        {"p": ROADS, "q": AMINA, "z": WATER},
        [("q", "leads", "z", {"since": 2019}), ("q", "leads", "p", {"since": 2021})],
    )
    assert match(actual, GOLD).details["alignment"] == {"a": "q", "w": "z", "r": "p"}


def figures(part):
    return part["matched"], part["expected"], part["actual"]


def test_a_missing_node_costs_what_it_and_its_edge_say():
    actual = graph({"1": AMINA, "2": WATER}, [("1", "leads", "2", {"since": 2019})])
    verdict = match(actual, GOLD)
    # Missing: 1 type, 1 title, 1 head, 1 relation, 1 tail, 1 date: 9 came and match, of 15.
    assert verdict.score == pytest.approx(2 * 9 / (15 + 9))
    details = verdict.details
    assert figures(details["nodes"]) == (2, 3, 2)
    assert details["nodes"]["precision"] == 1.0
    assert details["nodes"]["recall"] == pytest.approx(2 / 3)
    assert details["nodes"]["f1"] == pytest.approx(0.8)
    assert figures(details["edges"]) == (1, 2, 1)
    assert figures(details["attributes"]) == (4, 6, 4)
    assert [node["id"] for node in details["missing_nodes"]] == ["r"]
    assert details["extra_nodes"] == []
    assert figures(details["by_type"]["nodes"]["project"]) == (1, 2, 1)
    assert figures(details["by_type"]["nodes"]["person"]) == (1, 1, 1)
    assert figures(details["by_type"]["edges"]["leads"]) == (1, 2, 1)


def test_an_invented_node_lowers_precision():
    actual = copy.deepcopy(GOLD)
    actual["nodes"]["x"] = {"types": ["project"], "attributes": {"title": "Moon base"}}
    verdict = match(renamed(actual), GOLD)
    assert verdict.score == pytest.approx(2 * 15 / (15 + 17))
    assert verdict.details["nodes"]["precision"] == pytest.approx(3 / 4)
    assert verdict.details["nodes"]["recall"] == 1.0
    assert not verdict.passed


def test_an_invented_attribute_costs():
    actual = copy.deepcopy(GOLD)
    actual["nodes"]["a"]["attributes"]["email"] = "a@b.c"
    verdict = match(renamed(actual), GOLD)
    assert verdict.score == pytest.approx(2 * 15 / (15 + 16))
    assert not verdict.passed
    assert verdict.details["extra_attributes"] == ["node['a'].email"]


def test_a_wrong_node_type_costs_one_type():
    actual = copy.deepcopy(GOLD)
    actual["nodes"]["w"]["types"] = ["person"]
    verdict = match(renamed(actual), GOLD)
    assert verdict.score == pytest.approx(2 * 14 / (15 + 15))
    assert verdict.details["wrong_types"][0]["expected_node"] == "w"


def test_a_node_with_two_types_has_credit_for_each():
    expected = graph({"a": (("person", "author"), {"name": "Amina Okello"})})
    actual = graph({"b": (("person", "editor"), {"name": "Amina Okello"})})
    # 2 types and 1 attribute on each side; person and the name match.
    assert match(actual, expected).score == pytest.approx(2 * 2 / (3 + 3))


def test_a_type_said_twice_is_said_once_too_often():
    expected = graph({"a": ("person", {"name": "Amina Okello"})})
    actual = graph({"b": (("person", "person"), {"name": "Amina Okello"})})
    assert match(actual, expected).score == pytest.approx(2 * 2 / (2 + 3))


@pytest.mark.parametrize(
    ("edge", "wrong", "lost"),
    [
        (("a", "funds", "w", {"since": 2019}), ["relation"], 1),
        (("a", "leads", "a", {"since": 2019}), ["tail"], 1),
        (("r", "leads", "w", {"since": 2019}), ["head"], 1),
        (("w", "leads", "a", {"since": 2019}), ["head", "tail"], 2),
    ],
)
def test_an_edge_has_credit_for_each_part_that_is_right(edge, wrong, lost):
    actual = renamed(graph({"a": AMINA, "w": WATER, "r": ROADS}, [edge, *_edges(GOLD)[1:]]))
    verdict = match(actual, GOLD)
    assert verdict.score == pytest.approx(2 * (15 - lost) / 30)
    assert verdict.details["wrong_edges"][0]["wrong"] == wrong
    assert figures(verdict.details["edges"]) == (1, 2, 2)


def _edges(value):
    return [(e["source"], e["type"], e["target"], e["attributes"]) for e in value["edges"]]


def test_parallel_edges_that_differ_in_one_amount_are_all_told_apart():
    pays = [("a", "pays", "w", {"amount": amount}) for amount in (100, 200, 300)]
    expected = graph({"a": AMINA, "w": WATER}, pays)
    assert (
        match(
            graph(
                {"1": AMINA, "2": WATER},
                [("1", *edge[1:2], "2", edge[3]) for edge in reversed(pays)],
            ),
            expected,
        ).score
        == 1.0
    )
    actual = graph({"a": AMINA, "w": WATER}, [*pays[:2], ("a", "pays", "w", {"amount": 301})])
    verdict = match(actual, expected)
    # 2 types, 3 node attributes, 9 edge parts, 3 amounts: 17, of which one amount is wrong.
    assert verdict.score == pytest.approx(2 * 16 / 34)
    assert [one["path"] for one in verdict.details["wrong_attributes"]] == ["edge.pays[e2].amount"]


def test_two_copies_of_one_edge_are_not_two_edges():
    pays = [("a", "pays", "w", {"amount": amount}) for amount in (100, 200)]
    expected = graph({"a": AMINA, "w": WATER}, pays)
    assert not match(graph({"a": AMINA, "w": WATER}, [pays[0], pays[0]]), expected).passed
    assert not match(graph({"a": AMINA, "w": WATER}, [*pays, pays[0]]), expected).passed


def test_parallel_edges_are_assigned_with_their_verifiers_and_optimally():
    # Within 1: 10 fits 10.8 only with 10 or above 9.8; 9.2 fits 10 but not 10.8. Taking the equal
    # pair 10–10 first would leave 9.2 and 10.8, which do not fit.
    def pays(*amounts):
        edges = [("a", "pays", "w", {"amount": amount}) for amount in amounts]
        return graph({"a": AMINA, "w": WATER}, edges)

    near = {"default": Same(tolerance=1.0)}
    assert match(pays(10.8, 10), pays(10, 9.2), verifiers=near).score == 1.0


def test_multiplicity_counts_identical_nodes_without_edges():
    expected = graph({str(n): ("box", {"colour": "red"}) for n in range(5)})
    actual = graph({str(n): ("box", {"colour": "red"}) for n in range(3)})
    verdict = match(actual, expected)
    assert figures(verdict.details["nodes"]) == (3, 5, 3)
    assert verdict.score == pytest.approx(2 * 6 / (10 + 6))


ANONYMOUS = {
    "a single node": graph({"a": ("x", {})}),
    "a node without a type": graph({"a": ((), {})}),
    "a loop": graph({"a": ("x", {})}, [("a", "r", "a")]),
    "a ring": graph(
        {str(n): ("x", {}) for n in range(6)}, [(str(n), "r", str((n + 1) % 6)) for n in range(6)]
    ),
    "two triangles": graph(
        {str(n): ("x", {}) for n in range(6)},
        [(str(n), "r", str(n // 3 * 3 + (n + 1) % 3)) for n in range(6)],
    ),
    "a star": graph(
        {str(n): ("x", {}) for n in range(9)}, [("0", "r", str(n)) for n in range(1, 9)]
    ),
    "parallel": graph({"a": ("x", {}), "b": ("x", {})}, [("a", "r", "b")] * 3),
    "alone": graph({str(n): ("x", {}) for n in range(7)}),
    "parts": graph(
        {str(n): ("x", {}) for n in range(8)},
        [("0", "r", "1"), ("1", "r", "2"), ("3", "r", "4"), ("5", "s", "6")],
    ),
    "no directions": graph(
        {str(n): ("x", {}) for n in range(4)},
        [("0", "r", "1"), ("2", "r", "1"), ("2", "r", "3")],
        directed=False,
    ),
}


@pytest.mark.parametrize("name", ANONYMOUS)
@pytest.mark.parametrize("seed", range(3))
def test_graphs_without_attributes_score_one_against_themselves(name, seed):
    verdict = match(renamed(ANONYMOUS[name], seed), ANONYMOUS[name])
    assert verdict.score == 1.0
    assert verdict.details["edges"]["f1"] == 1.0


def test_two_triangles_are_not_a_ring_of_six():
    assert not match(ANONYMOUS["two triangles"], ANONYMOUS["a ring"]).passed


def test_without_anything_that_tells_nodes_apart_all_but_a_copy_scores_nothing():
    one_edge_less = {**ANONYMOUS["a ring"], "edges": ANONYMOUS["a ring"]["edges"][1:]}
    assert match(one_edge_less, ANONYMOUS["a ring"]).score == 0.0


def test_anonymous_nodes_are_accepted_next_to_accepted_ones():
    nodes = {"a": AMINA, "w": WATER, "x": ("event", {}), "y": ("place", {})}
    edges = [("a", "attends", "x"), ("x", "in", "y"), ("a", "leads", "w", {"since": 2019})]
    expected = graph(nodes, edges)
    actual = graph({**nodes, "w": ("project", {"title": "Something quite different"})}, edges)
    verdict = match(renamed(actual), expected)
    assert {"a", "x", "y"} <= verdict.details["alignment"].keys()


def test_undirected_edges_have_no_first_end():
    expected = graph({"a": AMINA, "w": WATER}, [("a", "r", "w")], directed=False)
    actual = graph({"a": AMINA, "w": WATER}, [("w", "r", "a")], directed=False)
    assert match(actual, expected).score == 1.0
    verdict = match({**actual, "directed": True}, expected)
    assert not verdict.passed
    assert "undirected" in verdict.reason


def test_two_empty_graphs_are_the_same_and_one_is_nothing():
    empty = graph({})
    assert match(empty, empty).score == 1.0
    assert match(empty, GOLD).score == 0.0
    assert match(GOLD, empty).score == 0.0


@pytest.mark.parametrize(
    "actual",
    [None, True, 3, "text", [], {}, {"nodes": [], "edges": []}, {"nodes": {}, "edges": {}},
     graph({"a": AMINA}, [("a", "r", "b")]), {**GOLD, "extra": 1}, float("nan")],
)  # fmt: skip
def test_what_is_no_graph_fails_with_a_reason(actual):
    verdict = match(actual, GOLD)
    assert not verdict.passed
    assert verdict.score == 0.0
    assert "graph" in verdict.reason


def test_an_expected_value_that_is_no_graph_is_not_measured():
    with pytest.raises(VerifierError) as caught:
        match(GOLD, {"nodes": 1})
    assert caught.value.code == "expected_invalid"


def test_a_candidate_too_large_fails_and_an_expected_graph_too_large_is_not_measured():
    huge = graph({str(n): ("x", {}) for n in range(5_001)})
    verdict = match(huge, GOLD)
    assert not verdict.passed
    assert "5,001 nodes" in verdict.reason
    with pytest.raises(VerifierError) as caught:
        match(GOLD, huge)
    assert caught.value.code == "too_large"


def test_nan_in_a_candidate_matches_nothing():
    expected = graph({"a": ("x", {"title": "Clean water", "cost": 5})})
    actual = graph({"a": ("x", {"title": "Clean water", "cost": float("nan")})})
    verdict = match(actual, expected)
    assert figures(verdict.details["attributes"]) == (1, 2, 2)


def test_true_is_not_one():
    expected = graph({"a": ("x", {"title": "Clean water", "open": True})})
    actual = graph({"a": ("x", {"title": "Clean water", "open": 1})})
    verdict = match(actual, expected, verifiers={})
    assert figures(verdict.details["attributes"]) == (1, 2, 2)


def test_weights_change_what_counts():
    actual = copy.deepcopy(GOLD)
    actual["nodes"]["w"]["types"] = ["person"]
    assert match(actual, GOLD, weights={"node_type": 0}).score == 1.0
    only = dict.fromkeys(
        ("node_attributes", "edge_head", "edge_relation", "edge_tail", "edge_attributes"), 0
    )
    assert match(actual, GOLD, weights=only).score == pytest.approx(2 / 3)
    # Twice the weight for types: 2·(2·2 + 12) / (2·6 + 24)
    assert match(actual, GOLD, weights={"node_type": 2}).score == pytest.approx(32 / 36)


def test_a_fault_that_weighs_almost_nothing_is_still_no_perfect_score():
    actual = copy.deepcopy(GOLD)
    actual["nodes"]["w"]["types"] = ["person"]
    verdict = match(actual, GOLD, weights={"node_type": 1e-30})
    assert verdict.score < 1.0
    assert not verdict.passed


@pytest.mark.parametrize(
    "config",
    [
        {"threshold": True}, {"threshold": "0.8"}, {"threshold": 1.1}, {"threshold": float("nan")},
        {"weights": {"nodes": 1}}, {"weights": {"node_type": -1}},
        {"weights": {"node_type": float("inf")}}, {"weights": {"node_type": True}},
        {"weights": dict.fromkeys(("node_type", "node_attributes", "edge_head", "edge_relation",
                                   "edge_tail", "edge_attributes"), 0)},
        {"gate": {"anchor": 0.1, "spread": 0.2}}, {"gate": {"anchor": 2}}, {"gate": {"other": 1}},
        {"gate": {"spread": True}}, {"verifiers": {"nodes.person": "exact"}},
        {"verifiers": {"node.": "exact"}}, {"verifiers": {"default": "no_such"}}, {"more": 1},
    ],
)  # fmt: skip
def test_a_configuration_that_makes_no_sense_is_refused(config):
    with pytest.raises(VerifierError) as caught:
        build_verifier("graph_match", **config)
    assert caught.value.code == "bad_config"


def test_what_could_not_be_measured_is_left_out():
    verdict = match(
        renamed(GOLD),
        GOLD,
        verifiers={"default": Same(), "node.person.age": Broken()},
        threshold=0.9,
    )
    assert verdict.score == 1.0  # 14 of 14
    assert verdict.passed
    assert verdict.details["bounds"] == [pytest.approx(2 * 14 / 30), 1.0]
    assert verdict.details["unmeasured"] == [
        {"path": "node.person[a].age", "reason": "the instrument is broken", "code": "no_judge"}
    ]


def test_what_could_not_be_measured_and_decides_is_an_error():
    with pytest.raises(VerifierError) as caught:
        match(renamed(GOLD), GOLD, verifiers={"default": Same(), "node.person.age": Broken()})
    assert caught.value.code == "part_not_measured"
    assert "node.person[a].age" in str(caught.value)


def test_a_fail_stands_whatever_could_not_be_measured():
    actual = copy.deepcopy(GOLD)
    actual["nodes"]["w"]["types"] = ["person"]
    verdict = match(actual, GOLD, verifiers={"default": Same(), "node.person.age": Broken()})
    assert not verdict.passed


def test_it_asks_when_an_attributes_verifier_asks():
    assert not build_verifier("graph_match").asks
    judged = build_verifier("graph_match", verifiers={"node.person": Same(asks=True)})
    assert judged.asks
    with pytest.raises(VerifierError) as caught:
        judged.verify(GOLD, GOLD)
    assert caught.value.code == "must_be_awaited"


def test_attributes_are_compared_under_their_path():
    seen = Same()
    match(renamed(GOLD), GOLD, verifiers={"default": seen})
    assert sorted(seen.paths) == [
        "edge.leads[e0].since", "edge.leads[e1].since", "node.person[a].age",
        "node.person[a].name", "node.project[r].title", "node.project[w].title",
    ]  # fmt: skip


def test_order_ids_and_seed_change_nothing_but_the_chance_floor():
    rng = random.Random(5)
    actual = copy.deepcopy(GOLD)
    actual["nodes"]["w"]["attributes"]["title"] = "Clean watr for Gulu"
    actual["edges"].pop()
    first = match(actual, GOLD, gate={"anchor": 0.3})
    for seed in range(4):
        other = renamed(actual, rng.random())
        again = match(other, renamed(GOLD, seed), gate={"anchor": 0.3})
        assert again.score == first.score
        for key in ("nodes", "edges", "attributes", "parts", "by_type", "chance_floor"):
            assert again.details[key] == first.details[key]


NAMES = st.sampled_from(["red", "green", "blue"])
NODES = st.lists(
    st.tuples(st.sampled_from(["x", "y"]), st.dictionaries(st.sampled_from("pq"), NAMES)),
    max_size=7,
)


@st.composite
def graphs(draw):
    nodes = draw(NODES)
    ends = st.integers(0, max(0, len(nodes) - 1)).map(str)
    edges = draw(
        st.lists(
            st.tuples(ends, st.sampled_from("rs"), ends, st.dictionaries(st.just("w"), NAMES)),
            max_size=10 if nodes else 0,
        )
    )
    return graph({str(n): node for n, node in enumerate(nodes)}, edges)


@settings(max_examples=60, deadline=None)
@given(graphs(), st.integers(0, 5))
def test_any_graph_scores_one_against_itself_with_other_ids(value, seed):
    assert match(renamed(value, seed), value).score == 1.0


@settings(max_examples=60, deadline=None)
@given(graphs(), graphs(), st.integers(0, 5))
def test_ids_and_order_never_change_the_score(one, other, seed):
    verdict = match(one, other)
    again = match(renamed(one, seed), renamed(other, seed + 1))
    assert again.score == verdict.score
    assert again.details["objective"] == pytest.approx(verdict.details["objective"])
    assert 0.0 <= verdict.score <= 1.0
    if json.dumps(_content(one)) != json.dumps(_content(other)):
        assert verdict.score < 1.0


def _content(value):
    """What a graph says, ids and structure apart: equal graphs have equal ones."""
    nodes = sorted(json.dumps([n["types"], sorted(n["attributes"].items())])
                   for n in value["nodes"].values())  # fmt: skip
    edges = sorted(json.dumps([e["type"], sorted(e["attributes"].items())])
                   for e in value["edges"])  # fmt: skip
    return nodes, edges


def test_the_packages_own_graph_is_taken():
    assert match(Graph.from_json(renamed(GOLD)), Graph.from_json(GOLD)).score == 1.0


HOSTILE = {
    "1,000 identical nodes": graph({str(n): ("x", {}) for n in range(1_000)}),
    "1,000 identical nodes, but one": graph(
        {"o": ("y", {}), **{str(n): ("x", {}) for n in range(999)}},
        [("o", "r", str(n)) for n in range(998)],
    ),
    "a complete graph": graph(
        {str(n): ("x", {}) for n in range(60)},
        [(str(n), "r", str(m)) for n in range(60) for m in range(60)],
    ),
    "long text": graph({str(n): ("x", {"text": "ab" * 100_000}) for n in range(20)}),
    "thousands of attributes": graph(
        {str(n): ("x", {f"a{n}-{m}": m for m in range(3_000)}) for n in range(3)}
    ),
    "half characters": graph({"\ud800": ("\ud800", {"\udfff": "\ud800" * 10})}),
    "300 parallel edges": graph(
        {"a": ("x", {}), "b": ("y", {})}, [("a", "r", "b", {"n": n}) for n in range(300)]
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_graphs_are_compared(name):
    other = copy.deepcopy(HOSTILE[name])
    first = next(iter(other["nodes"].values()))
    first["attributes"] = {"title": ["other", {"deep": None}]}
    assert match(renamed(HOSTILE[name]), HOSTILE[name]).score == 1.0
    assert match(renamed(other), HOSTILE[name]).score < 1.0


def test_details_are_bounded():
    expected = graph({str(n): ("x", {"title": f"{n} " + "long " * 1_000}) for n in range(300)})
    verdict = match(graph({}), expected)
    assert len(verdict.details["missing_nodes"]) == 50
    assert verdict.details["missing_nodes_more"] == 250
    assert len(json.dumps(verdict.details)) < 50_000


def test_types_past_fifty_are_counted():
    expected = graph(
        {str(n): (f"type {n}", {"title": f"title {n}"}) for n in range(60)}, [("0", "r", "1")]
    )
    tables = match(graph({}), expected).details["by_type"]
    assert len(tables["nodes"]) == len(tables["node_attributes"]) == 50
    assert tables["nodes_more"] == tables["node_attributes_more"] == 10
    assert "edges_more" not in tables


def test_the_chance_floor_is_reported_and_follows_the_seed_alone():
    verdict = match(renamed(GOLD), GOLD)
    floor = verdict.details["chance_floor"]
    assert set(floor) == {"gated", "ungated"}
    assert 0 <= floor["gated"] <= 1
    again = build_verifier("graph_match", verifiers={"default": Same()}).verify(
        renamed(GOLD, 2), renamed(GOLD, 4), context=Context(seed=0)
    )
    assert again.details["chance_floor"] == floor


def test_a_sentence_vouches_for_a_node_whose_only_edge_was_not_found():
    said = "Committees that meet monthly keep their pumps running through the dry season"
    nodes = {
        "p": ("project", {"title": "Wells of Lira"}),
        "q": ("project", {"title": "Roads of Gulu"}),
        "l": ("lesson", {"text": said}),
    }
    gold = graph(nodes, [("p", "learned", "l"), ("q", "follows", "p")])
    without = graph(nodes, [("q", "follows", "p")])
    found = build_verifier("graph_match").verify(renamed(without), gold)
    assert len(found.details["alignment"]) == 3
    # 3 types, 3 attributes, 2 edges of 3 parts; the candidate lacks one edge: 9 of 12 and 9.
    assert found.score == pytest.approx(2 * 9 / (12 + 9))
    # Another sentence vouches for nobody.
    other = "Teachers who are housed near their school stay twice as long as others"
    without = copy.deepcopy(without)
    without["nodes"]["l"]["attributes"]["text"] = other
    found = build_verifier("graph_match").verify(renamed(without), gold)
    assert len(found.details["alignment"]) == 2
