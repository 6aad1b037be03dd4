"""Function words and phrases: what joins, compares, counts, ranks and refers."""

from __future__ import annotations

from importlib import resources


def _sections(text: str) -> dict[str, list[tuple[str, str]]]:
    """Reads ``[section]`` and ``value: phrase; phrase`` lines into (phrase, value) pairs."""
    sections: dict[str, list[tuple[str, str]]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("    "):
            lines[-1] += " " + line.strip()
        elif line and not line.startswith("# "):
            lines.append(line)
    section = ""
    for line in lines:
        if line.startswith("["):
            section = line.strip("[]")
        else:
            value, phrases = line.split(": ", 1)
            pairs = sections.setdefault(section, [])
            pairs += [(phrase, value) for phrase in phrases.split("; ")]
    return sections


_SECTIONS = _sections(
    resources.files(__package__).joinpath("data", "words.txt").read_text(encoding="utf-8")
)

COMPARE = dict(_SECTIONS["cmp"])
COMPARE_AFTER = dict(_SECTIONS["cmp_after"])
ROLES = dict(_SECTIONS["role"])
LEVELS = dict(_SECTIONS["level"])
KINDS: list[tuple[str, str]] = _SECTIONS["kinds"]
"""(phrase, kind) pairs; a phrase may be of several kinds."""
FILLERS = frozenset(phrase for phrase, _ in _SECTIONS["filler"])

_UNITS_AND_TEENS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty
"""
NUMBER_WORDS = {word: number for number, word in enumerate(_UNITS_AND_TEENS.split())} | {
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "hundred": 100,
    "dozen": 12,
    "thousand": 1000,
}
_MONTH_NAMES = (
    "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug"
    "|september sep sept|october oct|november nov|december dec"
)
MONTHS = {
    name: number
    for number, names in enumerate(_MONTH_NAMES.split("|"), 1)
    for name in names.split()
}
QUARTERS = {
    spelling: number
    for number, spellings in enumerate(
        ("q1|first quarter|1st quarter", "q2|second quarter|2nd quarter",
         "q3|third quarter|3rd quarter", "q4|fourth quarter|4th quarter|last quarter"), 1,
    )
    for spelling in spellings.split("|")
}  # fmt: skip
HALVES = {"first half": 1, "second half": 2, "h1": 1, "h2": 2}
_COLOR_NAMES = """
    white yellow orange red brown black blue green purple violet pink colorless colourless grey
    gray tan beige cream off-white pale amber
"""
COLORS = frozenset(_COLOR_NAMES.split())
