"""Is a value in the evidence given for it, or at least in a source?

*That value* must be there: a number as a number of the same size in its unit, however it is
written; a date as a date; words as whole words. Each attribute of an element is looked up for
itself, so that no true one vouches for a false one. What a document need not spell, a
classification or a truth value, is *unchecked* where its words are not found.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any, Literal, Protocol, TypeAlias
from weakref import WeakKeyDictionary

from creel_inspect.extract.corpus.evidence import Record, Span, spans
from creel_inspect.extract.corpus.passages import Passage, passages_of
from creel_inspect.extract.corpus.sources import Source
from creel_inspect.extract.grammar.model import Attribute, Grammar
from creel_inspect.extract.marking.readings import MOST_NUMBERS, Readings, readings_of
from creel_inspect.extract.marking.wording import MOST_CHARACTERS, Wording
from creel_inspect.verify.numeric import unit_token
from creel_inspect.verify.plain import MOST_BITS, shown
from creel_inspect.verify.values.dates import DateReading, Precision, date_readings
from creel_inspect.verify.values.money import is_currency
from creel_inspect.verify.values.quantity import read_quantity
from creel_inspect.verify.values.reading import Reading, is_finite

State: TypeAlias = Literal["grounded", "ungrounded", "unchecked"]

MOST_ITEMS = 1_000
"""Of a value with several."""


@dataclass(frozen=True)
class Grounding:
    """Whether a value is in its evidence or in a source.

    Attributes:
        state: ``grounded``; ``ungrounded``; or ``unchecked``, for what a source need not spell
            and for what could not be looked up.
        reason: Where it stands, or what was looked in; for a reader.
    """

    state: State
    reason: str


def ground(
    value: Any,
    attribute: Attribute | None,
    grammar: Grammar,
    record: Record | None,
    sources: Mapping[str, Source],
) -> Grounding:
    """Looks a value up in its evidence, and where it is not there, in the sources.

    A value that is in a source and not where its evidence points is grounded, and the reason
    says so; but a classification whose evidence is there is looked up in that alone. Of a value
    with several items, each must be grounded.

    Args:
        value: What was extracted: JSON, or a date.
        attribute: What the grammar says of it; None for an attribute that it does not have,
            whose value is read as what it looks like.
        grammar: For the permitted values of an enum.
        record: Its evidence, in ``creel``'s shape, or None. Need not be well formed.
        sources: By name.

    Raises:
        CorpusError: If a source was not made by ``source_from`` and is no such table or document.
    """
    if value is None or (isinstance(value, list | tuple) and not value):
        return Grounding("unchecked", "it claims no value")
    if not sources:
        return Grounding("unchecked", "there is no source to look in")
    looked = _Looked(record, sources)
    if not isinstance(value, list | tuple):
        return looked.up(value, attribute, grammar)
    if len(value) > MOST_ITEMS:
        return Grounding(
            "ungrounded", f"it has {len(value):,} items; at most {MOST_ITEMS:,} are looked up"
        )
    return _together(value, [looked.up(item, attribute, grammar) for item in value])


def _together(items: Iterable[Any], found: list[Grounding]) -> Grounding:
    for state in ("ungrounded", "unchecked"):
        faulty = [(item, one) for item, one in zip(items, found, strict=True) if one.state == state]
        if faulty:
            item, one = faulty[0]
            more = f" (and {len(faulty) - 1} more)" if len(faulty) > 1 else ""
            return Grounding(one.state, f"its item {shown(item)}{more}: {one.reason}")
    reasons = list(dict.fromkeys(one.reason for one in found))
    return Grounding("grounded", "; ".join(reasons[:5]))


class _Place(Protocol):
    """Where values are looked up: a source, or what evidence picks."""

    @property
    def readings(self) -> Readings: ...
    @property
    def wording(self) -> Wording: ...
    @property
    def whole(self) -> bool: ...


class _Index:
    """What stands in a source. It must not hold the source, whose end is its own."""

    whole = True

    def __init__(self, source: Source) -> None:
        self._passages = list(passages_of(source))

    @cached_property
    def readings(self) -> Readings:
        return readings_of(self._passages, weak=False)

    @cached_property
    def wording(self) -> Wording:
        return Wording(self._passages)


class _Picked:
    """What one selector picks."""

    whole = False

    def __init__(self, passages: tuple[Passage, ...]) -> None:
        self.passages = passages

    @property
    def readings(self) -> Readings:
        return _readings_of_picked(self.passages)

    @property
    def wording(self) -> Wording:
        return _wording_of_picked(self.passages)


@lru_cache(maxsize=512)
def _readings_of_picked(passages: tuple[Passage, ...]) -> Readings:
    return readings_of(passages, weak=True)


@lru_cache(maxsize=512)
def _wording_of_picked(passages: tuple[Passage, ...]) -> Wording:
    return Wording(passages)


_INDEXES: WeakKeyDictionary[Source, _Index] = WeakKeyDictionary()


def _index(source: Source) -> _Index:
    # Held by name: an equal source of another sample that dies takes its entry with it.
    found = _INDEXES.get(source)
    if found is None:
        found = _INDEXES[source] = _Index(source)
    return found


class _Looked:
    """One record's evidence and the sources, to look up values in."""

    def __init__(self, record: Record | None, sources: Mapping[str, Source]) -> None:
        self._sources = sources
        self._spans = spans(record, sources) if record is not None else []
        self._given = record is not None

    def up(self, value: Any, attribute: Attribute | None, grammar: Grammar) -> Grounding:
        sought = _sought(value, attribute, grammar)
        if isinstance(sought, Grounding):
            return sought
        for span in self._spans:
            if span.found and sought.is_in(_Picked(span.passages)):
                return Grounding("grounded", f"it stands in {span.place}")
        for span in self._spans if sought.denied else ():
            if span.found and _Picked(span.passages).wording.is_all(sought.denied):
                return Grounding("ungrounded", f"{span.place} says {shown(span.text)}")
        pointed = any(span.found for span in self._spans)
        if sought.unspelled and pointed:
            # That a word such as "low" stands elsewhere says nothing of this element.
            return Grounding("unchecked", f"its evidence does not spell it: {sought.unspelled}")
        cut = False
        for name, source in self._sources.items():
            index = _index(source)
            if sought.is_in(index):
                return Grounding("grounded", f"it stands in {name}; {self._evidence()}")
            cut = cut or (sought.counts and index.readings.cut)
        if cut:
            return Grounding(
                "unchecked",
                f"a source holds more than {MOST_NUMBERS:,} numbers, of which it is none of the "
                f"first; {self._evidence()}",
            )
        # Evidence that does not exist supports no classification either.
        if sought.unspelled and not self._spans:
            return Grounding("unchecked", f"no source spells it: {sought.unspelled}")
        return Grounding("ungrounded", f"{sought.called} stands in no source; {self._evidence()}")

    def _evidence(self) -> str:
        """What the evidence comes to, where the value is not in it."""
        if not self._given:
            return "no evidence is given"
        if not self._spans:
            return "its evidence quotes nothing"
        found = [span.place for span in self._spans if span.found]
        if found:
            return f"its evidence, {' and '.join(found[:3])}, does not have it"
        return f"its evidence points nowhere: {_problem(self._spans)}"


