"""Compounds, words, steps and days that look like the one a question names, but are another."""

from __future__ import annotations

from bench import step
from people import DETAILS, person
from quantities import quantity
from record import Json, component, event, identifiers, percentage, product
from substances import SMILES

from plants.plant import Plant, made

_VALUES = "outcomes.0.products.0.measurements"
_LOOK = "outcomes.0.products.0."
_FIRST = "inputs.reactant 1.components.0."
_SECOND = "inputs.reactant 2.components.0."
_CREATED = "provenance.record_created.time.value"
_START = "provenance.experiment_start.value"
_WATER = component("water", "WORKUP", "10 mL")
_BRINE = component("sodium chloride", "WORKUP", "2 g")


def _shown(smiles: str, role: str, amount: str) -> Json:
    return component("water", role, amount) | {"identifiers": identifiers("", smiles)}


def _forms(
    slug: str, role: str, amount: str, right: tuple[str, ...], wrong: tuple[str, ...]
) -> list[Plant]:
    """Return a reaction for each spelling of the compound, and for each near relative."""
    return [
        Plant(
            f"{slug}-{word}-{number}",
            f"{slug}: same_compound | {'eq on a smiles' if word == 'same' else 'near relative'}",
            "alkylation",
            {"inputs.other": {"components": [_shown(smiles, role, amount)]}},
        )
        for word, spellings in (("same", right), ("other", wrong))
        for number, smiles in enumerate(spellings)
    ]


def _methanol(word: str, reactant: str, solvent: str) -> Plant:
    return Plant(
        f"methanol-twice-{word}",
        "methanol as reactant and solvent | a near relative as one of them",
        "esterification",
        {
            _SECOND + "identifiers": identifiers("", reactant),
            "inputs.solvent.components.0": _shown(solvent, "SOLVENT", "4 mL"),
        },
    )


def _dropwise(word: str, smiles: str, role: str = "REACTANT") -> Plant:
    return Plant(
        f"butyllithium-{word}",
        "n-butyllithium dropwise | a near relative, or another role",
        "addition",
        {
            _SECOND + "identifiers": identifiers("", smiles),
            _SECOND + "reaction_role": role,
            "inputs.reactant 2.addition_speed": {"type": "DROPWISE"},
        },
    )


def _dioxane(word: str, smiles: str) -> Plant:
    edits = {"inputs.solvent.components.0": _shown(smiles, "SOLVENT", "4 mL")}
    return Plant(f"suzuki-in-{word}", "dioxane | a near relative", "suzuki", edits)


def _workup(slug: str, separates: str, *steps: Json) -> Plant:
    return Plant(slug, separates, "amination", {"workups": list(steps)})


def _vendor(word: str, vendor: str) -> Plant:
    edits = {_FIRST + "source": {"vendor": vendor}}
    return Plant(f"vendor-{word}", "vendor eq | starts_with, ends_with, contains", "amide", edits)


def _anode(word: str, material: str) -> Plant:
    cell = {"type": "CONSTANT_CURRENT", "current": quantity("5 mA"), "anode_material": material}
    return Plant(f"anode-{word}", "anode eq graphite | contains", "reduction",
                 {"conditions.electrochemistry": cell})  # fmt: skip


def _mined(word: str, organization: str) -> Plant:
    recorder = person("bmeyer") | {"organization": organization}
    return Plant(f"organization-{word}", "organization eq | starts_with, ends_with, contains",
                 "amide", {"provenance.record_created.person": recorder,
                           "provenance.is_mined": True})  # fmt: skip


def _dated(slug: str, separates: str, created: str, start: str) -> Plant:
    return Plant(slug, separates, "suzuki", {_CREATED: created, _START: start})


def _twice(name: str) -> Plant:
    return Plant(
        f"{name}-twice",
        "reactions that use a reactant | times it was used",
        "alkylation",
        {f"inputs.extra {n}": {"components": [component(name, "REACTANT", "0.2 mmol")]}
         for n in (1, 2)},
    )  # fmt: skip


_PD = component("Pd(OAc)2", "CATALYST", "0.05 mmol")
_ARYL = {"first": "chlorobenzene", "second": "N-methylaniline", "base": "cesium carbonate"}
_WITH_PD = {"inputs.catalyst": {"components": [_PD]}}

