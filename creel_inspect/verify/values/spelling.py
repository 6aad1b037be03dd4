"""How units are spelled, and where upper and lower case carry meaning.

Spelling only: nothing is converted. "5kg", "5 KG" and "5 kilograms" are one spelling; "5 kg" and
"5000 g" stay two. A spelling that stands for two units ("5 MG", "5 pounds") is left as it is.
"""

import re

_PREFIXES = {
    **{"n": "nano", "μ": "micro", "m": "milli", "c": "centi", "d": "deci", "h": "hecto"},
    **{"k": "kilo", "M": "mega", "G": "giga", "T": "tera", "p": "pico"},
}
# Symbol, the prefixes that are in use with it, its names. A prefix m brings M with it, so that
# the two are never taken for each other.
_PREFIXED = (
    ("g", "nμmk", "gram grams gramme grammes"),
    ("m", "nμmcdk", "metre metres meter meters"),
    ("L", "nμmcdk", "litre litres liter liters"),
    ("s", "nμm", "second seconds"),
    ("mol", "nμmk", "mole moles"),
    ("M", "nμm", "molar"),
    ("Pa", "mhkG", "pascal pascals"),
    ("W", "mkGT", "watt watts"),
    ("Wh", "mkGT", "watt-hour watt-hours"),
    ("J", "mkG", "joule joules"),
    ("V", "nμmk", "volt volts"),
    ("A", "nμmk", "ampere amperes amp amps"),
    ("Hz", "mkGT", "hertz"),
    ("N", "mk", "newton newtons"),
    ("eV", "mkG", "electronvolt electronvolts"),
    ("K", "μm", "kelvin kelvins"),
    ("Ω", "mkG", "ohm ohms"),
    ("S", "nμm", "siemens"),
    ("F", "pnμm", "farad farads"),
    ("T", "nμm", "tesla"),
    ("bar", "m", "bars"),
    ("B", "kMGT", "byte bytes"),
    ("b", "kMG", ""),
    ("cal", "k", ""),
    ("Da", "k", "dalton daltons"),
)
_OTHERS = {
    "min": "minute minutes mins",
    "h": "hour hours hr hrs",
    "d": "day days",
    "wk": "week weeks wks",
    "yr": "year years yrs",
    "%": "percent pct",
    "‰": "permille",
    "°": "degree degrees deg",
    "°C": "degc celsius",
    "°F": "degf fahrenheit",
    "t": "tonne tonnes",
    "ha": "hectare hectares",
    "in": "inch inches",
    "ft": "foot feet",
    "yd": "yard yards",
    "mi": "mile miles",
    "oz": "ounce ounces",
    "lb": "lbs",
    "eq": "equiv equivalent equivalents",
    "atm": "atmosphere atmospheres",
    "Torr": "torr",
    "Å": "angstrom angstroms ångström",
    **{"mmHg": "", "ppm": "", "ppb": "", "psi": "", "rpm": "", "G": "gauss", "H": "henry"},
}
_PHRASES = {
    r"per ?cent": "%",
    r"per mille": "‰",
    r"(?:°|deg(?:ree)?s?\.?) ?(?:C|celsius)": "°C",
    r"(?:°|deg(?:ree)?s?\.?) ?(?:F|fahrenheit)": "°F",
}
_POWERS = {"square": "2", "sq": "2", "cubic": "3", "cu": "3"}


def _tables() -> tuple[dict[str, str], dict[str, str]]:
    symbols: dict[str, str] = {"cc": "cm^3", "mcg": "μg", "kph": "km/h", "l": "L", "ul": "μL"}
    words: dict[str, str] = {}
    for symbol, names in _OTHERS.items():
        symbols[symbol] = symbol
        words |= dict.fromkeys(names.split(), symbol)
    for base, prefixes, names in _PREFIXED:
        if base not in "Bb":  # a lone B or b is as often a billion
            symbols[base] = base
            words |= dict.fromkeys(names.split(), base)
        for prefix in {*prefixes, *("M" if "m" in prefixes else "")}:
            unit = prefix + base
            symbols[unit] = unit
            words |= {_PREFIXES[prefix] + name: unit for name in names.split()}
            if prefix == "μ":
                symbols["u" + base] = unit
            if base == "L":
                symbols[unit[:-1] + "l"] = unit
    return symbols, words


