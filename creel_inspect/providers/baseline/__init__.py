"""A small deterministic translator: a chemist's question to one query of the ORD grammar.

It stands for what can be had without a model. It knows the search schema (its columns, enum
spellings and units, read from the installed ord-schema) and a table of compound names, and nothing
else: no example question, no case file. A question is cut into known phrases, each phrase is read
by a rule, and the rules' conditions are put into one query.

It refuses rather than guesses. A question is refused when it asks for something the grammar lacks,
when any word in it that could carry a condition is not understood, or when what was understood
does not compile. `translate` never raises for a question, whatever the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Translation:
    """What became of a question: exactly one of a query and a reason for refusing it."""

    query: dict[str, Any] | None = None
    reason: str | None = None

    def __post_init__(self) -> None:
        if (self.query is None) == (self.reason is None) or self.reason == "":
            raise ValueError(
                "a Translation holds either a query or a non-empty reason; "
                f"got query={self.query!r}, reason={self.reason!r}"
            )

    @property
    def refused(self) -> bool:
        """Whether the question was refused."""
        return self.query is None


def translate(question: str, structures: Mapping[str, str] | None = None) -> Translation:
    """Translates a question, or refuses it.

    The first call loads the search schema and the compound table, which takes a few seconds;
    later ones take milliseconds.

    Args:
        question: The question, in English.
        structures: Each placeholder in it (``"@A"``) mapped to its format's label: "compound
            SMILES", "compound SMARTS" or "reaction SMARTS".

    Returns:
        A query of the ORD grammar that compiles, with compounds by name (``{"compound":
        "pyridine"}``) and structures by placeholder (``{"compound": "@A"}``, or ``{"smarts":
        "@A"}`` for a reaction); or the reason for refusing.
    """
    # Imported here, so that importing the package stays light: these load the search library.
    from creel_inspect.providers.baseline import translator  # noqa: PLC0415

    query, reason = translator.translate(question, dict(structures or {}))
    return Translation(query, reason)
