"""The local compound table: names in, structures out, no network."""

from collections import Counter

import pytest
from rdkit import Chem
from rdkit.Chem.rdMolDescriptors import CalcMolFormula
from rdkit.Chem.RegistrationHash import GetMolHash, GetMolLayers, HashLayer, HashScheme

from creel_inspect.search import compounds
from creel_inspect.search.compounds import AmbiguousCompound, UnknownCompound, find, resolve

# Written from the compounds' textbook formulas, not from either table.
FORMULAS = """
THF C4H8O; 2-MeTHF C5H10O; 1,4-dioxane C4H8O2; DMF C3H7NO; DMA C4H9NO; DMSO C2H6OS; NMP C5H9NO
MeCN C2H3N; DCM CH2Cl2; DCE C2H4Cl2; chloroform CHCl3; DME C4H10O2; MTBE C5H12O; CPME C6H12O
diethyl ether C4H10O; ethyl acetate C4H8O2; methanol CH4O; ethanol C2H6O; isopropanol C3H8O
tert-butanol C4H10O; toluene C7H8; benzene C6H6; chlorobenzene C6H5Cl; hexane C6H14; heptane C7H16
cyclohexane C6H12; HFIP C3H2F6O; TFE C2H3F3O; acetone C3H6O; MEK C4H8O; water H2O; HMPA C6H18N3OP
sulfolane C4H8O2S; DMPU C6H12N2O; xylene ?; pyridine C5H5N; aniline C6H7N; phenol C6H6O
acetic acid C2H4O2; formic acid CH2O2; TFA C2HF3O2; sulfuric acid H2SO4; nitric acid HNO3
phosphoric acid H3PO4; methanesulfonic acid CH4O3S; triflic acid CHF3O3S
p-toluenesulfonic acid C7H8O3S; benzoic acid C7H6O2; hydrochloric acid HCl
camphorsulfonic acid C10H16O4S
TEA C6H15N; DIPEA C8H19N; DBU C9H16N2; DBN C7H12N2; DABCO C6H12N2; DMAP C7H10N2; NMM C5H11NO
TMEDA C6H16N2; imidazole C3H4N2; morpholine C4H9NO; piperidine C5H11N; pyrrolidine C4H9N
piperazine C4H10N2; diisopropylamine C6H15N; 2,6-lutidine C7H9N; HMDS C6H19NSi2; TBD C7H13N3
sodium hydroxide NaOH; potassium hydroxide KOH; lithium hydroxide LiOH; sodium hydride NaH
potassium carbonate K2CO3; cesium carbonate Cs2CO3; sodium carbonate Na2CO3
sodium bicarbonate NaHCO3; potassium phosphate K3PO4; sodium acetate NaC2H3O2
potassium acetate KC2H3O2
potassium tert-butoxide KC4H9O; sodium tert-butoxide NaC4H9O; sodium methoxide NaCH3O
sodium ethoxide NaC2H5O; cesium fluoride CsF; potassium fluoride KF; lithium chloride LiCl
sodium chloride NaCl; potassium iodide KI; sodium iodide NaI; ammonium chloride NH4Cl
magnesium sulfate MgSO4; sodium sulfate Na2SO4; sodium thiosulfate Na2S2O3; sodium azide NaN3
sodium cyanide NaCN; sodium nitrite NaNO2; LDA LiC6H14N; LiHMDS LiC6H18NSi2; NaHMDS NaC6H18NSi2
KHMDS KC6H18NSi2; n-BuLi LiC4H9; tert-butyllithium LiC4H9; methyllithium LiCH3
methylmagnesium bromide MgCH3Br; diethylzinc ZnC4H10
HATU C10H15F6N6OP; HBTU C11H16F6N5OP; TBTU C11H16BF4N5O; PyBOP C18H28F6N6OP2; BOP C12H22F6N6OP2
COMU C12H19F6N4O4P; EDC C8H17N3; EDC HCl C8H18ClN3; HOBt C6H5N3O; HOAt C5H4N4O; T3P C9H21O6P3
CDI C7H6N4O; DCC C13H22N2; DIC C7H14N2; NHS C4H5NO3; DEAD C6H10N2O4; DIAD C8H14N2O4
DPPA C12H10N3O3P; POCl3 Cl3OP; thionyl chloride Cl2OS; oxalyl chloride C2Cl2O2; phosgene CCl2O
triphosgene C3Cl6O3; Boc2O C10H18O5; TsCl C7H7ClO2S; MsCl CH3ClO2S; Tf2O C2F6O5S2; TFAA C4F6O3
acetic anhydride C4H6O3; acetyl chloride C2H3ClO; benzoyl chloride C7H5ClO; benzyl bromide C7H7Br
methyl iodide CH3I; MOMCl C2H5ClO; SEMCl C6H15ClOSi; TMSCl C3H9ClSi; TBSCl C6H15ClSi
TIPSCl C9H21ClSi; TBDPSCl C16H19ClSi; TMSOTf C4H9F3O3SSi; TMSCN C4H9NSi; TBAF C16H36FN
TBAB C16H36BrN; 18-crown-6 C12H24O6
NBS C4H4BrNO2; NCS C4H4ClNO2; NIS C4H4INO2; NFSI C12H10FNO4S2; Selectfluor C7H14B2ClF9N2
DAST C4H10F3NS; bromine Br2; iodine I2; mCPBA C7H5ClO3; hydrogen peroxide H2O2; TBHP C4H10O2
AIBN C8H12N4; TEMPO C9H18NO; DDQ C8Cl2N2O2; DMP C13H13IO8; IBX C7H5IO4; PIDA C10H11IO4
PCC C5H6ClCrNO3; MnO2 MnO2; KMnO4 KMnO4; NaIO4 NaIO4; OsO4 OsO4; sodium chlorite NaClO2
sodium hypochlorite NaClO; NMO C5H11NO2; CAN CeH8N8O18; ozone O3; oxygen O2
sodium borohydride NaBH4; NaBH3CN NaBCH3N; STAB NaBC6H10O6; LiAlH4 LiAlH4; DIBAL AlC8H19
BH3·THF BC4H11O; triethylsilane C6H16Si; hydrazine N2H4; hydrogen H2
Lawesson's reagent C14H14O2P2S4; carbon monoxide CO; carbon dioxide CO2; nitrogen N2; ammonia NH3
PPh3 C18H15P; PCy3 C18H33P; tri-tert-butylphosphine C12H27P; XPhos C33H49P; SPhos C26H35O2P
RuPhos C30H43O2P; BrettPhos C35H53O2P; BINAP C44H32P2; dppf C34H28FeP2; dppe C26H24P2; dppp C27H26P2
Xantphos C39H32OP2; 2,2'-bipyridine C10H8N2; 1,10-phenanthroline C12H8N2; dtbbpy C18H24N2
palladium acetate PdC4H6O4; Pd(PPh3)4 PdC72H60P4; Pd2(dba)3 Pd2C51H42O3; Pd(dppf)Cl2 PdC34H28Cl2FeP2
Pd(PPh3)2Cl2 PdC36H30Cl2P2; PdCl2 PdCl2; Pd/C Pd; NiCl2(glyme) NiC4H10Cl2O2; Ni(COD)2 NiC16H24
copper iodide CuI; copper(II) acetate CuC4H6O4; CuBr CuBr; CuCl2 CuCl2; copper sulfate CuSO4
zinc chloride ZnCl2; aluminum chloride AlCl3; iron(III) chloride FeCl3; titanium tetrachloride TiCl4
titanium isopropoxide TiC12H28O4; tin(II) chloride SnCl2; BF3·OEt2 BC4H10F3O; boron tribromide BBr3
silver nitrate AgNO3; silver carbonate Ag2CO3; samarium iodide SmI2; zinc Zn; magnesium Mg; iron Fe
Wilkinson's catalyst RhC54H45ClP3; [Ru(p-cymene)Cl2]2 Ru2C20H28Cl4; [Rh(cod)Cl]2 Rh2C16H24Cl2
B2pin2 B2C12H24O4; HBpin BC6H13O2; phenylboronic acid BC6H7O2; trimethyl borate BC3H9O3
Ru(bpy)3 RuC30H24N6; Ru(bpy)3Cl2 RuC30H24Cl2N6; Ir(ppy)3 IrC33H24N3; 4CzIPN C56H32N6
[Ir(dF(CF3)ppy)2(dtbbpy)]PF6 IrC42H34F16N4P; Fukuzumi catalyst C23H22ClNO4
benzaldehyde C7H6O; bromobenzene C6H5Br; iodobenzene C6H5I; 4-bromoanisole C7H7BrO; styrene C8H8
benzylamine C7H9N; nitrobenzene C6H5NO2; benzonitrile C7H5N; acetophenone C8H8O; aspirin C9H8O4
caffeine C8H10N4O2; ibuprofen C13H18O2; paracetamol C8H9NO2; cyclohexanone C6H10O; indole C8H7N
quinoline C9H7N; thiophene C4H4S; furan C4H4O; urea CH4N2O; glycine C2H5NO2; glycerol C3H8O3
"""