_SYMBOLS, _WORDS = _tables()
_FOLDED: dict[str, set[str]] = {}
for _symbol, _unit in _SYMBOLS.items():
    _FOLDED.setdefault(_symbol.casefold(), set()).add(_unit)

_SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_ATOM = (
    rf"(?:(?P<pow{{0}}>{'|'.join(_POWERS)})\.? )?"
    rf"(?P<unit{{0}}>{'|'.join(_PHRASES)}|watt-hours?|[a-zåöμΩ°%‰]{{{{1,20}}}})"
    r"(?P<exp{0}>\^-?[0-9]|⁻?[⁰¹²³⁴-⁹]|-1|[23])?(?![0-9^])"
)
_MOST_ATOMS = 4
_UNIT = _ATOM.format(0) + "".join(
    rf"(?: ?(?P<by{n}>/|·|⋅|\*|\bper ) ?{_ATOM.format(n)}" for n in range(1, _MOST_ATOMS)
)
_UNIT += ")?" * (_MOST_ATOMS - 1) + r"(?!\w)"
_NUMBER = r"(?<![\w.,])(?P<number>[0-9](?:[0-9.,]{0,40}[0-9])?(?:[eE][+-]?[0-9]{1,3})?)"
_QUANTITY = re.compile(rf"{_NUMBER}\s?{_UNIT}", re.IGNORECASE)
_WHOLE_UNIT = re.compile(_UNIT, re.IGNORECASE)
_LONGEST_UNIT = 80


def unit_spelling(text: str) -> str:
    """The text with every unit after a number, or a unit that is the whole text, in one spelling.

    A number and its unit are one space apart: ``5 kg``, ``5 %``, ``20 °C``, ``3 m^2``.
    """
    if len(text) <= _LONGEST_UNIT and (whole := _WHOLE_UNIT.fullmatch(text.strip())):
        return _spelled(whole) or text
    return _QUANTITY.sub(_quantity, text)


def _quantity(found: re.Match[str]) -> str:
    unit = _spelled(found)
    return f"{found['number']} {unit}" if unit else found[0]


def _spelled(found: re.Match[str]) -> str | None:
    parts = []
    for place in range(_MOST_ATOMS):
        written = found[f"unit{place}"]
        if written is None:
            break
        unit = _unit_of(written)
        power, exponent = found[f"pow{place}"], found[f"exp{place}"]
        if unit is None or (power and exponent):
            return None
        if exponent:
            unit += "^" + exponent.translate(_SUPERSCRIPTS).lstrip("^")
        elif power:
            unit += "^" + _POWERS[power.lower()]
        if place:
            unit = ("/" if found[f"by{place}"].strip().lower() in ("/", "per") else "·") + unit
        parts.append(unit)
    return "".join(parts)


def _unit_of(written: str) -> str | None:
    if written in _SYMBOLS:
        return _SYMBOLS[written]
    folded = written.casefold().replace("\u00b5", "μ")
    if folded in _WORDS:
        return _WORDS[folded]
    for phrase, unit in _PHRASES.items():
        if re.fullmatch(phrase, folded, re.IGNORECASE):
            return unit
    fitting = _FOLDED.get(folded, set())
    return next(iter(fitting)) if len(fitting) == 1 else None


# Nobelium (No) is left out: the word is commoner.
_PERIODIC_TABLE = (
    "H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se "
    "Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb "
    "Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm "
    "Bk Cf Es Fm Md Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og"
)
_ELEMENTS = frozenset(_PERIODIC_TABLE.split())
_FORMULA = re.compile(r"(?:[A-Z][a-z]?[0-9]{0,4}){1,40}")
_RING = re.compile(r"(?:Cl|Br|[BCNOPSFIbcnops]|\[[^\]\s]{1,20}\]|[0-9=#()\-+/\\.%:@]){3,300}")
# A bond or a branch between two atoms: C=C and CC(C)O, but not P=0.05.
_BONDED = re.compile(r"[A-Za-z\])][=#][A-Za-z\[]|[A-Za-z\]0-9]\([A-Za-z\[0-9]{1,40}\)[A-Za-z\[]")
_CHAIN = re.compile(r"CC[BCNOPSF]{1,40}|cc[bcnops]{1,40}")
_WORD = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_AFTER_NUMBER = re.compile(r"(?:[0-9] ?|/ ?)\Z")


