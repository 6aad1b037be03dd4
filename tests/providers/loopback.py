"""A model provider on this machine's loopback interface, which answers by a script.

It speaks the Anthropic Messages API, streamed or not, and OpenAI's chat completions: as much of
each as one question and one tool call need. What it was asked is kept, word for word.
"""

import itertools
import json
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from inspect_ai.model import Model, get_model
from tenacity import wait_none

from creel_inspect.search.assemble import search_task
from tests.search.scripted import CASES

HOST = "127.0.0.1"


@dataclass(frozen=True)
class Raw:
    """A call's arguments exactly as they go over the wire, JSON or not."""

    text: str


@dataclass(frozen=True)
class Reply:
    """A whole answer. ``stop`` is ``calls``, ``end``, ``length`` or ``refused``."""

    calls: tuple[tuple[str, Any], ...] = ()
    text: str = ""
    thinking: str = ""
    stop: str = "calls"


@dataclass(frozen=True)
class Refuse:
    """An error status in place of an answer."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Drop:
    """The connection is closed, before the answer or in the middle of it."""

    midway: bool = False
    reply: Reply = Reply(text="cut", stop="end")


class Hang:
    """No answer, for as long as the server stands."""


Behaviour = Reply | Refuse | Drop | Hang


@dataclass(frozen=True)
class Request:
    """One request, as it came."""

    path: str
    headers: dict[str, str]
    text: str
    seen: float

    @property
    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = json.loads(self.text)
        return body

    @property
    def question(self) -> str:
        """What the first user message says, without what follows a blank line."""
        first = next(m for m in self.body["messages"] if m["role"] == "user")["content"]
        text = first if isinstance(first, str) else "".join(part["text"] for part in first)
        return text.split("\n\n")[0]


Script = Callable[[Request], Behaviour]


def build(query: Any) -> Reply:
    return Reply(calls=(("build_query", query),))


def decline(reason: Any = "the books hold no such thing") -> Reply:
    return Reply(calls=(("cannot_answer", {"reason": reason}),))


def say(text: str) -> Reply:
    return Reply(text=text, stop="end")


def in_turn(*behaviours: Behaviour) -> Script:
    """Each behaviour once, in order, and the last for ever after."""
    left = itertools.chain(behaviours, itertools.repeat(behaviours[-1]))
    lock = threading.Lock()

    def script(_: Request) -> Behaviour:
        with lock:
            return next(left)

    return script


class Server:
    """A running server: where it is, and what it was asked.

    Attributes:
        requests: Every request so far, in order of arrival.
        answered: How many of them have been answered in full.
    """

    def __init__(self, script: Script, delay_seconds: float = 0) -> None:
        self.script = script
        self.delay_seconds = delay_seconds
        self.requests: list[Request] = []
        self.answered = 0
        self.changed = threading.Condition()
        self.closing = threading.Event()
        self._http = _HTTP((HOST, 0), _Handler)
        self._http.owner = self
        self.url = f"http://{HOST}:{self._http.server_address[1]}"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def wait_until(self, true: Callable[[], bool], seconds: float = 60) -> None:
        """Waits until something about the requests is so; fails after that many seconds."""
        with self.changed:
            assert self.changed.wait_for(true, seconds), f"not so after {seconds} s"

    def close(self) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


@contextmanager
def serving(script: Script, delay_seconds: float = 0) -> Iterator[Server]:
    server = Server(script, delay_seconds)
    try:
        yield server
    finally:
        server.close()


class _HTTP(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 100
    owner: Server

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone is one of the things tested, and nothing to print."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _HTTP

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        owner = self.server.owner
        text = self.rfile.read(int(self.headers["content-length"])).decode()
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.path, headers, text, time.time())
        with owner.changed:
            owner.requests.append(request)
            owner.changed.notify_all()
        behaviour = owner.script(request)
        owner.closing.wait(owner.delay_seconds)
        if isinstance(behaviour, Hang):
            owner.closing.wait()
            self._hang_up()
        elif isinstance(behaviour, Drop):
            if behaviour.midway:
                self._send(200, *_encoded(behaviour.reply, request), cut=True)
            self._hang_up()
        elif isinstance(behaviour, Refuse):
            error = {"type": "error", "error": {"type": "api_error", "message": "as scripted"}}
            self._send(behaviour.status, "application/json", json.dumps(error), behaviour.headers)
        else:
            self._send(200, *_encoded(behaviour, request))
            with owner.changed:
                owner.answered += 1
                owner.changed.notify_all()

    def _send(
        self,
        status: int,
        kind: str,
        text: str,
        headers: dict[str, str] | None = None,
        cut: bool = False,
    ) -> None:
        body = text.encode()
        self.send_response(status)
        for name, value in {"content-type": kind, **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if cut else body)
        self.wfile.flush()

    def _hang_up(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)


def _encoded(reply: Reply, request: Request) -> tuple[str, str]:
    """The content type and the text of an answer, in the protocol it was asked in."""
    body = request.body
    if request.path.endswith("/chat/completions"):
        return "application/json", json.dumps(_openai(reply, body))
    message = _anthropic(reply, body)
    if body.get("stream"):
        return "text/event-stream", "".join(_events(message))
    return "application/json", json.dumps(message)


def _anthropic(reply: Reply, body: dict[str, Any]) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    if reply.thinking:
        content.append({"type": "thinking", "thinking": reply.thinking, "signature": "signed"})
    if reply.text:
        content.append({"type": "text", "text": reply.text})
    for number, (name, arguments) in enumerate(reply.calls):
        given = json.loads(arguments.text) if isinstance(arguments, Raw) else arguments
        content.append({"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": given})
    stops = {"calls": "tool_use", "end": "end_turn", "length": "max_tokens", "refused": "refusal"}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": content,
        "stop_reason": stops[reply.stop],
        "stop_sequence": None,
        "usage": {
            "input_tokens": 10,
            "output_tokens": 5,
            "output_tokens_details": {"thinking_tokens": 1 if reply.thinking else 0},
        },
    }


def _events(message: dict[str, Any]) -> Iterable[str]:
    def event(kind: str, **data: Any) -> str:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n"

    yield event("message_start", message={**message, "content": [], "stop_reason": None})
    for index, block in enumerate(message["content"]):
        start, deltas = _started(block)
        yield event("content_block_start", index=index, content_block=start)
        for delta in deltas:
            yield event("content_block_delta", index=index, delta=delta)
        yield event("content_block_stop", index=index)
    stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield event("message_delta", delta=stop, usage=message["usage"])
    yield event("message_stop")


def _started(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    if block["type"] == "tool_use":
        text = json.dumps(block["input"])
        delta = {"type": "input_json_delta", "partial_json": text}
        return {**block, "input": {}}, [delta]
    if block["type"] == "thinking":
        deltas = [
            {"type": "thinking_delta", "thinking": block["thinking"]},
            {"type": "signature_delta", "signature": block["signature"]},
        ]
        return {"type": "thinking", "thinking": "", "signature": ""}, deltas
    return {"type": "text", "text": ""}, [{"type": "text_delta", "text": block["text"]}]


def _openai(reply: Reply, body: dict[str, Any]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if reply.thinking:
        message["reasoning_content"] = reply.thinking
    if reply.calls:
        message["tool_calls"] = [
            {
                "id": f"call_{number}",
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": given.text if isinstance(given, Raw) else json.dumps(given),
                },
            }
            for number, (name, given) in enumerate(reply.calls)
        ]
    stops = {"calls": "tool_calls", "end": "stop", "length": "length", "refused": "content_filter"}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": stops[reply.stop]}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


PROTOCOLS = {"anthropic": "claude-haiku-4-5", "openai": "gpt-4o", "openai-api": "local/any"}
"""Inspect's providers, with a model of each; the last is for services that imitate OpenAI's."""


def connected(
    server: Server, protocol: str, name: str | None = None, quick: bool = True, **args: Any
) -> Model:
    """A real provider of Inspect's, pointed at the server.

    Where ``quick``, the provider's library does not try again by itself, and Inspect does so
    without waiting.
    """
    if quick:
        args["max_retries"] = 0
    if protocol == "openai":
        args.setdefault("responses_api", False)
    model = get_model(
        f"{protocol}/{name or PROTOCOLS[protocol]}",
        base_url=server.url if protocol == "anthropic" else f"{server.url}/v1",
        api_key="test",
        memoize=False,
        **args,
    )
    if quick:
        model.api.retry_wait = wait_none  # type: ignore[method-assign]
    return model


def run(
    model: Model,
    sample: str | list[str] | None = None,
    *,
    engine: str = "tiny",
    engine_args: dict[str, Any] | None = None,
    cases: Path = CASES,
    task_args: dict[str, Any] | None = None,
    **eval_args: Any,
) -> EvalLog:
    """Asks these cases of a model, and returns the log."""
    task = search_task(
        engine=engine,
        engine_args=engine_args or {},
        named_corpus="books",
        cases=str(cases),
        **(task_args or {}),
    )
    [log] = inspect_eval(task, model=model, sample_id=sample, **eval_args)
    return log
