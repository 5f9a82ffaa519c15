"""Webhooks as Standard Webhooks describes them: signed, and sent to public addresses only.

The name of a webhook is looked up once.  Every address that it has must be public, and the
connection goes to one of those that were checked, so that a name which means something else a
moment later (DNS rebinding) leads nowhere.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import ipaddress
import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from http import HTTPStatus
from typing import Any

import httpcore
import httpx

from api.trust import trusted
from grbcore import __version__
from grbcore.store.addresses import SECRET_PREFIX

#: From the first byte sent to the head of the answer, so many seconds in all.
SECONDS = 10.0

LOOK_UP_SECONDS = 5.0

LONGEST = 400  # characters of an address

Resolve = Callable[[str, int], Sequence[str]]

#: Translates to the IPv4 address in its last bits.
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
#: Where hosts of the internet have their addresses; what else there is leads to an inner network,
#: or to an IPv4 address in disguise.
_UNICAST = ipaddress.ip_network("2000::/3")
#: Of the protocols themselves, of relays and of documents; Python's own list lacks them.
_NO_HOSTS = tuple(map(ipaddress.ip_network, ("192.0.0.0/24", "192.88.99.0/24", "3fff::/20")))

#: Instead of httpcore's own errors, which name no cause.
_NO_ANSWER = f"found no answer within {SECONDS:g} s, allowed: a status from 200 to 299"


class NotDelivered(Exception):
    """A message did not arrive; the text says what was found and what is allowed."""


class BadAddress(ValueError):
    """An address that no webhook may have, with what was found and what is allowed."""

    def __init__(self, found: str, allowed: str) -> None:
        super().__init__(f"found {found}, allowed: {allowed}")
        self.found = found
        self.allowed = allowed


def sign(secret: str, notice_id: str, at: datetime, body: bytes) -> dict[str, str]:
    """The three headers that name, date and sign a message."""
    seconds = str(int(at.timestamp()))
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = f"{notice_id}.{seconds}.".encode() + body
    signature = base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    return {
        "webhook-id": notice_id,
        "webhook-timestamp": seconds,
        "webhook-signature": f"v1,{signature}",
    }


def look_up(host: str, port: int) -> list[str]:
    """Every address of this name."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def is_public(address: str) -> bool:
    """Whether anybody on the internet could have this address."""
    ip = ipaddress.ip_address(address)
    inner: Iterable[ipaddress.IPv4Address | None] = ()
    if isinstance(ip, ipaddress.IPv6Address):
        teredo = ip.teredo[1] if ip.teredo else None
        translated = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF) if ip in _NAT64 else None
        if ip.ipv4_mapped is not None:
            return is_public(str(ip.ipv4_mapped))
        if ip not in _UNICAST and ip not in _NAT64:
            return False
        inner = (ip.sixtofour, teredo, translated)
    return (
        ip.is_global
        and not ip.is_multicast
        and not any(ip in network for network in _NO_HOSTS)
        and all(part is None or is_public(str(part)) for part in inner)
    )


