"""What compares a value where no policy names a verifier: a cheap one, and a judge behind it.

The resolution chain ends at a rubric made from an attribute's description. Most of what it would
be asked needs no judge: a title that is written the same, an amount that is another amount. So
the rubric stands behind the deterministic kind that suits the attribute's range.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import StrictBool
from pydantic.dataclasses import dataclass

from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import (
    Code,
    Context,
    Example,
    VerdictScore,
    Verifier,
    VerifierError,
    failing,
)
from creel_inspect.verify.registry import CONFIG, VerifierSpec, build_verifier, verifier_from
from creel_inspect.verify.rubric.form import as_data
from creel_inspect.verify.values.text import DEFAULT_STEPS

if TYPE_CHECKING:
    from creel_inspect.extract.grammar.model import Attribute

_DATES = {"kind": "normalized", "steps": [*DEFAULT_STEPS, "dates"]}

BY_NATURE: Mapping[str, Any] = {
    "integer": "numeric_tolerance",
    "decimal": "numeric_tolerance",
    # A double that went through a sum or a conversion is off by a few of its last bits.
    "float": {"kind": "numeric_tolerance", "rel": 1e-9},
    "date": _DATES,
    "datetime": _DATES,
    "boolean": "exact",
    "enum": "exact",
    "string": "normalized",
}
"""The deterministic kind for each range of an attribute, and for enumerations, as a file has it."""

NATURES = (*BY_NATURE, "any")
"""The keys that a policy's ``defaults`` may have."""

_LISTS = (list, tuple, set, frozenset)

# Escapes make up to twelve characters of one, and a criterion may have 20,000.
_LONGEST_DESCRIPTION = 1_500

# Given, not asked for: two runs then judge by the same steps, and no call is spent on them.
_STEPS = (
    "The candidate states what the reference states, in whatever words or language.",
    "Names, numbers, units, dates, negations and conditions are those of the reference.",
    "Nothing of the reference is left out, and nothing is added that it does not state.",
)


@dataclass(frozen=True, kw_only=True, config=CONFIG)
class CheapFirst(Verifier):
    """A cheap verifier decides what it can, and a rubric the rest.

    - A pass of ``cheap`` passes: no judge is asked.
    - A fail of ``cheap`` fails if it is ``final``. Otherwise the rubric decides.
    - Where ``cheap`` says that what is expected is ambiguous, the rubric decides. Any other error
      of it is a fault of the gold, the configuration or the instrument, and stays one: a judge
      would only hide it.
    - A list for a single value, a single value for a list, and an empty list for one that is not
      (or the other way round) fail: a list of guesses is no answer, whatever a judge makes of it.

    Details: ``judge`` is ``spared`` or ``asked``; ``cheap`` has the cheap kind and what it said
    (``passed`` is None if it could not tell); where the judge was asked, ``ledger`` has the calls
    and tokens, and ``judgement`` the rest of the rubric's details.

    Attributes:
        cheap: A verifier that asks no model.
        rubric: The verifier that asks the judge.
        final: Whether a fail of ``cheap`` is final.

    Raises:
        VerifierError: What ``cheap`` raises, ambiguity aside; ``no_judge`` where only a judge can
            decide and the context has none; and whatever else the rubric raises.
    """

    kind: ClassVar[str] = "cheap_first"

    cheap: VerifierSpec
    rubric: VerifierSpec
    final: StrictBool

    def __post_init__(self) -> None:
        if self.cheap.asks:
            raise ValueError(f"cheap: {self.cheap.kind} asks a model")

    def inner(self) -> Sequence[Verifier]:
        return (self.cheap, self.rubric)

    async def acompare(self, actual: Any, expected: Any, context: Context) -> VerdictScore:
        wrong = _of_another_shape(actual, expected)
        if not self.final:
            wrong = wrong or _no_words(actual, expected)
        if wrong:
            return self._spared(failing(wrong))
        try:
            verdict = await self.cheap.acompare(actual, expected, context)
        except VerifierError as error:
            if error.code != Code.EXPECTED_AMBIGUOUS:
                raise
            return await self._asked(actual, expected, context, None, str(error))
        if verdict.passed or self.final:
            return self._spared(verdict)
        return await self._asked(actual, expected, context, False, verdict.reason)

    def _spared(self, verdict: VerdictScore) -> VerdictScore:
        said = {"kind": self.cheap.kind, "passed": verdict.passed, "reason": verdict.reason}
        details = {**verdict.details, "judge": "spared", "cheap": said}
        return verdict.model_copy(update={"details": details})

    async def _asked(
        self, actual: Any, expected: Any, context: Context, passed: bool | None, reason: str
    ) -> VerdictScore:
        judged = await self.rubric.acompare(actual, expected, context)
        judgement = dict(judged.details)
        details = {
            "judge": "asked",
            "cheap": {"kind": self.cheap.kind, "passed": passed, "reason": reason},
            "ledger": judgement.pop("ledger", {}),
            "judgement": judgement,
        }
        return VerdictScore(
            score=judged.score, passed=judged.passed, reason=judged.reason, details=details
        )

    @classmethod
    def self_test(cls) -> Sequence[Example]:
        rubric = {"kind": "llm_rubric", "criterion": "They name one thing.", "steps": list(_STEPS)}
        text = {"cheap": "normalized", "rubric": rubric, "final": False}
        amount = {"cheap": "numeric_tolerance", "rubric": rubric, "final": True}
        kind_judge = Context(judge=lambda _: "Reason: they are the same\nScore: 5")
        return (
            Example(actual="Lira ", expected="lira", passes=True, config=text),
            Example(actual="the city", expected="Lira", passes=None, config=text, code="no_judge"),
            Example(
                actual="the city", expected="Lira", passes=True, config=text, context=kind_judge
            ),
            Example(actual=["Lira"], expected="Lira", passes=False, config=text),
            Example(
                actual="5 EUR", expected="5 USD", passes=False, config=amount, context=kind_judge
            ),
            Example(
                actual="1,234", expected="1,234 ", passes=True, config=amount, context=kind_judge
            ),
            Example(actual=1234, expected="1.234", passes=True, config=amount, context=kind_judge),
        )


