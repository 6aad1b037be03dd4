"""``assert_verified``: what passes, what fails, and what its message is."""

import json
import math
import subprocess
import sys
from functools import partial

import anyio
import pytest

from creel_inspect import assert_verified
from creel_inspect.extract.asserting import implied_grammar
from creel_inspect.extract.files.reading import CorpusError
from creel_inspect.extract.marking.page import page
from creel_inspect.extract.policy.policy import policy_from
from creel_inspect.verify.graph.model import Graph, InvalidGraph
from creel_inspect.verify.protocol import Context
from tests.extract import tiny
from tests.extract.aid import GOLD, GRAMMAR, gold, marked
from tests.extract.test_marking import SOURCES, WHOLE, renamed


def changed(**attributes):
    candidate = gold()
    candidate["nodes"]["p"]["attributes"] |= attributes
    return candidate


def message(*args, **named):
    with pytest.raises(AssertionError) as caught:
        assert_verified(*args, **named)
    return str(caught.value)


def test_the_same_graph_passes_whatever_its_ids_and_whether_it_is_read_already():
    assert_verified(gold(), GOLD)
    assert_verified(renamed(gold()), GOLD)
    assert_verified(Graph.from_json(gold()), Graph.from_json(GOLD))
    assert_verified({"nodes": {}, "edges": []}, {"nodes": {}, "edges": []})


def test_the_message_is_the_page_of_what_was_lost():
    told = message(changed(budget=5000), GOLD, grammar=GRAMMAR)
    under = "policy default; F1 1 is wanted"
    assert told == page(marked(changed(budget=5000)), scored_under=under)
    assert "| node.project\\[p\\].budget | 4600 | 5000 | numeric\\_tolerance |" in told
    # 17 of 18 on both sides.
    assert told.startswith("**F1 0.944**")


def test_the_threshold_is_the_least_f1_and_has_to_be_one():
    assert_verified(changed(budget=5000), GOLD, threshold=17 / 18)
    assert "F1 0.95 is wanted" in message(changed(budget=5000), GOLD, threshold=0.95)
    for bad in (-0.1, 1.1, math.nan):
        with pytest.raises(ValueError, match="threshold"):
            assert_verified(gold(), GOLD, threshold=bad)
    with pytest.raises(ValueError, match="gate"):
        assert_verified(gold(), GOLD, gate="ajar")


@pytest.mark.parametrize(
    "actual", [None, [], "graph", {}, {"nodes": {}}, {"nodes": [], "edges": 1}]
)
def test_what_is_no_graph_fails_and_says_why(actual):
    assert message(actual, GOLD).startswith("expected a graph: ")


def test_an_expected_value_that_is_no_graph_is_an_error_and_no_failed_assertion():
    with pytest.raises(InvalidGraph):
        assert_verified(gold(), {"nodes": {}})


def test_a_graph_that_cannot_be_compared_fails():
    empty = {"nodes": {}, "edges": []}
    told = message({**empty, "directed": False}, empty, threshold=0)
    assert "Not compared" in told
    assert told.startswith("**F1 0.000**")


def test_what_could_not_be_scored_fails_also_below_the_threshold():
    policy = {
        "verifiers": {
            "node.donor.name": {"kind": "llm_rubric", "criterion": "The same.", "steps": ["Read."]}
        }
    }
    told = message(gold(), GOLD, policy, threshold=0)
    assert "something could not be scored" in told
    assert "no\\_judge" in told
    judge = Context(judge=lambda _: "Reason: the same\nScore: 5")
    assert_verified(gold(), GOLD, policy, context=judge)


def test_the_verdict_on_the_whole_counts():
    policy = {"verifiers": {"graph": WHOLE}}
    assert_verified(gold(), GOLD, policy)
    bare = {**gold(), "edges": []}
    assert "The whole graph:" in message(bare, GOLD, policy, threshold=0)


def test_the_policy_may_be_a_mapping_a_path_or_a_policy(tmp_path):
    lenient = {"verifiers": {"node.project.budget": {"kind": "numeric_tolerance", "rel": 0.1}}}
    path = tmp_path / "lenient.yaml"
    path.write_text(json.dumps(lenient))
    for policy in (lenient, path, str(path), policy_from(lenient, "own")):
        assert_verified(changed(budget=4700), GOLD, policy)
        assert_verified(changed(budget=4700), GOLD, policy=policy, grammar=GRAMMAR)
    assert "policy lenient" in message(changed(budget=9), GOLD, path)
    with pytest.raises(CorpusError, match=r"missing\.yaml"):
        assert_verified(gold(), GOLD, tmp_path / "missing.yaml")
    with pytest.raises(Exception, match=r"node\.projet"):
        assert_verified(gold(), GOLD, {"verifiers": {"node.projet.budget": "exact"}})


