"""Which logs are one run: crashed and resumed, retried, copied, or simply run again."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from creel_inspect.compare.frames.logs import Place, Side
from creel_inspect.compare.frames.questions import clashing, contents, kept_apart
from creel_inspect.compare.frames.runs import Identity, Run, Under
from creel_inspect.compare.frames.samples import Row
from creel_inspect.compare.frames.scales import cluster
from creel_inspect.compare.frames.secrets import plain_place
from creel_inspect.compare.wording import many, one_line, some

_Sample = tuple[str, int]


@dataclass(slots=True, eq=False)
class LoggedRun:
    """What was read of one log.

    Attributes:
        place: Where it lies.
        task_id: Inspect's name for this run of the task; a log made by a retry has the same.
        created: When it was begun.
        status: Inspect's: ``success``, ``started``, ``cancelled`` or ``error``.
        error: Why it ended, if in error.
        invalidated: Whether somebody marked samples of it as invalid.
        identity: What was run.
        under: What it was measured on and with.
        scorer: Which row of scores is read.
        others: Scores of the log that are not read.
        scored: Whether a score was there to tell ``under`` from.
        versions: Of packages and engine.
        unnamed: How many cases were asked for whose ids it does not tell.
        requested: The cases and epochs that were asked for.
        rows: Its samples.
    """

    place: Place
    task_id: str
    created: str
    status: str
    error: str
    invalidated: bool
    identity: Identity
    under: Under
    scorer: str
    others: tuple[str, ...]
    scored: bool
    versions: Mapping[str, str]
    unnamed: int
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
    notes += _unended(tries)
    _name_packages(tries)
    by_run: dict[Run, list[_Try]] = defaultdict(list)
    for one in tries:
        by_run[Run(one.side, one.identity, _under(one, tries))].append(one)
    found = {
        part: _numbered(part, group, notes)
        for run, all_of_it in by_run.items()
        for part, group in _by_questions(run, all_of_it, notes)
    }
    _fill(found)
    for run, pool in found.items():
        if run.identity.kind == "search":
            cluster(pool.rows)
    notes += _shared(found)
    return found, notes


_UNENDED = {
    "started": "never came to an end, and may still be written or was killed",
    "cancelled": "was cancelled before its end",
    "error": "ended in error",
}


def _unended(tries: Sequence["_Try"]) -> list[str]:
    """Says which runs ended before their time, and how much of them is missing."""
    ended: dict[str, list[str]] = defaultdict(list)
    for one in tries:
        newest = one.logs[-1]
        if newest.status == "success":
            continue
        missing = sum(row.state in ("not_run", "errored") for row in one.rows)
        why = f"; {newest.error}" if newest.error else ""
        ended[newest.status].append(
            f"{newest.place.shown} ({missing:,} of {many(len(one.rows), 'sample')} missing{why})"
        )
    return [
        f"{many(len(each), 'log')}, each of which {_UNENDED.get(status, 'did not end well')}: "
        + some(each)
        if len(each) > 1
        else f"a log {_UNENDED.get(status, 'did not end well')}: {each[0]}"
        for status, each in sorted(ended.items())
    ]


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
    scorer: str
    scored: bool
    versions: list[Mapping[str, str]]
    logs: list[LoggedRun]
    rows: list[Row]


def _one_try(logs: list[LoggedRun], notes: list[str]) -> "_Try":
    """The logs of one task id: the oldest crashed or had errors, and later ones took it up."""
    scored = [log for log in logs if log.scored]
    last = (scored or logs)[-1]
    asked = contents(last.rows)
    other = [
        log
        for log in logs
        if (log.scored and log.under != last.under)
        or (log is not last and clashing(contents(log.rows), asked))
    ]
    if other:
        notes.append(
            f"{_listed(other)}: left out, since {last.place.shown} is of the same run, later, and "
            "was measured otherwise (other questions, another case file, corpus, policy or scorer)"
        )
    used = [log for log in logs if log not in other]
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
        scorer=last.scorer,
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
            and (other.scorer == one.scorer or other.under.score == one.under.score)
            and replace(other.under, score="", scorer_package="")
            == replace(one.under, score="", scorer_package="")
            and len({other.under.scorer_package, one.under.scorer_package} - {""}) < 2
        ):
            return other.under
    return one.under


def _name_packages(tries: Sequence["_Try"]) -> None:
    """A task that was run by its path does not tell the package of its scorer, where the same task
    run by its name does."""
    told: dict[tuple[str, Under], set[str]] = defaultdict(set)
    for one in tries:
        if one.under.scorer_package:
            key = (one.identity.key, replace(one.under, scorer_package=""))
            told[key].add(one.under.scorer_package)
    for one in tries:
        if told and not one.under.scorer_package:
            packages = told.get((one.identity.key, one.under), set())
            if len(packages) == 1:
                one.under = replace(one.under, scorer_package=next(iter(packages)))


def _by_questions(
    run: Run, tries: list["_Try"], notes: list[str]
) -> Iterable[tuple[Run, list["_Try"]]]:
    """Keeps apart what was asked other questions under the same ids."""
    if len(tries) == 1:
        return [(run, tries)]
    parts, clash = kept_apart([contents(one.rows) for one in tries])
    if clash:
        notes.append(
            f"{one_line(run.identity.model)}, {one_line(run.identity.task)}: {len(tries)} runs of "
            f"the same thing ask other questions under the same ids ({some(clash, 3)}); they "
            f"are kept apart, as {len(parts)} runs: {_listed([one.logs[0] for one in tries])}"
        )
    return [
        (replace(run, questions=part.questions), [tries[number] for number in part.numbers])
        for part in parts
    ]


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
            f"{name}: {len(used)} runs of the same thing are pooled, {_as_what(used)}: "
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


def _as_what(tries: Sequence["_Try"]) -> str:
    within = Counter(case for one in tries for case in {row.case for row in one.rows})
    several = sum(times > 1 for times in within.values())
    if not several:
        each = [f"{len({row.case for row in one.rows}):,}" for one in tries]
        return f"each of which covers other cases ({some(each)}); no case was run again"
    if all(times == len(tries) for times in within.values()):
        return "as further epochs"
    return (
        f"as further epochs of the {many(several, 'case')} that more than one of them has; "
        f"{len(within) - several:,} stand in one alone"
    )


def _fill(runs: Mapping[Run, Pooled]) -> None:
    """Tells of samples that were not run what is known of their cases from others."""
    known: dict[tuple[str, str, str], dict[str, Row]] = defaultdict(dict)

    def about(run: Run, case: str) -> tuple[str, str, str]:
        task = run.identity.task if run.identity.kind == "other" else run.identity.kind
        return (task, run.under.case_fingerprint, case)

    for run, one in runs.items():
        for row in one.rows:
            if row.content:
                known[about(run, row.case)].setdefault(row.content, row)
    for run, one in runs.items():
        own = {row.case: row for row in one.rows if row.content}
        for row in one.rows:
            if row.content:
                continue
            asked = known.get(about(run, row.case), {})
            # Where other things were asked under one id, nobody knows which it would have been.
            like = own.get(row.case) or (next(iter(asked.values())) if len(asked) == 1 else None)
            if like is not None:
                row.pair, row.feasible, row.corpus = like.pair, like.feasible, like.corpus
                row.tags, row.why, row.content = like.tags, like.why, like.content


def _listed(logs: Sequence[LoggedRun]) -> str:
    return some(plain_place(log.place.location) for log in logs)
