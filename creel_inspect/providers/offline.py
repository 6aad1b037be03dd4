"""The offline models: ``creel/baseline``, ``creel/reference`` and ``creel/near-miss``.

The baseline sees what any model sees and nothing else. The other two answer from the case.
``creel/engine`` stands for no model at all: the extraction task's engine works without one.
"""

import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo

from creel_inspect.providers.oracle import Call, near_miss_call, reference_call
from creel_inspect.search.solver import Asked, asked
from creel_inspect.search.toolcall import BUILD_QUERY, CANNOT_ANSWER

_PLACEHOLDER = re.compile(r"^(@[A-Z]{1,10}) is a ([a-zA-Z ]{1,40})\.$", re.MULTILINE)


@modelapi(name="creel")
def creel() -> type[ModelAPI]:
    """Inspect's factory for ``creel/…`` models."""
    return OfflineModel


async def _baseline(messages: list[ChatMessage]) -> Call:
    # Loaded on first use: the compound-name table takes a second or two.
    from creel_inspect.providers.baseline import translate  # noqa: PLC0415

    text = next((message.text for message in messages if isinstance(message, ChatMessageUser)), "")
    question, _, described = text.partition("\n\nPlaceholders in this question:")
    found = translate(question, dict(_PLACEHOLDER.findall(described)))
    if found.query is None:
        return CANNOT_ANSWER, {"reason": found.reason}
    return BUILD_QUERY, found.query


async def _reference(_: list[ChatMessage]) -> Call:
    return reference_call(_about())


async def _near_miss(_: list[ChatMessage]) -> Call:
    return await near_miss_call(_about())


def _about() -> Asked:
    about = asked.get(None)
    if about is None:
        raise RuntimeError(
            "creel/reference and creel/near-miss answer from a case of this package's own search "
            "task, and no such case is being run; use them with creel_inspect/nl_search"
        )
    return about


async def _engine(_: list[ChatMessage]) -> Call:
    raise RuntimeError(
        "creel/engine stands for no model, and cannot be asked; use it with "
        "creel_inspect/extraction, or name a model with --model"
    )


_MODELS: dict[str, Callable[[list[ChatMessage]], Awaitable[Call]]] = {
    "baseline": _baseline,
    "reference": _reference,
    "near-miss": _near_miss,
    "engine": _engine,
}


class OfflineModel(ModelAPI):
    """A model that needs no network: deterministic, quick and free.

    Args:
        model_name: ``baseline``, ``reference``, ``near-miss`` or ``engine``.
        base_url: Unused; Inspect passes it to every provider.
        api_key: Unused, likewise.
        config: Unused, likewise.
        malformed: For ``near-miss`` only: make calls that are no query at all.

    Raises:
        ValueError: If there is no such model, or ``malformed`` is asked of another.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - Inspect's own signature
        malformed: bool = False,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        if model_name not in _MODELS:
            known = ", ".join(f"creel/{name}" for name in _MODELS)
            raise ValueError(f"creel/{model_name}: no such offline model; there are: {known}")
        if malformed and model_name != "near-miss":
            raise ValueError(f"malformed is for creel/near-miss only, not creel/{model_name}")
        self._malformed = malformed

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """One tool call, as any model would make it.

        Raises:
            RuntimeError: If its tool was not offered: a call that nothing answers would be asked
                for again without end.
        """
        if self.model_name == "engine":
            await _engine(input)
        if BUILD_QUERY not in {tool.name for tool in tools}:
            raise RuntimeError(
                f"creel/{self.model_name} answers only with the tools of creel_inspect/nl_search, "
                "and they were not offered"
            )
        name: str
        arguments: dict[str, Any]
        if self._malformed:
            name, arguments = BUILD_QUERY, {"where": {"op": "no-such-operator"}}
        else:
            name, arguments = await _MODELS[self.model_name](input)
        # Stated, because Inspect would otherwise download a tokenizer to estimate it.
        read = sum(len(message.text) for message in input) // 4
        written = len(json.dumps(arguments)) // 4
        call = ToolCall(id=f"call-{len(input)}", function=name, arguments=arguments)
        message = ChatMessageAssistant(content="", tool_calls=[call], source="generate")
        return ModelOutput(
            model=f"creel/{self.model_name}",
            choices=[ChatCompletionChoice(message=message, stop_reason="tool_calls")],
            usage=ModelUsage(input_tokens=read, output_tokens=written, total_tokens=read + written),
        )

    def max_connections(self) -> int:
        """As many as Inspect cares to run: nothing is connected to."""
        return 100
