import json
import time
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from creel_inspect.verify.values.dates import (
    DateReading,
    Precision,
    date_readings,
    is_date,
    read_date,
)

TABLE = json.loads((Path(__file__).parent / "dates.json").read_text("utf-8"))
ROWS = TABLE["rows"]
QUICKLY = settings(max_examples=50, deadline=None)


def named(row):
    return f"{row['text']!a:.40}-{row.get('order')}"


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_a_written_date_is_read_as_the_table_says(row):
    found = date_readings(row["text"], order=row.get("order"))
    assert [[one.iso, one.precision] for one in found] == row["readings"]


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_only_a_certain_date_has_a_reading_and_any_possible_one_is_a_date(row):
    order, readings = row.get("order"), row["readings"]
    found = read_date(row["text"], order=order)
    assert found == (DateReading(*readings[0]) if len(readings) == 1 else None)
    assert is_date(row["text"], order=order) is bool(readings)


def test_the_table_says_beforehand_which_dates_are_ambiguous_and_they_are_few():
    flags = {0: "unreadable", 1: None}
    assert all(row.get("flag") == flags.get(len(row["readings"]), "ambiguous") for row in ROWS)
    ambiguous = sum(row.get("flag") == "ambiguous" for row in ROWS)
    assert ambiguous == TABLE["ambiguous_rows"] <= len(ROWS) / 10
    assert len(ROWS) == TABLE["rows_in_all"] >= 60


def test_a_year_is_not_its_first_day():
    assert read_date("2024") != read_date("2024-01-01")
    assert read_date("May 2024") != read_date("2024-05-01")
    assert read_date("5 May 2024 10:30") != read_date("5 May 2024 10:30:00")


def test_the_same_instant_at_two_offsets_is_one_reading():
    assert read_date("2024-05-05T12:00+02:00") == read_date("2024-05-05 10:00 UTC")
    assert read_date("2024-05-05T12:00") != read_date("2024-05-05T12:00Z")


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "America/Los_Angeles"])
def test_where_and_when_it_is_read_changes_nothing(zone, monkeypatch):
    before = [date_readings(row["text"], order=row.get("order")) for row in ROWS]
    monkeypatch.setenv("TZ", zone)
    monkeypatch.setattr(time, "time", lambda: 0.0)
    time.tzset()
    try:
        assert [date_readings(row["text"], order=row.get("order")) for row in ROWS] == before
    finally:
        monkeypatch.undo()
        time.tzset()


def test_an_order_that_makes_a_date_impossible_is_not_overruled():
    assert date_readings("13/05/2024", order="MDY") == ()
    assert date_readings("05/13/2024", order="DMY") == ()


def test_two_digits_everywhere_have_every_reading():
    found = {one.iso for one in date_readings("01/02/03")}
    assert found == {
        *("1903-02-01", "2003-02-01"),  # day, month, year
        *("1903-01-02", "2003-01-02"),  # month, day, year
        *("1901-02-03", "2001-02-03"),  # year, month, day
    }
    assert {one.iso for one in date_readings("24-05-06", order="YMD")} == {
        *("1924-05-06", "2024-05-06"),
    }


def test_an_instant_beyond_the_calendar_is_no_date():
    assert date_readings("9999-12-31T23:00-05:00") == ()
    assert date_readings("0001-01-01T01:00+05:00") == ()
    assert date_readings("0000-01-01") == ()


@given(
    st.dates(min_value=date(1000, 1, 1)), st.sampled_from(["%d %B %Y", "%B %d, %Y", "%a %d %b %Y"])
)
@QUICKLY
def test_whatever_the_calendar_writes_is_read_back(day, form):
    text = day.strftime(form).replace(day.strftime("%Y"), f"{day.year:04}")
    assert read_date(text) == DateReading(day.isoformat(), Precision.DAY)


@given(
    st.datetimes(min_value=datetime(1000, 1, 2), max_value=datetime(9998, 1, 1)),
    st.integers(-12 * 60, 14 * 60),
)
@QUICKLY
def test_an_iso_time_with_an_offset_is_read_as_the_same_instant(moment, minutes):
    moment = moment.replace(microsecond=0, tzinfo=timezone(timedelta(minutes=minutes)))
    found = read_date(moment.isoformat())
    assert found is not None and found.precision == "second"
    assert datetime.fromisoformat(found.iso) == moment


@given(st.text(max_size=60), st.sampled_from([None, "DMY", "MDY", "YMD"]))
@QUICKLY
def test_any_text_has_a_bounded_number_of_readings(text, order):
    assert len(date_readings(text, order=order)) <= 6


@pytest.mark.parametrize(
    "text",
    ["1" * 10_000_000, " " * 10_000_000, "5 May 2024 " * 1_000_000, "\ud800", "5\x00May 2024"],
)
def test_a_hostile_text_is_no_date_and_quickly_so(text):
    assert date_readings(text) == ()
