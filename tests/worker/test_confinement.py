"""Which sandbox is chosen, what a child may read in it, and the groups that limit it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from grbcore.settings import SANDBOX_OFF, Settings
from worker import bubblewrap, cgroup, landlock, sandbox, syscalls, tasks
from worker.cgroup import Group, NoCgroup
from worker.limits import Limits
from worker.paths import readable
from worker.sandbox import NoSandbox, Room, Sandbox, choose


@pytest.fixture
def nothing_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "trouble_with", lambda kind: f"no {kind} on this machine")


@pytest.mark.usefixtures("nothing_holds")
def test_a_worker_does_not_start_without_a_sandbox_and_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tasks, "settings", Settings())
    with pytest.raises(SystemExit) as refused:
        tasks.supervisors(())
    told = str(refused.value)
    assert told.startswith("worker: uploads are untrusted, and no sandbox holds on this machine")
    assert "bubblewrap: no bubblewrap on this machine" in told
    assert "landlock: no landlock on this machine" in told
    assert f"GRB_SANDBOX={SANDBOX_OFF}" in told
    assert "\n" not in told


@pytest.mark.usefixtures("nothing_holds")
def test_an_operator_may_do_without_in_so_many_words(caplog: pytest.LogCaptureFixture) -> None:
    assert choose(Settings(sandbox=SANDBOX_OFF)).kind == "off"
    assert "without a sandbox" in caplog.text
    with pytest.raises(ValueError, match="sandbox"):
        Settings(sandbox="off")  # type: ignore[arg-type]


def test_the_first_that_holds_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        sandbox, "trouble_with", lambda kind: "denied" if kind == "bubblewrap" else None
    )
    assert choose(Settings()).kind == "landlock"
    with pytest.raises(NoSandbox, match="bubblewrap: denied"):
        choose(Settings(sandbox="bubblewrap"))


def test_another_system_is_told_that_it_is_not_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    trouble = sandbox.trouble_with.__wrapped__("landlock")
    assert trouble == "found darwin, allowed: Linux, as in a container or a virtual machine"


def test_a_sandbox_that_lets_something_through_does_not_hold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The probe runs for real, in a child that nothing confines."""
    monkeypatch.setattr(Sandbox, "command", lambda self, program, *_, **__: [*program])
    trouble = sandbox._tried(Sandbox("landlock"))
    assert trouble is not None
    assert trouble.startswith("it does not hold: it allows a socket, it allows a file outside, ")
    assert "denies" not in trouble


@pytest.mark.parametrize("known", [0, 1, 3])
def test_a_sandbox_holds_with_an_older_landlock_and_bubblewrap_without_any(known: int) -> None:
    """The probe runs for real, in a child for which the kernel has no newer interface."""
    program = bubblewrap.program()
    if known == 0 and program is None:
        assert sandbox.trouble_with("bubblewrap") == "not installed (apt install bubblewrap)"
        return
    kind: sandbox.Kind = "landlock" if known else "bubblewrap"
    script = (
        "import sys; from worker import confined, landlock; "
        f"landlock.version = lambda: {known}; confined.main(sys.argv[1:])"
    )

    class Older(Sandbox):
        def command(self, *arguments: Any, **options: Any) -> list[str]:
            found = super().command(*arguments, **options)
            place = found.index("worker.confined")
            return [*found[: place - 1], "-c", script, *found[place + 1 :]]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(landlock, "version", lambda: known)
        assert sandbox._tried(Older(kind, program or "")) is None


def test_another_program_is_no_child_of_a_sandbox(tmp_path: Path) -> None:
    with pytest.raises(NoSandbox, match="found a child of the command '/bin/sh -c true'"):
        Sandbox("landlock").command(
            ["/bin/sh", "-c", "true"], Settings(), Room(tmp_path), Limits(None, None)
        )


