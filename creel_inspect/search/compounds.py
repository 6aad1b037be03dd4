"""Compound names to structures, without a network.

Two tables, asked in this order:

1. ``data/compounds.tsv``: the abbreviations and reagents of a synthesis laboratory ("THF",
   "Pd2(dba)3"), which the library lacks or draws in ways depositors do not.
2. The name table of the `chemicals` library (about 76,000 compounds from PubChem), read once, on
   the first name the first table does not hold; that takes about two seconds.

Only *names* count. The library lists CAS numbers, registry and catalogue codes, InChI keys and
molecular formulas among a compound's synonyms; all are left out, because a code nobody would say
aloud is more often a slip than a compound. (Formulas in daily laboratory use, "K2CO3", are names:
they are in the first table.)

Spelling is folded before it is compared: case, white space, hyphens, Greek letters, primes,
Unicode dashes and the British spellings of sulfur, aluminum and cesium. Folding case cannot tell
"D-" from "d-" or "N-" from "n-"; where that, or a careless synonym, leaves one spelling with two
structures, the name a record gives as its own beats a mere synonym, and two of equal standing are
refused as ambiguous rather than chosen between.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from rdkit import Chem, rdBase
from rdkit.Chem import rdChemReactions, rdMolDescriptors

MAX_NAME = 500
"""Longest name looked up, in characters; the grammar's own bound."""

_LONGEST_MENTION = 80
_MOST_WORDS = 6


class UnknownCompound(LookupError):
    """A name that is in neither table, or stands for no single structure.

    Attributes:
        name: The name as asked, cut to 80 characters.
    """

    def __init__(self, name: str, problem: str = "is not in the local compound table") -> None:
        self.name = name if len(name) <= 80 else f"{name[:77]}..."
        super().__init__(
            f"compound name {self.name!r} {problem}; no network service was asked. "
            "Use another name for it, or give its structure"
        )


class AmbiguousCompound(UnknownCompound):
    """A name that two or more records claim, with different structures.

    Attributes:
        name: The name as asked.
        candidates: The canonical SMILES it could stand for, sorted.
    """

    def __init__(self, name: str, candidates: tuple[str, ...]) -> None:
        self.candidates = candidates
        shown = ", ".join(candidates[:3]) + (", ..." if len(candidates) > 3 else "")
        super().__init__(name, f"stands for {len(candidates)} structures ({shown})")


@dataclass(frozen=True)
class Mention:
    """A compound name found in running text: ``text[start:end] == name``."""

    start: int
    end: int
    name: str


_FOLDS = str.maketrans(
    {
        "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ω": "omega",
        "κ": "kappa", "μ": "mu", "µ": "mu", "η": "eta", "λ": "lambda", "π": "pi", "σ": "sigma",
        "’": "'", "‘": "'", "′": "'", "ʹ": "'", "`": "'", "″": "''", '"': "''",
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "\u00ad": "-",
        "·": "-", "•": "-", "⋅": "-", "∙": "-", "×": "-",
    }
)  # fmt: skip
_SPELLINGS = (("sulph", "sulf"), ("aluminium", "aluminum"), ("caesium", "cesium"))


def fold(name: str) -> str:
    """Returns the spelling a name is compared by: two names that fold alike are one name.

    Args:
        name: Any text.

    Returns:
        The text in lower case and plain letters, with neither white space nor hyphens.
    """
    return _fold("".join(name.split()))


def _fold(name: str) -> str:
    # Run on 900,000 names: text in ASCII, nearly all of them, skips the Unicode work.
    if not name.isascii():
        name = unicodedata.normalize("NFKD", name.lower().translate(_FOLDS))
        name = "".join(c for c in name if not unicodedata.combining(c)).translate(_FOLDS)
    folded = name.lower().replace(" ", "").replace("-", "").replace('"', "''")
    for theirs, ours in _SPELLINGS:
        folded = folded.replace(theirs, ours)
    return folded


def _data_lines(filename: str) -> list[str]:
    text = resources.files(__package__).joinpath("data", filename).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


@lru_cache(maxsize=1)
def supplement() -> dict[str, str]:
    """Returns our own table: each name as printed on a bottle, mapped to its SMILES."""
    table = {}
    for line in _data_lines("compounds.tsv"):
        name, smiles = line.split("\t")
        table[name] = smiles
    return table


@lru_cache(maxsize=1)
def _supplement_by_fold() -> dict[str, str]:
    return {fold(name): smiles for name, smiles in supplement().items()}


@lru_cache(maxsize=1)
def _ordinary_words() -> frozenset[str]:
    return frozenset(word for line in _data_lines("ordinary_words.txt") for word in line.split())


# --- the library's table -------------------------------------------------------------------------

