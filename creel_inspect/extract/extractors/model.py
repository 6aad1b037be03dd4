"""Sources to a graph, by a model: one tool, one call a chunk, at most one repair of each."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    ModelOutput,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import StoreModel
from pydantic import Field

from creel_inspect.extract.corpus.sources import Source, source_from
from creel_inspect.extract.extractors.chunks import FEWEST_CHARACTERS, chunks_of
from creel_inspect.extract.extractors.merging import merged
from creel_inspect.extract.extractors.outcomes import REPAIRABLE, Outcome
from creel_inspect.extract.extractors.prompt import known_nodes, marker_for, request, system_prompt
from creel_inspect.extract.extractors.submission import (
    MORE,
    MOST_CHARACTERS,
    MOST_ELEMENTS,
    UNFINISHED,
    BadGraph,
    Element,
    RuleFault,
    Submission,
    listed,
    read_submission,
    rule_faults,
)
from creel_inspect.extract.extractors.submission_schema import SUBMIT_GRAPH, submit_graph
from creel_inspect.extract.grammar.model import Grammar
from creel_inspect.toolcall import bound_calls, calls_of, handed_back, shown_call

_MOST_NOTES = 200


class Extraction(StoreModel):
    """What became of one case's sources, kept in the sample's store for the scorer.

    Every extractor fills it, at its end.

    Attributes:
        outcome: How extracting ended. None where it never ended, because the provider failed.
        graph: The graph-v1 graph, if there is one; an empty graph is one.
        evidence: By element id and attribute, in creel's shapes.
        attempts: Each turn: the tool called, its arguments, and why they were rejected.
        extractor: Which one it was: ``model``, ``creel``, or ``module:function``.
        notes: What is still wrong with the graph, or why there is none.
    """

    outcome: str | None = None
    graph: dict[str, Any] | None = None
    evidence: dict[str, Any] = Field(default_factory=dict)
    attempts: list[dict[str, Any]] = Field(default_factory=list)
    extractor: str = ""
    notes: list[str] = Field(default_factory=list)


@dataclass(frozen=True)
class Asked:
    """What one chunk's replies are held against.

    Attributes:
        grammar: The grammar.
        sources: All sources, whole: a quote may come from any.
        found: The graph of the chunks before.
        known: Those of its nodes that the model was told of.
        several: Whether there are other chunks, which may say what this one does not.
    """

    grammar: Grammar
    sources: Mapping[str, Source]
    found: Submission = field(default_factory=Submission)
    known: Collection[str] = ()
    several: bool = False


@dataclass(frozen=True)
class Turn:
    """One reply, read.

    Attributes:
        outcome: How it would end the chunk.
        submission: Its graph, if it holds one.
        problems: What is wrong with it; for a graph, what would be handed back once.
        faults: All that a graph breaks of the grammar.
    """

    outcome: Outcome
    submission: Submission | None = None
    problems: tuple[str, ...] = ()
    faults: tuple[RuleFault, ...] = ()


def read_turn(output: ModelOutput, asked: Asked) -> Turn:
    """What one reply amounts to, on its own.

    A reply that was cut or filtered is that, whatever it calls: a partial graph can look whole.
    """
    if output.stop_reason in ("max_tokens", "model_length"):
        return Turn(Outcome.TRUNCATED, problems=("the reply hit the token limit",))
    if output.stop_reason == "content_filter":
        return Turn(Outcome.SAFETY_REFUSED, problems=("the provider's safety filter refused",))
    calls = calls_of(output)
    if not calls:
        reminder = f"no tool was called; call {SUBMIT_GRAPH} with the graph, empty if need be"
        return Turn(Outcome.NO_CALL, problems=(reminder,))
    if len(calls) > 1:
        names = ", ".join(call.function for call in calls[:5])
        several = f"{len(calls)} calls in one turn ({names}); make exactly one"
        return Turn(Outcome.MALFORMED, problems=(several,))
    if calls[0].function != SUBMIT_GRAPH:
        unknown = f"there is no tool {calls[0].function!r}; call {SUBMIT_GRAPH}"
        return Turn(Outcome.MALFORMED, problems=(unknown,))
    try:
        submission = read_submission(calls[0], asked.grammar, asked.sources, asked.known)
    except BadGraph as error:
        return Turn(Outcome.MALFORMED, problems=error.problems)
    faults = _faults(submission, asked)
    # How many more there are says nothing by itself, nor that they could not be counted.
    told = any(one.rule not in (MORE, UNFINISHED) for one in faults)
    problems = (*(one.message for one in faults if told), *submission.problems)
    return Turn(Outcome.EXTRACTED, submission, problems, tuple(faults))


def _faults(submission: Submission, asked: Asked) -> list[RuleFault]:
    """What of a chunk's graph breaks the grammar, whatever other chunks say."""
    ends = {end for edge in submission.edges for end in (edge.source, edge.target)}
    # Earlier nodes that edges lead to count by their types alone: the rest was told before.
    stubs = {
        name: Element(asked.found.nodes[name].type) for name in sorted(ends - set(submission.nodes))
    }
    whole = Submission({**submission.nodes, **stubs}, submission.edges)
    return rule_faults(whole.graph(), asked.grammar, partial=asked.several)


