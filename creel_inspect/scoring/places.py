"""Where in a sample a value stands, and reading it from there.

A place is one of::

    completion           the model's whole answer, as text
    $.budget.amount      a JSON path into the answer, which is then JSON
    target               the sample's target; several strings are alternatives
    target$.amount       a JSON path into the target, which is then JSON
    metadata$.gold       a JSON path into the sample's metadata
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState
from jsonpath_ng import Child as Step
from jsonpath_ng import DatumInContext, Fields, Index, JSONPath, Root
from jsonpath_ng.parser import parse as parse_path

from creel_inspect.verify import VerifierConfigError
from creel_inspect.verify.plain import fault_of, shown

_MOST_CHARACTERS = 5_000_000
_FENCED = re.compile(r"\A\s*```[ \t]*[a-zA-Z0-9_-]*[ \t]*\r?\n(.*?)\r?\n?[ \t]*```\s*\Z", re.DOTALL)
_BASES = ("completion", "target", "metadata")


class NotThere(Exception):
    """No value stands at a place; ``code`` says why, for the log."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Place:
    """A place, read once. ``path`` is None for the whole."""

    base: str
    path: JSONPath | None
    text: str

    @classmethod
    def of(cls, text: str, bases: Sequence[str]) -> "Place":
        """Reads a place.

        Raises:
            VerifierConfigError: If it is none of ``bases``, with or without a JSON path.
        """
        if not isinstance(text, str):
            raise VerifierConfigError(f"a place is text, not {shown(text)}")
        base, dollar, rest = text.partition("$")
        base = base or ("completion" if dollar else "")
        if base not in bases or (base == "metadata" and not dollar):
            written = [f"{one}$.…" if one == "metadata" else one for one in bases]
            raise VerifierConfigError(
                f"no value stands at {shown(text)}: expected {' or '.join(written)}, or a JSON "
                "path such as $.budget.amount after it"
            )
        if not dollar:
            return cls(base, None, text)
        try:
            return cls(base, parse_path("$" + rest), text)
        except Exception as error:  # the parser raises bare exceptions
            raise VerifierConfigError(f"{shown(text)} is no JSON path: {error}") from error

    def inside(self, document: Any) -> Any:
        """The value at the path: a list where the path may meet several.

        Raises:
            NotThere: If the path leads nowhere.
        """
        assert self.path is not None  # callers ask only where there is one
        found: list[DatumInContext] = self.path.find(document)
        if not _meets_one(self.path):
            return [one.value for one in found]
        if not found:
            raise NotThere(f"nothing stands at {self.text}", "nothing_there")
        return found[0].value


def _meets_one(path: JSONPath) -> bool:
    if isinstance(path, Step):
        return _meets_one(path.left) and _meets_one(path.right)
    if isinstance(path, Fields):
        return len(path.fields) == 1 and path.fields[0] != "*"
    if isinstance(path, Index):
        return len(path.indices) == 1
    return isinstance(path, Root)


ACTUAL = ("completion", "metadata")
EXPECTED = ("target", "metadata")


def actual_in(state: TaskState, place: Place) -> Any:
    """What the model answered, at a place.

    Raises:
        NotThere: If it did not answer, or not in JSON, or nothing stands there.
    """
    if place.base == "metadata":
        return place.inside(state.metadata)
    completion = state.output.completion
    if not completion.strip():
        refused = state.output.stop_reason == "content_filter"
        raise NotThere("the answer is empty", "refusal" if refused else "no_response")
    if place.path is None:
        return completion
    return place.inside(read_json(completion, "the answer", "invalid_response_format"))


def expected_in(state: TaskState, target: Target, place: Place) -> list[Any]:
    """What was expected, at a place: each of the alternatives.

    Raises:
        NotThere: If the sample has no target, or nothing stands there.
    """
    if place.base == "metadata":
        return [place.inside(state.metadata)]
    texts = [one for one in target if one != ""]
    if not texts:
        raise NotThere("the sample has no target", "expected_missing")
    if place.path is None:
        return list(texts)
    return [place.inside(read_json(text, "the target", "expected_invalid")) for text in texts]


def read_json(text: str, what: str, code: str) -> Any:
    """JSON, alone or as the one fenced block that a model puts round it.

    Raises:
        NotThere: With ``code``, if it is none, too long or too deep, or has a key twice.
    """
    if len(text) > _MOST_CHARACTERS:
        raise NotThere(f"{what} is longer than {_MOST_CHARACTERS:,} characters", code)
    text = text.removeprefix("\ufeff")  # a byte order mark is no part of the answer
    fenced = _FENCED.match(text)
    try:
        value = json.loads(fenced[1] if fenced else text, object_pairs_hook=_no_key_twice)
    except RecursionError:
        raise NotThere(f"{what} is JSON nested too deep", code) from None
    except ValueError as error:
        raise NotThere(f"{what} is not JSON: {error}; it begins {shown(text)}", code) from error
    fault = fault_of(value)
    if fault:
        raise NotThere(f"{what} cannot be read: {fault.text}", code)
    return value


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"the key {shown(twice)} stands twice in one object")
    return made
