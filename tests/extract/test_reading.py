"""A corpus's files are read as they are written, inside their folder, or refused with the line."""

import os
import socket
from pathlib import Path
from typing import Any

import pytest
import yaml

from creel_inspect.extract.files import yaml_text
from creel_inspect.extract.files.reading import (
    MOST_BYTES,
    CorpusError,
    Document,
    inside,
    json_document,
    read_json,
    read_text,
    read_yaml,
    yaml_document,
)


def from_yaml(folder: Path, text: str) -> Document:
    (folder / "one.yaml").write_bytes(text.encode())
    return read_yaml(folder / "one.yaml", folder)


def from_json(folder: Path, text: str) -> Document:
    (folder / "one.json").write_bytes(text.encode())
    return read_json(folder / "one.json", folder)


def refusal(read: Any, *args: Any) -> str:
    with pytest.raises(CorpusError) as caught:
        read(*args)
    message = str(caught.value)
    assert len(message) < 500 and message.isprintable()
    return message


@pytest.fixture(params=[name for name in ("CSafeLoader", "SafeLoader") if hasattr(yaml, name)])
def _parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """PyYAML's scanner in C, and the one in Python that serves where it was built without."""
    monkeypatch.setattr(yaml_text, "_PARSER", getattr(yaml, request.param))


both_parsers = pytest.mark.usefixtures("_parser")


@both_parsers
@pytest.mark.parametrize(
    ("written", "meant"),
    [
        *((word, word) for word in ("NO", "no", "on", "off", "yes", "y", "nUll", "tRUE", "<<")),
        *((code, code) for code in ("012", "1_000", "00", "-01", "1:30", "0b1", "1e", "+", ".")),
        *((day, day) for day in ("2024-01-05", "2024-01", "2024-01-05T10:00:00Z")),
        ("12", 12), ("-7", -7), ("+5", 5), ("0x1F", 31), ("0o17", 15), ("1.5", 1.5), (".5", 0.5),
        ("1e3", 1000.0), ("0", 0), ("0.10", 0.1), ("2024", 2024),
        ("true", True), ("False", False), ("null", None), ("~", None), ("", None),
        ("'12'", "12"), ('"true"', "true"), ("''", ""), ('"a\\nb"', "a\nb"), ("|\n  12\n", "12\n"),
    ],
)  # fmt: skip
def test_a_plain_scalar_means_what_yaml_1_2_says_and_codes_and_dates_stay_text(
    tmp_path: Path, written: str, meant: Any
) -> None:
    value = from_yaml(tmp_path, f"a: {written}\n").value["a"]
    assert value == meant and type(value) is type(meant)


@both_parsers
def test_the_lines_of_yaml_are_those_of_its_keys_and_items(tmp_path: Path) -> None:
    document = from_yaml(tmp_path, "# first\na:\n  b: 1\n  c:\n    - x\n    -\n      d: y\ne: z\n")
    assert document.value == {"a": {"b": 1, "c": ["x", {"d": "y"}]}, "e": "z"}
    assert dict(document.lines) == {
        (): 2, ("a",): 2, ("a", "b"): 3, ("a", "c"): 4, ("a", "c", 0): 5, ("a", "c", 1): 7,
        ("a", "c", 1, "d"): 7, ("e",): 8,
    }  # fmt: skip
    assert document.where("a", "c", 0) == "one.yaml:5"
    assert document.where("a", "b", "not", "there") == "one.yaml:3"
    assert document.where("nor", "this") == "one.yaml:2"


def test_the_lines_of_json_are_those_of_its_keys_and_items(tmp_path: Path) -> None:
    text = '\ufeff{\n "a, [": [1,\n  {"b\\u0041":\n true}],\n\n "c": [], "d": {}}\n'
    document = from_json(tmp_path, text)
    assert document.value == {"a, [": [1, {"bA": True}], "c": [], "d": {}}
    assert dict(document.lines) == {
        (): 1, ("a, [",): 2, ("a, [", 0): 2, ("a, [", 1): 3, ("a, [", 1, "bA"): 3,
        ("c",): 6, ("d",): 6,
    }  # fmt: skip
    assert len(document.lines) == 7
    assert document.where("a, [", 1, "bA", 4) == "one.json:3"


@both_parsers
def test_an_empty_yaml_file_holds_nothing(tmp_path: Path) -> None:
    assert from_yaml(tmp_path, "").value is None
    assert from_yaml(tmp_path, "# nothing\n").value is None
    assert from_yaml(tmp_path, "").where("a") == "one.yaml"


