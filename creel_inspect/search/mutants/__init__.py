"""The wrong queries a model plausibly writes instead of the right one.

`mutants` makes them from a reference by simple edits. A case whose corpus answers one of them
as it answers the reference cannot tell the two apart, unless no corpus could: `equivalence`
says when that is so, and by which rule.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from types import MappingProxyType
from typing import Any

from ord_schema.artifacts import pivot
from ord_schema.search import query as grammar
from rdkit import rdBase

from creel_inspect.search.mutants import chemistry, logic, shape, values
from creel_inspect.search.mutants.equivalence import RULES, equivalence, normal_form
from creel_inspect.search.mutants.sites import Edit, Site, sites

__all__ = ["MOST", "OPERATORS", "RULES", "Mutant", "equivalence", "mutants"]

MOST = 40
"""Most mutants of one query; a longer list is thinned operator by operator."""

OPERATORS: Mapping[str, str] = MappingProxyType(
    {
        "drop-condition": "leaves one condition of the question out",
        "add-condition": "adds a condition that nobody asked for",
        "swap-and-or": "joins conditions by the other word",
        "split-quantifier": "lets different elements satisfy what one must satisfy alone",
        "merge-quantifiers": "asks of one element what different elements may satisfy",
        "swap-quantifier": "reads `some` as `every` or `every` as `some`",
        "respell-quantifier": "says `every` as `not some … not`, rightly or wrongly",
        "wrong-level": "looks among products for inputs, among inputs for workups, and so on",
        "negate-condition": "asks for the opposite of a condition",
        "drop-not": "forgets a negation",
        "move-not": "moves a negation across a quantifier or onto one condition of several",
        "move-boundary": "includes a boundary that is excluded, or asks for it alone",
        "flip-direction": "asks for above instead of below",
        "invert-equality": "asks for every other value, or for the one excluded",
        "wrong-unit": "leaves a number in the question's unit",
        "shift-date": "misses the edge of a period by a day, a month or a year",
        "wrong-role": "takes a reactant for a reagent, a catalyst for a reactant, and so on",
        "sibling-value": "takes one member of an enumeration for another",
        "sibling-column": "reads a column with a like name or a like meaning",
        "text-match": "compares text by another operator, or in another case",
        "null-check": "takes `none` or zero for `not recorded`, or a condition for `recorded`",
        "count-absent": "counts what records nothing as satisfying a negative condition",
        "wrong-structure-predicate": "asks another kind of question about a structure",
        "move-threshold": "moves the threshold of a similarity",
        "chirality-flag": "ignores drawn stereo that counts, or demands it where it does not",
        "wrong-stereo": "draws the mirror image, or no stereo at all",
        "wrong-compound": "takes a salt for its base, or a compound for a near relative",
        "wrong-pattern": "draws a pattern too broad, too narrow or of another element",
        "wrong-template": "drops or exchanges templates, or asks for molecules only",
        "wrong-measure": "measures by another function, or counts other things",
        "wrong-reduction": "reduces each reaction's elements by another function",
        "wrong-group": "groups by another column, or not at all",
        "wrong-rows": "counts elements for reactions, or reactions for elements",
        "move-filter": "filters reactions where elements are meant, or the other way round",
        "wrong-order": "orders the other way, by something else, or not at all",
        "wrong-limit": "keeps one row more or fewer, or all of them",
    }
)

_AT_A_SITE: tuple[Callable[[Site], Iterator[Edit]], ...] = (
    logic.conditions,
    logic.quantifiers,
    logic.negations,
    values.boundaries,
    values.units,
    values.dates,
    values.enumerations,
    values.siblings,
    values.texts,
    logic.absences,
    chemistry.predicates,
    chemistry.stereo,
    chemistry.compounds,
    chemistry.patterns,
    chemistry.templates,
)
_OF_THE_WHOLE: tuple[Callable[[dict[str, Any]], Iterator[Edit]], ...] = (
    shape.measures,
    shape.reducers,
    shape.groups,
    shape.rows,
    shape.orders,
)


@dataclass(frozen=True)
class Mutant:
    """A wrong query.

    Attributes:
        operator: the kind of mistake, one of `OPERATORS`.
        query: the whole query, which compiles.
        note: one line for a person that says what is wrong with it.
        equivalent: names of the rules in `RULES`, joined by ``+``, by which it answers as the
            reference does on every corpus; None where no such proof is known.
    """

    operator: str
    query: dict[str, Any]
    note: str
    equivalent: str | None = None


def mutants(
    query: dict[str, Any], *, operators: Collection[str] | None = None, most: int = MOST
) -> list[Mutant]:
    """Returns the wrong queries that simple edits make of a right one.

    Each compiles, differs from the reference by more than spelling, and, unless it is marked
    equivalent, from every other one by more than the rules can prove away. The order is that
    of `OPERATORS` and depends on nothing but the arguments.

    Args:
        query: a reference, which must compile; it is not changed.
        operators: names of the operators to use; all of them by default.
        most: the most mutants to return. Of a longer list every operator keeps its first ones.

    Raises:
        ValueError: if an operator is unknown, or if the reference does not compile.
    """
    unknown = sorted(set(operators or ()) - set(OPERATORS))
    if unknown:
        raise ValueError(
            f"unknown operator {', '.join(map(repr, unknown))}; expected some of: "
            f"{', '.join(OPERATORS)}"
        )
    fault = _fault(query)
    if fault is not None:
        raise ValueError(f"the reference does not compile, so nothing is made of it: {fault}")
    wanted = OPERATORS if operators is None else operators
    found: dict[str, list[Mutant]] = {name: [] for name in OPERATORS if name in wanted}
    spelled = {_canonical(query)}
    right = normal_form(query)
    meanings = set()
    for edit in _edits(query):
        if edit.operator not in found:
            continue
        spelling = _canonical(edit.query)
        if spelling in spelled or _fault(edit.query) is not None:
            continue
        spelled.add(spelling)
        meaning = normal_form(edit.query)
        if meaning in meanings:
            continue
        rules = equivalence(query, edit.query) if meaning == right else None
        if rules == "":
            continue
        if meaning != right:
            meanings.add(meaning)
        found[edit.operator].append(Mutant(edit.operator, edit.query, edit.note, rules))
    return _thinned(found, most)


def _edits(query: dict[str, Any]) -> Iterator[Edit]:
    for site in sites(query):
        for make in _AT_A_SITE:
            yield from make(site)
    for shape_of in _OF_THE_WHOLE:
        yield from shape_of(query)


def _thinned(found: Mapping[str, list[Mutant]], most: int) -> list[Mutant]:
    """Returns at most so many mutants, the first of every operator before any second one."""
    rounds: Iterable[tuple[Mutant | None, ...]] = zip_longest(*found.values())
    ranked = [mutant for one in rounds for mutant in one if mutant is not None]
    kept = {id(mutant) for mutant in ranked[:most]}
    return [mutant for group in found.values() for mutant in group if id(mutant) in kept]


def _canonical(value: Any) -> str:
    """Returns a query's text with commutative parts sorted and numbers spelled alike."""
    return json.dumps(_sorted(value), sort_keys=True)


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: _sorted(part) for key, part in value.items() if part is not None}
        if "clauses" in kept:
            kept["clauses"] = sorted(kept["clauses"], key=json.dumps)
        return kept
    if isinstance(value, list):
        return [_sorted(part) for part in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**24:
        return int(value)
    return value


def _fault(query: dict[str, Any]) -> str | None:
    """Returns why a query is refused, or None if it compiles.

    Every level is offered as pivoted: what artifacts a corpus holds says nothing about a query.
    """
    with rdBase.BlockLogs(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            parsed = grammar.Query.model_validate(query)
            if parsed.where is None and parsed.aggregate is None and parsed.limit is None:
                return "it has no where, no aggregate and no limit, and so asks for everything"
            grammar.compile_query(
                parsed,
                pivot=lambda path: pivot.table_name(path) if path in pivot.LEVELS else None,
            )
        except ValueError as error:
            return str(error)
    return None
