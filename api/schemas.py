"""What the API takes and gives: the one description that the page's types are generated from."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel

from api.flag_schemas import FlagOut
from api.spending_schemas import BudgetOut, TimeOut
from grbcore.metrics import Metric
from grbcore.needs import Need
from grbcore.scenario import Difficulty, Scenario, Side
from grbcore.store.visibility import Visibility

SubmissionState = Literal["received", "validating", "rejected", "evaluating", "ranked", "failed"]
CellState = Literal["queued", "running", "done", "failed", "dead"]
View = Literal["reference", "all"]
#: ready: takes uploads.  preparing: baselines are being made; takes uploads too.
#: no-data: the dataset's files are not on this host.
BoardState = Literal["ready", "preparing", "no-data"]

BoardMetric = Literal["accuracy", "error"]  # of an error less is better for a defense
Role = Literal["user", "admin"]
TokenScope = Literal["read", "submit", "manage", "admin"]
FailureFamily = Literal["submission", "infrastructure"]
HealthStatus = Literal["ok", "unavailable"]


class Problem(BaseModel):
    """An error: a stable code, a sentence, and for a file every violation that was found."""

    code: str
    message: str
    violations: list[ViolationOut] = []
    request_id: str | None = None  # under which the service's log tells more


class ViolationOut(BaseModel):
    """One fault of a file."""

    code: str
    place: str
    found: str
    allowed: str


class AllowanceOut(BaseModel):
    """What an attacker may do at one difficulty, and how many targets there are."""

    nodes: int | None = None
    edges_per_node: int | None = None
    flips: int | None = None
    changes: int | None = None  # of each test graph, where whole graphs are judged
    targets: int | None = None


class DatasetOut(BaseModel):
    """The dataset below a board, as registered."""

    name: str
    title: str
    description: str
    licence: str
    source: str
    nodes: int
    edges: int
    features: int
    classes: int
    graphs: int = 0  # test graphs; 0 where nodes of one graph are judged
    # how many values each feature of a node, and of an edge, may have, from 0; of whole graphs only
    node_values: list[int] = []
    edge_values: list[int] = []
    by_degree: bool = False  # nodes have no features: degrees, which follow flips, stand for them


class Preparation(BaseModel):
    """How far the making of the baselines is."""

    step: str  # what is being done now, such as "training GAT+LN"
    done: int
    total: int
    failed: str | None = None  # why it stopped, if it did


class BestEntry(BaseModel):
    """The entry in first place of the reference view, at what its board is ranked by."""

    id: str
    name: str
    score: float


class BoardSummary(BaseModel):
    """One line of the list of boards."""

    id: str
    title: str
    dataset: str
    scenario: Scenario
    version: int
    difficulties: list[Difficulty]  # what attacks carry, in order
    ranked: Difficulty  # what rankings are ordered by unless one chooses
    metric: BoardMetric
    graphs: int  # test graphs; 0 where nodes of one graph are judged
    state: BoardState
    hint: str | None  # why the data can't be used, or how to get it, where there is none
    attacks: int  # registered, and public, as all that a board counts
    defenses: int  # registered
    pending: int  # received, validating or evaluating
    changed_at: datetime | None
    best_attack: BestEntry | None
    best_defense: BestEntry | None
    preparation: Preparation | None


class BoardOut(BoardSummary):
    """A board with its rules."""

    revision: int  # raised whenever a ranking may show something else
    protocol: str | None
    repeats: int
    feature_range: tuple[float, float] | None
    feature_tolerance: float
    budgets: dict[Difficulty, AllowanceOut]
    attack_bytes: int
    defense_bytes: int
    dataset_details: DatasetOut
    architectures: list[str]
    attack_methods: list[str]  # families of attacks that have a name; others are ``other:<name>``
    # null, or: half of the targets is hidden, and a submitter's best moves by more than this only
    ladder_step: float | None


class ScoreOut(BaseModel):
    """A mean over repeats, as a fraction, and its population standard deviation.

    ``std`` is null where every row behind the score has a single repeat.
    """

    mean: float
    std: float | None


Scores = dict[Difficulty, ScoreOut]


class MetricsOut(BaseModel):
    """GRB's three metrics at one difficulty, and the worst case.

    ``three`` is Avg 3-Min for a defense and Avg 3-Max for an attack; ``worst`` the lowest accuracy
    of a defense and the highest that an attack leaves, in each repeat; ``n`` counts the rows behind
    the score (for a defense the clean row is one of them).
    """

    weighted: ScoreOut
    average: ScoreOut
    three: ScoreOut
    worst: ScoreOut
    n: int

    def of(self, metric: Metric) -> ScoreOut:
        """The score by this metric."""
        found: ScoreOut = getattr(self, metric)
        return found


class MatrixEntry(BaseModel):
    """A row or column head of the matrix."""

    id: str  # "clean" for the clean row
    name: str
    rank: int | None
    is_reference: bool
    state: SubmissionState
    visibility: Visibility


class MatrixCell(BaseModel):
    """One attack against one defense."""

    id: str
    attack: str
    defense: str
    state: CellState
    accuracy: dict[Difficulty, ScoreOut]  # empty until done; the mean over budgets among them


class MatrixOut(BaseModel):
    """A window of a board's cells.

    Attacks are the rows, defenses the columns; both in the order of their ranks, entries that are
    not registered yet after them.  The window begins at the places ``row`` and ``column`` (0 is the
    first), of so many in all; the clean row is the last of every window, beyond ``total_rows``.
    Of the cells that are in it and done, ``best_defenses`` are the highest of each row, and
    ``best_attacks`` the lowest of each column, the clean row left out: ids of cells.
    """

    board: str
    revision: int
    view: View
    difficulty: Difficulty
    row: int
    column: int
    total_rows: int
    total_columns: int
    attacks: list[MatrixEntry]
    defenses: list[MatrixEntry]
    cells: list[MatrixCell]
    best_attacks: list[str]
    best_defenses: list[str]


class CellCounts(BaseModel):
    """How many of a submission's cells are in each state."""

    queued: int = 0
    running: int = 0
    done: int = 0
    failed: int = 0
    dead: int = 0


