"""creel's questions to a model, put to Inspect's: its usage, its cache, its log."""

import json
from collections.abc import Mapping
from typing import Any

from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser, Model, ModelOutput

from creel_inspect.extract.extractors.outcomes import Outcome
from creel_inspect.extract.files.json_text import json_document
from creel_inspect.extract.files.reading import CorpusError
from creel_inspect.verify.plain import shown

_MOST_CHARACTERS = 5_000_000


class Unusable(Exception):
    """A reply that creel cannot work with: how it ends the sample, and why."""

    def __init__(self, outcome: Outcome, reason: str) -> None:
        super().__init__(reason)
        self.outcome, self.reason = outcome, reason


class InspectClient:
    """Answers creel's ``complete_json`` with one request to an Inspect model.

    The schema is asked for in words, which every provider takes. creel asks again itself where
    values break the grammar; a reply that is no such JSON at all ends the extraction, since creel
    would take some of these for an empty graph and fall over others.

    Attributes:
        messages: Everything said so far, for the sample's log.
        attempts: Each request: how it ended, and why if it was unusable.
        output: The last reply.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self.messages: list[ChatMessage] = []
        self.attempts: list[dict[str, Any]] = []
        self.output: ModelOutput | None = None

    async def ask(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        """The reply's JSON object to ``{prompt, schema, system}``.

        Raises:
            Unusable: If the reply is cut, filtered, or not of the schema's shape.
        """
        asked: list[ChatMessage] = [ChatMessageUser(content=_with_schema(question))]
        if question.get("system"):
            asked.insert(0, ChatMessageSystem(content=question["system"]))
        self.messages.extend(asked)
        output = await self._model.generate(asked)
        self.output = output
        if output.choices:
            self.messages.append(output.message)
        attempt = {"part": len(self.attempts) + 1, "calls": []}
        try:
            reply = read_reply(output, question["schema"])
        except Unusable as error:
            attempt |= {"outcome": error.outcome.value, "rejection": error.reason}
            raise
        else:
            attempt |= {"outcome": Outcome.EXTRACTED.value, "rejection": None}
        finally:
            self.attempts.append(attempt)
        return reply


def _with_schema(question: Mapping[str, Any]) -> str:
    schema = json.dumps(question["schema"], ensure_ascii=False)
    return (
        f"{question['prompt']}\n\nReturn one JSON object that conforms to this JSON schema, and "
        f"nothing else:\n{schema}"
    )


def read_reply(output: ModelOutput, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON object in a reply: bare, in a code fence, or between words.

    Raises:
        Unusable: ``truncated`` or ``safety_refused`` as the provider says; ``malformed`` if it
            holds no JSON object, or one without a list of objects under each key that the schema
            asks for.
    """
    if output.stop_reason in ("max_tokens", "model_length"):
        raise Unusable(Outcome.TRUNCATED, "the reply hit the token limit")
    if output.stop_reason == "content_filter":
        raise Unusable(Outcome.SAFETY_REFUSED, "the provider's safety filter refused")
    text = output.completion if output.choices else ""
    if len(text) > _MOST_CHARACTERS:
        raise Unusable(
            Outcome.MALFORMED, f"the reply has {len(text):,} characters; {_MOST_CHARACTERS:,} fit"
        )
    start, end = text.find("{"), text.rfind("}")
    if start == -1 or end < start:
        raise Unusable(Outcome.MALFORMED, f"expected a JSON object, came {shown(text)}")
    try:
        value = json_document(text[start : end + 1], "the reply").value
    except CorpusError as error:
        raise Unusable(Outcome.MALFORMED, str(error)) from error
    for key in schema.get("required", ()):
        items = value.get(key)
        if not isinstance(items, list) or not all(isinstance(one, dict) for one in items):
            raise Unusable(
                Outcome.MALFORMED,
                f"the reply's {shown(key)}: expected a list of objects, came "
                f"{shown(items) if key in value else 'no such key'}",
            )
    return dict(value)
