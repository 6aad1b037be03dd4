"""Reactions whose point is the equipment: light, current, flow, microwaves, milling, sound."""

from __future__ import annotations

from dice import Dice
from quantities import quantity
from record import Json
from write_up import Parts, Reactants, Recipe


def enabling(slug: str, dice: Dice) -> Recipe:
    """Return a reaction run with one of the special techniques."""
    makers = (_photo, _photo, _electro, _electro, _flow, _flow, _microwave, _solid)
    return makers[dice.integer("technique", 0, len(makers) - 1)](slug, dice)


def _photo(slug: str, dice: Dice) -> Recipe:
    light: Json = {
        "type": "LED",
        "peak_wavelength": quantity(f"{dice.choice('nm', (365, 405, 420, 450, 450, 467, 525))} nm"),
    }
    if dice.chance("colour", 0.5):
        light["color"] = "blue" if 400 < light["peak_wavelength"]["value"] < 500 else "green"
    if dice.chance("distance", 0.4):
        light["distance_to_vessel"] = quantity(f"{dice.choice('cm', (2, 4, 5, 10))} cm")
    catalyst = dice.choice("catalyst", ("Ru(bpy)3", "Ir(ppy)3", "4CzIPN"))
    if dice.chance("arylation", 0.5):
        others: Parts = ((catalyst, "CATALYST", 0.02), ("NiCl2(glyme)", "CATALYST", 0.05))
        others += (("DBU", "REAGENT", 1.8), ("dtbbpy", "REAGENT", 0.05))
        halide = dice.choice("halide", ("4-bromobenzonitrile", "4-iodoanisole", "3-bromopyridine"))
        amine = dice.choice("amine", ("morpholine", "pyrrolidine", "piperidine", "aniline"))
        solvent = dice.choice("solvent", ("DMSO", "acetonitrile", "N,N-dimethylacetamide"))
        pair = ((halide, 1.0), (amine, 1.5))
        return Recipe(
            slug, "Buchwald-Hartwig", pair, others, (solvent,), technique={"illumination": light}
        )
    arene = dice.choice("arene", ("anisole", "benzene", "caffeine", "toluene"))
    others = (
        (catalyst, "CATALYST", 0.01),
        ("trifluoromethanesulfonyl chloride", "REAGENT", 2.0),
        ("potassium phosphate", "REAGENT", 3.0),
    )
    if dice.chance("dark", 0.15):
        light = {"type": "DARK"}
    return Recipe(
        slug,
        "trifluoromethylation",
        ((arene, 1.0),),
        others,
        ("acetonitrile",),
        technique={"illumination": light},
    )


def _electro(slug: str, dice: Dice) -> Recipe:
    cell: Json = {
        "anode_material": dice.choice("anode", ("graphite", "RVC", "platinum")),
        "cathode_material": dice.choice("cathode", ("nickel", "platinum", "stainless steel")),
        "cell": {"type": dice.choice("cell", ("UNDIVIDED_CELL", "UNDIVIDED_CELL", "DIVIDED_CELL"))},
    }
    if dice.chance("galvanostatic", 0.65):
        cell["type"] = "CONSTANT_CURRENT"
        cell["current"] = quantity(f"{dice.choice('mA', (2, 5, 8, 10, 20))} mA")
    else:
        cell["type"] = "CONSTANT_VOLTAGE"
        cell["voltage"] = quantity(f"{dice.choice('V', (1.2, 1.8, 2.5, 3, 5))} V")
    if dice.chance("gap", 0.3):
        cell["electrode_separation"] = quantity("5 mm")
    salt = dice.choice("salt", ("lithium perchlorate", "tetrabutylammonium tetrafluoroborate"))
    others: Parts = ((salt, "REAGENT", 0.5),)
    if dice.chance("alcohol", 0.6):
        start = dice.choice("alcohol", ("1-phenylethanol", "benzyl alcohol", "cyclohexanol"))
        template = "alcohol oxidation"
        others += (("TEMPO", "CATALYST", 0.1),) if dice.chance("TEMPO", 0.6) else ()
    else:
        start, template = "thioanisole", "sulfide oxidation"
    # The oxygen of a sulfoxide comes from water.
    wet = start == "thioanisole" or dice.chance("wet", 0.5)
    solvents = ("acetonitrile", "water") if wet else ("acetonitrile",)
    technique = {"electrochemistry": cell}
    return Recipe(slug, template, ((start, 1.0),), others, solvents, technique=technique)


