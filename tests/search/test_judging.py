"""From an outcome to a verdict: the whole table, and what is said beside it."""

import json

import pytest

from creel_inspect.search.answers import Expected
from creel_inspect.search.cases import Case, NearMiss
from creel_inspect.search.engine import Answer, Column, EngineError, SearchFailed, SearchTimeout
from creel_inspect.search.judging import judge, same_expectation
from creel_inspect.search.outcomes import Outcome
from creel_inspect.search.running import Runner
from tests.search.canned_engine import CannedEngine, count, ids

ANSWERS = {
    "right": "abc",
    "same": "cba",
    "wide": "abcd",
    "narrow": "ab",
    "other": "xy",
    "nothing": "",
    "five": count(5),
    "six": count(6),
    "zero": count(0),
    "broken": EngineError("the disk is gone"),
    "refused": SearchFailed("no such role", detail="unresolved_compound"),
    "slow": SearchTimeout("more than 9 s"),
}


def ask(name, **more):
    return {"ask": name, **more}


def near(*names):
    return tuple(NearMiss(query=ask(name), why=f"asks for {name}") for name in names)


def case(reference="right", near_misses=(), **more):
    if reference is not None:
        more["reference"] = ask(reference) if isinstance(reference, str) else reference
    return Case(id="c", question="q", why="w", near_misses=near(*near_misses), **more)


INFEASIBLE = Case(id="i", question="q", why="w", compiles=False, near_misses=near("wide"))


def judged(one, query=None, outcome=Outcome.ANSWERED, *, engine=None, fingerprint=None, **known):
    engine = engine or CannedEngine(ANSWERS, held="abcdxy")
    query = ask(query) if isinstance(query, str) else query
    runner = Runner(engine)
    found = judge(
        one, outcome, query, runner, timeout_seconds=9, corpus_fingerprint=fingerprint, **known
    )
    json.dumps(found.details, allow_nan=False)  # whatever it is, it fits into a log
    return found


@pytest.mark.parametrize(
    ("outcome", "feasible", "infeasible"),
    [
        (Outcome.DECLINED, False, True),
        (Outcome.DECLINED_AFTER_ATTEMPT, False, False),
        (Outcome.MALFORMED, False, False),
        (Outcome.NO_CALL, False, False),
        (Outcome.TRUNCATED, False, False),
        (Outcome.SAFETY_REFUSED, False, False),
    ],
)
def test_of_everything_but_an_answer_only_a_first_refusal_of_the_infeasible_is_right(
    outcome, feasible, infeasible
):
    for one, correct in ((case(), feasible), (INFEASIBLE, infeasible)):
        found = judged(one, outcome=outcome)
        assert found.outcome is outcome
        assert found.correct is correct
        assert found.code == (None if correct else outcome.value)
        assert found.summary.startswith("right" if correct else "wrong")


@pytest.mark.parametrize("outcome", [Outcome.DECLINED, Outcome.MALFORMED, Outcome.NO_CALL])
def test_without_an_answer_nothing_is_searched_but_the_reference(outcome):
    engine = CannedEngine(ANSWERS)
    judged(case(near_misses=["wide"]), outcome=outcome, engine=engine, adequate=True)
    assert engine.searched == [ask("right")]


def test_an_answer_is_right_when_it_returns_what_the_reference_returns():
    found = judged(case(), "same")
    assert (found.outcome, found.correct, found.code) == (Outcome.ANSWERED, True, None)
    assert found.summary == "right: 3 as expected"
    assert found.details == {
        "rows_expected": 3,
        "rows_returned": 3,
        "precision": 1.0,
        "recall": 1.0,
    }


def test_a_wrong_answer_says_what_it_missed_and_added():
    found = judged(case(), "other")
    assert (found.outcome, found.correct, found.code) == (Outcome.ANSWERED, False, None)
    assert found.summary == "wrong: 3 expected; missed 3 (a, b, c), wrongly returned 2 (x, y)"
    assert found.details["missed"] == ["a", "b", "c"]
    assert found.details["added"] == ["x", "y"]
    assert (found.details["missed_count"], found.details["added_count"]) == (3, 2)
    assert (found.details["precision"], found.details["recall"]) == (0.0, 0.0)


