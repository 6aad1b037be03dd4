"""One extraction under one policy: its entries, its metadata, and what they are in odd cases."""

import json
import math
from copy import deepcopy

import anyio
import pytest

from creel_inspect.extract.corpus.corpus import load_corpus
from creel_inspect.extract.extractors.outcomes import Outcome
from creel_inspect.extract.marking.marking import Mark
from creel_inspect.extract.policy.policy import load_policy, policy_from
from creel_inspect.extract.samples import case_from, to_sample
from creel_inspect.extract.scored import (
    Extracted,
    is_scored,
    mark_json,
    resolution_for,
    score_case,
    scorer_fingerprint,
)
from creel_inspect.verify.protocol import Verifier, passing
from tests.extract import tiny

SAYS = 16
"""What the gold of ``one-book`` says: ada 1 + 2, rain 1 + 4, each of two edges 3 + 1."""
EMPTY = tiny.graph()


@pytest.fixture
def corpus(tmp_path):
    return load_corpus(str(tiny.write_corpus(tmp_path / "shelf")))


@pytest.fixture
def score(corpus):
    cases = {case.id: to_sample(case, corpus) for case in corpus.cases}

    def score(graph, name="one-book", policy="strict", outcome="extracted", evidence=None, **more):
        sample = cases[name]
        case = case_from(sample.metadata, sample.target)
        if isinstance(policy, str):
            policy = load_policy(policy, corpus.folder)
        else:
            policy = policy_from(policy, "own")
        extracted = Extracted(Outcome(outcome), graph, evidence or {}, more.pop("notes", ()))

        async def run():
            return await score_case(case, extracted, policy, **more)

        return anyio.run(run)

    return score


def test_gold_scores_1_in_every_entry(score):
    found = score(tiny.gold(), evidence=tiny.evidence())
    assert found.value() == {
        "f1": 1,
        "f1_low": 1,
        "f1_high": 1,
        "precision": 1,
        "recall": 1,
        "macro_f1": 1,
        "coverage": 1,
        "extracted": 1,
        "matched": SAYS,
        "expected": SAYS,
        "came": SAYS,
        "unscored": 0,
        "marks": SAYS,
        "ungrounded": 0,
        "nodes_f1": 1,
        "edges_f1": 1,
        "attributes_f1": 1,
        "node.book": 1,
        "node.person": 1,
        "edge.borrowed": 1,
        "edge.wrote": 1,
    }
    assert (found.submitted, found.measured) == (True, True)


def test_two_values_wrong_and_one_edge_missing(score):
    # 4 of borrowed missing, city and published wrong: 10 right of 16 expected, 12 came.
    graph = tiny.gold()
    graph["edges"].pop()
    graph["nodes"]["ada"]["attributes"]["city"] = "York"
    graph["nodes"]["rain"]["attributes"]["published"] = "2021-05-03"
    value = score(graph, gate="off").value()
    assert (value["matched"], value["expected"], value["came"]) == (10, 16, 12)
    assert value["f1"] == pytest.approx(20 / 28)
    # person 2 of 3, book 4 of 5, wrote 4 of 4, borrowed 0 of 4.
    assert value["macro_f1"] == pytest.approx((2 / 3 + 4 / 5 + 1 + 0) / 4)
    assert value["edges_f1"] == pytest.approx(2 * 3 / (6 + 3))
    assert value["attributes_f1"] == pytest.approx(2 * 5 / (8 + 7))
    assert (value["node.person"], value["edge.borrowed"]) == (pytest.approx(2 / 3), 0)


def test_an_override_of_the_case_counts(score):
    # 212 pages, give or take 2; strict would want them exact.
    graph = tiny.gold()
    graph["nodes"]["rain"]["attributes"]["pages"] = 214
    assert score(graph).value()["f1"] == 1
    graph["nodes"]["rain"]["attributes"]["pages"] = 215
    assert score(graph).value()["matched"] == SAYS - 1


def test_an_empty_graph_is_right_where_nothing_is_expected_and_worth_nothing_elsewhere(score):
    assert score(EMPTY, "nothing-said").value()["f1"] == 1
    value = score(EMPTY).value()
    assert (value["f1"], value["extracted"], value["expected"], value["came"]) == (0, 1, SAYS, 0)


BAD = ["malformed", "no_call", "truncated", "safety_refused", "extractor_failed"]


