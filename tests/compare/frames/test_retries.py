"""Logs of runs that really were killed, cancelled, failed and taken up again."""

import os
import shutil
import subprocess
import sys

import pytest
from inspect_ai import eval, eval_retry
from inspect_ai.log import list_eval_logs, read_eval_log

from creel_inspect.compare import load_frame
from tests.compare.frames import failing_task
from tests.compare.frames.failing_task import AT, CASES, FAIL
from tests.compare.log_files import ERRORED, NOT_RUN, UNSCORED, search_log, write_log


@pytest.fixture(autouse=True)
def beside_the_task(tmp_path, monkeypatch):
    """Inspect takes a task by a path below the working folder, and a retry looks for it there."""
    shutil.copy(failing_task.__file__, tmp_path / "failing_task.py")
    monkeypatch.chdir(tmp_path)


def run_and_fail(folder, how, at):
    """The task in a process of its own, which does not survive."""
    environment = {**os.environ, FAIL: how, AT: at}
    command = [sys.executable, "failing_task.py", str(folder)]
    subprocess.run(command, env=environment, capture_output=True, timeout=120, check=False)
    [info] = list_eval_logs(str(folder))
    return read_eval_log(info.name, header_only=True)


def take_up(log, folder):
    [retried] = eval_retry(log.location, log_dir=str(folder), display="none")
    assert retried.status == "success"
    return retried


def states(frame):
    return frame["state"].value_counts().to_dict()


def test_of_a_run_that_was_killed_what_was_flushed_counts_and_the_rest_was_not_run(tmp_path):
    log = run_and_fail(tmp_path, "kill", "c14")
    assert log.status == "started"

    crashed = load_frame(tmp_path)
    take_up(log, tmp_path)
    resumed = load_frame(tmp_path)

    flushed = states(crashed)["scored"]
    assert 0 < flushed <= 14  # Inspect writes several at a time, and those before the last few
    assert states(crashed) == {"scored": flushed, "not_run": 25 - flushed}
    assert set(crashed["case"]) == set(CASES)
    assert states(resumed) == {"scored": 25}
    assert resumed["score"].sum() == 20
    assert resumed["epoch"].tolist() == [1] * 25
    assert resumed["run_id"].tolist() == [crashed["run_id"].iloc[0]] * 25
    [note] = resumed.attrs["notes"]
    assert "2 logs are of one run, resumed or copied" in note


def test_of_a_run_that_was_cancelled_the_finished_samples_count(tmp_path):
    log = run_and_fail(tmp_path, "interrupt", "c05")
    assert log.status == "cancelled"

    frame = load_frame(tmp_path)

    assert states(frame)["scored"] == 5
    assert len(frame) == 25
    assert set(frame.loc[frame["case"] > "c05", "state"]) == {"not_run"}
    # The one that was under way when somebody pressed Ctrl-C never ended.
    assert frame.loc[frame["case"] == "c05", "state"].item() in ("errored", "not_run")


@pytest.mark.parametrize("tolerant", [True, False])
def test_an_errored_sample_counts_by_its_retry(tmp_path, monkeypatch, tolerant):
    monkeypatch.setenv(FAIL, "error")
    monkeypatch.setenv(AT, "c03")
    [log] = eval(
        "failing_task.py",
        model="mockllm/model",
        log_dir=str(tmp_path),
        task_args={"cases": 6},
        max_samples=1,
        fail_on_error=not tolerant,
        display="none",
    )
    assert log.status == ("success" if tolerant else "error")
    before = load_frame(tmp_path)
    monkeypatch.delenv(AT)
    take_up(log, tmp_path)

    after = load_frame(tmp_path)

    lost = before[before["state"] != "scored"]
    assert lost.loc[lost["case"] == "c03", "state"].item() == "errored"
    assert "the provider is down" in lost.loc[lost["case"] == "c03", "reason"].item()
    # Where an error ends the run, the others that were begun may be logged as errors too.
    others = set(lost.loc[lost["case"] != "c03", "state"])
    assert others <= (set() if tolerant else {"not_run", "errored"})
    assert states(after) == {"scored": 6}
    assert after["epoch"].max() == 1


def test_runs_by_path_and_by_name_with_a_limit_and_epochs_are_one_run(tmp_path):
    told = {"model": "mockllm/model", "log_dir": str(tmp_path), "display": "none"}
    eval("failing_task.py", limit=3, **told)
    eval(failing_task.failing(), limit=2, epochs=2, **told)

    frame = load_frame(tmp_path)

    assert frame["run_id"].nunique() == 1
    assert frame.groupby("case")["epoch"].max().to_dict() == {"c00": 3, "c01": 3, "c02": 1}
    assert states(frame) == {"scored": 7}
    assert frame["task"].unique().tolist() == ["failing"]


def test_a_later_error_does_not_take_an_earlier_result_away(tmp_path):
    write_log(tmp_path, {"a": 1, "b": ERRORED}, task_id="t", status="error")
    write_log(tmp_path, {"a": ERRORED, "b": ERRORED}, task_id="t", status="error")

    frame = load_frame(tmp_path).set_index("case")

    assert frame["state"].to_dict() == {"a": "scored", "b": "errored"}


def test_of_two_results_of_one_sample_the_later_counts(tmp_path):
    later, earlier = "2026-02-02T00:00:00+00:00", "2026-02-01T00:00:00+00:00"
    write_log(tmp_path, {"a": 1}, task_id="t", created=later, name="a")
    write_log(tmp_path, {"a": 0}, task_id="t", created=earlier, name="b")

    frame = load_frame(tmp_path)

    assert frame["score"].tolist() == [1.0]


def test_logs_of_one_run_over_other_cases_are_not_mixed(tmp_path):
    search_log(tmp_path, {"a": "right", "b": ERRORED}, task_id="t", case_file="old000000000")
    search_log(tmp_path, {"a": NOT_RUN, "b": "right"}, task_id="t", case_file="new000000000")

    frame = load_frame(tmp_path)

    assert frame.set_index("case")["state"].to_dict() == {"a": "not_run", "b": "scored"}
    assert frame["case_fingerprint"].unique().tolist() == ["new000000000"]
    assert any("was measured otherwise" in note for note in frame.attrs["notes"])


def test_requested_samples_are_counted_over_all_logs_of_a_run(tmp_path):
    write_log(
        tmp_path,
        {"a": [1, NOT_RUN], "b": UNSCORED},
        sample_ids=["a", "b", "c"],
        epochs=2,
        status="cancelled",
    )

    frame = load_frame(tmp_path)

    assert len(frame) == 6
    assert frame.groupby("case")["epoch"].apply(list).to_dict() == {
        "a": [1, 2],
        "b": [1, 2],
        "c": [1, 2],
    }
    assert states(frame) == {"scored": 1, "unscored": 1, "not_run": 4}
    assert (frame.loc[frame["state"] == "not_run", "uuid"] == "").all()


def test_both_sides_may_hold_logs_of_one_task_id(tmp_path):
    for folder, value in (("a", 0), ("b", 1)):
        write_log(tmp_path / folder, {"q": value}, task_id="t")

    frame = load_frame([tmp_path / "a", tmp_path / "b"])

    assert frame.set_index("side")["score"].to_dict() == {"base": 0.0, "new": 1.0}
