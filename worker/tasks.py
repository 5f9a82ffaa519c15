"""The one task, which wakes the supervisor, and the signals that start and stop it."""

from __future__ import annotations

import logging
from typing import Any

from celery.signals import worker_init, worker_shutdown, worker_shutting_down

from grbcore.settings import WAKE
from worker.app import app, settings
from worker.supervisor import Supervisor

log = logging.getLogger(__name__)

_supervisors: list[Supervisor] = []  # none before the worker starts, then one


def wake(submission_id: str | None = None) -> None:
    """Look for work at once; the argument is for the log only."""
    log.debug("woken for submission %s", submission_id)
    for supervisor in _supervisors:
        supervisor.wake()


def start(**_: Any) -> None:
    """Start before there is a broker: work is found by polling even if none ever answers."""
    supervisor = Supervisor(settings)
    _supervisors.append(supervisor)
    supervisor.start()


def stop(**_: Any) -> None:
    """Begin to stop at the first signal."""
    for supervisor in _supervisors:
        supervisor.stop()


def join(**_: Any) -> None:
    """Wait until leases are given back."""
    for supervisor in _supervisors:
        supervisor.stop()
        supervisor.join()


app.task(name=WAKE)(wake)
worker_init.connect(start)
worker_shutting_down.connect(stop)
worker_shutdown.connect(join)
