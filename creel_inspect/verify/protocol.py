"""What a verifier is: the value it returns, what it is told, and how it says it could not measure.

The errors::

    VerifierError              nothing was measured: the instrument, or the gold, is at fault
    └── VerifierConfigError    (also a ValueError) the verifier cannot be built from this

A candidate that is wrong, broken or missing is never an error. It is a verdict that fails.
"""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Protocol

from pydantic import BaseModel, ConfigDict, StrictBool, field_validator

from creel_inspect.verify.plain import fault_of, json_safe, readable, shown


class Code(StrEnum):
    """Why nothing was measured. Further kinds may use codes of their own."""

    BAD_CONFIG = "bad_config"
    EXPECTED_INVALID = "expected_invalid"
    EXPECTED_AMBIGUOUS = "expected_ambiguous"
    NOT_A_VALUE = "not_a_value"
    TOO_LARGE = "too_large"
    MUST_BE_AWAITED = "must_be_awaited"
    PART_NOT_MEASURED = "part_not_measured"
    NO_EMBEDDER = "no_embedder"
    EMBEDDER_FAILED = "embedder_failed"
    NO_JUDGE = "no_judge"
    JUDGE_FAILED = "judge_failed"
    JUDGEMENT_UNPARSABLE = "judgement_unparsable"
    JUDGEMENT_OUT_OF_RANGE = "judgement_out_of_range"
    LOGPROBS_MISSING = "logprobs_missing"
    BACKEND_FAILED = "backend_failed"
    VERIFIER_FAILED = "verifier_failed"


class VerifierError(Exception):
    """Nothing was measured; ``code`` is the machine's reason, the message a person's."""

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message)
        self.code = str(code)

    def __reduce__(self) -> Any:
        return _rebuilt, (type(self), self.args[0], self.code)


class VerifierConfigError(VerifierError, ValueError):
    """A verifier cannot be built from this configuration."""

    def __init__(self, message: str, *, code: str = Code.BAD_CONFIG) -> None:
        super().__init__(message, code=code)


def _rebuilt(kind: type[VerifierError], message: str, code: str) -> VerifierError:
    return kind(message, code=code)


class VerdictScore(BaseModel):
    """What a verifier found. Nothing is clamped: a bad score is an error at construction.

    Attributes:
        score: From 0 to 1.
        passed: Whether it is good enough, by the verifier's own rule.
        reason: One line for a person; never empty.
        details: JSON-safe: no NaN, text keys, at most 50 levels. Halves of surrogate pairs, which
            no log can hold, are written as escapes.

    Raises:
        ValueError: For a score that is NaN or out of range, an empty reason or unsafe details.
    """

    # Built at the first verdict, which keeps the import quick.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    score: float
    passed: StrictBool
    reason: str
    details: dict[str, Any] = {}

    @field_validator("score", mode="before")
    @classmethod
    def _a_number(cls, score: Any) -> Any:
        if isinstance(score, bool) or not isinstance(score, int | float):
            raise ValueError(f"a score is a number from 0 to 1, not {shown(score)}")
        if not 0 <= score <= 1:
            raise ValueError(f"a score is from 0 to 1, not {score}")
        return score

    @field_validator("reason")
    @classmethod
    def _says_something(cls, reason: str) -> str:
        if not reason.strip():
            raise ValueError("a verdict says why: `reason` is empty")
        return readable(reason)

    @field_validator("details")
    @classmethod
    def _safe(cls, details: dict[str, Any]) -> dict[str, Any]:
        return json_safe(details)


def passing(reason: str, *, score: float = 1.0, **details: Any) -> VerdictScore:
    """A verdict that passes."""
    return VerdictScore(score=score, passed=True, reason=reason, details=details)


def failing(reason: str, *, score: float = 0.0, **details: Any) -> VerdictScore:
    """A verdict that fails."""
    return VerdictScore(score=score, passed=False, reason=reason, details=details)


@dataclass(frozen=True)
class TokenChoice:
    """One token a judge could have written at a place, with its natural log-probability."""

    token: str
    logprob: float


@dataclass(frozen=True)
class Token:
    """One token a judge wrote, and the likeliest alternatives at its place (itself included)."""

    token: str
    logprob: float
    top: tuple[TokenChoice, ...] = ()


@dataclass(frozen=True)
class JudgeReply:
    """What a judge wrote. ``tokens`` is None where the provider gives no log-probabilities."""

    text: str
    tokens: tuple[Token, ...] | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    stop: str = "stop"
    """``stop``, or why it stopped early: ``max_tokens``, ``content_filter``…"""


class Judge(Protocol):
    """A model that judges. ``name`` is its full name, such as ``openai/gpt-4o``."""

    name: str

    def ask(
        self, prompt: str, *, system: str, temperature: float, seed: int, logprobs: bool
    ) -> Awaitable[JudgeReply]: ...


class Embedder(Protocol):
    """Turns texts into vectors of one length, in order."""

    name: str

    def embed(
        self, texts: Sequence[str]
    ) -> Sequence[Sequence[float]] | Awaitable[Sequence[Sequence[float]]]: ...


