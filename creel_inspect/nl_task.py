"""Question to query: the task that ``inspect eval creel_inspect/nl_task.py`` runs."""

from typing import Any

from inspect_ai import Task, task

from creel_inspect.offline_default import model_where_none_is_given
from creel_inspect.refusing import told_plainly
from creel_inspect.search.assemble import search_task
from creel_inspect.search.engine import EngineError

BASELINE = "creel/baseline"


@task
def nl_search(
    cases: str | None = None,
    corpus: str | None = None,
    projections: str | None = None,
    structures: str | None = None,
    arrivals: str | None = None,
    pivots_dir: str | None = None,
    occurrences_dir: str | None = None,
    timeout_seconds: float = 300,
    require_current: bool = True,
    resolver: str = "local",
    repair: int = 1,
    prompt: str | None = None,
    tags: str | list[str] | None = None,
    wrong_penalty: float = 1.0,
) -> Task:
    """English questions, translated into one Open Reaction Database query each, or refused.

    Args:
        cases: A case file's path; ``ord-schema`` for the cases of the installed ord-schema;
            nothing for the bundled ones.
        corpus: A bundled corpus by name (``demo``, the default), or a folder of ORD datasets
            (``.parquet``, ``.pb.gz``, ``.pbtxt``), derived on first use. Excludes ``projections``.
        projections: Glob of projections derived already, for a corpus of one's own.
        structures: Glob of their structures artifacts.
        arrivals: Glob of their arrivals artifacts; without it ``first_commit`` is refused.
        pivots_dir: Folder of their pivots.
        occurrences_dir: Folder of their occurrence artifacts.
        timeout_seconds: Bounds each search.
        require_current: Refuse artifacts that this version of the library did not write.
        resolver: ``local`` looks compound names up in a table; ``network`` asks public services.
        repair: 1 hands a malformed call back once with the compiler's message; 0 never does.
        prompt: ``ord-schema`` for the prompt of the installed ord-schema, or a file holding
            another; nothing for this package's.
        tags: Only cases that carry one of these tags (comma-separated, or a list).
        wrong_penalty: What a wrong answer costs in the ``reliability`` metric.
    """
    if projections is None and corpus is None:
        corpus = "demo"
    engine_args: dict[str, Any] = {
        "corpus": corpus,
        "projections": projections,
        "structures": structures,
        "arrivals": arrivals,
        "pivots_dir": pivots_dir,
        "occurrences_dir": occurrences_dir,
        "require_current": require_current,
        "resolver": resolver,
    }
    with told_plainly(ValueError, TypeError, EngineError):
        return search_task(
            engine="ord",
            engine_args={name: value for name, value in engine_args.items() if value is not None},
            named_corpus=corpus,
            cases=cases,
            tags=_listed(tags),
            prompt=prompt,
            repair=repair,
            timeout_seconds=timeout_seconds,
            wrong_penalty=wrong_penalty,
            model=model_where_none_is_given(
                BASELINE,
                f"No model given: running the offline {BASELINE}. For a real one: "
                "--model anthropic/claude-haiku-4-5",
            ),
        )


def _listed(tags: str | list[str] | None) -> list[str]:
    parts = tags.split(",") if isinstance(tags, str) else tags or []
    return [part.strip() for part in parts if part.strip()]
