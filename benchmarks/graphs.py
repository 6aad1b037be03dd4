"""Pairs of graphs whose right alignment is known, with every mistake made at a stated rate.

``pair`` draws a typed property multigraph (what the sources say) and a noisy copy of it (what a
model extracted): ids renamed, order shuffled, and mistakes made at the rates of ``NOISE``.
``unrelated`` draws two graphs from the same schema and vocabularies that have nothing else in
common, for the score that chance alone reaches. Both are graph-v1 JSON objects. The same arguments
give the same graphs on every machine: only ``random.Random``, seeded with a text, is used.

**A graph** of n nodes has eight node types, six relations (``RELATIONS`` says which types each may
join) and 2n edges. Every node starts at least one edge. Targets are drawn by preferential
attachment (a node is as likely to be chosen as it has incoming edges, plus one), so that degrees
are skewed. One edge in ten is parallel to an earlier one, half of those with the same relation and
told apart by attributes alone.

**Attributes.** Seven nodes in ten have a title of their own (text), most of a description (text),
an amount (number) and a date. The other 30 % are *anonymous*: they have no title, description,
amount or date, only a status and a priority from the short lists below, which named nodes have
too. A type, a status and a priority together have 240 values: enough to tell thirty anonymous nodes
apart, far too few for six hundred. Only an anonymous node's neighbours can say which one it is.

**Difficulty.** The rates were chosen by what *attribute assignment alone* gets right (trigram
similarity of the values, then one optimal assignment; ``alignment.py`` holds and prints it), and
those of the edges by what a simple vote of the neighbours adds. They were not chosen by how this
package's own alignment does.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]

SCHEMA = "https://creel.dev/schema/graph/v1"
ANONYMOUS = 0.3
EDGES_PER_NODE = 2
PARALLEL = 0.1


@dataclass(frozen=True, kw_only=True)
class Noise:
    """How often each mistake is made, each a probability per thing it can happen to."""

    typos: float
    """Per word of a text: one letter is dropped, doubled, replaced, or swapped with the next."""
    dropped_attributes: float
    """Per attribute of a node or an edge."""
    changed_numbers: float
    """Per amount or date: another amount within a factor of two; another date within 60 days."""
    changed_choices: float
    """Per status, priority or other value from a list: another of the list."""
    wrong_node_types: float
    """Per node: another type."""
    wrong_relations: float
    """Per edge: another relation."""
    dropped_nodes: float
    """Per node, with all its edges."""
    spurious_nodes: float
    """Invented nodes, per node of the original; each starts one invented edge."""
    dropped_edges: float
    """Per edge that still has both its ends."""
    spurious_edges: float
    """Invented edges, per edge of the original."""


_RATES = {
    # what: easy, medium, hard
    "typos": (0.10, 0.25, 0.40),
    "dropped_attributes": (0.05, 0.18, 0.35),
    "changed_numbers": (0.05, 0.15, 0.30),
    "changed_choices": (0.02, 0.09, 0.20),
    "wrong_node_types": (0.03, 0.09, 0.20),
    "wrong_relations": (0.03, 0.10, 0.20),
    "dropped_nodes": (0.04, 0.08, 0.15),
    "spurious_nodes": (0.04, 0.08, 0.15),
    "dropped_edges": (0.05, 0.18, 0.35),
    "spurious_edges": (0.05, 0.18, 0.35),
}
NOISE: Mapping[str, Noise] = {
    difficulty: Noise(**{name: rates[column] for name, rates in _RATES.items()})
    for column, difficulty in enumerate(("easy", "medium", "hard"))
}

NODE_TYPES = (
    *("project", "organisation", "person", "objective"),
    *("deliverable", "milestone", "risk", "payment"),
)
_PLANNED = ("objective", "deliverable", "milestone")
RELATIONS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "leads": (("person", "organisation"), ("project", "objective")),
    "employs": (("organisation",), ("person",)),
    "part_of": (_PLANNED, ("project",)),
    "depends_on": (("project", *_PLANNED), _PLANNED),
    "threatens": (("risk",), ("project", *_PLANNED)),
    "pays_for": (("payment",), ("deliverable", "milestone", "person", "organisation")),
}
"""Each relation with the types it may start from and those it may lead to."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "status": ("planned", "running", "late", "suspended", "finished"),
    "priority": ("critical", "high", "raised", "normal", "low", "none"),
    "role": ("lead", "partner", "reviewer", "supplier"),
}

