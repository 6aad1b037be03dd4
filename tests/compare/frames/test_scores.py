"""Which score is read, and from where its policy is known."""

import json

import pytest
from inspect_ai import eval, score
from inspect_ai.log import HeadlineMetric, read_eval_log, write_eval_log
from inspect_ai.scorer import Score

from creel_inspect.compare import CompareError, compare, load_elements, load_frame
from creel_inspect.extract.extractors.creel import NO_MODEL
from creel_inspect.extract.scored import SCORER_VERSION
from creel_inspect.extract.scorer import extraction as extraction_scorer
from creel_inspect.extraction_task import extraction
from creel_inspect.nl_task import nl_search
from creel_inspect.search.scorer import search_answer
from tests.compare.log_files import (
    ERRORED,
    UNSCORED,
    extraction_log,
    search_ending,
    search_log,
    write_log,
)


def test_the_headline_is_read_unless_another_score_is_asked_for(tmp_path):
    both = {"first": Score(value=0), "second": Score(value=1)}
    write_log(tmp_path, {"a": both}, headline=HeadlineMetric(scorer="second", metric="accuracy"))

    assert load_frame(tmp_path)["scorer"].tolist() == ["second"]
    assert any(
        "also have first, which --score chooses" in one
        for one in load_frame(tmp_path).attrs["notes"]
    )
    frame = load_frame(tmp_path, score="first")
    assert not any("--score" in one for one in frame.attrs["notes"])
    assert (frame["scorer"].item(), frame["score"].item()) == ("first", 0.0)


def test_a_log_without_results_goes_by_what_its_task_declared_and_else_by_the_first(tmp_path):
    both = {"first": Score(value=0), "second": Score(value=1)}
    declared = {"headline_metric": HeadlineMetric(scorer="second", metric="accuracy")}
    write_log(tmp_path / "a", {"a": both}, status="started", **declared)
    write_log(tmp_path / "b", {"a": both}, status="started")

    assert load_frame(tmp_path / "a")["scorer"].tolist() == ["second"]
    assert load_frame(tmp_path / "b")["scorer"].tolist() == ["first"]


def test_a_score_that_is_not_there_is_an_error_that_lists_those_that_are(tmp_path):
    search_log(tmp_path, {"a": "right"})
    write_log(tmp_path, {"q": "C"})

    with pytest.raises(CompareError, match=r"'nope'.*match, search_answer\.correct") as error:
        load_frame(tmp_path, score="nope")
    with pytest.raises(CompareError, match=r"search_answer\.points"):
        load_frame(tmp_path, score="search_answer.nope")

    assert "search_answer.first_try" in error.value.message


def test_logs_without_the_score_asked_for_are_left_out_with_a_note(tmp_path):
    search_log(tmp_path, {"a": "right"})
    other = write_log(tmp_path, {"q": "C"})

    frame = load_frame(tmp_path, score="search_answer.points")

    assert frame["case"].tolist() == ["a"]
    assert frame.attrs["notes"] == [f"{other} has no score 'search_answer.points': it is left out"]


def test_another_entry_of_ours_is_read_by_name_and_its_range_is_not_taken_for_granted(tmp_path):
    search_log(tmp_path, {"a": "right", "b": "answered", "c": ERRORED})

    frame = load_frame(tmp_path, score="search_answer.points").set_index("case")

    assert frame["score"].tolist()[:2] == [1.0, -1.0]
    assert frame.loc["c", ["score_low", "score_high"]].isna().all()
    assert frame["score_correct"].tolist()[:2] == [1.0, 0.0]


def test_an_entry_may_have_a_dot_in_its_name(tmp_path):
    write_log(tmp_path, {"a": {"node.x": 0.25, "b": 1}}, scorer="odd")

    assert load_frame(tmp_path, score="odd.node.x")["score"].tolist() == [0.25]


def test_the_sole_entry_of_a_value_needs_no_name(tmp_path):
    write_log(tmp_path, {"a": {"only": 0.25}, "b": UNSCORED}, scorer="odd")

    frame = load_frame(tmp_path)

    assert frame["scorer"].unique().tolist() == ["odd.only"]
    assert frame["state"].tolist() == ["scored", "unscored"]


