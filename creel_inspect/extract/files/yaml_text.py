"""YAML as JSON has values: one document, by the core schema of YAML 1.2, with its lines.

PyYAML, which Inspect brings along, parses it, and only as far as events: no tag is ever
constructed. What a plain scalar means is decided here, by the core schema
(https://yaml.org/spec/1.2.2/#103-core-schema), so that `NO` and `on` are words; PyYAML's own
resolver follows YAML 1.1. A parser for 1.2 would add a dependency for rules that fill ten lines,
and none has PyYAML's scanner in C, without which 200,000 values take half a minute.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from creel_inspect.extract.files.documents import (
    MOST_DEPTH,
    MOST_DIGITS,
    CorpusError,
    Document,
    Place,
)
from creel_inspect.verify.plain import shown

MOST_NODES = 200_000

# The scanner in C comes with PyYAML's wheels; where it was built without, the slower one serves.
_PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def yaml_document(text: str, name: str) -> Document:
    """What ``reading.read_yaml`` reads, of a text that is at hand; ``name`` is for messages."""
    if found := _UNPRINTABLE.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise CorpusError(
            f"{name}:{line} holds the character U+{ord(found[0]):04X}, which YAML takes for a line "
            'break or not at all: write it as an escape, in a text in "double quotes"'
        )
    builder = _Builder(name)
    try:
        for event in yaml.parse(text, Loader=_PARSER):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{name}:{mark.line + 1}" if mark else name
        said = " ".join(filter(None, (error.context, error.problem)))
        raise CorpusError(f"{where} is no YAML: {shown(said, 200)[1:-1]}") from error
    except yaml.YAMLError as error:
        raise CorpusError(f"{name} is no YAML: {shown(str(error), 200)[1:-1]}") from error
    return Document(builder.value, builder.lines, name)


# The first three are line breaks in YAML 1.1 alone.
_UNPRINTABLE = re.compile(
    "[\x85\u2028\u2029\x01-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]"
)
_HALVES = re.compile("[\ud800-\udfff]")
_WORDS: Mapping[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]*)|0x[0-9a-fA-F]+|0o[0-7]+")
_REAL = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NO_NUMBER = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_NOTHING = object()


@dataclass
class _Open:
    """A list or mapping that is being read."""

    value: Any
    place: Place
    key: Any = _NOTHING
    """Of a mapping: the key whose value comes next."""


class _Builder:
    """Makes a value of YAML events, one by one, so that a flood is refused while it comes in."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.value: Any = None
        self.lines: dict[Place, int] = {}
        self.open: list[_Open] = []
        self.nodes = 0
        self.documents = 0

    def take(self, event: Any) -> None:
        if isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                raise self.refusal(event, "a second document begins: expected one in a file")
            if event.version and tuple(event.version) != (1, 2):
                said = ".".join(map(str, event.version))
                raise self.refusal(event, f"%YAML {said} is declared: files are read as YAML 1.2")
        elif isinstance(event, yaml.AliasEvent):
            said = shown(event.anchor, 40)[1:-1]
            raise self.refusal(event, f"the alias *{said} is not allowed: write the value out")
        elif isinstance(event, yaml.CollectionEndEvent):
            self.open.pop()
        elif isinstance(event, yaml.NodeEvent):
            self.node(event)

    def node(self, event: Any) -> None:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise self.refusal(event, f"it holds more than {MOST_NODES:,} values")
        if event.anchor is not None:
            said = shown(event.anchor, 40)[1:-1]
            raise self.refusal(event, f"the anchor &{said} is not allowed: write values out")
        if event.tag is not None:
            said = shown(event.tag, 60)[1:-1]
            raise self.refusal(event, f"the tag {said} is not allowed: write plain values")
        within = self.open[-1] if self.open else None
        if within and isinstance(within.value, dict) and within.key is _NOTHING:
            within.key = self.key(event, within)
            self.lines[(*within.place, within.key)] = event.start_mark.line + 1
            return
        place = self.put_place(within)
        self.lines.setdefault(place, event.start_mark.line + 1)
        if isinstance(event, yaml.ScalarEvent):
            self.put(within, self.scalar(event))
            return
        value: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
        self.put(within, value)
        self.open.append(_Open(value, place))
        if len(self.open) > MOST_DEPTH:
            raise self.refusal(event, f"it is nested more than {MOST_DEPTH} levels deep")

    def key(self, event: Any, within: _Open) -> str:
        if not isinstance(event, yaml.ScalarEvent):
            raise self.refusal(event, "a key is a list or mapping: expected text")
        key = self.scalar(event)
        if not isinstance(key, str):
            raise self.refusal(
                event, f"the key {shown(event.value, 40)[1:-1]} is not text: put it in quotes"
            )
        if key in within.value:
            first = self.lines[(*within.place, key)]
            raise self.refusal(event, f"the key {shown(key, 40)} is there already, on line {first}")
        return key

    def put_place(self, within: _Open | None) -> Place:
        if within is None:
            return ()
        inner = within.key if isinstance(within.value, dict) else len(within.value)
        return (*within.place, inner)

    def put(self, within: _Open | None, value: Any) -> None:
        if within is None:
            self.value = value
        elif isinstance(within.value, dict):
            within.value[within.key] = value
            within.key = _NOTHING
        else:
            within.value.append(value)

    def scalar(self, event: Any) -> Any:
        text: str = event.value
        if event.style or not event.implicit[0]:  # quoted, or a block
            if _HALVES.search(text):
                raise self.refusal(event, "a text holds half of a surrogate pair: write U+XXXXXXXX")
            return text
        if text in _WORDS:
            return _WORDS[text]
        if not (text[:1].isdigit() or text[:1] in "+-."):
            return text
        if _NO_NUMBER.fullmatch(text):
            raise self.refusal(event, f"{text} is no number that JSON has: expected a finite one")
        whole = _WHOLE.fullmatch(text)
        if not whole and not _REAL.fullmatch(text):
            return text
        if len(text) > MOST_DIGITS:
            raise self.refusal(event, f"a number has more than {MOST_DIGITS} digits")
        value = int(text, 0) if whole else float(text)
        if not math.isfinite(value):
            raise self.refusal(event, f"{text} is too large for a number")
        return value

    def refusal(self, event: Any, message: str) -> CorpusError:
        return CorpusError(f"{self.name}:{event.start_mark.line + 1}: {message}")
