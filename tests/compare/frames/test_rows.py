"""Rows: what becomes of a sample, whatever happened to it."""

import json
import math

import pandas as pd
import pytest
from inspect_ai.model import ChatMessageUser, ModelConfig, ModelUsage
from inspect_ai.scorer import Score

from creel_inspect.compare import CompareError, load_frame
from tests.compare.log_files import (
    ERRORED,
    NO_SCORE,
    NOT_RUN,
    UNSCORED,
    extraction_ending,
    extraction_log,
    fields,
    search_ending,
    search_log,
    write_log,
)


def by_case(frame):
    return {row["case"]: row for row in frame.to_dict("records")}


def test_each_sample_is_scored_unscored_errored_or_not_run(tmp_path):
    search_log(
        tmp_path,
        {"a": "right", "b": "declined", "c": ERRORED, "d": UNSCORED, "e": NOT_RUN, "f": NO_SCORE},
    )

    rows = by_case(load_frame(tmp_path))

    states = {case: (row["state"], row["result"], row["reason"]) for case, row in rows.items()}
    assert states == {
        "a": ("scored", "right", ""),
        "b": ("scored", "declined", "declined"),
        "c": ("errored", "errored", "RuntimeError: it broke"),
        "d": ("unscored", "unscored", "not_measured"),
        "e": ("not_run", "not run", ""),
        "f": ("unscored", "unscored", "no_score"),
    }
    assert [rows[case]["score"] for case in "ab"] == [1.0, 0.0]
    assert all(math.isnan(rows[case]["score"]) for case in "cdef")
    # What is not known lies between 0 and 1.
    assert [(rows[case]["score_low"], rows[case]["score_high"]) for case in "abcdef"] == [
        (1.0, 1.0),
        (0.0, 0.0),
        *[(0.0, 1.0)] * 4,
    ]


def test_an_errored_sample_that_carries_a_score_is_errored_alone(tmp_path):
    score = search_ending("right")
    errored = fields(ERRORED, scores={"search_answer": score})
    search_log(tmp_path, {"a": errored, "b": "right"})

    row = by_case(load_frame(tmp_path))["a"]

    assert row["state"] == "errored"
    assert math.isnan(row["score"])


@pytest.mark.parametrize(
    ("outcome", "result"),
    [
        ("answered", "wrong"),
        ("declined_after_attempt", "declined after attempt"),
        ("malformed", "malformed"),
        ("no_call", "no call"),
        ("truncated", "truncated"),
        ("safety_refused", "safety refused"),
        ("search_failed", "search failed"),
        ("search_timeout", "search timeout"),
    ],
)
def test_an_outcome_out_of_the_ordinary_is_the_result(tmp_path, outcome, result):
    search_log(tmp_path, {"a": outcome})

    [row] = load_frame(tmp_path).to_dict("records")

    assert (row["outcome"], row["result"], row["score"]) == (outcome, result, 0.0)


def test_a_right_refusal_is_right(tmp_path):
    search_log(tmp_path, {"infeasible-a": "right"})

    [row] = load_frame(tmp_path).to_dict("records")

    assert (row["outcome"], row["result"], bool(row["feasible"])) == ("declined", "right", False)


def test_an_extraction_is_right_partly_right_or_wrong_and_may_be_measured_in_part(tmp_path):
    malformed = extraction_ending(0.0, outcome="malformed")
    extraction_log(
        tmp_path, {"x/a": 1.0, "x/b": 0.25, "x/c": 0.0, "y/d": (0.2, 0.6), "y/e": malformed}
    )

    rows = by_case(load_frame(tmp_path))

    assert [rows[case]["result"] for case in rows] == [
        "right",
        "partly right",
        "wrong",
        "partly right",
        "malformed",
    ]
    assert (rows["y/d"]["score_low"], rows["y/d"]["score_high"]) == (0.2, 0.6)
    assert (rows["x/b"]["score_low"], rows["x/b"]["score_high"]) == (0.25, 0.25)
    assert (rows["x/a"]["corpus"], rows["y/d"]["corpus"]) == ("x", "y")
    assert rows["x/b"]["score_precision"] == 0.25


