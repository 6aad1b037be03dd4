"""The extraction scorer: a thin Inspect wrapper round ``scored``."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
from click import ClickException
from inspect_ai.event import ErrorEvent
from inspect_ai.log import transcript
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from creel_inspect.extract.corpus.corpus import bundled_corpora, policy_names
from creel_inspect.extract.extractors.model import Extraction
from creel_inspect.extract.extractors.outcomes import Outcome
from creel_inspect.extract.files.reading import CorpusError
from creel_inspect.extract.marking.marking import GATES, GateMode
from creel_inspect.extract.metrics import extraction_metrics
from creel_inspect.extract.policy.policy import BUILT_IN, Policy, load_policy
from creel_inspect.extract.samples import LoggedCase, case_from
from creel_inspect.extract.scored import (
    NOTHING_MEASURED,
    Extracted,
    Scored,
    resolution_for,
    score_case,
    scored_under,
)
from creel_inspect.scoring.judge import grader, grader_is_bound
from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import VerifierConfigError

DEFAULT_POLICY = "strict"


class PolicyRefusedError(ClickException):
    """A policy or a gate that cannot be used, or a log of another task.

    Not a ValueError, which ``inspect score`` takes for a scorer that is not there.
    """


@scorer(metrics=[extraction_metrics()])
def extraction(
    policy: str | None = None,
    gate: GateMode = "report",
    allow_related_judge: bool = False,
) -> Scorer:
    """Scores an extracted graph, element by element, with the verifiers of a policy.

    Args:
        policy: A policy of the sample's corpus by name, or the path of a file (``.yaml``); by
            default ``strict`` where the corpus has it, else the built-in ``default``.
        gate: What becomes of a value that stands in no source: ``report`` lists it, ``enforce``
            makes it wrong, ``off`` does not look.
        allow_related_judge: Lets the subject's own model, or one of its family, judge it.

    Raises:
        PolicyRefusedError: If there is no such gate or policy, or the policy is not in order; for
            a file of one's own at once, for a corpus's when the first sample is scored.
    """
    gate = gate_named(gate)
    if policy is not None and not isinstance(policy, str):
        # The command line reads `policy=2` and `policy=no` as YAML does.
        raise PolicyRefusedError(
            f"policy: expected a policy's name or the path of a file, came {policy!r}; give a "
            "name that is no number or truth value in YAML"
        )
    if policy is not None and policy.endswith((".yaml", ".yml")):
        _refusing(policy, None)
    policies, order = Policies(policy), _Order()

    async def score(state: TaskState, target: Target) -> Score | None:
        if _errored():
            await order.wait()
            return None
        with order.scoring():
            return await measured(state, target)

    async def measured(state: TaskState, target: Target) -> Score:
        try:
            case = case_from(state.metadata, target.text)
            chosen = policies.of(case)
            needs_judge = resolution_for(case, chosen).needs_judge
        except (CorpusError, VerifierConfigError) as error:
            raise PolicyRefusedError(f"{state.sample_id}: {error}") from error
        extraction = state.store_as(Extraction)
        ended = why_not_extracted(extraction.outcome)
        if ended:
            return Score.unscored(
                reason="not_extracted",
                explanation=f"Not measured: {ended}.",
                metadata={"outcome": extraction.outcome, **scored_under(chosen, gate)},
            )
        judge = None
        if needs_judge and grader_is_bound():
            judge = grader(str(state.model), allow_related=allow_related_judge)
        found = await score_case(case, extracted_from(extraction), chosen, gate=gate, judge=judge)
        return to_score(found, extraction)

    return score


def _errored() -> bool:
    """Whether the sample ended in an error, which its log tells when it is scored again.

    Its store may hold what was extracted all the same. It has no score, and gets none: one that it
    had under one policy alone would look like a difference between the two.
    """
    return any(isinstance(event, ErrorEvent) for event in transcript().events)


class _Order:
    """Sees to it that errored samples are not the first to be done when a log is scored again.

    Inspect names a row that is appended after the first sample that is done. One that errored has
    no earlier score, so that the row would get the name of the first one, and no sample but those
    that errored would be counted in it.
    """

    _MOST_TURNS, _SECONDS = 50, 0.01

    def __init__(self) -> None:
        self._running = self._done = 0

    @contextmanager
    def scoring(self) -> Iterator[None]:
        self._running += 1
        try:
            yield
        finally:
            self._running -= 1
            self._done += 1

    async def wait(self) -> None:
        """Waits for another sample to be done, where there is one."""
        turns = 0
        while not self._done and (self._running or turns < self._MOST_TURNS):
            turns += 1
            await anyio.sleep(self._SECONDS)
        await anyio.sleep(self._SECONDS)  # for Inspect to take note of it


def why_not_extracted(outcome: str | None) -> str:
    """Why an extraction is no result; empty where it is one."""
    if outcome is None:
        return "extracting did not end, because the provider failed or a limit was reached"
    if outcome not in list(Outcome):
        known = ", ".join(one.value for one in Outcome)
        return f"the extractor says that it ended as {shown(outcome)}: expected one of {known}"
    return ""


def gate_named(gate: object) -> GateMode:
    """The gate that an argument names.

    Raises:
        PolicyRefusedError: If there is no such gate.
    """
    if gate is False:  # `gate=off`, which the command line reads as YAML does
        return "off"
    for one in GATES:
        if gate == one:
            return one
    raise PolicyRefusedError(f"gate is {gate!r}; it is one of {', '.join(GATES)}")


def extracted_from(extraction: Extraction) -> Extracted:
    """What a sample's store holds, as scoring takes it."""
    return Extracted(
        Outcome(str(extraction.outcome)), extraction.graph, extraction.evidence, extraction.notes
    )


