"""From a recipe - who reacts with what - to a whole reaction record."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import bench
from bench import Style
from dice import Dice
from people import provenance
from quantities import quantity
from rdkit import Chem
from rdkit.Chem import Descriptors
from record import Json, component, percentage, product
from substances import SMILES
from synthesis import products

_VENDORS = ("Sigma-Aldrich", "Combi-Blocks", "Enamine", "TCI", "Acros Organics")


# Names with equivalents, in a template's order; names with a role and equivalents.
Reactants = tuple[tuple[str, float], ...]
Parts = tuple[tuple[str, str, float], ...]


@dataclass(frozen=True)
class Recipe:
    """The chemistry of one reaction.

    Attributes:
        slug: Its name within the corpus; the id follows from it.
        template: What happens, a key of ``synthesis.TEMPLATES``.
        reactants: Names with equivalents, in the template's order; the first is limiting.
        others: Name, role and equivalents of everything else that reacts or catalyses.
        solvents: Names; the first is the main one.
        side: Templates of side reactions, each with the positions of the reactants it consumes.
        technique: Conditions laid over the ordinary ones, such as an illumination.
    """

    slug: str
    template: str
    reactants: Reactants
    others: Parts = ()
    solvents: tuple[str, ...] = ()
    side: tuple[tuple[str, tuple[int, ...]], ...] = ()
    technique: Json = field(default_factory=dict)


def write_up(recipe: Recipe, style: Style) -> Json:
    """Return the record of a recipe carried out in a style, in ORD's JSON shape."""
    dice = Dice(recipe.slug)
    scale = dice.choice("scale", style.scales)
    made: Json = {
        "inputs": _inputs(dice, recipe, scale),
        "setup": bench.setup(dice, style, scale),
        "conditions": bench.conditions(dice, style) | recipe.technique,
        "notes": bench.notes(dice, recipe.reactants[0][0]),
        "observations": bench.observations(dice),
        "workups": bench.workups(dice, style),
        "outcomes": _outcomes(dice, recipe, style),
        "provenance": provenance(dice, style.users, style.years),
    }
    if dice.chance("has type", 0.3):
        made["identifiers"] = [{"type": "REACTION_TYPE", "value": recipe.template}]
    if any(
        measurement.get("uses_internal_standard")
        for outcome in made["outcomes"]
        for item in outcome["products"]
        for measurement in item["measurements"]
    ):
        standard = dice.choice("standard", ("1,3,5-trimethoxybenzene", "naphthalene", "dodecane"))
        made["inputs"]["internal standard"] = {
            "components": [component(standard, "INTERNAL_STANDARD", _moles(scale * 0.5))]
        }
    return {name: value for name, value in made.items() if value}


def _says_limiting(dice: Dice, recipe: Recipe) -> bool:
    return recipe.template.startswith("suzuki") or dice.chance("says limiting", 0.85)


def _moles(millimoles: float) -> str:
    rounded = float(f"{millimoles:.4g}")
    return f"{float(f'{rounded * 1000:.4g}')} umol" if rounded < 0.1 else f"{rounded} mmol"


@cache
def _weight(name: str) -> float | None:
    smiles = SMILES[name]
    if smiles is None:
        return None
    return float(Descriptors.MolWt(Chem.MolFromSmiles(smiles)))  # type: ignore[attr-defined]


def _quantity(dice: Dice, name: str, millimoles: float) -> str:
    weight = _weight(name)
    if weight is None:
        return f"{float(f'{millimoles * 0.1:.3g}')} g"
    if dice.chance(f"{name} weighed", 0.35):
        milligrams = float(f"{millimoles * weight:.4g}")
        return f"{milligrams / 1000} g" if milligrams >= 1000 else f"{milligrams} mg"
    return _moles(millimoles)


def _inputs(dice: Dice, recipe: Recipe, scale: float) -> dict[str, Json]:
    made: dict[str, Json] = {}
    limiting = _says_limiting(dice, recipe)
    for index, (name, equivalents) in enumerate(recipe.reactants):
        fields: Json = {}
        if limiting and (index == 0 or dice.chance("says excess", 0.4)):
            fields["is_limiting"] = index == 0
        fields |= _bottle(dice, name)
        part = component(name, "REACTANT", _quantity(dice, name, scale * equivalents), **fields)
        made[f"reactant {index + 1}"] = {"components": [part]}
    for index, (name, role, equivalents) in enumerate(recipe.others):
        part = component(name, role, _quantity(dice, name, scale * equivalents))
        part |= _bottle(dice, name) if role == "CATALYST" else {}
        if role == "CATALYST" and dice.chance(f"{name} catalytic", 0.08):
            part["amount"] = {"unmeasured": {"type": "CATALYTIC"}}
        made[f"{role.lower()} {index + 1}"] = {"components": [part]}
    _pour(dice, recipe, scale, made)
    for order, key in enumerate(made):
        _add(dice, made[key], key, order + 1)
    return made