@dataclass(frozen=True, kw_only=True, config=CONFIG)
class FinalFail(Verifier):
    """Another verifier, unless a deterministic one fails first: that is final.

    No judge may call 5 EUR and 5 USD equal, whatever a policy names for an amount; and what is no
    text, or holds neither a letter nor a digit, is wrong where a text is expected, judge or not.

    Attributes:
        cheap: A verifier that asks no model. Where it cannot tell, ``verifier`` decides.
        verifier: What decides otherwise.
    """

    kind: ClassVar[str] = "final_fail"

    cheap: VerifierSpec | None = None
    verifier: VerifierSpec

    def __post_init__(self) -> None:
        # A reader looks for what the policy names.
        object.__setattr__(self, "kind", self.verifier.kind)

    def inner(self) -> Sequence[Verifier]:
        return (self.cheap, self.verifier) if self.cheap else (self.verifier,)

    async def acompare(self, actual: Any, expected: Any, context: Context) -> VerdictScore:
        wrong = _of_another_shape(actual, expected)
        if not self.cheap:
            wrong = wrong or _no_words(actual, expected)
        if wrong:
            return failing(wrong)
        if self.cheap:
            with suppress(VerifierError):
                verdict = await self.cheap.acompare(actual, expected, context)
                if not verdict.passed:
                    return verdict
        return await self.verifier.acompare(actual, expected, context)

    @classmethod
    def self_test(cls) -> Sequence[Example]:
        yes = Context(judge=lambda _: "Reason: they are the same\nScore: 5")
        rubric = {"kind": "llm_rubric", "criterion": "They are one sum.", "steps": list(_STEPS)}
        config = {"cheap": "numeric_tolerance", "verifier": rubric}
        return (
            Example(actual="5 EUR", expected="5 USD", passes=False, config=config, context=yes),
            Example(actual="5 USD", expected="5 USD", passes=True, config=config, context=yes),
        )


def judged_last(verifier: Verifier, nature: str, attribute: "Attribute") -> Verifier:
    """A verifier that a policy names, so that no judge overrules what is plainly wrong.

    Of what is no free text, a deterministic fail is final: that of all the verifier's own parts
    that ask no model, where it is a composite that has any, and else of the range's own kind.
    """
    if not verifier.needs_judge or isinstance(verifier, CheapFirst):
        return verifier
    if is_free_text(nature, attribute):
        return FinalFail(verifier=verifier)
    parts = {
        name: part.verifier
        for name, part in getattr(verifier, "parts", {}).items()
        if not (part.verifier.asks or part.gate or part.field)
    }
    if parts:
        cheap = build_verifier("composite", parts=parts, mode="any")
    else:
        cheap = _deterministic(nature)
        cheap = for_items(cheap) if attribute.multivalued else cheap
    return FinalFail(cheap=cheap, verifier=verifier)


