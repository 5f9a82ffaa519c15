"""What a researcher does at home: train, attack, convert, check, evaluate."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from grbcore import catalog, datasets
from grbcore import convert as published
from grbcore.architectures import Features
from grbcore.catalog import AttackRecipe, Board, DefenseRecipe
from grbcore.cli.parameters import parameters
from grbcore.datasets import Dataset
from grbcore.results import Cell
from grbcore.scenario import DIFFICULTIES, Difficulty
from grbcore.submission import (
    SUFFIXES,
    check_content,
    side_of,
    write_attack,
    write_defense,
)
from grbcore.violations import Refused, Violation

if TYPE_CHECKING:
    from grbcore.matrix import Matrix
    from grbcore.models import GraphModel

console = Console()

BoardName = Annotated[str, typer.Argument(help="The board, such as digits/injection@1.")]
DataDir = Annotated[
    Path | None,
    typer.Option("--data-dir", envvar="GRB_DATA_DIR", help="The folder of datasets."),
]


def _open(name: str, data_dir: Path | None) -> tuple[Board, Dataset]:
    board = catalog.board(name)
    return board, datasets.load(board.dataset, data_dir=data_dir)


def _bar() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:.0f}/{task.total:.0f}"),
        TimeElapsedColumn(),
        console=console,
    )


def train(
    name: BoardName,
    architecture: Annotated[str, typer.Option(help="A registered architecture.")] = "GCN",
    hidden: Annotated[
        str | None, typer.Option(help="Hidden widths, comma-separated; 64,64,64 by default.")
    ] = None,
    layer_norm: Annotated[bool, typer.Option(help="Add layer normalisation.")] = False,
    heads: Annotated[int | None, typer.Option(help="Attention heads (GAT).")] = None,
    hops: Annotated[
        int | None, typer.Option(help="Hops that are mixed (APPNP, TAGCN, SGCN).")
    ] = None,
    alpha: Annotated[float | None, typer.Option(help="Chance of teleporting (APPNP).")] = None,
    others: Annotated[
        list[str] | None, typer.Option("--set", help="Any other parameter, as NAME=VALUE.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of weights and dropout.")] = 0,
    epochs: Annotated[int, typer.Option(min=1, help="Epochs at most.")] = 2000,
    patience: Annotated[int, typer.Option(min=1, help="Epochs without a better validation.")] = 200,
    learning_rate: Annotated[float, typer.Option(help="Of Adam.")] = 0.01,
    dropout: Annotated[float, typer.Option(help="While training.")] = 0.5,
    out: Annotated[Path, typer.Option(help="The file to write.")] = Path("defense.safetensors"),
    data_dir: DataDir = None,
) -> None:
    """Train a defense on a board's dataset and write it as a submission."""
    _target(out, SUFFIXES["defense"])
    _positive("--learning-rate", learning_rate)
    if not 0 <= dropout < 1:
        raise Refused([Violation("parameters", "--dropout", f"{dropout}", "0 or more, below 1")])
    from grbcore import baselines

    board, dataset = _open(name, data_dir)
    recipe = DefenseRecipe(
        name=architecture,
        architecture=architecture,
        parameters=parameters(
            architecture,
            hidden=hidden,
            layer_norm=layer_norm,
            named={"heads": heads, "hops": hops, "alpha": alpha},
            others=others or [],
        ),
        seed=seed,
        epochs=epochs,
        patience=patience,
        learning_rate=learning_rate,
        dropout=dropout,
    )
    with _bar() as bar:
        task = bar.add_task(f"training {architecture}", total=epochs)

        def show(epoch: int, _epochs: int, accuracy: float) -> None:
            text = f"training {architecture}, validation {100 * accuracy:.2f} %"
            bar.update(task, completed=epoch, description=text)

        result = baselines.train(recipe, dataset, out, progress=show)
    console.print(
        f"{out}: validation accuracy {100 * result.val_accuracy:.2f} % at epoch "
        f"{result.best_epoch} of {result.epochs}, {result.seconds:.1f} s; next: "
        f"grb check {out} --board {board.id}",
        soft_wrap=True,
    )


def _target(out: Path, suffix: str) -> None:
    """Refuse, before any work, a file that could not be written or would not be taken."""
    if out.suffix != suffix:
        raise Refused([Violation("format", "--out", str(out), f"a file ending in {suffix}")])
    if out.is_dir() or not out.absolute().parent.is_dir():
        found = f"{out}, a folder" if out.is_dir() else f"{out}, whose folder does not exist"
        raise Refused([Violation("format", "--out", found, "a file in an existing folder")])


