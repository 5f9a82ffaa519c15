"""What a dataset, a board and a recipe are."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from grbcore.changes_budget import ChangesBudget
from grbcore.measure import MEASURES, Measure
from grbcore.results import EVALUATOR_VERSION, METRIC_VERSION
from grbcore.scenario import (
    BUDGETS,
    DIFFICULTIES,
    GRAPH_SCENARIOS,
    Budget,
    Difficulty,
    InjectionBudget,
    ModificationBudget,
    Scenario,
    Side,
    choices_of,
    difficulties_of,
    ranked_of,
)

MIB = 1024 * 1024

#: The attacks of the library by scenario.
ATTACK_METHODS: Mapping[Scenario, tuple[str, ...]] = {
    "injection": ("RND", "FGSM", "PGD", "SPEIT", "TDGIA", "AGIA", "QuerySearch"),
    "modification": (
        "RND",
        "DICE",
        "FGA",
        "FLIP",
        "NEA",
        "STACK",
        "PGD",
        "PRBCD",
        "GRBCD",
        "LRBCD",
    ),
    "adjacency": ("Random", "BruteForce", "AdjPGD", "Genetic"),
    "attributes": ("Random", "BruteForce", "AttrPGD", "Genetic"),
}


#: Those that make one change of each graph, so that they can't make a board's attack.
ONE_CHANGE = frozenset({"BruteForce"})


def methods_of(scenario: Scenario) -> tuple[str, ...]:
    """The attacks that can make a board's: the families that a submitted one may name."""
    return tuple(name for name in ATTACK_METHODS[scenario] if name not in ONE_CHANGE)


class Definition(BaseModel):
    """A frozen record read from the catalog; an unknown field is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    #: Fields that came after the first artefacts were named; at their defaults they name nothing.
    added: ClassVar[frozenset[str]] = frozenset()


class FileEntry(Definition):
    """One file of a dataset.  ``sha256`` is absent where nobody has recorded it yet."""

    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] | None = None
    bytes: int | None = None


class DatasetEntry(Definition):
    """A dataset of the registry: what it is, what it should measure, where it comes from.

    Of whole graphs the numbers are those of the test graphs together, ``features`` the values of
    all features of nodes, and ``files`` folders with one ``graphs.npz`` each.
    """

    name: str
    title: str
    description: str
    licence: str
    source: str
    nodes: int
    edges: int  # undirected
    features: int
    classes: int
    edge_features: int = 0  # values of all features of edges
    by_degree: bool = False  # nodes have no features, so their degrees stand for them
    graphs: int = 0  # test graphs; 0 where nodes of one graph are judged
    pairs: int = 0  # nodes squared, summed over the test graphs
    split: str | None = None  # SHA-256 of the split, where graphs are judged
    bundled: bool = False
    address: str | None = None  # {file} is the file's name; .zip is an archive of TUDataset
    files: dict[str, FileEntry]

    @property
    def hashed(self) -> str:
        """What is hashed: the bytes of its files, or the graphs in them, however packed."""
        return "graphs of SHA-256" if self.graphs else "SHA-256"

    def path(self, file: str) -> str:
        """Where a file lies below a folder of datasets."""
        return f"graphs/{file}/graphs.npz" if self.graphs else f"{self.name}/{file}.npz"

    @property
    def node_values(self) -> list[int]:
        """How many values each feature of nodes has, of whole graphs, whose nodes have one."""
        return [1 if self.by_degree else self.features] if self.graphs else []

    @property
    def edge_values(self) -> list[int]:
        """How many values each feature of edges has, of whole graphs, whose edges have one."""
        return [self.edge_features] if self.graphs else []


class Limits(Definition):
    """Upper bounds of what a board takes; bytes and seconds."""

    attack_bytes: int = 64 * MIB
    defense_bytes: int = 64 * MIB
    expansion: int = 4  # uncompressed bytes at most this many times the byte limit
    ratio: int = 200  # of a member that unpacks to more than 1 MiB
    header_bytes: int = MIB
    work_factor: int = 50  # times the work of the board's GCN
    cell_seconds: float = 60.0


class InjectionAllowance(Definition):
    """Nodes and edges per node of one difficulty; the feature range is the board's."""

    nodes: int
    edges_per_node: int


class Surrogate(Definition):
    """The model that an attack differentiates: trained by the attacker, with its own seed."""

    added: ClassVar[frozenset[str]] = frozenset({"training"})

    architecture: str
    parameters: dict[str, object]
    seed: int
    training: dict[str, object] = {}  # how otherwise than by the defaults of `DefenseRecipe`


class AdversarialInjection(Definition):
    """Nodes injected while a defense is trained.  The defaults are those of GRB, Table 5."""

    method: str = "FGSM"
    arguments: dict[str, object] = {"steps": 10, "step_size": 0.01}
    nodes: int
    edges_per_node: int
    warm_up: int = 10  # epochs on the graph as it is


class AdversarialModification(Definition):
    """Edges flipped while a defense is trained, a share of as many as there are."""

    method: str
    arguments: dict[str, object] = {}
    share: float
    warm_up: int = 10


class AdversarialChanges(Definition):
    """Graphs changed while a defense is trained: few-step AttrPGD, as the thesis' section 5.6."""

    changes: int = Field(ge=1)  # of each graph, edges and values of features


Adversarial = AdversarialInjection | AdversarialModification | AdversarialChanges


