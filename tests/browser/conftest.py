"""Tests of what a person sees, in a real browser: collected where there is one.

`.ci/run` installs a browser where the machine lets it, and then runs them apart.
"""

import importlib.util

from tests.browser.viewing import CHROMIUM

collect_ignore = (
    []
    if CHROMIUM and importlib.util.find_spec("playwright")
    else ["test_compare_page.py", "test_extraction_page.py"]
)
