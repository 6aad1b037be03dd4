"""The damages that the extraction benchmark counts, on a graph small enough to count by eye."""

from fractions import Fraction

from extraction import _chosen
from graph_damage import KINDS, another, damages, other_types, renamed, said


def node(kind, **attributes):
    return {"types": [kind], "attributes": attributes}


def edge(name, source, target, **attributes):
    return {
        "id": name,
        "type": "wrote",
        "source": source,
        "target": target,
        "attributes": attributes,
    }


# Two people say 2 + 2 things, the book 4, the two edges 4 + 3: fifteen in all.
SHELF = {
    "nodes": {
        "ada": node("person", name="Ada Brown"),
        "ole": node("person", name="Ole Berg"),
        "rain": node("book", title="Rain Gauges", pages=212, published="2021-03"),
    },
    "edges": [edge("e1", "ada", "rain", share=60), edge("e2", "ole", "rain")],
}
TYPES = {"person": "book", "book": "person"}


def of_kind(kind, judged=()):
    return {one.element: one for one in damages(SHELF, TYPES, judged) if one.kind == kind}


def test_everything_that_a_graph_says_counts_once():
    assert said(SHELF) == 15
    assert said({"nodes": {}, "edges": []}) == 0


def test_a_dropped_node_takes_its_edges_along():
    found = of_kind("node dropped")
    # Ada: type and name; her edge: head, relation, tail and share.
    assert (found["ada"].matched, found["ada"].came, found["ada"].expected) == (9, 9, 15)
    assert found["ada"].f1 == Fraction(18, 24)
    assert list(found["ada"].graph["nodes"]) == ["ole", "rain"]
    assert [one["id"] for one in found["ada"].graph["edges"]] == ["e2"]


def test_a_dropped_edge_takes_nothing_along():
    found = of_kind("edge dropped")["e1"]
    assert (found.matched, found.came, found.f1) == (11, 11, Fraction(22, 26))


def test_an_invented_node_has_a_like_edge_and_other_values():
    found = of_kind("node invented")["ole"]
    assert (found.matched, found.came, found.f1) == (15, 20, Fraction(30, 35))
    assert found.graph["nodes"]["invented"] == node("person", name="Zyzzyva")
    assert found.graph["edges"][-1] == edge("invented", "invented", "rain")


def test_a_changed_value_is_one_thing_wrong_and_a_judged_one_is_left_alone():
    found = of_kind("value changed")
    assert set(found) == {"ada.name", "ole.name", "rain.title", "rain.pages", "rain.published"} | {
        "e1.share"
    }
    assert found["rain.pages"].f1 == Fraction(28, 30)
    assert found["rain.pages"].graph["nodes"]["rain"]["attributes"]["pages"] == 1636
    assert "rain.title" not in of_kind("value changed", judged={"book.title"})
    assert "e1.share" not in of_kind("value changed", judged={"wrote.share"})


def test_a_reversed_edge_keeps_its_relation():
    found = of_kind("edge reversed")["e1"]
    assert (found.matched, found.f1) == (13, Fraction(26, 30))
    assert (found.graph["edges"][0]["source"], found.graph["edges"][0]["target"]) == ("rain", "ada")


def test_a_swapped_type_leaves_the_attributes():
    found = of_kind("type swapped")["rain"]
    assert found.f1 == Fraction(28, 30)
    assert found.graph["nodes"]["rain"]["types"] == ["person"]


def test_a_node_that_little_is_left_of_is_in_doubt():
    assert {one.element for one in damages(SHELF, TYPES) if one.doubtful} == {
        "ada.name",  # nothing else is known of her
        "ole.name",
    }
    # Without its last edge, a book says nothing that a person says too.
    alone = {**SHELF, "nodes": {name: SHELF["nodes"][name] for name in ("ada", "rain")}}
    alone["edges"] = SHELF["edges"][:1]
    doubtful = {(one.kind, one.element) for one in damages(alone, TYPES) if one.doubtful}
    assert doubtful >= {("edge dropped", "e1"), ("edge reversed", "e1"), ("node dropped", "ada")}


def test_damaging_leaves_the_graph_as_it_was():
    before = repr(SHELF)
    assert {one.kind for one in damages(SHELF, TYPES)} == set(KINDS)
    assert repr(SHELF) == before


def test_another_value_is_far_from_the_first_and_of_its_kind():
    assert another(True) is False
    assert another(0) == 1000
    assert another("2021-03-05") == "1901-02-03"
    assert another("2021") == "1901"
    assert another(["a", "b"]) == ["Zyzzyva"]


def test_the_type_that_says_the_most_of_the_same_stands_in():
    graph = {
        "nodes": {
            "a": node("person", name="A", city="B"),
            "b": node("firm", name="C", city="D", code=1),
            "c": node("book", title="E", code=2),
        },
        "edges": [],
    }
    assert other_types([graph]) == {"person": "firm", "firm": "person", "book": "firm"}


def test_a_renamed_graph_says_the_same_under_other_ids():
    found = renamed(SHELF)
    assert list(found["nodes"].values()) == [
        node("book", published="2021-03", pages=212, title="Rain Gauges"),
        node("person", name="Ole Berg"),
        node("person", name="Ada Brown"),
    ]
    assert not set(found["nodes"]) & set(SHELF["nodes"])
    titles = {name: one["attributes"].get("title") for name, one in found["nodes"].items()}
    assert [titles[one["target"]] for one in found["edges"]] == ["Rain Gauges"] * 2
    assert said(found) == 15


def test_a_quick_run_takes_the_first_of_each_kind_sure_and_doubtful():
    whole = list(damages(SHELF, TYPES))
    some = list(_chosen(iter(whole), quick=True))
    assert [(one.kind, one.element) for one in some if one.kind == "value changed"] == [
        ("value changed", "ada.name"),
        ("value changed", "rain.title"),
    ]
    assert list(_chosen(iter(whole), quick=False)) == whole
