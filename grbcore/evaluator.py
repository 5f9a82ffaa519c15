"""The evaluator child: ``python -m grbcore.evaluator``.  Each batch of cells in a fresh process.

It speaks JSON lines.  When torch is loaded it says that it is ready; then it reads a request::

    {"board": id, "dataset": folder, "threads": 1, "out": folder, "device": "cpu",
     "pairs": [{"cell": id, "attack": path | null, "defense": path, "seed": int,
                "scale": 1.0}, ...]}

For each pair, in order, it writes ``<out>/<cell>.npz`` with members ``<difficulty>/<repeat>``
(t,) int16, the predicted class of each target or -1 where the logits are not finite (on boards
whose metric is an error (t,) float32, the predicted numbers), and says
``{"cell": id, "seconds": s}``, or
``{"cell": id, "error": {"family", "side", "code", "message"}}``.  Without an attack the answer has
``"margins": true`` and ``<out>/<cell>.margins.npz`` the member ``margins``, (t,) uint8 of full's
targets (`grbcore.margins`); and where there is time the defense has also been probed
(`grbcore.probing`): the predictions are in ``<out>/<cell>.probe.npz``, and the answer has
``"passes": n``, of a stochastic architecture more than 0.  The family is ``submission``
where the file of ``side`` breaks the rules, ``infra`` for everything else, side null; its code
`DISK_FULL` says that ``out`` has no room, ``out-of-memory`` that this host has, or allows, too
little memory, ``not-permitted`` that the process tried what its sandbox does not let it do.

At the end it says ``{"finished": true}``, with ``"again": true`` where it waits for the next
request.  On the CPU each request is answered by a process forked for it (`grbcore.apart`), so that
none sees anything of another and torch is imported once.

Where its worker is killed, it ends too.  It holds no credentials and needs no network.  It answers
predictions and no score: the supervisor compares them with the test labels, which the dataset,
made by `grbcore.datasets.prepare_blind`, lacks.  Nothing else is written to its standard output.
"""

from __future__ import annotations

import errno
import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict

from grbcore import catalog, datasets
from grbcore.apart import apart, end_with_parent
from grbcore.architectures import Features
from grbcore.catalog import Board
from grbcore.datasets import Dataset
from grbcore.evaluate import Attack, Graphs, check_budget, clean_predictions, predictions
from grbcore.files import DISK_FULL, lacks_room
from grbcore.graphlevel import evaluation as graph_level
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.evaluation import Said
from grbcore.graphlevel.models.model import GraphLevelModel, Shape
from grbcore.graphlevel.models.weights import load as load_graph_level
from grbcore.isolation import isolate
from grbcore.margins import Margins
from grbcore.models import GraphModel
from grbcore.models import load as load_model
from grbcore.models.model import Stochastic
from grbcore.probing import in_time, probe
from grbcore.scenario import Difficulty, Side
from grbcore.scoring import Predictions
from grbcore.submission import read_attack
from grbcore.violations import Refused

#: A cell and the probe of its defense together take at most this part of the cell's time.
PROBING = 0.5


class Pair(BaseModel):
    """One cell to evaluate: files of an attack (None for the clean row) and of a defense.

    ``seed`` is for stochastic architectures: the noise of each of their predictions.  The attack
    may use ``scale`` times the board's budget: 1 but for hold-outs.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    cell: str
    attack: Path | None
    defense: Path
    seed: int = 0
    scale: float = 1.0


class Request(BaseModel):
    """What the supervisor asks of one child."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    board: str
    dataset: Path
    threads: int = 1
    out: Path
    device: str = "cpu"
    pairs: tuple[Pair, ...]


class BadSubmission(Exception):
    """A file that breaks the rules, and whose it is."""

    def __init__(self, side: Side, code: str, message: str) -> None:
        super().__init__(message)
        self.side = side
        self.code = code