def _problem(found: list[Span]) -> str:
    return found[0].problem + (f" (and {len(found) - 1} more)" if len(found) > 1 else "")


@dataclass(frozen=True)
class _Sought:
    """What is looked for: any one of these.

    Attributes:
        called: It, in words.
        quantities: Each one number, or the two ends of a range.
        dates: In ISO 8601.
        words: As they may be spelled.
        currency: A code, which an amount may say with a sign.
        truth: Words that say so where they are all that is picked.
        denied: Words that say the opposite there.
        unspelled: Why nothing follows where it is not found; "" where it must be there.
    """

    called: str
    quantities: tuple[Reading, ...] = ()
    unit: str | None = None
    dates: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    currency: str | None = None
    truth: frozenset[str] = frozenset()
    denied: frozenset[str] = frozenset()
    unspelled: str = ""

    @property
    def counts(self) -> bool:
        """Whether it is a number or a date."""
        return bool(self.quantities or self.dates)

    def is_in(self, place: _Place) -> bool:
        if self.counts or self.currency:
            readings = place.readings
            if any(self._has(readings, one) for one in self.quantities):
                return True
            if any(readings.has_date(iso) for iso in self.dates):
                return True
            if self.currency in readings.units:
                return True
        if self.truth and not place.whole and place.wording.is_all(self.truth):
            return True
        return any(place.wording.has(words) for words in self.words)

    def _has(self, readings: Readings, one: Reading) -> bool:
        unit = one.unit or self.unit
        ends = [one.value] if one.high is None else [one.value, one.high]
        return all(readings.has_quantity(end, unit) for end in ends)


