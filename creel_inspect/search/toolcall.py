"""The two tools a model is offered, and reading the call it makes.

Inspect's tool parameters drop what a recursive JSON schema is made of (``$defs``, ``$ref``,
``oneOf``, ``const``), so a query's ``where`` would reach the model as an empty object. The
parameters here serialize to the raw schema instead; Inspect's log shows their top-level keys.
"""

import hashlib
import json
import math
import re
from copy import deepcopy
from typing import Any

from inspect_ai.model import ChatMessageAssistant, ContentReasoning, ContentText
from inspect_ai.tool import ToolCall, ToolInfo, ToolParam, ToolParams
from pydantic import PrivateAttr, SerializationInfo, model_serializer

from creel_inspect.search.engine import Query

BUILD_QUERY = "build_query"
CANNOT_ANSWER = "cannot_answer"
WRAPPER = "query"
"""The key that a model may wrap a whole query in."""

_MOST_DEPTH = 100
_MOST_CHARACTERS = 200_000
_MOST_NAME = 200
_MOST_BITS = 1024
_ENCODED = re.compile(r"\s{0,100}(\{|\[\s{0,100}[{\"\]])")


class BadCall(ValueError):
    """A tool call that is neither a query nor a refusal; the message is for the model."""


class RawToolParams(ToolParams):
    """Tool parameters whose JSON schema goes to the provider exactly as it was given."""

    _schema: dict[str, Any] = PrivateAttr(default_factory=dict)

    @classmethod
    def of(cls, schema: dict[str, Any]) -> "RawToolParams":
        """Parameters for a JSON schema of type object."""
        # OpenAI-like providers put arguments that are no object under the first parameter's name:
        # prose sent to `cannot_answer` would come back as its reason, and count as a refusal. So
        # the first is one that neither tool has, and a whole query in a string is found under it.
        stubs = {WRAPPER: ToolParam()} | {
            name: ToolParam(description=part.get("description"))
            for name, part in schema.get("properties", {}).items()
        }
        params = cls(properties=stubs, required=list(schema.get("required", [])))
        params._schema = schema
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
                    if name != WRAPPER
                },
                "required": self.required,
            }
        return deepcopy(self._schema)  # some providers drop keys from what they are given


def tools(query_schema: dict[str, Any]) -> list[ToolInfo]:
    """``build_query`` and ``cannot_answer``, as they are offered to a model."""
    # Inspect's response cache does not see the raw schema, so the description carries its digest:
    # a reply to an older grammar is then never taken for a reply to this one.
    digest = hashlib.sha256(json.dumps(query_schema, sort_keys=True).encode()).hexdigest()[:12]
    return [
        ToolInfo(
            name=BUILD_QUERY,
            description=(
                "Answer the question with one search query. The arguments are the query itself: "
                f"its keys stand at the top level, not inside another key. (grammar {digest})"
            ),
            parameters=RawToolParams.of(query_schema),
        ),
        ToolInfo(
            name=CANNOT_ANSWER,
            description=(
                "Say that no query of this grammar answers the question. Use it instead of "
                "building a query that means something else."
            ),
            parameters=RawToolParams.of(
                {
                    "type": "object",
                    "properties": {
                        "reason": {
                            "type": "string",
                            "minLength": 1,
                            "description": "What the question asks for that the grammar lacks.",
                        }
                    },
                    "required": ["reason"],
                    "additionalProperties": False,
                }
            ),
        ),
    ]


def bound_calls(message: ChatMessageAssistant) -> None:
    """Replaces, in place, what no log could hold: done before anything keeps the message.

    Arguments nested without end, a million items, or half a character from a broken encoding would
    break the writing of the log, and with it every other sample's. What is replaced is marked as
    unparsable, so that it is malformed and nothing else.
    """
    if isinstance(message.content, str):
        message.content = _writable(message.content)
    else:
        for part in message.content:
            if isinstance(part, ContentText):
                part.text = _writable(part.text)
            elif isinstance(part, ContentReasoning):
                part.reasoning = _writable(part.reasoning)
    for call in message.tool_calls or []:
        call.function = _writable(call.function)[:_MOST_NAME]
        call.id = _writable(call.id)[:_MOST_NAME]
        problem = _problem(call.arguments)
        if problem:
            call.arguments = {"unreadable": problem}
            call.parse_error = problem


