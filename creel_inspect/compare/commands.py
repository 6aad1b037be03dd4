"""``creel-inspect compare``: which model is better, is it real, and where do they differ?"""

import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from creel_inspect.compare.refusing import CompareError

# The statistics take a second to import, which the other commands do without.
# ruff: noqa: PLC0415

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--html", type=_FILE, help="Write the whole report as one HTML file.")
@click.option("--json", "json_file", type=_FILE, help="Write it as JSON.")
@click.option("--parquet", type=_FILE, help="Write one row a sample, for pandas and others.")
@click.option("--score", metavar="SCORER[.ENTRY]", help="Which score, where the logs have several.")
@click.option("--common", is_flag=True, help="Compare what the runs have in common.")
@click.option(
    "--fail-on",
    type=click.Choice(["regression"]),
    help="Take two PATHs as base and new; exit status 1 if new is worse.",
)
@click.option(
    "--margin",
    type=float,
    metavar="D",
    help="How much worse new may be, as a share of 1. With --fail-on; 0 if not given.",
)
def compare(
    paths: tuple[str, ...],
    html: Path | None,
    json_file: Path | None,
    parquet: Path | None,
    score: str | None,
    common: bool,
    fail_on: str | None,
    margin: float | None,
) -> None:
    """Compare the runs in PATHs: Inspect logs, or folders of them, here or at a URL.

    Runs are compared on the same cases, paired, with intervals; where that would not be fair, it is
    refused with the remedy. Two PATHs that hold runs of the same model and arguments are taken as
    base and new.

    Exit status 2 if a task could not be compared. With `--fail-on regression` a summary in Markdown
    is printed, and the exit status is 1 if the whole 95 % interval of new minus base lies below
    minus the margin, and 2 if that was not measured: no case scored in both, or a fifth of the
    samples without a score.
    """
    if margin is not None and fail_on is None:
        raise click.UsageError("--margin goes with --fail-on regression")
    if fail_on is not None and len(paths) != 2:
        raise click.UsageError(
            f"--fail-on regression takes two PATHs, base and new; came {len(paths)}"
        )
    _check_files(paths, [html, json_file, parquet])

    from rich.console import Console

    from creel_inspect.compare.comparing import compare as compared
    from creel_inspect.compare.console import print_report
    from creel_inspect.compare.frames.loading import load_frame
    from creel_inspect.compare.regression import markdown, regression
    from creel_inspect.markdown import block

    frame = load_frame(paths, score=score)
    if parquet is not None:
        # First: whoever wants the rows gets them, whether or not they can be compared.
        _write(parquet, frame.to_parquet)
    try:
        report = compared(frame, common=common)
    except CompareError as error:
        if fail_on is not None:
            # What is kept of a run in CI is its standard output.
            click.echo(f"## Not compared\n\n{block(error.message)}\n")
        raise
    if json_file is not None:
        text = report.model_dump_json(indent=1)
        _write(json_file, lambda file: Path(file).write_text(text, encoding="utf-8"))
    if html is not None:
        from creel_inspect.compare.page.render import render_html

        page = render_html(report)
        _write(html, lambda file: Path(file).write_text(page, encoding="utf-8"))
    if fail_on is not None:
        found = regression(report, margin or 0.0)
        click.echo(markdown(report, found))
        raise SystemExit(found.exit_status or (2 if report.refused else 0))
    print_report(report, Console(soft_wrap=True))
    if report.refused:
        raise SystemExit(2)


def _check_files(paths: Sequence[str], files: Sequence[Path | None]) -> None:
    """Sees to it that what is asked for can be written, before anything is read.

    Raises:
        CompareError: If it cannot, or would be written over a log; or there are no logs.
    """
    wanted = [file for file in files if file is not None]
    for file in wanted:
        if not file.resolve().parent.is_dir():
            raise CompareError(f"{file}: there is no folder {file.parent} to write it in; make it")
        if not os.access(file.resolve().parent, os.W_OK):
            raise CompareError(f"{file}: nothing can be written in the folder {file.parent}")
    resolved = [file.resolve() for file in wanted]
    twice = next((file for file in wanted if resolved.count(file.resolve()) > 1), None)
    if twice is not None:
        raise CompareError(f"{twice} is named for two outputs; give each its own")
    if not wanted:
        return
    from creel_inspect.compare.frames.logs import find_logs

    logs = {Path(one.location).resolve() for one in find_logs(paths) if "://" not in one.location}
    over = next((file for file in wanted if file.resolve() in logs), None)
    if over is not None:
        raise CompareError(f"{over} is a log to be read; name another file to write")


def _write(file: Path, write: Callable[[str], Any]) -> None:
    """Writes beside the file and moves it there, so that a full disk leaves the old one whole.

    Raises:
        CompareError: If it cannot be written.
    """
    try:
        handle, beside = tempfile.mkstemp(dir=file.resolve().parent, prefix=f".{file.name}-")
        os.close(handle)
        try:
            write(beside)
            # `mkstemp` keeps its file to its owner; a report is read like any other file.
            umask = os.umask(0)
            os.umask(umask)
            Path(beside).chmod(0o666 & ~umask)
            Path(beside).replace(file.resolve())
        finally:
            Path(beside).unlink(missing_ok=True)
    except OSError as error:
        raise CompareError(f"{file}: cannot be written: {error}") from error
