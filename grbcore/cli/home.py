"""What a researcher does at home: attack, convert, check, evaluate."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from rich.table import Table

from grbcore import catalog, datasets
from grbcore import convert as published
from grbcore.architectures import Features
from grbcore.catalog import ATTACK_METHODS, AttackRecipe, Board, methods_of
from grbcore.cli.interruption import told_when_interrupted
from grbcore.cli.options import (
    BoardName,
    DataDir,
    bar_of_steps,
    console,
    open_board,
    positive,
    target,
)
from grbcore.cli.parameters import pair_of
from grbcore.confusion import balanced_accuracy, macro_f1, not_finite
from grbcore.datasets import Dataset
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.results import Cell
from grbcore.scenario import Difficulty, Scenario, parts_of
from grbcore.submission import (
    SUFFIXES,
    check_content,
    side_of,
    write_attack,
    write_defense,
)
from grbcore.violations import Refused, Violation

if TYPE_CHECKING:
    from grbcore.baselines import Model
    from grbcore.matrix import Matrix


_METHODS = (
    "; ".join(f"{scenario}: {', '.join(methods_of(scenario))}" for scenario in ATTACK_METHODS)
    + "; by default FGSM, PRBCD, AdjPGD or AttrPGD."
)

_DEFAULT_METHODS: dict[Scenario, str] = {
    "injection": "FGSM",
    "modification": "PRBCD",
    "adjacency": "AdjPGD",
    "attributes": "AttrPGD",
}


def attack(
    name: BoardName,
    surrogate: Annotated[
        Path | None, typer.Option(help="The model to differentiate (.safetensors).")
    ] = None,
    method: Annotated[str | None, typer.Option(help=_METHODS)] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="Gradient steps.")] = None,
    step_size: Annotated[float | None, typer.Option(help="Size of a step.")] = None,
    others: Annotated[
        list[str] | None, typer.Option("--set", help="Any other argument, as NAME=VALUE.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of topology and start.")] = 0,
    difficulty: Annotated[
        list[str] | None, typer.Option(help="Difficulties, or budgets; all by default.")
    ] = None,
    repeats: Annotated[int | None, typer.Option(help="Repeats; the board's by default.")] = None,
    out: Annotated[Path, typer.Option(help="The file to write.")] = Path("attack.npz"),
    data_dir: DataDir = None,
) -> None:
    """Attack a surrogate on a board and write the attack as a submission."""
    target(out, SUFFIXES["attack"])
    positive("--step-size", step_size)
    from grbcore import baselines
    from grbcore.attacks import ATTACKS, BLACK_BOX

    board, dataset = open_board(name, data_dir)
    methods = {name: ATTACKS[board.scenario][name] for name in methods_of(board.scenario)}
    method = _DEFAULT_METHODS[board.scenario] if method is None else method
    if method not in methods:
        raise Refused([Violation("format", "--method", method, ", ".join(methods))])
    chosen = _difficulties(difficulty, board)
    count = _repeats(repeats, board)
    recorded = [recipe.arguments for recipe in board.attacks if recipe.method == method]
    arguments: dict[str, object] = dict(recorded[0]) if recorded else {}
    options: dict[str, object] = {"steps": steps, "step_size": step_size}
    named = [(f"--{name.replace('_', '-')}", name, value) for name, value in options.items()]
    for option, argument, value in (
        *named,
        *(("--set", *pair_of(other)) for other in others or ()),
    ):
        if value is not None:
            arguments[argument] = _taken(methods[method], method, option, argument, value)
    model = None
    if surrogate is not None or method not in BLACK_BOX[board.scenario]:
        model = _surrogate(surrogate, dataset)
    recipe = AttackRecipe(name=method, method=method, arguments=arguments)
    with told_when_interrupted(lambda: "nothing is kept"), bar_of_steps() as bar:
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


def _difficulties(names: list[str] | None, board: Board) -> tuple[Difficulty, ...]:
    unknown = [name for name in names or () if name not in board.difficulties]
    if unknown:
        listed = ", ".join(board.difficulties)
        raise Refused([Violation("format", "--difficulty", unknown[0], listed)])
    if not names:
        return board.difficulties
    if not set(board.required) <= set(names):
        listed = ", ".join(board.required)
        allowed = f"all of {listed}: none may be left out"
        if board.required != board.difficulties:
            allowed = f"{listed}, and any of the others"
        raise Refused([Violation("member-missing", "--difficulty", ", ".join(names), allowed)])
    return cast("tuple[Difficulty, ...]", tuple(dict.fromkeys(names)))


def _taken(kind: type[Any], method: str, option: str, argument: str, value: object) -> object:
    """The value of an option that this attack has; refused where it has none of the name."""
    names = [field.name for field in dataclasses.fields(kind) if field.name != "values"]
    if argument not in names:
        found = f"{argument} with {method}" if option == "--set" else f"{value} with {method}"
        allowed = f"an attack that takes it; {method} takes {', '.join(names) or 'nothing'}"
        raise Refused([Violation("parameters", option, found, allowed)])
    return value


def _surrogate(path: Path | None, dataset: Dataset | GraphDataset) -> Model:
    if path is None:
        allowed = "a trained model: grb train BOARD --out surrogate.safetensors"
        raise Refused([Violation("member-missing", "--surrogate", "nothing", allowed)])
    from grbcore import baselines

    return baselines.load(path, dataset)


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
    board = catalog.board(board_name)
    dataset = datasets.load(board.dataset, Dataset, data_dir=data_dir)
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
    board, dataset = open_board(board_name, data_dir)
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
    measure: Annotated[
        str, typer.Option(help="accuracy, macro-f1 or balanced-accuracy: what the table shows.")
    ] = "accuracy",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON: every measure, and counts by class.")
    ] = False,
    out: Annotated[
        list[Path] | None,
        typer.Option(help="Also write the matrix: .json, .csv, .tex, .md, .png, .pdf or .svg."),
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Evaluate every attack, and none, against every defense, as the service does."""
    if measure not in MEASURES:
        raise Refused([Violation("format", "--measure", measure, ", ".join(MEASURES))])
    for path in out or ():
        target(path, path.suffix if path.suffix in _MATRIX_FILES else ", ".join(_MATRIX_FILES))
    from grbcore.matrix import evaluate_matrix

    _present([*defense, *(attack or ())])
    board, dataset = open_board(name, data_dir)
    if board.errors and measure != "accuracy":
        allowed = "accuracy, which on this board is the error"
        raise Refused([Violation("format", "--measure", measure, allowed)])
    for path in (*defense, *(attack or ())):
        violations = check_content(path, side=side_of(path), board=board, dataset=dataset)
        if violations:
            typer.echo(f"{path}:", err=True)
            raise Refused(violations)
    models = {str(path): path for path in defense}
    attacks = {str(path): path for path in attack or ()}
    with bar_of_steps() as bar:
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
        console.print(_table(cells, board, measure))


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


