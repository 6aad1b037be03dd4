"""The faithfulness gate: what becomes of a value that stands in no evidence and in no source."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from creel_inspect.extract.corpus.sources import Source
from creel_inspect.extract.grammar.model import Grammar
from creel_inspect.extract.marking.faithfulness import Grounding, ground

if TYPE_CHECKING:
    from creel_inspect.extract.marking.marking import Mark

UNGROUNDED = "ungrounded"


@dataclass(frozen=True)
class Lookup:
    """Looks the candidate's values up in what it quotes, and in the sources.

    Attributes:
        grammar: What its attributes are.
        evidence: What it quotes: element id → attribute → record. Need not be well formed.
        sources: The documents, by name.
        enforce: Whether an ungrounded value is made wrong that is right, or unscored.
    """

    grammar: Grammar
    evidence: Mapping[str, Mapping[str, Any]]
    sources: Mapping[str, Source]
    enforce: bool

    def at(self, one: "Mark") -> "Mark":
        """A mark, with what was found of its value; as it is where it has none."""
        if one.attribute is None or one.actual_element is None or one.state == "missing":
            return one
        found = self._ground(one)
        told = dataclasses.replace(one, grounding=found.state, grounding_reason=found.reason)
        if self.enforce and one.state in ("right", "unscored") and found.state == UNGROUNDED:
            reason = f"{one.state}, but not grounded: {found.reason}"
            return dataclasses.replace(told, state="wrong", code=UNGROUNDED, reason=reason)
        return told

    def _ground(self, one: "Mark") -> Grounding:
        assert one.attribute is not None and one.actual_element is not None  # ``at`` saw to it
        side, _, kind = one.type.partition(".")
        attribute = self.grammar.attribute(
            "edge" if side == "edge" else "node", kind, one.attribute
        )
        said = self.evidence.get(one.actual_element)
        record = said.get(one.attribute) if isinstance(said, Mapping) else None
        record = record if isinstance(record, Mapping) else None
        return ground(one.actual, attribute, self.grammar, record, self.sources)
