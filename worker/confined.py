"""Run a Python program that gives up what it does not need: ``python -P -m worker.confined``.

Its arguments are a `Spec` in JSON and what Python itself takes: ``-m MODULE`` or ``FILE``, then
arguments.  The program runs in this process, since starting another is among what is given up.

An evaluator goes two steps: it imports PyTorch and waits for work while it can still start the
process that answers one batch (see `grbcore.evaluator`); that process then calls
`grbcore.isolation.isolate`.  Before it nothing of an upload has been read.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import runpy
import signal
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from grbcore import isolation
from worker import landlock, syscalls

_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS, _PR_CAPBSET_DROP, _PR_CAP_AMBIENT = 1, 38, 24, 47
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_CAPABILITY_VERSION = 0x20080522
_CAPABILITIES = 64

#: Processes and threads that the user of this child may have, it included; others' don't change.
_PROCESSES = 8192


@dataclass(frozen=True, slots=True)
class Spec:
    """What is left to a child: paths, bytes.  See `worker.landlock.restrict` for the paths."""

    read: tuple[str, ...]
    listed: tuple[str, ...]
    write: tuple[str, ...]
    devices: tuple[str, ...]
    memory: int | None
    scratch: int | None
    landlock: bool  # else others keep files from it
    two_steps: bool

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> Spec:
        found: dict[str, Any] = json.loads(text)
        for name in ("read", "listed", "write", "devices"):
            found[name] = tuple(found[name])
        return Spec(**found)


def confine(spec: Spec) -> None:
    """Give up what the program does not need.

    Raises:
        LandlockError, SeccompError: this machine can't; then the program must not run.
    """
    syscalls.available()
    parent = os.getppid()
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    _limit(spec)
    _give_up_privileges()
    _restrict(spec, own=True)
    syscalls.forbid(memory_limited=spec.memory is not None)
    if spec.two_steps:
        isolation.arrange(lambda: _second_step(spec))
    else:
        syscalls.forbid_company()


def _second_step(spec: Spec) -> None:
    """What an evaluator gives up before it reads an upload.

    The files of the process that started this one, which waits for the next batch, are shut by
    a Landlock domain of its own.
    """
    if not spec.devices:  # on a GPU this is that process itself, and has many threads
        _restrict(spec, own=False)
    syscalls.forbid_company()


def _restrict(spec: Spec, *, own: bool) -> None:
    if spec.landlock:
        read = (*spec.read, "/proc/self") if own else spec.read
        landlock.restrict(read=read, listed=spec.listed, write=spec.write, devices=spec.devices)


def _limit(spec: Spec) -> None:
    for kind, most in (
        (resource.RLIMIT_DATA, spec.memory),
        (resource.RLIMIT_FSIZE, spec.scratch),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, _PROCESSES),
    ):
        if most is not None:
            _, hard = resource.getrlimit(kind)
            bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (bound, bound))


def _give_up_privileges() -> None:
    """No capability is left, were this root, and no program that it starts can give one."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    for capability in range(_CAPABILITIES):
        with suppress(OSError):  # beyond the last one, or not ours to drop
            _prctl(_PR_CAPBSET_DROP, capability)
    with suppress(OSError):
        _prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    none = (ctypes.c_uint32 * 6)()
    _check(_libc().capset(ctypes.byref(header), ctypes.byref(none)))


def _prctl(option: int, value: int) -> None:
    numbers = [ctypes.c_ulong(number) for number in (value, 0, 0, 0)]
    _check(_libc().prctl(ctypes.c_int(option), *numbers))


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _check(answer: int) -> None:
    if answer < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def main(arguments: list[str]) -> None:
    """Confine this process, then be the program."""
    try:
        confine(Spec.from_json(arguments[0]))
    except (landlock.LandlockError, syscalls.SeccompError) as error:
        sys.exit(f"the sandbox does not hold: {error}")
    if arguments[1] == "-m":
        sys.argv = arguments[2:]
        runpy.run_module(arguments[2], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments[1:]
        runpy.run_path(arguments[1], run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
