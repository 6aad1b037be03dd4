"""A page, parsed: what the tests of this folder ask of it."""

from bs4 import BeautifulSoup

from creel_inspect.compare.page.render import render_html


def parsed(report, **options):
    page = BeautifulSoup(render_html(report, **options), "html.parser")
    for place_to_break in page.find_all("wbr"):
        place_to_break.decompose()
    page.smooth()
    return page


def words(element):
    """The text that a reader sees, with single spaces."""
    return " ".join(element.get_text(" ").split())


def table(page, caption):
    """The table with these words in its caption, as rows of texts, the head first."""
    [found] = [t for t in page.find_all("table") if t.caption and caption in words(t.caption)]
    return [[words(cell) for cell in row.find_all(["th", "td"])] for row in found.find_all("tr")]
