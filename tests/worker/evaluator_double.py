"""An evaluator that obeys the protocol, or breaks it as the test asks.

Its argument is a folder.  The file ``plan`` there holds one word for each cell it is asked for, in
order, over all processes; when they are used up it answers as it should.  Its predictions are the
class that the last byte of the defense's file names, for every target; with "not-finite", none
for the first two.  A word after "say:" says something on standard error before.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grbcore.datasets import Dataset

FOLDER = Path(sys.argv[1])


def say(**message: object) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def next_word() -> str:
    plan = FOLDER / "plan"
    words = plan.read_text().split() if plan.exists() else []
    if words:
        rest = FOLDER / "plan.rest"  # killed at any moment, the whole plan or the rest is there
        rest.write_text(" ".join(words[1:]))
        rest.replace(plan)
    with (FOLDER / "asked").open("a") as asked:
        asked.write(f"{words[0] if words else 'answer'}\n")
    return words[0] if words else "answer"


def hang() -> None:
    (FOLDER / "hanging").write_text(str(os.getpid()))
    time.sleep(600)


def write(path: Path, pair: dict[str, str], dataset: Dataset, not_finite: int = 0) -> None:
    import numpy as np

    from grbcore.scenario import DIFFICULTIES

    label = Path(pair["defense"]).read_bytes()[-1] % 10
    carried = DIFFICULTIES if pair["attack"] is None else ("full",)
    repeats = 1 if pair["attack"] is None else 3
    arrays = {
        f"{difficulty}/{repeat}": np.full(len(dataset.targets[difficulty]), label, np.int16)
        for difficulty in carried
        for repeat in range(repeats)
    }
    for array in arrays.values():
        array[:not_finite] = -1
    np.savez(path, **arrays)


def main() -> None:
    say(ready=True, versions={"torch": "0.0"}, device="double")
    line = sys.stdin.readline()
    if not line:
        return
    request = json.loads(line)
    (FOLDER / "environment").write_text(json.dumps(dict(os.environ)))
    # only now: one that stands by, as most do to the end of a test, begins with none of it
    import numpy as np

    from grbcore import catalog, datasets

    dataset = datasets.load(catalog.board(request["board"]).dataset)
    out = Path(request["out"])
    for pair in request["pairs"]:
        cell = pair["cell"]
        path = out / f"{cell}.npz"
        word = next_word()
        if word.startswith("say:"):
            sys.stderr.write(f"words for the log in {Path.cwd()}/here.txt\n")
            word = word.removeprefix("say:")
        match word:
            case "answer":
                write(path, pair, dataset)
            case "not-finite":
                write(path, pair, dataset, not_finite=2)
            case "slow":
                time.sleep(1)
                write(path, pair, dataset)
            case "sleep":  # until somebody wakes it
                (FOLDER / "asleep").write_text(str(os.getpid()))
                os.kill(os.getpid(), signal.SIGSTOP)
                write(path, pair, dataset)
            case "litter":
                for number in range(3):
                    (out / f"litter {number}").write_bytes(bytes(600_000))
                hang()
            case "die":
                os.kill(os.getpid(), signal.SIGKILL)
            case "exit":
                sys.exit("something is wrong")
            case "hang":
                hang()
            case "spawn":
                child = subprocess.Popen(["sleep", "600"])
                (FOLDER / "grandchild").write_text(str(child.pid))
                hang()
            case "attack" | "defense" as side:
                fault = {"family": "submission", "side": side, "code": "x", "message": "3 of 7"}
                say(cell=cell, error=fault)
                continue
            case "infra":
                say(cell=cell, error={"family": "infra", "code": "cuda", "message": "no device"})
                continue
            case "chatter":
                sys.stdout.write("hello\n")
            case "flood":
                sys.stdout.write("x" * 10_000_000)
                sys.stdout.flush()
            case "other-cell":
                say(cell="another", seconds=1.0)
            case "no-file":
                pass
            case "link":
                path.symlink_to("/etc/passwd")
            case "pickle":
                path.write_bytes(b"\x80\x04N.")
            case "wrong-shape":
                np.savez(path, **{"full/0": np.zeros(3, np.int16)})
            case _:
                raise ValueError(word)
        say(cell=cell, seconds=0.25)
    say(finished=True)


if __name__ == "__main__":
    main()