_THREE_LETTERS = re.compile(r"[a-z]{3}")
_FOUR_LETTERS = re.compile(r"[a-z]{4}")
_CODE = re.compile(
    # InChI and InChI keys; hexadecimal identifiers; "NSC 93590", "UNII-UF1UOO2PHO", "EC 214-222-2"
    r"inchi[\s:=/].*|[a-z]{14}-[a-z]{10}-[a-z]|[0-9a-f-]{20,}"
    r"|(?:nsc|unii|schembl|chembl|chebi|einecs|dtxsid|dtxcid|akos\w*|brn|ccris|hsdb|zinc|mfcd|bdbm"
    r"|bspbio|spectrum|prestwick\w*|kbio\w*|cas|epa|ec|fema|ai3|rcra|un|usaf|wln|tox21|ncgc|caswell)"
    r"[\s:_.#-]*[a-z]{0,3}[\s_.-]*\d[\w.-]*"
)


def _is_name(text: str) -> bool:
    """Says whether a text reads as a name, rather than as a formula, a structure or a code."""
    lowered = text.lower()
    if _CODE.fullmatch(lowered):
        return False
    return (
        _FOUR_LETTERS.search(lowered) is not None
        or " " in lowered.strip()
        or (_THREE_LETTERS.search(lowered) is not None and not any(c.isdigit() for c in lowered))
    )


def _is_formula(text: str, molecule: Chem.Mol) -> bool:
    """Says whether a text is a molecule's formula, its elements in any order."""
    return sorted(text.lower()) == sorted(rdMolDescriptors.CalcMolFormula(molecule).lower())


@dataclass(frozen=True)
class _Table:
    """The library's names: ``keys[fold(name)]`` is ``2 * record``, plus 1 for a mere synonym.

    ``clashes`` holds every record of equal standing for the names that have several.
    """

    smiles: list[str]
    keys: dict[str, int]
    clashes: dict[str, set[int]]


def _records() -> Iterable[tuple[str, list[str]]]:
    """Yields each compound's SMILES and names, its IUPAC and common names first."""
    # Imported here: it takes 0.4 s, and a name of our own table does not need it.
    from chemicals.identifiers import ChemicalMetadataDB  # noqa: PLC0415

    # The library's own reader builds six indexes, over CAS numbers, InChI keys and the like, which
    # doubles the time and the memory. Its files say the same, a later file correcting an earlier.
    database = ChemicalMetadataDB(elements=False)
    by_cas: dict[str, tuple[str, list[str]]] = {}
    for path in [database.main_db, *database.user_dbs]:
        with open(path, encoding="utf-8") as lines:  # noqa: PTH123 (a path the library gives)
            for line in lines:
                values = line.rstrip("\n").split("\t")
                by_cas[values[1]] = (values[4], values[7:])
    return by_cas.values()


