"""When two answers are one: as a set of IDs, and as a table of measures."""

import datetime
import math
import time
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from creel_inspect.search.answers import Expected, compare
from creel_inspect.search.engine import Answer, Column


def ids(*names):
    return Answer((Column("id", "id", "id"),), tuple((name,) for name in names))


def table(columns, *rows):
    """``"g:shelf n=count"``: a group by shelf, and a measure named n that means a count."""
    made = []
    for column in columns.split():
        if column.startswith("g:"):
            made.append(Column(column[2:], "group", column[2:]))
        else:
            name, _, meaning = column.partition("=")
            made.append(Column(name, "measure", meaning or name, meaning == "count"))
    return Answer(tuple(made), rows)


def same(returned, whole, keys=None, limit=None):
    return compare(returned, Expected(whole, keys, limit)).same


def keyed(*pairs):
    """IDs, each with the one key it is sorted by: the whole answer, and its keys."""
    return ids(*(name for name, _ in pairs)), tuple((key,) for _, key in pairs)


# --- sets of IDs


def test_a_set_of_ids_has_no_order():
    assert same(ids("a", "b", "c"), ids("c", "a", "b"))


def test_what_was_missed_and_what_was_added_are_named_and_counted():
    found = compare(ids("a", "x", "b"), Expected(ids("a", "b", "c", "d")))
    assert not found.same
    assert found.missed == ("c", "d")
    assert found.added == ("x",)
    assert found.summary == "4 expected; missed 2 (c, d), wrongly returned 1 (x)"
    assert found.precision == pytest.approx(2 / 3)
    assert found.recall == pytest.approx(2 / 4)


def test_examples_are_few_and_the_rest_is_counted():
    found = compare(ids(), Expected(ids(*"abcde")))
    assert found.summary == "5 expected; missed 5 (a, b, c and 2 more)"
    assert math.isnan(found.precision)
    assert found.recall == 0


def test_an_id_returned_twice_is_in_the_set_once():
    found = compare(ids("a", "b", "b"), Expected(ids("a", "b")))
    assert found.same
    assert (found.precision, found.recall) == (1, 1)
    assert same(ids("a", "b"), ids("a", "a", "b"))
    assert not same(ids("a", "a"), ids("a", "b"))
    assert not same(ids("a", "b", "b", "c"), ids("a", "b"))


def test_nothing_is_right_only_where_nothing_is_expected():
    assert same(ids(), ids())
    assert not same(ids(), ids("a"))
    found = compare(ids("a"), Expected(ids()))
    assert not found.same
    assert found.precision == 0
    assert math.isnan(found.recall)


def test_ids_of_several_types_or_none_at_all_are_told_apart():
    assert not same(ids("1", None), ids(1, "b"))
    assert same(ids(None, "b"), ids("b", None))


@pytest.mark.parametrize("chosen", ["ab", "ba", "cd", "ad"])
def test_any_choice_that_an_unsorted_bound_admits_is_right(chosen):
    assert same(ids(*chosen), ids(*"abcd"), limit=2)


@pytest.mark.parametrize("chosen", ["a", "abc", "ax", "aa", ""])
def test_a_bound_still_counts_rows_and_admits_no_others(chosen):
    assert not same(ids(*chosen), ids(*"abcd"), limit=2)


def test_recall_under_a_bound_is_of_what_the_bound_asks_for():
    found = compare(ids("a", "x"), Expected(ids(*"abcd"), limit=2))
    assert found.added == ("x",)
    assert found.missed == ()  # which of a, b, c, d was left out is nobody's to say
    assert (found.precision, found.recall) == (0.5, 0.5)


def test_a_bound_larger_than_the_answer_asks_for_all_of_it():
    assert same(ids(*"ab"), ids(*"ba"), limit=10)
    found = compare(ids("a"), Expected(ids(*"ab"), limit=10))
    assert not found.same
    assert found.missed == ("b",)


def test_sorted_ids_in_another_order_are_wrong_and_the_place_is_named():
    whole, keys = keyed(("a", 9), ("b", 7), ("c", 5))
    assert same(ids(*"abc"), whole, keys)
    found = compare(ids(*"acb"), Expected(whole, keys))
    assert not found.same
    assert found.summary == (
        "the right rows in another order: place 2 is sorted by 7 and holds one of 5"
    )
    assert (found.precision, found.recall) == (1, 1)


