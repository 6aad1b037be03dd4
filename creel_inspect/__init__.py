"""Inspect AI tasks and scorers for models that turn words into structure."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from creel_inspect.nl_task import nl_search
    from creel_inspect.search.scorer import search_answer
    from creel_inspect.search.solver import translate

__all__ = ["nl_search", "search_answer", "translate"]

_HOMES = {
    "nl_search": "creel_inspect.nl_task",
    "search_answer": "creel_inspect.search.scorer",
    "translate": "creel_inspect.search.solver",
}


def __getattr__(name: str) -> Any:
    """Imports a public name on first use, so that a light part does not load a heavy one."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
