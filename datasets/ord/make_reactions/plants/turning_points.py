"""Details that one question turns on, gathered from the questions of the demo cases."""

from __future__ import annotations

from people import DETAILS, person
from quantities import quantity
from record import component, event, identifiers, percentage, product
from substances import SMILES

from plants.plant import Plant, made


def _extra(name: str, role: str, amount: str = "1 mmol", **fields: object) -> dict[str, object]:
    return {"inputs.extra": {"components": [component(name, role, amount, **fields)]}}


def _named(smiles: str, role: str) -> dict[str, object]:
    """A component that is known by its structure only, in an input of its own."""
    part = {
        "identifiers": identifiers("", smiles),
        "reaction_role": role,
        "amount": {"moles": quantity("1 mmol")},
    }
    return {"inputs.extra": {"components": [part]}}


def _measured(*measurements: dict[str, object]) -> dict[str, object]:
    return {"outcomes.0.products.0.measurements": list(measurements)}


def _steps(*steps: dict[str, object]) -> dict[str, object]:
    return {"workups": list(steps)}


def _ee(kind: str, value: float) -> dict[str, object]:
    return percentage("SELECTIVITY", value, selectivity={"type": kind})


_PRODUCT = "outcomes.0.products.0"

PLANTS = (
    # which compound, in which role
    Plant("alanine-D", "L-alanine | its mirror image", "esterification", {}, {"acid": "D-alanine"}),
    Plant("alanine-flat", "L-alanine | no stereo drawn", "amide",
          {**_named("CC(N)C(=O)O", "REACTANT")}),
    Plant("alanine-ester-made", "acid and NH2 in one molecule, no amide made", "esterification", {},
          {"acid": "L-alanine"}),
    Plant("hydroxypyridine-ligand", "2-hydroxypyridine as a reactant | as a reagent", "suzuki",
          {**_extra("2-hydroxypyridine", "REAGENT", "0.1 mmol")}),
    Plant("triethylamine-for-solvent", "triethylamine as a reagent | as a solvent", "suzuki",
          {"inputs.solvent.components.0": component("triethylamine", "SOLVENT", "3 mL")}),
    Plant("bromochloro-standard", "Br and Cl on a reactant | on another component", "amide",
          {**_extra("1-bromo-4-chlorobenzene", "INTERNAL_STANDARD", "0.2 mmol")}),
    Plant("bromoanisole-standard", "similar among reactants | among all inputs", "amination",
          {**_extra("4-bromoanisole", "INTERNAL_STANDARD", "0.2 mmol")}),
    Plant("amine-kept-in-by-product", "no product with NH2 | some product without", "amide",
          {"outcomes.0.products.+": product(SMILES["aniline"] or "", desired=False)},
          {"amine": "aniline"}),
    Plant("acid-as-solvent", "acid as a reactant | as a solvent", "acylation",
          {"inputs.solvent.components.0": component("acetic acid", "SOLVENT", "4 mL")},
          {"amine": "aniline"}),
    Plant("methanol-twice-benzoic", "methanol as reactant and solvent", "esterification",
          {"inputs.solvent.components.0": component("methanol", "SOLVENT", "2 mL")},
          {"acid": "benzoic acid"}),
    Plant("methanol-consumed-only", "methanol as a reactant | as the solvent", "esterification",
          {"conditions.reflux": True}, {"acid": "cinnamic acid"}),
    Plant("ester-with-ethanol-refluxed", "an esterification at reflux", "esterification",
          {"conditions.reflux": True}, {"acid": "nicotinic acid", "alcohol": "ethanol"}),
    Plant("ester-not-refluxed", "an esterification, reflux on record as false", "esterification",
          {"conditions.reflux": False}, {"acid": "4-chlorobenzoic acid"}),
    Plant("DMAP-salt", "DMAP | a salt that contains it", "acylation",
          {**_named("CN(C)c1ccncc1.Cl", "REAGENT")}),
    Plant("DMAP-alkylated", "DMAP as a reagent or catalyst | as a reactant", "alkylation",
          {**_extra("DMAP", "REACTANT")}),
    Plant("methylmorpholine-consumed", "morpholine in any salt | a ring that contains it",
          "alkylation", {**_extra("4-methylmorpholine", "REACTANT")}),
    Plant("phosphine-beside-palladium", "a phosphine in the catalyst | as a reagent", "suzuki", {
        "inputs.catalyst.components.0": component("Pd(OAc)2", "CATALYST", "0.05 mmol"),
        **_extra("triphenylphosphine", "REAGENT", "0.1 mmol")}),
    Plant("phosphine-catalyst-in-toluene", "the catalyst without the solvent", "suzuki", {},
          {"solvent": "toluene"}),
    # amounts and additions
    Plant("toluene-little", "toluene above 8 mL | something else above 8 mL", "esterification", {
        "inputs.solvent.components.0": component("toluene", "SOLVENT", "3 mL"),
        "inputs.solvent.components.+": component("THF", "SOLVENT", "12 mL")}),
    Plant("toluene-consumed", "toluene as a solvent | as a reactant", "alkylation",
          {**_extra("toluene", "REACTANT", "20 mL")}),
    Plant("exactly-10-g", "more than 10 g | 10 g", "amide",
          {"inputs.reactant 1.components.0.amount": {"mass": quantity("10 g")}}),
    Plant("2-times-6-g", "one input above 10 g | all of them together", "amide", {
        "inputs.reactant 1.components.0.amount": {"mass": quantity("6 g")},
        "inputs.reactant 2.components.0.amount": {"mass": quantity("6 g")}}),
    Plant("second-solvent-unmeasured", "every solvent has a volume | one of them", "amide", {
        "inputs.solvent.components.+": {
            "identifiers": identifiers("water"), "reaction_role": "SOLVENT",
            "amount": {"unmeasured": {"type": "CUSTOM", "details": "a few drops"}}}}),
    Plant("both-solvents-weighed", "a volume for each solvent | none", "amide", {
        "inputs.solvent.components.0.amount": {"mass": quantity("4 g")},
        "inputs.solvent.components.+": component("water", "SOLVENT", "1 g")}),
    Plant("reagent-by-volume", "volume of solvents | of every liquid", "amide",
          {"inputs.base.components.0.amount": {"volume": quantity("25 mL")}}),
    Plant("reactant-in-trace", "smallest limiting amount | smallest reactant", "amide",
          {"inputs.reactant 2.components.0.amount": {"moles": quantity("1 umol")}}),
    Plant("pumped-for-an-hour", "syringe pump for half an hour", "addition", {
        "inputs.reactant 2.addition_device": {"type": "SYRINGE_PUMP"},
        "inputs.reactant 2.addition_duration": quantity("60 min")}),
    Plant("pumped-for-half-an-hour", "half an hour itself", "amination", {
        "inputs.reactant 2.addition_device": {"type": "SYRINGE_PUMP"},
        "inputs.reactant 2.addition_duration": quantity("30 min")}),
    Plant("pump-started-late", "how long | how late", "addition", {
        "inputs.reactant 2.addition_device": {"type": "SYRINGE_PUMP"},
        "inputs.reactant 2.addition_time": quantity("60 min")}),
    Plant("key-of-analysis", "the analysis key | the kind of analysis", "amide", {
        "outcomes.0.analyses": {"crude-uplc": {"type": "LC"}},
        **_measured(percentage("YIELD", 61, "crude-uplc"))}),
    Plant("key-of-analysis-again", "the analysis key | the kind of analysis", "suzuki", {
        "outcomes.0.analyses": {"crude-uplc": {"type": "LCMS"}, "nmr": {"type": "NMR_1H"}},
        **_measured(percentage("YIELD", 58, "crude-uplc"))}),
    Plant("key-with-suffix", "the analysis key | a longer one", "amide", {
        "outcomes.0.analyses": {"crude-uplc 2": {"type": "LC"}},
        **_measured(percentage("YIELD", 62, "crude-uplc 2"))}),
    Plant("key-says-nothing", "determined by NMR, under a neutral key", "amination", {
        "outcomes.0.analyses": {"a1": {"type": "NMR_1H"}, "a2": {"type": "LCMS"}},
        **_measured(percentage("YIELD", 56, "a1"))}),
    # setup and conditions
    Plant("probe-outside-hot", "inside | outside", "amination", {
        "conditions.temperature.setpoint": quantity("95 C"),
        "conditions.temperature.measurements": [
            {"type": "THERMOCOUPLE_EXTERNAL", "temperature": quantity("112 C")},
            {"type": "THERMOCOUPLE_INTERNAL", "temperature": quantity("96 C")}]}),
    Plant("led-440", "the lower bound itself", "amination", {
        "conditions.illumination": {"type": "LED", "peak_wavelength": quantity("440 nm")}}),
    Plant("led-460", "the upper bound itself", "amination", {
        "conditions.illumination": {"type": "LED", "peak_wavelength": quantity("460 nm")}}),
    Plant("halogen-450", "an LED | another lamp", "amination", {
        "conditions.illumination": {"type": "HALOGEN_LAMP",
                                    "peak_wavelength": quantity("450 nm")}}),
    Plant("pfa-wide", "narrow tubing | wide", "amination", {
        "conditions.flow": {"type": "PLUG_FLOW_REACTOR",
                            "tubing": {"type": "PFA", "diameter": quantity("1.6 mm")}}}),
    Plant("reaction-at-ph-2", "pH of the reaction | of the workup", "single",
          {"conditions.ph": 2.5},
          {"start": "thioanisole", "template": "sulfide oxidation",
           "reagent": "hydrogen peroxide"}),
    # workups
    Plant("workup-one-step-automated", "every step automated", "suzuki",
          {**_steps({"type": "FILTRATION", "is_automated": True, "keep_phase": "filtrate"})}),
    Plant("extracted-three-times", "one extraction | three", "amide",
          {"workups": [{"type": "EXTRACTION", "keep_phase": "organic"}] * 3}),
    # outcomes
    Plant("conversion-early-yield-late", "of one outcome | of two", "amination", {
        "outcomes.0.conversion": {"value": 62},
        **_measured(percentage("YIELD", 30)),
        "outcomes.+": {"conversion": {"value": 95}, "reaction_time": quantity("8 h"),
                       "products": [product(
                           made("SNAr", "1-fluoro-4-nitrobenzene", "piperidine"))]}}),
    Plant("converted-but-lost", "high conversion, low yield", "amination", {
        "outcomes.0.conversion": {"value": 96}, **_measured(percentage("YIELD", 31))}),
    Plant("converted-with-low-area", "yield | any percentage", "amination", {
        "outcomes.0.conversion": {"value": 97},
        **_measured(percentage("YIELD", 84), percentage("AREA", 22))}),
    Plant("yields-35-and-40", "best yield below 40 | 40 itself", "amide",
          {**_measured(percentage("YIELD", 35), percentage("YIELD", 40))}),
    Plant("yields-99.9-and-60", "highest yield | highest mean", "amide",
          {**_measured(percentage("YIELD", 99.9), percentage("YIELD", 60))}),
    Plant("ee-96", "above 90 %", "reduction",
          {**_measured(percentage("YIELD", 67), _ee("EE", 96))}),
    Plant("pure-by-product", "purity of the desired product | of another", "amide", {
        **_measured(percentage("YIELD", 69), percentage("PURITY", 80)),
        "outcomes.0.products.+": product(
            SMILES["benzoic acid"] or "", percentage("PURITY", 99), desired=False)}),
    Plant("standard-for-area-only", "standard for the yield | for an area", "amide", {
        **_measured(percentage("YIELD", 59, uses_internal_standard=False),
                    percentage("AREA", 63, uses_internal_standard=True)),
        **_extra("naphthalene", "INTERNAL_STANDARD", "0.5 mmol")}),
    Plant("standard-without-yield", "standard for a yield | without one", "amide", {
        **_measured(percentage("AREA", 64, uses_internal_standard=True)),
        **_extra("dodecane", "INTERNAL_STANDARD", "0.5 mmol")}),
    Plant("yield-half-point", "an uncertainty of 0.5", "amide", {
        **_measured({"type": "YIELD", "analysis_key": "lcms",
                     "percentage": {"value": 73, "precision": 0.5}})}),
    Plant("yield-two-points", "an uncertainty of 2", "suzuki", {
        **_measured({"type": "YIELD", "analysis_key": "lcms",
                     "percentage": {"value": 74, "precision": 2}})}),
    Plant("two-oils", "products | reactions with one", "reduction", {
        f"{_PRODUCT}.texture": {"type": "OIL"},
        "outcomes.0.products.+": product(
            SMILES["cyclohexanone"] or "", desired=False, texture={"type": "OIL"})}),
    Plant("sampled-at-one-and-96-hours", "shortest time | longest", "amide", {
        "outcomes.0.reaction_time": quantity("96 h"),
        "outcomes.+": {"reaction_time": quantity("1 h"),
                       "analyses": {"lcms": {"type": "LCMS"}}, "products": [
            product(made("amide", "benzoic acid", "benzylamine"), percentage("AREA", 11))]}}),
    # dates, texts, provenance
    Plant("recorded-31-december-2023", "the last day itself", "amide", {
        "provenance.experiment_start": {"value": "2023-12-29"},
        "provenance.record_created": event("2023-12-31T18:00:00", person("fzhang"),
                                           details=DETAILS)}),
    Plant("named-reaction-elsewhere", "of that type of identifier | of any", "amination", {
        "identifiers": [{"type": "CUSTOM", "details": "folder", "value": "Buchwald archive"}]}),
)  # fmt: skip
