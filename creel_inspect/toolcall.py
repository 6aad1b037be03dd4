"""Tools whose schema reaches a provider as it was written, and reading the calls that come back.

Inspect's tool parameters drop what a recursive JSON schema is made of (``$defs``, ``$ref``,
``oneOf``, ``const``): what needs them would reach the model as an empty object. The parameters
here serialize to the raw schema instead; Inspect's log shows their top-level keys.
"""

import hashlib
import json
import math
import re
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    ChatMessageUser,
    ContentReasoning,
    ContentText,
    ModelOutput,
)
from inspect_ai.tool import ToolCall, ToolCallError, ToolParam, ToolParams
from pydantic import PrivateAttr, SerializationInfo, model_serializer

MOST_DEPTH = 100
MOST_CHARACTERS = 200_000
_MOST_NAME = 200
_MOST_ERROR = 10_000
_MOST_BITS = 1024
_ENCODED = re.compile(r"\s{0,100}(\{|\[\s{0,100}[{\"\]])")


class BadCall(ValueError):
    """A tool call that cannot be read as what the tool takes; the message is for the model."""


class RawToolParams(ToolParams):
    """Tool parameters whose JSON schema goes to the provider exactly as it was given."""

    _schema: dict[str, Any] = PrivateAttr(default_factory=dict)
    _stray: str = PrivateAttr(default="")

    @classmethod
    def of(cls, schema: dict[str, Any], *, stray: str) -> "RawToolParams":
        """Parameters for a JSON schema of type object.

        Args:
            schema: The schema, which is not copied and must not change.
            stray: The key under which arguments that are no object are to be found; no property
                of the schema.
        """
        # OpenAI-like providers put arguments that are no object under the first parameter's name:
        # prose would come back as that parameter's value. So the first is one that the tool does
        # not have, and a whole object in a string is found under it.
        stubs = {stray: ToolParam()} | {
            name: ToolParam(description=part.get("description"))
            for name, part in schema.get("properties", {}).items()
        }
        params = cls(properties=stubs, required=list(schema.get("required", [])))
        params._schema = schema
        params._stray = stray
        return params

    def __deepcopy__(self, memo: Any = None) -> "RawToolParams":
        # Inspect copies the tools before each request; the schema is large, and never changes.
        return self

    @model_serializer
    def _raw(self, info: SerializationInfo) -> dict[str, Any]:
        # Providers take Python objects, and logs JSON. A log gets the top-level keys alone: the
        # whole grammar beside each request would be most of the log, and most of its time.
        if info.mode_is_json():
            return {
                "type": "object",
                "properties": {
                    name: {"description": part.description} if part.description else {}
                    for name, part in self.properties.items()
                    if name != self._stray
                },
                "required": self.required,
            }
        return deepcopy(self._schema)  # some providers drop keys from what they are given


def schema_digest(schema: dict[str, Any]) -> str:
    """Twelve hex digits for a tool's description.

    Inspect's response cache does not see the raw schema. With its digest in the description, a
    reply to an older grammar is never taken for a reply to this one.
    """
    return hashlib.sha256(json.dumps(schema, sort_keys=True).encode()).hexdigest()[:12]


def calls_of(output: ModelOutput) -> list[ToolCall]:
    """The tool calls of a reply, none where there is no message."""
    return (output.message.tool_calls or []) if output.choices else []


def shown_call(call: ToolCall) -> dict[str, Any]:
    """A call as it is kept in the record of attempts."""
    shown: dict[str, Any] = {"tool": call.function, "arguments": call.arguments}
    if call.parse_error:
        shown["parse_error"] = call.parse_error
    return shown


def bound_calls(message: ChatMessageAssistant, most: int = MOST_CHARACTERS) -> None:
    """Replaces, in place, what no log could hold: done before anything keeps the message.

    Arguments nested without end, a million items, or half a character from a broken encoding would
    break the writing of the log, and with it every other sample's. What is replaced is marked as
    unparsable, so that it is malformed and nothing else.

    Args:
        message: A model's reply.
        most: The characters and items that arguments may hold.
    """
    if isinstance(message.content, str):
        message.content = writable(message.content)
    else:
        for part in message.content:
            if isinstance(part, ContentText):
                part.text = writable(part.text)
            elif isinstance(part, ContentReasoning):
                part.reasoning = writable(part.reasoning)
    for call in message.tool_calls or []:
        call.function = writable(call.function)[:_MOST_NAME]
        call.id = writable(call.id)[:_MOST_NAME]
        if call.parse_error:
            call.parse_error = writable(call.parse_error)[:_MOST_ERROR]
        problem = problem_of(call.arguments, most)
        if problem:
            call.arguments = {"unreadable": problem}
            call.parse_error = problem


def writable(text: str) -> str:
    """The text, with halves of surrogate pairs, which no log can hold, written as escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def problem_of(arguments: Any, most: int = MOST_CHARACTERS) -> str | None:
    """Why arguments cannot be kept, walking them without recursion; None where they can."""
    waiting: list[tuple[Any, int]] = [(arguments, 0)]
    characters = 0
    while waiting:
        value, depth = waiting.pop()
        if depth > MOST_DEPTH:
            return f"the arguments are nested deeper than {MOST_DEPTH} levels"
        if isinstance(value, dict | list | tuple) and len(value) > most:
            characters += len(value)  # too long by its items alone: none is looked at
        elif isinstance(value, dict):
            waiting.extend((part, depth + 1) for item in value.items() for part in item)
        elif isinstance(value, list | tuple):
            waiting.extend((part, depth + 1) for part in value)
        elif isinstance(value, str):
            characters += len(value)
            if writable(value) != value:
                return "the arguments hold half a character, which is no text"
        elif isinstance(value, float) and not math.isfinite(value):
            return f"{value} is not a JSON number"
        elif isinstance(value, int) and value.bit_length() > _MOST_BITS:
            return "the arguments hold a number of hundreds of digits"
        characters += 1
        if characters + len(waiting) > most:
            return f"the arguments are longer than {most} characters"
    return None


def decoded(text: str) -> Any:
    """The object or list that a string of JSON holds, or the string itself where it holds none.

    Models often send a nested part as a string of JSON, sometimes with a closing brace too many.
    A string is read as JSON only where it opens an object, or a list of objects or strings.
    """
    if not _ENCODED.match(text):
        return text
    stripped = text.strip()
    try:
        value, end = json.JSONDecoder().raw_decode(stripped)
    except (ValueError, RecursionError):  # a ValueError, too, for numbers of thousands of digits
        return text
    # Closing brackets after a complete value add nothing to what it says.
    return text if stripped[end:].strip(" \t\r\n}]") else value


def handed_back(calls: Sequence[ToolCall], rejection: str) -> list[ChatMessage]:
    """The messages that hand a turn back: an error under each call, or a reminder without any.

    Args:
        calls: The turn's.
        rejection: What is wrong, as a sentence.
    """
    if not calls:
        return [ChatMessageUser(content=rejection)]
    return [
        ChatMessageTool(
            content=rejection,
            tool_call_id=call.id,
            function=call.function,
            error=ToolCallError("parsing", rejection),
        )
        for call in calls
    ]
