"""Policies as files and mappings: what is read, what is refused, and where it says the fault is."""

import json
from pathlib import Path

import pytest

from creel_inspect.extract.files.reading import CorpusError
from creel_inspect.extract.grammar.model import PRIMITIVES
from creel_inspect.extract.policy.default_verifier import NATURES
from creel_inspect.extract.policy.policy import MOST_PATHS, load_policy, policy_from
from creel_inspect.verify import build_verifier

STRICT = """\
description: Amounts to the cent.
defaults:
  decimal: {kind: numeric_tolerance, abs: 0.005}
  enum: exact
verifiers:
  # names as they are written
  node.party: normalized
  edge.funds.amount:
    kind: numeric_tolerance
    rel: 0.01
"""


@pytest.fixture
def corpus(tmp_path) -> Path:
    folder = tmp_path / "shelf"
    (folder / "policies").mkdir(parents=True)
    (folder / "policies" / "strict.yaml").write_text(STRICT)
    (folder / "policies" / "lenient.yaml").write_text("defaults: {any: normalized}\n")
    return folder


def policy_of(corpus: Path, text: str):
    (corpus / "policies" / "made.yaml").write_text(text)
    return load_policy("made", corpus)


def refused(corpus: Path, text: str) -> str:
    with pytest.raises(CorpusError) as caught:
        policy_of(corpus, text)
    return str(caught.value)


# Reading


def test_a_policy_is_found_by_its_name(corpus):
    policy = load_policy("strict", corpus)
    assert policy.name == "strict"
    assert policy.source == "policies/strict.yaml"
    assert policy.description == "Amounts to the cent."
    assert policy.defaults == {
        "decimal": build_verifier("numeric_tolerance", abs=0.005),
        "enum": build_verifier("exact"),
    }
    assert policy.verifiers == {
        "node.party": build_verifier("normalized"),
        "edge.funds.amount": build_verifier("numeric_tolerance", rel=0.01),
    }


def test_what_is_written_is_kept_as_it_is_written(corpus):
    assert load_policy("strict", corpus).written == {
        "defaults.decimal": {"kind": "numeric_tolerance", "abs": 0.005},
        "defaults.enum": "exact",
        "node.party": "normalized",
        "edge.funds.amount": {"kind": "numeric_tolerance", "rel": 0.01},
    }


def test_a_file_is_found_by_its_path_wherever_it_is(corpus, tmp_path):
    elsewhere = tmp_path / "mine.yaml"
    elsewhere.write_text("defaults: {any: exact}\n")
    policy = load_policy(str(elsewhere), corpus)
    assert (policy.name, policy.source) == ("mine", "mine.yaml")
    assert load_policy(str(elsewhere), None) == policy


def test_the_path_of_a_corpus_s_own_file_is_the_same_policy(corpus):
    path = corpus / "policies" / "strict.yaml"
    assert load_policy(str(path), corpus) == load_policy("strict", corpus)


def test_a_path_is_followed_through_a_link(corpus, tmp_path):
    link = tmp_path / "linked.yaml"
    link.symlink_to(corpus / "policies" / "strict.yaml")
    assert load_policy(str(link), None).digest == load_policy("strict", corpus).digest
    assert load_policy(str(link), None).name == "linked"


def test_an_empty_part_holds_nothing(corpus):
    policy = policy_of(corpus, "description:\ndefaults:\nverifiers: {}\n")
    assert (policy.description, policy.defaults, policy.verifiers) == ("", {}, {})


def test_an_unknown_name_is_answered_with_the_names_that_there_are(corpus):
    with pytest.raises(CorpusError, match="'strikt': shelf/policies has lenient, strict, default;"):
        load_policy("strikt", corpus)


@pytest.mark.parametrize("policies", ["a file", None])
def test_a_corpus_without_policies_has_the_built_in_one(tmp_path, policies):
    if policies:
        (tmp_path / "policies").write_text(policies)
    assert load_policy("default", tmp_path) == policy_from(None)
    with pytest.raises(CorpusError, match="policies has default;"):
        load_policy("strict", tmp_path)


