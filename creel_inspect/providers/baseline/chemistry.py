"""Chemistry the translator knows by heart: functional groups, metals, named transformations.

Patterns follow the engine's advice: a group with two drawings (nitro, azide) has one SMARTS that
covers both, an acid's pattern also takes its anion, and a reaction has one template for each
molecule its name implies.
"""

from __future__ import annotations

_NITRO = "[$([N+](=O)[O-]),$(N(=O)=O)]"
_AZIDE = "[$(N=[N+]=[N-]),$([N-][N+]#N),$(N=N#N)]"
_ACID = "[CX3](=O)[OX2H1,OX1-]"
_AMIDE = "[CX3](=O)[NX3]"
_BORON = "[#6]B(O)O"
_BORONIC_ACID = "[#6]B([OX2H1,OX1-])[OX2H1,OX1-]"
_NOT_ACYL = "!$(N[C,S]=[O,S,N]);!$(N#*)"
_PRIMARY_AMINE = f"[NX3;H2;{_NOT_ACYL}][#6]"
_SECONDARY_AMINE = f"[NX3;H1;{_NOT_ACYL}]([#6])[#6]"
_TERTIARY_AMINE = f"[NX3;H0;{_NOT_ACYL}]([#6])([#6])[#6]"
_AMINE = f"[NX3;H2,H1,H0;{_NOT_ACYL};!$(N=*);!$([N+](=O)[O-])]([#6])"
_ANILINE = f"[NX3;H2,H1;{_NOT_ACYL}]c"
_ALCOHOL = "[CX4][OX2H1]"
_HALIDE = "[F,Cl,Br,I]"

