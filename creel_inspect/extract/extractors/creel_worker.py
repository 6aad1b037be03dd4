"""The process in which creel runs, so that it can be stopped: ``python -m …creel_worker BYTES``.

creel searches hostile text with backtracking regular expressions and fills in whatever a source
holds; nothing inside Python ends a regular expression that does not end by itself. This process
holds nothing that is missed when it is killed.

It reads one JSON object a line and answers in one line: ``{"graph", "evidence", "report"}``, or
``{"failed": reason}``. Before that, any number of times, ``{"ask": {prompt, schema, system}}``,
which the next line answers with ``{"reply": {…}}``. It imports creel and the standard library
alone, because it starts once for each core and again after each kill. ``BYTES`` is the most memory
it may take; out of that, it ends, and says so by ``"ending": true``.
"""

import contextlib
import json
import os
import signal
import sys
from collections.abc import Mapping
from typing import IO, Any

from creel.bindings import ExtractorBindings
from creel.facade import SKIP, extract
from creel.graph.canonical import to_canonical_json
from creel.sources import Source, SourceBundle
from creel.spec.model import AttrSchema, EdgeType, EnumDef, GraphSpec, NodeType

from creel_inspect.extract.extractors.creel_evidence import evidence_by_attribute

_MOST_REASON = 500


class AskingClient:
    """creel's model client: it asks the process that started this one."""

    def __init__(self, incoming: IO[bytes], outgoing: IO[bytes], seconds: float) -> None:
        self._incoming, self._outgoing, self._seconds = incoming, outgoing, seconds

    def complete_json(
        self, *, prompt: str, schema: Mapping[str, Any], system: str | None = None
    ) -> Mapping[str, Any]:
        """The model's reply, which the other side has found to be of the schema's shape."""
        _write(self._outgoing, {"ask": {"prompt": prompt, "schema": schema, "system": system}})
        _end_after(0)
        line = self._incoming.readline()
        if not line:
            # Nobody is there to answer: the run is over.
            raise SystemExit
        _end_after(self._seconds)
        reply: Mapping[str, Any] = json.loads(line)["reply"]
        return reply


def run(request: Mapping[str, Any], client: AskingClient) -> dict[str, Any]:
    """One extraction: ``spec``, ``bindings`` and ``sources`` to a graph and its evidence.

    Args:
        request: ``spec`` is a ``GraphSpec`` by ``dataclasses.asdict``; ``bindings`` creel's
            mapping; ``sources`` a list of ``{id, kind, content}``. (``end_after_seconds`` is for
            ``main``.)
        client: What creel's model extractors ask.
    """
    sources = SourceBundle(Source(**source) for source in request["sources"])
    bindings: Mapping[str, Any] = request["bindings"]
    graph = extract(
        sources,
        _spec(request["spec"]),
        ExtractorBindings.from_mapping(bindings),
        services={"llm": client},
        on_missing_binding=SKIP,
    )
    return {
        # creel's own form, read back: it refuses what JSON cannot hold.
        "graph": json.loads(to_canonical_json(graph)),
        "evidence": evidence_by_attribute(graph, bindings, sources),
        "report": dict(graph.report),
    }


def _spec(value: Mapping[str, Any]) -> GraphSpec:
    def types(kind: type[Any], key: str) -> tuple[Any, ...]:
        return tuple(
            kind(**{**one, "attributes": tuple(AttrSchema(**a) for a in one["attributes"])})
            for one in value[key]
        )

    return GraphSpec(
        **{
            **value,
            "node_types": types(NodeType, "node_types"),
            "edge_types": types(EdgeType, "edge_types"),
            "enums": tuple(EnumDef(**one) for one in value["enums"]),
        }
    )


def _reason(error: Exception) -> str:
    # A KeyError shows the repr of its message, and creel puts whole sentences there.
    said = error.args[0] if isinstance(error, KeyError) and error.args else error
    text = " ".join(f"{type(error).__name__}: {said}".split())
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= _MOST_REASON else text[: _MOST_REASON - 1] + "…"


def _write(stream: IO[bytes], message: Mapping[str, Any]) -> None:
    stream.write(json.dumps(message, allow_nan=False).encode() + b"\n")
    stream.flush()


def _bound_memory(most: int) -> None:
    try:
        import resource  # noqa: PLC0415 - there is none on Windows
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = most if hard == resource.RLIM_INFINITY else min(hard, most)
    with contextlib.suppress(ValueError, OSError):  # macOS may refuse; the time limit still holds
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def _end_after(seconds: float) -> None:
    """Ends this process by itself after so long, 0 for never, where the system has such a clock.

    The process that started it ends it sooner, unless that was killed: then nobody else would.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def main(most_memory_bytes: int) -> None:
    """Serves until its input ends, or its memory."""
    _bound_memory(most_memory_bytes)
    incoming = sys.stdin.buffer
    # Whatever prints must not reach the stream that answers go to.
    outgoing = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    _write(outgoing, {"ready": True})
    while line := incoming.readline():
        request = json.loads(line)
        seconds = request["end_after_seconds"]
        try:
            _end_after(seconds)
            answer = run(request, AskingClient(incoming, outgoing, seconds))
            _write(outgoing, answer)
        except MemoryError:
            said = f"it took more than {most_memory_bytes:,} bytes"
            _write(outgoing, {"failed": said, "ending": True})
            return
        except Exception as error:  # creel stumbles on sources in any way; each is told
            _write(outgoing, {"failed": _reason(error)})
        finally:
            _end_after(0)


if __name__ == "__main__":
    main(int(sys.argv[1]))
