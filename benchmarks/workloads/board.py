"""A board with many registered entries and all of their cells, written straight into a database."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from sqlalchemy import Engine, insert, text
from sqlalchemy.orm import Session

from grbcore.columns import pack
from grbcore.results import EVALUATOR_VERSION
from grbcore.scenario import DIFFICULTIES, Side
from grbcore.store import boards, tokens
from grbcore.store.migrate import upgrade
from grbcore.store.session import Sessions, connect
from grbcore.store.tables import BoardRow, CellRow, Submission, new_id

BOARD = "digits/injection@1"
START = datetime(2026, 1, 1, 12, tzinfo=UTC)
TARGETS = {"easy": 179, "medium": 179, "hard": 179, "full": 537}
FAMILIES: dict[Side, Sequence[str]] = {
    "attack": ("RND", "FGSM", "PGD", "SPEIT", "TDGIA"),
    "defense": ("GCN", "GAT", "GIN", "SAGE", "SGCN"),
}
_REPEATS = 3
_USERS = 20


@dataclass(frozen=True, slots=True)
class Filled:
    """What was written: the entries' ids, oldest first, and an admin's token."""

    attacks: tuple[str, ...]
    defenses: tuple[str, ...]
    token: str


def fill(url: str, attacks: int, defenses: int, *, references: int = 10, seed: int = 0) -> Filled:
    """Register entries and write every cell between them; the database is migrated before.

    The first ``references`` of each side are references.  Every attack carries all difficulties
    in three repeats.
    """
    upgrade(url)
    engine = connect(url)
    sessions = Sessions(engine)
    rng = np.random.default_rng(seed)
    with sessions.writing() as session:
        boards.sync(session, None, START)
        for number in range(_USERS):
            tokens.issue(session, f"user-{number}", now=START)
        token = tokens.first_admin(session, now=START)
        protocol = session.get_one(BoardRow, BOARD).protocol
        assert token is not None and protocol is not None
        ids = {
            side: _entries(session, side, count, references)
            for side, count in (("attack", attacks), ("defense", defenses))
        }
        board = session.get_one(BoardRow, BOARD)
        board.revision, board.changed_at = attacks + defenses, START
    _write(engine, _cells(ids["attack"], ids["defense"], protocol, rng))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE" if _is_sqlite(engine) else "VACUUM ANALYZE"))
    engine.dispose()
    return Filled(tuple(ids["attack"]), tuple(ids["defense"]), token)


def _is_sqlite(engine: Engine) -> bool:
    return engine.dialect.name == "sqlite"


def _entries(session: Session, side: Side, count: int, references: int) -> list[str]:
    users = [tokens.user(session, f"user-{number}") for number in range(_USERS)]
    rows = []
    for number in range(count):
        user, moment = users[number % _USERS], START + timedelta(minutes=number)
        assert user is not None
        family = FAMILIES[side][number % len(FAMILIES[side])]
        rows.append(
            {
                "id": new_id(),
                "board_id": BOARD,
                "user_id": user.id,
                "side": side,
                "name": f"{family} {number:04d}",
                "authors": f"Author {number % _USERS} and others",
                "family": family,
                "description": "Made for measuring. " * 10,
                "is_reference": number < references,
                "attempt": number // _USERS + 1,
                "sha256": hashlib.sha256(f"{side} {number}".encode()).hexdigest(),
                "size": 1000,
                "contents": {"difficulties": list(DIFFICULTIES), "repeats": _REPEATS},
                "state": "ranked",
                "received_at": moment,
                "validated_at": moment,
                "registered_at": moment,
            }
        )
    session.execute(insert(Submission), rows)
    return [row["id"] for row in rows]


def _cells(
    attacks: Sequence[str], defenses: Sequence[str], protocol: str, rng: np.random.Generator
) -> Iterator[dict[str, Any]]:
    """Defense by defense, the clean cell first; an accuracy is told by two strengths and luck."""
    strength = rng.normal(0.0, 1.0, len(attacks))
    hold = rng.normal(1.0, 1.0, len(defenses))
    totals = np.array([TARGETS[name] for name in DIFFICULTIES])
    for place, defense in enumerate(defenses):
        yield _cell(None, defense, protocol, rng.binomial(totals, 0.95)[:, None])
        shares = 1 / (1 + np.exp(strength - hold[place]))
        shape = (len(attacks), len(totals), _REPEATS)
        drawn = rng.binomial(totals[None, :, None], shares[:, None, None], shape)
        for attack, counts in zip(attacks, drawn, strict=True):
            yield _cell(attack, defense, protocol, counts)


def _cell(attack: str | None, defense: str, protocol: str, counts: Any) -> dict[str, Any]:
    correct = dict(zip(DIFFICULTIES, counts.tolist(), strict=True))
    return {
        "id": new_id(),
        "board_id": BOARD,
        "attack_id": attack,
        "defense_id": defense,
        "newcomer_id": defense,
        "protocol": protocol,
        "place": "current",
        "state": "done",
        "priority": 0,
        "attempts": 0,
        "infra_failures": 0,
        "max_attempts": 4,
        "queued_at": START,
        "started_at": START,
        "finished_at": START,
        "correct": correct,
        "total": TARGETS,
        "not_finite": {name: [0] * len(row) for name, row in correct.items()},
        "counts": pack(correct, TARGETS),
        "hits_sha256": "0" * 64,
        "evaluator_version": EVALUATOR_VERSION,
        "device": "cpu",
        "seconds": 0.0125,
        "versions": {"grb": "0.1.0", "numpy": "2.4.6", "torch": "2.13.0"},
    }


def _write(engine: Engine, rows: Iterator[dict[str, Any]]) -> None:
    """COPY on Postgres; on SQLite one statement in one transaction."""
    first = next(rows)
    names = [name for name in first if name in CellRow.__table__.columns]

    def values() -> Iterator[list[Any]]:
        yield [_plain(first[name]) for name in names]
        for row in rows:
            yield [_plain(row[name]) for name in names]

    listed = ", ".join(names)
    with engine.begin() as connection:
        driver: Any = connection.connection.driver_connection
        if _is_sqlite(engine):
            marks = ", ".join("?" * len(names))
            driver.executemany(f"INSERT INTO cells ({listed}) VALUES ({marks})", values())
            return
        # a superuser may leave out four looks into other tables for each row
        connection.execute(text("SET LOCAL session_replication_role = replica"))
        with driver.cursor() as cursor, cursor.copy(f"COPY cells ({listed}) FROM STDIN") as copy:
            for line in values():
                copy.write_row(line)


def _plain(value: Any) -> Any:
    """As a driver takes it, of either database."""
    if isinstance(value, dict):
        return json.dumps(value)
    return str(value.replace(tzinfo=None)) if isinstance(value, datetime) else value
