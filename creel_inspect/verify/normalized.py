"""Texts that say the same, written differently."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple

from pydantic import model_validator
from pydantic.dataclasses import dataclass

from creel_inspect.verify.equality import Equality, quoted
from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import (
    Code,
    Context,
    Example,
    VerdictScore,
    Verifier,
    VerifierError,
    failing,
    passing,
)
from creel_inspect.verify.registry import CONFIG, verifier
from creel_inspect.verify.values.dates import DateReading, Order, date_readings
from creel_inspect.verify.values.spelling import case_carries_meaning
from creel_inspect.verify.values.text import (
    DEFAULT_STEPS,
    STEPS,
    is_blank,
    normal_form,
    normalize,
    step,
)

LONGEST_TEXT = 100_000
"""Characters of one text that is put through the steps."""
MOST_WORK = 10_000_000
"""What the texts of one side may cost that are not as expected: see ``_work``. A few seconds."""
_MOST_EXPLAINED = 20_000
"""Characters of the texts for which a smallest set of steps is looked for."""
# The boldest first: a verdict names the mildest steps that suffice.
_BOLDEST_FIRST = (
    *("strip_punctuation", "aliases", "diacritics", "dates", "units"),
    *("casefold", "nfkc", "punctuation", "invisible", "whitespace"),
)
ALL_STEPS = (*STEPS, "aliases")


@verifier("normalized")
@dataclass(frozen=True, kw_only=True, config=CONFIG)
class Normalized(Verifier):
    """Equality of texts after named steps that make spellings one. For names, labels and phrases.

    The steps, in the order in which they are applied, whatever the order they are named in:

    - ``invisible``: zero-width characters, soft hyphens, byte order marks, controls of direction
      and variation selectors go. Joiners stay where they are spelling (Persian, Indic scripts)
      or make one emoji of several.
    - ``punctuation``: the variants of quotes, apostrophes, dashes and slashes become one.
    - ``nfkc``: compatible characters become one (ﬁ and fi, full width, ℃). Exponents, indices and
      fractions keep apart from the digits beside them: 10² is 10^2, and 1½ is 1 1/2.
    - ``whitespace``: any run of any spaces is one space; none at the ends.
    - ``dates``: a text that is wholly a date becomes ISO 8601, as precise as it was. An ambiguous
      one stays as it is; what is expected must not be ambiguous where that decides.
    - ``units``: a unit after a number, or alone, gets one spelling (5kg, 5 kilograms). Nothing is
      converted.
    - ``diacritics``: marks on Latin and Greek letters go.
    - ``strip_punctuation``: punctuation goes, save what belongs to a number (-5, 1.5, 5 %), a
      charge (Cl-, SO4 2-) and a sign in brackets ((-)-menthol).
    - ``casefold``: upper and lower case become one (full folding: ß is ss), save where case
      makes another unit or formula: mM and MM, Mg and mg, CO2 and Co2, "in CO" and "in Co",
      c1ccccc1 and C1CCCCC1, C=C and c=c. What remains: in a text all in capitals a formula of
      letters alone is folded (CO IN AIR is Co in air); In, No and "& Co" are words; a formula of
      five letters and more without a number is folded inside a text, and so is a line notation.
    - ``aliases``: the texts of one group become one, after the other steps on both sides.

    Canonically equivalent texts (UAX #15) are equal whatever the steps. A step never empties a
    text that has something to see: "!!!" is not "???". Two texts that are blank before are equal
    if the steps make them so. Lists, mappings and sets are compared by their parts, the keys of
    mappings in NFC. Numbers, truth values and None are compared as ``exact`` does: 1 is not "1".
    The score is 1 or 0. ``details["steps"]`` names the steps that made the difference: a smallest
    set that suffices, of the mildest steps.

    Texts that are not as expected go through the steps up to 100,000 characters each, and a few
    million in all. A longer candidate fails; what is expected and longer is an error. For long
    texts and long lists ``details["steps"]`` is what changed the first of them.

    Attributes:
        steps: The steps to take. The default leaves out those that need a reader's consent:
            ``dates``, ``units``, ``diacritics`` and ``strip_punctuation``.
        aliases: Groups of texts that mean the same: ``{"US": ["USA", "United States"]}``, or
            ``{"USA": "US"}``. Naming the step is not needed.
        date_order: How dates of digits are ordered, for ``dates``: ``DMY``, ``MDY`` or ``YMD``.
    """

    steps: tuple[str, ...] = DEFAULT_STEPS
    aliases: Mapping[str, str | list[str]] | None = None
    date_order: Order | None = None

    @model_validator(mode="after")
    def _is_possible(self) -> "Normalized":
        unknown = [name for name in self.steps if name not in ALL_STEPS]
        if unknown:
            raise ValueError(
                f"steps: there is no step {', '.join(map(shown, unknown))}: "
                f"the steps are {', '.join(ALL_STEPS)}"
            )
        if len(set(self.steps)) < len(self.steps):
            raise ValueError(
                f"steps: a step is named twice in {shown(list(self.steps), 300)}: "
                f"the steps are {', '.join(ALL_STEPS)}, each at most once"
            )
        if "aliases" in self.steps and not self.aliases:
            raise ValueError("steps: aliases is a step, but no `aliases` are given")
        self._groups(self.taken)
        return self

    @cached_property
    def taken(self) -> tuple[str, ...]:
        """The steps that are taken, in order, aliases included if there are any."""
        wanted = {*self.steps, *(["aliases"] if self.aliases else [])}
        return tuple(name for name in ALL_STEPS if name in wanted)

    @cached_property
    def _groups_by_steps(self) -> dict[tuple[str, ...], dict[str, list[tuple[str, str]]]]:
        return {}

    def _groups(self, steps: Collection[str]) -> dict[str, list[tuple[str, str]]]:
        """By text after the steps: the aliases before their case was folded, and their groups."""
        known = self._groups_by_steps
        if tuple(steps) not in known:
            known[tuple(steps)] = self._grouped(steps)
        return known[tuple(steps)]

    def _grouped(self, steps: Collection[str]) -> dict[str, list[tuple[str, str]]]:
        groups: dict[str, set[str]] = {}
        for key, value in (self.aliases or {}).items():
            canonical, names = (value, [key]) if isinstance(value, str) else (key, value)
            groups.setdefault(canonical, {canonical}).update(names)
        found: dict[str, list[tuple[str, str]]] = {}
        for canonical, members in groups.items():
            for name in sorted(members):
                if is_blank(name):
                    raise ValueError(f"aliases: a blank text is in the group {shown(canonical)}")
                cased, plain = self._forms(name, steps)
                there = found.setdefault(plain, [])
                for other, group in there:
                    if group != canonical and case_carries_meaning(cased, other) is None:
                        raise ValueError(
                            f"aliases: {shown(name)} is in two groups, "
                            f"{shown(group)} and {shown(canonical)}"
                        )
                there.append((cased, canonical))
        return found

    def _forms(self, text: str, steps: Collection[str]) -> tuple[str, str]:
        """The text after the steps but ``casefold``, and after all: case is folded last."""
        cased = normalize(
            text, [name for name in steps if name != "casefold"], order=self.date_order
        )
        return cased, step("casefold", cased) if "casefold" in steps else cased

    def _group_of(self, forms: tuple[str, str], steps: Collection[str]) -> str | None:
        """The canonical text of the aliases that a text is one of."""
        there = self._groups(steps).get(forms[1], ())
        fitting = {group for one, group in there if case_carries_meaning(forms[0], one) is None}
        return fitting.pop() if len(fitting) == 1 else None

    def normalize(self, text: str) -> str:
        """The text after the steps; for an alias, the canonical text of its group."""
        forms = self._forms(text, self.taken)
        group = self._group_of(forms, self.taken)
        return forms[1] if group is None else group

    def compare(self, actual: Any, expected: Any, context: Context) -> VerdictScore:
        equality = _TextEquality(self)
        found = equality.differences(actual, expected)
        if found.count:
            return failing(found.reason(), **found.details(), **equality.notes())
        if not equality.steps:
            return passing(f"the same as written: {shown(expected)}", steps=[])
        steps = [name for name in ALL_STEPS if name in equality.steps]
        told = f"the same after {', '.join(steps)}: came {shown(actual)} for {shown(expected)}"
        return passing(told, steps=steps, **equality.notes())

    def steps_that_matter(self, actual: str, expected: str) -> list[str]:
        """A smallest set of steps under which two texts are equal, given that all make them so.

        For long texts: the steps that changed one of them.
        """
        if len(actual) + len(expected) > _MOST_EXPLAINED:
            return [
                name
                for name in self.taken
                if name != "aliases" and self._changes(name, actual, expected)
            ]
        needed = list(self.taken)
        for name in _BOLDEST_FIRST:
            fewer = [one for one in needed if one != name]
            if len(fewer) < len(needed) and self.same(actual, expected, fewer):
                needed = fewer
        return needed

    def _changes(self, name: str, *texts: str) -> bool:
        return any(step(name, text, order=self.date_order) != text for text in texts)

    def same(self, actual: str, expected: str, steps: Collection[str]) -> bool:
        """Whether two texts are equal after the steps, and differ in no case that has a meaning."""
        return self.comparison(actual, expected, steps).same

    def comparison(self, actual: str, expected: str, steps: Collection[str]) -> "_Compared":
        """Two texts after the steps, and what keeps them apart."""
        came, wanted = self._forms(actual, steps), self._forms(expected, steps)
        if "aliases" in steps:
            groups = self._group_of(came, steps), self._group_of(wanted, steps)
            if groups != (None, None):
                return _Compared(
                    groups[0] or came[1], groups[1] or wanted[1], groups[0] == groups[1]
                )
        if came[1] != wanted[1]:
            return _Compared(came[1], wanted[1], False)
        apart = case_carries_meaning(came[0], wanted[0]) if came[0] != wanted[0] else None
        return _Compared(came[0], wanted[0], apart is None, apart)

    @classmethod
    def self_test(cls) -> Sequence[Example]:
        """Pairs for the registry's test."""
        units, dates = {"steps": ["units"]}, {"steps": ["dates"]}
        aliases = {"aliases": {"US": ["USA", "United States"]}}
        return (
            Example(actual="  Two\u00a0words ", expected="two words", passes=True),
            Example(actual="“don’t”", expected='"don\'t"', passes=True),
            Example(actual=["A", {"b": "C"}], expected=["a", {"b": "c"}], passes=True),
            Example(actual="5kg", expected="5 kilograms", config=units, passes=True),
            Example(actual="May 5, 2024", expected="2024-05-05", config=dates, passes=True),
            Example(actual="united states", expected="USA", config=aliases, passes=True),
            Example(actual="10²", expected="102", passes=False),
            Example(actual="5 mM", expected="5 MM", passes=False),
            Example(actual="café", expected="cafe", passes=False),
            Example(actual="1", expected=1, passes=False),
            Example(actual=True, expected="true", passes=False),
            Example(actual="5 kg", expected="5000 g", config=units, passes=False),
            Example(actual="2024", expected="2024-01-01", config=dates, passes=False),
            Example(actual="!!!", expected="???", config={"steps": STEPS}, passes=False),
            Example(actual="01/05/2024", expected="2024-05-01", config=dates, passes=False),
            Example(
                actual="2024-05-01",
                expected="01/05/2024",
                config=dates,
                passes=None,
                code=Code.EXPECTED_AMBIGUOUS,
            ),
        )


class _Compared(NamedTuple):
    actual: str
    expected: str
    same: bool
    case: tuple[str, str] | None = None
    """Two words that casefold would make one, although they are not."""


class _TextEquality(Equality):
    """One comparison: what it spent, and which steps made the difference."""

    most_counted = 1_000

    def __init__(self, chosen: Normalized) -> None:
        self._chosen = chosen
        self._spent = {"candidate": 0, "expected": 0}
        self._too_much = False
        self._explained = 0
        self._ambiguous: list[str] = []
        self._last = _Compared("", "", True)
        self.steps: set[str] = set()

    def text_of(self, text: str) -> str:
        text = normal_form("NFC", text)
        if len(text) > LONGEST_TEXT:
            return text  # in a set, where there is no other text to tell who is at fault
        return self._chosen.normalize(text)

    def key_of(self, key: str) -> str:
        return normal_form("NFC", key)

    def kind_of(self, value: Any) -> str:
        return "text" if self._is_date(value) else super().kind_of(value)

    def same_leaf(self, actual: Any, expected: Any) -> bool:
        return super().same_leaf(self._written(actual), self._written(expected))

    def _is_date(self, value: Any) -> bool:
        return "dates" in self._chosen.steps and isinstance(value, date)

    def _written(self, value: Any) -> Any:
        # YAML makes dates of what a model writes as text.
        return self._stands_for(value) if self._is_date(value) else value

    def same_text(self, actual: str, expected: str) -> bool:
        if actual == expected or normal_form("NFC", actual) == normal_form("NFC", expected):
            return True
        if not self._takes(actual, expected):
            return False
        self._last = self._chosen.comparison(actual, expected, self._chosen.taken)
        if self._last.same:
            self._explain(actual, expected)
            return True
        if "dates" in self._chosen.steps:
            self._weigh_dates(actual, expected)
        return False

    def _explain(self, actual: str, expected: str) -> None:
        if len(self.steps) == len(self._chosen.taken) or self._explained > _MOST_EXPLAINED:
            return
        before, self._explained = (
            self._explained,
            self._explained + len(actual) + len(expected) + 50,
        )
        if self._explained > _MOST_EXPLAINED and before:
            return
        self.steps.update(self._chosen.steps_that_matter(actual, expected))

    def _takes(self, actual: str, expected: str) -> bool:
        """Whether the two are short enough for the steps; if it is the gold's fault, an error."""
        for whose, text in (("expected", expected), ("candidate", actual)):
            self._spent[whose] += _work(text)
            if self._spent[whose] <= MOST_WORK:
                continue
            self._too_much = True
            if whose == "candidate":
                return False
            raise VerifierError(
                f"what is expected is too large for the steps: {self._total(text)}",
                code=Code.TOO_LARGE,
            )
        return True

    def _total(self, text: str) -> str:
        """What is too much, and the limit."""
        if len(text) > LONGEST_TEXT:
            return f"one text has {len(text):,} characters, and the limit is {LONGEST_TEXT:,}"
        return (
            f"its texts so far come to {self._spent['expected']:,} in all, and the limit is "
            f"{MOST_WORK:,} (1 for an ASCII character, 100 for each text, up to some hundreds "
            "for any other character)"
        )

    def _weigh_dates(self, actual: str, expected: str) -> None:
        order = self._chosen.date_order
        came, wanted = (date_readings(text, order=order) for text in (actual, expected))
        if len(wanted) > 1 and set(came) & set(wanted):
            raise VerifierError(
                f"what is expected, {shown(expected)}, may be {_either(wanted)}: "
                "give `date_order`, or write it in ISO 8601",
                code=Code.EXPECTED_AMBIGUOUS,
            )
        if len(came) > 1 and len(self._ambiguous) < 10:
            self._ambiguous.append(actual)

    def notes(self) -> dict[str, Any]:
        """What a log should keep beside the differences."""
        return {"ambiguous_dates": list(map(shown, self._ambiguous))} if self._ambiguous else {}

    def explained(self, actual: str, expected: str) -> str:
        actual, expected = self._written(actual), self._written(expected)
        told = super().explained(actual, expected)
        if self._too_much:
            return f"{told}: too much came for the steps ({len(actual):,} characters)"
        came, wanted, _, case = self._last
        if case:
            return f"{told}: {shown(case[1])} is not {shown(case[0])}, case matters there"
        if actual in self._ambiguous:
            order = self._chosen.date_order
            return f"{told}, which may be {_either(date_readings(actual, order=order))}"
        if (came, wanted) != (actual, expected):
            told += f" (after the steps: {quoted(wanted, came)} and {quoted(came, wanted)})"
        return told


def _work(text: str) -> int:
    """About how much the steps have to do: 1 for an ASCII character, some hundreds for another."""
    if len(text) > LONGEST_TEXT:
        return MOST_WORK + 1
    other = 0 if text.isascii() else len(text.encode("utf-8", "surrogatepass")) - len(text)
    return 100 + len(text) + 120 * other


def _either(readings: Sequence[DateReading]) -> str:
    return " or ".join(one.iso for one in readings)
