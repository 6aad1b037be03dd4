"""Every way a reply can end, and the one outcome each is given."""

import json
from copy import deepcopy

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from inspect_ai.model import (
    ChatMessageTool,
    ChatMessageUser,
    ContentReasoning,
    ContentText,
)

from creel_inspect.search.engine import open_engine
from creel_inspect.search.outcomes import Outcome
from creel_inspect.search.solver import prompt_fingerprint, read_turn, system_prompt, translate
from tests.search.scripted import CASES, build, call, decline, only, reply, run
from tests.search.tiny_engine import TinyEngine

RIGHT = {"after": 1900}
BAD = build({"no_such_key": 1})
PROSE = reply(text="It is books after 1900.", stop="stop")
CUT = reply(call("build_query", RIGHT), stop="max_tokens")
FILTERED = reply(text="", stop="content_filter")
BOTH = reply(call("build_query", RIGHT), call("cannot_answer", {"reason": "no"}))
TWICE = reply(call("build_query", RIGHT), call("build_query", RIGHT))
UNKNOWN = reply(call("search_the_web", {"q": "books"}))

FEASIBLE, INFEASIBLE = "after-1900", "after-lunch"


def outcome_of(replies, sample=FEASIBLE, **task_args):
    log = run(replies, sample, task_args=task_args)
    _, score = only(log)
    return score.metadata["outcome"], score.metadata["correct"], len(score.metadata["attempts"])


@pytest.mark.parametrize(
    ("replies", "sample", "outcome", "correct", "turns"),
    [
        ([build(RIGHT)], FEASIBLE, "answered", True, 1),
        ([build({"after": 1815})], FEASIBLE, "answered", False, 1),
        ([build(RIGHT)], INFEASIBLE, "answered", False, 1),
        ([decline()], FEASIBLE, "declined", False, 1),
        ([decline()], INFEASIBLE, "declined", True, 1),
        # A refusal that is not the first move is no recognition of the question.
        ([BAD, decline()], INFEASIBLE, "declined_after_attempt", False, 2),
        ([PROSE, decline()], INFEASIBLE, "declined_after_attempt", False, 2),
        ([decline(""), decline()], INFEASIBLE, "declined_after_attempt", False, 2),
        # A refusal without a reason is malformed, and malformed is never a refusal.
        ([decline(""), decline(" ")], INFEASIBLE, "malformed", False, 2),
        ([decline(None), decline(7)], INFEASIBLE, "malformed", False, 2),
        ([BAD, BAD], INFEASIBLE, "malformed", False, 2),
        ([BAD, build(RIGHT)], FEASIBLE, "answered", True, 2),
        ([BOTH, BOTH], INFEASIBLE, "malformed", False, 2),
        ([TWICE, build(RIGHT)], FEASIBLE, "answered", True, 2),
        ([UNKNOWN, UNKNOWN], INFEASIBLE, "malformed", False, 2),
        ([PROSE, PROSE], INFEASIBLE, "no_call", False, 2),
        ([PROSE, build(RIGHT)], FEASIBLE, "answered", True, 2),
        ([BAD, PROSE], FEASIBLE, "no_call", False, 2),
        # Neither a cut reply nor a filtered one gets a repair turn, whatever it calls.
        ([CUT], FEASIBLE, "truncated", False, 1),
        ([CUT], INFEASIBLE, "truncated", False, 1),
        ([FILTERED], INFEASIBLE, "safety_refused", False, 1),
        ([BAD, CUT], FEASIBLE, "truncated", False, 2),
        ([BAD, FILTERED], INFEASIBLE, "safety_refused", False, 2),
    ],
)
def test_each_reply_ends_in_one_outcome(replies, sample, outcome, correct, turns):
    assert outcome_of(replies, sample) == (outcome, correct, turns)


def test_without_repair_the_first_reply_stands():
    assert outcome_of([BAD], repair=0) == ("malformed", False, 1)
    assert outcome_of([PROSE], repair=0) == ("no_call", False, 1)


