"""Every command of the README runs as it is written."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.log import list_eval_logs, read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from creel_inspect import exact
from creel_inspect.search.corpus import bundled_corpora
from creel_inspect.verify import verifier_class, verifier_kinds

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
# Those that need a key or the network cannot be run here; those of the first section are what
# `.ci/run` runs, on a fresh environment.
NOT_HERE = ("needs a key", "needs the network", "command: first", "command: second")


def blocks():
    """Each shell block of the README with the marker before it, if it has one."""
    pattern = re.compile(r"(?:<!-- ([^\n]*?) -->\n)?```sh\n(.*?)```", re.DOTALL)
    return [(marker, text) for marker, text in pattern.findall(README)]


def commands(marked):
    for marker, text in blocks():
        if marked(marker):
            yield from text.replace("\\\n", " ").strip().splitlines()


PLAIN = list(commands(lambda marker: not marker))


def shell(command, folder):
    """Runs a command as a reader would, with the environment's own programs on the path."""
    env = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "INSPECT_LOG_DIR": str(folder / "logs"),
        "INSPECT_DISPLAY": "plain",
    }
    return subprocess.run(
        command,
        check=False,
        shell=True,
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        timeout=300,
    )


def finished_log(folder):
    log = read_eval_log(list_eval_logs(str(folder / "logs"))[0])
    assert log.status == "success", log.error
    return log


def test_every_block_is_run_somewhere():
    markers = {marker for marker, _ in blocks()}
    assert markers == {"", "run by a test", *NOT_HERE}
    assert len(PLAIN) >= 7


