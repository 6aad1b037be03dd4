"""The command line: what it prints, and how it exits."""

import json

import pytest
from click.testing import CliRunner

from creel_inspect.cli import main
from creel_inspect.search.cases import load_cases
from creel_inspect.search.corpus import bundled_corpora

ABOVE = {"op": "gt", "path": "conditions.temperature.setpoint_kelvin"}


def above(kelvin, op="gt"):
    return {"where": {**ABOVE, "op": op, "value": {"literal": kelvin}}}


def case(**changes):
    return {
        "id": "above-350",
        "question": "reactions run above 350 K",
        "why": "a bound",
        "reference": above(350),
        "near_misses": [{"query": above(300), "why": "another bound"}],
        **changes,
    }


@pytest.fixture
def write(tmp_path):
    def write(*cases, **top):
        path = tmp_path / "cases.json"
        path.write_text(json.dumps({**top, "cases": list(cases)}))
        return path

    return write


def invoke(*arguments):
    return CliRunner().invoke(main, ["search", *map(str, arguments)])


def test_check_is_silent_and_exits_0_when_all_is_well(write):
    done = invoke("check", write(case()), "--json")
    assert done.exit_code == 0
    report = json.loads(done.stdout)
    assert report["findings"] == []
    assert report["cases"] == 1


def test_check_names_case_field_and_problem_and_exits_1(write):
    same = case(near_misses=[{"query": above(350), "why": "the same"}])
    nothing = case(id="never", reference=above(5_000), near_misses=[])
    done = invoke("check", write(same, nothing), "--json")
    assert done.exit_code == 1
    found = [(f["case"], f["field"], f["problem"]) for f in json.loads(done.stdout)["findings"]]
    assert found == [
        ("above-350", "near_misses.0", "near_miss_excludes_nothing"),
        ("never", "reference", "returns_nothing"),
    ]
    plain = invoke("check", write(same))
    assert plain.exit_code == 1
    assert "case 'above-350', near_misses.0: returns exactly" in plain.stdout


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"reference": above(350) | {"where": {"op": "gt"}}}, "reference: does not compile"),
        ({"refrence": {}}, "refrence"),
        ({"reference": None}, "needs an answer"),
    ],
)
def test_a_file_that_cannot_be_run_exits_2_and_says_why(write, changes, said):
    done = invoke("check", write(case(**changes)), "--json")
    assert done.exit_code == 2
    assert said in json.loads(done.stdout.splitlines()[0])["error"]
    assert said in done.stderr


def test_a_corpus_that_is_not_there_exits_2(write):
    done = invoke("check", write(case()), "--corpus", "no-such-corpus")
    assert done.exit_code == 2
    assert "no-such-corpus" in done.stderr


def test_build_writes_the_ids_that_separate_a_reference_from_its_near_misses(write, tmp_path):
    wide, narrow = above(300), above(400)
    both = case(near_misses=[{"query": wide, "why": "wide"}, {"query": narrow, "why": "narrow"}])
    path = write(both)
    target = tmp_path / "built.json"
    done = invoke("build", path, "--output", target, "--per-near-miss", 2, "--json")
    assert done.exit_code == 0, done.output
    file = load_cases(str(target))
    [built] = file.cases
    assert len(built.must_return) == 2  # what the narrow one misses
    assert len(built.must_not_return) == 2  # what the wide one adds
    assert file.fingerprint == json.loads(done.stdout)["corpus_fingerprint"]
    assert invoke("check", target).exit_code == 0
    assert json.loads(path.read_text())["cases"][0].get("must_return") is None
    again = invoke("build", path, "--output", tmp_path / "again.json", "--per-near-miss", 2)
    assert again.exit_code == 0
    assert (tmp_path / "again.json").read_bytes() == target.read_bytes()


def test_a_near_miss_that_is_only_too_narrow_still_separates(write, tmp_path):
    narrow = case(near_misses=[{"query": above(400), "why": "too narrow"}])
    target = tmp_path / "built.json"
    assert invoke("build", write(narrow), "--output", target).exit_code == 0
    [built] = load_cases(str(target)).cases
    assert built.must_return
    assert not built.must_not_return


def test_build_refuses_a_near_miss_that_cannot_be_told_apart_and_writes_nothing(write, tmp_path):
    same = case(near_misses=[{"query": above(350), "why": "the same"}])
    target = tmp_path / "built.json"
    done = invoke("build", write(same), "--output", target)
    assert done.exit_code == 1
    assert "near_misses.0" in done.stderr
    assert not target.exists()


def test_derive_prints_where_the_artifacts_are(tmp_path):
    one = bundled_corpora()["demo"] / "reactions" / "enabling.parquet"
    done = invoke("derive", one, "--output", tmp_path / "out", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["projections"].startswith(str(tmp_path))
    assert len(found["fingerprint"]) == 12
    assert invoke("derive", tmp_path / "nothing").exit_code == 2


def test_build_leaves_files_that_were_installed_alone(write):
    for arguments in ((), ("ord-schema",)):
        done = invoke("build", *arguments)
        assert done.exit_code == 2
        assert "--output" in done.stderr


def test_build_does_not_vouch_for_ids_that_are_not_of_its_corpus(write, tmp_path):
    foreign = {"id": "ids", "question": "q", "why": "w", "must_return": ["ord-0"],
               "must_not_return": ["ord-1"]}  # fmt: skip
    target = tmp_path / "built.json"
    done = invoke("build", write(case(), foreign), "--output", target)
    assert done.exit_code == 2
    assert "case 'ids' states IDs and no reference" in done.stderr
    assert not target.exists()
