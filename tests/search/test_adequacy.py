"""Whether a corpus can tell right queries from wrong ones: checking cases, and building IDs."""

import json
from pathlib import Path

import pytest

from creel_inspect.search.adequacy import FATAL, CannotTellApart, Problem, build, check
from creel_inspect.search.assemble import search_task
from creel_inspect.search.cases import Case, CaseFile, CaseFileError, NearMiss
from creel_inspect.search.engine import Answer, Column, EngineError, SearchFailed, SearchTimeout
from creel_inspect.search.running import Runner
from tests.search.canned_engine import ID, CannedEngine, count

ANSWERS = {
    "right": "abc",
    "same": "cba",
    "wide": "abcde",
    "narrow": "a",
    "shifted": "bcd",
    "everything": "abcdef",
    "nothing": "",
    "five": count(5),
    "also five": count(5),
    "six": count(6),
    "zero": count(0),
    "refused": SearchFailed("there is no such shelf"),
    "slow": SearchTimeout("more than 9 s"),
    "broken": EngineError("the disk is gone"),
}


def case(reference="right", near_misses=(), **more):
    """A case whose queries are names of ``ANSWERS``, or whole queries."""
    made = tuple(NearMiss(query=query(one), why=f"asks for {one}") for one in near_misses)
    if reference is not None:
        more["reference"] = query(reference)
    return Case(**({"id": "c", "question": "q", "why": "w", "near_misses": made} | more))


def query(one):
    return {"ask": one} if isinstance(one, str) else one


def fudged(*near_misses):
    return case(None, near_misses, compiles=False)


def file_of(*cases, fingerprint=None):
    return CaseFile(path=Path("cases.json"), fingerprint=fingerprint, cases=cases)


def runner(held="abcdef", **answers):
    return Runner(CannedEngine({**ANSWERS, **answers}, held=held))


def found(*cases, fingerprint=None, held="abcdef"):
    findings = check(file_of(*cases, fingerprint=fingerprint), runner(held))
    return [(one.case, one.problem.value, one.field) for one in findings]


# --- checking


@pytest.mark.parametrize(
    ("one", "problem", "field"),
    [
        (case("refused"), "reference_failed", "reference"),
        (case("slow"), "reference_failed", "reference"),
        (case("nothing"), "returns_nothing", "reference"),
        (case("zero"), "returns_nothing", "reference"),
        (case("everything"), "returns_everything", "reference"),
        (case("right", ["refused"]), "near_miss_failed", "near_misses.0"),
        (case("right", ["wide", "same"]), "near_miss_excludes_nothing", "near_misses.1"),
        (case("five", ["also five"]), "near_miss_excludes_nothing", "near_misses.0"),
        (fudged("wide", "nothing"), "fudge_returns_nothing", "near_misses.1"),
        (fudged("zero"), "fudge_returns_nothing", "near_misses.0"),
        (fudged("slow"), "near_miss_failed", "near_misses.0"),
        (case("right", must_return=["z"]), "ids_missing", "must_return"),
        (case("right", must_not_return=["z"]), "ids_missing", "must_return"),
        (case(None, must_return=["a", "z"], must_not_return=["d"]), "ids_missing", "must_return"),
        (case(None, must_return=["a"]), "ids_one_sided", "must_not_return"),
    ],
)
def test_each_problem_is_found_in_a_case_made_to_have_it(one, problem, field):
    assert found(one) == [("c", problem, field)]


def test_ids_of_another_corpus_are_told_apart_from_ids_that_are_not_there():
    one = case("right", must_return=["a", "z"])
    assert found(one, fingerprint="elsewhere") == [("c", "other_corpus", "must_return")]
    assert found(one, fingerprint="here") == [("c", "ids_missing", "must_return")]


def test_every_problem_can_be_found():
    everything = {
        problem
        for one in (
            found(case("refused"), case("nothing"), case("everything")),
            found(case("right", ["refused", "same"]), fudged("nothing")),
            found(case(must_return=["z"]), case(None, must_return=["a"])),
            found(case(must_return=["z"]), fingerprint="elsewhere"),
        )
        for _, problem, _ in one
    }
    assert everything == {problem.value for problem in Problem}


@pytest.mark.parametrize(
    "one",
    [
        case("right", ["wide", "narrow", "shifted", "five"]),
        case("five", ["six", "right"]),
        case("nothing", ["narrow"], empty_is_right=True),
        case("right", must_return=["a"], must_not_return=["f"]),
        fudged("wide", "five"),
        fudged(),
    ],
)
def test_a_sound_case_has_no_findings(one):
    assert found(one, fingerprint="here") == []


def test_a_right_answer_of_nothing_is_still_to_be_told_from_its_near_misses():
    one = case("nothing", ["nothing"], empty_is_right=True)
    assert found(one) == [("c", "near_miss_excludes_nothing", "near_misses.0")]


