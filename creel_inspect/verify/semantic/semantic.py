"""``semantic_similarity``: whether two texts sound alike to a model of language."""

import inspect
import math
import unicodedata
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator
from pydantic.dataclasses import dataclass

from creel_inspect.verify.plain import readable, shown
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
from creel_inspect.verify.semantic.embedders import (
    Entailer,
    Windowed,
    embedder_family,
    embedder_named,
)
from creel_inspect.verify.semantic.guard import MOST_CHARACTERS, Difference, differences
from creel_inspect.verify.semantic.guard_phrases import is_english

CAVEAT = "similar is not the same"
ONLY_NUMBERS = "no common English word was found: the guard checked only numbers and units"
_PLACES = 6
"""Decimals that are compared: vectors are of single precision."""
_MOST_DIMENSIONS = 100_000


def _threshold(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("a threshold is a number above 0 and up to 1")
    if not 0 < value <= 1:
        raise ValueError("a threshold is above 0 and up to 1")
    return float(value)


def _known(name: str) -> str:
    embedder_family(name)
    return name


@verifier("semantic_similarity")
@dataclass(frozen=True, kw_only=True, config=CONFIG)
class SemanticSimilarity(Verifier):
    """For wording that is free and whose meaning counts: titles, summaries, descriptions.

    **Similar is not the same.** No model of this kind tells a sentence from its negation, so a
    guard reads both texts as well: where they differ in a number, a unit, a negation or a
    direction, the verdict fails with score 0, and the similarity is in ``details``. Where a value
    can be compared exactly, another kind is better.

    The guard does not see who did what to whom ("A sued B", "B sued A"), opposites that are not in
    its list, nor words of a language other than English: where neither text has a common English
    word, only numbers and units are checked, and ``details["guard"]`` and the reason say so.
    ``guard.py`` tells what it decides.

    Keys:
        threshold: From which score on the verdict passes: above 0, up to 1. There is no default,
            since it depends on the embedder and on the texts: measure it on pairs of your own.
        embedder: ``minilm`` (embedded, no network: the extra ``semantic``; trained on English),
            ``sentence-transformers:MODEL`` or ``openai:MODEL``, which must be awaited.
            ``context.embedder`` wins over it.
        mode: ``cosine``, or ``nli``: entailment. Then the embedder must offer ``entails``: an
            object of yours in ``context.embedder``, or a cross-encoder trained on natural language
            inference, ``sentence-transformers:cross-encoder/…``.

    Score:
        ``cosine``: the cosine of the two vectors, to six decimals. A negative cosine is defined as
        similarity 0: vectors that point apart are as unlike as unrelated ones, and
        ``details["cosine"]`` keeps the sign. ``nli``: the smaller of the two probabilities, that
        the reference follows from the candidate and that the candidate follows from the reference.

    A text longer than the embedder reads at once is cut into windows, whose vectors are averaged
    by length (``details["windows"]``). Over 20,000 characters, a candidate fails and an expected
    text is not measured (``too_large``); so it is with more than four windows.

    Texts that are equal in NFC pass with score 1 and are not embedded, and so do two blank texts.
    A blank text is unlike any other. A candidate that is no text fails.
    """

    threshold: Annotated[float, BeforeValidator(_threshold)]
    embedder: Annotated[str, AfterValidator(_known)] = "minilm"
    mode: Literal["cosine", "nli"] = "cosine"

    @property
    def asks(self) -> bool:
        """Whether the configured embedder is a service."""
        return embedder_family(self.embedder).remote

    async def acompare(self, actual: Any, expected: Any, context: Context) -> VerdictScore:
        """The verdict; see the class."""
        if not isinstance(expected, str):
            raise VerifierError(
                f"semantic_similarity compares texts, and {shown(expected)} was expected",
                code=Code.EXPECTED_INVALID,
            )
        if len(expected) > MOST_CHARACTERS:
            raise VerifierError(
                f"the expected text has {len(expected):,} characters: at most "
                f"{MOST_CHARACTERS:,} are compared",
                code=Code.TOO_LARGE,
            )
        # Before anything is decided: else a missing package would leave out some pairs only.
        embedder = context.embedder if context.embedder is not None else self._configured()
        if self.mode == "nli" and not isinstance(embedder, Entailer):
            raise VerifierError(
                f"mode nli needs an embedder that offers `entails`: {_name(embedder)} does not",
                code=Code.NO_EMBEDDER,
            )
        if not isinstance(actual, str):
            return failing(f"expected a text, came {shown(actual)}")
        if len(actual) > MOST_CHARACTERS:
            return failing(
                f"the candidate has {len(actual):,} characters: at most {MOST_CHARACTERS:,} "
                "are compared"
            )
        blank = _blank(actual), _blank(expected)
        if all(blank) or _nfc(actual) == _nfc(expected):
            say = "both texts are blank" if all(blank) else "the texts are equal"
            return passing(f"{say}; nothing was embedded", cosine=1.0, equal=True)
        if any(blank):
            return failing(
                f"expected {shown(expected)}, came a blank text"
                if blank[0]
                else f"expected a blank text, came {shown(actual)}"
            )
        if self.mode == "nli":
            score, details = await _entailed(embedder, actual, expected)
        else:
            expected_windows = await _windows(embedder, expected)
            try:
                windows = await _windows(embedder, actual)
            except VerifierError as error:
                if error.code != Code.TOO_LARGE:
                    raise
                return failing(f"the candidate is too long: {error}")
            score, details = await _similar(embedder, windows, expected_windows)
        return self._verdict(score, details, actual, expected)

    def _configured(self) -> Any:
        return embedder_named(self.embedder)

    def _verdict(
        self, score: float, details: dict[str, Any], actual: str, expected: str
    ) -> VerdictScore:
        measure = "entailment" if self.mode == "nli" else "similarity"
        measured = f"{measure} {score:.3f}"
        details |= {"threshold": self.threshold, "caveat": CAVEAT}
        try:
            found = differences(actual, expected)
        except ValueError:
            return failing(
                "a text is too long to look for differing numbers and negations", **details
            )
        if found:
            details["differences"] = [_told(one) for one in found[:20]]
            return failing(f"{found[0]} (though {measured}; {CAVEAT})", **details)
        note = ""
        if not is_english(actual, expected):
            details["guard"] = ONLY_NUMBERS
            note = f"; {ONLY_NUMBERS}"
        cut = details.get("windows")
        parts = (f"; compared in {cut[0]} and {cut[1]} windows" if cut else "") + note
        if score >= self.threshold:
            return passing(
                f"{measured} reaches {self.threshold:g} ({CAVEAT}){parts}", score=score, **details
            )
        return failing(
            f"{measured} is below {self.threshold:g}: expected {shown(expected)}, "
            f"came {shown(actual)}{parts}",
            score=score,
            **details,
        )

    @classmethod
    def self_test(cls) -> Sequence[Example]:
        """Pairs for an embedder that counts words, so that no extra is needed."""
        context = Context(embedder=_word_counts)
        config = {"threshold": 0.6}

        def pair(actual: Any, expected: Any, passes: bool | None, **more: Any) -> Example:
            return Example(
                actual=actual,
                expected=expected,
                passes=passes,
                context=context,
                **{"config": config, **more},
            )

        return (
            pair("The committee approved the plan", "The committee has approved the plan", True),
            pair("a pump with 5 stages", "a pump with five stages", True),
            pair("It isn't ready", "It is not ready", True, config={"threshold": 0.3}),
            pair("same", "same", True, config={"threshold": 1.0}),
            pair("A cat sat on a mat", "Budgets were revised downwards", False),
            pair("Revenue rose by 10 %", "Revenue rose by 90 %", False),
            pair("The plan was approved", "The plan was not approved", False),
            pair("a dose of 5 mg", "a dose of 5 g", False),
            pair("Revenue rose in May", "Revenue fell in May", False),
            pair(None, "a text", False),
            pair("", "a text", False),
            pair("a text", 5, None, code=Code.EXPECTED_INVALID),
        )


async def _windows(embedder: Any, text: str) -> list[str]:
    text = readable(text)
    if not isinstance(embedder, Windowed):
        return [text]
    return list(await _answer(embedder, embedder.windows, text))


async def _similar(
    embedder: Any, actual: list[str], expected: list[str]
) -> tuple[float, dict[str, Any]]:
    windows = [actual, expected]
    flat = [window for some in windows for window in some]
    embed = getattr(embedder, "embed", embedder)
    vectors = _vectors(embedder, await _answer(embedder, embed, flat), len(flat))
    first = len(windows[0])
    cosine = _cosine(
        _mean(vectors[:first], [len(one) for one in windows[0]]),
        _mean(vectors[first:], [len(one) for one in windows[1]]),
    )
    details: dict[str, Any] = {"embedder": _name(embedder), "cosine": cosine}
    if len(flat) > 2:
        details["windows"] = [len(some) for some in windows]
    return (cosine if cosine > 0 else 0.0), details


async def _entailed(embedder: Any, actual: str, expected: str) -> tuple[float, dict[str, Any]]:
    actual, expected = readable(actual), readable(expected)
    pairs = [(actual, expected), (expected, actual)]
    given = await _answer(embedder, embedder.entails, pairs)
    try:
        forward, backward = [float(one) for one in given]
    except (TypeError, ValueError, OverflowError) as error:
        raise _broken(embedder, f"gave {shown(given)} for two pairs") from error
    if not (0 <= forward <= 1 and 0 <= backward <= 1):
        raise _broken(embedder, f"gave {forward} and {backward}, which are no probabilities")
    details = {
        "embedder": _name(embedder),
        "candidate_entails_expected": forward,
        "expected_entails_candidate": backward,
    }
    return min(forward, backward), details


async def _answer(embedder: Any, ask: Any, given: Any) -> Any:
    try:
        answer = ask(given)
        return await answer if inspect.isawaitable(answer) else answer
    except VerifierError:
        raise
    except Exception as error:
        raise _broken(
            embedder, f"raised {type(error).__name__}: {shown(str(error), 200)}"
        ) from error


def _vectors(embedder: Any, given: Any, many: int) -> list[list[float]]:
    try:
        vectors = [[float(number) for number in vector] for vector in given]
    except (TypeError, ValueError, OverflowError) as error:
        raise _broken(embedder, f"gave no vectors of numbers: {shown(str(error))}") from error
    if len(vectors) != many:
        raise _broken(embedder, f"gave {len(vectors):,} vectors for {many:,} texts")
    sizes = {len(vector) for vector in vectors}
    if len(sizes) != 1 or not 0 < min(sizes) <= _MOST_DIMENSIONS:
        raise _broken(embedder, f"gave vectors of {shown(sorted(sizes))} numbers")
    for vector in vectors:
        if not all(map(math.isfinite, vector)):
            raise _broken(embedder, "gave a vector with NaN or infinity")
        if not any(vector):
            raise _broken(embedder, "gave a vector of zeros, which has no direction")
    return [_scaled(vector) for vector in vectors]


def _scaled(vector: list[float]) -> list[float]:
    """The vector at length 1; first by its largest number, so that no square overflows."""
    largest = max(map(abs, vector))
    vector = [number / largest for number in vector]
    length = math.hypot(*vector)
    return [number / length for number in vector]


def _mean(vectors: list[list[float]], weights: list[int]) -> list[float]:
    if len(vectors) == 1:
        return vectors[0]
    columns = zip(*vectors, strict=True)
    mean = [
        math.fsum(number * weight for number, weight in zip(column, weights, strict=True))
        for column in columns
    ]
    # Opposite windows of equal length: no direction is left, and none is like it.
    return _scaled(mean) if any(mean) else mean


def _cosine(one: list[float], other: list[float]) -> float:
    """Of two vectors of length 1; rounding takes away what single precision adds above 1."""
    return round(math.fsum(a * b for a, b in zip(one, other, strict=True)), _PLACES) + 0.0


def _broken(embedder: Any, what: str) -> VerifierError:
    return VerifierError(f"the embedder {_name(embedder)} {what}", code=Code.EMBEDDER_FAILED)


def _name(embedder: Any) -> str:
    name = getattr(embedder, "name", None) or getattr(embedder, "__name__", None)
    return name if isinstance(name, str) else type(embedder).__name__


def _told(difference: Difference) -> dict[str, str]:
    return {
        "kind": difference.kind,
        "candidate": difference.candidate,
        "reference": difference.reference,
    }


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _blank(text: str) -> bool:
    """Whether nothing in a text can be seen."""
    return all(unicodedata.category(character)[0] in "ZC" for character in text)


def _word_counts(texts: Sequence[str]) -> list[list[float]]:
    """A vector of word counts for each text: enough for a self-test, and for nothing else."""
    words = [text.casefold().split() for text in texts]
    known = sorted({word for some in words for word in some})
    return [[float(some.count(word)) for word in known] for some in words]
