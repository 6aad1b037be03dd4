"""Which runs are pooled, what is said of it, and whose logs did not come to an end."""

import json

import pytest
from inspect_ai.log import EvalConfig, EvalDataset
from inspect_ai.scorer import Score

from creel_inspect.compare import load_frame
from tests.compare.log_files import (
    ERRORED,
    NOT_RUN,
    UNSCORED,
    extraction_ending,
    extraction_log,
    search_ending,
    search_log,
    write_log,
)


def test_other_questions_under_the_same_ids_are_other_runs(tmp_path):
    # Inspect numbers the samples of any dataset without ids from 1.
    first, second = {1: "One?", 2: "Two?"}, {1: "Uno?", 2: "Due?"}
    write_log(tmp_path, {1: 1, 2: 1}, questions=first)
    write_log(tmp_path, {1: 0, 2: 0}, questions=second)
    write_log(tmp_path, {1: 1, 2: 0}, questions=first)

    frame = load_frame(tmp_path)

    scores = sorted(tuple(rows["score"]) for _, rows in frame.groupby("run_id"))
    assert scores == [(0.0, 0.0), (1.0, 1.0, 1.0, 0.0)]
    assert frame.groupby("run_id")["content"].nunique().tolist() == [2, 2]
    labels = frame["run"].unique()
    assert len(labels) == 2
    assert all(label.startswith("mockllm/model [questions=") for label in labels)
    [note] = [one for one in frame.attrs["notes"] if "kept apart" in one]
    assert "3 runs of the same thing ask other questions under the same ids (1, 2)" in note
    assert "as 2 runs" in note


def test_a_run_kept_apart_has_one_id_whatever_lies_beside_it(tmp_path):
    for folder in ("a", "b"):
        write_log(tmp_path / folder, {1: 1}, questions={1: "One?"})
        write_log(tmp_path / folder, {1: 0}, questions={1: "Uno?"})
    write_log(tmp_path / "b", {1: 0}, questions={1: "Un?"})

    alone, beside = (load_frame(tmp_path / folder) for folder in "ab")

    assert set(alone["run_id"]) < set(beside["run_id"])


def test_a_later_log_of_a_run_that_asks_other_questions_takes_nothing_from_the_earlier(tmp_path):
    write_log(tmp_path, {1: 1, 2: 1}, questions={1: "One?"}, task_id="t", status="error")
    write_log(tmp_path, {1: 0, 2: NOT_RUN}, questions={1: "Uno?"}, task_id="t")

    frame = load_frame(tmp_path)

    assert frame["state"].tolist() == ["scored", "not_run"]
    assert frame["score"].tolist()[0] == 0.0
    assert any("was measured otherwise (other questions" in one for one in frame.attrs["notes"])


def test_a_case_that_was_not_run_does_not_take_the_question_of_another_dataset(tmp_path):
    write_log(tmp_path, {1: 1, 2: 1}, questions={2: "Two?"}, model="m/a")
    write_log(tmp_path, {1: 1, 2: 1}, questions={2: "Due?"}, model="m/b")
    write_log(tmp_path, {1: 1, 2: NOT_RUN}, model="m/c")

    frame = load_frame(tmp_path)

    assert frame.loc[frame["state"] == "not_run", "content"].tolist() == [""]


def test_runs_over_disjoint_cases_are_one_run_and_not_called_further_epochs(tmp_path):
    write_log(tmp_path, {"a": 1, "b": 1})
    write_log(tmp_path, {"c": 0, "d": NOT_RUN, "e": 1})

    frame = load_frame(tmp_path)

    assert frame["run_id"].nunique() == 1
    assert frame["epoch"].tolist() == [1] * 5
    [note] = frame.attrs["notes"]
    assert "2 runs of the same thing are pooled, each of which covers other cases (2, 3)" in note
    assert "as further epochs" not in note


def test_of_runs_that_share_some_cases_it_is_said_how_many_have_further_epochs(tmp_path):
    write_log(tmp_path, {"a": 1, "b": 1, "c": 1})
    write_log(tmp_path, {"c": 0, "d": 1})

    frame = load_frame(tmp_path)

    assert frame.groupby("case")["epoch"].max().to_dict() == {"a": 1, "b": 1, "c": 2, "d": 1}
    [note] = frame.attrs["notes"]
    assert "as further epochs of the 1 case that more than one of them has; 3 stand in" in note


@pytest.mark.parametrize(
    ("status", "told"),
    [
        ("started", "never came to an end, and may still be written or was killed"),
        ("cancelled", "was cancelled before its end"),
        ("error", "ended in error"),
    ],
)
def test_a_log_that_did_not_come_to_its_end_is_told_with_what_is_missing(tmp_path, status, told):
    error = "RuntimeError: no more credit\nmore" if status == "error" else None
    cases = {"a": 1, "b": ERRORED, "c": NOT_RUN, "d": NOT_RUN, "e": UNSCORED}
    path = write_log(tmp_path, cases, status=status, error=error)
    write_log(tmp_path, {"a": 1}, model="m/whole")

    why = "; RuntimeError: no more credit" if error else ""
    assert load_frame(tmp_path).attrs["notes"] == [
        f"a log {told}: {path} (3 of 5 samples missing{why})"
    ]


