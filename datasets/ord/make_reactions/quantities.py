"""Quantities written as a chemist writes them, ``"5 mL"``, in ORD's JSON shape."""

from __future__ import annotations

from typing import Any

_UNITS = {
    "g": "GRAM",
    "mg": "MILLIGRAM",
    "kg": "KILOGRAM",
    "mol": "MOLE",
    "mmol": "MILLIMOLE",
    "umol": "MICROMOLE",
    "L": "LITER",
    "mL": "MILLILITER",
    "uL": "MICROLITER",
    "h": "HOUR",
    "min": "MINUTE",
    "s": "SECOND",
    "day": "DAY",
    "C": "CELSIUS",
    "K": "KELVIN",
    "F": "FAHRENHEIT",
    "kPa": "KILOPASCAL",
    "bar": "BAR",
    "atm": "ATMOSPHERE",
    "psi": "PSI",
    "nm": "NANOMETER",
    "mA": "MILLIAMPERE",
    "A": "AMPERE",
    "V": "VOLT",
    "cm": "CENTIMETER",
    "mm": "MILLIMETER",
    "mL/min": "MILLILITER_PER_MINUTE",
}
_KINDS = {
    "mass": {"g", "mg", "kg"},
    "moles": {"mol", "mmol", "umol"},
    "volume": {"L", "mL", "uL"},
}


def quantity(text: str) -> dict[str, Any]:
    """Return ``"80 C"`` as ``{"value": 80.0, "units": "CELSIUS"}``.

    ``"80 +- 2 C"`` adds a precision.

    Raises:
        KeyError: If the unit is not one of the spellings above.
    """
    *numbers, unit = text.split()
    value: dict[str, Any] = {"value": float(numbers[0]), "units": _UNITS[unit]}
    if len(numbers) == 3:
        value["precision"] = float(numbers[2])
    return value


def amount(text: str) -> dict[str, Any]:
    """Return an ORD ``Amount``: a mass, moles or volume, or a word for an unmeasured one."""
    unit = text.rsplit(maxsplit=1)[-1]
    for kind, units in _KINDS.items():
        if unit in units:
            return {kind: quantity(text)}
    return {"unmeasured": {"type": text}}