class Webhooks:
    """Checks addresses of webhooks and sends to them; ``private`` is for labs and tests."""

    def __init__(
        self,
        *,
        private: bool = False,
        resolve: Resolve = look_up,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._private = private
        self._resolve = resolve
        self._tls = tls or trusted()

    def check(self, url: str) -> None:
        """Refuse an address that nothing would be sent to.

        Raises:
            BadAddress: it is no https address, or its name has none that is public.
        """
        self._addresses(self._parsed(url))

    def send(self, url: str, secret: str, notice_id: str, body: bytes, at: datetime) -> str:
        """Post a signed message; the status of the answer, such as ``204 No Content``.

        Redirects are not followed, and the body of the answer is not read.

        Raises:
            NotDelivered: the address is not allowed, or gave no answer from 200 to 299 in time.
        """
        try:
            target = self._parsed(url)
            addresses = self._addresses(target)
        except BadAddress as error:
            raise NotDelivered(str(error)) from None
        headers = {
            "Host": target.netloc.decode(),
            "Content-Type": "application/json",
            "User-Agent": f"graph-robustness-leaderboard/{__version__}",
            **sign(secret, notice_id, at, body),
        }
        status = self._post(target, addresses, headers, body)
        answer = f"{status} {_phrase(status)}".strip()
        if not 200 <= status < 300:
            raise NotDelivered(f"found the answer {answer}, allowed: a status from 200 to 299")
        return answer

    def _post(
        self, target: httpx.URL, addresses: Sequence[str], headers: dict[str, str], body: bytes
    ) -> int:
        backend = _Checked(addresses, time.monotonic() + SECONDS)
        where = httpcore.URL(
            scheme=target.raw_scheme,
            host=target.raw_host,
            port=target.port,
            target=target.raw_path,
        )
        try:
            with (
                httpcore.ConnectionPool(ssl_context=self._tls, network_backend=backend) as pool,
                pool.stream("POST", where, headers=list(headers.items()), content=body) as answer,
            ):
                return answer.status
        except httpcore.TimeoutException:
            raise NotDelivered(_NO_ANSWER) from None
        except httpcore.NetworkError as error:
            raise NotDelivered(f"found no connection ({error}), allowed: an answer") from None
        except httpcore.ProtocolError as error:
            raise NotDelivered(f"found no HTTP ({error}), allowed: an answer") from None

    def _parsed(self, url: str) -> httpx.URL:
        schemes = ("https", "http") if self._private else ("https",)
        allowed = f"{' or '.join(f'{one}://…' for one in schemes)} without a password"
        try:
            parsed = httpx.URL(url)
        except httpx.InvalidURL:
            raise BadAddress(repr(url), allowed) from None
        proper = parsed.scheme in schemes and parsed.host and not parsed.userinfo
        proper = proper and 0 < _port(parsed) < 65536
        if not (proper and url.isprintable() and len(url) <= LONGEST):
            raise BadAddress(repr(url[:LONGEST]), f"{allowed}, of at most {LONGEST} characters")
        return parsed.copy_with(fragment=None)

    def _addresses(self, target: httpx.URL) -> Sequence[str]:
        host = target.raw_host.decode()
        found = _in_time(lambda: self._resolve(host, _port(target)))
        if not found:
            raise BadAddress(f"no address of {host}", "a name that can be looked up")
        if not (self._private or all(map(is_public, found))):
            # which one is not told: names of an inner network are nobody's business
            raise BadAddress(f"an address of {host} that is not public", "public addresses")
        return found


def _in_time(resolve: Callable[[], Sequence[str]]) -> Sequence[str]:
    """What a look-up finds within its time; the system's own may take minutes."""
    answers: queue.Queue[Sequence[str]] = queue.Queue()

    def ask() -> None:
        try:
            answers.put(resolve())
        except (OSError, UnicodeError):
            answers.put(())

    threading.Thread(target=ask, daemon=True).start()
    try:
        return answers.get(timeout=LOOK_UP_SECONDS)
    except queue.Empty:
        return ()


def _port(url: httpx.URL) -> int:
    usual = 443 if url.scheme == "https" else 80
    return usual if url.port is None else url.port


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


class _Checked(httpcore.NetworkBackend):
    """Connects to these addresses, whatever the name means by now; all of it before a deadline.

    The name stays in ``Host`` and in TLS.
    """

    def __init__(self, addresses: Sequence[str], deadline: float) -> None:
        self._addresses = addresses
        self._deadline = deadline
        self._inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        problem: Exception = httpcore.ConnectError(f"{host} has no address")
        for tried, address in enumerate(self._addresses):
            try:
                left = _left(self._deadline, httpcore.ConnectTimeout)
                share = left / (len(self._addresses) - tried)
                stream = self._inner.connect_tcp(address, port, timeout=share)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                problem = error
            else:
                return _Hurried(stream, self._deadline)
        raise problem


class _Hurried(httpcore.NetworkStream):
    """A stream whose every step ends before one deadline, so that slow drops don't add up."""

    def __init__(self, inner: httpcore.NetworkStream, deadline: float) -> None:
        self._inner = inner
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, _left(self._deadline, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, _left(self._deadline, httpcore.WriteTimeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        left = _left(self._deadline, httpcore.ConnectTimeout)
        return _Hurried(self._inner.start_tls(ssl_context, server_hostname, left), self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


def _left(deadline: float, error: type[httpcore.TimeoutException]) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise error
    return left
