"""The same log under another policy: which elements flip, from what to what, and why."""

import json
import shutil

import pytest
from click.testing import CliRunner
from inspect_ai import Task, score
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.model import Model

from creel_inspect.cli import main
from creel_inspect.extract.files.reading import CorpusError
from creel_inspect.extract.policy.policy import load_policy
from creel_inspect.extract.rescore_report import report_json, report_lines
from creel_inspect.extract.rescoring import Flip, Rescored, logs_in, rescored
from creel_inspect.extract.scorer import extraction
from tests.extract import tiny
from tests.extract.scripted import scripted
from tests.extract.test_scorer import ONE, gives, run, samples, then_raises, wrong_pages


@pytest.fixture
def folder(tmp_path):
    return tiny.write_corpus(tmp_path / "shelf")


@pytest.fixture
def log(folder):
    return run(folder, ("one-book", None, "extracted", wrong_pages()), names=ONE)


def invoke(*arguments):
    return CliRunner().invoke(main, ["extraction", "rescore", *map(str, arguments)])


def digest(folder, name):
    return load_policy(name, folder).digest


# flips


def test_what_flips_is_listed_with_both_verifiers_and_both_reasons(folder, log):
    # 65 % of the rights in place of 60: wrong under strict, within 20 % under lenient. The 250
    # pages in place of 212 are wrong under both.
    [found] = rescored([log.location], "lenient", "report")
    assert (found.sample, found.epoch) == ("shelf/one-book", 1)
    assert found.policy_was == f"strict ({digest(folder, 'strict')}), gate report"
    assert found.policy == f"lenient ({digest(folder, 'lenient')}), gate report"
    assert (found.f1_was, found.f1, found.coverage) == (14 / 16, 15 / 16, 1)
    [flip] = found.flips
    assert (flip.path, flip.was, flip.now) == (
        "edge.wrote[ada-wrote-rain].share",
        "wrong",
        "right",
    )
    assert (flip.expected, flip.actual) == (60, 65)
    assert flip.verifier_was == "numeric_tolerance (policies/strict.yaml: defaults.decimal)"
    assert flip.verifier == "numeric_tolerance (policies/lenient.yaml: edge.wrote.share)"
    assert "60" in flip.reason_was
    assert flip.reason != flip.reason_was


def test_under_the_same_policy_nothing_flips(log):
    [found] = rescored([log.location], "strict", "report")
    assert (found.flips, found.f1_was, found.f1) == ((), 14 / 16, 14 / 16)


def test_the_gate_alone_can_flip_what_stands_nowhere(folder):
    graph = tiny.gold()
    graph["nodes"]["rain"]["attributes"]["pages"] = 214  # within the case's override
    log = run(folder, ("one-book", None, "extracted", graph), names=ONE)
    [found] = rescored([log.location], "strict", "enforce")
    [flip] = found.flips
    assert (flip.path, flip.was, flip.now) == ("node.book[rain].pages", "right", "wrong")
    assert flip.reason.startswith("right, but not grounded")
    assert found.policy.endswith("gate enforce")


def test_what_only_a_judge_can_tell_becomes_unscored(folder, tmp_path, log):
    path = tmp_path / "judged.yaml"
    path.write_text("verifiers: {node.person.city: {kind: llm_rubric, criterion: The same.}}\n")
    [found] = rescored([log.location], str(path), "report")
    flip = next(one for one in found.flips if one.path == "node.person[ada].city")
    assert (flip.was, flip.now) == ("right", "unscored")
    assert found.coverage == 15 / 16
    assert found.policy.startswith("judged (")


def test_a_verdict_on_the_whole_that_one_policy_alone_asks_for_is_no_flip(tmp_path, log):
    path = tmp_path / "whole.yaml"
    path.write_text(
        json.dumps({"verifiers": {"graph": {"kind": "schema_constraint", "schema": {}}}})
    )
    flips = rescored([log.location], str(path), "report")[0].flips
    assert [one for one in flips if one.path == "graph"] == []


def test_an_invented_element_with_an_id_of_the_golds_is_no_flip_of_the_golds(folder):
    # The candidate's own ids say the opposite of gold's, and one more node has gold's id.
    graph = tiny.graph(
        {
            "x": tiny.gold()["nodes"]["ada"],
            "rain": tiny.gold()["nodes"]["rain"],
            "ada": tiny.node("person", name="Someone Else", city="Elsewhere"),
        }
    )
    log = run(folder, ("one-book", None, "extracted", graph), names=ONE)
    assert rescored([log.location], "strict", "report")[0].flips == ()


