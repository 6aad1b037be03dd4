"""Whatever a provider or an engine does wrong ends as what it is, and as nobody else's fault."""

import json
import math
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, eval_retry, task
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog

from creel_inspect.search.assemble import search_task
from creel_inspect.search.engine import (
    ENGINES,
    Answer,
    EngineError,
    Query,
    SearchTimeout,
    open_engine,
)
from creel_inspect.summary import counts_line
from tests.providers.loopback import (
    Behaviour,
    Drop,
    Hang,
    Raw,
    Refuse,
    Reply,
    Request,
    build,
    connected,
    decline,
    in_turn,
    run,
    say,
    serving,
)
from tests.search.scripted import CASES, only
from tests.search.tiny_engine import TinyEngine

pytestmark = [pytest.mark.loopback, pytest.mark.allow_hosts(["127.0.0.1"])]

RIGHT = {"after": 1900}
FEASIBLE, INFEASIBLE = "after-1900", "after-lunch"
REFUSAL = ("cannot_answer", {"reason": "no times of day"})
BOTH_PROTOCOLS = ("anthropic", "openai-api")


@dataclass(frozen=True)
class Ended:
    """How one sample ended: its outcome, whether it counts as right, and what it cost."""

    outcome: str
    correct: bool
    requests: int


def infeasible(folder: Path, names: Iterable[str]) -> Path:
    """A case file with one question for each name, none of which any query answers."""
    path = folder / "cases.json"
    cases = [{"id": n, "question": n, "why": "any", "compiles": False} for n in names]
    path.write_text(json.dumps({"corpus": None, "cases": cases}))
    return path


def each_ended(behaviours: Mapping[str, Behaviour], protocol: str, folder: Path):
    """How each of these replies ends a question that no query answers, in one run."""
    with serving(lambda request: behaviours[request.question]) as server:
        log = run(connected(server, protocol), cases=infeasible(folder, behaviours))
    assert log.status == "success", [sample.error for sample in log.samples if sample.error]
    found = {}
    for sample in log.samples:
        told = sample.scores["search_answer"].metadata
        asked = sum(request.question == sample.id for request in server.requests)
        found[sample.id] = Ended(told["outcome"], told["correct"], asked)
    return found


# What a model says wrong: measured, wrong on either kind of case, and given one repair turn only
# where something can be mended.

NEITHER = {
    "prose": (say("No query of this grammar can say that."), "no_call", 2),
    "nothing": (Reply(stop="end"), "no_call", 2),
    "thought-alone": (Reply(thinking="No times of day.", stop="end"), "no_call", 2),
    "both-tools": (Reply(calls=(REFUSAL, ("build_query", RIGHT))), "malformed", 2),
    "two-refusals": (Reply(calls=(REFUSAL, REFUSAL)), "malformed", 2),
    "unknown-tool": (Reply(calls=(("search_the_web", {"q": "lunch"}),)), "malformed", 2),
    "empty-reason": (decline(""), "malformed", 2),
    "no-reason": (Reply(calls=(("cannot_answer", {}),)), "malformed", 2),
    # Cut at the token limit, what is left can look whole.
    "cut-query": (Reply(calls=(("build_query", {}),), stop="length"), "truncated", 1),
    "cut-refusal": (Reply(calls=(REFUSAL,), stop="length"), "truncated", 1),
    "filtered": (Reply(stop="refused"), "safety_refused", 1),
    "filtered-prose": (Reply(text="I can't help.", stop="refused"), "safety_refused", 1),
    "filtered-refusal": (Reply(calls=(REFUSAL,), stop="refused"), "safety_refused", 1),
}


@pytest.mark.parametrize("protocol", BOTH_PROTOCOLS)
def test_what_is_neither_a_query_nor_a_refusal_is_never_credited(protocol, tmp_path):
    behaviours = {name: behaviour for name, (behaviour, *_) in NEITHER.items()}
    assert each_ended(behaviours, protocol, tmp_path) == {
        name: Ended(outcome, False, requests) for name, (_, outcome, requests) in NEITHER.items()
    }


