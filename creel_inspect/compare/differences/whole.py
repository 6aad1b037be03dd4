"""Whole samples, read from logs on demand."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from inspect_ai.log import EvalSample, read_eval_log, read_eval_log_samples_by_id

# What a conversation is made of, and no result needs: most of a log's bytes.
_NOT_NEEDED = {"store", "events", "messages", "output"}


class Place(NamedTuple):
    """Where a sample stands."""

    log: str
    sample: str
    epoch: int


def read_whole(places: Iterable[Place]) -> dict[Place, EvalSample | str]:
    """The samples at some places, or why one cannot be read.

    Samples of one log are read at once, through one reading of its table of contents.
    """
    by_log: dict[str, list[Place]] = defaultdict(list)
    for place in sorted(set(places)):
        by_log[place.log].append(place)
    found: dict[Place, EvalSample | str] = {}
    for log, wanted in by_log.items():
        found.update(_of_log(log, wanted))
    return found


def _of_log(log: str, wanted: list[Place]) -> Mapping[Place, EvalSample | str]:
    if not log:
        return dict.fromkeys(wanted, "no log holds it")
    try:
        if log.endswith(".json"):
            # Reading one sample of such a log reads all of it.
            samples = read_eval_log(log, resolve_attachments="core").samples or []
            held = {Place(log, str(one.id), one.epoch): one for one in samples}
            return {place: held.get(place, "the log no longer holds it") for place in wanted}
        return dict(zip(wanted, _read(log, wanted), strict=True))
    except Exception as error:
        if len(wanted) == 1 or not isinstance(error, IndexError):
            return dict.fromkeys(wanted, _why(error))
        # One of them is not there: which one, only reading each tells.
        return {place: one for each in wanted for place, one in _of_log(log, [each]).items()}


def _read(log: str, wanted: list[Place]) -> list[EvalSample]:
    return read_eval_log_samples_by_id(
        log,
        [(place.sample, place.epoch) for place in wanted],
        resolve_attachments="core",
        exclude_fields=_NOT_NEEDED,
    )


def _why(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "the log is no longer there"
    if isinstance(error, IndexError | KeyError):
        return "the log no longer holds it"
    return f"the log cannot be read: {type(error).__name__}"


def plain_text(content: Any) -> str:
    """A sample's input or target as text: messages and several targets one after the other."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n\n".join(plain_text(one) for one in content)
    text = getattr(content, "text", None)
    return text if isinstance(text, str) else str(content)


def search_case(sample: EvalSample) -> Mapping[str, Any] | None:
    """The case of a sample of the search task, as its file has it."""
    case = (sample.metadata or {}).get("case")
    return case if isinstance(case, dict) else None


def pretty(value: Any) -> str:
    """A value as JSON for a person; as Python has it where JSON cannot hold it."""
    try:
        return json.dumps(value, indent=1, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return str(value)
