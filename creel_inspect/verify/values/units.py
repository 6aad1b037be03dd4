"""Units by whitelisted spelling, and exact conversion between them.

``pint`` knows the factors, and never sees a text: it is given names from the tables below, joined
by ``*``, ``/`` and ``**`` with whole exponents, and is loaded only when two units differ. Case
counts in symbols (mm, Mm; mg, Mg) and not in names (kilogram, Kilograms).

A spelling that means several units ("tons", "M" beside a million) has several tokens.
"""

import re
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

_PREFIXES = {
    "f": "femto", "p": "pico", "n": "nano", "u": "micro", "μ": "micro", "m": "milli",
    "c": "centi", "d": "deci", "k": "kilo", "M": "mega", "G": "giga", "T": "tera",
}  # fmt: skip

# symbol: its pint name, and the prefixes that people put before it
_PREFIXED = {
    "m": ("meter", "f p n u μ m c d k M"),
    "g": ("gram", "p n u μ m k M"),
    "s": ("second", "f p n u μ m"),
    "L": ("liter", "n u μ m c d"),
    "l": ("liter", "n u μ m c d"),
    "mol": ("mole", "p n u μ m k"),
    "M": ("molar", "p n u μ m"),
    "Pa": ("pascal", "m k M G"),
    "bar": ("bar", "u μ m k"),
    "J": ("joule", "n u μ m k M G"),
    "W": ("watt", "n u μ m k M G T"),
    "Wh": ("watt_hour", "k M G T"),
    "eV": ("electron_volt", "m k M G T"),
    "cal": ("calorie", "k"),
    "Hz": ("hertz", "m k M G T"),
    "N": ("newton", "u μ m k M"),
    "V": ("volt", "n u μ m k M"),
    "A": ("ampere", "p n u μ m k"),
    "Ω": ("ohm", "m k M G"),
    "K": ("kelvin", "u μ m"),
    "Da": ("dalton", "k M"),
    "B": ("byte", "k M G T"),
    "bit": ("bit", "k M G T"),
    "t": ("metric_ton", "M G"),
}
_SYMBOLS: dict[str, tuple[str, ...]] = {
    "Kg": ("kilogram",), "KG": ("kilogram",), "Km": ("kilometer",), "KM": ("kilometer",),
    "KW": ("kilowatt",), "KWh": ("kilowatt_hour",), "kts": ("knot",), "mole %": ("mole_percent",),
    "mcg": ("microgram",), "cc": ("milliliter",), "Torr": ("torr",), "torr": ("torr",),
    "mTorr": ("millitorr",), "atm": ("standard_atmosphere",), "mmHg": ("millimeter_Hg",),
    "psi": ("pound_force_per_square_inch",), "min": ("minute",), "h": ("hour",), "hr": ("hour",),
    "hrs": ("hour",), "d": ("day",), "y": ("year",), "yr": ("year",), "yrs": ("year",),
    "wk": ("week",), "wks": ("week",), "mins": ("minute",), "sec": ("second",), "secs": ("second",),
    "in": ("inch",), "ft": ("foot",), "yd": ("yard",), "mi": ("mile",), "nmi": ("nautical_mile",),
    "lb": ("pound",), "lbs": ("pound",), "oz": ("ounce",), "ha": ("hectare",), "Å": ("angstrom",),
    "mph": ("mile_per_hour",), "kph": ("kilometer/hour",), "kn": ("knot",),
    "kt": ("kilometric_ton", "knot"), "rpm": ("1/minute",), "Cal": ("kilocalorie",),
    "BTU": ("british_thermal_unit",), "Btu": ("british_thermal_unit",),
    "hp": ("horsepower", "metric_horsepower"), "KB": ("kilobyte",), "KiB": ("kibibyte",),
    "MiB": ("mebibyte",), "GiB": ("gibibyte",), "TiB": ("tebibyte",),
    "gal": ("gallon", "imperial_gallon"), "fl oz": ("fluid_ounce", "imperial_fluid_ounce"),
    "u": ("dalton",), "rad": ("radian",), "°C": ("degree_Celsius",), "C": ("degree_Celsius",),
    "degC": ("degree_Celsius",), "° C": ("degree_Celsius",), "°F": ("degree_Fahrenheit",),
    "F": ("degree_Fahrenheit",), "degF": ("degree_Fahrenheit",), "° F": ("degree_Fahrenheit",),
    "°K": ("kelvin",), "°": ("degree", "degree_Celsius", "degree_Fahrenheit"), "%": ("percent",),
    "‰": ("permille",), "‱": ("basis_point_of_one",), "ppm": ("ppm",), "ppb": ("ppb",),
    "pp": ("percentage_point",), "p.p": ("percentage_point",), "bps": ("basis_point",),
    "pH": ("pH",), "eq": ("equivalent",), "equiv": ("equivalent",), "IU": ("international_unit",),
    "mol%": ("mole_percent",), "mol %": ("mole_percent",), "% mol": ("mole_percent",),
    "mol-%": ("mole_percent",), "wt%": ("mass_percent",), "wt %": ("mass_percent",),
    "wt.%": ("mass_percent",), "% w/w": ("mass_percent",), "% (w/w)": ("mass_percent",),
    "%w/w": ("mass_percent",), "vol%": ("volume_percent",), "vol %": ("volume_percent",),
    "vol.%": ("volume_percent",), "% v/v": ("volume_percent",), "% (v/v)": ("volume_percent",),
    "%v/v": ("volume_percent",), "kgs": ("kilogram",), "gm": ("gram",), "gms": ("gram",),
    "mls": ("milliliter",), "ltr": ("liter",), "ltrs": ("liter",), "sqm": ("meter**2",),
    "mMol": ("millimole",), "N m": ("newton*meter",), "kN m": ("kilonewton*meter",),
}  # fmt: skip
_NAMES: dict[str, tuple[str, ...]] = {
    "micron": ("micrometer",), "angstrom": ("angstrom",), "inch": ("inch",), "inches": ("inch",),
    "foot": ("foot",), "feet": ("foot",), "yard": ("yard",), "mile": ("mile",),
    "nautical mile": ("nautical_mile",), "pound": ("pound",), "ounce": ("ounce",),
    "tonne": ("metric_ton",), "metric ton": ("metric_ton",), "kilotonne": ("kilometric_ton",),
    "megatonne": ("megametric_ton",), "gigatonne": ("gigametric_ton",),
    "ton": ("short_ton", "long_ton", "metric_ton"), "short ton": ("short_ton",),
    "long ton": ("long_ton",), "minute": ("minute",), "hour": ("hour",), "day": ("day",),
    "week": ("week",), "month": ("month",), "year": ("year",), "celsius": ("degree_Celsius",),
    "degree celsius": ("degree_Celsius",), "degrees celsius": ("degree_Celsius",),
    "degrees c": ("degree_Celsius",), "deg c": ("degree_Celsius",),
    "centigrade": ("degree_Celsius",), "degrees centigrade": ("degree_Celsius",),
    "fahrenheit": ("degree_Fahrenheit",), "degree fahrenheit": ("degree_Fahrenheit",),
    "degrees fahrenheit": ("degree_Fahrenheit",), "degrees f": ("degree_Fahrenheit",),
    "deg f": ("degree_Fahrenheit",), "degree": ("degree", "degree_Celsius", "degree_Fahrenheit"),
    "atmosphere": ("standard_atmosphere",), "calorie": ("calorie", "kilocalorie"),
    "kilocalorie": ("kilocalorie",), "horsepower": ("horsepower", "metric_horsepower"),
    "knot": ("knot",), "miles per hour": ("mile_per_hour",), "acre": ("acre",),
    "hectare": ("hectare",), "gallon": ("gallon", "imperial_gallon"), "us gallon": ("gallon",),
    "imperial gallon": ("imperial_gallon",), "fluid ounce": ("fluid_ounce", "imperial_fluid_ounce"),
    "kibibyte": ("kibibyte",), "mebibyte": ("mebibyte",), "gibibyte": ("gibibyte",),
    "tebibyte": ("tebibyte",), "percent": ("percent",), "per cent": ("percent",),
    "pct": ("percent",), "per mille": ("permille",), "permille": ("permille",),
    "per mil": ("permille",), "parts per million": ("ppm",), "parts per billion": ("ppb",),
    "percentage point": ("percentage_point",), "percent point": ("percentage_point",),
    "basis point": ("basis_point",), "equivalent": ("equivalent",), "equivs": ("equivalent",),
    "mole percent": ("mole_percent",), "percent by weight": ("mass_percent",),
    "percent by mass": ("mass_percent",), "weight percent": ("mass_percent",),
    "percent by volume": ("volume_percent",), "volume percent": ("volume_percent",),
    "dimensionless": ("dimensionless",), "revolutions per minute": ("1/minute",),
}  # fmt: skip
_SPELLED = {
    "meter": "meter metre", "gram": "gram gramme", "second": "second", "liter": "liter litre",
    "mole": "mole", "molar": "molar", "pascal": "pascal", "bar": "bar", "joule": "joule",
    "watt": "watt", "watt_hour": "watt-hour watthour",
    "electron_volt": "electronvolt electron-volt", "hertz": "hertz", "newton": "newton",
    "volt": "volt", "ampere": "ampere amp", "ohm": "ohm", "kelvin": "kelvin", "dalton": "dalton",
    "byte": "byte", "bit": "bit",
}  # fmt: skip