@pytest.mark.parametrize("protocol", BOTH_PROTOCOLS)
def test_a_refusal_costs_one_request_and_is_right_only_of_what_no_query_answers(protocol):
    with serving(in_turn(decline())) as server:
        log = run(connected(server, protocol), [FEASIBLE, INFEASIBLE])
    judged = {one.id: one.scores["search_answer"].metadata for one in log.samples}
    assert {name: told["outcome"] for name, told in judged.items()} == {
        FEASIBLE: "declined",
        INFEASIBLE: "declined",
    }
    assert {name: told["correct"] for name, told in judged.items()} == {
        FEASIBLE: False,
        INFEASIBLE: True,
    }
    assert len(server.requests) == 2


NO_OBJECT = {
    "cut": '{"reason": "no times of d',
    "cut-query": '{"after": 1900',
    "python": "{'after': 1900}",
    "list": "[1, 2]",
    "null": "null",
    "number": "7",
    "boolean": "true",
    "string": '"no times of day"',
    "words": "no times of day",
    "cut-string": '"no times of d',
    "nothing": "",
    "brackets": "[" * 200,
}


@pytest.mark.parametrize("tool", ["build_query", "cannot_answer"])
def test_arguments_that_are_no_json_object_are_malformed(tool, tmp_path):
    """Inspect puts some of these under the first parameter's name, as if they were its value."""
    behaviours = {name: Reply(calls=((tool, Raw(text)),)) for name, text in NO_OBJECT.items()}
    assert each_ended(behaviours, "openai-api", tmp_path) == {
        name: Ended("malformed", False, 2) for name in NO_OBJECT
    }


@pytest.mark.parametrize("arguments", ["[1, 2]", "null", '"no times of day"'])
def test_anthropics_arguments_that_are_no_object_break_its_protocol_and_measure_nothing(arguments):
    with serving(in_turn(Reply(calls=(("cannot_answer", Raw(arguments)),)))) as server:
        log = run(connected(server, "anthropic"), INFEASIBLE, max_tokens=1_000)
    [sample] = log.samples
    assert "valid dictionary" in sample.error.message
    assert not sample.scores


@pytest.mark.parametrize("protocol", BOTH_PROTOCOLS)
def test_a_predicate_sent_as_a_string_of_json_is_read_as_the_predicate(
    protocol, tmp_path, monkeypatch
):
    monkeypatch.setitem(ENGINES, "ord-words", "tests.providers.ord_words:OrdWords")
    where = {"op": "eq", "path": "reaction_id", "value": {"literal": "b1"}}
    case = {"id": "x", "question": "which is b1?", "why": "nesting", "reference": {"where": where}}
    cases = tmp_path / "cases.json"
    cases.write_text(json.dumps({"corpus": None, "cases": [case]}))
    for sent in ({"where": json.dumps(where)}, {"query": json.dumps({"where": where})}):
        with serving(in_turn(build(sent))) as server:
            _, score = only(run(connected(server, protocol), engine="ord-words", cases=cases))
        assert (score.metadata["correct"], len(server.requests)) == (True, 1)


# What a provider does wrong: not measured. The rest of the run is, and a retry mends it.

TROUBLES = {
    "rate-limit": Refuse(429, {"retry-after": "0"}),
    "overload": Refuse(529),
    "internal-error": Refuse(500),
    "dropped": Drop(),
    "dropped-midway": Drop(midway=True),
    "wrong-key": Refuse(401),
}
NONE = "none", "none-either"
CASES_VARIABLE = "FAULTY_CASES"


@task
def troubled() -> Task:
    cases = os.environ[CASES_VARIABLE]
    return search_task(engine="tiny", engine_args={}, named_corpus=None, cases=cases)


def counts(log: EvalLog) -> dict[str, int]:
    [score] = log.results.scores
    return {
        "requested": log.results.total_samples,
        "completed": log.results.completed_samples,
        "scored": score.scored_samples,
        "unscored": score.unscored_samples,
    }


