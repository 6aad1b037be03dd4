"""The whole comparison: the same for any order of rows, and for frames of any shape."""

import math
import random
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from creel_inspect.compare.comparing import compare
from creel_inspect.compare.page.render import render_html
from creel_inspect.compare.refusing import CompareError
from creel_inspect.compare.results import Report
from tests.compare.hand_frames import STATES, cases, frame, of, samples

RESULTS = ["right", "wrong", "declined", "partly right", *STATES]
VALUES = {"right": Fraction(1), "partly right": Fraction(1, 2)}
GRIDS = st.lists(
    st.lists(st.lists(st.sampled_from(RESULTS), min_size=1, max_size=3), min_size=3, max_size=3),
    min_size=2,
    max_size=3,
)


def grid(results):
    return frame(
        *(
            samples(f"run-{run}", {f"c{case}": epochs for case, epochs in enumerate(of_run)})
            for run, of_run in enumerate(results)
        )
    )


def mean(numbers):
    found = list(numbers)
    return sum(found, Fraction(0)) / len(found) if found else None


def scored(epochs):
    return [VALUES.get(one, Fraction(0)) for one in epochs if one not in STATES]


@settings(max_examples=40, deadline=None)
@given(GRIDS)
def test_scores_differences_and_bounds_are_those_of_exact_arithmetic(results):
    (comparison,) = compare(grid(results), details=False).comparisons
    by_label = {run.label: run for run in comparison.runs}
    label = {run.id: int(run.label.removeprefix("run-")) for run in comparison.runs}
    lows, highs = [], []
    for number, of_run in enumerate(results):
        run = by_label[f"run-{number}"]
        means = [mean(scored(epochs)) for epochs in of_run]
        score = mean(one for one in means if one is not None)
        assert (run.score is None) == (score is None)
        if score is not None:
            assert run.score.value == pytest.approx(float(score), abs=1e-12)
        missing = [sum(one in STATES for one in epochs) for epochs in of_run]
        lows.append(mean(sum(scored(epochs), Fraction(0)) / len(epochs) for epochs in of_run))
        highs.append(
            mean(
                (sum(scored(epochs), Fraction(0)) + gone) / len(epochs)
                for epochs, gone in zip(of_run, missing, strict=True)
            )
        )
        assert run.bounds.low == pytest.approx(float(lows[-1]), abs=1e-12)
        assert run.bounds.high == pytest.approx(float(highs[-1]), abs=1e-12)
        counts = run.counts
        assert counts.requested == sum(map(len, of_run))
        assert counts.requested - counts.scored == sum(missing)
        assert counts.scored + counts.unscored + counts.errored + counts.not_run == counts.requested
        assert sum(run.results.values()) == counts.requested
    assert len(comparison.pairs) == len(results) * (len(results) - 1) // 2
    for pair in comparison.pairs:
        a, b = label[pair.a], label[pair.b]
        both = [
            (mean(scored(one)), mean(scored(other)))
            for one, other in zip(results[a], results[b], strict=True)
        ]
        difference = mean(y - x for x, y in both if x is not None and y is not None)
        assert (pair.difference is None) == (difference is None)
        if difference is not None:
            assert pair.difference.value == pytest.approx(float(difference), abs=1e-12)
        assert pair.bounds.low == pytest.approx(float(lows[b] - highs[a]), abs=1e-12)
        assert pair.bounds.high == pytest.approx(float(highs[b] - lows[a]), abs=1e-12)
        moved = [one for one in comparison.transitions if (one.a, one.b) == (pair.a, pair.b)]
        assert all(one.count == len(one.cases) for one in moved)
        # Every case once, those that ended alike included.
        seen = [case for one in moved for case in one.cases]
        assert sorted(seen) == [row.case for row in comparison.rows]