def test_what_goes_into_a_log_is_bounded_and_counted():
    many = ids(*(f"r{i:03}" for i in range(100)))
    found = judged(case(), "many", engine=CannedEngine({**ANSWERS, "many": many}))
    assert len(found.details["added"]) == 20
    assert found.details["added_count"] == 100
    assert len(found.summary) < 200


def test_a_measure_is_judged_by_its_value():
    assert judged(case("five"), "five").correct is True
    found = judged(case("five"), "six")
    assert found.correct is False
    assert found.details["missed"] == [[5]]
    assert judged(case("five"), "right").correct is False
    assert judged(case("right"), "five").correct is False


# --- blind, failing and foreign cases are settled before what the model did is looked at


@pytest.mark.parametrize("outcome", [o for o in Outcome if o is not Outcome.INSTRUMENT_ERROR])
@pytest.mark.parametrize("empty", ["nothing", "zero"])
def test_a_blind_case_is_unscored_whatever_the_model_did(outcome, empty):
    for query in (empty, "right", "broken", "refused"):
        found = judged(case(empty), query, outcome)
        assert (found.correct, found.code) == (None, "blind_case")
        assert found.outcome is outcome


def test_a_blind_case_asks_nothing_of_the_models_query():
    engine = CannedEngine(ANSWERS)
    judged(case("nothing"), "right", engine=engine)
    assert engine.searched == [ask("nothing")]


def test_an_empty_answer_is_right_where_the_case_says_so():
    assert judged(case("nothing", empty_is_right=True), "nothing").correct is True
    assert judged(case("zero", empty_is_right=True), "zero").correct is True
    wrong = judged(case("nothing", empty_is_right=True), "narrow")
    assert wrong.correct is False
    assert wrong.details["recall"] is None
    assert judged(case("nothing", empty_is_right=True), outcome=Outcome.DECLINED).correct is False


@pytest.mark.parametrize("outcome", [Outcome.ANSWERED, Outcome.DECLINED, Outcome.MALFORMED])
@pytest.mark.parametrize("reference", ["refused", "slow"])
def test_a_reference_that_fails_is_the_cases_fault(outcome, reference):
    found = judged(case(reference), "right", outcome)
    assert (found.outcome, found.correct, found.code) == (outcome, None, "reference_failed")
    assert "the reference failed" in found.summary


# --- cases that state IDs alone

LISTED = case(None, must_return=("a", "b"), must_not_return=("d",))


@pytest.mark.parametrize(
    ("query", "correct"),
    [("right", True), ("narrow", True), ("wide", False), ("other", False), ("nothing", False)],
)
def test_without_a_reference_the_listed_ids_decide(query, correct):
    found = judged(LISTED, query)
    assert (found.correct, found.outcome) == (correct, Outcome.ANSWERED)


def test_what_the_lists_missed_is_said():
    found = judged(LISTED, "wide")
    assert found.summary == "wrong: missed 0 of 2 required and returned 1 of 1 ruled out"
    assert (found.details["missed"], found.details["added"]) == ([], ["d"])
    assert judged(LISTED, "five").summary == (
        "wrong: measured something where the question asks which ones"
    )


def test_ids_that_are_only_ruled_out_leave_the_rest_open():
    only = case(None, must_not_return=("d",), empty_is_right=True)
    assert judged(only, "other").correct is True
    assert judged(only, "wide").correct is False


def test_an_empty_answer_is_not_right_because_it_holds_nothing_that_is_ruled_out():
    nothing = judged(LISTED, "none", engine=CannedEngine({**ANSWERS, "none": ""}, held="abcdxy"))
    assert nothing.correct is False
    assert nothing.summary == "wrong: returned nothing"


def test_where_there_is_a_reference_the_lists_decide_nothing():
    both = case("right", must_return=("d",), must_not_return=("a",))
    assert judged(both, "same").correct is True
    assert judged(both, "wide").correct is False
    # Nor does it matter to what corpus they belong.
    assert judged(both, "same", fingerprint="elsewhere").correct is True


@pytest.mark.parametrize("outcome", [Outcome.ANSWERED, Outcome.DECLINED, Outcome.MALFORMED])
def test_ids_of_another_corpus_measure_nothing(outcome):
    found = judged(LISTED, "right", outcome, fingerprint="elsewhere")
    assert (found.correct, found.code) == (None, "other_corpus")
    assert "elsewhere" in found.summary
    assert "here" in found.summary
    absent = judged(LISTED, "right", outcome, engine=CannedEngine(ANSWERS, held="ac"))
    assert (absent.correct, absent.code) == (None, "other_corpus")
    assert "2 of its IDs are not in this corpus (b)" in absent.summary


