"""Row locks that serialise the writers of one board.

Every writing step that touches more than its own lease takes the lock of the board first, so no
two can wait for each other.  On SQLite the whole database has one writer and these do nothing.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Function, func, select, text
from sqlalchemy.orm import Session

from grbcore.store.tables import BoardRow, User


def lock_board(session: Session, board_id: str) -> BoardRow:
    """The board's row, locked until the transaction ends; what is read after it is current."""
    query = select(BoardRow).where(BoardRow.id == board_id)
    # "no key update": rows that only refer to the board can still be inserted
    locked = query.with_for_update(key_share=True).execution_options(populate_existing=True)
    return session.scalars(locked).one()


def hidden_seed(session: Session, board_id: str) -> str | None:
    """What says which half of a board's targets is hidden, as it is now; None: none is."""
    return session.scalar(select(BoardRow.hidden_seed).where(BoardRow.id == board_id))


def take_time(session: Session) -> None:
    """Let this transaction compute for minutes between two statements."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SET LOCAL idle_in_transaction_session_timeout = '10min'"))


def lock_user(session: Session, user_id: str) -> None:
    """Lock a user's row until the transaction ends, so that attempts are counted one by one."""
    session.execute(select(User.id).where(User.id == user_id).with_for_update(key_share=True))


def alone(session: Session, key: int) -> None:
    """Wait until no other transaction holds this key, and hold it until this one ends."""
    _hold(session, func.pg_advisory_xact_lock(key))


def together(session: Session, key: int) -> None:
    """As `alone`, beside others who hold it together."""
    _hold(session, func.pg_advisory_xact_lock_shared(key))


def _hold(session: Session, lock: Function[Any]) -> None:
    if session.get_bind().dialect.name == "postgresql":
        session.execute(select(lock))
    else:
        session.connection()  # begins the transaction, of which there is one at a time
