"""The Open Reaction Database engine: ``ord-schema``'s grammar, compiler and executor."""

import json
import logging
import os
import threading
import warnings
import weakref
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib import metadata, resources
from typing import Any

import duckdb
from ord_schema import resolvers
from ord_schema.artifacts import pivot
from ord_schema.search import execute, placeholders, schema
from ord_schema.search import query as grammar
from pydantic import ValidationError
from rdkit import Chem, rdBase
from rdkit.Chem import rdChemReactions

from creel_inspect.search import compounds
from creel_inspect.search.corpus import artifacts_from_globs, derive
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

# Faults that DuckDB lays at the query's door: a literal that does not fit its column, say. Any
# other is the engine's own.
_QUERY_FAULTS = (
    duckdb.DataError,
    duckdb.InvalidInputException,
    duckdb.NotSupportedError,
    OverflowError,
)
_MOST_PIECES = 4


class OrdEngine:
    """Searches Open Reaction Database datasets.

    Args:
        corpus: A bundled corpus by name, or a folder of ORD datasets, derived on first use.
            Excludes ``projections``.
        projections: Glob of projections derived already.
        structures: Glob of their structures artifacts.
        arrivals: Glob of their arrivals artifacts; without it ``first_commit`` is refused.
        pivots_dir: Folder of their pivots, one subfolder per level.
        occurrences_dir: Folder of their occurrence artifacts, one subfolder per path.
        require_current: Refuse artifacts that this version of the library did not write.
        resolver: ``local`` looks compound names up in a table; ``network`` asks ord-schema's
            resolvers, which send each name to public services.

    Raises:
        CorpusError: If the corpus cannot be found, read or derived.
        ValueError: If the arguments exclude each other.
    """

    def __init__(
        self,
        corpus: str | None = None,
        projections: str | None = None,
        structures: str | None = None,
        arrivals: str | None = None,
        pivots_dir: str | None = None,
        occurrences_dir: str | None = None,
        require_current: bool = True,
        resolver: str = "local",
    ) -> None:
        given = [projections, structures, arrivals, pivots_dir, occurrences_dir]
        if corpus is not None and any(value is not None for value in given):
            raise ValueError(
                "corpus names datasets to derive from, and projections, structures, arrivals, "
                "pivots_dir and occurrences_dir name artifacts derived already; give one or the "
                "other"
            )
        if resolver not in _RESOLVERS:
            raise ValueError(f"resolver is {resolver!r}; it is one of {', '.join(_RESOLVERS)}")
        if projections is None:
            found = derive(corpus or "demo")
        elif structures is None:
            raise ValueError(
                f"projections {projections!r} came without structures; every search needs both"
            )
        else:
            found = artifacts_from_globs(
                projections, structures, arrivals, pivots_dir, occurrences_dir
            )
        self.corpus_fingerprint = found.fingerprint
        # Stereo-hydrogen SMARTS are rewritten upstream with a warning per validation; the query
        # that ran is in the log, which is where a reader looks.
        warnings.filterwarnings("ignore", message="SMARTS .* names hydrogens")
        # How each query is planned is upstream's log line; here it would bury the eval's own.
        for module in (execute, resolvers):
            logging.getLogger(module.__name__).setLevel(logging.WARNING)
        with rdBase.BlockLogs():
            try:
                self._corpus = execute.Corpus(
                    found.projections,
                    found.structures,
                    resolver=_RESOLVERS[resolver],
                    threads=max(1, (os.cpu_count() or 1) // 2),
                    require_current=require_current,
                    pivots_dir=found.pivots_dir,
                    occurrences_dir=found.occurrences_dir,
                    arrivals_pattern=found.arrivals,
                    max_rows=None,  # bounded answers would be arbitrary pages of the real ones
                )
            except (execute.PairingError, duckdb.Error) as error:
                raise EngineError(f"the corpus cannot be opened: {error}") from error
        # Closed before the interpreter ends: the threads of a database that is torn down after it
        # can abort the process.
        weakref.finalize(self, self._corpus.close)

    @property
    def version(self) -> str:
        names = ("ord-schema", "rdkit", "duckdb")
        return ", ".join(f"{name} {metadata.version(name)}" for name in names)

    def guides(self) -> Mapping[str, str]:
        ours = resources.files("creel_inspect.search") / "prompts" / "ord.md"
        theirs = resources.files("ord_schema.search") / "nl_prompt.md"
        return {
            "default": ours.read_text(encoding="utf-8"),
            "ord-schema": theirs.read_text(encoding="utf-8"),
        }

    def schema(self) -> str:
        return schema.describe()

    def query_schema(self) -> dict[str, Any]:
        return grammar.Query.model_json_schema()

    def describe(self, structures: Structures) -> str:
        return placeholders.describe(_placeholders(structures))

    def check_structures(self, question: str, structures: Structures) -> None:
        placeholders.check(question, _placeholders(structures))

    def compile(self, query: Query, structures: Structures) -> Query:
        held = _placeholders(structures)
        try:
            filled = placeholders.substitute(query, held)
            _refuse_boundless_structures(filled)
            parsed = grammar.Query.model_validate(filled)
            if parsed.where is None and parsed.aggregate is None and parsed.limit is None:
                raise InvalidQuery(
                    "the query asks nothing: it has no where, no aggregate and no limit, so it "
                    "would return every reaction there is"
                )
            # Every level is offered as pivoted: this asks whether the query is well formed, not
            # whether one corpus holds the artifact that would answer it.
            grammar.compile_query(parsed, pivot=_any_pivot)
        except (ValidationError, placeholders.PlaceholderError, grammar.QueryError) as error:
            raise InvalidQuery(_message(error, held)) from error
        except RecursionError as error:
            raise InvalidQuery("the query is nested too deeply to read") from error
        except InvalidQuery:
            raise
        except ValueError as error:
            raise InvalidQuery(placeholders.conceal(str(error), held)) from error
        return parsed.model_dump(mode="json", exclude_none=True, exclude_defaults=True)

    def search(self, query: Query, *, timeout_seconds: float | None) -> Answer:
        parsed = grammar.Query.model_validate(query)
        try:
            table = self._corpus.search(parsed, timeout_seconds=timeout_seconds)
        except TimeoutError as error:
            raise SearchTimeout(str(error)) from error
        except compounds.UnknownCompound as error:
            raise SearchFailed(str(error), detail="unresolved_compound") from error
        except (grammar.QueryError, *_QUERY_FAULTS) as error:
            raise SearchFailed(str(error)) from error
        except (execute.PairingError, duckdb.Error, OSError, MemoryError) as error:
            raise EngineError(f"the search engine failed: {error}") from error
        except ValueError as error:
            raise SearchFailed(str(error)) from error
        rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
        return Answer(_columns(query, table.column_names), tuple(rows))

    def cut(self, query: Query) -> Cut | None:
        limit = query.get("limit")
        order = query.get("order_by") or []
        if limit is None and not order:
            return None
        whole = {key: value for key, value in query.items() if key != "limit"}
        if not order or "aggregate" in query:
            return Cut(whole, None, tuple(part["key"] for part in order), limit)
        # A plain query returns IDs alone, so its keys are asked for as the measures of groups of
        # one reaction each: the maximum of one value is that value.
        columns = [part["key"] for part in order if isinstance(part["key"], str)]
        measures = [
            {"fn": "max", "path": part["key"], "name": f"key_{index}"}
            for index, part in enumerate(order)
            if not isinstance(part["key"], str)
        ]
        groups = list(dict.fromkeys(["reaction_id", *columns]))
        keyed: Query = {
            "aggregate": {"group_by": groups, "measures": [*measures, {"fn": "count", "name": "n"}]}
        }
        if "where" in query:
            keyed["where"] = query["where"]
        names = tuple(
            part["key"] if isinstance(part["key"], str) else f"key_{index}"
            for index, part in enumerate(order)
        )
        return Cut(whole, keyed, names, limit)

    def size(self) -> int:
        return self._size

    @cached_property
    def _size(self) -> int:
        count = {"aggregate": {"measures": [{"fn": "count", "name": "n"}]}}
        return int(self.search(count, timeout_seconds=None).rows[0][0])

    def naming(self, ids: Sequence[str]) -> Query:
        clauses = [
            {"op": "eq", "path": "reaction_id", "value": {"literal": one}} for one in ids or [""]
        ]
        return {"where": clauses[0] if len(clauses) == 1 else {"op": "or", "clauses": clauses}}

    def edits(self, query: Query) -> list[Query]:
        # Loaded where it is wanted: no run with a real model makes mutants.
        from creel_inspect.search.mutants import mutants  # noqa: PLC0415

        return [mutant.query for mutant in mutants(query) if mutant.equivalent is None]

    def close(self) -> None:
        self._corpus.close()


def _refuse_boundless_structures(query: Query) -> None:
    """Refuses structures on which RDKit would crash, or match without end.

    It overflows the stack on a chain of some ten thousand atoms, and matches the pieces of a
    pattern that are not bound to each other in every combination, which no timeout interrupts.
    """
    waiting: list[Any] = [query]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(value)
        if not isinstance(value, dict):
            continue
        waiting.extend(value.values())
        for key in ("smarts", "smiles"):
            text = value.get(key)
            if not isinstance(text, str):
                continue
            if len(text) > placeholders.MOST_CHARACTERS:
                raise InvalidQuery(
                    f"{key} is {len(text)} characters long; it may be "
                    f"{placeholders.MOST_CHARACTERS} at most"
                )
            if key == "smarts" and _most_pieces(text) > _MOST_PIECES:
                raise InvalidQuery(
                    f"smarts: a pattern of more than {_MOST_PIECES} unconnected pieces in one "
                    "molecule is not searched"
                )


def _most_pieces(smarts: str) -> int:
    """How many unconnected pieces the pattern, or any template of the reaction, has."""
    with rdBase.BlockLogs():
        if ">" in smarts:
            try:
                reaction = rdChemReactions.ReactionFromSmarts(smarts)
            except ValueError:
                return 0  # the grammar says what is wrong with it
            sides = (reaction.GetReactants(), reaction.GetAgents(), reaction.GetProducts())
            patterns = [template for side in sides for template in side]
        else:
            patterns = [Chem.MolFromSmarts(smarts)]
    return max((len(Chem.GetMolFrags(one)) for one in patterns if one is not None), default=0)


def _any_pivot(path: str) -> str | None:
    return pivot.table_name(path) if path in pivot.LEVELS else None


def _placeholders(structures: Structures) -> dict[str, Any]:
    """The structures as ord-schema holds them; raises ``ValueError`` for one that is none."""
    return {
        name: placeholders.Placeholder(format=structure.format, text=structure.text)
        for name, structure in structures.items()
    }


def _message(error: Exception, held: Mapping[str, Any]) -> str:
    """Why a query was refused, in words that show no placeholder's text.

    Pydantic's report quotes the input it refused, cut short, so no replacement could find all of
    a placeholder in it: it is told without its inputs.
    """
    if isinstance(error, ValidationError):
        lines = [
            f"{'.'.join(str(part) for part in detail['loc']) or 'query'}: {detail['msg']}"
            for detail in error.errors(include_url=False, include_input=False)[:20]
        ]
        return placeholders.conceal("; ".join(lines), held)
    return placeholders.conceal(str(error), held)


def _columns(query: Query, names: list[str]) -> tuple[Column, ...]:
    aggregate = query.get("aggregate")
    if aggregate is None:
        return tuple(Column(name, "id", name) for name in names)
    over = aggregate.get("over", "")
    columns = [Column(path, "group", f"{over}:{path}") for path in aggregate.get("group_by", [])]
    for measure in aggregate["measures"]:
        asked = {key: measure.get(key) for key in ("fn", "path")}
        meaning = json.dumps([over, aggregate.get("where"), asked], sort_keys=True)
        columns.append(Column(measure["name"], "measure", meaning, _counts(measure)))
    return tuple(columns)


def _counts(measure: dict[str, Any]) -> bool:
    """Whether a measure is a number of things: a count, or a sum of counts."""
    path = measure.get("path")
    summed = isinstance(path, dict) and path["reduce"] == "count" and measure["fn"] != "avg"
    return measure["fn"] in ("count", "count_distinct") or summed


_network_lock = threading.Lock()


def _ask_the_network(name: str) -> str:
    """Resolves a name in the table, or else through ord-schema's public services.

    Those report an outage and an unknown name alike, so an unanswered name is followed by one
    that every service knows: where that fails too, the services are down, and it is no fault of
    the query's.
    """
    try:
        return compounds.resolve(name)
    except compounds.UnknownCompound:
        pass
    with _network_lock:
        try:
            return str(resolvers.resolve_name("name", name)[0])
        except ValueError as error:
            resolvers.resolve_name("name", "water")
            raise compounds.UnknownCompound(f"no public service knows {name!r}") from error


def _guarded(resolve: Callable[[str], str]) -> Callable[[str], str]:
    """A resolver whose own breakage is the instrument's fault, and an unknown name the query's."""

    def guarded(name: str) -> str:
        try:
            return resolve(name)
        except compounds.UnknownCompound:
            raise
        except Exception as error:
            raise EngineError(f"the compound resolver failed on {name!r}: {error}") from error

    return guarded


_RESOLVERS: dict[str, Callable[[str], str]] = {
    "local": _guarded(compounds.resolve),
    "network": _guarded(_ask_the_network),
}
