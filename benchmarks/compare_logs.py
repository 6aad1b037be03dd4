"""How long it takes to read many logs, beside Inspect's own ``samples_df``.

Writes 200 and 1,000 logs of 30 samples like those of ``nl_search``, and reads each set with
``load_frame`` and with ``samples_df`` (its summary columns), by turns, each time in a process of
its own. Prints the medians, and exits with 1 where ``load_frame`` is the slower one.

    python benchmarks/compare_logs.py [--logs 200 1000] [--runs 3]
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalMetric,
    EvalPlan,
    EvalPlanStep,
    EvalResults,
    EvalSample,
    EvalScore,
    EvalSpec,
    EvalStats,
    HeadlineMetric,
    write_eval_log,
)
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelOutput, ModelUsage
from inspect_ai.scorer import Score

SAMPLES = 30
MODELS = 20
_WHEN = "2026-01-01T00:00:00+00:00"
_TEXT = (
    "The wording waives the salt, which is same_parent; same_compound keeps the two apart and "
    "returns only the reactions that used the free base. "
)


def write_logs(folder: Path, count: int) -> None:
    """Writes one log with Inspect, and the rest as copies of it with other names inside."""
    pattern = folder / "2026-01-01T00-00-00-00-00_nl-search_TASKID000000.eval"
    write_eval_log(_log(), str(pattern))
    with zipfile.ZipFile(pattern) as file:
        members = [(one, file.read(one)) for one in file.infolist()]
    pattern.unlink()
    for number in range(count):
        # The names have one length, so that nothing but the names differs.
        model, task = f"mockllm/model-{number % MODELS:03d}".encode(), f"{number:06d}".encode()
        name = f"2026-01-01T00-00-00-00-00_nl-search_TASKID{number:06d}.eval"
        with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as copy:
            for info, content in members:
                told = content.replace(b"mockllm/model-XXX", model).replace(b"000000", task)
                copy.writestr(info.filename, told)


def _log() -> EvalLog:
    query = {
        "where": {
            "op": "exists",
            "path": "inputs.components",
            "where": {"op": "same_parent", "path": "smiles", "smiles": "CCN=C=NCCCN(C)C"},
        }
    }
    opening = {"engine": "ord", "engine_args": {"corpus": "demo", "require_current": True}}
    fingerprints = {
        "case_fingerprint": "c18a99d37900",
        "corpus_fingerprint": "d626c586f014",
        "prompt_fingerprint": "5c79efe5513d",
        "scorer_fingerprint": "a817edcd619e",
        "engine": "ord-schema 0.9.6, rdkit 2026.9.1, duckdb 1.5.6",
    }
    params = {**opening, "timeout_seconds": 300, "wrong_penalty": 1.0}
    samples = [_sample(number, query) for number in range(SAMPLES)]
    return EvalLog(
        status="success",
        eval=EvalSpec(
            run_id="RUN000000",
            eval_id="EVAL000000",
            created=_WHEN,
            task="creel_inspect/nl_search",
            task_id="TASKID000000",
            task_version=1,
            task_args={"cases": None, "corpus": None, "repair": 1, "prompt": None},
            model="mockllm/model-XXX",
            dataset=EvalDataset(
                name="cases", samples=SAMPLES, sample_ids=[str(one.id) for one in samples]
            ),
            config=EvalConfig(epochs=1),
            packages={"inspect_ai": "0.3.285", "creel-inspect": "0.1.0"},
            metadata=fingerprints,
            headline_metric=HeadlineMetric(scorer="search_answer", metric="accuracy"),
        ),
        plan=EvalPlan(
            steps=[
                EvalPlanStep(
                    solver="creel_inspect/translate",
                    params={**opening, "prompt": None, "repair": 1},
                )
            ]
        ),
        results=EvalResults(
            total_samples=SAMPLES,
            completed_samples=SAMPLES,
            scores=[
                EvalScore(
                    name="search_answer",
                    scorer="search_answer",
                    params=params,
                    metrics={"accuracy": EvalMetric(name="accuracy", value=0.5)},
                )
            ],
            headline=HeadlineMetric(scorer="search_answer", metric="accuracy"),
        ),
        stats=EvalStats(started_at=_WHEN, completed_at=_WHEN),
        samples=samples,
    )


def _sample(number: int, query: dict[str, Any]) -> EvalSample:
    right = number % 2 == 0
    attempts = [
        {
            "outcome": "answered",
            "calls": [{"tool": "build_query", "arguments": query}],
            "rejection": None,
        }
    ]
    case = f"case-{number:03d}-free-or-hydrochloride"
    asked = "Reactions with the carbodiimide EDC among their inputs, as free base or as its salt."
    return EvalSample(
        id=case,
        epoch=1,
        uuid=f"UUID000000-{number:03d}",
        input=f"{asked} ({number})",
        target=json.dumps(query),
        messages=[
            ChatMessageUser(content=f"{asked} ({number})"),
            ChatMessageAssistant(content=json.dumps(query)),
        ],
        output=ModelOutput.from_content("mockllm/model-XXX", json.dumps(query)),
        metadata={
            "why": _TEXT,
            "tags": ["structure", "salt"],
            "feasible": True,
            "pair": None,
            "corpus_fingerprint": None,
            "adequate": True,
            "searched": {
                "engine": "ord",
                "engine_args": {"corpus": "demo", "require_current": True, "resolver": "local"},
                "corpus_fingerprint": "d626c586f014",
            },
            "case": {"id": case, "text": _TEXT * 10},
        },
        scores={
            "search_answer": Score(
                value={
                    "correct": int(right),
                    "feasible": 1,
                    "refused": 0,
                    "first_try": int(right),
                    "malformed": 0,
                    "no_call": 0,
                    "points": 1.0 if right else -1.0,
                },
                answer=json.dumps(query),
                explanation=f"**{'Right' if right else 'Wrong'}** {_TEXT * 7}",
                metadata={
                    "outcome": "answered",
                    "correct": right,
                    "attempts": attempts,
                    "first_try": right,
                    "query": query,
                    "reference": query,
                    "declined_reason": None,
                    "tool_choice_degraded": False,
                    "corpus_fingerprint": "d626c586f014",
                    "rows_expected": 25,
                },
            )
        },
        model_usage={
            "mockllm/model-XXX": ModelUsage(input_tokens=7277, output_tokens=12, total_tokens=7289)
        },
        started_at=_WHEN,
        completed_at="2026-01-01T00:00:03+00:00",
        total_time=2.942,
        working_time=0.21,
    )


def read_with_load_frame(folder: str) -> int:
    """The frame of this package."""
    from creel_inspect.compare import load_frame  # noqa: PLC0415

    return len(load_frame(folder))


def read_with_samples_df(folder: str) -> int:
    """Inspect's, with its summary columns."""
    from inspect_ai.analysis import samples_df  # noqa: PLC0415

    return len(samples_df(folder, quiet=True))