class DefenseRecipe(Definition):
    """How a baseline defense is trained.

    ``mode`` and ``weight_decay`` are of boards of nodes; ``batch``, ``schedule`` and ``wait`` of
    boards on whole graphs.
    """

    side: ClassVar[Side] = "defense"

    added: ClassVar[frozenset[str]] = frozenset(
        {"mode", "weight_decay", "adversarial", "batch", "schedule", "wait"}
    )

    name: str
    architecture: str
    parameters: dict[str, object]
    seed: int = 0
    learning_rate: float = 0.01
    dropout: float = 0.5
    epochs: int = 2000
    patience: int = 200
    mode: Literal["inductive", "transductive"] = "inductive"
    weight_decay: float = 0.0
    adversarial: Adversarial | None = None
    batch: int = 32  # graphs of a step
    schedule: Literal["plateau", "step", "constant"] = "plateau"  # when the rate is halved
    wait: int = 25  # epochs without a better validation score, or between steps
    starter: bool = True  # made by `grb up`; in TOML false for what stands in `more_defenses`


class AttackRecipe(Definition):
    """How a baseline attack is made: the method and its constructor's arguments."""

    side: ClassVar[Side] = "attack"

    name: str
    method: str
    arguments: dict[str, object] = {}
    surrogate: Surrogate | None = None
    starter: bool = True


class Board(Definition):
    """A dataset under a scenario, with its budgets, limits and baselines.

    ``id`` is ``dataset/scenario@version``.  A published board is never edited: a change makes a
    new version.
    """

    dataset: str
    scenario: Scenario
    version: int = 1
    title: str
    repeats: int = 3
    metric: Literal["accuracy", "error"] = "accuracy"  # error: less is better for a defense
    feature_range: tuple[float, float] = (0.0, 0.0)  # of boards where nodes are injected
    feature_tolerance: float = 1e-5
    injection: dict[Difficulty, InjectionAllowance] | None = None
    limits: Limits = Limits()
    defenses: tuple[DefenseRecipe, ...] = ()
    attacks: tuple[AttackRecipe, ...] = ()
    factor: float = Field(1.0, gt=0, exclude=True)  # see `at_budget`; 1 of every published board

    @property
    def id(self) -> str:
        return f"{self.dataset}/{self.scenario}@{self.version}"

    @property
    def errors(self) -> bool:
        """Whether results are mean errors, of which a defense wants few, and no accuracies."""
        return self.metric == "error"

    @property
    def measure(self) -> Measure:
        """What results are, and how they are written."""
        return MEASURES[self.metric]

    @property
    def difficulties(self) -> tuple[Difficulty, ...]:
        """What an attack carries, in order."""
        return difficulties_of(self.scenario)

    @property
    def main(self) -> Difficulty:
        """The difficulty that every attack carries, and that stands for it where one must."""
        return self.difficulties[-1]

    @property
    def paper(self) -> str | None:
        """Where its baselines are described; the thesis' on whole graphs has no address."""
        if self.scenario in GRAPH_SCENARIOS:
            return None
        return "https://arxiv.org/abs/2111.04314"

    @property
    def required(self) -> tuple[Difficulty, ...]:
        """Those that no attack may leave out."""
        return BUDGETS if self.scenario in GRAPH_SCENARIOS else (self.main,)

    @property
    def ranked(self) -> Difficulty:
        """What its rankings are ordered by unless one chooses: full, or the mean over budgets."""
        return ranked_of(self.scenario)

    @property
    def choices(self) -> tuple[Difficulty, ...]:
        """What its rankings may be ordered by."""
        return choices_of(self.scenario)

    def recipes(self, *, starter: bool = True) -> tuple[DefenseRecipe | AttackRecipe, ...]:
        """The baselines, defenses first; with ``starter`` only those of the starter set."""
        every: tuple[DefenseRecipe | AttackRecipe, ...] = (*self.defenses, *self.attacks)
        return tuple(recipe for recipe in every if recipe.starter or not starter)

    def at_budget(self, factor: float) -> Board:
        """The same board with so many times its nodes, or flips; for hold-outs only.

        Halves are rounded up; each injected node may have as many edges as before.
        """
        return self.model_copy(update={"factor": factor})

    def budget(self, difficulty: Difficulty, *, edges: int = 0) -> Budget:
        """What an attacker may do at this difficulty.

        ``edges`` is the number of undirected edges of the clean graph; modification boards allow
        ⌊0.05·|E|⌋ flips at each difficulty.
        """
        if self.scenario == "modification":
            return ModificationBudget(flips=math.ceil(edges * 5 // 100 * self.factor))
        assert self.injection is not None
        allowance = self.injection[difficulty]
        low, high = self.feature_range
        return InjectionBudget(
            nodes=math.ceil(allowance.nodes * self.factor),
            edges_per_node=allowance.edges_per_node,
            feature_min=low,
            feature_max=high,
            tolerance=self.feature_tolerance,
        )

    def changes(self, difficulty: Difficulty) -> ChangesBudget:
        """What an attacker may do to each test graph of a board on whole graphs."""
        attributes = self.scenario == "attributes"
        return ChangesBudget(math.ceil(int(difficulty) * self.factor), attributes=attributes)

    def protocol(self, dataset_digest: str) -> str:
        """What a cell's numbers depend on, beside the two entries; 16 hexadecimal digits.

        ``dataset_digest`` is the SHA-256 over the dataset's files.
        """
        rules = {
            "dataset": dataset_digest,
            "scenario": self.scenario,
            "repeats": self.repeats,
            "feature_range": self.feature_range,
            "feature_tolerance": self.feature_tolerance,
            "budgets": {d: self.injection[d].model_dump() for d in DIFFICULTIES}
            if self.injection
            else list(self.difficulties)
            if self.scenario in GRAPH_SCENARIOS
            else None,
            "metric": METRIC_VERSION,
            "evaluator": EVALUATOR_VERSION,
        }
        return hashlib.sha256(json.dumps(rules, sort_keys=True).encode()).hexdigest()[:16]
