"""A policy: which verifier compares which values, by range and by taxonomy path.

    description: Amounts to the cent, names as they are written.
    defaults:                  # by range; `enum` for enumerations, `any` for the rest
      decimal: {kind: numeric_tolerance, abs: 0.005}
      enum: exact
    verifiers:                 # by taxonomy path
      node.party: normalized
      edge.funds.amount: {kind: numeric_tolerance, rel: 0.01}

A policy is read without a grammar, so that one file serves several; ``resolution`` joins the two.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from creel_inspect.extract.files.reading import CorpusError, inside, read_yaml
from creel_inspect.extract.policy.default_verifier import BY_NATURE, NATURES
from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import Verifier, VerifierError
from creel_inspect.verify.registry import verifier_from

BUILT_IN = "default"
"""The name of the policy that needs no file: each range's deterministic kind, and no judge."""

POLICIES = "policies"
"""The folder of a corpus that holds them."""

MOST_PATHS = 2_000
LONGEST_PATH = 1_000
_KEYS = ("description", "defaults", "verifiers")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
_PATH = re.compile(r"graph|(?:node|edge)(?:\..+)?", re.DOTALL)

Where = Callable[..., str]
"""Tells where the value at some keys is written."""


@dataclass(frozen=True)
class Policy:
    """Verifiers by range and by taxonomy path.

    Attributes:
        name: The stem of its file.
        digest: 12 hex digits of what it says; its description and comments are no part of it.
        description: What it is for.
        defaults: By an attribute's range, ``enum`` or ``any``.
        verifiers: By taxonomy path.
        source: Where it is written, such as ``policies/strict.yaml``.
        written: Each spec as it is written, under its path or ``defaults.<range>``. A verifier
            that came built is there by its kind and its ``repr``.
    """

    name: str
    digest: str
    description: str
    defaults: Mapping[str, Verifier]
    verifiers: Mapping[str, Verifier]
    source: str
    written: Mapping[str, Any]


def load_policy(name_or_path: str, folder: Path | None) -> Policy:
    """A policy of a corpus by its name, or any by its file.

    Args:
        name_or_path: The stem of a file in ``folder/policies``; or the path of a file, which ends
            in ``.yaml`` or ``.yml``. The name ``default`` is the built-in policy unless the corpus
            has one of that name.
        folder: The corpus; None where there is none.

    Raises:
        CorpusError: If there is no such policy, or it is not in order: the message names the file,
            the line and the path.
    """
    if name_or_path.endswith((".yaml", ".yml")):
        return _read(Path(name_or_path), folder)
    if not _NAME.fullmatch(name_or_path):
        raise CorpusError(
            f"{shown(name_or_path)} is no policy's name: expected letters, digits, `_`, `.` and "
            "`-`, or the path of a file that ends in .yaml"
        )
    there: list[str] = []
    if folder:
        there = sorted(path.stem for path in inside(folder, POLICIES).glob("[!.]*.yaml"))
        if name_or_path in there:
            return _read(inside(folder, POLICIES, f"{name_or_path}.yaml"), folder)
    if name_or_path == BUILT_IN:
        return policy_from(None, BUILT_IN)
    names = ", ".join(dict.fromkeys((*there, BUILT_IN)))
    home = f"{folder.name}/{POLICIES}" if folder else "there is no corpus, and so"
    raise CorpusError(
        f"no policy is called {shown(name_or_path)}: {home} has {names}; a file of your own is "
        "named by its path, which ends in .yaml"
    )


def policy_from(value: Any, name: str = BUILT_IN) -> Policy:
    """A policy from a mapping, as a file has it; specs may be verifiers that are built already.

    Args:
        value: The mapping, or None for the built-in policy: each range is compared by its
            deterministic kind, free text as written up to case, blanks and punctuation's
            variants, and what the grammar does not declare by its value's own kind. No judge is
            needed.
        name: What it is called.

    Raises:
        CorpusError: If it is not in order.
    """
    if value is None:
        value = {
            "description": "Each range by its deterministic kind. No judge is needed.",
            "defaults": BY_NATURE,
        }
    source = f"policy {name}"

    def where(*path: str | int) -> str:
        return ", ".join((source, *map(str, path[:1])))

    return _policy(value, name, source, where)


