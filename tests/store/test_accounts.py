"""Accounts: passwords, sessions, tokens with scopes and an end, roles, suspension, throttles."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from grbcore.store import addresses, audit, tokens
from grbcore.store.accounts import closing, passwords, people, throttle
from grbcore.store.accounts import sessions as signed_in
from grbcore.store.reevaluation import NotPossible
from grbcore.store.session import Sessions
from grbcore.store.tables import AuditRow, Base, ThrottleRow, User
from tests.store.world import START, at

PASSWORD = "correct horse battery"


def ann(session: Session) -> User:
    """The user ann, who signed up."""
    found = people.by_name(session, "ann")
    return found or people.sign_up(session, "ann", passwords.hashed(PASSWORD), via="api", now=START)


def everything(session: Session) -> str:
    """Every value in the database, as text."""
    tables = Base.metadata.sorted_tables
    return "\n".join(str(row) for table in tables for row in session.execute(select(table)))


# Passwords


def test_only_the_right_password_is_verified() -> None:
    kept = passwords.hashed(PASSWORD)
    assert kept.startswith("$argon2id$") and PASSWORD not in kept
    assert passwords.verify(kept, PASSWORD)
    assert not passwords.verify(kept, PASSWORD + "!")
    assert not passwords.verify(None, PASSWORD)
    assert not passwords.verify("no hash", PASSWORD)


def test_the_same_password_is_kept_differently_each_time() -> None:
    assert passwords.hashed(PASSWORD) != passwords.hashed(PASSWORD)


def test_an_accent_composed_or_not_is_the_same_password() -> None:
    """é is U+00E9, or e and U+0301."""
    assert passwords.verify(
        passwords.hashed("caf\u00e9 au lait, twice"), "cafe\u0301 au lait, twice"
    )


@pytest.mark.parametrize(
    ("password", "found"),
    [
        ("elevenchars", "11 characters"),
        ("x" * 257, "257 characters"),
        ("aaaabbbbcccc", "3 different characters"),
        ("I am Ann-Lee 1234", "a password with your name in it"),
    ],
)
def test_a_weak_password_is_refused_and_not_repeated(password: str, found: str) -> None:
    fault = passwords.fault(password, "ann-lee")
    assert fault is not None and fault[0] == found
    assert password not in "".join(fault)


def test_a_password_kept_with_todays_parameters_is_not_outdated() -> None:
    assert not passwords.is_outdated(passwords.hashed(PASSWORD))
    weak = "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$pBWy7F5CKSxu0gTHuKkB0w"
    assert passwords.is_outdated(weak)


# Names


@pytest.mark.parametrize(
    "name",
    ["", "Ann", "a b", ".ann", "ann-", "a" * 40, "an\x00n", "änn", "cli:root", "admin", "grb"],
)
def test_nobody_signs_up_by_such_a_name(sessions: Sessions, name: str) -> None:
    with sessions.reading() as session:
        assert people.name_fault(session, name) is not None


def test_a_name_that_differs_in_capitals_is_taken(sessions: Sessions) -> None:
    with sessions.writing() as session:
        tokens.create_user(session, "Ann", now=START)
        assert people.name_fault(session, "ann") is not None
        assert people.name_fault(session, "ann2") is None


def test_a_user_is_found_by_the_name_in_capitals_too(sessions: Sessions) -> None:
    with sessions.writing() as session:
        owner = ann(session)
        assert people.by_name(session, " Ann ") is owner
        assert people.by_name(session, "bob") is None
        assert people.by_name(session, "\x00\ud800") is None


# Sessions


def test_a_session_is_found_by_its_secret_until_it_is_idle_for_two_weeks(
    sessions: Sessions,
) -> None:
    with sessions.writing() as session:
        secret, session_id = signed_in.begin(session, ann(session), agent="Firefox\n", now=START)
        found = signed_in.find(session, secret, START)
        assert found is not None and (found.id, found.agent) == (session_id, "Firefox")
        assert found.user.name == "ann"
        later = START + timedelta(days=13)
        signed_in.seen(session, session_id, later)
        assert signed_in.find(session, secret, later + timedelta(days=13)) is not None
        assert signed_in.find(session, secret, later + timedelta(days=14)) is None
        assert signed_in.find(session, secret + "x", START) is None
        assert signed_in.find(session, "", START) is None


def test_a_session_that_is_used_every_day_ends_after_ninety(sessions: Sessions) -> None:
    with sessions.writing() as session:
        secret, session_id = signed_in.begin(session, ann(session), now=START)
        for day in range(90):
            signed_in.seen(session, session_id, START + timedelta(days=day))
        assert signed_in.find(session, secret, START + timedelta(days=89)) is not None
        assert signed_in.find(session, secret, START + timedelta(days=90)) is None


def test_only_hashes_of_secrets_are_stored(sessions: Sessions) -> None:
    with sessions.writing() as session:
        owner = ann(session)
        secrets = [
            PASSWORD,
            signed_in.begin(session, owner, now=START)[0],
            people.begin_reset(session, owner.id, START),
            tokens.issue(session, "ann", now=START),
            "1.2.3.4",
        ]
        throttle.take(session, throttle.sign_in("ann", "1.2.3.4"), START)
        stored = everything(session)
    assert "ann" in stored
    assert not any(secret in stored for secret in secrets)


def test_ended_sessionsare_gone_and_others_stay(sessions: Sessions) -> None:
    with sessions.writing() as session:
        owner, other = ann(session), tokens.create_user(session, "bob", now=START)
        first, first_id = signed_in.begin(session, owner, now=START)
        second, _ = signed_in.begin(session, owner, now=at(1))
        theirs, theirs_id = signed_in.begin(session, other, now=START)
        assert not signed_in.end(session, owner, theirs_id)
        assert signed_in.end(session, owner, first_id)
        assert signed_in.find(session, first, START) is None
        assert len(signed_in.of(session, owner, START)) == 1
        assert signed_in.end_all(session, owner) == 1
        assert signed_in.find(session, second, START) is None
        assert signed_in.find(session, theirs, START) is not None


# Another password


def test_another_password_ends_every_session_and_every_link(sessions: Sessions) -> None:
    with sessions.writing() as session:
        owner = ann(session)
        secret, _ = signed_in.begin(session, owner, now=START)
        link = people.begin_reset(session, owner.id, START)
        token = tokens.issue(session, "ann", now=START)
        kept = passwords.hashed("another horse battery")
        people.set_password(session, owner.id, kept, user_id=owner.id, via="api", now=at(1))
        assert signed_in.find(session, secret, at(1)) is None
        assert people.resets(session, link, at(1)) is None
        assert tokens.verify(session, token) is owner
        assert owner.password_hash == kept


def test_a_link_resets_within_an_hour_and_a_second_one_replaces_it(sessions: Sessions) -> None:
    with sessions.writing() as session:
        owner = ann(session)
        first = people.begin_reset(session, owner.id, START)
        assert people.resets(session, first, at(3599)) is owner
        assert people.resets(session, first, at(3601)) is None
        second = people.begin_reset(session, owner.id, at(10))
        assert people.resets(session, first, at(10)) is None
        assert people.resets(session, second, at(10)) is owner
        assert people.resets(session, "", at(10)) is None
        assert people.resets(session, "\ud800", at(10)) is None


def test_an_address_finds_who_has_confirmed_it(sessions: Sessions) -> None:
    with sessions.writing() as session:
        owner = ann(session)
        token = addresses.set_email(session, owner, "Ann@Lab.org")
        assert people.by_address(session, "ann@lab.org") == []
        addresses.confirm(session, token, at(1))
        assert people.by_address(session, " ann@lab.org") == [owner]
        people.suspend(session, owner, user_id=None, via="cli", reason=None, now=at(2))
        assert people.by_address(session, "ann@lab.org") == []


# Tokens


def test_a_token_has_a_name_scopes_and_an_end(sessions: Sessions) -> None:
    with sessions.writing() as session:
        owner = ann(session)
        row, clear = tokens.make(
            session,
            owner,
            scopes=["submit", "read"],
            title="laptop",
            expires_at=at(60),
            now=START,
        )
        assert (row.name, row.scopes, row.last_used_at) == ("laptop", "read submit", None)
        assert tokens.find(session, clear, at(59)) is row
        assert tokens.find(session, clear, at(60)) is None
        tokens.used(session, row.id, at(5))
        assert [(one.id, one.last_used_at) for one in tokens.of(session, owner)] == [
            (row.id, at(5))
        ]


@pytest.mark.parametrize("scopes", [[], ["admin"], ["read", "fly"]])
def test_a_token_gets_only_what_its_user_may(sessions: Sessions, scopes: list[str]) -> None:
    with sessions.writing() as session:
        owner = ann(session)
        with pytest.raises(ValueError, match="allowed: some of read, submit, manage"):
            tokens.make(session, owner, scopes=scopes, title="", expires_at=None, now=START)


def test_a_token_of_the_operator_may_all_that_its_user_may(sessions: Sessions) -> None:
    with sessions.writing() as session:
        for name, role in (("ann", "user"), ("eve", "admin")):
            clear = tokens.issue(session, name, role=role, now=START)
            found = tokens.find(session, clear, START)
            assert found is not None and tuple(found.scopes.split()) == tokens.scopes_of(role)


def test_only_ones_own_token_is_revoked_by_its_id(sessions: Sessions) -> None:
    with sessions.writing() as session:
        owner, other = ann(session), tokens.create_user(session, "bob", now=START)
        clear = tokens.issue(session, "ann", now=START)
        (row,) = tokens.of(session, owner)
        assert not tokens.revoke_one(session, other, row.id, now=at(1))
        assert tokens.revoke_one(session, owner, row.id, now=at(1))
        assert not tokens.revoke_one(session, owner, row.id, now=at(1))
        assert tokens.verify(session, clear) is None


# Roles and suspension


def test_a_suspended_user_can_do_nothing_and_their_tokens_come_back(sessions: Sessions) -> None:
    with sessions.writing() as session:
        owner = ann(session)
        clear = tokens.issue(session, "ann", now=START)
        secret, _ = signed_in.begin(session, owner, now=START)
        people.suspend(session, owner, user_id=None, via="cli", reason="spam", now=at(1))
        assert tokens.verify(session, clear) is None
        assert signed_in.find(session, secret, at(1)) is None
        with pytest.raises(ValueError, match="suspended"):
            tokens.issue(session, "ann", now=at(1))
        people.unsuspend(session, owner, user_id=None, via="cli", reason=None, now=at(2))
        assert tokens.verify(session, clear) is owner
        assert signed_in.find(session, secret, at(2)) is None  # it was ended


def test_there_is_always_an_admin_who_can_act(sessions: Sessions) -> None:
    with sessions.writing() as session:
        tokens.first_admin(session, now=START)
        admin = people.by_name(session, "admin")
        assert admin is not None
        by = {"user_id": admin.id, "via": "cli", "now": START}
        with pytest.raises(NotPossible, match="no other admin"):
            people.set_role(session, admin, "user", **by)
        with pytest.raises(NotPossible, match="no other admin"):
            people.suspend(session, admin, reason=None, **by)
        people.set_role(session, ann(session), "admin", **by)
        people.suspend(session, admin, reason=None, **by)
        with pytest.raises(NotPossible, match="no other admin"):
            people.set_role(session, ann(session), "user", **by)


@pytest.mark.parametrize("end", ["suspend", "demote", "close"])
def test_of_two_admins_who_end_each_other_one_stays(sessions: Sessions, end: str) -> None:
    """The second waits for the first, in a transaction of its own, and sees what it did."""
    with sessions.writing() as session:
        made = [tokens.create_user(session, name, role="admin", now=START) for name in "ab"]

    def second() -> None:
        with sessions.writing() as session:
            if end == "suspend":
                people.suspend(session, made[1], user_id=None, via="cli", reason=None, now=START)
            elif end == "demote":
                people.set_role(session, made[1], "user", user_id=None, via="cli", now=START)
            else:
                closing.close(session, made[1].id, user_id=None, via="cli", now=START)

    with ThreadPoolExecutor(1) as pool:
        with sessions.writing() as session:
            people.suspend(session, made[0], user_id=None, via="cli", reason=None, now=START)
            waits = pool.submit(second)
            with pytest.raises(TimeoutError):
                waits.result(timeout=0.3)
        with pytest.raises(NotPossible, match="no other admin"):
            waits.result(timeout=30)


def test_what_happens_to_an_account_is_on_record_without_its_name(sessions: Sessions) -> None:
    with sessions.writing() as session:
        owner = ann(session)
        tokens.create_user(session, "root", role="admin", now=START)
        people.begin_reset(session, owner.id, at(1))
        people.set_password(session, owner.id, "hash", user_id=owner.id, via="api", now=at(2))
        people.set_role(session, owner, "admin", user_id=None, via="cli", now=at(3))
        people.suspend(session, owner, user_id=None, via="cli", reason="spam", now=at(4))
        people.unsuspend(session, owner, user_id=None, via="cli", reason=None, now=at(5))
        rows = audit.entries(session, subject_kind="user", subject_id=owner.id, limit=9)
        assert [row.action for row in reversed(rows)] == [
            "account.make",
            "password.ask-reset",
            "password.change",
            "role.change",
            "account.suspend",
            "account.unsuspend",
        ]
        assert "ann" not in "".join(str(row) for row in session.execute(select(AuditRow.__table__)))


# Throttles


def test_a_ninth_try_waits_until_the_quarter_of_an_hour_is_over(sessions: Sessions) -> None:
    tries = throttle.sign_in("ann", "1.2.3.4")
    with sessions.writing() as session:
        last = [throttle.take(session, tries, at(second)) for second in range(8)]
        assert last == [None] * 7 + [throttle.PAIR]
    with (
        pytest.raises(throttle.Throttled) as refused,
        sessions.writing() as session,
    ):
        throttle.take(session, throttle.sign_in("ANN ", "1.2.3.4"), at(10))
    assert refused.value.seconds == 890
    with sessions.writing() as session:
        assert throttle.take(session, throttle.sign_in("ann", "1.2.3.5"), at(10)) is None
        assert throttle.take(session, tries, at(900)) is None


def test_a_success_forgets_the_failures_of_this_name_from_there(sessions: Sessions) -> None:
    tries = throttle.sign_in("ann", "1.2.3.4")
    with sessions.writing() as session:
        for second in range(5):
            throttle.take(session, tries, at(second))
        assert throttle.give_back(session, tries) == 4
        rows = {row.kind: row.count for row in session.scalars(select(ThrottleRow))}
        assert rows == {"sign-in-address": 4, "sign-in-name": 4}


def test_an_address_that_guesses_many_names_is_stopped(sessions: Sessions) -> None:
    with sessions.writing() as session:
        for number in range(50):
            throttle.take(session, throttle.sign_in(f"user{number}", "1.2.3.4"), START)
        with pytest.raises(throttle.Throttled):
            throttle.take(session, throttle.sign_in("ann", "1.2.3.4"), START)


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_an_address_is_counted_as_its_customer(address: str, counted: str) -> None:
    assert throttle.network(address) == counted


def test_counts_are_forgotten_after_a_day(sessions: Sessions) -> None:
    with sessions.writing() as session:
        throttle.take(session, throttle.sign_in("ann", "1.2.3.4"), START)
        throttle.take(session, [(throttle.SIGN_UP, "x")], START + timedelta(days=1))
        assert [row.kind for row in session.scalars(select(ThrottleRow))] == ["sign-up"]
