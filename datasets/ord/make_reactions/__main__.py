"""Write the demo reactions: ``python datasets/ord/make_reactions``.

The same program with the same RDKit writes the same reactions, byte for byte. ``--out`` writes
them elsewhere; ``--list`` prints what is planted, one reaction a line, and writes nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from arrivals import index
from campaigns import ordinary
from dice import digest
from ord_schema import parquet
from ord_schema.artifacts import history
from ord_schema.proto import dataset_pb2
from plants import planted
from rdkit import RDLogger
from record import Json, to_message

# Taken over from ord-schema's own questions, one of which names it, so that it has an answer here.
_NAMED_IDS = {"suzuki": "ord_dataset-46ff9a32d9e04016b9380b1b1ef949c3"}
_NOTICE = (
    "Synthetic data, made by a script; no experiment was performed. Compounds, conditions, "
    "results, people, dates and references are invented to test searches, and say nothing "
    "about chemistry. Products follow from reactants through reaction templates. "
)


def dataset_id(theme: str) -> str:
    """Return the id of the dataset on ``theme``."""
    return _NAMED_IDS.get(theme) or f"ord_dataset-{digest('dataset', theme)}"


def _dataset(
    theme: str, title: str, purpose: str, content: list[tuple[str, Json]]
) -> dataset_pb2.Dataset:
    slugs = [slug for slug, _ in content]
    twice = sorted({slug for slug in slugs if slugs.count(slug) > 1})
    if twice:
        raise ValueError(f"dataset {theme!r} names reactions twice: {twice}; rename one of each")
    return dataset_pb2.Dataset(
        dataset_id=dataset_id(theme),
        name=f"Synthetic reactions: {title}",
        description=_NOTICE + purpose,
        reactions=[to_message(slug, record) for slug, record in content],
    )


def datasets() -> Iterator[tuple[str, dataset_pb2.Dataset]]:
    """Yield every dataset with its theme, which names its file."""
    plants: dict[str, list[tuple[str, Json]]] = {}
    for plant in planted():
        plants.setdefault(plant.theme, []).append((plant.slug, plant.record()))
    for campaign, content in ordinary():
        purpose = f"Theme: {campaign.title}."
        grown = content + plants.pop(campaign.theme, [])
        yield campaign.theme, _dataset(campaign.theme, campaign.title, purpose, grown)
    purpose = "Each reaction differs from a plain one in a detail that a wrong query overlooks."
    yield (
        "plants",
        _dataset("plants", "counterexamples, planned one by one", purpose, plants.pop("plants")),
    )
    if plants:
        raise ValueError(f"plants name datasets that do not exist: {sorted(plants)}")


def write(out: Path) -> None:
    """Write the source datasets and the arrivals index beneath ``out``."""
    (out / "reactions").mkdir(parents=True, exist_ok=True)
    made = list(datasets())
    for theme, dataset in made:
        path = out / "reactions" / f"{theme}.parquet"
        parquet.save_dataset(dataset, path)
        path.chmod(0o644)  # ord-schema's writer leaves them to their owner alone
        print(f"{theme}: {len(dataset.reactions)} reactions in {dataset.dataset_id}")
    commits = out / "arrivals_index.parquet"
    history.write_index(index([dataset for _, dataset in made]), commits)
    commits.chmod(0o644)


def _list() -> None:
    for campaign, content in ordinary():
        print(f"# {campaign.theme}\t{dataset_id(campaign.theme)}\t{len(content)} reactions")
    print(f"# plants\t{dataset_id('plants')}")
    for plant in planted():
        print(f"ord-{digest('reaction', plant.slug)}\t{plant.slug}\t{plant.separates}")


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--out", type=Path, default=Path(__file__).parent.parent, help="default: datasets/ord"
    )
    parser.add_argument("--list", action="store_true", help="print what is planted")
    arguments = parser.parse_args()
    RDLogger.DisableLog("rdApp.*")  # type: ignore[attr-defined]
    if arguments.list:
        _list()
    else:
        write(arguments.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
