"""Which queries answer alike on every corpus, and by which algebraic rule.

Both queries are rewritten to a normal form and compared. Equal forms prove equivalence, since
every rewriting is sound in the grammar's three-valued logic (`formula` says how absent values
are accounted for); different forms prove nothing, and such a pair is never called equivalent.
No answer is ever consulted: that two queries agree on the corpus at hand is no reason.

What a corpus is may be relied on where the engine enforces it: reaction ids are recorded and
unique, an enumeration holds its members' names and a boolean holds true or false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from creel_inspect.search.mutants.columns import column, join
from creel_inspect.search.mutants.formula import formula
from creel_inspect.search.mutants.simplify import (
    Formula,
    Rules,
    clauses,
    connect,
    exists,
    implies,
)

RULES: Mapping[str, str] = MappingProxyType(
    {
        "associativity": (
            "(A and B) and C is A and B and C, and so for `or`: a nested connective of the same "
            "kind holds, fails or is unknown exactly when the flat one does."
        ),
        "single-clause": "An `and` or an `or` of one clause compiles to that clause in brackets.",
        "idempotence": "A and A is A, and A or A is A, whichever of three values A takes.",
        "double-negation": "NOT NOT A is A: NOT leaves unknown unknown and swaps the others.",
        "de-morgan": (
            "not (A and B) is not A or not B, and dually: min and max over "
            "false < unknown < true are exchanged by NOT, so it holds with absent values too."
        ),
        "negated-comparison": (
            "not (x < v) is x >= v, not (x = v) is x <> v, not is_null is not_null: the columns "
            "are totally ordered, and where x is absent both sides of a comparison are unknown. "
            "It does not make `not contains` or a negated quantifier anything else."
        ),
        "quantifier-duality": (
            "forall(p, A) is not exists(p, not A): `forall` compiles to 'no element makes A "
            "false', `exists` to 'some element makes A true', and both fold an absent level to "
            "no elements, so neither is ever unknown. An element where A is unknown counts as "
            "no counterexample on either side."
        ),
        "exists-over-or": (
            "exists(p, A or B) is exists(p, A) or exists(p, B): `A or B` is true of an element "
            "exactly where A is or B is. By duality a forall of an `and` splits likewise; "
            "an exists of an `and` does not."
        ),
        "nested-exists": (
            "exists(p, exists(q, A)) is exists(p.q, A): the list at p.q is the concatenation of "
            "the lists at q over the elements of p, absent lists counting as empty."
        ),
        "implied-clause": (
            "Where A can be true only if B is, A and B selects what A selects and A or B what B "
            "selects. Read off bounds on one column, text that contains other text, a value "
            "beside not_null, thresholds of one similarity, and quantifiers over such bodies. It "
            "is used on what is known true, after negations have been moved inwards, so that "
            "`x > 5 and x recorded` collapses in a selection and not inside a `not`."
        ),
        "excluded-alternative": (
            "A and (B or C) is A and B where A and C are never true together: two values or "
            "ranges of one column without a common member, or a comparison beside is_null."
        ),
        "discrete-boundary": (
            "On whole numbers and on days, which timestamps are compared as, x > v is "
            "x >= v + 1 and x < v is x <= v - 1. Never on a floating-point column."
        ),
        "unstorable-boundary": (
            "Percentages and quantities are 32-bit numbers, whatever unit they were recorded in, "
            "and are compared with a fractional literal in 64 bits. Where no 32-bit number "
            "equals the literal, as none equals 195.15, x > v is x >= v and x < v is x <= v."
        ),
        "closed-vocabulary": (
            "A boolean column holds true or false and an enumeration one of its members, or "
            "else NULL, which no comparison selects; unspecified is stored as NULL. A condition "
            "on it is therefore the set of members it accepts: x = true is x <> false."
        ),
        "chirality-without-stereo": (
            "`chirality` says whether drawn stereo must match; a pattern that draws none "
            "matches the same structures either way."
        ),
        "same-molecule": (
            "same_compound and same_parent compare a hash of the drawn molecule and similarity "
            "compares its fingerprint, so two drawings with one hash, or of one molecule, ask "
            "the same."
        ),
        "reaction-smarts-expands": (
            "A reaction SMARTS with at most one template on each side is defined as one exists "
            "per template: reactants among components of role REACTANT, agents among "
            "components of another recorded role, products among products."
        ),
        "one-row": (
            "An aggregate without group_by returns one row, which no order and no limit of one "
            "or more changes."
        ),
        "count-of-recorded": (
            "Counting a column that is never absent counts rows: reaction_id, or a reduction "
            "by `count`, which is 0 where there is nothing to count."
        ),
        "unique-reactions": (
            "Where the rows are reactions, count_distinct of reaction_id counts rows: the engine "
            "refuses a corpus that states a reaction twice. Not over a level, whose rows are "
            "elements."
        ),
        "aggregates-skip-absent": (
            "Every measure but a bare count leaves out absent arguments. A condition that every "
            "row with any measured argument satisfies therefore changes nothing, as long as "
            "there is no group_by, whose groups it might empty. Inside a reduction the same "
            "holds of its own `where`."
        ),
        "absent-groups": (
            "A group whose every measure is absent states nothing and belongs to no answer. With "
            "a group_by, measures by sum, avg, min or max and no limit to count rows, a condition "
            "that every row with any measured argument satisfies therefore removes nothing but "
            "such groups."
        ),
        "filter-implies-exists": (
            "The rows of an aggregate over a level are elements that satisfy its `where`, so "
            "their reactions have such an element, and asking the reactions for one changes "
            "nothing."
        ),
        "extremes-regroup": (
            "The maximum over reactions of each reaction's maximum is the maximum over the "
            "elements, absent values left out of both, and so for minima. Without a group_by."
        ),
    }
)

_ALL: Rules = frozenset(RULES)


def equivalence(one: dict[str, Any], other: dict[str, Any]) -> str | None:
    """Returns the rules under which two queries answer the same on every corpus.

    Args:
        one, other: whole queries, each of which compiles.

    Returns:
        The names of the rules joined by ``+``, in the order of `RULES` and none of them
        superfluous; the empty string where the two differ in spelling alone (the order of
        commutative parts, 50 for 50.0); None where no equivalence is proved.
    """
    if normal_form(one) != normal_form(other):
        return None
    used = list(RULES)
    for rule in reversed(list(RULES)):
        fewer = frozenset(used) - {rule}
        if normal_form(one, fewer) == normal_form(other, fewer):
            used.remove(rule)
    return "+".join(used)


def normal_form(query: dict[str, Any], rules: Rules = _ALL) -> Formula:
    """Returns a query rewritten under ``rules``: equal forms, equal answers.

    The rewritings of an aggregate are applied one after another, each to the query that the
    one before it left: two of them at once could each rely on the clause the other removes.
    """
    where = query.get("where")
    selected = None if where is None else formula(where, "", rules)
    order = tuple(
        (_argument(key["key"], rules), bool(key.get("descending", False)))
        for key in query.get("order_by") or ()
    )
    limit = query.get("limit")
    if query.get("aggregate") is None:
        return ("reactions", selected, order, limit)
    aggregate = query["aggregate"]
    over, inner = aggregate.get("over") or "", aggregate.get("where")
    element = None if inner is None else formula(inner, over, rules)
    groups = tuple(sorted(aggregate.get("group_by") or ()))
    if over and element is not None and "filter-implies-exists" in rules:
        row = exists(over, element, rules)
        selected = _without(selected, rules, lambda clause: implies(row, clause))
    if _skips_absent(aggregate, groups, limit, rules):
        known = [_recorded(measure, over, rules) for measure in aggregate["measures"]]
        if over:
            rows = [_row(over, element, one, rules) for one in known]
            selected = _without(selected, rules, lambda clause: _all_imply(rows, clause))
            element = _without(element, rules, lambda clause: _all_imply(known, clause))
        else:
            selected = _without(selected, rules, lambda clause: _all_imply(known, clause))
    if not groups and "one-row" in rules:
        order, limit = (), None
    extremes = None if groups else _extremes(aggregate["measures"], over, element, rules)
    if extremes is not None:
        return ("extremes", selected, extremes, order, limit)
    context = clauses(element if over else selected)
    measures = [_measure(one, over, context, rules) for one in aggregate["measures"]]
    return ("aggregate", selected, over, element, groups, _sorted(measures), order, limit)


def _skips_absent(
    aggregate: dict[str, Any], groups: tuple[str, ...], limit: int | None, rules: Rules
) -> bool:
    """Whether rows without any argument of any measure may be left out or in."""
    if not groups:
        return "aggregates-skip-absent" in rules
    # A count of nothing is 0, which is a statement, and a limit counts groups that state nothing.
    stated = {measure["fn"] for measure in aggregate["measures"]} <= {"sum", "avg", "min", "max"}
    return "absent-groups" in rules and stated and limit is None


def _sorted(parts: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(sorted(parts, key=repr))


def _all_imply(known: Iterable[Formula | None], clause: Formula) -> bool:
    return all(one is not None and implies(one, clause) for one in known)


def _without(
    whole: Formula | None, rules: Rules, superfluous: Callable[[Formula], bool]
) -> Formula | None:
    """Returns a formula less those of its clauses that are superfluous."""
    kept = [clause for clause in clauses(whole) if not superfluous(clause)]
    if len(kept) == len(clauses(whole)):
        return whole
    return connect("and", kept, rules | {"single-clause"}) if kept else None


def _argument(path: Any, rules: Rules) -> Any:
    """Returns what a measure or an ordering reads: a path, or a reduction of one."""
    if not isinstance(path, dict):
        return path
    level, where = _level(path["path"]), path.get("where")
    element = None if where is None else formula(where, level, rules)
    known = _not_null(path["path"], level, rules)
    if known is not None and "aggregates-skip-absent" in rules:
        element = _without(element, rules, lambda clause: implies(known, clause))
    return ("reduction", path["reduce"], path["path"], element)


def _measure(
    measure: dict[str, Any], over: str, context: Iterable[Formula], rules: Rules
) -> tuple[Any, ...]:
    """Returns a measure's name, function and argument, counts in their plainest form."""
    function, argument = measure["fn"], _argument(measure.get("path"), rules)
    if argument == "reaction_id":
        recorded = True
    elif isinstance(argument, tuple):
        recorded = argument[1] == "count"
    else:
        known = None if argument is None else _not_null(join(over, argument), over, rules)
        recorded = known is not None and any(implies(clause, known) for clause in context)
    if function == "count" and recorded and "count-of-recorded" in rules:
        argument = None
    distinct = function == "count_distinct" and argument == "reaction_id" and not over
    if distinct and "unique-reactions" in rules:
        function, argument = "count", None
    return (measure["name"], function, argument)


