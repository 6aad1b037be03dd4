"""What re-scoring found, as lines for a terminal and as JSON."""

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any

from creel_inspect.extract.rescoring import Rescored
from creel_inspect.verify.plain import readable, shown

_MOST_VALUE = 60


def report_json(found: Sequence[Rescored]) -> dict[str, Any]:
    """Totals, then every sample with its flips."""
    return {"totals": _totals(found), "samples": [one.as_dict() for one in found]}


def _totals(found: Sequence[Rescored]) -> dict[str, Any]:
    both = [(one.f1_was, one.f1) for one in found]
    measured = [one.coverage for one in found if one.f1 is not None]
    pairs = [(was, now) for was, now in both if was is not None and now is not None]
    flips = Counter(f"{flip.was} -> {flip.now}" for one in found for flip in one.flips)
    return {
        "samples": len(found),
        "compared": len(pairs),
        "not_measured": sum(one.f1 is None for one in found),
        "f1_was": fmean(was for was, _ in pairs) if pairs else None,
        "f1": fmean(now for _, now in pairs) if pairs else None,
        "coverage": fmean(measured) if measured else None,
        "flips": dict(flips.most_common()),
    }


def report_lines(found: Sequence[Rescored]) -> Iterator[str]:
    """One line a sample that changed, a line under it for each flip, and the totals."""
    for one in found:
        if not one.flips and not one.why:
            continue
        yield _flat(f"{one.sample} (epoch {one.epoch}, {one.log}): {_change(one)}")
        for flip in one.flips:
            yield _flat(
                f"  {flip.path}: {flip.was} -> {flip.now}: expected {_value(flip.expected)}, "
                f"came {_value(flip.actual)}"
            )
            yield _flat(f"    was: {flip.verifier_was or '-'}: {flip.reason_was or '-'}")
            yield _flat(f"    now: {flip.verifier or '-'}: {flip.reason or '-'}")
    totals = _totals(found)
    if totals["compared"]:
        yield (
            f"{_many(totals['samples'], 'sample')}, {totals['compared']} compared: mean F1 "
            f"{totals['f1_was']:.3f} -> {totals['f1']:.3f}, coverage {totals['coverage']:.1%}"
        )
    else:
        now = [one.f1 for one in found if one.f1 is not None]
        mean = f": mean F1 {fmean(now):.3f}" if now else ""
        yield f"{_many(len(found), 'sample')}, none with an earlier score to compare with{mean}"
    for name, count in totals["flips"].items():
        yield f"  {count} x {name}"
    if totals["not_measured"]:
        yield f"  {totals['not_measured']} not measured"


def _change(one: Rescored) -> str:
    if one.f1 is None:
        return f"not measured: {one.why}"
    was = "not measured" if one.f1_was is None else f"{one.f1_was:.3f}"
    return f"F1 {was} -> {one.f1:.3f}, {_many(len(one.flips), 'flip')}"


def _many(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _value(value: Any) -> str:
    return "nothing" if value is None else shown(value, _MOST_VALUE)


def _flat(text: str) -> str:
    """A stranger's text on one line, with what a terminal would act on written out."""
    return readable(
        "".join(
            char if char.isprintable() or char == " " else char.encode("unicode_escape").decode()
            for char in text
        )
    )
