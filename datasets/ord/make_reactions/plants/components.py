"""Roles, amounts and quantifiers over the components of the inputs and of the workup."""

from __future__ import annotations

from bench import step
from record import Json, component

from plants.plant import Plant

_ROLES = ("REACTANT", "REAGENT", "SOLVENT", "CATALYST")
# Compounds a question may name in one role: here each plays every role once.
_ACTORS = (
    "pyridine",
    "DMF",
    "DMSO",
    "water",
    "ethanol",
    "acetic acid",
    "triethylamine",
    "toluene",
    "benzene",
    "morpholine",
)
_SCENES = {"REACTANT": "acylation", "REAGENT": "alkylation", "SOLVENT": "reduction",
           "CATALYST": "esterification"}  # fmt: skip


def _extra(name: str, role: str, amount: str = "0.5 mmol", **fields: object) -> Json:
    return {"components": [component(name, role, amount, **fields)]}


def _cast() -> list[Plant]:
    plants = []
    for name in _ACTORS:
        for role in _ROLES:
            amount = "6 mL" if role == "SOLVENT" else "0.5 mmol"
            plants.append(
                Plant(
                    f"{name}-as-{role.lower()}",
                    f"{name} as {role} | in another role",
                    _SCENES[role],
                    {"inputs.actor": _extra(name, role, amount)},
                )
            )
    for name in ("pyridine", "water", "ethanol", "toluene", "DMF"):
        plants.append(
            Plant(
                f"{name}-in-the-workup",
                f"{name} among the inputs | in the workup",
                "amination",
                {"workups": [step("WASH", component(name, "WORKUP", "10 mL"))]},
            )
        )
        plants.append(
            Plant(
                f"{name}-as-workup-solvent",
                f"{name} as SOLVENT in an input | in a workup step",
                "hydrogenation",
                {"workups": [step("DISSOLUTION", component(name, "SOLVENT", "10 mL"))]},
            )
        )
    return plants


_NICKEL = component("NiCl2(glyme)", "CATALYST", "0.05 mmol")
_COPPER = component("copper(I) iodide", "CATALYST", "0.05 mmol")
_PALLADIUM = component("Pd(OAc)2", "CATALYST", "0.05 mmol")

