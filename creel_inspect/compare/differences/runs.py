"""Each run for itself: what became of its samples, how it scored and what it took."""

from collections import Counter
from collections.abc import Mapping
from typing import Literal, cast

import pandas as pd

from creel_inspect.compare.differences.measured import Measured
from creel_inspect.compare.fairness.judges import judged_by_itself
from creel_inspect.compare.fairness.tasks import texts_of
from creel_inspect.compare.frames.secrets import plain_place
from creel_inspect.compare.results import Counts, Run, Use
from creel_inspect.compare.statistics.epochs import flip_rate, pass_hat

Axis = Literal["cost", "seconds"]
Side = Literal["", "base", "new"]
_MOST_ERRORS = 5


def described(measured: Measured) -> list[Run]:
    """Every run, best first."""
    uses = used(measured)
    differing = _differing(measured)
    return [_described(measured, run, uses[run], differing[run]) for run in measured.order]


def _described(measured: Measured, run: str, use: Use, settings: dict[str, str]) -> Run:
    rows = measured.runs[run]
    observed = measured.observations[run]
    return Run(
        id=run,
        label=measured.labels[run],
        side=cast(Side, rows["side"].iloc[0]),
        model=str(rows["model"].iloc[0]),
        settings=settings,
        logs=sorted({plain_place(log) for log in rows["log"]} - {""}),
        epochs=int(rows.groupby("case").size().max()),
        counts=counts(rows),
        score=measured.scores[run],
        bounds=measured.bounds(run),
        pass_hat=pass_hat(observed) if observed else {},
        flip_rate=flip_rate(observed) if observed else None,
        results=_by_name(Counter(rows["result"])),
        use=use,
    )


def counts(rows: pd.DataFrame) -> Counts:
    """What became of the samples of one run."""
    states = Counter(rows["state"])
    unscored = rows[rows["state"] == "unscored"]
    errored = rows[rows["state"] == "errored"]
    errors = _by_name(Counter(reason or "no reason given" for reason in errored["reason"]))
    return Counts(
        requested=len(rows),
        scored=states["scored"],
        unscored=states["unscored"],
        errored=states["errored"],
        not_run=states["not_run"],
        reasons=_by_name(Counter(reason or "no reason given" for reason in unscored["reason"])),
        errors=dict(list(errors.items())[:_MOST_ERRORS]),
    )


def _by_name(counted: Mapping[str, int]) -> dict[str, int]:
    return {name: counted[name] for name in sorted(counted, key=lambda one: (-counted[one], one))}


def _differing(measured: Measured) -> dict[str, dict[str, str]]:
    """The arguments that are not the same in all runs, by run."""
    texts = {run: texts_of(str(rows["settings"].iloc[0])) for run, rows in measured.runs.items()}
    names = sorted({name for one in texts.values() for name in one})
    unlike = [name for name in names if len({one.get(name) for one in texts.values()}) > 1]
    return {run: {name: one[name] for name in unlike if name in one} for run, one in texts.items()}


def used(measured: Measured) -> dict[str, Use]:
    """What each run took, and which are on the front of score against cost (or time)."""
    taken = {run: _taken(rows) for run, rows in measured.runs.items()}
    scored = [run for run in measured.order if measured.scores[run]]
    axes: tuple[Axis, Axis] = ("cost", "seconds")
    known = {
        # A mean over some of the samples is no match for one over all.
        "cost": all(
            taken[run]["cost"] is not None and taken[run]["cost_known"] == taken[run]["samples"]
            for run in scored
        ),
        "seconds": all(taken[run]["seconds"] is not None for run in scored),
    }
    axis = next((one for one in axes if scored and known[one]), None)
    found = {}
    for run, figures in taken.items():
        on_front = None
        if axis is not None:
            on_front = run in scored and not any(
                _beats(measured, taken, axis, other, run) for other in scored
            )
        found[run] = Use(
            samples=int(figures["samples"] or 0),
            cost=figures["cost"],
            cost_known=int(figures["cost_known"] or 0),
            seconds=figures["seconds"],
            seconds_p90=figures["seconds_p90"],
            tokens=figures["tokens"],
            on_front=on_front,
            front_axis=axis,
        )
    return found


def _taken(rows: pd.DataFrame) -> dict[str, float | None]:
    ran = rows[rows["state"] != "not_run"]
    if judged_by_itself(rows):
        # What the logs tell is of answering and grading together.
        ran = ran.assign(cost=float("nan"), total_tokens=float("nan"))
    seconds = ran["working_seconds"].dropna()
    return {
        "samples": len(ran),
        "cost_known": int(ran["cost"].notna().sum()),
        "cost": _known(ran["cost"].mean()),
        "seconds": _known(seconds.median()),
        "seconds_p90": _known(seconds.quantile(0.9)) if len(seconds) else None,
        "tokens": _known(ran["total_tokens"].mean()),
    }


def _known(value: float) -> float | None:
    return None if pd.isna(value) else float(value)


def _beats(
    measured: Measured, taken: Mapping[str, Mapping[str, float | None]], axis: Axis, a: str, b: str
) -> bool:
    """Whether ``a`` is at least as good as ``b`` in score and use, and better in one."""
    one, other = measured.scores[a], measured.scores[b]
    less, more = taken[a][axis], taken[b][axis]
    if one is None or other is None or less is None or more is None:
        return False
    gain = round(one.value - other.value, 12)
    return gain >= 0 and less <= more and (gain > 0 or less < more)
