"""Cutting sources: nothing lost, nothing too long, and cut where a reader would."""

import csv
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from creel_inspect.extract.corpus.sources import Source
from creel_inspect.extract.extractors.chunks import Piece, chunks_of

TEXTS = st.text(alphabet=st.sampled_from('ab ,.\n\r"\\[]{}é\u2028'), max_size=300)
SOURCES = st.lists(
    st.builds(
        Source,
        st.sampled_from(["one.md", "two.csv", "three.json"]),
        TEXTS,
        st.sampled_from(["text", "table", "json"]),
    ),
    max_size=4,
    unique_by=lambda source: source.name,
)


@settings(max_examples=400, deadline=None)
@given(SOURCES, st.integers(1, 120))
def test_no_character_is_lost_or_moved_and_no_chunk_is_too_long(sources, characters):
    chunks = chunks_of(sources, characters)
    pieces = [piece for chunk in chunks for piece in chunk]
    for source in sources:
        mine = [piece for piece in pieces if piece.source == source.name]
        assert "".join(piece.text for piece in mine) == source.text
        assert [piece.number for piece in mine] == list(range(1, len(mine) + 1))
        assert {piece.total for piece in mine} == {len(mine)}
        if len(source.text) <= characters:
            assert len(mine) == 1
    for chunk in chunks:
        assert sum(len(piece.header) + len(piece.text) for piece in chunk) <= characters
    order = [source.name for source in sources]
    assert list(dict.fromkeys(piece.source for piece in pieces)) == order


@settings(max_examples=200, deadline=None)
@given(SOURCES, st.integers(1, 120))
def test_there_are_no_more_parts_than_half_full_ones_would_be(sources, characters):
    for chunk in chunks_of(sources, characters):
        for piece in chunk:
            length = sum(len(one.text) for one in sources if one.name == piece.source)
            # A repeated header takes at most half a part, and what is left is half full.
            assert piece.total <= 4 * length / characters + 2


def texts(chunks):
    return [[piece.text for piece in chunk] for chunk in chunks]


def test_whole_sources_are_packed_in_order():
    sources = [Source(f"{n}.md", n * 4, "text") for n in "abcd"]
    assert texts(chunks_of(sources, 8)) == [["aaaa", "bbbb"], ["cccc", "dddd"]]
    assert texts(chunks_of(sources, 16)) == [["aaaa", "bbbb", "cccc", "dddd"]]
    assert texts(chunks_of(sources, 7)) == [["aaaa"], ["bbbb"], ["cccc"], ["dddd"]]


def test_without_sources_there_is_one_empty_chunk():
    assert chunks_of([], 10) == [()]
    assert texts(chunks_of([Source("a.md", "", "text")], 10)) == [[""]]


def test_a_text_is_cut_at_paragraphs_then_lines_then_sentences_then_words():
    def cut(text, characters):
        return [
            piece.text
            for chunk in chunks_of([Source("a.md", text, "text")], characters)
            for piece in chunk
        ]

    assert cut("aaaa\nbb\n\ncc\ndd", 12) == ["aaaa\nbb\n\n", "cc\ndd"]
    assert cut("aaaa\nbbbb\ncc", 11) == ["aaaa\nbbbb\n", "cc"]
    assert cut("Aaa bbb. Cc dd ee", 12) == ["Aaa bbb. ", "Cc dd ee"]
    assert cut("aaaa bbbb cccc", 11) == ["aaaa bbbb ", "cccc"]
    assert cut("abcdefgh", 3) == ["abc", "def", "gh"]
    # A paragraph that ends early is no place to cut: the part would be all but empty.
    assert cut("a\n\nbbbb cccc dddd", 12) == ["a\n\nbbbb ", "cccc dddd"]


def test_a_table_repeats_its_header_and_keeps_its_rows_whole():
    rows = [[f"keeper {n}", f"line one\nline {n}"] for n in range(20)]
    lines = ['"keeper ' + str(n) + '","line one\nline ' + str(n) + '"\n' for n in range(20)]
    table = Source("rota.csv", "name,note\n" + "".join(lines), "table")
    chunks = chunks_of([table], 100)
    read = []
    for number, [piece] in enumerate(chunks):
        assert piece.header == ("" if number == 0 else "name,note\n")
        [header, *part] = csv.reader((piece.header + piece.text).splitlines(keepends=True))
        assert header == ["name", "note"]
        read += part
    assert len(chunks) > 3
    assert read == rows


def test_a_header_that_would_fill_the_parts_is_not_repeated():
    header = ",".join(f"column {n}" for n in range(20)) + "\n"
    table = Source("wide.csv", header + "1," * 19 + "1\n", "table")
    assert {piece.header for chunk in chunks_of([table], 100) for piece in chunk} == {""}


@pytest.mark.parametrize("wrap", ["{}", '{{"rows": {}, "of": 1}}'])
def test_a_json_list_is_cut_between_items(wrap):
    items = [{"name": f"animal, [{n}]", "sizes": [n, n + 1]} for n in range(30)]
    text = wrap.format(json.dumps(items))
    parts = [piece.text for [piece] in chunks_of([Source("zoo.json", text, "json")], 200)]
    assert len(parts) > 5
    for part in parts[:-1]:
        assert part.endswith("},")
    for part in parts[1:]:
        assert part.startswith(' {"name"')


def test_a_comma_within_a_json_text_is_no_place_to_cut():
    text = json.dumps(['a, \\" b' * 5, "c"])
    parts = [piece.text for [piece] in chunks_of([Source("a.json", text, "json")], len(text) - 1)]
    assert parts[0].endswith('",')


def test_labels_say_which_part_it_is_and_stay_on_one_line():
    assert Piece("report.md", "x").label == "report.md"
    assert Piece("report.md", "x", 2, 5).label == "part 2 of 5 of report.md"
    assert Piece("a\nb\u2028c.md", "x").label == "a\\u000ab\\u2028c.md"


def test_a_chunk_holds_at_least_a_character():
    with pytest.raises(ValueError, match="1 is the least"):
        chunks_of([], 0)


def test_large_sources_are_cut_quickly_enough_to_be_cut_at_all():
    # Each of these is quadratic for a careless pattern.
    for kind, text in (
        ("json", '["' + "\\" * 400_000),
        ("json", '"' * 400_001),
        ("text", "\n" + " " * 400_000),
        ("table", '"' * 400_001),
        ("text", "\n" * 400_000),
    ):
        parts = chunks_of([Source("a", text, kind)], 50_000)
        assert "".join(piece.text for chunk in parts for piece in chunk) == text
