"""A compound in a role, crossed with its near relatives and with what the reaction gave.

A question that names a compound and a result needs reactions with the compound and nearly the
result, and with the result and nearly the compound. Here each of the usual solvents meets each of
the usual nearly-right results, and each of its relatives takes its place once.
"""

from __future__ import annotations

from people import DETAILS, person
from record import Json, component, event, identifiers, percentage, product
from substances import SMILES

from plants.plant import Plant, made

_VALUES = "outcomes.0.products.0.measurements"
_SIDE = made("protodehalogenation", "4-bromoanisole")
_SOLVENT = "inputs.solvent.components.0"

# A solvent with a spelling that keeps atom-map numbers, and a compound that contains it.
_RELATIVES = {
    "pyridine": ("c1cc[n:1]cc1", "Cc1ccccn1"),
    "DMF": ("C[N:1](C)C=O", "O=CN(C)CCN(C)C"),
    "DMSO": ("C[S:1](C)=O", "CS(C)(=O)=O"),
    "THF": ("C1C[CH2:1]OC1", "CC1CCCO1"),
    "toluene": ("[CH3:1]c1ccccc1", "Cc1ccc(C)cc1"),
    "benzene": ("c1cc[cH:1]cc1", "CC(C)(C)c1ccccc1"),
    "methanol": ("[CH3:1]O", "COCCO"),
    "ethanol": ("C[CH2:1]O", "CCOCCO"),
    "water": ("[OH2:1]", "OO"),
    "acetonitrile": ("C[C:1]#N", "CCC#N"),
    "1,4-dioxane": ("C1CO[CH2:1]CO1", "CC1COCCO1"),
    "dichloromethane": ("Cl[CH2:1]Cl", "ClC(Cl)Cl"),
    "acetic acid": ("C[C:1](=O)O", "CCCC(=O)O"),
    "triethylamine": ("CC[N:1](CC)CC", "CCN(CC)CCO"),
}


def _results() -> dict[str, tuple[str, dict[str, object]]]:
    """Nearly the results a question may ask for, by a word each, with what they separate."""
    side = product(_SIDE, percentage("YIELD", 85.5), desired=False)
    exact: dict[str, tuple[str, dict[str, object]]] = {
        f"{value}-percent": (
            f"above {value} % | at least {value} %",
            {_VALUES: [percentage("YIELD", value)]},
        )
        for value in (20, 50, 70, 80, 90)
    }
    return exact | {
        "good": ("every condition met", {_VALUES: [percentage("YIELD", 92)]}),
        "poor": ("the compound without the result", {_VALUES: [percentage("YIELD", 7)]}),
        "pure": (
            "type and value of one measurement | of two",
            {_VALUES: [percentage("YIELD", 11), percentage("PURITY", 97)]},
        ),
        "side": (
            "the desired product's yield | another product's",
            {_VALUES: [percentage("YIELD", 13)], "outcomes.0.products.+": side},
        ),
        "undesired": (
            "is_desired_product true | recorded",
            {
                _VALUES: [percentage("YIELD", 93)],
                "outcomes.0.products.0.is_desired_product": False,
            },
        ),
        "unmeasured": ("a yield | none", {_VALUES: []}),
    }


def _crossed() -> list[Plant]:
    return [
        Plant(
            f"{solvent}-{word}",
            f"{solvent} as a solvent, and {separates}",
            "suzuki",
            edits,
            {"solvent": solvent},
        )
        for solvent in _RELATIVES
        for word, (separates, edits) in _results().items()
    ]


def _part(smiles: str, role: str) -> Json:
    """Return a component in plenty, dried, so that a question about either meets it too."""
    return {
        "identifiers": identifiers("", smiles),
        "reaction_role": role,
        "amount": {"volume": {"value": 12, "units": "MILLILITER"}},
        "preparations": [{"type": "DRIED"}],
    }


def _related() -> list[Plant]:
    plants = []
    for name, (mapped, larger) in _RELATIVES.items():
        for word, smiles, separates in (
            ("mapped", mapped, "same_compound | eq on a smiles"),
            ("salt", f"{SMILES[name]}.Cl", "same_compound | same_parent, similarity, contains"),
            ("larger", larger, "same_compound | substructure"),
        ):
            plants.append(
                Plant(
                    f"{name}-{word}",
                    f"{name} as a solvent: {separates}",
                    "amination",
                    {_SOLVENT: _part(smiles, "SOLVENT"), "inputs.solvent.addition_order": 1},
                )
            )
    return plants


def _other(name: str, role: str, amount: str = "0.1 mmol") -> dict[str, object]:
    return {"inputs.other": {"components": [component(name, role, amount)]}}


_ARYL = {"template": "suzuki of a chloride", "halide": "4-chloroanisole"}
_HUGE = [percentage("YIELD", 104), percentage("YIELD", 3, details="after drying")]
_NINETY = {_VALUES: [percentage("YIELD", 90)]}
_HIGH = {_VALUES: [percentage("YIELD", 96)]}
_SMALL = {"moles": {"value": 20, "units": "MICROMOLE"}}
_FIRST = "inputs.reactant 1.components.0."
_SECOND = "inputs.reactant 2.components.0."

