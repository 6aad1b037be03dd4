"""``composite``: several verdicts made one."""

import asyncio
import math

import pytest

from creel_inspect.verify import (
    Context,
    VerifierConfigError,
    VerifierError,
    build_verifier,
    failing,
    passing,
)
from tests.verify.stub_verifiers import Says, no, yes


def unmeasured(**more):
    def said(actual, expected, context):
        raise VerifierError("the judge is away", code="judge_failed")

    return Says(said, **more)


def verdict(parts, mode="all", **config):
    made = build_verifier("composite", parts=parts, mode=mode, **config)
    return asyncio.run(made.averify("a", "b"))


def gate(verifier, **more):
    return {"verifier": verifier, "gate": True, **more}


@pytest.mark.parametrize(
    ("mode", "parts", "passed", "score"),
    [
        ("all", {"x": yes(0.9), "y": yes(0.7)}, True, 0.7),
        ("all", {"x": yes(0.9), "y": no(0.4)}, False, 0.4),
        ("all", {"x": no(0.2), "y": no(0.4)}, False, 0.2),
        ("any", {"x": yes(0.6), "y": no(0.8)}, True, 0.6),
        ("any", {"x": yes(0.6), "y": yes(0.7)}, True, 0.7),
        ("any", {"x": no(0.1), "y": no(0.4)}, False, 0.4),
    ],
)
def test_all_takes_the_least_and_any_the_best(mode, parts, passed, score):
    found = verdict(parts, mode)
    assert (found.passed, found.score) == (passed, score)


@pytest.mark.parametrize(
    ("mode", "parts", "passed", "score"),
    [
        ("all", {"x": no(0.4), "?": unmeasured()}, False, 0.0),
        ("all", {"x": yes(), "?": unmeasured()}, None, None),
        ("any", {"x": yes(0.8), "?": unmeasured()}, True, 0.8),
        ("any", {"x": no(), "?": unmeasured()}, None, None),
        ("weighted", {"x": no(), "?": unmeasured()}, None, None),
        ("weighted", {"x": yes(), "?": unmeasured()}, None, None),
        ("all", {"x": no(0.4), "?": gate(unmeasured())}, False, 0.0),
        ("all", {"x": yes(), "?": gate(unmeasured())}, None, None),
        ("any", {"x": no(0.4), "?": gate(unmeasured())}, False, 0.0),
        ("any", {"x": yes(), "?": gate(unmeasured())}, None, None),
        ("any", {"x": unmeasured(), "g": gate(yes())}, None, None),
        ("cascade", {"x": yes(), "?": gate(unmeasured())}, None, None),
        ("cascade", {"x": no(0.4), "?": gate(unmeasured())}, False, 0.0),
        ("weighted", {"?": unmeasured(), "g": gate(no())}, False, 0.0),
    ],
)
def test_what_was_not_measured_counts_only_where_it_could_change_the_verdict(
    mode, parts, passed, score
):
    if passed is None:
        with pytest.raises(VerifierError) as caught:
            verdict(parts, mode)
        assert caught.value.code == "part_not_measured"
        assert "not measured (judge_failed): the judge is away" in str(caught.value)
        return
    found = verdict(parts, mode)
    assert (found.passed, found.score) == (passed, score)
    [open_] = [one for one in found.details["parts"].values() if not one["measured"]]
    assert open_["code"] == "judge_failed"
    assert open_["reason"] == "the judge is away"


def test_the_mean_is_weighted():
    # (3 * 0.9 + 1 * 0.5) / 4 = 0.8
    parts = {"x": {"verifier": yes(0.9), "weight": 3}, "y": no(0.5)}
    found = verdict(parts, "weighted", threshold=0.75)
    assert found.passed
    assert found.score == pytest.approx(0.8)
    assert found.reason == "weighted mean 0.8, at least 0.75; failed: y: said no"
    assert not verdict(parts, "weighted", threshold=0.85).passed


def test_without_a_threshold_the_mean_must_be_1():
    assert verdict({"x": yes(), "y": yes()}, "weighted").passed
    assert not verdict({"x": yes(), "y": no(0.99)}, "weighted").passed


def test_ones_have_a_mean_of_1_whatever_the_weights():
    parts = {str(n): {"verifier": yes(), "weight": n / 10} for n in range(1, 12)}
    assert verdict(parts, "weighted").score == 1


@pytest.mark.parametrize("mode", ["all", "any", "weighted", "cascade"])
def test_a_failed_gate_fails_the_whole_whatever_the_weights(mode):
    more = {"threshold": 0.5} if mode == "weighted" else {}
    parts = {"x": {"verifier": yes(), "weight": 99}, "g": gate(no(0.9))}
    found = verdict(parts, mode, **more)
    assert (found.passed, found.score) == (False, 0.0)
    assert found.reason == "a gate failed: g: said no"


@pytest.mark.parametrize("mode", ["all", "any", "weighted", "cascade"])
def test_a_gate_that_passes_does_not_make_the_rest_pass(mode):
    assert not verdict({"g": gate(yes()), "x": no()}, mode).passed
    assert verdict({"g": gate(yes()), "x": yes()}, mode).passed


