"""The evaluator child, as a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from grbcore.architectures import ARCHITECTURES
from grbcore.catalog import Board
from grbcore.datasets import Dataset, prepare_blind
from grbcore.evaluate import evaluate
from grbcore.evaluator import fault_code
from grbcore.matrix import evaluate_matrix
from grbcore.models import build, load, save
from grbcore.perturbation import Injection
from grbcore.results import CLEAN
from grbcore.scenario import DIFFICULTIES, Difficulty
from grbcore.scoring import score
from grbcore.seeds import derive_seed
from grbcore.submission import write_attack
from tests.grbcore.engine import NAMES, small

Attack = Mapping[Difficulty, tuple[Injection, ...]]


def defense(folder: Path, name: str, *, seed: int = 0, raw: bool = False) -> Path:
    path = folder / f"{name}-{seed}.safetensors"
    model = build(name, small(name), features=64, classes=10, seed=seed)
    save(path, model, features="raw" if raw else "normalised")
    return path


def run(
    folder: Path, pairs: list[dict[str, Any]], *, threads: int = 1, **changed: object
) -> tuple[list[dict[str, Any]], Path]:
    """What the child says, line by line, and the folder of its results."""
    out = folder / "out"
    out.mkdir(exist_ok=True)
    request = {
        "board": "digits/injection@1",
        "dataset": str(prepare_blind("digits", cache=folder / "prepared", into=folder / "blind")),
        "threads": threads,
        "out": str(out),
        "pairs": [{"seed": 0, **pair} for pair in pairs],
    } | changed
    done = subprocess.run(
        [sys.executable, "-m", "grbcore.evaluator"],
        input=json.dumps(request) + "\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        env={**os.environ, "OMP_NUM_THREADS": str(threads)},
    )
    return [json.loads(line) for line in done.stdout.splitlines()], out


def read(path: Path) -> dict[Difficulty, list[np.ndarray]]:
    with np.load(path, allow_pickle=False) as arrays:
        names = list(arrays.files)
        return {
            d: [arrays[f"{d}/{r}"] for r in range(sum(n.startswith(d) for n in names))]
            for d in DIFFICULTIES
            if f"{d}/0" in names
        }


def test_child_answers_each_pair_with_the_numbers_of_evaluate(
    tmp_path: Path, board: Board, digits: Dataset, attack: Attack, attack_file: Path
) -> None:
    """By hand and served: the same counts, clean and attacked, normalised and raw."""
    paths = [defense(tmp_path, name, raw=name == "GIN") for name in NAMES]
    pairs = [
        {"cell": f"{kind}{i}", "attack": file, "defense": str(path), "seed": 7}
        for i, path in enumerate(paths)
        for kind, file in (("clean", None), ("attacked", str(attack_file)))
    ]
    lines, out = run(tmp_path, pairs)
    assert lines[0]["ready"] is True
    assert lines[0]["versions"].keys() == {"torch", "numpy"}
    assert [line["cell"] for line in lines[1:-1]] == [pair["cell"] for pair in pairs]
    assert all(line["seconds"] >= 0 for line in lines[1:-1])
    assert lines[-1] == {"finished": True, "again": True}
    for i, path in enumerate(paths):
        model, header = load(path, features=64, classes=10)
        for kind, perturbations in (("clean", None), ("attacked", attack)):
            cell = evaluate(
                board,
                digits,
                attack=perturbations,
                model=model,
                features=header.features,
                defense_id="d",
                seed=7,
            )
            correct, total, _ = score(read(out / f"{kind}{i}.npz"), digits)
            assert correct == cell.correct
            assert total == cell.total


def test_a_sampling_defense_has_at_home_the_numbers_of_the_service(
    tmp_path: Path, board: Board, digits: Dataset, attack_file: Path
) -> None:
    """The service draws from the protocol and the SHA-256 of both files; so does the matrix."""
    parameters = ARCHITECTURES["R-GCN"].parameters.model_validate({"hidden": [8], "samples": 1})
    path = tmp_path / "rgcn.safetensors"
    save(path, build("R-GCN", parameters, features=64, classes=10))
    protocol, digest = board.protocol(digits.digest), sha256(path.read_bytes()).hexdigest()
    names = {CLEAN: CLEAN, "a": sha256(attack_file.read_bytes()).hexdigest()}
    pairs = [
        {
            "cell": f"{row}{shift}",
            "attack": None if row == CLEAN else str(attack_file),
            "defense": str(path),
            "seed": derive_seed(protocol, name, digest) + shift,
        }
        for row, name in names.items()
        for shift in (0, 1)
    ]
    _, out = run(tmp_path, pairs)
    found = evaluate_matrix({"d": path}, {"a": attack_file}, board, digits)
    for row in names:
        served, other = (score(read(out / f"{row}{shift}.npz"), digits) for shift in (0, 1))
        hits = found.cell(row, "d").provenance["hits_sha256"]
        assert hits == sha256(served[2]).hexdigest()
        assert hits != sha256(other[2]).hexdigest()
        assert found.cell(row, "d").correct == served[0]


def test_results_are_identical_over_repeats_and_thread_counts(
    tmp_path: Path, attack_file: Path
) -> None:
    path = defense(tmp_path, "GAT")
    found = []
    for threads in (1, 2, 1):
        pair = {"cell": "c", "attack": str(attack_file), "defense": str(path)}
        _, out = run(tmp_path, [pair], threads=threads)
        found.append((out / "c.npz").read_bytes())
    assert found[0] == found[1] == found[2]


def test_bad_defense_is_its_submissions_fault_and_the_next_pair_goes_on(
    tmp_path: Path, attack_file: Path
) -> None:
    good, bad = defense(tmp_path, "GCN"), tmp_path / "bad.safetensors"
    bad.write_bytes(good.read_bytes()[:-100])
    pairs = [
        {"cell": "a", "attack": str(attack_file), "defense": str(bad)},
        {"cell": "b", "attack": str(attack_file), "defense": str(good)},
    ]
    lines, out = run(tmp_path, pairs)
    assert lines[1]["cell"] == "a"
    error = lines[1]["error"]
    assert (error["family"], error["side"], error["code"]) == ("submission", "defense", "damaged")
    assert lines[2].keys() == {"cell", "seconds"}
    assert sorted(path.name for path in out.iterdir()) == ["b.npz"]


def test_attack_over_budget_is_its_submissions_fault(tmp_path: Path, attack: Attack) -> None:
    """The child is a referee too: it does not rely on an earlier check."""
    loud = tmp_path / "loud.npz"
    first = attack["full"][0]
    write_attack(loud, {"full": [Injection(first.features * 100, first.edges)]})
    lines, _ = run(
        tmp_path, [{"cell": "a", "attack": str(loud), "defense": str(defense(tmp_path, "GCN"))}]
    )
    error = lines[1]["error"]
    assert (error["family"], error["side"]) == ("submission", "attack")
    assert error["code"] == "feature-range"
    assert "full/0/features" in error["message"]


@pytest.mark.parametrize(
    "data", [b"", b"no archive at all", b"PK\x03\x04" + bytes(40)], ids=["empty", "text", "zip"]
)
def test_file_that_is_no_attack_is_its_submissions_fault(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "attack.npz"
    path.write_bytes(data)
    pair = {"cell": "a", "attack": str(path), "defense": str(defense(tmp_path, "GCN"))}
    lines, _ = run(tmp_path, [pair])
    assert (lines[1]["error"]["family"], lines[1]["error"]["side"]) == ("submission", "attack")
    assert lines[-1] == {"finished": True, "again": True}


def test_file_that_is_gone_is_the_hosts_fault(tmp_path: Path) -> None:
    pair = {"cell": "a", "attack": None, "defense": str(tmp_path / "gone.safetensors")}
    lines, _ = run(tmp_path, [pair])
    assert lines[1]["error"]["family"] == "infra"
    assert lines[1]["error"]["code"] == "FileNotFoundError"


@pytest.mark.parametrize("allocate", [torch.empty, np.empty], ids=["torch", "numpy"])
def test_memory_that_is_not_there_is_told_by_its_own_code(
    allocate: Callable[[int], object],
) -> None:
    """Asked for 256 TiB or more, as the libraries tell of it themselves."""
    with pytest.raises((MemoryError, RuntimeError)) as fault:
        allocate(2**46)
    assert fault_code(fault.value) == fault_code(torch.OutOfMemoryError()) == "out-of-memory"
    assert fault_code(RuntimeError("the shapes differ")) == "RuntimeError"


def test_dataset_that_is_not_there_is_the_hosts_fault(tmp_path: Path) -> None:
    pair = {"cell": "a", "attack": None, "defense": str(defense(tmp_path, "GCN"))}
    lines, _ = run(tmp_path, [pair], dataset=str(tmp_path / "none"))
    assert lines[1]["error"]["family"] == "infra"


def test_child_ends_quietly_when_nothing_is_asked(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "grbcore.evaluator"],
        input="",
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert [json.loads(line)["ready"] for line in done.stdout.splitlines()] == [True]


def test_child_starts_without_what_it_does_not_need() -> None:
    code = (
        "import sys, grbcore.evaluator;"
        "sys.exit(any(name in sys.modules for name in ('torch_geometric', 'scipy', 'sklearn')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


ORPHAN = """
import time
from grbcore.apart import end_with_parent
end_with_parent(0.05)
print("working", flush=True)
time.sleep(600)
"""
PARENT = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]])"


def test_an_evaluator_ends_with_the_worker_that_started_it() -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT, ORPHAN], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"working\n"
    parent.kill()
    parent.wait()
    assert parent.stdout.read() == b""  # nobody is left who could write
    parent.stdout.close()


APART = """
import json, os, signal, sys
from grbcore.apart import apart

