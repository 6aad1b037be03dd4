"""Reading the files of a corpus, which may be anyone's: bounded, and only inside its folder."""

import os
import stat
from pathlib import Path, PureWindowsPath

from creel_inspect.extract.files.documents import CorpusError, Document, Fault, Place
from creel_inspect.extract.files.json_text import json_document
from creel_inspect.extract.files.yaml_text import yaml_document
from creel_inspect.verify.plain import shown

__all__ = [
    "MOST_BYTES",
    "CorpusError",
    "Document",
    "Fault",
    "Place",
    "inside",
    "json_document",
    "read_json",
    "read_text",
    "read_yaml",
    "yaml_document",
]

MOST_BYTES = 20_000_000


def inside(folder: Path, *parts: str) -> Path:
    """The path of a file or folder inside ``folder``, with links followed. It need not be there.

    Raises:
        CorpusError: If it would be anywhere else.
    """
    for part in parts:
        windows = PureWindowsPath(part)
        if not part or windows.anchor or windows.drive or "\0" in part or "\\" in part:
            raise CorpusError(
                f"{shown(part)} is no path inside {folder.name}: expected names joined by `/`"
            )
        if ".." in windows.parts:
            raise CorpusError(f"{shown(part)} leads out of {folder.name}: `..` is not allowed")
    path = folder.joinpath(*parts)
    return _contained(path, folder)


def _contained(path: Path, folder: Path) -> Path:
    try:
        real, root = path.resolve(), folder.resolve()
    except (OSError, RuntimeError) as error:  # links in a circle are either, by Python's version
        raise CorpusError(f"{_name(path, folder)} cannot be followed: {error}") from error
    if not real.is_relative_to(root):
        raise CorpusError(
            f"{_name(path, folder)} leads out of {folder.name}: put the file itself there, "
            "not a link"
        )
    return real


def _name(path: Path, corpus: Path) -> str:
    """The file as messages call it: relative to its corpus."""
    # A path from `inside` has its links followed, and the corpus may be given as a link.
    real = Path(os.path.realpath(corpus))
    for one, root in ((path, corpus), (path.absolute(), corpus.absolute()), (path, real)):
        if one.is_relative_to(root) and one != root:
            return shown(one.relative_to(root).as_posix(), 200)[1:-1]
    return shown(path.name, 200)[1:-1]


def read_text(path: Path, corpus: Path) -> str:
    """A UTF-8 file's text, without a byte order mark.

    Raises:
        CorpusError: If it is no ordinary file inside the corpus, is larger than ``MOST_BYTES``,
            is not UTF-8, or holds a NUL.
    """
    name = _name(path, corpus)
    return _decoded(_bytes_of(_contained(path, corpus), name), name)


def _bytes_of(real: Path, name: str) -> bytes:
    flags = os.O_RDONLY
    # A pipe put in the file's place after the look at it must not be waited for.
    flags |= getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        mode = real.lstat().st_mode
        if not stat.S_ISREG(mode):
            raise CorpusError(f"{name} is {_kind(mode)}; expected an ordinary file")
        with open(os.open(real, flags), "rb") as file:  # noqa: PTH123 - the flags
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise CorpusError(f"{name} is no ordinary file any more")
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError as error:
        raise CorpusError(f"{name} is not there") from error
    except OSError as error:
        raise CorpusError(f"{name} cannot be read: {error.strerror or error}") from error
    if len(data) > MOST_BYTES:
        raise CorpusError(
            f"{name} is larger than {MOST_BYTES:,} bytes: split it, or leave out what no case needs"
        )
    return data


def _kind(mode: int) -> str:
    kinds = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"))
    return next((kind for check, kind in kinds if check(mode)), "a device")


_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


def _decoded(data: bytes, name: str) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            raise CorpusError(f"{name} is {encoding}, by its byte order mark: save it as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # The codec counts from behind a byte order mark.
        at = error.start + len(data) - len(error.object)
        line = data.count(b"\n", 0, at) + 1
        raise CorpusError(
            f"{name}:{line} is not UTF-8: byte {at:,} is 0x{data[at]:02X}; save it as UTF-8"
        ) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise CorpusError(f"{name}:{line} holds a NUL character: it is no text file")
    return text


def read_yaml(path: Path, corpus: Path) -> Document:
    """One YAML document, by the core schema of YAML 1.2, as JSON has values.

    Dates stay text, and so do numbers with leading zeros, which are codes: ``012``.

    Raises:
        CorpusError: If it is no YAML; has anchors, aliases, tags, several documents, a repeated
            key, or a key that is not text; is too deep, or too much; or holds a NaN, an infinity
            or a number of more than 300 digits.
    """
    return yaml_document(read_text(path, corpus), _name(path, corpus))


def read_json(path: Path, corpus: Path) -> Document:
    """One JSON value (RFC 8259).

    Raises:
        CorpusError: If it is no JSON, has a repeated key, is nested more than 50 levels deep, or
            holds a NaN, an infinity or a number of more than 300 digits.
    """
    return json_document(read_text(path, corpus), _name(path, corpus))
