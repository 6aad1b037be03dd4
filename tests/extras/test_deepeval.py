"""A DeepEval metric as a verifier, with DeepEval's own metrics that ask no model."""

import asyncio
import importlib
import os

import pytest

from creel_inspect import from_deepeval
from creel_inspect.verify import Context, VerifierConfigError, VerifierError


def asked(metric, actual, expected=None, **context):
    verifier = from_deepeval(metric)
    return asyncio.run(verifier.averify(actual, expected, context=Context(**context)))


def metrics():
    return importlib.import_module("deepeval.metrics")


def test_what_is_no_metric_is_told_and_telemetry_is_off():
    with pytest.raises(VerifierConfigError, match="expected a DeepEval metric"):
        from_deepeval(object())
    assert os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] == "YES"


def test_the_metric_decides():
    exact = metrics().ExactMatchMetric()
    assert asked(exact, "blue", "blue", description="which?").passed
    verdict = asked(exact, "red", "blue", description="which?")
    assert (verdict.passed, verdict.score) == (False, 0)
    assert verdict.reason


def test_two_verdicts_at_once_do_not_mix():
    verifier = from_deepeval(metrics().ExactMatchMetric())

    async def both():
        pairs = [("a", "a"), ("a", "b")] * 10
        return await asyncio.gather(
            *[verifier.averify(*pair, context=Context(description="q")) for pair in pairs]
        )

    assert [verdict.passed for verdict in asyncio.run(both())] == [True, False] * 10


def test_a_metric_that_fails_measures_nothing():
    theirs = metrics()

    class Broken(theirs.ExactMatchMetric):
        async def a_measure(self, *args, **kwargs):
            raise RuntimeError("no key")

    class Beyond(theirs.ExactMatchMetric):
        async def a_measure(self, *args, **kwargs):
            return 7.0

    class Nothing(theirs.ExactMatchMetric):
        async def a_measure(self, *args, **kwargs):
            return None

    for metric, why in ((Broken(), "no key"), (Beyond(), "7.0"), (Nothing(), "None")):
        with pytest.raises(VerifierError, match=why) as caught:
            asked(metric, "a", "a", description="q")
        assert caught.value.code == "backend_failed"