@both_parsers
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: &x 2\n", "one.yaml:2: the anchor &x is not allowed: write values out"),
        ("a:\n - &x [1]\n - *x\n", "one.yaml:2: the anchor &x is not allowed: write values out"),
        ("a: *x\n", "one.yaml:1: the alias *x is not allowed: write the value out"),
        ("*x : 1\n", "one.yaml:1: the alias *x is not allowed: write the value out"),
        ("a: !!python/object/apply:os.system ['x']\n", "one.yaml:1: the tag tag:yaml.org,2002:"
         "python/object/apply:os.system is not allowed: write plain values"),
        ("a: !!str 5\n", "one.yaml:1: the tag tag:yaml.org,2002:str is not allowed: "
         "write plain values"),
        ("a: ! x\n", "one.yaml:1: the tag ! is not allowed: write plain values"),
        ("!x : 1\n", "one.yaml:1: the tag !x is not allowed: write plain values"),
        ("a: 1\n---\nb: 2\n", "one.yaml:2: a second document begins: expected one in a file"),
        ("%YAML 1.1\n---\na: NO\n",
         "one.yaml:1: %YAML 1.1 is declared: files are read as YAML 1.2"),
        ("a: 1\nb: 2\na: 3\n", "one.yaml:3: the key 'a' is there already, on line 1"),
        ("x: {a: 1, 'a': 2}\n", "one.yaml:1: the key 'a' is there already, on line 1"),
        ("a: 1\n5: 2\n", "one.yaml:2: the key 5 is not text: put it in quotes"),
        ("true: 2\n", "one.yaml:1: the key true is not text: put it in quotes"),
        ("? [a]\n: 2\n", "one.yaml:1: a key is a list or mapping: expected text"),
        ("a: .nan\n", "one.yaml:1: .nan is no number that JSON has: expected a finite one"),
        ("a: -.inf\n", "one.yaml:1: -.inf is no number that JSON has: expected a finite one"),
        ("a: 1e999\n", "one.yaml:1: 1e999 is too large for a number"),
        ("a:\n  " + "9" * 301, "one.yaml:2: a number has more than 300 digits"),
        ('a: "\\ud800"\n', None),  # the scanner in C says so itself
        ("a: \x07\n", "one.yaml:1 holds the character U+0007, which YAML takes for a line break "
         'or not at all: write it as an escape, in a text in "double quotes"'),
        ("a: 1\nb: x\u2028c: y\n", "one.yaml:2 holds the character U+2028, which YAML takes for "
         'a line break or not at all: write it as an escape, in a text in "double quotes"'),
    ],
)  # fmt: skip
def test_yaml_that_is_more_than_values_is_refused_with_its_line(
    tmp_path: Path, text: str, message: str | None
) -> None:
    said = refusal(from_yaml, tmp_path, text)
    assert said == message if message else said.startswith("one.yaml:1")


@both_parsers
@pytest.mark.parametrize(
    "text", ["a: [1\n", "a: b: c\n", "a: 'x\n", "- a\nb:\n", "a: @x\n", "\t- x\n"]
)
def test_yaml_that_cannot_be_parsed_is_refused_with_a_line(tmp_path: Path, text: str) -> None:
    said = refusal(from_yaml, tmp_path, text)
    assert said.startswith(("one.yaml:1 is no YAML: ", "one.yaml:2 is no YAML: "))


def aliases(levels: int) -> str:
    """A billion values in a few lines, for whoever follows aliases."""
    lines = ["l0: &l0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]" for n in range(1, levels)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (aliases(9), "one.yaml:1: the anchor &l0 is not allowed"),
        ("[" * 60, "one.yaml:1: it is nested more than 50 levels deep"),
        ("[" * 100_000, "one.yaml:1 is no YAML: while increasing flow level exceeded maximum"),
        ("{a: " * 100_000, "one.yaml:1: it is nested more than 50 levels deep"),
        ("- " * 100_000, "one.yaml:1: it is nested more than 50 levels deep"),
        ("".join(f"k{n}: {n}\n" for n in range(1_000_000)),
         "one.yaml:100000: it holds more than 200,000 values"),
        ("[" + "1," * 1_000_000 + "]", "one.yaml:1: it holds more than 200,000 values"),
        ("a: '" + "x" * MOST_BYTES + "'", "one.yaml is larger than 20,000,000 bytes"),
        ("a: " + "9" * 10_000_000, "one.yaml:1: a number has more than 300 digits"),
        ("? " * 100_000, "one.yaml:1: a key is a list or mapping: expected text"),
    ],
    ids=["aliases", "lists", "more lists", "mappings", "items", "keys", "values", "bytes",
         "digits", "questions"],
)  # fmt: skip
def test_a_yaml_bomb_is_refused(tmp_path: Path, text: str, message: str) -> None:
    assert refusal(from_yaml, tmp_path, text).startswith(message)