def test_an_entry_that_the_task_declared_as_its_headline_needs_no_name(tmp_path):
    declared = HeadlineMetric(scorer="odd", score="good", metric="mean")
    write_log(tmp_path, {"a": {"good": 0.25, "bad": 1}}, scorer="odd", headline_metric=declared)

    assert load_frame(tmp_path)["scorer"].tolist() == ["odd.good"]


def test_a_run_of_ours_with_nothing_scored_has_the_usual_entry(tmp_path):
    search_log(tmp_path, {"a": UNSCORED, "b": ERRORED})

    frame = load_frame(tmp_path)

    assert frame["scorer"].unique().tolist() == ["search_answer.correct"]
    assert (frame["score_high"] == 1).all()


def test_a_part_of_a_value_that_is_nan_is_unscored_with_its_reason(tmp_path):
    ending = Score(value={"correct": float("nan")}, reason="timeout", metadata={"outcome": "x"})
    search_log(tmp_path, {"a": ending, "b": "right"})

    row = load_frame(tmp_path).set_index("case").loc["a"]

    assert (row["state"], row["reason"], row["result"]) == ("unscored", "timeout", "unscored")


def test_the_searched_corpus_is_that_of_the_score(tmp_path):
    search_log(tmp_path, {"a": search_ending("right", corpus_fingerprint="rescored0000")})

    assert load_frame(tmp_path)["corpus_fingerprint"].tolist() == ["rescored0000"]


@pytest.fixture(scope="module")
def extracted(tmp_path_factory):
    """A real log of the extraction task, run offline over three cases under ``strict``."""
    folder = tmp_path_factory.mktemp("extracted")
    cases = ["rbm/parallel_grants", "rbm/disaggregated", "rbm/corrected_later"]
    [log] = eval(
        extraction(corpus="rbm", extractor="creel"),
        model=NO_MODEL,
        log_dir=str(folder),
        display="none",
        sample_id=cases,
    )
    assert log.status == "success"
    return log.location


def test_a_real_log_that_was_scored_again_has_two_scores_under_two_policies(extracted, tmp_path):
    strict = read_eval_log(extracted)
    both = score(strict, extraction_scorer(policy="lenient"), action="append", display="none")
    write_eval_log(both, str(tmp_path / "both.eval"))
    only = score(strict, extraction_scorer(policy="lenient"), action="overwrite", display="none")
    write_eval_log(only, str(tmp_path / "only.eval"))

    first = load_frame(tmp_path / "both.eval")
    second = load_frame(tmp_path / "both.eval", score="extraction1.f1")
    overwritten = load_frame(tmp_path / "only.eval")
    original = load_frame(extracted)

    prints = ["policy_fingerprint", "scorer_version", "scorer_params"]
    told = [tuple(one[prints].iloc[0]) for one in (original, first, second, overwritten)]
    assert told[0] == told[1] != told[2] == told[3]
    assert strict.eval.metadata["policies"]["rbm"] in json.loads(told[0][0])["rbm"]
    assert {one[1] for one in told} == {str(SCORER_VERSION)}
    assert second["score"].ge(first["score"]).all()
    assert second["score"].tolist() == overwritten["score"].tolist()
    assert (first["score_coverage"] == 1).all()


def test_a_score_appended_equals_one_that_the_task_made(extracted, tmp_path):
    strict = read_eval_log(extracted)
    both = score(strict, extraction_scorer(policy="lenient"), action="append", display="none")
    write_eval_log(both, str(tmp_path / "both.eval"))
    ids = strict.eval.dataset.sample_ids
    [lenient] = eval(
        extraction(corpus="rbm", policy="lenient", extractor="creel"),
        model=NO_MODEL,
        log_dir=str(tmp_path / "lenient"),
        display="none",
        sample_id=ids,
    )

    appended = load_frame(tmp_path / "both.eval", score="extraction1.f1").iloc[0]
    made = load_frame(lenient.location).iloc[0]

    same = ["policy_fingerprint", "case_fingerprint", "corpora", "scorer_params", "settings"]
    same.append("scorer_version")
    assert appended[same].tolist() == made[same].tolist()


