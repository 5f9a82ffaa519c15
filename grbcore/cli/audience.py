"""The options that say who sees a submission."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from grbcore.cli.server import Json, fail

PrivateOption = Annotated[
    bool, typer.Option("--private", help="Only you and admins see it, until you make it public.")
]
EmbargoOption = Annotated[
    str | None,
    typer.Option(
        "--embargo",
        metavar="DATE",
        help="Only you and admins see it until this date, such as 2027-03-01 (0:00 UTC).",
    ),
]


def chosen(*, private: bool, embargo: str | None, public: bool = False) -> dict[str, str]:
    """What a server is told; nothing where nothing was said."""
    asked = {"--public": public, "--private": private, "--embargo": embargo is not None}
    given = [option for option, is_given in asked.items() if is_given]
    if len(given) > 1:
        fail(f"options: found {' and '.join(given)}, allowed: one of them")
    if embargo is not None:
        return {"visibility": "embargoed", "public_at": _end(embargo)}
    return {"visibility": "private" if private else "public"} if given else {}


def shown(entry: Json) -> str:
    """Who sees a submission, in words; empty where everybody does."""
    visibility = entry.get("visibility", "public")
    if visibility == "public":
        return ""
    until = f" until {entry['public_at']}" if entry.get("public_at") else ""
    return f"{visibility}: only you and admins see it{until}"


def _end(text: str) -> str:
    try:
        end = datetime.fromisoformat(text.strip())
    except ValueError:
        fail(f"--embargo: found {text!r}, allowed: a date such as 2027-03-01")
    return (end if end.tzinfo else end.replace(tzinfo=UTC)).isoformat()