@dataclass(frozen=True, kw_only=True)
class Context:
    """What a verifier is told beside the two values.

    Attributes:
        path: Where the value stands, as a taxonomy path: ``node.project.title``.
        description: What the value is, in words.
        unit: The unit that the grammar gives the value: a unit token, ``percent`` or an ISO 4217
            currency code.
        sources: The documents it was read from, by name.
        judge: The model that judges, for the kinds that ask one: a ``Judge``, or a function from
            a prompt to the text of a reply.
        embedder: For similarity: an ``Embedder``, or a function from texts to vectors.
        seed: For everything that is drawn.
    """

    path: str | None = None
    description: str | None = None
    unit: str | None = None
    sources: Mapping[str, str] = field(default_factory=dict)
    judge: Judge | Callable[[str], Any] | None = None
    embedder: Embedder | Callable[[Sequence[str]], Any] | None = None
    seed: int = 0


NO_CONTEXT = Context()


@dataclass(frozen=True, kw_only=True)
class Example:
    """One pair of a kind's self-test. ``passes`` is None where nothing can be measured."""

    actual: Any
    expected: Any = None
    passes: bool | None
    config: Mapping[str, Any] = field(default_factory=dict)
    context: Context = NO_CONTEXT
    code: str | None = None
    """The error's code, where nothing can be measured."""


class Verifier(ABC):
    """Compares a candidate with what was expected.

    A kind that decides by itself writes ``compare``; one that asks a model, or other verifiers,
    writes ``acompare``. Both get values that have been checked: JSON values, and Python's tuples,
    sets, ``Decimal`` and dates, of bounded size and depth, without cycles. What is expected holds
    no NaN or infinity; the candidate may.
    """

    kind: ClassVar[str] = ""
    needs_expected: ClassVar[bool] = True
    """Whether it compares: False for a kind that judges a candidate by rules alone."""

    def inner(self) -> Sequence["Verifier"]:
        """The verifiers it is made of."""
        return ()

    @property
    def asks(self) -> bool:
        """Whether it asks a model, so that only ``averify`` will do."""
        return any(one.asks for one in self.inner())

    @property
    def needs_judge(self) -> bool:
        """Whether a model that it asks is the context's judge."""
        return any(one.needs_judge for one in self.inner())

    def verify(
        self, actual: Any, expected: Any = None, *, context: Context = NO_CONTEXT
    ) -> VerdictScore:
        """The verdict on ``actual``, for the kinds that ask no model.

        Raises:
            VerifierError: If nothing could be measured.
        """
        if self.asks:
            raise VerifierError(
                f"{self.kind} asks a model: `await verifier.averify(...)`",
                code=Code.MUST_BE_AWAITED,
            )
        # Nothing awaits anything here, so the coroutine ends at its first step.
        running = self.averify(actual, expected, context=context)
        try:
            running.send(None)
        except StopIteration as ended:
            verdict: VerdictScore = ended.value
            return verdict
        running.close()
        raise VerifierError(
            f"{self.kind} waited for something: `await verifier.averify(...)`",
            code=Code.MUST_BE_AWAITED,
        )

    async def averify(
        self, actual: Any, expected: Any = None, *, context: Context = NO_CONTEXT
    ) -> VerdictScore:
        """The verdict on ``actual``.

        Raises:
            VerifierError: If nothing could be measured.
        """
        actual, expected = _value_of(actual), _value_of(expected)
        fault = fault_of(expected, finite=True)
        if fault:
            code = Code.NOT_A_VALUE if fault.foreign else Code.EXPECTED_INVALID
            raise VerifierError(f"what is expected cannot be compared: {fault.text}", code=code)
        fault = fault_of(actual)
        if fault and fault.foreign:  # no model writes one: it is the caller's
            raise VerifierError(
                f"the candidate cannot be compared: {fault.text}", code=Code.NOT_A_VALUE
            )
        if fault:
            return failing(f"the candidate cannot be compared: {fault.text}")
        try:
            return await self.acompare(actual, expected, context)
        except VerifierError:
            raise
        except Exception as error:  # a fault of the kind itself: no candidate is to blame
            raise VerifierError(
                f"{self.kind or type(self).__name__} failed: {type(error).__name__}: {error}",
                code=Code.VERIFIER_FAILED,
            ) from error

    def compare(self, actual: Any, expected: Any, context: Context) -> VerdictScore:
        """The verdict of a kind that decides by itself."""
        raise NotImplementedError(f"{type(self).__name__} writes neither compare nor acompare")

    async def acompare(self, actual: Any, expected: Any, context: Context) -> VerdictScore:
        """The verdict of a kind that asks others."""
        return self.compare(actual, expected, context)

    @classmethod
    @abstractmethod
    def self_test(cls) -> Sequence[Example]:
        """Pairs that must pass and pairs that must not: at least one of each."""


def _value_of(value: Any) -> Any:
    """A graph of this package is read as the JSON object it stands for."""
    as_json = getattr(type(value), "__graph_v1__", None)
    return as_json(value) if as_json else value
