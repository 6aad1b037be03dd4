"""A folder that is built once, whole or not at all, and checked each time it is opened.

Knows nothing of what is in the folder. The promises:

* **Whole or absent.** A folder is filled under another name beside its own and renamed into
  place after its manifest is written, so a killed build never leaves one that looks finished.
* **One builder.** Processes that want the same folder at the same time take turns on a lock;
  those that waited use what the first one built.
* **Checked on opening.** The manifest lists every file with its size and SHA-256. Names and sizes
  are compared always, contents while the folder is small enough for that to be unnoticeable.
  Whatever does not match is built again.
"""

import contextlib
import hashlib
import json
import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

MANIFEST = "manifest.json"

# Contents are hashed on opening up to this many bytes in all; beyond it, names and sizes only.
HASHED_BYTES = 200_000_000

# Unmistakable, since folders named so are deleted: <prefix><random>-<name of the real folder>.
_TEMPORARY = ".creel-building-"

Note = dict[str, Any]
Say = Callable[[str], None]


class DamagedError(Exception):
    """A folder that is there but is not what was built; the message says how it differs."""


def open_whole(folder: Path, key: str) -> Note | None:
    """Return the note stored with `folder`, or None where it is absent or empty.

    Args:
        folder: The finished folder.
        key: What it must have been built for.

    Raises:
        DamagedError: the folder is there but was built for another key, or a file in it is missing,
            unexpected, of another size or of other content, or its manifest cannot be read.
    """
    try:
        if not folder.exists() or not any(folder.iterdir()):
            return None
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        body, digest = manifest["body"], manifest["sha256"]
        if digest != _digest(body):
            raise DamagedError(f"{MANIFEST} was changed")
        if body["key"] != key:
            raise DamagedError("it was built for something else")
        _compare(folder, body["files"])
        note: Note = body["note"]
    except FileNotFoundError as error:
        raise DamagedError(f"{Path(error.filename).name} is missing") from error
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise DamagedError(f"{MANIFEST} cannot be read ({type(error).__name__})") from error
    return note


def open_or_build(folder: Path, key: str, build: Callable[[Path], Note], say: Say) -> Note:
    """Return the note of `folder`, building it first where it is absent or damaged.

    Args:
        folder: Where the finished folder belongs. Its parents are made as needed. A damaged
            folder there is deleted.
        key: What the folder is built for; kept in its manifest.
        build: Fills the empty folder it is given and returns a JSON-safe note to keep with it.
        say: Told, in one line each, that a damaged folder is built again and that another
            process is being waited for.

    Raises:
        OSError: the place cannot be written (nothing is left behind), or cannot be locked.
    """
    # Without the lock first, so that a finished folder on a read-only disk can be used.
    with contextlib.suppress(DamagedError):
        note = open_whole(folder, key)
        if note is not None:
            return note
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _locked(folder, say):
        try:
            note = open_whole(folder, key)
        except DamagedError as reason:
            say(f"{folder} is damaged ({reason}); building it again")
        else:
            if note is not None:
                return note
        _sweep(folder)
        return _build(folder, key, build)


def _build(folder: Path, key: str, build: Callable[[Path], Note]) -> Note:
    """Fill a temporary folder and put it in place. The lock is held."""
    temporary = _temporary(folder)
    temporary.mkdir()
    try:
        note = build(temporary)
        body = {"key": key, "note": note, "files": _contents(temporary)}
        manifest = json.dumps({"body": body, "sha256": _digest(body)}, indent=1)
        (temporary / MANIFEST).write_text(manifest, encoding="utf-8")
        if folder.exists():
            # Moved aside rather than deleted in place: no reader sees it half gone.
            old = _temporary(folder)
            folder.rename(old)
            temporary.rename(folder)
            shutil.rmtree(old, ignore_errors=True)
        else:
            temporary.rename(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return note


def _temporary(folder: Path) -> Path:
    return folder.with_name(f"{_TEMPORARY}{secrets.token_hex(4)}-{folder.name}")


def _lock(folder: Path) -> FileLock:
    return FileLock(folder.with_name(f".{folder.name}.lock"))


@contextlib.contextmanager
def _locked(folder: Path, say: Say) -> Iterator[None]:
    lock = _lock(folder)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        say(f"another process is building {folder}; waiting for it")
        lock.acquire()
    except NotImplementedError as error:
        raise OSError(f"the file system of {folder.parent} has no file locks") from error
    try:
        yield
    finally:
        lock.release()


def _sweep(folder: Path) -> None:
    """Delete what killed builds left beside `folder`, whose lock is held.

    A temporary folder is stale when nobody holds the lock of the folder it was meant to become.
    """
    for stale in folder.parent.glob(f"{_TEMPORARY}*"):
        name = stale.name.removeprefix(_TEMPORARY).partition("-")[2]
        if name == folder.name:
            shutil.rmtree(stale, ignore_errors=True)
        elif name:
            with (
                contextlib.suppress(Timeout),
                _lock(folder.with_name(name)).acquire(blocking=False),
            ):
                shutil.rmtree(stale, ignore_errors=True)


def _digest(body: object) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file's bytes in hex, read a block at a time."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _files(folder: Path) -> dict[str, Path]:
    """Every file under `folder` but the manifest, by its path within."""
    return {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path != folder / MANIFEST
    }


def _contents(folder: Path) -> dict[str, list[int | str]]:
    return {name: [path.stat().st_size, file_sha256(path)] for name, path in _files(folder).items()}


def _compare(folder: Path, expected: dict[str, list[Any]]) -> None:
    found = _files(folder)
    for name in sorted(expected.keys() ^ found.keys()):
        raise DamagedError(f"{name} is {'missing' if name in expected else 'unexpected'}")
    sizes = {name: path.stat().st_size for name, path in found.items()}
    for name, size in sizes.items():
        if size != expected[name][0]:
            raise DamagedError(f"{name} holds {size} bytes instead of {expected[name][0]}")
    if sum(sizes.values()) > HASHED_BYTES:
        return
    for name, path in found.items():
        if file_sha256(path) != expected[name][1]:
            raise DamagedError(f"the content of {name} was changed")
