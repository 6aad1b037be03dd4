"""Running evals as people do: again, in part, several models at once, and after a crash."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, eval_set, task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import includes

from creel_inspect.search.assemble import search_task
from tests.providers.loopback import (
    Behaviour,
    Hang,
    Refuse,
    Request,
    Server,
    build,
    connected,
    decline,
    serving,
)
from tests.search import scripted
from tests.search.scripted import CASES

ROOT = Path(__file__).parents[1]
LOOPBACK = ["127.0.0.1"]
pytestmark = [pytest.mark.loopback, pytest.mark.allow_hosts(LOOPBACK)]

RIGHT = {"after": 1900}
FEASIBLE, INFEASIBLE = "after-1900", "after-lunch"

TASK_FILE = f"""
from inspect_ai import Task, task
from creel_inspect.search.assemble import search_task

@task
def books(cases: str = {str(CASES)!r}, tags: str = "") -> Task:
    return search_task(engine="tiny", engine_args={{}}, named_corpus="books", cases=cases,
                       tags=[tag for tag in tags.split("+") if tag])
"""
# Python runs this in each process that has its folder on the path: no process of a test reaches
# further than this machine, and each knows the tests' engines.
SITE = f"""
import pytest_socket
pytest_socket.socket_allow_hosts({LOOPBACK!r}, allow_unix_socket=True)
from creel_inspect.search.engine import ENGINES
ENGINES["tiny"] = "tests.search.tiny_engine:TinyEngine"
ENGINES["ord"] = "tests.providers.ord_words:OrdWords"
"""


@task
def books() -> Task:
    return search_task(engine="tiny", engine_args={}, named_corpus="books", cases=str(CASES))


class Shell:
    """Inspect's command line, in a folder of its own."""

    def __init__(self, folder: Path, server: Server | None = None) -> None:
        self.folder = folder
        (folder / "site").mkdir()
        (folder / "site" / "sitecustomize.py").write_text(SITE)
        (folder / "books.py").write_text(TASK_FILE)
        self.env = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(folder / "site"), str(ROOT)]),
            "XDG_DATA_HOME": str(folder / "data"),
            "XDG_CACHE_HOME": str(folder / "cache"),
            "INSPECT_LOG_DIR": str(folder / "logs"),
            "INSPECT_DISPLAY": "plain",
            "LOCAL_API_KEY": "test",
            "LOCAL_BASE_URL": f"{server.url}/v1" if server else "",
        }

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "inspect_ai", *arguments],
            cwd=self.folder,
            env=self.env,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def run(self, *arguments: str) -> str:
        process = self.start(*arguments)
        try:
            said, _ = process.communicate(timeout=120)
        finally:
            process.kill()
        assert process.returncode == 0, said
        return said

    def logs(self) -> list[EvalLog]:
        """Every log, oldest first."""
        found = list_eval_logs(str(self.folder / "logs"), descending=False)
        return [read_eval_log(one) for one in found]


@pytest.fixture
def shell(tmp_path) -> Shell:
    return Shell(tmp_path)


def right(request: Request) -> Behaviour:
    """The right answer to any of the books' questions."""
    if "how many" in request.question:
        return build({"count_by": "shelf"})
    if "shelf @S" in request.question:
        return build({"shelf": "@S", "first": 1})
    return build(RIGHT) if "1900" in request.question else decline()


def metrics(log: EvalLog) -> dict[str, float]:
    return {name: metric.value for name, metric in log.results.scores[0].metrics.items()}


def test_a_killed_run_loses_no_finished_sample_and_a_retry_finishes_it(tmp_path):
    """Twelve are finished: ten are in the log, which is written ten at a time, and two are not.

    Inspect keeps those two in a buffer of its own on this machine, where a retry finds them.
    """
    cases = tmp_path / "cases.json"
    questions = [f"question {number}?" for number in range(1, 15)]
    written = [
        {"id": f"q{n}", "question": text, "why": "any", "compiles": False}
        for n, text in enumerate(questions, 1)
    ]
    cases.write_text(json.dumps({"corpus": None, "cases": written}))
    stuck = True

    def script(request: Request) -> Behaviour:
        return Hang() if stuck and request.question == "question 13?" else decline()

    with serving(script) as server:
        shell = Shell(tmp_path, server)
        # One sample at a time: when the thirteenth is asked, twelve have been scored and logged.
        running = shell.start(
            *("eval", "books.py", "--model", "openai-api/local/any", "--max-samples", "1"),
            *("--log-buffer", "10", "-T", f"cases={cases}"),
        )
        try:
            server.wait_until(lambda: len(server.requests) == 13)
        finally:
            running.send_signal(signal.SIGKILL)
            running.communicate()
        [killed] = shell.logs()
        assert killed.status == "started"
        assert len(killed.samples) == 10
        stuck = False
        shell.run("eval-retry", killed.location)
        asked = Counter(request.question for request in server.requests)
    assert asked == {**dict.fromkeys(questions, 1), "question 13?": 2}
    finished = shell.logs()[-1]
    assert finished.status == "success"
    assert {sample.id for sample in finished.samples} == {f"q{n}" for n in range(1, 15)}
    assert finished.results.completed_samples == 14
    assert metrics(finished)["accuracy"] == 1.0


