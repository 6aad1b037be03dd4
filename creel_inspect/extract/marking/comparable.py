"""A graph as it is compared: without what says nothing, and with what cannot be compared told."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from creel_inspect.extract.grammar.model import Grammar
from creel_inspect.verify.graph.model import Graph, Node
from creel_inspect.verify.plain import fault_of
from creel_inspect.verify.protocol import Code, VerifierError


def comparable_gold(graph: Graph, grammar: Grammar) -> Graph:
    """The gold: of a node's types the most specific ones, and attributes that say something.

    Raises:
        VerifierError: If a value cannot be compared.
    """
    return _plain(graph, grammar, _gold)


def comparable_candidate(graph: Graph, grammar: Grammar) -> Graph:
    """A candidate likewise. A value that cannot be compared is replaced by words that say why.

    Raises:
        VerifierError: If a value is no data at all but an object.
    """
    return _plain(graph, grammar, _came)


def _plain(graph: Graph, grammar: Grammar, checked: Callable[[Any], Any]) -> Graph:
    def said(attributes: Mapping[str, Any]) -> dict[str, Any]:
        return {name: checked(one) for name, one in attributes.items() if not says_nothing(one)}

    nodes = {
        name: Node(grammar.most_specific("node", node.types), said(node.attributes))
        for name, node in graph.nodes.items()
    }
    edges = tuple(dataclasses.replace(e, attributes=said(e.attributes)) for e in graph.edges)
    return Graph(nodes, edges, graph.directed)


def says_nothing(value: Any) -> bool:
    """Whether a value is null, or a text without a character: how JSON and tables leave one out."""
    return value is None or (isinstance(value, str) and not value.strip())


def _gold(value: Any) -> Any:
    fault = fault_of(value, finite=True)
    if fault:
        raise VerifierError(
            f"what is expected cannot be compared: {fault.text}", code=Code.EXPECTED_INVALID
        )
    return value


def _came(value: Any) -> Any:
    """A candidate's value; in words where it cannot be compared, such as 10 to the millionth."""
    fault = fault_of(value)
    if fault and fault.foreign:  # no model writes one: it is the caller's
        raise VerifierError(
            f"the candidate cannot be compared: {fault.text}", code=Code.NOT_A_VALUE
        )
    return f"(cannot be compared: {fault.text})" if fault else value
