"""Evidence records: their shape, and the text that each selector picks."""

import pytest
from creel.evidence import (
    CellSelector,
    JsonPathSelector,
    TextPositionSelector,
    TextQuoteSelector,
    deterministic_evidence,
)

from creel_inspect.extract.corpus.evidence import MOST_PICKED, check_evidence, spans
from creel_inspect.extract.corpus.sources import source_from
from creel_inspect.extract.files.json_places import NoSuchPlace, values_at

REPORT = "Clean Water for Lira received\nUSD 3.2 million in 2023.\n\nIn Gulu, 12 boats; 12.5 t.\n"
TABLE = 'id,district,amount\np-1,"Lira, north",120000\np-2,Gulu,80000\n'
JSON = '{"projects": [{"id": "p-1", "budget": {"amount": 12}}, {"id": "p-2", "tags": ["a", "b"]}]}'
SOURCES = {
    one.name: one
    for one in (
        source_from("report.md", REPORT),
        source_from("budget.csv", TABLE),
        source_from("data.json", JSON),
    )
}


def record(*selectors, source="report.md", **provenance):
    return {
        "provenance": {"derived_from": source, **provenance},
        "grounding": list(selectors),
    }


def quote(exact, **more):
    return {"type": "TextQuoteSelector", "exact": exact, **more}


def cell(row, column, source="budget.csv"):
    return {"type": "CellSelector", "source": source, "row": row, "column": column}


def path(expression, **more):
    return {"type": "JsonPathSelector", "expression": expression, **more}


def one(*arguments, **more):
    (span,) = spans(record(*arguments, **more), SOURCES)
    return span


def picked(span):
    return [p.text[p.start : p.end] for p in span.passages if not p.label]


def test_a_record_in_creels_shape_has_no_faults():
    whole = {
        "provenance": {"derived_from": "a.md", "generated_by": "pattern:x", "version": None},
        "grounding": [
            {"type": "TextQuoteSelector", "exact": "a", "prefix": "", "suffix": ""},
            {"type": "TextPositionSelector", "start": 0, "end": 1, "source": "a.md"},
            cell(0, "a"),
            {"type": "JsonPathSelector", "expression": "a[0]"},
        ],
        "confidence": {"method": "deterministic", "score": 1.0, "review_status": "auto"},
    }
    assert check_evidence({"e": {"name": whole, "other": record()}}) == []


def test_evidence_of_a_creel_extraction_is_in_this_shape():
    made = deterministic_evidence(
        source_id="budget.csv",
        generated_by="query:project",
        grounding=[
            TextQuoteSelector("Gulu"),
            TextPositionSelector(0, 5, "report.md"),
            CellSelector("budget.csv", 0, "id"),
            JsonPathSelector("projects[1]", "data.json"),
        ],
    ).to_dict()
    assert check_evidence({"e": {"name": made}}) == []
    assert all(span.found for span in spans(made, SOURCES))


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ([], "evidence is a mapping of elements, came []"),
        ({"e": 1}, "'e': expected a mapping of attributes to their records, came 1"),
        ({"e": {"a": None}}, "e.a: a record has `provenance` and `grounding`, came None"),
        ({"e": {"a": {"grounding": []}}}, "expected `provenance` with `derived_from`, came None"),
        ({"e": {"a": {"provenance": {}, "grounding": []}}}, "`provenance.derived_from`, came None"),
        ({"e": {"a": {"provenance": {"derived_from": "a"}}}}, "at `grounding`, came None"),
        ({"e": {"a": record({})}}, "e.a: `grounding[0]`: expected a selector with `type` one of"),
        ({"e": {"a": record("x")}}, "came 'x'"),
        ({"e": {"a": record({"type": "PageSelector"})}}, "came 'PageSelector'"),
        ({"e": {"a": record({"type": []})}}, "came []"),
        ({"e": {"a": record(quote(3))}}, "`exact` of a TextQuoteSelector is text, came 3"),
        ({"e": {"a": record(quote(" \n"))}}, "`exact` quotes nothing"),
        (
            {"e": {"a": record({"type": "TextQuoteSelector"})}},
            "a TextQuoteSelector has `exact`, text: it is missing",
        ),
        ({"e": {"a": record(cell(True, "a"))}}, "`row` of a CellSelector is a whole number"),
        ({"e": {"a": record(cell(-1, "a"))}}, "`row` counts from 0, came -1"),
        (
            {"e": {"a": record({"type": "TextPositionSelector", "start": 5, "end": 5})}},
            "`start` is before `end`, came 5 and 5",
        ),
        ({"e": {"a": record(*[quote("a")] * 101)}}, "it has 101 selectors; a record has at most"),
    ],
)
def test_each_fault_of_shape_is_a_sentence_that_says_where(value, fault):
    (found,) = check_evidence(value)
    assert fault in found


