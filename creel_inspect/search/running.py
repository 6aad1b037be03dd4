"""Running queries: a time limit each, a second chance alone, and every reference only once."""

import json
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from copy import copy
from functools import partial
from typing import Any, TypeVar

import anyio
import anyio.lowlevel
import anyio.to_thread

from creel_inspect.search.answers import Expected
from creel_inspect.search.engine import (
    Answer,
    EngineError,
    Query,
    SearchEngine,
    SearchFailed,
    SearchTimeout,
)

T = TypeVar("T")
_WORKERS = max(2, os.cpu_count() or 1)
_IDS_AT_ONCE = 200
_GRACE_SECONDS = 5.0
_MOST_ANSWERS_KEPT, _MOST_ROWS_KEPT = 1_000, 20_000
"""Models write the reference's own query often, and their own again over epochs."""


class Runner:
    """Runs an engine's queries on behalf of every sample of a process.

    Thread-safe. What references and near-misses return is kept for the life of the process: the
    corpus does not change under an open engine, so epochs and further models ask nothing twice.
    """

    def __init__(self, engine: SearchEngine) -> None:
        self.engine = engine
        self._gate = _Gate()
        self._recent: OrderedDict[str, Answer] = OrderedDict()
        self._under_way: dict[tuple[str, float], Future[Answer]] = {}
        self._expected: dict[str, Expected | SearchFailed] = {}
        self._held: dict[str, bool] = {}
        self._locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def search(self, query: Query, timeout_seconds: float) -> Answer:
        """What the query returns. An answer that is recent, or under way, is not computed again.

        A query that times out is run once more while no other runs: under load its time was
        shared, and that is not the query's fault.

        Raises:
            SearchFailed: If it cannot be answered (``SearchTimeout`` past its time, twice).
            EngineError: If the engine is at fault.
        """
        key = json.dumps(query, sort_keys=True)
        with self._lock:
            recent = self._recent.get(key)
            if recent is not None:
                self._recent.move_to_end(key)
                return recent
            other = self._under_way.get((key, timeout_seconds))
            if other is None:
                mine = self._under_way[key, timeout_seconds] = Future()
        if other is not None:
            failure = other.exception()
            if failure is None:
                return other.result()
            if isinstance(failure, SearchFailed):
                raise copy(failure) from failure  # one object raised twice mixes its tracebacks
            return self.search(query, timeout_seconds)  # an engine at fault is asked again
        try:
            found = self._with_a_second_chance(query, timeout_seconds)
        except BaseException as error:
            with self._lock:
                del self._under_way[key, timeout_seconds]
            mine.set_exception(error)
            raise
        with self._lock:
            del self._under_way[key, timeout_seconds]
            if len(found.rows) <= _MOST_ROWS_KEPT:
                self._recent[key] = found
                while len(self._recent) > _MOST_ANSWERS_KEPT:
                    self._recent.popitem(last=False)
        mine.set_result(found)
        return found

    def _with_a_second_chance(self, query: Query, timeout_seconds: float) -> Answer:
        try:
            with self._gate.shared():
                return self._within(query, timeout_seconds)
        except SearchTimeout:
            with self._gate.alone():
                return self._within(query, timeout_seconds)

    def _within(self, query: Query, timeout_seconds: float) -> Answer:
        """Searches on a thread of its own, which is left behind where it outlasts its time.

        An engine bounds what it can interrupt; a match in native code it cannot.
        """
        done: list[Answer | BaseException] = []

        def work() -> None:
            try:
                done.append(self.engine.search(query, timeout_seconds=timeout_seconds))
            except BaseException as error:
                done.append(error)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        thread.join(timeout_seconds + _GRACE_SECONDS)
        if not done:
            raise SearchTimeout(f"the search did not end within {timeout_seconds:g} s")
        if isinstance(done[0], BaseException):
            raise done[0]
        return done[0]

    def expected(self, query: Query, timeout_seconds: float) -> Expected:
        """What a reference or a near-miss returns, with its ties and bounds. Computed once.

        Raises:
            SearchFailed: If it cannot be answered; the same each time.
            EngineError: If the engine is at fault; the next call tries again.
        """
        key = json.dumps(query, sort_keys=True)
        with self._lock:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            if key not in self._expected:
                try:
                    self._expected[key] = self._compute(query, timeout_seconds)
                except SearchFailed as error:
                    self._expected[key] = error
        found = self._expected[key]
        if isinstance(found, SearchFailed):
            raise found.with_traceback(None)  # else each raise adds to the one before
        return found

    def missing(self, ids: Sequence[str]) -> list[str]:
        """Which of ``ids`` the corpus does not hold. Raises as ``search`` does."""
        asked = [one for one in dict.fromkeys(ids) if one not in self._held]
        for start in range(0, len(asked), _IDS_AT_ONCE):
            some = asked[start : start + _IDS_AT_ONCE]
            with self._gate.shared():
                found = self.engine.search(self.engine.naming(some), timeout_seconds=None)
            held = {row[0] for row in found.rows}
            self._held.update((one, one in held) for one in some)
        return [one for one in ids if not self._held[one]]

    def _compute(self, query: Query, timeout_seconds: float) -> Expected:
        cut = self.engine.cut(query)
        if cut is None:
            return Expected(self.search(query, timeout_seconds))
        whole = self.search(cut.whole, timeout_seconds)
        if not cut.keys:
            return Expected(whole, None, cut.limit)
        if cut.keyed is None:
            places = [[column.name for column in whole.columns].index(name) for name in cut.keys]
            keys = tuple(tuple(row[i] for i in places) for row in whole.rows)
            return Expected(whole, keys, cut.limit)
        keyed = self.search(cut.keyed, timeout_seconds)
        places = [[column.name for column in keyed.columns].index(name) for name in cut.keys]
        by_id = {row[0]: tuple(row[i] for i in places) for row in keyed.rows}
        if any(row[0] not in by_id for row in whole.rows):
            raise EngineError("a query and the same query with its sorting keys disagree")
        return Expected(whole, tuple(by_id[row[0]] for row in whole.rows), cut.limit)