def test_nothing_of_the_service_may_be_read_wherever_it_lies(tmp_path: Path) -> None:
    """An operator who puts everything below Python's own folder changes nothing."""
    inside = Path(sys.prefix) / "lib"
    settings = Settings(
        var_dir=inside / "grb-var",
        data_dir=inside / "grb-data",
        database_url=f"sqlite:///{inside}/grb.db",
        blob_url=(inside / "blobs").as_uri(),
    )
    found = [Path(path) for path in readable(settings, gpu=False).read]
    assert Path(sys.prefix) / "bin" in found
    for hidden in ("grb-var", "grb-data", "grb.db", "blobs"):
        assert not any(
            path == inside / hidden or path in (inside / hidden).parents for path in found
        )
    labels = Path(sys.modules["grbcore"].__file__ or "").parent / "datasets/digits/labels.npz"
    assert labels.exists()
    assert not any(path == labels or path in labels.parents for path in found)


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "pyseccomp", raising=False)
    monkeypatch.setattr(syscalls, "_by_linker", lambda name: None)
    with pytest.raises(syscalls.SeccompError, match="apt install libseccomp2"):
        syscalls.available()


class Cgroups:
    """Files as those of cgroup version 2, with a group for this process."""

    def __init__(self, folder: Path, controllers: str = "cpu memory pids") -> None:
        self.mount = folder / "cgroup"
        self.own = folder / "own"
        self.group = self.mount / "system.slice" / "grb.service"
        self.group.mkdir(parents=True)
        (self.mount / "cgroup.controllers").write_text(controllers)
        (self.group / "cgroup.controllers").write_text(controllers)
        (self.group / "cgroup.subtree_control").write_text("")
        self.own.write_text("0::/system.slice/grb.service\n")


def test_a_worker_moves_aside_in_the_group_that_it_was_given(tmp_path: Path) -> None:
    made = Cgroups(tmp_path)
    assert cgroup.parent(made.mount, made.own) == made.group
    assert (made.group / "grb-worker" / "cgroup.procs").read_text().isdecimal()
    assert (made.group / "cgroup.subtree_control").read_text() == "+memory +pids"


def test_a_second_worker_finds_the_group_of_the_first(tmp_path: Path) -> None:
    made = Cgroups(tmp_path)
    (made.group / "cgroup.subtree_control").write_text("memory pids")
    (made.group / "grb-worker").mkdir()
    made.own.write_text("0::/system.slice/grb.service/grb-worker\n")
    assert cgroup.parent(made.mount, made.own) == made.group


@pytest.mark.parametrize(
    ("controllers", "own", "told"),
    [
        ("cpu", "0::/system.slice/grb.service\n", "has no control of memory and processes"),
        ("memory pids", "4:memory:/x\n", "cgroup version 2 is not mounted"),
        ("memory pids", "0::/elsewhere\n", "No such file"),
    ],
)
def test_without_a_group_of_its_own_there_are_none(
    tmp_path: Path, controllers: str, own: str, told: str
) -> None:
    made = Cgroups(tmp_path, controllers)
    made.own.write_text(own)
    with pytest.raises(NoCgroup, match=told):
        cgroup.parent(made.mount, made.own)


def test_a_child_has_a_group_with_its_limits_and_starts_inside(tmp_path: Path) -> None:
    group = cgroup.make(tmp_path, "grb-child", 5 << 20)
    assert (group.folder / "memory.max").read_text() == str(5 << 20)
    assert (group.folder / "memory.swap.max").read_text() == "0"
    assert int((group.folder / "pids.max").read_text()) == cgroup.PROCESSES
    assert group.entering()[-1] == str(group.folder / "cgroup.procs")


def test_want_of_memory_is_read_from_the_kernels_count(tmp_path: Path) -> None:
    group = Group(tmp_path)
    assert not group.ran_out_of_memory()
    (tmp_path / "memory.events").write_text("low 0\noom 1\noom_kill 0\n")
    assert not group.ran_out_of_memory()
    (tmp_path / "memory.events").write_text("low 0\noom 1\noom_kill 2\n")
    assert group.ran_out_of_memory()
