"""How alike two nodes are by what they say: types and attributes, before any structure.

Everything here only proposes which node is which. Whether an attribute is *right* is decided after
the alignment, by its verifier.
"""

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from creel_inspect.verify.graph.model import Node

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
T = TypeVar("T", bound=Hashable)
S = TypeVar("S", bound=np.generic)

MOST_CHARACTERS_READ = 1_000
"""Of one value; what stands behind is compared by its verifier, not here."""
_MOST_CHARACTERS_OF_A_NAME = 2_000_000
_MOST_NAMES = 100
"""Attribute names compared by likeness, the most used first; the others by equality."""
_NAME_COST = 10_000
_FEW_COLUMNS = 128
_FEW_CELLS = 20_000
_MOST_COST = 100_000_000


@dataclass(frozen=True)
class Similarity:
    """Every node of one graph against every node of the other.

    Attributes:
        attributes: How alike what both say is, shape (expected nodes, actual nodes), from 0 to 1.
        evidence: The same, less where agreeing says little: a shared ``status: open`` among a
            hundred open ones. The same shape and range.
        types: Shared types over all types of the two (Jaccard). The same shape and range.
        comparable: Whether both nodes of a pair have attributes at all. Where it is false, the
            first two are 0 and say nothing.
    """

    attributes: Floats
    evidence: Floats
    types: Floats
    comparable: NDArray[np.bool_]

    def among(self, rows: Ints, columns: Ints) -> "Similarity":
        """Some expected nodes against some actual ones."""
        return Similarity(
            taken(self.attributes, rows, columns),
            taken(self.evidence, rows, columns),
            taken(self.types, rows, columns),
            taken(self.comparable, rows, columns),
        )


def similarity(expected: Sequence[Node], actual: Sequence[Node]) -> Similarity:
    """Compares all nodes of two graphs.

    Each attribute name that either node has weighs as many bits as agreeing on it by chance would
    take, and one that only one of the two has weighs a quarter of that::

        attributes = Σ_shared b·c / W          W = Σ_shared b + ¼ Σ_alone b
        evidence   = Σ_shared b·c / max(W, B)

    ``b`` is -log2 of the chance that values of two different nodes are equal, at most B; ``c`` is
    how alike the two values are, corrected for how alike different values of that name are on
    average, as Cohen's κ is for chance; B = ½ log2(pairs of nodes), in round figures the bits that
    single out one node. So a title of their own can vouch for two nodes, and a status cannot.

    Alike: the cosine of tf-idf weighted letter trigrams for text (of its first 1,000 characters),
    (1 - |x - y| / max(|x|, |y|))² for numbers. Past the hundred most used names, and where there
    are too many pairs of values, equality.
    """
    shape = (len(expected), len(actual))
    names = _names(expected, actual)
    place = {name: number for number, name in enumerate(names)}
    needed = 0.5 * math.log2(max(2, shape[0] * shape[1]))
    bits = np.zeros(max(1, len(names)))
    agreed = np.zeros(shape)
    cost = 0
    rare: list[str] = []
    for number, name in enumerate(names):
        left, right = _values(expected, name), _values(actual, name)
        cost += len(left[0]) * len(right[0]) + _NAME_COST
        if number >= _MOST_NAMES or cost > _MOST_COST:
            rare = names[number:]
            break
        bits[number] = min(_chance_bits(left[1], right[1]), needed)
        if left[0] and right[0]:
            block, first, second = _likeness(left[1], right[1])
            # Whole rows at a time: the nodes without one have a column of nothing.
            columns = np.full(shape[1], block.shape[1], dtype=np.int64)
            columns[right[0]] = second
            wide = np.pad(bits[number] * block, ((0, 0), (0, 1)))
            agreed[left[0]] += taken(wide, first, columns)
    if rare:
        bits[len(names) - len(rare) : len(names)] = needed / 2
        agreed += (needed / 2) * _equal(expected, actual, set(rare))
    return _weighed(expected, actual, place, bits, agreed, needed)


def _weighed(
    expected: Sequence[Node],
    actual: Sequence[Node],
    place: dict[str, int],
    bits: Floats,
    agreed: Floats,
    needed: float,
) -> Similarity:
    # Nodes that have the same names are one row: most graphs know few sets of names.
    sides, numbers = [], []
    for nodes in (expected, actual):
        rows, which = _numbered(
            [tuple(sorted(map(place.__getitem__, one.attributes))) for one in nodes]
        )
        sides.append(_incidence(rows, len(bits)))
        numbers.append(which)
    left, right = sides
    shared = _product(_scaled(left, bits), right)
    union = (left @ bits)[:, None] + (right @ bits)[None, :] - shared
    whole = shared + 0.25 * (union - shared)
    attributes = agreed / taken(np.maximum(whole, 1e-9), *numbers)
    agreed /= taken(np.maximum(whole, needed), *numbers)
    some = np.array([bool(node.attributes) for node in expected], dtype=bool)
    others = np.array([bool(node.attributes) for node in actual], dtype=bool)
    return Similarity(
        np.clip(attributes, 0.0, 1.0, out=attributes),
        np.clip(agreed, 0.0, 1.0, out=agreed),
        _type_overlap(expected, actual),
        some[:, None] & others,
    )


