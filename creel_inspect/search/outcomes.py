"""How a sample can end: one closed vocabulary, used everywhere."""

from enum import StrEnum


class Outcome(StrEnum):
    """How one sample ended. Every sample that is not a provider's failure ends in exactly one."""

    ANSWERED = "answered"
    """A well-formed query was written, and it ran."""
    DECLINED = "declined"
    """A valid ``cannot_answer`` call was the model's first move. Nothing else is a refusal."""
    DECLINED_AFTER_ATTEMPT = "declined_after_attempt"
    """The model declined only after a rejected call, or after prose."""
    MALFORMED = "malformed"
    """A call that is not a well-formed query or refusal; or two calls, or an unknown tool."""
    NO_CALL = "no_call"
    """Text, and no tool call."""
    TRUNCATED = "truncated"
    """The reply hit the token limit; whatever it called may be cut short."""
    SAFETY_REFUSED = "safety_refused"
    """The provider's safety filter turned the request away."""
    SEARCH_FAILED = "search_failed"
    """A well-formed query that cannot be answered: the query's fault, with a detail."""
    SEARCH_TIMEOUT = "search_timeout"
    """The query ran past its time, and did so again alone."""
    INSTRUMENT_ERROR = "instrument_error"
    """The engine failed. Nothing was measured."""


REPAIRABLE = frozenset({Outcome.MALFORMED, Outcome.NO_CALL})
"""What gets one repair turn: a refusal is never sent back, nor a cut or filtered reply."""