def case_carries_meaning(one: str, other: str) -> tuple[str, str] | None:
    """The first words of two texts, equal but for their case, that mean different things.

    Units (``mM`` and ``MM`` after a number or alone), formulas (``CO2`` and ``Co2``, and those of
    up to four letters in any text: ``in CO`` and ``in Co``) and atoms in a line notation
    (``c1ccccc1`` and ``C1CCCCC1``, ``C=C`` and ``c=c``). A spelling with one meaning only, such as
    ``co2`` or ``KG``, is no other thing than ``CO2`` or ``kg``.

    Where one of two longer texts is in capitals throughout, a formula of letters alone in it has
    no case that says anything: ``CO IN AIR`` is ``Co in air``. ``In``, ``No`` and ``& Co`` are
    words.

    Returns:
        The two words, or None where case is only style.
    """
    one, other = one.strip(), other.strip()
    if one == other or one.casefold() != other.casefold():
        return None
    if is_structure(one) and is_structure(other):
        return one, other
    whole = bool(_WORD.fullmatch(one))
    shouted = _in_capitals(one) or _in_capitals(other)
    for left, right in zip(_WORD.finditer(one), _WORD.finditer(other), strict=False):
        if left[0] == right[0]:
            continue
        company = one[max(0, left.start() - 2) : left.start()] in ("& ", "&")
        short = len(left[0]) <= 4 and not (shouted or company or left[0].lower() == "in")
        if _other_formula(left[0], right[0], whole or short):
            return left[0], right[0]
    for left, right in zip(_LETTERS.finditer(one), _LETTERS.finditer(other), strict=False):
        if left[0] == right[0] or len(left[0]) > 5:
            continue
        before = one[max(0, left.start() - 2) : left.start()]
        unit = _AFTER_NUMBER.search(before) or (left[0] == one and len(one) > 1)
        decade = before[-1:].isdigit() and left[0] in "sS"  # the 1980s
        if unit and not decade and _other_unit(left[0], right[0]):
            return left[0], right[0]
    return None


def _other_unit(one: str, other: str) -> bool:
    units = _SYMBOLS.get(one), _SYMBOLS.get(other)
    return None not in units and units[0] != units[1]


def _other_formula(one: str, other: str, whole: bool) -> bool:
    if not whole and not any(character.isdigit() for character in one):
        return False
    atoms = _atoms(one), _atoms(other)
    return bool(atoms[0] and atoms[1] and atoms[0] != atoms[1])


def _atoms(word: str) -> list[str]:
    if not _FORMULA.fullmatch(word):
        return []
    atoms = re.findall(r"[A-Z][a-z]?|[0-9]+", word)
    return atoms if all(atom in _ELEMENTS or atom.isdigit() for atom in atoms) else []


def is_formula(word: str) -> bool:
    """Whether a word is written as symbols of elements and their numbers: Cl, SO4, NaCl."""
    return bool(_atoms(word))


def _in_capitals(text: str) -> bool:
    """Whether a text of more than formulas has no small letter."""
    if any(character.islower() for character in text):
        return False
    return any(not is_formula(word[0]) for word in _LETTERS.finditer(text))


def is_structure(text: str) -> bool:
    """Whether a text is a line notation: with a ring, a bond or a branch, or a chain of carbon."""
    if _CHAIN.fullmatch(text):
        return True
    if not _RING.fullmatch(text) or text[0] == "(":
        return False
    ring = len(text) >= 5 and re.search(r"([0-9])[^0-9]*[A-Za-z\]].*?\1", text)
    return bool(ring or _BONDED.search(text))
