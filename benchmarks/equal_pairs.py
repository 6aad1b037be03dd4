"""Pairs that must pass: the same thing, written differently, for every kind.

Each pair is equal by construction: one value is written in two ways. Nothing here is decided by
running a verifier.
"""

from collections.abc import Callable, Iterator
from copy import deepcopy
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

from hostile_pairs import Pair, bag_of_words, sentence, small_graph

from creel_inspect.verify import Context


def _shuffled(value: Any, draw: Random) -> Any:
    """The same JSON value with the keys of its objects in another order."""
    if isinstance(value, dict):
        keys = draw.sample(list(value), len(value))
        return {key: _shuffled(value[key], draw) for key in keys}
    if isinstance(value, list):
        return [_shuffled(one, draw) for one in value]
    return value


def _exact(draw: Random) -> Pair:
    value = {
        "text": "café " + sentence(draw),
        "number": draw.randrange(10**9),
        "share": draw.random(),
        "list": [draw.choice([True, None, 1, "1"]) for _ in range(5)],
    }
    other = _shuffled(value, draw)
    other["text"] = other["text"].replace("é", "e\u0301")
    return Pair("exact", other, value, "keys in another order, é in two code points")


def _normalized(draw: Random) -> Pair:
    words = [*sentence(draw).split(), "it's", "“fine”", "co–ordinated"]
    draw.shuffle(words)
    gold = " ".join(words)
    other = "".join(one.upper() if draw.random() < 0.3 else one for one in gold)
    other = other.replace("“", '"').replace("”", '"').replace("–", "-").replace("'", "’")
    other = other.replace(" ", draw.choice(["  ", "\u00a0", "\u2009", "\n"]))
    other = draw.choice(["", "\ufeff", " ", "\u200b"]) + other + draw.choice(["", " ", "\u200b"])
    return Pair("normalized", other, gold, "case, spaces, invisible characters, quotes, dashes")


_CONVERSIONS = (
    ("kg", "g", 1000), ("km", "m", 1000), ("L", "mL", 1000), ("h", "min", 60), ("t", "kg", 1000),
    ("mol", "mmol", 1000), ("bar", "kPa", 100), ("kWh", "MJ", Fraction(18, 5)), ("m", "cm", 100),
)  # fmt: skip
_SCALES = ((10**3, "thousand"), (10**6, "million"), (10**9, "billion"))
_CURRENCIES = (("USD", "US$"), ("EUR", "€"), ("GBP", "£"), ("CAD", "C$"))


def _grouped(value: int, separator: str) -> str:
    return f"{value:,}".replace(",", separator)


def _numeric(draw: Random) -> Pair:
    what = draw.randrange(7)
    if what == 0:  # grouping; two separators, so that no decimal comma can be meant
        value = draw.randrange(10**6, 10**12)
        written = _grouped(value, draw.choice([",", " ", "\u00a0", "\u2009", "'", "."]))
        return Pair("numeric_tolerance", written, value, "grouped")
    if what == 1:
        factor, word = draw.choice(_SCALES)
        value = Decimal(draw.randrange(11, 999)) / 10
        code, symbol = draw.choice(_CURRENCIES)
        written = draw.choice(
            [f"{symbol}{value} {word}", f"{value} {word} {code}", f"{code} {value} {word}"]
        )
        return Pair(
            "numeric_tolerance", written, f"{int(value * factor)} {code}", "scale and money"
        )
    if what == 2:
        big, small, factor = draw.choice(_CONVERSIONS)
        value = draw.randrange(1, 1000)
        less = Fraction(value) * factor
        written = str(Decimal(less.numerator) / Decimal(less.denominator))
        return Pair("numeric_tolerance", f"{written} {small}", f"{value} {big}", "another unit")
    if what == 3:
        value = draw.randrange(1, 10_000)
        written = draw.choice([f"{value}e3", f"{value} × 10^3", f"{value}E+3", f"{value}·10³"])
        return Pair("numeric_tolerance", written, value * 1000, "scientific")
    if what == 4:
        value = draw.randrange(1, 1000)
        written = draw.choice([f"({value})", f"-{value}", f"\u2212{value}"])
        return Pair("numeric_tolerance", written, -value, "signs")
    if what == 5:
        value = draw.randrange(1, 100)
        written = draw.choice([f"{value} %", f"{value}%", f"{value} percent", f"{value} per cent"])
        return Pair("numeric_tolerance", written, value, "percent", {"unit": "percent"})
    value = draw.randrange(1234, 999_999)
    whole, cents = value, draw.randrange(10, 99)
    written = f"{_grouped(whole, '.')},{cents}"
    return Pair(
        "numeric_tolerance", written, Decimal(f"{whole}.{cents}"), "a locale", {"locale": "de_DE"}
    )