def test_findings_come_in_the_files_order_and_several_from_one_case():
    cases = [case("refused", id=f"c{i}") for i in range(9)]
    many = case("right", ["same", "refused"], id="many", must_return=["z"])
    assert found(many, *cases) == [
        ("many", "ids_missing", "must_return"),
        ("many", "near_miss_excludes_nothing", "near_misses.0"),
        ("many", "near_miss_failed", "near_misses.1"),
        *[(f"c{i}", "reference_failed", "reference") for i in range(9)],
    ]


def test_a_finding_says_what_it_found_and_where():
    [one] = check(file_of(case("right", ["same"])), runner())
    assert str(one) == (
        "case 'c', near_misses.0: returns exactly what the reference returns (3), so the case "
        "cannot catch it: asks for same"
    )
    assert one.as_dict() == {
        "case": "c",
        "problem": "near_miss_excludes_nothing",
        "field": "near_misses.0",
        "message": str(one).partition(": ")[2],
    }


def test_a_near_miss_in_another_order_misses_only_a_sorted_reference():
    years = Answer(
        (Column("id", "group", "id"), Column("key", "measure", "key")),
        (("a", 1), ("b", 2), ("c", 3)),
    )
    late = Answer(years.columns, (("a", 3), ("b", 2), ("c", 1)))
    held = runner(years=years, late=late)
    up, down = {"ask": "right", "sorted_by": "years"}, {"ask": "same", "sorted_by": "late"}
    assert check(file_of(case(up, [down])), held) == []
    assert len(check(file_of(case("right", [down])), held)) == 1
    assert len(check(file_of(case(up, [up])), held)) == 1


def test_a_bound_is_a_difference():
    assert found(case("right", [{"ask": "right", "first": 2}])) == []
    assert found(case({"ask": "right", "first": 2}, ["right"])) == []
    assert found(case({"ask": "everything", "first": 2})) == []


def test_an_engine_that_fails_finds_nothing_out():
    for one in (case("broken"), case("right", ["broken"])):
        with pytest.raises(EngineError, match="the disk is gone"):
            check(file_of(case(), one), runner())


# --- what stops a run

OLD = {"after": 1900}
NEAR = {"near_misses": [{"query": {"after": 1815}, "why": "w"}]}


def task_with(tmp_path, named, **change):
    one = {"id": "a", "question": "q", "why": "w", "reference": OLD, **NEAR, **change}
    path = tmp_path / "cases.json"
    held = {key: value for key, value in one.items() if value is not None}
    fingerprint = held.pop("fingerprint", None)
    path.write_text(json.dumps({"corpus": "books", "fingerprint": fingerprint, "cases": [held]}))
    return search_task(engine="tiny", engine_args={}, named_corpus=named, cases=str(path))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"reference": {"shelf": "nowhere"}}, "failed: there is no such shelf"),
        ({"reference": {"after": 3000}}, "returns nothing"),
        ({"near_misses": [{"query": {"after": 1901}, "why": "w"}]}, "returns exactly what"),
        ({"near_misses": [{"query": {"shelf": "nowhere"}, "why": "w"}]}, "near_misses.0: failed"),
        (
            {
                "reference": None,
                "compiles": False,
                "near_misses": [{"query": {"after": 3000}, "why": "w"}],
            },
            "nobody would take it for an answer",
        ),
        ({"must_return": ["no such book"]}, "1 of its 1 IDs are not in this corpus"),
        ({"must_return": ["b5"], "fingerprint": "old"}, "were derived on corpus old"),
    ],
)
def test_on_the_files_own_corpus_a_fatal_problem_stops_the_task_and_elsewhere_it_does_not(
    tmp_path, change, said
):
    with pytest.raises(CaseFileError) as caught:
        task_with(tmp_path, "books", **change)
    assert said in str(caught.value)
    assert "case 'a'" in str(caught.value)
    assert "cases.json" in str(caught.value)
    for elsewhere in ("journals", None):
        assert len(task_with(tmp_path, elsewhere, **change).dataset) == 1


def test_returning_everything_is_told_and_stops_nothing(tmp_path):
    everything = {"reference": {"after": 1800}, "near_misses": [{"query": OLD, "why": "w"}]}
    assert len(task_with(tmp_path, "books", **everything).dataset) == 1
    assert frozenset(Problem) - FATAL == {Problem.RETURNS_EVERYTHING}


# --- building


def built(*cases, held=None, **arguments):
    return build(file_of(*cases), held or runner(), **arguments)


def test_a_near_miss_gives_the_exact_difference_in_both_directions():
    [one] = built(case("right", ["shifted"]))
    assert (one.must_return, one.must_not_return) == (("a",), ("d",))
    assert one.counterexamples == ({"near_miss": 0, "adds": 1, "misses": 1},)
    assert one.skipped is None


def test_a_too_narrow_near_miss_only_requires_and_a_too_wide_one_only_rules_out():
    [one] = built(case("right", ["narrow"]))
    assert (one.must_return, one.must_not_return) == (("b", "c"), ())
    [one] = built(case("right", ["wide"]))
    assert (one.must_return, one.must_not_return) == ((), ("d", "e"))