@pytest.mark.parametrize("protocol", BOTH_PROTOCOLS)
def test_a_providers_failures_are_errored_samples_that_a_retry_measures(
    protocol, monkeypatch, tmp_path
):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "test")  # a log holds no key for a retry to use
    monkeypatch.setenv("LOCAL_API_KEY", "test")
    monkeypatch.setenv(CASES_VARIABLE, str(infeasible(tmp_path, [*TROUBLES, *NONE])))
    troubles = dict(TROUBLES)

    def script(request: Request) -> Behaviour:
        return troubles.get(request.question) or decline()

    with serving(script) as server:
        model = connected(server, protocol)
        [log] = inspect_eval(troubled(), model=model, max_retries=1)
        # The run is no success, so that eval-retry and eval-set know there is more to do; but
        # what was measured is measured.
        assert log.status == "error"
        assert counts(log) == {"requested": 8, "completed": 2, "scored": 2, "unscored": 0}
        assert counts_line(log).endswith("requested 8 · scored 2 · unscored 0 · errored 6")
        assert log.results.scores[0].metrics["accuracy"].value == 1.0
        assert {one.id for one in log.samples if one.error} == set(TROUBLES)
        assert [one.id for one in log.samples if one.error and one.scores] == []
        tries = Counter(request.question for request in server.requests)
        # Asking again cannot mend a wrong key.
        assert tries == {**dict.fromkeys(TROUBLES, 2), **dict.fromkeys(NONE, 1), "wrong-key": 1}

        troubles.clear()
        [mended] = eval_retry(log)
        again = Counter(request.question for request in server.requests) - tries
    assert again == dict.fromkeys(TROUBLES, 1)
    assert mended.status == "success"
    assert counts(mended) == {"requested": 8, "completed": 8, "scored": 8, "unscored": 0}
    kept = {one.id: one.uuid for one in log.samples if not one.error}
    assert {one.id: one.uuid for one in mended.samples if one.id in NONE} == kept


@pytest.mark.parametrize("protocol", BOTH_PROTOCOLS)
def test_a_connection_that_hangs_is_given_up_and_measures_nothing(protocol):
    with serving(in_turn(Hang())) as server:
        log = run(connected(server, protocol), INFEASIBLE, max_retries=0, attempt_timeout=1)
    [sample] = log.samples
    assert "AttemptTimeoutError" in sample.error.message
    assert not sample.scores


def test_a_task_bounds_each_request_where_the_run_says_nothing():
    config = search_task(
        engine="tiny", engine_args={}, named_corpus="books", cases=str(CASES)
    ).config
    assert config.attempt_timeout is not None
    assert config.timeout is not None
    assert 0 < config.attempt_timeout < config.timeout <= 3_600


@pytest.mark.parametrize("protocol", BOTH_PROTOCOLS)
def test_a_trouble_that_passes_leaves_no_trace_in_the_score(protocol):
    script = in_turn(Refuse(429, {"retry-after": "0"}), Refuse(529), Drop(), build(RIGHT))
    with serving(script) as server:
        _, score = only(run(connected(server, protocol), FEASIBLE))
    assert score.metadata["correct"] is True
    assert score.metadata["first_try"] is True
    assert len(server.requests) == 4


def test_the_providers_own_library_may_try_again_as_well():
    script = in_turn(Refuse(429, {"retry-after-ms": "1"}), build(RIGHT))
    with serving(script) as server:
        _, score = only(run(connected(server, "anthropic", quick=False), FEASIBLE, max_retries=0))
    assert score.metadata["correct"] is True


def test_a_run_without_one_answer_still_says_how_many_were_asked_for():
    with serving(in_turn(Refuse(500))) as server:
        log = run(connected(server, "anthropic"), max_retries=0)
    assert counts_line(log).endswith("requested 4 · scored 0 · unscored 0 · errored 4")


def test_a_failure_on_the_repair_turn_measures_nothing_either():
    with serving(in_turn(build({"no_such_key": 1}), Refuse(500))) as server:
        log = run(connected(server, "anthropic"), FEASIBLE, max_retries=0)
    [sample] = log.samples
    assert sample.error
    assert not sample.scores


