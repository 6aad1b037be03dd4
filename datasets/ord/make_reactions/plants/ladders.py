"""Values on, just below and just above every boundary a question is likely to use.

Each ladder belongs to one place in the record. A rung of every ladder goes into one reaction, so
sixty reactions hold all rungs; the ladders have different lengths, so that no two of them
always climb together.
"""

from __future__ import annotations

from bench import step
from quantities import quantity
from record import Json, component

from plants.plant import Plant

_LIMITING = "inputs.reactant 1.components.0.amount"
_EXCESS = "inputs.reactant 2.components.0.amount"
_SOLVENT = "inputs.solvent.components.0.amount"

_TEMPERATURES = (
    "-196 C", "-100 C", "-78.5 C", "-78 C", "-77.5 C", "-40 C", "-20.5 C", "-20 C", "-19.5 C",
    "-0.5 C", "0 C", "0.5 C", "4 C", "24.5 C", "25 C", "25.5 C", "249 K", "250 K", "251 K",
    "299 K", "300 K", "301 K", "349 K", "350 K", "351 K", "399 K", "400 K", "401 K", "49.5 C",
    "50 C", "50.5 C", "59.5 C", "60 C", "60.5 C", "79.5 C", "80 C", "80.5 C", "99.5 C", "100 C",
    "100.5 C", "119.5 C", "120 C", "120.5 C", "149 C", "150 C", "151 C", "200 C", "250 C", "350 C",
    "212 F",
)  # fmt: skip
_PERCENTAGES = (
    0, 1, 4.5, 5, 5.5, 9.5, 10, 10.5, 19.5, 20, 20.5, 24.5, 25, 25.5, 29.5, 30, 30.5, 39.5, 40,
    40.5, 49.5, 50, 50.5, 59.5, 60, 60.5, 62.5, 69.5, 70, 70.5, 74.5, 75, 75.5, 79.5, 80, 80.5,
    84.5, 85, 85.5, 89.5, 90, 90.5, 94.5, 95, 95.5, 97.5, 98.5, 99, 99.5, 100,
)  # fmt: skip
_MASSES = (
    "0.05 mg", "0.9 mg", "1 mg", "1.1 mg", "9.9 mg", "10 mg", "10.1 mg", "49 mg", "50 mg", "51 mg",
    "99 mg", "100 mg", "101 mg", "490 mg", "500 mg", "510 mg", "0.99 g", "1 g", "1.01 g", "4.9 g",
    "5 g", "5.1 g", "9.9 g", "10 g", "10.1 g", "19 g", "20 g", "21 g", "49 g", "50 g", "51 g",
    "99 g", "100 g", "101 g", "490 g", "500 g", "510 g", "0.99 kg", "1 kg", "1.01 kg", "5 kg",
    "12 kg",
)  # fmt: skip
_MOLES = (
    "0.5 umol", "1 umol", "9 umol", "10 umol", "11 umol", "49 umol", "50 umol", "51 umol",
    "0.09 mmol", "0.1 mmol", "0.11 mmol", "0.19 mmol", "0.2 mmol", "0.21 mmol", "0.49 mmol",
    "0.5 mmol", "0.51 mmol", "0.9 mmol", "1 mmol", "1.1 mmol", "4.9 mmol", "5 mmol", "5.1 mmol",
    "9.9 mmol", "10 mmol", "10.1 mmol", "49 mmol", "50 mmol", "51 mmol", "0.09 mol", "0.1 mol",
    "0.11 mol", "0.5 mol", "0.9 mol", "1 mol", "1.1 mol", "6 mol", "12 mol",
)  # fmt: skip
_VOLUMES = (
    "5 uL", "10 uL", "50 uL", "99 uL", "100 uL", "101 uL", "490 uL", "500 uL", "510 uL", "0.9 mL",
    "1 mL", "1.1 mL", "1.9 mL", "2 mL", "2.1 mL", "4.9 mL", "5 mL", "5.1 mL", "9.9 mL", "10 mL",
    "10.1 mL", "19 mL", "20 mL", "21 mL", "49 mL", "50 mL", "51 mL", "99 mL", "100 mL", "101 mL",
    "490 mL", "500 mL", "510 mL", "0.99 L", "1 L", "1.01 L", "2 L", "5 L", "5.1 L", "12 L",
)  # fmt: skip
_TIMES = (
    "1 s", "12 s", "24 s", "30 s", "31 s", "60 s", "4 min", "5 min", "6 min", "10 min", "12 min",
    "14 min", "15 min", "16 min", "24 min", "29 min", "30 min", "31 min", "59 min", "1 h",
    "61 min", "119 min", "2 h", "121 min", "3.9 h", "4 h", "4.1 h", "5.9 h", "6 h", "6.1 h",
    "11.5 h", "12 h", "12.5 h", "15.5 h", "16 h", "16.5 h", "17.5 h", "18 h", "23.5 h", "24 h",
    "24.5 h", "47 h", "48 h", "49 h", "3 day", "7 day", "30 day",
)  # fmt: skip
_PRESSURES = (
    "1 kPa", "50 kPa", "60 kPa", "61 kPa", "99 kPa", "100 kPa", "1 atm", "1.1 bar", "1.9 bar",
    "2 bar", "2.1 bar", "4.9 bar", "5 bar", "5.1 bar", "9.9 bar", "10 bar", "10.1 bar",
    "19.5 bar", "20 bar", "20.5 bar", "49 bar", "50 bar", "51 bar", "59 bar", "60 bar", "61 bar",
    "99 bar", "100 bar", "101 bar", "50 psi",
)  # fmt: skip
_SPEEDS = (
    50, 199, 200, 201, 299, 300, 301, 399, 400, 401, 499, 500, 501, 599, 600, 601, 749, 750, 751,
    799, 800, 801, 999, 1000, 1001, 1199, 1200, 1201, 1500,
)  # fmt: skip
_WAVELENGTHS = (
    254, 300, 364, 365, 366, 399, 400, 401, 404, 405, 406, 419, 420, 421, 449, 450, 451, 454, 455,
    456, 499, 500, 501, 525, 660,
)  # fmt: skip
_ACIDITIES = (0.5, 1, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6.5, 7, 7.5, 8, 8.5, 9, 9.5, 10, 11, 12.5, 14)
_VESSELS = (
    "0.5 mL", "1 mL", "2 mL", "4.9 mL", "5 mL", "5.1 mL", "9.9 mL", "10 mL", "10.1 mL", "20 mL",
    "49 mL", "50 mL", "51 mL", "99 mL", "100 mL", "101 mL", "250 mL", "500 mL", "990 mL", "1 L",
    "1.01 L", "5 L", "20 L",
)  # fmt: skip
_CURRENTS = (0.5, 1, 1.5, 2, 2.5, 4.5, 5, 5.5, 9.5, 10, 10.5, 20, 50)
_VOLTAGES = (0.5, 1, 1.5, 2, 2.5, 3, 3.5, 5, 5.5, 10)
_FLOWS = (0.05, 0.1, 0.2, 0.5, 0.6, 1, 1.1, 2, 5, 10)


