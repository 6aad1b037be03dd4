"""What happened around a reaction: vessel, conditions, notes and workup.

Every field is sometimes absent, because a question about a field nobody recorded is as common as
one about its value.
"""

from __future__ import annotations

from dataclasses import dataclass

from dice import Dice
from quantities import quantity
from record import Json, component

PLATFORMS = (
    "SPT Labtech Mosquito HTS",
    "Mosquito LV (TTP Labtech)",
    "Chemspeed Swing XL",
    "Hamilton Microlab STAR",
    "Unchained Labs Junior",
    "Opentrons OT-2",
)


@dataclass(frozen=True)
class Style:
    """How one dataset's chemists work: odds and ranges that differ between datasets."""

    users: tuple[str, ...]
    years: tuple[int, int]
    scales: tuple[float, ...]  # mmol of the limiting reactant
    temperatures: tuple[str, ...]
    automated: float = 0.0
    times: tuple[str, ...] = ("1 h", "2 h", "12 h", "16 h", "24 h")
    atmospheres: tuple[str, ...] = ("NITROGEN", "NITROGEN", "ARGON", "AIR")
    pressures: tuple[str, ...] = ()
    worked_up: float = 0.7


def setup(dice: Dice, style: Style, scale: float) -> Json:
    """Return a ``ReactionSetup`` that suits ``scale``, in mmol."""
    made: Json = {}
    automated = dice.chance("automated", style.automated)
    if automated:
        made["is_automated"] = True
        made["automation_platform"] = dice.choice("platform", PLATFORMS)
    elif dice.chance("says manual", 0.6):
        made["is_automated"] = False
    if dice.chance("has vessel", 0.85):
        made["vessel"] = _vessel(dice, automated, scale, bool(style.pressures))
    if dice.chance("has environment", 0.7):
        places = ("FUME_HOOD", "FUME_HOOD", "BENCH_TOP", "GLOVE_BOX", "GLOVE_BAG")
        made["environment"] = {"type": dice.choice("environment", places)}
    return made


def _vessel(dice: Dice, automated: bool, scale: float, pressurized: bool) -> Json:
    if automated:
        made: Json = {
            "type": "WELL_PLATE",
            "details": dice.choice("plate", ("96 well plate", "384 well plate", "24 well plate")),
            "material": {"type": dice.choice("plate material", ("POLYPROPYLENE", "GLASS"))},
            "row": dice.choice("row", "ABCDEFGH"),
            "col": str(dice.integer("col", 1, 12)),
        }
        return made
    sizes: tuple[str, ...]
    if pressurized:
        made = {"type": "PRESSURE_REACTOR", "material": {"type": "METAL"}}
        sizes = ("50 mL", "100 mL", "300 mL")
    elif scale < 0.6:
        made = {"type": dice.choice("small", ("VIAL", "VIAL", "TUBE", "MICROWAVE_VIAL"))}
        sizes = ("2 mL", "5 mL", "8 mL")
    else:
        made = {"type": "ROUND_BOTTOM_FLASK"}
        sizes = ("25 mL", "50 mL", "100 mL", "250 mL") if scale < 20 else ("1 L", "2 L", "5 L")
    if dice.chance("has material", 0.7):
        made.setdefault("material", {"type": "GLASS"})
    if dice.chance("has size", 0.7):
        made["volume"] = quantity(dice.choice("size", sizes))
    preparation = dice.choice(
        "preparation", ("", "", "NONE", "OVEN_DRIED", "FLAME_DRIED", "EVACUATED_BACKFILLED")
    )
    if preparation:
        made["preparations"] = [{"type": preparation}]
        if preparation == "OVEN_DRIED" and dice.chance("purged", 0.5):
            made["preparations"].append({"type": "PURGED"})
    fittings = ("SEPTUM", "CAP", "REFLUX_CONDENSER", "BALLOON", "THERMOCOUPLE", "NONE")
    if dice.chance("has fitting", 0.5):
        made["attachments"] = [{"type": dice.choice("fitting", fittings)}]
        if made["attachments"][0]["type"] == "REFLUX_CONDENSER" and dice.chance("two", 0.5):
            made["attachments"].append({"type": "THERMOCOUPLE"})
    return made