def test_faults_are_bounded():
    assert len(check_evidence({str(n): {"a": 1} for n in range(1000)})) == 100


def test_a_quote_is_found_as_written_but_for_white_space():
    found = one(quote("received USD 3.2\n million"))
    assert (found.found, found.source) == (True, "report.md")
    assert found.text == "received\nUSD 3.2 million"
    for exact in ("clean water", "Clean Water for Lira.", "USD 3,2 million", "3.2million"):
        span = one(quote(exact))
        assert not span.found
        assert "is not in report.md" in span.problem


def test_prefix_and_suffix_choose_between_occurrences():
    both = one(quote("12"))
    assert [p.text[: p.end][-8:] for p in both.passages] == ["Gulu, 12", "oats; 12"]
    first = one(quote("12", prefix="In Gulu, ", suffix=" boats"))
    assert [p.text[p.end : p.end + 2] for p in first.passages] == [" b"]
    second = one(quote("12", prefix="boats; "))
    assert [p.text[p.end : p.end + 2] for p in second.passages] == [".5"]


def test_a_quote_over_two_paragraphs_is_picked_in_two_passages():
    found = one(quote("in 2023. In Gulu"))
    assert found.found
    assert [text.split() for text in picked(found)] == [["in", "2023."], ["In", "Gulu"]]


def test_several_sources_may_be_named_and_the_first_that_has_the_quote_counts():
    found = one(quote("p-2"), source="report.md, data.json")
    assert (found.found, found.source) == (True, "data.json")
    missing = one(quote("nowhere"), source="report.md,none.md")
    assert missing.problem == (
        "the quote 'nowhere' is not in report.md; there is no source 'none.md'"
    )


def test_a_file_name_with_a_comma_is_one_source():
    (found,) = spans(record(quote("x"), source="a,b.md"), {"a,b.md": source_from("a,b.md", "x y")})
    assert found.found


def test_a_place_is_picked_within_the_text_only():
    place = {"type": "TextPositionSelector", "start": 0, "end": 11}
    assert one(place).text == "Clean Water"
    assert "has 83 characters" in one({**place, "end": 999}).problem
    assert one({**place, "end": 10**300}).found is False
    assert "is no text" in one({**place, "source": "data.json"}).problem
    assert "several sources" in one(place, source="report.md,budget.csv").problem


def test_a_cell_is_picked_by_row_and_column():
    found = one(cell(0, "district"))
    assert (found.text, picked(found)) == ("Lira, north", ["Lira, north"])
    assert "has 2 rows, counted from 0, and not row 2" in one(cell(2, "id")).problem
    assert "no column 'place': its columns are 'id, district, amount'" in (
        one(cell(0, "place")).problem
    )
    assert "is no table" in one(cell(0, "id", source="report.md")).problem
    assert "no source 'x.csv'" in one(cell(0, "id", source="x.csv")).problem


def test_a_cell_of_a_record_of_creels_picks_its_whole_row():
    found = one(cell(1, "id"), source="budget.csv", generated_by="query:project")
    assert found.text == "id: p-2, district: Gulu, amount: 80000"
    assert picked(found) == ["p-2", "Gulu", "80000"]
    # where no attribute is mapped, creel names a column that is not there
    assert one(cell(1, "row"), source="budget.csv", generated_by="query:project").found


