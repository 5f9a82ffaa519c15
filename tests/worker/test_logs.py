"""What a worker logs, and what is kept of an evaluator's last words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grbcore.store.tables import CellRow
from tests.store.world import BOARD
from tests.worker.fixtures import Arena, Double, Workers, wait_for
from worker.excerpt import LONGEST, clean, public
from worker.supervisor import Supervisor

SCRATCH = Path("/var/lib/grb/scratch/host-1-abc")


def the_cell(arena: Arena) -> CellRow:
    [row] = arena.cell_rows()
    return row


def test_every_line_of_a_worker_is_json_and_tells_what_it_is_about(
    arena: Arena, workers: Workers, double: Double
) -> None:
    newcomer = arena.newcomer("defense", b"\x01")
    double.plan("infra")
    workers.start(GRB_LOG_FORMAT="json")
    wait_for(lambda: the_cell(arena).attempts == 1, 60)
    workers.stop()
    lines: list[dict[str, Any]] = [
        json.loads(line) for line in workers.log.read_text().splitlines()
    ]
    [said] = [line for line in lines if "no device" in line["message"]]
    assert said["level"] == "WARNING"
    assert said["cell"] == the_cell(arena).id
    assert (said["submission"], said["board"]) == (newcomer, BOARD)
    # the sandbox is chosen once, for all workers of the process
    theirs = [line for line in lines if line["logger"].startswith("worker.")]
    owners = {line["worker"] for line in theirs if line["logger"] != "worker.sandbox"}
    assert owners == {said["worker"]}
    assert any(line["logger"].startswith("celery") for line in lines)


@pytest.mark.parametrize(
    ("word", "code"),
    [("exit", "evaluator-died"), ("infra", "cuda"), ("chatter", "evaluator-answer")],
)
def test_the_last_words_of_a_try_that_failed_are_kept(
    arena: Arena, supervisor: Supervisor, double: Double, word: str, code: str
) -> None:
    arena.newcomer("defense", b"\x01")
    double.plan(f"say:{word}")
    supervisor.start()
    wait_for(lambda: the_cell(arena).attempts == 1)
    row = the_cell(arena)
    assert row.error_code == code
    assert row.log is not None and "words for the log in ./here.txt" in row.log
    assert str(supervisor.settings.var_dir) not in row.log
    arena.hurry()
    wait_for(lambda: the_cell(arena).state == "done")
    assert the_cell(arena).log is None


def test_the_last_words_of_a_submission_at_fault_are_kept(
    arena: Arena, supervisor: Supervisor, double: Double
) -> None:
    arena.newcomer("defense", b"\x01")
    double.plan("say:defense")
    supervisor.start()
    wait_for(lambda: the_cell(arena).state == "failed")
    assert "words for the log" in (the_cell(arena).log or "")


def test_the_words_about_one_cell_are_not_told_of_the_next(
    arena: Arena, supervisor: Supervisor, double: Double
) -> None:
    for number in (1, 2):
        arena.newcomer("attack", bytes([number]))
    arena.newcomer("defense", b"\x03")
    double.plan("say:answer", "infra")
    supervisor.start()
    wait_for(lambda: any(row.attempts == 1 for row in arena.cell_rows()))
    [spoiled] = [row for row in arena.cell_rows() if row.attempts]
    assert spoiled.log is None


# Cleaning


def test_what_was_not_written_is_none() -> None:
    assert clean(b"", SCRATCH) is None
    assert clean(b" \r\n\x00\n", SCRATCH) is None


def test_control_characters_go_and_progress_bars_become_lines() -> None:
    raw = b"\x1b[31mred\x1b[0m\x07 10%\r50%\r\nend\x00 \xe2\x80\xaeback\xff"
    assert clean(raw, SCRATCH) == "red 10%\n50%\nend back\ufffd"


@pytest.mark.parametrize(
    ("found", "shown"),
    [
        (f"{SCRATCH}/C1.npz", "./C1.npz"),
        ('File "/srv/.venv/lib/python3.11/site-packages/torch/nn/x.py"', 'File "torch/nn/x.py"'),
        ("cannot open '/data/grb-cora/adj.npz': gone", "cannot open '…/adj.npz': gone"),
        (
            "see https://pytorch.org/docs/stable/x.html",
            "see https://pytorch.org/docs/stable/x.html",
        ),
        ("3/4 of a/b, and/or <frozen runpy>", "3/4 of a/b, and/or <frozen runpy>"),
        ("grb_abcdefghijklmnopqrstuvwxyz", "grb_…"),
        ("postgresql://grb:secret@db/grb", "postgresql://grb:…@db/grb"),
    ],
)
def test_paths_of_the_host_and_secrets_go(found: str, shown: str) -> None:
    assert clean(found.encode(), SCRATCH) == shown


def test_our_own_modules_begin_with_their_package() -> None:
    import grbcore.evaluator

    found = f'File "{grbcore.evaluator.__file__}", line 3\nFile "{json.__file__}", line 4'
    assert clean(found.encode(), SCRATCH) == (
        'File "grbcore/evaluator.py", line 3\nFile "json/__init__.py", line 4'
    )


def test_the_end_is_kept_from_the_start_of_a_line() -> None:
    raw = "".join(f"line {n} é\n" for n in range(2000)).encode()
    found = clean(raw, SCRATCH)
    assert found is not None
    assert len(found.encode()) <= LONGEST
    first, second, *_ = found.split("\n")
    assert first == "…" and second.startswith("line ")
    assert found.endswith("line 1999 é")


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        (
            "[Errno 28] No space left on device: '/var/lib/grb/scratch/host-1-abc/cell.partial'",
            "[Errno 28] No space left on device: '…/cell.partial'",
        ),
        (
            "the blob store does not answer: Generic S3 error: Error performing GET "
            "http://10.0.0.7:9000/private/59/594e in 2s\n\nDebug source:\n127.0.0.1:9",
            "the blob store does not answer: Generic S3 error: Error performing GET …/594e in 2s",
        ),
        (
            "digits/injection@1: found protocol ab, allowed: cd",
            "digits/injection@1: found protocol ab, allowed: cd",
        ),
    ],
)
def test_everybody_is_told_what_is_wrong_with_a_host_and_not_where_things_are(
    trouble: str, told: str
) -> None:
    assert public(trouble) == told
