"""Finding logs: folders, files, URLs, and what to say where there are none."""

import asyncio
import os
import re
import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import fsspec
import pytest
from click import ClickException

from creel_inspect.compare import CompareError, load_elements, load_frame
from tests.compare.log_files import NOT_RUN, extraction_log, search_log, write_log


def test_a_path_that_is_not_there_is_told_from_a_folder_without_logs(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "notes.txt").write_text("x")

    with pytest.raises(CompareError, match="there is no such file or folder") as missing:
        load_frame(tmp_path / "missing")
    with pytest.raises(CompareError, match="no logs in it; expected Inspect's"):
        load_frame(tmp_path / "empty")
    with pytest.raises(CompareError, match="no path was given"):
        load_frame([])

    assert isinstance(missing.value, ClickException)
    assert missing.value.exit_code == 2


def test_folders_are_searched_at_any_depth_and_files_may_be_named(tmp_path):
    search_log(tmp_path / "deep" / "er", {"a": "right"})
    path = search_log(tmp_path / "other", {"a": "right"}, model="m/two")

    assert len(load_frame(tmp_path)) == 2
    assert len(load_frame(str(path))) == 1
    assert load_frame([path]).attrs["sources"] == [str(path)]
    assert len(load_frame(path.as_uri())) == 1


@pytest.mark.parametrize("name", ["a#b", "a?b", "a%20b", "a b", "ä%", "100%25?x=1#y"])
@pytest.mark.parametrize("suffix", [".eval", ".json"])
def test_a_name_may_hold_what_means_something_in_a_url(tmp_path, name, suffix):
    path = extraction_log(
        tmp_path / name, {"x/a": 0.5}, name=f"2026-01-01T00-00-00_{name}", suffix=suffix
    )

    places = [tmp_path, tmp_path / name, path, f"file://{path}", path.as_uri()]
    for place in places:
        frame = load_frame(place)
        assert frame["log"].tolist() == [str(path)]
        assert load_elements(frame)["state"].tolist() == ["wrong"]
    assert len(load_frame([*places, places[0]])) == 1


def test_a_log_reached_twice_is_read_once(tmp_path):
    path = search_log(tmp_path / "real", {"a": "right"})
    (tmp_path / "link").symlink_to(tmp_path / "real")

    paths = [tmp_path / "real", path, tmp_path / "link", path.as_uri()]

    frame = load_frame(paths)
    assert len(frame) == 1
    assert frame.attrs["notes"] == []


def test_a_log_that_is_both_base_and_new_is_an_error(tmp_path):
    path = search_log(tmp_path, {"a": "right"})

    with pytest.raises(CompareError, match="is in both paths"):
        load_frame([tmp_path, path])


def test_a_copy_of_a_log_adds_nothing_and_a_note_says_so(tmp_path):
    path = search_log(tmp_path, {"a": "right", "b": "declined"})
    shutil.copy(path, tmp_path / "copy.eval")

    frame = load_frame(tmp_path)

    assert frame["epoch"].tolist() == [1, 1]
    [note] = frame.attrs["notes"]
    assert "2 samples of which stand in several and count once" in note


def test_what_cannot_be_read_is_left_out_with_a_note(tmp_path):
    good = search_log(tmp_path, {"a": "right"})
    (tmp_path / "broken.eval").write_bytes(b"not a zip")
    (tmp_path / "cut.eval").write_bytes(good.read_bytes()[:-200])
    (tmp_path / "2026-01-01T00-00-00+00-00_x_y.json").write_text('{"version": 2')

    frame = load_frame(tmp_path)

    assert frame["case"].tolist() == ["a"]
    notes = frame.attrs["notes"]
    assert len(notes) == 3
    assert all("cannot be read as a log and is left out" in note for note in notes)


def test_where_nothing_can_be_read_there_is_an_error_that_says_why(tmp_path):
    (tmp_path / "broken.eval").write_bytes(b"not a zip")

    with pytest.raises(CompareError, match=r"no log could be read(.|\n)*broken.eval"):
        load_frame(tmp_path)
    other = tmp_path / "notes.txt"
    other.write_text("x")
    with pytest.raises(CompareError, match="no log could be read"):
        load_frame(other)


