"""The worker's main loop: claim, let a child compute, write.  It never imports torch.

Beside it runs the heartbeat, which extends leases and tells that the worker is there; the reaper.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection
from functools import partial
from threading import Event, Lock, Thread
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from grbcore import logs
from grbcore.settings import Settings
from grbcore.store import holdout_queue
from grbcore.store.blobs import Blobs
from grbcore.store.leases import HEARTBEAT
from grbcore.store.queue import (
    BULK,
    NEW,
    Batch,
    claim_cells,
    claim_validation,
    heartbeat,
    pending,
    release,
)
from grbcore.store.recovery import REAP, overdue, reap, release_predecessors
from grbcore.store.session import Sessions, connect, now
from grbcore.store.turns import TURN
from grbcore.store.workers import Identity, beat, retire_predecessors, sign_off
from worker import evaluation, excerpt, holdouts, hosts, leftovers, validation
from worker.child import Child, remove_leftovers
from worker.devices import Device
from worker.evaluation import Book, Evaluation, OtherProtocol
from worker.intervals import POLL as INTERVALS_POLL
from worker.intervals import Intervals
from worker.limits import limits
from worker.patience import every
from worker.sandbox import Sandbox, choose
from worker.standby import Standby
from worker.supplies import HostTrouble, Store
from worker.turns import Turn
from worker.writing import write

log = logging.getLogger(__name__)

#: An idle worker looks for work so often, message or not; seconds.
POLL = 2.0
#: A board that this host has trouble with is left to others for so long; seconds.
RESPITE = 30.0

#: Spoiled work of so many submissions to a board, none done between, is this host's trouble.
SPOILED = 2

#: After an unexpected error the loop waits, longer each time; seconds.
PAUSES = (1.0, 2.0, 5.0, 10.0, 30.0)

CPU = Device("cpu", "cpu", "")


class Supervisor:
    """One worker, for one device: at most one child computes at a time, one more waits ready.

    ``owner`` is its name and ``siblings`` are those of all that live in this process, which share
    its process id.  ``sandbox`` confines its children; None: the one that the settings choose.
    ``heartbeat_seconds``, ``reap_seconds`` and ``turn_seconds`` are for tests.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        device: Device = CPU,
        owner: str | None = None,
        siblings: Collection[str] = (),
        sandbox: Sandbox | None = None,
        poll: float = POLL,
        heartbeat_seconds: float = HEARTBEAT.total_seconds(),
        reap_seconds: float = REAP.total_seconds(),
        turn_seconds: float = TURN,
    ) -> None:
        self.settings = settings
        self.owner = owner or hosts.new_owner()
        self._living = {self.owner, *siblings}
        self._device = device
        self._limits = limits(settings, device.kind, len(self._living))
        self._sandbox = sandbox or choose(settings)
        self._identity = Identity(
            self.owner, device.name, hosts.versions(), now(), takes=settings.takes
        )
        self._sessions = Sessions(connect(settings.database_url))
        self._store = Store(settings, Blobs(settings.blob_url))
        self._poll, self._turn_seconds = poll, turn_seconds
        self._stopping = Event()
        self._write = partial(write, self._sessions, self._stopping)
        self._sweep = lambda _slept: leftovers.sweep(settings, self._sessions, now())
        self._awake = Event()
        self._lost = Event()  # the lease of the work at hand
        self._lock = Lock()  # of what follows
        self._token: str | None = None
        self._busy: Child | None = None
        self._standby = Standby(
            lambda: evaluation.start(settings, self._sandbox, self._limits, device)
        )
        # board, its hold-outs, or protocol -> until (monotonic clock), why
        self._avoided: dict[str, tuple[float, str]] = {}
        self._spoiled: dict[str, set[str]] = {}  # as above -> submissions in a row
        self._validates_next = True
        self._loop = Thread(target=self._told, args=(self._run,), name="grb-loop", daemon=True)
        self._others = [
            Thread(
                target=self._told,
                args=(every, *period, self._stopping),
                name=name,
                daemon=True,
            )
            for name, *period in (
                ("grb-heartbeat", 0.0, heartbeat_seconds, self._beat),
                ("grb-reaper", reap_seconds, reap_seconds, self._reap),
                ("grb-cache", 0.0, leftovers.PERIOD, self._sweep),
                *self._intervals(),
            )
        ]

    def start(self) -> None:
        """Begin to work, in threads of its own."""
        log.info(
            "worker %s starts on %s", self.owner, self._device.name, extra={"worker": self.owner}
        )
        remove_leftovers(self.settings)
        for thread in (self._loop, *self._others):
            thread.start()

    def wake(self) -> None:
        """Look for work at once."""
        self._awake.set()

    def stop(self) -> None:
        """Begin to stop: the busy child is ended, and the lease goes back to the queue."""
        self._stopping.set()
        self._awake.set()
        with self._lock:
            if self._busy is not None:
                self._busy.kill()

    def join(self, seconds: float = 10.0) -> bool:
        """Wait until everything has stopped; whether it has."""
        deadline = time.monotonic() + seconds
        for thread in (self._loop, *self._others):
            if thread.ident is not None:
                thread.join(max(0.0, deadline - time.monotonic()))
        stopped = not self._loop.is_alive()
        if stopped:
            if self._loop.ident is not None:
                self._sign_off()
            self._standby.close()
            self._sessions.engine.dispose()
        log.info("worker %s has stopped", self.owner, extra={"worker": self.owner})
        return stopped

    def standing_by(self) -> int | None:
        """The process id of the evaluator that stands by."""
        return self._standby.pid

    def _told(self, act: Callable[..., None], *arguments: Any) -> None:
        """What a thread does, its log lines about this worker."""
        with logs.about(worker=self.owner):
            act(*arguments)

    def _intervals(self) -> list[tuple[str, float, float, Callable[[bool], None]]]:
        if self.owner != min(self._living):
            return []  # of all supervisors of this process one sees to intervals
        look = Intervals(self.settings, self._sessions, self.owner, self._stopping).look
        return [("grb-intervals", INTERVALS_POLL, INTERVALS_POLL, look)]

    # the loop

    def _run(self) -> None:
        errors = 0
        released = False
        while not self._stopping.is_set():
            try:
                if not released:
                    self._release_predecessors()
                    released = True
                self._awake.clear()
                if not self._step():
                    self._standby.prepare()
                    self._awake.wait(self._poll)
                errors = 0
            except Exception:  # the outermost frame: whatever it is, the worker goes on
                log.exception("worker %s: unexpected error", self.owner)
                self._stopping.wait(PAUSES[min(errors, len(PAUSES) - 1)])
                errors += 1

    def _step(self) -> bool:
        """Do one validation or one batch, in turns where both wait; False where nothing waits."""
        avoided = set(self.avoided())
        with self._sessions.reading() as session:
            if not pending(session, now(), excluding=avoided, takes=self.settings.takes):
                return self._holdouts(avoided)
        if self._validates_next:
            return self._validation(avoided) or self._batch(avoided)
        return self._batch(avoided) or self._validation(avoided)

    def _validation(self, avoided: set[str]) -> bool:
        with self._sessions.writing() as session:
            leased = claim_validation(
                session, self.owner, now(), excluding=avoided, takes=self.settings.takes
            )
        if leased is None:
            return False
        self._validates_next = False
        about = {"board": leased.entry.board_id, "submission": leased.entry.id}
        log.info("submission %s: validation begins", leased.entry.id, extra=about)
        self._work(
            leased.token,
            leased.entry.board_id,
            leased.entry.id,
            lambda: validation.validate(
                leased,
                lambda: self._occupy(validation.start(self.settings, self._sandbox, self._limits)),
                store=self._store,
                write=self._write,
                interrupted=self._interrupted,
            ),
        )
        return True

    def _batch(self, avoided: set[str]) -> bool:
        with self._sessions.writing() as session:
            batch = claim_cells(
                session, self.owner, now(), excluding=avoided, takes=self.settings.takes
            )
        if batch is None:
            return False
        self._validates_next = True
        self._evaluate(batch, Book())
        return True

    def _holdouts(self, avoided: set[str]) -> bool:
        batch = holdouts.claim(self._sessions, avoided, self.settings.takes)
        if batch is not None:
            self._evaluate(batch, holdouts.BOOK)
        return batch is not None

    def _evaluate(self, batch: Batch, book: Book) -> None:
        # what a cell makes way for, and what of its board is avoided after trouble
        urgent, of = (BULK, holdouts.OF) if book is holdouts.BOOK else (NEW, "")
        turn = Turn(
            batch,
            urgent,
            avoided=self.avoided,
            takes=self.settings.takes,
            seconds=self._turn_seconds,
        )

        def evaluate() -> bool:
            log.info("submission %s: %d cells begin", batch.newcomer_id, len(batch.cells))
            work = Evaluation(
                batch,
                device=self._device.kind,
                store=self._store,
                write=self._write,
                interrupted=self._interrupted,
                gives_way=turn.is_over,
                book=book,
            )
            good = work.run(lambda: self._occupy(self._standby.take()), begun=self._standby.prepare)
            if work.again:
                self._keep()
            return good

        self._work(batch.token, of + batch.board_id, batch.newcomer_id, evaluate)

    def _work(self, token: str, board_id: str, submission_id: str, act: Callable[[], bool]) -> None:
        with logs.about(board=board_id.removeprefix(holdouts.OF), submission=submission_id):
            self._under_lease(token, board_id, submission_id, act)

    def _under_lease(
        self, token: str, board_id: str, submission_id: str, act: Callable[[], bool]
    ) -> None:
        """Do something under a lease; whatever is left of the lease goes back to the queue.

        ``act`` tells whether this host did its part.  A host that spoils a board's work, or its
        hold-outs, again and again leaves them to others, so that it uses up nobody's attempts.
        """
        with self._lock:
            self._token = token
        self._lost.clear()
        try:
            if act():
                self._spoiled.pop(board_id, None)
            elif not self._interrupted():
                spoiled = self._spoiled.setdefault(board_id, set())
                spoiled.add(submission_id)
                if len(spoiled) >= SPOILED:
                    self._avoid(board_id, f"work of {len(spoiled)} submissions was spoiled here")
        except OtherProtocol as other:
            self._avoid(other.protocol, str(other))
        except HostTrouble as trouble:
            if not self._interrupted():
                self._avoid(board_id, str(trouble))
        finally:
            with self._lock:
                self._token = None
                child, self._busy = self._busy, None
            if child is not None:
                child.close()
            self._write(
                lambda session, moment: (
                    release(session, token, moment) + holdout_queue.release(session, token) > 0
                )
            )

    def _avoid(self, what: str, trouble: str) -> None:
        log.error("%s is left to other workers for %g s: %s", what, RESPITE, trouble)
        self._avoided[what] = time.monotonic() + RESPITE, excerpt.public(trouble)

    def avoided(self) -> dict[str, str]:
        """Boards and protocols that this host leaves to others at the moment, each with why."""
        clock = time.monotonic()
        return {board: why for board, (until, why) in [*self._avoided.items()] if until > clock}

    def _interrupted(self) -> bool:
        return self._stopping.is_set() or self._lost.is_set()

    # children

    def _occupy(self, child: Child) -> Child:
        """Make this the child that `stop` and a lost lease end."""
        with self._lock:
            self._busy = child
        if self._interrupted():
            child.kill()
        return child

    def _keep(self) -> None:
        """Let the busy evaluator rest until there is more to do."""
        with self._lock:
            child, self._busy = self._busy, None
        if child is not None:
            self._standby.keep(child)

    # the database

    def _release_predecessors(self) -> None:
        with self._sessions.writing() as session:
            count = release_predecessors(session, hosts.HOST, self._lives, now())
            retire_predecessors(session, hosts.HOST, self._lives, now())
        if count:
            log.info("worker %s: took over %d leases of dead predecessors", self.owner, count)

    def _lives(self, owner: str) -> bool:
        """Whether a worker of this host is alive; an own process id is not, but for siblings."""
        return owner in self._living or hosts.lives(owner)

    def _beat(self, _slept: bool) -> None:
        with self._lock:
            token = self._token
        if token is not None:
            self._extend(token)
        with self._sessions.writing() as session:
            beat(session, self._identity, avoided=self.avoided(), now=now())

    def _sign_off(self) -> None:
        try:
            with self._sessions.writing() as session:
                sign_off(session, self.owner, now())
        except SQLAlchemyError as error:
            log.warning("worker %s could not sign off: %s", self.owner, error)

    def _extend(self, token: str) -> None:
        with self._sessions.writing() as session:
            held = bool(heartbeat(session, [token], now()))
            held = held or holdout_queue.heartbeat(session, token, now())
        with self._lock:
            if not held and self._token == token:
                log.info("worker %s: nothing is left under its lease", self.owner)
                self._lost.set()
                if self._busy is not None:
                    self._busy.kill()

    def _reap(self, slept: bool) -> None:
        if slept:
            return  # leases of this process ran out while it slept: first they are extended
        with self._sessions.reading() as session:
            if not overdue(session, now()):
                return
        with self._sessions.writing() as session:
            count = reap(session, now())
        if count:
            log.info("reaper: %d leases or submissions put right", count)
            self.wake()
