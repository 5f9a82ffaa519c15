"""One attack against one defense."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from api import hosts, schemas, views
from api.deps import MaybeUser, ServiceDep, SessionDep, catalog_board, find_cell
from api.errors import responses
from api.privacy import keep_to

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
