"""What a child may use: memory, its scratch folder, GPUs; real processes at real limits."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grbcore.settings import Settings
from tests.worker.fixtures import Arena, Double, wait_for
from worker.child import Child, ChildOverflowed, environment
from worker.limits import SHARE, Limits, limits, memory_of_host
from worker.sandbox import Sandbox
from worker.supervisor import Supervisor

MIB = 1024 * 1024
FREE = Limits(memory=None, scratch=None)

PROGRAM = """
import json, sys
sys.stdin.readline()
try:
    {}
    said = "did it"
except (MemoryError, OSError) as error:
    said = type(error).__name__
print(json.dumps({{"said": said}}), flush=True)
sys.stdin.readline()
"""


class Children:
    """Starts children that do one thing when they are told to."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.started: list[Child] = []

    def told(self, act: str, allowed: Limits) -> str:
        """What a child says after it tried this under these limits."""
        command = (sys.executable, "-c", PROGRAM.format(act))
        child = Child(command, self.settings, sandbox=Sandbox("off"), limits=allowed)
        self.started.append(child)
        child.send({})
        return str(child.receive(30)["said"])


@pytest.fixture
def children(settings: Settings) -> Iterator[Children]:
    made = Children(settings)
    yield made
    for child in made.started:
        child.close()


def test_memory_beyond_the_limit_is_refused(children: Children) -> None:
    act = f"bytearray({300 * MIB})"
    assert children.told(act, FREE) == "did it"
    assert children.told(act, Limits(memory=200 * MIB, scratch=None)) == "MemoryError"


def test_what_is_mapped_from_a_file_counts_as_no_memory(children: Children, tmp_path: Path) -> None:
    big = tmp_path / "dataset"
    with big.open("wb") as file:
        file.truncate(300 * MIB)
    act = f"import mmap; f = open({str(big)!r}, 'rb'); mmap.mmap(f.fileno(), 0, access=1)"
    assert children.told(act, Limits(memory=200 * MIB, scratch=None)) == "did it"


def test_one_file_may_not_grow_beyond_the_limit(children: Children) -> None:
    act = f"f = open('x', 'wb', buffering=0); f.write(bytes({MIB})); f.write(b'1')"
    assert children.told(act, FREE) == "did it"
    assert children.told(act, Limits(memory=None, scratch=MIB)) == "OSError"


def test_several_files_may_not_grow_beyond_the_limit_together(children: Children) -> None:
    act = f"open('x', 'wb').write(bytes({MIB})); open('y', 'wb').write(bytes(1))"
    with pytest.raises(ChildOverflowed, match=f"found {MIB + 1} bytes .* allowed: {MIB} "):
        children.told(act, Limits(memory=None, scratch=MIB))


def test_a_child_leaves_no_core_behind(children: Children) -> None:
    act = "import resource; assert resource.getrlimit(resource.RLIMIT_CORE) == (0, 0)"
    assert children.told(act, FREE) == "did it"


def test_on_the_cpu_children_share_three_quarters_of_the_memory(settings: Settings) -> None:
    assert limits(settings, "cpu", 2).memory == int(SHARE * memory_of_host() / 2)
    assert limits(settings, "cuda", 1).memory is None


@pytest.mark.parametrize(("given", "expected"), [(5 * MIB, 5 * MIB), (0, None)])
def test_the_settings_say_how_much_memory_there_is(
    settings: Settings, given: int, expected: int | None
) -> None:
    chosen = settings.model_copy(update={"child_memory": given, "child_scratch": given})
    assert limits(chosen, "cuda", 2) == limits(chosen, "cpu", 2) == Limits(expected, expected)


@pytest.mark.parametrize(
    ("text", "expected"), [("104857600\n", 100 * MIB), ("max\n", None), (None, None)]
)
def test_a_container_has_the_memory_that_it_was_given(
    tmp_path: Path, text: str | None, expected: int | None
) -> None:
    if text is not None:
        (tmp_path / "memory.max").write_text(text)
    assert memory_of_host(tmp_path) == (expected or memory_of_host(tmp_path / "none"))


def test_a_child_sees_the_gpus_that_it_is_given(settings: Settings, tmp_path: Path) -> None:
    outer = {"CUDA_VISIBLE_DEVICES": "0,1"}
    name = "CUDA_VISIBLE_DEVICES"
    assert environment(settings, tmp_path, outer)[name] == "0,1"
    assert environment(settings, tmp_path, outer, visible="GPU-bb")[name] == "GPU-bb"
    assert environment(settings, tmp_path, outer, visible="")[name] == ""


def test_an_evaluator_that_fills_its_folder_charges_nobody_but_counts(
    arena: Arena, settings: Settings, double: Double, caplog: pytest.LogCaptureFixture
) -> None:
    """It may write 1 MB and writes three files of 0.6 MB; the next try goes well."""
    chosen = settings.model_copy(update={"child_scratch": 1_000_000})
    supervisor = Supervisor(chosen, poll=0.1)
    defense = arena.newcomer("defense", b"defense 3")
    double.plan("litter")
    supervisor.start()
    wait_for(lambda: arena.cell_rows()[0].attempts == 1)
    (cell,) = arena.cell_rows()
    assert (cell.error_code, cell.infra_failures) == ("scratch-limit", 0)
    assert "allowed: 1000000 (GRB_CHILD_SCRATCH)" in (cell.reason or "")
    arena.hurry()
    wait_for(lambda: arena.state(defense) == "ranked")
    supervisor.stop()
    assert supervisor.join(10)
    assert "unexpected error" not in caplog.text
