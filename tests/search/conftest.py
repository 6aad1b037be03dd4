"""Fixtures of the tests that derive corpora; none applies unless a test asks for it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from ord_schema.artifacts import pivot

from creel_inspect.search import derive
from creel_inspect.search.corpus import (
    CACHE_VARIABLE,
)
from tests.search.tiny_corpora import dataset, save


@pytest.fixture
def corpus_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each test's own cache folder; the corpora are one level down."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache" / "corpora"


@pytest.fixture
def few_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """One pivot instead of all: most of the time is theirs, and few tests look at them."""
    monkeypatch.setattr(derive, "LEVELS", ("inputs.components",))


@pytest.fixture
def every_level(few_levels: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(derive, "LEVELS", tuple(pivot.LEVELS))


@pytest.fixture
def corpus_root(tmp_path: Path) -> Path:
    """A corpus of one Parquet dataset."""
    save(dataset(), tmp_path / "sources" / "one.parquet")
    return tmp_path / "sources"


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many datasets each build was given, without deriving them: for tests of the keeping."""
    given: list[int] = []

    def build(
        sources: list[Path], index: Path | None, folder: Path, step: Callable[[str], None]
    ) -> list[str]:
        given.append(len(sources))
        (folder / "projections").mkdir()
        (folder / "projections" / "a.parquet").write_bytes(b"content")
        return ["0" * 32]

    monkeypatch.setattr(derive, "build", build)
    return given
