"""Columns of the search schema, with the words people use for them.

Paths are checked against the live schema by a test. Enum columns are in `enums`.
"""

from __future__ import annotations

_MEASUREMENT = "outcomes.products.measurements"

# path -> (dimension, words). The first path of a dimension is what a bare quantity means.
NUMBERS: dict[str, tuple[str, str]] = {
    "conditions.temperature.setpoint_kelvin": (
        "temperature",
        "temperature; temperature setpoint; setpoint temperature; reaction temperature; temp"
        "; temperatures; set temperature; setpoint; temperature set point; reaction temperatures"
        "; set point temperature; temperature setpoints",
    ),
    "conditions.temperature.measurements.temperature_kelvin": (
        "temperature", "measured temperature; temperature measurement; temperature reading"
        "; temperature readings; temperature measurements; measured temperatures"
        "; internal temperature; recorded internal temperature",
    ),
    "inputs.addition_temperature_kelvin": ("temperature", "addition temperature"),
    "workups.temperature.setpoint_kelvin": ("temperature", "workup temperature"),
    "conditions.pressure.setpoint_kilopascals": (
        "pressure",
        "pressure; pressure setpoint; setpoint pressure; reaction pressure; pressures",
    ),
    "conditions.pressure.measurements.pressure_kilopascals": (
        "pressure", "measured pressure; pressure reading; pressure readings"
        "; pressure measurement; pressure measurements",
    ),
    "outcomes.reaction_time_seconds": (
        "time",
        "reaction time; reaction times; time; duration; reaction duration; run time; times"
        "; durations; reaction length",
    ),
    "inputs.addition_duration_seconds": (
        "time", "addition duration; addition time; duration of addition; duration of the addition",
    ),
    "inputs.addition_time_seconds": ("time", "addition start time"),
    "workups.duration_seconds": (
        "time", "workup duration; workup time; workup durations; duration of the workup",
    ),
    f"{_MEASUREMENT}.retention_time_seconds": ("time", "retention time; retention times"),
    "observations.time_seconds": ("time", "observation time"),
    "inputs.components.amount.mass_grams": ("mass", "mass; weight; masses"),
    "inputs.components.amount.moles_moles": ("moles", "moles; molar amount; number of moles"),
    "inputs.components.amount.volume_liters": ("volume", "volume; volumes"),
    "setup.vessel.volume_liters": (
        "volume",
        "vessel volume; volume of the vessel; vessel size; flask volume; vessel capacity"
        "; reactor volume; capacity; vessel volumes; volume of the reaction vessel",
    ),
    "conditions.illumination.peak_wavelength_nanometers": (
        "wavelength", "wavelength; peak wavelength; light wavelength; irradiation wavelength"
        "; illumination wavelength; wavelengths; peak wavelengths",
    ),
    f"{_MEASUREMENT}.wavelength_nanometers": ("wavelength", "detection wavelength"),
    "conditions.illumination.distance_to_vessel_centimeters": (
        "length", "distance to the vessel; distance to vessel; lamp distance; light distance"
        "; distance from the vessel; distance from the light source",
    ),
    "conditions.electrochemistry.electrode_separation_centimeters": (
        "length", "electrode separation; electrode distance; electrode gap; interelectrode distance"
        "; separation between electrodes",
    ),
    "conditions.flow.tubing.diameter_centimeters": ("length", "tubing diameter; tube diameter"),
    "conditions.stirring.rate.rpm": (
        "speed", "stirring rate; stirring speed; stir rate; stir speed; rpm; stirring rpm"
        "; stirring rates; agitation rate; agitation speed",
    ),
    "conditions.electrochemistry.voltage_volts": ("voltage", "voltage; cell voltage; voltages"),
    "conditions.electrochemistry.current_amperes": ("current", "current; electric current"),
    "inputs.flow_rate_milliliters_per_minute": (
        "flow rate", "flow rate; flow rates; input flow rate",
    ),
    "conditions.ph": ("number", "ph; reaction ph"),
    "workups.target_ph": ("number", "target ph; workup ph"),
    "outcomes.conversion.value": (
        "percent", "conversion; conversions; percent conversion; converted",
    ),
    "inputs.addition_order": ("number", "addition order; order of addition"),
}  # fmt: skip

