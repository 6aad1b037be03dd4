"""Whether gold is right by the corpus's own policies, under other ids and without a judge."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from creel_inspect.extract.checks.cases import CheckedCase
from creel_inspect.extract.checks.findings import Finding, Problem, finding
from creel_inspect.extract.corpus import layout
from creel_inspect.extract.files.reading import CorpusError
from creel_inspect.extract.grammar.model import Grammar
from creel_inspect.extract.marking.marking import mark
from creel_inspect.extract.policy.policy import Policy, load_policy
from creel_inspect.extract.policy.resolution import PolicyResolution
from creel_inspect.verify.graph.model import Edge, Graph
from creel_inspect.verify.protocol import Code, Context, VerifierError

_MOST_FOUND = 20
_MOST_ELEMENTS = 500
"""Of one gold; a larger one is not compared with itself here."""


def check_gold_by_policies(
    folder: Path, grammar: Grammar, cases: Sequence[CheckedCase]
) -> Iterator[Finding]:
    """What of each case's gold a policy would not call right, were it a candidate.

    What only a judge can tell is left out.
    """
    for name in _names(folder):
        try:
            policy = load_policy(name, folder)
        except CorpusError:
            continue  # told already
        for case in cases:
            if case.gold is not None and _size(case.gold) <= _MOST_ELEMENTS:
                yield from _against_itself(case, case.gold, grammar, policy)


def _names(folder: Path) -> Sequence[str]:
    try:
        return layout.policy_names(folder)
    except CorpusError:
        return ()


def _size(gold: Graph) -> int:
    return len(gold.nodes) + len(gold.edges)


def _against_itself(
    case: CheckedCase, gold: Graph, grammar: Grammar, policy: Policy
) -> Iterator[Finding]:
    try:
        resolution = PolicyResolution(grammar, policy, case.overrides)
        marking = mark(gold, _renamed(gold), grammar, resolution, context=Context(), gate="off")
        marking.send(None)
    except StopIteration as ended:
        marks = ended.value.marks
    except VerifierError:
        return  # told already, of the policy, the overrides or the gold
    else:  # a verifier asks a model that is no judge: no check is to cost anything
        marking.close()
        return
    wrong = [one for one in marks if one.state != "right" and one.code != Code.NO_JUDGE]
    for one in wrong[:_MOST_FOUND]:
        message = (
            f"under the policy {policy.name} the gold itself is {one.state} here, so that no "
            f"answer can be right: {one.reason}"
        )
        yield finding(f"{case.id}/{layout.GOLD}: {one.path}", Problem.GOLD_NOT_RIGHT, message)


def _renamed(gold: Graph) -> Graph:
    names = {name: f"n{number}" for number, name in enumerate(reversed(list(gold.nodes)))}
    edges = tuple(
        Edge(f"e{number}", one.type, names[one.source], names[one.target], one.attributes)
        for number, one in enumerate(gold.edges)
    )
    return Graph({names[name]: node for name, node in gold.nodes.items()}, edges, gold.directed)
