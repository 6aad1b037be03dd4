"""The scorer in real evals: what a log says of each sample, and of the same log scored again."""

import math
import subprocess
import sys

import pytest
from inspect_ai import Epochs, Task, score
from inspect_ai import eval as inspect_eval
from inspect_ai.log import read_eval_log
from inspect_ai.solver import solver

from creel_inspect.extract.corpus.corpus import load_corpus
from creel_inspect.extract.extractors.model import Extraction, extract_with_model
from creel_inspect.extract.policy.policy import load_policy
from creel_inspect.extract.samples import to_sample
from creel_inspect.extract.scored import SCORER_VERSION
from creel_inspect.extract.scorer import PolicyRefusedError, extraction, gate_named
from creel_inspect.scoring.judge import require_judge
from tests.extract import tiny
from tests.extract.scripted import edge, given, node, reply, scripted, submit

SAYS = 16
"""What the gold of ``one-book`` says: ada 1 + 2, rain 1 + 4, each of two edges 3 + 1."""


@pytest.fixture
def folder(tmp_path):
    return tiny.write_corpus(tmp_path / "shelf")


@solver
def gives(*answers):
    """Leaves behind what is written for each sample: (outcome, graph), or an error to raise.

    Args:
        answers: By sample, ``(case, epoch or None, outcome, graph)``.
    """

    async def solve(state, generate):
        for case, epoch, outcome, graph in answers:
            if case == state.metadata["case"] and epoch in (None, state.epoch):
                if outcome == "raises":
                    raise RuntimeError("the provider is down")
                kept = state.store_as(Extraction)
                kept.outcome, kept.graph, kept.extractor = outcome, graph, "written"
                if outcome == "extracted":
                    kept.evidence = tiny.evidence()
        return state

    return solve


def samples(folder, *names):
    corpus = load_corpus(str(folder))
    return [to_sample(case, corpus) for case in corpus.cases if not names or case.id in names]


def run(folder, *answers, names=(), scorer=None, policy=None, model=None, **more):
    task = Task(
        dataset=samples(folder, *names),
        solver=gives(*answers),
        scorer=scorer or extraction(policy, more.pop("gate", "report")),
        continue_on_fail=True,
        setup=more.pop("setup", None),
        epochs=more.pop("epochs", None),
    )
    [log] = inspect_eval(task, model=model or scripted([]), **more)
    return log


def only(log, name="extraction"):
    [sample] = log.samples
    return sample.scores[name]


def wrong_pages():
    """Gold with 250 pages in place of 212: wrong under strict (and the case's override), and under
    lenient too, whose 10 % is 21; and 65 % of the rights, right under lenient alone."""
    graph = tiny.gold()
    graph["nodes"]["rain"]["attributes"]["pages"] = 250
    graph["edges"][0]["attributes"]["share"] = 65
    return graph


ONE = ("one-book",)


def test_a_model_that_submits_the_graph_is_scored_element_by_element(folder):
    ada = node(
        "a1",
        "person",
        name=given("Ada Brown", "Ada Brown", "note.md"),
        city=given("York", "lives in Leeds", "note.md"),
    )
    rain = node("b1", "book", title=given("Rain Gauges", "wrote Rain Gauges", "note.md"))
    wrote = edge("wrote", "a1", "b1", share=given(60, "60 % of the rights", "note.md"))
    task = Task(
        dataset=samples(folder, "one-book"),
        solver=extract_with_model(0),
        scorer=extraction("strict"),
    )
    [log] = inspect_eval(task, model=scripted([submit({"nodes": [ada, rain], "edges": [wrote]})]))
    assert log.status == "success", log.error
    found = only(log)
    # Right: two types, name, title, wrote's four: 8. Came 8 and York, 9. Expected 16.
    assert (found.value["matched"], found.value["came"], found.value["expected"]) == (8, 9, SAYS)
    assert found.value["f1"] == pytest.approx(16 / 25)
    assert found.value["ungrounded"] == 1
    assert found.reason is None
    assert found.answer == "2 nodes, 1 edge"
    assert found.explanation.startswith("**F1 0.640** · precision 0.889 (8 of 9) · recall 0.500")
    assert "| node.person\\[ada\\].city | Leeds | York |" in found.explanation
    city = next(m for m in found.metadata["elements"] if m["path"] == "node.person[ada].city")
    assert (city["state"], city["grounding"], city["actual_element"]) == (
        "wrong",
        "ungrounded",
        "a1",
    )


