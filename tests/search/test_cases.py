"""Case files: what loads, what is refused, and what a refusal says."""

import json
import re

import pytest

from creel_inspect.search.assemble import search_task
from creel_inspect.search.cases import (
    Case,
    CaseFileError,
    check_queries,
    load_cases,
    slug,
    to_sample,
)
from tests.search.scripted import CASES, build, run
from tests.search.tiny_engine import TinyEngine

FEASIBLE = {"id": "a", "question": "books?", "why": "w", "reference": {"after": 1900}}
INFEASIBLE = {"id": "b", "question": "good books?", "why": "w", "compiles": False}


@pytest.fixture
def write(tmp_path):
    def write(content, name="cases.json"):
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content))
        return str(path)

    return write


@pytest.fixture
def refused(write):
    """The message with which a file of that content is refused."""

    def refused(content):
        path = write(content)
        with pytest.raises(CaseFileError) as caught:
            load_cases(path)
        assert path in str(caught.value)  # a message names its file, always
        return str(caught.value)

    return refused


# --- what loads


def test_a_list_and_an_object_of_cases_load_alike(write):
    listed = load_cases(write([FEASIBLE, INFEASIBLE], "list.json"))
    held = load_cases(
        write({"corpus": "books", "fingerprint": "f", "cases": [FEASIBLE, INFEASIBLE]}, "o.json")
    )
    assert listed.cases == held.cases
    assert (listed.corpus, listed.fingerprint) == (None, None)
    assert (held.corpus, held.fingerprint) == ("books", "f")
    assert [case.id for case in held.cases] == ["a", "b"]
    assert [case.compiles for case in held.cases] == [True, False]


def test_a_feasible_case_may_state_ids_alone(write):
    [case] = load_cases(
        write([{"id": "a", "question": "q", "why": "w", "must_return": ["b1"]}])
    ).cases
    assert case.reference is None
    assert case.must_return == ("b1",)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"must_not_return": ["b1"]}, "alone would call an empty answer right"),
        ({"must_return": ["b1"], "empty_is_right": True}, "empty_is_right says that nothing"),
    ],
)
def test_ids_that_an_empty_answer_would_satisfy_are_no_answer(write, answer, said):
    with pytest.raises(CaseFileError, match=said):
        load_cases(write([{"id": "a", "question": "q", "why": "w", **answer}]))


def test_upstreams_file_loads_with_a_stable_id_for_each_case():
    file = load_cases("ord-schema")
    assert file.corpus is None
    names = [case.id for case in file.cases]
    assert len(names) == len(set(names)) == 61
    assert sum(not case.compiles for case in file.cases) == 9
    assert names[0] == slug("which reactions use pyridine as a solvent?")
    assert re.fullmatch(r"which-reactions-use-pyridine-as-a-solvent-[0-9a-f]{6}", names[0])


def test_ids_and_digest_survive_another_order_of_cases_and_of_keys(write):
    file = load_cases("ord-schema")
    cases = json.loads(file.path.read_text())
    turned = [dict(reversed(case.items())) for case in reversed(cases)]
    reordered = load_cases(write(turned))
    assert [case.id for case in reordered.cases] == [case.id for case in reversed(file.cases)]
    assert reordered.digest == file.digest


def test_the_order_of_keys_inside_a_query_does_not_change_the_digest(write):
    one = {**FEASIBLE, "reference": {"after": 1900, "shelf": "A"}}
    two = {**FEASIBLE, "reference": {"shelf": "A", "after": 1900}}
    assert load_cases(write([one])).digest == load_cases(write([two])).digest


@pytest.mark.parametrize(
    "change",
    [
        {"reference": {"after": 1901}},
        {"question": "which books?"},
        {"must_return": ["b3"]},
        {"near_misses": [{"query": {"after": 1}, "why": "w"}]},
        {"structures": {"@A": {"format": "f", "text": "t"}}},
        {"empty_is_right": True},
    ],
)
def test_the_digest_changes_with_what_is_asked_or_right(write, change):
    before = load_cases(write([FEASIBLE])).digest
    assert re.fullmatch("[0-9a-f]{12}", before)
    assert load_cases(write([{**FEASIBLE, **change}])).digest != before


