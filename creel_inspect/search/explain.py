"""A sample's score in words: what a person needs to act on, as Markdown for the viewer."""

import json
from typing import Any

from creel_inspect.markdown import block, prose
from creel_inspect.search.cases import Case
from creel_inspect.search.engine import Query
from creel_inspect.search.judging import Judgement

_LINE = 88


def explanation(
    case: Case, judgement: Judgement, query: Query | None, reason: str | None, rejections: list[str]
) -> str:
    """The verdict, what it rests on, why the case is there, and both queries."""
    summary = judgement.summary
    parts = [f"**{prose(summary[:1].upper() + summary[1:])}**"]
    if reason:
        parts.append(f"The model's reason for declining:\n\n{block(reason)}")
    for turn, rejection in enumerate(rejections, start=1):
        parts.append(f"Turn {turn} was rejected:\n\n{block(rejection)}")
    for position in judgement.details.get("weak_near_misses", []):
        near = prose(case.near_misses[position].why)
        parts.append(f"On this corpus the case cannot catch the near-miss: {near}")
    parts.append(f"The case is there to catch: {prose(case.why)}")
    if query is not None:
        parts.append(f"The query:\n\n{block(_json(query), 'json')}")
    if case.reference is not None:
        parts.append(f"The reference:\n\n{block(_json(case.reference), 'json')}")
    return "\n\n".join(parts)


def _json(value: Any, indent: str = "") -> str:
    """JSON in which whatever fits on a line stands on one, as a person would write a query."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= _LINE or not isinstance(value, dict | list) or not value:
        return line
    inner = indent + " "
    if isinstance(value, list):
        parts = [_json(item, inner) for item in value]
        brackets = "[]"
    else:
        parts = [
            f"{json.dumps(key, ensure_ascii=False)}: {_json(item, inner)}"
            for key, item in value.items()
        ]
        brackets = "{}"
    body = f",\n{inner}".join(parts)
    return f"{brackets[0]}\n{inner}{body}\n{indent}{brackets[1]}"
