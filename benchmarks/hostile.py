"""Do the verifiers stand up to hostile pairs, and see through other ways to write the same?

Draws pairs that must not pass (hostile, broken, foreign, or different by construction) and as many
that must (equal by construction, written differently), over all kinds. Prints, for each kind: how
many passed, failed, or could not be measured; what broke the contract; and the longest call.

    python benchmarks/hostile.py [--pairs 100000] [--seed 1]

Exit status 1 if anything broke the contract: a crash, a call over a second, a NaN, a pass of a
pair that must not pass, or no pass of one that must.
"""

import argparse
import asyncio
import faulthandler
import json
import math
import time
from collections import Counter, defaultdict
from collections.abc import Iterable

from equal_pairs import equal
from hostile_pairs import Pair, hostile
from rich.console import Console
from rich.table import Table

from creel_inspect.verify import Code, Verifier, VerifierError, build_verifier, verifier_kinds

MOST_SECONDS = 1.0
HANGS_AFTER = 60


def run(
    pairs: Iterable[Pair], *, must_pass: bool, most_seconds: float | None = MOST_SECONDS
) -> tuple[dict, list[str]]:
    """Counts and longest calls by kind, and every breach of the contract, in words."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    longest: dict[str, float] = defaultdict(float)
    breaches: list[str] = []
    built: dict[str, Verifier] = {}
    for number, pair in enumerate(pairs):
        key = json.dumps([pair.kind, pair.config])
        if key not in built:
            built[key] = build_verifier(pair.kind, **pair.config)
        faulthandler.dump_traceback_later(HANGS_AFTER, exit=True)
        began = time.thread_time()
        try:
            if built[key].asks:
                verdict = asyncio.run(
                    built[key].averify(pair.actual, pair.expected, context=pair.context)
                )
            else:
                verdict = built[key].verify(pair.actual, pair.expected, context=pair.context)
            state = "passed" if verdict.passed else "failed"
            if math.isnan(verdict.score):
                breaches.append(f"{number} {pair.kind}: the score is NaN")
            json.dumps(verdict.details, allow_nan=False).encode()
            verdict.reason.encode()
        except VerifierError as error:
            state, verdict = "not measured", error
            if error.code == Code.VERIFIER_FAILED:  # a kind that raised what it should not
                state = "crashed"
                breaches.append(f"{number} {pair.kind} ({pair.why}): {error}")
        except Exception as error:
            state, verdict = "crashed", error
            breaches.append(f"{number} {pair.kind} ({pair.why}): {type(error).__name__}: {error}")
        took = time.thread_time() - began
        faulthandler.cancel_dump_traceback_later()
        longest[pair.kind] = max(longest[pair.kind], took)
        counts[pair.kind][state] += 1
        if most_seconds is not None and took > most_seconds:
            breaches.append(f"{number} {pair.kind} ({pair.why}): {took:.2f} s")
        if (state == "passed") != must_pass and state != "crashed":
            said = getattr(verdict, "reason", verdict)
            breaches.append(
                f"{number} {pair.kind} ({pair.why}) {state}: {pair.actual!r:.200} "
                f"against {pair.expected!r:.200}: {said}"
            )
    table = {kind: (counts[kind], longest[kind]) for kind in verifier_kinds()}
    return table, breaches


def main() -> int:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=100_000, help="of each sort")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    console = Console(width=110, soft_wrap=True)
    everything = []
    for title, pairs, must_pass in (
        ("pairs that must not pass", hostile(args.pairs, args.seed), False),
        ("pairs that must pass", equal(args.pairs, args.seed), True),
    ):
        began = time.perf_counter()
        found, breaches = run(pairs, must_pass=must_pass)
        shown = Table(
            "kind", "pairs", "passed", "failed", "not measured", "longest (s)", title=title
        )
        for kind, (counts, longest) in found.items():
            states = [str(counts[state]) for state in ("passed", "failed", "not measured")]
            shown.add_row(kind, str(counts.total()), *states, f"{longest:.3f}")
        console.print(shown)
        total = sum(counts.total() for counts, _ in found.values())
        console.print(
            f"{total:,} pairs in {time.perf_counter() - began:.0f} s: {len(breaches):,} breaches"
        )
        for breach in breaches[:50]:
            console.print(breach, markup=False)
        everything += breaches
    return 1 if everything else 0


if __name__ == "__main__":
    raise SystemExit(main())
