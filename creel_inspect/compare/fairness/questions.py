"""Questions too long for a log's summaries, looked at whole.

Inspect cuts inputs and targets in its summaries of samples, and puts a word in place of an image.
What a task of this package asks is known by its fingerprints all the same; of others' tasks, two
questions that differ only after the cut would be taken for one.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pandas as pd
from inspect_ai.log import EvalSample

from creel_inspect.compare.differences.whole import Place, read_whole

MOST_READ = 2_000
"""Samples that are read for this at most; more would take too long."""
_CUT = 5_120
"""Characters of a text that Inspect's summaries keep."""


@dataclass(frozen=True)
class Whole:
    """What whole questions tell.

    Attributes:
        other: Cases whose question or target is another in another run.
        unseen: Cases that were cut, and could not be looked at in all runs.
        unread: Cases of which it is not known whether they were cut, for their number.
    """

    other: list[str]
    unseen: list[str]
    unread: list[str]


def whole_questions(rows: pd.DataFrame) -> Whole:
    """Reads one sample of each case, and of those that were cut one of each run."""
    ran = rows[(rows["log"] != "") & (rows["state"] != "not_run")]
    places: dict[str, list[Place]] = defaultdict(list)
    for case, log, epoch in ran.drop_duplicates(["case", "run_id"])[
        ["case", "log", "log_epoch"]
    ].itertuples(index=False):
        places[case].append(Place(log, case, int(epoch)))
    several = {case: one for case, one in places.items() if len(one) > 1}
    if len(several) > MOST_READ:
        return Whole([], [], sorted(several))
    first = read_whole(one[0] for one in several.values())
    long = [case for case, one in several.items() if _is_cut(first[one[0]])]
    if sum(len(several[case]) for case in long) > MOST_READ:
        return Whole([], sorted(long), [])
    samples = read_whole(place for case in long for place in several[case])
    other, unseen = [], []
    for case in sorted(long):
        found = [samples[place] for place in several[case]]
        digests = {_digest(one) for one in found if not isinstance(one, str)}
        if len(digests) > 1:
            other.append(case)
        elif any(isinstance(one, str) for one in found):
            unseen.append(case)
    return Whole(other, unseen, [])


def _is_cut(sample: EvalSample | str) -> bool:
    return not isinstance(sample, str) and any(
        not isinstance(part, str) or len(part) > _CUT for part in _parts(sample)
    )


def _parts(sample: EvalSample) -> Iterable[Any]:
    """The texts of a sample's input and target, and what is no text, such as an image."""
    yield from [sample.target] if isinstance(sample.target, str) else sample.target
    for message in [sample.input] if isinstance(sample.input, str) else sample.input:
        content = message if isinstance(message, str) else message.content
        if isinstance(content, str):
            yield content
            continue
        for one in content:
            yield one.text if one.type == "text" else one.model_dump(mode="json")


def _digest(sample: EvalSample) -> str:
    text = json.dumps(list(_parts(sample)), sort_keys=True, default=str)
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
