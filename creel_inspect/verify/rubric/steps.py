"""Evaluation steps: written by the judge once for each criterion, and kept for the process."""

from collections.abc import Hashable, Mapping
from typing import Generic, TypeVar

import anyio
import anyio.lowlevel

from creel_inspect.verify.rubric.calls import Asker, judge_key
from creel_inspect.verify.rubric.form import VERSION, read_steps, steps_prompt

Kept = TypeVar("Kept")


class Keep(dict[Hashable, Kept], Generic[Kept]):
    """A dictionary of bounded size: the oldest entry goes first."""

    most = 10_000

    def keep(self, key: Hashable, value: Kept) -> Kept:
        """What is kept under a key: the value, unless there was one already."""
        kept = self.setdefault(key, value)
        while len(self) > self.most:
            self.pop(next(iter(self)), None)
        return kept


_steps: Keep[tuple[str, ...]] = Keep()
_locks: anyio.lowlevel.RunVar[dict[Hashable, anyio.Lock]] = anyio.lowlevel.RunVar("rubric_steps")


def forget_steps() -> None:
    """Has the steps of every criterion written anew."""
    _steps.clear()


async def steps_for(
    asker: Asker, criterion: str, scale: tuple[int, int], levels: Mapping[int, str]
) -> tuple[str, ...]:
    """The judge's evaluation steps for a criterion.

    They are asked for once for each criterion, scale, judge and wording of the prompts, however
    many ask for them at the same time in one event loop. A failure is not kept.

    Raises:
        VerifierError: If the judge fails, or its reply holds no steps.
    """
    key = (criterion, scale, tuple(sorted(levels.items())), judge_key(asker.judge), VERSION)
    if key in _steps:
        return _steps[key]
    locks = _locks_of_this_loop()
    if locks is None:
        return await _written(asker, criterion, scale, levels, key)
    async with locks.setdefault(key, anyio.Lock()):
        if key in _steps:
            return _steps[key]
        steps = await _written(asker, criterion, scale, levels, key)
        locks.pop(key, None)
        return steps


async def _written(
    asker: Asker,
    criterion: str,
    scale: tuple[int, int],
    levels: Mapping[int, str],
    key: Hashable,
) -> tuple[str, ...]:
    prompt = steps_prompt(criterion, scale, levels)
    reply = await asker.ask(prompt, temperature=0.0, seed=0, logprobs=False)
    return _steps.keep(key, read_steps(reply.text))


def _locks_of_this_loop() -> dict[Hashable, anyio.Lock] | None:
    """None outside an event loop, where nothing runs at the same time."""
    try:
        return _locks.get()
    except LookupError:
        locks: dict[Hashable, anyio.Lock] = {}
        _locks.set(locks)
        return locks
    except RuntimeError:
        return None
