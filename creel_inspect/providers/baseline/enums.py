"""Enum columns of the search schema, and how people say their values.

The values themselves are derived from the live schema; `SYNONYMS` only adds to them.
"""

from __future__ import annotations

# Enum columns a word may belong to, in order of preference, each with the words that point to it.
# Members shared by several columns, and everyday words, count only beside such a word.
ENUMS: dict[str, str] = {
    "setup.environment.type": "environment setup performed hood box carried",
    "conditions.pressure.atmosphere.type": "under atmosphere gas headspace blanket inert",
    "conditions.pressure.control.type": "pressure tube vessel",
    "conditions.temperature.control.type": "temperature bath heated cooled heating cooling control",
    "conditions.stirring.type": "stirring stirred mixed agitated stir",
    "conditions.stirring.rate.type": "stirring rate speed",
    "conditions.illumination.type": "light illumination irradiation lamp illuminated irradiated",
    "conditions.electrochemistry.type": "electrochemistry electrolysis electrochemical",
    "conditions.electrochemistry.cell.type": "cell",
    "conditions.flow.type": "flow",
    "conditions.flow.tubing.type": "tubing tube",
    "setup.vessel.type": "vessel in container reactor",
    "setup.vessel.material.type": "vessel material flask vial reactor made vessels",
    "setup.vessel.preparations.type": "vessel flask glassware",
    "setup.vessel.attachments.type": "attachment attached fitted equipped attachments",
    "inputs.addition_speed.type": "added addition adding",
    "inputs.addition_device.type": "added addition via device using adding",
    "inputs.components.amount.unmeasured.type": "amount amounts quantity",
    "inputs.components.preparations.type": "prepared preparation",
    "workups.type": "workup workups work-up step steps worked up work workuped",
    "outcomes.analyses.type": "analysis analyses analyzed analysed analytical measured spectrum"
    " spectra characterized by",
    "outcomes.products.measurements.selectivity.type": "selectivity",
    "outcomes.products.measurements.mass_spec_details.type": "chromatogram mass spec",
    "outcomes.products.measurements.type": "measurement measurements",
    "outcomes.products.texture.type": "product texture isolated products",
    "inputs.components.texture.type": "texture component reagent",
    "inputs.components.identifiers.type": "identified identifier identifiers",
}
# Words that mean something else unless one of the column's own words stands nearby.
_SHY_WORDS = """
    air oil solid liquid gas cap mat tube glass metal plastic dark led wash wait stirring stirred
    high low medium fast slow temperature addition area counts intensity amount identity ambient
    sealed continuous steel copper silicon quartz wax crystal foam powder synthesized dried purged
    catalytic saturated name smiles custom none weight dissolution aliquot cd ed ms ir uv mp lc gc
    cad er dr ez ze ee tic yield purity selectivity oxygen hydrogen methane ammonia ethylene
    acetylene ozone balloon septum thermocouple syringe pipette cannula infrared halogen quench
    quenched quenching dissolved dissolving concentrated concentrating plate plates fan flash
    extract foil
"""
SHY = frozenset(_SHY_WORDS.split())

