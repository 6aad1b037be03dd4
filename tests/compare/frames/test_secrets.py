"""What is nobody's business does not get from a log into a frame."""

import json

import pandas as pd
import pytest
from inspect_ai.log import EvalPlan, EvalPlanStep
from inspect_ai.model import GenerateConfig, ModelConfig

from creel_inspect.compare import CompareError, load_frame
from creel_inspect.compare.frames.secrets import is_secret, may_be_secret, plain_place, unsecret
from creel_inspect.compare.frames.secrets import without_secrets as shown
from tests.compare.log_files import ERRORED, write_log

SECRET = "s3cretvalue"

NAMES = [
    *("apikey", "apiKey", "api-key", "api_key", "API_KEY", "APIKey", "OPENAI_API_KEY", "x-api-key"),
    *("auth", "auth_token", "Authorization", "bearer", "bearerToken", "password", "passwd"),
    *("dbPassword", "access_token_value", "accessKey", "client_secret", "credentials", "Cookie"),
]
DOUBTFUL = ["key_id", "token", "hfToken", "answer_key", "default_headers", "signature"]
ORDINARY = ["max_tokens", "keyword", "author", "monkey", "top_logprobs", "tokenizer", "device"]


def everything(frame):
    return frame.to_json(orient="records") + json.dumps(frame.attrs)


@pytest.mark.parametrize("name", NAMES)
def test_a_secret_is_known_by_the_parts_of_its_name(name):
    assert is_secret(name)
    assert unsecret({name: SECRET, "n": 1}) == {"n": 1}
    assert unsecret({"deep": [{"er": {name: [SECRET], "n": 1}}]}) == {"deep": [{"er": {"n": 1}}]}
    assert unsecret({"only": {"er": {name: SECRET}}, "empty": {}}) == {"empty": {}}


@pytest.mark.parametrize("name", DOUBTFUL)
def test_what_may_be_a_secret_is_not_shown_but_tells_two_settings_apart(name):
    one, other = unsecret({name: SECRET})[name], unsecret({name: "another"})[name]

    assert may_be_secret(name)
    assert not is_secret(name)
    assert SECRET not in one
    assert one != other
    assert unsecret({name: SECRET}, drop_doubtful=True) == {}
    assert unsecret({name: 3}) == {name: 3}


@pytest.mark.parametrize("name", ORDINARY)
def test_other_settings_stay_what_they_are(name):
    assert unsecret({name: "x", "auth": True}) == {name: "x", "auth": True}


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://user:s3cretvalue@host/v1", "http://host/v1"),
        ("http://user:s3cret/value@host/v1", "http://host/v1"),
        ("http://user:s3cret?value#@host/v1", "http://host/v1"),
        ("http://s3cret@value@host:80/v1", "http://host:80/v1"),
        ("https://host/v1?api_key=s3cretvalue", "https://host/v1"),
        ("https://host/v1#access_token=s3cretvalue", "https://host/v1"),
        ("https://host:8000/@scope/v1", "https://host:8000/@scope/v1"),
        ("http://[::1]:80/@x", "http://[::1]:80/@x"),
        ("s3://bucket/logs", "s3://bucket/logs"),
        ("no/url?x=1", "no/url?x=1"),
    ],
)
def test_addresses_lose_user_password_and_query(url, told):
    assert shown(url) == told
    assert plain_place(url) == told
    assert shown(f"see <{url}> there") == f"see <{told}> there"


def test_two_addresses_that_ask_for_other_things_are_told_apart():
    urls = ["http://h/v1?deployment=a", "http://h/v1?deployment=b", "http://h/v1"]

    assert len({shown(url) for url in urls}) == 3
    assert shown(urls[0]) == shown("http://h/v1?api_key=x&deployment=a")
    assert plain_place(urls[0]) == "http://h/v1"


@pytest.mark.parametrize(
    "change",
    [
        {"model_args": {"apiKey": SECRET}},
        {"model_args": {"default_headers": {"Authorization": f"Bearer {SECRET}"}, "n": 1}},
        {"model_args": {"key_id": SECRET}},
        {"model_args": {"config": {"extra": [{"x-api-key": SECRET}]}}},
        {"model_generate_config": GenerateConfig(extra_body={"api_key": SECRET, "a": 1})},
        {"model_base_url": f"http://user:{SECRET}@host/v1?api_key={SECRET}"},
        {"task_args": {"api_key": SECRET}},
        {"task_args": {"store": f"https://u:{SECRET}@host/x"}},
        {"task_args": {"how": f"Authorization: Bearer {SECRET}+{SECRET}"}},
        {"plan": EvalPlan(steps=[EvalPlanStep(solver="s", params={"api_key": SECRET})])},
        {"plan": EvalPlan(config=GenerateConfig(extra_body={"x": {"auth": SECRET}}))},
        {"scorer_params": {"api_key": SECRET, "url": f"http://{SECRET}@h"}},
        {
            "model_roles": {
                "grader": ModelConfig(
                    model="g",
                    args={"apikey": SECRET, "headers": {"X": SECRET}},
                    base_url=f"http://u:{SECRET}@h",
                    config=GenerateConfig(extra_body={"password": SECRET}),
                )
            }
        },
        {"status": "error", "error": f"cannot open https://u:{SECRET}@host/x?token={SECRET}"},
    ],
)
def test_no_part_of_a_frame_holds_a_secret_of_its_logs(tmp_path, change):
    # Other runs of the model, so that labels tell what differs.
    write_log(tmp_path, {"a": 1, "b": ERRORED}, task_args={"other": 1})
    write_log(tmp_path, {"a": 1, "b": ERRORED}, **change)

    frame = load_frame(tmp_path)

    assert frame["run_id"].nunique() == 2
    assert SECRET not in everything(frame)
    assert pd.Series(frame["run"].unique()).is_unique


@pytest.mark.parametrize(
    "change",
    [
        {"apiKey": SECRET},
        {"key_id": SECRET},
        {"headers": {"a": "b"}},
        {"client": {"http": {"auth": SECRET}}},
    ],
)
def test_whose_key_a_model_was_called_with_makes_no_other_run(tmp_path, change):
    write_log(tmp_path, {"a": 1})
    write_log(tmp_path, {"a": 0}, model_args=change)

    assert load_frame(tmp_path)["run_id"].nunique() == 1


def test_a_task_argument_that_only_looks_like_a_secret_makes_another_run(tmp_path):
    for key in (SECRET, "second"):
        write_log(tmp_path, {"a": 1}, task_args={"answer_key": key})

    frame = load_frame(tmp_path)

    assert frame["run_id"].nunique() == frame["run"].nunique() == 2
    assert SECRET not in everything(frame)


def test_the_address_of_a_log_is_told_without_what_opens_it():
    place = f"gopher://user:{SECRET}@host/logs?sig={SECRET}"

    with pytest.raises(CompareError) as error:
        load_frame(place)

    assert "gopher://host/logs: its logs cannot be listed" in error.value.message
    assert SECRET not in error.value.message
