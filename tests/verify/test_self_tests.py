"""The self-test that every kind ships, run."""

import asyncio

import pytest

from creel_inspect.verify import VerifierError, build_verifier, verifier_class, verifier_kinds


@pytest.mark.parametrize("kind", verifier_kinds())
def test_a_kind_ships_pairs_that_pass_and_pairs_that_fail_and_they_do(kind):
    examples = verifier_class(kind).self_test()
    assert {True, False} <= {example.passes for example in examples}
    for example in examples:
        made = build_verifier(kind, **example.config)
        verdict = made.averify(example.actual, example.expected, context=example.context)
        if example.passes is None:
            with pytest.raises(VerifierError) as caught:
                asyncio.run(verdict)
            assert example.code is None or caught.value.code == example.code, example
        else:
            assert asyncio.run(verdict).passed is example.passes, example
