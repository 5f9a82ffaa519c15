"""Webhooks: signed as Standard Webhooks has it, sent only where they may go, and in time."""

from __future__ import annotations

import json
import socket
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from standardwebhooks import Webhook

from api import webhooks
from api.webhooks import BadAddress, NotDelivered, Webhooks, is_public, sign
from tests.api.receivers import Receiver, certificate, receiver

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = b'{"type":"test"}'


@pytest.fixture
def hook():
    with receiver() as started:
        yield started


def send(url: str, sender: Webhooks | None = None, body: bytes = BODY) -> str:
    chosen = sender or Webhooks(private=True)
    return chosen.send(url, SECRET, "01NOTICE", body, datetime.now(UTC))


def refused(url: str, *addresses: str) -> BadAddress:
    """Why an address is refused, where its name means these addresses."""
    with pytest.raises(BadAddress) as caught:
        Webhooks(resolve=lambda host, port: addresses).check(url)
    return caught.value


# Signing


def test_the_signature_is_that_of_the_published_example() -> None:
    """From the libraries of Standard Webhooks, which all test against it."""
    at = datetime.fromtimestamp(1614265330, UTC)
    headers = sign(SECRET, "msg_p5jXN8AQM9LWM0D4loKWxJek", at, b'{"test": 2432232314}')
    assert headers == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


def test_the_reference_library_verifies_what_arrives(hook: Receiver) -> None:
    body = '{"type":"test","data":{"name":"Ünï “cøde”"}}'.encode()
    assert send(hook.url, body=body) == "204 No Content"
    [(headers, came)] = hook.got
    assert Webhook(SECRET).verify(came, headers) == json.loads(body)
    assert headers["webhook-id"] == "01NOTICE"
    assert headers["Content-Type"] == "application/json"


# Answers


@pytest.mark.parametrize("status", [200, 202, 299])
def test_any_status_from_200_to_299_is_an_arrival(hook: Receiver, status: int) -> None:
    hook.statuses = [status]
    assert send(hook.url).startswith(str(status))


@pytest.mark.parametrize("status", [304, 400, 410, 500, 503, 999])
def test_any_other_status_is_none(hook: Receiver, status: int) -> None:
    hook.statuses = [status]
    with pytest.raises(NotDelivered, match=f"found the answer {status}"):
        send(hook.url)


def test_redirects_are_not_followed(hook: Receiver) -> None:
    with receiver() as elsewhere:
        for status in (301, 302, 303, 307, 308):
            hook.statuses, hook.headers = [status], {"Location": elsewhere.url}
            with pytest.raises(NotDelivered, match=f"found the answer {status}"):
                send(hook.url)
        assert elsewhere.got == []


def test_the_body_of_an_answer_is_not_waited_for(hook: Receiver) -> None:
    hook.statuses, hook.headers = [200], {"Content-Length": "100000000"}
    assert send(hook.url) == "200 OK"


def test_a_closed_port_is_told(hook: Receiver) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    with pytest.raises(NotDelivered, match="found no connection"):
        send(f"http://127.0.0.1:{port}/")


def test_what_is_no_http_is_told(hook: Receiver) -> None:
    hook.drip = b"?\r\n\r\n"
    with pytest.raises(NotDelivered, match="found no HTTP"):
        send(hook.url)


@pytest.mark.parametrize("way", ["silent", "drip"])
def test_a_receiver_that_hangs_is_left(
    hook: Receiver, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """Also one that sends a byte now and then, which no limit on a single read would notice: its
    answer would be a good one, after 200 s."""
    monkeypatch.setattr(webhooks, "SECONDS", 1.0)
    setattr(hook, way, b"HTTP/1.1 200 OK\r\nX: " + 1000 * b"x" if way == "drip" else True)
    with pytest.raises(NotDelivered, match="found no answer within"):
        send(hook.url)


# Where messages may go


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1:248:1893:25c8:1946", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("100.64.0.1", False),  # shared by providers' customers
        ("169.254.169.254", False),  # metadata of clouds
        ("0.0.0.0", False),
        ("224.0.1.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1", False),
        ("fe80::1%eth0", False),
        ("fc00::1", False),
        ("ff0e::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:93.184.216.34", True),
        ("2002:7f00:0001::1", False),  # 6to4 of 127.0.0.1
        ("64:ff9b::10.0.0.1", False),  # NAT64 of 10.0.0.1
        ("64:ff9b::93.184.216.34", True),
        ("64:ff9b:1::1", False),
        ("::127.0.0.1", False),
        ("::ffff:0:10.0.0.1", False),
        ("fec0::1", False),
        ("fe80::1%eth0", False),
        ("5f00::1", False),
        ("3fff::1", False),
        ("192.0.0.8", False),
        ("192.88.99.1", False),
        ("2606:2800:220:1::1", True),
    ],
)
def test_only_public_addresses_are_public(address: str, public: bool) -> None:
    assert is_public(address) is public


