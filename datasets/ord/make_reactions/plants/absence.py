"""What a record does not say, beside records that say it is not so."""

from __future__ import annotations

from quantities import quantity

from plants.plant import Plant

_FLAGS = (
    "is_heterogeneous",
    "forms_precipitate",
    "is_exothermic",
    "offgasses",
    "is_sensitive_to_moisture",
    "is_sensitive_to_oxygen",
    "is_sensitive_to_light",
)


def _flags() -> list[Plant]:
    plants = []
    for flag in _FLAGS:
        for value in (True, False):
            plants.append(
                Plant(
                    f"{flag}-{str(value).lower()}",
                    f"notes.{flag} true | false | absent",
                    "alkylation",
                    {f"notes.{flag}": value},
                )
            )
    return plants


PLANTS = (
    *_flags(),
    Plant("no-temperature", "no temperature recorded | 0 K", "alkylation",
          {"conditions.temperature": None}),
    Plant("temperature-control-only", "control recorded, no setpoint", "alkylation",
          {"conditions.temperature": {"control": {"type": "AMBIENT"}}}),
    Plant("temperature-measured-only", "a measured temperature, no setpoint", "alkylation",
          {"conditions.temperature": {"control": {"type": "ICE_BATH"}, "measurements": [
              {"type": "INFRARED", "temperature": quantity("3 C")}]}}),
    Plant("no-conditions", "no conditions at all", "alkylation", {"conditions": None}),
    Plant("no-setup", "is_automated absent | false", "alkylation", {"setup": None}),
    Plant("automated-true", "is_automated true", "alkylation",
          {"setup": {"is_automated": True, "automation_platform": "Opentrons OT-2"}}),
    Plant("no-reaction-time", "no reaction time | zero", "alkylation", {}),
    Plant("zero-reaction-time", "a reaction time of zero | none", "alkylation",
          {"outcomes.0.reaction_time": quantity("0 s")}),
    Plant("reflux-true", "reflux true | false | absent", "alkylation", {"conditions.reflux": True}),
    Plant("reflux-false", "reflux false | absent", "alkylation", {"conditions.reflux": False}),
    Plant("at-reflux-in-words", "reflux true | reflux in the text", "alkylation",
          {"notes.procedure_details": "Heated at reflux for 3 h."}),
    Plant("exothermic-in-words", "is_exothermic | exotherm in the text", "alkylation",
          {"notes.procedure_details": "An exothermic reaction was observed on addition."}),
    Plant("no-yield-but-conversion", "no measurement anywhere", "alkylation",
          {"outcomes.0.products.0.measurements": [], "outcomes.0.conversion": {"value": 70}}),
    Plant("zero-conversion", "a conversion of zero | none", "alkylation",
          {"outcomes.0.conversion": {"value": 0}}),
    Plant("no-created-person-name", "a record whose maker has no user name", "alkylation",
          {"provenance.record_created.person.username": None}),
    Plant("no-roles-for-products", "product without a role", "alkylation",
          {"outcomes.0.products.0.reaction_role": None}),
    Plant("mined", "is_mined true | false | absent", "alkylation", {"provenance.is_mined": True}),
    Plant("not-mined", "is_mined false | absent", "alkylation", {"provenance.is_mined": False}),
    Plant("precision-given", "a value with a precision | without", "alkylation",
          {"conditions.temperature.setpoint": quantity("45 +- 2 C")}),
    Plant("mass-precision", "a mass with a precision", "alkylation",
          {"inputs.reactant 1.components.0.amount": {"mass": quantity("120 +- 0.1 mg")}}),
    Plant("solutes-included", "volume_includes_solutes true | false | absent", "alkylation",
          {"inputs.solvent.components.0.amount.volume_includes_solutes": True}),
    Plant("solutes-not-included", "volume_includes_solutes false | absent", "alkylation",
          {"inputs.solvent.components.0.amount.volume_includes_solutes": False}),
)  # fmt: skip
