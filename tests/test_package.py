"""The package as it is installed: its public names, its wheel, and what it declares."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from inspect_ai.log import list_eval_logs, read_eval_log

import creel_inspect

ROOT = Path(__file__).parent.parent


def test_the_public_names_are_these_and_sorted():
    assert creel_inspect.__all__ == [
        "assert_verified",
        "composite",
        "exact",
        "extract_with_creel",
        "extract_with_model",
        "extraction",
        "from_deepeval",
        "from_scorer",
        "graph_match",
        "llm_rubric",
        "nl_search",
        "normalized",
        "numeric_tolerance",
        "require_judge",
        "schema_constraint",
        "search_answer",
        "semantic_similarity",
        "set_match",
        "translate",
        "verdict_scorer",
    ]
    for name in creel_inspect.__all__:
        assert callable(getattr(creel_inspect, name))
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        creel_inspect.no_such_name  # noqa: B018


def test_importing_the_package_loads_nothing_heavy():
    script = (
        "import sys, creel_inspect; "
        "print([m for m in ('inspect_ai', 'rdkit', 'duckdb', 'anthropic') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_an_undeclared_import_is_found(tmp_path):
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    package = tmp_path / "creel_inspect"
    package.mkdir()
    (package / "__init__.py").write_text("import hypothesis\n")
    done = subprocess.run(
        [sys.executable, "-m", "deptry", "."],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert "hypothesis" in done.stderr + done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)],
        cwd=ROOT, capture_output=True, check=True,
    )  # fmt: skip
    [built] = folder.glob("*.whl")
    return built


def test_the_wheel_holds_the_data_and_not_the_tests(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert "creel_inspect/py.typed" in names
    assert "creel_inspect/datasets/ord/cases.json" in names
    assert any(name.startswith("creel_inspect/datasets/ord/reactions/") for name in names)
    assert "creel_inspect/search/prompts/ord.md" in names
    assert not [name for name in names if name.startswith(("tests", "benchmarks"))]


def test_an_installed_wheel_runs_by_name_outside_the_clone(wheel, tmp_path):
    site = tmp_path / "site-packages"  # by this name Inspect knows an installed package
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index",
         "--target", str(site), str(wheel)],
        check=True,
    )  # fmt: skip
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    env = {**os.environ, "PYTHONPATH": str(site), "INSPECT_DISPLAY": "plain"}
    where = subprocess.run(
        [sys.executable, "-c", "import creel_inspect; print(creel_inspect.__file__)"],
        cwd=elsewhere, env=env, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert where.stdout.startswith(str(site))
    done = subprocess.run(
        [sys.executable, "-m", "inspect_ai", "eval", "creel_inspect/nl_search", "--limit", "2",
         "--model", "creel/reference", "--log-dir", "logs"],
        cwd=elsewhere, env=env, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    [log] = list_eval_logs(str(elsewhere / "logs"))
    found = read_eval_log(log)
    assert found.status == "success", done.stdout + done.stderr
    assert found.results.scores[0].metrics["accuracy"].value == 1.0
