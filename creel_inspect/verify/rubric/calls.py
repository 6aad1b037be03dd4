"""Asking a judge: a model or a plain function behind one door, its failures, and what it cost."""

import inspect
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import Code, Judge, JudgeReply, VerifierError

_ENDED_BY_ITSELF = ("stop", "unknown")
_CUT_SHORT = ("max_tokens", "model_length")


class FunctionJudge:
    """A function from a prompt to a reply, as a judge. It may be asynchronous.

    The function gets the system text and the prompt as one text. It returns the reply's text, or a
    ``JudgeReply``. Temperature, seed and log-probabilities mean nothing to it.
    """

    def __init__(self, function: Callable[[str], Any]) -> None:
        self.function = function
        kind = type(function)
        named = getattr(function, "__qualname__", kind.__qualname__)
        self.name = f"{getattr(function, '__module__', None) or kind.__module__}.{named}"

    async def ask(
        self, prompt: str, *, system: str, temperature: float, seed: int, logprobs: bool
    ) -> JudgeReply:
        reply = self.function(f"{system}\n\n{prompt}")
        if inspect.isawaitable(reply):
            reply = await reply
        return JudgeReply(text=reply) if isinstance(reply, str) else reply


def as_judge(judge: Any) -> Judge:
    """The judge of a context: a ``Judge`` as it is, a function wrapped.

    Raises:
        VerifierError: With ``no_judge``, if there is none or it is neither.
    """
    if judge is None:
        raise VerifierError(
            "there is no judge: give `Context(judge=...)` a model or a function from a prompt to "
            "the text of a reply",
            code=Code.NO_JUDGE,
        )
    # A class has the attributes of its instances, and is none.
    if not isinstance(judge, type):
        if callable(getattr(judge, "ask", None)) and isinstance(getattr(judge, "name", None), str):
            return judge
        if callable(judge):
            return FunctionJudge(judge)
    raise VerifierError(
        f"{shown(judge)} is no judge: expected an object with `name` and `ask`, or a function "
        "from a prompt to the text of a reply",
        code=Code.NO_JUDGE,
    )


def judge_key(judge: Judge) -> tuple[Any, ...]:
    """What tells one judge from another: a model's name, or the function itself.

    Two lambdas share a name, so a function counts as itself where it can be hashed.
    """
    if isinstance(judge, FunctionJudge):
        try:
            hash(judge.function)
        except TypeError:
            return (judge.name, id(judge.function))
        return (judge.name, judge.function)
    return (judge.name,)


class Ledger:
    """Calls to a judge and the tokens they took. Safe under threads.

    ``calls_without_usage`` counts the replies that told no tokens: where it is not 0, the tokens
    are a lower bound. A call that failed counts as a call without usage.
    """

    def __init__(self) -> None:
        self.calls = self.input_tokens = self.output_tokens = self.calls_without_usage = 0
        self._lock = threading.Lock()

    def add(self, input_tokens: int, output_tokens: int) -> None:
        """Counts one call."""
        with self._lock:
            self.calls += 1
            self.input_tokens += input_tokens
            self.output_tokens += output_tokens
            self.calls_without_usage += not (input_tokens or output_tokens)

    def counts(self) -> dict[str, int]:
        """The figures of one moment, for a verdict's details."""
        with self._lock:
            return {
                "calls": self.calls,
                "input_tokens": self.input_tokens,
                "output_tokens": self.output_tokens,
                "calls_without_usage": self.calls_without_usage,
            }


@dataclass(frozen=True)
class Asker:
    """One judge, asked on behalf of one verdict; every call is entered in all ``ledgers``."""

    judge: Judge
    system: str
    ledgers: tuple[Ledger, ...]

    async def ask(
        self, prompt: str, *, temperature: float, seed: int, logprobs: bool
    ) -> JudgeReply:
        """A whole reply.

        Raises:
            VerifierError: ``judge_failed`` if the judge raised an exception (kept as the cause),
                refused, or returned something else than a reply; ``judgement_unparsable`` if the
                reply was cut short. Its own ``VerifierError`` goes through.
        """
        counted = False
        try:
            reply: Any = await self.judge.ask(
                prompt, system=self.system, temperature=temperature, seed=seed, logprobs=logprobs
            )
            if not isinstance(reply, JudgeReply) or not isinstance(reply.text, str):
                raise VerifierError(
                    f"the judge {self.judge.name} returned {shown(reply)}, not a reply",
                    code=Code.JUDGE_FAILED,
                )
            self._enter(_told(reply.input_tokens), _told(reply.output_tokens))
            counted = True
        except VerifierError:
            raise
        except Exception as error:  # not BaseException: a cancelled call is not a failed one
            raise VerifierError(
                f"the judge {self.judge.name} failed: {type(error).__name__}: "
                f"{shown(str(error), 200)}",
                code=Code.JUDGE_FAILED,
            ) from error
        finally:
            if not counted:
                self._enter(0, 0)
        if reply.stop in _CUT_SHORT:
            raise VerifierError(
                f"the judge's reply was cut short ({reply.stop}): give it more tokens",
                code=Code.JUDGEMENT_UNPARSABLE,
            )
        if reply.stop not in _ENDED_BY_ITSELF:
            raise VerifierError(
                f"the judge {self.judge.name} gave no judgement: it stopped with "
                f"{shown(reply.stop)}",
                code=Code.JUDGE_FAILED,
            )
        return reply

    def _enter(self, input_tokens: int, output_tokens: int) -> None:
        for ledger in self.ledgers:
            ledger.add(input_tokens, output_tokens)


def _told(tokens: Any) -> int:
    return tokens if isinstance(tokens, int) and tokens > 0 else 0
