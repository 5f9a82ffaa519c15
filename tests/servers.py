"""Servers of a test's own, which it may end and start again: Postgres, Redis, an S3 store."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import boto3
import httpx
import psycopg
import redis

from tests.services import free_port, initdb

_QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def wait_until(what: str, found: Callable[[], object], seconds: float = 60.0) -> None:
    """Ask ten times a second until the answer is true."""
    until = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < until, f"{what}: not within {seconds:g} s"
        time.sleep(0.1)


class Postgres:
    """A database server, which keeps what was committed when it is ended."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="grb-postgres-"))
        self.host = host
        self.port = free_port()
        self.url = f"postgresql+psycopg://postgres@{host}:{self.port}/postgres"
        self._binaries = Path(initdb()).parent
        # the server refuses to run as root; Debian's package brings the user postgres
        self._prefix = ("runuser", "-u", "postgres", "--") if os.geteuid() == 0 else ()
        if self._prefix:
            shutil.chown(self.folder, "postgres")
        self._run("initdb", "-A", "trust", "-U", "postgres", self._data)
        with (self.folder / "data" / "pg_hba.conf").open("a") as rules:
            rules.write("host all postgres samenet trust\n")

    @property
    def _data(self) -> str:
        return str(self.folder / "data")

    def start(self) -> None:
        options = f"-p {self.port} -k {self.folder} -c listen_addresses={self.host} -c fsync=off"
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", self._data, "-w", "-o", options, "-l", log, "start")

    def stop(self, mode: Literal["fast", "immediate"]) -> None:
        """End it: in good order, or as if the power had failed."""
        self._run("pg_ctl", "-D", self._data, "-w", "-m", mode, "stop")

    def close(self) -> None:
        if (self.folder / "data" / "postmaster.pid").exists():
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def answers(self) -> bool:
        try:
            psycopg.connect(self.url.replace("+psycopg", ""), connect_timeout=2).close()
        except psycopg.Error:
            return False
        return True

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._prefix, str(self._binaries / program), *arguments]
        subprocess.run(command, check=True, cwd=self.folder, **_QUIET)  # type: ignore[call-overload]


class Redis:
    """A broker that keeps nothing: started again, it is empty."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.host = host
        self.port = free_port()
        self.url = f"redis://{host}:{self.port}/0"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        place = ("--port", str(self.port), "--bind", self.host)
        command = ("redis-server", *place, "--save", "", "--protected-mode", "no")
        self._process = subprocess.Popen(command, **_QUIET)  # type: ignore[call-overload]

    def answers(self) -> bool:
        try:
            return bool(redis.Redis.from_url(self.url, socket_connect_timeout=2).ping())
        except redis.RedisError:
            return False

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    close = kill


class S3:
    """An S3-compatible store with one bucket, in memory."""

    BUCKET = "grb"

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.host = host
        self.port = free_port()
        self.url = f"s3://{self.BUCKET}/blobs"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def endpoint(self) -> str:
        return f"http://{self.host}:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        """What a process needs to use the store."""
        return {
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
        }

    def start(self) -> None:
        command = (sys.executable, "-m", "moto.server", "-H", self.host, "-p", str(self.port))
        self._process = subprocess.Popen(command, **_QUIET)  # type: ignore[call-overload]

    def answers(self) -> bool:
        try:
            return httpx.get(self.endpoint, timeout=2).is_success
        except httpx.HTTPError:
            return False

    def make_bucket(self) -> None:
        """An empty bucket in place of what was there."""
        httpx.post(f"{self.endpoint}/moto-api/reset", timeout=10).raise_for_status()
        self.client().create_bucket(Bucket=self.BUCKET)

    def client(self) -> Any:
        """Another client than ours, to look at the objects and to spoil them."""
        return boto3.client(
            "s3",
            endpoint_url=self.endpoint,
            region_name="us-east-1",
            aws_access_key_id="test",
            aws_secret_access_key="test",
        )

    def revive(self) -> None:
        """Start it again, empty, where it was killed."""
        if self._process is None:
            self.start()
            wait_until("the S3 server", self.answers)
            self.make_bucket()

    def freeze(self) -> None:
        """From now on it takes connections and never answers."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    close = kill