@both_parsers
@pytest.mark.parametrize("text", ["[" * 100_000, "{a: " * 100_000, "- " * 100_000, aliases(9)])
def test_neither_parser_follows_a_bomb(tmp_path: Path, text: str) -> None:
    assert refusal(from_yaml, tmp_path, text).startswith("one.yaml:1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1,\n "b": NaN}',
         "one.json:2: NaN is no number that JSON has: expected a finite one"),
        ("[\n-Infinity]",
         "one.json:2: -Infinity is no number that JSON has: expected a finite one"),
        ("[1,\n1e999]", "one.json:2: 1e999 is too large for a number"),
        (f"[1,\n{'9' * 301}]", "one.json:2: a number has more than 300 digits"),
        (f"[1,\n{'9' * 10_000}]", "one.json:2: a number has more than 300 digits"),
        (f"[1,\n0.{'9' * 301}]", "one.json:2: a number has more than 300 digits"),
        ('{"a": {"b": 1},\n"b": [{"c": 1,\n"c": 2}]}', "one.json:3: the key 'c' is there already"),
        ('{"a": 1, "x": {"a": 0},\n"\\u0061": 2}', "one.json:2: the key 'a' is there already"),
        ('["x",\n"\\ud83d"]', "one.json:2: a text holds half of a surrogate pair"),
        ('{"a": 1,\n "b" 2}', "one.json:2 is no JSON: Expecting ':' delimiter at column 6"),
        ('{"nodes": {"a": {"types": ["x"', "one.json:1 is no JSON: Expecting ',' delimiter at "
         "column 31"),
        ("", "one.json:1 is no JSON: Expecting value at column 1"),
        ("[1] [2]", "one.json:1 is no JSON: Extra data at column 5"),
        ("[1,\n'a']", "one.json:2 is no JSON: Expecting value at column 1"),
        ('["a\nb"]', "one.json:1 is no JSON: Invalid control character at at column 4"),
        ("[[[[]]]" + "]" * 9, "one.json:1 is no JSON: Extra data at column 9"),
        ("[" * 51 + "]" * 51, "one.json:1: it is nested more than 50 levels deep"),
        ("[" * 1_000_000, "one.json:1: it is nested more than 50 levels deep"),
        ('{"a":' * 1_000_000, "one.json:1: it is nested more than 50 levels deep"),
        ('"' + '\\"' * 5_000_000, "one.json:1 is no JSON: Unterminated string starting at at "
         "column 1"),
    ],
)  # fmt: skip
def test_json_that_readers_disagree_about_is_refused_with_its_line(
    tmp_path: Path, text: str, message: str
) -> None:
    assert refusal(from_json, tmp_path, text) == message


def test_brackets_inside_texts_are_not_levels(tmp_path: Path) -> None:
    text = "[" * 200
    assert from_json(tmp_path, f'["{text}", "\\"{text}\\\\", "\\ud83d\\ude00"]').value == [
        text, '"' + text + "\\", "😀"
    ]  # fmt: skip
    deep: Any = from_json(tmp_path, "[" * 50 + "]" * 50).value
    for _ in range(49):
        (deep,) = deep
    assert deep == []


def test_text_is_read_without_its_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"\xef\xbb\xbfna\xc3\xafve\r\n")
    assert read_text(path, tmp_path) == "naïve\r\n"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("naïve".encode("utf-16"), "a.md is UTF-16, by its byte order mark: save it as UTF-8"),
        (b"\xfe\xff\x00a", "a.md is UTF-16, by its byte order mark: save it as UTF-8"),
        ("naïve".encode("utf-32"), "a.md is UTF-32, by its byte order mark: save it as UTF-8"),
        (b"ab\nna\xefve", "a.md:2 is not UTF-8: byte 5 is 0xEF; save it as UTF-8"),
        (b"\xef\xbb\xbfab\n\x93x", "a.md:2 is not UTF-8: byte 6 is 0x93; save it as UTF-8"),
        (b"ab\xc3", "a.md:1 is not UTF-8: byte 2 is 0xC3; save it as UTF-8"),
        (b"\xed\xa0\x80", "a.md:1 is not UTF-8: byte 0 is 0xED; save it as UTF-8"),
        (b"a\nb\x00", "a.md:2 holds a NUL character: it is no text file"),
        (b"a\x00b\x00", "a.md:1 holds a NUL character: it is no text file"),
    ],
)
def test_what_is_no_utf_8_text_is_refused_with_the_byte(
    tmp_path: Path, data: bytes, message: str
) -> None:
    (tmp_path / "a.md").write_bytes(data)
    assert refusal(read_text, tmp_path / "a.md", tmp_path) == message