def test_ties_come_in_any_order_and_what_stands_between_them_does_not():
    whole, keys = keyed(("a", 9), ("b", 7), ("c", 7), ("d", None), ("e", None))
    assert same(ids(*"acbed"), whole, keys)
    assert not same(ids(*"bacde"), whole, keys)
    assert not same(ids(*"abdce"), whole, keys)


def test_at_a_bounds_cut_any_of_the_tied_is_right_and_nothing_else():
    whole, keys = keyed(("a", 9), ("b", 7), ("c", 7), ("d", 7), ("e", 1))
    for right in ("ab", "ac", "ad"):
        assert same(ids(*right), whole, keys, limit=2), right
    for wrong in ("ae", "ba", "bc", "aa", "a", "abc"):
        assert not same(ids(*wrong), whole, keys, limit=2), wrong


def test_sorting_by_two_keys_is_sorting_by_both():
    whole = ids(*"abc")
    keys = ((1, "x"), (1, "y"), (1, "y"))
    assert same(ids(*"acb"), whole, keys)
    assert not same(ids(*"bac"), whole, keys)


def test_keys_that_are_not_numbers_sort_and_tie_too():
    nan = float("nan")
    whole, keys = keyed(("a", nan), ("b", float("nan")), ("c", datetime.date(2020, 1, 1)))
    assert same(ids(*"bac"), whole, keys)
    assert not same(ids(*"cab"), whole, keys)


def test_an_id_that_the_whole_holds_twice_may_fill_a_bound_twice():
    assert same(ids("a", "a"), ids("a", "a", "b"), limit=2)
    assert not same(ids("b", "b"), ids("a", "a", "b"), limit=2)


def test_ids_and_measures_are_answers_of_different_kinds():
    measured = table("n=count", (2,))
    assert compare(measured, Expected(ids("a"))).summary == (
        "measured something where the question asks which ones"
    )
    assert compare(ids("a"), Expected(measured)).summary == (
        "returned IDs where the question asks for a measure"
    )
    assert not same(measured, ids())
    assert not same(ids(), table("n=count"))


# --- tables


def test_rows_of_groups_come_in_any_order():
    whole = table("g:shelf n=count", ("A", 2), ("B", 3), (None, 1))
    assert same(table("g:shelf n=count", (None, 1), ("B", 3), ("A", 2)), whole)


def test_a_group_that_is_absent_is_a_group():
    whole = table("g:shelf n=count", ("A", 2), (None, 1))
    found = compare(table("g:shelf n=count", ("A", 2)), Expected(whole))
    assert not found.same
    assert found.missed == ((None, 1),)
    assert "missed 1 ((NULL, 1))" in found.summary
    assert not same(whole, table("g:shelf n=count", ("A", 2)))
    assert not same(table("g:shelf n=count", ("A", 2), ("", 1)), whole)


def test_a_group_whose_every_measure_is_absent_is_left_out_on_both_sides():
    with_it = table("g:shelf low=min high=max", ("A", 1, 2), ("B", None, None))
    without = table("g:shelf low=min high=max", ("A", 1, 2))
    assert same(with_it, without)
    assert same(without, with_it)
    assert not same(table("g:shelf low=min high=max", ("A", 1, 2), ("B", None, 3)), without)


@pytest.mark.parametrize(
    ("returned", "right"),
    [
        # The reference's own three, and the three of a query that asks for a measure to be there.
        (((1, None), (2, 20), (3, 30)), True),
        (((2, 20), (3, 30), (4, 40)), True),
        (((2, 20), (3, 30)), False),
        (((1, None), (2, 20), (4, 40)), False),
        (((2, 20), (3, 30), (5, 50)), False),
    ],
)
def test_under_a_bound_a_group_that_states_nothing_may_be_counted_or_left_out(returned, right):
    whole = table("g:year m=max", (1, None), (2, 20), (3, 30), (4, 40), (5, 50))
    keys = ((1,), (2,), (3,), (4,), (5,))
    assert same(table("g:year m=max", *returned), whole, keys, limit=3) is right


def test_columns_are_known_by_meaning_and_not_by_name_or_place():
    whole = table("g:shelf g:year low=min high=max", ("A", 1, 10, 20), ("B", 2, 30, 40))
    swapped = table("g:year g:shelf h=max l=min", (1, "A", 20, 10), (2, "B", 40, 30))
    assert same(swapped, whole)
    # Named as the other, and meaning the other: the values are those of another question.
    crossed = table("g:shelf g:year low=max high=min", ("A", 1, 10, 20), ("B", 2, 30, 40))
    assert not same(crossed, whole)


