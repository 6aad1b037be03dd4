"""Other people's judgements as verifiers."""

import asyncio
import importlib.util

import pytest
from inspect_ai.scorer import Score, Target, accuracy, includes, match, scorer

from creel_inspect import from_deepeval, from_scorer
from creel_inspect.verify import Context, VerifierConfigError, VerifierError, build_verifier


def asked(verifier, actual, expected, **context):
    return asyncio.run(verifier.averify(actual, expected, context=Context(**context)))


@scorer(metrics=[accuracy()])
def says(value, **more):
    """A scorer that always says the same, and shows what it was given."""

    async def score(state, target):
        told = f"{state.input_text}|{state.output.completion}|{list(target)}"
        return Score(value=value, explanation=told, **more)

    return score


def test_inspects_own_scorers_decide():
    assert asked(from_scorer(includes()), "the answer is blue", "blue").passed
    verdict = asked(from_scorer(includes()), "the answer is red", "blue")
    assert (verdict.passed, verdict.score) == (False, 0)
    assert asked(from_scorer(match(numeric=True)), "It is 3,000", "3000").passed


def test_the_scorer_gets_the_answer_the_target_and_the_question():
    verdict = asked(from_scorer(says(1)), {"a": 1}, ["x", "y"], description="why?")
    assert verdict.reason == "why?|{\"a\": 1}|['x', 'y']"


@pytest.mark.parametrize(
    ("value", "score", "passed"),
    [("C", 1, True), ("I", 0, False), ("P", 0.5, True), (0.5, 0.5, True), (0.4, 0.4, False),
     (True, 1, True), ({"a": 0.75}, 0.75, True)],
)  # fmt: skip
def test_grades_and_numbers_become_scores(value, score, passed):
    verdict = asked(from_scorer(says(value), threshold=0.5, key="a"), "x", "y")
    assert (verdict.score, verdict.passed) == (score, passed)


@pytest.mark.parametrize(
    "value", [float("nan"), 5, -1, "A", "NOT_ATTEMPTED", {"b": 1}, [1, 0], float("inf"), "0.7x"]
)
def test_what_is_no_grade_is_not_measured_and_never_right_or_wrong(value):
    with pytest.raises(VerifierError) as caught:
        asked(from_scorer(says(value), key="a"), "x", "y")
    assert caught.value.code == "backend_failed"


@pytest.mark.parametrize("threshold", [0, 1.1, True, "0.5", float("nan")])
def test_a_threshold_is_a_share(threshold):
    with pytest.raises(VerifierConfigError):
        from_scorer(says(1), threshold=threshold)


def test_a_scorer_backs_a_part_of_a_composite_and_has_to_be_awaited():
    both = build_verifier("composite", parts={"same": "exact", "in": from_scorer(includes())})
    assert both.asks
    assert asked(both, "blue", "blue").passed
    assert not asked(both, "so blue", "blue").passed
    with pytest.raises(VerifierError, match="averify"):
        both.verify("blue", "blue")


def test_without_deepeval_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(VerifierConfigError, match=r"pip install 'creel-inspect\[deepeval\]'"):
        from_deepeval(object())


def test_a_scorer_that_raises_or_says_nothing_ends_no_run():
    @scorer(metrics=[accuracy()])
    def raises():
        async def score(state, target):
            raise RuntimeError("out of memory")

        return score

    with pytest.raises(VerifierError, match="out of memory") as caught:
        asked(from_scorer(raises()), "x", "y")
    assert caught.value.code == "backend_failed"

    @scorer(metrics=[accuracy()])
    def blank():
        async def score(state, target):
            return Score(value=1, explanation="  ")

        return score

    assert asked(from_scorer(blank()), "x", "y").reason == "the scorer says 1"


def test_in_an_eval_the_scorer_gets_the_samples_question():
    verdict = asked(from_scorer(says(1)), "a", "b", sources={"question": "why?"})
    assert verdict.reason == "why?|a|['b']"


def test_one_that_asks_the_grader_needs_it_like_a_rubric():
    assert from_scorer(includes(), asks_grader=True).needs_judge
    assert not from_scorer(includes()).needs_judge


def test_a_target_object_is_what_the_scorer_expects():
    seen = []

    @scorer(metrics=[accuracy()])
    def looks():
        async def score(state, target):
            seen.append((type(target), target.text))
            return Score(value="C")

        return score

    asked(from_scorer(looks()), "x", None)
    asked(from_scorer(looks()), "x", 3)
    assert seen == [(Target, ""), (Target, "3")]
