"""Following a submission by server-sent events."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import event

from api import events
from grbcore.settings import Settings
from grbcore.store.session import now
from grbcore.store.tables import CellRow
from tests.api.stage import START, SUBMISSIONS, Stage, problem, serve
from tests.worker.fixtures import wait_for

Told = tuple[str, dict[str, Any], str]  # event, data, id


def address(submission: str) -> str:
    return f"{SUBMISSIONS}/{submission}/events"


class Follower:
    """Reads a stream as a browser does."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self.lines = answer.iter_lines()
        self.comments = 0

    def __iter__(self) -> Iterator[Told]:
        found: dict[str, str] = {}
        for line in self.lines:
            if line.startswith(":"):
                self.comments += 1
            elif line:
                name, _, value = line.partition(": ")
                found[name] = value
            elif "event" in found:
                yield found["event"], json.loads(found["data"]), found["id"]
                found = {}

    def next(self) -> Told:
        return next(iter(self))


@contextmanager
def follow(
    client: httpx.Client,
    submission: str,
    last: str | None = None,
    headers: dict[str, str] | None = None,
) -> Iterator[Follower]:
    headers = {**(headers or {}), **({} if last is None else {"Last-Event-ID": last})}
    with client.stream("GET", address(submission), headers=headers) as answer:
        assert answer.status_code == 200
        yield Follower(answer)


def finish_cells(stage: Stage, *cells: str) -> None:
    with stage.sessions.writing() as session:
        for name in cells:
            row = session.get_one(CellRow, name)
            row.state, row.finished_at = "done", START
            row.correct, row.total = {"full": [1]}, {"full": 2}


@pytest.fixture
def entry(stage: Stage) -> dict[str, str]:
    """A defense under evaluation with two cells, both waiting."""
    attack = stage.entry("attack", "A", is_reference=True)
    defense = stage.entry("defense", "D", state="evaluating")
    return {
        "id": defense,
        "clean": stage.cell(None, defense, state="queued"),
        "cell": stage.cell(attack, defense, state="queued"),
    }


def test_a_stream_tells_what_changes_and_then_the_end(
    client: httpx.Client, stage: Stage, entry: dict[str, str]
) -> None:
    with follow(client, entry["id"]) as stream:
        name, data, _ = stream.next()
        assert (name, data["state"]) == ("progress", "evaluating")
        assert (data["cells"]["queued"], data["cells"]["done"]) == (2, 0)
        assert data["place"]["position"] == 1
        finish_cells(stage, entry["clean"])
        name, data, _ = stream.next()
        assert (name, data["cells"]["queued"], data["cells"]["done"]) == ("progress", 1, 1)
        finish_cells(stage, entry["cell"])
        stage.change(entry["id"], state="ranked", registered_at=now())
        rest = list(stream)
    assert [name for name, _, _ in rest][-1] == "end"
    assert rest[-1][1]["state"] == "ranked"
    assert rest[-1][1]["place"] is None


@pytest.mark.parametrize(
    ("change", "mark"),
    [
        ({"state": "rejected"}, None),
        ({"state": "failed"}, None),
        ({"withdrawn_at": START}, "withdrawn"),
        ({"hidden_at": START}, "hidden"),
        ({"deleted_at": START}, "deleted"),
    ],
)
def test_every_end_is_told(
    client: httpx.Client,
    stage: Stage,
    entry: dict[str, str],
    change: dict[str, Any],
    mark: str | None,
) -> None:
    with follow(client, entry["id"]) as stream:
        stream.next()
        stage.change(entry["id"], **change)
        rest = list(stream)
    name, data, _ = rest[-1]
    assert name == "end"
    assert data["state"] == change.get("state", "evaluating")
    assert [word for word in ("withdrawn", "hidden", "deleted") if data[word]] == (
        [mark] if mark else []
    )


