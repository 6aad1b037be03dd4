"""Where a value stands in a sample."""

import json

import pytest
from inspect_ai.model import ModelName, ModelOutput
from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState

from creel_inspect.scoring.places import (
    ACTUAL,
    EXPECTED,
    NotThere,
    Place,
    actual_in,
    expected_in,
)
from creel_inspect.verify import VerifierConfigError

ANSWER = {"budget": {"amount": 3, "years": [2024, 2025]}, "none": None, "a.b": 1}


def state(completion="", stop="stop", metadata=None):
    return TaskState(
        model=ModelName("mockllm/model"),
        sample_id=1,
        epoch=1,
        input="q",
        messages=[],
        output=ModelOutput.from_content("mockllm/model", completion, stop_reason=stop),
        metadata=metadata or {},
    )


def actual(place, completion, **more):
    return actual_in(state(completion, **more), Place.of(place, ACTUAL))


def expected(place, targets, **more):
    return expected_in(state(**more), Target(targets), Place.of(place, EXPECTED))


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("$", ANSWER),
        ("$.budget.amount", 3),
        ("completion$.budget.amount", 3),
        ("$.budget.years[1]", 2025),
        ("$.budget.years", [2024, 2025]),
        ("$.budget.years[*]", [2024, 2025]),
        ("$.budget.years[0:1]", [2024]),
        ("$..amount", [3]),
        ("$.nothing[*]", []),
        ("$.none", None),
        ("$['a.b']", 1),
    ],
)
def test_a_json_path_leads_into_the_answer(place, value):
    assert actual(place, json.dumps(ANSWER)) == value
    assert actual(place, f"```json\n{json.dumps(ANSWER, indent=1)}\n```\n") == value


def test_the_whole_answer_is_its_text():
    assert actual("completion", ' {"a": 1} ') == ' {"a": 1} '


@pytest.mark.parametrize(
    ("completion", "stop", "code"),
    [
        ("", "stop", "no_response"),
        (" \n", "max_tokens", "no_response"),
        ("", "content_filter", "refusal"),
        ("no JSON", "stop", "invalid_response_format"),
        ("{'a': 1}", "stop", "invalid_response_format"),
        ('Here it is: {"a": 1}', "stop", "invalid_response_format"),
        ('```json\n{"a": 1}\n```\n```json\n{"a": 2}\n```', "stop", "invalid_response_format"),
        ('{"a": 1, "a": 2}', "stop", "invalid_response_format"),
        ("[" * 100_000 + "]" * 100_000, "stop", "invalid_response_format"),
        ("[" * 300 + "]" * 300, "stop", "invalid_response_format"),
        ("9" * 5_000, "stop", "invalid_response_format"),
        ('{"b": 1}', "stop", "nothing_there"),
        ("[1]", "stop", "nothing_there"),
    ],
    ids=lambda value: value[:12] if isinstance(value, str) else None,
)
def test_an_answer_that_cannot_be_read_says_why(completion, stop, code):
    with pytest.raises(NotThere) as caught:
        actual("$.a", completion, stop=stop)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("place", "targets", "values"),
    [
        ("target", "a", ["a"]),
        ("target", ["a", "b"], ["a", "b"]),
        ("target$", '{"x": [1]}', [{"x": [1]}]),
        ("target$.x", ['{"x": 1}', '{"x": 2}'], [1, 2]),
        ("metadata$.gold.x", "", [5]),
    ],
)
def test_what_is_expected_stands_in_the_target_or_the_metadata(place, targets, values):
    assert expected(place, targets, metadata={"gold": {"x": 5}}) == values


@pytest.mark.parametrize(
    ("place", "targets", "code"),
    [
        ("target", "", "expected_missing"),
        ("target$.x", "", "expected_missing"),
        ("target$.x", "{", "expected_invalid"),
        ("target$.x", '{"y": 1}', "nothing_there"),
        ("metadata$.gold", "a", "nothing_there"),
    ],
)
def test_a_gold_that_is_not_there_says_why(place, targets, code):
    with pytest.raises(NotThere) as caught:
        expected(place, targets)
    assert caught.value.code == code


@pytest.mark.parametrize("place", ["", "answer", "target", "$.a[", "metadata", "store$.a", 3, None])
def test_a_place_that_is_none_is_told_at_once(place):
    with pytest.raises(VerifierConfigError):
        Place.of(place, ACTUAL)
