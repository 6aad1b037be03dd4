"""What does not forbid a comparison, and a careful reader should know."""

from creel_inspect.compare.fairness.judges import judged_by_itself
from creel_inspect.compare.fairness.tasks import TaskRows, texts_of
from creel_inspect.compare.fairness.yardsticks import by_value
from creel_inspect.compare.wording import many, one_line, some

_MOST_PACKAGES = 6


def cautions(task: TaskRows) -> list[str]:
    """Warnings about runs that may be compared, though not everything about them is equal."""
    if len(task.runs) < 2:
        return _own_judges(task)
    return [*_own_judges(task), *_unverified(task), *_epochs(task), *_versions(task), *_roles(task)]


def _own_judges(task: TaskRows) -> list[str]:
    own = sorted(task.labels[run] for run, rows in task.runs.items() if judged_by_itself(rows))
    if not own:
        return []
    each = "was judged by its own model" if len(own) == 1 else "were each judged by its own model"
    return [
        f"{some(own)} {each}, for want of a grader: a model may be kinder to its own answers; and "
        "tokens and cost are not told, since the logs have those of grading in them"
    ]


def _unverified(task: TaskRows) -> list[str]:
    if task.kind != "other":
        return []
    return [
        "the task records no fingerprint of its data; what was checked to be the same is the "
        "samples' ids, their inputs and targets as the logs' summaries have them, and the scorer"
    ]


def _epochs(task: TaskRows) -> list[str]:
    most = {run: int(part.groupby("case").size().max()) for run, part in task.runs.items()}
    if len(set(most.values())) < 2:
        return []
    told = ", ".join(
        f"{one_line(task.labels[run])}: {many(number, 'epoch')}"
        for run, number in sorted(most.items(), key=lambda item: task.labels[item[0]])
    )
    return [f"the runs have unequal numbers of epochs, each counted by its mean a case ({told})"]


def _versions(task: TaskRows) -> list[str]:
    rows = task.rows
    known = {text: texts_of(text) for text in rows["versions"].unique()}
    packages = sorted({name for said in known.values() for name in said})
    found = []
    for package in packages:
        runs = by_value(
            rows, rows["versions"].map(lambda text, name=package: known[text].get(name, ""))
        )
        if len(runs) > 1:
            told = "; ".join(
                f"{one_line(version) or 'unknown'}: {some(labels, 3)}"
                for version, labels in runs.items()
            )
            found.append(f"{one_line(package)} ({told})")
    if not found:
        return []
    more = len(found) - _MOST_PACKAGES
    return [
        "the runs were made with other versions, which a difference may be due to: "
        + ", ".join(found[:_MOST_PACKAGES])
        + (f" and {more} more" if more > 0 else "")
    ]


def _roles(task: TaskRows) -> list[str]:
    rows = task.rows
    said = {text: texts_of(text) for text in rows["settings"].unique()}
    names = sorted({name for one in said.values() for name in one if name.startswith("role.")})
    found = []
    for name in names:
        runs = by_value(
            rows, rows["settings"].map(lambda text, role=name: said[text].get(role, ""))
        )
        if len(runs) > 1:
            told = "; ".join(
                f"{one_line(model) or 'none'}: {some(labels, 3)}" for model, labels in runs.items()
            )
            found.append(
                f"the runs had other models as {one_line(name.removeprefix('role.'))} ({told}): "
                "if it judges answers, a difference may be the judge's"
            )
    return found
