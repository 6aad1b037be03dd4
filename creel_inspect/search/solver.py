"""Translate or refuse: one question, one model, at most one repair."""

import hashlib
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    GenerateConfig,
    ModelOutput,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import StoreModel
from pydantic import Field

from creel_inspect.search.cases import Case
from creel_inspect.search.engine import (
    InvalidQuery,
    Query,
    SearchEngine,
    Structures,
    open_engine,
)
from creel_inspect.search.outcomes import REPAIRABLE, Outcome
from creel_inspect.search.toolcall import (
    BUILD_QUERY,
    CANNOT_ANSWER,
    read_query,
    read_refusal,
    tools,
)
from creel_inspect.toolcall import BadCall, bound_calls, calls_of, handed_back, shown_call

_MOST_PROMPT_BYTES = 2_000_000


@dataclass(frozen=True)
class Asked:
    """The case a request is about, for the offline models that answer from it."""

    case: Case
    engine: SearchEngine


asked: ContextVar[Asked] = ContextVar("asked")
"""Set round each request. Real models cannot see it; only ``providers/`` reads it."""


class Translation(StoreModel):
    """What became of one question, kept in the sample's store for the scorer and for re-scoring.

    Attributes:
        outcome: How translating ended; ``answered`` still has its search ahead of it. None where
            it never ended, because the provider failed.
        query: The query as the model wrote it, placeholders filled in, if one compiled.
        reason: Why the model declined, if it did.
        attempts: Each turn: the tool called, its arguments, and why they were rejected.
        tool_choice_degraded: The demand to call a tool was not passed on, or not followed.
    """

    outcome: str | None = None
    query: Query | None = None
    reason: str | None = None
    attempts: list[dict[str, Any]] = Field(default_factory=list)
    tool_choice_degraded: bool = False


@dataclass(frozen=True)
class Turn:
    """One reply, read: how it would end the sample, and what there is to say about it."""

    outcome: Outcome
    query: Query | None = None
    reason: str | None = None
    rejection: str | None = None


def read_turn(output: ModelOutput, engine: SearchEngine, structures: Structures) -> Turn:
    """What one reply amounts to, on its own.

    A reply that was cut or filtered is that, whatever it calls: a partial call can look whole.
    """
    if output.stop_reason in ("max_tokens", "model_length"):
        return Turn(Outcome.TRUNCATED, rejection="the reply hit the token limit")
    if output.stop_reason == "content_filter":
        return Turn(Outcome.SAFETY_REFUSED, rejection="the provider's safety filter refused")
    calls = calls_of(output)
    if not calls:
        return Turn(
            Outcome.NO_CALL,
            rejection=(
                f"no tool was called; call {BUILD_QUERY} with the query, or {CANNOT_ANSWER} if no "
                "query of this grammar answers the question"
            ),
        )
    if len(calls) > 1:
        names = ", ".join(call.function for call in calls)
        return Turn(
            Outcome.MALFORMED,
            rejection=f"{len(calls)} calls in one turn ({names}); make exactly one",
        )
    call = calls[0]
    try:
        if call.function == CANNOT_ANSWER:
            return Turn(Outcome.DECLINED, reason=read_refusal(call))
        if call.function == BUILD_QUERY:
            query = engine.compile(read_query(call), structures)
            return Turn(Outcome.ANSWERED, query=query)
    except (BadCall, InvalidQuery) as error:
        return Turn(Outcome.MALFORMED, rejection=str(error))
    return Turn(
        Outcome.MALFORMED,
        rejection=f"there is no tool {call.function!r}; call {BUILD_QUERY} or {CANNOT_ANSWER}",
    )


