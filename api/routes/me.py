"""What belongs to the user of a token: who they are, and where they are told what happened."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import cast

from fastapi import APIRouter, BackgroundTasks, Request
from sqlalchemy.orm import Session

from api import account_mail, errors, quotas
from api.couriers import message
from api.deps import Credential, CredentialDep, ManagerDep, Service, ServiceDep, SessionDep, UserDep
from api.errors import ApiError, responses
from api.mail import is_address
from api.me_schemas import (
    Channel,
    MeOut,
    NoticeList,
    NoticeOut,
    NotificationsIn,
    NotificationsOut,
    NotificationsSet,
    QuotaOut,
    TestList,
    TestOut,
)
from api.routes.account import prove
from api.schemas import Role
from api.views import oversight
from api.webhooks import BadAddress, NotDelivered
from grbcore import catalog
from grbcore.store import addresses, notices
from grbcore.store.accounts import identities
from grbcore.store.session import now
from grbcore.store.tables import NoticeRow, User

router = APIRouter(prefix="/me", tags=["me"])

#: Messages that are sent while somebody waits.
CONFIRM, TEST = "email.confirm", "test"

#: How long after one of them the next may be asked for.
REST = {CONFIRM: timedelta(minutes=10), TEST: timedelta(seconds=10)}


@router.get("", responses=responses(401, 403, 503))
def get_me(service: ServiceDep, user: UserDep) -> MeOut:
    """Whose token this is, and where they are told what became of their submissions."""
    role = cast(Role, user.role)
    return MeOut(name=user.name, role=role, notifications=_settings(service, user))


@router.get("/quota", responses=responses(401, 403, 503))
def get_quota(service: ServiceDep, user: UserDep) -> QuotaOut:
    """What of today's uploads is used and left, on each board, and of the room for files."""
    return oversight.quota(quotas.usage(service, user), catalog.boards())


@router.put("/notifications", responses=responses(401, 403, 409, 413, 422, 429, 503))
def set_notifications(
    wanted: NotificationsIn,
    request: Request,
    background: BackgroundTasks,
    service: ServiceDep,
    user: ManagerDep,
    credential: CredentialDep,
) -> NotificationsSet:
    """Say where to be told when a submission is ranked, rejected or failed.

    A new webhook gets a secret that is shown here only.  A mail address is used once somebody has
    followed the link that is sent to it; the one before is told.  In an account that can be signed
    in to, only a signed-in browser sets or ends it, and sets it with the account's password.
    """
    _check(service, wanted)
    if wanted.email is not None and credential is not None and credential.session is not None:
        password = wanted.password.get_secret_value() if wanted.password else None
        prove(service, request, credential.session, password, "body/password")
    given, at = wanted.model_fields_set, now()
    secret = token = notice_id = former = None
    with service.sessions.writing() as session, errors.conflicts():
        owner = addresses.active(session, user.id)
        if "email" in given:
            former = _leaves(session, owner, credential, wanted.email)
        if wanted.webhook_url is not None:
            secret = addresses.set_webhook(
                session, owner, wanted.webhook_url, rotate=wanted.rotate_secret
            )
        elif "webhook_url" in given:
            addresses.end_webhook(session, owner)
        if wanted.email is not None:
            if _needs_a_mail(session, owner, wanted.email, at):
                token = addresses.set_email(session, owner, wanted.email)
                notice_id = notices.begin(session, owner.id, CONFIRM, "mail", at)
        elif "email" in given:
            addresses.end_email(session, owner)
    problem = None
    if token is not None and notice_id is not None:
        problem = _ask(service, owner, notice_id, token, at)
    _warn(service, background, owner, former)
    return NotificationsSet(
        **_settings(service, owner).model_dump(),
        webhook_secret=secret,
        mail_sent=token is not None and problem is None,
        mail_problem=problem,
    )


@router.delete("/notifications", responses=responses(401, 403, 503))
def end_notifications(
    background: BackgroundTasks, service: ServiceDep, user: ManagerDep, credential: CredentialDep
) -> NotificationsOut:
    """Be told nothing any more; webhook and address are forgotten."""
    with service.sessions.writing() as session:
        owner = addresses.locked(session, user.id)
        former = _leaves(session, owner, credential, None)
        addresses.end_webhook(session, owner)
        addresses.end_email(session, owner)
    _warn(service, background, owner, former)
    return _settings(service, owner)


@router.post("/notifications/test", responses=responses(401, 403, 409, 429, 503))
def test_notifications(service: ServiceDep, user: ManagerDep) -> TestList:
    """Send the event `test` to each channel now, and tell what came back."""
    at = now()
    with service.sessions.writing() as session:
        owner = addresses.locked(session, user.id)
        channels = _channels(owner)
        if not channels:
            text = "notifications: found neither a webhook nor a confirmed address, allowed: one"
            raise ApiError(409, "no-channel", text)
        _rest(session, owner, TEST, at)
        begun = {
            channel: notices.begin(session, owner.id, TEST, channel, at) for channel in channels
        }
    return TestList(
        results=[_test(service, owner, channel, begun[channel], at) for channel in channels]
    )


