"""Blobs in an S3-compatible store: a real server on loopback, through the client that we use."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from grbcore.store.blobs import BlobError, Blobs, BlobsAway
from tests.s3 import *  # noqa: F403
from tests.servers import S3

CONTENT = b"weights" * 1000
SHA256 = hashlib.sha256(CONTENT).hexdigest()
OBJECT = f"blobs/{SHA256[:2]}/{SHA256}"


@pytest.fixture
def blobs(s3: S3) -> Blobs:
    return Blobs(s3.url)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "upload"
    path.write_bytes(CONTENT)
    return path


def put(s3: S3, content: bytes) -> None:
    """Write the object of CONTENT past our client."""
    s3.client().put_object(Bucket=s3.BUCKET, Key=OBJECT, Body=content)


def delete(s3: S3) -> None:
    s3.client().delete_object(Bucket=s3.BUCKET, Key=OBJECT)


def test_a_stored_file_comes_back_byte_by_byte(
    s3: S3, blobs: Blobs, file: Path, tmp_path: Path
) -> None:
    assert not blobs.exists(SHA256)
    blobs.put_file(file, SHA256)
    assert blobs.exists(SHA256)
    assert b"".join(blobs.stream(SHA256)) == blobs.read(SHA256) == CONTENT
    assert s3.client().get_object(Bucket=s3.BUCKET, Key=OBJECT)["Body"].read() == CONTENT
    blobs.fetch(SHA256, tmp_path / "new" / "copy")
    assert (tmp_path / "new" / "copy").read_bytes() == CONTENT


def test_a_large_file_is_stored_in_parts_and_comes_back_in_chunks(
    blobs: Blobs, tmp_path: Path
) -> None:
    path = tmp_path / "large"
    content = b"".join(
        hashlib.sha256(bytes([n % 256, n // 256])).digest() * 32 for n in range(20_000)
    )
    path.write_bytes(content)
    sha256 = hashlib.sha256(content).hexdigest()
    blobs.put_file(path, sha256)
    chunks = list(blobs.stream(sha256))
    assert b"".join(chunks) == content
    assert len(chunks) > 1


def test_an_intact_object_is_never_written_again(s3: S3, blobs: Blobs, file: Path) -> None:
    versions = {"Status": "Enabled"}
    s3.client().put_bucket_versioning(Bucket=s3.BUCKET, VersioningConfiguration=versions)
    blobs.put_file(file, SHA256)
    blobs.put_file(file, SHA256)
    assert blobs.put_bytes(CONTENT) == SHA256
    assert len(s3.client().list_object_versions(Bucket=s3.BUCKET)["Versions"]) == 1


@pytest.mark.parametrize("found", [CONTENT[:-1], bytes(len(CONTENT)), b""])
def test_a_damaged_object_is_not_handed_out_and_is_healed_by_storing_it_again(
    s3: S3, blobs: Blobs, file: Path, tmp_path: Path, found: bytes
) -> None:
    put(s3, found)
    with pytest.raises(BlobError, match="found bytes"):
        blobs.read(SHA256)
    with pytest.raises(BlobError, match="found bytes"):
        blobs.local(SHA256, tmp_path / "cache")
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()] == []
    blobs.put_file(file, SHA256)
    assert blobs.read(SHA256) == CONTENT


def test_a_missing_object_is_named(blobs: Blobs, tmp_path: Path) -> None:
    with pytest.raises(BlobError, match=f"{SHA256}: no such blob"):
        blobs.read(SHA256)
    with pytest.raises(BlobError, match=f"{SHA256}: no such blob"):
        blobs.local(SHA256, tmp_path)


def test_a_cached_file_is_verified_and_fetched_anew_where_it_is_damaged(
    s3: S3, blobs: Blobs, file: Path, tmp_path: Path
) -> None:
    blobs.put_file(file, SHA256)
    path = blobs.local(SHA256, tmp_path / "cache")
    assert path == tmp_path / "cache" / SHA256[:2] / SHA256
    delete(s3)
    assert blobs.local(SHA256, tmp_path / "cache").read_bytes() == CONTENT  # without the store
    blobs.put_file(file, SHA256)
    path.write_bytes(CONTENT[1:])
    assert blobs.local(SHA256, tmp_path / "cache").read_bytes() == CONTENT


def test_a_check_leaves_one_small_object_beside_the_blobs(s3: S3, blobs: Blobs) -> None:
    blobs.check()
    blobs.check()
    listed = s3.client().list_objects_v2(Bucket=s3.BUCKET)["Contents"]
    assert [found["Key"] for found in listed] == ["blobs/probe"]


def all_away(blobs: Blobs, file: Path, cache: Path) -> None:
    """Every use says that the store is away; none says that the blob is missing."""
    uses = [
        lambda: blobs.put_file(file, SHA256),
        lambda: blobs.put_bytes(CONTENT),
        lambda: blobs.read(SHA256),
        lambda: blobs.local(SHA256, cache),
        blobs.check,
    ]
    for use in uses:
        with pytest.raises(BlobsAway):
            use()
    assert [path for path in cache.rglob("*") if path.is_file()] == []


def test_a_bucket_that_is_missing_is_a_store_that_is_away(
    s3: S3, blobs: Blobs, file: Path, tmp_path: Path
) -> None:
    """Else a mistake in an address would be charged to every entry."""
    s3.client().delete_bucket(Bucket=s3.BUCKET)
    all_away(blobs, file, tmp_path / "cache")
    s3.make_bucket()
    blobs.put_file(file, SHA256)
    assert blobs.read(SHA256) == CONTENT


def test_a_server_that_is_away_is_said_to_be_and_used_again_once_it_is_back(
    s3: S3, blobs: Blobs, file: Path, tmp_path: Path
) -> None:
    s3.kill()
    with pytest.raises(BlobsAway):
        blobs.exists(SHA256)
    all_away(blobs, file, tmp_path / "cache")
    s3.revive()
    blobs.check()
    blobs.put_file(file, SHA256)
    assert blobs.read(SHA256) == CONTENT


def test_a_server_that_goes_in_the_middle_of_a_file_leaves_nothing_half_fetched(
    s3: S3, blobs: Blobs, tmp_path: Path
) -> None:
    content = bytes(range(256)) * 100_000
    sha256 = blobs.put_bytes(content)
    chunks = blobs.stream(sha256)
    assert len(next(chunks)) > 0
    s3.kill()
    with pytest.raises(BlobsAway):
        list(chunks)