def test_ids_of_this_corpus_are_judged_whether_or_not_the_file_names_it():
    assert judged(LISTED, "right", fingerprint="here").correct is True
    assert judged(LISTED, "right", fingerprint=None).correct is True


def test_an_infeasible_case_belongs_to_every_corpus():
    assert judged(INFEASIBLE, outcome=Outcome.DECLINED, fingerprint="elsewhere").correct is True


# --- queries that fail


def test_a_query_that_cannot_be_answered_is_wrong_with_its_detail():
    found = judged(case(), "refused")
    assert (found.outcome, found.correct, found.code) == (
        Outcome.SEARCH_FAILED,
        False,
        "search_failed",
    )
    assert found.details["detail"] == "unresolved_compound"
    assert "unresolved_compound" in found.summary
    assert "no such role" in found.summary


def test_a_query_that_times_out_twice_is_wrong():
    engine = CannedEngine(ANSWERS)
    found = judged(case(), "slow", engine=engine)
    assert (found.outcome, found.correct, found.code) == (
        Outcome.SEARCH_TIMEOUT,
        False,
        "search_timeout",
    )
    assert engine.asked("slow") == 2


def test_a_query_that_times_out_once_is_judged_by_its_second_run():
    turns = iter([SearchTimeout("busy"), "abc"])
    engine = CannedEngine({**ANSWERS, "busy": lambda: next(turns)})
    assert judged(case(), "busy", engine=engine).correct is True


@pytest.mark.parametrize(
    ("reference", "query"), [("right", "broken"), ("broken", "right"), ("broken", "broken")]
)
def test_an_engine_that_fails_measures_nothing(reference, query):
    found = judged(case(reference), query)
    assert (found.outcome, found.correct, found.code) == (
        Outcome.INSTRUMENT_ERROR,
        None,
        "instrument_error",
    )
    assert "the disk is gone" in found.summary


@pytest.mark.parametrize("query", ["wide", "nothing", "refused", "slow", "five"])
def test_an_infeasible_case_that_is_answered_is_wrong_even_if_the_query_fails(query):
    assert judged(INFEASIBLE, query).correct is False


def test_the_summary_of_an_answer_to_the_infeasible_says_so():
    found = judged(INFEASIBLE, "other")
    assert found.summary == "wrong: answered with 2 rows what no query can answer"
    fudged = judged(INFEASIBLE, "wide")
    assert fudged.summary.endswith("no query can answer. It is the near-miss: asks for wide")
    assert fudged.details["near_miss"] == 0


# --- near-misses


def test_the_near_miss_that_a_wrong_answer_equals_is_named():
    found = judged(case(near_misses=["narrow", "wide", "other"]), "wide")
    assert found.details["near_miss"] == 1
    assert found.details["misreading"] == "asks for wide"
    assert found.summary.endswith("wrongly returned 1 (d). It is the near-miss: asks for wide")


def test_a_wrong_answer_that_equals_none_of_them_names_none():
    found = judged(case(near_misses=["narrow", "wide"]), "other")
    assert "near_miss" not in found.details
    assert "misreading" not in found.details
    assert "near-miss" not in found.summary


def test_the_first_of_two_near_misses_with_one_answer_is_named():
    assert judged(case(near_misses=["wide", "wide"]), "wide").details["near_miss"] == 0


def test_a_near_miss_that_fails_is_passed_over():
    assert judged(case(near_misses=["refused", "slow", "wide"]), "wide").details["near_miss"] == 2


def test_a_weak_near_miss_is_noted_and_never_named():
    weak = case(near_misses=["same", "wide"])
    right = judged(weak, "right")
    assert right.correct is True
    assert right.details["weak_near_misses"] == [0]
    assert "near_miss" not in right.details
    wrong = judged(weak, "wide")
    assert (wrong.details["near_miss"], wrong.details["weak_near_misses"]) == (1, [0])


def test_a_right_answer_names_no_near_miss_though_a_bound_admits_it_for_both():
    one = Case(
        id="c",
        question="q",
        why="w",
        reference=ask("right", first=1),
        near_misses=(NearMiss(query=ask("alike", first=1), why="w"),),
    )
    engine = CannedEngine({**ANSWERS, "alike": "xa", "only": "a"})
    found = judged(one, "only", engine=engine)
    assert found.correct is True
    assert "near_miss" not in found.details


