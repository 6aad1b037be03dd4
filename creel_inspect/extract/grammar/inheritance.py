"""Whether a grammar's types inherit sensibly: no circles, no widening, nothing left open."""

from collections.abc import Iterator, Mapping

from creel_inspect.extract.files.documents import Fault, Place
from creel_inspect.extract.grammar.model import NUMBERS, Attribute, Grammar, NodeType
from creel_inspect.verify.graph.resolution import Side
from creel_inspect.verify.plain import shown
from creel_inspect.verify.schema.graph_rules import few
from creel_inspect.verify.schema.patterns import pattern

MOST_LEVELS = 50
# Who follows each way upwards, as creel does, takes a step for each: thirty diamonds on top of
# one another are a thousand million.
MOST_WAYS = 100

_SIDES: tuple[tuple[Side, str], ...] = (("node", "nodes"), ("edge", "edges"))

# What an attribute may be in a subtype: each value it then has, the type above permits as well.
_NARROWER: Mapping[str, frozenset[str]] = {
    "string": frozenset({"string", "enum", "date", "datetime"}),
    "decimal": NUMBERS,
    "float": NUMBERS,
}


def inheritance_faults(grammar: Grammar) -> Iterator[Fault]:
    """Whether the types above are there, and finitely many: without that, nothing is inherited."""
    for side, family in _SIDES:
        types = grammar.types(side)
        found = list(_parent_faults(family, side, types))
        yield from found
        if not found:
            yield from _shape_faults(family, types)


def _parent_faults(family: str, side: Side, types: Mapping[str, NodeType]) -> Iterator[Fault]:
    for type_id, one in types.items():
        named = ((("is_a",), one.parents[: one.is_a is not None]), (("mixins",), one.mixins))
        for key, parents in named:
            for parent in parents:
                if parent not in types:
                    yield Fault(
                        (family, type_id, *key),
                        f"no {side} type is called {shown(parent, 60)}; expected one of "
                        f"{few(types)}",
                    )
        if len(set(one.parents)) < len(one.parents):
            yield Fault((family, type_id), "it inherits from the same type twice: say it once")


def _shape_faults(family: str, types: Mapping[str, NodeType]) -> Iterator[Fault]:
    levels: dict[str, int] = {}
    ways: dict[str, int] = {}
    for start in types:
        line = [start]  # from a type to those above it, as far as they are still to be measured
        while line:
            one = line[-1]
            parents = types[one].parents
            above = next((parent for parent in parents if parent not in levels), None)
            if above is None:
                line.pop()
                levels[one] = 1 + max((levels[parent] for parent in parents), default=0)
                ways[one] = 1 + sum(ways[parent] for parent in parents)
            elif above in line:
                circle = " → ".join((*line[line.index(above) :], above))
                yield Fault((family, above), f"it inherits from itself: {shown(circle, 200)[1:-1]}")
                return
            else:
                line.append(above)
            if len(line) > MOST_LEVELS or levels.get(one, 0) > MOST_LEVELS:
                yield Fault((family, start), f"it inherits over more than {MOST_LEVELS} levels")
                return
            if ways.get(one, 0) > MOST_WAYS:
                yield Fault(
                    (family, one), f"it inherits in more than {MOST_WAYS} ways: use fewer mixins"
                )
                return


def taken_on_faults(grammar: Grammar) -> Iterator[Fault]:
    """Whether each type only narrows what it inherits, and inherits one thing by one name."""
    for side, family in _SIDES:
        for type_id, one in grammar.types(side).items():
            for name, attribute in one.attributes.items():
                for parent in one.parents:
                    above = grammar.attribute(side, parent, name)
                    if above is not None:
                        place = (family, type_id, "attributes", name)
                        yield from _widened(grammar, place, attribute, above, parent)
        yield from _left_open(grammar, side, family)
    yield from _end_faults(grammar)


def _widened(
    grammar: Grammar, place: Place, own: Attribute, above: Attribute, parent: str
) -> Iterator[Fault]:
    """What a subtype's attribute permits that the inherited one does not."""

    def fault(key: str, said: str) -> Fault:
        return Fault(
            (*place, key), f"{said} in {parent}, and a subtype may only narrow what it inherits"
        )

    nature, wanted = grammar.nature(own), grammar.nature(above)
    if nature not in _NARROWER.get(wanted, ()) and nature != wanted:
        yield fault("range", f"this is {nature}, and {wanted}")
        return
    if own.multivalued != above.multivalued:
        yield fault(
            "multivalued",
            f"this is {'one value' if above.multivalued else 'a list'}, "
            f"and {'a list' if above.multivalued else 'one value'}",
        )
    if above.required and not own.required:
        yield fault("required", "it is required")
    if above.unit is not None and own.unit != above.unit:
        yield fault("unit", f"the unit is {shown(above.unit, 40)}")
    if above.minimum is not None and (own.minimum is None or own.minimum < above.minimum):
        yield fault("minimum", f"the minimum is {above.minimum}")
    if above.maximum is not None and (own.maximum is None or own.maximum > above.maximum):
        yield fault("maximum", f"the maximum is {above.maximum}")
    values, permitted = grammar.values_of(own), grammar.values_of(above)
    if values is not None and permitted is not None:
        extra = [one for one in values if one not in set(permitted)]
        if extra:
            yield fault("enum", f"{few(extra)} {'is' if len(extra) == 1 else 'are'} not permitted")
    if above.pattern is not None and own.pattern != above.pattern:
        if values is None:
            yield fault("pattern", f"the pattern is {shown(above.pattern, 40)}")
        elif extra := [one for one in values if not pattern(above.pattern).found_in(one)]:
            yield fault("enum", f"{few(extra)} would not match the pattern")


def _left_open(grammar: Grammar, side: Side, family: str) -> Iterator[Fault]:
    """Attributes that come from two types, neither below the other, which differ about them."""
    types = grammar.types(side)
    lines = {one: frozenset(grammar.lineage(side, one)) for one in types}
    bits = {one: 1 << number for number, one in enumerate(types)}
    above = {one: sum(bits[up] for up in lines[one] if up != one) for one in types}
    said: dict[str, int] = {}
    # Equal declarations get one number, since they are compared once for each type below.
    alike = {
        (one, name): said.setdefault(attribute.model_dump_json(), len(said))
        for one in types
        for name, attribute in types[one].attributes.items()
    }
    for type_id, own in types.items():
        if len(own.parents) < 2:
            continue
        nearest: dict[str, tuple[str, int]] = {}
        for one in grammar.lineage(side, type_id):
            for name in types[one].attributes:
                first, hidden = nearest.get(name, (one, 0))
                nearest[name] = (first, hidden | above[one])
                if hidden & bits[one] or alike[one, name] == alike[first, name]:
                    continue
                if any({first, one} <= lines[parent] for parent in own.parents):
                    continue  # said of the type above
                yield Fault(
                    (family, type_id),
                    f"its attribute {shown(name, 60)} comes from {first} and from {one}, "
                    "which differ: declare it here too, or rename one of the two",
                )


def _end_faults(grammar: Grammar) -> Iterator[Fault]:
    for type_id, edge in grammar.edges.items():
        for parent in edge.parents:
            for key, own, above in zip(
                ("from", "to"), (edge.from_, edge.to), grammar.ends(parent), strict=True
            ):
                for one in own:
                    if above and not set(grammar.lineage("node", one)) & set(above):
                        yield Fault(
                            ("edges", type_id, key),
                            f"{one} is not among {few(above)} or their subtypes, as {parent}, "
                            "which it inherits from, demands",
                        )
