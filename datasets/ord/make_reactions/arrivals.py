"""When each reaction arrived in the public corpus: a history as made up as the reactions.

The real corpus reads this from its repository's history. Here a list of days stands in for the
commits, and a reaction arrives on one of the days after its record was made.
"""

from __future__ import annotations

from datetime import datetime

import pyarrow as pa
from dice import Dice, digest
from ord_schema.artifacts import history
from ord_schema.proto import dataset_pb2

# Year edges are among them: a question about 2022 must tell 31 December from 1 January.
DAYS = (
    *("2021-01-01", "2021-03-15", "2021-07-01", "2021-11-20", "2021-12-31"),
    *("2022-01-01", "2022-01-02", "2022-05-09", "2022-09-30", "2022-12-31"),
    *("2023-01-01", "2023-02-14", "2023-08-21", "2023-12-31"),
    *("2024-01-01", "2024-02-29", "2024-06-30", "2024-10-10", "2024-12-31"),
    *("2025-01-01", "2025-03-31", "2025-04-01", "2025-06-30", "2025-07-01", "2025-12-31"),
    *("2026-01-01", "2026-03-31", "2026-04-01", "2026-07-15", "2026-10-30", "2026-11-02"),
)


def index(datasets: list[dataset_pb2.Dataset]) -> history.Index:
    """Return the first commit of every reaction, in the shape ord-schema keeps it in."""
    ids = [dataset.dataset_id for dataset in datasets]
    rows = []
    for dataset in datasets:
        for reaction in dataset.reactions:
            dice = Dice(reaction.reaction_id)
            created = reaction.provenance.record_created.time.value[:10]
            later = [day for day in DAYS if day >= created]
            day = dice.choice("arrival", later[:9])
            # Some arrived in another dataset, more of those that were edited lately.
            edits = reaction.provenance.record_modified
            late = bool(edits) and edits[-1].time.value >= "2026-06"
            moved = dice.chance("moved", 0.5 if late else 0.06)
            rows.append(
                {
                    "reaction_id": reaction.reaction_id,
                    "sha": _sha(day),
                    "timestamp": datetime.fromisoformat(f"{day}T{_clock(day)}"),
                    "utc_offset_minutes": 0,
                    "dataset_id": dice.choice("from", ids) if moved else dataset.dataset_id,
                }
            )
    return history.Index(
        pa.Table.from_pylist(rows, schema=history.INDEX_SCHEMA), [_sha(day) for day in DAYS]
    )


def _clock(day: str) -> str:
    """Return a time near midnight, on either side: a day is a day at any hour."""
    return "00:15:00" if day.endswith("1") else "23:45:00"


def _sha(day: str) -> str:
    return digest("commit", day) + digest("commit, end", day)[:8]
