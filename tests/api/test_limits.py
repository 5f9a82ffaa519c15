"""Rates: who is counted, what is told, and what happens without Redis."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import redis
from limits import parse

from api.counting import PATIENCE, Counting
from api.limits import bucket_of
from grbcore.settings import Settings
from tests.api.conftest import REDIS
from tests.api.stage import DEFENSE, SUBMISSIONS, Stage, problem, serve

BOARDS = "/api/v1/boards"
ME = "/api/v1/me"
RATE = parse("3/minute")


@pytest.fixture(autouse=True)
def nobody_counted() -> Iterator[None]:
    """Redis forgets what other tests have asked."""
    client = redis.Redis.from_url(REDIS.geturl())
    for key in client.scan_iter("grb-rate*"):
        client.delete(key)
    yield
    client.close()


@contextmanager
def service(stage: Stage, **update: object) -> Iterator[httpx.Client]:
    """A service that counts this host as well, with these settings."""
    settings = stage.settings.model_copy(update={"rate_exempt": (), **update})
    with serve(settings) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


def test_a_client_that_reads_too_often_is_told_to_wait(stage: Stage) -> None:
    with service(stage, rate_reads="3/hour") as client:
        assert [client.get(BOARDS).status_code for _ in range(3)] == [200, 200, 200]
        answer = client.get(BOARDS)
        body = problem(answer, 429, "rate")
        assert body["violations"] == [
            {
                "code": "rate",
                "place": "reads of this address",
                "found": "more",
                "allowed": "3 in 3600 s",
            }
        ]
        wait = int(answer.headers["retry-after"])
        assert 0 < wait <= 3600
        assert answer.headers["ratelimit-policy"] == '"reads";q=3;w=3600'
        assert answer.headers["ratelimit"] == f'"reads";r=0;t={wait}'
        assert client.get("/api/v1/health").status_code == 200


def test_each_kind_of_request_has_its_own_rate(stage: Stage) -> None:
    with service(stage, rate_reads="1/hour", rate_uploads="1/hour", rate_writes="1/hour") as client:
        assert client.get(BOARDS).status_code == 200
        problem(client.get(BOARDS), 429, "rate")
        problem(client.post(SUBMISSIONS), 401, "token")
        problem(client.post(SUBMISSIONS), 429, "rate")
        problem(client.delete(f"{ME}/notifications"), 401, "token")
        problem(client.delete(f"{ME}/notifications"), 429, "rate")


def test_uploads_without_a_token_are_counted_by_address(stage: Stage) -> None:
    with service(stage, rate_uploads="2/hour") as client:
        files = {"file": ("f", b"x")}
        for _ in range(2):
            problem(client.post(SUBMISSIONS, data=DEFENSE, files=files), 401, "token")
        problem(client.post(SUBMISSIONS, data=DEFENSE, files=files), 429, "rate")


def test_another_token_does_not_make_another_client(stage: Stage) -> None:
    with service(stage, rate_reads="3/hour") as client:
        for number in range(3):
            headers = {"Authorization": f"Bearer grb_{number}"}
            problem(client.get(ME, headers=headers), 401, "token")
        problem(client.get(ME, headers=stage.bearer()), 429, "rate")


def test_refusals_are_counted(stage: Stage) -> None:
    with service(stage, rate_uploads="1/hour") as client:
        for _ in range(3):
            client.post(SUBMISSIONS)
        assert 'grb_refusals_total{code="rate"} 2' in client.get("/metrics").text


def test_zero_is_no_limit(stage: Stage) -> None:
    with service(stage, rate_reads="0") as client:
        assert {client.get("/api/v1/health").status_code for _ in range(20)} == {200}


def test_this_host_is_not_counted_by_default(stage: Stage) -> None:
    settings = stage.settings.model_copy(update={"rate_reads": "1/hour"})
    with serve(settings) as address:
        assert {httpx.get(address + BOARDS).status_code for _ in range(3)} == {200}


@pytest.mark.parametrize(
    ("method", "path", "bucket"),
    [
        ("GET", "/api/v1/boards", "reads"),
        ("HEAD", "/", "reads"),
        ("POST", "/api/v1/submissions", "uploads"),
        ("POST", "/api/v1/uploads", "uploads"),
        ("PATCH", "/api/v1/uploads/01J", "writes"),
        ("POST", "/api/v1/submissions/01J/withdraw", "writes"),
        ("POST", "/api/v1/auth/sign-in", "sign-ins"),
        ("GET", "/api/v1/auth", "reads"),
        ("POST", "/api/v1/authors", "writes"),
    ],
)
def test_what_a_request_counts_for(method: str, path: str, bucket: str) -> None:
    assert bucket_of(method, path) == bucket


# Redis


def hits(counting: Counting, count: int, who: str = "ann") -> list[int | None]:
    async def ask() -> list[int | None]:
        try:
            return [await counting.hit(RATE, who) for _ in range(count)]
        finally:
            await counting.close()

    return asyncio.run(ask())


def test_processes_share_what_they_count_by_redis() -> None:
    assert hits(Counting(REDIS.geturl()), 2) == [None, None]
    first, second = hits(Counting(REDIS.geturl()), 2)
    assert first is None
    assert second is not None and 0 < second <= 60
    assert hits(Counting(REDIS.geturl()), 1, "bob") == [None]


def test_without_redis_a_process_counts_alone() -> None:
    assert [wait is None for wait in hits(Counting("filesystem://"), 4)] == [True] * 3 + [False]


@contextmanager
def silent() -> Iterator[str]:
    """The address of a Redis that takes connections and never answers."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(50)
        yield f"redis://127.0.0.1:{listening.getsockname()[1]}/0"


