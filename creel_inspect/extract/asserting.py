"""For test suites: an assertion on a graph, whose message is the page of the points that were lost.

from creel_inspect import assert_verified

def test_my_extractor():
    assert_verified(extract(document), gold, policy="policies/strict.yaml")
"""

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import anyio

from creel_inspect.extract.corpus.sources import source_from
from creel_inspect.extract.grammar.file import load_grammar
from creel_inspect.extract.grammar.model import Attribute, EdgeType, Grammar, NodeType
from creel_inspect.extract.marking.marking import GATES, GateMode, Marking, mark
from creel_inspect.extract.marking.page import page
from creel_inspect.extract.marking.rollup import f1, roll_up
from creel_inspect.extract.policy.policy import Policy, load_policy, policy_from
from creel_inspect.extract.policy.resolution import PolicyResolution
from creel_inspect.verify.graph.model import Graph, InvalidGraph
from creel_inspect.verify.protocol import Context


def assert_verified(
    actual: Any,
    expected: Any,
    policy: Policy | Mapping[str, Any] | str | Path | None = None,
    *,
    grammar: Grammar | str | Path | None = None,
    threshold: float = 1.0,
    sources: Mapping[str, str] | None = None,
    gate: GateMode = "report",
    context: Context | None = None,
) -> None:
    """Asserts that a graph says what is expected, ids aside.

    Args:
        actual: A graph-v1 object, or a ``Graph``.
        expected: Likewise.
        policy: A policy, a mapping written as a policy's file is, or the path of one; the built-in
            policy by default, which compares each value by its kind.
        grammar: A grammar, or the path of a ``grammar.yaml``. By default the types and attributes
            that ``expected`` has, each attribute with the range of its values.
        threshold: The least F1 over everything that either says.
        sources: The documents by file name. With them, ungrounded values are listed.
        gate: As the extraction scorer takes it; without sources nothing is looked up.
        context: What the verifiers are told, such as the judge.

    Raises:
        AssertionError: If F1 is below the threshold, the policy's verdict on the whole graph
            fails, ``actual`` is no graph, or something could not be scored. The message is the
            page that a sample of the extraction task has in the viewer.
        InvalidGraph: If ``expected`` is no graph.
        ValueError: If the threshold is not from 0 to 1, or there is no such gate.
        CorpusError: If the policy or the grammar is not in order.
    """
    __tracebackhide__ = True  # pytest shows the caller's line, and not these
    gold = _graph(expected)
    try:
        candidate = _graph(actual)
    except InvalidGraph as error:
        raise AssertionError(f"expected a graph: {error}") from None
    if gate not in GATES:
        raise ValueError(f"gate: expected one of {', '.join(GATES)}, came {gate!r}")
    if not 0 <= threshold <= 1:
        raise ValueError(f"threshold: expected an F1, from 0 to 1, came {threshold!r}")
    known = _grammar(grammar, gold)
    chosen = _policy(policy)
    documents = {name: source_from(name, text) for name, text in (sources or {}).items()}
    marking = _run(
        partial(
            mark,
            gold,
            candidate,
            known,
            PolicyResolution(known, chosen),
            context=dataclasses.replace(context or Context(), sources=sources or {}),
            sources=documents,
            gate=gate if sources else "off",
        )
    )
    rollup = roll_up(marking.marks)
    fails = marking.refused or f1(rollup.total) < threshold or rollup.graph_passed is False
    unscored = any(one.state == "unscored" for one in marking.marks)
    if fails or unscored:
        wanted = f"F1 {threshold:g} is wanted" + ("; something could not be scored" * unscored)
        raise AssertionError(page(marking, scored_under=f"policy {chosen.name}; {wanted}"))


def _run(marked: Callable[[], Awaitable[Marking]]) -> Marking:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return anyio.run(marked)
    # An asynchronous test has a loop already, which another cannot run in.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(anyio.run, marked).result()


def _graph(value: Any) -> Graph:
    return value if isinstance(value, Graph) else Graph.from_json(value)


def _policy(policy: Policy | Mapping[str, Any] | str | Path | None) -> Policy:
    if isinstance(policy, Policy):
        return policy
    if isinstance(policy, str | Path):
        return load_policy(str(policy), None)
    return policy_from(policy)


def _grammar(grammar: Grammar | str | Path | None, expected: Graph) -> Grammar:
    if isinstance(grammar, Grammar):
        return grammar
    if grammar is not None:
        path = Path(grammar)
        return load_grammar(path, path.parent)
    return implied_grammar(expected)


def implied_grammar(graph: Graph) -> Grammar:
    """The least grammar that a graph is written in: its types, and the ranges of their values.

    An attribute whose values are of several kinds is a text.
    """
    nodes: dict[str, dict[str, list[Any]]] = {}
    edges: dict[str, dict[str, list[Any]]] = {}
    for node in graph.nodes.values():
        for kind in node.types:
            _add(nodes.setdefault(kind, {}), node.attributes)
    for edge in graph.edges:
        _add(edges.setdefault(edge.type, {}), edge.attributes)
    return Grammar(
        id="implied",
        nodes={kind: NodeType(attributes=_declared(said)) for kind, said in nodes.items()},
        edges={kind: EdgeType(attributes=_declared(said)) for kind, said in edges.items()},
    )


def _add(held: dict[str, list[Any]], attributes: Mapping[str, Any]) -> None:
    for name, value in attributes.items():
        if value is not None:  # which says nothing
            held.setdefault(name, []).append(value)


def _declared(values: Mapping[str, list[Any]]) -> dict[str, Attribute]:
    found = {}
    for name, some in values.items():
        many = all(isinstance(one, list | tuple) for one in some)
        singles = [item for one in some for item in one] if many else some
        found[name] = Attribute(range=_range(singles), multivalued=many)
    return found


def _range(values: Iterable[Any]) -> str:
    kinds = {type(one) for one in values}
    if kinds and kinds <= {bool}:
        return "boolean"
    if kinds and kinds <= {int, float}:
        return "float" if float in kinds else "decimal"
    return "string"