ABNORMAL = [
    ("malformed", "malformed", 0),
    ("no_call", "no_call", 0),
    ("truncated", "truncated", 0),
    ("safety_refused", "safety_refused", 0),
    ("extractor_failed", "extractor_failed", 0),
    ("instrument_error", "instrument_error", math.nan),
    ("left the room", "not_extracted", math.nan),
    (None, "not_extracted", math.nan),
]


@pytest.mark.parametrize(("outcome", "reason", "f1"), ABNORMAL)
@pytest.mark.parametrize("name", ["one-book", "nothing-said"])
def test_an_abnormal_end_has_its_code_and_policy_digest_and_gate(folder, outcome, reason, f1, name):
    log = run(folder, (name, None, outcome, None), names=[name], policy="lenient", gate="enforce")
    assert log.status == "success", log.error
    found = only(log)
    assert found.reason == reason
    if math.isnan(f1):
        assert math.isnan(found.value)
        assert log.results.scores[0].unscored_samples == 1
    else:
        assert found.value["f1"] == f1
        assert found.answer == outcome
    assert found.explanation
    digest = load_policy("lenient", folder).digest
    told = ("policy", "policy_digest", "gate", "scorer_version")
    said = {key: found.metadata[key] for key in told}
    assert said == {
        "policy": "lenient",
        "policy_digest": digest,
        "gate": "enforce",
        "scorer_version": SCORER_VERSION,
    }


def test_what_the_extractor_calls_a_graph_and_is_none_is_malformed(folder):
    found = only(run(folder, ("one-book", None, "extracted", {"nodes": 3}), names=ONE))
    assert (found.reason, found.value["f1"], found.metadata["outcome"]) == (
        "malformed",
        0,
        "malformed",
    )
    undirected = {**tiny.gold(), "directed": False}
    found = only(run(folder, ("one-book", None, "extracted", undirected), names=ONE))
    assert (found.reason, found.value["f1"], found.value["extracted"]) == ("not_comparable", 0, 0)


def test_by_default_the_corpus_s_strict_policy_counts_and_else_the_built_in(folder, tmp_path):
    answer = ("one-book", None, "extracted", tiny.gold())
    found = only(run(folder, answer, names=ONE))
    assert (found.metadata["policy"], found.metadata["gate"]) == ("strict", "report")
    bare = tiny.write_corpus(
        tmp_path / "bare" / "shelf", {"policies/strict.yaml": None, "policies/lenient.yaml": None}
    )
    found = only(run(bare, answer, names=ONE))
    assert (found.metadata["policy"], found.value["f1"]) == ("default", 1)


@pytest.mark.parametrize(
    ("gate", "matched", "state"), [("off", 16, None), ("report", 16, None), ("enforce", 15, None)]
)
def test_the_gate_lists_or_takes_a_right_value_that_stands_nowhere(folder, gate, matched, state):
    # The sources say 212 pages; 214 is within the case's override and stands nowhere.
    graph = tiny.gold()
    graph["nodes"]["rain"]["attributes"]["pages"] = 214
    found = only(run(folder, ("one-book", None, "extracted", graph), names=ONE, gate=gate))
    assert found.value["matched"] == matched
    assert found.value["ungrounded"] == (gate != "off")
    assert ("Not grounded" in found.explanation) == (gate != "off")


# what cannot be run


@pytest.mark.parametrize("gate", ["strict", True, None, 1, ""])
def test_a_gate_that_is_none_is_refused_at_once(gate):
    with pytest.raises(PolicyRefusedError, match="it is one of off, report, enforce"):
        extraction(gate=gate)


def test_off_is_off_also_as_the_command_line_reads_it():
    assert gate_named(False) == gate_named("off") == "off"
    extraction(gate=False)


@pytest.mark.parametrize("policy", [False, 7, ["strict"]])
def test_a_policy_that_is_no_text_is_refused_at_once(policy):
    with pytest.raises(PolicyRefusedError, match="policy: expected a policy's name"):
        extraction(policy)


def test_a_policy_file_that_is_not_in_order_is_refused_at_once(tmp_path):
    path = tmp_path / "mine.yaml"
    for text in (None, "defaults: {integer: no_such_kind}\n", "verifiers: ["):
        if text:
            path.write_text(text)
        with pytest.raises(PolicyRefusedError):
            extraction(str(path))