@router.get("/notices", responses=responses(401, 403, 503))
def list_notices(session: SessionDep, user: UserDep) -> NoticeList:
    """The last 50 messages to the user of this token, newest first, and whether they arrived."""
    return NoticeList(notices=[_notice(row) for row in notices.recent(session, user.id)])


def _leaves(
    session: Session, owner: User, credential: Credential | None, address: str | None
) -> str | None:
    """The confirmed address that this locked user has no more with this one.

    Who reads its mail comes into the account, by a reset or from a provider, so with a token alone
    nobody sets or ends the address of an account that can be signed in to.
    """
    if address is None and owner.email is None:
        return None
    by_token = credential is None or credential.session is None
    if by_token and identities.has_way_in(session, owner):
        text = "email: found a token, allowed: a signed-in browser, as it leads into your account"
        raise ApiError(403, "session-needed", text)
    return owner.email if owner.email_confirmed_at and owner.email != address else None


def _warn(service: Service, background: BackgroundTasks, owner: User, former: str | None) -> None:
    if former is not None:
        what = "The mail address was changed"
        background.add_task(account_mail.warn_at, service, owner.id, former, what)


def _settings(service: Service, user: User) -> NotificationsOut:
    return NotificationsOut(
        webhook_url=user.webhook_url,
        email=user.email,
        email_confirmed=user.email_confirmed_at is not None,
        mail_available=service.couriers.mail.is_on,
    )


def _check(service: Service, wanted: NotificationsIn) -> None:
    """Refuse, before anything is stored, what nothing could be sent to."""
    if wanted.webhook_url is not None:
        try:
            service.couriers.webhooks.check(wanted.webhook_url)
        except BadAddress as error:
            raise errors.field("body/webhook_url", error.found, error.allowed) from None
    if wanted.rotate_secret and wanted.webhook_url is None:
        raise errors.field("body/rotate_secret", "True without a webhook_url", "both, or neither")
    if wanted.email is None:
        return
    if not service.couriers.mail.is_on:
        text = "email: this service sends no mail (an operator sets GRB_SMTP_URL); "
        raise ApiError(409, "mail-off", f"{text}a webhook is told")
    if not is_address(wanted.email):
        raise errors.field("body/email", repr(wanted.email), "an address such as ann@lab.org")


def _needs_a_mail(session: Session, owner: User, address: str, at: datetime) -> bool:
    """Whether this address is to be asked; an error where another was asked a moment ago."""
    if owner.email == address:
        return owner.email_confirmed_at is None and _left(session, owner, CONFIRM, at) == 0
    _rest(session, owner, CONFIRM, at)
    return True


def _rest(session: Session, owner: User, event: str, at: datetime) -> None:
    """Refuse what was asked for a moment ago."""
    left = _left(session, owner, event, at)
    if left > 0:
        span = f"{REST[event].total_seconds():.0f} s"
        text = f"{event}: found another within {span}, allowed: one each {span}; {left} s are left"
        raise ApiError(429, "too-soon", text, headers={"Retry-After": str(left)})


def _left(session: Session, owner: User, event: str, at: datetime) -> int:
    """Seconds until this user may ask for such a message again."""
    last = notices.latest(session, owner.id, event)
    if last is None or at - last >= REST[event]:
        return 0
    return 1 + int((last + REST[event] - at).total_seconds())


def _channels(owner: User) -> list[Channel]:
    found: list[Channel] = []
    if owner.webhook_url is not None:
        found.append("webhook")
    if owner.email is not None and owner.email_confirmed_at is not None:
        found.append("mail")
    return found


def _ask(service: Service, owner: User, notice_id: str, token: str, at: datetime) -> str | None:
    """Send the mail with the link; why that failed, if it did."""
    problem = None
    try:
        service.couriers.mail.ask(str(owner.email), notice_id, owner.name, token, at)
    except NotDelivered as error:
        problem = str(error)
    with service.sessions.writing() as session:
        notices.end(session, notice_id, problem, now())
    return problem


def _test(service: Service, owner: User, channel: Channel, notice_id: str, at: datetime) -> TestOut:
    problem = None
    try:
        if channel == "mail":
            answer = service.couriers.mail.test(str(owner.email), notice_id, at)
        else:
            url, secret = str(owner.webhook_url), str(owner.webhook_secret)
            body = message(TEST, at, {"user": owner.name})
            answer = service.couriers.webhooks.send(url, secret, notice_id, body, now())
    except NotDelivered as error:
        answer = problem = str(error)
    with service.sessions.writing() as session:
        notices.end(session, notice_id, problem, now())
    return TestOut(channel=channel, delivered=problem is None, answer=answer)


def _notice(row: NoticeRow) -> NoticeOut:
    return NoticeOut(
        id=row.id,
        event=row.event,
        channel=cast(Channel, row.channel),
        submission=row.submission_id,
        state=row.state,
        attempts=row.attempts,
        problem=row.problem,
        created_at=row.created_at,
        due_at=row.due_at if row.state == "waiting" else None,
        sent_at=row.sent_at,
    )
