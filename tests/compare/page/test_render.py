"""The page shows the right value in the right place."""

import itertools
import re
import sys

import pytest

from creel_inspect.compare.page.render import render_html
from creel_inspect.compare.refusing import CompareError
from creel_inspect.compare.results import Bounds, Comparison, Report
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
            "1 of 6 samples have no score: 1 unscored ( engine_timeout 1), 0 errored, 0 not run.",
            "2 of 6 samples have no score: 0 unscored, 1 errored ( rate limit 1), 1 not run.",
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
        *("A provider/large 2 epochs", "80.0 37.6 to 96.4", "66.7 to 83.3", "70.0", "20.0 %"),
        *("6", "5", "1 engine_timeout 1", "0", "0", "$0.02", "4.0 s p90 8.0 s", "1,234"),
        "◆ on it",
    ]
    assert small == [
        "B provider/small [prompt=terse] provider/small prompt = terse",
        *("50.0 18.8 to 81.2", "50.0 to 50.0", "–", "–", "6", "6", "0", "0", "0", "$0.0011"),
        *("1.5 s p90 3.0 s", "1,234", "◆ on it"),
    ]
    assert local == [
        *("C local/8b", "25.0 no interval", "16.7 to 50.0", "–", "–", "6", "4", "0"),
        *("1 rate limit 1", "1"),
        *("$0.005", "31.0 s p90 62.0 s", "1,234", "no"),
    ]


def test_a_pair_is_a_difference_in_one_table_and_what_it_rests_on_in_another(single):
    _, ab, ac, bc = table(single, "Differences: a filled diamond")
    assert ab[0] == "A − B provider/large − provider/small [prompt=terse]"
    assert ab[2:] == ["+20.0 [−24.0 to +64.0]", "◇ not distinguishable"]
    assert ac[2:] == ["+75.0 [+31.0 to +99.0]", "◆ A is better"]
    assert bc[2:] == ["–", "not measured"]
    _, ab, ac, bc = table(single, "What each verdict rests on")
    assert ab == ["A − B", "5", "0.500", "0.250", "A 2, B 1", "+16.7 to +33.3", "61.0", "31"]
    assert ac == ["A − C", "4", "0.001", "< 0.001", "–", "not known", "–", "0"]
    assert bc == ["B − C", "0", "–", "–", "–", "not known", "–", "–"]


