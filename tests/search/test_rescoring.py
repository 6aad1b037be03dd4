"""Scoring a log again: on the corpus it was about, and without a model."""

import math

from inspect_ai import score

from creel_inspect.search.scorer import search_answer
from tests.search.scripted import build, run
from tests.search.tiny_engine import TinyEngine


def rescored(log, **arguments):
    again = score(log, search_answer(**arguments), action="overwrite")
    [sample] = again.samples
    [found] = sample.scores.values()
    return found


def test_a_log_is_scored_again_on_the_engine_and_corpus_it_was_run_on():
    log = run([build({"after": 1815})], "after-1900")
    found = rescored(log, wrong_penalty=3)
    assert found.value["points"] == -3.0
    assert found.metadata["corpus_fingerprint"] == "books-1"


def test_a_corpus_that_has_changed_since_measures_nothing(monkeypatch):
    log = run([build({"after": 1900})], "after-1900")
    monkeypatch.setattr(TinyEngine, "corpus_fingerprint", "books-2")
    found = rescored(log)
    assert math.isnan(found.value)
    assert found.reason == "other_corpus"


def test_another_corpus_may_be_asked_for_by_name(monkeypatch):
    log = run([build({"after": 1900})], "after-1900")
    monkeypatch.setattr(TinyEngine, "corpus_fingerprint", "books-2")
    assert rescored(log, engine="tiny").value["correct"] == 1
