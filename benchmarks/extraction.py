"""What extraction's scores are worth: what a right graph gets, and what one mistake costs.

- *Offline*: the task as it runs without a key, over all bundled corpora: its time, its scores by
  type, its coverage, and the cases that were added after the bindings apart from the others.
- *Renamed*: each case's right graph, under other ids and in another order, must score 1.
- *Damaged*: the right graph with one thing wrong must lose what counting says, to the last digit.
  Counting is done in ``graph_damage``, which knows nothing of the package.
- *Another case's*: the right graph of any other case of the same corpus must stay below .1.
- *Re-scored*: copies of the offline logs, scored leniently: seconds, and calls to a model, of
  which there must be none. ``inspect score`` must come to the same F1s.

It exits 1 where one of these fails. On two busy cores it takes about nine minutes; with
``--quick``, which takes one damage of each kind a case and four logs, about two and a half.

    python benchmarks/extraction.py [--logs 200] [--quick]
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from statistics import fmean
from typing import Any

import anyio
from graph_damage import KINDS, Damaged, JsonGraph, damages, other_types, renamed
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log, write_eval_log
from rich.console import Console
from rich.table import Table

from creel_inspect.extract.corpus.corpus import Corpus, bundled_corpora, load_corpus
from creel_inspect.extract.extractors.outcomes import Outcome
from creel_inspect.extract.marking.rollup import f1
from creel_inspect.extract.policy.policy import Policy, load_policy
from creel_inspect.extract.samples import LoggedCase, case_from, to_sample
from creel_inspect.extract.scored import Extracted, Scored, score_case
from creel_inspect.verify.graph.scoring import Tally

ROOT = Path(__file__).resolve().parents[1]
TASK = "creel_inspect/extraction_task.py"
MOST_OF_ANOTHER_CASE = 0.1
LENIENT = "lenient"
LATE = "late"

JUDGED_WORDS = {"lesson.text", "funds.condition"}
JUDGED = {
    ("rbm", "strict"): JUDGED_WORDS,
    ("rbm", "lenient"): JUDGED_WORDS,
    ("rbm", "judged"): JUDGED_WORDS
    | {"objective.statement", "outcome.statement", "output.statement", "indicator.name"},
    ("energy_audits", "strict"): {"measure.summary"},
    ("energy_audits", "lenient"): {"measure.summary"},
}
"""What each policy leaves to a judge where it is not written as in the right graph."""

# The command, with every request to a model counted: the count is the last line of its errors.
COUNTED = """
import sys
from inspect_ai.model import Model
made = 0
generate = Model.generate
async def counting(*args, **kwargs):
    global made
    made += 1
    return await generate(*args, **kwargs)
Model.generate = counting
from creel_inspect.cli import main
try:
    main(sys.argv[1:])
finally:
    print(made, file=sys.stderr)
"""

console = Console(width=100)


@dataclass(frozen=True)
class Case:
    """A case as a scorer sees it, and its right graph as the file has it."""

    logged: LoggedCase
    gold: JsonGraph


@dataclass(frozen=True)
class Opened:
    """A corpus: its cases by id, and its policies."""

    corpus: Corpus
    cases: Mapping[str, Case]
    policies: Sequence[Policy]


@dataclass(frozen=True)
class Cost:
    """One damage: what it took off the F1, and what counting says that it takes off."""

    kind: str
    case: str
    doubtful: bool
    found: float
    counted: float


def main() -> int:
    """Prints a table for each question; exits 1 where an answer is not what it has to be."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--logs", type=int, default=200, help="how many logs to re-score")
    parser.add_argument("--quick", action="store_true", help="a few damages, and four logs")
    args = parser.parse_args()
    load = os.getloadavg()[0]
    console.print(f"{os.cpu_count()} cores; load before {load:.1f}")
    opened = [open_corpus(name) for name in bundled_corpora()]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        ran, failures = offline(folder / "offline")
        failures += anyio.run(graphs, opened, args.quick)
        failures += rescoring(ran, folder, 4 if args.quick else args.logs)
    for failure in failures:
        console.print(f"[bold red]missed:[/] {failure}")
    if not failures:
        console.print("every limit is kept")
    return 1 if failures else 0


