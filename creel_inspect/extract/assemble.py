"""An extraction task put together from its parts: everything is checked before a model is asked."""

import hashlib
import importlib
import json
from collections.abc import Sequence
from importlib.metadata import version

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.log import HeadlineMetric
from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from creel_inspect.extract.corpus.corpus import Corpus, bindings_file, bundled_corpora, load_corpus
from creel_inspect.extract.extractors.bindings import load_bindings
from creel_inspect.extract.extractors.creel import NO_MODEL, extract_with_creel
from creel_inspect.extract.extractors.model import extract_with_model
from creel_inspect.extract.extractors.named import extractor_named
from creel_inspect.extract.extractors.prompt import prompt_fingerprint
from creel_inspect.extract.files.reading import CorpusError
from creel_inspect.extract.marking.marking import GateMode
from creel_inspect.extract.policy.policy import Policy
from creel_inspect.extract.samples import case_from, to_sample
from creel_inspect.extract.scored import SCORER_VERSION, resolution_for, scorer_fingerprint
from creel_inspect.extract.scorer import Policies, extraction, gate_named
from creel_inspect.scoring.judge import require_judge
from creel_inspect.verify.protocol import VerifierConfigError

_ATTEMPT_TIMEOUT = 180
_TIMEOUT = 900
"""Seconds for one request, and for one with its retries: providers wait without end by default."""


def extraction_eval(
    *,
    corpora: Sequence[str] = (),
    policy: str | None = None,
    extractor: str | None = None,
    gate: GateMode = "report",
    repair: int = 1,
    allow_related_judge: bool = False,
    model: str | None = None,
) -> Task:
    """The Inspect task that extracts the cases of some corpora.

    Args:
        corpora: Names or folders; all bundled ones where there are none.
        policy: As the scorer takes it.
        extractor: ``model``, ``creel``, ``module:function``, or None for what suits the model.
        gate: As the scorer takes it.
        repair: As ``extract_with_model`` takes it.
        allow_related_judge: As the scorer takes it.
        model: The model to use where the run names none.

    Raises:
        CorpusError: If a corpus or a policy cannot be used as it stands.
        PolicyRefusedError: If there is no such gate.
        ValueError: If an argument is out of its range.
    """
    importlib.import_module("creel_inspect.summary")  # registers its hook; see there
    opened = [load_corpus(one) for one in dict.fromkeys(corpora or sorted(bundled_corpora()))]
    names = [one.name for one in opened]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise CorpusError(
            f"two corpora are called {twice!r}, and their cases could not be told apart; rename a "
            "folder, or run them one by one"
        )
    chosen = extract(extractor, repair)
    gate = gate_named(gate)
    scorer = extraction(policy, gate, allow_related_judge)
    samples = [to_sample(case, one) for one in opened for case in one.cases]
    joined = {one.name: _joined(one, policy) for one in opened}
    if extractor == "model" and model == NO_MODEL:
        raise ValueError(
            "the extractor `model` asks a model, and none was given: name one with --model"
        )
    if extractor == "creel" or (extractor is None and model == NO_MODEL):
        for one in opened:
            _check_bindings(one, with_model=model != NO_MODEL)
    digests = {one.name: one.digest for one in opened}
    return Task(
        dataset=MemoryDataset(samples, name="+".join(names), location=str(opened[0].folder)),
        # A judge of the subject's own family is told before the subject is asked.
        setup=require_judge(allow_related_judge, optional=True)
        if any(needs_judge for _, needs_judge in joined.values())
        else None,
        solver=chosen,
        scorer=scorer,
        config=GenerateConfig(attempt_timeout=_ATTEMPT_TIMEOUT, timeout=_TIMEOUT),
        model=model,
        # One provider failure is one sample that was not measured, for eval-retry to repeat.
        continue_on_fail=True,
        version=SCORER_VERSION,
        headline_metric=HeadlineMetric(scorer="extraction", metric="f1"),
        metadata={
            "corpora": digests,
            "case_fingerprint": _digest(digests),
            "policies": {name: one.digest for name, (one, _) in joined.items()},
            "scorer_fingerprint": _digest(
                {name: scorer_fingerprint(one, gate) for name, (one, _) in joined.items()}
            ),
            "extractor": extractor or "by model",
            "prompt_fingerprint": _digest(
                {one.name: prompt_fingerprint(one.grammar) for one in opened}
            ),
            "engine": f"creel {version('creel')}",
        },
    )


def _check_bindings(corpus: Corpus, *, with_model: bool) -> None:
    """Sees to it that the engine can run on a corpus.

    Raises:
        CorpusError: If its bindings are not in order, or there are none that need no model where
            there is none.
    """
    path = bindings_file(corpus.folder)
    bindings = load_bindings(path, corpus.folder, corpus.grammar) if path else None
    if with_model or (bindings and bindings.without_model().steps):
        return
    raise CorpusError(
        f"{corpus.name}: no model was given, and it has no bindings.yaml with anything that creel "
        "extracts without one: name a model with --model, or write bindings"
    )


def _digest(content: object) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:12]


def _joined(corpus: Corpus, policy: str | None) -> tuple[Policy, bool]:
    """The policy, joined once with the grammar and each case's overrides; and if it needs a judge.

    Raises:
        CorpusError: If a path of either names nothing.
    """
    found: Policy | None = None
    needs_judge = False
    for case in corpus.cases:
        sample = to_sample(case, corpus)
        logged = case_from(sample.metadata, str(sample.target))
        found = found or Policies(policy).of(logged)
        try:
            resolution = resolution_for(logged, found)
        except VerifierConfigError as error:
            raise CorpusError(f"{corpus.name}/{case.id}: {error}") from error
        needs_judge |= resolution.needs_judge
        unmatched = resolution.unmatched(case.expected)
        if unmatched:
            raise CorpusError(
                f"{corpus.name}/{case.id}: verifiers.yaml: {unmatched[0]} is for nothing in the "
                "expected graph"
            )
    if found is None:
        raise CorpusError(f"{corpus.name}: it has no cases: expected a folder with `sources`")
    return found, needs_judge


@solver
def extract(extractor: str | None = None, repair: int = 1) -> Solver:
    """Extracts with what ``extractor`` names.

    Args:
        extractor: ``model``, ``creel``, ``module:function``; None for ``creel`` where the model is
            ``creel/engine``, which stands for none, and ``model`` otherwise.
        repair: As ``extract_with_model`` takes it.

    Raises:
        ValueError: If there is no such extractor, or ``repair`` is neither 0 nor 1.
    """
    with_model, with_creel = extract_with_model(repair), extract_with_creel()
    if extractor not in (None, "model", "creel"):
        return extractor_named(extractor)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        name = extractor or ("creel" if str(get_model()) == NO_MODEL else "model")
        return await (with_creel if name == "creel" else with_model)(state, generate)

    return solve
