"""The steps of a translation, in order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from creel_inspect.providers.baseline import (
    build,
    dates,
    intents,
    quantities,
    reader,
    refusals,
    scan,
)
from creel_inspect.providers.baseline.scan import CannotAnswer

_FORMATS = ("compound SMILES", "compound SMARTS", "reaction SMARTS")


def translate(
    question: str, structures: Mapping[str, str]
) -> tuple[dict[str, Any] | None, str | None]:
    """Returns a query that compiles and None, or None and the reason for refusing."""
    try:
        for name, label in structures.items():
            if label not in _FORMATS:
                raise CannotAnswer(f"{name} has the unknown format {label!r}")
        reason = refusals.refusal(question[: scan.MAX_QUESTION])
        if reason is not None:
            raise CannotAnswer(reason)
        items = quantities.bounds(dates.dates(scan.scan(question)))
        intent, rest = intents.read(items)
        clauses = reader.read(rest, structures, question)
        query = build.query(clauses, intent, either="either" in question.lower().split())
        _check(query)
    except CannotAnswer as refused:
        return None, str(refused)
    return query, None


def _check(query: dict[str, Any]) -> None:
    """Raises unless the grammar takes the query, with example structures for placeholders."""
    from ord_schema.search import query as grammar  # noqa: PLC0415

    try:
        model = grammar.Query.model_validate(_filled(query))
        grammar.compile_query(model, pivot=lambda level: f"pivot_{level.replace('.', '_')}")
    except ValueError as error:  # pydantic's and the compiler's errors both are
        first = str(error).strip().splitlines()[0]
        raise CannotAnswer(f"what was understood does not make a query: {first}") from None


def _filled(value: Any) -> Any:
    if isinstance(value, list):
        return [_filled(item) for item in value]
    if not isinstance(value, dict):
        return value
    filled = {key: _filled(item) for key, item in value.items()}
    if filled.get("op") == "reaction_smarts" and str(filled.get("smarts", "")).startswith("@"):
        filled["smarts"] = "C>>C"
    return filled
