"""How the API answers under load, and on a board of a million cells.

    python tests/services.py python benchmarks/service_load.py [--entries 200] [--seconds 60]
        [--wide 1000] [--wide-url DATABASE] [--sqlite] [--registrations]

First a board with 200 registered entries on a side: fifty readers, each asking for a ranking once
a second as the page does, half of them with If-None-Match; meanwhile 100 files are uploaded in a
minute.  Where ``--registrations`` are asked for, every six seconds the board gets a new revision
too, as if an entry had been registered.  Then, on a board with 1,000 entries on a side, the first
answers of a new process (cold) and the next ones (warm).
``--wide-url`` is a database that was filled before; 0 leaves a part out.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx
import numpy as np
from sqlalchemy import text

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.workloads.board import BOARD, fill
from grbcore.cli.up import api_command, listen
from grbcore.store.session import connect
from tests.api.stage import defense_file
from tests.e2e.stack import Stack, wait_for
from tests.store import databases

READERS, UPLOADS, REGISTRATION_SECONDS = 50, 100, 6.0
BOARD_URL = f"/api/v1/boards/{BOARD}"
QUESTIONS = [
    f"{BOARD_URL}/leaderboard?side={side}&view={view}"
    for side in ("defense", "attack")
    for view in ("reference", "all")
]
WIDE = {
    "reference, defenses": QUESTIONS[0],
    "reference, attacks": QUESTIONS[2],
    "all, defenses": QUESTIONS[1],
    "all, attacks": QUESTIONS[3],
    "first 100 defenses": f"{QUESTIONS[0]}&rows=100",
    "matrix, 50 x 30": f"{BOARD_URL}/matrix?rows=50&columns=30",
    "matrix, 100 x 100": f"{BOARD_URL}/matrix",
    "boards": "/api/v1/boards",
    "submissions": "/api/v1/submissions",
    "status": "/api/v1/status",
}

Answered = tuple[float, int]  # seconds, status


@contextlib.contextmanager
def api(folder: Path, url: str) -> Iterator[Stack]:
    """A new process of the API over this database, without a worker."""
    stack = Stack(folder, {"GRB_DATABASE_URL": url, "GRB_QUOTA_PER_DAY": "0"})
    with listen("127.0.0.1", 21_000) as trial:
        port = trial.getsockname()[1]
    stack.environment["GRB_PORT"] = str(port)
    stack.address = f"http://127.0.0.1:{port}"
    stack.start("api", api_command())
    try:
        wait_for("the API", lambda: _answers(stack.address), 60)
        yield stack
    finally:
        stack.close()


def _answers(address: str) -> bool:
    try:
        return httpx.get(f"{address}/api/v1/health", timeout=5).status_code < 500
    except httpx.HTTPError:
        return False


@contextlib.contextmanager
def database(folder: Path, sqlite: bool) -> Iterator[str]:
    """The address of an empty database."""
    if sqlite:
        yield f"sqlite:///{folder / 'load.db'}"
        return
    with databases.postgres(migrated=False) as url:
        yield url


def read(address: str, until: float, results: multiprocessing.Queue[list[Answered]]) -> None:
    """Fifty readers in a process of their own; each second reader sends the tag it knows."""
    found: list[Answered] = []

    def poll(number: int) -> None:
        tag, question = "", f"{QUESTIONS[number // 2 % 4]}&rows=100"
        with httpx.Client(base_url=address, timeout=60) as client:
            time.sleep(number / READERS)
            while time.time() < until:
                headers = {"If-None-Match": tag} if number % 2 and tag else {}
                begun = time.perf_counter()
                answer = client.get(question, headers=headers)
                seconds = time.perf_counter() - begun
                tag = answer.headers.get("etag", "")
                found.append((seconds, answer.status_code))
                time.sleep(max(0.0, 1.0 - seconds))

    threads = [threading.Thread(target=poll, args=(number,)) for number in range(READERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    results.put(found)


def register(url: str, until: float) -> None:
    """A new revision now and then: every ranking has to be made anew."""
    engine = connect(url)
    while time.time() + REGISTRATION_SECONDS < until:
        time.sleep(REGISTRATION_SECONDS)
        with engine.begin() as connection:
            raised = "UPDATE boards SET revision = revision + 1 WHERE id = :id"
            connection.execute(text(raised), {"id": BOARD})
    engine.dispose()


def load(entries: int, seconds: float, *, sqlite: bool, registrations: bool) -> bool:
    """Readers, uploads and registrations at once; whether there was no error."""
    with tempfile.TemporaryDirectory() as temporary, database(Path(temporary), sqlite) as url:
        folder = Path(temporary)
        token = fill(url, entries, entries).token
        with api(folder, url) as stack:
            stack.token = token
            until = time.time() + seconds
            results: multiprocessing.Queue[list[Answered]] = multiprocessing.Queue()
            readers = multiprocessing.Process(target=read, args=(stack.address, until, results))
            readers.start()
            changes = threading.Thread(target=register, args=(url, until))
            if registrations:
                changes.start()
            uploads = _upload(stack, folder, until, seconds)
            answers = results.get()
            readers.join()
            if registrations:
                changes.join()
    print(f"{entries} x {entries} entries, {READERS} readers, {UPLOADS} uploads in {seconds:g} s:")
    _print("leaderboard", answers)
    _print("  answered 304", [answer for answer in answers if answer[1] == 304])
    _print("  answered 200", [answer for answer in answers if answer[1] == 200])
    _print("upload", uploads)
    return all(status < 400 for _, status in (*answers, *uploads))


def _upload(stack: Stack, folder: Path, until: float, seconds: float) -> list[Answered]:
    found = []
    begun = time.time()
    for number in range(UPLOADS):
        path = defense_file(folder, value=float(number))
        time.sleep(max(0.0, begun + number * seconds / UPLOADS - time.time()))
        start = time.perf_counter()
        answer = stack.upload(path, board=BOARD, side="defense", name=f"Upload {number}")
        found.append((time.perf_counter() - start, answer.status_code))
    return found


def _print(what: str, answers: Sequence[Answered]) -> None:
    if not answers:
        return
    times = 1000 * np.array([seconds for seconds, _ in answers])
    middle, high, highest = np.percentile(times, [50, 95, 99])
    wrong = sum(status >= 400 for _, status in answers)
    print(
        f"  {what:<18}{len(answers):6} answers, {wrong} errors, p50 {middle:.1f} ms, "
        f"p95 {high:.1f} ms, p99 {highest:.1f} ms, most {times.max():.0f} ms",
        flush=True,
    )


def wide(entries: int, url: str | None, *, sqlite: bool) -> None:
    """Cold and warm answers on a wide board; cold is the first answer of a new process."""
    with tempfile.TemporaryDirectory() as temporary, contextlib.ExitStack() as stack:
        folder = Path(temporary)
        if url is None:
            url = stack.enter_context(database(folder, sqlite))
            begun = time.perf_counter()
            fill(url, entries, entries)
            print(f"{entries} x {entries} entries filled in {time.perf_counter() - begun:.0f} s")
        print(f"{entries} x {entries} entries: cold (three processes), warm (median of 20), bytes")
        for what, path in WIDE.items():
            first, again, size = [], [], 0
            for _ in range(3):
                with api(folder, url) as service, httpx.Client(timeout=300) as client:
                    client.get(f"{service.address}/api/v1/cells/{'0' * 26}")  # connects
                    first.append(_seconds(client, service.address + path)[0])
                    for _ in range(20):
                        seconds, size = _seconds(client, service.address + path)
                        again.append(seconds)
            colds = ", ".join(f"{seconds:.2f}" for seconds in first)
            print(f"  {what:<22} cold {colds} s, warm {1000 * np.median(again):.1f} ms, {size}")


def _seconds(client: httpx.Client, url: str) -> tuple[float, int]:
    begun = time.perf_counter()
    answer = client.get(url)
    assert answer.status_code == 200, answer.text
    return time.perf_counter() - begun, len(answer.content)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--entries", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--wide", type=int, default=1000)
    parser.add_argument("--wide-url")
    parser.add_argument("--sqlite", action="store_true")
    parser.add_argument("--registrations", action="store_true")
    asked = parser.parse_args()
    clean = True
    if asked.entries:
        clean = load(
            asked.entries, asked.seconds, sqlite=asked.sqlite, registrations=asked.registrations
        )
    if asked.wide:
        wide(asked.wide, asked.wide_url, sqlite=asked.sqlite)
    if not clean:
        sys.exit("service_load: found answers of 400 or more, allowed: none")


if __name__ == "__main__":
    main()