def conditions(dice: Dice, style: Style) -> Json:
    """Return ``ReactionConditions``; a special technique is added by the caller."""
    made: Json = {}
    if dice.chance("has temperature", 0.9):
        made["temperature"] = _temperature(dice, style)
    if dice.chance("has stirring", 0.8):
        made["stirring"] = _stirring(dice)
    if style.pressures:
        made["pressure"] = {
            "control": {"type": "PRESSURIZED"},
            "setpoint": quantity(dice.choice("pressure", style.pressures)),
            "atmosphere": {"type": "HYDROGEN"},
        }
    elif dice.chance("has atmosphere", 0.65):
        made["pressure"] = {"atmosphere": {"type": dice.choice("gas", style.atmospheres)}}
        control = dice.choice("control", ("", "", "AMBIENT", "SEALED", "SLIGHT_POSITIVE"))
        if control:
            made["pressure"]["control"] = {"type": control}
        if control == "AMBIENT" and dice.chance("has ambient pressure", 0.5):
            made["pressure"]["setpoint"] = quantity("1 atm")
    if dice.chance("says reflux", 0.3):
        made["reflux"] = dice.chance("reflux", 0.4)
    if dice.chance("has ph", 0.08):
        made["ph"] = dice.choice("ph", (4.5, 7.0, 8.5, 10.0, 12.5))
    return made


def _temperature(dice: Dice, style: Style) -> Json:
    made: Json = {"control": {"type": "AMBIENT"}}
    if dice.chance("only ambient", 0.05):
        return made
    setpoint = dice.choice("temperature", style.temperatures)
    degrees = float(setpoint.split()[0]) - (273.15 if setpoint.endswith("K") else 0)
    made["setpoint"] = quantity(setpoint)
    if degrees < -30:
        made["control"]["type"] = "DRY_ICE_BATH"
    elif degrees < 15:
        made["control"]["type"] = "ICE_BATH"
    elif degrees > 30:
        hot = ("OIL_BATH", "OIL_BATH", "DRY_ALUMINUM_PLATE", "MICROWAVE", "WATER_BATH")
        made["control"]["type"] = dice.choice("heating", hot)
    if dice.chance("no control", 0.2):
        del made["control"]
    if dice.chance("measured", 0.12):
        made["measurements"] = [
            {
                "type": dice.choice("probe", ("THERMOCOUPLE_INTERNAL", "THERMOCOUPLE_EXTERNAL")),
                "time": quantity("10 min"),
                "temperature": quantity(f"{degrees + dice.choice('drift', (-2, -1, 0, 1, 3))} C"),
            }
        ]
    return made


def _stirring(dice: Dice) -> Json:
    kinds = ("STIR_BAR",) * 6 + ("OVERHEAD_MIXER", "AGITATION", "AGITATION", "NONE", "SONICATION")
    kind = dice.choice("stirring", kinds)
    made: Json = {"type": kind}
    if kind in {"STIR_BAR", "OVERHEAD_MIXER", "AGITATION"} and dice.chance("has rate", 0.55):
        rpm = dice.choice("rpm", (300, 400, 500, 600, 750, 800, 1000, 1200))
        level = "HIGH" if rpm >= 800 else "MEDIUM" if rpm >= 500 else "LOW"
        made["rate"] = {"type": level, "rpm": rpm}
        if dice.chance("only level", 0.25):
            del made["rate"]["rpm"]
    return made


_PROCEDURES = (
    "The vessel was charged under {gas} and the mixture was stirred until complete by LCMS.",
    "To a solution of the {first} was added the second reactant in one portion. The solution "
    "turned yellow.",
    "Plate prepared on a Mosquito liquid handler; sealed and shaken.",
    "Reagents were combined, then heated overnight. Cooled to room temperature before workup.",
    "General procedure A.",
    "General procedure B, with dropwise addition.",
)
_WARNINGS = (
    "Gas evolution: vent the vessel.",
    "Quench carefully; exotherm on addition of water.",
    "Hydrogen is flammable.",
    "Peroxide test before concentration.",
)


def notes(dice: Dice, first: str) -> Json:
    """Return ``ReactionNotes`` in which a flag may be true, false or unsaid."""
    made: Json = {}
    for flag, share in (
        ("is_heterogeneous", 0.4),
        ("forms_precipitate", 0.35),
        ("is_exothermic", 0.3),
        ("offgasses", 0.25),
        ("is_sensitive_to_moisture", 0.35),
        ("is_sensitive_to_oxygen", 0.3),
        ("is_sensitive_to_light", 0.15),
    ):
        if dice.chance(f"says {flag}", share):
            made[flag] = dice.chance(flag, 0.55)
    if dice.chance("has procedure", 0.55):
        gas = dice.choice("procedure gas", ("nitrogen", "argon"))
        made["procedure_details"] = dice.choice("procedure", _PROCEDURES).format(
            first=first, gas=gas
        )
    if dice.chance("has warning", 0.15):
        made["safety_notes"] = dice.choice("warning", _WARNINGS)
    return made


