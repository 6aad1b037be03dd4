"""The score a judge would give on average, from the log-probabilities at its score.

G-Eval weights each score by its probability (Liu et al. 2023, equation 1)::

    score = sum over the scores s of the scale:  p(s) * s

with p read at the token that is the score. A reply has many digits ("2 of 5 claims"), so that token
is found by its place in the text, not by its look. The provider shows only the likeliest tokens:
their probabilities are summed by score (" 4" and "4" are one), nothing is dropped for being small,
and what is left is divided by the mass that is covered.
"""

import math
import re
from dataclasses import dataclass
from fractions import Fraction

from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import Code, JudgeReply, Token, VerifierError
from creel_inspect.verify.rubric.form import Form

LEAST_COVERED = 0.8
"""Of the probability at the score's place, the least share that must lie on scores."""

_AFTER = re.compile(r"\s{0,20}(?:(?:<[^<>\s]{1,40}>|\[/?[A-Z]{1,20}\])\s{0,20}){0,4}")


class NoWeightsError(Exception):
    """This reply's log-probabilities cannot weight a score; the text says why."""


@dataclass(frozen=True)
class Weighted:
    """The distribution over a scale.

    Attributes:
        mean: The expected score, on the scale.
        probabilities: By score, the observed ones, adding up to 1.
        covered: The probability mass that lay on scores before it was made to add up to 1.
    """

    mean: Fraction
    probabilities: dict[int, float]
    covered: float


def fits_one_token(scale: tuple[int, int]) -> bool:
    """Whether every score of the scale is one digit, which is one token for every tokenizer."""
    return scale[1] <= 9


def weighted(reply: JudgeReply, form: Form, scale: tuple[int, int]) -> Weighted:
    """The probability-weighted score of a reply whose form was read.

    Raises:
        NoWeightsError: If there are no usable log-probabilities at the score.
        VerifierError: With ``logprobs_missing``, if less than 0.8 of the mass lies on scores.
    """
    token = _token_of_the_score(reply, form)
    if token.token.strip() != str(form.score):
        raise NoWeightsError(f"the score shares a token with other text: {shown(token.token)}")
    if not token.top:
        raise NoWeightsError("the reply tells no alternatives to its tokens")
    choices = {choice.token: choice.logprob for choice in token.top}
    choices.setdefault(token.token, token.logprob)  # drawn, though not among the likeliest
    if any(math.isnan(logprob) or logprob > 1e-4 for logprob in choices.values()):
        raise NoWeightsError("its log-probabilities are not logarithms of probabilities")
    chances = {text: math.exp(min(logprob, 0.0)) for text, logprob in choices.items()}
    if math.fsum(chances.values()) > 1.01:
        raise NoWeightsError("the probabilities at the score add up to more than 1")
    scores = {str(score): score for score in range(scale[0], scale[1] + 1)}
    masses: dict[int, Fraction] = {}
    for text, chance in chances.items():
        if text.strip() in scores:
            score = scores[text.strip()]
            masses[score] = masses.get(score, Fraction(0)) + Fraction(chance)
    covered = sum(masses.values(), Fraction(0))
    if covered < LEAST_COVERED:
        raise VerifierError(
            f"only {float(covered):.2f} of the probability at the judge's score lies on scores "
            f"from {scale[0]} to {scale[1]}; at least {LEAST_COVERED} is needed",
            code=Code.LOGPROBS_MISSING,
        )
    # Fractions, since sums of floats can leave the scale by a rounding.
    return Weighted(
        mean=sum((score * mass for score, mass in masses.items()), Fraction(0)) / covered,
        probabilities={score: float(masses[score] / covered) for score in sorted(masses)},
        covered=min(float(covered), 1.0),
    )


def _token_of_the_score(reply: JudgeReply, form: Form) -> Token:
    if not reply.tokens:
        raise NoWeightsError("the reply has no log-probabilities")
    spelled = "".join(token.token for token in reply.tokens)
    place = form.at
    if spelled != reply.text:
        # Half characters, trimmed blanks and end-of-turn tokens: the score's line is still the
        # last thing that was written.
        line = reply.text[form.line :].rstrip()
        begins = spelled.rfind(line)
        if begins < 0 or not _AFTER.fullmatch(spelled, begins + len(line)):
            raise NoWeightsError("the reply's tokens do not spell its text")
        place = begins + form.at - form.line
    for token in reply.tokens:
        if place < len(token.token):
            return token
        place -= len(token.token)
    raise NoWeightsError("the reply's tokens end before its score")
