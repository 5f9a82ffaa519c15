"""Jobs of a study over the workers of a broker, through the process that speaks with it."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import IO, TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from grbcore.pitfalls.engine import Run
    from grbcore.pitfalls.running import Job, Study


def over_celery(
    study: Study, jobs: Sequence[Job], graphs: Mapping[str, str]
) -> Iterator[tuple[Job, Sequence[Run], float]]:
    """Each job as soon as a worker has done it.

    Raises:
        Refused: a worker can't do one.
        typer.Exit: no broker; the process has told so.
    """
    if not jobs:
        return
    from grbcore.pitfalls.job import request, runs_of

    command = [sys.executable, "-m", "worker.studies", "send"]
    sender = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert sender.stdin is not None and sender.stdout is not None
    messages = [request(study, job, graphs[job.dataset]) for job in jobs]
    lines = [json.dumps(message) for message in messages]
    threading.Thread(target=_write, args=(sender.stdin, lines), daemon=True).start()
    try:
        for line in sender.stdout:
            told = json.loads(line)
            place = told["place"]
            runs, seconds = runs_of(messages[place], told["answer"])
            yield jobs[place], runs, seconds
        if sender.wait():
            raise typer.Exit(1)
    finally:
        sender.terminate()
        sender.wait()


def _write(pipe: IO[str], lines: Sequence[str]) -> None:
    with suppress(BrokenPipeError), pipe:  # why it ended is told by the process itself
        pipe.writelines(f"{line}\n" for line in lines)
