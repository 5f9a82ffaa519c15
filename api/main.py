"""The application: routes, errors, the description, the page."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import cache, partial

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from api import description, errors, keeping, reaper, sweeper, sweeping, umpire, views
from api.answers import Answers
from api.bodies import SmallBodies
from api.counting import Counting
from api.couriers import Couriers
from api.deps import Service
from api.events import Snapshot, Streams
from api.heads import SmallHeads
from api.hosts import TrustedHosts
from api.incoming import Incoming
from api.limits import RateLimits
from api.looks import Looks
from api.metrics import Requests
from api.middleware import PREFIX, EveryResponse, HeadLikeGet
from api.page import Page
from api.providers import providers
from api.readiness import Readiness
from api.rounds import Rounds
from api.routes import (
    account,
    account_data,
    actions,
    admin,
    admin_seasons,
    admin_users,
    arena,
    arena_pages,
    auth,
    boards,
    cells,
    compare_page,
    comparisons,
    confirmation,
    events,
    health,
    holdouts,
    links,
    me,
    oversight,
    pages,
    prints,
    results,
    shared,
    sheets,
    snapshot_pages,
    snapshots,
    status,
    studies,
    styles,
    submissions,
    tables,
    text_pages,
    texts,
    uploads,
)
from api.routes import providers as provider_routes
from api.slots import Slots
from api.uploads import remove_abandoned
from api.wake import Waker
from grbcore import __version__
from grbcore.settings import Settings
from grbcore.store.blobs import Blobs
from grbcore.store.progress import Watched
from grbcore.store.progress import progress as read_progress
from grbcore.store.session import Sessions, connect, now

log = logging.getLogger(__name__)

DESCRIPTION = (
    "Attacks and defenses on graphs, evaluated against each other and ranked. Reading needs no "
    "token; submitting does. Every error is a Problem."
)


def create_app(settings: Settings | None = None) -> FastAPI:
    """The service's application; it connects to nothing before it starts."""
    chosen = settings or Settings()
    requests, counting = Requests(), Counting(chosen.broker_url)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        engine = connect(chosen.database_url)
        sessions, blobs, waker = Sessions(engine), Blobs(chosen.blob_url), Waker(chosen)
        readiness = Readiness(chosen, sessions, blobs, waker)
        streams = Streams(chosen.event_streams, lambda ids: _snapshots(sessions, ids))
        couriers = Couriers(chosen, sessions)
        service = Service(
            settings=chosen,
            sessions=sessions,
            blobs=blobs,
            waker=waker,
            readiness=readiness,
            couriers=couriers,
            streams=streams,
            answers=Answers(sessions, chosen.stale_seconds),
            looks=Looks(chosen.stale_seconds),
            incoming=Incoming(chosen.incoming_dir),
            slots=Slots(chosen.uploads_at_once, chosen.uploads_each),
            providers=providers(chosen),
        )
        sessions.after_writing(service.looks.written)
        app.state.service = service
        lasts = timedelta(hours=chosen.upload_hours)
        reaping = [
            partial(reaper.look, sessions),
            partial(sweeping.sweep, sessions, service.incoming, lasts),
            partial(remove_abandoned, chosen.var_dir / "incoming", chosen.upload_seconds),
        ]
        removing = partial(sweeper.remove_rejected, sessions, blobs, chosen.keep_rejected_days)
        rounds = (
            Rounds("reaper", chosen.reap_seconds, reaping),
            Rounds("sweeper", sweeper.SECONDS, [removing]),
            Rounds("umpire", chosen.reap_seconds, [umpire.Umpire(sessions, blobs).look]),
            Rounds("snapshots", sweeper.SECONDS, [partial(keeping.look, sessions, blobs)]),
        )
        couriers.start()
        for each in rounds:
            each.start()
        yield
        await streams.end()
        await counting.close()
        for each in rounds:
            each.stop()
        couriers.stop()
        service.answers.close()
        service.waker.close()
        engine.dispose()

    app = FastAPI(
        title="Graph Robustness Leaderboard",
        description=DESCRIPTION,
        version=__version__,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    errors.install(app)
    app.add_middleware(SmallBodies)
    app.add_middleware(HeadLikeGet)
    app.add_middleware(TrustedHosts, names=chosen.host_names)
    app.add_middleware(SmallHeads)
    app.add_middleware(RateLimits, settings=chosen, counting=counting, refuse=requests.refuse)
    app.add_middleware(EveryResponse)
    app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=list(chosen.trusted_proxies))
    app.state.requests = requests
    app.router.routes.extend(_routes())
    description.install(app)
    app.state.page = Page(chosen.page_dir)
    app.router.default = app.state.page
    return app


@cache
def _routes() -> list[BaseRoute]:
    """Every route, once in a process: what lies behind one is made when it is first asked for."""
    app = FastAPI(
        docs_url=None, redoc_url=None, openapi_url=None, generate_unique_id_function=_operation
    )
    admins = (actions, admin, admin_seasons, admin_users, oversight)
    mine = (me, auth, provider_routes, account, account_data)
    of_boards = (boards, arena, sheets, tables, prints, comparisons, snapshots)
    entries = (*of_boards, shared, links, submissions, results, holdouts, uploads, events, cells)
    for module in (*entries, *admins, *mine, status, studies, texts, health):
        app.include_router(module.router, prefix=PREFIX)
    app.include_router(status.scraped)

    app.include_router(styles.router)
    app.include_router(confirmation.router)
    app.include_router(pages.router)
    app.include_router(text_pages.router)
    app.include_router(arena_pages.router)
    app.include_router(snapshot_pages.router)
    app.include_router(compare_page.router)
    app.include_router(studies.pages)
    return list(app.routes)


def _snapshots(sessions: Sessions, watched: Collection[Watched]) -> dict[Watched, Snapshot]:
    with sessions.reading() as session:
        return {
            about: Snapshot(views.progress(one).model_dump_json(), one.final)
            for about, one in read_progress(session, watched, now()).items()
        }


def _operation(route: APIRoute) -> str:
    """The function's name: a stable id for generated clients."""
    return route.name
