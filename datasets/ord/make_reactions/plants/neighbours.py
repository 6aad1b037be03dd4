"""Two facts that must meet: in one element, in one reaction, or nowhere."""

from __future__ import annotations

from bench import step
from dice import digest
from quantities import quantity
from record import Json, component, percentage, product

from plants.plant import Plant, made

_VALUES = "outcomes.0.products.0.measurements"
_LOOK = "outcomes.0.products.0."
_WATER = component("water", "WORKUP", "10 mL")
_BRINE = component("sodium chloride", "WORKUP", "5 g")
_KETONE = {"ketone": "acetophenone", "template": "ketone reduction, one face"}
_BUTYL = "inputs.reactant 2."
_START = "provenance.experiment_start.value"
_CREATED = "provenance.record_created.time.value"
_HEAT = "conditions.temperature"


def _pump(device: str, minutes: int, speed: str | None = None) -> Json:
    part: Json = {
        "addition_device": {"type": device},
        "addition_duration": quantity(f"{minutes} min"),
    }
    return part | ({"addition_speed": {"type": speed}} if speed else {})


def _inputs(first: Json, second: Json) -> dict[str, object]:
    return {
        f"inputs.reactant {number}.{name}": value
        for number, part in ((1, first), (2, second))
        for name, value in part.items()
    }


def _probe(kind: str, celsius: int, setpoint: str) -> dict[str, object]:
    reading = {"type": kind, "temperature": quantity(f"{celsius} C"), "time": quantity("10 min")}
    return {_HEAT: {"setpoint": quantity(setpoint), "measurements": [reading]}}


def _outcome(conversion: float | None, *values: Json) -> Json:
    item = product(made("N-alkylation", "pyrrolidine", "benzyl bromide"), *values)
    outcome: Json = {"products": [item], "analyses": {"lcms": {"type": "LCMS"}}}
    return outcome | ({} if conversion is None else {"conversion": {"value": conversion}})


def _washes(*automated: bool | None) -> list[Json]:
    return [
        step("WASH", _WATER, **({} if value is None else {"is_automated": value}))
        for value in automated
    ]


_EE = percentage("SELECTIVITY", 90, selectivity={"type": "EE"})
_SIDE = made("protodehalogenation", "4-bromoanisole")

