"""What is wrong with a corpus, all of it, before anyone pays for a run. No model is asked."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from creel_inspect.extract.checks.cases import CheckedCase, check_case, fingerprint
from creel_inspect.extract.checks.findings import Finding, Problem, finding, findings_of, plain
from creel_inspect.extract.checks.gold import check_gold_by_policies
from creel_inspect.extract.checks.policies import check_policies
from creel_inspect.extract.corpus import layout
from creel_inspect.extract.corpus.corpus import corpus_folder
from creel_inspect.extract.files.reading import CorpusError, inside
from creel_inspect.extract.grammar.file import load_grammar
from creel_inspect.extract.grammar.model import Grammar
from creel_inspect.verify.protocol import VerifierConfigError
from creel_inspect.verify.schema.graph_rules import GraphRules

__all__ = ["Examination", "Finding", "Problem", "check_corpus", "examine"]

_FOR_PEOPLE = (".md", ".rst")
_NOTICES = {"LICENSE", "LICENSE.txt", "NOTICE", "NOTICE.txt"}


@dataclass(frozen=True)
class Examination:
    """What was found in a corpus.

    Attributes:
        corpus: Its name.
        cases: How many cases it has.
        findings: What is wrong, in the order of its files: grammar, policies, bindings, each
            case, what is between cases, and what nothing reads.
    """

    corpus: str
    cases: int
    findings: tuple[Finding, ...]


def check_corpus(name_or_path: str) -> list[Finding]:
    """Everything that is wrong with a corpus; nothing, for one that is in order.

    Raises:
        CorpusError: If there is no such folder. What is wrong inside one is a finding.
    """
    return list(examine(name_or_path).findings)


def examine(name_or_path: str) -> Examination:
    """As ``check_corpus``, with what was looked at.

    Raises:
        CorpusError: If there is no such folder.
    """
    folder = corpus_folder(name_or_path)
    found: list[Finding] = []
    grammar, rules = _grammar(folder, found)
    no_cases: list[Finding] = []
    folders: list[Path] = []
    try:
        folders = layout.case_folders(folder)
    except CorpusError as error:
        no_cases = findings_of(error, plain(folder.name), Problem.NO_CASES)
    checked = [check_case(one, folder, grammar, rules) for one in folders]
    cases = [case for case, _ in checked]
    found.extend(check_policies(folder, grammar, [case.gold for case in cases]))
    if grammar is not None:
        found.extend(_bindings(folder, grammar))
    for _, faults in checked:
        found.extend(faults)
    found.extend(_between(cases))
    if grammar is not None and not any(one.problem in _FATAL_FOR_GOLD for one in found):
        found.extend(check_gold_by_policies(folder, grammar, cases))
    found.extend(_unread(folder, {one.name for one in folders}))
    found.extend(no_cases)
    if not folders and not no_cases:
        message = (
            f"expected at least one case, a folder with `{layout.SOURCES}/` and `{layout.GOLD}` "
            "in it; found none"
        )
        found.append(finding(plain(folder.name), Problem.NO_CASES, message))
    return Examination(folder.name, len(folders), tuple(dict.fromkeys(found)))


_FATAL_FOR_GOLD = (Problem.GOLD_BREAKS_GRAMMAR, Problem.POLICY_MATCHES_NOTHING, Problem.TYPES_TIE)
"""Where gold or policies are at fault themselves, comparing them would only say so again."""


def _grammar(folder: Path, found: list[Finding]) -> tuple[Grammar | None, GraphRules | None]:
    where = layout.GRAMMAR
    try:
        grammar = load_grammar(inside(folder, where), folder)
    except CorpusError as error:
        found.extend(findings_of(error, where, Problem.GRAMMAR_INVALID))
        return None, None
    try:
        return grammar, GraphRules(**grammar.rules())
    except (VerifierConfigError, ValueError) as error:
        found.append(finding(where, Problem.GRAMMAR_INVALID, str(error)))
        return grammar, None


def _bindings(folder: Path, grammar: Grammar) -> Iterator[Finding]:
    from creel_inspect.extract.extractors.bindings import load_bindings  # noqa: PLC0415

    where = layout.BINDINGS
    try:
        path = layout.bindings_file(folder)
        if path is not None:
            load_bindings(path, folder, grammar)
    except CorpusError as error:
        yield from findings_of(error, where, Problem.BINDINGS_REFUSED)


def _between(cases: Sequence[CheckedCase]) -> Iterator[Finding]:
    """What no case shows by itself."""
    golds = [case.gold for case in cases if case.gold is not None]
    if golds and len(golds) == len(cases) and not any(gold.nodes for gold in golds):
        message = "every gold graph is empty, so whoever extracts nothing is right"
        yield finding(cases[0].id, Problem.ALWAYS_EMPTY, message)
    by_sources: dict[tuple[tuple[str, str], ...], list[str]] = defaultdict(list)
    by_gold: dict[str, list[str]] = defaultdict(list)
    for case in cases:
        if case.sources:
            texts = tuple((name, source.text) for name, source in sorted(case.sources.items()))
            by_sources[texts].append(case.id)
        # Several documents can rightly say nothing.
        if case.gold is not None and case.gold.nodes:
            by_gold[fingerprint(case.gold)].append(case.id)
    for first, *others in by_gold.values():
        for other in others:
            message = f"the same graph as in {first}, so an answer to that case is right here too"
            yield finding(f"{other}/{layout.GOLD}", Problem.SAME_GOLD, message)
    for first, *others in by_sources.values():
        for other in others:
            message = f"the same sources as in {first}, so it catches nothing that one does not"
            yield finding(f"{other}/{layout.SOURCES}", Problem.SAME_SOURCES, message)


def _unread(folder: Path, cases: set[str]) -> Iterator[Finding]:
    known = {layout.GRAMMAR, layout.POLICIES, layout.BINDINGS, *_NOTICES, *cases}
    try:
        held = layout.visible(folder)
        policies = layout.visible(folder / layout.POLICIES)
    except CorpusError as error:
        yield from findings_of(error, plain(folder.name), Problem.FILE_UNREAD)
        return
    for path in held:
        if path.name in known or (path.suffix in _FOR_PEOPLE and not layout.is_folder(path)):
            continue
        message = (
            f"no case: it has neither `{layout.SOURCES}/` nor `{layout.GOLD}`"
            if layout.is_folder(path)
            else "nothing reads it; a corpus has "
            f"{layout.GRAMMAR}, {layout.POLICIES}/, {layout.BINDINGS}, cases and Markdown pages"
        )
        yield finding(plain(path.name), Problem.FILE_UNREAD, message)
    for path in policies:
        if path.suffix != ".yaml":
            message = "nothing reads it: a policy's file ends in .yaml"
            yield finding(f"{layout.POLICIES}/{plain(path.name)}", Problem.FILE_UNREAD, message)
