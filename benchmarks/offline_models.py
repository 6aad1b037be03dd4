"""What the three offline models score, on each case file and corpus.

``creel/reference`` has to score 1.0 and ``creel/near-miss`` 0.0 on every file: otherwise a case is
bad, or the scorer is. ``creel/baseline`` is an honest floor, shown beside always refusing.

    python benchmarks/offline_models.py [--real FOLDER]

With ``--real``, also on the real reactions that ``real_reactions.py`` fetches into FOLDER.
"""

import argparse
import tempfile
from collections import Counter
from pathlib import Path

from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from real_reactions import fetch
from rich.console import Console
from rich.table import Table

from creel_inspect import nl_search

MODELS = ("reference", "near-miss", "baseline")


def row(log: EvalLog) -> list[str]:
    """The figures of one log, as the log states them."""
    if log.status != "success" or log.results is None:
        raise SystemExit(f"{log.eval.model}: {log.status}: {log.error}")
    [score] = log.results.scores
    metrics = {name: f"{metric.value:.3f}" for name, metric in score.metrics.items()}
    reasons = Counter(
        found.reason
        for sample in log.samples or []
        for found in (sample.scores or {}).values()
        if not isinstance(found.value, dict)
    )
    unscored = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items())) or "0"
    interval = f"{metrics['accuracy_low']}-{metrics['accuracy_high']}"
    shown = ["accuracy_feasible", "refused_infeasible", "over_refusal", "always_refusing"]
    errored = log.results.total_samples - log.results.completed_samples
    return [
        str(log.results.total_samples),
        metrics["accuracy"],
        interval,
        *(metrics.get(name, "-") for name in shown),
        unscored,
        str(errored),
    ]


def main() -> None:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=Path, help="a folder for the real reactions")
    args = parser.parse_args()
    corpora = ["demo"] + ([str(fetch(args.real))] if args.real else [])
    table = Table(
        "corpus", "cases", "model", "n", "accuracy", "95 %", "feasible", "refused infeasible",
        "over-refusal", "always refusing", "unscored", "errored",
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as logs:
        for corpus in corpora:
            for cases in (None, "ord-schema"):
                for model in MODELS:
                    task = nl_search(cases=cases, corpus=corpus)
                    [log] = inspect_eval(task, model=f"creel/{model}", log_dir=logs, display="none")
                    name = "demo" if corpus == "demo" else "real"
                    table.add_row(name, cases or "bundled", model, *row(log))
                table.add_section()
    Console(width=150).print(table)


if __name__ == "__main__":
    main()