def _read(path: Path, folder: Path | None) -> Policy:
    try:
        real, root = path.resolve(), folder.resolve() if folder else None
    except (OSError, RuntimeError, ValueError) as error:  # links in a circle, or a NUL
        raise CorpusError(f"{shown(str(path))} cannot be followed: {error}") from error
    home = root if root and real.is_relative_to(root) else real.parent
    document = read_yaml(real, home)
    return _policy(document.value, path.stem, document.name, document.where)


def _policy(value: Any, name: str, source: str, where: Where) -> Policy:
    top = _mapping(value, where(), "a policy is a mapping with `defaults` and `verifiers`")
    for key in top:
        if key not in _KEYS:
            raise CorpusError(
                f"{where(key)}: a policy has no key {shown(key)}: expected {', '.join(_KEYS)}"
            )
    description = "" if top.get("description") is None else top["description"]
    if not isinstance(description, str):
        raise CorpusError(f"{where('description')}: expected text, came {shown(description)}")
    parts = {
        key: _mapping(
            {} if top.get(key) is None else top[key],
            where(key),
            f"`{key}` is a mapping to verifiers",
        )
        for key in ("defaults", "verifiers")
    }
    if sum(map(len, parts.values())) > MOST_PATHS:
        raise CorpusError(f"{where('verifiers')}: expected at most {MOST_PATHS:,} verifiers")
    for key in parts["defaults"]:
        if key not in NATURES:
            raise CorpusError(
                f"{where('defaults', key)}: defaults has no range {shown(key)}: expected one of "
                f"{', '.join(NATURES)}"
            )
    for key in parts["verifiers"]:
        check_form(key, where("verifiers", key))
    built = {
        part: {key: build(spec, key, where(part, key)) for key, spec in specs.items()}
        for part, specs in parts.items()
    }
    return Policy(
        name=name,
        digest=_digest(parts),
        description=description,
        defaults=built["defaults"],
        verifiers=built["verifiers"],
        source=source,
        written={
            **{f"defaults.{key}": _plain(spec) for key, spec in parts["defaults"].items()},
            **{key: _plain(spec) for key, spec in parts["verifiers"].items()},
        },
    )


def check_form(path: str, where: str) -> None:
    """Refuses what is no taxonomy path under any grammar.

    Raises:
        CorpusError: If it is none.
    """
    if len(path) > LONGEST_PATH or not _PATH.fullmatch(path):
        raise CorpusError(
            f"{where}: {shown(path)} is no taxonomy path: expected `graph`, `node`, "
            "`node.<type>`, `node.<type>.<attribute>`, the same with `[id]` after the type, "
            "or the same with `edge`"
        )


def build(spec: Any, path: str, where: str) -> Verifier:
    """The verifier of a spec.

    Raises:
        CorpusError: If it cannot be built; the message says where it is written.
    """
    try:
        return verifier_from(spec)
    except VerifierError as error:
        raise CorpusError(f"{where}: {shown(path)[1:-1]}: {error}") from error


def _mapping(value: Any, where: str, expected: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise CorpusError(f"{where}: {expected}, not {shown(value)}")
    for key in value:
        if not isinstance(key, str):
            raise CorpusError(f"{where}: expected keys that are text, came {shown(key)}")
    return value


def _plain(spec: Any) -> Any:
    """A spec as a file would have it; a verifier that came built has its kind and its words."""
    return {"kind": spec.kind, "built": repr(spec)} if isinstance(spec, Verifier) else spec


def _digest(parts: Mapping[str, Mapping[str, Any]]) -> str:
    named = {
        part: {
            key: {"kind": spec} if isinstance(spec, str) else spec for key, spec in specs.items()
        }
        for part, specs in parts.items()
    }
    return hashlib.sha256(json.dumps(_ordered(named)).encode()).hexdigest()[:12]


def _ordered(value: Any, keep: bool = False) -> Any:
    """The same for whatever order keys are written in, save the parts of a composite's cascade."""
    if isinstance(value, Mapping):
        pairs = [[str(key), _ordered(inner, key == "parts")] for key, inner in value.items()]
        return {"of": pairs if keep else sorted(pairs, key=lambda pair: pair[0])}
    if isinstance(value, list | tuple):
        return [_ordered(inner) for inner in value]
    if isinstance(value, Verifier):
        return {"is": _plain(value)}
    return value if isinstance(value, str | int | float | None) else {"is": repr(value)}
