"""The page shows the right value in the right place."""

import itertools
import re

import pytest

from creel_inspect.compare.page.render import render_html
from creel_inspect.compare.refusing import CompareError
from creel_inspect.compare.results import Comparison, Report
from tests.compare import hand_reports
from tests.compare.page.pages import parsed, table, words


@pytest.fixture(scope="module")
def page():
    return parsed(hand_reports.small(tasks=2))


@pytest.fixture(scope="module")
def single():
    return parsed(hand_reports.small())


def test_the_same_report_is_the_same_page():
    report = hand_reports.small(tasks=2)
    again = Report.model_validate_json(report.model_dump_json())
    assert render_html(report) == render_html(again)


def test_verdicts_stand_first_then_what_to_know_then_the_figures(page):
    text = words(page.find(id="content"))
    places = [
        text.index(part)
        for part in (
            "provider/large is better than local/8b by 0.75.",
            "How to read this",
            "The package versions differ: 0.1.0, 0.1.1.",
            "2 cases: only two runs have them (such as old-1 )",
            "1 of 6 samples have no score: 1 unscored (engine_timeout 1), 0 errored, 0 not run.",
            "2 of 6 samples have no score: 0 unscored, 1 errored, 1 not run.",
            "What was asked of each run",
        )
    ]
    assert places == sorted(places)
    assert "x.eval: unreadable" in text[: places[0]]
    assert "Of 3 pairs: 1 not distinguishable, 1 different, 1 not measured." in text


def test_a_run_is_a_row_of_its_figures(single):
    head, large, small, local = table(single, "What was asked of each run")
    assert list(head) == [
        *("Run", "Score, 95 % interval", "Worst-case bounds", "pass^2", "Flip rate", "Requested"),
        *("Scored", "Unscored", "Errored", "Not run", "Cost", "Seconds"),
        *("Tokens", "Pareto front"),
    ]
    assert large == [
        *("A provider/large 2 epochs", "0.800 0.376 to 0.964", "0.667 to 0.833", "0.700", "0.200"),
        *("6", "5", "1 engine_timeout 1", "0", "0", "$0.02", "4.0 s p90 8.0 s", "1,234"),
        "◆ on it",
    ]
    assert small == [
        "B provider/small [prompt=terse] provider/small prompt = terse",
        *("0.500 0.188 to 0.812", "0.500 to 0.500", "–", "–", "6", "6", "0", "0", "0", "$0.0011"),
        *("1.5 s p90 3.0 s", "1,234", "◆ on it"),
    ]
    assert local == [
        *("C local/8b", "0.250 no interval", "0.167 to 0.500", "–", "–", "6", "4", "0", "1", "1"),
        *("$0.005", "31.0 s p90 62.0 s", "1,234", "no"),
    ]


def test_a_pair_is_a_difference_in_one_table_and_what_it_rests_on_in_another(single):
    _, ab, ac, bc = table(single, "Differences: a filled diamond")
    assert ab[0] == "A − B provider/large − provider/small [prompt=terse]"
    assert ab[2:] == ["+0.200 [−0.240 to +0.640]", "◇ not distinguishable"]
    assert ac[2:] == ["+0.750 [+0.310 to +0.990]", "◆ A is better"]
    assert bc[2:] == ["–", "not measured"]
    _, ab, ac, bc = table(single, "What each verdict rests on")
    assert ab == ["A − B", "5", "0.500", "0.250", "A 2, B 1", "+0.167 to +0.333", "0.610", "31"]
    assert ac == ["A − C", "4", "0.001", "< 0.001", "–", "not known", "–", "0"]
    assert bc == ["B − C", "0", "–", "–", "–", "not known", "–", "–"]


def test_a_drawn_row_says_what_it_draws(single):
    drawn = [svg["aria-label"] for svg in single.select("td.strip svg[role=img]")]
    assert drawn == [
        "provider/large: 0.800; interval 0.376 to 0.964; worst-case bounds 0.667 to 0.833",
        "provider/small [prompt=terse]: 0.500; interval 0.188 to 0.812",
        "local/8b: 0.250; no interval; worst-case bounds 0.167 to 0.500",
        "A − B: +0.200; interval −0.240 to +0.640; worst-case bounds +0.167 to +0.333",
        "A − C: +0.750; interval +0.310 to +0.990",
        "B − C: nothing measured",
    ]


