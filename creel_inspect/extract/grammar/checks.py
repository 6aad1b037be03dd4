"""What is wrong with a grammar that has the right shape: each mistake, with its place."""

import math
from collections.abc import Iterator, Mapping, Sequence

from creel_inspect.extract.files.documents import MOST_DIGITS, Fault, Place
from creel_inspect.extract.grammar.inheritance import inheritance_faults, taken_on_faults
from creel_inspect.extract.grammar.model import NUMBERS, PRIMITIVES, Attribute, Grammar, NodeType
from creel_inspect.verify.graph.resolution import Side
from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import VerifierConfigError
from creel_inspect.verify.registry import build_verifier
from creel_inspect.verify.schema.graph_rules import MOST_TYPES, few
from creel_inspect.verify.schema.patterns import pattern

_MOST_ATTRIBUTES = 5_000
_MOST_EACH = 300
_LONGEST_ID = 200


def grammar_faults(grammar: Grammar) -> list[Fault]:
    """The mistakes, first those that would make later ones meaningless, and then only those."""
    steps = (_size_faults, _own_faults, inheritance_faults, taken_on_faults, _path_faults)
    for step in steps:
        if found := [fault for fault, _ in zip(step(grammar), range(20), strict=False)]:
            return found
    return []


def _size_faults(grammar: Grammar) -> Iterator[Fault]:
    count = len(grammar.nodes) + len(grammar.edges)
    if count > MOST_TYPES:
        yield Fault((), f"it has {count:,} types; expected at most {MOST_TYPES:,}")
    sides = (*grammar.nodes.values(), *grammar.edges.values())
    declared = sum(len(one.attributes) for one in sides)
    if declared > _MOST_ATTRIBUTES:
        yield Fault(
            (), f"it declares {declared:,} attributes; expected at most {_MOST_ATTRIBUTES:,}"
        )


def _own_faults(grammar: Grammar) -> Iterator[Fault]:
    yield from _id_faults(("id",), grammar.id)
    for name, enum in grammar.enums.items():
        place: Place = ("enums", name)
        yield from _id_faults(place, name)
        if name in PRIMITIVES:
            yield Fault(place, "this is a range of its own: call the enum something else")
        yield from _value_faults((*place, "values"), enum.values)
    families: tuple[tuple[str, Mapping[str, NodeType]], ...] = (
        ("nodes", grammar.nodes),
        ("edges", grammar.edges),
    )
    for family, types in families:
        for type_id, one in types.items():
            place = (family, type_id)
            yield from _id_faults(place, type_id)
            if type_id == "default":
                yield Fault(place, "`default` is no type in a policy: call it something else")
            for name, attribute in one.attributes.items():
                within = (*place, "attributes", name)
                yield from _id_faults(within, name)
                yield from _attribute_faults(grammar, within, attribute)
    for type_id, edge in grammar.edges.items():
        yield from _end_faults(grammar, ("edges", type_id, "from"), edge.from_)
        yield from _end_faults(grammar, ("edges", type_id, "to"), edge.to)


def _end_faults(grammar: Grammar, place: Place, ends: Sequence[str]) -> Iterator[Fault]:
    yield from _named_twice(place, ends)
    for one in ends:
        if one not in grammar.nodes:
            yield Fault(
                place,
                f"no node type is called {shown(one, 60)}; expected one of {few(grammar.nodes)}",
            )


def _id_faults(place: Place, text: str) -> Iterator[Fault]:
    """Whether an id can stand in a taxonomy path, between dots and before brackets."""
    if not text:
        problem = "an id is empty"
    elif len(text) > _LONGEST_ID:
        problem = f"an id has {len(text):,} characters; expected at most {_LONGEST_ID}"
    elif not text.isprintable():
        problem = f"the id {shown(text, 60)} holds a control character"
    elif set(text) & set("[]"):
        problem = f"the id {shown(text, 60)} holds a bracket, which paths need for element ids"
    elif text != text.strip() or not all(text.split(".")):
        problem = f"the id {shown(text, 60)} begins or ends in a space or dot, or has two dots"
    else:
        return
    yield Fault(place, problem)


