"""Which samples are of one run, and what a run is called."""

import json
import shutil

import pandas as pd
import pytest
from inspect_ai.log import EvalPlan, EvalPlanStep
from inspect_ai.model import GenerateConfig, ModelConfig

from creel_inspect.compare import load_frame
from tests.compare.log_files import (
    ERRORED,
    NOT_RUN,
    UNSCORED,
    extraction_ending,
    extraction_log,
    fields,
    search_log,
    write_log,
)

RIGHT = {"a": "right", "b": "right"}


def labels(frame):
    return sorted(frame["run"].unique())


def test_a_lone_run_is_called_by_its_model(tmp_path):
    search_log(tmp_path, RIGHT, model="m/one", task_args={"repair": 0, "prompt": "p.txt"})
    search_log(tmp_path, RIGHT, model="m/two")

    assert labels(load_frame(tmp_path)) == ["m/one", "m/two"]


def test_runs_of_one_model_are_told_apart_by_what_differs_between_them_alone(tmp_path):
    for repair in (0, 1):
        search_log(tmp_path, RIGHT, task_args={"repair": repair, "resolver": "local"})
    search_log(tmp_path, RIGHT, model="m/other", task_args={"repair": 3, "resolver": "network"})

    assert labels(load_frame(tmp_path)) == [
        "m/other",
        "mockllm/model [repair=0]",
        "mockllm/model [repair=1]",
    ]


def test_prompts_are_told_by_their_argument_and_else_by_their_fingerprint(tmp_path):
    told = {"prompt": "one00", "task_args": {"prompt": None}}
    search_log(tmp_path / "named", RIGHT, **told)
    search_log(tmp_path / "named", RIGHT, prompt="two00", task_args={"prompt": "ord-schema"})
    search_log(tmp_path / "unnamed", RIGHT, **told)
    search_log(tmp_path / "unnamed", RIGHT, prompt="two00", task_args={"prompt": None})

    assert labels(load_frame(tmp_path / "named")) == [
        "mockllm/model [prompt=default]",
        "mockllm/model [prompt=ord-schema]",
    ]
    assert labels(load_frame(tmp_path / "unnamed")) == [
        "mockllm/model [prompt=one00]",
        "mockllm/model [prompt=two00]",
    ]


def test_two_files_that_hold_one_prompt_are_one_prompt(tmp_path):
    search_log(tmp_path, RIGHT, task_args={"prompt": "/here/p.txt"})
    search_log(tmp_path, RIGHT, task_args={"prompt": "/there/q.txt"})

    frame = load_frame(tmp_path)

    assert labels(frame) == ["mockllm/model"]
    assert frame["run_id"].nunique() == 1


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"plan": EvalPlan(config=GenerateConfig(temperature=0.5))}, "temperature=0.5"),
        ({"model_generate_config": GenerateConfig(max_tokens=9)}, "max_tokens=9"),
        ({"model_args": {"device": "cpu"}}, "device=cpu"),
        ({"model_base_url": "http://other"}, "base_url=http://other"),
        ({"task_args": {"hard": True}}, "hard=true"),
        ({"model_roles": {"grader": ModelConfig(model="m/g")}}, "role.grader=m/g"),
        ({"config": {"message_limit": 3}}, "message_limit=3"),
        (
            {"plan": EvalPlan(steps=[EvalPlanStep(solver="x/cot", params={"n": 2})])},
            "solver=cot(n=2)",
        ),
    ],
)
def test_what_a_model_is_given_makes_another_run(tmp_path, change, name):
    plain = {"plan": EvalPlan(steps=[])}
    write_log(tmp_path, {"a": 1}, **plain)
    write_log(tmp_path, {"a": 1}, **{**plain, **change})

    frame = load_frame(tmp_path)

    assert frame["run_id"].nunique() == 2
    assert f"mockllm/model [{name}]" in labels(frame)


@pytest.mark.parametrize(
    "change",
    [
        {"task": "/elsewhere/package/quiz"},
        {"packages": {"inspect_ai": "0.3.999"}},
        {"plan": EvalPlan(config=GenerateConfig(max_connections=9, timeout=3, max_retries=2))},
        {"model_args": {"api_key": "x"}},
        {"task_args": {"hard": None}},
        {"task_file": "quiz.py"},
        {"tags": ["nightly"]},
    ],
)
def test_where_and_how_a_run_was_made_does_not_make_it_another(tmp_path, change):
    plain = {"plan": EvalPlan(steps=[])}
    write_log(tmp_path, {"a": 1}, **plain)
    write_log(tmp_path, {"a": 0}, **{**plain, **change})

    frame = load_frame(tmp_path)

    assert frame["run_id"].nunique() == 1
    assert frame["epoch"].tolist() == [1, 2]


