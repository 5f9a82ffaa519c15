"""Blobs: by hash, written as a whole, verified whenever they are read."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from grbcore.store.blobs import BlobError, Blobs, BlobsAway, BlobsFull
from tests.disks import small_disk

CONTENT = b"weights" * 1000
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "blobs with a space"


@pytest.fixture
def blobs(folder: Path) -> Blobs:
    return Blobs(folder.as_uri())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "upload"
    path.write_bytes(CONTENT)
    return path


def test_a_stored_file_comes_back_byte_by_byte(blobs: Blobs, file: Path, tmp_path: Path) -> None:
    assert not blobs.exists(SHA256)
    blobs.put_file(file, SHA256)
    assert blobs.exists(SHA256)
    assert b"".join(blobs.stream(SHA256)) == blobs.read(SHA256) == CONTENT
    blobs.fetch(SHA256, tmp_path / "new" / "copy")
    assert (tmp_path / "new" / "copy").read_bytes() == CONTENT


def test_a_blob_lies_under_the_first_two_digits_of_its_hash(
    blobs: Blobs, file: Path, folder: Path
) -> None:
    blobs.put_file(file, SHA256)
    assert (folder / SHA256[:2] / SHA256).read_bytes() == CONTENT
    assert blobs.local(SHA256, folder / "unused") == folder / SHA256[:2] / SHA256


def test_a_blob_is_never_overwritten(blobs: Blobs, file: Path, folder: Path) -> None:
    blobs.put_file(file, SHA256)
    written = (folder / SHA256[:2] / SHA256).stat()
    blobs.put_file(file, SHA256)
    assert blobs.put_bytes(CONTENT) == SHA256
    assert (folder / SHA256[:2] / SHA256).stat().st_mtime_ns == written.st_mtime_ns


def test_many_may_store_the_same_bytes_at_once(blobs: Blobs, file: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda _: blobs.put_file(file, SHA256), range(16)))
    assert blobs.read(SHA256) == CONTENT


def test_a_blob_whose_bytes_changed_is_not_handed_out(
    blobs: Blobs, file: Path, folder: Path, tmp_path: Path
) -> None:
    blobs.put_file(file, SHA256)
    (folder / SHA256[:2] / SHA256).write_bytes(CONTENT[:-1])
    to = tmp_path / "copy"
    with pytest.raises(BlobError, match="found bytes"):
        blobs.fetch(SHA256, to)
    with pytest.raises(BlobError, match="found bytes"):
        blobs.local(SHA256, tmp_path)
    with pytest.raises(BlobError, match="found bytes"):
        blobs.read(SHA256)
    assert list(tmp_path.glob("*copy*")) == []


def test_a_missing_blob_is_named(blobs: Blobs, tmp_path: Path) -> None:
    with pytest.raises(BlobError, match=SHA256):
        blobs.read(SHA256)
    with pytest.raises(BlobError, match=SHA256):
        blobs.local(SHA256, tmp_path)


def test_a_name_that_is_no_hash_is_refused(blobs: Blobs) -> None:
    with pytest.raises(ValueError, match="64 hexadecimal digits"):
        blobs.exists("../../etc/passwd")


def test_an_unknown_kind_of_store_is_refused() -> None:
    with pytest.raises(ValueError, match=r"file:///… or s3://…"):
        Blobs("ftp://example.org/blobs")


@pytest.mark.parametrize("damage", ["cut", "changed", "gone"])
def test_storing_the_same_bytes_again_heals_a_blob(
    blobs: Blobs, file: Path, folder: Path, damage: str
) -> None:
    blobs.put_file(file, SHA256)
    blob = folder / SHA256[:2] / SHA256
    if damage == "gone":
        blob.unlink()
    else:
        blob.write_bytes(CONTENT[:-1] if damage == "cut" else bytes(len(CONTENT)))
    blobs.put_file(file, SHA256)
    assert blobs.read(SHA256) == CONTENT
    assert list(blob.parent.iterdir()) == [blob]


# A store in trouble


@pytest.fixture
def tiny(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, of 64 KiB."""
    place = tmp_path / "tiny"
    place.mkdir()
    with small_disk(place, "64k"):
        yield place


@pytest.mark.root
def test_a_full_disk_stores_nothing_and_works_again_once_there_is_room(tiny: Path) -> None:
    blobs = Blobs(tiny.as_uri())
    ballast = tiny / "ballast"
    ballast.write_bytes(bytes(40_000))
    with pytest.raises(BlobsFull, match="No space left"):
        blobs.put_bytes(bytes(50_000))
    assert [path.name for path in tiny.rglob("*") if path.is_file()] == ["ballast"]
    ballast.unlink()
    assert len(blobs.read(blobs.put_bytes(bytes(50_000)))) == 50_000


@pytest.mark.root
def test_a_check_tells_that_a_disk_is_full_and_leaves_nothing(tiny: Path) -> None:
    blobs = Blobs(tiny.as_uri())
    blobs.check()
    with contextlib.suppress(OSError), (tiny / "ballast").open("wb", buffering=0) as ballast:
        while True:
            ballast.write(bytes(4096))
    with pytest.raises(BlobsFull):
        blobs.check()
    (tiny / "ballast").unlink()
    blobs.check()
    assert list(tiny.iterdir()) == []


def test_a_folder_that_is_gone_is_not_made_again(blobs: Blobs, folder: Path) -> None:
    """The disk below it may have been unmounted."""
    folder.rmdir()
    with pytest.raises(BlobsAway):
        blobs.put_bytes(CONTENT)
    with pytest.raises(BlobsAway):
        blobs.check()
    assert not folder.exists()