def test_without_a_corpus_there_is_only_the_built_in_policy():
    with pytest.raises(CorpusError, match=r"'strict'.*no corpus.*default"):
        load_policy("strict", None)
    assert load_policy("default", None) == policy_from(None)


def test_a_corpus_may_have_a_default_of_its_own(corpus):
    (corpus / "policies" / "default.yaml").write_text("defaults: {any: exact}\n")
    assert load_policy("default", corpus).source == "policies/default.yaml"


@pytest.mark.parametrize(
    "name", ["../strict", "a/b", "", ".", "..", "/etc/passwd", "a\0b", "x" * 101]
)
def test_a_name_has_no_parts_of_a_path(corpus, name):
    with pytest.raises(CorpusError, match="is no policy's name"):
        load_policy(name, corpus)


@pytest.mark.parametrize("path", ["nowhere.yaml", "a\0b.yaml", "policies.yaml/x.yml"])
def test_a_file_that_is_not_there_is_an_error_in_words(corpus, path):
    with pytest.raises(CorpusError):
        load_policy(path, corpus)


def test_a_link_that_leads_out_of_the_corpus_is_not_followed_by_name(corpus, tmp_path):
    (tmp_path / "outside.yaml").write_text("defaults: {any: exact}\n")
    (corpus / "policies" / "sly.yaml").symlink_to(tmp_path / "outside.yaml")
    with pytest.raises(CorpusError, match="leads out of"):
        load_policy("sly", corpus)


# The digest


def test_a_comment_the_description_and_the_order_of_keys_do_not_change_the_digest(corpus):
    other = """\
# another comment
verifiers:
  edge.funds.amount: {rel: 0.010, kind: numeric_tolerance}
  node.party: {kind: normalized}
defaults: {enum: exact, decimal: {abs: 5e-3, kind: numeric_tolerance}}
description: Said differently.
"""
    assert policy_of(corpus, other).digest == load_policy("strict", corpus).digest


@pytest.mark.parametrize(
    ("old", "new"),
    [("0.005", "0.006"), ("enum", "any"), ("node.party", "node.party.name"), ("rel", "abs")],
)
def test_whatever_counts_changes_the_digest(corpus, old, new):
    changed = policy_of(corpus, STRICT.replace(old, new, 1))
    assert changed.digest != load_policy("strict", corpus).digest
    assert len(changed.digest) == 12
    assert set(changed.digest) <= set("0123456789abcdef")


def test_the_order_of_a_cascade_is_part_of_the_digest():
    def digest(*parts: str) -> str:
        spec = {"kind": "composite", "mode": "cascade", "parts": {one: one for one in parts}}
        return policy_from({"defaults": {"any": spec}}).digest

    assert digest("exact", "normalized") != digest("normalized", "exact")


def test_the_same_verifier_as_a_default_and_as_a_path_are_two_policies():
    default = policy_from({"defaults": {"any": "exact"}})
    assert default.digest != policy_from({"verifiers": {"node": "exact"}}).digest


# What is refused, and where


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- a\n", "policies/made.yaml:1: a policy is a mapping"),
        ("verifiers: {}\ndefault: {}\n", "policies/made.yaml:2: a policy has no key 'default'"),
        ("defaults: exact\n", "policies/made.yaml:1: `defaults` is a mapping to verifiers"),
        ("verifiers: []\n", "policies/made.yaml:1: `verifiers` is a mapping to verifiers"),
        ("verifiers: false\n", "policies/made.yaml:1: `verifiers` is a mapping to verifiers"),
        ("description: [a]\n", "policies/made.yaml:1: expected text, came ['a']"),
        (
            "defaults:\n  number: exact\n",
            "policies/made.yaml:2: defaults has no range 'number': expected one of integer, ",
        ),
        (
            "verifiers:\n  node.a: exact\n  node.b: exakt\n",
            "policies/made.yaml:3: node.b: no verifier kind is called 'exakt'",
        ),
        (
            "verifiers:\n  node.b:\n    kind: numeric_tolerance\n    rel: -1\n",
            "policies/made.yaml:2: node.b: numeric_tolerance: rel: ",
        ),
        ("defaults:\n  enum: 3\n", "policies/made.yaml:2: enum: a verifier is written as its kind"),
        ("defaults:\n  enum:\n", "policies/made.yaml:2: enum: a verifier is written as its kind"),
        (
            "verifiers:\n  project.title: exact\n",
            "policies/made.yaml:2: 'project.title' is no taxo",
        ),
        ("verifiers:\n  graph.x: exact\n", "policies/made.yaml:2: 'graph.x' is no taxonomy path"),
        ("verifiers:\n  node.: exact\n", "policies/made.yaml:2: 'node.' is no taxonomy path"),
        ("verifiers:\n  default: exact\n", "policies/made.yaml:2: 'default' is no taxonomy path"),
        ("verifiers:\n  nodes: exact\n", "policies/made.yaml:2: 'nodes' is no taxonomy path"),
        ("verifiers:\n  node.a: &x exact\n", "policies/made.yaml:2"),
    ],
)
def test_a_mistake_is_told_with_its_file_its_line_and_its_path(corpus, text, message):
    assert message in refused(corpus, text)


