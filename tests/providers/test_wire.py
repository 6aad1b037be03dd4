"""What reaches a provider, word for word: the schemas, the markers, and nothing of the answers."""

import json
import socket
from copy import deepcopy
from typing import Any

import pytest
from ord_schema.search.query import Query as OrdQuery

from creel_inspect.search.engine import ENGINES
from tests.providers.loopback import (
    PROTOCOLS,
    Reply,
    build,
    connected,
    decline,
    in_turn,
    run,
    say,
    serving,
)
from tests.search.scripted import only
from tests.search.tiny_engine import TinyEngine

pytestmark = [pytest.mark.loopback, pytest.mark.allow_hosts(["127.0.0.1"])]

RIGHT = {"after": 1900}
FEASIBLE = "after-1900"
REFUSAL_SCHEMA = {
    "type": "object",
    "properties": {
        "reason": {
            "type": "string",
            "minLength": 1,
            "description": "What the question asks for that the grammar lacks.",
        }
    },
    "required": ["reason"],
    "additionalProperties": False,
}


@pytest.fixture(autouse=True)
def _ord_words(monkeypatch):
    monkeypatch.setitem(ENGINES, "ord-words", "tests.providers.ord_words:OrdWords")


def tools_of(body: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Each offered tool's schema by name, whichever the protocol."""
    offered = [tool.get("function", tool) for tool in body["tools"]]
    return {tool["name"]: tool.get("parameters", tool.get("input_schema")) for tool in offered}


def without_bounds(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema less the ``maximum`` and ``minLength`` of its own properties."""
    thinned = deepcopy(schema)
    for part in thinned["properties"].values():
        for option in [part, *part.get("anyOf", [])]:
            option.pop("maximum", None)
            option.pop("minLength", None)
    return thinned


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("engine", ["tiny", "ord-words"])
def test_the_exact_schema_of_each_tool_is_on_the_wire(engine, protocol, tmp_path):
    queries = {"tiny": TinyEngine().query_schema(), "ord-words": OrdQuery.model_json_schema()}
    cases = tmp_path / "cases.json"
    case = {"id": "x", "question": "what costs least?", "why": "no prices", "compiles": False}
    cases.write_text(json.dumps({"corpus": None, "cases": [case]}))
    with serving(in_turn(decline())) as server:
        log = run(connected(server, protocol), engine=engine, cases=cases)
    assert log.status == "success"
    [request] = server.requests
    expected = {"build_query": queries[engine], "cannot_answer": REFUSAL_SCHEMA}
    if protocol == "openai-api":
        # Inspect withholds bounds from services it knows nothing about, at the top level only.
        expected = {name: without_bounds(schema) for name, schema in expected.items()}
    assert tools_of(request.body) == expected


def test_the_grammars_schema_is_as_recursive_as_it_has_to_be():
    text = json.dumps(OrdQuery.model_json_schema())
    for needed in ("$defs", "$ref", "discriminator", "oneOf", "const"):
        assert f'"{needed}"' in text


def test_one_call_of_any_tool_is_demanded_of_anthropic_and_the_prompt_is_cached():
    with serving(in_turn(build(RIGHT))) as server:
        _, score = only(run(connected(server, "anthropic"), FEASIBLE))
    assert score.metadata["correct"] is True
    assert score.metadata["tool_choice_degraded"] is False
    [request] = server.requests
    body = request.body
    assert body["tool_choice"] == {"type": "any", "disable_parallel_tool_use": True}
    [system] = body["system"]
    assert system["cache_control"] == {"type": "ephemeral"}
    # A marker holds for all that stands before it, so one on the last tool covers both.
    assert ["cache_control" in tool for tool in body["tools"]] == [False, True]
    assert body["messages"] == [{"role": "user", "content": "books published after 1900"}]


@pytest.mark.parametrize("protocol", ["openai", "openai-api"])
def test_one_call_of_any_tool_is_demanded_of_openai(protocol):
    with serving(in_turn(build(RIGHT))) as server:
        _, score = only(run(connected(server, protocol), FEASIBLE))
    assert score.metadata["correct"] is True
    [request] = server.requests
    assert request.body["tool_choice"] == "required"
    assert request.body["parallel_tool_calls"] is False
    assert [message["role"] for message in request.body["messages"]] == ["system", "user"]


# Inspect streams a long answer, and asks for a short one outright.
@pytest.mark.parametrize(("max_tokens", "streaming"), [(32_000, True), (1_000, False)])
def test_a_repair_answers_the_call_with_an_error_on_anthropics_wire(max_tokens, streaming):
    with serving(in_turn(build({"no_such_key": 1}), build(RIGHT))) as server:
        log = run(connected(server, "anthropic"), FEASIBLE, max_tokens=max_tokens)
    _, score = only(log)
    assert score.metadata["correct"] is True
    first, second = (request.body for request in server.requests)
    assert [first.get("stream", False), second.get("stream", False)] == [streaming] * 2
    _, called, answered = second["messages"]
    [call] = called["content"]
    assert (call["type"], call["id"], call["input"]) == (
        "tool_use",
        "toolu_0",
        {"no_such_key": 1},
    )
    [result] = answered["content"]
    assert (result["type"], result["tool_use_id"], result["is_error"]) == (
        "tool_result",
        "toolu_0",
        True,
    )
    assert "no such key: ['no_such_key']" in json.dumps(result["content"])
    assert second["tools"] == first["tools"]
    assert second["tool_choice"] == first["tool_choice"]


@pytest.mark.parametrize("protocol", ["openai", "openai-api"])
def test_a_repair_answers_the_call_on_openais_wire(protocol):
    with serving(in_turn(build({"no_such_key": 1}), build(RIGHT))) as server:
        run(connected(server, protocol), FEASIBLE)
    *_, called, answered = server.requests[1].body["messages"]
    assert called["tool_calls"][0]["id"] == answered["tool_call_id"] == "call_0"
    assert answered["role"] == "tool"
    assert "no such key: ['no_such_key']" in answered["content"]


def test_prose_is_answered_by_a_users_message_that_names_the_tools():
    with serving(in_turn(say("After 1900."), build(RIGHT))) as server:
        run(connected(server, "anthropic"), FEASIBLE)
    last = server.requests[1].body["messages"][-1]
    assert last["role"] == "user"
    assert "build_query" in json.dumps(last["content"])


SECRETS = {
    "text": "CCOC(=O)c1ccccc1Br",
    "why": "secret why: an ester beside its acid",
    "reference": "secret-of-the-reference",
    "near_miss": "secret-of-the-near-miss",
    "near_why": "secret why of the near-miss",
    "tag": "secret-tag",
    "id": "secret-id",
}


def literal(text: str) -> dict[str, Any]:
    return {"where": {"op": "eq", "path": "reaction_id", "value": {"literal": text}}}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_no_request_holds_a_structures_text_or_anything_of_the_answer(protocol, tmp_path):
    case = {
        "id": SECRETS["id"],
        "question": "which reactions make @A?",
        "why": SECRETS["why"],
        "tags": [SECRETS["tag"]],
        "structures": {"@A": {"format": "compound_smiles", "text": SECRETS["text"]}},
        "reference": literal(SECRETS["reference"]),
        "near_misses": [{"query": literal(SECRETS["near_miss"]), "why": SECRETS["near_why"]}],
    }
    cases = tmp_path / "cases.json"
    cases.write_text(json.dumps({"corpus": None, "cases": [case]}))
    # Refused with the structure in a place that the grammar does not know, so that the refusal
    # that goes back is about the text itself.
    made = {
        "op": "same_compound",
        "path": "outcomes.products",
        "smiles": "@A",
        "no_such_key": "@A",
    }
    with serving(in_turn(build({"where": made}), build(literal("@A")))) as server:
        log = run(connected(server, protocol), engine="ord-words", cases=cases)
    assert log.status == "success"
    assert len(server.requests) == 2
    for request in server.requests:
        assert "@A" in request.text
        everything = request.text + json.dumps(request.headers) + request.path
        assert [name for name, text in SECRETS.items() if text in everything] == []


def test_a_model_that_cannot_be_forced_is_asked_all_the_same_and_that_is_recorded():
    with serving(in_turn(say("No call."), build(RIGHT))) as server:
        model = connected(server, "anthropic", "claude-opus-5-5")
        _, score = only(run(model, FEASIBLE))
    assert server.requests[0].body["tool_choice"]["type"] == "auto"
    assert score.metadata["tool_choice_degraded"] is True
    assert [turn["outcome"] for turn in score.metadata["attempts"]] == ["no_call", "answered"]


def test_reasoning_drops_the_demand_for_a_call_and_that_is_recorded():
    thought = Reply(thinking="Books after 1900?", text="There are three.", stop="end")
    with serving(in_turn(thought, thought)) as server:
        log = run(connected(server, "anthropic"), FEASIBLE, reasoning_tokens=1024)
    _, score = only(log)
    assert "tool_choice" not in server.requests[0].body
    assert score.metadata["outcome"] == "no_call"
    assert log.results.scores[0].metrics["no_call"].value == 1.0
    assert score.metadata["tool_choice_degraded"] is True


def test_a_stray_connection_to_elsewhere_fails_here_too():
    with (
        pytest.warns(UserWarning, match=r"connect\(\)"),
        pytest.raises(RuntimeError, match=r'host "192\.0\.2\.1"'),
        socket.socket() as stray,
    ):
        stray.connect(("192.0.2.1", 443))