def _pour(dice: Dice, recipe: Recipe, scale: float, made: dict[str, Json]) -> None:
    for index, name in enumerate(recipe.solvents):
        milliliters = scale * dice.choice("dilution", (2, 4, 5, 10)) * (1 if index == 0 else 0.25)
        volume = f"{float(f'{milliliters:.3g}')} mL"
        if milliliters < 0.5:
            volume = f"{float(f'{milliliters * 1000:.3g}')} uL"
        part = component(name, "SOLVENT", volume)
        if dice.chance(f"{name} solutes", 0.1):
            part["amount"]["volume_includes_solutes"] = dice.chance("includes", 0.5)
        if dice.chance(f"{name} prepared", 0.15):
            part["preparations"] = [{"type": dice.choice("degas", ("SPARGED", "DRIED"))}]
        if index == 0 and dice.chance("stock", 0.3):
            # A stock solution: reactant and solvent are two components of one input.
            made["reactant 1"]["components"].append(part)
        else:
            made[f"solvent {index + 1}"] = {"components": [part]}


def _bottle(dice: Dice, name: str) -> Json:
    made: Json = {}
    if dice.chance(f"{name} source", 0.35):
        made["source"] = {"vendor": dice.choice(f"{name} vendor", _VENDORS)}
        if dice.chance(f"{name} catalogue", 0.5):
            made["source"]["catalog_id"] = f"X{dice.integer(f'{name} number', 1000, 9999)}"
    if dice.chance(f"{name} prepared", 0.12):
        kinds = ("NONE", "DRIED", "REPURIFIED", "SYNTHESIZED")
        made["preparations"] = [{"type": dice.choice(f"{name} preparation", kinds)}]
    if dice.chance(f"{name} texture", 0.15):
        looks = ("POWDER", "CRYSTAL", "OIL", "LIQUID", "SOLID")
        made["texture"] = {"type": dice.choice(f"{name} looks", looks)}
    return made


def _add(dice: Dice, part: Json, key: str, order: int) -> None:
    if dice.chance("says order", 0.35):
        part["addition_order"] = order
    if dice.chance(f"{key} speed", 0.15):
        speeds = ("ALL_AT_ONCE", "DROPWISE", "SLOW", "PORTIONWISE")
        part["addition_speed"] = {"type": dice.choice(f"{key} how fast", speeds)}
        if part["addition_speed"]["type"] in {"DROPWISE", "SLOW"}:
            part["addition_duration"] = quantity(dice.choice(f"{key} for", ("10 min", "30 min")))
    if dice.chance(f"{key} device", 0.12):
        devices = ("SYRINGE", "PIPETTE", "SYRINGE_PUMP", "ADDITION_FUNNEL", "NONE")
        part["addition_device"] = {"type": dice.choice(f"{key} with", devices)}
    if dice.chance(f"{key} cold", 0.06):
        part["addition_temperature"] = quantity(dice.choice(f"{key} at", ("0 C", "-20 C", "25 C")))
    if dice.chance(f"{key} later", 0.06):
        part["addition_time"] = quantity(dice.choice(f"{key} when", ("10 min", "1 h")))


_TECHNIQUES = (
    "LCMS",
    "LC",
    "GC",
    "GCMS",
    "NMR_1H",
    "NMR_13C",
    "HRMS",
    "IR",
    "UV",
    "MP",
    "TLC",
    "SFC",
)


def _analyses(dice: Dice) -> dict[str, Json]:
    kinds = ["LCMS"] if dice.chance("lcms", 0.75) else ["NMR_1H"]
    kinds += [
        kind for kind in _TECHNIQUES[1:] if kind not in kinds and dice.chance(f"by {kind}", 0.13)
    ]
    if dice.chance("characterised", 0.25):
        kinds += [kind for kind in ("NMR_1H", "HRMS") if kind not in kinds]
    # A key may name the technique, but need not: only the type says what an analysis is.
    telling = dice.chance("telling keys", 0.5)
    made: dict[str, Json] = {}
    for number, kind in enumerate(kinds):
        analysis: Json = {"type": kind}
        if dice.chance(f"{kind} says isolated", 0.6):
            analysis["is_of_isolated_species"] = dice.chance(f"{kind} isolated", 0.5)
        if number == 0 and dice.chance("maker", 0.2):
            makers = ("Agilent", "Waters", "Bruker", "Shimadzu")
            analysis["instrument_manufacturer"] = dice.choice("maker is", makers)
        made[kind.lower() if telling else f"analysis {number + 1}"] = analysis
    return made


