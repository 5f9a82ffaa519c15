"""A TCP proxy whose connections break after some bytes."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit


@contextlib.contextmanager
def flaky(address: str, lives: Callable[[], int | None]) -> Iterator[str]:
    """The address of a proxy before this one.

    Each connection takes as many bytes from the client as ``lives`` says when it begins, then it
    breaks: the client gets a reset, the service what was sent. None: it lives.
    """
    target = urlsplit(address)
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(
            target=_accept, args=(server, (target.hostname, target.port), lives), daemon=True
        )
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
    thread.join(10)


def _accept(server: socket.socket, target, lives: Callable[[], int | None]) -> None:
    while True:
        try:
            near, _ = server.accept()
        except OSError:
            return
        try:
            far = socket.create_connection(target, timeout=30)
        except OSError:  # the service is away
            _reset(near)
            continue
        left = lives()
        threading.Thread(target=_upwards, args=(near, far, left), daemon=True).start()
        threading.Thread(target=_downwards, args=(far, near), daemon=True).start()


def _upwards(near: socket.socket, far: socket.socket, left: int | None) -> None:
    with contextlib.suppress(OSError):
        while left is None or left > 0:
            piece = near.recv(16384 if left is None else min(16384, left))
            if not piece:
                break
            far.sendall(piece)
            left = None if left is None else left - len(piece)
    with contextlib.suppress(OSError):
        far.shutdown(socket.SHUT_RDWR)  # what was sent arrives
    _reset(near)


def _downwards(far: socket.socket, near: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while piece := far.recv(16384):
            near.sendall(piece)
    far.close()
    _reset(near)


def _reset(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        one.shutdown(socket.SHUT_RDWR)
    with contextlib.suppress(OSError):
        one.close()
