"""Which of a log's scores is read: the scorer, and the entry where its values have several."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspect_ai.log import EvalLog, EvalSampleSummary

from creel_inspect.compare.frames.runs import OWN_SCORERS, Kind, bare
from creel_inspect.compare.frames.secrets import plain_place
from creel_inspect.compare.refusing import CompareError
from creel_inspect.compare.wording import one_line, some
from creel_inspect.verify.plain import shown

DEFAULT_ENTRIES: Mapping[Kind, str] = {"search": "correct", "extraction": "f1"}
"""The entry of this package's scores that is compared where none is asked for."""


@dataclass(frozen=True)
class Chosen:
    """Which score of a log is read.

    Attributes:
        scorer: The name of the row of scores; empty where the log knows of none.
        entry: The entry of its values, where they have several.
        seen: Whether a value was there to tell.
        others: Scorers of the log that nobody chose or refused.
    """

    scorer: str
    entry: str | None
    seen: bool
    others: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """As ``--score`` takes it."""
        return self.scorer if self.entry is None else f"{self.scorer}.{self.entry}"


class NoSuchScore(CompareError):
    """A log has not the score that was asked for; ``there`` are those it has."""

    def __init__(self, message: str, there: Sequence[str]) -> None:
        super().__init__(message)
        self.there = list(there)


def choose(
    log: EvalLog, samples: Sequence[EvalSampleSummary], kind: Kind, wanted: str | None
) -> Chosen:
    """Which score to read.

    Args:
        log: The log's header.
        samples: Its samples.
        kind: Whose task it is of.
        wanted: ``SCORER`` or ``SCORER.ENTRY``; None for the log's headline.

    Raises:
        NoSuchScore: If the log has not what is wanted.
        CompareError: If its values have several entries, and none is named.
    """
    there = _scores_there(log, samples)
    if wanted is not None and not there:
        return Chosen(wanted, None, seen=False)  # it crashed before it came to say
    if wanted is not None:
        return _named(log, there, kind, wanted)
    declared = log.eval.headline_metric
    resolved = log.results.headline if log.results else None
    scorer = next(
        (
            name
            for name in (resolved and resolved.scorer, declared and declared.scorer, *there)
            if name and (name in there or not there)
        ),
        "",
    )
    entries = there.get(scorer)
    if entries is None:
        scorer = scorer or OWN_SCORERS.get(kind, "")
        return Chosen(scorer, DEFAULT_ENTRIES.get(kind), seen=False)
    return Chosen(
        scorer,
        _entry(log, scorer, entries, kind, declared.score if declared else None),
        seen=True,
        others=tuple(name for name in there if name != scorer),
    )


def _scores_there(
    log: EvalLog, samples: Sequence[EvalSampleSummary]
) -> dict[str, list[str] | None]:
    """Names of the log's scores, and of the entries of each; no names where a value is one number,
    None where no value was seen."""
    found: dict[str, list[str] | None] = {}
    if log.results:
        found.update(dict.fromkeys((one.scorer for one in log.results.scores), None))
    for name in scorers_of(log):
        found.setdefault(name, None)
    for sample in samples:
        for name, score in (sample.scores or {}).items():
            known = found.setdefault(name, None)
            if isinstance(score.value, float) and math.isnan(score.value):
                continue  # a sample that was not scored has no entries to show
            here = list(parts_of(score.value) or {})
            if known is None or len(here) > len(known):
                found[name] = here
    return found


def scorers_of(log: EvalLog) -> dict[str, tuple[str, Mapping[str, Any]]]:
    """The registered name and the parameters of each scorer of a log, by the name that Inspect
    gives to its row of scores: that of the second `match` is called `match1`."""
    named: dict[str, tuple[str, Mapping[str, Any]]] = {}
    for one in log.eval.scorers or []:
        name, number = bare(one.name), 0
        while (f"{name}{number}" if number else name) in named:
            number += 1
        named[f"{name}{number}" if number else name] = (one.name, one.options or {})
    return named


def parts_of(value: Any) -> dict[str, Any] | None:
    """The entries of a value by name, those of a list by number; None for a single value."""
    if isinstance(value, Mapping):
        return {str(name): one for name, one in value.items()}
    if isinstance(value, list | tuple):
        return {str(number): one for number, one in enumerate(value)}
    return None


def _named(log: EvalLog, there: Mapping[str, list[str] | None], kind: Kind, wanted: str) -> Chosen:
    for scorer, entries in there.items():
        if wanted == scorer:
            seen = entries is not None
            entry = _entry(log, scorer, entries, kind, None) if entries is not None else None
            return Chosen(scorer, entry if seen else DEFAULT_ENTRIES.get(kind), seen)
        entry = wanted.removeprefix(f"{scorer}.")
        if entry != wanted and (entries is None or entry in entries):
            return Chosen(scorer, entry, seen=entries is not None)
    raise NoSuchScore(
        f"{one_line(plain_place(log.location))} has no score {shown(wanted)}", all_names(there)
    )


def all_names(there: Mapping[str, list[str] | None]) -> list[str]:
    """Every score as ``--score`` takes it."""
    return [
        one_line(name)
        for scorer, entries in there.items()
        for name in ([f"{scorer}.{entry}" for entry in entries] if entries else [scorer])
    ]


def _entry(
    log: EvalLog, scorer: str, entries: Sequence[str], kind: Kind, declared: str | None
) -> str | None:
    for name in (DEFAULT_ENTRIES.get(kind), declared):
        if name in entries:
            return name
    if len(entries) < 2:
        return entries[0] if entries else None
    raise CompareError(
        f"{one_line(plain_place(log.location))}: the values of {one_line(scorer)!r} "
        f"have {len(entries)} entries, and one has to be chosen: name it with --score, as one of "
        + some((f"{scorer}.{entry}" for entry in entries), 20)
    )
