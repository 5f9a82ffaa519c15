"""What an upload costs its user, asked before its body is read and told with its answer."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from api.deps import Service
from api.errors import seconds_until
from grbcore.store import quotas
from grbcore.store.quotas import Limits, Usage
from grbcore.store.session import now
from grbcore.store.tables import User

_DAY = int(timedelta(days=1).total_seconds())


def usage(service: Service, user: User) -> Usage:
    """What this user has used, and what they may."""
    with service.sessions.reading() as session:
        return quotas.usage(session, user.id, now(), Limits.of(service.settings))


def require(service: Service, user: User, size: int | None = None) -> None:
    """Refuse an upload before its body is read, where that is certain already.

    Without a ``size`` room isn't asked for: the file may be one that is there.

    Raises:
        QuotaExceeded: too many invalid files today, or no room for ``size`` more bytes.
    """
    quotas.check(usage(service, user), size)


def refuse(
    service: Service, user: User, board_id: str | None, codes: Collection[str], size: int
) -> None:
    """Note a file that is refused; it costs no upload, and counts as an invalid one."""
    with service.sessions.writing() as session:
        quotas.refused(session, user.id, board_id, codes, size, now())


def headers(found: Usage, board_id: str) -> dict[str, str]:
    """The fields ``RateLimit-Policy`` and ``RateLimit`` of draft-ietf-httpapi-ratelimit-headers.

    Three policies, ``board-day``, ``invalid-day`` and ``stored``, as far as there is a limit.
    """
    if found.exempt:
        return {}
    ends, limits = seconds_until(found.frees_at), found.limits
    policies, states = [], []
    for name, most, used in (
        ("board-day", limits.per_day, found.boards.get(board_id, 0)),
        ("invalid-day", limits.invalid_per_day, found.invalid),
    ):
        if most:
            policies.append(f'"{name}";q={most};w={_DAY}')
            states.append(f'"{name}";r={max(0, most - used)};t={ends}')
    if limits.stored_bytes:
        policies.append(f'"stored";q={limits.stored_bytes};qu="content-bytes"')
        states.append(f'"stored";r={max(0, limits.stored_bytes - found.stored)}')
    told = {"RateLimit-Policy": ", ".join(policies), "RateLimit": ", ".join(states)}
    return {name: value for name, value in told.items() if value}