def test_of_a_log_that_was_taken_up_again_and_ended_well_no_missing_samples_are_told(tmp_path):
    write_log(tmp_path, {"a": 1, "b": NOT_RUN}, status="error", task_id="t")
    write_log(tmp_path, {"a": NOT_RUN, "b": 1}, task_id="t")

    notes = load_frame(tmp_path).attrs["notes"]

    assert not any("missing" in note for note in notes)


def test_many_logs_that_did_not_come_to_an_end_are_one_note(tmp_path):
    for number in range(7):
        write_log(tmp_path, {"a": NOT_RUN}, model=f"m/{number}", status="started")

    [note] = load_frame(tmp_path).attrs["notes"]

    assert note.startswith("7 logs, each of which never came to an end")
    assert note.count("(1 of 1 sample missing)") == 5
    assert note.endswith("and 2 more")


@pytest.mark.parametrize(
    ("config", "name"),
    [
        ({"cost_limit": 0.5}, "cost_limit=0.5"),
        ({"token_limit": 9, "token_limit_type": "output"}, "token_limit_type=output"),
    ],
)
def test_every_limit_makes_another_run(tmp_path, config, name):
    plain = {key: value for key, value in config.items() if key == "token_limit"}
    write_log(tmp_path, {"a": 1}, config=EvalConfig(epochs=1, **plain))
    write_log(tmp_path, {"a": 1}, config=EvalConfig(epochs=1, **config))

    assert f"mockllm/model [{name}]" in set(load_frame(tmp_path)["run"])


def test_a_run_that_crashed_is_of_its_own_scorer_and_not_of_one_whose_name_begins_alike(tmp_path):
    write_log(tmp_path, {"a": Score(value={"x": 1})}, scorer="match1", model="m/a")
    write_log(tmp_path, {"a": ERRORED}, scorer="match", status="error", model="m/b")

    frame = load_frame(tmp_path).set_index("model")

    assert frame["scorer"].to_dict() == {"m/a": "match1.x", "m/b": "match"}


def test_scorers_of_one_name_from_two_packages_are_two_scorers(tmp_path):
    for package in ("one", "two"):
        write_log(
            tmp_path,
            {"a": 1},
            scorer="judge",
            scorers=[{"name": f"{package}/judge", "options": {}}],
        )

    frame = load_frame(tmp_path)

    assert set(frame["scorer"]) == {"judge"}
    assert set(frame["scorer_package"]) == {"one", "two"}
    assert set(frame["run"]) == {"mockllm/model [package=one]", "mockllm/model [package=two]"}


def test_a_task_run_by_its_path_does_not_tell_the_package_and_is_the_same_run(tmp_path):
    write_log(tmp_path, {"a": 1}, scorer="judge", scorers=[{"name": "one/judge", "options": {}}])
    write_log(tmp_path, {"a": 1}, scorer="judge")
    search_log(tmp_path, {"s": "right"}, scorers=[{"name": "creel_inspect/search_answer"}])
    search_log(tmp_path, {"s": "right"})

    frame = load_frame(tmp_path)

    assert frame.groupby("kind")["run_id"].nunique().to_dict() == {"other": 1, "search": 1}
    packages = frame.groupby("kind")["scorer_package"].unique().map(list).to_dict()
    assert packages == {"other": ["one"], "search": [""]}


def test_a_scorer_that_may_be_of_either_of_two_packages_is_taken_for_none_of_them(tmp_path):
    for scorers in ([{"name": "one/judge"}], [{"name": "two/judge"}], [{"name": "judge"}]):
        write_log(tmp_path, {"a": 1}, scorer="judge", scorers=scorers)

    packages = load_frame(tmp_path).groupby("run_id")["scorer_package"].first()

    assert sorted(packages) == ["", "one", "two"]


def test_the_second_scorer_of_a_name_has_its_own_package_and_parameters(tmp_path):
    both = {"judge": Score(value=1), "judge1": Score(value=0)}
    scorers = [
        {"name": "one/judge", "options": {"strict": True}},
        {"name": "two/judge", "options": {"strict": False}},
    ]
    write_log(tmp_path, {"a": both}, scorer="judge", scorers=scorers, status="cancelled")

    first, second = (load_frame(tmp_path, score=name).iloc[0] for name in both)

    assert (first["scorer_package"], second["scorer_package"]) == ("one", "two")
    assert json.loads(first["scorer_params"]) == {"strict": True}
    assert json.loads(second["scorer_params"]) == {"strict": False}


