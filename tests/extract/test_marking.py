"""What each thing said by gold or candidate is marked, each against a count made by hand."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from creel_inspect.extract.marking.marking import nothing_found
from creel_inspect.extract.policy.policy import policy_from
from creel_inspect.extract.policy.resolution import PolicyResolution
from creel_inspect.verify.graph import comparing
from creel_inspect.verify.graph.model import Graph
from creel_inspect.verify.protocol import VerifierError
from tests.extract.aid import ALL, GRAMMAR, counted, edge, gold, lost, marked, node


def one(marking, path, part=None):
    [found] = [m for m in marking.marks if m.path == path and part in (None, m.part)]
    return found


def renamed(graph):
    """The same graph under other ids."""
    nodes = {f"n-{name}": value for name, value in graph["nodes"].items()}
    edges = [
        {
            **e,
            "id": f"e-{e['id']}",
            "source": f"n-{e['source']}",
            "target": f"n-{e['target']}",
        }
        for e in graph["edges"]
    ]
    return {"nodes": nodes, "edges": edges}


# the whole and its parts


@pytest.mark.parametrize("candidate", [gold(), renamed(gold())])
def test_a_graph_that_says_the_same_is_right_in_all_18_things_whatever_its_ids(candidate):
    found = marked(candidate)
    assert counted(found) == {"right": ALL}
    assert Counter(m.part for m in found.marks) == {
        "node_type": 3,
        "node_attributes": 6,
        "edge_head": 2,
        "edge_relation": 2,
        "edge_tail": 2,
        "edge_attributes": 3,
    }
    assert Counter(m.type for m in found.marks) == {
        "node.donor": 3,
        "node.project": 6,
        "edge.funds": 9,
    }


def test_a_mark_says_what_was_compared_by_what_and_where_that_was_named():
    found = one(marked(renamed(gold())), "edge.funds[f1].amount")
    assert (found.expected, found.actual, found.verifier) == (3000, 3000, "numeric_tolerance")
    assert found.origin == "policy default: defaults.decimal"
    assert (found.element, found.actual_element, found.attribute) == ("f1", "e-f1", "amount")
    assert (found.type, found.part, found.lone) == ("edge.funds", "edge_attributes", False)


def test_nothing_for_nothing_has_no_marks():
    empty = {"nodes": {}, "edges": []}
    assert marked(empty, empty).marks == ()


# attributes


CHANGED = [
    # what is done to d or p, and what it costs
    ("d", {"country": "Sweden"}, ["wrong node.donor[d].country"]),
    ("d", {"country": None}, ["missing node.donor[d].country"]),
    ("d", {"motto": "Water!"}, ["invented node.donor[d].motto"]),
    ("p", {"budget": 4601}, ["wrong node.project[p].budget"]),
    ("p", {"budget": "4,600.00"}, []),
    ("p", {"budget": "4600 or 4700"}, ["wrong node.project[p].budget"]),
    ("p", {"budget": "n/a"}, ["wrong node.project[p].budget"]),
    ("p", {"budget": ""}, ["missing node.project[p].budget"]),
    ("p", {"budget": "USD 4,600"}, ["wrong node.project[p].budget"]),
    ("p", {"budget": "4600 kg"}, ["wrong node.project[p].budget"]),
    ("p", {"budget": float("nan")}, ["wrong node.project[p].budget"]),
    ("p", {"budget": float("inf")}, ["wrong node.project[p].budget"]),
    ("p", {"budget": True}, ["wrong node.project[p].budget"]),
    ("p", {"budget": [4600]}, ["wrong node.project[p].budget"]),
    ("p", {"budget": [4600, 4700]}, ["wrong node.project[p].budget"]),
    ("p", {"budget": {"value": 4600}}, ["wrong node.project[p].budget"]),
    ("p", {"title": 46}, ["wrong node.project[p].title"]),
    ("p", {"title": " "}, ["missing node.project[p].title"]),
    ("p", {"title": ["Clean Wells for Lira"]}, ["wrong node.project[p].title"]),
    ("p", {"years": [2020]}, ["invented node.project[p].years"]),
]


@pytest.mark.parametrize(("name", "change", "costs"), CHANGED)
def test_one_attribute_changed_costs_that_attribute_alone(name, change, costs):
    candidate = gold()
    attributes = candidate["nodes"][name]["attributes"]
    attributes.update(change)
    if change.get("country", "") is None:
        del attributes["country"]
    found = marked(candidate)
    assert lost(found) == costs
    assert not any(m.lone for m in found.marks)


def test_null_says_nothing_on_either_side():
    expected, candidate = gold(), gold()
    expected["nodes"]["d"]["attributes"]["motto"] = None
    candidate["nodes"]["p"]["attributes"]["years"] = None
    assert counted(marked(candidate, expected)) == {"right": ALL}
    candidate["nodes"]["p"]["attributes"]["budget"] = None
    assert lost(marked(candidate, expected)) == ["missing node.project[p].budget"]


def test_an_attribute_that_the_grammar_does_not_declare_is_compared_by_its_values_own_kind():
    expected, candidate = gold(), gold()
    for graph, area, note in ((expected, 12, "By hand"), (candidate, "12.0", "by  HAND")):
        graph["nodes"]["p"]["attributes"] |= {"area": area, "note": note}
    found = marked(candidate, expected)
    assert counted(found) == {"right": ALL + 2}
    area = one(found, "node.project[p].area")
    assert area.verifier == "numeric_tolerance"
    assert area.origin == "the value's own kind (not in the grammar)"
    candidate["nodes"]["p"]["attributes"]["area"] = "12 EUR"
    assert lost(marked(candidate, expected)) == ["wrong node.project[p].area"]


@pytest.mark.parametrize(
    ("years", "state"),
    [
        ([2021, 2020], "right"),
        (["2021", "2020"], "right"),
        ([2020], "wrong"),
        ([2020, 2020, 2021], "wrong"),
        ([2020, 2021, 2022], "wrong"),
        (2020, "wrong"),
        ([], "wrong"),
        (["2020 EUR", 2021], "wrong"),
        (["2020 EUR", "2021 EUR"], "wrong"),
        ([None, 2020, 2021], "wrong"),
    ],
)
def test_a_list_is_right_when_it_has_the_same_items_in_any_order(years, state):
    expected, candidate = gold(), gold()
    expected["nodes"]["p"]["attributes"]["years"] = [2020, 2021]
    candidate["nodes"]["p"]["attributes"]["years"] = years
    found = marked(candidate, expected)
    assert one(found, "node.project[p].years").state == state
    assert len(found.marks) == ALL + 1


@pytest.mark.parametrize("policy", [{"defaults": {}}, None])
def test_a_unit_where_gold_is_a_bare_number_spares_nobody_whatever_verifier_is_asked(policy):
    expected, candidate = gold(), gold()
    expected["nodes"]["p"]["attributes"]["years"] = [2020]
    candidate["nodes"]["p"]["attributes"] |= {"years": ["2020 EUR"], "budget": "EUR 1"}
    found = marked(candidate, expected, policy)
    assert one(found, "node.project[p].years").state == "wrong"
    budget = one(found, "node.project[p].budget")
    assert (budget.state, budget.code) == ("wrong", None)
    assert "expected a number alone" in budget.reason


def test_a_composite_that_lacks_its_judge_is_unscored_and_one_that_meets_a_unit_is_wrong():
    rubric = {"kind": "llm_rubric", "criterion": "It is plausible.", "steps": ["Read."]}
    money = {"kind": "numeric_tolerance", "unit": "USD"}
    both = {"kind": "composite", "mode": "all", "parts": {"amount": money, "sense": rubric}}
    candidate = gold()
    candidate["nodes"]["p"]["attributes"]["budget"] = "USD 4,600"
    found = marked(candidate, policy={"verifiers": {"node.project.budget": both}})
    assert one(found, "node.project[p].budget").state == "unscored"
    both["parts"]["amount"] = {"kind": "numeric_tolerance"}
    both["parts"]["sense"] = {"kind": "normalized"}
    found = marked(candidate, policy={"verifiers": {"node.project.budget": both}})
    assert one(found, "node.project[p].budget").state == "wrong"


def test_ambiguous_is_never_right():
    # 1,234 is 1234 in London and 1.234 in Berlin.
    expected, candidate = gold(), gold()
    expected["nodes"]["p"]["attributes"]["budget"] = 1234
    candidate["nodes"]["p"]["attributes"]["budget"] = "1,234"
    assert lost(marked(candidate, expected)) == ["wrong node.project[p].budget"]
    # Where gold itself is ambiguous, nobody can tell.
    expected["nodes"]["p"]["attributes"]["budget"] = "1,234"
    candidate["nodes"]["p"]["attributes"]["budget"] = 1234
    found = one(marked(candidate, expected), "node.project[p].budget")
    assert (found.state, found.code) == ("unscored", "expected_ambiguous")


def test_what_no_verifier_can_tell_is_unscored_with_its_code():
    policy = {"verifiers": {"node.donor.name": {"kind": "llm_rubric", "criterion": "The same."}}}
    found = marked(gold(), policy=policy)
    assert counted(found) == {"right": ALL - 1, "unscored": 1}
    name = one(found, "node.donor[d].name")
    assert (name.state, name.code, name.verifier) == ("unscored", "no_judge", "llm_rubric")
    assert name.origin == "policy default: node.donor.name"


def test_a_value_that_cannot_be_compared_is_wrong_and_the_rest_is_not():
    deep = loop = []
    for _ in range(200):
        deep = [deep]
    loop.append(loop)
    for value in (10**5000, deep, loop):
        candidate = gold()
        candidate["nodes"]["p"]["attributes"]["budget"] = value
        found = marked(candidate, sources=SOURCES, gate="enforce")
        budget = one(found, "node.project[p].budget")
        assert budget.state == "wrong"
        assert budget.actual.startswith("(cannot be compared: ")
        assert counted(found)["right"] == ALL - 2  # f2's 500 stands in no source


@pytest.mark.parametrize("value", [float("nan"), 10**5000], ids=["nan", "huge"])
def test_a_gold_that_cannot_be_compared_is_an_error(value):
    expected = gold()
    expected["nodes"]["p"]["attributes"]["budget"] = value
    with pytest.raises(VerifierError, match="what is expected cannot be compared"):
        marked(gold(), expected)


# nodes


def test_a_missing_node_costs_its_type_its_attributes_and_an_end_of_each_edge():
    # Without d there is no edge either: all of gold but p and q is missing: 3 + 5 + 4.
    candidate = gold()
    del candidate["nodes"]["d"]
    candidate["edges"] = []
    found = marked(candidate)
    assert counted(found) == {"right": 6, "missing": 12}
    assert all(m.lone for m in found.marks if m.state == "missing")
    assert [m.path for m in found.marks if m.element == "f2"] == [
        "edge.funds[f2] head",
        "edge.funds[f2] relation",
        "edge.funds[f2] tail",
        "edge.funds[f2].amount",
    ]


def test_edges_of_a_node_that_is_another_lose_that_end_alone():
    # d is someone else: its 3 things are missing, the other's 3 invented. Both edges are there
    # by relation and tail: each loses its head.
    candidate = gold()
    candidate["nodes"]["d"] = node("agency", name="Bureau of Roads", place="Oslo")
    found = marked(candidate)
    assert lost(found) == [
        "missing node.donor[d]",
        "missing node.donor[d].country",
        "missing node.donor[d].name",
        "invented node.agency[d]",
        "invented node.agency[d].name",
        "invented node.agency[d].place",
        "wrong edge.funds[f1] head",
        "wrong edge.funds[f2] head",
    ]
    assert counted(found) == {"right": ALL - 3 - 2, "missing": 3, "invented": 3, "wrong": 2}


def test_an_invented_node_costs_its_type_and_attributes():
    candidate = gold()
    candidate["nodes"]["x"] = node("agency", name="Bureau of Roads")
    found = marked(candidate)
    assert lost(found) == ["invented node.agency[x]", "invented node.agency[x].name"]
    assert [(m.type, m.element, m.actual_element, m.lone) for m in found.marks[-11:-9]] == [
        ("node.agency", "x", "x", True),
        ("node.agency", "x", "x", True),
    ]


def test_an_attribute_is_only_right_on_an_aligned_node():
    # The same budget on something else is worth nothing.
    candidate = gold()
    del candidate["nodes"]["q"]
    candidate["edges"].pop()
    candidate["nodes"]["r"] = node("agency", name="Bureau of Roads", budget=900)
    found = marked(candidate)
    assert lost(found)[:6] == [
        "missing node.project[q]",
        "missing node.project[q].budget",
        "missing node.project[q].title",
        "invented node.agency[r]",
        "invented node.agency[r].budget",
        "invented node.agency[r].name",
    ]
    assert counted(found) == {"right": ALL - 7, "missing": 7, "invented": 3}


TYPES = [
    # gold's types, the candidate's, and the states and words of the marks on the type
    (["donor"], ["donor"], [("right", "donor", "donor")]),
    (["donor"], ["agency"], [("wrong", "donor", "agency")]),
    (["donor"], ["party"], [("wrong", "donor", "party")]),
    (["donor"], ["donor", "party"], [("right", "donor", "donor")]),
    (["donor"], ["party", "donor"], [("right", "donor", "donor")]),
    (["donor"], ["donor", "donor"], [("right", "donor", "donor")]),
    (["donor"], ["donor", "agency"], [("right", "donor", "donor"), ("invented", None, "agency")]),
    (["donor"], ["agency", "donor"], [("right", "donor", "donor"), ("invented", None, "agency")]),
    (["donor"], [], [("wrong", "donor", "(no type)")]),
    ([], [], [("right", "(no type)", "(no type)")]),
    ([], ["donor"], [("wrong", "(no type)", "donor")]),
    (["donor", "agency"], ["donor"], [("right", "donor", "donor"), ("missing", "agency", None)]),
]


@pytest.mark.parametrize(("ours", "theirs", "marks"), TYPES)
def test_each_expected_type_has_a_mark_and_each_type_too_many(ours, theirs, marks):
    expected, candidate = gold(), gold()
    expected["nodes"]["d"]["types"], candidate["nodes"]["d"]["types"] = ours, theirs
    found = marked(candidate, expected)
    kind = ours[0] if ours else "(no type)"
    assert [(m.state, m.expected, m.actual) for m in found.marks if m.part == "node_type"][
        : len(marks)
    ] == marks
    assert [m.path for m in found.marks if m.element == "d"] == [
        *[f"node.{kind}[d]"] * len(marks),
        f"node.{kind}[d].country",
        f"node.{kind}[d].name",
    ]
    assert all(m.state == "right" for m in found.marks if m.part != "node_type")


def test_a_node_of_several_types_that_is_missing_or_invented_has_a_mark_for_each():
    expected = {"nodes": {"a": node(["donor", "project"], name="Lake Trust")}, "edges": []}
    nothing = {"nodes": {}, "edges": []}
    assert lost(marked(nothing, expected)) == [
        "missing node.donor[a]",
        "missing node.donor[a]",
        "missing node.donor[a].name",
    ]
    assert [m.expected for m in marked(nothing, expected).marks] == [
        "donor",
        "project",
        "Lake Trust",
    ]
    assert [(m.state, m.actual) for m in marked(expected, nothing).marks] == [
        ("invented", "donor"),
        ("invented", "project"),
        ("invented", "Lake Trust"),
    ]


def test_two_types_of_a_gold_node_with_different_verifiers_are_no_tie():
    # The first type that the grammar has counts.
    expected = {"nodes": {"a": node(["donor", "project"], title="Wells")}, "edges": []}
    policy = {"verifiers": {"node.project.title": "exact", "node.donor": "normalized"}}
    found = marked(expected, expected, policy)
    assert one(found, "node.donor[a].title").verifier == "normalized"


# edges


def with_edge(number, **changes):
    candidate = gold()
    candidate["edges"][number] |= changes
    return candidate


def test_a_missing_edge_costs_three_and_its_attributes():
    candidate = gold()
    candidate["edges"].pop(0)
    assert counted(marked(candidate)) == {"right": ALL - 5, "missing": 5}


def test_an_invented_edge_costs_three_and_its_attributes():
    candidate = gold()
    candidate["edges"].append(edge("x", "runs", "d", "p", since=2020))
    found = marked(candidate)
    assert lost(found) == [
        "invented edge.runs[x] head",
        "invented edge.runs[x] relation",
        "invented edge.runs[x] tail",
        "invented edge.runs[x].since",
    ]
    assert counted(found) == {"right": ALL, "invented": 4}


def test_a_reversed_edge_keeps_its_relation_and_attributes_and_loses_both_ends():
    found = marked(with_edge(0, source="p", target="d"))
    assert lost(found) == ["wrong edge.funds[f1] head", "wrong edge.funds[f1] tail"]
    head = one(found, "edge.funds[f1] head")
    assert (head.expected, head.actual) == ("d", "p")
    assert counted(found) == {"right": ALL - 2, "wrong": 2}


def test_another_tail_costs_the_tail():
    # f2 now ends at a project that is there too: it still has head and relation.
    found = marked(with_edge(1, target="p"))
    assert lost(found) == ["wrong edge.funds[f2] tail"]
    assert counted(found) == {"right": ALL - 1, "wrong": 1}


def test_another_relation_costs_the_relation():
    found = marked(with_edge(0, type="runs"))
    assert lost(found) == ["wrong edge.funds[f1] relation"]
    relation = one(found, "edge.funds[f1] relation")
    assert (relation.expected, relation.actual, relation.type) == ("funds", "runs", "edge.funds")


def parallel(*amounts):
    graph = gold()
    graph["edges"] = [
        edge(f"g{number}", "funds", "d", "p", amount=amount, currency="USD")
        for number, amount in enumerate(amounts)
    ]
    return graph


def test_parallel_edges_that_differ_in_one_amount_are_paired_by_the_resolved_verifiers():
    # 1,000 has to go with "1.0 thousand" and 2,000 with 2010 (one percent off), whichever comes
    # first; the third amount is wrong, and costs one mark of 3 × 5.
    expected = parallel(1000, 2000, 3000)
    candidate = parallel(5, 2010, "1.0 thousand")
    lenient = {"verifiers": {"edge.funds.amount": {"kind": "numeric_tolerance", "rel": 0.01}}}
    found = marked(candidate, expected, lenient)
    assert lost(found) == ["wrong edge.funds[g2].amount"]
    assert counted(found) == {"right": 9 + 15 - 1, "wrong": 1}
    assert one(found, "edge.funds[g0].amount").actual_element == "g2"
    assert one(found, "edge.funds[g1].amount").actual_element == "g1"
    # Without the tolerance 2010 is wrong as well.
    assert counted(marked(candidate, expected))["wrong"] == 2


def test_of_parallel_edges_one_too_few_is_missing_and_one_too_many_invented():
    assert lost(marked(parallel(1000), parallel(1000, 2000))) == [
        "missing edge.funds[g1] head",
        "missing edge.funds[g1] relation",
        "missing edge.funds[g1] tail",
        "missing edge.funds[g1].amount",
        "missing edge.funds[g1].currency",
    ]
    assert counted(marked(parallel(1000, 1000), parallel(1000))) == {"right": 14, "invented": 5}


def test_edges_between_nodes_that_are_not_there_give_no_credit():
    candidate = gold()
    for name in ("d", "p", "q"):
        candidate["nodes"][name] = node("agency", name=f"Unrelated Office {name * 4}")
    found = marked(candidate)
    # Gold has 18; the candidate 3 × (type, name) and the same edges, 9.
    assert counted(found) == {"missing": ALL, "invented": 6 + 9}


# the whole graph


WHOLE = {"kind": "schema_constraint", "schema": {"properties": {"edges": {"minItems": 1}}}}


def test_the_verdict_on_the_whole_is_one_mark_of_its_own():
    policy = {"verifiers": {"graph": WHOLE}}
    right = marked(gold(), policy=policy)
    assert counted(right) == {"right": ALL}
    assert (right.marks[-1].part, right.marks[-1].state) == ("graph", "right")
    assert right.marks[-1].origin == "policy default: graph"
    candidate = gold()
    candidate["edges"] = []
    wrong = marked(candidate, policy=policy).marks[-1]
    assert (wrong.path, wrong.state, wrong.verifier) == ("graph", "wrong", "schema_constraint")


def test_a_verdict_on_the_whole_that_needs_a_judge_is_unscored_without_one():
    judged = {"verifiers": {"graph": {"kind": "llm_rubric", "criterion": "It is plausible."}}}
    found = marked(gold(), policy=judged).marks[-1]
    assert (found.part, found.state, found.code) == ("graph", "unscored", "no_judge")


def test_where_there_is_no_graph_all_is_missing_and_the_verdict_on_the_whole_too():
    resolution = PolicyResolution(GRAMMAR, policy_from({"verifiers": {"graph": WHOLE}}))
    found = nothing_found(Graph.from_json(gold()), GRAMMAR, resolution)
    assert counted(found) == {"missing": ALL}
    assert (found.marks[-1].part, found.marks[-1].state) == ("graph", "missing")


def test_an_undirected_candidate_is_not_compared_with_a_directed_gold():
    found = marked({**gold(), "directed": False}, policy={"verifiers": {"graph": WHOLE}})
    assert found.refused == "expected a directed graph, came an undirected one"
    assert counted(found) == {"missing": ALL}
    assert (found.marks[-1].part, found.marks[-1].state) == ("graph", "missing")


def test_a_candidate_that_is_too_large_is_not_compared(monkeypatch):
    monkeypatch.setattr(comparing, "MOST_NODES", 2)
    found = marked(gold())
    assert found.refused == "the candidate has 3 nodes; at most 2 can be compared"
    assert counted(found) == {"missing": ALL}


def test_more_nodes_than_can_be_compared_are_refused_at_once():
    many = {"nodes": {str(n): node("donor") for n in range(5_001)}, "edges": []}
    assert "5,001 nodes" in marked(many).refused


# a judge

JUDGED = {"defaults": {"decimal": "numeric_tolerance", "enum": "exact"}}
"""Names, countries and titles are texts: the rubric from the description, behind a cheap check."""


class Judge:
    """Says what it is told to, and keeps what it was asked."""

    name = "made/up"

    def __init__(self, says="Reason: they are the same\nScore: 5"):
        self.says, self.asked = says, []

    def __call__(self, prompt):
        self.asked.append(prompt)
        return self.says


def told_otherwise():
    """Gold with one text in other words, one amount wrong, and one currency wrong."""
    candidate = gold()
    candidate["nodes"]["d"]["attributes"]["country"] = "Kingdom of Norway"
    candidate["nodes"]["p"]["attributes"]["budget"] = 5000
    candidate["edges"][0]["attributes"]["currency"] = "EUR"
    return candidate


def test_a_judge_is_asked_only_where_the_cheap_verifier_cannot_tell():
    judge = Judge()
    found = marked(told_otherwise(), policy=JUDGED, judge=judge)
    # Four texts: d.country is asked about; d.name, p.title and q.title are written the same.
    # Never about an amount or a currency, whose own kinds say no, and which no judge could save.
    assert lost(found) == ["wrong node.project[p].budget", "wrong edge.funds[f1].currency"]
    assert (found.judge.asked, found.judge.saved) == (1, 3)
    assert found.judge.calls == len(judge.asked)
    assert len(judge.asked) >= 1
    assert all("Kingdom of Norway" in prompt for prompt in judge.asked)


def test_a_judge_that_says_no_makes_it_wrong_and_one_that_says_nothing_unscored():
    no = marked(told_otherwise(), policy=JUDGED, judge=Judge("Reason: no\nScore: 1"))
    assert one(no, "node.donor[d].country").state == "wrong"
    mute = marked(told_otherwise(), policy=JUDGED, judge=Judge("I would rather not say."))
    country = one(mute, "node.donor[d].country")
    assert (country.state, country.code) == ("unscored", "judgement_unparsable")
    assert mute.judge.asked == 1


def test_without_a_judge_only_what_needs_one_is_unscored():
    found = marked(told_otherwise(), policy=JUDGED)
    country = one(found, "node.donor[d].country")
    assert (country.state, country.code) == ("unscored", "no_judge")
    assert counted(found) == {"right": ALL - 3, "wrong": 2, "unscored": 1}
    assert (found.judge.calls, found.judge.asked) == (0, 0)


def test_a_judge_that_fails_leaves_the_value_unscored_and_its_calls_are_counted():
    def fails(prompt):
        raise RuntimeError("overloaded")

    found = marked(told_otherwise(), policy=JUDGED, judge=fails)
    country = one(found, "node.donor[d].country")
    assert (country.state, country.code) == ("unscored", "judge_failed")
    assert found.judge.calls >= 1
    assert found.judge.asked == 1


# the gate

SOURCES = {
    "report.md": (
        "The Northern Water Fund of Norway gives 3,000 USD to Clean Wells for Lira, which costs "
        "4,600, and to School Meals in Gulu, which costs 900.\n"
    )
}
"""All of gold's values but the 500 of f2."""


