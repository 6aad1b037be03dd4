"""The headline numbers, each against a value worked out by hand."""

import math

import pytest
from inspect_ai.scorer import SampleScore, Score

from creel_inspect.extract.metrics import extraction_metrics


def value(matched, expected, came, unscored=0, marks=None, extracted=1, **more):
    """A score's entries, with its three rates worked out from the counts."""
    total = expected + came
    return {
        "f1": extracted * (2 * matched / total if total else 1),
        "precision": extracted * (matched / came if came else float(not total)),
        "recall": extracted * (matched / expected if expected else float(not total)),
        "macro_f1": 0.5,
        "coverage": 1.0,
        "extracted": float(extracted),
        "matched": matched,
        "expected": expected,
        "came": came,
        "unscored": unscored,
        "marks": total if marks is None else marks,
        "ungrounded": 0.0,
        **more,
    }


def numbers(*values):
    scores = [SampleScore(score=Score(value=one), sample_id=str(i)) for i, one in enumerate(values)]
    return extraction_metrics()(scores)


LONG = value(60, 100, 80, 20, 140, ungrounded=3, nodes_f1=0.5, **{"node.donor": 0.25})
SHORT = value(4, 4, 4, 0, 4, ungrounded=1, nodes_f1=1.0, **{"node.project": 1.0})


def test_two_samples_one_long_one_short():
    # Means over samples: F1 (120/180 + 8/8)/2 = 5/6. All taken together: 2·64/(104+84) = 128/188.
    found = numbers(LONG, SHORT)
    assert found == pytest.approx(
        {
            "f1": 5 / 6,
            # Two values, 2/3 and 1: standard deviation (1/3)/√2, over √2.
            "f1_stderr": 1 / 6,
            "precision": (60 / 80 + 1) / 2,
            "recall": (60 / 100 + 1) / 2,
            "macro_f1": 0.5,
            "nodes_f1": 0.75,
            "micro_precision": 64 / 84,
            "micro_recall": 64 / 104,
            "micro_f1": 128 / 188,
            "coverage": 1 - 20 / 144,
            "extracted": 1,
            "ungrounded": 2,
            "node.donor": 0.25,
            "node.project": 1,
        }
    )
    assert list(found)[:2] == ["f1", "f1_stderr"]


def test_one_sample_has_no_standard_error():
    assert "f1_stderr" not in numbers(SHORT)


def test_a_sample_without_a_graph_counts_in_every_mean():
    none = value(0, 10, 0, extracted=0, graph_passed=0.0)
    found = numbers(value(10, 10, 10, graph_passed=1.0), none)
    assert (found["f1"], found["extracted"], found["graph_passed"]) == (0.5, 0.5, 0.5)
    assert found["micro_recall"] == 0.5
    assert found["micro_precision"] == 1


def test_no_graph_where_nothing_is_expected_is_no_perfect_score_in_any_figure():
    nothing = value(0, 0, 0, extracted=0)
    found = numbers(nothing)
    names = ("f1", "precision", "recall", "micro_f1", "micro_precision", "micro_recall")
    assert [found[name] for name in names] == [0] * 6
    # Half of those who were to say nothing did.
    half = numbers(nothing, value(0, 0, 0))
    assert [half[name] for name in names] == [0.5] * 6


def test_an_unscored_sample_is_in_no_figure():
    assert numbers(SHORT, math.nan) == numbers(SHORT)
    assert math.isnan(numbers(math.nan)["f1"])
    assert list(numbers()) == ["f1"]


def test_an_entry_that_is_not_measured_is_left_out_of_its_own_mean_alone():
    found = numbers(
        value(1, 2, 2, attributes_f1=math.nan, graph_passed=math.nan),
        value(1, 2, 2, attributes_f1=0.25, graph_passed=1.0),
    )
    assert (found["attributes_f1"], found["graph_passed"], found["f1"]) == (0.25, 1, 0.5)
