"""How much faster than upstream's own evaluation are the same questions asked, of the same model?

Both sides put ord-schema's own cases to one local server that speaks the Anthropic Messages API,
waits before each answer as a model would, and answers each question with the case's own reference:
this package as ``inspect eval``, and ord-schema as ``python -m ord_schema.search.nl_eval``. Both
search the demo corpus, through the same derived artifacts.

Each side is a process of its own. Seconds are counted

- *to the last score*: from the first request that reaches the server. Here the last score's own
  time is in the log; ord-schema writes none, but prints its report as soon as it has the last one.
- *to the report*: from the same request to the line of output that states the scores. Here that
  line comes after the log has been written and read again.
- *in all*: from starting the process to its end, imports and opening the corpus included.

    python benchmarks/throughput.py [--seconds 1] [--connections 20] [--json]
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from importlib import resources
from pathlib import Path

from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log

from creel_inspect.search.corpus import Artifacts, derive

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.providers.loopback import (  # noqa: E402 - found through the line above
    Behaviour,
    Request,
    Script,
    Server,
    build,
    decline,
    serving,
)

LEAST_RATIO = 10
MODEL = "claude-haiku-4-5"


@dataclass(frozen=True)
class Timing:
    """One side's run: what it stated, how many requests it made, and its times in seconds."""

    stated: str
    requests: int
    first_request: float
    last_score: float
    report: float
    process: float


def main() -> int:
    """Runs both sides and prints their times; exits 1 where the ratio is below the promise."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1, help="the server's wait per answer")
    parser.add_argument("--connections", type=int, default=20, help="requests at once, here")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args()
    corpus = derive("demo")
    load = os.getloadavg()
    with serving(answers(), args.seconds) as server:
        theirs = timed(upstream(corpus), "passed", server)
    with serving(answers(), args.seconds) as server, tempfile.TemporaryDirectory() as logs:
        ours = timed(here(args.connections, logs), "requested", server)
        [found] = list_eval_logs(logs)
        log = read_eval_log(found)
    ours = replace(ours, last_score=_last_score(log) - ours.first_request)
    assert log.results is not None  # a run that stated its counts has results
    accuracy = log.results.scores[0].metrics["accuracy"].value
    names = {"last_score": "last score", "report": "report", "process": "in all"}
    ratios = {name: getattr(theirs, name) / getattr(ours, name) for name in names}
    if args.json:
        print(json.dumps({"here": asdict(ours), "upstream": asdict(theirs), "ratios": ratios}))
    else:
        print(
            f"a server that answers after {args.seconds:g} s, {args.connections} connections here"
        )
        print(f"{os.cpu_count()} cores; load before {load[0]:.1f}, which slows this package most")
        print(f"{'':<10}{'requests':>9}", *(f"{title:>11}" for title in names.values()))
        for title, side in (("here", ours), ("upstream", theirs)):
            times = (f"{getattr(side, name):>9.2f} s" for name in names)
            print(f"{title:<10}{side.requests:>9}", *times, f"  {side.stated}")
        print(f"{'ratio':<19}", *(f"{ratio:>11.1f}" for ratio in ratios.values()))
        print(f"accuracy here {accuracy:.3f}; the first ratio has to be {LEAST_RATIO} or more")
    return 0 if ratios["last_score"] >= LEAST_RATIO else 1


def _last_score(log: EvalLog) -> float:
    """When the last sample of a run was scored, in seconds since the epoch."""
    return max(
        event.timestamp.timestamp()
        for sample in log.samples or []
        for event in sample.events
        if event.event == "score"
    )


def answers() -> Script:
    """Answers each of ord-schema's questions with its own reference."""
    file = resources.files("ord_schema.search") / "nl_cases.json"
    cases = {case["question"]: case for case in json.loads(file.read_text(encoding="utf-8"))}

    def script(request: Request) -> Behaviour:
        reference = cases[request.question].get("reference")
        return build(reference) if reference else decline("the grammar does not hold this")

    return script


def upstream(corpus: Artifacts) -> list[str]:
    """ord-schema's own command over the corpus's artifacts."""
    assert corpus.arrivals is not None and corpus.pivots_dir is not None
    return [
        *(sys.executable, "-u", "-m", "ord_schema.search.nl_eval", "--model", MODEL),
        *("--projections", corpus.projections, "--structures", corpus.structures),
        *("--arrivals", corpus.arrivals, "--pivots-dir", corpus.pivots_dir),
    ]


def here(connections: int, logs: str) -> list[str]:
    """This package's command over the same corpus."""
    return [
        *(sys.executable, "-u", "-m", "inspect_ai", "eval", "creel_inspect/nl_search"),
        *("--model", f"anthropic/{MODEL}", "--max-connections", str(connections)),
        *("-T", "cases=ord-schema", "-T", "corpus=demo", "--log-dir", logs, "--display", "none"),
    ]


def timed(command: list[str], states: str, server: Server) -> Timing:
    """Runs a command until it ends, noting when it first says the scores.

    Args:
        command: What to run.
        states: A word that only the line with the scores holds, after a number or before one.
        server: The server it asks.

    Raises:
        RuntimeError: If it fails, or never states any scores.
    """
    environment = {
        **os.environ,
        "ANTHROPIC_BASE_URL": server.url,
        "ANTHROPIC_API_KEY": "local",
        "ORD_ANTHROPIC_API_KEY": "local",
    }
    pattern = re.compile(rf"\d+ {states}|{states} \d+")
    said, stated, stated_at = [], "", 0.0
    started = time.time()
    with subprocess.Popen(
        command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            said.append(line)
            if not stated and pattern.search(line):
                stated, stated_at = line.strip(), time.time()
    ended = time.time()
    if process.returncode or not stated:
        raise RuntimeError(f"{' '.join(command)} stated no scores:\n{''.join(said)}")
    first = min(request.seen for request in server.requests)
    report = stated_at - first
    return Timing(stated, len(server.requests), first, report, report, ended - started)


if __name__ == "__main__":
    sys.exit(main())
