"""The bundled demo reactions: how they are made, and that they hold what questions need."""

import datetime
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from ord_schema import message_helpers, parquet, validations
from ord_schema.artifacts import history, projection
from ord_schema.proto import reaction_pb2
from rdkit import Chem, RDLogger

ORD = Path(__file__).parents[2] / "datasets" / "ord"
FILES = sorted((ORD / "reactions").glob("*.parquet"))
INDEX = ORD / "arrivals_index.parquet"
COMPOUND = reaction_pb2.CompoundIdentifier
ROLE = reaction_pb2.ReactionRole


@pytest.fixture(scope="module", autouse=True)
def quiet_rdkit():
    RDLogger.DisableLog("rdApp.*")
    yield
    RDLogger.EnableLog("rdApp.*")


@pytest.fixture(scope="module")
def reactions() -> list[reaction_pb2.Reaction]:
    return [
        reaction for path in FILES for _, reaction in parquet.DatasetView(path).iter_reactions()
    ]


@pytest.fixture(scope="module")
def rows(reactions) -> list[dict]:
    """Every reaction as the search engine sees it."""
    return [projection.message_row(reaction) for reaction in reactions]


@pytest.fixture(scope="module")
def regenerated(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("regenerated")
    command = [sys.executable, str(ORD / "make_reactions"), "--out", str(out)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return out


def canonical(reaction: reaction_pb2.Reaction) -> bytes:
    """The reaction with each structure spelled by the RDKit at hand: releases spell differently."""
    copy = reaction_pb2.Reaction.FromString(reaction.SerializeToString())
    for compound in compounds(copy):
        for identifier in compound.identifiers:
            if identifier.type in (COMPOUND.SMILES, COMPOUND.CXSMILES):
                identifier.value = (
                    message_helpers.canonical_smiles_for_identifier(
                        identifier.type, identifier.value
                    )
                    or identifier.value
                )
    return copy.SerializeToString(deterministic=True)


def compounds(reaction: reaction_pb2.Reaction) -> Iterator:
    for kind in (reaction_pb2.Compound, reaction_pb2.ProductCompound):
        yield from message_helpers.find_submessages(reaction, kind)


def components(row: dict) -> list[dict]:
    return [part for _, added in row["inputs"] for part in added["components"] or []]


def measurements(row: dict) -> list[tuple[dict, dict]]:
    return [
        (product, measured)
        for outcome in row["outcomes"]
        for product in outcome["products"] or []
        for measured in product["measurements"] or []
    ]


def is_high_yield(measured: dict) -> bool:
    share = (measured["percentage"] or {}).get("value")
    return measured["type"] == "YIELD" and share is not None and share > 50


def elements(compound) -> set[str]:
    smiles = message_helpers.smiles_from_compound(compound)
    if smiles is None:
        return set()
    return {atom.GetSymbol() for atom in Chem.MolFromSmiles(smiles).GetAtoms()}


def test_the_corpus_is_large_enough_and_small_enough(reactions):
    assert len(FILES) >= 5
    assert len(reactions) >= 450
    assert sum(path.stat().st_size for path in [*FILES, INDEX]) < 700_000


def test_making_the_reactions_again_gives_the_ones_that_are_shipped(regenerated):
    again = sorted((regenerated / "reactions").glob("*.parquet"))
    assert [path.name for path in again] == [path.name for path in FILES]
    for before, after in zip(FILES, again, strict=True):
        shipped, made = parquet.DatasetView(before), parquet.DatasetView(after)
        assert (made.dataset_id, made.name, made.description) == (
            shipped.dataset_id,
            shipped.name,
            shipped.description,
        )
        if made.md5() != shipped.md5():  # another RDKit may spell a product otherwise
            assert [canonical(one) for _, one in made.iter_reactions()] == [
                canonical(one) for _, one in shipped.iter_reactions()
            ]


def test_making_the_arrivals_again_gives_the_ones_that_are_shipped(regenerated):
    shipped, made = map(history.read_index, (INDEX, regenerated / INDEX.name))
    assert made.chain == shipped.chain
    assert made.table.equals(shipped.table)


def test_every_dataset_says_that_it_is_synthetic():
    for view in map(parquet.DatasetView, FILES):
        assert view.name.startswith("Synthetic reactions: ")
        assert "made by a script; no experiment was performed" in view.description


def test_every_id_is_well_formed_and_used_once(reactions):
    views = [parquet.DatasetView(path) for path in FILES]
    assert all(validations.is_valid_dataset_id(view.dataset_id) for view in views)
    assert len({view.dataset_id for view in views}) == len(FILES)
    assert all(validations.is_valid_reaction_id(one.reaction_id) for one in reactions)
    assert len({one.reaction_id for one in reactions}) == len(reactions)


def test_ord_schema_finds_no_error_and_few_oddities():
    tolerated = (
        "Percentage values are 0-100, not fractions",
        "Percentage value (104.0) is outside the expected range",  # a product weighed wet
        "Compounds should have more specific identifiers than NAME",
        "YIELD measurements should be defined as percentage values if possible",
        "Product measurements should be associated with an analysis",
    )
    validations.validate_datasets({path.name: parquet.DatasetView(path) for path in FILES})
    for path in FILES:
        for _, reaction in parquet.DatasetView(path).iter_reactions():
            options = validations.ValidationOptions(validate_ids=True)
            found = validations.validate_message(reaction, options=options)
            for warning in found.warnings:
                assert any(known in warning for known in tolerated), (reaction.reaction_id, warning)


def test_no_product_holds_an_element_that_its_inputs_lack(reactions):
    for reaction in reactions:
        inputs = [part for added in reaction.inputs.values() for part in added.components]
        available = set().union(*map(elements, inputs)) | {"H"}
        for outcome in reaction.outcomes:
            for made in outcome.products:
                assert elements(made) <= available, reaction.reaction_id


def test_every_reaction_arrives_once_and_not_before_its_record_was_made(reactions):
    index = history.read_index(INDEX)
    arrived = {row["reaction_id"]: row for row in index.table.to_pylist()}
    assert index.table.num_rows == len(reactions)
    assert {row["sha"] for row in arrived.values()} <= set(index.chain)
    for reaction in reactions:
        created = reaction.provenance.record_created.time.value[:10]
        day = arrived[reaction.reaction_id]["timestamp"].date()
        assert day >= datetime.date.fromisoformat(created)
    years = {row["timestamp"].year for row in arrived.values()}
    assert years == set(range(2021, 2027))


@pytest.mark.parametrize("edge", [250.0, 300.0, 350.0, 400.0])
def test_a_temperature_stands_on_each_side_of_a_boundary_and_on_it(rows, edge):
    setpoints = {
        ((row["conditions"] or {}).get("temperature") or {}).get("setpoint_kelvin") for row in rows
    }
    assert {edge - 1, edge, edge + 1} <= setpoints


@pytest.mark.parametrize("edge", [5.0, 20.0, 50.0, 60.0, 70.0, 80.0, 90.0, 95.0])
def test_a_yield_stands_on_each_side_of_a_boundary_and_on_it(rows, edge):
    yields = {
        measured["percentage"]["value"]
        for row in rows
        for _, measured in measurements(row)
        if measured["type"] == "YIELD" and measured["percentage"]
    }
    assert {edge - 0.5, edge, edge + 0.5} <= yields


def test_minus_78_celsius_is_stored_beside_195_15_kelvin_not_on_it(rows):
    setpoints = [
        ((row["conditions"] or {}).get("temperature") or {}).get("setpoint_kelvin") for row in rows
    ]
    near = {value for value in setpoints if value is not None and abs(value - 195.15) < 0.01}
    assert near == {struct.unpack("f", struct.pack("f", 195.15))[0]}
    assert max(near) < 195.15


def test_each_flag_is_true_false_and_unsaid_somewhere(rows):
    def values(*path):
        found = set()
        for row in rows:
            node = row
            for name in path:
                node = (node or {}).get(name)
            found.add(node)
        return found

    assert values("setup", "is_automated") == {True, False, None}
    assert values("conditions", "reflux") == {True, False, None}
    for flag in ("is_exothermic", "is_heterogeneous", "offgasses", "is_sensitive_to_oxygen"):
        assert values("notes", flag) == {True, False, None}


def test_pyridine_and_a_solvent_are_sometimes_one_component_and_sometimes_two(rows):
    one, two = set(), set()
    for row in rows:
        parts = [(part["smiles"], part["reaction_role"]) for part in components(row)]
        if ("c1ccncc1", "SOLVENT") in parts:
            one.add(row["reaction_id"])
        elif any(smiles == "c1ccncc1" for smiles, _ in parts) and any(
            role == "SOLVENT" for _, role in parts
        ):
            two.add(row["reaction_id"])
    assert len(one) >= 2
    assert len(two) >= 2


def test_a_high_yield_is_sometimes_that_of_another_product_than_the_desired_one(rows):
    own, other = 0, 0
    for row in rows:
        high = [product for product, measured in measurements(row) if is_high_yield(measured)]
        desired = any(
            product["is_desired_product"]
            for outcome in row["outcomes"]
            for product in outcome["products"] or []
        )
        own += any(product["is_desired_product"] for product in high)
        other += desired and bool(high) and not any(one["is_desired_product"] for one in high)
    assert own >= 2
    assert other >= 1


def test_a_palladium_catalyst_stands_alone_beside_another_metal_and_not_at_all(rows):
    kinds = set()
    for row in rows:
        catalysts = [
            "Pd" in (part["smiles"] or "")
            for part in components(row)
            if part["reaction_role"] == "CATALYST" and part["smiles"]
        ]
        kinds.add((any(catalysts), all(catalysts), bool(catalysts)))
    assert kinds == {
        (True, True, True),  # palladium alone
        (True, False, True),  # palladium and another
        (False, False, True),  # another alone
        (False, True, False),  # none
    }


@pytest.mark.parametrize(
    "forms",
    [
        ["CCN(CC)CC", "CCN(CC)CC.Cl", "CC[NH+](CC)CC"],
        ["CC(=O)O", "CC(=O)[O-]", "CC(=O)[O-].[Na+]", "CC(=O)[O-].[K+]"],
        ["O=c1cccc[nH]1", "Oc1ccccn1"],
        ["O=C(O)[C@@H]1CCCN1", "O=C(O)[C@H]1CCCN1", "O=C(O)C1CCCN1", "O=C(O)[C@@H]1CCCN1 |&1:3|"],
        ["CS(C)=O", "C[S+](C)[O-]"],
    ],
)
def test_a_compound_occurs_in_every_form_it_is_sold_or_drawn_in(reactions, forms):
    written = {
        identifier.value
        for reaction in reactions
        for compound in compounds(reaction)
        for identifier in compound.identifiers
    }
    assert set(forms) <= written
