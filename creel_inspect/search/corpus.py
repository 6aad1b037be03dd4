"""A corpus to search: found by name or path, derived on first use, kept in the user's cache.

A corpus is a folder of ORD *source datasets*. The engine reads artifacts derived from them, which
belong to one version of ord-schema and of RDKit, so they are not shipped but derived where they
are used and cached by content and versions. Sources are only read; nothing is written near them.
"""

import glob
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ord_schema import parquet
from ord_schema.artifacts import base, projection
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from creel_inspect.cache import CACHE_VARIABLE, cache_folder
from creel_inspect.search import derive as recipe
from creel_inspect.search.derive import CorpusError
from creel_inspect.search.folder_cache import (
    DamagedError,
    Note,
    file_sha256,
    open_or_build,
    open_whole,
)

__all__ = [
    "CACHE_VARIABLE",
    "Artifacts",
    "CorpusError",
    "artifacts_from_globs",
    "bundled_corpora",
    "derive",
    "source_files",
]

ARRIVALS_INDEX = "arrivals_index.parquet"


@dataclass(frozen=True)
class Artifacts:
    """What `ord_schema.search.execute.Corpus` opens, and which reactions that is.

    Args:
        projections: Glob of the projections.
        structures: Glob of the structures artifacts.
        arrivals: Glob of the arrivals artifacts; None where nothing says when each reaction was
            first committed, and queries that ask are refused.
        pivots_dir: Folder of the pivots, one subfolder per repeated level.
        occurrences_dir: Folder of the occurrence artifacts, one subfolder per path.
        fingerprint: 12 hex digits naming the content of the source datasets: equal for equal
            content, whatever the files are called and whatever library derived them.
    """

    projections: str
    structures: str
    arrivals: str | None
    pivots_dir: str | None
    occurrences_dir: str | None
    fingerprint: str


def bundled_corpora() -> dict[str, Path]:
    """Return the folder of each corpus that comes with the package, by name.

    They lie inside the package in an installed wheel and beside it in a clone.
    """
    package = Path(__file__).resolve().parent.parent
    inside = package / "datasets"
    return {"demo": (inside if inside.is_dir() else package.parent / "datasets") / "ord"}


def source_files(corpus: str | Path) -> list[Path]:
    """Return the ORD source datasets of a corpus, sorted by path.

    Args:
        corpus: A bundled corpus by name; or a folder, searched with its subfolders; or one file.
            Datasets are Parquet files in ord-schema's form, and `.pb`, `.binpb`, `.pbtxt` and
            `.txtpb` files, gzipped or not. Derived artifacts, the index of first commits, hidden
            files and files of other kinds are passed over.

    Raises:
        CorpusError: there is no such corpus, it holds no source dataset, or a Parquet file in it
            cannot be read or is neither a dataset nor an artifact. That ids are unique is
            checked on deriving, since only reading everything can tell.
    """
    root = _located(corpus)
    artifacts = 0
    found = []
    for path in sorted([root] if root.is_file() else _walk(root)):
        if path.name == ARRIVALS_INDEX or not _is_dataset_name(path):
            continue
        if path.suffix == ".parquet" and _is_artifact(path):
            artifacts += 1
        else:
            found.append(path)
    if not found and artifacts:
        raise CorpusError(
            f"{root}: expected ORD source datasets, found only {artifacts} artifacts derived from "
            "some; give the datasets, or give these as projections, structures, pivots_dir …"
        )
    if not found:
        raise CorpusError(
            f"{root}: expected ORD datasets ({', '.join(recipe.SUFFIXES)}, all but Parquet also "
            "gzipped), found none; give a folder that holds some, or one such file"
        )
    return found