_runners: dict[int, Runner] = {}
_runners_lock = threading.Lock()


def runner_for(engine: SearchEngine) -> Runner:
    """The one runner of an open engine."""
    with _runners_lock:
        found = _runners.get(id(engine))
        if found is None:
            # The runner holds the engine, so its identity is not reused while this entry stands.
            found = _runners[id(engine)] = Runner(engine)
        return found


async def on_worker(function: Callable[..., T], *args: Any) -> T:
    """Runs a blocking function on a worker thread, as many at once as there are cores."""
    return await anyio.to_thread.run_sync(partial(function, *args), limiter=_limiter())


_limiters: anyio.lowlevel.RunVar[anyio.CapacityLimiter] = anyio.lowlevel.RunVar("search_workers")


def _limiter() -> anyio.CapacityLimiter:
    """The event loop's own limiter: one made under another loop cannot be waited on."""
    try:
        return _limiters.get()
    except LookupError:
        limiter = anyio.CapacityLimiter(_WORKERS)
        _limiters.set(limiter)
        return limiter


class _Gate:
    """Many may be inside together, or one alone."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._inside = 0
        self._waiting = 0

    @contextmanager
    def shared(self) -> Iterator[None]:
        with self._condition:
            self._condition.wait_for(lambda: self._waiting == 0 and self._inside >= 0)
            self._inside += 1
        try:
            yield
        finally:
            with self._condition:
                self._inside -= 1
                self._condition.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        with self._condition:
            self._waiting += 1
            self._condition.wait_for(lambda: self._inside == 0)
            self._waiting -= 1
            self._inside = -1
        try:
            yield
        finally:
            with self._condition:
                self._inside = 0
                self._condition.notify_all()
