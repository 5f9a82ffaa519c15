"""One batch of cells: hand them to an evaluator child, score what comes back, write each result."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal

from sqlalchemy.orm import Session

from grbcore import catalog, logs
from grbcore.files import DISK_FULL
from grbcore.ladder import halves
from grbcore.results import CLEAN
from grbcore.seeds import derive_seed
from grbcore.settings import Settings
from grbcore.store.blobs import BlobError, BlobsAway
from grbcore.store.orphans import keep
from grbcore.store.queue import Batch, LeasedCell, begin_cell
from grbcore.store.recovery import retry_cell, time_out_cell
from grbcore.store.registration import fail_cell, finish_cell
from worker import excerpt
from worker.child import (
    Child,
    ChildDied,
    ChildGarbled,
    ChildOverflowed,
    ChildSilent,
    evaluator,
)
from worker.devices import Device
from worker.limits import Limits
from worker.predictions import BadPredictions
from worker.sandbox import Sandbox
from worker.scored import About, scored
from worker.supplies import HostTrouble, Store, give

log = logging.getLogger(__name__)

#: An evaluator must have imported everything within this many seconds; reading the dataset and
#: the files may add as many to the first cell.
READY_SECONDS = 120.0
LOADING_SECONDS = 60.0

#: After its last cell it says within so many seconds whether it can be asked again.
FINISHED_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Book:
    """Where results go, each function in one transaction: those of `queue`, `recovery` and
    `registration`, or what does the same for other cells."""

    begin: Callable[..., bool] = begin_cell
    finish: Callable[..., bool] = finish_cell
    fail: Callable[..., bool] = fail_cell
    retry: Callable[..., bool] = retry_cell
    time_out: Callable[..., bool] = time_out_cell


Writing = Callable[[Callable[[Session, datetime], bool]], bool]


class OtherProtocol(HostTrouble):
    """This host's files and code would measure something else than the work asks for."""

    def __init__(self, message: str, protocol: str) -> None:
        super().__init__(message)
        self.protocol = protocol


def start(settings: Settings, sandbox: Sandbox, limits: Limits, device: Device) -> Child:
    """An evaluator child, which sees this device."""
    return Child(
        evaluator(settings),
        settings,
        sandbox=sandbox,
        limits=limits,
        visible=device.visible,
        two_steps=True,
    )