def _positive(option: str, value: float | None, below: float = math.inf) -> None:
    if value is not None and not (0 < value < below):
        allowed = "a number above 0" + (f" and below {below:g}" if below < math.inf else "")
        raise Refused([Violation("parameters", option, f"{value}", allowed)])


def attack(
    name: BoardName,
    surrogate: Annotated[
        Path | None, typer.Option(help="The model to differentiate (.safetensors).")
    ] = None,
    method: Annotated[str, typer.Option(help="RND, FGSM, PGD or TDGIA.")] = "FGSM",
    steps: Annotated[int | None, typer.Option(min=1, help="Gradient steps.")] = None,
    step_size: Annotated[float | None, typer.Option(help="Size of a step.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of topology and start.")] = 0,
    difficulty: Annotated[
        list[str] | None, typer.Option(help="Difficulties; all four by default.")
    ] = None,
    repeats: Annotated[int | None, typer.Option(help="Repeats; the board's by default.")] = None,
    out: Annotated[Path, typer.Option(help="The file to write.")] = Path("attack.npz"),
    data_dir: DataDir = None,
) -> None:
    """Attack a surrogate on a board and write the attack as a submission."""
    _target(out, SUFFIXES["attack"])
    _positive("--step-size", step_size)
    from grbcore import baselines
    from grbcore.attacks import ATTACKS

    board, dataset = _open(name, data_dir)
    methods = ATTACKS[board.scenario]
    if method not in methods:
        raise Refused([Violation("format", "--method", method, ", ".join(methods))])
    chosen = _difficulties(difficulty)
    count = _repeats(repeats, board)
    arguments: dict[str, object] = {}
    if method != "RND":
        recorded = [recipe.arguments for recipe in board.attacks if recipe.method == method]
        arguments = dict(recorded[0]) if recorded else {}
        arguments |= {"steps": steps} if steps is not None else {}
        arguments |= {"step_size": step_size} if step_size is not None else {}
    model = _surrogate(method, surrogate, dataset)
    recipe = AttackRecipe(name=method, method=method, arguments=arguments)
    with _bar() as bar:
        task = bar.add_task(f"attacking with {method}", total=len(chosen) * count)
        baselines.run(
            recipe,
            board,
            dataset,
            model,
            out,
            seed=seed,
            difficulties=chosen,
            repeats=count,
            progress=lambda at, repeat: bar.advance(task),
        )
    console.print(f"{out}: next: grb check {out} --board {board.id}", soft_wrap=True)


def _repeats(repeats: int | None, board: Board) -> int:
    if repeats not in (None, 1, board.repeats):
        allowed = f"1 or {board.repeats}"
        raise Refused([Violation("repeats", "--repeats", str(repeats), allowed)])
    return board.repeats if repeats is None else repeats


def _difficulties(names: list[str] | None) -> tuple[Difficulty, ...]:
    unknown = [name for name in names or () if name not in DIFFICULTIES]
    if unknown:
        listed = ", ".join(DIFFICULTIES)
        raise Refused([Violation("format", "--difficulty", unknown[0], listed)])
    if names and "full" not in names:
        found, allowed = ", ".join(names), "full, and any of the others"
        raise Refused([Violation("member-missing", "--difficulty", found, allowed)])
    return cast("tuple[Difficulty, ...]", tuple(names)) if names else DIFFICULTIES


def _surrogate(method: str, path: Path | None, dataset: Dataset) -> GraphModel | None:
    if method == "RND":
        return None
    if path is None:
        allowed = "a trained model: grb train BOARD --out surrogate.safetensors"
        raise Refused([Violation("member-missing", "--surrogate", "nothing", allowed)])
    from grbcore import models

    width = int(dataset.features.shape[1])
    return models.load(path, features=width, classes=dataset.classes)[0]