@solver
def extract_with_model(repair: int = 1, chunk_characters: int = 60_000) -> Solver:
    """Asks the model for the graph of a sample's sources.

    The sample's metadata holds ``grammar`` (``Grammar.to_json``) and ``sources`` (texts by file
    name); nothing else of the sample reaches the model. One tool is offered and one call is
    demanded. A call that holds no graph, or none, is handed back once with what is wrong; so is a
    graph that breaks the grammar or whose quotes are not in the sources. Whatever graph comes
    then is taken as it is, and what is still wrong is noted. A graph that was handed back stands
    if no other follows.

    Sources longer than ``chunk_characters`` in all are read in chunks, each in a conversation of
    its own. The first chunk that gives no graph ends the sample.

    Args:
        repair: 1 for one repair turn a chunk, 0 for none.
        chunk_characters: The most characters of sources in one request; at least 1,000.

    Raises:
        ValueError: If ``repair`` is neither, or ``chunk_characters`` is too few.
    """
    if repair not in (0, 1):
        raise ValueError(f"repair is {repair!r}; it is 1 for one repair turn, or 0 for none")
    if chunk_characters < FEWEST_CHARACTERS:
        raise ValueError(
            f"chunk_characters is {chunk_characters!r}; it is at least {FEWEST_CHARACTERS:,}"
        )
    config = GenerateConfig(parallel_tool_calls=False, cache_prompt=True)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        extraction = state.store_as(Extraction)
        grammar, sources = _given(state)
        reading = _Reading(state, grammar, repair, config)
        chunks = chunks_of(sources.values(), chunk_characters)
        marker, total = marker_for(sources), len(chunks)
        found, notes, outcome = Submission(), list[str](), Outcome.EXTRACTED
        for number, chunk in enumerate(chunks, 1):
            label = f"reading {number} of {total}"
            told, known = known_nodes(found)
            asked = Asked(grammar, sources, found, known, total > 1)
            message = request(chunk, marker, number=number, total=total, known=told)
            turn, remarks = await reading.of(message, asked, number)
            if total > 1:
                remarks = [f"{label}: {one}" for one in remarks]
            notes += remarks
            if turn.submission is None:
                read = f"{label} ({', '.join(piece.label for piece in chunk)}): "
                notes.append((read if total > 1 else "") + listed(turn.problems))
                outcome = turn.outcome
                break
            found, contradictions = merged(
                found,
                turn.submission,
                known=known,
                label=label,
                grammar=grammar,
            )
            notes += contradictions
        count = len(found.nodes) + len(found.edges)
        if outcome is Outcome.EXTRACTED and count > MOST_ELEMENTS:
            outcome = Outcome.MALFORMED
            notes.append(f"{count:,} nodes and edges are more than the {MOST_ELEMENTS:,} allowed")
        if outcome is Outcome.EXTRACTED:
            graph = found.graph()
            # One chunk may have said what another lacked: the whole is held against the grammar.
            faults = turn.faults if total == 1 else rule_faults(graph, grammar)
            notes = [*(fault.message for fault in faults), *notes]
            extraction.graph, extraction.evidence = graph.to_json(), found.evidence()
        more = len(notes) - _MOST_NOTES
        extraction.notes = notes[:_MOST_NOTES] + ([f"{more:,} more"] if more > 0 else [])
        extraction.attempts = reading.attempts
        extraction.extractor = "model"
        extraction.outcome = outcome.value
        return state

    return solve


