"""Scripted models: each reply is written out by the test, so what is right is known beforehand."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    Model,
    ModelOutput,
    ModelUsage,
    StopReason,
    get_model,
)
from inspect_ai.scorer import Score
from inspect_ai.tool import ToolCall

from creel_inspect.search.assemble import search_task

CASES = Path(__file__).parent / "books.json"


def call(name: str, arguments: Any, **extra: Any) -> ToolCall:
    return ToolCall(id=f"call-{name}", function=name, arguments=arguments, **extra)


def reply(*calls: ToolCall, text: Any = "", stop: StopReason = "tool_calls") -> ModelOutput:
    message = ChatMessageAssistant(content=text, tool_calls=list(calls) or None, source="generate")
    return ModelOutput(
        model="scripted",
        choices=[ChatCompletionChoice(message=message, stop_reason=stop)],
        usage=ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2),
    )


def build(query: Any, **extra: Any) -> ModelOutput:
    return reply(call("build_query", query, **extra))


def decline(reason: Any = "the books have no such thing") -> ModelOutput:
    return reply(call("cannot_answer", {"reason": reason}))


def scripted(replies: Sequence[ModelOutput] | Callable[..., ModelOutput]) -> Model:
    return get_model("mockllm/model", custom_outputs=replies, memoize=False)


def run(
    replies: Sequence[ModelOutput] | Callable[..., ModelOutput],
    sample: str | None = None,
    *,
    cases: Path = CASES,
    task_args: dict[str, Any] | None = None,
    **eval_args: Any,
) -> EvalLog:
    """Runs the books' cases (or one of them) with these replies, and returns the log."""
    task = search_task(
        engine="tiny", engine_args={}, named_corpus="books", cases=str(cases), **(task_args or {})
    )
    eval_args.setdefault("max_samples", 1)
    [log] = inspect_eval(task, model=scripted(replies), sample_id=sample, **eval_args)
    assert log.status == "success", log.error
    return log


def only(log: EvalLog) -> tuple[EvalSample, Score]:
    """The one sample of a log, and its score."""
    assert log.samples is not None
    [sample] = log.samples
    assert sample.scores is not None
    return sample, sample.scores["search_answer"]
