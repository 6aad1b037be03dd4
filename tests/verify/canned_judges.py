"""Judges that answer from a list or by a function, and remember how they were asked."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

import anyio

from creel_inspect.verify import Context, build_verifier
from creel_inspect.verify.protocol import JudgeReply, Token, TokenChoice

_numbers = count()
STEPS = "1. Compare the names.\n2. Compare the amounts.\n3. Look for extra claims."


@dataclass(frozen=True)
class Call:
    prompt: str
    system: str
    temperature: float
    seed: int
    logprobs: bool

    @property
    def for_steps(self) -> bool:
        return self.prompt.startswith("Write the evaluation steps")


class Canned:
    """Answers forms from a list, the last one for ever, and writes the same steps."""

    def __init__(self, *forms: Any, steps: Any = STEPS, name: str | None = None):
        # What is kept of a judge is kept under its name.
        self.name = name or f"canned/{next(_numbers)}"
        self.forms, self.steps, self.calls = list(forms), steps, []

    async def ask(self, prompt, *, system, temperature, seed, logprobs):
        self.calls.append(Call(prompt, system, temperature, seed, logprobs))
        call = self.calls[-1]
        if call.for_steps:
            answer = self.steps
        else:
            answer = self.forms.pop(0) if len(self.forms) > 1 else self.forms[0]
        if isinstance(answer, Callable):
            answer = answer(call)
        if isinstance(answer, BaseException):
            raise answer
        return JudgeReply(text=answer) if isinstance(answer, str) else answer

    @property
    def prompts(self) -> list[str]:
        return [call.prompt for call in self.calls if not call.for_steps]


def said(score: Any, reason: str = "it is so") -> str:
    return f"Reason: {reason}\nScore: {score}"


def judged(judge: Any, actual: Any = "a", expected: Any = "b", *, about=None, **config: Any):
    """The verdict of an ``llm_rubric`` whose steps are given unless the test gives others."""
    config = {"criterion": "They name one compound.", "steps": ["Compare.", "Count."], **config}
    rubric = build_verifier("llm_rubric", **config)
    context = Context(judge=judge, **(about or {}))
    return anyio.run(lambda: rubric.averify(actual, expected, context=context))


def with_logprobs(
    text: str, at_score: Mapping[str, float], *, elsewhere: Mapping[str, float] | None = None
) -> JudgeReply:
    """A reply in tokens of one digit, one blank or one word, with probabilities at its digits.

    ``at_score`` is for the last digit of the text, ``elsewhere`` for every other one.
    """
    pieces = re.findall(r"\d|[^\W\d]+|\s|.", text)
    last = max(place for place, piece in enumerate(pieces) if piece.isdigit())

    def token(place: int, piece: str) -> Token:
        chances = at_score if place == last else elsewhere if piece.isdigit() else None
        chances = chances or {piece: 1.0}
        top = tuple(TokenChoice(one, math.log(chance)) for one, chance in chances.items())
        return Token(piece, math.log(chances.get(piece, 1e-6)), top)

    tokens = tuple(token(place, piece) for place, piece in enumerate(pieces))
    return JudgeReply(text=text, tokens=tokens, input_tokens=100, output_tokens=10)
