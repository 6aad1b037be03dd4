"""The page of a marking: what stands on it, and that nobody's text can break it."""

import re

import pytest

from creel_inspect.extract.marking.marking import Mark, Marking
from creel_inspect.extract.marking.page import page
from tests.extract.aid import ALL, GOLD, edge, gold, marked, node
from tests.extract.test_marking import SOURCES, WHOLE, Judge, told_otherwise

LOST = ("What lost points", "Missing elements", "Invented elements")


def tables(text):
    """The tables of a page by the title above each (the first has none), as rows of cells."""
    found, title = {}, ""
    for line in text.splitlines():
        named = re.fullmatch(r"\*\*(.*)\*\* \((\d+)\)", line)
        if named:
            title = named[1]
        elif line.startswith("|"):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            found.setdefault(title, []).append(cells)
    return {name: rows[2:] for name, rows in found.items()}


def plain(text):
    return text.replace("\\", "")


def damaged():
    """Gold with one wrong value, one left out, one too many, a node and an edge too many, and
    without q and its edge."""
    candidate = gold()
    candidate["nodes"]["p"]["attributes"]["budget"] = 5000
    del candidate["nodes"]["d"]["attributes"]["country"]
    candidate["nodes"]["d"]["attributes"]["motto"] = "Rain"
    del candidate["nodes"]["q"]
    candidate["edges"][1] = edge("x", "runs", "d", "p")
    candidate["nodes"]["r"] = node("agency", name="Bureau of Roads")
    return candidate


def test_the_page_of_a_damaged_graph():
    text = page(marked(damaged()), scored_under="policy strict (abc), gate off")
    # Right: types of d and p, d.name, p.title, f1's five: 9. Expected 18. Came 18 - 1 (country)
    # + 1 (motto) - 3 (q) - 4 (f2) + 3 (x) + 2 (r) = 16. F1 18/34.
    # Types: donor 2·2/(3+3); project 2·2/(6+3); funds 2·5/(9+5); runs 0; agency 0.
    macro = (2 / 3 + 4 / 9 + 10 / 14) / 5
    first = text.splitlines()[0]
    assert first == (
        "**F1 0.529** · precision 0.562 (9 of 16) · recall 0.500 (9 of 18) · "
        f"mean F1 of the types {macro:.3f} · coverage 100.0% · policy strict (abc), gate off"
    )
    found = tables(plain(text))
    assert found[""] == [
        ["edge.funds", "0.714", "1.000", "0.556", "5", "9", "5", "0"],
        ["edge.runs", "0.000", "0.000", "0.000", "0", "0", "3", "0"],
        ["node.agency", "0.000", "0.000", "0.000", "0", "0", "2", "0"],
        ["node.donor", "0.667", "0.667", "0.667", "2", "3", "3", "0"],
        ["node.project", "0.444", "0.667", "0.333", "2", "6", "3", "0"],
        ["all nodes", "0.667", "0.667", "0.667", "2", "3", "3", "0"],
        ["all edges", "0.500", "0.500", "0.500", "3", "6", "6", "0"],
        ["all attributes", "0.500", "0.571", "0.444", "4", "9", "7", "0"],
    ]
    lost = found["What lost points"]
    assert [row[:4] for row in lost] == [
        ["node.donor[d].country", "Norway", "–", "–"],
        ["node.donor[d].motto", "–", "Rain", "–"],
        ["node.project[p].budget", "4600", "5000", "numeric_tolerance"],
    ]
    assert found["Missing elements"] == [
        ["node.project[q]", "3", "budget: 900; title: School Meals in Gulu"],
        ["edge.funds[f2]", "4", "from d; to q; amount: 500"],
    ]
    assert found["Invented elements"] == [
        ["node.agency[r]", "2", "name: Bureau of Roads"],
        ["edge.runs[x]", "3", "from d; to p"],
    ]


