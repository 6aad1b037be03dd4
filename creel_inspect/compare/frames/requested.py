"""Which cases a log was asked for, those that it never came to included."""

from collections.abc import Sequence

from inspect_ai.log import EvalLog, EvalSampleSummary


def requested(log: EvalLog, samples: Sequence[EvalSampleSummary]) -> tuple[list[str], int]:
    """The ids of the cases, and how many more there were whose ids are not known.

    Logs of today name them. One that does not tells how many its dataset has, and the limit; ids
    that are numbers from 1, as Inspect gives them, are filled in.

    Args:
        log: The log's header.
        samples: Its samples.
    """
    dataset, config = log.eval.dataset, log.eval.config
    if dataset.sample_ids:
        return [str(case) for case in dataset.sample_ids], 0
    seen = list(dict.fromkeys(sample.id for sample in samples))
    total = dataset.samples or 0
    limit = config.limit
    start, end = (0, limit) if limit is None or isinstance(limit, int) else limit
    end = total if end is None else min(end, total)
    if config.sample_id is not None:
        start, end = 0, len(seen)  # some were picked, perhaps by a pattern
    if len(seen) >= end - start:
        return [str(case) for case in seen], 0
    numbers = range(start + 1, end + 1)
    if seen and not dataset.shuffled and set(seen) <= set(numbers):
        return [str(number) for number in numbers], 0
    return [str(case) for case in seen], end - start - len(seen)
