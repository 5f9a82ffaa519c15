"""Landlock, by which a process without privileges gives up files, signals and sockets for ever.

The system calls have no wrapper in the C library, so they are made by number here; the numbers
are the same on every architecture.  See landlock(7) and the kernel's `userspace-api/landlock`.
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1  # the flag that asks for the version of the interface
_PATH_BENEATH = 1  # the type of a rule

_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE = 1 << 4, 1 << 5
_MAKE_DIR, _MAKE_REG, _MAKE_SYM = 1 << 7, 1 << 8, 1 << 12
_TRUNCATE, _IOCTL_DEV = 1 << 14, 1 << 15

#: What a version of the interface can forbid of files: the rights known to it are the lowest bits.
_KNOWN = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}

_READ = _READ_FILE | _READ_DIR
_CHANGE = (
    _READ | _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _MAKE_SYM | _TRUNCATE
)
_DEVICE = _READ_FILE | _WRITE_FILE | _IOCTL_DEV
_OF_FILES = _READ_FILE | _WRITE_FILE | _TRUNCATE | _IOCTL_DEV  # rights that a file itself can have

_TCP = 0b11  # to bind and to connect
_SCOPES = 0b11  # abstract sockets, and signals to processes outside


class LandlockError(Exception):
    """The kernel can't, or does not let this process, restrict itself; the text says which."""


class _Ruleset(ctypes.Structure):
    _fields_ = [
        ("files", ctypes.c_uint64),
        ("net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    ]


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def version() -> int:
    """The version of the interface that this kernel has; 0: none, or it is switched off."""
    try:
        return _call(_CREATE_RULESET, None, 0, _VERSION)
    except (OSError, AttributeError, TypeError):  # another system has no such calls at all
        return 0


def restrict(
    *,
    read: Iterable[str],
    listed: Iterable[str] = (),
    write: Iterable[str] = (),
    devices: Iterable[str] = (),
) -> None:
    """From now on this thread and what it starts open nothing but this; there is no way back.

    ``read`` and ``write`` hold for everything below a folder; ``listed`` lets the names in a folder
    be read, there and below, and no file.  Paths that are not there are left out.  No TCP, no
    signal and no abstract socket leads out, where the kernel knows these.

    Raises:
        LandlockError: nothing was restricted.
    """
    known = version()
    if known < 1:
        raise LandlockError("the kernel has no Landlock, or it is off at boot (lsm=landlock,…)")
    files = (1 << _KNOWN[min(known, max(_KNOWN))]) - 1
    wanted = _Ruleset(files, _TCP if known >= 4 else 0, _SCOPES if known >= 6 else 0)
    size = 8 if known < 4 else 16 if known < 6 else 24
    try:
        ruleset = _call(_CREATE_RULESET, ctypes.byref(wanted), size, 0)
        try:
            for paths, rights in (
                (read, _READ),
                (listed, _READ_DIR),
                (write, _CHANGE),
                (devices, _DEVICE),
            ):
                for path in paths:
                    _allow(ruleset, path, rights & files)
            _call(_RESTRICT_SELF, ruleset, 0)
        finally:
            os.close(ruleset)
    except OSError as error:
        raise LandlockError(f"Landlock (version {known}): {error.strerror}") from error


def _allow(ruleset: int, path: str, rights: int) -> None:
    with suppress(FileNotFoundError, NotADirectoryError):
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not stat.S_ISDIR(os.fstat(parent).st_mode):
                rights &= _OF_FILES
            rule = _Beneath(rights, parent)
            _call(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0)
        finally:
            os.close(parent)


def _call(number: int, *arguments: Any) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    found: int = libc.syscall(ctypes.c_long(number), *arguments)
    if found < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return found
