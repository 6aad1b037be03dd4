"""One extraction under one policy: what the scorer and re-scoring both come to."""

import dataclasses
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import anyio.to_thread

from creel_inspect.extract.extractors.outcomes import Outcome
from creel_inspect.extract.grammar.model import Grammar
from creel_inspect.extract.marking.marking import GateMode, Mark, Marking, mark, nothing_found
from creel_inspect.extract.marking.page import page
from creel_inspect.extract.marking.rollup import Rollup, f1, figures, precision, recall, roll_up
from creel_inspect.extract.policy.policy import Policy
from creel_inspect.extract.policy.resolution import PolicyResolution
from creel_inspect.extract.samples import LoggedCase
from creel_inspect.verify.graph.model import Graph, InvalidGraph
from creel_inspect.verify.plain import fault_of, json_safe, shown
from creel_inspect.verify.protocol import Context, Judge

SCORER_VERSION = 1
"""Rises when a change in scoring can change a score; the task's ``version`` is this number."""

NOTHING_MEASURED = "nothing_measured"
_MOST_VALUE = 500


@dataclass(frozen=True)
class Extracted:
    """What an extractor left behind; the fields of ``extractors.model.Extraction``."""

    outcome: Outcome
    graph: Mapping[str, Any] | None
    evidence: Mapping[str, Any]
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Scored:
    """One extraction, marked under one policy.

    Attributes:
        outcome: How extracting ended; ``malformed`` too where what it left is no graph.
        marking: The marks; of a sample without a graph, everything is missing.
        rollup: Their figures.
        policy: What it was scored under.
        gate: Likewise.
        notes: What the extractor had to say.
    """

    outcome: Outcome
    marking: Marking
    rollup: Rollup
    policy: Policy
    gate: GateMode
    notes: tuple[str, ...] = ()

    @property
    def submitted(self) -> bool:
        """Whether there was a graph to compare. Without one, nothing is right: not even nothing."""
        return self.outcome is Outcome.EXTRACTED and not self.marking.refused

    @property
    def measured(self) -> bool:
        """Whether the score says anything: not where all there is to mark is unscored."""
        total = self.rollup.total
        return not total.unmeasured or bool(total.expected or total.actual)

    def value(self) -> dict[str, float]:
        """The score's entries; see ``metrics``."""
        total, worth = self.rollup.total, float(self.submitted)
        low, high = self.rollup.bounds
        found = {
            "f1": worth * f1(total),
            "f1_low": worth * low,
            "f1_high": worth * high,
            "precision": worth * precision(total),
            "recall": worth * recall(total),
            "macro_f1": worth * self.rollup.macro_f1,
            "coverage": self.rollup.coverage,
            "extracted": worth,
            "matched": float(total.matched),
            "expected": float(total.expected),
            "came": float(total.actual),
            "unscored": float(total.unmeasured),
            "marks": float(sum(self.rollup.states.values())),
            "ungrounded": float(sum(one.grounding == "ungrounded" for one in self.marking.marks)),
        }
        # Only what gold and policy have, and all of it, NaN where it is not measured: a reducer of
        # epochs takes the same entries from each.
        if any(one.part == "graph" for one in self.marking.marks):
            passed = self.rollup.graph_passed
            found["graph_passed"] = math.nan if passed is None else worth * passed
        parts = {f"{name}_f1": one for name, one in self.rollup.elements.items()}
        for name, one in [*parts.items(), *self.rollup.types.items()]:
            if one.expected or one.unmeasured:
                measured = one.expected or one.actual
                found[name] = worth * f1(one) if measured else math.nan
        return found

    def explanation(self) -> str:
        """The page for a person."""
        under = f"policy {self.policy.name} ({self.policy.digest}), gate {self.gate}"
        told = page(self.marking, scored_under=under, notes=self.notes, submitted=self.submitted)
        if self.outcome is Outcome.EXTRACTED:
            return told
        return f"**No graph: {self.outcome.value}.** Everything expected is missing.\n\n{told}"

    def metadata(self) -> dict[str, Any]:
        """Everything behind the score, as JSON: the figures, and each mark."""
        found = {
            "outcome": self.outcome.value,
            **scored_under(self.policy, self.gate),
            "figures": figures(self.rollup),
            "elements": [mark_json(one) for one in self.marking.marks],
            "alignment": dict(self.marking.alignment),
            "chance_floor": dict(self.marking.chance_floor),
            "judge": dataclasses.asdict(self.marking.judge),
            "notes": list(self.notes),
        }
        return json_safe(found)