def test_a_drawn_row_says_what_it_draws(single):
    drawn = [svg["aria-label"] for svg in single.select("td.strip svg[role=img]")]
    assert drawn == [
        "provider/large: 80.0; interval 37.6 to 96.4; worst-case bounds 66.7 to 83.3",
        "provider/small [prompt=terse]: 50.0; interval 18.8 to 81.2",
        "local/8b: 25.0; no interval; worst-case bounds 16.7 to 50.0",
        "A − B: +20.0; interval −24.0 to +64.0; worst-case bounds +16.7 to +33.3",
        "A − C: +75.0; interval +31.0 to +99.0",
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
        "provider/large: 80.0 [37.6 to 96.4] for $0.02, on the front."
        " provider/small [prompt=terse]: 50.0 [18.8 to 81.2] for $0.0011, on the front."
        " local/8b: 25.0 [no interval] for $0.005."
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
    assert "4 cases with another result, 2 with the same" in words(panel)
    changes = [words(item) for item in panel.select(".changes li")]
    assert changes[0] == "⊘ declined → ✓ right (1): yield/over 90 %"
    assert changes[3] == "⚠︎ malformed → ± mixed (1): salts#2"
    linked = [link["href"] for link in panel.select("a")]
    assert linked == ["#case-1-2-yield-over-90", "#case-1-1-l-alanine", "#case-1-3-constructor"]


def test_a_square_without_a_case_that_kept_its_result_says_zero():
    report = hand_reports.small()
    [found] = report.comparisons
    changes = [one for one in found.transitions if one.before != one.after]
    found = found.model_copy(update={"transitions": changes})
    page = parsed(report.model_copy(update={"comparisons": [found]}))
    caption = "From B provider/small [prompt=terse] to A provider/large"
    assert table(page, caption)[1][:2] == ["✓ right", "0"]
    assert "4 cases with another result, 0 with the same" in words(page.find(id="t1-pair-1"))


def test_the_matrix_has_a_sign_and_a_word_in_every_cell(single):
    rows = {row[0].split(" ")[0]: row[1:] for row in table(single, "How each case ended")}
    assert rows["l-alanine"] == ["✓ right", "✗ wrong", "✗ wrong", "100.0"]
    assert rows["yield/over"] == ["✓ right", "⊘ declined", "✗ wrong", "100.0"]
    assert rows["salts#2"] == ["± mixed 1/2", "⚠︎ malformed", "✗ wrong", "50.0"]
    assert rows["case9"] == ["✓ right", "✓ right", "! errored", "0.0"]
    assert rows["constructor"] == ["? unscored", "✓ right", "– not run", "–"]


def test_a_graded_cell_shows_its_score_and_a_run_that_lacks_the_case_says_so(page):
    second = page.find(id="t2-matrix").find_parent("section")
    rows = [[words(cell) for cell in row.find_all("td")] for row in second.select("tbody tr")]
    assert rows == [["◐ partly 73.0", "– not run", "–"], ["⚠︎ truncated", "– not asked", "–"]]


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
        "✓ right , score 100.0, epoch 1",
        "⊘ declined , score 0.0, epoch 1",
        "✗ wrong , score 0.0, epoch 1",
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
    assert stereo == ["stereo", "1", "100.0 [20.7 to 100.0]", "0.0 [0.0 to 79.3]", "–"]
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
    assert "no pair of runs to compare. The score of A base: provider/large is 73.0" in text
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


def changed(report, **fields):
    """The report with fields of its one comparison replaced."""
    [found] = report.comparisons
    return report.model_copy(update={"comparisons": [found.model_copy(update=fields)]})


def with_first_run(report, **fields):
    runs = report.comparisons[0].runs
    return changed(report, runs=[runs[0].model_copy(update=fields), *runs[1:]])


def test_what_was_refused_is_a_warning_before_everything_else():
    refusal = "extraction: the policies differ:\n  a: <b>lenient</b>\n  b: strict"
    report = hand_reports.small().model_copy(update={"refused": [refusal]})
    page = parsed(report)
    first = page.select_one("main section")
    assert words(first.h2) == "Warning: not compared"
    assert [item.text for item in first.select("li")] == [refusal]
    assert first.find("b") is None
    nothing = words(parsed(report.model_copy(update={"comparisons": []})))
    assert "the policies differ" in nothing
    assert "Nothing was compared." in nothing


def test_notes_on_logs_are_not_said_to_be_on_logs_that_were_left_aside(single):
    note = single.select_one("main section")
    assert words(note) == "About the logs x.eval: unreadable"


def test_errors_stand_beside_their_number_most_frequent_as_reported():
    counts = hand_reports.counts(3, errored=3, errors={"429 <b>slow</b>\nnext": 2, "x" * 999: 1})
    page = parsed(with_first_run(hand_reports.small(), counts=counts))
    row = table(page, "What was asked of each run")[1]
    assert f"3 429 <b>slow</b> next 2 {'x' * 200}… 1" in row
    assert f"3 errored ( 429 <b>slow</b> next 2; {'x' * 200}… 1)" in words(page.find(id="content"))
    assert page.select("main b") == []


def test_scores_on_another_scale_have_no_tint_and_stay_in_their_unit():
    report = hand_reports.small()
    [found] = report.comparisons
    first, *rest = found.rows
    ids = list(first.cells)
    cells = dict(zip(ids, [hand_reports.cell("scored", n) for n in (1.0, 4.5, 5.0)], strict=True))
    entry = found.disagreements[0].model_copy(
        update={"answers": [hand_reports.answer(ids[1], first.case, "scored", 4.5)]}
    )
    page = parsed(
        changed(
            report,
            points=False,
            binary=False,
            rows=[first.model_copy(update={"cells": cells}), *rest],
            disagreements=[entry],
        )
    )
    row = page.select_one(".matrix tbody tr")
    assert [words(cell) for cell in row.find_all("td")] == ["• 1", "• 4.5", "• 5", "4"]
    assert {tuple(cell["class"]) for cell in row.find_all("td")[:3]} == {("r-plain",)}
    assert words(page.select_one(".chip")) == "B • 4.5"
    assert words(page.select_one(".came")) == "• scored , score 4.5, epoch 1"
    assert "r-plain" not in page.style.text
    assert "points of 100" not in words(page.find(id="content"))


def test_bounds_are_shown_wherever_they_are_apart_though_no_sample_is_missing():
    report = hand_reports.small()
    whole = [
        run.model_copy(update={"counts": hand_reports.counts(6), "bounds": bounds})
        for run, bounds in zip(
            report.comparisons[0].runs,
            [Bounds(low=0.7, high=0.9), Bounds(low=0.5, high=0.5), None],
            strict=True,
        )
    ]
    page = parsed(changed(report, runs=whole))
    text = words(page.find(id="content"))
    assert "Every sample that was requested has a score" not in text
    assert (
        "A provider/large : every sample has a score, and not all of what they hold could be"
        " judged. Had all been measured and judged, its score would lie in 70.0 to 90.0."
    ) in text
    assert "the thin line what it could have been had all that is missing or not judged" in text
    bounds = [row[2] for row in table(page, "What was asked of each run")]
    assert bounds == ["Worst-case bounds", "70.0 to 90.0", "50.0 to 50.0", "not known"]


def test_bounds_of_anybody_elses_score_say_that_their_range_is_a_guess(single):
    guess = "if every score lies in 0 to 1, as all seen do"
    other = words(parsed(changed(hand_reports.small(), kind="other")).find(id="content"))
    assert f"its score would lie in 66.7 to 83.3, {guess}." in other
    # The list of two runs, both plots, both tables with a column of bounds.
    assert other.count(guess) == 2 + 2 + 2
    assert guess not in words(single)


def test_a_single_run_has_no_front_in_any_table_or_plot():
    report = hand_reports.small()
    page = parsed(changed(report, runs=report.comparisons[0].runs[:1], pairs=[], transitions=[]))
    assert page.find(id="t1-price") is None
    assert "Pareto front" not in table(page, "What was asked of each run")[0]
    assert "Pareto" not in words(page)


@pytest.mark.parametrize("points", [True, False])
def test_absurd_figures_do_not_break_the_page(points):
    most = sys.float_info.max
    report = hand_reports.small()
    [found] = report.comparisons
    absurd = hand_reports.estimate(1e308, -most, most)
    runs = [
        run.model_copy(
            update={
                "score": absurd,
                "bounds": Bounds(low=-most, high=most),
                "use": hand_reports.use(most, most / 2, tokens=most, front=True, axis="cost"),
            }
        )
        for run in found.runs
    ]
    pairs = [
        pair.model_copy(
            update={
                "difference": absurd,
                "bounds": Bounds(low=-most, high=most),
                "detectable": most,
            }
        )
        for pair in found.pairs
    ]
    first, *rest = found.rows
    ids = list(first.cells)
    cells = {
        ids[0]: hand_reports.cell("scored", -most),
        ids[1]: hand_reports.cell("scored", most),
        ids[2]: hand_reports.cell("scored", 5e-324),
    }
    rows = [first.model_copy(update={"cells": cells}), *rest]
    page = parsed(changed(report, points=points, runs=runs, pairs=pairs, rows=rows))
    row = table(page, "What was asked of each run")[1]
    assert row[1] == "1e+308 −1.8e+308 to 1.8e+308"
    assert max(len(cell) for cell in row) < 40
    assert words(page.select_one(".matrix tbody td:last-child")) == "1.8e+308"
    assert not re.search(r"\b(inf|nan)\b", words(page), re.IGNORECASE)
    places = [line["x1"] for line in page.select("svg.strip line")]
    assert all(0 <= float(place.removesuffix("%")) <= 100 for place in places)
