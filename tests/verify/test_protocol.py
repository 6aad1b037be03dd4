"""Verdicts, errors and what every verifier does before it compares."""

import copy
import json
import pickle
from decimal import Decimal
from typing import ClassVar

import pytest
from pydantic import ValidationError

from creel_inspect.verify import (
    Code,
    Context,
    Graph,
    VerdictScore,
    Verifier,
    VerifierConfigError,
    VerifierError,
    failing,
    passing,
)
from creel_inspect.verify.plain import MOST_LEVELS


class Seen(Verifier):
    """Passes whatever reaches it, and remembers it."""

    kind = "seen"
    seen: ClassVar[list] = []

    def compare(self, actual, expected, context):
        self.seen.append((actual, expected, context))
        return passing("reached")

    @classmethod
    def self_test(cls):
        return ()


class Asks(Seen):
    @property
    def asks(self):
        return True


def nested(levels):
    value = []
    for _ in range(levels):
        value = [value]
    return value


def cyclic():
    value = {"a": []}
    value["a"].append(value)
    return value


# --- verdicts


@pytest.mark.parametrize("score", [float("nan"), -0.001, 1.001, float("inf"), "1", True, None])
def test_a_score_that_is_no_share_is_refused_and_never_clamped(score):
    with pytest.raises(ValueError, match="a score is"):
        VerdictScore(score=score, passed=True, reason="r")


@pytest.mark.parametrize("reason", ["", "  \n"])
def test_a_verdict_says_why(reason):
    with pytest.raises(ValueError, match="empty"):
        VerdictScore(score=1, passed=True, reason=reason)


@pytest.mark.parametrize("passed", [1, "true", None])
def test_passed_is_a_truth_value(passed):
    with pytest.raises(ValidationError):
        VerdictScore(score=1, passed=passed, reason="r")


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("-inf"), {1: 2}, {1, 2}, object(), Decimal(1), nested(60), 10**5000],
    ids=lambda value: type(value).__name__,
)
def test_details_that_no_log_can_hold_are_refused(value):
    with pytest.raises(ValueError, match="details"):
        VerdictScore(score=1, passed=True, reason="r", details={"a": value})


def test_half_a_character_is_written_as_an_escape():
    verdict = failing("came \ud800", deep=[{"\udfff": "\ud800x"}])
    assert verdict.reason == "came \\ud800"
    assert verdict.details == {"deep": [{"\\udfff": "\\ud800x"}]}
    assert json.loads(verdict.model_dump_json())["reason"] == "came \\ud800"


def test_a_verdict_cannot_be_changed():
    with pytest.raises(ValidationError, match="frozen"):
        passing("r").score = 0.5
    given = {"a": [1]}
    verdict = VerdictScore(score=1, passed=True, reason="r", details=given)
    given["a"].append(2)
    assert verdict.details == {"a": [1]}


def test_an_error_keeps_its_code_wherever_it_goes():
    for error in (VerifierError("m", code=Code.NO_JUDGE), VerifierConfigError("m")):
        for other in (copy.copy(error), pickle.loads(pickle.dumps(error))):
            assert (type(other), str(other), other.code) == (type(error), "m", error.code)
    assert isinstance(VerifierConfigError("m"), ValueError)
    assert VerifierConfigError("m").code == "bad_config"


# --- what reaches a verifier


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (cyclic(), "contains itself"),
        (nested(MOST_LEVELS + 1), "levels deep"),
        (10**5000, "thousands of digits"),
        (Decimal("1e999999"), "thousands of digits"),
    ],
    ids=["cycle", "deep", "integer", "decimal"],
)
def test_a_broken_candidate_fails_and_a_broken_gold_measures_nothing(value, why):
    verdict = Seen().verify(value, 1)
    assert (verdict.passed, verdict.score) == (False, 0)
    assert why in verdict.reason
    with pytest.raises(VerifierError, match=why) as caught:
        Seen().verify(1, value)
    assert caught.value.code == "expected_invalid"
    with pytest.raises(VerifierError):
        Seen().verify(value, value)


@pytest.mark.parametrize("value", [object(), b"bytes", {1: 2}, [len], 1j, {"a": {("x",): 1}}])
def test_what_is_no_data_is_the_callers_mistake_on_either_side(value):
    for sides in ((value, 1), (1, value)):
        with pytest.raises(VerifierError) as caught:
            Seen().verify(*sides)
        assert caught.value.code == "not_a_value"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [float("nan")], Decimal("NaN")])
def test_a_gold_that_is_no_number_measures_nothing_but_a_candidate_is_compared(value):
    with pytest.raises(VerifierError) as caught:
        Seen().verify(1, value)
    assert caught.value.code == "expected_invalid"
    assert Seen().verify(value, 1).reason == "reached"


def test_a_value_met_twice_is_no_cycle_and_the_deepest_allowed_is_let_in():
    shared = [1]
    assert Seen().verify({"a": shared, "b": [shared, shared]}, shared).passed
    assert Seen().verify(nested(MOST_LEVELS - 1), 1).passed


def test_a_graph_of_the_package_is_read_as_its_json():
    graph = Graph.from_json({"nodes": {"a": {"types": ["t"], "attributes": {}}}, "edges": []})
    Seen().verify(graph, graph)
    assert Seen.seen[-1][0] == Seen.seen[-1][1] == graph.to_json()
    assert Graph.from_json(graph.to_json()) == graph


async def _now(verifier):
    return await verifier.averify(1, 1)


def test_one_that_asks_has_to_be_awaited_and_others_may_be():
    with pytest.raises(VerifierError, match="averify") as caught:
        Asks().verify(1, 1)
    assert caught.value.code == "must_be_awaited"
    for verifier in (Asks(), Seen()):
        running = _now(verifier)
        with pytest.raises(StopIteration) as ended:
            running.send(None)
        assert ended.value.value.passed


def test_a_context_is_empty_and_cannot_be_changed():
    context = Context()
    assert (context.path, context.unit, context.judge, context.embedder) == (None,) * 4
    assert (dict(context.sources), context.seed) == ({}, 0)
    with pytest.raises(AttributeError):
        context.unit = "USD"
