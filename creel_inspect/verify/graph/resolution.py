"""Which verifier compares an attribute: by taxonomy path, else by the value's nature."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any, Literal

from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import Code, Verifier, VerifierConfigError, VerifierError
from creel_inspect.verify.registry import build_verifier

Side = Literal["node", "edge"]


def checked_paths(verifiers: Mapping[str, Verifier]) -> None:
    """Refuses keys that can never apply.

    Raises:
        VerifierConfigError: For any.
    """
    for path in verifiers:
        head, dot, rest = path.partition(".")
        if path != "default" and (head not in {"node", "edge"} or bool(dot) != bool(rest)):
            raise VerifierConfigError(
                f"verifiers: {shown(path)} is no taxonomy path: expected `default`, `node`, "
                "`node.<type>`, `node.<type>.<attribute>`, the same with `[id]` after the type, "
                "or the same with `edge`"
            )


@dataclass(frozen=True)
class Chosen:
    """The verifier configured for an attribute, if any, and the path it is asked under.

    Attributes:
        verifier: None where the value's own nature decides (``natural``).
        path: The attribute's taxonomy path, with the element's id.
        unit: The unit that its grammar gives the attribute.
        description: What its grammar says that the attribute is.
        origin: Where the verifier was named: a file and a path in it.
    """

    verifier: Verifier | None
    path: str
    unit: str | None = None
    description: str | None = None
    origin: str = ""


class Resolution:
    """The verifiers of a policy, by the types that one expected graph has.

    The longest match wins: element and attribute, element, type and attribute, type, ``node`` or
    ``edge``, ``default``; and after these the value's nature (``natural``). Type ids may hold
    dots: the longest type of the expected graph that fits a path is the one that is meant.

    Raises:
        VerifierError: If two types of one node name different verifiers for an attribute.
    """

    def __init__(self, verifiers: Mapping[str, Verifier], types: Mapping[Side, set[str]]) -> None:
        self._found: dict[tuple[str, str | None, str | None, str | None], Verifier] = {}
        for path, verifier in verifiers.items():
            side, _, rest = path.partition(".")
            if not rest:
                self._found[side, None, None, None] = verifier
            else:
                known = types["node"] if side == "node" else types["edge"]
                for key in _readings(rest, known):
                    self._found[side, *key] = verifier

    def choose(self, side: Side, types: tuple[str, ...], element: str, attribute: str) -> Chosen:
        """The verifier of one attribute of one expected element."""
        path = f"{side}{'.' + types[0] if types else ''}[{element}].{attribute}"
        for name, inner in ((element, attribute), (element, None), (None, attribute), (None, None)):
            hits = {
                one: self._found[side, one, name, inner]
                for one in types
                if (side, one, name, inner) in self._found
            }
            if not hits:
                continue
            chosen = next(iter(hits))
            if any(hits[one] != hits[chosen] for one in hits):
                raise VerifierError(
                    f"{path}: its types {', '.join(map(shown, hits))} name different verifiers",
                    code=Code.BAD_CONFIG,
                )
            return Chosen(hits[chosen], f"{side}.{chosen}[{element}].{attribute}")
        for key in (side, "default"):
            if (key, None, None, None) in self._found:
                return Chosen(self._found[key, None, None, None], path)
        return Chosen(None, path)


def _readings(rest: str, types: set[str]) -> list[tuple[str, str | None, str | None]]:
    """The type, element id and attribute that a path without its first word names."""
    fits = [one for one in types if rest == one or rest.startswith((one + ".", one + "["))]
    if not fits:
        return []
    longest = max(fits, key=len)
    tail = rest[len(longest) :]
    if not tail.startswith("["):
        return [(longest, None, tail[1:] or None)]
    if tail.endswith("]") and "]." not in tail:
        return [(longest, tail[1:-1], None)]
    element, closed, attribute = tail[1:].partition("].")
    # An id that holds "]." is read at its last such place as well as at its first.
    other, _, last = tail[1:].rpartition("].")
    found: list[tuple[str, str | None, str | None]] = []
    if closed and attribute:
        found.append((longest, element, attribute))
    return found if other == element else [*found, (longest, other, last)]


def natural(expected: Any) -> Verifier:
    """By the expected value: numbers, text and lists by meaning, everything else exactly.

    Numbers: ``numeric_tolerance``; text: ``normalized``; lists and sets: ``set_match`` of a
    multiset; truth values, None, objects and dates: ``exact``. Each as it is by default.
    """
    if isinstance(expected, bool) or expected is None:
        return _default("exact")
    if isinstance(expected, int | float | Decimal):
        return _default("numeric_tolerance")
    if isinstance(expected, str):
        return _default("normalized")
    if isinstance(expected, list | tuple | set | frozenset):
        return _default("set_match")
    return _default("exact")


@cache
def _default(kind: str) -> Verifier:
    return build_verifier(kind)
