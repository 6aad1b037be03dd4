"""An extraction corpus: a grammar, policies, and cases of sources with the graph they say.

A corpus is a folder (``layout`` draws it). It may be a stranger's: nothing outside the folder is
read, and sizes are bounded (``reading``).
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from creel_inspect.extract.corpus import case_files
from creel_inspect.extract.corpus.layout import (
    GOLD,
    GRAMMAR,
    POLICIES,
    SOURCES,
    bindings_file,
    case_folders,
    policy_names,
    refuse_odd_name,
)
from creel_inspect.extract.corpus.sources import Source
from creel_inspect.extract.files.reading import CorpusError, inside
from creel_inspect.extract.grammar.file import load_grammar
from creel_inspect.extract.grammar.model import Grammar
from creel_inspect.verify.graph.model import Graph
from creel_inspect.verify.plain import shown

__all__ = [
    "POLICIES",
    "Corpus",
    "CorpusError",
    "ExtractionCase",
    "bindings_file",
    "bundled_corpora",
    "corpus_folder",
    "load_case",
    "load_corpus",
    "policy_names",
]


@dataclass(frozen=True)
class ExtractionCase:
    """Sources, and the graph that a careful reader finds in them.

    Attributes:
        id: The name of its folder: lower-case letters, digits, ``.``, ``_`` and ``-``, at most
            100, the first a letter or digit.
        why: What the case is there to catch.
        tags: What it is about, to select and slice by.
        sources: By file name, sorted.
        expected: The gold graph. Each of its nodes has one most specific type in the grammar.
        evidence: Where each of its values stands, by element id and attribute; empty where the
            case does not say.
        verifiers: Specs for single elements, by taxonomy path, as written.
    """

    id: str
    why: str
    tags: tuple[str, ...]
    sources: Mapping[str, Source]
    expected: Graph
    evidence: Mapping[str, Any]
    verifiers: Mapping[str, Any]


@dataclass(frozen=True)
class Corpus:
    """A whole corpus, in memory.

    Attributes:
        name: A bundled corpus's name, else that of its folder.
        folder: Where it was read from, absolute.
        grammar: What its graphs are made of.
        policies: The names of its policies, sorted.
        bindings: Its file of deterministic extractors, if it has one.
        cases: Sorted by id; at least one.
        digest: Twelve hex digits that change when anything does that a score depends on, the
            policies apart (these have digests of their own): grammar, sources, gold, evidence and
            single elements' verifiers. Neither the folder's place nor the order of files counts.
    """

    name: str
    folder: Path
    grammar: Grammar
    policies: tuple[str, ...]
    bindings: Path | None
    cases: tuple[ExtractionCase, ...]
    digest: str


def bundled_corpora() -> dict[str, Path]:
    """The folder of each corpus that comes with the package, by name.

    They lie inside the package in an installed wheel and beside it in a clone.
    """
    package = Path(__file__).resolve().parents[2]
    inner = package / "datasets"
    datasets = inner if inner.is_dir() else package.parent / "datasets"
    return {path.parent.name: path.parent for path in sorted(datasets.glob(f"*/{GRAMMAR}"))}


def corpus_folder(name_or_path: str) -> Path:
    """The folder of a bundled corpus, by its name, or of any other, by its path.

    Raises:
        CorpusError: If there is no such folder.
    """
    bundled = bundled_corpora()
    if name_or_path in bundled:
        return bundled[name_or_path]
    known = ", ".join(bundled) or "there are none"
    remedy = f"give the folder of a corpus, or a bundled one by name ({known})"
    if not name_or_path.strip() or "\0" in name_or_path:
        raise CorpusError(f"{shown(name_or_path)} names no corpus; {remedy}")
    try:
        folder = Path(name_or_path).expanduser().resolve()
        if folder.is_dir():
            return folder
        problem = "is a file, not a folder" if folder.exists() else "is not there"
    except (OSError, RuntimeError) as error:  # a loop of links, a name too long, no such user
        problem = f"cannot be reached ({error})"
    raise CorpusError(f"{shown(name_or_path, 300)} {problem}; {remedy}")


def load_corpus(name_or_path: str) -> Corpus:
    """Reads a corpus whole: all that its samples are made of.

    Policies, bindings and single elements' verifiers are built where they are used. What only
    makes scores doubtful is left to ``checking.check_corpus``.

    Args:
        name_or_path: As ``corpus_folder`` takes it.

    Raises:
        CorpusError: For the first thing that makes a run impossible: file, line or path, what
            was expected and what came.
    """
    folder = corpus_folder(name_or_path)
    grammar = load_grammar(inside(folder, GRAMMAR), folder)
    policies = policy_names(folder)
    folders = case_folders(folder)
    if not folders:
        raise CorpusError(
            f"{shown(folder.name)}: expected at least one case, a folder with `{SOURCES}/` and "
            f"`{GOLD}` in it; found none"
        )
    cases = tuple(load_case(one, grammar, folder) for one in folders)
    return Corpus(
        name=folder.name,
        folder=folder,
        grammar=grammar,
        policies=policies,
        bindings=bindings_file(folder),
        cases=cases,
        digest=_digest(grammar, cases),
    )


def load_case(folder: Path, grammar: Grammar, corpus: Path) -> ExtractionCase:
    """One case of a corpus.

    Raises:
        CorpusError: As ``load_corpus`` does.
    """
    refuse_odd_name(folder)
    about = case_files.read_about(folder, corpus)
    expected = case_files.read_gold(folder, corpus)
    for name, problem in case_files.without_one_type(expected, grammar):
        raise CorpusError(f"{folder.name}/{GOLD}: nodes[{shown(name)}].types: {problem}")
    sources = case_files.read_case_sources(folder, corpus)
    if not sources:
        raise CorpusError(f"{folder.name}/{SOURCES}: {case_files.NO_SOURCES}")
    return ExtractionCase(
        id=folder.name,
        why=about.why,
        tags=about.tags,
        sources=sources,
        expected=expected,
        evidence=case_files.read_evidence(folder, corpus),
        verifiers=case_files.read_overrides(folder, corpus),
    )


def _digest(grammar: Grammar, cases: tuple[ExtractionCase, ...]) -> str:
    content = {
        "grammar": grammar.digest,
        "cases": {case.id: _content(case) for case in cases},
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:12]


def _content(case: ExtractionCase) -> dict[str, Any]:
    graph = case.expected.to_json()
    graph["edges"].sort(key=lambda edge: edge["id"])
    return {
        "sources": {name: source.text for name, source in case.sources.items()},
        "expected": graph,
        "evidence": dict(case.evidence),
        "verifiers": dict(case.verifiers),
    }