def test_a_stream_of_what_has_ended_ends_at_once(client: httpx.Client, stage: Stage) -> None:
    ranked = stage.entry("defense", "D")
    with follow(client, ranked) as stream:
        assert [name for name, _, _ in stream] == ["progress", "end"]


def test_a_client_that_comes_back_is_told_only_what_it_does_not_know(
    client: httpx.Client, stage: Stage, entry: dict[str, str]
) -> None:
    with follow(client, entry["id"]) as stream:
        _, _, stamp = stream.next()
    with follow(client, entry["id"], stamp) as stream:
        finish_cells(stage, entry["clean"])
        _, data, later = stream.next()
    assert data["cells"]["done"] == 1
    stage.change(entry["id"], state="failed", reason="it breaks")
    with follow(client, entry["id"], later) as stream:
        told = list(stream)
    assert [name for name, _, _ in told] == ["progress", "end"]
    with follow(client, entry["id"], told[0][2]) as stream:
        assert [name for name, _, _ in stream] == ["end"]
    answer = client.get(address(entry["id"]), headers={"Last-Event-ID": told[1][2]})
    assert (answer.status_code, answer.content) == (204, b"")


def test_what_changes_is_told_where_nothing_is_read_but_the_stream(
    client: httpx.Client, entry: dict[str, str]
) -> None:
    with follow(client, entry["id"]) as stream:
        headers = stream.answer.headers
        assert headers["content-type"].startswith("text/event-stream")
        assert headers["cache-control"] == "no-store"
        assert headers["x-accel-buffering"] == "no"
        assert "content-encoding" not in headers
        assert next(stream.lines) == f"retry: {events.RETRY}"


def test_a_silent_stream_says_that_it_is_there(
    client: httpx.Client, entry: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "HEARTBEAT", 0.05)
    with follow(client, entry["id"]) as stream:
        stream.next()
        assert next(line for line in stream.lines if line.startswith(":"))


def test_head_has_the_headers_and_an_end(client: httpx.Client, entry: dict[str, str]) -> None:
    answer = client.head(address(entry["id"]))
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")


@pytest.mark.parametrize("name", ["nope", "0" * 26])
def test_a_stream_of_nothing_is_404(client: httpx.Client, name: str) -> None:
    problem(client.get(address(name)), 404, "submission-unknown")


def test_beyond_the_most_streams_there_is_503_until_one_ends(
    settings: Settings, stage: Stage, entry: dict[str, str]
) -> None:
    few = settings.model_copy(update={"event_streams": 2})
    with serve(few) as server, httpx.Client(base_url=server, timeout=30) as client:
        with follow(client, entry["id"]) as stream:
            stream.next()
            with follow(client, entry["id"]) as second:
                second.next()
                refused = client.get(address(entry["id"]))
                problem(refused, 503, "streams")
                assert refused.headers["retry-after"]
        # both clients are gone, and their places are free again
        wait_for(lambda: opens(client, entry["id"]))


def opens(client: httpx.Client, submission: str) -> bool:
    with client.stream("GET", address(submission)) as answer:
        return answer.status_code == 200


