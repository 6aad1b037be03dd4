import builtins

import pytest

from creel_inspect.verify import VerifierConfigError, build_verifier

from .graphs import graph, renamed

CHAIN = graph({n: ("x", {"name": n}) for n in "abc"}, [("a", "r", "b"), ("b", "r", "c")])


@pytest.mark.parametrize(
    ("actual", "edits"),
    [
        (renamed(CHAIN), 0.0),
        (graph({n: ("x", {"name": n}) for n in "abc"}, [("a", "r", "b")]), 1.0),
        (graph({n: ("x", {"name": n}) for n in "ab"}, [("a", "r", "b")]), 2.0),
        (graph({n: ("x", {"name": n}) for n in "abc"}, [("a", "r", "b"), ("b", "s", "c")]), 1.0),
        (graph({}), 5.0),
    ],
)
def test_the_edit_distance_counts_edits(actual, edits):
    pytest.importorskip("networkx")
    verdict = build_verifier("graph_match", edit_distance=True).verify(actual, CHAIN)
    assert verdict.details["edit_distance"] == edits


def test_larger_graphs_have_no_edit_distance():
    pytest.importorskip("networkx")
    large = graph({str(n): ("x", {}) for n in range(7)})
    verdict = build_verifier("graph_match", edit_distance=True).verify(large, large)
    assert verdict.details["edit_distance"] is None


def test_without_networkx_it_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def without(name, *args, **more):
        if name == "networkx":
            raise ImportError(name)
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(VerifierConfigError, match="pip install"):
        build_verifier("graph_match", edit_distance=True)
