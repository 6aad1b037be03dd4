"""What runs have in common, read from logs where fingerprints do not tell."""

import pytest
from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSample, EvalSpec, write_eval_log

from creel_inspect.compare.comparing import compare
from creel_inspect.compare.refusing import CompareError
from tests.compare.hand_frames import cases, frame, of, samples


def log_of(path, metadata, targets=None):
    """A log whose samples have the metadata given by id."""
    written = [
        EvalSample(
            id=name,
            epoch=1,
            input=f"question of {name}",
            target=(targets or {}).get(name, "target"),
            metadata=said,
        )
        for name, said in metadata.items()
    ]
    spec = EvalSpec(
        created="2026-01-01T00:00:00+00:00",
        task="nl_search",
        dataset=EvalDataset(samples=len(written), sample_ids=list(metadata)),
        model="mockllm/model",
        config=EvalConfig(),
    )
    write_eval_log(EvalLog(eval=spec, samples=written), str(path))
    return str(path)


def case(name, **changed):
    return {"case": {"id": name, "question": "q", "reference": {"op": "eq"}, "why": "w", **changed}}


def searched(tmp_path, first, second):
    """Two runs over two case files, with what each log says of each case."""
    logs = [log_of(tmp_path / f"{n}.eval", said) for n, said in enumerate((first, second))]
    return frame(
        samples("one", dict.fromkeys(first, 1), case_fingerprint="a", log=logs[0]),
        samples("two", dict.fromkeys(second, 0), case_fingerprint="b", log=logs[1]),
    )


def left(report):
    return [(one.count, one.why, one.examples) for one in report.comparisons[0].left_out]


def test_cases_that_not_all_were_asked_are_left_out_and_named():
    report = compare(
        frame(samples("one", cases(7)), samples("two", cases(5, 2))), common=True, details=False
    )
    assert report.comparisons[0].cases == 5
    assert left(report) == [(2, "not every run was asked them", ["case-005", "case-006"])]


def test_equal_case_files_need_no_log():
    # The logs of hand-made frames are nowhere.
    report = compare(frame(samples("one", cases(2)), samples("two", cases(2))), common=True)
    assert left(report) == []


def test_a_case_that_was_changed_is_left_out(tmp_path):
    first = {name: case(name) for name in ("a", "b", "c", "d")}
    second = {**first, "b": case("b", reference={"op": "ne"}), "c": case("c", near_misses=[1])}
    report = compare(searched(tmp_path, first, second), common=True)
    assert left(report) == [(2, "the case was changed from one run to another", ["b", "c"])]
    assert [row.case for row in report.comparisons[0].rows] == ["a", "d"]


def test_a_case_that_is_explained_or_tagged_otherwise_is_the_same_case(tmp_path):
    first, second = {"a": case("a")}, {"a": case("a", why="better", tags=["new"])}
    assert compare(searched(tmp_path, first, second), common=True).comparisons[0].cases == 1


def test_another_question_is_left_out_without_reading_a_log():
    one = samples("one", cases(3), case_fingerprint="cases")
    two = samples("two", cases(3), content={"case-001": "another"})
    report = compare(frame(one, two), common=True, details=False)
    assert left(report) == [(1, "the input or the target is another in another run", ["case-001"])]


def test_a_case_that_no_log_can_tell_of_is_left_out_and_not_taken_for_equal(tmp_path):
    first = {"a": case("a"), "b": case("b")}
    made = searched(tmp_path, first, first)
    made.loc[(made["run"] == "two") & (made["case"] == "b"), "state"] = "not_run"
    report = compare(made, common=True)
    ((count, why, examples),) = left(report)
    assert (count, examples) == (1, ["b"])
    assert "no sample" in why
    (tmp_path / "1.eval").unlink()
    with pytest.raises(CompareError, match="no case in common"):
        compare(made, common=True)


def test_a_sample_without_a_case_is_not_taken_for_equal(tmp_path):
    with pytest.raises(CompareError, match="no case in common"):
        compare(searched(tmp_path, {"a": {}}, {"a": {}}), common=True)


def test_extraction_cases_are_compared_by_what_their_score_depends_on(tmp_path):
    parts = {"sources": {"x": "text"}, "grammar": {"id": "g"}, "verifiers": {}, "evidence": {}}
    ids = [f"c/{n}" for n in range(5)]
    first = {name: {**parts, "why": "w"} for name in ids}
    second = {name: {**parts, "why": "other"} for name in ids}
    second["c/1"] = {**parts, "sources": {"x": "other"}}
    second["c/2"] = {**parts, "verifiers": {"node.a": "exact"}}
    logs = [
        log_of(tmp_path / "one.eval", first),
        log_of(tmp_path / "two.eval", second, targets={"c/3": "another graph"}),
    ]
    report = compare(
        frame(
            *(
                samples(
                    run,
                    dict.fromkeys(["k/1", *ids], 0.5),
                    kind="extraction",
                    corpora=of(c=digest, k="same"),
                    log=dict.fromkeys(ids, log),
                )
                for run, digest, log in zip(("one", "two"), ("d1", "d2"), logs, strict=True)
            )
        ),
        common=True,
        details=False,
    )
    # `k`, whose digest is the same in both, needs no log.
    assert [row.case for row in report.comparisons[0].rows] == ["c/0", "c/4", "k/1"]
