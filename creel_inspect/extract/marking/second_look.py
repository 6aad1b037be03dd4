"""Nodes that alignment left over, looked at again with the verifiers that the policy names.

Alignment goes by likeness: it does not know that a policy takes NAIP for a donor's name, or
"1 million" for 1000000. A node that says little else is then left over on both sides.
"""

import dataclasses
from collections.abc import Sequence
from itertools import product

import numpy as np

from creel_inspect.extract.grammar.model import Grammar
from creel_inspect.verify.graph.attributes import Choosing, Comparison
from creel_inspect.verify.graph.model import Graph, Node
from creel_inspect.verify.graph.pairing import Pairing
from creel_inspect.verify.protocol import Context
from creel_inspect.verify.sets.assignment import assign

_MOST_PAIRS = 5_000


async def second_look(
    expected: Graph,
    actual: Graph,
    pairing: Pairing,
    grammar: Grammar,
    resolution: Choosing,
    context: Context,
) -> Pairing:
    """The pairing, with pairs added of which every verifier says that they are one.

    Two left-over nodes are a pair if they share their types, each attribute that both have passes
    its verifier, without a judge, these are at least half of the attributes that either has, and
    one of them at least is no truth value and no choice from a list, which agree by chance.
    Of several partners the one with the most in common is taken.
    """
    ours = [name for name in expected.nodes if name not in pairing.partner]
    taken = set(pairing.partner.values())
    theirs = [name for name in actual.nodes if name not in taken]
    if not ours or not theirs or len(ours) * len(theirs) > _MOST_PAIRS:
        return pairing
    comparison = Comparison(resolution, context).unasked()
    scores = np.zeros((len(ours), len(theirs)))
    for (row, one), (column, other) in product(enumerate(ours), enumerate(theirs)):
        scores[row, column] = await _agreement(
            one, expected.nodes[one], actual.nodes[other], grammar, comparison
        )
    found = {ours[row]: theirs[column] for row, column in assign(scores) if scores[row, column] > 0}
    return dataclasses.replace(pairing, partner={**pairing.partner, **found})


async def _agreement(
    name: str, one: Node, other: Node, grammar: Grammar, comparison: Comparison
) -> float:
    """How many attributes agree, if that is enough to take two nodes for one; else 0."""
    if not one.types or set(one.types) != set(other.types):
        return 0.0
    shared = one.attributes.keys() & other.attributes.keys()
    if not shared or 2 * len(shared) < max(len(one.attributes), len(other.attributes)):
        return 0.0
    if not any(_tells_apart(one.types, attribute, grammar) for attribute in shared):
        return 0.0
    compared = await comparison.compare("node", one.types, name, one.attributes, other.attributes)
    return float(compared.right) if compared.right == len(shared) else 0.0


def _tells_apart(types: Sequence[str], attribute: str, grammar: Grammar) -> bool:
    declared = grammar.attribute("node", types[0], attribute)
    return declared is None or grammar.nature(declared) not in ("enum", "boolean")
