"""Comparing a candidate with what was expected, by the verifier that suits the value.

Plain Python: imports neither Inspect nor a model, and loads what a kind needs on its first use.

    >>> from creel_inspect.verify import build_verifier
    >>> verifier = build_verifier("numeric_tolerance", rel=0.01)
    >>> verifier.verify("3 million USD", "USD 3,000,000").passed
    True
"""

from creel_inspect.verify.graph.model import Graph
from creel_inspect.verify.protocol import (
    Code,
    Context,
    Example,
    Judge,
    JudgeReply,
    VerdictScore,
    Verifier,
    VerifierConfigError,
    VerifierError,
    failing,
    passing,
)
from creel_inspect.verify.registry import (
    build_verifier,
    verifier,
    verifier_class,
    verifier_from,
    verifier_kinds,
)

__all__ = [
    "Code",
    "Context",
    "Example",
    "Graph",
    "Judge",
    "JudgeReply",
    "VerdictScore",
    "Verifier",
    "VerifierConfigError",
    "VerifierError",
    "build_verifier",
    "failing",
    "passing",
    "verifier",
    "verifier_class",
    "verifier_from",
    "verifier_kinds",
]