class SubmissionSummary(BaseModel):
    """One line of the list of submissions."""

    id: str
    board: str
    side: Side
    name: str
    authors: str
    family: str
    state: SubmissionState
    is_reference: bool
    withdrawn: bool
    hidden: bool
    deleted: bool
    attempt: int
    received_at: datetime
    cells: CellCounts  # against counterparts that the reader sees
    url: str
    visibility: Visibility  # what is not public is there for its owner and for admins only
    public_at: datetime | None  # the end of its embargo


class PlaceOut(BaseModel):
    """Where a submission stands while it waits.

    ``position`` 1 is next; null means that a worker is at it.  ``seconds`` is what is expected
    until its rank is known, from measured times; null where there is no such measure.  ``missing``
    is what its board needs where no living worker takes that.
    """

    position: int | None
    waiting: int  # how many stand in the same line
    seconds: float | None
    missing: Need | None


class SubmissionOut(SubmissionSummary):
    """Everything public about a submission."""

    metric: BoardMetric  # what its results are
    team: str | None
    description: str  # CommonMark, as its author wrote it
    description_html: str  # the same for a page: no scripts, no pictures, links to elsewhere marked
    paper_url: str | None
    code_url: str | None
    adversarially_trained: bool
    surrogate: str | None
    architecture: str | None  # defenses, once the header is read
    parameters: dict[str, object] | None
    features: str | None  # "normalised" or "raw", defenses
    difficulties: list[Difficulty]
    repeats: int | None  # attacks
    budget: dict[Difficulty, BudgetOut] | None  # attacks; null where it was not counted
    evaluation: TimeOut | None  # null until a cell is done
    sha256: str | None  # null once the entry was deleted, and its file with it
    canonical: str | None  # of the content, however it is ordered or packed; once it is valid
    bytes: int
    submitter: str
    yours: bool  # whether who asks has submitted it
    attempts: int
    violations: list[ViolationOut]
    reason: str | None  # why it failed, was rejected, or waits
    log: str | None  # the end of what a validator that died wrote to stderr
    validated_at: datetime | None
    registered_at: datetime | None
    edited_at: datetime | None
    rank: int | None  # in the reference view, by `ranked`; what is not public would have it there
    published_at: datetime | None  # since when everybody has seen it ranked
    place: PlaceOut | None  # while it waits
    artefact_url: str
    flags: list[FlagOut]
    results: list[MatrixCell]
    counterparts: list[MatrixEntry]  # whom the results name, in the order of their ranks
    marked: dict[str, str]  # what counterparts in the results are called that the matrix leaves out