@pytest.mark.parametrize("repair", [2, -1, "yes"])
def test_a_repair_that_is_neither_on_nor_off_is_refused(repair):
    with pytest.raises(ValueError, match="repair is"):
        translate("tiny", {}, None, repair)


@pytest.mark.parametrize(
    "arguments",
    [
        {"query": RIGHT},
        {"query": json.dumps(RIGHT)},
        {"query": json.dumps(RIGHT) + "}"},
    ],
)
def test_what_a_model_wraps_or_encodes_is_read_as_what_it_can_only_mean(arguments):
    assert outcome_of([build(arguments)]) == ("answered", True, 1)


@pytest.mark.parametrize(
    "arguments",
    [
        {"after": "1900"},  # a string is not a year, and is not made one
        {"query": RIGHT, "after": 1900},
        {"query": [RIGHT]},
        {},
        {"after": float("nan")},
        {"after": float("inf")},
    ],
)
def test_nothing_else_is_mended(arguments):
    assert outcome_of([build(arguments)] * 2) == ("malformed", False, 2)


def test_arguments_that_could_not_be_parsed_are_malformed_even_when_they_look_empty():
    broken = build({}, parse_error="Expecting ',' delimiter")
    assert outcome_of([broken] * 2) == ("malformed", False, 2)
    refusal = reply(call("cannot_answer", {"reason": "x"}, parse_error="cut short"))
    assert outcome_of([refusal] * 2, INFEASIBLE) == ("malformed", False, 2)


def test_a_refusal_that_says_more_than_why_is_no_valid_refusal():
    both = reply(call("cannot_answer", {"reason": "none", "query": RIGHT}))
    assert outcome_of([both] * 2, INFEASIBLE) == ("malformed", False, 2)


def nested(depth):
    query = {"after": 1}
    for _ in range(depth):
        query = {"not": query}
    return query


@pytest.mark.parametrize(
    "unwritable",
    [
        build(nested(300)),
        build(nested(200)),
        build({"shelf": "half \ud800"}),
        build({"half \ud800": 1}),
        build({"after": [1] * 300_000}),
        build({"after": 10**400}),
        reply(call("half \ud800", {})),
        reply(call("x" * 100_000, {})),
        reply(text="half \ud800 a character", stop="stop"),
        reply(
            text=[ContentReasoning(reasoning="half \ud800"), ContentText(text="half \ud800")],
            stop="stop",
        ),
    ],
    ids=range(10),
)
def test_what_no_log_could_hold_costs_its_own_sample_and_no_other(unwritable):
    log = run(
        lambda messages, *_: deepcopy(unwritable) if "1900" in messages[1].text else decline()
    )
    found = {
        sample.id: sample.scores["search_answer"].metadata["outcome"] for sample in log.samples
    }
    assert len(found) == 4
    assert found.pop(FEASIBLE) in ("malformed", "no_call")
    assert set(found.values()) == {"declined"}


def test_nesting_and_size_are_bounded():
    deep = nested = {}
    for _ in range(5_000):
        nested["a"] = nested = {}
    assert read_turn(build(deep), TinyEngine(), {}).outcome is Outcome.MALFORMED
    big = build({"after": 1, "shelf": "x" * 300_000})
    turn = read_turn(big, TinyEngine(), {})
    assert turn.outcome is Outcome.MALFORMED
    assert "200000 characters" in turn.rejection


def test_the_compilers_message_goes_back_under_the_call():
    log = run([BAD, build(RIGHT)], FEASIBLE)
    sample, _ = only(log)
    [answer] = [m for m in sample.messages if isinstance(m, ChatMessageTool)]
    assert answer.tool_call_id == "call-build_query"
    assert "no such key: ['no_such_key']" in answer.text
    assert answer.error.type == "parsing"


def test_every_call_of_a_rejected_turn_is_answered():
    sample, _ = only(run([BOTH, build(RIGHT)], FEASIBLE))
    answered = [m.tool_call_id for m in sample.messages if isinstance(m, ChatMessageTool)]
    assert answered == ["call-build_query", "call-cannot_answer"]


