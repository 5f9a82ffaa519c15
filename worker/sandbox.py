"""Which sandbox confines the children of this worker, found by trying it before any upload is read.

With bubblewrap a child sees no file, process or network but what it needs; where that can't be had,
Landlock shuts the files.  Both come with the same seccomp filters and limits (`worker.confined`),
and with Landlock inside bubblewrap where the kernel has it.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal

from grbcore.settings import SANDBOX_OFF, Settings
from worker import bubblewrap, cgroup, landlock, syscalls
from worker.confined import Spec
from worker.limits import Limits
from worker.paths import devices, readable

log = logging.getLogger(__name__)

Kind = Literal["bubblewrap", "landlock", "off"]

#: What is tried, in this order, where the operator leaves the choice to us.
KINDS: tuple[Kind, ...] = ("bubblewrap", "landlock")

_TEST_SECONDS = 60.0
_MIB = 1024 * 1024


class NoSandbox(Exception):
    """Children can't be confined as they must be; the text says what is missing, in one line."""


@dataclass(frozen=True, slots=True)
class Room:
    """The folder of one child: ``in`` is for it to read, ``out`` to write."""

    folder: Path

    @property
    def inputs(self) -> Path:
        return self.folder / "in"

    @property
    def out(self) -> Path:
        return self.folder / "out"


@dataclass(frozen=True, slots=True)
class Sandbox:
    """How children are confined; ``groups`` is where their cgroups are made."""

    kind: Kind
    bwrap: str = ""
    groups: Path | None = None

    def group(self, room: Room, limits: Limits) -> cgroup.Group | None:
        """A cgroup for the child in this room, where there are any."""
        if self.groups is None:
            return None
        try:
            return cgroup.make(self.groups, f"grb-{room.folder.name}", limits.memory)
        except cgroup.NoCgroup as error:
            log.warning("a child starts without a cgroup: %s", error)
            return None

    def command(
        self,
        program: Sequence[str],
        settings: Settings,
        room: Room,
        limits: Limits,
        *,
        gpu: bool = False,
        two_steps: bool = False,
    ) -> list[str]:
        """The command that runs a program of this Python in the sandbox.

        ``two_steps``: it calls `grbcore.isolation.isolate` before it reads an upload, and only
        then gives up starting processes.

        Raises:
            NoSandbox: it is another program, which would have to be started from within.
        """
        if self.kind == "off":
            return list(program)
        tail = [word for word in program[1:] if word != "-P"]
        if program[0] != sys.executable or not tail or (tail[0][:1] == "-" and tail[0] != "-m"):
            raise NoSandbox(
                f"found a child of the command {' '.join(program)[:200]!r}, allowed in a sandbox: "
                f"{sys.executable} and a file, or -m and a module"
            )
        own = () if tail[0] == "-m" else (tail[0],)
        spec = _spec(settings, room, limits, own, gpu=gpu, two_steps=two_steps)
        inner = [sys.executable, "-P", "-m", "worker.confined"]
        if self.kind == "landlock":
            return [*inner, spec.to_json(), *tail]
        outer = bubblewrap.command(spec, self.bwrap, room.out)
        spec = replace(spec, landlock=landlock.version() > 0)
        return [*outer, *inner, spec.to_json(), *tail]


def _spec(
    settings: Settings,
    room: Room,
    limits: Limits,
    own: Sequence[str],
    *,
    gpu: bool,
    two_steps: bool,
) -> Spec:
    found = readable(settings, gpu=gpu)
    return Spec(
        read=(*found.read, *own, str(settings.blind_dir), str(room.inputs)),
        listed=found.listed,
        write=(str(room.out), os.devnull),
        devices=devices(gpu=gpu),
        memory=limits.memory,
        scratch=limits.scratch,
        landlock=True,
        two_steps=two_steps,
    )


def choose(settings: Settings) -> Sandbox:
    """The sandbox that the settings ask for, which has been seen to hold.

    Raises:
        NoSandbox: none does.
    """
    chosen = _chosen(settings)
    if chosen.kind == "off":
        log.warning("children run without a sandbox: GRB_SANDBOX is %s", SANDBOX_OFF)
        return chosen
    log.info("children run in a sandbox: %s", chosen.kind)
    return _with_groups(chosen)


