"""Properties that need no gold value: a JSON Schema, an expression, and rules over a graph."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar

from pydantic.dataclasses import dataclass

from creel_inspect.verify.graph.model import Graph, InvalidGraph
from creel_inspect.verify.protocol import (
    Code,
    Context,
    Example,
    VerdictScore,
    Verifier,
    VerifierConfigError,
    VerifierError,
    failing,
    passing,
)
from creel_inspect.verify.registry import CONFIG, verifier
from creel_inspect.verify.schema.budget import Budget
from creel_inspect.verify.schema.expressions import Expression
from creel_inspect.verify.schema.graph_checks import broken_rules
from creel_inspect.verify.schema.graph_rules import GraphRules
from creel_inspect.verify.schema.json_schema import MOST_SHOWN, JsonSchema, Violation
from creel_inspect.verify.schema.json_values import json_copy, json_path, not_finite, weights_of

_LONGEST_REASON = 1_500
_MOST_COUNTED = 10_000


@verifier("schema_constraint")
@dataclass(frozen=True, kw_only=True, config=CONFIG)
class SchemaConstraint(Verifier):
    """Checks what must hold of any right answer; there is no expected value.

    At least one key is needed. All that are given must hold.

    Attributes:
        schema: A JSON Schema, draft 2020-12 unless ``$schema`` names 2019-09, 7, 6 or 4. Formats
            are checked (``date`` is a real day, YYYY-MM-DD). Numbers are compared as written, so
            19.99 is a multiple of 0.01. Keywords imply their type: ``required`` without ``type``
            is for objects only. Unknown keywords are refused. Nothing is
            fetched: ``$ref`` stays within the schema. Patterns are RE2's: no lookaround, no
            backreferences.
        where: A boolean expression in a subset of CEL (see ``expressions``). The fields of the
            value are names in it, and ``value`` is the value itself: ``start <= end``,
            ``size(value) > 0``, ``has(note) && note.matches(r"^N-\\d+$")``,
            ``sum(parts.map(p, p.amount)) == total``. Dates in ISO 8601 compare as dates, at
            one precision, and with nothing else; ``date(x)`` also asks for a day.
        graph: Rules over a graph-v1 graph (see ``graph_rules``): ``nodes`` and ``edges`` by type,
            and ``closed``. A candidate that is no graph fails.

    The score is 1 when nothing is violated. Otherwise it is 0; for a graph that breaks only its
    graph rules it is 1 - (elements that break a rule) / (elements checked), where elements are
    the nodes, the edges, and the node types that have a ``min`` or ``max``. Only a candidate
    without violations passes. NaN and infinities are no JSON numbers, and fail.

    ``details["violations"]`` holds the first 20, each with ``path``, ``rule`` and ``message``;
    ``violations_more`` how many more; ``by_rule`` their numbers. ``unfinished`` tells that there
    may be more: counting ends at 10,000, or when it costs too much. A candidate is not measured
    (``too_large``) only if it costs too much before anything is found.
    """

    needs_expected: ClassVar[bool] = False

    schema: Any = None
    where: str | None = None
    graph: GraphRules | None = None

    def __post_init__(self) -> None:
        if self.schema is None and self.where is None and self.graph is None:
            raise VerifierConfigError("schema_constraint needs `schema`, `where` or `graph`")
        self._checked, self._parsed  # noqa: B018 - built here, so that mistakes show now

    @cached_property
    def _checked(self) -> JsonSchema | None:
        return None if self.schema is None else JsonSchema(self.schema)

    @cached_property
    def _parsed(self) -> Expression | None:
        names = _closed_names(self.schema)
        return None if self.where is None else Expression(self.where, names=names)

    def compare(self, actual: Any, expected: Any, context: Context) -> VerdictScore:
        """The verdict on ``actual``; ``expected`` is not looked at."""
        plain, parts = weights_of(actual)
        budget = Budget(plain + parts, parts)
        budget.spend(1)  # before it is copied: what is too large costs no more than this
        value = json_copy(actual)
        found = _Found()
        try:
            if self.schema is not None or self.where is not None:
                found.add_all(  # the rules of a graph say at which element it is
                    Violation(json_path(place), "number", "NaN and infinity are no JSON numbers")
                    for place in not_finite(value)
                )
            if not found.total:
                self._check(value, budget, found)
        except VerifierError as error:
            # What is broken stays broken, however much more could have been found.
            if error.code != Code.TOO_LARGE or not found.total:
                raise
            found.unfinished = True
        return found.verdict()

    def _check(self, value: Any, budget: Budget, found: "_Found") -> None:
        if self._checked is not None:
            found.add_all(self._checked.violations(value, budget=budget))
        if self._parsed is not None:
            fault = self._parsed.fault(value, budget=budget)
            found.add_all([Violation("$", "where", fault)] if fault else [])
        if self.graph is not None:
            try:
                graph = Graph.from_json(value)
            except InvalidGraph as error:
                found.add_all([Violation("$", "graph", f"it is no graph: {error}")])
                return
            for path, violation in broken_rules(self.graph, graph, budget):
                found.add_element(path, violation)

    @classmethod
    def self_test(cls) -> Sequence[Example]:
        """Values and graphs that keep their rules, and that break them."""
        ages = {"schema": {"type": "object", "properties": {"age": {"type": "integer"}}}}
        span = {"where": "date(start) <= date(end)"}
        graph = {
            "graph": {
                "nodes": {
                    "thing": {"abstract": True, "attributes": {"title": {"type": "string"}}},
                    "project": {"is_a": "thing", "links": [{"edge": "pursues", "min": 1}]},
                    "objective": {"is_a": "thing"},
                },
                "edges": {"pursues": {"from": "project", "to": "objective"}},
            }
        }
        nodes = {
            "p": {"types": ["project"], "attributes": {"title": "Wells"}},
            "o": {"types": ["objective"], "attributes": {}},
        }
        edge = {"id": "e", "type": "pursues", "source": "p", "target": "o", "attributes": {}}
        return [
            Example(actual={"age": 3}, passes=True, config=ages),
            Example(actual={"age": True}, passes=False, config=ages),
            Example(actual={"age": "3"}, passes=False, config=ages),
            Example(actual={"age": float("nan")}, passes=False, config=ages),
            Example(actual="2024-02-29", passes=True, config={"schema": {"format": "date"}}),
            Example(actual="2023-02-29", passes=False, config={"schema": {"format": "date"}}),
            Example(actual={"start": "2024-01-01", "end": "2024-05-01"}, passes=True, config=span),
            Example(actual={"start": "2024-06-01", "end": "2024-05-01"}, passes=False, config=span),
            Example(actual={"start": "2024-06-01"}, passes=False, config=span),
            Example(actual=None, passes=False, config=span),
            Example(actual={"nodes": nodes, "edges": [edge]}, passes=True, config=graph),
            Example(actual={"nodes": nodes, "edges": []}, passes=False, config=graph),
            Example(actual={"nodes": nodes}, passes=False, config=graph),
            Example(
                actual=[0] * 3_000,
                passes=None,
                config={"where": "value.all(a, value.all(b, a == b))"},
                code=Code.TOO_LARGE,
            ),
        ]


class _Found:
    """The violations of one candidate: the first few kept, all counted."""

    def __init__(self) -> None:
        self.first: list[Violation] = []
        self.by_rule: Counter[str] = Counter()
        self.elements = self.broken = self.in_graph = 0
        self.unfinished = False
        self._last: str | None = None

    @property
    def total(self) -> int:
        return self.by_rule.total()

    def add_all(self, violations: Iterator[Violation] | list[Violation]) -> None:
        """Counts at most 10,000 of them."""
        for number, violation in enumerate(violations, 1):
            self._add(violation)
            if number == _MOST_COUNTED:
                self.unfinished = True
                return

    def add_element(self, path: str, violation: Violation | None) -> None:
        """Violations of one element come one after another."""
        if violation is None or path != self._last:
            self.elements += 1
            self.broken += violation is not None
        self._last = path
        if violation is not None:
            self.in_graph += 1
            self._add(violation)

    def _add(self, violation: Violation) -> None:
        self.by_rule[violation.rule] += 1
        if len(self.first) < MOST_SHOWN:
            self.first.append(violation)

    def verdict(self) -> VerdictScore:
        counts = {"elements": self.elements, "elements_broken": self.broken}
        counted = counts if self.elements else {}
        if not self.total:
            checked = f": {self.elements:,} elements checked" if self.elements else ""
            return passing(f"nothing is violated{checked}", violations=[], **counted)
        partly = self.in_graph == self.total and self.elements and not self.unfinished
        said, length = [], 0
        for one in self.first:
            if length > _LONGEST_REASON:
                break
            said.append(str(one))
            length += len(said[-1])
        more = self.total - len(said)
        tail = f"; and {'at least ' * self.unfinished}{more:,} more" if more else ""
        return failing(
            f"{self.total:,} violation{'s' * (self.total > 1)}: {'; '.join(said)}{tail}",
            score=1 - self.broken / self.elements if partly else 0.0,
            violations=[one.as_dict() for one in self.first],
            violations_more=self.total - len(self.first),
            by_rule=dict(self.by_rule),
            unfinished=self.unfinished,
            **counted,
        )


def _closed_names(schema: Any) -> list[str] | None:
    """The fields that a schema allows, where it plainly lists them all."""
    if not isinstance(schema, dict) or schema.get("additionalProperties") is not False:
        return None
    if "patternProperties" in schema or not isinstance(schema.get("properties"), dict):
        return None
    return list(schema["properties"])
