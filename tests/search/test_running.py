"""Running queries: each reference once, a second chance alone, and no deadlock."""

import json
import threading
import traceback
from concurrent.futures import Future, ThreadPoolExecutor

import anyio
import pytest

from creel_inspect.search import running
from creel_inspect.search.engine import (
    EngineError,
    SearchFailed,
    SearchTimeout,
    open_engine,
)
from creel_inspect.search.running import Runner, on_worker, runner_for
from tests.search.canned_engine import CannedEngine, ids
from tests.search.scripted import CASES, build, run

PATIENCE = 20
"""Seconds after which a thread that has not come back is taken to be stuck."""


def all_of(pool, *calls):
    futures = [pool.submit(*call) for call in calls]
    return [future.result(timeout=PATIENCE) for future in futures]


# --- once


def test_a_run_of_several_epochs_computes_each_reference_once(monkeypatch):
    monkeypatch.setattr("creel_inspect.search.engine._open", {})
    log = run(lambda *_: build({"after": 1901}), epochs=3, max_samples=4)
    assert len(log.samples) == 12
    searched = open_engine("tiny").searched
    references = [case["reference"] for case in json.loads(CASES.read_text())["cases"][:3:2]]
    near_misses = [{"after": 1815}, {"after": 1925}, {"count_by": "shelf", "after": 1815}]
    for query in [*references, *near_misses, {"shelf": "B"}, {"shelf": "A"}]:
        assert searched.count(query) == 1, query
    assert searched.count({"after": 1901}) == 1  # and what the model keeps writing, once as well


def test_threads_that_ask_for_one_reference_together_search_once():
    inside = threading.Event()
    going = threading.Event()

    def slow():
        inside.set()
        assert going.wait(PATIENCE)
        return "abc"

    engine = CannedEngine({"slow": slow})
    runner = Runner(engine)
    with ThreadPoolExecutor(6) as pool:
        futures = [pool.submit(runner.expected, {"ask": "slow"}, 9) for _ in range(6)]
        assert inside.wait(PATIENCE)
        going.set()
        found = [future.result(timeout=PATIENCE) for future in futures]
    assert all(one is found[0] for one in found)
    assert engine.asked("slow") == 1


@pytest.fixture
def together(monkeypatch):
    """How four searches of one query end, when all have begun before the first is answered."""
    waiting = threading.Semaphore(0)

    class Counted(Future):
        def exception(self, timeout=None):
            waiting.release()
            return super().exception(timeout)

    monkeypatch.setattr(running, "Future", Counted)

    def ends(outcome):
        going = threading.Event()

        def slow():
            assert going.wait(PATIENCE)
            return outcome() if callable(outcome) else outcome

        engine = CannedEngine({"slow": slow})
        runner = Runner(engine)

        def one():
            try:
                return runner.search({"ask": "slow"}, 9)
            except Exception as error:
                return error

        with ThreadPoolExecutor(4) as pool:
            futures = [pool.submit(one) for _ in range(4)]
            all_wait = all(waiting.acquire(timeout=PATIENCE) for _ in range(3))
            going.set()
            found = [future.result(timeout=PATIENCE) for future in futures]
        assert all_wait
        return found, engine.asked("slow")

    return ends


def test_threads_that_ask_one_query_together_search_once_and_get_the_same_answer(together):
    found, asked = together("abc")
    assert asked == 1
    assert found == [ids(*"abc")] * 4


def test_threads_that_ask_one_query_together_share_its_failure(together):
    found, asked = together(SearchFailed("no such name", detail="unresolved_compound"))
    assert asked == 1
    assert [type(one) for one in found] == [SearchFailed] * 4
    assert {(str(one), one.detail) for one in found} == {("no such name", "unresolved_compound")}
    assert len({id(one) for one in found}) == 4  # each its own, with a traceback of its own


def test_an_engine_at_fault_fails_only_the_one_who_asked(together):
    turns = iter([EngineError("down"), "abc"])
    found, asked = together(lambda: next(turns))
    assert asked == 2
    assert sorted(type(one).__name__ for one in found) == ["Answer"] * 3 + ["EngineError"]


def test_a_query_is_known_by_what_it_says_and_not_by_the_order_of_its_keys():
    engine = CannedEngine({"a": "abc"})
    runner = Runner(engine)
    one = runner.expected({"ask": "a", "first": 2}, 9)
    assert runner.expected({"first": 2, "ask": "a"}, 9) is one
    assert runner.expected({"ask": "a", "first": 1}, 9) is not one


