"""What Inspect discovers through the package's entry point."""

from creel_inspect.nl_task import nl_search
from creel_inspect.providers.offline import creel
from creel_inspect.search.metrics import search_metrics
from creel_inspect.search.scorer import search_answer
from creel_inspect.search.solver import translate

__all__ = ["creel", "nl_search", "search_answer", "search_metrics", "translate"]
