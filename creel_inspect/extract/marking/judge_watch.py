"""What judging cost, and what asking the cheap verifier first saved."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from creel_inspect.extract.policy.resolution import PolicyResolution
from creel_inspect.verify.graph.resolution import Chosen, Side
from creel_inspect.verify.protocol import (
    Context,
    Example,
    Judge,
    JudgeReply,
    VerdictScore,
    Verifier,
)
from creel_inspect.verify.rubric.calls import as_judge


@dataclass(frozen=True)
class JudgeCounts:
    """Judging, counted.

    Attributes:
        calls: Requests made, those that failed included.
        asked: Attributes that a judge was asked about.
        saved: Attributes that a judge could have been asked about, and that needed none.
        input_tokens: Of all replies, as far as the provider says.
        output_tokens: Likewise.
    """

    calls: int = 0
    asked: int = 0
    saved: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


class WatchedResolution:
    """A resolution whose judge calls are counted; ``context`` holds the judge that counts them."""

    def __init__(self, resolution: PolicyResolution, context: Context) -> None:
        self._resolution = resolution
        self.calls = self._input = self._output = 0
        self._asked: set[str] = set()
        self._spared: set[str] = set()
        judge = None if context.judge is None else _CountedJudge(as_judge(context.judge), self)
        self.context = dataclasses.replace(context, judge=judge)

    @property
    def asks(self) -> bool:
        """Whether a model may be asked at all."""
        return self.context.judge is not None and self._resolution.asks

    @property
    def counts(self) -> JudgeCounts:
        """What it came to. Parallel edges may be compared several times: an attribute is one."""
        spared = len(self._spared - self._asked)
        return JudgeCounts(self.calls, len(self._asked), spared, self._input, self._output)

    def called(self) -> None:
        """Counts a request."""
        self.calls += 1

    def answered(self, reply: JudgeReply) -> None:
        """Counts what a reply took."""
        self._input += reply.input_tokens
        self._output += reply.output_tokens

    def settled(self, path: str | None, *, asked: bool) -> None:
        """Counts an attribute that was compared, with or without the judge."""
        (self._asked if asked else self._spared).add(str(path))

    def choose(self, side: Side, types: tuple[str, ...], element: str, attribute: str) -> Chosen:
        """As the resolution chooses; what may need a judge is watched."""
        chosen = self._resolution.choose(side, types, element, attribute)
        if chosen.verifier is None or not chosen.verifier.needs_judge:
            return chosen
        return dataclasses.replace(chosen, verifier=_Watched(chosen.verifier, self))


class _CountedJudge:
    def __init__(self, judge: Judge, watch: WatchedResolution) -> None:
        self._judge, self._watch, self.name = judge, watch, judge.name

    async def ask(
        self, prompt: str, *, system: str, temperature: float, seed: int, logprobs: bool
    ) -> JudgeReply:
        self._watch.called()
        reply = await self._judge.ask(
            prompt, system=system, temperature=temperature, seed=seed, logprobs=logprobs
        )
        if isinstance(reply, JudgeReply):
            self._watch.answered(reply)
        return reply


class _Watched(Verifier):
    """Another verifier, and whether it came to ask the judge."""

    def __init__(self, inner: Verifier, watch: WatchedResolution) -> None:
        self._inner, self._watch = inner, watch
        self.kind = inner.kind  # type: ignore[misc]

    def inner(self) -> Sequence[Verifier]:
        return [self._inner]

    async def acompare(self, actual: Any, expected: Any, context: Context) -> VerdictScore:
        if context.judge is None and self._watch.context.judge is not None:
            # A pair of parallel edges that may not be the one: nothing is settled yet.
            return await self._inner.averify(actual, expected, context=context)
        before = self._watch.calls
        try:
            verdict = await self._inner.averify(actual, expected, context=context)
        finally:
            if self._watch.calls > before:
                self._watch.settled(context.path, asked=True)
        if self._watch.calls == before:
            self._watch.settled(context.path, asked=False)
        return verdict

    @classmethod
    def self_test(cls) -> Sequence[Example]:
        return []  # never registered: it stands in for a verifier that has its own