def test_a_gate_counts_in_the_mean_with_its_weight():
    # (3 * 1 + 1 * 0.2) / 4 = 0.8
    parts = {"g": gate(yes(), weight=3), "x": no(0.2)}
    assert verdict(parts, "weighted", threshold=0.5).score == pytest.approx(0.8)


def test_no_model_is_asked_once_a_gate_has_failed_and_the_rest_is():
    judge, plain = yes(asks=True), yes()
    found = verdict({"judge": judge, "plain": plain, "g": gate(no())})
    assert (len(judge.calls), len(plain.calls)) == (0, 1)
    assert found.details["parts"]["judge"]["code"] == "skipped"
    assert found.details["parts"]["judge"]["measured"] is False
    assert "not needed" not in found.reason


def test_every_part_is_asked_so_that_the_reason_is_complete():
    parts = {"x": no(), "y": no(), "z": yes()}
    assert verdict(parts).reason == "x: said no; y: said no"
    assert all(len(part.calls) == 1 for part in parts.values())


def test_each_part_is_told_in_the_details():
    found = verdict({"x": yes(0.9), "y": gate(yes(), weight=2)})
    assert found.details["parts"]["y"] == {
        "kind": "says",
        "weight": 2.0,
        "gate": True,
        "measured": True,
        "score": 1.0,
        "passed": True,
        "reason": "said yes",
    }


# Cascades


def test_a_cascade_stops_at_the_first_pass():
    first, second, third = no(), yes(0.9), yes()
    found = verdict({"x": first, "y": second, "z": third}, "cascade")
    assert (found.passed, found.score) == (True, 0.9)
    assert found.details["decided_by"] == "y"
    assert list(found.details["parts"]) == ["x", "y"]
    assert not third.calls


def test_a_failure_decides_nothing_before_the_last_part():
    assert verdict({"x": no(0.9), "y": no(0.3)}, "cascade").score == 0.3
    assert verdict({"x": no(0.9), "y": no(0.3)}, "cascade").details["decided_by"] == "y"


def test_a_part_may_decide_by_failing():
    parts = {"x": {"verifier": no(0.2), "decides": "fail"}, "y": yes()}
    found = verdict(parts, "cascade")
    assert (found.passed, found.score) == (False, 0.2)
    parts = {"x": {"verifier": yes(), "decides": "fail"}, "y": no(0.1)}
    assert verdict(parts, "cascade").details["decided_by"] == "y"
    parts = {"x": {"verifier": no(0.2), "decides": "both"}, "y": yes()}
    assert verdict(parts, "cascade").score == 0.2


def test_a_model_is_asked_last_wherever_it_stands():
    judge, plain = yes(asks=True), yes()
    found = verdict({"judge": judge, "plain": plain}, "cascade")
    assert found.details["decided_by"] == "plain"
    assert not judge.calls


def test_a_part_that_could_not_measure_hands_on():
    found = verdict({"?": unmeasured(), "y": yes()}, "cascade")
    assert found.passed
    assert found.details["parts"]["?"]["code"] == "judge_failed"


@pytest.mark.parametrize("decides", ["pass", "both", None])
@pytest.mark.parametrize("later", [{"y": no()}, {"x": no(), "y": no()}, {"y": no(0.9, asks=True)}])
def test_a_fail_that_an_unmeasured_step_could_have_prevented_is_not_measured(decides, later):
    steps = {"?": {"verifier": unmeasured(), "decides": decides}, **later}
    with pytest.raises(VerifierError, match=r"\?: not measured \(judge_failed\)") as caught:
        verdict(steps, "cascade")
    assert caught.value.code == "part_not_measured"
    earlier = {"x": no(), "?": unmeasured(), "y": no()}
    with pytest.raises(VerifierError, match="judge_failed"):
        verdict(earlier, "cascade")


def test_a_verdict_that_an_unmeasured_step_could_not_have_changed_stands():
    veto = {"verifier": unmeasured(), "decides": "fail"}
    assert not verdict({"?": veto, "y": no()}, "cascade").passed
    assert verdict({"x": yes(), "?": veto, "y": yes()}, "cascade").passed
    assert verdict({"?": unmeasured(), "x": yes(), "y": no()}, "cascade").passed
    assert not verdict({"?": unmeasured(), "y": no(), "g": gate(no())}, "cascade").passed
    with pytest.raises(VerifierError, match="judge_failed"):
        verdict({"?": veto, "y": yes()}, "cascade")


def test_a_cascade_whose_last_part_could_not_measure_is_not_measured():
    with pytest.raises(VerifierError, match="judge_failed") as caught:
        verdict({"x": no(), "?": unmeasured()}, "cascade")
    assert caught.value.code == "part_not_measured"


def test_a_failed_gate_ends_a_cascade_before_it_begins():
    step = yes()
    assert not verdict({"x": step, "g": gate(no())}, "cascade").passed
    assert not step.calls


# One field


def fields(actual, expected, **part):
    made = build_verifier("composite", parts={"p": {"verifier": "exact", "field": "n", **part}})
    return made.verify(actual, expected)


