"""Mails to users: what they say, and the server that takes them."""

from __future__ import annotations

import re
import smtplib
import ssl
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from typing import Any
from urllib.parse import unquote, urlsplit

from api.trust import trusted
from api.webhooks import NotDelivered
from grbcore.settings import Settings

#: Each step of a delivery may take so many seconds.
SECONDS = 10.0

LONGEST = 254  # characters of an address

_PORTS = {"smtp": 587, "smtps": 465}

#: The part of RFC 5321 that mail servers take everywhere; nothing that could end a header.
_ADDRESS = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
)

#: Why mails come that nobody subscribes to.
_ACCOUNT = ("of an account there;", "it is sent whatever you are told otherwise.")

_BECAME = {
    "submission.ranked": "is ranked",
    "submission.rejected": "was rejected",
    "submission.failed": "failed",
    "submission.stuck": "waits for an admin",
    "submission.published": "is public",
}


def is_address(text: str) -> bool:
    """Whether mail can be sent to this address."""
    local = text.partition("@")[0]
    return len(text) <= LONGEST and len(local) <= 64 and _ADDRESS.fullmatch(text) is not None


class Mail:
    """Writes mails and hands them to the server of the settings; off where there is none."""

    def __init__(self, settings: Settings, tls: ssl.SSLContext | None = None) -> None:
        self._server = urlsplit(settings.smtp_url)
        self._sender = settings.mail_from
        self._public = settings.public_url
        self._tls = tls or trusted()

    @property
    def is_on(self) -> bool:
        """Whether this service sends mails at all."""
        return bool(self._server.hostname)

    def tell(
        self, address: str, notice_id: str, event: str, entry: Mapping[str, Any], at: datetime
    ) -> str:
        """Tell somebody what became of a submission; what the server answered.

        Raises:
            NotDelivered: mail is off, or the server did not take it.
        """
        what = f"{entry['side']} “{_line(entry['name'])}” on {entry['board']}"
        became = _BECAME.get(event, f"is {entry['state']}")
        lines = [f"Your {what} {became}.", ""]
        if entry["reason"]:
            lines += [_line(entry["reason"]), ""]
        lines += [f"{self._public}/submissions/{entry['id']}"]
        return self._send(address, notice_id, f"Your {what} {became}", lines, at)

    def test(self, address: str, notice_id: str, at: datetime) -> str:
        """Send a mail that says that mails arrive.

        Raises:
            NotDelivered: mail is off, or the server did not take it.
        """
        lines = ["This is the test that you asked for: mails of this leaderboard arrive."]
        return self._send(address, notice_id, "A test of the leaderboard", lines, at)

    def ask(self, address: str, notice_id: str, user: str, token: str, at: datetime) -> str:
        """Ask whoever reads this address whether it may be used.

        Raises:
            NotDelivered: mail is off, or the server did not take it.
        """
        lines = [
            f"The user “{_line(user)}” of the leaderboard at {self._public} wants to be told at",
            "this address what became of their submissions.  If that is you, please confirm it:",
            "",
            f"{self._public}/confirm-email?token={token}",
            "",
            "If it is not you, there is nothing to do: without that no more mails come.",
        ]
        return self._send(address, notice_id, "Please confirm your address", lines, at)

    def welcome(self, address: str, notice_id: str, user: str, token: str, at: datetime) -> str:
        """Ask whoever reads this address whether they signed up with it.

        Raises:
            NotDelivered: mail is off, or the server did not take it.
        """
        lines = [
            f"Somebody signed up as “{_line(user)}” to the leaderboard at {self._public} with this",
            "address.  If that was you, please confirm it:",
            "",
            f"{self._public}/confirm-email?token={token}",
            "",
            "If it was not you, there is nothing to do: without that no more mails come.",
        ]
        subject = "Please confirm your address"
        return self._send(address, notice_id, subject, lines, at, because=_ACCOUNT)

    def reset(self, address: str, notice_id: str, user: str, token: str, at: datetime) -> str:
        """Send the link that sets another password.

        Raises:
            NotDelivered: mail is off, or the server did not take it.
        """
        lines = [
            f"Somebody asked for another password of “{_line(user)}”.  If that was you, this link",
            "sets one within an hour, once:",
            "",
            # after the #: a browser keeps that to itself, so no log and no referrer tells it
            f"{self._public}/account/reset#{token}",
            "",
            "If it was not you, there is nothing to do: your password stays as it is.",
        ]
        subject = "Another password for the leaderboard"
        return self._send(address, notice_id, subject, lines, at, because=_ACCOUNT)

    def warn(self, address: str, notice_id: str, user: str, what: str, at: datetime) -> str:
        """Tell somebody what changed of their account, in case it was not they who did it.

        Raises:
            NotDelivered: mail is off, or the server did not take it.
        """
        lines = [
            f"{what} of your account “{_line(user)}” at {self._public}.",
            "",
            "If it was not you, set another password, look at your tokens, and tell an admin.",
        ]
        return self._send(address, notice_id, what, lines, at, because=_ACCOUNT)

    def _send(
        self,
        address: str,
        notice_id: str,
        subject: str,
        lines: list[str],
        at: datetime,
        *,
        because: tuple[str, str] = ("you asked for it;", "grb notify --off ends it."),
    ) -> str:
        if not self.is_on:
            raise NotDelivered("found no mail server here, allowed: one that GRB_SMTP_URL names")
        message = EmailMessage()
        message["From"] = self._sender
        message["To"] = address
        message["Subject"] = subject
        message["Date"] = format_datetime(at)
        # the same at each try: who gets a mail twice sees it once
        message["Message-ID"] = f"<{notice_id}@{parseaddr(self._sender)[1].rpartition('@')[2]}>"
        message["Auto-Submitted"] = "auto-generated"
        why, until = because
        end = ["", "-- ", f"{self._public} tells you because {why}", until]
        message.set_content("\n".join([*lines, *end]) + "\n")
        try:
            with self._connected() as server:
                server.send_message(message)
        except (smtplib.SMTPException, OSError) as error:
            raise NotDelivered(f"found {_told(error)}, allowed: a server that takes it") from None
        return "taken by the mail server"

    def _connected(self) -> smtplib.SMTP:
        """A session with the server; a password goes through TLS only."""
        url = self._server
        host, port = str(url.hostname), url.port or _PORTS[url.scheme]
        if url.scheme == "smtps":
            server: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=SECONDS, context=self._tls)
        else:
            server = smtplib.SMTP(host, port, timeout=SECONDS)
        try:
            server.ehlo()
            if url.scheme == "smtp" and (url.username or server.has_extn("starttls")):
                server.starttls(context=self._tls)
                server.ehlo()
            if url.username:
                server.login(unquote(url.username), unquote(url.password or ""))
        except BaseException:
            with suppress(OSError):
                server.close()
            raise
        return server


def _line(text: str) -> str:
    """Text of a user in one line, without what is not printed."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _told(error: Exception) -> str:
    """What a mail server answered, in one line."""
    code: int
    text: bytes | str
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, text = next(iter(error.recipients.values()))
    elif isinstance(error, smtplib.SMTPResponseException):
        code, text = error.smtp_code, error.smtp_error
    else:
        return f"no answer ({_line(str(error)) or type(error).__name__})"
    said = text.decode(errors="replace") if isinstance(text, bytes) else text
    return f"the answer {code} {_line(said)}"
