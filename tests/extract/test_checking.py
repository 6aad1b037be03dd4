"""What ``check`` finds: each kind of mistake, all of them at once, and nothing in good order."""

import inspect
import json
import os
import shutil
from pathlib import Path

import pytest

from creel_inspect.extract.checks.checking import (
    CorpusError,
    Finding,
    Problem,
    check_corpus,
    examine,
)
from tests.extract import tiny

BOOK_GOLD = "one-book/expected_graph.json"
BOOK_EVIDENCE = "one-book/expected_evidence.json"


@pytest.fixture
def write(tmp_path):
    def write(changes=None):
        return tiny.write_corpus(tmp_path / "shelf", changes)

    return write


def found(folder):
    return [(one.where, one.problem) for one in check_corpus(str(folder))]


def messages(folder):
    return [one.message for one in check_corpus(str(folder))]


def gold_with(change):
    gold = tiny.gold()
    change(gold)
    return {BOOK_GOLD: gold}


def evidence_with(change):
    evidence = tiny.evidence()
    change(evidence)
    return {BOOK_EVIDENCE: evidence}


def test_a_corpus_in_order_has_no_findings(write):
    assert check_corpus(str(write())) == []
    examined = examine(str(write()))
    assert (examined.corpus, examined.cases, examined.findings) == ("shelf", 2, ())


def test_only_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(CorpusError, match="is not there"):
        check_corpus(str(tmp_path / "nowhere"))


def test_an_empty_folder_has_all_that_is_missing_told(tmp_path):
    assert found(tmp_path) == [
        ("grammar.yaml", "grammar_invalid"),
        ("policies", "no_strict_policy"),
        (tmp_path.name, "no_cases"),
    ]


# The grammar


def test_types_that_inherit_in_a_circle_are_told_and_the_rest_is_still_checked(write):
    circle = tiny.GRAMMAR.replace("abstract: true", "is_a: person", 1)
    folder = write({"grammar.yaml": circle, "one-book/case.yaml": None, "spare.csv": "a\n"})
    places = found(folder)
    assert {problem for where, problem in places if where.startswith("grammar.yaml:")} == {
        "grammar_invalid"
    }
    assert places[-2:] == [
        ("one-book/case.yaml", "case_invalid"),
        ("spare.csv", "file_unread"),
    ]


# Gold


def test_every_element_that_breaks_the_grammar_is_named_by_its_path(write):
    def change(gold):
        nodes, edges = gold["nodes"], gold["edges"]
        nodes["rain"]["attributes"] |= {"pages": 0, "published": "2021-02-30", "genre": "poem"}
        nodes["ada"]["attributes"].pop("name")
        edges[0] |= {"source": "rain", "target": "ada"}
        edges[1]["attributes"]["months"] = 2

    places = [one for one in found(write(gold_with(change))) if one[1] == "gold_breaks_grammar"]
    assert [where for where, _ in places] == [
        f"{BOOK_GOLD}: node.person[ada].name",
        f"{BOOK_GOLD}: node.book[rain].pages",
        f"{BOOK_GOLD}: node.book[rain].published",
        f"{BOOK_GOLD}: node.book[rain].genre",
        f"{BOOK_GOLD}: edge.wrote[ada-wrote-rain]",
        f"{BOOK_GOLD}: edge.wrote[ada-wrote-rain]",
        f"{BOOK_GOLD}: edge.borrowed[ada-borrowed-rain].months",
    ]


def test_more_than_fifty_elements_that_break_the_grammar_are_all_told(write):
    def change(gold):
        gold["nodes"] |= {f"b{n}": tiny.node("book") for n in range(120)}

    places = found(write(gold_with(change)))
    assert sum(problem == "gold_breaks_grammar" for _, problem in places) == 120


