"""What a candidate, a judge or a policy could do to score without knowing; each counted by hand."""

import pytest
from inspect_ai.scorer import SampleScore, Score

from creel_inspect.extract.checks.checking import check_corpus
from creel_inspect.extract.grammar.model import Grammar
from creel_inspect.extract.marking.rollup import f1, roll_up
from creel_inspect.extract.metrics import extraction_metrics
from tests.extract import tiny
from tests.extract.aid import ALL, GOLD, edge, gold, lost, marked, node

YES = "Reason: they are the same\nScore: 5"


def one(marking, path):
    return next(mark for mark in marking.marks if mark.path == path)


# --- no judge overrules what is plainly wrong

RUBRIC = {"kind": "llm_rubric", "criterion": "They say the same.", "steps": ["Compare both."]}
JUDGED = [
    {"defaults": {"any": RUBRIC}},
    {"defaults": {"decimal": RUBRIC, "enum": RUBRIC, "any": "normalized"}},
    {"defaults": {"any": "normalized"}, "verifiers": {"edge.funds": RUBRIC}},
    {
        "defaults": {
            "any": {
                "kind": "composite",
                "mode": "cascade",
                "parts": {"same": "normalized", "judge": RUBRIC},
            }
        }
    },
]


@pytest.mark.parametrize("policy", JUDGED, ids=range(len(JUDGED)))
def test_no_policy_lets_a_judge_call_another_amount_or_currency_right(policy):
    candidate = gold()
    candidate["edges"][0]["attributes"] = {"amount": 3001, "currency": "EUR"}
    found = marked(candidate, policy=policy, judge=lambda _: YES)
    assert lost(found) == ["wrong edge.funds[f1].amount", "wrong edge.funds[f1].currency"]


SAYS_NOTHING = [True, 0, 1e300, "?", "-", "…", [], {}, ["School Meals"], {"value": "School Meals"}]


@pytest.mark.parametrize("value", SAYS_NOTHING, ids=map(repr, SAYS_NOTHING))
@pytest.mark.parametrize("policy", [{"defaults": {"decimal": "exact"}}, JUDGED[3]], ids=["a", "b"])
def test_what_is_no_text_is_wrong_for_a_judged_text_though_no_judge_is_there(value, policy):
    candidate = gold()
    candidate["nodes"]["p"]["attributes"]["title"] = value
    found = marked(candidate, policy=policy)
    assert one(found, "node.project[p].title").state == "wrong"


def test_f1_is_told_beside_what_it_would_be_were_the_unscored_wrong_or_right():
    candidate = gold()
    candidate["nodes"]["p"]["attributes"]["title"] = "Anything at all"
    found = roll_up(marked(candidate, policy={"defaults": {"decimal": "exact"}}).marks)
    # 17 of 17 on both sides are right; the title is a thing on both sides more, right or not.
    assert f1(found.total) == 1
    assert found.bounds == (pytest.approx(2 * 17 / (18 + 18)), 1)
    silent = gold()
    del silent["nodes"]["p"]["attributes"]["title"]
    silent = roll_up(marked(silent, policy={"defaults": {"decimal": "exact"}}).marks)
    # Leaving it out costs one of 18 against 17 that came: above the lower bound of making it up.
    assert f1(silent.total) == pytest.approx(2 * 17 / (18 + 17)) == silent.bounds[0]
    assert silent.bounds[0] > found.bounds[0]


def test_the_gate_makes_an_ungrounded_value_wrong_though_nobody_could_score_it():
    sources = {"note.md": "The Northern Water Fund of Norway pays for Clean Wells for Lira."}
    candidate = gold()
    candidate["nodes"]["p"]["attributes"]["title"] = "Palaces for Lira"
    policy = {"defaults": {"decimal": "exact"}}
    reported = one(marked(candidate, policy=policy, sources=sources), "node.project[p].title")
    assert (reported.state, reported.grounding) == ("unscored", "ungrounded")
    enforced = marked(candidate, policy=policy, sources=sources, gate="enforce")
    title = one(enforced, "node.project[p].title")
    assert (title.state, title.code) == ("wrong", "ungrounded")


def test_a_graph_of_nothing_passes_no_rule_of_the_whole_where_something_was_to_be_found():
    policy = {"verifiers": {"graph": {"kind": "schema_constraint", "graph": {"closed": False}}}}
    empty = {"nodes": {}, "edges": []}
    assert one(marked(empty, policy=policy), "graph").state == "wrong"
    assert one(marked(empty, empty, policy), "graph").state == "right"
    assert one(marked(gold(), policy=policy), "graph").state == "right"


