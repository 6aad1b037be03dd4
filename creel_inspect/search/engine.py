"""What a search engine has to offer so that translations into its grammar can be judged.

A query is a plain JSON object in the engine's own grammar, from the case file to the score: the
rest of the package never looks inside one. Everything it needs to know — whether a query is well
formed, what it returns, what kind of answer it asks for — it asks the engine.

Whose fault a failure is decides what happens to a score, so each kind of fault is a type::

    InvalidQuery           the query is not one of the grammar's; its message is for the model
    SearchFailed           the query is well formed and cannot be answered: the query's fault
    └── SearchTimeout      it ran past its time
    EngineError            the instrument broke: nobody's answer is right or wrong
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, Protocol, TypeAlias

Query: TypeAlias = dict[str, Any]
"""One whole query, as JSON."""


class InvalidQuery(ValueError):
    """The query does not validate or compile. The message is shown to the model on a repair."""


class SearchFailed(Exception):
    """A well-formed query that cannot be answered; ``detail`` is a machine code for why."""

    def __init__(self, message: str, *, detail: str = "not_runnable") -> None:
        super().__init__(message)
        self.detail = detail


class SearchTimeout(SearchFailed):
    """The query ran past its time."""

    def __init__(self, message: str) -> None:
        super().__init__(message, detail="timeout")


class EngineError(Exception):
    """The engine itself failed: no corpus, a broken resolver, a lost connection."""


@dataclass(frozen=True)
class Structure:
    """What a placeholder such as ``@A`` stands for: its format, and its text."""

    format: str
    text: str


Structures: TypeAlias = Mapping[str, Structure]
"""Each placeholder of a question, by name."""


@dataclass(frozen=True)
class Column:
    """One column of an answer.

    Attributes:
        name: What the query calls it. Two queries may call one thing by two names.
        role: ``id`` for what is searched for, ``group`` for a grouping, ``measure`` for a value.
        meaning: What it holds, spelled alike by any two queries that ask for the same thing.
        counts: Whether it is a number of things, whose zero says that there were none.
    """

    name: str
    role: Literal["id", "group", "measure"]
    meaning: str
    counts: bool = False


@dataclass(frozen=True)
class Answer:
    """Everything a query returned: ``rows`` of ``len(columns)`` values, in the order returned."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]

    @property
    def is_ids(self) -> bool:
        """Whether this answers "which ones?", and not "how many?" or "how much?"."""
        return all(column.role == "id" for column in self.columns)


@dataclass(frozen=True)
class Cut:
    """How a query sorts and bounds what it returns, so that ties can be judged.

    Attributes:
        whole: The same query without its limit.
        keyed: A query returning one row per row of ``whole``: its ID, then its sorting keys in
            order. None where the keys are columns of ``whole`` itself, or nothing is sorted.
        keys: The names of the sorting columns, in ``keyed`` where it is given and else in
            ``whole``. Empty for a bounded query that sorts by nothing.
        limit: How many rows are asked for; None for all of them.
    """

    whole: Query
    keyed: Query | None
    keys: tuple[str, ...]
    limit: int | None


class SearchEngine(Protocol):
    """A searchable corpus and the grammar it is searched in."""

    @property
    def corpus_fingerprint(self) -> str:
        """A short digest of what is searched; two corpora with one digest give one answer."""

    @property
    def version(self) -> str:
        """The libraries an answer depends on, with their versions, for the log."""

    def guides(self) -> Mapping[str, str]:
        """How to write a query, in words for a model, by name; ``default`` among them."""

    def schema(self) -> str:
        """What there is to search, in words for a model; it follows the guide in the prompt."""

    def query_schema(self) -> dict[str, Any]:
        """The JSON schema of a query, exactly as it goes to a model."""

    def describe(self, structures: Structures) -> str:
        """What the model is told of a question's placeholders; empty where there are none."""

    def check_structures(self, question: str, structures: Structures) -> None:
        """Raises ``ValueError`` unless a question and its placeholders fit each other."""

    def compile(self, query: Query, structures: Structures) -> Query:
        """The query with its placeholders filled in, proven to be well formed.

        Raises:
            InvalidQuery: If it is not; the message says what to mend, and shows no placeholder's
                text.
        """

    def search(self, query: Query, *, timeout_seconds: float | None) -> Answer:
        """Everything the query returns. Blocks; called on a worker thread, several at a time.

        Raises:
            SearchFailed: If the query cannot be answered (``SearchTimeout`` past its time).
            EngineError: If the engine is at fault.
        """

    def cut(self, query: Query) -> Cut | None:
        """How the query sorts and bounds its answer; None where it does neither."""

    def size(self) -> int | None:
        """How many things can be returned at most, to notice a query that returns them all."""

    def naming(self, ids: Sequence[str]) -> Query:
        """A query that returns those of ``ids`` that there are, and nothing else."""

    def edits(self, query: Query) -> list[Query]:
        """Wrong queries a model plausibly writes instead of this one; may be empty."""

    def close(self) -> None:
        """Lets go of files and connections."""


ENGINES = {"ord": "creel_inspect.search.ord:OrdEngine"}
"""Each engine by name: where to import it from. A new engine is one file and one line here."""

_open: dict[str, SearchEngine] = {}


def open_engine(name: str, **arguments: Any) -> SearchEngine:
    """The engine of that name over those arguments, opened once per process.

    The solver and the scorer of one run, and the runs of one process, share it.

    Raises:
        ValueError: If there is no engine of that name.
    """
    if name not in ENGINES:
        raise ValueError(f"no search engine is named {name!r}; there are: {', '.join(ENGINES)}")
    key = repr((name, sorted(arguments.items())))
    if key not in _open:
        module, attribute = ENGINES[name].split(":")
        _open[key] = getattr(import_module(module), attribute)(**arguments)
    return _open[key]
