"""Waking a worker.  The database is the queue: a lost message costs a few seconds, no more."""

from __future__ import annotations

import logging

from celery import Celery

from grbcore.needs import queue_of
from grbcore.settings import WAKE, Settings, celery_options

log = logging.getLogger(__name__)


class Waker:
    """Sends the task that makes an idle worker look for claimable rows at once."""

    def __init__(self, settings: Settings) -> None:
        self._celery = Celery("grb-api", set_as_current=False)
        options = celery_options(settings)
        if settings.broker_url.startswith("redis"):
            # a broker that accepts but never answers must not hold a thread
            options["broker_transport_options"]["socket_timeout"] = 2
        self._celery.conf.update(options)

    def wake(self, submission_id: str, need: str) -> None:
        """Wake a worker that takes this need.

        A broker that does not answer is logged, and polling takes over, as it does where every
        worker that takes the need is busy or none does.
        """
        try:
            queue = queue_of(need)
            self._celery.send_task(WAKE, args=[submission_id], queue=queue, retry=False)
        except Exception as error:
            log.warning("no worker was woken for %s: %s", submission_id, error)

    def reachable(self) -> bool:
        """Whether the broker takes messages, found out within about 2 s."""
        try:
            with self._celery.connection_for_write(connect_timeout=2) as connection:
                connection.ensure_connection(max_retries=1, timeout=2)
        except Exception as error:
            log.warning("the broker does not answer: %s", error)
            return False
        return True

    def close(self) -> None:
        """Give back the connections."""
        self._celery.close()
