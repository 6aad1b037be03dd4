"""The Open Reaction Database's grammar and prompt, over a corpus that costs nothing to open."""

from typing import Any

from creel_inspect.search.ord import OrdEngine
from tests.search.tiny_engine import TinyEngine


class OrdWords(TinyEngine):
    """What the real engine says and refuses; whatever compiles returns every book."""

    guides = OrdEngine.guides
    schema = OrdEngine.schema
    query_schema = OrdEngine.query_schema
    describe = OrdEngine.describe
    check_structures = OrdEngine.check_structures
    compile = OrdEngine.compile

    def __init__(self, **_: Any) -> None:
        super().__init__()