def test_how_samples_ended_is_counted_for_each_run(single):
    assert table(single, "How the samples ended") == [
        ["Result", "A provider/large", "B provider/small [prompt=terse]", "C local/8b"],
        ["✓ right", "4", "3", "1"],
        ["✗ wrong", "1", "1", "3"],
        ["⊘ declined", "0", "1", "0"],
        ["⚠︎ malformed", "0", "1", "0"],
        ["? unscored", "1", "0", "0"],
        ["! errored", "0", "0", "1"],
        ["– not run", "0", "0", "1"],
    ]


def test_the_scatter_names_the_front_and_draws_it(single):
    field = single.select_one("svg.field")
    assert words(field.desc) == (
        "provider/large: 0.800 [0.376 to 0.964] for $0.02, on the front."
        " provider/small [prompt=terse]: 0.500 [0.188 to 0.812] for $0.0011, on the front."
        " local/8b: 0.250 [no interval] for $0.005."
    )
    assert len(field.select("line.front")) == 2  # along, and up, from the cheap to the good
    assert len(field.select("svg.mark.hollow")) == 1
    assert "Score against cost" in words(single)


def test_where_nothing_is_known_of_cost_or_time_there_is_no_scatter(page):
    assert page.find(id="t1-price") is not None
    assert page.find(id="t2-price") is None


def test_transitions_are_a_square_and_the_changes_with_their_cases(single):
    assert table(single, "From B provider/small [prompt=terse] to A provider/large") == [
        ["B ↓ A →", "✓ right", "± mixed", "? unscored"],
        ["✓ right", "2", "0", "1"],
        ["✗ wrong", "1", "0", "0"],
        ["⊘ declined", "1", "0", "0"],
        ["⚠︎ malformed", "0", "1", "0"],
    ]
    panel = single.find(id="t1-pair-1")
    assert "4 cases ended differently, 2 alike" in words(panel)
    changes = [words(item) for item in panel.select(".changes li")]
    assert changes[0] == "⊘ declined → ✓ right (1): yield/over 90 %"
    assert changes[3] == "⚠︎ malformed → ± mixed (1): salts#2"
    linked = [link["href"] for link in panel.select("a")]
    assert linked == ["#case-1-2-yield-over-90", "#case-1-1-l-alanine", "#case-1-3-constructor"]


def test_cases_that_ended_alike_are_not_called_none_where_they_were_not_counted():
    report = hand_reports.small()
    [found] = report.comparisons
    changes = [one for one in found.transitions if one.before != one.after]
    found = found.model_copy(update={"transitions": changes})
    page = parsed(report.model_copy(update={"comparisons": [found]}))
    caption = "From B provider/small [prompt=terse] to A provider/large"
    rows = table(page, caption)
    assert rows[1][:2] == ["✓ right", "–"]
    assert "alike" not in words(page.find(id="t1-pair-1"))


def test_the_matrix_has_a_sign_and_a_word_in_every_cell(single):
    rows = {row[0].split(" ")[0]: row[1:] for row in table(single, "How each case ended")}
    assert rows["l-alanine"] == ["✓ right", "✗ wrong", "✗ wrong", "1.000"]
    assert rows["yield/over"] == ["✓ right", "⊘ declined", "✗ wrong", "1.000"]
    assert rows["salts#2"] == ["± mixed 1/2", "⚠︎ malformed", "✗ wrong", "0.500"]
    assert rows["case9"] == ["✓ right", "✓ right", "! errored", "0.000"]
    assert rows["constructor"] == ["? unscored", "✓ right", "– not run", "–"]


def test_a_graded_cell_shows_its_score_and_a_run_that_lacks_the_case_says_so(page):
    second = page.find(id="t2-matrix").find_parent("section")
    rows = [[words(cell) for cell in row.find_all("td")] for row in second.select("tbody tr")]
    assert rows == [["◐ partly 0.730", "– not run", "–"], ["⚠︎ truncated", "– not asked", "–"]]


