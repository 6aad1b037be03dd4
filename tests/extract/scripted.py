"""Scripted models for the extractor: each reply is written out by the test."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
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
from inspect_ai.tool import ToolCall

from creel_inspect.extract.extractors.model import Extraction, extract_with_model
from creel_inspect.extract.grammar.model import Grammar

ZOO = Grammar.from_json(
    {
        "id": "zoo",
        "description": "Who keeps which animals.",
        "enums": {"Diet": {"values": ["plants", "meat"], "description": "What it eats."}},
        "nodes": {
            "keeper": {
                "description": "A person who keeps animals.",
                "attributes": {
                    "name": {"required": True, "description": "The full name."},
                    "shifts": {"multivalued": True, "description": "When they work."},
                },
            },
            "animal": {
                "abstract": True,
                "description": "A living animal.",
                "attributes": {
                    "name": {"description": "What it is called."},
                    "weight": {
                        "range": "decimal",
                        "unit": "kg",
                        "minimum": 0,
                        "description": "How heavy it is.",
                    },
                    "diet": {"range": "Diet"},
                    "born": {"range": "date"},
                },
            },
            "bear": {"is_a": "animal", "description": "A bear."},
            "cub": {"is_a": "bear", "description": "A bear under a year old."},
            "crane": {"is_a": "animal", "description": "A bird."},
        },
        "edges": {
            "feeds": {
                "description": "A keeper feeds an animal.",
                "from": "keeper",
                "to": "animal",
                "attributes": {"times": {"range": "integer", "minimum": 1, "maximum": 9}},
            }
        },
    }
)
DIARY = "Ola Berg feeds the bear Bruno twice a day. Bruno weighs 210 kg.\n"
SOURCES = {"diary.md": DIARY}


def given(value: Any, quote: Any, source: Any = "diary.md") -> dict[str, Any]:
    return {"value": value, "quote": quote, "source": source}


def node(name: Any, kind: Any, /, **attributes: Any) -> dict[str, Any]:
    return {"id": name, "type": kind, "attributes": attributes}


def edge(kind: Any, source: Any, target: Any, /, **attributes: Any) -> dict[str, Any]:
    return {"type": kind, "source": source, "target": target, "attributes": attributes}


OLA = node("ola", "keeper", name=given("Ola Berg", "Ola Berg"))
BRUNO = node("bruno", "bear", name=given("Bruno", "Bruno"), weight=given(210, "210 kg"))
FEEDS = edge("feeds", "ola", "bruno", times=given(2, "twice a day"))
RIGHT = {"nodes": [OLA, BRUNO], "edges": [FEEDS]}
EMPTY: dict[str, Any] = {"nodes": [], "edges": []}


def graph(*nodes: Any, edges: Sequence[Any] = ()) -> dict[str, Any]:
    return {"nodes": list(nodes), "edges": list(edges)}


def call(name: str, arguments: Any, **extra: Any) -> ToolCall:
    return ToolCall(id=f"call-{name}", function=name, arguments=arguments, **extra)


def reply(*calls: ToolCall, text: Any = "", stop: StopReason = "tool_calls") -> ModelOutput:
    message = ChatMessageAssistant(content=text, tool_calls=list(calls) or None, source="generate")
    return ModelOutput(
        model="scripted",
        choices=[ChatCompletionChoice(message=message, stop_reason=stop)],
        usage=ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2),
    )


def submit(arguments: Any, **extra: Any) -> ModelOutput:
    return reply(call("submit_graph", arguments, **extra))


def scripted(replies: Sequence[ModelOutput] | Callable[..., ModelOutput]) -> Model:
    return get_model("mockllm/model", custom_outputs=replies, memoize=False)


def evaluated(
    replies: Sequence[ModelOutput] | Callable[..., ModelOutput] | Model,
    sources: Mapping[str, str] = SOURCES,
    *,
    grammar: Grammar = ZOO,
    **solver_args: Any,
) -> EvalLog:
    """Runs the solver on one sample with these replies, or this model, and returns the log."""
    metadata = {"grammar": grammar.to_json(), "sources": dict(sources)}
    task = Task(
        dataset=[Sample(id="zoo/day", input="the zoo's day", metadata=metadata)],
        solver=extract_with_model(**solver_args),
    )
    model = replies if isinstance(replies, Model) else scripted(replies)
    [log] = inspect_eval(task, model=model)
    return log


def run(
    replies: Sequence[ModelOutput] | Callable[..., ModelOutput] | Model,
    sources: Mapping[str, str] = SOURCES,
    **args: Any,
) -> tuple[EvalSample, Extraction]:
    """The sample that comes of these replies, and what the solver left in its store."""
    log = evaluated(replies, sources, **args)
    assert log.status == "success", log.error
    assert log.samples is not None
    [sample] = log.samples
    return sample, sample.store_as(Extraction)
