"""``set_match``: hand-worked precision, recall and F1."""

import asyncio
import json
import math
import time
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from creel_inspect.verify import (
    Context,
    VerifierConfigError,
    VerifierError,
    build_verifier,
    failing,
    passing,
)
from creel_inspect.verify.sets.canonical import canonical
from tests.verify.stub_verifiers import Says

few = settings(max_examples=60, deadline=None)


def match(actual, expected, **config):
    return build_verifier("set_match", **config).verify(actual, expected)


def close(actual, expected, context):
    """Passes within 1; the score falls with the distance."""
    distance = abs(actual - expected)
    score = 1 / (1 + distance)
    return (passing if distance <= 1 else failing)(f"{distance} apart", score=score)


def table(rows):
    """Passes from 0.5, by scores of named pairs."""

    def said(actual, expected, context):
        score = rows[actual][expected]
        return (passing if score >= 0.5 else failing)(f"scores {score}", score=score)

    return Says(said)


def test_precision_recall_and_f1_are_counted():
    verdict = match(["a", "b", "x", "y", "z"], ["a", "b", "c"])
    # 2 of 5 candidates are right, 2 of 3 expected are found; 2 * 2 / (5 + 3) = 0.5
    assert verdict.details["precision"] == 0.4
    assert verdict.details["recall"] == pytest.approx(2 / 3)
    assert verdict.score == verdict.details["f1"] == 0.5
    assert not verdict.passed
    assert verdict.details["missing"] == ["'c'"]
    assert verdict.details["extra"] == ["'x'", "'y'", "'z'"]
    assert verdict.reason == (
        "F1 0.500, expected 1 or more; 2 of 3 expected items found; missing ['c']; "
        "3 extra ['x', 'y', 'z']"
    )


def test_an_item_that_is_repeated_is_extra():
    verdict = match(["a", "a"], ["a"])
    assert (verdict.details["precision"], verdict.details["recall"]) == (0.5, 1.0)
    assert verdict.score == pytest.approx(2 / 3)
    assert not verdict.passed
    assert verdict.details["duplicates"] == {"actual": 1, "expected": 0}
    assert "1 repeated by the candidate" in verdict.reason


def test_an_item_that_should_be_repeated_is_missing_once():
    verdict = match(["a"], ["a", "a"])
    assert (verdict.details["precision"], verdict.details["recall"]) == (1.0, 0.5)
    assert verdict.details["missing"] == ["'a'"]


def test_as_sets_repeats_collapse_and_are_still_reported():
    verdict = match(["a", "a", "b"], ["b", "a"], multiset=False)
    assert verdict.passed
    assert verdict.score == 1
    assert verdict.details["duplicates"] == {"actual": 1, "expected": 0}
    assert "1 repeated by the candidate" in verdict.reason


def test_two_empty_lists_are_equal_and_say_so():
    verdict = match([], [])
    assert (verdict.passed, verdict.score, verdict.reason) == (True, 1.0, "both are empty")
    assert verdict.details["precision"] == verdict.details["recall"] == 1


@pytest.mark.parametrize(("actual", "expected"), [([], ["a"]), (["a"], [])])
def test_one_empty_list_scores_nothing(actual, expected):
    verdict = match(actual, expected, threshold=0.01)
    assert (verdict.passed, verdict.score) == (False, 0.0)
    assert verdict.details["precision"] == verdict.details["recall"] == 0


def test_the_threshold_is_reached_by_exactly_as_much():
    # 7 of 10 on both sides is 0.7, whatever floating point makes of 2PR / (P + R)
    actual, expected = list("abcdefgxyz"), list("abcdefghij")
    assert match(actual, expected, threshold=0.7).passed
    assert not match(actual, expected, threshold=0.7000001).passed


def test_an_f1_just_below_the_threshold_is_not_shown_as_enough():
    items = [str(number) for number in range(3000)]
    assert "F1 0.99983" in match(items[:-1], items).reason


@pytest.mark.parametrize("actual", ["a", 1, 2.5, True, None, {"a": 1}, '["a"]', math.nan])
def test_what_is_no_list_fails(actual):
    verdict = match(actual, ["a"])
    assert (verdict.passed, verdict.score) == (False, 0.0)
    assert verdict.reason.startswith("expected a list, came ")


