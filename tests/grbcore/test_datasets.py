"""Datasets: GRB's split, the normalisation, reading without trust, the bundled and the real one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grbcore import catalog, datasets
from grbcore.datasets import Dataset, DatasetError, FeatureTransform, split
from grbcore.datasets.make_digits import make
from grbcore.datasets.reading import csr, digest, hashes, read, read_raw, write
from tests.grbcore.forging import arrays

degree_sequences = st.integers(10, 400).flatmap(
    lambda n: st.lists(st.integers(0, 30), min_size=n, max_size=n)
).map(lambda degrees: np.array(degrees, np.int64))  # fmt: skip

BANDS = ("easy", "medium", "hard")


# The split


@given(degree_sequences, st.integers(0, 5))
def test_each_difficulty_has_a_tenth_of_all_nodes(degrees: np.ndarray, seed: int) -> None:
    made = split(degrees, seed)
    assert [len(made.targets[band]) for band in BANDS] == [len(degrees) // 10] * 3
    assert len(made.train) == len(degrees) * 6 // 10


@given(degree_sequences, st.integers(0, 5))
def test_every_node_is_in_one_part(degrees: np.ndarray, seed: int) -> None:
    made = split(degrees, seed)
    parts = [made.train, made.val, *(made.targets[band] for band in BANDS)]
    assert np.array_equal(np.sort(np.concatenate(parts)), np.arange(len(degrees)))
    assert np.array_equal(made.targets["full"], np.sort(np.concatenate(parts[2:])))


@given(degree_sequences, st.integers(0, 5))
def test_parts_are_sorted_node_ids(degrees: np.ndarray, seed: int) -> None:
    made = split(degrees, seed)
    for part in (made.train, made.val, *made.targets.values()):
        assert part.dtype == np.int64
        assert (np.diff(part) > 0).all()


@given(degree_sequences, st.integers(0, 5))
def test_easier_targets_never_have_more_edges(degrees: np.ndarray, seed: int) -> None:
    made = split(degrees, seed)
    for lower, higher in (("easy", "medium"), ("medium", "hard")):
        assert degrees[made.targets[lower]].max() <= degrees[made.targets[higher]].min()


@given(st.integers(40, 400), st.integers(0, 5))
def test_the_tails_are_never_tested(nodes: int, seed: int) -> None:
    """With all degrees different, the 5 % of lowest and of highest degree are known."""
    degrees = np.random.default_rng(nodes).permutation(nodes)
    tested = degrees[split(degrees, seed).targets["full"]]
    tail = nodes * 5 // 100
    assert tail <= tested.min()
    assert tested.max() < nodes - tail


@given(st.integers(40, 400))
def test_bands_are_the_thirds_between_the_tails(nodes: int) -> None:
    degrees = np.random.default_rng(nodes).permutation(nodes)
    made = split(degrees)
    tail = nodes * 5 // 100
    middle = np.arange(tail, nodes - tail)
    for band, third in zip(BANDS, np.array_split(middle, 3), strict=True):
        assert set(degrees[made.targets[band]]) <= set(third)


@given(degree_sequences, st.integers(0, 5))
def test_the_same_seed_gives_the_same_split(degrees: np.ndarray, seed: int) -> None:
    first, second = split(degrees, seed), split(degrees.copy(), seed)
    assert np.array_equal(first.train, second.train)
    assert np.array_equal(first.targets["full"], second.targets["full"])


def test_ties_are_broken_by_the_seed_and_not_by_the_order_of_nodes() -> None:
    """All degrees equal: by order, easy would lie below hard in every split."""
    degrees = np.full(1000, 4)
    made = [split(degrees, seed) for seed in (0, 1)]
    assert not np.array_equal(made[0].targets["easy"], made[1].targets["easy"])
    for one in made:
        assert one.targets["easy"].max() > one.targets["hard"].min()
        assert abs(one.targets["easy"].mean() - 499.5) < 100


def test_fewer_than_ten_nodes_are_refused() -> None:
    with pytest.raises(ValueError, match="found 9 nodes, allowed: 10 or more"):
        split(np.zeros(9, np.int64))


# The normalisation


def test_the_normalisation_is_the_papers() -> None:
    """Mean 1, deviation 1: 0 → 2/π·arctan(-1) = -1/2, 1 → 0, 2 → 1/2."""
    transform = FeatureTransform.fit(np.array([[0.0, 2.0], [2.0, 0.0]]))
    assert (transform.mean, transform.std) == (1.0, 1.0)
    assert transform.normalise(np.array([0.0, 1.0, 2.0])) == pytest.approx([-0.5, 0.0, 0.5])


def test_features_without_spread_are_refused() -> None:
    with pytest.raises(ValueError, match="the same value everywhere"):
        FeatureTransform.fit(np.ones((3, 2)))


@given(st.floats(-5, 5), st.floats(0.01, 100), st.lists(st.floats(-4, 4), min_size=1))
def test_the_inverse_restores_the_raw_features(mean: float, std: float, units: list[float]) -> None:
    transform = FeatureTransform(mean, std)
    raw = np.array(units, np.float32) * np.float32(std) + np.float32(mean)
    assert transform.restore(transform.normalise(raw)) == pytest.approx(raw, abs=1e-5 * (1 + std))


@given(st.lists(st.floats(-1, 1, width=32), min_size=1))
def test_the_inverse_is_finite_on_the_whole_closed_range(values: list[float]) -> None:
    restored = FeatureTransform(0.0, 1.0).restore(np.array(values, np.float32))
    assert restored.dtype == np.float32
    assert np.isfinite(restored).all()


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, unique=True))
def test_the_normalisation_keeps_the_order(values: list[float]) -> None:
    ordered = np.sort(np.array(values))
    normalised = FeatureTransform(0.5, 2.0).normalise(ordered)
    assert (np.diff(normalised) >= 0).all()
    assert (np.abs(normalised) <= 1).all()


# The bundled dataset


def test_the_bundled_files_are_what_the_script_makes(digits: Dataset, tmp_path: Path) -> None:
    write(tmp_path, make())
    made = read("digits", tmp_path)
    for field in ("indptr", "indices", "features", "labels", "train", "val"):
        assert np.array_equal(getattr(made, field), getattr(digits, field)), field
    assert all(np.array_equal(made.targets[d], digits.targets[d]) for d in digits.targets)


def test_digits_is_what_the_catalog_says(digits: Dataset) -> None:
    entry = catalog.dataset("digits")
    assert (digits.nodes, digits.edges, digits.features.shape[1], digits.classes) == (
        entry.nodes,
        entry.edges,
        entry.features,
        entry.classes,
    )
    low, high = catalog.board("digits/injection@1").feature_range
    assert digits.feature_range == pytest.approx((low, high), abs=1e-6)


def test_digits_joins_each_image_to_its_three_nearest(digits: Dataset) -> None:
    """At least 3 edges each, and no more than 3 for each image in all."""
    assert digits.degrees.min() >= 3
    assert digits.edges <= 3 * digits.nodes


def test_the_bundled_files_are_small() -> None:
    folder = datasets.locate("digits")
    assert folder is not None
    assert sum(path.stat().st_size for path in folder.glob("*.npz")) < 200_000


def test_the_arrays_have_the_promised_types(digits: Dataset) -> None:
    assert (digits.indptr.dtype, digits.indices.dtype) == (np.int64, np.int64)
    assert (digits.features.dtype, digits.labels.dtype) == (np.float32, np.int64)


# grb-cora


@pytest.fixture(scope="module")
def cora(real_data: Path) -> Dataset:
    return datasets.load("grb-cora", data_dir=real_data)


def test_grb_cora_has_the_published_statistics(cora: Dataset) -> None:
    assert (cora.nodes, cora.edges, cora.features.shape[1], cora.classes) == (2680, 5148, 302, 7)
    assert (len(cora.train), len(cora.val)) == (1608, 268)
    assert {d: len(ids) for d, ids in cora.targets.items()} == {
        "easy": 268, "medium": 268, "hard": 268, "full": 804,
    }  # fmt: skip


def test_grb_cora_has_the_published_range_of_features(cora: Dataset) -> None:
    assert cora.feature_range == pytest.approx((-0.940568, 0.943005), abs=1e-6)


def test_grb_cora_has_four_isolated_nodes(cora: Dataset) -> None:
    assert np.flatnonzero(cora.degrees == 0).tolist() == [1018, 1257, 1603, 2122]


def test_the_inverse_restores_grb_cora_within_1e_5(cora: Dataset, real_data: Path) -> None:
    raw = read_raw(real_data / "grb-cora").features
    restored = cora.transform.restore(cora.features)
    assert restored.dtype == np.float32
    assert np.abs(restored - raw).max() <= 1e-5


def test_the_published_splits_degrees_rise_with_the_difficulty(cora: Dataset) -> None:
    means = [cora.degrees[cora.targets[band]].mean() for band in BANDS]
    assert means == sorted(means)


def test_our_split_of_grb_cora_has_the_published_sizes(cora: Dataset) -> None:
    made = split(cora.degrees)
    assert (len(made.train), len(made.val), len(made.targets["full"])) == (1608, 268, 804)


def test_a_changed_file_of_grb_cora_is_refused_by_its_hash(real_data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "grb-cora"
    folder.mkdir()
    for path in (real_data / "grb-cora").glob("*.npz"):
        (folder / path.name).write_bytes(path.read_bytes())
    labels = read_raw(folder).labels
    np.savez_compressed(folder / "labels.npz", data=labels[::-1])
    published = catalog.dataset("grb-cora").files["labels"].sha256
    with pytest.raises(DatasetError, match=f"labels.npz: found SHA-256 .*allowed: {published}"):
        datasets.load("grb-cora", data_dir=tmp_path)


# Reading


NODES = 20

Files = dict[str, dict[str, np.ndarray]]


def ring() -> Files:
    """The four files of a ring of 20 nodes."""
    ids = np.arange(NODES)
    indptr, indices = csr(np.stack([ids, (ids + 1) % NODES]), NODES)
    made = split(np.diff(indptr))
    return {
        "adj": {
            "indptr": indptr.astype(np.int32),
            "indices": indices.astype(np.int32),
            "data": np.ones(len(indices)),
            "shape": np.array([NODES, NODES]),
            "format": np.array(b"csr"),
        },
        "features": {"data": np.random.default_rng(0).normal(size=(NODES, 3))},
        "labels": {"data": ids % 2},
        "index": {
            "index_train": made.train,
            "index_val": made.val,
            "index_test": made.targets["full"],
            **{f"index_test_{band}": made.targets[band] for band in BANDS},
        },
    }


def written(folder: Path, files: Files) -> Path:
    for name, members in files.items():
        (folder / f"{name}.npz").write_bytes(arrays(**members))
    return folder


def test_the_four_files_are_read(tmp_path: Path) -> None:
    found = read("ring", written(tmp_path, ring()))
    assert (found.nodes, found.edges, found.classes) == (NODES, NODES, 2)
    assert found.indices[:2].tolist() == [1, 19]
    assert found.features.dtype == np.float32
    assert found.digest == digest(hashes(tmp_path))


def test_a_directed_graph_is_symmetrised_without_loops_weights_or_repeats(tmp_path: Path) -> None:
    files = ring()
    files["adj"] |= {
        "indptr": np.array([0, 4] + [4] * (NODES - 1)),
        "indices": np.array([0, 2, 1, 2]),
        "data": np.array([5.0, 1e10, -1.0, 0.0]),
    }
    found = read("few", written(tmp_path, files))
    assert found.edges == 2
    assert found.indptr[:4].tolist() == [0, 2, 3, 4]
    assert found.indices.tolist() == [1, 2, 0, 0]


def put(file: str, member: str, value: np.ndarray) -> Callable[[Files], None]:
    def apply(files: Files) -> None:
        files[file][member] = value

    return apply


def without(file: str, member: str) -> Callable[[Files], None]:
    def apply(files: Files) -> None:
        del files[file][member]

    return apply


def at(array: np.ndarray, index: int, value: int) -> np.ndarray:
    changed = array.copy()
    changed[index] = value
    return changed


RING = ring()
POINTERS, COLUMNS = RING["adj"]["indptr"], RING["adj"]["indices"]
INDEX, TRAIN = RING["index"], RING["index"]["index_train"]


@pytest.mark.parametrize(
    ("wrong", "place", "found", "allowed"),
    [
        (put("adj", "indices", at(COLUMNS, 3, NODES)), "adj", "column 20", "0..19"),
        (put("adj", "indices", at(COLUMNS, 3, -1)), "adj", "column -1", "0..19"),
        (put("adj", "indices", at(COLUMNS, 0, 1 << 30)), "adj", "column 1073741824", "0..19"),
        (put("adj", "indptr", at(POINTERS, 3, 0)), "adj", "row pointers", "CSR"),
        (put("adj", "indptr", at(POINTERS, -1, 10**6)), "adj", "row pointers", "CSR"),
        (put("adj", "indptr", at(POINTERS, 0, 1)), "adj", "row pointers", "CSR"),
        (put("adj", "indptr", POINTERS[:-1]), "adj", "with 20 row pointers", "with 21"),
        (put("adj", "shape", np.array([NODES, 21])), "adj", "shape [20, 21]", "[20, 20]"),
        (put("adj", "shape", np.array(NODES)), "adj", "shape: int64 ()", "one row"),
        (put("adj", "indices", COLUMNS + 0.5), "adj", "indices: float64", "whole"),
        (put("adj", "indptr", POINTERS.astype(float)), "adj", "indptr: float64", "whole"),
        (put("adj", "indices", COLUMNS[:, None]), "adj", "(40, 1)", "one row"),
        (without("adj", "indptr"), "adj", "no member indptr", "indptr, indices, shape"),
        (put("features", "data", np.zeros(NODES)), "features", "float64 (20,)", "(n, d)"),
        (put("features", "data", np.zeros((NODES, 2), int)), "features", "int64 (20, 2)", "f"),
        (put("features", "data", np.full((NODES, 2), np.nan)), "features", "nan at", "finite"),
        (put("features", "data", np.ones((NODES, 2))), "features", "the same value", "spread"),
        (put("features", "data", np.zeros((5, 2))), "labels", "(20,)", "each of 5 nodes"),
        (put("labels", "data", np.zeros(19, int)), "labels", "int64 (19,)", "each of 20"),
        (put("labels", "data", np.zeros(NODES)), "labels", "float64", "whole"),
        (put("labels", "data", np.full(NODES, -1)), "labels", "from -1 to -1", "0..32767"),
        (put("labels", "data", np.full(NODES, 1 << 40)), "labels", "to 1099511627776", "0.."),
        (put("index", "index_train", at(TRAIN, 0, 20)), "index", "to 20", "0..19"),
        (put("index", "index_val", at(INDEX["index_val"], 0, -5)), "index", "from -5", "0..19"),
        (put("index", "index_val", TRAIN[:2]), "index", "two parts", "apart"),
        (put("index", "index_val", np.array([3, 3])), "index", "index_val from 3 to 3", "once"),
        (put("index", "index_val", np.array([0.0])), "index", "float64", "node ids"),
        (put("index", "index_test", INDEX["index_test"][1:]), "index", "another", "union"),
        (without("index", "index_test_easy"), "index", "no member index_test_easy", "index_train"),
    ],
)  # fmt: skip
def test_files_that_do_not_agree_are_refused_with_place_found_and_allowed(
    tmp_path: Path, wrong: Callable[[Files], None], place: str, found: str, allowed: str
) -> None:
    files = ring()
    wrong(files)
    with pytest.raises(DatasetError) as caught:
        read("ring", written(tmp_path, files))
    message = str(caught.value)
    assert message.startswith(str(tmp_path / f"{place}.npz"))
    assert found in message.split("allowed: ")[0]
    assert allowed in message.split("allowed: ")[1]


@pytest.mark.parametrize("name", ["adj", "features", "index", "labels"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    written(tmp_path, ring())
    (tmp_path / f"{name}.npz").unlink()
    with pytest.raises(DatasetError, match=rf"{name}\.npz: found no such file"):
        read_raw(tmp_path)


@pytest.mark.parametrize("name", ["adj", "features", "index", "labels"])
def test_a_damaged_file_is_named(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, ring()) / f"{name}.npz"
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(DatasetError, match=rf"{name}\.npz: .*damaged"):
        read_raw(tmp_path)


def test_a_folder_in_place_of_a_file_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, ring()) / "labels.npz"
    path.unlink()
    path.mkdir()
    with pytest.raises(DatasetError, match=r"labels\.npz: found"):
        read_raw(tmp_path)


def test_an_array_of_objects_is_not_unpickled(tmp_path: Path) -> None:
    files = ring()
    files["labels"]["data"] = np.array([{}] * NODES, object)
    with pytest.raises(DatasetError, match=r"labels\.npz: data: found type '\|O'"):
        read_raw(written(tmp_path, files))


@given(st.data())
def test_whatever_the_files_hold_nothing_but_a_dataset_error_is_raised(
    tmp_path: Path, draw: st.DataObject
) -> None:
    written(tmp_path, ring())
    path = tmp_path / f"{draw.draw(st.sampled_from(list(RING)))}.npz"
    data = bytearray(path.read_bytes())
    for _ in range(draw.draw(st.integers(1, 4))):
        data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.integers(0, 255))
    path.write_bytes(data)
    try:
        read("ring", tmp_path)
    except DatasetError as error:
        assert str(path) in str(error) or "npz" in str(error)


def test_the_digest_depends_on_every_file(tmp_path: Path) -> None:
    seen = {digest(hashes(written(tmp_path, ring())))}
    for name in RING:
        files = ring()
        files[name]["more"] = np.zeros(1)
        seen.add(digest(hashes(written(tmp_path, files))))
    assert len(seen) == 5


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    raw = read_raw(written(tmp_path, ring()))
    again = tmp_path / "again"
    write(again, raw)
    found = read_raw(again)
    assert np.array_equal(found.indices, raw.indices)
    assert np.array_equal(found.features, raw.features)
    assert np.array_equal(found.split.train, raw.split.train)


# The registry


def test_a_dataset_that_is_not_here_tells_where_it_was_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRB_VAR_DIR", str(tmp_path / "var"))
    assert not datasets.present("grb-flickr", data_dir=tmp_path)
    with pytest.raises(DatasetError) as caught:
        datasets.load("grb-flickr", data_dir=tmp_path)
    message = str(caught.value)
    assert str(tmp_path / "grb-flickr") in message
    assert str(tmp_path / "var" / "data" / "grb-flickr") in message
    assert "grb datasets fetch grb-flickr" in message


def test_the_environment_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRB_DATA_DIR", str(tmp_path))
    folder = tmp_path / "grb-citeseer"
    folder.mkdir()
    written(folder, ring())
    assert datasets.locate("grb-citeseer") == folder


def test_a_dataset_with_a_file_missing_is_not_present(tmp_path: Path) -> None:
    folder = tmp_path / "grb-citeseer"
    folder.mkdir()
    written(folder, ring())
    (folder / "index.npz").unlink()
    assert not datasets.present("grb-citeseer", data_dir=tmp_path)


def test_hashes_of_the_bundled_files_are_published() -> None:
    folder = datasets.locate("digits")
    assert folder is not None
    for file, entry in catalog.dataset("digits").files.items():
        assert hashes(folder)[file] == entry.sha256