def test_the_letters_of_other_tasks_are_numbers_and_what_is_no_number_is_unscored(tmp_path):
    values = {
        **{"c": "C", "i": "I", "p": "P", "n": "N", "yes": "yes", "false": "False", "true": True},
        **{"half": 0.5, "text": "0.25", "odd": "maybe", "nan": math.nan, "inf": math.inf},
    }
    write_log(tmp_path, values)

    rows = by_case(load_frame(tmp_path))

    scores = {case: row["score"] for case, row in rows.items() if row["state"] == "scored"}
    assert scores == {
        **{"c": 1.0, "i": 0.0, "p": 0.5, "n": 0.0, "yes": 1.0, "false": 0.0, "true": 1.0},
        **{"half": 0.5, "text": 0.25},
    }
    unscored = {case: row["reason"] for case, row in rows.items() if row["state"] == "unscored"}
    assert unscored == {"odd": "not_a_number", "nan": "unscored", "inf": "unscored"}
    assert rows["p"]["result"] == "partly right"


def test_a_missing_score_of_another_task_has_bounds_only_where_all_that_are_seen_lie_in_0_to_1(
    tmp_path,
):
    write_log(tmp_path / "a", {"x": 0.5, "y": ERRORED})
    write_log(tmp_path / "b", {"x": 7, "y": ERRORED}, scorer="points")
    write_log(tmp_path / "c", {"y": ERRORED}, scorer="nothing")

    frame = load_frame(tmp_path)

    missing = frame[frame["state"] == "errored"].set_index("scorer")
    assert missing.loc["match", ["score_low", "score_high"]].tolist() == [0.0, 1.0]
    for scorer in ("points", "nothing"):
        assert missing.loc[scorer, ["score_low", "score_high"]].isna().all()
    assert frame.loc[frame["scorer"] == "points", "result"].tolist() == ["scored", "errored"]


def test_a_score_of_another_log_out_of_range_takes_the_bounds_from_all(tmp_path):
    write_log(tmp_path, {"x": 0.5, "y": ERRORED}, model="m/a")
    write_log(tmp_path, {"x": -3, "y": 0.5}, model="m/b")

    frame = load_frame(tmp_path)

    assert frame.loc[frame["state"] == "errored", "score_low"].isna().all()


def test_attempts_time_and_tokens_are_those_of_the_model_under_test(tmp_path):
    grader = ModelUsage(input_tokens=1000, output_tokens=500, total_tokens=1500)
    own = ModelUsage(
        input_tokens=10,
        output_tokens=5,
        total_tokens=115,
        input_tokens_cache_read=70,
        input_tokens_cache_write=30,
        total_cost=0.25,
    )
    ending = fields(
        search_ending("right", attempts=2),
        model_usage={"m/a": own, "m/grader": grader},
        total_time=3.5,
        working_time=1.25,
    )
    search_log(tmp_path, {"a": ending}, model="m/a")

    [row] = load_frame(tmp_path).to_dict("records")

    assert (row["attempts"], row["first_try"]) == (2, False)
    assert (row["total_seconds"], row["working_seconds"]) == (3.5, 1.25)
    assert (row["input_tokens"], row["output_tokens"], row["total_tokens"]) == (110, 5, 115)
    assert row["cost"] == 0.25


def test_what_a_grader_of_the_same_model_took_is_left_out_by_its_role(tmp_path):
    used = ModelUsage(input_tokens=110, output_tokens=25, total_tokens=135, total_cost=0.5)
    graded = ModelUsage(input_tokens=100, output_tokens=5, total_tokens=105, total_cost=0.125)
    ending = fields(1, model_usage={"m/a": used}, role_usage={"grader": graded})
    write_log(
        tmp_path, {"a": ending}, model="m/a", model_roles={"grader": ModelConfig(model="m/a")}
    )

    [row] = load_frame(tmp_path).to_dict("records")

    assert (row["input_tokens"], row["output_tokens"], row["total_tokens"]) == (10, 20, 30)
    assert row["cost"] == 0.375


def test_what_no_log_knows_is_missing_and_not_zero(tmp_path):
    write_log(tmp_path, {"a": fields(1, model_usage={}, total_time=None, working_time=None)})

    frame = load_frame(tmp_path)

    unknown = ["attempts", "first_try", "total_seconds", "working_seconds", "input_tokens"]
    unknown += ["output_tokens", "total_tokens", "cost", "feasible"]
    assert frame[unknown].isna().all().all()