def test_the_digest_does_not_change_when_a_default_is_written_out(write):
    spelled = {**FEASIBLE, "compiles": True, "tags": [], "pair": None}
    assert load_cases(write([spelled])).digest == load_cases(write([FEASIBLE])).digest


@pytest.mark.parametrize("question", ["", "a" * 5000, "Größe über 5 µm?", "???", "- - a", "化学"])
def test_every_question_has_a_slug_that_is_a_valid_id(question):
    one = slug(question)
    assert Case(id=one, question="q", why="w", compiles=False).id == one
    assert one == slug(question)


def test_one_question_about_two_structures_has_two_slugs():
    assert slug("make @A", {"@A": "CCO"}) != slug("make @A", {"@A": "CCN"}) != slug("make @A")


def test_two_cases_without_ids_that_ask_the_same_are_refused(refused):
    case = {key: value for key, value in FEASIBLE.items() if key != "id"}
    assert f"case '{slug('books?')}', id: used 2 times" in refused([case, case])


def test_tags_select_the_cases_that_carry_any_of_them():
    file = load_cases(str(CASES))
    assert [case.id for case in file.tagged(["count", "bound"]).cases] == [
        "after-1900",
        "how-many-a-shelf",
    ]
    assert file.tagged([]) == file
    assert file.tagged(["count"]).digest != file.digest
    with pytest.raises(CaseFileError, match="tags nope; there are: bound, count, infeasible"):
        file.tagged(["nope"])


def test_a_filter_keeps_a_case_whose_twin_it_leaves_out():
    [case] = load_cases(str(CASES)).tagged(["bound"]).cases
    assert case.pair == "after-lunch"


# --- what is refused


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"qestion": "q"}, "case 'a', qestion: there is no such key; a case has id, question, why"),
        ({"reference": None}, "case 'a', answer: a feasible case needs an answer"),
        ({"reference": None, "must_return": []}, "a feasible case needs an answer"),
        ({"compiles": False}, "has no answer, and this states reference"),
        ({"compiles": False, "reference": {}}, "has no answer, and this states reference"),
        ({"compiles": False, "reference": None, "must_return": ["x"]}, "states must_return"),
        ({"compiles": False, "reference": None, "empty_is_right": True}, "empty_is_right"),
        ({"must_return": ["x", "y"], "must_not_return": ["z", "y"]}, "y is in both must_return"),
        ({"id": "Not A Slug"}, "case 'Not A Slug', id: String should match"),
        ({"id": 7}, "case 7, id: Input should be a valid string"),
        ({"id": "a/../../b"}, "case 'a/../../b', id: "),
        ({"id": "a" * 101}, "id: String should match"),
        ({"id": "a\n"}, r"case 'a\n', id: String should match"),
        ({"id": None}, "case None, id: "),
        ({"question": ""}, "case 'a', question: String should have at least 1 character"),
        ({"question": "q" * 5001}, "case 'a', question: String should have at most 5000"),
        ({"why": ""}, "case 'a', why: "),
        ({"reference": "after 1900"}, "case 'a', reference: Input should be a valid dict"),
        ({"reference": []}, "case 'a', reference: "),
        ({"near_misses": [{"query": {"after": 1}}]}, "case 'a', near_misses.0.why: Field required"),
        ({"near_misses": [{"after": 1}]}, "case 'a', near_misses.0.query: Field required"),
        ({"structures": {"@A": {"format": "f"}}}, "case 'a', structures.@A.text: Field required"),
        ({"must_return": "b1"}, "case 'a', must_return: "),
        ({"must_return": [1]}, "case 'a', must_return.0: "),
        ({"pair": "nobody"}, "case 'a', pair: there is no case 'nobody'"),
        ({"pair": "a"}, "case 'a', pair: 'a' has to be feasible where this is not"),
    ],
)
def test_what_is_wrong_with_a_case_is_said_with_its_case_and_field(refused, change, said):
    assert said in refused([{**FEASIBLE, **change}])


