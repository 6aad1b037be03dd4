"""Reading a corpus whole: what it holds, and what stops a run before it begins."""

import json
import os
import shutil

import pytest

from creel_inspect.extract.corpus import corpus as corpus_module
from creel_inspect.extract.corpus.corpus import (
    CorpusError,
    bundled_corpora,
    corpus_folder,
    load_corpus,
)
from tests.extract import tiny


@pytest.fixture
def write(tmp_path):
    def write(changes=None):
        return tiny.write_corpus(tmp_path / "shelf", changes)

    return write


def refused(folder):
    with pytest.raises(CorpusError) as error:
        load_corpus(str(folder))
    return str(error.value)


def test_a_corpus_is_read_whole(write):
    corpus = load_corpus(str(write()))
    assert (corpus.name, corpus.policies) == ("shelf", ("lenient", "strict"))
    assert corpus.bindings is None
    assert [case.id for case in corpus.cases] == ["nothing-said", "one-book"]
    empty, book = corpus.cases
    assert (empty.why, empty.tags) == ("Nothing is said, so nothing is made up.", ("empty",))
    assert (dict(empty.expected.nodes), empty.expected.edges) == ({}, ())
    assert list(book.sources) == ["loans.csv", "note.md"]
    assert book.sources["loans.csv"].content == [
        {"title": "Rain Gauges", "borrower": "Ada Brown", "weeks": "3"}
    ]
    assert book.expected.to_json()["nodes"] == tiny.gold()["nodes"]
    assert [edge.id for edge in book.expected.edges] == ["ada-wrote-rain", "ada-borrowed-rain"]
    assert book.evidence == tiny.evidence()
    assert book.verifiers == {"node.book[rain].pages": {"kind": "numeric_tolerance", "abs": 2}}
    assert corpus.grammar.lineage("node", "person") == ("person", "agent", "located")


def test_evidence_verifiers_and_tags_may_be_left_out(write):
    changes = {
        "one-book/verifiers.yaml": None,
        "one-book/expected_evidence.json": None,
        "one-book/case.yaml": "why: Because.\n",
    }
    book = load_corpus(str(write(changes))).cases[1]
    assert (book.evidence, book.verifiers, book.tags) == ({}, {}, ())


def test_bindings_are_named_where_there_are_some(write):
    folder = write({"bindings.yaml": "{}\n"})
    assert load_corpus(str(folder)).bindings == folder / "bindings.yaml"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"grammar.yaml": None}, "grammar.yaml is not there"),
        ({"grammar.yaml": "id: [\n"}, "grammar.yaml:"),
        (
            {"grammar.yaml": tiny.GRAMMAR.replace("abstract: true", "is_a: person", 1)},
            "grammar.yaml:9: nodes.agent",
        ),
        ({"one-book/case.yaml": None}, "one-book/case.yaml is not there"),
        ({"one-book/case.yaml": "tags: [a]\n"}, "one-book/case.yaml:1: `why` is a sentence"),
        ({"one-book/case.yaml": "why: ' '\n"}, "`why` is a sentence"),
        ({"one-book/case.yaml": "why: a\nwhat: b\n"}, "case.yaml:2: no key is called 'what'"),
        ({"one-book/case.yaml": "why: a\ntags: b\n"}, "case.yaml:2: `tags` is a list of words"),
        ({"one-book/case.yaml": "- a\n"}, "case.yaml:1: expected `why"),
        ({"one-book/expected_graph.json": None}, "one-book/expected_graph.json is not there"),
        ({"one-book/expected_graph.json": '{"nodes": {"a"'}, "expected_graph.json:1 is no JSON"),
        ({"one-book/expected_graph.json": "null"}, "one-book/expected_graph.json: the graph"),
        ({"one-book/expected_evidence.json": "[]"}, "one-book/expected_evidence.json: "),
        ({"one-book/verifiers.yaml": "- exact\n"}, "verifiers.yaml:1: expected verifiers by"),
        (
            {"one-book/sources/old.pdf": "%PDF"},
            "one-book/sources: 'old.pdf' is no source that can be read",
        ),
        ({"One Book/sources/note.md": "x"}, "'One Book': a case's folder is named with"),
    ],
)
def test_what_makes_a_run_impossible_names_file_and_place(write, changes, said):
    assert said in refused(write(changes))


def gold_with(**parts):
    return {"one-book/expected_graph.json": tiny.graph(**parts)}


@pytest.mark.parametrize(
    ("types", "said"),
    [
        (
            ["person", "book"],
            "nodes['x'].types: the node has 'person', 'book', none of which is above",
        ),
        ([], "nodes['x'].types: the node has no type; expected one most specific type"),
    ],
)
def test_a_node_without_one_most_specific_type_is_refused(write, types, said):
    node = {"types": types, "attributes": {}}
    assert said in refused(write(gold_with(nodes={"x": node})))