def test_a_default_told_in_one_log_and_passed_in_another_is_one_argument(tmp_path):
    write_log(tmp_path, {"a": 1}, task_args={"n": 300}, task_args_passed={})
    write_log(tmp_path, {"a": 1}, task_args={"n": 300.0}, task_args_passed={"n": 300.0})

    assert load_frame(tmp_path)["run_id"].nunique() == 1


def test_further_runs_of_the_same_thing_are_further_epochs_and_a_note_says_so(tmp_path):
    search_log(tmp_path, {"a": ["right", "declined"], "b": ["right", "right"]})
    search_log(tmp_path, {"b": "malformed", "c": "right"})

    frame = load_frame(tmp_path)

    cells = {(row.case, row.epoch): row.result for row in frame.itertuples()}
    assert cells == {
        **{("a", 1): "right", ("a", 2): "declined", ("b", 1): "right", ("b", 2): "right"},
        **{("b", 3): "malformed", ("c", 1): "right"},
    }
    assert frame.loc[frame["result"] == "malformed", "log_epoch"].tolist() == [1]
    [note] = frame.attrs["notes"]
    assert "2 runs of the same thing are pooled, as further epochs" in note


def test_runs_over_other_cases_corpora_or_scorers_are_never_pooled(tmp_path):
    search_log(tmp_path, RIGHT)
    search_log(tmp_path, RIGHT, case_file="cases0000002")
    search_log(tmp_path, RIGHT, corpus="corpus000002")
    search_log(tmp_path, RIGHT, task_version=2)

    frame = load_frame(tmp_path)

    assert frame["run_id"].nunique() == 4
    assert frame["epoch"].max() == 1
    assert len(labels(frame)) == 4
    assert all("cases=" in label and "corpus=" in label for label in labels(frame))


def test_two_paths_are_base_and_new_and_equal_runs_are_kept_apart(tmp_path):
    for folder in ("a", "b"):
        search_log(tmp_path / folder, RIGHT, model="m/one")
    search_log(tmp_path / "b", RIGHT, model="m/two")

    frame = load_frame([tmp_path / "a", tmp_path / "b"])

    sides = frame.groupby("run")["side"].unique().map(list).to_dict()
    assert sides == {"base: m/one": ["base"], "new: m/one": ["new"], "m/two": ["new"]}
    assert frame["epoch"].max() == 1
    assert frame["run_id"].nunique() == 3


def test_with_one_path_or_three_there_are_no_sides(tmp_path):
    for folder in ("a", "b", "c"):
        search_log(tmp_path / folder, RIGHT, model="m/one")

    for paths in (tmp_path, [tmp_path / folder for folder in ("a", "b", "c")]):
        frame = load_frame(paths)
        assert set(frame["side"]) == {""}
        assert frame["epoch"].max() == 3


def test_a_renamed_task_of_ours_is_still_what_it_was_and_a_strangers_is_not_ours(tmp_path):
    search_log(tmp_path, RIGHT, task="renamed_search")
    search_log(tmp_path, RIGHT)
    write_log(tmp_path, {"x": 1}, task="somebody/extraction")

    frame = load_frame(tmp_path)

    assert frame[frame["case"] == "a"]["kind"].tolist() == ["search", "search"]
    assert frame[frame["kind"] == "search"]["run_id"].nunique() == 1
    assert frame.loc[frame["case"] == "x", ["kind", "task"]].iloc[0].tolist() == [
        "other",
        "extraction",
    ]


def test_several_tasks_in_one_folder_are_several_runs_of_one_label(tmp_path):
    write_log(tmp_path, {"a": 1}, task="one")
    write_log(tmp_path, {"b": 1}, task="two")

    frame = load_frame(tmp_path)

    assert frame["run_id"].nunique() == 2
    assert labels(frame) == ["mockllm/model"]


def test_labels_stay_apart_even_where_long_values_are_cut_alike(tmp_path):
    for end in ("x", "y"):
        write_log(tmp_path, {"a": 1}, task_args={"how": end + "z" * 100})

    assert len(labels(load_frame(tmp_path))) == 2


