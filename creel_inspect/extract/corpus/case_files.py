"""The files of one case, each read by itself."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from creel_inspect.extract.corpus.evidence import check_evidence
from creel_inspect.extract.corpus.layout import ABOUT, EVIDENCE, GOLD, OVERRIDES, SOURCES
from creel_inspect.extract.corpus.sources import Source, read_sources
from creel_inspect.extract.files.reading import CorpusError, inside, read_json, read_yaml
from creel_inspect.extract.grammar.model import Grammar
from creel_inspect.verify.graph.comparing import too_large
from creel_inspect.verify.graph.model import Graph, InvalidGraph
from creel_inspect.verify.plain import shown

NO_SOURCES = (
    "expected at least one file to read (.md, .txt, .csv or .json), found none; a document that "
    "says nothing is an empty file"
)


@dataclass(frozen=True)
class About:
    """What ``case.yaml`` says of a case."""

    why: str
    tags: tuple[str, ...] = ()


def read_about(folder: Path, corpus: Path) -> About:
    """What ``case.yaml`` says.

    Raises:
        CorpusError: If it is not there, does not say why the case exists, or says anything else.
    """
    document = read_yaml(inside(corpus, folder.name, ABOUT), corpus)
    said = document.value
    if not isinstance(said, dict):
        raise CorpusError(
            f"{document.where()}: expected `why: …` and perhaps `tags: […]`, came {shown(said)}"
        )
    unknown = [key for key in said if key not in {"why", "tags"}]
    if unknown:
        raise CorpusError(
            f"{document.where(unknown[0])}: no key is called {shown(unknown[0])}; a case has "
            "`why` and `tags`"
        )
    why = said.get("why")
    if not isinstance(why, str) or not why.strip():
        raise CorpusError(
            f"{document.where('why')}: `why` is a sentence that says what the case is there to "
            f"catch, came {shown(why)}"
        )
    tags = said.get("tags") or []
    if not isinstance(tags, list) or not all(isinstance(tag, str) and tag.strip() for tag in tags):
        raise CorpusError(
            f"{document.where('tags')}: `tags` is a list of words, came {shown(tags)}"
        )
    return About(" ".join(why.split()), tuple(dict.fromkeys(tag.strip() for tag in tags)))


def read_case_sources(folder: Path, corpus: Path) -> dict[str, Source]:
    """The sources of a case; there may be none.

    Raises:
        CorpusError: If their folder is not there, or one of them cannot be read.
    """
    try:
        return read_sources(inside(corpus, folder.name, SOURCES), corpus)
    except CorpusError as error:
        if str(error).startswith(f"{folder.name}/"):
            raise
        raise CorpusError(f"{folder.name}/{SOURCES}: {error}", error.faults) from error


def read_gold_json(folder: Path, corpus: Path) -> Any:
    """The value in ``expected_graph.json``, which may be no graph.

    Raises:
        CorpusError: If it is not there, or no JSON.
    """
    return read_json(inside(corpus, folder.name, GOLD), corpus).value


def read_gold(folder: Path, corpus: Path) -> Graph:
    """The gold graph.

    Raises:
        CorpusError: If it cannot be read, is no graph, or is larger than graphs are scored.
    """
    try:
        graph = Graph.from_json(read_gold_json(folder, corpus))
    except InvalidGraph as error:
        raise CorpusError(f"{folder.name}/{GOLD}: {error}") from error
    problem = too_large(graph)
    if problem:
        raise CorpusError(f"{folder.name}/{GOLD}: {problem}")
    return graph


def without_one_type(graph: Graph, grammar: Grammar) -> list[tuple[str, str]]:
    """The ids of the nodes that have no type, or several none of which is above the others.

    Each comes with a sentence that says so.
    """
    found = []
    for name, node in graph.nodes.items():
        most = grammar.most_specific("node", node.types)
        if len(most) != 1:
            came = f"{', '.join(map(shown, most))}, none of which is above another" if most else ""
            message = f"the node has {came or 'no type'}; expected one most specific type"
            found.append((name, message))
    return found


def read_evidence(folder: Path, corpus: Path) -> dict[str, Any]:
    """Where each value of the gold stands; empty where there is no such file.

    Raises:
        CorpusError: If it is there and is no evidence.
    """
    path = inside(corpus, folder.name, EVIDENCE)
    if not os.path.lexists(path):
        return {}
    value = read_json(path, corpus).value
    faults = check_evidence(value)
    if faults:
        more = f" (and {len(faults) - 1:,} more)" if len(faults) > 1 else ""
        raise CorpusError(f"{folder.name}/{EVIDENCE}: {faults[0]}{more}")
    return dict(value)


def read_overrides(folder: Path, corpus: Path) -> dict[str, Any]:
    """The verifiers of single elements, as written; none where there is no such file.

    Raises:
        CorpusError: If it is there and no mapping from paths to specs.
    """
    path = inside(corpus, folder.name, OVERRIDES)
    if not os.path.lexists(path):
        return {}
    document = read_yaml(path, corpus)
    value = {} if document.value is None else document.value
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise CorpusError(
            f"{document.where()}: expected verifiers by taxonomy path, such as "
            f"`node.project[prj-1].title: exact`, came {shown(value)}"
        )
    return value
