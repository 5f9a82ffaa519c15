"""Many jobs in processes of their own, which end with the command that started them."""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import resource_tracker
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

import torch

Given = TypeVar("Given")
Job = TypeVar("Job")
Result = TypeVar("Result")


class Workers(Generic[Given, Job, Result]):
    """Processes of one thread each that call ``run(given, job)``.

    They are spawned, never forked: a child that torch ran in before the fork hangs.  ``given`` goes
    to each process once.
    """

    def __init__(self, run: Callable[[Given, Job], Result], given: Given, processes: int) -> None:
        self._run = run
        context = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(processes, context, _start, (given,))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.shutdown()

    def each(
        self, jobs: Sequence[Job], began: Callable[[Job], None] = lambda job: None
    ) -> Iterator[tuple[Job, Result]]:
        """Each job and its result, as they end; where one fails the others are ended, too.

        Raises:
            ChildProcessError: a process was killed.
        """
        futures: dict[Future[Result], Job] = {}
        try:
            with deaf_children():
                for job in jobs:
                    began(job)
                    futures[self._pool.submit(_elsewhere, self._run, job)] = job
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BaseException as fault:
            self._pool.shutdown(wait=False, cancel_futures=True)
            for child in multiprocessing.active_children():
                child.terminate()  # else what they are at would be waited for
            if isinstance(fault, BrokenProcessPool):
                found = "found a process that was killed, as the system does when memory runs out"
                raise ChildProcessError(f"--jobs: {found}, allowed: fewer at once") from None
            raise


@contextmanager
def deaf_children() -> Iterator[None]:
    """Processes that are started here never hear Ctrl-C; this one hears it afterwards."""
    resource_tracker.ensure_running()  # whose start, with the first process, would unblock it
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # which children inherit
    if threading.current_thread() is not threading.main_thread():
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        return
    pressed: list[int] = []  # another thread, such as that of a bar, may hear it all the same
    before = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    if pressed:
        raise KeyboardInterrupt


_given: Any = None  # of a process that was spawned for it


def _start(given: Any) -> None:
    global _given
    _given = given
    torch.set_num_threads(1)


def _elsewhere(run: Callable[[Any, Job], Result], job: Job) -> Result:
    return run(_given, job)