def test_a_file_larger_than_the_bound_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "a.md").open("wb") as file:
        file.truncate(30_000_000)
    expected = "a.md is larger than 20,000,000 bytes: split it, or leave out what no case needs"
    assert refusal(read_text, tmp_path / "a.md", tmp_path) == expected


def test_only_ordinary_files_are_opened(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(tmp_path / "socket"))
    for name, said in (
        ("folder", "folder is a folder; expected an ordinary file"),
        ("pipe", "pipe is a pipe; expected an ordinary file"),
        ("socket", "socket is a socket; expected an ordinary file"),
        ("nothing", "nothing is not there"),
        ("folder/nothing.yaml", "folder/nothing.yaml is not there"),
    ):
        assert refusal(read_text, tmp_path / name, tmp_path) == said
    assert refusal(read_text, Path("/dev/null"), Path("/dev")) == (
        "null is a device; expected an ordinary file"
    )


def test_a_path_stays_inside_its_folder(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    (corpus / "case").mkdir(parents=True)
    outside = tmp_path / "outside.md"
    outside.write_text("secret")
    assert inside(corpus, "case", "sources/a.md") == corpus.resolve() / "case/sources/a.md"
    assert inside(corpus) == corpus.resolve()
    for part in ("/etc/passwd", "", "C:\\x", "C:x", "\\\\host\\share", "a\\b", "a\0b"):
        assert "is no path inside corpus: expected names joined by `/`" in refusal(
            inside, corpus, part
        )
    for part in ("..", "case/../../x", "../outside.md"):
        assert refusal(inside, corpus, part) == (
            f"{part!r} leads out of corpus: `..` is not allowed"
        )
    (corpus / "link.md").symlink_to(outside)
    (corpus / "up").symlink_to(tmp_path)
    (corpus / "kept.md").symlink_to(corpus / "case")
    (corpus / "circle").symlink_to(corpus / "circle")
    said = "leads out of corpus: put the file itself there, not a link"
    assert refusal(inside, corpus, "link.md") == f"link.md {said}"
    assert refusal(inside, corpus, "up", "outside.md") == f"up/outside.md {said}"
    assert refusal(read_text, corpus / "link.md", corpus) == f"link.md {said}"
    assert refusal(read_text, outside, corpus) == f"outside.md {said}"
    assert inside(corpus, "kept.md") == corpus.resolve() / "case"
    assert "circle" in refusal(read_text, corpus / "circle", corpus)


def test_messages_name_files_as_the_corpus_does_and_on_one_line(tmp_path: Path) -> None:
    folder = tmp_path / "case" / "a\nb"
    folder.mkdir(parents=True)
    (folder / "x.yaml").write_text("a: &x 1")
    assert refusal(read_yaml, folder / "x.yaml", tmp_path) == (
        r"case/a\nb/x.yaml:1: the anchor &x is not allowed: write values out"
    )


def test_a_corpus_that_is_given_as_a_link_is_read(tmp_path: Path) -> None:
    (tmp_path / "real" / "case").mkdir(parents=True)
    (tmp_path / "real" / "case" / "a.yaml").write_text("a: &x 1")
    corpus = tmp_path / "link"
    corpus.symlink_to(tmp_path / "real")
    said = "case/a.yaml:1: the anchor &x is not allowed: write values out"
    assert refusal(read_yaml, corpus / "case" / "a.yaml", corpus) == said
    assert refusal(read_yaml, inside(corpus, "case", "a.yaml"), corpus) == said


def test_texts_at_hand_are_read_like_files() -> None:
    assert json_document('{"a": [1]}', "x.json").where("a", 0) == "x.json:1"
    assert yaml_document("a: NO", "x.yaml").value == {"a": "NO"}
    assert refusal(json_document, '["a\ud800"]', "x.json") == (
        "x.json:1: a text holds half of a surrogate pair"
    )
    assert "U+D800" in refusal(yaml_document, "a: \ud800", "x.yaml")