SYNONYMS: dict[str, dict[str, str]] = {
    "setup.environment.type": {
        "GLOVE_BOX": "glovebox; gloveboxes; inside a glovebox",
        "FUME_HOOD": "hood; fumehood; fume cupboard",
        "BENCH_TOP": "bench; benchtop; on the bench; open bench",
        "GLOVE_BAG": "glovebag",
    },
    "conditions.pressure.atmosphere.type": {
        "NITROGEN": "n2; nitrogen gas; inert atmosphere; inert gas",
        "ARGON": "ar; argon gas; inert atmosphere; inert gas", "OXYGEN": "o2; oxygen gas",
        "HYDROGEN": "h2; hydrogen gas", "CARBON_MONOXIDE": "co", "CARBON_DIOXIDE": "co2",
        "AIR": "open air", "AMMONIA": "nh3", "ETHYLENE": "ethene",
    },
    "conditions.pressure.control.type": {
        "SEALED": "sealed tube; sealed vessel", "PRESSURIZED": "pressurised",
        "SLIGHT_POSITIVE": "slightly positive; slight positive pressure; positive pressure",
        "AMBIENT": "ambient pressure; atmospheric pressure",
    },
    "conditions.temperature.control.type": {
        "AMBIENT": "room temperature; ambient temperature; rt; r.t.; at ambient",
        "ICE_BATH": "ice water bath; ice",
        "MICROWAVE": "microwave heating; microwave irradiation; microwave heated; microwaved"
        "; microwave reactor; microwaves; heated by microwave; microwave conditions",
        "DRY_ALUMINUM_PLATE": "aluminum plate; aluminium plate; dry aluminium plate; heating block"
        "; aluminum block",
        "LIQUID_NITROGEN": "liquid nitrogen bath", "AIR_FAN": "air cooling; fan",
    },
    "conditions.stirring.type": {
        "STIR_BAR": "stirbar; magnetic stirring; magnetic stir bar; magnetic stirrer"
        "; magnetically stirred; stir bars", "OVERHEAD_MIXER": "overhead stirrer; overhead stirring"
        "; overhead mixing; overhead mixers; overhead stirrers",
        "BALL_MILLING": "ball mill; ball milled; mechanochemical; ball mills",
        "SONICATION": "sonicated; ultrasound; sonicator; ultrasonication; sonicating",
        "AGITATION": "agitated; shaken; shaking; shaker",
        "NONE": "no stirring; without stirring; unstirred; not stirred; no stirrer",
    },
    "conditions.illumination.type": {
        "LED": "leds; led lamp; led light; led illumination; led irradiation; led lamps",
        "DARK": "in the dark; darkness; kept dark; kept in the dark; protected from light",
        "HALOGEN_LAMP": "halogen lamps",
    },
    "conditions.electrochemistry.cell.type": {
        "DIVIDED_CELL": "divided", "UNDIVIDED_CELL": "undivided",
    },
    "conditions.electrochemistry.type": {
        "CONSTANT_CURRENT": "galvanostatic",
        "CONSTANT_VOLTAGE": "constant potential; potentiostatic",
    },
    "conditions.flow.type": {
        "PLUG_FLOW_REACTOR": "plug flow; pfr", "PACKED_BED_REACTOR": "packed bed",
        "CONTINUOUS_STIRRED_TANK_REACTOR": "cstr; continuously stirred tank reactor"
        "; continuous stirred tank",
    },
    "conditions.flow.tubing.type": {
        "PTFE": "teflon", "TEFLONAF": "teflon af", "STEEL": "stainless steel",
    },
    "setup.vessel.type": {
        "ROUND_BOTTOM_FLASK": "round bottomed flask; rbf; round bottom; round bottom flasks"
        "; round bottomed flasks", "WELL_PLATE": "wellplate; microtiter plate; 96 well plate"
        "; 24 well plate; plate; plates", "TUBE": "test tube",
        "PRESSURE_REACTOR": "autoclave; autoclaves",
        "ELECTROCHEMICAL_CELL": "electrochemical cells", "NMR_TUBE": "nmr tubes",
    },
    "setup.vessel.preparations.type": {
        "OVEN_DRIED": "oven dry", "FLAME_DRIED": "flame dry",
        "EVACUATED_BACKFILLED": "evacuated and backfilled; evacuated backfilled"
        "; evacuated and back filled",
    },
    "setup.vessel.attachments.type": {
        "REFLUX_CONDENSER": "condenser", "DEAN_STARK": "dean stark trap; dean stark apparatus",
        "ALUMINUM_FOIL": "aluminium foil; foil",
    },
    "inputs.addition_speed.type": {
        "DROPWISE": "drop by drop; drop wise", "PORTIONWISE": "in portions; portion wise",
        "ALL_AT_ONCE": "in one portion; in a single portion", "SLOW": "slowly",
        "FAST": "quickly; rapidly", "CONTINUOUS": "continuously",
    },
    "inputs.components.amount.unmeasured.type": {
        "CATALYTIC": "catalytic amount; catalytic amounts; catalytic quantity"
        "; catalytic quantities",
        "SATURATED": "saturated solution; saturated amount",
    },
    "inputs.components.preparations.type": {
        "REPURIFIED": "repurified before use", "SPARGED": "degassed",
        "DRIED": "dried", "SYNTHESIZED": "synthesised; synthesized in house; made in house",
    },
    "workups.type": {
        "FLASH_CHROMATOGRAPHY": "flash column chromatography; column chromatography; flash column"
        "; silica gel chromatography; flash; chromatography",
        "OTHER_CHROMATOGRAPHY": "preparative hplc; prep hplc; chromatography",
        "EXTRACTION": "extracted; extract; extractions; extracting",
        "FILTRATION": "filtered; filter; filtering; filtrations",
        "WASH": "washed; washing; washes", "CONCENTRATION": "concentrated; concentrating",
        "DISTILLATION": "distilled; distill; distilling",
        "DRY_IN_VACUUM": "dried in vacuum; dried under vacuum; dried in vacuo; vacuum drying"
        "; drying in vacuum; dry under vacuum",
        "DRY_WITH_MATERIAL": "drying agent; dried over; dried with; drying with a material"
        "; dried with a material; drying with material", "PH_ADJUST": "ph adjustment; ph adjusted",
        "SCAVENGING": "scavenger; scavenged", "WAIT": "waiting", "STIRRING": "stirred",
        "DISSOLUTION": "dissolved; dissolving", "ALIQUOT": "aliquots",
        "TEMPERATURE": "temperature change", "ADDITION": "quench; quenched; quenching",
    },
    "outcomes.analyses.type": {
        "LC": "hplc; liquid chromatography; uplc", "GC": "gas chromatography",
        "IR": "infrared; infrared spectroscopy; ir spectroscopy; ftir",
        "NMR_1H": "nmr; 1h nmr; proton nmr; h nmr; 1h-nmr; hnmr; 1 h nmr",
        "NMR_13C": "nmr; 13c nmr; carbon nmr; 13c-nmr; cnmr; carbon 13 nmr; 13 c nmr",
        "NMR_OTHER": "nmr; other nmr", "MP": "melting point",
        "UV": "uv vis; ultraviolet; uv spectroscopy",
        "TLC": "thin layer chromatography", "MS": "mass spectrometry; mass spec; mass spectrum",
        "HRMS": "high resolution mass spectrometry; high resolution mass spec; hr ms",
        "MSMS": "ms/ms; tandem mass spectrometry; tandem ms", "LCMS": "lc ms; lc/ms; lc-ms",
        "GCMS": "gc ms; gc/ms; gc-ms", "XRD": "x ray diffraction; xray diffraction"
        "; x ray crystallography", "CD": "circular dichroism", "WEIGHT": "weighing",
        "RAMAN": "raman spectroscopy", "EPR": "electron paramagnetic resonance",
        "SFC": "supercritical fluid chromatography", "CAD": "charged aerosol detection",
        "ED": "electron diffraction", "OPTICAL_ROTATION": "specific rotation",
        "ELSD": "evaporative light scattering",
    },
    "outcomes.products.measurements.selectivity.type": {
        "DR": "diastereomeric ratio", "ER": "enantiomeric ratio",
    },
    "outcomes.products.texture.type": {
        "CRYSTAL": "crystalline; crystals; crystalline solid", "POWDER": "powdery; powdered",
        "AMORPHOUS_SOLID": "amorphous", "OIL": "oils; oily", "SOLID": "solids", "FOAM": "foamy",
    },
}  # fmt: skip

