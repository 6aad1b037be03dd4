"""The same extractions under another policy: which elements flip, from what to what, and why."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import anyio
from inspect_ai.log import EvalLog, EvalSample, list_eval_logs, read_eval_log
from inspect_ai.scorer import Score

from creel_inspect.extract.extractors.model import Extraction
from creel_inspect.extract.extractors.outcomes import Outcome
from creel_inspect.extract.files.reading import CorpusError
from creel_inspect.extract.marking.marking import GateMode, Mark
from creel_inspect.extract.samples import LoggedCase, case_from
from creel_inspect.extract.scored import (
    Extracted,
    Scored,
    is_scored,
    mark_json,
    score_case,
    scored_under,
)
from creel_inspect.extract.scorer import Policies, why_not_extracted
from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import VerifierConfigError

_Place = tuple[str, str, bool, int]

NOT_ASKED = "not asked"
"""The state of what only one of the two policies looks at, such as the whole graph."""


@dataclass(frozen=True)
class Flip:
    """One element that two policies judge differently.

    Attributes:
        path: Its taxonomy path.
        was: Its state before: ``right``, ``wrong``, ``missing``, ``invented``, ``unscored`` or
            ``not asked``.
        now: Its state under the new policy.
        expected: The gold's value.
        actual: The candidate's.
        verifier_was: The verifier before, and where it was named.
        verifier: The verifier now, and where it is named.
        reason_was: Its words.
        reason: Its words now.
    """

    path: str
    was: str
    now: str
    expected: Any
    actual: Any
    verifier_was: str
    verifier: str
    reason_was: str
    reason: str


@dataclass(frozen=True)
class Rescored:
    """One sample of a log under another policy.

    Attributes:
        log: The log.
        sample: The sample's id.
        epoch: Its epoch.
        policy_was: The policy it was compared with, as name, digest and gate; empty if there is
            none.
        policy: The new one.
        f1_was: F1 before; None if it was not measured.
        f1: F1 now; None if it is not measured, and ``why`` says why.
        coverage: The share of its marks that are not unscored.
        flips: What changed.
        why: Why nothing was measured.
    """

    log: str
    sample: str
    epoch: int
    policy_was: str
    policy: str
    f1_was: float | None
    f1: float | None
    coverage: float
    flips: tuple[Flip, ...] = ()
    why: str = ""

    def as_dict(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


def logs_in(places: Sequence[str]) -> list[str]:
    """The log files that paths name, each a log or a folder of logs; the oldest first.

    Raises:
        CorpusError: If one is not there, or a folder holds none.
    """
    found: list[str] = []
    for place in places:
        if Path(place).is_dir():
            inside = [one.name for one in list_eval_logs(place, descending=False)]
            if not inside:
                raise CorpusError(f"{place}: expected a log, or a folder with logs; it holds none")
            found += inside
        elif "://" in place or Path(place).is_file():
            found.append(place)
        else:
            raise CorpusError(f"{place}: there is no such log or folder")
    return found


def rescored(
    places: Sequence[str], policy: str, gate: GateMode, against: str | None = None
) -> list[Rescored]:
    """Every sample of these logs under a policy; see ``rescore``.

    Raises:
        CorpusError: If one cannot be read, is a log of another task, or the policy cannot be used;
            if there are no samples; or if none was scored under ``against``.
    """
    policies = Policies(policy)

    cases, found = _Cases(), list[Rescored]()
    for place in places:
        one = partial(rescore, read_log(place), policies, gate=gate, against=against, cases=cases)
        found += anyio.run(one)
    if not found:
        raise CorpusError(f"{', '.join(places)}: there are no samples to score")
    if against is not None and not any(one.policy_was for one in found):
        raise CorpusError(f"no sample was scored under a policy called {shown(against)}")
    return found


async def rescore(
    log: EvalLog,
    policies: Policies,
    *,
    gate: GateMode,
    against: str | None = None,
    cases: "_Cases | None" = None,
) -> list[Rescored]:
    """Every sample of a log of the extraction task under other policies. No model is asked.

    Args:
        log: The log, with its samples.
        policies: What to score under.
        gate: See the scorer.
        against: The policy to compare with, by name, or ``policy@gate``, where a log was scored
            under several; the first that is there by default.
        cases: Cases that were read before, from other logs.

    Raises:
        CorpusError: If it is a log of another task, or a policy cannot be used.
    """
    name, cases = Path(log.location).name, cases or _Cases()
    found = []
    for sample in log.samples or []:
        try:
            found.append(await _sample(name, sample, cases, policies, gate, against))
        except (CorpusError, VerifierConfigError) as error:
            raise CorpusError(f"{name}, sample {sample.id}: {error}") from error
    return found


class _Cases:
    """Cases as logs have them.

    Many logs have the same ones, and reading each again takes longer than marking it, since its
    sources are indexed to look values up in.
    """

    _MOST = 1_000

    def __init__(self) -> None:
        self._found: dict[str, LoggedCase] = {}

    def of(self, sample: EvalSample) -> LoggedCase:
        """A sample's case.

        Raises:
            CorpusError: If it is none of the extraction task.
        """
        target = sample.target if isinstance(sample.target, str) else "".join(sample.target)
        key = json.dumps([target, sample.metadata], default=repr)
        if key not in self._found:
            if len(self._found) >= self._MOST:
                self._found.clear()
            self._found[key] = case_from(sample.metadata, target)
        return self._found[key]


def read_log(place: str) -> EvalLog:
    """A log with its samples, as the scorer sees them.

    Raises:
        CorpusError: If it cannot be read.
    """
    try:
        return read_eval_log(place, resolve_attachments=True)
    except Exception as error:  # whatever a broken file makes Inspect raise
        raise CorpusError(f"{place} cannot be read as a log: {error}") from error


async def _sample(
    log: str,
    sample: EvalSample,
    cases: "_Cases",
    policies: Policies,
    gate: GateMode,
    against: str | None,
) -> Rescored:
    case = cases.of(sample)
    policy = policies.of(case)
    before = _score_before(sample, against)
    told: dict[str, Any] = {
        "log": log,
        "sample": str(sample.id),
        "epoch": sample.epoch,
        "policy_was": _named(before.metadata) if before else "",
        "policy": _named(scored_under(policy, gate)),
        "f1_was": _f1(before),
    }
    extracted = _extracted(sample)
    if isinstance(extracted, str):
        return Rescored(**told, f1=None, coverage=0.0, why=extracted)
    found = await score_case(case, extracted, policy, gate=gate)
    measured = found.measured and found.outcome is not Outcome.INSTRUMENT_ERROR
    return Rescored(
        **told,
        f1=found.value()["f1"] if measured else None,
        coverage=found.rollup.coverage,
        flips=tuple(_flips(before, found)) if before else (),
        why="" if measured else "nothing of it could be measured",
    )


def _extracted(sample: EvalSample) -> Extracted | str:
    """What was extracted, or why that is no result."""
    outcome = sample.store.get(_key("outcome"))
    # A sample that errored may have left an extraction behind: that is no result.
    why = "the sample ended in an error" if sample.error else why_not_extracted(outcome)
    if why:
        return why
    held = {name: sample.store.get(_key(name)) for name in ("graph", "evidence", "notes")}
    evidence, notes = held["evidence"] or {}, held["notes"] or []
    if not isinstance(evidence, Mapping):
        raise CorpusError(f"its store: expected `evidence` to be a mapping, came {shown(evidence)}")
    if not isinstance(notes, list):
        raise CorpusError(f"its store: expected `notes` to be a list, came {shown(notes)}")
    return Extracted(Outcome(str(outcome)), held["graph"], evidence, tuple(map(str, notes)))


def _key(field: str) -> str:
    return f"{Extraction.__name__}:{field}"


def _score_before(sample: EvalSample, against: str | None) -> Score | None:
    """The extraction score to compare with. Rows are told apart by what is written in each."""
    for score in (sample.scores or {}).values():
        said = score.metadata or {}
        row = (said.get("policy"), f"{said.get('policy')}@{said.get('gate')}")
        if isinstance(said.get("elements"), list) and (against is None or against in row):
            return score
    return None


def _named(metadata: Mapping[str, Any] | None) -> str:
    said = metadata or {}
    return f"{said.get('policy')} ({said.get('policy_digest')}), gate {said.get('gate')}"


def _f1(score: Score | None) -> float | None:
    if score is None or not is_scored(score.value):
        return None
    assert isinstance(score.value, dict)  # ``is_scored`` saw to it
    return float(score.value["f1"])


def _flips(before: Score, found: Scored) -> Iterator[Flip]:
    was = _by_place(map(_logged, (before.metadata or {}).get("elements", [])))
    now = _by_place(found.marking.marks)
    for place in dict.fromkeys([*was, *now]):
        before_it, after_it = was.get(place), now.get(place)
        old: Mapping[str, Any] = before_it.said if before_it else {}
        if "graph" in place and not (before_it and after_it):
            continue  # only one of the policies asks for a verdict on the whole
        if old.get("state") != (after_it.state if after_it else None):
            new = mark_json(after_it) if after_it else {}
            yield Flip(
                path=place[0],
                was=old.get("state", NOT_ASKED),
                now=new.get("state", NOT_ASKED),
                expected=new.get("expected", old.get("expected")),
                actual=new.get("actual", old.get("actual")),
                verifier_was=_verifier(old),
                verifier=_verifier(new),
                reason_was=old.get("reason", ""),
                reason=new.get("reason", ""),
            )


@dataclass(frozen=True)
class _Logged:
    """A mark as a score's metadata has it."""

    path: str
    part: str
    state: str
    lone: bool
    said: Mapping[str, Any]


def _logged(said: Any) -> _Logged:
    keys = ("path", "part", "state")
    if not isinstance(said, Mapping) or not all(isinstance(said.get(key), str) for key in keys):
        raise CorpusError(f"its score's `elements` hold {shown(said)}, which is no mark")
    return _Logged(said["path"], said["part"], said["state"], bool(said.get("lone")), said)


_AnyMark = TypeVar("_AnyMark", Mark, _Logged)


def _by_place(marks: Iterable[_AnyMark]) -> dict[_Place, _AnyMark]:
    """Marks by path, part, and whose id is in the path; several of one place in their order."""
    found: dict[_Place, _AnyMark] = {}
    numbers: Counter[tuple[str, str, bool]] = Counter()
    for one in marks:
        # An element that is invented has an id of the candidate's, which the gold may use as well.
        lone: bool = one.state == "invented" and one.lone
        place: tuple[str, str, bool] = (one.path, one.part, lone)
        found[(*place, numbers[place])] = one
        numbers[place] += 1
    return found


def _verifier(mark: Mapping[str, Any]) -> str:
    kind, origin = mark.get("verifier", ""), mark.get("origin", "")
    return f"{kind} ({origin})" if kind and origin else kind
