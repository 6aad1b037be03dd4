"""What Inspect discovers through the package's entry point."""

from creel_inspect.extract.assemble import extract
from creel_inspect.extract.extractors.creel import extract_with_creel
from creel_inspect.extract.extractors.model import extract_with_model
from creel_inspect.extract.metrics import extraction_metrics
from creel_inspect.extraction_task import extraction
from creel_inspect.nl_task import nl_search
from creel_inspect.providers.offline import creel
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
)
from creel_inspect.scoring.judge import require_judge
from creel_inspect.scoring.metrics import verdicts
from creel_inspect.search.metrics import search_metrics
from creel_inspect.search.scorer import search_answer
from creel_inspect.search.solver import translate

__all__ = [
    "composite",
    "creel",
    "exact",
    "extract",
    "extract_with_creel",
    "extract_with_model",
    "extraction",
    "extraction_metrics",
    "graph_match",
    "llm_rubric",
    "nl_search",
    "normalized",
    "numeric_tolerance",
    "require_judge",
    "schema_constraint",
    "search_answer",
    "search_metrics",
    "semantic_similarity",
    "set_match",
    "translate",
    "verdicts",
]
