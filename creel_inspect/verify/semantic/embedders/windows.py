"""Cutting a text into windows that a model can read, between words."""

from collections.abc import Sequence

from creel_inspect.verify.protocol import Code, VerifierError

MOST_WINDOWS = 4
"""Windows that one text may need. One vector says little about more, and they cost time."""


def cut(
    text: str,
    offsets: Sequence[tuple[int, int]],
    words: Sequence[int | None],
    size: int,
    name: str,
) -> list[str]:
    """The windows of a text, each of at most ``size`` tokens.

    Args:
        text: What was split into tokens.
        offsets: Where each token begins and ends in ``text``.
        words: Which word each token belongs to. A window ends between words where it can.
        size: How many tokens fit, without the special ones.
        name: Who reads it, for the message.

    Raises:
        VerifierError: If more than ``MOST_WINDOWS`` windows of tokens are needed (``too_large``).
    """
    many = len(offsets)
    if many <= size:
        return [text]
    if many > size * MOST_WINDOWS:
        raise VerifierError(
            f"the text is {many:,} tokens long, and {name} compares at most "
            f"{size * MOST_WINDOWS:,}: compare its parts",
            code=Code.TOO_LARGE,
        )
    windows, start = [], 0
    while start < many:
        end = min(start + size, many)
        back = end
        while end < many and back > start + size // 2 and words[back] == words[back - 1]:
            back -= 1
        if back > start + size // 2:
            end = back
        first = offsets[start][0] if start else 0
        last = offsets[end][0] if end < many else len(text)
        windows.append(text[first:last])
        start = end
    return windows
