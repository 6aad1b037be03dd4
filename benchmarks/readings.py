"""How many of the written quantities, dates and texts of the committed tables are read right?

The tables stand beside the tests that use them, and say beforehand which rows are ambiguous; a row
is right when exactly the readings that it states are found. A text's row is right when the default
steps of ``normalized``, and those that the row adds, make its two texts equal as it says.

    python benchmarks/readings.py

Exit status 1 if a row is read wrong, or more than a tenth of them is ambiguous.
"""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from creel_inspect.verify import build_verifier
from creel_inspect.verify.numeric import unit_token
from creel_inspect.verify.values.dates import date_readings
from creel_inspect.verify.values.quantity import read_quantity
from creel_inspect.verify.values.text import DEFAULT_STEPS

TABLES = Path(__file__).parent.parent / "tests" / "verify" / "values"
MOST_AMBIGUOUS = 0.1
Row = dict[str, Any]


def quantity_is_right(row: Row) -> bool:
    """Whether a written quantity has just the readings that its row states."""
    unit = unit_token(row["unit"]) if "unit" in row else None
    found = read_quantity(row["text"], locale=row.get("locale"), unit=unit)
    stated = [] if row.get("unreadable") else row["readings"] if row.get("ambiguous") else [row]
    right = {
        (
            Fraction(one.get("low", one.get("value"))),
            Fraction(one["high"]) if "high" in one else None,
            one.get("in"),
            one.get("relation", "="),
        )
        for one in stated
    }
    return right == {
        (one.value, one.high, one.unit or unit, one.relation) for one in found.readings
    }


def date_is_right(row: Row) -> bool:
    """Whether a written date has just the readings that its row states."""
    found = date_readings(row["text"], order=row.get("order"))
    return [[one.iso, one.precision] for one in found] == row["readings"]


def text_is_right(row: Row) -> bool:
    """Whether two texts are equal, or not, as their row states, and by which steps."""
    verdict = build_verifier("normalized").verify(row["one"], row["other"])
    if verdict.passed != row["equal"]:
        return False
    if row["equal"]:
        return verdict.details["steps"] == row["steps"]
    steps = [*DEFAULT_STEPS, *row.get("add", row.get("never_with", []))]
    more = build_verifier("normalized", steps=steps).verify(row["one"], row["other"])
    return more.passed == ("add" in row)


def main() -> int:
    """Runs the benchmark."""
    console = Console(width=110, soft_wrap=True)
    shown = Table("table", "rows", "right", "ambiguous", "unreadable")
    kinds: dict[str, Callable[[Row], bool]] = {
        "quantities": quantity_is_right,
        "dates": date_is_right,
        "texts": text_is_right,
    }
    rows_in_all, ambiguous_in_all, wrong = 0, 0, []
    for name, is_right in kinds.items():
        table = json.loads((TABLES / f"{name}.json").read_text(encoding="utf-8"))
        rows: list[Row] = table["rows"] if isinstance(table, dict) else table
        missed = [row for row in rows if not is_right(row)]
        flags = ["ambiguous", "unreadable"]
        counts = [
            sum(bool(row.get(one)) or row.get("flag") == one for row in rows) for one in flags
        ]
        shown.add_row(name, str(len(rows)), str(len(rows) - len(missed)), *map(str, counts))
        rows_in_all += len(rows)
        ambiguous_in_all += counts[0]
        wrong += missed
    console.print(shown)
    console.print(
        f"{rows_in_all - len(wrong)} of {rows_in_all} read right; "
        f"{ambiguous_in_all / rows_in_all:.1%} ambiguous (at most {MOST_AMBIGUOUS:.0%})"
    )
    for row in wrong:
        console.print(f"wrong: {row}", markup=False)
    return 1 if wrong or ambiguous_in_all > MOST_AMBIGUOUS * rows_in_all else 0


if __name__ == "__main__":
    raise SystemExit(main())