# Units that pint has not, or need not be asked for: their family, and their size in it. Units of
# one family convert; the size of a family without a unit of size 1 is arbitrary.
_OWN: dict[str, tuple[str, Fraction]] = {
    "dimensionless": ("one", Fraction(1)),
    "percent": ("one", Fraction(1, 100)),
    "permille": ("one", Fraction(1, 1000)),
    "basis_point_of_one": ("one", Fraction(1, 10**4)),
    "ppm": ("one", Fraction(1, 10**6)),
    "ppb": ("one", Fraction(1, 10**9)),
    "percentage_point": ("percentage point", Fraction(1)),
    "basis_point": ("percentage point", Fraction(1, 100)),
    "pH": ("pH", Fraction(1)),
    "equivalent": ("equivalent", Fraction(1)),
    "international_unit": ("international unit", Fraction(1)),
    "mole_percent": ("mole percent", Fraction(1)),
    "mass_percent": ("mass percent", Fraction(1)),
    "volume_percent": ("volume percent", Fraction(1)),
}
_OFFSET = {"degree_Celsius", "degree_Fahrenheit"}

_MOST_CHARACTERS = 60
_FACTOR = re.compile(r"(.{1,40}?)(?:(?:\^|\*\*)\{?([+-]?[1-9])\}?|([+-]?[1-9]))?", re.DOTALL)
_SQUARE = re.compile(r"(square|sq|cubic|cu)\.? (.{1,40})", re.IGNORECASE)
_PER = re.compile(r"per |1 ?/ ?", re.IGNORECASE)
_BRACKETED = re.compile(r"([^()/]{1,40}) ?/ ?\(([^()/]{1,40})\)")