def open_corpus(name: str) -> Opened:
    """A bundled corpus, read once."""
    corpus = load_corpus(name)
    cases = {}
    for case in corpus.cases:
        sample = to_sample(case, corpus)
        gold = json.loads((corpus.folder / case.id / "expected_graph.json").read_text("utf-8"))
        cases[case.id] = Case(case_from(sample.metadata, str(sample.target)), gold)
    policies = [load_policy(policy, corpus.folder) for policy in corpus.policies]
    return Opened(corpus, cases, policies)


async def scored(case: Case, graph: JsonGraph, policy: Policy) -> Scored:
    """A graph, scored for a case without a judge and without looking its values up."""
    return await score_case(
        case.logged, Extracted(Outcome.EXTRACTED, graph, {}), policy, gate="off"
    )


# -- offline -------------------------------------------------------------------------------------


def offline(folder: Path) -> tuple[list[EvalLog], list[str]]:
    """Runs the task without a model for all corpora, then for each, whose logs it returns."""
    command = [sys.executable, "-m", "inspect_ai", "eval", TASK, "--display", "none"]
    started = time.perf_counter()
    run(command, "--log-dir", str(folder / "all"))
    seconds = time.perf_counter() - started
    whole = one_log(folder / "all")
    samples = whole.samples or []
    alone = _instant(whole.stats.completed_at) - _instant(whole.stats.started_at)
    console.print(
        f"\n[bold]Offline[/]: {len(samples)} cases, the whole command {seconds:.1f} s, of which "
        f"the eval {alone:.1f} s"
    )
    corpora = sorted({sample.metadata["corpus"] for sample in samples})
    _show_means(
        {name: [one for one in samples if one.metadata["corpus"] == name] for name in corpora}
    )
    _show_types(samples)
    failures = [
        f"{sample.id} ended as {sample.store.get('Extraction:outcome')}"
        for sample in samples
        if sample.store.get("Extraction:outcome") != "extracted"
    ]
    logs = []
    for name in corpora:
        run(command, "-T", f"corpus={name}", "--log-dir", str(folder / name))
        logs.append(one_log(folder / name))
    return logs, failures