@pytest.mark.parametrize(
    ("types", "problems"),
    [
        # Of two types the rules of both hold: a book has a title, and no name.
        (["person", "book"], {"types_tie", "gold_breaks_grammar"}),
        ([], {"types_tie", "gold_breaks_grammar"}),
        (["person", "agent", "located"], set()),
        (["agent"], {"gold_breaks_grammar"}),
        (["ghost"], {"gold_breaks_grammar"}),
    ],
)
def test_types_that_tie_and_types_that_are_not_there(write, types, problems):
    def change(gold):
        node = {"types": types, "attributes": {"name": "Ada Brown"}}
        gold.update(nodes={"x": node}, edges=[])

    folder = write({**gold_with(change), BOOK_EVIDENCE: {"x": {"name": tiny.quote("Ada Brown")}}})
    places = found(folder)
    assert {problem for where, problem in places if where.startswith(BOOK_GOLD)} == problems


def test_all_parts_that_make_no_graph_are_told_and_the_others_checked(write):
    def change(gold):
        gold["nodes"]["odd"] = {"types": "person", "attributes": {}}
        gold["nodes"]["rain"]["attributes"]["pages"] = -1
        gold["edges"] += [
            tiny.edge("air", "wrote", "ada", "nobody"),
            tiny.edge("ada-wrote-rain", "wrote", "ada", "rain"),
            "no edge",
        ]

    folder = write(gold_with(change))
    assert [one for one in found(folder) if one[0].startswith(BOOK_GOLD)] == [
        (BOOK_GOLD, "gold_invalid"),
        (BOOK_GOLD, "gold_invalid"),
        (BOOK_GOLD, "gold_invalid"),
        (BOOK_GOLD, "gold_invalid"),
        (f"{BOOK_GOLD}: node.book[rain].pages", "gold_breaks_grammar"),
    ]
    told = messages(folder)
    assert told[0].startswith("nodes['odd'].types: expected a list of texts")
    assert told[1] == "edges[2].target: no node is called 'nobody'"
    assert told[2] == "edges[3].id: 'ada-wrote-rain' is used twice"
    assert told[3].startswith("edges[4]: expected an object")


@pytest.mark.parametrize(
    "text", ["null", "[]", "3", '{"nodes": {}}', '{"nodes": [], "edges": {}}', '{"nodes": {"a"']
)
def test_a_gold_that_is_no_graph_at_all_is_one_finding(write, text):
    assert found(write({BOOK_GOLD: text}))[0][1] == "gold_invalid"
    assert sum(problem == "gold_invalid" for _, problem in found(write({BOOK_GOLD: text}))) == 1


@pytest.mark.parametrize("key", ["nodes", "edges"])
def test_a_node_id_used_twice_is_told_with_its_line(write, key):
    text = '{"nodes": {"a": {"types": ["person"], "attributes": {}},\n "a": 1}, "edges": []}'
    assert (f"{BOOK_GOLD}:2", "gold_invalid") in found(write({BOOK_GOLD: text}))


def test_nan_in_the_gold_is_told_with_its_line(write):
    text = json.dumps(tiny.gold(), indent=1).replace("212", "NaN")
    line = text[: text.index("NaN")].count("\n") + 1
    assert (f"{BOOK_GOLD}:{line}", "gold_invalid") in found(write({BOOK_GOLD: text}))


def test_a_node_and_an_edge_with_one_id_are_told(write):
    def change(gold):
        gold["edges"][0]["id"] = "rain"

    assert (f"{BOOK_GOLD}: rain", "id_shared") in found(write(gold_with(change)))


def test_a_gold_too_large_to_be_scored_is_one_finding(write):
    nodes = {f"p{n}": tiny.node("person") for n in range(5_001)}
    folder = write({BOOK_GOLD: tiny.graph(nodes), BOOK_EVIDENCE: None})
    assert found(folder)[0] == (BOOK_GOLD, "gold_too_large")
    broken = {name: {"types": 3} for name in nodes}
    folder = write({BOOK_GOLD: tiny.graph(broken), BOOK_EVIDENCE: None})
    assert [one for one in found(folder) if one[0].startswith(BOOK_GOLD)] == [
        (BOOK_GOLD, "gold_invalid")
    ]


# Evidence


