"""Finding corpora, and keeping what was derived from them."""

import errno
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from ord_schema.artifacts import structures

from creel_inspect.search import corpus, derive
from creel_inspect.search.corpus import (
    CACHE_VARIABLE,
    CorpusError,
    bundled_corpora,
    source_files,
)
from tests.search.tiny_corpora import TOLUENE, USES_NITRO, dataset, ids, kept, reaction_id, save

pytestmark = pytest.mark.usefixtures("corpus_cache", "few_levels")


# ---- finding the sources --------------------------------------------------------------------


def test_the_bundled_corpus_is_found_by_name() -> None:
    assert list(bundled_corpora()) == ["demo"]
    assert bundled_corpora()["demo"].parts[-2:] == ("datasets", "ord")


def test_the_bundled_corpus_of_an_installed_package_is_inside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site-packages" / "creel_inspect"
    (package / "datasets" / "ord").mkdir(parents=True)
    (tmp_path / "site-packages" / "datasets" / "ord").mkdir(parents=True)  # someone else's
    monkeypatch.setattr(corpus, "__file__", str(package / "search" / "corpus.py"))
    assert bundled_corpora() == {"demo": package / "datasets" / "ord"}


def test_every_format_is_found_in_every_subfolder_and_nothing_else(tmp_path: Path) -> None:
    wanted = ["a.parquet", "b/c.pb", "b/d.pb.gz", "e.binpb", "f.pbtxt", "g.txtpb.gz"]
    for number, place in enumerate(wanted):
        save(dataset(number), tmp_path / "data" / place)
    for place in ("cases.json", "arrivals_index.parquet", "x.parquet.gz", "y.csv.gz", ".z.pb"):
        (tmp_path / "data" / place).write_bytes(b"?")
    save(dataset(9), tmp_path / "data" / ".hidden" / "a.pb")
    save(dataset(10), tmp_path / "elsewhere" / "linked.pb")
    (tmp_path / "data" / "h").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "data" / "i").symlink_to(tmp_path / "data")
    found = [
        path.relative_to(tmp_path / "data").as_posix() for path in source_files(tmp_path / "data")
    ]
    assert found == sorted([*wanted, "h/linked.pb"])


def test_a_single_file_is_a_corpus(corpus_root: Path) -> None:
    assert source_files(corpus_root / "one.parquet") == [corpus_root / "one.parquet"]


def test_artifacts_beside_the_sources_are_passed_over(corpus_root: Path) -> None:
    corpus.derive(corpus_root, output=corpus_root / "derived", progress=False)
    assert source_files(corpus_root) == [corpus_root / "one.parquet"]


def test_a_folder_of_artifacts_is_told_from_one_of_sources(
    corpus_root: Path, tmp_path: Path
) -> None:
    corpus.derive(corpus_root, output=tmp_path / "out", progress=False)
    with pytest.raises(CorpusError, match=r"found only 3 artifacts.*projections"):
        source_files(tmp_path / "out")


def test_a_corpus_that_is_not_there_lists_the_bundled_ones(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"demmo: no such corpus; give a bundled one \(demo\)"):
        source_files("demmo")


def test_a_folder_without_datasets_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"expected ORD datasets \(\.parquet, .*found none"):
        source_files(tmp_path)


def test_parquet_of_another_kind_is_refused_by_name(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1]}), tmp_path / "table.parquet")
    with pytest.raises(CorpusError, match=r"table\.parquet: expected an ORD dataset.*footer"):
        source_files(tmp_path)


# ---- keeping --------------------------------------------------------------------------------


def test_the_same_content_is_derived_once_wherever_it_lies(
    corpus_root: Path, tmp_path: Path, builds: list[int]
) -> None:
    first = corpus.derive(corpus_root)
    moved = tmp_path / "moved"
    corpus_root.rename(moved)
    (moved / "one.parquet").rename(moved / "renamed.parquet")
    assert corpus.derive(moved) == first
    assert builds == [1]


