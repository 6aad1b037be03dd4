"""From the summary of a sample to one row."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from inspect_ai.log import EvalLog, EvalSampleSummary
from inspect_ai.model import ModelUsage
from inspect_ai.scorer import Score, value_to_float

from creel_inspect.compare.frames.choosing import Chosen, parts_of
from creel_inspect.compare.frames.runs import Kind, digest
from creel_inspect.compare.frames.secrets import without_secrets

State = Literal["scored", "unscored", "errored", "not_run"]

_to_float = value_to_float()
_WORDS = frozenset({"C", "I", "P", "N"})
_TRUTH = frozenset({"yes", "no", "true", "false"})
_ORDINARY = frozenset({"", "answered", "extracted"})


@dataclass(slots=True)
class Row:
    """One sample, or one that was asked for and that no log holds. The fields are columns, but
    ``pair``: the case that this one says it is the twin of; clusters are made of these."""

    case: str
    log_epoch: int
    log: str
    task_id: str
    created: str
    cluster: str
    pair: str = ""
    state: State = "not_run"
    epoch: int = 0
    uuid: str = ""
    reason: str = ""
    score: float = math.nan
    score_low: float = math.nan
    score_high: float = math.nan
    outcome: str = ""
    result: str = "not run"
    attempts: int | None = None
    first_try: bool | None = None
    total_seconds: float = math.nan
    working_seconds: float = math.nan
    input_tokens: int | None = None
    output_tokens: int | None = None
    total_tokens: int | None = None
    cost: float = math.nan
    misreading: str = ""
    feasible: bool | None = None
    corpus: str = ""
    tags: list[str] = field(default_factory=list)
    why: str = ""
    content: str = ""
    entries: Mapping[str, float] = field(default_factory=dict)


class Reader:
    """Makes rows of the samples of one log.

    Args:
        log: Its header.
        location: Where it lies.
        kind: Whose task it is of.
        chosen: Which score to read.
        texts: Texts that many samples share, kept once.
    """

    def __init__(
        self, log: EvalLog, location: str, kind: Kind, chosen: Chosen, texts: dict[str, str]
    ) -> None:
        self._log, self._location, self._kind, self._chosen = log, location, kind, chosen
        self._texts = texts
        self._own_model_roles = [
            role
            for role, models in (log.eval.model_roles or {}).items()
            if any(
                one.model == log.eval.model
                for one in (models if isinstance(models, list) else [models])
            )
        ]

    def _kept(self, text: str) -> str:
        return self._texts.setdefault(text, text)

    def row(self, sample: EvalSampleSummary) -> Row:
        """A sample's row; its epoch within the run is numbered later."""
        said = sample.metadata
        case = self._kept(str(sample.id))
        why, tags = said.get("why"), said.get("tags")
        row = Row(
            case=case,
            log_epoch=sample.epoch,
            log=self._location,
            task_id=self._log.eval.task_id,
            created=self._log.eval.created,
            cluster=case,
            pair=self._kept(_pair(said.get("pair"))) if self._kind == "search" else "",
            uuid=sample.uuid or "",
            total_seconds=_number(sample.total_time),
            working_seconds=_number(sample.working_time),
            corpus=self._kept(str(said["corpus"])) if self._is_text(said.get("corpus")) else "",
            tags=[self._kept(str(one)) for one in tags] if isinstance(tags, list) else [],
            why=self._kept(why) if isinstance(why, str) else "",
            content=self._kept(digest([_input(sample), sample.target])),
        )
        feasible = said.get("feasible")
        row.feasible = feasible if isinstance(feasible, bool) else None
        self._use(row, sample)
        if sample.error is not None:
            row.state, row.result = "errored", "errored"
            first = without_secrets(sample.error.strip().split("\n", 1)[0])
            row.reason = self._kept(first[:300] or "error")
            return row
        score = (sample.scores or {}).get(self._chosen.scorer)
        if score is None:
            row.state, row.result = "unscored", "unscored"
            row.reason = f"{sample.limit}_limit" if sample.limit else "no_score"
            return row
        self._score(row, score)
        if row.attempts is None and self._kind == "search":
            # A long attempt is no longer in the summary; each was one question to the model.
            row.attempts = None if sample.turn_count is None else _count(sample.turn_count)
        return row

    def _is_text(self, value: Any) -> bool:
        return self._kind == "extraction" and isinstance(value, str)

    def _use(self, row: Row, sample: EvalSampleSummary) -> None:
        used = sample.model_usage.get(self._log.eval.model)
        if used is None:
            return
        graded = [
            sample.role_usage[role] for role in self._own_model_roles if role in sample.role_usage
        ]
        row.input_tokens = _count(_read(used) - sum(map(_read, graded)))
        row.output_tokens = _count(used.output_tokens - sum(one.output_tokens for one in graded))
        row.total_tokens = _count(used.total_tokens - sum(one.total_tokens for one in graded))
        if used.total_cost is not None:
            row.cost = used.total_cost - sum(one.total_cost or 0.0 for one in graded)

    def _score(self, row: Row, score: Score) -> None:
        said: Mapping[str, Any] = score.metadata or {}
        parts = parts_of(score.value)
        own = self._kind != "other"
        entry = self._chosen.entry
        if own:
            row.outcome = self._kept(_text(said.get("outcome")))
            row.misreading = self._kept(_misreading(said))
            self._attempts(row, said, parts or {})
        if parts is not None:
            numbers = {name: _float(one)[0] for name, one in parts.items() if "." not in name}
            row.entries = {self._kept(name): one for name, one in numbers.items() if name != entry}
        value = score.value if parts is None else parts.get(entry or "")
        row.score, fault = _float(value)
        if math.isnan(row.score):
            row.state, row.result = "unscored", "unscored"
            row.reason = self._kept(_text(score.reason) or fault)
            return
        row.state = "scored"
        row.reason = self._kept(_text(score.reason))
        row.score_low = row.score_high = row.score
        if self._kind == "extraction" and entry == "f1" and parts:
            low, high = _float(parts.get("f1_low"))[0], _float(parts.get("f1_high"))[0]
            # What a policy could not judge leaves room on both sides.
            row.score_low = row.score if math.isnan(low) else low
            row.score_high = row.score if math.isnan(high) else high
        row.result = self._kept(result(row.score, row.outcome))

    @staticmethod
    def _attempts(row: Row, said: Mapping[str, Any], parts: Mapping[str, Any]) -> None:
        attempts = said.get("attempts")
        if isinstance(attempts, list):
            row.attempts = len(attempts)
        first = said.get("first_try")
        row.first_try = first if isinstance(first, bool) else None
        if row.first_try is None and "first_try" in parts:
            row.first_try = parts["first_try"] == 1
        if row.attempts is None and row.first_try:
            row.attempts = 1