def test_a_policy_that_is_not_there_is_an_error_of_the_sample_and_no_score(folder):
    log = run(folder, ("one-book", None, "extracted", tiny.gold()), names=ONE, policy="nope")
    [sample] = log.samples
    assert "no policy is called 'nope'" in sample.error.message
    assert not sample.scores


# epochs


def test_epochs_are_averaged_also_where_an_epoch_has_no_graph_or_was_not_measured(folder):
    # Three epochs: right (1), malformed (0), not measured (left out): F1 1/2.
    log = run(
        folder,
        ("one-book", 1, "extracted", tiny.gold()),
        ("one-book", 2, "malformed", None),
        ("one-book", 3, "instrument_error", None),
        names=ONE,
        epochs=3,
    )
    assert log.status == "success", log.error
    shown = {name: one.value for name, one in log.results.scores[0].metrics.items()}
    assert (shown["f1"], shown["extracted"], shown["node.book"]) == (0.5, 0.5, 0.5)
    # 16 of 16 and 0 of 16: 8 of 16 expected on average, and 8 came.
    assert (shown["micro_recall"], shown["micro_precision"]) == (0.5, 1)


@pytest.mark.parametrize("reducer", ["mean", "median", "max", "mode", "at_least_1", "pass_at_1"])
@pytest.mark.parametrize("first", [0, 1])
def test_every_reducer_takes_epochs_of_which_each_measured_something_else(folder, reducer, first):
    # With no judge, texts are unscored where they came in other words, and missing where not.
    reworded = tiny.gold()
    reworded["nodes"]["ada"]["attributes"] = {"name": "A. B.", "city": "the north"}
    reworded["nodes"]["ghost"] = tiny.node("book", title="Never written")
    answers = [("extracted", reworded), ("malformed", None), ("extracted", tiny.graph())]
    turned = [*answers[first:], *answers[:first]]
    path = folder / "policies" / "words.yaml"
    path.write_text(
        "defaults: {}\nverifiers:\n  graph: {kind: llm_rubric, criterion: It is plausible.}\n"
    )
    log = run(
        folder,
        *[("one-book", n, *one) for n, one in enumerate(turned, start=1)],
        names=ONE,
        policy="words",
        epochs=Epochs(3, reducer),
    )
    assert log.status == "success", log.error
    assert math.isfinite(log.results.scores[0].metrics["f1"].value)


# errors and scoring again


def test_an_errored_sample_is_not_scored_and_the_other_is(folder):
    log = run(
        folder,
        ("one-book", None, "raises", None),
        ("nothing-said", None, "extracted", tiny.graph()),
    )
    assert (log.results.total_samples, log.results.completed_samples) == (2, 1)
    assert log.results.scores[0].metrics["f1"].value == 1


def test_a_log_scored_again_has_both_rows_and_they_are_told_apart(folder):
    log = run(folder, ("one-book", None, "extracted", wrong_pages()), names=ONE)
    again = score(log, extraction(policy="lenient", gate="off"), action="append")
    [sample] = again.samples
    assert list(sample.scores) == ["extraction", "extraction1"]
    strict, lenient = sample.scores.values()
    assert (strict.value["matched"], lenient.value["matched"]) == (SAYS - 2, SAYS - 1)
    told = [(s.metadata["policy"], s.metadata["gate"]) for s in (strict, lenient)]
    assert told == [("strict", "report"), ("lenient", "off")]
    assert strict.metadata["policy_digest"] != lenient.metadata["policy_digest"]
    rows = [(row.name, row.params.get("policy")) for row in again.results.scores]
    assert rows == [("extraction", None), ("extraction1", "lenient")]
    values = [row.metrics["f1"].value for row in again.results.scores]
    assert values == pytest.approx([14 / 16, 15 / 16])


@solver
def then_raises(errored):
    """Extracts, and then the sample fails: its store holds a graph all the same."""

    async def solve(state, generate):
        kept = state.store_as(Extraction)
        kept.outcome, kept.graph = "extracted", tiny.gold()
        if errored in ("both", state.metadata["case"]):
            raise RuntimeError("the disk is full")
        return state

    return solve