def test_a_pair_is_one_cluster_and_any_other_case_is_its_own(tmp_path):
    search_log(
        tmp_path, {"b": "right", "a": "right", "c": NOT_RUN}, pairs={"b": "a", "a": "b", "c": "a"}
    )

    rows = by_case(load_frame(tmp_path))

    assert {case: row["cluster"] for case, row in rows.items()} == {"b": "a", "a": "a", "c": "c"}


def test_twins_of_twins_are_one_cluster_whoever_names_whom(tmp_path):
    # b names a, c names b, e names d; f names one that is no case, and so does g.
    pairs = {"b": "a", "c": "b", "e": "d", "f": "gone", "g": "gone"}
    search_log(tmp_path, dict.fromkeys("cbaedfg", "right"), pairs=pairs)

    rows = by_case(load_frame(tmp_path))

    assert {case: row["cluster"] for case, row in rows.items()} == {
        **{"a": "a", "b": "a", "c": "a", "d": "d", "e": "d", "f": "f", "g": "g"}
    }


def test_what_others_call_a_pair_in_their_metadata_is_no_twin(tmp_path):
    about = {case: {"pair": "a"} for case in "abc"}
    write_log(tmp_path, dict.fromkeys("abc", 1), about=about)
    extraction_log(tmp_path, {"x/a": 1.0, "x/b": 0.5}, about={"x/b": {"pair": "x/a"}})

    frame = load_frame(tmp_path)

    assert frame["cluster"].tolist() == frame["case"].tolist()


def test_on_another_scale_than_0_to_1_nothing_is_right_or_wrong(tmp_path):
    # Marks of 1 to 5: the worst is a 1. A second model has only ones.
    write_log(tmp_path, {"a": 1, "b": 5, "c": 3.5, "d": 0}, scorer="mark", model="m/one")
    write_log(tmp_path, {"a": 1, "b": 1, "c": ERRORED}, scorer="mark", model="m/two")
    write_log(tmp_path, {"q": 1, "r": 0, "s": 0.5}, scorer="mark", task="in_range")

    frame = load_frame(tmp_path)

    marks = frame[frame["task"] == "quiz"]
    assert marks["result"].value_counts().to_dict() == {"scored": 6, "errored": 1}
    assert marks.loc[marks["state"] == "errored", "score_high"].isna().all()
    told = frame.loc[frame["task"] == "in_range", "result"].tolist()
    assert told == ["right", "wrong", "partly right"]


def test_a_search_that_is_compared_by_its_points_is_right_or_wrong_all_the_same(tmp_path):
    search_log(tmp_path, {"a": "right", "b": "answered", "c": "declined", "d": "malformed"})

    frame = load_frame(tmp_path, score="search_answer.points")

    assert frame["score"].tolist() == [1.0, -1.0, 0.0, -1.0]
    assert frame["result"].tolist() == ["right", "wrong", "declined", "malformed"]


def test_a_case_that_was_not_run_takes_what_is_known_of_it_from_another_run(tmp_path):
    told = {"pairs": {"b": "a"}, "tags": {"b": ["salt"]}}
    search_log(tmp_path, {"a": "right", "b": "right"}, model="m/one", **told)
    search_log(tmp_path, {"a": "right", "b": NOT_RUN}, model="m/two", **told)

    frame = load_frame(tmp_path)

    row = frame[frame["state"] == "not_run"].to_dict("records")[0]
    assert (row["model"], row["cluster"], row["why"]) == ("m/two", "a", "Why b.")
    assert list(row["tags"]) == ["salt"]
    assert row["content"] == frame.loc[frame["case"] == "b", "content"].iloc[0] != ""


def test_a_misreading_is_told_in_words_or_by_its_number(tmp_path):
    search_log(
        tmp_path,
        {
            "a": search_ending("answered", near_miss=1, misreading="Takes the salt too."),
            "b": search_ending("answered", near_miss=0),
            "c": "right",
        },
    )

    rows = by_case(load_frame(tmp_path))

    told = {case: row["misreading"] for case, row in rows.items()}
    assert told == {"a": "Takes the salt too.", "b": "near-miss 0", "c": ""}


