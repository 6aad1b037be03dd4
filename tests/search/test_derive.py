"""What is derived from ORD datasets, by the real ord-schema, and what is refused."""

import logging
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pytest
from ord_schema.artifacts import history, pivot, projection
from ord_schema.proto import dataset_pb2
from ord_schema.search import query

from creel_inspect.search import corpus, derive
from creel_inspect.search.corpus import (
    CACHE_VARIABLE,
    CorpusError,
    artifacts_from_globs,
)
from tests.search.tiny_corpora import (
    ANILINE,
    NITROBENZENE,
    USES_NITRO,
    dataset,
    ids,
    opened,
    reaction_id,
    save,
)

pytestmark = pytest.mark.usefixtures("corpus_cache", "few_levels")


# ---- what is derived ------------------------------------------------------------------------


def test_a_derived_corpus_opens_and_answers(corpus_root: Path, every_level: None) -> None:
    save(dataset(2, (ANILINE, NITROBENZENE)), corpus_root / "more" / "two.pb.gz")
    artifacts = corpus.derive(corpus_root, progress=False)
    assert ids(artifacts, USES_NITRO) == {reaction_id(1, 0), reaction_id(2, 1)}
    assert artifacts.arrivals is None
    with opened(artifacts) as searched:
        assert searched.check_pivots() == dict.fromkeys(pivot.LEVELS, 2)


def test_grouping_over_any_level_is_answered_even_one_no_reaction_records(
    corpus_root: Path, every_level: None
) -> None:
    artifacts = corpus.derive(corpus_root, progress=False)
    found = {}
    with opened(artifacts) as searched:
        for level in pivot.LEVELS:
            aggregate = {"over": level, "measures": [{"fn": "count", "name": "n"}]}
            table = searched.search(query.Query.model_validate({"aggregate": aggregate}))
            (found[level],) = table.column("n").to_pylist()
    # Not the identifiers: a SMILES is projected as the component's structure.
    recorded = (
        "inputs",
        "inputs.components",
        "outcomes",
        "outcomes.products",
        "outcomes.products.measurements",
    )
    assert found == dict.fromkeys(pivot.LEVELS, 0) | dict.fromkeys(recorded, 2)


def test_an_empty_pivot_is_what_ord_schema_writes_byte_for_byte(
    corpus_root: Path, tmp_path: Path
) -> None:
    projected = tmp_path / "projection.parquet"
    stamps = {"source_md5": "0" * 32, "source_dataset_id": "ord_dataset-1"}
    projection.write_projection(corpus_root / "one.parquet", projected, **stamps)
    for level in ("workups", "workups.input.components.analyses.data"):
        theirs, ours = tmp_path / "theirs", tmp_path / "ours"
        assert pivot.write_pivot(projected, theirs, level_path=level, **stamps) == 0
        derive.write_empty_pivot(ours, level, **stamps)
        assert ours.read_bytes() == theirs.read_bytes()


def test_arrivals_are_derived_where_the_folder_holds_an_index(corpus_root: Path) -> None:
    when = [datetime(2020, 1, 1), datetime(2021, 1, 1)]
    rows = [
        {
            "reaction_id": reaction_id(1, position),
            "sha": "a" * 40,
            "timestamp": when[position],
            "utc_offset_minutes": 0,
            "dataset_id": "ord_dataset-1",
        }
        for position in range(2)
    ]
    table = pa.Table.from_pylist(rows, schema=history.INDEX_SCHEMA)
    history.write_index(history.Index(table, ["a" * 40]), corpus_root / "arrivals_index.parquet")
    artifacts = corpus.derive(corpus_root, progress=False)
    assert artifacts.arrivals is not None
    since = {"op": "ge", "path": "first_commit.timestamp", "value": {"literal": "2020-06-01"}}
    assert ids(artifacts, {"where": since}) == {reaction_id(1, 1)}

    history.write_index(
        history.Index(table[:1], ["a" * 40]), corpus_root / "arrivals_index.parquet"
    )
    with pytest.raises(CorpusError, match="1 reactions are not in the arrivals index"):
        corpus.derive(corpus_root, progress=False)

    (corpus_root / "arrivals_index.parquet").write_bytes(b"PAR1")
    with pytest.raises(CorpusError, match=r"arrivals_index\.parquet: expected an index"):
        corpus.derive(corpus_root, progress=False)


