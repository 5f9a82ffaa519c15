"""Jobs of studies over Celery: ``python -m worker.studies`` works, ``… send`` hands them out.

The study's own file is the record, kept by who sends; a message is a job that anybody may do, any
number of times, with the same runs.  So nothing here is made to last: a job whose worker no longer
tells that it lives is sent again, and so is one whose worker failed.
"""

from __future__ import annotations

import json
import logging
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import IO, Any

from celery import Celery, Task
from celery.signals import setup_logging
from celery.states import PENDING, READY_STATES, REVOKED, SUCCESS
from kombu.exceptions import OperationalError
from pydantic import ValidationError
from redis import RedisError

from grbcore import logs
from grbcore.settings import Settings, celery_options, faults

try:
    settings = Settings()
except ValidationError as error:
    sys.exit("; ".join(faults(error)))

log = logging.getLogger(__name__)

QUEUE = "studies"

#: A worker tells so often that it is at a job; seconds.
BEAT = 2.0

#: A job that nothing was heard of for so long is sent again; seconds.
LOST = 15.0

#: How often a job is sent again whose worker failed, or whose process ended.
AGAIN = 2

#: Where no worker has taken any job for so long, it is said; seconds.
SILENCE = 30.0

#: Messages in the queue or at workers, so that few are left of a study that was killed.
WINDOW = 64

_PREFIX = "studies:"

_REDIS = ("redis://", "rediss://")

app = Celery("grb-studies")
app.conf.update(celery_options(settings))
app.conf.update(
    result_backend=settings.broker_url if settings.broker_url.startswith(_REDIS) else None,
    result_expires=24 * 3600,
    task_default_queue=QUEUE,
    task_ignore_result=False,
    task_acks_late=True,  # so that a worker reserves no job but the one that it is at
    worker_pool="solo",
    worker_concurrency=1,
)
# keys of their own: workers that are only woken give back what was not acknowledged for a minute
app.conf.broker_transport_options = {
    **app.conf.broker_transport_options,
    "global_keyprefix": _PREFIX,
    "visibility_timeout": 24 * 3600,
}