def test_a_measure_that_is_spelled_in_another_way_is_known_by_its_values():
    whole = table("g:shelf n=count a=avg", ("A", 2, 1.5), ("B", 3, 2.5))
    assert same(table("g:shelf x=mean y=rows", ("A", 1.5, 2), ("B", 2.5, 3)), whole)
    # Each row on its own would fit, in different orders of the columns.
    assert not same(table("g:shelf x=mean y=rows", ("A", 1.5, 2), ("B", 3, 2.5)), whole)


def test_groups_that_are_spelled_in_another_way_are_known_by_their_values():
    whole = table("g:shelf g:room n=count", ("A", "east", 1), ("B", "west", 2))
    assert same(table("g:place g:board n=count", ("east", "A", 1), ("west", "B", 2)), whole)
    assert not same(table("g:place g:board n=count", ("east", "B", 1), ("west", "A", 2)), whole)


def test_more_loose_columns_than_can_be_permuted_are_still_known_by_their_values():
    wanted = " ".join(f"m{i}=meaning{i}" for i in range(12))
    given_ = " ".join(f"x{i}=other{i}" for i in range(12))
    rows = [("A", *range(12)), ("B", *range(100, 112))]
    turned = [(row[0], *reversed(row[1:])) for row in rows]
    assert same(table("g:shelf " + given_, *turned), table("g:shelf " + wanted, *rows))
    turned[1] = (*turned[1][:-1], 99)
    assert not same(table("g:shelf " + given_, *turned), table("g:shelf " + wanted, *rows))


def test_more_loose_groups_than_are_permuted_are_compared_as_they_stand():
    wanted = " ".join(f"g:w{i}" for i in range(6)) + " n=count"
    other = "n=count " + " ".join(f"g:v{i}" for i in range(6))
    assert same(table(other, (7, *"abcdef")), table(wanted, (*"abcdef", 7)))
    assert not same(table(other, (7, *"bacdef")), table(wanted, (*"abcdef", 7)))


def test_two_columns_of_one_meaning_need_two():
    whole = table("g:s a=avg b=avg", ("A", 1.5, 1.5))
    assert same(table("g:s x=avg y=avg", ("A", 1.5, 1.5)), whole)
    assert not same(table("g:s x=avg", ("A", 1.5)), whole)


@pytest.mark.parametrize(
    ("columns", "row", "said"),
    [
        ("g:shelf n=count a=avg", ("A", 2, 1.0), "measures 2 columns where the question asks"),
        ("n=count", (2,), "groups by 0 columns where the question asks for 1"),
        ("g:shelf g:year n=count", ("A", 1, 2), "groups by 2 columns where the question asks"),
    ],
)
def test_more_or_fewer_columns_are_another_answer(columns, row, said):
    found = compare(table(columns, row), Expected(table("g:shelf n=count", ("A", 2))))
    assert not found.same
    assert said in found.summary


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        (1_000_000, 1_000_005, False),
        (1_000_000, 1_000_001, False),
        (1_000_000, 1_000_001.0, False),
        (1_000_000, 1_000_000.0, True),
        (2**53, 2**53 + 1, False),
        (100.0, 100.00009, True),  # 0.9e-6 apart, relatively
        (100.0, 100.00011, False),  # 1.1e-6
        (-100.0, -100.00009, True),
        (-100.0, 100.0, False),
        (0.0, 0.9e-9, True),
        (0.0, 1.1e-9, False),
        (0.0, -0.0, True),
        (195.15, 195.14999389648438, True),  # as single precision stores it
        (1, 1.0000000001, False),  # a count and a real
        (True, 1, False),
        (False, 0, False),
        (True, 1.0, False),
        (True, True, True),
        (True, False, False),
        ("1", 1, False),
        ("a", "A", False),
        (None, 0, False),
        (None, "", False),
        (float("nan"), float("nan"), True),
        (float("nan"), 1.0, False),
        (float("nan"), None, False),
        (float("inf"), float("inf"), True),
        (float("inf"), float("-inf"), False),
        (float("inf"), 1e308, False),
        (Decimal(5), 5, True),
        (Decimal("5.5"), 5.5, True),
        (Decimal(5), 6, False),
        (datetime.date(2020, 1, 1), datetime.date(2020, 1, 1), True),
        (datetime.date(2020, 1, 1), datetime.date(2020, 1, 2), False),
        (datetime.date(2020, 1, 1), "2020-01-01", False),
    ],
)
def test_one_value_is_another_as_a_person_would_say(one, other, alike):
    # Beside a second measure, so that an absent one does not leave the whole row out.
    whole = table("g:shelf m=m n=n", ("A", other, 7))
    assert same(table("g:shelf m=m n=n", ("A", one, 7)), whole) is alike
    assert same(whole, table("g:shelf m=m n=n", ("A", one, 7))) is alike


