"""How large is the page of a comparison, and how soon can it be used?

5 models on 500 cases, each answer with a query of some 600 bytes and an explanation of some 1.5 KB,
and every case that the models do not agree on in full. One run measures

- the size of the file, and the seconds to render it;
- in headless Chromium, from a file and from the start of the navigation: the load event, and when
  the page has been painted and can be sorted (median of five fresh contexts);
- the time to sort the matrix by a score, and to filter it by a text, until it is painted.

    python benchmarks/report_page.py [--models 5] [--cases 500] [--browser PATH]

Exits with 1 where a limit is missed. Needs Playwright and a Chromium (PATH, or one that is
installed).
"""

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))

from creel_inspect.compare.page.render import render_html
from creel_inspect.compare.results import Report
from tests.compare.hand_reports import by_size

MOST_MEGABYTES = 15.0
MOST_SECONDS_TO_RENDER = 10.0
MOST_SECONDS_TO_LOAD = 3.0
MOST_SECONDS_TO_ACT = 0.5
REPEATS = 5

# A frame after the next is one in which what was asked for has been painted.
_PAINTED = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
_SORT = """async () => {
  const button = document.querySelector('table.matrix thead th.run button');
  const start = performance.now();
  button.click();
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return (performance.now() - start) / 1000;
}"""
_FILTER = """async () => {
  const field = document.querySelector('[data-filter=text]');
  field.value = 'amide';
  const start = performance.now();
  field.dispatchEvent(new Event('input'));
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const took = (performance.now() - start) / 1000;
  field.value = '';
  field.dispatchEvent(new Event('input'));
  return took;
}"""


def _visit(browser: Browser, address: str) -> dict[str, float]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("html[data-ready]", state="attached")
    page.evaluate(_PAINTED)
    took = {
        "ready, painted": page.evaluate("performance.now() / 1000"),
        "load event": page.evaluate(
            "performance.getEntriesByType('navigation')[0].loadEventEnd / 1000"
        ),
        "sort the matrix": page.evaluate(_SORT),
        "filter the matrix": page.evaluate(_FILTER),
    }
    context.close()
    return took


def _shape(report: Report) -> str:
    [found] = report.comparisons
    answers = [answer for entry in found.disagreements for answer in entry.answers]
    query = statistics.fmean(len(answer.answer.encode()) for answer in answers)
    explanation = statistics.fmean(len(answer.explanation.encode()) for answer in answers)
    return (
        f"{len(found.runs)} models, {found.cases} cases, {len(found.disagreements)} disagreements,"
        f" {len(answers)} answers of {query:.0f} bytes with explanations of {explanation:.0f}"
    )


def main() -> None:
    """Measures, prints, and exits with 1 where a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--models", type=int, default=5)
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument(
        "--browser", default=shutil.which("chromium") or shutil.which("google-chrome")
    )
    options = parser.parse_args()

    report = by_size(options.models, options.cases)
    render_html(by_size(2, 5))  # the template is compiled once
    start = time.perf_counter()
    html = render_html(report)
    rendering = time.perf_counter() - start
    megabytes = len(html.encode()) / 1e6

    visits: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "report.html"
        file.write_text(html, encoding="utf-8")
        browser = playwright.chromium.launch(
            executable_path=options.browser, args=["--no-sandbox", "--disable-gpu"]
        )
        for _ in range(REPEATS):
            visits.append(_visit(browser, file.as_uri()))
        version = browser.version
        browser.close()

    console = Console()
    console.print(f"{_shape(report)}; Chromium {version}")
    table = Table("measure", "median (range)", "limit")
    table.add_row("size", f"{megabytes:.1f} MB", f"{MOST_MEGABYTES:g} MB")
    table.add_row("render", f"{rendering:.2f} s", f"{MOST_SECONDS_TO_RENDER:g} s")
    missed = [megabytes > MOST_MEGABYTES, rendering > MOST_SECONDS_TO_RENDER]
    for measure in visits[0]:
        figures = [visit[measure] for visit in visits]
        acts = measure.startswith(("sort", "filter"))
        limit = MOST_SECONDS_TO_ACT if acts else MOST_SECONDS_TO_LOAD
        middle = statistics.median(figures)
        spread = f"{middle:.2f} s ({min(figures):.2f}–{max(figures):.2f})"
        table.add_row(measure, spread, f"{limit:g} s")
        missed.append(middle > limit)
    console.print(table)
    sys.exit(any(missed))


if __name__ == "__main__":
    main()
