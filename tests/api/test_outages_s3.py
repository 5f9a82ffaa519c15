"""What is refused while an S3-compatible store is away, and that it recovers by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from api import readiness
from tests.api.stage import (
    DEFENSE,
    SUBMISSIONS,
    Stage,
    defense_file,
    left_behind,
    problem,
    serve,
)
from tests.s3 import *  # noqa: F403
from tests.servers import S3

READY = "/api/v1/ready"


@pytest.fixture
def remote(s3: S3, stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx.Client]:
    """The service with its blobs in the store."""
    monkeypatch.setattr(readiness, "MEMORY", 0.0)
    settings = stage.settings.model_copy(update={"blob_url": s3.url})
    with serve(settings) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


def upload(client: httpx.Client, stage: Stage, path: Path) -> httpx.Response:
    files = {"file": ("upload", path.read_bytes())}
    return client.post(SUBMISSIONS, data=DEFENSE, files=files, headers=stage.bearer())


def objects(s3: S3) -> set[str]:
    listed = s3.client().list_objects_v2(Bucket=s3.BUCKET).get("Contents", [])
    return {found["Key"] for found in listed} - {"blobs/probe"}


def away(client: httpx.Client, stage: Stage, path: Path) -> None:
    """Uploads are refused and leave nothing."""
    answer = upload(client, stage, path)
    assert "blob store" in problem(answer, 503, "unavailable")["message"]
    assert int(answer.headers["retry-after"]) > 0
    assert client.get(READY).json()["missing"] == ["blobs"]
    assert stage.submissions() == 0 and left_behind(stage) == []


def test_uploads_go_to_the_store_and_come_back(
    remote: httpx.Client, stage: Stage, s3: S3, tmp_path: Path
) -> None:
    assert remote.get(READY).status_code == 200
    entry = upload(remote, stage, defense_file(tmp_path)).json()
    assert objects(s3) == {f"blobs/{entry['sha256'][:2]}/{entry['sha256']}"}
    found = remote.get(f"{SUBMISSIONS}/{entry['id']}/artefact", headers=stage.bearer())
    assert found.content == defense_file(tmp_path).read_bytes()


def test_uploads_are_503_while_the_store_is_away_and_taken_afterwards(
    remote: httpx.Client, stage: Stage, s3: S3, tmp_path: Path
) -> None:
    s3.kill()
    away(remote, stage, defense_file(tmp_path))
    assert remote.get("/api/v1/boards").status_code == 200
    s3.revive()
    assert remote.get(READY).status_code == 200
    assert upload(remote, stage, defense_file(tmp_path)).status_code == 202


def test_a_missing_bucket_is_a_store_that_is_away(
    remote: httpx.Client, stage: Stage, s3: S3, tmp_path: Path
) -> None:
    s3.client().delete_bucket(Bucket=s3.BUCKET)
    away(remote, stage, defense_file(tmp_path))
    s3.make_bucket()
    assert upload(remote, stage, defense_file(tmp_path)).status_code == 202


def test_a_download_is_503_while_the_store_is_away_and_where_the_file_is_gone(
    remote: httpx.Client, stage: Stage, s3: S3, tmp_path: Path
) -> None:
    entry = upload(remote, stage, defense_file(tmp_path)).json()
    path = f"{SUBMISSIONS}/{entry['id']}/artefact"
    s3.kill()
    problem(remote.get(path, headers=stage.bearer()), 503, "unavailable")
    s3.revive()
    problem(remote.get(path, headers=stage.bearer()), 503, "unavailable")
    assert upload(remote, stage, defense_file(tmp_path)).json()["id"] == entry["id"]
    assert remote.get(path, headers=stage.bearer()).status_code == 200