@solver
def translate(
    engine: str = "ord",
    engine_args: Mapping[str, Any] | None = None,
    prompt: str | None = None,
    repair: int = 1,
) -> Solver:
    """Asks the model for one query, or for a refusal.

    Two tools are offered and one call is demanded. A malformed call, or none, is handed back once
    with the engine's message; a refusal, a cut reply and a filtered one never are.

    Args:
        engine: The search engine, by name.
        engine_args: What to open it with.
        prompt: One of the engine's guides by name, or the path of a file holding another; the
            engine's description of what there is to search follows it. None for the default.
        repair: 1 for one repair turn, 0 for none.

    Raises:
        ValueError: If ``repair`` is neither, or there is no such prompt or engine.
    """
    if repair not in (0, 1):
        raise ValueError(f"repair is {repair!r}; it is 1 for one repair turn, or 0 for none")
    searcher = open_engine(engine, **(engine_args or {}))
    system = system_prompt(searcher, prompt)
    offered = tools(searcher.query_schema())
    config = GenerateConfig(parallel_tool_calls=False, cache_prompt=True)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        case = Case.model_validate(state.metadata["case"])
        structures = case.held_structures()
        translation = state.store_as(Translation)
        state.messages = [ChatMessageSystem(content=system), *state.messages]
        attempts: list[dict[str, Any]] = []
        token = asked.set(Asked(case, searcher))
        try:
            while True:
                output = await get_model().generate(
                    state.messages, tools=offered, tool_choice="any", config=config
                )
                state.output = output
                if output.choices:
                    bound_calls(output.message)
                    state.messages.append(output.message)
                turn = read_turn(output, searcher, structures)
                attempts.append(_attempt(output, turn))
                translation.attempts = attempts
                degraded = bool((output.metadata or {}).get("tool_choice_degraded"))
                ignored = turn.outcome is Outcome.NO_CALL
                translation.tool_choice_degraded |= degraded or ignored
                if turn.outcome not in REPAIRABLE or len(attempts) > repair:
                    break
                state.messages.extend(_handed_back(output, turn))
        finally:
            asked.reset(token)
        outcome = turn.outcome
        if outcome is Outcome.DECLINED and len(attempts) > 1:
            outcome = Outcome.DECLINED_AFTER_ATTEMPT
        translation.query = turn.query
        translation.reason = turn.reason
        translation.outcome = outcome.value
        return state

    return solve


def system_prompt(engine: SearchEngine, prompt: str | None = None) -> str:
    """The guide that ``prompt`` names, and what there is to search.

    Raises:
        ValueError: If it is neither one of the engine's guides nor a readable text file.
    """
    guides = engine.guides()
    name = prompt or "default"
    guide = guides.get(name)
    if guide is None:
        path = Path(name)
        known = ", ".join(sorted(guides))
        if not path.is_file():
            raise ValueError(
                f"prompt {name!r} is no file, and none of the engine's own prompts ({known})"
            )
        if path.stat().st_size > _MOST_PROMPT_BYTES:
            raise ValueError(f"prompt {name!r} is larger than {_MOST_PROMPT_BYTES} bytes")
        try:
            guide = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(f"prompt {name!r} cannot be read as text: {error}") from error
    return f"{guide}\n{engine.schema()}"


def prompt_fingerprint(engine: SearchEngine, prompt: str | None = None) -> str:
    """Twelve hex digits over everything a model is told besides the question."""
    digest = hashlib.sha256(system_prompt(engine, prompt).encode())
    for tool in tools(engine.query_schema()):
        digest.update(tool.model_dump_json().encode())
    return digest.hexdigest()[:12]


def _attempt(output: ModelOutput, turn: Turn) -> dict[str, Any]:
    return {
        "outcome": turn.outcome.value,
        "calls": [shown_call(call) for call in calls_of(output)],
        "rejection": turn.rejection,
    }


def _handed_back(output: ModelOutput, turn: Turn) -> list[ChatMessage]:
    rejection, calls = turn.rejection or "", calls_of(output)
    if not calls:
        return handed_back((), rejection[:1].upper() + rejection[1:] + ".")
    return handed_back(
        calls, f"That was rejected: {rejection}. Make one call again, with this mended."
    )