class Child:
    """The process with torch, one for each worker; started with the first job."""

    def __init__(
        self, command: Sequence[str] = (sys.executable, "-m", "grbcore.study_jobs")
    ) -> None:
        self._command = command
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[str] = queue.Queue()

    def ask(self, message: dict[str, Any]) -> None:
        """Hand it a job; it has none."""
        if self._process is None:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,  # a worker that is told to end finishes its job
            )
            reader = (self._process.stdout, self._answers)
            threading.Thread(target=_read, args=reader, daemon=True).start()
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:  # `answer` tells
            log.debug("the process of jobs is gone")

    def answer(self, seconds: float) -> dict[str, Any] | None:
        """Its answer; None where it takes longer than this.

        Raises:
            RuntimeError: it has ended.
        """
        try:
            line = self._answers.get(timeout=seconds)
        except queue.Empty:
            return None
        if line:
            return dict(json.loads(line))
        assert self._process is not None
        raise RuntimeError(f"the process of the job ended with {self._process.wait()}")

    def end(self) -> None:
        """End it, whatever it is at, with every answer that it still owes."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            assert self._process.stdin is not None
            with suppress(BrokenPipeError):
                self._process.stdin.close()
        self._process, self._answers = None, queue.Queue()


def _read(pipe: IO[str], answers: queue.Queue[str]) -> None:
    for line in pipe:
        answers.put(line)
    answers.put("")


_child = Child()


def do(self: Task[Any, Any], message: dict[str, Any]) -> dict[str, Any] | None:
    """Do a job, and tell meanwhile that it is being done; None where nobody waits any more."""
    if self.AsyncResult(self.request.id).state in READY_STATES:
        return None
    try:
        _child.ask(message)
        for beat in count():
            self.update_state(state="PROGRESS", meta={"beat": beat})
            found = _child.answer(BEAT)
            if found is not None:
                return found
    except BaseException:
        _child.end()  # its answer would be taken for that to the next job
        raise
    return None


run: Any = app.task(name="studies.run", bind=True)(do)


@dataclass(slots=True)
class _Sent:
    """A message on its way: which job, what was last seen of it, and when that changed."""

    place: int
    seen: object
    since: float


class Sender:
    """Hands jobs out and writes each answer once, in whatever order they come."""

    def __init__(self, messages: Iterable[dict[str, Any]], out: IO[str]) -> None:
        self._messages = dict(enumerate(messages))
        self._waiting = deque(self._messages)
        self._sent: dict[str, _Sent] = {}
        self._failed: Counter[int] = Counter()
        self._out = out
        self._silent_since: float | None = time.monotonic()  # None: a worker was heard of

    def send_all(self) -> None:
        """Until every job is answered."""
        try:
            while self._waiting or self._sent:
                while self._waiting and len(self._sent) < WINDOW:
                    place = self._waiting.popleft()
                    found = run.delay(self._messages[place])
                    self._sent[found.id] = _Sent(place, None, time.monotonic())
                queued = _queued()
                for key in list(self._sent):
                    self._look(key, queued)
                self._tell_silence()
                time.sleep(0.2)
        finally:
            for key in self._sent:
                app.backend.store_result(key, None, REVOKED)  # what still waits is not done

    def _look(self, key: str, queued: int) -> None:
        sent, meta = self._sent[key], app.backend.get_task_meta(key, cache=False)
        seen, now = (meta["status"], meta["result"]), time.monotonic()
        if meta["status"] != PENDING:
            self._silent_since = None
        if meta["status"] in READY_STATES:
            del self._sent[key]
            run.AsyncResult(key).forget()
            if meta["status"] == SUCCESS:
                self._answer(sent.place, meta["result"])
            elif self._failed[sent.place] < AGAIN:  # what is wrong with a job is told with SUCCESS
                log.warning("study: a job failed and is sent again: %s", meta["result"])
                self._failed[sent.place] += 1
                self._waiting.appendleft(sent.place)
            else:
                self._answer(sent.place, {"error": str(meta["result"])})
        elif seen != sent.seen or (meta["status"] == PENDING and queued):
            sent.seen, sent.since = seen, now
        elif now - sent.since > LOST:
            log.warning("study: a job was lost and is sent again")
            app.backend.store_result(key, None, REVOKED)
            del self._sent[key]
            self._waiting.appendleft(sent.place)

    def _answer(self, place: int, answer: dict[str, Any]) -> None:
        self._out.write(json.dumps({"place": place, "answer": answer}) + "\n")
        self._out.flush()

    def _tell_silence(self) -> None:
        """Once, where there seems to be no worker."""
        if self._silent_since is not None and time.monotonic() - self._silent_since >= SILENCE:
            self._silent_since = None
            command = "python -m worker.studies"
            log.warning("study: no worker took a job for %.0f s; is %s running?", SILENCE, command)


def _queued() -> int:
    """How many messages no worker has taken."""
    return int(app.backend.client.llen(f"{_PREFIX}{QUEUE}"))


def send() -> None:
    """Send the job on each line of standard input, answer each with a line."""

    def stop(number: int, frame: object) -> None:
        raise SystemExit(128 + number)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    try:
        app.backend.client.ping()
        Sender([json.loads(line) for line in sys.stdin], sys.stdout).send_all()
    except (OperationalError, RedisError, RuntimeError) as error:  # the last: no retry is left
        sys.exit(f"GRB_BROKER_URL: found no broker that answers ({error}), allowed: a Redis server")


def main(arguments: list[str]) -> None:
    """Work, or send what standard input says."""
    logs.configure(settings)
    if not settings.broker_url.startswith(_REDIS):
        scheme = settings.broker_url.partition("://")[0]
        sys.exit(f"GRB_BROKER_URL: found {scheme}://…, allowed: redis://… or rediss://… here")
    if arguments == ["send"]:
        send()
        return
    setup_logging.connect(_log)
    options = ("--without-gossip", "--without-mingle", "--without-heartbeat")
    app.worker_main(["--quiet", "worker", *options])


def _log(**_: Any) -> None:
    """Celery's lines go the way of all others."""
    logs.configure(settings)


if __name__ == "__main__":
    main(sys.argv[1:])
