"""How often something may be tried: counted in the database, so by all processes together.

A try is counted before it is made and given back where it succeeds, so that many at once are no
more than one after the other.  Of names and addresses only hashes are kept, a day at most.
"""

from __future__ import annotations

import hashlib
import ipaddress
import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import case, delete, literal, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from grbcore.store.tables import ThrottleRow, UtcDateTime

_KEPT = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Rule:
    """At most so many tries by one key within a span."""

    kind: str
    limit: int
    span: timedelta


#: Wrong passwords for one name from one address, from one address, and for one name from
#: everywhere.  The last is wide: nobody should be able to lock somebody else out by a few tries.
PAIR = Rule("sign-in", 8, timedelta(minutes=15))
ADDRESS = Rule("sign-in-address", 50, timedelta(minutes=15))
NAME = Rule("sign-in-name", 100, timedelta(minutes=15))

#: New accounts from one address.
SIGN_UP = Rule("sign-up", 10, timedelta(hours=1))

#: Resets asked for from one address, and for one mailbox.
RESET_ADDRESS = Rule("reset-address", 20, timedelta(hours=1))
RESET_MAILBOX = Rule("reset-mailbox", 3, timedelta(hours=1))

#: Sign-ins that were begun at a provider from one address.
PROVIDER = Rule("provider", 60, timedelta(minutes=15))


class Throttled(Exception):
    """Too many tries; ``seconds`` until another may be made."""

    def __init__(self, rule: Rule, seconds: int) -> None:
        super().__init__(f"{rule.kind}: found more than {rule.limit} tries within {rule.span}")
        self.rule = rule
        self.seconds = seconds


Try = tuple[Rule, str]  # a rule and whom it counts


def sign_in(name: str, address: str) -> Sequence[Try]:
    """What counts a try to sign in by this name from this address."""
    who, where = name.strip().lower(), network(address)
    return ((PAIR, f"{who} {where}"), (ADDRESS, where), (NAME, who))


def network(address: str) -> str:
    """An address as it is counted: of IPv6 the network of 64 bits that one customer has."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)


def take(session: Session, tries: Sequence[Try], now: datetime) -> Rule | None:
    """Count a try by each of these; the rule whose last allowed try this is, if there is one.

    Raises:
        Throttled: there were as many as are allowed; roll back, so that this one isn't counted.
    """
    _forget(session, now)
    last = None
    for rule, key in tries:
        count, since = _count(session, rule, _hash(key), now)
        if count > rule.limit:
            raise Throttled(rule, max(1, math.ceil((since + rule.span - now).total_seconds())))
        if count == rule.limit:
            last = last or rule
    return last


def give_back(session: Session, tries: Sequence[Try]) -> int:
    """Uncount a try that succeeded, and all by the first of these; how many those were before."""
    (first, key), *others = tries
    gone = delete(ThrottleRow).where(ThrottleRow.kind == first.kind, ThrottleRow.key == _hash(key))
    counted = session.scalar(gone.returning(ThrottleRow.count)) or 1
    for rule, other in others:
        session.execute(
            update(ThrottleRow)
            .where(
                ThrottleRow.kind == rule.kind,
                ThrottleRow.key == _hash(other),
                ThrottleRow.count > 0,
            )
            .values(count=ThrottleRow.count - 1)
        )
    return counted - 1


def _count(session: Session, rule: Rule, key: str, now: datetime) -> tuple[int, datetime]:
    """Count one more; how many that makes within the span, and since when."""
    dialect: Any = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    new = dialect.insert(ThrottleRow).values(kind=rule.kind, key=key, since=now, count=1)
    over = ThrottleRow.since <= now - rule.span
    counted = new.on_conflict_do_update(
        index_elements=[ThrottleRow.kind, ThrottleRow.key],
        set_={
            "since": case((over, literal(now, UtcDateTime())), else_=ThrottleRow.since),
            "count": case((over, 1), else_=ThrottleRow.count + 1),
        },
    )
    returned = counted.returning(ThrottleRow.count, ThrottleRow.since)
    count, since = session.execute(returned).one()
    return count, since


def _forget(session: Session, now: datetime) -> None:
    session.execute(delete(ThrottleRow).where(ThrottleRow.since <= now - _KEPT))


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
