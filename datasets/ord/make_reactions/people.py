"""Who made the records, where, and when: none of them exists."""

from __future__ import annotations

from datetime import date, timedelta

from dice import Dice
from record import Json, event

_ORGANIZATIONS = {
    "akoval": ("Anna Koval", "Example University"),
    "bmeyer": ("Bernd Meyer", "Example Pharma"),
    "cnakata": ("Chie Nakata", "Example Pharma"),
    "dsilva": ("Diana Silva", "Example Institute"),
    "eoconnor": ("Eoin O'Connor", "Example University"),
    "fzhang": ("Fei Zhang", "Example Institute"),
    # One person with two user names, and two who run reactions but record none.
    "akoval2": ("Anna Koval", "Example Institute"),
    "guest": ("Gus Ester", "Example University"),
    "visitor": ("Vi Sito", "Example Institute"),
}
CITIES = ("Basel", "Boston", "Cambridge", "Kyoto", "São Paulo", "Lund")
DETAILS = "synthetic record"


def person(username: str) -> Json:
    """Return a made-up person by user name."""
    name, organization = _ORGANIZATIONS[username]
    return {
        "username": username,
        "name": name,
        "organization": organization,
        "email": f"{username}@example.org",
    }


def provenance(dice: Dice, users: tuple[str, ...], years: tuple[int, int]) -> Json:
    """Return a provenance whose dates are in order and whose other fields come and go."""
    first = date(years[0], 1, 4)
    span = (date(years[1], 9, 20) - first).days
    created = first + timedelta(days=dice.integer("created", 0, span))
    recorder = dice.choice("recorder", users)
    made: Json = {"record_created": event(_stamp(dice, created), person(recorder), details=DETAILS)}
    if dice.chance("has experimenter", 0.6):
        made["experimenter"] = person(dice.choice("experimenter", users))
    if dice.chance("has start", 0.7):
        before = dice.choice("lag", (0, 1, 3, 14, 60, 400, 1500))
        started = max(created - timedelta(days=before), date(2009, 2, 2))
        made["experiment_start"] = {"value": started.isoformat()}
    if dice.chance("has city", 0.7):
        made["city"] = dice.choice("city", CITIES)
    if dice.chance("has doi", 0.45):
        made["doi"] = f"10.5555/demo.{created.year}.{dice.integer('doi', 1, 12):03d}"
        if dice.chance("has url", 0.4):
            made["publication_url"] = f"https://example.org/papers/{made['doi'][8:]}"
    elif dice.chance("has patent", 0.3):
        made["patent"] = f"US9999{dice.integer('patent', 1, 9):04d}B2"
    day = created
    for index in range(dice.choice("edits", (0, 0, 1, 1, 2, 3))):
        day += timedelta(days=dice.integer(f"edit {index}", 0, 300))
        if day > date(2026, 10, 30):
            break
        editor = person(dice.choice(f"editor {index}", users))
        reason = dice.choice(f"edit reason {index}", ("corrected yield", "added analysis", ""))
        made.setdefault("record_modified", []).append(
            event(day.isoformat(), editor, **({"details": reason} if reason else {}))
        )
    if dice.chance("says mined", 0.3):
        made["is_mined"] = dice.chance("mined", 0.3)
    return made


def _stamp(dice: Dice, day: date) -> str:
    clock = dice.choice("clock", ("", "", "", "T09:15:00", "T17:40:00+01:00", "T23:30:00-05:00"))
    return day.isoformat() + clock