_HOW = (
    *("rapid", "regional", "joint", "digital", "sustainable", "mobile", "national", "rural"),
    *("integrated", "preventive", "annual", "coastal", "urban", "inclusive", "northern", "open"),
)
_WHAT = (
    *("water", "health", "energy", "school", "harvest", "transport", "forest", "housing", "river"),
    *("vaccine", "market", "waste", "soil", "fishery", "maternity", "teacher", "bridge", "seed"),
    *("nutrition", "cooling", "drainage", "radio", "literacy", "malaria"),
)
_DEED = (
    *("survey", "training", "repair", "assessment", "supply", "inspection", "network", "reform"),
    *("storage", "monitoring", "pilot", "expansion", "audit", "restoration", "register", "study"),
)
_WHERE = (
    *("Kisumu", "Gulu", "Mwanza", "Arusha", "Tamale", "Kigali", "Mombasa", "Zomba", "Lira"),
    *("Moshi", "Nakuru", "Jinja", "Mbeya", "Bamako", "Kumasi", "Lusaka", "Nampula", "Maradi"),
)
_FIRST = (
    *("Amina", "Joseph", "Fatou", "Daniel", "Grace", "Ibrahim", "Lucia", "Peter", "Wanjiru"),
    *("Samuel", "Esther", "Kofi", "Miriam", "Thomas", "Zainab", "Paulo", "Ruth", "Emeka"),
)
_LAST = (
    *("Okello", "Mensah", "Diallo", "Banda", "Otieno", "Traore", "Phiri", "Mwangi", "Keita"),
    *("Nkosi", "Achieng", "Sesay", "Moyo", "Owusu", "Kamau", "Tembo", "Adeyemi", "Chirwa"),
)
_BODY = ("Institute", "Agency", "Foundation", "Cooperative", "University", "Trust", "Ministry")


@dataclass
class _Edge:
    type: str
    source: int
    target: int
    attributes: Json


@dataclass
class _Draft:
    """A graph whose nodes are numbered, before anyone gives them ids."""

    types: list[str]
    attributes: list[Json]
    edges: list[_Edge]


def pair(nodes: int, difficulty: str, seed: int) -> tuple[Json, Json, dict[str, str]]:
    """A graph, a noisy copy of it, and which node of the copy each of its nodes became.

    Args:
        nodes: Nodes of the expected graph, at least eight: one of each type is always there.
        difficulty: A key of ``NOISE``.
        seed: Another one gives other graphs.

    Returns:
        The expected and the actual graph as graph-v1 JSON, and expected node id → actual node id.
        A node that the copy dropped is absent from the last.
    """
    rng = _seeded(f"pair {nodes} {difficulty} {seed}")
    draft = _draw(nodes, rng)
    noisy, origins = _copy(draft, NOISE[difficulty], rng)
    expected, ids = _written(draft, "e", rng)
    actual, renamed = _written(noisy, "a", rng)
    truth = {ids[origin]: renamed[number] for number, origin in enumerate(origins)}
    return expected, actual, dict(sorted(truth.items()))


def unrelated(nodes: int, seed: int) -> tuple[Json, Json]:
    """Two graphs of one schema, each drawn without regard to the other."""
    rng = _seeded(f"unrelated {nodes} {seed}")
    return _written(_draw(nodes, rng), "e", rng)[0], _written(_draw(nodes, rng), "a", rng)[0]


def _seeded(text: str) -> random.Random:
    return random.Random(text)  # noqa: S311 - nothing here is a secret


def _draw(nodes: int, rng: random.Random) -> _Draft:
    types = [rng.choice(NODE_TYPES) for _ in range(nodes)]
    # Every type a relation leads to has to be there; a short graph could miss one.
    types[: len(NODE_TYPES)] = NODE_TYPES[:nodes]
    anonymous = set(rng.sample(range(nodes), round(ANONYMOUS * nodes)))
    attributes = [_node(kind, number in anonymous, rng) for number, kind in enumerate(types)]
    draft = _Draft(types, attributes, [])
    urns = _urns(types)
    for number in range(nodes):
        draft.edges.append(_edge(draft, number, urns, rng))
    while len(draft.edges) < EDGES_PER_NODE * nodes:
        if rng.random() < PARALLEL * EDGES_PER_NODE / (EDGES_PER_NODE - 1):
            draft.edges.append(_parallel(draft, rng.choice(draft.edges), rng))
        else:
            draft.edges.append(_edge(draft, rng.randrange(nodes), urns, rng))
    return draft


