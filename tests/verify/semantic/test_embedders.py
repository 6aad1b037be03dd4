"""The embedders: the embedded model, sentence-transformers, and services like OpenAI's."""

import asyncio
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import numpy as np
import pytest

from creel_inspect.verify import Code, Context, VerifierConfigError, VerifierError, build_verifier
from creel_inspect.verify.semantic.embedders import embedder_named
from creel_inspect.verify.semantic.embedders.sentence_transformers import SentenceTransformers


@pytest.mark.parametrize("name", ["minilm", "sentence-transformers:x", "openai:x"])
def test_a_missing_package_is_named_with_the_command_that_installs_it(name, monkeypatch):
    monkeypatch.setattr("creel_inspect.verify.semantic.embedders.find_spec", lambda package: None)
    with pytest.raises(VerifierError, match=r"pip install 'creel-inspect\[") as caught:
        build_verifier("semantic_similarity", threshold=0.5, embedder=name)._configured()
    assert caught.value.code == Code.NO_EMBEDDER


def test_a_missing_package_leaves_out_every_pair_and_not_only_some(monkeypatch):
    monkeypatch.setattr("creel_inspect.verify.semantic.embedders.find_spec", lambda package: None)
    verifier = build_verifier("semantic_similarity", threshold=0.5)
    for candidate in ("the same", "", None):
        with pytest.raises(VerifierError) as caught:
            verifier.verify(candidate, "the same")
        assert caught.value.code == Code.NO_EMBEDDER


@pytest.mark.parametrize(
    "name",
    ["", "MiniLM", "minilm:x", "openai", "openai:", "openai: ", "sentence-transformers", ":"],
)
def test_an_unknown_name_is_refused_when_the_verifier_is_built(name):
    with pytest.raises(VerifierConfigError, match="no embedder is called"):
        build_verifier("semantic_similarity", threshold=0.5, embedder=name)


# sentence-transformers itself is not needed by these tests: what it is asked is.


class FakeTokenizer:
    is_fast = True

    def num_special_tokens_to_add(self):
        return 2

    def __call__(self, text, pair=None, **options):
        assert options["truncation"] is False
        pieces = text.split(" ") + (pair.split(" ") if pair else [])
        ends = np.cumsum([len(piece) + 1 for piece in pieces])
        offsets = [
            (int(end) - len(p) - 1, int(end) - 1) for end, p in zip(ends, pieces, strict=True)
        ]
        words = list(range(len(pieces)))

        class Read(dict):
            def word_ids(self):
                return words

        return Read(input_ids=words, offset_mapping=offsets)


class FakeSentenceTransformer:
    max_seq_length = 5
    tokenizer = FakeTokenizer()

    def __init__(self, name):
        self.name = name

    def encode(self, texts, **options):
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)


class FakeCrossEncoder:
    max_length = 12
    tokenizer = FakeTokenizer()

    def __init__(self, name):
        labels = (
            {0: "LABEL_0"}
            if "rank" in name
            else {0: "contradiction", 1: "Entailment", 2: "neutral"}
        )
        self.config = SimpleNamespace(id2label=labels)

    def predict(self, pairs, **options):
        assert options["apply_softmax"] is True
        return np.array([[0.1, 0.9, 0.0], [0.5, 0.2, 0.3]][: len(pairs)])


@pytest.fixture
def fake_library(monkeypatch):
    library = SimpleNamespace(
        SentenceTransformer=FakeSentenceTransformer,
        CrossEncoder=FakeCrossEncoder,
        __spec__=SimpleNamespace(),
    )
    monkeypatch.setitem(sys.modules, "sentence_transformers", library)
    monkeypatch.setattr(SentenceTransformers, "_loaded", {})


def test_sentence_transformers_embeds_and_is_cut_into_windows_it_reads_whole(fake_library):
    embedder = embedder_named("sentence-transformers:some/model")
    assert embedder.embed(["ab", "abcd"]) == [[2.0, 1.0], [4.0, 1.0]]
    assert embedder.windows("a b c") == ["a b c"]
    assert embedder.windows("a b c d e") == ["a b c ", "d e"]


