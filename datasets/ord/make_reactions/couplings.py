"""Suzuki couplings, amide formations and aminations."""

from __future__ import annotations

from dice import Dice
from write_up import Parts, Reactants, Recipe

_BROMIDES = (
    "4-bromoanisole",
    "bromobenzene",
    "3-bromopyridine",
    "4-bromobenzonitrile",
    "2-bromonaphthalene",
    "1-bromo-4-nitrobenzene",
    "4-bromofluorobenzene",
    "methyl 4-bromobenzoate",
    "iodobenzene",
    "4-iodoanisole",
    "4-iodoacetophenone",
    "1-bromo-4-chlorobenzene",
)
_CHLORIDES = (
    "chlorobenzene",
    "4-chloroanisole",
    "3-chloropyridine",
    "2-chloropyridine",
    "4-chlorobenzonitrile",
    "2-chloroquinoline",
)
_BORONS = (
    "phenylboronic acid",
    "4-methoxyphenylboronic acid",
    "4-fluorophenylboronic acid",
    "3-pyridylboronic acid",
    "2-naphthylboronic acid",
    "3-nitrophenylboronic acid",
    "phenylboronic acid pinacol ester",
    "4-pyridylboronic acid pinacol ester",
    "1-methylpyrazole-4-boronic acid pinacol ester",
    "potassium phenyltrifluoroborate",
    "potassium 4-methoxyphenyltrifluoroborate",
    "cyclopropylboronic acid",
)
_AMINES = (
    "aniline",
    "4-toluidine",
    "4-anisidine",
    "4-fluoroaniline",
    "benzylamine",
    "cyclohexylamine",
    "morpholine",
    "piperidine",
    "N-Boc-piperazine",
    "pyrrolidine",
    "N-methylaniline",
    "2-aminopyridine",
    "dimethylamine hydrochloride",
    "(S)-1-phenylethylamine",
    "morpholine hydrochloride",
    "piperazine",
)
_ACIDS = (
    "benzoic acid",
    "nicotinic acid",
    "4-nitrobenzoic acid",
    "4-chlorobenzoic acid",
    "3-bromobenzoic acid",
    "phenylacetic acid",
    "cyclohexanecarboxylic acid",
    "cinnamic acid",
    "ibuprofen",
    "Boc-L-proline",
    "Boc-D-proline",
    "Boc-glycine",
    "acetic acid",
)
CARBONYLS = (
    "benzaldehyde",
    "4-anisaldehyde",
    "nicotinaldehyde",
    "cyclohexanecarboxaldehyde",
    "acetophenone",
    "cyclohexanone",
    "N-Boc-4-piperidone",
    "4-nitrobenzaldehyde",
)


def suzuki(slug: str, dice: Dice) -> Recipe:
    """Return a Suzuki coupling of a halide with an organoboron compound."""
    chloride = dice.chance("chloride", 0.35)
    halide = dice.choice("halide", _CHLORIDES if chloride else _BROMIDES)
    catalyst = dice.choice(
        "catalyst",
        ("Pd(PPh3)4", "Pd(OAc)2", "Pd2(dba)3", "PdCl2", "NiCl2(glyme)", "nickel(II) chloride"),
    )
    others = [
        (catalyst, "CATALYST", dice.choice("loading", (0.01, 0.02, 0.05, 0.1))),
        (
            dice.choice(
                "base",
                (
                    "potassium carbonate",
                    "sodium carbonate",
                    "cesium carbonate",
                    "potassium phosphate",
                    "potassium acetate",
                    "sodium bicarbonate",
                    "triethylamine",
                ),
            ),
            "REAGENT",
            2.0,
        ),
    ]
    if catalyst in {"Pd(OAc)2", "Pd2(dba)3", "PdCl2"}:
        ligand = dice.choice("ligand", ("XPhos", "RuPhos", "triphenylphosphine"))
        others.append((ligand, dice.choice("ligand role", ("REAGENT", "CATALYST")), 0.1))
    main = dice.choice("solvent", ("1,4-dioxane", "DMF", "DMSO", "THF", "toluene", "ethanol"))
    wet = dice.chance("wet", 0.5)
    boron = dice.choice("boron", _BORONS)
    aromatic = boron != "cyclopropylboronic acid"
    return Recipe(
        slug,
        "suzuki of a chloride" if chloride else "suzuki",
        ((halide, 1.0), (boron, 1.5)),
        tuple(others),
        (main, "water") if wet else (main,),
        (("protodehalogenation", (0,)),) + ((("homocoupling", (1, 1)),) if aromatic else ()),
    )