class Evaluation:
    """The evaluation of one batch.

    ``write`` runs a step in one transaction, with the time, and gives its answer.
    ``interrupted`` tells that the child was ended because the worker stops or lost its lease.
    ``gives_way`` tells between two cells that other work comes first; None: nothing does.
    ``book`` says where results go, None: into the cells.
    """

    def __init__(
        self,
        batch: Batch,
        *,
        device: Literal["cpu", "cuda"],
        store: Store,
        write: Writing,
        interrupted: Callable[[], bool],
        gives_way: Callable[[Session, datetime], bool] | None = None,
        book: Book | None = None,
    ) -> None:
        self._book = book or Book()
        self.batch = batch
        self.device = device
        self.board = catalog.board(batch.board_id)
        self.store = store
        self.dataset = store.dataset(self.board.dataset)
        seed = batch.hidden_seed
        self._halves = None if seed is None else halves(self.dataset.targets, seed)
        self._write = write
        self._interrupted = interrupted
        self._gives_way = gives_way or (lambda _session, _now: False)
        self._spoiled = False
        self.again = False  # whether the child waits for more
        protocol = self.board.protocol(self.dataset.digest)
        if protocol != batch.protocol:
            raise OtherProtocol(
                f"{batch.board_id}: found protocol {protocol} on this host, "
                f"allowed: {batch.protocol}, that of the work",
                batch.protocol,
            )

    def run(self, start: Callable[[], Child], *, begun: Callable[[], None]) -> bool:
        """Compute every cell, or as many as the child lives to; what is left stays leased.

        ``start`` gives the child; ``begun`` is called once it has its work.  Whether this host did
        its part: False after a cell that infrastructure spoiled.

        Raises:
            HostTrouble: the child does not start, or the blob store can't be read or written.
        """
        pairs = self._pairs()
        if not pairs:
            return True
        child = start()
        ready = self._ready(child)
        cells = [cell for cell, _ in pairs]
        if not self._write(partial(self._begin, cells[0])):
            return True
        child.send(
            {
                "board": self.board.id,
                "dataset": str(self.store.blind(self.board.dataset)),
                "threads": self.store.settings.threads,
                "device": self.device,
                "out": str(child.scratch),
                "pairs": [_given(child, pair) for _, pair in pairs],
            }
        )
        begun()
        patience = LOADING_SECONDS
        for cell, after in zip(cells, [*cells[1:], None], strict=True):
            with logs.about(cell=cell.id):
                goes_on = self._cell(child, cell, after, ready, patience)
            if after is None:
                self.again = _waits(child)
            if not goes_on:
                break
            patience = 0.0
        return not self._spoiled

    def _cell(
        self,
        child: Child,
        cell: LeasedCell,
        after: LeasedCell | None,
        ready: dict[str, Any],
        patience: float,
    ) -> bool:
        """Wait for one cell and write what became of it; whether the batch goes on."""
        limit = self.board.limits.cell_seconds
        token = self.batch.token
        try:
            answer = child.receive(limit + patience)
            if answer.get("cell") != cell.id:
                raise ChildGarbled(f"found an answer for {answer.get('cell')!r}, not {cell.id}")
            step = self._step(child, cell, answer, ready)
        except ChildSilent:
            child.kill()
            if self._interrupted():
                return False
            log.warning("cell %s: no result within %g s", cell.id, limit + patience)
            wrote = child.wrote()
            self._write(
                lambda session, now: self._book.time_out(
                    session, cell.id, token, seconds=limit, log=wrote, now=now
                )
            )
            return False
        except ChildDied as died:
            if self._interrupted():
                return False
            reason = f"the evaluator {died}"
            log.warning("cell %s: %s", cell.id, reason)
            self._retry(cell, "evaluator-died", reason, wrote=child.wrote(), killed=True)
            return False
        except ChildOverflowed as overflowed:
            child.kill()
            log.warning("cell %s: %s", cell.id, overflowed)
            self._retry(cell, "scratch-limit", f"the evaluator: {overflowed}")
            return False
        except (ChildGarbled, BadPredictions) as wrong:
            child.kill()
            log.warning("cell %s: %s", cell.id, wrong)
            reason = f"the evaluator's answer: {wrong}"
            self._retry(cell, "evaluator-answer", reason, wrote=child.wrote())
            return False
        child.forget()

        def store(session: Session, now: datetime) -> bool:
            goes_on = step(session, now)
            if not goes_on or after is None or self._gives_way(session, now):
                return False
            return self._begin(after, session, now)

        return self._write(store)

    def _step(
        self, child: Child, cell: LeasedCell, answer: dict[str, Any], ready: dict[str, Any]
    ) -> Callable[[Session, datetime], bool]:
        """The transaction that an answer of the evaluator asks for; it tells if the batch goes on.

        After an error it does not: a newcomer that failed has no cells left, and an evaluator
        in trouble is not asked again.
        """
        token = self.batch.token
        error = answer.get("error")
        if isinstance(error, dict):
            code, reason = str(error.get("code"))[:40], str(error.get("message"))[:2000]
            if code == DISK_FULL and error.get("family") != "submission":
                raise HostTrouble(f"the evaluator's disk is full: {reason}")
            log.warning("cell %s: %s: %s", cell.id, code, reason)
            side = error.get("side")
            # a counterpart was checked before it was registered: trouble with its file is ours
            blamed = error.get("family") == "submission" and (
                self.batch.shadow or side in (None, self._newcomer_side(cell))
            )
            self._spoiled = not blamed
            if not blamed:
                reason = excerpt.public(reason)
            wrote = child.wrote()
            fail = partial(self._book.fail, side=side) if blamed else self._book.retry

            def ends(session: Session, now: datetime) -> bool:
                fail(session, cell.id, token, code=code, reason=reason, log=wrote, now=now)
                return False

            return ends
        about: About = {
            "device": self._device(ready),
            "seconds": _seconds(answer),
            "versions": {str(name): str(version) for name, version in _versions(ready).items()},
        }
        result, hits = scored(
            child.scratch, cell, answer, self.dataset, self.board, self._halves, about
        )
        try:
            self.store.blobs.put_bytes(hits)
        except BlobsAway as away:
            raise HostTrouble(str(away)) from away

        def done(session: Session, now: datetime) -> bool:
            blobs = self.store.blobs
            try:
                keep(session, blobs, result.hits_sha256, lambda: blobs.put_bytes(hits))
            except BlobsAway as away:
                raise HostTrouble(str(away)) from away
            return self._book.finish(session, cell.id, token, result, now)

        return done

    def _ready(self, child: Child) -> dict[str, Any]:
        if child.ready is not None:
            return child.ready
        try:
            ready = child.receive(READY_SECONDS)
        except (ChildDied, ChildSilent, ChildGarbled, ChildOverflowed) as error:
            raise HostTrouble(f"the evaluator does not start: {error}") from error
        if ready.get("ready") is not True:
            raise HostTrouble(f"the evaluator does not start: found {ready}")
        child.ready = ready
        return ready

    def _pairs(self) -> list[tuple[LeasedCell, dict[str, Any]]]:
        """What the evaluator is asked for; cells whose files can't be read are put back."""
        found = []
        files: dict[str, Path] = {}
        for cell in self.batch.cells:
            try:
                for entry in (cell.defense, cell.attack):
                    if entry is not None and entry.sha256 not in files:
                        files[entry.sha256] = self.store.file(entry.sha256)
            except BlobError as error:
                log.warning("cell %s: %s", cell.id, error, extra={"cell": cell.id})
                self._retry(cell, "blob", str(error))
                continue
            attack = None if cell.attack is None else str(files[cell.attack.sha256])
            name = CLEAN if cell.attack is None else cell.attack.sha256
            pair = {
                "cell": cell.id,
                "attack": attack,
                "defense": str(files[cell.defense.sha256]),
                "seed": derive_seed(self.batch.protocol, name, cell.defense.sha256),
                "scale": cell.scale,
            }
            found.append((cell, pair))
        return found

    def _begin(self, cell: LeasedCell, session: Session, now: datetime) -> bool:
        return self._book.begin(session, cell.id, self.batch.token, now)

    def _retry(
        self,
        cell: LeasedCell,
        code: str,
        reason: str,
        *,
        wrote: str | None = None,
        killed: bool = False,
    ) -> None:
        token = self.batch.token
        held = self._write(
            lambda session, now: self._book.retry(
                session,
                cell.id,
                token,
                code=code,
                reason=reason,
                log=wrote,
                killed=killed,
                now=now,
            )
        )
        self._spoiled = self._spoiled or held  # else its entry may have been deleted meanwhile

    def _newcomer_side(self, cell: LeasedCell) -> str:
        return "defense" if cell.defense.id == self.batch.newcomer_id else "attack"

    def _device(self, ready: dict[str, Any]) -> str:
        return self.device if self.device == "cpu" else str(ready.get("device"))[:80]


def _given(child: Child, pair: dict[str, Any]) -> dict[str, Any]:
    """The pair with the files where the child finds them.

    Raises:
        HostTrouble: there is no room for them.
    """
    files = {side: pair[side] for side in ("attack", "defense") if pair[side] is not None}
    return pair | {side: give(child, Path(path)) for side, path in files.items()}


def _waits(child: Child) -> bool:
    """Whether a child that has answered everything says that it can be asked again."""
    try:
        return child.receive(FINISHED_SECONDS).get("again") is True
    except (ChildDied, ChildSilent, ChildGarbled, ChildOverflowed):
        return False


def _seconds(answer: dict[str, Any]) -> float:
    seconds = answer.get("seconds")
    if not isinstance(seconds, int | float) or not 0 <= seconds < 1e9:
        raise ChildGarbled(f"found {seconds!r} seconds, allowed: 0 or more")
    return float(seconds)


def _versions(ready: dict[str, Any]) -> dict[str, Any]:
    versions = ready.get("versions")
    return versions if isinstance(versions, dict) else {}
