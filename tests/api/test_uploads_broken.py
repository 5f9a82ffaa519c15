"""Uploads in parts while connections, processes and disks fail: what arrived is there."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from sqlalchemy import select

from api import serving, uploads
from api.incoming import Incoming
from api.sweeping import sweep
from api.tus import CONTENT_TYPE
from grbcore.settings import Settings
from grbcore.store.session import now
from grbcore.store.tables import UploadRow
from tests.api.flaky import flaky
from tests.api.parts import Sender
from tests.api.stage import DEFENSE, Stage, defense_file, problem, serve
from tests.disks import small_disk

ROOT = Path(__file__).resolve().parents[2]
SEE = {"Prefer": "return=representation"}


@pytest.fixture
def ann(client: httpx.Client, stage: Stage) -> Sender:
    return Sender(client, stage)


@pytest.fixture
def content(tmp_path: Path) -> bytes:
    """A defense of some 300,000 bytes."""
    return defense_file(tmp_path, hidden=1024).read_bytes()


def parts(stage: Stage) -> list[Path]:
    return list(stage.settings.incoming_dir.glob("part-*"))


def until(found, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < end, "not within the time"
        time.sleep(0.02)


@contextlib.contextmanager
def begun(server: str, ann: Sender, offset: int, content: bytes, length: int) -> Iterator:
    """A request that announced ``length`` bytes and has sent ``content`` only."""
    address = urlsplit(server)
    head = (
        f"PATCH {ann.location} HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: {ann.headers['Authorization']}\r\nContent-Type: {CONTENT_TYPE}\r\n"
        f"Upload-Offset: {offset}\r\nContent-Length: {length}\r\n\r\n"
    )
    with socket.create_connection((address.hostname, address.port), timeout=20) as raw:
        raw.sendall(head.encode() + content)
        yield raw


# Connections


def test_an_upload_over_a_line_that_breaks_goes_on_each_time(
    server: str, stage: Stage, content: bytes
) -> None:
    """Some thirty breaks at random points, in heads and in bodies."""
    rng = random.Random(5)
    broken = 0
    with (
        flaky(server, lambda: rng.randrange(1, 25_000)) as address,
        httpx.Client(base_url=address, timeout=20) as client,
        httpx.Client(base_url=server, timeout=20) as direct,
    ):
        Sender(direct, stage).begin(DEFENSE, len(content))
        [row] = Sender(direct, stage).all()
        ann = Sender(client, stage)
        ann.location = row["location"]
        answer, offset = None, 0
        while answer is None or not answer.headers.get("submission"):
            try:
                answer = ann.ask()
                if answer.status_code == 200:
                    assert int(answer.headers["upload-offset"]) >= offset
                    offset = int(answer.headers["upload-offset"])
                    answer = ann.bring(offset, content[offset:])
            except httpx.TransportError:
                broken += 1
        [row] = Sender(direct, stage).all()
        entry = direct.get(f"/api/v1/submissions/{row['submission']}").json()
    assert broken >= 10
    assert stage.blobs.read(entry["sha256"]) == content


def test_what_arrived_before_the_connection_broke_is_kept(
    server: str, ann: Sender, content: bytes
) -> None:
    ann.begin(DEFENSE, len(content))
    with begun(server, ann, 0, content[:100_000], len(content)):
        until(lambda: ann.all()[0]["arrived"] == 0)  # held back until there is more, or an end
    until(lambda: ann.all()[0]["arrived"] == 100_000)
    assert ann.offset() == 100_000  # asking ends the request that broke, which may still hold it
    assert ann.bring(100_000, content[100_000:]).headers["submission"]


def test_a_request_that_falls_silent_is_ended_and_what_arrived_is_kept(
    server: str, ann: Sender, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "PATIENCE", 0.3)
    ann.begin(DEFENSE, len(content))
    with begun(server, ann, 0, content[:5000], len(content)) as raw:
        answer = raw.recv(4096)
    assert answer.startswith(b"HTTP/1.1 408") and b"upload-offset: 5000" in answer.lower()
    assert ann.offset() == 5000


def test_a_request_that_trickles_past_its_deadline_is_ended_and_kept(
    stage: Stage, content: bytes
) -> None:
    settings = stage.settings.model_copy(update={"upload_seconds": 0.5})
    with serve(settings) as address, httpx.Client(base_url=address, timeout=20) as client:
        ann = Sender(client, stage)
        ann.begin(DEFENSE, len(content))
        with begun(address, ann, 0, content[:10], len(content)) as raw:
            raw.settimeout(0.1)
            sent, answer, end = 10, b"", time.monotonic() + 10
            while not answer and time.monotonic() < end:
                try:
                    answer = raw.recv(4096)
                except TimeoutError:
                    raw.sendall(content[sent : sent + 1])
                    sent += 1
        assert answer.startswith(b"HTTP/1.1 409")
        assert 10 <= ann.offset() <= sent


def test_a_client_that_comes_back_need_not_wait_for_its_lost_connection(
    server: str, ann: Sender, content: bytes
) -> None:
    """The server does not know yet that nobody is at the other end."""
    ann.begin(DEFENSE, len(content))
    with begun(server, ann, 0, content[:5000], len(content)) as raw:
        time.sleep(0.2)
        begin = time.monotonic()
        assert ann.offset() == 5000
        assert time.monotonic() - begin < 5
        assert raw.recv(4096).startswith(b"HTTP/1.1 409")
    assert ann.bring(5000, content[5000:]).headers["submission"]


def test_a_second_request_that_brings_bytes_is_423(
    server: str, ann: Sender, content: bytes
) -> None:
    ann.begin(DEFENSE, len(content))
    with begun(server, ann, 0, content[:5000], len(content)) as raw:
        time.sleep(0.2)
        problem(ann.bring(0, content), 423, "locked")
        raw.sendall(content[5000:])
        assert raw.recv(4096).startswith(b"HTTP/1.1 204")
    assert ann.ask().headers["submission"]


def test_parts_take_the_turns_of_uploads(
    stage: Stage, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One upload of a user at once: another part is refused, a question is answered."""
    monkeypatch.setattr("api.slots.Slots.__init__.__defaults__", (0.3,))
    few = stage.settings.model_copy(update={"uploads_each": 1})
    with serve(few) as server, httpx.Client(base_url=server, timeout=30) as client:
        ann, other, bob = (Sender(client, stage, user) for user in ("ann", "ann", "bob"))
        for sender in (ann, other, bob):
            sender.begin(DEFENSE, len(content))
        with begun(server, ann, 0, content[:5000], len(content)) as raw:
            time.sleep(0.2)
            problem(other.bring(0, content), 429, "uploads-at-once")
            assert other.offset() == 0
            assert bob.bring(0, content).headers["submission"]
            whole = stage.settings.incoming_dir / f"part-{other.location[-26:]}"
            whole.write_bytes(content)  # as a process leaves it that is killed before the end
            assert other.ask().status_code == 429
            raw.sendall(content[5000:])
            assert raw.recv(4096).startswith(b"HTTP/1.1 204")
        assert other.ask().headers["submission"]


