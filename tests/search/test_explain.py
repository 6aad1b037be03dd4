"""What a person is told of a score: complete, and inert whatever it quotes."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from creel_inspect.search.cases import Case, NearMiss
from creel_inspect.search.explain import explanation
from creel_inspect.search.judging import Judgement
from creel_inspect.search.outcomes import Outcome

CASE = Case(
    id="c",
    question="q",
    why="an exclusive bound",
    reference={"after": 1900},
    near_misses=(NearMiss(query={"after": 1}, why="too early"),),
)
JUDGED = Judgement(Outcome.ANSWERED, False, None, "wrong: 3 expected; missed 1 (b3)")

HOSTILE = [
    "```\n<script>alert(1)</script>\n```",
    "`" * 50,
    "~~~\nout\n~~~",
    "</code></pre><img src=x onerror=alert(1)>",
    "<b>bold</b> & <!-- comment",
    "&lt;script&gt;",
    "![photo](https://example.org/pixel.png)",
    "[click](javascript:alert(1))",
    "<https://example.org>",
    "[ref]: https://example.org\n\n[ref]",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "# heading\n\n- list\n> quote\n---\n1. one",
    "**bold** __bold__ *it* _it_ ~~gone~~",
    "$\\href{javascript:alert(1)}{x}$ and $$x$$",
    "\\",
    "\x1b[2J\x1b]0;title\x07 \x00\x08\x9b31m",
    "\u202egnp.exe \u2066x\u2069 \u200f",
    "half \ud800 a character",
    "line\u2028separator\x85next",
    "\r\n```\r\ncarriage\rreturns",
    "",
]


def told(*, case=CASE, judged=JUDGED, query=None, reason=None, rejections=()):
    return explanation(case, judged, query, reason, list(rejections))


def parse(markdown):
    """Fenced blocks and the text outside of them, by CommonMark's rule for closing a fence."""
    prose, blocks, fence = [], [], None
    for line in re.split(r"\r\n|\n|\r", markdown):
        marks = re.match(r" {0,3}(`{3,})", line)
        if fence is None and marks and "`" not in line[marks.end() :]:
            fence, block = marks[1], []
        elif fence is not None and marks and len(marks[1]) >= len(fence) and line == marks[1]:
            blocks.append("\n".join(block))
            fence = None
        elif fence is None:
            prose.append(line)
        else:
            block.append(line)
    assert fence is None, "a fence was left open"
    return "\n".join(prose), blocks


CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def assert_inert(prose):
    """Nothing opens a tag, an entity or Markdown, but the emphasis of our own."""
    assert re.search(r"<[a-zA-Z/!?]", prose) is None
    assert re.search(r"^ {0,3}>", prose, flags=re.MULTILINE) is None
    assert re.search(r"&(?!(amp|lt);)[#\w]", prose) is None
    ours = re.sub(r"\A\*\*(.*?)\*\*$", r"\1", prose, flags=re.MULTILINE)
    bare = re.sub(r"\\[\\`*_\[\]#|~$]", "", ours)
    assert re.search(r"[\\`*_\[\]#|~$]", bare) is None, bare


def test_everything_a_person_needs_is_said_in_order():
    assert told(
        query={"after": 1},
        reason=None,
        rejections=["after: expected a year"],
        judged=Judgement(Outcome.ANSWERED, False, None, "wrong", {"weak_near_misses": [0]}),
    ) == "\n\n".join(
        [
            "**Wrong**",
            "Turn 1 was rejected:",
            "```text\nafter: expected a year\n```",
            "On this corpus the case cannot catch the near-miss: too early",
            "The case is there to catch: an exclusive bound",
            "The query:",
            '```json\n{"after": 1}\n```',
            "The reference:",
            '```json\n{"after": 1900}\n```',
        ]
    )


def test_a_reason_for_declining_is_shown_and_what_there_is_not_is_left_out():
    infeasible = Case(id="c", question="q", why="w", compiles=False)
    judged = Judgement(Outcome.DECLINED, True, None, "right: declined")
    assert told(case=infeasible, judged=judged, reason="no prices") == "\n\n".join(
        [
            "**Right: declined**",
            "The model's reason for declining:",
            "```text\nno prices\n```",
            "The case is there to catch: w",
        ]
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_words_of_a_model_stay_in_their_block(text):
    found = told(query={"shelf": text}, reason=text, rejections=[text, text])
    prose, blocks = parse(found)
    assert len(blocks) == (5 if text else 4)  # no reason is no block
    assert_inert(prose)
    assert CONTROL.search(found) is None


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_words_in_prose_are_only_words(text):
    case = Case(
        id="c",
        question="q",
        why=f"x{text}".encode("utf-8", "replace").decode(),
        reference={"after": 1},
        near_misses=(
            NearMiss(query={"after": 1}, why=f"x{text}".encode("utf-8", "replace").decode()),
        ),
    )
    judged = Judgement(Outcome.SEARCH_FAILED, False, None, text, {"weak_near_misses": [0]})
    found = told(case=case, judged=judged)
    prose, blocks = parse(found)
    assert len(blocks) == 1
    assert_inert(prose)
    assert CONTROL.search(found) is None


@given(st.text(max_size=60))
def test_no_text_at_all_leaves_its_block_or_marks_up_the_prose(text):
    judged = Judgement(Outcome.SEARCH_FAILED, False, None, f"wrong: {text}")
    prose, blocks = parse(told(judged=judged, query={"shelf": text}, reason=f"r{text}"))
    assert len(blocks) == 3
    assert_inert(prose)


def test_a_block_holds_what_was_said_word_for_word():
    text = 'a <b> & "c" ``` `` $x$ [d](e)\n\tsecond | line'
    _, blocks = parse(told(reason=text))
    assert blocks[0] == text


def test_what_a_terminal_would_act_on_is_written_out():
    _, blocks = parse(told(reason="\x1b[2J\u202eabc"))
    assert blocks[0] == "\\u001b[2J\\u202eabc"


def test_a_megabyte_is_cut_and_still_closed():
    huge = "`<b>\x1b" * 250_000
    judged = Judgement(Outcome.SEARCH_FAILED, False, None, huge)
    found = told(judged=judged, query={"shelf": huge}, reason=huge, rejections=[huge])
    assert len(found) < 250_000
    prose, blocks = parse(found)
    assert len(blocks) == 4
    assert_inert(prose)


def test_a_query_is_shown_with_what_fits_on_a_line_on_one():
    leaf = {"op": "eq", "path": "reaction_role", "value": {"literal": "SOLVENT"}}
    query = {"where": {"op": "and", "clauses": [leaf, leaf]}}
    _, [shown, _] = parse(told(query=query))
    line = '{"op": "eq", "path": "reaction_role", "value": {"literal": "SOLVENT"}}'
    assert shown == "\n".join(
        [
            "{",
            ' "where": {',
            '  "op": "and",',
            '  "clauses": [',
            f"   {line},",
            f"   {line}",
            "  ]",
            " }",
            "}",
        ]
    )
    assert json.loads(shown) == query