@lru_cache(maxsize=1)
def _table() -> _Table:
    structures: list[str] = []
    keys: dict[str, int] = {}
    clashes: dict[str, set[int]] = {}
    for number, (smiles, names) in enumerate(_records()):
        structures.append(smiles)
        own = set(names[:2])
        for text in names:
            key = _fold(text)
            entry = 2 * number + (text not in own)
            held = keys.setdefault(key, entry)
            if held == entry:
                continue
            if held % 2 > entry % 2:
                keys[key] = entry
                clashes.pop(key, None)
            elif held % 2 == entry % 2:
                clashes.setdefault(key, {held // 2}).add(number)
    return _Table(structures, keys, clashes)


# --- structures ----------------------------------------------------------------------------------

# InChI, which the library's drawings come from, writes amides as imidic acids. The compound is the
# same to `same_compound`, but not to `substructure` or `similarity`.
_AMIDE = "[C;$(C([OX2H1])=[NX2;!+]):1]([OX2H1:2])=[NX2;!+:3]>>[C:1](=[O:2])[N:3]"


@lru_cache(maxsize=1)
def _amide() -> rdChemReactions.ChemicalReaction:
    return rdChemReactions.ReactionFromSmarts(_AMIDE)


def _drawn(smiles: str, name: str) -> str | None:
    """Returns the canonical SMILES with amides drawn as amides.

    None where there is no molecule, or the name is only the molecule's formula.
    """
    with rdBase.BlockLogs():
        molecule = Chem.MolFromSmiles(smiles)
        if molecule is None or not molecule.GetNumAtoms() or _is_formula(name, molecule):
            return None
        for _ in range(60):  # each turn redraws one group; peptides hold a few dozen
            products = _amide().RunReactants((molecule,), 1)
            if not products or Chem.SanitizeMol(products[0][0], catchErrors=True):
                break
            molecule = products[0][0]
        return str(Chem.MolToSmiles(molecule))


def _plainest(candidates: tuple[str, ...]) -> tuple[str, ...]:
    """Narrows structures with one name to what a name without descriptors stands for.

    Radicals and isotopologues give way to the ordinary molecule, and where all that is left are
    stereoisomers of one drawing without stereochemistry, that drawing is meant.
    """
    molecules = {smiles: Chem.MolFromSmiles(smiles) for smiles in candidates}
    ordinary = tuple(
        smiles
        for smiles, molecule in molecules.items()
        if not any(a.GetNumRadicalElectrons() or a.GetIsotope() for a in molecule.GetAtoms())
    )
    left = ordinary or candidates
    flat = set()
    for smiles in left:
        Chem.RemoveStereochemistry(molecules[smiles])
        flat.add(str(Chem.MolToSmiles(molecules[smiles])))
    return tuple(flat) if len(flat) == 1 and flat <= set(left) else left


@lru_cache(maxsize=4096)
def resolve(name: str) -> str:
    """Returns the structure a compound's name stands for.

    Args:
        name: A compound's name or laboratory abbreviation, in any case and spacing.

    Returns:
        A SMILES that RDKit parses to at least one atom.

    Raises:
        UnknownCompound: If neither table holds the name, or it is longer than `MAX_NAME`.
        AmbiguousCompound: If the name stands for two or more structures.
    """
    if len(name) > MAX_NAME:
        raise UnknownCompound(name, f"is longer than {MAX_NAME} characters")
    key = fold(name)
    ours = _supplement_by_fold().get(key)
    if ours is not None:
        return ours
    if not _is_name(name):
        raise UnknownCompound(name)
    table = _table()
    entry = table.keys.get(key)
    if entry is None:
        raise UnknownCompound(name)
    records = table.clashes.get(key, {entry // 2})
    drawn = {_drawn(table.smiles[record], name) for record in records}
    candidates = tuple(sorted(smiles for smiles in drawn if smiles is not None))
    if not candidates:
        raise UnknownCompound(name, "has no readable structure in the local compound table")
    if len(candidates) > 1:
        candidates = _plainest(candidates)
    if len(candidates) > 1:
        raise AmbiguousCompound(name, candidates)
    return candidates[0]


def known(name: str) -> bool:
    """Says whether `resolve` would return a structure for a name."""
    try:
        resolve(name)
    except UnknownCompound:
        return False
    return True


# --- names in running text -----------------------------------------------------------------------

_START = re.compile(r"(?<![\w@#-])[\w(\[]")
_WORD_END = re.compile(
    r"\S(?=\s|$|[,;:?!)/\"”’]|\.(?:\s|$)|-(?!\w)|-(?=catal|free|mediat|promot|based|contain))"
)
_ENDS_LIKE_A_COMPOUND = re.compile(
    r"(?:an|en|yn|ol|on|idin|azol|oxid|chlorid|bromid|iodid|fluorid|id|at|it|amin|imin|in|os)e?$"
    r"|(?:yl|ium|ether|acid|alcohol|aldehyde|nitrile|amide|lactam|lactone|glycol|anhydride"
    r"|phos|phenol|oxane|phosphine|silane|borane|urea|glyme|hydrate|al)$"
)


_SMALL_WORDS = """
    a an and are as at be but by do for from had has have he if in into is it its less more no not
    of off on one or out over per so than that the them then to under up was were when with
"""
_FUNCTION_WORDS = frozenset(_SMALL_WORDS.split())


def _spottable(text: str) -> bool:
    """Says whether a stretch of a question should be read as a compound's name.

    Stricter than `resolve`, which is only asked about what somebody already called a compound: the
    library's synonyms hold trade names ("moon" is glycerol). A lone word has to be one of our own,
    or look like a compound; and a word of ordinary English counts only when it is written as an
    abbreviation of ours is ("TEA", not "tea").
    """
    key = fold(text)
    if key in _ordinary_words() or len(key) <= 2:
        return text in supplement() and not text.islower()
    if key in _supplement_by_fold():
        return True
    entry = _table().keys.get(key)
    if entry is None or len(key) < 4 or not _is_name(text):
        return False
    words = text.lower().split()
    if words[0] in _FUNCTION_WORDS or words[-1] in _FUNCTION_WORDS:
        return False  # folding drops spaces, so "nitrogen in" could fold to a name
    if len(words) == 1 and entry % 2 == 0 and len(key) >= 5:
        return True
    return _ENDS_LIKE_A_COMPOUND.search(words[-1]) is not None or any(c.isdigit() for c in key)


def _candidates(text: str, start: int) -> list[int]:
    """Returns the ends, longest first, of what could be one name starting at ``start``."""
    ends = []
    window = text[start : start + _LONGEST_MENTION]
    for match in _WORD_END.finditer(window):
        span = window[: match.end()]
        if len(span.split()) > _MOST_WORDS:
            break
        # A name closes what it opens; "(ethanol)" is a name in brackets.
        if span.count("(") == span.count(")") and span.count("[") == span.count("]"):
            ends.append(start + match.end())
    return ends[::-1]


def find(text: str) -> tuple[Mention, ...]:
    """Finds the compound names in a text, longest first from the left, on word boundaries.

    Words of ordinary English that are also compounds ("lead", "base", "stop") are left out; they
    are listed in ``data/ordinary_words.txt``. Names of two letters and abbreviations that spell a
    word ("TEA", "CAN", "DEAD") count only as they are written on a bottle.

    Args:
        text: A question; at most its first 4,000 characters are read.

    Returns:
        The mentions in order, none overlapping another.
    """
    text = text[:4000]
    mentions: list[Mention] = []
    position = 0
    for match in _START.finditer(text):
        start = match.start()
        if start < position:
            continue
        for end in _candidates(text, start):
            name = text[start:end]
            if _spottable(name) and known(name):
                mentions.append(Mention(start, end, name))
                position = end
                break
    return tuple(mentions)