def closed() -> str:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return f"redis://127.0.0.1:{found.getsockname()[1]}/0"


def test_a_redis_that_is_away_holds_nobody_up(caplog: pytest.LogCaptureFixture) -> None:
    begun = time.monotonic()
    with caplog.at_level(logging.WARNING):
        found = hits(Counting(closed()), 4)
    assert [wait is None for wait in found] == [True] * 3 + [False]
    assert time.monotonic() - begun < 2
    assert [record.message.partition(":")[0] for record in caplog.records] == [
        "requests are counted in this process only, Redis is away"
    ]


def test_a_redis_that_is_silent_is_asked_once() -> None:
    with silent() as url:
        begun = time.monotonic()
        found = hits(Counting(url), 4)
        assert [wait is None for wait in found] == [True] * 3 + [False]
        assert PATIENCE <= time.monotonic() - begun < 4 * PATIENCE


def test_the_service_answers_though_redis_is_away(stage: Stage, tmp_path: Path) -> None:
    with service(stage, broker_url=closed(), rate_reads="2/hour") as client:
        assert [client.get(BOARDS).status_code for _ in range(3)] == [200, 200, 429]


def test_a_proxy_that_is_not_named_is_one_client(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever is behind it can't make himself this host by being forwarded."""
    settings = stage.settings.model_copy(update={"rate_reads": "2/hour"})
    forwarded = {"Forwarded": "for=198.51.100.1"}
    with serve(settings) as address, caplog.at_level(logging.WARNING, "api.limits"):
        found = [httpx.get(address + BOARDS, headers=forwarded).status_code for _ in range(3)]
    assert found == [200, 200, 429]
    assert [record for record in caplog.messages if "GRB_TRUSTED_PROXIES" in record]


def test_the_settings_say_what_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Settings(rate_exempt="10.0.0.0/8, ::1").rate_exempt == ("10.0.0.0/8", "::1/128")
    assert Settings(rate_exempt="").rate_exempt == ()
    for wrong in ({"rate_reads": "many"}, {"rate_exempt": "lab.org"}, {"rate_writes": "0/minute"}):
        with pytest.raises(ValueError):
            Settings(**wrong)
