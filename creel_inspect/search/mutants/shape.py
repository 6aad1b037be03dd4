"""Mistakes about what is counted, measured, grouped, ordered and cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from creel_inspect.search.mutants.columns import column, join, relative
from creel_inspect.search.mutants.confusions import LEVELS
from creel_inspect.search.mutants.sites import (
    Edit,
    Node,
    Pointer,
    both,
    literal,
    reductions,
    replaced,
    some,
    spell,
)
from creel_inspect.search.mutants.values import alternatives

_FUNCTIONS: dict[str, tuple[str, ...]] = {
    "count": (),
    "count_distinct": ("count",),
    "avg": ("max", "min", "sum", "count"),
    "max": ("avg", "min", "sum"),
    "min": ("avg", "max"),
    "sum": ("avg", "max", "count"),
}
# Recorded by every corpus worth the name, so that nobody thinks of leaving them out.
_NEVER_ABSENT = ("dataset_id", "reaction_id")
_REDUCERS: dict[str, tuple[str, ...]] = {
    "count": (),
    "avg": ("max", "min"),
    "max": ("avg", "min"),
    "min": ("max", "avg"),
    "sum": ("max", "count", "avg"),
}


def measures(query: Node) -> Iterator[Edit]:
    """Measures by the wrong function, or over the wrong column."""
    aggregate = query.get("aggregate")
    if aggregate is None:
        return
    over, grouped = aggregate.get("over") or "", aggregate.get("group_by") or ()
    for index, measure in enumerate(aggregate["measures"]):
        here: Pointer = ("aggregate", "measures", index)
        for function, path in _other_measures(measure, grouped):
            told = {"fn": function, "name": measure["name"]}
            told |= {} if path is None else {"path": path}
            yield Edit(
                "wrong-measure",
                replaced(query, here, told),
                f"measures `{_said(told)}` instead of `{_said(measure)}`",
            )
        path = measure.get("path")
        if isinstance(path, str):
            for target in alternatives(join(over, path)):
                read = relative(over, target)
                if read is not None:
                    yield Edit(
                        "sibling-column",
                        replaced(query, (*here, "path"), read),
                        f"measures `{read}` instead of `{path}`",
                    )


def _other_measures(measure: Node, grouped: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """Yields the functions and arguments that a measure is confused with."""
    function, path = measure["fn"], measure.get("path")
    counts_rows = path is None or path == "reaction_id"
    if counts_rows:
        yield from (("count_distinct", "reaction_id"), ("count", None))
        for group in grouped:
            yield "count_distinct", group
            if group.split(".")[-1] not in _NEVER_ABSENT:
                yield "count", group
    else:
        yield from ((other, path) for other in _FUNCTIONS[function])
        if function == "count_distinct":
            yield "count_distinct", "reaction_id"


def reducers(query: Node) -> Iterator[Edit]:
    """Reduces a reaction's elements by the wrong function, or reduces the wrong column."""
    for pointer, reduction in reductions(query):
        for other in _REDUCERS[reduction["reduce"]]:
            yield Edit(
                "wrong-reduction",
                replaced(query, (*pointer, "reduce"), other),
                f"takes each reaction's {other} instead of its {reduction['reduce']}",
            )
        at = column(reduction["path"])
        for target in alternatives(reduction["path"]):
            to = column(target)
            if at is None or to is None:
                continue
            told = {**reduction, "path": target}
            if to.level != at.level:
                told.pop("where", None)
            if not to.level:
                # Nothing to reduce: the column is a reaction's own.
                yield Edit(
                    "sibling-column",
                    replaced(query, pointer, target),
                    f"reads `{target}` instead of `{reduction['path']}`",
                )
                continue
            yield Edit(
                "sibling-column",
                replaced(query, pointer, told),
                f"reduces `{target}` instead of `{reduction['path']}`",
            )
        if reduction["reduce"] == "count" and at is not None and at.level:
            # Counting another field of the same elements leaves out those without it.
            for end in ("percentage.value", "amount.mass_grams", "details", "smiles"):
                target = join(at.level, end)
                if column(target) is not None and target != reduction["path"]:
                    yield Edit(
                        "wrong-reduction",
                        replaced(query, (*pointer, "path"), target),
                        f"counts `{end}`, which not every element records",
                    )
                    break


def groups(query: Node) -> Iterator[Edit]:
    """Groups by the wrong column, or not at all."""
    aggregate = query.get("aggregate")
    if aggregate is None:
        return
    over, grouped = aggregate.get("over") or "", list(aggregate.get("group_by") or ())
    here: Pointer = ("aggregate", "group_by")
    for index, path in enumerate(grouped):
        rest = [*grouped[:index], *grouped[index + 1 :]]
        fewer = replaced(query, here, rest)
        recorded = {"op": "not_null", "path": path}
        if over:
            narrower = {**aggregate, "where": _and(aggregate.get("where"), recorded)}
            without = {**query, "aggregate": narrower}
        else:
            without = {**query, "where": _and(query.get("where"), recorded)}
        if path.split(".")[-1] not in _NEVER_ABSENT:
            yield Edit("add-condition", without, f"leaves out what records no `{path}`")
        # What was ordered by the column can be so no longer.
        kept = [one for one in query.get("order_by") or () if one["key"] != path]
        if len(kept) != len(query.get("order_by") or ()):
            fewer = {**fewer, "order_by": kept}
        yield Edit("wrong-group", fewer, f"does not group by `{path}`")
        for target in alternatives(join(over, path)):
            read = relative(over, target)
            if read is None or read in grouped:
                continue
            told = replaced(query, (*here, index), read)
            for place, one in enumerate(told.get("order_by") or ()):
                if one["key"] == path:
                    told = replaced(told, ("order_by", place, "key"), read)
            yield Edit("wrong-group", told, f"groups by `{read}` instead of `{path}`")


