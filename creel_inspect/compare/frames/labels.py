"""What a run is called: by its model, and by what tells it from other runs of that model."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from creel_inspect.compare.frames.runs import Run
from creel_inspect.compare.wording import one_line

DEFAULT = "default"
"""What a label says of a setting that another run has, and this one leaves as it is."""

_LONGEST = 48
"""Characters of a setting's value in a label."""

_UNDER_NAMES = {
    "score": "score",
    "scorer_package": "package",
    "case_fingerprint": "cases",
    "corpus_fingerprint": "corpus",
    "policy_fingerprint": "policy",
    "scorer_version": "scorer",
    "scorer_params": "scorer",
}


def labels(runs: Sequence[Run]) -> dict[str, str]:
    """A short name for each run, by its id: unique within a task, in the order of ids."""
    tasks: dict[str, list[Run]] = defaultdict(list)
    for run in sorted(runs, key=lambda one: one.id):
        tasks[run.identity.task if run.identity.kind == "other" else run.identity.kind].append(run)
    return {id: label for group in tasks.values() for id, label in _labels(group).items()}


def _labels(runs: Sequence[Run]) -> dict[str, str]:
    by_model: dict[str, list[Run]] = defaultdict(list)
    for run in runs:
        by_model[run.identity.model].append(run)
    differing = {model: _differing(group) for model, group in by_model.items()}

    def label(run: Run, side: bool, under: Mapping[str, str] | None) -> str:
        told = {
            **{name: _setting(run, name) for name in differing[run.identity.model]},
            **{name: getattr(run.under, attribute) for attribute, name in (under or {}).items()},
            **({"questions": run.questions} if under is not None and run.questions else {}),
        }
        parts = [f"{name.removesuffix('_fingerprint')}={_cut(told[name])}" for name in told]
        inside = f" [{', '.join(parts)}]" if parts else ""
        before = f"{run.side}: " if side and run.side else ""
        return one_line(f"{before}{run.identity.model}{inside}")

    found = {run.id: label(run, False, None) for run in runs}
    for alike in _coinciding(runs, found):
        if len({run.side for run in alike}) > 1:
            found.update({run.id: label(run, True, None) for run in alike})
    for alike in _coinciding(runs, found):
        side = len({one.side for one in runs if found[one.id].startswith("base: ")}) > 0
        under = {
            attribute: name
            for attribute, name in _UNDER_NAMES.items()
            if len({getattr(run.under, attribute) for run in alike}) > 1
        }
        found.update({run.id: label(run, side, under) for run in alike})
    taken: set[str] = set()
    for run in runs:
        number, first = 1, found[run.id]
        while found[run.id] in taken:
            number += 1
            found[run.id] = f"{first} ({number})"
        taken.add(found[run.id])
    return found


def _coinciding(runs: Sequence[Run], found: Mapping[str, str]) -> list[list[Run]]:
    by_label: dict[str, list[Run]] = defaultdict(list)
    for run in runs:
        by_label[found[run.id]].append(run)
    return [group for group in by_label.values() if len(group) > 1]


def _differing(runs: Sequence[Run]) -> list[str]:
    """Names of the settings in which runs of one model differ."""
    names = sorted({name for run in runs for name in run.identity.settings})
    differ = [name for name in names if len({_setting(run, name) for run in runs}) > 1]
    prints = {run.identity.prompt_fingerprint for run in runs}
    if len(prints) > 1:
        pairs = {(_setting(run, "prompt"), run.identity.prompt_fingerprint) for run in runs}
        if len({name for name, _ in pairs}) == len(pairs):
            return differ  # told by name
        return [*(name for name in differ if name != "prompt"), "prompt_fingerprint"]
    # One prompt, from files of several names.
    return [name for name in differ if not (name == "prompt" and prints != {""})]


def _setting(run: Run, name: str) -> str:
    if name == "prompt_fingerprint":
        told = run.identity.prompt_fingerprint or DEFAULT
        named = run.identity.settings.get("prompt")
        return f"{_cut(named, _LONGEST - len(told) - 3)} ({told})" if named else told
    return run.identity.settings.get(name, DEFAULT)


def _cut(text: str, longest: int = _LONGEST) -> str:
    return text if len(text) <= longest else f"…{text[1 - longest :]}"
