"""An engine whose every answer is written out by the test: names to IDs, tables or failures."""

from collections.abc import Sequence
from typing import Any

from creel_inspect.search.engine import Answer, Column, Cut, Query
from tests.search.tiny_engine import TinyEngine

ID = (Column("id", "id", "id"),)


def ids(*names: str) -> Answer:
    return Answer(ID, tuple((name,) for name in names))


def count(number: int | None) -> Answer:
    return Answer((Column("n", "measure", "count", True),), ((number,),))


class CannedEngine(TinyEngine):
    """Queries are ``{"ask": name, "first": n?, "sorted_by": name?}``.

    An answer is an ``Answer``, a string of one-letter IDs, an exception to raise, or a function
    of no arguments that returns one of these. ``sorted_by`` names an answer of two columns, an ID
    and the ``key`` it is sorted by.
    """

    def __init__(
        self, answers: dict[str, Any], *, held: Sequence[str] = "", fingerprint: str = "here"
    ) -> None:
        super().__init__()
        self.answers = answers
        self.held = list(held)
        self.corpus_fingerprint = fingerprint

    def compile(self, query: Query, structures: Any) -> Query:
        return query

    def search(self, query: Query, *, timeout_seconds: float | None) -> Answer:
        self.searched.append(query)
        if "ids" in query:
            return ids(*(one for one in self.held if one in query["ids"]))
        found = self.answers[query["ask"]]
        if callable(found):
            found = found()
        if isinstance(found, Exception):
            raise found
        if isinstance(found, str):
            found = ids(*found)
        return Answer(found.columns, found.rows[: query.get("first")])

    def cut(self, query: Query) -> Cut | None:
        if not {"first", "sorted_by"} & set(query):
            return None
        whole = {"ask": query["ask"]}
        if "sorted_by" not in query:
            return Cut(whole, None, (), query["first"])
        if query["sorted_by"] == "itself":
            return Cut(whole, None, ("n",), query.get("first"))
        return Cut(whole, {"ask": query["sorted_by"]}, ("key",), query.get("first"))

    def naming(self, ids: Sequence[str]) -> Query:
        return {"ids": list(ids)}

    def size(self) -> int | None:
        return len(self.held) or None

    def asked(self, name: str) -> int:
        """How often that answer was searched for."""
        return sum(query.get("ask") == name for query in self.searched)
