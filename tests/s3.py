"""Fixtures of tests that need an S3-compatible store: a real server on loopback."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers import S3, wait_until


@pytest.fixture(scope="module")
def s3_server() -> Iterator[S3]:
    made = S3()
    try:
        made.start()
        wait_until("the S3 server", made.answers)
        yield made
    finally:
        made.close()


@pytest.fixture
def s3(s3_server: S3, monkeypatch: pytest.MonkeyPatch) -> Iterator[S3]:
    """The server with an empty bucket, and the variables that lead to it."""
    for name, value in s3_server.environment.items():
        monkeypatch.setenv(name, value)
    s3_server.make_bucket()
    yield s3_server
    s3_server.thaw()
    s3_server.revive()
