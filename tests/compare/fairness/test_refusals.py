"""What may not be compared is refused, with who has what and what to do."""

import pytest

from creel_inspect.compare.comparing import compare
from creel_inspect.compare.refusing import CompareError
from tests.compare.hand_frames import cases, frame, of, samples


def compared(*runs, **options):
    return compare(frame(*runs), details=False, **options)


def refusal(*runs, **options):
    with pytest.raises(CompareError) as error:
        compared(*runs, **options)
    return error.value.message


@pytest.mark.parametrize(
    ("column", "told", "common_helps"),
    [
        ("case_fingerprint", "case files differ", True),
        ("corpus_fingerprint", "corpora differ", False),
        ("scorer_version", "scorers are of different versions", False),
        ("policy_fingerprint", "policies differ", False),
    ],
)
def test_a_fingerprint_that_differs_is_refused_with_who_has_which(column, told, common_helps):
    runs = samples("one", cases(3), **{column: "aaa"}), samples("two", cases(3), **{column: "bbb"})
    message = refusal(*runs)
    assert told in message
    assert "aaa: one" in message
    assert "bbb: two" in message
    assert "To do:" in message
    assert ("add --common" in message) == common_helps
    if not common_helps:
        assert "does not help" in refusal(*runs, common=True)


def test_the_prompt_may_differ():
    report = compared(
        samples("one", cases(3), prompt_fingerprint="a"),
        samples("two", cases(3), prompt_fingerprint="b"),
    )
    assert report.comparisons[0].warnings == []


def test_scorers_with_other_parameters_are_refused_and_their_defaults_are_known():
    plain = samples("one", cases(3), scorer_params=of())
    same = samples("two", cases(3), scorer_params=of(wrong_penalty=1, timeout_seconds=300.0))
    other = samples("two", cases(3), scorer_params=of(wrong_penalty=2))
    assert len(compared(plain, same).comparisons[0].pairs) == 1
    message = refusal(plain, other)
    assert '"wrong_penalty": 2.0' in message
    assert "inspect score LOG --scorer creel_inspect/search_answer" in message


def test_a_log_that_was_scored_again_keeps_the_arguments_of_its_run_and_is_comparable():
    # Run with a penalty of 2, and scored again with 1: the task's metadata stay as they were.
    again = samples(
        "one",
        cases(3),
        scorer_params=of(wrong_penalty=1.0),
        settings=of(wrong_penalty="2.0"),
    )
    first = samples(
        "two",
        cases(3),
        scorer_params=of(wrong_penalty=1.0, timeout_seconds=300),
    )
    assert len(compared(again, first).comparisons[0].pairs) == 1


def test_other_cases_are_refused_with_how_many_and_which():
    message = refusal(samples("one", cases(5)), samples("two", cases(3)))
    assert "one: 5 cases, 2 of them not in all runs (case-003, case-004)" in message
    assert "two: 3 cases" in message
    assert "3 common cases" in message


def test_where_nothing_is_common_common_is_not_recommended():
    one, two = samples("one", {"a": "right"}), samples("two", {"b": "right"})
    assert "--common does not help" in refusal(one, two)
    assert "no case in common" in refusal(one, two, common=True)


def test_another_question_under_the_same_id_is_refused_for_any_task():
    for kind in ("search", "other"):
        one = samples("one", cases(3), kind=kind)
        two = samples("two", cases(3), kind=kind, content={"case-001": "another"})
        message = refusal(one, two)
        assert "the input or the target of 1 case is another" in message
        assert "case-001" in message


def test_a_sample_that_never_ran_has_no_question_to_differ():
    one = samples("one", cases(3))
    two = samples("two", {**cases(2), "case-002": "not run"})
    assert compared(one, two).comparisons[0].cases == 3


