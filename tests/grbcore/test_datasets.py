"""The bundled dataset, the real one, and where datasets are looked for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from grbcore import catalog, datasets
from grbcore.datasets import Dataset, DatasetError, split
from grbcore.datasets.make_digits import make
from grbcore.datasets.reading import hashes, read, read_raw, write
from grbcore.files import sha256_of
from tests.grbcore.four_files import BANDS, ring, written


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


def test_loading_hashes_each_file_once(monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[str] = []

    def counted(path: Path) -> str:
        hashed.append(path.stem)
        return sha256_of(path)

    monkeypatch.setattr("grbcore.datasets.reading.sha256_of", counted)
    datasets.load("digits")
    assert sorted(hashed) == ["adj", "features", "index", "labels"]