def _flow(slug: str, dice: Dice) -> Recipe:
    tube: Json = {"type": dice.choice("tube", ("PFA", "PTFE", "STEEL"))}
    if dice.chance("bore", 0.6):
        tube["diameter"] = quantity(f"{dice.choice('mm', (0.5, 0.8, 1.0, 1.6))} mm")
    kinds = ("PLUG_FLOW_REACTOR", "PLUG_FLOW_REACTOR", "PACKED_BED_REACTOR")
    line: Json = {"type": dice.choice("reactor", kinds), "tubing": tube}
    if dice.chance("pump", 0.6):
        line["pump_type"] = dice.choice(
            "pump is", ("syringe pump", "HPLC pump", "peristaltic pump")
        )
    if dice.chance("SNAr", 0.5):
        amine = dice.choice("amine", ("morpholine", "piperidine", "benzylamine", "pyrrolidine"))
        pair: Reactants = (("1-fluoro-4-nitrobenzene", 1.0), (amine, 1.5))
        return Recipe(
            slug,
            "SNAr",
            pair,
            (("DIPEA", "REAGENT", 2.0),),
            (dice.choice("solvent", ("DMSO", "ethanol", "NMP")),),
            technique={"flow": line},
        )
    pair = ((dice.choice("aldehyde", ("benzaldehyde", "4-anisaldehyde")), 1.0),)
    pair += (("phenylmagnesium bromide", 1.1),)
    technique = {"flow": line}
    return Recipe(slug, "organometallic addition", pair, (), ("THF",), technique=technique)


def _microwave(slug: str, dice: Dice) -> Recipe:
    degrees = dice.choice("degrees", (100, 120, 140, 150, 180))
    heat = {"setpoint": quantity(f"{degrees} C"), "control": {"type": "MICROWAVE"}}
    pair: Reactants = ((dice.choice("halide", ("4-bromoanisole", "3-chloropyridine")), 1.0),)
    pair += ((dice.choice("amine", ("morpholine", "aniline", "4-toluidine")), 1.2),)
    others = (("Pd(OAc)2", "CATALYST", 0.05), ("potassium tert-butoxide", "REAGENT", 2.0))
    technique = {"temperature": heat, "pressure": {"control": {"type": "SEALED"}}}
    return Recipe(slug, "Buchwald-Hartwig", pair, others, ("toluene",), technique=technique)


def _solid(slug: str, dice: Dice) -> Recipe:
    milled = dice.chance("milled", 0.6)
    mixing: Json = {"type": "BALL_MILLING" if milled else "SONICATION"}
    if milled and dice.chance("frequency", 0.5):
        mixing["details"] = "30 Hz, one 10 mm steel ball"
    acids = ("benzoic acid", "phenylacetic acid", "4-nitrobenzoic acid")
    amines = ("aniline", "4-toluidine", "benzylamine", "4-anisidine")
    pair = ((dice.choice("acid", acids), 1.0), (dice.choice("amine", amines), 1.0))
    # Mechanochemical couplings are the corpus's ordinary solvent-free reactions.
    solvents = () if milled else (dice.choice("solvent", ("water", "ethyl acetate")),)
    return Recipe(
        slug,
        "amide",
        pair,
        (("EDC hydrochloride", "REAGENT", 1.2), ("DMAP", "CATALYST", 0.1)),
        solvents,
        technique={"stirring": mixing},
    )