@pytest.mark.parametrize("errored", ["one-book", "nothing-said", "both"])
def test_an_errored_sample_stays_unscored_when_the_log_is_scored_again(folder, errored):
    task = Task(
        dataset=samples(folder),
        solver=then_raises(errored),
        scorer=extraction("strict"),
        continue_on_fail=True,
    )
    [log] = inspect_eval(task, model=scripted([]))
    log = read_eval_log(log.location)
    again = score(log, extraction(policy="lenient"), action="append")
    for sample in again.samples:
        if sample.error is not None:
            assert not sample.scores
        else:
            assert list(sample.scores) == ["extraction", "extraction1"]
    if errored == "both":
        return
    # The appended row counts the sample that was scored, under its own policy.
    first, second = again.results.scores
    assert (first.scored_samples, second.scored_samples) == (1, 1)
    assert second.params["policy"] == "lenient"
    assert second.metrics["f1"].value == first.metrics["f1"].value


@pytest.mark.parametrize("policy", ["nope", "no/such.yaml", "../strict"])
def test_scoring_again_under_a_policy_that_is_not_there_is_an_error(folder, policy):
    log = run(folder, ("one-book", None, "extracted", tiny.gold()), names=ONE)
    with pytest.raises(PolicyRefusedError):
        score(log, extraction(policy=policy), action="append")


def test_scoring_a_log_of_another_task_is_an_error():
    from inspect_ai.dataset import Sample  # noqa: PLC0415

    task = Task(dataset=[Sample(input="hello", target="hello")], solver=gives())
    [log] = inspect_eval(task, model=scripted([]))
    with pytest.raises(PolicyRefusedError, match="no sample of the extraction task"):
        score(log, extraction(), action="append")


def test_inspect_score_on_the_command_line_takes_gate_off_and_refuses_a_wrong_policy(folder):
    log = run(folder, ("one-book", None, "extracted", wrong_pages()), names=ONE)

    def inspect(*arguments):
        command = [sys.executable, "-m", "inspect_ai", "score", log.location, "--overwrite"]
        named = ["--scorer", "creel_inspect/extraction", "--action", "append"]
        return subprocess.run(
            [*command, *named, *arguments], cwd=folder, capture_output=True, text=True, check=False
        )

    done = inspect("-S", "policy=lenient", "-S", "gate=off", "--model", "mockllm/model")
    assert done.returncode == 0, done.stderr
    [sample] = read_eval_log(log.location).samples
    assert sample.scores["extraction1"].metadata["gate"] == "off"
    done = inspect("-S", "policy=nope", "--model", "mockllm/model")
    assert done.returncode != 0
    assert "no policy is called 'nope'" in done.stdout + done.stderr


@solver
def raises_once():
    """Fails at the first attempt, and extracts at the second."""
    attempts = []

    async def solve(state, generate):
        attempts.append(1)
        if len(attempts) == 1:
            raise RuntimeError("once")
        kept = state.store_as(Extraction)
        kept.outcome, kept.graph = "extracted", tiny.gold()
        return state

    return solve


def test_a_sample_that_succeeds_when_it_is_tried_again_is_scored_then_and_later(folder):
    task = Task(dataset=samples(folder, "one-book"), solver=raises_once(), scorer=extraction())
    [log] = inspect_eval(task, model=scripted([]), retry_on_error=1)
    assert log.status == "success", log.error
    assert only(log).value["f1"] == 1
    again = score(read_eval_log(log.location), extraction(policy="lenient"), action="append")
    assert only(again, "extraction1").value["f1"] == 1


# several corpora and samples


def test_the_metrics_of_two_samples_by_hand(folder):
    # one-book: 14 of 16, 16 came; nothing-said: one node of a type and a name for nothing, F1 0.
    ghost = tiny.graph({"g": tiny.node("person", name="Nobody")})
    log = run(
        folder,
        ("one-book", None, "extracted", wrong_pages()),
        ("nothing-said", None, "extracted", ghost),
    )
    shown = {name: one.value for name, one in log.results.scores[0].metrics.items()}
    assert shown["f1"] == pytest.approx((14 / 16 + 0) / 2)
    assert shown["micro_f1"] == pytest.approx(2 * 14 / (16 + 18))
    assert shown["micro_precision"] == pytest.approx(14 / 18)
    assert shown["micro_recall"] == pytest.approx(14 / 16)
    assert shown["coverage"] == 1
    assert shown["node.person"] == 1  # over the samples whose gold has one
    assert "nodes_f1" in shown
    # Macro: one-book (1 + 4/5 + 1 + 3/4)/4, nothing-said 0.
    assert shown["macro_f1"] == pytest.approx((1 + 4 / 5 + 1 + 3 / 4) / 4 / 2)


