"""Delivers what users are told, beside the requests: a few threads in each API process.

Several processes share the work through leases in the database, so each notice is one deliverer's
at a time.  No request waits for them, and what fails here is logged and tried again.
"""

from __future__ import annotations

import json
import logging
import threading
from datetime import datetime
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from api.mail import Mail
from api.webhooks import NotDelivered, Webhooks
from grbcore.settings import Settings
from grbcore.store import notices
from grbcore.store.notices import LeasedNotice
from grbcore.store.session import Sessions, now

log = logging.getLogger(__name__)

THREADS = 3

#: How often each thread looks for something due, and after an error; seconds.
PAUSE, LONG_PAUSE = 2.0, 15.0

#: How long stopping waits for what is on its way; what takes longer is sent again by another.
GRACE = 1.0


class Couriers:
    """Sends notices through the channels of this service."""

    def __init__(
        self,
        settings: Settings,
        sessions: Sessions,
        webhooks: Webhooks | None = None,
        mail: Mail | None = None,
    ) -> None:
        self._sessions = sessions
        self._public = settings.public_url
        self.webhooks = webhooks or Webhooks(private=settings.webhook_private)
        self.mail = mail or Mail(settings)
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Begin to deliver."""
        self._threads = [
            threading.Thread(target=self._work, name=f"courier-{number}", daemon=True)
            for number in range(THREADS)
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Take nothing new; what hangs is left behind, and its lease ends."""
        self._stop.set()
        for thread in self._threads:
            thread.join(GRACE / THREADS)

    def deliver_one(self) -> bool:
        """Deliver the notice that is due for longest; False where there is none."""
        with self._sessions.reading() as session:
            if not notices.due(session, now()):
                return False
        with self._sessions.writing() as session:
            notice = notices.claim(session, now())
        if notice is None:
            return False
        problem = self._try(notice)
        with self._sessions.writing() as session:
            if problem is None:
                notices.sent(session, notice, now())
            else:
                log.info("notice %s (%s) did not arrive: %s", notice.id, notice.channel, problem)
                notices.not_sent(session, notice, problem, now())
        return True

    def _work(self) -> None:
        pause = 0.0
        while not self._stop.wait(pause):
            try:
                pause = 0.0 if self.deliver_one() else PAUSE
            except SQLAlchemyError as error:
                log.warning("notices wait: the database does not answer: %s", error)
                pause = LONG_PAUSE
            except Exception:
                log.exception("notices wait: an error of the service")
                pause = LONG_PAUSE

    def _try(self, notice: LeasedNotice) -> str | None:
        """Why a notice did not arrive, if it did not."""
        try:
            if notice.channel == "mail":
                self.mail.tell(
                    notice.address, notice.id, notice.event, notice.payload, notice.created_at
                )
            else:
                entry = notice.payload
                data = {**entry, "url": f"{self._public}/submissions/{entry['id']}"}
                body = message(notice.event, notice.created_at, data)
                self.webhooks.send(notice.address, str(notice.secret), notice.id, body, now())
        except NotDelivered as error:
            return str(error)
        except Exception:
            log.exception("notice %s (%s): an error of the service", notice.id, notice.channel)
            return "found an error of this service, which is logged, allowed: none"
        return None


def message(event: str, at: datetime, data: dict[str, Any]) -> bytes:
    """The body of a webhook: what happened, when, and to what."""
    said = {"type": event, "timestamp": at.isoformat().replace("+00:00", "Z"), "data": data}
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()
