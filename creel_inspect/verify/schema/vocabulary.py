"""The keywords of each draft: any other would hold for anything, and is most likely misspelled."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any

from jsonschema_specifications import REGISTRY

from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import VerifierConfigError
from creel_inspect.verify.schema.json_values import json_path

_ANNOTATIONS = {"title", "description", "default", "examples", "deprecated", "readOnly"}
_ANNOTATIONS |= {"writeOnly", "contentMediaType", "contentEncoding", "contentSchema", "$comment"}
_ANNOTATIONS |= {"$defs", "definitions"}
_IDLE = {
    "dependencies": "dependencies",
    "$recursiveRef": "$recursiveRef",
    "$recursiveAnchor": "$recursiveRef",
}
"""Named in a metaschema for the sake of older drafts only, unless the second is applied."""
_NEEDS = {"then": "if", "else": "if", "minContains": "contains", "maxContains": "contains"}
_INSTEAD = {
    "nullable": 'write "type": ["…", "null"]',
    "dependencies": "write `dependentRequired` or `dependentSchemas`",
    "additionalItems": "write `prefixItems` for the first items and `items` for the rest",
    "example": "write `examples`, a list",
    "id": "write `$id`",
    "components": "put definitions under `$defs`",
    "any_of": "write `anyOf`",
    "optional": "whatever is not in `required` is optional",
}


@cache
def keywords_of(draft: Any) -> frozenset[str]:
    """The keywords of a draft, and annotations of any."""
    own = draft.ID_OF(draft.META_SCHEMA).rstrip("#")
    known = {*draft.VALIDATORS, *draft.META_SCHEMA["properties"]}
    base = own.removesuffix("schema") + "meta/"
    for uri in REGISTRY:
        if uri.startswith(base):
            known |= set(REGISTRY[uri].contents.get("properties", ()))
    idle = {word for word, needed in _IDLE.items() if needed not in draft.VALIDATORS}
    return frozenset((known - idle) | _ANNOTATIONS)


def check_keywords(draft: Any, schema: Mapping[str, Any], place: Sequence[str | int]) -> None:
    """Refuses what no one would apply.

    Raises:
        VerifierConfigError: For a keyword that the draft does not know, or that does nothing
            where it stands.
    """
    known = keywords_of(draft)
    for word in schema:
        if word not in known and not word.startswith("x-"):
            raise VerifierConfigError(
                f"{json_path((*place, word))}: {shown(word, 60)} is no keyword of this draft, and "
                f"would hold for anything: {_advice(word, known)}"
            )
        needed = _NEEDS.get(word)
        if needed and needed not in schema:
            raise VerifierConfigError(
                f"{json_path((*place, word))}: `{word}` does nothing without `{needed}`"
            )
    if "additionalItems" in schema and not isinstance(schema.get("items"), list):
        raise VerifierConfigError(
            f"{json_path((*place, 'additionalItems'))}: `additionalItems` does nothing unless "
            "`items` is a list"
        )
    if "$ref" in schema and "unevaluatedItems" not in known:  # before 2019-09
        beside = [w for w in schema if w in draft.VALIDATORS and w != "$ref"]
        if beside:
            raise VerifierConfigError(
                f"{json_path((*place, beside[0]))}: in this draft nothing beside `$ref` counts: "
                "put both in `allOf`"
            )


def _advice(word: str, known: frozenset[str]) -> str:
    if word in _INSTEAD:
        return _INSTEAD[word]
    folded = {one.casefold(): one for one in sorted(known)}
    near = get_close_matches(word.casefold()[:60], folded, n=1, cutoff=0.6)
    return f"is it `{folded[near[0]]}`?" if near else "a note of your own is `$comment`, or `x-…`"