def test_a_value_without_evidence_is_told(write):
    folder = write(evidence_with(lambda it: it["rain"].pop("pages") and it.pop("ada")))
    assert found(folder) == [
        (f"{BOOK_EVIDENCE}: node.person[ada].name", "evidence_missing"),
        (f"{BOOK_EVIDENCE}: node.person[ada].city", "evidence_missing"),
        (f"{BOOK_EVIDENCE}: node.book[rain].pages", "evidence_missing"),
    ]


def test_a_record_that_points_nowhere_is_missing_evidence(write):
    def change(evidence):
        evidence["ada"]["city"]["grounding"] = []

    assert found(write(evidence_with(change))) == [
        (f"{BOOK_EVIDENCE}: node.person[ada].city", "evidence_missing")
    ]


def test_without_the_file_the_values_are_counted(write):
    folder = write({BOOK_EVIDENCE: None, "nothing-said/expected_evidence.json": None})
    assert found(folder) == [(BOOK_EVIDENCE, "evidence_missing")]
    assert "the gold has 8 values" in messages(folder)[0]


def test_evidence_for_what_the_gold_does_not_have_is_told(write):
    def change(evidence):
        evidence["eve"] = {"name": tiny.quote("Ada")}
        evidence["ada"]["age"] = tiny.quote("Ada")

    assert found(write(evidence_with(change))) == [
        (f"{BOOK_EVIDENCE}: node.person[ada].age", "evidence_stray"),
        (f"{BOOK_EVIDENCE}: eve", "evidence_stray"),
    ]


@pytest.mark.parametrize(
    "record",
    [
        tiny.quote("21 pages"),
        tiny.quote("212 pages", "other.md"),
        tiny.cell(1, "weeks"),
        tiny.cell(0, "days"),
        tiny.cell(0, "weeks", "note.md"),
        {**tiny.cell(0, "weeks"), "provenance": {"derived_from": "other.md"}},
        {
            "provenance": {"derived_from": "note.md"},
            "grounding": [{"type": "TextPositionSelector", "start": 0, "end": 10_000}],
        },
        {
            "provenance": {"derived_from": "../one-book/sources/note.md"},
            "grounding": [{"type": "TextQuoteSelector", "exact": "212"}],
        },
    ],
)
def test_evidence_that_is_not_in_the_sources_is_told(write, record):
    def change(evidence):
        evidence["rain"]["pages"] = record

    assert found(write(evidence_with(change))) == [
        (f"{BOOK_EVIDENCE}: node.book[rain].pages", "evidence_not_found")
    ]


def test_a_value_that_its_evidence_does_not_hold_is_told(write):
    def change(evidence):
        evidence["rain"]["pages"] = tiny.quote("60 %")
        evidence["ada"]["city"] = tiny.quote("Ada Brown")

    assert found(write(evidence_with(change))) == [
        (f"{BOOK_EVIDENCE}: node.person[ada].city", "value_elsewhere"),
        (f"{BOOK_EVIDENCE}: node.book[rain].pages", "value_elsewhere"),
    ]


def test_a_value_that_no_source_holds_is_told(write):
    def change(gold):
        gold["nodes"]["rain"]["attributes"]["pages"] = 213
        gold["nodes"]["ada"]["attributes"]["city"] = "York"
        gold["edges"][0]["attributes"]["share"] = 0.6
        gold["edges"][1]["attributes"]["weeks"] = 30

    assert found(write(gold_with(change))) == [
        (f"{BOOK_EVIDENCE}: node.person[ada].city", "value_ungrounded"),
        (f"{BOOK_EVIDENCE}: node.book[rain].pages", "value_ungrounded"),
        (f"{BOOK_EVIDENCE}: edge.wrote[ada-wrote-rain].share", "value_ungrounded"),
        (f"{BOOK_EVIDENCE}: edge.borrowed[ada-borrowed-rain].weeks", "value_ungrounded"),
    ]


@pytest.mark.parametrize("genre", ["novel", "manual"])
def test_a_classification_need_not_be_spelled_by_its_evidence(write, genre):
    changes = gold_with(lambda gold: gold["nodes"]["rain"]["attributes"].update(genre=genre))
    changes |= evidence_with(lambda evidence: evidence["rain"].update(genre=tiny.quote("pages")))
    assert found(write(changes)) == []