def _instant(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def _show_means(by_corpus: Mapping[str, Sequence[Any]]) -> None:
    table = Table("corpus", "cases", "f1", "precision", "recall", "macro f1", "coverage", "by case")
    for name, samples in by_corpus.items():
        parts = {
            name: samples,
            "  early, with a graph": [one for one in samples if not _late(one) and _some(one)],
            "  late": [one for one in samples if _late(one)],
            "  empty": [one for one in samples if not _some(one)],
        }
        for title, some in parts.items():
            values = [one.scores["extraction"].value for one in some]
            told = [
                f"{fmean(value[key] for value in values):.3f}"
                for key in ("f1", "precision", "recall", "macro_f1")
            ]
            unscored = sum(value["unscored"] for value in values)
            marks = sum(value["marks"] for value in values)
            told.append(f"{1 - unscored / marks if marks else 1:.1%}")
            each = " ".join(f"{value['f1']:.2f}" for value in values)
            table.add_row(title, str(len(some)), *told, each)
    console.print(table)


def _late(sample: Any) -> bool:
    return LATE in sample.metadata["tags"]


def _some(sample: Any) -> bool:
    return bool(json.loads(sample.target)["nodes"])


def _show_types(samples: Sequence[Any]) -> None:
    """All cases of a corpus together."""
    found: dict[tuple[str, str], Tally] = {}
    for sample in samples:
        types = sample.scores["extraction"].metadata["figures"]["types"]
        for kind, figures in types.items():
            key = (sample.metadata["corpus"], kind)
            found[key] = found.get(key, Tally()) + Tally(
                figures["matched"],
                figures["expected"],
                figures["actual"],
                figures.get("unmeasured", 0),
            )
    table = Table("corpus", "type", "matched", "expected", "came", "unscored", "f1")
    for (corpus, kind), tally in sorted(found.items()):
        counts = (tally.matched, tally.expected, tally.actual, tally.unmeasured)
        table.add_row(corpus, kind, *map(str, counts), f"{f1(tally):.3f}")
    console.print(table)


# -- right, damaged and other graphs -------------------------------------------------------------


async def graphs(opened: Sequence[Opened], quick: bool) -> list[str]:
    """The questions that whole graphs answer."""
    return [
        *await _renamed(opened),
        *await _damaged(opened, quick),
        *await _of_other_cases(opened),
    ]


async def _renamed(opened: Sequence[Opened]) -> list[str]:
    table = Table(
        "corpus", "policy", "cases", "least f1", "least coverage", title="The right graph, renamed"
    )
    failures = []
    for one in opened:
        for policy in one.policies:
            found = [await scored(case, renamed(case.gold), policy) for case in one.cases.values()]
            least = min(each.value()["f1"] for each in found)
            coverage = min(each.rollup.coverage for each in found)
            table.add_row(
                one.corpus.name, policy.name, str(len(found)), f"{least:.6f}", f"{coverage:.1%}"
            )
            if least < 1:
                failures.append(f"{one.corpus.name}, {policy.name}: a right graph scores {least}")
    console.print(table)
    return failures


async def _damaged(opened: Sequence[Opened], quick: bool) -> list[str]:
    costs = [cost async for cost in _costs(opened, quick)]
    table = Table(
        *("one", "graphs", "mean cost", "range over cases", "counted", "largest difference"),
        title="What one mistake takes off the F1",
    )
    failures = []
    for doubtful in (False, True):
        for kind in KINDS:
            some = [one for one in costs if (one.kind, one.doubtful) == (kind, doubtful)]
            if not some:
                continue
            by_case: dict[str, list[float]] = {}
            for one in some:
                by_case.setdefault(one.case, []).append(one.found)
            means = [fmean(each) for each in by_case.values()]
            off = max(abs(one.found - one.counted) for one in some)
            table.add_row(
                f"{kind}, in doubt" if doubtful else kind,
                f"{len(some):,}",
                f"{fmean(one.found for one in some):.4f}",
                f"{min(means):.4f} to {max(means):.4f}",
                f"{fmean(one.counted for one in some):.4f}",
                f"{off:.1e}",
            )
            if not doubtful and not math.isclose(off, 0, abs_tol=1e-12):
                failures.append(f"one {kind} costs up to {off:.4f} more or less than counted")
    console.print(table)
    return failures


async def _costs(opened: Sequence[Opened], quick: bool) -> Any:
    for one in opened:
        types = other_types([case.gold for case in one.cases.values()])
        for policy in one.policies:
            judged = JUDGED[one.corpus.name, policy.name]
            for name, case in one.cases.items():
                for damaged in _chosen(damages(case.gold, types, judged), quick):
                    found = (await scored(case, damaged.graph, policy)).value()["f1"]
                    yield Cost(
                        damaged.kind,
                        f"{one.corpus.name}/{name}",
                        damaged.doubtful,
                        1 - found,
                        float(1 - damaged.f1),
                    )


def _chosen(found: Iterator[Damaged], quick: bool) -> Iterator[Damaged]:
    """All, or the first of each kind."""
    seen = set()
    for one in found:
        if not quick or (one.kind, one.doubtful) not in seen:
            seen.add((one.kind, one.doubtful))
            yield one


async def _of_other_cases(opened: Sequence[Opened]) -> list[str]:
    table = Table(
        *("corpus", "policy", "pairs", "mean f1", "largest f1", "of", "for"),
        title="The right graph of another case",
    )
    failures = []
    for one in opened:
        for policy in one.policies:
            found = {
                (of, other): (await scored(case, one.cases[of].gold, policy)).value()["f1"]
                for other, case in one.cases.items()
                for of in one.cases
                if of != other
            }
            of, other = max(found, key=lambda pair: found[pair])
            worst = found[of, other]
            table.add_row(
                one.corpus.name,
                policy.name,
                str(len(found)),
                f"{fmean(found.values()):.4f}",
                f"{worst:.4f}",
                of,
                other,
            )
            if worst >= MOST_OF_ANOTHER_CASE:
                failures.append(f"{one.corpus.name}, {policy.name}: {of} for {other}: {worst:.3f}")
    console.print(table)
    return failures


# -- re-scoring ----------------------------------------------------------------------------------


def rescoring(logs: Sequence[EvalLog], folder: Path, count: int) -> list[str]:
    """Re-scores copies of the logs, and lets ``inspect score`` do the same to one of each."""
    copies = folder / "copies"
    copied(logs, copies, count)
    command = [sys.executable, "-c", COUNTED, "extraction", "rescore"]
    started = time.perf_counter()
    found = run(command, str(copies), "--policy", LENIENT)
    seconds = time.perf_counter() - started
    calls = int(found.stderr.splitlines()[-1])
    samples = sum(len(log.samples or []) for log in logs) * count // len(logs)
    console.print(
        "\n[bold]Re-scored[/], from strict to lenient:", *_totals(found.stdout), sep="\n  "
    )
    console.print(
        f"{count} logs, {samples:,} samples: {seconds:.1f} s, {seconds / samples * 1000:.0f} ms a "
        f"sample, {calls} calls to a model"
    )
    failures = [f"re-scoring made {calls} calls to a model"] if calls else []
    for log in logs:
        failures += _as_inspect_does(log, folder)
    return failures


def _totals(report: str) -> list[str]:
    """The last line that counts the samples, and those under it."""
    lines = report.splitlines()
    first = max(place for place, line in enumerate(lines) if " samples, " in line)
    return lines[first:]


def copied(logs: Sequence[EvalLog], folder: Path, count: int) -> None:
    """Writes so many logs of these in turn, each under ids of its own."""
    folder.mkdir()
    for number in range(count):
        log = logs[number % len(logs)].model_copy(deep=True)
        log.eval.eval_id, log.eval.run_id = f"copy{number}", f"run{number}"
        log.eval.task_id = f"task{number}"
        for sample in log.samples or []:
            sample.uuid = f"{sample.uuid}-{number}"
        place = folder / f"2026-01-01T00-00-{number % 60:02d}+00-00_extraction_copy{number}.eval"
        write_eval_log(log, str(place))


def _as_inspect_does(log: EvalLog, folder: Path) -> list[str]:
    """One log by this package's command and by Inspect's own: the same F1s?"""
    name = (log.samples or [])[0].metadata["corpus"]
    place = folder / f"{name}.eval"
    write_eval_log(log, str(place))
    ours = run(
        [sys.executable, "-c", COUNTED, "extraction", "rescore"],
        *(str(place), "--policy", LENIENT, "--json"),
    )
    told = {one["sample"]: one["f1"] for one in json.loads(ours.stdout)["samples"]}
    started = time.perf_counter()
    run(
        [sys.executable, "-m", "inspect_ai", "score", str(place), "--display", "none"],
        *("--scorer", "creel_inspect/extraction", "-S", f"policy={LENIENT}"),
        *("--action", "append", "--overwrite"),
        # Not from the clone: there Inspect takes the scorer's name for the folder of that name.
        folder=folder,
    )
    seconds = time.perf_counter() - started
    after = read_eval_log(str(place))
    theirs = {
        str(sample.id): score.value["f1"]
        for sample in after.samples or []
        for score in (sample.scores or {}).values()
        if (score.metadata or {}).get("policy") == LENIENT
    }
    same = told == theirs
    console.print(
        f"{name}: inspect score, {len(theirs)} samples, {seconds:.1f} s: "
        f"{'the same F1s' if same else 'other F1s'}, models used {dict(after.stats.model_usage)}"
    )
    return [] if same else [f"{name}: inspect score and rescore come to other F1s"]


def one_log(folder: Path) -> EvalLog:
    """The one log of a folder, which must have ended well."""
    [found] = list_eval_logs(str(folder))
    log = read_eval_log(found, resolve_attachments=True)
    if log.status != "success":
        raise RuntimeError(f"the run ended as {log.status}: {log.error}")
    return log


def run(
    command: Sequence[str], *arguments: str, folder: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, without keys or a model of one's own."""
    environment = {key: value for key, value in os.environ.items() if key != "INSPECT_EVAL_MODEL"}
    try:
        return subprocess.run(
            [*command, *arguments],
            cwd=folder,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
    except subprocess.CalledProcessError as error:
        raise RuntimeError(f"{arguments}: {error.stderr[-2000:]}") from error


if __name__ == "__main__":
    sys.exit(main())