@pytest.mark.parametrize("gate", ["off", "report", "enforce"])
def test_a_right_value_that_stands_nowhere_is_listed_or_wrong_as_the_gate_says(gate):
    found = marked(gold(), sources=SOURCES, gate=gate)
    amount = one(found, "edge.funds[f2].amount")
    states = {
        "off": ("right", None, None),
        "report": ("right", "ungrounded", None),
        "enforce": ("wrong", "ungrounded", "ungrounded"),
    }
    assert (amount.state, amount.grounding, amount.code) == states[gate]
    others = [m for m in found.marks if m is not amount]
    assert all(m.state == "right" for m in others)
    grounding = None if gate == "off" else "grounded"
    assert {m.grounding for m in others if m.attribute} == {grounding}
    assert {m.grounding for m in others if not m.attribute} == {None}


def test_wrong_and_invented_values_are_looked_up_too_and_missing_ones_are_not():
    candidate = gold()
    candidate["nodes"]["d"]["attributes"] = {"name": "Northern Water Fund", "motto": "Rain"}
    candidate["nodes"]["p"]["attributes"]["budget"] = 7
    found = marked(candidate, sources=SOURCES, gate="enforce")
    assert one(found, "node.donor[d].country").grounding is None
    for path, state in (("node.donor[d].motto", "invented"), ("node.project[p].budget", "wrong")):
        mark = one(found, path)
        assert (mark.state, mark.grounding, mark.code) == (state, "ungrounded", None)


