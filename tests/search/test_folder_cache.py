"""The folder cache, with builds of a few bytes; test_corpus.py has it hold real artifacts."""

import errno
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from creel_inspect.search import folder_cache
from creel_inspect.search.folder_cache import (
    MANIFEST,
    DamagedError,
    open_or_build,
    open_whole,
)

NOTE = {"fingerprint": "abc"}


class Builder:
    """Fills a folder with two files and counts how often it was asked to."""

    def __init__(self) -> None:
        self.builds = 0
        self.said: list[str] = []

    def __call__(self, folder: Path) -> dict[str, str]:
        self.builds += 1
        (folder / "part").mkdir()
        (folder / "part" / "one").write_bytes(b"first")
        (folder / "two").write_bytes(b"second")
        return NOTE

    def open(self, folder: Path, key: str = "k") -> dict[str, str]:
        return open_or_build(folder, key, self, self.said.append)


@pytest.fixture
def builder() -> Builder:
    return Builder()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "entry"


def leftovers(folder: Path) -> list[str]:
    """What lies beside the folder, but for itself and its lock."""
    return sorted(
        path.name
        for path in folder.parent.iterdir()
        if path.name not in (folder.name, f".{folder.name}.lock")
    )


def test_a_folder_is_built_once_and_then_opened(builder: Builder, folder: Path) -> None:
    assert builder.open(folder) == NOTE
    assert builder.open(folder) == NOTE
    assert builder.builds == 1
    assert builder.said == []
    assert (folder / "part" / "one").read_bytes() == b"first"
    assert leftovers(folder) == []


def test_an_absent_and_an_empty_folder_have_no_note(folder: Path) -> None:
    assert open_whole(folder, "k") is None
    folder.mkdir(parents=True)
    assert open_whole(folder, "k") is None


def test_an_empty_folder_is_filled_without_a_word(builder: Builder, folder: Path) -> None:
    folder.mkdir(parents=True)
    assert builder.open(folder) == NOTE
    assert builder.said == []
    assert leftovers(folder) == []


def remove(folder: Path) -> None:
    (folder / "two").unlink()


def truncate(folder: Path) -> None:
    (folder / "two").write_bytes(b"sec")


def flip(folder: Path) -> None:
    (folder / "two").write_bytes(b"sfcond")


def add(folder: Path) -> None:
    (folder / "part" / "three").write_bytes(b"third")


def lose_manifest(folder: Path) -> None:
    (folder / MANIFEST).unlink()


def garble_manifest(folder: Path) -> None:
    (folder / MANIFEST).write_bytes(b'{"body": {"key": "k", \xff')


def nest_manifest(folder: Path) -> None:
    (folder / MANIFEST).write_text("[" * 100_000)


def empty_manifest(folder: Path) -> None:
    (folder / MANIFEST).write_text("[]")


def edit_manifest(folder: Path) -> None:
    manifest = json.loads((folder / MANIFEST).read_text())
    manifest["body"]["note"]["fingerprint"] = "abd"
    (folder / MANIFEST).write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (remove, "two is missing"),
        (truncate, "two holds 3 bytes instead of 6"),
        (flip, "the content of two was changed"),
        (add, "part/three is unexpected"),
        (lose_manifest, f"{MANIFEST} is missing"),
        (garble_manifest, f"{MANIFEST} cannot be read"),
        (nest_manifest, f"{MANIFEST} cannot be read"),
        (empty_manifest, f"{MANIFEST} cannot be read"),
        (edit_manifest, f"{MANIFEST} was changed"),
    ],
)
def test_any_damage_is_named_in_one_line_and_built_again(
    builder: Builder, folder: Path, damage: Callable[[Path], None], reason: str
) -> None:
    builder.open(folder)
    damage(folder)
    with pytest.raises(DamagedError):
        open_whole(folder, "k")
    assert builder.open(folder) == NOTE
    assert builder.builds == 2
    assert len(builder.said) == 1
    assert str(folder) in builder.said[0]
    assert reason in builder.said[0]
    assert (folder / "two").read_bytes() == b"second"
    assert not (folder / "part" / "three").exists()
    assert open_whole(folder, "k") == NOTE
    assert leftovers(folder) == []


def test_a_folder_built_for_another_key_is_built_again(builder: Builder, folder: Path) -> None:
    builder.open(folder, "k")
    builder.open(folder, "other")
    assert builder.builds == 2
    assert open_whole(folder, "other") == NOTE


