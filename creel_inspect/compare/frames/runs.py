"""What was measured: which logs belong to one run, and what a run is called.

A run is a model under one prompt and one set of arguments. Where a log lies, when it was made,
whether its task was run by path or by name, and by which scorer it was scored do not make it
another run; what it was measured *on* and *with* does keep runs from being pooled.
"""

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig, ModelConfig

from creel_inspect.compare.frames.logs import Side
from creel_inspect.compare.wording import one_line

Kind = Literal["search", "extraction", "other"]

DEFAULT = "default"
"""What a label says of a setting that another run has, and this one leaves as it is."""

_OPERATION = frozenset(
    {
        *("max_retries", "timeout", "attempt_timeout", "stream_idle_timeout", "max_connections"),
        *("adaptive_connections", "cache", "cache_prompt", "batch"),
    }
)
"""Settings of how a provider is talked to, not of what it is asked."""

_LIMITS = ("message_limit", "token_limit", "turn_limit", "time_limit", "working_limit")

_FINGERPRINTED = frozenset(
    {
        *("cases", "corpus", "projections", "structures", "arrivals", "pivots_dir"),
        *("occurrences_dir", "timeout_seconds", "wrong_penalty"),
        *("policy", "gate", "allow_related_judge"),
    }
)
"""Arguments of this package's tasks that fingerprints stand for: a folder may lie elsewhere, or go
by a name of its own, and still hold the same."""

_OWN_STEPS = frozenset({"require_judge"})
_SECRET = re.compile(r"(?i)(^|_)(key|token|secret|password|credentials?)$")
"""Arguments of a model that are nobody's business, and that make no other run."""
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_LONGEST = 48
"""Characters of a setting's value in a label."""


@dataclass(frozen=True)
class Identity:
    """What tells one run from another.

    Attributes:
        kind: Whose task it is.
        task: The task's bare name.
        model: The model.
        settings: Every setting by name, as text.
        prompt_fingerprint: The prompt's, empty where the task has none.
    """

    kind: Kind
    task: str
    model: str
    settings: Mapping[str, str]
    prompt_fingerprint: str

    @property
    def key(self) -> str:
        """Equal for equal runs."""
        told = dict(self.settings)
        if self.prompt_fingerprint:
            told.pop("prompt", None)  # two files may hold one prompt
        task = self.task if self.kind == "other" else self.kind
        return json.dumps([task, self.model, told, self.prompt_fingerprint], sort_keys=True)


@dataclass(frozen=True)
class Under:
    """What a run was measured on and with; runs that differ here are never pooled.

    Attributes:
        score: The score row, with its entry.
        case_fingerprint: The case file's or the corpora's; empty where the task has none.
        corpus_fingerprint: The searched corpus's.
        scorer_version: The version of this package's scorer.
        policy_fingerprint: JSON of the policy of each corpus.
        corpora: JSON of the digest of each corpus.
        scorer_params: JSON of the scorer's parameters that no fingerprint covers.
    """

    score: str = ""
    case_fingerprint: str = ""
    corpus_fingerprint: str = ""
    scorer_version: str = ""
    policy_fingerprint: str = ""
    corpora: str = ""
    scorer_params: str = "{}"


_UNDER_NAMES = {
    "score": "score",
    "case_fingerprint": "cases",
    "corpus_fingerprint": "corpus",
    "policy_fingerprint": "policy",
    "scorer_version": "scorer",
    "scorer_params": "scorer",
}


@dataclass(frozen=True, eq=False)
class Run:
    """A run; what its samples are is elsewhere.

    Attributes:
        side: ``base`` or ``new`` where two paths were given.
        identity: See there.
        under: See there.
        id: Twelve hex digits of all three.
    """

    side: Side
    identity: Identity
    under: Under
    id: str = field(init=False)

    def __post_init__(self) -> None:
        under = [getattr(self.under, name) for name in self.under.__dataclass_fields__]
        object.__setattr__(self, "id", digest([self.side, self.identity.key, under]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Run) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)


def digest(content: object) -> str:
    """Twelve hex digits of JSON."""
    text = json.dumps(content, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def kind_of(log: EvalLog) -> Kind:
    """Whose task a log is of, whatever the task is called."""
    metadata = log.eval.metadata or {}
    if "case_fingerprint" not in metadata:
        return "other"
    return "extraction" if "policies" in metadata else "search"


def bare(name: str) -> str:
    """A registered name without its package."""
    return name.rsplit("/", 1)[-1]


def text_of(value: Any) -> str:
    """A setting's value as text: the same for 300 and 300.0, and for any order of keys."""
    if isinstance(value, str):
        return _ADDRESS.sub("", value)
    return _ADDRESS.sub("", json.dumps(_plain(value), sort_keys=True, default=str))


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items() if one is not None}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value


