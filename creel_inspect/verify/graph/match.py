"""Two typed property multigraphs whose ids mean nothing: how much of one is in the other."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, StrictBool
from pydantic.dataclasses import dataclass

from creel_inspect.verify.graph.comparing import compare_graphs, too_large
from creel_inspect.verify.graph.distance import edit_distance, require_networkx
from creel_inspect.verify.graph.gate import Gate
from creel_inspect.verify.graph.model import Graph, InvalidGraph
from creel_inspect.verify.graph.pairing import Pairing, pair_nodes
from creel_inspect.verify.graph.report import lists, sentence
from creel_inspect.verify.graph.resolution import Resolution, Side, checked_paths
from creel_inspect.verify.graph.scoring import (
    PARTS,
    Found,
    by_type,
    elements,
    overall,
    tallies,
)
from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import (
    Code,
    Context,
    Example,
    VerdictScore,
    Verifier,
    VerifierError,
    failing,
)
from creel_inspect.verify.registry import CONFIG, VerifierSpec, verifier

Share = Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)]
Weight = Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)]


def _gate(value: Any) -> Any:
    if value is None:
        return Gate()
    if isinstance(value, Mapping):
        unknown = [key for key in value if key not in ("anchor", "spread")]
        if unknown:
            raise ValueError(f"no key is called {shown(unknown[0])}: its keys are anchor, spread")
        return Gate(**value)
    return value


def _weights(value: Any) -> Any:
    if value is None:
        return {}
    if isinstance(value, Mapping):
        unknown = [key for key in value if key not in PARTS]
        if unknown:
            raise ValueError(f"no part is called {shown(unknown[0])}: they are {', '.join(PARTS)}")
    return value


@verifier("graph_match")
@dataclass(frozen=True, kw_only=True, config=CONFIG)
class GraphMatch(Verifier):
    """How much of a graph was found, and how much of what was found belongs there.

    Takes graph-v1 JSON objects or the package's own graphs. Ids are not trusted and order does not
    matter: nodes are aligned by what they say and how they are linked (see ``pairing`` and
    ``align``), and only pairs that the gate accepts count (see ``gate``), because the best
    alignment of two unrelated graphs still matches many edges. Parts of the graph that are the
    same in both, ids apart, are always accepted, so that a perfect extraction scores exactly 1.

    Graphs whose nodes nothing tells apart (no attributes, or only values that most of them share)
    have no anchor: anything but an exact copy, part by part, scores near 0, however alike the
    structures are.

    Everything a graph says counts once, in one of six parts: each type of each node, each
    attribute of each node, each edge's head, relation and tail, and each attribute of each edge.
    The score is F1 over all of it::

        score = 2 · Σ_part weight·matched / Σ_part weight·(expected + actual)

    What is missing lowers recall, what is invented lowers precision. Two graphs that both say
    nothing are the same and score 1. An attribute matches when its verifier passes, and counts
    wholly or not at all. Edges between aligned nodes are paired first where head, relation and
    tail agree, then where two of the three do, then reversed ones; parallel edges so that as many
    attributes as possible pass. Compare the score with ``details["chance_floor"]``.

    A graph with directions is not compared with one without: that fails. So do a candidate that is
    no graph, and one of over 5,000 nodes, 50,000 edges or 200,000 attributes.

    Keys:
        threshold: The least score that passes, 0 to 1.
        weights: How much a part counts: ``node_type``, ``node_attributes``, ``edge_head``,
            ``edge_relation``, ``edge_tail``, ``edge_attributes``. Each at least 0, not all 0; 1
            where nothing is said.
        gate: ``anchor``, the least evidence (see ``similarity``) at which a pair of a common type
            stands alone (0.5), and ``spread``, the least attribute similarity at which one does
            that shares a matched edge with an accepted pair (0.2); 0 to 1, spread not above anchor.
        verifiers: Attribute verifiers by taxonomy path: ``node.<type>.<attribute>``,
            ``node.<type>``, ``node``, the same with ``[id]`` after the type for one expected
            element, the same with ``edge``, and ``default``. The longest match wins. Where none
            does, the expected value decides: ``numeric_tolerance`` for numbers, ``normalized`` for
            text, ``set_match`` for lists, ``exact`` for the rest.
        edit_distance: Adds the exact edit distance of graphs of at most five nodes, by networkx.

    Details:
        alignment: Expected node id → actual node id, of all accepted pairs.
        nodes, edges, attributes: Precision, recall and F1, and the counts behind them. A node
            counts when it has a partner, an edge when head, relation and tail are right.
        parts, by_type: The same per part, and per type (of each table the fifty most frequent
            types, and how many more there are).
        missing_…, extra_…, wrong_…: What is behind them; at most fifty of each.
        unmeasured: Attributes whose verifier could not tell. They are left out of the score; see
            ``bounds``, the scores if all of them were wrong, or right.
        chance_floor: The edge F1 that an alignment reaches which cannot be right, with the gate
            and without it; compare ``edges``.
        aligned, exact, objective, iterations: How the alignment went. No iterations: there was
            nothing left to align, or so few nodes that all alignments were tried.

    Raises:
        VerifierError: ``expected_invalid`` or ``too_large``, for the expected graph;
            ``part_not_measured`` when attributes that could not be measured decide whether it
            passes.
    """

    threshold: Share = 1.0
    weights: Annotated[dict[str, Weight], BeforeValidator(_weights)] = Field(default_factory=dict)
    gate: Annotated[Gate, BeforeValidator(_gate)] = Field(default_factory=Gate)
    verifiers: dict[str, VerifierSpec] = Field(default_factory=dict)
    edit_distance: StrictBool = False

    def __post_init__(self) -> None:
        if self.weights and not any(self._weight.values()):
            raise ValueError("weights: at least one part must weigh more than 0")
        checked_paths(self.verifiers)
        if self.edit_distance:
            require_networkx()

    @property
    def _weight(self) -> dict[str, float]:
        return {part: self.weights.get(part, 1.0) for part in PARTS}

    def inner(self) -> Sequence[Verifier]:
        return list(self.verifiers.values())

    async def acompare(self, actual: Any, expected: Any, context: Context) -> VerdictScore:
        try:
            gold = Graph.from_json(expected)
        except InvalidGraph as error:
            raise VerifierError(
                f"what is expected is no graph: {error}", code=Code.EXPECTED_INVALID
            ) from error
        large = too_large(gold)
        if large:
            raise VerifierError(f"the expected graph has {large}", code=Code.TOO_LARGE)
        try:
            candidate = Graph.from_json(actual)
        except InvalidGraph as error:
            return failing(f"the candidate is no graph: {error}")
        large = too_large(candidate)
        if large:
            return failing(f"the candidate has {large}")
        if gold.directed != candidate.directed:
            kinds = ["an undirected", "a directed"]
            return failing(
                f"expected {kinds[gold.directed]} graph, came {kinds[candidate.directed]} one"
            )
        pairing = pair_nodes(gold, candidate, self.gate, context.seed)
        found = await self._compared(gold, candidate, pairing, context)
        return self._verdict(found, pairing)

    async def _compared(
        self, gold: Graph, candidate: Graph, pairing: Pairing, context: Context
    ) -> Found:
        types: dict[Side, set[str]] = {
            "node": {one for node in gold.nodes.values() for one in node.types},
            "edge": {edge.type for edge in gold.edges},
        }
        return await compare_graphs(
            gold, candidate, pairing, Resolution(self.verifiers, types), context, asks=self.asks
        )

    def _verdict(self, found: Found, pairing: Pairing) -> VerdictScore:
        parts, weights = tallies(found), self._weight
        score = overall(parts, weights)
        bounds = [
            overall({name: one.settled(right=right) for name, one in parts.items()}, weights)
            for right in (False, True)
        ]
        said = lists(found)
        passed = score >= self.threshold
        unknown = sum(one.unmeasured * (weights[name] > 0) for name, one in parts.items())
        if unknown and (bounds[0] >= self.threshold) != (bounds[1] >= self.threshold):
            first = said["unmeasured"][0]
            raise VerifierError(
                f"{unknown} attribute(s) could not be measured, and the score is between "
                f"{bounds[0]:.3f} and {bounds[1]:.3f} with {self.threshold:g} to reach. "
                f"First: {first['path']}: {first['reason']}",
                code=Code.PART_NOT_MEASURED,
            )
        counts = elements(found, parts)
        details: dict[str, Any] = {
            "alignment": dict(found.partner),
            **{name: one.figures() for name, one in counts.items()},
            "parts": {name: one.figures() for name, one in parts.items()},
            "by_type": by_type(found),
            **said,
            "bounds": bounds,
            "chance_floor": dict(pairing.chance),
            "aligned": pairing.aligned,
            "exact": pairing.exact,
            "objective": pairing.objective,
            "iterations": pairing.iterations,
        }
        if self.edit_distance:
            details["edit_distance"] = edit_distance(found.expected, found.actual)
        reason = sentence(score, self.threshold, passed, counts, said)
        return VerdictScore(score=score, passed=passed, reason=reason, details=details)

    @classmethod
    def self_test(cls) -> Sequence[Example]:
        """Renamed ids pass; anything missing, invented or wrong does not."""
        return _examples()


def _graph(*edges: Any, **nodes: Any) -> dict[str, Any]:
    return {
        "nodes": {
            name: {"types": [kind], "attributes": attributes}
            for name, (kind, attributes) in nodes.items()
        },
        "edges": [
            {"id": f"e{n}", "type": kind, "source": ends[0], "target": ends[1], "attributes": said}
            for n, (ends, kind, said) in enumerate(edges)
        ],
    }


def _examples() -> list[Example]:
    project, person = ("project", {"title": "Clean water"}), ("person", {"name": "Amina Okello"})
    gold = _graph(("ab", "leads", {"since": 2019}), a=person, b=project)
    none: Any = ("x", {})
    anonymous = _graph(("ab", "next", {}), ("bc", "next", {}), a=none, b=none, c=none)
    paid = [("ab", "pays", {"amount": amount}) for amount in (100, 200)]
    parallel = _graph(*paid, a=person, b=project)

    def example(actual: Any, passes: bool | None, expected: Any = gold, **more: Any) -> Example:
        return Example(actual=actual, expected=expected, passes=passes, **more)

    return [
        example(_graph(("yx", "leads", {"since": 2019}), x=project, y=person), True),
        example(_graph(), True, expected=_graph()),
        example(
            _graph(("cb", "next", {}), ("ba", "next", {}), a=none, b=none, c=none),
            True,
            expected=anonymous,
        ),
        example(_graph(*paid[::-1], a=person, b=project), True, expected=parallel),
        example(_graph(paid[0], paid[0], a=person, b=project), False, expected=parallel),
        example(_graph(("ab", "leads", {"since": 2019}), a=project, b=person), False),
        example(_graph(("ab", "leads", {}), a=person, b=project), False),
        example(_graph(a=person, b=project), False),
        example(_graph(("ab", "leads", {"since": 2019}), a=person, b=project, c=person), False),
        example(_graph(), False),
        example("no graph", False),
        example({"nodes": {}, "edges": [{}]}, False),
        example(gold, None, expected={"nodes": []}, code=Code.EXPECTED_INVALID),
    ]
