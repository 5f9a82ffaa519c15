"""Boards as they stood: a list, each with its files, and making one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, get_args

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import StreamingResponse

from api import conditional, hosts
from api.admin_schemas import Why
from api.conditional import UNCHANGED
from api.deps import AdminDep, BoardDep, Service, ServiceDep, SessionDep, catalog_board, is_id
from api.downloads import begun, disposition
from api.errors import ApiError, conflicts, not_found, responses, unavailable
from api.routes.admin import VIA, CursorQuery, LimitQuery
from api.snapshot_schemas import SnapshotList, SnapshotOut
from api.views import snapshots as views
from grbcore.snapshots import FILES, Places, Snapshot
from grbcore.store import snapshots
from grbcore.store.blobs import BlobError
from grbcore.store.session import now
from grbcore.store.tables import SnapshotRow

router = APIRouter(tags=["snapshots"])

Name = Literal["snapshot.json", "rankings.json", "rankings.csv", "cells.csv", "rankings.tex"]
assert get_args(Name) == tuple(FILES)

#: Bytes under their own hash never change; but whatever has names is asked for each time, since a
#: name may have to leave it.
IMMUTABLE = "public, max-age=31536000, immutable"
NAMELESS = ("cells.csv",)

_CONTENT = {
    media.partition(";")[0]: {"schema": {"type": "object" if "json" in media else "string"}}
    for media in FILES.values()
}
_BIBTEX = "application/x-bibtex; charset=utf-8"


@router.get("/boards/{dataset}/{scenario}/snapshots", responses=responses(404, 422, 503))
def list_snapshots(
    board: BoardDep, session: SessionDep, cursor: CursorQuery = None, limit: LimitQuery = 50
) -> SnapshotList:
    """Snapshots of a board, newest first; one is made when a month begins."""
    rows = snapshots.page(session, board.id, before=cursor, limit=limit + 1)
    return views.snapshot_page(rows, limit)


@router.get("/snapshots/{snapshot_id}", responses=responses(404, 422, 503))
def get_snapshot(snapshot_id: str, request: Request, service: ServiceDep) -> SnapshotOut:
    """A board as it stood: its places over the references, and all its files by hash."""
    return read(request, service, snapshot_id)


@router.get(
    "/snapshots/{snapshot_id}/files/{file}",
    response_class=Response,
    responses={
        200: {"description": "The file", "content": _CONTENT},
        **UNCHANGED,
        **responses(404, 410, 422, 503),
    },
)
def get_snapshot_file(
    snapshot_id: str,
    file: Annotated[Name, Path(description="Which of its files")],
    request: Request,
    service: ServiceDep,
    sha256: Annotated[
        str | None,
        Query(description="Only these bytes, or none", pattern="^[0-9a-f]{64}$"),
    ] = None,
) -> Response:
    """A file of a snapshot as it is now, or the one with this hash.

    410 where it was made anew since, without the name of an entry that was taken back.  Only
    ``cells.csv`` under its hash may be kept for ever: it has no names.
    """
    row = _find(service, snapshot_id)
    kept = snapshots.kept_files(row)[file]
    if sha256 not in (None, kept.sha256):
        if any(one.sha256 == sha256 and one.name == file for one in row.files):
            raise ApiError(410, "gone", "a name has left this file; its numbers are in the new one")
        raise not_found("file", str(sha256))
    headers = {
        "ETag": f'"{kept.sha256}"',
        "Cache-Control": IMMUTABLE if sha256 and file in NAMELESS else "no-cache",
        "Content-Disposition": disposition(f"{row.board_id}-{row.id}", f"-{file}"),
    }
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    headers["Content-Length"] = str(kept.size)
    content = _streamed(service, kept.sha256)
    return StreamingResponse(content, headers=headers, media_type=FILES[file])


@router.get(
    "/snapshots/{snapshot_id}/cite.bib",
    response_class=Response,
    responses={
        200: {"description": "An entry for BibTeX", "content": {_BIBTEX: {}}},
        **UNCHANGED,
        **responses(404, 422, 503),
    },
)
def get_snapshot_citation(snapshot_id: str, request: Request, service: ServiceDep) -> Response:
    """How to cite a snapshot, with its address and the hash of its numbers."""
    found = read(request, service, snapshot_id)
    answer = conditional.made(request, found.bibtex.encode(), _BIBTEX)
    answer.headers["Content-Disposition"] = disposition(f"{found.board}-{found.id}", ".bib")
    return answer


@router.post(
    "/admin/boards/{dataset}/{scenario}/snapshots",
    tags=["admin"],
    status_code=201,
    responses=responses(401, 403, 404, 409, 422, 503),
)
def create_snapshot(
    board: BoardDep,
    asked: Why,
    request: Request,
    response: Response,
    service: ServiceDep,
    user: AdminDep,
) -> SnapshotOut:
    """Keep a board as it stands now, for good."""
    with conflicts():
        made = snapshots.make(
            service.sessions,
            service.blobs,
            board,
            user_id=user.id,
            via=VIA,
            reason=asked.reason,
            now=now(),
        )
    response.headers["Location"] = f"/api/v1/snapshots/{made}"
    return read(request, service, made)


def read(request: Request, service: Service, snapshot_id: str) -> SnapshotOut:
    """A snapshot in full; 404 where there is none."""
    row = _find(service, snapshot_id)
    kept = snapshots.kept_files(row)
    content = _read(service, kept["rankings.json"].sha256)
    board = catalog_board(row.board_id)
    if board is None:  # what it was of it tells itself
        whole = Snapshot.model_validate_json(_read(service, kept["snapshot.json"].sha256))
    return views.snapshot(
        row,
        Places.model_validate_json(content),
        title=row.board_id if board is None else board.title,
        measure=whole.measure if board is None else board.measure,
        site=hosts.site(request, service.settings),
        server=hosts.address(request, service.settings),
    )


def _find(service: Service, snapshot_id: str) -> SnapshotRow:
    found = None
    if is_id(snapshot_id):
        try:
            found = snapshots.current(service.sessions, service.blobs, snapshot_id, now())
        except BlobError as error:
            raise unavailable(f"files of this snapshot ({error})") from None
    if found is None:
        raise not_found("snapshot", snapshot_id)
    return found


def _streamed(service: Service, sha256: str) -> Iterator[bytes]:
    try:
        return begun(service.blobs.stream(sha256))
    except BlobError as error:
        raise unavailable(f"file of this snapshot ({error})") from None


def _read(service: Service, sha256: str) -> bytes:
    try:
        return service.blobs.read(sha256)
    except BlobError as error:
        raise unavailable(f"file of this snapshot ({error})") from None