@pytest.mark.parametrize(
    ("failure", "searches"),
    [(SearchFailed("no", detail="unresolved_compound"), 1), (SearchTimeout("slow"), 2)],
)
def test_a_reference_that_fails_is_not_tried_again(failure, searches):
    engine = CannedEngine({"a": failure})
    runner = Runner(engine)
    for _ in range(5):
        with pytest.raises(SearchFailed) as caught:
            runner.expected({"ask": "a"}, 9)
        assert caught.value.detail == failure.detail
    assert engine.asked("a") == searches


def test_a_failure_that_is_told_many_times_does_not_grow():
    runner = Runner(CannedEngine({"a": SearchFailed("no")}))

    def told():
        with pytest.raises(SearchFailed) as caught:
            runner.expected({"ask": "a"}, 9)
        return len(traceback.extract_tb(caught.value.__traceback__))

    told()
    assert told() == told() == told()


def test_an_engine_that_failed_is_asked_again():
    turns = iter([EngineError("down"), EngineError("still down"), "abc"])
    engine = CannedEngine({"a": lambda: next(turns)})
    runner = Runner(engine)
    for message in ("down", "still down"):
        with pytest.raises(EngineError, match=message):
            runner.expected({"ask": "a"}, 9)
    assert runner.expected({"ask": "a"}, 9).whole == ids(*"abc")
    assert engine.asked("a") == 3


def test_each_engine_has_one_runner():
    one, other = CannedEngine({}), CannedEngine({})
    assert runner_for(one) is runner_for(one)
    assert runner_for(one) is not runner_for(other)
    assert runner_for(one).engine is one


def test_ids_are_looked_up_in_portions_and_the_absent_ones_keep_their_order():
    held = [f"r{i}" for i in range(450)]
    engine = CannedEngine({}, held=held)
    assert Runner(engine).missing(["z", *held, "y"]) == ["z", "y"]
    assert [len(query["ids"]) for query in engine.searched] == [200, 200, 52]
    assert Runner(engine).missing([]) == []


# --- alone


def test_a_query_that_times_out_is_run_once_more_and_then_fails():
    turns = iter([SearchTimeout("1"), "ab"])
    assert Runner(CannedEngine({"a": lambda: next(turns)})).search({"ask": "a"}, 9) == ids(*"ab")
    engine = CannedEngine({"a": SearchTimeout("more than 9 s")})
    with pytest.raises(SearchTimeout, match="more than 9 s"):
        Runner(engine).search({"ask": "a"}, 9)
    assert engine.asked("a") == 2


def test_a_second_run_waits_until_nobody_else_is_inside():
    """One query is inside; another times out. Its second run starts only when the first is out."""
    holding, release, timed_out = threading.Event(), threading.Event(), threading.Event()
    order = []

    def held():
        holding.set()
        assert release.wait(PATIENCE)
        order.append("held is out")
        return "a"

    def busy():
        if not timed_out.is_set():
            timed_out.set()
            raise SearchTimeout("busy")
        order.append("busy runs alone")
        return "b"

    runner = Runner(CannedEngine({"held": held, "busy": busy}))
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(runner.search, {"ask": "held"}, 9)
        assert holding.wait(PATIENCE)
        second = pool.submit(runner.search, {"ask": "busy"}, 9)
        assert timed_out.wait(PATIENCE)
        release.set()
        first.result(timeout=PATIENCE)
        second.result(timeout=PATIENCE)
    assert order == ["held is out", "busy runs alone"]


@pytest.mark.parametrize("other", ["search", "expected", "missing"])
def test_nothing_is_searched_while_a_second_run_is_alone(other):
    first, entered = True, threading.Event()
    met = []

    def fresh():
        entered.set()
        return "a"

    class Watched(CannedEngine):
        def search(self, query, *, timeout_seconds):
            if "ids" in query:
                entered.set()
            return super().search(query, timeout_seconds=timeout_seconds)

    engine = Watched({"fresh": fresh}, held="a")
    runner = Runner(engine)
    calls = {
        "search": lambda: runner.search({"ask": "fresh"}, 9),
        "expected": lambda: runner.expected({"ask": "fresh"}, 9),
        "missing": lambda: runner.missing(["a"]),
    }
    with ThreadPoolExecutor(2) as pool:

        def busy():
            nonlocal first
            if first:
                first = False
                raise SearchTimeout("busy")
            pool.submit(calls[other])
            met.append(entered.wait(0.05))  # it has all the time it would need, were it let in
            return "b"

        engine.answers["busy"] = busy
        pool.submit(runner.search, {"ask": "busy"}, 9).result(timeout=PATIENCE)
        assert entered.wait(PATIENCE)
    assert met == [False]


