"""Marks stand where their values are."""

import sys

import pytest

from creel_inspect.compare.page import plots
from creel_inspect.compare.page.text import Unit
from creel_inspect.compare.results import Bounds
from tests.compare import hand_reports
from tests.compare.hand_reports import estimate, run, use

UNIT = Unit(points=False)


def share(place):
    assert place.endswith("%")
    return float(place[:-1])


def test_a_scale_is_even_and_begins_and_ends_at_a_round_figure():
    scale = plots.linear(0.13, 0.61)
    assert (scale.low, scale.high) == pytest.approx((0.0, 0.8))
    assert [tick.label for tick in scale.ticks] == ["0", "0.2", "0.4", "0.6", "0.8"]
    places = [share(tick.at) for tick in scale.ticks]
    assert places == pytest.approx([6, 28, 50, 72, 94])
    assert share(scale.at(0.5)) == pytest.approx(6 + 88 * 0.5 / 0.8, abs=0.01)
    assert share(scale.below(0.5)) == pytest.approx(100 - share(scale.at(0.5)), abs=0.01)


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (0, 1, ["0", "0.25", "0.5", "0.75", "1"]),
        (-3, 5, ["−4", "−2", "0", "2", "4", "6"]),
        (0, 1000, ["0", "250", "500", "750", "1000"]),
        (0.001, 0.003, ["0.001", "0.0015", "0.002", "0.0025", "0.003"]),
        (2, 2, ["1.5", "1.75", "2", "2.25", "2.5"]),
        (0, 10, ["0", "2.5", "5", "7.5", "10"]),
    ],
)
def test_ticks_are_written_exactly(low, high, labels):
    assert [tick.label for tick in plots.linear(low, high).ticks] == labels


def test_runs_are_drawn_from_0_to_1_unless_a_score_lies_beyond():
    inside = [run("a", "a", estimate(0.2, 0.1, 0.4), bounds=Bounds(low=0, high=1))]
    assert (
        plots.run_scale(inside, points=True).low,
        plots.run_scale(inside, points=True).high,
    ) == (0, 1)
    beyond = [run("a", "a", estimate(-2.0)), run("b", "b", estimate(7.5, 6.0, 9.0))]
    scale = plots.run_scale(beyond, points=False)
    assert scale.low <= -2 and scale.high >= 9
    assert plots.run_scale([run("a", "a", None)], points=True).high == 1


def test_differences_are_drawn_as_far_to_either_side_of_zero():
    scale = plots.difference_scale([(estimate(0.1, -0.05, 0.3), None), (None, None)], points=False)
    assert scale.low == -scale.high and scale.high >= 0.3
    assert share(scale.at(0)) == pytest.approx(50)
    assert [tick.label for tick in scale.ticks] == [
        *("−0.3", "−0.2", "−0.1", "0", "+0.1", "+0.2", "+0.3"),
    ]
    assert [tick.label for tick in scale.ticks if tick.major] == ["−0.3", "0", "+0.3"]
    assert plots.difference_scale([(None, None)], points=True).high > 0
    assert plots.difference_scale([(estimate(0.0, 0.0, 0.0), None)], points=True).high > 0


def test_a_strip_has_what_is_known_and_no_more():
    scale = plots.linear(0, 1)
    whole = plots.strip(scale, estimate(0.5, 0.25, 0.75), Bounds(low=0.5, high=0.5), UNIT)
    assert whole.mark == "50.00%"
    assert whole.interval == ("28.00%", "72.00%")
    assert whole.bounds is None  # nothing is missing, so they say nothing
    missing = plots.strip(scale, estimate(0.5), Bounds(low=0.4, high=0.6), UNIT)
    assert (missing.interval, missing.bounds) == (None, ("41.20%", "58.80%"))
    nothing = plots.strip(scale, None, Bounds(low=0, high=1), UNIT)
    assert (nothing.mark, nothing.interval) == (None, None)
    assert nothing.bounds == ("6.00%", "94.00%")
    assert nothing.words == "nothing measured; worst-case bounds 0 to 1"


def test_the_scatter_is_skipped_where_nothing_is_known():
    assert plots.scatter([], points=True) is None
    assert plots.scatter([run(id, id, estimate(0.5)) for id in "ab"], points=True) is None
    unscored = [run(id, id, None, use=use(1.0, axis="cost")) for id in "ab"]
    assert plots.scatter(unscored, points=True) is None


def test_a_single_run_has_no_front_to_draw():
    one = run("a", "a", estimate(0.5), use=use(1.0, axis="cost", front=True))
    assert plots.scatter([one], points=True) is None
    other = run("b", "b", estimate(0.4), use=use(2.0, axis="cost", front=False))
    assert len(plots.scatter([one, other], points=True).points) == 2


