"""What is refused while a part of the service is away or full, and that it recovers by itself."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from sqlalchemy import create_engine, text

from api import errors, readiness, serving, uploads
from grbcore.settings import Settings
from tests.api.stage import (
    DEFENSE,
    SUBMISSIONS,
    Stage,
    defense_file,
    left_behind,
    problem,
    serve,
)
from tests.disks import small_disk

READY = "/api/v1/ready"

_LOCK = "LOCK TABLE alembic_version IN SHARE ROW EXCLUSIVE MODE"
_REFUSE = (
    "CREATE TRIGGER refuse BEFORE UPDATE ON alembic_version "
    "BEGIN SELECT RAISE(ABORT, 'it can not be written'); END"
)


@pytest.fixture(autouse=True)
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "MEMORY", 0.0)


def refused(answer: httpx.Response, status: int, code: str, part: str) -> None:
    body = problem(answer, status, code)
    assert part in body["message"] and "nothing was stored" in body["message"]
    assert int(answer.headers["retry-after"]) > 0


# Parts that are away


def test_uploads_are_503_while_the_blob_store_is_away_and_taken_afterwards(
    client: httpx.Client, post, stage: Stage, tmp_path: Path
) -> None:
    folder = stage.settings.var_dir / "blobs"
    away = folder.rename(folder.with_name("away"))
    refused(post(DEFENSE, defense_file(tmp_path)), 503, "unavailable", "blob store")
    assert client.get(READY).json()["missing"] == ["blobs"]
    assert stage.submissions() == 0 and left_behind(stage) == [] and not folder.exists()
    away.rename(folder)
    assert client.get(READY).status_code == 200
    assert post(DEFENSE, defense_file(tmp_path)).status_code == 202


def test_uploads_are_refused_before_their_body_is_sent(server: str, stage: Stage) -> None:
    (stage.settings.var_dir / "blobs").rename(stage.settings.var_dir / "away")
    assert started(server, stage, "").startswith("HTTP/1.1 503")


def test_a_database_that_can_not_be_written_is_named_and_uploads_are_503(
    client: httpx.Client, post, stage: Stage, tmp_path: Path
) -> None:
    """Reading goes on: SQLite refuses what is written, Postgres lets it wait for a lock."""
    engine = create_engine(stage.settings.database_url)
    sqlite = engine.dialect.name == "sqlite"
    with engine.connect() as other:
        other.execute(text(_REFUSE if sqlite else _LOCK))
        if sqlite:
            other.commit()
        assert client.get("/api/v1/boards").status_code == 200
        assert client.get(READY).json()["missing"] == ["database"]
        refused(post(DEFENSE, defense_file(tmp_path)), 503, "unavailable", "database")
        if sqlite:
            other.execute(text("DROP TRIGGER refuse"))
            other.commit()
    engine.dispose()
    assert client.get(READY).status_code == 200
    assert post(DEFENSE, defense_file(tmp_path)).status_code == 202


def test_asking_whether_it_is_ready_leaves_nothing_behind(
    client: httpx.Client, stage: Stage
) -> None:
    def files() -> list[str]:
        return sorted(path.name for path in stage.settings.var_dir.rglob("*") if path.is_file())

    client.get(READY)
    before = files()
    client.get(READY)
    assert files() == before
    assert list((stage.settings.var_dir / "blobs").iterdir()) == []


def test_an_answer_holds_for_a_moment(
    client: httpx.Client, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "MEMORY", 60.0)
    assert client.get(READY).status_code == 200
    (stage.settings.var_dir / "blobs").rmdir()
    assert client.get(READY).status_code == 200


# Room


def test_too_little_room_is_named_and_uploads_are_507(stage: Stage, tmp_path: Path) -> None:
    settings = stage.settings.model_copy(update={"min_free_bytes": 10**18})
    with serve(settings) as address, httpx.Client(base_url=address, timeout=30) as client:
        assert client.get(READY).json()["missing"] == ["disk"]
        answer = upload(client, stage, defense_file(tmp_path))
        refused(answer, 507, "disk-full", "disk")
        assert client.get("/api/v1/boards").status_code == 200
    assert stage.submissions() == 0


@pytest.fixture
def small(settings: Settings, stage: Stage) -> Iterator[httpx.Client]:
    """The service with its files on a disk of 1 MiB."""
    settings.var_dir.mkdir(parents=True, exist_ok=True)
    with small_disk(settings.var_dir, "1m"):
        changed = settings.model_copy(update={"min_free_bytes": 0})
        with serve(changed) as address, httpx.Client(base_url=address, timeout=30) as client:
            yield client


def upload(client: httpx.Client, stage: Stage, file: Path | bytes) -> httpx.Response:
    content = file if isinstance(file, bytes) else file.read_bytes()
    return client.post(
        SUBMISSIONS, data=DEFENSE, files={"file": ("f", content)}, headers=stage.bearer()
    )


def files_of(stage: Stage) -> list[str]:
    found = [path for path in stage.settings.var_dir.rglob("*") if path.is_file()]
    return sorted(path.name for path in found if "broker" not in path.parts)


@pytest.mark.root
def test_an_upload_that_fills_the_disk_is_507_and_leaves_nothing(
    small: httpx.Client, stage: Stage, tmp_path: Path
) -> None:
    refused(upload(small, stage, os.urandom(3_000_000)), 507, "disk-full", "disk")
    assert files_of(stage) == [] and stage.submissions() == 0
    assert small.get(READY).status_code == 200
    assert upload(small, stage, defense_file(tmp_path)).status_code == 202


@pytest.mark.root
def test_a_disk_that_is_full_already_is_507_until_there_is_room(
    small: httpx.Client, stage: Stage, tmp_path: Path
) -> None:
    ballast = stage.settings.var_dir / "ballast"
    with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    refused(upload(small, stage, defense_file(tmp_path)), 507, "disk-full", "blob store")
    assert small.get(READY).json()["missing"] == ["blobs"]
    assert files_of(stage) == ["ballast"] and stage.submissions() == 0
    ballast.unlink()
    assert upload(small, stage, defense_file(tmp_path)).status_code == 202


@pytest.mark.root
def test_a_file_that_fits_once_but_not_twice_is_507_and_nothing_is_half_written(
    small: httpx.Client, stage: Stage, tmp_path: Path
) -> None:
    """The upload itself fits; its copy in the blob store does not."""
    path = defense_file(tmp_path, hidden=256)
    ballast = stage.settings.var_dir / "ballast"
    ballast.write_bytes(bytes(2**20 - 3 * path.stat().st_size // 2))
    refused(upload(small, stage, path), 507, "disk-full", "blob store")
    assert files_of(stage) == ["ballast"] and stage.submissions() == 0


# Blobs


def test_uploading_the_same_file_again_heals_its_blob(
    client: httpx.Client, post, stage: Stage, tmp_path: Path
) -> None:
    entry = post(DEFENSE, defense_file(tmp_path)).json()
    blob = stage.settings.var_dir / "blobs" / entry["sha256"][:2] / entry["sha256"]
    blob.write_bytes(b"damaged")
    download = {"url": f"{SUBMISSIONS}/{entry['id']}/artefact", "headers": stage.bearer()}
    problem(client.get(**download), 503, "unavailable")
    assert post(DEFENSE, defense_file(tmp_path)).json()["id"] == entry["id"]
    assert client.get(**download).content == defense_file(tmp_path).read_bytes()


# Time


def started(server: str, stage: Stage, body: str, seconds: float = 10) -> str:
    """What a client gets that sends the beginning of an upload and then a byte now and then."""
    address = urlsplit(server)
    head = (
        f"POST {SUBMISSIONS} HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: {stage.bearer()['Authorization']}\r\n"
        "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n"
    )
    with socket.create_connection((address.hostname, address.port), timeout=0.1) as raw:
        raw.sendall((head + body).encode())
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                return raw.recv(4096).decode()
            except TimeoutError:
                raw.sendall(b"x" if body else b"")
    return "nothing"


def test_an_upload_that_trickles_past_its_deadline_is_408(stage: Stage) -> None:
    settings = stage.settings.model_copy(update={"upload_seconds": 0.5})
    body = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'
    with serve(settings) as server:
        assert started(server, stage, body).startswith("HTTP/1.1 408")
    assert left_behind(stage) == []


def test_the_deadline_is_not_that_of_silence() -> None:
    assert Settings().upload_seconds > uploads.PATIENCE


@pytest.mark.parametrize("sent", [b"", b"GET /api/v1/health HTTP/1.1\r\nHost: loc"])
def test_a_connection_whose_request_does_not_come_is_closed(
    server: str, stage: Stage, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(serving, "HEAD_SECONDS", 0.3)
    address = urlsplit(server)
    with socket.create_connection((address.hostname, address.port), timeout=5) as raw:
        raw.sendall(sent)
        assert raw.recv(100) == b""


def test_a_second_request_whose_head_trickles_is_given_up_too(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "HEAD_SECONDS", 0.5)
    address = urlsplit(server)
    with socket.create_connection((address.hostname, address.port), timeout=5) as raw:
        raw.sendall(b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert raw.recv(4096).startswith(b"HTTP/1.1 200")
        until = time.monotonic() + 5
        with contextlib.suppress(OSError):
            while time.monotonic() < until and raw.sendall(b"G") is None:
                time.sleep(0.1)
        assert time.monotonic() < until


def test_a_request_that_takes_long_is_answered(
    server: str, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock of a request's head does not run while its body arrives."""
    monkeypatch.setattr(serving, "HEAD_SECONDS", 0.5)  # a busy machine may take half of it
    monkeypatch.setattr(uploads, "PATIENCE", 1.5)
    assert started(server, stage, "").startswith("HTTP/1.1 408")


# The codes


def test_the_errors_page_lists_every_code_of_the_api() -> None:
    root = Path(errors.__file__).parents[1]
    sources = "\n".join(path.read_text("utf-8") for path in (root / "api").rglob("*.py"))
    written = re.findall(r'ApiError\(\s*\d{3},\s*"([a-z-]+)"', sources)
    store = "\n".join(path.read_text("utf-8") for path in (root / "grbcore/store").rglob("*.py"))
    written += re.findall(r'QuotaExceeded\(\s*"([a-z-]+)"', store)
    written += re.findall(r'NotPossible\(\s*"([a-z-]+)"', store)
    written.remove("unknown")  # what does not exist is 404 before
    kinds = re.findall(r'not_found\("([a-z]+)"', sources)
    page = (root / "docs" / "errors.md").read_text("utf-8")
    listed = re.findall(r"^\| \d{3} \| (.+?) \|", page, re.MULTILINE)
    codes = {code for cell in listed for code in re.findall(r"`([a-z-]+)`", cell)}
    framework = set(errors._FRAMEWORK.values())
    assert codes == {*written, *framework, *(f"{kind}-unknown" for kind in kinds)}