@pytest.mark.parametrize("expected", ["a", 1, None, {"a": 1}])
def test_an_expected_value_that_is_no_list_is_not_measured(expected):
    with pytest.raises(VerifierError, match="no list") as caught:
        match(["a"], expected)
    assert caught.value.code == "expected_invalid"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (True, 1),
        (False, 0),
        (1, 1.0),
        (1, "1"),
        (None, "None"),
        (None, False),
        (Decimal("1"), 1),
        (date(2024, 5, 1), "2024-05-01"),
        (date(2024, 5, 1), datetime(2024, 5, 1)),
        ([1], {1}),
        ([], {}),
        ([[1], 2], [1, [2]]),
        (["a", "b"], ["ab"]),
        (["1:", "a"], ["1", ":a"]),
        ({"a": None}, {}),
        ({"a": {"b": 1}}, {"a": {"b": True}}),
        ("A", "a"),
        ("ﬁ", "fi"),
        ("\ud800", "\\ud800"),
        (2**60, float(2**60)),
        (math.nan, math.nan),
        ([1, math.nan], [1, math.nan]),
        (math.inf, -math.inf),
        ("b4:null", None),
    ],
)
def test_values_of_two_kinds_are_two_items(one, other):
    assert canonical(one) != canonical(other)
    assert canonical([one]) != canonical([other])
    assert canonical({"k": one}) != canonical({"k": other})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("é", "e\u0301"),
        ({"é": 1}, {"e\u0301": 1}),
        ((1, 2), [1, 2]),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({1, "a"}, {"a", 1}),
        (0.0, -0.0),
        (Decimal("1.50"), Decimal("1.5")),
        (Decimal("150"), Decimal("1.5e2")),
        (Decimal("0.00"), Decimal("-0")),
        (datetime(2024, 5, 1, tzinfo=UTC), datetime(2024, 5, 1, tzinfo=UTC)),
        (10**4000, 10**4000),
        (["\ud800"], ["\ud800"]),
    ],
)
def test_one_value_written_in_two_ways_is_one_item(one, other):
    assert canonical(one) == canonical(other)
    assert canonical([[one]]) == canonical([[other]])


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.5, 1.0, "", "1", "é"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=5,
)


@few
@given(json_values, json_values)
def test_items_are_one_exactly_when_their_json_is_the_same(one, other):
    def same():
        return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)

    assert (canonical(one) == canonical(other)) is same()
    assert build_verifier("exact").verify(one, other).passed is same()


def test_a_nan_among_the_items_matches_nothing():
    verdict = match([math.nan, "a"], ["a", "b"])
    assert verdict.details["extra"] == ["nan"]
    assert verdict.score == 0.5
    json.dumps(verdict.details, allow_nan=False)


def test_deeply_nested_items_are_compared():
    deep = "x"
    for _ in range(90):
        deep = [deep, {"k": deep}] if isinstance(deep, str) else [deep]
    assert match([deep], [json.loads(json.dumps(deep))]).passed


def test_python_sets_are_listed_in_one_order():
    verdict = match({"b", "c", "a"}, {"z"})
    assert verdict.details["extra"] == ["'a'", "'b'", "'c'"]


def test_lists_of_missing_and_extra_items_are_bounded():
    verdict = match([f"x{n}" for n in range(60)], [f"y{n}" * 500 for n in range(1000)])
    assert (len(verdict.details["missing"]), verdict.details["missing_more"]) == (50, 950)
    assert (len(verdict.details["extra"]), verdict.details["extra_more"]) == (50, 10)
    assert len(json.dumps(verdict.details)) < 20_000
    assert len(verdict.reason) < 500


# In order


def test_an_item_out_of_its_place_is_both_missing_and_extra():
    # The longest common subsequence of abcd and abdc is abc (or abd): 3 of 4 on both sides.
    verdict = match(list("abdc"), list("abcd"), ordered=True)
    assert verdict.score == verdict.details["precision"] == verdict.details["recall"] == 0.75
    assert verdict.details["out_of_order"] == 1
    assert "1 of these out of order" in verdict.reason
    assert match(list("abdc"), list("abcd")).passed