def _chosen(settings: Settings) -> Sandbox:
    if settings.sandbox == SANDBOX_OFF:
        return Sandbox("off")
    troubles = []
    for kind in KINDS:
        if settings.sandbox in ("auto", kind):
            trouble = trouble_with(kind)
            if trouble is None:
                return Sandbox(kind, bubblewrap.program() or "")
            troubles.append(f"{kind}: {trouble}")
    raise NoSandbox(
        f"uploads are untrusted, and no sandbox holds on this machine ({'; '.join(troubles)}): "
        "install bubblewrap and libseccomp2, or use a kernel with Landlock (5.13 or newer); where "
        f"you trust every upload, set GRB_SANDBOX={SANDBOX_OFF}"
    )


def _with_groups(sandbox: Sandbox) -> Sandbox:
    try:
        return replace(sandbox, groups=cgroup.parent())
    except cgroup.NoCgroup as error:
        log.info("no cgroups for children: %s", error)
        return sandbox


@cache
def trouble_with(kind: Kind) -> str | None:
    """Why this sandbox can't be used here; None: it can.  Once for a process."""
    if sys.platform != "linux":
        return f"found {sys.platform}, allowed: Linux, as in a container or a virtual machine"
    try:
        syscalls.available()
    except syscalls.SeccompError as error:
        return str(error)
    if kind == "bubblewrap" and bubblewrap.program() is None:
        return "not installed (apt install bubblewrap)"
    if kind == "landlock" and not landlock.version():
        return "the kernel has no Landlock, or it is off at boot (lsm=landlock,…)"
    return _tried(Sandbox(kind, bubblewrap.program() or ""))


def _tried(sandbox: Sandbox) -> str | None:
    """Run `worker.probe` inside; what it could do and should not, or could not and should."""
    with tempfile.TemporaryDirectory(prefix="grb-probe-") as folder:
        settings = Settings(var_dir=Path(folder, "var"), data_dir=None)
        room = Room(Path(folder, "var", "room"))
        for made in (room.inputs, room.out, settings.blind_dir):
            made.mkdir(parents=True)
        (room.inputs / "input").write_text("given")
        secret = Path(folder, "var", "secret")
        secret.write_text("a secret of the service")
        program = [sys.executable, "-P", "-m", "worker.probe", str(room.inputs), str(secret)]
        command = sandbox.command(program, settings, room, Limits(512 * _MIB, 64 * _MIB))
        environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(room.out)}
        try:
            done = subprocess.run(
                command,
                cwd=room.out,
                env={**environment, "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"},
                capture_output=True,
                text=True,
                timeout=_TEST_SECONDS,
                check=False,
            )
        except (OSError, subprocess.SubprocessError) as error:
            return str(error)[:200]
    try:
        failed = json.loads(done.stdout)
    except ValueError:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        return lines[-1][:200]
    return f"it does not hold: {', '.join(failed)}" if failed else None


def offers(settings: Settings) -> dict[str, str | None]:
    """What this machine offers, what is chosen of it or why nothing is, for ``grb doctor``."""
    found: dict[str, str | None] = {
        "landlock": f"version {landlock.version()}" if landlock.version() else None,
        "seccomp": "yes",
        "user namespaces": "yes" if _has_user_namespaces() else None,
        "bubblewrap": bubblewrap.program(),
        "cgroup": cgroup.offered(),
        "chosen": None,
        "trouble": None,
    }
    try:
        syscalls.available()
    except syscalls.SeccompError:
        found["seccomp"] = None
    try:
        found["chosen"] = _chosen(settings).kind
    except NoSandbox as error:
        found["trouble"] = str(error)
    return found


def _has_user_namespaces() -> bool:
    unshare = shutil.which("unshare")
    if unshare is None:
        return False
    return not subprocess.run(
        [unshare, "--user", "true"], capture_output=True, check=False
    ).returncode


if __name__ == "__main__":
    sys.stdout.write(json.dumps(offers(Settings())) + "\n")