def test_a_part_may_compare_one_field():
    assert fields({"n": 1, "other": 2}, {"n": 1}).passed
    assert not fields({"n": 2}, {"n": 1}).passed


@pytest.mark.parametrize("actual", [{}, {"N": 1}, None, "n", [1], math.nan])
def test_a_candidate_without_the_field_fails(actual):
    found = fields(actual, {"n": None})
    assert (found.passed, found.score) == (False, 0.0)


@pytest.mark.parametrize("expected", [{}, "n", [1]])
def test_an_expected_value_without_the_field_is_not_measured(expected):
    with pytest.raises(VerifierError, match="expected_invalid"):
        fields({"n": 1}, expected)


def test_a_part_that_needs_no_expected_value_gets_none():
    seen = Says(lambda actual, expected, context: passing(f"{actual} {expected}"))
    seen.needs_expected = False
    assert fields({"n": 1}, None, verifier=seen).passed
    assert seen.calls == [(1, None)]
    assert not fields({}, None, verifier=seen).passed
    assert build_verifier("llm_rubric", criterion="It is so.").needs_expected is False


@pytest.mark.parametrize(
    "part",
    ["exact", "normalized", {"kind": "composite", "parts": {"x": "exact"}, "mode": "any"}],
)
@pytest.mark.parametrize("actual", [{"n": None}, {"n": ""}, {"n": 1}, {}, None])
def test_where_nothing_is_expected_a_field_is_compared_with_nothing(part, actual):
    with pytest.raises(VerifierError, match=r"expected_invalid.*nothing is expected") as caught:
        fields(actual, None, verifier=part)
    assert caught.value.code == "part_not_measured"
    # An expected null is something.
    assert fields({"n": None}, {"n": None}).passed


# As a verifier


def test_a_composite_asks_if_a_part_does():
    made = build_verifier("composite", parts={"x": yes(), "y": yes(asks=True)}, mode="cascade")
    assert made.asks
    with pytest.raises(VerifierError) as caught:
        made.verify("a", "a")
    assert caught.value.code == "must_be_awaited"
    assert not build_verifier("composite", parts={"x": yes()}).asks


def test_composites_nest():
    inner = {"kind": "composite", "parts": {"x": "exact", "y": no()}, "mode": "any"}
    made = build_verifier("composite", parts={"inner": inner, "z": "exact"})
    assert made.verify("a", "a").passed
    assert not made.verify("a", "b").passed


def test_the_context_reaches_every_part():
    seen = []
    part = Says(lambda a, e, context: seen.append(context.unit) or passing("said"))
    build_verifier("composite", parts={"x": part}).verify(1, 1, context=Context(unit="kg"))
    assert seen == ["kg"]


def test_a_long_reason_of_a_part_is_cut_in_the_whole():
    part = Says(failing("word " * 10_000))
    assert len(verdict({str(n): part for n in range(40)}).reason) < 1500


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"parts": {}}, "at least one part"),
        ({"parts": ["exact"]}, "a mapping"),
        ({"parts": "exact"}, "a mapping"),
        ({"parts": {"x": "no_such_kind"}}, r"parts\.x\.verifier"),
        ({"parts": {"x": 3}}, r"parts\.x\.verifier"),
        ({"parts": {"x": {"kind": "exact", "fuzzy": 1}}}, "fuzzy"),
        ({"parts": {"x": {"verifier": "exact", "fuzzy": 1}}}, "fuzzy"),
        ({"parts": {"x": {"verifier": "exact", "weight": 0}}}, "weight"),
        ({"parts": {"x": {"verifier": "exact", "weight": -1}}}, "weight"),
        ({"parts": {"x": {"verifier": "exact", "weight": math.inf}}}, "weight"),
        ({"parts": {"x": {"verifier": "exact", "weight": math.nan}}}, "weight"),
        ({"parts": {"x": {"verifier": "exact", "weight": True}}}, "weight"),
        ({"parts": {"x": {"verifier": "exact", "weight": "2"}}}, "weight"),
        ({"parts": {"x": {"verifier": "exact", "gate": "yes"}}}, "gate"),
        ({"parts": {"x": {"verifier": "exact", "gate": True}}, "mode": "any"}, "no gate"),
        ({"parts": {"x": {"verifier": "exact", "gate": True}}, "mode": "cascade"}, "no gate"),
        ({"parts": {"x": {"verifier": "exact", "decides": "pass"}}}, "steps of a cascade"),
        (
            {"parts": {"x": {"verifier": "exact", "decides": "pass"}}, "mode": "cascade"},
            "decides both ways",
        ),
        ({"parts": {"x": "exact"}, "threshold": 0.5}, "threshold"),
        ({"parts": {"x": "exact"}, "mode": "weighted", "threshold": 0}, "threshold"),
        ({"parts": {"x": "exact"}, "mode": "most"}, "mode"),
        ({}, "parts"),
    ],
)
def test_a_configuration_that_does_not_fit_is_refused(config, told):
    with pytest.raises(VerifierConfigError, match=told):
        build_verifier("composite", **config)
