"""From an outcome to a verdict on one sample: the reactions decide, and the reason is kept."""

import json
import math
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from creel_inspect.search.answers import Comparison, Expected, compare
from creel_inspect.search.cases import Case
from creel_inspect.search.engine import (
    Answer,
    EngineError,
    Query,
    SearchFailed,
    SearchTimeout,
)
from creel_inspect.search.outcomes import Outcome
from creel_inspect.search.running import Runner


@dataclass(frozen=True)
class Judgement:
    """What one sample's translation is worth, and why.

    Attributes:
        outcome: How the sample ended.
        correct: Whether it is right; None where nothing was measured.
        code: A machine code where something is out of the ordinary, else None.
        summary: What happened, in a line for a person.
        details: JSON-safe particulars for the log.
    """

    outcome: Outcome
    correct: bool | None
    code: str | None
    summary: str
    details: dict[str, Any] = field(default_factory=dict)


def judge(
    case: Case,
    outcome: Outcome,
    query: Query | None,
    runner: Runner,
    *,
    timeout_seconds: float,
    corpus_fingerprint: str | None = None,
    adequate: bool = False,
) -> Judgement:
    """Judges how a question was translated. Blocks while it searches.

    What the case can tell is settled before what the model did is looked at, so a case that is
    blind on this corpus is left out for every model alike.

    Args:
        case: The question and its answer.
        outcome: How translating ended.
        query: The translated query, where there is one.
        runner: What to run queries with.
        timeout_seconds: Bounds each search.
        corpus_fingerprint: The corpus the case's IDs were derived on, if the file says.
        adequate: The corpus is known to tell the reference from each near-miss, so that need not
            be found out again.
    """
    try:
        return _judge(case, outcome, query, runner, timeout_seconds, corpus_fingerprint, adequate)
    except EngineError as error:
        return Judgement(
            Outcome.INSTRUMENT_ERROR, None, Outcome.INSTRUMENT_ERROR.value, f"not measured: {error}"
        )


def _judge(
    case: Case,
    outcome: Outcome,
    query: Query | None,
    runner: Runner,
    timeout: float,
    fingerprint: str | None,
    adequate: bool,
) -> Judgement:
    expected: Expected | None = None
    details: dict[str, Any] = {}
    if case.reference is not None:
        try:
            expected = runner.expected(case.reference, timeout)
        except SearchFailed as error:
            return Judgement(
                outcome, None, "reference_failed", f"not measured: the reference failed: {error}"
            )
        if expected.is_empty and not case.empty_is_right:
            return Judgement(
                outcome,
                None,
                "blind_case",
                "not measured: the reference returns nothing on this corpus, so a wrong query "
                "that returns nothing could not be told from a right one",
            )
        details["rows_expected"] = expected.count
        weak = [] if adequate else _weak(case, expected, runner, timeout)
        if weak:
            details["weak_near_misses"] = weak
    elif case.compiles:
        problem = _other_corpus(case, runner, fingerprint)
        if problem:
            return Judgement(outcome, None, "other_corpus", f"not measured: {problem}")
    if outcome is not Outcome.ANSWERED:
        return _without_answer(case, outcome, details)
    assert query is not None  # an answer has a query
    try:
        returned = runner.search(query, timeout)
    except SearchTimeout as error:
        return Judgement(
            Outcome.SEARCH_TIMEOUT, False, Outcome.SEARCH_TIMEOUT.value, f"wrong: {error}", details
        )
    except SearchFailed as error:
        details["detail"] = error.detail
        return Judgement(
            Outcome.SEARCH_FAILED,
            False,
            Outcome.SEARCH_FAILED.value,
            f"wrong: the search failed ({error.detail}): {error}",
            details,
        )
    details["rows_returned"] = len(returned.rows)
    if not case.compiles:
        twin = _near_miss(case, returned, runner, timeout, details)
        summary = f"wrong: answered with {len(returned.rows)} rows what no query can answer"
        return Judgement(Outcome.ANSWERED, False, None, summary + twin, details)
    found = compare(returned, expected) if expected is not None else _compare_lists(case, returned)
    details["precision"], details["recall"] = _number(found.precision), _number(found.recall)
    if found.same:
        return Judgement(Outcome.ANSWERED, True, None, f"right: {found.summary}", details)
    details["missed"] = [_plain(one) for one in found.missed[:20]]
    details["added"] = [_plain(one) for one in found.added[:20]]
    details["missed_count"], details["added_count"] = len(found.missed), len(found.added)
    twin = _near_miss(case, returned, runner, timeout, details)
    return Judgement(Outcome.ANSWERED, False, None, f"wrong: {found.summary}{twin}", details)