def test_a_case_without_a_reason_to_be_there_is_refused(refused):
    case = {key: value for key, value in FEASIBLE.items() if key != "why"}
    assert "case 'a', why: Field required" in refused([case])


def test_twins_name_each_other_and_differ_in_feasibility(refused, write):
    one, other = {**FEASIBLE, "pair": "b"}, {**INFEASIBLE, "pair": "a"}
    assert len(load_cases(write([one, other])).cases) == 2
    assert "case 'a', pair: 'b' does not name it back" in refused([one, INFEASIBLE])
    also_feasible = {**FEASIBLE, "id": "b", "pair": "a"}
    said = refused([one, also_feasible])
    assert "case 'a', pair: 'b' has to be feasible where this is not" in said
    assert "case 'b', pair: 'a' has to be feasible where this is not" in said


def test_an_id_used_twice_is_refused(refused):
    assert "case 'a', id: used 3 times" in refused([FEASIBLE, FEASIBLE, FEASIBLE])


def test_several_problems_are_told_at_once(refused):
    said = refused([{**FEASIBLE, "why": "", "extra": 1}, {"id": "c"}, 5, FEASIBLE])
    assert "5 problems to mend before anything is run" in said
    for part in (
        "case 'a', why: ",
        "case 'a', extra: ",
        "case 'c', question: Field required",
        "case 'c', why: Field required",
        "case 3: expected an object, found int",
    ):
        assert part in said


def test_very_many_problems_are_counted(refused):
    said = refused([7] * 50)
    assert said.count("expected an object") == 20
    assert said.endswith("and 30 more")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ('[{"id": 1}', "not JSON"),
        ("null", "expected a list of cases, or an object with `cases`"),
        ('"cases"', "expected a list of cases"),
        ("[]", "it holds no cases"),
        ('{"cases": []}', "it holds no cases"),
        ("{}", "expected a list of cases"),
        ('{"cases": {"a": 1}}', "expected a list of cases"),
        ('{"cases": [], "corpsu": "demo"}', "unknown key 'corpsu'"),
        ("[null, true, [1], 2.5]", "case 4: expected an object, found float"),
        ('[{"id": "a", "id": "b"}]', "the key 'id' is given twice in one object"),
        ('[{"reference": {"after": NaN}}]', "NaN is not a JSON number"),
        ('[{"reference": {"after": -Infinity}}]', "-Infinity is not a JSON number"),
        ('[{"reference": {"after": 1e999}}]', "1e999 is not a JSON number"),
        ("[" + "9" * 10_000 + "]", "cannot be read"),
        ("[" * 100_000, "nested too deeply to read"),
        ('{"a":' * 100_000, "nested too deeply to read"),
        (b"\xff\xfe[\x00]\x00", "cannot be read"),
        (b'[{"question": "caf\xe9"}]', "cannot be read"),
        (b"\xef\xbb\xbf[]", "not JSON"),
        (b"\x00\x01\x02", "not JSON"),
    ],
)
def test_what_is_no_case_file_is_refused_in_words(refused, content, said):
    assert said in refused(content)


def test_a_corpus_or_fingerprint_that_is_no_name_is_refused(refused):
    assert "corpus: Input should be a valid string" in refused({"corpus": 5, "cases": [FEASIBLE]})
    assert "fingerprint: " in refused({"fingerprint": [], "cases": [FEASIBLE]})


def test_what_could_not_be_written_to_a_log_is_refused_with_its_case(refused):
    deep = '{"after":' * 400 + "1" + "}" * 400
    case = '[{"id": "a", "question": "q", "why": "w", "reference": %s}]'
    assert "case 'a', its queries or texts cannot be written" in refused(case % deep)
    half = '{"shelf": "\\ud800"}'
    assert "case 'a', its queries or texts cannot be written" in refused(case % half)


def test_a_file_too_large_to_be_one_is_not_read(tmp_path):
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(20_000_001)  # sparse: it takes no room
    with pytest.raises(CaseFileError, match="larger than the 20000000 bytes"):
        load_cases(str(path))


def test_a_folder_or_nothing_at_all_is_no_case_file(tmp_path):
    for source in (str(tmp_path), str(tmp_path / "none.json"), ""):
        with pytest.raises(CaseFileError, match="no such case file; give the path of a JSON"):
            load_cases(source)


