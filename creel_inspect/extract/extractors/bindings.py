"""Which of creel's extractors populates which type of a grammar: a corpus's ``bindings.yaml``.

The file is creel's own mapping, ``{element type: {strategy, config, elements?}}``. A corpus may be
anyone's, so only strategies that read the sources and nothing else are let through, with settings
that creel knows: creel itself passes over a misspelled one. Every regular expression must be one
that RE2 takes. That does not make it quick, since creel runs it with Python's backtracking ``re``,
so the engine is also run where it can be stopped (see ``creel_process``).
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from creel_inspect.extract.extractors.strategies import STRATEGIES, Bound, Cluster, Config, Step
from creel_inspect.extract.files.reading import CorpusError, Fault, Place, read_yaml
from creel_inspect.extract.grammar.model import Grammar
from creel_inspect.verify.graph.resolution import Side
from creel_inspect.verify.plain import shown

EVERY_TYPE = "*"
"""creel's id for the binding of every type that has none of its own."""

_MODEL_STRATEGIES = frozenset({"llm", "cluster_llm"})
_WHY_NOT = {
    "sql": "it opens a database connection that can read any file and load any extension",
    "function": "it runs Python code",
}
_KEYS = {"strategy", "config", "elements"}
_MADE = ("node_type", "edge_type", "type")
"""The settings that name the type of what is made, where it is another than the step's own."""
_MOST_STEPS = 500


@dataclass(frozen=True)
class Bindings:
    """Checked bindings, ready for creel.

    Attributes:
        steps: JSON-safe, as ``creel.bindings.ExtractorBindings.from_mapping`` takes it. ``*`` is
            written out: one step for each concrete type that no other step covers.
        digest: Twelve hex digits of the steps.
    """

    steps: Mapping[str, Mapping[str, Any]]
    digest: str

    @property
    def populated(self) -> frozenset[str]:
        """The element types that some step stands under, or makes elements of."""
        made = (step["config"].get(key) for step in self.steps.values() for key in _MADE)
        under = (one for name in self.steps for one in self.covered(name))
        return frozenset(one for one in (*under, *made) if one is not None)

    @property
    def model_types(self) -> tuple[str, ...]:
        """The element types that only a model can populate, sorted."""
        steps = (name for name, step in self.steps.items() if _needs_model(step))
        return tuple(sorted({one for name in steps for one in self.covered(name)}))

    @property
    def records(self) -> Mapping[str, tuple[str, ...]]:
        """Each source that steps name, and the steps that do."""
        named: dict[str, list[str]] = {}
        for name, step in self.steps.items():
            if source := step["config"].get("records_source"):
                named.setdefault(source, []).append(name)
        return {source: tuple(names) for source, names in named.items()}

    def covered(self, step: str) -> tuple[str, ...]:
        """The element types that one step covers."""
        elements: list[str] | None = self.steps[step].get("elements")
        return tuple(elements) if elements else (step,)

    def without_model(self) -> "Bindings":
        """The steps that need no model."""
        return _bindings({k: step for k, step in self.steps.items() if not _needs_model(step)})


def load_bindings(path: Path, corpus_folder: Path, grammar: Grammar) -> Bindings:
    """Reads a corpus's bindings file and checks it against the grammar.

    Raises:
        CorpusError: If it cannot be read, binds what the grammar does not have, uses another
            strategy than the six that are allowed, or has a setting that creel would pass over or
            stumble on. All the faults are named, each with its line.
    """
    document = read_yaml(path, corpus_folder)
    return bindings_from(document.value, grammar, document.where)


def bindings_from(
    value: Any, grammar: Grammar, where: Callable[..., str] = lambda *_: "bindings"
) -> Bindings:
    """Checks bindings that are at hand; ``where`` says where a key stands.

    Raises:
        CorpusError: As ``load_bindings``.
    """
    if not isinstance(value, Mapping):
        raise CorpusError(
            f"{where()}: expected a mapping from element types to strategies, came {shown(value)}"
        )
    if len(value) > _MOST_STEPS:
        raise CorpusError(f"{where()}: {len(value):,} bindings; expected at most {_MOST_STEPS}")
    faults: list[Fault] = []
    steps: dict[str, Step] = {}
    for name, binding in value.items():
        found = _step(str(name), binding, grammar)
        if isinstance(found, Step):
            steps[str(name)] = found
        else:
            faults.extend(found)
    if not faults:
        faults.extend(_overlaps(steps))
    if faults:
        lines = [f"{where(*f.place)}: {_dotted(f.place)}: {f.message}" for f in faults]
        raise CorpusError("\n".join(lines), tuple(faults))
    return _bindings(_written_out(steps, grammar))


def _bindings(steps: Mapping[str, Mapping[str, Any]]) -> Bindings:
    text = json.dumps(steps, sort_keys=True, ensure_ascii=True)
    return Bindings(steps, hashlib.sha256(text.encode()).hexdigest()[:12])


def _needs_model(step: Mapping[str, Any]) -> bool:
    return step["strategy"] in _MODEL_STRATEGIES


