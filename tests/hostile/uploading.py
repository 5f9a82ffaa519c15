"""Uploads of the corpus to a running service, and what became of it."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil

from grbcore import catalog, datasets
from grbcore.submission import canonical_hash
from tests.chaos import quick_evaluator
from tests.e2e.stack import Stack
from tests.hostile.cases import MODIFICATION, Case

MIB = 1 << 20

#: Nobody is slowed down here, and what is computed is beside the point.
SETTINGS = {
    "GRB_QUOTA_PER_DAY": "0",
    "GRB_QUOTA_INVALID_PER_DAY": "0",
    "GRB_QUOTA_BYTES": "0",
    "GRB_RATE_UPLOADS": "0",
    "GRB_RATE_WRITES": "0",
    "GRB_RATE_READS": "0",
}


@contextmanager
def unlimited(folder: Path) -> Iterator[None]:
    """The environment of a service that takes any number of uploads and evaluates in no time."""
    evaluator = [sys.executable, str(quick_evaluator.__file__), str(folder), "0"]
    given = {**SETTINGS, "GRB_EVALUATOR": json.dumps(evaluator)}
    before = {name: os.environ.get(name) for name in given}
    os.environ.update(given)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name)
            else:
                os.environ[name] = value


class Uploads:
    """Everything that was sent, and what was said of it."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self.client = httpx.Client(
            base_url=f"{stack.address}/api/v1",
            headers={"Authorization": f"Bearer {stack.token}"},
            timeout=60,
        )
        self.taken: dict[str, Case] = {}  # by the id of the entry
        self.answers: list[tuple[Case, int, set[str]]] = []

    def send(self, case: Case) -> None:
        fields = {
            "board": case.board, "side": case.side, "name": case.name[:60], "authors": "The tests",
        }  # fmt: skip
        if case.side == "attack":
            fields["family"] = "DICE" if case.board == MODIFICATION else "RND"
        answer = self.client.post("/submissions", data=fields, files={"file": ("f", case.make())})
        body = answer.json()
        codes = {violation["code"] for violation in body["violations"]}
        self.answers.append((case, answer.status_code, codes))
        if answer.is_success:
            self.taken.setdefault(body["id"], case)

    def settled(self, seconds: float) -> dict[str, dict[str, Any]]:
        """What became of each entry once it was checked, by its id."""
        until, found = time.monotonic() + seconds, {}
        while len(found) < len(self.taken):
            assert time.monotonic() < until, f"{len(self.taken) - len(found)} wait still"
            for entry in self.taken.keys() - found.keys():
                body = self.client.get(f"/submissions/{entry}").json()
                if body["state"] not in ("received", "validating"):
                    found[entry] = body
            time.sleep(0.5)
        return found

    def close(self) -> None:
        self.client.close()


def faults(uploads: Uploads, settled: dict[str, dict[str, Any]], folder: Path) -> list[str]:
    """Each answer that was not the one that the case asks for."""
    wrong = []
    for case, status, codes in uploads.answers:
        expected = (status in (200, 202), set()) if case.valid or case.late else (
            status == 422, case.codes)  # fmt: skip
        if not expected[0] or codes != expected[1]:
            wrong.append(f"{case.name}: {status} {sorted(codes)}")
    seen: set[tuple[str, str]] = set()
    for entry in sorted(settled):  # in the order in which they were sent
        case, body = uploads.taken[entry], settled[entry]
        codes = {violation["code"] for violation in body["violations"]}
        expected_codes = set(case.codes)
        if case.valid:
            content = (case.board, canonical(case, folder))
            expected_codes = {"duplicate"} if content in seen else set()
            seen.add(content)
        if codes != expected_codes or (body["state"] == "rejected") != bool(expected_codes):
            wrong.append(f"{case.name}: {body['state']} {sorted(codes)}")
    return wrong


def canonical(case: Case, folder: Path) -> str:
    path = folder / hashlib.sha256(case.name.encode()).hexdigest()
    path.write_bytes(case.make())
    board = catalog.board(case.board)
    return canonical_hash(path, side=case.side, board=board, dataset=datasets.load("digits"))


def processes(stack: Stack) -> Sequence[psutil.Process]:
    """Everything that the stack runs."""
    found = []
    for process in stack.processes.values():
        parent = psutil.Process(process.pid)
        found += [parent, *parent.children(recursive=True)]
    return found


def running(stack: Stack, module: str) -> list[psutil.Process]:
    """Its processes that run this module."""
    return [process for process in processes(stack) if module in process.cmdline()]
