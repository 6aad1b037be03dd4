"""Where the parts of a corpus are in its folder, and what its cases are called.

::

    README.md, LICENSE         for people
    grammar.yaml               node and edge types
    policies/strict.yaml       which verifier compares what; others beside it
    bindings.yaml              optional: deterministic extractors
    <case>/case.yaml           why it exists, and tags
    <case>/sources/            .md .txt .csv .json, in UTF-8
    <case>/expected_graph.json
    <case>/expected_evidence.json   optional: where each value stands
    <case>/verifiers.yaml           optional: for single elements

A folder is a case if it has ``sources`` or ``expected_graph.json``. Hidden files are passed over.
"""

import os
import re
from pathlib import Path

from creel_inspect.extract.files.reading import CorpusError, inside
from creel_inspect.verify.plain import shown

GRAMMAR = "grammar.yaml"
BINDINGS = "bindings.yaml"
POLICIES = "policies"
ABOUT = "case.yaml"
SOURCES = "sources"
GOLD = "expected_graph.json"
EVIDENCE = "expected_evidence.json"
OVERRIDES = "verifiers.yaml"

MOST_CASES = 10_000
_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")


def policy_names(folder: Path) -> tuple[str, ...]:
    """The policies that a corpus holds, sorted.

    Raises:
        CorpusError: If their folder leads out of the corpus.
    """
    policies = inside(folder, POLICIES)
    return tuple(sorted(path.stem for path in visible(policies) if path.suffix == ".yaml"))


def bindings_file(folder: Path) -> Path | None:
    """The corpus's file of deterministic extractors, if it has one.

    Raises:
        CorpusError: If it leads out of the corpus.
    """
    path = inside(folder, BINDINGS)
    return path if path.exists() else None


def case_folders(folder: Path) -> list[Path]:
    """The folders that are cases: those with sources or a gold graph in them, by name.

    A link that leads out of the corpus is one too: reading it says what is wrong with it.

    Raises:
        CorpusError: If there are more than 10,000.
    """
    found = [
        path
        for path in visible(folder)
        if path.name != POLICIES and is_folder(path) and _is_case(path, folder)
    ]
    if len(found) > MOST_CASES:
        raise CorpusError(
            f"{shown(folder.name)}: expected at most {MOST_CASES:,} cases, found {len(found):,}"
        )
    return found


def case_folder(case: str, corpus: Path) -> Path:
    """The folder of one case.

    Raises:
        CorpusError: If there is no such case.
    """
    folders = {path.name: path for path in case_folders(corpus)}
    if case not in folders:
        few = ", ".join(map(shown, list(folders)[:20])) or "none"
        raise CorpusError(f"no case is called {shown(case)}; {corpus.name} has {few}")
    return folders[case]


def _is_case(path: Path, corpus: Path) -> bool:
    if not path.resolve().is_relative_to(corpus):
        return True
    return any(os.path.lexists(path / name) for name in (SOURCES, GOLD))


def refuse_odd_name(folder: Path) -> None:
    """A case is called by its folder's name, in logs, paths and on command lines.

    Raises:
        CorpusError: If the name is no slug.
    """
    if not _ID.fullmatch(folder.name):
        raise CorpusError(
            f"{shown(folder.name)}: a case's folder is named with lower-case letters, digits, "
            "`.`, `_` and `-`, at most 100 and first a letter or digit; rename it"
        )


def visible(folder: Path) -> list[Path]:
    """What a folder holds, sorted by name, hidden files apart; nothing where it is none."""
    if not is_folder(folder):
        return []
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if not entry.name.startswith("."))
    except OSError as error:
        raise CorpusError(f"{shown(folder.name)}: expected a readable folder, {error}") from error
    return [folder / name for name in names]


def is_folder(path: Path) -> bool:
    """Whether a path is a folder that can be seen."""
    # `Path.is_dir` raises where a folder above may not be entered.
    return os.path.isdir(path)  # noqa: PTH112