# What an engine does wrong: a broken one, or a reference that fails, is never the model's fault.


class Breaking(TinyEngine):
    """Breaks on shelf A, and takes for ever over 1901: the second time too, if ``twice``."""

    def __init__(self, twice: bool = True) -> None:
        super().__init__()
        self.twice = twice

    def search(self, query: Query, *, timeout_seconds: float | None) -> Answer:
        if query.get("shelf") == "A":
            self.searched.append(query)
            raise EngineError("the shelf fell over")
        if query.get("after") == 1901 and (self.twice or query not in self.searched):
            self.searched.append(query)
            raise SearchTimeout(f"more than {timeout_seconds} s")
        return super().search(query, timeout_seconds=timeout_seconds)


@pytest.fixture
def breaking(monkeypatch):
    monkeypatch.setitem(ENGINES, "breaking", "tests.providers.test_faults:Breaking")


@pytest.fixture
def one_case(tmp_path):
    def write(**case: Any):
        path = tmp_path / "cases.json"
        case = {"id": "x", "question": "which books?", "why": "any", **case}
        path.write_text(json.dumps({"corpus": None, "cases": [case]}))
        return path

    return write


@pytest.mark.parametrize(
    ("reference", "code"),
    [
        ({"shelf": "nowhere"}, "reference_failed"),
        ({"hang": 1}, "reference_failed"),
        ({"break": 1}, "instrument_error"),
    ],
)
@pytest.mark.parametrize("reply", [build(RIGHT), decline(), build({"no_such_key": 1})])
def test_a_reference_that_fails_leaves_its_case_unscored_whatever_the_model_did(
    reference, code, reply, one_case
):
    with serving(in_turn(reply)) as server:
        log = run(connected(server, "anthropic"), cases=one_case(reference=reference))
    _, score = only(log)
    assert (score.reason, score.metadata["correct"]) == (code, None)
    assert math.isnan(score.value)
    assert counts(log) == {"requested": 1, "completed": 1, "scored": 0, "unscored": 1}
    assert counts_line(log).endswith(f"scored 0 · unscored 1 ({code} 1) · errored 0")


def test_an_engine_that_breaks_on_the_models_query_measures_nothing(breaking, one_case):
    with serving(in_turn(build({"shelf": "A"}))) as server:
        log = run(
            connected(server, "anthropic"), engine="breaking", cases=one_case(reference=RIGHT)
        )
    _, score = only(log)
    assert math.isnan(score.value)
    assert (score.reason, score.metadata["outcome"]) == ("instrument_error", "instrument_error")
    assert "the shelf fell over" in score.explanation


@pytest.mark.parametrize(
    ("twice", "outcome", "correct", "searches"),
    [(True, "search_timeout", False, 2), (False, "answered", True, 2)],
)
def test_a_query_past_its_time_is_run_again_before_it_counts(
    twice, outcome, correct, searches, breaking, one_case
):
    with serving(in_turn(build({"after": 1901}))) as server:
        log = run(
            connected(server, "anthropic"),
            engine="breaking",
            engine_args={"twice": twice},
            cases=one_case(reference=RIGHT),
        )
    _, score = only(log)
    # No book is of 1901, so the two queries have one answer.
    assert (score.metadata["outcome"], score.metadata["correct"]) == (outcome, correct)
    assert score.reason == (None if correct else "search_timeout")
    asked = open_engine("breaking", twice=twice).searched
    assert asked.count({"after": 1901}) == searches


@pytest.mark.parametrize(
    ("query", "outcome", "detail"),
    [
        ({"shelf": "nowhere"}, "search_failed", "unknown_shelf"),
        ({"hang": 1}, "search_timeout", None),
    ],
)
def test_a_search_that_fails_is_the_querys_fault_and_wrong(query, outcome, detail):
    with serving(in_turn(build(query))) as server:
        _, score = only(run(connected(server, "anthropic"), FEASIBLE))
    assert (score.metadata["outcome"], score.metadata["correct"]) == (outcome, False)
    assert score.metadata.get("detail") == detail