def _given(state: TaskState) -> tuple[Grammar, dict[str, Source]]:
    """The grammar and the sources of a sample.

    Raises:
        ValueError: If it has none; a ``CorpusError`` if they cannot be read.
    """
    for key in ("grammar", "sources"):
        if not isinstance(state.metadata.get(key), dict):
            raise ValueError(
                f"sample {state.sample_id}: expected a mapping in the metadata under {key!r}: "
                "extract_with_model takes samples of the extraction task"
            )
    sources = state.metadata["sources"]
    if not all(isinstance(text, str) for text in sources.values()):
        raise ValueError(f"sample {state.sample_id}: expected texts in the metadata's 'sources'")
    return (
        Grammar.from_json(state.metadata["grammar"]),
        {name: source_from(name, text) for name, text in sources.items()},
    )


class _Reading:
    """Asks a model, chunk by chunk, and keeps what was said in the sample's messages.

    The messages of all chunks stand there one after another; the model sees those of its chunk.
    """

    def __init__(
        self, state: TaskState, grammar: Grammar, repair: int, config: GenerateConfig
    ) -> None:
        self.state, self.repair, self.config = state, repair, config
        self.tool = submit_graph(grammar)
        self.system = ChatMessageSystem(content=system_prompt(grammar))
        self.attempts: list[dict[str, Any]] = []
        state.messages = [self.system]

    async def of(self, message: str, asked: Asked, part: int) -> tuple[Turn, list[str]]:
        """The turn that counts for a chunk, and what there is to note about it."""
        conversation: list[ChatMessage] = [self.system]
        self._say(conversation, [ChatMessageUser(content=message)])
        stands: Turn | None = None
        for left in range(self.repair, -1, -1):
            output = await get_model().generate(
                conversation, tools=[self.tool], tool_choice="any", config=self.config
            )
            self.state.output = output
            if output.choices:
                bound_calls(output.message, MOST_CHARACTERS)
                self._say(conversation, [output.message])
            turn = read_turn(output, asked)
            self.attempts.append(_attempt(output, turn, part))
            if turn.submission is not None:
                stands = turn
            if not turn.problems or turn.outcome not in REPAIRABLE:
                break
            if left:
                self._say(conversation, _handed_back(output, turn))
        if stands is None:
            return turn, []
        remarks = list(stands.submission.problems) if stands.submission else []
        if stands is not turn:
            remarks.append(
                f"the graph was handed back and none followed ({turn.outcome.value}: "
                f"{listed(turn.problems)}); it stands as it was"
            )
        return stands, remarks

    def _say(self, conversation: list[ChatMessage], messages: list[ChatMessage]) -> None:
        conversation.extend(messages)
        self.state.messages.extend(messages)


def _attempt(output: ModelOutput, turn: Turn, part: int) -> dict[str, Any]:
    return {
        "part": part,
        "outcome": turn.outcome.value,
        "calls": [shown_call(call) for call in calls_of(output)],
        "rejection": listed(turn.problems) if turn.problems else None,
        "tool_choice_degraded": bool((output.metadata or {}).get("tool_choice_degraded")),
    }


def _handed_back(output: ModelOutput, turn: Turn) -> list[ChatMessage]:
    said, calls = listed(turn.problems), calls_of(output)
    if not calls:
        return handed_back((), said[:1].upper() + said[1:] + ".")
    if turn.submission is None:
        return handed_back(
            calls, f"That was rejected: {said}. Make one call again, with this mended."
        )
    return handed_back(
        calls,
        f"The graph was read, and this is wrong with it: {said}. (edge-1 is the first of "
        f"`edges`.) Call {SUBMIT_GRAPH} again with the whole graph, with this mended. What the "
        "sources do not say is left out, not made up.",
    )