def convert(
    source: Annotated[Path, typer.Argument(help="A state dict (.pt), or an attack's folder.")],
    board_name: Annotated[str, typer.Option("--board", help="The board it is meant for.")],
    out: Annotated[Path | None, typer.Option(help="The file to write.")] = None,
    architecture: Annotated[
        str | None, typer.Option(help="Registered architecture of a state dict.")
    ] = None,
    features: Annotated[
        str, typer.Option(help="What the weights take: normalised or raw features.")
    ] = "normalised",
    clip: Annotated[bool, typer.Option(help="Bring features into the board's range.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Turn a published attack or state dict into a submission, on this machine."""
    if not source.exists():
        raise FileNotFoundError(f"{source}: no such file or folder")
    board, dataset = _open(board_name, data_dir)
    if source.is_dir():
        to = out or Path(f"{source.name}.npz")
        write_attack(to, {"full": [published.attack(source, board, dataset, clip=clip)]})
    else:
        if features not in ("normalised", "raw"):
            allowed = "normalised or raw"
            raise Refused([Violation("metadata", "--features", features, allowed)])
        to = out or Path(f"{source.stem}.safetensors")
        tensors, name, parameters = published.defense(
            source,
            features_in=int(dataset.features.shape[1]),
            classes=dataset.classes,
            architecture=architecture,
        )
        write_defense(
            to,
            tensors,
            architecture=name,
            parameters=parameters,
            features=cast("Features", features),
        )
    console.print(f"{to}: next: grb check {to} --board {board.id}", soft_wrap=True)


def check(
    files: Annotated[list[Path], typer.Argument(help="Attacks and defenses.")],
    board_name: Annotated[str, typer.Option("--board", help="The board they are meant for.")],
    data_dir: DataDir = None,
) -> None:
    """Check files offline, as the service does: every violation at once."""
    _present(files)
    board, dataset = _open(board_name, data_dir)
    found = 0
    for path in files:
        violations = check_content(path, side=side_of(path), board=board, dataset=dataset)
        found += len(violations)
        words = f"{len(violations)} violation(s)" if violations else f"valid for {board.id}"
        console.print(f"{path}: {words}", soft_wrap=True, highlight=False)
        for violation in violations:
            console.print(f"  {violation}", soft_wrap=True, highlight=False, markup=False)
    if found:
        raise typer.Exit(1)


def evaluate(
    name: BoardName,
    defense: Annotated[list[Path], typer.Option(help="Defenses (.safetensors).")],
    attack: Annotated[list[Path] | None, typer.Option(help="Attacks (.npz).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    out: Annotated[
        list[Path] | None,
        typer.Option(help="Also write the matrix: .json, .csv, .tex, .md, .png, .pdf or .svg."),
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Evaluate every attack, and none, against every defense, as the service does."""
    for path in out or ():
        _target(path, path.suffix if path.suffix in _MATRIX_FILES else ", ".join(_MATRIX_FILES))
    from grbcore.matrix import evaluate_matrix

    _present([*defense, *(attack or ())])
    board, dataset = _open(name, data_dir)
    for path in (*defense, *(attack or ())):
        violations = check_content(path, side=side_of(path), board=board, dataset=dataset)
        if violations:
            typer.echo(f"{path}:", err=True)
            raise Refused(violations)
    models = {str(path): path for path in defense}
    attacks = {str(path): path for path in attack or ()}
    with _bar() as bar:
        task = bar.add_task("evaluating", total=len(models) * (1 + len(attacks)))
        matrix = evaluate_matrix(
            models, attacks, board, dataset, progress=lambda cell: bar.advance(task)
        )
        bar.remove_task(task)
    for path in out or ():
        _write_matrix(matrix, path)
    # a defense at a time, as one reads it
    cells = [matrix.cell(row, column) for column in matrix.defenses for row in matrix.rows]
    if as_json:
        typer.echo(json.dumps([_as_json(cell) for cell in cells], indent=1))
    else:
        console.print(_table(cells, board))


_MATRIX_FILES = (".json", ".csv", ".tex", ".md", ".png", ".pdf", ".svg")


def _write_matrix(matrix: Matrix, path: Path) -> None:
    texts = {
        ".json": matrix.to_json,
        ".csv": matrix.to_csv,
        ".tex": matrix.to_latex,
        ".md": matrix.to_markdown,
    }
    if path.suffix in texts:
        path.write_text(texts[path.suffix](), "utf-8")
    else:
        matrix.plot(path)


def _present(files: list[Path]) -> None:
    for path in files:
        if not path.is_file():
            raise FileNotFoundError(f"{path}: no such file")


def _as_json(cell: Cell) -> dict[str, Any]:
    return {
        "attack": cell.attack,
        "defense": cell.defense,
        "correct": {name: list(counts) for name, counts in cell.correct.items()},
        "total": dict(cell.total),
    }


def _table(cells: list[Cell], board: Board) -> Table:
    table = Table(title=f"{board.id}: accuracy in percent, mean over repeats")
    for heading in ("attack", "defense"):
        table.add_column(heading, overflow="fold")
    for difficulty in DIFFICULTIES:
        table.add_column(difficulty, justify="right")
    for cell in cells:
        values = []
        for difficulty in DIFFICULTIES:
            repeats = cell.accuracy(difficulty) if difficulty in cell.correct else ()
            values.append(f"{100 * sum(repeats) / len(repeats):.2f}" if repeats else "–")
        table.add_row(cell.attack, cell.defense, *values)
    return table