def amide(slug: str, dice: Dice) -> Recipe:
    """Return an amide coupling, an ester formation or hydrolysis, or a proline derivative."""
    kind = dice.choice("kind", ("amide",) * 5 + ("ester", "hydrolysis", "proline", "Boc", "acyl"))
    base = dice.choice("base", ("triethylamine", "DIPEA", "pyridine", "4-methylmorpholine"))
    others: Parts
    pair: Reactants
    if kind == "amide":
        agent = dice.choice("agent", ("HATU", "EDC", "EDC hydrochloride", "T3P", "DCC", "CDI"))
        others = ((agent, "REAGENT", 1.2), (base, "REAGENT", 3.0))
        if agent.startswith("EDC") and dice.chance("HOBt", 0.6):
            others += (("HOBt", "REAGENT", 1.0),)
        if dice.chance("DMAP", 0.2):
            others += (("DMAP", dice.choice("DMAP role", ("CATALYST", "REAGENT")), 0.1),)
        solvent = dice.choice(
            "solvent", ("DMF", "dichloromethane", "acetonitrile", "ethyl acetate", "pyridine")
        )
        pair = ((dice.choice("acid", _ACIDS), 1.0), (dice.choice("amine", _AMINES), 1.1))
        return Recipe(slug, "amide", pair, others, (solvent,))
    if kind == "ester":
        alcohol = dice.choice("alcohol", ("methanol", "ethanol", "isopropanol", "benzyl alcohol"))
        acid = dice.choice("mineral", ("sulfuric acid", "hydrochloric acid"))
        pair = ((dice.choice("acid", _ACIDS), 1.0), (alcohol, 8.0))
        thinner = ("toluene",) if dice.chance("thinned", 0.5) else ()
        return Recipe(slug, "esterification", pair, ((acid, "CATALYST", 0.1),), thinner)
    if kind == "hydrolysis":
        esters = ("methyl benzoate", "ethyl nicotinate", "ethyl phenylacetate", "methyl cinnamate")
        alkali = dice.choice("alkali", ("sodium hydroxide", "lithium hydroxide"))
        solvents = (dice.choice("solvent", ("THF", "methanol", "ethanol")), "water")
        pair = ((dice.choice("ester", esters), 1.0),)
        return Recipe(slug, "hydrolysis", pair, ((alkali, "REAGENT", 2.0),), solvents)
    if kind == "proline":
        acids = ("L-proline", "L-proline", "D-proline", "proline", "L-alanine", "L-phenylalanine")
        chloride = dice.choice("chloride", ("benzoyl chloride", "acetyl chloride"))
        pair = ((chloride, 1.0), (dice.choice("amino acid", acids), 1.0))
        others = (("sodium hydroxide", "REAGENT", 2.0),)
        return Recipe(slug, "acylation", pair, others, ("water", "1,4-dioxane"))
    if kind == "Boc":
        protected = dice.choice("protected", ("Boc-L-proline", "Boc-glycine", "N-Boc-piperazine"))
        acid = dice.choice("strong", ("trifluoroacetic acid", "hydrochloric acid"))
        others = ((acid, "REAGENT", 5.0),)
        return Recipe(slug, "Boc removal", ((protected, 1.0),), others, ("dichloromethane",))
    pair = (("benzoyl chloride", 1.0), (dice.choice("amine", _AMINES[:12]), 1.0))
    solvent = dice.choice("solvent", ("dichloromethane", "THF", "pyridine"))
    return Recipe(slug, "acylation", pair, ((base, "REAGENT", 1.5),), (solvent,))


def amination(slug: str, dice: Dice) -> Recipe:
    """Return an SNAr, a Buchwald-Hartwig or a reductive amination."""
    kind = dice.choice("kind", ("SNAr", "Buchwald", "Buchwald", "reductive"))
    amine = dice.choice("amine", _AMINES)
    if kind == "SNAr":
        arenes = (
            "1-fluoro-4-nitrobenzene",
            "1-fluoro-2-nitrobenzene",
            "1-chloro-2,4-dinitrobenzene",
            "2-chloropyrimidine",
            "2-chloroquinoline",
        )
        bases = ("potassium carbonate", "DIPEA", "triethylamine", "sodium hydride", "DBU")
        base = (dice.choice("base", bases), "REAGENT", 2.0)
        solvent = dice.choice("solvent", ("DMSO", "DMF", "NMP", "acetonitrile", "ethanol"))
        pair = ((dice.choice("arene", arenes), 1.0), (amine, 1.2))
        return Recipe(slug, "SNAr", pair, (base,), (solvent,))
    if kind == "Buchwald":
        halide = dice.choice("halide", _CHLORIDES + _BROMIDES)
        catalyst = dice.choice(
            "catalyst", ("Pd2(dba)3", "Pd(OAc)2", "Ni(cod)2", "copper(I) iodide")
        )
        others = [
            (catalyst, "CATALYST", 0.04),
            (dice.choice("ligand", ("RuPhos", "XPhos")), "REAGENT", 0.08),
            (
                dice.choice("base", ("sodium tert-butoxide", "cesium carbonate", "DBU")),
                "REAGENT",
                1.5,
            ),
        ]
        solvent = dice.choice("solvent", ("toluene", "1,4-dioxane", "tert-butanol", "DMSO"))
        pair = ((halide, 1.0), (amine, 1.3))
        side = (("protodehalogenation", (0,)),)
        return Recipe(slug, "Buchwald-Hartwig", pair, tuple(others), (solvent,), side)
    agents = ("sodium triacetoxyborohydride", "sodium cyanoborohydride", "sodium borohydride")
    others = [(dice.choice("hydride", agents), "REAGENT", 1.5)]
    if dice.chance("acid", 0.4):
        others.append(("acetic acid", "REAGENT", 1.0))
    if dice.chance("sieves", 0.25):
        others.append(("molecular sieves 4A", "REAGENT", 1.0))
    pair = ((dice.choice("carbonyl", CARBONYLS), 1.0), (amine, 1.1))
    solvent = dice.choice("solvent", ("1,2-dichloroethane", "methanol", "THF", "dichloromethane"))
    side = (("carbonyl reduction", (0,)),)
    return Recipe(slug, "reductive amination", pair, tuple(others), (solvent,), side)
