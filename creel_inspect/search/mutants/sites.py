"""The places in a query where a mistake can be made, and how a changed query is put together.

A site is one predicate of the query's ``where``, of an aggregate's element filter or of a
reduction's. Queries are plain JSON and are never changed in place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from creel_inspect.search.mutants.columns import column, join

Node = dict[str, Any]
Pointer = tuple[str | int, ...]


class Edit(NamedTuple):
    """One wrong query: the operator that made it, the query, and a line saying what changed."""

    operator: str
    query: Node
    note: str


@dataclass(frozen=True)
class Site:
    """A predicate within a query.

    Attributes:
        query: the whole query.
        pointer: keys and indices that lead to the predicate.
        prefix: absolute path of the element its paths are relative to; empty at the row.
    """

    query: Node
    pointer: Pointer
    prefix: str

    @property
    def node(self) -> Node:
        """The predicate itself."""
        found: Any = self.query
        for key in self.pointer:
            found = found[key]
        return dict(found)

    @property
    def negated(self) -> bool:
        """Whether the predicate is the clause of a ``not``."""
        return self.pointer[-1] == "clause"

    def edit(self, operator: str, node: Node, note: str) -> Edit:
        """Returns the edit that puts another predicate in this one's place."""
        return Edit(operator, replaced(self.query, self.pointer, node), note)

    def dropped(self, operator: str, note: str) -> Edit:
        """Returns the edit that leaves this predicate out, and what is empty without it."""
        return Edit(operator, without(self.query, self.pointer), note)


def sites(query: Node) -> Iterator[Site]:
    """Yields every predicate of a query, outer before inner, in the order it is written."""
    if query.get("where") is not None:
        yield from _within(query, ("where",), query["where"], "")
    aggregate = query.get("aggregate") or {}
    if aggregate.get("where") is not None:
        over = aggregate.get("over") or ""
        yield from _within(query, ("aggregate", "where"), aggregate["where"], over)
    for pointer, reduction in reductions(query):
        if reduction.get("where") is not None:
            at = column(reduction["path"])
            level = at.level if at else ""
            yield from _within(query, (*pointer, "where"), reduction["where"], level)


def reductions(query: Node) -> Iterator[tuple[Pointer, Node]]:
    """Yields every reduction of a query with the way to it."""
    for index, measure in enumerate((query.get("aggregate") or {}).get("measures") or ()):
        if isinstance(measure.get("path"), dict):
            yield ("aggregate", "measures", index, "path"), measure["path"]
    for index, order in enumerate(query.get("order_by") or ()):
        if isinstance(order.get("key"), dict):
            yield ("order_by", index, "key"), order["key"]


def _within(query: Node, pointer: Pointer, node: Node, prefix: str) -> Iterator[Site]:
    yield Site(query, pointer, prefix)
    for index, clause in enumerate(node.get("clauses") or ()):
        yield from _within(query, (*pointer, "clauses", index), clause, prefix)
    if "clause" in node:
        yield from _within(query, (*pointer, "clause"), node["clause"], prefix)
    if "where" in node:
        yield from _within(query, (*pointer, "where"), node["where"], join(prefix, node["path"]))


def replaced(tree: Any, pointer: Pointer, value: Any) -> Any:
    """Returns a copy of a JSON value with another value where the pointer leads."""
    if not pointer:
        return value
    key, rest = pointer[0], pointer[1:]
    if isinstance(tree, list):
        return [
            replaced(item, rest, value) if index == key else item for index, item in enumerate(tree)
        ]
    return {**tree, key: replaced(tree.get(key), rest, value)}


def without(query: Node, pointer: Pointer) -> Node:
    """Returns a query without one predicate.

    A connective left with one clause becomes that clause; a ``not`` or a quantifier left
    with none goes too.
    """
    parent: Any = query
    for key in pointer[:-1]:
        parent = parent[key]
    if isinstance(parent, list):
        rest = [clause for index, clause in enumerate(parent) if index != pointer[-1]]
        if not rest:
            return without(query, pointer[:-2])
        if len(rest) == 1:
            return dict(replaced(query, pointer[:-2], rest[0]))
        return dict(replaced(query, pointer[:-1], rest))
    if "op" in parent:
        return without(query, pointer[:-1])
    kept = {key: value for key, value in parent.items() if key != pointer[-1]}
    return dict(replaced(query, pointer[:-1], kept))


_SIGNS = {"eq": "=", "ne": "≠", "lt": "<", "le": "≤", "gt": ">", "ge": "≥"}


def spell(node: Node, room: int = 70) -> str:
    """Returns a predicate in one line for a person, cut to ``room`` characters."""
    text = _spelled(node)
    return text if len(text) <= room else f"{text[: room - 1]}…"


def _spelled(node: Node) -> str:
    op = node["op"]
    if op in ("and", "or"):
        return "(" + f" {op} ".join(_spelled(clause) for clause in node["clauses"]) + ")"
    if op == "not":
        return f"not {_spelled(node['clause'])}"
    if op in ("exists", "forall"):
        return f"{op} {node['path']}: {_spelled(node['where'])}"
    if "value" in node:
        return f"{node['path']} {_SIGNS.get(op, op)} {literal(node['value']['literal'])}"
    drawn = node.get("smarts") or node.get("smiles") or node.get("compound")
    shown = " ".join(str(part) for part in (node.get("path"), op, drawn) if part)
    return re.sub(r"\s+", " ", shown)


def literal(value: Any) -> str:
    """Returns a literal as a person reads it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.10g}" if isinstance(value, float) else str(value)


# Short spellings of the grammar's nodes.


def both(*parts: Node) -> Node:
    """Returns the conjunction of predicates; nested ones are taken apart."""
    return _joined("and", parts)


def either(*parts: Node) -> Node:
    """Returns the disjunction of predicates; nested ones are taken apart."""
    return _joined("or", parts)


def _joined(op: str, parts: tuple[Node, ...]) -> Node:
    flat: list[Node] = []
    for part in parts:
        flat.extend(part["clauses"] if part["op"] == op else [part])
    return flat[0] if len(flat) == 1 else {"op": op, "clauses": flat}


def some(path: str, where: Node) -> Node:
    """Returns "some element of ``path`` satisfies ``where``"."""
    return {"op": "exists", "path": path, "where": where}


def compare(op: str, path: str, value: Any) -> Node:
    """Returns a comparison with a literal."""
    return {"op": op, "path": path, "value": {"literal": value}}


def negation(node: Node) -> Node:
    """Returns the plainest spelling of "not": an inner ``not`` or an equality is turned."""
    if node["op"] == "not":
        return dict(node["clause"])
    turned = {"eq": "ne", "ne": "eq", "is_null": "not_null", "not_null": "is_null"}
    if node["op"] in turned:
        return {**node, "op": turned[node["op"]]}
    return {"op": "not", "clause": node}