def derive(corpus: str | Path, *, output: Path | None = None, progress: bool = True) -> Artifacts:
    """Return the artifacts of a corpus, deriving what is not there yet.

    Without `output` they are kept in the user's cache folder (or where the environment variable
    CREEL_INSPECT_CACHE points), by the content of the corpus and the versions of everything that
    derives it. Processes that need the same corpus at once derive it once; a killed run leaves
    nothing that is taken for whole; damaged artifacts are derived again.

    Args:
        corpus: As for `source_files`. Where its folder holds `arrivals_index.parquet` (written
            by `ord_schema.artifacts.history.write_index`), arrivals are derived too.
        output: A folder to derive into instead: absent, empty, or filled by this function from
            the same corpus and versions, in which case it is used as it is.
        progress: Show a bar on stderr while deriving.

    Raises:
        CorpusError: as `source_files` does; two datasets or reactions share an id; a dataset
            cannot be read or derived; `output` holds something else; there is no room, or no
            permission, to write.
    """
    sources = source_files(corpus)
    root = _located(corpus)
    index = (root.parent if root.is_file() else root) / ARRIVALS_INDEX
    commits = index if index.is_file() else None
    inputs = [*sources, *([commits] if commits else [])]
    before = _signatures(inputs)
    key = _key(sources, commits)
    folder = cache_folder("corpora") / key if output is None else Path(output).absolute()
    if output is not None:
        _refuse_to_overwrite(folder, key)

    def build(temporary: Path) -> Note:
        total = recipe.steps(len(sources), with_arrivals=commits is not None)
        with _bar(total, enabled=progress) as step:
            hashes = recipe.build(sources, commits, temporary, step)
        if _signatures(inputs) != before:
            raise CorpusError(
                f"{root}: expected its files to stay as they are while they are read, but some "
                "were changed; run again when they are complete"
            )
        return {"fingerprint": _fingerprint(hashes)}

    try:
        note = open_or_build(folder, key, build, _say)
    except OSError as error:
        raise CorpusError(
            f"{folder.parent}: expected to write derived artifacts here, but {error}; free some "
            f"space, or choose another place with "
            f"{f'the environment variable {CACHE_VARIABLE}' if output is None else 'output'}"
        ) from error
    return Artifacts(
        projections=_glob(folder / recipe.PROJECTIONS),
        structures=_glob(folder / recipe.STRUCTURES),
        arrivals=_glob(folder / recipe.ARRIVALS) if commits else None,
        pivots_dir=str(folder / recipe.PIVOTS),
        occurrences_dir=None,
        fingerprint=note["fingerprint"],
    )


def artifacts_from_globs(
    projections: str,
    structures: str,
    arrivals: str | None = None,
    pivots_dir: str | None = None,
    occurrences_dir: str | None = None,
) -> Artifacts:
    """Return artifacts that were derived elsewhere, with their fingerprint.

    Only the projections' footers are read, one at a time; whether the artifacts belong together
    and are current is checked by the engine that opens them.

    Raises:
        CorpusError: a glob matches nothing, a folder is not there, or a projection is none.
    """
    globs = {"projections": projections, "structures": structures, "arrivals": arrivals}
    for name, pattern in globs.items():
        if pattern is not None and not _matches(pattern):
            raise CorpusError(
                f"{name}: expected a glob of artifacts, such as '{name}/**/*.parquet', but "
                f"{pattern!r} matches nothing"
            )
    for name, folder in {"pivots_dir": pivots_dir, "occurrences_dir": occurrences_dir}.items():
        if folder is not None and not Path(folder).is_dir():
            raise CorpusError(f"{name}: expected a folder of artifacts, but {folder!r} is none")
    hashes = map(_projected, _matches(projections))
    return Artifacts(
        projections, structures, arrivals, pivots_dir, occurrences_dir, _fingerprint(hashes)
    )


def _located(corpus: str | Path) -> Path:
    bundled = bundled_corpora()
    if isinstance(corpus, str) and corpus in bundled:
        return bundled[corpus]
    path = Path(corpus).expanduser().absolute()
    if not path.exists():
        raise CorpusError(
            f"{corpus}: no such corpus; give a bundled one ({', '.join(bundled)}), or a folder or "
            f"file of ORD datasets (there is nothing at {path})"
        )
    return path


