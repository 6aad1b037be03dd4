"""``creel-inspect extraction check`` and ``explain``: what they print, and how they exit."""

import json
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner

from creel_inspect.cli import main
from creel_inspect.extract import commands
from tests.extract import tiny


@pytest.fixture
def write(tmp_path):
    def write(changes=None):
        return tiny.write_corpus(tmp_path / "shelf", changes)

    return write


def invoke(*arguments):
    return CliRunner().invoke(main, ["extraction", *map(str, arguments)])


# check


def test_a_corpus_in_order_exits_0(write):
    done = invoke("check", write())
    assert (done.exit_code, done.stdout, done.stderr) == (0, "2 cases, 0 findings\n", "")
    done = invoke("check", write(), "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout) == {"corpus": "shelf", "cases": 2, "findings": []}


def test_findings_exit_1_each_on_a_line_with_place_and_code(write):
    folder = write({"one-book/case.yaml": "tags: []\n", "spare.csv": ""})
    done = invoke("check", folder)
    assert done.exit_code == 1
    lines = done.stdout.splitlines()
    assert lines[0].startswith("one-book/case.yaml:1: `why` is a sentence")
    assert lines[0].endswith(" [case_invalid]")
    assert lines[1].startswith("spare.csv: nothing reads it")
    assert lines[2:] == ["2 cases, 2 findings"]
    done = invoke("check", folder, "--json")
    assert done.exit_code == 1
    report = json.loads(done.stdout)
    assert [(one["where"], one["problem"]) for one in report["findings"]] == [
        ("one-book/case.yaml:1", "case_invalid"),
        ("spare.csv", "file_unread"),
    ]
    assert report["findings"][0]["message"].startswith("`why` is a sentence")


@pytest.mark.parametrize("command", ["check", "explain"])
def test_a_corpus_that_is_not_there_exits_2_with_one_line(command, tmp_path):
    done = invoke(command, tmp_path / "no\nwhere", "--json")
    assert done.exit_code == 2
    assert "is not there; give the folder of a corpus" in json.loads(done.stdout)["error"]
    assert done.stderr.startswith("creel-inspect: ")
    assert done.stderr.count("\n") == 1
    assert invoke(command, tmp_path / "nowhere").stdout == ""


def test_what_a_terminal_would_act_on_is_written_out(write):
    folder = write({"\x1b[2Jspare\u202e.csv": ""})
    done = invoke("check", folder)
    assert done.exit_code == 1
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout


# explain


def test_explain_lists_every_attribute_with_its_verifier_and_where_it_is_named(write):
    done = invoke("explain", write())
    assert done.exit_code == 0
    assert [re.split(r"  +", line) for line in done.stdout.splitlines()] == [
        ["path", "verifier", "origin"],
        # What is said of a type goes for what its subtypes get from elsewhere, too.
        ["node.person.city", "normalized", "policies/strict.yaml: node.agent (from is_a agent)"],
        ["node.person.name", "normalized", "policies/strict.yaml: node.agent (from is_a agent)"],
        ["node.book.title", "normalized", "policies/strict.yaml: node.book.title"],
        ["node.book.pages", "numeric_tolerance", "policies/strict.yaml: defaults.integer"],
        ["node.book.published", "normalized", "policies/strict.yaml: defaults.date"],
        ["node.book.genre", "exact", "policies/strict.yaml: defaults.enum"],
        ["edge.wrote.share", "numeric_tolerance", "policies/strict.yaml: defaults.decimal"],
        ["edge.borrowed.weeks", "numeric_tolerance", "policies/strict.yaml: defaults.integer"],
    ]


def test_explain_takes_a_policy_and_shows_its_settings(write):
    done = invoke("explain", write(), "edge.wrote", "--policy", "lenient")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[1] == (
        'edge.wrote.share  numeric_tolerance {"rel": 0.2}  policies/lenient.yaml: edge.wrote.share'
    )


def test_explain_of_one_path_lists_what_was_considered_and_marks_what_counts(write):
    done = invoke("explain", write(), "node.person.name", "--json")
    assert done.exit_code == 0
    report = json.loads(done.stdout)
    assert (report["corpus"], report["policy"]) == ("shelf", "strict")
    rows = report["rows"]
    assert [row["path"] for row in rows[:4]] == [
        "node.person.name",
        "node.agent.name",
        "node.person",
        "node.agent",
    ]
    assert [row["path"] for row in rows if row["won"]] == ["node.agent"]
    won = next(row for row in rows if row["won"])
    assert (won["kind"], won["spec"]) == ("normalized", "normalized")
    assert rows[-1]["kind"] == "cheap_first"
    lines = invoke("explain", write(), "node.person.name").stdout.splitlines()
    assert [line.split()[1] for line in lines if line.startswith("*")] == ["node.agent"]
    assert len(lines) == len(rows) + 1


def test_explain_of_a_case_counts_its_own_verifiers(write):
    folder = write()
    of_case = json.loads(
        invoke("explain", folder, "node.book[rain].pages", "--case", "one-book", "--json").stdout
    )["rows"]
    assert [(row["spec"], row["origin"]) for row in of_case if row["won"]] == [
        ({"kind": "numeric_tolerance", "abs": 2}, "verifiers.yaml: node.book[rain].pages")
    ]
    without = json.loads(invoke("explain", folder, "node.book[rain].pages", "--json").stdout)
    won = next(row for row in without["rows"] if row["won"])
    assert won["origin"] == "policies/strict.yaml: defaults.integer"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["node.bok.title"], "the grammar has no such node type; did you mean book?"),
        (["title"], "is no taxonomy path"),
        (["--policy", "stern"], "no policy is called 'stern': shelf/policies has lenient, strict"),
        (["--policy", "../../secret.yaml"], "secret.yaml"),
        (["--case", "two-books"], "no case is called 'two-books'; shelf has 'nothing-said'"),
        (["--case", "../shelf/one-book"], "no case is called"),
    ],
)
def test_explain_of_what_is_not_there_exits_2_and_says_what_is(write, arguments, said):
    done = invoke("explain", write(), *arguments)
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stdout == ""


def test_explain_of_a_grammar_with_several_mistakes_is_one_line(write):
    text = tiny.GRAMMAR.replace("range: integer", "range: whole")
    done = invoke("explain", write({"grammar.yaml": text}))
    assert done.exit_code == 2
    assert done.stderr.count("grammar.yaml:") == 2
    assert done.stderr.count("\n") == 1


def test_on_a_terminal_a_stranger_s_text_is_no_markup(write, monkeypatch, capsys):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "200")
    text = tiny.STRICT + "  'node.book[[red]x[/red]]': exact\n"
    with pytest.raises(SystemExit) as ended:
        main(["extraction", "explain", str(write({"policies/strict.yaml": text}))])
    assert ended.value.code == 0
    printed = capsys.readouterr().out
    assert "node.book[[red]x[/red]]" in printed
    assert "policies/strict.yaml: node.agent (from is_a agent)" in printed


def test_help_names_the_commands_and_loads_nothing_heavy():
    done = invoke("--help")
    assert done.exit_code == 0
    assert "check" in done.stdout
    assert "explain" in done.stdout
    script = (
        f"import sys, {commands.__name__}; "
        "print([m for m in ('inspect_ai', 'scipy', 'numpy', 'creel', 'yaml') if m in sys.modules])"
    )
    run = [sys.executable, "-c", script]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout.strip() == "[]"