def test_records_in_order_are_checked_beside_one_that_is_none(write):
    def change(evidence):
        evidence["ada"]["name"] = {"grounding": 3}
        evidence["rain"]["pages"] = tiny.quote("no such words")

    problems = [problem for _, problem in found(write(evidence_with(change)))]
    assert set(problems[:-1]) == {"evidence_invalid"}
    assert problems[-1] == "evidence_not_found"


# Sources


def test_each_source_that_cannot_be_read_is_told_and_its_evidence_passed_over(write):
    folder = write(
        {
            "one-book/sources/note.md": tiny.NOTE.encode("utf-16"),
            "one-book/sources/scan.pdf": "%PDF",
            "one-book/sources/wide.csv": "a,b\n1\n",
        }
    )
    os.mkfifo(folder / "one-book/sources/pipe.txt")
    assert found(folder) == [
        ("one-book/sources/note.md", "sources_invalid"),
        ("one-book/sources/pipe.txt", "sources_invalid"),
        ("one-book/sources/scan.pdf", "sources_invalid"),
        ("one-book/sources/wide.csv:2", "sources_invalid"),
    ]


def test_a_link_out_of_the_corpus_is_told_and_not_read(write, tmp_path):
    (tmp_path / "secret.md").write_text("a secret")
    folder = write()
    (folder / "one-book/sources/leak.md").symlink_to(tmp_path / "secret.md")
    assert found(folder) == [("one-book/sources/leak.md", "sources_invalid")]
    assert not any("a secret" in message for message in messages(folder))


def test_a_case_that_is_a_link_out_of_the_corpus_is_told(write, tmp_path):
    folder = write()
    shutil.move(folder / "one-book", tmp_path / "one-book")
    (folder / "one-book").symlink_to(tmp_path / "one-book")
    assert ("one-book", "case_invalid") in found(folder)


def test_an_empty_and_a_missing_folder_of_sources_are_told(write):
    sources = ("one-book/sources/note.md", "one-book/sources/loans.csv")
    folder = write({**dict.fromkeys(sources), BOOK_EVIDENCE: None, BOOK_GOLD: tiny.graph()})
    assert ("one-book/sources", "sources_invalid") in found(folder)
    (folder / "one-book/sources").mkdir()
    assert ("one-book/sources", "no_sources") in found(folder)


# Policies, verifiers and bindings


def test_policy_paths_that_match_nothing_are_each_told_with_their_line(write):
    text = (
        tiny.STRICT + "  node.bok: exact\n  edge.wrote.shares: exact\n  node.person.city: exact\n"
    )
    assert found(write({"policies/strict.yaml": text})) == [
        ("policies/strict.yaml:12", "policy_matches_nothing"),
        ("policies/strict.yaml:13", "policy_matches_nothing"),
    ]


def test_a_policy_s_path_for_an_element_that_no_gold_has_is_told(write):
    text = tiny.STRICT + "  node.book[rain]: exact\n  node.book[snow]: exact\n"
    folder = write({"policies/strict.yaml": text})
    assert found(folder) == [("policies/strict.yaml:13", "policy_matches_nothing")]
    # A gold that cannot be read may have it.
    (folder / "nothing-said/expected_graph.json").write_text("{")
    assert found(folder) == [("nothing-said/expected_graph.json:1", "gold_invalid")]


def test_every_verifier_that_cannot_be_built_is_told(write):
    text = "defaults: {integer: nothing}\nverifiers:\n  graph: {kind: exact, b: 1}\n  nod: exact\n"
    places = found(write({"policies/strict.yaml": text}))
    assert sorted(places) == [
        ("policies/strict.yaml:1", "policy_invalid"),
        ("policies/strict.yaml:3", "policy_invalid"),
        ("policies/strict.yaml:4", "policy_invalid"),
    ]