def test_a_cell_leads_to_the_entry_of_its_own_case(page):
    for section in page.select("[data-matrix]"):
        for row in section.select("tbody tr"):
            for link in row.select("td a"):
                entry = page.find(id=link["href"].removeprefix("#"))
                assert words(entry.h4) == words(row.th.bdi)
                assert entry.find_parent("section", class_="comparison") is section.find_parent(
                    "section", class_="comparison"
                )
    assert len(page.select("[data-matrix] td a")) == 3 * 3 + 2


def test_a_disagreement_is_question_why_reference_and_every_answer(single):
    entry = single.find(id="case-1-2-yield-over-90")
    asked = [words(part) for part in entry.select("dl.asked > *")]
    assert asked[:6] == [
        *("Question", "Which reactions have yield/over 90 %?"),
        *("Why it is asked", "It is there to catch yield/over 90 %."),
        *("Tags", "structure"),
    ]
    assert entry.select_one("dl.asked pre").text == hand_reports.json.dumps(
        hand_reports.QUERY, indent=1
    )
    answers = entry.select("article")
    assert [words(one.h5) for one in answers] == [
        *("A provider/large", "B provider/small [prompt=terse]", "C local/8b"),
    ]
    came = [words(one.select_one(".came")) for one in answers]
    assert came == [
        "✓ right , score 1.000, epoch 1",
        "⊘ declined , score 0.000, epoch 1",
        "✗ wrong , score 0.000, epoch 1",
    ]
    assert [cell.text for cell in answers[0].select(".explanation td")] == ["out", "2"]
    assert answers[0].select_one(".explanation strong").text == "Missed: 2 of 5 reactions."
    assert "2 more are not shown here" in words(entry.find_parent("section"))


def test_answers_stand_in_the_order_of_the_runs_and_changes_by_their_number():
    report = hand_reports.small()
    [found] = report.comparisons
    first = found.disagreements[0]
    turned = first.model_copy(update={"answers": first.answers[::-1]})
    more = [one.model_copy(update={"count": n}) for n, one in enumerate(found.transitions[:5])]
    found = found.model_copy(update={"disagreements": [turned], "transitions": more})
    page = parsed(report.model_copy(update={"comparisons": [found]}))
    assert [words(one)[0] for one in page.select("article h5")] == ["A", "B", "C"]
    assert [words(one)[0] for one in page.select(".chip")] == ["A", "B", "C"]
    changes = [words(one) for one in page.select("#t1-pair-1 .changes li")]
    assert [change[change.index("(") + 1] for change in changes] == ["4", "3", "2", "1"]


def test_misreadings_and_slices_are_by_run(single):
    [_, row] = table(single, "Wrong queries that the cases")
    assert row == ["l-alanine", "the mirror image", "0", "1", "2"]
    [_, stereo] = table(single, "Scores by tag")
    assert stereo == ["stereo", "1", "1.000 [0.207 to 1.000]", "0.000 [0.000 to 0.793]", "–"]
    assert "not adjusted" in words(single.find(id="t1-slices").find_parent("section"))


def test_the_foot_says_by_what_and_how(page):
    foot = words(page.footer)
    assert "By creel-inspect 0.1.0, schema 1.0, from logs ." in foot
    methods = [words(dl) for dl in page.select("dl.methods")]
    assert methods == [
        f"Interval of a score {hand_reports.WILSON}"
        f" Interval of a difference {hand_reports.PAIRED}"
        f" Test of no difference {hand_reports.MCNEMAR}"
        f" Interval of a slice's score {hand_reports.WILSON}",
        "Interval of a score bootstrap",
    ]
    for term in ("Wilson interval", "Holm", "pass^k", "Worst-case bounds", "Mixed"):
        assert term in [words(dt) for dt in page.select("dl.terms dt")]


