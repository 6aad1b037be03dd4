"""Corpora of a few reactions for the real ord-schema to derive, and where tests keep them."""

from pathlib import Path
from typing import Any

from ord_schema import datasets
from ord_schema.proto import dataset_pb2
from ord_schema.search import query
from ord_schema.search.execute import Corpus

from creel_inspect.search.corpus import (
    Artifacts,
)

NITROBENZENE, ANILINE, TOLUENE = "O=[N+]([O-])c1ccccc1", "Nc1ccccc1", "Cc1ccccc1"
NITRO = {"op": "substructure", "path": "smiles", "smarts": "[N+](=O)[O-]"}
USES_NITRO = {"where": {"op": "exists", "path": "inputs.components", "where": NITRO}}


def dataset(number: int = 1, smiles: tuple[str, ...] = (NITROBENZENE, TOLUENE)) -> Any:
    """A dataset with one reaction per input; ids follow from `number` and position."""
    message = dataset_pb2.Dataset(
        name=f"set {number}", description="for tests", dataset_id=f"ord_dataset-{number:032x}"
    )
    for position, each in enumerate(smiles):
        reaction = message.reactions.add(reaction_id=f"ord-{number * 16 + position:032x}")
        component = reaction.inputs["a"].components.add(reaction_role="REACTANT")
        component.identifiers.add(type="SMILES", value=each)
        product = reaction.outcomes.add().products.add(is_desired_product=True)
        product.identifiers.add(type="SMILES", value=ANILINE)
        product.measurements.add(type="YIELD").percentage.value = 10.5 + position
        # An older spelling that no parser of dates reads.
        reaction.provenance.record_created.time.value = "sometime in Spring 2019, µ"
    return message


def reaction_id(number: int, position: int) -> str:
    return f"ord-{number * 16 + position:032x}"


def save(message: Any, path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    datasets.save_dataset(message, path)
    return path


def ids(artifacts: Artifacts, request: dict[str, Any]) -> set[str]:
    with opened(artifacts) as searched:
        table = searched.search(query.Query.model_validate(request))
    return set(table.column("reaction_id").to_pylist())


def opened(artifacts: Artifacts) -> Corpus:
    return Corpus(
        artifacts.projections,
        artifacts.structures,
        arrivals_pattern=artifacts.arrivals,
        pivots_dir=artifacts.pivots_dir,
        occurrences_dir=artifacts.occurrences_dir,
        resolver=lambda name: name,
        max_rows=None,
    )


def kept(cache: Path) -> list[Path]:
    """What is in the cache, finished or not, but for locks."""
    return [path for path in cache.iterdir() if path.suffix != ".lock"]
