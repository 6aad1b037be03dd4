"""What a run measured and what it did not, printed when a run of these tasks ends.

Inspect's metrics see scored samples only, so a rate alone does not say how much was left out. The
counts beside it come from the log's own results.
"""

import math
from collections import Counter
from collections.abc import Sequence

from inspect_ai.hooks import Hooks, RunEnd, hooks
from inspect_ai.log import (
    EvalLog,
    EvalSampleSummary,
    read_eval_log_sample_summaries_async,
)
from inspect_ai.scorer import Score
from rich.console import Console
from rich.markup import escape


@hooks(name="creel_summary", description="Counts beside the metrics of a run")
class RunSummary(Hooks):
    """Prints what became of the samples of each of this package's tasks in a run."""

    async def on_run_end(self, data: RunEnd) -> None:
        """Prints one line a task."""
        console = Console(stderr=True, soft_wrap=True)
        for log in data.logs:
            if "case_fingerprint" in (log.eval.metadata or {}):
                samples = await _summaries(log)
                console.print()  # Inspect's own display ends in the middle of a line
                console.print(escape(counts_line(log, samples)), highlight=False)


async def _summaries(log: EvalLog) -> Sequence[EvalSampleSummary] | None:
    """The log's samples in brief: the command line hands a hook the log's header alone."""
    try:
        return await read_eval_log_sample_summaries_async(log.location)
    except (OSError, ValueError, LookupError):  # no file, or none yet
        return None


def counts_line(log: EvalLog, samples: Sequence[EvalSampleSummary] | None = None) -> str:
    """One line: how many samples were asked for, and what became of them.

    Epochs count as samples, as they do in Inspect.

    Args:
        log: The log; its header is enough.
        samples: Its samples in brief; those in the log itself by default. Without either, the
            reasons for unscored samples are not known.
    """
    results = log.results
    known = samples if samples is not None else log.samples
    if results is None and known and all(sample.error for sample in known):
        # Inspect writes no results where nothing was completed.
        count = len(known)
        return f"{log.eval.model}: requested {count} · scored 0 · unscored 0 · errored {count}"
    if results is None:
        return f"{log.eval.model}: no results, since the run ended as: {log.status}"
    requested, completed = results.total_samples, results.completed_samples
    reasons: Counter[str] = Counter()
    for sample in known or []:
        scores = list((sample.scores or {}).values())
        # An errored sample may carry a score, and is counted as errored alone.
        if sample.error is None and scores and all(_is_unscored(score) for score in scores):
            reasons[scores[0].reason or "unscored"] += 1
    unscored = sum(reasons.values())
    if known is None and results.scores:
        unscored = results.scores[0].unscored_samples or 0
    listed = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
    return (
        f"{log.eval.model}: requested {requested} · scored {completed - unscored} · "
        f"unscored {unscored}{f' ({listed})' if listed else ''} · errored {requested - completed}"
    )


def _is_unscored(score: Score) -> bool:
    return isinstance(score.value, float) and math.isnan(score.value)