def test_the_same_order_passes_and_the_reverse_keeps_one():
    assert match(list("abcd"), list("abcd"), ordered=True).passed
    assert match(list("dcba"), list("abcd"), ordered=True).score == 0.25


def test_in_order_precision_and_recall_come_from_the_common_subsequence():
    # The example of Lin (2004): 3 words of 4 keep the order, then 2.
    gold = ["police", "killed", "the", "gunman"]
    assert match(["police", "kill", "the", "gunman"], gold, ordered=True).score == 0.75
    assert match(["the", "gunman", "kill", "police"], gold, ordered=True).score == 0.5


def test_repeats_in_order_collapse_to_the_first_when_they_do_not_count():
    assert match(list("abab"), list("ab"), ordered=True, multiset=False).passed
    assert match(list("aba"), list("ab"), ordered=True, multiset=False).passed
    assert not match(list("aba"), list("ba"), ordered=True, multiset=False).passed
    assert match(list("abab"), list("ab"), ordered=True).score == pytest.approx(4 / 6)


def test_a_python_set_has_no_order():
    assert not match({"a"}, ["a"], ordered=True).passed
    with pytest.raises(VerifierError, match="no order"):
        match(["a"], {"a"}, ordered=True)


def test_items_within_a_tolerance_are_matched_in_order():
    verdict = match([1.5, 2.5, 3.5], [1, 2, 3], ordered=True, item=Says(close))
    assert verdict.passed
    verdict = match([9, 5, 1], [1, 5, 9], ordered=True, item=Says(close))
    assert verdict.details["matched"] == 1


def test_long_sequences_without_repeats_are_compared_in_order():
    items = [str(number) for number in range(100_000)]
    moved = items[1:] + items[:1]
    assert match(moved, items, ordered=True).details["matched"] == 99_999


def test_sequences_too_repetitive_to_compare_are_not_measured():
    gold = ["a", "b"] * 15_000
    with pytest.raises(VerifierError, match="30,000 × 30,000") as caught:
        match(gold[1:] + gold[:1], gold, ordered=True)
    assert caught.value.code == "too_large"


def test_flooding_does_not_escape_a_verdict_in_order():
    verdict = match(["a"] * 1_000_000, ["a"] * 1000, ordered=True)
    assert (verdict.passed, verdict.score) == (False, 0.0)


# By another verifier


def test_an_equal_item_is_not_taken_first_where_that_would_lose_a_pair():
    # 11 = 11 leaves 12 for 10, which are 2 apart. 11 for 10 and 12 for 11 are each 1 apart.
    verdict = match([11, 12], [10, 11], item=Says(close))
    assert verdict.passed
    assert verdict.details["matched"] == 2
    assert verdict.details["soft_f1"] == 0.5


def test_the_best_pair_is_not_taken_where_it_costs_a_match():
    # Greedily p-x at 0.9, which leaves q-y at 0: one match. Optimal: p-y and q-x.
    verdict = match(
        ["p", "q"], ["x", "y"], item=table({"p": {"x": 0.9, "y": 0.6}, "q": {"x": 0.6, "y": 0.0}})
    )
    assert verdict.passed
    assert verdict.details["soft_f1"] == pytest.approx(0.6)


def test_matches_count_before_scores():
    # p-x, q-y: 0.5 + 0.5, two passes. p-y, q-x: 1.0 + 0.49 has the greater sum, but one pass.
    verdict = match(
        ["p", "q"], ["x", "y"], item=table({"p": {"x": 0.5, "y": 1.0}, "q": {"x": 0.49, "y": 0.5}})
    )
    assert verdict.details["matched"] == 2
    assert verdict.details["soft_f1"] == 0.5


def test_a_near_miss_is_named_with_its_reason():
    verdict = match([10, 14], [10, 12], item=Says(close))
    assert verdict.score == 0.5
    assert verdict.details["soft_f1"] == pytest.approx((1 + 1 / 3) / 2)
    assert verdict.details["differing"] == [
        {"actual": "14", "expected": "12", "score": pytest.approx(1 / 3), "reason": "2 apart"}
    ]
    assert "14 is no 12: 2 apart" in verdict.reason