# Each line: SMARTS, then the ways to say it (plurals in "s" are understood).
GROUPS: dict[str, tuple[str, ...]] = {
    _NITRO: ("nitro group", "nitro", "nitro compound", "nitro substituent", "nitro functionality"),
    f"c{_NITRO}": ("nitroarene", "nitroaromatic", "aryl nitro compound", "aromatic nitro group"),
    _AZIDE: ("azide", "azido group", "azide group", "organic azide"),
    _ACID: ("carboxylic acid", "carboxylic acid group", "carboxyl group"),
    f"c{_ACID}": ("benzoic acid derivative", "aryl carboxylic acid", "aromatic carboxylic acid"),
    "[CX3](=O)[OX2][#6]": ("ester", "ester group", "carboxylic ester", "carboxylate ester"),
    "[CX3](=O)[OX2][CH3]": ("methyl ester",),
    "[CX3](=O)[OX2][CH2][CH3]": ("ethyl ester",),
    "[CX3](=O)[OX2]C([CH3])([CH3])[CH3]": ("tert butyl ester", "t butyl ester"),
    _AMIDE: ("amide", "amide group", "amide bond", "carboxamide"),
    "[CX3](=O)[NX3;H2]": ("primary amide",),
    "[CX3](=O)[NX3;H1][#6]": ("secondary amide",),
    "[CX3](=O)[NX3;H0]([#6])[#6]": ("tertiary amide",),
    "[CX3](=O)[F,Cl,Br,I]": ("acid halide", "acyl halide"),
    "[CX3](=O)Cl": ("acid chloride", "acyl chloride"),
    "[CX3](=O)[OX2][CX3](=O)": ("anhydride", "acid anhydride", "carboxylic anhydride"),
    "[CX3H1](=O)[#6]": ("aldehyde", "aldehyde group"),
    "c[CX3H1](=O)": ("aryl aldehyde", "aromatic aldehyde", "benzaldehyde derivative"),
    "[#6][CX3](=O)[#6]": ("ketone", "ketone group"),
    "c[CX3](=O)[#6]": ("aryl ketone",),
    "[#6]=O": ("carbonyl", "carbonyl group", "carbonyl compound"),
    "[OX2H1]": ("hydroxyl", "hydroxyl group", "hydroxy group"),
    _ALCOHOL: ("alcohol", "aliphatic alcohol", "alkyl alcohol"),
    "[CX4H2][OX2H1]": ("primary alcohol",),
    "[CX4H1]([#6])([#6])[OX2H1]": ("secondary alcohol",),
    "[CX4H0]([#6])([#6])([#6])[OX2H1]": ("tertiary alcohol",),
    "c[OX2H1,OX1-]": ("phenol group", "phenols", "phenol derivative", "phenolic hydroxyl"),
    "[#6;!$(C=O)][OX2][#6;!$(C=O)]": ("ether group", "ether linkage", "ether"),
    "c[OX2][CH3]": ("aryl methyl ether", "methoxyarene", "anisole derivative"),
    "[#6][OX2][CH3]": ("methoxy group", "methoxy substituent"),
    "[#6][SX2H1]": ("thiol", "thiol group", "mercaptan"),
    "[#6][SX2][#6]": ("thioether", "organic sulfide"),
    "[#6][SX3](=O)[#6]": ("sulfoxide", "sulfoxide group"),
    "[#6][SX4](=O)(=O)[#6]": ("sulfone", "sulfone group"),
    "[#6][SX4](=O)(=O)[NX3]": ("sulfonamide", "sulfonamide group"),
    "[#6][SX4](=O)(=O)Cl": ("sulfonyl chloride",),
    "[#6]OS(=O)(=O)C(F)(F)F": ("triflate", "triflate ester"),
    "cOS(=O)(=O)C(F)(F)F": ("aryl triflate",),
    _AMINE: ("amine", "amine group", "amino group"),
    _PRIMARY_AMINE: ("primary amine", "primary amino group"),
    _SECONDARY_AMINE: ("secondary amine",),
    _TERTIARY_AMINE: ("tertiary amine",),
    _ANILINE: ("aniline derivative", "anilines", "aryl amine", "arylamine", "aromatic amine"),
    "[#6]C#N": ("nitrile", "nitrile group", "cyano group", "cyano"),
    "cC#N": ("aryl nitrile", "benzonitrile derivative"),
    "[NX3][CX3](=O)[NX3]": ("urea group", "urea derivative"),
    "[NX3][CX3](=O)[OX2][#6]": ("carbamate", "carbamate group"),
    "[NX3][CX3](=O)OC(C)(C)C": (
        "boc group", "boc protected amine", "boc protecting group", "boc carbamate", "boc amine",
        "n boc group",
    ),
    "[NX3][CX3](=O)O[CH2]c1ccccc1": ("cbz group", "cbz protected amine", "cbz protecting group"),
    "[PX3]([#6])([#6])[#6]": ("phosphine ligand", "phosphines", "tertiary phosphine"),
    "[#6]N=C=O": ("isocyanate",),
    "[#6]N=C=S": ("isothiocyanate",),
    "[CX3]=[NX2][#6]": ("imine", "imine group"),
    "[CX3]=[NX2][OX2H1]": ("oxime",),
    "[CX3]=[NX2][NX3]": ("hydrazone",),
    "[CX4][F,Cl,Br,I]": ("alkyl halide", "aliphatic halide"),
    "[CX4]Cl": ("alkyl chloride",),
    "[CX4]Br": ("alkyl bromide",),
    "[CX4]I": ("alkyl iodide",),
    "[CX4]F": ("alkyl fluoride",),
    f"c{_HALIDE}": ("aryl halide", "haloarene", "aromatic halide", "halogenated arene"),
    "cF": ("aryl fluoride", "fluoroarene", "aromatic fluoride"),
    "cCl": ("aryl chloride", "chloroarene", "aromatic chloride"),
    "cBr": ("aryl bromide", "bromoarene", "aromatic bromide"),
    "cI": ("aryl iodide", "iodoarene", "aromatic iodide"),
    "c[CH2][F,Cl,Br,I]": ("benzyl halide", "benzylic halide"),
    "c[CH2]Br": ("benzylic bromide",),
    "C=C[F,Cl,Br,I]": ("vinyl halide", "alkenyl halide"),
    "[#6]F": ("carbon fluorine bond", "c f bond"),
    "[F,Cl,Br,I]": ("halogen", "halogen atom", "halide"),
    "[F]": ("fluorine atom",),
    "[Cl]": ("chlorine atom",),
    "[Br]": ("bromine atom",),
    "[I]": ("iodine atom",),
    "[#6]C(F)(F)F": ("trifluoromethyl group", "trifluoromethyl", "cf3 group"),
    _BORONIC_ACID: ("boronic acid", "boronic acid group"),
    "cB([OX2H1,OX1-])[OX2H1,OX1-]": ("aryl boronic acid", "arylboronic acid"),
    _BORON: ("boronic acid or ester", "boronic acid or boronic ester", "boronic acid derivative"),
    "[#6]B(O[#6])O[#6]": ("boronic ester", "boronate ester", "boronate"),
    "[#6]B1OC(C)(C)C(C)(C)O1": ("pinacol boronate", "pinacol boronic ester", "pinacol ester",
                                 "bpin group", "bpin"),
    "[#6][B-](F)(F)F": ("trifluoroborate",),
    "[#6][Sn]": ("organostannane", "stannane", "organotin"),
    "[#6][Mg]": ("organomagnesium",),
    "[#6][Si]": ("organosilane",),
    "[C;!$(C~[#7,#8]);!a]=[C;!a]": ("alkene", "olefin", "carbon carbon double bond"),
    "[CH2]=[C;!a]": ("terminal alkene", "terminal olefin"),
    "C#C": ("alkyne", "carbon carbon triple bond"),
    "[CH]#C": ("terminal alkyne",),
    "C1OC1": ("epoxide", "epoxide ring", "oxirane ring"),
    "C1NC1": ("aziridine ring",),
    "c1ccccc1": ("benzene ring", "phenyl ring", "phenyl group"),
    "c1ccncc1": ("pyridine ring", "pyridines", "pyridyl group", "pyridyl"),
    "c1cncnc1": ("pyrimidine ring",),
    "c1cnccn1": ("pyrazine ring",),
    "c1ccc2[nH]ccc2c1": ("nh indole",),
    "c1ccc2nccc2c1": ("indole ring", "indoles", "indole core", "indole scaffold"),
    "c1ccc2ncccc2c1": ("quinoline ring", "quinoline core", "quinoline scaffold"),
    "c1ccc2cnccc2c1": ("isoquinoline ring",),
    "c1ccsc1": ("thiophene ring",),
    "c1ccoc1": ("furan ring",),
    "c1ccnc1": ("pyrrole ring",),
    "c1cnnc1": ("pyrazole ring",),
    "c1cncn1": ("imidazole ring",),
    "c1cscn1": ("thiazole ring",),
    "c1cocn1": ("oxazole ring",),
    "c1nnnn1": ("tetrazole ring", "tetrazole"),
    "[$(c1cnnn1),$(c1ncnn1)]": ("triazole ring", "triazole"),
    "c1ccc2ncnc2c1": ("benzimidazole ring",),
    "C1CCNCC1": ("piperidine ring",),
    "C1COCCN1": ("morpholine ring",),
    "C1CNCCN1": ("piperazine ring",),
    "C1CCNC1": ("pyrrolidine ring",),
    "c-c": ("biaryl", "biaryl bond"),
    "[CX4]1CC1": ("cyclopropane ring", "cyclopropyl group"),
}  # fmt: skip

