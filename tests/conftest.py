"""What every test shares: no network, a scratch log folder, and a quiet display."""

import pytest

from creel_inspect.search import assemble
from creel_inspect.search.engine import ENGINES

ENGINES["tiny"] = "tests.search.tiny_engine:TinyEngine"


@pytest.fixture(autouse=True)
def _scratch(tmp_path, monkeypatch):
    """Logs go to the test's own folder, and no developer's settings or keys leak in."""
    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path / "logs"))
    monkeypatch.setenv("INSPECT_DISPLAY", "none")
    # What passed before is kept in the user's cache; a test starts without such memories.
    monkeypatch.setattr(assemble, "cache_folder", lambda kind: tmp_path / "cache" / kind)
    for name in ("INSPECT_EVAL_MODEL", "ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
