"""Clients that others wrote, against the real server: tuspy, and tus-js-client under Node."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import httpx
import pytest
from tusclient.client import TusClient
from tusclient.exceptions import TusCommunicationError, TusUploadFailed
from tusclient.storage.filestorage import FileStorage

from tests.api.flaky import flaky
from tests.api.parts import UPLOADS, Sender
from tests.api.stage import DEFENSE, Stage, defense_file, left_behind

PAGE = Path(__file__).resolve().parents[2] / "frontend"
PART = 50_000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Some 300,000 bytes."""
    return defense_file(tmp_path, hidden=1024)


def lines(stage: Stage, server: str) -> list[dict]:
    with httpx.Client(base_url=server, timeout=20) as client:
        return Sender(client, stage).all()


# tuspy


def uploader(server: str, stage: Stage, file: Path, **options):
    client = TusClient(server + UPLOADS, headers=stage.bearer())
    return client.uploader(str(file), chunk_size=PART, metadata=DEFENSE, **options)


def test_tuspy_uploads_in_parts_with_checksums(server: str, stage: Stage, file: Path) -> None:
    sending = uploader(server, stage, file, upload_checksum=True)
    sending.upload()
    done = sending.request.response_headers["submission"]
    [row] = lines(stage, server)
    assert (row["state"], row["submission"]) == ("done", done)
    with stage.sessions.reading() as session:
        from grbcore.store.tables import Submission

        assert stage.blobs.read(session.get_one(Submission, done).sha256) == file.read_bytes()


def test_tuspy_goes_on_with_what_another_process_began(
    server: str, stage: Stage, file: Path, tmp_path: Path
) -> None:
    stored = {"store_url": True, "url_storage": FileStorage(str(tmp_path / "urls"))}
    uploader(server, stage, file, **stored).upload(stop_at=2 * PART)
    assert [row["arrived"] for row in lines(stage, server)] == [2 * PART]
    later = uploader(server, stage, file, **stored)
    assert later.offset == 2 * PART
    later.upload()
    assert [row["state"] for row in lines(stage, server)] == ["done"]


def test_tuspy_is_told_what_is_wrong_with_the_fields_and_with_the_file(
    server: str, stage: Stage, file: Path, tmp_path: Path
) -> None:
    sending = uploader(server, stage, file)
    sending.metadata = {**DEFENSE, "side": "both"}
    with pytest.raises(TusCommunicationError) as refused:
        sending.upload()
    assert b"body/side" in refused.value.response_content
    other = tmp_path / "other"
    other.write_bytes(b"not weights")
    with pytest.raises(TusUploadFailed) as failed:
        uploader(server, stage, other).upload()
    assert b"invalid-file" in failed.value.response_content


# tus-js-client


def upload(server: str, stage: Stage, file: Path, fields: dict[str, str]):
    words = [f"{name}={value}" for name, value in fields.items()]
    return subprocess.run(
        ["node", "scripts/upload.mjs", server, str(file), *words],
        cwd=PAGE,
        env={**os.environ, "GRB_TOKEN": stage.tokens["ann"], "PART": str(PART)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_tus_js_client_uploads_over_a_line_that_breaks(
    server: str, stage: Stage, file: Path
) -> None:
    rng = random.Random(2)
    with flaky(server, lambda: rng.randrange(5000, 100_000)) as address:
        result = upload(address, stage, file, {**DEFENSE, "filename": "ünïcode.safetensors"})
    assert result.returncode == 0, result.stderr
    assert [row["submission"] for row in lines(stage, server) if row["state"] == "done"] == [
        result.stdout.strip()
    ]


def test_tus_js_client_is_told_what_is_wrong(server: str, stage: Stage, tmp_path: Path) -> None:
    path = defense_file(tmp_path, features=100)
    result = upload(server, stage, path, DEFENSE)
    assert result.returncode == 1
    assert result.stderr.startswith("422 ") and "invalid-file" in result.stderr
    assert not [path for path in left_behind(stage) if path.is_file()]
