"""The devices that a worker process computes on, found without importing PyTorch."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

#: A process sees the GPUs that this variable lists: indices, or ids such as GPU-… and MIG-….
VISIBLE = "CUDA_VISIBLE_DEVICES"

_ID = re.compile(r"^(\s*).*\(UUID: ((?:GPU|MIG)-[^)\s]+)\)", re.MULTILINE)
_INFORMATION = Path("/proc/driver/nvidia/gpus")


class NoSuchDevice(Exception):
    """A device was asked for that is not here; the text says which are."""


@dataclass(frozen=True, slots=True)
class Device:
    """Where the evaluators of one supervisor compute.

    ``visible`` is what their environment says in `VISIBLE`; None leaves it as the worker's is.
    """

    name: str  # as it is asked for and shown: cpu, cuda, cuda:1
    kind: Literal["cpu", "cuda"]
    visible: str | None


def resolve(
    asked: str, environment: Mapping[str, str], gpus: Callable[[], tuple[str, ...]]
) -> tuple[Device, ...]:
    """The devices that ``GRB_DEVICE`` asks for, one supervisor for each.

    ``auto`` is every GPU that this process sees, or the CPU where it sees none; ``gpus`` gives the
    ids of those of the machine and is called for ``auto`` alone.  ``cuda:1`` is the second of those
    that an outer `VISIBLE` lists, where it lists any.

    Raises:
        NoSuchDevice: an index is beyond that list.
    """
    outer = environment.get(VISIBLE)
    listed = None if outer is None else entries(outer)
    if asked == "auto":
        return _automatic(listed, gpus())
    return tuple(_device(name, listed) for name in asked.split(","))


def entries(visible: str) -> tuple[str, ...]:
    """What a value of `VISIBLE` lists; CUDA ignores an invalid entry and all after it."""
    found = []
    for entry in (part.strip() for part in visible.split(",")):
        if not re.fullmatch(r"\d+|(GPU|MIG)-\S+", entry):
            break
        found.append(entry)
    return tuple(found)


def _automatic(listed: tuple[str, ...] | None, present: tuple[str, ...]) -> tuple[Device, ...]:
    visible = present if listed is None or not present else listed
    if not visible:
        return (_device("cpu", listed),)
    return tuple(Device(f"cuda:{number}", "cuda", one) for number, one in enumerate(visible))


def _device(name: str, listed: tuple[str, ...] | None) -> Device:
    kind, _, number = name.partition(":")
    if kind == "cpu":
        return Device(name, "cpu", "")
    if not number:
        return Device(name, "cuda", None)
    if listed is None:
        return Device(name, "cuda", number)
    if int(number) >= len(listed):
        last = len(listed) - 1
        allowed = "no GPU" if last < 0 else "cuda:0" if last == 0 else f"cuda:0 to cuda:{last}"
        raise NoSuchDevice(
            f"GRB_DEVICE: found {name}, allowed: {allowed}, as {VISIBLE} is {','.join(listed)!r}"
        )
    return Device(name, "cuda", listed[int(number)])


def machine_gpus() -> tuple[str, ...]:
    """The ids of the GPUs of this machine, as its driver says; none where there is no driver."""
    try:
        listing = subprocess.run(
            ["nvidia-smi", "-L"], capture_output=True, text=True, timeout=30, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return _ids_of_driver(_INFORMATION)
    return ids(listing)


def ids(listing: str) -> tuple[str, ...]:
    """The ids in an answer of ``nvidia-smi -L``; of a GPU that is divided, those of its parts."""
    found: list[str] = []
    for indent, one in _ID.findall(listing):
        if indent and found and found[-1].startswith("GPU-"):
            found.pop()  # the parts are used in place of the whole
        found.append(one)
    return tuple(found)


def _ids_of_driver(folder: Path) -> tuple[str, ...]:
    found = []
    for path in sorted(folder.glob("*/information")):
        match = re.search(r"GPU UUID:\s*(GPU-\S+)", path.read_text())
        if match:
            found.append(match[1])
    return tuple(found)