def test_without_a_reference_a_near_miss_is_named_too():
    one = case(None, ["wide"], must_return=("a",), must_not_return=("d",))
    assert judged(one, "wide").details["near_miss"] == 0


# --- bounds and orders, through the runner


def test_a_sorted_reference_is_judged_by_order_with_ties_in_any():
    keys = Answer(
        (Column("id", "group", "id"), Column("key", "measure", "key")),
        (("c", 1), ("b", 2), ("a", 2)),  # in an order of its own
    )
    answers = {"by_year": "bac", "years": keys, "tied": "abc", "wrong": "cab", "first_two": "ab"}
    one = case(ask("by_year", sorted_by="years"))
    assert judged(one, "tied", engine=CannedEngine(answers)).correct is True
    found = judged(one, "wrong", engine=CannedEngine(answers))
    assert found.correct is False
    assert "place 1 is sorted by 2 and holds one of 1" in found.summary
    bounded = case(ask("by_year", sorted_by="years", first=2))
    assert judged(bounded, "first_two", engine=CannedEngine(answers)).correct is True
    assert judged(bounded, "tied", engine=CannedEngine(answers)).correct is False


def test_a_sorted_table_holds_its_own_keys():
    columns = (Column("shelf", "group", "shelf"), Column("n", "measure", "count", True))
    answers = {
        "counts": Answer(columns, (("A", 3), ("B", 2), ("C", 2))),
        "tied": Answer(columns, (("A", 3), ("C", 2), ("B", 2))),
        "up": Answer(columns, (("B", 2), ("C", 2), ("A", 3))),
    }
    one = case(ask("counts", sorted_by="itself"))
    assert judged(one, "tied", engine=CannedEngine(answers)).correct is True
    assert judged(one, "up", engine=CannedEngine(answers)).correct is False


def test_two_queries_are_one_expectation_only_if_they_answer_alike():
    runner = Runner(CannedEngine(ANSWERS))
    expected = {name: runner.expected(ask(name), 9) for name in ("right", "same", "wide", "five")}
    assert same_expectation(expected["same"], expected["right"])
    assert not same_expectation(expected["wide"], expected["right"])
    assert not same_expectation(expected["five"], expected["right"])
    assert not same_expectation(expected["right"], expected["five"])
    bounded = runner.expected(ask("right", first=2), 9)
    assert not same_expectation(bounded, expected["right"])
    assert not same_expectation(expected["right"], bounded)
    assert same_expectation(bounded, bounded)


def ranked(*scored, limit=None):
    """IDs with their sorting keys, best first, as a sorted query returns them."""
    rows = tuple((one,) for one, _ in scored)
    keys = tuple((key,) for _, key in scored)
    return Expected(Answer((Column("id", "id", "id"),), rows), keys, limit)


@pytest.mark.parametrize(
    ("near_miss", "same"),
    [
        # b and c tie for the near-miss's last place, and with b it is the right answer
        (ranked(("a", 9), ("c", 8), ("b", 8), limit=2), True),
        # x is surely in it
        (ranked(("a", 9), ("x", 8), ("b", 7), limit=2), False),
        # a and b tie, and may come in the right order
        (ranked(("b", 9), ("a", 9), limit=2), True),
        # the other order for certain
        (ranked(("b", 9), ("a", 8), limit=2), False),
        (ranked(("a", 9), ("b", 8), ("c", 8), limit=3), False),
    ],
)
def test_a_near_miss_that_is_right_by_the_luck_of_a_tie_is_not_told_apart(near_miss, same):
    right = ranked(("a", 5), ("b", 4), ("c", 3), limit=2)
    assert same_expectation(near_miss, right) is same


@pytest.mark.parametrize("feasible", [True, False])
def test_an_engine_that_fails_while_a_near_miss_is_named_does_not_unmeasure_a_wrong_answer(
    feasible,
):
    def broken():
        raise EngineError("the library burnt down")

    if feasible:
        one = case("right", near_misses=["broken"])
    else:
        one = case(None, near_misses=["broken"], compiles=False)
    engine = CannedEngine({**ANSWERS, "broken": broken})
    found = judged(one, "wide", engine=engine, adequate=True)
    assert (found.outcome, found.correct) == (Outcome.ANSWERED, False)
