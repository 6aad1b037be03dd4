"""The task: its arguments, what is refused before anything runs, and its default run."""

import json
import subprocess
import sys

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import list_eval_logs, read_eval_log

from creel_inspect.extract.corpus.corpus import load_corpus
from creel_inspect.extraction_task import extraction
from creel_inspect.refusing import TaskRefusedError
from tests.extract import tiny
from tests.extract.scripted import scripted, submit

FILE = "creel_inspect/extraction_task.py"
OWN = "tests.extract.test_extraction_task:gold_of"


@pytest.fixture
def folder(tmp_path):
    return tiny.write_corpus(tmp_path / "shelf")


def made(folder, **arguments):
    return extraction(corpus=str(folder), **arguments)


def ids(task):
    return [sample.id for sample in task.dataset]


# corpora


def test_a_corpus_may_be_a_name_a_path_or_several(folder, tmp_path):
    attic = tiny.write_corpus(tmp_path / "attic")
    assert ids(made(folder)) == ["shelf/nothing-said", "shelf/one-book"]
    both = ["shelf/nothing-said", "shelf/one-book", "attic/nothing-said", "attic/one-book"]
    assert ids(extraction(corpus=f"{folder}, {attic}")) == both
    assert ids(extraction(corpus=[str(folder), str(attic)])) == both
    assert ids(extraction(corpus=f"{folder},{folder},")) == both[:2]
    rbm = ids(extraction(corpus="rbm"))
    assert all(one.startswith("rbm/") for one in rbm)
    assert len(rbm) >= 8


def test_all_bundled_corpora_are_the_default():
    names = {one.partition("/")[0] for one in ids(extraction())}
    assert names == {"rbm", "energy_audits"}


def test_a_folder_whose_name_is_a_number_is_found(tmp_path, monkeypatch):
    tiny.write_corpus(tmp_path / "2024")
    monkeypatch.chdir(tmp_path)
    assert ids(extraction(corpus=2024)) == ["2024/nothing-said", "2024/one-book"]


def test_two_corpora_of_one_name_are_refused(folder, tmp_path):
    other = tiny.write_corpus(tmp_path / "elsewhere" / "shelf")
    with pytest.raises(TaskRefusedError, match="two corpora are called 'shelf'"):
        extraction(corpus=[str(folder), str(other)])


@pytest.mark.parametrize("corpus", ["", " , ", [], [""]])
def test_no_corpus_at_all_is_refused_and_is_not_all_of_them(corpus):
    with pytest.raises(TaskRefusedError, match="expected a name or a folder, came nothing"):
        extraction(corpus=corpus)


# refused before anything runs

REFUSED = [
    ({"gate": "ajar"}, "one of off, report, enforce"),
    ({"gate": True}, "one of off, report, enforce"),
    ({"policy": "nope"}, "no policy is called 'nope'"),
    ({"policy": "nope.yaml"}, "nope.yaml"),
    ({"policy": "../strict"}, "is no policy's name"),
    ({"policy": False}, "expected a policy's name"),
    ({"policy": 3}, "expected a policy's name"),
    ({"extractor": "magic"}, "expected model, creel, or module:function"),
    ({"extractor": "no_such_module:f"}, "there is no module no_such_module"),
    ({"extractor": "json:nope"}, "has no nope"),
    ({"repair": 2}, "repair is 2"),
    ({"repair": "yes"}, "repair is 'yes'"),
    ({"corpus": "no/where"}, "is not there"),
]


