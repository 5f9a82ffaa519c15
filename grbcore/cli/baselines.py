"""Preparing a board's baselines through the ordinary submission path."""

from __future__ import annotations

import hashlib
import logging
import time
from typing import TYPE_CHECKING, Annotated

import typer
from sqlalchemy import select
from sqlalchemy.orm import Session

from grbcore import catalog, datasets
from grbcore.catalog import AttackRecipe, Board, DefenseRecipe
from grbcore.datasets import Dataset
from grbcore.settings import Settings
from grbcore.store import tokens
from grbcore.store.blobs import Blobs
from grbcore.store.intake import SubmissionFields, receive
from grbcore.store.session import Sessions, connect, now
from grbcore.store.tables import BoardRow, Submission, User
from grbcore.submission import check_header, scale_of

if TYPE_CHECKING:
    from grbcore.baselines import Artefact

OWNER = "baselines"

_FINAL = ("ranked", "failed", "rejected")
_POLL_SECONDS = 1.0

logger = logging.getLogger(__name__)


def baselines(
    names: Annotated[list[str], typer.Argument(help="Boards, such as digits/injection@1.")],
    everything: Annotated[
        bool, typer.Option("--all", help="Every recipe, not only the starter set.")
    ] = False,
    wait: Annotated[bool, typer.Option(help="Wait until all of them are ranked.")] = True,
) -> None:
    """Train and run a board's baselines and submit them as its references."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    settings = Settings()
    for name in names:
        board = catalog.board(name)
        Preparation(board, settings, starter=not everything).run(wait=wait)


class Preparation:
    """One board's baselines, with their progress kept in the board's row."""

    def __init__(self, board: Board, settings: Settings, *, starter: bool) -> None:
        self.board = board
        self.starter = starter
        self.data_dir = settings.data_dir
        self.folder = settings.var_dir / "baselines" / board.id.replace("/", "-")
        self.sessions = Sessions(connect(settings.database_url))
        self.blobs = Blobs(settings.blob_url)
        self.made = 0
        self.ranked = 0
        self.submitted: list[str] = []

    def run(self, *, wait: bool) -> None:
        """Make, submit and, if asked to, wait; the board's row tells how far it is."""
        from grbcore.baselines import make

        try:
            dataset = datasets.load(self.board.dataset, data_dir=self.data_dir)
            found = make(
                self.board, dataset, self.folder, starter=self.starter, announce=self._tell
            )
            for artefact in found:
                self._submit(artefact, dataset)
                self.made += 1
                self._tell(f"submitted {artefact.recipe.name}")
            if wait:
                self._wait()
        except Exception as error:
            self._tell("stopped", failed=f"{type(error).__name__}: {error}")
            raise
        self._finish()

    def _submit(self, artefact: Artefact, dataset: Dataset) -> None:
        with artefact.path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            header = check_header(
                file, side=artefact.side, board=self.board, scale=scale_of(dataset)
            )
        with self.sessions.writing() as session:
            submission, _ = receive(
                session,
                self.blobs,
                board=self.board,
                side=artefact.side,
                fields=_fields(artefact.recipe),
                file=artefact.path,
                sha256=sha256,
                size=artefact.path.stat().st_size,
                header=header,
                user=_owner(session),
                is_reference=True,
                now=now(),
            )
            self.submitted.append(submission.id)

    def _wait(self) -> None:
        """Until every baseline is ranked or has failed."""
        while self.ranked < len(self.submitted):
            with self.sessions.reading() as session:
                query = select(Submission.name).where(
                    Submission.id.in_(self.submitted), Submission.state.in_(_FINAL)
                )
                ranked = len(session.scalars(query).all())
            if ranked != self.ranked:
                self.ranked = ranked
                self._tell(f"evaluated {ranked} of {len(self.submitted)} baselines")
            if ranked < len(self.submitted):
                time.sleep(_POLL_SECONDS)

    def _tell(self, step: str, failed: str | None = None) -> None:
        logger.info("%s: %s %s", self.board.id, step, failed or "")
        with self.sessions.writing() as session:
            row = session.get_one(BoardRow, self.board.id)
            row.state = "ready" if failed else "preparing"
            row.preparation = {
                "step": step,
                "done": self.made + self.ranked,
                "total": 2 * len(self.board.recipes(starter=self.starter)),
                "failed": failed,
            }

    def _finish(self) -> None:
        with self.sessions.writing() as session:
            row = session.get_one(BoardRow, self.board.id)
            row.state = "ready"
            row.preparation = None


def _owner(session: Session) -> User:
    return tokens.user(session, OWNER) or tokens.create_user(session, OWNER, now=now())


def _fields(recipe: DefenseRecipe | AttackRecipe) -> SubmissionFields:
    """What a baseline says of itself."""
    common = {
        "name": recipe.name,
        "authors": "The benchmark's baselines",
        "paper_url": "https://arxiv.org/abs/2111.04314",
    }
    if isinstance(recipe, DefenseRecipe):
        words = f"{recipe.name} trained from the catalog's recipe with seed {recipe.seed}."
        return SubmissionFields.model_validate({**common, "description": words})
    words = f"{recipe.name} run from the catalog's recipe."
    surrogate = None
    if recipe.surrogate is not None:
        surrogate = f"{recipe.surrogate.architecture}, seed {recipe.surrogate.seed}"
    return SubmissionFields.model_validate(
        {**common, "description": words, "family": recipe.method, "surrogate": surrogate}
    )


def missing(settings: Settings) -> list[str]:
    """The boards whose data is here and whose starter baselines are not all ranked yet."""
    sessions = Sessions(connect(settings.database_url))
    with sessions.reading() as session:
        return [board.id for board in catalog.boards().values() if _lacks(session, board)]


def _lacks(session: Session, board: Board) -> bool:
    row = session.get(BoardRow, board.id)
    if row is None or row.state == "no-data":
        return False
    query = select(Submission.name).where(
        Submission.board_id == board.id,
        Submission.is_reference,
        Submission.state.in_(_FINAL),
    )
    return row.preparation is not None or len(session.scalars(query).all()) < len(board.recipes())
