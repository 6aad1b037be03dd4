"""The headline numbers, each against a value worked out by hand, and the counts beside them."""

import json
import math

import anyio
import pytest
from inspect_ai.hooks import RunEnd
from inspect_ai.scorer import SampleScore, Score

from creel_inspect.search.judging import Judgement
from creel_inspect.search.metrics import search_metrics, values
from creel_inspect.search.outcomes import Outcome
from creel_inspect.summary import RunSummary, counts_line
from tests.search.scripted import build, call, decline, reply, run

BAD = build({"no_such_key": 1})


def scored(*rows, wrong_penalty=2.0):
    """Each row: feasible?, outcome, correct?, attempts."""
    return [
        SampleScore(
            score=Score(
                value=values(
                    Judgement(outcome, correct, None, "s"),
                    feasible=feasible,
                    attempts=attempts,
                    wrong_penalty=wrong_penalty,
                )
            ),
            sample_id=f"s{i}",
        )
        for i, (feasible, outcome, correct, attempts) in enumerate(rows)
    ]


def numbers(scores):
    """What Inspect shows: a number that is None is left out."""
    found = search_metrics()(scores)
    return {name: value for name, value in found.items() if value is not None}


def shown(log):
    [result] = log.results.scores
    return {name: metric.value for name, metric in result.metrics.items()}


def wilson(p, n, z=1.959963984540054):
    """The score interval of Wilson (1927), solved from |p - q| = z sqrt(q (1 - q) / n) for q."""
    a, b, c = 1 + z * z / n, -(2 * p + z * z / n), p * p
    root = math.sqrt(b * b - 4 * a * c)
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


MIXED = [
    (True, Outcome.ANSWERED, True, 1),
    (True, Outcome.ANSWERED, True, 2),
    (True, Outcome.ANSWERED, False, 1),
    (True, Outcome.DECLINED, False, 1),
    (True, Outcome.NO_CALL, False, 2),
    (True, Outcome.DECLINED_AFTER_ATTEMPT, False, 2),
    (False, Outcome.DECLINED, True, 1),
    (False, Outcome.ANSWERED, False, 1),
    (False, Outcome.MALFORMED, False, 2),
    (False, Outcome.DECLINED_AFTER_ATTEMPT, False, 2),
]


def test_each_number_of_a_mixed_run_is_the_one_worked_out_by_hand():
    found = numbers(scored(*MIXED))
    low, high = found.pop("accuracy_low"), found.pop("accuracy_high")
    assert found == pytest.approx(
        {
            "accuracy": 3 / 10,
            "accuracy_feasible": 2 / 6,
            "refused_infeasible": 1 / 4,
            "over_refusal": 1 / 6,
            "first_try": 2 / 10,
            "malformed": 1 / 10,
            "no_call": 1 / 10,
            # +1 three times, 0 for the needless refusal, and -2 six times.
            "reliability": (3 - 12) / 10,
            "always_refusing": 4 / 10,
        }
    )
    # Newcombe (1998) and any table: 3 of 10 lies in 10.8 % to 60.3 %.
    assert (low, high) == pytest.approx((0.1078, 0.6032), abs=5e-5)


@pytest.mark.parametrize(("right", "of"), [(0, 1), (1, 1), (0, 10), (10, 10), (7, 9), (61, 61)])
def test_the_interval_is_wilsons_and_stays_within_0_and_1(right, of):
    rows = [(True, Outcome.ANSWERED, i < right, 1) for i in range(of)]
    found = numbers(scored(*rows))
    low, high = found["accuracy_low"], found["accuracy_high"]
    assert (low, high) == pytest.approx(wilson(right / of, of), abs=1e-9)
    assert 0 <= low <= right / of + 1e-12
    assert right / of - 1e-12 <= high <= 1


