"""Disagreements with every answer, from whole samples."""

import pytest
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalError,
    EvalLog,
    EvalSample,
    EvalSpec,
    write_eval_log,
)
from inspect_ai.model import ChatMessageUser
from inspect_ai.scorer import Score

from creel_inspect.compare.comparing import compare
from creel_inspect.compare.differences import details
from creel_inspect.compare.differences.details import cut, cut_markdown
from tests.compare.hand_frames import frame, samples

QUERY = {"where": {"op": "exists", "where": {"op": "eq"}}}
CASE = {"reference": QUERY, "near_misses": [{"why": "takes the salt along"}, {"why": "too few"}]}


def sample(name, answer="an answer", explanation="**Wrong**", epoch=1, **more):
    made = {
        "id": name,
        "epoch": epoch,
        "input": f"question of {name}",
        "target": "target",
        "metadata": {"case": CASE, "why": f"whole why of {name}"},
        "scores": {"search_answer": Score(value=0, answer=answer, explanation=explanation)},
    }
    return EvalSample(**{**made, **more})


def log(path, *written, format="eval"):
    spec = EvalSpec(
        created="2026-01-01T00:00:00+00:00",
        task="nl_search",
        dataset=EvalDataset(),
        model="mockllm/model",
        config=EvalConfig(),
    )
    name = str(path.with_suffix(f".{format}"))
    write_eval_log(EvalLog(eval=spec, samples=list(written)), name)
    return name


def comparison(*runs):
    return compare(frame(*runs)).comparisons[0]


@pytest.mark.parametrize("format", ["eval", "json"])
def test_a_disagreement_has_both_answers_side_by_side(tmp_path, format):
    logs = [
        log(tmp_path / "one", sample("a", "first", "**Right**"), sample("b"), format=format),
        log(tmp_path / "two", sample("a", "second"), sample("b"), format=format),
    ]
    found = comparison(
        samples("one", {"a": "right", "b": "wrong"}, log=logs[0]),
        samples("two", {"a": "wrong", "b": "wrong"}, log=logs[1]),
    )
    (one,) = found.disagreements
    assert (one.case, one.question, one.why) == ("a", "question of a", "whole why of a")
    assert '"op": "exists"' in one.reference
    assert [(each.run, each.result, each.score) for each in one.answers] == [
        ("id--one", "right", 1.0),
        ("id--two", "wrong", 0.0),
    ]
    assert [each.answer for each in one.answers] == ["first", "second"]
    assert [each.explanation for each in one.answers] == ["**Right**", "**Wrong**"]
    assert (one.answers[0].log, one.answers[0].sample, one.answers[0].log_epoch) == (
        logs[0],
        "a",
        1,
    )
    assert found.warnings == []


def test_the_epoch_shown_is_the_first_that_is_like_the_cell(tmp_path):
    both = [sample("a", f"answer {epoch}", epoch=epoch) for epoch in (1, 2)]
    logs = log(tmp_path / "one", *both), log(tmp_path / "two", *both)
    found = comparison(
        samples("one", {"a": ["wrong", "right"]}, log=logs[0]),
        samples("two", {"a": ["wrong", "wrong"]}, log=logs[1]),
    )
    assert [(each.result, each.epoch) for each in found.disagreements[0].answers] == [
        ("wrong", 1),
        ("wrong", 1),
    ]


def test_operators_and_misreadings_come_from_the_case(tmp_path):
    path = log(tmp_path / "one", sample("a"))
    found = comparison(
        samples("one", {"a": "wrong"}, log=path, misreading="near-miss 1"),
        samples("two", {"a": "wrong"}, log=path, misreading="near-miss 7"),
    )
    assert [one.name for one in found.slices if one.kind == "operator"] == ["eq", "exists"]
    assert {one.misreading for one in found.misreadings} == {"too few", "near-miss 7"}


def test_logs_that_are_gone_are_told_and_nothing_fails(tmp_path):
    path = log(tmp_path / "one", sample("a", "kept"))
    found = comparison(
        samples("one", {"a": "right", "b": "right"}, log=path),
        samples("two", {"a": "wrong", "b": "wrong"}),
    )
    told = {(one.case, each.run): each for one in found.disagreements for each in one.answers}
    assert told["a", "id--one"].answer == "kept"
    assert told["b", "id--one"].explanation == "Not shown: the log no longer holds it."
    assert told["a", "id--two"].explanation == "Not shown: the log is no longer there."
    assert any("cannot be read" in one for one in found.warnings)


def test_what_is_no_log_is_told_too(tmp_path):
    path = tmp_path / "broken.eval"
    path.write_bytes(b"no zip")
    found = comparison(
        samples("one", {"a": "right"}, log=str(path)), samples("two", {"a": "wrong"}, log=str(path))
    )
    assert all("cannot be read" in one.explanation for one in found.disagreements[0].answers)