def _value_faults(place: Place, values: Sequence[str]) -> Iterator[Fault]:
    if not values:
        yield Fault(place, "is empty; expected the permitted values")
    if "" in values:
        yield Fault(place, "one of the values is empty text: leave the attribute out instead")
    yield from _named_twice(place, values)


def _named_twice(place: Place, names: Sequence[str]) -> Iterator[Fault]:
    seen: set[str] = set()
    for one in names:
        if one in seen:
            yield Fault(place, f"{shown(one, 60)} is there twice")
            return
        seen.add(one)


def _attribute_faults(grammar: Grammar, place: Place, attribute: Attribute) -> Iterator[Fault]:
    said = attribute.range
    if said not in PRIMITIVES and said not in grammar.enums:
        known = [*PRIMITIVES, *grammar.enums]
        what = "is a node type: use an edge" if said in grammar.nodes else "is no range"
        yield Fault((*place, "range"), f"{shown(said, 60)} {what}; expected one of {few(known)}")
        return
    if attribute.enum is not None:
        yield from _value_faults((*place, "enum"), attribute.enum)
        if said != "string":
            yield Fault(
                (*place, "enum"), f"the range is {shown(said, 60)}: expected `range` or `enum`"
            )
    nature = grammar.nature(attribute)
    for key in ("unit", "minimum", "maximum"):
        if getattr(attribute, key) is not None and nature not in NUMBERS:
            yield Fault((*place, key), f"belongs to numbers, and this is {nature}")
    yield from _bound_faults(place, attribute)
    if attribute.unit is not None and nature in NUMBERS:
        yield from _unit_faults((*place, "unit"), attribute.unit)
    if attribute.pattern is not None:
        within = (*place, "pattern")
        if nature != "string":
            yield Fault(within, f"belongs to text, and this is {nature}")
        try:
            pattern(attribute.pattern)
        except VerifierConfigError as error:
            yield Fault(within, str(error))


def _bound_faults(place: Place, attribute: Attribute) -> Iterator[Fault]:
    bounds = {"minimum": attribute.minimum, "maximum": attribute.maximum}
    for key, bound in bounds.items():
        large = isinstance(bound, int) and bound.bit_length() > MOST_DIGITS * 3.3
        if large or (isinstance(bound, float) and not math.isfinite(bound)):
            yield Fault((*place, key), f"{shown(bound, 40)} is no number that can be compared")
            return
    least, most = bounds.values()
    if least is not None and most is not None and least > most:
        yield Fault((*place, "minimum"), f"the minimum {least} is more than the maximum {most}")


def _unit_faults(place: Place, unit: str) -> Iterator[Fault]:
    try:
        build_verifier("numeric_tolerance", unit=unit)
    except VerifierConfigError as error:
        yield Fault(place, str(error))


def _path_faults(grammar: Grammar) -> Iterator[Fault]:
    """Whether each taxonomy path of an attribute means one thing.

    Type ids may hold dots, and so may names: ``node.a.b.c`` is ``b.c`` of ``a`` and ``c`` of
    ``a.b``.
    """
    sides: tuple[tuple[Side, str], ...] = (("node", "nodes"), ("edge", "edges"))
    for side, family in sides:
        meant: dict[str, tuple[str, str]] = {}
        for type_id in grammar.types(side):
            attributes = grammar.attributes(side, type_id)
            if len(attributes) > _MOST_EACH:
                yield Fault(
                    (family, type_id),
                    f"it has {len(attributes):,} attributes, with those it inherits; expected at "
                    f"most {_MOST_EACH}",
                )
                return
            for name in attributes:
                path = f"{type_id}.{name}"
                other, theirs = meant.setdefault(path, (type_id, name))
                if other != type_id:
                    yield Fault(
                        (family, type_id, "attributes", name),
                        f"the path {side}.{path} means the attribute {name} of {type_id}, and "
                        f"{theirs} of {other}: rename one",
                    )