METALS: dict[str, str] = {
    "palladium": "Pd", "nickel": "Ni", "copper": "Cu", "platinum": "Pt", "rhodium": "Rh",
    "ruthenium": "Ru", "iridium": "Ir", "cobalt": "Co", "iron": "Fe", "gold": "Au", "silver": "Ag",
    "manganese": "Mn", "titanium": "Ti", "zinc": "Zn", "zirconium": "Zr", "molybdenum": "Mo",
    "tungsten": "W", "osmium": "Os", "vanadium": "V", "chromium": "Cr", "scandium": "Sc",
    "cerium": "Ce", "indium": "In", "bismuth": "Bi", "tin": "Sn", "mercury": "Hg",
    "rhenium": "Re", "samarium": "Sm", "ytterbium": "Yb", "boron": "B", "silicon": "Si",
    "phosphorus": "P", "pd": "Pd",
}  # fmt: skip

_ARYL_HALIDE = "c[F,Cl,Br,I]"
_ARYL_ELECTROPHILE = "[c][$([Cl,Br,I]),$(OS(=O)(=O)C(F)(F)F)]"
TRANSFORMATIONS: dict[str, tuple[str, ...]] = {
    f"{_ACID}.[NX3;H2,H1;!$(N[C,S]=O)]>>{_AMIDE}": (
        "amide coupling", "amide bond formation", "amide formation", "amidation",
        "peptide coupling",
    ),
    f"{_ARYL_ELECTROPHILE}.{_BORON}>>c-[#6]": (
        "suzuki coupling", "suzuki miyaura coupling", "suzuki reaction", "suzuki cross coupling",
        "suzuki", "suzuki miyaura", "suzuki miyaura reaction", "suzuki miyaura cross coupling",
    ),
    f"{_ARYL_ELECTROPHILE}.[NX3;H2,H1]>>c[NX3]": (
        "buchwald hartwig amination", "buchwald hartwig coupling", "buchwald hartwig reaction",
        "buchwald hartwig", "buchwald coupling", "buchwald amination", "c n coupling",
        "aryl amination",
    ),
    f"{_ARYL_ELECTROPHILE}.[CH]#C>>cC#C": (
        "sonogashira coupling", "sonogashira reaction", "sonogashira",
    ),
    f"{_ARYL_ELECTROPHILE}.[CH2]=C>>cC=C": ("heck reaction", "heck coupling", "heck"),
    f"{_ARYL_ELECTROPHILE}.[#6][Sn]>>c-[#6]": (
        "stille coupling", "stille reaction", "stille",
    ),
    f"{_ARYL_ELECTROPHILE}.[#6][Zn]>>c-[#6]": ("negishi coupling", "negishi reaction", "negishi"),
    f"{_ARYL_ELECTROPHILE}.[#6][Mg]>>c-[#6]": ("kumada coupling", "kumada reaction"),
    "[CX3;!$(C[O,N,S,F,Cl,Br,I])]=O.[NX3;H2,H1;!$(N[C,S]=O)]>>[CX4][NX3]": ("reductive amination",),
    f"{_ACID}.[#6][OX2H1]>>[CX3](=O)[OX2][#6]": (
        "esterification", "fischer esterification", "ester formation",
    ),
    f"[CX3](=O)[OX2][#6]>>{_ACID}": ("ester hydrolysis", "saponification"),
    f"{_NITRO}>>[NX3;H2]": ("nitro reduction", "nitro group reduction"),
    "[NX3]C(=O)OC(C)(C)C>>[NX3;H2,H1]": ("boc deprotection", "boc removal"),
    "[NX3;H2,H1]>>[NX3]C(=O)OC(C)(C)C": ("boc protection",),
    f"{_ALCOHOL}>>[CX3]=O": ("alcohol oxidation",),
    f"{_AZIDE}.C#C>>c1cnnn1": (
        "click reaction", "azide alkyne cycloaddition", "copper catalyzed azide alkyne "
        "cycloaddition", "cuaac",
    ),
    "[CX4][F,Cl,Br,I].[OX2H1]>>[CX4][OX2][#6]": ("williamson ether synthesis",),
    f"{_ARYL_HALIDE}>>cB(O)O": ("miyaura borylation", "borylation"),
    "[CX4][F,Cl,Br,I].[NX3;H2,H1]>>[CX4][NX3]": ("n alkylation",),
    "[#6]S(=O)(=O)Cl.[NX3;H2,H1]>>[#6]S(=O)(=O)[NX3]": ("sulfonamide formation",),
    "C=C.C=CC=C>>C1CCC=CC1": ("diels alder reaction", "diels alder cycloaddition", "diels alder"),
    "[CX3H1](=O)>>[CX4H2][OX2H1]": ("aldehyde reduction",),
    "[#6][CX3](=O)[#6]>>[#6][CX4H1]([OX2H1])[#6]": ("ketone reduction",),
}  # fmt: skip


def _with_plurals(table: dict[str, tuple[str, ...]]) -> dict[str, str]:
    said: dict[str, str] = {}
    for smarts, phrases in table.items():
        for phrase in phrases:
            said[phrase] = smarts
            said[phrase + "s"] = smarts
            if phrase.endswith("y") and phrase[-2] not in "aeiou":
                said[phrase[:-1] + "ies"] = smarts
    return said


GROUP_WORDS = _with_plurals(GROUPS)
TRANSFORMATION_WORDS = _with_plurals(TRANSFORMATIONS)
SIDES: dict[str, str] = {
    phrase: smarts for phrase, smarts in GROUP_WORDS.items() if "." not in smarts
}
"""Groups usable as one template of a reaction: "turning an aryl bromide into a biaryl"."""