def elements(formula: str) -> Counter[str]:
    counted: Counter[str] = Counter()
    element, number = "", ""
    for c in formula.partition("+")[0].partition("-")[0] + "#":
        if c.isupper() or c == "#":
            if element:
                counted[element] += int(number or 1)
            element, number = c, ""
        elif c.islower():
            element += c
        else:
            number += c
    return counted


def formulas() -> list[tuple[str, str]]:
    pairs = [entry.rsplit(" ", 1) for line in FORMULAS.split("\n") for entry in line.split("; ")]
    return [(pair[0], pair[1]) for pair in pairs if len(pair) == 2 and pair[1] != "?"]


@pytest.mark.parametrize(("name", "formula"), formulas())
def test_a_common_reagent_has_the_composition_it_is_known_by(name: str, formula: str) -> None:
    molecule = Chem.MolFromSmiles(resolve(name))
    assert elements(CalcMolFormula(molecule)) == elements(formula)


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        # the same compound in the engine's sense depends on what is a salt and what is a bond
        ("sodium acetate", "CC(=O)[O-].[Na+]"),
        ("palladium(II) acetate", "CC(=O)[O-].CC(=O)[O-].[Pd+2]"),
        ("potassium tert-butoxide", "CC(C)(C)[O-].[K+]"),
        ("copper(I) iodide", "[Cu]I"),
        ("zinc chloride", "Cl[Zn]Cl"),
        ("aluminium chloride", "Cl[Al](Cl)Cl"),
        ("triethylamine hydrochloride", "CCN(CC)CC.Cl"),
        ("L-alanine", "C[C@H](N)C(=O)O"),
        ("(R)-BINOL", "Oc1ccc2ccccc2c1-c1c(O)ccc2ccccc12"),
        ("acetanilide", "CC(=O)Nc1ccccc1"),  # the library draws an imidic acid
        ("maleic acid", "O=C(O)/C=C\\C(=O)O"),
        ("fumaric acid", "O=C(O)/C=C/C(=O)O"),
    ],
)
def test_a_name_is_drawn_as_depositors_draw_it(name: str, drawn: str) -> None:
    assert Chem.CanonSmiles(resolve(name)) == Chem.CanonSmiles(drawn)