def test_a_type_and_those_above_it_are_one_type(write):
    node = {"types": ["agent", "person", "located"], "attributes": {"name": "Ada"}}
    assert load_corpus(str(write(gold_with(nodes={"x": node}))))


def test_an_edge_in_the_air_and_an_id_used_twice_are_refused(write):
    ada = {"ada": tiny.node("person", name="Ada")}
    air = tiny.edge("e", "wrote", "ada", "nobody")
    assert "edges[0].target: no node is called 'nobody'" in refused(
        write(gold_with(nodes=ada, edges=[air]))
    )
    loop = tiny.edge("e", "wrote", "ada", "ada")
    text = refused(write(gold_with(nodes=ada, edges=[loop, loop])))
    assert "edges[1].id: 'e' is used twice" in text


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999", "1" * 5_000])
def test_numbers_that_json_does_not_have_are_refused(write, number):
    text = json.dumps(tiny.gold()).replace("212", number)
    assert "one-book/expected_graph.json:1: " in refused(
        write({"one-book/expected_graph.json": text})
    )


def test_a_folder_without_a_case_is_no_corpus(tmp_path):
    (tmp_path / "grammar.yaml").write_text(tiny.GRAMMAR)
    assert "expected at least one case" in refused(tmp_path)


def test_a_case_with_nothing_to_read_is_refused(write):
    folder = write({"one-book/sources/note.md": None, "one-book/sources/loans.csv": None})
    (folder / "one-book/sources").mkdir()
    assert "one-book/sources: expected at least one file to read" in refused(folder)


@pytest.mark.parametrize("name", ["", " ", "no-such-corpus", "a\0b", "../nowhere", "x" * 5_000])
def test_a_corpus_that_is_not_there_is_named_with_those_that_are(name, monkeypatch, tmp_path):
    monkeypatch.setattr(corpus_module, "bundled_corpora", lambda: {"shelf": tmp_path})
    with pytest.raises(CorpusError, match=r"bundled one by name \(shelf\)"):
        corpus_folder(name)


def test_a_file_is_no_corpus(write):
    with pytest.raises(CorpusError, match="is a file, not a folder"):
        corpus_folder(str(write() / "grammar.yaml"))


def test_every_dataset_with_a_grammar_is_bundled_by_its_name():
    found = bundled_corpora()
    assert list(found) == sorted(found)
    assert "ord" not in found
    for name, folder in found.items():
        assert (folder / "grammar.yaml").is_file()
        assert corpus_folder(name) == folder


# Links, pipes and encodings


def test_a_link_out_of_the_corpus_is_not_followed(write, tmp_path):
    secret = tmp_path / "secret.md"
    secret.write_text("hidden")
    folder = write()
    (folder / "one-book/sources/leak.md").symlink_to(secret)
    text = refused(folder)
    assert "leads out of" in text
    assert "hidden" not in text


@pytest.mark.parametrize("file", ["case.yaml", "expected_graph.json", "expected_evidence.json"])
def test_no_file_of_a_case_may_be_a_link_out_of_the_corpus(write, tmp_path, file):
    folder = write()
    outside = tmp_path / file
    (folder / "one-book" / file).rename(outside)
    (folder / "one-book" / file).symlink_to(outside)
    assert "leads out of" in refused(folder)


def test_a_case_may_not_be_a_link_out_of_the_corpus(write, tmp_path):
    folder = write()
    shutil.move(folder / "one-book", tmp_path / "one-book")
    (folder / "one-book").symlink_to(tmp_path / "one-book")
    assert "leads out of" in refused(folder)


def test_policies_may_not_be_a_link_out_of_the_corpus(write, tmp_path):
    folder = write()
    shutil.move(folder / "policies", tmp_path / "policies")
    (folder / "policies").symlink_to(tmp_path / "policies")
    assert "leads out of" in refused(folder)


def test_a_link_inside_the_corpus_is_followed(write):
    folder = write({"nothing-said/case.yaml": None})
    (folder / "nothing-said/case.yaml").symlink_to(folder / "one-book/case.yaml")
    assert load_corpus(str(folder)).cases[0].why == "A value stands only in the table."


def test_a_corpus_may_itself_be_reached_by_a_link(write, tmp_path):
    (tmp_path / "alias").symlink_to(write())
    assert load_corpus(str(tmp_path / "alias")).name == "shelf"


