"""Reactions a reaction SMARTS must and must not match."""

from __future__ import annotations

from record import component, percentage, product
from substances import SMILES

from plants.plant import Plant, made


def _coupling(slug: str, separates: str, halide: str, boron: str) -> Plant:
    chloride = "chloro" in halide and "bromo" not in halide
    template = "suzuki of a chloride" if chloride else "suzuki"
    options = {"halide": halide, "boron": boron, "template": template}
    return Plant(f"coupling-{slug}", separates, "suzuki", {}, options)


_BORONIC = "inputs.reactant 2.components.0."
_HALIDE = "inputs.reactant 1.components.0."

PLANTS = (
    _coupling("bromide-acid", "aryl bromide with a boronic acid", "4-bromoanisole",
              "phenylboronic acid"),
    _coupling("iodide-acid", "iodide | bromide", "4-iodoanisole", "phenylboronic acid"),
    _coupling("chloride-acid", "chloride | bromide or iodide", "4-chloroanisole",
              "phenylboronic acid"),
    _coupling("bromide-ester", "boronic ester | boronic acid", "4-bromoanisole",
              "phenylboronic acid pinacol ester"),
    _coupling("bromide-trifluoroborate", "trifluoroborate | boronic acid or ester",
              "4-bromoanisole", "potassium phenyltrifluoroborate"),
    _coupling("chloride-trifluoroborate", "both unlike", "4-chloroanisole",
              "potassium phenyltrifluoroborate"),
    _coupling("bromide-cyclopropyl", "an alkyl boronic acid | an aryl one", "4-bromoanisole",
              "cyclopropylboronic acid"),
    _coupling("bromo-chloro", "a bromide that is also a chloride", "1-bromo-4-chlorobenzene",
              "phenylboronic acid"),
    _coupling("heteroaryl", "a heteroaryl bromide", "3-bromopyridine", "3-pyridylboronic acid"),
    _coupling("nitro-halide", "a nitro group on a reactant and on the product",
              "1-bromo-4-nitrobenzene", "phenylboronic acid"),
    _coupling("nitro-boronic", "the nitro group on the other reactant", "bromobenzene",
              "3-nitrophenylboronic acid"),
    Plant("boronic-acid-as-reagent", "a boronic acid as REACTANT | as REAGENT", "suzuki",
          {_BORONIC + "reaction_role": "REAGENT"}),
    Plant("halide-as-reagent", "an aryl bromide as REACTANT | as REAGENT", "suzuki",
          {_HALIDE + "reaction_role": "REAGENT"}),
    Plant("suzuki-with-wrong-product", "the product is made | the reactants are there", "suzuki",
          {"outcomes.0.products": [product(made("protodehalogenation", "4-bromoanisole"),
                                           percentage("YIELD", 52), desired=False)]}),
    Plant("biaryl-by-reductive-coupling", "the product is there, a boronic acid is not", "pair",
          {}, {"first": "4-bromoanisole", "second": "iodobenzene",
               "template": "reductive coupling", "base": "zinc"}),
    Plant("biaryl-as-reagent", "product template: a product | an input", "alkylation",
          {"inputs.extra": {"components": [component("biphenyl", "REAGENT", "0.1 mmol")]}}),
    Plant("acid-and-amine-in-one-molecule", "one molecule | two molecules", "acylation", {},
          {"chloride": "benzoyl chloride", "amine": "L-phenylalanine"}),
    Plant("acid-and-amine-of-alanine", "one molecule | two molecules", "acylation", {},
          {"chloride": "acetyl chloride", "amine": "D-alanine"}),
    Plant("amide-of-a-chloride", "amide from an acid | from an acid chloride", "acylation", {},
          {"chloride": "benzoyl chloride", "amine": "aniline"}),
    Plant("amide-of-an-acid", "amide from an acid | from an acid chloride", "amide", {},
          {"acid": "nicotinic acid", "amine": "aniline"}),
    Plant("amide-of-a-secondary-amine", "primary | secondary amine", "amide", {},
          {"acid": "nicotinic acid", "amine": "morpholine"}),
    Plant("ester-not-amide", "ester | amide", "esterification", {},
          {"acid": "nicotinic acid", "alcohol": "ethanol"}),
    Plant("nitration-of-benzene", "a nitro group in the product and in no reactant", "single", {},
          {"start": "benzene", "template": "nitration", "reagent": "nitric acid"}),
    Plant("nitration-of-nitrobenzene", "a nitro group in product and reactant", "single", {},
          {"start": "nitrobenzene", "template": "nitration", "reagent": "nitric acid"}),
    Plant("nitration-reagent-as-reactant", "the nitro group of nitric acid as a REACTANT",
          "single", {"inputs.reagent.components.0.reaction_role": "REACTANT"},
          {"start": "toluene", "template": "nitration", "reagent": "nitric acid"}),
    Plant("nitro-reduced", "a nitro group in a reactant and in no product", "hydrogenation", {},
          {"start": "4-nitroanisole", "template": "nitro reduction"}),
    Plant("nitro-half-reduced", "reduced, with starting material among the products",
          "hydrogenation",
          {"outcomes.0.products.+": product(SMILES["4-nitroanisole"] or "",
                                            percentage("AREA", 20), desired=False)},
          {"start": "4-nitroanisole", "template": "nitro reduction"}),
    Plant("nitro-spectator", "a nitro group that stays: on every reactant?", "amide", {},
          {"acid": "4-nitrobenzoic acid", "amine": "4-toluidine"}),
    Plant("oxidised-alcohol", "alcohol to ketone | ketone to alcohol", "single", {},
          {"start": "1-phenylethanol", "template": "alcohol oxidation", "reagent": "TEMPO"}),
    Plant("reduced-ketone", "ketone to alcohol | alcohol to ketone", "reduction", {},
          {"ketone": "acetophenone"}),
    Plant("benzyl-bromide-made", "an alkyl bromide as product | as reactant", "single", {},
          {"start": "4-nitrotoluene", "template": "benzylic bromination", "reagent": "NBS"}),
    Plant("alkene-hydrogenated", "alkene reduced", "hydrogenation", {},
          {"start": "cyclohexene", "template": "hydrogenation"}),
    Plant("palladium-agent", "an agent template in the reaction SMARTS", "hydrogenation",
          {"inputs.catalyst.components.0": component("palladium on carbon", "CATALYST",
                                                     "0.02 mmol")}),
    Plant("SNAr-of-a-chloride", "aryl chloride | aryl fluoride", "amination", {},
          {"arene": "1-chloro-2,4-dinitrobenzene", "amine": "aniline"}),
    Plant("product-also-a-reactant", "the same compound on both sides", "reduction",
          {"inputs.extra": {"components": [component("cyclohexanol", "REACTANT", "0.1 mmol")]}}),
    Plant("product-without-structure", "a product known by name only", "suzuki",
          {"outcomes.0.products.0.identifiers": [
              {"type": "NAME", "value": "4-methoxybiphenyl"}]}),
    Plant("mapped-smiles", "a reaction SMILES with atom maps", "reduction",
          {"identifiers": [{"type": "REACTION_SMILES", "is_mapped": True,
                            "value": "[CH3:1][C:2](=[O:3])[CH3:4]>>[CH3:1][CH:2]([OH:3])[CH3:4]"}]},
          {"ketone": "acetone"}),
    Plant("product-in-the-other-hand", "D-proline made into its amide | L-proline", "acylation",
          {}, {"chloride": "benzoyl chloride", "amine": "D-proline"}),
)  # fmt: skip
