"""Inspect AI tasks and scorers for models that turn words into structure."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from creel_inspect.extract.asserting import assert_verified
    from creel_inspect.extract.extractors.creel import extract_with_creel
    from creel_inspect.extract.extractors.model import extract_with_model
    from creel_inspect.extraction_task import extraction
    from creel_inspect.nl_task import nl_search
    from creel_inspect.scorers import (
        composite,
        exact,
        graph_match,
        llm_rubric,
        normalized,
        numeric_tolerance,
        schema_constraint,
        semantic_similarity,
        set_match,
        verdict_scorer,
    )
    from creel_inspect.scoring.backends import from_deepeval, from_scorer
    from creel_inspect.scoring.judge import require_judge
    from creel_inspect.search.scorer import search_answer
    from creel_inspect.search.solver import translate

__all__ = [
    "assert_verified",
    "composite",
    "exact",
    "extract_with_creel",
    "extract_with_model",
    "extraction",
    "from_deepeval",
    "from_scorer",
    "graph_match",
    "llm_rubric",
    "nl_search",
    "normalized",
    "numeric_tolerance",
    "require_judge",
    "schema_constraint",
    "search_answer",
    "semantic_similarity",
    "set_match",
    "translate",
    "verdict_scorer",
]

_HOMES = {
    "creel_inspect.extract.asserting": ["assert_verified"],
    "creel_inspect.extract.extractors.creel": ["extract_with_creel"],
    "creel_inspect.extract.extractors.model": ["extract_with_model"],
    "creel_inspect.extraction_task": ["extraction"],
    "creel_inspect.nl_task": ["nl_search"],
    "creel_inspect.scorers": [
        "composite",
        "exact",
        "graph_match",
        "llm_rubric",
        "normalized",
        "numeric_tolerance",
        "schema_constraint",
        "semantic_similarity",
        "set_match",
        "verdict_scorer",
    ],
    "creel_inspect.scoring.backends": ["from_deepeval", "from_scorer"],
    "creel_inspect.scoring.judge": ["require_judge"],
    "creel_inspect.search.scorer": ["search_answer"],
    "creel_inspect.search.solver": ["translate"],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Imports a public name on first use, so that a light part does not load a heavy one."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
