"""Run a command with the servers that the tests need: ``python tests/services.py COMMAND …``.

Postgres and Redis that answer on their standard ports are used as they are.  Where none answers,
private ones are started from local binaries, on free ports, and ended afterwards; where there are
no binaries, Debian's packages are installed first.  Chromium is installed where it is missing.
The command finds the addresses in GRB_TEST_POSTGRES, GRB_TEST_REDIS and GRB_TEST_CHROMIUM.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import redis

POSTGRES = "postgresql+psycopg://postgres@127.0.0.1:{port}/postgres"
REDIS = "redis://127.0.0.1:{port}/0"


def main(command: list[str]) -> int:
    with contextlib.ExitStack() as started:
        environment = {
            **os.environ,
            "GRB_TEST_POSTGRES": started.enter_context(postgres()),
            "GRB_TEST_REDIS": started.enter_context(redis_server()),
            "GRB_TEST_CHROMIUM": chromium(),
        }
        # hundreds of processes are started: each would compile the project anew
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        return subprocess.run(command, env=environment, check=False).returncode


def install(*packages: str) -> None:
    """Install Debian packages, or say what is missing."""
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        sys.exit(f"tests: found no {' '.join(packages)}, and can't install it: please do")
    sys.stderr.write(f"Installing {' '.join(packages)} …\n")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], check=True, env=environment)
    subprocess.run(
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages],
        check=True,
        env=environment,
        stdout=subprocess.DEVNULL,
    )


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def answers_postgres(url: str) -> bool:
    try:
        with psycopg.connect(url.replace("+psycopg", ""), connect_timeout=3) as connection:
            found = connection.execute(
                "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user"
            ).fetchone()
            return bool(found and found[0])
    except psycopg.Error:
        return False


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    standard = os.environ.get("GRB_TEST_POSTGRES", POSTGRES.format(port=5432))
    if answers_postgres(standard):
        yield standard
        return
    if not initdb():
        install("postgresql")
    binaries = Path(initdb()).parent
    folder = Path(tempfile.mkdtemp(prefix="grb-postgres-"))
    # the server refuses to run as root; Debian's package brings the user postgres
    user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    if user:
        shutil.chown(folder, "postgres")
    port = free_port()
    data = str(folder / "data")
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "cwd": folder}
    subprocess.run([*user, binaries / "initdb", "-A", "trust", "-U", "postgres", data], **quiet)
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    control = [*user, binaries / "pg_ctl", "-D", data, "-w"]
    subprocess.run([*control, "-o", options, "-l", str(folder / "log"), "start"], **quiet)
    try:
        yield POSTGRES.format(port=port)
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], **quiet)
        shutil.rmtree(folder, ignore_errors=True)


def initdb() -> str:
    found = sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin/initdb")))
    return found[-1] if found else (shutil.which("initdb") or "")


def answers_redis(url: str) -> bool:
    try:
        return bool(redis.Redis.from_url(url, socket_connect_timeout=3).ping())
    except redis.RedisError:
        return False


@contextlib.contextmanager
def redis_server() -> Iterator[str]:
    standard = os.environ.get("GRB_TEST_REDIS", REDIS.format(port=6379))
    if answers_redis(standard):
        yield standard
        return
    if shutil.which("redis-server") is None:
        install("redis-server")
    port = free_port()
    server = subprocess.Popen(
        ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", ""],
        stdout=subprocess.DEVNULL,
    )
    url = REDIS.format(port=port)
    try:
        until = time.monotonic() + 20
        while not answers_redis(url):
            if time.monotonic() > until or server.poll() is not None:
                sys.exit("tests: redis-server did not start")
            time.sleep(0.1)
        yield url
    finally:
        server.terminate()
        server.wait(10)


def chromium() -> str:
    for name in (os.environ.get("GRB_TEST_CHROMIUM", ""), "chromium", "chromium-browser"):
        found = shutil.which(name) if name else None
        if found:
            return found
    install("chromium", "fonts-dejavu-core")
    return shutil.which("chromium") or sys.exit("tests: found no chromium after installing it")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
