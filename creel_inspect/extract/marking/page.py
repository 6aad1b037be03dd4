"""A marking as a page for a person: the score, a table by type, and every point that was lost."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from creel_inspect.extract.marking.marking import Mark, Marking
from creel_inspect.extract.marking.rollup import Rollup, f1, precision, recall, roll_up
from creel_inspect.markdown import prose, table
from creel_inspect.verify.graph.scoring import Tally
from creel_inspect.verify.plain import shown

_MOST_ROWS = 1_000
_MOST_VALUE = 120
_MOST_NOTE = 500
_NOTHING = "–"


def page(
    marking: Marking,
    *,
    scored_under: str = "",
    notes: Sequence[str] = (),
    submitted: bool = True,
) -> str:
    """The Markdown page of one marked candidate.

    Args:
        marking: The marks.
        scored_under: The policy and the gate, for the first line.
        notes: What the extractor had to say; shown last.
        submitted: Whether there was a graph at all. Without one every figure is 0, also where
            nothing is expected.
    """
    submitted = submitted and not marking.refused
    rollup = roll_up(marking.marks)
    marks = [one for one in marking.marks if one.part != "graph"]
    parts = [_score_line(rollup, scored_under, float(submitted))]
    if marking.refused:
        parts.append(f"**Not compared:** {prose(marking.refused)}.")
    parts += [
        f"**The whole graph:** {_verdict(one)}" for one in marking.marks if one.part == "graph"
    ]
    parts.append(_by_type(rollup))
    sections = [
        ("What lost points", _HEADS, [_row(one) for one in marks if _is_a_lost_point(one)]),
        ("Missing elements", _ELEMENT, _elements(marks, "missing")),
        ("Invented elements", _ELEMENT, _elements(marks, "invented")),
        ("Not scored", _HEADS, [_row(one) for one in marks if one.state == "unscored"]),
        ("Not grounded", _GROUNDING, [_grounding(one) for one in marks if _ungrounded(one)]),
    ]
    parts += [_section(*one) for one in sections if one[2]]
    if submitted and rollup.total.perfect and not rollup.total.unmeasured:
        parts.append("Nothing lost a point.")
    judge = marking.judge
    if judge.calls or judge.saved:
        parts.append(
            f"Judge: {judge.calls} calls about {judge.asked} values; "
            f"{judge.saved} values needed none."
        )
    if notes:
        listed = "\n".join(f"- {prose(_cut(note, _MOST_NOTE))}" for note in notes[:_MOST_ROWS])
        parts.append(f"**Notes of the extractor**\n\n{listed}{_more(len(notes))}")
    return "\n\n".join(parts)


_HEADS = ("path", "expected", "came", "verifier", "reason")
_ELEMENT = ("path", "points", "what it says")
_GROUNDING = ("path", "value", "scored", "why it is not grounded")


def _score_line(rollup: Rollup, scored_under: str, worth: float) -> str:
    total = rollup.total
    unscored = rollup.states.get("unscored", 0)
    said = [
        f"**F1 {worth * f1(total):.3f}**",
        f"precision {worth * precision(total):.3f} ({total.matched} of {total.actual})",
        f"recall {worth * recall(total):.3f} ({total.matched} of {total.expected})",
        f"mean F1 of the types {worth * rollup.macro_f1:.3f}",
        f"coverage {rollup.coverage:.1%}" + (f" ({unscored} unscored)" if unscored else ""),
    ]
    if unscored:
        low, high = (worth * bound for bound in rollup.bounds)
        said[0] += f" ({low:.3f} to {high:.3f}, were what is unscored wrong or right)"
    return " · ".join([*said, prose(scored_under)] if scored_under else said)


def _verdict(one: Mark) -> str:
    words = {"right": "passes", "unscored": "could not be measured"}
    said = words.get(one.state, "fails")
    return f"{prose(one.verifier)} {said}: {prose(one.reason)}"


def _by_type(rollup: Rollup) -> str:
    def row(name: str, tally: Tally) -> list[Any]:
        figures: list[Any] = [name, f1(tally), precision(tally), recall(tally)]
        return [*figures, tally.matched, tally.expected, tally.actual, tally.unmeasured]

    columns = ("type", "F1", "precision", "recall", "right", "expected", "came", "unscored")
    rows = [row(*one) for one in rollup.types.items()]
    whole = [row(f"all {name}", one) for name, one in rollup.elements.items()]
    return table(columns, [*rows[:_MOST_ROWS], *whole]) + _more(len(rows))


def _is_a_lost_point(one: Mark) -> bool:
    """Of elements that are there: whole ones that are missing or invented have their own tables."""
    if one.state == "wrong":
        return True
    return one.state in ("missing", "invented") and not one.lone


def _row(one: Mark) -> list[str]:
    expected = _NOTHING if one.state == "invented" else _value(one.expected)
    came = _NOTHING if one.state == "missing" else _value(one.actual)
    reason = f"{one.reason} ({one.code})" if one.code else one.reason
    return [one.path, expected, came, one.verifier or _NOTHING, reason]


def _value(value: Any) -> str:
    return _cut(value, _MOST_VALUE) if isinstance(value, str) else shown(value, _MOST_VALUE)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


def _elements(marks: Iterable[Mark], state: str) -> list[list[str]]:
    """One row for each element that is missing, or invented, as a whole; with what that costs."""
    found: dict[str, list[str]] = {}
    points: Counter[str] = Counter()
    for one in marks:
        if one.state != state or not one.lone:
            continue
        path = f"{one.type}[{one.element}]"
        points[path] += 1
        says = found.setdefault(path, [])
        value = _value(one.expected if state == "missing" else one.actual)
        if one.attribute:
            says.append(f"{one.attribute}: {value}")
        elif one.part in ("edge_head", "edge_tail"):
            says.append(f"{'from' if one.part == 'edge_head' else 'to'} {value}")
    return [[path, str(points[path]), "; ".join(says) or _NOTHING] for path, says in found.items()]


def _ungrounded(one: Mark) -> bool:
    return one.grounding == "ungrounded"


def _grounding(one: Mark) -> list[str]:
    return [one.path, _value(one.actual), one.state, one.grounding_reason]


def _section(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    told = table(columns, rows[:_MOST_ROWS])
    return f"**{title}** ({len(rows)})\n\n{told}{_more(len(rows))}"


def _more(count: int) -> str:
    return f"\n\n… {count - _MOST_ROWS:,} more" if count > _MOST_ROWS else ""