def test_a_log_scored_twice_is_compared_with_the_score_that_is_named(folder, log):
    again = score(log, extraction(policy="lenient"), action="append")
    write_eval_log(again, log.location)
    [first] = rescored([log.location], "strict", "report")
    assert first.policy_was.startswith("strict")
    [second] = rescored([log.location], "strict", "report", "lenient")
    assert second.policy_was.startswith("lenient")
    assert [(flip.was, flip.now) for flip in second.flips] == [("right", "wrong")]


def test_a_policy_to_compare_with_that_no_sample_has_is_an_error(log):
    with pytest.raises(CorpusError, match="no sample was scored under a policy called 'easy'"):
        rescored([log.location], "strict", "report", "easy")
    done = invoke(log.location, "--policy", "strict", "--against", "easy")
    assert done.exit_code == 2


def test_no_model_is_called(log, monkeypatch):
    async def fails(*_, **__):
        raise AssertionError("a model was called")

    monkeypatch.setattr(Model, "generate", fails)
    assert rescored([log.location], "lenient", "report")[0].f1 == 15 / 16


# samples without a result


def test_an_errored_sample_is_not_measured_though_its_store_has_a_graph(folder):
    task = Task(
        dataset=samples(folder),
        solver=then_raises("one-book"),
        scorer=extraction("strict"),
        continue_on_fail=True,
    )
    [log] = inspect_eval(task, model=scripted([]))
    found = {one.sample: one for one in rescored([log.location], "lenient", "report")}
    errored = found["shelf/one-book"]
    assert (errored.f1_was, errored.f1, errored.flips) == (None, None, ())
    assert errored.why == "the sample ended in an error"
    assert found["shelf/nothing-said"].f1 == 0
    totals = report_json(list(found.values()))["totals"]
    assert (totals["samples"], totals["compared"], totals["not_measured"]) == (2, 1, 1)
    assert totals["coverage"] == 1  # of what was measured


@pytest.mark.parametrize(
    ("outcome", "f1", "why"),
    [
        ("malformed", 0, ""),
        ("instrument_error", None, "nothing of it could be measured"),
        (None, None, "extracting did not end"),
        ("lost", None, "the extractor says that it ended as 'lost'"),
    ],
)
def test_an_abnormal_end_is_what_it_was(folder, outcome, f1, why):
    log = run(folder, ("one-book", None, outcome, None), names=ONE)
    [found] = rescored([log.location], "lenient", "report")
    assert found.f1 == f1
    assert found.why.startswith(why)
    assert bool(found.why) == bool(why)


def test_a_run_that_crashed_before_scoring_has_results_and_no_earlier_ones(folder, log):
    left = read_eval_log(log.location)
    left.status, left.results = "started", None
    left.samples[0].scores = None
    write_eval_log(left, log.location)
    [found] = rescored([log.location], "strict", "report")
    assert (found.policy_was, found.f1_was, found.f1, found.flips) == ("", None, 14 / 16, ())
    [line] = list(report_lines([found]))
    assert line == "1 sample, none with an earlier score to compare with: mean F1 0.875"


# logs


def test_a_folder_is_all_its_logs_and_a_place_may_be_given_twice(folder, log, tmp_path):
    other = run(folder, ("one-book", None, "extracted", tiny.gold()), names=ONE)
    place = tmp_path / "logs"
    assert len(logs_in([str(place)])) == 2
    found = rescored(logs_in([str(place)]), "lenient", "report")
    assert sorted(one.f1 for one in found) == [15 / 16, 1]
    assert len(logs_in([str(log.location), str(other.location)])) == 2


def another_task():
    task = Task(dataset=[Sample(input="hello", target="hello")], solver=gives())
    [log] = inspect_eval(task, model=scripted([]))
    return log.location


def truncated(log, tmp_path):
    path = tmp_path / "cut.eval"
    shutil.copy(log.location, path)
    path.write_bytes(path.read_bytes()[:400])
    return path


