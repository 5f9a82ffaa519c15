"""Jobs of a study over the workers of a broker, through the process that speaks with it."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any

import typer

from grbcore.violations import Refused, Violation

if TYPE_CHECKING:
    from grbcore.graphlevel.study import plan as expressive
    from grbcore.graphlevel.study.running import Found
    from grbcore.graphlevel.study.running import Job as ModelJob
    from grbcore.pitfalls.engine import Run
    from grbcore.pitfalls.running import Job, Study

#: What ``--workers`` of a study may be.
KINDS = ("local", "celery")


def check_workers(workers: str) -> None:
    """Refuse what ``--workers`` can't be.

    Raises:
        Refused: it is none of `KINDS`.
    """
    if workers not in KINDS:
        raise Refused([Violation("format", "--workers", workers, ", ".join(KINDS))])


def splits_over_celery(
    study: Study, jobs: Sequence[Job], graphs: Mapping[str, str]
) -> Iterator[tuple[Job, Sequence[Run], float]]:
    """Each job as soon as a worker has done it.

    Raises:
        Refused: a worker can't do one.
        typer.Exit: no broker; the process has told so.
    """
    from grbcore.pitfalls.job import request, runs_of

    messages = [request(study, job, graphs[job.dataset]) for job in jobs]
    for place, answer in _answers(messages):
        runs, seconds = runs_of(messages[place], answer)
        yield jobs[place], runs, seconds


def expressive_over_celery(
    study: expressive.Study, jobs: Sequence[ModelJob], digest: str
) -> Iterator[tuple[expressive.Key, Found]]:
    """The runs of each model as soon as a worker has done them; see `splits_over_celery`."""
    from grbcore.graphlevel.study.job import found_of, request

    messages = [request(study, job, digest) for job in jobs]
    for place, answer in _answers(messages):
        yield from found_of(jobs[place], messages[place], answer)


def _answers(messages: Sequence[dict[str, Any]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The place of each message and its answer, as they come."""
    if not messages:
        return
    command = [sys.executable, "-m", "worker.studies", "send"]
    sender = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert sender.stdin is not None and sender.stdout is not None
    lines = [json.dumps(message) for message in messages]
    threading.Thread(target=_write, args=(sender.stdin, lines), daemon=True).start()
    try:
        for line in sender.stdout:
            told = json.loads(line)
            yield told["place"], told["answer"]
        if sender.wait():
            raise typer.Exit(1)
    finally:
        sender.terminate()
        sender.wait()


def _write(pipe: IO[str], lines: Sequence[str]) -> None:
    with suppress(BrokenPipeError), pipe:  # why it ended is told by the process itself
        pipe.writelines(f"{line}\n" for line in lines)
