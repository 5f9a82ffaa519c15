"""Real servers on loopback that take what the service sends: webhooks and mails."""

from __future__ import annotations

import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session


def until(condition: Callable[[], Any], seconds: float = 20) -> Any:
    """What the condition gives once it holds."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)
    return found


@dataclass
class Receiver:
    """A webhook's server: what came, and what it answers."""

    url: str = ""
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)  # of the next answers; 204 afterwards
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    #: How it answers, in place of a status: written to the connection byte by byte.
    drip: bytes = b""
    silent: bool = False
    gone: threading.Event = field(default_factory=threading.Event)


@contextmanager
def receiver(tls: ssl.SSLContext | None = None, port: int = 0) -> Iterator[Receiver]:
    """A server for webhooks on this port, or on a free one."""
    state = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            state.got.append((dict(self.headers.items()), content))
            if state.silent:
                state.gone.wait(60)
                return
            for byte in state.drip:
                if state.gone.wait(0.2):
                    return
                self.wfile.write(bytes([byte]))
            self.send_response(state.statuses.pop(0) if state.statuses else 204)
            for name, value in state.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(state.body)

        do_GET = do_POST  # noqa: N815

        def log_message(self, *_: Any) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: Any) -> None:
            pass

    server = Quiet(("127.0.0.1", port), Handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    state.url = f"http{'s' if tls else ''}://127.0.0.1:{server.server_address[1]}/hook?a=b"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield state
    finally:
        state.gone.set()
        server.shutdown()
        server.server_close()


@dataclass
class Mailbox:
    """A mail server: what it was given."""

    port: int = 0
    mails: list[EmailMessage] = field(default_factory=list)
    addressees: list[list[str]] = field(default_factory=list)
    was_encrypted: list[bool] = field(default_factory=list)
    refuses: str = ""  # what it says to each addressee

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.refuses:
            return self.refuses
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        content = envelope.original_content or b""
        self.mails.append(cast(EmailMessage, message_from_bytes(content, policy=policy.default)))
        self.addressees.append(list(envelope.rcpt_tos))
        self.was_encrypted.append(server.transport.get_extra_info("ssl_object") is not None)
        return "250 OK"


@contextmanager
def mailbox(
    *, starttls: ssl.SSLContext | None = None, tls: ssl.SSLContext | None = None, user: str = ""
) -> Iterator[Mailbox]:
    """A mail server on a free port; ``user`` must log in with the password ``p@ss``."""
    box = Mailbox()

    def check(server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
        right = isinstance(data, LoginPassword) and data == LoginPassword(user.encode(), b"p@ss")
        return AuthResult(success=right, handled=False)

    class Chosen(Controller):
        def _trigger_server(self) -> None:
            """The port is chosen by the system, so it is known only now."""
            self.port = self.server.sockets[0].getsockname()[1]
            super()._trigger_server()

    controller = Chosen(
        box,
        hostname="127.0.0.1",
        port=0,
        tls_context=starttls,
        ssl_context=tls,
        authenticator=check if user else None,
        auth_required=bool(user) and tls is None,
        auth_require_tls=starttls is not None,
    )
    controller.start()
    box.port = controller.port
    try:
        yield box
    finally:
        controller.stop()


def certificate(folder: Path, *names: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """TLS of a server of these names (``DNS:…``, ``IP:…``), and of a client who trusts it alone."""
    key, cert = folder / "key.pem", folder / "cert.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    named = ("-subj", "/CN=test", "-addext", "subjectAltName=" + ",".join(names))
    files = ("-keyout", str(key), "-out", str(cert))
    subprocess.run([*command.split(), *named, *files], check=True, capture_output=True)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(cert, key)
    return server, ssl.create_default_context(cafile=str(cert))
