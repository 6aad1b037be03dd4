"""What a score was measured with, as far as it can make a difference to it."""

import json
from typing import Any

import pandas as pd

from creel_inspect.compare.fairness.tasks import TaskRows, mapping

# What the scorer takes where nothing is said: re-scoring says only what it changes.
_EXTRACTION_DEFAULTS = {"gate": "report"}


def by_value(rows: pd.DataFrame, values: pd.Series) -> dict[str, list[str]]:
    """By each value, the labels of the runs that have it."""
    told = pd.DataFrame({"run": rows["run"], "value": values}).drop_duplicates()
    return {str(value): sorted(part["run"]) for value, part in told.groupby("value", sort=True)}


def of_each(rows: pd.DataFrame, columns: list[str], worked_out: Any) -> pd.Series:
    """A value of every row, worked out once for each combination of run-level columns."""
    keys = pd.Series(list(rows[columns].itertuples(index=False, name=None)), index=rows.index)
    found = {key: worked_out(*key) for key in dict.fromkeys(keys)}
    return keys.map(lambda key: found[key])


def scorer_params(task: TaskRows) -> pd.Series:
    """The parameters of the scorer that can change the score that is compared, as text."""

    def told(text: str, scorer: str) -> str:
        params = dict(mapping(text))
        if task.kind == "search" and scorer != "search_answer.points":
            params.pop("wrong_penalty", None)  # nothing but the points depends on it
        if task.kind == "extraction":
            # The policy has a digest of its own, which a path has not; whether a judge may be
            # related changes no score.
            known = {**_EXTRACTION_DEFAULTS, **params}
            params = {name: known[name] for name in _EXTRACTION_DEFAULTS}
        params = {
            name: float(value)
            if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53
            else value
            for name, value in params.items()
        }
        return json.dumps(params, sort_keys=True)

    return of_each(task.rows, ["scorer_params", "scorer"], told)


def corpus_of(rows: pd.DataFrame) -> pd.Series:
    """The corpus of each extraction sample; its id begins with it, where it never ran."""
    return rows["corpus"].where(rows["corpus"] != "", rows["case"].str.split("/").str[0])


def digest_of(rows: pd.DataFrame, column: str) -> pd.Series:
    """What a column's JSON by corpus says of each sample's corpus."""
    keyed = rows.assign(_corpus=corpus_of(rows))
    return of_each(
        keyed, [column, "_corpus"], lambda text, corpus: str(mapping(text).get(corpus, ""))
    )
