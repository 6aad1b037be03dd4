"""``load_frame``: from log files to one row for each sample of each run."""

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial

import pandas as pd
from inspect_ai.log import EvalLog, EvalSampleSummary

from creel_inspect.compare.frames.choosing import DEFAULT_ENTRIES, NoSuchScore, choose
from creel_inspect.compare.frames.columns import frame_of
from creel_inspect.compare.frames.logs import Place, find_logs, read_logs
from creel_inspect.compare.frames.measured import under_of, versions_of
from creel_inspect.compare.frames.pooling import LoggedRun, Pooled, bound, pooled
from creel_inspect.compare.frames.runs import Run, identity_of, kind_of, labels
from creel_inspect.compare.frames.samples import Reader, Row
from creel_inspect.compare.refusing import CompareError
from creel_inspect.compare.wording import one_line
from creel_inspect.verify.plain import shown

_MOST_SAMPLES = 10_000_000
"""Of one log: each that was asked for has a row, and anybody can write a large number."""


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
        f"{one_line(one.place.location)}: no samples were asked for; it is left out"
        for one in logged
        if not (one.requested or one.rows)
    ]
    if not asked:
        raise CompareError("no log asked for any sample:\n" + "\n".join(notes[:20]))
    notes += [
        f"{one_line(one.place.location)}: somebody marked samples of it as invalid; they count all "
        "the same"
        for one in asked
        if one.invalidated
    ]
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
    frame.attrs["sources"] = sources
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
    cases, epochs = log.eval.dataset.sample_ids or [], log.eval.config.epochs or 1
    if len(cases) * epochs > _MOST_SAMPLES:
        return CompareError(
            f"{one_line(place.location)} says that {len(cases):,} cases were run in {epochs:,} "
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
        invalidated=log.invalidated,
        identity=identity_of(log),
        under=under_of(log, samples, kind, chosen),
        scored=chosen.seen,
        versions=versions_of(log),
        requested=[(str(case), epoch) for case in cases for epoch in range(1, epochs + 1)],
        rows=[reader.row(sample) for sample in samples],
    )


def _give_bounds(runs: Mapping[Run, Pooled]) -> None:
    """Where a score is known to lie in [0, 1], so does one that is missing."""
    scales: dict[str, list[Row]] = defaultdict(list)
    for run, one in runs.items():
        entry = DEFAULT_ENTRIES.get(run.identity.kind)
        if entry is not None and run.under.score.endswith(f".{entry}"):
            bound(one.rows, within=True)
        else:
            scales[run.under.score] += one.rows
    for rows in scales.values():
        bound(rows)
