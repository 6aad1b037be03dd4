"""What both tasks' tools share: calls kept within bounds, and JSON in a string."""

import json

import pytest
from inspect_ai.model import ChatMessageAssistant
from inspect_ai.tool import ToolCall

from creel_inspect.toolcall import RawToolParams, bound_calls, decoded, problem_of


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1]}', {"a": [1]}),
        ('  [{"a": 1}]\n', [{"a": 1}]),
        ('["a"]', ["a"]),
        ("[]", []),
        ('{"a": 1}}]', {"a": 1}),
    ],
)
def test_an_object_or_list_in_a_string_is_decoded(text, value):
    assert decoded(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a text",
        "[1, 2]",
        "[#6]",
        '{"a": 1',
        '{"a": 1} and more',
        # A number of more digits than Python reads is a ValueError of another kind.
        '{"a": ' + "1" * 5_000 + "}",
        "[{" * 100_000,
        '[{"a":' * 100_000,
    ],
)
def test_everything_else_stays_the_string_it_is(text):
    assert decoded(text) is text


def test_the_bounds_on_arguments_are_the_callers():
    assert problem_of({"a": "x" * 50}, 100) is None
    assert problem_of({"a": "x" * 150}, 100) == "the arguments are longer than 100 characters"
    assert problem_of([[]] * 150, 100) == "the arguments are longer than 100 characters"
    message = ChatMessageAssistant(
        content="", tool_calls=[ToolCall(id="1", function="f", arguments={"a": "x" * 150})]
    )
    bound_calls(message, 200)
    assert message.tool_calls[0].parse_error is None
    bound_calls(message, 100)
    assert message.tool_calls[0].parse_error == "the arguments are longer than 100 characters"
    assert len(json.dumps(message.tool_calls[0].arguments)) < 100


def test_a_parse_error_that_quotes_half_a_character_can_be_logged():
    made = ToolCall(id="1", function="f", arguments={}, parse_error="half \ud800" + "x" * 20_000)
    message = ChatMessageAssistant(content="", tool_calls=[made])
    bound_calls(message)
    assert message.tool_calls[0].parse_error.startswith("half \\ud800")
    assert len(message.tool_calls[0].parse_error) == 10_000


def test_parameters_reach_a_provider_raw_and_a_log_by_their_keys():
    schema = {
        "type": "object",
        "properties": {"a": {"anyOf": [{"const": 1}, {"$ref": "#/$defs/b"}], "description": "A."}},
        "$defs": {"b": {"type": "string"}},
        "required": ["a"],
    }
    params = RawToolParams.of(schema, stray="whole")
    assert params.model_dump() == schema
    assert params.model_dump(mode="json") == {
        "type": "object",
        "properties": {"a": {"description": "A."}},
        "required": ["a"],
    }
    # What is no object comes back under the first name, which is none of the tool's own.
    assert next(iter(params.properties)) == "whole"
