"""Which logs are one run: crashed and resumed, retried, copied, or simply run again."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from creel_inspect.compare.frames.logs import Place, Side
from creel_inspect.compare.frames.runs import Identity, Run, Under
from creel_inspect.compare.frames.samples import Row
from creel_inspect.compare.wording import one_line, some

_Sample = tuple[str, int]


@dataclass(slots=True, eq=False)
class LoggedRun:
    """What was read of one log.

    Attributes:
        place: Where it lies.
        task_id: Inspect's name for this run of the task; a log made by a retry has the same.
        created: When it was begun.
        invalidated: Whether somebody marked samples of it as invalid.
        identity: What was run.
        under: What it was measured on and with.
        scored: Whether a score was there to tell ``under`` from.
        versions: Of packages and engine.
        requested: The cases and epochs that were asked for.
        rows: Its samples.
    """

    place: Place
    task_id: str
    created: str
    invalidated: bool
    identity: Identity
    under: Under
    scored: bool
    versions: Mapping[str, str]
    requested: list[_Sample]
    rows: list[Row]

    @property
    def age(self) -> tuple[str, float, str]:
        """Sorts the oldest first. Scoring again keeps the time of creation, but not the file's."""
        return (self.created, self.place.changed, self.place.location)


@dataclass
class Pooled:
    """The samples of one run, from all its logs."""

    versions: Mapping[str, str]
    rows: list[Row] = field(default_factory=list)


def pooled(logs: Sequence[LoggedRun]) -> tuple[dict[Run, Pooled], list[str]]:
    """Puts the logs of each run together.

    Returns:
        The runs with their samples, epochs numbered from 1 for each case; and notes: what was
        pooled, dropped or left out.
    """
    notes: list[str] = []
    attempts: dict[tuple[str, str, str], list[LoggedRun]] = defaultdict(list)
    for log in sorted(logs, key=lambda one: one.age):
        # A log without an id for its task stands alone.
        id = log.task_id or log.place.location
        attempts[log.place.side, id, log.identity.key].append(log)
    tries = [_one_try(group, notes) for group in attempts.values()]
    by_run: dict[Run, list[_Try]] = defaultdict(list)
    for one in tries:
        by_run[Run(one.side, one.identity, _under(one, tries))].append(one)
    found = {run: _numbered(run, group, notes) for run, group in by_run.items()}
    _fill(found)
    notes += _shared(found)
    return found, notes


def _shared(runs: Mapping[Run, Pooled]) -> list[str]:
    """Says where the two sides hold the very same samples."""
    uuids: dict[str, set[str]] = defaultdict(set)
    for run, one in runs.items():
        uuids[run.side].update(row.uuid for row in one.rows if row.uuid)
    both = len(uuids["base"] & uuids["new"])
    return [f"{both} samples are in both base and new, as copies, by their uuid"] if both else []


@dataclass(slots=True, eq=False)
class _Try:
    """All logs of one task id, put together."""

    side: Side
    identity: Identity
    under: Under
    scored: bool
    versions: list[Mapping[str, str]]
    logs: list[LoggedRun]
    rows: list[Row]


def _one_try(logs: list[LoggedRun], notes: list[str]) -> "_Try":
    """The logs of one task id: the oldest crashed or had errors, and later ones took it up."""
    scored = [log for log in logs if log.scored]
    last = (scored or logs)[-1]
    other = [log for log in scored if log.under != last.under]
    if other:
        notes.append(
            f"{_listed(other)}: left out, since {one_line(last.place.location)} is of the same "
            "run, later, and was measured otherwise (another case file, corpus, policy or scorer)"
        )
    used = [log for log in logs if not log.scored or log.under == last.under]
    best: dict[_Sample, Row] = {}
    copies = 0
    for log in used:
        for row in log.rows:
            key = (row.case, row.log_epoch)
            before = best.get(key)
            copies += before is not None and bool(row.uuid) and before.uuid == row.uuid
            if before is None or row.state != "errored" or before.state == "errored":
                best[key] = row
    if len(used) > 1:
        kept = f", {copies} samples of which stand in several and count once" if copies else ""
        notes.append(
            f"{one_line(last.identity.model)}, {one_line(last.identity.task)}: {len(used)} logs "
            f"are of one run, resumed or copied{kept}; of each sample the last attempt without an "
            f"error counts: {_listed(used)}"
        )
    newest = used[-1]
    for case, epoch in dict.fromkeys(key for log in used for key in log.requested):
        if (case, epoch) not in best:
            best[case, epoch] = Row(
                case=case,
                log_epoch=epoch,
                log=newest.place.location,
                task_id=newest.task_id,
                created=newest.created,
                cluster=case,
            )
    return _Try(
        side=last.place.side,
        identity=last.identity,
        under=last.under,
        scored=bool(scored),
        versions=[log.versions for log in used],
        logs=used,
        rows=list(best.values()),
    )