def scored_under(policy: Policy, gate: GateMode) -> dict[str, str | int]:
    """What tells this scorer's rows apart; in the metadata of every score."""
    return {
        "policy": policy.name,
        "policy_digest": policy.digest,
        "gate": gate,
        "scorer_version": SCORER_VERSION,
    }


def mark_json(one: Mark) -> dict[str, Any]:
    """A mark as JSON, without what it does not have; values that no log can hold are in words."""
    found = {}
    for field in dataclasses.fields(one):
        value = getattr(one, field.name)
        if field.name in ("expected", "actual"):
            if value is not None:
                found[field.name] = _kept(value)
        elif value not in (None, "", False):
            found[field.name] = value
    return json_safe(found)


def _kept(value: Any) -> Any:
    """A value as it is, or in words where it is long, or is one that JSON cannot hold."""
    fault = fault_of(value, finite=True)
    try:
        if fault is None and len(str(json_safe({"": value}))) <= _MOST_VALUE:
            return value
    except ValueError:  # nested deeply, a date, or the like
        pass
    return shown(value, _MOST_VALUE)


def scorer_fingerprint(policy: Policy, gate: GateMode) -> str:
    """Twelve hex digits that change when the same graph could score otherwise."""
    content = json.dumps([SCORER_VERSION, policy.digest, gate])
    return hashlib.sha256(content.encode()).hexdigest()[:12]


async def score_case(
    case: LoggedCase,
    extracted: Extracted,
    policy: Policy,
    *,
    gate: GateMode = "report",
    judge: Judge | None = None,
    seed: int = 0,
) -> Scored:
    """Marks what was extracted of a case.

    Args:
        case: The case, as it was when it was run.
        extracted: What the extractor left behind.
        policy: The verifiers.
        gate: See ``marking.mark``.
        judge: Asked where a verifier needs one; without it such values are unscored.
        seed: For everything that is drawn.

    Raises:
        VerifierConfigError: If a path of the policy, or of the case's overrides, names nothing in
            the grammar.
    """
    resolution = resolution_for(case, policy)
    graph = _graph(extracted)
    outcome, notes = extracted.outcome, tuple(extracted.notes)
    if outcome is Outcome.EXTRACTED and not isinstance(graph, Graph):
        outcome, notes = Outcome.MALFORMED, (*notes, f"no graph: {graph}")
    if not isinstance(graph, Graph):
        marking = nothing_found(case.expected, case.grammar, resolution)
        return Scored(outcome, marking, roll_up(marking.marks), policy, gate, notes)
    texts = {name: source.text for name, source in case.sources.items()}
    marking = await _marked(
        resolution,
        judge,
        expected=case.expected,
        actual=graph,
        grammar=case.grammar,
        context=Context(sources=texts, judge=judge, seed=seed),
        evidence=extracted.evidence,
        sources=case.sources,
        gate=gate,
    )
    return Scored(outcome, marking, roll_up(marking.marks), policy, gate, notes)


async def _marked(resolution: PolicyResolution, judge: Judge | None, **about: Any) -> Marking:
    marked = partial(mark, resolution=resolution, **about)
    if judge is not None and resolution.needs_judge:
        return await marked()  # the judge is an Inspect model: of this event loop
    # On a thread: aligning a large graph takes seconds, and other samples have to go on. It has a
    # loop of its own, since what embeds a text may have to be awaited.
    return await anyio.to_thread.run_sync(partial(anyio.run, marked))


def _graph(extracted: Extracted) -> Graph | str:
    """The graph, or why there is none."""
    if extracted.outcome is not Outcome.EXTRACTED:
        return extracted.outcome.value
    try:
        return Graph.from_json(extracted.graph)
    except InvalidGraph as error:
        return str(error)


def resolution_for(case: LoggedCase, policy: Policy) -> PolicyResolution:
    """The case's verifiers. Cases without overrides of their own share one."""
    if case.verifiers:
        return PolicyResolution(case.grammar, policy, case.verifiers)
    return _shared(_Key(case.grammar, policy))


@dataclass(frozen=True)
class _Key:
    """Told apart by digests: grammars and policies are large, and not hashable."""

    grammar: Grammar
    policy: Policy

    def __hash__(self) -> int:
        return hash((self.grammar.digest, self.policy.digest, self.policy.source))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and hash(self) == hash(other)


@lru_cache(maxsize=32)
def _shared(key: _Key) -> PolicyResolution:
    return PolicyResolution(key.grammar, key.policy)


def is_scored(value: Any) -> bool:
    """Whether a score's value is one of this scorer's, with something measured."""
    if not isinstance(value, Mapping):
        return False
    first = value.get("f1")
    return isinstance(first, int | float) and math.isfinite(first)