def unsure(unmeasured):
    def said(actual, expected, context):
        if (actual, expected) in unmeasured:
            raise VerifierError("the judge is away", code="judge_failed")
        return (passing if actual == expected else failing)("said")

    return Says(said)


def test_an_unmeasured_pair_that_could_match_leaves_the_whole_unmeasured():
    with pytest.raises(
        VerifierError, match=r"'b' for 'c' \(judge_failed.*between 1 and 2"
    ) as caught:
        match(["a", "b"], ["a", "c"], item=unsure({("b", "c")}))
    assert caught.value.code == "part_not_measured"
    with pytest.raises(VerifierError, match="between 1 and 2"):
        match(["a", "b"], ["a", "c"], item=unsure({("b", "c")}), ordered=True)


def test_an_unmeasured_pair_that_changes_nothing_does_not_matter():
    verdict = match(["a", "b"], ["a", "b"], item=unsure({("a", "b")}))
    assert verdict.passed
    assert "soft_f1" not in verdict.details


def test_a_candidate_that_floods_a_slow_verifier_fails_at_once():
    calls = []

    def counted(actual, expected, context):
        calls.append(actual)
        return passing("said")

    verdict = match(list(range(100_000)), list(range(10)), item=Says(counted))
    assert (verdict.passed, verdict.score) == (False, 0.0)
    assert "100,000 items for 10 expected" in verdict.reason
    assert not calls


def test_long_texts_count_as_much_work():
    ours = ["a" * 100_000 + str(number) for number in range(100)]
    verdict = match(ours, [str(number) for number in range(100)], item=Says(close))
    assert (verdict.passed, verdict.score) == (False, 0.0)
    assert "too large" in verdict.reason


@pytest.mark.parametrize("found", [0, 1, 159, 100_000])
def test_an_expected_list_too_long_to_compare_is_refused_whatever_the_candidate(found):
    # 159 items with themselves are 25,281 verdicts; 158 are 24,964, half of the 50,000.
    with pytest.raises(VerifierError, match="25,281 verdicts") as caught:
        match(list(range(found)), list(range(159)), item=Says(close))
    assert caught.value.code == "too_large"
    assert match(list(range(158)), list(range(158)), item=Says(close)).passed


@pytest.mark.parametrize("found", [317, 1_500, 100_000])
def test_a_candidate_cannot_make_itself_unmeasurable_by_its_length(found):
    # 158 × 316 = 49,928 verdicts are made, 158 × 317 = 50,086 are not.
    gold = list(range(158))
    verdict = match(list(range(found)), gold, item=Says(close), threshold=0.1)
    assert (verdict.passed, verdict.score) == (False, 0.0)
    assert f"{found:,} items for 158 expected: the candidate is too large" in verdict.reason
    assert "not compared, score 0" in verdict.reason
    measured = match(list(range(316)), gold, item=Says(close), threshold=0.1)
    assert measured.score == pytest.approx(2 * 158 / (158 + 316))


def test_equal_items_share_a_verdict_and_the_score_is_the_same():
    said = Says(close)
    verdict = match([1, 5, 1, 9] * 100, [1, 6, 6, 20] * 100, item=said)
    # Both 1s want the one 1: 100 pairs. 5 takes one 6: 100 more. 9 and the rest find nothing.
    assert (verdict.details["matched"], verdict.score) == (200, 0.5)
    assert sorted(said.calls) == [(a, e) for a in (1, 5, 9) for e in (1, 6, 20)]


@few
@given(st.lists(st.integers(0, 6), max_size=7), st.lists(st.integers(0, 6), max_size=7))
def test_sharing_verdicts_changes_no_result(actual, expected):
    # The same numbers as objects that are written apart: each pair is judged by itself.
    apart = [{"n": number, "at": place} for place, number in enumerate(actual)]
    gold = [{"n": number, "at": place} for place, number in enumerate(expected)]
    unpacked = Says(lambda a, e, c: close(a["n"], e["n"], c))
    for ordered in (False, True):
        one = match(actual, expected, item=Says(close), ordered=ordered).details
        other = match(apart, gold, item=unpacked, ordered=ordered).details
        for name in ("f1", "matched", "soft_f1"):
            assert one.get(name) == pytest.approx(other.get(name))


