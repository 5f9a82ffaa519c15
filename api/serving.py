"""The server below the application: its socket and its patience."""

from __future__ import annotations

import asyncio
import gc
import socket
from typing import Any

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from api import errors, heads, policies
from api.errors import ApiError
from api.main import create_app
from api.transfers import REST
from grbcore import logs
from grbcore.settings import Settings

#: The head of a request must be there within so many seconds; so must the rest of a body that was
#: answered before it was read.
HEAD_SECONDS = 30.0

#: A connection without a request is kept so long; seconds.
IDLE_SECONDS = 10

#: Requests that run when the server is told to stop may take so long; seconds.
STOP_SECONDS = 5


_SAFE = [
    (name.lower().encode(), value.encode())
    for name, value in {**policies.HEADERS, "Content-Security-Policy": policies.NOTHING}.items()
]


class Patience(H11Protocol):
    """Closes a connection whose request does not come; uvicorn itself waits for ever."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        cycle = self.cycle
        if cycle is not None and not cycle.response_complete and cycle.body:
            # uvicorn drops what of a body arrived before and was not asked for yet
            cycle.scope["state"][REST] = bytes(cycle.body)
        super().connection_lost(exc)
        self._forget()

    def send_400_response(self, msg: str) -> None:
        """Say what is wrong with bytes that are no request, as every other error is said."""
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):  # an answer has begun
            self.transport.close()
            return
        unread = len(self.conn.trailing_data[0])
        problem = ApiError(400, "bad-request", "the request can't be read: it is not HTTP")
        if unread > heads.MOST:
            problem = heads.too_large(f"more than {heads.MOST} bytes")
        answer = errors.answer(problem)
        self.logger.warning("refused a request: %s", problem.message)
        kept = [(name, value) for name, value in answer.raw_headers if name != b"connection"]
        said = [*kept, *_SAFE, (b"connection", b"close")]
        body = bytes(answer.body)
        for event in (
            h11.Response(status_code=problem.status, headers=said),
            h11.Data(data=body),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _watch(self) -> None:
        """Run the clock while something has begun to arrive; a byte more doesn't set it back."""
        if not self._waits() or self.timeout_keep_alive_task is not None:
            self._forget()
        elif self._timer is None:
            self._timer = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _waits(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _give_up(self) -> None:
        self._timer = None
        if self._waits() and not self.transport.is_closing():
            self.transport.close()

    def _forget(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Server(uvicorn.Server):
    """Ends streams of events, which have no end of their own, and requests that bring parts of
    files, which may last long, as soon as it is told to stop."""

    def __init__(self, app: FastAPI, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._app.state.service.transfers.end_all()
        await self._app.state.service.streams.end()
        await super().shutdown(sockets)


def server(app: FastAPI, host: str, port: int, **more: Any) -> uvicorn.Server:
    """A server of this application, not yet started; ``more`` as `uvicorn.Config` takes it."""
    return Server(
        app,
        uvicorn.Config(
            app,
            host=host,
            port=port,
            http=Patience,
            ws="none",
            server_header=False,
            proxy_headers=False,  # the application itself knows which proxies it trusts
            h11_max_incomplete_event_size=heads.MOST,
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=STOP_SECONDS,
            log_config=None,  # as everything else of this process
            access_log=False,  # `EveryResponse` tells each request
            **more,
        ),
    )


def serve(descriptor: int | None = None) -> None:
    """Serve until a signal ends it, on this open socket or on GRB_HOST and GRB_PORT."""
    settings = Settings()
    given = None if descriptor is None else [socket.socket(fileno=descriptor)]
    logs.configure(settings)
    app = create_app(settings)
    app.openapi()  # makes what lies behind every route
    # it stays to the end; looking through it for garbage would hold up every answer for 0.15 s
    gc.collect()
    gc.freeze()
    server(app, settings.host, settings.port).run(sockets=given)