def test_attempts_too_long_for_a_summary_are_counted_by_questions_to_the_model(tmp_path):
    ending = search_ending("answered", attempts=2)
    ending.metadata["attempts"][0]["calls"] = ["x" * 3000]
    search_log(tmp_path, {"a": fields(ending, turn_count=2)})

    [row] = load_frame(tmp_path).to_dict("records")

    assert row["attempts"] == 2


def test_content_is_the_question_and_its_target_and_not_the_ids_of_messages(tmp_path):
    cases = {"a": 1, "b": 1}
    write_log(tmp_path, cases, model="m/one", questions={"a": "One?", "b": "Two?"})
    write_log(tmp_path, cases, model="m/two", questions={"a": "One?", "b": "Three?"})
    write_log(tmp_path, cases, model="m/three", targets={"a": "other"})

    found = load_frame(tmp_path).pivot_table(
        index="case", columns="model", values="content", aggfunc="first"
    )

    assert found.loc["a", "m/one"] == found.loc["a", "m/two"] != found.loc["a", "m/three"]
    assert found.loc["b", "m/one"] != found.loc["b", "m/two"]
    assert found["m/one"].str.fullmatch("[0-9a-f]{12}").all()


def test_a_question_in_messages_is_the_same_whatever_ids_they_have(tmp_path):
    for model in ("m/one", "m/two"):
        asked = {"a": [ChatMessageUser(content="One?")], "b": [ChatMessageUser(content=model)]}
        write_log(tmp_path, {"a": 1, "b": 1}, model=model, questions=asked)

    found = load_frame(tmp_path).groupby("case")["content"].nunique()

    assert found.to_dict() == {"a": 1, "b": 2}


def test_numbers_as_ids_are_texts(tmp_path):
    write_log(tmp_path, {1: 1, 20: 0})

    assert load_frame(tmp_path)["case"].tolist() == ["1", "20"]


def test_hostile_texts_stay_what_they_are_in_cells_and_are_written_out_in_labels(tmp_path):
    hostile = "\x1b[31mred\x07 <script>alert(1)</script> \u202e=cmd()"
    write_log(
        tmp_path,
        {hostile: 1, "b\nc": 0},
        model="m/\x1b]0;title\x07<b>\n",
        about={hostile: {"why": hostile, "tags": [hostile, None, 3], "pair": ["x"]}},
    )

    frame = load_frame(tmp_path)

    row = by_case(frame)[hostile]
    assert row["why"] == hostile
    assert list(row["tags"]) == [hostile, "None", "3"]
    assert row["cluster"] == hostile
    label = row["run"]
    assert "<b>" in label
    assert not set("\x1b\x07\n") & set(label)


def test_a_frame_survives_parquet(tmp_path):
    search_log(tmp_path, {"a": "right", "b": ERRORED, "c": NOT_RUN}, tags={"a": ["x", "y"]})
    extraction_log(tmp_path, {"x/a": (0.2, 0.6)})
    write_log(tmp_path, {"q": "C"})
    frame = load_frame(tmp_path)

    frame.to_parquet(tmp_path / "frame.parquet")
    back = pd.read_parquet(tmp_path / "frame.parquet")

    back["tags"] = [list(one) for one in back["tags"]]
    pd.testing.assert_frame_equal(back, frame)
    assert back.attrs == frame.attrs
    assert list(back.loc[back["case"] == "a", "tags"].iloc[0]) == ["x", "y"]


def test_dict_values_have_a_column_for_each_other_entry_without_a_dot(tmp_path):
    extraction_log(tmp_path, {"x/a": 0.5})
    write_log(tmp_path, {"q": {"low": 3, "good": 1, "sub.part": 2}}, scorer="odd", headline=None)

    with pytest.raises(CompareError, match=r"odd\.low, odd\.good, odd\.sub\.part"):
        load_frame(tmp_path)
    frame = load_frame(tmp_path, score="odd.good")

    assert frame["score_low"].tolist() == [1.0]  # the lower bound, not the entry of that name
    assert "score_sub.part" not in frame
    assert "score_good" not in frame