def say(text):
    sys.stdout.write(text + "\\n")
    sys.stdout.flush()

apart(lambda: say('{"cell": "done"}'), sys.stdout)
apart(lambda: {work}, sys.stdout)
say("goes on")
"""


def forked(work: str) -> tuple[int, list[str]]:
    script = APART.replace("{work}", work)
    done = subprocess.run(
        [sys.executable, "-c", script],
        input="meant for the next",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout.splitlines()


DONE = '{"cell": "done"}'


@pytest.mark.parametrize(
    ("work", "code"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", -9),
        ("os.kill(os.getpid(), signal.SIGSEGV)", -11),
        ("sys.exit('broken')", 1),
        ("1 / 0", 1),
    ],
)
def test_an_evaluator_ends_as_the_process_did_that_it_forked_for_a_request(
    work: str, code: int
) -> None:
    """So that the worker learns how its batch ended."""
    assert forked(work) == (code, [DONE])


@pytest.mark.parametrize(
    "text",
    [
        '{"finished": true, "again": true}',
        '{"cell": 1, "again": true}',
        '{"ready": true}',
        "hello",
        "[" * 60_000,
        "x" * 10_000_000,
    ],
    ids=lambda text: text[:20],
)
def test_a_process_forked_for_a_request_can_not_speak_for_the_evaluator(text: str) -> None:
    """Else it could let the worker send it the next batch; the worker reads it as garbled."""
    many = f"{text[0]!r} * {len(text)}"  # a command may not be that long
    code, lines = forked(f"say({repr(text) if len(text) < 1000 else many})")
    assert code == 1
    assert lines[0] == DONE
    assert [json.loads(line).keys() for line in lines[1:]] == [{"garbled"}]


def test_a_process_forked_for_a_request_has_no_access_to_what_comes_next() -> None:
    work = "say(json.dumps({'cell': os.read(0, 100).decode()}))"
    assert forked(work) == (0, [DONE, '{"cell": ""}', "goes on"])
