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


def test_scorers_with_other_parameters_are_refused():
    plain = samples("one", cases(3), scorer_params=of(timeout_seconds=300))
    same = samples("two", cases(3), scorer_params=of(timeout_seconds=300.0))
    other = samples("two", cases(3), scorer_params=of(timeout_seconds=1))
    assert len(compared(plain, same).comparisons[0].pairs) == 1
    message = refusal(plain, other)
    assert '"timeout_seconds": 1.0' in message
    assert "inspect score LOG --scorer creel_inspect/search_answer" in message
    # Without, the old scores stay beside the new ones, and the old log beside the new.
    assert "--action overwrite --output-file NEW" in message


def test_a_penalty_is_held_against_the_points_alone_which_depend_on_it():
    def both(scorer):
        return [
            samples(run, cases(3), scorer=scorer, scorer_params=of(wrong_penalty=penalty))
            for run, penalty in (("one", 1), ("two", 2))
        ]

    assert '"wrong_penalty": 2.0' in refusal(*both("search_answer.points"))
    assert compared(*both("search_answer.correct")).comparisons[0].pairs


def test_a_log_that_was_scored_again_keeps_the_arguments_of_its_run_and_is_comparable():
    # Run with a penalty of 2, and scored again with 1: the task's metadata stay as they were.
    again = samples(
        "one",
        cases(3),
        scorer_params=of(wrong_penalty=1.0, timeout_seconds=300),
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
    assert any("records no fingerprint of its data" in told for told in comparison.warnings)
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


def extracted(name, *, policies, results=None, **columns):
    return samples(
        name,
        results or {"a/1": 0.5, "b/1": 0.5},
        kind="extraction",
        task="extraction",
        scorer="extraction.f1",
        corpora=of(a="d1", b="d2"),
        policy_fingerprint=of(**policies),
        **columns,
    )


MIXTURE = "lenient, gate report + strict, gate report"


@pytest.mark.parametrize(
    "runs",
    [
        [extracted(run, policies={"a": "x", "b": MIXTURE}) for run in ("one", "two")],
        [samples(run, cases(3), corpus_fingerprint="k1 + k2") for run in ("one", "two")],
        [samples(run, cases(3), scorer_version="1 + 2") for run in ("one", "two")],
        [samples("alone", cases(3), scorer_version="1 + 2")],
    ],
)
def test_a_run_that_was_scored_in_two_ways_is_refused_though_another_was_too(runs):
    message = refusal(*runs)
    assert "one run was scored in more than one way" in message
    assert "To do:" in message


def test_a_corpus_of_which_nothing_was_scored_has_no_policy_to_differ():
    whole = extracted("one", policies={"a": "lenient", "b": "lenient"})
    gone = {"a/1": 0.25, "b/1": "errored"}
    crashed = extracted("two", policies={"a": "lenient", "b": "strict"}, results=gone)
    (comparison,) = compared(whole, crashed).comparisons
    assert comparison.pairs[0].difference.value == pytest.approx(0.25)
    scored = extracted("two", policies={"a": "lenient", "b": "strict"})
    assert "policies for b differ" in refusal(whole, scored)


@pytest.mark.parametrize(("one", "two"), [("a/judge", "b/judge"), ("a/judge", None)])
def test_runs_that_other_models_judged_are_refused(one, two):
    def judged(name, grader, **columns):
        told = {"role.grader": grader} if grader else {}
        return samples(name, cases(3), settings=of(**told), **columns)

    for about in (
        {"kind": "extraction", "scorer": "extraction.f1"},
        {"kind": "other", "scorer": "model_graded_qa"},
        {"kind": "other", "scorer": "match", "scorer_package": "somebodys"},
    ):
        message = refusal(judged("one", one, **about), judged("two", two, **about))
        assert f"{one}: one" in message
        assert f"{two or 'none'}: two" in message
        assert "run again with the same --model-role grader=MODEL" in message
        assert compared(judged("one", one, **about), judged("two", one, **about)).comparisons
    for about in (
        {"kind": "search"},
        {"kind": "other", "scorer": "match", "scorer_package": "inspect_ai"},
    ):
        assert compared(judged("one", one, **about), judged("two", two, **about)).comparisons


def test_scorers_of_one_name_from_two_packages_are_refused_where_both_are_known():
    def by(name, package):
        return samples(name, cases(3), kind="other", scorer="judge", scorer_package=package)

    message = refusal(by("one", "pkga"), by("two", "pkgb"))
    assert "different packages" in message
    assert "pkga: one" in message
    assert compared(by("one", "pkga"), by("two", "pkga")).comparisons
    assert compared(by("one", "pkga"), by("two", "")).comparisons


def test_only_equal_cases_are_offered_in_common():
    one = samples("one", cases(3))
    other = {"case-001": "another"}
    assert "the 2 common cases" in refusal(one, samples("two", cases(3), content=other))
    every = {case: f"another {case}" for case in cases(3)}
    assert "--common does not help" in refusal(one, samples("two", cases(3), content=every))


def test_other_case_files_are_told_without_the_questions_that_must_differ_then():
    one = samples("one", cases(3), case_fingerprint="a")
    two = samples("two", cases(3), case_fingerprint="b", content={"case-001": "another"})
    message = refusal(one, two)
    assert "case files differ" in message
    assert "the input or the target" not in message


@pytest.mark.parametrize("score", [1e308, -1e308, 1e60])
def test_scores_too_large_to_reckon_with_are_refused(score):
    one = samples("one", {"a": score, "b": 0.5}, kind="other", unit=False)
    message = refusal(one, samples("two", {"a": 0.5, "b": 0.5}, kind="other", unit=False))
    assert "1 score beyond 1e+50" in message
    assert "one, case a, epoch 1" in message


@pytest.mark.parametrize("score", [1e49, 1e-300, 5e-324, -1e49])
def test_very_large_and_very_small_scores_are_compared(score):
    one = samples("one", {f"c{n}": score * (n % 3) for n in range(6)}, kind="other", unit=False)
    two = samples("two", {f"c{n}": score for n in range(6)}, kind="other", unit=False)
    (comparison,) = compared(one, two).comparisons
    assert {run.label for run in comparison.runs} == {"one", "two"}


def test_own_tasks_of_one_kind_are_one_task_whatever_each_is_called():
    one = samples("one", cases(3), task="nl_search", case_fingerprint="x")
    two = samples("two", cases(4), task="renamed", case_fingerprint="y")
    assert "case files differ" in refusal(one, two)
    two = samples("two", cases(4), task="renamed", case_fingerprint="x")
    (comparison,) = compared(one, two, common=True).comparisons
    assert (comparison.task, comparison.cases) == ("nl_search = renamed", 3)
    assert any("one task under several names" in told for told in comparison.warnings)


def test_a_task_that_cannot_be_compared_leaves_the_others_and_is_told():
    good = [samples(run, {"a": 1}, kind="other", task="good") for run in ("one", "two")]
    bad = [
        samples(run, {"x": 1}, corpus_fingerprint=run, run_id=f"bad-{run}")
        for run in ("one", "two")
    ]
    report = compared(*good, *bad)
    assert [one.task for one in report.comparisons] == ["good"]
    (told,) = report.refused
    assert told.startswith("nl_search: these runs cannot be compared fairly.\n- the corpora differ")
    # Nothing at all to compare is an error.
    assert told in refusal(*bad)


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