def test_numbers_with_nothing_to_count_are_absent():
    feasible = numbers(scored(*MIXED[:6]))
    assert "refused_infeasible" not in feasible
    assert feasible["over_refusal"] == pytest.approx(1 / 6)
    assert feasible["always_refusing"] == 0
    infeasible = numbers(scored(*MIXED[6:]))
    assert "accuracy_feasible" not in infeasible
    assert "over_refusal" not in infeasible
    assert infeasible["refused_infeasible"] == infeasible["accuracy"] == 1 / 4
    assert infeasible["always_refusing"] == 1


def test_the_penalty_weighs_wrong_answers_and_nothing_else():
    for penalty, reliability in ((0, 3 / 10), (1, -3 / 10), (0.5, 0.0), (10, -57 / 10)):
        found = numbers(scored(*MIXED, wrong_penalty=penalty))
        assert found["reliability"] == pytest.approx(reliability)
        assert found["accuracy"] == 0.3


def test_refusing_everything_scores_what_always_refusing_says():
    rows = [(i < 6, Outcome.DECLINED, i >= 6, 1) for i in range(10)]
    found = numbers(scored(*rows))
    assert found["accuracy"] == found["always_refusing"] == 0.4
    assert (found["refused_infeasible"], found["over_refusal"]) == (1, 1)
    assert found["reliability"] == 0.4


@pytest.mark.parametrize("outcome", list(Outcome))
def test_only_a_first_refusal_counts_as_one_and_only_malformed_as_malformed(outcome):
    judged = Judgement(outcome, False, outcome.value, "s")
    value = values(judged, feasible=False, attempts=1, wrong_penalty=2)
    assert value["refused"] == (outcome is Outcome.DECLINED)
    assert value["malformed"] == (outcome is Outcome.MALFORMED)
    assert value["no_call"] == (outcome is Outcome.NO_CALL)
    assert (value["correct"], value["first_try"], value["points"]) == (0, 0, -2.0)


def test_a_needless_refusal_costs_nothing_and_a_later_one_does():
    def points(outcome, feasible=True):
        judged = Judgement(outcome, False, None, "s")
        return values(judged, feasible=feasible, attempts=1, wrong_penalty=2)["points"]

    assert points(Outcome.DECLINED) == 0
    assert points(Outcome.DECLINED_AFTER_ATTEMPT) == -2
    assert points(Outcome.SAFETY_REFUSED) == -2


def test_an_entry_that_a_reducer_could_not_work_out_is_left_out():
    """As ``pass_at_2`` leaves it, where one of two epochs was not scored."""
    some = scored(*MIXED)
    nothing = dict.fromkeys(some[0].score.value, math.nan)
    undefined = SampleScore(score=Score(value=nothing), sample_id="x")
    assert numbers([*some, undefined]) == numbers(some)
    assert list(numbers([undefined])) == ["accuracy"]
    assert math.isnan(numbers([undefined])["accuracy"])


# --- in a real run


def books(tmp_path, *cases):
    path = tmp_path / "cases.json"
    path.write_text(json.dumps([{"why": "w", **one} for one in cases]))
    return path


def by_question(replies):
    """A model that answers each question with the next of its replies."""

    def answer(messages, *_):
        [question] = [message.text for message in messages[:2] if message.role == "user"]
        found = replies[question].pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    return answer


RIGHT = {"id": "right", "question": "new?", "reference": {"after": 1900}}
BLIND = {"id": "blind", "question": "future?", "reference": {"after": 3000}}
INFEASIBLE = {"id": "infeasible", "question": "good?", "compiles": False}
OTHER = {"id": "other", "question": "newer?", "reference": {"after": 1930}}