def _extremes(
    measures: Iterable[dict[str, Any]], over: str, element: Formula | None, rules: Rules
) -> tuple[Any, ...] | None:
    """Returns ungrouped measures as extremes over elements, or None where they are not so."""
    if "extremes-regroup" not in rules:
        return None
    found = []
    for measure in measures:
        function, path = measure["fn"], measure.get("path")
        if function not in ("min", "max") or path is None:
            return None
        if over:
            found.append((measure["name"], function, join(over, path), element))
            continue
        argument = _argument(path, rules)
        if not isinstance(argument, tuple) or argument[1] != function:
            return None
        found.append((measure["name"], function, *argument[2:]))
    return _sorted(found)


def _recorded(measure: dict[str, Any], over: str, rules: Rules) -> Formula | None:
    """Returns what every row that a measure takes in satisfies; None if it takes in all."""
    path = measure.get("path")
    if isinstance(path, str):
        return None if path == "reaction_id" else _not_null(join(over, path), over, rules)
    if path is None or path["reduce"] == "count":
        return None
    _, _, at, where = _argument(path, rules)
    return _row(_level(at), where, _not_null(at, _level(at), rules), rules)


def _row(
    level: str, element: Formula | None, known: Formula | None, rules: Rules
) -> Formula | None:
    """Returns "some element satisfies both", for a level that an aggregate reads."""
    if known is None or not level:
        return None
    flat = rules | {"single-clause", "associativity"}
    return exists(level, connect("and", [*clauses(element), known], flat), rules)


def _not_null(path: str, level: str, rules: Rules) -> Formula | None:
    """Returns "the column is recorded", for an absolute path at or below a level."""
    if path == level or column(path) is None:
        return None
    inner = path[len(level) + 1 :] if level else path
    return formula({"op": "not_null", "path": inner}, level, rules)


def _level(path: str) -> str:
    at = column(path)
    return at.level if at else ""
