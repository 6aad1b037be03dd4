"""Compounds that are nearly, but not quite, the one a question names."""

from __future__ import annotations

from record import component, identifiers

from plants.plant import Plant, made


def _reagent(slug: str, separates: str, name: str) -> Plant:
    return Plant(
        slug, separates, "pair",
        {"inputs.base.components.0": component(name, "REAGENT", "1.5 mmol")},
        {"first": "phenol", "second": "benzyl bromide", "template": "O-alkylation",
         "base": "potassium carbonate"},
    )  # fmt: skip


# One compound in every form it is sold or drawn in, each in a reaction of its own.
_FORMS = (
    ("triethylamine", "the free base: same_parent and same_compound"),
    ("triethylamine hydrochloride", "same_parent | same_compound"),
    ("triethylammonium", "same_compound (protonation) | eq on a smiles"),
    ("DIPEA", "another tertiary amine: triethylamine | any amine"),
    ("sodium acetate", "same_parent of acetic acid | same_compound"),
    ("potassium acetate", "same_compound with sodium acetate | same_parent"),
    ("ammonium acetate", "acetate by substructure | acetic acid by same_parent"),
    ("acetate", "same_compound with acetic acid | eq on a smiles"),
    ("acetic acid", "same_compound with acetate | with sodium acetate"),
    ("sodium carbonate", "same_parent with potassium carbonate | same_compound"),
    ("sodium bicarbonate", "carbonate, protonated: same_compound | substructure"),
    ("cesium carbonate", "a counterion that is not stripped: same_parent | substructure"),
    ("pyridine", "pyridine as a reagent | as a solvent"),
    ("pyridine hydrochloride", "pyridine by same_parent | same_compound"),
    ("DMAP", "contains pyridine | is pyridine"),
    ("sodium hydride", "salt without carbon: not hydrogen"),
    ("sodium hydroxide", "hydroxide: same_compound | lithium hydroxide"),
    ("lithium hydroxide", "hydroxide: same_parent | sodium hydroxide"),
    ("potassium tert-butoxide", "same_parent with the sodium salt | same_compound"),
    ("sodium tert-butoxide", "same_parent with tert-butanol | same_compound"),
    ("sodium phenoxide", "phenol by same_parent | same_compound"),
)

_PROLINES = (
    ("L-proline", "the L enantiomer | D"),
    ("D-proline", "the D enantiomer | L"),
    ("proline", "no stereo drawn | either enantiomer"),
    ("rac-proline", "an AND group: racemate | one enantiomer"),
    ("proline, one enantiomer", "an OR group: unknown enantiomer | racemate"),
    ("L-prolinium", "same_compound (protonation) | eq"),
    ("L-proline zwitterion", "same_compound (zwitterion) | eq"),
    ("sodium L-prolinate", "same_parent | same_compound"),
    ("L-proline hydrochloride", "same_parent | same_compound"),
)

_AMINES = (
    ("aniline", "similarity to aniline: 1"),
    ("anilinium", "same_compound with aniline | eq"),
    ("aniline hydrochloride", "same_parent with aniline | same_compound"),
    ("4-toluidine", "similar to aniline, just below or above a threshold"),
    ("4-fluoroaniline", "similar to aniline, just below or above a threshold"),
    ("N-methylaniline", "similar to aniline, just below or above a threshold"),
    ("2-aminopyridine", "similar to aniline | contains aniline"),
    ("morpholine", "morpholine as a reactant | as a base"),
    ("morpholine hydrochloride", "same_parent with morpholine | same_compound"),
    ("thiomorpholine", "similar to morpholine | contains morpholine"),
    ("piperazine", "similar to morpholine"),
    ("L-alanine methyl ester hydrochloride", "salt of an amino ester: same_parent | eq"),
    ("(R)-1-phenylethylamine", "one enantiomer | the other"),
    ("(S)-1-phenylethylamine", "the other enantiomer | the racemate"),
    ("1-phenylethylamine", "no stereo drawn | either enantiomer"),
)
# Templates see a neutral amine, so a protonated one is recorded as an extra reactant.
_CHARGED = {"anilinium", "L-prolinium", "L-proline zwitterion"}


def _amine(name: str, separates: str) -> Plant:
    slug = f"amine-{name}"
    if name in _CHARGED:
        return Plant(slug, separates, "acylation", {
            "inputs.extra": {"components": [component(name, "REACTANT", "1 mmol")]},
        })  # fmt: skip
    return Plant(slug, separates, "acylation", {}, {"amine": name})


def _reactant(slug: str, separates: str, name: str) -> Plant:
    """A compound that no template here consumes, beside two that react."""
    return Plant(
        f"drawn-{slug}", separates, "alkylation",
        {"inputs.extra": {"components": [component(name, "REACTANT", "1 mmol")]}},
    )  # fmt: skip


