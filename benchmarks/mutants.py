"""How many wrong queries return the right answer on the demo corpus?

Every reference of the bundled case file and of upstream's is edited in simple ways (drop a
condition, split a quantifier, move a boundary, take another unit …). An edit that is equivalent by
a named algebraic rule is set apart; of the rest, one that returns what its reference returns is a
mistake that no case built on that reference can catch.

    python benchmarks/mutants.py [--cases FILE ...] [--corpus CORPUS] [--survivors]
"""

import argparse
import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from rich.console import Console
from rich.table import Table

from creel_inspect.search.cases import Case, load_cases
from creel_inspect.search.engine import SearchFailed, open_engine
from creel_inspect.search.judging import same_expectation
from creel_inspect.search.mutants import Mutant, mutants
from creel_inspect.search.running import Runner, runner_for

TIMEOUT_SECONDS = 300


def verdict(runner: Runner, case: Case, mutant: Mutant) -> str:
    """``equivalent``, ``blind``, ``failed`` (told by an error), ``told`` or ``survives``."""
    if mutant.equivalent is not None:
        return "equivalent"
    assert case.reference is not None
    right = runner.expected(case.reference, TIMEOUT_SECONDS)
    if right.is_empty and not case.empty_is_right:
        return "blind"
    try:
        wrong = runner.expected(mutant.query, TIMEOUT_SECONDS)
    except SearchFailed:
        return "failed"
    return "survives" if same_expectation(wrong, right) else "told"


def main() -> None:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", nargs="*", default=["", "ord-schema"], help="'' is the bundled")
    parser.add_argument("--corpus", default="demo")
    parser.add_argument("--survivors", action="store_true", help="list each survivor")
    args = parser.parse_args()
    engine = open_engine("ord", corpus=args.corpus)
    runner = runner_for(engine)
    console = Console(width=110, soft_wrap=True)
    work = [
        (source or "bundled", case, mutant)
        for source in args.cases
        for case in load_cases(source or None).cases
        if case.reference is not None
        for mutant in mutants(case.reference)
    ]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        verdicts = list(pool.map(lambda item: verdict(runner, item[1], item[2]), work))
    columns = ["told", "failed", "survives", "blind", "equivalent"]
    counts = Counter((item[2].operator, found) for item, found in zip(work, verdicts, strict=True))
    table = Table("operator", *columns, "survive %")
    operators = sorted({operator for operator, _ in counts})
    for operator in [*operators, "all"]:
        row = [
            sum(counts[(one, column)] for one in operators)
            if operator == "all"
            else counts[(operator, column)]
            for column in columns
        ]
        tried = row[0] + row[1] + row[2]
        share = f"{100 * row[2] / tried:.1f}" if tried else "-"
        if operator == "all":
            table.add_section()
        table.add_row(operator, *map(str, row), share)
    files = ", ".join(one or "bundled" for one in args.cases)
    console.print(f"{len(work)} edits of the references of {files}")
    console.print(f"corpus {args.corpus} {engine.corpus_fingerprint}, {engine.size()} reactions")
    console.print(table)
    rules = Counter(item[2].equivalent for item in work if item[2].equivalent)
    console.print("equivalent by rule: " + ", ".join(f"{r} {n}" for r, n in rules.most_common()))
    if args.survivors:
        for (source, case, mutant), found in zip(work, verdicts, strict=True):
            if found == "survives":
                console.print(
                    f"{source} · {case.id} · {mutant.operator}: {mutant.note}", markup=False
                )


if __name__ == "__main__":
    main()