_YES = frozenset(["true", "yes", "y", "1", "x", "✓", "✔"])
_NO = frozenset(["false", "no", "n", "0"])
_CLASSIFIED = "a classification need not be spelled out, and is for a verifier to judge"
_TRUTH = "whether a truth value holds is for a verifier to judge"
_NUMBERS = ("integer", "decimal", "float")
_DATES = ("date", "datetime")


def _sought(value: Any, attribute: Attribute | None, grammar: Grammar) -> _Sought | Grounding:
    """What to look for, or what follows without a look."""
    nature = grammar.nature(attribute) if attribute else None
    if value is None:
        return Grounding("unchecked", "it claims no value")
    if isinstance(value, bool):
        return _truth(value, nature)
    if isinstance(value, date):  # a datetime too
        value = value.isoformat()
    if isinstance(value, int | float | Decimal):
        return _of_number(value, nature, attribute)
    if not isinstance(value, str):
        return Grounding(
            "ungrounded",
            f"{shown(value)} is no value of an attribute: expected text or a number",
        )
    if len(value) > MOST_CHARACTERS:
        return Grounding(
            "ungrounded",
            f"it has {len(value):,} characters; at most {MOST_CHARACTERS:,} are looked up",
        )
    if not any(character.isalnum() for character in value):
        return Grounding("ungrounded", f"{shown(value)} has no letter and no digit to look for")
    if nature in _NUMBERS:
        return _number(value, attribute)
    if nature == "boolean" and (truth := value.strip().casefold()) in _YES | _NO:
        return _truth(truth in _YES, nature)
    if nature == "enum" and attribute:
        permitted = value in (grammar.values_of(attribute) or ())
        return _Sought(
            shown(value),
            words=_spellings(value),
            currency=value if is_currency(value) else None,
            unspelled=_CLASSIFIED if permitted else "",
        )
    return _of_text(value, nature)


def _of_number(
    value: int | float | Decimal, nature: str | None, attribute: Attribute | None
) -> _Sought | Grounding:
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return Grounding("ungrounded", f"it is {shown(value)}, which is read in no source")
    if not is_finite(value):
        return Grounding("ungrounded", f"{shown(value)} is no value: expected a finite number")
    if nature in _DATES:
        return _of_text(str(value), nature)
    return _number(value, attribute)


def _truth(value: bool, nature: str | None) -> _Sought | Grounding:
    if nature in (*_NUMBERS, *_DATES):
        return Grounding("ungrounded", f"{value} is a truth value, which no {nature} is")
    says, denies = (_YES, _NO) if value else (_NO, _YES)
    return _Sought(str(value), truth=says, denied=denies, unspelled=_TRUTH)


def _number(value: Any, attribute: Attribute | None) -> _Sought:
    unit = _token(attribute.unit) if attribute and attribute.unit else None
    readings = read_quantity(value, unit=unit).readings
    called = f"{shown(value)} {attribute.unit}" if attribute and attribute.unit else shown(value)
    words = (value,) if isinstance(value, str) and not readings else ()
    return _Sought(called, quantities=readings, unit=unit, words=words)


@lru_cache(maxsize=256)
def _token(unit: str) -> str | None:
    try:
        return unit_token(unit)
    except ValueError:
        return None  # which a grammar's check says


def _of_text(value: str, nature: str | None) -> _Sought:
    readings = date_readings(value)
    dates = tuple(one.iso for one in readings if nature in _DATES or _is_day(one))
    words = () if dates and nature in _DATES else (value,)
    return _Sought(shown(value), dates=dates, words=words)


def _is_day(reading: DateReading) -> bool:
    return reading.precision in (Precision.DAY, Precision.MINUTE, Precision.SECOND)


def _spellings(value: str) -> tuple[str, ...]:
    """A member of an enum as written, and as its words: in_progress, in progress, InProgress."""
    parts: list[str] = []
    for place, character in enumerate(value):
        if character in "_-":
            parts.append(" ")
            continue
        if place and character.isupper() and value[place - 1].islower():
            parts.append(" ")
        parts.append(character)
    spaced = " ".join("".join(parts).split())
    return tuple(dict.fromkeys([value, spaced, spaced.replace(" ", "-")]))