def test_a_pipe_is_refused_and_not_waited_for(write):
    folder = write()
    os.mkfifo(folder / "one-book/sources/endless.txt")
    assert "one-book/sources/endless.txt is a pipe" in refused(folder)


def test_a_folder_in_the_place_of_a_file_is_refused(write):
    folder = write({"one-book/case.yaml": None})
    (folder / "one-book/case.yaml").mkdir()
    assert "one-book/case.yaml is a folder" in refused(folder)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_a_source_in_another_encoding_is_refused_by_its_name(write, encoding):
    text = refused(write({"one-book/sources/note.md": tiny.NOTE.encode(encoding)}))
    assert text.startswith("one-book/sources/note.md is UTF-")


def test_a_source_in_latin_1_is_refused_with_the_byte(write):
    text = refused(write({"one-book/sources/note.md": "Ada\nMüller".encode("latin-1")}))
    assert text.startswith("one-book/sources/note.md:2 is not UTF-8: byte 5 is 0xFC")


def test_a_yaml_bomb_is_refused_at_once(write):
    bomb = "why: a\ntags: &a [x, x]\nb: &b [*a, *a]\n"
    text = refused(write({"one-book/case.yaml": bomb}))
    assert "one-book/case.yaml:2: the anchor &a is not allowed" in text


def test_a_gold_of_a_million_nodes_is_refused(write):
    nodes = ",".join(f'"{n}":{{"types":["person"],"attributes":{{}}}}' for n in range(1_000_000))
    text = refused(write({"one-book/expected_graph.json": f'{{"nodes":{{{nodes}}},"edges":[]}}'}))
    assert "one-book/expected_graph.json is larger than 20,000,000 bytes" in text


def test_a_gold_of_more_nodes_than_can_be_aligned_is_refused(write):
    nodes = {str(n): tiny.node("person", name="A") for n in range(5_001)}
    text = refused(write(gold_with(nodes=nodes)))
    assert text == ("one-book/expected_graph.json: 5,001 nodes; at most 5,000 can be compared")


def test_a_gold_nested_without_end_is_refused(write):
    text = refused(write({"one-book/expected_graph.json": "[" * 200_000}))
    assert "nested more than 50 levels deep" in text


# The digest


def digest(folder):
    return load_corpus(str(folder)).digest


@pytest.mark.parametrize(
    "changes",
    [
        {"grammar.yaml": tiny.GRAMMAR.replace("minimum: 1", "minimum: 2", 1)},
        {"one-book/sources/note.md": tiny.NOTE + "More.\n"},
        {"one-book/expected_graph.json": json.dumps(tiny.gold()).replace("212", "213")},
        {"one-book/expected_evidence.json": "{}"},
        {"one-book/verifiers.yaml": None},
    ],
)
def test_the_digest_changes_with_what_a_score_depends_on(tmp_path, changes):
    before = digest(tiny.write_corpus(tmp_path / "a"))
    after = digest(tiny.write_corpus(tmp_path / "b", changes))
    assert len(before) == 12
    assert before != after


def test_the_digest_changes_when_cases_are_swapped_or_dropped(tmp_path):
    one = tiny.write_corpus(tmp_path / "a")
    two = tiny.write_corpus(tmp_path / "b")
    (two / "one-book").rename(two / "two-book")
    three = tiny.write_corpus(tmp_path / "c")
    shutil.rmtree(three / "nothing-said")
    assert len({digest(one), digest(two), digest(three)}) == 3


def test_the_digest_does_not_change_with_policies_words_places_or_order(tmp_path):
    gold = tiny.gold()
    gold["edges"].reverse()
    gold["nodes"] = dict(reversed(gold["nodes"].items()))
    changes = {
        "policies/strict.yaml": tiny.LENIENT,
        "policies/other.yaml": tiny.LENIENT,
        "README.md": "# Another page\n",
        "one-book/case.yaml": "why: Other words.\n",
        "one-book/expected_graph.json": json.dumps(gold, indent=4),
    }
    there = tiny.write_corpus(tmp_path / "somewhere" / "else", changes)
    assert digest(tiny.write_corpus(tmp_path / "shelf")) == digest(there)


def test_bundled_corpora_lie_inside_an_installed_package_and_beside_a_clone_s(
    tmp_path, monkeypatch
):
    module = tmp_path / "creel_inspect/extract/corpus/corpus.py"
    monkeypatch.setattr(corpus_module, "__file__", str(module))
    beside = tiny.write_corpus(tmp_path / "datasets/shelf")
    assert bundled_corpora() == {"shelf": beside}
    inside = tiny.write_corpus(tmp_path / "creel_inspect/datasets/books")
    assert bundled_corpora() == {"books": inside}
    assert load_corpus("books").name == "books"
