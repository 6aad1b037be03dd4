"""Mistakes of chemistry: the wrong predicate, compound, stereo, pattern or template."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ord_schema.artifacts import structures
from rdkit import Chem, rdBase

from creel_inspect.search.mutants.confusions import COMPOUNDS
from creel_inspect.search.mutants.formula import STRUCTURAL
from creel_inspect.search.mutants.sites import Edit, Node, Site, both, compare, some, spell

_BRACKET = re.compile(r"\[[^\[\]]*\]")
_ORGANIC = re.compile(r"\[[^\[\]]*\]|Br|Cl|[A-Za-z]|.")
_ALIPHATIC = {"c": "#6", "n": "#7", "o": "#8", "s": "#16"}
_METALS = {"Pd": ("Pt", "Ni"), "Ni": ("Pd",), "Cu": ("Pd",), "Pt": ("Pd",), "Ru": ("Rh",)}
_HALOGENS = ("F", "Cl", "Br", "I")


def predicates(site: Site) -> Iterator[Edit]:
    """Asks the wrong kind of question about a structure."""
    node = site.node
    op, path = node["op"], node.get("path")
    text = node.get("smarts") or node.get("smiles")
    if op not in STRUCTURAL or text is None or path is None:
        return
    told: list[Node] = []
    if op != "substructure" or _canonical(text) is not None:
        for other in ("same_compound", "same_parent"):
            told.append({"op": other, "path": path, "smiles": text})
        told.append({"op": "similarity", "path": path, "smiles": text, "threshold": 0.5})
        told.append(compare("eq", path, _canonical(text) or text))
    if op != "substructure":
        told.append({"op": "substructure", "path": path, "smarts": text})
    elif not any(mark in text for mark in "$;&,!#"):
        told.append(compare("contains", path, text))
    for other_node in told:
        if other_node["op"] != op:
            yield site.edit(
                "wrong-structure-predicate", other_node, f"asks `{spell(other_node)}` for `{op}`"
            )
    if op == "similarity":
        for step in (-0.1, 0.1, -0.2):
            threshold = round(node["threshold"] + step, 3)
            if 0 < threshold <= 1:
                yield site.edit(
                    "move-threshold",
                    {**node, "threshold": threshold},
                    f"asks for similarity {threshold} instead of {node['threshold']}",
                )


def stereo(site: Site) -> Iterator[Edit]:
    """Ignores, demands, forgets or inverts drawn stereo."""
    node = site.node
    key = "smarts" if "smarts" in node else "smiles"
    text = node.get(key)
    if text is None or not any(mark in text for mark in "@/\\"):
        return
    if node["op"] in ("substructure", "reaction_smarts"):
        flag = not node.get("chirality", True)
        yield site.edit(
            "chirality-flag",
            {**node, "chirality": flag},
            "demands the drawn stereo" if flag else "ignores the drawn stereo",
        )
        if flag:
            return  # what is ignored can be drawn any way
    inverted = _BRACKET.sub(
        lambda found: found[0].replace("@@", "\0").replace("@", "@@").replace("\0", "@"), text
    )
    ways = [
        (_BRACKET.sub(lambda found: found[0].replace("@", ""), text), "forgets the stereo drawn"),
        (inverted, "draws the mirror image"),
        (re.sub(r"[/\\]", "", text), "forgets the geometry of a double bond"),
        (_other_geometry(text), "draws the other geometry of a double bond"),
    ]
    for wrong, why in ways:
        if wrong != text:
            yield site.edit("wrong-stereo", {**node, key: wrong}, f"{why}: {wrong}")


def compounds(site: Site) -> Iterator[Edit]:
    """Takes a salt for its base, or a compound for a near relative."""
    node = site.node
    drawn = node.get("smiles")
    if node["op"] not in ("same_compound", "same_parent", "similarity") or drawn is None:
        return
    for wrong in _relatives(drawn):
        yield site.edit("wrong-compound", {**node, "smiles": wrong}, f"takes {wrong} for {drawn}")


def patterns(site: Site) -> Iterator[Edit]:
    """Draws a pattern too broad, too narrow, or of another element."""
    node = site.node
    if node["op"] != "substructure" or node.get("smarts") is None:
        return
    for wrong, why in _broadened(node["smarts"]):
        yield site.edit("wrong-pattern", {**node, "smarts": wrong}, f"{why}: {wrong}")


def templates(site: Site) -> Iterator[Edit]:
    """Drops or exchanges templates of a reaction, or asks for its molecules alone."""
    node = site.node
    if node["op"] != "reaction_smarts":
        return
    sides = node["smarts"].split(">")
    if len(sides) != 3:
        return
    parts = [_templates(side) for side in sides]
    for index, side in enumerate(parts):
        for drop, template in enumerate(side):
            fewer = [*side[:drop], *side[drop + 1 :]]
            kept = [*sides[:index], ".".join(fewer), *sides[index + 1 :]]
            yield _reaction(site, kept, f"drops the template {template}")
        for other, template in enumerate(side if index < 2 else []):
            for wrong, why in _broadened(template):
                changed = [*side[:other], wrong, *side[other + 1 :]]
                kept = [*sides[:index], ".".join(changed), *sides[index + 1 :]]
                yield _reaction(site, kept, f"{why}: {wrong}")
    yield _reaction(site, sides[::-1], "exchanges reactants and products")
    if sides[0] and not sides[1]:
        yield _reaction(site, ["", sides[0], sides[2]], "takes the reactants for agents")
    if len(parts[0]) > 1 and "(" not in sides[0]:
        grouped = [f"({sides[0]})", sides[1], sides[2]]
        yield _reaction(site, grouped, "asks one molecule for every reactant template")
    if not site.prefix:
        found = [
            some(level, {"op": "substructure", "path": "smiles", "smarts": template})
            for side, level in ((parts[0], "inputs.components"), (parts[2], "outcomes.products"))
            for template in side
        ]
        for told in [both(*found), *found] if len(found) > 1 else found:
            yield site.edit(
                "wrong-template", told, f"asks for molecules, not for a reaction: `{spell(told)}`"
            )


def _reaction(site: Site, sides: list[str], why: str) -> Edit:
    smarts = ">".join(sides)
    return site.edit("wrong-template", {**site.node, "smarts": smarts}, f"{why}: {smarts}")


def _templates(side: str) -> list[str]:
    """Returns the templates of one side: what stands between dots outside any bracket."""
    found, depth = [""], 0
    for mark in side:
        depth += (mark in "([") - (mark in ")]")
        if mark == "." and depth == 0:
            found.append("")
        else:
            found[-1] += mark
    return [template for template in found if template]


def _broadened(smarts: str) -> Iterator[tuple[str, str]]:
    """Yields patterns near one, each with what is wrong about it."""
    tokens = _ORGANIC.findall(smarts)
    if any(token in _ALIPHATIC for token in tokens):
        loose = [f"[{_ALIPHATIC[token]}]" if token in _ALIPHATIC else token for token in tokens]
        yield "".join(loose), "matches any atom for an aromatic one"
        upper = [token.upper() if token in _ALIPHATIC else token for token in tokens]
        if not any(token.isdigit() for token in tokens):
            yield "".join(upper), "matches aliphatic atoms for aromatic ones"
    for bracket in sorted(set(re.findall(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]", smarts))):
        inner = bracket[1:-1]
        choices = _choices(inner)
        if len(choices) > 1:
            for choice in choices:
                yield smarts.replace(bracket, f"[{choice}]"), "keeps one alternative only"
            if all(choice in _HALOGENS for choice in choices) and len(choices) < 4:
                every = ",".join(_HALOGENS)
                yield smarts.replace(bracket, f"[{every}]"), "takes every halogen"
        for other in _METALS.get(inner, ()):
            yield smarts.replace(bracket, f"[{other}]"), "names another metal"
        if inner in _METALS:
            several = ",".join((inner, *_METALS[inner]))
            yield smarts.replace(bracket, f"[{several}]"), "takes other metals too"
    for token in ("Cl", "Br", "F", "I"):
        if token in tokens:
            other = {"Cl": "Br", "Br": "Cl", "F": "Cl", "I": "Br"}[token]
            swapped = [other if found == token else found for found in tokens]
            yield "".join(swapped), "names another halogen"
            every = ",".join(_HALOGENS)
            any_halogen = [f"[{every}]" if found == token else found for found in tokens]
            yield "".join(any_halogen), "takes every halogen"
    if len(tokens) > 1 and tokens[0] == "c" and tokens[1] not in "1234567890(":
        yield "".join(tokens[1:]), "forgets the first atom"


def _choices(inner: str) -> list[str]:
    """Returns the alternatives of an atom expression: what stands between outer commas."""
    found, depth = [""], 0
    for mark in inner:
        depth += (mark in "([") - (mark in ")]")
        if mark == "," and depth == 0:
            found.append("")
        else:
            found[-1] += mark
    return found


def _other_geometry(smiles: str) -> str:
    """Returns a drawing with its first geometry mark turned; as it is where it has none."""
    found = re.search(r"[/\\]", smiles)
    if found is None:
        return smiles
    turned = "\\" if found[0] == "/" else "/"
    return smiles[: found.start()] + turned + smiles[found.end() :]


@lru_cache(maxsize=4096)
def _canonical(text: str) -> str | None:
    with rdBase.BlockLogs():
        molecule = Chem.MolFromSmiles(text)
    return None if molecule is None else str(Chem.MolToSmiles(molecule))


@lru_cache(maxsize=4096)
def _relatives(smiles: str) -> tuple[str, ...]:
    """Returns compounds that are taken for one: salts and bases first, then neighbours."""
    with rdBase.BlockLogs():
        molecule = Chem.MolFromSmiles(smiles)
        if molecule is None:
            return ()
        canonical = Chem.MolToSmiles(molecule)
        found = [*_salts(molecule, canonical), *COMPOUNDS.get(canonical, ())]
        if len(found) < 3:
            found += _neighbours(molecule)
    return tuple(other for other in dict.fromkeys(found) if other != canonical)


def _salts(molecule: Chem.Mol, canonical: str) -> Iterator[str]:
    stripped = structures.salt_parent(molecule)
    if stripped.GetNumAtoms() < molecule.GetNumAtoms():
        yield Chem.MolToSmiles(stripped)
        if "[Na+]" in canonical:
            yield canonical.replace("[Na+]", "[K+]")
        elif "[K+]" in canonical:
            yield canonical.replace("[K+]", "[Na+]")
        return
    if molecule.HasSubstructMatch(Chem.MolFromSmarts("[NX3;!$(N[C,S]=[O,N,S]);!$(N=*);!$(Nc)]")):
        yield f"{canonical}.Cl"
    acid = Chem.MolFromSmarts("[CX3](=O)[OX2H1]")
    match = molecule.GetSubstructMatch(acid)
    if match:
        anion = Chem.RWMol(molecule)
        oxygen = anion.GetAtomWithIdx(match[2])
        oxygen.SetFormalCharge(-1)
        oxygen.SetNumExplicitHs(0)
        yield f"{Chem.MolToSmiles(anion)}.[Na+]"


def _neighbours(molecule: Chem.Mol) -> Iterator[str]:
    """Yields the compound with another halogen, and with one methyl more or less."""
    exchanged = {9: 17, 17: 35, 35: 17, 53: 35}
    for atom in molecule.GetAtoms():
        if atom.GetAtomicNum() in exchanged and atom.GetDegree() == 1:
            edited = Chem.RWMol(molecule)
            other = exchanged[atom.GetAtomicNum()]
            edited.GetAtomWithIdx(atom.GetIdx()).SetAtomicNum(other)
            yield Chem.MolToSmiles(edited)
            break
    for atom in molecule.GetAtoms():
        methyl = atom.GetAtomicNum() == 6 and atom.GetTotalNumHs() == 3
        on_carbon = [other.GetAtomicNum() for other in atom.GetNeighbors()] == [6]
        if methyl and on_carbon and molecule.GetNumHeavyAtoms() > 3:
            edited = Chem.RWMol(molecule)
            edited.RemoveAtom(atom.GetIdx())
            yield _sanitised(edited)
            break
    for atom in molecule.GetAtoms():
        if atom.GetAtomicNum() == 6 and atom.GetTotalNumHs() > 0:
            edited = Chem.RWMol(molecule)
            added = edited.AddAtom(Chem.Atom(6))
            edited.AddBond(atom.GetIdx(), added, Chem.BondType.SINGLE)
            edited.GetAtomWithIdx(atom.GetIdx()).SetNoImplicit(False)
            edited.GetAtomWithIdx(atom.GetIdx()).SetNumExplicitHs(0)
            yield _sanitised(edited)
            break


def _sanitised(edited: Chem.RWMol) -> str:
    """Returns the SMILES of an edited molecule, or an unreadable one, which is left out."""
    try:
        Chem.SanitizeMol(edited)
    except ValueError:
        return ""
    return str(Chem.MolToSmiles(edited))