@pytest.mark.parametrize(
    ("one", "other"),
    [("\u00e9", "e\u0301"), (Decimal("1.5"), Decimal("1.50")), (1, True), (0.0, -0.0), (1, 1.0)],
)
def test_items_that_a_verifier_can_tell_apart_do_not_share_a_verdict(one, other):
    def same_writing(actual, expected, context):
        return (passing if repr(actual) == repr(expected) else failing)("said")

    assert match([one, other], [one, other], item=Says(same_writing)).passed
    assert match([one, one], [one, other], item=Says(same_writing)).details["matched"] == 1


def test_an_unmeasured_verdict_that_is_shared_counts_for_each_of_its_pairs():
    with pytest.raises(VerifierError, match=r"4 pairs.*between 1 and 3"):
        match(["a", "b", "b"], ["a", "c", "c"], item=unsure({("b", "c")}))


def test_a_long_list_of_equal_items_is_compared_and_bounded():
    gold = ["a"] * 700
    assert match(["A"] * 700, gold, item="normalized").passed
    verdict = match(["A"] * 1_500, gold, item="normalized", threshold=0.5)  # 1,050,000 pairs
    assert (verdict.passed, verdict.score) == (False, 0.0)
    with pytest.raises(VerifierError) as caught:
        match(["a"], ["a"] * 708, item="normalized")  # 708 × 708 is over 500,000
    assert caught.value.code == "too_large"


@pytest.mark.parametrize("item", ["normalized", {"kind": "numeric_tolerance", "abs": 1}])
def test_the_most_verdicts_that_are_made_take_seconds(item):
    began = time.process_time()
    gold = list(range(158)) if isinstance(item, dict) else [f"item {n}" for n in range(158)]
    ours = list(range(316)) if isinstance(item, dict) else [f"Item {n}" for n in range(316)]
    assert match(ours, gold, item=item, threshold=0.5).passed
    assert time.process_time() - began < 15  # some 4 on a machine of 2024


def test_repeats_by_equality_do_not_go_with_another_equality():
    with pytest.raises(VerifierConfigError, match="collapses items that are exactly equal"):
        build_verifier("set_match", item="normalized", multiset=False)
    assert match(["A", "a"], ["a", "a"], item="normalized").passed


def test_a_verifier_that_asks_a_model_makes_the_whole_ask():
    made = build_verifier("set_match", item=Says(close, asks=True))
    assert made.asks
    with pytest.raises(VerifierError) as caught:
        made.verify([1], [1])
    assert caught.value.code == "must_be_awaited"
    assert asyncio.run(made.averify([1], [1])).passed


def test_the_context_reaches_the_item():
    seen = []

    def keep(actual, expected, context):
        seen.append(context.unit)
        return passing("said")

    build_verifier("set_match", item=Says(keep)).verify([1], [1], context=Context(unit="kg"))
    assert seen == ["kg"]


# By key


def test_items_are_joined_by_key_and_their_difference_is_named():
    verdict = match(
        [{"id": "b", "n": 2}, {"id": "a", "n": 9}],
        [{"id": "a", "n": 1}, {"id": "b", "n": 2}],
        key="id",
    )
    assert verdict.score == 0.5
    assert [one["reason"] for one in verdict.details["differing"]] == ["they differ in ['n']"]


def test_only_items_with_the_same_key_are_compared_and_without_it():
    seen = []

    def keep(actual, expected, context):
        seen.append((actual, expected))
        return passing("said")

    verdict = match(
        [{"of": "x", "to": 1, "n": 2}, {"of": "y", "to": 1, "n": 3}],
        [{"of": "y", "to": 1, "n": 4}, {"of": "x", "to": 1, "n": 5}],
        key=["of", "to"],
        item=Says(keep),
    )
    assert verdict.passed
    assert seen == [({"n": 2}, {"n": 5}), ({"n": 3}, {"n": 4})]


