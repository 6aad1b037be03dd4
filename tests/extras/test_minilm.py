"""The embedded model with its real weights; its cosines are those of sentence-transformers."""

import threading

import numpy as np
import pytest

from creel_inspect.verify import Code, VerifierError, build_verifier
from creel_inspect.verify.semantic.embedders import embedder_named, minilm
from creel_inspect.verify.semantic.embedders.minilm import MiniLM


def build(threshold=0.5):
    return build_verifier("semantic_similarity", threshold=threshold)


def cosine(one, other):
    return sum(a * b for a, b in zip(one, other, strict=True))


# Worked out by sentence-transformers 6.2.0 on torch 2.14.1 from the same weights.
REFERENCE = [
    (
        "The committee approved the proposal.",
        "The proposal was approved by the committee.",
        0.976633,
    ),
    ("The proposal was approved.", "The proposal was not approved.", 0.733081),
    ("Revenue rose by 10 %.", "Revenue rose by 90 %.", 0.867457),
    ("A man is eating food.", "A man is eating a piece of bread.", 0.755337),
    ("A cat sits on the mat.", "The quarterly budget was revised downwards.", -0.025796),
    (
        "The mixture was stirred at 80 °C for 2 hours.",
        "It was heated to 80 °C and stirred for two hours.",
        0.925481,
    ),
    ("Größe und Café", "groesse und cafe", 0.793236),
    ("", "a", 0.415481),
    ("日本語の文章です。", "これは日本語の文です。", 0.809536),
    ("  Tabs\tand\nlines \u200b here ", "tabs and lines here", 1.0),
    ("x" * 150 + " word", "word", 0.743723),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "expected"), REFERENCE)
def test_minilm_gives_the_cosines_of_sentence_transformers(one, other, expected):
    vectors = embedder_named("minilm").embed([one, other])
    assert cosine(*vectors) == pytest.approx(expected, abs=2e-6)


def test_minilm_gives_the_vector_of_sentence_transformers():
    [vector] = embedder_named("minilm").embed(["The committee approved the proposal."])
    assert len(vector) == 384
    assert cosine(vector, vector) == pytest.approx(1, abs=1e-6)
    assert vector[:5] == pytest.approx(
        [-0.026055, -0.025083, -0.029691, -0.014204, 0.02414], abs=2e-6
    )


def test_padding_changes_no_vector():
    texts = ["short", "a rather longer text about pumps and their seals", "short again"]
    model = embedder_named("minilm")
    MiniLM._known.clear()
    together = model.embed(texts)
    MiniLM._known.clear()
    apart = [model.embed([text])[0] for text in texts]
    assert np.allclose(together, apart, atol=1e-6)


def test_a_long_text_is_cut_between_words_and_nothing_is_lost():
    model = embedder_named("minilm")
    text = "catalyst " * 300
    windows = model.windows(text)
    assert "".join(windows) == text
    assert [len(window.split()) for window in windows] == [254, 46]
    assert model.windows("a short text") == ["a short text"]


def test_a_text_of_too_many_windows_is_not_measured():
    with pytest.raises(VerifierError, match="1,017 tokens") as caught:
        embedder_named("minilm").windows("word " * (4 * 254 + 1))
    assert caught.value.code == Code.TOO_LARGE


def test_minilm_never_cuts_in_silence():
    with pytest.raises(VerifierError) as caught:
        embedder_named("minilm").embed(["word " * 255])
    assert caught.value.code == Code.TOO_LARGE


def test_threads_share_one_model_and_get_the_same_vectors(monkeypatch):
    loads = []
    real = minilm._load
    monkeypatch.setattr(minilm, "_load", lambda folder: loads.append(folder) or real(folder))
    monkeypatch.setattr(MiniLM, "_loaded", None)
    MiniLM._known.clear()
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(embedder_named("minilm").embed(["pump"])))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(loads) == 1
    assert len(found) == 4
    assert np.allclose(found, found[0], atol=1e-7)


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        ("The proposal was not approved.", "The proposal was approved."),
        ("Revenue rose by 90 %.", "Revenue rose by 10 %."),
        ("A dose of 5 g was given.", "A dose of 5 mg was given."),
    ],
)
def test_the_real_model_finds_these_alike_and_the_guard_does_not(actual, expected):
    verdict = build(0.7).verify(actual, expected)
    assert verdict.details["cosine"] >= 0.7
    assert (verdict.score, verdict.passed) == (0, False)


def test_the_real_model_passes_a_paraphrase_and_fails_what_is_unrelated():
    reference = "The proposal was approved by the committee."
    assert build(0.9).verify("The committee approved the proposal.", reference).score == 0.976633
    unrelated = build(0.5).verify("A cat sits on the mat.", "The quarterly budget was revised.")
    assert not unrelated.passed
    assert unrelated.score < 0.2


def test_a_text_of_several_windows_is_compared_whole_and_says_so():
    text = "The pump runs. " * 100
    verdict = build(0.5).verify(text + "Its seal leaks badly.", text + "Nobody saw the cat.")
    assert verdict.details["windows"] == [2, 2]
    long = build(0.99).verify(
        "The pump runs. " * 60 + "A cat sleeps. " * 60, "The pump runs. " * 60
    )
    assert long.details["windows"] == [2, 1]
    assert "2 and 1 windows" in long.reason
    assert not long.passed  # the first 254 tokens are the same


def test_a_candidate_that_is_too_long_fails_and_an_expected_text_is_not_measured():
    assert not build().verify("a " * 10_001, "a pump").passed
    assert not build().verify("pump " * 2_000, "a pump").passed  # 2,000 tokens
    for text in ("a " * 10_001, "pump " * 2_000):
        with pytest.raises(VerifierError) as caught:
            build().verify("a pump", text)
        assert caught.value.code == Code.TOO_LARGE


def test_other_weights_than_the_published_ones_are_refused(tmp_path):
    (tmp_path / "model.safetensors").write_bytes(b"something else")
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(VerifierError, match="not the published file") as caught:
        minilm._load(tmp_path)
    assert caught.value.code == Code.EMBEDDER_FAILED


def test_hostile_text_gives_a_verdict_that_any_log_can_hold():
    verdict = build().verify("\ud800\u202e\x00 a b", "a pump\n" * 20)
    assert not verdict.passed
    assert "\ud800" not in verdict.model_dump_json()


def test_a_model_that_only_embeds_is_no_entailment_model():
    with pytest.raises(VerifierError, match="entails") as caught:
        build_verifier("semantic_similarity", threshold=0.5, mode="nli").verify("a pump", "a valve")
    assert caught.value.code == Code.NO_EMBEDDER
