"""Products from reactants: every product of the corpus comes out of a template in this module."""

from __future__ import annotations

from functools import cache

from rdkit import Chem
from rdkit.Chem import rdChemReactions

_AMINE = "[NX3;H2,H1;!$(NC=O);!$(NS(=O)=O)"
_CARBONYL = "[C;$([CX3H1](=O)[#6]),$([CX3](=O)([#6])[#6])"

TEMPLATES = {
    "suzuki": "[c:1][Br,I].[#6:2][#5]>>[c:1]-[#6:2]",
    "suzuki of a chloride": "[c:1]Cl.[#6:2][#5]>>[c:1]-[#6:2]",
    "suzuki of an alkyl halide": "[CX4:1][Br,I].[#6:2][#5]>>[C:1]-[#6:2]",
    "homocoupling": "[c:1][#5].[c:2][#5]>>[c:1]-[c:2]",
    "reductive coupling": "[c:1][Br,I].[c:2][Br,I]>>[c:1]-[c:2]",
    "protodehalogenation": "[c:1][Cl,Br,I]>>[cH:1]",
    "amide": "[CX3:1](=[O:2])[OX2H]." + _AMINE + ":3]>>[C:1](=[O:2])[N:3]",
    "acylation": "[CX3:1](=[O:2])Cl." + _AMINE + ":3]>>[C:1](=[O:2])[N:3]",
    "amide at carbon": "[CX3:1](=[O:2])[OX2H].[CX4:4][NH2:3]>>[C:1](=[O:2])[N:3][C:4]",
    "acylation at the ring": "[CX3:1](=[O:2])Cl.[c:4][NH2:3]>>[C:1](=[O:2])[N:3][c:4]",
    "ester from a chloride": "[CX3:1](=[O:2])Cl.[CX4:4][OX2H:3]>>[C:1](=[O:2])[O:3][C:4]",
    "N-alkylation by a chloride": _AMINE + ":1].[CX4:2]Cl>>[N:1]-[C:2]",
    "esterification": "[CX3:1](=[O:2])[OX2H].[CX4:4][OX2H:3]>>[C:1](=[O:2])[O:3][C:4]",
    "hydrolysis": "[CX3;!$(CN):1](=[O:2])[OX2:3][CX4]>>[C:1](=[O:2])[OH:3]",
    "Boc removal": "[N:1]C(=O)OC(C)(C)C>>[N:1]",
    "SNAr": "[c:1][F,Cl]." + _AMINE + ":2]>>[c:1]-[N:2]",
    "Buchwald-Hartwig": "[c:1][Br,I,Cl]." + _AMINE + ":2]>>[c:1]-[N:2]",
    "second arylation": "[c:1][Br,I,Cl].[NX3H1;$(Nc):2]>>[c:1]-[N:2]",
    "reductive amination": _CARBONYL + ":1]=O." + _AMINE + ":2]>>[C:1]-[N:2]",
    "N-alkylation": _AMINE + ":1].[CX4:2][Br,I]>>[N:1]-[C:2]",
    "O-alkylation": "[c:1][OX2H:2].[CX4:3][Br,I]>>[c:1][O:2][C:3]",
    "pyridone N-alkylation": "[nH:1][c:2]=[O:3].[CX4:4][Br,I]>>[n:1]([C:4])[c:2]=[O:3]",
    "nitration": "[cH:1]>>[c:1][N+](=O)[O-]",
    "nitro reduction": "[c:1][N+](=O)[O-]>>[c:1][NH2]",
    "carbonyl reduction": _CARBONYL + ":1]=[O:2]>>[C:1][OH:2]",
    "ketone reduction, one face": "[c:3][CX3:1](=[O:2])[CH3:4]>>[c:3][C@@H:1]([OH:2])[CH3:4]",
    "ketone reduction, other face": "[c:3][CX3:1](=[O:2])[CH3:4]>>[c:3][C@H:1]([OH:2])[CH3:4]",
    "organometallic addition": _CARBONYL + ":1]=[O:2].[#6:3][Li,Mg]>>[C:1]([OH:2])[#6:3]",
    "ester to aldehyde": "[CX3;!$(CN):1](=[O:2])[OX2][CX4]>>[CH:1]=[O:2]",
    "hydrogenation": "[C:1]=[C:2]>>[C:1][C:2]",
    "alcohol oxidation": "[CX4;H1,H2:1][OX2H:2]>>[C:1]=[O:2]",
    "sulfide oxidation": "[#6:1][SX2:2][#6:3]>>[#6:1][S:2](=O)[#6:3]",
    "sulfide oxidation, charge-separated": "[#6:1][SX2:2][#6:3]>>[#6:1][S+:2]([O-])[#6:3]",
    "sulfone": "[#6:1][SX2:2][#6:3]>>[#6:1][S:2](=O)(=O)[#6:3]",
    "trifluoromethylation": "[cH:1]>>[c:1]C(F)(F)F",
    "benzylic bromination": "[c:1][CH3:2]>>[c:1][CH2:2]Br",
    "N-oxidation": "[nX2;!$(n=*):1]>>[n+:1][O-]",
}


@cache
def _reaction(name: str) -> rdChemReactions.ChemicalReaction:
    return rdChemReactions.ReactionFromSmarts(TEMPLATES[name])


@cache
def products(template: str, reactants: tuple[str, ...]) -> tuple[str, ...]:
    """Return the distinct products of a template as canonical SMILES, in the order of InChIKeys.

    InChIKeys, because the spelling of a canonical SMILES moves between RDKit releases.

    Args:
        template: A key of ``TEMPLATES``.
        reactants: SMILES, one for each reactant template, in its order.

    Raises:
        ValueError: If the template does not apply to these reactants.
    """
    molecules = tuple(Chem.MolFromSmiles(smiles) for smiles in reactants)
    found: dict[str, str] = {}
    for (product,) in _reaction(template).RunReactants(molecules):
        if Chem.SanitizeMol(product, catchErrors=True) == Chem.SanitizeFlags.SANITIZE_NONE:
            smiles = Chem.MolToSmiles(Chem.MolFromSmiles(Chem.MolToSmiles(product)))
            key = Chem.MolToInchiKey(Chem.MolFromSmiles(smiles))  # type: ignore[no-untyped-call]
            found[key] = smiles
    if not found:
        raise ValueError(f"template {template!r} makes nothing of {reactants}")
    return tuple(smiles for _, smiles in sorted(found.items()))