def test_a_policy_has_a_most_of_paths(corpus):
    lines = "".join(f"  node.t{number}: exact\n" for number in range(MOST_PATHS))
    assert len(policy_of(corpus, f"verifiers:\n{lines}").verifiers) == MOST_PATHS
    assert "at most 2,000" in refused(corpus, f"verifiers:\n{lines}  node.more: exact\n")


def test_a_mapping_s_mistakes_name_the_policy_and_the_path():
    with pytest.raises(CorpusError, match=r"policy mine, verifiers: node\.a: no verifier kind"):
        policy_from({"verifiers": {"node.a": "exakt"}}, "mine")
    with pytest.raises(CorpusError, match="policy mine, verifiers: expected keys that are text"):
        policy_from({"verifiers": {3: "exact"}}, "mine")
    with pytest.raises(CorpusError, match="policy mine: a policy is a mapping"):
        policy_from("strict", "mine")


# From Python


def test_a_mapping_may_hold_verifiers_that_are_built():
    built = build_verifier("numeric_tolerance", rel=0.01)
    policy = policy_from({"verifiers": {"node.a.b": built}}, "mine")
    assert policy.verifiers["node.a.b"] is built
    assert json.loads(json.dumps(policy.written))["node.a.b"]["kind"] == "numeric_tolerance"
    other = build_verifier("numeric_tolerance", rel=0.02)
    assert policy_from({"verifiers": {"node.a.b": other}}).digest != policy.digest
    same = build_verifier("numeric_tolerance", rel=0.01)
    assert policy_from({"verifiers": {"node.a.b": same}}).digest == policy.digest


def test_the_built_in_policy_has_a_kind_for_every_range_and_needs_no_judge():
    policy = policy_from(None)
    assert policy.name == "default"
    assert set(policy.defaults) == {*PRIMITIVES, "enum"}
    assert set(NATURES) == {*PRIMITIVES, "enum", "any"}
    assert not any(one.asks for one in policy.defaults.values())


@pytest.mark.parametrize(
    ("range_", "actual", "expected", "passes"),
    [
        ("integer", "1,200,000 ", 1200000, True),
        ("integer", 1200001, 1200000, False),
        ("decimal", 0.1, 0.1, True),
        ("decimal", 0.1 + 0.2, 0.3, False),
        ("float", 0.1 + 0.2, 0.3, True),
        ("float", 0.3000001, 0.3, False),
        ("date", "5 March 2021", "2021-03-05", True),
        ("date", "March 2021", "2021-03-05", False),
        ("datetime", "2021-03-05 10:30", "2021-03-05T10:30", True),
        ("boolean", True, True, True),
        ("boolean", 1, True, False),
        ("enum", "USD", "EUR", False),
        ("enum", "usd", "USD", False),
        ("string", " Clean  water", "clean water", True),
        ("string", "dirty water", "clean water", False),
    ],
)
def test_the_built_in_policy_compares_each_range_by_its_meaning(range_, actual, expected, passes):
    assert policy_from(None).defaults[range_].verify(actual, expected).passed is passes