class Bench:
    """A board's graphs, and the attack and defense that were used last."""

    def __init__(self, board: Board, dataset: Dataset, device: str) -> None:
        self.board = board
        self.dataset = dataset
        self.device = device
        self._graphs = Graphs(dataset, device)
        self._attack: tuple[Path, Attack] | None = None
        self._defense: tuple[Path, GraphModel, Features] | None = None

    def run(self, pair: Pair) -> tuple[dict[Difficulty, tuple[Predictions, ...]], Margins | None]:
        """The predictions of one pair, and without an attack the margins of full's targets.

        Raises:
            BadSubmission: a file breaks the rules.
        """
        model, features = self._load_defense(pair.defense)
        if isinstance(model, Stochastic):
            model.seed = pair.seed
        clean = self._graphs.clean(features)
        if pair.attack is None:
            return clean_predictions(self.dataset, clean, model)
        attacked = self._graphs.attacked(self._load_attack(pair.attack, pair.scale), features)
        return predictions(self.dataset, clean, model, attacked), None

    def probe(self, pair: Pair, *, expected: float, until: float) -> dict[str, Predictions]:
        """What a probe of the pair's defense predicts; see `probing.probe`."""
        model, features = self._load_defense(pair.defense)
        clean = self._graphs.clean(features)
        return probe(self.dataset, clean, model, seed=pair.seed, expected=expected, until=until)

    def _load_attack(self, path: Path, scale: float) -> Attack:
        if self._attack is None or self._attack[0] != path:
            self._attack = (path, legal_attack(path, self.board.at_budget(scale), self.dataset))
        return self._attack[1]

    def _load_defense(self, path: Path) -> tuple[GraphModel, Features]:
        if self._defense is None or self._defense[0] != path:
            try:
                width, classes = self.dataset.features.shape[1], self.dataset.classes
                model, header = load_model(path, features=width, classes=classes)
            except Refused as refused:
                raise _bad("defense", refused) from None
            self._defense = (path, model.to(self.device), header.features)
        return self._defense[1], self._defense[2]


class GraphsBench:
    """As `Bench`, of a board on whole graphs; it is evaluated on the CPU."""

    def __init__(self, board: Board, dataset: GraphDataset) -> None:
        self.board = board
        self.dataset = dataset
        self._attack: tuple[Path, Attack] | None = None
        self._defense: tuple[Path, GraphLevelModel] | None = None

    def run(self, pair: Pair) -> tuple[Mapping[Difficulty, tuple[Said, ...]], Margins | None]:
        """As `Bench.run`.

        Raises:
            BadSubmission: a file breaks the rules.
        """
        model = self._load_defense(pair.defense)
        if pair.attack is None:
            return graph_level.clean_predictions(self.dataset, model, pair.seed)
        attack = self._load_attack(pair.attack, pair.scale)
        return graph_level.attacked_predictions(self.dataset, model, attack, pair.seed), None

    def probe(self, pair: Pair, *, expected: float, until: float) -> dict[str, Predictions]:
        """As `Bench.probe`."""
        model = self._load_defense(pair.defense)
        passes = graph_level.probes(self.dataset, model, pair.seed)
        return in_time(passes, expected=expected, until=until)

    def _load_attack(self, path: Path, scale: float) -> Attack:
        if self._attack is None or self._attack[0] != path:
            self._attack = (path, legal_attack(path, self.board.at_budget(scale), self.dataset))
        return self._attack[1]

    def _load_defense(self, path: Path) -> GraphLevelModel:
        if self._defense is None or self._defense[0] != path:
            try:
                model, _ = load_graph_level(path, Shape.of(self.dataset))
            except Refused as refused:
                raise _bad("defense", refused) from None
            self._defense = (path, model)
        return self._defense[1]


def legal_attack(path: Path, board: Board, dataset: Dataset | GraphDataset) -> Attack:
    """The attack of this file.

    Raises:
        BadSubmission: it breaks the rules of the board.
    """
    try:
        with path.open("rb") as file:
            attack: Attack = read_attack(file, board)
        check_budget(board, dataset, attack)
    except Refused as refused:
        raise _bad("attack", refused) from None
    return attack


def _bad(side: Side, refused: Refused) -> BadSubmission:
    code = refused.violations[0].code if refused.violations else "format"
    return BadSubmission(side, code, str(refused))


