"""The two tools a model is offered, and reading the call it makes."""

from typing import Any

from inspect_ai.tool import ToolCall, ToolInfo

from creel_inspect.search.engine import Query
from creel_inspect.toolcall import (
    MOST_DEPTH,
    BadCall,
    RawToolParams,
    decoded,
    problem_of,
    schema_digest,
)

BUILD_QUERY = "build_query"
CANNOT_ANSWER = "cannot_answer"
WRAPPER = "query"
"""The key that a model may wrap a whole query in."""


def tools(query_schema: dict[str, Any]) -> list[ToolInfo]:
    """``build_query`` and ``cannot_answer``, as they are offered to a model."""
    return [
        ToolInfo(
            name=BUILD_QUERY,
            description=(
                "Answer the question with one search query. The arguments are the query itself: "
                "its keys stand at the top level, not inside another key. "
                f"(grammar {schema_digest(query_schema)})"
            ),
            parameters=RawToolParams.of(query_schema, stray=WRAPPER),
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
                },
                stray=WRAPPER,  # prose sent here must not come back as a reason: it is no refusal
            ),
        ),
    ]


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
    problem = problem_of(call.arguments)
    if problem:
        raise BadCall(problem)
    value = _decoded(call.arguments, 0)
    problem = problem_of(value)  # what a string held may be as bad
    if problem:
        raise BadCall(problem)
    if isinstance(value, dict) and set(value) == {WRAPPER} and isinstance(value[WRAPPER], dict):
        value = value[WRAPPER]
    if not isinstance(value, dict):
        raise BadCall(f"expected the query as a JSON object, found {type(value).__name__}")
    return value


def _decoded(value: Any, depth: int) -> Any:
    if depth > MOST_DEPTH:
        raise BadCall(f"the arguments are nested deeper than {MOST_DEPTH} levels")
    if isinstance(value, dict):
        return {key: _decoded(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_decoded(item, depth + 1) for item in value]
    if isinstance(value, str):
        inner = decoded(value)
        return value if inner is value else _decoded(inner, depth + 1)
    return value