PLANTS = (
    *_crossed(),
    *_related(),
    # Similarity to aniline, between the usual thresholds; the number is the Tanimoto coefficient.
    *(Plant(f"similar-{name}", f"similarity {value}: on one side of 0.5, 0.6, 0.7 or 0.9",
            "acylation", {}, {"amine": name})
      for name, value in (("1,4-phenylenediamine", 0.58), ("1,3-phenylenediamine", 0.53),
                          ("4-aminobiphenyl", 0.63), ("aniline sulfate", 0.65),
                          ("aniline tetrafluoroborate", 0.73))),
    Plant("similar-reagent", "similar to aniline as a reactant | in any role", "alkylation",
          _other("1,4-phenylenediamine", "REAGENT")),
    Plant("aniline-reagent", "aniline as a reactant | in any role", "alkylation",
          _other("4-aminobiphenyl", "CATALYST")),
    # Proline as a catalyst, and in the other hand.
    Plant("L-proline-catalyst", "L-proline as a reactant | as a catalyst", "alkylation",
          _other("L-proline", "CATALYST")),
    Plant("D-proline-catalyst", "D-proline as a reactant | as a catalyst", "alkylation",
          _other("D-proline", "CATALYST")),
    Plant("Boc-proline-catalyst", "contains proline, as a reagent", "alkylation",
          _other("Boc-L-proline", "REAGENT")),
    Plant("D-proline-hydrochloride", "D-proline: same_compound | same_parent", "acylation", {},
          {"amine": "D-proline hydrochloride"}),
    Plant("D-prolinium", "D-proline: same_compound | eq on a smiles", "alkylation",
          _other("D-prolinium", "REACTANT")),
    Plant("quaternary-amino-acid", "a stereocentre's hydrogen | none", "esterification", {},
          {"acid": "2-aminoisobutyric acid"}),
    # Catalysts.
    Plant("palladium-reagent-nickel-catalyst", "a Pd catalyst | Pd, and some catalyst", "suzuki",
          {"inputs.catalyst.components.0.reaction_role": "REAGENT",
           **_other("NiCl2(glyme)", "CATALYST")}),
    Plant("catalyst-spatula-tip", "CATALYTIC | another unmeasured amount", "suzuki",
          {"inputs.catalyst.components.0.amount": {
              "unmeasured": {"type": "CUSTOM", "details": "a spatula tip"}}}),
    # Transformations whose parts fit too broad a template.
    Plant("alkyl-boron-biaryl-product", "an aryl boronic acid | any boronic acid", "suzuki", {},
          {"halide": "4-bromobiphenyl", "boron": "cyclopropylboronic acid"}),
    Plant("alkyl-halide-biaryl-product", "an aryl bromide | any bromide", "suzuki", {},
          {"halide": "benzyl bromide", "boron": "4-biphenylboronic acid",
           "template": "suzuki of an alkyl halide"}),
    Plant("no-biaryl-but-methyl", "a bond between two rings | between any carbons", "suzuki",
          {"outcomes.0.products.0.identifiers": identifiers(
              "", made("protodehalogenation", "4-bromotoluene"))}, {"halide": "4-bromotoluene"}),
    Plant("nitric-acid-as-catalyst", "a nitro group in a product | in an input", "esterification",
          {"inputs.acid.components.0": component("nitric acid", "CATALYST", "0.1 mmol")}),
    Plant("nitrate-as-reagent", "a nitro group in a product | in an input", "alkylation",
          _other("potassium nitrate", "REAGENT")),
    # Small amounts of what limits, and of what does not.
    Plant("small-limiting-reagent", "limiting | a limiting reactant", "amide",
          {_FIRST + "is_limiting": None, "inputs.base.components.0.is_limiting": True,
           "inputs.base.components.0.amount": _SMALL, **_HIGH}),
    Plant("small-limiting-yield-90", "yield above 90 | at least 90", "amide",
          {_FIRST + "amount": _SMALL, **_NINETY}),
    Plant("small-limiting-yield-96", "every condition met", "amide",
          {_FIRST + "amount": _SMALL, **_HIGH}),
    Plant("small-excess-said", "is_limiting true | recorded", "amide",
          {_SECOND + "is_limiting": False, _SECOND + "amount": _SMALL, **_HIGH}),
    Plant("small-limiting-pure", "yield above 90 | purity above 90", "amide",
          {_FIRST + "amount": _SMALL,
           _VALUES: [percentage("YIELD", 21), percentage("PURITY", 96)]}),
    # One dataset, and what a question may ask of it.
    Plant("suzuki-set-chlorobenzene-solvent", "an aryl chloride in any role | a reactant",
          "suzuki", {_SOLVENT: component("chlorobenzene", "SOLVENT", "4 mL")}, theme="suzuki"),
    Plant("suzuki-set-alkyl-chloride", "an aryl chloride | any chloride", "suzuki", {},
          {"solvent": "1,2-dichloroethane"}, theme="suzuki"),
    Plant("suzuki-set-yield-20", "above 20 | at least 20", "suzuki",
          {_VALUES: [percentage("YIELD", 20)]}, _ARYL, theme="suzuki"),
    Plant("suzuki-set-not-limiting", "an aryl chloride | a limiting one", "suzuki",
          {_FIRST + "is_limiting": False}, _ARYL, theme="suzuki"),
    Plant("suzuki-set-pure", "yield above 20 | purity above 20", "suzuki",
          {_VALUES: [percentage("YIELD", 8), percentage("PURITY", 91)]}, _ARYL, theme="suzuki"),
    Plant("suzuki-set-good", "every condition met", "suzuki", {}, _ARYL, theme="suzuki"),
    Plant("another-set-good", "the same in another dataset", "suzuki", {}, _ARYL, theme="amides"),
    # Extremes and people.
    Plant("overweight-yield", "highest yield | highest of averages, highest conversion", "amide",
          {_VALUES: _HUGE}),
    Plant("second-user-name", "user names | names", "amide",
          {"provenance.record_created": event("2021-05-06", person("akoval2"), details=DETAILS)}),
    Plant("visiting-experimenter", "who recorded | who ran", "suzuki",
          {"provenance.experimenter": person("visitor")}),
    Plant("guest-experimenter", "who recorded | who ran", "amide",
          {"provenance.experimenter": person("guest")}),
)  # fmt: skip