def test_tasks_of_others_are_compared_by_ids_and_scorer_with_a_warning():
    one, two = (samples(run, cases(3), kind="other", task="mine") for run in ("one", "two"))
    (comparison,) = compared(one, two).comparisons
    assert any("only the samples' ids" in told for told in comparison.warnings)
    message = refusal(one, samples("two", cases(3), kind="other", task="mine", scorer="includes"))
    assert "includes: two" in message
    assert "--score" in message


def test_a_task_that_was_renamed_is_one_task_with_a_warning():
    one = samples("one", cases(3), kind="other", task="old_name")
    two = samples("two", cases(3), kind="other", task="new_name")
    (comparison,) = compared(one, two).comparisons
    assert comparison.task == "new_name = old_name"
    assert any("renamed" in told for told in comparison.warnings)


def test_tasks_that_only_number_their_samples_alike_stay_two():
    one = samples("one", {"1": 1, "2": 0}, kind="other", task="sums", content="a sum")
    two = samples("one", {"1": 1, "2": 0}, kind="other", task="poems", content="a poem", run_id="x")
    assert [one.task for one in compared(one, two).comparisons] == ["poems", "sums"]


def test_renamed_tasks_of_one_model_are_told_apart_by_their_names():
    one = samples("model", cases(3), kind="other", task="old")
    two = samples("model", cases(3), kind="other", task="new", run_id="another")
    (comparison,) = compared(one, two).comparisons
    assert {run.label for run in comparison.runs} == {"model (old)", "model (new)"}


def test_policies_are_compared_for_each_corpus():
    def run(name, policies, ids):
        return samples(
            name,
            dict.fromkeys(ids, 0.5),
            kind="extraction",
            task="extraction",
            corpora=of(a="d1", b="d2"),
            policy_fingerprint=of(**policies),
        )

    ids = ["a/1", "b/1"]
    strict, mixed = {"a": "strict", "b": "strict"}, {"a": "strict", "b": "lenient"}
    message = refusal(run("one", strict, ids), run("two", mixed, ids))
    assert "policies for b differ" in message
    assert "policies for a differ" not in message
    assert "creel_inspect/extraction -S policy=NAME" in message
    # Common cases of the corpus a have one policy.
    report = compared(run("one", strict, ids), run("two", mixed, ["a/1"]), common=True)
    assert [row.case for row in report.comparisons[0].rows] == ["a/1"]


def test_another_version_of_the_extraction_scorer_is_refused():
    def run(name, version):
        return samples(
            name,
            {"a/1": 0.5},
            kind="extraction",
            corpora=of(a="d1"),
            policy_fingerprint=of(a="strict, gate report"),
            scorer_version=version,
        )

    assert "    2: two" in refusal(run("one", "1"), run("two", "2"))
    assert compared(run("one", "2"), run("two", "2")).comparisons


def test_logs_of_one_run_that_differ_are_refused_too():
    rows = samples("one", cases(2), case_fingerprint={"case-000": "aaa"})
    assert "aaa: one" in refusal(rows)


def test_what_a_refusal_quotes_cannot_act_on_a_terminal():
    evil = "evil\x1b[2J\nmodel"
    message = refusal(
        samples(evil, cases(2), corpus_fingerprint="\x1b]0;x\x07"), samples("two", cases(2))
    )
    assert "\x1b" not in message
    assert "\x07" not in message
    assert "evil\\x1b[2J model" in message


def test_of_many_runs_only_some_are_named():
    runs = [samples(f"run-{n:02}", cases(2), case_fingerprint=f"f{n:02}") for n in range(40)]
    message = refusal(*runs)
    assert "and 28 more" in message


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: frame(samples("one", cases(2))).iloc[:0], "no samples"),
        (lambda: frame(samples("one", cases(2))).drop(columns="state"), "no column state"),
        (lambda: frame(samples("a", cases(2)), samples("a", cases(2))), "two rows"),
        (lambda: frame(samples("a", cases(2), kind="mine")), "came mine"),
    ],
)
def test_what_is_no_frame_is_told(make, told):
    with pytest.raises(CompareError, match=told):
        compare(make())