@cache
def _tables() -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    symbols, names = dict(_SYMBOLS), {}
    for symbol, (name, prefixes) in _PREFIXED.items():
        symbols.setdefault(symbol, (name,))
        for prefix in prefixes.split():
            symbols.setdefault(prefix + symbol, (_PREFIXES[prefix] + name,))
    for name, units in _NAMES.items():
        names[name] = units
        names.setdefault(name + "s", units)
    for unit, spellings in _SPELLED.items():
        for spelling in spellings.split():
            for prefix in ("", *_PREFIXES.values()):
                names[prefix + spelling] = names[prefix + spelling + "s"] = (prefix + unit,)
    # A unit's own token is a spelling of it too: a grammar may write degree_Celsius.
    for table in (symbols, names):
        for units in tuple(table.values()):
            if len(units) == 1 and "/" not in units[0]:
                symbols.setdefault(units[0], units)
    return symbols, names


def _single(text: str) -> tuple[str, ...]:
    symbols, names = _tables()
    return symbols.get(text) or names.get(text.lower()) or ()


@lru_cache(maxsize=4096)
def unit_tokens(text: str) -> tuple[str, ...]:
    """The units that a spelling may mean, as tokens such as ``milligram/liter``; empty if none.

    Takes whitelisted units, with whole exponents up to 9, joined by ``/``, "per", ``·`` or ``*``;
    by a space only where an exponent shows that a product is meant (m s^-2, kg m/s^2). What
    comes per unit (``per hour``, ``1/h``) is a unit too.
    """
    text = text.strip()
    if not text or len(text) > _MOST_CHARACTERS:
        return ()
    if known := _single(text):
        return known
    if found := _BRACKETED.fullmatch(text):
        over, under = (_product(one, "^" in text) for one in found.groups())
        return (f"{over}/({under})",) if over and under else ()
    if per := _PER.match(text):
        below = unit_tokens(text[per.end() :])
        plain = len(below) == 1 and below[0] not in _OFFSET and not {"/", "*"} & set(below[0])
        return (f"1/{below[0]}",) if plain else ()
    if " per " in text:
        if "/" in text:
            return ()
        text = text.replace(" per ", "/")
    spaced = any(one.isdigit() for one in text)
    parts = [_product(part, spaced) for part in text.split("/")]
    if len(parts) > 3 or not all(parts):
        return ()
    if any("*" in part.replace("**", "") for part in parts[1:]):  # a/b c: who knows
        return ()
    token = "/".join(part for part in parts if part)
    # kg m^-3 is kg/m^3
    return (_signs_turned(token),)


