"""What a log, a model or a case says stays text: in every field, whatever it is."""

import html.parser
import re

import pytest
from bs4 import BeautifulSoup

from creel_inspect.compare.page.markdown import rendered
from creel_inspect.compare.page.render import render_html
from tests.compare import hand_reports
from tests.compare.page.pages import parsed

HOSTILE = {
    "script": "<script>alert(1)</script>",
    "image": "<img src=x onerror=alert(1)>",
    "end of script": "</script></style></title></textarea><svg onload=alert(1)>",
    "comment": "<!-- --!> ]]> <![CDATA[",
    "attribute": "\" onfocus=alert(1) autofocus x='` onmouseover='alert(1)",
    "address": "javascript:alert(1)",
    "data address": "data:text/html,<script>alert(1)</script>",
    "markdown image": "![x](http://evil.example/x.png) ![y][z]\n\n[z]: http://evil.example/y",
    "markdown link": "[x](javascript:alert(1)) <http://evil.example> http://evil.example",
    "markdown html": "\n\n<iframe src=//evil.example></iframe>\n\n<details open ontoggle=alert(1)>",
    "markdown heading": "\n\n# one\n\ntwo\n===\n",
    "markdown table": "\n\n| a | b |\n| :-: | --- |\n| <b> | `|` |\n\n",
    "fence": '\n```html\n</code></pre><script>alert(1)</script>\n```\n~~~"onload=x\nx\n~~~\n',
    "template": "{{ 7 * 7 }} {% raw %} {# #} ${7*7} %(x)s {0}",
    "right to left": "\u202egnp.exe\u2066\u2069\u200f\u061c",
    "nothing": "\x00\x07\x1b[31m\x7f\x85\u2028\ufeff\U000e0041",
    "surrogate": "\ud800",
    "long": "x" * 3000,
    "constructor": "constructor",
    "proto": "__proto__",
    "path": "../../a b/ü?#%2F&amp;=+'\"",
    "entities": "&lt;script&gt; &#60; &amp;lt;",
}