# Measurements of a product, in percent: words -> (measurement type, selectivity type).
MEASURES: dict[str, tuple[str, str | None]] = {
    word: meaning
    for words, meaning in {
        "yield; yields; yielding; yielded; percent yield; product yield; percentage yield"
        "; chemical yield; reaction yield; yield measurement; yield measurements": ("YIELD", None),
        "purity; purities; pure; purity measurement; product purity": ("PURITY", None),
        "selectivity; selectivities; selectivity measurement": ("SELECTIVITY", None),
        "ee; enantiomeric excess; e.e.; enantioselectivity": ("SELECTIVITY", "EE"),
        "area percent; peak area; area; area measurement": ("AREA", None),
        "identity measurement": ("IDENTITY", None),
        "counts measurement; ion counts": ("COUNTS", None),
        "intensity measurement": ("INTENSITY", None),
        "amount measurement": ("AMOUNT", None),
    }.items()
    for word in words.split("; ")
}
PERCENTAGE = f"{_MEASUREMENT}.percentage.value"

BOOLEANS: dict[str, tuple[str, str]] = {
    # path -> (words that say it is so, words that say it is not)
    "setup.is_automated": (
        "automated; automatically; robotic; performed automatically; automation"
        "; on an automated platform; robot; using automation; automated setup",
        "manual; manually; by hand; unautomated; non automated; not automated",
    ),
    "conditions.reflux": (
        "reflux; refluxed; refluxing; under reflux; at reflux; heated to reflux",
        "no reflux; without reflux; not refluxed; not at reflux; not under reflux",
    ),
    "conditions.conditions_are_dynamic": (
        "dynamic conditions; conditions are dynamic; dynamic; conditions changed over time"
        "; conditions change over time; conditions that change over time"
        "; conditions that changed during the reaction; conditions varied over time",
        "static conditions",
    ),
    "notes.is_heterogeneous": ("heterogeneous; heterogenous", "homogeneous; homogenous"),
    "notes.forms_precipitate": (
        "forms a precipitate; formed a precipitate; form a precipitate; precipitate; precipitates"
        "; precipitated; forming a precipitate; precipitate formed; precipitation"
        "; precipitate forms; precipitate formation; formation of a precipitate",
        "no precipitate; without a precipitate; no precipitate formed",
    ),
    "notes.is_exothermic": (
        "exothermic; exotherm; release heat; releases heat; give off heat; gave off heat",
        "not exothermic; non exothermic; nonexothermic",
    ),
    "notes.offgasses": (
        "offgas; offgases; offgasses; off gas; offgassing; offgassed; gas evolution; evolve gas"
        "; evolved gas; evolves gas; off gassing; off gases; releases gas; release gas"
        "; give off gas"
        "; gas evolving; evolves a gas; evolve a gas; gas is evolved; gas was evolved; gas evolved",
        "no gas evolution; without gas evolution",
    ),
    "notes.is_sensitive_to_moisture": (
        "moisture sensitive; sensitive to moisture; water sensitive; sensitive to water",
        "not moisture sensitive; insensitive to moisture; not sensitive to moisture",
    ),
    "notes.is_sensitive_to_oxygen": (
        "oxygen sensitive; sensitive to oxygen; air sensitive; sensitive to air",
        "not oxygen sensitive; not air sensitive; insensitive to oxygen; not sensitive to oxygen",
    ),
    "notes.is_sensitive_to_light": (
        "light sensitive; sensitive to light; photosensitive",
        "not light sensitive; insensitive to light; not sensitive to light",
    ),
    "provenance.is_mined": (
        "mined; text mined; mined from text; machine mined; data mined; automatically mined"
        "; mined from the literature; mined from literature; text mining",
        "not mined; hand curated; not text mined",
    ),
    "outcomes.products.is_desired_product": (
        "desired product; desired products; desired; intended product; target product"
        "; desired compound; intended products; target products; marked as desired"
        "; flagged as desired; the desired one",
        "undesired product; undesired products; undesired; unwanted product; unwanted products"
        "; not desired; not the desired product; not the desired one; non desired product",
    ),
    "inputs.components.is_limiting": (
        "limiting reagent; limiting reactant; limiting; limiting component; limiting reagents"
        "; limiting reactants; the limiting reagent; limiting substrate",
        "not limiting; non limiting",
    ),
    f"{_MEASUREMENT}.uses_internal_standard": (
        "internal standard; internal standards; by internal standard; with an internal standard"
        "; using an internal standard; against an internal standard"
        "; measured with internal standard",
        "without an internal standard; without internal standard; no internal standard",
    ),
    f"{_MEASUREMENT}.uses_authentic_standard": (
        "authentic standard; authentic standards; with an authentic standard"
        "; using an authentic standard; against an authentic standard",
        "without an authentic standard; no authentic standard",
    ),
    f"{_MEASUREMENT}.is_normalized": (
        "normalized; normalised; normalized measurement", "not normalized; unnormalized",
    ),
    "workups.is_automated": ("automated workup; automated workups; automated workup step", ""),
    "outcomes.analyses.is_of_isolated_species": (
        "analysis of an isolated species; isolated species; analysis of the isolated species"
        "; of an isolated species", "",
    ),
    "identifiers.is_mapped": (
        "atom mapped; atom mapping; mapped reaction smiles; atom mapped reaction smiles; mapped",
        "unmapped; not atom mapped; not mapped",
    ),
    "inputs.components.amount.volume_includes_solutes": (
        "volume includes solutes; volume including solutes; volume that includes solutes", "",
    ),
}  # fmt: skip