def _writable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _problem(arguments: Any) -> str | None:
    """Why arguments cannot be kept, walking them without recursion; None where they can."""
    waiting: list[tuple[Any, int]] = [(arguments, 0)]
    characters = 0
    while waiting:
        value, depth = waiting.pop()
        if depth > _MOST_DEPTH:
            return f"the arguments are nested deeper than {_MOST_DEPTH} levels"
        if isinstance(value, dict):
            waiting.extend((part, depth + 1) for item in value.items() for part in item)
        elif isinstance(value, list | tuple):
            waiting.extend((part, depth + 1) for part in value)
        elif isinstance(value, str):
            characters += len(value)
            if _writable(value) != value:
                return "the arguments hold half a character, which is no text"
        elif isinstance(value, float) and not math.isfinite(value):
            return f"{value} is not a JSON number"
        elif isinstance(value, int) and value.bit_length() > _MOST_BITS:
            return "the arguments hold a number of hundreds of digits"
        characters += 1
        if characters + len(waiting) > _MOST_CHARACTERS:
            return f"the arguments are longer than {_MOST_CHARACTERS} characters"
    return None


def read_refusal(call: ToolCall) -> str:
    """The reason a ``cannot_answer`` call gives.

    Raises:
        BadCall: If it gives none.
    """
    arguments = call.arguments if isinstance(call.arguments, dict) else {}
    reason = arguments.get("reason")
    alone = set(arguments) == {"reason"}
    if call.parse_error or not alone or not isinstance(reason, str) or not reason.strip():
        raise BadCall(
            f"{CANNOT_ANSWER} takes a non-empty `reason`, what the question asks for that the "
            "grammar lacks, and nothing else"
        )
    return reason.strip()


def read_query(call: ToolCall) -> Query:
    """The query a ``build_query`` call holds, with the tolerances a production layer needs.

    A model handed a recursive schema often sends the nested part as a string of JSON, sometimes
    with a closing brace too many, and sometimes wraps the whole in a key of its own; each can
    mean only one thing. Nothing else is mended, and no literal is touched: a string is read as
    JSON only where it opens an object, or a list of objects or strings, which no SMARTS does.

    Raises:
        BadCall: If the arguments are no JSON object, or are too large or too deeply nested.
    """
    if call.parse_error:
        raise BadCall(f"the arguments are not JSON: {call.parse_error}")
    problem = _problem(call.arguments)
    if problem:
        raise BadCall(problem)
    value = _decoded(call.arguments, 0)
    problem = _problem(value)  # what a string held may be as bad
    if problem:
        raise BadCall(problem)
    if isinstance(value, dict) and set(value) == {WRAPPER} and isinstance(value[WRAPPER], dict):
        value = value[WRAPPER]
    if not isinstance(value, dict):
        raise BadCall(f"expected the query as a JSON object, found {type(value).__name__}")
    return value


def _decoded(value: Any, depth: int) -> Any:
    if depth > _MOST_DEPTH:
        raise BadCall(f"the arguments are nested deeper than {_MOST_DEPTH} levels")
    if isinstance(value, dict):
        return {key: _decoded(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_decoded(item, depth + 1) for item in value]
    if isinstance(value, str) and _ENCODED.match(value):
        text = value.strip()
        try:
            decoded, end = json.JSONDecoder().raw_decode(text)
        except (json.JSONDecodeError, RecursionError):
            return value
        # Closing brackets after a complete value add nothing to what it says.
        return _decoded(decoded, depth + 1) if not text[end:].strip(" \t\r\n}]") else value
    return value