def test_the_folder_may_have_a_name_that_is_a_glob(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "it's [a-z] *?{x} µ"))
    path = save(dataset(), tmp_path / "so[ur]ces" / "o*ne.pb")
    artifacts = corpus.derive(path.parent, progress=False)
    assert ids(artifacts, USES_NITRO) == {reaction_id(1, 0)}


def test_sources_are_only_read(corpus_root: Path, tmp_path: Path) -> None:
    save(dataset(2), corpus_root / "two.pbtxt")
    before = {path: path.read_bytes() for path in corpus_root.iterdir()}
    corpus.derive(corpus_root, progress=False)
    assert {path: path.read_bytes() for path in corpus_root.iterdir()} == before


def test_a_dataset_without_name_and_description_is_derived(tmp_path: Path) -> None:
    message = dataset()
    message.ClearField("name")
    message.ClearField("description")
    path = save(message, tmp_path / "one.pb.gz")
    assert ids(corpus.derive(path, progress=False), USES_NITRO) == {reaction_id(1, 0)}


def test_deriving_is_silent_and_leaves_the_loggers_as_they_were(
    corpus_root: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    message = dataset(2)
    message.reactions[0].identifiers.add(type="REACTION_SMILES", value="C>>CO")  # rdkit warns
    save(message, corpus_root / "two.parquet")
    logger = logging.getLogger("ord_schema.artifacts.pivot")
    level = logger.level
    corpus.derive(corpus_root, progress=False)
    assert logger.level == level == logging.INFO
    assert caplog.records == []
    assert capfd.readouterr() == ("", "")


# ---- the fingerprint ------------------------------------------------------------------------


def test_the_fingerprint_is_of_the_content_not_of_names_folders_or_formats(tmp_path: Path) -> None:
    message, other = dataset(1), dataset(2)
    places = ("a/one.parquet", "b/c/two.pb.gz", "d/three.pbtxt", "e/four.pb", "f/five.txtpb.gz")
    fingerprints = set()
    for place in places:
        path = save(message, tmp_path / place)
        fingerprints.add(corpus.derive(path, progress=False).fingerprint)
    assert len(fingerprints) == 1
    (fingerprint,) = fingerprints
    assert len(fingerprint) == 12
    assert set(fingerprint) <= set("0123456789abcdef")

    for first, second, folder in ((message, other, "g"), (other, message, "h")):
        save(first, tmp_path / folder / "1.parquet")
        save(second, tmp_path / folder / "2.parquet")
    both = {corpus.derive(tmp_path / each, progress=False).fingerprint for each in "gh"}
    assert len(both) == 1
    assert both != fingerprints


def test_the_fingerprint_changes_with_one_value(corpus_root: Path) -> None:
    before = corpus.derive(corpus_root, progress=False).fingerprint
    message = dataset()
    message.reactions[0].outcomes[0].products[0].measurements[0].percentage.value = 10.25
    save(message, corpus_root / "one.parquet")
    assert corpus.derive(corpus_root, progress=False).fingerprint != before


def test_artifacts_derived_elsewhere_have_the_same_fingerprint(corpus_root: Path) -> None:
    save(dataset(2), corpus_root / "two.parquet")
    made = corpus.derive(corpus_root, progress=False)
    given = artifacts_from_globs(
        made.projections.replace("*.parquet", "**/*.parquet"),
        made.structures,
        None,
        made.pivots_dir,
    )
    assert given.fingerprint == made.fingerprint
    assert given.structures == made.structures
    assert given.pivots_dir == made.pivots_dir
    assert given.arrivals is given.occurrences_dir is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"projections": "nowhere/*.parquet"}, "projections: expected a glob.*nowhere"),
        ({"structures": "nowhere/*.parquet"}, "structures: expected a glob.*nowhere"),
        ({"arrivals": "nowhere/*.parquet"}, "arrivals: expected a glob.*nowhere"),
        ({"pivots_dir": "nowhere"}, "pivots_dir: expected a folder.*nowhere"),
        ({"occurrences_dir": "nowhere"}, "occurrences_dir: expected a folder.*nowhere"),
        (
            {"projections": "{out}/structures/*.parquet"},
            "found an artifact of the kind 'struct",
        ),
        ({"projections": "{sources}/*.parquet"}, "expected a projection.*not a derived artifact"),
        ({"projections": "{out}/manifest.json"}, "expected a projection.*cannot be read"),
    ],
)
def test_artifacts_that_are_not_there_or_not_projections_are_refused(
    corpus_root: Path, tmp_path: Path, change: dict[str, str], message: str
) -> None:
    made = corpus.derive(corpus_root, output=tmp_path / "out", progress=False)
    given = {"projections": made.projections, "structures": made.structures}
    places = {"out": tmp_path / "out", "sources": corpus_root}
    given |= {name: value.format(**places) for name, value in change.items()}
    with pytest.raises(CorpusError, match=message):
        artifacts_from_globs(**given)


LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"


def cut(path: Path) -> bytes:
    return path.read_bytes()[:-20]


def scrambled(path: Path) -> bytes:
    content = bytearray(path.read_bytes())
    content[20:60] = bytes(40)
    return bytes(content)


@pytest.mark.parametrize("name", ["a.parquet", "a.pb", "a.pb.gz", "a.pbtxt"])
@pytest.mark.parametrize("damage", [cut, scrambled, lambda _: LFS, lambda _: b"\xff\xfe"])
def test_an_unreadable_source_is_named_with_what_to_do(
    tmp_path: Path, name: str, damage: Callable[[Path], bytes]
) -> None:
    path = save(dataset(), tmp_path / "sources" / name)
    content = damage(path)
    path.write_bytes(content)
    with pytest.raises(CorpusError) as caught:
        corpus.derive(path.parent, progress=False)
    assert str(caught.value).startswith(f"{path}: expected an ORD dataset")
    assert ("git lfs pull" in str(caught.value)) == (content == LFS)
    assert list((tmp_path / "cache").rglob("*.parquet")) == []


# ---- ids ------------------------------------------------------------------------------------


def test_a_reaction_in_two_files_is_refused_naming_both(corpus_root: Path) -> None:
    message = dataset(2)
    message.reactions[1].reaction_id = reaction_id(1, 0)
    save(message, corpus_root / "two.pb")
    with pytest.raises(
        CorpusError, match=rf"reaction id {reaction_id(1, 0)}.*one\.parquet and .*two"
    ):
        corpus.derive(corpus_root, progress=False)


def test_a_reaction_twice_in_one_file_is_refused(corpus_root: Path) -> None:
    message = dataset()
    message.reactions[1].reaction_id = reaction_id(1, 0)
    save(message, corpus_root / "one.parquet")
    with pytest.raises(CorpusError, match=r"is stated twice by .*one\.parquet;"):
        corpus.derive(corpus_root, progress=False)


def test_a_dataset_id_in_two_files_is_refused(corpus_root: Path) -> None:
    message = dataset(2)
    message.dataset_id = dataset(1).dataset_id
    save(message, corpus_root / "two.parquet")
    with pytest.raises(CorpusError, match=r"dataset id ord_dataset-0*1 is stated by .* and "):
        corpus.derive(corpus_root, progress=False)


def test_datasets_without_an_id_do_not_clash(corpus_root: Path) -> None:
    for number in (2, 3):
        message = dataset(number)
        message.ClearField("dataset_id")
        save(message, corpus_root / f"{number}.parquet")
    artifacts = corpus.derive(corpus_root, progress=False)
    assert ids(artifacts, USES_NITRO) == {reaction_id(number, 0) for number in (1, 2, 3)}


def test_a_reaction_without_an_id_is_refused(corpus_root: Path) -> None:
    message = dataset(2)
    message.reactions[0].ClearField("reaction_id")
    save(message, corpus_root / "two.pb.gz")
    with pytest.raises(CorpusError, match=r"two\.pb\.gz: expected an id on every reaction"):
        corpus.derive(corpus_root, progress=False)


def test_a_dataset_without_reactions_is_refused(corpus_root: Path) -> None:
    save(dataset_pb2.Dataset(name="n", reaction_ids=["ord-1"]), corpus_root / "two.pb")
    with pytest.raises(CorpusError, match=r"two\.pb.*holds none but refers to others by id"):
        corpus.derive(corpus_root, progress=False)
