"""Days on and beside the edges of years and quarters, and one date that is not another."""

from __future__ import annotations

from datetime import date, timedelta

from people import person

from plants.plant import Plant

# Edges a question is likely to use. A plant stands on each edge, a day before and a day after.
_EDGES = (
    "2012-01-01",
    "2015-01-01",
    "2020-01-01",
    "2021-01-01",
    "2022-01-01",
    "2023-01-01",
    "2024-01-01",
    "2025-01-01",
    "2025-04-01",
    "2025-06-30",
    "2025-07-01",
    "2025-10-01",
    "2025-12-19",
    "2026-01-01",
    "2026-04-01",
)


def _edges() -> list[Plant]:
    plants = []
    for edge in _EDGES:
        for offset, word in ((-1, "before"), (0, "on"), (1, "after")):
            day = (date.fromisoformat(edge) + timedelta(days=offset)).isoformat()
            plants.append(
                Plant(
                    f"recorded-{word}-{edge}",
                    f"record_created {word} {edge}",
                    "pair",
                    {"provenance.record_created.time.value": day},
                    _PHENOL,
                )
            )
    return plants


_PHENOL = {
    "first": "phenol",
    "second": "iodomethane",
    "template": "O-alkylation",
    "base": "sodium hydroxide",
}
_CREATED = "provenance.record_created.time.value"
_START = "provenance.experiment_start"
_EDITS = "provenance.record_modified"


def _edit(day: str, who: str = "bmeyer") -> dict[str, object]:
    return {"time": {"value": day}, "person": person(who)}


def _dated(slug: str, separates: str, edits: dict[str, object]) -> Plant:
    return Plant(slug, separates, "pair", edits, _PHENOL)


PLANTS = (
    *_edges(),
    _dated("started-last-day-of-2011", "carried out before 2012 | recorded before 2012",
           {_START: {"value": "2011-12-31"}, _CREATED: "2019-04-04"}),
    _dated("started-first-day-of-2012", "before 2012 | up to 2012",
           {_START: {"value": "2012-01-01"}, _CREATED: "2019-04-04"}),
    _dated("started-and-recorded-2010", "carried out before 2012, recorded too",
           {_START: {"value": "2010-06-06"}, _CREATED: "2010-06-07"}),
    _dated("recorded-2011-no-start", "recorded before 2012, start not recorded",
           {_CREATED: "2011-05-05"}),
    _dated("started-2025-recorded-2026", "carried out in 2025 | recorded in 2025",
           {_START: {"value": "2025-11-11"}, _CREATED: "2026-02-02"}),
    _dated("recorded-2024-edited-2025", "edited in 2025 | recorded in 2025",
           {_CREATED: "2024-08-08", _EDITS: [_edit("2025-03-03")]}),
    _dated("recorded-2025-edited-2026", "recorded in 2025 | edited in 2025",
           {_CREATED: "2025-05-05", _EDITS: [_edit("2026-03-03")]}),
    _dated("edited-before-and-after-2025", "one edit within 2025 | one after, one before",
           {_CREATED: "2023-05-05", _EDITS: [_edit("2024-03-03"), _edit("2026-03-03")]}),
    _dated("edited-twice-in-2025", "two edits in 2025: reactions | edits",
           {_CREATED: "2023-05-05", _EDITS: [_edit("2025-03-03"), _edit("2025-09-09")]}),
    _dated("edited-by-two-people", "edited by one in 2025 | by one, and in 2025",
           {_CREATED: "2023-05-05",
            _EDITS: [_edit("2024-03-03", "akoval"), _edit("2025-09-09", "dsilva")]}),
    _dated("never-edited", "never edited: forall | exists", {_CREATED: "2023-05-05"}),
    _dated("new-year-by-the-clock", "31 December by the wall clock | 1 January by UTC",
           {_CREATED: "2025-12-31T23:30:00-05:00"}),
    _dated("new-year-abroad", "1 January by the wall clock | 31 December by UTC",
           {_CREATED: "2026-01-01T00:30:00+09:00"}),
    _dated("last-minute-of-the-day", "le takes the whole day in",
           {_CREATED: "2025-12-19T23:59:59"}),
    _dated("first-minute-of-the-day", "gt leaves the whole day out",
           {_CREATED: "2025-06-30T00:00:00"}),
    _dated("leap-day", "29 February 2024", {_CREATED: "2024-02-29"}),
    _dated("start-precise", "experiment_start with a time of day",
           {_START: {"value": "2018-03-03T08:00:00+01:00"}, _CREATED: "2018-03-04"}),
)  # fmt: skip
