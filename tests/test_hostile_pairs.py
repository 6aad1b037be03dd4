"""The hostile and the equal pairs of the benchmark, a few of each."""

import pytest
from equal_pairs import equal
from hostile import run
from hostile_pairs import hostile

from creel_inspect.verify import verifier_kinds

FEW = 3_000


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("pairs", "must_pass"), [(hostile, False), (equal, True)])
def test_no_hostile_pair_passes_every_equal_pair_does_and_nothing_breaks(pairs, must_pass, seed):
    found, breaches = run(pairs(FEW, seed), must_pass=must_pass, most_seconds=None)
    assert breaches == []
    assert sum(counts.total() for counts, _ in found.values()) == FEW
    assert all(found[kind][0].total() > 50 for kind in verifier_kinds())
