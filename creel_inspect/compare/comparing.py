"""Which model is better, is it real, and where do they differ?"""

from importlib.metadata import version
from itertools import combinations

import pandas as pd

from creel_inspect.compare.differences.details import details as read_details
from creel_inspect.compare.differences.matrix import case_rows, misreadings, transitions
from creel_inspect.compare.differences.measured import Measured
from creel_inspect.compare.differences.pairs import compared
from creel_inspect.compare.differences.runs import described
from creel_inspect.compare.differences.slices import slices
from creel_inspect.compare.fairness.cautions import cautions
from creel_inspect.compare.fairness.comparable import comparable
from creel_inspect.compare.fairness.sides import base_and_new
from creel_inspect.compare.fairness.tasks import TaskRows, by_task
from creel_inspect.compare.refusing import CompareError
from creel_inspect.compare.results import Comparison, LeftOut, Report

_NO_PAIR = (
    "no run of the first path goes with one of the second: there is none of the same task and the "
    "same model, or more than one and none with the same arguments. Name two logs, or two folders "
    "that hold runs of the same models; or name them among three paths or in one folder, where "
    "every run is compared with every other"
)


def compare(
    frame: pd.DataFrame, *, common: bool = False, seed: int = 0, details: bool = True
) -> Report:
    """Compares the runs of each task that a frame holds.

    The same frame gives the same report, in whatever order its rows are.

    Args:
        frame: As ``load_frame`` gives it.
        common: Compare the cases that runs have in common, where they were not asked the same.
        seed: For everything that is drawn.
        details: Read whole samples too, for the answers behind each disagreement and for the
            operators of reference queries; else both are left out.

    Raises:
        CompareError: If nothing can be compared: it says in what else runs differ, and the remedy.
            Where only some tasks cannot be, the report says so in ``refused``.
    """
    found: list[Comparison] = []
    refused: list[str] = []
    if not isinstance(frame, pd.DataFrame):
        raise CompareError(
            f"expected a frame as load_frame makes it, came {type(frame).__name__}: "
            "compare(load_frame(PATHS))"
        )
    sided = bool((frame.get("side", pd.Series(dtype=str)).fillna("") != "").any())
    paired = False
    for task in by_task(frame):
        try:
            fair, left_out = comparable(task, common=common, whole=details)
        except CompareError as error:
            refused.append(error.message)
            continue
        pairs: list[tuple[str, str]] | None = None
        if sided:
            pairs, told = base_and_new(fair)
            fair = fair.warned(*told)
            paired = paired or bool(pairs)
        found.append(_comparison(fair, left_out, pairs, seed=seed, details=details))
    if not found:
        raise CompareError("\n".join(refused))
    if sided and not paired:
        raise CompareError("\n".join([*refused, _NO_PAIR]))
    notes = frame.attrs.get("notes", [])
    sources = frame.attrs.get("sources", [])
    return Report(
        creel_inspect=version("creel-inspect"),
        sources=[str(one) for one in sources],
        comparisons=found,
        warnings=[str(one) for one in notes],
        refused=refused,
    )


def _comparison(
    task: TaskRows,
    left_out: list[LeftOut],
    pairs: list[tuple[str, str]] | None,
    *,
    seed: int,
    details: bool,
) -> Comparison:
    measured = Measured(task, seed)
    if pairs is None:
        # The better run second: a difference is what it is better by.
        pairs = [(worse, better) for better, worse in combinations(measured.order, 2)]
    told, of_pairs = compared(measured, pairs)
    rows = case_rows(measured)
    whole = read_details(measured, rows) if details else None
    disagreeing = sum(row.disagree for row in rows)
    return Comparison(
        task=task.task,
        kind=task.kind,
        score=" / ".join(sorted(set(task.rows["scorer"]))),
        binary=measured.binary,
        points=measured.points,
        cases=len(measured.cases),
        clusters=len(set(measured.clusters.values())),
        runs=described(measured),
        pairs=told,
        transitions=transitions(rows, pairs),
        rows=rows,
        disagreements=whole.disagreements if whole else [],
        disagreements_left_out=whole.left_out if whole else disagreeing,
        misreadings=misreadings(measured, whole.near_misses if whole else {}),
        slices=slices(measured, whole.operators if whole else {}),
        left_out=left_out,
        warnings=[*task.warnings, *cautions(task), *of_pairs, *(whole.warnings if whole else [])],
    )