# --- queries, and the samples made of cases


def loaded(write, *cases):
    return load_cases(write(list(cases)))


def test_every_query_that_does_not_compile_is_named(write):
    near = [{"query": {"after": 1}, "why": "w"}, {"query": {"page": 1}, "why": "w"}]
    file = loaded(
        write,
        {**FEASIBLE, "near_misses": near},
        {**INFEASIBLE, "near_misses": [{"query": {}, "why": "w"}]},
        {**FEASIBLE, "id": "c", "reference": {"after": "late"}},
    )
    with pytest.raises(CaseFileError) as caught:
        check_queries(file, TinyEngine())
    said = str(caught.value)
    assert "3 problems" in said
    assert "case 'a', near_misses.1.query: does not compile: no such key: ['page']" in said
    assert "case 'b', near_misses.0.query: does not compile: asks nothing" in said
    assert "case 'c', reference: does not compile: after: expected a year" in said


def test_an_empty_reference_is_a_query_that_does_not_compile(write):
    with pytest.raises(CaseFileError, match="case 'a', reference: does not compile: asks nothing"):
        check_queries(loaded(write, {**FEASIBLE, "reference": {}}), TinyEngine())


def test_a_placeholder_that_its_question_does_not_name_is_told(write):
    held = {"structures": {"@A": {"format": "f", "text": "t"}}}
    file = loaded(write, {**FEASIBLE, **held}, {**FEASIBLE, **held, "id": "c", "question": "@A?"})
    with pytest.raises(CaseFileError) as caught:
        check_queries(file, TinyEngine())
    assert "1 problem to mend" in str(caught.value)
    assert "case 'a', structures: @A is not in the question" in str(caught.value)


def test_checking_queries_runs_none():
    engine = TinyEngine()
    check_queries(load_cases(str(CASES)), engine)
    assert engine.searched == []


def test_a_sample_shows_a_question_and_hides_its_answer():
    case = load_cases(str(CASES)).cases[3]
    sample = to_sample(case, TinyEngine(), fingerprint="books-1")
    assert sample.id == "two-of-shelf-b"
    assert sample.input == "show me one book from shelf @S\n\n@S is a shelf."
    assert json.loads(sample.target) == {"shelf": "B", "first": 1}
    assert sample.metadata["corpus_fingerprint"] == "books-1"
    assert sample.metadata["feasible"] is True
    assert Case.model_validate(sample.metadata["case"]) == case
    declined = to_sample(load_cases(str(CASES)).cases[1], TinyEngine())
    assert (declined.input, declined.target) == ("books published after lunch", "cannot_answer")


@pytest.mark.parametrize(
    ("cases", "said"),
    [
        ([{**FEASIBLE, "extra": 1}], "case 'a', extra"),
        ([{**FEASIBLE, "reference": {"page": 1}}], "case 'a', reference: does not compile"),
        (
            [{**FEASIBLE, "near_misses": [{"query": {"after": 1901}, "why": "no book of 1901"}]}],
            "returns exactly what the reference returns",
        ),
    ],
)
def test_a_bad_case_file_stops_the_run_before_any_model_call(write, cases, said):
    calls = []

    def model(*arguments):
        calls.append(arguments)
        return build({"after": 1900})

    path = write({"corpus": "books", "cases": cases})
    with pytest.raises(CaseFileError, match=re.escape(said)):
        run(model, cases=path)
    assert calls == []


def test_tags_reach_the_task(write):
    task = search_task(
        engine="tiny", engine_args={}, named_corpus=None, cases=str(CASES), tags=["count"]
    )
    assert [sample.id for sample in task.dataset] == ["how-many-a-shelf"]


def test_a_file_that_was_written_for_another_corpus_says_so(capsys):
    search_task(engine="tiny", engine_args={}, named_corpus="elsewhere", cases=str(CASES))
    assert "was written for the corpus 'books'" in capsys.readouterr().err
    search_task(engine="tiny", engine_args={}, named_corpus="books", cases=str(CASES))
    assert capsys.readouterr().err == ""