def test_evidence_is_that_of_the_candidates_own_element_and_may_be_in_any_shape():
    quote = {"grounding": [{"type": "TextQuoteSelector", "exact": "of Norway"}]}
    evidence = {"n-d": {"country": quote, "name": "no record"}, "n-p": "nothing", "e-f1": None}
    found = marked(renamed(gold()), sources=SOURCES, evidence=evidence)
    country = one(found, "node.donor[d].country")
    assert country.grounding == "grounded"
    assert "no evidence" not in country.grounding_reason
    assert one(found, "node.donor[d].name").grounding == "grounded"


def test_an_empty_id_is_an_id():
    graph = {"nodes": {"": node("donor", name="Northern Water Fund", extra=1)}, "edges": []}
    expected = {"nodes": {"": node("donor", name="Northern Water Fund")}, "edges": []}
    found = marked(graph, expected)
    assert lost(found) == ["invented node.donor[].extra"]
    assert not any(m.lone for m in found.marks)


# everything said is marked once

SAID = {(): 1, ("donor",): 1, ("donor", "party"): 1, ("donor", "project"): 2, ("project",): 1}
"""Lists of types, and how many things they say; a parent beside its child says nothing more."""
VALUES = st.sampled_from(["Lira", "Gulu", 7, "7", None, True, [1, 2], "1,234", "EUR 7", 7.5])