@pytest.mark.parametrize("command", PLAIN, ids=range(len(PLAIN)))
def test_a_plain_command_runs_as_written(command, tmp_path):
    done = shell(command, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    if command.startswith("inspect eval"):
        log = finished_log(tmp_path)
        headline = "f1" if "extraction" in command else "accuracy"
        assert 0 <= log.results.scores[0].metrics[headline].value <= 1


def test_commands_with_a_place_to_fill_in_run_once_it_is_filled_in(tmp_path):
    [evaluate, derive] = [
        c for c in commands(lambda m: m == "run by a test") if "path/to/datasets" in c
    ]
    [score] = [c for c in commands(lambda m: m == "run by a test") if "wrong_penalty" in c]
    demo = bundled_corpora()["demo"]
    evaluate = evaluate.replace("path/to/datasets", str(demo))
    evaluate = evaluate.replace("path/to/cases.json", str(demo / "cases.json"))
    done = shell(f"{evaluate} --limit 3", tmp_path)
    assert done.returncode == 0, done.stderr
    first = finished_log(tmp_path)
    done = shell(derive.replace("path/to/datasets", str(demo)), tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "derived" / "projections").is_dir()
    score = score.replace("logs/LOG.eval", shlex.quote(str(first.location)))
    done = shell(f"{score} --action append --overwrite", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    rescored = finished_log(tmp_path)
    assert rescored.results.scores[-1].params["wrong_penalty"] == 3


def test_a_log_is_scored_again_with_the_verifier_that_suits_its_answers(tmp_path):
    [command] = [c for c in commands(lambda m: m == "run by a test") if "numeric_tolerance" in c]
    answer = ModelOutput.from_content("mockllm/model", "3.02 million USD")
    answer.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    model = get_model("mockllm/model", custom_outputs=[answer])
    task = Task(dataset=[Sample(input="how much?", target="3,000,000")], scorer=exact())
    [log] = eval(task, model=model, log_dir=str(tmp_path / "logs"))
    assert log.results.scores[0].metrics["accuracy"].value == 0
    command = command.replace("logs/LOG.eval", shlex.quote(str(log.location)))
    done = shell(f"{command} --action append --overwrite", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    again = finished_log(tmp_path)
    assert again.results.scores[-1].metrics["accuracy"].value == 1
    [sample] = again.samples
    assert "3020000" in sample.scores["numeric_tolerance"].explanation.replace(",", "")


def test_an_extraction_log_is_scored_again_under_another_policy(tmp_path):
    score, rescore = [
        c for c in commands(lambda m: m == "run by a test") if "policy" in c and "LOG" in c
    ]
    done = shell("inspect eval creel_inspect/extraction -T corpus=energy_audits", tmp_path)
    assert done.returncode == 0, done.stderr
    first = finished_log(tmp_path)
    place = shlex.quote(str(first.location))
    done = shell(rescore.replace("logs/LOG.eval", place), tmp_path)
    assert done.returncode == 0, done.stderr
    assert "mean F1" in done.stdout
    done = shell(score.replace("logs/LOG.eval", place), tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    strict, lenient = finished_log(tmp_path).results.scores
    assert lenient.params["policy"] == "lenient"
    was, now = strict.metrics["f1"].value, lenient.metrics["f1"].value
    assert (
        f"mean F1 {was:.3f} -> {now:.3f}"
        in shell(rescore.replace("logs/LOG.eval", place), tmp_path).stdout
    )


def test_a_corpus_of_ones_own_is_checked_and_run_beside_a_bundled_one(tmp_path):
    check, evaluate = [c for c in commands(lambda m: m == "run by a test") if "path/to/corpus" in c]
    shutil.copytree(ROOT / "datasets" / "energy_audits", tmp_path / "path" / "to" / "corpus")
    done = shell(check, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    done = shell(evaluate, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    ids = {sample.id.partition("/")[0] for sample in finished_log(tmp_path).samples}
    assert ids == {"corpus", "rbm"}


PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
WITH_LOGS = [code for code in PYTHON if '"logs/' in code]


def test_runs_are_compared_in_words_on_a_page_for_a_pull_request_and_in_python(tmp_path):
    evaluate, page, regression = [
        c
        for c in commands(lambda m: m == "run by a test")
        if "creel-inspect compare" in c or "--model creel/baseline," in c
    ]
    done = shell(f"{evaluate} --limit 8", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    done = shell(page, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "creel/reference is better than creel/near-miss by 100.0 points" in done.stdout
    assert "creel/reference" in (tmp_path / "report.html").read_text(encoding="utf-8")
    [code] = WITH_LOGS
    done = shell(f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}", tmp_path)
    assert done.returncode == 0, done.stderr
    assert re.search(r"creel/near-miss +0\.000\ncreel/reference +1\.000\n", done.stdout)
    assert "creel/reference is better than creel/near-miss by 100.0 points" in done.stdout
    for name, model in {"base": "reference", "new": "near-miss"}.items():
        (tmp_path / "logs" / name).mkdir()
        for log in list_eval_logs(str(tmp_path / "logs" / "models")):
            if read_eval_log(log, header_only=True).eval.model == f"creel/{model}":
                shutil.copy(url2pathname(urlsplit(log.name).path), tmp_path / "logs" / name)
    done = shell(regression, tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "creel/near-miss" in (tmp_path / "summary.md").read_text(encoding="utf-8")


ALONE = [code for code in PYTHON if code not in WITH_LOGS]


@pytest.mark.parametrize("code", ALONE, ids=range(len(ALONE)))
def test_a_block_of_python_runs_as_written(code):
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr


def test_the_scorers_of_the_readme_find_a_right_answer_right():
    [code] = [block for block in PYTHON if "scorer = [" in block]
    made = {}
    exec(code, made)
    gold = '{"budget": "3 million USD", "donors": ["EU", "GIZ"]}'
    answer = '{"budget": "USD 3,010,000", "donors": ["GIZ", "EU"]}'
    output = ModelOutput.from_content("mockllm/model", answer)
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    model = get_model("mockllm/model", custom_outputs=[output], memoize=False)
    task = Task(dataset=[Sample(input="q", target=gold)], scorer=made["scorer"])
    [log] = eval(task, model=model)
    found = log.samples[0].scores
    assert found["numeric_tolerance"].value == 1
    assert found["set_match"].value["set_match"] == 1


def test_the_table_of_kinds_is_what_there_is():
    section = README.split("## Verifiers")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    assert tuple(rows) == verifier_kinds()[: len(rows)]  # other packages' kinds come after
    assert len(rows) == 9
    for kind in rows:
        assert verifier_class(kind).__doc__
