"""Sources: what is taken, and that every fault of one is a sentence with file and line."""

from pathlib import Path

import pytest

from creel_inspect.extract.corpus import sources as module
from creel_inspect.extract.corpus.passages import around, flowing, paragraphs, passages_of
from creel_inspect.extract.corpus.sources import Source, read_sources, source_from
from creel_inspect.extract.files.reading import CorpusError


def test_a_suffix_says_how_a_source_is_read():
    assert source_from("a.md", "# A").kind == "text"
    assert source_from("A.TXT", "A").content == "A"
    assert source_from("a.json", '{"a": [1, 2.5]}').content == {"a": [1, 2.5]}
    table = source_from("a.csv", 'name,amount\n"Lira, north",12\nGulu,\n')
    assert table.content == [
        {"name": "Lira, north", "amount": "12"},
        {"name": "Gulu", "amount": ""},
    ]
    assert table.columns == ("name", "amount")


def test_other_files_are_refused_with_the_list_of_those_that_are_taken():
    for name in ("a.pdf", "a", "csv", "a.md.exe", ""):
        with pytest.raises(CorpusError, match=r"expected a name that ends in \.md, \.txt, \.csv"):
            source_from(name, "")


def test_content_is_read_once():
    source = source_from("a.csv", "a\n1\n")
    assert source.content is source.content


def test_empty_lines_of_a_table_are_no_rows_and_an_empty_file_has_none():
    assert source_from("a.csv", "\n\na,b\n\n1,2\n\n").content == [{"a": "1", "b": "2"}]
    assert source_from("a.csv", "").content == []
    assert source_from("a.csv", "a,b\n").columns == ("a", "b")


def test_a_line_break_in_a_quoted_cell_is_the_cells():
    text = 'a,b\n"one\ntwo",2\n3\n'
    with pytest.raises(CorpusError, match=r"^a\.csv:4 has 1 cell, and the header has 2 columns"):
        source_from("a.csv", text)
    assert source_from("a.csv", text[:-2]).content == [{"a": "one\ntwo", "b": "2"}]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n1,2,3\n", r"a\.csv:3 has 3 cells, and the header has 2 columns"),
        ("a,b\n1\n", r"a\.csv:2 has 1 cell, and the header has 2 columns"),
        ("a,,b\n", r"a\.csv:1: column 2 of the header has no name"),
        ("\na, \n", r"a\.csv:2: column 2 of the header has no name"),
        ("a,b,a\n", r"a\.csv:1: the header names the column 'a' twice"),
        ("a\n1\n\0\n", r"a\.csv:3 holds a NUL"),
        ('a\n"1\n', r"a\.csv:2 is no row of a table: unexpected end of data"),
        ('a\n"1"2\n', r"a\.csv:2 is no row of a table"),
        ("a\n" + "9" * 200_000, r"a\.csv:2 is no row of a table: field larger than field limit"),
    ],
)
def test_a_faulty_table_is_refused_with_its_line(text, message):
    with pytest.raises(CorpusError, match=message):
        source_from("a.csv", text)


@pytest.mark.parametrize(
    "text", ['{"a": 1, "a": 2}', '{"a": NaN}', "[1,", "[" * 10_000, "9" * 5_000, ""]
)
def test_faulty_json_is_refused_with_the_files_name(text):
    with pytest.raises(CorpusError, match=r"^a\.json"):
        source_from("a.json", text)


def test_a_source_and_a_case_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(CorpusError, match=r"a\.md has 5,000,001 characters; a source has at most"):
        source_from("a.md", "a" * 5_000_001)
    monkeypatch.setattr(module, "MOST_CHARACTERS_OF_CASE", 10)
    folder = tmp_path / "case" / "sources"
    folder.mkdir(parents=True)
    (folder / "a.md").write_text("123456")
    (folder / "b.md").write_text("123456")
    with pytest.raises(CorpusError, match="case/sources have more than 10 characters together"):
        read_sources(folder, tmp_path)
    monkeypatch.setattr(module, "MOST_SOURCES", 1)
    with pytest.raises(CorpusError, match="case/sources holds 2 files; a case has at most 1"):
        read_sources(folder, tmp_path)