PLANTS = (
    # An analysis and its key.
    Plant("key-says-nmr", "the key of an analysis | its type", "amide",
          {"outcomes.0.analyses": {"nmr": {"type": "LCMS"}, "a2": {"type": "NMR_1H"}},
           _VALUES: [percentage("YIELD", 71, "nmr")]}),
    Plant("key-longer", "analysis_key eq lcms | contains lcms", "amide",
          {"outcomes.0.analyses": {"lcms 2": {"type": "LCMS"}},
           _VALUES: [percentage("YIELD", 63, "lcms 2")]}),
    Plant("key-neutral", "an analysis whose key says nothing", "amide",
          {"outcomes.0.analyses": {"analysis 1": {"type": "NMR_1H"}},
           _VALUES: [percentage("YIELD", 76, "analysis 1")]}),
    # Words at the start and at the end.
    Plant("platform-named-later", "starts_with Chemspeed | contains", "amide",
          {"setup": {"is_automated": True,
                     "automation_platform": "Custom deck with Chemspeed arm"}}),
    Plant("patent-of-elsewhere", "starts_with US | contains US", "amide",
          {"provenance.patent": "WO2019US01234"}),
    Plant("doi-middle", "ends_with .007 | contains .007", "amide",
          {"provenance.doi": "10.5555/demo.007.2019"}),
    Plant("doi-end", "ends_with .007", "amide", {"provenance.doi": "10.5555/demo.2019.007"}),
    # One product that is both, two that are one each.
    Plant("white-crystals", "white crystals: one product", "amide",
          {_LOOK + "isolated_color": "white", _LOOK + "texture": {"type": "CRYSTAL"}}),
    Plant("white-crystals-again", "white crystals: one product", "suzuki",
          {_LOOK + "isolated_color": "white", _LOOK + "texture": {"type": "CRYSTAL"}}),
    Plant("off-white-crystals", "off-white | white", "amide",
          {_LOOK + "isolated_color": "off-white", _LOOK + "texture": {"type": "CRYSTAL"}}),
    Plant("white-beside-crystals", "white crystals | something white, some crystals", "suzuki",
          {_LOOK + "isolated_color": "white",
           "outcomes.0.products.+": product(_SIDE, desired=False, texture={"type": "CRYSTAL"})}),
    Plant("pure-side-product", "purity of the desired product | of any", "suzuki",
          {_VALUES: [percentage("YIELD", 58), percentage("PURITY", 80)],
           "outcomes.0.products.+": product(_SIDE, percentage("PURITY", 99), desired=False)}),
    Plant("purity-exactly-95", "purity above 95 | at least 95", "suzuki",
          {_VALUES: [percentage("YIELD", 57), percentage("PURITY", 95)]}),
    Plant("ee-exactly-90", "ee above 90 | at least 90", "reduction", {_VALUES: [_EE]}, _KETONE),
    Plant("high-dr-low-ee", "EE above 90 | any selectivity above 90", "reduction",
          {_VALUES: [percentage("SELECTIVITY", 95, selectivity={"type": "DR"}),
                     percentage("SELECTIVITY", 50, selectivity={"type": "EE"})]}, _KETONE),
    Plant("yield-with-precision", "a yield with a precision", "amide",
          {_VALUES + ".0.percentage.precision": 0.5}),
    Plant("purity-with-precision", "a precision of the yield | of the purity", "amide",
          {_VALUES + ".+": {"type": "PURITY", "analysis_key": "lcms",
                            "percentage": {"value": 91, "precision": 0.5}}}),
    Plant("yields-85-and-35", "a yield below 40 | every yield below 40", "amide",
          {_VALUES: [percentage("YIELD", 85), percentage("YIELD", 35)]}),
    Plant("yields-35-and-30", "every yield below 40", "amide",
          {_VALUES: [percentage("YIELD", 35), percentage("YIELD", 30)]}),
    Plant("yield-exactly-40", "below 40 | up to 40", "amide", {_VALUES: [percentage("YIELD", 40)]}),
    # Workup steps.
    Plant("all-steps-automated", "every step automated | some step", "amide",
          {"workups": _washes(True, True)}),
    Plant("all-steps-automated-again", "every step automated | some step", "suzuki",
          {"workups": _washes(True)}),
    Plant("one-step-automated", "every step automated | some step", "amide",
          {"workups": _washes(True, False)}),
    Plant("one-step-automated-rest-unsaid", "false | absent, within a forall", "amide",
          {"workups": _washes(True, None, None)}),
    Plant("washed-with-brine", "a WASH with water: one step | two", "amide",
          {"workups": [step("WASH", _BRINE), step("ADDITION", _WATER)]}),
    # One input that is both.
    Plant("methanol-twice", "methanol as REACTANT and as SOLVENT", "esterification",
          {"inputs.solvent.components.0": component("methanol", "SOLVENT", "5 mL")}),
    Plant("methanol-as-solvent-of-ethanol", "methanol as SOLVENT, another alcohol as REACTANT",
          "esterification",
          {"inputs.solvent.components.0": component("methanol", "SOLVENT", "5 mL")},
          {"alcohol": "ethanol"}),
    Plant("butyllithium-dropwise", "n-BuLi added dropwise: one input", "addition",
          {_BUTYL + "addition_speed": {"type": "DROPWISE"}}),
    Plant("butyllithium-dropwise-ketone", "n-BuLi added dropwise: one input", "addition",
          {_BUTYL + "addition_speed": {"type": "DROPWISE"}}, {"carbonyl": "acetophenone"}),
    Plant("aldehyde-dropwise", "n-BuLi, and something else added dropwise", "addition",
          {"inputs.reactant 1.addition_speed": {"type": "DROPWISE"},
           _BUTYL + "addition_speed": {"type": "ALL_AT_ONCE"}}),
    Plant("pump-short-funnel-long", "a syringe pump running above 30 min | two inputs",
          "acylation", _inputs(_pump("SYRINGE_PUMP", 10), _pump("ADDITION_FUNNEL", 60))),
    Plant("pump-long", "a syringe pump running above 30 min", "acylation",
          _inputs(_pump("SYRINGE_PUMP", 60), _pump("ADDITION_FUNNEL", 10))),
    Plant("dried-THF", "THF dried: one component", "addition",
          {"inputs.solvent.components.0": component(
              "THF", "SOLVENT", "4 mL", preparations=[{"type": "DRIED"}])}),
    Plant("sparged-THF", "dried | sparged", "addition",
          {"inputs.solvent.components.0": component(
              "THF", "SOLVENT", "4 mL", preparations=[{"type": "SPARGED"}])}),
    Plant("THF-beside-something-dried", "THF dried | THF, and something dried", "addition",
          {"inputs.solvent.components.0": component("THF", "SOLVENT", "4 mL"),
           "inputs.reactant 1.components.0.preparations": [{"type": "DRIED"}]}),
    Plant("bromide-beside-chloride", "Br and Cl on two reactants | on one", "suzuki",
          {"inputs.extra": {"components": [
              component("chlorobenzene", "REACTANT", "0.1 mmol")]}}),
    Plant("crude-with-workup", "a crude input worked up", "alkylation",
          {"inputs.crude": {"crude_components": [
              {"reaction_id": f"ord-{digest('reaction', 'nitro-reduced')}",
               "includes_workup": True, "amount": {"mass": quantity("0.2 g")}}]}}),
    Plant("crude-with-derived-amount", "a crude input, amount derived", "alkylation",
          {"inputs.crude": {"crude_components": [
              {"reaction_id": f"ord-{digest('reaction', 'nitro-reduced')}",
               "has_derived_amount": True, "includes_workup": False}]}}),
    # One outcome that is both.
    Plant("converted-early-isolated-late", "conversion and yield of one outcome | of two",
          "alkylation", {"outcomes": [
              {"conversion": {"value": 95}, "reaction_time": quantity("1 h")},
              _outcome(None, percentage("YIELD", 30))]}),
    Plant("converted-but-low-yield", "conversion above 90, yield below 50: one outcome",
          "alkylation", {"outcomes": [_outcome(95, percentage("YIELD", 30))]}),
    Plant("converted-and-good", "a yield below 50 | a percentage below 50", "alkylation",
          {"outcomes": [_outcome(95, percentage("YIELD", 80), percentage("AREA", 20))]}),
    # Where the heat is, and what says so.
    Plant("inside-105", "internal thermocouple above 100 °C | setpoint above 100 °C", "suzuki",
          _probe("THERMOCOUPLE_INTERNAL", 105, "95 C")),
    Plant("outside-105", "internal | external thermocouple", "suzuki",
          _probe("THERMOCOUPLE_EXTERNAL", 105, "95 C")),
    Plant("inside-98", "setpoint above 100 °C, measured below", "suzuki",
          _probe("THERMOCOUPLE_INTERNAL", 98, "110 C")),
    Plant("microwaved-in-a-tube", "control MICROWAVE | a MICROWAVE_VIAL", "suzuki",
          {_HEAT: {"setpoint": quantity("140 C"), "control": {"type": "MICROWAVE"}},
           "setup.vessel": {"type": "TUBE"}}),
    Plant("microwave-vial-in-oil", "a MICROWAVE_VIAL | control MICROWAVE", "suzuki",
          {_HEAT: {"setpoint": quantity("140 C"), "control": {"type": "OIL_BATH"}},
           "setup.vessel": {"type": "MICROWAVE_VIAL"}}),
    Plant("microwaved-at-120", "above 120 °C | at least 120 °C", "suzuki",
          {_HEAT: {"setpoint": quantity("120 C"), "control": {"type": "MICROWAVE"}},
           "setup.vessel": {"type": "MICROWAVE_VIAL"}}),
    Plant("microwaved-at-400-K", "above 400 K | at least 400 K", "suzuki",
          {_HEAT: {"setpoint": quantity("400 K"), "control": {"type": "MICROWAVE"}}}),
    *(Plant(f"{vessel.lower()}-{'with' if fitted else 'without'}-condenser",
            "a dried flask with a condenser | reflux", "esterification",
            {"setup.vessel": {"type": "ROUND_BOTTOM_FLASK", "preparations": [{"type": vessel}],
                              "attachments": [
                                  {"type": "REFLUX_CONDENSER" if fitted else "SEPTUM"}]},
             "conditions.reflux": not fitted})
      for vessel in ("FLAME_DRIED", "OVEN_DRIED") for fitted in (True, False)),
    Plant("moisture-and-oxygen", "sensitive to both", "addition",
          {"notes.is_sensitive_to_moisture": True, "notes.is_sensitive_to_oxygen": True}),
    Plant("moisture-not-oxygen", "oxygen false | absent", "addition",
          {"notes.is_sensitive_to_moisture": True, "notes.is_sensitive_to_oxygen": False}),
    Plant("moisture-oxygen-unsaid", "oxygen absent | false", "addition",
          {"notes.is_sensitive_to_moisture": True}),
    Plant("stirred-at-600-medium", "rpm exactly 600, rate MEDIUM", "suzuki",
          {"conditions.stirring": {"type": "STIR_BAR", "rate": {"type": "MEDIUM", "rpm": 600}}}),
    Plant("hydrogen-at-500-kPa", "above 5 bar | at least 5 bar", "hydrogenation",
          {"conditions.pressure": {"setpoint": quantity("500 kPa"),
                                   "atmosphere": {"type": "HYDROGEN"}}}),
    Plant("monoxide-at-6-bar", "hydrogen above 5 bar | any gas above 5 bar", "hydrogenation",
          {"conditions.pressure": {"setpoint": quantity("6 bar"),
                                   "atmosphere": {"type": "CARBON_MONOXIDE"}}}),
    Plant("hydrogen-at-6-bar", "hydrogen above 5 bar", "hydrogenation",
          {"conditions.pressure": {"setpoint": quantity("6 bar"),
                                   "atmosphere": {"type": "HYDROGEN"}}}),
    Plant("sulfone-made", "a sulfoxide pattern | S=O", "single", {},
          {"start": "thioanisole", "template": "sulfone", "reagent": "mCPBA"}),
    # One date that is not another.
    Plant("started-on-pi-day", "experiment_start 2022-03-14", "amide",
          {_START: "2022-03-14", _CREATED: "2022-03-20"}),
    Plant("started-late-on-pi-day", "a day at any hour", "amide",
          {_START: "2022-03-14T23:30:00", _CREATED: "2022-03-20"}),
    Plant("recorded-on-pi-day", "recorded | carried out on 2022-03-14", "amide",
          {_START: "2022-03-13", _CREATED: "2022-03-14"}),
    Plant("started-2018-06-06", "before 2018-06-07 | up to", "amide",
          {_START: "2018-06-06", _CREATED: "2018-07-07"}),
    Plant("started-2018-06-07", "up to 2018-06-07 | before", "amide",
          {_START: "2018-06-07", _CREATED: "2018-07-07"}),
    Plant("recorded-2023-07-01", "the second half of 2023 begins", "amide",
          {_CREATED: "2023-07-01"}),
    Plant("recorded-2023-12-31", "the second half of 2023 ends", "amide",
          {_CREATED: "2023-12-31"}),
    Plant("edited-2024-01-01", "edited since 2024 | recorded since 2024", "amide",
          {_CREATED: "2020-02-02", "provenance.record_modified": [
              {"time": {"value": "2024-01-01"},
               "person": {"username": "dsilva", "email": "dsilva@example.org"}}]}),
)  # fmt: skip
