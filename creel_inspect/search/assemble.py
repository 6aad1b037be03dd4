"""A search task put together from its parts: everything is checked before a model is asked."""

import hashlib
import importlib
import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.log import HeadlineMetric
from inspect_ai.model import GenerateConfig

from creel_inspect.cache import cache_folder
from creel_inspect.search import adequacy
from creel_inspect.search.cases import CaseFile, CaseFileError, check_queries, load_cases, to_sample
from creel_inspect.search.engine import SearchEngine, open_engine
from creel_inspect.search.running import runner_for
from creel_inspect.search.scorer import SCORER_VERSION, search_answer
from creel_inspect.search.solver import prompt_fingerprint, translate

__version__ = version("creel-inspect")

_ATTEMPT_TIMEOUT = 180
_TIMEOUT = 900
"""Seconds for one request, and for one with its retries: providers wait without end by default."""
_PATIENCE = 30
"""Seconds that the right answers may take before the first question is asked."""


def search_task(
    *,
    engine: str,
    engine_args: Mapping[str, Any],
    named_corpus: str | None,
    cases: str | None = None,
    tags: Sequence[str] = (),
    prompt: str | None = None,
    repair: int = 1,
    timeout_seconds: float = 300,
    wrong_penalty: float = 1.0,
    model: str | None = None,
) -> Task:
    """The Inspect task that asks an engine's questions of a model.

    Args:
        engine: The search engine, by name.
        engine_args: What to open it with.
        named_corpus: The name of the corpus searched, as a case file would name it; None for one
            that has no name.
        cases: As ``load_cases`` takes it.
        tags: Only cases that carry one of these.
        prompt: As ``translate`` takes it.
        repair: As ``translate`` takes it.
        timeout_seconds: Bounds each search.
        wrong_penalty: What a wrong answer costs in ``reliability``.
        model: The model to use where the run names none.

    Raises:
        CaseFileError: If the case file cannot be run as it stands.
        ValueError: If an argument is out of its range.
        EngineError: If the engine cannot be opened.
    """
    importlib.import_module("creel_inspect.summary")  # registers its hook; see there
    file = load_cases(cases).tagged(tags)
    searcher = open_engine(engine, **engine_args)
    solver = translate(engine, dict(engine_args), prompt, repair)
    scorer = search_answer(engine, dict(engine_args), timeout_seconds, wrong_penalty)
    check_queries(file, searcher)
    _foresee(file, searcher, timeout_seconds)
    adequate = _is_named(file, named_corpus)
    if adequate:
        _refuse_inadequate(file, searcher, timeout_seconds)
    samples = [
        to_sample(
            case,
            searcher,
            fingerprint=file.fingerprint,
            adequate=adequate,
            searched={"engine": engine, "engine_args": dict(engine_args)},
        )
        for case in file.cases
    ]
    return Task(
        dataset=MemoryDataset(samples, name=file.path.stem, location=str(file.path)),
        solver=solver,
        scorer=scorer,
        config=GenerateConfig(attempt_timeout=_ATTEMPT_TIMEOUT, timeout=_TIMEOUT),
        model=model,
        # One provider failure is one sample that was not measured, for eval-retry to repeat.
        continue_on_fail=True,
        version=SCORER_VERSION,
        headline_metric=HeadlineMetric(scorer="search_answer", metric="accuracy"),
        metadata={
            "case_fingerprint": file.digest,
            "corpus_fingerprint": searcher.corpus_fingerprint,
            "prompt_fingerprint": prompt_fingerprint(searcher, prompt),
            "scorer_fingerprint": scorer_fingerprint(wrong_penalty, timeout_seconds),
            "engine": searcher.version,
        },
    )


def scorer_fingerprint(wrong_penalty: float, timeout_seconds: float) -> str:
    """Twelve hex digits that change when the same translation could score otherwise."""
    content = json.dumps([SCORER_VERSION, float(wrong_penalty), float(timeout_seconds)])
    return hashlib.sha256(content.encode()).hexdigest()[:12]


def _is_named(file: CaseFile, corpus: str | None) -> bool:
    """Whether the file was written for the corpus that is searched; says so where it was not."""
    if file.corpus is None:
        return False
    if corpus is not None and Path(file.corpus).resolve() == Path(corpus).resolve():
        return True
    print(
        f"{file.path.name} was written for the corpus {file.corpus!r}, and this run searches "
        f"{corpus or 'another'!r}: a case may be blind or weak here",
        file=sys.stderr,
    )
    return False


def _foresee(file: CaseFile, engine: SearchEngine, timeout_seconds: float) -> None:
    """Asks the corpus for the right answers, and says before the run which cases it leaves blind.

    The scorer needs the answers anyway. On a corpus so large that they take long, it asks for the
    rest of them as it comes to them.
    """
    blind = adequacy.foresee(
        file, runner_for(engine), timeout_seconds=timeout_seconds, patience_seconds=_PATIENCE
    )
    if blind:
        shown = ", ".join(blind[:5]) + (f" and {len(blind) - 5} more" if len(blind) > 5 else "")
        print(
            f"{len(blind)} of {len(file.cases)} cases cannot be measured on this corpus, where "
            f"their references fail or return nothing: {shown}",
            file=sys.stderr,
        )


def _refuse_inadequate(file: CaseFile, engine: SearchEngine, timeout_seconds: float) -> None:
    """Refuses a file that cannot tell right from wrong on the very corpus it was written for.

    On any other corpus a case may well be blind or weak: that is said of each sample instead.
    What has passed once is not run again, as long as file, corpus and libraries stay the same.
    """
    corpus = [file.fingerprint, engine.corpus_fingerprint, engine.version]
    content = [file.digest, *corpus, SCORER_VERSION, __version__]
    name = hashlib.sha256(json.dumps(content).encode()).hexdigest()[:32]
    passed = cache_folder("adequate") / name
    if passed.exists():
        return
    findings = adequacy.check(file, runner_for(engine), timeout_seconds=timeout_seconds)
    fatal = [finding for finding in findings if finding.problem in adequacy.FATAL]
    if fatal:
        shown = "\n".join(f"  {finding}" for finding in fatal[:20])
        raise CaseFileError(
            f"{file.path}: {len(fatal)} problems on the corpus it names ({file.corpus}):\n{shown}\n"
            "`creel-inspect search check` lists them all"
        )
    with suppress(OSError):  # a cache that cannot be written costs the next run its time
        passed.parent.mkdir(parents=True, exist_ok=True)
        passed.touch()
