"""Every kind as an Inspect scorer, in real evals with scripted answers."""

import inspect as python_inspect
import json
import math
import subprocess
import sys
from dataclasses import MISSING, fields

import pytest
from inspect_ai import Epochs, Task, eval, score
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import accuracy
from inspect_ai.scorer import scorer as registered

import creel_inspect
from creel_inspect import (
    composite,
    exact,
    graph_match,
    llm_rubric,
    normalized,
    numeric_tolerance,
    require_judge,
    schema_constraint,
    semantic_similarity,
    set_match,
    verdict_scorer,
)
from creel_inspect.scorers import ScorerRefusedError
from creel_inspect.scoring.judge import JudgeRefusedError
from creel_inspect.verify import (
    Verifier,
    VerifierError,
    failing,
    passing,
    verifier_class,
    verifier_kinds,
)

GRAPH = {
    "nodes": {
        "a": {"types": ["project"], "attributes": {"title": "Water"}},
        "b": {"types": ["donor"], "attributes": {"name": "World Bank"}},
    },
    "edges": [{"id": "e", "type": "funds", "source": "b", "target": "a", "attributes": {"usd": 5}}],
}
RENAMED = json.loads(json.dumps(GRAPH).replace('"a"', '"n1"').replace('"b"', '"n2"'))


def scripted(*answers, name="mockllm/model"):
    """A model that gives these answers in turn, without the tokenizer that counting would load."""
    outputs = []
    for answer in answers:
        made = answer if isinstance(answer, ModelOutput) else ModelOutput.from_content(name, answer)
        made.usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
        outputs.append(made)
    return get_model(name, custom_outputs=outputs, memoize=False)


def run(scorer, *pairs, epochs=None, **more):
    """The log of an eval in which each answer meets its target."""
    samples = [
        Sample(input="q", target=target, id=n, **kind)
        for n, (_, target, *kinds) in enumerate(pairs)
        for kind in [kinds[0] if kinds else {}]
    ]
    answers = [answer for answer, *_ in pairs for _ in range(1)]
    task = Task(dataset=samples, scorer=scorer, epochs=epochs)
    [log] = eval(task, model=scripted(*answers), max_samples=1, **more)
    assert log.status == "success", log.error
    return log


def scores(log):
    return [next(iter(sample.scores.values())) for sample in log.samples]


# --- each kind in the log