def read_and_compare(folder: str) -> int:
    """The frame, and all that ``compare`` finds in it."""
    from creel_inspect.compare import compare, load_frame  # noqa: PLC0415

    return sum(len(one.rows) for one in compare(load_frame(folder)).comparisons)


READERS: dict[str, Callable[[str], int]] = {
    "load_frame": read_with_load_frame,
    "samples_df": read_with_samples_df,
    "load_frame + compare": read_and_compare,
}


def measure(reader: str, folder: str) -> None:
    """In a process of its own: seconds after imports, and the most memory held."""
    import inspect_ai.analysis  # noqa: F401, PLC0415

    import creel_inspect.compare.frames.loading  # noqa: PLC0415

    if reader == "load_frame + compare":
        import creel_inspect.compare.comparing  # noqa: F401, PLC0415
    start = time.perf_counter()
    rows = READERS[reader](folder)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "peak_mb": peak, "rows": rows}))


def measured(reader: str, folder: Path) -> dict[str, float]:
    """What ``measure`` says."""
    done = subprocess.run(
        [sys.executable, __file__, "--measure", reader, str(folder)],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--logs", type=int, nargs="+", default=[200, 1000])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--frames-only", action="store_true", help="Leave `compare` out.")
    parser.add_argument("--measure", nargs=2, metavar=("READER", "FOLDER"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        measure(*given.measure)
        return 0
    readers = ["load_frame", "samples_df"] + ["load_frame + compare"] * (not given.frames_only)
    slower = False
    print(f"{'logs':>5} {'samples':>8}  {'':22} {'seconds':>8} {'peak MB':>8}")
    for count in given.logs:
        with tempfile.TemporaryDirectory() as folder:
            write_logs(Path(folder), count)
            found: dict[str, list[dict[str, float]]] = {reader: [] for reader in readers}
            for _ in range(given.runs):
                for reader in readers:
                    found[reader].append(measured(reader, Path(folder)))
        median = {
            reader: {
                name: statistics.median(one[name] for one in each)
                for name in ("seconds", "peak_mb")
            }
            for reader, each in found.items()
        }
        for reader, one in median.items():
            print(
                f"{count:>5} {count * SAMPLES:>8}  {reader:22} "
                f"{one['seconds']:>8.2f} {one['peak_mb']:>8.0f}"
            )
        own, other = median["load_frame"], median["samples_df"]
        print(
            f"{'':14}  {'load_frame/samples_df':22} "
            f"{own['seconds'] / other['seconds']:>8.2f} {own['peak_mb'] / other['peak_mb']:>8.2f}"
        )
        rows = {one["rows"] for reader in readers[:2] for one in found[reader]}
        assert rows == {count * SAMPLES}, rows
        slower |= own["seconds"] > other["seconds"]
    return int(slower)


if __name__ == "__main__":
    sys.exit(main())
