"""Preparing a board's baselines through the ordinary submission path."""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer
from sqlalchemy import true
from sqlalchemy.orm import Session

from grbcore import catalog, datasets, logs
from grbcore.catalog import AttackRecipe, Board, DefenseRecipe
from grbcore.datasets import Dataset, DatasetError
from grbcore.files import sha256_of
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.scenario import GRAPH_SCENARIOS, SCENARIOS
from grbcore.settings import Settings
from grbcore.store import queries, tokens
from grbcore.store.blobs import Blobs
from grbcore.store.intake import SubmissionFields, receive
from grbcore.store.queue import MAX_VALIDATIONS
from grbcore.store.quotas import UNLIMITED
from grbcore.store.session import Sessions, connect, now
from grbcore.store.tables import BoardRow, Submission, User
from grbcore.submission import check_header, scale_of
from grbcore.violations import Refused

if TYPE_CHECKING:
    from grbcore.baselines import Artefact

OWNER = "baselines"

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
    settings = Settings()
    logs.configure(settings)
    boards = [catalog.board(name) for name in names]
    with _ended_like_ctrl_c():
        done = _one_by_one(
            [Preparation(board, settings, starter=not everything) for board in boards], wait=wait
        )
    if not all(done):
        raise typer.Exit(1)


def _one_by_one(preparations: list[Preparation], *, wait: bool) -> list[bool]:
    """Whether each went well; those whose turn is not yet there say what they wait for."""
    for before, later in pairwise(preparations):
        later.wait_for(before.board)
    done: list[bool] = []
    try:
        for preparation in preparations:
            done.append(preparation.run(wait=wait))
    except KeyboardInterrupt:
        for later in preparations[len(done) + 1 :]:
            later.interrupted()
        raise
    return done


@contextmanager
def _ended_like_ctrl_c() -> Iterator[None]:
    """SIGTERM ends what runs here as Ctrl-C does, so that the board's row can tell."""

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class Preparation:
    """One board's baselines, with their progress kept in the board's row."""

    def __init__(self, board: Board, settings: Settings, *, starter: bool) -> None:
        self.board = board
        self.starter = starter
        self.data_dir = settings.data_dir
        self.folder = settings.var_dir / "baselines" / board.id.replace("/", "-")
        self.sessions = Sessions(connect(settings.database_url))
        self.blobs = Blobs(settings.blob_url)
        self.settled = 0
        self.submitted: list[str] = []

    def run(self, *, wait: bool) -> bool:
        """Make, submit and, if asked to, wait; whether all went well.

        The board's row tells how far it is, and at the end what went wrong.  A recipe whose
        reference the board has is not made again: references are frozen.  Where a season has begun,
        what is new takes part as any other entry does, until a later season takes it in.
        """
        if not self._has_data():
            logger.error(
                "%s: found no data, allowed: boards that grb board sync has found the data of",
                self.board.id,
            )
            return False
        try:
            self._submit_all()
            problems = self._wait() if wait else []
        except KeyboardInterrupt:
            self.interrupted()
            raise
        except Exception as error:
            self._tell("stopped", failed=f"{type(error).__name__}: {error}")
            if not isinstance(error, (DatasetError, Refused)):
                logger.exception("%s", self.board.id)
            return False
        if problems:
            self._tell("stopped", failed="; ".join(problems))
            return False
        self._finish()
        return True

    def wait_for(self, other: Board) -> None:
        """Tell that this board's turn comes after another's."""
        if self._has_data():
            self._tell(f"waits for {other.id}")

    def interrupted(self) -> None:
        """Tell that somebody ended the preparation, and how it goes on."""
        if self._has_data():
            self._tell("stopped", failed=f"interrupted; grb baselines {self.board.id} goes on")

    def _has_data(self) -> bool:
        with self.sessions.reading() as session:
            row = session.get(BoardRow, self.board.id)
            return row is not None and row.state != "no-data"

    def _submit_all(self) -> None:
        from grbcore.baselines import make

        with self.sessions.reading() as session:
            found = queries.references(session, self.board.id)
        frozen = {key: row.id for key, row in found.items() if row.state not in queries.REFUSED}
        sides = {(recipe.side, recipe.name) for recipe in self._recipes()}
        self.submitted = [frozen[key] for key in sides & frozen.keys()]
        if len(self.submitted) == len(sides):
            return
        dataset = datasets.load(self.board.dataset, data_dir=self.data_dir)
        with self.sessions.writing() as session:
            owner = tokens.user(session, OWNER) or tokens.create_user(session, OWNER, now=now())
        for artefact in make(
            self.board,
            dataset,
            self.folder,
            starter=self.starter,
            skip=frozen,
            announce=self._tell,
        ):
            self._submit(artefact, dataset, owner)
            self._tell(f"submitted {artefact.recipe.name}")

    def _submit(self, artefact: Artefact, dataset: Dataset | GraphDataset, owner: User) -> None:
        with artefact.path.open("rb") as file:
            header = check_header(
                file, side=artefact.side, board=self.board, scale=scale_of(dataset)
            )
        if header.violations:
            raise Refused(header.violations)
        sha256 = sha256_of(artefact.path)
        with self.sessions.writing() as session:
            submission, _ = receive(
                session,
                self.blobs,
                board=self.board,
                side=artefact.side,
                fields=_fields(artefact.recipe, self.board),
                file=artefact.path,
                sha256=sha256,
                size=artefact.path.stat().st_size,
                header=header,
                user=owner,
                limits=UNLIMITED,
                is_reference=True,
                now=now(),
            )
            self.submitted.append(submission.id)
            joins = submission.is_reference
        if not joins:
            logger.info("%s: %s waits for the next season", self.board.id, artefact.recipe.name)

    def _wait(self) -> list[str]:
        """Until every baseline is ranked or never will be by itself; the latter, with reasons."""
        while True:
            with self.sessions.reading() as session:
                entries = [session.get_one(Submission, one) for one in self.submitted]
                cells = queries.cell_counts(session, self.submitted, true())
            problems = [
                f"{entry.name}: {reason}"
                for entry in entries
                if (reason := stuck(entry, cells.get(entry.id, {}))) is not None
            ]
            settled = len(problems) + sum(entry.state == "ranked" for entry in entries)
            if settled != self.settled:
                self.settled = settled
                self._tell(f"evaluated {settled} of {len(entries)} baselines")
            if settled == len(entries):
                return problems
            time.sleep(_POLL_SECONDS)

    def _recipes(self) -> tuple[DefenseRecipe | AttackRecipe, ...]:
        return self.board.recipes(starter=self.starter)

    def _tell(self, step: str, failed: str | None = None) -> None:
        logger.info("%s: %s %s", self.board.id, step, failed or "")
        with self.sessions.writing() as session:
            row = session.get_one(BoardRow, self.board.id)
            row.state = "ready" if failed else "preparing"
            row.preparation = {
                "step": step,
                "done": len(self.submitted) + self.settled,
                "total": 2 * len(self._recipes()),
                "failed": failed,
            }

    def _finish(self) -> None:
        with self.sessions.writing() as session:
            row = session.get_one(BoardRow, self.board.id)
            row.state = "ready"
            row.preparation = None