def _walk(root: Path) -> Iterator[Path]:
    """Every visible file beneath `root`, through links to folders but into each folder once."""
    entered = set()
    for here, folders, files in os.walk(root, followlinks=True):
        if (real := os.path.realpath(here)) in entered:
            folders.clear()
            continue
        entered.add(real)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(here, name) for name in files if not name.startswith("."))


def _is_dataset_name(path: Path) -> bool:
    suffixes = path.suffixes[-2:]
    if suffixes[-1:] == [".gz"]:
        return len(suffixes) == 2 and suffixes[0] in recipe.SUFFIXES and suffixes[0] != ".parquet"
    return path.suffix in recipe.SUFFIXES


def _is_artifact(path: Path) -> bool:
    try:
        if base.is_artifact(path):
            return True
        parquet.DatasetView(path)  # refuses Parquet of any other kind
    except (OSError, ValueError) as error:
        raise CorpusError(f"{path}: {recipe.unreadable(path, error)}") from error
    return False


def _key(sources: Sequence[Path], commits: Path | None) -> str:
    """Name what would be derived: by content and versions, not by file names."""
    try:
        contents = sorted(["".join(path.suffixes[-2:]), file_sha256(path)] for path in sources)
        arrivals = file_sha256(commits) if commits else None
    except OSError as error:
        raise CorpusError(f"{error.filename}: expected a readable file, but {error}") from error
    plan = {"sources": contents, "arrivals": arrivals, **recipe.recipe()}
    return hashlib.sha256(json.dumps(plan, sort_keys=True).encode()).hexdigest()[:32]


def _signatures(paths: Iterable[Path]) -> list[tuple[int, int]]:
    return [(stat.st_size, stat.st_mtime_ns) for stat in (path.stat() for path in paths)]


def _fingerprint(hashes: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(hashes)).encode()).hexdigest()[:12]


def _projected(path: str) -> str:
    """Return the content hash of the dataset that the projection at `path` restates."""
    try:
        stamps = base.load_stamps(path)
    except (OSError, ValueError) as error:
        raise CorpusError(
            f"{path}: expected a projection derived by ord-schema, which cannot be read here "
            f"({error}); narrow the glob `projections` or derive the file again"
        ) from error
    if stamps.artifact != projection.ARTIFACT:
        raise CorpusError(
            f"{path}: expected a projection, found an artifact of the kind {stamps.artifact!r}; "
            "narrow the glob `projections`"
        )
    return str(stamps.source_md5)


def _refuse_to_overwrite(folder: Path, key: str) -> None:
    if folder.exists() and not folder.is_dir():
        raise CorpusError(f"{folder}: expected a folder to derive into, found a file")
    if not folder.exists() or not any(folder.iterdir()):
        return
    try:
        open_whole(folder, key)
    except DamagedError as reason:
        raise CorpusError(
            f"{folder}: expected an empty folder, or one derived from this corpus with these "
            f"versions, but {reason}; remove it or choose another"
        ) from reason


def _matches(pattern: str) -> list[str]:
    # `glob` rather than `Path.glob`, which refuses absolute patterns: it is what the engine uses.
    return sorted(set(glob.glob(pattern, recursive=True)))  # noqa: PTH207


def _glob(folder: Path) -> str:
    return f"{glob.escape(str(folder))}/*.parquet"


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


@contextmanager
def _bar(total: int, *, enabled: bool) -> Iterator[Callable[[str], None]]:
    """Show how far deriving has come, on stderr, and nothing once it is done."""
    columns = (
        TextColumn("deriving the corpus: {task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    shown = enabled and console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=not shown) as progress:
        task = progress.add_task("reading", total=total)
        yield lambda label: progress.update(task, advance=1, description=label)