def test_epochs_are_averaged_over_cases_first(tmp_path):
    replies = {
        "new?": [build({"after": 1900}), build({"after": 1815})],
        "good?": [decline(), build({"after": 1900})],
        "newer?": [decline(), decline()],
        "future?": [BAD, BAD, build({"after": 3000})],
    }
    blind = {**BLIND, "empty_is_right": True}
    log = run(
        by_question(replies),
        cases=books(tmp_path, RIGHT, INFEASIBLE, OTHER, blind),
        task_args={"wrong_penalty": 2.0},
        epochs=2,
    )
    found = shown(log)
    low, high = found.pop("accuracy_low"), found.pop("accuracy_high")
    assert found == pytest.approx(
        {
            "accuracy": (1 / 2 + 1 / 2 + 0 + 1 / 2) / 4,
            "accuracy_feasible": (1 / 2 + 0 + 1 / 2) / 3,
            "refused_infeasible": 1 / 2,
            "over_refusal": (0 + 1 + 0) / 3,
            "first_try": (1 / 2 + 1 / 2 + 0 + 1 / 2) / 4,
            "malformed": (1 / 2) / 4,
            "no_call": 0,
            "reliability": ((1 - 2) / 2 + (1 - 2) / 2 + 0 + (1 - 2) / 2) / 4,
            "always_refusing": 1 / 4,
        }
    )
    assert (low, high) == pytest.approx(wilson(3 / 8, 4))
    assert counts_line(log) == "mockllm/model: requested 8 · scored 8 · unscored 0 · errored 0"


def test_what_was_not_measured_is_counted_beside_the_numbers_and_not_in_them(tmp_path, capsys):
    replies = {
        "new?": [build({"after": 1900})],
        "future?": [build({"after": 1900})],
        "good?": [RuntimeError("the provider is down")],
        "newer?": [build({"break": 1})],
    }
    log = run(
        by_question(replies),
        cases=books(tmp_path, RIGHT, BLIND, INFEASIBLE, OTHER),
        fail_on_error=False,
    )
    found = shown(log)
    assert found["accuracy"] == found["accuracy_feasible"] == found["reliability"] == 1
    assert "refused_infeasible" not in found
    line = (
        "mockllm/model: requested 4 · scored 1 · unscored 2 (blind_case 1, instrument_error 1) · "
        "errored 1"
    )
    assert counts_line(log) == line
    assert line in capsys.readouterr().err
    # Without its samples a log still knows how many there were.
    assert counts_line(log.model_copy(update={"samples": None})) == (
        "mockllm/model: requested 4 · scored 1 · unscored 2 · errored 1"
    )
    # An errored sample that was scored all the same is counted once.
    for sample in log.samples:
        if sample.error is not None:
            sample.scores = {"search_answer": Score.unscored(reason="not_translated")}
    assert counts_line(log) == line
    # And so is a sample that two scorers could not score.
    for sample in log.samples:
        sample.scores["again"] = sample.scores["search_answer"]
    assert counts_line(log) == line


def test_where_nothing_was_scored_accuracy_is_not_a_number(tmp_path):
    replies = {"future?": [build({"after": 3000}), decline()]}
    log = run(by_question(replies), cases=books(tmp_path, BLIND), epochs=2)
    found = shown(log)
    assert list(found) == ["accuracy"]
    assert math.isnan(found["accuracy"])
    assert log.results.headline.metric == "accuracy"
    assert counts_line(log) == (
        "mockllm/model: requested 2 · scored 0 · unscored 2 (blind_case 2) · errored 0"
    )


def test_a_run_without_results_is_said_to_have_none(tmp_path):
    replies = {"new?": [reply(call("build_query", {"after": 1900}))]}
    log = run(by_question(replies), cases=books(tmp_path, RIGHT))
    ended = log.model_copy(update={"results": None, "status": "cancelled"})
    assert counts_line(ended) == "mockllm/model: no results, since the run ended as: cancelled"


def test_only_search_runs_are_summed_up(tmp_path, capsys):
    log = run(by_question({"new?": [decline()]}), cases=books(tmp_path, RIGHT))
    other = log.model_copy(deep=True)
    other.eval.metadata = None
    capsys.readouterr()

    async def ended():
        logs = [other, log]
        await RunSummary().on_run_end(RunEnd(None, "r", None, logs))

    anyio.run(ended)
    assert capsys.readouterr().err == (
        "\nmockllm/model: requested 1 · scored 1 · unscored 0 · errored 0\n"
    )