@pytest.mark.parametrize(("arguments", "says"), REFUSED)
def test_what_cannot_be_run_is_refused(folder, arguments, says):
    with pytest.raises(TaskRefusedError) as caught:
        extraction(**{"corpus": str(folder), **arguments})
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("path", "text", "says"),
    [
        ("policies/strict.yaml", "verifiers: {node.whale: exact}\n", "node.whale"),
        ("policies/strict.yaml", "verifiers: [", "strict.yaml"),
        ("one-book/verifiers.yaml", "node.book[rain].colour: exact\n", "colour"),
        ("one-book/verifiers.yaml", "node.book[gone].pages: exact\n", "is for nothing"),
        ("one-book/verifiers.yaml", "node.book.pages: exact\n", "more than one element"),
        ("one-book/expected_graph.json", "{", "expected_graph.json"),
        ("grammar.yaml", "id: [", "grammar.yaml"),
    ],
)
def test_a_corpus_that_is_not_in_order_is_refused(tmp_path, path, text, says):
    folder = tiny.write_corpus(tmp_path / "shelf", {path: text})
    with pytest.raises(TaskRefusedError) as caught:
        made(folder)
    assert says in str(caught.value)


def by_name(*, model=None, **arguments):
    """The run of a task whose file is named, as on the command line: a model may be left out."""
    [log] = inspect_eval(f"{FILE}@extraction", task_args=arguments, model=model)
    return log


def test_bindings_that_are_not_in_order_are_refused_where_they_would_be_used(tmp_path):
    folder = tiny.write_corpus(tmp_path / "shelf", {"bindings.yaml": "bindings: 3\n"})
    with pytest.raises(TaskRefusedError, match=r"bindings\.yaml"):
        made(folder, extractor="creel")
    with pytest.raises(TaskRefusedError, match=r"bindings\.yaml"):
        by_name(corpus=str(folder))  # no model: the engine is what runs
    made(folder, extractor="model")


@pytest.mark.parametrize("bindings", [None, "book: {strategy: llm}\n"])
def test_without_a_model_there_must_be_bindings_that_need_none(tmp_path, bindings):
    folder = tiny.write_corpus(tmp_path / "shelf", {"bindings.yaml": bindings})
    for extractor in (None, "creel"):
        with pytest.raises(TaskRefusedError, match="shelf: no model was given"):
            by_name(corpus=str(folder), extractor=extractor)
    with pytest.raises(TaskRefusedError, match="name one with --model"):
        by_name(corpus=str(folder), extractor="model")
    # Neither is of use to an extractor of one's own.
    log = by_name(corpus=str(folder), extractor=OWN)
    assert {s.scores["extraction"].value["f1"] for s in log.samples} == {1}


def cli(folder, *arguments, **more):
    command = [sys.executable, "-m", "inspect_ai", "eval", FILE, "--display", "plain"]
    return subprocess.run(
        [*command, "-T", f"corpus={folder}", *arguments],
        capture_output=True,
        text=True,
        check=False,
        **more,
    )


@pytest.mark.parametrize("argument", ["gate=ajar", "policy=nope"])
def test_on_the_command_line_a_refusal_is_one_line_and_no_traceback(folder, argument, tmp_path):
    done = cli(folder, "-T", argument)
    assert done.returncode != 0
    said = done.stdout + done.stderr
    assert "Traceback" not in said
    [line] = [line for line in said.splitlines() if line.startswith("Error")]
    assert argument.partition("=")[2] in line
    assert not list_eval_logs(str(tmp_path / "logs"))


def test_gate_off_on_the_command_line_is_off(folder, tmp_path):
    (folder / "bindings.yaml").write_text(BINDINGS)
    done = cli(folder, "-T", "gate=off", "--limit", "1")
    assert done.returncode == 0, done.stderr
    [log] = list_eval_logs(str(tmp_path / "logs"))
    [sample] = read_eval_log(log.name).samples
    assert sample.scores["extraction"].metadata["gate"] == "off"


# runs


BINDINGS = """\
book:
  strategy: regex_node
  config: {pattern: 'wrote (?P<title>[A-Z][a-z]+ [A-Z][a-z]+)\\.', id_attribute: title}
"""
"""Finds the one book, and of it the title alone."""


