"""Cases by runs, how they went from one to another, and misreadings."""

from creel_inspect.compare.comparing import compare
from tests.compare.hand_frames import frame, samples


def comparison(*runs):
    return compare(frame(*runs), details=False).comparisons[0]


def rows_of(*runs):
    return {row.case: row for row in comparison(*runs).rows}


def test_a_cell_is_mixed_where_epochs_differ_and_its_score_is_over_those_scored():
    rows = rows_of(samples("one", {"a": ["right", "wrong", "errored"], "b": ["declined"] * 2}))
    cell = rows["a"].cells["id--one"]
    assert (cell.result, cell.score) == ("mixed", 0.5)
    assert cell.epochs == ["right", "wrong", "errored"]
    cell = rows["b"].cells["id--one"]
    assert (cell.result, cell.score) == ("declined", 0.0)


def test_what_the_first_run_that_knows_says_is_said_of_a_case():
    rows = rows_of(
        samples("one", {"a": "not run"}, why="", tags=[]),
        samples("two", {"a": "right"}, why="the reason", tags=["t", "t", "u"]),
    )
    assert rows["a"].why == "the reason"
    assert rows["a"].tags == ["t", "u"]


def test_runs_disagree_where_what_was_measured_differs():
    one = {"a": "right", "b": "wrong", "c": "right", "d": ["right", "wrong"], "e": "errored"}
    two = {"a": "wrong", "b": "declined", "c": "errored", "d": ["wrong", "right"], "e": "not run"}
    rows = rows_of(samples("one", one), samples("two", two))
    # c and e: nothing was measured to disagree with. d: the same in another order.
    assert [case for case, row in rows.items() if row.disagree] == ["a", "b"]


def test_partly_right_scores_disagree_where_they_differ():
    rows = rows_of(
        samples("one", {"a": 0.5, "b": 0.5}, kind="other"),
        samples("two", {"a": 0.5, "b": 0.25}, kind="other"),
    )
    assert [row.disagree for row in rows.values()] == [False, True]


def test_transitions_are_those_of_the_cells_where_epochs_differ_mixed():
    better = {"a": ["errored", "right"], "b": "right", "c": "right", "d": "right", "e": "errored"}
    worse = {"a": ["right", "right"], "b": "declined", "c": "wrong", "d": "right", "e": "wrong"}
    found = comparison(samples("one", better), samples("two", worse))
    # Of the cases that both have scored, two is the worse: 2 of 4 against 4 of 4.
    assert [(one.before, one.after, one.count, one.cases) for one in found.transitions] == [
        ("declined", "right", 1, ["b"]),
        ("right", "mixed", 1, ["a"]),
        ("wrong", "errored", 1, ["e"]),
        ("wrong", "right", 1, ["c"]),
        ("right", "right", 1, ["d"]),
    ]
    assert {(one.a, one.b) for one in found.transitions} == {("id--two", "id--one")}
    for one in found.transitions:
        for row in found.rows:
            told = row.cells[one.a].result, row.cells[one.b].result
            assert (row.case in one.cases) == (told == (one.before, one.after))


def test_misreadings_are_counted_by_run_most_frequent_first():
    one = samples("one", {"a": ["wrong", "wrong"], "b": "wrong"}, misreading={"a": "x", "b": "y"})
    two = samples("two", {"a": "wrong", "b": "right"}, misreading={"a": "x"})
    found = comparison(one, two).misreadings
    assert [(each.case, each.misreading, each.runs) for each in found] == [
        ("a", "x", {"id--one": 2, "id--two": 1}),
        ("b", "y", {"id--one": 1}),
    ]
