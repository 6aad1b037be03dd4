"""semantic_similarity: its score, its guard, and what it refuses to measure."""

import asyncio
import json
import subprocess
import sys

import pytest

from creel_inspect.verify import Code, Context, VerifierConfigError, VerifierError, build_verifier
from creel_inspect.verify.semantic.semantic import SemanticSimilarity


def fixed(*vectors):
    """An embedder that gives these vectors, whatever it is asked."""
    return Context(embedder=lambda texts: list(vectors))


def build(threshold=0.5, **config):
    return build_verifier("semantic_similarity", threshold=threshold, **config)


@pytest.mark.parametrize("example", SemanticSimilarity.self_test())
def test_the_self_test_holds_without_any_extra(example):
    verifier = build_verifier("semantic_similarity", **example.config)
    if example.passes is None:
        with pytest.raises(VerifierError) as caught:
            verifier.verify(example.actual, example.expected, context=example.context)
        assert caught.value.code == example.code
    else:
        verdict = verifier.verify(example.actual, example.expected, context=example.context)
        assert verdict.passed == example.passes


@pytest.mark.parametrize(
    "threshold", [0, -0.1, 1.01, float("nan"), float("inf"), True, "0.8", None, [0.8]]
)
def test_a_threshold_is_a_number_above_0_and_up_to_1(threshold):
    with pytest.raises(VerifierConfigError, match="threshold"):
        build_verifier("semantic_similarity", threshold=threshold)


def test_a_threshold_must_be_given():
    with pytest.raises(VerifierConfigError, match="threshold"):
        build_verifier("semantic_similarity")


@pytest.mark.parametrize("more", [{"mode": "exact"}, {"embedder": "word2vec"}, {"model": "x"}])
def test_other_keys_and_values_are_errors(more):
    with pytest.raises(VerifierConfigError):
        build(**more)


@pytest.mark.parametrize(
    ("one", "other", "cosine"),
    [
        ([1, 0], [3, 4], 0.6),
        ([2, 0], [9, 0], 1.0),
        ([1, 0], [0, 1], 0.0),
        ([1, 0], [-3, 4], -0.6),
        ([1e300, 0], [3e300, 4e300], 0.6),  # squares that overflow
        ([1e-300, 0], [3e-300, 4e-300], 0.6),
        ([0.1] * 384, [0.1] * 384, 1.0),  # floating point may say a little more than 1
    ],
)
def test_the_cosine_is_exact_and_a_negative_one_is_similarity_0(one, other, cosine):
    verdict = build().verify("a pump", "a valve", context=fixed(one, other))
    assert verdict.details["cosine"] == cosine
    assert verdict.score == max(cosine, 0)
    assert verdict.passed == (cosine >= 0.5)


def test_a_score_that_reaches_the_threshold_passes():
    assert build(0.6).verify("a pump", "a valve", context=fixed([1, 0], [3, 4])).passed
    assert not build(0.600001).verify("a pump", "a valve", context=fixed([1, 0], [3, 4])).passed


def test_it_always_says_that_similarity_is_not_equivalence():
    verdict = build().verify("a pump", "a valve", context=fixed([1, 0], [1, 0]))
    assert verdict.passed
    assert "similar is not the same" in verdict.reason
    assert verdict.details["caveat"] == "similar is not the same"


def test_a_differing_number_vetoes_whatever_the_similarity():
    verdict = build().verify(
        "Sales rose by 90 %", "Sales rose by 10 %", context=fixed([1, 0], [1, 0])
    )
    assert (verdict.score, verdict.passed) == (0, False)
    assert verdict.details["cosine"] == 1
    assert verdict.reason.startswith("the candidate says '90 %', the reference '10 %'")
    assert verdict.details["differences"] == [
        {"kind": "number", "candidate": "'90 %'", "reference": "'10 %'"}
    ]


def test_windows_are_averaged_by_their_length():
    class Halves:
        name = "halves"

        def windows(self, text):
            return [text[:3], text[3:]] if len(text) > 3 else [text]

        def embed(self, texts):
            return [[1.0, 0.0] if text == "abc" else [0.0, 1.0] for text in texts]

    # 3 characters of (1, 0) and 4 of (0, 1): (3, 4) / 5 against (1, 0)
    verdict = build().verify("abcxyzw", "abc", context=Context(embedder=Halves()))
    assert verdict.score == 0.6


@pytest.mark.parametrize(
    "candidate", [None, True, 5, 0.5, float("nan"), [], ["a pump"], {"text": "a pump"}]
)
def test_a_candidate_that_is_no_text_fails(candidate):
    verdict = build().verify(candidate, "a pump", context=fixed([1, 0], [1, 0]))
    assert (verdict.score, verdict.passed) == (0, False)
    assert "expected a text" in verdict.reason


@pytest.mark.parametrize("expected", [None, True, 5, [], {"text": "a pump"}])
def test_an_expected_value_that_is_no_text_is_not_measured(expected):
    with pytest.raises(VerifierError) as caught:
        build().verify("a pump", expected, context=fixed([1, 0], [1, 0]))
    assert caught.value.code == Code.EXPECTED_INVALID


def test_blank_texts_are_like_each_other_and_like_nothing_else():
    context = fixed([1, 0], [1, 0])
    assert build().verify(" \u200b", "", context=context).passed
    assert not build().verify("", "a pump", context=context).passed
    assert not build().verify("a pump", "\n", context=context).passed


