"""What the API takes and gives of accounts: signing in, passwords, sessions and tokens."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from api.schemas import Role, TokenScope
from grbcore.store.accounts.passwords import LONGEST

#: Never shown in a message or a log.
Password = SecretStr


class _In(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=False, hide_input_in_errors=True)


class SignUp(_In):
    """A new account."""

    name: str = Field(max_length=80, examples=["ann"])
    password: Password = Field(max_length=LONGEST)
    email: str | None = Field(default=None, max_length=254, examples=["ann@lab.org"])


class SignIn(_In):
    """Who wants to sign in."""

    name: str = Field(max_length=80, examples=["ann"])
    password: Password = Field(max_length=LONGEST)


class ResetAsked(_In):
    """Whose password is to be set anew."""

    email: str = Field(max_length=254, examples=["ann@lab.org"])


class ResetDone(_In):
    """Another password, by the link of a mail."""

    token: SecretStr = Field(max_length=200)
    password: Password = Field(max_length=LONGEST)


class PasswordChange(_In):
    """Another password; ``current`` where there is one."""

    current: Password | None = Field(default=None, max_length=LONGEST)
    new: Password = Field(max_length=LONGEST)


class SignedIn(BaseModel):
    """Who is signed in, and what their browser sends beside the cookie."""

    name: str
    role: Role
    csrf_token: str  # for the header X-CSRF-Token of whatever changes something


class ProviderOut(BaseModel):
    """Where else one may sign in."""

    id: str
    name: str


class AuthOut(BaseModel):
    """Who is signed in, and how one signs in here."""

    session: SignedIn | None
    sign_up: Literal["closed", "providers", "open"]
    confirm_email: bool  # who signs up confirms an address before they sign in
    mail: bool  # whether a password can be reset by mail
    providers: list[ProviderOut]


class SignedUp(BaseModel):
    """A new account; without a session until its mail address is confirmed."""

    session: SignedIn | None
    confirm: str | None  # the address that the mail went to


class SessionOut(BaseModel):
    """A browser in which the user is signed in."""

    id: str
    agent: str
    current: bool
    created_at: datetime
    seen_at: datetime
    expires_at: datetime


class SessionList(BaseModel):
    """A user's sessions, the one used last first."""

    sessions: list[SessionOut]


class Ended(BaseModel):
    """How many sessions were ended."""

    ended: int


class TokenIn(_In):
    """A new token."""

    name: str = Field(min_length=1, max_length=80, pattern=r"\S", examples=["laptop"])
    scopes: list[TokenScope] = Field(min_length=1, max_length=4)
    expires_in_days: int | None = Field(
        default=None, ge=1, le=366, description="Null: it does not run out"
    )


class TokenOut(BaseModel):
    """A token, without what it is in clear."""

    id: str
    name: str
    scopes: list[TokenScope]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None


class TokenMade(TokenOut):
    """A new token in clear; it can't be read again."""

    token: str


class TokenList(BaseModel):
    """A user's tokens, the newest first."""

    tokens: list[TokenOut]