@pytest.mark.parametrize(
    ("scorer", "right", "wrong", "target"),
    [
        (exact(), "Ge", "ge", "Ge"),
        (normalized(), "  the\u00a0World  BANK", "World", "The World Bank"),
        (numeric_tolerance(rel=0.01), "3.02 million USD", "3,000,000 EUR", "3 million USD"),
        (set_match(), '["b", "a"]', '["a", "a", "b"]', ["a", "b"]),
        (graph_match(), json.dumps(RENAMED), '{"nodes": {}, "edges": []}', json.dumps(GRAPH)),
        (schema_constraint(schema={"type": "integer"}), "3", "3.5", "unused"),
        (composite(parts={"same": "exact"}), "a", "b", "a"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_right_answer_scores_1_a_wrong_one_less_and_both_say_why(scorer, right, wrong, target):
    log = run(scorer, (right, target), (wrong, target))
    good, bad = scores(log)
    [kind] = log.samples[0].scores
    assert good.as_dict()[kind] == 1 if isinstance(good.value, dict) else good.value == 1
    assert bad.as_dict()[kind] < 1 if isinstance(bad.value, dict) else bad.value == 0
    for one, passed in ((good, True), (bad, False)):
        assert one.metadata["verdict"]["passed"] is passed
        assert one.explanation.startswith("**")
        assert one.reason is None
        if isinstance(one.value, dict):
            assert one.value[f"{kind}_passed"] == passed
    # What the log keeps is what the run had.
    kept = read_eval_log(log.location).samples[0].scores[kind]
    assert kept.metadata["verdict"]["reason"] == good.metadata["verdict"]["reason"]


def test_there_is_one_scorer_for_each_kind_and_its_defaults_are_the_kinds():
    for kind in verifier_kinds()[:9]:  # other packages' kinds come after
        scorer = getattr(creel_inspect, kind)
        known = {one.name: one for one in fields(verifier_class(kind)) if one.init}
        for name, parameter in python_inspect.signature(scorer).parameters.items():
            if name in {"actual", "expected", "allow_related_judge"}:
                continue
            default = known[name].default
            if known[name].default_factory is not MISSING:
                default = None
            if parameter.default is python_inspect.Parameter.empty:
                continue
            assert parameter.default is None or parameter.default == default, (kind, name)
        missing = set(known) - set(python_inspect.signature(scorer).parameters)
        assert not missing, (kind, missing)


# --- what is missing, malformed or not measured


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("", "no_response"),
        ("not JSON", "invalid_response_format"),
        (ModelOutput.from_content("mockllm/model", "", stop_reason="content_filter"), "refusal"),
    ],
)
def test_an_answer_that_is_missing_or_malformed_is_wrong_and_says_so(answer, code):
    [found] = scores(run(set_match(), (answer, ["a"])))
    assert found.value == {
        "set_match": 0,
        "set_match_passed": 0,
        "set_match_precision": 0,
        "set_match_recall": 0,
    }
    assert found.reason == code


@pytest.mark.parametrize(
    ("scorer", "target", "code"),
    [
        (numeric_tolerance(), "", "expected_missing"),
        (numeric_tolerance(), "a lot", "expected_invalid"),
        (set_match(expected="target$"), "3", "expected_invalid"),
        (graph_match(), '{"nodes": 3, "edges": []}', "expected_invalid"),
        (exact(expected="metadata$.gold"), "a", "nothing_there"),
    ],
)
def test_a_gold_that_is_no_gold_is_unscored_and_counted(scorer, target, code):
    log = run(scorer, ("3", target))
    [found] = scores(log)
    assert isinstance(found.value, float)
    assert math.isnan(found.value)
    assert found.reason == code
    assert found.explanation.startswith("Not measured: ")
    assert log.results.scores[0].unscored_samples == 1


class Fails(Verifier):
    kind = "fails"

    def compare(self, actual, expected, context):
        if expected == "broken":
            raise VerifierError("the engine is down", code="engine_down")
        return passing("same") if actual == expected else failing("another")

    @classmethod
    def self_test(cls):
        return ()


def test_of_several_targets_the_best_verdict_counts():
    [one, other] = scores(run(exact(), ("b", ["a", "b"]), ("c", ["a", "b"])))
    assert (one.value, other.value) == (1, 0)


def test_a_pass_stands_beside_a_target_that_could_not_be_measured_and_a_fail_does_not():
    scorer = numeric_tolerance()
    passed, unknown = scores(run(scorer, ("3", ["?", "3"]), ("4", ["?", "3"])))
    assert passed.value == 1
    assert math.isnan(unknown.value)
    assert unknown.reason == "expected_invalid"


def test_a_verifier_of_ones_own_is_a_scorer_too():
    @registered(metrics=[accuracy()])
    def mine():
        return verdict_scorer(Fails())

    log = run(mine(), ("a", "a"), ("a", "broken"))
    assert log.results.scores[0].metrics["accuracy"].value == 1
    assert scores(log)[1].reason == "engine_down"


@pytest.mark.parametrize(
    "make",
    [
        lambda: numeric_tolerance(rel=-1),
        lambda: exact(actual="$.["),
        lambda: exact(expected="anywhere"),
        lambda: semantic_similarity(threshold=2),
        lambda: set_match(item="no_such_kind"),
        lambda: composite(parts={}),
    ],
)
def test_a_configuration_that_does_not_fit_is_told_before_anything_runs(make):
    with pytest.raises(ScorerRefusedError):
        make()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["creel_inspect/numeric_tolerance", "-S", "rel=-1"], "numeric_tolerance: rel"),
        (["creel_inspect/exact", "-S", "actual=$.["], "no JSON path"),
        (["creel_inspect/set_match", "-S", "item=nosuch"], "no verifier kind is called 'nosuch'"),
        (["creel_inspect/llm_rubric", "-S", "criterion=c"], "--model-role grader="),
    ],
)
def test_the_command_line_says_what_is_wrong_with_a_scorer(arguments, said, tmp_path):
    log = run(exact(), ("a", "a"))
    done = subprocess.run(
        [sys.executable, "-m", "inspect_ai", "score", log.location, "--action", "append",
         "--overwrite", "--scorer", *arguments],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert said in done.stdout + done.stderr


def test_half_a_character_in_an_answer_breaks_no_log():
    log = run(exact(), ("\ud800", "a"), (json.dumps("\ud800"), "a"))
    assert [one.value for one in scores(read_eval_log(log.location))] == [0, 0]


def test_a_lone_target_may_write_the_list_as_json_and_an_empty_list_is_a_gold():
    found = scores(
        run(set_match(), ('["a", "b"]', '["b", "a"]'), ("[]", "[]"), ('["x"]', "[]"), ("[]", "[x"))
    )
    assert [one.as_dict()["set_match"] for one in found[:3]] == [1, 1, 0]
    assert found[3].reason == "expected_invalid"


def test_a_single_step_may_be_written_alone():
    assert scores(run(normalized(steps="casefold"), ("A", "a")))[0].value == 1


def test_a_verifier_that_raises_is_unscored_and_the_run_goes_on():
    class Raises(Fails):
        def compare(self, actual, expected, context):
            return passing("as long") if len(actual) == len(expected) / 1 else 1 / 0

    @registered(metrics=[accuracy()])
    def mine():
        return verdict_scorer(Raises())

    found = scores(run(mine(), ("a", "b"), ("aa", "b")))
    assert found[0].value == 1
    assert found[1].reason == "verifier_failed"
    assert "ZeroDivisionError" in found[1].explanation


def test_an_answer_of_any_length_is_shown_in_part():
    [found] = scores(run(exact(), ("a" * 100_000, "a")))
    assert found.value == 0
    assert len(found.answer) < 1_000


# --- epochs, re-scoring


@pytest.mark.parametrize("mode", ["all", "any", "weighted", "cascade"])
@pytest.mark.parametrize("gate", [False, True])
def test_the_parts_of_a_composite_survive_epochs_whichever_of_them_were_asked(mode, gate):
    parts = {
        "passed": {"verifier": "exact", "gate": gate},
        "close": "numeric_tolerance",
    }
    if gate and mode == "any":
        parts["also"] = "normalized"
    task = Task(
        dataset=[Sample(input="q", target="3")],
        scorer=composite(parts=parts, mode=mode),
        epochs=Epochs(4, "mean"),
    )
    [log] = eval(task, model=scripted("3", "3.0", "x", "3"), max_samples=1)
    assert log.status == "success", log.error
    metrics = {name: one.value for name, one in log.results.scores[0].metrics.items()}
    # "3.0" is close, and not the same: with a gate, or where all must pass, it fails.
    right = 2 if gate or mode in {"all", "weighted"} else 3
    assert metrics["composite_passed"] == right / 4
    assert metrics["composite_part_passed"] == 2 / 4
    assert [name for name in metrics if name.endswith("_low")] == ["composite_passed_low"]


@pytest.mark.parametrize("reducer", ["mean", "median", "mode", "max", "at_least_1"])
def test_values_survive_epochs_and_reducers(reducer):
    task = Task(
        dataset=[Sample(input="q", target=["a", "b"])],
        scorer=set_match(),
        epochs=Epochs(3, reducer),
    )
    [log] = eval(task, model=scripted('["a", "b"]', '["a"]', '["a"]'), max_samples=1)
    assert log.status == "success", log.error
    metrics = {name: one.value for name, one in log.results.scores[0].metrics.items()}
    # F1 of one right answer, and twice precision 1, recall 1/2: 2/3.
    others = {"median": 2 / 3, "mode": 2 / 3, "max": 1, "at_least_1": 1}
    right = {"mean": (1 + 2 / 3 + 2 / 3) / 3, **others}[reducer]
    assert metrics["set_match"] == pytest.approx(right)


def test_a_log_is_scored_again_under_another_tolerance():
    log = run(numeric_tolerance(), ("101", "100"))
    assert scores(log)[0].value == 0
    again = score(log, numeric_tolerance(rel=0.01), action="overwrite")
    assert [one.value for one in scores(again)] == [1]


# --- judges


def judge_that_says(judgement, name="mockllm/judge"):
    return scripted("1. Read.\n2. Compare.", *[judgement] * 40, name=name)


def judged(judge, *, subject="mockllm/model", **more):
    task = Task(dataset=[Sample(input="Why?", target="because")], scorer=llm_rubric(**more))
    [log] = eval(task, model=scripted("since", name=subject), model_roles=judge, max_samples=1)
    return log


def test_a_judge_that_is_missing_or_the_subject_itself_is_told_before_the_subject_is_asked():
    for roles in ({}, {"grader": scripted("Reason: r\nScore: 5")}):
        task = Task(
            dataset=[Sample(input="q", target="a")],
            setup=require_judge(),
            scorer=llm_rubric(criterion="c"),
        )
        [log] = eval(task, model=scripted("since"), model_roles=roles)
        assert "--model-role grader=" in log.error.message
        assert log.stats.model_usage == {}


def test_a_judge_that_is_there_lets_the_subject_be_asked():
    task = Task(
        dataset=[Sample(input="q", target="since")],
        setup=require_judge(),
        scorer=llm_rubric(criterion="c", permutations=1),
    )
    judge = judge_that_says("Reason: r\nScore: 5")
    [log] = eval(task, model=scripted("since"), model_roles={"grader": judge})
    assert log.samples[0].scores["llm_rubric"].value["llm_rubric"] == 1
    assert log.samples[0].output.completion == "since"


def test_a_judge_is_asked_and_its_calls_are_counted():
    judge = judge_that_says("Reason: it fits.\nScore: 4")
    log = judged({"grader": judge}, criterion="means the same", permutations=2)
    assert log.status == "success", log.error
    [found] = scores(log)
    assert found.value["llm_rubric"] == pytest.approx(0.75)  # 4 on a scale from 1 to 5
    ledger = found.metadata["verdict"]["details"]["ledger"]
    assert ledger["calls"] >= 3
    assert ledger["input_tokens"] == 10 * ledger["calls"]
    assert log.stats.role_usage["grader"].input_tokens == 10 * ledger["calls"]


def test_a_judgement_that_cannot_be_read_is_unscored():
    judge = judge_that_says("I would rather not say")
    log = judged({"grader": judge}, criterion="means the same")
    [found] = scores(log)
    assert math.isnan(found.value)
    assert found.reason == "judgement_unparsable"


def test_no_judge_and_a_judge_of_itself_are_refused():
    log = judged({}, criterion="c")
    assert log.status == "error"
    assert "--model-role grader=" in log.error.message
    log = judged({"grader": scripted("x")}, criterion="c")
    assert log.status == "error"
    assert JudgeRefusedError.__name__ in log.error.traceback
    judge = judge_that_says("Reason: r\nScore: 5", name="mockllm/model")
    log = judged({"grader": judge}, criterion="c", allow_related_judge=True)
    assert scores(log)[0].value["llm_rubric"] == 1