def test_several_models_a_limit_epochs_and_tags_from_the_command_line(tmp_path):
    with serving(right) as server:
        shell = Shell(tmp_path, server)
        said = shell.run(
            *("eval", "books.py", "--model", "openai-api/local/a,openai-api/local/b"),
            *("--epochs", "3", "--limit", "1", "-T", "tags=infeasible+count"),
        )
        asked = Counter((r.body["model"], r.question) for r in server.requests)
    # The cases that carry either tag are two, in the file's order; the limit leaves the first.
    question = "books published after lunch"
    assert asked == {("a", question): 3, ("b", question): 3}
    logs = {log.eval.model: log for log in shell.logs()}
    assert set(logs) == {"openai-api/local/a", "openai-api/local/b"}
    for log in logs.values():
        assert log.status == "success"
        assert log.results.total_samples == 3
        assert metrics(log)["accuracy"] == 1.0
        assert f"{log.eval.model}: requested 3 · scored 3 · unscored 0 · errored 0" in said


def flipping(replies: dict[str, list[ModelOutput]]):
    """A model that gives each question's replies one after another."""
    left: dict[str, Iterator[ModelOutput]] = {text: iter(each) for text, each in replies.items()}

    def answer(messages: list[Any], *_: Any) -> ModelOutput:
        question = next(message.text for message in messages if message.role == "user")
        return next(left[question])

    return answer


def test_metrics_over_epochs_average_each_case_before_the_cases():
    """Three epochs of one feasible and one infeasible question, the values worked out by hand."""
    bad = scripted.build({"no_such_key": 1})
    answer = flipping(
        {
            # right; right on the repair turn; a needless refusal: points 1, 1, 0
            "books published after 1900": [
                *(scripted.build(RIGHT), bad, scripted.build(RIGHT), scripted.decline()),
            ],
            # rightly refused; answered; malformed: points 1, -1, -1
            "books published after lunch": [
                *(scripted.decline(), scripted.build(RIGHT), bad, bad),
            ],
        }
    )
    log = scripted.run(answer, [FEASIBLE, INFEASIBLE], epochs=3)
    assert metrics(log) == pytest.approx(
        {
            "accuracy": (2 / 3 + 1 / 3) / 2,
            # Wilson's interval for one half of two cases, not of six samples.
            "accuracy_low": 0.094533,
            "accuracy_high": 0.905467,
            "accuracy_feasible": 2 / 3,
            "refused_infeasible": 1 / 3,
            "over_refusal": 1 / 3,
            "first_try": (1 / 3 + 1 / 3) / 2,
            "malformed": (0 + 1 / 3) / 2,
            "no_call": 0.0,
            "reliability": (2 / 3 - 1 / 3) / 2,
            "always_refusing": 1 / 2,
        },
        abs=1e-5,
    )


def test_an_epoch_that_was_not_measured_is_left_out_of_its_cases_average():
    answer = flipping(
        {
            "books published after 1900": [
                *(scripted.build(RIGHT), scripted.build({"break": 1}), scripted.decline()),
            ],
            "books published after lunch": [scripted.decline()] * 3,
        }
    )
    log = scripted.run(answer, [FEASIBLE, INFEASIBLE], epochs=3)
    found = metrics(log)
    assert found["accuracy_feasible"] == pytest.approx(1 / 2)
    assert found["over_refusal"] == pytest.approx(1 / 2)
    assert found["accuracy"] == pytest.approx((1 / 2 + 1) / 2)


def test_one_sample_can_be_asked_for_by_name_and_some_by_number():
    log = scripted.run([scripted.build(RIGHT)], FEASIBLE)
    assert [sample.id for sample in log.samples] == [FEASIBLE]
    log = scripted.run([scripted.decline()] * 2, limit=2)
    assert [sample.id for sample in log.samples] == [FEASIBLE, INFEASIBLE]


def test_tags_choose_cases_and_one_that_no_case_carries_is_refused():
    answers = [scripted.decline(), scripted.build(RIGHT)]
    log = scripted.run(answers, task_args={"tags": ["infeasible", "bound"]})
    assert {sample.id for sample in log.samples} == {FEASIBLE, INFEASIBLE}
    with pytest.raises(ValueError, match="no-such-tag"):
        scripted.run(answers, task_args={"tags": ["no-such-tag"]})