def test_a_run_without_a_known_cost_is_named_and_not_drawn():
    runs = [
        run("a", "a", estimate(0.5), use=use(None, 2.0, axis="seconds", front=True)),
        run("b", "b", estimate(0.6), use=use(None, None, axis="seconds")),
    ]
    plot = plots.scatter(runs, points=True)
    assert [point.run for point in plot.points] == ["a"]
    assert plot.missing == ["b"]
    assert (plot.what, plot.axis) == ("time", "median seconds a sample")


def test_costs_far_apart_stand_on_a_logarithmic_axis():
    runs = [
        run(id, id, estimate(0.5), use=use(cost, axis="cost", front=False))
        for id, cost in (("a", 0.001), ("b", 0.01), ("c", 0.1))
    ]
    plot = plots.scatter(runs, points=True)
    assert plot.logarithmic
    assert [share(point.x) for point in plot.points] == pytest.approx([6, 50, 94])
    assert [tick.label for tick in plot.x] == ["$0.001", "$0.01", "$0.1"]


def test_runs_at_one_place_have_letters_apart():
    runs = [
        run(id, id, estimate(0.5), use=use(0.5, axis="cost", front=True)) for id in ("a", "b", "c")
    ]
    assert [point.nudge for point in plots.scatter(runs, points=True).points] == [0, 14, 28]


def test_the_front_is_a_stair_that_no_run_lies_above():
    runs = hand_reports.by_size(5, 60).comparisons[0].runs
    plot = plots.scatter(runs, points=True)
    fronts = sorted((share(p.x), -share(p.y)) for p in plot.points if p.front)
    assert len(plot.front) == 2 * (len(fronts) - 1)
    for (x, y), line in zip(fronts, plot.front[::2], strict=False):
        assert (share(line.x1), share(line.y1)) == (x, -y)
        assert line.y1 == line.y2


def test_labels_are_in_points_where_the_words_are_and_marks_stay_where_they_were():
    plain, points = plots.linear(0.13, 0.61), plots.linear(0.13, 0.61, points=True)
    assert [tick.label for tick in points.ticks] == ["0", "20", "40", "60", "80"]
    assert [tick.at for tick in points.ticks] == [tick.at for tick in plain.ticks]
    assert points.at(0.4) == plain.at(0.4)
    scale = plots.difference_scale([(estimate(0.1, -0.05, 0.3), None)], points=True)
    assert [tick.label for tick in scale.ticks if tick.major] == ["−30", "0", "+30"]
    runs = [
        run(id, id, estimate(0.5, 0.25, 0.75), use=use(1.0, axis="cost", front=True)) for id in "ab"
    ]
    plot = plots.scatter(runs, points=True)
    assert [tick.label for tick in plot.y] == ["20", "40", "60", "80"]
    assert plot.points[0].words == "50.0 [25.0 to 75.0] for $1.00"


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (-1e308, 1e308),
        (-sys.float_info.max, sys.float_info.max),
        (0, sys.float_info.max),
        (1e308, 1e308),
        (1e17, 1e17),
        (1e17, 1e17 + 16),
        (1, 1 + 2**-52),
        (0, 5e-324),
        (-1e-300, 1e-300),
        (-5, 1e308),
    ],
)
@pytest.mark.parametrize("points", [True, False])
def test_a_scale_of_absurd_values_still_has_few_short_labels_in_order(low, high, points):
    scale = plots.linear(low, high, points=points)
    places = [share(tick.at) for tick in scale.ticks]
    assert places == sorted(places)
    assert 2 <= len(places) <= 12
    assert all(len(tick.label) <= 12 for tick in scale.ticks)
    assert 6 <= share(scale.at(low)) <= share(scale.at(high)) <= 94


def test_absurd_values_are_labelled_with_their_power_of_ten():
    labels = [tick.label for tick in plots.linear(-1e308, 1e308).ticks]
    assert labels == ["−1e+308", "−5e+307", "0", "5e+307", "1e+308"]


def test_absurd_costs_stand_on_an_axis_of_few_decades():
    runs = [
        run(id, id, estimate(0.5), use=use(cost, axis="cost", front=False))
        for id, cost in (("a", 5e-324), ("b", 1.0), ("c", 1.7e308))
    ]
    plot = plots.scatter(runs, points=True)
    assert [share(point.x) for point in plot.points] == pytest.approx(
        [6, 6 + 88 * 300 / 608, 94], abs=0.02
    )
    assert len(plot.x) <= 9
