"""Who judged the answers, where a model did."""

import pandas as pd

from creel_inspect.compare.fairness.tasks import TaskRows, mapping, texts_of

GRADER = "role.grader"
"""The setting that names the model in the role of grader, which judges answers by default."""

_JUDGES = frozenset({"model_graded_qa", "model_graded_fact"})
_NO_JUDGES = frozenset(
    {"match", "includes", "pattern", "answer", "exact", "f1", "choice", "math", "perplexity"}
)
"""Scorers of Inspect that ask no model."""


def may_be_judged(task: TaskRows) -> bool:
    """Whether a model may have had a say in the scores."""
    if task.kind != "other":
        return task.kind == "extraction"
    packages, scorers = set(task.rows["scorer_package"]), set(task.rows["scorer"])
    plain = packages <= {"", "inspect_ai"} and {_bare(one) for one in scorers} <= _NO_JUDGES
    return not plain


def graders(rows: pd.DataFrame) -> pd.Series:
    """The model in the role of grader, as text; empty where there is none."""
    told = {text: texts_of(text).get(GRADER, "") for text in rows["settings"].unique()}
    return rows["settings"].map(told)


def judged_by_itself(rows: pd.DataFrame) -> bool:
    """Whether the model under test judged its own answers, since no other was named."""
    first = rows.iloc[0]
    if first["kind"] != "other" or _bare(str(first["scorer"])) not in _JUDGES:
        return False
    params = mapping(str(first["scorer_params"]))
    role = params.get("model_role") or "grader"
    return not params.get("model") and f"role.{role}" not in mapping(str(first["settings"]))


def _bare(scorer: str) -> str:
    """Without an entry, and without the number that a second scorer of the name has."""
    name = scorer.split(".", 1)[0]
    return name if name in _NO_JUDGES else name.rstrip("0123456789")