def test_samples_of_two_corpora_are_each_scored_under_their_own_policy(folder, tmp_path):
    other = tiny.write_corpus(
        tmp_path / "attic",
        {"policies/strict.yaml": tiny.STRICT.replace("any: exact", "any: normalized")},
    )
    task = Task(
        dataset=[*samples(folder, "one-book"), *samples(other, "one-book")],
        solver=gives(("one-book", None, "extracted", tiny.gold())),
        scorer=extraction(),
    )
    [log] = inspect_eval(task, model=scripted([]))
    assert log.status == "success", log.error
    digests = {s.id: s.scores["extraction"].metadata["policy_digest"] for s in log.samples}
    assert digests == {
        "shelf/one-book": load_policy("strict", folder).digest,
        "attic/one-book": load_policy("strict", other).digest,
    }
    assert len(set(digests.values())) == 2


# judges


def judged(folder):
    """A policy under which texts in other words need a judge."""
    (folder / "policies" / "words.yaml").write_text(
        "defaults: {integer: numeric_tolerance, decimal: numeric_tolerance, date: normalized,"
        " enum: exact}\n"
    )
    graph = tiny.gold()
    graph["nodes"]["ada"]["attributes"]["city"] = "the city of Leeds"
    return graph


def says(text):
    """A grader that always writes this."""
    return scripted(lambda *_: reply(text=text, stop="stop"))


def test_the_grader_is_asked_and_its_usage_is_in_the_log(folder):
    graph = judged(folder)
    log = run(
        folder,
        ("one-book", None, "extracted", graph),
        names=ONE,
        policy="words",
        model="none/none",
        model_roles={"grader": says("Reason: the same town\nScore: 5")},
    )
    assert log.status == "success", log.error
    found = only(log)
    assert (found.value["f1"], found.value["coverage"]) == (1, 1)
    judge = found.metadata["judge"]
    # Texts: name, title and city; city alone is in other words.
    assert (judge["asked"], judge["saved"]) == (1, 2)
    assert judge["calls"] == judge["input_tokens"] == judge["output_tokens"] >= 1
    usage = log.stats.role_usage["grader"]
    assert (usage.input_tokens, usage.output_tokens) == (judge["calls"], judge["calls"])
    assert log.samples[0].role_usage["grader"].input_tokens == judge["calls"]


def test_without_a_grader_such_values_are_unscored_and_the_subject_is_not_asked(folder):
    graph = judged(folder)
    log = run(folder, ("one-book", None, "extracted", graph), names=ONE, policy="words")
    found = only(log)
    assert (found.value["f1"], found.value["coverage"]) == (1, 15 / 16)
    city = next(m for m in found.metadata["elements"] if m["path"] == "node.person[ada].city")
    assert (city["state"], city["code"]) == ("unscored", "no_judge")
    assert found.metadata["judge"]["calls"] == 0


def test_a_judge_related_to_the_subject_is_refused_before_the_subject_is_asked(folder):
    asked = []

    def subject(*_):
        asked.append(1)
        return submit({"nodes": [], "edges": []})

    model = scripted(subject)
    task = Task(
        dataset=samples(folder, "one-book"),
        setup=require_judge(optional=True),
        solver=extract_with_model(),
        scorer=extraction("strict"),
        continue_on_fail=True,
    )
    [log] = inspect_eval(task, model=model, model_roles={"grader": model})
    [sample] = log.samples
    assert "judge" in sample.error.message
    assert asked == []
    assert not sample.scores


def test_a_related_judge_may_be_allowed_and_is_refused_otherwise(folder):
    graph = judged(folder)
    model = says("Reason: the same town\nScore: 5")
    answer = ("one-book", None, "extracted", graph)
    roles = {"model": model, "model_roles": {"grader": model}}
    refused = run(folder, answer, names=ONE, policy="words", **roles)
    assert "allow_related_judge" in refused.samples[0].error.message
    allowed = run(
        folder,
        answer,
        names=ONE,
        scorer=extraction("words", allow_related_judge=True),
        **roles,
    )
    assert only(allowed).value["f1"] == 1
