"""From a question's text to items: every stretch of it with all that it could mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from creel_inspect.providers.baseline import chemistry, enums, fields, words
from creel_inspect.providers.baseline.schema import column, phrase
from creel_inspect.providers.baseline.units import CASED, UNITS
from creel_inspect.search import compounds

MAX_QUESTION = 2000
"""Longest question read, in characters."""
MAX_WORDS = 250
"""Most words and marks read: the readers look around every one of them."""


class CannotAnswer(Exception):
    """The question is refused; the message is the reason given."""


@dataclass(frozen=True)
class Item:
    """A stretch of the question and its possible meanings, by kind.

    Kinds are those of `words.KINDS` (function words), plus ``cmp``, ``cmp_after``, ``role``,
    ``level``, ``number_field``, ``measure``, ``bool``, ``text``, ``date_field``, ``enum``,
    ``compound``, ``pattern``, ``metal``, ``transformation``, ``placeholder``, ``quote``, ``id``,
    ``num``, ``qty``, ``bound``, ``when``, ``color``, ``filler``.
    """

    text: str
    start: int
    end: int
    means: dict[str, Any] = field(default_factory=dict)

    def __contains__(self, kind: str) -> bool:
        return kind in self.means

    def __getitem__(self, kind: str) -> Any:
        return self.means[kind]

    @property
    def empty(self) -> bool:
        """Whether it is a known word that carries nothing; an unknown word is not."""
        return self.means.keys() == {"filler"}


def joined(items: list[Item], start: int, end: int, kind: str, value: object) -> Item:
    """Returns one item for a run of items, with one meaning more than a lone item had."""
    run = items[start:end]
    means = {**(run[0].means if len(run) == 1 else {}), kind: value}
    return Item(" ".join(item.text for item in run), run[0].start, run[-1].end, means)


_TOKEN = re.compile(
    r"""
    (?P<quote>"[^"]{1,300}"|“[^”]{1,300}”|(?<!\w)'[^'\n]{1,300}'(?!\w)|(?<!\w)‘[^’\n]{1,300}’(?!\w))
  | (?P<placeholder>(?<![\w@])@[A-Z]+(?!\w))
  | (?P<dataset>ord_dataset-[0-9a-f]{32})
  | (?P<reaction>ord-[0-9a-f]{32})
  | (?P<doi>10\.\d{4,9}/[^\s,;?"']{1,200}[^\s,;?.!"')])
  | (?P<orcid>\d{4}-\d{4}-\d{4}-\d{3}[\dX](?!\w))
  | (?P<email>[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4})
  | (?P<patent>(?:US|EP|WO)\s?\d{5,13}(?:[A-Z]\d?)?(?!\w))
  | (?P<date>\d{4}-\d{2}-\d{2}(?!\w))
  | (?P<month>\d{4}-\d{2}(?![\w-]))
  | (?P<number>(?:(?<![\w)\]%°])[-−](?=\d))?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)
        (?:\.\d+)?(?:[eE]-?\d{1,2}(?!\w))?)
  | (?P<word>[^\W\d_][\w]*(?:['’][a-z]{1,2}(?!\w))?|°[CFcf]?|[℃℉])
  | (?P<symbol>>=|<=|!=|==|±|\+/-|and/or|[^\w\s])
    """,
    re.VERBOSE,
)


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int

    @property
    def key(self) -> str:
        return self.text.lower().replace("’", "'").replace("µ", "µ").replace("μ", "µ")


def _tokens(text: str) -> list[_Token]:
    found = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "symbol"
        token = _Token(kind, match.group(), match.start(), match.end())
        # A hyphen inside a word only joins it: "round-bottom flask" is three words.
        before, after = text[token.start - 1 : token.start], text[token.end : token.end + 1]
        if token.text in "-‐‑" and before.isalpha() and after.isalnum():
            continue
        found.append(token)
    return found


def _key(text: str) -> str:
    return " ".join(token.key for token in _tokens(text))


def _said(phrases: str) -> list[str]:
    return [phrase for phrase in phrases.split("; ") if phrase]


def _phrases() -> Iterator[tuple[str, str, Any]]:
    """Yields every known phrase with a kind and what it means as that kind."""
    for said, kind in words.KINDS:
        yield said, kind, True
    for kind, table in (
        ("cmp", words.COMPARE),
        ("cmp_after", words.COMPARE_AFTER),
        ("role", words.ROLES),
        ("level", words.LEVELS),
        ("measure", fields.MEASURES),
        ("pattern", chemistry.GROUP_WORDS),
        ("metal", chemistry.METALS),
        ("transformation", chemistry.TRANSFORMATION_WORDS),
        ("noun", enums.NOUNS),
        ("noun", {f"{said}s": path for said, path in enums.NOUNS.items()}),
        ("color", {said: said for said in words.COLORS}),
    ):
        for said, value in table.items():
            yield said, kind, value
    for path, (dimension, phrases) in fields.NUMBERS.items():
        for said in _said(phrases):
            yield said, "number_field", (path, dimension)
    for path, (positive, negative) in fields.BOOLEANS.items():
        yield from ((said, "bool", (path, True)) for said in _said(positive))
        yield from ((said, "bool", (path, False)) for said in _said(negative))
    for kind, columns in (
        ("mode", fields.MODES),
        ("text", fields.TEXTS),
        ("date_field", fields.DATES),
    ):
        for path, phrases in columns.items():
            yield from ((said, kind, path) for said in _said(phrases))
    for said in words.FILLERS:
        yield said, "filler", True


def _enum_phrases() -> Iterator[tuple[str, tuple[str, str]]]:
    """Yields the ways to say each enum value, with its column and member."""
    for path in enums.ENUMS:
        synonyms = enums.SYNONYMS.get(path, {})
        for member in column(path).members:
            if member in ("UNSPECIFIED", "CUSTOM"):
                continue
            own = [] if member == "NONE" else [phrase(member)]  # "none" alone says too little
            for said in own + _said(synonyms.get(member, "")):
                yield said, (path, member)
                if not said.endswith("s"):
                    yield said + ("es" if said.endswith(("x", "h")) else "s"), (path, member)


@lru_cache(maxsize=1)
def _lexicon() -> dict[str, dict[str, Any]]:
    lexicon: dict[str, dict[str, Any]] = {}
    for said, kind, value in _phrases():
        lexicon.setdefault(_key(said), {}).setdefault(kind, value)
    for said, meant in _enum_phrases():
        values = lexicon.setdefault(_key(said), {}).setdefault("enum", [])
        if meant not in values:
            values.append(meant)
    return lexicon


@lru_cache(maxsize=1)
def _units() -> dict[str, str]:
    return {_key(said): said for said in UNITS}


def _unit(tokens: list[_Token], index: int) -> tuple[str, int] | None:
    """Returns the unit written at a token, longest first, and how many tokens it takes."""
    for length in (3, 2, 1):
        span = tokens[index : index + length]
        said = _units().get(" ".join(token.key for token in span))
        if said is None or len(span) < length:
            continue
        cased = CASED.get(said)
        if cased is not None and span[0].text not in (cased, cased.lower() if said == "ma" else ""):
            continue
        if said in ("s", "g", "h", "d") and span[0].text != said:
            continue
        return said, length
    return None


_COUNTED_SINGLY = frozenset(
    ("day", "hour", "minute", "week", "gram", "kilogram", "milligram", "liter", "litre", "mole",
     "milliliter")
)  # fmt: skip


def _number(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


_MOST_WORDS = 9


_MARKS = frozenset(("dataset", "reaction", "doi", "orcid", "email", "patent"))


def scan(question: str) -> list[Item]:
    """Cuts a question into items, the longest known phrase at each place.

    Raises:
        CannotAnswer: If the question is longer than `MAX_QUESTION` or `MAX_WORDS`.
    """
    if len(question) > MAX_QUESTION:
        raise CannotAnswer(f"the question is longer than {MAX_QUESTION} characters")
    # "minus 20" is a number; as many characters as before, so that places stay the same.
    question = re.sub(r"(?i)\bminus (?=\d)", "     -", question)
    tokens = _tokens(question)
    if len(tokens) > MAX_WORDS:
        raise CannotAnswer(f"the question is longer than {MAX_WORDS} words")
    mentions = {mention.start: mention for mention in compounds.find(question)}
    items: list[Item] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        end, means = _read(tokens, index)
        mention = mentions.get(token.start)
        if mention is not None and mention.end >= tokens[end - 1].end:
            name = {"compound": mention.name}
            means = {**means, **name} if mention.end == tokens[end - 1].end else name
            while end < len(tokens) and tokens[end].start < mention.end:
                end += 1
        elif end == index + 1:
            end, means = _counted(tokens, index, means)
        stop = tokens[end - 1].end
        items.append(Item(question[token.start : stop], token.start, stop, means))
        index = end
    return items


def _read(tokens: list[_Token], index: int) -> tuple[int, dict[str, Any]]:
    """Returns the end and the meanings of the longest known thing at a token."""
    token = tokens[index]
    if token.kind == "quote":
        return index + 1, {"quote": token.text[1:-1]}
    if token.kind == "placeholder":
        return index + 1, {"placeholder": token.text}
    if token.kind in _MARKS:
        return index + 1, {"id": (token.kind, token.text)}
    if token.kind in ("date", "month"):
        return index + 1, {"iso": token.text}
    return _phrase(tokens, index)


def _counted(tokens: list[_Token], index: int, means: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Adds the number a token is, and the unit after it: "350 K", "two hours", "a day"."""
    token = tokens[index]
    unit = _unit(tokens, index + 1)
    if token.kind == "number":
        number = _number(token.text)
    elif token.key in words.NUMBER_WORDS:
        number = float(words.NUMBER_WORDS[token.key])
    elif token.key in ("a", "an") and unit is not None and unit[0] in _COUNTED_SINGLY:
        number = 1.0
    else:
        return index + 1, means
    if unit is None:
        return index + 1, {**means, "num": number}
    said, length = unit
    quantity = (UNITS[said].dimension, UNITS[said].convert(number))
    return index + 1 + length, {"qty": quantity, "num": number, "unit": said}


def _phrase(tokens: list[_Token], index: int) -> tuple[int, dict[str, Any]]:
    """Returns the end and the meanings of the longest known phrase at a token."""
    lexicon = _lexicon()
    for length in range(min(_MOST_WORDS, len(tokens) - index), 0, -1):
        end = index + length
        means = lexicon.get(" ".join(token.key for token in tokens[index:end]))
        if means is None:
            continue
        follows = tokens[end] if end < len(tokens) else None
        opens_next = follows is not None and (follows.key == "than" or follows.kind == "number")
        if means.keys() <= {"cmp_after"} and length > 1 and opens_next:
            continue  # "or colder" ends a bound; "or colder than 200 K" opens the next one
        return end, dict(means)
    token = tokens[index]
    if token.kind == "word" and token.key.endswith(("'s", "s'")):
        means = lexicon.get(token.key.removesuffix("'s").removesuffix("'"))
        if means is not None:
            return index + 1, dict(means)
    return index + 1, {}
