"""From ORD source datasets to the artifacts a search reads, with ord-schema's own writers.

Each dataset becomes one projection, one structures file, one pivot per repeated level and, given
an index of first commits, one arrivals file. All are named by the hash of the dataset's content,
so what is derived does not depend on what the sources are called or in which order they come.

*Every* repeated level is pivoted. ``aggregate.over`` is refused on a level without a pivot, and a
refusal for what the corpus lacks would be counted as the model's mistake. Over the six levels that
questions usually name this costs about three times the processor time, nearly all of it for levels
that the datasets do record: the empty pivots of the others are written directly.

Occurrence artifacts are not derived: they change no answer, and structure queries over 15,000
reactions took about 50 ms with and without them.
"""

import logging
import shutil
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from threading import Event
from typing import Any

import duckdb
import pyarrow.parquet as pq
from ord_schema import datasets, parquet
from ord_schema.artifacts import arrivals, base, history, pivot, projection, structures
from rdkit import rdBase

PROJECTIONS, STRUCTURES, ARRIVALS, PIVOTS = "projections", "structures", "arrivals", "pivots"
LEVELS: tuple[str, ...] = tuple(pivot.LEVELS)

# Each but Parquet may be gzipped. JSON is left out: a corpus folder holds JSON of other kinds.
SUFFIXES = (".parquet", ".pb", ".binpb", ".pbtxt", ".txtpb")

# Raise it when what is derived, or how, changes: cached corpora are then derived again.
RECIPE = 1

# DuckDB spreads over the cores by itself; a second dataset in hand keeps them busy while another
# is in single-threaded Python. More would only multiply the memory in use.
_WORKERS = 2

_LFS_POINTER = b"version https://git-lfs.github.com/spec/"


class CorpusError(ValueError):
    """A corpus cannot be found, read, derived or stored.

    The message says what was expected, what came, where, and what to do about it.
    """


class _StoppedError(Exception):
    """Another dataset has failed: this one need not go on."""


def recipe() -> dict[str, Any]:
    """Return everything besides the sources that decides what is derived (JSON-safe)."""
    return {
        "recipe": RECIPE,
        "ord-schema": version("ord-schema"),
        "rdkit": rdBase.rdkitVersion,
        "artifact schema": base.ARTIFACT_SCHEMA_VERSION,
        "levels": LEVELS,
    }


def steps(count: int, *, with_arrivals: bool) -> int:
    """Return how often `build` calls `step` for this many datasets."""
    return count * (3 + len(LEVELS) + with_arrivals)


def build(
    sources: Sequence[Path], index: Path | None, folder: Path, step: Callable[[str], None]
) -> list[str]:
    """Derive every artifact of `sources` beneath `folder`.

    Args:
        sources: ORD datasets, in any of ord-schema's formats. They are only read.
        index: An index of first commits (`ord_schema.artifacts.history.write_index`), or None
            to derive no arrivals.
        folder: An empty folder to fill.
        step: Called with a word on what was done, `steps` times, from several threads.

    Returns:
        The content hash of each dataset, sorted: the one ord-schema stamps into artifacts. It
        covers name, description, dataset id and the reactions' bytes, and is the same whether
        the dataset came as `.pb`, `.pb.gz`, `.pbtxt` or Parquet.

    Raises:
        CorpusError: a source or the index cannot be read, a reaction has no id, a reaction id
            or dataset id occurs twice, the index lacks a reaction, or a dataset cannot be
            derived.
        OSError: `folder` cannot be written.
    """
    commits = None if index is None else _read_index(index)
    staging = folder / "staging"
    for part in (STRUCTURES, *(f"{PIVOTS}/{level}" for level in LEVELS)):
        (folder / part).mkdir(parents=True)
    for part in (PROJECTIONS, "staging", *([ARRIVALS] if commits is not None else [])):
        (folder / part).mkdir()
    with rdBase.BlockLogs(), _quiet_loggers():
        found = _read_all(sources, staging, step)
        _derive_all(found, folder, commits, step)
    shutil.rmtree(staging)
    return sorted(dataset.md5 for dataset in found)


@dataclass(frozen=True)
class _Dataset:
    origin: Path  # what the user has, named in errors
    parquet: Path  # the same content as ord-schema's writers read it
    md5: str
    dataset_id: str | None


def _read_all(
    sources: Sequence[Path], staging: Path, step: Callable[[str], None]
) -> list[_Dataset]:
    """Read each source whole, so that later errors are about deriving, not about reading."""
    found = []
    reactions: dict[str, Path] = {}
    identifiers: dict[str, Path] = {}
    for number, source in enumerate(sources):
        converted = source
        if source.suffix != ".parquet":
            converted = staging / f"{number}.parquet"
            message = _load(source)
            parquet.save_dataset(message, converted)
        with _reading(source):
            view = parquet.DatasetView(converted)
            md5, dataset_id = view.md5(), view.dataset_id or None
            for reaction_id in view.iter_reaction_ids():
                _claim(reactions, "reaction", reaction_id, source)
        if dataset_id is not None:
            _claim(identifiers, "dataset", dataset_id, source)
        found.append(_Dataset(source, converted, md5, dataset_id))
        step("reading")
    return found


