"""Training a defense at home: one, or the best of many."""

from __future__ import annotations

import time
from collections.abc import Mapping
from inspect import signature
from pathlib import Path
from typing import Annotated

import typer

from grbcore import catalog, datasets
from grbcore.architectures import ARCHITECTURES
from grbcore.catalog import (
    Adversarial,
    AdversarialChanges,
    AdversarialInjection,
    AdversarialModification,
    Board,
    DefenseRecipe,
)
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
from grbcore.cli.parameters import parameters
from grbcore.datasets import Dataset
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.scenario import GRAPH_SCENARIOS
from grbcore.settings import Settings
from grbcore.submission import SUFFIXES
from grbcore.violations import Refused, Violation

#: Seconds between two lines where there is no terminal to draw a bar on.
EVERY = 10.0


#: What is said of options that have other defaults where whole graphs are judged.
_THESIS = "  Of whole graphs the thesis' by default."


def train(
    name: BoardName,
    architecture: Annotated[
        str | None,
        typer.Option(help="A registered architecture; GCN by default, GINE of whole graphs."),
    ] = None,
    hidden: Annotated[
        str | None,
        typer.Option(
            help="Hidden widths, comma-separated; 64,64,64 by default.  Of whole graphs one."
        ),
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
    epochs: Annotated[
        int | None, typer.Option(min=1, help=f"Epochs at most; 2000 by default.{_THESIS}")
    ] = None,
    patience: Annotated[
        int | None,
        typer.Option(min=1, help=f"Epochs without a better validation; 200 by default.{_THESIS}"),
    ] = None,
    learning_rate: Annotated[
        float | None, typer.Option(help=f"Of Adam; 0.01 by default.{_THESIS}")
    ] = None,
    dropout: Annotated[
        float | None, typer.Option(help=f"While training; 0.5 by default.{_THESIS}")
    ] = None,
    batch: Annotated[
        int | None, typer.Option(min=2, help="Of whole graphs: those of a step.")
    ] = None,
    weight_decay: Annotated[float, typer.Option(min=0, help="Of Adam.")] = 0.0,
    mode: Annotated[str, typer.Option(help="inductive or transductive.")] = "inductive",
    adversarial: Annotated[
        str | None, typer.Option(help="Train adversarially with this attack, such as FGSM.")
    ] = None,
    attack_steps: Annotated[int, typer.Option(min=1, help="Of that attack, each epoch.")] = 10,
    attack_step_size: Annotated[float, typer.Option(help="Of that attack.")] = 0.01,
    attack_nodes: Annotated[
        int | None, typer.Option(min=1, help="That it injects; the board's easy by default.")
    ] = None,
    attack_edges: Annotated[
        int | None, typer.Option(min=1, help="Of each; the board's by default.")
    ] = None,
    attack_share: Annotated[float, typer.Option(help="Of the edges, that it flips.")] = 0.05,
    attack_changes: Annotated[
        int, typer.Option(min=1, help="Of each graph, where whole graphs are judged.")
    ] = 1,
    warm_up: Annotated[int, typer.Option(min=0, help="Epochs before the attacks.")] = 10,
    checkpoint: Annotated[
        Path | None, typer.Option(help="A file to go on from after an interruption.")
    ] = None,
    save_every: Annotated[int, typer.Option(min=1, help="Epochs between checkpoints.")] = 50,
    out: Annotated[Path, typer.Option(help="The file to write.")] = Path("defense.safetensors"),
    data_dir: DataDir = None,
) -> None:
    """Train a defense on a board's dataset and write it as a submission."""
    target(out, SUFFIXES["defense"])
    if checkpoint is not None:
        target(checkpoint, checkpoint.suffix, option="--checkpoint")
    positive("--learning-rate", learning_rate)
    if dropout is not None and not 0 <= dropout < 1:
        raise Refused([Violation("parameters", "--dropout", f"{dropout}", "0 or more, below 1")])
    if mode not in ("inductive", "transductive"):
        raise Refused([Violation("parameters", "--mode", mode, "inductive or transductive")])
    positive("--attack-step-size", attack_step_size)
    positive("--attack-share", attack_share, 1)
    board, dataset = open_board(name, data_dir)
    graphs = isinstance(dataset, GraphDataset)
    _refuse_other_kind(graphs, mode, weight_decay, batch)
    usual = _usual(architecture, dataset)
    told = parameters(
        usual.architecture,
        scenario=board.scenario,
        usual=usual.parameters,
        hidden=hidden,
        layer_norm=layer_norm,
        named={"heads": heads, "hops": hops, "alpha": alpha},
        others=others or [],
    )
    given = {
        "epochs": epochs,
        "patience": patience,
        "learning_rate": learning_rate,
        "dropout": dropout,
        "batch": batch,
    }
    recipe = usual.model_copy(
        update={name: value for name, value in given.items() if value is not None}
        | {"parameters": told, "seed": seed, "mode": mode, "weight_decay": weight_decay}
    )
    if adversarial is not None:
        ascent: dict[str, object] = {"steps": attack_steps, "step_size": attack_step_size}
        plan = _plan(
            adversarial,
            board,
            ascent,
            attack_nodes,
            attack_edges,
            attack_share,
            attack_changes,
            warm_up,
        )
        if not graphs and recipe.epochs <= warm_up:
            allowed = f"more than the warm-up of {warm_up}"
            raise Refused([Violation("parameters", "--epochs", f"{recipe.epochs}", allowed)])
        recipe = recipe.model_copy(update={"adversarial": plan})
    _run(recipe, board, dataset, out, checkpoint, save_every)


def _usual(architecture: str | None, dataset: Dataset | GraphDataset) -> DefenseRecipe:
    """How an architecture is trained unless an option says otherwise."""
    if isinstance(dataset, GraphDataset):
        from grbcore.graphlevel import trained

        return trained.usual(architecture or "GINE", dataset)
    name = architecture or "GCN"
    return DefenseRecipe(name=name, architecture=name, parameters={})


def _run(
    recipe: DefenseRecipe,
    board: Board,
    dataset: Dataset | GraphDataset,
    out: Path,
    checkpoint: Path | None,
    save_every: int,
) -> None:
    """Train and write a defense, its progress and its end told; what a checkpoint kept goes."""
    from grbcore import baselines
    from grbcore.training import Checkpoint, WrongCheckpoint

    kept = Checkpoint(checkpoint, every=save_every) if checkpoint is not None else None
    with told_when_interrupted(lambda: _kept(checkpoint)), bar_of_steps() as bar:
        task = bar.add_task(f"training {recipe.architecture}", total=recipe.epochs)
        last = time.monotonic()

        def show(epoch: int, _epochs: int, score: float) -> None:
            nonlocal last
            text = f"training {recipe.architecture}, validation {_validated(score, board)}"
            bar.update(task, completed=epoch, description=text)
            if not console.is_terminal and time.monotonic() - last >= EVERY:
                last = time.monotonic()
                console.print(f"{text}, epoch {epoch}", soft_wrap=True, highlight=False)

        try:
            result = baselines.train(recipe, dataset, out, checkpoint=kept, progress=show)
        except WrongCheckpoint as error:
            allowed = "a file of the same run, or none yet"
            raise Refused([Violation("format", "--checkpoint", str(error), allowed)]) from None
    if checkpoint is not None:
        checkpoint.unlink(missing_ok=True)
    console.print(
        f"{out}: validation {board.measure.word} {_validated(result.val_score, board)} at "
        f"epoch {result.best_epoch} of {result.epochs}, {result.seconds:.1f} s; next: "
        f"grb check {out} --board {board.id}",
        soft_wrap=True,
    )


def _validated(score: float, board: Board) -> str:
    """A score of training as a result: of errors it is their negative."""
    measure = board.measure
    return measure.number(-score if measure.errors else score) + measure.after


def _refuse_other_kind(graphs: bool, mode: str, weight_decay: float, batch: int | None) -> None:
    """Refuse options that are of the other kind of board's training."""
    if graphs:
        none = "none where whole graphs are judged"
        asked = [
            ("--mode", mode, "inductive where whole graphs are judged", mode != "inductive"),
            ("--weight-decay", f"{weight_decay:g}", none, weight_decay > 0),
        ]
    else:
        asked = [("--batch", f"{batch}", "none where nodes are judged", batch is not None)]
    found = [Violation("parameters", *words) for *words, given in asked if given]
    if found:
        raise Refused(found)


def _kept(checkpoint: Path | None) -> str:
    if checkpoint is None:
        return "nothing is kept; --checkpoint FILE would keep the run"
    if not checkpoint.exists():
        return f"nothing is kept; {checkpoint} would be after --save-every epochs"
    return f"{checkpoint} keeps the run; the same command goes on from it"


def _plan(
    method: str,
    board: Board,
    ascent: Mapping[str, object],
    nodes: int | None,
    edges_per_node: int | None,
    share: float,
    changes: int,
    warm_up: int,
) -> Adversarial:
    """What ``--adversarial`` and its companions ask for, in the scenario of the board."""
    if board.scenario in GRAPH_SCENARIOS:
        if method != "AttrPGD":
            allowed = "AttrPGD, which whole graphs are trained with"
            raise Refused([Violation("format", "--adversarial", method, allowed)])
        return AdversarialChanges(changes=changes)
    from grbcore.attacks import ATTACKS

    methods = ATTACKS[board.scenario]
    if method not in methods:
        raise Refused([Violation("format", "--adversarial", method, ", ".join(methods))])
    taken = signature(methods[method]).parameters
    arguments = {name: value for name, value in ascent.items() if name in taken}
    if board.scenario == "modification":
        return AdversarialModification(
            method=method, arguments=arguments, share=share, warm_up=warm_up
        )
    assert board.injection is not None
    usual = board.injection["easy"]
    return AdversarialInjection(
        method=method,
        arguments=arguments,
        nodes=nodes or usual.nodes,  # options are 1 or more
        edges_per_node=edges_per_node or usual.edges_per_node,
        warm_up=warm_up,
    )


def tune(
    name: BoardName,
    architecture: Annotated[str, typer.Option(help="A registered architecture.")] = "GCN",
    trials: Annotated[int, typer.Option(min=1, help="In all, those of before counted.")] = 20,
    seed: Annotated[int, typer.Option(help="Of the search and of each training.")] = 0,
    epochs: Annotated[int, typer.Option(min=1, help="Epochs of a trial at most.")] = 1000,
    patience: Annotated[int, typer.Option(min=1, help="Epochs without a better validation.")] = 100,
    study: Annotated[
        Path | None, typer.Option(help="The study's SQLite file; under GRB_VAR_DIR by default.")
    ] = None,
    out: Annotated[Path, typer.Option(help="The file to write.")] = Path("defense.safetensors"),
    data_dir: DataDir = None,
) -> None:
    """Search for the hyper-parameters of a defense and write the best one as a submission.

    The study is kept: the same command goes on where it was interrupted.
    """
    target(out, SUFFIXES["defense"])
    if architecture not in ARCHITECTURES:
        listed = ", ".join(ARCHITECTURES)
        raise Refused([Violation("architecture", "--architecture", architecture, listed)])
    from grbcore import baselines
    from grbcore import tuning as search
    from grbcore.visualise.figure import MissingExtra

    board = catalog.board(name)
    dataset = datasets.load(board.dataset, Dataset, data_dir=data_dir)
    if study is None:
        folder = Settings().var_dir / "studies"
        folder.mkdir(parents=True, exist_ok=True)
        study = folder / f"{board.dataset}-{architecture}-{seed}-{epochs}-{patience}.db"
    space = search.default_space(architecture, seed=seed, epochs=epochs, patience=patience)
    try:
        search.check_installed()
    except MissingExtra as error:
        typer.echo(f"grb: {error}", err=True)
        raise typer.Exit(1) from None
    words = f"{study} keeps the trials that are over; the same command goes on"
    with told_when_interrupted(lambda: words), bar_of_steps() as bar:
        task = bar.add_task(f"tuning {architecture}", total=trials)

        def show(number: int, tried: search.Tried) -> None:
            found = f"{100 * tried.val_accuracy:.2f} %" + (" pruned" if tried.pruned else "")
            bar.update(task, completed=number, description=f"tuning {architecture}, last {found}")

        try:
            tuned = search.tune(
                dataset,
                space,
                trials=trials,
                seed=seed,
                study=study,
                name=f"{architecture} {epochs} {patience}",
                told=show,
            )
        except search.WrongStudy as error:
            allowed = "a file of the same search, or none yet"
            raise Refused([Violation("format", "--study", str(error), allowed)]) from None
        bar.update(task, completed=trials, description=f"training the best {architecture}")
        baselines.train(tuned.best, dataset, out)
    best = tuned.best
    chosen = ", ".join(f"{key} {value}" for key, value in sorted(best.parameters.items()))
    console.print(
        f"{out}: validation accuracy {100 * tuned.val_accuracy:.2f} %, the best of "
        f"{len(tuned.trials)} trials in {study}: {chosen}, learning rate "
        f"{best.learning_rate:.4g}, dropout {best.dropout:g}, weight decay "
        f"{best.weight_decay:g}; next: grb check {out} --board {board.id}",
        soft_wrap=True,
        highlight=False,
    )
