"""``creel-inspect compare``, as it is called."""

import json
import os
import stat
from pathlib import Path

import jsonschema
import pandas as pd
import pytest
from click.testing import CliRunner

from creel_inspect.cli import main
from creel_inspect.compare import load_frame
from creel_inspect.compare.results import SCHEMA_VERSION, Report
from tests.compare.log_files import UNSCORED, search_log, write_log

SCHEMA = Path(__file__).parents[2] / "docs" / "compare.schema.json"


def run(*arguments):
    return CliRunner().invoke(main, ["compare", *map(str, arguments)])


def logs_of(folder, name, right, cases=30, **more):
    """A log of which the first ``right`` cases are right."""
    endings = {f"case-{n:02}": int(n < right) for n in range(cases)}
    return write_log(folder, endings, model=name, **more)


@pytest.fixture
def two(tmp_path):
    """A folder with a run that has 10 of 30 cases right, and one that has 25."""
    folder = tmp_path / "logs"
    logs_of(folder, "mockllm/poor", 10)
    logs_of(folder, "mockllm/good", 25)
    return folder


def test_a_folder_of_two_runs_is_compared_in_words(two):
    done = run(two)
    assert done.exit_code == 0, done.output
    assert "mockllm/good" in done.output
    assert "50.0 points" in done.output
    assert "better than" in done.output


def test_json_follows_the_schema_in_the_documentation(two, tmp_path):
    file = tmp_path / "report.json"
    assert run(two, "--json", file).exit_code == 0
    found = json.loads(file.read_text())
    schema = json.loads(SCHEMA.read_text())
    jsonschema.Draft202012Validator(schema).validate(found)
    assert found["schema_version"] == SCHEMA_VERSION
    [comparison] = found["comparisons"]
    assert [run["score"]["value"] for run in comparison["runs"]] == [25 / 30, 10 / 30]
    [pair] = comparison["pairs"]
    # Only the good one has 15 cases right, the other none: the exact p is 2 / 2**15, and mid-p
    # takes half of the probability of what was seen off it.
    assert pair["test"]["p"] == pytest.approx(2**-15, rel=1e-12)
    assert pair["difference"]["value"] == pytest.approx(0.5, abs=1e-12)


def test_the_schema_in_the_documentation_is_that_of_the_code():
    assert json.loads(SCHEMA.read_text()) == Report.model_json_schema(), (
        "write it anew: python -m creel_inspect.compare.results > docs/compare.schema.json"
    )


def test_the_rows_are_written_even_where_the_runs_cannot_be_compared(tmp_path):
    folder, file = tmp_path / "logs", tmp_path / "rows.parquet"
    search_log(folder, {"a": "right", "b": "wrong"}, model="mockllm/x")
    search_log(folder, {"a": "right", "b": "wrong"}, model="mockllm/y", corpus="corpus000002")
    done = run(folder, "--parquet", file)
    assert done.exit_code == 2
    assert "corpus" in done.output
    rows = pd.read_parquet(file)
    assert sorted(rows["model"]) == ["mockllm/x", "mockllm/x", "mockllm/y", "mockllm/y"]
    assert len(rows) == len(load_frame(folder))


def test_a_task_that_cannot_be_compared_does_not_hide_one_that_can(two, tmp_path):
    search_log(two, {"a": "right"}, model="mockllm/x")
    search_log(two, {"a": "right"}, model="mockllm/y", corpus="corpus000002")
    file = tmp_path / "report.json"
    done = run(two, "--json", file)
    assert done.exit_code == 2
    assert "mockllm/good is better than mockllm/poor by 50.0 points" in " ".join(
        done.output.split()
    )
    assert "corpus000002" in done.output
    found = json.loads(file.read_text())
    assert [one["task"] for one in found["comparisons"]] == ["quiz"]
    assert len(found["refused"]) == 1


def test_the_page_is_one_file_for_whoever_may_read_the_folder(two, tmp_path):
    file = tmp_path / "report.html"
    assert run(two, "--html", file).exit_code == 0
    assert "mockllm/good" in file.read_text(encoding="utf-8")
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(file.stat().st_mode) == 0o666 & ~umask
    # Nothing else is left behind.
    assert sorted(one.name for one in tmp_path.iterdir()) == ["logs", "report.html"]


