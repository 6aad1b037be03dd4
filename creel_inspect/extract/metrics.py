"""The headline numbers of an extraction eval, in one table."""

import math
from collections.abc import Sequence
from statistics import fmean, stdev

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from creel_inspect.extract.scored import is_scored

_MEANS = (
    "f1_low",
    "f1_high",
    "precision",
    "recall",
    "macro_f1",
    "nodes_f1",
    "edges_f1",
    "attributes_f1",
)
_COUNTS = ("matched", "expected", "came", "unscored", "marks")
_TYPES = ("node.", "edge.")


@metric
def extraction_metrics() -> Metric:
    """F1 and its company, over the scored samples; epochs are averaged first.

    - ``f1``: the mean of the samples' F1 over everything that gold or candidate says, and
      ``f1_stderr``, its standard error over samples (left out for a single one).
    - ``f1_low``, ``f1_high``: what ``f1`` would be if everything unscored were wrong, or right.
    - ``precision``, ``recall``: likewise means over samples.
    - ``macro_f1``: the mean over samples of the mean F1 of their types.
    - ``nodes_f1``, ``edges_f1``, ``attributes_f1``: over the samples whose gold has any.
    - ``micro_precision``, ``micro_recall``, ``micro_f1``: of all samples taken together, so that
      long documents count for more.
    - ``coverage``: the share of all marks that are not unscored, all samples together. It and the
      three before it are left out under reducers that keep no counts, such as ``at_least_1``.
    - ``extracted``: the share of samples that gave a graph at all.
    - ``ungrounded``: the mean number of values a sample that stand in no source.
    - ``graph_passed``: the share of samples whose graph as a whole passes, where one is asked.
    - ``node.…``, ``edge.…``: the mean F1 of a type, over the samples whose gold has it; by corpus
      where there are several, since their types have nothing to do with each other.

    A number with nothing to count is left out; where no sample was scored, ``f1`` is NaN.
    """

    def compute(scores: list[SampleScore]) -> Value:
        kept = [score for score in scores if is_scored(score.score.value)]
        rows = [_numbers(score) for score in kept]
        if not rows:
            return {"f1": math.nan}

        def mean(name: str) -> dict[str, float]:
            held = [row[name] for row in rows if name in row]
            return {name: fmean(held)} if held else {}

        found = mean("f1")
        if len(rows) > 1:
            found["f1_stderr"] = stdev(row["f1"] for row in rows) / math.sqrt(len(rows))
        for name in _MEANS:
            found |= mean(name)
        found |= _micro(rows)
        for name in ("extracted", "ungrounded", "graph_passed"):
            found |= mean(name)
        return found | _by_type(kept, rows)

    return compute


def _by_type(scores: Sequence[SampleScore], rows: Sequence[dict[str, float]]) -> dict[str, float]:
    ids = [str(score.sample_id) for score in scores]
    corpora = [name.partition("/")[0] if "/" in name else "" for name in ids]
    several = len(set(corpora)) > 1
    held: dict[str, list[float]] = {}
    for corpus, row in zip(corpora, rows, strict=True):
        for name, value in row.items():
            if name.startswith(_TYPES):
                held.setdefault(f"{corpus} {name}" if several else name, []).append(value)
    return {name: fmean(values) for name, values in sorted(held.items())}


def _numbers(score: SampleScore) -> dict[str, float]:
    """The entries that are numbers; a reducer that lacked epochs leaves NaN in one."""
    assert isinstance(score.score.value, dict)  # ``is_scored`` saw to it
    return {
        name: float(value)
        for name, value in score.score.value.items()
        if isinstance(value, int | float) and math.isfinite(value)
    }


def _micro(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    matched, expected, came, unscored, marks = (
        math.fsum(row.get(name, 0.0) for row in rows) for name in _COUNTS
    )
    if marks and all(row.get("marks", 0.0) in (0.0, 1.0) for row in rows):
        return {}  # a reducer such as at_least_1 has made a yes or no of each count
    # Of nothing, out of nothing, all was found, but only by those who gave a graph.
    gave = fmean(row.get("extracted", 1.0) for row in rows)
    nothing = gave * (not expected and not came)
    return {
        "micro_precision": matched / came if came else nothing,
        "micro_recall": matched / expected if expected else nothing,
        "micro_f1": 2 * matched / (expected + came) if expected or came else nothing,
        "coverage": 1 - unscored / marks if marks else 1.0,
    }
