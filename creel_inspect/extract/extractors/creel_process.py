"""Running creel where it can be stopped: worker processes that are killed when they take too long.

Why not ``anyio.to_process``: its workers run the caller's main module again, and so would run a
script that evaluates without an ``if __name__`` guard a second time. Why not a process pool of
the standard library: it cannot end one task that hangs.
"""

import atexit
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.lowlevel
import anyio.to_thread

MOST_ANSWER_BYTES = 50_000_000
MOST_MEMORY_BYTES = 2_000_000_000
"""Of one worker."""
_CORES = os.cpu_count() or 2
_MOST_WORKERS = 32
"""At once. One that waits for a model keeps its memory, about 60 MB, but no core."""
_START_SECONDS = 120.0
_GRACE_SECONDS = 30.0
"""After which a worker ends itself, if this process is no longer there to do it."""
_MODULE = "creel_inspect.extract.extractors.creel_worker"

Ask = Callable[[Mapping[str, Any]], Awaitable[Mapping[str, Any]]]


class CreelFailed(Exception):
    """creel raised, was stopped, or died: the extractor under test is at fault. Says how."""


async def run_creel(request: Mapping[str, Any], ask: Ask, seconds: float) -> dict[str, Any]:
    """One extraction in a worker process, as ``creel_worker.run`` describes it.

    Args:
        request: What the worker takes: ``spec``, ``bindings``, ``sources``.
        ask: Answers creel's questions to a model. What it raises ends the extraction, as itself.
        seconds: How long creel may compute, without the time that a model takes to answer.

    Returns:
        ``graph`` (graph-v1), ``evidence`` (by element and attribute) and ``report`` (creel's).

    Raises:
        CreelFailed: If creel raises, takes longer, or takes more memory than it may.
        RuntimeError: If no worker can be started, or one is killed from outside: nothing was
            measured.
    """
    left = seconds
    message: Mapping[str, Any] = {**request, "end_after_seconds": seconds + _GRACE_SECONDS}
    computing = _limit(_computing_limiters, _CORES)
    # A worker is put back before the next may start: without a model, there are as many as cores.
    async with _limit(_open_limiters, _MOST_WORKERS), computing, _worker() as worker:
        while True:
            began = anyio.current_time()
            try:
                with anyio.fail_after(left):
                    answer = await worker.exchange(message)
            except TimeoutError:
                raise CreelFailed(
                    f"it was stopped after {seconds:g} s: a pattern that backtracks without end, "
                    "or a query that multiplies its records, is the likely reason"
                ) from None
            left -= anyio.current_time() - began
            if "failed" in answer:
                raise CreelFailed(answer["failed"])
            if "ask" not in answer:
                return answer
            async with _lent(computing):
                message = {"reply": await ask(answer["ask"])}


@asynccontextmanager
async def _lent(limiter: anyio.CapacityLimiter) -> AsyncIterator[None]:
    """Lets another have this task's place; who waits for a model, or for a place, uses no time."""
    limiter.release()
    try:
        yield
    finally:
        # Also when cancelled: whoever holds the place gives it back after this.
        with anyio.CancelScope(shield=True):
            await limiter.acquire()


_Limiters = anyio.lowlevel.RunVar[anyio.CapacityLimiter]
_open_limiters: _Limiters = anyio.lowlevel.RunVar("creel_workers_open")
_computing_limiters: _Limiters = anyio.lowlevel.RunVar("creel_workers_computing")


def _limit(limiters: _Limiters, most: int) -> anyio.CapacityLimiter:
    """The event loop's own limiter: one made under another loop cannot be waited on."""
    try:
        return limiters.get()
    except LookupError:
        limiter = anyio.CapacityLimiter(most)
        limiters.set(limiter)
        return limiter


class _Worker:
    """One worker process. It serves one extraction at a time, and is killed if left at it."""

    def __init__(self) -> None:
        # The worker finds what this process finds, and not what lies in the current folder.
        path = os.pathsep.join(one for one in sys.path if one)
        self._process = subprocess.Popen(  # noqa: S603 - this interpreter, and names from here
            [sys.executable, "-P", "-m", _MODULE, str(MOST_MEMORY_BYTES)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
        )
        self._started = False
        self.at_rest = False
        """Whether it has answered whatever it was asked."""

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    async def start(self) -> None:
        """Waits until creel is imported, which is not yet the extraction's time.

        Raises:
            RuntimeError: If the process ends instead.
        """
        if self._started:
            return
        try:
            with anyio.fail_after(_START_SECONDS):
                await self._in_thread(self._read)
        except (CreelFailed, TimeoutError) as error:
            raise RuntimeError(
                f"creel's worker process did not start; `python -m {_MODULE} "
                f"{MOST_MEMORY_BYTES}` shows why"
            ) from error
        self._started = True

    async def exchange(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Sends one message and waits for the next."""
        self.at_rest = False
        line = json.dumps(message).encode() + b"\n"
        answer = await self._in_thread(lambda: self._exchange(line))
        self.at_rest = not {"ask", "ending"} & answer.keys()
        return answer

    async def _in_thread(self, function: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        # A limiter of its own: how many may run is decided above.
        limiter = anyio.CapacityLimiter(1)
        return await anyio.to_thread.run_sync(function, abandon_on_cancel=True, limiter=limiter)

    def _exchange(self, line: bytes) -> dict[str, Any]:
        stream = self._process.stdin
        assert stream is not None
        try:
            stream.write(line)
            stream.flush()
        except OSError as error:
            raise self._death() from error
        return self._read()

    def _read(self) -> dict[str, Any]:
        stream = self._process.stdout
        assert stream is not None
        line = stream.readline(MOST_ANSWER_BYTES + 1)
        if not line.endswith(b"\n"):
            if len(line) > MOST_ANSWER_BYTES:
                raise CreelFailed(f"its graph is larger than {MOST_ANSWER_BYTES:,} bytes")
            raise self._death()
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _death(self) -> Exception:
        code = self._process.wait()
        if code == -signal.SIGKILL:  # its own limits end it otherwise, and our own kill is no read
            return RuntimeError(
                "creel's worker process was killed from outside, as by a system that runs out of "
                "memory: nothing was measured"
            )
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return CreelFailed(f"its process died ({how}), as it does when memory runs out")

    def kill(self) -> None:
        """Ends the process and closes the pipes. A thread that reads from one finds its end."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):  # what was written and never read
                    stream.close()


_idle: list[_Worker] = []
_idle_lock = threading.Lock()


@asynccontextmanager
async def _worker() -> AsyncIterator[_Worker]:
    """A worker that is ready: an idle one, or a new one. Killed if it was left at work."""
    worker = _take() or _Worker()
    try:
        await worker.start()
        yield worker
    finally:
        _put_back(worker)


def _take() -> _Worker | None:
    with _idle_lock:
        while _idle:
            worker = _idle.pop()
            if worker.alive:
                return worker
            worker.kill()
    return None


def _put_back(worker: _Worker) -> None:
    with _idle_lock:
        if worker.at_rest and worker.alive and len(_idle) < _CORES:
            _idle.append(worker)
            return
    worker.kill()


@atexit.register
def _end() -> None:
    while worker := _take():
        worker.kill()
