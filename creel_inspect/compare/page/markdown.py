"""Markdown that may quote a model, as HTML that loads nothing and leads nowhere.

Tables, code, lists and emphasis are rendered. Raw HTML, images, links, references and headings stay
the text that they are: an explanation may not reach out of the page, nor into its outline.
"""

from collections.abc import Sequence
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from creel_inspect.compare.page.text import visible


def rendered(text: str) -> Markup:
    """The Markdown as HTML."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    # Safe: made by markdown-it with HTML off, from text that holds nothing unseen.
    return Markup(_MARKDOWN.render(visible(text)))  # noqa: S704


def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "linkify": False, "maxNesting": 20})
    markdown.enable("table")
    markdown.disable(
        ["image", "link", "autolink", "html_block", "html_inline", "reference", "heading"]
    )
    markdown.disable("lheading")
    markdown.add_render_rule("th_open", _cell)
    markdown.add_render_rule("td_open", _cell)
    markdown.add_render_rule("table_open", _table_open)
    markdown.add_render_rule("table_close", _table_close)
    markdown.add_render_rule("fence", _fence)
    return markdown


def _cell(renderer: Any, tokens: Sequence[Any], index: int, options: Any, env: Any) -> str:
    # Without its alignment, which is a style: the page's policy forbids those.
    return '<th scope="col">' if tokens[index].tag == "th" else "<td>"


def _table_open(*_: Any) -> str:
    return '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>\n'


def _table_close(*_: Any) -> str:
    return "</table></div>\n"


def _fence(renderer: Any, tokens: Sequence[Any], index: int, options: Any, env: Any) -> str:
    # Without the class that names the language: a model may write anything there.
    return f"<pre><code>{Markup.escape(tokens[index].content)}</code></pre>\n"


_MARKDOWN = _markdown()
