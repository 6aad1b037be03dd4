"""How long does a newcomer wait? The README's first command, split into its parts.

A fresh clone, a fresh virtual environment and an empty cache; then the eval again, warm.

    python benchmarks/first_run.py
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def timed(what: str, command: list[str], folder: Path, env: dict[str, str]) -> float:
    """Runs a command and prints how long it took, in seconds."""
    started = time.monotonic()
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - started
    if done.returncode:
        raise SystemExit(f"{what} failed:\n{done.stdout}{done.stderr}")
    print(f"{what:<28}{seconds:7.1f} s", flush=True)
    return seconds


def main() -> None:
    """Runs the benchmark."""
    with tempfile.TemporaryDirectory() as scratch:
        clone = Path(scratch) / "clone"
        env = {
            **os.environ,
            "CREEL_INSPECT_CACHE": str(Path(scratch) / "cache"),
            "INSPECT_DISPLAY": "plain",
        }
        env.pop("VIRTUAL_ENV", None)
        programs = clone / ".venv" / "bin"
        timed("clone", ["git", "clone", "-q", str(ROOT), str(clone)], ROOT, env)
        parts = [
            timed("environment", [sys.executable, "-m", "venv", ".venv"], clone, env),
            timed("install", [str(programs / "pip"), "install", "-q", "-e", "."], clone, env),
            timed(
                "derive", [str(programs / "creel-inspect"), "search", "derive", "demo"], clone, env
            ),
        ]
        evaluate = [str(programs / "inspect"), "eval", "creel_inspect/nl_task.py"]
        parts.append(timed("eval, first", evaluate, clone, env))
        print(f"{'first command, in all':<28}{sum(parts):7.1f} s")
        timed("eval, warm cache", evaluate, clone, env)
        check = (
            "from inspect_ai.log import list_eval_logs, read_eval_log as read\n"
            "for log in list_eval_logs('logs'):\n"
            "    log = read(log, header_only=True)\n"
            "    assert log.status == 'success', log.error\n"
            "    started, ended = log.stats.started_at, log.stats.completed_at\n"
            "    print('log', log.status, log.results.total_samples, 'samples', started, ended)\n"
        )
        done = subprocess.run(
            [str(programs / "python"), "-c", check], cwd=clone, env=env, check=True,
            capture_output=True, text=True,
        )  # fmt: skip
        print(done.stdout, end="")


if __name__ == "__main__":
    main()
