"""Every attack against every defense at home: measured like the service does, then told.

matrix = evaluate_matrix({"GCN": model}, {"FGSM": "fgsm.npz"}, board, dataset)
matrix.leaderboard("defense").rows[0].id
matrix.plot("matrix.png")
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from grbcore import models as models_of
from grbcore import reporting
from grbcore.architectures import Features
from grbcore.catalog import Board
from grbcore.datasets.dataset import Dataset
from grbcore.evaluate import (
    Attack,
    Graphs,
    check_budget,
    check_fits,
    counted,
    graph_predictions,
    predictions,
)
from grbcore.files import sha256_of
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.models.model import GraphLevelModel, Shape
from grbcore.graphlevel.models.weights import load as load_graph_level
from grbcore.leaderboard import Arena, Leaderboard, rank
from grbcore.models.model import GraphModel, Stochastic
from grbcore.results import CLEAN, Cell
from grbcore.scenario import BUDGETS, MEAN, Difficulty, Side, in_order, scale_with
from grbcore.scoring import Predictions, Values
from grbcore.seeds import derive_seed
from grbcore.submission import check_content, read_attack
from grbcore.violations import Refused, Violation

#: A model in memory or its file.
Defense = GraphModel | GraphLevelModel | Path | str

#: Perturbations by difficulty and repeat, or their file.
Attacks = Mapping[str, Attack | Path | str]


@dataclass(frozen=True, slots=True)
class Matrix:
    """Cells of attacks (and of none) against defenses on one board.

    ``attacks`` and ``defenses`` are the names of rows and columns, `CLEAN` left out;
    ``repeats`` is how many repeats an attack has that has more than one.
    """

    board: str
    attacks: tuple[str, ...]
    defenses: tuple[str, ...]
    repeats: int
    cells: tuple[Cell, ...]

    @property
    def rows(self) -> tuple[str, ...]:
        """The attacks, the row without an attack first."""
        return (CLEAN, *self.attacks)

    @property
    def difficulties(self) -> tuple[Difficulty, ...]:
        """Those that any attack carries; all four where there is no attack."""
        cells = [cell for cell in self.cells if cell.attack != CLEAN] or self.cells
        return in_order({difficulty for cell in cells for difficulty in cell.carried})

    @property
    def of_errors(self) -> bool:
        """Whether the board's metric is an error, so that lower is better."""
        return any(cell.errors for cell in self.cells)

    def cell(self, attack: str, defense: str) -> Cell:
        """The cell of these two names.

        Raises:
            ValueError: the matrix has no such cell.
        """
        for cell in self.cells:
            if (cell.attack, cell.defense) == (attack, defense):
                return cell
        allowed = f"attacks {', '.join(self.rows)}; defenses {', '.join(self.defenses)}"
        raise ValueError(f"cell: found {attack!r} x {defense!r}, allowed: {allowed}")

    def leaderboard(self, side: Side, difficulty: Difficulty | None = None) -> Leaderboard:
        """The ranking of one side, over the rows and columns of this matrix.

        ``difficulty`` None stands for the last that is carried, ``full`` on node boards, and for
        the mean over budgets where they are budgets.
        """
        scale = scale_with(self.difficulties[-1])
        chosen = MEAN if scale == BUDGETS else self.difficulties[-1]
        arena = Arena(
            self.repeats,
            attacks=self.attacks,
            defenses=self.defenses,
            attack_counterparts=self.defenses,
            defense_counterparts=self.attacks,
            difficulties=scale,
            errors=self.of_errors,
        )
        return rank(arena, self.cells, side, difficulty or chosen)

    def to_json(self) -> str:
        """Every cell with its counts or errors, and its provenance."""
        return reporting.to_json(self)

    def to_csv(self) -> str:
        """A line for each cell, difficulty and repeat: counts and accuracy (0..1), or error."""
        return reporting.to_csv(self)

    def to_latex(self, difficulty: Difficulty | None = None) -> str:
        """A tabular of accuracies in percent, or errors: mean and deviation over repeats."""
        return reporting.to_latex(self, difficulty or self.difficulties[-1])

    def to_markdown(self, difficulty: Difficulty | None = None) -> str:
        """As `to_latex`, as a Markdown table."""
        return reporting.to_markdown(self, difficulty or self.difficulties[-1])

    def plot(self, path: Path | str, difficulty: Difficulty | None = None) -> None:
        """Write a heat map with a number in each cell, accuracy in percent or error.

        Raises:
            MissingExtra: matplotlib is not installed.
        """
        from grbcore.visualise import heat_map

        heat_map(self, difficulty or self.difficulties[-1]).savefig(path)


def evaluate_matrix(
    models: Mapping[str, Defense],
    attacks: Attacks,
    board: Board,
    dataset: Dataset | GraphDataset,
    *,
    raw: Container[str] = (),
    device: torch.device | str = "cpu",
    progress: Callable[[Cell], None] | None = None,
) -> Matrix:
    """Every attack, and none, against every model.

    Args:
        models: name to a model or its ``.safetensors`` file.  Models are moved to ``device`` and
            left in evaluation mode.
        attacks: name to perturbations by difficulty and repeat (1 or the board's repeats), or
            to the ``.npz`` file of them.
        board: its budgets are held against the attacks.
        dataset: the board's dataset.
        raw: names of models in memory that take raw features; a file says so itself.
        device: where to compute; whole graphs always on the CPU.
        progress: told each cell.

    Raises:
        Refused: a file or an attack breaks the board's rules; a name is ``clean``.
        ValueError: there is no model, or one for features of another width.
        FileNotFoundError: a file is not there.
    """
    if not models:
        raise ValueError("models: found none, allowed: one or more")
    _check_names(attacks)
    cells = []
    for cell in measure_cells(models, attacks, board, dataset, raw=raw, device=device):
        cells.append(cell)
        if progress is not None:
            progress(cell)
    return Matrix(board.id, tuple(attacks), tuple(models), board.repeats, tuple(cells))


