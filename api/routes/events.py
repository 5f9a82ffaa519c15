"""Following a submission without asking again and again."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Request, Response
from fastapi.responses import StreamingResponse

from api import schemas
from api.deps import MaybeUser, ServiceDep, is_id
from api.errors import not_found, responses
from api.events import EventStream, is_told

router = APIRouter(tags=["submissions"])

_DATA = schemas.ProgressOut.model_json_schema(ref_template="#/components/schemas/{model}")
_DATA.pop("$defs")  # components of other routes

_STREAM = {
    "description": (
        "`progress` now and whenever something changes; `end` once nothing can change any more. "
        "The data of both is JSON of this shape. Comments in between say that the stream is there."
    ),
    "content": {"text/event-stream": {"schema": _DATA}},
}


@router.get(
    "/submissions/{submission_id}/events",
    response_class=StreamingResponse,
    responses={
        200: _STREAM,
        204: {"description": "The client of this Last-Event-ID was told the end"},
        **responses(401, 404, 422, 503),
    },
)
async def follow_submission(
    submission_id: str,
    request: Request,
    service: ServiceDep,
    user: MaybeUser,
    last_event_id: Annotated[str | None, Header(max_length=80)] = None,
) -> Response:
    """How far a submission is, as server-sent events."""
    if not is_id(submission_id):
        raise not_found("submission", submission_id)
    stream = await service.streams.open(submission_id, user)
    if stream.snapshot is not None and is_told(stream.snapshot, last_event_id):
        service.streams.close(stream)
        return Response(status_code=204)
    if request.scope.get("head"):
        stream.stop()
    return EventStream(service.streams, stream, last_event_id)
