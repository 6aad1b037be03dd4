"""A case as a sample, and the case read back from it."""

import json

import pytest
from inspect_ai.dataset import Sample

from creel_inspect.extract.corpus.corpus import CorpusError, load_corpus
from creel_inspect.extract.samples import case_from, to_sample
from tests.extract import tiny


@pytest.fixture
def corpus(tmp_path):
    return load_corpus(str(tiny.write_corpus(tmp_path / "shelf")))


def logged(sample):
    """The sample as a log gives it back."""
    return Sample.model_validate_json(sample.model_dump_json())


def test_a_case_comes_back_from_the_log_as_it_was(corpus):
    case = corpus.cases[1]
    sample = logged(to_sample(case, corpus))
    assert sample.id == "shelf/one-book"
    back = case_from(sample.metadata, sample.target)
    assert back.corpus == "shelf"
    assert back.corpus_folder == corpus.folder
    assert (back.case, back.why, back.tags) == (case.id, case.why, case.tags)
    assert back.grammar == corpus.grammar
    assert back.grammar.digest == corpus.grammar.digest
    assert back.sources == case.sources
    assert back.expected == case.expected
    assert (back.evidence, back.verifiers) == (case.evidence, case.verifiers)
    assert back.corpus_digest == corpus.digest


def test_the_metadata_has_these_keys(corpus):
    sample = to_sample(corpus.cases[0], corpus)
    assert list(sample.metadata) == [
        "corpus",
        "corpus_folder",
        "case",
        "why",
        "tags",
        "grammar",
        "sources",
        "evidence",
        "verifiers",
        "corpus_digest",
    ]
    assert json.loads(json.dumps(sample.metadata)) == sample.metadata


def test_the_input_shows_each_source_under_its_name_and_no_gold(corpus):
    shown = to_sample(corpus.cases[1], corpus).input
    assert shown.startswith("**loans.csv**\n\n```csv\ntitle,borrower,weeks\n")
    assert "**note.md**\n\n```text\nAda Brown, who lives in Leeds" in shown
    assert "2021-03-05" not in shown
    assert "A value stands only in the table" not in shown


def test_a_source_cannot_close_its_block_and_a_long_one_is_cut(tmp_path):
    text = "```\n# A heading\n" + "x" * 100_000
    folder = tiny.write_corpus(
        tmp_path / "shelf",
        {"nothing-said/sources/note.md": text, "nothing-said/sources/void.txt": ""},
    )
    corpus = load_corpus(str(folder))
    sample = to_sample(corpus.cases[0], corpus)
    assert sample.input.startswith("**note.md**\n\n````text\n```\n# A heading\nxxx")
    assert sample.input.endswith("… (cut)\n````\n\n**void.txt**\n\n(empty)")
    assert sample.metadata["sources"] == {"note.md": text, "void.txt": ""}


@pytest.mark.parametrize("metadata", [None, {}, {"why": "x", "case": {"id": 1}}])
def test_a_sample_of_another_task_is_refused(metadata):
    with pytest.raises(CorpusError, match="no sample of the extraction task: its metadata has no"):
        case_from(metadata, "{}")


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("grammar", "rbm", "expected `grammar` to be a mapping, came 'rbm'"),
        ("grammar", {"id": "a", "nodes": 3}, "`grammar`: nodes: expected a mapping"),
        ("sources", {"a.md": 3}, "`sources` are texts by name"),
        ("sources", {"a.exe": "x"}, "'a.exe' is no source that can be read"),
        ("evidence", {"a": 3}, "`evidence`: 'a': expected a mapping"),
        ("tags", "a", "expected `tags` to be a list, came 'a'"),
        ("corpus_digest", None, "expected `corpus_digest` to be text, came None"),
    ],
)
def test_a_sample_that_was_changed_is_refused(corpus, key, value, said):
    sample = to_sample(corpus.cases[1], corpus)
    with pytest.raises(CorpusError) as error:
        case_from({**sample.metadata, key: value}, sample.target)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("", "the sample's target:1 is no JSON"),
        ("C", "the sample's target:1 is no JSON"),
        ('{"nodes": {}}', "the sample's target: expected a graph-v1 graph: "),
        ('{"nodes": {}, "edges": [NaN]}', "NaN is no number that JSON has"),
    ],
)
def test_a_target_that_is_no_graph_is_refused(corpus, target, said):
    sample = to_sample(corpus.cases[1], corpus)
    with pytest.raises(CorpusError) as error:
        case_from(sample.metadata, target)
    assert said in str(error.value)