def serve(requests: TextIO, answers: TextIO) -> None:
    """Say that the child is ready, then answer requests, each in a process of its own."""

    def say(**message: Any) -> None:
        answers.write(json.dumps(message) + "\n")
        answers.flush()

    device = torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu"
    say(ready=True, versions={"torch": torch.__version__, "numpy": np.__version__}, device=device)
    while line := requests.readline().strip():
        request = Request.model_validate_json(line)
        if request.device != "cpu":  # a GPU that is open can't be used in a forked process
            isolate()
            end_with_parent()
            answer(request, say)
            say(finished=True)
            return
        apart(partial(answer, request, say), answers)
        say(finished=True, again=True)


def answer(request: Request, say: Callable[..., None]) -> None:
    """Answer one request, pair by pair."""
    torch.set_num_threads(request.threads)
    bench: Bench | GraphsBench | None = None
    for pair in request.pairs:
        started = time.perf_counter()
        try:
            if bench is None:
                bench = _bench(request)
            with torch.inference_mode():
                found, margins = bench.run(pair)
            _write(request.out / f"{pair.cell}.npz", _members(found))
            about: dict[str, Any] = {}
            if margins is not None:
                _write(request.out / f"{pair.cell}.margins.npz", {"margins": margins})
                about["margins"] = True
            seconds = time.perf_counter() - started
            about |= _probed(bench, pair, request.out, seconds)
        except BadSubmission as bad:
            say(cell=pair.cell, error=_error("submission", bad.side, bad.code, bad))
        except Exception as fault:  # the outermost frame of the child: everything is reported
            traceback.print_exc()
            code = DISK_FULL if lacks_room(fault) else fault_code(fault)
            say(cell=pair.cell, error=_error("infra", None, code, fault))
        else:
            say(cell=pair.cell, seconds=seconds, **about)


def _bench(request: Request) -> Bench | GraphsBench:
    board = catalog.board(request.board)
    dataset = datasets.load_blind(board.dataset, request.dataset)
    if isinstance(dataset, GraphDataset):
        return GraphsBench(board, dataset)
    return Bench(board, dataset, request.device)


def _probed(bench: Bench | GraphsBench, pair: Pair, out: Path, seconds: float) -> dict[str, int]:
    """Probe the defense of a pair without an attack, which took so long; what the answer says.

    It may take a part of what the cell has left, and a probe that fails is none: no cell is lost
    for its sake.
    """
    if pair.attack is not None:
        return {}
    until = time.monotonic() + PROBING * bench.board.limits.cell_seconds - seconds
    try:
        with torch.inference_mode():
            found = bench.probe(pair, expected=seconds, until=until)
    except (RuntimeError, MemoryError):
        traceback.print_exc()
        return {}
    if not found:
        return {}
    _write(out / f"{pair.cell}.probe.npz", found)
    return {"passes": len(found) - 1}


def _error(family: str, side: Side | None, code: str, fault: Exception) -> dict[str, str | None]:
    return {"family": family, "side": side, "code": code, "message": str(fault)[:2000]}


def fault_code(fault: Exception) -> str:
    """The name of a fault of the infrastructure; PyTorch tells of the CPU's memory in words."""
    told = isinstance(fault, RuntimeError) and "allocate memory" in str(fault)
    if told or isinstance(fault, MemoryError | torch.OutOfMemoryError):
        return "out-of-memory"
    if isinstance(fault, PermissionError):
        return "not-permitted"
    if isinstance(fault, OSError) and fault.errno == errno.EFBIG:
        return "scratch-limit"
    return type(fault).__name__


def _members(found: Mapping[Difficulty, tuple[Said, ...]]) -> dict[str, Said]:
    return {
        f"{difficulty}/{repeat}": array
        for difficulty, repeats in found.items()
        for repeat, array in enumerate(repeats)
    }


def _write(path: Path, arrays: dict[str, Any]) -> None:
    """Write a result beside its final name, then rename it, so that it is whole or absent."""
    partial = path.with_suffix(".partial")
    with partial.open("wb") as file:
        np.savez(file, **arrays)
    partial.rename(path)


def main() -> None:
    """Run the child on its standard streams, which stray prints of libraries can't reach."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    serve(sys.stdin, answers)


if __name__ == "__main__":
    main()
