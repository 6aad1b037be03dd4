"""Links into the viewer are below the folder that the page tells one to serve."""

import pytest

from creel_inspect.compare.page.links import ViewerLinks, shown_path
from creel_inspect.compare.page.render import render_html
from tests.compare import hand_reports
from tests.compare.page.pages import parsed, words

VIEWER = "http://127.0.0.1:7575"


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")


def links(*logs, viewer=VIEWER):
    made = ViewerLinks(logs, viewer)
    return [one.folder for one in made.served], [made.to(log, "s", 1) for log in logs]


def address(log):
    return f"{VIEWER}/#/logs/{log}/samples/sample/s/1/scoring"


def test_one_log_is_served_by_its_own_folder():
    assert links("logs/a.eval") == (["logs"], [address("a.eval")])


def test_several_folders_are_served_by_the_one_that_holds_them(tmp_path):
    folders, made = links("logs/x/a.eval", str(tmp_path / "work/logs/y/z/b.eval"))
    assert folders == ["logs"]
    assert made == [address("x/a.eval"), address("y/z/b.eval")]


def test_folders_whose_names_begin_alike_are_two():
    folders, made = links("logs/run1/a.eval", "logs/run10/b.eval")
    assert folders == ["logs"]
    assert made == [address("run1/a.eval"), address("run10/b.eval")]


def test_a_path_beside_the_working_directory_is_shown_from_there(tmp_path):
    assert links(str(tmp_path / "other/a.eval"))[0] == ["../other"]
    assert links("a.eval")[0] == ["."]
    assert shown_path(str(tmp_path / "work/logs")) == "logs"


def test_a_file_address_is_a_local_path(tmp_path):
    log = (tmp_path / "work/lo gs/a.eval").as_uri()
    made = ViewerLinks([log], VIEWER)
    assert [one.command for one in made.served] == ["inspect view --log-dir 'lo gs'"]
    assert made.to(log, "s", 1) == address("a.eval")


def test_remote_logs_are_served_by_their_address():
    folders, made = links("s3://bucket/a/x/1.eval", "s3://bucket/a/y/2.eval")
    assert folders == ["s3://bucket/a"]
    assert made == [address("x/1.eval"), address("y/2.eval")]
    assert shown_path("s3://bucket/a") == "s3://bucket/a"


def test_logs_in_several_places_need_one_command_each():
    folders, made = links("s3://b/x/1.eval", "logs/2.eval", "https://h.example:8/3.eval")
    assert folders == ["logs", "https://h.example:8/", "s3://b/x"]
    assert made == [address("1.eval"), address("2.eval"), address("3.eval")]


@pytest.mark.parametrize(
    ("sample", "quoted"),
    [
        ("a/b", "a%2Fb"),
        ("100%", "100%25"),
        ("a%20b", "a%2520b"),
        ("a#b?c", "a%23b%3Fc"),
        ("ü \"'", "%C3%BC%20%22%27"),
        ("\ud800", "%3F"),
    ],
)
def test_a_samples_id_is_quoted_whole(sample, quoted):
    made = ViewerLinks(["logs/50% off/a b.eval", "logs/c.eval"], VIEWER + "/")
    assert made.to("logs/50% off/a b.eval", sample, 3) == (
        f"{VIEWER}/#/logs/50%2525%2520off/a%2520b.eval/samples/sample/{quoted}/3/scoring"
    )


def test_another_port_is_part_of_the_command():
    made = ViewerLinks(["logs/a.eval"], "http://localhost:8001")
    assert [one.command for one in made.served] == ["inspect view --log-dir logs --port 8001"]


def test_the_page_says_which_command_makes_its_links_work_and_shows_no_machine_path(tmp_path):
    here = str(tmp_path / "work/logs")
    report = hand_reports.small()
    text = report.model_dump_json().replace('"logs/', f'"{here}/')
    report = type(report).model_validate_json(text).model_copy(update={"sources": [here]})
    page = parsed(report)
    assert "inspect view --log-dir logs" in [words(code) for code in page.find_all("code")]
    assert "/#/logs/aaaaaaaaaaaa.eval/samples/sample/l-alanine/1/scoring" in str(page)
    assert str(tmp_path) not in render_html(report)


@pytest.mark.parametrize("name", ["a#b", "c?d", "e%20f", "100%25"])
def test_a_file_address_is_read_as_inspect_writes_it_with_nothing_quoted(name, tmp_path):
    folder = tmp_path / "work" / name
    folder.mkdir()
    (folder / "x.eval").touch()
    assert shown_path(f"file://{folder}/x.eval") == f"{name}/x.eval"
    assert shown_path((folder / "x.eval").as_uri()) == f"{name}/x.eval"
    assert shown_path(f"{name}/x.eval") == f"{name}/x.eval"


@pytest.mark.parametrize("name", ["a#b", "c?d", "e%20f", "100%25"])
def test_there_is_no_link_where_the_viewer_would_lose_the_path(name):
    folders, made = links(f"logs/{name}/a.eval", "logs/50% off, 5%zz/a&b+c.eval")
    assert folders == ["logs"]
    assert made == [None, address("50%2525%2520off%252C%25205%2525zz/a%2526b%252Bc.eval")]
    # Above the folder that is served, too: the viewer names logs by their whole address.
    assert links(f"{name}/logs/a.eval")[1] == [None]
    assert links("50% off/a.eval")[1] == [None]


def test_a_path_without_a_link_is_shown_and_says_why():
    report = hand_reports.small()
    text = report.model_dump_json().replace('"logs/a', '"logs/#1 <b>/a')
    page = parsed(type(report).model_validate_json(text))
    first = page.select("#case-1-1-l-alanine article")
    assert (
        "In logs/#1 <b>/aaaaaaaaaaaa.eval . There is no link: inspect view cannot open a log with"
        " #, ? or an escape such as %20 in its path, nor serve a folder with % in its own."
    ) in words(first[0])
    assert [len(one.select("a")) for one in first] == [0, 1, 1]
