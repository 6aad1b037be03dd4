"""A verdict in words, as Markdown for the viewer: the reason, then what it rests on, in tables."""

from collections.abc import Mapping, Sequence
from typing import Any

from creel_inspect.markdown import prose, table
from creel_inspect.verify import VerdictScore

_MOST_ROWS = 40
_MOST_COLUMNS = 12
_MOST_TABLES = 20
_SCALAR = (str, int, float, bool, type(None))
_MORE = "_more"
"""Ends the name of a count of what a bounded list leaves out."""

Row = Mapping[str, Any]


def explanation(verdict: VerdictScore) -> str:
    """The reason in bold, and the verdict's details: alike ones together in one table."""
    parts = [f"**{prose(verdict.reason)}**"]
    scalars = {
        name: value
        for name, value in verdict.details.items()
        if isinstance(value, _SCALAR) and not (name.endswith(_MORE) and not value)
    }
    if scalars:
        parts.append(_table([{"": name, " ": value} for name, value in scalars.items()]))
    groups: dict[tuple[str, ...], list[Row]] = {}
    lists: list[tuple[str, list[Row]]] = []
    for name, value in verdict.details.items():
        if isinstance(value, _SCALAR) or not value:
            continue
        if isinstance(value, Mapping) and all(isinstance(n, int | float) for n in value.values()):
            groups.setdefault(tuple(value), []).append({"": name, **value})
        else:
            lists.append((name, _rows(value)))
    parts += [_table(rows) for rows in groups.values()]
    parts += [f"{prose(name)}:\n\n{_table(rows)}" for name, rows in lists[:_MOST_TABLES]]
    return "\n\n".join(parts)


def _rows(value: Any) -> list[Row]:
    if not isinstance(value, Mapping):
        return [one if isinstance(one, Mapping) else {" ": one} for one in value]
    rows: list[Row] = []
    for name, one in value.items():
        if not isinstance(one, Mapping):
            rows.append({"": name, " ": one})
        elif one and all(isinstance(inner, Mapping) for inner in one.values()):
            rows += [{"": f"{name} {key}", **inner} for key, inner in one.items()]
        else:
            rows.append({"": name, **one})
    return rows


def _table(rows: Sequence[Row]) -> str:
    shown = rows[:_MOST_ROWS]
    columns = list(dict.fromkeys(name for row in shown for name in row))[:_MOST_COLUMNS]
    told = table(
        [prose(name) for name in columns],
        [[_cell(row.get(name, "")) for name in columns] for row in shown],
    )
    more = len(rows) - _MOST_ROWS
    return f"{told}\n\n… {more:,} more" if more > 0 else told


def _cell(value: Any) -> Any:
    """A cell's text: a number as it is, nested details on one line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_cell(inner)}" for key, inner in list(value.items())[:20])
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(str(_cell(inner)) for inner in value[:20])
    return value
