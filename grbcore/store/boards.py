"""What this database knows of the boards that the catalog defines."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from grbcore import catalog, datasets
from grbcore.catalog import Board
from grbcore.datasets.dataset import Dataset
from grbcore.datasets.degrees import degree_bins
from grbcore.datasets.reading import DatasetError, digest, hashes
from grbcore.needs import Need, need_of
from grbcore.scenario import DIFFICULTIES
from grbcore.store.locks import lock_board
from grbcore.store.reevaluation import propose, withdraw_proposals
from grbcore.store.registration import counterpart, start_over
from grbcore.store.tables import BoardRow, Submission


def sync(
    session: Session,
    data_dir: Path | str | None,
    now: datetime,
    *,
    needs: Mapping[str, Need] = MappingProxyType({}),
    host: str | None = None,
) -> list[BoardRow]:
    """Bring every board's row up to date with the catalog and the files on this host.

    A board whose data is here gets its protocol and facts and is ready, unless its baselines are
    being prepared; one whose data is not is ``no-data`` and keeps what it knew, and so is one whose
    files are not what they should be, with the ``problem``.  A new protocol is taken up at once
    where nothing is ranked; else a re-evaluation is proposed, and the board stays as it is until
    that is applied.  Data is read only where the protocol is not the row's already, or its facts
    were taken before they held the size of the largest class.
    ``needs`` says what some boards need, in place of what their size asks for.  Hosts with other
    data leave each other's proposals alone; ``host`` is this one's name.
    """
    name = host or socket.gethostname()[:80]
    rows = {board.id: _sync(session, board, data_dir, now, needs, name) for board in _in_order()}
    return [rows[board_id] for board_id in catalog.boards()]


def _in_order() -> list[Board]:
    """Boards in the order in which everybody locks several of them."""
    return sorted(catalog.boards().values(), key=lambda board: board.id)


def _sync(
    session: Session,
    board: Board,
    data_dir: Path | str | None,
    now: datetime,
    needs: Mapping[str, Need],
    host: str,
) -> BoardRow:
    if session.get(BoardRow, board.id) is None:
        session.add(BoardRow(id=board.id, state="no-data", revision=0))
        session.flush()
    row = lock_board(session, board.id)
    folder = datasets.locate(board.dataset, data_dir=data_dir)
    row.problem = None
    if folder is None:
        row.state = "no-data"
        return row
    try:
        known = hashes(folder)
        protocol = board.protocol(digest(known))
        found = row.facts
        if row.protocol != protocol or found is None or "majority" not in found:
            found = facts(datasets.load(board.dataset, data_dir=data_dir, known=known))
    except (DatasetError, OSError) as error:
        row.state, row.problem = "no-data", str(error)
        return row
    row.need = need_of(board.id, found, needs)
    if row.protocol == protocol:
        row.facts = found
        withdraw_proposals(session, row, now, host=host)
    elif _has_ranking(session, row):
        propose(session, row, protocol, found, now, host=host)
    else:
        row.protocol, row.facts = protocol, found
        row.revision += 1
        row.changed_at = now
        session.flush()
        start_over(session, row, now)
    if row.state == "no-data":
        row.state = "ready"
    return row


def _has_ranking(session: Session, row: BoardRow) -> bool:
    return bool(
        session.scalar(select(exists().where(Submission.board_id == row.id, counterpart())))
    )


def facts(dataset: Dataset) -> dict[str, Any]:
    """What the API says of a board's data, so that it need not read it."""
    return {
        "nodes": dataset.nodes,
        "edges": dataset.edges,
        "features": int(dataset.features.shape[1]),
        "classes": dataset.classes,
        "feature_range": list(dataset.feature_range),
        "targets": {d: int(dataset.targets[d].shape[0]) for d in DIFFICULTIES},
        "degrees": degree_bins(dataset),
        "majority": int(np.bincount(dataset.labels[dataset.targets["full"]]).max()),
    }
