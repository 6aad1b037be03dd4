"""What reaches a provider over the wire, and what of a reply survives it."""

import json

import pytest

from creel_inspect.extract.extractors.submission_schema import submission_schema
from tests.extract.scripted import RIGHT, ZOO, run
from tests.providers.loopback import PROTOCOLS, Raw, Reply, connected, in_turn, say, serving

pytestmark = [pytest.mark.loopback, pytest.mark.allow_hosts(["127.0.0.1"])]


def submitted(arguments):
    return Reply(calls=(("submit_graph", arguments),))


def asked(protocol, *replies):
    """The extraction, and the requests, of replies over the wire."""
    with serving(in_turn(*replies)) as server:
        _, extraction = run(connected(server, protocol))
    return extraction, [request.body for request in server.requests]


def without_bounds(value):
    """A schema less the ``minimum`` and ``maximum`` of all its parts."""
    if isinstance(value, list):
        return [without_bounds(one) for one in value]
    if not isinstance(value, dict):
        return value
    kept = {key: one for key, one in value.items() if key not in ("minimum", "maximum")}
    return {key: without_bounds(one) for key, one in kept.items()}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_exact_schema_is_on_the_wire_and_a_graph_comes_back(protocol):
    extraction, [body] = asked(protocol, submitted(RIGHT))
    [tool] = [tool.get("function", tool) for tool in body["tools"]]
    assert tool["name"] == "submit_graph"
    expected = submission_schema(ZOO)
    if protocol == "openai-api":
        # Inspect withholds bounds from services it knows nothing about.
        expected = without_bounds(expected)
        assert expected != submission_schema(ZOO)
    assert tool.get("parameters", tool.get("input_schema")) == expected
    assert extraction.outcome == "extracted"
    assert set(extraction.graph["nodes"]) == {"ola", "bruno"}


CUT_SHORT = [json.dumps(RIGHT)[:length] for length in (1, 40, 200, len(json.dumps(RIGHT)) - 1)]


@pytest.mark.parametrize("text", [*CUT_SHORT, "It is all about bears."], ids=range(5))
def test_truncated_json_and_prose_for_arguments_are_no_graph(text):
    # Anthropic's replies hold objects, not their text: cut ones lack keys.
    extraction, bodies = asked("openai-api", submitted(Raw(text)))
    assert extraction.outcome == "malformed"
    assert extraction.graph is None
    assert len(bodies) == 2


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_repair_goes_back_over_the_wire(protocol):
    extraction, [_, body] = asked(protocol, submitted({"nodes": []}), submitted(RIGHT))
    assert "`edges` is missing" in json.dumps(body["messages"][-1])
    assert extraction.outcome == "extracted"
    extraction, [_, body] = asked(protocol, say("Ola feeds Bruno."), submitted(RIGHT))
    assert "submit_graph" in json.dumps(body["messages"][-1])
    assert extraction.outcome == "extracted"
