"""The report as one self-contained HTML file.

Everything that a log, a model or a case says is untrusted: Jinja escapes every value, what cannot
be seen is written out, no value stands in a script or a style, and the page's own content security
policy forbids all loading and every script but the one whose digest it names.
"""

import base64
import hashlib
from functools import cache
from importlib.resources import files

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup

from creel_inspect.compare.page import text
from creel_inspect.compare.page.links import ViewerLinks, shown_path
from creel_inspect.compare.page.markdown import rendered
from creel_inspect.compare.page.view import ComparisonView, logs_of
from creel_inspect.compare.results import Report


def render_html(report: Report, *, viewer: str = "http://127.0.0.1:7575") -> str:
    """A page of all that was found.

    Args:
        report: What ``compare`` returned.
        viewer: Where ``inspect view`` will run; each answer links to its sample there.

    Returns:
        A whole HTML document, the same for the same report and working directory (paths of local
        logs are written relative to it). Write it as UTF-8.

    Raises:
        CompareError: ``viewer`` is no http address.
    """
    style, script = _part("report.css"), _part("report.js")
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}';"
        " img-src data:; base-uri 'none'; form-action 'none'"
    )
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            report=report,
            tasks=[ComparisonView(one, n) for n, one in enumerate(report.comparisons, start=1)],
            links=ViewerLinks(logs_of(report), viewer),
            policy=policy,
            # Safe: the package's own files.
            style=Markup(style),  # noqa: S704
            script=Markup(script),  # noqa: S704
        )
    )


@cache
def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")


def _digest(part: str) -> str:
    digest = hashlib.sha256(part.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=DictLoader({name: _part(name) for name in ("report.html.j2", "plots.html.j2")}),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=text.visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["NOTHING"] = text.NOTHING
    environment.filters.update(
        breakable=text.breakable,
        dollars=text.dollars,
        seconds=text.seconds,
        count_of=text.count,
        chance=text.chance,
        reason=text.reason,
        share=text.share,
        symbol=text.symbol,
        kind=text.kind,
        markdown=rendered,
        path=shown_path,
    )
    return environment