def _rung(ladder: tuple[object, ...], index: int) -> object:
    return ladder[index % len(ladder)]


def _reaction(index: int) -> Plant:
    step_time = quantity(str(_rung(_TIMES, index * 7 + 3)))
    edits: dict[str, object] = {
        "conditions.temperature.setpoint": quantity(str(_rung(_TEMPERATURES, index))),
        "outcomes.0.products.0.measurements.0.percentage.value": _rung(_PERCENTAGES, index * 7 + 1),
        "outcomes.0.reaction_time": quantity(str(_rung(_TIMES, index * 3))),
        "outcomes.0.conversion": {"value": _rung(_PERCENTAGES, index * 11 + 4)},
        _LIMITING: {"moles": quantity(str(_rung(_MOLES, index * 5)))},
        _EXCESS: {"mass": quantity(str(_rung(_MASSES, index)))},
        _SOLVENT: {"volume": quantity(str(_rung(_VOLUMES, index * 9)))},
    }
    if index % 2:
        edits["conditions.pressure.setpoint"] = quantity(str(_rung(_PRESSURES, index // 2)))
        edits["setup.vessel"] = {
            "type": "TUBE",
            "volume": quantity(str(_rung(_VESSELS, index // 2))),
        }
        edits["conditions.stirring"] = {
            "type": "STIR_BAR",
            "rate": {"rpm": _rung(_SPEEDS, index // 2)},
        }
    else:
        edits["workups"] = [step("WAIT", duration=step_time)]
        edits["conditions.ph"] = _rung(_ACIDITIES, index // 2)
        edits["outcomes.0.products.0.measurements.+"] = _purity(index)
        edits["inputs.reactant 2.addition_temperature"] = quantity(
            str(_rung(_TEMPERATURES, index * 3 + 10))
        )
    if index % 3 == 0:
        edits["inputs.reactant 2.addition_duration"] = step_time
        edits["inputs.reactant 2.addition_order"] = 1 + index // 3 % 4
        edits["inputs.reactant 2.flow_rate"] = quantity(f"{_rung(_FLOWS, index // 3)} mL/min")
    return Plant(f"ladder-{index:02d}", "on, below and above boundaries", _base(index), edits)


def _purity(index: int) -> Json:
    return {
        "type": "PURITY",
        "analysis_key": "lcms",
        "percentage": {"value": _rung(_PERCENTAGES, index * 13 + 5)},
    }


def _base(index: int) -> str:
    return ("suzuki", "amide", "amination", "acylation", "esterification")[index % 5]


def _reagents() -> list[Plant]:
    """Amounts of a reagent and of a catalyst climb too, so a role can be mistaken."""
    plants = []
    for index, moles in enumerate(_MOLES[4:34:3]):
        mass = component("Pd(OAc)2", "CATALYST", str(_MASSES[index * 4 + 1]))
        plants.append(
            Plant(
                f"ladder-catalyst-{index}",
                "an amount of catalyst | of reactant",
                "suzuki",
                {
                    "inputs.base.components.0.amount": {"moles": quantity(moles)},
                    "inputs.catalyst.components.0": mass,
                },
            )
        )
    return plants


def _equipment() -> list[Plant]:
    plants = []
    for index, nanometers in enumerate(_WAVELENGTHS):
        light = {"type": "LED", "peak_wavelength": quantity(f"{nanometers} nm")}
        plants.append(
            Plant(
                f"ladder-light-{nanometers}",
                f"{nanometers} nm: on or beside a boundary",
                "alkylation",
                {"conditions.illumination": light},
            )
        )
        if index < len(_CURRENTS):
            cell: Json = {"type": "CONSTANT_CURRENT", "current": quantity(f"{_CURRENTS[index]} mA")}
            if index < len(_VOLTAGES):
                cell["voltage"] = quantity(f"{_VOLTAGES[index]} V")
            plants[-1].edits["conditions.electrochemistry"] = cell
    return plants


PLANTS = (*(_reaction(index) for index in range(60)), *_reagents(), *_equipment())
