"""Taxonomy paths, read by a grammar: ``node.project[prj-1].title`` names one attribute.

Type ids may hold dots, and element ids anything: brackets, dots, even ``].``. So a path is read by
what the grammar declares. The longest of its types that fits is the one that is meant, and what
follows an element's id must be an attribute of that type.
"""

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from creel_inspect.extract.grammar.model import Grammar
from creel_inspect.verify.graph.resolution import Side
from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import VerifierConfigError

_LONGEST_NAME = 100
"""Characters of a name that near ones are looked for by: the search takes time squared in them."""
_MOST_NAMED = 8


@dataclass(frozen=True)
class Place:
    """What a taxonomy path names: a side, a type, an element, an attribute; None where it is all.

    An element is named together with its type, and an attribute too.
    """

    side: Side
    type: str | None = None
    element: str | None = None
    attribute: str | None = None

    def __str__(self) -> str:
        text: str = self.side
        text += "" if self.type is None else f".{self.type}"
        text += "" if self.element is None else f"[{self.element}]"
        return text + ("" if self.attribute is None else f".{self.attribute}")


def places(path: str, grammar: Grammar) -> tuple[Place, ...]:
    """What a path names. It is more than one place where an id may end in two ways.

    Raises:
        VerifierConfigError: If the path names no type or attribute of the grammar. The message
            names those that are near.
    """
    side: Side
    head, dot, rest = path.partition(".")
    if head == "node":
        side = "node"
    elif head == "edge":
        side = "edge"
    else:
        raise VerifierConfigError(
            f"{shown(path)} is no taxonomy path: expected `node` or `edge`, then "
            "`.<type>`, `[id]` for one element, and `.<attribute>`"
        )
    if not dot:
        return (Place(side),)
    types = grammar.types(side)
    fits = [one for one in types if rest == one or rest.startswith((one + ".", one + "["))]
    if not fits:
        raise VerifierConfigError(f"{shown(path)}: {_no_type(side, rest, grammar)}")
    kind = max(fits, key=len)
    tail = rest[len(kind) :]
    if not tail:
        return (Place(side, kind),)
    declared = grammar.attributes(side, kind)
    if tail.startswith("."):
        if tail[1:] in declared:
            return (Place(side, kind, None, tail[1:]),)
        raise VerifierConfigError(f"{shown(path)}: {_no_attribute(side, kind, tail[1:], grammar)}")
    found = [
        Place(side, kind, element, attribute)
        for element, attribute in _readings(tail)
        if attribute is None or attribute in declared
    ]
    if found:
        return tuple(found)
    _, closed, attribute = tail.rpartition("].")
    if closed and attribute and not tail.startswith("[]."):
        raise VerifierConfigError(f"{shown(path)}: {_no_attribute(side, kind, attribute, grammar)}")
    raise VerifierConfigError(
        f"{shown(path)}: expected `{side}.{kind}[id]`, or that and `.<attribute>`"
    )


def path_fault(path: str, grammar: Grammar) -> str | None:
    """Why a path names nothing in a grammar; None if it does. ``graph`` is the whole graph."""
    try:
        if path != "graph":
            places(path, grammar)
    except VerifierConfigError as error:
        return str(error)
    return None


def _readings(tail: str) -> Iterator[tuple[str, str | None]]:
    """The element id and the attribute, wherever the id may end. No id is empty."""
    if tail.endswith("]") and len(tail) > 2:
        yield tail[1:-1], None
    end = tail.find("].", 2)
    while end >= 0:
        yield tail[1:end], tail[end + 2 :]
        end = tail.find("].", end + 1)


def _no_type(side: Side, rest: str, grammar: Grammar) -> str:
    name = rest.partition("[")[0]
    types = grammar.types(side)
    # The last part may be an attribute, or a part of the type's own name.
    tried = dict.fromkeys((name, name.rpartition(".")[0], name.partition(".")[0]))
    near = [one for part in tried if part for one in _near(part, types)]
    other: Side = "edge" if side == "node" else "node"
    if not near and any(part in grammar.types(other) for part in tried):
        return f"the grammar has no such {side} type; among `{other}` types it has one"
    return f"the grammar has no such {side} type; {_told(near, types)}"


def _no_attribute(side: Side, kind: str, name: str, grammar: Grammar) -> str:
    declared = grammar.attributes(side, kind)
    near = _near(name, declared)
    said = f"{side}.{kind} has no attribute {shown(name)}; "
    holders = [one for one in grammar.types(side) if name in grammar.attributes(side, one)]
    if holders and not near:
        return said + f"{', '.join(holders[:_MOST_NAMED])} has one"
    return said + _told(near, declared)


def _near(name: str, names: Iterable[str]) -> list[str]:
    short = {one[:_LONGEST_NAME]: one for one in names}
    found = difflib.get_close_matches(name[:_LONGEST_NAME], short, n=3, cutoff=0.6)
    return [short[one] for one in found]


def _told(near: Iterable[str], names: Iterable[str]) -> str:
    best = list(dict.fromkeys(near))
    if best:
        return f"did you mean {' or '.join(best[:3])}?"
    few = list(names)
    more = f" and {len(few) - _MOST_NAMED} more" if len(few) > _MOST_NAMED else ""
    return f"it has {', '.join(few[:_MOST_NAMED])}{more}" if few else "it has none"