def test_prose_is_reminded_of_the_tools():
    sample, _ = only(run([PROSE, build(RIGHT)], FEASIBLE))
    reminder = [m for m in sample.messages if isinstance(m, ChatMessageUser)][-1]
    assert "build_query" in reminder.text
    assert "cannot_answer" in reminder.text


def test_the_request_demands_one_call_and_offers_two_tools():
    seen = []

    def look(messages, tools, tool_choice, config):
        seen.append((messages, tools, tool_choice, config))
        return build(RIGHT)

    run(look, FEASIBLE)
    [(messages, tools, tool_choice, config)] = seen
    assert [tool.name for tool in tools] == ["build_query", "cannot_answer"]
    assert tool_choice == "any"
    assert config.parallel_tool_calls is False
    assert config.cache_prompt is True
    assert [message.role for message in messages] == ["system", "user"]
    assert tools[0].parameters.model_dump(exclude_none=True) == TinyEngine().query_schema()
    assert tools[1].parameters.model_dump()["required"] == ["reason"]


def test_the_model_is_told_a_placeholders_format_and_never_its_text():
    told = []

    def look(messages, *_):
        told.append("\n".join(message.text for message in messages))
        return build({"shelf": "@S", "first": 1})

    _, score = only(run(look, "two-of-shelf-b"))
    assert score.metadata["correct"] is True
    assert "@S is a shelf." in told[0]
    assert '"B"' not in told[0]


def test_the_request_does_not_depend_on_the_answers(tmp_path):
    document = json.loads(CASES.read_text())
    stripped = tmp_path / "books.json"
    for case in document["cases"]:
        case.pop("near_misses", None)
        case.pop("pair", None)
        if case.pop("reference", None):
            case["must_return"], case["must_not_return"] = ["b1"], ["b2"]
    stripped.write_text(json.dumps(document))

    def requests(cases):
        seen = []

        def look(messages, tools, *_):
            seen.append(
                ([(m.role, m.text) for m in messages], [tool.model_dump() for tool in tools])
            )
            return decline()

        run(look, cases=cases)
        return seen

    assert requests(CASES) == requests(stripped)


def test_a_degraded_tool_choice_is_recorded():
    degraded = build(RIGHT)
    degraded.metadata = {"tool_choice_degraded": True}
    _, score = only(run([degraded], FEASIBLE))
    assert score.metadata["tool_choice_degraded"] is True


def test_prompts_are_named_or_read_from_a_file(tmp_path):
    engine = open_engine("tiny")
    mine = tmp_path / "mine.md"
    mine.write_text("Find books.")
    assert system_prompt(engine, "terse") == f"Books.\n{engine.schema()}"
    assert system_prompt(engine, str(mine)) == f"Find books.\n{engine.schema()}"
    prints = {prompt_fingerprint(engine, one) for one in (None, "terse", str(mine))}
    assert len(prints) == 3


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00bad"])
def test_a_prompt_that_cannot_be_read_says_what_there_is(tmp_path, content):
    path = tmp_path / "prompt.md"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ValueError, match=r"default, terse|cannot be read as text"):
        system_prompt(open_engine("tiny"), str(path))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=10,
)
CALLS = st.lists(
    st.tuples(st.sampled_from(["build_query", "cannot_answer", "other", ""]), JSON), max_size=2
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(CALLS)
def test_no_arguments_crash_the_reader_or_earn_a_refusal_they_are_not(calls):
    made = []
    for name, arguments in calls:
        one = call(name, {})
        one.arguments = arguments
        made.append(one)
    turn = read_turn(reply(*made), TinyEngine(), {})
    valid_refusal = (
        len(calls) == 1
        and calls[0][0] == "cannot_answer"
        and isinstance(calls[0][1], dict)
        and set(calls[0][1]) == {"reason"}
        and isinstance(calls[0][1]["reason"], str)
        and calls[0][1]["reason"].strip() != ""
    )
    assert (turn.outcome is Outcome.DECLINED) == valid_refusal
    assert (turn.query is None) == (turn.outcome is not Outcome.ANSWERED)
    assert (turn.rejection is not None) == (turn.outcome in (Outcome.MALFORMED, Outcome.NO_CALL))
