"""Kinds by name: the package's own, and others'."""

import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest
from pydantic.dataclasses import dataclass

from creel_inspect.verify import (
    Example,
    Verifier,
    VerifierConfigError,
    build_verifier,
    passing,
    registry,
    verifier,
    verifier_from,
    verifier_kinds,
)
from creel_inspect.verify.registry import CONFIG

NINE = (
    "exact",
    "normalized",
    "numeric_tolerance",
    "set_match",
    "graph_match",
    "schema_constraint",
    "semantic_similarity",
    "llm_rubric",
    "composite",
)
NEEDED = {
    "schema_constraint": {"schema": {"type": "string"}},
    "semantic_similarity": {"threshold": 0.8},
    "llm_rubric": {"criterion": "says the same"},
    "composite": {"parts": {"same": "exact"}},
}


@dataclass(frozen=True, kw_only=True, config=CONFIG)
class Longer(Verifier):
    """At least so many characters."""

    least: int = 1

    def compare(self, actual, expected, context):
        return passing("long enough")

    @classmethod
    def self_test(cls):
        return (Example(actual="a", passes=True), Example(actual="", passes=False))


@pytest.fixture
def _others(monkeypatch):
    monkeypatch.setattr(registry, "_added", dict(registry._added))


def test_there_are_nine_kinds():
    assert verifier_kinds()[:9] == NINE  # other packages' kinds come after


@pytest.mark.parametrize("kind", NINE)
def test_a_key_that_a_kind_does_not_have_is_an_error_that_lists_those_it_has(kind):
    with pytest.raises(VerifierConfigError, match=r"has no key 'tolerence'.*keys are") as caught:
        build_verifier(kind, **NEEDED.get(kind, {}), tolerence=1)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("kind", NINE)
def test_a_built_verifier_knows_its_kind_and_is_documented(kind):
    made = build_verifier(kind, **NEEDED.get(kind, {}))
    assert made.kind == kind
    assert len(type(made).__doc__.splitlines()) > 3
    assert made.asks == (kind == "llm_rubric")


@pytest.mark.usefixtures("_others")
def test_the_decorator_adds_a_kind_and_no_name_is_taken_twice():
    verifier("longer")(Longer)
    assert verifier_kinds() == (*NINE, "longer")
    assert build_verifier("longer", least=3).least == 3
    with pytest.raises(VerifierConfigError, match=r"least.*'x'"):
        build_verifier("longer", least="x")
    verifier("longer")(Longer)  # the same again, as when a module is loaded twice

    class Other(Longer):
        pass

    for taken in ("longer", "exact"):
        with pytest.raises(VerifierConfigError, match="already called"):
            verifier(taken)(Other)


@pytest.mark.usefixtures("_others")
def test_an_entry_point_adds_a_kind_that_is_loaded_on_first_use(monkeypatch):
    points = {
        "longer": EntryPoint("longer", "tests.verify.test_registry:Longer", registry.GROUP),
        "broken": EntryPoint("broken", "no.such.module:Thing", registry.GROUP),
        "wrong": EntryPoint("wrong", "json:JSONDecoder", registry.GROUP),
    }
    monkeypatch.setattr(registry, "_from_others", lambda: points)
    assert verifier_kinds() == (*NINE, "broken", "longer", "wrong")
    assert build_verifier("longer").verify("abc").passed
    with pytest.raises(VerifierConfigError, match="does not load"):
        build_verifier("broken")
    with pytest.raises(VerifierConfigError, match="not a subclass"):
        build_verifier("wrong")


@pytest.mark.parametrize(
    "spec", ["exact", {"kind": "exact"}, {"kind": "exact", "numbers": "value"}]
)
def test_a_verifier_is_written_as_its_kind_or_as_a_mapping(spec):
    made = verifier_from(spec)
    assert made.kind == "exact"
    assert verifier_from(made) is made


@pytest.mark.parametrize(
    "spec",
    [None, 3, [], {}, {"kind": 3}, {"numbers": "value"}, "no_such_kind", {"kind": "e", 1: 2}],
)
def test_anything_else_is_told(spec):
    with pytest.raises(VerifierConfigError, match=r"a verifier|no verifier kind"):
        verifier_from(spec)


def test_verifiers_inside_each_other_have_an_end():
    spec = "exact"
    for _ in range(200):
        spec = {"kind": "composite", "parts": {"a": spec}}
    with pytest.raises(VerifierConfigError, match="nested"):
        verifier_from(spec)
    spec["parts"]["a"] = spec
    with pytest.raises(VerifierConfigError, match="nested"):
        verifier_from(spec)


def test_verify_loads_neither_inspect_nor_what_a_kind_needs():
    script = (
        "import sys, creel_inspect.verify as v; v.verifier_kinds(); "
        "print([m for m in ('inspect_ai', 'numpy', 'scipy', 'pint', 'jsonschema', 'networkx', "
        "'babel', 'rdkit', 'anyio') if m in sys.modules]); "
        "[v.verifier_class(k) for k in v.verifier_kinds()]; "
        "print([m for m in ('inspect_ai', 'openai', 'anthropic', 'torch') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[:2] == ["[]", "[]"]


@pytest.mark.parametrize(
    ("kind", "config", "said"),
    [
        (
            "normalized",
            {"steps": "casefold"},
            "normalized: steps: expected a list (came: 'casefold')",
        ),
        ("llm_rubric", {"criterion": "c", "scale": "1-5"}, "scale: expected a list (came: '1-5')"),
        ("llm_rubric", {"criterion": "c", "scale": (5, 1)}, "llm_rubric: a scale is two whole"),
        ("semantic_similarity", {}, "threshold"),
        ("exact", {"numbers": 3}, "numbers: expected 'typed' or 'value' (came: 3)"),
    ],
)
def test_an_error_says_where_what_was_expected_and_what_came(kind, config, said):
    with pytest.raises(VerifierConfigError) as caught:
        build_verifier(kind, **config)
    assert said in str(caught.value)
    assert "ArgsKwargs" not in str(caught.value)
    assert "pydantic" not in str(caught.value)
