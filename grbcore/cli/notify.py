"""``grb notify``: where you are told what became of your submissions."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from grbcore.cli.server import LOCAL, Json, Server, TokenOption, client, fail, get, json_of

console = Console()

_SETTINGS = "/me/notifications"


def notify(
    webhook: Annotated[
        str | None, typer.Option(help="Tell this https address, in signed messages.")
    ] = None,
    email: Annotated[
        str | None, typer.Option(help="Tell this mail address, once it is confirmed.")
    ] = None,
    rotate: Annotated[
        bool, typer.Option("--rotate", help="Another secret for the webhook.")
    ] = False,
    off: Annotated[bool, typer.Option("--off", help="Be told nothing any more.")] = False,
    test: Annotated[bool, typer.Option("--test", help="Send a test now.")] = False,
    token: TokenOption = "",
    server: Server = LOCAL,
) -> None:
    """Say where to be told when a submission is ranked, rejected or failed, or show it."""
    changes: Json = {
        key: value
        for key, value in (("webhook_url", webhook), ("email", email), ("rotate_secret", rotate))
        if value
    }
    if off and (changes or test):
        fail("--off: found other options beside it, allowed: --off alone")
    with client(server, token) as opened:
        if off:
            json_of(opened.delete(_SETTINGS).raise_for_status())
            _say("you are told nothing any more")
            return
        if changes:
            if rotate and webhook is None:
                changes["webhook_url"] = _settings(get(opened, "/me"))["webhook_url"]
            _changed(json_of(opened.put(_SETTINGS, json=changes).raise_for_status()))
        if test:
            answer = json_of(opened.post(f"{_SETTINGS}/test").raise_for_status())
            _tested(answer["results"])
        if not changes and not test:
            _show(_settings(get(opened, "/me")))
            _list(get(opened, "/me/notices")["notices"])


def _settings(me: Json) -> Json:
    found: Json = me["notifications"]
    return found


def _changed(found: Json) -> None:
    _show(found)
    if found["webhook_secret"]:
        _say(f"secret: {found['webhook_secret']}")
        _say("keep it, it is shown this once: it proves that a message is from this server")
    if found["mail_sent"]:
        _say(f"a mail to {found['email']} holds the link that confirms the address")
    if found["mail_problem"]:
        fail(f"no mail could be sent to {found['email']}: {found['mail_problem']}")


def _tested(results: list[Json]) -> None:
    for result in results:
        _say(f"{result['channel']}: {result['answer']}")
    lost = [result["channel"] for result in results if not result["delivered"]]
    if lost:
        fail(f"the test did not arrive by {' and '.join(lost)}")


def _show(found: Json) -> None:
    _say(f"webhook: {found['webhook_url'] or 'none'}")
    address = found["email"] or ("none" if found["mail_available"] else "this server sends no mail")
    state = ", not confirmed yet" if found["email"] and not found["email_confirmed"] else ""
    _say(f"mail: {address}{state}")


def _list(notices: list[Json]) -> None:
    if not notices:
        return
    table = Table("when", "event", "channel", "submission", "state", box=None, pad_edge=False)
    for notice in notices:
        state = f"{notice['state']}: {notice['problem']}" if notice["problem"] else notice["state"]
        row = (notice["event"], notice["channel"], notice["submission"] or "–", state)
        table.add_row(*map(Text, (notice["created_at"][:16].replace("T", " "), *row)))
    console.print(table)


def _say(text: str) -> None:
    console.print(text, soft_wrap=True, highlight=False, markup=False)