@pytest.mark.parametrize(
    ("expression", "text", "leaves"),
    [
        ("$.projects[0].budget.amount", "12", ["12"]),
        ("$['projects'][0]['id']", "p-1", ["p-1"]),
        ('$.projects[-1]["tags"][1]', "b", ["b"]),
        ("$.projects[*].id", '["p-1", "p-2"]', ["p-1", "p-2"]),
        ("$.projects[1]", '{"id": "p-2", "tags": ["a", "b"]}', ["p-2", "a", "b"]),
        ("projects[1]", '{"id": "p-2", "tags": ["a", "b"]}', ["p-2", "a", "b"]),
        ("projects[*].id[1]", "p-2", ["p-2"]),
        ("projects[0].budget[0]", '{"amount": 12}', ["12"]),
        ("$[0]", JSON, ["p-1", "12", "p-2", "a", "b"]),
    ],
)
def test_a_json_path_picks_values(expression, text, leaves):
    found = one(path(expression), source="data.json")
    assert (found.text, picked(found)) == (text, leaves)


@pytest.mark.parametrize(
    "expression",
    [
        "$.projects[9]", "$.nothing", "$..id", "$.projects[?(@.id=='p-1')]", "$.projects[0:2]",
        "$.projects[0].id.x", "projects | [0]", "length(@)", "", ".projects", "$.a b", "[" * 400,
        "$" + "[*]" * 160, "$." + "a" * 1000, "__class__", "$.projects.__len__",
    ],
)  # fmt: skip
def test_other_paths_pick_nothing_and_say_so(expression):
    (found,) = spans(
        record({"type": "JsonPathSelector", "expression": expression}, source="data.json"), SOURCES
    )
    if expression == "":
        assert found.found  # the whole document, as in JSONPath without its sign
    else:
        assert not found.found
        assert found.problem


def test_a_path_that_would_grow_stops():
    document = [[0] * 400] * 400
    with pytest.raises(NoSuchPlace, match="more than 100,000 values"):
        values_at(document, "$[*][*]")


def test_a_quote_of_a_table_never_joins_two_cells():
    assert picked(one(quote("north"), source="budget.csv")) == ["north"]
    row = one(quote('p-1,"Lira, north",120000'), source="budget.csv")
    assert picked(row) == ["p-1", "Lira, north", "120000"]
    cut = one(quote('1,"Lira, north",12'), source="budget.csv")
    assert picked(cut) == ["Lira, north"]
    assert not one(quote("p-1, Lira"), source="budget.csv").found


def test_a_quote_of_a_json_document_is_read_by_its_values():
    found = one(quote('"amount": 12}'), source="data.json")
    assert picked(found) == ["12"]
    assert picked(one(quote('"a", "b"'), source="data.json")) == ["a", "b"]


def test_what_picks_too_much_picks_nothing():
    text = "word " * 5_000
    sources = {
        "a.md": source_from("a.md", text),
        "a.json": source_from("a.json", str(list(range(MOST_PICKED + 1)))),
    }
    for selector in (
        quote(text),
        {"type": "TextPositionSelector", "start": 0, "end": MOST_PICKED + 1},
        path("$", source="a.json"),
    ):
        (found,) = spans(record(selector, source="a.md"), sources)
        assert not found.found
        assert "more than 10,000" in found.problem


@pytest.mark.parametrize(
    "hostile",
    [
        None, 3, "x", [], {}, {"provenance": 1, "grounding": 2},
        {"provenance": {}, "grounding": []},
        {"provenance": {"derived_from": 5}, "grounding": [None, 1, "a", {}, []]},
        {"provenance": {"derived_from": "," * 100_000}, "grounding": [quote("a")]},
        {"provenance": {"derived_from": "report.md"}, "grounding": [quote("a" * 1_000_000)]},
        {"provenance": {"derived_from": "report.md"}, "grounding": [cell(10**400, "a")]},
        {"provenance": {"derived_from": "../../etc/passwd"}, "grounding": [quote("root")]},
        {"provenance": {"derived_from": "report.md"}, "grounding": [quote("a", prefix=7)]},
    ],
)  # fmt: skip
def test_hostile_records_pick_nothing_and_raise_nothing(hostile):
    assert not any(span.found for span in spans(hostile, SOURCES))


def test_repeating_texts_are_searched_in_bounded_time():
    text = "ab " * 1_500_000
    (found,) = spans(
        record(quote("ab " * 3_000 + "c"), source="a.md"), {"a.md": source_from("a.md", text)}
    )
    assert not found.found