def test_a_value_too_many_on_an_element_that_is_there_is_no_invented_element():
    candidate = gold()
    candidate["nodes"]["d"]["attributes"]["motto"] = "Rain"
    candidate["edges"][0]["attributes"]["since"] = 2020
    found = tables(plain(page(marked(candidate))))
    assert [row[0] for row in found["What lost points"]] == [
        "node.donor[d].motto",
        "edge.funds[f1].since",
    ]
    assert "Invented elements" not in found


@pytest.mark.parametrize(
    "candidate", [damaged(), gold(), {"nodes": {}, "edges": []}, told_otherwise()]
)
@pytest.mark.parametrize("policy", [None, {"defaults": {}}])
@pytest.mark.parametrize("gate", ["off", "report", "enforce"])
def test_every_lost_point_is_listed_exactly_once(candidate, policy, gate):
    marking = marked(candidate, policy=policy, sources=SOURCES, gate=gate)
    found = tables(plain(page(marking)))
    listed = [row[0] for row in found.get("What lost points", [])]
    points = sum(int(row[1]) for name in LOST[1:] for row in found.get(name, []))
    lost = [m for m in marking.marks if m.state in ("wrong", "missing", "invented")]
    assert listed == [m.path for m in lost if not m.lone]
    assert points == sum(m.lone for m in lost)
    unscored = [m.path for m in marking.marks if m.state == "unscored"]
    assert [row[0] for row in found.get("Not scored", [])] == unscored


def test_what_is_not_scored_is_told_with_its_code():
    text = plain(page(marked(told_otherwise(), policy={"defaults": {"any": "exact"}})))
    assert "Not scored" not in text
    text = plain(page(marked(told_otherwise(), policy={"defaults": {"decimal": "exact"}})))
    assert "coverage 94.4% (1 unscored)" in text  # 17 of 18
    [row] = tables(text)["Not scored"]
    assert row[:4] == ["node.donor[d].country", "Norway", "Kingdom of Norway", "cheap_first"]
    assert row[4].endswith("(no_judge)")


def test_ungrounded_values_are_listed_with_how_they_scored():
    text = plain(page(marked(gold(), sources=SOURCES)))
    [row] = tables(text)["Not grounded"]
    assert row[:3] == ["edge.funds[f2].amount", "500", "right"]
    assert "stands in no source" in row[3]
    assert "Nothing lost a point." in text
    enforced = plain(page(marked(gold(), sources=SOURCES, gate="enforce")))
    [row] = tables(enforced)["What lost points"]
    assert row[0] == "edge.funds[f2].amount"
    assert row[4].startswith("right, but not grounded")
    assert row[4].endswith("(ungrounded)")


def test_the_verdict_on_the_whole_is_told_with_its_reason():
    policy = {"verifiers": {"graph": WHOLE}}
    assert "**The whole graph:** schema_constraint passes: " in plain(
        page(marked(gold(), policy=policy))
    )
    candidate = {**gold(), "edges": []}
    assert "schema_constraint fails: " in plain(page(marked(candidate, policy=policy)))
    refused = marked({**gold(), "directed": False}, policy=policy)
    assert "schema_constraint fails: there is no graph" in plain(page(refused))


def test_the_judges_calls_are_told():
    text = page(marked(told_otherwise(), policy={"defaults": {"decimal": "exact"}}, judge=Judge()))
    assert re.search(r"Judge: \d+ calls about 1 values; \d+ values needed none", text)


def test_a_candidate_that_was_not_compared_has_no_point_and_the_page_says_why():
    empty = {"nodes": {}, "edges": []}
    text = page(marked({**empty, "directed": False}, empty))
    assert text.startswith("**F1 0.000** · precision 0.000 (0 of 0) · recall 0.000 (0 of 0)")
    assert "mean F1 of the types 0.000" in text
    assert "**Not compared:** expected a directed graph, came an undirected one." in text
    assert "Nothing lost a point" not in text
    assert page(marked(empty, empty), submitted=False).startswith("**F1 0.000**")
    assert page(marked(empty, empty)).startswith("**F1 1.000**")


HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "a | b || c",
    "| --- | --- |",
    "one\ntwo\r\nthree\u2028four",
    "\n\n# A heading\n\n- [x] done",
    "`code` and ```fences```",
    "\x1b[2J\x1b[31mred",
    "abc\u202egnp.exe\u2066\u200f",
    "[a link](javascript:alert(1)) ![](http://evil.example/x.png)",
    "&lt;b&gt; &#60;b&#62;",
    "\\| \\\\| \\",
    "**bold** __under__ ~~gone~~ $x$",
    "\ud800 half",
    "",
    "x" * 1_000_000,
    "<b>" * 400_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_text_breaks_a_table_or_gets_through_as_html(text):
    expected, candidate = gold(), gold()
    candidate["nodes"]["p"]["attributes"]["title"] = text
    candidate["nodes"]["p"]["attributes"][f"k{text[:200]}"] = text
    candidate["nodes"][f"id {text[:200]}"] = node(f"type {text[:200]}", name=text, other=[text])
    candidate["edges"].append(edge(f"e {text[:200]}", f"rel {text[:200]}", "d", "p", note=text))
    expected["nodes"]["q"]["attributes"]["title"] = f"School {text[:200]}"
    marking = marked(candidate, expected, sources=SOURCES)
    shown = page(marking, scored_under=text, notes=[text, text])
    assert len(shown) < 60_000
    assert not re.search(r"<[a-zA-Z/!?]", shown)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u200f\u202e\u2028\u2066\ud800]", shown)
    assert not re.search(r"(?<!\\)\]\(", shown)
    assert not re.search(r"(?<!\\)`", shown)
    assert shown.encode()
    # Every line is of a table, a heading of ours, a note, or the first.
    widths = {"": 8, "What lost points": 5, "Not grounded": 4}
    for name, rows in tables(shown).items():
        assert {len(row) for row in rows} == {widths.get(name, 3)}, name
    for line in shown.splitlines()[1:]:
        assert re.match(r"(\| |\*\*[A-Z]|- |Judge: |… |$)", line), line


def many(count, state="wrong"):
    return [
        Mark(
            path=f"node.a[n{i}]",
            type=f"node.a{i}",
            part="node_type",
            state=state,
            expected="a",
            actual="b",
            element=f"n{i}",
            lone=state != "wrong",
        )
        for i in range(count)
    ]


@pytest.mark.parametrize(
    ("state", "title"),
    [
        ("wrong", "What lost points"),
        ("missing", "Missing elements"),
        ("invented", "Invented elements"),
        ("unscored", "Not scored"),
    ],
)
def test_past_a_thousand_rows_the_rest_is_counted(state, title):
    text = page(Marking(tuple(many(2_234, state))), notes=["again"] * 1_003)
    assert f"**{title}** (2234)" in text
    assert len(tables(plain(text))[title]) == 1_000
    assert text.count("… 1,234 more") == 2  # of types, too
    assert "… 3 more" in text
    thousand = page(Marking(tuple(many(1_000, state))))
    assert "more" not in thousand


def test_the_counts_of_the_page_are_those_of_the_gold():
    text = page(marked({"nodes": {}, "edges": []}))
    assert f"recall 0.000 (0 of {ALL})" in text
    assert len(tables(plain(text))["Missing elements"]) == len(GOLD["nodes"]) + len(GOLD["edges"])


def test_a_long_value_is_cut_visibly():
    expected, candidate = gold(), gold()
    expected["nodes"]["p"]["attributes"]["title"] = "Clean Wells for Lira " * 10
    candidate["nodes"]["p"]["attributes"]["title"] = "Clean Wells for Lira " * 10 + "and Gulu"
    [row] = tables(page(marked(candidate, expected)))["What lost points"]
    assert row[1].endswith("…")
    assert row[2].endswith("…")