def test_groups_are_told_apart_as_values_are():
    assert not same(table("g:b n=n", (True, 1)), table("g:b n=n", (1, 1)))
    assert same(table("g:b n=n", (True, 1), (False, 2)), table("g:b n=n", (False, 2), (True, 1)))
    assert same(table("g:x n=n", (float("nan"), 1)), table("g:x n=n", (float("nan"), 1)))
    assert not same(table("g:x n=n", (float("nan"), 1)), table("g:x n=n", (None, 1)))


def test_a_group_row_that_is_repeated_is_wrong():
    whole = table("g:shelf n=count", ("A", 2), ("B", 3))
    found = compare(table("g:shelf n=count", ("A", 2), ("A", 2), ("B", 3)), Expected(whole))
    assert not found.same
    assert found.added == (("A", 2),)
    assert found.precision == pytest.approx(2 / 3)
    assert found.recall == 1


def test_a_right_group_with_a_wrong_measure_is_missed_and_added():
    whole = table("g:shelf n=count", ("A", 2), ("B", 3))
    found = compare(table("g:shelf n=count", ("A", 2), ("B", 4)), Expected(whole))
    assert (found.missed, found.added) == ((("B", 3),), (("B", 4),))
    assert found.summary == (
        "2 rows of (shelf, n) expected; missed 1 ((B, 3)), wrongly returned 1 ((B, 4))"
    )
    assert (found.precision, found.recall) == (0.5, 0.5)


def test_a_sorted_table_is_judged_by_its_order_and_ties_are_not():
    whole = table("g:shelf n=count", ("A", 5), ("B", 3), ("C", 3), ("D", 1))
    keys = ((5,), (3,), (3,), (1,))
    assert same(table("g:shelf n=count", ("A", 5), ("C", 3), ("B", 3), ("D", 1)), whole, keys)
    found = compare(
        table("g:shelf n=count", ("B", 3), ("A", 5), ("C", 3), ("D", 1)), Expected(whole, keys)
    )
    assert not found.same
    assert "place 1 is sorted by 5 and holds one of 3" in found.summary


def test_a_bounded_table_takes_any_tie_at_the_cut_and_no_wrong_row():
    whole = table("g:shelf n=count", ("A", 5), ("B", 3), ("C", 3), ("D", 1))
    keys = ((5,), (3,), (3,), (1,))
    for shelf in "BC":
        assert same(table("g:shelf n=count", ("A", 5), (shelf, 3)), whole, keys, limit=2)
    assert not same(table("g:shelf n=count", ("A", 5), ("D", 1)), whole, keys, limit=2)
    assert not same(table("g:shelf n=count", ("B", 3), ("C", 3)), whole, keys, limit=2)
    assert not same(table("g:shelf n=count", ("A", 5)), whole, keys, limit=2)
    assert not same(table("g:shelf n=count", ("A", 5), ("A", 5)), whole, keys, limit=2)
    assert same(table("g:shelf n=count", ("D", 1), ("B", 3)), whole, limit=2)


def test_an_unstated_group_does_not_shift_the_places_of_the_others():
    whole = table("g:shelf m=max", ("A", None), ("B", 2), ("C", 3))
    keys = (("A",), ("B",), ("C",))
    assert same(table("g:shelf m=max", ("B", 2), ("C", 3)), whole, keys)
    assert same(whole, whole, keys)
    assert not same(table("g:shelf m=max", ("C", 3), ("B", 2)), whole, keys)


# --- answers with nothing in them


@pytest.mark.parametrize(
    ("answer", "empty"),
    [
        (ids(), True),
        (ids("a"), False),
        (table("n=count", (0,)), True),
        (table("n=count", (1,)), False),
        (table("s=sum", (None,)), True),
        (table("a=avg", (0.0,)), False),  # an average of zero is a value
        (table("b=max", (False,)), False),  # and so is "no"
        (table("n=count a=avg", (0, None)), True),
        (table("n=count a=avg", (0, 0.0)), False),
        (table("g:shelf n=count"), True),
        (table("g:shelf n=count", (None, 0)), True),
        (table("g:shelf n=count", ("A", 0), ("B", 1)), False),
        (table("g:shelf a=avg", ("A", None)), True),
    ],
)
def test_an_answer_is_empty_when_there_is_nothing_to_get_right(answer, empty):
    assert Expected(answer).is_empty is empty