@st.composite
def graphs(draw):
    kinds = draw(st.lists(st.sampled_from(list(SAID)), max_size=4))
    attributes = st.dictionaries(st.sampled_from(["name", "budget", "area"]), VALUES)
    names = [f"n{i}" for i in range(len(kinds))]
    nodes = {
        name: node(list(kind), **draw(attributes)) for name, kind in zip(names, kinds, strict=True)
    }
    ends = st.sampled_from(names) if names else st.nothing()
    drawn = st.tuples(
        st.sampled_from(["funds", "runs"]),
        ends,
        ends,
        st.dictionaries(st.sampled_from(["amount", "currency"]), VALUES),
    )
    found = draw(st.lists(drawn, max_size=4)) if names else []
    edges = [edge(f"e{i}", kind, a, b, **held) for i, (kind, a, b, held) in enumerate(found)]
    return {"nodes": nodes, "edges": edges}


def said(graph):
    """How many things a graph says."""
    attributes = [n["attributes"] for n in (*graph["nodes"].values(), *graph["edges"])]
    return (
        sum(SAID[tuple(n["types"])] for n in graph["nodes"].values())
        + 3 * len(graph["edges"])
        + sum(value is not None for held in attributes for value in held.values())
    )


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graphs(), graphs(), st.sampled_from([None, JUDGED]))
def test_every_thing_that_gold_says_is_marked_once_and_every_thing_of_the_candidate_too(
    expected, candidate, policy
):
    states = Counter(counted(marked(candidate, expected, policy)))
    both = states["right"] + states["wrong"] + states["unscored"]
    assert both + states["missing"] == said(expected)
    assert both + states["invented"] == said(candidate)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graphs())
def test_a_graph_compared_with_itself_has_nothing_wrong(graph):
    # Nodes with nothing to tell them by may stay unaligned: then they are missing, and not wrong.
    assert "wrong" not in counted(marked(graph, graph))