def _step(name: str, binding: Any, grammar: Grammar) -> Step | list[Fault]:
    if not isinstance(binding, Mapping):
        return [Fault((name,), f"expected {{strategy, config}}, came {shown(binding)}")]
    if unknown := [key for key in binding if key not in _KEYS]:
        said = f"no key is called {shown(unknown[0])}; expected {', '.join(sorted(_KEYS))}"
        return [Fault((name, unknown[0]), said)]
    strategy = binding.get("strategy")
    if not isinstance(strategy, str) or strategy not in STRATEGIES:
        return [Fault((name, "strategy"), _refusal(strategy))]
    try:
        config = STRATEGIES[strategy].model_validate(binding.get("config", {}))
    except ValidationError as error:
        return list(_setting_faults(name, strategy, error))
    try:
        elements = _elements(name, strategy, binding.get("elements"), config)
        bound = _bound(name, elements, grammar)
    except _Misplaced as error:
        return [Fault((name, *error.place), str(error))]
    faults = [Fault((name, "config", *place), said) for place, said in config.faults(bound)]
    return faults or Step(strategy, config, elements)


class _Misplaced(ValueError):
    def __init__(self, message: str, *place: str | int) -> None:
        super().__init__(message)
        self.place = place


def _refusal(strategy: Any) -> str:
    allowed = ", ".join(STRATEGIES)
    if isinstance(strategy, str) and strategy in _WHY_NOT:
        return (
            f"the strategy {strategy} is not allowed in a corpus: {_WHY_NOT[strategy]}; "
            f"use one of {allowed}"
        )
    return (
        f"{shown(strategy)} is none of the strategies that a corpus may use ({allowed}): others "
        "run code of installed packages"
    )


def _setting_faults(name: str, strategy: str, error: ValidationError) -> Iterator[Fault]:
    known = ", ".join(STRATEGIES[strategy].model_fields)
    for one in error.errors(include_url=False, include_context=False)[:20]:
        place: Place = (name, "config", *one["loc"])
        if one["type"] == "extra_forbidden":
            yield Fault(place, f"{strategy} has no such setting; it has {known}")
        elif one["type"] == "missing":
            yield Fault(place, f"{strategy} needs this setting")
        else:
            said = one["msg"].removeprefix("Value error, ")
            came = "" if one["type"] == "value_error" else f", came {shown(one['input'])}"
            yield Fault(place, f"{said}{came}")


def _elements(name: str, strategy: str, elements: Any, config: Config) -> tuple[str, ...] | None:
    if not isinstance(config, Cluster):
        if elements is not None:
            raise _Misplaced(
                f"{strategy} populates one type, and creel would run it for the first alone; "
                "only cluster_llm takes elements",
                "elements",
            )
        return None
    if (
        not isinstance(elements, list | tuple)
        or not elements
        or not all(isinstance(one, str) for one in elements)
    ):
        said = f"cluster_llm needs a list of element types, came {shown(elements)}"
        raise _Misplaced(said, "elements")
    if len(set(elements)) < len(elements):
        raise _Misplaced("an element type is listed twice", "elements")
    if name == EVERY_TYPE:
        raise _Misplaced("`*` binds one strategy to each type; give the cluster a name")
    return tuple(elements)


def _bound(name: str, elements: tuple[str, ...] | None, grammar: Grammar) -> Bound:
    """What a step populates. A type bound by itself may be abstract: its config can say which."""
    if elements is None and name == EVERY_TYPE:
        return Bound(name, None, grammar)
    sides = [
        (_side(one, ("elements", number) if elements else (), grammar), one)
        for number, one in enumerate(elements or (name,))
    ]
    for number, (side, one) in enumerate(sides if elements else ()):
        if grammar.types(side)[one].abstract:
            raise _Misplaced(f"{shown(one)} is abstract: name its subtypes", "elements", number)
    return Bound(name, sides[0][0], grammar)


def _side(element: str, place: Place, grammar: Grammar) -> Side:
    nodes, edges = grammar.types("node"), grammar.types("edge")
    if element in nodes and element in edges:
        raise _Misplaced(
            f"{shown(element)} is a node type and an edge type, and creel cannot tell them apart: "
            "rename one in the grammar",
            *place,
        )
    if element in nodes:
        return "node"
    if element in edges:
        return "edge"
    known = ", ".join([*nodes, *edges][:20])
    raise _Misplaced(f"the grammar has no type {shown(element)}; it has {known}", *place)


def _overlaps(steps: Mapping[str, Step]) -> Iterator[Fault]:
    """Types bound twice: creel would run the cluster, and pass over the other step."""
    clusters: dict[str, str] = {}
    for name, step in steps.items():
        for number, element in enumerate(step.elements or ()):
            place: Place = (name, "elements", number)
            if element in clusters:
                said = f"{shown(element)} is in {shown(clusters[element])} already"
                yield Fault(place, f"{said}: name it once")
            elif element in steps and steps[element].elements is None:
                said = f"{shown(element)} has a binding of its own, which creel would pass over"
                yield Fault(place, f"{said}: keep one of the two")
            clusters.setdefault(element, name)


def _written_out(steps: Mapping[str, Step], grammar: Grammar) -> dict[str, dict[str, Any]]:
    written = {name: step.to_json() for name, step in steps.items() if name != EVERY_TYPE}
    if EVERY_TYPE in steps:
        covered = {one for name, step in steps.items() for one in step.elements or (name,)}
        sides: tuple[Side, ...] = ("node", "edge")
        for side in sides:
            for name, type_ in grammar.types(side).items():
                if name not in covered and not type_.abstract:
                    written[name] = steps[EVERY_TYPE].to_json()
    return written


def _dotted(place: Place) -> str:
    return ".".join(shown(str(one), 60)[1:-1] for one in place)
