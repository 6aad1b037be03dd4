"""Links into ``inspect view``, and the command that serves the folder they lead to.

The viewer names a log by its path below the folder that it serves. So the links are made for the
one folder that holds all logs, and the page says which that is.
"""

import os
import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import quote, unquote, urlsplit

from creel_inspect.compare.refusing import CompareError

_DEFAULT_PORT = 7575

# The viewer's server decodes a log's address once more than it was encoded, and reads it as a URL:
# these characters of a path are lost on it, in its own list of logs too.
_LOST_IN_THE_VIEWER = re.compile(r"[#?]|%[0-9A-Fa-f]{2}")


@dataclass(frozen=True)
class Served:
    """A folder of logs, as ``inspect view`` is told of it."""

    folder: str
    command: str


class ViewerLinks:
    """Where the samples of these logs stand in the viewer.

    Attributes:
        served: The folders, one for the local logs and one for each remote place.
        why_not: Which logs have no address, as the end of a sentence.
    """

    why_not = "with #, ? or an escape such as %20 in its path, nor serve a folder with % in its own"

    def __init__(self, logs: Iterable[str], viewer: str) -> None:
        """Finds the common folders.

        Raises:
            CompareError: ``viewer`` is no http address.
        """
        self._viewer = _checked(viewer)
        places: dict[str, list[str]] = {}
        for log in dict.fromkeys(logs):
            place, path = _place(log)
            places.setdefault(place, []).append(path)
        self._folders = {place: _common(paths) for place, paths in sorted(places.items())}
        self.served = [
            Served(shown, f"inspect view --log-dir {shlex.quote(shown)}{self._port()}")
            for place, folder in self._folders.items()
            for shown in [_shown(place, folder)]
        ]

    def _port(self) -> str:
        port = urlsplit(self._viewer).port or _DEFAULT_PORT
        return "" if port == _DEFAULT_PORT else f" --port {port}"

    def to(self, log: str, sample: str, epoch: int) -> str | None:
        """The address of one sample's score; None where the viewer cannot open its log."""
        place, path = _place(log)
        # Of folders that are served, those with a % and a space fail as a whole.
        if _LOST_IN_THE_VIEWER.search(path) or "%" in self._folders[place]:
            return None
        relative = PurePosixPath(path).relative_to(self._folders[place])
        # Inspect decodes a log's path twice, and a sample's id once: quoted once, "of 50%" is lost.
        name = "/".join(_quoted(_quoted(part)) for part in relative.parts)
        return f"{self._viewer}/#/logs/{name}/samples/sample/{_quoted(sample)}/{epoch}/scoring"


def shown_path(path: str) -> str:
    """A path as a reader should see it: below the working directory where that can be said."""
    place, absolute = _place(path)
    return _shown(place, absolute)


def _checked(viewer: str) -> str:
    parts = urlsplit(viewer)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise CompareError(
            f"The address of the viewer is {viewer!r}: expected one such as http://127.0.0.1:7575,"
            " where `inspect view` will run."
        )
    return viewer.rstrip("/")


def _place(log: str) -> tuple[str, str]:
    """What holds the log (\"\" for this machine), and its absolute path there."""
    scheme, separator, rest = log.partition("://")
    if separator and scheme != "file":
        host, _, path = rest.partition("/")
        return f"{scheme}://{host}", f"/{path}"
    # Inspect lists local logs as `file://` and the path as it is; elsewhere a URL may be quoted.
    local = rest if separator else log
    if separator and not Path(local).exists():
        local = unquote(urlsplit(log).path)
    file = Path(os.path.abspath(local))  # noqa: PTH100 - links are kept, as the viewer keeps them
    return file.drive, file.as_posix().removeprefix(file.drive)


def _common(paths: list[str]) -> str:
    parents = [PurePosixPath(path).parent.parts for path in paths]
    shared = []
    for parts in zip(*parents, strict=False):
        if len(set(parts)) > 1:
            break
        shared.append(parts[0])
    return str(PurePosixPath(*shared))


def _shown(place: str, path: str) -> str:
    if "://" in place:
        return f"{place}{path}"
    absolute = f"{place}{path}"
    try:
        # No path of somebody's machine belongs on a page that is shown to others.
        return Path(os.path.relpath(absolute)).as_posix()
    except ValueError:  # another drive
        return absolute


def _quoted(text: str) -> str:
    # Lone surrogates have no UTF-8; such a name leads nowhere, and must not break the page.
    return quote(text, safe="", errors="replace")
