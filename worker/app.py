"""The Celery application of the worker: ``celery -A worker.app worker``."""

from __future__ import annotations

from typing import Any

from celery import Celery
from celery.signals import setup_logging

from grbcore import logs
from grbcore.needs import queue_of
from grbcore.settings import Settings, celery_options

settings = Settings()

app = Celery("grb-worker", include=["worker.tasks"])
app.conf.update(celery_options(settings))
# one process: computing is the evaluator child's, and nothing here may be forked
app.conf.update(worker_pool="solo", worker_concurrency=1)
app.amqp.queues.select([queue_of(need) for need in settings.takes])


def log(**_: Any) -> None:
    """Celery's lines go the way of all others."""
    logs.configure(settings)


setup_logging.connect(log)