def test_a_cross_encoder_gives_the_probability_of_its_entailment_class(fake_library):
    verifier = build_verifier(
        "semantic_similarity",
        threshold=0.5,
        mode="nli",
        embedder="sentence-transformers:cross-encoder/nli",
    )
    verdict = verifier.verify("a cat sat", "an animal sat")
    assert (verdict.score, verdict.passed) == (0.2, False)
    assert verdict.details["candidate_entails_expected"] == 0.9


def test_a_cross_encoder_that_ranks_is_no_entailment_model(fake_library):
    embedder = embedder_named("sentence-transformers:cross-encoder/rank")
    with pytest.raises(VerifierError, match="no entailment model") as caught:
        embedder.entails([("a", "b")])
    assert caught.value.code == Code.NO_EMBEDDER


def test_a_pair_longer_than_the_cross_encoder_reads_is_not_judged(fake_library):
    embedder = embedder_named("sentence-transformers:cross-encoder/nli")
    with pytest.raises(VerifierError, match="reads 12 tokens") as caught:
        embedder.entails([("a " * 10, "b b b")])
    assert caught.value.code == Code.TOO_LARGE


# A service on the loopback interface.


class Service(BaseHTTPRequestHandler):
    status = 200
    asked: list = []  # noqa: RUF012

    def log_message(self, format, *args):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.asked.append((self.path, body))
        # Out of order, as a service may answer.
        data = [
            {
                "object": "embedding",
                "index": index,
                "embedding": [3.0, 4.0] if index else [1.0, 0.0],
            }
            for index in range(len(body["input"]))
        ][::-1]
        reply = {"object": "list", "data": data, "model": body["model"],
                 "usage": {"prompt_tokens": 1, "total_tokens": 1}}  # fmt: skip
        text = json.dumps(reply if self.status == 200 else {"error": {"message": "no such model"}})
        self.send_response(self.status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())


@pytest.fixture
def service(monkeypatch):
    handler = type("Handler", (Service,), {"asked": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_address[1]}/v1")
    yield handler
    server.shutdown()
    server.server_close()


@pytest.mark.loopback
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_service_is_asked_once_for_both_texts_and_its_order_is_put_right(service):
    verifier = build_verifier("semantic_similarity", threshold=0.5, embedder="openai:some-model")
    verdict = asyncio.run(verifier.averify("a blue pump", "a blue valve"))
    assert verdict.score == 0.6  # (1, 0) · (3, 4) / 5
    [(path, body)] = service.asked
    assert path == "/v1/embeddings"
    assert body["model"] == "some-model"
    assert body["input"] == ["a blue pump", "a blue valve"]


@pytest.mark.loopback
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_service_that_fails_is_not_measured(service):
    service.status = 400
    verifier = build_verifier("semantic_similarity", threshold=0.5, embedder="openai:some-model")
    with pytest.raises(VerifierError, match="no such model") as caught:
        asyncio.run(verifier.averify("a blue pump", "a blue valve"))
    assert caught.value.code == Code.EMBEDDER_FAILED


def test_a_service_must_be_awaited(monkeypatch):
    verifier = build_verifier("semantic_similarity", threshold=0.5, embedder="openai:some-model")
    with pytest.raises(VerifierError) as caught:
        verifier.verify("a", "b")
    assert caught.value.code == Code.MUST_BE_AWAITED


def test_a_service_without_a_key_says_which_variable_to_set():
    verifier = build_verifier("semantic_similarity", threshold=0.5, embedder="openai:some-model")
    with pytest.raises(VerifierError, match="OPENAI_API_KEY") as caught:
        asyncio.run(verifier.averify("a", "b", context=Context()))
    assert caught.value.code == Code.NO_EMBEDDER