@pytest.mark.parametrize("change", ["content", "index", "library", "recipe"])
def test_other_content_or_another_version_is_derived_anew(
    corpus_root: Path, builds: list[int], monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    corpus.derive(corpus_root)
    if change == "content":
        save(dataset(2), corpus_root / "two.parquet")
    elif change == "index":
        (corpus_root / "arrivals_index.parquet").write_bytes(b"1")
    elif change == "library":
        monkeypatch.setattr(derive, "version", lambda _: "99")
    else:
        monkeypatch.setattr(derive, "RECIPE", derive.RECIPE + 1)
    corpus.derive(corpus_root)
    assert len(builds) == 2


def test_a_damaged_artifact_is_derived_again_with_one_line_on_stderr(
    corpus_root: Path, corpus_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = corpus.derive(corpus_root, progress=False)
    (victim,) = corpus_cache.glob("*/structures/*.parquet")
    content = bytearray(victim.read_bytes())
    content[len(content) // 2] ^= 1
    victim.write_bytes(content)
    assert corpus.derive(corpus_root, progress=False) == first
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert "damaged" in lines[0]
    assert victim.name in lines[0]
    assert ids(first, USES_NITRO) == {reaction_id(1, 0)}


def test_a_file_that_changes_while_it_is_read_is_not_kept(
    corpus_root: Path, corpus_cache: Path, builds: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = derive.build

    def build(sources: list[Path], *rest: Any) -> list[str]:
        save(dataset(7, (TOLUENE,) * 3), sources[0])
        return fake(sources, *rest)

    monkeypatch.setattr(derive, "build", build)
    with pytest.raises(CorpusError, match="some were changed; run again"):
        corpus.derive(corpus_root)
    assert kept(corpus_cache) == []


def test_a_full_disk_says_where_and_how_to_move(
    corpus_root: Path, corpus_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(structures, "write_structures", full)
    with pytest.raises(CorpusError) as caught:
        corpus.derive(corpus_root, progress=False)
    assert str(corpus_cache) in str(caught.value)
    assert "No space left" in str(caught.value)
    assert CACHE_VARIABLE in str(caught.value)
    assert kept(corpus_cache) == []


def test_a_cache_that_cannot_be_written_says_where_and_how_to_move(
    corpus_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "file"))
    with pytest.raises(CorpusError, match=rf"{tmp_path / 'file'}.*{CACHE_VARIABLE}"):
        corpus.derive(corpus_root)


def test_a_relative_cache_folder_does_not_follow_the_working_directory(
    corpus_root: Path, tmp_path: Path, builds: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(CACHE_VARIABLE, "kept")
    assert corpus.derive("sources").projections.startswith(str(tmp_path / "kept"))


# ---- deriving to a folder of one's own ------------------------------------------------------


def test_output_is_filled_then_used_as_it_is(
    corpus_root: Path, tmp_path: Path, builds: list[int]
) -> None:
    first = corpus.derive(corpus_root, output=tmp_path / "out")
    assert first.projections == str(tmp_path / "out" / "projections" / "*.parquet")
    assert corpus.derive(corpus_root, output=tmp_path / "out") == first
    (tmp_path / "empty").mkdir()
    corpus.derive(corpus_root, output=tmp_path / "empty")
    assert builds == [1, 1]


@pytest.mark.parametrize("holds", ["something else", "another corpus", "a file"])
def test_output_that_holds_anything_else_is_left_alone(
    corpus_root: Path, tmp_path: Path, builds: list[int], holds: str
) -> None:
    out = tmp_path / "out"
    if holds == "something else":
        save(dataset(3), out / "precious.pb")
    elif holds == "another corpus":
        corpus.derive(save(dataset(3), tmp_path / "other.pb"), output=out)
    else:
        out.write_bytes(b"precious")
    before = sorted(out.rglob("*"))
    with pytest.raises(CorpusError, match=f"{out}: expected"):
        corpus.derive(corpus_root, output=out)
    assert sorted(out.rglob("*")) == before
    assert out.exists()


# ---- several processes, and death -----------------------------------------------------------


def start(corpus_root: Path, preamble: str) -> "subprocess.Popen[str]":
    script = f"""
import os, sys, time
from ord_schema.artifacts import projection, structures
from creel_inspect.search import corpus, derive
derive.LEVELS = {derive.LEVELS!r}
{preamble}
print(corpus.derive({str(corpus_root)!r}, progress=False).fingerprint)
"""
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", script], stdout=pipe, stderr=pipe, text=True)


def test_a_build_killed_midway_is_derived_again_and_cleared_away(
    corpus_root: Path, corpus_cache: Path
) -> None:
    killed = start(
        corpus_root, "structures.write_structures = lambda *_, **__: os.kill(os.getpid(), 9)"
    )
    _, errors = killed.communicate()
    assert killed.returncode == -signal.SIGKILL, errors
    (half,) = corpus_cache.glob(".creel-building-*")
    assert len(list(half.rglob("*.parquet"))) == 1  # it died after the projection
    assert kept(corpus_cache) == [half]

    artifacts = corpus.derive(corpus_root, progress=False)
    assert not half.exists()
    assert ids(artifacts, USES_NITRO) == {reaction_id(1, 0)}


def test_two_processes_started_together_derive_once(corpus_root: Path, tmp_path: Path) -> None:
    log, started, go = tmp_path / "log", tmp_path / "started", tmp_path / "go"
    preamble = f"""
write = projection.write_projection
def counted(*args, **kwargs):
    with open({str(log)!r}, "a") as stream:
        stream.write("derived ")
    open({str(started)!r}, "w").close()
    while not os.path.exists({str(go)!r}):
        time.sleep(0.01)
    return write(*args, **kwargs)
projection.write_projection = counted
"""
    first = start(corpus_root, preamble)
    try:
        while not started.exists():
            assert first.poll() is None, first.communicate()
            time.sleep(0.01)
        second = start(corpus_root, preamble)
        assert second.stderr is not None
        line = second.stderr.readline()
    finally:
        go.touch()
    outputs = [process.communicate()[0] for process in (first, second)]
    assert "another process is building" in line
    assert log.read_text() == "derived "
    assert outputs == [f"{corpus.derive(corpus_root, progress=False).fingerprint}\n"] * 2