def _outcomes(dice: Dice, recipe: Recipe, style: Style) -> list[Json]:
    names = [SMILES[name] or "" for name, _ in recipe.reactants]
    main, *isomers = products(recipe.template, tuple(names))
    analyses = _analyses(dice)
    key = next(iter(analyses))
    made_yield = dice.choice("yield", _yields(dice))
    desired = dice.choice("desired", (True, True, True, True, True, None))
    items = [product(main, *_measurements(dice, made_yield, key), desired=desired)]
    items[0]["reaction_role"] = "PRODUCT"
    _look(dice, items[0])
    rest = min(made_yield, 100 - made_yield) / 2
    for isomer in isomers[:2] if dice.chance("isomers", 0.6) else ():
        items.append(product(isomer, percentage("YIELD", round(rest / 2, 1), key), desired=False))
    for template, positions in recipe.side if dice.chance("side", 0.5) else ():
        smiles = products(template, tuple(names[position] for position in positions))[0]
        items.append(_byproduct(dice, smiles, round(rest / 3, 1), key))
    outcome: Json = {"products": items, "analyses": analyses}
    if dice.chance("has time", 0.85):
        outcome["reaction_time"] = quantity(dice.choice("time", style.times))
    # A conversion is of the limiting reactant, so it needs one that says it is.
    if _says_limiting(dice, recipe) and dice.chance("has conversion", 0.45):
        gain = dice.choice("conversion", (0, 2, 5, 10, 20))
        outcome["conversion"] = {"value": min(100, made_yield + gain)}
    return [*_earlier(dice, outcome, main, made_yield, key), outcome]


def _yields(dice: Dice) -> tuple[float, ...]:
    low = dice.integer("poor", 0, 45)
    good = dice.integer("good", 46, 99)
    return (low, good, good, good + 0.5, low + 0.25)


def _measurements(dice: Dice, made_yield: float, key: str) -> list[Json]:
    made = []
    if dice.chance("has yield", 0.85):
        fields: Json = {}
        if dice.chance("says standard", 0.3):
            fields["uses_internal_standard"] = dice.chance("internal", 0.5)
        if dice.chance("details", 0.2):
            fields["details"] = dice.choice("how", ("isolated", "assay yield", "NMR yield"))
        made.append(percentage("YIELD", made_yield, key, **fields))
        if dice.chance("second yield", 0.12):
            made.append(percentage("YIELD", max(0, made_yield - 8), key, details="isolated"))
    if dice.chance("has purity", 0.3):
        made.append(percentage("PURITY", dice.integer("purity", 80, 100), key))
    if dice.chance("has area", 0.2):
        made.append(percentage("AREA", dice.integer("area", 3, 98), key))
    if dice.chance("has ratio", 0.1):
        kind = dice.choice("ratio", ("EE", "DR"))
        made.append(
            percentage("SELECTIVITY", dice.integer("ee", 5, 99), key, selectivity={"type": kind})
        )
    if dice.chance("has amount", 0.12):
        mass = {"mass": quantity(f"{dice.integer('mass', 20, 900)} mg")}
        made.append({"type": "AMOUNT", "analysis_key": key, "amount": mass})
    if dice.chance("has identity", 0.1):
        made.append({"type": "IDENTITY", "analysis_key": key})
    return made


def _look(dice: Dice, item: Json) -> None:
    if dice.chance("has colour", 0.25):
        colours = ("white", "off-white", "yellow", "pale yellow", "orange", "colorless", "brown")
        item["isolated_color"] = dice.choice("colour", colours)
    if dice.chance("has texture", 0.25):
        kinds = ("POWDER", "CRYSTAL", "OIL", "FOAM", "AMORPHOUS_SOLID", "SOLID")
        item["texture"] = {"type": dice.choice("texture", kinds)}


def _byproduct(dice: Dice, smiles: str, value: float, key: str) -> Json:
    item = product(smiles, desired=dice.choice("side says", (False, False, None)))
    item["reaction_role"] = dice.choice("side role", ("SIDE_PRODUCT", "BYPRODUCT"))
    if dice.chance("side measured", 0.7):
        kind = dice.choice("side kind", ("YIELD", "AREA", "AREA"))
        item["measurements"] = [percentage(kind, value, key)]
    return item


def _earlier(dice: Dice, last: Json, main: str, made_yield: float, key: str) -> list[Json]:
    """Return earlier time points of a reaction that was followed, each less far along."""
    if "reaction_time" not in last or not dice.chance("followed", 0.1):
        return []
    share = dice.choice("share", (0.25, 0.5))
    item = product(main, percentage("AREA", round(made_yield * share, 1), key))
    early: Json = {
        "products": [item],
        "analyses": {key: last["analyses"][key]},
        "reaction_time": quantity(dice.choice("early", ("15 min", "30 min"))),
    }
    if "conversion" in last:
        early["conversion"] = {"value": round(last["conversion"]["value"] * share, 1)}
    return [early]
