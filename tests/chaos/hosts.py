"""Two hosts on this machine: network namespaces with addresses of their own and a link between."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Host:
    name: str
    address: str

    @property
    def within(self) -> tuple[str, ...]:
        """What comes before a command that runs on this host."""
        return ("ip", "netns", "exec", self.name)


@dataclass(frozen=True, slots=True)
class Hosts:
    """A host of servers, a host of workers, and the link between them."""

    servers: Host
    workers: Host

    def cut(self) -> None:
        """From now on every packet is lost, and nobody is told: each goes to no such card."""
        for one, other in self._directions():
            nobody = ("lladdr", "02:00:00:00:00:99", "nud", "permanent")
            ip("-n", one.name, "neighbour", "replace", other.address, *nobody, "dev", "cable")

    def join(self) -> None:
        """Undo `cut`."""
        for one, other in self._directions():
            ip("-n", one.name, "neighbour", "del", other.address, "dev", "cable")

    def _directions(self) -> tuple[tuple[Host, Host], tuple[Host, Host]]:
        return (self.servers, self.workers), (self.workers, self.servers)


def ip(*arguments: str) -> None:
    done = subprocess.run(["ip", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"ip {' '.join(arguments)}: {done.stderr}"


@contextmanager
def two_hosts() -> Iterator[Hosts]:
    """Two namespaces that see nothing but each other; needs root."""
    mark = f"grb{os.getpid()}"
    hosts = Hosts(Host(f"{mark}a", "10.77.0.1"), Host(f"{mark}b", "10.77.0.2"))
    made = []
    try:
        for host in (hosts.servers, hosts.workers):
            ip("netns", "add", host.name)
            made.append(host)
            ip("-n", host.name, "link", "set", "lo", "up")
        ends = ("cable", "type", "veth", "peer", "name", "cable", "netns", hosts.workers.name)
        ip("-n", hosts.servers.name, "link", "add", *ends)
        for host in made:
            ip("-n", host.name, "address", "add", f"{host.address}/24", "dev", "cable")
            ip("-n", host.name, "link", "set", "cable", "up")
        yield hosts
    finally:
        for host in made:
            ip("netns", "del", host.name)