class _Seen(html.parser.HTMLParser):
    """Every element and attribute of a page."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.attributes = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append(tag)
        self.attributes += [(tag, *one) for one in attributes]


# What Markdown may make of a text that stands among others.
PROSE = {"strong", "em", "blockquote", "ol", "ul", "li", "hr", "br", "code", "pre"}
QUIET = render_html(hand_reports.small(tasks=2))


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_text_in_every_field_adds_nothing_that_acts(text):
    page = render_html(hand_reports.full_of(text))
    quiet, seen = _Seen(QUIET), _Seen(page)
    assert set(seen.elements) <= set(quiet.elements) | {
        *_Seen(str(rendered(text))).elements,
        *PROSE,
    }
    names = {(tag, name) for tag, name, _ in seen.attributes}
    assert {name for _, name in names} <= {name for _, name, _ in quiet.attributes} | {"start"}
    assert not [name for _, name in names if name.startswith("on")]
    assert [tag for tag in seen.elements if tag in ("script", "style", "link", "meta")] == [
        tag for tag in quiet.elements if tag in ("script", "style", "link", "meta")
    ]
    for tag, name, value in seen.attributes:
        if name in ("src", "srcset", "action", "formaction", "data", "poster", "background"):
            raise AssertionError(f"{tag} loads {value}")
        if name == "href":
            assert re.match(r"#|data:,$|http://127\.0\.0\.1:7575/#/logs/", value), value
        assert name != "style"


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_cannot_be_seen_is_written_out_and_the_page_is_utf8(text):
    page = render_html(hand_reports.full_of(text))
    page.encode("utf-8")
    acting = re.compile(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069]"
    )
    assert not acting.search(page)
    shown = hand_reports.full_of("\u202e\x00")
    assert "\\u202e\\x00nl_search\\u202e\\x00" in render_html(shown)


@pytest.mark.parametrize(
    "name", ["script", "attribute", "template", "constructor", "path", "image"]
)
def test_a_hostile_text_is_shown_as_it_was_written(name):
    text = HOSTILE[name]
    page = parsed(hand_reports.full_of(text))
    assert page.title.text == f"Comparison of {text}nl_search{text}, {text}extraction{text}"
    assert f"{text}l-alanine{text}" in [bdi.text for bdi in page.select("tbody th bdi")]
    assert f"{text}provider/large{text}" in [bdi.text for bdi in page.select("article h5 bdi")]
    assert page.select_one("article pre").text.startswith(text)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_ids_stay_unique_and_links_lead_to_them(text):
    page = parsed(hand_reports.full_of(text))
    ids = [element["id"] for element in page.select("[id]")]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[a-z][a-z0-9-]*", one) for one in ids)
    assert {a["href"][1:] for a in page.select("a[href^='#']")} <= set(ids)


def test_cases_whose_slugs_agree_have_anchors_of_their_own():
    report = hand_reports.small()
    [found] = report.comparisons
    twins = [
        entry.model_copy(update={"case": case})
        for entry, case in zip(found.disagreements, ["a/b", "a b", "!"], strict=True)
    ]
    page = parsed(
        report.model_copy(
            update={"comparisons": [found.model_copy(update={"disagreements": twins})]}
        )
    )
    assert [one["id"] for one in page.select("details.entry")] == [
        *("case-1-1-a-b", "case-1-2-a-b", "case-1-3"),
    ]


def test_the_policy_forbids_all_but_the_pages_own_style_and_script():
    page = BeautifulSoup(QUIET, "html.parser")
    policy = page.find("meta", {"http-equiv": "Content-Security-Policy"})["content"]
    parts = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert parts["default-src"] == "'none'"
    assert parts["base-uri"] == parts["form-action"] == "'none'"
    assert parts["img-src"] == "data:"
    assert re.fullmatch(r"'sha256-[A-Za-z0-9+/]{43}='", parts["script-src"])
    assert re.fullmatch(r"'sha256-[A-Za-z0-9+/]{43}='", parts["style-src"])
    assert set(parts) == {
        "default-src",
        "base-uri",
        "form-action",
        "img-src",
        "script-src",
        "style-src",
    }
    # It comes before anything that it could forbid.
    assert QUIET.index("Content-Security-Policy") < QUIET.index("<style") < QUIET.index("<script")


def test_no_data_stands_in_the_script_or_the_style():
    plain, full = (
        BeautifulSoup(page, "html.parser")
        for page in (QUIET, render_html(hand_reports.full_of("q")))
    )
    assert plain.script.text == full.script.text
    assert plain.style.text == full.style.text


class TestMarkdown:
    def test_tables_code_lists_and_emphasis_are_rendered(self):
        page = BeautifulSoup(
            rendered(
                "**a** _b_ `c`\n\n| x |\n| --: |\n| 1 |\n\n- d\n\n1. e\n\n> f\n\n```json\n{}\n```"
            ),
            "html.parser",
        )
        for name in ("strong", "em", "code", "table", "ul", "ol", "blockquote", "pre"):
            assert page.find(name) is not None, name
        assert page.th.attrs == {"scope": "col"}
        assert page.td.attrs == {}
        assert page.pre.attrs == page.pre.code.attrs == {}

    @pytest.mark.parametrize(
        "text",
        [
            "[words](http://a.example)",
            "![words](http://a.example)",
            "<http://a.example>",
            "http://a.example",
            "[words]\n\n[words]: http://a.example",
            "# words",
            "<b>words</b>",
            "<!-- words -->",
        ],
    )
    def test_what_would_lead_out_of_it_stays_text(self, text):
        page = BeautifulSoup(rendered(text), "html.parser")
        assert {element.name for element in page.find_all()} <= {"p"}
        assert page.get_text().split() == text.split()

    def test_deep_nesting_does_not_break_it(self):
        assert rendered("> " * 3000 + "deep").count("<blockquote>") < 100
        assert "a" in rendered("*" * 5000 + "a" + "*" * 5000)