def _names(expected: Sequence[Node], actual: Sequence[Node]) -> list[str]:
    """All attribute names, the most used first."""
    counts: dict[str, int] = {}
    for node in (*expected, *actual):
        for name in node.attributes:
            counts[name] = counts.get(name, 0) + 1
    return sorted(counts, key=lambda name: (-counts[name], name))


def _values(nodes: Sequence[Node], name: str) -> tuple[list[int], list[Any]]:
    """The nodes that have an attribute, and its values as they are compared here."""
    rows = [number for number, node in enumerate(nodes) if name in node.attributes]
    return rows, [_comparable(nodes[row].attributes[name]) for row in rows]


def _comparable(value: Any) -> float | str:
    """A finite number, or text."""
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        try:
            number = float(value)
        except (OverflowError, ValueError):
            return str(value)
        return number if math.isfinite(number) else str(value)
    return " ".join(text_of(value, MOST_CHARACTERS_READ).casefold().split())


def text_of(value: Any, limit: int) -> str:
    """The beginning of a value as text, whatever its size. Keys and set members are sorted."""
    if isinstance(value, str):
        return value[:limit]
    parts: list[str] = []
    room, stack = limit, [value]
    while stack and room > 0:
        one = stack.pop()
        if isinstance(one, dict):
            for key in sorted(one, reverse=True)[-limit:]:
                stack += [one[key], key]
            continue
        if isinstance(one, set | frozenset):
            one = sorted(map(repr, one))
        if isinstance(one, list | tuple):
            stack.extend(reversed(one[:limit]))
            continue
        text = one if isinstance(one, str) else str(one)
        parts.append(text[:room])
        room -= len(parts[-1]) + 1
    return " ".join(parts)


def _chance_bits(left: Sequence[float | str], right: Sequence[float | str]) -> float:
    """-log2 of the chance that a value of each are equal, with one such pair added.

    One equal partner for each value is no chance: it is what an alignment is there to find. Few
    values say little about chance; where none of them are equal by it, texts of many words count
    one bit a word, the first apart: a sentence is not written twice by chance.
    """
    if not left or not right:
        return 1.0
    counts, others = Counter(left), Counter(right)
    equal = sum(count * others[value] for value, count in counts.items())
    by_chance = equal - (counts & others).total()
    seen = math.log2((len(left) * len(right) + 1) / (by_chance + 1))
    return seen if by_chance else max(seen, _words(left, right) - 1)


def _words(*sides: Sequence[float | str]) -> float:
    """How many words the values have on average; a number is one."""
    counts = [len(one.split()) if isinstance(one, str) else 1 for side in sides for one in side]
    return sum(counts) / len(counts)


def _likeness(
    left: Sequence[float | str], right: Sequence[float | str]
) -> tuple[Floats, Ints, Ints]:
    """Values against values: 1 where equal, 0 where no more alike than different ones are.

    Returns:
        The distinct values of both sides against each other, and which row and column each has.
    """
    firsts, first = _numbered(left)
    seconds, second = _numbered(right)
    if all(isinstance(value, float) for value in (*firsts, *seconds)):
        block = _closeness(np.array(firsts, dtype=float), np.array(seconds, dtype=float))
    else:
        block = _trigram_cosine([str(one) for one in firsts], [str(one) for one in seconds])
    # The best of each row may be the same value, misspelt: it is not counted as a different one.
    different = block.size - block.shape[0]
    mean = (block.sum() - block.max(axis=1).sum()) / different if different else 0.0
    mean = min(float(mean), 0.9)
    block -= mean
    block /= 1 - mean
    return np.clip(block, 0.0, 1.0, out=block), first, second


def _numbered(values: Sequence[T]) -> tuple[list[T], Ints]:
    """The distinct values, and the number of each one."""
    places: dict[T, int] = {}
    rows = [places.setdefault(value, len(places)) for value in values]
    return list(places), np.array(rows, dtype=np.int64)


def taken(block: NDArray[S], rows: Ints, columns: Ints) -> NDArray[S]:
    """Some rows and columns of a block; each may be taken again and again."""
    # A row at a time is several times as fast as one place at a time.
    if len(rows) < len(block):
        return block.take(rows, axis=0).take(columns, axis=1)
    return block.take(columns, axis=1).take(rows, axis=0)


def _closeness(left: Floats, right: Floats) -> Floats:
    """(1 - |a - b| / max(|a|, |b|))², and 0 for numbers of different signs."""
    larger = np.maximum(np.abs(left)[:, None], np.abs(right))
    with np.errstate(over="ignore", invalid="ignore"):
        apart = np.abs(left[:, None] - right) / np.where(larger > 0, larger, 1.0)
    close: Floats = np.clip(1 - np.nan_to_num(apart, nan=1.0, posinf=1.0), 0.0, 1.0) ** 2
    return close


