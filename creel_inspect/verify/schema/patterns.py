"""Regular expressions whose matching time is linear in the text, whoever wrote them."""

import re
from functools import lru_cache

import re2

from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import VerifierConfigError

_LONGEST = 2_000
_OPTIONS = re2.Options()
_OPTIONS.log_errors = False
_OPTIONS.never_nl = False
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_HALVES = re.compile("[\ud800-\udfff]")


class Pattern:
    """A pattern that RE2 understands. ``found_in`` searches: it is not anchored by itself."""

    __slots__ = ("_compiled", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._compiled = _compiled(text)

    def found_in(self, text: str) -> bool:
        """Whether the pattern matches anywhere in the text. Halves of surrogate pairs, which are
        no characters, stand for U+FFFD."""
        return self._compiled.search(_HALVES.sub("\ufffd", text)) is not None


@lru_cache(maxsize=512)
def pattern(text: str) -> Pattern:
    """The pattern, compiled once. ``\\uXXXX`` of ECMA-262 is understood.

    Raises:
        VerifierConfigError: If it cannot be matched in linear time, or is no pattern.
    """
    return Pattern(text)


def _compiled(text: str) -> "re2._Regexp[str]":
    if len(text) > _LONGEST:
        raise VerifierConfigError(
            f"the pattern {shown(text)} is longer than {_LONGEST:,} characters"
        )
    spelled = _ESCAPE.sub(lambda found: _escape(found[0], found[1]), text)
    try:
        return re2.compile(spelled, _OPTIONS)
    except (re2.error, UnicodeEncodeError) as error:
        said = error.args[0] if error.args else ""
        said = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
        raise VerifierConfigError(
            f"the pattern {shown(text)} cannot be used: {shown(said)}. Patterns are matched in "
            "linear time by RE2, which has no lookaround, no backreferences and at most 1,000 "
            "repetitions"
        ) from error


def _escape(whole: str, code: str | None) -> str:
    return f"\\x{{{code}}}" if code else whole