def test_every_column_of_the_contract_is_there_for_every_kind(tmp_path):
    write_log(tmp_path, {"q": "C"})

    columns = list(load_frame(tmp_path).columns)

    assert columns == [
        *("run_id", "run", "side", "task", "kind", "model", "settings", "prompt_fingerprint"),
        *("case_fingerprint", "corpus_fingerprint", "scorer_version", "policy_fingerprint"),
        *("corpora", "scorer", "scorer_package", "scorer_params", "versions"),
        *(
            "case",
            "epoch",
            "log",
            "task_id",
            "log_epoch",
            "uuid",
            "created",
            "cluster",
            "state",
            "reason",
            "score",
            "score_low",
        ),
        *("score_high", "outcome", "result", "attempts", "first_try", "total_seconds"),
        *("working_seconds", "input_tokens", "output_tokens", "total_tokens", "cost"),
        *("misreading", "feasible", "corpus", "tags", "why", "content"),
    ]


def test_fingerprints_and_versions_are_the_logs_own(tmp_path):
    search_log(tmp_path, {"a": "right"}, task_version=7)

    [row] = load_frame(tmp_path).to_dict("records")

    assert (row["kind"], row["task"]) == ("search", "nl_search")
    assert row["scorer"] == "search_answer.correct"
    prints = ("case", "corpus", "prompt", "policy")
    assert [row[f"{name}_fingerprint"] for name in prints] == [
        *("cases0000001", "corpus000001", "prompt000001", "")
    ]
    assert row["scorer_version"] == "7"
    assert json.loads(row["scorer_params"]) == {"timeout_seconds": 300, "wrong_penalty": 1}
    assert json.loads(row["versions"]) == {
        "inspect_ai": "0.3.285",
        "engine": "ord-schema 0.9.6, rdkit 2026.9.1, duckdb 1.5.6",
    }


def test_the_version_that_a_score_names_counts_more_than_that_of_the_task_it_was_run_as(tmp_path):
    endings = {"a": search_ending("right", scorer_version=3), "b": UNSCORED}
    search_log(tmp_path, endings, task_version=1)

    assert load_frame(tmp_path)["scorer_version"].unique().tolist() == ["3"]


def test_a_score_in_a_log_may_be_none_or_a_list(tmp_path):
    write_log(
        tmp_path,
        {"a": Score(value=[1, 0]), "b": Score(value=[0, "P"]), "c": Score(value={"0": None})},
        scorer="pair",
    )

    rows = by_case(load_frame(tmp_path, score="pair.0"))

    assert [rows[case]["score"] for case in "ab"] == [1.0, 0.0]
    assert (rows["c"]["state"], rows["c"]["reason"]) == ("unscored", "no_value")
    assert rows["b"]["score_1"] == 0.5


def test_absurd_numbers_in_a_log_are_left_out_and_do_not_stop_the_rest(tmp_path):
    huge = ModelUsage(input_tokens=10**30, output_tokens=1, total_tokens=10**30)
    write_log(tmp_path, {"a": fields(1, model_usage={"mockllm/model": huge}), "b": 10**400})
    absurd = write_log(tmp_path, {"a": 1}, epochs=10**9)

    frame = load_frame(tmp_path)
    frame.to_parquet(tmp_path / "frame.parquet")

    rows = by_case(frame)
    assert pd.isna(rows["a"]["input_tokens"])
    assert rows["a"]["output_tokens"] == 1
    assert (rows["b"]["state"], rows["b"]["reason"]) == ("unscored", "not_finite")
    [note] = frame.attrs["notes"]
    assert note.startswith(f"{absurd} says that 1 cases were run in 1,000,000,000 epochs")


def test_half_a_surrogate_pair_in_a_log_does_not_stop_the_rest(tmp_path):
    good = write_log(tmp_path, {"a": 1, "b": 0}, suffix=".json", name="2026-01-01T00-00-00_x_y")
    text = good.read_text()
    bad = tmp_path / "2026-01-01T00-00-01_x_z.json"
    bad.write_text(text.replace("Question a?", r"\ud800").replace('"id": "b"', r'"id": "\udc00"'))

    frame = load_frame(tmp_path)
    frame.to_parquet(tmp_path / "frame.parquet")

    assert {"a", "b"} <= set(frame["case"])