TEXTS: dict[str, str] = {
    "inputs.components.source.vendor": (
        "vendor; supplier; vendors; suppliers; supplied by; purchased from; bought from; sold by"
        "; sourced from; obtained from; ordered from; vendor name; commercial source; acquired from"
    ),
    "inputs.components.source.catalog_id": (
        "catalog number; catalogue number; catalog id; catalog identifier; catalogue id"
    ),
    "inputs.components.source.lot": "lot; lot number; batch number",
    "setup.automation_platform": (
        "automation platform; robotic platform; platform; automated platform"
    ),
    "setup.vessel.details": "vessel details",
    "setup.vessel.vessel_id": "vessel id",
    "setup.environment.details": "environment details",
    "conditions.details": "conditions details; condition details; reaction conditions details",
    "conditions.temperature.control.details": "temperature control details",
    "conditions.stirring.details": "stirring details",
    "conditions.illumination.details": "illumination details",
    "conditions.illumination.color": (
        "light color; light colour; color of the light; colour of the light; illumination color"
        "; illumination colour; lamp color; led color; light; lights; irradiation; leds light"
    ),
    "conditions.electrochemistry.anode_material": (
        "anode material; anode; anodes; material of the anode"
    ),
    "conditions.electrochemistry.cathode_material": (
        "cathode material; cathode; cathodes; material of the cathode"
    ),
    "conditions.flow.pump_type": "pump type; flow pump; type of pump",
    "notes.procedure_details": (
        "procedure; procedure details; procedure text; procedures; experimental procedure"
        "; procedure description; written procedure; procedure notes"
    ),
    "notes.safety_notes": "safety notes; safety note; safety; safety information; safety remarks",
    "observations.comment": "observation; observation comment; observations; observation comments",
    "workups.details": "workup details; workup description; details of the workup",
    "workups.keep_phase": "kept phase; phase kept; keep phase; retained phase; phase",
    "outcomes.products.isolated_color": (
        "isolated color; isolated colour; product color; product colour; color of the product"
        "; colour of the product; color; colour"
    ),
    "outcomes.analyses.details": "analysis details",
    "outcomes.analyses.instrument_manufacturer": (
        "instrument manufacturer; instrument maker; manufacturer; instrument made by"
        "; instrument from; instruments made by; instrument"
    ),
    "provenance.experimenter.username": "experimenter username",
    "provenance.experimenter.name": (
        "experimenter; experimenter name; performed by; carried out by; run by; conducted by"
        "; chemist; name of the experimenter; experiments by; done by; name of experimenter"
    ),
    "provenance.experimenter.orcid": "orcid; orcid id; experimenter orcid",
    "provenance.experimenter.organization": (
        "organization; organisation; institution; company; experimenter organization; affiliation"
        "; organizations; organisations; university"
    ),
    "provenance.experimenter.email": "email; e mail; email address; experimenter email",
    "provenance.city": "city; cities",
    "provenance.doi": "doi; dois; paper with doi; publication doi",
    "provenance.patent": "patent; patents; patent number; us patent",
    "provenance.publication_url": "publication url; publication link; url",
    "provenance.record_created.person.username": (
        "username; user name; user; deposited by; submitted by; record created by; created by"
        "; recorded by; depositor; uploaded by; username of the depositor"
    ),
    "provenance.record_created.person.name": "depositor name; submitter; submitter name",
    "provenance.record_created.person.organization": "depositor organization",
    "provenance.record_modified.person.username": "modified by; record modified by; edited by",
    "provenance.record_created.details": "record details",
    "dataset_id": "dataset id; dataset identifier; dataset",
    "first_commit.dataset_id": (
        "dataset it first appeared in; first dataset; original dataset; first appeared in dataset"
    ),
    "first_commit.sha": "commit; commit sha; first commit",
    "smiles": "reaction smiles",
    "reaction_id": "reaction id; reaction identifier",
}

