"""``creel-inspect extraction``: check a corpus, explain its verifiers, re-score logs."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from creel_inspect.extract.marking.marking import GateMode
    from creel_inspect.extract.policy.resolution import Row

# What reads a corpus takes a moment to import, so each command imports what it needs.
# ruff: noqa: PLC0415

_MOST_SETTINGS = 60


@click.group()
def extraction() -> None:
    """Documents to a graph: the corpora and policies of the extraction task."""


_as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


@extraction.command()
@click.argument("corpus", metavar="PATH")
@_as_json
def check(corpus: str, as_json: bool) -> None:
    """Say what is wrong with the corpus at PATH: a folder, or a bundled corpus by name.

    Gold that breaks its own grammar, evidence that is not in the sources, verifiers that match
    nothing, cases that cannot catch a wrong answer. Exit status 1 if there are findings.
    """
    from creel_inspect.extract.checks.checking import examine

    with _reporting(as_json):
        found = examine(corpus)
    if as_json:
        findings = [one.as_dict() for one in found.findings]
        report = {"corpus": found.corpus, "cases": found.cases, "findings": findings}
        click.echo(json.dumps(report, indent=1))
    else:
        for one in found.findings:
            click.echo(_line(str(one)))
        click.echo(f"{_many(found.cases, 'case')}, {_many(len(found.findings), 'finding')}")
    if found.findings:
        raise SystemExit(1)


@extraction.command()
@click.argument("corpus")
@click.argument("path", required=False)
@click.option(
    "--policy",
    default="strict",
    show_default=True,
    help="One of the corpus's policies by name, or a policy file by its path.",
)
@click.option("--case", help="Also take the verifiers.yaml of this case into account.")
@_as_json
def explain(corpus: str, path: str | None, policy: str, case: str | None, as_json: bool) -> None:
    """Say which verifier counts for each path of CORPUS, and where it is named.

    PATH is a taxonomy path, such as `node.project.title`: then every verifier that was considered
    for it is listed, in order, and the one that counts is marked. Exit status 2 if it names
    nothing.
    """
    from creel_inspect.extract.corpus import case_files, layout
    from creel_inspect.extract.corpus.corpus import corpus_folder
    from creel_inspect.extract.files.reading import inside
    from creel_inspect.extract.grammar.file import load_grammar
    from creel_inspect.extract.policy.policy import load_policy
    from creel_inspect.extract.policy.resolution import PolicyResolution

    with _reporting(as_json):
        folder = corpus_folder(corpus)
        grammar = load_grammar(inside(folder, layout.GRAMMAR), folder)
        overrides: Mapping[str, Any] = {}
        if case is not None:
            overrides = case_files.read_overrides(layout.case_folder(case, folder), folder)
        resolution = PolicyResolution(grammar, load_policy(policy, folder), overrides)
        rows = resolution.explain(path)
    if as_json:
        report = {"corpus": folder.name, "policy": policy, "rows": [asdict(row) for row in rows]}
        click.echo(json.dumps(report, indent=1))
    else:
        _show(rows)


@extraction.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@click.option("--policy", required=True, help="A policy of each corpus by name, or a file's path.")
@click.option(
    "--gate",
    type=click.Choice(["off", "report", "enforce"]),
    default="report",
    show_default=True,
    help="What becomes of a value that stands in no source.",
)
@click.option(
    "--against", help="Compare with the score under this policy, where there are several."
)
@_as_json
def rescore(
    logs: tuple[str, ...], policy: str, gate: "GateMode", against: str | None, as_json: bool
) -> None:
    """Score LOGs (or folders of them) under another policy, and list the elements that flip.

    No model is asked and no log is written: `inspect score` does that. What only a judge can tell
    is unscored here.
    """
    from creel_inspect.extract.rescore_report import report_json, report_lines
    from creel_inspect.extract.rescoring import logs_in, rescored

    with _reporting(as_json):
        found = rescored(logs_in(logs), policy, gate, against)
    if as_json:
        click.echo(json.dumps(report_json(found), indent=1))
    else:
        for line in report_lines(found):
            click.echo(line)


def _show(rows: Sequence["Row"]) -> None:
    """A table on a terminal; elsewhere columns of plain text, one row a line."""
    marks = not all(row.won for row in rows)
    titles = [*([""] if marks else []), "path", "verifier", "origin"]
    lines = [
        [*([("*" if row.won else "")] if marks else []), row.path, _verifier(row), row.origin]
        for row in rows
    ]
    lines = [[_line(cell) for cell in line] for line in lines]
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(*titles)
        for row, line in zip(rows, lines, strict=True):
            table.add_row(*[Text(cell) for cell in line], style="bold" if marks and row.won else "")
        Console().print(table)
        return
    widths = [max(map(len, column)) for column in zip(titles, *lines, strict=True)]
    for line in [titles, *lines]:
        padded = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        click.echo("  ".join(padded).rstrip())


def _verifier(row: "Row") -> str:
    """A verifier's kind, with its settings where they are short."""
    if not row.kind:
        return "-"
    settings = {
        key: value
        for key, value in (row.spec if isinstance(row.spec, Mapping) else {}).items()
        if key != "kind"
    }
    text = json.dumps(settings, default=str, ensure_ascii=False)
    if not settings:
        return row.kind
    return f"{row.kind} {text if len(text) <= _MOST_SETTINGS else '{…}'}"


def _line(text: str) -> str:
    """A stranger's text on one line, with what a terminal would act on written out."""
    flat = " ".join(text.split())
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in flat
    )


def _many(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


@contextmanager
def _reporting(as_json: bool) -> Iterator[None]:
    from creel_inspect.extract.files.reading import CorpusError
    from creel_inspect.verify.protocol import VerifierError

    try:
        yield
    except (CorpusError, VerifierError, OSError) as error:
        _fail(str(error), as_json)


def _fail(message: str, as_json: bool) -> None:
    """Says on one line why a command could not be done."""
    message = _line(message)
    if as_json:
        click.echo(json.dumps({"error": message}))
    click.echo(f"creel-inspect: {message}", err=True)
    raise SystemExit(2)