def test_a_corpus_without_the_strict_policy_is_told(write):
    assert found(write({"policies/strict.yaml": None})) == [("policies", "no_strict_policy")]


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("node.book[rain]", None),
        ("node.agent[ada].name", None),
        ("edge.wrote[ada-wrote-rain].share", None),
        ("node.book[snow].pages", "override_matches_nothing"),
        ("node.person[rain].name", "override_matches_nothing"),
        ("node.book[rain].weight", "override_matches_nothing"),
        ("edge.borrowed[ada-wrote-rain]", "override_matches_nothing"),
        ("node.book.pages", "override_invalid"),
    ],
)
def test_a_case_s_own_verifiers_must_match_its_gold(write, path, problem):
    folder = write({"one-book/verifiers.yaml": json.dumps({path: "exact"})})
    expected = [(f"one-book/verifiers.yaml: {path}", problem)] if problem else []
    assert found(folder) == expected


def test_an_attribute_that_this_gold_leaves_out_is_matched_by_no_verifier(write):
    changes = gold_with(lambda gold: gold["nodes"]["rain"]["attributes"].pop("pages"))
    changes |= evidence_with(lambda evidence: evidence["rain"].pop("pages"))
    assert found(write(changes)) == [
        ("one-book/verifiers.yaml: node.book[rain].pages", "override_matches_nothing")
    ]


def test_bindings_that_a_corpus_may_not_use_are_refused_with_their_line(write):
    text = "book:\n  strategy: sql\n  config: {url: x}\n"
    assert found(write({"bindings.yaml": text})) == [("bindings.yaml:2", "bindings_refused")]


# Cases that catch nothing, and files that nothing reads


def copy_case(folder, name):
    shutil.copytree(folder / "one-book", folder / name)
    return folder / name


def test_two_cases_with_the_same_gold_are_told_whatever_its_ids(write):
    folder = write()
    other = copy_case(folder, "same-book")
    for file in ("expected_graph.json", "expected_evidence.json", "verifiers.yaml"):
        text = (other / file).read_text()
        (other / file).write_text(text.replace('"ada', '"x').replace("rain", "y"))
    (other / "sources/note.md").write_text(tiny.NOTE + "\n")
    assert found(folder) == [("same-book/expected_graph.json", "same_gold")]


def test_two_cases_with_the_same_sources_are_told(write):
    folder = write()
    copy_case(folder, "same-book")
    assert found(folder) == [
        ("same-book/expected_graph.json", "same_gold"),
        ("same-book/sources", "same_sources"),
    ]


def test_two_documents_may_both_say_nothing(write):
    folder = write()
    shutil.copytree(folder / "nothing-said", folder / "nothing-lent")
    (folder / "nothing-lent/sources/note.md").write_text("Closed in August.\n")
    assert found(folder) == []


def test_a_corpus_in_which_nothing_is_ever_expected_is_told(write):
    folder = write()
    shutil.rmtree(folder / "one-book")
    assert found(folder) == [("nothing-said", "always_empty")]


def test_files_that_nothing_reads_are_told_and_pages_for_people_are_not(write):
    changes = {
        "notes.md": "",
        "LICENSE": "",
        ".hidden": "",
        "policies/old.yml": "",
        "one-book/evidence.json": "{}",
        "one-book/notes.md": "",
        "drafts/text.md": "",
        "Makefile": "",
    }
    assert found(write(changes)) == [
        ("one-book/evidence.json", "file_unread"),
        ("one-book/notes.md", "file_unread"),
        ("Makefile", "file_unread"),
        ("drafts", "file_unread"),
        ("policies/old.yml", "file_unread"),
    ]


@pytest.mark.parametrize("name", ["One-Book", "one book", "-x", "bücher", "a" * 101, "x\x1b[2J"])
def test_a_case_whose_folder_has_an_odd_name_is_told_and_still_checked(write, name):
    folder = write()
    (folder / "one-book").rename(folder / name)
    (folder / name / "case.yaml").unlink()
    problems = check_corpus(str(folder))
    assert [one.problem for one in problems] == ["case_name", "case_invalid"]
    assert all(one.where.isprintable() and one.message.isprintable() for one in problems)