def test_the_default_run_needs_no_model_and_finishes(tmp_path, capfd):
    folder = tiny.write_corpus(tmp_path / "shelf", {"bindings.yaml": BINDINGS})
    log = by_name(corpus=str(folder))
    assert log.status == "success", log.error
    assert log.eval.model == "creel/engine"
    assert "No model given" in capfd.readouterr().err
    found = {s.id: s.scores["extraction"] for s in log.samples}
    assert {one.metadata["outcome"] for one in found.values()} == {"extracted"}
    assert found["shelf/nothing-said"].value["f1"] == 1
    # Its type and title are right, of 16 things that gold says.
    value = found["shelf/one-book"].value
    assert (value["matched"], value["came"], value["expected"]) == (2, 2, 16)
    assert log.results.headline.metric == "f1"


def test_a_model_that_is_named_is_asked(folder):
    asked = []

    def replies(*_):
        asked.append(1)
        return submit({"nodes": [], "edges": []})

    [log] = inspect_eval(made(folder), model=scripted(replies))
    assert log.status == "success", log.error
    assert len(asked) >= 2
    assert {s.store["Extraction:extractor"] for s in log.samples} == {"model"}


def gold_of(sources, grammar):
    """An extractor of one's own."""
    return tiny.gold() if "loans.csv" in sources else tiny.graph()


def test_an_extractor_of_ones_own_is_named_by_module_and_function(folder):
    task = made(folder, extractor=OWN)
    [log] = inspect_eval(task, model=scripted([]))
    assert log.status == "success", log.error
    assert {s.scores["extraction"].value["f1"] for s in log.samples} == {1}


# fingerprints


def prints(task):
    return (task.metadata["case_fingerprint"], task.metadata["scorer_fingerprint"])


def test_the_fingerprints_change_with_what_can_change_a_score_and_with_nothing_else(
    folder, tmp_path
):
    cases, scorer = prints(made(folder))
    assert prints(made(folder)) == (cases, scorer)
    assert prints(made(folder, policy="strict")) == (cases, scorer)
    assert prints(made(folder, repair=0)) == (cases, scorer)
    assert prints(made(folder, extractor="model")) == (cases, scorer)
    again = tiny.write_corpus(
        tmp_path / "elsewhere" / "shelf",
        {"README.md": "# Another\n", "policies/lenient.yaml": "description: Unused.\n"},
    )
    assert prints(made(again)) == (cases, scorer)

    # The policy, the gate: the scorer's alone.
    for change in ({"policy": "lenient"}, {"gate": "enforce"}, {"gate": "off"}):
        one, other = prints(made(folder, **change))
        assert one == cases
        assert other != scorer
    assert prints(made(folder, gate=False)) == prints(made(folder, gate="off"))
    stricter = tiny.write_corpus(
        tmp_path / "b" / "shelf", {"policies/strict.yaml": tiny.STRICT + "  edge: exact\n"}
    )
    assert prints(made(stricter))[0] == cases
    assert prints(made(stricter))[1] != scorer

    # Gold, sources, overrides: the cases' alone.
    gold = tiny.gold()
    gold["nodes"]["rain"]["attributes"]["pages"] = 213
    for number, change in enumerate(
        (
            {"one-book/expected_graph.json": gold},
            {"one-book/sources/note.md": tiny.NOTE + "It rained.\n"},
            {"one-book/verifiers.yaml": None},
        )
    ):
        other = tiny.write_corpus(tmp_path / str(number) / "shelf", change)
        assert prints(made(other))[0] != cases
        assert prints(made(other))[1] == scorer


def test_the_metadata_names_the_corpora_and_policies_by_digest(folder):
    task = made(folder)
    corpus = load_corpus(str(folder))
    assert task.metadata["corpora"] == {"shelf": corpus.digest}
    assert list(task.metadata["policies"]) == ["shelf"]
    assert json.dumps(task.metadata)
    assert task.metadata["extractor"] == "by model"
