"""Embedders by name: ``minilm``, ``sentence-transformers:MODEL`` and ``openai:MODEL``.

A new one is one module beside these and one line in ``_FAMILIES``. Its class takes the model's
name; it may offer ``embed``, ``entails`` or both, and ``windows`` where it reads only so much at
once. Building it loads nothing, and raises ``VerifierError`` (``no_embedder``) at once where its
package is missing.
"""

from collections.abc import Awaitable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple, Protocol, runtime_checkable

from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import Code, VerifierConfigError, VerifierError


@runtime_checkable
class Entailer(Protocol):
    """Says how probable it is that the second text of each pair follows from the first."""

    name: str

    def entails(
        self, pairs: Sequence[tuple[str, str]]
    ) -> Sequence[float] | Awaitable[Sequence[float]]: ...


@runtime_checkable
class Windowed(Protocol):
    """An embedder that reads only so much at once, and says where it must cut a text."""

    def windows(self, text: str) -> Sequence[str]: ...


class Family(NamedTuple):
    """Where an embedder lives, whether a model must be named, and whether it must be awaited."""

    home: str
    takes_model: bool
    remote: bool


_HERE = "creel_inspect.verify.semantic.embedders"
_FAMILIES = {
    "minilm": Family(f"{_HERE}.minilm:MiniLM", takes_model=False, remote=False),
    "sentence-transformers": Family(
        f"{_HERE}.sentence_transformers:SentenceTransformers", takes_model=True, remote=False
    ),
    "openai": Family(f"{_HERE}.openai:OpenAIEmbeddings", takes_model=True, remote=True),
}


def embedder_family(name: str) -> Family:
    """What a name stands for, without loading anything.

    Raises:
        VerifierConfigError: If no embedder is called that.
    """
    family, colon, model = name.partition(":")
    found = _FAMILIES.get(family)
    if found is None or bool(colon) != found.takes_model or bool(model.strip()) != bool(colon):
        names = ", ".join(f"{one}:MODEL" if _FAMILIES[one][1] else one for one in _FAMILIES)
        raise VerifierConfigError(f"no embedder is called {shown(name)}: expected one of {names}")
    return found


def embedder_named(name: str) -> Any:
    """The embedder of a name, ready to embed, though nothing heavy is loaded yet.

    Raises:
        VerifierConfigError: If no embedder is called that.
        VerifierError: If a package that it needs is not installed (``no_embedder``).
    """
    module, _, kind = embedder_family(name).home.partition(":")
    return getattr(import_module(module), kind)(name.partition(":")[2])


def require(name: str, packages: Sequence[str], remedy: str) -> None:
    """Raises unless every package can be imported; imports none of them.

    Raises:
        VerifierError: Naming what is missing, and the command that installs it.
    """
    missing = [package for package in packages if find_spec(package) is None]
    if missing:
        raise VerifierError(
            f"the embedder {name} needs {', '.join(missing)}: {remedy}", code=Code.NO_EMBEDDER
        )