PLANTS = (
    *_forms("L-alanine", "REACTANT", "1 mmol", ("[CH3:1][C@H](N)C(=O)O", "C[C@H]([NH3+])C(=O)O"),
            ("C[C@H](N)C(=O)O.Cl", "C[C@H](N)C(=O)OCC")),
    *_forms("L-alanine-catalyst", "CATALYST", "0.1 mmol", ("C[C@H](N)C(=O)O",), ()),
    *_forms("hydroxypyridine", "REACTANT", "1 mmol", (), ("Cl.Oc1ccccn1",)),
    *_forms("acetate", "REAGENT", "1 mmol", (), ("NCC(=O)[O-]", "CC(=O)[O-].[Li+]")),
    *_forms("EDC", "REAGENT", "1 mmol", ("CCN=C=NCCC[NH+](C)C.[Cl-]",),
            ("CCN=C=NCCC[N+](C)(C)C.[I-]", "CCN=C=NCCCN(C)CC", "CCN=C=NCCCN(C)CCO")),
    *_forms("potassium-carbonate", "REAGENT", "2 mmol", ("O=[C:1]([O-])[O-].[K+].[K+]",),
            ("O=C([O-])[O-].[K+].[K+].O",)),
    *_forms("DMAP", "REAGENT", "0.2 mmol", ("CN(C)c1cc[nH+]cc1", "CN(C)c1cc[n:1]cc1"), ()),
    *_forms("DMAP-catalyst", "CATALYST", "0.2 mmol", ("CN(C)c1cc[n:1]cc1",), ()),
    *_forms("morpholine", "REACTANT", "1 mmol", ("C1COCC[NH2+]1", "C1COCC[NH2+]1.[Cl-]"),
            ("C1COCCN1.O", "C1COCCCN1")),
    *_forms("triethylamine", "REAGENT", "4 mmol", ("CC[N:1](CC)CC",),
            ("CCN(CC)CC.Cl", "CCN(CC)CCO", "CCN(CC)CC.Br")),
    *_forms("palladium-acetate", "CATALYST", "30 mg",
            ("C[C:1](=O)[O-].CC(=O)[O-].[Pd+2]",),
            ("CC(=O)[O-].CC(=O)[O-].[Pd+2].Cl", "CC(=O)[O-].CC(=O)[O-].[Pd+2].O")),
    _methanol("mapped-reactant", "[CH3:1]O", "CO"),
    _methanol("mapped-solvent", "CO", "[CH3:1]O"),
    _methanol("salt-reactant", "CO.Cl", "CO"),
    _methanol("salt-solvent", "CO", "CO.Cl"),
    _dropwise("mapped", "[Li]CC[CH2:1]C"),
    _dropwise("with-chloride", "[Li]CCCC.[Cl-].[Li+]"),
    _dropwise("longer", "[Li]CCCCC"),
    _dropwise("reagent", "[Li]CCCC", "REAGENT"),
    Plant("butyllithium-in-hexane", "some component of a dropwise input | all of them", "addition",
          {"inputs.reactant 2.addition_speed": {"type": "DROPWISE"},
           "inputs.reactant 2.components.+": component("hexane", "SOLVENT", "1 mL")}),
    _dioxane("mapped-dioxane", "C1CO[CH2:1]CO1"),
    _dioxane("dioxane-salt", "C1COCCO1.Cl"),
    _dioxane("methyldioxane", "CC1COCCO1"),
    Plant("suzuki-with-dioxane-as-reagent", "dioxane as the solvent | as a reagent", "suzuki",
          {"inputs.extra": {"components": [component("1,4-dioxane", "REAGENT", "1 mmol")]}},
          {"solvent": "tert-butanol"}),
    # The compound in a role that nobody asked about.
    *_forms("acetate-as-reactant", "REACTANT", "1 mmol", ("CC(=O)[O-]",), ()),
    *_forms("EDC-as-catalyst", "CATALYST", "0.2 mmol", ("CCN=C=NCCCN(C)C",), ()),
    *_forms("potassium-carbonate-as-catalyst", "CATALYST", "0.2 mmol",
            ("O=C([O-])[O-].[K+].[K+]",), ()),
    *_forms("triethylamine-as-solvent", "SOLVENT", "40 mmol", ("CCN(CC)CC",), ()),
    Plant("dried-THF-as-reagent", "dried THF | a dried solvent", "addition",
          {"inputs.ligand": {"components": [
              component("THF", "REAGENT", "2 mmol", preparations=[{"type": "DRIED"}])]}}),
    Plant("DMF-as-reagent-first", "DMF in the first addition | a solvent in it", "esterification",
          {"inputs.activator": {"addition_order": 1, "components": [
              component("DMF", "REAGENT", "0.1 mmol")]}}),
    # Rings and chains.
    Plant("bromochloro-not-limiting", "on a reactant | on the limiting one", "suzuki",
          {_FIRST + "is_limiting": False}, {"halide": "1-bromo-4-chlorobenzene"}),
    Plant("chlorobenzyl-bromide", "an aryl bromide | any bromide", "alkylation", {},
          {"halide": "4-chlorobenzyl bromide"}),
    Plant("bromobenzyl-chloride", "an aryl chloride | any chloride", "pair", {},
          {"first": "pyrrolidine", "second": "4-bromobenzyl chloride",
           "template": "N-alkylation by a chloride", "base": "DBU"}),
    Plant("bromophenetole", "similar to the bromide | to the chloride", "suzuki", {},
          {"halide": "4-bromophenetole"}),
    Plant("aminomethylaniline-at-the-ring", "an aryl NH2 consumed, an alkyl one kept", "pair", {},
          {"first": "acetyl chloride", "second": "4-(aminomethyl)aniline",
           "template": "acylation at the ring", "base": "imidazole"}),
    Plant("aminomethylaniline-at-carbon", "an anilide made | another amide", "pair", {},
          {"first": "benzoic acid", "second": "4-(aminomethyl)aniline",
           "template": "amide at carbon", "base": "EDC hydrochloride"}),
    Plant("anilide-from-before", "an aryl NH2 | any NH2", "amide", {},
          {"acid": "4-acetamidobenzoic acid", "amine": "benzylamine"}),
    Plant("chloride-with-secondary-amine", "aryl chloride, secondary amine, palladium", "pair",
          _WITH_PD, _ARYL | {"template": "Buchwald-Hartwig"}),
    Plant("chloride-with-primary-amine", "secondary | primary amine", "pair", _WITH_PD,
          _ARYL | {"second": "aniline", "template": "Buchwald-Hartwig"}),
    Plant("chloride-with-tertiary-amine", "an aryl amine made | one brought along", "suzuki", {},
          {"halide": "chlorobenzene", "boron": "4-(dimethylamino)phenylboronic acid",
           "template": "suzuki of a chloride"}),
    Plant("alkyl-chloride-with-amine", "aryl | alkyl chloride", "pair", _WITH_PD,
          {"first": "N-methylaniline", "second": "benzyl chloride",
           "template": "N-alkylation by a chloride", "base": "cesium carbonate"}),
    Plant("chloride-without-amine-made", "an aryl amine made | only its reactants", "pair",
          _WITH_PD | {"outcomes.0.products.0.identifiers": identifiers(
              "", made("protodehalogenation", "chlorobenzene"))},
          _ARYL | {"template": "Buchwald-Hartwig", "second": "piperidine"}),
    Plant("chloride-beside-alkylation", "an aryl amine made | an alkyl amine", "alkylation",
          _WITH_PD | {"inputs.extra": {"components": [
              component("chlorobenzene", "REACTANT", "1 mmol")]}}),
    # Sides of a transformation.
    Plant("ester-of-a-chloride-refluxed", "ester from an acid | from a chloride", "pair",
          {"conditions.reflux": True},
          {"first": "benzoyl chloride", "second": "ethanol", "template": "ester from a chloride",
           "base": "pyridine"}),
    Plant("acid-recovered-refluxed", "an ester made | its reactants there", "esterification",
          {"conditions.reflux": True, "outcomes.0.products": [
              product(SMILES["phenylacetic acid"] or "", percentage("AREA", 99), desired=False)]}),
    Plant("acid-as-solvent-refluxed", "an acid as a reactant | in any role", "esterification",
          {"conditions.reflux": True, _FIRST + "reaction_role": "SOLVENT"},
          {"acid": "acetic acid", "alcohol": "benzyl alcohol"}),
    Plant("alanine-as-reagent", "alanine as a reactant | in any role", "acylation",
          {_SECOND + "reaction_role": "REAGENT"}, {"amine": "L-alanine"}),
    Plant("alanine-undesired", "a product | a desired product", "acylation",
          {_LOOK + "is_desired_product": False}, {"amine": "L-alanine"}),
    Plant("sulfoxide-undesired", "a product | a desired product", "single",
          {_LOOK + "is_desired_product": False},
          {"start": "thioanisole", "template": "sulfide oxidation", "reagent": "mCPBA"}),
    Plant("white-crystals-undesired", "a product | a desired product", "amide",
          {_LOOK + "is_desired_product": False, _LOOK + "isolated_color": "white",
           _LOOK + "texture": {"type": "CRYSTAL"}}),
    Plant("whitish-crystals", "eq white | starts_with white", "amide",
          {_LOOK + "isolated_color": "white to pale yellow",
           _LOOK + "texture": {"type": "CRYSTAL"}}),
    # Words.
    _vendor("first", "Sigma-Aldrich Chemie"),
    _vendor("last", "Merck Sigma-Aldrich"),
    _anode("first", "graphite felt"),
    _anode("last", "pyrolytic graphite"),
    _mined("first", "Example Pharma Japan"),
    _mined("last", "New Example Pharma"),
    _mined("exact", "Example Pharma"),
    Plant("key-ends-alike", "analysis_key eq | ends_with", "amide",
          {"outcomes.0.analyses": {"second crude-uplc": {"type": "LC"}},
           _VALUES: [percentage("YIELD", 66, "second crude-uplc")]}),
    Plant("key-of-purity", "any measurement under a key | a yield", "amide",
          {"outcomes.0.analyses": {"crude-uplc": {"type": "LC"}},
           _VALUES: [percentage("PURITY", 88, "crude-uplc")]}),
    Plant("type-mentions-buchwald", "contains | starts_with", "amination",
          {"identifiers": [{"type": "REACTION_TYPE", "value": "C-N coupling (Buchwald)"}]}),
    Plant("type-beside-buchwald", "type and value of one identifier | of two", "amination",
          {"identifiers": [{"type": "REACTION_TYPE", "value": "SNAr"},
                           {"type": "CUSTOM", "details": "folder", "value": "Buchwald"}]}),
    # Workup steps.
    _workup("scavenged-keeping-filtrate", "a FILTRATION keeping the filtrate | any step",
            step("SCAVENGING", component("silica gel", "WORKUP", "1 g"), keep_phase="filtrate")),
    _workup("filtered-solid-scavenged-filtrate", "type and phase of one step | of two",
            step("FILTRATION", keep_phase="solid"),
            step("SCAVENGING", component("silica gel", "WORKUP", "1 g"), keep_phase="filtrate")),
    _workup("filtrate-first", "keep_phase eq | starts_with",
            step("FILTRATION", keep_phase="filtrate and washings")),
    _workup("filtrate-last", "keep_phase eq | ends_with",
            step("FILTRATION", keep_phase="second filtrate")),
    _workup("washed-with-water-and-brine", "water among a wash | nothing else in it",
            step("WASH", _WATER, _BRINE)),
    _workup("washed-with-mapped-water", "same_compound | eq",
            step("WASH", _shown("[OH2:1]", "WORKUP", "10 mL"))),
    _workup("washed-with-aqueous-acid", "same_compound | similarity",
            step("WASH", _shown("Cl.O", "WORKUP", "10 mL"))),
    _workup("no-step-automated", "every step automated | said of every step",
            step("WASH", _WATER, is_automated=False), step("WASH", _BRINE, is_automated=False)),
    _workup("acidified-by-addition", "a PH_ADJUST step | any step with a target",
            step("ADDITION", component("hydrochloric acid", "WORKUP", "5 mL"), target_ph=2.0)),
    _workup("neutral-then-acidified", "type and target of one step | of two",
            step("PH_ADJUST", component("hydrochloric acid", "WORKUP", "5 mL"), target_ph=7.0),
            step("ADDITION", component("hydrochloric acid", "WORKUP", "5 mL"), target_ph=2.0)),
    # Values between a boundary and its careless conversion.
    Plant("added-at-260-K", "up to 260 K | below", "acylation",
          {"inputs.reactant 2.addition_temperature": quantity("260 K")}),
    Plant("at-299.9-K", "300 K | 299.85 K", "acylation",
          {"conditions.temperature.setpoint": quantity("299.9 K")}),
    Plant("at-223.1-K", "223.15 K | 223 K", "acylation",
          {"conditions.temperature.setpoint": quantity("223.1 K")}),
    Plant("seen-at-30-min", "after 30 min | from 30 min", "acylation",
          {"observations": [{"time": quantity("30 min"), "comment": "clear solution"}]}),
    Plant("converted-90-yield-30", "conversion above 90 | at least 90", "alkylation",
          {"outcomes.0.conversion": {"value": 90}, _VALUES: [percentage("YIELD", 30)]}),
    Plant("converted-95-yield-50", "yield below 50 | at most 50", "alkylation",
          {"outcomes.0.conversion": {"value": 95}, _VALUES: [percentage("YIELD", 50)]}),
    Plant("converted-without-percentage", "a yield below 50 | none recorded", "alkylation",
          {"outcomes.0.conversion": {"value": 95}, _VALUES: [
              {"type": "YIELD", "analysis_key": "lcms", "string_value": "low"}]}),
    *(Plant(f"yield-in-words-purity-{purity}", "a yield's value | a purity's", "amide",
            {_VALUES: [{"type": "YIELD", "analysis_key": "lcms", "string_value": "good"},
                       percentage("PURITY", purity)]}) for purity in (30, 95)),
    Plant("yield-precision-zero", "a precision recorded | a precision above zero", "amide",
          {_VALUES: [{"type": "YIELD", "analysis_key": "lcms",
                      "percentage": {"value": 59, "precision": 0}}]}),
    Plant("undesired-with-ee", "any product | the desired one", "reduction",
          {_LOOK + "is_desired_product": None,
           _VALUES: [percentage("SELECTIVITY", 97, selectivity={"type": "EE"})]},
          {"ketone": "acetophenone", "template": "ketone reduction, one face"}),
    Plant("undesired-with-precision", "any product | the desired one", "amide",
          {_LOOK + "is_desired_product": None, _VALUES: [
              {"type": "YIELD", "analysis_key": "lcms",
               "percentage": {"value": 58, "precision": 1.5}}]}),
    Plant("undesired-under-a-key", "any product | the desired one", "amide",
          {_LOOK + "is_desired_product": None,
           "outcomes.0.analyses": {"crude-uplc": {"type": "LC"}},
           _VALUES: [percentage("YIELD", 53, "crude-uplc")]}),
    Plant("undesired-of-little", "any product | the desired one", "amide",
          {_LOOK + "is_desired_product": None, _FIRST + "amount": {"moles": quantity("30 umol")},
           _VALUES: [percentage("YIELD", 97)]}),
    Plant("trace-not-limiting", "limiting | said to be or not to be", "amide",
          {_SECOND + "is_limiting": False, _SECOND + "amount": {"moles": quantity("0.1 umol")}}),
    Plant("suzuki-set-100-and-20", "a reaction's highest yield | its mean or lowest", "suzuki",
          {_VALUES: [percentage("YIELD", 100), percentage("YIELD", 20)]}, theme="suzuki"),
    # The same thing twice.
    *(_twice(name) for name in ("benzylamine", "benzoic acid", "benzyl bromide",
                                "4-bromoanisole", "phenylboronic acid")),
    Plant("argon-and-THF-twice", "reactions | uses of a solvent", "addition",
          {"conditions.pressure": {"atmosphere": {"type": "ARGON"}},
           "inputs.solvent.components": [component("THF", "SOLVENT", "4 mL")] * 2}),
    Plant("argon-and-unknown-solvent", "solvents with a structure | all", "addition",
          {"conditions.pressure": {"atmosphere": {"type": "ARGON"}},
           "inputs.solvent.components.0.identifiers": [
               {"type": "NAME", "value": "petroleum ether"}]}),
    # Days.
    _dated("recorded-2023-06-30", "from 1 July | from 30 June", "2023-06-30", "2023-06-01"),
    Plant("edited-2023-12-31", "since 2024 | since 31 December 2023", "suzuki",
          {"provenance.record_modified": [event("2023-12-31", person("bmeyer"))]}),
    _dated("started-2020-01-01", "from 2020 | after 1 January 2020", "2020-02-02", "2020-01-01"),
    _dated("started-2019-12-31", "from 2020 | from 31 December", "2020-02-02", "2019-12-31"),
    _dated("recorded-2023-01-01-started-2021", "from 2023 | after 1 January 2023", "2023-01-01",
           "2021-05-05"),
    _dated("recorded-2022-12-31-started-2021", "from 2023 | from 31 December 2022",
           "2022-12-31", "2021-05-05"),
    _dated("recorded-2023-started-2022-01-01", "before 2022 | up to 1 January 2022",
           "2023-05-05", "2022-01-01"),
    _dated("recorded-2023-started-2021-12-31", "before 2022 | before 31 December 2021",
           "2023-05-05", "2021-12-31"),
    Plant("started-on-no-day", "a start without a day | a start", "suzuki",
          {"provenance.experiment_start": {},
           "provenance.record_created": event("2018-08-18", person("cnakata"), details=DETAILS)}),
)  # fmt: skip