_DRAWINGS = (
    ("sulfoxide", "sulfoxide drawn S+-O-: the drawing | the compound",
     "dimethyl sulfoxide, charge-separated"),
    ("sulfoxide-double-bond", "sulfoxide drawn S=O", "DMSO"),
    ("methyllithium", "covalent | ionic organometallic", "methyllithium"),
    ("methyllithium-ionic", "ionic | covalent organometallic", "methyllithium, ionic"),
    ("phosphine-oxide", "P=O | P+-O-", "trimethylphosphine oxide"),
    ("phosphine-oxide-charged", "P+-O- | P=O", "trimethylphosphine oxide, charge-separated"),
    ("ammonia-borane", "charge-separated | dative", "ammonia borane"),
    ("ammonia-borane-dative", "dative | charge-separated", "ammonia borane, dative"),
    ("pyridone", "tautomers: same_compound | eq on a smiles", "2-pyridone"),
    ("hydroxypyridine", "tautomers: same_compound | eq on a smiles", "2-hydroxypyridine"),
    ("4-pyridone", "another pyridone: not a tautomer of 2-pyridone", "4-pyridone"),
    ("diketone", "keto form | enol", "acetylacetone"),
    ("enol", "enol | keto form", "acetylacetone enol"),
    ("deuterated", "isotopes: methanol | deuterated methanol", "deuterated methanol"),
    ("caffeine", "a fused heterocycle among the inputs", "caffeine"),
    ("nitromethane", "an aliphatic nitro group | an aromatic one", "nitromethane"),
    ("ibuprofen-S", "one enantiomer | no stereo drawn", "(S)-ibuprofen"),
    ("ibuprofen", "no stereo drawn | one enantiomer", "ibuprofen"),
)  # fmt: skip

_PD = component("Pd(PPh3)4", "CATALYST", "0.05 mmol")

PLANTS = (
    *(_reagent(f"form-{name}", separates, name) for name, separates in _FORMS),
    *(_amine(name, separates) for name, separates in _PROLINES),
    *(_amine(name, separates) for name, separates in _AMINES),
    *(_reactant(slug, separates, name) for slug, separates, name in _DRAWINGS),
    Plant("pd-covalent-chloride", "PdCl2 drawn covalent | ionic", "suzuki",
          {"inputs.catalyst.components.0": component("PdCl2", "CATALYST", "0.05 mmol")}),
    Plant("pd-ionic-chloride", "PdCl2 drawn ionic | covalent", "suzuki",
          {"inputs.catalyst.components.0": component("palladium(II) chloride", "CATALYST",
                                                     "0.05 mmol")}),
    Plant("nitro-molblock-like-drawing", "nitro written N(=O)=O in the record", "amination", {
        "inputs.reactant 1.components.0.identifiers":
            identifiers("1-fluoro-4-nitrobenzene", "O=N(=O)c1ccc(F)cc1")}),
    Plant("kekule-drawing", "benzene ring written with double bonds", "suzuki", {
        "inputs.reactant 2.components.0.identifiers":
            identifiers("phenylboronic acid", "OB(O)C1=CC=CC=C1")}),
    Plant("solvent-known-by-inchi", "a structure recorded as InChI only", "amide", {
        "inputs.solvent.components.0.identifiers": [
            {"type": "INCHI", "value": "InChI=1S/C3H7NO/c1-4(2)3-5/h3H,1-2H3"}]}),
    Plant("solvent-known-by-name", "a name without a structure | same_compound", "amide", {
        "inputs.solvent.components.0.identifiers": [{"type": "NAME", "value": "DMF"}]}),
    Plant("catalyst-known-by-name", "a palladium catalyst without a structure", "suzuki", {
        "inputs.catalyst.components.0.identifiers": [{"type": "NAME", "value": "XPhos Pd G3"}]}),
    Plant("cas-number", "identified by CAS number besides its structure", "amide", {
        "inputs.solvent.components.0.identifiers.+": {"type": "CAS_NUMBER", "value": "68-12-2"}}),
    Plant("product-as-salt", "product salt: same_parent | same_compound", "alkylation", {
        "outcomes.0.products.0.identifiers": identifiers(
            "", made("N-alkylation", "pyrrolidine", "benzyl bromide") + ".Br")}),
    Plant("product-racemate", "product racemate drawn with an AND group", "reduction", {
        "outcomes.0.products.0.identifiers": identifiers(
            "", made("ketone reduction, one face", "acetophenone") + " |&1:1|")},
        {"ketone": "acetophenone"}),
    Plant("product-face-one", "product one enantiomer | the other", "reduction", {},
          {"ketone": "acetophenone", "template": "ketone reduction, one face"}),
    Plant("product-face-other", "product the other enantiomer | one", "reduction", {},
          {"ketone": "acetophenone", "template": "ketone reduction, other face"}),
    Plant("sulfoxide-made", "product sulfoxide drawn S=O", "single", {},
          {"start": "thioanisole", "template": "sulfide oxidation", "reagent": "mCPBA"}),
    Plant("sulfoxide-made-charged", "product sulfoxide drawn S+-O-", "single", {},
          {"start": "thioanisole", "template": "sulfide oxidation, charge-separated",
           "reagent": "hydrogen peroxide"}),
    Plant("N-oxide-made", "pyridine N-oxide | pyridine", "single", {},
          {"start": "3-bromopyridine", "template": "N-oxidation", "reagent": "mCPBA"}),
    Plant("pyridone-alkylated", "made from the lactam", "pair", {},
          {"first": "2-pyridone", "second": "iodomethane", "template": "pyridone N-alkylation",
           "base": "potassium carbonate"}),
    Plant("hydroxypyridine-alkylated", "made from the lactim", "pair", {},
          {"first": "2-hydroxypyridine", "second": "iodomethane", "template": "O-alkylation",
           "base": "cesium carbonate"}),
    Plant("two-palladium-salts", "Pd twice in one reaction: count | count_distinct", "suzuki", {
        "inputs.catalyst.components.+": component("Pd(OAc)2", "CATALYST", "0.02 mmol")}),
    Plant("palladium-reagent", "palladium as a REAGENT | as a CATALYST", "suzuki", {
        "inputs.catalyst.components.0": {**_PD, "reaction_role": "REAGENT"}}),
)  # fmt: skip