def _under(one: "_Try", tries: Iterable["_Try"]) -> Under:
    """What a run was measured with; one that crashed before its first score takes it from others.

    Such a run is known by its header alone, which does not tell the entries of a score.
    """
    if one.scored:
        return one.under
    for other in tries:
        if (
            other.scored
            and other.identity.kind == one.identity.kind
            and other.identity.task == one.identity.task
            and replace(other.under, score="") == replace(one.under, score="")
            and other.under.score.startswith(one.under.score.split(".")[0])
        ):
            return replace(one.under, score=other.under.score)
    return one.under


def _numbered(run: Run, tries: list["_Try"], notes: list[str]) -> Pooled:
    """Further runs of the same thing are further epochs."""
    seen: set[str] = set()
    rows: list[Row] = []
    epochs: Counter[str] = Counter()
    copies = 0
    used = []
    asked = [case for one in tries for log in one.logs for case, _ in log.requested]
    order = {case: number for number, case in enumerate(dict.fromkeys(asked))}
    for one in tries:
        fresh = [row for row in one.rows if not (row.uuid and row.uuid in seen)]
        copies += len(one.rows) - len(fresh)
        if not any(row.uuid for row in fresh) and len(fresh) < len(one.rows):
            continue  # a copy under another task id has nothing of its own
        used.append(one)
        seen.update(row.uuid for row in fresh if row.uuid)
        for row in sorted(fresh, key=lambda row: row.log_epoch):
            epochs[row.case] += 1
            row.epoch = epochs[row.case]
            rows.append(row)
    name = f"{one_line(run.identity.model)}, {one_line(run.identity.task)}"
    if copies:
        notes.append(
            f"{name}: {copies} samples are copies of others, by their uuid; each counts once"
        )
    if len(used) > 1:
        notes.append(
            f"{name}: {len(used)} runs of the same thing are pooled, as further epochs: "
            f"{_listed([log for one in used for log in one.logs])}"
        )
    versions: dict[str, set[str]] = defaultdict(set)
    for one in tries:
        for each in one.versions:
            for package, version in each.items():
                versions[package].add(version)
    mixed = [
        f"{package} {version}"
        for package, found in sorted(versions.items())
        for version in sorted(found)
        if len(found) > 1
    ]
    if mixed:
        notes.append(f"{name}: made with several versions: {', '.join(map(one_line, mixed))}")
    rows.sort(key=lambda row: (order.get(row.case, len(order)), row.case, row.epoch))
    return Pooled(tries[-1].versions[-1], rows)


def _fill(runs: Mapping[Run, Pooled]) -> None:
    """Tells of samples that were not run what is known of their cases from others."""
    known: dict[tuple[str, str, str], Row] = {}

    def about(run: Run, case: str) -> tuple[str, str, str]:
        task = run.identity.task if run.identity.kind == "other" else run.identity.kind
        return (task, run.under.case_fingerprint, case)

    for run, one in runs.items():
        for row in one.rows:
            if row.content:
                known.setdefault(about(run, row.case), row)
    for run, one in runs.items():
        for row in one.rows:
            like = known.get(about(run, row.case))
            if not row.content and like is not None:
                row.cluster, row.feasible, row.corpus = like.cluster, like.feasible, like.corpus
                row.tags, row.why, row.content = like.tags, like.why, like.content


def bound(rows: Iterable[Row], *, within: bool | None = None) -> None:
    """Gives samples without a score its range, where that is known to be 0 to 1.

    Args:
        rows: All samples that have one kind of score.
        within: Whether it is known to be so; by default if all scores seen are.
    """
    rows = list(rows)
    if within is None:
        scores = [row.score for row in rows if not math.isnan(row.score)]
        within = bool(scores) and all(0 <= score <= 1 for score in scores)
    if within:
        for row in rows:
            if math.isnan(row.score):
                row.score_low, row.score_high = 0.0, 1.0


def _listed(logs: Sequence[LoggedRun]) -> str:
    return some(log.place.location for log in logs)
