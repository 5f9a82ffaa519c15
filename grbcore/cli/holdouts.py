"""``grb admin holdout``: attacks at other budgets and of other families, beside the rankings."""

from __future__ import annotations

from typing import Annotated

import typer

from grbcore import catalog, datasets
from grbcore.catalog import Board
from grbcore.cli.database import VIA, database, find_submission, operator, reading, told, writing
from grbcore.cli.refusing import refuse
from grbcore.datasets import Dataset, DatasetError
from grbcore.files import sha256_of
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.holdouts import Holdout, planned, summaries
from grbcore.scenario import choices_of, ranked_of, scenario_of
from grbcore.settings import Settings
from grbcore.store import holdouts
from grbcore.store.blobs import Blobs, BlobsAway
from grbcore.store.holdouts import Made
from grbcore.store.reevaluation import NotPossible
from grbcore.store.session import now

app = typer.Typer(
    help="Who is robust only to the budget that it trained on? Hold-outs never rank anybody.",
    no_args_is_help=True,
)

Name = Annotated[str, typer.Argument(metavar="BOARD", help="Such as digits/injection@1.")]
Defense = Annotated[str, typer.Argument(metavar="SUBMISSION", help="The id of a ranked defense.")]


@app.command()
def prepare(
    name: Name,
    unseen: Annotated[
        bool, typer.Option(help="Also attacks of families that are not among the references.")
    ] = True,
    repeats: Annotated[
        int | None, typer.Option(min=1, help="How many repeats; the board's if not given.")
    ] = None,
) -> None:
    """Make the reference attacks at half, once and double the budget, and unseen families.

    What is there already is not made again; what no longer belongs to them is removed.
    """
    board = catalog.board(name)
    if board.errors:
        refuse(f"{board.id}: found a board of errors, allowed: one of accuracies")
    if repeats not in (None, 1, board.repeats):
        refuse(f"repeats: found {repeats}, allowed: 1 or {board.repeats}, the board's")
    settings = Settings()
    with database() as sessions:
        with sessions.reading() as session:
            names, families = holdouts.references(session, board.id)
        plan = planned(board, names, families, unseen=unseen)
        if not any(one.kind == "budget" for one in plan):
            refuse(f"{board.id}: found no reference made from the catalog, allowed: one or more")
        try:
            dataset = datasets.load(board.dataset, data_dir=settings.data_dir)
            protocol = board.protocol(dataset.digest)
            with sessions.reading() as session:
                holdouts.check(session, board.id, protocol)
            made = [_made(board, dataset, one, settings, repeats) for one in plan]
            with sessions.writing() as session:
                user = operator(session)
            with sessions.writing() as session:
                blobs = Blobs(settings.blob_url)
                holdouts.place(
                    session, blobs, board.id, made,
                    protocol=protocol, user_id=user, via=VIA, now=now(),
                )  # fmt: skip
        except (BlobsAway, DatasetError, NotPossible) as error:
            refuse(str(error))
    typer.echo(f"{board.id} has {len(made)} hold-outs; workers measure them when nothing waits")


@app.command()
def ask(
    submission: Defense,
    reason: Annotated[str | None, typer.Option(help="Why; kept in the audit log.")] = None,
) -> None:
    """Have a defense measured under its board's hold-outs, and again under those that failed."""
    with writing() as session, told():
        row = find_submission(session, submission)
        user = operator(session)
        holdouts.ask(session, row, user_id=user, via=VIA, reason=reason, now=now())
    typer.echo(f"submission {submission} is measured when nothing else waits")


@app.command()
def show(
    submission: Defense,
    difficulty: Annotated[
        str | None, typer.Option(help="full, or the mean over budgets, if not given.")
    ] = None,
) -> None:
    """Show what a defense reaches under its board's hold-outs."""
    with reading() as session:
        entry = find_submission(session, submission)
        scenario = scenario_of(entry.board_id)
        choices = choices_of(scenario)
        at = next((one for one in choices if one == (difficulty or ranked_of(scenario))), None)
        if at is None:
            refuse(f"difficulty: found {difficulty!r}, allowed: {', '.join(choices)}")
        found = holdouts.standing(session, entry)
    done = len(found.found)
    typer.echo(f"{done} of {found.attacks} are measured, {found.failed} failed")
    for row in summaries(found.at(at)):
        what = "unseen families" if row.kind == "unseen" else f"budget x {row.factor:g}"
        typer.echo(
            f"{what}: {100 * row.mean:.2f} % over {row.attacks}, "
            f"lowest {100 * row.worst:.2f} % under {row.worst_attack}"
        )


def _made(
    board: Board,
    dataset: Dataset | GraphDataset,
    holdout: Holdout,
    settings: Settings,
    repeats: int | None,
) -> Made:
    """The file of a hold-out, which is kept beside those of the board's baselines."""
    from grbcore import baselines
    from grbcore.attacks import BLACK_BOX
    from grbcore.evaluate import check_budget
    from grbcore.submission import read_attack

    recipe, allowed = holdout.recipe, board.at_budget(holdout.factor)
    if recipe.method in BLACK_BOX[board.scenario]:
        recipe = recipe.model_copy(update={"surrogate": None})
    count = repeats or board.repeats
    folder = settings.var_dir / "baselines" / board.id.replace("/", "-")
    folder.mkdir(parents=True, exist_ok=True)
    stem = baselines.artefact_name(board, dataset, recipe)
    path = folder / f"{stem}-x{holdout.factor:g}-r{count}.npz"
    if not path.exists():
        typer.echo(f"attacking with {recipe.name} at {holdout.factor:g} times the budget", err=True)
        model = baselines.surrogate_of(board, dataset, recipe, folder, lambda _step: None)
        baselines.run(recipe, allowed, dataset, model, path, repeats=count)
    with path.open("rb") as file:
        attack = read_attack(file, board)
    check_budget(allowed, dataset, attack)
    return Made(
        holdout,
        path,
        sha256_of(path),
        {"difficulties": list(attack), "repeats": len(attack[board.main])},
    )