def rows(query: Node) -> Iterator[Edit]:
    """Counts elements for reactions or reactions for elements, or filters the wrong ones."""
    aggregate = query.get("aggregate")
    if aggregate is None:
        return
    over, inner, where = aggregate.get("over"), aggregate.get("where"), query.get("where")
    if over is not None:
        for target in LEVELS.get(over, ()):
            yield Edit(
                "wrong-rows",
                replaced(query, ("aggregate", "over"), target),
                f"makes rows of `{target}` instead of `{over}`",
            )
        fewer = {key: part for key, part in aggregate.items() if key not in ("over", "where")}
        asked = where if inner is None else _and(where, some(over, inner))
        flat = {**query, "aggregate": fewer} | ({} if asked is None else {"where": asked})
        yield Edit("wrong-rows", flat, "makes rows of reactions instead of their elements")
        if inner is not None:
            kept = {key: part for key, part in aggregate.items() if key != "where"}
            yield Edit(
                "move-filter",
                {**query, "where": _and(where, some(over, inner)), "aggregate": kept},
                f"selects reactions by `{spell(inner)}`, not the elements counted",
            )
    elif not aggregate.get("group_by"):
        yield from _over_elements(query, aggregate)
    if over is not None and where is not None and where["op"] == "exists" and where["path"] == over:
        kept = {key: part for key, part in query.items() if key != "where"}
        moved = {**aggregate, "where": _and(inner, where["where"])}
        yield Edit(
            "move-filter",
            {**kept, "aggregate": moved},
            f"selects the elements counted by `{spell(where['where'])}`, not reactions",
        )


def orders(query: Node) -> Iterator[Edit]:
    """Orders the wrong way or not at all, and cuts one row too early or too late."""
    order, limit = list(query.get("order_by") or ()), query.get("limit")
    for index, one in enumerate(order):
        descending = not one.get("descending", False)
        yield Edit(
            "wrong-order",
            replaced(query, ("order_by", index, "descending"), descending),
            f"puts the {'largest' if descending else 'smallest'} first",
        )
        if limit is not None:
            kept = [*order[:index], *order[index + 1 :]]
            yield Edit("wrong-order", {**query, "order_by": kept}, "cuts without this order")
        for key in _other_keys(query, one["key"]):
            yield Edit(
                "wrong-order",
                replaced(query, ("order_by", index, "key"), key),
                f"orders by `{key}` instead of `{_read(one['key'])}`",
            )
    if limit is not None:
        dropped = {key: part for key, part in query.items() if key != "limit"}
        yield Edit("wrong-limit", dropped, "forgets the limit")
        for other in (limit - 1, limit + 1):
            if other > 0:
                yield Edit("wrong-limit", {**query, "limit": other}, f"keeps {other}, not {limit}")


def _other_keys(query: Node, key: Any) -> Iterator[str]:
    aggregate = query.get("aggregate")
    if aggregate is not None:
        outputs = [*(measure["name"] for measure in aggregate["measures"])]
        outputs += list(aggregate.get("group_by") or ())
        yield from (output for output in outputs if output != key)
    elif isinstance(key, str):
        yield from alternatives(key)


def _over_elements(query: Node, aggregate: Node) -> Iterator[Edit]:
    """Yields measures of each reaction's elements as measures of all elements together."""
    paths = [measure.get("path") for measure in aggregate["measures"]]
    if not all(isinstance(path, dict) for path in paths):
        return
    levels = {
        (at.level if (at := column(path["path"])) else "", repr(path.get("where")))
        for path in paths
    }
    if len(levels) != 1:
        return
    level = next(iter(levels))[0]
    read = [relative(level, path["path"]) for path in paths]
    if not level or None in read:
        return
    told: Node = {"over": level, "group_by": []}
    if paths[0].get("where") is not None:
        told["where"] = paths[0]["where"]
    told["measures"] = [
        {**measure, "path": path} for measure, path in zip(aggregate["measures"], read, strict=True)
    ]
    yield Edit(
        "wrong-rows",
        {**query, "aggregate": told},
        f"measures over all `{level}` together, not reaction by reaction",
    )


def _and(one: Node | None, other: Node) -> Node:
    return other if one is None else both(one, other)


def _said(measure: Node) -> str:
    path = measure.get("path")
    return measure["fn"] if path is None else f"{measure['fn']}({_read(path)})"


def _read(path: Any) -> str:
    if isinstance(path, dict):
        return f"{path['reduce']} of {path['path']}"
    return literal(path)