def identity_of(log: EvalLog) -> Identity:
    """What a log's header tells of its run."""
    kind = kind_of(log)
    own = kind != "other"
    prompt = (log.eval.metadata or {}).get("prompt_fingerprint")
    arguments = {
        name: text_of(value)
        for name, value in {**log.eval.task_args, **log.eval.task_args_passed}.items()
        if value is not None and not (own and name in _FINGERPRINTED)
    }
    settings = dict(arguments)

    def tell(group: str, told: Mapping[str, Any]) -> None:
        for name, value in told.items():
            if value is not None:
                # Two of one name, such as an argument `temperature`, are kept apart.
                settings[f"{group}.{name}" if name in settings else name] = text_of(value)

    config = log.plan.config.merge(log.eval.model_generate_config)
    tell("generate", _told(config))
    tell("model", _unsecret(log.eval.model_args))
    tell("model", {"base_url": log.eval.model_base_url})
    tell("limit", {name: getattr(log.eval.config, name, None) for name in _LIMITS})
    for role, models in sorted((log.eval.model_roles or {}).items()):
        settings[f"role.{role}"] = _models(models)
    solver = " + ".join(
        _step(step.solver, step.params, arguments, own)
        for step in log.plan.steps
        if not (own and bare(step.solver) in _OWN_STEPS)
    )
    tell("plan", {"solver": solver or None})
    return Identity(kind, bare(log.eval.task), log.eval.model, settings, str(prompt or ""))


def _told(config: GenerateConfig) -> dict[str, Any]:
    told = config.model_dump(exclude_none=True, exclude=set(_OPERATION))
    told.pop("extra_headers", None)  # they hold keys and trace ids
    return told


def _unsecret(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if not _SECRET.search(name)}


def _models(models: ModelConfig | list[ModelConfig]) -> str:
    each = models if isinstance(models, list) else [models]
    told = []
    for one in each:
        settings = {**_told(one.config), "base_url": one.base_url, **_unsecret(one.args)}
        kept = {name: value for name, value in settings.items() if value is not None}
        told.append(f"{one.model} {text_of(kept)}" if kept else one.model)
    return ", ".join(told)


def _step(name: str, params: Mapping[str, Any], arguments: Mapping[str, str], own: bool) -> str:
    """A solver; parameters that are the task's arguments too are not told twice."""
    told = {
        name: text_of(value)
        for name, value in params.items()
        if value is not None
        and not (own and name in ("engine", "engine_args", "prompt"))
        and arguments.get(name) != text_of(value)
    }
    inside = ", ".join(f"{name}={value}" for name, value in sorted(told.items()))
    return f"{bare(name)}({inside})" if inside else bare(name)


def labels(runs: Sequence[Run]) -> dict[str, str]:
    """A short name for each run, by its id: unique within a task, in the order of ids."""
    tasks: dict[str, list[Run]] = defaultdict(list)
    for run in sorted(runs, key=lambda one: one.id):
        tasks[run.identity.task if run.identity.kind == "other" else run.identity.kind].append(run)
    return {id: label for group in tasks.values() for id, label in _labels(group).items()}


def _labels(runs: Sequence[Run]) -> dict[str, str]:
    by_model: dict[str, list[Run]] = defaultdict(list)
    for run in runs:
        by_model[run.identity.model].append(run)
    differing = {model: _differing(group) for model, group in by_model.items()}

    def label(run: Run, side: bool, under: Mapping[str, str]) -> str:
        told = {
            **{name: _setting(run, name) for name in differing[run.identity.model]},
            **{name: getattr(run.under, attribute) for attribute, name in under.items()},
        }
        parts = [f"{name.removesuffix('_fingerprint')}={_cut(told[name])}" for name in told]
        inside = f" [{', '.join(parts)}]" if parts else ""
        before = f"{run.side}: " if side and run.side else ""
        return one_line(f"{before}{run.identity.model}{inside}")

    found = {run.id: label(run, False, {}) for run in runs}
    for alike in _coinciding(runs, found):
        if len({run.side for run in alike}) > 1:
            found.update({run.id: label(run, True, {}) for run in alike})
    for alike in _coinciding(runs, found):
        side = len({one.side for one in runs if found[one.id].startswith("base: ")}) > 0
        under = {
            attribute: name
            for attribute, name in _UNDER_NAMES.items()
            if len({getattr(run.under, attribute) for run in alike}) > 1
        }
        found.update({run.id: label(run, side, under) for run in alike})
    taken: set[str] = set()
    for run in runs:
        number, first = 1, found[run.id]
        while found[run.id] in taken:
            number += 1
            found[run.id] = f"{first} ({number})"
        taken.add(found[run.id])
    return found


def _coinciding(runs: Sequence[Run], found: Mapping[str, str]) -> list[list[Run]]:
    by_label: dict[str, list[Run]] = defaultdict(list)
    for run in runs:
        by_label[found[run.id]].append(run)
    return [group for group in by_label.values() if len(group) > 1]


def _differing(runs: Sequence[Run]) -> list[str]:
    """Names of the settings in which runs of one model differ."""
    names = sorted({name for run in runs for name in run.identity.settings})
    differ = [name for name in names if len({_setting(run, name) for run in runs}) > 1]
    prints = {run.identity.prompt_fingerprint for run in runs}
    if len(prints) > 1:
        pairs = {(_setting(run, "prompt"), run.identity.prompt_fingerprint) for run in runs}
        told_by_name = len({name for name, _ in pairs}) == len(pairs)
        return differ if told_by_name else [*differ, "prompt_fingerprint"]
    # One prompt, from files of several names.
    return [name for name in differ if not (name == "prompt" and prints != {""})]


def _setting(run: Run, name: str) -> str:
    if name == "prompt_fingerprint":
        return run.identity.prompt_fingerprint or DEFAULT
    return run.identity.settings.get(name, DEFAULT)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"…{text[1 - _LONGEST :]}"