def _load(source: Path) -> Any:
    """Read a dataset that is not Parquet, fit to be saved as Parquet.

    ord-schema's Parquet form requires a name and a description, which older datasets lack.
    """
    with _reading(source):
        message = datasets.load_dataset(source, as_dataset=True)
    if not message.reactions:
        raise CorpusError(
            f"{source}: expected an ORD dataset that holds reactions; this one holds none"
            f"{' but refers to others by id' if message.reaction_ids else ''}; leave it out"
        )
    message.name = message.name or message.dataset_id or "unnamed"
    message.description = message.description or "no description"
    return message


@contextmanager
def _reading(source: Path) -> Iterator[None]:
    """Turn whatever an unreadable source raises into an error that names it."""
    try:
        yield
    except CorpusError:
        raise
    # EOFError and zlib.error are how a cut or damaged .gz shows.
    except (OSError, ValueError, EOFError, zlib.error) as error:
        raise CorpusError(f"{source}: {unreadable(source, error)}") from error


def unreadable(source: Path, error: Exception) -> str:
    """Say why `source` is no ORD dataset, and what to do."""
    with suppress(OSError), source.open("rb") as stream:
        if stream.read(len(_LFS_POINTER)) == _LFS_POINTER:
            return (
                "expected an ORD dataset, found a Git LFS pointer to one; "
                "fetch the content with `git lfs pull`"
            )
    return (
        f"expected an ORD dataset ({', '.join(SUFFIXES)}), which cannot be read here "
        f"({type(error).__name__}: {error}); restore the file or leave it out"
    )


def _claim(owners: dict[str, Path], kind: str, identifier: str | None, source: Path) -> None:
    """Note that `identifier` is stated by `source`, once in the whole corpus."""
    if not identifier:
        raise CorpusError(f"{source}: expected an id on every {kind}; one has none. Assign it one")
    if identifier in owners:
        other = owners[identifier]
        where = f"twice by {source}" if other == source else f"by {other} and {source}"
        raise CorpusError(
            f"{kind} id {identifier} is stated {where}; expected each {kind} of a corpus once. "
            "Leave one out, or give it an id of its own"
        )
    owners[identifier] = source


def _read_index(index: Path) -> Any:
    try:
        return history.read_index(index)
    except (OSError, ValueError) as error:
        raise CorpusError(
            f"{index}: expected an index of first commits, as written by "
            f"ord_schema.artifacts.history.write_index; it cannot be read ({error}). "
            "Write it again, or remove it to go without"
        ) from error


def _derive_all(
    found: Sequence[_Dataset], folder: Path, commits: Any, step: Callable[[str], None]
) -> None:
    stop = Event()

    def checked_step(label: str) -> None:
        if stop.is_set():
            raise _StoppedError
        step(label)

    with ThreadPoolExecutor(_WORKERS) as pool:
        futures = [pool.submit(_derive, each, folder, commits, checked_step) for each in found]
        try:
            for future in as_completed(futures):
                future.result()
        finally:
            # After a failure or Ctrl-C: nobody waits for more than the file in hand.
            stop.set()
            pool.shutdown(cancel_futures=True)


def _derive(dataset: _Dataset, folder: Path, commits: Any, step: Callable[[str], None]) -> None:
    name = f"{dataset.md5}.parquet"
    projected = folder / PROJECTIONS / name
    stamps: dict[str, Any] = {
        "source_md5": dataset.md5,
        "source_dataset_id": dataset.dataset_id,
    }
    try:
        projection.write_projection(dataset.parquet, projected, **stamps)
        step("projections")
        if commits is not None:
            arrivals.write_arrivals(projected, folder / ARRIVALS / name, index=commits, **stamps)
            step("arrivals")
        structures.write_structures(projected, folder / STRUCTURES / name, **stamps)
        step("structures")
        counts = pivot.count_levels(projected, LEVELS)
        for level in LEVELS:
            output = folder / PIVOTS / level / name
            if counts[level]:
                pivot.write_pivot(projected, output, level_path=level, counts=counts, **stamps)
            else:
                write_empty_pivot(output, level, **stamps)
            step("pivots")
    except (ValueError, duckdb.Error) as error:
        raise CorpusError(
            f"{dataset.origin}: expected a dataset that ord-schema can derive; it says: {error}"
        ) from error


def write_empty_pivot(
    output: Path, level: str, *, source_md5: str, source_dataset_id: str | None
) -> None:
    """Write what `pivot.write_pivot` writes for a level without elements, byte for byte.

    Without its DuckDB connection over the projection, which costs more than the rest together.
    """
    stamps = base.current_stamps(pivot.ARTIFACT, source_dataset_id, source_md5)
    metadata = base.to_metadata(stamps) | {pivot.META_PIVOT_PATH: level}
    schema = pivot.schema(pivot.LEVELS[level]).with_metadata(metadata)
    pq.ParquetWriter(output, schema, compression="zstd").close()


@contextmanager
def _quiet_loggers() -> Iterator[None]:
    """Hold ord-schema's loggers, each of which sets itself to INFO, to warnings."""
    loggers = [
        logger
        for name, logger in logging.root.manager.loggerDict.items()
        if name.startswith("ord_schema.") and isinstance(logger, logging.Logger)
    ]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