def test_json_logs_are_read_like_others(tmp_path):
    cases = {"x/a": 0.5, "x/b": (0.2, 0.6), "x/c": NOT_RUN}
    told = {"task_id": "t", "created": "2026-01-01T00:00:00+00:00", "name": "2026-01-01T00-00-00_x"}
    uuids = {("x/a", 1): "1", ("x/b", 1): "2"}
    extraction_log(tmp_path / "a", cases, uuids=uuids, **told)
    extraction_log(tmp_path / "b", cases, uuids=uuids, suffix=".json", **told)

    frames = [load_frame(tmp_path / folder).drop(columns="log") for folder in "ab"]
    elements = [load_elements(load_frame(tmp_path / folder)) for folder in "ab"]

    assert frames[0].equals(frames[1])
    assert elements[0].equals(elements[1])
    assert len(elements[0]) == 2


def test_a_log_that_asked_for_nothing_is_left_out_with_a_note(tmp_path):
    write_log(tmp_path / "a", {})
    with pytest.raises(CompareError, match="no log asked for any sample"):
        load_frame(tmp_path)

    write_log(tmp_path / "b", {"q": 1})
    frame = load_frame(tmp_path)

    assert len(frame) == 1
    assert "no samples were asked for" in frame.attrs["notes"][0]


def test_a_frame_can_be_loaded_where_a_loop_is_running_already(tmp_path):
    search_log(tmp_path, {"a": "right"})

    async def in_a_notebook():
        return load_frame(tmp_path)

    assert len(asyncio.run(in_a_notebook())) == 1


def test_a_url_that_inspect_reads_is_read(tmp_path):
    path = extraction_log(tmp_path, {"x/a": 0.5})
    files = fsspec.filesystem("memory")
    files.pipe(f"/logs/deep/{path.name}", path.read_bytes())
    try:
        frame = load_frame("memory://logs")
        assert frame["score"].tolist() == [0.5]
        assert frame["log"].iloc[0].startswith("memory://")
        assert len(load_elements(frame)) == 1
        assert len(load_frame(frame["log"].iloc[0])) == 1
        with pytest.raises(CompareError, match="no logs in it, or there is no such folder"):
            load_frame("memory://nothing")
    finally:
        files.rm("/logs", recursive=True)


def test_a_kind_of_url_that_nobody_knows_is_told(tmp_path):
    with pytest.raises(CompareError, match="gopher://x: its logs cannot be listed"):
        load_frame("gopher://x")


class Ranges(SimpleHTTPRequestHandler):
    """Serves parts of files, as file stores do and Python's own server does not."""

    def log_message(self, *args):
        pass

    def do_GET(self):
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        file = Path(self.translate_path(self.path))
        if asked is None or not file.is_file():
            super().do_GET()
            return
        content = file.read_bytes()
        start, end = int(asked[1]), min(int(asked[2] or len(content)), len(content) - 1)
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {start}-{end}/{len(content)}")
        self.send_header("Content-Length", str(end - start + 1))
        self.end_headers()
        self.wfile.write(content[start : end + 1])

    def end_headers(self):
        self.send_header("Accept-Ranges", "bytes")
        super().end_headers()


@pytest.mark.loopback
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_logs_are_read_over_http(tmp_path):
    path = search_log(tmp_path, {"a": "right", "b": "declined"})

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Ranges, directory=tmp_path))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    try:
        for place in (f"{address}/{path.name}", f"{address}/"):
            frame = load_frame(place)
            assert frame["result"].tolist() == ["right", "declined"]
        with pytest.raises(CompareError, match=r"missing\.eval"):
            load_frame(f"{address}/missing.eval")
    finally:
        server.shutdown()
        server.server_close()


def test_an_unreadable_folder_is_told_and_not_taken_for_an_empty_one(tmp_path, monkeypatch):
    search_log(tmp_path, {"a": "right"})

    def refuse(*args, **kwargs):
        raise PermissionError("not yours")

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(CompareError, match="not yours"):
        load_frame(tmp_path)
