"""Asking a server: the options, the session, and how its errors are told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, NoReturn

import httpx
import typer

Json = dict[str, Any]

Server = Annotated[
    str, typer.Option("--server", envvar="GRB_SERVER", help="The address of the leaderboard.")
]
TokenOption = Annotated[
    str, typer.Option("--token", envvar="GRB_TOKEN", help="Your token.", show_envvar=True)
]

LOCAL = "http://127.0.0.1:8000"


@contextmanager
def client(server: str, token: str = "") -> Iterator[httpx.Client]:
    """A client of the server; whatever goes wrong is told in lines, with exit code 1."""
    token = token.strip()
    if not token.isascii():
        fail("--token: found letters beyond ASCII, allowed: a token as grb admin token prints it")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    base = f"{server.rstrip('/')}/api/v1"
    try:
        with httpx.Client(base_url=base, headers=headers, timeout=60) as client:
            yield client
    except httpx.HTTPStatusError as error:
        _tell(error.response)
    except KeyError as error:
        fail(f"{server} answered without {error}; is --server a leaderboard of this version?")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        reason = str(error) or type(error).__name__
        fail(f"{server} can't be reached: {reason}; is it up, is --server right?")


def _tell(answer: httpx.Response) -> None:
    try:
        problem = answer.json()
        message, violations = problem["message"], problem["violations"]
    except (ValueError, KeyError, TypeError):
        fail(f"the server answered {answer.status_code}; is --server a leaderboard?")
    for fault in violations:
        text = f"  {fault['place']}: found {fault['found']}; allowed: {fault['allowed']}"
        typer.echo(f"{text} [{fault['code']}]", err=True)
    hint = "; give --token or set GRB_TOKEN" if answer.status_code == 401 else ""
    fail(f"{message}{hint}")


def fail(message: str) -> NoReturn:
    """Tell a fault in a line and end the command."""
    typer.echo(f"grb: {message}", err=True)
    raise typer.Exit(1)


def get(client: httpx.Client, path: str, query: dict[str, str] | None = None) -> Json:
    """The answer to a GET."""
    return json_of(client.get(path, params=query).raise_for_status())


def json_of(answer: httpx.Response) -> Json:
    """The object that an answer holds."""
    try:
        found = answer.json()
    except ValueError:
        found = None
    if not isinstance(found, dict):
        fail(f"{answer.url} answered no JSON object; is --server a leaderboard?")
    return found
