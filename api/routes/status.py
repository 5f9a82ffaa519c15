"""What the service does at the moment, for people and for Prometheus."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from api import metrics, status_schemas, views
from api.deps import MaybeUser, Service, ServiceDep, SessionDep
from api.errors import DATABASE_ERRORS, responses
from api.privacy import keep_to
from grbcore.store import notices
from grbcore.store.session import now
from grbcore.store.status import cells_by_state

log = logging.getLogger(__name__)

router = APIRouter(tags=["service"])
scraped = APIRouter(tags=["service"])


@router.get("/status", responses=responses(401, 503))
def get_status(
    session: SessionDep, user: MaybeUser, response: Response
) -> status_schemas.StatusOut:
    """Workers, queue, failures of the last 24 hours, and what a new entry may expect.

    Everybody's work counts; what is not public is named to its owner and admins only.
    """
    keep_to(user, response)
    return views.status(session, now(), user)


@scraped.get("/metrics", response_class=PlainTextResponse, include_in_schema=False)
def get_metrics(request: Request, service: ServiceDep) -> PlainTextResponse:
    """The same, and the requests of this process, in Prometheus' text format."""
    lines = [*_service(service), *request.app.state.requests.lines()]
    return PlainTextResponse("\n".join(lines) + "\n", media_type=metrics.CONTENT_TYPE)


def _service(service: Service) -> Iterator[str]:
    try:
        with service.sessions.reading() as session:
            found = views.status(session, now())
            cells = cells_by_state(session)
            told = notices.counts(session, now())
    except DATABASE_ERRORS as error:
        log.error("the database does not answer: %s", error)
        return metrics.without_database()
    return metrics.service(found, cells, told)