BROKEN = {
    "another task": ("no sample of the extraction task", lambda log, tmp: another_task()),
    "truncated": ("cannot be read as a log", truncated),
    "missing": ("there is no such log or folder", lambda log, tmp: tmp / "none.eval"),
    "empty folder": ("it holds none", lambda log, tmp: tmp / "empty"),
    "no log": ("cannot be read as a log", lambda log, tmp: tmp / "notes.txt"),
    "json": ("cannot be read as a log", lambda log, tmp: tmp / "some.json"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_is_no_log_of_this_task_is_told_on_one_line(kind, log, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("not a log\n")
    (tmp_path / "some.json").write_text('{"a": 1}')
    says, make = BROKEN[kind]
    place = make(log, tmp_path)
    done = invoke(place, "--policy", "strict")
    assert done.exit_code == 2
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    done = invoke(place, "--policy", "strict", "--json")
    assert done.exit_code == 2
    assert says in json.loads(done.stdout)["error"]


@pytest.mark.parametrize("policy", ["nope", "nope.yaml", "..", ""])
def test_a_policy_that_cannot_be_used_is_told_on_one_line(log, policy):
    done = invoke(log.location, "--policy", policy)
    assert done.exit_code == 2
    assert done.stderr.startswith("creel-inspect: ")
    assert done.stderr.count("\n") == 1


def test_a_policy_for_another_grammar_is_told_with_the_sample(log, tmp_path):
    path = tmp_path / "other.yaml"
    path.write_text("verifiers: {node.whale.length: exact}\n")
    done = invoke(log.location, "--policy", path)
    assert done.exit_code == 2
    assert "sample shelf/one-book" in done.stderr
    assert "node.whale" in done.stderr


@pytest.mark.parametrize("elements", [["right"], [{"path": "x"}], [None]])
def test_a_score_that_was_tampered_with_is_told(log, elements):
    left = read_eval_log(log.location)
    left.samples[0].scores["extraction"].metadata["elements"] = elements
    write_eval_log(left, log.location)
    with pytest.raises(CorpusError, match="which is no mark"):
        rescored([log.location], "strict", "report")


def test_a_log_without_samples_is_told(log):
    left = read_eval_log(log.location)
    left.samples = []
    write_eval_log(left, log.location)
    with pytest.raises(CorpusError, match="there are no samples to score"):
        rescored([log.location], "strict", "report")


# the report


def test_the_command_lists_what_flipped_and_the_totals(log):
    done = invoke(log.location, "--policy", "lenient")
    assert (done.exit_code, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("shelf/one-book (epoch 1, ")
    assert lines[0].endswith("): F1 0.875 -> 0.938, 1 flip")
    assert lines[1] == ("  edge.wrote[ada-wrote-rain].share: wrong -> right: expected 60, came 65")
    assert lines[2].startswith(
        "    was: numeric_tolerance (policies/strict.yaml: defaults.decimal)"
    )
    assert lines[3].startswith("    now: numeric_tolerance (policies/lenient.yaml: edge.wrote")
    assert lines[4:] == [
        "1 sample, 1 compared: mean F1 0.875 -> 0.938, coverage 100.0%",
        "  1 x wrong -> right",
    ]


def test_the_json_has_totals_and_every_sample(log):
    done = invoke(log.location, "--policy", "lenient", "--json")
    assert done.exit_code == 0
    told = json.loads(done.stdout)
    assert told["totals"] == {
        "samples": 1,
        "compared": 1,
        "not_measured": 0,
        "f1_was": 0.875,
        "f1": 0.9375,
        "coverage": 1.0,
        "flips": {"wrong -> right": 1},
    }
    [sample] = told["samples"]
    assert sample["sample"] == "shelf/one-book"
    assert [flip["path"] for flip in sample["flips"]] == ["edge.wrote[ada-wrote-rain].share"]


def test_no_text_of_a_stranger_reaches_the_terminal_as_it_is():
    nasty = "\x1b[2J\u202egnp\n\ud800"
    flip = Flip(nasty, "wrong", "right", nasty, nasty, nasty, nasty, nasty, nasty)
    one = Rescored(nasty, nasty, 1, nasty, nasty, 0.0, 1.0, 1.0, (flip,))
    for line in report_lines([one]):
        assert line.isprintable()
        line.encode()
    assert json.dumps(report_json([one]))
