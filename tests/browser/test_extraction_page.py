"""A sample of the extraction task in Inspect's viewer, in a headless browser.

The screenshot is kept in the test's temporary folder, or where ``CREEL_INSPECT_SCREENSHOTS`` says.
"""

import os
from pathlib import Path
from urllib.parse import quote

import pytest
from inspect_ai import eval
from playwright.sync_api import sync_playwright

from creel_inspect.extraction_task import extraction
from tests.browser.viewing import CHROMIUM, FLAGS, inspect_view

pytestmark = [pytest.mark.loopback, pytest.mark.allow_hosts(["127.0.0.1"])]

HOSTILE = '<img src=x onerror="document.title=1">|`*_ </table> \u202e'


def extract(sources, grammar):
    """An extractor that finds one project, names it in HTML, and invents a donor."""
    return {
        "nodes": {
            "p": {"types": ["project"], "attributes": {"title": HOSTILE, "status": "active"}},
            "d": {"types": ["donor"], "attributes": {"name": "Nobody's Fund"}},
        },
        "edges": [],
    }


@pytest.fixture(scope="module")
def viewer(tmp_path_factory):
    """A log of one sample, and Inspect's own server of it."""
    folder = tmp_path_factory.mktemp("logs")
    task = extraction(corpus="rbm", extractor=f"{__name__}:extract")
    [log] = eval(
        task,
        model="mockllm/model",
        log_dir=str(folder),
        display="none",
        sample_id=["rbm/parallel_grants"],
    )
    assert log.status == "success"
    with inspect_view(folder) as address:
        sample = quote("rbm/parallel_grants", safe="")
        yield f"{address}/#/logs/{Path(log.location).name}/samples/sample/{sample}/1/scoring"


def test_the_explanation_is_a_page_of_tables_and_what_a_candidate_writes_stays_text(
    viewer, tmp_path
):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1400, "height": 2200})
        page.goto(viewer)
        page.locator("th", has_text="why it is not grounded").wait_for(timeout=60_000)
        tables = page.locator("table")
        heads = [tables.nth(n).locator("th").all_inner_texts() for n in range(tables.count())]
        text = page.inner_text("body")
        images = page.locator("img[src='x']").count()
        title = page.title()
        folder = Path(os.environ.get("CREEL_INSPECT_SCREENSHOTS", tmp_path))
        page.screenshot(path=folder / "extraction.png")
        browser.close()
    assert ["type", "F1", "precision", "recall", "right", "expected", "came", "unscored"] in heads
    assert heads.count(["path", "points", "what it says"]) == 2  # missing, and invented
    assert "node.donor[d]" in text and "Nobody's Fund" in text
    # The hostile title is shown as it was written, and is no element of the page.
    assert "onerror=" in text
    assert images == 0
    assert title != "1"
    assert (folder / "extraction.png").stat().st_size > 20_000
