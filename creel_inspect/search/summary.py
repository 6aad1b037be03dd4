"""What a run measured and what it did not, printed when a search run ends.

Inspect's metrics see scored samples only, so a rate alone does not say how much was left out. The
counts beside it come from the log's own results.
"""

from collections import Counter

from inspect_ai.hooks import Hooks, RunEnd, hooks
from inspect_ai.log import EvalLog
from rich.console import Console
from rich.markup import escape


@hooks(name="creel_search_summary", description="Counts beside the metrics of a search run")
class SearchSummary(Hooks):
    """Prints requested, scored, unscored and errored samples of each search task of a run."""

    async def on_run_end(self, data: RunEnd) -> None:
        """Prints one line a task."""
        console = Console(stderr=True, soft_wrap=True)
        for log in data.logs:
            if "case_fingerprint" in (log.eval.metadata or {}):
                console.print(escape(counts_line(log)), highlight=False)


def counts_line(log: EvalLog) -> str:
    """One line: how many samples were asked for, and what became of them.

    Epochs count as samples, as they do in Inspect. Reasons are listed where the log has samples.
    """
    results = log.results
    requested = results.total_samples if results else 0
    completed = results.completed_samples if results else 0
    errored = requested - completed
    scored = requested - errored
    reasons: Counter[str] = Counter()
    for sample in log.samples or []:
        for score in (sample.scores or {}).values():
            if isinstance(score.value, float) and score.value != score.value:
                reasons[score.reason or "unscored"] += 1
    unscored = sum(reasons.values())
    listed = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
    return (
        f"{log.eval.model}: requested {requested} · scored {scored - unscored} · "
        f"unscored {unscored}{f' ({listed})' if listed else ''} · errored {errored}"
    )