def test_a_judge_is_asked_about_pairs_and_not_to_make_them():
    calls = []

    def judge(prompt):
        calls.append(prompt)
        return YES

    grammar = Grammar.from_json(
        {
            "id": "g",
            "nodes": {"d": {"attributes": {"name": {}}}, "p": {"attributes": {"name": {}}}},
            "edges": {"funds": {"attributes": {"amount": {"range": "decimal"}, "terms": {}}}},
        }
    )

    def graph(say):
        nodes = {"d": node("d", name="Northern Water Fund"), "p": node("p", name="Clean Wells")}
        edges = [edge(f"f{n}", "funds", "d", "p", amount=n, terms=say(n)) for n in range(6)]
        return {"nodes": nodes, "edges": edges}

    expected = graph(lambda n: f"to be paid in the year {n}")
    candidate = graph(lambda n: f"payable within year {n}")
    candidate["edges"].reverse()
    policy = {"defaults": {"decimal": "numeric_tolerance"}, "verifiers": {"node": "normalized"}}
    found = marked(candidate, expected, policy, grammar=grammar, judge=judge)
    assert lost(found) == []
    # Six pairs, by amount; each takes one judgement of three orders.
    assert (len(calls), found.judge.calls, found.judge.asked, found.judge.saved) == (18, 18, 6, 0)


# --- a name that only the policy knows

ALIAS = {"kind": "normalized", "aliases": {"Northern Water Fund": ["NWF"]}}


def alone(name, **more):
    graph = gold()
    graph["nodes"]["d"]["attributes"] = {"name": name, **more}
    return graph


def test_a_node_is_recognised_by_a_name_that_only_the_policy_knows():
    policy = {"defaults": {"any": "exact"}, "verifiers": {"node.party.name": ALIAS}}
    assert lost(marked(alone("NWF"), alone("Northern Water Fund"), policy)) == []
    other = marked(alone("Southern Water Fund"), alone("Northern Water Fund"), policy)
    assert "invented node.donor[d].name" in lost(other) or "wrong node.donor[d].name" in lost(other)


def test_a_node_is_recognised_by_a_number_that_is_written_otherwise():
    expected = {"nodes": {"p": node("project", budget=1_000_000)}, "edges": []}
    candidate = {"nodes": {"x": node("project", budget="1 million")}, "edges": []}
    assert lost(marked(candidate, expected)) == []


def test_a_choice_from_a_list_alone_recognises_nobody():
    grammar = Grammar.from_json(
        {"id": "g", "nodes": {"d": {"attributes": {"kind": {"enum": ["a", "b"]}, "name": {}}}}}
    )
    policy = {"defaults": {"any": "exact"}}
    expected = {"nodes": {"d": node("d", kind="a", name="Tamber Timber")}, "edges": []}
    for said in ({"kind": "a"}, {"kind": "a", "name": "Maison Lagrève"}):
        candidate = {"nodes": {"x": node("d", **said), "y": node("d", kind="b")}, "edges": []}
        found = marked(candidate, expected, policy, grammar=grammar)
        assert found.alignment.get("d") != "y"
        assert "right node.d[d].name" not in [f"{m.state} {m.path}" for m in found.marks]


# --- metrics and corpora

VALUE = {"f1": 0.5, "matched": 3, "expected": 6, "came": 6, "unscored": 0, "marks": 9}


def measured(*rows):
    scores = [
        SampleScore(score=Score(value={**VALUE, "extracted": 1, **row}), sample_id=name)
        for name, row in rows
    ]
    return extraction_metrics()(scores)


def test_counts_that_a_reducer_has_made_a_yes_or_no_of_are_no_counts():
    assert measured(("a/x", {}))["micro_f1"] == 0.5
    yes_or_no = {"f1": 0, "matched": 1, "expected": 1, "came": 1, "marks": 1}
    found = measured(("a/x", yes_or_no), ("a/y", yes_or_no))
    assert not {"micro_f1", "micro_precision", "micro_recall", "coverage"} & found.keys()


def test_types_of_two_corpora_that_share_a_name_are_told_apart():
    found = measured(("a/x", {"node.reading": 1}), ("b/x", {"node.reading": 0}))
    assert (found["a node.reading"], found["b node.reading"]) == (1, 0)
    assert "node.reading" not in found
    assert measured(("a/x", {"node.reading": 1}))["node.reading"] == 1


def test_gold_that_its_own_policy_does_not_call_right_is_found(tmp_path):
    assert check_corpus(str(tiny.write_corpus(tmp_path / "good"))) == []
    by_id = tiny.STRICT + "  graph: exact\n"
    assert by_id.count("verifiers:") == 1
    found = check_corpus(str(tiny.write_corpus(tmp_path / "bad", {"policies/strict.yaml": by_id})))
    assert {one.problem for one in found} == {"gold_not_right"}
    assert all("strict" in one.message for one in found)


def test_the_gold_of_these_tests_says_eighteen_things():
    assert len(marked(GOLD).marks) == ALL