#: What `grb evaluate` shows of a cell: its values in each repeat at one difficulty.
MEASURES: dict[str, Callable[[Cell, Difficulty], Sequence[float]]] = {
    "accuracy": lambda cell, difficulty: cell.accuracy(difficulty),
    "macro-f1": lambda cell, difficulty: macro_f1(cell.confusion[difficulty]).tolist(),
    "balanced-accuracy": lambda cell, difficulty: balanced_accuracy(
        cell.confusion[difficulty]
    ).tolist(),
}


def _as_json(cell: Cell) -> dict[str, Any]:
    of = {name: {d: list(value(cell, d)) for d in cell.correct} for name, value in MEASURES.items()}
    errors = {name: list(values) for name, values in cell.errors.items()}
    return ({"errors": errors} if errors else {}) | {
        "attack": cell.attack,
        "defense": cell.defense,
        "correct": {name: list(counts) for name, counts in cell.correct.items()},
        "total": dict(cell.total),
        "macro_f1": of["macro-f1"],
        "balanced_accuracy": of["balanced-accuracy"],
        "not_finite": cell.provenance["not_finite"],
        "confusion": {name: counts.tolist() for name, counts in cell.confusion.items()},
    }


def _table(cells: list[Cell], board: Board, measure: str) -> Table:
    words = measure.replace("-f1", "-F1").replace("-accuracy", " accuracy")
    what = f"{'error' if board.errors else words} in {board.measure.unit}"
    table = Table(title=f"{board.id}: {what}, mean over repeats")
    for heading in ("attack", "defense"):
        table.add_column(heading, overflow="fold")
    for choice in board.choices:
        table.add_column(choice, justify="right")
    if any(_not_finite(cell) for cell in cells):
        table.add_column("not finite", justify="right")
    for cell in cells:
        values = []
        for choice in board.choices:
            several = [
                fmean(MEASURES[measure](cell, part))
                for part in parts_of(choice)
                if choice in cell.choices
            ]
            values.append(board.measure.number(fmean(several) if several else None))
        if len(table.columns) > 2 + len(board.choices):
            values.append(str(_not_finite(cell)))
        table.add_row(cell.attack, cell.defense, *values)
    return table


def _not_finite(cell: Cell) -> int:
    """The most targets without finite logits in one repeat of one difficulty."""
    return max((not_finite(counts) for counts in cell.confusion.values()), default=0)
