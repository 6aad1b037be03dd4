"""The five ordinary datasets: who reacts with what, in which style."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bench import Style
from couplings import amide, amination, suzuki
from dice import Dice
from enabling import enabling
from record import Json
from redox import redox
from write_up import write_up


@dataclass(frozen=True)
class Campaign:
    """One dataset's theme.

    Attributes:
        theme: The file's name and the seed of its dataset id.
        title: What the dataset's name says after "Synthetic reactions: ".
        size: How many reactions it holds.
        style: How its chemists work.
    """

    theme: str
    title: str
    size: int
    style: Style


SUZUKI = Campaign(
    "suzuki",
    "Suzuki-Miyaura couplings, many of them on automated plates",
    105,
    Style(
        users=("akoval", "bmeyer", "cnakata"),
        years=(2014, 2026),
        scales=(0.01, 0.02, 0.05, 0.1, 0.25, 1.0, 5.0),
        temperatures=("60 C", "80 C", "80 C", "90 C", "100 C", "110 C", "353 K", "25 C"),
        automated=0.5,
        worked_up=0.5,
    ),
)
AMIDES = Campaign(
    "amides",
    "amide couplings, esters and amino acids",
    100,
    Style(
        users=("bmeyer", "dsilva", "eoconnor"),
        years=(2010, 2026),
        scales=(0.1, 0.5, 1.0, 2.0, 10.0, 100.0),
        temperatures=("0 C", "20 C", "25 C", "25 C", "40 C", "60 C", "300 K"),
        automated=0.12,
        atmospheres=("NITROGEN", "AIR", "AIR"),
    ),
)
AMINATION = Campaign(
    "amination",
    "SNAr, Buchwald-Hartwig and reductive aminations",
    100,
    Style(
        users=("akoval", "cnakata", "fzhang"),
        years=(2012, 2026),
        scales=(0.05, 0.1, 0.2, 0.5, 1.0, 3.0),
        temperatures=("25 C", "50 C", "80 C", "100 C", "110 C", "120 C", "150 C", "350 K"),
        automated=0.3,
    ),
)
REDOX = Campaign(
    "redox",
    "nitrations, reductions, hydrogenations and low-temperature additions",
    100,
    Style(
        users=("dsilva", "eoconnor"),
        years=(2010, 2025),
        scales=(1.0, 2.0, 5.0, 20.0, 150.0),
        temperatures=("-78 C", "-40 C", "-10 C", "0 C", "0 C", "25 C", "50 C"),
        times=("30 min", "1 h", "2 h", "4 h", "18 h"),
    ),
)
ENABLING = Campaign(
    "enabling",
    "photochemistry, electrochemistry, flow, microwave and mechanochemistry",
    80,
    Style(
        users=("cnakata", "fzhang"),
        years=(2016, 2026),
        scales=(0.1, 0.2, 0.5, 1.0),
        temperatures=("20 C", "25 C", "30 C", "35 C", "40 C", "120 C"),
        automated=0.2,
        times=("5 min", "20 min", "1 h", "6 h", "18 h", "48 h"),
    ),
)
HYDROGENATION = Style(
    users=REDOX.style.users,
    years=REDOX.style.years,
    scales=REDOX.style.scales,
    temperatures=("25 C", "50 C", "80 C", "100 C"),
    times=REDOX.style.times,
    pressures=("1 atm", "3 bar", "5 bar", "10 bar", "40 psi", "60 bar", "65 bar", "80 bar"),
)


def ordinary() -> Iterator[tuple[Campaign, list[tuple[str, Json]]]]:
    """Yield each campaign with its reactions, as slugs and records."""
    makers = (
        (SUZUKI, suzuki),
        (AMIDES, amide),
        (AMINATION, amination),
        (REDOX, redox),
        (ENABLING, enabling),
    )
    for campaign, maker in makers:
        made = []
        for index in range(campaign.size):
            slug = f"{campaign.theme}-{index:03d}"
            recipe = maker(slug, Dice(slug))
            pressed = recipe.template in {"hydrogenation", "nitro reduction"} and any(
                name == "hydrogen" for name, _, _ in recipe.others
            )
            style = HYDROGENATION if pressed else campaign.style
            made.append((slug, write_up(recipe, style)))
        yield campaign, made