def stuck(entry: Submission, cells: dict[str, int]) -> str | None:
    """Why this entry will not be ranked unless somebody does something, or None if it may be.

    ``cells`` counts its cells by state.
    """
    if entry.state in queries.REFUSED:
        return f"{entry.state}: {entry.reason}"
    if entry.state == "received" and entry.attempts >= MAX_VALIDATIONS:
        return str(entry.reason)
    dead = cells.get("dead", 0)
    if entry.state == "evaluating" and dead and not cells.keys() & {"queued", "running"}:
        return f"cells that could not be computed and wait for an admin: {dead}"
    return None


def _fields(recipe: DefenseRecipe | AttackRecipe, board: Board) -> SubmissionFields:
    """What a baseline says of itself."""
    common = {
        "name": recipe.name,
        "authors": "The benchmark's baselines",
        "paper_url": board.paper,
    }
    if isinstance(recipe, DefenseRecipe):
        words = f"{recipe.name} trained from the catalog's recipe with seed {recipe.seed}."
        trained = recipe.adversarial is not None
        return SubmissionFields.model_validate(
            {**common, "description": words, "adversarially_trained": trained}
        )
    words = f"{recipe.name} run from the catalog's recipe."
    surrogate = None
    if recipe.surrogate is not None:
        surrogate = f"{recipe.surrogate.architecture}, seed {recipe.surrogate.seed}"
    return SubmissionFields.model_validate(
        {**common, "description": words, "family": recipe.method, "surrogate": surrogate}
    )


def missing(settings: Settings) -> list[str]:
    """The boards whose data is here and whose starter baselines are not all ranked yet.

    Injection boards come first: a newcomer waits for their rankings.  Those on whole graphs, which
    take longer, come last.
    """
    sessions = Sessions(connect(settings.database_url))
    with sessions.reading() as session:
        lacking = [board for board in catalog.boards().values() if _lacks(session, board)]
    order = (*SCENARIOS, *GRAPH_SCENARIOS)
    return [board.id for board in sorted(lacking, key=lambda b: order.index(b.scenario))]


def _lacks(session: Session, board: Board) -> bool:
    row = session.get(BoardRow, board.id)
    if row is None or row.state == "no-data":
        return False
    found = queries.references(session, board.id)
    ranked = {key for key, entry in found.items() if entry.state == "ranked"}
    wanted = {(recipe.side, recipe.name) for recipe in board.recipes()}
    return row.preparation is not None or not wanted <= ranked
