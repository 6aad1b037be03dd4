"""Which model is better, is it real, and where do they differ?

``load_frame`` reads logs into a pandas frame, ``compare`` finds what can be said of it, and
``render_html`` makes a page of that. On the command line: ``creel-inspect compare``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from creel_inspect.compare.comparing import compare
    from creel_inspect.compare.frames.elements import load_elements
    from creel_inspect.compare.frames.loading import load_frame
    from creel_inspect.compare.page.render import render_html
    from creel_inspect.compare.refusing import CompareError

__all__ = ["CompareError", "compare", "load_elements", "load_frame", "render_html"]

_HOMES = {
    "CompareError": "refusing",
    "compare": "comparing",
    "load_elements": "frames.elements",
    "load_frame": "frames.loading",
    "render_html": "page.render",
}


def __getattr__(name: str) -> Any:
    # Looked up when asked for: the statistics take a second to import, and the command line of the
    # other rooms does without them.
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