@settings(max_examples=15, deadline=None)
@given(GRIDS, st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(results, order):
    made = grid(results)
    rows = list(range(len(made)))
    order.shuffle(rows)
    mixed = made.iloc[rows]
    mixed.attrs = made.attrs
    assert compare(mixed).model_dump_json() == compare(made).model_dump_json()


def test_a_frame_that_went_through_parquet_gives_the_same_report(tmp_path):
    made = frame(
        samples("one", cases(5, 3), tags=["x"], feasible=True),
        samples("two", {**cases(4, 1), "case-004": "errored"}, tags=["x", "y"], feasible=True),
        notes=["something"],
    )
    made["feasible"] = made["feasible"].astype("boolean")
    made.to_parquet(tmp_path / "frame.parquet")
    again = pd.read_parquet(tmp_path / "frame.parquet")
    assert compare(again).model_dump_json() == compare(made).model_dump_json()


def test_the_report_is_json_and_back():
    report = compare(frame(samples("one", cases(3, 1)), samples("two", cases(3, 2)), notes=["n"]))
    assert Report.model_validate_json(report.model_dump_json()) == report
    assert report.warnings == ["n"]
    assert report.sources == ["logs"]


def test_the_frame_is_left_as_it_was():
    made = frame(samples("one", cases(3, 1)), samples("two", cases(3, 2)))
    before = made.copy(deep=True)
    compare(made)
    pd.testing.assert_frame_equal(made, before)


def test_tasks_are_compared_each_for_itself():
    report = compare(
        frame(
            samples("one", cases(4, 3)),
            samples("two", cases(4, 1)),
            samples("three", {"a/1": 0.5}, kind="extraction", task="extraction"),
        ),
        details=False,
    )
    assert [(one.task, one.kind, len(one.runs)) for one in report.comparisons] == [
        ("extraction", "extraction", 1),
        ("nl_search", "search", 2),
    ]
    assert [one.binary for one in report.comparisons] == [False, True]


def test_where_nothing_was_scored_all_is_told_and_nothing_is_claimed():
    made = frame(
        samples("one", dict.fromkeys(cases(3), "errored")),
        samples("two", dict.fromkeys(cases(3), "not run")),
    )
    (comparison,) = compare(made).comparisons
    assert [run.score for run in comparison.runs] == [None, None]
    assert comparison.pairs[0].verdict == "not_measured"
    assert (comparison.pairs[0].bounds.low, comparison.pairs[0].bounds.high) == (-1, 1)
    assert comparison.disagreements == []
    assert comparison.transitions[0].count == 3


def test_matched_cases_are_one_cluster_even_where_a_sample_never_ran():
    pairs = {"case-000": "case-000", "case-001": "case-000"}
    one = samples("one", cases(4, 2), cluster=pairs)
    two = samples("two", dict.fromkeys(cases(4), "not run"))
    (comparison,) = compare(frame(one, two), details=False).comparisons
    assert (comparison.cases, comparison.clusters) == (4, 3)


def test_a_cluster_is_the_first_of_its_names_whichever_run_knows_it():
    # The first run knows no pair; by another, both are one cluster.
    one = samples("one", {"a": "right", "b": "right", "c": "right"})
    two = samples("two", {"a": "right", "b": "right", "c": "right"}, cluster={"b": "a"})
    (comparison,) = compare(frame(one, two), details=False).comparisons
    assert (comparison.cases, comparison.clusters) == (3, 2)


def test_twenty_runs_are_compared_in_all_their_pairs():
    luck = random.Random(3)
    runs = [
        samples(f"run-{n:02}", {f"c{m:02}": luck.choice(["right", "wrong"]) for m in range(25)})
        for n in range(20)
    ]
    (comparison,) = compare(frame(*runs), details=False).comparisons
    assert len(comparison.pairs) == 190
    assert all(pair.test.p <= pair.test.p_holm for pair in comparison.pairs)
    # No run is better than another: twenty throws of the same coin.
    assert {pair.verdict for pair in comparison.pairs} == {"not_distinguishable"}


def test_of_many_verdicts_that_missing_samples_could_turn_some_are_told():
    gone = {f"gone-{n}": "errored" for n in range(60)}
    runs = [samples(f"run-{n:02}", {**cases(40, 40 if n < 4 else 0), **gone}) for n in range(8)]
    warnings = compare(frame(*runs), details=False).comparisons[0].warnings
    assert len(warnings) == 11
    assert warnings[-1] == "the same is true of 6 more pairs"


def test_whatever_a_log_says_ends_in_valid_json():
    evil = "\x00\x1b[2J<script>|`*[x](javascript:1)\n\u202e"
    half = ["half a character: \ud800"]
    made = frame(
        samples(evil, {evil: "right"}, why=evil, tags=half, settings=of(x=evil), reason=evil),
        samples("two", {evil: "wrong"}, misreading=evil, result=evil),
    )
    text = compare(made).model_dump_json()
    assert Report.model_validate_json(text)


def test_infinite_scores_are_no_scores():
    made = frame(samples("one", {"a": 0.5, "b": 0.25}, kind="other"))
    made.loc[made["case"] == "b", "score"] = math.inf
    (run,) = compare(made).comparisons[0].runs
    assert run.score.value == 0.5


@pytest.mark.parametrize("tags", [None, "text", ["a"], ("a",), float("nan")])
def test_tags_of_any_kind_are_read(tags):
    made = frame(samples("one", {"a": "right"}))
    made["tags"] = pd.Series([tags], dtype=object)
    assert compare(made).comparisons[0].rows[0].tags in ([], ["a"])


def test_only_a_frame_is_taken():
    with pytest.raises(CompareError, match="load_frame"):
        compare(pd.DataFrame({"x": [1]}))


@pytest.mark.parametrize("given", ["logs", ["logs"], None])
def test_what_is_no_frame_is_told_with_where_one_comes_from(given):
    with pytest.raises(CompareError, match=r"compare\(load_frame\(PATHS\)\)"):
        compare(given)


def test_no_password_or_signature_of_an_address_reaches_a_report():
    address = "https://somebody:pass-word@store.invalid/logs/{}.eval?X-Signature=sig-na-ture"
    made = frame(samples("one", cases(3, 3)), samples("two", cases(3, 1)))
    made["log"] = [address.format(run) for run in made["run"]]
    report = compare(made)
    text = report.model_dump_json() + render_html(report)
    assert "https://store.invalid/logs/one.eval" in text
    assert "pass-word" not in text
    assert "sig-na-ture" not in text
