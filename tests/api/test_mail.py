"""Mails: what is sent, to which servers, and that nothing in them can be forged."""

from __future__ import annotations

import socket
from datetime import UTC, datetime
from pathlib import Path

import pytest

from api.mail import Mail, is_address
from api.webhooks import NotDelivered
from grbcore.settings import Settings
from tests.api.receivers import Mailbox, certificate, mailbox

AT = datetime(2026, 1, 1, 12, tzinfo=UTC)
ENTRY = {
    "id": "01J",
    "board": "digits/injection@1",
    "side": "defense",
    "name": "My GCN",
    "state": "ranked",
    "reason": None,
}


def settings(url: str, sender: str = "Board <board@lab.org>") -> Settings:
    return Settings(smtp_url=url, mail_from=sender, public_url="https://board.org/")


def tell(mail: Mail, event: str = "submission.ranked", **changes: str) -> str:
    return mail.tell("ann@lab.org", "01NOTICE", event, {**ENTRY, **changes}, AT)


def only(box: Mailbox) -> str:
    """The text of the one mail that came."""
    [message] = box.mails
    return message.get_content()


def test_a_mail_says_what_became_of_which_submission_and_where_to_look() -> None:
    with mailbox() as box:
        tell(Mail(settings(f"smtp://127.0.0.1:{box.port}")))
    [message] = box.mails
    assert box.addressees == [["ann@lab.org"]]
    assert message["From"] == "Board <board@lab.org>"
    assert message["To"] == "ann@lab.org"
    assert message["Subject"] == "Your defense “My GCN” on digits/injection@1 is ranked"
    assert message["Message-ID"] == "<01NOTICE@lab.org>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert "https://board.org/submissions/01J" in only(box)


def test_a_mail_tells_the_reason() -> None:
    with mailbox() as box:
        mail = Mail(settings(f"smtp://127.0.0.1:{box.port}"))
        tell(mail, "submission.failed", reason="found nan, allowed: finite logits")
    assert "found nan, allowed: finite logits" in only(box)


def test_a_name_can_add_no_header() -> None:
    with mailbox() as box:
        mail = Mail(settings(f"smtp://127.0.0.1:{box.port}"))
        tell(mail, name="x\r\nBcc: eve@lab.org\r\n\r\nHello\x00\u2028")
    [message] = box.mails
    assert message["Bcc"] is None
    assert box.addressees == [["ann@lab.org"]]
    assert "x Bcc: eve@lab.org Hello" in message["Subject"]


def test_a_long_name_beyond_ascii_arrives_whole() -> None:
    name = "Größte “graph” 图" * 5
    with mailbox() as box:
        tell(Mail(settings(f"smtp://127.0.0.1:{box.port}")), name=name)
    [message] = box.mails
    assert name in message["Subject"]
    assert name in only(box).replace("\n", " ")


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
def test_a_password_goes_through_tls(tmp_path: Path, scheme: str) -> None:
    server, client = certificate(tmp_path, "IP:127.0.0.1")
    way = {"starttls": server} if scheme == "smtp" else {"tls": server}
    with mailbox(user="ann", **way) as box:
        tell(Mail(settings(f"{scheme}://ann:p%40ss@127.0.0.1:{box.port}"), client))
        assert box.was_encrypted == [True]
        with pytest.raises(NotDelivered, match="found the answer 535"):
            tell(Mail(settings(f"{scheme}://ann:wrong@127.0.0.1:{box.port}"), client))


def test_a_password_is_not_sent_without_tls() -> None:
    with mailbox() as box:
        mail = Mail(settings(f"smtp://ann:p%40ss@127.0.0.1:{box.port}"))
        with pytest.raises(NotDelivered, match="STARTTLS"):
            tell(mail)
        assert box.mails == []


def test_a_server_with_a_foreign_certificate_is_not_trusted(tmp_path: Path) -> None:
    server, _ = certificate(tmp_path, "IP:127.0.0.1")
    with mailbox(starttls=server) as box:
        with pytest.raises(NotDelivered, match="CERTIFICATE_VERIFY_FAILED"):
            tell(Mail(settings(f"smtp://127.0.0.1:{box.port}")))
        assert box.mails == []


def test_what_the_server_refuses_is_told_in_its_words() -> None:
    with mailbox() as box:
        box.refuses = "550 no such mailbox"
        with pytest.raises(NotDelivered, match="found the answer 550 no such mailbox"):
            tell(Mail(settings(f"smtp://127.0.0.1:{box.port}")))


def test_a_server_that_is_away_is_told() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    with pytest.raises(NotDelivered, match="found no answer"):
        tell(Mail(settings(f"smtp://127.0.0.1:{port}")))


def test_mail_is_off_where_no_server_is_named() -> None:
    mail = Mail(Settings())
    assert not mail.is_on
    with pytest.raises(NotDelivered, match="GRB_SMTP_URL"):
        tell(mail)


@pytest.mark.parametrize("text", ["ann@lab.org", "a.b+c@sub.lab.org", "o'neil@x-y.org", "a@b"])
def test_usual_addresses_are_addresses(text: str) -> None:
    assert is_address(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ann",
        "@lab.org",
        "ann@",
        "ann@lab..org",
        ".ann@lab.org",
        "ann@-lab.org",
        "ann@lab.org\n",
        "ann@lab.org\r\nBcc: eve@lab.org",
        "Ann <ann@lab.org>",
        "ann@lab.org,eve@lab.org",
        "ann eve@lab.org",
        "ann@[127.0.0.1]",
        "änn@lab.org",
        "a" * 65 + "@lab.org",
        "ann@" + "a." * 130 + "org",
    ],
)
def test_what_is_no_plain_address_is_none(text: str) -> None:
    assert not is_address(text)