def test_settings_tell_every_setting_and_no_secret(tmp_path):
    write_log(
        tmp_path,
        {"a": 1},
        task_args={"n": 3, "how": {"b": 1, "a": None}},
        model_args={"api_key": "s3cret", "auth_token": "s3cret", "device": "cpu"},
        model_generate_config=GenerateConfig(temperature=0.0, extra_headers={"x": "s3cret"}),
    )

    [row] = load_frame(tmp_path).to_dict("records")

    assert json.loads(row["settings"]) == {
        **{"n": "3", "how": '{"b": 1}', "device": "cpu", "temperature": "0"},
        "solver": "generate",
    }


def test_the_policy_is_that_of_the_scores_and_not_that_of_the_task(tmp_path):
    extraction_log(tmp_path / "a", {"x/a": 0.5, "y/b": ERRORED})
    extraction_log(
        tmp_path / "b",
        {"x/a": extraction_ending(0.5, policy_digest="policy000002"), "y/b": 0.5},
    )

    [first] = load_frame(tmp_path / "a")["policy_fingerprint"].unique()
    [second] = load_frame(tmp_path / "b")["policy_fingerprint"].unique()

    assert json.loads(first) == {
        "x": "policy000001, gate report",
        "y": "policy000001, gate report",
    }
    assert json.loads(second)["x"] == "policy000002, gate report"


def test_a_run_that_crashed_before_its_first_score_joins_the_others(tmp_path):
    search_log(tmp_path, RIGHT)
    search_log(tmp_path, {"a": NOT_RUN, "b": UNSCORED}, status="started")
    write_log(tmp_path, {"q": {"x": 1}}, scorer="odd")
    write_log(tmp_path, {"q": ERRORED}, scorer="odd", status="error")

    frame = load_frame(tmp_path)

    assert frame["run_id"].nunique() == 2
    assert frame["epoch"].max() == 2
    assert set(frame["scorer"]) == {"search_answer.correct", "odd.x"}


def test_samples_with_one_uuid_count_once_under_another_task_id_too(tmp_path):
    uuids = {("a", 1): "u1", ("b", 1): "u2"}
    search_log(tmp_path, RIGHT, uuids=uuids)
    search_log(tmp_path, RIGHT, uuids=uuids)

    frame = load_frame(tmp_path)

    assert len(frame) == 2
    assert any("copies" in note for note in frame.attrs["notes"])


def test_pooled_versions_are_told(tmp_path):
    search_log(tmp_path, RIGHT, packages={"inspect_ai": "0.3.1"})
    search_log(tmp_path, RIGHT, packages={"inspect_ai": "0.3.2"})

    notes = load_frame(tmp_path).attrs["notes"]

    assert any("inspect_ai 0.3.1, inspect_ai 0.3.2" in note for note in notes)


def test_the_frame_does_not_depend_on_what_the_files_are_called(tmp_path):
    for order in (1, -1):
        for name, model in list(zip("abc", ("m/x", "m/y", "m/x"), strict=True))[::order]:
            told = {"created": f"2026-01-0{1 + 'abc'.index(name)}T00:00:00+00:00"}
            search_log(
                tmp_path / str(order),
                {"q": fields("right")[0]},
                model=model,
                name=f"{'abc'.index(name) * order + 5}",
                task_id=f"t{name}",
                uuids={("q", 1): name},
                **told,
            )

    first, second = (load_frame(tmp_path / str(order)).drop(columns="log") for order in (1, -1))

    pd.testing.assert_frame_equal(first, second)


def test_copies_that_are_base_and_new_at_once_are_told(tmp_path):
    path = search_log(tmp_path / "a", RIGHT)
    (tmp_path / "b").mkdir()
    shutil.copy(path, tmp_path / "b")

    frame = load_frame([tmp_path / "a", tmp_path / "b"])

    assert len(frame) == 4
    assert frame.attrs["notes"] == ["2 samples are in both base and new, as copies, by their uuid"]


def test_rows_are_in_the_order_that_the_task_asked_for(tmp_path):
    search_log(tmp_path, {"b": ["right", NOT_RUN], "a": ["right", "right"]}, sample_ids=["b", "a"])

    frame = load_frame(tmp_path)

    order = [("b", 1), ("b", 2), ("a", 1), ("a", 2)]
    assert list(zip(frame["case"], frame["epoch"], strict=True)) == order


def test_a_run_that_crashed_at_once_is_counted_with_all_it_asked_for(tmp_path):
    search_log(tmp_path, {"a": NOT_RUN, "b": NOT_RUN}, status="started", scorers=None)

    frame = load_frame(tmp_path)
    asked = load_frame(tmp_path, score="search_answer.correct")

    for one in (frame, asked):
        assert one["state"].tolist() == ["not_run", "not_run"]
        assert one["scorer"].unique().tolist() == ["search_answer.correct"]