def measure_cells(
    models: Mapping[str, Defense],
    attacks: Attacks,
    board: Board,
    dataset: Dataset | GraphDataset,
    *,
    raw: Container[str] = (),
    device: torch.device | str = "cpu",
    skip: Container[tuple[str, str]] = (),
) -> Iterator[Cell]:
    """The cells of `evaluate_matrix`, row by row, each as soon as it is measured.

    Pairs of attack and model in ``skip`` are left out, and a file that no pair needs isn't read.
    """
    if isinstance(dataset, GraphDataset):
        device = "cpu"  # where batches of graphs are made
    sources = _Sources(board, dataset, device)
    protocol = board.protocol(dataset.digest)
    loaded: dict[str, _Entry] = {}
    rows: dict[str, Attack | Path | str | None] = {CLEAN: None, **attacks}
    for attack_id, source in rows.items():
        wanted = [name for name in models if (attack_id, name) not in skip]
        if not wanted:
            continue
        attack = None if source is None else sources.attack(attack_id, source)
        # a file's bytes name it, as in the service, so that sampling defenses draw the same there
        key = sha256_of(Path(source)) if isinstance(source, Path | str) else attack_id
        for name in wanted:
            if name not in loaded:
                loaded[name] = sources.entry(name, models[name], raw)
            entry = loaded[name]
            started = time.perf_counter()
            found = sources.predictions(entry, attack, derive_seed(protocol, key, entry.key))
            seconds = time.perf_counter() - started
            yield counted(
                board,
                dataset,
                found,
                attack_id=attack_id,
                defense_id=name,
                device=device,
                seconds=seconds,
            )


def _check_names(attacks: Attacks) -> None:
    if CLEAN in attacks:
        allowed = "any other name: it stands for the row without an attack"
        raise Refused([Violation("format", "attacks", CLEAN, allowed)])


@dataclass(frozen=True, slots=True)
class _Entry:
    model: GraphModel | GraphLevelModel
    features: Features
    key: str  # what names it when seeds are drawn


class _Sources:
    """How attacks and defenses are read and checked for a board."""

    def __init__(
        self, board: Board, dataset: Dataset | GraphDataset, device: torch.device | str
    ) -> None:
        self._board = board
        self._dataset = dataset
        self._device = device
        self._graphs = Graphs(dataset, device) if isinstance(dataset, Dataset) else None

    def predictions(
        self, entry: _Entry, attack: Attack | None, seed: int
    ) -> Mapping[Difficulty, Sequence[Predictions | Values]]:
        """What a model says of all that is judged; one that draws does so from ``seed``."""
        if self._graphs is None or isinstance(entry.model, GraphLevelModel):
            assert isinstance(self._dataset, GraphDataset)
            assert isinstance(entry.model, GraphLevelModel)
            return graph_predictions(self._dataset, entry.model, attack, seed)
        assert isinstance(self._dataset, Dataset)
        if isinstance(entry.model, Stochastic):
            entry.model.seed = seed
        attacked = None if attack is None else self._graphs.attacked(attack, entry.features)
        clean = self._graphs.clean(entry.features)
        return predictions(self._dataset, clean, entry.model, attacked)

    def attack(self, name: str, source: Attack | Path | str) -> Attack:
        if isinstance(source, Path | str):
            path = _existing(source)
            with path.open("rb") as file:
                attack: Attack = read_attack(file, self._board)
            place = str(path)
        else:
            attack, place = source, name
        if not any(attack.values()):
            raise Refused([Violation("member-missing", place, "nothing", "a perturbation")])
        for difficulty, repeats in attack.items():
            if difficulty not in self._board.difficulties:
                allowed = ", ".join(self._board.difficulties)
                raise Refused([Violation("format", place, str(difficulty), allowed)])
            if len(repeats) not in (1, self._board.repeats):
                found, allowed = f"{len(repeats)}", f"1 or {self._board.repeats}"
                raise Refused([Violation("repeats", f"{place}: {difficulty}", found, allowed)])
        check_budget(self._board, self._dataset, attack)
        return attack

    def entry(self, name: str, source: Defense, raw: Container[str]) -> _Entry:
        if not isinstance(source, Path | str):
            features: Features = "raw" if name in raw else "normalised"
            check_fits(source, self._dataset)
            return _Entry(source.to(self._device).eval(), features, name)
        path = _existing(source)
        faults = check_content(path, side="defense", board=self._board, dataset=self._dataset)
        if faults:
            raise Refused(faults)
        if isinstance(self._dataset, GraphDataset):
            graph_level, header = load_graph_level(path, Shape.of(self._dataset))
            return _Entry(graph_level, header.features, sha256_of(path))
        width, classes = int(self._dataset.features.shape[1]), self._dataset.classes
        loaded, header = models_of.load(path, features=width, classes=classes)
        return _Entry(loaded.to(self._device).eval(), header.features, sha256_of(path))


def _existing(source: Path | str) -> Path:
    path = Path(source)
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no such file")
    return path
