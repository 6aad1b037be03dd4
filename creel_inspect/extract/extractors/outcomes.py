"""How an extraction can end: one closed vocabulary, used everywhere."""

from enum import StrEnum


class Outcome(StrEnum):
    """How one sample ended. Every sample that is not a provider's failure ends in exactly one."""

    EXTRACTED = "extracted"
    """A graph was given; an empty one is a graph."""
    MALFORMED = "malformed"
    """A call that holds no graph; or two calls, or an unknown tool. It is not an empty graph."""
    NO_CALL = "no_call"
    """Text, and no tool call."""
    TRUNCATED = "truncated"
    """The reply hit the token limit; whatever graph it holds may be cut short."""
    SAFETY_REFUSED = "safety_refused"
    """The provider's safety filter turned the request away."""
    EXTRACTOR_FAILED = "extractor_failed"
    """The extractor under test failed by its own fault, with a detail."""
    INSTRUMENT_ERROR = "instrument_error"
    """What runs or judges the extractor failed. Nothing was measured."""


REPAIRABLE = frozenset({Outcome.EXTRACTED, Outcome.MALFORMED, Outcome.NO_CALL})
"""What may get one repair turn: never a cut reply, nor a filtered one. A graph gets it only where
something is wrong with it."""
