"""A small corpus of random reactions in which anything may be absent."""

import random
from collections import Counter
from contextlib import ExitStack, contextmanager

import pyarrow as pa
from ord_schema import parquet
from ord_schema.artifacts import arrivals, history, pivot, projection, structures
from ord_schema.proto import dataset_pb2, reaction_pb2
from ord_schema.search import execute
from ord_schema.search import query as grammar

from tests.search.spelling import COMPONENTS, MEASURED


def _maybe(chance, value):
    return value() if chance.random() < 0.7 else None


def _reaction(chance, number):
    """Anything may be absent, so that absent, false, empty and zero all occur beside each other."""
    reaction = reaction_pb2.Reaction(reaction_id=f"ord-{number:04d}")
    kelvin = _maybe(chance, lambda: chance.choice([195.15, 300, 349, 349.5, 350, 351]))
    if kelvin is not None:
        celsius = kelvin == 195.15
        setpoint = reaction.conditions.temperature.setpoint
        setpoint.value, setpoint.units = (-78, "CELSIUS") if celsius else (kelvin, "KELVIN")
    rpm = _maybe(chance, lambda: chance.choice([0, 10, 11, 12]))
    if rpm is not None:
        reaction.conditions.stirring.rate.rpm = rpm
    automated = _maybe(chance, lambda: chance.random() < 0.5)
    if automated is not None:
        reaction.setup.is_automated = automated
    platform = _maybe(chance, lambda: chance.choice(["Mosquito", "a mosquito", "Mosquito LV"]))
    if platform is not None:
        reaction.setup.automation_platform = platform
    if chance.random() < 0.7:
        day = chance.choice([30, 31])
        reaction.provenance.record_created.time.value = f"2024-12-{day}T10:00:00"
    for _ in range(chance.choice([0, 1, 1, 2])):
        component = reaction.inputs[f"in {chance.random()}"].components.add()
        role = _maybe(chance, lambda: chance.choice(["SOLVENT", "REACTANT", "CATALYST"]))
        if role is not None:
            component.reaction_role = reaction_pb2.ReactionRole.ReactionRoleType.Value(role)
        limiting = _maybe(chance, lambda: chance.random() < 0.5)
        if limiting is not None:
            component.is_limiting = limiting
        smiles = _maybe(
            chance,
            lambda: chance.choice(
                ["c1ccncc1", "c1cc[nH+]cc1", "C[C@H](N)C(=O)O", "C[C@@H](N)C(=O)O", "[Pd]"]
            ),
        )
        if smiles is not None:
            component.identifiers.add(type="SMILES", value=smiles)
        grams = _maybe(chance, lambda: chance.choice([0.1, 5, 10]))
        if grams is not None:
            component.amount.mass.value, component.amount.mass.units = grams, "GRAM"
    for _ in range(chance.choice([0, 1, 2])):
        outcome = reaction.outcomes.add()
        for _ in range(chance.choice([0, 1, 1, 2])):
            product = outcome.products.add()
            desired = _maybe(chance, lambda: chance.random() < 0.5)
            if desired is not None:
                product.is_desired_product = desired
            product.identifiers.add(
                type="SMILES", value=chance.choice(["CCO", "c1ccccc1-c1ccccc1"])
            )
            for _ in range(chance.choice([0, 1, 2])):
                measurement = product.measurements.add(analysis_key="a")
                kind = _maybe(chance, lambda: chance.choice(["YIELD", "PURITY"]))
                if kind is not None:
                    types = reaction_pb2.ProductMeasurement.ProductMeasurementType
                    measurement.type = types.Value(kind)
                percent = _maybe(chance, lambda: chance.choice([20, 50, 50.1, 90]))
                if percent is not None:
                    measurement.percentage.value = percent
    return reaction


@contextmanager
def opened(root):
    """One corpus of 80 random reactions, opened with its pivots and without them."""
    chance = random.Random(8)
    reactions = [_reaction(chance, number) for number in range(80)]
    source = root / "data" / "ord_dataset-aa.parquet"
    made = {name: root / name / source.name for name in ("projections", "structures", "arrivals")}
    for path in (source, *made.values()):
        path.parent.mkdir(parents=True)
    dataset = dataset_pb2.Dataset(
        dataset_id="ord_dataset-aa", name="a", description="random", reactions=reactions
    )
    parquet.save_dataset(dataset, str(source))
    projection.write_projection(source, made["projections"])
    structures.write_structures(made["projections"], made["structures"])
    rows = [
        {
            "reaction_id": reaction.reaction_id,
            **dict.fromkeys([field.name for field in history.TYPE]),
            "sha": "0" * 40,
            "timestamp": chance.choice([0, 86_400_000_000]),
            "utc_offset_minutes": 0,
            "dataset_id": "ord_dataset-aa",
        }
        for reaction in reactions
    ]
    schema = history.INDEX_SCHEMA
    columns = [pa.array([row[field.name] for row in rows]).cast(field.type) for field in schema]
    index = history.Index(pa.table(columns, schema=schema), ["0" * 40])
    arrivals.write_arrivals(made["projections"], made["arrivals"], index=index)
    for level in (COMPONENTS, "outcomes", "outcomes.products", MEASURED):
        output = root / "pivots" / level / source.name
        output.parent.mkdir(parents=True)
        pivot.write_pivot(made["projections"], output, level_path=level)
    with ExitStack() as stack:
        yield [
            stack.enter_context(
                execute.Corpus(
                    str(made["projections"]),
                    str(made["structures"]),
                    arrivals_pattern=str(made["arrivals"]),
                    resolver={}.__getitem__,
                    pivots_dir=pivots,
                    max_rows=None,
                    threads=1,
                )
            )
            for pivots in (str(root / "pivots"), None)
        ]


def answer(corpus, query):
    """The rows of an answer as a multiset, less groups whose every measure is absent.

    Reals are given to nine figures, since sums may be taken in another order.
    """
    table = corpus.search(grammar.Query.model_validate(query), timeout_seconds=60)
    aggregate = query.get("aggregate") or {"measures": []}
    measures = [measure["name"] for measure in aggregate["measures"]]
    grouped = bool(aggregate.get("group_by"))
    return Counter(
        tuple(
            (name, f"{value:.9g}" if isinstance(value, float) else value)
            for name, value in sorted(row.items())
        )
        for row in table.to_pylist()
        if not grouped or any(row[name] is not None for name in measures)
    )