def _urns(types: list[str]) -> dict[str, list[int]]:
    """For each relation the nodes it may lead to, each as often as it was chosen, plus one.

    A small copy may have lost them all; then what is invented leads anywhere.
    """
    return {
        relation: [number for number, kind in enumerate(types) if kind in targets]
        or list(range(len(types)))
        for relation, (_, targets) in RELATIONS.items()
    }


def _edge(draft: _Draft, source: int, urns: dict[str, list[int]], rng: random.Random) -> _Edge:
    """An edge that the schema allows; a loop is drawn again, once."""
    may = [name for name, (sources, _) in RELATIONS.items() if draft.types[source] in sources]
    relation = rng.choice(may)
    target = rng.choice(urns[relation])
    if target == source:
        target = rng.choice(urns[relation])
    urns[relation].append(target)
    return _Edge(relation, source, target, _of_edge(rng))


def _parallel(draft: _Draft, edge: _Edge, rng: random.Random) -> _Edge:
    """Another edge between the same two nodes, of the same relation or any other."""
    relation = edge.type if rng.random() < 0.5 else _other(tuple(RELATIONS), edge.type, rng)
    return _Edge(relation, edge.source, edge.target, _of_edge(rng))


def _of_edge(rng: random.Random) -> Json:
    """An edge's attributes: always a date, half the time a role, and sometimes an amount."""
    attributes: Json = {"since": _date(rng)}
    if rng.random() < 0.5:
        attributes["role"] = rng.choice(CHOICES["role"])
    if rng.random() < 0.25:
        attributes["amount"] = _amount(rng)
    return attributes


def _node(kind: str, anonymous: bool, rng: random.Random) -> Json:
    attributes: Json = {name: rng.choice(CHOICES[name]) for name in ("status", "priority")}
    if anonymous:
        return attributes
    attributes["title"] = _title(kind, rng)
    attributes["date"] = _date(rng)
    if rng.random() < 0.6:
        attributes["description"] = f"{_phrase(rng)} and {_phrase(rng)} in {rng.choice(_WHERE)}"
    if rng.random() < 0.6:
        attributes["amount"] = _amount(rng)
    return attributes


def _title(kind: str, rng: random.Random) -> str:
    if kind == "person":
        return f"{rng.choice(_FIRST)} {rng.choice(_LAST)}"
    if kind == "organisation":
        return f"{rng.choice(_WHERE)} {rng.choice(_WHAT).title()} {rng.choice(_BODY)}"
    return f"{_phrase(rng).capitalize()} {rng.choice(_WHERE)}"


def _phrase(rng: random.Random) -> str:
    return f"{rng.choice(_HOW)} {rng.choice(_WHAT)} {rng.choice(_DEED)}"


def _amount(rng: random.Random) -> int:
    """Between 1,000 and 10,000,000 with two significant digits, small ones as likely as large."""
    return rng.randrange(10, 100) * 10 ** rng.randrange(2, 6)


def _date(rng: random.Random) -> str:
    """A day of 2018 to 2027; days after the 28th are not used, so that every month has each."""
    return _day(rng.randrange(10 * 12 * 28))


def _day(number: int) -> str:
    month, day = divmod(number, 28)
    return f"{2018 + month // 12}-{month % 12 + 1:02}-{day + 1:02}"


def _copy(draft: _Draft, noise: Noise, rng: random.Random) -> tuple[_Draft, list[int]]:
    """A copy with mistakes, and for each of its first nodes the node it came from.

    The nodes after those are invented.
    """
    origins = [n for n in range(len(draft.types)) if rng.random() >= noise.dropped_nodes]
    place = {origin: number for number, origin in enumerate(origins)}
    types = [_swapped(NODE_TYPES, draft.types[n], noise.wrong_node_types, rng) for n in origins]
    attributes = [_garbled(draft.attributes[n], noise, rng) for n in origins]
    edges = [
        _Edge(
            _swapped(tuple(RELATIONS), edge.type, noise.wrong_relations, rng),
            place[edge.source],
            place[edge.target],
            _garbled(edge.attributes, noise, rng),
        )
        for edge in draft.edges
        if edge.source in place and edge.target in place and rng.random() >= noise.dropped_edges
    ]
    copy = _Draft(types, attributes, edges)
    kept = len(types)
    for _ in range(_count(noise.spurious_nodes * len(draft.types), rng)):
        kind = rng.choice(NODE_TYPES)
        copy.types.append(kind)
        copy.attributes.append(_node(kind, rng.random() < ANONYMOUS, rng))
    urns = _urns(copy.types)
    invented = range(kept, len(copy.types))
    more = _count(noise.spurious_edges * len(draft.edges), rng)
    for source in [*invented, *(rng.randrange(len(copy.types)) for _ in range(more))]:
        copy.edges.append(_edge(copy, source, urns, rng))
    return copy, origins


