"""Which run of a base goes with which of a new state."""

from collections import defaultdict
from collections.abc import Callable

import pandas as pd

from creel_inspect.compare.fairness.tasks import TaskRows, mapping
from creel_inspect.compare.wording import one_line, some


def base_and_new(task: TaskRows) -> tuple[list[tuple[str, str]], list[str]]:
    """Pairs of run ids, base first; and what to know of runs that have no other to go with.

    If each side holds one run of the task, these two. Else runs of the same model and arguments,
    and of what is left, runs of the same model, where it has one on either side.
    """
    rows = task.rows.drop_duplicates("run_id")
    base = rows[rows["side"] == "base"]
    new = rows[rows["side"] == "new"]
    labels = task.labels
    if len(base) == 1 and len(new) == 1:
        return [(base["run_id"].iloc[0], new["run_id"].iloc[0])], []
    pairs = _matched(base, new, lambda row: (row["model"], _settings(row)))
    taken = {run for pair in pairs for run in pair}
    by_model = _matched(
        base[~base["run_id"].isin(taken)], new[~new["run_id"].isin(taken)], lambda row: row["model"]
    )
    warnings = [
        f"{one_line(labels[b])} is compared with {one_line(labels[a])}, which has other arguments: "
        "there is no other run of this model"
        for a, b in by_model
    ]
    pairs += by_model
    taken = {run for pair in pairs for run in pair}
    alone = sorted(labels[run] for run in rows["run_id"] if run not in taken)
    if alone:
        warnings.append(
            f"{some(alone)}: there is no run on the other side to compare with, of the same model "
            "and the same arguments"
        )
    return sorted(pairs, key=lambda pair: (labels[pair[0]], pair)), warnings


def _settings(row: pd.Series) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, str(value)) for name, value in mapping(row["settings"]).items()))


def _matched(
    base: pd.DataFrame, new: pd.DataFrame, key: Callable[[pd.Series], object]
) -> list[tuple[str, str]]:
    """Runs whose key only one run on either side has."""
    sides: list[dict[object, list[str]]] = []
    for rows in (base, new):
        found: dict[object, list[str]] = defaultdict(list)
        for _, row in rows.iterrows():
            found[key(row)].append(row["run_id"])
        sides.append(found)
    return [
        (one[0], sides[1][named][0])
        for named, one in sides[0].items()
        if len(one) == 1 and len(sides[1].get(named, [])) == 1
    ]