def _without_answer(case: Case, outcome: Outcome, details: dict[str, Any]) -> Judgement:
    if outcome is Outcome.DECLINED:
        if case.compiles:
            return Judgement(
                outcome, False, outcome.value, "wrong: declined what a query can answer", details
            )
        return Judgement(outcome, True, None, "right: declined", details)
    said = {
        Outcome.DECLINED_AFTER_ATTEMPT: "declined only after something else was sent back",
        Outcome.MALFORMED: "no well-formed call",
        Outcome.NO_CALL: "no tool was called",
        Outcome.TRUNCATED: "the reply hit the token limit",
        Outcome.SAFETY_REFUSED: "the provider's safety filter refused",
    }[outcome]
    return Judgement(outcome, False, outcome.value, f"wrong: {said}", details)


def _other_corpus(case: Case, runner: Runner, fingerprint: str | None) -> str | None:
    """Why the case's IDs say nothing about this corpus; None where they do."""
    here = runner.engine.corpus_fingerprint
    if fingerprint is not None and fingerprint != here:
        return f"its IDs were derived on corpus {fingerprint}, and this is {here}"
    absent = runner.missing([*case.must_return, *case.must_not_return])
    if absent:
        return f"{len(absent)} of its IDs are not in this corpus ({absent[0]})"
    return None


def _weak(case: Case, expected: Expected, runner: Runner, timeout: float) -> list[int]:
    """The positions of the near-misses that no answer on this corpus could be told from."""
    weak = []
    for position, near in enumerate(case.near_misses):
        with suppress(SearchFailed):
            if same_expectation(runner.expected(near.query, timeout), expected):
                weak.append(position)
    return weak


def _near_miss(
    case: Case, returned: Answer, runner: Runner, timeout: float, details: dict[str, Any]
) -> str:
    """Which near-miss a wrong answer equals, in words.

    The answer is measured by now, and wrong: an engine that fails here takes nothing of that back.
    """
    for position, near in enumerate(case.near_misses):
        with suppress(SearchFailed, EngineError):
            if compare(returned, runner.expected(near.query, timeout)).same:
                details["near_miss"] = position
                # In words too: a log's sample summaries keep short texts, and no cases.
                details["misreading"] = near.why
                return f". It is the near-miss: {near.why}"
    return ""


def same_expectation(one: Expected, other: Expected) -> bool:
    """Whether two queries give one answer, so that no case built on them tells them apart.

    Where the first sorts, its ties may come in any order, and a bound may cut through them: it is
    the same already if one of the answers it may give is. A case that tells two queries apart by
    the luck of a tie does not tell them apart.
    """
    if one.whole.is_ids != other.whole.is_ids:
        return False
    rows = one.whole.rows
    if one.keys is not None:
        place = {row: index for index, row in enumerate(other.whole.rows)}
        tied = groupby(range(len(rows)), key=lambda index: one.keys[index])  # type: ignore[index]
        rows = tuple(
            rows[index]
            for _, group in tied
            for index in sorted(group, key=lambda index: place.get(rows[index], len(place)))
        )
    elif one.limit is not None and one.limit < len(rows) and one.whole.is_ids:
        # It may return any of its rows: it is the same only if none of them is wrong.
        allowed = other.keys is None and one.limit == other.count
        return allowed and set(rows) <= set(other.whole.rows)
    return compare(Answer(one.whole.columns, rows[: one.limit]), other).same


def _compare_lists(case: Case, returned: Answer) -> Comparison:
    if not returned.is_ids:
        return Comparison(False, "measured something where the question asks which ones")
    found = {row[0] for row in returned.rows}
    if not found and not case.empty_is_right:
        return Comparison(False, "returned nothing", missed=case.must_return)
    missed = tuple(one for one in case.must_return if one not in found)
    added = tuple(one for one in case.must_not_return if one in found)
    if not missed and not added:
        return Comparison(True, f"all {len(case.must_return)} required, none that are ruled out")
    return Comparison(
        same=False,
        summary=f"missed {len(missed)} of {len(case.must_return)} required and returned "
        f"{len(added)} of {len(case.must_not_return)} ruled out",
        missed=missed,
        added=added,
    )


def _number(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 6)


def _plain(value: Any) -> Any:
    return value if isinstance(value, str) else json.loads(json.dumps(value, default=str))
