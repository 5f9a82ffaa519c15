"""Answers kept in memory; while one is made anew, readers get the one before it for a moment."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Lock

from sqlalchemy.orm import Session

from grbcore.store.session import Sessions

log = logging.getLogger(__name__)

#: Whoever could be given the answer before waits this long for the new one first; seconds.
PATIENCE = 0.03

#: So many bytes of answers are kept: strangers choose the questions, and some answers are large.
ROOM = 64 * 2**20

#: Answers that are made anew at the same time behind the backs of their readers.
_THREADS = 2


@dataclass(frozen=True, slots=True)
class Answer:
    """The body of an answer, and its ETag."""

    body: bytes
    tag: str


@dataclass(slots=True)
class _Kept:
    """What is known of one question."""

    answer: Answer | None = None
    right: float = 0.0  # when the answer was last known to be right; monotonic
    making: Future[Answer] | None = None


class Answers:
    """The last answer to each question, at most ``most`` of them and ``room`` bytes in all.

    The least recently used goes first.

    An answer whose tag is no longer asked for is made anew, once for all who ask.  Meanwhile they
    get the old one, whose tag says so, for at most ``seconds`` after it was last known to be right.
    """

    def __init__(
        self, sessions: Sessions, seconds: float, most: int = 256, room: int = ROOM
    ) -> None:
        self._sessions = sessions
        self._seconds = seconds
        self._most = most
        self._room = room
        self._known: OrderedDict[Hashable, _Kept] = OrderedDict()
        self._lock = Lock()
        self._pool = ThreadPoolExecutor(_THREADS, "answers")

    def close(self) -> None:
        """Begin nothing more."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def get(
        self,
        question: Hashable,
        tag: str,
        make: Callable[[Session], Answer],
        release: Callable[[], object],
        *,
        fresh: bool = False,
    ) -> Answer:
        """The answer that has this tag, or a newer one; or the one before, unless ``fresh``.

        ``make`` gets a session of its own.  ``release`` gives back what its caller should not hold
        while it waits.
        """
        found = self._once(question, tag, make, release, fresh)
        if found is None:  # what was being made was begun before this tag was right
            found = self._once(question, tag, make, release, fresh, newest=True)
        assert found is not None
        return found

    def _once(
        self,
        question: Hashable,
        tag: str,
        make: Callable[[Session], Answer],
        release: Callable[[], object],
        fresh: bool,
        newest: bool = False,
    ) -> Answer | None:
        with self._lock:
            kept = self._kept(question)
            before = kept.answer
            now = time.monotonic()
            if before is not None and before.tag == tag:
                kept.right = now
                return before
            patient = before is None or fresh or now - kept.right >= self._seconds
            making, ours = kept.making, kept.making is None
            if making is None:
                making = kept.making = Future()
        release()
        if ours:
            if patient:
                self._make(kept, making, make)
            else:
                self._pool.submit(self._make, kept, making, make)
        if not patient and not wait([making], PATIENCE).done:
            return before
        found = making.result()
        return found if ours or newest or found.tag == tag else None

    def _kept(self, question: Hashable) -> _Kept:
        kept = self._known.setdefault(question, _Kept())
        self._known.move_to_end(question)
        while len(self._known) > self._most:
            self._known.popitem(last=False)
        return kept

    def _make(self, kept: _Kept, making: Future[Answer], make: Callable[[Session], Answer]) -> None:
        begun = time.monotonic()
        try:
            with self._sessions.reading() as session:
                found = make(session)
        except BaseException as error:
            log.warning("an answer could not be made: %s", error)
            with self._lock:
                kept.making = None
            making.set_exception(error)
            return
        with self._lock:
            kept.answer = found if len(found.body) <= self._room else None
            kept.right, kept.making = begun, None
            self._make_room()
        making.set_result(found)

    def _make_room(self) -> None:
        """Forget answers until the rest has room."""
        held = sum(len(kept.answer.body) for kept in self._known.values() if kept.answer)
        while held > self._room:
            _, gone = self._known.popitem(last=False)
            held -= len(gone.answer.body) if gone.answer else 0