@pytest.mark.parametrize(
    ("base", "new", "margin", "status"),
    [
        (25, 10, None, 1),  # 15 cases lost, none gained
        (10, 25, None, 0),
        (25, 25, None, 0),
        (25, 23, None, 0),  # two lost of 30: its interval holds 0
        (25, 10, 0.6, 0),  # half is lost, and 0.6 allowed
    ],
)
def test_the_exit_status_tells_a_regression(tmp_path, base, new, margin, status):
    first = logs_of(tmp_path / "base", "mockllm/model", base)
    second = logs_of(tmp_path / "new", "mockllm/model", new)
    more = [] if margin is None else ["--margin", margin]
    done = run(first, second, "--fail-on", "regression", *more)
    assert done.exit_code == status, done.output
    assert done.output.startswith("#")  # Markdown, for a pull request


def test_a_pull_request_is_told_why_nothing_was_compared(tmp_path):
    base = search_log(tmp_path / "base", {"a": "right"}, model="mockllm/x")
    new = search_log(tmp_path / "new", {"a": "right"}, model="mockllm/x", corpus="corpus000002")
    done = CliRunner().invoke(
        main, ["compare", str(base), str(new), "--fail-on", "regression"], catch_exceptions=False
    )
    assert done.exit_code == 2
    assert done.stdout.startswith("## Not compared\n\n```text\n")
    assert "corpus000002" in done.stdout


def test_what_could_not_be_measured_is_no_regression_and_no_success(tmp_path):
    first = logs_of(tmp_path / "base", "mockllm/model", 25)
    second = write_log(
        tmp_path / "new", {f"case-{n:02}": UNSCORED for n in range(30)}, model="mockllm/model"
    )
    done = run(first, second, "--fail-on", "regression")
    assert done.exit_code == 2, done.output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--margin", "0.1"], "--margin goes with --fail-on"),
        (["--fail-on", "regression"], "base and new"),
        (["--fail-on", "worse"], "regression"),
    ],
)
def test_options_that_do_not_go_together_are_told(two, arguments, told):
    done = run(two, *arguments)
    assert done.exit_code == 2
    assert told in done.output


def test_a_margin_below_nothing_is_refused(two, tmp_path):
    other = logs_of(tmp_path / "more", "mockllm/poor", 10)
    for margin in ("-0.1", "nan", "inf"):
        done = run(two, other, "--fail-on", "regression", "--margin", margin)
        assert done.exit_code == 2, margin
        assert "margin" in done.output


def test_a_file_that_cannot_be_written_is_told_before_a_log_is_read(two, tmp_path, monkeypatch):
    monkeypatch.setattr(
        "creel_inspect.compare.frames.loading.load_frame",
        lambda *_, **__: pytest.fail("read the logs first"),
    )
    for option in ("--html", "--json", "--parquet"):
        done = run(two, option, tmp_path / "nowhere" / "file")
        assert done.exit_code == 2
        assert "there is no folder" in done.output


@pytest.mark.parametrize("option", ["--html", "--json", "--parquet"])
@pytest.mark.parametrize("named", ["the log itself", "its folder", "a link to its folder"])
def test_no_output_is_written_over_a_log(tmp_path, option, named):
    log = logs_of(tmp_path / "logs", "mockllm/model", 10)
    (tmp_path / "link").symlink_to(tmp_path / "logs")
    path = {"the log itself": log, "its folder": log.parent}.get(named, tmp_path / "link")
    before = log.read_bytes()
    done = run(path, option, log)
    assert done.exit_code == 2
    assert "is a log to be read" in done.output
    assert log.read_bytes() == before


def test_two_outputs_are_not_written_to_one_file(two, tmp_path):
    done = run(two, "--json", tmp_path / "out", "--html", tmp_path / "." / "out")
    assert done.exit_code == 2
    assert "two outputs" in done.output


def test_a_write_that_fails_leaves_the_old_file_whole(two, tmp_path, monkeypatch):
    file = tmp_path / "report.json"
    file.write_text("old")

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    done = run(two, "--json", file)
    assert done.exit_code == 2
    assert "No space left" in done.output
    assert file.read_bytes() == b"old"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["logs", "report.json"]


def test_where_nothing_is_found_it_says_so(tmp_path):
    done = run(tmp_path)
    assert done.exit_code == 2
    assert "log" in done.output
    done = run(tmp_path / "nowhere")
    assert done.exit_code == 2
    assert "nowhere" in done.output
