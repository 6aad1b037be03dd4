"""Nitrations, reductions, hydrogenations and additions in the cold."""

from __future__ import annotations

from couplings import CARBONYLS
from dice import Dice
from write_up import Parts, Recipe

_AROMATICS = ("benzene", "toluene", "anisole", "chlorobenzene", "acetophenone", "naphthalene")
_NITROARENES = (
    "nitrobenzene",
    "4-nitrotoluene",
    "4-nitroanisole",
    "3-nitropyridine",
    "1-chloro-4-nitrobenzene",
    "methyl 4-nitrobenzoate",
)


def redox(slug: str, dice: Dice) -> Recipe:
    """Return a nitration, a reduction, a hydrogenation or an addition in the cold."""
    kind = dice.choice("kind", ("nitration", "nitro", "H2", "carbonyl", "addition", "ester"))
    if kind == "nitration":
        source = dice.choice("source", ("nitric acid", "potassium nitrate"))
        others: Parts = ((source, "REAGENT", 1.1), ("sulfuric acid", "REAGENT", 4.0))
        thinner = dice.choice("solvent", ((), (), ("dichloromethane",), ("acetic acid",)))
        return Recipe(
            slug, "nitration", ((dice.choice("arene", _AROMATICS), 1.0),), others, thinner
        )
    if kind == "nitro":
        metal = dice.choice("metal", ("iron", "zinc", "tin(II) chloride"))
        others = ((metal, "REAGENT", 5.0), ("ammonium chloride", "REAGENT", 3.0))
        solvents = (dice.choice("solvent", ("ethanol", "methanol", "acetic acid")), "water")
        arene = ((dice.choice("nitroarene", _NITROARENES), 1.0),)
        return Recipe(slug, "nitro reduction", arene, others, solvents)
    if kind == "H2":
        nitro = dice.chance("nitro", 0.5)
        alkenes = ("styrene", "cyclohexene", "methyl cinnamate", "cinnamic acid")
        catalysts = ("palladium on carbon", "platinum(IV) oxide", "Raney nickel")
        others = (
            ("hydrogen", "REAGENT", 10.0),
            (dice.choice("catalyst", catalysts), "CATALYST", 0.05),
        )
        name = dice.choice("start", _NITROARENES if nitro else alkenes)
        solvent = dice.choice("solvent", ("methanol", "ethanol", "ethyl acetate"))
        template = "nitro reduction" if nitro else "hydrogenation"
        return Recipe(slug, template, ((name, 1.0),), others, (solvent,))
    if kind == "carbonyl":
        face = dice.choice("face", ("carbonyl reduction", "ketone reduction, one face"))
        hydride = dice.choice("hydride", ("sodium borohydride", "lithium aluminium hydride"))
        solvent = dice.choice("solvent", ("methanol", "ethanol", "THF", "diethyl ether"))
        names = ("acetophenone", "4-chloroacetophenone", "4-iodoacetophenone")
        return Recipe(
            slug,
            face,
            ((dice.choice("ketone", names), 1.0),),
            ((hydride, "REAGENT", 1.0),),
            (solvent,),
        )
    if kind == "addition":
        metals = ("n-butyllithium", "phenylmagnesium bromide", "methylmagnesium bromide")
        pair = ((dice.choice("carbonyl", CARBONYLS[:6]), 1.0), (dice.choice("metal", metals), 1.2))
        solvent = dice.choice("solvent", ("THF", "diethyl ether", "2-methyltetrahydrofuran"))
        return Recipe(slug, "organometallic addition", pair, (), (solvent,))
    esters = ("methyl benzoate", "ethyl nicotinate", "ethyl phenylacetate")
    reducing = (("DIBAL-H", "REAGENT", 1.1),)
    solvent = dice.choice("solvent", ("toluene", "dichloromethane", "hexane"))
    start = ((dice.choice("ester", esters), 1.0),)
    return Recipe(slug, "ester to aldehyde", start, reducing, (solvent,))
