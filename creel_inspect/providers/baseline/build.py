"""From clauses and intent to one query of the ORD grammar."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from creel_inspect.providers.baseline.clauses import (
    MEASUREMENTS,
    OUTCOMES,
    PRODUCTS,
    Clause,
    Predicate,
)
from creel_inspect.providers.baseline.line import Intent
from creel_inspect.providers.baseline.scan import CannotAnswer
from creel_inspect.providers.baseline.schema import bind, column, conjunction, disjunction
from creel_inspect.providers.baseline.targets import Target


def _alone(clauses: list[Clause], index: int) -> bool:
    """Says whether a clause is a positive one that no "or" joins to a neighbour."""
    clause = clauses[index]
    followed = index + 1 < len(clauses) and clauses[index + 1].joiner == "or"
    return not clause.negated and clause.joiner == "and" and not followed


def _owner(clauses: list[Clause], index: int) -> Clause | None:
    """Returns the product a measurement is of, if the question says of which.

    That is the nearest one spoken of before it, or else the only one spoken of right after it:
    "a yield above 50% for the desired product", but not "a yield above 50% and a desired product".
    """
    if clauses[index].level != MEASUREMENTS or clauses[index].every or not _alone(clauses, index):
        return None
    products = [
        position
        for position, clause in enumerate(clauses)
        if clause.level == PRODUCTS and _alone(clauses, position)
    ]
    before = [position for position in products if position < index]
    if before:
        return clauses[before[-1]]
    after = [position for position in products if not clauses[position].linked]
    return clauses[after[0]] if len(products) == len(after) == 1 else None


def _nest_measurements(clauses: list[Clause]) -> list[Clause]:
    """Puts measurements on the one product the question speaks of, if it speaks of one."""
    kept: list[Clause] = []
    for index, clause in enumerate(clauses):
        product = _owner(clauses, index)
        if product is None:
            kept.append(clause)
            continue
        where = conjunction(clause.predicates)
        product.predicates.append({"op": "exists", "path": "measurements", "where": where})
    return kept


def _merge_outcomes(clauses: list[Clause]) -> list[Clause]:
    """Puts a conversion and a time of one sentence on one outcome."""
    outcomes = [c for c in clauses if c.level == OUTCOMES and not c.negated and c.joiner == "and"]
    if len(outcomes) < 2 or any(c.joiner == "or" for c in clauses):
        return clauses
    first = outcomes[0]
    for other in outcomes[1:]:
        first.predicates += other.predicates
    return [c for c in clauses if c is first or c not in outcomes]


def _predicate(clause: Clause) -> Predicate | None:
    if not clause.predicates:
        if clause.every or clause.negated:
            raise CannotAnswer("it negates or generalises something that is not understood")
        return None
    if clause.every and clause.level:
        inner = conjunction(clause.predicates)
        if clause.scope:
            outside: Predicate = {"op": "not", "clause": conjunction(clause.scope)}
            inner = disjunction([outside, inner])
        found: Predicate = {"op": "forall", "path": clause.level, "where": inner}
    elif clause.level:
        found = bind(clause.level, clause.predicates)
    else:
        found = conjunction(clause.predicates)
    return {"op": "not", "clause": found} if clause.negated else found


def _columns(predicates: list[Predicate]) -> set[str]:
    found: set[str] = set()
    for predicate in predicates:
        nested = predicate.get("clauses") or (
            [predicate["clause"]] if "clause" in predicate else []
        )
        found |= _columns(nested) if nested else {str(predicate.get("path", predicate["op"]))}
    return found


def _check_alternatives(clauses: list[Clause], either: bool) -> None:
    """Raises unless it is clear what each "or" joins.

    It is where the two sides are of one kind ("in DMF or with DMSO"), where nothing else is said,
    or where "either" marks the first.
    """
    if either or len(clauses) < 3 or all(clause.joiner == "or" for clause in clauses[1:]):
        return
    for left, right in pairwise(clauses):
        alike = left.level == right.level and (
            left.level != "" or _columns(left.predicates) == _columns(right.predicates)
        )
        if right.joiner == "or" and not alike:
            raise CannotAnswer('it is not clear which conditions its "or" joins')


def _where(clauses: list[Clause], either: bool) -> Predicate | None:
    clauses = _merge_outcomes(_nest_measurements(clauses))
    _check_alternatives(clauses, either)
    groups: list[list[Predicate]] = []
    for clause in clauses:
        predicate = _predicate(clause)
        if predicate is None:
            continue
        if clause.joiner == "or" and groups:
            groups[-1].append(predicate)
        else:
            groups.append([predicate])
    return conjunction([disjunction(group) for group in groups]) if groups else None


def _reduction(how: str, target: Target) -> dict[str, Any]:
    found: dict[str, Any] = {"reduce": "count" if target.counted else how, "path": target.path}
    if target.where:
        found["where"] = conjunction(target.where)
    return found


def _measure(fn: str, target: Target | None, over: str) -> dict[str, Any]:
    if target is None:
        if over:
            return {"fn": "count_distinct", "path": "reaction_id", "name": "reactions"}
        return {"fn": "count", "name": "reactions"}
    where = column(target.path)
    name = f"{fn}_{target.name}"
    if over:
        if where.level != over:
            raise CannotAnswer(
                f"a {target.name} belongs to the reaction, and the groups are of its parts"
            )
        return {"fn": fn, "path": where.leaf, "name": name}
    if not where.levels:
        return {"fn": fn, "path": target.path, "name": name}
    # One value per reaction first: its best yield, its own total, its own mean.
    how = {"min": "min", "max": "max", "sum": "sum"}.get(fn, "max" if target.percent else "avg")
    return {"fn": fn, "path": _reduction(how, target), "name": name}


def _aggregate(intent: Intent) -> dict[str, Any]:
    parts = [column(group.path) for group in intent.groups]
    levels = {part.level for part in parts if part.level}
    counted = next(
        (t for fn, t in intent.measures if t is not None and fn.startswith("count")), None
    )
    counts_elements = counted is not None and bool(column(counted.path).levels)
    if counts_elements and not intent.groups:
        assert counted is not None
        levels = {column(counted.path).level}
    elif counts_elements:
        raise CannotAnswer("the parts of a reaction cannot be counted within a group")
    if len(levels) > 1 or (levels and any(not part.level for part in parts)):
        raise CannotAnswer("its groups are of different levels, which one query cannot combine")
    over = next(iter(levels), "")
    where = [p for target in intent.groups for p in target.where]
    where += counted.where if counts_elements and counted is not None else []
    found: dict[str, Any] = {"over": over} if over else {}
    if over and where:
        found["where"] = conjunction(where)
    if parts:
        found["group_by"] = [part.leaf for part in parts]
    found["measures"] = [_measure(fn, target, over) for fn, target in intent.measures]
    names = [measure["name"] for measure in found["measures"]]
    if len(set(names)) < len(names):
        raise CannotAnswer("it asks for one measure twice")
    return found


def _order(intent: Intent, aggregate: dict[str, Any] | None) -> list[dict[str, Any]]:
    order = []
    for target, descending in intent.order:
        key: Any
        if aggregate is not None:
            names = [measure["name"] for measure in aggregate["measures"]]
            groups = aggregate.get("group_by", [])
            leaf = column(target.path).leaf if target is not None else None
            key = leaf if leaf in groups else names[0]
            if target is not None and leaf not in groups:
                named = [n for n in names if n.endswith(f"_{target.name}")]
                if not named:
                    raise CannotAnswer("a table can only be sorted by its own columns")
                key = named[0]
        elif target is None:
            raise CannotAnswer("it is not said what the reactions are to be sorted by")
        elif column(target.path).levels:
            key = _reduction("max" if descending else "min", target)
        else:
            key = target.path
        order.append({"key": key, **({"descending": True} if descending else {})})
    return order


def query(clauses: list[Clause], intent: Intent, *, either: bool) -> dict[str, Any]:
    """Returns the query for conditions and an intent; ``either`` says the question has that word.

    Raises:
        CannotAnswer: If they cannot be put into one query.
    """
    where = _where(clauses, either)
    if where is None and not intent.aggregated and not intent.order:
        raise CannotAnswer("nothing in the question was understood as a condition")
    found: dict[str, Any] = {"where": where} if where is not None else {}
    aggregate = _aggregate(intent) if intent.aggregated else None
    if aggregate is not None:
        found["aggregate"] = aggregate
    order = _order(intent, aggregate)
    if order:
        found["order_by"] = order
    if intent.limit is not None:
        found["limit"] = intent.limit
    return found
