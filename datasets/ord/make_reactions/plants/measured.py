"""Products, measurements, analyses and conversions: whose yield, which kind, in which outcome."""

from __future__ import annotations

from quantities import quantity
from record import Json, component, percentage, product

from plants.plant import Plant, made

_PRODUCT = "outcomes.0.products.0."
_VALUES = "outcomes.0.products.0.measurements"
_FIRST = "outcomes.0.products.0.measurements.0."
_ALCOHOL = made("carbonyl reduction", "4-chloroacetophenone")
_BARE = made("protodehalogenation", "4-bromoanisole")
_DOUBLE = made("homocoupling", "phenylboronic acid", "phenylboronic acid")


def _side(value: float | None, kind: str = "YIELD", **fields: object) -> Json:
    values = [] if value is None else [percentage(kind, value)]
    return product(_BARE, *values, desired=False, **fields)


def _analyses(**kinds: bool | None) -> dict[str, Json]:
    """Return analyses by type; True and False say whether of the isolated species."""
    return {
        "lcms": {"type": "LCMS"},
        **{
            kind.lower(): {"type": kind}
            | ({} if isolated is None else {"is_of_isolated_species": isolated})
            for kind, isolated in kinds.items()
        },
    }


PLANTS = (
    # Whose yield is it?
    Plant("desired-without-yield", "desired product with a yield | some product with one",
          "suzuki", {_VALUES: [], "outcomes.0.products.+": _side(66)}),
    Plant("desired-low-side-high", "desired product above 50 | any product above 50", "suzuki",
          {_FIRST + "percentage.value": 12, "outcomes.0.products.+": _side(85)}),
    Plant("desired-high-side-low", "desired above 50, the other below", "suzuki",
          {_FIRST + "percentage.value": 86, "outcomes.0.products.+": _side(9)}),
    Plant("both-products-high", "every product above 40 | some product", "suzuki",
          {_FIRST + "percentage.value": 48, "outcomes.0.products.+": _side(47)}),
    Plant("undesired-alone", "no desired product, a high yield", "suzuki",
          {_PRODUCT + "is_desired_product": False, _PRODUCT + "reaction_role": "SIDE_PRODUCT",
           _FIRST + "percentage.value": 91}),
    Plant("desired-unsaid", "is_desired_product absent | false", "suzuki",
          {_PRODUCT + "is_desired_product": None, _FIRST + "percentage.value": 92}),
    Plant("desired-unsaid-low", "is_desired_product absent, low yield", "suzuki",
          {_PRODUCT + "is_desired_product": None, _FIRST + "percentage.value": 3}),
    Plant("no-products", "an outcome without products", "suzuki",
          {"outcomes.0.products": [], "outcomes.0.conversion": {"value": 96}}),
    Plant("product-not-measured", "a product without measurements: forall | exists", "suzuki",
          {_VALUES: []}),
    Plant("three-products", "three products: counts of products", "suzuki",
          {"outcomes.0.products.+": _side(4), "outcomes.0.analyses": _analyses(GC=None)}),
    Plant("byproduct-role", "BYPRODUCT | SIDE_PRODUCT", "suzuki",
          {"outcomes.0.products.+": {**_side(6), "reaction_role": "BYPRODUCT"}}),
    Plant("homocoupled", "homocoupling beside the cross-coupling", "suzuki",
          {"outcomes.0.products.+": product(_DOUBLE, percentage("AREA", 11), desired=False)}),
    # Which measurement is it?
    Plant("high-purity-low-yield", "yield above 90 | a percentage above 90", "amide",
          {_VALUES: [percentage("YIELD", 31), percentage("PURITY", 99)]}),
    Plant("low-purity-high-yield", "purity above 90 | a percentage above 90", "amide",
          {_VALUES: [percentage("YIELD", 97), percentage("PURITY", 52)]}),
    Plant("purity-without-yield", "the highest yield | the highest percentage", "amide",
          {_VALUES: [percentage("PURITY", 100)]}),
    Plant("area-without-yield", "AREA | YIELD", "amide", {_VALUES: [percentage("AREA", 96)]}),
    Plant("selectivity-without-yield", "selectivity above 90 | yield above 90", "reduction",
          {_VALUES: [percentage("SELECTIVITY", 98, selectivity={"type": "EE"})]},
          {"ketone": "acetophenone", "template": "ketone reduction, one face"}),
    Plant("high-ee-low-yield", "ee above 90 | yield above 90", "reduction",
          {_VALUES: [percentage("YIELD", 18),
                     percentage("SELECTIVITY", 97, selectivity={"type": "EE"})]},
          {"ketone": "acetophenone", "template": "ketone reduction, other face"}),
    Plant("low-ee-high-yield", "selectivity type EE | DR", "reduction",
          {_VALUES: [percentage("YIELD", 94),
                     percentage("SELECTIVITY", 11, selectivity={"type": "EE"}),
                     percentage("SELECTIVITY", 95, selectivity={"type": "DR"})]},
          {"ketone": "4-chloroacetophenone", "template": "ketone reduction, other face"}),
    Plant("two-yields-outside", "one yield within 60-70 | one above 60 and one below 70", "amide",
          {_VALUES: [percentage("YIELD", 20), percentage("YIELD", 90, details="NMR yield")]}),
    Plant("two-yields-one-inside", "one yield within 60-70", "amide",
          {_VALUES: [percentage("YIELD", 65), percentage("YIELD", 90)]}),
    Plant("two-yields-two-products", "bounds met by two products", "suzuki",
          {_FIRST + "percentage.value": 20, "outcomes.0.products.+": _side(75)}),
    Plant("yield-then-purity", "type and value of one measurement | of two", "amide",
          {_VALUES: [percentage("YIELD", 62), percentage("PURITY", 88),
                     percentage("AREA", 93)]}),
    Plant("three-yields", "three yield measurements: their count", "amide",
          {_VALUES: [percentage("YIELD", value) for value in (44, 46, 48)]}),
    Plant("yield-as-number", "a yield that is no percentage", "amide",
          {_VALUES: [{"type": "YIELD", "analysis_key": "lcms", "float_value": {"value": 82}}]}),
    Plant("yield-in-words", "a yield given as text", "amide",
          {_VALUES: [{"type": "YIELD", "analysis_key": "lcms", "string_value": "quantitative"}]}),
    Plant("yield-zero", "a yield of zero | no yield", "amide", {_FIRST + "percentage.value": 0}),
    Plant("yield-hundred", "a yield of 100", "amide", {_FIRST + "percentage.value": 100}),
    Plant("identity-only", "identity confirmed, nothing measured", "amide",
          {_VALUES: [{"type": "IDENTITY", "analysis_key": "lcms"}]}),
    Plant("counts", "COUNTS | AREA", "amide",
          {_VALUES: [{"type": "COUNTS", "analysis_key": "lcms",
                      "float_value": {"value": 120000}}]}),
    Plant("amount-heavy", "mass of product | of reactant", "amide",
          {_VALUES: [{"type": "AMOUNT", "analysis_key": "lcms",
                      "amount": {"mass": quantity("14 g")}}]}),
    Plant("amount-light", "mass of product below 1 g", "amide",
          {_VALUES: [{"type": "AMOUNT", "analysis_key": "lcms",
                      "amount": {"mass": quantity("0.4 g")}}]}),
    Plant("retention-time", "retention time | reaction time", "amide",
          {_FIRST + "retention_time": quantity("3.5 min")}),
    Plant("measured-at-wavelength", "wavelength of detection | of illumination", "amide",
          {_FIRST + "wavelength": quantity("254 nm")}),
    Plant("mass-spec-details", "EIC | TIC", "amide",
          {_FIRST + "mass_spec_details": {"type": "EIC", "eic_masses": [212.1]}}),
    Plant("normalized", "is_normalized true | false", "amide", {_FIRST + "is_normalized": True}),
    Plant("not-normalized", "is_normalized false | absent", "amide",
          {_FIRST + "is_normalized": False}),
    Plant("internal-standard-used", "uses_internal_standard true | false", "amination",
          {_FIRST + "uses_internal_standard": True,
           "inputs.standard": {"components": [
               component("naphthalene", "INTERNAL_STANDARD", "0.5 mmol")]}}),
    Plant("internal-standard-not-used", "uses_internal_standard false | absent", "amination",
          {_FIRST + "uses_internal_standard": False}),
    Plant("authentic-standard", "an authentic standard | an internal one", "amide",
          {_FIRST + "uses_authentic_standard": True,
           _FIRST + "authentic_standard": {
               "identifiers": [{"type": "SMILES",
                                "value": made("amide", "benzoic acid", "benzylamine")}],
               "reaction_role": "AUTHENTIC_STANDARD"}}),
    Plant("authentic-standard-nitro", "a nitro group in an authentic standard | in an input",
          "amide", {_FIRST + "uses_authentic_standard": True,
                    _FIRST + "authentic_standard": {
                        "identifiers": [{"type": "SMILES", "value": made("nitration", "benzene")}],
                        "reaction_role": "AUTHENTIC_STANDARD"}}),
    # Outcomes: time points, conversion.
    Plant("two-time-points", "conversion above 90 after 1 h | at some time", "alkylation",
          {"outcomes.0.conversion": {"value": 97}, "outcomes.0.reaction_time": quantity("24 h"),
           "outcomes.+": {"conversion": {"value": 30}, "reaction_time": quantity("1 h"),
                          "products": []}}),
    Plant("two-time-points-swapped", "fast conversion, then decomposition", "alkylation",
          {"outcomes.0.conversion": {"value": 35}, "outcomes.0.reaction_time": quantity("24 h"),
           "outcomes.+": {"conversion": {"value": 98}, "reaction_time": quantity("1 h"),
                          "products": []}}),
    Plant("conversion-without-yield", "conversion above 90 | yield above 90", "alkylation",
          {"outcomes.0.conversion": {"value": 99}, _VALUES: []}),
    Plant("yield-without-conversion", "yield above 90 | conversion above 90", "alkylation",
          {_FIRST + "percentage.value": 96}),
    Plant("conversion-low-yield-high", "conversion below 50 | yield below 50", "alkylation",
          {"outcomes.0.conversion": {"value": 41}, _FIRST + "percentage.value": 93}),
    Plant("yields-in-two-outcomes", "desired product of one outcome, yield of another",
          "reduction", {
              _VALUES: [],
              "outcomes.+": {"products": [product(_ALCOHOL, percentage("YIELD", 84),
                                                  desired=False)],
                             "analyses": {"lcms": {"type": "LCMS"}}}},
          {"ketone": "4-chloroacetophenone"}),
    # Analyses.
    Plant("nmr-and-hrms", "NMR_1H and HRMS: two analyses | one", "amide",
          {"outcomes.0.analyses": _analyses(NMR_1H=None, HRMS=None)}),
    Plant("nmr-only", "NMR_1H | NMR_1H and HRMS", "amide",
          {"outcomes.0.analyses": _analyses(NMR_1H=None)}),
    Plant("hrms-only", "HRMS | NMR_1H and HRMS", "amide",
          {"outcomes.0.analyses": _analyses(HRMS=None)}),
    Plant("carbon-nmr-only", "NMR_13C | NMR_1H", "amide",
          {"outcomes.0.analyses": _analyses(NMR_13C=True)}),
    Plant("nmr-crude-hrms-isolated", "isolated and NMR: one analysis | two", "amide",
          {"outcomes.0.analyses": _analyses(NMR_1H=False, HRMS=True)}),
    Plant("nmr-isolated-hrms-crude", "isolated and HRMS: one analysis | two", "amide",
          {"outcomes.0.analyses": _analyses(NMR_1H=True, HRMS=False)}),
    Plant("all-isolated", "every analysis of the isolated species | some", "amide",
          {"outcomes.0.analyses": {
              "lcms": {"type": "LCMS", "is_of_isolated_species": True},
              "nmr_1h": {"type": "NMR_1H", "is_of_isolated_species": True}}}),
    Plant("no-analyses", "no analysis: forall | exists", "amide",
          {"outcomes.0.analyses": {}, _FIRST + "analysis_key": None}),
    Plant("analysed-by-gc-alone", "GC | LC", "amide",
          {"outcomes.0.analyses": {"lcms": {"type": "GC"}}}),
    Plant("analyses-in-two-outcomes", "NMR in one outcome, HRMS in another", "amide",
          {"outcomes.0.analyses": _analyses(NMR_1H=None),
           "outcomes.+": {"products": [], "conversion": {"value": 60},
                          "analyses": {"hrms": {"type": "HRMS"}}}}),
    Plant("reactant-analysed", "an analysis of an input | of an outcome", "amide",
          {"inputs.reactant 1.components.0.analyses": {"nmr": {"type": "NMR_OTHER"}}}),
    Plant("calibrated", "instrument_last_calibrated | experiment_start", "amide",
          {"outcomes.0.analyses.lcms.instrument_last_calibrated": {"value": "2018-01-01"},
           "outcomes.0.analyses.lcms.instrument_manufacturer": "Agilent"}),
    # The look of a product.
    Plant("white-solid", "white | off-white", "amide",
          {_PRODUCT + "isolated_color": "white", _PRODUCT + "texture": {"type": "SOLID"}}),
    Plant("off-white-solid", "off-white | white", "amide",
          {_PRODUCT + "isolated_color": "off-white", _PRODUCT + "texture": {"type": "SOLID"}}),
    Plant("white-oil", "white and a solid: one product | two", "suzuki",
          {_PRODUCT + "isolated_color": "white", _PRODUCT + "texture": {"type": "OIL"},
           "outcomes.0.products.+": _side(3, texture={"type": "SOLID"})}),
)  # fmt: skip
