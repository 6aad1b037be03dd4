"""The table of a verifier's scorer."""

import math

import pytest
from inspect_ai.scorer import SampleScore, Score
from scipy.stats import binomtest

from creel_inspect.scoring.metrics import verdicts

NAN = float("nan")


def table(*values):
    return verdicts()([SampleScore(score=Score(value=value)) for value in values])


def test_every_entry_is_the_mean_of_the_samples_that_measured_it():
    found = table(
        {"k": 1.0, "k_passed": 1, "k_a": 0.5},
        {"k": 0.5, "k_passed": 0, "k_a": NAN},
        {"k": 0.0, "k_passed": 0},
    )
    assert found["k"] == pytest.approx(0.5)
    assert found["k_passed"] == pytest.approx(1 / 3)
    assert found["k_a"] == 0.5
    wilson = binomtest(1, 3).proportion_ci(method="wilson")
    assert found["k_passed_low"] == pytest.approx(wilson.low)
    assert found["k_passed_high"] == pytest.approx(wilson.high)
    assert set(found) == {"k", "k_passed", "k_passed_low", "k_passed_high", "k_a"}


def test_an_entry_that_nothing_measured_is_left_out():
    assert "k_a" not in table({"k": 1.0, "k_passed": 1, "k_a": NAN})


@pytest.mark.parametrize("values", [(), (NAN,), ({"k": NAN, "k_passed": NAN},)])
def test_where_nothing_was_measured_no_number_is_made_up(values):
    found = table(*values)
    assert list(found) == ["measured"]
    assert math.isnan(found["measured"])