def test_every_line_of_the_supplement_is_a_name_and_a_readable_structure() -> None:
    assert len(compounds.supplement()) > 800
    for name, smiles in compounds.supplement().items():
        molecule = Chem.MolFromSmiles(smiles)
        assert molecule is not None, name
        assert molecule.GetNumAtoms() > 0, name
        assert name == name.strip(), name
        assert name.isprintable(), name


def test_two_spellings_in_the_supplement_never_fold_to_one_name_with_two_structures() -> None:
    by_key: dict[str, set[str]] = {}
    for name, smiles in compounds.supplement().items():
        by_key.setdefault(compounds.fold(name), set()).add(smiles)
    assert [key for key, structures in by_key.items() if len(structures) > 1] == []


def hashed(smiles: str) -> str:
    layers = GetMolLayers(Chem.MolFromSmiles(smiles))
    return (
        str(GetMolHash(layers, HashScheme.TAUTOMER_INSENSITIVE_LAYERS)) + layers[HashLayer.FORMULA]
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("THF", "oxolane"),
        ("DMF", "N,N-dimethylmethanamide"),
        ("DMSO", "methylsulfinylmethane"),
        ("DBU", "1,8-diazabicyclo[5.4.0]undec-7-ene"),
        ("PPh3", "triphenylphosphane"),
        ("n-BuLi", "butyllithium"),
        ("K2CO3", "potassium carbonate"),
        ("NBS", "1-bromopyrrolidine-2,5-dione"),
        ("DCC", "dicyclohexylcarbodiimide"),
        ("CDI", "di(imidazol-1-yl)methanone"),
        ("DDQ", "4,5-dichloro-3,6-dioxocyclohexa-1,4-diene-1,2-dicarbonitrile"),
        ("mCPBA", "3-chlorobenzenecarboperoxoic acid"),
        ("TsCl", "4-methylbenzenesulfonyl chloride"),
    ],
)
def test_an_abbreviation_is_the_compound_of_its_full_name(one: str, other: str) -> None:
    assert hashed(resolve(one)) == hashed(resolve(other))


