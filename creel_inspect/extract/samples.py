"""A case as Inspect runs and logs it, and what a scorer needs of it read back from a log."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_ai.dataset import Sample

from creel_inspect.extract.corpus.corpus import Corpus, ExtractionCase
from creel_inspect.extract.corpus.evidence import check_evidence
from creel_inspect.extract.corpus.sources import Source, source_from
from creel_inspect.extract.files.reading import CorpusError, json_document
from creel_inspect.extract.grammar.model import Grammar
from creel_inspect.markdown import block, prose
from creel_inspect.verify.graph.model import Graph, InvalidGraph
from creel_inspect.verify.plain import shown

_LANGUAGES = {"text": "text", "table": "csv", "json": "json"}
_WORDS: Mapping[type, str] = {dict: "a mapping", list: "a list", str: "text"}
_REMEDY = "score only logs of the extraction task with this scorer"


@dataclass(frozen=True)
class LoggedCase:
    """What a scorer needs of a case, as it was when the log was written.

    Attributes:
        corpus: The corpus's name.
        corpus_folder: Where it was; it may be gone, or elsewhere, where the log is read.
        case: The case's id.
        why: What it is there to catch.
        tags: What it is about.
        grammar: What its graphs are made of.
        sources: By name.
        expected: The gold graph.
        evidence: Where the gold's values stand, by element id and attribute.
        verifiers: Specs for single elements, by taxonomy path.
        corpus_digest: ``Corpus.digest``.
    """

    corpus: str
    corpus_folder: Path
    case: str
    why: str
    tags: tuple[str, ...]
    grammar: Grammar
    sources: Mapping[str, Source]
    expected: Graph
    evidence: Mapping[str, Any]
    verifiers: Mapping[str, Any]
    corpus_digest: str


def to_sample(case: ExtractionCase, corpus: Corpus) -> Sample:
    """The case as Inspect runs it.

    The input is for whoever reads the log: a solver makes its prompt of the sources in the
    metadata, which are whole. The target is the gold graph's JSON.
    """
    return Sample(
        id=f"{corpus.name}/{case.id}",
        input=_for_a_reader(case),
        target=json.dumps(case.expected.to_json(), ensure_ascii=False),
        metadata={
            "corpus": corpus.name,
            "corpus_folder": str(corpus.folder),
            "case": case.id,
            "why": case.why,
            "tags": list(case.tags),
            "grammar": corpus.grammar.to_json(),
            "sources": {name: source.text for name, source in case.sources.items()},
            "evidence": dict(case.evidence),
            "verifiers": dict(case.verifiers),
            "corpus_digest": corpus.digest,
        },
    )


def case_from(metadata: Mapping[str, Any] | None, target: str) -> LoggedCase:
    """A sample's case, read back from what ``to_sample`` wrote.

    Args:
        metadata: The sample's.
        target: The text of its target.

    Raises:
        CorpusError: If it is not a sample of the extraction task, or was changed since.
    """
    said = metadata or {}
    grammar = _of(said, "grammar", dict)
    texts = _of(said, "sources", dict)
    evidence = _of(said, "evidence", dict)
    if not all(isinstance(text, str) for text in texts.values()):
        raise CorpusError(f"the sample's metadata: `sources` are texts by name; {_REMEDY}")
    faults = check_evidence(evidence)
    if faults:
        raise CorpusError(f"the sample's metadata: `evidence`: {faults[0]}; {_REMEDY}")
    return LoggedCase(
        corpus=_of(said, "corpus", str),
        corpus_folder=Path(_of(said, "corpus_folder", str)),
        case=_of(said, "case", str),
        why=_of(said, "why", str),
        tags=tuple(map(str, _of(said, "tags", list))),
        grammar=_grammar(grammar),
        sources={name: source_from(name, text) for name, text in texts.items()},
        expected=_expected(target),
        evidence=evidence,
        verifiers=_of(said, "verifiers", dict),
        corpus_digest=_of(said, "corpus_digest", str),
    )


def _of(metadata: Mapping[str, Any], key: str, kind: type) -> Any:
    if key not in metadata:
        raise CorpusError(
            f"this is no sample of the extraction task: its metadata has no `{key}`; {_REMEDY}"
        )
    value = metadata[key]
    if not isinstance(value, kind):
        raise CorpusError(
            f"the sample's metadata: expected `{key}` to be {_WORDS[kind]}, came {shown(value)}; "
            f"{_REMEDY}"
        )
    return value


def _grammar(value: Any) -> Grammar:
    try:
        return Grammar.from_json(value)
    except CorpusError as error:
        raise CorpusError(f"the sample's metadata: `grammar`: {error}", error.faults) from error


def _expected(target: str) -> Graph:
    try:
        return Graph.from_json(json_document(target, "the sample's target").value)
    except InvalidGraph as error:
        raise CorpusError(
            f"the sample's target: expected a graph-v1 graph: {error}; {_REMEDY}"
        ) from error


def _for_a_reader(case: ExtractionCase) -> str:
    """Each source under its name, as it stands; a long one is cut."""
    parts = []
    for name, source in case.sources.items():
        text = block(source.text, _LANGUAGES[source.kind]) if source.text.strip() else "(empty)"
        parts.append(f"**{prose(name)}**\n\n{text}")
    return "\n\n".join(parts)