def test_the_ids_of_several_near_misses_are_put_together():
    [one] = built(case("right", ["narrow", "wide", "shifted"]))
    assert one.must_return == ("a", "b", "c")
    assert one.must_not_return == ("d", "e")
    assert [example["near_miss"] for example in one.counterexamples] == [0, 1, 2]


def test_two_answers_that_are_the_same_cannot_be_told_apart():
    with pytest.raises(CannotTellApart) as caught:
        built(case("right", ["wide", "same"]))
    assert str(caught.value) == (
        "case 'c', near_misses.1: returns exactly the 3 that the reference returns on this corpus "
        "(asks for same)"
    )


def test_a_near_miss_that_is_wrong_by_its_bound_alone_gives_no_ids():
    [one] = built(case("right", [{"ask": "right", "first": 2}, "wide"]))
    assert (one.must_return, one.must_not_return) == ((), ("d", "e"))
    with pytest.raises(CannotTellApart):
        built(case("right", [{"ask": "right", "first": 3}]))  # this bound cuts nothing off


def test_the_difference_of_a_bounded_near_miss_is_taken_from_its_whole_answer():
    [one] = built(case("right", [{"ask": "wide", "first": 1}]), per_near_miss=9)
    assert (one.must_return, one.must_not_return) == ((), ("d", "e"))


def test_measured_bounded_and_sorted_answers_are_left_alone():
    bounded = case({"ask": "right", "first": 1}, ["wide"], id="bounded")
    ordered = case({"ask": "right", "sorted_by": "itself"}, ["wide"], id="ordered")
    keyed = Answer((*ID, Column("n", "measure", "n")), (("a", 1),))
    held = runner(right=keyed)
    for one in [
        *built(case("five", ["six"]), bounded),
        *built(ordered, held=held),
    ]:
        assert one.skipped == "its answer is not a plain set of IDs"
        assert (one.must_return, one.must_not_return) == ((), ())
    [one] = built(case("right", ["five", "wide"]))
    assert [example["near_miss"] for example in one.counterexamples] == [1]


def test_what_there_is_nothing_to_build_for_is_skipped_with_its_reason():
    cases = [fudged("wide"), case("right"), case(None, must_return=["a"])]
    assert [one.skipped for one in built(*cases)] == [
        "infeasible",
        "no near-misses",
        "no reference",
    ]


def test_building_is_the_same_every_time_and_keeps_a_fixed_number():
    names = [f"r{i:03}" for i in range(200)]
    answer = Answer(ID, tuple((name,) for name in names))
    backwards = Answer(ID, tuple(reversed(answer.rows)))
    [one] = built(case("narrow", ["many"]), held=runner(many=answer))
    [two] = built(case("narrow", ["many"]), held=runner(many=backwards))
    assert one == two
    assert len(one.must_not_return) == 3
    assert one.counterexamples[0]["adds"] == 200
    assert set(one.must_not_return) < set(names)
    assert set(one.must_not_return) != set(names[:3])  # not one neighbourhood
    [five] = built(case("narrow", ["many"]), held=runner(many=answer), per_near_miss=5)
    assert set(one.must_not_return) < set(five.must_not_return)


def test_which_ids_are_kept_can_be_chosen():
    [one] = built(
        case("nothing", ["everything"], empty_is_right=True),
        per_near_miss=2,
        keep=lambda ids, most: list(ids[:most]),
    )
    assert one.must_not_return == ("a", "b")


def test_a_query_that_fails_stops_building():
    for one in (case("refused", ["wide"]), case("right", ["refused"])):
        with pytest.raises(SearchFailed, match="no such shelf"):
            built(one)


VALUES = dict(zip("abcdefgh", [1, 1, 2, 2, None, None, None, 3], strict=True))


class ThreeValued(CannedEngine):
    """Its ``not`` drops rows whose value is absent, as SQL's does."""

    def __init__(self):
        super().__init__({}, held=VALUES)

    def search(self, query, *, timeout_seconds):
        self.searched.append(query)
        return Answer(ID, tuple((one,) for one in VALUES if self.holds(query, one) is True))

    def holds(self, query, one):
        value = VALUES[one]
        if query == {"all": True}:
            return True
        if "equals" in query:
            return None if value is None else value == query["equals"]
        if "not" in query:
            held = self.holds(query["not"], one)
            return None if held is None else not held
        parts = [self.holds(part, one) for part in query["and"]]
        return False if False in parts else None if None in parts else True


def test_counterexamples_whose_value_is_absent_are_found_without_asking_for_a_negation():
    engine = ThreeValued()
    reference, near = {"equals": 1}, {"all": True}
    # The trap: asking for near-misses that are not right answers leaves the absent ones out.
    trapped = engine.search({"and": [near, {"not": reference}]}, timeout_seconds=None)
    assert [row[0] for row in trapped.rows] == ["c", "d", "h"]
    engine.searched.clear()
    [one] = built(case(reference, [near]), held=Runner(engine), per_near_miss=99)
    assert one.must_not_return == ("c", "d", "e", "f", "g", "h")
    assert engine.searched == [reference, near]
