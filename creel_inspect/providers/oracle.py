"""The two models that know the case: one always right, one always wrong.

They exist to test case files and the scorer: ``reference`` has to score 1.0 on every file, and
``near-miss`` 0.0. A case on which either does not is a bad case, or a bug here.
"""

from typing import Any

from creel_inspect.search.engine import Query, SearchFailed
from creel_inspect.search.judging import same_expectation
from creel_inspect.search.running import Runner, on_worker, runner_for
from creel_inspect.search.solver import Asked
from creel_inspect.search.toolcall import BUILD_QUERY, CANNOT_ANSWER

Call = tuple[str, dict[str, Any]]

_TIMEOUT_SECONDS = 300


def reference_call(about: Asked) -> Call:
    """The case's own reference, or a refusal where it is infeasible."""
    case = about.case
    if not case.compiles:
        return CANNOT_ANSWER, {"reason": case.why}
    if case.reference is not None:
        return BUILD_QUERY, case.reference
    return BUILD_QUERY, about.engine.naming(case.must_return)


async def near_miss_call(about: Asked) -> Call:
    """A wrong query for the case: one that it names, or else a simple edit of the reference.

    The first whose answer differs from the reference's on this corpus. Where none does, or there
    is nothing to edit, a refusal of what is feasible, and an empty search of what is not.
    """
    case = about.case
    if not case.compiles:
        fudge = case.near_misses[0].query if case.near_misses else about.engine.naming(())
        return BUILD_QUERY, fudge
    if case.reference is None:
        return BUILD_QUERY, about.engine.naming(case.must_not_return)
    named = [near.query for near in case.near_misses]
    runner = runner_for(about.engine)
    wrong = await on_worker(_first_that_differs, case.reference, named, runner)
    if wrong is None:
        return CANNOT_ANSWER, {"reason": "no near-miss differs on this corpus"}
    return BUILD_QUERY, wrong


def _first_that_differs(reference: Query, named: list[Query], runner: Runner) -> Query | None:
    try:
        right = runner.expected(reference, _TIMEOUT_SECONDS)
    except SearchFailed:
        return None
    for candidates in (named, runner.engine.edits(reference)):
        for query in candidates:
            try:
                if not same_expectation(runner.expected(query, _TIMEOUT_SECONDS), right):
                    return query
            except SearchFailed:
                continue
    return None
