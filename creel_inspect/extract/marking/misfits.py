"""What a candidate wrote that cannot be compared with the number that gold is.

A gold number without a unit does not say whether ``USD 4,600`` is right, and the verifier says that
nothing was measured. The gold is in order, though: the grammar asks for a bare number, and the
candidate wrote something else. That is wrong, and not unscored, or else writing so would spare
whoever does not know.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any

from creel_inspect.verify.graph.attributes import Asked, Compared
from creel_inspect.verify.graph.scoring import Found
from creel_inspect.verify.numeric import NumericTolerance
from creel_inspect.verify.protocol import Code, Context, VerifierError

_UNSURE = (Code.EXPECTED_INVALID, Code.PART_NOT_MEASURED)
_PLAIN_NUMBERS = NumericTolerance()


async def with_misfits_wrong(found: Found, context: Context) -> Found:
    """The same comparison, in which a misfit is wrong.

    In a list of numbers, the misfits are taken for no number, and the list is compared again.
    """
    nodes = {
        name: await _settled(
            one,
            found.expected.nodes[name].attributes,
            found.actual.nodes[found.partner[name]].attributes,
            context,
        )
        for name, one in found.attributes.items()
    }
    edges = [
        dataclasses.replace(
            pair,
            attributes=await _settled(
                pair.attributes, pair.expected.attributes, pair.actual.attributes, context
            ),
        )
        for pair in found.edges
    ]
    return dataclasses.replace(found, attributes=nodes, edges=edges)


async def _settled(
    compared: Compared, expected: Mapping[str, Any], actual: Mapping[str, Any], context: Context
) -> Compared:
    if not any(one.code in _UNSURE for one in compared.unmeasured):
        return compared
    asked = [
        await _one(one, expected[one.name], actual[one.name], context)
        if one.passed is None and one.code in _UNSURE
        else one
        for one in compared.asked
    ]
    return dataclasses.replace(compared, asked=tuple(asked))


async def _one(asked: Asked, expected: Any, actual: Any, context: Context) -> Asked:
    about = dataclasses.replace(context, path=asked.chosen.path, unit=asked.chosen.unit)
    if _is_number(expected):
        # A part of a composite that was not measured may be a judge: then nobody can tell.
        told = asked.code == Code.EXPECTED_INVALID or Code.EXPECTED_INVALID in asked.reason
        if not told or not _is_misfit(actual, expected, about):
            return asked
        reason = f"expected a number alone: {asked.reason}"
        return dataclasses.replace(asked, passed=False, code=None, score=0.0, reason=reason)
    verifier = asked.chosen.verifier
    if verifier is None or not isinstance(expected, list | tuple) or not expected:
        return asked
    if not isinstance(actual, list | tuple) or not all(map(_is_number, expected)):
        return asked
    kept = [None if _is_misfit(item, expected[0], about) else item for item in actual]
    if all(item is not None for item in kept):
        return asked
    about = dataclasses.replace(about, description=asked.chosen.description)
    try:
        verdict = await verifier.averify(kept, list(expected), context=about)
    except VerifierError:
        return asked
    reason = f"an item is no bare number: {verdict.reason}"
    return dataclasses.replace(
        asked, passed=verdict.passed, code=None, score=verdict.score, reason=reason
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_misfit(actual: Any, expected: Any, context: Context) -> bool:
    """Whether a text says more than a bare number, so that it can be compared with none."""
    if not isinstance(actual, str):
        return False
    try:
        _PLAIN_NUMBERS.verify(actual, expected, context=context)
    except VerifierError as error:
        return error.code == Code.EXPECTED_INVALID
    return False