def _set(draw: Random) -> Pair:
    gold = [draw.choice([sentence(draw, 2), draw.randrange(99), None, True]) for _ in range(8)]
    other = draw.sample(gold, len(gold))
    return Pair("set_match", other, gold, "another order")


def _graph(draw: Random) -> Pair:
    gold = small_graph(draw)
    if draw.random() < 0.3:  # nodes that only their edges tell apart
        for name in ("n1", "n3"):
            gold["nodes"][name]["attributes"] = {}
    other = deepcopy(gold)
    names = {old: f"x{n}" for n, old in enumerate(draw.sample(sorted(gold["nodes"]), 6))}
    other["nodes"] = _shuffled({names[old]: node for old, node in other["nodes"].items()}, draw)
    for n, edge in enumerate(other["edges"]):
        edge.update(id=f"y{n}", source=names[edge["source"]], target=names[edge["target"]])
    draw.shuffle(other["edges"])
    return Pair("graph_match", other, gold, "other ids, another order")


def _schema(draw: Random) -> Pair:
    value = {"amount": draw.randrange(10, 99), "date": f"2024-0{draw.randrange(1, 9)}-15"}
    schema = {
        "type": "object",
        "required": ["amount"],
        "properties": {
            "amount": {"type": "integer", "minimum": 10},
            "date": {"type": "string", "format": "date"},
        },
    }
    config = {"schema": schema, "where": "amount >= 10"}
    return Pair("schema_constraint", _shuffled(value, draw), None, "keeps to the rules", config)


def _semantic(draw: Random) -> Pair:
    number = draw.randrange(2, 90)
    gold = f"{sentence(draw)} rose by {number} % and was not approved"
    other = draw.choice(
        [
            gold.replace(f"{number} %", f"{number} percent"),
            gold.replace("was not", "wasn't"),
            gold.replace(" and ", " and  "),
            gold.upper(),
        ]
    )
    context = Context(embedder=bag_of_words)
    return Pair("semantic_similarity", other, gold, "the same figures", {"threshold": 0.5}, context)


def _rubric(draw: Random) -> Pair:
    reply = draw.choice(
        ["Reason: same.\nScore: 5", "Reason: same.\nScore: 4\n", "Reason: 1 of 5 is off.\nScore: 5"]
    )
    context = Context(judge=lambda _: reply)
    config = {"criterion": "says the same", "steps": ["Compare."], "threshold": 0.5}
    gold = sentence(draw)
    return Pair("llm_rubric", gold.upper(), gold, "the judge says so", config, context)


def _composite(draw: Random) -> Pair:
    made = _normalized(draw)
    mode = draw.choice(["any", "cascade"])
    parts = {"same": "exact", "alike": "normalized"}
    return Pair("composite", made.actual, made.expected, made.why, {"mode": mode, "parts": parts})


_DRAWN: dict[str, tuple[Callable[[Random], Pair], int]] = {
    "exact": (_exact, 14),
    "normalized": (_normalized, 18),
    "numeric_tolerance": (_numeric, 22),
    "set_match": (_set, 14),
    "graph_match": (_graph, 3),
    "schema_constraint": (_schema, 8),
    "semantic_similarity": (_semantic, 7),
    "llm_rubric": (_rubric, 5),
    "composite": (_composite, 9),
}


def equal(count: int, seed: int) -> Iterator[Pair]:
    """``count`` pairs over all kinds that must pass."""
    draw = Random(seed)  # noqa: S311 - drawn again from the seed, not secret
    kinds = list(_DRAWN)
    for kind in draw.choices(kinds, [_DRAWN[one][1] for one in kinds], k=count):
        yield _DRAWN[kind][0](draw)
