"""Worker processes that a test kills, stops for a while and starts again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil

from tests.e2e.stack import ROOT


def command_in_json(command: Sequence[str]) -> str:
    """A command as GRB_EVALUATOR takes it."""
    return json.dumps(command)


class Fleet:
    """Workers with one environment, by their number."""

    def __init__(self, command: list[str], environment: dict[str, str], log: Path) -> None:
        self.command = command
        self.environment = {**os.environ, "OMP_NUM_THREADS": "1", **environment}
        self.log = log
        self._running: dict[int, subprocess.Popen[bytes]] = {}
        self._stopped: set[int] = set()

    def start(self, number: int) -> None:
        with self.log.open("ab") as log:
            self._running[number] = subprocess.Popen(
                self.command,
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def kill(self, number: int) -> None:
        """As if the power of this process alone had failed; its children are left to themselves."""
        process = self._running.pop(number)
        self._stopped.discard(number)
        process.kill()
        process.wait()

    def freeze(self, number: int) -> None:
        self._running[number].send_signal(signal.SIGSTOP)
        self._stopped.add(number)

    def thaw(self, number: int) -> None:
        if number in self._stopped:
            self._stopped.remove(number)
            self._running[number].send_signal(signal.SIGCONT)

    def able(self) -> dict[int, int]:
        """The workers that could work now, with their process ids."""
        return {
            number: process.pid
            for number, process in [*self._running.items()]
            if number not in self._stopped and process.poll() is None
        }

    def children(self, number: int) -> list[psutil.Process]:
        """The processes that a worker has started, the oldest first."""
        try:
            found = psutil.Process(self._running[number].pid).children()
            return sorted(found, key=lambda child: child.create_time())
        except psutil.NoSuchProcess:
            return []

    def stop(self) -> None:
        """End every worker in good order; each must do so within ten seconds."""
        for number in [*self._stopped]:
            self.thaw(number)
        for process in self._running.values():
            process.send_signal(signal.SIGTERM)
        until = time.monotonic() + 15
        for process in self._running.values():
            process.wait(max(0.1, until - time.monotonic()))
        self._running.clear()

    def close(self) -> None:
        """End whatever is left, at once."""
        for process in [*self.remains()]:
            try:
                process.kill()
            except psutil.NoSuchProcess:
                continue
        for child in self._running.values():
            child.wait()

    def remains(self) -> Iterator[psutil.Process]:
        """Every process, worker or child, that works in this fleet's folder."""
        for process in psutil.process_iter():
            try:
                folder = process.environ().get("GRB_VAR_DIR")
                if process.pid != os.getpid() and folder == self.environment["GRB_VAR_DIR"]:
                    yield process
            except (psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
                continue
