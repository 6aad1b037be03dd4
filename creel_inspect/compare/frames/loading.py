"""``load_frame``: from log files to one row for each sample of each run."""

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import pandas as pd
from inspect_ai.log import EvalLog, EvalSampleSummary

from creel_inspect.compare.frames.choosing import DEFAULT_ENTRIES, NoSuchScore, choose
from creel_inspect.compare.frames.columns import frame_of
from creel_inspect.compare.frames.labels import labels
from creel_inspect.compare.frames.logs import Place, find_logs, read_logs
from creel_inspect.compare.frames.measured import under_of, versions_of
from creel_inspect.compare.frames.pooling import LoggedRun, Pooled, pooled
from creel_inspect.compare.frames.requested import requested
from creel_inspect.compare.frames.runs import OWN_TASKS, Kind, Run, identity_of, kind_of
from creel_inspect.compare.frames.samples import Reader, Row
from creel_inspect.compare.frames.scales import bound
from creel_inspect.compare.frames.secrets import plain_place, without_secrets
from creel_inspect.compare.refusing import CompareError
from creel_inspect.compare.wording import one_line, some
from creel_inspect.verify.plain import shown

_MOST_SAMPLES = 10_000_000
"""Of one log: each that was asked for has a row, and anybody can write a large number."""

_LONGEST_ERROR = 120
"""Characters of why a log ended in error, in a note."""


def load_frame(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], *, score: str | None = None
) -> pd.DataFrame:
    """Reads Inspect logs into a frame: one row for each run, case and epoch.

    A run is a model under one prompt and one set of arguments. Samples that were asked for and that
    no log holds have a row too, with the state ``not_run``. Of a sample that was run again after an
    error or a crash, the last attempt without an error counts. Several runs of the same thing are
    pooled, as further epochs; ``frame.attrs["notes"]`` says so, and what was left out.

    Only headers and sample summaries are read, never whole samples.

    Args:
        paths: Log files, or folders with logs at any depth, here or at a URL that Inspect reads.
            Of exactly two, the first is taken as base and the second as new, and what was run in
            both is not pooled but kept apart.
        score: ``SCORER`` or ``SCORER.ENTRY``, where a value has several entries. By default the
            log's headline scorer, and its entry ``correct`` (search) or ``f1`` (extraction).

    Returns:
        The frame; ``columns`` lists its columns. ``attrs`` hold ``notes`` and ``sources``.

    Raises:
        CompareError: If a path is not there or holds no logs, no log can be read, or the score is
            not there or has to be chosen.
    """
    sources = [
        os.fspath(one) for one in ([paths] if isinstance(paths, str | os.PathLike) else paths)
    ]
    places = find_logs(sources)
    texts: dict[str, str] = {}
    read, notes = read_logs(places, partial(_logged, score=score, texts=texts))
    if not read:
        raise CompareError("no log could be read:\n" + "\n".join(notes[:20]))
    logged = [one for one in read if isinstance(one, LoggedRun)]
    lacking = [one for one in read if isinstance(one, NoSuchScore)]
    if lacking and not logged:
        there = sorted({name for one in lacking for name in one.there})
        raise CompareError(
            f"no log has a score {shown(score)}; those that are there: "
            + (", ".join(there) or "none")
        )
    notes += [f"{one.message}: it is left out" for one in read if isinstance(one, CompareError)]
    asked = [one for one in logged if one.requested or one.rows]
    notes += [
        f"{one.place.shown}: no samples were asked for; it is left out"
        for one in logged
        if not (one.requested or one.rows)
    ]
    if not asked:
        raise CompareError("no log asked for any sample:\n" + "\n".join(notes[:20]))
    notes += [
        f"{one.place.shown}: somebody marked samples of it as invalid; they count all the same"
        for one in asked
        if one.invalidated
    ]
    notes += [
        f"{one.place.shown}: it asked for {one.unnamed:,} more cases than it names, and they are "
        "not counted: it was made by an Inspect that did not log ids"
        for one in asked
        if one.unnamed
    ]
    notes += _not_read(asked)
    _name_alike(asked)
    runs, said = pooled(asked)
    notes += said
    _give_bounds(runs)
    named = labels(list(runs))
    in_order = sorted(runs, key=lambda run: (run.identity.kind, run.identity.task, named[run.id]))
    frame = frame_of(
        [(run, runs[run].rows) for run in in_order],
        named,
        {run.id: runs[run].versions for run in in_order},
    )
    frame.attrs["notes"] = notes
    frame.attrs["sources"] = [plain_place(one) for one in sources]
    return frame


def _logged(
    place: Place,
    log: EvalLog,
    samples: list[EvalSampleSummary],
    *,
    score: str | None,
    texts: dict[str, str],
) -> LoggedRun | CompareError:
    kind = kind_of(log)
    (cases, unnamed), epochs = requested(log, samples), log.eval.config.epochs or 1
    if len(cases) * epochs > _MOST_SAMPLES:
        return CompareError(
            f"{place.shown} says that {len(cases):,} cases were run in {epochs:,} "
            f"epochs, and no more than {_MOST_SAMPLES:,} samples are taken for true"
        )
    try:
        chosen = choose(log, samples, kind, score)
    except NoSuchScore as error:
        return error
    reader = Reader(log, place.location, kind, chosen, texts)
    return LoggedRun(
        place=place,
        task_id=log.eval.task_id,
        created=log.eval.created,
        status=log.status,
        error=_first_line(log),
        invalidated=log.invalidated,
        identity=identity_of(log),
        under=under_of(log, samples, kind, chosen),
        scorer=chosen.scorer,
        others=chosen.others,
        scored=chosen.seen,
        versions=versions_of(log),
        unnamed=unnamed,
        requested=[(case, epoch) for case in cases for epoch in range(1, epochs + 1)],
        rows=[reader.row(sample) for sample in samples],
    )


def _not_read(logged: Sequence[LoggedRun]) -> list[str]:
    """Which other scores the logs of a task have, where nobody chose among them."""
    others: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in logged:
        others[one.identity.task, one.under.score].update(one.others)
    return [
        f"{one_line(task)}: compared by {one_line(score)}; its logs also have "
        f"{some(sorted(names))}, which --score chooses"
        for (task, score), names in sorted(others.items())
        if names
    ]


def _first_line(log: EvalLog) -> str:
    """Why a log ended in error."""
    if log.error is None or log.status != "error":
        return ""
    first = one_line((log.error.message.strip() or "error").splitlines()[0])
    return without_secrets(first)[:_LONGEST_ERROR]


def _name_alike(logs: Sequence[LoggedRun]) -> None:
    """This package's tasks are what they are under any name; where there are several, they go by
    the one that is registered."""
    for kind, name in OWN_TASKS.items():
        own = [one for one in logs if one.identity.kind == kind]
        if len({one.identity.task for one in own}) > 1:
            for one in own:
                one.identity = replace(one.identity, task=name)


def _give_bounds(runs: Mapping[Run, Pooled]) -> None:
    """Where a score is known to lie in [0, 1], so does one that is missing."""
    scales: dict[tuple[Kind, str, str], list[Row]] = defaultdict(list)
    for run, one in runs.items():
        kind = run.identity.kind
        entry = DEFAULT_ENTRIES.get(kind)
        if entry is not None and run.under.score.endswith(f".{entry}"):
            bound(one.rows, kind, within=True)
        else:
            scales[kind, run.identity.task, run.under.score] += one.rows
    for (kind, _, _), rows in scales.items():
        bound(rows, kind)
