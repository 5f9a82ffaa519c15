"""What this database knows of the boards that the catalog defines."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
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
from grbcore.datasets.reading import digest, hashes
from grbcore.datasets.registry import load_hashed
from grbcore.folders import DatasetError
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.needs import Need, need_of
from grbcore.scenario import DIFFICULTIES
from grbcore.store.locks import lock_board
from grbcore.store.reevaluation import propose, withdraw_proposals
from grbcore.store.registration import counterpart, start_over
from grbcore.store.tables import BoardRow, Submission
from grbcore.submission.scale import scale_of


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
    that is applied.  Files are hashed, and whole graphs read, before the first statement, so that
    no transaction waits for that; nodes' data is read only where the protocol is not the row's
    already, or its facts were taken before they held the size of the largest class.
    ``needs`` says what some boards need, in place of what their size asks for.  Hosts with other
    data leave each other's proposals alone; ``host`` is this one's name.
    """
    name = host or socket.gethostname()[:80]
    held = {one: _data(one, data_dir) for one in {board.dataset for board in _in_order()}}
    rows = {
        board.id: _sync(session, board, held[board.dataset], now, needs, name)
        for board in _in_order()
    }
    return [rows[board_id] for board_id in catalog.boards()]


def _in_order() -> list[Board]:
    """Boards in the order in which everybody locks several of them."""
    return sorted(catalog.boards().values(), key=lambda board: board.id)


def _sync(
    session: Session,
    board: Board,
    data: _Data | str | None,
    now: datetime,
    needs: Mapping[str, Need],
    host: str,
) -> BoardRow:
    if session.get(BoardRow, board.id) is None:
        session.add(BoardRow(id=board.id, state="no-data", revision=0))
        session.flush()
    row = lock_board(session, board.id)
    row.problem = None
    if data is None or isinstance(data, str):
        row.state, row.problem = "no-data", data
        return row
    try:
        protocol = board.protocol(data.digest)
        found = row.facts
        if row.protocol != protocol or found is None or "majority" not in found:
            found = data.facts()
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


@dataclass(frozen=True, slots=True)
class _Data:
    """The digest of a dataset, and what tells its `facts`."""

    digest: str
    facts: Callable[[], dict[str, Any]]


def _data(name: str, data_dir: Path | str | None) -> _Data | str | None:
    """What is known of a dataset; None where it is not here, a sentence where its files are not
    what they should be."""
    try:
        if catalog.dataset(name).graphs:
            if not datasets.present(name, data_dir=data_dir):
                return None
            graphs = datasets.load(name, GraphDataset, data_dir=data_dir)
            told = facts(graphs)
            return _Data(graphs.digest, lambda: dict(told))
        folder = datasets.locate(name, data_dir=data_dir)
        if folder is None:
            return None
        known = hashes(folder)
    except (DatasetError, OSError) as error:
        return str(error)
    return _Data(digest(known), lambda: facts(load_hashed(name, folder, known)))


def _has_ranking(session: Session, row: BoardRow) -> bool:
    return bool(
        session.scalar(select(exists().where(Submission.board_id == row.id, counterpart())))
    )


def facts(dataset: Dataset | GraphDataset) -> dict[str, Any]:
    """What the API says of a board's data, so that it need not read it; of the test graphs, where
    graphs are judged."""
    if isinstance(dataset, GraphDataset):
        numbers = dataset.task == "regression"  # among which none is the most frequent
        return asdict(scale_of(dataset)) | {
            "targets": {name: len(ids) for name, ids in dataset.targets.items()},
            "majority": None if numbers else int(np.bincount(dataset.labels_of("test")).max()),
        }
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