def test_a_run_that_never_got_to_a_case_says_so(tmp_path):
    path = log(tmp_path / "one", sample("a"))
    found = comparison(
        samples("one", {"a": "right"}, log=path),
        samples("two", {"a": "wrong"}, log=path),
        samples("three", {"a": "not run"}),
    )
    last = found.disagreements[0].answers[-1]
    assert (last.run, last.result, last.log) == ("id--three", "not run", "")
    assert "not run" in last.explanation


def test_an_error_is_the_explanation_of_a_sample_without_a_score(tmp_path):
    error = EvalError(message="quota", traceback="", traceback_ansi="")
    path = log(tmp_path / "one", sample("a", scores={}, error=error))
    good = log(tmp_path / "two", sample("a"))
    found = comparison(
        samples("one", {"a": "errored"}, log=path, reason="quota"),
        samples("two", {"a": "right"}, log=good),
        samples("three", {"a": "wrong"}, log=good),
    )
    told = {each.run: each.explanation for each in found.disagreements[0].answers}
    assert told["id--one"] == "It ended in an error: quota"


def test_a_scorer_is_found_by_its_name_with_and_without_an_entry(tmp_path):
    scores = {name: Score(value=1, answer=name) for name in ("my.scorer", "my", "my.scorer.other")}
    path = log(tmp_path / "one", sample("a", scores=scores))
    for scorer, answer in [
        ("my.scorer", "my.scorer"),
        ("my.scorer.entry", "my.scorer"),
        ("my", "my"),
        ("none", ""),
    ]:
        found = comparison(
            samples("one", {"a": "right"}, log=path, scorer=scorer, kind="other"),
            samples("two", {"a": "wrong"}, log=path, scorer=scorer, kind="other"),
        )
        assert found.disagreements[0].answers[0].answer == answer


def test_questions_of_others_may_be_messages(tmp_path):
    asked = [ChatMessageUser(content="first"), ChatMessageUser(content="second")]
    path = log(tmp_path / "one", sample("a", input=asked, target=["x", "y"], metadata={}))
    found = comparison(
        samples("one", {"a": "right"}, log=path, kind="other"),
        samples("two", {"a": "wrong"}, log=path, kind="other"),
    )
    (one,) = found.disagreements
    assert one.question == "first\n\nsecond"
    assert one.reference == "x\n\ny"
    assert one.why == "why a"  # the summary's, where the sample has none


@pytest.mark.parametrize("format", ["eval", "json"])
def test_numbered_samples_are_found(tmp_path, format):
    path = log(tmp_path / "one", sample(7, "seven"), format=format)
    about = {"log": path, "kind": "other", "scorer": "search_answer"}
    found = comparison(
        samples("one", {"7": "right"}, **about), samples("two", {"7": "wrong"}, **about)
    )
    assert found.disagreements[0].answers[0].answer == "seven"


def test_the_most_spread_come_first_and_the_rest_are_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(details, "MOST_DISAGREEMENTS", 2)
    one = samples("one", {"a": 0.5, "b": 1.0, "c": 0.7}, kind="other")
    two = samples("two", {"a": 0.4, "b": 0.2, "c": 0.0}, kind="other")
    found = comparison(one, two)
    assert [each.case for each in found.disagreements] == ["b", "c"]
    assert found.disagreements_left_out == 1


def test_without_details_no_log_is_read_and_disagreements_are_counted():
    made = frame(samples("one", {"a": "right"}), samples("two", {"a": "wrong"}))
    (found,) = compare(made, details=False).comparisons
    assert (found.disagreements, found.disagreements_left_out) == ([], 1)
    assert found.warnings == []


def test_a_long_text_is_cut_and_says_so():
    assert cut("x" * 4_000) == "x" * 4_000
    told = cut("x" * 4_001)
    assert told.startswith("x" * 4_000)
    assert told.endswith("(cut: 4,001 characters in all)")


def test_cut_markdown_leaves_no_block_of_code_open():
    text = "before\n\n````json\n" + "```\nline\n" * 1_000
    told = cut_markdown(text)
    body, _, end = told.rpartition("\n\n… (cut")
    assert body.splitlines()[-1] == "````"
    assert len(body) <= 4_010
    assert end
    closed = cut_markdown("```\ncode\n```\n" + "word \n" * 1_000)
    assert closed.count("```") == 2


def test_half_a_character_does_not_keep_a_report_from_being_written(tmp_path):
    half = "half \ud800"
    query = {"reference": {"op": half}, "near_misses": [{"why": half}]}
    path = log(tmp_path / "one", sample("a", half, half, metadata={"case": query, "why": half}))
    made = frame(
        samples("one", {"a": "right"}, log=path, misreading="near-miss 0"),
        samples("two", {"a": "wrong"}, log=path),
    )
    assert "half" in compare(made).model_dump_json()
