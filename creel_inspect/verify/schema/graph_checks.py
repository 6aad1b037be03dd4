"""Which elements of a graph break the rules of ``graph_rules``."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from creel_inspect.verify.graph.model import Edge, Graph, Node
from creel_inspect.verify.plain import shown
from creel_inspect.verify.schema.budget import Budget
from creel_inspect.verify.schema.graph_rules import GraphRules, Link, Types, few
from creel_inspect.verify.schema.json_schema import Violation
from creel_inspect.verify.schema.json_values import not_finite


@dataclass(frozen=True)
class _Plan:
    """What is asked of the elements that have the same types."""

    label: str
    known: tuple[str, ...]
    """Their types and all that these inherit from, nearest first."""
    declared: frozenset[str]
    closed: bool
    faults: tuple[tuple[str, str], ...]
    """What is wrong with the types themselves: rule and message."""


def broken_rules(
    rules: GraphRules, graph: Graph, budget: Budget
) -> Iterator[tuple[str, Violation | None]]:
    """Each element that is checked, by its path, with each of its violations, or None if it has
    none. Nodes first, then edges, then the numbers of nodes by type."""
    checks = _Checks(rules, graph, budget)
    yield from checks.nodes()
    yield from checks.edges()
    yield from checks.numbers()


class _Checks:
    def __init__(self, rules: GraphRules, graph: Graph, budget: Budget) -> None:
        self.rules, self.graph, self.budget = rules, graph, budget
        self.node_types = rules.node_types
        self.edge_types = rules.edge_types
        self.plans: dict[tuple[str, tuple[str, ...]], _Plan] = {}
        self.ends: dict[str, list[tuple[Edge, str, str]]] = defaultdict(list)
        """By node: its edges, which way they go, and the node at the other end."""
        for edge in graph.edges:
            self.ends[edge.source].append((edge, "out", edge.target))
            if edge.source == edge.target:
                self.ends[edge.source][-1] = (edge, "loop", edge.target)
            else:
                self.ends[edge.target].append((edge, "in", edge.source))

    def nodes(self) -> Iterator[tuple[str, Violation | None]]:
        for name, node in self.graph.nodes.items():
            plan = self.plan(self.node_types, node.types)
            path = f"node{plan.label}[{_id(name)}]"
            found = self.element(self.node_types, plan, path, node.attributes, {})
            yield from _each(path, [*found, *self.links(plan, path, name)])

    def edges(self) -> Iterator[tuple[str, Violation | None]]:
        for edge in self.graph.edges:
            plan = self.plan(self.edge_types, (edge.type,))
            path = f"edge{plan.label}[{_id(edge.id)}]"
            ends = {
                "source": self.graph.nodes[edge.source].attributes,
                "target": self.graph.nodes[edge.target].attributes,
            }
            found = self.element(self.edge_types, plan, path, edge.attributes, ends)
            yield from _each(path, [*found, *self.endpoints(plan, path, edge)])

    def numbers(self) -> Iterator[tuple[str, Violation | None]]:
        """How many nodes there are of each type that has a minimum or maximum."""
        for name, rules in self.rules.nodes.items():
            if rules.min is None and rules.max is None:
                continue
            count = sum(self.is_one(node, (name,)) for node in self.graph.nodes.values())
            fault = _outside(count, rules.min, rules.max)
            path = f"node.{name}"
            message = f"the graph holds {count:,} of these nodes; {fault} expected"
            yield from _each(path, [Violation(path, "cardinality", message)] if fault else [])

    def plan(self, types: Types, names: tuple[str, ...]) -> _Plan:
        self.budget.spend(20 + len(names))
        found = self.plans.get((types.family, names))
        if found is None:
            found = self.plans[types.family, names] = self.made_plan(types, names)
        return found

    def made_plan(self, types: Types, names: tuple[str, ...]) -> _Plan:
        self.budget.spend(20 + sum(10 + len(types.lines.get(name, ())) for name in names))
        unknown = [name for name in names if name not in types.rules]
        known = dict.fromkeys(one for name in names for one in types.lines.get(name, ()))
        faults = []
        if not names:
            faults.append(("type", "it has no type"))
        if unknown and self.rules.closed:
            what = f"no {types.family} type is called {few(unknown)}"
            faults.append(("type", f"{what}; expected one of {few(types.rules)}"))
        mine = [name for name in names if name in types.rules]
        if mine and not unknown and all(types.rules[name].abstract for name in mine):
            usable = [
                name
                for name, rules in types.rules.items()
                if not rules.abstract and types.fits(name, mine)
            ]
            what = f"{few(mine)} is abstract"
            faults.append(("abstract", f"{what}; expected one of its subtypes: {few(usable)}"))
        # The most specific type names the element: one that no other of its types inherits from.
        tops = {one for name in mine for one in types.lines[name][1:]}
        label = next((name for name in mine if name not in tops), names[0] if names else "")
        return _Plan(
            label=f".{_id(label)}" if label else "",
            known=tuple(known),
            declared=frozenset(key for name in mine for key in types.declared[name]),
            closed=bool(mine) and not unknown and any(types.closed[name] for name in mine),
            faults=tuple(faults),
        )

    def element(
        self,
        types: Types,
        plan: _Plan,
        path: str,
        attributes: Mapping[str, Any],
        ends: Mapping[str, Any],
    ) -> Iterator[Violation]:
        for rule, message in plan.faults:
            yield Violation(path, rule, message)
        self.budget.spend(2 * len(plan.known))
        needed = dict.fromkeys(key for name in plan.known for key in types.rules[name].required)
        self.budget.spend(10 + len(needed) + 5 * len(attributes))
        for key in needed:
            if attributes.get(key) is None:
                what = "is null" if key in attributes else "is missing"
                yield Violation(f"{path}.{_id(key)}", "required", f"{what}, and is required")
        for key, value in attributes.items():
            if next(not_finite(value), None) is not None:
                message = "NaN and infinity are no JSON numbers"
                yield Violation(f"{path}.{_id(key)}", "number", message)
                continue
            if key not in plan.declared:
                if plan.closed:
                    message = f"is not declared; declared are {few(sorted(plan.declared))}"
                    yield Violation(f"{path}.{_id(key)}", "undeclared", message)
                continue
            if value is None and key in needed:
                continue  # said already
            self.budget.spend(len(plan.known))
            for name in plan.known:
                schema = types.schemas.get((name, key))
                if schema is not None:
                    root = f"{path}.{_id(key)}"
                    yield from schema.violations(value, budget=self.budget, root=root)
        for name in plan.known:
            where = types.wheres.get(name)
            fault = where and where.fault(attributes, budget=self.budget, reserved=ends)
            if fault:
                yield Violation(path, "where", fault)

    def is_one(self, node: Node, wanted: Sequence[str]) -> bool:
        self.budget.spend(1 + len(node.types))
        return not wanted or any(self.node_types.fits(name, wanted) for name in node.types)

    def links(self, plan: _Plan, path: str, name: str) -> Iterator[Violation]:
        for one in plan.known:
            for link in self.rules.nodes[one].links:
                count = self.count(link, name)
                fault = _outside(count, link.min, link.max)
                if fault:
                    way = {"out": "to", "in": "from", "any": "with"}[link.direction]
                    other = f" {way} {' or '.join(link.to)}" if link.to else ""
                    edges = "no edge" if not count else f"{count:,} edge{'s' * (count > 1)}"
                    message = f"{edges} {link.edge}{other}; {fault} expected"
                    yield Violation(path, "cardinality", message)

    def count(self, link: Link, name: str) -> int:
        ends = self.ends.get(name, ())
        self.budget.spend(1 + len(ends))
        ways = {"out": ("out", "loop"), "in": ("in", "loop")}.get(link.direction)
        return sum(
            self.edge_types.fits(edge.type, (link.edge,))
            and (ways is None or not self.graph.directed or way in ways)
            and self.is_one(self.graph.nodes[other], link.to)
            for edge, way, other in ends
        )

    def endpoints(self, plan: _Plan, path: str, edge: Edge) -> Iterator[Violation]:
        source, target = self.graph.nodes[edge.source], self.graph.nodes[edge.target]
        for name in plan.known:
            rules = self.rules.edges[name]
            wrong = [
                f"its {end} {shown(one, 40)} is {few(node.types)}; expected {' or '.join(wanted)}"
                for end, one, node, wanted in (
                    ("source", edge.source, source, rules.from_),
                    ("target", edge.target, target, rules.to),
                )
                if not self.is_one(node, wanted)
            ]
            turned = self.is_one(target, rules.from_) and self.is_one(source, rules.to)
            if wrong and turned and not self.graph.directed:
                continue
            for message in wrong:
                also = " (the other way round it would fit)" if turned else ""
                yield Violation(path, "endpoint", message + also)


def _each(path: str, found: Sequence[Violation]) -> Iterator[tuple[str, Violation | None]]:
    if not found:
        yield path, None
    for one in found:
        yield path, one


def _outside(count: int, least: int | None, most: int | None) -> str | None:
    if least is not None and count < least:
        return f"at least {least:,}"
    return f"at most {most:,}" if most is not None and count > most else None


def _id(text: str) -> str:
    return text if len(text) <= 60 and text.isprintable() else shown(text, 60)