PLANTS = (
    *_cast(),
    # Negation inside and outside a quantifier; all, some and none.
    Plant("palladium-and-nickel", "some catalyst is not Pd | no catalyst is Pd", "suzuki",
          {"inputs.catalyst.components.+": _NICKEL}),
    Plant("palladium-and-nickel-two-inputs", "some catalyst is not Pd | no catalyst is Pd",
          "suzuki", {"inputs.catalyst 2": {"components": [_NICKEL]}}),
    Plant("nickel-alone", "every catalyst is nickel | some catalyst is", "suzuki",
          {"inputs.catalyst.components.0": _NICKEL}),
    Plant("nickel-and-copper", "no Pd, two other metals", "suzuki",
          {"inputs.catalyst.components": [_NICKEL, _COPPER]}),
    Plant("two-palladium-catalysts", "every catalyst is Pd, and there are two", "suzuki",
          {"inputs.catalyst.components.+": _PALLADIUM}),
    Plant("no-catalyst", "no catalyst at all: no Pd catalyst | a non-Pd catalyst", "suzuki",
          {"inputs.catalyst": None}),
    Plant("two-solvents-one-water", "some solvent is not water | no solvent is water", "suzuki",
          {"inputs.solvent.components.+": component("water", "SOLVENT", "1 mL")}),
    Plant("water-alone", "every solvent is water | some solvent is", "suzuki", {},
          {"solvent": "water"}),
    Plant("solvent-twice", "the same solvent twice: count | count_distinct", "amide",
          {"inputs.rinse": _extra("DMF", "SOLVENT", "1 mL")}),
    Plant("water-twice", "water as solvent twice, in two inputs", "reduction",
          {"inputs.solvent": _extra("water", "SOLVENT", "2 mL"),
           "inputs.rinse": _extra("water", "SOLVENT", "1 mL")}),
    Plant("water-three-times", "water three times in one input", "reduction",
          {"inputs.solvent.components": [component("water", "SOLVENT", f"{n} mL")
                                         for n in (1, 2, 3)]}),
    Plant("solvents-only-besides", "DMF and DMSO in one reaction: and | or", "amide",
          {"inputs.second solvent": _extra("DMSO", "SOLVENT", "1 mL")}),
    Plant("neat", "no solvent at all | no water", "esterification", {"inputs.solvent": None}),
    Plant("neat-suzuki", "no solvent, with a catalyst", "suzuki", {"inputs.solvent": None}),
    Plant("solvent-of-no-stated-role", "a component without a role: ne | not eq", "esterification",
          {"inputs.solvent.components.0.reaction_role": None}),
    Plant("every-component-without-role", "roles absent throughout: forall ne | not exists",
          "esterification", {
              "inputs.solvent.components.0.reaction_role": None,
              "inputs.acid.components.0.reaction_role": None,
              "inputs.reactant 1.components.0.reaction_role": None,
              "inputs.reactant 2.components.0.reaction_role": None}),
    Plant("only-reactants", "all components are reactants | some are", "addition",
          {"inputs.solvent": None}),
    # One component that is both beside two that are one each.
    Plant("role-and-identity-split", "pyridine as solvent: one component | two", "amide",
          {"inputs.solvent.components.0": component("THF", "SOLVENT", "4 mL")},
          {"base": "pyridine"}),
    Plant("role-and-identity-joined", "pyridine as solvent: one component", "amide", {},
          {"solvent": "pyridine"}),
    Plant("DMSO-reagent-DMF-solvent", "DMSO as solvent | DMSO, and some solvent", "amide", {},
          {"base": "DMSO"}),
    Plant("heavy-solvent-light-reactant", "more than 10 g of a reactant | of anything", "amide",
          {"inputs.solvent.components.0.amount": {"mass": {"value": 15, "units": "GRAM"}},
           "inputs.reactant 1.components.0.amount": {"mass": {"value": 1, "units": "GRAM"}}}),
    Plant("heavy-reactant", "more than 10 g of a reactant", "amide",
          {"inputs.reactant 1.components.0.amount": {"mass": {"value": 15, "units": "GRAM"}}}),
    Plant("heavy-second-reactant", "heavy, but not the limiting reactant", "amide",
          {"inputs.reactant 2.components.0.amount": {"mass": {"value": 25, "units": "GRAM"}},
           "inputs.reactant 1.components.0.amount": {"mass": {"value": 2, "units": "GRAM"}}}),
    Plant("heavy-reagent", "heavy, but a reagent", "amide",
          {"inputs.base.components.0.amount": {"mass": {"value": 30, "units": "GRAM"}}}),
    Plant("small-excess-large-limiting", "limiting below 0.1 mmol | any component below", "amide",
          {"inputs.reactant 2.components.0.amount.moles": {"value": 50, "units": "MICROMOLE"},
           "outcomes.0.products.0.measurements.0.percentage.value": 95}),
    Plant("limiting-is-a-reagent", "limiting and a reactant | limiting", "amide",
          {"inputs.reactant 1.components.0.is_limiting": None,
           "inputs.base.components.0.is_limiting": True}),
    Plant("limiting-false-everywhere", "is_limiting false | absent", "alkylation",
          {"inputs.reactant 1.components.0.is_limiting": False,
           "inputs.reactant 2.components.0.is_limiting": False}),
    Plant("limiting-unsaid", "is_limiting absent | false", "alkylation",
          {"inputs.reactant 1.components.0.is_limiting": None}),
    Plant("two-limiting", "two limiting components: exists | exactly one", "alkylation",
          {"inputs.reactant 2.components.0.is_limiting": True}),
    Plant("big-volume-of-reagent", "more than 5 mL of solvent | of anything", "amide",
          {"inputs.base.components.0.amount": {"volume": {"value": 40, "units": "MILLILITER"}}}),
    Plant("litres-of-solvent", "more than 5 L | more than 5 mL", "amide",
          {"inputs.solvent.components.0.amount": {"volume": {"value": 7, "units": "LITER"}}}),
    Plant("catalytic-acid", "an unmeasured amount", "esterification",
          {"inputs.acid.components.0.amount": {"unmeasured": {"type": "CATALYTIC"}}}),
    Plant("saturated-gas", "unmeasured SATURATED | CATALYTIC", "hydrogenation",
          {"inputs.gas.components.0.amount": {"unmeasured": {"type": "SATURATED"}},
           "inputs.gas.components.+": component("methanol", "SOLVENT", "4 mL")}),
    Plant("titrated-base", "unmeasured TITRATED | SATURATED", "alkylation",
          {"inputs.base.components.0.amount": {"unmeasured": {"type": "TITRATED",
                                                              "details": "to pH 9"}}}),
    # Components known by bottle, preparation and look.
    Plant("vendor-of-the-catalyst", "catalyst from Sigma-Aldrich | anything from there", "suzuki",
          {"inputs.catalyst.components.0.source": {"vendor": "Sigma-Aldrich", "lot": "L-1"}}),
    Plant("vendor-of-the-reactant", "reactant from Sigma-Aldrich | catalyst from there", "suzuki",
          {"inputs.reactant 1.components.0.source": {"vendor": "Sigma-Aldrich"}}),
    Plant("vendor-spelled-small", "Sigma-Aldrich | sigma aldrich", "suzuki",
          {"inputs.catalyst.components.0.source": {"vendor": "sigma aldrich"}}),
    Plant("dried-solvent", "dried solvent | dried reactant", "addition",
          {"inputs.solvent.components.0.preparations": [{"type": "DRIED"}]}),
    Plant("dried-reactant", "dried reactant | dried solvent", "addition",
          {"inputs.reactant 1.components.0.preparations": [{"type": "DRIED"}]}),
    Plant("dried-and-sparged", "two preparations of one component", "addition",
          {"inputs.solvent.components.0.preparations": [{"type": "DRIED"}, {"type": "SPARGED"}]}),
    Plant("dried-here-sparged-there", "two preparations of two components", "addition",
          {"inputs.solvent.components.0.preparations": [{"type": "SPARGED"}],
           "inputs.reactant 1.components.0.preparations": [{"type": "DRIED"}]}),
    Plant("prepared-in-no-way", "preparation NONE | no preparation recorded", "addition",
          {"inputs.solvent.components.0.preparations": [{"type": "NONE"}]}),
    Plant("powdered-base", "texture of a component | of a product", "amination",
          {"inputs.base.components.0.texture": {"type": "POWDER"}}),
    Plant("slow-addition-of-the-first", "DROPWISE first input | second input", "acylation",
          {"inputs.reactant 1.addition_speed": {"type": "DROPWISE"},
           "inputs.reactant 1.addition_order": 1, "inputs.reactant 2.addition_order": 2}),
    Plant("slow-addition-of-the-second", "DROPWISE second input | first input", "acylation",
          {"inputs.reactant 2.addition_speed": {"type": "DROPWISE"},
           "inputs.reactant 1.addition_order": 1, "inputs.reactant 2.addition_order": 2}),
    Plant("syringe-pump", "syringe pump | syringe", "acylation",
          {"inputs.reactant 1.addition_device": {"type": "SYRINGE_PUMP"},
           "inputs.reactant 1.flow_rate": {"value": 0.5, "units": "MILLILITER_PER_MINUTE"}}),
    Plant("syringe", "syringe | syringe pump", "acylation",
          {"inputs.reactant 1.addition_device": {"type": "SYRINGE"}}),
    Plant("no-device", "device NONE | no device recorded", "acylation",
          {"inputs.reactant 1.addition_device": {"type": "NONE"}}),
    Plant("internal-standard", "internal standard among the inputs | used in a measurement",
          "amination", {"inputs.standard": _extra("biphenyl", "INTERNAL_STANDARD")}),
    Plant("biphenyl-as-reactant", "biphenyl as internal standard | as reactant", "amination",
          {"inputs.extra": _extra("biphenyl", "REACTANT")}),
    Plant("standard-in-the-workup", "internal standard added in the workup", "amination",
          {"workups": [step("ADDITION", component("biphenyl", "INTERNAL_STANDARD", "0.5 mmol"))],
           "outcomes.0.products.0.measurements.0.uses_internal_standard": True}),
    Plant("crude-beside-components", "twelve components: counts of components", "alkylation",
          {f"inputs.extra {n}": _extra(name, "REAGENT", "0.1 mmol") for n, name in enumerate(
              ("zinc", "iron", "imidazole", "DMAP", "HOBt", "NBS", "mCPBA"))}),
)  # fmt: skip