@pytest.mark.parametrize(
    "spelling",
    [
        "4-bromoanisole",
        "4-Bromoanisole",
        "4 bromoanisole",
        "4‑bromo\u00a0anisole",
        "4–BROMOANISOLE",
    ],
)
def test_case_hyphens_and_spaces_do_not_matter(spelling: str) -> None:
    assert Chem.CanonSmiles(resolve(spelling)) == Chem.CanonSmiles("COc1ccc(Br)cc1")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("β-alanine", "beta-alanine"),
        ("Sulphuric acid", "sulfuric acid"),
        ("caesium carbonate", "cesium carbonate"),
        ("2,2′-bipyridine", "2,2'-bipyridine"),
        ("Hünig’s base", "DIPEA"),
        ("BH3∙THF", "BH3-THF"),
    ],
)
def test_unicode_and_british_spellings_are_folded(one: str, other: str) -> None:
    assert resolve(one) == resolve(other)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "not a compound at all",
        "64-17-5",  # CAS number of ethanol
        "C2H6O",  # its formula
        "CCO",  # its SMILES
        "InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3",
        "LFQSCWFLJHTTHZ-UHFFFAOYSA-N",
        "UNII-3K9958V90M",
        "CHEBI:16236",
        "NSC 85228",
        "EINECS 200-578-6",
        "D70395",
        "4-17-5",
        "@A",
        "\x00",
        "'; DROP TABLE reactions; --",
    ],
)
def test_codes_formulas_and_structures_are_not_names(text: str) -> None:
    with pytest.raises(UnknownCompound):
        resolve(text)


def test_an_unknown_name_says_which_and_that_no_network_was_asked() -> None:
    with pytest.raises(UnknownCompound, match=r"'unobtainium'.*no network service was asked"):
        resolve("unobtainium")
    assert issubclass(UnknownCompound, LookupError)


def test_a_long_name_is_refused_without_being_repeated_in_full() -> None:
    with pytest.raises(UnknownCompound, match="longer than 500 characters") as caught:
        resolve("methyl" * 100)
    assert len(str(caught.value)) < 300


def test_a_name_with_two_structures_is_ambiguous_and_lists_them() -> None:
    with pytest.raises(AmbiguousCompound) as caught:
        resolve("boc-l-val-oh")  # the library gives it both configurations
    assert len(caught.value.candidates) == 2
    assert isinstance(caught.value, UnknownCompound)


def test_a_records_own_name_beats_another_records_synonym() -> None:
    # "ornithine" is a synonym of the library's D-ornithine and the name of the flat drawing.
    assert "@" not in resolve("ornithine")


def test_known_says_whether_a_name_resolves() -> None:
    assert compounds.known("thf")
    assert not compounds.known("unobtainium")


# --- names in running text -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Which reactions use pyridine as a solvent?", ["pyridine"]),
        ("with Pd(PPh3)4, K2CO3 (2 mmol) in 1,4-dioxane/water.", None),
        ("N,N-dimethylformamide and 2,2'-bipyridine", ["N,N-dimethylformamide", "2,2'-bipyridine"]),
        ("palladium acetate-catalyzed coupling", ["palladium acetate"]),
        ("ethyl 2-(4-bromophenyl)acetate in THF", ["ethyl 2-(4-bromophenyl)acetate", "THF"]),
        ("phenylboronic acid, not boronic acids", ["phenylboronic acid"]),
        ("under nitrogen in a flask", ["nitrogen"]),
        ("the lead compound at best", []),
        ("a full moon, a dead end and a cup of tea", []),
        ("TEA, DEAD or CAN", ["TEA", "DEAD", "CAN"]),
        ("thf or dmf", ["thf", "dmf"]),
        ("user@example.com #THFx pyridines", []),
        ("", []),
    ],
)
def test_names_are_found_longest_first_and_english_is_left_alone(
    text: str, names: list[str] | None
) -> None:
    if names is None:
        names = ["Pd(PPh3)4", "K2CO3", "1,4-dioxane", "water"]
    found = find(text)
    assert [mention.name for mention in found] == names
    for mention in found:
        assert text[mention.start : mention.end] == mention.name


def test_every_name_found_resolves() -> None:
    text = "benzyl bromide, sodium hydride, DMF, toluene, HATU, acetic acid and caffeine"
    found = find(text)
    assert len(found) == 7
    assert all(resolve(mention.name) for mention in found)


def test_hostile_text_is_read_in_bounded_time() -> None:
    for text in ("(" * 5000, "a-" * 4000, "1," * 4000, "[(" * 3000, " " * 9000, "é" * 5000):
        assert isinstance(find(text), tuple)
