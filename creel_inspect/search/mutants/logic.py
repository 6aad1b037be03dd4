"""Mistakes of logic: conditions left out, quantifiers and negations in the wrong place."""

from __future__ import annotations

from collections.abc import Iterator

from creel_inspect.search.mutants.columns import Column, column, join, relative
from creel_inspect.search.mutants.confusions import ADDED, LEVELS
from creel_inspect.search.mutants.formula import NEGATED, STRUCTURAL
from creel_inspect.search.mutants.simplify import DUAL
from creel_inspect.search.mutants.sites import (
    Edit,
    Node,
    Site,
    both,
    compare,
    either,
    negation,
    some,
    spell,
)

_OTHER = {"exists": "forall", "forall": "exists"}


def conditions(site: Site) -> Iterator[Edit]:
    """Leaves a condition out, adds one nobody asked for, or joins them by the other word."""
    node = site.node
    if node["op"] in DUAL and len(node["clauses"]) > 1:
        for index, clause in enumerate(node["clauses"]):
            inner = Site(site.query, (*site.pointer, "clauses", index), site.prefix)
            yield inner.dropped("drop-condition", f"drops `{spell(clause)}`")
        other = DUAL[node["op"]]
        yield site.edit(
            "swap-and-or",
            {**node, "op": other},
            f"joins {len(node['clauses'])} conditions by `{other}` instead of `{node['op']}`",
        )
    if site.pointer[-1] == "where" and "op" not in _owner(site):
        yield site.dropped("drop-condition", f"drops the filter `{spell(node)}`")
    if node["op"] == "exists":
        where = node["where"]
        for name, value in ADDED.get(join(site.prefix, node["path"]), ()):
            if f"'{name}'" in repr(where):
                continue
            extra = compare("eq", name, value)
            yield site.edit(
                "add-condition",
                {**node, "where": both(where, extra)},
                f"adds `{spell(extra)}`, which nobody asked for",
            )
        if join(site.prefix, node["path"]) == "outcomes.products.measurements" and not site.prefix:
            desired = compare("eq", "is_desired_product", True)
            yield site.edit(
                "add-condition",
                some("outcomes.products", both(desired, some("measurements", where))),
                f"adds `{spell(desired)}`, which nobody asked for",
            )


def quantifiers(site: Site) -> Iterator[Edit]:
    """Splits, merges, exchanges or misplaces quantifiers."""
    node = site.node
    if node["op"] == "and":
        yield from _merged(site, node)
    if node["op"] not in _OTHER:
        return
    yield from _split(site, node)
    yield site.edit(
        "swap-quantifier",
        {**node, "op": _OTHER[node["op"]]},
        f"asks `{_OTHER[node['op']]} {node['path']}` instead of `{node['op']}`",
    )
    if node["op"] == "forall":
        yield site.edit(
            "respell-quantifier",
            {"op": "not", "clause": some(node["path"], negation(node["where"]))},
            "says `every` as `not some … not`",
        )
        yield site.edit(
            "respell-quantifier",
            {"op": "not", "clause": some(node["path"], node["where"])},
            "says `every` as `not some`, and forgets the inner `not`",
        )
        yield site.edit(
            "respell-quantifier",
            both(node, some(node["path"], node["where"])),
            f"demands that there is some {node['path']} at all",
        )
    absolute = join(site.prefix, node["path"])
    for target in LEVELS.get(absolute, ()):
        path = relative(site.prefix, target)
        if path is not None:
            yield site.edit(
                "wrong-level",
                {**node, "path": path},
                f"looks among `{path}` instead of `{node['path']}`",
            )


def negations(site: Site) -> Iterator[Edit]:
    """Negates, forgets a negation, or moves one across a quantifier."""
    node = site.node
    op = node["op"]
    if op == "not":
        yield site.edit(
            "drop-not", node["clause"], f"forgets `not` before `{spell(node['clause'])}`"
        )
        if node["clause"]["op"] in _OTHER:
            yield from _pushed_in(site, node["clause"])
        return
    if op in _OTHER:
        yield from _pulled_out(site, node)
    negatable = op in _OTHER or op in STRUCTURAL or op in (*DUAL, "reaction_smarts")
    negatable = negatable or op in ("contains", "starts_with", "ends_with")
    if negatable and not site.negated:
        yield site.edit(
            "negate-condition", {"op": "not", "clause": node}, f"negates `{spell(node)}`"
        )


def absences(site: Site) -> Iterator[Edit]:
    """Takes what is not recorded for a value, or a value for "recorded"."""
    node = site.node
    if node["op"] in ("is_null", "not_null"):
        yield site.edit(
            "null-check",
            {**node, "op": NEGATED[node["op"]]},
            f"asks the opposite of `{spell(node)}`",
        )
    at = column(join(site.prefix, node["path"])) if "path" in node else None
    if at is None or node["op"] in _OTHER or node["op"] in STRUCTURAL:
        return
    # Never absent, which the engine enforces; "not recorded" has no meaning there.
    if not site.prefix and node["path"].split(".")[0] in ("first_commit", "reaction_id"):
        return
    path, op = node["path"], node["op"]
    missing = {"op": "is_null", "path": path}
    present = {"op": "not_null", "path": path}
    if op in ("is_null", "not_null"):
        if op == "is_null":
            yield from _taken_for_absent(site, at)
        return
    value = node["value"]["literal"]
    if op == "eq" and (value is False or value in ("NONE", "UNSPECIFIED", 0)):
        yield site.edit("null-check", missing, f"asks for no record instead of `{spell(node)}`")
    if op in ("eq", "gt", "ge") and (value is True or at.is_number):
        yield site.edit("null-check", present, f"asks that `{path}` is recorded, whatever it is")
    if op in ("ne", "lt", "le") or value is False:
        yield site.edit(
            "count-absent",
            either(node, missing),
            f"counts what records no `{path}` as `{spell(node)}`",
        )


