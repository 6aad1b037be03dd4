"""What was measured: which logs belong to one run.

A run is a model under one prompt and one set of arguments. Where a log lies, when it was made,
whether its task was run by path or by name, and by which scorer it was scored do not make it
another run; what it was measured *on* and *with* does keep runs from being pooled.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig, ModelConfig

from creel_inspect.compare.frames.logs import Side
from creel_inspect.compare.frames.secrets import unsecret

Kind = Literal["search", "extraction", "other"]

_OPERATION = frozenset(
    {
        *("max_retries", "timeout", "attempt_timeout", "stream_idle_timeout", "max_connections"),
        *("adaptive_connections", "cache", "cache_prompt", "batch"),
    }
)
"""Settings of how a provider is talked to, not of what it is asked."""

_LIMITS = (
    *("message_limit", "token_limit", "token_limit_type", "turn_limit", "time_limit"),
    *("working_limit", "cost_limit"),
)

_FINGERPRINTED = frozenset(
    {
        *("cases", "corpus", "projections", "structures", "arrivals", "pivots_dir"),
        *("occurrences_dir", "timeout_seconds", "wrong_penalty"),
        *("policy", "gate", "allow_related_judge"),
    }
)
"""Arguments of this package's tasks that fingerprints stand for: a folder may lie elsewhere, or go
by a name of its own, and still hold the same."""

OWN_SCORERS: Mapping[Kind, str] = {"search": "search_answer", "extraction": "extraction"}
OWN_TASKS: Mapping[Kind, str] = {"search": "nl_search", "extraction": "extraction"}
_MARKS = frozenset({"prompt_fingerprint", "scorer_fingerprint", "engine"})
_OWN_STEPS = frozenset({"require_judge"})
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


@dataclass(frozen=True)
class Identity:
    """What tells one run from another.

    Attributes:
        kind: Whose task it is.
        task: The task's bare name; of a task of this package the one that it is registered by.
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
        scorer_package: The package of a scorer of others; empty where that is not known.
        case_fingerprint: The case file's or the corpora's; empty where the task has none.
        corpus_fingerprint: The searched corpus's.
        scorer_version: The version of this package's scorer.
        policy_fingerprint: JSON of the policy of each corpus.
        corpora: JSON of the digest of each corpus.
        scorer_params: JSON of the scorer's parameters that no fingerprint covers.
    """

    score: str = ""
    scorer_package: str = ""
    case_fingerprint: str = ""
    corpus_fingerprint: str = ""
    scorer_version: str = ""
    policy_fingerprint: str = ""
    corpora: str = ""
    scorer_params: str = "{}"


@dataclass(frozen=True, eq=False)
class Run:
    """A run; what its samples are is elsewhere.

    Attributes:
        side: ``base`` or ``new`` where two paths were given.
        identity: See there.
        under: See there.
        questions: A digest of what was asked under ids under which other runs asked otherwise.
        id: Twelve hex digits of all four.
    """

    side: Side
    identity: Identity
    under: Under
    questions: str = ""
    id: str = field(init=False)

    def __post_init__(self) -> None:
        under = [getattr(self.under, name) for name in self.under.__dataclass_fields__]
        told = [self.side, self.identity.key, under, *filter(None, [self.questions])]
        object.__setattr__(self, "id", digest(told))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Run) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)


def digest(content: object) -> str:
    """Twelve hex digits of JSON."""
    text = json.dumps(content, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def kind_of(log: EvalLog) -> Kind:
    """Whose task a log is of, whatever the task is called.

    Anybody may call a key of his metadata ``case_fingerprint``: it takes the scorer, or what else
    this package's tasks say of themselves.
    """
    metadata = log.eval.metadata or {}
    if "case_fingerprint" not in metadata:
        return "other"
    kind: Kind = "extraction" if "policies" in metadata else "search"
    named = {bare(one.name) for one in log.eval.scorers or []}
    named |= {bare(one.scorer) for one in (log.results.scores if log.results else [])}
    return kind if OWN_SCORERS[kind] in named or set(metadata) >= _MARKS else "other"


def task_name(log: EvalLog, kind: Kind) -> str:
    """A task's bare name; of a task of this package its registered one, whatever it is called."""
    registered = log.eval.task_registry_name if kind != "other" else None
    return bare(registered or log.eval.task)


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
        for name, value in unsecret({**log.eval.task_args, **log.eval.task_args_passed}).items()
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
    tell("model", unsecret(log.eval.model_args, drop_doubtful=True))
    tell("model", unsecret({"base_url": log.eval.model_base_url}))
    tell("limit", {name: getattr(log.eval.config, name, None) for name in _LIMITS})
    for role, models in sorted((log.eval.model_roles or {}).items()):
        settings[f"role.{role}"] = _models(models)
    solver = " + ".join(
        _step(step.solver, step.params, arguments, own)
        for step in log.plan.steps
        if not (own and bare(step.solver) in _OWN_STEPS)
    )
    tell("plan", {"solver": solver or None})
    return Identity(kind, task_name(log, kind), log.eval.model, settings, str(prompt or ""))


def _told(config: GenerateConfig) -> dict[str, Any]:
    told = config.model_dump(exclude_none=True, exclude=set(_OPERATION))
    told.pop("extra_headers", None)  # they hold keys and trace ids
    return unsecret(told)


def _models(models: ModelConfig | list[ModelConfig]) -> str:
    each = models if isinstance(models, list) else [models]
    told = []
    for one in each:
        settings = {
            **_told(one.config),
            **unsecret({"base_url": one.base_url}),
            **unsecret(one.args, drop_doubtful=True),
        }
        kept = {name: value for name, value in settings.items() if value is not None}
        told.append(f"{one.model} {text_of(kept)}" if kept else one.model)
    return ", ".join(told)


def _step(name: str, params: Mapping[str, Any], arguments: Mapping[str, str], own: bool) -> str:
    """A solver; parameters that are the task's arguments too are not told twice."""
    told = {
        name: text_of(value)
        for name, value in unsecret(params).items()
        if value is not None
        and not (own and name in ("engine", "engine_args", "prompt"))
        and arguments.get(name) != text_of(value)
    }
    inside = ", ".join(f"{name}={value}" for name, value in sorted(told.items()))
    return f"{bare(name)}({inside})" if inside else bare(name)