@pytest.mark.parametrize("outcome", BAD)
@pytest.mark.parametrize("name", ["one-book", "nothing-said"])
@pytest.mark.parametrize("graph", [None, EMPTY, tiny.gold()])
def test_without_a_graph_every_rate_is_0_also_where_nothing_is_expected(
    score, outcome, name, graph
):
    found = score(graph, name, outcome=outcome)
    value = found.value()
    rates = [value[key] for key in ("f1", "precision", "recall", "macro_f1", "extracted")]
    assert rates == [0] * 5
    assert value["expected"] == (SAYS if name == "one-book" else 0)
    assert value["came"] == 0
    text = found.explanation()
    assert f"No graph: {outcome}." in text
    assert "**F1 0.000**" in text
    assert "Nothing lost a point" not in text


@pytest.mark.parametrize(
    "graph",
    [
        None,
        {},
        {"nodes": {}},
        {"nodes": [], "edges": []},
        tiny.graph({"a": {"types": "person", "attributes": {}}}),
        tiny.graph({}, [tiny.edge("e", "wrote", "a", "b")]),
        tiny.graph(
            {"a": tiny.node("person")},
            [tiny.edge("e", "wrote", "a", "a"), tiny.edge("e", "wrote", "a", "a")],
        ),
        {**tiny.gold(), "score": 1.0},
    ],
)
def test_what_is_no_graph_is_malformed_whatever_the_extractor_says(score, graph):
    for name in ("one-book", "nothing-said"):
        found = score(graph, name)
        assert found.outcome is Outcome.MALFORMED
        assert found.value()["f1"] == 0
        assert found.notes[0].startswith("no graph: ")


def test_a_graph_that_cannot_be_compared_is_worth_nothing(score):
    found = score({**EMPTY, "directed": False}, "nothing-said")
    assert not found.submitted
    assert found.value()["f1"] == 0
    assert "**F1 0.000**" in found.explanation()


def entries(found):
    return set(found.value())


WHOLE = {"kind": "schema_constraint", "schema": {"properties": {"edges": {"minItems": 1}}}}
TEXTS_ALONE = {"verifiers": {"graph": WHOLE}, "defaults": {}}


@pytest.mark.parametrize("policy", [None, "strict", TEXTS_ALONE, {"defaults": {}}])
def test_the_entries_are_the_same_whatever_came(score, policy):
    invented = tiny.gold()
    invented["nodes"]["z"] = tiny.node("person", name="Zed")
    invented["edges"].append(tiny.edge("z", "unheard-of", "z", "rain"))
    reworded = tiny.gold()
    reworded["nodes"]["ada"]["attributes"] = {"name": "A. Brown", "city": "the city of Leeds"}
    all_of = [
        score(tiny.gold(), policy=policy),
        score(EMPTY, policy=policy),
        score(None, policy=policy, outcome="malformed"),
        score(invented, policy=policy),
        score(reworded, policy=policy),
        score({**tiny.gold(), "directed": False}, policy=policy),
    ]
    assert {frozenset(entries(one)) for one in all_of} == {frozenset(entries(all_of[0]))}


def test_the_verdict_on_the_whole_is_an_entry_where_the_policy_asks_for_one(score):
    policy = {"verifiers": {"graph": WHOLE}}
    assert score(tiny.gold(), policy=policy).value()["graph_passed"] == 1
    bare = {**tiny.gold(), "edges": []}
    assert score(bare, policy=policy).value()["graph_passed"] == 0
    assert score(None, policy=policy, outcome="malformed").value()["graph_passed"] == 0
    judged = {"verifiers": {"graph": {"kind": "llm_rubric", "criterion": "It is plausible."}}}
    assert math.isnan(score(tiny.gold(), policy=judged).value()["graph_passed"])
    assert "graph_passed" not in score(tiny.gold()).value()


def test_an_element_of_which_nothing_was_measured_is_nan_and_no_1(score):
    # Every attribute goes to a judge, and there is none.
    judged = {"kind": "llm_rubric", "criterion": "The same."}
    found = score(
        tiny.gold(), policy={"verifiers": {"node": judged, "edge": judged}}, name="one-book"
    )
    value = found.value()
    # The case's own override measures the pages.
    assert (value["attributes_f1"], value["unscored"], value["marks"]) == (1, 7, SAYS)
    assert value["coverage"] == pytest.approx(9 / 16)
    graph = tiny.gold()
    for one in (*graph["nodes"].values(), *graph["edges"]):
        one["attributes"].pop("pages", None)
    nothing = score(graph, policy={"verifiers": {"node": judged, "edge": judged}})
    assert nothing.value()["attributes_f1"] == 0  # the pages are missing
    assert nothing.value()["nodes_f1"] == 1


