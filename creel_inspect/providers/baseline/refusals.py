"""What the grammar lacks, recognised by how people ask for it.

Checked before anything else is read: a question that asks for one of these is refused even where
the rest of it could be searched, because a query without the missing part answers another
question. The patterns are in ``data/refusals.txt``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources

_LISTS = {
    "{compared}": (
        r"(?:yields?|conversions?|purit(?:y|ies)|selectivit(?:y|ies)|temperatures?|times?"
        r"|pressures?|amounts?|volumes?|mass(?:es)?|durations?|moles|voltages?|currents?)"
    ),
    "{compare}": (
        r"(?:above|below|over|under|higher|lower|greater|less|more|longer|shorter|larger|smaller"
        r"|exceed(?:s|ed|ing)?|better|worse|faster|slower|hotter|cooler|bigger|fewer|equal|same)"
    ),
    "{elements}": (
        r"(?:solvents?|catalysts?|reagents?|reactants?|components?|inputs?|products?|steps?"
        r"|workups?|analyses|measurements?|outcomes?|by-?products?|starting materials?"
        r"|additions?|compounds?|observations?|preparations?|datasets?|atoms?|rings?)"
    ),
    "{count}": r"(?:two|three|four|five|six|seven|eight|nine|ten|several|multiple|many|\d{1,3})",
}


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    file = resources.files(__package__).joinpath("data", "refusals.txt")
    found, what = [], ""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith("]"):
            what = line[1:-1]
        elif line and not line.startswith("#"):
            for name, words in _LISTS.items():
                line = line.replace(name, words)  # noqa: PLW2901 (the line is what is rewritten)
            found.append((re.compile(line), what))
    return tuple(found)


def refusal(question: str) -> str | None:
    """Returns why the grammar cannot express a question, or None where nothing says so.

    Args:
        question: The question; text inside double quotation marks is not looked at.
    """
    text = re.sub(r'"[^"]*"|“[^”]*”', '""', question.lower().replace("’", "'"))
    text = " ".join(text.split())
    for pattern, what in _patterns():
        match = pattern.search(text)
        if match is not None:
            said = match.group().strip()
            return f"the question asks for {what} ({said!r}), which the grammar does not express"
    return None