def test_many_timeouts_at_once_each_run_alone_and_none_is_stuck():
    all_inside = threading.Barrier(12)
    lock, inside, most = threading.Lock(), 0, 0
    begun: set[int] = set()

    def turn(number):
        def slow():
            nonlocal inside, most
            if number not in begun:
                begun.add(number)
                all_inside.wait(PATIENCE)  # all twelve are inside together, and all time out
                raise SearchTimeout("slow")
            with lock:
                inside += 1
                most = max(most, inside)
            with lock:
                inside -= 1
            raise SearchTimeout("slow, alone")

        return slow

    runner = Runner(CannedEngine({"quick": "a", **{f"slow {n}": turn(n) for n in range(12)}}))

    def one(number):
        with pytest.raises(SearchTimeout, match="slow, alone"):
            runner.search({"ask": f"slow {number}"}, 9)
        return runner.search({"ask": "quick"}, 9)

    with ThreadPoolExecutor(12) as pool:
        assert all_of(pool, *[(one, n) for n in range(12)]) == [ids("a")] * 12
    assert most == 1


def test_references_that_time_out_beside_each_other_do_not_block_each_other():
    together = threading.Barrier(4)
    firsts = {f"r{i}" for i in range(4)}

    def turn(name):
        def slow():
            if name in firsts:
                firsts.discard(name)
                together.wait(PATIENCE)
                raise SearchTimeout("slow")
            return name[-1]

        return slow

    engine = CannedEngine({name: turn(name) for name in list(firsts)})
    runner = Runner(engine)
    with ThreadPoolExecutor(8) as pool:
        calls = [(runner.expected, {"ask": f"r{i}"}, 9) for i in range(4)] * 2
        found = all_of(pool, *calls)
    assert [one.whole for one in found] == [ids(*"0"), ids(*"1"), ids(*"2"), ids(*"3")] * 2
    assert len(engine.searched) == 8


@pytest.mark.parametrize("failure", [EngineError("down"), SearchFailed("no"), KeyError("bug")])
def test_a_second_run_that_fails_lets_the_others_in_again(failure):
    turns = iter([SearchTimeout("busy"), failure])
    runner = Runner(CannedEngine({"a": lambda: next(turns), "b": "b"}))
    with ThreadPoolExecutor(1) as pool:
        with pytest.raises(type(failure)):
            pool.submit(runner.search, {"ask": "a"}, 9).result(timeout=PATIENCE)
        assert pool.submit(runner.search, {"ask": "b"}, 9).result(timeout=PATIENCE) == ids("b")


# --- workers


def test_a_worker_runs_a_blocking_function_off_the_event_loop():
    async def main():
        return await on_worker(lambda a, b: (threading.get_ident(), a + b), 2, 3)

    ident, total = anyio.run(main)
    assert total == 5
    assert ident != threading.get_ident()


def test_one_event_loop_has_one_limit_and_another_loop_its_own():
    async def limiters():
        return [running._limiter() for _ in range(3)]

    one, other = anyio.run(limiters), anyio.run(limiters)
    assert one[0] is one[1] is one[2]
    assert other[0] is other[2]
    assert one[0] is not other[0]


def test_no_more_workers_run_at_once_than_the_limit(monkeypatch):
    monkeypatch.setattr(running, "_WORKERS", 2)
    lock, inside, most = threading.Lock(), 0, 0
    both = threading.Barrier(2)

    def work():
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        both.wait(PATIENCE)  # two are inside, and a third would be counted
        with lock:
            inside -= 1

    async def main():
        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(on_worker, work)

    anyio.run(main)
    assert most == 2


def test_a_search_that_never_ends_is_given_up_at_its_time(monkeypatch):
    monkeypatch.setattr("creel_inspect.search.running._GRACE_SECONDS", 0.05)
    over = threading.Event()
    engine = CannedEngine({"never": lambda: over.wait(PATIENCE) and "a"})
    with pytest.raises(SearchTimeout, match="did not end within"):
        Runner(engine).search({"ask": "never"}, 0.05)
    over.set()