def _taken_for_absent(site: Site, at: Column) -> Iterator[Edit]:
    """Yields "nothing recorded" as a value that stands for nothing, and asked of the whole."""
    node = site.node
    path = node["path"]
    values: list[str | int | bool] = []
    if at.is_enum:
        values = ["UNSPECIFIED", *(member for member in at.vocabulary or () if member == "NONE")]
    elif at.vocabulary is not None:
        values = [False]
    elif at.is_number:
        values = [0]
    elif at.is_text:
        values = [""]
    for value in values:
        told = compare("eq", path, value)
        yield site.edit("null-check", told, f"asks `{spell(told)}` for `{spell(node)}`")
    if "." in path:
        whole = {**node, "path": path.rpartition(".")[0]}
        yield site.edit("null-check", whole, f"asks it of the whole: `{spell(whole)}`")


def _owner(site: Site) -> Node:
    found: Node = site.query
    for key in site.pointer[:-1]:
        found = found[key]  # type: ignore[index]
    return found


def _split(site: Site, node: Node) -> Iterator[Edit]:
    """Yields one quantifier over several conditions as several quantifiers."""
    # Down to where the conditions are: through quantifiers that hold nothing but another.
    chain, body = [node["path"]], node["where"]
    while body["op"] == "exists" == node["op"]:
        chain.append(body["path"])
        body = body["where"]
    if body["op"] != {"exists": "and", "forall": "or"}[node["op"]] or len(body["clauses"]) < 2:
        return

    def over(part: Node) -> Node:
        for path in reversed(chain):
            part = {"op": node["op"], "path": path, "where": part}
        return part

    parts = body["clauses"]
    ways = [[[part], [*parts[:index], *parts[index + 1 :]]] for index, part in enumerate(parts)]
    # Two conditions come apart in one way only, more than two also into single ones.
    ways = ways[:1] if len(parts) == 2 else [*ways, [[part] for part in parts]]
    for way in ways:
        spelled = [
            over(group[0] if len(group) == 1 else {**body, "clauses": group}) for group in way
        ]
        yield site.edit(
            "split-quantifier",
            {**body, "clauses": spelled},
            f"lets different {chain[-1]} satisfy `{spell(way[0][0], 40)}` and the rest",
        )


def _merged(site: Site, node: Node) -> Iterator[Edit]:
    """Yields two quantifiers of a conjunction as one, asking both of one element."""
    clauses = node["clauses"]
    for first, one in enumerate(clauses):
        for second, other in enumerate(clauses):
            if first == second or one["op"] != "exists" or other["op"] != "exists":
                continue
            if one["path"] == other["path"]:
                if first > second:
                    continue
                merged = some(one["path"], both(one["where"], other["where"]))
            elif (inner := relative(one["path"], other["path"])) is not None:
                merged = some(one["path"], both(one["where"], some(inner, other["where"])))
            else:
                continue
            rest = [part for index, part in enumerate(clauses) if index not in (first, second)]
            yield site.edit(
                "merge-quantifiers",
                both(merged, *rest),
                f"asks of one `{one['path']}` what two may satisfy",
            )


def _pushed_in(site: Site, inner: Node) -> Iterator[Edit]:
    """Yields ``not exists(A)`` with the negation inside the quantifier, or only on a part."""
    path, where = inner["path"], inner["where"]
    yield site.edit(
        "move-not",
        {**inner, "where": negation(where)},
        f"moves `not` inside `{inner['op']} {path}`",
    )
    yield site.edit(
        "respell-quantifier",
        {**inner, "op": _OTHER[inner["op"]], "where": negation(where)},
        "moves `not` inside and turns the quantifier round",
    )
    if where["op"] == "and":
        for index, clause in enumerate(where["clauses"]):
            part = [*where["clauses"]]
            part[index] = negation(clause)
            yield site.edit(
                "move-not",
                {**inner, "where": {**where, "clauses": part}},
                f"moves `not` onto `{spell(clause)}` alone",
            )


def _pulled_out(site: Site, node: Node) -> Iterator[Edit]:
    """Yields a quantifier over a negated condition with the negation outside of it."""
    where, path = node["where"], node["path"]
    parts = where["clauses"] if where["op"] == "and" else [where]
    for part in parts:
        if part["op"] not in ("not", "ne"):
            continue
        positive = negation(part)
        rest = [other for other in parts if other is not part]
        whole = {**node, "where": both(*rest, positive)}
        yield site.edit(
            "move-not",
            {"op": "not", "clause": whole},
            f"moves the `not` of `{spell(part)}` outside `{node['op']} {path}`",
        )
        if rest and node["op"] == "exists":
            yield site.edit(
                "move-not",
                both(
                    some(path, both(*rest)),
                    {"op": "not", "clause": some(path, positive)},
                ),
                f"excludes `{spell(positive)}` from every {path}, not from the one asked for",
            )
