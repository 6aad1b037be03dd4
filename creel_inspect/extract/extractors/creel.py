"""The creel engine as an extractor: by a corpus's bindings, or asking Inspect's model."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from inspect_ai.model import ModelOutput, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from creel_inspect.extract.corpus.corpus import bindings_file
from creel_inspect.extract.corpus.sources import Source, source_from
from creel_inspect.extract.extractors.bindings import (
    EVERY_TYPE,
    Bindings,
    bindings_from,
    load_bindings,
)
from creel_inspect.extract.extractors.creel_client import InspectClient, Unusable
from creel_inspect.extract.extractors.creel_process import CreelFailed, run_creel
from creel_inspect.extract.extractors.model import Extraction
from creel_inspect.extract.extractors.outcomes import Outcome
from creel_inspect.extract.extractors.submission import MOST_ELEMENTS
from creel_inspect.extract.grammar.graph_spec import to_graph_spec
from creel_inspect.extract.grammar.model import Grammar
from creel_inspect.verify.plain import shown

NO_MODEL = "creel/engine"
"""The offline model that stands for none: the engine works by its bindings alone."""

SECONDS = 60.0
"""How long creel may compute on one sample."""
_MOST_NAMED = 10
_MOST_LOSSES = 3


@solver
def extract_with_creel(
    bindings: Mapping[str, Any] | None = None, llm: bool | None = None, seconds: float = SECONDS
) -> Solver:
    """Extracts each case's graph with the real ``creel`` engine.

    Types that the bindings leave out are left out (a note of the sample says which), and so are
    those bound to a model when there is none. Without bindings, given or in the corpus's
    ``bindings.yaml``, a model reads for every type, as creel does by default.

    Args:
        bindings: creel's mapping, as a ``bindings.yaml`` holds it; None for the corpus's own.
        llm: Whether creel's model extractors run, with Inspect's model as their client. None:
            unless the model is ``creel/engine``, which stands for no model.
        seconds: How long creel may compute on a sample, without the time a model takes to answer.
            Past it the sample ends as ``extractor_failed``.

    Raises:
        ValueError: If ``seconds`` is not above 0. And in a sample, which then is not measured: if
            there is nothing to run, or a model is asked for and there is none.
        CorpusError: In a sample: if its bindings, grammar or sources cannot be read.
    """
    if not seconds > 0:
        raise ValueError(f"seconds is {seconds!r}; expected a number above 0")

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        grammar = Grammar.from_json(state.metadata["grammar"])
        sources = {name: source_from(name, t) for name, t in state.metadata["sources"].items()}
        client = _client(llm)
        chosen = _bindings(bindings, state.metadata, grammar, with_model=client is not None)
        runnable = chosen if client else chosen.without_model()
        if not runnable.steps:
            raise ValueError(
                "there is nothing for creel to run: every type that is bound is bound to a model, "
                "and none was given; name one with --model"
            )
        spec, losses = to_graph_spec(grammar)
        extraction = state.store_as(Extraction)
        extraction.extractor = "creel"
        state.metadata["creel"] = {"version": version("creel"), "bindings": runnable.digest}
        before = _notes_before(chosen, runnable, grammar, sources, client)
        extraction.notes = [*before, _untold(losses)] if losses else before
        request = {
            "spec": asdict(spec),
            "bindings": runnable.steps,
            "sources": [
                {"id": one.name, "kind": one.kind, "content": one.content}
                for one in sources.values()
            ],
        }
        asked = client or InspectClient(get_model())
        try:
            answer = await run_creel(request, asked.ask, seconds)
        except CreelFailed as error:
            _ended(extraction, Outcome.EXTRACTOR_FAILED, f"creel failed: {error}")
        except Unusable as error:
            _ended(extraction, error.outcome, error.reason)
        else:
            _take(extraction, answer)
        finally:
            # Also when a provider fails: what was asked up to then is in the log.
            extraction.attempts = asked.attempts
            state.messages = [*state.messages, *asked.messages]
        state.output = asked.output or ModelOutput.from_content(NO_MODEL, _summary(extraction))
        return state

    return solve


def _client(llm: bool | None) -> InspectClient | None:
    if llm is False:
        return None
    model = get_model()
    if str(model) != NO_MODEL:
        return InspectClient(model)
    if llm:
        raise ValueError(
            f"creel's model extractors were asked for, and {NO_MODEL} stands for no model; name "
            "one with --model"
        )
    return None


def _bindings(
    given: Mapping[str, Any] | None,
    metadata: Mapping[str, Any],
    grammar: Grammar,
    *,
    with_model: bool,
) -> Bindings:
    if given is not None:
        return bindings_from(given, grammar)
    folder = Path(metadata["corpus_folder"])
    path = bindings_file(folder)
    if path is not None:
        return load_bindings(path, folder, grammar)
    if with_model:
        return bindings_from({EVERY_TYPE: {"strategy": "llm"}}, grammar)
    raise ValueError(
        f"the corpus {metadata['corpus']} has no bindings.yaml, and no model was given: creel has "
        "nothing to extract with; name a model with --model, or write bindings"
    )


def _notes_before(
    chosen: Bindings,
    runnable: Bindings,
    grammar: Grammar,
    sources: Mapping[str, Source],
    client: InspectClient | None,
) -> list[str]:
    notes = []
    concrete = [
        name
        for types in (grammar.types("node"), grammar.types("edge"))
        for name, type_ in types.items()
        if not type_.abstract
    ]
    if unbound := [name for name in concrete if name not in chosen.populated]:
        notes.append(f"{_types(unbound)} bound to no extractor: {_named(unbound)}")
    if client is None and (left_out := chosen.model_types):
        notes.append(f"{_types(left_out)} bound to a model, and none was given: {_named(left_out)}")
    absent = {name: steps for name, steps in runnable.records.items() if name not in sources}
    if absent:
        said = [f"{name} ({', '.join(steps)})" for name, steps in absent.items()]
        notes.append(f"{_count(len(absent), 'source')} of bound records not there: {_named(said)}")
    return notes


def _untold(losses: Sequence[str]) -> str:
    more = len(losses) - _MOST_LOSSES
    return f"creel's form of the grammar holds less: {'; '.join(losses[:_MOST_LOSSES])}" + (
        f"; and {more:,} more losses" if more > 0 else ""
    )


def _notes_after(report: Mapping[str, Any]) -> list[str]:
    """What creel reports of a run: edges it left out, and values that overwrote others."""
    notes = []
    if skipped := report.get("skipped_edges"):
        said = [
            f"{one['edge_id']} ({one['source']} -> {one['target']})"
            for one in skipped[:_MOST_NAMED]
        ]
        notes.append(
            f"{_count(len(skipped), 'edge')} left out, because no node has an id that they name: "
            f"{_named(said, len(skipped))}"
        )
    if conflicts := report.get("attribute_conflicts"):
        said = [
            f"{one['node']}.{one['attribute']} ({shown(one['old'])}, then {shown(one['new'])})"
            for one in conflicts[:_MOST_NAMED]
        ]
        notes.append(
            f"{_count(len(conflicts), 'value')} found twice, differently, where the later counts: "
            f"{_named(said, len(conflicts))}"
        )
    return notes


def _take(extraction: Extraction, answer: Mapping[str, Any]) -> None:
    extraction.notes = [*extraction.notes, *_notes_after(answer["report"])]
    graph = answer["graph"]
    count = len(graph["nodes"]) + len(graph["edges"])
    if count > MOST_ELEMENTS:
        said = f"{count:,} nodes and edges are more than the {MOST_ELEMENTS:,} allowed"
        _ended(extraction, Outcome.MALFORMED, said)
        return
    extraction.graph, extraction.evidence = graph, answer["evidence"]
    extraction.outcome = Outcome.EXTRACTED.value


def _ended(extraction: Extraction, outcome: Outcome, reason: str) -> None:
    extraction.outcome = outcome.value
    extraction.notes = [*extraction.notes, reason]


def _summary(extraction: Extraction) -> str:
    if extraction.graph is None:
        return extraction.notes[-1]
    nodes, edges = len(extraction.graph["nodes"]), len(extraction.graph["edges"])
    return f"{_count(nodes, 'node')}, {_count(edges, 'edge')}"


def _types(names: Sequence[str]) -> str:
    return f"{_count(len(names), 'element type')} {'is' if len(names) == 1 else 'are'}"


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _named(names: Iterable[str], total: int | None = None) -> str:
    every = [shown(name, 200)[1:-1] for name in names]
    more = (total or len(every)) - _MOST_NAMED
    return ", ".join(every[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")
