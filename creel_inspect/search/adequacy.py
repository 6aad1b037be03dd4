"""Can this corpus tell a right translation from a wrong one? Checking cases, and building IDs.

No model is asked anything here: a case that cannot catch a wrong query is found before it is paid
for. Differences are taken between whole, unbounded answers. The grammar's own ``not`` drops rows
whose value is absent, so asking for "near-miss and not reference" would miss some of them.
"""

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from creel_inspect.search.answers import Expected
from creel_inspect.search.cases import Case, CaseFile
from creel_inspect.search.engine import EngineError, SearchFailed
from creel_inspect.search.judging import same_expectation
from creel_inspect.search.running import Runner

_WORKERS = 2


class Problem(StrEnum):
    """What can be wrong with a case on a corpus."""

    REFERENCE_FAILED = "reference_failed"
    RETURNS_NOTHING = "returns_nothing"
    RETURNS_EVERYTHING = "returns_everything"
    NEAR_MISS_FAILED = "near_miss_failed"
    NEAR_MISS_EXCLUDES_NOTHING = "near_miss_excludes_nothing"
    FUDGE_RETURNS_NOTHING = "fudge_returns_nothing"
    OTHER_CORPUS = "other_corpus"
    IDS_MISSING = "ids_missing"
    IDS_ONE_SIDED = "ids_one_sided"


FATAL = frozenset(Problem) - {Problem.RETURNS_EVERYTHING}
"""What stops a run on the corpus that the case file names. Elsewhere every problem is reported."""


@dataclass(frozen=True)
class Finding:
    """One thing wrong with one case: what, where in the case, and in words."""

    case: str
    problem: Problem
    field: str
    message: str

    def __str__(self) -> str:
        return f"case {self.case!r}, {self.field}: {self.message}"

    def as_dict(self) -> dict[str, Any]:
        """The finding as JSON."""
        return asdict(self)


def foresee(
    file: CaseFile, runner: Runner, *, timeout_seconds: float, patience_seconds: float
) -> list[str]:
    """The IDs of the cases whose reference fails or returns nothing, as far as time allows.

    Args:
        file: The cases.
        runner: What to run queries with; it keeps the answers.
        timeout_seconds: Bounds each search.
        patience_seconds: After this long no further search is begun.
    """
    deadline = time.monotonic() + patience_seconds

    def is_blind(case: Case) -> bool:
        if case.reference is None or time.monotonic() > deadline:
            return False
        try:
            expected = runner.expected(case.reference, timeout_seconds)
        except SearchFailed:
            return True
        except EngineError:
            return False  # nothing is known; the scorer will try again, and say so
        return expected.is_empty and not case.empty_is_right

    with ThreadPoolExecutor(_WORKERS) as pool:
        blind = list(pool.map(is_blind, file.cases))
    return [case.id for case, found in zip(file.cases, blind, strict=True) if found]


def check(file: CaseFile, runner: Runner, *, timeout_seconds: float = 300) -> list[Finding]:
    """What is wrong with each case of the file on the runner's corpus, in the file's order.

    Raises:
        EngineError: If the engine fails; then nothing is known.
    """
    size = runner.engine.size()
    with ThreadPoolExecutor(_WORKERS) as pool:
        found = pool.map(
            lambda case: list(_check_case(case, file, runner, size, timeout_seconds)), file.cases
        )
        return [finding for findings in found for finding in findings]


def _check_case(
    case: Case, file: CaseFile, runner: Runner, size: int | None, timeout: float
) -> Iterator[Finding]:
    expected: Expected | None = None
    if case.reference is not None:
        try:
            expected = runner.expected(case.reference, timeout)
        except SearchFailed as error:
            yield Finding(case.id, Problem.REFERENCE_FAILED, "reference", f"failed: {error}")
            return
        if expected.is_empty and not case.empty_is_right:
            yield Finding(
                case.id,
                Problem.RETURNS_NOTHING,
                "reference",
                "returns nothing, so wrong queries that return nothing pass for right; say "
                "`empty_is_right` if that is meant",
            )
        elif expected.whole.is_ids and expected.count == size:
            yield Finding(
                case.id, Problem.RETURNS_EVERYTHING, "reference", f"returns all {size} there are"
            )
    yield from _check_ids(case, file, runner)
    for position, near in enumerate(case.near_misses):
        field = f"near_misses.{position}"
        try:
            wrong = runner.expected(near.query, timeout)
        except SearchFailed as error:
            yield Finding(case.id, Problem.NEAR_MISS_FAILED, field, f"failed: {error}")
            continue
        if not case.compiles and wrong.is_empty:
            yield Finding(
                case.id,
                Problem.FUDGE_RETURNS_NOTHING,
                field,
                "returns nothing, so nobody would take it for an answer",
            )
        if expected is not None and same_expectation(wrong, expected):
            yield Finding(
                case.id,
                Problem.NEAR_MISS_EXCLUDES_NOTHING,
                field,
                f"returns exactly what the reference returns ({expected.count}), so the case "
                f"cannot catch it: {near.why}",
            )


