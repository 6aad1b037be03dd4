"""Planted reactions: each is an ordinary reaction with a few edits that set two questions apart."""

from __future__ import annotations

from collections.abc import Iterator

from plants import (
    absence,
    components,
    conditions,
    crossings,
    dates,
    ladders,
    lookalikes,
    measured,
    neighbours,
    structures,
    text,
    transformations,
    turning_points,
)
from plants.plant import Plant

GROUPS = (
    structures,
    components,
    measured,
    conditions,
    absence,
    text,
    dates,
    transformations,
    neighbours,
    turning_points,
    crossings,
    lookalikes,
    ladders,
)


def planted() -> Iterator[Plant]:
    """Yield every plant, group by group, in the order it is written."""
    for group in GROUPS:
        yield from group.PLANTS
