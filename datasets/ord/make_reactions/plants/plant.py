"""What a plant is, and the plain reactions it edits.

To add one, append to the ``PLANTS`` of a module beside this one::

    Plant(
        "yield-and-purity-swapped",
        "YIELD above 90 | any percentage above 90",
        "amide",
        {"outcomes.0.products.0.measurements": [percentage("YIELD", 40), percentage("PURITY", 98)]},
    )

An edit's key is a dotted path into the record, with numbers for list positions and ``+`` to append
to a list; its value replaces what is there, and ``None`` removes it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from people import DETAILS, person
from quantities import quantity
from record import Json, component, event, percentage, product
from substances import SMILES
from synthesis import products


@dataclass(frozen=True)
class Plant:
    """A reaction that is there to tell queries apart.

    Attributes:
        slug: Unique name; the reaction's id follows from it.
        separates: The queries it tells apart, ``right | wrong``, in a few words.
        base: Name of a plain reaction in ``BASES``.
        edits: What differs from the plain reaction, as described above.
        options: Arguments of the plain reaction, such as other reactants.
        theme: The dataset it goes into, for what a question asks of one dataset only.
    """

    slug: str
    separates: str
    base: str
    edits: dict[str, Any] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    theme: str = "plants"

    def record(self) -> Json:
        """Return the reaction in ORD's JSON shape.

        Raises:
            KeyError: If an edit's path leads nowhere, naming the plant and the path.
        """
        record = copy.deepcopy(BASES[self.base](**self.options))
        for path, value in self.edits.items():
            try:
                _edit(record, path.split("."), copy.deepcopy(value))
            except (KeyError, IndexError, TypeError) as error:
                raise KeyError(f"plant {self.slug!r}: no {path!r} in its base") from error
        return record


def made(template: str, *reactants: str) -> str:
    """Return the SMILES a template makes of named reactants: the first, if there are several."""
    return products(template, tuple(SMILES[name] or "" for name in reactants))[0]


def _edit(node: Any, steps: list[str], value: Any) -> None:
    step, rest = steps[0], steps[1:]
    if isinstance(node, list):
        if step == "+":
            node.append(value)
        elif rest:
            _edit(node[int(step)], rest, value)
        elif value is None:
            del node[int(step)]
        else:
            node[int(step)] = value
    elif rest:
        # A plain reaction leaves most parts of the record out: walking into one makes it.
        _edit(node.setdefault(step, [] if rest[0] == "+" else {}), rest, value)
    elif value is None:
        del node[step]
    else:
        node[step] = value


def _plain(
    template: str,
    reactants: tuple[str, ...],
    others: dict[str, Json],
    temperature: str,
    made_yield: float,
    created: str,
) -> Json:
    inputs: dict[str, Json] = {}
    for index, name in enumerate(reactants):
        part = component(name, "REACTANT", "1 mmol" if index == 0 else "1.2 mmol")
        if index == 0:
            part["is_limiting"] = True
        inputs[f"reactant {index + 1}"] = {"components": [part]}
    inputs |= {key: {"components": [part]} for key, part in others.items()}
    return {
        "inputs": inputs,
        "setup": {"is_automated": False},
        "conditions": {"temperature": {"setpoint": quantity(temperature)}},
        "outcomes": [
            {
                "products": [product(made(template, *reactants), percentage("YIELD", made_yield))],
                "analyses": {"lcms": {"type": "LCMS"}},
            }
        ],
        "provenance": {"record_created": event(created, person("eoconnor"), details=DETAILS)},
    }


def _suzuki(
    halide: str = "4-bromoanisole",
    boron: str = "phenylboronic acid",
    template: str = "suzuki",
    solvent: str = "1,4-dioxane",
) -> Json:
    others = {
        "base": component("potassium carbonate", "REAGENT", "2 mmol"),
        "catalyst": component("Pd(PPh3)4", "CATALYST", "0.05 mmol"),
        "solvent": component(solvent, "SOLVENT", "4 mL"),
    }
    return _plain(template, (halide, boron), others, "90 C", 72, "2020-03-17")


def _amide(
    acid: str = "benzoic acid",
    amine: str = "benzylamine",
    base: str = "DIPEA",
    solvent: str = "DMF",
) -> Json:
    others = {
        "coupling agent": component("HATU", "REAGENT", "1.2 mmol"),
        "base": component(base, "REAGENT", "3 mmol"),
        "solvent": component(solvent, "SOLVENT", "4 mL"),
    }
    return _plain("amide", (acid, amine), others, "20 C", 64, "2019-06-05")


def _amination(
    arene: str = "1-fluoro-4-nitrobenzene", amine: str = "piperidine", solvent: str = "NMP"
) -> Json:
    others = {
        "base": component("cesium carbonate", "REAGENT", "2 mmol"),
        "solvent": component(solvent, "SOLVENT", "4 mL"),
    }
    return _plain("SNAr", (arene, amine), others, "65 C", 81, "2018-09-12")


def _alkylation(amine: str = "pyrrolidine", halide: str = "benzyl bromide") -> Json:
    others = {
        "base": component("DBU", "REAGENT", "1.5 mmol"),
        "solvent": component("acetonitrile", "SOLVENT", "4 mL"),
    }
    return _plain("N-alkylation", (amine, halide), others, "45 C", 38, "2017-02-08")


def _reduction(ketone: str = "cyclohexanone", template: str = "carbonyl reduction") -> Json:
    others = {
        "hydride": component("sodium borohydride", "REAGENT", "1 mmol"),
        "solvent": component("isopropanol", "SOLVENT", "4 mL"),
    }
    return _plain(template, (ketone,), others, "5 C", 55, "2016-11-23")


def _hydrogenation(start: str = "styrene", template: str = "hydrogenation") -> Json:
    others = {
        "gas": component("hydrogen", "REAGENT", "10 mmol"),
        "catalyst": component("platinum(IV) oxide", "CATALYST", "0.02 mmol"),
        "solvent": component("ethyl acetate", "SOLVENT", "4 mL"),
    }
    return _plain(template, (start,), others, "30 C", 93, "2022-04-28")


def _esterification(acid: str = "phenylacetic acid", alcohol: str = "methanol") -> Json:
    others = {
        "acid": component("p-toluenesulfonic acid", "CATALYST", "0.1 mmol"),
        "solvent": component("toluene", "SOLVENT", "4 mL"),
    }
    return _plain("esterification", (acid, alcohol), others, "70 C", 47, "2021-08-19")


def _acylation(chloride: str = "acetyl chloride", amine: str = "4-toluidine") -> Json:
    others = {
        "base": component("imidazole", "REAGENT", "1.5 mmol"),
        "solvent": component("chloroform", "SOLVENT", "4 mL"),
    }
    return _plain("acylation", (chloride, amine), others, "10 C", 87, "2015-05-14")


def _addition(carbonyl: str = "benzaldehyde", metal: str = "n-butyllithium") -> Json:
    others = {"solvent": component("diethyl ether", "SOLVENT", "4 mL")}
    return _plain("organometallic addition", (carbonyl, metal), others, "-60 C", 33, "2014-12-03")


def _single(start: str, template: str, reagent: str, solvent: str = "dichloromethane") -> Json:
    others = {
        "reagent": component(reagent, "REAGENT", "1.1 mmol"),
        "solvent": component(solvent, "SOLVENT", "4 mL"),
    }
    return _plain(template, (start,), others, "15 C", 68, "2023-01-18")


def _pair(first: str, second: str, template: str, base: str, solvent: str = "acetone") -> Json:
    others = {
        "base": component(base, "REAGENT", "1.5 mmol"),
        "solvent": component(solvent, "SOLVENT", "4 mL"),
    }
    return _plain(template, (first, second), others, "35 C", 58, "2024-10-09")


BASES: dict[str, Callable[..., Json]] = {
    "suzuki": _suzuki,
    "amide": _amide,
    "amination": _amination,
    "alkylation": _alkylation,
    "reduction": _reduction,
    "hydrogenation": _hydrogenation,
    "esterification": _esterification,
    "acylation": _acylation,
    "addition": _addition,
    "single": _single,
    "pair": _pair,
}
