"""One attack against one defense."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from sqlalchemy.orm import Session

from api import hosts, schemas, views
from api.cell_schemas import BreakdownOut, ConfusionOut, EntryBreakdownOut
from api.deps import (
    DifficultyQuery,
    MaybeUser,
    Service,
    ServiceDep,
    SessionDep,
    catalog_board,
    difficulty_on,
    find_cell,
)
from api.errors import responses
from api.privacy import keep_to
from grbcore import datasets
from grbcore.catalog import Board
from grbcore.datasets import Dataset
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.scenario import Difficulty
from grbcore.store.tables import CellRow, Submission, User

router = APIRouter(tags=["cells"])


@router.get("/cells/{cell_id}", responses=responses(401, 404, 422, 503))
def get_cell(
    cell_id: str,
    request: Request,
    service: ServiceDep,
    session: SessionDep,
    user: MaybeUser,
    response: Response,
) -> schemas.CellOut:
    """A cell in full: counts, provenance, and the command that recomputes them.

    Cells of a re-evaluation that is not applied are there for admins only, and those of an entry
    that is not public for its owner and admins.
    """
    found = find_cell(session, cell_id, user=user)
    keep_to(user, response)
    board = catalog_board(found.board_id)
    return views.cell(
        session, service.rankings, board, found, hosts.address(request, service.settings)
    )


@router.get("/cells/{cell_id}/breakdown", responses=responses(401, 404, 422, 503))
def get_breakdown(
    cell_id: str,
    service: ServiceDep,
    session: SessionDep,
    user: MaybeUser,
    response: Response,
    difficulty: DifficultyQuery = None,
) -> BreakdownOut:
    """Where the defense was right: by degree, or size of graphs, and by class, before and after."""
    found = find_cell(session, cell_id, user=user)
    keep_to(user, response)
    return breakdown_of(service, session, found, difficulty_on(found.board_id, difficulty))


def breakdown_of(
    service: Service, session: Session, found: CellRow, difficulty: Difficulty
) -> BreakdownOut:
    """A cell's breakdown, from the data that this host keeps ready."""
    board = catalog_board(found.board_id)
    data = data_of(service, board)
    return views.breakdown(session, service.blobs, board, data, found, difficulty)


def entry_breakdown_of(
    service: Service, session: Session, entry: Submission, difficulty: Difficulty, user: User | None
) -> EntryBreakdownOut:
    """As `breakdown_of`, of an entry's cells against the references together."""
    board = catalog_board(entry.board_id)
    data = data_of(service, board)
    return views.entry_breakdown(session, service.blobs, board, data, entry, difficulty, user)


def data_of(service: Service, board: Board | None) -> Dataset | GraphDataset | None:
    """The data of a board whose results can be parted, where this host keeps it ready."""
    if board is None or board.errors:
        return None
    kept, data = service.settings.prepared_dir, service.settings.data_dir
    return datasets.opened(board.dataset, data_dir=data, cache=kept)


@router.get("/cells/{cell_id}/confusion", responses=responses(401, 404, 422, 503))
def get_confusion(
    cell_id: str,
    session: SessionDep,
    user: MaybeUser,
    response: Response,
    difficulty: DifficultyQuery = None,
) -> ConfusionOut:
    """For which class the targets of each class were taken, with the attack and without it.

    Results of versions that did not keep it have none, which ``missing`` says.
    """
    found = find_cell(session, cell_id, user=user)
    keep_to(user, response)
    return views.confusion(session, found, difficulty_on(found.board_id, difficulty))