def to_score(found: Scored, extraction: Extraction) -> Score:
    """What was found, as Inspect keeps it."""
    # The graph itself is in the sample's store, and every element of it in the explanation.
    answer = _counted(extraction.graph) if found.submitted else found.outcome.value
    code = None if found.submitted else found.outcome.value
    if found.marking.refused:
        code = "not_comparable"
    unmeasured = found.outcome is Outcome.INSTRUMENT_ERROR or not found.measured
    if unmeasured:
        return Score.unscored(
            reason=NOTHING_MEASURED if code is None else code,
            answer=answer,
            explanation=found.explanation(),
            metadata=found.metadata(),
        )
    return Score(
        value=dict(found.value()),
        answer=answer,
        explanation=found.explanation(),
        reason=code,
        metadata=found.metadata(),
    )


def _counted(graph: Any) -> str:
    nodes, edges = len(graph["nodes"]), len(graph["edges"])
    return f"{nodes:,} node{'s' * (nodes != 1)}, {edges:,} edge{'s' * (edges != 1)}"


class Policies:
    """The policies that cases are scored under, each read once.

    A policy is read from where the corpus was when the case was run; a bundled corpus is found by
    its name where that is gone.

    Args:
        policy: As the scorer takes it.
    """

    def __init__(self, policy: str | None) -> None:
        self._policy = policy
        self._found: dict[tuple[Path, str], Policy] = {}

    def of(self, case: LoggedCase) -> Policy:
        """The policy of one case.

        Raises:
            CorpusError: If there is no such policy, or it is not in order.
        """
        key = (case.corpus_folder, case.corpus)
        if key not in self._found:
            folder: Path | None = case.corpus_folder
            if folder is not None and not folder.is_dir():
                folder = bundled_corpora().get(case.corpus)
            self._found[key] = self._read(folder)
        return self._found[key]

    def _read(self, folder: Path | None) -> Policy:
        if self._policy is not None:
            return load_policy(self._policy, folder)
        named = folder is not None and DEFAULT_POLICY in policy_names(folder)
        return load_policy(DEFAULT_POLICY if named else BUILT_IN, folder)


def _refusing(policy: str, folder: Path | None) -> Policy:
    try:
        return load_policy(policy, folder)
    except CorpusError as error:
        raise PolicyRefusedError(str(error)) from error
