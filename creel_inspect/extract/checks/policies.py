"""What is wrong with a corpus's policies: each verifier and each path by itself."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from creel_inspect.extract.checks.findings import Finding, Problem, finding, findings_of
from creel_inspect.extract.corpus import layout
from creel_inspect.extract.files.reading import CorpusError, inside, read_yaml
from creel_inspect.extract.grammar.model import Grammar
from creel_inspect.extract.policy.paths import path_fault, places
from creel_inspect.extract.policy.policy import build, check_form, load_policy, policy_from
from creel_inspect.extract.policy.resolution import PolicyResolution
from creel_inspect.verify.graph.model import Graph
from creel_inspect.verify.plain import shown

STRICT = "strict"


def check_policies(
    folder: Path, grammar: Grammar | None, golds: Sequence[Graph | None]
) -> Iterator[Finding]:
    """What is wrong with the policies of a corpus.

    Args:
        folder: The corpus.
        grammar: What their paths name; None where there is none in order.
        golds: The gold graph of each case, for paths that name an element; None for one that
            cannot be read, which may have it.
    """
    try:
        names = layout.policy_names(folder)
    except CorpusError as error:
        yield from findings_of(error, layout.POLICIES, Problem.POLICY_INVALID)
        return
    if STRICT not in names:
        message = (
            f"expected {STRICT}.yaml, the policy of a run that names none; "
            f"there are: {', '.join(names) or 'none'}"
        )
        yield finding(layout.POLICIES, Problem.NO_STRICT_POLICY, message)
    for name in names:
        yield from _check_policy(name, folder, grammar, golds)


def _check_policy(
    name: str, folder: Path, grammar: Grammar | None, golds: Sequence[Graph | None]
) -> Iterator[Finding]:
    where = f"{layout.POLICIES}/{name}.yaml"
    try:
        paths = load_policy(name, folder).verifiers
    except CorpusError as error:
        first = findings_of(error, where, Problem.POLICY_INVALID)
        yield from dict.fromkeys((*first, *_each_spec(where, folder)))
        return
    if grammar is None:
        return
    document = read_yaml(inside(folder, where), folder)
    faults = {path: path_fault(path, grammar) for path in paths}
    good = [path for path, fault in faults.items() if fault is None]
    for path in _in_no_gold(good, grammar, golds):
        faults[path] = f"{shown(path)}: no case's gold has such an element, or not this attribute"
    for path, fault in faults.items():
        if fault:
            place = document.where("verifiers", path)
            yield finding(place, Problem.POLICY_MATCHES_NOTHING, fault)


def _in_no_gold(paths: Sequence[str], grammar: Grammar, golds: Sequence[Graph | None]) -> list[str]:
    """Those of the paths that name an element, and none that any case's gold has."""
    elements = [
        path
        for path in paths
        if path != "graph" and any(place.element for place in places(path, grammar))
    ]
    alone = PolicyResolution(grammar, policy_from(None), dict.fromkeys(elements, "exact"))
    for gold in golds:
        held = elements if gold is None else set(elements) - set(alone.unmatched(gold))
        elements = [path for path in elements if path not in held]
    return elements


def _each_spec(where: str, folder: Path) -> Iterator[Finding]:
    """What is wrong with each verifier of a policy that cannot be used as a whole."""
    try:
        document = read_yaml(inside(folder, where), folder)
    except CorpusError:
        return  # told already
    top = document.value if isinstance(document.value, Mapping) else {}
    for section in ("defaults", "verifiers"):
        specs = top.get(section)
        for path, spec in specs.items() if isinstance(specs, Mapping) else ():
            place = document.where(section, path)
            try:
                if section == "verifiers":
                    check_form(path, place)
                build(spec, path, place)
            except CorpusError as error:
                yield from findings_of(error, where, Problem.POLICY_INVALID)