@pytest.mark.parametrize(
    "url",
    [
        "http://lab.org/",
        "ftp://lab.org/",
        "file:///etc/passwd",
        "https://",
        "lab.org/hook",
        "https://ann:secret@lab.org/",
        "https://lab.org:99999/",
        "https://lab.org/\r\nX: y",
        "https://lab.org/" + 400 * "a",
        "",
    ],
)
def test_addresses_of_no_use_are_refused(url: str) -> None:
    assert "https://…" in refused(url, "93.184.216.34").allowed


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "[::1]", "2130706433", "0x7f.1", "localhost", "169.254.169.254"]
)
def test_this_host_and_its_network_are_refused_in_every_spelling(host: str) -> None:
    with pytest.raises(BadAddress, match="not public"):
        Webhooks().check(f"https://{host}/")


def test_a_name_with_one_private_address_is_refused() -> None:
    error = refused("https://lab.org/", "93.184.216.34", "10.0.0.7")
    assert "lab.org" in error.found and "10.0.0.7" not in str(error)


def test_a_name_that_is_not_known_is_refused() -> None:
    assert refused("https://lab.org/").found == "no address of lab.org"


def test_a_look_up_that_hangs_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "LOOK_UP_SECONDS", 0.1)

    def slow(host: str, port: int) -> list[str]:
        threading.Event().wait(5)
        return ["93.184.216.34"]

    with pytest.raises(BadAddress, match="no address"):
        Webhooks(resolve=slow).check("https://lab.org/")


def test_a_private_address_is_refused_when_sent_too(hook: Receiver) -> None:
    with pytest.raises(NotDelivered, match="not public"):
        send(hook.url.replace("http:", "https:"), Webhooks())
    with pytest.raises(NotDelivered, match="https"):
        send(hook.url, Webhooks())
    assert hook.got == []


def test_a_name_that_changes_its_meaning_is_refused_when_sent(hook: Receiver) -> None:
    meanings = iter([["93.184.216.34"], ["127.0.0.1"]])
    sender = Webhooks(resolve=lambda host, port: next(meanings))
    sender.check("https://lab.org/")
    with pytest.raises(NotDelivered, match="not public"):
        send("https://lab.org/", sender)


def test_the_connection_goes_to_the_address_that_was_looked_up(tmp_path: Path) -> None:
    """The name is looked up once and means nothing else to this host: it is in Host and in TLS."""
    server, client = certificate(tmp_path, "DNS:hook.invalid")
    asked: list[str] = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"]

    with receiver(server) as hook:
        url = hook.url.replace("127.0.0.1", "hook.invalid")
        sender = Webhooks(private=True, resolve=resolve, tls=client)
        assert send(url, sender) == "204 No Content"
        assert asked == ["hook.invalid"]
        [(headers, _)] = hook.got
        assert headers["Host"] == url.split("/")[2]


def test_a_certificate_of_another_name_is_refused(tmp_path: Path) -> None:
    server, client = certificate(tmp_path, "DNS:another.invalid")
    with receiver(server) as hook:
        url = hook.url.replace("127.0.0.1", "hook.invalid")
        sender = Webhooks(private=True, resolve=lambda host, port: ["127.0.0.1"], tls=client)
        with pytest.raises(NotDelivered, match="CERTIFICATE_VERIFY_FAILED"):
            send(url, sender)
        assert hook.got == []


def test_the_next_address_is_tried_where_one_does_not_answer(hook: Receiver) -> None:
    url = hook.url.replace("127.0.0.1", "hook.invalid")
    sender = Webhooks(private=True, resolve=lambda host, port: ["127.0.0.2", "127.0.0.1"])
    assert send(url, sender) == "204 No Content"
