"""Plain values as keys that Python can hash: equal keys, equal values.

What is equal here is what is equal for the kind ``exact`` as it comes: ``True`` is not 1, 1 is not
1.0, text is compared in Unicode normal form C, a tuple is a list, the order of an object's keys
does not count, and NaN equals nothing, itself included.
"""

import math
import struct
import unicodedata
from datetime import date, datetime, time
from decimal import Decimal
from hashlib import blake2b
from itertools import count
from typing import Any

from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import Code, VerifierError
from creel_inspect.verify.values.text import normal_form

_DOUBLE = struct.Struct("<cd")
_CONTAINERS = (list, tuple, dict, set, frozenset)
_NANS = count()
_CONSTANTS: dict[Any, bytes] = {None: b"null", True: b"true", False: b"false"}


def canonical(value: Any) -> str | bytes:
    """The key of a plain value (see ``plain``): text is its own, containers have a digest.

    Python draws the hashes of text and bytes anew in each process. That of a number is known to
    all, so a list of numbers could be chosen that makes a set quadratic: a number's key is bytes.
    """
    if type(value) is str and value.isascii():
        return value
    if not isinstance(value, _CONTAINERS):
        return _leaf(value)
    done: list[bytes] = []
    # A container comes up twice: to put what it holds on the stack, and to gather their keys.
    stack: list[tuple[Any, bool]] = [(value, False)]
    while stack:
        one, opened = stack.pop()
        if opened:
            start = len(done) - len(one)
            keys = done[start:]
            del done[start:]
            done.append(_container(one, keys[::-1]))
        elif isinstance(one, _CONTAINERS):
            stack.append((one, True))
            inside = one.values() if isinstance(one, dict) else one
            stack.extend([(inner, False) for inner in inside])
        else:
            done.append(_framed(_leaf(one)))
    return done[0]


def _container(value: Any, inside: list[bytes]) -> bytes:
    if isinstance(value, dict):
        pairs = zip(value, inside, strict=True)
        kind, parts = b"{", sorted([_framed(_text(name)) + key for name, key in pairs])
    elif isinstance(value, set | frozenset):
        kind, parts = b"<", sorted(inside)
    else:
        kind, parts = b"[", inside
    return kind + blake2b(b"".join(parts), digest_size=16).digest()


def _framed(key: str | bytes) -> bytes:
    """A key with its kind and length before it, so that several can be joined."""
    if isinstance(key, bytes):
        return b"b%d:%s" % (len(key), key)
    data = key.encode("utf-8", "surrogatepass")
    return b"s%d:%s" % (len(data), data)


def _leaf(value: Any) -> str | bytes:
    if isinstance(value, str):
        return _text(value)
    if value is None or isinstance(value, bool):
        return _CONSTANTS[value]
    if isinstance(value, int):
        return b"i%d" % value
    if isinstance(value, float):
        return _unequalled() if math.isnan(value) else _DOUBLE.pack(b"f", value + 0.0)  # no -0.0
    if isinstance(value, Decimal):
        return _decimal(value)
    assert isinstance(value, date | time)  # the base lets nothing else through
    kind = b"d" if isinstance(value, datetime) else b"t" if isinstance(value, time) else b"y"
    try:
        return kind + value.isoformat().encode()
    except Exception as error:  # a time zone may be anyone's code
        raise VerifierError(
            f"a time cannot be written: {shown(str(error))}", code=Code.NOT_A_VALUE
        ) from error


def _text(value: str) -> str:
    if type(value) is str and value.isascii():
        return value
    text = value if type(value) is str else str.__str__(value)
    return text if unicodedata.is_normalized("NFC", text) else normal_form("NFC", text)


def _unequalled() -> bytes:
    return b"nan%d" % next(_NANS)


def _decimal(value: Decimal) -> bytes:
    """1.50 is 1.5, with all digits kept: ``Decimal.normalize`` would round to 28."""
    if value.is_nan():
        return _unequalled()
    sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        return b"D%dinfinity" % sign
    written = bytes(48 + digit for digit in digits).lstrip(b"0")
    if not written:
        return b"D0"
    short = written.rstrip(b"0")
    return b"D%d:%se%d" % (sign, short, exponent + len(written) - len(short))