def result(score: float, outcome: str) -> str:
    """How a sample ended whose score lies in 0 to 1, in a word or two."""
    if math.isclose(score, 1.0, rel_tol=1e-9):
        return "right"
    if outcome not in _ORDINARY:
        return outcome.replace("_", " ")
    if score == 0:
        return "wrong"
    return "partly right" if 0 < score < 1 else "scored"


def _pair(pair: Any) -> str:
    return str(pair) if isinstance(pair, str | int) and not isinstance(pair, bool) else ""


def _input(sample: EvalSampleSummary) -> Any:
    if isinstance(sample.input, str):
        return sample.input
    # Messages have ids that are drawn anew for each run.
    return [[message.role, message.text] for message in sample.input]


def _float(value: Any) -> tuple[float, str]:
    """A value as a number, or NaN and why it is none."""
    if isinstance(value, bool | int | float):
        # A whole number may be too large for one.
        try:
            number = float(value)
        except OverflowError:
            return math.nan, "not_finite"
        return (number, "") if math.isfinite(number) else (math.nan, "unscored")
    if value is None:
        return math.nan, "no_value"
    if isinstance(value, str) and (value in _WORDS or value.lower() in _TRUTH or _is_number(value)):
        return _to_float(value), ""
    # Inspect takes what it cannot read for 0, with a warning in its log: a zero nobody gave.
    return math.nan, "not_a_number"


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _read(usage: ModelUsage) -> int:
    """Tokens that a model was given; those from a cache are counted apart by Inspect."""
    cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
    return usage.input_tokens + cached


def _count(number: int) -> int | None:
    """A number that a column can hold: a log may say anything."""
    return number if abs(number) < 2**53 else None


def _text(value: Any) -> str:
    return str(value) if isinstance(value, str) else ""


def _misreading(said: Mapping[str, Any]) -> str:
    if isinstance(said.get("misreading"), str):
        return str(said["misreading"])
    near = said.get("near_miss")
    return f"near-miss {near}" if isinstance(near, int) and not isinstance(near, bool) else ""


def policy_of(score: Score | None) -> str:
    """The policy that a score was really made under, whatever the task's metadata say."""
    said = (score.metadata or {}) if score is not None else {}
    if not isinstance(said.get("policy_digest"), str):
        return ""
    return policy_text(said["policy_digest"], said.get("gate"))


def policy_text(policy_digest: str, gate: Any) -> str:
    """A policy and its gate in one text."""
    return f"{policy_digest}, gate {gate}"


def as_json(content: Mapping[str, Any]) -> str:
    """JSON with sorted names; empty for nothing."""
    return json.dumps(content, sort_keys=True) if content else ""