def test_the_grammar_may_be_a_path_whose_types_inherit(tmp_path):
    folder = tiny.write_corpus(tmp_path / "shelf")
    policy = {"verifiers": {"node.agent": "exact"}}
    told = tiny.gold()
    told["nodes"]["ada"]["attributes"]["name"] = "ada brown"
    for grammar in (folder / "grammar.yaml", str(folder / "grammar.yaml")):
        assert "node.person\\[ada\\].name" in message(told, tiny.gold(), policy, grammar=grammar)
    # Without it, nobody knows that a person is an agent.
    with pytest.raises(Exception, match=r"node\.agent"):
        assert_verified(told, tiny.gold(), policy)


def test_sources_list_what_stands_in_none_and_the_gate_takes_it():
    assert_verified(gold(), GOLD, sources=SOURCES)  # f2's 500 stands nowhere, and is right
    told = message(gold(), GOLD, sources=SOURCES, gate="enforce")
    assert "edge.funds\\[f2\\].amount" in told
    assert "Not grounded" in told
    assert_verified(gold(), GOLD, gate="enforce")  # there is nothing to look in


def test_it_works_where_an_event_loop_is_running():
    async def test():
        assert_verified(gold(), GOLD)
        with pytest.raises(AssertionError, match=r"F1 0\.944"):
            assert_verified(changed(budget=1), GOLD)

    anyio.run(partial(test))


def test_the_implied_grammar_has_the_types_and_the_ranges_of_their_values():
    graph = {
        "nodes": {
            "a": {
                "types": ["x", "y"],
                "attributes": {"n": 1, "t": "a", "b": True, "l": [1, 2], "z": None, "m": "1"},
            },
            "b": {"types": ["x"], "attributes": {"n": 1.5, "z": 3, "m": 2}},
        },
        "edges": [{"id": "e", "type": "r", "source": "a", "target": "b", "attributes": {"w": 1}}],
    }
    found = implied_grammar(Graph.from_json(graph))
    ranges = {
        name: (one.range, one.multivalued) for name, one in found.nodes["x"].attributes.items()
    }
    assert ranges == {
        "n": ("float", False),  # 1.5 is one, and 0.1 + 0.2 is to be 0.3
        "t": ("string", False),
        "b": ("boolean", False),
        "l": ("decimal", True),
        "z": ("decimal", False),
        "m": ("string", False),
    }
    assert found.edges["r"].attributes["w"].range == "decimal"
    assert set(found.nodes) == {"x", "y"}


VALUES = [
    ({"a": True}, {"a": 1}),
    ({"a": [1, "x"]}, {"a": [1, "y"]}),
    ({"a": {"b": [1]}}, {"a": {"b": [2]}}),
    ({"a": []}, {"a": [1]}),
    ({"a": [{"b": 1}]}, {"a": [{"b": 2}]}),
    ({"a": [[1]]}, {"a": [[2]]}),
    ({"a": 0}, {"a": False}),
    ({"a.b c[1]": "x"}, {"a.b c[1]": "y"}),
    ({"": "x"}, {"": "y"}),
]


@pytest.mark.parametrize(("said", "other"), VALUES, ids=range(len(VALUES)))
@pytest.mark.parametrize("kind", ["thing", "a.b", "Ding ü", "graph", "x[1]"])
def test_any_json_value_in_any_type_passes_against_itself_and_fails_against_another(
    said, other, kind
):
    def graph(attributes):
        # More than one node has it, with values of several kinds.
        one = {"types": [kind], "attributes": {"name": "Anna of the Lake", "place": "here"}}
        two = {"types": [kind], "attributes": {"name": "Bert of the Hill", "place": "there"}}
        one["attributes"] |= attributes
        two["attributes"] |= dict.fromkeys(attributes, "text")
        return {"nodes": {"1": one, "2": two}, "edges": []}

    assert_verified(graph(said), graph(said))
    assert "What lost points" in message(graph(other), graph(said))


def test_it_needs_no_inspect():
    code = (
        "import sys\n"
        "from creel_inspect import assert_verified\n"
        "graph = {'nodes': {'a': {'types': ['x'], 'attributes': {'n': 1}}}, 'edges': []}\n"
        "assert_verified(graph, graph)\n"
        "try:\n"
        "    assert_verified({'nodes': {}, 'edges': []}, graph)\n"
        "except AssertionError:\n"
        "    pass\n"
        "print([name for name in sys.modules if name.startswith('inspect_ai')])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
