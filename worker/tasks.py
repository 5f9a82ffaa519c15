"""The one task, which wakes the supervisors, and the signals that start and stop them."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Sequence
from typing import Any

from celery.signals import worker_init, worker_shutdown, worker_shutting_down

from grbcore.settings import WAKE
from worker import hosts
from worker.app import app, settings
from worker.devices import Device, NoSuchDevice, machine_gpus, resolve
from worker.sandbox import NoSandbox, choose
from worker.supervisor import Supervisor

log = logging.getLogger(__name__)

#: Leases are given back within so many seconds of the signal to stop.
STOP_SECONDS = 10.0

_supervisors: list[Supervisor] = []  # none before the worker starts, then one for each device


def wake(submission_id: str | None = None) -> None:
    """Look for work at once; the argument is for the log only."""
    log.debug("woken for submission %s", submission_id)
    for supervisor in _supervisors:
        supervisor.wake()


def start(**_: Any) -> None:
    """Start before there is a broker: work is found by polling even if none ever answers."""
    _supervisors.extend(supervisors(devices()))
    for supervisor in _supervisors:
        supervisor.start()


def devices() -> tuple[Device, ...]:
    """The devices that the settings ask for.

    Raises:
        SystemExit: one is not here.
    """
    try:
        return resolve(settings.device, os.environ, machine_gpus)
    except NoSuchDevice as error:
        raise SystemExit(f"worker: {error}") from None  # the only one that Celery lets through


def supervisors(chosen: Sequence[Device]) -> list[Supervisor]:
    """A supervisor for each device; each knows the others' names.

    Raises:
        SystemExit: no sandbox holds on this machine, and the settings don't do without.
    """
    try:
        sandbox = choose(settings)
    except NoSandbox as error:
        raise SystemExit(f"worker: {error}") from None
    owners = [hosts.new_owner() for _ in chosen]
    return [
        Supervisor(settings, device=device, owner=owner, siblings=owners, sandbox=sandbox)
        for device, owner in zip(chosen, owners, strict=True)
    ]


def stop(**_: Any) -> None:
    """Begin to stop at the first signal."""
    for supervisor in _supervisors:
        supervisor.stop()


def join(**_: Any) -> None:
    """Wait until leases are given back, all of them within `STOP_SECONDS`."""
    stop()
    deadline = time.monotonic() + STOP_SECONDS
    for supervisor in _supervisors:
        supervisor.join(max(0.0, deadline - time.monotonic()))


app.task(name=WAKE)(wake)
worker_init.connect(start)
worker_shutting_down.connect(stop)
worker_shutdown.connect(join)