def test_an_eval_set_asks_again_only_what_was_not_measured(tmp_path, monkeypatch):
    failing = True

    def script(request: Request) -> Behaviour:
        return Refuse(500) if failing and "lunch" in request.question else right(request)

    with serving(script) as server:

        def again() -> tuple[bool, list[EvalLog]]:
            return eval_set(
                books(),
                log_dir=str(tmp_path / "set"),
                model=connected(server, "openai-api"),
                retry_attempts=0,
                max_retries=0,
            )

        done, _ = again()
        assert not done
        failing = False
        done, [header] = again()
        assert done
        asked = Counter(request.question for request in server.requests)
        assert asked.pop("books published after lunch") == 2
        assert set(asked.values()) == {1}
        before = len(server.requests)
        done, _ = again()
        assert done
        assert len(server.requests) == before
    log = read_eval_log(header.location)
    assert metrics(log)["accuracy"] == 1.0
    assert log.results.completed_samples == 4


def test_a_log_is_scored_again_without_a_model_and_what_was_not_measured_stays_so(shell):
    def script(request: Request) -> Behaviour:
        return Refuse(500) if "lunch" in request.question else right(request)

    with serving(script) as server:
        [log] = inspect_eval(books(), model=connected(server, "openai-api"), max_retries=0)
    assert log.status == "error"
    output = shell.folder / "again.eval"
    shell.run(
        *("score", log.location, "--scorer", "creel_inspect/search_answer", "-S", "engine=tiny"),
        *("--action", "overwrite", "--output-file", str(output), "-S", "wrong_penalty=3"),
    )
    again = read_eval_log(str(output))
    judged = {sample.id: sample.scores["search_answer"] for sample in again.samples}
    assert judged[INFEASIBLE].reason == "not_translated"
    assert judged[INFEASIBLE].value != judged[INFEASIBLE].value  # NaN: unscored
    for sample in log.samples:
        if sample.id != INFEASIBLE:
            before = sample.scores["search_answer"]
            assert judged[sample.id].value == before.value
            assert judged[sample.id].explanation == before.explanation
    [score] = again.results.scores
    assert (score.scored_samples, score.unscored_samples) == (3, 1)
    assert metrics(again)["accuracy"] == 1.0


ONE = {
    "corpus": None,
    "cases": [
        {
            "id": "one",
            "question": "which reactions smell of almonds?",
            "why": "smell is not recorded",
            "compiles": False,
        }
    ],
}
ANNOUNCED = "No model given"


@pytest.fixture
def one_case(tmp_path) -> str:
    path = tmp_path / "one.json"
    path.write_text(json.dumps(ONE))
    return f"cases={path}"


def test_where_no_model_is_given_the_offline_baseline_runs_and_one_line_says_so(shell, one_case):
    said = shell.run("eval", "creel_inspect/nl_search", "-T", one_case)
    [log] = shell.logs()
    assert (log.status, log.eval.model) == ("success", "creel/baseline")
    [line] = [line for line in said.splitlines() if ANNOUNCED in line]
    assert "creel/baseline" in line
    assert "--model anthropic/" in line


def test_a_model_that_is_given_runs_and_nothing_is_announced(shell, one_case):
    said = shell.run(
        "eval", "creel_inspect/nl_search", "-T", one_case, "--model", "creel/reference"
    )
    shell.env["INSPECT_EVAL_MODEL"] = "creel/near-miss"
    said += shell.run("eval", "creel_inspect/nl_search", "-T", one_case)
    assert [log.eval.model for log in shell.logs()] == ["creel/reference", "creel/near-miss"]
    assert [metrics(log)["accuracy"] for log in shell.logs()] == [1.0, 0.0]
    assert ANNOUNCED not in said


def test_a_process_of_a_test_reaches_no_further_than_this_machine(shell):
    reaching = "import socket; socket.create_connection(('192.0.2.1', 443), timeout=1)"
    done = subprocess.run(
        [sys.executable, "-c", reaching],
        env=shell.env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "SocketConnectBlockedError" in done.stderr


@pytest.mark.parametrize("model", ["creel/baseline", "creel/reference", "creel/near-miss"])
def test_an_offline_model_in_a_task_of_another_kind_ends_at_once_and_says_why(model, tmp_path):
    other = Task(dataset=[Sample(input="how much?", target="3")], scorer=includes())
    [log] = inspect_eval(other, model=model, log_dir=str(tmp_path))
    assert log.status == "error"
    assert "creel_inspect/nl_search" in log.error.message