def test_a_table_is_bounded_in_cells(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "MOST_CELLS", 3)
    with pytest.raises(CorpusError, match=r"a\.csv has more than 3 cells"):
        source_from("a.csv", "a,b\n1,2\n3,4\n")


def test_sources_are_read_by_name_and_hidden_files_passed_over(tmp_path: Path):
    (tmp_path / "b.csv").write_text("\ufeffa\n1\n", encoding="utf-8")
    (tmp_path / "a.md").write_text("A")
    (tmp_path / ".DS_Store").write_bytes(b"\0")
    found = read_sources(tmp_path, tmp_path)
    assert list(found) == ["a.md", "b.csv"]
    assert found["b.csv"].content == [{"a": "1"}]


def test_a_folder_with_anything_else_is_refused(tmp_path: Path):
    (tmp_path / "sub").mkdir()
    with pytest.raises(CorpusError, match="'sub' is no source that can be read"):
        read_sources(tmp_path, tmp_path)
    with pytest.raises(CorpusError, match="expected a folder of sources"):
        read_sources(tmp_path / "none", tmp_path)


def test_a_link_out_of_the_corpus_is_not_followed(tmp_path: Path):
    outside = tmp_path / "secret.md"
    outside.write_text("secret")
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "a.md").symlink_to(outside)
    with pytest.raises(CorpusError, match="leads out of"):
        read_sources(corpus, corpus)


def _texts(text: str) -> list[str]:
    return [text[start:end].strip() for start, end in paragraphs(text)]


def test_paragraphs_headings_items_and_rows_are_passages_of_their_own():
    text = "# Title\nOne\ntwo.\n\n- a\n- b\n  more\n| 1 | 2 |\n| 3 | 4 |\nAfter\n"
    assert _texts(text) == [
        "# Title", "One\ntwo.", "- a", "- b\n  more", "| 1 | 2 |", "| 3 | 4 |", "After",
    ]  # fmt: skip


def test_a_number_at_the_end_of_a_sentence_begins_no_list():
    assert _texts("the projects are\n12. They are") == ["the projects are\n12. They are"]
    assert _texts("these:\n1. one\n2. two") == ["these:", "1. one", "2. two"]


def test_two_numbers_on_two_lines_or_in_two_columns_stay_two():
    assert flowing("a\nb  c 12\n500 d") == "a b c 12\n500 d"
    assert flowing("12   500\t7") == "12\n500\n7"
    assert flowing("12 500\u00a0000") == "12 500 000"


def test_what_stands_round_a_stretch_is_of_its_paragraph_and_of_whole_words():
    text = "first\n\n" + "word " * 100 + "HERE" + " word" * 100 + "\n\nlast"
    start = text.index("HERE")
    (one,) = around(text, paragraphs(text), start, start + 4)
    assert one.text[one.start : one.end] == "HERE"
    assert set(one.text.split()) == {"word", "HERE"}
    assert len(one.text) < 250


def test_a_table_is_read_by_cell_and_json_by_leaf():
    table = source_from("a.csv", "x,y\n12,5\n12,\n")
    assert [(one.text, one.label) for one in passages_of(table)] == [
        ("x", True), ("y", True), ("12", False), ("5", False),
    ]  # fmt: skip
    document = source_from("a.json", '{"k": [1, "one", true, null]}')
    assert [(one.text, one.number) for one in passages_of(document)] == [
        ("k", None), ("1", 1), ("one", None), ("true", None),
    ]  # fmt: skip


def test_a_source_is_told_from_another_by_all_it_holds():
    assert source_from("a.md", "x") == Source("a.md", "x", "text")
    assert source_from("a.md", "x") != source_from("b.md", "x")