def observations(dice: Dice) -> list[Json]:
    """Return what was seen, if anyone wrote it down."""
    if not dice.chance("observed", 0.12):
        return []
    seen = ("turned dark red", "became homogeneous", "white precipitate formed", "no change")
    made: list[Json] = [{"time": quantity("5 min"), "comment": dice.choice("seen", seen)}]
    if dice.chance("observed twice", 0.4):
        made.append({"time": quantity("1 h"), "comment": dice.choice("seen later", seen)})
    return made


def workups(dice: Dice, style: Style) -> list[Json]:
    """Return the steps from reaction mixture to product, or none."""
    if not dice.chance("worked up", style.worked_up):
        return []
    return _ROUTES[dice.integer("route", 0, len(_ROUTES) - 1)](dice)


def step(kind: str, *inputs: Json, **fields: object) -> Json:
    """Return a workup step; ``inputs`` are the components it brings in."""
    made: Json = {"type": kind, **fields}
    if inputs:
        made["input"] = {"components": list(inputs)}
    return made


def _wash(name: str, volume: str) -> Json:
    return step("WASH", component(name, "WORKUP", volume))


def _extractive(dice: Dice) -> list[Json]:
    volume = f"{dice.choice('wash volume', (5, 10, 20, 50))} mL"
    organic = dice.choice("extract with", ("ethyl acetate", "dichloromethane", "diethyl ether"))
    made = [
        step("ADDITION", component("water", "WORKUP", volume)),
        step("EXTRACTION", component(organic, "WORKUP", volume), keep_phase="organic"),
    ]
    made += [_wash("water", volume)] * dice.integer("washes", 0, 3)
    if dice.chance("brine", 0.6):
        made.append(_wash("sodium chloride", volume.replace("mL", "g")))
    if dice.chance("dried", 0.7):
        drier = dice.choice("drier", ("magnesium sulfate", "sodium sulfate"))
        made.append(step("DRY_WITH_MATERIAL", component(drier, "WORKUP", "2 g")))
        made.append(step("FILTRATION", keep_phase="filtrate"))
    made.append(step("CONCENTRATION"))
    return made + _purified(dice)


def _purified(dice: Dice) -> list[Json]:
    kind = dice.choice(
        "purify", ("FLASH_CHROMATOGRAPHY", "OTHER_CHROMATOGRAPHY", "", "DISTILLATION")
    )
    if not kind:
        return []
    details = {
        "FLASH_CHROMATOGRAPHY": "silica, 0-50% ethyl acetate in hexane",
        "OTHER_CHROMATOGRAPHY": "preparative HPLC, C18",
        "DISTILLATION": "Kugelrohr",
    }[kind]
    made = step(kind, details=details)
    if dice.chance("purify automated", 0.3):
        made["is_automated"] = True
    return [made]


def _quenched(dice: Dice) -> list[Json]:
    made = [
        step("TEMPERATURE", temperature={"setpoint": quantity("0 C")}),
        step("ADDITION", component("ammonium chloride", "WORKUP", "5 g")),
        step("STIRRING", stirring={"type": "STIR_BAR"}, duration=quantity("15 min")),
        step(
            "PH_ADJUST",
            component("hydrochloric acid", "WORKUP", "5 mL"),
            target_ph=dice.choice("target", (2.0, 3.0, 7.0)),
        ),
    ]
    return made[dice.integer("start", 0, 1) :] + _extractive(dice)


def _filtered(dice: Dice) -> list[Json]:
    phase = dice.choice("keep", ("filtrate", "solid"))
    made = [step("FILTRATION", details="through Celite", keep_phase=phase)]
    if dice.chance("wait", 0.4):
        made.insert(0, step("WAIT", duration=quantity(dice.choice("pause", ("30 min", "2 h")))))
    if phase == "solid":
        drying = quantity(dice.choice("drying", ("2 h", "12 h", "24 h")))
        made.append(step("DRY_IN_VACUUM", duration=drying))
    else:
        made.append(step("CONCENTRATION", duration=quantity("20 min")))
    return made


def _sampled(dice: Dice) -> list[Json]:
    volume = {"volume": quantity(dice.choice("aliquot", ("2 uL", "20 uL", "100 uL")))}
    return [
        step("ALIQUOT", amount=volume, is_automated=dice.chance("aliquot robot", 0.5)),
        step("DISSOLUTION", component("acetonitrile", "WORKUP", "200 uL")),
    ]


def _scavenged(dice: Dice) -> list[Json]:
    made = [
        step(
            "SCAVENGING",
            component("silica gel", "WORKUP", "1 g"),
            duration=quantity(dice.choice("scavenge", ("1 h", "3 h"))),
        ),
        step("FILTRATION", keep_phase="filtrate"),
    ]
    return made + _purified(dice)


_ROUTES = (_extractive, _extractive, _quenched, _filtered, _sampled, _scavenged)
