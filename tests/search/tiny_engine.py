"""A second engine, with no chemistry in it: a library of books. It proves the protocol is one."""

from collections.abc import Mapping, Sequence
from typing import Any

from creel_inspect.search.engine import (
    Answer,
    Column,
    Cut,
    EngineError,
    InvalidQuery,
    Query,
    SearchFailed,
    SearchTimeout,
    Structures,
)

BOOKS = [
    {"id": "b1", "title": "Emma", "year": 1815, "shelf": "A"},
    {"id": "b2", "title": "Dracula", "year": 1897, "shelf": "A"},
    {"id": "b3", "title": "Ulysses", "year": 1922, "shelf": "B"},
    {"id": "b4", "title": "Rebecca", "year": 1938, "shelf": None},
    {"id": "b5", "title": "Beloved", "year": 1987, "shelf": "B"},
]


class TinyEngine:
    """Queries are ``{"after": year?, "shelf": name?, "count_by": "shelf"?, "first": n?}``."""

    corpus_fingerprint = "books-1"
    version = "tiny 1"

    def __init__(self, searched: list[Query] | None = None) -> None:
        self.searched: list[Query] = [] if searched is None else searched

    def guides(self) -> Mapping[str, str]:
        return {"default": "Search the books.", "terse": "Books."}

    def schema(self) -> str:
        return "after: integer, shelf: string, count_by: shelf, first: integer"

    def query_schema(self) -> dict[str, Any]:
        keys = {"after": "integer", "shelf": "string", "count_by": "string", "first": "integer"}
        return {"type": "object", "properties": {k: {"type": v} for k, v in keys.items()}}

    def describe(self, structures: Structures) -> str:
        return "\n".join(f"{name} is a {one.format}." for name, one in structures.items())

    def check_structures(self, question: str, structures: Structures) -> None:
        absent = [name for name in structures if name not in question]
        if absent:
            raise ValueError(f"{absent[0]} is not in the question")

    def compile(self, query: Query, structures: Structures) -> Query:
        unknown = set(query) - {"after", "shelf", "count_by", "first", "break", "hang", "only"}
        if unknown or not query:
            raise InvalidQuery(f"no such key: {sorted(unknown)}" if unknown else "asks nothing")
        filled = {
            k: structures[v].text if isinstance(v, str) and v in structures else v
            for k, v in query.items()
        }
        if not isinstance(filled.get("after", 0), int):
            raise InvalidQuery("after: expected a year")
        return filled

    def search(self, query: Query, *, timeout_seconds: float | None) -> Answer:
        self.searched.append(query)
        if query.get("break"):
            raise EngineError("the library burnt down")
        if query.get("hang"):
            raise SearchTimeout(f"more than {timeout_seconds} s")
        if query.get("shelf") == "nowhere":
            raise SearchFailed("there is no such shelf", detail="unknown_shelf")
        found = [b for b in BOOKS if b["year"] > query.get("after", 0)]
        found = [b for b in found if query.get("shelf") in (None, b["shelf"])]
        found = [b for b in found if b["id"] in query.get("only", b["id"])]
        if "count_by" in query:
            shelves = [b["shelf"] for b in found]
            columns = Column("shelf", "group", "shelf"), Column("n", "measure", "count", True)
            return Answer(columns, tuple((s, shelves.count(s)) for s in dict.fromkeys(shelves)))
        rows = tuple((b["id"],) for b in found[: query.get("first")])
        return Answer((Column("id", "id", "id"),), rows)

    def cut(self, query: Query) -> Cut | None:
        if "first" not in query:
            return None
        whole = {key: value for key, value in query.items() if key != "first"} or {"after": 0}
        return Cut(whole, None, (), query["first"])

    def size(self) -> int:
        return len(BOOKS)

    def naming(self, ids: Sequence[str]) -> Query:
        return {"only": list(ids)}

    def edits(self, query: Query) -> list[Query]:
        return [{**query, "after": query.get("after", 0) + 100}]

    def close(self) -> None:
        pass
