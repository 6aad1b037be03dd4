"""Which log files paths stand for, and reading many of them at once."""

import asyncio
import gc
import os
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar
from urllib.parse import unquote, urlsplit

import anyio
from inspect_ai.log import (
    EvalLog,
    EvalSampleSummary,
    list_eval_logs,
    read_eval_log_async,
    read_eval_log_sample_summaries_async,
)

from creel_inspect.compare.frames.secrets import plain_place, without_secrets
from creel_inspect.compare.refusing import CompareError
from creel_inspect.compare.wording import one_line
from creel_inspect.verify.plain import shown

Side = Literal["", "base", "new"]

_AT_ONCE = 16
"""Logs that are open at a time: enough to hide a remote store's delays, few enough for memory."""

_Made = TypeVar("_Made")
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Place:
    """A log file.

    Attributes:
        location: Its path, or its URL as Inspect takes it.
        side: Which of two paths it was found under; empty where there are not two.
        changed: When the file was last written, in seconds; 0 where that is not known.
    """

    location: str
    side: Side
    changed: float

    @property
    def shown(self) -> str:
        """Where it lies, for a person to read."""
        return one_line(plain_place(self.location))


def find_logs(paths: Sequence[str]) -> list[Place]:
    """The log files that paths stand for, each once.

    Args:
        paths: Log files, or folders that hold some at any depth; here or at a URL.

    Raises:
        CompareError: If one is not there, holds no logs, or cannot be looked into; or if two paths
            share a log.
    """
    if not paths:
        raise CompareError("no path was given: expected log files, or folders with logs in them")
    sides: list[Side] = ["base", "new"] if len(paths) == 2 else [""] * len(paths)
    found: dict[str, Place] = {}
    for path, side in zip(paths, sides, strict=True):
        for location, changed in _under(path):
            key = _same_file(location)
            place = Place(location, side, changed)
            if side and key in found and found[key].side != side:
                raise CompareError(
                    f"{place.shown} is in both paths; of two paths the first is the base "
                    "and the second what is new, and they share nothing: name one folder for a "
                    "comparison of all runs in it"
                )
            found.setdefault(key, place)
    return list(found.values())


def _under(path: str) -> list[tuple[str, float]]:
    local, told = _local(path), one_line(plain_place(path))
    if local is not None and local.is_file():
        return [(str(local), local.stat().st_mtime)]
    if local is not None and not local.is_dir():
        raise CompareError(f"{told}: there is no such file or folder")
    if local is None and urlsplit(path).path.endswith((".eval", ".json")):
        return [(path, 0.0)]
    try:
        inside = list_eval_logs(str(local) if local is not None else path, descending=False)
    except Exception as error:  # whatever a store makes its library raise
        raise CompareError(
            f"{told}: its logs cannot be listed ({_why(error)}); name the log "
            "files themselves, or a folder that can be listed"
        ) from error
    if not inside:
        missing = "" if local is not None else ", or there is no such folder"
        raise CompareError(
            f"{told}: no logs in it{missing}; expected Inspect's .eval or .json files"
        )
    # Names of local files are listed as `file://` and the path as it is, with nothing quoted.
    return [(one.name.removeprefix("file://"), one.mtime or 0.0) for one in inside]


def _why(error: Exception) -> str:
    return shown(without_secrets(str(error)), 200)


def _local(path: str) -> Path | None:
    """A path of this machine; None for a URL elsewhere."""
    if path.startswith("file://"):
        # As Inspect writes it, or as a URL is written.
        plain = Path(path.removeprefix("file://"))
        return plain if plain.exists() else Path(unquote(urlsplit(path).path))
    return None if "://" in path else Path(path)


def _same_file(location: str) -> str:
    return location if "://" in location else os.path.realpath(location)


def read_logs(
    places: Sequence[Place],
    make: Callable[[Place, EvalLog, list[EvalSampleSummary]], _Made],
) -> tuple[list[_Made], list[str]]:
    """Makes something of each log's header and sample summaries, which are then let go.

    Args:
        places: The logs.
        make: Called with each log that can be read, in no particular order. What it raises is
            raised here.

    Returns:
        What was made, in the order of the places; and notes, which logs could not be read and why.
    """
    with _collecting_later():
        return _run(partial(_read_all, places, make))


@contextmanager
def _collecting_later() -> Iterator[None]:
    """Leaves cyclic garbage alone meanwhile: summaries hold no cycles, and looking for some among
    the rows of thousands of logs takes a tenth of the time."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


async def _read_all(
    places: Sequence[Place],
    make: Callable[[Place, EvalLog, list[EvalSampleSummary]], _Made],
) -> tuple[list[_Made], list[str]]:
    made: dict[int, _Made] = {}
    faults: dict[int, str] = {}
    waiting = iter(enumerate(places))
    raised: list[Exception] = []

    async def work() -> None:
        for number, place in waiting:
            if raised:
                return
            try:
                header = await read_eval_log_async(place.location, header_only=True)
                samples = await read_eval_log_sample_summaries_async(place.location)
            except Exception as error:  # whatever a broken file makes Inspect raise
                faults[number] = (
                    f"{place.shown} cannot be read as a log and is left out: "
                    f"{type(error).__name__}: {_why(error)}"
                )
                continue
            try:
                made[number] = make(place, header, samples)
            except Exception as error:
                raised.append(error)  # outside, so that it is not wrapped into a group
                return

    async with anyio.create_task_group() as group:
        for _ in range(min(_AT_ONCE, len(places))):
            group.start_soon(work)
    if raised:
        raise raised[0]
    return [made[number] for number in sorted(made)], [faults[number] for number in sorted(faults)]


def _run(work: Callable[[], Coroutine[Any, Any, _Result]]) -> _Result:
    """Runs a coroutine to its end, in a notebook too, where a loop is running already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return anyio.run(work)
    with ThreadPoolExecutor(max_workers=1) as beside:
        return beside.submit(anyio.run, work).result()
