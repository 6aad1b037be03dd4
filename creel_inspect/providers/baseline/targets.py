"""What can be grouped by, counted, measured or sorted by, and the words that name it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from creel_inspect.providers.baseline import fields
from creel_inspect.providers.baseline.scan import CannotAnswer, Item
from creel_inspect.providers.baseline.units import compare

_PRODUCTS = "outcomes.products.smiles"
_COMPONENTS = "inputs.components.smiles"
_RECORDED = "provenance.record_created.time.timestamp"


@dataclass(frozen=True)
class Target:
    """What can be grouped by, counted or measured: a column, and which of its elements count.

    Attributes:
        path: The column as a whole path.
        where: Conditions on the element, relative to the column's innermost level.
        name: An identifier for result columns.
        plural: Whether it was named in the plural, as a question for several does.
        percent: Whether it is a measurement in percent.
        counted: Whether its elements in a reaction are counted, rather than their values read.
    """

    path: str
    where: list[dict[str, Any]] = field(default_factory=list)
    name: str = "value"
    plural: bool = False
    percent: bool = False
    counted: bool = False


SUPERLATIVES: dict[str, str] = {
    word: path
    for path, words in {
        "conditions.temperature.setpoint_kelvin": ("hottest", "coldest", "coolest"),
        "outcomes.reaction_time_seconds": ("longest", "shortest", "slowest"),
        _RECORDED: ("latest", "earliest", "newest", "oldest", "most recent"),
    }.items()
    for word in words
}
"""Superlatives that say by themselves what is compared."""
YIELD = Target(fields.PERCENTAGE, [compare("eq", "type", "YIELD")], name="yield", percent=True)


def _name(text: str) -> str:
    name = "".join(c if c.isascii() and c.isalnum() else "_" for c in text.lower()).strip("_")
    return name if name and not name[0].isdigit() else f"n_{name}".strip("_")


def element(item: Item) -> Target | None:
    """Returns what an item names as a thing with kinds: "solvent", "workup type", "vendor"."""
    plural = item.text.lower().endswith("s")
    name = _name(item.text)
    if "noun" in item:
        return Target(item["noun"], [], name, plural)
    if "datasets" in item:
        return Target("dataset_id", [], "datasets" if plural else "dataset", plural)
    if "role" in item:
        role = item["role"]
        if role in ("PRODUCT", "BYPRODUCT", "SIDE_PRODUCT"):
            where = [] if role == "PRODUCT" else [compare("eq", "reaction_role", role)]
            return Target(_PRODUCTS, where, name, plural)
        if role.endswith("*"):
            raise CannotAnswer(f"the schema has no role {item.text!r} to count by")
        where = [] if role == "ANY" else [compare("eq", "reaction_role", role)]
        return Target(_COMPONENTS, where, name, plural)
    if "level" in item and item["level"] in ("workups", "outcomes.analyses"):
        return Target(f"{item['level']}.type", [], name, plural)
    if "bool" in item and item["bool"][0] == "outcomes.products.is_desired_product":
        return Target(
            "outcomes.products.smiles", [compare("eq", "is_desired_product", True)], name, plural
        )
    if "text" in item and ("when" not in item):
        return Target(item["text"], [], name, plural)
    return None


def quantity(item: Item) -> Target | None:
    """Returns what an item names as a number or a day: "temperature", "yield"."""
    if "measure" in item:
        kind, selectivity = item["measure"]
        where = [compare("eq", "type", kind)]
        if selectivity:
            where.append(compare("eq", "selectivity.type", selectivity))
        return Target(fields.PERCENTAGE, where, _name(item.text), percent=True)
    if "number_field" in item:
        return Target(item["number_field"][0], [], _name(item.text))
    return None
