"""``grb admin user``, ``password``, ``suspend``, ``token``: accounts by hand, on both databases."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from grbcore.cli.main import app
from grbcore.store import audit, tokens
from grbcore.store.accounts import passwords, people
from grbcore.store.session import Sessions, now

PASSWORD = "correct horse battery"


class Operator:
    def __init__(self, url: str, folder: Path) -> None:
        self.environment = {"GRB_DATABASE_URL": url, "GRB_VAR_DIR": str(folder / "var")}

    def __call__(self, *arguments: str, answer: str | None = None) -> Result:
        return CliRunner().invoke(app, ["admin", *arguments], input=answer, env=self.environment)


@pytest.fixture
def admin(store_url: str, tmp_path: Path) -> Operator:
    return Operator(store_url, tmp_path)


def kept(sessions: Sessions, name: str) -> str | None:
    """What is kept of a user's password."""
    with sessions.reading() as session:
        owner = people.by_name(session, name)
        assert owner is not None
        return owner.password_hash


def test_a_user_is_made_and_made_an_admin(admin: Operator, sessions: Sessions) -> None:
    assert admin("user", "ann").stdout == "ann: user\n"
    assert admin("user", "ann", "--role", "admin").stdout == "ann: admin\n"
    refused = admin("user", "ann", "--role", "user")
    assert refused.exit_code != 0 and "no other admin would be left" in refused.output
    assert admin("user", "x" * 81).exit_code != 0
    with sessions.reading() as session:
        rows = audit.entries(session, subject_kind="user", limit=9)
        assert [(row.action, row.via) for row in rows] == [
            ("role.change", "cli"),
            ("account.make", "cli"),
        ]


def test_a_password_is_asked_for_twice_and_set(admin: Operator, sessions: Sessions) -> None:
    admin("user", "ann")
    done = admin("password", "ann", answer=f"{PASSWORD}\n{PASSWORD}\n")
    assert done.exit_code == 0 and "the password is set" in done.stdout
    assert PASSWORD not in done.output
    assert passwords.verify(kept(sessions, "ann"), PASSWORD)


def test_a_weak_password_is_refused(admin: Operator, sessions: Sessions) -> None:
    admin("user", "ann")
    done = admin("password", "ann", answer="short\nshort\n")
    assert done.exit_code != 0 and "5 characters, allowed: 12 to 256 characters" in done.output
    assert kept(sessions, "ann") is None


def test_a_password_is_made_and_printed(admin: Operator, sessions: Sessions) -> None:
    admin("user", "ann")
    done = admin("password", "ann", "--generate")
    assert passwords.verify(kept(sessions, "ann"), done.stdout.strip())


def test_a_suspended_user_is_listed_as_such(admin: Operator, sessions: Sessions) -> None:
    token = admin("token", "--user", "ann").stdout.strip()
    assert admin("suspend", "ann", "--reason", "spam").exit_code == 0
    with sessions.reading() as session:
        assert tokens.verify(session, token) is None
    assert "suspended" in admin("users").stdout
    assert admin("unsuspend", "ann").exit_code == 0
    with sessions.reading() as session:
        assert tokens.verify(session, token) is not None


@pytest.mark.parametrize("command", ["password", "suspend", "unsuspend"])
def test_an_unknown_user_is_refused(admin: Operator, command: str) -> None:
    done = admin(command, "nobody")
    assert done.exit_code != 0 and "found no 'nobody'" in done.output


def test_a_token_has_the_scopes_and_the_end_that_are_asked(
    admin: Operator, sessions: Sessions
) -> None:
    asked = ["--scopes", "submit, read", "--days", "30", "--name", "cluster"]
    token = admin("token", "--user", "ann", *asked).stdout.strip()
    with sessions.reading() as session:
        found = tokens.find(session, token, now())
        assert found is not None
        assert (found.name, found.scopes) == ("cluster", "read submit")
        assert tokens.find(session, token, now() + timedelta(days=30)) is None
        (row,) = audit.entries(session, subject_kind="token", limit=9)
        assert (row.action, row.subject_id) == ("token.make", found.id)


@pytest.mark.parametrize("scopes", ["fly", "admin", ","])
def test_a_token_with_other_scopes_is_refused(admin: Operator, scopes: str) -> None:
    done = admin("token", "--user", "ann", "--scopes", scopes)
    assert done.exit_code != 0 and "allowed: some of read, submit, manage" in done.output
