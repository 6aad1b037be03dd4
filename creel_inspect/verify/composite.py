"""Several verifiers on one value: all of them, any, weighted, or the first that can decide."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass as plain_dataclass
from textwrap import shorten
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StrictBool
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
    passing,
)
from creel_inspect.verify.registry import CONFIG, VerifierSpec, verifier

SKIPPED = "skipped"
"""The code of a part that was not asked, since the verdict could not depend on it."""

_Positive = Annotated[float, Field(strict=True, gt=0, allow_inf_nan=False, le=1e9)]


@dataclass(frozen=True, kw_only=True, config=CONFIG)
class Part:
    """One part of a composite, as ``{"verifier": spec, …}``; see ``Composite``."""

    verifier: VerifierSpec
    weight: _Positive = 1.0
    gate: StrictBool = False
    decides: Literal["pass", "fail", "both"] | None = None
    field: Annotated[str, Field(strict=True)] | None = None


def _parts(parts: Any) -> Any:
    if not isinstance(parts, Mapping):
        raise ValueError("expected a mapping from the name of each part to its verifier")
    if not parts or not all(isinstance(name, str) and name.strip() for name in parts):
        raise ValueError("expected at least one part, each with a name")
    return {
        name: part
        if isinstance(part, Part) or (isinstance(part, Mapping) and "verifier" in part)
        else {"verifier": part}
        for name, part in parts.items()
    }


@plain_dataclass(frozen=True)
class _Result:
    """What came of one part: a verdict, or why there is none."""

    name: str
    part: Part
    verdict: VerdictScore | None = None
    code: str = ""
    why: str = ""

    @property
    def passed(self) -> bool | None:
        return self.verdict.passed if self.verdict else None

    def to_json(self) -> dict[str, Any]:
        about = {
            "kind": self.part.verifier.kind,
            "weight": self.part.weight,
            "gate": self.part.gate,
        }
        if self.verdict is None:
            return {**about, "measured": False, "code": self.code, "reason": self.why}
        return {
            **about,
            "measured": True,
            "score": self.verdict.score,
            "passed": self.verdict.passed,
            "reason": self.verdict.reason,
        }

    def __str__(self) -> str:
        if self.verdict is None:
            return _short(f"{self.name}: not measured ({self.code}): {self.why}")
        return _short(f"{self.name}: {self.verdict.reason}")


@verifier("composite")
@dataclass(frozen=True, kw_only=True, config=CONFIG)
class Composite(Verifier):
    """Named parts, each a verifier of its own, and how their verdicts make one.

    Keys:
        parts: A mapping from names to parts. A part is a verifier (``exact``, or ``{kind: …}``), or
            a mapping with the key ``verifier`` and any of:

            - ``weight``: over 0 (the default is 1); counts in the mode ``weighted``.
            - ``gate``: when true, the part must pass, in every mode: if it fails, the whole fails
              with score 0, whatever the others say.
            - ``field``: compares this field of the two objects, in place of the whole. A candidate
              without it fails the part. An expected object without the field is not measured. If
              nothing is expected at all (None), the part gets no expected value if its kind does
              without one (``schema_constraint``, ``llm_rubric``), and is not measured otherwise.
            - ``decides``: in a cascade, the verdicts that end it: ``pass``, ``fail`` or ``both``.
        mode: How the verdicts are put together.

            - ``all`` (the default): each part passes. The score is the smallest.
            - ``any``: at least one part passes; gates do not count as one. The score is the
              greatest of those that pass, or else the greatest.
            - ``weighted``: the mean of the scores by weight, gates included, reaches ``threshold``.
            - ``cascade``: parts are tried in the order given, those that ask no model first, until
              one decides. A part decides with a pass (unless ``decides`` says otherwise), the last
              with whatever it says. Its verdict is the whole's. Put only such parts before the last
              whose pass is proof: one loose part makes every wrong answer that it lets through a
              pass. Gates are conditions beside the cascade, not steps of it.
        threshold: For ``weighted`` only: the least mean that passes (the default is 1).

    Gates are asked first, and parts that ask no model before those that do. Once a gate has failed
    no model is asked any more. Otherwise every part is asked, so that the reason is complete;
    a cascade stops.

    A part that could not be measured counts as neither pass nor fail (Kleene's strong three-valued
    logic, 1938): a failed part fails ``all``, and a passed one passes ``any``, whatever it might
    have said; where it could change the verdict, nothing is measured. The score is then the least
    that it can be. A mean needs all of its scores. In a cascade such a part hands on to the next,
    but a later verdict that it could have prevented is not measured: a fail, if the part could have
    decided with a pass, and a pass, if it could have decided with a fail.

    ``details["parts"]`` has each part's verdict by name, or ``measured: false`` with the code and
    the reason; ``details["decided_by"]`` names the part that ended a cascade.

    Raises:
        VerifierError: ``part_not_measured``, with the part's name and its own code.
    """

    parts: Annotated[Mapping[str, Part], BeforeValidator(_parts)]
    mode: Literal["all", "any", "weighted", "cascade"] = "all"
    threshold: Annotated[float, Field(strict=True, gt=0, le=1, allow_inf_nan=False)] | None = None

    def __post_init__(self) -> None:
        if self.threshold is not None and self.mode != "weighted":
            raise ValueError(f"`threshold` is for the mode weighted, not for {self.mode}")
        if self.mode in ("any", "cascade") and not self._named(gate=False):
            raise ValueError(f"the mode {self.mode} needs a part that is no gate")
        for name, part in self.parts.items():
            if part.decides and (self.mode != "cascade" or part.gate):
                raise ValueError(f"{name}: `decides` is for the steps of a cascade")
        if self.mode == "cascade":
            last, part = self._named(gate=False)[-1]
            if part.decides not in (None, "both"):
                raise ValueError(f"{last}: the last step of a cascade decides both ways")

    def inner(self) -> Sequence[Verifier]:
        return [part.verifier for part in self.parts.values()]

    def _named(self, *, gate: bool) -> list[tuple[str, Part]]:
        """The gates, or the others: in their order, those that ask a model last."""
        chosen = [(name, part) for name, part in self.parts.items() if part.gate is gate]
        return sorted(chosen, key=lambda one: one[1].verifier.asks)

    async def acompare(self, actual: Any, expected: Any, context: Context) -> VerdictScore:
        results: list[_Result] = []
        for name, part in self._named(gate=True):
            results.append(await _asked(name, part, actual, expected, context, results))
        if self.mode == "cascade":
            decider = await self._first_to_decide(actual, expected, context, results)
            return self._told(results, self._gated(results, _score_of(decider)), decider)
        for name, part in self._named(gate=False):
            results.append(await _asked(name, part, actual, expected, context, results))
        return self._told(results, self._combined(results))

    async def _first_to_decide(
        self, actual: Any, expected: Any, context: Context, results: list[_Result]
    ) -> _Result | None:
        """Tries the steps, adding to ``results`` what came of each; None if none decides."""
        if _failed_gate(results):
            return None
        steps = self._named(gate=False)
        prevented: set[str] = set()  # the verdicts that a step without one would have kept away
        for number, (name, part) in enumerate(steps, 1):
            result = await _asked(name, part, actual, expected, context, results)
            results.append(result)
            decides = part.decides or ("both" if number == len(steps) else "pass")
            if result.verdict is None:
                prevented |= {"pass": {"fail"}, "fail": {"pass"}}.get(decides, {"pass", "fail"})
                continue
            said = "pass" if result.passed else "fail"
            if decides in ("both", said):
                return None if said in prevented else result
        return None

    def _combined(self, results: Sequence[_Result]) -> tuple[bool, float] | None:
        """Whether the whole passes, and its score; None if that was not measured."""
        if self.mode == "weighted":
            if _failed_gate(results):
                return False, 0.0
            mean = _mean(results)
            return None if mean is None else (mean >= self._least, mean)
        if self.mode == "all":
            return self._gated(results, _conjunction(results))
        return self._gated(results, _disjunction([one for one in results if not one.part.gate]))

    @property
    def _least(self) -> float:
        return 1.0 if self.threshold is None else self.threshold

    def _gated(
        self, results: Sequence[_Result], rest: tuple[bool, float] | None
    ) -> tuple[bool, float] | None:
        """The verdict of the others, once the gates have been seen."""
        gates = [one.passed for one in results if one.part.gate]
        if False in gates:
            return False, 0.0
        if None in gates:  # it could only make a failed whole fail with score 0
            return None if rest is None or rest[0] else (False, 0.0)
        return rest

    def _told(
        self,
        results: Sequence[_Result],
        verdict: tuple[bool, float] | None,
        decider: _Result | None = None,
    ) -> VerdictScore:
        if verdict is None:
            unmeasured = [str(one) for one in results if one.verdict is None]
            raise VerifierError(
                f"the verdict depends on what was not measured: {_joined(unmeasured)}",
                code=Code.PART_NOT_MEASURED,
            )
        passed, score = verdict
        details: dict[str, Any] = {"parts": {one.name: one.to_json() for one in results}}
        failed = [str(one) for one in results if one.passed is False]
        open_ = [str(one) for one in results if one.verdict is None and one.code != SKIPPED]
        gate = _failed_gate(results)
        if gate:
            reason = f"a gate failed: {gate}"
        elif decider:
            details["decided_by"] = decider.name
            reason = f"decided by {decider}"
        elif self.mode == "weighted":
            said = "at least" if passed else "expected at least"
            reason = f"weighted mean {score:.6g}, {said} {self._least:g}"
            reason += f"; failed: {_joined(failed)}" if failed else ""
        elif self.mode == "any" and passed:
            reason = _joined(str(one) for one in results if one.passed and not one.part.gate)
        elif failed:
            reason = _joined(failed)
        else:
            reason = f"all {len(results)} parts pass: {_joined(one.name for one in results)}"
        if open_:
            reason += f"; not needed: {_joined(open_)}"
        return (passing if passed else failing)(reason, score=score, **details)

    @classmethod
    def self_test(cls) -> Sequence[Example]:
        both = {"text": "exact", "loosely": "normalized"}
        price = {"parts": {"price": {"verifier": "numeric_tolerance", "field": "price"}}}
        gated = {
            "parts": {
                "id": {"verifier": "exact", "field": "id", "gate": True},
                "name": {"verifier": "exact", "field": "name", "weight": 99},
            },
            "mode": "weighted",
            "threshold": 0.5,
        }
        return [
            Example(actual="a", expected="a", passes=True, config={"parts": both}),
            Example(actual="A", expected="a", passes=False, config={"parts": both}),
            Example(actual="A", expected="a", passes=True, config={"parts": both, "mode": "any"}),
            Example(actual="b", expected="a", passes=False, config={"parts": both, "mode": "any"}),
            Example(
                actual="A", expected="a", passes=True, config={"parts": both, "mode": "cascade"}
            ),
            Example(
                actual="b", expected="a", passes=False, config={"parts": both, "mode": "cascade"}
            ),
            Example(
                actual={"id": 2, "name": "n"},
                expected={"id": 1, "name": "n"},
                passes=False,
                config=gated,
            ),
            Example(
                actual={"id": 1, "name": "n"},
                expected={"id": 1, "name": "n"},
                passes=True,
                config=gated,
            ),
            Example(actual={"price": 3}, expected={"price": 3}, passes=True, config=price),
            Example(actual={}, expected={"price": 3}, passes=False, config=price),
            Example(
                actual={"price": 3},
                expected={},
                passes=None,
                code=Code.PART_NOT_MEASURED,
                config=price,
            ),
        ]


async def _asked(
    name: str,
    part: Part,
    actual: Any,
    expected: Any,
    context: Context,
    before: Sequence[_Result],
) -> _Result:
    """What one part says, unless it asks a model after a gate has failed."""
    gate = _failed_gate(before)
    if gate and part.verifier.asks:
        return _Result(name, part, None, SKIPPED, f"not asked, since the gate {gate.name} failed")
    try:
        if part.field is not None:
            if expected is None:
                if _needs_expected(part.verifier):
                    raise VerifierError(
                        f"nothing is expected, so {part.verifier.kind} has nothing to compare "
                        f"{shown(part.field)} with",
                        code=Code.EXPECTED_INVALID,
                    )
            else:
                if not isinstance(expected, dict) or part.field not in expected:
                    raise VerifierError(
                        f"expected an object with {shown(part.field)}, not {shown(expected)}",
                        code=Code.EXPECTED_INVALID,
                    )
                expected = expected[part.field]
            if not isinstance(actual, dict) or part.field not in actual:
                told = f"expected an object with {shown(part.field)}, came {shown(actual)}"
                return _Result(name, part, failing(told))
            actual = actual[part.field]
        return _Result(name, part, await part.verifier.averify(actual, expected, context=context))
    except VerifierError as error:
        return _Result(name, part, None, error.code, str(error))


def _needs_expected(verifier: Verifier) -> bool:
    if isinstance(verifier, Composite):
        return any(map(_needs_expected, verifier.inner()))
    return verifier.needs_expected


def _failed_gate(results: Iterable[_Result]) -> _Result | None:
    return next((one for one in results if one.part.gate and one.passed is False), None)


def _score_of(decider: _Result | None) -> tuple[bool, float] | None:
    if decider is None or decider.verdict is None:
        return None
    return decider.verdict.passed, decider.verdict.score


def _conjunction(results: Sequence[_Result]) -> tuple[bool, float] | None:
    verdicts = [one.verdict for one in results]
    failed = any(one is not None and not one.passed for one in verdicts)
    if None in verdicts:
        return (False, 0.0) if failed else None
    return not failed, min(one.score for one in verdicts if one)


def _disjunction(results: Sequence[_Result]) -> tuple[bool, float] | None:
    scores = [one.verdict.score for one in results if one.verdict]
    good = [one.verdict.score for one in results if one.verdict and one.verdict.passed]
    if good:
        return True, max(good)
    return (False, max(scores)) if len(scores) == len(results) else None


def _mean(results: Sequence[_Result]) -> float | None:
    """The weighted mean, exactly 1 where each score is 1; None if one is missing."""
    weighed = [(one.part.weight, one.verdict.score) for one in results if one.verdict]
    if len(weighed) < len(results):
        return None
    total = math.fsum(weight for weight, _ in weighed)
    return min(1.0, math.fsum(weight * score for weight, score in weighed) / total)


def _joined(texts: Iterable[str]) -> str:
    few = list(texts)
    return "; ".join(few[:5]) + (f"; and {len(few) - 5} more" if len(few) > 5 else "")


def _short(text: str) -> str:
    return shorten(text, 240, placeholder=" …")