# Ways of running a reaction: said alone, that the record has that section.
MODES: dict[str, str] = {
    "conditions.electrochemistry.type": (
        "electrochemical; electrochemistry; electrolysis; electrolyses; electrochemically"
    ),
    "conditions.flow.type": "in flow; flow chemistry; flow; continuous flow; in continuous flow",
}

DATES: dict[str, str] = {
    "provenance.record_created.time.timestamp": (
        "recorded; record created; records created; created; deposited; submitted"
        "; record was created"
        "; records were created; creation date; record creation; uploaded; record creation date"
        "; entered; logged; date recorded; date of the record; records date; record date"
    ),
    "provenance.experiment_start.timestamp": (
        "carried out; performed; experiment start; experiment started; experiments started; started"
        "; conducted; run; experiment date; executed; experimentally run; done; experiment was run"
        "; date of the experiment; experiment start date; began; begun; start date; took place; ran"
        "; experiment began"
    ),
    "first_commit.timestamp": (
        "added to ord; entered ord; first commit; arrived in ord; merged into ord"
        "; added to ord data"
        "; merged into ord data; added to the database; first committed; entered the database"
        "; joined ord; added; merged; arrived; committed; published in ord; added to the corpus"
        "; entered the corpus; released in ord; made public; arrival; appeared in ord"
        "; added to the open reaction database; entered the open reaction database"
        "; merged into the open reaction database; first commit date; arrival date; became public"
        "; first appeared in ord; first added; reached ord; reached ord data; first arrived"
        "; came into ord; published to ord; landed in ord; entered ord data; first added to ord"
    ),
    "provenance.record_modified.time.timestamp": (
        "modified; edited; record modified; last modified; last edited; updated; revised"
        "; record was modified; modification date; records modified; changed; amended; last updated"
    ),
}
