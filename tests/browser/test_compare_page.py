"""The page of a comparison in a headless browser: what it does, and that it asks for nothing.

Screenshots are kept in the test's temporary folder, or where ``CREEL_INSPECT_SCREENSHOTS`` says.
"""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import pytest
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import match
from inspect_ai.solver import solver
from playwright.sync_api import sync_playwright

from creel_inspect.compare.page.links import ViewerLinks
from creel_inspect.compare.page.render import render_html
from tests.browser.viewing import CHROMIUM, FLAGS, inspect_view
from tests.compare import hand_reports
from tests.compare.hand_reports import RIGHT, WRONG

pytestmark = [pytest.mark.loopback, pytest.mark.allow_hosts(["127.0.0.1"])]

HOSTILE = (
    '</script><img src=x onerror="document.title=1"><b onclick=alert(1)>' + "x" * 400 + "\u202e"
)


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def show(browser, tmp_path):
    """Opens a report as a file; whatever it asks for or complains of fails the test."""
    asked, complaints, contexts = [], [], []

    def opened(report, *, width=1280, height=1000, hash="", **options):
        file = tmp_path / "report.html"
        file.write_text(render_html(report), encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.goto(file.as_uri() + hash)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert [url for url in asked if not url.startswith("file:")] == []
    assert {url.split("#")[0] for url in asked} <= {(tmp_path / "report.html").as_uri()}
    assert complaints == []


def cases(page, task=1):
    """The ids of the matrix's rows that are to be seen, in order."""
    rows = page.locator(f"section:has(> #t{task}-matrix) tbody tr:visible th bdi")
    return rows.all_inner_texts()


def head(page, name):
    return page.locator("section:has(> #t1-matrix) thead th", has_text=name)


AS_REPORTED = ["l-alanine", "yield/over 90 %", "salts#2", "case10", "case9", "constructor"]


def test_a_press_on_a_head_sorts_and_says_which_way(show):
    page = show(hand_reports.small(tasks=2))
    assert cases(page) == AS_REPORTED
    case = head(page, "Case")
    assert case.get_attribute("aria-sort") is None
    case.get_by_role("button").click()
    # Numbers within words count as numbers: 9 before 10.
    assert cases(page) == [
        *("case9", "case10", "constructor", "l-alanine", "salts#2", "yield/over 90 %")
    ]
    assert case.get_attribute("aria-sort") == "ascending"
    head(page, "Spread").get_by_role("button").click()
    assert head(page, "Spread").get_attribute("aria-sort") == "descending"
    assert case.get_attribute("aria-sort") is None
    # Equal ones keep their order, and the one without a spread comes last.
    assert cases(page) == [
        *("l-alanine", "yield/over 90 %", "salts#2", "case9", "case10", "constructor")
    ]
    head(page, "Spread").get_by_role("button").click()
    assert head(page, "Spread").get_attribute("aria-sort") == "ascending"
    assert cases(page) == [
        *("case9", "case10", "salts#2", "l-alanine", "yield/over 90 %", "constructor")
    ]


def test_the_keyboard_sorts_by_a_runs_score(show):
    page = show(hand_reports.small())
    page.locator("section:has(> #t1-matrix) .scroll").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    focused = page.evaluate("document.activeElement.closest('th').innerText")
    assert "provider/large" in focused
    page.keyboard.press("Enter")
    column = head(page, "provider/large")
    assert column.get_attribute("aria-sort") == "descending"
    assert cases(page) == [*AS_REPORTED[:2], "case10", "case9", "salts#2", "constructor"]
    page.keyboard.press("Space")
    assert column.get_attribute("aria-sort") == "ascending"
    assert cases(page)[0] == "salts#2" and cases(page)[-1] == "constructor"
    # The focus stays where it was, for the next press.
    assert page.evaluate("document.activeElement.closest('th').innerText") == focused


def test_the_other_tables_sort_too(show):
    page = show(hand_reports.small())
    runs = page.locator("table.runs")
    runs.locator("th", has_text="Cost").get_by_role("button").click()
    keys = runs.locator("tbody th .key").all_inner_texts()
    assert keys == ["A", "C", "B"]


def test_filters_by_text_by_tag_and_by_disagreement(show):
    page = show(hand_reports.small())
    section = page.locator("section:has(> #t1-matrix)")
    status = section.get_by_role("status")
    assert status.inner_text() == "6 of 6 cases"
    section.get_by_label("Text").fill("CASE1")
    assert (cases(page), status.inner_text()) == (["case10"], "1 of 6 cases")
    section.get_by_label("Text").fill("")
    section.get_by_label("Tag").select_option("stereo")
    assert cases(page) == ["l-alanine"]
    section.get_by_label("Tag").select_option("any")
    section.get_by_label("only disagreements").check()
    assert cases(page) == [case for case in AS_REPORTED if case != "case10"]
    section.get_by_label("Text").fill("no such case")
    assert (cases(page), status.inner_text()) == ([], "0 of 6 cases")


def test_one_pair_of_transitions_is_shown_as_chosen_with_the_keyboard(show):
    page = show(hand_reports.small())
    assert [panel.is_visible() for panel in page.locator("[data-panel]").all()] == [True, False]
    page.get_by_label("Pair", exact=True).focus()
    page.keyboard.press("ArrowDown")
    assert [panel.is_visible() for panel in page.locator("[data-panel]").all()] == [False, True]


def test_a_cell_opens_the_answers_and_so_does_an_address(show):
    page = show(hand_reports.small())
    entry = page.locator("#case-1-2-yield-over-90")
    assert not entry.get_by_text("Which reactions have yield/over 90 %?").is_visible()
    page.locator("[data-matrix] tr", has_text="yield/over").get_by_role("link").nth(1).click()
    entry.get_by_text("Which reactions have yield/over 90 %?").wait_for()
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
    # Closed, and asked for once more by the same link.
    entry.locator("summary").click()
    page.locator("[data-matrix] tr", has_text="yield/over").get_by_role("link").nth(1).click()
    entry.get_by_text("Which reactions have yield/over 90 %?").wait_for()
    page = show(hand_reports.small(), hash="#case-1-3-constructor")
    page.get_by_text("Which reactions have constructor?").wait_for()


def test_all_answers_open_and_close_at_once(show):
    page = show(hand_reports.small())
    page.get_by_role("button", name="Open all").click()
    assert page.locator("details.entry[open]").count() == 3
    page.get_by_role("button", name="Close all").click()
    assert page.locator("details.entry[open]").count() == 0


def test_without_scripts_everything_is_there_and_no_control_is_dead(show):
    page = show(hand_reports.small(tasks=2), java_script_enabled=False)
    assert page.get_by_role("button").count() == 0
    assert page.locator("select:visible, input:visible").count() == 0
    panels = page.locator("[data-panel]")
    assert panels.count() == 2
    assert all(panel.is_visible() for panel in panels.all())
    assert page.locator("[data-matrix] tbody tr:visible").count() == 6 + 2
    page.locator("#case-1-1-l-alanine summary").click()
    assert page.get_by_text("Which reactions have l-alanine?").is_visible()


OVERFLOWING = """() => [...document.querySelectorAll('body *')]
  .filter((e) => !e.closest('.scroll, svg, .unseen, .skip') && e.getClientRects().length)
  .filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
  .map((e) => e.tagName + '.' + e.className)"""


@pytest.mark.parametrize("full", [False, True], ids=["plain", "hostile"])
def test_a_narrow_screen_has_no_sideways_scroll(show, full):
    report = hand_reports.small(tasks=2)
    page = show(hand_reports.full_of(HOSTILE, report) if full else report, width=360, height=800)
    page.get_by_role("button", name="Open all").first.click()
    page.wait_for_timeout(100)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate(OVERFLOWING) == []
    # What is wider can be scrolled to, and the keyboard can get there.
    boxes = page.locator(".scroll")
    assert all(box.get_attribute("tabindex") == "0" for box in boxes.all())
    columns = page.locator(".answers").first.evaluate(
        "e => getComputedStyle(e).gridTemplateColumns"
    )
    assert len(columns.split()) == 1


def test_answers_stand_side_by_side_on_a_wide_screen(show):
    page = show(hand_reports.small())
    page.get_by_role("button", name="Open all").click()
    columns = page.locator(".answers").first.evaluate(
        "e => getComputedStyle(e).gridTemplateColumns"
    )
    assert len(columns.split()) == 3


def test_hostile_texts_do_nothing(show):
    page = show(hand_reports.full_of(HOSTILE), width=800)
    for button in page.get_by_role("button").all():
        button.click()
    assert page.title().startswith("Comparison of </script><img")
    assert page.locator("img, script:not(:last-child), iframe, object, embed").count() == 0


CONTRASTS = """() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = rgb(getComputedStyle(e).backgroundColor);
      if (colour[3] === 255) return colour;
      if (colour[3] !== 0) throw new Error('half transparent');
    }
    throw new Error('no background');
  };
  const seen = {};
  for (const e of document.querySelectorAll('body *')) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own || !e.getClientRects().length || e.closest('script, style, desc')) continue;
    const style = getComputedStyle(e);
    const [a, b] = [rgb(e.closest('svg') ? style.fill : style.color), behind(e)].map(light);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const key = e.tagName + '.' + (e.getAttribute('class') ?? '');
    seen[key] = Math.min(seen[key] ?? 99, ratio);
  }
  return seen;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_what_is_behind_it(show, scheme):
    page = show(hand_reports.small(tasks=2), color_scheme=scheme)
    for button in page.get_by_role("button", name="Open all").all():
        button.click()
    page.wait_for_timeout(100)
    body = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, body[4:-1].split(","))) < 200) == (scheme == "dark")
    ratios = page.evaluate(CONTRASTS)
    assert len(ratios) > 30
    assert {key: ratio for key, ratio in ratios.items() if ratio < 4.5} == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing(show, scheme, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = show(hand_reports.small(tasks=2), width=width, color_scheme=scheme)
    for button in page.get_by_role("button", name="Open all").all():
        button.click()
    page.wait_for_timeout(100)
    found = axe.run(page)
    assert found.violations_count == 0, found.generate_report()
    assert len(found.response["passes"]) > 25


def test_every_control_has_a_name_and_the_page_has_its_landmarks(show):
    page = show(hand_reports.small(tasks=2))
    for role in ("main", "navigation", "contentinfo", "banner"):
        assert page.get_by_role(role).count() == 1, role
    for role in ("button", "combobox", "searchbox", "checkbox", "link"):
        controls = page.get_by_role(role)
        assert controls.count() > 0, role
        assert page.get_by_role(role, name="").count() == controls.count()
        assert all(words.strip() for words in controls.evaluate_all(NAMES)), role
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the comparison")
    assert skip.evaluate("e => e === document.activeElement && e.getBoundingClientRect().left >= 0")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"


NAMES = "all => all.map((e) => e.ariaLabel ?? (e.innerText || e.labels?.[0]?.innerText || ''))"


def test_what_has_the_focus_can_be_seen(show):
    page = show(hand_reports.small())
    for _ in range(40):
        page.keyboard.press("Tab")
        width = page.evaluate(
            "() => { const s = getComputedStyle(document.activeElement);"
            " return s.outlineStyle === 'none' ? 0 : parseFloat(s.outlineWidth); }"
        )
        assert width >= 2, page.evaluate("document.activeElement.outerHTML")


def test_motion_is_only_for_those_who_did_not_ask_for_less(show):
    smooth = "getComputedStyle(document.documentElement).scrollBehavior"
    quiet = show(hand_reports.small(), reduced_motion="reduce").evaluate(smooth)
    assert quiet == "auto"
    assert show(hand_reports.small()).evaluate(smooth) == "smooth"


def test_print_shows_whole_tables_and_no_controls(show):
    page = show(hand_reports.by_size(5, 60, disagreements=5))
    page.emulate_media(media="print")
    assert page.locator(".controls:visible, nav:visible, .skip:visible").count() == 0
    assert page.locator(".scroll").evaluate_all(
        "all => all.every((e) => e.clientHeight >= e.scrollHeight)"
    )
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".verdict details:not([open])").count() == 0


def test_twenty_runs_and_their_190_pairs_are_still_a_page(show):
    page = show(hand_reports.by_size(20, 30))
    assert page.evaluate("document.documentElement.scrollWidth") == 1280
    assert page.locator("section:has(> #t1-pairs) table.plot tbody tr").count() == 190
    # They scroll in a box of their own.
    assert page.evaluate("document.getElementById('t1-matrix').offsetTop") < 7000


def test_photographs(show, tmp_path):
    folder = Path(os.environ.get("CREEL_INSPECT_SCREENSHOTS", tmp_path))
    for scheme in ("light", "dark"):
        page = show(
            hand_reports.by_size(5, 60, disagreements=4), color_scheme=scheme, hash="#case-1-1"
        )
        page.locator("details.entry summary").first.click()
        height = page.evaluate("document.body.scrollHeight")
        page.set_viewport_size({"width": 1280, "height": height})
        page.screenshot(path=folder / f"compare_{scheme}.png", full_page=True)
        assert (folder / f"compare_{scheme}.png").stat().st_size > 100_000


# In Inspect's own viewer.

FOLDERS = ("first", "second run/of 50%, 5%zz & more")
IDS = ["rbm/parallel_grants", "100% a%20b", 'ü "#?&', "constructor"]


@solver
def repeat():
    async def solve(state, generate):
        state.output = ModelOutput.from_content("mockllm", "four")
        return state

    return solve


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """Two logs in folders of their own below one that the viewer serves: its address, the logs."""
    root = tmp_path_factory.mktemp("served")
    logs = []
    for folder in FOLDERS:
        samples = [Sample(id=id, input=f"{folder}: {id}", target="four") for id in IDS]
        task = Task(samples, solver=repeat(), scorer=match(), name="named")
        options = {"display": "none", "model": "mockllm/model", "epochs": 2}
        # In a thread of its own: in this one, the browser's event loop is running.
        with ThreadPoolExecutor() as thread:
            [log] = thread.submit(eval, task, log_dir=str(root / folder), **options).result()
        assert log.status == "success"
        logs.append(log.location)
    with inspect_view(root) as address:
        yield address, logs


@pytest.mark.parametrize("folder", ["a#b", "c?d", "e%20f"])
def test_the_viewer_itself_loses_the_paths_that_have_no_link(browser, served, folder):
    """Should this fail, a newer viewer can open them, and links to them can be made."""
    address, logs = served
    root = Path(logs[0]).parents[1]
    (root / folder).mkdir()
    log = root / folder / "x.eval"
    shutil.copy(logs[0], log)
    assert ViewerLinks([logs[0], str(log)], address).to(str(log), "constructor", 1) is None
    page = browser.new_page()
    name = quote(quote(folder, safe=""), safe="")
    with page.expect_response(lambda one: "x.eval" in one.url and one.status == 404):
        page.goto(f"{address}/#/logs/{name}/x.eval/samples/sample/constructor/1/scoring")
    page.close()


def test_a_link_opens_the_sample_in_inspects_viewer(browser, served, tmp_path):
    address, logs = served
    report = hand_reports.small()
    [found] = report.comparisons
    places = [*([log] for log in logs), []]
    runs = [
        run.model_copy(update={"logs": place})
        for run, place in zip(found.runs, places, strict=True)
    ]
    entries = [
        found.disagreements[0].model_copy(
            update={
                "case": id,
                "answers": [
                    hand_reports.answer(run.id, id, one.result, one.score, log=log, log_epoch=2)
                    for run, log, one in zip(runs[:2], logs, (RIGHT, WRONG), strict=True)
                ],
            }
        )
        for id in IDS
    ]
    found = found.model_copy(update={"runs": runs, "disagreements": entries})
    report = report.model_copy(update={"comparisons": [found]})
    file = tmp_path / "report.html"
    file.write_text(render_html(report, viewer=address), encoding="utf-8")
    page = browser.new_page()
    for number, id in enumerate(IDS):
        for side, folder in enumerate(FOLDERS):
            page.goto("about:blank")
            page.goto(file.as_uri())
            entry = page.locator("details.entry").nth(number)
            entry.locator("summary").click()
            entry.get_by_role("link", name="Open in inspect view").nth(side).click()
            page.get_by_text(f"{folder}: {id}").first.wait_for(timeout=60_000)
            assert f"Sample {id} (Epoch 2)" in page.inner_text("body")
    page.close()
