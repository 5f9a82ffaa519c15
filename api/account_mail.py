"""Mails of accounts, sent after the answer, so that its time tells nothing of whom it is about."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta

from api.deps import Service
from api.webhooks import NotDelivered
from grbcore.store import addresses, notices
from grbcore.store.accounts import people
from grbcore.store.session import now
from grbcore.store.tables import User

log = logging.getLogger(__name__)

WELCOME, RESET, WARN = "email.welcome", "password.reset", "account.warning"

#: How long after one of them the next is sent to the same user.
_REST = {WELCOME: timedelta(minutes=10), RESET: timedelta(minutes=2), WARN: timedelta(0)}

#: So many accounts of one mailbox are told.
_MOST = 5


def welcome(service: Service, user_id: str, address: str) -> None:
    """Ask the address of a new account for its confirmation, unless a mail is on its way."""
    at = now()
    with service.sessions.writing() as session:
        owner = addresses.locked(session, user_id)
        last = notices.latest(session, user_id, WELCOME)
        if not owner.is_active or (last is not None and at - last < _REST[WELCOME]):
            return
        token = addresses.set_email(session, owner, address)
        notice = notices.begin(session, user_id, WELCOME, "mail", at)
    mail = service.couriers.mail
    _send(service, notice, lambda: mail.welcome(address, notice, owner.name, token, at))


def reset(service: Service, address: str) -> None:
    """Send each account that has a password and has confirmed this address a link to set it."""
    with service.sessions.reading() as session:
        found = [one for one in people.by_address(session, address) if one.password_hash]
    for owner in found[:_MOST]:
        _reset_one(service, owner.id)


def _reset_one(service: Service, user_id: str) -> None:
    at = now()
    with service.sessions.writing() as session:
        owner = addresses.locked(session, user_id)  # two requests at once send one link
        last = notices.latest(session, user_id, RESET)
        if not owner.is_active or (last is not None and at - last < _REST[RESET]):
            return
        token = people.begin_reset(session, user_id, at)
        notice = notices.begin(session, user_id, RESET, "mail", at)
    mail, address = service.couriers.mail, str(owner.email)
    _send(service, notice, lambda: mail.reset(address, notice, owner.name, token, at))


def warn(service: Service, user_id: str, what: str) -> None:
    """Tell the confirmed address of an account what changed of it."""
    with service.sessions.reading() as session:
        owner = session.get_one(User, user_id)
    if owner.email is not None and owner.email_confirmed_at is not None:
        warn_at(service, owner.id, owner.email, what)


def warn_at(service: Service, user_id: str, address: str, what: str) -> None:
    """Tell this address, which an account had or has, what changed of the account."""
    at = now()
    with service.sessions.writing() as session:
        owner = addresses.locked(session, user_id)
        if not owner.is_active or not service.couriers.mail.is_on:
            return
        notice = notices.begin(session, user_id, WARN, "mail", at)
    mail = service.couriers.mail
    _send(service, notice, lambda: mail.warn(address, notice, owner.name, what, at))


def _send(service: Service, notice: str, send: Callable[[], str]) -> None:
    problem = None
    try:
        send()
    except NotDelivered as error:
        problem = str(error)
        log.warning("mail %s did not arrive: %s", notice, problem)
    with service.sessions.writing() as session:
        notices.end(session, notice, problem, now())
