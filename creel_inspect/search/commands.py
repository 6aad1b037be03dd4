"""``creel-inspect search``: check cases, build their IDs, derive a corpus. No model is asked."""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import click

from creel_inspect.search import adequacy
from creel_inspect.search.cases import CaseFile, CaseFileError, check_queries, load_cases
from creel_inspect.search.corpus import CorpusError, derive
from creel_inspect.search.engine import EngineError, SearchEngine, SearchFailed, open_engine
from creel_inspect.search.running import Runner, runner_for

F = TypeVar("F", bound=Callable[..., Any])

_EXPECTED = (CaseFileError, CorpusError, EngineError, SearchFailed, ValueError, OSError)


@click.group()
def search() -> None:
    """Question to query: the cases and the corpus of the nl_search task."""


def _corpus_options(command: F) -> F:
    """Where to search: the same names as the task's arguments."""
    for name, text in reversed(
        [
            ("corpus", "A bundled corpus (demo, the default), or a folder of ORD datasets."),
            ("projections", "Glob of projections derived already; excludes --corpus."),
            ("structures", "Glob of their structures artifacts."),
            ("arrivals", "Glob of their arrivals artifacts."),
            ("pivots-dir", "Folder of their pivots."),
            ("occurrences-dir", "Folder of their occurrence artifacts."),
        ]
    ):
        command = click.option(f"--{name}", help=text)(command)
    return command


_as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
_timeout = click.option(
    "--timeout-seconds",
    default=300.0,
    show_default=True,
    type=click.FloatRange(min=0, min_open=True),
    help="Bounds each search.",
)


@search.command()
@click.argument("cases", required=False)
@_corpus_options
@_timeout
@_as_json
def check(cases: str | None, as_json: bool, timeout_seconds: float, **where: str | None) -> None:
    """Say which cases of CASES cannot tell a right query from a wrong one.

    CASES is a case file, `ord-schema`, or nothing for the bundled one. Exit status 1 if there are
    findings.
    """
    with _reporting(as_json):
        file = load_cases(cases)
        engine = _engine(where)
        check_queries(file, engine)
        findings = adequacy.check(file, runner_for(engine), timeout_seconds=timeout_seconds)
        if as_json:
            report = {
                "cases": len(file.cases),
                "corpus_fingerprint": engine.corpus_fingerprint,
                "findings": [finding.as_dict() for finding in findings],
            }
            click.echo(json.dumps(report, indent=1))
        else:
            for finding in findings:
                click.echo(f"{finding} [{finding.problem.value}]")
            click.echo(f"{len(file.cases)} cases, {len(findings)} findings")
    if findings:
        raise SystemExit(1)


@search.command()
@click.argument("cases", required=False)
@click.option("--output", type=click.Path(dir_okay=False), help="Where to write; CASES if omitted.")
@click.option(
    "--per-near-miss",
    default=3,
    show_default=True,
    type=click.IntRange(min=1),
    help="At most how many IDs to keep in each direction for one near-miss.",
)
@_corpus_options
@_timeout
@_as_json
def build(
    cases: str | None,
    output: str | None,
    per_near_miss: int,
    as_json: bool,
    timeout_seconds: float,
    **where: str | None,
) -> None:
    """Derive must_return and must_not_return for cases with a reference and near-misses.

    The IDs are those that separate each reference from its near-misses on this corpus, whose
    fingerprint is written beside them. Exit status 1 if a near-miss cannot be told apart.
    """
    with _reporting(as_json):
        if output is None and (cases is None or cases == "ord-schema"):
            raise ValueError("say with --output where to write; installed files are left alone")
        file = load_cases(cases)
        engine = _engine(where)
        check_queries(file, engine)
        runner = runner_for(engine)
        _refuse_foreign_ids(file, runner)
        try:
            built = adequacy.build(
                file, runner, per_near_miss=per_near_miss, timeout_seconds=timeout_seconds
            )
        except adequacy.CannotTellApart as error:
            _fail(str(error), as_json, status=1)
        target = Path(output) if output else file.path
        _write(target, file, built, runner)
        if as_json:
            report = {
                "output": str(target),
                "corpus_fingerprint": engine.corpus_fingerprint,
                "cases": [asdict(one) for one in built],
            }
            click.echo(json.dumps(report, indent=1))
        else:
            for one in built:
                said = one.skipped or (
                    f"{len(one.must_return)} must return, {len(one.must_not_return)} must not"
                )
                click.echo(f"{one.case}: {said}")
            click.echo(f"written to {target}")


@search.command(name="derive")
@click.argument("corpus")
@click.option("--output", type=click.Path(file_okay=False), help="A folder; the cache if omitted.")
@_as_json
def derive_command(corpus: str, output: str | None, as_json: bool) -> None:
    """Derive the artifacts of CORPUS: a bundled one, or a folder of ORD datasets.

    Prints where they are, by the names of the task's arguments.
    """
    with _reporting(as_json):
        found = derive(corpus, output=Path(output) if output else None)
        if as_json:
            click.echo(json.dumps(asdict(found), indent=1))
        else:
            for name, value in asdict(found).items():
                click.echo(f"{name}: {value if value is not None else '-'}")


def _refuse_foreign_ids(file: CaseFile, runner: Runner) -> None:
    """Refuses to write this corpus's fingerprint beside IDs that another one's author wrote."""
    here = runner.engine.corpus_fingerprint
    for case in file.cases:
        ids = [*case.must_return, *case.must_not_return]
        if case.reference is not None or not ids:
            continue
        if file.fingerprint not in (None, here) or runner.missing(ids):
            raise CaseFileError(
                f"{file.path}: case {case.id!r} states IDs and no reference, and they are not of "
                f"this corpus ({here}); give it a reference, or build on its own corpus"
            )


def _engine(where: dict[str, str | None]) -> SearchEngine:
    given = {name: value for name, value in where.items() if value is not None}
    return open_engine("ord", **(given or {"corpus": "demo"}))


def _write(target: Path, file: CaseFile, built: list[adequacy.Built], runner: Runner) -> None:
    """Writes the case file with the IDs in it, whole or not at all."""
    document = json.loads(file.path.read_text(encoding="utf-8"))
    if isinstance(document, list):
        document = {"cases": document}
    document["fingerprint"] = runner.engine.corpus_fingerprint
    by_id = {one.case: one for one in built}
    for entry, case in zip(document["cases"], file.cases, strict=True):
        one = by_id[case.id]
        entry.setdefault("id", case.id)
        if one.skipped is None:
            entry["must_return"] = list(one.must_return)
            entry["must_not_return"] = list(one.must_not_return)
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=target.parent, delete=False, suffix=".tmp"
    ) as handle:
        handle.write(text)
    Path(handle.name).replace(target)


@contextmanager
def _reporting(as_json: bool) -> Iterator[None]:
    try:
        yield
    except _EXPECTED as error:
        _fail(str(error), as_json, status=2)


def _fail(message: str, as_json: bool, status: int) -> None:
    if as_json:
        click.echo(json.dumps({"error": message}))
    click.echo(f"creel-inspect: {message}", err=True)
    raise SystemExit(status)