def test_a_case_whose_name_is_no_text_is_told(write):
    folder = write()
    (folder / "one-book").rename(folder / os.fsdecode(b"b\xff"))
    (problem,) = check_corpus(str(folder))
    assert problem.problem == "case_name"
    assert str(problem).encode()


def test_a_yaml_bomb_is_one_finding(write):
    bomb = "a: &a [x, x]\nb: &b [*a, *a]\n"
    for file in ("grammar.yaml", "policies/strict.yaml", "one-book/case.yaml"):
        places = [where for where, _ in found(write({file: bomb}))]
        assert f"{file}:1" in places


def test_everything_is_found_at_once_in_an_order_that_does_not_change(write):
    folder = write(
        {
            "policies/strict.yaml": tiny.STRICT + "  node.bok: exact\n",
            "bindings.yaml": "book: 3\n",
            "one-book/case.yaml": "tags: []\n",
            "one-book/sources/scan.pdf": "",
            BOOK_EVIDENCE: "[]",
            "one-book/verifiers.yaml": "node.book[x]: exact\n",
            "one-book/spare.txt": "",
            "spare.txt": "",
        }
    )
    expected = [
        ("policies/strict.yaml:12", "policy_matches_nothing"),
        ("bindings.yaml:1", "bindings_refused"),
        ("one-book/case.yaml:1", "case_invalid"),
        ("one-book/sources/scan.pdf", "sources_invalid"),
        (BOOK_EVIDENCE, "evidence_invalid"),
        ("one-book/verifiers.yaml: node.book[x]", "override_matches_nothing"),
        ("one-book/spare.txt", "file_unread"),
        ("spare.txt", "file_unread"),
    ]
    assert found(folder) == expected
    assert found(folder) == expected


def test_codes_are_plain_text_and_each_is_described():
    text = Path(inspect.getfile(Problem)).read_text()
    for problem in Problem:
        assert f'{problem.name} = "{problem.value}"\n    """' in text
    finding = Finding("a", Problem.NO_CASES.value, "b")
    assert str(finding) == "a: b [no_cases]"
    assert finding.as_dict() == {"where": "a", "problem": "no_cases", "message": "b"}


def test_a_folder_that_may_not_be_listed_is_told(write, monkeypatch):
    folder = write()
    listed = os.scandir

    def scandir(path):
        if str(path).endswith("policies"):
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert ("policies", "policy_invalid") in found(folder)


ODD = [None, True, -1, 1e300, "", "x" * 2_000, "\ud83d\ude00", [], [[]], {}, {"a": {}}]


def places_in(value, place=()):
    yield place
    inner = enumerate(value) if isinstance(value, list) else ()
    for key, one in value.items() if isinstance(value, dict) else inner:
        yield from places_in(one, (*place, key))


def put(value, place, odd):
    if not place:
        return odd
    copy = json.loads(json.dumps(value))
    held = copy
    for key in place[:-1]:
        held = held[key]
    held[place[-1]] = odd
    return copy


@pytest.mark.parametrize(
    ("file", "value"), [(BOOK_GOLD, tiny.gold()), (BOOK_EVIDENCE, {"ada": tiny.evidence()["ada"]})]
)
def test_no_value_in_the_place_of_another_is_more_than_a_finding(write, file, value):
    folder = write()
    for number, place in enumerate(places_in(value)):
        odd = ODD[number % len(ODD)]
        (folder / file).write_text(json.dumps(put(value, place, odd)))
        for one in check_corpus(str(folder)):
            assert one.message
            assert one.where.isprintable()
            assert one.problem in list(Problem)


@pytest.mark.parametrize(
    "file", ["grammar.yaml", "policies/strict.yaml", "one-book/case.yaml", BOOK_GOLD, BOOK_EVIDENCE]
)
def test_a_file_cut_anywhere_is_no_more_than_a_finding(write, file):
    folder = write()
    text = tiny.files()[file].encode()
    for length in range(0, len(text), max(1, len(text) // 8)):
        (folder / file).write_bytes(text[:length])
        for one in check_corpus(str(folder)):
            assert one.message
