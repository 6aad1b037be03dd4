"""Where what is derived is kept between runs."""

import os
from pathlib import Path

import platformdirs

CACHE_VARIABLE = "CREEL_INSPECT_CACHE"


def cache_folder(kind: str) -> Path:
    """The folder for one kind of thing, in the user's cache or where CREEL_INSPECT_CACHE points."""
    chosen = os.environ.get(CACHE_VARIABLE)
    root = Path(chosen).expanduser() if chosen else platformdirs.user_cache_path("creel-inspect")
    return root.absolute() / kind
