"""Which aligned pairs to believe. The best alignment of two unrelated graphs matches many edges."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from pydantic.dataclasses import dataclass
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from creel_inspect.verify.graph.similarity import Similarity
from creel_inspect.verify.graph.structure import Arcs, Ints

Mask = NDArray[np.bool_]
_ROUNDING = 1e-9


Share = Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)]


@dataclass(frozen=True)
class Gate:
    """The least attribute similarity of a pair that stands alone, and of one that is vouched for.

    ``anchor`` and ``spread`` are from 0 to 1, and ``spread`` is not above ``anchor``.
    """

    anchor: Share = 0.5
    spread: Share = 0.2

    def __post_init__(self) -> None:
        if self.spread > self.anchor:
            raise ValueError(f"gate: spread ({self.spread:g}) is above anchor ({self.anchor:g})")


def accepted(
    partner: Ints, similarity: Similarity, expected: Arcs, actual: Arcs, gate: Gate
) -> Mask:
    """Which expected nodes keep their partner.

    A pair is an *anchor* when it shares a type and its evidence, which is attribute similarity
    less what agreeing by chance explains, is at least ``gate.anchor``. Acceptance spreads along
    matched edges (same relation, both ends aligned) to pairs of at least ``gate.spread`` attribute
    similarity, whatever their types. A pair of which one node or both have no attributes has
    nothing to compare: it is never an anchor, and acceptance spreads to it when it shares a type.
    """
    rows = np.flatnonzero(partner >= 0)
    columns = partner[rows]
    count = len(partner)
    anchor, spread = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
    likeness = similarity.attributes[rows, columns]
    typed = similarity.types[rows, columns] > 0
    known = similarity.comparable[rows, columns]
    anchor[rows] = known & typed & (similarity.evidence[rows, columns] >= gate.anchor - _ROUNDING)
    spread[rows] = np.where(known, likeness >= gate.spread - _ROUNDING, typed)
    may = anchor | spread
    edges = matched(partner, expected, actual)
    edges &= may[expected.source] & may[expected.target]
    tied = sparse.csr_array(
        (
            np.ones(int(edges.sum()), dtype=np.int8),
            (expected.source[edges], expected.target[edges]),
        ),
        shape=(count, count),
    )
    parts, part = connected_components(tied, directed=False)
    vouched = np.bincount(part[anchor], minlength=parts) > 0
    found: Mask = may & vouched[part]
    return found


def matched(partner: Ints, expected: Arcs, actual: Arcs) -> Mask:
    """Which expected arcs are there in the other graph, between the partners of their ends."""
    there = set(
        zip(actual.source.tolist(), actual.target.tolist(), actual.relation.tolist(), strict=True)
    )
    moved = zip(
        partner[expected.source].tolist(),
        partner[expected.target].tolist(),
        expected.relation.tolist(),
        strict=True,
    )
    return np.fromiter((arc in there for arc in moved), dtype=bool, count=len(expected.source))
