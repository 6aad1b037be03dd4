"""Markdown for Inspect's viewer, which a model, a case or a source may be quoted in safely."""

import re
from collections.abc import Iterable, Sequence

_MOST_CHARACTERS = 20_000
_MOST_IN_A_CELL = 300
_INVISIBLE = re.compile(
    # Control characters but tab and newline, what turns the direction of text, lone surrogates.
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def prose(text: str) -> str:
    """Prose that may quote a model or a case file, with no HTML and no Markdown of its own."""
    flat = _cut(_visible(" ".join(text.split())))
    # Only what could open a tag or an entity: the viewer shows our own entities as they stand, so
    # "yield < 70 %" has to stay as it is.
    escaped = re.sub(r"&(?=[#\w])", "&amp;", flat)
    escaped = re.sub(r"<(?=[a-zA-Z/!?])", "&lt;", escaped)
    return re.sub(r"([\\`*_\[\]#|~$])", r"\\\1", escaped)


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]} … (cut)"


def _visible(text: str) -> str:
    """The text with what a terminal or a viewer would act on, and not show, written out."""
    return _INVISIBLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def block(text: str, language: str = "text") -> str:
    """A code block that no run of backticks inside can close."""
    text = _cut(_visible(text.replace("\r\n", "\n")))
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table whose cells are prose: no cell can end a row or begin a column."""
    lines = [columns, ["---"] * len(columns)]
    lines += [[_cell(cell) for cell in row] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    text = str(value)
    cut = len(text) > _MOST_IN_A_CELL
    return prose(text[:_MOST_IN_A_CELL] + ("…" if cut else ""))