def test_a_hundred_watchers_cost_as_many_queries_as_one(
    settings: Settings, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each round of reading asks the database as often for 100 submissions as for 1."""
    entries = [stage.entry("defense", str(n), state="evaluating") for n in range(100)]
    for name in entries:
        stage.cell(None, name, state="queued")
    rounds: dict[int, set[int]] = {}  # watched submissions -> queries of one round
    from api import main

    reading = main.read_progress

    def counted(session: Any, ids: Any, moment: Any) -> Any:
        engine, here, asked = session.get_bind(), threading.get_ident(), [0]

        def listen(*_: Any) -> None:
            asked[0] += threading.get_ident() == here  # other threads of the service ask, too

        event.listen(engine, "before_cursor_execute", listen)
        try:
            return reading(session, ids, moment)
        finally:
            event.remove(engine, "before_cursor_execute", listen)
            rounds.setdefault(len(ids), set()).add(asked[0])

    monkeypatch.setattr(main, "read_progress", counted)
    limits = httpx.Limits(max_connections=200)
    with (
        serve(settings) as server,
        httpx.Client(base_url=server, timeout=60, limits=limits) as client,
        ExitStack() as stack,
    ):
        first = stack.enter_context(follow(client, entries[0]))
        first.next()
        wait_for(lambda: 1 in rounds)
        streams = [stack.enter_context(follow(client, name)) for name in entries[1:]]
        for stream in streams:
            stream.next()
        wait_for(lambda: 100 in rounds)
        rounds[100].clear()
        wait_for(lambda: bool(rounds[100]))
    assert rounds[100] == {min(rounds[1])}


def test_streams_hold_no_thread_and_no_session(
    client: httpx.Client, entry: dict[str, str], stage: Stage
) -> None:
    """More streams than the pool of threads has places, and requests are answered beside them."""
    limits = httpx.Limits(max_connections=100)
    with (
        httpx.Client(base_url=client.base_url, timeout=60, limits=limits) as many,
        ExitStack() as stack,
    ):
        streams = [stack.enter_context(follow(many, entry["id"])) for _ in range(60)]
        for stream in streams:
            stream.next()
        assert client.get(f"{SUBMISSIONS}/{entry['id']}").status_code == 200
        assert client.get("/api/v1/ready").status_code == 200
        finish_cells(stage, entry["clean"])
        assert all(stream.next()[1]["cells"]["done"] == 1 for stream in streams)


def test_a_server_that_stops_ends_its_streams_at_once(
    settings: Settings, stage: Stage, entry: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    """Long before requests that go on are given up, which would be logged as an error."""
    told: list[str] = []

    def read(server: str, begun: threading.Event) -> None:
        with (
            httpx.Client(base_url=server, timeout=60) as client,
            follow(client, entry["id"]) as stream,
        ):
            for name, _, _ in stream:
                told.append(name)
                begun.set()
            told.append("closed")

    begun = threading.Event()
    with serve(settings) as server:
        thread = threading.Thread(target=read, args=(server, begun))
        thread.start()
        assert begun.wait(30)
    thread.join(30)
    assert told == ["progress", "closed"]
    assert "timeout graceful shutdown exceeded" not in caplog.text


def test_a_client_that_vanishes_is_forgotten(
    settings: Settings, stage: Stage, entry: dict[str, str]
) -> None:
    one = settings.model_copy(update={"event_streams": 1})
    with serve(one) as server:
        host, port = server.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=30) as raw:
            raw.sendall(f"GET {address(entry['id'])} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            assert raw.recv(100).startswith(b"HTTP/1.1 200")
        with httpx.Client(base_url=server, timeout=30) as client:
            wait_for(lambda: opens(client, entry["id"]))


def test_a_database_that_is_away_refuses_a_stream(settings: Settings, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'empty.db'}"
    with serve(settings.model_copy(update={"database_url": url})) as server:
        problem(httpx.get(server + address("0" * 26)), 503, "unavailable")


def test_a_stream_is_counted_by_the_time_until_it_began(
    client: httpx.Client, stage: Stage, entry: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "HEARTBEAT", 0.05)
    with follow(client, entry["id"]) as stream:
        stream.next()
        for line in stream.lines:
            if line.startswith(":"):
                break
    route = "/api/v1/submissions/{submission_id}/events"
    counted = f'grb_http_requests_total{{method="GET",route="{route}",status="200"}} 1'
    wait_for(lambda: counted in client.get("/metrics").text)


def test_an_entry_that_waits_longer_keeps_its_stamp(
    client: httpx.Client, stage: Stage, entry: dict[str, str]
) -> None:
    """Time alone is no change."""
    with follow(client, entry["id"]) as stream:
        _, _, first = stream.next()
    stage.change(entry["id"], received_at=START - timedelta(days=1))
    with follow(client, entry["id"]) as stream:
        _, _, later = stream.next()
    assert first == later
