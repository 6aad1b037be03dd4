"""Scores over some of the cases: by tag, operator, corpus, and whether there is an answer."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Literal, cast

from creel_inspect.compare.differences.measured import Measured
from creel_inspect.compare.fairness.yardsticks import corpus_of
from creel_inspect.compare.results import Slice
from creel_inspect.verify.plain import readable

_MOST_VISITED = 100_000

SliceKind = Literal["tag", "operator", "corpus", "answerable"]


def slices(measured: Measured, operators: Mapping[str, Iterable[str]]) -> list[Slice]:
    """The scores of every slice, by kind and name.

    Args:
        measured: The samples.
        operators: By case, those of its reference query.
    """
    rows = measured.task.rows
    members: dict[tuple[str, str], set[str]] = defaultdict(set)
    for case, tags in rows[["case", "tags"]].itertuples(index=False):
        for tag in tags:
            members["tag", tag].add(case)
    for case, names in operators.items():
        for name in names:
            members["operator", name].add(case)
    if measured.task.kind == "extraction":
        members |= _several("corpus", zip(rows["case"], corpus_of(rows), strict=True))
    known = rows[rows["feasible"].map(lambda one: one is not None)]
    told = known["feasible"].map({True: "answerable", False: "not answerable"})
    members |= _several("answerable", zip(known["case"], told, strict=True))
    return [
        Slice(
            kind=cast(SliceKind, kind),
            name=name,
            cases=len(cases),
            scores={run: measured.score_over(run, cases) for run in measured.order},
        )
        for (kind, name), cases in sorted(members.items())
    ]


def _several(kind: str, cases: Iterable[tuple[str, str]]) -> dict[tuple[str, str], set[str]]:
    """Slices by a property that every case has; none where all are alike."""
    members: dict[tuple[str, str], set[str]] = defaultdict(set)
    for case, name in cases:
        members[kind, name].add(case)
    return members if len(members) > 1 else {}


def operators_of(query: Any) -> list[str]:
    """The operators of a query, sorted: every ``op`` in it, however deep."""
    found: set[str] = set()
    left, visited = [query], 0
    while left and visited < _MOST_VISITED:
        one = left.pop()
        visited += 1
        if isinstance(one, dict):
            if isinstance(one.get("op"), str):
                found.add(readable(one["op"]))
            left.extend(one.values())
        elif isinstance(one, list):
            left.extend(one)
    return sorted(found)
