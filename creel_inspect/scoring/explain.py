"""A verdict in words, as Markdown for the viewer: the reason, then what it rests on, in tables."""

from collections.abc import Mapping, Sequence
from typing import Any

from creel_inspect.markdown import prose, table
from creel_inspect.verify import VerdictScore

_MOST_ROWS = 40
_MOST_TABLES = 20
_SCALAR = (str, int, float, bool, type(None))


def explanation(verdict: VerdictScore) -> str:
    """The reason in bold, and the verdict's details."""
    parts = [f"**{prose(verdict.reason)}**"]
    scalars, others = [], []
    for name, value in verdict.details.items():
        if isinstance(value, _SCALAR):
            scalars.append((name, _cell(value)))
        elif value:
            others.append((name, value))
    if scalars:
        parts.append(table(("", ""), scalars[:_MOST_ROWS]))
    for name, value in others[:_MOST_TABLES]:
        parts.append(f"{prose(name)}:\n\n{_told(value)}")
    return "\n\n".join(parts)


def _told(value: Any) -> str:
    if isinstance(value, Mapping):
        rows: list[Any] = [{"": key, **_row(inner)} for key, inner in value.items()]
    else:
        rows = [_row(inner) for inner in value]
    shown, more = rows[:_MOST_ROWS], len(rows) - _MOST_ROWS
    columns = list(dict.fromkeys(name for row in shown for name in row))[:12]
    told = table(
        [prose(name) for name in columns],
        [[_cell(row.get(name, "")) for name in columns] for row in shown],
    )
    return f"{told}\n\n… {more:,} more" if more > 0 else told


def _row(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {" ": value}


def _cell(value: Any) -> Any:
    """A cell's text: a number as it is, nested details on one line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_cell(inner)}" for key, inner in list(value.items())[:20])
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(str(_cell(inner)) for inner in value[:20])
    return value
