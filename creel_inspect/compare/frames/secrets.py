"""What a log's settings hold that is nobody's business: keys, passwords, and addresses with them.

A frame is passed on, and so are labels and reports made of it. Settings are told by name, so what
is hidden goes by names too, at any depth.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_SECRET = frozenset(
    {
        *("auth", "authorization", "bearer", "cookie", "cookies", "credential", "credentials"),
        *("passphrase", "passwd", "password", "passwords", "pwd", "secret", "secrets"),
    }
)
_JOINED = re.compile(
    "(api|access|account|auth|bearer|client|private|refresh|secret|security|session|shared)"
    "(keys?|tokens?)|passw(or)?d|credential|authorization"
)
_DOUBTFUL = frozenset({"header", "headers", "key", "keys", "sas", "sig", "signature", "token"})
"""May be a secret (`key_id`), or not (`answer_key`): not shown, but one value is not another."""

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s\"'<>]+")
_BEARER = re.compile(r"(?i)\b(bearer)\s+[\w.~+/=-]{12,}")


def is_secret(name: str) -> bool:
    """Whether a setting of this name is certainly nobody's business: ``apiKey``, ``x-api-key``."""
    words = [word.lower() for word in _WORD.findall(name)]
    return not _SECRET.isdisjoint(words) or _JOINED.search("".join(words)) is not None


def may_be_secret(name: str) -> bool:
    """Whether it may be: ``key_id``."""
    words = {word.lower() for word in _WORD.findall(name)}
    return is_secret(name) or not _DOUBTFUL.isdisjoint(words)


def unsecret(content: Mapping[str, Any], *, drop_doubtful: bool = False) -> dict[str, Any]:
    """Settings without secrets, at any depth.

    Secrets are left out. Of a text that may be one, eight hex digits of its digest are left, so
    that another value is another setting.

    Args:
        content: Settings by name.
        drop_doubtful: Whether the latter are left out too.
    """
    found: dict[str, Any] = {}
    for name, value in ((str(name), value) for name, value in content.items()):
        if isinstance(value, bool | None):
            found[name] = value
        elif is_secret(name):
            continue
        elif not may_be_secret(name) or isinstance(value, int | float):
            shown = _shown(value, drop_doubtful)
            if shown != {} or value == {}:  # nothing but secrets says nothing
                found[name] = shown
        elif not drop_doubtful:
            found[name] = f"(hidden {_digest(value)})"
    return found


def _shown(value: Any, drop_doubtful: bool) -> Any:
    if isinstance(value, str):
        return without_secrets(value)
    if isinstance(value, Mapping):
        return unsecret(value, drop_doubtful=drop_doubtful)
    if isinstance(value, list | tuple):
        return [_shown(one, drop_doubtful) for one in value]
    return value


def without_secrets(text: str) -> str:
    """A text whose addresses have lost user, password and query, and that holds no bearer token.

    A query may say what is asked (``?deployment=x``): eight hex digits of the digest of what it
    holds beside secrets stand for it.
    """
    if "://" in text:
        text = _URL.sub(lambda found: _address(found[0]), text)
    return _BEARER.sub(r"\1 (hidden)", text)


def plain_place(place: str) -> str:
    """Where a log lies, for a person to read: an address without user, password and query."""
    return _split(place)[0] if _URL.match(place) else place


def _split(url: str) -> tuple[str, str]:
    """An address without user and password, up to its query; and the query."""
    scheme, rest = url.split("://", 1)
    host = re.split("[/?#]", rest, maxsplit=1)[0]
    # A password may hold what should have been quoted; then what is before it is no host and port.
    unquoted = "@" in rest and re.search(r":(?!\d*$)[^\]]*$", host) is not None
    if "@" in host:
        rest = host.rsplit("@", 1)[1] + rest[len(host) :]
    elif unquoted:
        rest = rest.rsplit("@", 1)[1]
    start, *query = re.split("[?#]", rest, maxsplit=1)
    return f"{scheme}://{start}", "".join(query)


def _address(url: str) -> str:
    shown, query = _split(url)
    told = sorted(
        pair
        for pair in parse_qsl(query.replace("#", "&"), keep_blank_values=True)
        if not may_be_secret(pair[0])
    )
    return f"{shown}?({_digest(told)})" if told else shown


def _digest(content: Any) -> str:
    text = json.dumps(content, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