def test_another_process_with_the_same_folder_may_not_write_beside_it(
    server: str, ann: Sender, stage: Stage, content: bytes
) -> None:
    ann.begin(DEFENSE, len(content))
    with (
        serve(stage.settings) as second,
        httpx.Client(base_url=second, timeout=20) as client,
        begun(server, ann, 0, content[:5000], len(content)) as raw,
    ):
        time.sleep(0.2)
        other = Sender(client, stage)
        other.location = ann.location
        problem(other.bring(0, content), 423, "locked")
        raw.close()
        until(lambda: other.ask().headers.get("upload-offset") == "5000")
        assert other.bring(5000, content[5000:]).headers["submission"]


def test_many_clients_that_bring_the_same_bytes_make_one_submission(
    ann: Sender, stage: Stage, content: bytes
) -> None:
    ann.begin(DEFENSE, len(content))
    found: list[int] = []
    threads = [
        threading.Thread(target=lambda: found.append(ann.bring(0, content).status_code))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found.count(204) == 1 and set(found) <= {204, 409, 423}
    assert stage.submissions() == 1


def test_a_part_with_a_checksum_is_taken_whole_or_not_at_all(
    server: str, ann: Sender, content: bytes
) -> None:
    ann.begin(DEFENSE, len(content))
    address = urlsplit(server)
    head = (
        f"PATCH {ann.location} HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: {ann.headers['Authorization']}\r\nContent-Type: {CONTENT_TYPE}\r\n"
        f"Upload-Offset: 0\r\nContent-Length: 9000\r\nUpload-Checksum: sha1 {'A' * 27}=\r\n\r\n"
    )
    with socket.create_connection((address.hostname, address.port), timeout=20) as raw:
        raw.sendall(head.encode() + content[:5000])
    assert ann.offset() == 0


# Processes


def test_a_service_that_stops_ends_what_is_brought_at_once_and_keeps_it(
    stage: Stage, content: bytes
) -> None:
    with serve(stage.settings) as address, httpx.Client(base_url=address, timeout=20) as client:
        ann = Sender(client, stage)
        ann.begin(DEFENSE, len(content))
        silent = contextlib.ExitStack()
        raw = silent.enter_context(begun(address, ann, 0, content[:5000], len(content)))
        time.sleep(0.3)
        begin = time.monotonic()
    assert time.monotonic() - begin < serving.STOP_SECONDS
    assert raw.recv(4096).startswith(b"HTTP/1.1 409")
    silent.close()
    with serve(stage.settings) as address, httpx.Client(base_url=address, timeout=20) as client:
        again = Sender(client, stage)
        again.location = ann.location
        assert again.bring(5000, content[5000:]).headers["submission"]


@pytest.fixture
def process(settings: Settings, stage: Stage) -> Iterator[tuple[str, object]]:
    """The API as a process of its own; and what kills it with SIGKILL and starts it again."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    given = {
        "GRB_PORT": str(port),
        "GRB_VAR_DIR": str(settings.var_dir),
        "GRB_DATABASE_URL": settings.database_url,
        "GRB_BROKER_URL": settings.broker_url,
        "GRB_BLOB_URL": settings.blob_url,
    }
    address = f"http://127.0.0.1:{port}"
    running: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        command = [sys.executable, "-m", "api"]
        running.append(subprocess.Popen(command, cwd=ROOT, env={**os.environ, **given}))

        def answers() -> bool:
            with contextlib.suppress(httpx.TransportError):
                return httpx.get(f"{address}/api/v1/health").status_code == 200
            return False

        until(answers, 60)

    def again() -> None:
        running[-1].send_signal(signal.SIGKILL)
        running[-1].wait()
        start()

    start()
    yield address, again
    running[-1].kill()
    running[-1].wait()


def test_an_upload_survives_a_kill_of_the_service(process, stage: Stage, content: bytes) -> None:
    address, again = process
    with httpx.Client(base_url=address, timeout=20) as client:
        ann = Sender(client, stage)
        ann.begin(DEFENSE, len(content))
        ann.bring(0, content[:1000])
        with begun(address, ann, 1000, content[1000:280_000], len(content) - 1000):
            until(lambda: ann.all()[0]["arrived"] > 200_000)
            again()
        offset = ann.offset()
        assert offset > 200_000
        assert ann.bring(offset, content[offset:], **SEE).status_code == 202
    assert stage.submissions() == 1


def test_a_kill_after_the_last_byte_is_mended_by_the_next_question(
    ann: Sender, stage: Stage, content: bytes
) -> None:
    """The bytes are all there, and no row knows of it."""
    ann.begin(DEFENSE, len(content))
    ann.bring(0, content[:1000])
    with parts(stage)[0].open("ab") as file:
        file.write(content[1000:])
    assert stage.submissions() == 0
    assert ann.ask().headers["submission"]
    assert stage.submissions() == 1 and parts(stage) == []


# Disks, blobs, the database


@pytest.mark.root
def test_a_full_disk_is_507_and_the_upload_goes_on_once_there_is_room(
    settings: Settings, stage: Stage, content: bytes
) -> None:
    settings.incoming_dir.mkdir(parents=True)
    with small_disk(settings.incoming_dir, "500k"):
        changed = settings.model_copy(update={"min_free_bytes": 0})
        with serve(changed) as address, httpx.Client(base_url=address, timeout=20) as client:
            ann = Sender(client, stage)
            ann.begin(DEFENSE, len(content))
            ballast = settings.incoming_dir / "ballast"
            ballast.write_bytes(bytes(250_000))
            answer = ann.bring(0, content)
            problem(answer, 507, "disk-full")
            offset = ann.offset()
            assert 0 < offset == int(answer.headers["upload-offset"]) < len(content)
            assert client.get("/api/v1/health").status_code == 200
            ballast.unlink()
            assert ann.bring(offset, content[offset:], **SEE).status_code == 202
            # nor is one begun that can't fit
            ballast.write_bytes(bytes(250_000))
            problem(ann.begin(DEFENSE, 400_000), 507, "disk-full")


def test_without_a_blob_store_the_last_part_is_503_and_can_be_finished_later(
    ann: Sender, stage: Stage, content: bytes
) -> None:
    ann.begin(DEFENSE, len(content))
    folder = Path(urlsplit(stage.settings.blob_url).path)
    aside = folder.with_name("aside")
    folder.rename(aside)
    folder.write_text("a file where the folder was")
    problem(ann.bring(0, content), 503, "unavailable")
    assert stage.submissions() == 0
    folder.unlink()
    aside.rename(folder)
    assert ann.bring(len(content), b"", **SEE).status_code == 202


def test_what_was_noted_of_an_upload_matters_less_than_its_file(
    ann: Sender, stage: Stage, content: bytes
) -> None:
    """A crash between the write and the commit, and one that lost the end of the file."""
    ann.begin(DEFENSE, len(content))
    ann.bring(0, content[:2000])
    for noted in (0, 5000):
        with stage.sessions.writing() as session:
            session.scalars(select(UploadRow)).one().arrived = noted
        assert ann.offset() == 2000


# What nobody finished


def test_files_of_ended_uploads_are_swept_and_later_their_rows(
    ann: Sender, stage: Stage, content: bytes
) -> None:
    incoming, lasts = Incoming(stage.settings.incoming_dir), timedelta(hours=24)
    for _ in range(3):
        ann.begin(DEFENSE, len(content))
        ann.bring(0, content[:100])
    (stage.settings.incoming_dir / "part-of-nothing").write_text("x")
    sweep(stage.sessions, incoming, lasts)
    assert len(parts(stage)) == 3
    ids = expired, given_up, held = sorted(row["id"] for row in ann.all())
    with stage.sessions.writing() as session:
        for upload_id in (expired, held):
            session.get_one(UploadRow, upload_id).expires_at = now() - timedelta(seconds=1)
        session.delete(session.get_one(UploadRow, given_up))
    part = incoming.hold(held)
    sweep(stage.sessions, incoming, lasts)
    assert [path.name for path in parts(stage)] == [f"part-{held}"]
    part.close()
    sweep(stage.sessions, incoming, lasts)
    assert parts(stage) == []
    assert ann.client.get(f"/api/v1/uploads/{expired}", headers=ann.headers).status_code == 410
    with stage.sessions.writing() as session:
        session.get_one(UploadRow, expired).expires_at = now() - lasts - timedelta(seconds=1)
    sweep(stage.sessions, incoming, lasts)
    with stage.sessions.reading() as session:
        assert [one for one in ids if session.get(UploadRow, one)] == [held]


def test_the_api_removes_what_uploads_of_a_killed_process_left(stage: Stage) -> None:
    """When they are older than an upload may be, and not only when it starts."""
    settings = stage.settings.model_copy(update={"reap_seconds": 0.1, "upload_seconds": 1000})
    folder = settings.var_dir / "incoming"
    with serve(settings):
        folder.mkdir(parents=True, exist_ok=True)
        for name, seconds in (("upload-left", 1601), ("upload-running", 1500)):
            (folder / name).write_bytes(b"x")
            os.utime(folder / name, (time.time() - seconds,) * 2)
        until(lambda: not (folder / "upload-left").exists())
    assert (folder / "upload-running").exists()


def test_the_api_sweeps_by_itself(stage: Stage, content: bytes) -> None:
    settings = stage.settings.model_copy(update={"reap_seconds": 0.1, "upload_hours": 0.5 / 3600})
    with serve(settings) as address, httpx.Client(base_url=address, timeout=20) as client:
        ann = Sender(client, stage)
        ann.begin(DEFENSE, len(content))
        ann.bring(0, content[:100])
        until(lambda: parts(stage) == [] and ann.all() == [])