def test_texts_equal_in_nfc_pass_unembedded_and_it_says_so():
    def never(texts):
        raise AssertionError("asked")

    verdict = build(1).verify("caf\u00e9", "cafe\u0301", context=Context(embedder=never))
    assert verdict.passed
    assert verdict.details["cosine"] == 1
    assert "nothing was embedded" in verdict.reason


@pytest.mark.parametrize(
    "vectors",
    [
        [],
        [[1, 0]],
        [[1, 0]] * 3,
        [[1, 0], [1, 0, 0]],
        [[], []],
        [[1, 0], [float("nan"), 0]],
        [[1, 0], [float("inf"), 0]],
        [[1, 0], [0, 0]],
        [["a"], ["b"]],
        [[1, 0], None],
        [1, 2],
        None,
        "vectors",
        [[10**400], [1]],
    ],
)
def test_bad_vectors_are_the_instruments_fault(vectors):
    with pytest.raises(VerifierError) as caught:
        build().verify("a pump", "a valve", context=Context(embedder=lambda texts: vectors))
    assert caught.value.code == Code.EMBEDDER_FAILED


def test_an_embedder_that_raises_is_the_instruments_fault():
    def broken(texts):
        raise RuntimeError("out of memory")

    with pytest.raises(VerifierError, match="RuntimeError: 'out of memory'") as caught:
        build().verify("a pump", "a valve", context=Context(embedder=broken))
    assert caught.value.code == Code.EMBEDDER_FAILED


def test_the_contexts_embedder_wins_over_the_name_and_may_be_awaited():
    class Own:
        name = "own"

        async def embed(self, texts):
            await asyncio.sleep(0)
            return [[3.0, 4.0], [1.0, 0.0]]

    verdict = asyncio.run(build().averify("a pump", "a valve", context=Context(embedder=Own())))
    assert (verdict.score, verdict.details["embedder"]) == (0.6, "own")
    with pytest.raises(VerifierError) as caught:
        build().verify("a pump", "a valve", context=Context(embedder=Own()))
    assert caught.value.code == Code.MUST_BE_AWAITED


class Entails:
    """An entailment model that knows one direction."""

    name = "logic"

    def __init__(self, *probabilities):
        self.probabilities = probabilities
        self.asked = None

    def entails(self, pairs):
        self.asked = pairs
        return list(self.probabilities)


def test_entailment_is_asked_both_ways_and_the_smaller_probability_counts():
    model = Entails(0.9, 0.3)
    verdict = build(mode="nli").verify("a red pump", "a pump", context=Context(embedder=model))
    assert model.asked == [("a red pump", "a pump"), ("a pump", "a red pump")]
    assert (verdict.score, verdict.passed) == (0.3, False)
    assert verdict.details["candidate_entails_expected"] == 0.9
    assert verdict.details["expected_entails_candidate"] == 0.3


def test_the_guard_vetoes_entailment_too():
    context = Context(embedder=Entails(0.99, 0.99))
    assert build(mode="nli").verify("a pump runs", "the pump is running", context=context).passed
    assert not build(mode="nli").verify("it runs", "it never runs", context=context).passed


@pytest.mark.parametrize("given", [(0.5,), (1.2, 0.5), (float("nan"), 1), ("a", 1), (-0.1, 1)])
def test_bad_probabilities_are_the_instruments_fault(given):
    with pytest.raises(VerifierError) as caught:
        build(mode="nli").verify("a", "b", context=Context(embedder=Entails(*given)))
    assert caught.value.code == Code.EMBEDDER_FAILED


def test_an_embedder_that_cannot_entail_is_no_embedder_for_nli():
    with pytest.raises(VerifierError, match="entails") as caught:
        build(mode="nli").verify("a pump", "a valve", context=fixed([1, 0], [1, 0]))
    assert caught.value.code == Code.NO_EMBEDDER


def test_hostile_text_gives_a_verdict_that_any_log_can_hold():
    context = fixed([1, 0], [0, 1])
    verdict = build().verify("\ud800\u202e\x00 a b", "a pump\n" * 20, context=context)
    assert not verdict.passed
    json.dumps(verdict.model_dump()).encode()


def test_building_one_loads_no_model_and_no_numpy():
    code = (
        "import sys; from creel_inspect.verify import build_verifier; "
        "build_verifier('semantic_similarity', threshold=0.8); "
        "heavy = {'numpy', 'torch', 'tokenizers', 'safetensors', 'openai', 'pint'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_texts_without_a_common_english_word_are_said_to_be_checked_for_numbers_only():
    german = "Der Plan wurde genehmigt", "Der Plan wurde nicht genehmigt"
    verdict = build().verify(*german, context=fixed([1, 0], [1, 0]))
    assert verdict.passed  # the guard cannot know better, and says so
    assert "only numbers and units" in verdict.details["guard"]
    assert "only numbers and units" in verdict.reason
    english = "The plan was approved", "The plan has been approved"
    verdict = build().verify(*english, context=fixed([1, 0], [1, 0]))
    assert "guard" not in verdict.details
    assert "numbers" not in verdict.reason


def test_a_number_that_differs_is_seen_in_any_language():
    verdict = build().verify(
        "Der Umsatz stieg um 10 %", "Der Umsatz stieg um 90 %", context=fixed([1, 0], [1, 0])
    )
    assert not verdict.passed