def _product(text: str, spaced: bool = False) -> str:
    """A product of powers of units as pint writes it, or "" if it is none."""
    text = text.strip()
    pieces = [piece for piece in re.split(r" ?[·⋅] ?|(?<!\*)\*(?!\*)", text) if piece]
    if len(pieces) == 1 and not _power(text):
        pieces = text.split(" ")
        if len(pieces) > 1 and not spaced:
            return ""
    powers = [_power(piece.strip()) for piece in pieces]
    return "*".join(powers) if powers and all(powers) and len(powers) <= 4 else ""


def _power(text: str) -> str:
    if found := _SQUARE.fullmatch(text):
        unit = _one(found[2])
        return f"{unit}**{2 if found[1].lower().startswith('sq') else 3}" if unit else ""
    if unit := _one(text):
        return unit
    found = _FACTOR.fullmatch(text)
    exponent = found and (found[2] or found[3])
    unit = _one(found[1]) if found and exponent else ""
    if not unit or not exponent:
        return ""
    return unit if int(exponent) == 1 else f"{unit}**{int(exponent)}"


def _one(text: str) -> str:
    """The one unit of a spelling inside a compound, where offset temperatures have no meaning."""
    tokens = _single(text)
    plain = len(tokens) == 1 and tokens[0] not in _OFFSET and tokens[0] not in _OWN
    return tokens[0] if plain and not {"/", "*"} & set(tokens[0]) else ""


def _signs_turned(token: str) -> str:
    if "**-" not in token or "/" in token:
        return token
    over, under = [], []
    for power in token.replace("**", "^").split("*"):
        unit, _, exponent = power.partition("^")
        if exponent.startswith("-"):
            under.append(unit if exponent == "-1" else f"{unit}**{exponent[1:]}")
        else:
            over.append(power.replace("^", "**"))
    return "/".join([*(["*".join(over)] if over else ["1"]), *under])


def is_dimensionless(token: str) -> bool:
    """Whether a unit is a share of one, as percent is, so that a bare number compares with it."""
    return _OWN.get(token, ("", 0))[0] == "one"


@lru_cache(maxsize=4096)
def conversion(unit: str, into: str) -> tuple[Fraction, Fraction] | None:
    """Factor and offset, exact: ``value * factor + offset`` is the value in ``into``.

    None if the two are of different dimensions. Both are tokens that ``unit_tokens`` gave.
    """
    if unit == into:
        return Fraction(1), Fraction(0)
    if unit in _OWN or into in _OWN:
        (family, size), (other, target) = (
            _OWN.get(one, (one, Fraction(1))) for one in (unit, into)
        )
        return (size / target, Fraction(0)) if family == other else None
    registry, not_convertible = _registry()
    try:
        at_zero = registry.Quantity(Fraction(0), unit).to(into).magnitude
        at_one = registry.Quantity(Fraction(1), unit).to(into).magnitude
    except not_convertible:
        return None
    return Fraction(at_one) - Fraction(at_zero), Fraction(at_zero)


@cache
def _registry() -> tuple[Any, type[Exception]]:
    # Fractions, since Decimal would round: one pound is not 453.59237 g at 28 digits both ways.
    import pint  # noqa: PLC0415 - a second; most comparisons convert nothing

    # To pint an angle and a bit are plain numbers, so that 1 rad/s and 1 bit/s would be 1 Hz. They
    # are defined anew before pint has remembered anything of those that build on them.
    registry: Any = pint.UnitRegistry(
        None, non_int_type=Fraction, cache_folder=None, on_redefinition="ignore"
    )
    registry.load_definitions(files(pint) / "default_en.txt")
    registry.define("radian = [angle] = rad")
    registry.define("bit = [information]")
    return registry, pint.DimensionalityError