def test_the_count_of_a_right_answer_follows_its_bound_and_what_it_states():
    assert Expected(ids(*"abc")).count == 3
    assert Expected(ids(*"abc"), None, 2).count == 2
    assert Expected(ids(*"abc"), None, 9).count == 3
    assert Expected(table("g:s m=max", ("A", None), ("B", 1))).count == 1


def test_nothing_equals_nothing_in_a_table_as_well():
    assert same(table("s=sum", (None,)), table("s=sum", (None,)))
    assert same(table("g:shelf n=count"), table("g:shelf n=count"))
    assert not same(table("s=sum", (0,)), table("s=sum", (None,)))
    assert not same(table("n=count", (0,)), table("n=count", (1,)))


# --- size


def test_a_hundred_thousand_ids_are_compared_in_a_moment():
    names = [f"ord-{i}" for i in range(100_000)]
    whole, keys = ids(*names), tuple((i // 3,) for i in range(100_000))
    began = time.process_time()
    assert same(ids(*names), whole, keys)
    assert not same(ids(*names[:-1], "other"), whole)
    assert time.process_time() - began < 10  # quadratic: minutes


def test_a_hundred_thousand_rows_are_compared_in_a_moment():
    rows = [(f"group-{i}", i, i / 7) for i in range(100_000)]
    whole = table("g:group n=count a=avg", *rows)
    loose = table("g:group x=mean y=rows", *((g, a, n) for g, n, a in reversed(rows)))
    began = time.process_time()
    assert same(loose, whole)
    found = compare(table("g:group n=count a=avg", *rows[1:]), Expected(whole))
    assert found.missed == (("group-0", 0, 0.0),)
    assert time.process_time() - began < 10


# --- properties

CELLS = st.none() | st.integers(-5, 5) | st.sampled_from(["", "a", "b"])
GROUPS = st.lists(CELLS, unique=True, max_size=8)
MEASURES = st.tuples(
    st.integers(0, 10) | st.none(), st.floats(allow_infinity=False, width=32) | st.none()
)


@st.composite
def tables(draw):
    groups = draw(GROUPS)
    return table("g:g n=count a=avg", *((group, *draw(MEASURES)) for group in groups))


def stating(answer):
    return [row for row in answer.rows if any(value is not None for value in row[1:])]


@given(tables(), st.randoms())
def test_a_table_is_itself_in_any_order(answer, random):
    assert same(answer, answer)
    rows = list(answer.rows)
    random.shuffle(rows)
    assert same(Answer(answer.columns, tuple(rows)), answer)


@given(tables(), st.data())
def test_a_row_dropped_added_or_altered_is_never_the_same_table(answer, data):
    rows = stating(answer)
    more = table("g:g n=count a=avg", *answer.rows, ("new group", 1, 1.0))
    assert not same(more, answer)
    if not rows:
        return
    row = data.draw(st.sampled_from(rows))
    rest = tuple(one for one in answer.rows if one is not row)
    assert not same(Answer(answer.columns, rest), answer)
    altered = (row[0], 11 if row[1] is None else row[1] + 1, row[2])
    assert not same(Answer(answer.columns, (*rest, altered)), answer)


@given(st.lists(st.text(max_size=3), unique=True, max_size=12), st.data())
def test_a_set_of_ids_is_itself_in_any_order_and_nothing_else(names, data):
    shuffled = data.draw(st.permutations(names))
    assert same(ids(*shuffled), ids(*names))
    assert not same(ids(*names, "more"), ids(*names))
    if names:
        dropped = data.draw(st.sampled_from(names))
        assert not same(ids(*(one for one in shuffled if one != dropped)), ids(*names))


@settings(max_examples=200)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=10), st.data())
def test_a_sorted_answer_is_right_exactly_when_its_keys_are_in_order(values, data):
    pairs = [(f"r{i}", value) for i, value in enumerate(sorted(values))]
    limit = data.draw(st.none() | st.integers(1, len(pairs)))
    whole, keys = keyed(*pairs)
    order = data.draw(st.permutations(pairs))[:limit]
    right = [value for _, value in order] == sorted(values)[:limit]
    assert same(ids(*(name for name, _ in order)), whole, keys, limit) is right