def test_several_items_with_one_key_are_assigned_the_best_way():
    def same_n(actual, expected, context):
        return close(actual["n"], expected["n"], context)

    actual = [{"id": "a", "n": n} for n in (11, 12)]
    expected = [{"id": "a", "n": n} for n in (10, 11)]
    assert match(actual, expected, key="id", item=Says(same_n)).passed


@pytest.mark.parametrize("item", [{"n": 1}, "a", None, 7, ["id"]])
def test_a_candidate_item_without_the_key_matches_nothing(item):
    verdict = match([item, {"id": 1}], [{"id": 1}], key="id")
    assert verdict.details["matched"] == 1
    assert verdict.details["precision"] == 0.5
    assert match([item], [{"id": 1}], key="id", item=Says(close)).score == 0


def test_an_expected_item_without_the_key_is_not_measured():
    with pytest.raises(VerifierError, match="without the key id") as caught:
        match([{"id": 1}], [{"n": 1}], key="id")
    assert caught.value.code == "expected_invalid"


def test_a_key_knows_types():
    assert match([{"id": True}], [{"id": 1}], key="id", item=Says(close)).score == 0


@pytest.mark.parametrize(
    "config",
    [
        {"threshold": 0},
        {"threshold": 1.01},
        {"threshold": True},
        {"threshold": "0.5"},
        {"threshold": math.nan},
        {"multiset": 1},
        {"ordered": "yes"},
        {"key": []},
        {"key": ["a", "a"]},
        {"key": 3},
        {"item": "no_such_kind"},
        {"item": 4},
        {"fuzzy": True},
    ],
)
def test_a_configuration_that_does_not_fit_is_refused(config):
    with pytest.raises(VerifierConfigError):
        build_verifier("set_match", **config)


# Whatever the lists

items = st.lists(st.sampled_from(["a", "b", "c", 1, True, None]), max_size=7)


@few
@given(items, items, st.randoms(use_true_random=False), st.booleans())
def test_the_order_of_the_items_never_changes_an_unordered_score(
    actual, expected, random, multiset
):
    shuffled = random.sample(actual, len(actual)), random.sample(expected, len(expected))
    made = build_verifier("set_match", multiset=multiset)
    assert made.verify(*shuffled).score == made.verify(actual, expected).score


@few
@given(items, items, st.booleans())
def test_swapping_the_sides_swaps_precision_and_recall(actual, expected, ordered):
    one = match(actual, expected, ordered=ordered).details
    other = match(expected, actual, ordered=ordered).details
    assert one["f1"] == other["f1"]
    if actual and expected:
        assert (one["precision"], one["recall"]) == (other["recall"], other["precision"])


@few
@given(items, items)
def test_an_extra_item_never_raises_precision(actual, expected):
    before = match(actual, expected).details["precision"]
    assert match([*actual, "not expected"], expected).details["precision"] <= before


@few
@given(items, items)
def test_exact_items_by_another_verifier_score_the_same(actual, expected):
    same = Says(lambda a, e, c: (passing if canonical(a) == canonical(e) else failing)("said"))
    for ordered in (False, True):
        plain = match(actual, expected, ordered=ordered)
        assert match(actual, expected, ordered=ordered, item=same).score == plain.score


@few
@given(items, items)
def test_order_can_only_cost(actual, expected):
    assert match(actual, expected, ordered=True).score <= match(actual, expected).score


def test_numbers_chosen_to_share_a_hash_do_not_slow_it_down():
    # hash(n) is n modulo 2**61 - 1: all of these fall on one place of a table of numbers.
    items = [(2**61 - 1) * number for number in range(20_000)]
    assert match(items, items[::-1]).passed


def test_a_long_run_of_accents_does_not_slow_it_down():
    assert match(["a" + "\u0301\u0323" * 50_000], ["a" + "\u0323\u0301" * 50_000]).score in (0, 1)
    assert match(["a" + "\u0301" * 50_000 + "\u0323" * 50_000], ["a"]).score == 0