class ProgressOut(BaseModel):
    """How far a submission is: what a stream of its events tells whenever it changes."""

    state: SubmissionState
    withdrawn: bool
    hidden: bool
    deleted: bool
    cells: CellCounts
    place: PlaceOut | None  # while it waits
    reason: str | None


class SubmissionList(BaseModel):
    """A page of submissions, newest first; ``next`` is the cursor of the next page."""

    submissions: list[SubmissionSummary]
    next: str | None


class CellProvenance(BaseModel):
    """What a cell's numbers come from."""

    protocol: str
    evaluator_version: int | None
    device: str | None
    seconds: float | None
    versions: dict[str, str]
    attack_sha256: str | None  # null without an attack, and once it was deleted
    defense_sha256: str | None  # null once it was deleted
    hits_sha256: str | None  # of the packed hits of each target; null once an entry was deleted


class EarlierResult(BaseModel):
    """What a pair's result was before a re-evaluation."""

    id: str
    state: CellState
    protocol: str
    evaluator_version: int | None
    finished_at: datetime | None
    replaced_at: datetime | None
    accuracy: dict[Difficulty, ScoreOut]


class CountedCell(BaseModel):
    """One attack against one defense, with what was counted; nothing until it is done."""

    id: str
    attack: MatrixEntry
    defense: MatrixEntry
    state: CellState
    correct: dict[Difficulty, list[int]]  # per repeat; empty on boards of errors
    errors: dict[Difficulty, list[float]]  # there the mean error in each repeat; else empty
    total: dict[Difficulty, int]
    not_finite: dict[Difficulty, list[int]]  # misses, or errors of 1000 standard deviations
    accuracy: Scores  # mean errors on boards of these
    macro_f1: Scores  # empty where nothing is kept by class
    balanced_accuracy: Scores


class CellOut(CountedCell):
    """One attack against one defense, in full.

    ``replaced_by`` is set where the board shows another result by now, ``replaced_at`` where it is
    known since when.
    """

    board: str
    metric: BoardMetric
    attempts: int  # tries that ended without a result
    max_attempts: int
    error_code: str | None  # of the try that failed last; null once it is done
    error_family: FailureFamily | None  # whose fault: the newcomer's, or the service's
    reason: str | None
    log: str | None  # the end of what the evaluator wrote to stderr in that try
    queued_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    provenance: CellProvenance
    replaced_at: datetime | None
    replaced_by: str | None  # the cell that took its place
    earlier: list[EarlierResult]  # of the same pair, newest first
    # computes it at home; null without its files or board, and where half of the targets is hidden
    command: str | None


class WhoAmI(BaseModel):
    """Who makes a request, and what the token or session may do."""

    name: str
    role: Role
    scopes: list[TokenScope]


class Health(BaseModel):
    """Whether the service is up; ``missing`` names the parts that are not."""

    status: HealthStatus
    version: str
    missing: list[str] = []