def test_a_method_of_slices_is_named_once_whatever_their_sizes():
    report = hand_reports.small()
    [found] = report.comparisons
    slices = [
        found.slices[0].model_copy(
            update={
                "name": str(n),
                "scores": {
                    "a" * 12: hand_reports.estimate(
                        0.5, method=f"Wilson over {n}.0 effective cases (robust over {n} cases)"
                    )
                },
            }
        )
        for n in (2, 17)
    ]
    found = found.model_copy(update={"slices": slices})
    page = parsed(report.model_copy(update={"comparisons": [found]}))
    assert words(page.select_one("dl.methods dd:last-of-type")) == (
        "Wilson over n effective cases (robust over n cases)"
    )


def test_every_id_is_one_of_its_kind_and_every_inner_link_has_an_end(page):
    ids = [element["id"] for element in page.select("[id]")]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[a-z][a-z0-9-]*", one) for one in ids)
    inner = {a["href"][1:] for a in page.select("a[href^='#']")}
    labelled = page.select("[aria-labelledby]")
    labels = {label for one in labelled for label in one["aria-labelledby"].split()}
    assert inner | labels <= set(ids)
    assert {label["for"] for label in page.select("label[for]")} <= set(ids)


def test_every_heading_of_a_table_has_a_scope_and_every_table_of_ours_a_caption(page):
    assert {th.get("scope") for th in page.find_all("th")} == {"col", "row"}
    ours = [t for t in page.find_all("table") if not t.find_parent(class_="explanation")]
    assert len(ours) > 10
    assert all(t.caption for t in ours)
    assert all(t.find_parent(class_="scroll")["tabindex"] == "0" for t in page.find_all("table"))


def test_headings_step_down_by_one(page):
    levels = [int(h.name[1]) for h in page.find_all(re.compile("^h[1-6]$"))]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_the_navigation_names_the_tasks_where_there_are_several(page, single):
    assert [words(a) for a in page.select("nav a.task")] == ["nl_search", "extraction"]
    assert single.select("nav a.task") == []


def test_one_task_with_one_run_and_a_report_of_nothing_are_pages_too():
    report = hand_reports.small(tasks=2)
    one = report.comparisons[1].model_copy(update={"runs": report.comparisons[1].runs[:1]})
    text = words(parsed(report.model_copy(update={"comparisons": [one]})))
    assert "no pair of runs to compare. The score of A base: provider/large is 0.730" in text
    empty = Report(creel_inspect="0", sources=[], comparisons=[], warnings=[])
    assert "Nothing was compared" in words(parsed(empty))
    bare = Comparison(
        **{"task": "t", "kind": "other", "score": "s", "binary": False, "cases": 0, "clusters": 0},
        **{"runs": [], "pairs": [], "transitions": [], "rows": [], "disagreements": []},
        **{"misreadings": [], "slices": [], "left_out": [], "warnings": []},
    )
    assert "0 runs on 0 cases" in words(parsed(empty.model_copy(update={"comparisons": [bare]})))


def test_many_pairs_open_with_those_that_differ_and_fold_the_rest():
    report = hand_reports.by_size(20, 40)
    page = parsed(report)
    verdict = page.select_one(".verdict")
    folded = verdict.select("details li")
    open_ = [li for li in verdict.select("li") if not li.find_parent("details")]
    assert len(open_) == 8
    assert all(" is better than " in words(li) for li in open_)
    assert len(open_) + len(folded) == 190
    assert len(table(page, "Differences: a filled diamond")) == 191


def test_bounds_are_left_out_where_every_sample_has_a_score():
    report = hand_reports.small(tasks=2)
    whole = report.comparisons[1].model_copy(update={"runs": report.comparisons[1].runs[:1]})
    page = parsed(report.model_copy(update={"comparisons": [whole]}))
    assert "Every sample that was requested has a score." in words(page)
    assert "Worst-case bounds" not in table(page, "What was asked of each run")[0]


@pytest.mark.parametrize(
    "viewer", ["javascript:alert(1)", "127.0.0.1:7575", "", "http://", "http://x/?a", "file:///x"]
)
def test_a_viewer_that_is_no_http_address_is_refused(viewer):
    with pytest.raises(CompareError, match=r"expected one such as http://127\.0\.0\.1:7575"):
        render_html(hand_reports.small(), viewer=viewer)
