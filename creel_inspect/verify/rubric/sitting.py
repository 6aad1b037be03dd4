"""All forms that one verdict needs: in several orders of the rubric, and in one mode of reading."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import Literal

from creel_inspect.verify.protocol import Code, JudgeReply, VerifierError
from creel_inspect.verify.rubric.calls import Asker, judge_key
from creel_inspect.verify.rubric.form import Form, FormFault, again_prompt, form_prompt, read_form
from creel_inspect.verify.rubric.steps import Keep
from creel_inspect.verify.rubric.weights import NoWeightsError, Weighted, fits_one_token, weighted

_MOST_LEVELS_LISTED = 11

_modes: Keep[tuple[str, str]] = Keep()


def forget_modes() -> None:
    """Has the next form of every judge tell anew how it is read."""
    _modes.clear()


@dataclass(frozen=True)
class Order:
    """One way to show a rubric: the places of its steps, from 0, and the levels of its scale."""

    steps: tuple[int, ...]
    levels: tuple[int, ...]


def orders(
    most: int, *, steps: int, scale: tuple[int, int], levels: Mapping[int, str], seed: str
) -> tuple[Order, ...]:
    """At most ``most`` orders, all different; the first is the written one.

    Of a scale with over 11 scores, only the levels that are described are listed.
    """
    low, high = scale
    listed = tuple(sorted(levels)) if levels else tuple(range(low, high + 1))
    if not levels and len(listed) > _MOST_LEVELS_LISTED:
        listed = ()
    possible = math.factorial(steps) * math.factorial(len(listed))
    found = {Order(tuple(range(steps)), listed): None}
    draw = 0
    # Some draws repeat an order. Each is drawn by digests, which no release of Python changes.
    while len(found) < min(most, possible) and draw < 10_000:
        draw += 1
        places = sorted(range(steps), key=lambda one: _digest(f"{seed}:{draw}:step:{one}"))
        shuffled = sorted(listed, key=lambda one: _digest(f"{seed}:{draw}:level:{one}"))
        found[Order(tuple(places), tuple(shuffled))] = None
    return tuple(found)


@dataclass(frozen=True)
class Judgement:
    """One filled-in form. ``value`` is its score on the scale, weighted in ``logprobs`` mode."""

    order: Order
    sample: int
    form: Form
    value: Fraction
    weights: Weighted | None
    asked_again: bool


@dataclass(frozen=True, kw_only=True)
class Sitting:
    """What is judged, and how; ``seed`` is of the orders and of the calls."""

    asker: Asker
    criterion: str
    steps: Sequence[str]
    scale: tuple[int, int]
    levels: Mapping[int, str]
    data: str
    mode: Literal["auto", "logprobs", "sampled"]
    permutations: int
    samples: int
    seed: str

    def read_as(self) -> tuple[str | None, str]:
        """``logprobs`` or ``sampled``, and why; None while only the judge's first form can tell."""
        if self.mode != "auto":
            return self.mode, "asked for"
        if not fits_one_token(self.scale):
            return "sampled", "the scale has scores of two digits, which one token may not hold"
        return _modes.get(judge_key(self.asker.judge), (None, "not known yet"))

    async def judgements(self) -> list[Judgement]:
        """The forms, one after the other: one for each order, or ``samples`` of them if sampled.

        Raises:
            VerifierError: If one of them cannot be had or read. The mean of the rest would be
                another score, so nothing is measured.
        """
        done: list[Judgement] = []
        for number, order in enumerate(
            orders(
                self.permutations,
                steps=len(self.steps),
                scale=self.scale,
                levels=self.levels,
                seed=self.seed,
            )
        ):
            done.append(await self._judgement(number, order, 0))
            if self.read_as()[0] == "sampled":
                for sample in range(1, self.samples):
                    done.append(await self._judgement(number, order, sample))
        return done

    async def _judgement(self, number: int, order: Order, sample: int) -> Judgement:
        prompt = form_prompt(
            criterion=self.criterion,
            steps=[self.steps[place] for place in order.steps],
            scale=self.scale,
            levels=self.levels,
            order=order.levels,
            data=self.data,
        )
        # Half of four bytes: a positive number to every provider.
        seed = int.from_bytes(_digest(f"{self.seed}:{number}:{sample}:call")[:4]) >> 1
        reply, asked_again = await self._ask(prompt, seed), False
        try:
            form = read_form(reply.text, self.scale)
        except FormFault as fault:
            if fault.code != Code.JUDGEMENT_UNPARSABLE:
                raise
            reply = await self._ask(again_prompt(prompt, self.scale), seed)
            form, asked_again = read_form(reply.text, self.scale), True
        weights = self._weights(reply, form)
        value = weights.mean if weights else Fraction(form.score)
        return Judgement(order, sample, form, value, weights, asked_again)

    async def _ask(self, prompt: str, seed: int) -> JudgeReply:
        # At temperature 1 the probabilities are the model's own, whichever way a provider reports
        # them, and the first form of a judge without them is already a sample.
        wanted = self.read_as()[0] != "sampled"
        return await self.asker.ask(prompt, temperature=1.0, seed=seed, logprobs=wanted)

    def _weights(self, reply: JudgeReply, form: Form) -> Weighted | None:
        mode, _ = self.read_as()
        if mode == "sampled":
            return None
        key = judge_key(self.asker.judge)
        try:
            weights = weighted(reply, form, self.scale)
        except NoWeightsError as missing:
            if mode == "logprobs":
                raise VerifierError(
                    f"the judge {self.asker.judge.name} is read by its log-probabilities, and "
                    f"{missing}; `mode='sampled'` does without",
                    code=Code.LOGPROBS_MISSING,
                ) from None
            _modes.keep(key, ("sampled", f"told by the judge's first form: {missing}"))
            return None
        if mode is None:
            _modes.keep(key, ("logprobs", "the judge's first form came with log-probabilities"))
        return weights


def _digest(text: str) -> bytes:
    return sha256(text.encode()).digest()
