"""Parts of a reaction in ORD's JSON shape, and the message they become."""

from __future__ import annotations

from typing import Any

from dice import digest
from google.protobuf.json_format import ParseDict
from ord_schema.proto import reaction_pb2
from quantities import amount
from substances import SMILES

Json = dict[str, Any]


def identifiers(name: str, smiles: str | None = None) -> list[Json]:
    """Return the identifiers of a compound: its structure where it has one, and its name."""
    structure = smiles if smiles is not None else SMILES[name]
    values: list[Json] = []
    if structure is not None:
        kind = "CXSMILES" if "|" in structure else "SMILES"
        values.append({"type": kind, "value": structure})
    if name:
        values.append({"type": "NAME", "value": name})
    return values


def component(name: str, role: str, quantity: str, **fields: Any) -> Json:
    """Return an input component; ``fields`` are any further fields of ORD's ``Compound``."""
    return {
        "identifiers": identifiers(name),
        "reaction_role": role,
        "amount": amount(quantity),
        **fields,
    }


def product(smiles: str, *measurements: Json, desired: bool | None = True, **fields: Any) -> Json:
    """Return a product of an outcome, known by its structure; ``desired=None`` leaves it unsaid."""
    made: Json = {
        "identifiers": identifiers("", smiles),
        "reaction_role": "PRODUCT" if desired else "SIDE_PRODUCT",
        "measurements": list(measurements),
        **fields,
    }
    if desired is not None:
        made["is_desired_product"] = desired
    return made


def percentage(kind: str, value: float, analysis: str = "lcms", **fields: Any) -> Json:
    """Return a measurement that is a percentage, such as a YIELD or a PURITY."""
    return {"type": kind, "analysis_key": analysis, "percentage": {"value": value}, **fields}


def event(day: str, person: Json, **fields: Any) -> Json:
    """Return a record event on ``day``, an ISO date or date and time."""
    return {"time": {"value": day}, "person": person, **fields}


def to_message(slug: str, content: Json) -> reaction_pb2.Reaction:
    """Return the ORD message of a reaction, with an id that follows from ``slug`` alone.

    Raises:
        google.protobuf.json_format.ParseError: If ``content`` names a field ORD does not have.
    """
    message = ParseDict(content, reaction_pb2.Reaction())
    message.reaction_id = f"ord-{digest('reaction', slug)}"
    return message