def test_the_metadata_tells_policy_digest_gate_and_every_mark(score, corpus):
    found = score(tiny.gold(), gate="enforce", notes=["of use"])
    said = found.metadata()
    assert (said["policy"], said["gate"], said["outcome"]) == ("strict", "enforce", "extracted")
    assert said["policy_digest"] == load_policy("strict", corpus.folder).digest
    assert len(said["elements"]) == SAYS
    assert said["notes"] == ["of use"]
    assert said["figures"]["micro"]["matched"] == SAYS
    assert said["alignment"] == {"ada": "ada", "rain": "rain"}
    assert json.loads(json.dumps(said, allow_nan=False)) == said


ODD = [math.nan, math.inf, 10**5000, "\ud800", "x" * 1_000_000, {"a": [1] * 10_000}, [[[[]]]]]


@pytest.mark.parametrize("value", ODD, ids=range(len(ODD)))
def test_whatever_a_value_is_a_log_can_hold_what_is_said_of_it(score, value):
    graph = deepcopy(tiny.gold())
    graph["nodes"]["ada"]["attributes"]["city"] = value
    graph["nodes"]["\ud801"] = {"types": ["\udfff"], "attributes": {"\ud802": value}}
    graph["edges"][0]["target"] = "\ud801"
    for policy in ("strict", {"defaults": {}}):
        found = score(graph, policy=policy, notes=["\ud800", "fine"])
        told = json.dumps(found.metadata(), allow_nan=False)
        assert len(told) < 30_000
        told.encode()
        found.explanation().encode()
        city = next(m for m in found.marking.marks if m.path == "node.person[ada].city")
        assert city.state in ("wrong", "unscored")


def test_a_mark_as_json_has_only_what_it_has():
    told = mark_json(
        Mark(path="node.a[x].n", type="node.a", part="node_attributes", state="wrong", expected=0)
    )
    assert told == {
        "path": "node.a[x].n",
        "type": "node.a",
        "part": "node_attributes",
        "state": "wrong",
        "expected": 0,
    }
    empty = mark_json(
        Mark(path="p", type="t", part="graph", state="wrong", expected=False, actual="")
    )
    assert (empty["expected"], empty["actual"]) == (False, "")


def test_a_judge_is_asked_where_the_policy_needs_one(score):
    asked = []

    def judge(prompt):
        asked.append(prompt)
        return "Reason: the same town\nScore: 5"

    graph = tiny.gold()
    graph["nodes"]["ada"]["attributes"]["city"] = "the city of Leeds"
    found = score(graph, policy={"defaults": {}}, judge=judge)
    assert found.value()["f1"] == 1
    assert found.marking.judge.calls == len(asked) > 0
    without = score(graph, policy={"defaults": {}})
    assert without.value()["coverage"] == 15 / 16
    assert without.metadata()["judge"]["calls"] == 0


class Slow(Verifier):
    """Waits, as one that embeds through an API does, and needs no judge."""

    kind = "slow"

    async def acompare(self, actual, expected, context):
        await anyio.sleep(0)
        return passing("in the end")

    @classmethod
    def self_test(cls):
        return []


def test_a_verifier_that_must_be_awaited_is_awaited_without_a_judge(score):
    graph = tiny.gold()
    graph["nodes"]["ada"]["attributes"]["city"] = "York"
    assert score(graph, policy={"verifiers": {"node.person.city": Slow()}}).value()["f1"] == 1


def test_cases_without_overrides_share_a_resolution_and_policies_do_not(corpus):
    sample = to_sample(corpus.cases[0], corpus)
    case = case_from(sample.metadata, sample.target)
    strict, lenient = (load_policy(name, corpus.folder) for name in ("strict", "lenient"))
    assert resolution_for(case, strict) is resolution_for(case, strict)
    assert resolution_for(case, strict) is not resolution_for(case, lenient)


def test_the_fingerprint_changes_with_policy_and_gate_alone(corpus):
    strict, lenient = (load_policy(name, corpus.folder) for name in ("strict", "lenient"))
    prints = {scorer_fingerprint(p, g) for p in (strict, lenient) for g in ("off", "report")}
    assert len(prints) == 4
    assert scorer_fingerprint(strict, "off") == scorer_fingerprint(
        load_policy("strict", corpus.folder), "off"
    )


@pytest.mark.parametrize(
    ("value", "known"),
    [({"f1": 0.5}, True), ({"f1": math.nan}, False), ({}, False), (0.5, False), (None, False)],
)
def test_a_score_of_this_scorer_is_told_by_its_entry(value, known):
    assert is_scored(value) is known
