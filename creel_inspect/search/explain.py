"""A sample's score in words: what a person needs to act on, as Markdown for the viewer."""

import json
import re
from typing import Any

from creel_inspect.search.cases import Case
from creel_inspect.search.engine import Query
from creel_inspect.search.judging import Judgement

_MOST_CHARACTERS = 20_000
_LINE = 88
_INVISIBLE = re.compile(
    # Control characters but tab and newline, what turns the direction of text, lone surrogates.
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def explanation(
    case: Case, judgement: Judgement, query: Query | None, reason: str | None, rejections: list[str]
) -> str:
    """The verdict, what it rests on, why the case is there, and both queries."""
    summary = judgement.summary
    parts = [f"**{_text(summary[:1].upper() + summary[1:])}**"]
    if reason:
        parts.append(f"The model's reason for declining:\n\n{_block(reason)}")
    for turn, rejection in enumerate(rejections, start=1):
        parts.append(f"Turn {turn} was rejected:\n\n{_block(rejection)}")
    for position in judgement.details.get("weak_near_misses", []):
        near = _text(case.near_misses[position].why)
        parts.append(f"On this corpus the case cannot catch the near-miss: {near}")
    parts.append(f"The case is there to catch: {_text(case.why)}")
    if query is not None:
        parts.append(f"The query:\n\n{_block(_json(query), 'json')}")
    if case.reference is not None:
        parts.append(f"The reference:\n\n{_block(_json(case.reference), 'json')}")
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


def _text(text: str) -> str:
    """Prose that may quote a model or a case file, with no HTML and no Markdown of its own."""
    flat = _cut(_visible(" ".join(text.split())))
    # Only what could open a tag or an entity: the viewer shows our own entities as they stand, so
    # "yield < 70 %" has to stay as it is.
    escaped = re.sub(r"&(?=[#\w])", "&amp;", flat)
    escaped = re.sub(r"<(?=[a-zA-Z/!?])", "&lt;", escaped)
    return re.sub(r"([\\`*_\[\]#|~$])", r"\\\1", escaped)


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]} … (cut)"


def _visible(text: str) -> str:
    """The text with what a terminal or a viewer would act on, and not show, written out."""
    return _INVISIBLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _block(text: str, language: str = "text") -> str:
    """A code block that no run of backticks inside can close."""
    text = _cut(_visible(text.replace("\r\n", "\n")))
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
