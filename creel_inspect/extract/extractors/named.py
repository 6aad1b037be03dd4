"""Extractors that a user names as ``module:function``."""

import functools
import importlib
import inspect
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import anyio.to_thread
from inspect_ai.model import ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import LimitExceededError, registry_info

from creel_inspect.extract.corpus.evidence import check_evidence
from creel_inspect.extract.corpus.sources import Source, source_from
from creel_inspect.extract.extractors.model import Extraction
from creel_inspect.extract.extractors.outcomes import Outcome
from creel_inspect.extract.extractors.submission import MOST_ELEMENTS
from creel_inspect.extract.grammar.model import Grammar
from creel_inspect.verify.graph.model import Graph, InvalidGraph
from creel_inspect.verify.plain import fault_of, json_safe, readable, shown

_MOST_REASON = 500


def extractor_named(name: str) -> Solver:
    """The extractor that ``module:function`` names, as a solver.

    It is the user's own code, and runs as such. The function is an Inspect solver, made by
    ``@solver`` with no required arguments, which fills the sample's ``Extraction`` itself; or a
    plain function, synchronous or not, ``extract(sources, grammar)``: ``sources`` by file name
    (``Source``), ``grammar`` a ``Grammar``. It returns a graph-v1 object, or that and its evidence
    (element id -> attribute -> record).

    Raises:
        ValueError: If there is no such module or function, or it is neither of the two.
    """
    module_name, colon, attribute = name.partition(":")
    if not (colon and module_name and attribute):
        raise ValueError(
            f"the extractor {shown(name)}: expected model, creel, or module:function such as "
            "my_package.extract:graph_of"
        )
    found: Any = _module(module_name, name)
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise ValueError(
                f"the extractor {shown(name)}: the module {module_name} has no {attribute}"
            )
        found = getattr(found, part)
    if not callable(found):
        raise ValueError(
            f"the extractor {shown(name)} is {shown(found)}: expected a solver or a function "
            "extract(sources, grammar)"
        )
    return _as_solver(found, name)


def _module(module_name: str, name: str) -> Any:
    try:
        _look_in_the_current_folder()
        return importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        # A module that is missing further in is the named module's own fault, and is said so.
        missing = error.name or ""
        if module_name == missing or module_name.startswith(f"{missing}."):
            raise ValueError(
                f"the extractor {shown(name)}: there is no module {missing}; it must be installed, "
                "or lie in the current folder"
            ) from error
        raise ValueError(
            f"the extractor {shown(name)}: {module_name} cannot be imported: {error}"
        ) from error
    except Exception as error:  # whatever the module's own code does
        raise ValueError(
            f"the extractor {shown(name)}: {module_name} cannot be imported: "
            f"{type(error).__name__}: {error}"
        ) from error


def _look_in_the_current_folder() -> None:
    """``inspect`` as a command does not look for modules where it was started.

    Last, and for good: the extractor may import its neighbours when it runs.
    """
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.append(folder)


def _as_solver(found: Any, name: str) -> Solver:
    if _registered(found):
        if _is_coroutine(found):
            return found  # a solver that was made already
        try:
            made = found()
        except TypeError as error:
            raise ValueError(
                f"the extractor {shown(name)} cannot be made without arguments: {error}"
            ) from error
        if not _is_coroutine(made):
            raise ValueError(f"the extractor {shown(name)} makes {shown(made)}, and no solver")
        return made
    try:
        inspect.signature(found).bind({}, None)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"the extractor {shown(name)} takes other arguments: expected "
            f"extract(sources, grammar); {error}"
        ) from error
    return _plain(found, name)


def _registered(found: Any) -> bool:
    try:
        return registry_info(found).type == "solver"
    except ValueError:
        return False


def _is_coroutine(found: Any) -> bool:
    called = getattr(found, "__call__", None)  # noqa: B004 - an object whose __call__ is async
    return inspect.iscoroutinefunction(found) or inspect.iscoroutinefunction(called)


def _plain(function: Callable[..., Any], name: str) -> Solver:
    @solver(name=name.replace(":", "."))
    def extract_with_function() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            grammar = Grammar.from_json(state.metadata["grammar"])
            sources = {n: source_from(n, text) for n, text in state.metadata["sources"].items()}
            extraction = state.store_as(Extraction)
            extraction.extractor = name
            try:
                returned = await _called(function, sources, grammar)
            except LimitExceededError:
                raise  # the sample's own limit, which Inspect deals with
            except (Exception, SystemExit) as error:  # the extractor under test fails in any way
                said = f"{name} raised {type(error).__name__}: {error}"
                _ended(extraction, Outcome.EXTRACTOR_FAILED, said)
            else:
                _take(extraction, returned)
            state.output = ModelOutput.from_content(name, extraction.outcome or "")
            return state

        return solve

    return extract_with_function()


async def _called(
    function: Callable[..., Any], sources: Mapping[str, Source], grammar: Grammar
) -> Any:
    if _is_coroutine(function):
        return await function(sources, grammar)
    returned = await anyio.to_thread.run_sync(functools.partial(function, sources, grammar))
    return await returned if inspect.isawaitable(returned) else returned


def _take(extraction: Extraction, returned: Any) -> None:
    """Keeps what a function returned, if it is a graph."""
    pair = isinstance(returned, tuple) and len(returned) == 2
    value, evidence = returned if pair else (returned, {})
    value = value.to_json() if isinstance(value, Graph) else value
    fault = _fault(value, evidence)
    if fault:
        _ended(extraction, Outcome.MALFORMED, fault)
        return
    kept = json_safe({"graph": value, "evidence": evidence})
    extraction.graph, extraction.evidence = kept["graph"], kept["evidence"]
    extraction.outcome = Outcome.EXTRACTED.value


def _fault(value: Any, evidence: Any) -> str | None:
    """Why a graph and its evidence cannot be kept."""
    for what, part in (("graph", value), ("evidence", evidence)):
        if fault := fault_of(part, finite=True):
            return f"it returned no {what}: {fault.text}"
    try:
        graph = Graph.from_json(value)
        json_safe({"graph": value, "evidence": evidence})
    except InvalidGraph as error:
        return f"it returned no graph-v1 graph: {error}"
    except ValueError as error:  # dates, sets, and what else is data but not JSON's
        return f"it returned what JSON cannot hold: {error}"
    count = len(graph.nodes) + len(graph.edges)
    if count > MOST_ELEMENTS:
        return f"{count:,} nodes and edges are more than the {MOST_ELEMENTS:,} allowed"
    return next((f"its evidence: {one}" for one in check_evidence(evidence)), None)


def _ended(extraction: Extraction, outcome: Outcome, reason: str) -> None:
    text = readable(" ".join(reason.split()))
    text = text if len(text) <= _MOST_REASON else text[: _MOST_REASON - 1] + "…"
    extraction.outcome = outcome.value
    extraction.notes = [*extraction.notes, text]