# Columns as things that have kinds: "for each stirring type", "the most common atmosphere".
NOUNS: dict[str, str] = {
    word: path
    for path, words in {
        "setup.environment.type": "environment; setup environment; environment type",
        "setup.vessel.type": "vessel; vessel type; reaction vessel; type of vessel",
        "setup.vessel.material.type": "vessel material; vessel material type",
        "conditions.pressure.atmosphere.type": "atmosphere; atmosphere type; reaction atmosphere",
        "conditions.pressure.control.type": "pressure control; pressure control type",
        "conditions.temperature.control.type": (
            "temperature control; temperature control type; heating method; bath type"
            "; type of temperature control"
        ),
        "conditions.stirring.type": "stirring type; stirring method; type of stirring; stirring",
        "conditions.illumination.type": "illumination type; light source; type of illumination"
        "; illumination",
        "conditions.electrochemistry.type": "electrochemistry type",
        "conditions.flow.type": "flow type; flow reactor type",
        "conditions.flow.tubing.type": "tubing type; tubing material",
        "inputs.components.reaction_role": "role; reaction role; component role",
        "inputs.addition_speed.type": "addition speed",
        "inputs.addition_device.type": "addition device",
        "workups.type": "workup type; type of workup; kind of workup; workup step type",
        "outcomes.analyses.type": "analysis type; type of analysis; analytical technique"
        "; analytical method; kind of analysis",
        "outcomes.products.measurements.type": "measurement type; type of measurement",
        "outcomes.products.texture.type": "product texture; texture",
        "setup.is_automated": "automation; automated or not",
        "first_commit.dataset_id": "dataset of first appearance",
        "conditions.illumination.color": "light color; light colour",
    }.items()
    for word in words.split("; ")
}