def test_contents_beyond_the_limit_are_checked_by_size_only(
    builder: Builder, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    builder.open(folder)  # 5 + 6 bytes
    flip(folder)
    monkeypatch.setattr(folder_cache, "HASHED_BYTES", 10)
    assert open_whole(folder, "k") == NOTE
    monkeypatch.setattr(folder_cache, "HASHED_BYTES", 11)
    with pytest.raises(DamagedError, match="content of two"):
        open_whole(folder, "k")
    monkeypatch.setattr(folder_cache, "HASHED_BYTES", 10)
    truncate(folder)
    with pytest.raises(DamagedError, match="3 bytes"):
        open_whole(folder, "k")


def test_a_full_disk_is_an_os_error_and_leaves_nothing(folder: Path) -> None:
    def build(temporary: Path) -> dict[str, str]:
        (temporary / "half").write_bytes(b"x")
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        open_or_build(folder, "k", build, print)
    assert not folder.exists()
    assert leftovers(folder) == []


def test_a_failed_rebuild_keeps_what_was_there(builder: Builder, folder: Path) -> None:
    builder.open(folder, "k")

    def build(temporary: Path) -> dict[str, str]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_or_build(folder, "other", build, print)
    assert open_whole(folder, "k") == NOTE
    assert leftovers(folder) == []


def test_a_finished_folder_is_opened_without_writing(
    builder: Builder, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    builder.open(folder)

    def locked(*_: object) -> None:
        raise AssertionError("a lock was taken")

    monkeypatch.setattr(folder_cache, "FileLock", locked)
    assert builder.open(folder) == NOTE


def test_what_killed_builds_left_is_swept_but_not_what_is_being_built(
    builder: Builder, folder: Path
) -> None:
    folder.parent.mkdir()
    for name in ("entry", "abandoned", "busy"):
        (folder.parent / f".creel-building-0a1b2c3d-{name}").mkdir()
        (folder.parent / f".creel-building-0a1b2c3d-{name}" / "half").write_bytes(b"x")
    (folder.parent / "unrelated").mkdir()
    with folder_cache._lock(folder.with_name("busy")):
        builder.open(folder)
    kept = [name for name in leftovers(folder) if not name.endswith(".lock")]
    assert kept == [".creel-building-0a1b2c3d-busy", "unrelated"]


SCRIPT = """
import os, sys, time
from pathlib import Path
from creel_inspect.search import folder_cache

folder, log = Path(sys.argv[1]), Path(sys.argv[2])

def build(temporary):
    (temporary / "two").write_bytes(b"second")
    with log.open("a") as stream:
        stream.write("built ")
    {during}
    return {{"fingerprint": "abc"}}

def say(line):
    print(line, file=sys.stderr, flush=True)

{before}
print(folder_cache.open_or_build(folder, "k", build, say))
"""

KILL = "os.kill(os.getpid(), 9)"
KILL_ON_RENAME = f"folder_cache.Path.rename = lambda *_: {KILL}"


@pytest.mark.parametrize(
    ("before", "during"),
    [("", KILL), (KILL_ON_RENAME, "")],
    ids=["while building", "before the rename"],
)
def test_a_killed_build_is_never_taken_for_whole(
    builder: Builder, folder: Path, tmp_path: Path, before: str, during: str
) -> None:
    script = SCRIPT.format(before=before, during=during)
    command = [sys.executable, "-c", script, str(folder), str(tmp_path / "log")]
    killed = subprocess.run(command, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert not folder.exists()
    assert len(leftovers(folder)) == 1
    assert builder.open(folder) == NOTE
    assert builder.builds == 1
    assert leftovers(folder) == []


def test_of_two_processes_one_builds_and_the_other_waits(folder: Path, tmp_path: Path) -> None:
    # The first build goes on only when the test says so, which it does when the second waits.
    log, started, go = tmp_path / "log", tmp_path / "started", tmp_path / "go"
    during = (
        f"open({str(started)!r}, 'w').close()\n"
        f"    while not os.path.exists({str(go)!r}): time.sleep(0.01)"
    )
    script = SCRIPT.format(before="", during=during)

    def start() -> subprocess.Popen[str]:
        command = [sys.executable, "-c", script, str(folder), str(log)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    with start() as first:
        while not started.exists():
            assert first.poll() is None, first.stderr and first.stderr.read()
            time.sleep(0.01)
        try:
            second = start()
            assert second.stderr is not None
            line = second.stderr.readline()
        finally:
            go.touch()
        outputs = [process.communicate()[0] for process in (first, second)]
    assert line == f"another process is building {folder}; waiting for it\n"
    assert outputs == [f"{NOTE}\n"] * 2
    assert log.read_text() == "built "
