"""The content stage of one submission's checks, in a short child of its own."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

from pydantic import NonNegativeInt, TypeAdapter, ValidationError
from sqlalchemy.orm import Session

from grbcore import catalog
from grbcore.scenario import Difficulty
from grbcore.settings import Settings
from grbcore.spending import Kind, Spending
from grbcore.store.blobs import BlobError
from grbcore.store.queue import LeasedValidation
from grbcore.store.recovery import retry_validation
from grbcore.store.registration import finish_validation
from grbcore.violations import Violation
from worker.child import (
    Child,
    ChildDied,
    ChildGarbled,
    ChildOverflowed,
    ChildSilent,
    validator,
)
from worker.evaluation import Writing
from worker.limits import Limits
from worker.sandbox import Sandbox
from worker.supplies import Store, give

log = logging.getLogger(__name__)

#: Bytes of an answer: some thousand violations.
LONGEST_ANSWER = 8 * 1024 * 1024

#: What starting and reading the dataset may add to the board's limit.
STARTING_SECONDS = 60.0


def start(settings: Settings, sandbox: Sandbox, limits: Limits) -> Child:
    """A validator child, which sees no GPU."""
    return Child(
        validator(settings),
        settings,
        sandbox=sandbox,
        limits=limits,
        visible="",
        longest_line=LONGEST_ANSWER,
    )


def validate(
    leased: LeasedValidation,
    start: Callable[[], Child],
    *,
    store: Store,
    write: Writing,
    interrupted: Callable[[], bool],
) -> bool:
    """Let a child check a submission and write the verdict; see `Evaluation` for the arguments.

    Whether this host did its part: False where infrastructure spoiled it.

    Raises:
        HostTrouble: the board's dataset is not on this host, or the blob store does not answer.
    """
    entry, token = leased.entry, leased.token
    board = catalog.board(entry.board_id)
    dataset = store.blind(board.dataset)

    def retry(reason: str, wrote: str | None = None) -> bool:
        """Charge it; whether the lease was still held."""
        log.warning("submission %s: %s", entry.id, reason)
        return write(
            lambda session, now: retry_validation(
                session, entry.id, token, reason=reason, log=wrote, now=now
            )
        )

    try:
        path = store.file(entry.sha256)
    except BlobError as error:
        return not retry(str(error))
    child = start()
    child.send(
        {
            "path": give(child, path),
            "side": entry.side,
            "board": board.id,
            "dataset": str(dataset),
        }
    )
    try:
        answer = child.receive(board.limits.cell_seconds + STARTING_SECONDS)
        violations, canonical = _violations(answer), _canonical(answer)
        spent = _spent(answer)
    except (ChildDied, ChildSilent, ChildGarbled, ChildOverflowed) as error:
        if not interrupted():
            return not retry(f"the validator {error}", child.wrote())
        return True

    def finish(session: Session, now: datetime) -> bool:
        return finish_validation(
            session, entry.id, token, violations, now, canonical=canonical, spent=spent
        )

    write(finish)
    return True


def _violations(answer: dict[str, Any]) -> list[Violation]:
    try:
        return [Violation(**fault) for fault in answer["violations"]]
    except (KeyError, TypeError, ValueError) as error:
        raise ChildGarbled(f"found an answer without violations: {error}") from error


def _canonical(answer: dict[str, Any]) -> str | None:
    found = answer.get("canonical")
    if found is None or (isinstance(found, str) and re.fullmatch("[0-9a-f]{64}", found)):
        return found
    raise ChildGarbled(f"found a canonical hash {str(found)[:80]!r}, allowed: 64 digits or none")


_SPENT = TypeAdapter(dict[Difficulty, dict[Kind, list[NonNegativeInt]]] | None)


def _spent(answer: dict[str, Any]) -> Spending | None:
    try:
        return _SPENT.validate_python(answer.get("spent"), strict=True)
    except ValidationError as error:
        raise ChildGarbled(f"found other counts of what is spent: {error}") from error