def _count(mean: float, rng: random.Random) -> int:
    """A whole number next to ``mean``, which it equals on average."""
    return int(mean) + (rng.random() < mean % 1)


def _garbled(attributes: Json, noise: Noise, rng: random.Random) -> Json:
    return {
        name: _changed(name, value, noise, rng)
        for name, value in attributes.items()
        if rng.random() >= noise.dropped_attributes
    }


def _changed(name: str, value: Any, noise: Noise, rng: random.Random) -> Any:
    if name in CHOICES:
        return _swapped(CHOICES[name], value, noise.changed_choices, rng)
    if name in {"amount", "date", "since"}:
        if rng.random() >= noise.changed_numbers:
            return value
        return _near_amount(value, rng) if name == "amount" else _near_date(value, rng)
    words = value.split(" ")
    return " ".join(_typo(word, rng) if rng.random() < noise.typos else word for word in words)


def _near_amount(value: int, rng: random.Random) -> int:
    """Half to twice the amount, and never the amount."""
    other = value
    while other == value:
        other = round(value * 2 ** rng.uniform(-1, 1))
    return other


def _near_date(value: str, rng: random.Random) -> str:
    """Another date at most 60 days away."""
    year, month, day = (int(part) for part in value.split("-"))
    number = ((year - 2018) * 12 + month - 1) * 28 + day - 1
    return _day(max(0, number + rng.choice((-1, 1)) * rng.randint(1, 60)) if number else 1)


def _typo(word: str, rng: random.Random) -> str:
    """The word with one letter dropped, doubled, replaced, or swapped with the next."""
    at = rng.randrange(len(word))
    before, letter, after = word[:at], word[at], word[at + 1 :]
    kind = rng.choice(("drop", "double", "replace", "swap"))
    if kind == "double":
        return before + letter * 2 + after
    if kind == "swap" and after and after[0] != letter:
        return before + after[0] + letter + after[1:]
    if kind == "drop" and len(word) > 1:
        return before + after
    return before + _other(tuple("abcdefghijklmnopqrstuvwxyz"), letter, rng) + after


def _swapped(choices: tuple[str, ...], value: str, rate: float, rng: random.Random) -> str:
    return _other(choices, value, rng) if rng.random() < rate else value


def _other(choices: tuple[str, ...], value: str, rng: random.Random) -> str:
    return rng.choice([choice for choice in choices if choice != value])


def _written(draft: _Draft, prefix: str, rng: random.Random) -> tuple[Json, list[str]]:
    """The graph-v1 JSON of a draft in random order, and the id that each node got.

    Ids count up in the order of writing, so that they say nothing of where a node came from.
    """
    order = rng.sample(range(len(draft.types)), len(draft.types))
    ids = [""] * len(order)
    for number, node in enumerate(order):
        ids[node] = f"{prefix}{number:05}"
    edges = rng.sample(draft.edges, len(draft.edges))
    graph = {
        "$schema": SCHEMA,
        "version": "1",
        "directed": True,
        "nodes": {
            ids[node]: {
                "types": [draft.types[node]],
                "attributes": _shuffled(draft.attributes[node], rng),
            }
            for node in order
        },
        "edges": [
            {
                "id": f"{prefix}-edge{number:05}",
                "type": edge.type,
                "source": ids[edge.source],
                "target": ids[edge.target],
                "attributes": _shuffled(edge.attributes, rng),
            }
            for number, edge in enumerate(edges)
        ],
    }
    return graph, ids


def _shuffled(attributes: Json, rng: random.Random) -> Json:
    return dict(rng.sample(list(attributes.items()), len(attributes)))
