"""Which run of a base goes with which of a new state."""

from collections import defaultdict
from collections.abc import Callable

import pandas as pd

from creel_inspect.compare.fairness.tasks import TaskRows, mapping
from creel_inspect.compare.wording import one_line, some


def base_and_new(task: TaskRows) -> tuple[list[tuple[str, str]], list[str]]:
    """Pairs of run ids, base first; and what to know of them, and of runs that go with no other.

    If each side holds one run of the task, these two. Else runs of the same model, arguments and
    prompt, whatever the prompt's file is called; of what is left, those of the same model and
    arguments; and then those of the same model. Each where it has one on either side.
    """
    rows = task.rows.drop_duplicates("run_id")
    base = rows[rows["side"] == "base"]
    new = rows[rows["side"] == "new"]
    labels = task.labels
    if len(base) == 1 and len(new) == 1:
        one, other = base.iloc[0], new.iloc[0]
        return [(one["run_id"], other["run_id"])], _other_model(one, other)
    pairs = _matched(base, new, _identity)
    pairs += _matched(*_left(base, new, pairs), lambda row: (row["model"], _settings(row)))
    by_model = _matched(*_left(base, new, pairs), lambda row: row["model"])
    warnings = [
        f"{one_line(labels[b])} is compared with {one_line(labels[a])}, which has other arguments: "
        "there is no other run of this model"
        for a, b in by_model
    ]
    pairs += by_model
    alone = sorted(labels[run] for side in _left(base, new, pairs) for run in side["run_id"])
    if alone:
        warnings.append(
            f"{some(alone)}: no run on the other side, or more than one, could go with it by model "
            "and arguments"
        )
    return sorted(pairs, key=lambda pair: (labels[pair[0]], pair)), warnings


def _other_model(base: pd.Series, new: pd.Series) -> list[str]:
    if base["model"] == new["model"]:
        return []
    return [
        f"base and new are of two models, {one_line(base['model'])} and {one_line(new['model'])}: "
        "a difference is one between models, and not what one of them lost or won"
    ]


def _left(
    base: pd.DataFrame, new: pd.DataFrame, pairs: list[tuple[str, str]]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    taken = {run for pair in pairs for run in pair}
    return base[~base["run_id"].isin(taken)], new[~new["run_id"].isin(taken)]


def _identity(row: pd.Series) -> object:
    """What makes two runs the same: the prompt's text does, and not the name of its file."""
    prompt = row["prompt_fingerprint"]
    settings = _settings(row)
    if prompt:
        settings = tuple((name, value) for name, value in settings if name != "prompt")
    return row["model"], settings, prompt


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