def test_a_search_log_scored_again_under_one_penalty_is_comparable_whatever_it_was_run_with(
    tmp_path,
):
    def run(model, penalty):
        [log] = eval(
            nl_search(wrong_penalty=penalty),
            model=model,
            log_dir=str(tmp_path / "runs"),
            display="none",
            limit=3,
        )
        assert log.status == "success"
        return log

    one, two = run("creel/reference", 2), run("creel/near-miss", 1)
    with pytest.raises(CompareError, match="parameters"):
        compare(load_frame(tmp_path / "runs", score="search_answer.points"))
    for place, log in {"one": one, "two": two}.items():
        again = score(log, search_answer(), action="overwrite", display="none")
        write_eval_log(again, str(tmp_path / "again" / f"{place}.eval"))

    [comparison] = compare(load_frame(tmp_path / "again")).comparisons

    # The reference is right on every case, a near-miss on none.
    assert [one.score.value for one in comparison.runs] == [1.0, 0.0]


def test_a_log_and_its_rescored_copy_are_one_run_and_the_later_file_counts(extracted, tmp_path):
    strict = read_eval_log(extracted)
    write_eval_log(strict, str(tmp_path / "a.eval"))
    only = score(strict, extraction_scorer(policy="lenient"), action="overwrite", display="none")
    write_eval_log(only, str(tmp_path / "b.eval"))

    frame = load_frame(tmp_path)

    assert len(frame) == 3
    assert set(frame["log"]) == {str(tmp_path / "b.eval")}
    assert any("was measured otherwise" in note for note in frame.attrs["notes"])


def test_elements_are_the_marks_of_the_score_that_the_frame_holds(extracted):
    frame = load_frame(extracted)

    elements = load_elements(frame)

    log = read_eval_log(extracted)
    marks = [
        (sample.id, mark)
        for sample in log.samples
        for mark in sample.scores["extraction"].metadata["elements"]
    ]
    assert len(elements) == len(marks) > 50
    for case, group in elements.groupby("case"):
        expected = [mark for name, mark in marks if name == case]
        assert group["path"].tolist() == [mark["path"] for mark in expected]
        assert group["state"].tolist() == [mark["state"] for mark in expected]
        assert group["lone"].tolist() == [mark.get("lone", False) for mark in expected]
        for written, mark in zip(group["expected"], expected, strict=True):
            assert (json.loads(written) if written else None) == mark.get("expected")
    right = (elements["state"] == "right").groupby(elements["case"]).sum()
    rows = frame.set_index("case")
    assert (right > 0).all()
    assert rows["score_matched"].le(right).all() or rows["score_matched"].ge(right).all()


def test_elements_can_be_read_from_a_part_of_a_frame_and_of_nothing(tmp_path):
    extraction_log(tmp_path, {"x/a": 1.0, "x/b": [0.0, 1.0], "x/c": ERRORED})
    search_log(tmp_path, {"q": "right"})
    frame = load_frame(tmp_path)

    assert len(load_elements(frame)) == 3
    one = load_elements(frame[(frame["case"] == "x/b") & (frame["epoch"] == 2)])
    assert one[["case", "epoch", "state", "expected", "actual"]].values.tolist() == [
        ["x/b", 2, "right", '"Sonnmatt"', '{"text": "Sonnmatt"}']
    ]
    none = load_elements(frame[frame["kind"] == "search"])
    assert len(none) == 0
    assert list(none.columns) == list(one.columns)


def test_a_log_that_has_gone_is_told_by_name(tmp_path):
    path = extraction_log(tmp_path, {"x/a": 1.0})
    frame = load_frame(tmp_path)
    path.unlink()

    with pytest.raises(CompareError, match="its samples cannot be read again") as error:
        load_elements(frame)

    assert str(path) in error.value.message