def test_what_was_scored_in_several_ways_within_one_run_is_told_as_all_of_them(tmp_path):
    plain, other = search_ending("right"), search_ending("right", corpus_fingerprint="new")
    search_log(tmp_path, {"a": plain, "b": other, "c": UNSCORED}, corpus="old")
    other = search_ending("right", scorer_version=2)
    search_log(tmp_path, {"a": plain, "b": other}, model="m/version", task_version=1)
    lenient = extraction_ending(1.0, policy_digest="lenient")
    unmarked = extraction_ending(1.0, policy_digest=None)
    extraction_log(tmp_path, {"x/a": lenient, "x/b": 1.0}, policy_digest="strict")
    extraction_log(
        tmp_path, {"x/a": lenient, "x/b": unmarked}, policy_digest="strict", model="m/unmarked"
    )

    frame = load_frame(tmp_path)
    search = frame[frame["kind"] == "search"].groupby("model").first()
    policies = frame[frame["kind"] == "extraction"].groupby("model")["policy_fingerprint"].first()

    assert search["corpus_fingerprint"].to_dict()["mockllm/model"] == "new + old"
    assert search["scorer_version"].to_dict()["m/version"] == "1 + 2"
    mixed = {"x": "lenient, gate report + strict, gate report"}
    assert [json.loads(one) for one in policies] == [mixed, mixed]


def dataset(samples, **more):
    return EvalDataset(name="old", samples=samples, sample_ids=None, **more)


@pytest.mark.parametrize(
    ("limit", "count"), [(None, 8), (7, 7), (100, 8), ((2, 7), 5), ((2, 100), 6)]
)
def test_a_log_without_ids_asked_for_as_many_as_its_dataset_and_limit_say(tmp_path, limit, count):
    # It crashed after two of them; they are numbered from 1.
    start = limit[0] if isinstance(limit, tuple) else 0
    config = EvalConfig(epochs=2, limit=limit)
    cases = {start + 1: [1, 1], start + 2: [1, NOT_RUN]}
    write_log(tmp_path, cases, dataset=dataset(8), config=config, status="error")

    frame = load_frame(tmp_path)

    asked = [str(number) for number in range(start + 1, start + count + 1)]
    assert frame["case"].unique().tolist() == asked
    assert frame["state"].value_counts().to_dict() == {"scored": 3, "not_run": 2 * count - 3}


def test_of_a_log_without_ids_whose_cases_have_names_the_missing_ones_are_told(tmp_path):
    path = write_log(tmp_path, {"x": 1, "y": 0}, dataset=dataset(8), status="error")
    write_log(tmp_path, {3: 1, 8: 1}, dataset=dataset(8, shuffled=True), model="m/shuffled")
    picked = EvalConfig(epochs=1, sample_id=["x", "y"])
    write_log(tmp_path, {"x": 1, "y": 0}, dataset=dataset(8), config=picked, model="m/picked")

    frame = load_frame(tmp_path)

    assert frame.groupby("model").size().unique().tolist() == [2]
    told = [note for note in frame.attrs["notes"] if "more cases than it names" in note]
    assert len(told) == 2
    assert told[0].startswith(f"{path}: it asked for 6 more cases than it names")


def test_a_key_that_others_use_too_does_not_make_a_task_ours(tmp_path):
    write_log(tmp_path, {"a": 1}, metadata={"case_fingerprint": "theirs"})
    write_log(tmp_path, {"b": 1}, metadata={"case_fingerprint": "theirs", "policies": {"x": "y"}})
    search_log(tmp_path, {"c": "right"}, scorer="theirs")  # ours by all it says of itself
    search_log(tmp_path, {"d": "right"}, metadata={"case_fingerprint": "x"})  # by its scorer

    kinds = load_frame(tmp_path).groupby("case")["kind"].first()

    assert kinds.to_dict() == {"a": "other", "b": "other", "c": "search", "d": "search"}


def test_our_tasks_go_by_one_name_where_they_have_been_renamed(tmp_path):
    search_log(tmp_path, {"a": "right"}, task="renamed", case_file="changed")
    search_log(tmp_path, {"a": "right"}, model="m/b")
    extraction_log(
        tmp_path, {"x/a": 1.0}, task="other", task_registry_name="creel_inspect/extraction"
    )
    extraction_log(tmp_path / "alone", {"x/a": 1.0}, task="mine")

    names = load_frame(tmp_path).groupby("kind")["task"].unique().map(list).to_dict()
    alone = load_frame(tmp_path / "alone")["task"].tolist()

    assert names == {"search": ["nl_search"], "extraction": ["extraction"]}
    assert alone == ["mine"]


def test_a_label_names_the_prompt_once(tmp_path):
    for prompt, path in (("one00", "p.txt"), ("two00", "p.txt"), ("three", "q" * 99)):
        search_log(tmp_path, {"a": "right"}, prompt=prompt, task_args={"prompt": path})

    *labels, long = sorted(load_frame(tmp_path)["run"].unique())

    assert labels == [f"mockllm/model [prompt=p.txt ({name})]" for name in ("one00", "two00")]
    assert long.endswith("qq (three)]")
    assert long.count("prompt") == 1