def _check_ids(case: Case, file: CaseFile, runner: Runner) -> Iterator[Finding]:
    ids = [*case.must_return, *case.must_not_return]
    if not ids:
        return
    if case.reference is None and not (case.must_not_return or case.empty_is_right):
        yield Finding(
            case.id,
            Problem.IDS_ONE_SIDED,
            "must_not_return",
            "is empty and there is no reference, so a query that returns everything passes",
        )
    here = runner.engine.corpus_fingerprint
    if file.fingerprint is not None and file.fingerprint != here:
        yield Finding(
            case.id,
            Problem.OTHER_CORPUS,
            "must_return",
            f"its IDs were derived on corpus {file.fingerprint}, and this is {here}",
        )
        return
    absent = runner.missing(ids)
    if absent:
        yield Finding(
            case.id,
            Problem.IDS_MISSING,
            "must_return",
            f"{len(absent)} of its {len(ids)} IDs are not in this corpus ({absent[0]})",
        )


class CannotTellApart(ValueError):
    """No ID separates a reference from its near-miss: the two answers are the same."""


@dataclass(frozen=True)
class Built:
    """The IDs derived for one case, and why for each near-miss."""

    case: str
    must_return: tuple[str, ...] = ()
    must_not_return: tuple[str, ...] = ()
    skipped: str | None = None
    counterexamples: tuple[dict[str, Any], ...] = field(default=())


def build(
    file: CaseFile,
    runner: Runner,
    *,
    per_near_miss: int = 3,
    timeout_seconds: float = 300,
    keep: Callable[[Sequence[str], int], list[str]] | None = None,
) -> list[Built]:
    """Derives the IDs that separate each case's reference from each of its near-misses.

    A near-miss that is too wide returns IDs the reference does not, which go into
    ``must_not_return``; one that is too narrow leaves some out, which go into ``must_return``;
    many do both. Each direction is the exact difference of two whole answers.

    Args:
        file: The cases.
        runner: What to run queries with.
        per_near_miss: At most how many IDs to keep in each direction for one near-miss.
        timeout_seconds: Bounds each search.
        keep: Chooses that many of the sorted IDs; by default a fixed, scattered choice.

    Raises:
        CannotTellApart: If both differences are empty for a near-miss, naming case and near-miss.
        SearchFailed: If a reference or a near-miss cannot be answered.
    """
    choose = keep or _scattered
    built = []
    for case in file.cases:
        if case.reference is None or not case.near_misses:
            why = "no reference" if case.compiles else "infeasible"
            built.append(
                Built(case.id, skipped=why if case.reference is None else "no near-misses")
            )
            continue
        expected = runner.expected(case.reference, timeout_seconds)
        if not expected.whole.is_ids or expected.limit is not None or expected.keys is not None:
            built.append(Built(case.id, skipped="its answer is not a plain set of IDs"))
            continue
        built.append(_build_case(case, expected, runner, per_near_miss, timeout_seconds, choose))
    return built


def _build_case(
    case: Case,
    expected: Expected,
    runner: Runner,
    most: int,
    timeout: float,
    choose: Callable[[Sequence[str], int], list[str]],
) -> Built:
    right = {row[0] for row in expected.whole.rows}
    required: set[str] = set()
    ruled_out: set[str] = set()
    examples = []
    for position, near in enumerate(case.near_misses):
        answer = runner.expected(near.query, timeout)
        if not answer.whole.is_ids:
            continue
        wrong = {row[0] for row in answer.whole.rows}
        too_wide, too_narrow = sorted(wrong - right), sorted(right - wrong)
        if not too_wide and not too_narrow:
            if answer.count < len(wrong):
                continue  # wrong by its bound alone, and any of its rows may be the ones returned
            raise CannotTellApart(
                f"case {case.id!r}, near_misses.{position}: returns exactly the {len(right)} that "
                f"the reference returns on this corpus ({near.why})"
            )
        required.update(choose(too_narrow, most))
        ruled_out.update(choose(too_wide, most))
        examples.append({"near_miss": position, "adds": len(too_wide), "misses": len(too_narrow)})
    return Built(case.id, tuple(sorted(required)), tuple(sorted(ruled_out)), None, tuple(examples))


def _scattered(ids: Sequence[str], most: int) -> list[str]:
    """A choice that is the same every time and does not favour one dataset's neighbours."""
    return sorted(ids, key=lambda one: hashlib.sha256(one.encode()).hexdigest())[:most]