def is_free_text(nature: str, attribute: "Attribute") -> bool:
    """Whether only a reader can tell two values apart. A text with a pattern is a code."""
    return nature == "string" and attribute.pattern is None


def _deterministic(nature: str) -> Verifier:
    # A text with a pattern is a code: its case counts.
    return build_verifier("exact") if nature == "string" else verifier_from(BY_NATURE[nature])


def _of_another_shape(actual: Any, expected: Any) -> str | None:
    """Why a candidate can be right in no reading: a list is meant and none came, or the like."""
    if isinstance(expected, _LISTS) and not isinstance(actual, _LISTS):
        return f"expected a list, came {shown(actual)}"
    if not isinstance(expected, (*_LISTS, dict)) and isinstance(actual, (*_LISTS, dict)):
        return f"expected one value, {shown(expected)}, came {shown(actual)}"
    if isinstance(expected, _LISTS) and bool(actual) != bool(expected):
        return f"expected {shown(expected)}, came {shown(actual)}"
    return None


def _no_words(actual: Any, expected: Any) -> str | None:
    """Why a candidate says nothing that a text could mean."""
    if not isinstance(expected, str) or not any(map(str.isalnum, expected)):
        return None
    if not isinstance(actual, str):
        return f"expected a text, came {shown(actual)}"
    if not any(map(str.isalnum, actual)):
        return f"expected {shown(expected)}, came {shown(actual)}, which says nothing"
    return None


def for_items(verifier: Verifier) -> Verifier:
    """A verifier of single values, for a list of them; one that takes lists, as it is.

    The items are paired without regard to order, each once. What asks a judge sees the list as a
    whole, since it would be asked about every pair of items otherwise.
    """
    if verifier.needs_judge or verifier.kind in {"set_match", "schema_constraint"}:
        return verifier
    if verifier == build_verifier("exact"):
        return build_verifier("set_match")  # the same, for lists of any length
    return build_verifier("set_match", item=verifier)


def from_description(nature: str, attribute: "Attribute", described: str) -> Verifier:
    """The end of the resolution chain: a rubric from a description, behind a cheap check.

    Args:
        nature: The attribute's range, or ``enum``.
        attribute: What the grammar says of it.
        described: The attribute in words: its description, or its name and type.

    Free text (a string without a pattern) passes as it is written, up to case, blanks and
    punctuation's variants; else the judge decides, on a list as a whole. For every other range the
    deterministic kind's verdict is final, item by item, and the judge is asked only where what is
    expected is ambiguous.
    """
    free = is_free_text(nature, attribute)
    cheap = build_verifier("normalized") if free else _deterministic(nature)
    rubric = build_verifier(
        "llm_rubric",
        criterion=_criterion(described, attribute.multivalued and free),
        steps=list(_STEPS),
    )
    if free:
        cheap = for_items(cheap) if attribute.multivalued else cheap
        return CheapFirst(cheap=cheap, rubric=rubric, final=False)
    one = CheapFirst(cheap=cheap, rubric=rubric, final=True)
    return build_verifier("set_match", item=one) if attribute.multivalued else one


def as_spec(verifier: Verifier) -> dict[str, Any]:
    """What ``from_description`` made, as a file would have it."""
    if isinstance(verifier, FinalFail):
        cheap = {"cheap": as_spec(verifier.cheap)} if verifier.cheap else {}
        return {"kind": verifier.kind, **cheap, "verifier": as_spec(verifier.verifier)}
    if isinstance(verifier, CheapFirst):
        return {
            "kind": verifier.kind,
            "cheap": as_spec(verifier.cheap),
            "rubric": as_spec(verifier.rubric),
            "final": verifier.final,
        }
    config = {one.name: getattr(verifier, one.name) for one in fields(verifier) if one.init}  # type: ignore[arg-type]
    said = {
        name: as_spec(value)
        if isinstance(value, Verifier)
        else list(value)
        if isinstance(value, tuple)
        else value
        for name, value in config.items()
        if name in ("item", "steps", "rel", "criterion") and value
    }
    return {"kind": verifier.kind, **said}


def _criterion(described: str, many: bool) -> str:
    text = " ".join(described.split())
    if len(text) > _LONGEST_DESCRIPTION:
        text = text[: _LONGEST_DESCRIPTION - 1] + "…"
    # The grammar's author did not write the rubric: the words are quoted as data, on one line.
    quoted = as_data(text, "the description")
    if many:
        return (
            f"Each item of the candidate is a value of: {quoted}. The candidate says the same as "
            "the reference, in any order: no item is missing, none is added."
        )
    return f"The candidate is a value of: {quoted}. It says the same as the reference."
