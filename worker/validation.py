"""The content stage of one submission's checks, in a short child of its own."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any

from pydantic import NonNegativeInt, TypeAdapter, ValidationError
from sqlalchemy.orm import Session

from grbcore import catalog
from grbcore.scenario import Difficulty
from grbcore.settings import Settings
from grbcore.shift import Shift
from grbcore.sketch import LENGTHS
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
        violations = _violations(answer)
        canonical, sketch = _hex(answer, "canonical", (64,)), _hex(answer, "sketch", LENGTHS)
        shift = _shift(answer)
        spent = _spent(answer)
    except (ChildDied, ChildSilent, ChildGarbled, ChildOverflowed) as error:
        if not interrupted():
            return not retry(f"the validator {error}", child.wrote())
        return True

    def finish(session: Session, now: datetime) -> bool:
        return finish_validation(
            session,
            entry.id,
            token,
            violations,
            now,
            canonical=canonical,
            spent=spent,
            sketch=sketch,
            shift=shift,
        )

    write(finish)
    return True


def _violations(answer: dict[str, Any]) -> list[Violation]:
    try:
        return [Violation(**fault) for fault in answer["violations"]]
    except (KeyError, TypeError, ValueError) as error:
        raise ChildGarbled(f"found an answer without violations: {error}") from error


def _hex(answer: dict[str, Any], name: str, lengths: Collection[int]) -> str | None:
    found = answer.get(name)
    if found is None:
        return None
    if isinstance(found, str) and len(found) in lengths and re.fullmatch("[0-9a-f]*", found):
        return found
    allowed = f"{' or '.join(map(str, lengths))} hexadecimal digits or none"
    raise ChildGarbled(f"found a {name} {str(found)[:80]!r}, allowed: {allowed}")


def _shift(answer: dict[str, Any]) -> Shift | None:
    try:
        return None if answer.get("shift") is None else Shift.model_validate(answer["shift"])
    except ValidationError as error:
        raise ChildGarbled(f"found no shift of an attack: {error}") from error


_SPENT = TypeAdapter(dict[Difficulty, dict[Kind, list[NonNegativeInt]]] | None)


def _spent(answer: dict[str, Any]) -> Spending | None:
    try:
        return _SPENT.validate_python(answer.get("spent"), strict=True)
    except ValidationError as error:
        raise ChildGarbled(f"found other counts of what is spent: {error}") from error
