"""Units a chemist writes, converted to the units the schema's columns are in."""

from __future__ import annotations

import struct
from dataclasses import dataclass

# dimension -> (unit spellings -> (factor, offset)): schema value = factor * (value + offset).
_TABLE: dict[str, dict[str, tuple[float, float]]] = {
    "temperature": {  # kelvin
        "k kelvin kelvins": (1, 0),
        "°c ℃ c celsius centigrade|degrees c|degrees celsius|degree celsius|deg c"
        "|degrees centigrade|° c": (1, 273.15),
        "°f ℉ f fahrenheit|degrees f|degrees fahrenheit|deg f|° f": (5 / 9, 459.67),
    },
    "pressure": {  # kilopascals
        "kpa kilopascal kilopascals": (1, 0),
        "pa pascal pascals": (0.001, 0),
        "mpa megapascal megapascals": (1000, 0),
        "bar bars": (100, 0),
        "mbar millibar millibars": (0.1, 0),
        "atm atmosphere atmospheres": (101.325, 0),
        "psi psig psia": (6.894757293168, 0),
        "torr mmhg|mm hg": (0.133322368421, 0),
    },
    "time": {  # seconds
        "s sec secs second seconds": (1, 0),
        "ms millisecond milliseconds": (0.001, 0),
        "min mins minute minutes": (60, 0),
        "h hr hrs hour hours": (3600, 0),
        "d day days": (86400, 0),
        "week weeks": (604800, 0),
    },
    "mass": {  # grams
        "g gram grams gramme grammes": (1, 0),
        "mg milligram milligrams": (1e-3, 0),
        "µg ug microgram micrograms": (1e-6, 0),
        "kg kilogram kilograms": (1e3, 0),
    },
    "moles": {  # moles
        "mol mole moles": (1, 0),
        "mmol mmols millimole millimoles": (1e-3, 0),
        "µmol umol micromole micromoles": (1e-6, 0),
        "nmol nanomole nanomoles": (1e-9, 0),
    },
    "volume": {  # liters
        "l liter liters litre litres": (1, 0),
        "ml milliliter milliliters millilitre millilitres cc": (1e-3, 0),
        "µl ul microliter microliters microlitre microlitres": (1e-6, 0),
    },
    "percent": {"% percent pct|per cent": (1, 0)},
    "wavelength": {"nm nanometer nanometers nanometre nanometres": (1, 0)},
    "length": {  # centimeters
        "cm centimeter centimeters centimetre centimetres": (1, 0),
        "mm millimeter millimeters millimetre millimetres": (0.1, 0),
        "inch inches": (2.54, 0),
    },
    "speed": {"rpm|revolutions per minute": (1, 0)},
    "voltage": {
        "v volt volts": (1, 0),
        "mv millivolt millivolts": (1e-3, 0),
    },
    "current": {
        "a amp amps ampere amperes": (1, 0),
        "ma milliamp milliamps milliampere milliamperes": (1e-3, 0),
    },
    "flow rate": {  # milliliters per minute
        "ml/min|ml min|ml per minute|milliliters per minute|millilitres per minute": (1, 0),
        "µl/min|ul/min|microliters per minute|µl per minute": (1e-3, 0),
        "l/min|liters per minute": (1e3, 0),
    },
}


@dataclass(frozen=True)
class Unit:
    """A unit: ``schema value = factor * (value + offset)``."""

    dimension: str
    factor: float
    offset: float

    def convert(self, value: float) -> float:
        """Returns a value of this unit in the schema's unit, without rounding noise."""
        return float(f"{self.factor * (value + self.offset):.12g}")


def _spellings(text: str) -> list[str]:
    words, *phrases = text.split("|")
    return words.split() + phrases


UNITS: dict[str, Unit] = {
    spelling: Unit(dimension, factor, offset)
    for dimension, units in _TABLE.items()
    for text, (factor, offset) in units.items()
    for spelling in _spellings(text)
}
# Units whose case tells them apart: "M" is no meter, "MPa" no millipascal.
CASED = {"mpa": "MPa", "k": "K", "c": "C", "f": "F", "a": "A", "ma": "mA", "v": "V"}


def exact_in_float32(value: float) -> bool:
    """Says whether a value survives being stored as a 32-bit float, as records store it."""
    try:
        return bool(struct.unpack("f", struct.pack("f", value))[0] == value)
    except OverflowError:
        return False


def comparisons(path: str, bounds: list[tuple[str, float]]) -> list[dict[str, object]]:
    """Returns the comparisons that hold a column to bounds, boundaries judged as people mean them.

    Records hold 32-bit floats, so 195.15 K is stored as 195.149994. A bound that such a float
    cannot hold exactly gets a millionth of its size as slack, on the side that keeps "at least
    195.15" true of a stored 195.149994 and "above 195.15" false of it.

    Args:
        path: The column, relative to the element in hand.
        bounds: Operators (``eq``, ``ne``, ``lt``, ``le``, ``gt``, ``ge``) and values in the
            column's own unit.

    Returns:
        Predicates of the ORD grammar, all of which have to hold.
    """
    found: list[dict[str, object]] = []
    for op, value in bounds:
        slack = 0.0 if exact_in_float32(value) else abs(value) * 1e-6
        if op == "eq" and slack:
            found.append(compare("ge", path, value - slack))
            found.append(compare("le", path, value + slack))
        elif op == "ne" and slack:
            outside = [compare("lt", path, value - slack), compare("gt", path, value + slack)]
            found.append({"op": "or", "clauses": outside})
        else:
            found.append(compare(op, path, value + slack * {"gt": 1, "le": 1}.get(op, -1)))
    return found


def compare(op: str, path: str, literal: object) -> dict[str, object]:
    """Returns one comparison of the ORD grammar."""
    if isinstance(literal, float):
        literal = int(literal) if literal.is_integer() and abs(literal) < 1e15 else literal
        if isinstance(literal, float):
            literal = float(f"{literal:.9g}")
    return {"op": op, "path": path, "value": {"literal": literal}}