def _trigram_cosine(left: list[str], right: list[str]) -> Floats:
    count = len(left) + len(right)
    limit = max(8, min(MOST_CHARACTERS_READ, _MOST_CHARACTERS_OF_A_NAME // max(1, count)))
    grams, rows = _trigrams([text[:limit] for text in (*left, *right)])
    _, columns = np.unique(grams, return_inverse=True)
    width = int(columns.max()) + 1
    if count * width <= _FEW_CELLS:
        table = np.bincount(rows * width + columns, minlength=count * width).astype(float)
        table = table.reshape(count, width)
        table *= np.log1p(count / np.count_nonzero(table, axis=0))
        table /= np.maximum(np.sqrt((table * table).sum(axis=1)), 1e-12)[:, None]
        alike: Floats = (table[: len(left)] @ table[len(left) :].T).round(9)
        return alike
    matrix = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(count, width))
    matrix.sum_duplicates()
    seen = np.bincount(matrix.indices, minlength=matrix.shape[1])
    matrix = matrix.multiply(np.log1p(count / seen)[None, :]).tocsr()
    lengths = np.sqrt(matrix.multiply(matrix).sum(axis=1)).A1
    matrix = sparse.diags_array(1 / np.maximum(lengths, 1e-12)).tocsr() @ matrix
    # Rounded, so that a text and itself are exactly alike.
    cosine: Floats = (matrix[: len(left)] @ matrix[len(left) :].T).toarray().round(9)
    return cosine


def _trigrams(texts: list[str]) -> tuple[NDArray[np.uint64], Ints]:
    """The trigrams of texts, each as one number, and which text each is of.

    A text is held between two marks on each side, so that an empty one has a trigram too.
    """
    marked = ["\x02\x02" + text + "\x03\x03" for text in texts]
    codes = np.frombuffer("".join(marked).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    rows = np.repeat(np.arange(len(texts)), [len(text) for text in marked])
    wide = codes.astype(np.uint64)
    grams = (wide[:-2] << np.uint64(42)) | (wide[1:-1] << np.uint64(21)) | wide[2:]
    whole = rows[:-2] == rows[2:]
    return grams[whole], rows[:-2][whole]


def _equal(expected: Sequence[Node], actual: Sequence[Node], names: set[str]) -> Floats:
    """On how many of these names two nodes agree exactly."""
    places: dict[tuple[str, float | str], int] = {}
    sides = []
    for nodes in (expected, actual):
        sides.append(
            [
                [
                    places.setdefault((name, _comparable(value)), len(places))
                    for name, value in node.attributes.items()
                    if name in names
                ]
                for node in nodes
            ]
        )
    left, right = (_incidence(side, len(places)) for side in sides)
    return _product(left, right)


def _type_overlap(expected: Sequence[Node], actual: Sequence[Node]) -> Floats:
    places: dict[str, int] = {"": 0}
    sides, numbers = [], []
    for nodes in (expected, actual):
        rows, which = _numbered([tuple(sorted(set(node.types))) for node in nodes])
        sides.append(
            [[places.setdefault(one, len(places)) for one in types] or [0] for types in rows]
        )
        numbers.append(which)
    left, right = (_incidence(side, len(places)) for side in sides)
    shared = _product(left, right)
    union = left.sum(axis=1)[:, None] + right.sum(axis=1)[None, :] - shared
    return taken(shared / np.maximum(union, 1), *numbers)


Rows: TypeAlias = "sparse.csr_array | Floats"


def _product(left: Rows, right: Rows) -> Floats:
    """left · rightᵀ. Few columns are nearly all used, and dense products are then faster."""
    if left.shape[1] <= _FEW_COLUMNS:
        dense: Floats = _dense(left) @ _dense(right).T
        return dense
    return _dense(left @ right.T)


def _dense(rows: Rows) -> Floats:
    dense: Floats = rows if isinstance(rows, np.ndarray) else rows.toarray()
    return dense


def _scaled(rows: Rows, columns: Floats) -> Rows:
    if isinstance(rows, np.ndarray):
        return rows * columns
    return rows.multiply(columns[None, :]).tocsr()


def _incidence(rows: Sequence[Sequence[int]], width: int) -> Rows:
    """Ones where a row says so; where there are not many cells, dense, which takes less time."""
    width = max(1, width)
    counts = [len(row) for row in rows]
    columns = np.array([column for row in rows for column in row], dtype=np.int64)
    if len(rows) * width <= _FEW_CELLS:
        table = np.zeros((len(rows), width))
        table[np.repeat(np.arange(len(rows)), counts), columns] = 1.0
        return table
    return sparse.csr_array(
        (np.ones(len(columns)), columns, np.cumsum([0, *counts])), shape=(len(rows), width)
    )
