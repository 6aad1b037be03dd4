"""A sample of the extraction task in Inspect's viewer, in a headless browser.

The screenshot is kept in the test's temporary folder, or where ``CREEL_INSPECT_SCREENSHOTS`` says.
"""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from urllib.parse import quote

import pytest
from inspect_ai import eval
from playwright.sync_api import sync_playwright

from creel_inspect.extraction_task import extraction
from tests.browser.conftest import CHROMIUM

pytestmark = [pytest.mark.loopback, pytest.mark.allow_hosts(["127.0.0.1"])]

FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
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
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "inspect_ai", "view", "start", "--log-dir", str(folder)]
    server = subprocess.Popen([*command, "--host", "127.0.0.1", "--port", str(port)])
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(address)
        sample = quote("rbm/parallel_grants", safe="")
        yield f"{address}/#/logs/{Path(log.location).name}/samples/sample/{sample}/1/scoring"
    finally:
        server.terminate()
        server.wait(timeout=20)


def _wait_for(address):
    for _ in range(240):
        try:
            urllib.request.urlopen(address, timeout=2).close()
            return
        except OSError:
            time.sleep(0.25)
    raise RuntimeError(f"the viewer did not start at {address}")


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
