"""Passwords: which are taken, and how they are kept (argon2id, by argon2-cffi)."""

from __future__ import annotations

import threading
import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

SHORTEST, LONGEST = 12, 256  # characters
_DISTINCT = 5  # characters that differ

#: The parameters that OWASP's Password Storage Cheat Sheet gives: 19 MiB, two passes, one lane.
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)

#: So many are computed at once in one process, so that sign-ins don't take all of its memory.
_SLOTS = threading.BoundedSemaphore(4)

#: Of no password that anybody knows: what is compared where there is no such user.
_NOBODY = _HASHER.hash("nobody’s password")


def fault(password: str, name: str) -> tuple[str, str] | None:
    """What is found and what is allowed where a user of this name may not have this password.

    A long password beats a complicated one, so nothing is asked of its characters but that a few
    differ (NIST SP 800-63B, section 3.1.1).  The password itself is never repeated.
    """
    if not SHORTEST <= len(password) <= LONGEST:
        return f"{len(password)} characters", f"{SHORTEST} to {LONGEST} characters"
    if len(set(password)) < _DISTINCT:
        return f"{len(set(password))} different characters", f"at least {_DISTINCT}"
    if len(name) >= 4 and name.casefold() in password.casefold():
        return "a password with your name in it", "one without"
    return None


def hashed(password: str) -> str:
    """What is kept of a password; takes some 20 ms, so call it outside a transaction."""
    with _SLOTS:
        return _HASHER.hash(_normal(password))


def verify(kept: str | None, password: str) -> bool:
    """Whether this is the password of which ``kept`` is kept; takes as long where that is None."""
    with _SLOTS:
        try:
            found = _HASHER.verify(kept or _NOBODY, _normal(password[: LONGEST + 1]))
        except (VerificationError, InvalidHashError):
            return False
    return found and kept is not None


def is_outdated(kept: str) -> bool:
    """Whether a password was kept with other parameters than today's."""
    return _HASHER.check_needs_rehash(kept)


def _normal(password: str) -> bytes:
    """The same bytes however a keyboard composes an accent; lone surrogates are let through."""
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")
